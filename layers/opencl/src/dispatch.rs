//! Tables of functions: that of the next layer, and that of this one, which loaders and handles of this layer refer to.

use std::cell::UnsafeCell;
use std::sync::{Mutex, PoisonError};

use opencl_sys::cl_icd::cl_icd_dispatch;

use crate::{kernels, programs};

/// The number of functions that the layer knows.
pub const COUNT: usize = size_of::<cl_icd_dispatch>() / size_of::<usize>();

/// The functions of the next layer. Those that it does not have are `None`.
static NEXT: Table = Table::new();
/// The functions of this layer. Those that it does not intercept are the next layer's.
static LAYER: Table = Table::new();
/// True between the initialization of the layer and its end.
static IS_ACTIVE: Mutex<bool> = Mutex::new(false);

/// A table that is written before any function of the layer is called.
struct Table(UnsafeCell<cl_icd_dispatch>);

// SAFETY: it is written by `initialize` alone, before the loader knows the functions that read it.
unsafe impl Sync for Table {}

impl Table {
    const fn new() -> Table {
        // SAFETY: all members are pointers or functions, for which zeros are null.
        Table(UnsafeCell::new(unsafe { std::mem::zeroed() }))
    }
}

/// Returns the functions of the next layer.
pub fn next_functions() -> &'static cl_icd_dispatch {
    // SAFETY: see `Table`.
    unsafe { &*NEXT.0.get() }
}

/// Returns the table of this layer. Its address never changes.
pub fn layer_functions() -> *const cl_icd_dispatch {
    LAYER.0.get()
}

/// Remembers the functions of the next layer, and makes the table of this one. Returns false if the layer is in use already: a process may have two
/// loaders.
///
/// # Safety
/// The table has this number of entries, and nobody else initializes the layer.
pub unsafe fn initialize(target: *const cl_icd_dispatch, count: usize) -> bool {
    let mut is_active = IS_ACTIVE.lock().unwrap_or_else(PoisonError::into_inner);
    if *is_active {
        return false;
    }
    // SAFETY: the caller's; nobody reads the tables yet. Both have COUNT pointers.
    unsafe {
        NEXT.0.get().write(std::mem::zeroed());
        std::ptr::copy_nonoverlapping(target.cast::<usize>(), NEXT.0.get().cast::<usize>(), count.min(COUNT));
        LAYER.0.get().write(*NEXT.0.get());
        programs::intercept(&mut *LAYER.0.get());
        kernels::intercept(&mut *LAYER.0.get());
    }
    *is_active = true;
    true
}

/// Ends the use of the layer. Returns false if it is not in use.
pub fn finish() -> bool {
    std::mem::take(&mut *IS_ACTIVE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Calls a function of the next layer that returns an error code.
macro_rules! next {
    ($function:ident($($argument:expr),* $(,)?)) => {
        match $crate::dispatch::next_functions().$function {
            Some(function) => function($($argument),*),
            None => opencl_sys::CL_INVALID_OPERATION,
        }
    };
}

/// Calls a function of the next layer that returns an object. The last argument takes the error code.
macro_rules! next_object {
    ($function:ident($($argument:expr),* $(,)?); $error:expr) => {
        match $crate::dispatch::next_functions().$function {
            Some(function) => function($($argument,)* $error),
            None => $crate::answers::fail($error, opencl_sys::CL_INVALID_OPERATION),
        }
    };
}

/// Declares the functions that the layer intercepts.
macro_rules! intercepted {
    ($($name:ident = $function:ident,)*) => {
        /// Puts the functions of this file into a table.
        pub fn intercept(table: &mut opencl_sys::cl_icd::cl_icd_dispatch) {
            $(table.$name = Some($function);)*
        }

        /// Returns the function of this file with a name.
        pub fn named(name: &[u8]) -> Option<*mut std::ffi::c_void> {
            $(if name == stringify!($name).as_bytes() {
                return Some($function as *mut std::ffi::c_void);
            })*
            None
        }
    };
}

pub(crate) use {intercepted, next, next_object};
