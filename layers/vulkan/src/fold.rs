//! Folding: the values of specialization constants are set before a driver gets a module. The library decides what becomes of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ash::vk;
use sha2::{Digest, Sha256};
use spirv_if::module::Interface;
use spirv_if::{Device, Error, Module, Prepared};

use crate::code::SendMessage;
use crate::constants::given_values;
use crate::fold_cache::{DIGEST, FoldCache, FoldKey};
use crate::messages::Severity;

/// Begins each key: another number for results that are made, or stored, in another way.
const FORMAT: &str = concat!("spirv-if ", env!("CARGO_PKG_VERSION"), " fold 1");

/// The folding of modules for a device.
pub struct ConstantFold {
    /// The size in bytes from which on modules are folded.
    pub min_size: u64,
    pub cache: Option<Arc<FoldCache>>,
    /// The identity of the device and its driver.
    pub driver: Vec<u8>,
}

/// A module whose constants are set later.
pub struct FoldableModule {
    module: Arc<Module<'static>>,
    prepared: Prepared<'static>,
    digest: [u8; DIGEST],
}

impl ConstantFold {
    /// Keeps a module of which later calls may set the constants. Returns `None` for one that is never folded: it is small, has no specialization
    /// constants, or is malformed.
    pub fn keep(&self, code: &[u32]) -> Option<FoldableModule> {
        let module = Arc::new(Module::from_words(self.is_large(code).then(|| code.to_vec())?).ok()?);
        let has_constants = !Interface::new(&module).spec_ids.is_empty();
        let prepared = has_constants.then(|| Prepared::owning(Arc::clone(&module)).ok()).flatten()?;
        Some(FoldableModule { digest: digest(code), module, prepared })
    }

    /// Sets the constants of a module as the driver would. Returns `None` if the driver gets the module as it is.
    pub fn fold(
        &self,
        module: &FoldableModule,
        info: &vk::SpecializationInfo,
        send: SendMessage,
    ) -> Option<Vec<u32>> {
        let set = |values: &Values| set_constants(&module.prepared, values);
        self.find_or_make(module.module.words(), &module.digest, info, &set, send)
    }

    /// Like [`ConstantFold::fold`], for code that is used once.
    pub fn fold_code(
        &self,
        code: &[u32],
        info: &vk::SpecializationInfo,
        send: SendMessage,
    ) -> Option<Vec<u32>> {
        let set = |values: &Values| set_constants(&Prepared::new(&Module::from_words(code)?)?, values);
        self.is_large(code).then(|| self.find_or_make(code, &digest(code), info, &set, send)).flatten()
    }

    fn is_large(&self, code: &[u32]) -> bool {
        4 * code.len() as u64 >= self.min_size
    }

    fn find_or_make(
        &self,
        code: &[u32],
        digest: &[u8; DIGEST],
        info: &vk::SpecializationInfo,
        set: &dyn Fn(&Values) -> Result<Vec<u32>, Error>,
        send: SendMessage,
    ) -> Option<Vec<u32>> {
        let values = given_values(info);
        if values.is_empty() {
            return None;
        }
        let key = self.key(digest, &values);
        let size = 4 * code.len();
        if let Some(stored) = self.cache.as_ref().and_then(|cache| cache.load(&key)) {
            send(
                Severity::Info,
                &format!("{} of {size} bytes of a module stay, by the cache", 4 * stored.len()),
            );
            return Some(stored);
        }
        match set(&values) {
            Ok(words) if words == code => None,
            Ok(words) => {
                send(
                    Severity::Info,
                    &format!("{} of {size} bytes of a module stay with its constants set", 4 * words.len()),
                );
                if let Some(Err(error)) = self.cache.as_ref().map(|cache| cache.store(&key, &words)) {
                    send(Severity::Warning, &format!("the cache of folded modules is not written: {error}"));
                }
                Some(words)
            }
            Err(reason) => {
                send(
                    Severity::Info,
                    &format!("left the constants of a module of {size} bytes to the driver: {reason}"),
                );
                None
            }
        }
    }

    /// Returns the key of a module with values.
    fn key(&self, digest: &[u8; DIGEST], values: &Values) -> FoldKey {
        let mut hasher = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(FORMAT.as_bytes());
        add(&self.driver);
        add(digest);
        for (spec_id, bytes) in values {
            add(&spec_id.to_le_bytes());
            add(bytes);
        }
        FoldKey(hasher.finalize().into())
    }
}

/// The bytes of values by SpecId.
type Values = BTreeMap<u32, Vec<u8>>;

fn digest(code: &[u32]) -> [u8; DIGEST] {
    let mut hasher = Sha256::new();
    // In parts, so that no copy of the module is made.
    for words in code.chunks(1024) {
        let mut bytes = [0; 4096];
        for (place, word) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *place = word.to_le_bytes();
        }
        hasher.update(&bytes[..4 * words.len()]);
    }
    hasher.finalize().into()
}

/// Sets all constants of a module: to the values, or to their defaults.
fn set_constants(prepared: &Prepared, values: &Values) -> Result<Vec<u32>, Error> {
    let settings = prepared.host_settings(|spec_id| values.get(&spec_id.number()).map(Vec::as_slice));
    Ok(prepared.specialize(&Device::default(), &settings)?.words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn words(fixture: &str) -> Vec<u32> {
        let bytes = std::fs::read(format!("../../fixtures/{fixture}.spv")).unwrap();
        Module::from_bytes(&bytes).unwrap().words().to_vec()
    }

    /// Folds a fixture with values of 32 bits, as a module and as code; returns the result and the messages.
    fn folded(fold: &ConstantFold, code: &[u32], values: &[(u32, u32)]) -> (Option<Vec<u32>>, Vec<String>) {
        let entries: Vec<_> = (0..)
            .zip(values)
            .map(|(index, &(constant_id, _))| vk::SpecializationMapEntry {
                constant_id,
                offset: 4 * index,
                size: 4,
            })
            .collect();
        let data: Vec<u8> = values.iter().flat_map(|(_, value)| value.to_ne_bytes()).collect();
        let info = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let messages = RefCell::new(Vec::new());
        let send = |_: Severity, message: &str| messages.borrow_mut().push(message.to_owned());
        let result = fold.fold_code(code, &info, &send);
        let of_module = fold.keep(code).and_then(|module| fold.fold(&module, &info, &send));
        if fold.cache.is_none() {
            assert_eq!(of_module, result);
        }
        (result, messages.into_inner())
    }

    const fn without_cache(min_size: u64) -> ConstantFold {
        ConstantFold { min_size, cache: None, driver: Vec::new() }
    }

    #[test]
    fn constants_have_the_values_of_the_application_or_their_defaults() {
        let code = words("ubershaders/forward");
        let fold = without_cache(0);
        let all: Vec<(u32, u32)> = (0..40).map(|spec_id| (spec_id, 0)).collect();
        let (small, messages) = folded(&fold, &code, &all);
        let small = small.unwrap();
        assert!(small.len() * 5 < code.len(), "{} of {}", small.len(), code.len());
        assert!(Interface::new(&Module::from_words(&small[..]).unwrap()).spec_ids.is_empty());
        assert!(messages[0].ends_with(" bytes of a module stay with its constants set"), "{messages:?}");
        // All defaults are true.
        let (large, _) = folded(&fold, &code, &all[..1]);
        let (expected, _) = folded(
            &fold,
            &code,
            &(0..40).map(|spec_id| (spec_id, u32::from(spec_id > 0))).collect::<Vec<_>>(),
        );
        assert_eq!(large, expected);
        assert!(large.unwrap().len() > 2 * small.len());
        // Vulkan permits values for constants that do not exist.
        assert_eq!(folded(&fold, &code, &[&all[..], &[(77, 1)]].concat()).0.as_ref(), Some(&small));
    }

    #[test]
    fn what_gains_nothing_is_left_to_the_driver() {
        let code = words("ubershaders/forward");
        let bytes = 4 * code.len() as u64;
        assert!(folded(&without_cache(bytes), &code, &[(0, 0)]).0.is_some());
        assert_eq!(folded(&without_cache(bytes + 1), &code, &[(0, 0)]), (None, Vec::new()));
        assert_eq!(folded(&without_cache(0), &code, &[]), (None, Vec::new()));
        assert!(without_cache(0).keep(&words("layers/triangle")).is_none(), "no constants");
        assert_eq!(folded(&without_cache(0), &words("layers/triangle"), &[(0, 0)]), (None, Vec::new()));
        let (result, messages) = folded(&without_cache(0), &code[..code.len() - 1], &[(0, 0)]);
        assert!(result.is_none());
        assert!(messages[0].starts_with("left the constants of a module of "), "{messages:?}");
    }

    #[test]
    fn all_that_decides_a_result_is_in_its_key() {
        let fold = without_cache(0);
        let values = |list: &[(u32, u32)]| -> Values {
            list.iter().map(|&(spec_id, value)| (spec_id, value.to_ne_bytes().to_vec())).collect()
        };
        let (one, other) = (digest(&[1, 2, 3]), digest(&[1, 2, 4]));
        let key = fold.key(&one, &values(&[(0, 1), (1, 2)]));
        assert_eq!(
            key,
            without_cache(5).key(&one, &values(&[(1, 2), (0, 1)])),
            "the order of values does not count"
        );
        let another_driver = ConstantFold { driver: vec![1], ..without_cache(0) };
        let others = [
            fold.key(&other, &values(&[(0, 1), (1, 2)])),
            fold.key(&one, &values(&[(0, 1)])),
            fold.key(&one, &values(&[(0, 1), (1, 3)])),
            fold.key(&one, &values(&[(0, 1), (2, 2)])),
            another_driver.key(&one, &values(&[(0, 1), (1, 2)])),
        ];
        for (index, other) in others.iter().enumerate() {
            assert!(*other != key && !others[..index].contains(other), "{index}");
        }
        // The digest is that of the bytes of a file.
        let long = words("ubershaders/forward");
        let bytes: Vec<u8> = long.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(digest(&long)[..], Sha256::digest(&bytes)[..]);
    }
}
