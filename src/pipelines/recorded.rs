//! Requirements that property sets record, where constants may remove the code that has them.
//!
//! Property sets do not say why a module requires an aspect. If its code or its declarations explain an aspect, the aspect counts as far as
//! a result still requires it. All other requirements stay as recorded, because the reason is outside of the code: an attribute of a
//! function, or the host.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::PipelineError;
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, Annotated, ModuleRoot, RootRequirements};
use crate::compatibility::{Missing, ModuleDeclarations, check_requirements};
use crate::condition::{Truth, evaluate};
use crate::device::{Device, capabilities};
use crate::loader::Module;
use crate::metadata::property_sets::DeviceRequirements;

/// The recorded requirements that a device does not meet.
#[derive(Debug, Default)]
pub struct MissingRequirements {
    /// The requirements that code does not explain.
    pub always: Vec<Missing>,
    /// The aspects that code explains.
    pub of_code: Vec<Missing>,
}

impl MissingRequirements {
    /// Compares the recorded requirements of a module with a device. The code is only read if an aspect is missing.
    ///
    /// # Errors
    /// If a condition is malformed, or the requirements of the code cannot be found.
    pub fn new(
        device: &Device,
        recorded: &DeviceRequirements,
        analyses: &Analyses,
    ) -> Result<MissingRequirements, PipelineError> {
        let missing = check_requirements(device, recorded)?.missing;
        let explained = match missing.iter().any(is_aspect) {
            true => required_aspects(device, analyses)?,
            false => BTreeSet::new(),
        };
        let (of_code, always) = missing.into_iter().partition(|missing| explained.contains(missing));
        Ok(MissingRequirements { always, of_code })
    }

    /// Adds the requirements of another module.
    pub fn extend(&mut self, other: MissingRequirements) {
        self.always.extend(other.always);
        self.of_code.extend(other.of_code);
    }

    /// Returns the aspects of code that a result still requires. `annotated` are the annotations of the module before.
    ///
    /// # Errors
    /// If the requirements of the code cannot be found.
    pub fn of_result(
        mut self,
        device: &Device,
        annotated: &Annotated,
        words: Cow<[u32]>,
    ) -> Result<Vec<Missing>, PipelineError> {
        if self.of_code.is_empty() {
            return Ok(Vec::new());
        }
        let module = Module::from_words(words)?;
        let annotated = annotated.within(&module);
        let required = required_aspects(device, &Analyses::new(&module, Cow::Owned(annotated)))?;
        self.of_code.retain(|missing| required.contains(missing));
        Ok(self.of_code)
    }
}

/// True for a requirement that code may explain.
pub fn is_aspect(missing: &Missing) -> bool {
    matches!(missing, Missing::Aspect(_))
}

/// Returns the aspects that a module requires on a device by its declarations and its code. Code counts unless it is known to be removed.
fn required_aspects(device: &Device, analyses: &Analyses) -> Result<BTreeSet<Missing>, PipelineError> {
    let (module, summaries) = (analyses.module(), analyses.summaries()?);
    let declared = ModuleDeclarations::as_is(module).unconditional().capabilities;
    let of_kernels = is_of_kernels(module);
    let of_capability = |number: u32| capabilities::required_aspects(number, of_kernels);
    let mut aspects: BTreeSet<u32> =
        declared.into_iter().flat_map(|(number, _)| of_capability(number)).collect();
    let mut conditions = summaries.conditions.clone();
    for root in ModuleRoot::all(analyses) {
        let summary = root.summary(summaries);
        let required = RootRequirements::of_root(analyses, root, &summary, &mut conditions)?;
        for (aspect, when) in required.used {
            let when = conditions.expr_of(when)?;
            if evaluate(&when, &|leaf| device.truth(leaf))? != Truth::False {
                aspects.insert(aspect);
            }
        }
    }
    Ok(aspects.into_iter().map(|aspect| Missing::Aspect(aspect.into())).collect())
}
