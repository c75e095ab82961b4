//! Kernels of the layer's programs: the driver's own where all devices have the same module, else one for each module behind a handle of the layer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use opencl_sys::{CL_INVALID_PROGRAM_EXECUTABLE, CL_SUCCESS, cl_device_id, cl_int, cl_kernel};

use crate::answers::succeeded;
use crate::devices;
use crate::dispatch::{next, next_object};
use crate::objects::{Handle, Registry};
use crate::program::Program;

/// The kernels of the layer's programs, by the handles of the application.
pub static KERNELS: Registry<Kernel> = Registry::new();

/// A kernel of a program of the layer.
pub struct Kernel {
    /// The handle of the layer; `None` if the application has the driver's.
    layer_handle: Option<Box<Handle>>,
    references: AtomicU32,
    pub program: Arc<Program>,
    /// The kernels of the driver; at least one.
    forms: Vec<KernelForm>,
}

// SAFETY: see `Program`.
unsafe impl Send for Kernel {}
// SAFETY: as above.
unsafe impl Sync for Kernel {}

/// A kernel of the driver, for devices that get the same module.
pub struct KernelForm {
    pub kernel: cl_kernel,
    pub devices: Vec<cl_device_id>,
}

impl Kernel {
    /// Creates a kernel and returns its handle. The program counts it already.
    pub fn create(program: Arc<Program>, forms: Vec<KernelForm>, has_layer_handle: bool) -> cl_kernel {
        let layer_handle = has_layer_handle.then(Handle::new);
        let handle = layer_handle.as_ref().map_or(forms[0].kernel, |handle| handle.as_ptr());
        KERNELS
            .insert(handle, Arc::new(Kernel { layer_handle, references: AtomicU32::new(1), program, forms }));
        handle
    }

    pub fn handle(&self) -> cl_kernel {
        self.layer_handle.as_ref().map_or(self.first(), |handle| handle.as_ptr())
    }

    /// Returns true if the application has the driver's handle.
    pub fn is_drivers(&self) -> bool {
        self.layer_handle.is_none()
    }

    /// Returns true if this is one of the driver's kernels.
    pub fn has(&self, kernel: cl_kernel) -> bool {
        self.forms.iter().any(|form| form.kernel == kernel)
    }

    pub fn references(&self) -> u32 {
        self.references.load(Ordering::Relaxed)
    }

    /// Returns a kernel of the driver, for what is the same in all of them.
    pub fn first(&self) -> cl_kernel {
        self.forms[0].kernel
    }

    /// Returns the kernel of the driver for a device, which may be a part of one of the program's.
    ///
    /// # Safety
    /// The device exists, or is null.
    pub unsafe fn on_device(&self, device: cl_device_id) -> Result<cl_kernel, cl_int> {
        if self.layer_handle.is_none() || device.is_null() {
            return Ok(self.first());
        }
        let form_for = |device: cl_device_id| self.forms.iter().find(|form| form.devices.contains(&device));
        // SAFETY: the caller's.
        let form = form_for(device).or_else(|| unsafe { devices::ancestors(device) }.find_map(form_for));
        Ok(form.ok_or(CL_INVALID_PROGRAM_EXECUTABLE)?.kernel)
    }

    /// Calls a function with each kernel of the driver, and returns the first error.
    pub fn each(&self, call: impl Fn(cl_kernel) -> cl_int) -> cl_int {
        let codes = self.forms.iter().map(|form| call(form.kernel));
        codes.fold(CL_SUCCESS, |first, code| if first == CL_SUCCESS { code } else { first })
    }

    pub fn retain(&self) {
        self.references.fetch_add(1, Ordering::Relaxed);
    }

    /// Releases a reference, and everything with the last one.
    ///
    /// # Safety
    /// The caller has a reference.
    pub unsafe fn release(&self) -> cl_int {
        if self.references.fetch_sub(1, Ordering::AcqRel) != 1 {
            return CL_SUCCESS;
        }
        // A driver may give the same handle to a new kernel.
        KERNELS.remove(self.handle());
        // SAFETY: nobody uses the kernel any more.
        unsafe {
            let code = self.each(|kernel| next!(clReleaseKernel(kernel)));
            self.program.remove_kernel();
            code
        }
    }

    /// Copies the kernel with its arguments.
    ///
    /// # Safety
    /// The kernel exists.
    pub unsafe fn clone_kernel(&self) -> Result<cl_kernel, cl_int> {
        let mut copies: Vec<KernelForm> = Vec::new();
        for form in &self.forms {
            let mut code = CL_SUCCESS;
            // SAFETY: the caller's.
            let kernel = unsafe { next_object!(clCloneKernel(form.kernel); &raw mut code) };
            if let Err(code) = succeeded(code) {
                for copy in copies {
                    // SAFETY: nobody has it.
                    unsafe { next!(clReleaseKernel(copy.kernel)) };
                }
                return Err(code);
            }
            copies.push(KernelForm { kernel, devices: form.devices.clone() });
        }
        self.program.add_kernel();
        Ok(Kernel::create(Arc::clone(&self.program), copies, self.layer_handle.is_some()))
    }
}
