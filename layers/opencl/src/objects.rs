//! Objects of the layer: handles that applications get, and what the layer keeps for a handle.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, PoisonError, RwLock};

use opencl_sys::cl_icd::cl_icd_dispatch;

use crate::dispatch;

/// The object behind a handle of the layer. It begins as all objects of OpenCL do, so that callers that look there find this layer's functions.
#[repr(C)]
pub struct Handle {
    dispatch: *const cl_icd_dispatch,
}

impl Handle {
    pub fn new() -> Box<Handle> {
        Box::new(Handle { dispatch: dispatch::layer_functions() })
    }

    /// Returns the handle that applications get.
    pub fn as_ptr(&self) -> *mut c_void {
        (&raw const *self).cast_mut().cast()
    }
}

/// The objects of one kind by handle. Calls that use an object keep it while another thread removes it.
pub struct Registry<T>(RwLock<Option<HashMap<usize, Arc<T>>>>);

impl<T> Registry<T> {
    pub const fn new() -> Registry<T> {
        Registry(RwLock::new(None))
    }

    pub fn get(&self, handle: *mut c_void) -> Option<Arc<T>> {
        let objects = self.0.read().unwrap_or_else(PoisonError::into_inner);
        objects.as_ref()?.get(&handle.addr()).cloned()
    }

    /// Returns the first object, in no order, that a function accepts.
    pub fn find(&self, accepts: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        let objects = self.0.read().unwrap_or_else(PoisonError::into_inner);
        objects.as_ref()?.values().find(|object| accepts(object)).cloned()
    }

    pub fn insert(&self, handle: *mut c_void, object: Arc<T>) {
        let mut objects = self.0.write().unwrap_or_else(PoisonError::into_inner);
        objects.get_or_insert_default().insert(handle.addr(), object);
    }

    pub fn remove(&self, handle: *mut c_void) -> Option<Arc<T>> {
        let mut objects = self.0.write().unwrap_or_else(PoisonError::into_inner);
        objects.as_mut()?.remove(&handle.addr())
    }

    /// Forgets all objects.
    pub fn clear(&self) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
