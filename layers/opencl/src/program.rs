//! Programs of the layer: one handle for the application, and a program of the driver for each module that devices get.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_void};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use opencl_sys::cl_icd::clCreateProgramWithIL_t;
use opencl_sys::{
    CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_INVALID_DEVICE, CL_INVALID_KERNEL_NAME,
    CL_INVALID_OPERATION, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_SPEC_ID, CL_INVALID_VALUE, CL_SUCCESS,
    cl_context, cl_device_id, cl_int, cl_kernel, cl_program,
};

use crate::answers::succeeded;
use crate::code::{ConstantValues, MissingKernel, ProgramCode, Purpose, spec_ids_in};
use crate::devices;
use crate::dispatch::{next, next_object};
use crate::kernel::{Kernel, KernelForm};
use crate::messages::{Severity, send};
use crate::objects::{Handle, Registry};
use crate::settings;

/// The programs of the layer, by their handles.
pub static PROGRAMS: Registry<Program> = Registry::new();

/// A function that an application wants to be called with a program.
pub type ProgramCallback = unsafe extern "C" fn(cl_program, *mut c_void);

/// A program of the layer.
pub struct Program {
    handle: Box<Handle>,
    /// The references of the application and of kernels.
    references: AtomicU32,
    /// The number of kernels.
    kernels: AtomicUsize,
    pub context: cl_context,
    pub devices: Vec<cl_device_id>,
    /// The IL, unless the program was linked.
    pub code: Option<ProgramCode>,
    /// The function that creates programs from IL.
    create: clCreateProgramWithIL_t,
    state: Mutex<ProgramState>,
}

// SAFETY: OpenCL's objects may be used from any thread.
unsafe impl Send for Program {}
// SAFETY: as above.
unsafe impl Sync for Program {}

/// The part of a program that calls change.
#[derive(Default)]
pub struct ProgramState {
    constants: ConstantValues,
    /// The programs of the driver.
    pub forms: Vec<ProgramForm>,
    /// The devices that have none.
    pub refused: BTreeMap<usize, RefusedDevice>,
    callbacks: Vec<(ProgramCallback, usize)>,
}

/// A program of the driver, for devices that get the same module.
#[derive(Clone)]
pub struct ProgramForm {
    pub program: cl_program,
    pub devices: Vec<cl_device_id>,
    /// The module; empty for a linked program.
    words: Arc<[u32]>,
    pub missing: Vec<MissingKernel>,
}

/// The result of a build that did not reach the driver.
#[derive(Clone)]
pub struct RefusedDevice {
    pub reason: String,
    pub options: Vec<u8>,
}

// SAFETY: see `Program`.
unsafe impl Send for ProgramForm {}

impl Program {
    /// Creates a program and returns its handle.
    ///
    /// # Safety
    /// The context exists, and the devices are of it. The function belongs to its platform.
    pub unsafe fn create(
        context: cl_context,
        devices: Vec<cl_device_id>,
        code: Option<ProgramCode>,
        create: clCreateProgramWithIL_t,
        forms: Vec<ProgramForm>,
    ) -> cl_program {
        // SAFETY: the caller's. A program keeps its context.
        unsafe { next!(clRetainContext(context)) };
        let handle = Handle::new();
        let address = handle.as_ptr();
        let state = ProgramState { forms, ..ProgramState::default() };
        let program = Program {
            handle,
            references: AtomicU32::new(1),
            kernels: AtomicUsize::new(0),
            context,
            devices,
            code,
            create,
            state: Mutex::new(state),
        };
        PROGRAMS.insert(address, Arc::new(program));
        address
    }

    pub fn handle(&self) -> cl_program {
        self.handle.as_ptr()
    }

    pub fn references(&self) -> u32 {
        self.references.load(Ordering::Relaxed)
    }

    pub fn state(&self) -> MutexGuard<'_, ProgramState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the program of the driver for a device, which may be a part of one of the program's.
    ///
    /// # Safety
    /// The device exists.
    pub unsafe fn on_device(&self, device: cl_device_id) -> Option<ProgramForm> {
        let state = self.state();
        let of =
            |device: cl_device_id| state.forms.iter().find(|form| form.devices.contains(&device)).cloned();
        // SAFETY: the caller's.
        of(device).or_else(|| unsafe { devices::ancestors(device) }.find_map(of))
    }

    pub fn retain(&self) {
        self.references.fetch_add(1, Ordering::Relaxed);
    }

    /// Releases a reference, and everything with the last one.
    ///
    /// # Safety
    /// The caller has a reference.
    pub unsafe fn release(&self) {
        if self.references.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        PROGRAMS.remove(self.handle());
        let state = std::mem::take(&mut *self.state());
        // SAFETY: nobody uses the program any more. The functions and data are the application's.
        unsafe {
            for form in state.forms {
                next!(clReleaseProgram(form.program));
            }
            for (callback, data) in state.callbacks.into_iter().rev() {
                callback(self.handle(), std::ptr::with_exposed_provenance_mut(data));
            }
            next!(clReleaseContext(self.context));
        }
    }

    /// Adds a function that is called when the program is released.
    pub fn add_callback(&self, callback: ProgramCallback, data: *mut c_void) {
        self.state().callbacks.push((callback, data.expose_provenance()));
    }

    /// Sets a specialization constant.
    pub fn set_constant(&self, spec_id: u32, value: &[u8]) -> cl_int {
        match &self.code {
            None => opencl_sys::CL_INVALID_PROGRAM,
            Some(code) if !code.has_constant(spec_id) => CL_INVALID_SPEC_ID,
            Some(code) if !code.is_value(spec_id, value) => CL_INVALID_VALUE,
            Some(_) => {
                self.state().constants.insert(spec_id, value.to_vec());
                CL_SUCCESS
            }
        }
    }

    /// Builds or compiles the program. `call` does that with a program of the driver for some devices.
    ///
    /// # Safety
    /// The devices exist.
    pub unsafe fn build(
        &self,
        requested: &[cl_device_id],
        options: &[u8],
        purpose: Purpose,
        call: &dyn Fn(cl_program, &[cl_device_id]) -> cl_int,
    ) -> cl_int {
        let requested = if requested.is_empty() { &self.devices } else { requested };
        if requested.iter().any(|device| !self.devices.contains(device)) {
            return CL_INVALID_DEVICE;
        }
        if self.kernels.load(Ordering::Acquire) > 0 || self.code.is_none() {
            return CL_INVALID_OPERATION;
        }
        // SAFETY: the caller's.
        let attempt =
            |devices: &[cl_device_id], purpose| unsafe { self.attempt(devices, options, purpose, call) };
        let result = match attempt(requested, purpose) {
            Ok(result) => result,
            Err(code) => return code,
        };
        let rejected = result.iter().filter(|(_, code)| *code == CL_BUILD_PROGRAM_FAILURE);
        let rejected = rejected.flat_map(|(devices, _)| devices.iter().copied());
        // SAFETY: the caller's.
        let rejected: Vec<_> = rejected.filter(|&device| unsafe { self.has_rest(device) }).collect();
        let mut codes: Vec<cl_int> = result
            .iter()
            .filter(|(devices, _)| !devices.iter().all(|device| rejected.contains(device)))
            .map(|(_, code)| *code)
            .collect();
        if !rejected.is_empty() {
            match attempt(&rejected, Purpose::BuildRest) {
                Ok(result) => codes.extend(result.iter().map(|(_, code)| *code)),
                Err(code) => codes.push(code),
            }
        }
        if requested.iter().any(|device| self.state().refused.contains_key(&device.addr())) {
            codes.push(if purpose == Purpose::Compile {
                CL_COMPILE_PROGRAM_FAILURE
            } else {
                CL_BUILD_PROGRAM_FAILURE
            });
        }
        codes.into_iter().find(|code| *code != CL_SUCCESS).unwrap_or(CL_SUCCESS)
    }

    /// Returns true if kernels can be left out for a device.
    ///
    /// # Safety
    /// See [`Program::build`].
    unsafe fn has_rest(&self, device: cl_device_id) -> bool {
        let constants = self.state().constants.clone();
        // SAFETY: the caller's.
        let device = unsafe { devices::describe(device) };
        self.code.as_ref().is_some_and(|code| code.has_rest(&device, &constants, &settings::current()))
    }

    /// Builds the program for devices. Returns the result of each of the driver's programs. All are built, also if one fails.
    ///
    /// # Safety
    /// See [`Program::build`].
    unsafe fn attempt(
        &self,
        requested: &[cl_device_id],
        options: &[u8],
        purpose: Purpose,
        call: &dyn Fn(cl_program, &[cl_device_id]) -> cl_int,
    ) -> Result<Vec<(Vec<cl_device_id>, cl_int)>, cl_int> {
        // SAFETY: the caller's.
        let forms = unsafe { self.prepare(requested, options, purpose)? };
        let built = forms.into_iter().map(|form| {
            let is_requested = |device: &cl_device_id| requested.contains(device);
            let devices: Vec<_> = form.devices.iter().copied().filter(is_requested).collect();
            let code = call(form.program, &devices);
            (devices, code)
        });
        Ok(built.collect())
    }

    /// Makes the programs of the driver for devices, and sets their constants.
    ///
    /// # Safety
    /// See [`Program::build`].
    unsafe fn prepare(
        &self,
        requested: &[cl_device_id],
        options: &[u8],
        purpose: Purpose,
    ) -> Result<Vec<ProgramForm>, cl_int> {
        let Some(code) = &self.code else { return Err(CL_INVALID_OPERATION) };
        let settings = settings::current();
        let mut state = self.state();
        for &device in requested {
            for form in &mut state.forms {
                form.devices.retain(|other| *other != device);
            }
            state.refused.remove(&device.addr());
            // SAFETY: the caller's.
            let result = unsafe {
                let device = devices::describe(device);
                code.on_device(&device, &state.constants, &settings, purpose)
            };
            let result = result.and_then(|code| {
                if let Some(form) = state.forms.iter_mut().find(|form| *form.words == *code.words) {
                    form.devices.push(device);
                    return Ok(());
                }
                // SAFETY: the caller's.
                let program = unsafe { self.create_form(&code.words) };
                let program = program.map_err(|error| {
                    format!("the driver refuses the module: clCreateProgramWithIL returned {error}")
                })?;
                state.forms.push(ProgramForm {
                    program,
                    devices: vec![device],
                    words: code.words.into(),
                    missing: code.missing,
                });
                Ok(())
            });
            if let Err(reason) = result {
                send(Severity::Error, &reason);
                state.refused.insert(device.addr(), RefusedDevice { reason, options: options.to_vec() });
            }
        }
        state.forms.retain(|form| {
            if form.devices.is_empty() {
                // SAFETY: nothing refers to it.
                unsafe { next!(clReleaseProgram(form.program)) };
            }
            !form.devices.is_empty()
        });
        let is_requested = |form: &&ProgramForm| form.devices.iter().any(|device| requested.contains(device));
        let forms: Vec<ProgramForm> = state.forms.iter().filter(is_requested).cloned().collect();
        for form in &forms {
            for spec_id in spec_ids_in(&form.words) {
                let Some(value) = state.constants.get(&spec_id) else { continue };
                // SAFETY: the value has as many bytes.
                succeeded(unsafe {
                    let value_start = value.as_ptr().cast();
                    next!(clSetProgramSpecializationConstant(form.program, spec_id, value.len(), value_start))
                })?;
            }
        }
        Ok(forms)
    }

    /// Creates a program of the driver.
    ///
    /// # Safety
    /// The program exists.
    unsafe fn create_form(&self, words: &[u32]) -> Result<cl_program, cl_int> {
        let create = self.create.ok_or(CL_INVALID_OPERATION)?;
        let mut code = CL_SUCCESS;
        // SAFETY: the caller's. The driver copies the words.
        let program =
            unsafe { create(self.context, words.as_ptr().cast(), size_of_val(words), &raw mut code) };
        succeeded(code)?;
        Ok(program)
    }

    /// Creates a kernel. If all devices have the same module, its handle is the driver's.
    ///
    /// # Safety
    /// The program exists.
    pub unsafe fn create_kernel(self: &Arc<Program>, name: &[u8]) -> Result<cl_kernel, cl_int> {
        let forms = self.state().forms.clone();
        let name_text = String::from_utf8_lossy(name).into_owned();
        let name = CString::new(name).map_err(|_| CL_INVALID_KERNEL_NAME)?;
        let mut kernels = Vec::new();
        let mut error = if forms.is_empty() { CL_INVALID_PROGRAM_EXECUTABLE } else { CL_INVALID_KERNEL_NAME };
        let mut reason = None;
        for form in &forms {
            if let Some(missing) = form.missing.iter().find(|missing| missing.name == name_text) {
                reason = Some(&missing.reason);
                continue;
            }
            let mut code = CL_SUCCESS;
            // SAFETY: the caller's.
            let kernel = unsafe {
                next_object!(clCreateKernel(form.program, name.as_ptr().cast::<c_char>()); &raw mut code)
            };
            match code {
                CL_SUCCESS => kernels.push(KernelForm { kernel, devices: form.devices.clone() }),
                code => error = code,
            }
        }
        if kernels.is_empty() {
            if let Some(reason) = reason {
                send(Severity::Error, format!("kernel `{name_text}` is left out: it {reason}"));
                return Err(CL_INVALID_KERNEL_NAME);
            }
            return Err(error);
        }
        self.retain();
        self.kernels.fetch_add(1, Ordering::AcqRel);
        Ok(Kernel::create(Arc::clone(self), kernels, forms.len() > 1))
    }

    /// Adds a kernel that is a copy of another.
    pub fn add_kernel(&self) {
        self.retain();
        self.kernels.fetch_add(1, Ordering::AcqRel);
    }

    /// Removes a kernel.
    ///
    /// # Safety
    /// It was added, and is not used any more.
    pub unsafe fn remove_kernel(&self) {
        self.kernels.fetch_sub(1, Ordering::AcqRel);
        // SAFETY: the kernel had a reference.
        unsafe { self.release() };
    }
}

impl ProgramForm {
    /// Returns a linked program for devices.
    pub fn linked(program: cl_program, devices: Vec<cl_device_id>) -> ProgramForm {
        ProgramForm { program, devices, words: Arc::new([]), missing: Vec::new() }
    }
}
