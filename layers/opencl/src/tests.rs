//! The interface between the loader and the layer.

use std::mem::zeroed;

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
    let (mut count, mut table) = (0, std::ptr::null());
    // SAFETY: a table of null functions.
    let mut target: cl_icd_dispatch = unsafe { zeroed() };
    target.clFlush = Some(flush);
    // SAFETY: the table has more entries than the layer is told.
    unsafe {
        assert_eq!(clInitLayer(100, std::ptr::null(), &raw mut count, &raw mut table), CL_INVALID_VALUE);
        let few = std::mem::offset_of!(cl_icd_dispatch, clFinish) / size_of::<usize>();
        assert_eq!(
            clInitLayer(few as cl_uint, &raw const target, &raw mut count, &raw mut table),
            CL_SUCCESS
        );
        assert_eq!(
            clInitLayer(few as cl_uint, &raw const target, &raw mut count, &raw mut table),
            CL_INVALID_OPERATION
        );
        assert_eq!(count as usize, dispatch::COUNT);
        assert_eq!((*table).clFlush.expect("it is the loader's")(std::ptr::null_mut()), 77);
        assert!((*table).clBuildProgram.is_some() && (*table).clGetPlatformIDs.is_none());
        let retain = (*table).clRetainProgram.expect("it is the layer's");
        assert_eq!(retain(std::ptr::null_mut()), CL_INVALID_OPERATION, "the loader does not have it");
    }
    assert_eq!(clDeinitLayer(), CL_SUCCESS);
    assert_eq!(clDeinitLayer(), CL_INVALID_OPERATION);
}
