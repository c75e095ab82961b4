//! Which functions need variants, and which.

use std::collections::{BTreeSet, HashMap};

use super::CloningError;
use super::merge::merge;
use crate::analysis::requirements::{Requirement, RequirementId};
use crate::analysis::{
    GuardedRegion, GuardedRegions, InstructionRequirements, Names, PresenceConditions, RequirementSummaries,
};
use crate::condition::{Condition, ConditionError, Conditions, Expr};
use crate::loader::{Instruction, Module};

/// A variant of a function.
#[derive(Clone)]
pub(crate) struct Variant {
    /// When it is the one.
    pub condition: Expr,
    /// The values that constants have there, by SpecId.
    pub values: Vec<(u32, u64)>,
    /// The branches that are decided beside, by where each stands: whether its condition holds.
    pub branches: Vec<(u32, bool)>,
}

/// A function that gets variants.
pub(crate) struct Planned {
    /// Its index.
    pub function: usize,
    /// Its variants.
    pub variants: Vec<Variant>,
}

/// What is known of the module.
pub(crate) struct Plan<'p, 'm> {
    pub module: &'m Module<'m>,
    pub names: &'p Names<'m>,
    pub regions: &'p GuardedRegions,
    /// When what is needed at best: as if guarded blocks could be conditional by themselves.
    pub presence: &'p PresenceConditions,
    pub summaries: &'p RequirementSummaries<'m>,
    pub needs: &'p InstructionRequirements<'m>,
}

/// An instruction in a guarded part that needs what is not needed everywhere.
struct Cause<'m> {
    inst: Instruction<'m>,
    needs: RequirementId,
}

impl<'m> Plan<'_, 'm> {
    /// The functions that need variants.
    pub fn functions(&self, limit: usize) -> Result<Vec<Planned>, CloningError> {
        let gated: Vec<RequirementId> = RequirementId::all().filter(|&id| self.is_gated(id)).collect();
        let mut through = HashMap::new();
        let mut planned = Vec::new();
        for function in 0..self.module.functions().len() {
            let mut constants: BTreeSet<u32> = BTreeSet::new();
            let mut asking = Vec::new();
            let mut last = None;
            for region in self.regions.of(function) {
                let Some(cause) = self.cause(region, &gated, &mut through) else { continue };
                asking.push(region.range.clone());
                if !region.constants.is_subset(&constants) {
                    constants.extend(&region.constants);
                    last = Some((region, cause));
                }
            }
            let Some((region, cause)) = last else { continue };
            let of_function = &self.module.functions()[function];
            let variants = merge(self.module, of_function, self.variants(&constants)?, &asking)?;
            if variants.len() > limit {
                return Err(self.too_many(function, variants.len(), limit, region, &cause));
            }
            planned.push(Planned { function, variants });
        }
        Ok(planned)
    }

    /// Whether a declaration that meets a requirement can become conditional.
    fn is_gated(&self, id: RequirementId) -> bool {
        let declaration_uses = &self.presence.declaration_uses;
        // Where it is false, only blocks need it that never run.
        let conditional = |present_when: Condition| !present_when.is_true();
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
            Requirement::Aspect(_) => false,
        }
    }

    /// The first instruction of a guarded part that needs one of these, itself or through what it refers to outside of functions.
    fn cause(
        &self,
        region: &GuardedRegion,
        gated: &[RequirementId],
        through: &mut HashMap<u32, Option<RequirementId>>,
    ) -> Option<Cause<'m>> {
        let of_definition =
            |id: u32| gated.iter().copied().find(|&needs| self.summaries.required_by(id, needs).is_some());
        self.module.range(region.range.start, region.range.end).find_map(|inst| {
            let own = self.needs.of(&inst);
            let mut found = gated.iter().copied().find(|&id| own.contains(id));
            self.module.walk(&inst, &mut |_, id: u32| {
                if found.is_none() && self.module.is_global(id) && self.module.function(id).is_none() {
                    found = *through.entry(id).or_insert_with(|| of_definition(id));
                }
            });
            found.map(|needs| Cause { inst, needs })
        })
    }

    /// The combinations of values of constants that are possible.
    fn variants(&self, constants: &BTreeSet<u32>) -> Result<Vec<Variant>, ConditionError> {
        let mut conditions = Conditions::new();
        let mut variants = vec![(Condition::TRUE, Vec::new())];
        for bound in constants.iter().filter_map(|id| self.regions.constants.get(id)) {
            let holds = conditions.of_expr(&bound.condition)?;
            let fails = conditions.not(holds)?;
            let mut more = Vec::new();
            for (condition, values) in variants {
                for (case, value) in [(holds, 1), (fails, 0)] {
                    let condition = conditions.and(condition, case)?;
                    if !condition.is_false() {
                        let values: Vec<(u32, u64)> =
                            values.iter().copied().chain([(bound.spec_id, value)]).collect();
                        more.push((condition, values));
                    }
                }
            }
            variants = more;
        }
        let variants = variants.into_iter().map(|(condition, values)| {
            Ok(Variant { condition: conditions.expr_of(condition)?, values, branches: Vec::new() })
        });
        variants.collect()
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
        let labels = self.module.body(&function).filter(|inst| inst.is(spirv::Op::Label));
        let label = labels.take_while(|label| label.offset() <= cause.inst.offset()).last();
        let (block, block_offset) =
            label.map_or((0, region.range.start), |label| (label.word(1), label.offset()));
        CloningError::TooMany {
            function: self.names.display(function.id),
            count,
            limit,
            block,
            block_offset: u64::from(block_offset) * 4,
            instruction: cause.inst.name(),
            offset: u64::from(cause.inst.offset()) * 4,
            needs: cause.needs.get().to_string(),
        }
    }
}
