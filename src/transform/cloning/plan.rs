//! The functions to clone, with their clones.

use std::collections::BTreeSet;

use super::merge::merge;
use super::{CloneLimit, CloningError};
use crate::analysis::flow::Flow;
use crate::analysis::requirements::{Requirement, RequirementId};
use crate::analysis::{
    GuardedRegion, GuardedRegions, InstructionRequirements, Names, PresenceConditions, RequirementSummaries,
};
use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId, Conditions, Expr};
use crate::loader::{Instruction, Module, views};

/// A clone of a function.
#[derive(Clone)]
pub(crate) struct FunctionClone {
    /// The condition under which it is called.
    pub condition: Expr,
    /// The values of constants in it, by SpecId.
    pub values: Vec<(u32, u64)>,
    /// The branches that are decided besides.
    pub branches: Vec<DecidedBranch>,
}

/// An OpBranchConditional or OpSwitch with one taken target.
#[derive(Clone)]
pub(crate) struct DecidedBranch {
    /// Offset of the instruction.
    pub terminator: u32,
    /// The value of its condition or selector.
    pub value: u64,
    /// The label of the block that it branches to.
    pub target: u32,
}

/// A function that is cloned.
pub(crate) struct ClonedFunction {
    /// Index of the function.
    pub function: usize,
    /// Clones of the function.
    pub clones: Vec<FunctionClone>,
}

/// The analyses that decide about clones.
pub(crate) struct ClonePlan<'p, 'm> {
    pub module: &'m Module<'m>,
    pub names: &'p Names<'m>,
    pub flow: &'p Flow,
    pub regions: &'p GuardedRegions,
    /// The best possible presence conditions: as if guarded blocks could be conditional by themselves.
    pub presence: &'p PresenceConditions,
    pub summaries: &'p RequirementSummaries<'m>,
    pub requirements: &'p InstructionRequirements<'m>,
}

/// An instruction in a guarded region with a conditional requirement.
struct Cause<'m> {
    inst: Instruction<'m>,
    requirement: RequirementId,
}

impl<'m> ClonePlan<'_, 'm> {
    /// Returns the functions to clone.
    pub fn functions(&self, limit: CloneLimit) -> Result<Vec<ClonedFunction>, CloningError> {
        let conditional: Vec<RequirementId> =
            RequirementId::all().filter(|&id| self.is_conditional(id)).collect();
        let mut through = IdMap::new();
        let mut planned = Vec::new();
        for function in 0..self.module.functions().len() {
            let mut constants: BTreeSet<u32> = BTreeSet::new();
            let mut regions = Vec::new();
            let mut last = None;
            for region in self.regions.in_function(function) {
                let Some(cause) = self.cause(region, &conditional, &mut through) else { continue };
                regions.push(region.range.clone());
                if last.is_none() || !region.constants.is_subset(&constants) {
                    constants.extend(&region.constants);
                    last = Some((region, cause));
                }
            }
            let Some((region, cause)) = last else { continue };
            let clones = merge(self.module, self.flow, function, self.clones(&constants)?, &regions)?;
            if clones.len() > limit.0 {
                return Err(self.too_many(function, clones.len(), limit.0, region, &cause));
            }
            planned.push(ClonedFunction { function, clones });
        }
        Ok(planned)
    }

    /// Returns true if a declaration that meets a requirement can become conditional.
    fn is_conditional(&self, id: RequirementId) -> bool {
        let declaration_uses = &self.presence.declaration_uses;
        // If it is false, only blocks that never run require it.
        let conditional = |present_when: ConditionId| !present_when.is_true();
        match id.get() {
            Requirement::Capabilities(any) => any.iter().any(|&capability| {
                declaration_uses
                    .capability(capability)
                    .is_some_and(|required_when| conditional(required_when.present_when))
            }),
            Requirement::Extensions(any) => any.iter().any(|name| {
                declaration_uses
                    .extension(name)
                    .is_some_and(|required_when| conditional(required_when.present_when))
            }),
            Requirement::Aspect(_) | Requirement::Feature(_) => false,
        }
    }

    /// Returns the first instruction of a guarded region with one of these requirements, itself or through definitions outside of functions.
    fn cause(
        &self,
        region: &GuardedRegion,
        conditional: &[RequirementId],
        through: &mut IdMap<Option<RequirementId>>,
    ) -> Option<Cause<'m>> {
        let of_definition = |id: u32| {
            let required =
                |&requirement: &RequirementId| self.summaries.required_by(id, requirement).is_some();
            conditional.iter().copied().find(required)
        };
        self.module.range(region.range.start, region.range.end).find_map(|inst| {
            let required = self.requirements.find(&inst);
            let mut requirement = conditional.iter().copied().find(|&id| required.contains(id));
            self.module.walk(&inst, &mut |_, id: u32| {
                if requirement.is_none() && self.module.is_global(id) && !self.module.is_function(id) {
                    requirement = *through.entry(id).or_insert_with(|| of_definition(id));
                }
            });
            requirement.map(|requirement| Cause { inst, requirement })
        })
    }

    /// Returns one clone for each possible combination of values of the constants.
    fn clones(&self, constants: &BTreeSet<u32>) -> Result<Vec<FunctionClone>, ConditionError> {
        let mut conditions = Conditions::new();
        let mut combinations = vec![(ConditionId::TRUE, Vec::new())];
        for bound in constants.iter().filter_map(|id| self.regions.constants.get(id)) {
            let holds = conditions.of_expr(&bound.condition)?;
            let fails = conditions.not(holds)?;
            let mut more = Vec::new();
            for (condition, values) in combinations {
                for (case, value) in [(holds, 1), (fails, 0)] {
                    let condition = conditions.and(condition, case)?;
                    if !condition.is_false() {
                        let values: Vec<(u32, u64)> =
                            values.iter().copied().chain([(bound.spec_id, value)]).collect();
                        more.push((condition, values));
                    }
                }
            }
            combinations = more;
        }
        let mut clones = Vec::with_capacity(combinations.len());
        for (condition, mut values) in combinations {
            for (_, bound) in self.regions.constants.iter().filter(|(id, _)| !constants.contains(id)) {
                let holds = conditions.of_expr(&bound.condition)?;
                let fails = conditions.not(holds)?;
                // What the condition of the clone implies is known in it.
                if conditions.and(condition, fails)?.is_false() {
                    values.push((bound.spec_id, 1));
                } else if conditions.and(condition, holds)?.is_false() {
                    values.push((bound.spec_id, 0));
                }
            }
            let condition = conditions.expr_of(condition)?;
            clones.push(FunctionClone { condition, values, branches: Vec::new() });
        }
        Ok(clones)
    }

    fn too_many(
        &self,
        function: usize,
        count: usize,
        limit: usize,
        region: &GuardedRegion,
        cause: &Cause,
    ) -> CloningError {
        let function = self.module.functions()[function];
        let labels = self.module.body(&function).filter_map(views::Label::new);
        let label = labels.take_while(|label| label.offset() <= cause.inst.offset()).last();
        let (block, block_offset) =
            label.map_or((0, region.range.start), |label| (label.id(), label.offset()));
        CloningError::TooMany {
            function: self.names.display(function.id),
            count,
            limit,
            block,
            block_offset: u64::from(block_offset) * 4,
            instruction: cause.inst.name(),
            offset: u64::from(cause.inst.offset()) * 4,
            requirement: cause.requirement.get().to_string(),
        }
    }
}
