//! An instance with a device, and buffers.

use std::ffi::{CStr, CString, c_void};

use ash::vk;

use crate::{Options, Result};

const API: u32 = vk::API_VERSION_1_3;
const LAYER: &CStr = c"VK_LAYER_SPIRVIF_specialize";

/// A device, with what it takes to use it.
pub struct Context {
    pub instance: Instance,
    pub physical: vk::PhysicalDevice,
    pub device: ash::Device,
    pub queue: vk::Queue,
    pub pool: vk::CommandPool,
}

/// An instance, with a messenger if it is asked for.
pub struct Instance {
    pub functions: ash::Instance,
    messenger: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    _entry: ash::Entry,
}

/// Memory that the host sees.
pub struct Buffer {
    pub buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    words: *mut u32,
    count: usize,
    pub address: vk::DeviceAddress,
}

unsafe extern "system" fn print_message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the message ends in 0.
    println!("messenger: {}", unsafe { CStr::from_ptr((*data).p_message) }.to_string_lossy());
    vk::FALSE
}

impl Instance {
    pub unsafe fn new(options: &Options) -> Result<Instance> {
        // SAFETY: all that structures point to lives until the calls return.
        unsafe {
            let entry = ash::Entry::load()?;
            let mut extensions = Vec::new();
            if !options.text("messenger").is_empty() {
                extensions.push(ash::ext::debug_utils::NAME.as_ptr());
            }
            // The application's own settings of layers: KEY:TEXT.
            let pairs = options.list("settings").filter_map(|setting| setting.split_once(':'));
            let pairs = pairs.map(|(key, value)| Ok((CString::new(key)?, CString::new(value)?)));
            let pairs: Vec<(CString, CString)> = pairs.collect::<Result<_>>()?;
            let values: Vec<_> = pairs.iter().map(|(_, value)| [value.as_ptr()]).collect();
            let settings: Vec<_> = pairs
                .iter()
                .zip(&values)
                .map(|((key, _), value)| vk::LayerSettingEXT {
                    p_layer_name: LAYER.as_ptr(),
                    p_setting_name: key.as_ptr(),
                    ty: vk::LayerSettingTypeEXT::STRING,
                    value_count: 1,
                    p_values: value.as_ptr().cast(),
                    ..Default::default()
                })
                .collect();
            let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
            let application = vk::ApplicationInfo::default().api_version(API);
            let layers: Vec<CString> =
                options.list("layers").map(CString::new).collect::<std::result::Result<_, _>>()?;
            let layers: Vec<_> = layers.iter().map(|name| name.as_ptr()).collect();
            let mut info =
                vk::InstanceCreateInfo::default().application_info(&application).enabled_layer_names(&layers);
            if settings.setting_count > 0 {
                extensions.push(ash::ext::layer_settings::NAME.as_ptr());
                info = info.push_next(&mut settings);
            }
            let functions = entry.create_instance(&info.enabled_extension_names(&extensions), None)?;
            let messenger = match options.text("messenger") {
                "" => None,
                _ => {
                    let utils = ash::ext::debug_utils::Instance::new(&entry, &functions);
                    let severities = vk::DebugUtilsMessageSeverityFlagsEXT::ERROR
                        | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING
                        | vk::DebugUtilsMessageSeverityFlagsEXT::INFO;
                    let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
                        .message_severity(severities)
                        .message_type(vk::DebugUtilsMessageTypeFlagsEXT::GENERAL)
                        .pfn_user_callback(Some(print_message));
                    let messenger = utils.create_debug_utils_messenger(&info, None)?;
                    Some((utils, messenger))
                }
            };
            Ok(Instance { functions, messenger, _entry: entry })
        }
    }

    pub unsafe fn destroy(&self) {
        // SAFETY: nothing of the instance is used any more.
        unsafe {
            if let Some((utils, messenger)) = &self.messenger {
                utils.destroy_debug_utils_messenger(*messenger, None);
            }
            self.functions.destroy_instance(None);
        }
    }
}

/// Creates a device with the features and extensions that an entrance needs, and those that the application is told to enable.
pub unsafe fn create_device(
    instance: &Instance,
    options: &Options,
) -> Result<(vk::PhysicalDevice, ash::Device, u32)> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let functions = &instance.functions;
        let physical = *functions.enumerate_physical_devices()?.first().ok_or("there is no device")?;
        let families = functions.get_physical_device_queue_family_properties(physical);
        let wanted = vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS;
        let family = families.iter().position(|family| family.queue_flags.contains(wanted));
        let family = family.ok_or("no queue computes and draws")? as u32;
        let queues =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];

        let mut core = vk::PhysicalDeviceFeatures::default();
        for name in options.list("features") {
            *match name {
                "shaderInt64" => &mut core.shader_int64,
                "shaderInt16" => &mut core.shader_int16,
                "shaderFloat64" => &mut core.shader_float64,
                _ => return Err(format!("unknown feature {name}").into()),
            } = vk::TRUE;
        }
        let entrance = options.text("entrance");
        let mut extensions: Vec<&CStr> = Vec::new();
        let mut vulkan12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut vulkan13 = vk::PhysicalDeviceVulkan13Features::default()
            .dynamic_rendering(true)
            .pipeline_creation_cache_control(true);
        let mut maintenance5 = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
        let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
        let mut libraries =
            vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT::default().graphics_pipeline_library(true);
        let mut rays = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default().ray_tracing_pipeline(true);
        let mut structures =
            vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
        let mut identifiers =
            vk::PhysicalDeviceShaderModuleIdentifierFeaturesEXT::default().shader_module_identifier(true);
        let mut info = vk::DeviceCreateInfo::default();
        if entrance.ends_with("-chained") || entrance.ends_with("-deferred") {
            extensions.push(ash::khr::maintenance5::NAME);
            info = info.push_next(&mut maintenance5);
        }
        if entrance.ends_with("-object") {
            extensions.push(ash::ext::shader_object::NAME);
            info = info.push_next(&mut objects);
        }
        if entrance.ends_with("-library") {
            extensions.extend([ash::khr::pipeline_library::NAME, ash::ext::graphics_pipeline_library::NAME]);
            info = info.push_next(&mut libraries);
        }
        if entrance.ends_with("-identified") {
            extensions.push(ash::ext::shader_module_identifier::NAME);
            info = info.push_next(&mut identifiers);
        }
        if entrance.starts_with("rays-") {
            extensions.extend([
                ash::khr::ray_tracing_pipeline::NAME,
                ash::khr::acceleration_structure::NAME,
                ash::khr::deferred_host_operations::NAME,
            ]);
            vulkan12 = vulkan12.buffer_device_address(true);
            info = info.push_next(&mut rays).push_next(&mut structures);
        }
        let extensions: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let mut features = vk::PhysicalDeviceFeatures2::default().features(core);
        let info = info
            .queue_create_infos(&queues)
            .enabled_extension_names(&extensions)
            .push_next(&mut vulkan12)
            .push_next(&mut vulkan13)
            .push_next(&mut features);
        Ok((physical, functions.create_device(physical, &info, None)?, family))
    }
}

impl Context {
    pub unsafe fn new(options: &Options) -> Result<Context> {
        // SAFETY: the caller's.
        unsafe {
            let instance = Instance::new(options)?;
            let (physical, device, family) = create_device(&instance, options)?;
            let queue = device.get_device_queue(family, 0);
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let pool = device.create_command_pool(&info, None)?;
            Ok(Context { instance, physical, device, queue, pool })
        }
    }

    /// Creates a buffer of `count` words, which are zeros, and maps it.
    pub unsafe fn buffer(&self, count: usize, usage: vk::BufferUsageFlags) -> Result<Buffer> {
        // SAFETY: the memory is as large as the buffer, and stays mapped.
        unsafe {
            let size = 4 * count as u64;
            let info = vk::BufferCreateInfo::default().size(size).usage(usage);
            let buffer = self.device.create_buffer(&info, None)?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let has_address = usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
            let mut flags = vk::MemoryAllocateFlagsInfo::default();
            if has_address {
                flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
            }
            let memory = self.memory(needs, vk::MemoryPropertyFlags::HOST_COHERENT, &mut flags)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let words = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
            let words = words.cast::<u32>();
            words.write_bytes(0, count);
            let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
            let address = if has_address { self.device.get_buffer_device_address(&info) } else { 0 };
            Ok(Buffer { buffer, memory, words, count, address })
        }
    }

    pub unsafe fn memory(
        &self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
        flags: &mut vk::MemoryAllocateFlagsInfo,
    ) -> Result<vk::DeviceMemory> {
        // SAFETY: the type is one of the device.
        unsafe {
            let types = self.instance.functions.get_physical_device_memory_properties(self.physical);
            let mut allowed =
                (0..types.memory_type_count).filter(|index| needs.memory_type_bits >> index & 1 == 1);
            let index = allowed
                .find(|index| types.memory_types[*index as usize].property_flags.contains(wanted))
                .ok_or("there is no such memory")?;
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(index)
                .push_next(flags);
            Ok(self.device.allocate_memory(&info, None)?)
        }
    }

    /// Records commands, and waits until they are done.
    pub unsafe fn submit(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        // SAFETY: the commands are recorded and done before the call returns.
        unsafe {
            let info =
                vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
            let commands = self.device.allocate_command_buffers(&info)?;
            self.device.begin_command_buffer(commands[0], &Default::default())?;
            record(commands[0]);
            let stages = vk::PipelineStageFlags::ALL_COMMANDS;
            let written = [vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
                .dst_access_mask(vk::AccessFlags::HOST_READ)];
            let (none, host) = (vk::DependencyFlags::empty(), vk::PipelineStageFlags::HOST);
            self.device.cmd_pipeline_barrier(commands[0], stages, host, none, &written, &[], &[]);
            self.device.end_command_buffer(commands[0])?;
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            self.device.queue_submit(self.queue, &[submit], vk::Fence::null())?;
            Ok(self.device.device_wait_idle()?)
        }
    }

    pub unsafe fn destroy(&self) {
        // SAFETY: nothing of the device is used any more.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy();
        }
    }
}

impl Buffer {
    /// The words, of which no command changes any at this time.
    pub unsafe fn words(&self) -> &[u32] {
        // SAFETY: the memory stays mapped, and the caller's.
        unsafe { std::slice::from_raw_parts(self.words, self.count) }
    }

    /// Like [`Buffer::words`], to change them.
    pub unsafe fn words_mut(&mut self) -> &mut [u32] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.words, self.count) }
    }

    pub unsafe fn destroy(&self, context: &Context) {
        // SAFETY: no command uses it any more.
        unsafe {
            context.device.destroy_buffer(self.buffer, None);
            context.device.free_memory(self.memory, None);
        }
    }
}
