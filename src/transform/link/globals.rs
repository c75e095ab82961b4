//! Types, constants and variables: equal ones of two modules are merged.

use std::collections::HashSet;

use spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::Rules;
use super::error::LinkError;
use super::keys::{DefinitionKeys, Interned};
use super::structural_equality::Classes;
use super::unit::{LinkUnit, Replacement, fresh, new_id, place};
use crate::analysis::{Names, is_debug};
use crate::collections::IdMap;
use crate::loader::grammar::layout;
use crate::loader::{Instruction, Instructions, LogicalPlace, Module, Section, views};
use crate::transform::definitions::{Descriptions, Sections};

/// The globals of the result, as far as they are written.
pub(super) struct Globals {
    rules: Rules,
    /// The sections that have them: imports, strings, aliases and globals.
    pub sections: Sections,
    /// The definitions by key: the id, and the module that it came from.
    known: Interned<(u32, u32)>,
    keys: DefinitionKeys,
    /// True for each new id that is a function or variable, or computed from the address of one.
    carries: Vec<bool>,
    /// Constants computed from addresses, each with the function or variable, by new ids.
    pub made_of: Vec<(u32, u32)>,
    carried: Vec<u32>,
    /// Variables that replace others and are not written yet, by new ids.
    awaited: HashSet<u32>,
    /// The debug instructions that a program has once, by number: the module that they came from, and the new id.
    distinct_debug: IdMap<(u32, u32)>,
    /// The OpLine or OpNoLine before the next instruction.
    line: Vec<u32>,
    /// True if an OpLine is in effect at the end of the words.
    in_line: bool,
    key: Vec<u32>,
}

/// Returns the instructions before the first function and its OpLines.
pub(super) fn before_functions<'m>(module: &'m Module<'m>) -> Instructions<'m> {
    let end = module.definitions_end();
    let start = module.globals().next().map_or(end, |inst| inst.offset());
    module.range(start, end)
}

impl Globals {
    /// Creates an empty list.
    pub fn new(rules: Rules) -> Globals {
        Globals {
            rules,
            sections: Sections::default(),
            known: Interned::default(),
            keys: DefinitionKeys::default(),
            carries: Vec::new(),
            made_of: Vec::new(),
            carried: Vec::new(),
            awaited: HashSet::new(),
            distinct_debug: IdMap::new(),
            line: Vec::new(),
            in_line: false,
            key: Vec::new(),
        }
    }

    /// Returns true if an id of the result is a function or variable, or computed from the address of one.
    #[inline]
    pub fn carries(&self, new: u32) -> bool {
        self.carries.get(new as usize).copied().unwrap_or(false)
    }

    fn set_carries(&mut self, new: u32) {
        let at = new as usize;
        if self.carries.len() <= at {
            self.carries.resize(at + 1, false);
        }
        self.carries[at] = true;
    }

    /// Assigns ids in the result to functions, and to variables that replace others: they may be named before they are written.
    pub fn assign_ids(&mut self, units: &mut [LinkUnit], next: &mut u32) {
        let (mut same, mut cast) = (Vec::new(), Vec::new());
        for (at, unit) in (0..).zip(units.iter_mut()) {
            for function in unit.module.functions() {
                if !matches!(unit.replacements.get(&function.id), Some(Replacement::Same(_))) {
                    self.set_carries(new_id(&mut unit.ids, next, function.id));
                }
            }
            for (&id, &replacement) in &unit.replacements {
                match replacement {
                    Replacement::Same(other) => same.push(((at, id), other)),
                    Replacement::Cast(other) => cast.push(((at, id), other)),
                    Replacement::Bridge(_) => {}
                }
            }
        }
        for ((at, id), other) in same {
            let unit = &mut units[other.0 as usize];
            let new = new_id(&mut unit.ids, next, other.1);
            self.set_carries(new);
            if !unit.module.is_function(other.1) {
                self.awaited.insert(new);
            }
            units[at as usize].ids[id as usize] = new;
        }
        for ((at, id), other) in cast {
            let unit = &mut units[other.0 as usize];
            let variable = new_id(&mut unit.ids, next, other.1);
            self.set_carries(variable);
            self.awaited.insert(variable);
            let unit = &mut units[at as usize];
            let new = new_id(&mut unit.ids, next, id);
            self.set_carries(new);
            unit.casts.insert(new, variable);
        }
    }

    /// Writes the globals of a module.
    pub fn add(
        &mut self,
        at: u32,
        unit: &mut LinkUnit,
        described: &Descriptions,
        classes: &mut Classes,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = unit.module;
        for inst in module.annotations() {
            if inst.is(Op::ExtInstImport) || inst.is(Op::String) {
                self.add_text(at, unit, &inst, next);
            }
        }
        // An OpLine of the module before does not apply to this one.
        self.line.clear();
        if self.in_line {
            self.line.push(1 << 16 | Op::NoLine as u32);
        }
        // Definitions are added with the instructions that continue them.
        for inst in before_functions(module).filter(|inst| !inst.is_continuation()) {
            match layout(inst.opcode()).map(|layout| layout.place) {
                Some(LogicalPlace::Section(Section::Types) | LogicalPlace::Types) => {
                    self.add_definition(at, unit, described, classes, next, &inst)?;
                }
                Some(LogicalPlace::Section(_)) => {}
                Some(LogicalPlace::Begin | LogicalPlace::End | LogicalPlace::Body) => {
                    return Err(unit.outside(&inst));
                }
                Some(LogicalPlace::Anywhere | LogicalPlace::Unknown) | None => {
                    self.add_other(at, unit, next, &inst)?
                }
            }
        }
        Ok(())
    }

    /// Adds an OpString or OpExtInstImport.
    fn add_text(&mut self, at: u32, unit: &mut LinkUnit, inst: &Instruction, next: &mut u32) {
        self.key.clear();
        self.key.push(inst.words()[0]);
        self.key.extend_from_slice(inst.words_from(2));
        let new_id = &mut unit.ids[inst.word(1) as usize];
        let candidate = if *new_id == 0 { *next } else { *new_id };
        if let Ok((known, of)) = self.known.get_or_insert(&self.key, (candidate, at))
            && of != at
            && *new_id == 0
        {
            unit.silent[inst.word(1) as usize] = true;
            *new_id = known;
            return;
        }
        if *new_id == 0 {
            *new_id = fresh(next);
        }
        let Sections { strings, imports, .. } = &mut self.sections;
        let words = if inst.is(Op::String) { strings } else { imports };
        words.extend([inst.words()[0], *new_id]);
        words.extend_from_slice(inst.words_from(2));
    }

    /// Adds an instruction that neither defines a type, constant or variable nor belongs to another section.
    fn add_other(
        &mut self,
        at: u32,
        unit: &mut LinkUnit,
        next: &mut u32,
        inst: &Instruction,
    ) -> Result<(), LinkError> {
        match inst.op() {
            Some(Op::ExtInst) if is_once_per_program(unit.module, inst) => {
                let new = new_id(&mut unit.ids, next, inst.word(2));
                let (first, known) = *self.distinct_debug.entry(inst.word(4)).or_insert((at, new));
                if first != at {
                    merge(unit, inst.word(2), known);
                    return Ok(());
                }
                self.put_line();
                unit.write(inst, next, &mut self.sections.globals)
            }
            _ if inst.is_line() => {
                self.line.clear();
                unit.write(inst, next, &mut self.line)
            }
            _ if inst.is_alias_declaration() => unit.write(inst, next, &mut self.sections.aliases),
            _ => {
                self.put_line();
                unit.write(inst, next, &mut self.sections.globals)
            }
        }
    }

    fn put_line(&mut self) {
        if let Some(&first) = self.line.first() {
            self.in_line = first as u16 == Op::Line as u16;
            self.sections.globals.append(&mut self.line);
        }
    }

    fn add_definition(
        &mut self,
        at: u32,
        unit: &mut LinkUnit,
        described: &Descriptions,
        classes: &mut Classes,
        next: &mut u32,
        inst: &Instruction,
    ) -> Result<(), LinkError> {
        let id = inst.result_id();
        let defined = id.unwrap_or_else(|| inst.word(1));
        if matches!(unit.replacements.get(&defined), Some(Replacement::Same(_))) {
            return Ok(());
        }
        if matches!(unit.replacements.get(&defined), Some(Replacement::Cast(_))) {
            return self.cast(unit, inst);
        }
        let named = unit.ids[defined as usize];
        if !classes.is_empty() {
            // A type that is named before its definition, by OpTypeForwardPointer, was set there.
            let known = if named == 0 { classes.id((at, defined)) } else { None };
            if let Some(known) = known {
                merge(unit, defined, known);
                return Ok(());
            }
        }
        if id.is_some() && named != 0 && unit.silent[defined as usize] {
            // So was one that equals an earlier definition.
            return Ok(());
        }
        let start = self.sections.globals.len();
        let result = id.map(|_| if inst.typed_result().is_some() { 2 } else { 1 });
        self.carried.clear();
        let Globals { sections: Sections { globals: words, .. }, carries, carried, awaited, .. } = self;
        let mut early = None;
        for part in unit.module.with_continuations(inst) {
            let start = words.len();
            words.extend_from_slice(part.words());
            let skipped = result.filter(|_| !part.is_continuation());
            unit.renumber(&part, skipped, next, &mut words[start..], &mut |new| {
                if carries.get(new as usize) == Some(&true) {
                    carried.push(new);
                    if !awaited.is_empty() && awaited.contains(&new) {
                        early = Some(new);
                    }
                }
            })?;
        }
        if early.is_some() {
            return Err(self.cycle(unit, inst));
        }
        let (Some(id), Some(result)) = (id, result) else {
            // OpTypeForwardPointer.
            classes.set_id((at, defined), unit.ids[defined as usize]);
            self.place_line(start);
            return Ok(());
        };
        if is_shared(unit.module, described, inst, id, self.rules) {
            let key = self.keys.key(unit, described, (&self.sections.globals[start..], result), id, next)?;
            let candidate = if named == 0 { *next } else { named };
            if let Ok((known, of)) = self.known.get_or_insert(key, (candidate, at))
                && named == 0
                && (of != at || inst.is(Op::TypeFunction))
            {
                self.sections.globals.truncate(start);
                classes.set_id((at, id), known);
                merge(unit, id, known);
                return Ok(());
            }
        }
        let new = new_id(&mut unit.ids, next, id);
        self.sections.globals[start + result] = new;
        classes.set_id((at, id), new);
        let is_variable = inst.is(Op::Variable) || inst.is(Op::UntypedVariableKHR);
        self.awaited.remove(&new);
        if is_variable || !self.carried.is_empty() {
            self.set_carries(new);
            self.made_of.extend(self.carried.iter().map(|&from| (new, from)));
        }
        self.place_line(start);
        Ok(())
    }

    /// Adds the cast address of a variable, which replaces one of another type.
    fn cast(&mut self, unit: &LinkUnit, inst: &Instruction) -> Result<(), LinkError> {
        let [type_, new] = [1, 2].map(|at| unit.ids[inst.word(at) as usize]);
        let Some(&variable) = unit.casts.get(&new) else { return Err(unit.outside(inst)) };
        if self.awaited.contains(&variable) {
            return Err(self.cycle(unit, inst));
        }
        let start = self.sections.globals.len();
        self.sections.globals.extend([
            5 << 16 | Op::SpecConstantOp as u32,
            type_,
            new,
            Op::Bitcast as u32,
            variable,
        ]);
        self.made_of.push((new, variable));
        self.place_line(start);
        Ok(())
    }

    /// Inserts the OpLine before the words from `start` on.
    fn place_line(&mut self, start: usize) {
        if !self.line.is_empty() {
            let written = self.sections.globals.split_off(start);
            self.put_line();
            self.sections.globals.extend(written);
        }
    }

    fn cycle(&self, unit: &LinkUnit, inst: &Instruction) -> LinkError {
        let names = Names::new(unit.module);
        let mut name = String::new();
        unit.module.walk(inst, &mut |_, id: u32| {
            let new = unit.ids[id as usize];
            if self.awaited.contains(unit.casts.get(&new).unwrap_or(&new)) {
                name = names.display(id);
            }
        });
        let (instruction, offset) = place(inst);
        LinkError::Cycle { file: unit.name.to_string(), instruction, offset, name }
    }
}

/// Replaces an id, which is not written, by another.
fn merge(unit: &mut LinkUnit, id: u32, known: u32) {
    unit.ids[id as usize] = known;
    unit.silent[id as usize] = true;
}

/// Returns true if a debug instruction describes the whole program. Only the first module's is kept, since LLVM's translator accepts no second one
/// (NonSemantic.Shader.DebugInfo, DebugBuildIdentifier and DebugStoragePath).
fn is_once_per_program(module: &Module, inst: &Instruction) -> bool {
    const NUMBERS: [u32; 2] = [105, 106];
    is_debug(module, inst) && NUMBERS.contains(&views::ExtInst(*inst).instruction())
}

/// Returns true if equal definitions are merged: types, constants, and the variables of a built-in, since an entry point may have only one. Of the
/// images of a program, also variables that the host binds, and constant data.
fn is_shared(module: &Module, described: &Descriptions, inst: &Instruction, id: u32, rules: Rules) -> bool {
    const STAGE: [u32; 2] = [StorageClass::Input as u32, StorageClass::Output as u32];
    let decorated = |decoration: Decoration| {
        let decorations = described.decorations(id);
        decorations.iter().any(|description| {
            description.member.is_none() && description.words(module)[0] == decoration as u32
        })
    };
    match inst.op() {
        Some(Op::Variable | Op::UntypedVariableKHR) if rules == Rules::Images => {
            is_same_in_all_images(inst) && !decorated(Decoration::LinkageAttributes)
        }
        // Each has an identity.
        Some(
            Op::UntypedVariableKHR
            | Op::ConstantPipeStorage
            | Op::AsmTargetINTEL
            | Op::AsmINTEL
            | Op::GraphConstantARM,
        ) => false,
        Some(Op::Variable) => {
            STAGE.contains(&views::Variable(*inst).storage_class())
                && decorated(Decoration::BuiltIn)
                && !decorated(Decoration::LinkageAttributes)
        }
        _ => true,
    }
}

/// Returns true if a variable without linkage has the same content in all images of a program: the host binds it, or it is constant data.
pub(super) fn is_same_in_all_images(variable: &Instruction) -> bool {
    use StorageClass::*;
    const CLASSES: [StorageClass; 7] =
        [Input, Output, Uniform, UniformConstant, StorageBuffer, PushConstant, TileImageEXT];
    let class = views::Variable(*variable).storage_class();
    CLASSES.iter().any(|candidate| *candidate as u32 == class)
}

/// Returns the constant that sets the work-group size of all entry points of a module (specification, BuiltIn WorkgroupSize).
pub(super) fn work_group_size(module: &Module) -> Option<u32> {
    let mut sizes = module.decorations_with(Decoration::BuiltIn).filter(|inst| {
        inst.is_built_in(BuiltIn::WorkgroupSize)
            && module.definition(inst.target()).is_some_and(|inst| !inst.is(Op::Variable))
    });
    sizes.next().map(views::Decoration::target)
}
