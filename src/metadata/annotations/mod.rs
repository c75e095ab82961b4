//! The annotations file (`spec-extensions/annotations.md`): facts on modules that are not in the modules.
//!
//! Reading it requires no module: names are only texts.
//! [`Annotated::resolve`](crate::analysis::Annotated::resolve) finds the functions and types with these names
//! in a module.

mod parts;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use thiserror::Error;

use crate::condition::Expr;
use crate::device::{DeviceConfig, DeviceError};
use crate::text::yaml::KeyNumber;

pub use parts::{ConstantPart, PartCondition};

/// Value of `otherwise` for no function.
pub const UNDEFINED: &str = "undef";

/// An annotations file.
#[derive(Clone, Debug)]
pub struct AnnotationsFile {
    source_name: String,
    text: String,
    /// The entries of `functions`, in the order of the file.
    pub functions: Vec<FunctionEntry>,
    /// The entries of `types`: the aspects required by code that refers to the struct type with a name.
    pub types: Vec<AnnotationEntry<String, BTreeSet<u32>>>,
    /// The entries of `properties`: lists of compile-time properties, by the name of a function or variable.
    /// A parameter is named by its function, `#` and its number, and any id by `%` and its number.
    pub properties: Vec<AnnotationEntry<String, BTreeSet<String>>>,
    /// The entries of `spec-constants`: the condition that the constant with a SpecId stands for.
    pub spec_constants: Vec<AnnotationEntry<u32, Expr>>,
    /// The capabilities of `lower`: devices without them get lowered code.
    pub lower: BTreeSet<u32>,
    /// The entries of `spec-constants` about parts of integers, by SpecId and part.
    pub parts: Vec<AnnotationEntry<(u32, ConstantPart), PartCondition>>,
}

/// An annotations file that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{source_name}:{line}: {message}")]
pub struct AnnotationsError {
    /// The file.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// The error and how to correct it.
    pub message: String,
}

/// A position in the file; [`AnnotationsFile::line`] finds its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(KeyNumber);

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationEntry<K, T> {
    /// The key.
    pub key: K,
    /// The position of the key.
    pub position: Position,
    /// The value.
    pub value: T,
}

/// An annotation of functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The position of the annotation's key.
    pub position: Position,
    /// The value.
    pub value: T,
}

/// The annotations of the functions with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// A name, a glob of names, or `%` and an id.
    pub name: String,
    /// The start of the entry.
    pub position: Position,
    /// The condition under which calls of the function are taken.
    pub when: Option<Located<Expr>>,
    /// The function that is called otherwise: a name, `%` and an id, or [`UNDEFINED`].
    pub otherwise: Option<Located<String>>,
    /// The aspects that the function uses.
    pub uses: Option<Located<BTreeSet<u32>>>,
    /// The aspects that the function declares.
    pub declares: Option<Located<BTreeSet<u32>>>,
    /// The devices that the function must run on, by names and globs of names.
    pub fixed_targets: Option<Located<BTreeSet<String>>>,
    /// Translation unit of the function.
    pub source: Option<Located<String>>,
}

impl AnnotationsFile {
    /// Returns true if the entry names functions by ids, which have a meaning in one module only.
    pub fn names_ids(&self) -> bool {
        let is_id = |name: &str| name.starts_with('%');
        let of_properties = self.properties.iter().any(|entry| is_id(&entry.key));
        of_properties
            || self.functions.iter().any(|entry| {
                is_id(&entry.name)
                    || entry.otherwise.as_ref().is_some_and(|otherwise| is_id(&otherwise.value))
            })
    }

    /// Returns the name of the file in errors.
    pub fn source_name(&self) -> &str {
        &self.source_name
    }

    /// Returns the line of a position, from 1, for messages. It reads the file again up to there.
    pub fn line(&self, position: Position) -> usize {
        read::line(&self.text, position)
    }

    /// Checks that a device configuration has the devices that entries name as fixed targets.
    ///
    /// # Errors
    /// If a name matches no device.
    pub fn check_devices(&self, devices: &DeviceConfig) -> Result<(), AnnotationsError> {
        for located in self.functions.iter().filter_map(|entry| entry.fixed_targets.as_ref()) {
            let unknown = |error: DeviceError| self.error(located.position, error.to_string());
            located.value.iter().try_for_each(|name| devices.matching(name).map(drop)).map_err(unknown)?;
        }
        Ok(())
    }

    fn error(&self, position: Position, message: String) -> AnnotationsError {
        AnnotationsError { source_name: self.source_name.clone(), line: self.line(position), message }
    }
}
