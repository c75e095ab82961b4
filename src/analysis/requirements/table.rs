//! The table of requirements: of opcodes, enumerants and extended instructions from the grammar, and of uses from
//! `spec-extensions/capability-rules.csv`. Equal requirements are one. A test writes it (`generate`).

use std::cmp::Ordering;
use std::ops::Deref;

use rspirv::grammar::OperandKind;

use super::generated::TABLE;
use super::look::{OperandRules, Reasons};
use super::uses::Use;
use super::{Requirement, RequirementId, RequirementSet};
use crate::loader::grammar;

/// The requirements of one instruction, enumerant or use, all of them: at most one on capabilities and one on extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    ids: [RequirementId; 2],
    count: u8,
}

impl Requirements {
    /// Returns no requirements.
    pub const fn none() -> Requirements {
        Requirements { ids: [RequirementId(0); 2], count: 0 }
    }

    /// Returns the requirement with this number.
    pub const fn one(number: u16) -> Requirements {
        Requirements { ids: [RequirementId(number); 2], count: 1 }
    }

    /// Returns the requirements with these numbers.
    pub const fn both(first: u16, second: u16) -> Requirements {
        Requirements { ids: [RequirementId(first), RequirementId(second)], count: 2 }
    }
}

impl Deref for Requirements {
    type Target = [RequirementId];

    #[inline]
    fn deref(&self) -> &[RequirementId] {
        &self.ids[..usize::from(self.count)]
    }
}

/// The modules in which a use has its requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleKind {
    /// Any.
    Any,
    /// Modules that declare Shader.
    Shader,
    /// Modules that declare Kernel.
    Kernel,
}

/// All requirements, and the opcodes, enumerants and uses that have them.
pub struct RequirementTable {
    /// All requirements, by id.
    pub requirements: &'static [Requirement],
    /// The requirements of each opcode, by its number ([`grammar::number`]).
    pub(super) opcodes: &'static [Requirements],
    /// The reasons to look at an instruction, by number of the opcode.
    pub(super) looks: &'static [OperandRules],
    /// The requirements of each enumerant, by ascending value, for each kind; enumerants without any are included.
    pub(super) enumerants: &'static [(OperandKind, &'static [(u32, Requirements)])],
    /// The requirement of each use.
    pub(super) uses: &'static [Option<(RequirementId, ModuleKind)>],
    /// The requirements of extended instructions, by set and number.
    pub(super) extended: &'static [(&'static str, &'static [Requirements])],
    /// The requirements of the imports of extended instruction sets, by the prefix of their names.
    pub(super) imports: &'static [(&'static str, RequirementId)],
    /// The capabilities that can be judged, in ascending order.
    pub(super) judged: &'static [u32],
    /// The capabilities that are the kind of a module.
    pub(super) kinds_of_module: &'static [u32],
    /// The extensions that can be judged, in alphabetical order.
    pub(super) judged_extensions: &'static [&'static str],
    /// The requirements of all enumerants in operands of one kind, for the kinds that have any; numbered as in the reasons
    /// to look at an opcode.
    pub(super) kinds: &'static [(OperandKind, RequirementSet)],
    /// The requirements that each capability alone meets, by number.
    pub(super) by_capability: &'static [(u32, RequirementId)],
    /// The requirements that an extension meets, by name.
    pub(super) by_extension: &'static [(&'static str, RequirementId)],
    /// The requirements of uses of Vulkan features, by use.
    pub(super) by_feature: &'static [(&'static str, RequirementId)],
}

/// Returns the requirements whose keys compare as equal, among pairs in ascending order.
fn with_key<K: Ord + Copy>(
    pairs: &'static [(K, RequirementId)],
    compare: impl Fn(K) -> Ordering,
) -> impl Iterator<Item = RequirementId> {
    let first = pairs.partition_point(|&(key, _)| compare(key).is_lt());
    pairs[first..].iter().take_while(move |&&(key, _)| compare(key).is_eq()).map(|&(_, id)| id)
}

impl RequirementTable {
    /// Returns the table.
    pub fn get() -> &'static RequirementTable {
        &TABLE
    }

    /// Returns the requirement of an aspect, if it is a known one.
    pub fn aspect(&self, number: u32) -> Option<RequirementId> {
        let at =
            self.requirements.iter().rposition(|requirement| *requirement == Requirement::Aspect(number))?;
        Some(RequirementId(at as u16))
    }

    /// Returns the requirements that a capability alone meets.
    pub fn met_by_capability(&self, capability: u32) -> impl Iterator<Item = RequirementId> {
        with_key(self.by_capability, move |key| key.cmp(&capability))
    }

    /// Returns the requirements that an extension meets.
    pub fn met_by_extension(&self, name: &str) -> impl Iterator<Item = RequirementId> {
        with_key(self.by_extension, move |key| key.cmp(name))
    }

    /// Returns the requirement of a use of Vulkan features.
    pub fn feature(&self, use_: &str) -> Option<RequirementId> {
        with_key(self.by_feature, |key| key.cmp(use_)).next()
    }

    /// Returns the requirements of an opcode with any operands.
    #[inline]
    pub fn opcode(&self, opcode: u16) -> &[RequirementId] {
        self.opcodes.get(grammar::number(opcode)).map_or(&[], |required| required)
    }

    /// Returns the requirements of an enumerant; `None` for an enumerant that the grammar does not have, of a kind that is an
    /// enumeration.
    #[inline]
    pub fn enumerant(&self, kind: OperandKind, value: u32) -> Option<&[RequirementId]> {
        let Some((_, known)) = self.enumerants.iter().find(|(other, _)| *other == kind) else {
            return Some(&[]);
        };
        grammar::find(known, value).map(|required| &required[..])
    }

    /// Returns the parts to look at for an opcode; `None` for one that the grammar does not have.
    #[inline]
    pub fn look(&self, opcode: u16) -> Option<&OperandRules> {
        self.looks.get(grammar::number(opcode))
    }

    /// Returns the reasons to examine enumerants in order to find these requirements.
    pub fn reasons(&self, relevant: &RequirementSet) -> Reasons {
        let matter = self.kinds.iter().enumerate().filter(|(_, (_, required))| required.intersects(relevant));
        matter.map(|(number, _)| Reasons::of_kind(number)).fold(Reasons::empty(), Reasons::union)
    }

    /// Returns the requirement of a use, and in which modules it has it.
    pub fn use_(&self, use_: Use) -> Option<(RequirementId, ModuleKind)> {
        self.uses[use_ as usize]
    }

    /// Returns the requirements of the instructions of an extended instruction set, by number; empty for a set without any.
    pub fn extended(&self, set: &str) -> &[Requirements] {
        self.extended.iter().find(|(name, _)| *name == set).map_or(&[], |(_, required)| required)
    }

    /// Returns the requirement of the import of an extended instruction set.
    pub fn import(&self, set: &str) -> Option<RequirementId> {
        self.imports.iter().find(|(prefix, _)| set.starts_with(prefix)).map(|&(_, id)| id)
    }

    /// Returns true if a capability can be judged: instructions are known to require it.
    pub fn is_judged(&self, capability: u32) -> bool {
        self.judged.binary_search(&capability).is_ok()
    }

    /// Returns true if a capability is the kind of a module.
    pub fn is_kind_of_module(&self, capability: u32) -> bool {
        self.kinds_of_module.contains(&capability)
    }

    /// Returns true if an extension can be judged.
    pub fn is_judged_extension(&self, name: &str) -> bool {
        self.judged_extensions.binary_search(&name).is_ok()
    }
}
