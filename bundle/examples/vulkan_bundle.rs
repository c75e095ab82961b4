//! Loads all shaders of a bundle by their names on every Vulkan device of this machine, as an application does when it starts:
//!
//! ```text
//! spirv-if bundle fixtures/vulkan fixtures/ubershaders -o target/app.spvb
//! cargo run -p spirv-if-bundle --example vulkan_bundle target/app.spvb
//! ```
//!
//! The shaders compute, with storage buffers in the first descriptor set. Each becomes a pipeline, so that the driver compiles it.

#![expect(unsafe_code, reason = "Vulkan's calls are unsafe")]

use std::error::Error;
use std::ffi::CStr;
use std::time::Instant;

use ash::{Entry, Instance, vk};
use spirv_if::Settings;
use spirv_if_bundle::Bundle;

const API: u32 = vk::API_VERSION_1_3;
/// The number of storage buffers that a shader may have.
const BUFFERS: u32 = 16;
/// The bytes of push constants that every device has.
const PUSHED: u32 = 128;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a bundle: target/app.spvb")?;
    let bundle = Bundle::open(path)?;
    // SAFETY: what Vulkan makes is used as it says, and not after what it was made with. All of it goes with the process.
    unsafe {
        let entry = Entry::load()?;
        let application = vk::ApplicationInfo::default().api_version(API);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        let instance = entry.create_instance(&info, None)?;
        for physical in instance.enumerate_physical_devices()? {
            let name = instance.get_physical_device_properties(physical).device_name;
            println!("{}", CStr::from_ptr(name.as_ptr()).to_string_lossy());
            load(&bundle, &instance, physical)?;
        }
    }
    Ok(())
}

/// Makes a pipeline of each shader on a device.
unsafe fn load(
    bundle: &Bundle,
    instance: &Instance,
    physical: vk::PhysicalDevice,
) -> Result<(), Box<dyn Error>> {
    // SAFETY: all that structures point to lives as long as they do.
    unsafe {
        let described = spirv_if_probe::from_vulkan(instance, physical, API)?;
        let queues = vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&[1.0]);
        // All that the device has: `spirv-if inspect --api vulkan` says which of it a module needs.
        let (mut of_1_1, mut of_1_2) =
            <(vk::PhysicalDeviceVulkan11Features, vk::PhysicalDeviceVulkan12Features)>::default();
        let mut features =
            vk::PhysicalDeviceFeatures2::default().push_next(&mut of_1_1).push_next(&mut of_1_2);
        instance.get_physical_device_features2(physical, &mut features);
        let info = vk::DeviceCreateInfo::default().push_next(&mut features);
        let device = instance.create_device(physical, &info.queue_create_infos(&[queues]), None)?;
        let stages = vk::ShaderStageFlags::COMPUTE;
        let binding = vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .descriptor_count(1)
            .stage_flags(stages);
        let bindings: Vec<_> = (0..BUFFERS).map(|number| binding.binding(number)).collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let sets = [device.create_descriptor_set_layout(&info, None)?];
        let pushed = [vk::PushConstantRange::default().stage_flags(stages).size(PUSHED)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&pushed);
        let layout = device.create_pipeline_layout(&info, None)?;
        let (mut count, mut bytes) = (0, 0);
        let start = Instant::now();
        for shader in bundle.shaders() {
            // This is all that an application has to do for a plain module.
            let words = bundle.get_for(shader.name(), &described, &Settings::new())?.words;
            let info = vk::ShaderModuleCreateInfo::default().code(&words);
            let module = device.create_shader_module(&info, None)?;
            let stage =
                vk::PipelineShaderStageCreateInfo::default().stage(stages).module(module).name(c"main");
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            count += pipelines.map_err(|(_, error)| format!("{}: {error}", shader.name()))?.len();
            bytes += 4 * words.len();
        }
        println!("  {count} pipelines of {bytes} bytes, after {:.1?}", start.elapsed());
    }
    Ok(())
}
