//! A fragment shader that writes a number to one pixel, after a vertex shader of another module.

use ash::vk;

use crate::context::Context;
use crate::{Options, Result};

const FORMAT: vk::Format = vk::Format::R32_UINT;
const EXTENT: vk::Extent2D = vk::Extent2D { width: 1, height: 1 };

pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let device = &context.device;
        let pipeline_layout =
            device.create_pipeline_layout(&vk::PipelineLayoutCreateInfo::default(), None)?;
        let pipelines = create_pipelines(context, options, pipeline_layout)?;

        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(FORMAT)
            .extent(EXTENT.into())
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC);
        let image = device.create_image(&info, None)?;
        let needs = device.get_image_memory_requirements(image);
        let memory = context.memory(needs, vk::MemoryPropertyFlags::empty(), &mut Default::default())?;
        device.bind_image_memory(image, memory, 0)?;
        let range = vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            level_count: 1,
            layer_count: 1,
            ..Default::default()
        };
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(FORMAT)
            .subresource_range(range);
        let view = device.create_image_view(&info, None)?;
        let buffer = context.buffer(1, vk::BufferUsageFlags::TRANSFER_DST)?;

        context.submit(|commands| {
            let barrier = |from, to, written, read| {
                let barrier = vk::ImageMemoryBarrier::default()
                    .image(image)
                    .old_layout(from)
                    .new_layout(to)
                    .src_access_mask(written)
                    .dst_access_mask(read)
                    .subresource_range(range);
                let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
                device.cmd_pipeline_barrier(commands, all, all, none, &[], &[], &[barrier]);
            };
            let attached = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
            let copied = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            let write = vk::AccessFlags::COLOR_ATTACHMENT_WRITE;
            barrier(vk::ImageLayout::UNDEFINED, attached, vk::AccessFlags::empty(), write);
            let attachments = [vk::RenderingAttachmentInfo::default()
                .image_view(view)
                .image_layout(attached)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)];
            let info = vk::RenderingInfo::default()
                .render_area(EXTENT.into())
                .layer_count(1)
                .color_attachments(&attachments);
            device.cmd_begin_rendering(commands, &info);
            device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipelines[0]);
            device.cmd_draw(commands, 3, 1, 0, 0);
            device.cmd_end_rendering(commands);
            barrier(attached, copied, write, vk::AccessFlags::TRANSFER_READ);
            let layers = vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            };
            let region = vk::BufferImageCopy::default().image_subresource(layers).image_extent(EXTENT.into());
            device.cmd_copy_image_to_buffer(commands, image, copied, buffer.buffer, &[region]);
        })?;
        println!("pixel: {}", buffer.words()[0]);

        buffer.destroy(context);
        device.destroy_image_view(view, None);
        device.destroy_image(image, None);
        device.free_memory(memory, None);
        pipelines.into_iter().for_each(|pipeline| device.destroy_pipeline(pipeline, None));
        device.destroy_pipeline_layout(pipeline_layout, None);
        Ok(())
    }
}

/// Creates the pipeline; then the library of which it is linked, if there is one.
unsafe fn create_pipelines(
    context: &Context,
    options: &Options,
    layout: vk::PipelineLayout,
) -> Result<Vec<vk::Pipeline>> {
    use vk::GraphicsPipelineLibraryFlagsEXT as Part;
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let device = &context.device;
        let entrance = options.text("entrance");
        let (vertex, fragment) = (options.module("vertex")?, options.module("module")?);
        let (entries, data) = options.constants()?;
        let values = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut infos = [&vertex, &fragment].map(|code| vk::ShaderModuleCreateInfo::default().code(code));
        let kinds = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];
        let mut modules = Vec::new();
        let mut stages = Vec::new();
        for (info, kind) in infos.iter_mut().zip(kinds) {
            let stage = vk::PipelineShaderStageCreateInfo::default().stage(kind).name(c"main");
            let stage = stage.specialization_info(&values);
            stages.push(if entrance == "graphics-module" {
                modules.push(
                    device
                        .create_shader_module(info, None)
                        .map_err(|error| format!("vkCreateShaderModule: {error:?}"))?,
                );
                stage.module(modules[modules.len() - 1])
            } else {
                stage.push_next(info)
            });
        }
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let viewports = [vk::Viewport { width: 1.0, height: 1.0, max_depth: 1.0, ..Default::default() }];
        let scissors = [EXTENT.into()];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let rasterization = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let blended =
            [vk::PipelineColorBlendAttachmentState::default()
                .color_write_mask(vk::ColorComponentFlags::RGBA)];
        let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blended);
        let formats = [FORMAT];
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&rasterization)
            .multisample_state(&samples)
            .color_blend_state(&blending)
            .layout(layout)
            .push_next(&mut rendering);
        let create = |info: vk::GraphicsPipelineCreateInfo| {
            device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).map_err(
                |(pipelines, error)| {
                    assert!(pipelines.iter().all(|pipeline| *pipeline == vk::Pipeline::null()));
                    format!("vkCreateGraphicsPipelines: {error:?}")
                },
            )
        };
        let pipelines = if entrance == "graphics-library" {
            let is_library = vk::PipelineCreateFlags::LIBRARY_KHR;
            let mut before = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
                .flags(Part::VERTEX_INPUT_INTERFACE | Part::PRE_RASTERIZATION_SHADERS);
            let mut after = vk::GraphicsPipelineLibraryCreateInfoEXT::default()
                .flags(Part::FRAGMENT_SHADER | Part::FRAGMENT_OUTPUT_INTERFACE);
            let (vertex, fragment) = stages.split_at(1);
            let mut libraries = create(info.stages(vertex).flags(is_library).push_next(&mut before))?;
            libraries.extend(create(info.stages(fragment).flags(is_library).push_next(&mut after))?);
            let mut linked = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
            let mut pipelines =
                create(vk::GraphicsPipelineCreateInfo::default().layout(layout).push_next(&mut linked))?;
            pipelines.extend(libraries);
            pipelines
        } else {
            create(info)?
        };
        modules.into_iter().for_each(|module| device.destroy_shader_module(module, None));
        Ok(pipelines)
    }
}
