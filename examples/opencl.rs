//! Loads one packed module on every OpenCL device of this machine:
//!
//! ```text
//! spirv-if pack fixtures/drivers/chain.spv -o target/chain.spv
//! cargo run --example opencl target/chain.spv
//! ```
//!
//! Its kernel has four ways to the values of polynomials at one half, for devices that have half floats and doubles, only one of
//! them, or neither (`fixtures/drivers/chain.clcpp`), and writes down which of them ran.

#![expect(unsafe_code, reason = "OpenCL's calls are unsafe")]

use std::error::Error;
use std::ptr;
use std::time::Instant;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_COPY_HOST_PTR, CL_MEM_WRITE_ONLY};
use opencl3::platform::get_platforms;
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;
use spirv_if::{Module, Prepared, Settings};

/// Descriptions of the ways, by the number that the kernel writes.
const WAYS: [&str; 4] = ["half floats and doubles", "doubles", "half floats", "floats"];
const POLYNOMIALS: usize = 16;
const DEGREE: usize = 8;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let path = std::env::args().nth(1).ok_or("name a packed module: target/chain.spv")?;
    let packed = std::fs::read(path)?;
    let module = Module::from_bytes(&packed)?;
    let prepared = Prepared::new(&module)?;
    for platform in get_platforms()? {
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL)? {
            let start = Instant::now();
            // This is all that an application has to do: the packed module is cut down to what the device can load.
            let here = prepared.specialize(&spirv_if_probe::from_opencl(id)?, &Settings::new())?.to_bytes();
            let time = start.elapsed();
            let device = Device::new(id);
            let (value, way) = run(&device, &here)?;
            println!("{}", device.name()?.trim());
            println!("  {} of {} bytes stay, after {time:.1?}", here.len(), packed.len());
            println!("  computed with {}: {value}", WAYS[way as usize - 1]);
        }
    }
    Ok(())
}

/// Runs the kernel: the first result, and the way that led there.
fn run(device: &Device, module: &[u8]) -> Result<(f32, u32)> {
    let context = Context::from_device(device)?;
    let program = Program::create_and_build_from_il(&context, module, "")?;
    let kernel = Kernel::create(&program, "run")?;
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0)?;

    let mut coefficients: Vec<f32> = (0..POLYNOMIALS * DEGREE).map(|i| 1.0 + 1.0 / (i + 3) as f32).collect();
    let (mut values, mut ways) = ([0f32; POLYNOMIALS], [0u32; POLYNOMIALS]);
    // SAFETY: the coefficients outlive the calls; the kernel has these four arguments, and stays within the buffers.
    unsafe {
        let buffer = coefficients.as_mut_ptr().cast();
        let buffer = Buffer::<f32>::create(&context, CL_MEM_COPY_HOST_PTR, coefficients.len(), buffer)?;
        let value_buffer = Buffer::<f32>::create(&context, CL_MEM_WRITE_ONLY, POLYNOMIALS, ptr::null_mut())?;
        let way_buffer = Buffer::<u32>::create(&context, CL_MEM_WRITE_ONLY, POLYNOMIALS, ptr::null_mut())?;
        let mut launch = ExecuteKernel::new(&kernel);
        launch.set_arg(&buffer).set_arg(&value_buffer).set_arg(&way_buffer).set_arg(&(DEGREE as u32));
        launch.set_global_work_size(POLYNOMIALS).enqueue_nd_range(&queue)?;
        queue.enqueue_read_buffer(&value_buffer, CL_BLOCKING, 0, &mut values, &[])?;
        queue.enqueue_read_buffer(&way_buffer, CL_BLOCKING, 0, &mut ways, &[])?;
    }
    Ok((values[0], ways[0]))
}
