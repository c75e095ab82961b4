//! The one OpenCL device that there is, and kernels on it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::ptr;
use std::sync::Mutex;

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::error_codes::ClError;
use opencl3::kernel::{create_kernel, release_kernel, set_kernel_arg};
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, ClMem};
use opencl3::platform::get_platforms;
use opencl3::program::{Program, link_program, release_program};
use opencl3::types::{CL_BLOCKING, cl_kernel, cl_mem, cl_program, cl_uint};

use super::kernels::{self, KernelOutput, OpenClFeature};
use crate::common::bytes_of;

/// The arguments of a kernel, buffers and then numbers and halves, and how it is launched.
pub struct KernelJob {
    pub inputs: Vec<Vec<u32>>,
    /// The lengths of the buffers that it writes.
    pub outputs: Vec<usize>,
    pub numbers: &'static [u32],
    pub halves: &'static [u16],
    /// The work-items in all, and in a work-group.
    pub items: usize,
    pub group: usize,
    /// Specialization constants: SpecId and the bytes of the value, one of a Boolean.
    pub constants: Vec<(u32, Vec<u8>)>,
    pub kernel: &'static CStr,
}

impl Default for KernelJob {
    fn default() -> KernelJob {
        KernelJob {
            inputs: Vec::new(),
            outputs: Vec::new(),
            numbers: &[],
            halves: &[],
            items: 1,
            group: 1,
            constants: Vec::new(),
            kernel: c"run",
        }
    }
}

/// The reason that a driver did not run a module.
#[derive(Clone)]
pub enum Refusal {
    /// The driver refused the module with this error.
    Refuses(String),
    /// The driver accepted the module, and a later step failed.
    Fails(String),
}

impl Refusal {
    /// The call that failed, and its error.
    pub fn call(self) -> String {
        let (Refusal::Refuses(call) | Refusal::Fails(call)) = self;
        call
    }
}

/// The first device of the first platform: there is one.
pub fn device() -> Result<Device, String> {
    let platforms = get_platforms().map_err(|error| format!("no platform: {error}"))?;
    let first = platforms.first().ok_or("no platform")?;
    let ids = first.get_devices(CL_DEVICE_TYPE_ALL).map_err(|error| format!("no device: {error}"))?;
    ids.first().map(|id| Device::new(*id)).ok_or_else(|| "no device".to_owned())
}

/// Returns true if the device has a feature, by its own extensions and properties alone.
pub fn has(device: &Device, feature: OpenClFeature) -> bool {
    let extensions = device.extensions().unwrap();
    let extension = |name| extensions.split_whitespace().any(|extension| extension == name);
    match feature {
        OpenClFeature::Fp16 => extension("cl_khr_fp16"),
        OpenClFeature::Fp64 => extension("cl_khr_fp64"),
        OpenClFeature::Atomic64 => extension("cl_khr_int64_base_atomics"),
        OpenClFeature::Subgroups => device.max_num_sub_groups().is_ok_and(|count| count > 0),
        OpenClFeature::NonUniform => extension("cl_khr_subgroup_non_uniform_arithmetic"),
    }
}

/// The results of this process, by module, kernel and lengths of the output. Several routes lead to one module, and the driver's compiler takes
/// most of the time.
static RAN: Mutex<Option<HashMap<Key, Result<KernelOutput, Refusal>>>> = Mutex::new(None);

type Key = (Vec<u32>, &'static str, [usize; 2]);

/// Loads a module and runs its kernel, if this process has not. The output is as long as the expected one.
pub fn run(
    device: &Device,
    module: &[u32],
    kernel: &kernels::OpenClKernel,
    expected: &KernelOutput,
) -> Result<KernelOutput, Refusal> {
    let counts = [expected.results.len(), expected.ways.len()];
    let key = (module.to_vec(), kernel.name, counts);
    let mut ran = RAN.lock().unwrap();
    let ran = ran.get_or_insert_default();
    let launch = || run_anew(device, module, &job(kernel, expected)).map(outcome);
    ran.entry(key).or_insert_with(launch).clone()
}

/// Compiles each image alone, links them by the driver, and runs the kernel `run` of the result.
pub fn run_unlinked(
    device: &Device,
    images: &[Vec<u8>],
    kernel: &kernels::OpenClKernel,
    expected: &KernelOutput,
) -> Result<KernelOutput, Refusal> {
    let job = job(kernel, expected);
    in_context(device, |context| run_unlinked_in(context, device, images, &job)).map(outcome)
}

/// A launch of a kernel, from which comes as much as is expected.
fn job(kernel: &kernels::OpenClKernel, expected: &KernelOutput) -> KernelJob {
    KernelJob {
        inputs: (kernel.inputs)(),
        outputs: vec![expected.results.len(), expected.ways.len()],
        numbers: kernel.numbers,
        items: kernel.items,
        group: kernel.group,
        ..KernelJob::default()
    }
}

/// The two buffers that a kernel wrote.
fn outcome(mut read: Vec<Vec<u32>>) -> KernelOutput {
    let ways = read.pop().unwrap();
    KernelOutput { results: read.pop().unwrap(), ways }
}

/// Loads a module and runs its kernel, independently of earlier runs. Returns the output.
pub fn run_anew(device: &Device, module: &[u32], job: &KernelJob) -> Result<Vec<Vec<u32>>, Refusal> {
    in_context(device, |context| run_in(context, device, module, job))
}

fn in_context<T>(device: &Device, run: impl FnOnce(&Context) -> Result<T, Refusal>) -> Result<T, Refusal> {
    CONTEXT.with(|kept| {
        let context = match kept.get() {
            Some(context) => context,
            None => {
                let context = Context::from_device(device).map_err(fails("clCreateContext"))?;
                kept.get_or_init(|| context)
            }
        };
        run(context)
    })
}

thread_local! {
    /// The one context of a process: PoCL reads 14 MB of its own functions for each.
    static CONTEXT: OnceCell<Context> = const { OnceCell::new() };
}

fn run_in(
    context: &Context,
    device: &Device,
    module: &[u32],
    job: &KernelJob,
) -> Result<Vec<Vec<u32>>, Refusal> {
    let mut program =
        Program::create_from_il(context, &bytes_of(module)).map_err(refuses("clCreateProgramWithIL"))?;
    for (id, value) in &job.constants {
        // SAFETY: the value is as long as it says.
        unsafe { program.set_specialization_constant(*id, value.len(), value.as_ptr().cast()) }
            .map_err(fails("clSetProgramSpecializationConstant"))?;
    }
    if let Err(error) = program.build(&[device.id()], "") {
        println!("{}", program.get_build_log(device.id()).unwrap_or_default());
        return Err(refuses("clBuildProgram")(error));
    }
    launch_of(context, program.get(), job)
}

fn run_unlinked_in(
    context: &Context,
    device: &Device,
    images: &[Vec<u8>],
    job: &KernelJob,
) -> Result<Vec<Vec<u32>>, Refusal> {
    let mut programs = Vec::new();
    for image in images {
        let mut program =
            Program::create_from_il(context, image).map_err(refuses("clCreateProgramWithIL"))?;
        if let Err(error) = program.compile(&[device.id()], "", &[], &[]) {
            println!("{}", program.get_build_log(device.id()).unwrap_or_default());
            return Err(refuses("clCompileProgram")(error));
        }
        programs.push(program);
    }
    let compiled: Vec<cl_program> = programs.iter().map(Program::get).collect();
    // SAFETY: the device is that of the context. (opencl3's own method gives a program in place of the context.)
    let linked =
        unsafe { link_program(context.get(), &[device.id()], c"", &compiled, None, ptr::null_mut()) }
            .map_err(refuses("clLinkProgram"))?;
    let read = launch_of(context, linked, job);
    // SAFETY: nothing else has this program.
    unsafe { release_program(linked) }.map_err(fails("clReleaseProgram"))?;
    read
}

/// Runs a kernel of a program for the device.
fn launch_of(context: &Context, program: cl_program, job: &KernelJob) -> Result<Vec<Vec<u32>>, Refusal> {
    let entry = create_kernel(program, job.kernel).map_err(refuses("clCreateKernel"))?;
    let read = launch(context, entry, job);
    // SAFETY: nothing else has this kernel.
    unsafe { release_kernel(entry) }.map_err(fails("clReleaseKernel"))?;
    read
}

fn launch(context: &Context, entry: cl_kernel, job: &KernelJob) -> Result<Vec<Vec<u32>>, Refusal> {
    let queue =
        CommandQueue::create_default_with_properties(context, 0, 0).map_err(fails("clCreateCommandQueue"))?;
    let mut inputs = Vec::new();
    for words in &job.inputs {
        inputs.push(buffer(context, &queue, words).map_err(fails("an input"))?);
    }
    let mut outputs = Vec::new();
    for &count in &job.outputs {
        outputs.push(buffer(context, &queue, &vec![0; count]).map_err(fails("an output"))?);
    }
    let buffers: Vec<cl_mem> = inputs.iter().chain(&outputs).map(ClMem::get).collect();
    let buffers = buffers.iter().map(|buffer| (size_of::<cl_mem>(), ptr::from_ref(buffer).cast()));
    let numbers = job.numbers.iter().map(|number| (size_of::<u32>(), ptr::from_ref(number).cast()));
    let halves = job.halves.iter().map(|half| (size_of::<u16>(), ptr::from_ref(half).cast()));
    for (at, (size, value)) in (0..).zip(buffers.chain(numbers).chain(halves)) {
        // SAFETY: the kernel's arguments are buffers, as many as there are, and numbers of 32 bits and halves after them.
        unsafe { set_kernel_arg(entry, at, size, value) }.map_err(fails("clSetKernelArg"))?;
    }
    // SAFETY: the kernel stays inside its buffers, if the module is right; this process is for one that is not.
    unsafe { queue.enqueue_nd_range_kernel(entry, 1, ptr::null(), &job.items, &job.group, &[]) }
        .map_err(fails("clEnqueueNDRangeKernel"))?;
    let mut read = Vec::new();
    for (buffer, count) in outputs.iter().zip(&job.outputs) {
        let mut words = vec![0u32; *count];
        // SAFETY: the buffer was made with this size, and the call waits for the end.
        unsafe { queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut words, &[]) }
            .map_err(fails("clEnqueueReadBuffer"))?;
        read.push(words);
    }
    Ok(read)
}

fn buffer(context: &Context, queue: &CommandQueue, words: &[u32]) -> Result<Buffer<cl_uint>, ClError> {
    // SAFETY: no host pointer is given, and the write waits until the words are no longer needed.
    unsafe {
        let mut buffer = Buffer::create(context, CL_MEM_READ_WRITE, words.len(), ptr::null_mut())?;
        queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, words, &[])?;
        Ok(buffer)
    }
}

fn refuses<E: Into<ClError>>(call: &str) -> impl Fn(E) -> Refusal {
    move |error| Refusal::Refuses(format!("{call}: {}", error.into()))
}

fn fails<E: Into<ClError>>(call: &str) -> impl Fn(E) -> Refusal {
    move |error| Refusal::Fails(format!("{call}: {}", error.into()))
}
