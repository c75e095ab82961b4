//! The choice among the declared capabilities and extensions that meet a requirement summary.

use spirv_if::engine::analysis::requirements::{
    CoverCandidate, Requirement, RequirementId, closure_of, cover, is_always_kept, is_judged_extension,
};
use spirv_if::engine::analysis::{RequirementSummaries, RequirementSummary};
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::condition::{ConditionError, ConditionId, Conditions};
use spirv_if::engine::loader::Module;

/// The declared capabilities and extensions of a module.
pub struct DeclaredFeatures {
    capabilities: FeatureList<u32, u32>,
    extensions: FeatureList<String, String>,
}

/// Declarations of one kind, with their conditions and the requirements that each meets.
struct FeatureList<D, T> {
    all: Vec<(D, ConditionId)>,
    declarations: Vec<CoverCandidate<T>>,
}

impl DeclaredFeatures {
    /// Reads the declarations of a module, each capability and extension once.
    pub fn read(
        module: &Module,
        summaries: &RequirementSummaries,
        conditions: &mut Conditions,
    ) -> Result<DeclaredFeatures, ConditionError> {
        let mut capabilities = FeatureList { all: Vec::new(), declarations: Vec::new() };
        for declared in module.capabilities() {
            let number = declared.capability();
            let when = condition(declared.condition(), summaries, conditions)?;
            // Everything in the module may require a capability without rules.
            let is_kept = is_always_kept(number);
            let declaration = || CoverCandidate { provides: closure_of(number).to_vec(), kept: is_kept };
            capabilities.add(number, when, declaration, conditions)?;
        }
        let mut extensions = FeatureList { all: Vec::new(), declarations: Vec::new() };
        for declared in module.extensions() {
            let when = condition(declared.condition(), summaries, conditions)?;
            let name = declared.name().into_owned();
            let declaration =
                || CoverCandidate { provides: vec![name.clone()], kept: !is_judged_extension(&name) };
            extensions.add(name.clone(), when, declaration, conditions)?;
        }
        Ok(DeclaredFeatures { capabilities, extensions })
    }

    /// Returns the declared capabilities, and their conditions.
    pub fn capabilities(&self) -> impl Iterator<Item = (u32, ConditionId)> {
        self.capabilities.all.iter().copied()
    }

    /// Returns the declared extensions, and their conditions.
    pub fn extensions(&self) -> impl Iterator<Item = (String, ConditionId)> {
        self.extensions.all.iter().cloned()
    }

    /// Returns a declared capability and all that it implies.
    pub fn closure(&self, number: u32) -> &[u32] {
        let at = self.capabilities.all.iter().position(|(declared, _)| *declared == number);
        at.map_or(&[], |at| &self.capabilities.declarations[at].provides)
    }

    /// Returns true if a declaration meets a requirement.
    pub fn meet(&self, requirement: &Requirement) -> bool {
        match requirement {
            Requirement::Capabilities(any) => self.capabilities.meet(any),
            Requirement::Extensions(any) => {
                self.extensions.all.iter().any(|(declared, _)| any.contains(&declared.as_str()))
            }
            // SPIR-V modules do not declare aspects.
            Requirement::Aspect(_) | Requirement::Feature(_) => true,
        }
    }

    /// Returns the declared capabilities that meet a requirement summary, with their conditions.
    pub fn choose_capabilities(
        &self,
        summary: &RequirementSummary,
        conditions: &mut Conditions,
    ) -> Result<Vec<(u32, ConditionId)>, ConditionError> {
        let any = |id: RequirementId| match id.get() {
            Requirement::Capabilities(any) => Some(any.to_vec()),
            Requirement::Extensions(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        };
        self.capabilities.choose(summary, any, conditions)
    }

    /// Returns the declared extensions that meet a requirement summary, with their conditions.
    pub fn choose_extensions(
        &self,
        summary: &RequirementSummary,
        conditions: &mut Conditions,
    ) -> Result<Vec<(String, ConditionId)>, ConditionError> {
        let any = |id: RequirementId| match id.get() {
            Requirement::Extensions(any) => Some(any.iter().map(ToString::to_string).collect()),
            Requirement::Capabilities(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        };
        self.extensions.choose(summary, any, conditions)
    }
}

/// Returns the condition of an OpConditionalCapabilityINTEL or OpConditionalExtensionINTEL with this
/// constant; true without one.
fn condition(
    constant: Option<u32>,
    summaries: &RequirementSummaries,
    conditions: &mut Conditions,
) -> Result<ConditionId, ConditionError> {
    constant.map_or(Ok(ConditionId::TRUE), |constant| summaries.existing(constant, conditions))
}

impl<D: Clone + PartialEq, T: PartialEq> FeatureList<D, T> {
    /// Adds a declaration. If it is present already, it holds under either condition.
    fn add(
        &mut self,
        what: D,
        when: ConditionId,
        declaration: impl FnOnce() -> CoverCandidate<T>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        match self.all.iter_mut().find(|(declared, _)| *declared == what) {
            Some((_, declared)) => *declared = conditions.or(*declared, when)?,
            None => {
                self.all.push((what, when));
                self.declarations.push(declaration());
            }
        }
        Ok(())
    }

    fn meet(&self, any: &[T]) -> bool {
        self.declarations.iter().any(|declaration| meets(declaration, any))
    }

    /// Returns the declarations that meet a requirement summary, with the conditions under which they are
    /// required; unconditional ones first.
    fn choose(
        &self,
        summary: &RequirementSummary,
        any: impl Fn(RequirementId) -> Option<Vec<T>>,
        conditions: &mut Conditions,
    ) -> Result<Vec<(D, ConditionId)>, ConditionError> {
        let always: Vec<Vec<T>> = summary.always.iter().filter_map(&any).collect();
        let chosen = self.cover(&always);
        let mut when: Vec<ConditionId> = chosen
            .iter()
            .map(|&chosen| if chosen { ConditionId::TRUE } else { ConditionId::FALSE })
            .collect();
        let mut groups: OrderedMap<ConditionId, Vec<Vec<T>>> = OrderedMap::new();
        for (&id, &condition) in &summary.conditional {
            let is_open = |any: &Vec<T>| {
                !self
                    .declarations
                    .iter()
                    .zip(&chosen)
                    .any(|(declaration, &chosen)| chosen && meets(declaration, any))
            };
            if let Some(any) = any(id).filter(is_open) {
                groups.entry(condition).or_default().push(any);
            }
        }
        for (condition, requirements) in groups {
            for (at, chosen) in self.cover(&requirements).into_iter().enumerate() {
                if chosen {
                    when[at] = conditions.or(when[at], condition)?;
                }
            }
        }
        let chosen = self.all.iter().zip(when).map(|((what, _), when)| (what.clone(), when));
        let chosen = chosen.filter(|(_, when)| !when.is_false());
        let (always, conditional): (Vec<_>, Vec<_>) = chosen.partition(|(_, when)| when.is_true());
        Ok([always, conditional].concat())
    }

    fn cover(&self, requirements: &[Vec<T>]) -> Vec<bool> {
        cover(&self.declarations, requirements.iter().map(Vec::as_slice))
    }
}

fn meets<T: PartialEq>(declaration: &CoverCandidate<T>, any: &[T]) -> bool {
    declaration.provides.iter().any(|provided| any.contains(provided))
}
