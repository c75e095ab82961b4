//! Strings of C.

use std::ffi::{CStr, CString, c_char};
use std::fmt::Display;

use crate::error::Error;

/// Returns the string at a pointer. `name` is the name of the parameter in messages.
///
/// # Errors If the pointer is null, or the string is not UTF-8.
///
/// # Safety `text` must be null, or end with a NUL character.
pub unsafe fn required<'a>(text: *const c_char, name: impl Display) -> Result<&'a str, Error> {
    if text.is_null() {
        return Err(Error::argument(format_args!("{name} is null")));
    }
    // SAFETY: the caller keeps the contract.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map_err(|_| Error::argument(format_args!("{name} is not UTF-8")))
}

/// Returns the item with the name in a string.
///
/// # Errors See [`required`], and if no item has the name.
///
/// # Safety See [`required`].
pub unsafe fn choice<T: Copy>(text: *const c_char, name: &str, items: &[(&str, T)]) -> Result<T, Error> {
    // SAFETY: the caller keeps the contract.
    let text = unsafe { required(text, name) }?;
    items.iter().find(|item| item.0 == text).map(|item| item.1).ok_or_else(|| {
        let names: Vec<&str> = items.iter().map(|item| item.0).collect();
        Error::argument(format_args!("{name} is `{text}`: expected one of {}", names.join(", ")))
    })
}

/// Converts a string for C, up to the first NUL character in it.
pub fn c_string(text: impl Into<Vec<u8>>) -> CString {
    let mut bytes = text.into();
    bytes.truncate(bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()));
    CString::new(bytes).unwrap_or_default()
}

/// Converts strings for C.
pub fn c_strings<T: ToString>(texts: &[T]) -> Vec<CString> {
    texts.iter().map(|text| c_string(text.to_string())).collect()
}

/// A list of strings for C, whose addresses stay valid as long as the list.
#[derive(Default)]
pub struct Texts(Vec<CString>);

impl Texts {
    /// Adds a string to the list, and returns its address.
    pub fn keep(&mut self, text: impl ToString) -> *const c_char {
        self.0.push(c_string(text.to_string()));
        self.0.last().map_or(std::ptr::null(), |text| text.as_ptr())
    }
}

/// Returns string `index` of a list, or null after the last.
pub fn at(texts: &[CString], index: usize) -> *const c_char {
    texts.get(index).map_or(std::ptr::null(), |text| text.as_ptr())
}

/// Returns item `index` of a list, or null after the last.
pub fn item<T>(list: &[T], index: usize) -> *const T {
    list.get(index).map_or(std::ptr::null(), std::ptr::from_ref)
}
