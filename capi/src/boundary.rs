//! The border between C and Rust: no panic crosses it, pointers that may be null are checked, and an error goes where the caller wants it.

use std::any::Any;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use crate::error::{Error, Status};

#[cfg(panic = "abort")]
compile_error!(
    "panics have to unwind, so that they stop at the border: build by the profile `capi` or `library`, not by `release` or `dist`"
);

/// A call that may fail. Its error, if there is one and the caller wants it, is a new object at `error`, which is null otherwise.
///
/// # Safety
/// `error` is null or has room for a pointer.
pub unsafe fn call(error: *mut *mut Error, body: impl FnOnce() -> Result<(), Error>) -> Status {
    let failed = failure(body);
    // SAFETY: the caller's.
    unsafe { report(failed, error) }
}

/// An object that may have a name.
pub trait Named {
    fn name(&self) -> Option<&str>;
}

/// Like [`call`], about an object, which may be null: the message of the error begins with its name.
///
/// # Safety
/// See [`call`]; `subject` is null or an object.
pub unsafe fn call_about<T: Named>(
    subject: *const T,
    error: *mut *mut Error,
    body: impl FnOnce() -> Result<(), Error>,
) -> Status {
    // SAFETY: the caller's.
    let name = unsafe { subject.as_ref() }.and_then(T::name);
    let failed = failure(body).map(|failed| name.into_iter().fold(failed, Error::about));
    // SAFETY: the caller's.
    unsafe { report(failed, error) }
}

/// Puts an error where the caller wants it.
///
/// # Safety
/// See [`call`].
unsafe fn report(failed: Option<Error>, error: *mut *mut Error) -> Status {
    let status = failed.as_ref().map_or(Status::Ok, |failed| failed.status);
    if !error.is_null() {
        let object = failed.map_or(ptr::null_mut(), |failed| Box::into_raw(Box::new(failed)));
        // SAFETY: the caller's.
        unsafe { error.write(object) };
    }
    status
}

/// The error of what may fail.
fn failure(body: impl FnOnce() -> Result<(), Error>) -> Option<Error> {
    let mut body = Some(body);
    stop_panics(&mut || body.take().map_or(Ok(()), |body| body()))
}

/// The error, or the panic, of what is called once. It is there once for all functions, which makes the library smaller.
#[inline(never)]
fn stop_panics(body: &mut dyn FnMut() -> Result<(), Error>) -> Option<Error> {
    // Whatever a panic left half done is not used: objects are made when all is done, and of one that could not be changed, nothing is made
    // (`Changeable`).
    let outcome = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| Err(panicked(&*panic)));
    outcome.err()
}

fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    Error::new(Status::Internal, format!("this is a defect of spirv-if, please report it: {text}"))
}

/// A question about an object; `none` is the answer of one that is null.
///
/// # Safety
/// The object is null, or one that this library made and that is not destroyed.
pub unsafe fn ask<'a, T: 'a, R>(object: *const T, none: R, body: impl FnOnce(&'a T) -> R) -> R {
    // SAFETY: the caller's.
    let Some(object) = (unsafe { object.as_ref() }) else { return none };
    catch_unwind(AssertUnwindSafe(|| body(object))).unwrap_or(none)
}

/// A value that is changed step by step, with the first failure: functions that change it have no place for an error, so those that use it
/// fail instead.
#[derive(Default)]
pub struct Changeable<T> {
    value: T,
    failed: Option<(Status, CString)>,
}

impl<T> From<T> for Changeable<T> {
    /// A value that nothing changed.
    fn from(value: T) -> Changeable<T> {
        Changeable { value, failed: None }
    }
}

impl<T> Changeable<T> {
    /// The value.
    ///
    /// # Errors
    /// The first one of its changes.
    pub fn get(&self) -> Result<&T, Error> {
        match &self.failed {
            None => Ok(&self.value),
            Some((status, message)) => Err(Error::new(*status, message.to_string_lossy())),
        }
    }
}

/// A change of an object, whose value `of` finds in it.
///
/// # Safety
/// See [`ask`]; and nothing else uses it meanwhile.
pub unsafe fn change<T, V>(
    object: *mut T,
    of: impl FnOnce(&mut T) -> &mut Changeable<V>,
    body: impl FnOnce(&mut V) -> Result<(), Error>,
) -> Status {
    // SAFETY: the caller's.
    let Some(object) = (unsafe { object.as_mut() }) else { return Status::Argument };
    let Changeable { value, failed } = of(object);
    match failure(|| body(value)) {
        None => Status::Ok,
        Some(error) => remember(failed, error),
    }
}

/// Remembers the first failure.
#[inline(never)]
fn remember(failed: &mut Option<(Status, CString)>, error: Error) -> Status {
    let status = error.status;
    failed.get_or_insert_with(|| (status, error.into_message()));
    status
}

/// A new object; null if it cannot be made.
pub fn create<T>(make: impl FnOnce() -> T) -> *mut T {
    catch_unwind(AssertUnwindSafe(|| Box::into_raw(Box::new(make())))).unwrap_or(ptr::null_mut())
}

/// The end of an object.
///
/// # Safety
/// See [`change`].
pub unsafe fn destroy<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: the caller's; it was made by `create` or `Out::set`.
        let object = unsafe { Box::from_raw(object) };
        // A panic here leaves memory behind, which nobody sees.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(object)));
    }
}

/// The object that a caller gave.
///
/// # Errors
/// If it is null.
///
/// # Safety
/// See [`ask`].
pub unsafe fn required<'a, T: 'a>(object: *const T, name: &str) -> Result<&'a T, Error> {
    // SAFETY: the caller's.
    unsafe { object.as_ref() }.ok_or_else(|| Error::argument(format_args!("{name} is null")))
}

/// A place for a new object.
pub struct Out<T>(*mut *mut T);

impl<T> Out<T> {
    /// The place that a caller gave, which holds null until there is an object.
    ///
    /// # Errors
    /// If it is null.
    ///
    /// # Safety
    /// It is null or has room for a pointer.
    pub unsafe fn new(place: *mut *mut T) -> Result<Out<T>, Error> {
        if place.is_null() {
            return Err(Error::argument("there is no place for the result: it is null"));
        }
        // SAFETY: the caller's.
        unsafe { place.write(ptr::null_mut()) };
        Ok(Out(place))
    }

    /// Puts the object there.
    pub fn set(self, object: T) {
        // SAFETY: `new`'s.
        unsafe { self.0.write(Box::into_raw(Box::new(object))) };
    }
}
