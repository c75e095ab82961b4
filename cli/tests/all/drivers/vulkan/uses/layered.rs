//! A driver under Khronos' validation layer.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::NonNull;

use ash::vk;
use spirv_if::Device;
use spirv_if_inspect::{VulkanFeature, VulkanRequirements};

use super::super::VulkanResult;
use super::cases::tessellation_evaluation;
use super::shader::UseCase;
use crate::common::{assemble_named, root};

thread_local! {
    /// The errors that the layer reported.
    static ERRORS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The first device of the only driver, under Khronos' layer.
pub struct LayeredVulkan {
    instance: ash::Instance,
    physical: vk::PhysicalDevice,
    /// The requested version of Vulkan.
    api: u32,
    _entry: ash::Entry,
}

unsafe extern "system" fn on_message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT,
    stops: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives a structure with texts that end.
    let (name, message) = unsafe {
        let text = |text: *const c_char| {
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        };
        (text((*data).p_message_id_name), text((*data).p_message))
    };
    ERRORS.with_borrow_mut(|errors| errors.push(format!("{name} {message}")));
    (!stops.is_null()).into()
}

impl LayeredVulkan {
    /// Opens the device. If `stops`, the layer keeps calls about which it complains from the driver.
    pub fn open(api: u32, stops: bool) -> VulkanResult<LayeredVulkan> {
        // SAFETY: the loader's library is genuine; all that infos point to lives until the calls return.
        unsafe {
            let entry = ash::Entry::load()?;
            let application = vk::ApplicationInfo::default().api_version(api);
            let extensions = [vk::EXT_DEBUG_UTILS_NAME.as_ptr()];
            // By default the layer says of ten modules only what rule they break.
            let mut every_time = vk::LayerSettingEXT::default()
                .layer_name(c"VK_LAYER_KHRONOS_validation")
                .setting_name(c"enable_message_limit")
                .ty(vk::LayerSettingTypeEXT::BOOL32)
                .values(&[0; size_of::<vk::Bool32>()]);
            every_time.value_count = 1;
            let every_time = [every_time];
            let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&every_time);
            let info = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_extension_names(&extensions)
                .push_next(&mut settings);
            let instance = entry.create_instance(&info, None)?;
            // The callback only asks if it is null.
            let user_data = if stops { NonNull::dangling().as_ptr() } else { std::ptr::null_mut() };
            let messenger = vk::DebugUtilsMessengerCreateInfoEXT::default()
                .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
                .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
                .pfn_user_callback(Some(on_message))
                .user_data(user_data);
            ash::ext::debug_utils::Instance::new(&entry, &instance)
                .create_debug_utils_messenger(&messenger, None)?;
            let physical =
                *instance.enumerate_physical_devices()?.first().ok_or("the driver has no device")?;
            Ok(LayeredVulkan { instance, physical, api, _entry: entry })
        }
    }

    /// Has `use_info` work with what creates a device with the requirements of a module, except for one feature.
    fn with_info<T>(
        &self,
        required: &VulkanRequirements,
        without: Option<VulkanFeature>,
        use_info: impl FnOnce(&vk::DeviceCreateInfo) -> T,
    ) -> VulkanResult<T> {
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&[1.0])];
        let names: Vec<CString> =
            required.extensions().iter().map(|name| CString::new(*name)).collect::<Result<_, _>>()?;
        let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
        let chain = required.chain();
        if let Some(feature) = without {
            let (number, at) = place(feature)?;
            let mut next = chain.as_ptr().cast::<vk::BaseOutStructure>().cast_mut();
            // SAFETY: each structure of the chain has this head, and is of the type that its number says.
            unsafe {
                while !next.is_null() {
                    if (*next).s_type.as_raw() == number {
                        next.cast::<u32>().add(4 + at).write(vk::FALSE);
                    }
                    next = (*next).p_next;
                }
            }
        }
        let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
        info = info.enabled_extension_names(&names);
        info.p_next = chain.as_ptr();
        Ok(use_info(&info))
    }

    /// The device as the library sees it, created or not.
    pub fn described(
        &self,
        created: Option<(&VulkanRequirements, Option<VulkanFeature>)>,
    ) -> VulkanResult<Device> {
        let Some((required, without)) = created else {
            // SAFETY: the device is one of this instance.
            return Ok(unsafe { spirv_if_probe::from_vulkan(&self.instance, self.physical, self.api) }?);
        };
        // SAFETY: as above.
        let describe = |info: &vk::DeviceCreateInfo| unsafe {
            spirv_if_probe::from_vulkan_enabled(&self.instance, self.physical, self.api, info)
        };
        Ok(self.with_info(required, without, describe)??)
    }

    /// The errors of the layer where a pipeline of a module is created on a device.
    pub fn errors(
        &self,
        words: &[u32],
        stage: &str,
        required: &VulkanRequirements,
        without: Option<VulkanFeature>,
    ) -> VulkanResult<Vec<String>> {
        self.errors_on(&self.device(required, without)?, words, stage)
    }

    /// Creates a device with what a module requires, but for a feature.
    pub fn device(
        &self,
        required: &VulkanRequirements,
        without: Option<VulkanFeature>,
    ) -> VulkanResult<ash::Device> {
        // SAFETY: all that infos point to lives until the calls return.
        let create =
            |info: &vk::DeviceCreateInfo| unsafe { self.instance.create_device(self.physical, info, None) };
        let device = self.with_info(required, without, create)?;
        Ok(device.map_err(|error| format!("{error} for {required:?}: {:?}", ERRORS.take()))?)
    }

    /// Returns what the layer says of a module on a device.
    pub fn errors_on(&self, device: &ash::Device, words: &[u32], stage: &str) -> VulkanResult<Vec<String>> {
        ERRORS.with_borrow_mut(Vec::clear);
        // SAFETY: the process is for modules that the driver has at least the features for.
        unsafe { create_pipeline(device, words, stage)? };
        Ok(ERRORS.with_borrow_mut(std::mem::take))
    }
}

/// The number of a structure, and the index of a member of it.
fn place(feature: VulkanFeature) -> VulkanResult<(i32, usize)> {
    let table = std::fs::read_to_string(root().join("spec-extensions/vulkan-structures.csv"))?;
    let row = table.lines().find(|row| row.starts_with(&format!("{},", feature.structure)));
    let fields: Vec<&str> = row.ok_or("no such structure")?.split(',').collect();
    let at = fields[7].split(' ').position(|member| member == feature.member).ok_or("no such member")?;
    Ok((fields[2].parse()?, at))
}

/// Creates a pipeline. Neither it nor what it needs is destroyed: the process ends soon.
///
/// # Safety
/// The driver must survive the module.
unsafe fn create_pipeline(device: &ash::Device, words: &[u32], stage: &str) -> VulkanResult<()> {
    // SAFETY: all that infos point to lives until the calls return, and handles are of this device.
    unsafe {
        let used = match stage {
            "GLCompute" => vk::ShaderStageFlags::COMPUTE,
            "Vertex" => vk::ShaderStageFlags::VERTEX,
            "TessellationControl" => vk::ShaderStageFlags::TESSELLATION_CONTROL,
            "Geometry" => vk::ShaderStageFlags::GEOMETRY,
            "Fragment" => vk::ShaderStageFlags::FRAGMENT,
            "MeshEXT" => vk::ShaderStageFlags::MESH_EXT,
            "TaskEXT" => vk::ShaderStageFlags::TASK_EXT,
            // The layer complains about modules of other stages before they are in a pipeline.
            _ => {
                let _ = device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None);
                return Ok(());
            }
        };
        let mut kinds = vec![
            vk::DescriptorType::STORAGE_BUFFER,
            vk::DescriptorType::UNIFORM_BUFFER,
            vk::DescriptorType::STORAGE_IMAGE,
            vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        ];
        if used == vk::ShaderStageFlags::FRAGMENT {
            kinds.push(vk::DescriptorType::INPUT_ATTACHMENT);
        }
        let bindings: Vec<_> = (0..)
            .zip(kinds)
            .map(|(binding, kind)| {
                let layout = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(kind);
                layout.descriptor_count(1).stage_flags(used)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [device.create_descriptor_set_layout(&info, None)?];
        let ranges = [vk::PushConstantRange::default().stage_flags(used).size(16)];
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&ranges);
        let layout = device.create_pipeline_layout(&info, None)?;
        let module = |words: &[u32]| {
            device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None)
        };
        // A module that the layer refuses is not a module, and no pipeline is asked for.
        let Ok(shader) = module(words) else { return Ok(()) };
        let stage_of = |stage, module| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        };
        let shaders = stage_of(used, shader);
        let cache = vk::PipelineCache::null();
        if used == vk::ShaderStageFlags::COMPUTE {
            let info = vk::ComputePipelineCreateInfo::default().stage(shaders).layout(layout);
            let _ = device.create_compute_pipelines(cache, &[info], None);
            return Ok(());
        }
        let mut all = vec![shaders];
        if used == vk::ShaderStageFlags::TASK_EXT {
            all.push(stage_of(vk::ShaderStageFlags::MESH_EXT, shader).name(c"mesh"));
        }
        if let vk::ShaderStageFlags::FRAGMENT
        | vk::ShaderStageFlags::TESSELLATION_CONTROL
        | vk::ShaderStageFlags::GEOMETRY = used
        {
            let (vertex, _) = assemble_named(&UseCase::new("", "Vertex", "").text(), "spv1.3");
            all.push(stage_of(vk::ShaderStageFlags::VERTEX, module(&vertex)?));
        }
        let mut topology = vk::PrimitiveTopology::TRIANGLE_LIST;
        if used == vk::ShaderStageFlags::TESSELLATION_CONTROL {
            let (evaluation, _) = assemble_named(&tessellation_evaluation().text(), "spv1.3");
            all.push(stage_of(vk::ShaderStageFlags::TESSELLATION_EVALUATION, module(&evaluation)?));
            topology = vk::PrimitiveTopology::PATCH_LIST;
        }
        let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(3);
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
        let (viewports, scissors) =
            ([vk::Viewport::default().width(1.0).height(1.0)], [vk::Rect2D::default()]);
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default()
            .line_width(1.0)
            .rasterizer_discard_enable(used == vk::ShaderStageFlags::VERTEX);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let blending = vk::PipelineColorBlendStateCreateInfo::default();
        let subpasses =
            [vk::SubpassDescription::default().pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
        let pass = vk::RenderPassCreateInfo::default().subpasses(&subpasses);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&all)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .tessellation_state(&tessellation)
            .viewport_state(&viewport)
            .rasterization_state(&rasterization)
            .multisample_state(&samples)
            .color_blend_state(&blending)
            .layout(layout)
            .render_pass(device.create_render_pass(&pass, None)?);
        let _ = device.create_graphics_pipelines(cache, &[info], None);
        Ok(())
    }
}
