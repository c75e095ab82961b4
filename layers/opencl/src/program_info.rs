//! Answers to queries of the layer's programs.

use std::ffi::c_void;

use opencl_sys::{
    CL_BUILD_ERROR, CL_BUILD_NONE, CL_INVALID_DEVICE, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE,
    CL_PROGRAM_BINARIES, CL_PROGRAM_BINARY_SIZES, CL_PROGRAM_BINARY_TYPE, CL_PROGRAM_BINARY_TYPE_NONE,
    CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, CL_PROGRAM_BUILD_LOG, CL_PROGRAM_BUILD_OPTIONS,
    CL_PROGRAM_BUILD_STATUS, CL_PROGRAM_CONTEXT, CL_PROGRAM_DEVICES, CL_PROGRAM_IL, CL_PROGRAM_KERNEL_NAMES,
    CL_PROGRAM_NUM_DEVICES, CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_REFERENCE_COUNT, CL_PROGRAM_SOURCE,
    cl_device_id, cl_int, cl_program_build_info, cl_program_info,
};

use crate::answers::{Answer, ask, code, handles, sizes, succeeded, text};
use crate::dispatch::next;
use crate::messages::LAYER;
use crate::program::{Program, ProgramForm, RefusedDevice};

/// Answers a query of a program.
///
/// # Safety
/// The program exists, and the place for the answer has the size that it says.
pub unsafe fn of_program(program: &Program, query: cl_program_info, answer: Answer) -> cl_int {
    // SAFETY: the caller's.
    unsafe {
        match query {
            CL_PROGRAM_REFERENCE_COUNT => answer.bytes(&program.references().to_ne_bytes()),
            CL_PROGRAM_CONTEXT => answer.handle(program.context),
            CL_PROGRAM_NUM_DEVICES => answer.bytes(&(program.devices.len() as u32).to_ne_bytes()),
            CL_PROGRAM_DEVICES => {
                let devices =
                    program.devices.iter().flat_map(|device| device.expose_provenance().to_ne_bytes());
                answer.bytes(&devices.collect::<Vec<u8>>())
            }
            CL_PROGRAM_IL => answer.bytes(program.code.as_ref().map_or(&[], |code| &code.il)),
            CL_PROGRAM_BINARY_SIZES => match binary_sizes(program) {
                Ok(sizes) => {
                    answer.bytes(&sizes.into_iter().flat_map(usize::to_ne_bytes).collect::<Vec<u8>>())
                }
                Err(code) => code,
            },
            CL_PROGRAM_BINARIES => code(binaries(program, answer)),
            CL_PROGRAM_NUM_KERNELS => match kernel_names(program) {
                Ok(names) => answer.bytes(&names.len().to_ne_bytes()),
                Err(code) => code,
            },
            CL_PROGRAM_KERNEL_NAMES => match kernel_names(program) {
                Ok(names) => answer.text(&names.join(&b';')),
                Err(code) => code,
            },
            _ => match (first_form(program), query) {
                (Some(form), _) => {
                    next!(clGetProgramInfo(form.program, query, answer.size, answer.value, answer.size_ret))
                }
                // IL has no source.
                (None, CL_PROGRAM_SOURCE) => answer.text(&[]),
                (None, _) => CL_INVALID_VALUE,
            },
        }
    }
}

/// Answers a query of the build of a program for a device.
///
/// # Safety
/// See [`of_program`].
pub unsafe fn of_build(
    program: &Program,
    device: cl_device_id,
    query: cl_program_build_info,
    answer: Answer,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe {
        if !program.devices.contains(&device) {
            return CL_INVALID_DEVICE;
        }
        let refused = program.state().refused.get(&device.addr()).cloned();
        if let Some(form) = program.on_device(device) {
            let Answer { size, value, size_ret } = answer;
            return match query {
                CL_PROGRAM_BUILD_LOG => match log(&form, device) {
                    Ok(log) => answer.text(&log),
                    Err(code) => code,
                },
                _ => next!(clGetProgramBuildInfo(form.program, device, query, size, value, size_ret)),
            };
        }
        let status = if refused.is_some() { CL_BUILD_ERROR } else { CL_BUILD_NONE };
        let refused = refused.unwrap_or_else(|| RefusedDevice { reason: String::new(), options: Vec::new() });
        match query {
            CL_PROGRAM_BUILD_STATUS => answer.bytes(&status.to_ne_bytes()),
            CL_PROGRAM_BUILD_OPTIONS => answer.text(&refused.options),
            CL_PROGRAM_BUILD_LOG if refused.reason.is_empty() => answer.text(&[]),
            CL_PROGRAM_BUILD_LOG => answer.text(format!("{LAYER}: {}\n", refused.reason).as_bytes()),
            CL_PROGRAM_BINARY_TYPE => answer.bytes(&CL_PROGRAM_BINARY_TYPE_NONE.to_ne_bytes()),
            CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => answer.bytes(&0_usize.to_ne_bytes()),
            _ => CL_INVALID_VALUE,
        }
    }
}

/// Returns the driver's log after the kernels that are left out.
unsafe fn log(form: &ProgramForm, device: cl_device_id) -> Result<Vec<u8>, cl_int> {
    let asked = |size, value, size_ret| {
        // SAFETY: the caller's.
        unsafe {
            next!(clGetProgramBuildInfo(form.program, device, CL_PROGRAM_BUILD_LOG, size, value, size_ret))
        }
    };
    let notes = form.missing.iter();
    let notes =
        notes.map(|kernel| format!("{LAYER}: kernel `{}` is left out: it {}\n", kernel.name, kernel.reason));
    let mut log: Vec<u8> = notes.collect::<String>().into_bytes();
    log.extend(text(ask(asked)?));
    Ok(log)
}

fn first_form(program: &Program) -> Option<ProgramForm> {
    program.state().forms.first().cloned()
}

/// Returns the names of the kernels that some device has.
///
/// # Errors
/// If the program is not built.
pub fn kernel_names(program: &Program) -> Result<Vec<Vec<u8>>, cl_int> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut error = CL_INVALID_PROGRAM_EXECUTABLE;
    let mut is_built = false;
    for form in program.state().forms.clone() {
        let asked = |size, value, size_ret| {
            // SAFETY: the program of the driver exists while this one does.
            unsafe { next!(clGetProgramInfo(form.program, CL_PROGRAM_KERNEL_NAMES, size, value, size_ret)) }
        };
        match ask(asked) {
            Ok(answer) => {
                is_built = true;
                let of_form = text(answer);
                let of_form = of_form.split(|byte| *byte == b';').filter(|name| !name.is_empty());
                for name in of_form {
                    if names.iter().all(|known| known != name) {
                        names.push(name.to_vec());
                    }
                }
            }
            Err(code) => error = code,
        }
    }
    if is_built { Ok(names) } else { Err(error) }
}

/// Returns the size of each device's binary.
fn binary_sizes(program: &Program) -> Result<Vec<usize>, cl_int> {
    let mut all = vec![0; program.devices.len()];
    for form in program.state().forms.clone() {
        let asked = |size, value, size_ret| {
            // SAFETY: the program of the driver exists while this one does.
            unsafe { next!(clGetProgramInfo(form.program, CL_PROGRAM_BINARY_SIZES, size, value, size_ret)) }
        };
        for (place, size) in places(program, &form)?.into_iter().zip(sizes(&ask(asked)?)) {
            if let Some(place) = place {
                all[place] = size;
            }
        }
    }
    Ok(all)
}

/// Writes each device's binary to the place that the application has for it.
unsafe fn binaries(program: &Program, answer: Answer) -> Result<(), cl_int> {
    let size = size_of::<*mut u8>() * program.devices.len();
    if !answer.value.is_null() {
        if answer.size < size {
            return Err(CL_INVALID_VALUE);
        }
        // SAFETY: the caller's. The application has a pointer for each device.
        let given =
            unsafe { std::slice::from_raw_parts(answer.value.cast::<*mut c_void>(), program.devices.len()) };
        for form in program.state().forms.clone() {
            let places = places(program, &form)?;
            let mut rooms: Vec<*mut c_void> =
                places.into_iter().map(|place| place.map_or(std::ptr::null_mut(), |at| given[at])).collect();
            // SAFETY: there is a pointer for each device of the driver's program.
            succeeded(unsafe {
                next!(clGetProgramInfo(
                    form.program,
                    CL_PROGRAM_BINARIES,
                    size_of_val(&rooms[..]),
                    rooms.as_mut_ptr().cast(),
                    std::ptr::null_mut()
                ))
            })?;
        }
    }
    // SAFETY: the caller's.
    if let Some(size_ret) = unsafe { answer.size_ret.as_mut() } {
        *size_ret = size;
    }
    Ok(())
}

/// Returns the indexes that the devices of a driver's program have in this program; `None` for those that get another one.
fn places(program: &Program, form: &ProgramForm) -> Result<Vec<Option<usize>>, cl_int> {
    let asked = |size, value, size_ret| {
        // SAFETY: the program of the driver exists while this one does.
        unsafe { next!(clGetProgramInfo(form.program, CL_PROGRAM_DEVICES, size, value, size_ret)) }
    };
    let devices = handles(&ask(asked)?);
    let place = |device: &cl_device_id| program.devices.iter().position(|other| other == device);
    let is_of_form = |device: &cl_device_id| form.devices.contains(device);
    Ok(devices.iter().map(|device| place(device).filter(|_| is_of_form(device))).collect())
}
