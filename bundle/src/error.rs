//! Errors.

use std::io;

/// The cause of a failed call.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BundleError {
    /// The system cannot read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is something else.
    #[error("it is not a bundle: `spirv-if bundle` makes one")]
    NotABundle,
    /// A newer program wrote the file.
    #[error("it is a bundle of version {0}, and this program reads version {version}: use a newer one", version = crate::VERSION)]
    Version(u32),
    /// The file is damaged.
    #[error("the bundle is damaged: {0}; make it again")]
    Damaged(Damage),
    /// The bundle has no shader of this name.
    #[error("the bundle has no shader `{0}`")]
    NoShader(String),
    /// The shader has several variants, and a device chooses between them.
    #[error("`{name}` has {count} variants: name a device, or one of them by its number")]
    SeveralVariants {
        /// The name of the shader.
        name: String,
        /// The number of variants.
        count: usize,
    },
    /// The shader is ready for devices, and has no module of its own.
    #[error(
        "`{0}` is ready for devices, and has no module for all of them: name a device, or take the modules that the bundle was made of"
    )]
    Ready(String),
    /// The answers to questions do not decide which result of a shader a device gets.
    #[error("it is not known which module of `{name}` is for the device: answer {}", .questions.join(", "))]
    NotKnown {
        /// The name of the shader.
        name: String,
        /// The questions that decide it.
        questions: Vec<String>,
    },
    /// The device does not have what a result of a shader requires.
    #[error("`{name}` does not run on the device, which does not have {}", .missing.join(", "))]
    DoesNotRun {
        /// The name of the shader.
        name: String,
        /// The requirements that the device does not meet.
        missing: Vec<String>,
    },
    /// No result of the shader is for the device.
    #[error("no variant of `{0}` is for the device")]
    NoResult(String),
    /// The shader has no variant of this number.
    #[error("`{name}` has no variant {variant}: it has {count}, counted from 0")]
    NoVariantNumber {
        /// The name of the shader.
        name: String,
        /// The number that was asked for.
        variant: usize,
        /// The number of variants.
        count: usize,
    },
    /// No variant of the shader is for the device.
    #[error("no variant of `{name}` is for the device: it is for devices where {conditions}")]
    NoVariant {
        /// The name of the shader.
        name: String,
        /// The conditions of the variants, joined by `or`.
        conditions: String,
    },
    /// The device is not described well enough to choose a variant.
    #[error(
        "it is not known if the device has `{condition}`, the condition of a variant of `{name}`: describe the device further"
    )]
    UndecidedVariant {
        /// The name of the shader.
        name: String,
        /// The condition that is not known.
        condition: String,
    },
    /// The engine refuses the module or the settings.
    #[cfg(any(feature = "specialize", feature = "write"))]
    #[error(transparent)]
    Engine(#[from] spirv_if::Error),
    /// Two shaders have one name.
    #[error("two shaders have the name `{0}`")]
    DuplicateName(String),
    /// The name is empty, or has a control character.
    #[error("`{0}` is not the name of a shader: it must be one non-empty line")]
    InvalidName(String),
    /// A shader has no variants.
    #[error("`{0}` has no variants")]
    NoVariants(String),
    /// A variant without a condition comes before others.
    #[error("a variant of `{0}` comes after the one for all remaining devices, which must be the last")]
    ElseNotLast(String),
    /// Something has more bytes than a bundle can have.
    #[error("{0} is too large for a bundle")]
    TooLarge(&'static str),
}

/// A damage of a file, found by a checksum or where a number does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The file does not have the size that it names.
    #[error("it has another size than it names")]
    Size,
    /// The header does not have its checksum, or numbers that fit.
    #[error("its header is wrong")]
    Header,
    /// The tables do not have their checksum, or numbers that fit.
    #[error("its index is wrong")]
    Index,
    /// The operand layouts are malformed.
    #[error("its operand layouts are wrong")]
    Layouts,
    /// The dictionary does not have its checksum, or cannot be decompressed.
    #[error("its dictionary is wrong")]
    Dictionary,
    /// A block does not have its checksum, or cannot be decompressed or decoded.
    #[error("block {0} is wrong")]
    Block(usize),
}

impl From<Damage> for BundleError {
    fn from(damage: Damage) -> BundleError {
        BundleError::Damaged(damage)
    }
}
