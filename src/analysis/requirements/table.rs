//! The table of requirements: those that the grammar lists for opcodes, enumerants and extended instructions, and those that
//! `spec-extensions/capability-rules.csv` lists for uses. Made once; equal requirements are one.

use std::collections::{BTreeMap, HashSet};
use std::sync::LazyLock;

use rspirv::grammar::{OperandKind, ext_inst_table};
use spirv::Op;

use super::extensions;
use super::look::{Look, Reasons};
use super::uses::Use;
use super::{Requirement, RequirementId, RequirementSet};
use crate::device::{aspects, capabilities};
use crate::loader::grammar;
use crate::text::csv;

/// The extended instruction sets whose instructions may have requirements.
const SETS: [&str; 2] = ["GLSL.std.450", "OpenCL.std"];

/// The rule of capabilities that change other rules without an instruction that shows it.
const UNSEEN: &str = "changes rules unseen";

/// The rule of capabilities that are the kind of a module.
const KIND: &str = "kind of module";

/// The requirements of one instruction, enumerant or use: all of these.
pub type Requirements = Vec<RequirementId>;

/// The modules in which a use has its requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Any.
    Any,
    /// Those that declare Shader.
    Shader,
    /// Those that declare Kernel.
    Kernel,
}

/// All requirements, and the opcodes, enumerants and uses that have them.
pub struct RequirementTable {
    /// By id.
    pub requirements: Vec<Requirement>,
    /// By number of the opcode ([`grammar::number`]).
    opcodes: Vec<Requirements>,
    /// By number of the opcode.
    looks: Vec<Look>,
    /// By kind: the requirements of each enumerant, by ascending value; those without any are included.
    enumerants: Vec<(OperandKind, Vec<(u32, Requirements)>)>,
    /// By use.
    uses: Vec<Option<(RequirementId, Of)>>,
    /// By set, then by number.
    extended: Vec<(&'static str, Vec<Requirements>)>,
    /// The requirements of the imports of extended instruction sets, by the prefix of their names.
    imports: Vec<(&'static str, RequirementId)>,
    /// The capabilities that can be judged.
    judged: HashSet<u32>,
    /// The capabilities that change other rules without an instruction that shows it.
    unseen: Vec<u32>,
    /// The capabilities that are the kind of a module.
    kinds_of_module: Vec<u32>,
    /// The extensions that can be judged.
    judged_extensions: HashSet<&'static str>,
    /// The requirements of all enumerants in operands of one kind, for the kinds that have any; numbered as in the reasons
    /// to look at an opcode.
    kinds: Vec<(OperandKind, RequirementSet)>,
    ids: BTreeMap<Requirement, RequirementId>,
}

impl RequirementTable {
    /// The table.
    pub fn get() -> &'static RequirementTable {
        static TABLE: LazyLock<RequirementTable> = LazyLock::new(RequirementTable::read);
        &TABLE
    }

    fn read() -> RequirementTable {
        let mut table = RequirementTable {
            requirements: Vec::new(),
            opcodes: Vec::new(),
            enumerants: Vec::new(),
            uses: vec![None; Use::ALL.len()],
            extended: Vec::new(),
            imports: Vec::new(),
            judged: HashSet::new(),
            unseen: Vec::new(),
            kinds_of_module: Vec::new(),
            judged_extensions: HashSet::new(),
            kinds: Vec::new(),
            looks: Vec::new(),
            ids: BTreeMap::new(),
        };
        for inst in grammar::instructions() {
            let required = match inst.op().is_some_and(decided_by_operands) {
                true => Vec::new(),
                false => table.intern_all(inst.capabilities(), &inst.extensions()),
            };
            table.opcodes.push(required);
        }
        table.read_kinds();
        for set in SETS {
            table.read_set(set);
        }
        table.read_uses();
        for extension in extensions() {
            if let Some(prefix) = extension.import {
                let id = table.intern(Requirement::Extensions(vec![extension.name]));
                table.imports.push((prefix, id));
            }
        }
        for requirement in &table.requirements {
            match requirement {
                Requirement::Capabilities(any) => table.judged.extend(any),
                Requirement::Extensions(any) => table.judged_extensions.extend(any),
                Requirement::Aspect(_) => {}
            }
        }
        for capability in &table.unseen {
            table.judged.remove(capability);
        }
        table.read_looks();
        for number in aspects::names().filter_map(aspects::number) {
            table.intern(Requirement::Aspect(number));
        }
        table
    }

    /// Reads the enumerants of the kinds that operands have, each kind once.
    fn read_kinds(&mut self) {
        let mut kinds: Vec<OperandKind> = Vec::new();
        let add = |kinds: &mut Vec<OperandKind>, kind: OperandKind| {
            if grammar::is_enumerated(kind) && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        };
        for operand in grammar::instructions().flat_map(|inst| inst.operands()) {
            add(&mut kinds, operand.kind);
        }
        let mut at = 0;
        while let Some(&kind) = kinds.get(at) {
            grammar::all_kinds(kind).into_iter().for_each(|kind| add(&mut kinds, kind));
            at += 1;
        }
        for kind in kinds {
            let enumerants = grammar::members(kind).map(|(value, member)| {
                // The capabilities that a capability lists are implied, not required.
                let capabilities = match kind {
                    OperandKind::Capability => Vec::new(),
                    _ => member.capabilities,
                };
                (value, self.intern_all(capabilities, &member.extensions))
            });
            let enumerants: Vec<(u32, Requirements)> = enumerants.collect();
            if !enumerants.is_empty() {
                self.enumerants.push((kind, enumerants));
            }
        }
    }

    fn read_looks(&mut self) {
        let own: Vec<(OperandKind, RequirementSet)> = self
            .enumerants
            .iter()
            .map(|(kind, enumerants)| {
                (*kind, enumerants.iter().flat_map(|(_, required)| required).copied().collect())
            })
            .collect();
        for &(kind, _) in &own {
            let all_kinds = grammar::all_kinds(kind);
            let mut all = RequirementSet::EMPTY;
            for (_, required) in own.iter().filter(|(kind, _)| all_kinds.contains(kind)) {
                all.extend(required);
            }
            if !all.is_empty() {
                self.kinds.push((kind, all));
            }
        }
        for (inst, required) in grammar::instructions().zip(&self.opcodes) {
            let mut look = Look::new(inst);
            look.reasons.set(Reasons::OPCODE, !required.is_empty());
            let kinds = inst.operands().iter().map(|operand| operand.kind);
            for kind in kinds.filter(|&kind| grammar::is_enumerated(kind)) {
                let number = self.kinds.iter().position(|(own, _)| *own == kind);
                look.reasons |= number.map_or(Reasons::empty(), Reasons::of_kind);
            }
            self.looks.push(look);
        }
    }

    fn read_set(&mut self, name: &'static str) {
        let mut by_number: Vec<Requirements> = Vec::new();
        for inst in ext_inst_table(name).into_iter().flat_map(|table| table.iter()) {
            let number = u32::from(inst.opcode) as usize;
            if by_number.len() <= number {
                by_number.resize(number + 1, Vec::new());
            }
            by_number[number] = {
                let capabilities = inst.capabilities.iter().map(|&capability| capability as u32);
                self.intern_all(capabilities.collect(), inst.extensions)
            };
        }
        self.extended.push((name, by_number));
    }

    fn read_uses(&mut self) {
        let rows = csv::rows::<4>(include_str!("../../../spec-extensions/capability-rules.csv"));
        for row in rows {
            let [name, any, of, _source]: [&str; 4] = row;
            let capabilities: Vec<u32> = any.split(' ').filter_map(capabilities::number).collect();
            if name == UNSEEN {
                self.unseen.extend(capabilities);
                continue;
            }
            if name == KIND {
                self.kinds_of_module.extend(capabilities);
                continue;
            }
            let requirement = match any.starts_with("SPV_") {
                true => Requirement::Extensions(any.split(' ').collect()),
                false => Requirement::Capabilities(capabilities),
            };
            let of = match of {
                "shader" => Of::Shader,
                "kernel" => Of::Kernel,
                _ => Of::Any,
            };
            if let Some((use_, _)) = Use::ALL.iter().find(|(_, own)| *own == name) {
                let id = self.intern(requirement);
                self.uses[*use_ as usize] = Some((id, of));
            }
        }
    }

    fn intern_all(&mut self, capabilities: Vec<u32>, extensions: &[&'static str]) -> Requirements {
        let mut required = Vec::new();
        if !capabilities.is_empty() {
            required.push(self.intern(Requirement::Capabilities(capabilities)));
        }
        if !extensions.is_empty() {
            required.push(self.intern(Requirement::Extensions(extensions.to_vec())));
        }
        required
    }

    fn intern(&mut self, mut requirement: Requirement) -> RequirementId {
        match &mut requirement {
            Requirement::Capabilities(any) => {
                any.sort_unstable();
                any.dedup();
            }
            Requirement::Extensions(any) => {
                any.sort_unstable();
                any.dedup();
            }
            Requirement::Aspect(_) => {}
        }
        let next = RequirementId(self.requirements.len() as u16);
        *self.ids.entry(requirement).or_insert_with_key(|requirement| {
            self.requirements.push(requirement.clone());
            next
        })
    }

    /// The requirement of an aspect, if it is a known one.
    pub fn aspect(&self, number: u32) -> Option<RequirementId> {
        self.ids.get(&Requirement::Aspect(number)).copied()
    }

    /// The requirements of an opcode, whatever its operands.
    #[inline]
    pub fn opcode(&self, opcode: u16) -> &[RequirementId] {
        self.opcodes.get(grammar::number(opcode)).map_or(&[], Vec::as_slice)
    }

    /// The requirements of an enumerant; `None` for an enumerant that the grammar does not have, of a kind that is an
    /// enumeration.
    #[inline]
    pub fn enumerant(&self, kind: OperandKind, value: u32) -> Option<&[RequirementId]> {
        let Some((_, known)) = self.enumerants.iter().find(|(own, _)| *own == kind) else { return Some(&[]) };
        grammar::find(known, value).map(Vec::as_slice)
    }

    /// The parts to look at for an opcode; `None` for one that the grammar does not have.
    #[inline]
    pub fn look(&self, opcode: u16) -> Option<&Look> {
        self.looks.get(grammar::number(opcode))
    }

    /// The reasons to look for enumerants where these requirements are looked for.
    pub fn reasons(&self, relevant: &RequirementSet) -> Reasons {
        let matter = self.kinds.iter().enumerate().filter(|(_, (_, required))| required.intersects(relevant));
        matter.map(|(number, _)| Reasons::of_kind(number)).fold(Reasons::empty(), Reasons::union)
    }

    /// The requirement of a use, and in which modules it has it.
    pub fn use_(&self, use_: Use) -> Option<(RequirementId, Of)> {
        self.uses[use_ as usize]
    }

    /// The requirements of the instructions of an extended instruction set, by number; empty for a set without any.
    pub fn extended(&self, set: &str) -> &[Requirements] {
        self.extended.iter().find(|(name, _)| *name == set).map_or(&[], |(_, required)| required)
    }

    /// The requirement of the import of an extended instruction set.
    pub fn import(&self, set: &str) -> Option<RequirementId> {
        self.imports.iter().find(|(prefix, _)| set.starts_with(prefix)).map(|&(_, id)| id)
    }

    /// True if a capability can be judged: instructions are known to require it.
    pub fn is_judged(&self, capability: u32) -> bool {
        self.judged.contains(&capability)
    }

    /// True if a capability is the kind of a module.
    pub fn is_kind_of_module(&self, capability: u32) -> bool {
        self.kinds_of_module.contains(&capability)
    }

    /// True if an extension can be judged.
    pub fn is_judged_extension(&self, name: &str) -> bool {
        self.judged_extensions.contains(name)
    }
}

/// True if the requirements of an opcode depend on the types of its operands: the grammar lists the capabilities of all
/// types.
fn decided_by_operands(op: Op) -> bool {
    matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

#[cfg(test)]
mod tests {
    use super::super::set::LIMIT;
    use super::*;

    /// Nothing in the table of rules is misspelt or missing: the reader passes over what it does not understand.
    #[test]
    fn every_rule_is_understood() {
        let table = RequirementTable::get();
        let mut rows = 0;
        for row in csv::rows::<4>(include_str!("../../../spec-extensions/capability-rules.csv")) {
            let [name, capabilities, of, source]: [&str; 4] = row;
            assert!([UNSEEN, KIND].contains(&name) || Use::ALL.iter().any(|(_, own)| *own == name), "{name}");
            for capability in capabilities.split(' ') {
                let extension = capability.starts_with("SPV_");
                assert!(extension || capabilities::number(capability).is_some(), "{capability}");
            }
            assert!(["", "shader", "kernel"].contains(&of), "{of}");
            assert!(!source.is_empty(), "{name}");
            rows += 1;
        }
        assert_eq!(rows, Use::ALL.len() + 2);
        assert!(table.uses.iter().all(Option::is_some));
        assert!(table.requirements.len() <= LIMIT, "{}", table.requirements.len());
        assert!(table.kinds.len() <= Reasons::ENUMERANTS.bits().count_ones() as usize);
    }
}
