//! The instructions that require a feature that is missing on a device, and the blocks that cannot do without it.

use std::collections::HashMap;
use std::sync::OnceLock;

use spirv::Op;

use super::lacked::LackedFeatures;
use super::regions::unavoidable;
use crate::analysis::conditional::effects::{Effects, InstructionKind};
use crate::analysis::flow::Blocks;
use crate::analysis::requirements::RequirementSet;
use crate::analysis::{Analyses, AnalysisError, RequirementSummaries};
use crate::collections::{IdMap, sort};
use crate::loader::{Function, Instruction, Module, views};

/// The requirements of the code of a module, independent of devices. Those of a function are found on first use.
#[derive(Default)]
pub struct CodeRequirements {
    found: OnceLock<FoundRequirements>,
}

struct FoundRequirements {
    /// The requirements of decorations of ids in functions.
    of_decorations: IdMap<RequirementSet>,
    functions: Vec<OnceLock<FunctionInstructions>>,
}

/// The instructions of a function that count.
#[derive(Default)]
struct FunctionInstructions {
    instructions: Vec<CodeInstruction>,
    /// The different requirements of instructions; the first set is empty.
    sets: Vec<RequirementSet>,
    /// Each id of the function with the number of an instruction that uses it, in order.
    users: OnceLock<Vec<(u32, usize)>>,
}

struct CodeInstruction {
    offset: u32,
    kind: InstructionKind,
    /// The index of its requirements, including those of its operands and result.
    required: usize,
    /// The index of the called function.
    callee: Option<usize>,
}

/// The missing requirements of single instructions.
pub struct RequiredFeatures<'a, 'm> {
    module: &'m Module<'m>,
    effects: &'a Effects,
    missing: RequirementSet,
    summaries: &'a RequirementSummaries<'m>,
    code: &'a FoundRequirements,
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
    /// Compares the requirements of a module with the features that a device does not have. `code` are those of the same module.
    ///
    /// # Errors
    /// If conditional code is malformed, or annotations name an unknown aspect.
    pub fn new(
        analyses: &'a Analyses<'m>,
        code: &'a CodeRequirements,
        lacked: &LackedFeatures,
    ) -> Result<RequiredFeatures<'a, 'm>, AnalysisError> {
        let module = analyses.module();
        let summaries = analyses.summaries()?;
        Ok(RequiredFeatures {
            module,
            effects: analyses.effects(),
            missing: lacked.requirements,
            summaries,
            code: code.found.get_or_init(|| FoundRequirements::new(summaries)),
            of_calls: vec![RequirementSet::EMPTY; module.functions().len()],
        })
    }

    /// Returns the missing requirements of a definition outside of functions, and of everything in it.
    pub fn of_definition(&self, id: u32) -> RequirementSet {
        let mut all = self.summaries.definitions.get(id).copied().unwrap_or(RequirementSet::EMPTY);
        all.retain(&self.missing);
        all
    }

    /// Returns the missing requirements of the type of a function.
    pub fn of_signature(&self, function: &Function) -> RequirementSet {
        let type_ = views::Function(self.module.instruction(function.start)).function_type();
        self.of_definition(type_)
    }

    /// Returns true if the type of an instruction's result is missing: all uses of the result require the same.
    fn has_missing_type(&self, inst: &Instruction) -> bool {
        inst.result_type().is_some_and(|type_| !self.of_definition(type_).is_empty())
    }

    /// Returns the code of a function.
    fn code_of(&self, at: usize) -> &'a FunctionInstructions {
        let read = || {
            let mut code =
                FunctionInstructions { sets: vec![RequirementSet::EMPTY], ..FunctionInstructions::default() };
            code.read(self, at);
            code
        };
        self.code.functions[at].get_or_init(read)
    }

    /// Finds the blocks of a function that cannot do without a missing requirement. `None` if no instruction has one.
    pub fn of_function(&self, at: usize, blocks: &Blocks) -> Option<FunctionRequirements> {
        let code = self.code_of(at);
        let missing_of = |set: &RequirementSet| {
            let mut missing = *set;
            missing.retain(&self.missing);
            missing
        };
        let missing: Vec<RequirementSet> = code.sets.iter().map(missing_of).collect();
        let is_missing: Vec<bool> = missing.iter().map(|set| !set.is_empty()).collect();
        let mut requiring = Vec::new();
        for (number, inst) in code.instructions.iter().enumerate() {
            let of_call = inst.callee.map(|callee| &self.of_calls[callee]).filter(|set| !set.is_empty());
            if is_missing[inst.required] || of_call.is_some() {
                let mut required = missing[inst.required];
                of_call.into_iter().for_each(|set| _ = required.extend(set));
                requiring.push((number, required));
            }
        }
        if requiring.is_empty() {
            return None;
        }
        let mut search = RequirementSearch {
            features: self,
            blocks,
            unavoidable: unavoidable(blocks),
            code,
            is_followed: HashMap::new(),
            found: FunctionRequirements { blocks: vec![RequirementSet::EMPTY; blocks.len()], phi: None },
        };
        for (number, required) in requiring {
            search.follow(number, required);
        }
        Some(search.found)
    }
}

impl FoundRequirements {
    fn new(summaries: &RequirementSummaries) -> FoundRequirements {
        let module = summaries.module;
        let mut of_decorations: IdMap<RequirementSet> = IdMap::new();
        for decoration in module.decorations() {
            let target = decoration.target();
            if module.function_of(target).is_some() && !module.is_function(target) {
                let required = of_instruction(summaries, &decoration);
                if !required.is_empty() {
                    let all = of_decorations.entry(target).or_insert(RequirementSet::EMPTY);
                    all.extend(&required);
                }
            }
        }
        let functions = module.functions().iter().map(|_| OnceLock::new()).collect();
        FoundRequirements { of_decorations, functions }
    }
}

/// Returns the requirements of an instruction, its operands and its result.
fn of_instruction(summaries: &RequirementSummaries, inst: &Instruction) -> RequirementSet {
    let module = summaries.module;
    let mut all = summaries.requirements.find(inst);
    module.walk(inst, &mut |_: usize, id: u32| {
        let definition = if module.is_global(id) { Some(id) } else { module.type_of(id) };
        if let Some(required) = definition.and_then(|id| summaries.definitions.get(id)) {
            all.extend(required);
        }
    });
    all
}

impl FunctionInstructions {
    fn read(&mut self, features: &RequiredFeatures, at: usize) {
        let module = features.module;
        let function = &module.functions()[at];
        let mut indexes: HashMap<RequirementSet, usize> = HashMap::from([(RequirementSet::EMPTY, 0)]);
        // Neighbours often have the same requirements.
        let mut last = 0;
        let instructions = module.range(function.lines, function.end).zip(features.effects.kinds(at));
        let in_blocks = instructions.skip_while(|(inst, _)| !inst.is(Op::Label));
        for (inst, &kind) in in_blocks.filter(|(inst, _)| !inst.is(Op::FunctionEnd)) {
            if matches!(
                kind,
                InstructionKind::Parameter | InstructionKind::Describes | InstructionKind::Position
            ) {
                continue;
            }
            let mut required = of_instruction(features.summaries, &inst);
            if let Some(of_decorations) =
                inst.result_id().and_then(|id| features.code.of_decorations.get(&id))
            {
                required.extend(of_decorations);
            }
            if self.sets[last] != required {
                last = *indexes.entry(required).or_insert_with(|| {
                    self.sets.push(required);
                    self.sets.len() - 1
                });
            }
            let callee = views::FunctionCall::new(inst).map(|call| call.callee());
            self.instructions.push(CodeInstruction {
                offset: inst.offset(),
                kind,
                required: last,
                callee: callee.and_then(|callee| module.function_index(callee)),
            });
        }
    }

    /// Returns the numbers of the instructions that use an id of the function.
    fn users(&self, module: &Module, id: u32) -> impl Iterator<Item = usize> {
        let users = self.users.get_or_init(|| {
            let mut users = Vec::new();
            for (number, inst) in self.instructions.iter().enumerate() {
                let inst = module.instruction(inst.offset);
                module.walk(&inst, &mut |_: usize, id: u32| {
                    if Some(id) != inst.result_id() && !module.is_global(id) {
                        users.push((id, number));
                    }
                });
            }
            sort(&mut users);
            users
        });
        let first = users.partition_point(|&(used, _)| used < id);
        users[first..].iter().take_while(move |&&(used, _)| used == id).map(|&(_, number)| number)
    }
}

/// The search of one function.
struct RequirementSearch<'f, 'a, 'm> {
    features: &'f RequiredFeatures<'a, 'm>,
    blocks: &'f Blocks,
    unavoidable: Vec<bool>,
    code: &'a FunctionInstructions,
    /// The requirements that were followed from each instruction, by its number.
    is_followed: HashMap<usize, RequirementSet>,
    found: FunctionRequirements,
}

impl RequirementSearch<'_, '_, '_> {
    /// Returns true if an instruction only writes to a variable whose type is missing: an instruction that reads it
    /// requires the same.
    fn writes_missing_type(&self, inst: &Instruction) -> bool {
        let module = self.features.module;
        let part = self.features.effects.written_part(module, inst);
        let type_ = part.and_then(|part| module.type_of(part.variable));
        type_.is_some_and(|type_| !self.features.of_definition(type_).is_empty())
    }

    /// Follows a requirement from an instruction to the blocks that require it inevitably.
    ///
    /// An instruction without effects is removed once nothing uses its result. So it does not count if the type of its result is missing, since each
    /// use counts itself. In a block that every path passes, its users count instead.
    fn follow(&mut self, number: usize, required: RequirementSet) {
        let module = self.features.module;
        let mut open = vec![(number, required)];
        while let Some((number, required)) = open.pop() {
            let followed = self.is_followed.entry(number).or_insert(RequirementSet::EMPTY);
            if !followed.extend(&required) {
                continue;
            }
            let CodeInstruction { offset, kind, .. } = self.code.instructions[number];
            let inst = module.instruction(offset);
            let Some(block) = self.blocks.at(offset) else { continue };
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
                Some(id) => open.extend(self.code.users(module, id).map(|user| (user, required))),
                None => drop(self.found.blocks[block].extend(&required)),
            }
        }
    }
}
