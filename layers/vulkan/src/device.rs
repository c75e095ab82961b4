//! Devices: what the layer keeps of each, and the functions that it intercepts.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use ash::vk;

use crate::boundary::guarded;
use crate::code::{SpecializedCode, Specializer};
use crate::fold::{ConstantFold, FoldableModule};
use crate::instance::LayerInstance;
use crate::interface::{CreatePipelineBinaries, GetDeviceProcAddr, GetPipelineKey, dispatch_key, list};
use crate::messages::Severity;
use crate::pipelines;
use crate::registry::Registry;

#[cfg(test)]
mod tests;

/// The devices that exist.
static DEVICES: Registry<LayerDevice> = Registry::new();

/// A device.
pub struct LayerDevice {
    handle: vk::Device,
    get_device_proc_addr: GetDeviceProcAddr,
    pub next: NextFunctions,
    specializer: Specializer,
    /// Only if the settings ask for it.
    fold: Option<ConstantFold>,
    /// Gone if the application destroys its instance first.
    instance: Weak<LayerInstance>,
    /// The modules that depend on values that the application sets when it creates pipelines.
    modules: RwLock<BTreeMap<vk::ShaderModule, Arc<KeptModule>>>,
}

/// A module that values of specialization constants change.
enum KeptModule {
    /// The code of a packed module with conditions that they decide.
    Open(Vec<u32>),
    Foldable(Box<FoldableModule>),
}

/// Declares the next layer's functions. Those of extensions that are not enabled do not exist.
macro_rules! next_functions {
    ($($field:ident: $type:ty = $name:literal,)*) => {
        /// The next layer's functions for a device.
        pub struct NextFunctions {
            $(pub $field: Option<$type>,)*
        }

        impl NextFunctions {
            /// # Safety
            /// The function is that of the next layer for the device.
            unsafe fn load(get: GetDeviceProcAddr, device: vk::Device) -> NextFunctions {
                // SAFETY: the caller's. A function of this name has this type.
                unsafe {
                    NextFunctions {
                        $($field: get(device, $name.as_ptr()).map(|function| {
                            std::mem::transmute::<unsafe extern "system" fn(), $type>(function)
                        }),)*
                    }
                }
            }
        }
    };
}

next_functions! {
    destroy_device: vk::PFN_vkDestroyDevice = c"vkDestroyDevice",
    create_shader_module: vk::PFN_vkCreateShaderModule = c"vkCreateShaderModule",
    destroy_shader_module: vk::PFN_vkDestroyShaderModule = c"vkDestroyShaderModule",
    identify_shader_module: vk::PFN_vkGetShaderModuleCreateInfoIdentifierEXT = c"vkGetShaderModuleCreateInfoIdentifierEXT",
    create_compute_pipelines: vk::PFN_vkCreateComputePipelines = c"vkCreateComputePipelines",
    create_graphics_pipelines: vk::PFN_vkCreateGraphicsPipelines = c"vkCreateGraphicsPipelines",
    create_ray_tracing_pipelines: vk::PFN_vkCreateRayTracingPipelinesKHR = c"vkCreateRayTracingPipelinesKHR",
    create_ray_tracing_pipelines_nv: vk::PFN_vkCreateRayTracingPipelinesNV = c"vkCreateRayTracingPipelinesNV",
    create_execution_graph_pipelines: vk::PFN_vkCreateExecutionGraphPipelinesAMDX = c"vkCreateExecutionGraphPipelinesAMDX",
    create_shaders: vk::PFN_vkCreateShadersEXT = c"vkCreateShadersEXT",
    get_pipeline_key: GetPipelineKey = c"vkGetPipelineKeyKHR",
    create_pipeline_binaries: CreatePipelineBinaries = c"vkCreatePipelineBinariesKHR",
}

/// Keeps what the layer needs of a new device.
///
/// # Safety
/// The device is one of this physical device of the instance, was created with the structure, and `get` is the next layer's function for it.
pub unsafe fn add(
    instance: &Arc<LayerInstance>,
    get: GetDeviceProcAddr,
    physical: vk::PhysicalDevice,
    info: &vk::DeviceCreateInfo,
    handle: vk::Device,
) {
    // SAFETY: the caller's.
    unsafe {
        let described =
            spirv_if_probe::from_vulkan_enabled(&instance.functions, physical, instance.api_version, info);
        let get_instance = instance.get_instance_proc_addr;
        let described = described.map(|device| {
            spirv_if_probe::with_cooperative_matrices(device, get_instance, &instance.functions, physical)
        });
        let specializer = Specializer {
            device: described.map_err(|error| error.to_string()),
            settings: instance.settings.clone(),
        };
        let fold = instance.settings.fold.then(|| ConstantFold {
            min_size: instance.settings.fold_min_size,
            cache: instance.fold_cache.clone(),
            driver: driver_identity(&instance.functions, physical),
        });
        let device = LayerDevice {
            handle,
            get_device_proc_addr: get,
            next: NextFunctions::load(get, handle),
            specializer,
            fold,
            instance: Arc::downgrade(instance),
            modules: RwLock::default(),
        };
        DEVICES.insert(dispatch_key(handle), Arc::new(device));
    }
}

/// Returns the bytes that identify a device and the version of its driver.
///
/// # Safety
/// The device is one of the instance.
unsafe fn driver_identity(functions: &ash::Instance, physical: vk::PhysicalDevice) -> Vec<u8> {
    // SAFETY: the caller's.
    let properties = unsafe { functions.get_physical_device_properties(physical) };
    let numbers = [properties.vendor_id, properties.device_id, properties.driver_version];
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    numbers.chain(properties.pipeline_cache_uuid).collect()
}

impl LayerDevice {
    fn send(&self, severity: Severity, message: &str) {
        if let Some(instance) = self.instance.upgrade() {
            instance.messengers.send(severity, message);
        }
    }

    /// Returns the code that replaces the application's, as [`Specializer::specialize`] does.
    fn specialize(
        &self,
        code: &[u32],
        values: Option<&vk::SpecializationInfo>,
    ) -> Result<Option<SpecializedCode>, vk::Result> {
        self.specializer.specialize(code, values, &|severity, message| self.send(severity, message))
    }

    /// Returns the code that replaces the application's in a pipeline or shader object with these values; `None` if it stays as it is.
    pub fn replace_code(
        &self,
        code: &[u32],
        values: Option<&vk::SpecializationInfo>,
    ) -> Result<Option<Vec<u32>>, vk::Result> {
        let specialized = self.specialize(code, values)?.map(|specialized| specialized.words);
        let folded = self.fold.as_ref().zip(values).and_then(|(fold, values)| {
            let code = specialized.as_deref().unwrap_or(code);
            fold.fold_code(code, values, &|severity, message| self.send(severity, message))
        });
        Ok(folded.or(specialized))
    }

    /// Returns the code that replaces a module in a pipeline with these values; `None` if it stays as it is.
    pub fn replace_module(
        &self,
        module: vk::ShaderModule,
        values: &vk::SpecializationInfo,
    ) -> Result<Option<Vec<u32>>, vk::Result> {
        let kept = self.modules.read().unwrap_or_else(PoisonError::into_inner).get(&module).cloned();
        match (kept.as_deref(), &self.fold) {
            (Some(KeptModule::Open(code)), _) => self.replace_code(code, Some(values)),
            (Some(KeptModule::Foldable(module)), Some(fold)) => {
                Ok(fold.fold(module, values, &|severity, message| self.send(severity, message)))
            }
            _ => Ok(None),
        }
    }

    /// Keeps what values of specialization constants may change of a module: its code, or what replaced it.
    fn keep(&self, module: vk::ShaderModule, code: &[u32], specialized: Option<&SpecializedCode>) {
        let kept = match specialized {
            Some(specialized) if specialized.depends_on_values => Some(KeptModule::Open(code.to_vec())),
            _ => {
                let code = specialized.map_or(code, |specialized| &specialized.words);
                self.fold
                    .as_ref()
                    .and_then(|fold| fold.keep(code))
                    .map(|module| KeptModule::Foldable(Box::new(module)))
            }
        };
        if let Some(kept) = kept {
            let mut modules = self.modules.write().unwrap_or_else(PoisonError::into_inner);
            modules.insert(module, Arc::new(kept));
        }
    }

    /// Creates a shader module of code, like one that the application describes.
    ///
    /// # Safety
    /// See vkCreateShaderModule.
    pub unsafe fn create_module(
        &self,
        info: &vk::ShaderModuleCreateInfo,
        allocator: *const vk::AllocationCallbacks<'_>,
        result: *mut vk::ShaderModule,
    ) -> vk::Result {
        let Some(create) = self.next.create_shader_module else { return vk::Result::ERROR_UNKNOWN };
        // SAFETY: the caller's.
        unsafe { create(self.handle, info, allocator, result) }
    }

    /// Destroys a shader module.
    ///
    /// # Safety
    /// See vkDestroyShaderModule.
    pub unsafe fn destroy_module(
        &self,
        module: vk::ShaderModule,
        allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if let Some(destroy) = self.next.destroy_shader_module {
            // SAFETY: the caller's.
            unsafe { destroy(self.handle, module, allocator) };
        }
    }
}

/// Returns the device with a handle.
///
/// # Safety
/// The device exists.
pub unsafe fn find(device: vk::Device) -> Result<Arc<LayerDevice>, vk::Result> {
    // SAFETY: the caller's.
    DEVICES.get(unsafe { dispatch_key(device) }).ok_or(vk::Result::ERROR_UNKNOWN)
}

/// Returns the code of a module.
///
/// # Safety
/// It has as many bytes as the structure says.
pub unsafe fn code_of<'a>(info: &vk::ShaderModuleCreateInfo) -> &'a [u32] {
    // SAFETY: the caller's.
    unsafe { list(info.p_code, (info.code_size / 4).try_into().unwrap_or_default()) }
}

/// vkDestroyDevice.
///
/// # Safety
/// See Vulkan's specification, as for all functions below.
unsafe extern "system" fn destroy_device(device: vk::Device, allocator: *const vk::AllocationCallbacks<'_>) {
    guarded("vkDestroyDevice", (), || {
        if device == vk::Device::null() {
            return;
        }
        // SAFETY: the caller's.
        unsafe {
            let removed = DEVICES.remove(dispatch_key(device));
            if let Some(destroy) = removed.and_then(|removed| removed.next.destroy_device) {
                destroy(device, allocator);
            }
        }
    });
}

/// vkCreateShaderModule.
unsafe extern "system" fn create_shader_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    result: *mut vk::ShaderModule,
) -> vk::Result {
    guarded("vkCreateShaderModule", vk::Result::ERROR_UNKNOWN, || {
        let create = || {
            // SAFETY: the caller's.
            unsafe {
                let device = find(device)?;
                let code = code_of(&*info);
                let specialized = device.specialize(code, None)?;
                let info = match &specialized {
                    Some(specialized) => (*info).code(&specialized.words),
                    None => *info,
                };
                device.create_module(&info, allocator, result).result()?;
                device.keep(*result, code, specialized.as_ref());
                Ok(())
            }
        };
        create().err().unwrap_or(vk::Result::SUCCESS)
    })
}

/// vkDestroyShaderModule.
unsafe extern "system" fn destroy_shader_module(
    device: vk::Device,
    module: vk::ShaderModule,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    guarded("vkDestroyShaderModule", (), || {
        // SAFETY: the caller's.
        unsafe {
            let Ok(device) = find(device) else { return };
            // First, since another module may have this handle then.
            device.modules.write().unwrap_or_else(PoisonError::into_inner).remove(&module);
            device.destroy_module(module, allocator);
        }
    });
}

/// vkGetShaderModuleCreateInfoIdentifierEXT: the identifier is that of the module which vkCreateShaderModule makes.
unsafe extern "system" fn identify_shader_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guarded("vkGetShaderModuleCreateInfoIdentifierEXT", (), || {
        // SAFETY: the caller's.
        unsafe {
            let Ok(layer_device) = find(device) else { return };
            let Some(identify) = layer_device.next.identify_shader_module else { return };
            match layer_device.specialize(code_of(&*info), None) {
                Ok(Some(specialized)) => identify(device, &(*info).code(&specialized.words), identifier),
                _ => identify(device, info, identifier),
            }
        }
    });
}

/// vkGetDeviceProcAddr.
pub unsafe extern "system" fn get_device_proc_addr(
    device: vk::Device,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    guarded("vkGetDeviceProcAddr", None, || {
        // SAFETY: the caller's.
        unsafe {
            let next = (find(device).ok()?.get_device_proc_addr)(device, name)?;
            intercepted(CStr::from_ptr(name)).or(Some(next))
        }
    })
}

/// Returns the function of a device that stands before the next layer's.
pub fn intercepted(name: &CStr) -> vk::PFN_vkVoidFunction {
    let function = match name.to_bytes() {
        b"vkGetDeviceProcAddr" => get_device_proc_addr as *const (),
        b"vkDestroyDevice" => destroy_device as *const (),
        b"vkCreateShaderModule" => create_shader_module as *const (),
        b"vkDestroyShaderModule" => destroy_shader_module as *const (),
        b"vkGetShaderModuleCreateInfoIdentifierEXT" => identify_shader_module as *const (),
        b"vkCreateComputePipelines" => pipelines::create_compute_pipelines as *const (),
        b"vkCreateGraphicsPipelines" => pipelines::create_graphics_pipelines as *const (),
        b"vkCreateRayTracingPipelinesKHR" => pipelines::create_ray_tracing_pipelines as *const (),
        b"vkCreateRayTracingPipelinesNV" => pipelines::create_ray_tracing_pipelines_nv as *const (),
        b"vkCreateExecutionGraphPipelinesAMDX" => pipelines::create_execution_graph_pipelines as *const (),
        b"vkGetPipelineKeyKHR" => pipelines::get_pipeline_key as *const (),
        b"vkCreatePipelineBinariesKHR" => pipelines::create_pipeline_binaries as *const (),
        b"vkCreateShadersEXT" => pipelines::create_shaders as *const (),
        _ => return None,
    };
    // SAFETY: it is a function of Vulkan, which its caller knows the type of.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(function) })
}
