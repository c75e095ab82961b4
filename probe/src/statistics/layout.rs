//! The layout of a pipeline, made of the interface of a module.

use std::collections::BTreeMap;

use ash::vk;
use spirv_if::module::Interface;
use spirv_if_inspect::statistics::CompileFailure;

use super::slots::{Slot, SlotKind, Slots};
use super::vulkan::{DeviceObject, OpenDevice, refused};

/// The number of descriptors of an array without a length.
const OPEN_ARRAY: u32 = 16;

/// The layout of a pipeline.
pub struct PipelineLayout {
    pub handle: vk::PipelineLayout,
    sets: Vec<vk::DescriptorSetLayout>,
    /// The numbers of descriptors by their types.
    sizes: Vec<vk::DescriptorPoolSize>,
    input_attachments: u32,
    push_constants: Vec<vk::PushConstantRange>,
}

impl PipelineLayout {
    /// Creates the layout with all bindings and push constants of a module.
    ///
    /// # Safety
    /// The device is alive.
    pub unsafe fn new(open: &OpenDevice, interface: &Interface) -> Result<PipelineLayout, CompileFailure> {
        let device = &open.device;
        // Several variables may share a binding.
        let mut bindings: BTreeMap<(u32, u32), vk::DescriptorSetLayoutBinding> = BTreeMap::new();
        for binding in &interface.bindings {
            let place = format!("set {}, binding {}", binding.set, binding.binding);
            let kind = binding.descriptor_type.ok_or_else(|| {
                CompileFailure::Unsupported(format!("the variable at {place} is no descriptor of Vulkan"))
            })?;
            let of_binding = bindings.entry((binding.set, binding.binding)).or_insert_with(|| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding.binding)
                    .descriptor_type(vk::DescriptorType::from_raw(kind.number().cast_signed()))
            });
            let count = binding.count.unwrap_or(OPEN_ARRAY);
            of_binding.descriptor_count = of_binding.descriptor_count.max(count);
            of_binding.stage_flags |= vk::ShaderStageFlags::from_raw(binding.stage_flags());
        }
        let mut sizes: BTreeMap<i32, u32> = BTreeMap::new();
        for binding in bindings.values() {
            *sizes.entry(binding.descriptor_type.as_raw()).or_default() += binding.descriptor_count.max(1);
        }
        let of_type = |kind: vk::DescriptorType| sizes.get(&kind.as_raw()).copied().unwrap_or(0);
        let input_attachments = of_type(vk::DescriptorType::INPUT_ATTACHMENT);
        let mut sets = Vec::new();
        let count = bindings.keys().last().map_or(0, |(set, _)| set + 1);
        // SAFETY: what infos point to lives until the calls return.
        unsafe {
            for set in 0..count {
                let of_set: Vec<_> =
                    bindings.range((set, 0)..=(set, u32::MAX)).map(|(_, binding)| *binding).collect();
                let flags = vec![vk::DescriptorBindingFlags::PARTIALLY_BOUND; of_set.len()];
                let mut flags =
                    vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
                let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&of_set);
                if open.allows_empty_sets {
                    info = info.push_next(&mut flags);
                }
                let layout = device.create_descriptor_set_layout(&info, None);
                let layout = layout.map_err(refused("vkCreateDescriptorSetLayout"))?;
                open.keep(DeviceObject::SetLayout(layout));
                sets.push(layout);
            }
            let blocks = interface.push_constants.iter().filter(|block| block.size > 0);
            let range = blocks.fold(None, |range: Option<(u32, u32, u32)>, block| {
                let end = block.offset + block.size;
                let (from, to, stages) = range.unwrap_or((block.offset, end, 0));
                Some((from.min(block.offset), to.max(end), stages | block.stage_flags()))
            });
            let ranges: Vec<_> = range
                .iter()
                .map(|&(from, to, stages)| {
                    vk::PushConstantRange::default()
                        .stage_flags(vk::ShaderStageFlags::from_raw(stages))
                        .offset(from)
                        .size(to - from)
                })
                .collect();
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&ranges);
            let handle = device.create_pipeline_layout(&info, None);
            let handle = handle.map_err(refused("vkCreatePipelineLayout"))?;
            open.keep(DeviceObject::Layout(handle));
            let sizes = sizes.into_iter().map(|(kind, count)| {
                vk::DescriptorPoolSize::default()
                    .ty(vk::DescriptorType::from_raw(kind))
                    .descriptor_count(count)
            });
            Ok(PipelineLayout {
                handle,
                sets,
                sizes: sizes.collect(),
                input_attachments,
                push_constants: ranges,
            })
        }
    }

    /// Allocates the sets, without descriptors.
    ///
    /// # Safety
    /// The device is that of the layout.
    pub unsafe fn empty_sets(&self, open: &OpenDevice) -> Result<Vec<vk::DescriptorSet>, vk::Result> {
        let device = &open.device;
        if self.sets.is_empty() {
            return Ok(Vec::new());
        }
        let none = [vk::DescriptorPoolSize::default().ty(vk::DescriptorType::SAMPLER).descriptor_count(1)];
        let sizes = if self.sizes.is_empty() { &none[..] } else { &self.sizes };
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(self.sets.len() as u32).pool_sizes(sizes);
        // SAFETY: the caller's.
        unsafe {
            let pool = device.create_descriptor_pool(&info, None)?;
            open.keep(DeviceObject::Sets(pool));
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&self.sets);
            device.allocate_descriptor_sets(&info)
        }
    }

    /// Sets all push constants to 0.
    ///
    /// # Safety
    /// The device is that of the layout, and the commands are recorded.
    pub unsafe fn push_zeros(&self, open: &OpenDevice, commands: vk::CommandBuffer) {
        for range in &self.push_constants {
            let zeros = vec![0; range.size as usize];
            // SAFETY: the caller's.
            unsafe {
                open.device.cmd_push_constants(
                    commands,
                    self.handle,
                    range.stage_flags,
                    range.offset,
                    &zeros,
                );
            }
        }
    }

    /// Creates a render pass that writes colours, and reads the input attachments of the layout.
    ///
    /// # Safety
    /// The device is that of the layout.
    pub unsafe fn render_pass(
        &self,
        open: &OpenDevice,
        colors: &Slots,
    ) -> Result<vk::RenderPass, CompileFailure> {
        let attachment = |format| {
            vk::AttachmentDescription::default()
                .format(format)
                .samples(vk::SampleCountFlags::TYPE_1)
                .load_op(vk::AttachmentLoadOp::DONT_CARE)
                .stencil_load_op(vk::AttachmentLoadOp::DONT_CARE)
                .final_layout(vk::ImageLayout::GENERAL)
        };
        let count = colors.keys().last().map_or(0, |last| last + 1);
        let mut attachments = Vec::new();
        let mut references = Vec::new();
        for location in 0..count {
            references.push(reference(
                &mut attachments,
                colors.get(&location).map(|slot| attachment(slot.color())),
            ));
        }
        let inputs: Vec<_> = (0..self.input_attachments)
            .map(|_| reference(&mut attachments, Some(attachment(vk::Format::R8G8B8A8_UNORM))))
            .collect();
        let subpasses =
            [vk::SubpassDescription::default().color_attachments(&references).input_attachments(&inputs)];
        let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpasses);
        // SAFETY: what the info points to lives until the call returns.
        let pass = unsafe { open.device.create_render_pass(&info, None) };
        let pass = pass.map_err(refused("vkCreateRenderPass"))?;
        open.keep(DeviceObject::RenderPass(pass));
        Ok(pass)
    }
}

/// Adds an attachment, if there is one, and returns the reference to it.
fn reference(
    attachments: &mut Vec<vk::AttachmentDescription>,
    attachment: Option<vk::AttachmentDescription>,
) -> vk::AttachmentReference {
    let reference = vk::AttachmentReference::default().layout(vk::ImageLayout::GENERAL);
    match attachment {
        Some(attachment) => {
            attachments.push(attachment);
            reference.attachment(attachments.len() as u32 - 1)
        }
        None => reference.attachment(vk::ATTACHMENT_UNUSED),
    }
}

impl Slot {
    /// Returns the format of a vertex attribute with these numbers.
    pub fn format(&self) -> vk::Format {
        match self.kind {
            SlotKind::Float => vk::Format::R32G32B32A32_SFLOAT,
            SlotKind::Int => vk::Format::R32G32B32A32_SINT,
            SlotKind::Uint => vk::Format::R32G32B32A32_UINT,
        }
    }

    /// Returns the format of a colour with these numbers, which every device renders to.
    fn color(&self) -> vk::Format {
        match self.kind {
            SlotKind::Float => vk::Format::R8G8B8A8_UNORM,
            SlotKind::Int => vk::Format::R8G8B8A8_SINT,
            SlotKind::Uint => vk::Format::R8G8B8A8_UINT,
        }
    }
}
