//! Modules for a device.

use spirv_if::device::Api;
use spirv_if::specialize::{SpecConstant, SpecValue, Specialized};
use spirv_if::{Condition, Device, Error, Module, Prepared, Settings};

use crate::error::BundleError;
use crate::file::{Bundle, Shader, Variant};
use crate::ready::{Question, QuestionKind, Ready, ReadyChoice};

impl Bundle<'_> {
    /// Returns a plain module of a shader for a device: the first variant whose condition holds, specialized by the engine. Constants
    /// that the bundle fixes keep its values, whatever the settings say. For a [ready](Shader::ready) shader only decisions of the host and the values of
    /// constants count in settings.
    ///
    /// # Errors
    /// If there is no such shader, no variant is for the device, or the engine refuses the module.
    pub fn get_for(
        &self,
        name: &str,
        device: &Device,
        settings: &Settings,
    ) -> Result<Specialized, BundleError> {
        if let Some(ready) = self.shader(name)?.ready() {
            return Ok(Specialized::from_words(ready.select_for(device, settings)?.words()?));
        }
        let variant = self.shader(name)?.variant_for(&settings.apply_to_device(device))?;
        let words = variant.words()?;
        let module = Module::from_words(&words)?.with_name(name);
        let prepared = Prepared::new(&module)?;
        let settings = variant.fix_constants(&prepared, settings.clone())?;
        Ok(prepared.specialize(device, &settings)?)
    }
}

impl<'a> Ready<'a> {
    /// Returns the result for a device, as the engine answers the questions. Settings have decisions of the host and values of constants.
    ///
    /// # Errors
    /// See [`Ready::select`], and if a question is not a condition.
    pub fn select_for(&self, device: &Device, settings: &Settings) -> Result<ReadyChoice<'a>, BundleError> {
        let kinds = self.kinds();
        let device = settings.apply_to_device(device);
        let device = device.for_api(Api::from_kinds(kinds[0], kinds[1]));
        let mut failed = None;
        let choice =
            self.select(|question| match answer(self.question(question), &device, kinds[0], settings) {
                Ok(answer) => answer,
                Err(error) => {
                    failed = Some(error);
                    None
                }
            });
        match failed {
            Some(error) => Err(error.into()),
            None => choice,
        }
    }
}

/// Answers a question about a device.
fn answer(
    question: Question,
    device: &Device,
    in_kernels: bool,
    settings: &Settings,
) -> Result<Option<bool>, Error> {
    Ok(match question.kind {
        QuestionKind::Condition => Condition::parse(question.text)?.evaluate(device)?,
        QuestionKind::Requirement => Condition::parse(question.text)?.is_met_by(device, in_kernels),
        QuestionKind::Constant => {
            let Some((constant, text)) = question.host_value() else { return Ok(None) };
            let is_value = |value: SpecValue| {
                value.to_string() == text || text.parse::<SpecValue>().is_ok_and(|other| other == value)
            };
            settings.value(&constant.parse()?).map(is_value)
        }
    })
}

impl<'a> Shader<'a> {
    /// Returns the first variant whose condition holds on a device.
    ///
    /// # Errors
    /// If none does, or it is not known if one does.
    pub fn variant_for(&self, device: &Device) -> Result<Variant<'a>, BundleError> {
        for variant in self.variants() {
            let Some(condition) = variant.condition() else { return Ok(variant) };
            let parsed = Condition::parse(condition)?;
            let holds = match parsed.evaluate(device)? {
                // The API of the module may decide it.
                None => parsed.evaluate(&device.for_api(Module::from_words(&variant.words()?)?.api()))?,
                known => known,
            };
            match holds {
                Some(true) => return Ok(variant),
                Some(false) => {}
                None => {
                    let (name, condition) = (self.name().to_owned(), condition.to_owned());
                    return Err(BundleError::UndecidedVariant { name, condition });
                }
            }
        }
        let conditions: Vec<&str> = self.variants().filter_map(|variant| variant.condition()).collect();
        Err(BundleError::NoVariant { name: self.name().to_owned(), conditions: conditions.join(" or ") })
    }
}

impl Variant<'_> {
    /// Adds the values of the constants that the bundle fixes to settings for its module. They replace other values of these constants.
    ///
    /// # Errors
    /// If a value does not have the type of its constant.
    pub fn fix_constants(&self, prepared: &Prepared, settings: Settings) -> Result<Settings, BundleError> {
        self.constants().try_fold(settings, |settings, (constant, value)| {
            let constant: SpecConstant = constant.parse()?;
            let value = prepared.parse_value(&constant, value)?;
            Ok(settings.set(constant, value))
        })
    }
}
