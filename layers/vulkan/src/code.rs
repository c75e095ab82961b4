//! Code of shaders: which modules are specialized, and for what.

use ash::vk;
use spirv_if::module::{declares_conditional_code, may_have_conditional_calls};
use spirv_if::specialize::{SpecValue, Specialized, UnsetPolicy};
use spirv_if::{Device, Error, Module, Prepared, Settings};
use spirv_if_layer_common::describe;

use crate::constants::given_values;
use crate::messages::Severity;
use crate::settings::LayerSettings;

/// Everything that decides what becomes of a module.
pub struct Specializer {
    /// The device with what the application enabled; the reason, if that cannot be said.
    pub device: Result<Device, String>,
    pub settings: LayerSettings,
}

/// Code that replaces the application's.
pub struct SpecializedCode {
    pub words: Vec<u32>,
    /// True if the values of specialization constants decide a condition.
    pub depends_on_values: bool,
}

/// Sends a message.
pub type SendMessage<'a> = &'a dyn Fn(Severity, &str);

impl Specializer {
    /// Returns the code that replaces a module: a packed one, one with conditional calls, or one of which the settings require changes; `None` if it
    /// stays as it is.
    ///
    /// `values` are those of specialization constants, where they are known already.
    ///
    /// # Errors
    /// If a module with conditions cannot be specialized. A message says why.
    pub fn specialize(
        &self,
        code: &[u32],
        values: Option<&vk::SpecializationInfo>,
        send: SendMessage,
    ) -> Result<Option<SpecializedCode>, vk::Result> {
        let is_packed = declares_conditional_code(code);
        let is_conditional = is_packed || may_have_conditional_calls(code);
        if !is_conditional && !self.settings.adapt && self.settings.work_around.is_none() {
            return Ok(None);
        }
        let failed = |reason: &dyn std::fmt::Display| {
            let size = 4 * code.len();
            if is_conditional {
                let kind = if is_packed { "packed module" } else { "module with conditional calls" };
                send(Severity::Error, &format!("refused a {kind} of {size} bytes: {reason}"));
                return Err(vk::Result::ERROR_UNKNOWN);
            }
            send(Severity::Warning, &format!("left a module of {size} bytes as it is: {reason}"));
            Ok(None)
        };
        let device = match &self.device {
            Ok(device) => device,
            Err(reason) => return failed(reason),
        };
        match self.specialize_for(device, code, values) {
            Ok((result, _)) if result.words == code => Ok(None),
            Ok((result, depends_on_values)) => {
                report(code, &result, send);
                Ok(Some(SpecializedCode { words: result.words, depends_on_values }))
            }
            Err(reason) => failed(&reason),
        }
    }

    /// Returns the result, and true if values of specialization constants decide a condition.
    fn specialize_for(
        &self,
        device: &Device,
        code: &[u32],
        values: Option<&vk::SpecializationInfo>,
    ) -> Result<(Specialized, bool), Error> {
        let module = Module::from_words(code)?;
        let prepared = Prepared::new(&module)?;
        let settings = Settings::new()
            .adapt(self.settings.adapt)
            .work_around(self.settings.work_around)
            .unset(UnsetPolicy::Error);
        let open = match prepared.specialize(device, &settings) {
            Err(Error::Undecided(open)) => open,
            result => return Ok((result?, false)),
        };
        // The constants of conditional calls exist only in a packed module.
        let mut settings = settings.unset(UnsetPolicy::Default).ignore_unknown(true);
        let values = values.map(given_values).unwrap_or_default();
        for constant in &open.constants {
            if let Some(bytes) = values.get(&constant.spec_id.number()) {
                settings = match constant.condition {
                    Some(_) => settings.set(constant.spec_id, bytes.iter().any(|&byte| byte != 0)),
                    None => settings.set(constant.spec_id, integer(bytes)),
                };
            }
        }
        Ok((prepared.specialize(device, &settings)?, true))
    }
}

/// Says what became of a module.
fn report(code: &[u32], result: &Specialized, send: SendMessage) {
    for (severity, message) in describe(4 * code.len(), result) {
        send(severity, &message);
    }
}

/// Returns the integer in bytes of a value.
fn integer(bytes: &[u8]) -> SpecValue {
    let mut all = [0; 8];
    let count = bytes.len().min(8);
    // SPIR-V has values of up to 64 bits. Vulkan's are in the byte order of the host.
    let place = if cfg!(target_endian = "little") { 0 } else { 8 - count };
    all[place..place + count].copy_from_slice(&bytes[..count]);
    SpecValue::U64(u64::from_ne_bytes(all))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use spirv_if::{PackOptions, pack};

    use super::*;

    fn specializer(device: &str) -> Specializer {
        Specializer {
            device: Device::embedded(device).map_err(|error| error.to_string()),
            settings: LayerSettings::default(),
        }
    }

    fn words(fixture: &str) -> Vec<u32> {
        let bytes = std::fs::read(format!("../../fixtures/{fixture}.spv")).unwrap();
        Module::from_bytes(&bytes).unwrap().words().to_vec()
    }

    fn packed(fixture: &str) -> Vec<u32> {
        pack(&Module::from_words(words(fixture)).unwrap(), &PackOptions::new()).unwrap().words
    }

    #[test]
    fn only_conditional_modules_are_replaced() {
        let specializer = specializer("nvidia_gpu_sm_50");
        let plain = words("ubershaders/post");
        let send = |_: Severity, message: &str| panic!("{message}");
        assert!(specializer.specialize(&plain, None, &send).unwrap().is_none());
        assert!(specializer.specialize(&[], None, &send).unwrap().is_none());
        // Nobody reads it, so nobody complains of it.
        assert!(specializer.specialize(&plain[..plain.len() - 1], None, &send).unwrap().is_none());
        let of_packed = specializer.specialize(&packed("glsl/reduce"), None, &|_, _| ()).unwrap().unwrap();
        assert!(!declares_conditional_code(&of_packed.words) && !of_packed.depends_on_values);
        // Calls that nobody decided would all be made.
        let of_calls = specializer.specialize(&words("glsl/reduce"), None, &|_, _| ()).unwrap().unwrap();
        assert!(!may_have_conditional_calls(&of_calls.words) && !of_calls.depends_on_values);
        assert_eq!(of_calls.words.len(), of_packed.words.len());
    }

    /// A condition that only the host decides does not hold in a module that is not packed, which has no constant for it.
    #[test]
    fn calls_that_nothing_decides_are_not_made() {
        let specializer = specializer("nvidia_gpu_sm_50");
        let replaced = |code: &[u32]| specializer.specialize(code, None, &|_, _| ()).unwrap().unwrap();
        let (of_packed, of_calls) = (packed("decisions/glsldecisions"), words("decisions/glsldecisions"));
        let (of_packed, of_calls) = (replaced(&of_packed), replaced(&of_calls));
        // Packing leaves a larger bound of ids.
        let after_header = |code: &SpecializedCode| code.words[5..].to_vec();
        assert_eq!(after_header(&of_calls), after_header(&of_packed));
    }

    #[test]
    fn a_refused_module_is_an_error_with_its_reason() {
        let mut specializer = specializer("nvidia_gpu_sm_50");
        let messages = RefCell::new(Vec::new());
        let send =
            |severity: Severity, message: &str| messages.borrow_mut().push((severity, message.to_owned()));
        // A word is missing at the end.
        let packed = packed("glsl/reduce");
        let result = specializer.specialize(&packed[..packed.len() - 1], None, &send);
        assert_eq!(result.err(), Some(vk::Result::ERROR_UNKNOWN));
        specializer.device = Err("no version".to_owned());
        for code in [&packed, &words("glsl/reduce")] {
            assert_eq!(specializer.specialize(code, None, &send).err(), Some(vk::Result::ERROR_UNKNOWN));
        }
        let messages = messages.into_inner();
        assert!(messages.iter().all(|(severity, _)| *severity == Severity::Error), "{messages:?}");
        assert!(messages[0].1.starts_with("refused a packed module of "), "{messages:?}");
        assert!(messages[1].1.ends_with(" bytes: no version"), "{messages:?}");
        assert!(messages[2].1.starts_with("refused a module with conditional calls of "), "{messages:?}");
    }

    #[test]
    fn integers_have_up_to_eight_bytes() {
        assert_eq!(integer(&2u32.to_ne_bytes()), SpecValue::U64(2));
        assert_eq!(integer(&[1]), SpecValue::U64(1));
        assert_eq!(integer(&[u64::MAX.to_ne_bytes(), [1; 8]].concat()), SpecValue::U64(u64::MAX));
    }
}
