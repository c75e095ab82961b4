//! Functions of extensions that take programs or kernels. Applications get them by name, each from a driver: the layer stands before it.

use std::ffi::{c_char, c_void};
use std::sync::{Mutex, PoisonError};

use opencl_sys::{
    CL_COMMAND_BUFFER_QUEUES_KHR, CL_INVALID_COMMAND_QUEUE, CL_INVALID_PROGRAM_EXECUTABLE,
    CL_MUTABLE_DISPATCH_KERNEL_KHR, CL_OUT_OF_HOST_MEMORY, cl_bool, cl_command_buffer_khr,
    cl_command_properties_khr, cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_kernel,
    cl_mutable_command_info_khr, cl_mutable_command_khr, cl_program, cl_sync_point_khr, cl_uint, cl_ulong,
};

use crate::answers::{Answer, ask, handles};
use crate::boundary::guarded;
use crate::devices;
use crate::kernel::KERNELS;
use crate::kernels::{each, on_queue, with};
use crate::program::PROGRAMS;
use crate::programs;

/// The number of functions of one name: each driver has its own.
const DRIVERS: usize = 8;

/// The functions of one name that drivers gave.
struct DriverFunctions(Mutex<[usize; DRIVERS]>);

impl DriverFunctions {
    const fn new() -> DriverFunctions {
        DriverFunctions(Mutex::new([0; DRIVERS]))
    }

    /// Returns the place of a function, which it gets if it has none; `None` if all have others.
    fn place(&self, function: *mut c_void) -> Option<usize> {
        let address = function.expose_provenance();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = all.iter().position(|known| [0, address].contains(known))?;
        all[place] = address;
        Some(place)
    }

    fn get(&self, place: usize) -> *mut c_void {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::ptr::with_exposed_provenance_mut(all[place])
    }
}

/// Declares functions that stand before those of drivers. The body has the driver's.
macro_rules! extensions {
    ($($name:ident($($argument:ident: $type:ty),* $(,)?) -> $result:ty = $failure:expr, |$driver:ident| $body:expr;)*) => {
        $(
            #[expect(non_snake_case, reason = "it has the name of the function")]
            mod $name {
                use super::*;

                type Function = unsafe extern "C" fn($($type),*) -> $result;

                static DRIVER: DriverFunctions = DriverFunctions::new();

                /// # Safety
                /// See the specification of the extension.
                unsafe extern "C" fn replaced<const PLACE: usize>($($argument: $type),*) -> $result {
                    // SAFETY: the caller's. The driver's function of this name has this type.
                    guarded(stringify!($name), $failure, || unsafe {
                        let $driver = std::mem::transmute::<*mut c_void, Function>(DRIVER.get(PLACE));
                        $body
                    })
                }

                const REPLACED: [Function; DRIVERS] = [
                    replaced::<0>, replaced::<1>, replaced::<2>, replaced::<3>,
                    replaced::<4>, replaced::<5>, replaced::<6>, replaced::<7>,
                ];

                pub(super) fn replace(function: *mut c_void) -> *mut c_void {
                    DRIVER.place(function).map_or(std::ptr::null_mut(), |place| REPLACED[place] as *mut c_void)
                }
            }
        )*

        /// Returns the function that stands before one of a driver: that itself, unless it takes programs or kernels.
        pub fn replaced(name: &[u8], function: *mut c_void) -> *mut c_void {
            if function.is_null() {
                return function;
            }
            $(if name == stringify!($name).as_bytes() {
                return $name::replace(function);
            })*
            programs::named(name).or_else(|| crate::kernels::named(name)).unwrap_or(function)
        }
    };
}

extensions! {
    clCreateProgramWithILKHR(context: cl_context, il: *const c_void, length: usize, error: *mut cl_int)
        -> cl_program = std::ptr::null_mut(),
        |driver| programs::create_by(Some(driver), context, il, length, error);

    clGetKernelSuggestedLocalWorkSizeKHR(
        queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: *const usize, global: *const usize,
        suggested: *mut usize,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(on_queue(kernel, queue), |kernel| driver(queue, kernel, dimensions, offset, global, suggested));

    clGetKernelSuggestedLocalWorkSizeINTEL(
        queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: *const usize, global: *const usize,
        suggested: *mut usize,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(on_queue(kernel, queue), |kernel| driver(queue, kernel, dimensions, offset, global, suggested));

    clGetKernelMaxConcurrentWorkGroupCountINTEL(
        queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: *const usize, local: *const usize,
        count: *mut usize,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(on_queue(kernel, queue), |kernel| driver(queue, kernel, dimensions, offset, local, count));

    clEnqueueNDCountKernelINTEL(
        queue: cl_command_queue, kernel: cl_kernel, dimensions: cl_uint, offset: *const usize, count: *const usize,
        local: *const usize, wait_count: cl_uint, wait_list: *const cl_event, event: *mut cl_event,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(on_queue(kernel, queue), |kernel| {
            driver(queue, kernel, dimensions, offset, count, local, wait_count, wait_list, event)
        });

    clSetKernelArgMemPointerINTEL(kernel: cl_kernel, index: cl_uint, value: *const c_void)
        -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| each(kernel, |kernel| driver(kernel, index, value));

    clSetKernelArgDevicePointerEXT(kernel: cl_kernel, index: cl_uint, value: cl_ulong)
        -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| each(kernel, |kernel| driver(kernel, index, value));

    clSetKernelArgSVMPointerARM(kernel: cl_kernel, index: cl_uint, value: *const c_void)
        -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| each(kernel, |kernel| driver(kernel, index, value));

    clSetKernelExecInfoARM(kernel: cl_kernel, name: cl_uint, size: usize, value: *const c_void)
        -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| each(kernel, |kernel| driver(kernel, name, size, value));

    clCommandNDRangeKernelKHR(
        buffer: cl_command_buffer_khr, queue: cl_command_queue, properties: *const cl_command_properties_khr,
        kernel: cl_kernel, dimensions: cl_uint, offset: *const usize, global: *const usize, local: *const usize,
        wait_count: cl_uint, wait_list: *const cl_sync_point_khr, point: *mut cl_sync_point_khr,
        command: *mut cl_mutable_command_khr,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(in_buffer(kernel, queue, buffer), |kernel| {
            driver(
                buffer, queue, properties, kernel, dimensions, offset, global, local, wait_count, wait_list, point,
                command,
            )
        });

    clGetMutableCommandInfoKHR(
        command: cl_mutable_command_khr, query: cl_mutable_command_info_khr, size: usize, value: *mut c_void,
        size_ret: *mut usize,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| {
            if query != CL_MUTABLE_DISPATCH_KERNEL_KHR {
                return driver(command, query, size, value, size_ret);
            }
            match ask(|size, value, size_ret| driver(command, query, size, value, size_ret)) {
                Ok(answer) => {
                    let kernel = handles(&answer).first().copied().unwrap_or(std::ptr::null_mut());
                    let layer_kernel = KERNELS.find(|layer_kernel| layer_kernel.has(kernel));
                    let handle = layer_kernel.map_or(kernel, |layer_kernel| layer_kernel.handle());
                    Answer { size, value, size_ret }.handle(handle)
                }
                Err(code) => code,
            }
        };

    clGetDeviceGlobalVariablePointerINTEL(
        device: cl_device_id, program: cl_program, name: *const c_char, size: *mut usize, pointer: *mut *mut c_void,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on(program, device), |program| driver(device, program, name, size, pointer));

    clGetDeviceFunctionPointerINTEL(
        device: cl_device_id, program: cl_program, name: *const c_char, pointer: *mut cl_ulong,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on(program, device), |program| driver(device, program, name, pointer));

    clEnqueueReadGlobalVariableINTEL(
        queue: cl_command_queue, program: cl_program, name: *const c_char, is_blocking: cl_bool, size: usize,
        offset: usize, pointer: *mut c_void, wait_count: cl_uint, wait_list: *const cl_event, event: *mut cl_event,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on_queue(program, queue), |program| {
            driver(queue, program, name, is_blocking, size, offset, pointer, wait_count, wait_list, event)
        });

    clEnqueueWriteGlobalVariableINTEL(
        queue: cl_command_queue, program: cl_program, name: *const c_char, is_blocking: cl_bool, size: usize,
        offset: usize, pointer: *const c_void, wait_count: cl_uint, wait_list: *const cl_event, event: *mut cl_event,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on_queue(program, queue), |program| {
            driver(queue, program, name, is_blocking, size, offset, pointer, wait_count, wait_list, event)
        });

    clEnqueueReadHostPipeINTEL(
        queue: cl_command_queue, program: cl_program, name: *const c_char, is_blocking: cl_bool,
        pointer: *mut c_void, size: usize, wait_count: cl_uint, wait_list: *const cl_event, event: *mut cl_event,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on_queue(program, queue), |program| {
            driver(queue, program, name, is_blocking, pointer, size, wait_count, wait_list, event)
        });

    clEnqueueWriteHostPipeINTEL(
        queue: cl_command_queue, program: cl_program, name: *const c_char, is_blocking: cl_bool,
        pointer: *const c_void, size: usize, wait_count: cl_uint, wait_list: *const cl_event, event: *mut cl_event,
    ) -> cl_int = CL_OUT_OF_HOST_MEMORY,
        |driver| with(program_on_queue(program, queue), |program| {
            driver(queue, program, name, is_blocking, pointer, size, wait_count, wait_list, event)
        });
}

/// Returns the driver's program for a device.
///
/// # Safety
/// Both exist.
unsafe fn program_on(program: cl_program, device: cl_device_id) -> Result<cl_program, cl_int> {
    match PROGRAMS.get(program) {
        None => Ok(program),
        // SAFETY: the caller's.
        Some(layer_program) => match unsafe { layer_program.on_device(device) } {
            Some(form) => Ok(form.program),
            None => Err(CL_INVALID_PROGRAM_EXECUTABLE),
        },
    }
}

/// Returns the driver's program for a queue.
///
/// # Safety
/// Both exist.
unsafe fn program_on_queue(program: cl_program, queue: cl_command_queue) -> Result<cl_program, cl_int> {
    match PROGRAMS.get(program) {
        None => Ok(program),
        // SAFETY: the caller's.
        Some(_) => unsafe { program_on(program, devices::of_queue(queue)?) },
    }
}

/// Returns the driver's kernel for a command in a buffer. Without a queue, the buffer has one.
///
/// # Safety
/// All exist.
unsafe fn in_buffer(
    kernel: cl_kernel,
    queue: cl_command_queue,
    buffer: cl_command_buffer_khr,
) -> Result<cl_kernel, cl_int> {
    let Some(layer_kernel) = KERNELS.get(kernel).filter(|layer_kernel| !layer_kernel.is_drivers()) else {
        return Ok(kernel);
    };
    if !queue.is_null() {
        // SAFETY: the caller's.
        return unsafe { on_queue(kernel, queue) };
    }
    let device = layer_kernel.program.devices.first().copied().ok_or(CL_INVALID_COMMAND_QUEUE)?;
    let get = crate::dispatch::next_functions()
        .clGetExtensionFunctionAddressForPlatform
        .ok_or(CL_INVALID_COMMAND_QUEUE)?;
    // SAFETY: the caller's. A function of this name has this type.
    let queues = unsafe {
        let info = get(devices::platform(device)?, c"clGetCommandBufferInfoKHR".as_ptr());
        let info: opencl_sys::clGetCommandBufferInfoKHR_t = std::mem::transmute(info);
        let info = info.ok_or(CL_INVALID_COMMAND_QUEUE)?;
        handles(&ask(|size, value, size_ret| {
            info(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, size, value, size_ret)
        })?)
    };
    // SAFETY: the caller's.
    unsafe { on_queue(kernel, queues.first().copied().ok_or(CL_INVALID_COMMAND_QUEUE)?) }
}
