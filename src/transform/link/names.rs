//! Names that are unique in one module and must be unique in the result.
//!
//! LLVM's translator, the base of most OpenCL drivers, finds functions by linkage name or OpName. It merges two functions of one name. Hosts call
//! entry points by name, but never initializers, so that these can be renamed.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::Op;

use super::head::{is_bridge, is_linkage};
use super::keys::Interned;
use super::symbols::text;
use super::unit::LinkUnit;
use crate::analysis::{initializers, numbered, without_number};
use crate::loader::{literal, views};

/// The names of the functions of all modules.
pub(super) struct LinkedFunctionNames<'m> {
    /// Names in the order of the modules. Within a module, entry points and linkage come first in their order, then OpNames.
    all: Vec<LinkedFunctionName<'m>>,
    /// Number of each name.
    numbers: Interned<u32>,
    /// The number of different names.
    pub count: usize,
}

/// A name of a function.
#[derive(Clone, Copy)]
pub(super) struct LinkedFunctionName<'m> {
    pub kind: NameKind,
    pub unit: usize,
    pub function: u32,
    /// Offset of the instruction that names it.
    offset: u32,
    name: &'m [u32],
    /// Equal names have one number.
    pub number: u32,
}

/// The kind of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NameKind {
    /// Name of an entry point of this execution model.
    EntryPoint(u32),
    Linkage,
    /// An OpName.
    Plain,
}

impl<'m> LinkedFunctionNames<'m> {
    /// Collects the names of the functions of modules.
    pub fn new(units: &[LinkUnit<'m>]) -> LinkedFunctionNames<'m> {
        let functions = units.iter().map(|unit| unit.module.functions().len()).sum();
        let numbers = Interned::with_room(functions);
        let mut names = LinkedFunctionNames { all: Vec::with_capacity(functions), numbers, count: 0 };
        let mut plain = Vec::new();
        for (unit, module) in units.iter().map(|unit| unit.module).enumerate() {
            for inst in module.annotations() {
                let (kind, function, name) = match inst.op() {
                    Some(Op::EntryPoint) => {
                        let entry = views::EntryPoint(inst);
                        let name = inst.words().get(3..entry.interface_start()).unwrap_or_default();
                        (NameKind::EntryPoint(entry.execution_model()), entry.function(), name)
                    }
                    Some(Op::Decorate) if is_linkage(&inst) => {
                        let [_, function, _, name @ .., _] = inst.words() else { continue };
                        (NameKind::Linkage, *function, name)
                    }
                    Some(Op::Name) => (NameKind::Plain, inst.word(1), inst.words_from(2)),
                    _ => continue,
                };
                if !module.is_function(function) {
                    continue;
                }
                let new = names.count as u32;
                let number = names.numbers.get_or_insert(name, new);
                names.count += usize::from(number.is_err());
                let number = number.unwrap_or_else(|new| new);
                let all = if kind == NameKind::Plain { &mut plain } else { &mut names.all };
                all.push(LinkedFunctionName { kind, unit, function, offset: inst.offset(), name, number });
            }
            names.all.append(&mut plain);
        }
        names
    }

    /// Returns all names.
    pub fn all(&self) -> &[LinkedFunctionName<'m>] {
        &self.all
    }
}

/// The modules that use a name.
#[derive(Clone, Copy, Default)]
struct Owner {
    first: Option<usize>,
    /// True if another module uses it, too.
    several: bool,
}

impl Owner {
    fn add(&mut self, unit: usize) {
        let first = *self.first.get_or_insert(unit);
        self.several |= first != unit;
    }

    /// Adds a module, unless another one was added; then returns false.
    fn add_first(&mut self, unit: usize) -> bool {
        let first = *self.first.get_or_insert(unit);
        !self.several && first == unit
    }
}

/// Renames functions without linkage, and entry points that no host calls, if other modules have functions of the same names. The first
/// module keeps its names, unless others must have them.
pub(super) fn separate_names(units: &mut [LinkUnit], names: LinkedFunctionNames) {
    if units.len() < 2 {
        return;
    }
    let mut owners = vec![Owner::default(); names.count];
    // Functions that may be renamed.
    let mut open: Vec<&LinkedFunctionName> = Vec::new();
    let mut entry_points: HashSet<(u32, u32)> = HashSet::new();
    // Functions of the module: named ones that others call, and the others.
    let mut called: BTreeSet<(usize, u32)> = BTreeSet::new();
    let mut uncalled: HashMap<usize, HashSet<u32>> = HashMap::new();
    for name in &names.all {
        let &LinkedFunctionName { kind, unit: at, function, number, .. } = name;
        let unit = &units[at];
        if unit.silent[function as usize] {
            continue;
        }
        let is_open = match kind {
            NameKind::EntryPoint(model) => {
                !entry_points.insert((model, number))
                    && uncalled.entry(at).or_insert_with(|| initializers(unit.module)).contains(&function)
            }
            NameKind::Linkage if is_bridge(unit, function) => continue,
            NameKind::Linkage => false,
            NameKind::Plain => !called.contains(&(at, function)),
        };
        match is_open {
            true if kind == NameKind::Plain && name.name == [0] => {}
            true => open.push(name),
            false => {
                called.insert((at, function));
                owners[number as usize].add(at);
            }
        }
    }
    let mut numbered = NumberedNames { names: names.numbers, last: HashMap::new() };
    // The name of an entry point exists twice.
    let mut new_names: HashMap<(usize, u32, u32), Vec<u32>> = HashMap::new();
    for &&LinkedFunctionName { unit, function, offset, name, number, .. } in &open {
        if !owners[number as usize].add_first(unit) {
            let new = new_names.entry((unit, function, number)).or_insert_with(|| numbered.number(name));
            units[unit].texts.insert(offset, new.clone());
        }
    }
}

/// Makes names that no function has.
struct NumberedNames {
    names: Interned<u32>,
    /// Last number that was appended to each name without a number.
    last: HashMap<String, usize>,
}

impl NumberedNames {
    /// Returns the name with a number that makes it unique.
    fn number(&mut self, name: &[u32]) -> Vec<u32> {
        let name = text(name);
        let base_name = without_number(&name).unwrap_or_else(|| name.as_str().into());
        let number = self.last.entry(base_name.clone().into_owned()).or_default();
        loop {
            *number += 1;
            let words = literal(&numbered(&base_name, *number));
            if self.names.get_or_insert(&words, u32::MAX).is_err() {
                return words;
            }
        }
    }
}
