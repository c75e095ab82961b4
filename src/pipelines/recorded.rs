//! Requirements that property sets record, where constants may remove the code that has them.
//!
//! Property sets do not say why a module requires an aspect. If its code or its declarations explain an aspect, the aspect counts as far as
//! a result still requires it. All other requirements stay as recorded, because the reason is outside of the code: an attribute of a
//! function, or the host.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;

use super::PipelineError;
use crate::analysis::constants::Constants;
use crate::analysis::{Analyses, Annotated, ModuleRoot, RootRequirements};
use crate::compatibility::{Compatibility, DeviceValues, Missing, ModuleDeclarations, explained_aspects};
use crate::condition::{ConditionId, Leaf, Truth};
use crate::device::Device;
use crate::loader::Module;
use crate::metadata::property_sets::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertyNames, PropertySets};

/// The recorded requirements that a device does not meet, or is not known to meet.
#[derive(Debug, Default)]
pub struct MissingRequirements {
    /// The requirements that code does not explain.
    pub always: Compatibility,
    /// The aspects that code explains.
    pub of_code: Compatibility,
}

impl MissingRequirements {
    /// Finds out which of the recorded requirements of a module that a device does not meet, or is not known to meet, its code explains. The
    /// code is only read if an aspect is among them. `properties` has the meaning of constants. If constants are set, code may be removed
    /// whose condition they decide.
    ///
    /// # Errors
    /// If the requirements of the code cannot be found.
    pub fn new(
        device: &Device,
        checked: Compatibility,
        (analyses, properties): (&Analyses, &PropertySets),
        sets_constants: bool,
    ) -> Result<MissingRequirements, PipelineError> {
        let Compatibility { missing, unknown } = checked;
        let explained = match missing.iter().chain(&unknown).any(is_aspect) {
            true => {
                let counts = |when: Truth| when == Truth::True || sets_constants && when == Truth::Unknown;
                required_aspects(device, (analyses, properties), counts)?
            }
            false => BTreeSet::new(),
        };
        let is_explained = |missing: &Missing| explained.contains(missing);
        let (of_code, missing) = missing.into_iter().partition(is_explained);
        let (unknown_of_code, unknown) = unknown.into_iter().partition(is_explained);
        Ok(MissingRequirements {
            always: Compatibility { missing, unknown },
            of_code: Compatibility { missing: of_code, unknown: unknown_of_code },
        })
    }

    /// Adds the requirements of another module.
    pub fn extend(&mut self, other: MissingRequirements) {
        self.always.extend(other.always);
        self.of_code.extend(other.of_code);
    }

    /// Returns the requirements that a result still has: those that code does not explain, and aspects of its code. `annotated` and
    /// `properties` are those of the module before.
    ///
    /// # Errors
    /// If the requirements of the code cannot be found.
    pub fn of_result(
        self,
        device: &Device,
        (annotated, properties): (&Annotated, &PropertySets),
        words: Cow<[u32]>,
    ) -> Result<Compatibility, PipelineError> {
        let MissingRequirements { mut always, mut of_code } = self;
        if of_code != Compatibility::default() {
            let module = Module::from_words(words)?;
            let annotated = annotated.within(&module);
            let analyses = Analyses::new(&module, Cow::Owned(annotated));
            let required = required_aspects(device, (&analyses, properties), |when| when != Truth::False)?;
            of_code.missing.retain(|missing| required.contains(missing));
            of_code.unknown.retain(|unknown| required.contains(unknown));
            always.extend(of_code);
        }
        Ok(always)
    }
}

/// Returns the property sets of a trimmed module: without aspects that nothing but removed declarations explains.
///
/// # Errors
/// If the sets are malformed, or the requirements of the code cannot be found.
pub fn trimmed_properties(
    before: &Module,
    trimmed: &Module,
    properties: &PropertySets,
) -> Result<PropertySets, PipelineError> {
    let mut sets = properties.clone();
    if let Some(set) = properties.get(DEVICE_REQUIREMENTS) {
        let analyses = Analyses::new(trimmed, Cow::Owned(Annotated::default()));
        let required =
            required_aspects(&Device::default(), (&analyses, properties), |when| when != Truth::False)?;
        let mut removed = explained_aspects(&ModuleDeclarations::as_is(before), []);
        removed.retain(|&aspect| !required.contains(&Missing::Aspect(aspect.into())));
        let requirements = DeviceRequirements::from_set(set)?;
        if requirements.all_aspects().any(|aspect| removed.contains(&aspect)) {
            sets.put(requirements.without_aspects(&removed).to_set(PropertyNames::from_set(set)));
        }
    }
    Ok(sets)
}

/// Returns true for a requirement that code may explain.
pub fn is_aspect(missing: &Missing) -> bool {
    matches!(missing, Missing::Aspect(_))
}

/// Returns the aspects that a module requires on a device by its declarations, and by code whose condition counts.
fn required_aspects(
    device: &Device,
    (analyses, properties): (&Analyses, &PropertySets),
    counts: impl Fn(Truth) -> bool,
) -> Result<BTreeSet<Missing>, PipelineError> {
    let (module, summaries) = (analyses.module(), analyses.summaries()?);
    let mut aspects = explained_aspects(&ModuleDeclarations::as_is(module), []);
    let values = DeviceValues::new(device, properties)?;
    let constants = RefCell::new(Constants::new(module, &values, &[]));
    let truth = |leaf: Leaf| match leaf {
        Leaf::Constant(id) => constants.borrow_mut().condition(id),
        _ => device.truth(leaf),
    };
    let mut conditions = summaries.conditions.clone();
    for root in ModuleRoot::all(analyses) {
        let summary = root.summary(summaries);
        let required = RootRequirements::of_root(analyses, root, &summary, &mut conditions)?;
        for (aspect, when) in required.used {
            let truth = match conditions.restrict(when, &truth)? {
                ConditionId::TRUE => Truth::True,
                ConditionId::FALSE => Truth::False,
                _ => Truth::Unknown,
            };
            if counts(truth) {
                aspects.insert(aspect);
            }
        }
    }
    let mut missing = BTreeSet::new();
    missing.extend(aspects.into_iter().map(|aspect| Missing::Aspect(aspect.into())));
    Ok(missing)
}
