//! Linking programs of which some are the layer's.

use std::ffi::c_char;

use opencl_sys::{CL_INVALID_OPERATION, CL_SUCCESS, cl_context, cl_device_id, cl_int, cl_program, cl_uint};

use crate::answers::succeeded;
use crate::devices;
use crate::dispatch::{next, next_object};
use crate::program::{PROGRAMS, Program, ProgramForm};

/// Links programs for devices, all of the context if there are none in the list. Devices that get the same programs have one result. If all have,
/// it is the driver's program.
///
/// # Safety
/// All objects exist.
pub unsafe fn link(
    context: cl_context,
    requested: &[cl_device_id],
    options: *const c_char,
    inputs: &[cl_program],
    code: &mut cl_int,
) -> cl_program {
    // SAFETY: the caller's.
    let linked = unsafe { link_forms(context, requested, options, inputs, code) };
    match linked {
        Err(error) => {
            *code = error;
            std::ptr::null_mut()
        }
        Ok(forms) => match &forms[..] {
            [form] => form.program,
            _ => {
                let devices = forms.iter().flat_map(|form| form.devices.iter().copied()).collect();
                // SAFETY: the caller's.
                unsafe { Program::create(context, devices, None, None, forms) }
            }
        },
    }
}

/// Links the programs once for each group of devices. `code` is the first error of a program that is not linked, and exists with its log.
///
/// # Errors
/// If a driver returns no program.
///
/// # Safety
/// See [`link`].
unsafe fn link_forms(
    context: cl_context,
    requested: &[cl_device_id],
    options: *const c_char,
    inputs: &[cl_program],
    code: &mut cl_int,
) -> Result<Vec<ProgramForm>, cl_int> {
    // SAFETY: the caller's.
    let devices = match requested {
        [] => unsafe { devices::of_context(context)? },
        list => list.to_vec(),
    };
    let mut groups: Vec<(Vec<cl_program>, Vec<cl_device_id>)> = Vec::new();
    for device in devices {
        // SAFETY: the caller's.
        let programs = unsafe { on_device(inputs, device)? };
        match groups.iter_mut().find(|(of_group, _)| *of_group == programs) {
            Some((_, devices)) => devices.push(device),
            None => groups.push((programs, vec![device])),
        }
    }
    let mut forms: Vec<ProgramForm> = Vec::new();
    for (programs, devices) in groups {
        let mut result = CL_SUCCESS;
        // SAFETY: the caller's.
        let program = unsafe {
            next_object!(clLinkProgram(
                context,
                devices.len() as cl_uint,
                devices.as_ptr(),
                options,
                programs.len() as cl_uint,
                programs.as_ptr(),
                None,
                std::ptr::null_mut(),
            ); &raw mut result)
        };
        if program.is_null() {
            for form in forms {
                // SAFETY: nobody has it.
                unsafe { next!(clReleaseProgram(form.program)) };
            }
            return Err(succeeded(result).err().unwrap_or(CL_INVALID_OPERATION));
        }
        if *code == CL_SUCCESS {
            *code = result;
        }
        forms.push(ProgramForm::linked(program, devices));
    }
    Ok(forms)
}

/// Returns the driver's programs for a device.
///
/// # Safety
/// See [`link`].
unsafe fn on_device(inputs: &[cl_program], device: cl_device_id) -> Result<Vec<cl_program>, cl_int> {
    let of_input = |&input: &cl_program| match PROGRAMS.get(input) {
        None => Ok(input),
        // SAFETY: the caller's.
        Some(program) => match unsafe { program.on_device(device) } {
            Some(form) => Ok(form.program),
            // It is not compiled.
            None => Err(CL_INVALID_OPERATION),
        },
    };
    inputs.iter().map(of_input).collect()
}
