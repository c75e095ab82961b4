//! Kernels of the first device of OpenCL's loader.

use std::ptr;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::error_codes::ClError;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_uint};

use crate::arithmetic::{ArithmeticRun, GROUPS, SIZE};

/// A device and what runs kernels on it.
pub struct OpenCl {
    device: Device,
    context: Context,
    queue: CommandQueue,
}

impl OpenCl {
    /// Opens the first device of the first platform.
    pub fn open() -> Result<OpenCl> {
        let platforms = get_platforms().map_err(|error| anyhow!("{error}"))?;
        let ids = platforms.first().context("no platform of OpenCL")?.get_devices(CL_DEVICE_TYPE_ALL);
        let ids = ids.map_err(|error| anyhow!("{error}"))?;
        let device = Device::new(*ids.first().context("no device of OpenCL")?);
        let context = Context::from_device(&device).map_err(failed)?;
        let queue = CommandQueue::create_default_with_properties(&context, 0, 0).map_err(failed)?;
        Ok(OpenCl { device, context, queue })
    }

    /// Returns the name of the device and the version of its driver.
    pub fn describe(&self) -> Result<String> {
        let name = self.device.name().map_err(failed)?;
        Ok(format!("{}, driver {}", name.trim(), self.device.driver_version().map_err(failed)?))
    }

    /// Compiles a kernel, and returns what runs it with numbers.
    pub fn prepare(&self, words: &[u32], numbers: &[u32]) -> Result<ArithmeticRun<'_>> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut program = Program::create_from_il(&self.context, &bytes).map_err(failed)?;
        program.build(&[self.device.id()], "").map_err(failed)?;
        let kernel = Kernel::create(&program, "run").map_err(failed)?;
        let mut input = self.buffer(numbers.len())?;
        let output = self.buffer((2 * SIZE * GROUPS) as usize)?;
        // SAFETY: the buffer has this size, and the call waits for the end.
        unsafe { self.queue.enqueue_write_buffer(&mut input, CL_BLOCKING, 0, numbers, &[]) }
            .map_err(failed)?;
        let run = move |iterations: u32| {
            // The kernel is one of the program.
            let _ = &program;
            let start = Instant::now();
            // SAFETY: the kernel has these arguments, and stays inside its buffers.
            unsafe {
                ExecuteKernel::new(&kernel)
                    .set_arg(&input)
                    .set_arg(&output)
                    .set_arg(&iterations)
                    .set_global_work_size((SIZE * GROUPS) as usize)
                    .set_local_work_size(SIZE as usize)
                    .enqueue_nd_range(&self.queue)
            }
            .map_err(failed)?;
            self.queue.finish().map_err(failed)?;
            let time = start.elapsed();
            let mut results = vec![0; (2 * SIZE * GROUPS) as usize];
            // SAFETY: the buffer has this size, and the call waits for the end.
            unsafe { self.queue.enqueue_read_buffer(&output, CL_BLOCKING, 0, &mut results, &[]) }
                .map_err(failed)?;
            Ok((time, results))
        };
        Ok(Box::new(run))
    }

    fn buffer(&self, count: usize) -> Result<Buffer<cl_uint>> {
        // SAFETY: no host pointer is given.
        unsafe { Buffer::create(&self.context, CL_MEM_READ_WRITE, count, ptr::null_mut()) }.map_err(failed)
    }
}

fn failed(error: ClError) -> anyhow::Error {
    anyhow!("{error}")
}
