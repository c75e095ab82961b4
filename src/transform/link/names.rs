//! Names that are unique in one module and must be unique in the result.
//!
//! LLVM's translator, on which most OpenCL drivers are built, looks functions up by name, be it a linkage name or an OpName, and takes two of
//! one name for one. Hosts call entry points by name, but never initializers, so that these can be renamed.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use super::head::{is_bridge, is_linkage};
use super::interned::Interned;
use super::symbols::text;
use super::unit::LinkUnit;
use crate::analysis::initializers;
use crate::analysis::{numbered, without_number};
use crate::loader::literal;
use crate::loader::{Instruction, views};

/// The modules that use a name.
#[derive(Clone, Copy)]
struct Owner {
    first: usize,
    /// True if another module uses it, too.
    several: bool,
}

/// The names of functions in the result, as words.
#[derive(Default)]
struct Taken {
    /// By name: the index of its owner.
    known: Interned<u32>,
    owners: Vec<Owner>,
    /// By name without a number: the last number that was appended to it.
    numbers: HashMap<String, usize>,
}

/// Renames functions without linkage, and entry points that no host calls, if other modules have functions of the same names. The first
/// module keeps its names, unless others must have them.
pub(super) fn keep_apart(units: &mut [LinkUnit]) {
    if units.len() < 2 {
        return;
    }
    let mut taken = Taken::default();
    // Functions that may be renamed: the module and the id, the offset of the instruction that names it, and the name.
    let mut open: Vec<((usize, u32), u32, &[u32])> = Vec::new();
    let mut entry_points: HashSet<(u32, &[u32])> = HashSet::new();
    for (at, unit) in units.iter().enumerate() {
        let module = unit.module;
        let functions = |inst: &&Instruction, target: usize| {
            module.is_function(inst.word(target)) && !unit.silent[inst.word(target) as usize]
        };
        // Functions that others call by name.
        let mut called: HashSet<u32> = HashSet::new();
        let mut uncalled: Option<HashSet<u32>> = None;
        for inst in module.annotations() {
            if inst.is(Op::EntryPoint) && functions(&&inst, 2) {
                let entry = views::EntryPoint(inst);
                let (model, function) = (entry.execution_model(), entry.function());
                let name = &entry.words()[3..entry.interface_start()];
                let is_new = entry_points.insert((model, name));
                if !is_new && uncalled.get_or_insert_with(|| initializers(module)).contains(&function) {
                    open.push(((at, function), inst.offset(), name));
                } else {
                    called.insert(function);
                    taken.add(name, at);
                }
            } else if is_linkage(&inst) && functions(&&inst, 1) {
                let linkage = views::Decoration(inst);
                if !is_bridge(unit, linkage.target()) {
                    called.insert(linkage.target());
                    let [_, _, _, name @ .., _] = linkage.words() else { continue };
                    taken.add(name, at);
                }
            }
        }
        for inst in module.names().filter(|inst| functions(&&**inst, 1)) {
            let name = inst.words_from(2);
            if called.contains(&inst.target()) {
                taken.add(name, at);
            } else if name != [0] {
                open.push(((at, inst.target()), inst.offset(), name));
            }
        }
    }
    // No number makes a name equal to one that comes later.
    let mut given: Option<HashSet<&[u32]>> = None;
    // The name of an entry point is there twice.
    let mut named: HashMap<((usize, u32), &[u32]), Vec<u32>> = HashMap::new();
    for &(function, offset, name) in &open {
        let at = function.0;
        if !taken.add_first(name, at) {
            let given = given.get_or_insert_with(|| open.iter().map(|&(_, _, name)| name).collect());
            let new = named.entry((function, name)).or_insert_with(|| taken.number(name, given));
            taken.add(new, at);
            units[at].texts.insert(offset, new.clone());
        }
    }
}

impl Taken {
    /// Adds a name of a module.
    fn add(&mut self, name: &[u32], unit: usize) {
        let owner = self.owner(name, unit);
        owner.several |= owner.first != unit;
    }

    /// Adds a name of a module, unless another one has it: then false.
    fn add_first(&mut self, name: &[u32], unit: usize) -> bool {
        let owner = self.owner(name, unit);
        !owner.several && owner.first == unit
    }

    fn owner(&mut self, name: &[u32], unit: usize) -> &mut Owner {
        let new = self.owners.len() as u32;
        let at = self.known.get_or_insert(name, new).unwrap_or_else(|new| {
            self.owners.push(Owner { first: unit, several: false });
            new
        });
        &mut self.owners[at as usize]
    }

    /// The name with a number that makes it unique.
    fn number(&mut self, name: &[u32], given: &HashSet<&[u32]>) -> Vec<u32> {
        let name = text(name);
        let own = without_number(&name).unwrap_or_else(|| name.as_str().into());
        let number = self.numbers.entry(own.clone().into_owned()).or_default();
        loop {
            *number += 1;
            let words = literal(&numbered(&own, *number));
            if !self.known.contains(&words) && !given.contains(&words[..]) {
                return words;
            }
        }
    }
}
