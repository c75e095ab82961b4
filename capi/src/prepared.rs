//! Prepared modules, and plain modules for one device.

use std::ptr;
use std::slice;
use std::sync::Arc;

use crate::boundary::{Named, Out, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::ModuleResult;
use crate::settings::Settings;

/// A module that is prepared for specializing: everything that does not depend on the device is computed once. It is immutable:
/// several threads may use it at once.
pub struct Prepared {
    pub(crate) prepared: spirv_if::Prepared<'static>,
    /// The name of the module.
    name: Option<Arc<str>>,
}

impl Named for Prepared {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<spirv_if::Prepared<'static>>();
    is_shared::<Module>();
    is_shared::<Settings>();
    is_shared::<Device>();
};

impl Prepared {
    /// Prepares a module, and keeps it.
    fn new(module: &Module) -> Result<Prepared, Error> {
        let prepared = spirv_if::Prepared::owning(Arc::clone(&module.module))?;
        Ok(Prepared { prepared, name: module.name.clone() })
    }

    /// Calls a function with a device and settings. A missing device is unknown, and missing settings are the default settings.
    pub fn with<R>(
        &self,
        device: Option<&Device>,
        settings: Option<&Settings>,
        body: impl FnOnce(&spirv_if::Prepared<'static>, &spirv_if::Device, &spirv_if::Settings) -> R,
    ) -> Result<R, Error> {
        let (unknown, defaults) = (spirv_if::Device::default(), Settings::default());
        let device = device.map_or(&unknown, |device| &device.0);
        Ok(body(&self.prepared, device, settings.unwrap_or(&defaults).0.get()?))
    }

    /// Calls a function that specializes. Its errors list ways to resolve them.
    pub fn specializing<R>(
        &self,
        device: Option<&Device>,
        settings: Option<&Settings>,
        body: impl FnOnce(
            &spirv_if::Prepared<'static>,
            &spirv_if::Device,
            &spirv_if::Settings,
        ) -> Result<R, spirv_if::Error>,
    ) -> Result<R, Error> {
        self.with(device, settings, |prepared, device, settings| {
            body(prepared, device, settings).map_err(|error| {
                let hints = prepared.hints(&error, &[device], settings);
                Error::with_hints(error, &hints)
            })
        })?
    }

    /// Writes a result to memory, if its words fit. Returns the number of words of the result.
    ///
    /// # Safety `words` must be valid for writing `capacity` words.
    unsafe fn write(
        &self,
        device: Option<&Device>,
        settings: Option<&Settings>,
        words: *mut u32,
        capacity: usize,
    ) -> Result<usize, Error> {
        let write = |prepared: &spirv_if::Prepared<'static>,
                     device: &spirv_if::Device,
                     settings: &spirv_if::Settings|
         -> Result<usize, spirv_if::Error> {
            let segments = prepared.specialize_in_segments(&[device], settings)?;
            let count = segments.len();
            if count <= capacity {
                // SAFETY: `words` has room for `count` words, which are initialized first.
                let memory = unsafe {
                    ptr::write_bytes(words, 0, count);
                    slice::from_raw_parts_mut(words, count)
                };
                segments.write_to(memory);
            }
            Ok(count)
        };
        self.specializing(device, settings, write)
    }
}

/// Prepares a module for specializing it any number of times.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_prepare(
    module: *const Module,
    prepared: *mut *mut Prepared,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(prepared)?;
            out.set(Prepared::new(required(module, "module")?)?);
            Ok(())
        })
    }
}

/// Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold.
/// `device` may be null for an unknown device, and `settings` for the default settings.
///
/// A device that does not run the result is an error (`SPVIF_STATUS_REFUSED`). A device that is not known to run it is an error
/// only if the settings are strict (`spvif_result_not_known`). A condition that nothing decides is an error unless the settings
/// say otherwise (`spvif_settings_unset`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_specialize(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(result)?;
            let prepared = required(prepared, "prepared")?;
            let specialized =
                prepared.specializing(device.as_ref(), settings.as_ref(), spirv_if::Prepared::specialize)?;
            out.set(ModuleResult::new(specialized));
            Ok(())
        })
    }
}

/// Like `spvif_specialize`, but writes the result into the caller's memory, which has room for `capacity` words at `words`. The
/// memory needs no initial values.
///
/// `count` receives the number of words of the result, even if they do not fit. The status is then `SPVIF_STATUS_BUFFER`. If
/// `capacity` is 0, `words` may be null: such a call returns only the number.
///
/// After an error, the memory holds no module. Words beyond the size of both the result and the module are never changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_specialize_into(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    words: *mut u32,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            required(count, "count")?;
            count.write(0);
            let prepared = required(prepared, "prepared")?;
            let words = match capacity {
                0 => ptr::dangling_mut(),
                _ => {
                    required(words, "words")?;
                    words
                }
            };
            let written = prepared.write(device.as_ref(), settings.as_ref(), words, capacity)?;
            count.write(written);
            if written > capacity {
                let message = format!("the result has {written} words, and the buffer {capacity}");
                return Err(Error::new(Status::Buffer, message));
            }
            Ok(())
        })
    }
}

/// Writes a cache key for the result of `spvif_specialize`: 16 bytes at `key`. Specializes nothing. If the keys of two calls are
/// equal, the results have equal words, or the refusals are equal. The same settings in another order have another key. Keys are
/// the same in every process, and differ between versions of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_prepared_cache_key(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    key: *mut u8,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            required(key, "key")?;
            let prepared = required(prepared, "prepared")?;
            let bytes =
                prepared.with(device.as_ref(), settings.as_ref(), spirv_if::Prepared::cache_key)?.to_bytes();
            key.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            Ok(())
        })
    }
}

/// Frees a prepared module. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_prepared_destroy(prepared: *mut Prepared) {
    // SAFETY: as above.
    unsafe { destroy(prepared) }
}
