//! Generator of the table of requirements, from the grammar, `spec-extensions/capability-rules.csv`, `extensions.csv`, `vulkan-uses.csv` and
//! the table of aspects (`src/device`). A test writes `generated.rs`, so that no process reads them again.

#![allow(clippy::unwrap_used, reason = "only the package `generate` and tests run it")]

mod looks;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write};

use rspirv::grammar::{OperandKind, ext_inst_table};
use spirv::Op;

use super::look::{OperandRules, Reasons};
use super::table::{ModuleKind, Requirements};
use super::uses::Use;
use super::{RequirementId, RequirementSet};
use crate::device::api::uses;
use crate::device::{aspects, capabilities};
use crate::loader::grammar;
use crate::text::csv;

/// The extended instruction sets whose instructions may have requirements.
const SETS: [&str; 2] = ["GLSL.std.450", "OpenCL.std"];

/// The rule of capabilities that change other rules without an instruction that shows it.
const UNSEEN: &str = "changes rules unseen";

/// The rule of capabilities that are the kind of a module.
const KIND: &str = "kind of module";

/// A requirement, as the table has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RequirementRow {
    Capabilities(Vec<u32>),
    Extensions(Vec<&'static str>),
    Aspect(u32),
    Feature(&'static str),
}

/// The table under construction.
#[derive(Default)]
struct RequirementRows {
    requirements: Vec<RequirementRow>,
    opcodes: Vec<Requirements>,
    looks: Vec<OperandRules>,
    enumerants: Vec<(OperandKind, Vec<(u32, Requirements)>)>,
    uses: Vec<Option<(RequirementId, ModuleKind)>>,
    extended: Vec<(&'static str, Vec<Requirements>)>,
    imports: Vec<(&'static str, RequirementId)>,
    judged: BTreeSet<u32>,
    /// The capabilities that change other rules without an instruction that shows it.
    unseen: Vec<u32>,
    kinds_of_module: Vec<u32>,
    judged_extensions: BTreeSet<&'static str>,
    kinds: Vec<(OperandKind, RequirementSet)>,
    ids: BTreeMap<RequirementRow, RequirementId>,
}

impl RequirementRows {
    fn read() -> RequirementRows {
        let mut table = RequirementRows { uses: vec![None; Use::ALL.len()], ..RequirementRows::default() };
        for inst in grammar::entries() {
            let required = match inst.op().is_some_and(decided_by_operands) {
                true => Requirements::none(),
                false => table.intern_all(inst.capabilities(), &inst.extensions()),
            };
            table.opcodes.push(required);
        }
        table.read_kinds();
        for set in SETS {
            table.read_set(set);
        }
        table.read_uses();
        let extensions = csv::rows::<5>(include_str!("../../../../spec-extensions/extensions.csv"));
        for [name, _core, prefix, ..] in extensions.filter(|[_, _, prefix, ..]| !prefix.is_empty()) {
            let id = table.intern(RequirementRow::Extensions(vec![name]));
            table.imports.push((prefix, id));
        }
        for requirement in &table.requirements {
            match requirement {
                RequirementRow::Capabilities(any) => table.judged.extend(any),
                RequirementRow::Extensions(any) => table.judged_extensions.extend(any),
                RequirementRow::Aspect(_) | RequirementRow::Feature(_) => {}
            }
        }
        for capability in &table.unseen {
            table.judged.remove(capability);
        }
        table.read_looks();
        for number in aspects::names().filter_map(aspects::number) {
            table.intern(RequirementRow::Aspect(number));
        }
        for known in uses() {
            table.intern(RequirementRow::Feature(known.use_));
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
        for operand in grammar::entries().flat_map(|inst| inst.operands()) {
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
        let by_kind: Vec<(OperandKind, RequirementSet)> = self
            .enumerants
            .iter()
            .map(|(kind, enumerants)| {
                (*kind, enumerants.iter().flat_map(|(_, required)| required.iter()).copied().collect())
            })
            .collect();
        for &(kind, _) in &by_kind {
            let all_kinds = grammar::all_kinds(kind);
            let mut all = RequirementSet::EMPTY;
            for (_, required) in by_kind.iter().filter(|(kind, _)| all_kinds.contains(kind)) {
                all.extend(required);
            }
            if !all.is_empty() {
                self.kinds.push((kind, all));
            }
        }
        for (inst, required) in grammar::entries().zip(&self.opcodes) {
            let mut look = looks::look_of(inst);
            look.reasons.set(Reasons::OPCODE, !required.is_empty());
            let kinds = inst.operands().iter().map(|operand| operand.kind);
            for kind in kinds.filter(|&kind| grammar::is_enumerated(kind)) {
                let number = self.kinds.iter().position(|(other, _)| *other == kind);
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
                by_number.resize(number + 1, Requirements::none());
            }
            by_number[number] = {
                let capabilities = inst.capabilities.iter().map(|&capability| capability as u32);
                self.intern_all(capabilities.collect(), inst.extensions)
            };
        }
        self.extended.push((name, by_number));
    }

    fn read_uses(&mut self) {
        let rows = csv::rows::<4>(include_str!("../../../../spec-extensions/capability-rules.csv"));
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
                true => RequirementRow::Extensions(any.split(' ').collect()),
                false => RequirementRow::Capabilities(capabilities),
            };
            let of = match of {
                "shader" => ModuleKind::Shader,
                "kernel" => ModuleKind::Kernel,
                _ => ModuleKind::Any,
            };
            if let Some((use_, _)) = Use::ALL.iter().find(|(_, use_name)| *use_name == name) {
                let id = self.intern(requirement);
                self.uses[*use_ as usize] = Some((id, of));
            }
        }
    }

    fn intern_all(&mut self, capabilities: Vec<u32>, extensions: &[&'static str]) -> Requirements {
        let capabilities =
            (!capabilities.is_empty()).then(|| self.intern(RequirementRow::Capabilities(capabilities)));
        let extensions =
            (!extensions.is_empty()).then(|| self.intern(RequirementRow::Extensions(extensions.to_vec())));
        match (capabilities, extensions) {
            (Some(first), Some(second)) => Requirements::both(first.0, second.0),
            (Some(one), None) | (None, Some(one)) => Requirements::one(one.0),
            (None, None) => Requirements::none(),
        }
    }

    fn intern(&mut self, mut requirement: RequirementRow) -> RequirementId {
        match &mut requirement {
            RequirementRow::Capabilities(any) => {
                any.sort_unstable();
                any.dedup();
            }
            RequirementRow::Extensions(any) => {
                any.sort_unstable();
                any.dedup();
            }
            RequirementRow::Aspect(_) | RequirementRow::Feature(_) => {}
        }
        let next = RequirementId(self.requirements.len() as u16);
        *self.ids.entry(requirement).or_insert_with_key(|requirement| {
            self.requirements.push(requirement.clone());
            next
        })
    }
}

/// Returns true if the requirements of an opcode depend on the types of its operands: the grammar lists the capabilities of all
/// types.
fn decided_by_operands(op: Op) -> bool {
    matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

/// Returns a list in Rust, an item on a line.
fn list<T>(items: impl IntoIterator<Item = T>, write: impl Fn(T) -> String) -> String {
    let items = items.into_iter().map(|item| format!("        {},\n", write(item)));
    format!("&[\n{}    ]", items.collect::<String>())
}

fn source_of_requirements(required: &Requirements) -> String {
    match **required {
        [] => "NONE".to_owned(),
        [one] => format!("one({})", one.0),
        [first, second] => format!("both({}, {})", first.0, second.0),
        _ => unreachable!("there are at most two"),
    }
}

fn source_of_look(look: &OperandRules) -> String {
    let OperandRules { reasons, scopes, semantics, values, memory_access } = look;
    let (scopes, semantics) = (scopes.0, semantics.0);
    format!(
        "look({:#x}, {scopes:#x}, {semantics:#x}, ComputedOperands::{values:?}, {memory_access})",
        reasons.bits()
    )
}

impl RequirementRows {
    /// Returns the text of `generated.rs`.
    fn text(&self) -> String {
        let mut text = String::from(
            "//! The table of requirements: `cargo run -p generate` writes this file.\n\n\
             use rspirv::grammar::OperandKind::*;\n\n\
             use super::Requirement::{Aspect, Capabilities, Extensions, Feature};\n\
             use super::look::{OperandRules, Reasons, WordSet};\n\
             use super::table::{ModuleKind, RequirementTable, Requirements};\n\
             use super::values::ComputedOperands;\n\
             use super::{RequirementId, RequirementSet};\n\n\
             const NONE: Requirements = Requirements::none();\n\n\
             const fn one(number: u16) -> Requirements {\n    Requirements::one(number)\n}\n\n\
             const fn both(first: u16, second: u16) -> Requirements {\n    Requirements::both(first, second)\n}\n\n\
             const fn look(reasons: u64, scopes: u32, semantics: u32, values: ComputedOperands, memory_access: u8) -> OperandRules {\n    \
             let (scopes, semantics) = (WordSet(scopes), WordSet(semantics));\n    \
             OperandRules { reasons: Reasons::from_bits_retain(reasons), scopes, semantics, values, memory_access }\n}\n\n\
             /// The table.\npub(super) static TABLE: RequirementTable = RequirementTable {\n",
        );
        let mut field = |name: &str, value: String| writeln!(text, "    {name}: {value},").unwrap();
        let slice = |row: &RequirementRow| match row {
            RequirementRow::Capabilities(any) => format!("Capabilities(&{any:?})"),
            RequirementRow::Extensions(any) => format!("Extensions(&{any:?})"),
            RequirementRow::Aspect(number) => format!("Aspect({number})"),
            RequirementRow::Feature(use_) => format!("Feature({use_:?})"),
        };
        field("requirements", list(&self.requirements, slice));
        field("opcodes", list(&self.opcodes, source_of_requirements));
        field("looks", list(&self.looks, source_of_look));
        let of_kind = |(kind, enumerants): &(OperandKind, Vec<(u32, Requirements)>)| {
            let enumerants = list(enumerants, |(value, required)| {
                format!("({value}, {})", source_of_requirements(required))
            });
            format!("({kind:?}, {enumerants})")
        };
        field("enumerants", list(&self.enumerants, of_kind));
        let id = |id: &RequirementId| format!("RequirementId({})", id.0);
        let of_use = |required: &Option<(RequirementId, ModuleKind)>| match required {
            Some((required, of)) => format!("Some(({}, ModuleKind::{of:?}))", id(required)),
            None => "None".to_owned(),
        };
        field("uses", list(&self.uses, of_use));
        let of_set = |(name, by_number): &(&str, Vec<Requirements>)| {
            format!("({name:?}, {})", list(by_number, source_of_requirements))
        };
        field("extended", list(&self.extended, of_set));
        field("imports", list(&self.imports, |(prefix, required)| format!("({prefix:?}, {})", id(required))));
        field("judged", list(&self.judged, shown));
        field("kinds_of_module", list(&self.kinds_of_module, shown));
        field("judged_extensions", list(&self.judged_extensions, shown));
        let of_kind =
            |(kind, set): &(OperandKind, RequirementSet)| format!("({kind:?}, RequirementSet({:?}))", set.0);
        field("kinds", list(&self.kinds, of_kind));
        let (mut by_capability, mut by_extension, mut by_feature) = (Vec::new(), Vec::new(), Vec::new());
        for (number, requirement) in self.requirements.iter().enumerate() {
            match requirement {
                RequirementRow::Capabilities(any) => {
                    by_capability.extend(any.iter().map(|&one| (one, number)))
                }
                RequirementRow::Extensions(any) => by_extension.extend(any.iter().map(|&one| (one, number))),
                RequirementRow::Feature(use_) => by_feature.push((*use_, number)),
                RequirementRow::Aspect(_) => {}
            }
        }
        by_capability.sort_unstable();
        by_extension.sort_unstable();
        by_feature.sort_unstable();
        let by_number = |(one, id): (u32, usize)| format!("({one}, RequirementId({id}))");
        let by_name = |(one, id): (&str, usize)| format!("({one:?}, RequirementId({id}))");
        field("by_capability", list(by_capability, by_number));
        field("by_extension", list(by_extension, by_name));
        field("by_feature", list(by_feature, by_name));
        text + "};\n"
    }
}

fn shown<T: Debug>(item: T) -> String {
    format!("{item:?}")
}

/// Returns the text of `generated.rs`.
pub fn text() -> String {
    RequirementRows::read().text()
}

/// Checks that nothing in the table of rules is misspelt or missing, since the reader ignores unknown text.
#[test]
fn every_rule_is_understood() {
    use super::set::LIMIT;
    use super::table::RequirementTable;
    let table = RequirementTable::get();
    let mut rows = 0;
    for row in csv::rows::<4>(include_str!("../../../../spec-extensions/capability-rules.csv")) {
        let [name, capabilities, of, source]: [&str; 4] = row;
        assert!(
            [UNSEEN, KIND].contains(&name) || Use::ALL.iter().any(|(_, use_name)| *use_name == name),
            "{name}"
        );
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
