//! A ray-generation shader that traces no ray, and writes to the buffers of compute shaders.

use ash::vk::{self, Handle};

use crate::compute::Bindings;
use crate::context::Context;
use crate::{Options, Result};

const STAGE: vk::ShaderStageFlags = vk::ShaderStageFlags::RAYGEN_KHR;

pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let device = &context.device;
        let functions = &context.instance.functions;
        let rays = ash::khr::ray_tracing_pipeline::Device::new(functions, device);
        let deferring = ash::khr::deferred_host_operations::Device::new(functions, device);
        let code = options.module("module")?;
        let bindings = Bindings::new(context, STAGE, options)?;
        let mut info = vk::ShaderModuleCreateInfo::default().code(&code);
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(STAGE).name(c"main");
        let mut module = vk::ShaderModule::null();
        let stages = [if options.text("entrance") == "rays-module" {
            module = device.create_shader_module(&info, None)?;
            stage.module(module)
        } else {
            stage.push_next(&mut info)
        }];
        let groups = [vk::RayTracingShaderGroupCreateInfoKHR::default()
            .ty(vk::RayTracingShaderGroupTypeKHR::GENERAL)
            .general_shader(0)
            .closest_hit_shader(vk::SHADER_UNUSED_KHR)
            .any_hit_shader(vk::SHADER_UNUSED_KHR)
            .intersection_shader(vk::SHADER_UNUSED_KHR)];
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(1)
            .layout(bindings.layout);
        let mut operation = vk::DeferredOperationKHR::null();
        if options.text("entrance") == "rays-deferred" {
            operation = deferring.create_deferred_operation(None)?;
        }
        // A failure must leave none here.
        let mut pipeline = vk::Pipeline::from_raw(16);
        let create = rays.fp().create_ray_tracing_pipelines_khr;
        let cache = vk::PipelineCache::null();
        let status = create(device.handle(), operation, cache, 1, &info, std::ptr::null(), &mut pipeline);
        match status {
            vk::Result::SUCCESS | vk::Result::OPERATION_NOT_DEFERRED_KHR => {}
            vk::Result::OPERATION_DEFERRED_KHR => {
                while deferring.deferred_operation_join(operation) != Ok(()) {
                    std::thread::yield_now();
                }
                deferring.get_deferred_operation_result(operation)?;
            }
            error => {
                assert_eq!(pipeline, vk::Pipeline::null());
                return Err(format!("vkCreateRayTracingPipelinesKHR: {error:?}").into());
            }
        }
        if operation != vk::DeferredOperationKHR::null() {
            deferring.destroy_deferred_operation(operation, None);
        }
        device.destroy_shader_module(module, None);

        let mut known = vk::PhysicalDeviceRayTracingPipelinePropertiesKHR::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut known);
        functions.get_physical_device_properties2(context.physical, &mut properties);
        let size = known.shader_group_handle_size as usize;
        let handle = rays.get_ray_tracing_shader_group_handles(pipeline, 0, 1, size)?;
        let usage =
            vk::BufferUsageFlags::SHADER_BINDING_TABLE_KHR | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let mut table = context.buffer(256, usage)?;
        for (word, bytes) in table.words_mut().iter_mut().zip(handle.chunks_exact(4)) {
            *word = u32::from_ne_bytes(bytes.try_into()?);
        }
        let stride = size.next_multiple_of(known.shader_group_handle_alignment.max(1) as usize) as u64;
        let generation =
            vk::StridedDeviceAddressRegionKHR { device_address: table.address, stride, size: stride };
        let none = vk::StridedDeviceAddressRegionKHR::default();
        context.submit(|commands| {
            let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
            bindings.bind(context, commands, point);
            device.cmd_bind_pipeline(commands, point, pipeline);
            rays.cmd_trace_rays(commands, &generation, &none, &none, &none, 1, 1, 1);
        })?;
        bindings.print();
        table.destroy(context);
        bindings.destroy(context);
        device.destroy_pipeline(pipeline, None);
        Ok(())
    }
}
