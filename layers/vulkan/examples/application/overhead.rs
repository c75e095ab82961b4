//! The time that a layer takes for modules which it leaves alone: pipelines are created with and without it in turn, in one process.
//!
//! Other programs disturb the time in which a driver compiles more than a layer does. So the calls are also measured where the driver compiles nothing:
//! the module, and a pipeline that is not to be compiled.

use std::time::{Duration, Instant};

use ash::vk;

use crate::context::{Instance, create_device};
use crate::{Options, Result};

/// A device, with a layout for pipelines.
struct Creator {
    device: ash::Device,
    layout: vk::PipelineLayout,
}

pub unsafe fn run(options: &Options) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let code = options.module("module")?;
        let rounds = options.text("rounds").parse().unwrap_or(200);
        let mut without = crate::Options(options.0.clone());
        without.0.remove("layers");
        let instances = [Instance::new(&without)?, Instance::new(options)?];
        let mut creators = Vec::new();
        let mut devices = [const { Vec::new() }; 2];
        for _ in 0..9 {
            creators.clear();
            for (instance, times) in instances.iter().zip(&mut devices) {
                let start = Instant::now();
                let device = create_device(instance, options)?.1;
                times.push(start.elapsed());
                creators.push(Creator::new(device)?);
            }
        }
        let [without, with] = devices.map(median);
        println!("device: {without:?} without, {with:?} with");
        if !options.text("packed").is_empty() {
            let code = options.module("packed")?;
            let mut times = Vec::new();
            for _ in 0..rounds {
                let start = Instant::now();
                let info = vk::ShaderModuleCreateInfo::default().code(&code);
                let module = creators[1].device.create_shader_module(&info, None)?;
                times.push(start.elapsed());
                creators[1].device.destroy_shader_module(module, None);
            }
            println!("packed module of {} bytes: {:?}", 4 * code.len(), median(times));
        }
        let (mut modules, mut refused, mut compiled) =
            ([const { Vec::new() }; 2], [const { Vec::new() }; 2], [const { Vec::new() }; 2]);
        for round in 0..rounds {
            // The one that goes first takes turns.
            for which in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                let [module, early, late] = creators[which].time(&code)?;
                modules[which].push(module);
                refused[which].push(early);
                compiled[which].push(late);
            }
        }
        let all = [modules, refused, compiled].map(|times| times.map(median));
        for (what, [without, with]) in ["module", "pipeline that is not compiled", "pipeline"].iter().zip(all)
        {
            println!("{what}: {without:?} without, {with:?} with");
        }
        let [modules, refused, compiled] = all.map(|times| times.map(|time| time.as_secs_f64()));
        let whole = modules[0] + compiled[0];
        println!("ratio of all {:.4}", (modules[1] + compiled[1]) / whole);
        println!("ratio {:.4}", 1.0 + (modules[1] - modules[0] + refused[1] - refused[0]) / whole);
        Ok(())
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

impl Creator {
    unsafe fn new(device: ash::Device) -> Result<Creator> {
        // SAFETY: as above.
        unsafe {
            let bindings = [0, 1, 2, 3, 4].map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            });
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layouts = [device.create_descriptor_set_layout(&info, None)?];
            let ranges =
                [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(128)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&set_layouts)
                .push_constant_ranges(&ranges);
            let layout = device.create_pipeline_layout(&info, None)?;
            Ok(Creator { device, layout })
        }
    }

    /// Returns how long it takes to create the module, a pipeline that is not compiled, and one that is.
    unsafe fn time(&self, code: &[u32]) -> Result<[Duration; 3]> {
        // SAFETY: as above.
        unsafe {
            let device = &self.device;
            let start = Instant::now();
            let module =
                device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code), None)?;
            let module_time = start.elapsed();
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::COMPUTE)
                .module(module)
                .name(c"main");
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout);
            let start = Instant::now();
            let without_compiling = info.flags(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED);
            let refused =
                device.create_compute_pipelines(vk::PipelineCache::null(), &[without_compiling], None);
            let early = start.elapsed();
            if refused.map_err(|(_, error)| error) != Err(vk::Result::PIPELINE_COMPILE_REQUIRED) {
                return Err("the driver has the pipeline already: turn its cache off".into());
            }
            let start = Instant::now();
            let created = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            let late = start.elapsed();
            let pipeline = created.map_err(|(_, error)| error)?[0];
            device.destroy_pipeline(pipeline, None);
            device.destroy_shader_module(module, None);
            Ok([module_time, early, late])
        }
    }
}
