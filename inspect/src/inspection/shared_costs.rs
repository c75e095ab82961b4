//! Constants that decide a feature together: each of them removes some uses of the feature, and all of them together
//! remove the last use.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;

use super::constants::scalar;
use super::context::{InspectContext, InspectionError, with_context};
use super::model::{DeclarationName, Necessity, ReportedDeclaration};
use super::question::WhySubject;
use super::trials::Trials;
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::analysis::constants::Nothing;
use spirv_if::engine::analysis::requirements::RequirementSet;
use spirv_if::engine::device::capabilities;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::SpecialConstants;
use spirv_if::engine::transform::specialize::{SpecializeOptions, specialize};
use spirv_if::engine::transform::trap::LackedFeatures;
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;
use spirv_if::specialize::SpecValue;

/// A value of a specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SetConstant {
    /// The number of the constant.
    pub spec_id: u32,
    /// The value.
    pub value: SpecValue,
}

/// Values of constants that remove capabilities together, and not alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedCost {
    /// The values.
    pub constants: Vec<SetConstant>,
    /// The declared capabilities that are no longer required with all of them.
    pub capabilities: Vec<DeclarationName>,
}

impl InspectContext<'_, '_> {
    /// Returns the values of constants that remove a needed capability only together. `known` are the capabilities that
    /// the values of single constants remove.
    ///
    /// # Errors
    /// If a condition is out of bounds, or the properties are malformed.
    pub(super) fn shared_costs(
        &mut self,
        capabilities: &[ReportedDeclaration],
        known: &BTreeSet<DeclarationName>,
    ) -> Result<Vec<SharedCost>, InspectionError> {
        let mut shared: Vec<SharedCost> = Vec::new();
        for declared in capabilities.iter().filter(|declared| declared.need == Necessity::Needed) {
            let Some(number) = capabilities::number(&declared.name) else { continue };
            if known.contains(&declared.name)
                || shared.iter().any(|cost| cost.capabilities.contains(&declared.name))
            {
                continue;
            }
            let required = self.requirements_in_question(&WhySubject::Capability(number))?;
            let constants = self.deciding_values(required)?;
            if constants.len() < 2 {
                continue;
            }
            let bits = self.bits_of(&constants);
            let removed = Trials::new(self).capabilities_without(&bits).unwrap_or_default();
            if removed.contains(&declared.name) {
                let capabilities = removed.into_iter().filter(|name| !known.contains(name)).collect();
                shared.push(SharedCost { constants, capabilities });
            }
        }
        Ok(shared)
    }

    /// Returns values of constants with which nothing requires the subject of a question; none if there are no such values.
    ///
    /// # Errors
    /// If a condition is out of bounds, or the properties are malformed.
    pub fn values_without(&mut self, question: &WhySubject) -> Result<Vec<SetConstant>, InspectionError> {
        let required = self.requirements_in_question(question)?;
        let constants = self.deciding_values(required)?;
        Ok(if constants.is_empty() || !self.is_without(&constants, question)? {
            Vec::new()
        } else {
            constants
        })
    }

    /// Returns the requirements of any root that a question is about.
    fn requirements_in_question(&mut self, question: &WhySubject) -> Result<RequirementSet, InspectionError> {
        let mut all = RequirementSet::EMPTY;
        for root in self.roots() {
            let question = &*question.for_root(&root);
            let (summary, chosen) = self.summary(&root)?;
            let ids = summary.iter().map(|(id, _)| id);
            let in_question: RequirementSet =
                ids.filter(|&id| self.is_in_question(id, &chosen, question)).collect();
            all.extend(&in_question);
        }
        Ok(all)
    }

    /// Returns values of constants with which no block runs that has one of these requirements.
    fn deciding_values(&self, requirements: RequirementSet) -> Result<Vec<SetConstant>, InspectionError> {
        if !self.multi_target.is_empty() || !self.calls.is_empty() {
            return Ok(Vec::new());
        }
        let special = SpecialConstants::from_properties(self.properties)?;
        // Constants with another meaning are left alone.
        let bound = self.analyses.annotated().spec_constants.keys().copied();
        let meaning = special.leaves().map(|leaf| leaf.0).chain(bound);
        let fixed = meaning.map(|spec_id| (spec_id, None)).collect();
        let lacked = LackedFeatures::from_requirements(requirements);
        let found = self.traps.values_without(self.analyses, &lacked, &fixed)?;
        let values = found.values.into_iter().filter(|_| found.is_complete);
        Ok(values.map(|(spec_id, value)| SetConstant { spec_id, value }).collect())
    }

    /// Returns values as bits.
    fn bits_of(&self, constants: &[SetConstant]) -> Vec<(u32, u64)> {
        let declared = self.analyses.spec_constants();
        let bits = |&SetConstant { spec_id, value }: &SetConstant| {
            let constant = declared.iter().find(|constant| constant.spec_id == spec_id)?;
            Some((spec_id, value.bits(scalar(self.module, constant.id)?)?))
        };
        constants.iter().filter_map(bits).collect()
    }

    /// Returns true if nothing in the module with these values requires the subject of a question.
    fn is_without(&self, constants: &[SetConstant], question: &WhySubject) -> Result<bool, InspectionError> {
        let rest = || -> Option<Module<'static>> {
            let options = SpecializeOptions::default();
            let specialized = specialize(self.analyses, &Nothing, &self.bits_of(constants), options).ok()?;
            let result = Module::from_words(apply(self.module, &specialized.edits).ok()?).ok()?;
            Module::from_words(apply(&result, &trim(&result).edits).ok()?).ok()
        };
        let Some(rest) = rest() else { return Ok(false) };
        let annotated = self.analyses.annotated().within(&rest);
        let analyses = Analyses::new(&rest, Cow::Owned(annotated));
        with_context(&analyses, self.properties, |context| Ok(context.why(question)?.is_empty()))
    }
}
