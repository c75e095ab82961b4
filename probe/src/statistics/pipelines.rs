//! Creates pipelines.

use std::ffi::{CStr, CString};
use std::time::{Duration, Instant};

use ash::vk;
use spirv::ExecutionModel;
use spirv_if_inspect::statistics::{CompileFailure, ConstantBytes};

use super::layout::PipelineLayout;
use super::pipeline_stages::{GraphicsState, InputPrimitives};
use super::vulkan::{DeviceObject, OpenDevice, refused};

/// The bytes of the largest attribute of hits that every device has.
const MAX_HIT_ATTRIBUTE: u32 = 32;

impl OpenDevice<'_> {
    /// # Safety
    /// See [`OpenDevice::compile`].
    pub unsafe fn shader(&self, words: &[u32]) -> Result<vk::ShaderModule, CompileFailure> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the caller's.
        let shader = unsafe { self.device.create_shader_module(&info, None) };
        let shader = shader.map_err(refused("vkCreateShaderModule"))?;
        self.keep(DeviceObject::Shader(shader));
        Ok(shader)
    }

    fn flags(&self) -> vk::PipelineCreateFlags {
        match self.driver.has_statistics {
            true => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
            false => vk::PipelineCreateFlags::empty(),
        }
    }

    /// # Safety
    /// See [`OpenDevice::compile`].
    pub unsafe fn compute(
        &self,
        layout: &PipelineLayout,
        stage: StageModule,
    ) -> Result<(Duration, vk::Pipeline), CompileFailure> {
        let (name, values) = (entry_name(stage.2)?, SpecializationData::new(stage.3));
        let specialization = values.info();
        let stage = stage_info(stage, &name, &specialization);
        let info =
            vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout.handle).flags(self.flags());
        let start = Instant::now();
        // SAFETY: the caller's.
        let created =
            unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        let created = created.map_err(|(_, result)| refused("vkCreateComputePipelines")(result))?[0];
        let mut time = start.elapsed();
        self.keep(DeviceObject::Pipeline(created));
        if self.driver.compiles_late {
            // SAFETY: the caller's.
            time += unsafe { self.use_once(layout, created) }.map_err(refused("a dispatch"))?;
        }
        Ok((time, created))
    }

    /// Dispatches no work-groups, after which the driver has compiled the pipeline.
    ///
    /// # Safety
    /// See [`OpenDevice::compile`].
    unsafe fn use_once(
        &self,
        layout: &PipelineLayout,
        pipeline: vk::Pipeline,
    ) -> Result<Duration, vk::Result> {
        let device = &self.device;
        // SAFETY: like in `compile`. No invocation runs, so that none uses a descriptor.
        unsafe {
            let sets = layout.empty_sets(self)?;
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.family);
            let pool = device.create_command_pool(&info, None)?;
            self.keep(DeviceObject::Commands(pool));
            let info = vk::CommandBufferAllocateInfo::default()
                .command_pool(pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let commands = device.allocate_command_buffers(&info)?;
            device.begin_command_buffer(commands[0], &vk::CommandBufferBeginInfo::default())?;
            let point = vk::PipelineBindPoint::COMPUTE;
            device.cmd_bind_pipeline(commands[0], point, pipeline);
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands[0], point, layout.handle, 0, &sets, &[]);
            }
            layout.push_zeros(self, commands[0]);
            device.cmd_dispatch(commands[0], 0, 1, 1);
            device.end_command_buffer(commands[0])?;
            let queue = device.get_device_queue(self.family, 0);
            let start = Instant::now();
            let submit = vk::SubmitInfo::default().command_buffers(&commands);
            device.queue_submit(queue, &[submit], vk::Fence::null())?;
            device.queue_wait_idle(queue)?;
            Ok(start.elapsed())
        }
    }

    /// # Safety
    /// See [`OpenDevice::compile`].
    pub unsafe fn graphics(
        &self,
        layout: &PipelineLayout,
        modules: &[StageModule],
        state: &GraphicsState,
    ) -> Result<(Duration, vk::Pipeline), CompileFailure> {
        let GraphicsState { inputs, colors, primitives } = state;
        let names = modules.iter().map(|stage| entry_name(stage.2)).collect::<Result<Vec<_>, _>>()?;
        let values: Vec<SpecializationData> =
            modules.iter().map(|stage| SpecializationData::new(stage.3)).collect();
        let infos: Vec<vk::SpecializationInfo> = values.iter().map(SpecializationData::info).collect();
        let stages: Vec<_> = modules
            .iter()
            .zip(&names)
            .zip(&infos)
            .map(|((stage, name), info)| stage_info(*stage, name, info))
            .collect();
        let attributes: Vec<_> = inputs
            .iter()
            .map(|(&location, slot)| {
                vk::VertexInputAttributeDescription::default()
                    .location(location)
                    .format(slot.format())
                    .offset(16 * location)
            })
            .collect();
        let stride = 16 * inputs.keys().last().map_or(1, |last| last + 1);
        let bindings = [vk::VertexInputBindingDescription::default().stride(stride)];
        let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_attribute_descriptions(&attributes)
            .vertex_binding_descriptions(if attributes.is_empty() { &[] } else { &bindings });
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology(*primitives));
        let patches = match primitives {
            InputPrimitives::Patches(vertices) => *vertices,
            _ => 0,
        };
        let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(patches);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let multisample = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let depth = vk::PipelineDepthStencilStateCreateInfo::default();
        let count = colors.keys().last().map_or(0, |last| last + 1);
        let writes = vec![
            vk::PipelineColorBlendAttachmentState::default()
                .color_write_mask(vk::ColorComponentFlags::RGBA);
            count as usize
        ];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&writes);
        let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        // SAFETY: the caller's.
        unsafe {
            let pass = layout.render_pass(self, colors)?;
            let mut info = vk::GraphicsPipelineCreateInfo::default()
                .flags(self.flags())
                .stages(&stages)
                .vertex_input_state(&vertex_input)
                .input_assembly_state(&assembly)
                .viewport_state(&viewport)
                .rasterization_state(&rasterization)
                .multisample_state(&multisample)
                .depth_stencil_state(&depth)
                .color_blend_state(&blend)
                .dynamic_state(&dynamic)
                .layout(layout.handle)
                .render_pass(pass);
            if patches > 0 {
                info = info.tessellation_state(&tessellation);
            }
            let start = Instant::now();
            let created = self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
            let created = created.map_err(|(_, result)| refused("vkCreateGraphicsPipelines")(result))?[0];
            let time = start.elapsed();
            self.keep(DeviceObject::Pipeline(created));
            Ok((time, created))
        }
    }

    /// Creates a pipeline of a stage of rays alone: a library, of which and of others applications make pipelines.
    ///
    /// # Safety
    /// See [`OpenDevice::compile`].
    pub unsafe fn rays(
        &self,
        layout: &PipelineLayout,
        stage: StageModule,
        payload: u32,
    ) -> Result<(Duration, vk::Pipeline), CompileFailure> {
        use vk::RayTracingShaderGroupTypeKHR as Type;
        let (name, values) = (entry_name(stage.2)?, SpecializationData::new(stage.3));
        let specialization = values.info();
        let stages = [stage_info(stage, &name, &specialization)];
        let group = vk::RayTracingShaderGroupCreateInfoKHR::default()
            .general_shader(vk::SHADER_UNUSED_KHR)
            .closest_hit_shader(vk::SHADER_UNUSED_KHR)
            .any_hit_shader(vk::SHADER_UNUSED_KHR)
            .intersection_shader(vk::SHADER_UNUSED_KHR);
        let groups = [match stage.0 {
            ExecutionModel::ClosestHitKHR => group.ty(Type::TRIANGLES_HIT_GROUP).closest_hit_shader(0),
            ExecutionModel::AnyHitKHR => group.ty(Type::TRIANGLES_HIT_GROUP).any_hit_shader(0),
            ExecutionModel::IntersectionKHR => group.ty(Type::PROCEDURAL_HIT_GROUP).intersection_shader(0),
            _ => group.ty(Type::GENERAL).general_shader(0),
        }];
        let interface = vk::RayTracingPipelineInterfaceCreateInfoKHR::default()
            .max_pipeline_ray_payload_size(payload)
            .max_pipeline_ray_hit_attribute_size(MAX_HIT_ATTRIBUTE);
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .flags(self.flags() | vk::PipelineCreateFlags::LIBRARY_KHR)
            .stages(&stages)
            .groups(&groups)
            .library_interface(&interface)
            .max_pipeline_ray_recursion_depth(1)
            .layout(layout.handle);
        let functions =
            ash::khr::ray_tracing_pipeline::Device::new(&self.driver.loaded.instance, &self.device);
        let start = Instant::now();
        // SAFETY: the caller's.
        let created = unsafe {
            let none = vk::DeferredOperationKHR::null();
            functions.create_ray_tracing_pipelines(none, vk::PipelineCache::null(), &[info], None)
        };
        let created = created.map_err(|(_, result)| refused("vkCreateRayTracingPipelinesKHR")(result))?[0];
        let time = start.elapsed();
        self.keep(DeviceObject::Pipeline(created));
        Ok((time, created))
    }
}

/// A stage: its model, its module, the name of the entry point, and values of constants.
pub type StageModule<'s> = (ExecutionModel, vk::ShaderModule, &'s str, &'s [ConstantBytes]);

/// Returns the stage of an execution model of which pipelines are made.
pub fn stage_flag(model: ExecutionModel) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Flags;
    match model {
        ExecutionModel::Vertex => Flags::VERTEX,
        ExecutionModel::TessellationControl => Flags::TESSELLATION_CONTROL,
        ExecutionModel::TessellationEvaluation => Flags::TESSELLATION_EVALUATION,
        ExecutionModel::Geometry => Flags::GEOMETRY,
        ExecutionModel::Fragment => Flags::FRAGMENT,
        ExecutionModel::TaskEXT => Flags::TASK_EXT,
        ExecutionModel::MeshEXT => Flags::MESH_EXT,
        ExecutionModel::RayGenerationKHR => Flags::RAYGEN_KHR,
        ExecutionModel::IntersectionKHR => Flags::INTERSECTION_KHR,
        ExecutionModel::AnyHitKHR => Flags::ANY_HIT_KHR,
        ExecutionModel::ClosestHitKHR => Flags::CLOSEST_HIT_KHR,
        ExecutionModel::MissKHR => Flags::MISS_KHR,
        ExecutionModel::CallableKHR => Flags::CALLABLE_KHR,
        _ => Flags::COMPUTE,
    }
}

fn topology(primitives: InputPrimitives) -> vk::PrimitiveTopology {
    match primitives {
        InputPrimitives::Points => vk::PrimitiveTopology::POINT_LIST,
        InputPrimitives::Lines => vk::PrimitiveTopology::LINE_LIST,
        InputPrimitives::LinesWithAdjacency => vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY,
        InputPrimitives::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
        InputPrimitives::TrianglesWithAdjacency => vk::PrimitiveTopology::TRIANGLE_LIST_WITH_ADJACENCY,
        InputPrimitives::Patches(_) => vk::PrimitiveTopology::PATCH_LIST,
    }
}

fn stage_info<'i>(
    (model, module, ..): StageModule,
    name: &'i CStr,
    specialization: &'i vk::SpecializationInfo<'i>,
) -> vk::PipelineShaderStageCreateInfo<'i> {
    vk::PipelineShaderStageCreateInfo::default()
        .stage(stage_flag(model))
        .module(module)
        .name(name)
        .specialization_info(specialization)
}

fn entry_name(name: &str) -> Result<CString, CompileFailure> {
    CString::new(name)
        .map_err(|_| CompileFailure::Unsupported(format!("the entry point {name:?} has a name with a 0")))
}

/// Values of specialization constants, in the form that Vulkan takes.
struct SpecializationData {
    entries: Vec<vk::SpecializationMapEntry>,
    bytes: Vec<u8>,
}

impl SpecializationData {
    fn new(constants: &[ConstantBytes]) -> SpecializationData {
        let mut data = SpecializationData { entries: Vec::new(), bytes: Vec::new() };
        for constant in constants {
            let entry = vk::SpecializationMapEntry::default()
                .constant_id(constant.spec_id)
                .offset(data.bytes.len() as u32)
                .size(constant.bytes.len());
            data.entries.push(entry);
            data.bytes.extend(&constant.bytes);
        }
        data
    }

    fn info(&self) -> vk::SpecializationInfo<'_> {
        vk::SpecializationInfo::default().map_entries(&self.entries).data(&self.bytes)
    }
}
