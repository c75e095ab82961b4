//! Prepared modules, and plain modules for the device at hand.

use std::ptr;
use std::slice;
use std::sync::Arc;

use crate::boundary::{Named, Out, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::ModuleResult;
use crate::settings::Settings;

/// A module that is prepared for being specialized: what does not depend on the device is computed once. It never changes, and may be used
/// by several threads at once.
pub struct Prepared {
    pub(crate) prepared: spirv_if::Prepared<'static>,
    /// Name of the module.
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
    /// Prepares a module, which it keeps.
    fn new(module: &Module) -> Result<Prepared, Error> {
        let prepared = spirv_if::Prepared::owning(Arc::clone(&module.module))?;
        Ok(Prepared { prepared, name: module.name.clone() })
    }

    /// A call for a device and settings; without them, for one of which nothing is known, and the default settings.
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

    /// A call that specializes, whose error has the ways to resolve it.
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

    /// Writes a result to memory, if it has room for it. Returns the number of words of the result.
    ///
    /// # Safety
    /// There is room for `capacity` words at `words`.
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
                // SAFETY: there is room. Rust has no words without a value.
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

/// Prepares a module for being specialized any number of times.
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

/// Makes a plain module for a device: decides conditions, sets constants, and removes code whose condition does not hold. A device that
/// does not run the result is refused; one that is not known to run it is not (`spvif_result_not_known`), unless the settings are strict.
/// `device` may be null, for one of which nothing is known, and `settings` too. What nothing decides is an error unless the settings say otherwise
/// (`spvif_settings_keep_undecided`).
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

/// Like `spvif_specialize`, into the memory of the caller: `capacity` words at `words`, which may hold anything before. `count` becomes the number of words of the
/// result, whether they fit or not; if they do not, the status is `SPVIF_STATUS_BUFFER`. `words` may be null if `capacity` is 0: such a call asks
/// for the number alone. Where there is an error, the memory
/// holds no module; beyond the result and the size of the module it stays as it was.
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

/// A key of what `spvif_specialize` gives, of 16 bytes at `key`: module, device and settings with equal keys give equal words, or the same
/// refusal. Nothing is specialized for it. The same settings in another order have another key. It is the same in every process, and another one in every version of the library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_prepared_key(
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

/// Frees a prepared module. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_prepared_destroy(prepared: *mut Prepared) {
    // SAFETY: as above.
    unsafe { destroy(prepared) }
}
