//! A driver that computes nothing: it counts its objects, and records what it is asked to do.

use std::ffi::{CStr, c_char, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::*;

use crate::{clDeinitLayer, clInitLayerWithProperties};

/// A device with doubles, one without, and a part of the latter.
pub const DEVICES: [usize; 2] = [0x1000, 0x2000];
pub const PART: usize = 0x3000;
const CONTEXT: usize = 0x4000;
/// Queues have the numbers of their devices, and this.
const QUEUE: usize = 7;
const PLATFORM: usize = 0x5000;

/// The driver's objects and what it was asked to do.
#[derive(Default)]
pub struct Driver {
    programs: Vec<FakeProgram>,
    kernels: Vec<FakeKernel>,
    context_references: usize,
    pub calls: Vec<String>,
    /// True to reject modules with this capability.
    pub rejected: Option<u32>,
}

struct FakeProgram {
    words: Vec<u32>,
    references: usize,
    built: Vec<usize>,
}

struct FakeKernel {
    program: usize,
    name: String,
    references: usize,
}

static DRIVER: Mutex<Option<Driver>> = Mutex::new(None);
static LAYER: Mutex<()> = Mutex::new(());

/// Handles of programs and kernels begin at these.
const PROGRAMS: usize = 0x10000;
const KERNELS: usize = 0x20000;

pub fn handle(number: usize) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(number)
}

pub fn with<R>(body: impl FnOnce(&mut Driver) -> R) -> R {
    body(DRIVER.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// The layer over the driver, of which a process has one at a time.
pub struct LayerOverDriver {
    pub table: &'static cl_icd_dispatch,
    _alone: MutexGuard<'static, ()>,
}

/// Calls a function of the layer.
macro_rules! layer {
    ($layer:ident.$function:ident($($argument:expr),* $(,)?)) => {
        unsafe { ($layer.table.$function.unwrap())($($argument),*) }
    };
}
pub(crate) use layer;

/// Waits until no other test uses the layer.
pub fn alone() -> MutexGuard<'static, ()> {
    LAYER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LayerOverDriver {
    pub fn new() -> LayerOverDriver {
        let alone = alone();
        with(|driver| *driver = Driver::default());
        let next = table();
        let (mut count, mut table) = (0, std::ptr::null());
        let entries = (size_of::<cl_icd_dispatch>() / size_of::<usize>()) as cl_uint;
        // SAFETY: the table has so many entries. Its copy in the layer lives as long as the process.
        unsafe {
            let properties = std::ptr::null();
            let code = clInitLayerWithProperties(
                entries,
                &raw const next,
                &raw mut count,
                &raw mut table,
                properties,
            );
            assert_eq!(code, CL_SUCCESS);
            LayerOverDriver { table: &*table, _alone: alone }
        }
    }

    pub fn create(&self, il: &[u8]) -> Result<cl_program, cl_int> {
        let mut code = CL_SUCCESS;
        let layer = self;
        let program =
            layer!(layer.clCreateProgramWithIL(handle(CONTEXT), il.as_ptr().cast(), il.len(), &raw mut code));
        if program.is_null() { Err(code) } else { Ok(program) }
    }

    pub fn build(&self, program: cl_program) -> cl_int {
        let layer = self;
        let none = std::ptr::null_mut();
        layer!(layer.clBuildProgram(program, 0, std::ptr::null(), c"".as_ptr(), None, none))
    }

    pub fn kernel(&self, program: cl_program, name: &CStr) -> Result<cl_kernel, cl_int> {
        let mut code = CL_SUCCESS;
        let layer = self;
        let kernel = layer!(layer.clCreateKernel(program, name.as_ptr(), &raw mut code));
        if kernel.is_null() { Err(code) } else { Ok(kernel) }
    }

    pub fn enqueue(&self, kernel: cl_kernel, device: usize) -> cl_int {
        let (layer, size) = (self, 1);
        let none = std::ptr::null();
        let queue = handle(device + QUEUE);
        layer!(layer.clEnqueueNDRangeKernel(
            queue,
            kernel,
            1,
            none,
            &raw const size,
            none,
            0,
            std::ptr::null(),
            std::ptr::null_mut()
        ))
    }

    pub fn log(&self, program: cl_program, device: usize) -> String {
        let layer = self;
        let mut log = [0_u8; 1000];
        let place = log.as_mut_ptr().cast();
        let code = layer!(layer.clGetProgramBuildInfo(
            program,
            handle(device),
            CL_PROGRAM_BUILD_LOG,
            log.len(),
            place,
            std::ptr::null_mut()
        ));
        assert_eq!(code, CL_SUCCESS);
        CStr::from_bytes_until_nul(&log).unwrap().to_string_lossy().into_owned()
    }

    /// The calls since this was asked last.
    pub fn calls(&self) -> Vec<String> {
        with(|driver| std::mem::take(&mut driver.calls))
    }

    /// The number of the driver's objects that are not released.
    pub fn objects(&self) -> usize {
        with(|driver| {
            let programs = driver.programs.iter().filter(|program| program.references > 0).count();
            let kernels = driver.kernels.iter().filter(|kernel| kernel.references > 0).count();
            programs + kernels + driver.context_references
        })
    }
}

impl Drop for LayerOverDriver {
    fn drop(&mut self) {
        assert_eq!(clDeinitLayer(), CL_SUCCESS);
    }
}

/// The functions of the driver.
fn table() -> cl_icd_dispatch {
    // SAFETY: zeros are null functions.
    let mut table: cl_icd_dispatch = unsafe { std::mem::zeroed() };
    table.clGetDeviceInfo = Some(get_device_info);
    table.clGetContextInfo = Some(get_context_info);
    table.clRetainContext = Some(retain_context);
    table.clReleaseContext = Some(release_context);
    table.clGetCommandQueueInfo = Some(get_command_queue_info);
    table.clCreateProgramWithIL = Some(create_program_with_il);
    table.clReleaseProgram = Some(release_program);
    table.clBuildProgram = Some(build_program);
    table.clCompileProgram = Some(compile_program);
    table.clLinkProgram = Some(link_program);
    table.clGetProgramInfo = Some(get_program_info);
    table.clGetProgramBuildInfo = Some(get_program_build_info);
    table.clCreateKernel = Some(create_kernel);
    table.clReleaseKernel = Some(release_kernel);
    table.clSetKernelArg = Some(set_kernel_arg);
    table.clEnqueueNDRangeKernel = Some(enqueue_nd_range_kernel);
    table.clGetExtensionFunctionAddressForPlatform = Some(get_extension_function_address_for_platform);
    table
}

unsafe fn answer(bytes: &[u8], size: usize, value: *mut c_void, size_ret: *mut usize) -> cl_int {
    // SAFETY: the caller's.
    unsafe { crate::answers::Answer { size, value, size_ret }.bytes(bytes) }
}

unsafe extern "C" fn get_device_info(
    device: cl_device_id,
    query: cl_device_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    let doubles = device.addr() == DEVICES[0];
    let parent = if device.addr() == PART { DEVICES[1] } else { 0 };
    let bytes: Vec<u8> = match query {
        CL_DEVICE_VERSION => b"OpenCL 3.0 \0".to_vec(),
        CL_DEVICE_NAME => format!("device {:x}\0", device.addr()).into_bytes(),
        CL_DEVICE_IL_VERSION => b"SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4\0".to_vec(),
        CL_DEVICE_EXTENSIONS if doubles => b"cl_khr_fp64\0".to_vec(),
        CL_DEVICE_EXTENSIONS => b"\0".to_vec(),
        CL_DEVICE_DOUBLE_FP_CONFIG => u64::from(doubles).to_ne_bytes().to_vec(),
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT => 1_u32.to_ne_bytes().to_vec(),
        CL_DEVICE_PARENT_DEVICE => parent.to_ne_bytes().to_vec(),
        CL_DEVICE_PLATFORM => PLATFORM.to_ne_bytes().to_vec(),
        _ => return CL_INVALID_VALUE,
    };
    // SAFETY: the caller's.
    unsafe { answer(&bytes, size, value, size_ret) }
}

unsafe extern "C" fn get_context_info(
    _: cl_context,
    _: cl_context_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { answer(&DEVICES.map(usize::to_ne_bytes).concat(), size, value, size_ret) }
}

unsafe extern "C" fn retain_context(_: cl_context) -> cl_int {
    with(|driver| driver.context_references += 1);
    CL_SUCCESS
}

unsafe extern "C" fn release_context(_: cl_context) -> cl_int {
    with(|driver| driver.context_references -= 1);
    CL_SUCCESS
}

unsafe extern "C" fn get_command_queue_info(
    queue: cl_command_queue,
    _: cl_command_queue_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { answer(&(queue.addr() - QUEUE).to_ne_bytes(), size, value, size_ret) }
}

fn new_program(driver: &mut Driver, words: Vec<u32>) -> cl_program {
    driver.programs.push(FakeProgram { words, references: 1, built: Vec::new() });
    handle(PROGRAMS + driver.programs.len() - 1)
}

unsafe extern "C" fn create_program_with_il(
    _: cl_context,
    il: *const c_void,
    length: usize,
    code: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's.
    unsafe {
        let bytes = std::slice::from_raw_parts(il.cast::<u8>(), length);
        let words = bytes.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap())).collect();
        code.write(CL_SUCCESS);
        with(|driver| new_program(driver, words))
    }
}

unsafe extern "C" fn release_program(program: cl_program) -> cl_int {
    with(|driver| driver.programs[program.addr() - PROGRAMS].references -= 1);
    CL_SUCCESS
}

unsafe fn addresses(devices: *const cl_device_id, count: cl_uint) -> Vec<usize> {
    // SAFETY: the caller's.
    unsafe { crate::answers::list(devices, count as usize) }.iter().map(|device| device.addr()).collect()
}

/// True if a module declares a capability.
fn declares(words: &[u32], capability: u32) -> bool {
    words.windows(2).any(|words| words == [2 << 16 | 17, capability])
}

unsafe fn built(what: &str, program: cl_program, count: cl_uint, devices: *const cl_device_id) -> cl_int {
    // SAFETY: the caller's.
    let devices = unsafe { addresses(devices, count) };
    with(|driver| {
        let number = program.addr() - PROGRAMS;
        let doubles = declares(&driver.programs[number].words, 10);
        driver.calls.push(format!("{what} {number} (doubles: {doubles}) for {devices:x?}"));
        if driver.rejected.is_some_and(|capability| declares(&driver.programs[number].words, capability)) {
            return CL_BUILD_PROGRAM_FAILURE;
        }
        driver.programs[number].built = devices;
        CL_SUCCESS
    })
}

unsafe extern "C" fn build_program(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    _: *const c_char,
    _: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { built("build", program, count, devices) }
}

unsafe extern "C" fn compile_program(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    _: *const c_char,
    _: cl_uint,
    _: *const cl_program,
    _: *mut *const c_char,
    _: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _: *mut c_void,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { built("compile", program, count, devices) }
}

unsafe extern "C" fn link_program(
    _: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    _: *const c_char,
    input_count: cl_uint,
    inputs: *const cl_program,
    _: Option<unsafe extern "C" fn(cl_program, *mut c_void)>,
    _: *mut c_void,
    code: *mut cl_int,
) -> cl_program {
    // SAFETY: the caller's.
    let (devices, inputs) = unsafe { (addresses(devices, count), addresses(inputs, input_count)) };
    with(|driver| {
        let numbers: Vec<usize> = inputs.iter().map(|input| input - PROGRAMS).collect();
        driver.calls.push(format!("link {numbers:?} for {devices:x?}"));
        let words = driver.programs[numbers[0]].words.clone();
        let program = new_program(driver, words);
        driver.programs[program.addr() - PROGRAMS].built = devices;
        // SAFETY: the caller's.
        unsafe { code.write(CL_SUCCESS) };
        program
    })
}

unsafe extern "C" fn get_program_info(
    program: cl_program,
    query: cl_program_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    let number = program.addr() - PROGRAMS;
    // SAFETY: the caller's.
    unsafe {
        match query {
            CL_PROGRAM_DEVICES => answer(&DEVICES.map(usize::to_ne_bytes).concat(), size, value, size_ret),
            CL_PROGRAM_BINARY_SIZES => {
                answer(&[1_usize; 2].map(usize::to_ne_bytes).concat(), size, value, size_ret)
            }
            CL_PROGRAM_BINARIES => {
                for place in std::slice::from_raw_parts(value.cast::<*mut u8>(), 2) {
                    if let Some(place) = place.as_mut() {
                        *place = 100 + number as u8;
                    }
                }
                CL_SUCCESS
            }
            _ => CL_INVALID_VALUE,
        }
    }
}

unsafe extern "C" fn get_program_build_info(
    _: cl_program,
    _: cl_device_id,
    _: cl_program_build_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { answer(b"the driver's log\0", size, value, size_ret) }
}

unsafe extern "C" fn create_kernel(program: cl_program, name: *const c_char, code: *mut cl_int) -> cl_kernel {
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    with(|driver| {
        let program = program.addr() - PROGRAMS;
        let result = match &driver.programs[program] {
            FakeProgram { built, .. } if built.is_empty() => CL_INVALID_PROGRAM_EXECUTABLE,
            FakeProgram { words, .. } if !has_kernel(words, &name) => CL_INVALID_KERNEL_NAME,
            _ => CL_SUCCESS,
        };
        // SAFETY: the caller's.
        unsafe { code.write(result) };
        if result != CL_SUCCESS {
            return std::ptr::null_mut();
        }
        driver.kernels.push(FakeKernel { program, name, references: 1 });
        handle(KERNELS + driver.kernels.len() - 1)
    })
}

fn has_kernel(words: &[u32], name: &str) -> bool {
    let module = spirv_if::Module::from_words(words).unwrap();
    spirv_if::module::Interface::new(&module).entry_points.iter().any(|entry_point| entry_point.name == name)
}

unsafe extern "C" fn release_kernel(kernel: cl_kernel) -> cl_int {
    with(|driver| driver.kernels[kernel.addr() - KERNELS].references -= 1);
    CL_SUCCESS
}

/// Records a call that uses a kernel.
fn used(what: &str, kernel: cl_kernel) -> cl_int {
    with(|driver| {
        let number = kernel.addr() - KERNELS;
        let FakeKernel { program, name, .. } = &driver.kernels[number];
        let call = format!("{what} `{name}` of {program}");
        driver.calls.push(call);
        CL_SUCCESS
    })
}

unsafe extern "C" fn set_kernel_arg(kernel: cl_kernel, index: cl_uint, _: usize, _: *const c_void) -> cl_int {
    used(&format!("argument {index} for"), kernel)
}

unsafe extern "C" fn enqueue_nd_range_kernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    _: cl_uint,
    _: *const usize,
    _: *const usize,
    _: *const usize,
    _: cl_uint,
    _: *const cl_event,
    _: *mut cl_event,
) -> cl_int {
    used(&format!("enqueue on {:x}", queue.addr() - QUEUE), kernel)
}

unsafe extern "C" fn set_pointer(kernel: cl_kernel, index: cl_uint, _: *const c_void) -> cl_int {
    used(&format!("pointer {index} for"), kernel)
}

unsafe extern "C" fn set_pointer_of_another(kernel: cl_kernel, index: cl_uint, _: *const c_void) -> cl_int {
    used(&format!("pointer {index} of another platform for"), kernel)
}

/// The command is the kernel that it has.
unsafe extern "C" fn get_mutable_command_info(
    command: *mut c_void,
    _: cl_uint,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { answer(&command.addr().to_ne_bytes(), size, value, size_ret) }
}

unsafe extern "C" fn get_extension_function_address_for_platform(
    platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    // SAFETY: the caller's.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"clSetKernelArgMemPointerINTEL" if platform.addr() == PLATFORM => set_pointer as *mut c_void,
        b"clSetKernelArgMemPointerINTEL" => set_pointer_of_another as *mut c_void,
        b"clGetMutableCommandInfoKHR" => get_mutable_command_info as *mut c_void,
        b"clCreateProgramWithIL" => create_program_with_il as *mut c_void,
        b"clOther" => get_command_queue_info as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

/// Returns the function of an extension, as an application gets it.
pub fn extension(layer: &LayerOverDriver, platform: usize, name: &CStr) -> *mut c_void {
    layer!(layer.clGetExtensionFunctionAddressForPlatform(handle(PLATFORM + platform), name.as_ptr()))
}

/// The kernel of the driver with a number.
pub fn kernel_of_driver(number: usize) -> cl_kernel {
    handle(KERNELS + number)
}
