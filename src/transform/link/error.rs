use thiserror::Error;

use crate::loader::LoadError;
use crate::transform::definitions::{DifferentMemoryModels, TooManyDecorations};

/// The reason that modules cannot be linked. Files are named by their [`NamedModule`](super::NamedModule).
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkError {
    #[error("the linked module: {0}")]
    #[allow(missing_docs)]
    Load(#[from] LoadError),
    #[error("nothing to link: no module is given")]
    #[allow(missing_docs)]
    NoInput,
    #[error(transparent)]
    #[allow(missing_docs)]
    MemoryModel(#[from] DifferentMemoryModels),
    /// Decoration groups that apply too many decorations.
    #[error("{file}: {error}")]
    DecorationGroups {
        /// The module.
        file: String,
        /// The cause.
        error: TooManyDecorations,
    },
    /// Code that the highest of the versions no longer has.
    #[error(
        "{file} uses {what}, which SPIR-V has only up to version {last}, and {other} is of a later version: compile both for \
         the same version"
    )]
    Removed {
        /// The module that uses it.
        file: String,
        /// The instruction or enumerant that it uses.
        what: &'static str,
        /// The last version that has it.
        last: String,
        /// A module of the highest version.
        other: String,
    },
    /// Two entry points of one name and execution model that differ.
    #[error(
        "both {first} and {second} have an entry point '{name}' ({model}), and the two differ ({difference}): {}",
        advice(name)
    )]
    EntryPoint {
        /// The common name.
        name: String,
        /// The common execution model.
        model: String,
        /// The module with the first.
        first: String,
        /// The module with the second.
        second: String,
        /// The first difference.
        difference: Box<str>,
    },
    /// Two strong definitions of one name that differ.
    #[error(
        "both {first} and {second} export '{name}', and the definitions differ ({difference}): rename one of them or make it local; an inline function of a header must be \
         LinkOnceODR (clang: -Xclang -mllvm -Xclang --spirv-ext=+SPV_KHR_linkonce_odr)"
    )]
    TwoExports {
        /// The linkage name.
        name: String,
        /// The module with the first definition.
        first: String,
        /// The module with the second.
        second: String,
        /// The first difference.
        difference: Box<str>,
    },
    /// A function here and a variable there.
    #[error("'{name}' is a function in {function}, but a variable in {variable}")]
    Kind {
        /// The linkage name.
        name: String,
        /// The module that defines it as a function.
        function: String,
        /// The module that defines it as a variable.
        variable: String,
    },
    /// The types behind one name differ.
    #[error("'{name}' is {first_type} in {first}, but {second_type} in {second}")]
    Type {
        /// The linkage name.
        name: String,
        /// The module whose function or variable is kept.
        first: String,
        /// The type in the first module.
        first_type: String,
        /// The module that refers to it.
        second: String,
        /// The type there.
        second_type: String,
    },
    /// A function or variable with two linkage names.
    #[error("{file}: %{id} has two linkage names, '{first}' and '{second}': give it one")]
    TwoNames {
        /// The module.
        file: String,
        /// The function or variable.
        id: u32,
        /// The first name.
        first: String,
        /// The second name.
        second: String,
    },
    /// One of several modules has conditional code already.
    #[error(
        "{0} is multi-target already (SPV_INTEL_function_variants): its conditions were determined without the other modules, \
         which may require unconditionally what is conditional in it. Link the modules of the compiler, then pack the result"
    )]
    MultiTarget(String),
    /// An operand that may be an id or a literal, so that it cannot be renumbered.
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} has operands that may be ids or literals: it is not known well \
         enough to link it"
    )]
    Unknown {
        /// The module.
        file: String,
        /// The instruction, by its opcode.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
    },
    /// An instruction in an invalid place, or of an unsupported kind of function (OpGraphARM).
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} cannot be linked where it stands, outside of functions"
    )]
    Outside {
        /// The module.
        file: String,
        /// The instruction, by its opcode.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
    },
    /// An instruction that is kept names an id that is removed.
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} names %{id}, which is inside of a function that another module has \
         as well"
    )]
    Dangling {
        /// The module.
        file: String,
        /// The instruction, by its opcode.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
        /// The id that it names.
        id: u32,
    },
    /// A constant decorated BuiltIn WorkgroupSize, which would set the size of the other modules' entry points, too.
    #[error(
        "{first} sets the work-group size of all its entry points with a constant decorated WorkgroupSize, and {second} has \
         entry points of another size: compile both with LocalSize"
    )]
    WorkgroupSize {
        /// The module with the constant.
        first: String,
        /// A module with entry points.
        second: String,
    },
    /// Variables that are initialized with each other's addresses across modules.
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} needs the address of '{name}', whose module needs addresses of this one: \
         define such variables in one translation unit"
    )]
    Cycle {
        /// The module.
        file: String,
        /// The instruction, by its opcode.
        instruction: String,
        /// The offset of the instruction in bytes.
        offset: u64,
        /// The variable.
        name: String,
    },
    /// The modules have too many ids in sum.
    #[error("the result would need more than 4194303 ids, and a module can have no more: link fewer modules")]
    Bound,
}

/// Returns the advice about an entry point that another module has as well.
fn advice(name: &str) -> &'static str {
    match name.starts_with("_GLOBAL__sub_I_") {
        true => {
            "it initializes the variables of a source file, and clang makes its name of that of the file without its folder; \
             give one of the source files another name"
        }
        false => "rename one of them",
    }
}

/// A warning about linked code that may not behave as intended.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkWarning {
    /// Specialization constants of two modules that differ and have one SpecId. Both are kept.
    #[error(
        "SpecId {spec_id} is {first_value} in {first}, but {second_value} in {second}: what the host sets for it sets both"
    )]
    SpecId {
        /// The SpecId.
        spec_id: u32,
        /// The module with the first constant.
        first: String,
        /// The type and default in the first module.
        first_value: String,
        /// The module with the second.
        second: String,
        /// The type and default in the second module.
        second_value: String,
    },
    /// A function that takes a part of the array that its callers in another module pass.
    #[error(
        "'{name}' is {first_type} in {first}, but {second_type} in {second}: the array that is passed is longer than the one that is taken; \
         declare both alike if that is not meant"
    )]
    Lengths {
        /// The linkage name of the function.
        name: String,
        /// The module that defines it.
        first: String,
        /// The type in the first module.
        first_type: String,
        /// The module that calls it.
        second: String,
        /// The type there.
        second_type: String,
    },
}
