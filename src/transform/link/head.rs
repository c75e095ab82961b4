//! The sections before the types: capabilities, the memory model, entry points, names and decorations.

use std::collections::{HashMap, HashSet};

use spirv::{AddressingModel, Capability, Decoration, ExecutionModel, LinkageType, MemoryModel, Op};

use super::Input;
use super::error::{DifferentMemoryModels, LinkError};
use super::globals::work_group_size;
use super::symbols::text;
use super::unit::{LinkUnit, Replacement, new_id};
use crate::loader::{Instruction, Module, Place, Section, grammar, views};
use crate::metadata::property_sets::carried;

/// An entry point of the result: its words with the ids of the result, and the module that it came from.
pub(super) struct LinkedEntryPoint {
    pub unit: usize,
    pub words: Vec<u32>,
    /// The number of the first word of its interface list.
    pub interface: usize,
}

/// A decoration with the linkage of a function or variable.
pub(super) struct Linkage {
    /// The function or variable, by its new id.
    pub target: u32,
    pub is_import: bool,
    /// Its offset in the decorations.
    start: usize,
}

impl LinkedEntryPoint {
    /// The word with the execution model, which the function follows.
    fn at(&self) -> usize {
        if self.words[0] as u16 == Op::EntryPoint as u16 { 1 } else { 2 }
    }

    pub fn model(&self) -> u32 {
        self.words[self.at()]
    }

    pub fn function(&self) -> u32 {
        self.words[self.at() + 1]
    }

    pub fn name(&self) -> String {
        text(&self.words[self.at() + 2..self.interface])
    }
}

/// The sections before the types, as far as they are written.
#[derive(Default)]
pub(super) struct Head {
    pub capabilities: Vec<u32>,
    pub extensions: Vec<u32>,
    pub memory_model: Vec<u32>,
    pub entry_points: Vec<LinkedEntryPoint>,
    pub modes: Vec<u32>,
    pub sources: Vec<u32>,
    pub names: Vec<u32>,
    pub processed: Vec<u32>,
    pub annotations: Vec<u32>,
    /// The decorations with linkage among them.
    pub linkages: Vec<Linkage>,
    /// Instructions that the result has once, and the module that each came from.
    seen: HashMap<Vec<u32>, usize>,
    /// By name and execution model: the index of the entry point.
    by_name: HashMap<Vec<u32>, usize>,
}

/// Checks that modules can be linked: that memory models agree, and the settings of whole modules.
pub(super) fn agree(units: &[LinkUnit]) -> Result<(), LinkError> {
    for pair in units.windows(2) {
        let [first, second] = [&pair[0], &pair[1]].map(|unit| Input { name: unit.name, module: unit.module });
        same_memory_model(first, second)?;
    }
    Ok(())
}

/// Checks that two modules have one memory model.
///
/// # Errors
/// If they do not.
pub fn same_memory_model(first: Input, second: Input) -> Result<(), DifferentMemoryModels> {
    let [first_model, second_model] = [first, second].map(|input| shown_memory_model(input.module));
    match first_model == second_model {
        true => Ok(()),
        false => {
            let (first, second) = (first.name.to_owned(), second.name.to_owned());
            Err(DifferentMemoryModels { first, first_model, second, second_model })
        }
    }
}

/// The memory model of a module, in words.
fn shown_memory_model(module: &Module) -> String {
    let Some(model) = module.memory_model() else { return "no OpMemoryModel".to_string() };
    let (addressing, memory) = (model.addressing_model(), model.memory_model());
    let addressing = AddressingModel::from_u32(addressing)
        .map_or(addressing.to_string(), |addressing| format!("{addressing:?}"));
    let memory = MemoryModel::from_u32(memory).map_or(memory.to_string(), |memory| format!("{memory:?}"));
    format!("OpMemoryModel {addressing} {memory}")
}

/// A constant that sets the work-group size must be that of every module that has a size. Ids must be those of the result.
pub(super) fn agree_on_size(units: &[LinkUnit]) -> Result<(), LinkError> {
    let sizes = units.iter().map(|unit| {
        let id = work_group_size(unit.module)?;
        Some(unit.ids[id as usize])
    });
    let sizes: Vec<Option<u32>> = sizes.collect();
    let Some(first) = sizes.iter().position(Option::is_some) else { return Ok(()) };
    for (unit, size) in units.iter().zip(&sizes) {
        if *size != sizes[first] && unit.module.head().any(|inst| has_size(&inst)) {
            let (first, second) = (units[first].name.to_string(), unit.name.to_string());
            return Err(LinkError::WorkgroupSize { first, second });
        }
    }
    Ok(())
}

fn has_size(inst: &Instruction) -> bool {
    use ExecutionModel::*;
    const SIZED: [ExecutionModel; 6] = [GLCompute, Kernel, TaskNV, MeshNV, TaskEXT, MeshEXT];
    inst.is(Op::EntryPoint)
        && ExecutionModel::from_u32(inst.word(1)).is_some_and(|model| SIZED.contains(&model))
}

/// The highest version, and the module that has it.
pub(super) fn version(units: &[LinkUnit]) -> (u32, usize) {
    let versions = (0..).zip(units).map(|(at, unit)| (unit.module.version_word(), at));
    versions.max_by_key(|&(version, at)| (version, std::cmp::Reverse(at))).unwrap_or_default()
}

impl Head {
    /// None yet, with room for the names and decorations of these modules.
    pub fn new(units: &[LinkUnit]) -> Head {
        let words = units.iter().map(|unit| unit.module.annotations().words().len()).sum();
        Head { names: Vec::with_capacity(words), annotations: Vec::with_capacity(words), ..Head::default() }
    }

    /// Writes the declarations of a module, and the names and decorations of its ids; ids that other instructions name must have their
    /// new ids.
    pub fn add(
        &mut self,
        at: usize,
        unit: &mut LinkUnit,
        next: &mut u32,
        files: &[&str],
    ) -> Result<(), LinkError> {
        let module = unit.module;
        let mut annotations = module.annotations().peekable();
        while let Some(inst) = annotations.next() {
            let Some(op) = inst.op() else { continue };
            match op {
                // The carried requirements of modules are not those of the result.
                _ if files.len() > 1 && carried::is_string(&inst) => {}
                Op::Capability | Op::ConditionalCapabilityINTEL => {
                    self.once(at, unit, &inst, next, |own| &mut own.capabilities)?;
                }
                Op::Extension | Op::ConditionalExtensionINTEL => {
                    self.once(at, unit, &inst, next, |own| &mut own.extensions)?;
                }
                Op::MemoryModel if self.memory_model.is_empty() => {
                    self.memory_model.extend_from_slice(inst.words());
                }
                Op::EntryPoint if unit.silent[inst.word(2) as usize] => {}
                Op::ExecutionMode | Op::ExecutionModeId if unit.silent[inst.word(1) as usize] => {}
                Op::EntryPoint | Op::ConditionalEntryPointINTEL => {
                    self.entry_point(at, unit, &inst, next, files)?;
                }
                Op::ExecutionMode | Op::ExecutionModeId => unit.write(&inst, next, &mut self.modes)?,
                Op::SamplerImageAddressingModeNV => {
                    self.once(at, unit, &inst, next, |own| &mut own.modes)?;
                }
                Op::Source if annotations.peek().is_none_or(|next| !next.is(Op::SourceContinued)) => {
                    self.once(at, unit, &inst, next, |own| &mut own.sources)?;
                }
                Op::SourceExtension => self.once(at, unit, &inst, next, |own| &mut own.sources)?,
                Op::Source | Op::SourceContinued => unit.write(&inst, next, &mut self.sources)?,
                Op::ModuleProcessed => self.once(at, unit, &inst, next, |own| &mut own.processed)?,
                Op::Name | Op::MemberName if !unit.silent[inst.word(1) as usize] => {
                    let new = new_id(&mut unit.ids, next, inst.word(1));
                    let text = unit.texts.get(&inst.offset()).map_or(inst.words_from(2), Vec::as_slice);
                    self.names.extend([first_word(inst.opcode(), 2 + text.len()), new]);
                    self.names.extend_from_slice(text);
                }
                Op::GroupDecorate => self.group(unit, &inst, 1, next),
                Op::GroupMemberDecorate => self.group(unit, &inst, 2, next),
                _ if is_annotation(&inst) => {
                    let target = inst.word(1);
                    let removed =
                        unit.silent[target as usize] || (is_linkage(&inst) && is_bridge(unit, target));
                    if !removed {
                        let start = self.annotations.len();
                        unit.write(&inst, next, &mut self.annotations)?;
                        if is_linkage(&inst) {
                            let is_import = inst.words().last() == Some(&(LinkageType::Import as u32));
                            let target = self.annotations[start + 1];
                            self.linkages.push(Linkage { target, is_import, start });
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes all linkage, and the capability for it.
    pub fn remove_linkage(&mut self) {
        for linkage in self.linkages.drain(..).rev() {
            let count = self.annotations[linkage.start] >> 16;
            self.annotations.drain(linkage.start..linkage.start + count as usize);
        }
        let declared = [first_word(Op::Capability as u16, 2), Capability::Linkage as u32];
        if let Some(at) = self.capabilities.chunks_exact(2).position(|words| words == declared) {
            self.capabilities.drain(2 * at..2 * at + 2);
        }
    }

    /// Adds an instruction that the result has once.
    fn once(
        &mut self,
        at: usize,
        unit: &mut LinkUnit,
        inst: &Instruction,
        next: &mut u32,
        to: impl FnOnce(&mut Head) -> &mut Vec<u32>,
    ) -> Result<(), LinkError> {
        let mut words = Vec::with_capacity(inst.words().len());
        unit.write(inst, next, &mut words)?;
        // Repetitions in one module are kept.
        match self.seen.get(&words) {
            Some(&first) if first != at => {}
            _ => {
                to(self).extend_from_slice(&words);
                self.seen.insert(words, at);
            }
        }
        Ok(())
    }

    fn entry_point(
        &mut self,
        at: usize,
        unit: &mut LinkUnit,
        inst: &Instruction,
        next: &mut u32,
        files: &[&str],
    ) -> Result<(), LinkError> {
        let entry = views::EntryPoint(*inst);
        let mut interface = entry.interface_start();
        let mut words = Vec::with_capacity(inst.words().len());
        unit.write(inst, next, &mut words)?;
        if let Some(text) = unit.texts.get(&inst.offset()) {
            words.splice(3..interface, text.iter().copied());
            interface = 3 + text.len();
            words[0] = first_word(inst.opcode(), words.len());
        }
        if inst.is(Op::EntryPoint) {
            let key = [&words[1..2], &words[3..interface]].concat();
            if let Some(&first) = self.by_name.get(&key) {
                return Err(LinkError::EntryPoint {
                    name: entry.name().into_owned(),
                    model: ExecutionModel::from_u32(entry.execution_model())
                        .map_or(entry.execution_model().to_string(), |model| format!("{model:?}")),
                    first: files[self.entry_points[first].unit].to_string(),
                    second: unit.name.to_string(),
                    difference: unit.differences.get(&entry.function()).cloned().unwrap_or_default(),
                });
            }
            self.by_name.insert(key, self.entry_points.len());
        }
        // Two variables of a module may have been merged.
        let mut listed: HashSet<u32> = HashSet::new();
        let before = words.len();
        let mut rest = words.split_off(interface);
        rest.iter_mut().for_each(|id| *id = *unit.casts.get(id).unwrap_or(id));
        rest.retain(|&variable| listed.insert(variable));
        words.extend(rest);
        if words.len() < before {
            words[0] = first_word(inst.opcode(), words.len());
        }
        self.entry_points.push(LinkedEntryPoint { unit: at, words, interface });
        Ok(())
    }

    /// Adds the application of a decoration group, to the targets that still have decorations of their own.
    fn group(&mut self, unit: &mut LinkUnit, inst: &Instruction, step: usize, next: &mut u32) {
        let words = &mut self.annotations;
        let start = words.len();
        words.extend([0, new_id(&mut unit.ids, next, inst.word(1))]);
        for target in inst.words_from(2).chunks(step) {
            if !unit.silent[target[0] as usize] {
                words.push(new_id(&mut unit.ids, next, target[0]));
                words.extend_from_slice(&target[1..]);
            }
        }
        words[start] = first_word(inst.opcode(), words.len() - start);
    }
}

fn first_word(opcode: u16, words: usize) -> u32 {
    (words as u32) << 16 | u32::from(opcode)
}

fn is_annotation(inst: &Instruction) -> bool {
    let place = grammar::layout(inst.opcode()).map(|layout| layout.place);
    place == Some(Place::Section(Section::Annotations))
}

pub(super) fn is_linkage(inst: &Instruction) -> bool {
    inst.is(Op::Decorate) && inst.word(2) == Decoration::LinkageAttributes as u32
}

pub(super) fn is_bridge(unit: &LinkUnit, id: u32) -> bool {
    matches!(unit.replacements.get(&id), Some(Replacement::Bridge(_)))
}
