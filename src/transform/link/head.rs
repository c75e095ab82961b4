//! The sections before the types: capabilities, the memory model, entry points, names and decorations.

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Decoration, ExecutionModel, LinkageType, Op};

use super::error::LinkError;
use super::globals::work_group_size;
use super::unit::{LinkUnit, Replacement, new_id};
use crate::loader::{Instruction, LogicalPlace, Section, grammar, views};
use crate::metadata::property_sets::carried;
use crate::transform::definitions::{DistinctInstructions, ResultEntryPoint, Sections};

/// Entry point of the result, and the module that it came from.
pub(super) struct LinkedEntryPoint {
    pub unit: usize,
    pub entry: ResultEntryPoint,
}

/// A decoration with the linkage of a function or variable.
pub(super) struct LinkageDecoration {
    /// The function or variable, by its new id.
    pub target: u32,
    pub is_import: bool,
    /// Offset of the decoration in the decorations.
    start: usize,
}

/// The sections before the types, as far as they are written.
#[derive(Default)]
pub(super) struct Head {
    pub sections: Sections,
    pub entry_points: Vec<LinkedEntryPoint>,
    /// The decorations with linkage.
    pub linkages: Vec<LinkageDecoration>,
    /// Instructions that the result has once.
    distinct: DistinctInstructions,
    /// Index of the entry point for each name and execution model.
    by_name: HashMap<Vec<u32>, usize>,
}

/// Checks that every module with a work-group size sets it by the same constant. Ids must be those of the result.
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

impl Head {
    /// Begins with sections that have no names and decorations yet, and reserves memory for those of these modules.
    pub fn new(units: &[LinkUnit], mut sections: Sections) -> Head {
        let words = units.iter().map(|unit| unit.module.annotations().words().len()).sum();
        sections.names.reserve(words);
        sections.annotations.reserve(words);
        Head { sections, ..Head::default() }
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
        self.distinct.begin_module();
        let mut annotations = module.annotations().peekable();
        while let Some(inst) = annotations.next() {
            let Some(op) = inst.op() else { continue };
            match op {
                // The carried requirements of modules are not those of the result.
                _ if files.len() > 1 && carried::is_string(&inst) => {}
                Op::MemoryModel if self.sections.memory_model.is_empty() => {
                    self.sections.memory_model.extend_from_slice(inst.words());
                }
                Op::EntryPoint if unit.silent[inst.word(2) as usize] => {}
                Op::ExecutionMode | Op::ExecutionModeId if unit.silent[inst.word(1) as usize] => {}
                Op::EntryPoint => self.entry_point(at, unit, &inst, next, files)?,
                Op::ExecutionMode | Op::ExecutionModeId => {
                    unit.write(&inst, next, &mut self.sections.modes)?;
                }
                Op::Capability
                | Op::Extension
                | Op::SamplerImageAddressingModeNV
                | Op::Source
                | Op::SourceExtension
                | Op::ModuleProcessed => {
                    let mut words = Vec::with_capacity(inst.words().len());
                    unit.write(&inst, next, &mut words)?;
                    while let Some(continued) = annotations.next_if(|next| next.is(Op::SourceContinued)) {
                        words.extend_from_slice(continued.words());
                    }
                    self.add_distinct(op, &words);
                }
                Op::Name | Op::MemberName if !unit.silent[inst.word(1) as usize] => {
                    let new = new_id(&mut unit.ids, next, inst.word(1));
                    let text = unit.texts.get(&inst.offset()).map_or(inst.words_from(2), Vec::as_slice);
                    self.sections.names.extend([first_word(inst.opcode(), 2 + text.len()), new]);
                    self.sections.names.extend_from_slice(text);
                }
                Op::GroupDecorate => self.group(unit, &inst, 1, next),
                Op::GroupMemberDecorate => self.group(unit, &inst, 2, next),
                _ if is_annotation(&inst) => {
                    let target = inst.word(1);
                    let removed =
                        unit.silent[target as usize] || (is_linkage(&inst) && is_bridge(unit, target));
                    if !removed {
                        let start = self.sections.annotations.len();
                        unit.write(&inst, next, &mut self.sections.annotations)?;
                        if is_linkage(&inst) {
                            let is_import = inst.words().last() == Some(&(LinkageType::Import as u32));
                            let target = self.sections.annotations[start + 1];
                            self.linkages.push(LinkageDecoration { target, is_import, start });
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
            let count = self.sections.annotations[linkage.start] >> 16;
            self.sections.annotations.drain(linkage.start..linkage.start + count as usize);
        }
        let declared = [first_word(Op::Capability as u16, 2), Capability::Linkage as u32];
        if let Some(at) = self.sections.capabilities.chunks_exact(2).position(|words| words == declared) {
            self.sections.capabilities.drain(2 * at..2 * at + 2);
        }
    }

    /// Adds an instruction with the ids of the result, unless the result has it already.
    fn add_distinct(&mut self, op: Op, words: &[u32]) {
        if let (_, true) = self.distinct.add(words) {
            let section = match op {
                Op::Capability => &mut self.sections.capabilities,
                Op::Extension => &mut self.sections.extensions,
                Op::ModuleProcessed => &mut self.sections.processed,
                Op::SamplerImageAddressingModeNV => &mut self.sections.modes,
                _ => &mut self.sections.sources,
            };
            section.extend_from_slice(words);
        }
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
        let start = entry.interface_start();
        let mut words = Vec::with_capacity(inst.words().len());
        unit.write(inst, next, &mut words)?;
        let name = unit.texts.get(&inst.offset()).map_or(&words[3..start], Vec::as_slice).to_vec();
        let key = [&words[1..2], &name].concat();
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
        // Two variables of a module may have been merged.
        let mut listed: HashSet<u32> = HashSet::new();
        let mut interface = words.split_off(start);
        interface.iter_mut().for_each(|id| *id = *unit.casts.get(id).unwrap_or(id));
        interface.retain(|&variable| listed.insert(variable));
        let entry = ResultEntryPoint { model: words[1], name, function: words[2], interface };
        self.entry_points.push(LinkedEntryPoint { unit: at, entry });
        Ok(())
    }

    /// Adds the application of a decoration group, to the targets that still have decorations of their own.
    fn group(&mut self, unit: &mut LinkUnit, inst: &Instruction, step: usize, next: &mut u32) {
        let words = &mut self.sections.annotations;
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
    place == Some(LogicalPlace::Section(Section::Annotations))
}

pub(super) fn is_linkage(inst: &Instruction) -> bool {
    inst.is(Op::Decorate) && inst.word(2) == Decoration::LinkageAttributes as u32
}

pub(super) fn is_bridge(unit: &LinkUnit, id: u32) -> bool {
    matches!(unit.replacements.get(&id), Some(Replacement::Bridge(_)))
}
