//! The processor time until a pipeline has run once, when some drivers compile: the shortest with and without layers, in turn, in one process. It
//! depends less on what else the machine does than the time of a clock.

use std::time::Duration;

use ash::vk;

use crate::compute::Bindings;
use crate::context::Context;
use crate::{Options, Result};

const STAGE: vk::ShaderStageFlags = vk::ShaderStageFlags::COMPUTE;

/// A device with buffers.
struct Runner {
    context: Context,
    bindings: Bindings,
}

pub unsafe fn run(options: &Options) -> Result<()> {
    // SAFETY: all that structures point to lives until the calls return.
    unsafe {
        let code = options.module("module")?;
        let (entries, data) = options.constants()?;
        let values = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        let mut without = Options(options.0.clone());
        without.0.retain(|key, _| key != "layers" && key != "settings");
        let runners = [Runner::new(&without)?, Runner::new(options)?];
        let mut times = [const { Vec::new() }; 2];
        // The first pipeline of a process loads the driver's compiler, and counts for neither.
        for round in 0..=options.text("rounds").parse().unwrap_or(9) {
            for which in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
                let time = runners[which].time(&code, &values)?;
                if round > 0 {
                    times[which].push(time);
                }
            }
        }
        let [without, with] = times.map(|times| times.into_iter().min().unwrap_or_default());
        let gain = without.as_secs_f64() / with.as_secs_f64();
        println!("{without:.1?} without, {with:.1?} with, gain {gain:.1}");
        Ok(())
    }
}

/// Returns how long processors have worked for this process, or the time since it began on systems where that is not known.
fn processor_time() -> Result<Duration> {
    #[cfg(unix)]
    {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: there is room for the result.
        match unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) } {
            0 => Ok(Duration::new(time.tv_sec as u64, time.tv_nsec as u32)),
            _ => Err(std::io::Error::last_os_error().into()),
        }
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::LazyLock<std::time::Instant> =
            std::sync::LazyLock::new(std::time::Instant::now);
        Ok(START.elapsed())
    }
}

impl Runner {
    unsafe fn new(options: &Options) -> Result<Runner> {
        // SAFETY: as above.
        unsafe {
            let context = Context::new(options)?;
            let bindings = Bindings::new(&context, STAGE, options)?;
            Ok(Runner { context, bindings })
        }
    }

    /// Returns how long it takes to create the module and a pipeline with values, and to run it.
    unsafe fn time(&self, code: &[u32], values: &vk::SpecializationInfo) -> Result<Duration> {
        // SAFETY: as above.
        unsafe {
            let (device, point) = (&self.context.device, vk::PipelineBindPoint::COMPUTE);
            let start = processor_time()?;
            let module =
                device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(code), None)?;
            let stage = vk::PipelineShaderStageCreateInfo::default()
                .stage(STAGE)
                .module(module)
                .name(c"main")
                .specialization_info(values);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.bindings.layout);
            let created = device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            let pipeline = created.map_err(|(_, error)| error)?[0];
            self.context.submit(|commands| {
                self.bindings.bind(&self.context, commands, point);
                device.cmd_bind_pipeline(commands, point, pipeline);
                device.cmd_dispatch(commands, 1, 1, 1);
            })?;
            let time = processor_time()? - start;
            device.destroy_pipeline(pipeline, None);
            device.destroy_shader_module(module, None);
            Ok(time)
        }
    }
}
