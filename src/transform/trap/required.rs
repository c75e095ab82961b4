//! The instructions that require a feature that is missing on a device, and the blocks that cannot do without it.

use std::collections::HashMap;

use spirv::Op;

use super::lacked::LackedFeatures;
use super::regions::unavoidable;
use crate::analysis::conditional::effects::{Effects, InstructionKind};
use crate::analysis::flow::Blocks;
use crate::analysis::requirements::{RequirementSet, SetsById};
use crate::analysis::{Analyses, AnalysisError, RequirementSummaries};
use crate::loader::{Function, Instruction, Module, views};

/// The missing requirements of single instructions.
pub struct RequiredFeatures<'a, 'm> {
    module: &'m Module<'m>,
    effects: &'a Effects,
    missing: RequirementSet,
    declared: &'a RequirementSummaries<'m>,
    /// The requirements on Vulkan that no capability names, if one is missing.
    vulkan: Option<&'a RequirementSummaries<'m>>,
    /// The missing requirements of definitions outside of functions.
    definitions: SetsById,
    /// The missing requirements of decorations of ids in functions.
    of_decorations: HashMap<u32, RequirementSet>,
    /// The requirements of all calls of each function.
    pub of_calls: Vec<RequirementSet>,
}

/// The requirements of one function.
pub struct FunctionRequirements {
    /// The missing requirements of each block that cannot do without them.
    pub blocks: Vec<RequirementSet>,
    /// The blocks with an OpPhi of a type that is missing and that every path passes.
    pub phi: Option<usize>,
}

impl<'a, 'm> RequiredFeatures<'a, 'm> {
    /// Reads the requirements of a module.
    ///
    /// # Errors
    /// If conditional code is malformed, or annotations name an unknown aspect.
    pub fn new(
        analyses: &'a Analyses<'m>,
        lacked: &LackedFeatures,
    ) -> Result<RequiredFeatures<'a, 'm>, AnalysisError> {
        let module = analyses.module();
        let missing = lacked.requirements;
        let vulkan = match lacked.has_missing_vulkan_features() {
            true => Some(analyses.vulkan_summaries()?),
            false => None,
        };
        let mut features = RequiredFeatures {
            module,
            effects: analyses.effects(),
            missing,
            declared: analyses.summaries()?,
            vulkan,
            definitions: SetsById::new(module.bound()),
            of_decorations: HashMap::new(),
            of_calls: vec![RequirementSet::EMPTY; module.functions().len()],
        };
        for id in module.globals().filter_map(|inst| inst.result_id()) {
            let mut all = RequirementSet::EMPTY;
            let sets = features.summaries().filter_map(|summaries| summaries.definitions.get(id));
            sets.for_each(|set| _ = all.extend(set));
            all.retain(&missing);
            if !all.is_empty() {
                features.definitions.extend(id, &all);
            }
        }
        for decoration in module.decorations() {
            let target = decoration.target();
            if module.function_of(target).is_some() && !module.is_function(target) {
                let required = features.of_instruction(&decoration);
                if !required.is_empty() {
                    let all = features.of_decorations.entry(target).or_insert(RequirementSet::EMPTY);
                    all.extend(&required);
                }
            }
        }
        Ok(features)
    }

    fn summaries(&self) -> impl Iterator<Item = &RequirementSummaries<'m>> {
        [Some(self.declared), self.vulkan].into_iter().flatten()
    }

    /// Returns the missing requirements of a definition outside of functions, with all that it is made of.
    pub fn of_definition(&self, id: u32) -> RequirementSet {
        self.definitions.get(id).copied().unwrap_or(RequirementSet::EMPTY)
    }

    /// Returns the missing requirements of the type of a function.
    pub fn of_signature(&self, function: &Function) -> RequirementSet {
        let type_ = views::Function(self.module.instruction(function.start)).function_type();
        self.of_definition(type_)
    }

    /// Returns the missing requirements of an instruction, its operands and its result.
    fn of_instruction(&self, inst: &Instruction) -> RequirementSet {
        let mut all = RequirementSet::EMPTY;
        self.summaries().for_each(|summaries| summaries.requirements.add(inst, &mut all));
        if let Some(call) = views::FunctionCall::new(*inst)
            && let Some(callee) = self.module.function_index(call.callee())
        {
            all.extend(&self.of_calls[callee]);
        }
        all.retain(&self.missing);
        if let Some(of_decorations) = inst.result_id().and_then(|id| self.of_decorations.get(&id)) {
            all.extend(of_decorations);
        }
        self.module.walk(inst, &mut |_: usize, id: u32| {
            let definition = match self.module.is_global(id) {
                true => Some(id),
                false => self.module.type_of(id),
            };
            definition
                .and_then(|id| self.definitions.get(id))
                .into_iter()
                .for_each(|set| _ = all.extend(set));
        });
        all
    }

    /// True if the type of an instruction's result is missing: whatever uses the result requires the same.
    fn has_missing_type(&self, inst: &Instruction) -> bool {
        inst.result_type().is_some_and(|type_| !self.of_definition(type_).is_empty())
    }

    /// Finds the blocks of a function that cannot do without a missing requirement. `None` if no instruction has one.
    pub fn of_function(&self, at: usize, blocks: &Blocks) -> Option<FunctionRequirements> {
        let function = &self.module.functions()[at];
        let instructions = self.module.range(function.lines, function.end).zip(self.effects.kinds(at));
        let mut body = RequirementSearch {
            features: self,
            blocks,
            unavoidable: Vec::new(),
            instructions: Vec::new(),
            users: HashMap::new(),
            is_followed: HashMap::new(),
            found: FunctionRequirements { blocks: vec![RequirementSet::EMPTY; blocks.len()], phi: None },
        };
        let mut requiring = Vec::new();
        for (inst, &kind) in instructions {
            let is_code = !matches!(
                kind,
                InstructionKind::Parameter | InstructionKind::Describes | InstructionKind::Position
            );
            let is_inside = inst.offset() >= blocks.get(0).start && !inst.is(Op::FunctionEnd);
            if is_code && is_inside {
                let required = self.of_instruction(&inst);
                if !required.is_empty() {
                    requiring.push((body.instructions.len(), required));
                }
                body.instructions.push((inst, kind));
            }
        }
        if requiring.is_empty() {
            return None;
        }
        body.unavoidable = unavoidable(blocks);
        body.find_users();
        for (number, required) in requiring {
            body.follow(number, required);
        }
        Some(body.found)
    }
}

/// The search of one function.
struct RequirementSearch<'f, 'a, 'm> {
    features: &'f RequiredFeatures<'a, 'm>,
    blocks: &'f Blocks,
    unavoidable: Vec<bool>,
    /// The instructions that count, each with its kind.
    instructions: Vec<(Instruction<'m>, InstructionKind)>,
    /// The numbers of the instructions that use each id.
    users: HashMap<u32, Vec<usize>>,
    /// The requirements that were followed from each instruction, by its number.
    is_followed: HashMap<usize, RequirementSet>,
    found: FunctionRequirements,
}

impl RequirementSearch<'_, '_, '_> {
    fn find_users(&mut self) {
        for (number, (inst, _)) in self.instructions.iter().enumerate() {
            self.features.module.walk(inst, &mut |_: usize, id: u32| {
                if Some(id) != inst.result_id() && !self.features.module.is_global(id) {
                    self.users.entry(id).or_default().push(number);
                }
            });
        }
    }

    /// True if an instruction only writes to a variable whose type is missing: whatever reads it requires the same.
    fn writes_missing_type(&self, inst: &Instruction) -> bool {
        let module = self.features.module;
        let part = self.features.effects.written_part(module, inst);
        let type_ = part.and_then(|part| module.type_of(part.variable));
        type_.is_some_and(|type_| !self.features.of_definition(type_).is_empty())
    }

    /// Follows a requirement from an instruction to the blocks that cannot do without it.
    ///
    /// An instruction without effects is removed once nothing uses its result. So it does not count if the type of its result is missing, since each
    /// use counts itself. In a block that every path passes, its users count instead.
    fn follow(&mut self, number: usize, required: RequirementSet) {
        let mut open = vec![(number, required)];
        while let Some((number, required)) = open.pop() {
            let followed = self.is_followed.entry(number).or_insert(RequirementSet::EMPTY);
            if !followed.extend(&required) {
                continue;
            }
            let (inst, kind) = self.instructions[number];
            let Some(block) = self.blocks.at(inst.offset()) else { continue };
            let has_missing_type = self.features.has_missing_type(&inst);
            let used = match kind {
                InstructionKind::Computes if has_missing_type => {
                    if inst.is(Op::Phi) && self.unavoidable[block] {
                        self.found.phi.get_or_insert(block);
                    }
                    continue;
                }
                InstructionKind::Computes if self.unavoidable[block] => inst.result_id(),
                InstructionKind::Writes if self.writes_missing_type(&inst) => continue,
                _ => None,
            };
            match used {
                Some(id) => {
                    let users = self.users.get(&id).into_iter().flatten();
                    open.extend(users.map(|&user| (user, required)));
                }
                None => drop(self.found.blocks[block].extend(&required)),
            }
        }
    }
}
