//! The annotations file: properties of modules that are not in the modules themselves.

use std::sync::{Mutex, PoisonError};

use super::error::{Error, RequestErrorKind};
use crate::analysis::{Annotated, Unmatched};
use crate::device::DeviceConfig;
use crate::metadata::annotations;

/// An annotations file (`spec-extensions/annotations.md`): conditions, aspects and fixed targets of functions, the meaning of
/// specialization constants. [`Module::with_annotations`](crate::Module::with_annotations) applies it to a module.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if::module::Annotations;
/// let annotations = Annotations::from_yaml("shader.yaml", "functions: { fast_path: { when: fp16 } }")?;
/// let module = Module::from_words(&[0x0723_0203, 0x0001_0000, 0, 1, 0][..])?.with_annotations(&annotations)?;
/// assert_eq!(annotations.unmatched(), ["shader.yaml:1: no function is named `fast_path`"]);
/// # Ok::<(), spirv_if::Error>(())
/// ```
#[derive(Debug)]
pub struct Annotations {
    pub(crate) inner: annotations::AnnotationsFile,
    /// The entries that matched nothing in any module so far; `None` before the first.
    unmatched: Mutex<Option<Vec<Unmatched>>>,
}

impl Annotations {
    /// Reads a file; `source_name` is its name in errors.
    ///
    /// # Errors
    /// If it is malformed, with the line.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<Annotations, Error> {
        let inner = annotations::AnnotationsFile::from_yaml(source_name, text)?;
        Ok(Annotations { inner, unmatched: Mutex::new(None) })
    }

    /// Returns true if it names functions by their ids, which are valid in one module only.
    pub fn names_ids(&self) -> bool {
        self.inner.names_ids()
    }

    /// Checks that a device configuration has the devices that entries name as fixed targets.
    ///
    /// # Errors
    /// If one matches no device, with its line.
    pub fn check_devices(&self, devices: &DeviceConfig) -> Result<(), Error> {
        Ok(self.inner.check_devices(devices)?)
    }

    /// Returns the errors of entries that matched nothing in any of the modules that the file was applied to.
    pub fn unmatched(&self) -> Vec<String> {
        let unmatched = self.unmatched.lock().unwrap_or_else(PoisonError::into_inner);
        unmatched.iter().flatten().map(|entry| entry.error(&self.inner).to_string()).collect()
    }

    /// Checks that each entry matched something in some module that the file was applied to.
    ///
    /// # Errors
    /// [`Error::Request`] with a line for each entry that did not.
    pub fn check_matches(&self) -> Result<(), Error> {
        match self.unmatched() {
            unmatched if unmatched.is_empty() => Ok(()),
            unmatched => Err(Error::request(RequestErrorKind::Annotations, unmatched.join("\n"))),
        }
    }

    /// Records the matches of the file in another module.
    pub(crate) fn note(&self, annotated: &Annotated) {
        let mut unmatched = self.unmatched.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *unmatched {
            Some(all) => Unmatched::retain_common(all, &annotated.unmatched),
            None => *unmatched = Some(annotated.unmatched.clone()),
        }
    }
}
