//! Boundary between C and Rust: stops panics, checks pointers for null, and stores errors where the caller expects them.

use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use crate::error::{Error, Status};

#[cfg(panic = "abort")]
compile_error!(
    "panics have to unwind, so that they stop at the border: build by the profile `capi` or `library`, not by `release` or `dist`"
);

/// Runs a function that may fail, and returns its status. Stores a new error at `error` if it fails, and null otherwise. A null
/// `error` receives nothing.
///
/// # Safety `error` must be null or valid for writing a pointer.
pub unsafe fn call(error: *mut *mut Error, body: impl FnOnce() -> Result<(), Error>) -> Status {
    let failed = failure(body);
    // SAFETY: the caller keeps the contract.
    unsafe { report(failed, error) }
}

/// An object that may have a name.
pub trait Named {
    fn name(&self) -> Option<&str>;
}

/// Like [`call`], but the message of an error begins with the name of `subject`, if it has one.
///
/// # Safety See [`call`]. `subject` must be null or a valid object.
pub unsafe fn call_about<T: Named>(
    subject: *const T,
    error: *mut *mut Error,
    body: impl FnOnce() -> Result<(), Error>,
) -> Status {
    // SAFETY: the caller keeps the contract.
    let name = unsafe { subject.as_ref() }.and_then(T::name);
    let failed = failure(body).map(|failed| name.into_iter().fold(failed, Error::about));
    // SAFETY: the caller keeps the contract.
    unsafe { report(failed, error) }
}

/// Stores an error, or null for success, at `error` unless that is null. Returns the status.
///
/// # Safety See [`call`].
unsafe fn report(failed: Option<Error>, error: *mut *mut Error) -> Status {
    let status = failed.as_ref().map_or(Status::Ok, |failed| failed.status);
    if !error.is_null() {
        let object = failed.map_or(ptr::null_mut(), |failed| Box::into_raw(Box::new(failed)));
        // SAFETY: the caller keeps the contract.
        unsafe { error.write(object) };
    }
    status
}

/// Runs a function and returns its error. A panic is an internal error.
fn failure(body: impl FnOnce() -> Result<(), Error>) -> Option<Error> {
    let mut body = Some(body);
    stop_panics(&mut || body.take().map_or(Ok(()), |body| body()))
}

/// Calls `body` once and returns its error. A panic is an internal error. All functions share this code, which makes the library
/// smaller.
#[inline(never)]
fn stop_panics(body: &mut dyn FnMut() -> Result<(), Error>) -> Option<Error> {
    // Nothing uses data that a panic left incomplete: objects are created last, and an object with a failed change fails in every use
    // (`Changeable`).
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(&*panic)));
    outcome.err()
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    Error::new(Status::Internal, format!("this is a defect of spirv-if, please report it: {text}"))
}

/// Answers a query about an object. Returns `none` if the object is null or the query panics.
///
/// # Safety `object` must be null, or an object of this library that has not been destroyed.
pub unsafe fn ask<'a, T: 'a, R>(object: *const T, none: R, body: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: the caller keeps the contract.
    let Some(object) = (unsafe { object.as_ref() }) else { return none };
    catch_unwind(AssertUnwindSafe(|| body(object))).unwrap_or(none)
}

/// A value that changes step by step, with the first failure. Functions that change the value have no `error` parameter.
/// Functions that use the value report the failure instead.
#[derive(Default)]
pub struct Changeable<T> {
    value: T,
    failed: Option<(Status, CString)>,
}

impl<T> From<T> for Changeable<T> {
    /// Creates a value without changes.
    fn from(value: T) -> Changeable<T> {
        Changeable { value, failed: None }
    }
}

impl<T> Changeable<T> {
    /// Returns the value.
    ///
    /// # Errors If a change failed, with the first failure.
    pub fn get(&self) -> Result<&T, Error> {
        match &self.failed {
            None => Ok(&self.value),
            Some((status, message)) => Err(Error::new(*status, message.to_string_lossy())),
        }
    }
}

/// Changes the value that `of` selects in an object.
///
/// # Safety See [`ask`]. Nothing else may use the object during the change.
pub unsafe fn change<T, V>(
    object: *mut T,
    of: impl FnOnce(&mut T) -> &mut Changeable<V>,
    body: impl FnOnce(&mut V) -> Result<(), Error>,
) -> Status {
    // SAFETY: the caller keeps the contract.
    let Some(object) = (unsafe { object.as_mut() }) else { return Status::Argument };
    let Changeable { value, failed } = of(object);
    match failure(|| body(value)) {
        None => Status::Ok,
        Some(error) => remember(failed, error),
    }
}

/// Keeps the first failure. Returns the status of this one.
#[inline(never)]
fn remember(failed: &mut Option<(Status, CString)>, error: Error) -> Status {
    let status = error.status;
    failed.get_or_insert_with(|| (status, error.into_message()));
    status
}

/// Creates an object, or returns null if that panics.
pub fn create<T>(make: impl FnOnce() -> T) -> *mut T {
    catch_unwind(AssertUnwindSafe(|| Box::into_raw(Box::new(make())))).unwrap_or(ptr::null_mut())
}

/// Destroys an object. Does nothing for null.
///
/// # Safety See [`change`].
pub unsafe fn destroy<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: the caller keeps the contract; the object was made by `create` or `Out::set`.
        let object = unsafe { Box::from_raw(object) };
        // A panic here leaks memory, and nothing else.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(object)));
    }
}

/// Returns the object at a pointer. `name` is the name of the parameter in messages.
///
/// # Errors If the pointer is null.
///
/// # Safety See [`ask`].
pub unsafe fn required<'a, T: 'a>(object: *const T, name: &str) -> Result<&'a T, Error> {
    // SAFETY: the caller keeps the contract.
    unsafe { object.as_ref() }.ok_or_else(|| Error::argument(format_args!("{name} is null")))
}

/// An output parameter for a new object.
pub struct Out<T>(*mut *mut T);

impl<T> Out<T> {
    /// Creates an output parameter from a pointer, and stores null there.
    ///
    /// # Errors If the pointer is null.
    ///
    /// # Safety `place` must be null or valid for writing a pointer.
    pub unsafe fn new(place: *mut *mut T) -> Result<Out<T>, Error> {
        if place.is_null() {
            return Err(Error::argument("there is no place for the result: it is null"));
        }
        // SAFETY: the caller keeps the contract.
        unsafe { place.write(ptr::null_mut()) };
        Ok(Out(place))
    }

    /// Stores a new object at the output parameter.
    pub fn set(self, object: T) {
        // SAFETY: the contract of `new`.
        unsafe { self.0.write(Box::into_raw(Box::new(object))) };
    }
}
