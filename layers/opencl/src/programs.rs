//! The functions of OpenCL that create, build and release programs.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::cl_icd::clCreateProgramWithIL_t;
use opencl_sys::{
    CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_OPERATION, CL_INVALID_VALUE,
    CL_OUT_OF_HOST_MEMORY, CL_SUCCESS, cl_context, cl_device_id, cl_int, cl_kernel, cl_platform_id,
    cl_program, cl_program_build_info, cl_program_info, cl_uint,
};

use crate::answers::{Answer, bytes_of, created, fail, list};
use crate::boundary::guarded;
use crate::code::{Purpose, Replacement};
use crate::devices::{self, Description};
use crate::dispatch::{intercepted, next, next_object};
use crate::messages::{Severity, send};
use crate::program::{PROGRAMS, Program, ProgramCallback};
use crate::{extensions, link, program_info, settings};

intercepted! {
    clCreateProgramWithIL = create_program_with_il,
    clRetainProgram = retain_program,
    clReleaseProgram = release_program,
    clBuildProgram = build_program,
    clCompileProgram = compile_program,
    clLinkProgram = link_program,
    clGetProgramInfo = get_program_info,
    clGetProgramBuildInfo = get_program_build_info,
    clCreateKernel = create_kernel,
    clCreateKernelsInProgram = create_kernels_in_program,
    clSetProgramReleaseCallback = set_program_release_callback,
    clSetProgramSpecializationConstant = set_program_specialization_constant,
    clGetExtensionFunctionAddress = get_extension_function_address,
    clGetExtensionFunctionAddressForPlatform = get_extension_function_address_for_platform,
}

/// clCreateProgramWithIL.
///
/// # Safety
/// See OpenCL's specification, as for all functions below.
unsafe extern "C" fn create_program_with_il(
    context: cl_context,
    il: *const c_void,
    length: usize,
    error: *mut cl_int,
) -> cl_program {
    let create = crate::dispatch::next_functions().clCreateProgramWithIL;
    // SAFETY: the caller's.
    unsafe { create_by(create, context, il, length, error) }
}

/// Creates a program of IL, by a function of the next layer or of an extension.
///
/// # Safety
/// See clCreateProgramWithIL.
pub unsafe fn create_by(
    create: clCreateProgramWithIL_t,
    context: cl_context,
    il: *const c_void,
    length: usize,
    error: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's.
    guarded("clCreateProgramWithIL", std::ptr::null_mut(), || unsafe {
        let settings = settings::current();
        let devices = match devices::of_context(context) {
            Ok(devices) => devices,
            Err(code) => return fail(error, code),
        };
        let described: Vec<Arc<Description>> =
            devices.iter().map(|&device| devices::describe(device)).collect();
        let described: Vec<&Description> = described.iter().map(|device| &**device).collect();
        match Replacement::new(list(il.cast::<u8>(), length), &described, &settings) {
            Replacement::None => match create {
                Some(create) => create(context, il, length, error),
                None => fail(error, CL_INVALID_OPERATION),
            },
            Replacement::Malformed(reason) => {
                send(Severity::Error, format!("refused a packed module of {length} bytes: {reason}"));
                fail(error, CL_INVALID_VALUE)
            }
            Replacement::Code(code) => {
                let program = Program::create(context, devices, Some(*code), create, Vec::new());
                created(Ok(program), error)
            }
        }
    })
}

/// clRetainProgram.
unsafe extern "C" fn retain_program(program: cl_program) -> cl_int {
    guarded("clRetainProgram", CL_OUT_OF_HOST_MEMORY, || match PROGRAMS.get(program) {
        Some(program) => {
            program.retain();
            CL_SUCCESS
        }
        // SAFETY: the caller's.
        None => unsafe { next!(clRetainProgram(program)) },
    })
}

/// clReleaseProgram.
unsafe extern "C" fn release_program(program: cl_program) -> cl_int {
    // SAFETY: the caller's.
    guarded("clReleaseProgram", CL_OUT_OF_HOST_MEMORY, || unsafe {
        match PROGRAMS.get(program) {
            Some(program) => {
                program.release();
                CL_SUCCESS
            }
            None => next!(clReleaseProgram(program)),
        }
    })
}

/// clBuildProgram. The layer's programs are built when it returns, as OpenCL permits.
unsafe extern "C" fn build_program(
    program: cl_program,
    device_count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Option<ProgramCallback>,
    data: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clBuildProgram", CL_OUT_OF_HOST_MEMORY, || unsafe {
        let Some(layer_program) = PROGRAMS.get(program) else {
            return next!(clBuildProgram(program, device_count, devices, options, notify, data));
        };
        if devices.is_null() != (device_count == 0) || notify.is_none() && !data.is_null() {
            return CL_INVALID_VALUE;
        }
        let requested = list(devices, device_count as usize);
        let call = |program, devices: &[cl_device_id]| {
            let count = devices.len() as cl_uint;
            next!(clBuildProgram(program, count, devices.as_ptr(), options, None, std::ptr::null_mut()))
        };
        let code = layer_program.build(requested, bytes_of(options), Purpose::Build, &call);
        notify_of(code, notify, program, data)
    })
}

/// Calls the application's function after a build, unless the call was invalid. Returns the code.
///
/// # Safety
/// The function is the application's for this program.
unsafe fn notify_of(
    code: cl_int,
    notify: Option<ProgramCallback>,
    program: cl_program,
    data: *mut c_void,
) -> cl_int {
    let is_built = matches!(code, CL_SUCCESS | CL_BUILD_PROGRAM_FAILURE | CL_COMPILE_PROGRAM_FAILURE);
    if let Some(notify) = notify.filter(|_| is_built) {
        // SAFETY: the caller's.
        unsafe { notify(program, data) };
    }
    code
}

/// clCompileProgram.
unsafe extern "C" fn compile_program(
    program: cl_program,
    device_count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    header_count: cl_uint,
    headers: *const cl_program,
    header_names: *mut *const c_char,
    notify: Option<ProgramCallback>,
    data: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clCompileProgram", CL_OUT_OF_HOST_MEMORY, || unsafe {
        // A header is source code.
        if list(headers, header_count as usize).iter().any(|header| PROGRAMS.get(*header).is_some()) {
            return CL_INVALID_OPERATION;
        }
        let compile = |program, count, devices, notify, data| {
            next!(clCompileProgram(
                program,
                count,
                devices,
                options,
                header_count,
                headers,
                header_names,
                notify,
                data
            ))
        };
        let Some(layer_program) = PROGRAMS.get(program) else {
            return compile(program, device_count, devices, notify, data);
        };
        if devices.is_null() != (device_count == 0) || notify.is_none() && !data.is_null() {
            return CL_INVALID_VALUE;
        }
        let requested = list(devices, device_count as usize);
        let call = |program, devices: &[cl_device_id]| {
            compile(program, devices.len() as cl_uint, devices.as_ptr(), None, std::ptr::null_mut())
        };
        let code = layer_program.build(requested, bytes_of(options), Purpose::Compile, &call);
        notify_of(code, notify, program, data)
    })
}

/// clLinkProgram.
unsafe extern "C" fn link_program(
    context: cl_context,
    device_count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    input_count: cl_uint,
    inputs: *const cl_program,
    notify: Option<ProgramCallback>,
    data: *mut c_void,
    error: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's.
    guarded("clLinkProgram", std::ptr::null_mut(), || unsafe {
        let programs = list(inputs, input_count as usize);
        if programs.iter().all(|input| PROGRAMS.get(*input).is_none()) {
            return next_object!(clLinkProgram(
                context, device_count, devices, options, input_count, inputs, notify, data
            ); error);
        }
        let mut code = CL_SUCCESS;
        let program = link::link(context, list(devices, device_count as usize), options, programs, &mut code);
        if let Some(notify) = notify.filter(|_| !program.is_null()) {
            notify(program, data);
        }
        crate::answers::write_code(error, code);
        program
    })
}

/// clGetProgramInfo.
unsafe extern "C" fn get_program_info(
    program: cl_program,
    query: cl_program_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetProgramInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        match PROGRAMS.get(program) {
            Some(program) => program_info::of_program(&program, query, Answer { size, value, size_ret }),
            None => next!(clGetProgramInfo(program, query, size, value, size_ret)),
        }
    })
}

/// clGetProgramBuildInfo.
unsafe extern "C" fn get_program_build_info(
    program: cl_program,
    device: cl_device_id,
    query: cl_program_build_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetProgramBuildInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        match PROGRAMS.get(program) {
            Some(program) => {
                program_info::of_build(&program, device, query, Answer { size, value, size_ret })
            }
            None => next!(clGetProgramBuildInfo(program, device, query, size, value, size_ret)),
        }
    })
}

/// clCreateKernel.
unsafe extern "C" fn create_kernel(
    program: cl_program,
    name: *const c_char,
    error: *mut cl_int,
) -> cl_kernel {
    // SAFETY: the caller's.
    guarded("clCreateKernel", std::ptr::null_mut(), || unsafe {
        match PROGRAMS.get(program) {
            Some(_) if name.is_null() => fail(error, CL_INVALID_VALUE),
            Some(program) => created(program.create_kernel(bytes_of(name)), error),
            None => next_object!(clCreateKernel(program, name); error),
        }
    })
}

/// clCreateKernelsInProgram.
unsafe extern "C" fn create_kernels_in_program(
    program: cl_program,
    count: cl_uint,
    kernels: *mut cl_kernel,
    count_ret: *mut cl_uint,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clCreateKernelsInProgram", CL_OUT_OF_HOST_MEMORY, || unsafe {
        let Some(layer_program) = PROGRAMS.get(program) else {
            return next!(clCreateKernelsInProgram(program, count, kernels, count_ret));
        };
        let names = match program_info::kernel_names(&layer_program) {
            Ok(names) => names,
            Err(code) => return code,
        };
        if !kernels.is_null() {
            if (count as usize) < names.len() {
                return CL_INVALID_VALUE;
            }
            for (at, name) in names.iter().enumerate() {
                match layer_program.create_kernel(name) {
                    Ok(kernel) => kernels.add(at).write(kernel),
                    Err(code) => {
                        (0..at).for_each(|at| _ = crate::kernels::release(kernels.add(at).read()));
                        return code;
                    }
                }
            }
        }
        if let Some(count) = count_ret.as_mut() {
            *count = names.len() as cl_uint;
        }
        CL_SUCCESS
    })
}

/// clSetProgramReleaseCallback.
unsafe extern "C" fn set_program_release_callback(
    program: cl_program,
    notify: Option<ProgramCallback>,
    data: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clSetProgramReleaseCallback", CL_OUT_OF_HOST_MEMORY, || unsafe {
        match (PROGRAMS.get(program), notify) {
            (None, _) => next!(clSetProgramReleaseCallback(program, notify, data)),
            (Some(_), None) => CL_INVALID_VALUE,
            (Some(program), Some(notify)) => {
                program.add_callback(notify, data);
                CL_SUCCESS
            }
        }
    })
}

/// clSetProgramSpecializationConstant.
unsafe extern "C" fn set_program_specialization_constant(
    program: cl_program,
    spec_id: cl_uint,
    size: usize,
    value: *const c_void,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clSetProgramSpecializationConstant", CL_OUT_OF_HOST_MEMORY, || unsafe {
        match PROGRAMS.get(program) {
            Some(program) => program.set_constant(spec_id, list(value.cast(), size)),
            None => next!(clSetProgramSpecializationConstant(program, spec_id, size, value)),
        }
    })
}

/// clGetExtensionFunctionAddress.
unsafe extern "C" fn get_extension_function_address(name: *const c_char) -> *mut c_void {
    // SAFETY: the caller's.
    guarded("clGetExtensionFunctionAddress", std::ptr::null_mut(), || unsafe {
        let function = crate::dispatch::next_functions().clGetExtensionFunctionAddress;
        let function = function.map_or(std::ptr::null_mut(), |get| get(name));
        extensions::replaced(bytes_of(name), function)
    })
}

/// clGetExtensionFunctionAddressForPlatform.
unsafe extern "C" fn get_extension_function_address_for_platform(
    platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller's.
    guarded("clGetExtensionFunctionAddressForPlatform", std::ptr::null_mut(), || unsafe {
        let function = crate::dispatch::next_functions().clGetExtensionFunctionAddressForPlatform;
        let function = function.map_or(std::ptr::null_mut(), |get| get(platform, name));
        extensions::replaced(bytes_of(name), function)
    })
}
