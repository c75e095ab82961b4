//! Texts of C.

use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;

use crate::error::Error;

/// The text that a caller gave.
///
/// # Errors
/// If it is null, or not UTF-8.
///
/// # Safety
/// It is null, or ends in 0.
pub unsafe fn required<'a>(text: *const c_char, name: impl Display) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::argument(format_args!("{name} is null")));
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map_err(|_| Error::argument(format_args!("{name} is not UTF-8")))
}

/// Converts a text for C, up to the first 0 in it.
pub fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    CString::new(bytes).unwrap_or_default()
}

/// Converts texts for C.
pub fn c_strings<T: ToString>(texts: &[T]) -> Vec<CString> {
    texts.iter().map(|text| c_string(text.to_string())).collect()
}

/// A list of texts for C, which lie where they are as long as the list does.
#[derive(Default)]
pub struct Texts(Vec<CString>);

impl Texts {
    /// Keeps a text.
    pub fn keep(&mut self, text: impl ToString) -> *const c_char {
        self.0.push(c_string(text.to_string()));
        self.0.last().map_or(std::ptr::null(), |text| text.as_ptr())
    }
}

/// The text at an index of a list; null after the last.
pub fn at(texts: &[CString], index: usize) -> *const c_char {
    texts.get(index).map_or(std::ptr::null(), |text| text.as_ptr())
}

/// The item at an index of a list; null after the last.
pub fn item<T>(list: &[T], index: usize) -> *const T {
    list.get(index).map_or(std::ptr::null(), std::ptr::from_ref)
}
