//! The layer over a driver that computes nothing, and over loaders.

#![allow(clippy::undocumented_unsafe_blocks, reason = "the driver reads what it is given")]

mod driver;

use std::mem::zeroed;

use opencl_sys::{
    CL_INVALID_KERNEL_NAME, CL_INVALID_PROGRAM_EXECUTABLE, CL_MUTABLE_DISPATCH_KERNEL_KHR,
    CL_PROGRAM_BINARIES, cl_kernel,
};
use spirv_if::{Module, PackOptions, pack};

use self::driver::{DEVICES, LayerOverDriver, PART, extension, handle, kernel_of_driver, layer, with};
use super::*;

#[test]
fn the_layer_describes_itself() {
    let mut version: cl_uint = 0;
    let mut name = [0_u8; 64];
    let mut size = 0;
    // SAFETY: all places have the sizes that are passed.
    unsafe {
        let place = (&raw mut version).cast();
        assert_eq!(clGetLayerInfo(CL_LAYER_API_VERSION, 4, place, std::ptr::null_mut()), CL_SUCCESS);
        assert_eq!(clGetLayerInfo(CL_LAYER_API_VERSION, 3, place, std::ptr::null_mut()), CL_INVALID_VALUE);
        assert_eq!(clGetLayerInfo(CL_LAYER_NAME, 64, name.as_mut_ptr().cast(), &raw mut size), CL_SUCCESS);
        assert_eq!(clGetLayerInfo(0, 4, place, std::ptr::null_mut()), CL_INVALID_VALUE);
    }
    assert_eq!((version, &name[..size]), (CL_LAYER_API_VERSION_100, &b"CL_LAYER_SPIRVIF_specialize\0"[..]));
}

unsafe extern "C" fn flush(_: opencl_sys::cl_command_queue) -> cl_int {
    77
}

/// A loader with fewer functions than the layer knows gets the layer's for all of its own. The layer serves one loader at a time.
#[test]
fn a_loader_may_have_fewer_functions() {
    let _alone = driver::alone();
    let (mut count, mut table) = (0, std::ptr::null());
    // SAFETY: a table of null functions.
    let mut target: cl_icd_dispatch = unsafe { zeroed() };
    target.clFlush = Some(flush);
    // SAFETY: the table has more entries than the layer is told.
    unsafe {
        assert_eq!(clInitLayer(100, std::ptr::null(), &raw mut count, &raw mut table), CL_INVALID_VALUE);
        let few = std::mem::offset_of!(cl_icd_dispatch, clFinish) / size_of::<usize>();
        let mut init = || clInitLayer(few as cl_uint, &raw const target, &raw mut count, &raw mut table);
        assert_eq!((init(), init()), (CL_SUCCESS, CL_INVALID_OPERATION));
        assert_eq!(count as usize, dispatch::COUNT);
        assert_eq!((*table).clFlush.unwrap()(std::ptr::null_mut()), 77);
        assert!((*table).clBuildProgram.is_some() && (*table).clGetPlatformIDs.is_none());
        let retain = (*table).clRetainProgram.unwrap();
        assert_eq!(retain(std::ptr::null_mut()), CL_INVALID_OPERATION, "the loader does not have it");
    }
    assert_eq!((clDeinitLayer(), clDeinitLayer()), (CL_SUCCESS, CL_INVALID_OPERATION));
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("../../fixtures/{name}.spv")).unwrap()
}

fn packed(name: &str) -> Vec<u8> {
    let bytes = fixture(name);
    let words = pack(&Module::from_bytes(&bytes).unwrap(), &PackOptions::new()).unwrap().words;
    words.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

/// A context with two devices: each gets its module, and its kernels.
#[test]
fn each_device_gets_its_module() {
    let layer = LayerOverDriver::new();
    let program = layer.create(&packed("drivers/chain")).unwrap();
    // Whoever looks for the functions of the handle finds those of the layer.
    assert_eq!(unsafe { program.cast::<*const cl_icd_dispatch>().read() }, &raw const *layer.table);
    assert_eq!(layer.kernel(program, c"run").err(), Some(CL_INVALID_PROGRAM_EXECUTABLE));
    assert_eq!(layer.build(program), CL_SUCCESS);
    assert_eq!(layer.calls(), ["build 0 (doubles: true) for [1000]", "build 1 (doubles: false) for [2000]"]);
    let kernel = layer.kernel(program, c"run").unwrap();
    assert_eq!(layer.kernel(program, c"other").err(), Some(CL_INVALID_KERNEL_NAME));
    assert_eq!(layer!(layer.clSetKernelArg(kernel, 3, 0, std::ptr::null())), CL_SUCCESS);
    assert_eq!(layer.calls(), ["argument 3 for `run` of 0", "argument 3 for `run` of 1"]);
    for device in [DEVICES[1], DEVICES[0], PART] {
        assert_eq!(layer.enqueue(kernel, device), CL_SUCCESS);
    }
    let enqueued = ["enqueue on 2000 `run` of 1", "enqueue on 1000 `run` of 0", "enqueue on 3000 `run` of 1"];
    assert_eq!(layer.calls(), enqueued);

    let mut binaries = [0_u8; 2];
    let mut places = binaries.each_mut().map(|byte| &raw mut *byte);
    let (place, none) = (places.as_mut_ptr().cast(), std::ptr::null_mut());
    assert_eq!(layer!(layer.clGetProgramInfo(program, CL_PROGRAM_BINARIES, 16, place, none)), CL_SUCCESS);
    assert_eq!(binaries, [100, 101]);

    assert_eq!(layer.objects(), 5, "two programs, two kernels, a context");
    assert_eq!(layer!(layer.clReleaseProgram(program)), CL_SUCCESS);
    assert_eq!(layer.objects(), 5, "the kernel keeps its program");
    assert_eq!(layer!(layer.clReleaseKernel(kernel)), CL_SUCCESS);
    assert_eq!(layer.objects(), 0);
}

#[test]
fn programs_are_linked_for_each_device() {
    let layer = LayerOverDriver::new();
    let program = layer.create(&packed("drivers/chain")).unwrap();
    let link = |devices: &[usize]| {
        let devices: Vec<_> = devices.iter().map(|&device| handle(device)).collect();
        let (start, none, mut code) = (
            if devices.is_empty() { std::ptr::null() } else { devices.as_ptr() },
            std::ptr::null_mut::<c_void>(),
            0,
        );
        let count = devices.len() as cl_uint;
        let compiled = layer!(layer.clCompileProgram(
            program,
            count,
            start,
            c"".as_ptr(),
            0,
            none.cast(),
            none.cast(),
            None,
            none
        ));
        assert_eq!(compiled, CL_SUCCESS);
        let linked = layer!(layer.clLinkProgram(
            none,
            count,
            start,
            c"".as_ptr(),
            1,
            &raw const program,
            None,
            none,
            &raw mut code
        ));
        assert_eq!(code, CL_SUCCESS);
        linked
    };
    let for_all = link(&[]);
    let expected = [
        "compile 0 (doubles: true) for [1000]",
        "compile 1 (doubles: false) for [2000]",
        "link [0] for [1000]",
        "link [1] for [2000]",
    ];
    assert_eq!(layer.calls(), expected);
    let kernel = layer.kernel(for_all, c"run").unwrap();
    assert_eq!(layer.enqueue(kernel, DEVICES[1]), CL_SUCCESS);
    assert_eq!(layer.calls(), ["enqueue on 2000 `run` of 3"]);
    // With one device, the result is the driver's program.
    let for_one = link(&DEVICES[..1]);
    assert_eq!(layer.calls(), ["compile 0 (doubles: true) for [1000]", "link [0] for [1000]"]);
    let of_driver = layer.kernel(for_one, c"run").unwrap();
    assert_eq!(of_driver, kernel_of_driver(2));
    assert_eq!(layer!(layer.clReleaseKernel(of_driver)), CL_SUCCESS);
    for program in [for_one, for_all, program] {
        assert_eq!(layer!(layer.clReleaseProgram(program)), CL_SUCCESS);
    }
    assert_eq!(layer!(layer.clReleaseKernel(kernel)), CL_SUCCESS);
    assert_eq!(layer.objects(), 0);
}

/// The driver sees a module that is not packed as it is, and once more without some kernels if it rejects it.
#[test]
fn kernels_are_left_out_after_the_driver_rejects_all() {
    let layer = LayerOverDriver::new();
    let il = fixture("traps/cast-O0");
    let program = layer.create(&il).unwrap();
    with(|driver| driver.rejected = Some(10));
    assert_eq!(layer.build(program), opencl_sys::CL_BUILD_PROGRAM_FAILURE, "nothing helps the first device");
    let expected = ["build 0 (doubles: true) for [1000, 2000]", "build 1 (doubles: false) for [2000]"];
    assert_eq!(layer.calls(), expected);
    let log = layer.log(program, DEVICES[1]);
    assert!(
        log.contains("kernel `run` is left out: it does not run on ") && log.ends_with("the driver's log"),
        "{log}"
    );
    assert_eq!(layer.log(program, DEVICES[0]), "the driver's log");
    assert_eq!(layer.kernel(program, c"run").err(), Some(CL_INVALID_KERNEL_NAME));
    let kernel = layer.kernel(program, c"plain").unwrap();
    assert_eq!(layer.enqueue(kernel, DEVICES[1]), CL_SUCCESS);
    assert_eq!(layer.enqueue(kernel, DEVICES[0]), CL_INVALID_PROGRAM_EXECUTABLE);
    assert_eq!(layer!(layer.clReleaseKernel(kernel)), CL_SUCCESS);
    assert_eq!(layer!(layer.clReleaseProgram(program)), CL_SUCCESS);
    assert_eq!(layer.objects(), 0);
}

type SetPointer = unsafe extern "C" fn(cl_kernel, cl_uint, *const c_void) -> cl_int;
type GetMutableCommandInfo =
    unsafe extern "C" fn(*mut c_void, cl_uint, usize, *mut c_void, *mut usize) -> cl_int;

/// Extensions of two platforms have functions of the same name.
#[test]
fn functions_of_extensions_take_the_handles_of_the_layer() {
    let layer = LayerOverDriver::new();
    let program = layer.create(&packed("drivers/chain")).unwrap();
    assert_eq!(layer.build(program), CL_SUCCESS);
    let kernel = layer.kernel(program, c"run").unwrap();
    layer.calls();
    let name = c"clSetKernelArgMemPointerINTEL";
    for (platform, text) in
        [(0, "pointer 1 for"), (8, "pointer 1 of another platform for"), (0, "pointer 1 for")]
    {
        let set: SetPointer = unsafe { std::mem::transmute(extension(&layer, platform, name)) };
        assert_eq!(unsafe { set(kernel, 1, std::ptr::null()) }, CL_SUCCESS);
        assert_eq!(layer.calls(), [format!("{text} `run` of 0"), format!("{text} `run` of 1")]);
    }
    let get = extension(&layer, 0, c"clGetMutableCommandInfoKHR");
    let get: GetMutableCommandInfo = unsafe { std::mem::transmute(get) };
    let mut used: cl_kernel = std::ptr::null_mut();
    let command = kernel_of_driver(1);
    let place = (&raw mut used).cast();
    let code = unsafe { get(command, CL_MUTABLE_DISPATCH_KERNEL_KHR, 8, place, std::ptr::null_mut()) };
    assert_eq!((code, used), (CL_SUCCESS, kernel));
    // Functions of OpenCL itself are the layer's, unknown ones the driver's, and others do not exist.
    let create = layer.table.clCreateProgramWithIL.unwrap() as *mut c_void;
    assert_eq!(extension(&layer, 0, c"clCreateProgramWithIL"), create);
    assert!(!extension(&layer, 0, c"clOther").is_null());
    assert!(extension(&layer, 0, c"clNothing").is_null());
    assert_eq!(layer!(layer.clReleaseKernel(kernel)), CL_SUCCESS);
    assert_eq!(layer!(layer.clReleaseProgram(program)), CL_SUCCESS);
    assert_eq!(layer.objects(), 0);
}

#[test]
fn threads_share_programs_and_make_their_own() {
    let layer = LayerOverDriver::new();
    let il = packed("drivers/chain");
    let shared = layer.create(&il).unwrap().expose_provenance();
    assert_eq!(layer.build(handle(shared)), CL_SUCCESS);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let unshared = layer.create(&il).unwrap();
                    assert_eq!(layer.build(unshared), CL_SUCCESS);
                    for program in [unshared, handle(shared)] {
                        let kernel = layer.kernel(program, c"run").unwrap();
                        assert_eq!(layer.enqueue(kernel, DEVICES[1]), CL_SUCCESS);
                        assert_eq!(layer!(layer.clReleaseKernel(kernel)), CL_SUCCESS);
                    }
                    assert_eq!(layer!(layer.clReleaseProgram(unshared)), CL_SUCCESS);
                }
            });
        }
    });
    assert_eq!(layer!(layer.clReleaseProgram(handle(shared))), CL_SUCCESS);
    assert_eq!(layer.objects(), 0);
}
