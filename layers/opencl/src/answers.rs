//! Answers to queries, and the lists that applications pass.

use std::ffi::{CStr, c_char, c_void};

use opencl_sys::{CL_INVALID_VALUE, CL_SUCCESS, cl_int};

/// The place for the answer to a query of the application.
#[derive(Clone, Copy)]
pub struct Answer {
    pub size: usize,
    pub value: *mut c_void,
    pub size_ret: *mut usize,
}

impl Answer {
    /// Answers with these bytes.
    ///
    /// # Safety
    /// The place has the size that it says.
    pub unsafe fn bytes(&self, bytes: &[u8]) -> cl_int {
        // SAFETY: the caller's.
        unsafe {
            if !self.value.is_null() {
                if self.size < bytes.len() {
                    return CL_INVALID_VALUE;
                }
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.value.cast(), bytes.len());
            }
            if let Some(size) = self.size_ret.as_mut() {
                *size = bytes.len();
            }
        }
        CL_SUCCESS
    }

    /// Answers with a text, which ends in 0.
    ///
    /// # Safety
    /// See [`Answer::bytes`].
    pub unsafe fn text(&self, text: &[u8]) -> cl_int {
        // SAFETY: the caller's.
        unsafe { self.bytes(&[text, &[0]].concat()) }
    }

    /// Answers with a handle.
    ///
    /// # Safety
    /// See [`Answer::bytes`].
    pub unsafe fn handle(&self, handle: *mut c_void) -> cl_int {
        // SAFETY: the caller's.
        unsafe { self.bytes(&handle.expose_provenance().to_ne_bytes()) }
    }
}

/// Returns the answer to a query of the layer. `ask` is called for the size, and then for the answer.
pub fn ask(ask: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> Result<Vec<u8>, cl_int> {
    let mut size = 0;
    succeeded(ask(0, std::ptr::null_mut(), &raw mut size))?;
    let mut answer = vec![0; size];
    if size > 0 {
        succeeded(ask(size, answer.as_mut_ptr().cast(), std::ptr::null_mut()))?;
    }
    Ok(answer)
}

/// Returns the handles, or other pointers, of an answer.
pub fn handles(answer: &[u8]) -> Vec<*mut c_void> {
    sizes(answer).into_iter().map(std::ptr::with_exposed_provenance_mut).collect()
}

/// Returns the sizes of an answer.
pub fn sizes(answer: &[u8]) -> Vec<usize> {
    let words = answer.chunks_exact(size_of::<usize>());
    words.map(|word| usize::from_ne_bytes(word.try_into().unwrap_or_default())).collect()
}

/// Returns the text of an answer without the 0 at its end.
pub fn text(mut answer: Vec<u8>) -> Vec<u8> {
    if answer.last() == Some(&0) {
        answer.pop();
    }
    answer
}

pub fn succeeded(code: cl_int) -> Result<(), cl_int> {
    if code == CL_SUCCESS { Ok(()) } else { Err(code) }
}

/// Returns the list that an application passes by its first element and its length.
///
/// # Safety
/// The list is as long, and lives as long as the result.
pub unsafe fn list<'a, T>(first: *const T, length: usize) -> &'a [T] {
    if first.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: the caller's.
    unsafe { std::slice::from_raw_parts(first, length) }
}

/// Returns the bytes of a text that an application passes, which may be null.
///
/// # Safety
/// It ends in 0, and lives as long as the result.
pub unsafe fn bytes_of<'a>(text: *const c_char) -> &'a [u8] {
    // SAFETY: the caller's.
    if text.is_null() { &[] } else { unsafe { CStr::from_ptr(text) }.to_bytes() }
}

/// Writes an error code, and returns no object.
///
/// # Safety
/// It is a place for a code, or null.
pub unsafe fn fail(place: *mut cl_int, code: cl_int) -> *mut c_void {
    // SAFETY: the caller's.
    unsafe { write_code(place, code) };
    std::ptr::null_mut()
}

/// Writes an error code.
///
/// # Safety
/// See [`fail`].
pub unsafe fn write_code(place: *mut cl_int, code: cl_int) {
    // SAFETY: the caller's.
    if let Some(place) = unsafe { place.as_mut() } {
        *place = code;
    }
}

/// Returns the object of a result, and writes its error code.
///
/// # Safety
/// See [`fail`].
pub unsafe fn created(result: Result<*mut c_void, cl_int>, place: *mut cl_int) -> *mut c_void {
    // SAFETY: the caller's.
    unsafe {
        write_code(place, result.err().unwrap_or(CL_SUCCESS));
        result.unwrap_or(std::ptr::null_mut())
    }
}

/// Returns the code of a result.
pub fn code(result: Result<(), cl_int>) -> cl_int {
    result.err().unwrap_or(CL_SUCCESS)
}
