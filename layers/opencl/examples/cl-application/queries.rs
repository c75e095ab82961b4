//! Queries of programs and kernels, of which the answers are the same for all applications: prints them.

use cl3::kernel::{
    CL_KERNEL_CONTEXT, CL_KERNEL_NUM_ARGS, CL_KERNEL_PROGRAM, CL_KERNEL_REFERENCE_COUNT,
    CL_KERNEL_WORK_GROUP_SIZE, get_kernel_data, get_kernel_work_group_data, release_kernel, retain_kernel,
};
use cl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BUILD_OPTIONS, CL_PROGRAM_CONTEXT,
    CL_PROGRAM_DEVICES, CL_PROGRAM_IL, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_NUM_DEVICES,
    CL_PROGRAM_NUM_KERNELS, build_program, create_program_with_binary, get_program_build_data,
    get_program_data, release_program,
};
use cl3::types::cl_program;

use crate::context::Context;
use crate::program::{create, kernel, status};
use crate::{Options, Result, call};

/// Returns the handle that bytes are.
fn handle(bytes: &[u8]) -> usize {
    usize::from_ne_bytes(bytes.try_into().unwrap_or_default())
}

pub unsafe fn run(context: &Context, options: &Options) -> Result<()> {
    // SAFETY: the caller's.
    unsafe {
        let program = create(context, options)?;
        for &device in &context.devices {
            println!("status before: {}", status(program, device)?);
        }
        println!("kernels before: {:?}", get_program_data(program, CL_PROGRAM_NUM_KERNELS).is_ok());
        let options_text = c"-cl-fast-relaxed-math";
        call("clBuildProgram", build_program(program, &[], options_text, None, std::ptr::null_mut()))?;
        for &device in &context.devices {
            let options = get_program_build_data(program, device, CL_PROGRAM_BUILD_OPTIONS);
            let options = call("clGetProgramBuildInfo", options)?;
            println!("status: {}, options: {:?}", status(program, device)?, String::from_utf8(options)?);
        }
        let ask = |query| call("clGetProgramInfo", get_program_data(program, query));
        println!("IL is that of the application: {}", ask(CL_PROGRAM_IL)? == options.file("module")?);
        println!("context: {}", handle(&ask(CL_PROGRAM_CONTEXT)?) == context.context.addr());
        println!("devices: {:?}", ask(CL_PROGRAM_NUM_DEVICES)?);
        let devices: Vec<u8> =
            context.devices.iter().flat_map(|device| device.expose_provenance().to_ne_bytes()).collect();
        println!("devices in order: {}", ask(CL_PROGRAM_DEVICES)? == devices);
        println!("kernels: {}", handle(&ask(CL_PROGRAM_NUM_KERNELS)?));
        println!("kernels: {:?}", String::from_utf8(ask(CL_PROGRAM_KERNEL_NAMES)?)?);

        let kernel = kernel(program, options)?;
        call("clRetainKernel", retain_kernel(kernel))?;
        let ask = |query| call("clGetKernelInfo", get_kernel_data(kernel, query));
        println!("references of the kernel: {:?}", ask(CL_KERNEL_REFERENCE_COUNT)?);
        call("clReleaseKernel", release_kernel(kernel))?;
        println!("references of the kernel: {:?}", ask(CL_KERNEL_REFERENCE_COUNT)?);
        println!("arguments: {:?}", ask(CL_KERNEL_NUM_ARGS)?);
        println!("program of the kernel: {}", handle(&ask(CL_KERNEL_PROGRAM)?) == program.addr());
        println!("context of the kernel: {}", handle(&ask(CL_KERNEL_CONTEXT)?) == context.context.addr());
        for &device in &context.devices {
            let size = get_kernel_work_group_data(kernel, device, CL_KERNEL_WORK_GROUP_SIZE);
            println!("work-groups: {}", handle(&call("clGetKernelWorkGroupInfo", size)?) > 0);
        }
        call("clReleaseKernel", release_kernel(kernel))?;
        from_binaries(context, options, program)?;
        call("clReleaseProgram", release_program(program))
    }
}

/// Makes a program of the binaries of another, and runs it.
unsafe fn from_binaries(context: &Context, options: &Options, program: cl_program) -> Result<()> {
    let sizes = call("clGetProgramInfo", get_program_data(program, CL_PROGRAM_BINARY_SIZES))?;
    let sizes: Vec<usize> = sizes.chunks_exact(size_of::<usize>()).map(handle).collect();
    let mut binaries: Vec<Vec<u8>> = sizes.iter().map(|&size| vec![0; size]).collect();
    let mut places: Vec<*mut u8> = binaries.iter_mut().map(|binary| binary.as_mut_ptr()).collect();
    let library = cl3::load_library().as_ref().map_err(ToString::to_string)?;
    // SAFETY: the caller's. Each place has the size of its binary.
    unsafe {
        let size = size_of_val(&places[..]);
        let places = places.as_mut_ptr().cast();
        let code = library.clGetProgramInfo(program, CL_PROGRAM_BINARIES, size, places, std::ptr::null_mut());
        call("clGetProgramInfo", if code == Some(0) { Ok(()) } else { Err(code.unwrap_or(-1)) })?;
        let binaries: Vec<&[u8]> = binaries.iter().map(Vec::as_slice).collect();
        println!("binaries: {}", binaries.iter().all(|binary| binary.iter().any(|byte| *byte != 0)));
        let program = create_program_with_binary(context.context, &context.devices, &binaries);
        let program = call("clCreateProgramWithBinary", program)?;
        call("clBuildProgram", build_program(program, &[], c"", None, std::ptr::null_mut()))?;
        let kernel = kernel(program, options)?;
        context.run(kernel, options)?.iter().for_each(|line| println!("{line}"));
        call("clReleaseKernel", release_kernel(kernel))?;
        call("clReleaseProgram", release_program(program))
    }
}
