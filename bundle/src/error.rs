//! Errors.

use std::error::Error;
use std::{fmt, io};

use crate::VERSION;

/// The cause of a failed call.
#[derive(Debug)]
#[non_exhaustive]
pub enum BundleError {
    /// The system cannot read the file.
    Io(io::Error),
    /// The file is something else.
    NotABundle,
    /// A newer program wrote the file.
    Version(u32),
    /// The file is damaged.
    Damaged(Damage),
    /// The bundle has no shader of this name.
    NoShader(String),
    /// The shader has several variants, and a device chooses between them.
    SeveralVariants {
        /// The name of the shader.
        name: String,
        /// The number of variants.
        count: usize,
    },
    /// The shader is ready for devices, and has no single module.
    Ready(String),
    /// The answers to questions do not decide which result of a shader a device gets.
    NotKnown {
        /// The name of the shader.
        name: String,
        /// The questions that decide it.
        questions: Vec<String>,
    },
    /// The device does not meet the requirements of a result.
    DoesNotRun {
        /// The name of the shader.
        name: String,
        /// The requirements that the device does not meet.
        missing: Vec<String>,
    },
    /// No result of the shader is for the device.
    NoResult(String),
    /// The shader has no variant of this number.
    NoVariantNumber {
        /// The name of the shader.
        name: String,
        /// The requested number.
        variant: usize,
        /// The number of variants.
        count: usize,
    },
    /// No variant of the shader is for the device.
    NoVariant {
        /// The name of the shader.
        name: String,
        /// The conditions of the variants, joined by `or`.
        conditions: String,
    },
    /// The device is not described well enough to choose a variant.
    UndecidedVariant {
        /// The name of the shader.
        name: String,
        /// The condition that is not known.
        condition: String,
    },
    /// The engine refuses the module or the settings.
    #[cfg(any(feature = "specialize", feature = "write"))]
    Engine(spirv_if::Error),
    /// Two shaders have one name.
    DuplicateName(String),
    /// The name is empty, or has a control character.
    InvalidName(String),
    /// A shader has no variants.
    NoVariants(String),
    /// A variant without a condition comes before others.
    ElseNotLast(String),
    /// Something has more bytes than a bundle can have.
    TooLarge(&'static str),
}

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BundleError::Io(error) => error.fmt(f),
            BundleError::NotABundle => f.write_str("it is not a bundle: `spirv-if bundle` makes one"),
            BundleError::Version(version) => write!(
                f,
                "it is a bundle of version {version}, and this program reads version {VERSION}: use a newer one"
            ),
            BundleError::Damaged(damage) => write!(f, "the bundle is damaged: {damage}; make it again"),
            BundleError::NoShader(name) => write!(f, "the bundle has no shader `{name}`"),
            BundleError::SeveralVariants { name, count } => {
                write!(f, "`{name}` has {count} variants: name a device, or one of them by its number")
            }
            BundleError::Ready(name) => write!(
                f,
                "`{name}` is ready for devices, and has no module for all of them: name a device, or take the modules that the bundle was made of"
            ),
            BundleError::NotKnown { name, questions } => {
                let questions = questions.join(", ");
                write!(f, "it is not known which module of `{name}` is for the device: answer {questions}")
            }
            BundleError::DoesNotRun { name, missing } => {
                write!(f, "`{name}` does not run on the device, which does not have {}", missing.join(", "))
            }
            BundleError::NoResult(name) => write!(f, "no variant of `{name}` is for the device"),
            BundleError::NoVariantNumber { name, variant, count } => {
                write!(f, "`{name}` has no variant {variant}: it has {count}, counted from 0")
            }
            BundleError::NoVariant { name, conditions } => {
                write!(f, "no variant of `{name}` is for the device: it is for devices where {conditions}")
            }
            BundleError::UndecidedVariant { name, condition } => write!(
                f,
                "it is not known if the device has `{condition}`, the condition of a variant of `{name}`: describe the device further"
            ),
            #[cfg(any(feature = "specialize", feature = "write"))]
            BundleError::Engine(error) => error.fmt(f),
            BundleError::DuplicateName(name) => write!(f, "two shaders have the name `{name}`"),
            BundleError::InvalidName(name) => {
                write!(f, "`{name}` is not the name of a shader: it must be one non-empty line")
            }
            BundleError::NoVariants(name) => write!(f, "`{name}` has no variants"),
            BundleError::ElseNotLast(name) => write!(
                f,
                "a variant of `{name}` comes after the one for all remaining devices, which must be the last"
            ),
            BundleError::TooLarge(part) => write!(f, "{part} is too large for a bundle"),
        }
    }
}

impl Error for BundleError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            BundleError::Io(error) => error.source(),
            #[cfg(any(feature = "specialize", feature = "write"))]
            BundleError::Engine(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for BundleError {
    fn from(error: io::Error) -> BundleError {
        BundleError::Io(error)
    }
}

#[cfg(any(feature = "specialize", feature = "write"))]
impl From<spirv_if::Error> for BundleError {
    fn from(error: spirv_if::Error) -> BundleError {
        BundleError::Engine(error)
    }
}

/// A damage of a file, found by a checksum or where a number does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The file does not have the size that it names.
    Size,
    /// The header does not have its checksum, or numbers that fit.
    Header,
    /// The tables do not have their checksum, or numbers that fit.
    Index,
    /// The operand layouts are malformed.
    Layouts,
    /// The dictionary does not have its checksum, or cannot be decompressed.
    Dictionary,
    /// A block does not have its checksum, or cannot be decompressed or decoded.
    Block(usize),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Size => f.write_str("it has another size than it names"),
            Damage::Header => f.write_str("its header is wrong"),
            Damage::Index => f.write_str("its index is wrong"),
            Damage::Layouts => f.write_str("its operand layouts are wrong"),
            Damage::Dictionary => f.write_str("its dictionary is wrong"),
            Damage::Block(block) => write!(f, "block {block} is wrong"),
        }
    }
}

impl Error for Damage {}

impl From<Damage> for BundleError {
    fn from(damage: Damage) -> BundleError {
        BundleError::Damaged(damage)
    }
}
