//! A context with a queue for each device, and kernels in it.

use std::ffi::c_void;

use cl3::command_queue::{
    create_command_queue_with_properties, enqueue_nd_range_kernel, enqueue_read_buffer, release_command_queue,
};
use cl3::context::{create_context, release_context};
use cl3::device::{
    CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_TYPE_ALL, get_device_data, get_device_ids,
};
use cl3::event::release_event;
use cl3::kernel::set_kernel_arg;
use cl3::memory::{CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE, create_buffer, release_mem_object};
use cl3::platform::get_platform_ids;
use cl3::types::{cl_command_queue, cl_context, cl_device_id, cl_kernel, cl_mem, cl_platform_id};

use crate::{Options, Result, call};

/// The number of work-items.
const ITEMS: usize = 16;
/// The number of words in a buffer.
const WORDS: usize = 256;

/// All devices of the first platform.
pub struct Context {
    pub platform: cl_platform_id,
    pub context: cl_context,
    pub devices: Vec<cl_device_id>,
    pub queues: Vec<cl_command_queue>,
}

// SAFETY: OpenCL's objects may be used from any thread.
unsafe impl Sync for Context {}

/// A buffer of words, if it is printed.
struct Argument {
    buffer: cl_mem,
    is_result: bool,
}

impl Context {
    pub unsafe fn new() -> Result<Context> {
        let platforms = call("clGetPlatformIDs", get_platform_ids())?;
        let platform = *platforms.first().ok_or("there is no platform")?;
        let devices = call("clGetDeviceIDs", get_device_ids(platform, CL_DEVICE_TYPE_ALL))?;
        let context = create_context(&devices, std::ptr::null(), None, std::ptr::null_mut());
        let context = call("clCreateContext", context)?;
        let queue = |&device| {
            // SAFETY: the device is of the context.
            let queue = unsafe { create_command_queue_with_properties(context, device, std::ptr::null()) };
            call("clCreateCommandQueueWithProperties", queue)
        };
        let queues = devices.iter().map(queue).collect::<Result<_>>()?;
        Ok(Context { platform, context, devices, queues })
    }

    /// Prints what decides most modules.
    pub fn print_devices(&self) -> Result<()> {
        for (at, &device) in self.devices.iter().enumerate() {
            let has =
                |query| get_device_data(device, query).is_ok_and(|bits| bits.iter().any(|bits| *bits != 0));
            let (doubles, halves) = (has(CL_DEVICE_DOUBLE_FP_CONFIG), has(CL_DEVICE_HALF_FP_CONFIG));
            println!("device {at}, doubles: {doubles}, halves: {halves}");
        }
        Ok(())
    }

    /// Runs a kernel on each device, and returns the words that it wrote, in a line for each device and buffer.
    pub unsafe fn run(&self, kernel: cl_kernel, options: &Options) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for (at, &queue) in self.queues.iter().enumerate() {
            // SAFETY: the caller's.
            unsafe { self.run_on(queue, kernel, options, &format!("device {at}"), &mut lines)? };
        }
        Ok(lines)
    }

    unsafe fn run_on(
        &self,
        queue: cl_command_queue,
        kernel: cl_kernel,
        options: &Options,
        title: &str,
        lines: &mut Vec<String>,
    ) -> Result<()> {
        let input: Vec<u32> = options.list("input").map(str::parse).collect::<std::result::Result<_, _>>()?;
        let default = |at: usize| (1.0 + 1.0 / (at + 3) as f32).to_bits();
        let mut words: Vec<u32> =
            (0..WORDS).map(|at| input.get(at).copied().unwrap_or(default(at))).collect();
        let mut arguments = Vec::new();
        // SAFETY: the caller's. Buffers have WORDS words, and live until the kernel is done.
        unsafe {
            for (index, argument) in options.list("arguments").enumerate() {
                let index = index as u32;
                if let Some(number) = argument.strip_prefix("uint:") {
                    let number: u32 = number.parse()?;
                    call("clSetKernelArg", set_kernel_arg(kernel, index, 4, (&raw const number).cast()))?;
                    continue;
                }
                let is_input = argument.starts_with("in");
                let mut zeros = vec![0_u32; WORDS];
                let start = if is_input { words.as_mut_ptr() } else { zeros.as_mut_ptr() };
                let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
                let buffer = create_buffer(self.context, flags, 4 * WORDS, start.cast());
                let buffer = call("clCreateBuffer", buffer)?;
                let place: *const c_void = (&raw const buffer).cast();
                call("clSetKernelArg", set_kernel_arg(kernel, index, size_of::<cl_mem>(), place))?;
                arguments.push(Argument { buffer, is_result: argument.ends_with("out") });
            }
            let size = options.text("items").parse().unwrap_or(ITEMS);
            if options.text("entrance") == "suggested" {
                crate::program::suggest(self, queue, kernel, size)?;
            }
            let event = enqueue_nd_range_kernel(
                queue,
                kernel,
                1,
                std::ptr::null(),
                &raw const size,
                std::ptr::null(),
                0,
                std::ptr::null(),
            );
            call("clReleaseEvent", release_event(call("clEnqueueNDRangeKernel", event)?))?;
            for (at, argument) in arguments.iter().enumerate() {
                if argument.is_result {
                    let mut result = vec![0_u32; ITEMS];
                    let start = result.as_mut_ptr().cast();
                    let event = enqueue_read_buffer(
                        queue,
                        argument.buffer,
                        1,
                        0,
                        4 * ITEMS,
                        start,
                        0,
                        std::ptr::null(),
                    );
                    call("clReleaseEvent", release_event(call("clEnqueueReadBuffer", event)?))?;
                    let words: Vec<String> = result.iter().map(|word| format!("{word:#x}")).collect();
                    lines.push(format!("{title}, buffer {at}: {}", words.join(" ")));
                }
            }
            for argument in arguments {
                call("clReleaseMemObject", release_mem_object(argument.buffer))?;
            }
        }
        Ok(())
    }

    pub unsafe fn release(self) -> Result<()> {
        // SAFETY: nothing of the context is used any more.
        unsafe {
            for queue in self.queues {
                call("clReleaseCommandQueue", release_command_queue(queue))?;
            }
            call("clReleaseContext", release_context(self.context))
        }
    }
}
