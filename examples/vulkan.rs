//! Loads one packed module on every Vulkan device of this machine:
//!
//! ```text
//! spirv-if pack fixtures/vulkan/chain.spv -o target/chain.spv
//! cargo run --example vulkan target/chain.spv
//! ```
//!
//! Its kernel multiplies numbers to 64 bits in one of three ways: for devices that have integers of that size, for those that
//! have some of 16 bits, and for all others (`fixtures/vulkan/chain.comp`). It writes down which of them ran.
//!
//! With `without-int64`, the devices are created without shaderInt64, as if they did not have it. `fixtures/vulkan/long.comp` has 64-bit integers
//! alone, and runs there as well, since `pack` lowers them:
//!
//! ```text
//! spirv-if pack fixtures/vulkan/long.spv --lower=Int64 -o target/long.spv
//! cargo run --example vulkan target/long.spv without-int64
//! ```

#![expect(unsafe_code, reason = "Vulkan's calls are unsafe")]

use std::ffi::CStr;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use ash::{Entry, Instance, vk};
use spirv_if::{Module, Prepared, Settings};

/// Descriptions of the ways, by the number that the kernel writes.
const WAYS: [&str; 3] = ["64-bit integers", "16-bit integers", "32-bit integers alone"];
/// Size of the part of one buffer that each binding has, in bytes: numbers, products and the way.
const PART: u64 = 256;
const API: u32 = vk::API_VERSION_1_1;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().context("name a packed module: target/chain.spv")?;
    let has_int64 = match arguments.next().as_deref() {
        None => true,
        Some("without-int64") => false,
        Some(other) => bail!("{other}: after the module, there is only without-int64"),
    };
    let packed = std::fs::read(path)?;
    let module = Module::from_bytes(&packed)?;
    let prepared = Prepared::new(&module)?;
    // SAFETY: what Vulkan makes is used as it says, and not after what it was made with. All of it goes with the process.
    unsafe {
        let entry = Entry::load()?;
        let application = vk::ApplicationInfo::default().api_version(API);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        let instance = entry.create_instance(&info, None)?;
        for physical in instance.enumerate_physical_devices()? {
            // All that the device has: `spirv-if inspect --api vulkan` says which of it a module needs.
            let mut features = instance.get_physical_device_features(physical);
            if !has_int64 {
                features.shader_int64 = vk::FALSE;
            }
            let families = instance.get_physical_device_queue_family_properties(physical);
            let computes =
                |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::COMPUTE);
            let family = families.iter().position(computes).context("no queue computes")? as u32;
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let created =
                vk::DeviceCreateInfo::default().enabled_features(&features).queue_create_infos(&queues);
            let start = Instant::now();
            // This is all that an application has to do: the packed module is cut down to what the device can load.
            let device = spirv_if_probe::from_vulkan_enabled(&instance, physical, API, &created)?;
            let here = prepared.specialize(&device, &Settings::new())?.words;
            let time = start.elapsed();
            let (product, way) = run(&instance, physical, family, &created, &here)?;
            let name = instance.get_physical_device_properties(physical).device_name;
            println!("{}", CStr::from_ptr(name.as_ptr()).to_string_lossy());
            println!("  {} of {} bytes stay, after {time:.1?}", 4 * here.len(), packed.len());
            println!("  computed with {}: {product}", WAYS[way as usize - 1]);
        }
    }
    Ok(())
}

/// Runs the kernel on a pair of numbers: their product, and the way that led there.
unsafe fn run(
    instance: &Instance,
    physical: vk::PhysicalDevice,
    family: u32,
    created: &vk::DeviceCreateInfo,
    module: &[u32],
) -> Result<(u64, u32)> {
    let (storage, stages) = (vk::DescriptorType::STORAGE_BUFFER, vk::ShaderStageFlags::COMPUTE);
    // SAFETY: all that structures point to lives as long as they do; the work is done when results are read.
    unsafe {
        let device = instance.create_device(physical, created, None)?;
        let memory = instance.get_physical_device_memory_properties(physical);
        let (buffer, words) = buffer(&device, &memory.memory_types)?;
        let words = std::slice::from_raw_parts_mut(words, 3 * 64);
        words[..2].copy_from_slice(&[3_000_000_019, 4_000_000_007]);
        let binding = vk::DescriptorSetLayoutBinding::default().descriptor_type(storage).stage_flags(stages);
        let bindings = [0, 1, 2].map(|number| binding.binding(number).descriptor_count(1));
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [device.create_descriptor_set_layout(&info, None)?];
        let size = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(3)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&size);
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(device.create_descriptor_pool(&info, None)?)
            .set_layouts(&layouts);
        let sets = device.allocate_descriptor_sets(&info)?;
        let part = vk::DescriptorBufferInfo::default().buffer(buffer).range(PART);
        let parts = [0, 1, 2].map(|number| part.offset(number * PART));
        let write = vk::WriteDescriptorSet::default().dst_set(sets[0]).descriptor_type(storage);
        device.update_descriptor_sets(&[write.buffer_info(&parts)], &[]);
        let pushed = [vk::PushConstantRange::default().stage_flags(stages).size(4)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = device.create_pipeline_layout(&info.push_constant_ranges(&pushed), None)?;
        let info = vk::ShaderModuleCreateInfo::default().code(module);
        let shader = device.create_shader_module(&info, None)?;
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(stages).module(shader).name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
        let pipeline = pipelines.map_err(|(_, error)| error)?[0];
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        let pool = device.create_command_pool(&info, None)?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = device.allocate_command_buffers(&info)?;
        device.begin_command_buffer(commands[0], &Default::default())?;
        let point = vk::PipelineBindPoint::COMPUTE;
        device.cmd_bind_pipeline(commands[0], point, pipeline);
        device.cmd_bind_descriptor_sets(commands[0], point, layout, 0, &sets, &[]);
        // One pair for each invocation, of which only the first is looked at.
        device.cmd_push_constants(commands[0], layout, stages, 0, &1u32.to_ne_bytes());
        device.cmd_dispatch(commands[0], 1, 1, 1);
        let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
        let written = vk::MemoryBarrier::default().src_access_mask(vk::AccessFlags::SHADER_WRITE);
        let seen = [written.dst_access_mask(vk::AccessFlags::HOST_READ)];
        device.cmd_pipeline_barrier(commands[0], from, to, Default::default(), &seen, &[], &[]);
        device.end_command_buffer(commands[0])?;
        let submit = vk::SubmitInfo::default().command_buffers(&commands);
        device.queue_submit(device.get_device_queue(family, 0), &[submit], vk::Fence::null())?;
        device.device_wait_idle()?;
        let (product, way) = words[64..].split_at(64);
        Ok((u64::from(product[0]) | u64::from(product[1]) << 32, way[0]))
    }
}

/// A buffer with all parts, and where the host sees it.
unsafe fn buffer(device: &ash::Device, types: &[vk::MemoryType]) -> Result<(vk::Buffer, *mut u32)> {
    let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    // SAFETY: the memory is as large as the buffer, and mapped as long as the device is there.
    unsafe {
        let info = vk::BufferCreateInfo::default().size(3 * PART);
        let buffer = device.create_buffer(&info.usage(vk::BufferUsageFlags::STORAGE_BUFFER), None)?;
        let needs = device.get_buffer_memory_requirements(buffer);
        let allowed = |index: &usize| needs.memory_type_bits >> index & 1 == 1;
        let index =
            (0..types.len()).filter(allowed).find(|index| types[*index].property_flags.contains(wanted));
        let index = index.context("the host sees no memory")? as u32;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
        let memory = device.allocate_memory(&info, None)?;
        device.bind_buffer_memory(buffer, memory, 0)?;
        let mapped = device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
        Ok((buffer, mapped.cast()))
    }
}
