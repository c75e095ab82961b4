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
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, Annotated, ModuleRoot, RootRequirements};
use crate::compatibility::{Compatibility, DeviceValues, Missing, ModuleDeclarations, check_requirements};
use crate::condition::{Leaf, Truth, evaluate};
use crate::device::{Device, capabilities};
use crate::loader::Module;
use crate::metadata::property_sets::{DeviceRequirements, PropertySets};

/// The recorded requirements that a device does not meet, or is not known to meet.
#[derive(Debug, Default)]
pub struct MissingRequirements {
    /// The requirements that code does not explain.
    pub always: Vec<Missing>,
    /// The aspects that code explains.
    pub of_code: Vec<Missing>,
    /// The requirements that the device may or may not meet and that code does not explain.
    pub unknown: Vec<Missing>,
}

impl MissingRequirements {
    /// Compares the recorded requirements of a module with a device. The code is only read if an aspect is missing. `properties` has the
    /// meaning of constants. If constants are set, code may be removed whose condition they decide.
    ///
    /// # Errors
    /// If a condition is malformed, or the requirements of the code cannot be found.
    pub fn new(
        device: &Device,
        recorded: &DeviceRequirements,
        (analyses, properties): (&Analyses, &PropertySets),
        sets_constants: bool,
    ) -> Result<MissingRequirements, PipelineError> {
        let Compatibility { missing, unknown } = check_requirements(device, recorded);
        let explained = match missing.iter().chain(&unknown).any(is_aspect) {
            true => {
                let counts = |when: Truth| when == Truth::True || sets_constants && when == Truth::Unknown;
                required_aspects(device, (analyses, properties), counts)?
            }
            false => BTreeSet::new(),
        };
        let (of_code, always) = missing.into_iter().partition(|missing| explained.contains(missing));
        let unknown = unknown.into_iter().filter(|unknown| !explained.contains(unknown)).collect();
        Ok(MissingRequirements { always, of_code, unknown })
    }

    /// Adds the requirements of another module.
    #[cfg(feature = "program")]
    pub fn extend(&mut self, other: MissingRequirements) {
        self.always.extend(other.always);
        self.of_code.extend(other.of_code);
        self.unknown.extend(other.unknown);
    }

    /// Returns the aspects of code that a result still requires. `annotated` and `properties` are those of the module before.
    ///
    /// # Errors
    /// If the requirements of the code cannot be found.
    pub fn of_result(
        &self,
        device: &Device,
        (annotated, properties): (&Annotated, &PropertySets),
        words: Cow<[u32]>,
    ) -> Result<Vec<Missing>, PipelineError> {
        if self.of_code.is_empty() {
            return Ok(Vec::new());
        }
        let module = Module::from_words(words)?;
        let annotated = annotated.within(&module);
        let analyses = Analyses::new(&module, Cow::Owned(annotated));
        let required = required_aspects(device, (&analyses, properties), |when| when != Truth::False)?;
        Ok(self.of_code.iter().filter(|missing| required.contains(missing)).cloned().collect())
    }
}

/// True for a requirement that code may explain.
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
    let declared = ModuleDeclarations::as_is(module).unconditional().capabilities;
    let of_kernels = is_of_kernels(module);
    let of_capability = |number: u32| capabilities::required_aspects(number, of_kernels);
    let mut aspects: BTreeSet<u32> =
        declared.into_iter().flat_map(|(number, _)| of_capability(number)).collect();
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
            if counts(evaluate(&conditions.expr_of(when)?, &truth)?) {
                aspects.insert(aspect);
            }
        }
    }
    let mut missing = BTreeSet::new();
    missing.extend(aspects.into_iter().map(|aspect| Missing::Aspect(aspect.into())));
    Ok(missing)
}
