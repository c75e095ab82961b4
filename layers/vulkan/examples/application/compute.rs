//! Compute shaders by every entrance. They have three buffers, and one word of push constants.

use ash::vk;

use crate::context::{Buffer, Context};
use crate::{Options, Result};

/// The number of words of each buffer, if the options name no other.
const FEW: usize = 64;
const STAGE: vk::ShaderStageFlags = vk::ShaderStageFlags::COMPUTE;

/// Descriptors of three buffers, for shaders of any kind.
pub struct Bindings {
    pub buffers: Vec<Buffer>,
    pub set_layouts: [vk::DescriptorSetLayout; 1],
    pub layout: vk::PipelineLayout,
    pool: vk::DescriptorPool,
    pub sets: Vec<vk::DescriptorSet>,
    stages: vk::ShaderStageFlags,
}

impl Bindings {
    pub unsafe fn new(
        context: &Context,
        stages: vk::ShaderStageFlags,
        options: &Options,
    ) -> Result<Bindings> {
        // SAFETY: all that structures point to lives until the calls return.
        unsafe {
            let storage = vk::DescriptorType::STORAGE_BUFFER;
            let mut buffers = Vec::new();
            let count = options.text("words").parse().unwrap_or(FEW);
            for _ in 0..3 {
                buffers.push(context.buffer(count, vk::BufferUsageFlags::STORAGE_BUFFER)?);
            }
            let input = options.words("input")?;
            buffers[0].words_mut()[..input.len()].copy_from_slice(&input);
            if count > FEW {
                // Numbers from 0 to 1, in no order.
                for buffer in &mut buffers[1..] {
                    for (index, word) in (0u32..).zip(buffer.words_mut()) {
                        *word = ((index.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0).to_bits();
                    }
                }
            }
            let bindings = [0, 1, 2].map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(storage)
                    .descriptor_count(1)
                    .stage_flags(stages)
            });
            let device = &context.device;
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layouts = [device.create_descriptor_set_layout(&info, None)?];
            let ranges = [vk::PushConstantRange::default().stage_flags(stages).size(4)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&set_layouts)
                .push_constant_ranges(&ranges);
            let layout = device.create_pipeline_layout(&info, None)?;
            let sizes = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(3)];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = device.create_descriptor_pool(&info, None)?;
            let info =
                vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
            let sets = device.allocate_descriptor_sets(&info)?;
            for (binding, buffer) in (0..).zip(&buffers) {
                let whole = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(vk::WHOLE_SIZE)];
                let write = vk::WriteDescriptorSet::default()
                    .dst_set(sets[0])
                    .dst_binding(binding)
                    .descriptor_type(storage)
                    .buffer_info(&whole);
                device.update_descriptor_sets(&[write], &[]);
            }
            Ok(Bindings { buffers, set_layouts, layout, pool, sets, stages })
        }
    }

    pub unsafe fn bind(&self, context: &Context, commands: vk::CommandBuffer, point: vk::PipelineBindPoint) {
        // SAFETY: the commands are recorded, and the descriptors live until they are done.
        unsafe {
            let device = &context.device;
            device.cmd_bind_descriptor_sets(commands, point, self.layout, 0, &self.sets, &[]);
            device.cmd_push_constants(commands, self.layout, self.stages, 0, &1u32.to_ne_bytes());
        }
    }

    /// Prints the first words of each buffer, and what all words of large ones come to.
    pub unsafe fn print(&self) {
        for (binding, buffer) in self.buffers.iter().enumerate() {
            // SAFETY: the commands are done.
            let words = unsafe { buffer.words() };
            println!("binding {binding}: {:#x} {:#x}", words[0], words[1]);
            if words.len() > FEW {
                let all = words
                    .iter()
                    .fold(1u64, |all, &word| (all ^ u64::from(word)).wrapping_mul(0x100_0000_01b3));
                println!("all of it: {all:#x}");
            }
        }
    }

    pub unsafe fn destroy(&self, context: &Context) {
        // SAFETY: nothing of it is used any more.
        unsafe {
            let device = &context.device;
            device.destroy_descriptor_pool(self.pool, None);
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_set_layout(self.set_layouts[0], None);
            self.buffers.iter().for_each(|buffer| buffer.destroy(context));
        }
    }
}

pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let device = &context.device;
        let code = options.module("module")?;
        let (entries, data) = options.constants()?;
        let values = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let bindings = Bindings::new(context, STAGE, options)?;
        let point = vk::PipelineBindPoint::COMPUTE;
        if options.text("entrance") == "compute-object" {
            let objects = ash::ext::shader_object::Device::new(&context.instance.functions, device);
            let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_ne_bytes()).collect();
            let ranges = [vk::PushConstantRange::default().stage_flags(STAGE).size(4)];
            let info = vk::ShaderCreateInfoEXT::default()
                .stage(STAGE)
                .code_type(vk::ShaderCodeTypeEXT::SPIRV)
                .code(&bytes)
                .name(c"main")
                .set_layouts(&bindings.set_layouts)
                .push_constant_ranges(&ranges)
                .specialization_info(&values);
            let shaders = objects.create_shaders(&[info], None).map_err(|(shaders, error)| {
                assert!(shaders.iter().all(|shader| *shader == vk::ShaderEXT::null()));
                format!("vkCreateShadersEXT: {error:?}")
            })?;
            context.submit(|commands| {
                bindings.bind(context, commands, point);
                objects.cmd_bind_shaders(commands, &[STAGE], &shaders);
                device.cmd_dispatch(commands, 1, 1, 1);
            })?;
            bindings.print();
            objects.destroy_shader(shaders[0], None);
            bindings.destroy(context);
            return Ok(());
        }
        for pipeline in create_pipelines(context, options, &code, &values, bindings.layout)? {
            context.submit(|commands| {
                bindings.bind(context, commands, point);
                device.cmd_bind_pipeline(commands, point, pipeline);
                device.cmd_dispatch(commands, 1, 1, 1);
            })?;
            device.destroy_pipeline(pipeline, None);
        }
        bindings.print();
        bindings.destroy(context);
        Ok(())
    }
}

/// Creates the pipeline, or two equal ones: the second from a cache, or by the identifier of the module.
unsafe fn create_pipelines(
    context: &Context,
    options: &Options,
    code: &[u32],
    values: &vk::SpecializationInfo,
    layout: vk::PipelineLayout,
) -> Result<Vec<vk::Pipeline>> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let device = &context.device;
        let entrance = options.text("entrance");
        let mut chained = vk::ShaderModuleCreateInfo::default().code(code);
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(STAGE).name(c"main");
        let stage = stage.specialization_info(values);
        let mut module = vk::ShaderModule::null();
        // A structure before the code, which is none of the layer's business.
        let mut subgroups = vk::PipelineRobustnessCreateInfoEXT::default();
        let stage = if entrance == "compute-chained" {
            stage.push_next(&mut chained).push_next(&mut subgroups)
        } else {
            module = device
                .create_shader_module(&chained, None)
                .map_err(|error| format!("vkCreateShaderModule: {error:?}"))?;
            stage.module(module)
        };
        let cache = device.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None)?;
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let create = |info: vk::ComputePipelineCreateInfo| {
            device.create_compute_pipelines(cache, &[info], None).map_err(|(pipelines, error)| {
                assert!(pipelines.iter().all(|pipeline| *pipeline == vk::Pipeline::null()));
                format!("vkCreateComputePipelines: {error:?}")
            })
        };
        let mut pipelines = create(info)?;
        let without_compiling = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
        if entrance == "compute-cached" {
            match create(info.flags(without_compiling)) {
                Ok(again) => {
                    println!("the cache has the pipeline");
                    pipelines.extend(again);
                }
                Err(error) => println!("the cache does not have the pipeline: {error}"),
            }
            println!("the cache is empty: {}", device.get_pipeline_cache_data(cache)?.len() <= 32);
        }
        if entrance == "compute-identified" {
            let identifiers =
                ash::ext::shader_module_identifier::Device::new(&context.instance.functions, device);
            let mut of_module = vk::ShaderModuleIdentifierEXT::default();
            (identifiers.fp().get_shader_module_identifier_ext)(device.handle(), module, &mut of_module);
            let mut of_code = vk::ShaderModuleIdentifierEXT::default();
            let info = vk::ShaderModuleCreateInfo::default().code(code);
            (identifiers.fp().get_shader_module_create_info_identifier_ext)(
                device.handle(),
                &info,
                &mut of_code,
            );
            let text =
                |one: &vk::ShaderModuleIdentifierEXT| one.identifier[..one.identifier_size as usize].to_vec();
            println!("one identifier: {}", text(&of_module) == text(&of_code));
            let bytes = text(&of_code);
            let mut identified =
                vk::PipelineShaderStageModuleIdentifierCreateInfoEXT::default().identifier(&bytes);
            let stage = vk::PipelineShaderStageCreateInfo::default().stage(STAGE).name(c"main");
            let stage = stage.specialization_info(values).push_next(&mut identified);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            match create(info.flags(without_compiling)) {
                Ok(again) => {
                    println!("the identifier has a pipeline");
                    pipelines.extend(again);
                }
                Err(error) => println!("the identifier has no pipeline: {error}"),
            }
        }
        device.destroy_pipeline_cache(cache, None);
        device.destroy_shader_module(module, None);
        Ok(pipelines)
    }
}
