//! The annotations file (`spec-extensions/annotations.md`): what a person says of modules that they do not say themselves.
//!
//! Read here, without any module: names are only texts. [`Annotated::resolve`](crate::analysis::Annotated::resolve) finds what they
//! name in one.

mod error;
mod read;
#[cfg(test)]
mod tests;

pub use error::AnnotationsError;

use std::collections::BTreeSet;

use crate::condition::Expr;
use crate::device::{DeviceConfig, DeviceError};
use crate::text::yaml::KeyNumber;

/// What stands for no function at all under `otherwise`.
pub const UNDEFINED: &str = "undef";

/// An annotations file.
#[derive(Clone, Debug)]
pub struct Annotations {
    source_name: String,
    text: String,
    /// The entries of `functions`, in the order of the file.
    pub functions: Vec<FunctionEntry>,
    /// The entries of `types`: by the name of a struct type, the aspects that code needs that refers to it.
    pub types: Vec<Entry<String, BTreeSet<u32>>>,
    /// The entries of `spec-constants`: by SpecId, what the constant stands for.
    pub spec_constants: Vec<Entry<u32, Expr>>,
}

/// Where something stands in the file: [`Annotations::line`] tells the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(KeyNumber);

/// A key and what is said under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<K, T> {
    /// What it is about.
    pub key: K,
    /// Where the key stands.
    pub position: Position,
    /// What is said.
    pub value: T,
}

/// Something that is said of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<T> {
    /// Where its key stands.
    pub position: Position,
    /// What is said.
    pub value: T,
}

/// What is said of the functions of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// A name, a glob of names, or `%` and an id.
    pub name: String,
    /// Where the entry begins.
    pub position: Position,
    /// When calls of the function happen.
    pub when: Option<Said<Expr>>,
    /// What is called where they do not: a name, `%` and an id, or [`UNDEFINED`].
    pub otherwise: Option<Said<String>>,
    /// The aspects that it uses.
    pub uses: Option<Said<BTreeSet<u32>>>,
    /// The aspects that it declares.
    pub declares: Option<Said<BTreeSet<u32>>>,
    /// The devices that it must run on, by names and globs of names.
    pub fixed_targets: Option<Said<BTreeSet<String>>>,
    /// Its translation unit.
    pub source: Option<Said<String>>,
}

impl Annotations {
    /// Whether it names functions by their ids, which mean something in one module only.
    pub fn names_ids(&self) -> bool {
        let is_id = |name: &str| name.starts_with('%');
        self.functions.iter().any(|entry| {
            is_id(&entry.name) || entry.otherwise.as_ref().is_some_and(|otherwise| is_id(&otherwise.value))
        })
    }

    /// What errors call the file.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// The line of something, from 1. Reads the file again up to there, so it is for messages.
    pub fn line(&self, position: Position) -> usize {
        read::line(&self.text, position)
    }

    /// Checks that a device configuration has the devices that entries name as fixed targets.
    ///
    /// # Errors
    /// If one matches no device.
    pub fn check_devices(&self, devices: &DeviceConfig) -> Result<(), AnnotationsError> {
        for said in self.functions.iter().filter_map(|entry| entry.fixed_targets.as_ref()) {
            let unknown = |error: DeviceError| self.error(said.position, error.to_string());
            said.value.iter().try_for_each(|name| devices.matching(name).map(drop)).map_err(unknown)?;
        }
        Ok(())
    }

    fn error(&self, position: Position, message: String) -> AnnotationsError {
        AnnotationsError { source_name: self.source_name.clone(), line: self.line(position), message }
    }
}
