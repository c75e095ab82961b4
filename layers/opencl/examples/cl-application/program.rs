//! Programs, by each way that a module takes.

use std::ffi::{CString, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use cl3::kernel::{
    CL_KERNEL_FUNCTION_NAME, clone_kernel, create_kernel, create_kernels_in_program, get_kernel_data,
    release_kernel,
};
use cl3::program::{
    CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_STATUS, build_program, compile_program, create_program_with_il,
    create_program_with_source, get_program_build_data, link_program, release_program,
    set_program_specialization_constant,
};
use cl3::types::{cl_command_queue, cl_context, cl_device_id, cl_int, cl_kernel, cl_program};

use crate::context::Context;
use crate::{Options, Result, call};

type CreateProgramWithIl = unsafe extern "C" fn(cl_context, *const c_void, usize, *mut cl_int) -> cl_program;
type SuggestLocalSize =
    unsafe extern "C" fn(cl_command_queue, cl_kernel, u32, *const usize, *const usize, *mut usize) -> cl_int;

/// The function of an extension.
unsafe fn extension(context: &Context, name: &str) -> Result<*mut c_void> {
    let library = cl3::load_library().as_ref().map_err(ToString::to_string)?;
    let text = CString::new(name)?;
    let function = library.clGetExtensionFunctionAddressForPlatform(context.platform, text.as_ptr());
    let function = function.ok_or("no clGetExtensionFunctionAddressForPlatform")?;
    if function.is_null() { Err(format!("no {name}").into()) } else { Ok(function) }
}

/// Creates a program of the module.
pub unsafe fn create(context: &Context, options: &Options) -> Result<cl_program> {
    let il = options.file("module")?;
    // SAFETY: the function has this type.
    unsafe {
        let program = match options.text("entrance") {
            "build-khr" => {
                let create: CreateProgramWithIl =
                    std::mem::transmute(extension(context, "clCreateProgramWithILKHR")?);
                let mut code = 0;
                let program = create(context.context, il.as_ptr().cast(), il.len(), &raw mut code);
                call("clCreateProgramWithILKHR", if code == 0 { Ok(program) } else { Err(code) })?
            }
            _ => call("clCreateProgramWithIL", create_program_with_il(context.context, &il))?,
        };
        for constant in options.list("constants") {
            let (spec_id, bytes) = constant.split_once(':').ok_or("a constant is SPEC_ID:BYTES")?;
            let bytes: Vec<u8> = bytes.split('.').map(str::parse).collect::<std::result::Result<_, _>>()?;
            let result = set_program_specialization_constant(
                program,
                spec_id.parse()?,
                bytes.len(),
                bytes.as_ptr().cast(),
            );
            call("clSetProgramSpecializationConstant", result)?;
        }
        Ok(program)
    }
}

static NOTIFIED: AtomicUsize = AtomicUsize::new(0);

unsafe extern "C" fn notify(program: cl_program, data: *mut c_void) {
    // SAFETY: the data is the program that is built.
    NOTIFIED.store(if program == data { 1 } else { 2 }, Ordering::Release);
}

/// Makes kernels possible; the program may be another one then.
pub unsafe fn build(context: &Context, options: &Options, program: cl_program) -> Result<cl_program> {
    let none = std::ptr::null_mut();
    let compiled = match options.text("entrance") {
        "compile" => {
            let result = compile_program(program, &[], c"", &[], &[], None, none);
            logged(context, program, call("clCompileProgram", result))?;
            // SAFETY: the program exists.
            unsafe {
                let linked = link_program(context.context, &[], c"", &[program], None, none);
                let linked = call("clLinkProgram", linked)?;
                call("clReleaseProgram", release_program(program))?;
                return Ok(linked);
            }
        }
        "build-notified" => {
            let result = build_program(program, &[], c"", Some(notify), program);
            let result = call("clBuildProgram", result);
            while NOTIFIED.load(Ordering::Acquire) == 0 {
                std::thread::yield_now();
            }
            println!("notified of the program: {}", NOTIFIED.load(Ordering::Acquire) == 1);
            result
        }
        "build-each" => context.devices.iter().try_for_each(|&device| {
            call("clBuildProgram", build_program(program, &[device], c"", None, std::ptr::null_mut()))
        }),
        _ => call("clBuildProgram", build_program(program, &[], c"", None, none)),
    };
    logged(context, program, compiled)?;
    Ok(program)
}

/// Prints the logs, if there are any.
fn logged(context: &Context, program: cl_program, result: Result<()>) -> Result<()> {
    for (at, &device) in context.devices.iter().enumerate() {
        let log =
            call("clGetProgramBuildInfo", get_program_build_data(program, device, CL_PROGRAM_BUILD_LOG))?;
        let log = String::from_utf8_lossy(&log).trim_matches(['\0', '\n']).to_owned();
        if result.is_err() || log.contains("SPIRVIF") {
            println!("device {at}, status {}, log: {log}", status(program, device)?);
        }
    }
    result
}

pub fn status(program: cl_program, device: cl_device_id) -> Result<i32> {
    let status = get_program_build_data(program, device, CL_PROGRAM_BUILD_STATUS);
    let status = call("clGetProgramBuildInfo", status)?;
    Ok(i32::from_ne_bytes(status.try_into().map_err(|_| "a status has four bytes")?))
}

pub fn kernel(program: cl_program, options: &Options) -> Result<cl_kernel> {
    let name = CString::new(options.text("kernel"))?;
    call("clCreateKernel", create_kernel(program, &name))
}

/// Runs a kernel of the module, and prints what it wrote.
pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: the caller's.
    unsafe {
        let program = build(context, options, create(context, options)?)?;
        let mut used = match options.text("entrance") {
            "all-kernels" => named(program, options)?,
            _ => kernel(program, options)?,
        };
        if options.text("entrance") == "cloned" {
            let copy = call("clCloneKernel", clone_kernel(used))?;
            call("clReleaseKernel", release_kernel(used))?;
            used = copy;
        }
        context.run(used, options)?.iter().for_each(|line| println!("{line}"));
        call("clReleaseKernel", release_kernel(used))?;
        call("clReleaseProgram", release_program(program))
    }
}

/// Creates all kernels, and keeps the one that is asked for.
unsafe fn named(program: cl_program, options: &Options) -> Result<cl_kernel> {
    let kernels = call("clCreateKernelsInProgram", create_kernels_in_program(program))?;
    let mut chosen = None;
    for kernel in kernels {
        let name = call("clGetKernelInfo", get_kernel_data(kernel, CL_KERNEL_FUNCTION_NAME))?;
        let name = String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned();
        println!("kernel {name}");
        if name == options.text("kernel") {
            chosen = Some(kernel);
        } else {
            // SAFETY: nobody uses it.
            call("clReleaseKernel", unsafe { release_kernel(kernel) })?;
        }
    }
    Ok(chosen.ok_or("there is no such kernel")?)
}

/// Asks for the size of work-groups, by an extension.
pub unsafe fn suggest(
    context: &Context,
    queue: cl_command_queue,
    kernel: cl_kernel,
    global: usize,
) -> Result<()> {
    // SAFETY: the function has this type.
    unsafe {
        let function = extension(context, "clGetKernelSuggestedLocalWorkSizeKHR")?;
        let suggest: SuggestLocalSize = std::mem::transmute(function);
        let mut local = 0;
        let code = suggest(queue, kernel, 1, std::ptr::null(), &raw const global, &raw mut local);
        call("clGetKernelSuggestedLocalWorkSizeKHR", if code == 0 { Ok(()) } else { Err(code) })?;
        println!("suggested: {}", (1..=global).contains(&local));
        Ok(())
    }
}

/// Runs a kernel of source code.
pub unsafe fn run_source(context: &Context, options: &Options) -> Result<()> {
    let source = "kernel void run(global const float *in, global float *out) {
        out[get_global_id(0)] = 2.0f * in[get_global_id(0)];
    }";
    // SAFETY: the caller's.
    unsafe {
        let program = create_program_with_source(context.context, &[source]);
        let program = build(context, options, call("clCreateProgramWithSource", program)?)?;
        let kernel = kernel(program, options)?;
        context.run(kernel, options)?.iter().for_each(|line| println!("{line}"));
        call("clReleaseKernel", release_kernel(kernel))?;
        call("clReleaseProgram", release_program(program))
    }
}
