//! Several instances and devices, used by several threads, and destroyed in another order than they were created.

use ash::vk;

use crate::context::{Instance, create_device};
use crate::{Options, Result};

const THREADS: usize = 4;
const ROUNDS: usize = 6;

pub unsafe fn run(options: &Options) -> Result<()> {
    // SAFETY: every object belongs to one thread, and all threads are done before devices are destroyed.
    unsafe {
        let code = options.module("module")?;
        let plain = options.module("vertex")?;
        let instances = [Instance::new(options)?, Instance::new(options)?];
        let mut devices = Vec::new();
        for _ in 0..2 {
            for instance in &instances {
                devices.push(create_device(instance, options)?.1);
            }
        }
        std::thread::scope(|scope| {
            for device in devices.iter().cycle().take(devices.len() * THREADS) {
                scope.spawn(|| work(device, &code, &plain).map_err(|error| error.to_string()));
            }
        });
        // The first device of the second instance goes first, then all of the first instance while the other one works.
        devices.remove(1).destroy_device(None);
        devices.remove(1).destroy_device(None);
        devices.remove(0).destroy_device(None);
        instances[0].destroy();
        work(&devices[0], &code, &plain)?;
        let third = Instance::new(options)?;
        let last = create_device(&third, options)?.1;
        devices[0].destroy_device(None);
        instances[1].destroy();
        work(&last, &code, &plain)?;
        last.destroy_device(None);
        third.destroy();
        println!("all done");
        Ok(())
    }
}

/// Creates modules and pipelines, and destroys them.
unsafe fn work(device: &ash::Device, code: &[u32], plain: &[u32]) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let bindings = [0, 1, 2].map(|binding| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        });
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let set_layouts = [device.create_descriptor_set_layout(&info, None)?];
        let ranges = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(4)];
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layouts).push_constant_ranges(&ranges);
        let layout = device.create_pipeline_layout(&info, None)?;
        for _ in 0..ROUNDS {
            let other =
                device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(plain), None)?;
            let info = vk::ShaderModuleCreateInfo::default().code(code);
            let module = device.create_shader_module(&info, None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            let created = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            let pipeline = created.map_err(|(_, error)| error)?[0];
            device.destroy_shader_module(module, None);
            device.destroy_shader_module(other, None);
            device.destroy_pipeline(pipeline, None);
        }
        device.destroy_pipeline_layout(layout, None);
        device.destroy_descriptor_set_layout(set_layouts[0], None);
        Ok(())
    }
}
