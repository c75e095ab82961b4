//! Instances: what the layer keeps of each, and the functions that it intercepts.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::vk;

use crate::boundary::guarded;
use crate::device;
use crate::fold_cache::FoldCache;
use crate::interface::{DeviceLink, InstanceLink, dispatch_key, take_link};
use crate::messages::{Messengers, Severity};
use crate::privileges::ProcessIdentity;
use crate::properties;
use crate::registry::Registry;
use crate::settings::LayerSettings;

/// The instances that exist.
pub static INSTANCES: Registry<LayerInstance> = Registry::new();

/// An instance.
pub struct LayerInstance {
    /// The next layer's functions.
    pub functions: ash::Instance,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    /// The version of Vulkan that the application uses.
    pub api_version: u32,
    pub settings: LayerSettings,
    /// The cache of folded modules; `None` without one.
    pub fold_cache: Option<Arc<FoldCache>>,
    pub messengers: Messengers,
}

impl LayerInstance {
    /// # Safety
    /// The instance exists, and `next` is the function of the next layer with which it was created.
    unsafe fn new(
        info: &vk::InstanceCreateInfo,
        next: vk::PFN_vkGetInstanceProcAddr,
        handle: vk::Instance,
    ) -> LayerInstance {
        // SAFETY: the caller's. All that the structure points to lives until vkCreateInstance returns. The function has this type.
        unsafe {
            let settings = LayerSettings::read(info.p_next);
            let submit = next(handle, c"vkSubmitDebugUtilsMessageEXT".as_ptr());
            let is_enabled =
                crate::interface::list(info.pp_enabled_extension_names, info.enabled_extension_count)
                    .iter()
                    .any(|&name| CStr::from_ptr(name) == ash::ext::debug_utils::NAME);
            let submit = submit.filter(|_| is_enabled).map(|submit| {
                std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkSubmitDebugUtilsMessageEXT>(
                    submit,
                )
            });
            let messengers = Messengers { instance: handle, submit, report: settings.report };
            let application = info.p_application_info.as_ref();
            LayerInstance {
                functions: ash::Instance::load(&ash::StaticFn { get_instance_proc_addr: next }, handle),
                get_instance_proc_addr: next,
                api_version: application.map_or(0, |application| application.api_version),
                fold_cache: open_fold_cache(&settings, &messengers),
                settings,
                messengers,
            }
        }
    }
}

/// Opens the cache of folded modules, if the settings ask for one.
fn open_fold_cache(settings: &LayerSettings, messengers: &Messengers) -> Option<Arc<FoldCache>> {
    let bytes = settings.fold_cache_size << 20;
    let folder = settings.fold_cache.as_ref().filter(|_| settings.fold && bytes > 0)?;
    match FoldCache::open(folder, bytes, ProcessIdentity::current()) {
        Ok(cache) => Some(Arc::new(cache)),
        Err(reason) => {
            messengers.send(Severity::Warning, format!("folded modules are not kept in {reason}"));
            None
        }
    }
}

/// vkCreateInstance.
///
/// # Safety
/// See Vulkan's specification; the loader calls it.
unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    result: *mut vk::Instance,
) -> vk::Result {
    guarded("vkCreateInstance", vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: the caller's. The next layer's function has this type.
        unsafe {
            let Some(link) = take_link::<InstanceLink>((*info).p_next) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let next = link.get_instance_proc_addr;
            let Some(create) = next(vk::Instance::null(), c"vkCreateInstance".as_ptr()) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let create = std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkCreateInstance>(create);
            let status = create(info, allocator, result);
            if status == vk::Result::SUCCESS {
                let instance = LayerInstance::new(&*info, next, *result);
                INSTANCES.insert(dispatch_key(*result), Arc::new(instance));
            }
            status
        }
    })
}

/// vkDestroyInstance.
///
/// # Safety
/// See [`create_instance`].
unsafe extern "system" fn destroy_instance(
    instance: vk::Instance,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    guarded("vkDestroyInstance", (), || {
        if instance == vk::Instance::null() {
            return;
        }
        // SAFETY: the caller's.
        unsafe {
            if let Some(removed) = INSTANCES.remove(dispatch_key(instance)) {
                (removed.functions.fp_v1_0().destroy_instance)(instance, allocator);
            }
        }
    });
}

/// vkCreateDevice.
///
/// # Safety
/// See [`create_instance`].
unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    result: *mut vk::Device,
) -> vk::Result {
    guarded("vkCreateDevice", vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: the caller's. A physical device has the key of its instance. The next layer's function has this type.
        unsafe {
            let instance = INSTANCES.get(dispatch_key(physical));
            let link = take_link::<DeviceLink>((*info).p_next);
            let (Some(instance), Some(link)) = (instance, link) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let create =
                (link.get_instance_proc_addr)(instance.messengers.instance, c"vkCreateDevice".as_ptr());
            let Some(create) = create else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let create = std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkCreateDevice>(create);
            let status = create(physical, info, allocator, result);
            if status == vk::Result::SUCCESS {
                device::add(&instance, link.get_device_proc_addr, physical, &*info, *result);
            }
            status
        }
    })
}

/// vkGetInstanceProcAddr.
///
/// # Safety
/// See [`create_instance`].
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    guarded("vkGetInstanceProcAddr", None, || {
        // SAFETY: the caller's.
        unsafe {
            let function = CStr::from_ptr(name);
            // The loader asks for these before there is an instance.
            let intercepted = intercepted(function).or_else(|| properties::global(function));
            if intercepted.is_some() || instance == vk::Instance::null() {
                return intercepted;
            }
            let next = INSTANCES.get(dispatch_key(instance))?.get_instance_proc_addr;
            let next = next(instance, name)?;
            device::intercepted(function).or(Some(next))
        }
    })
}

/// Returns the function of an instance that stands before the next layer's.
fn intercepted(name: &CStr) -> vk::PFN_vkVoidFunction {
    let function = match name.to_bytes() {
        b"vkCreateInstance" => create_instance as *const (),
        b"vkDestroyInstance" => destroy_instance as *const (),
        b"vkCreateDevice" => create_device as *const (),
        b"vkGetInstanceProcAddr" => get_instance_proc_addr as *const (),
        _ => return None,
    };
    // SAFETY: it is a function of Vulkan, which its caller knows the type of.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(function) })
}
