//! Errors about an annotations file and a module, entries that match nothing in the module, and descriptions of types
//! for these messages.

use std::collections::BTreeSet;
use std::fmt::Write;

use spirv::{Op, StorageClass};
use thiserror::Error;

use super::function_names::id;
use crate::analysis::debug::names::Names;
use crate::analysis::in_one_line;
use crate::collections::{OrderedMap, gather, sort_by_key};
use crate::condition::ConditionError;
use crate::loader::{Module, views};
use crate::metadata::annotations::{AnnotationsFile, Position};
use crate::text::spelling::nearest;

/// An entry of an annotations file that does not fit a module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{source_name}:{line}: {problem}")]
pub struct AnnotationError {
    /// The annotations file.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: Box<AnnotationProblem>,
}

impl AnnotationError {
    pub(super) fn new(annotations: &AnnotationsFile, position: Position, problem: AnnotationProblem) -> Self {
        let source_name = annotations.source_name().to_owned();
        AnnotationError { source_name, line: annotations.line(position), problem: Box::new(problem) }
    }
}

/// A constant that stays unbound, although an annotations file binds it to a condition: a function has code for values other than 0 and 1.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{source_name}:{line}: the constant {constant} (SpecId {spec_id}) is not bound: a condition gives it the values 0 and 1, and the block \
     %{block} of {function} runs only for others. Bind its bits or values by themselves, as in `{spec_id}: {{bit 3: fp16}}`"
)]
pub struct AnnotationWarning {
    /// The annotations file.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// The SpecId of the constant.
    pub spec_id: u32,
    /// The constant.
    pub constant: String,
    /// The function.
    pub function: String,
    /// The label of a block that runs only for other values.
    pub block: u32,
}

/// The problem with an entry of an annotations file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationProblem {
    /// Two entries disagree about one function.
    #[error(
        "`{key}` of the function {function} contradicts line {other}: let one of the two entries match fewer functions, or make \
         them agree"
    )]
    Contradiction {
        /// The key.
        key: &'static str,
        /// The function.
        function: String,
        /// The line of the other.
        other: usize,
    },
    /// Two conditions are too large to be compared.
    #[error("the conditions of the function {function} here and in line {other} cannot be compared: {error}")]
    Incomparable {
        /// The function.
        function: String,
        /// The line of the other.
        other: usize,
        /// The reason.
        error: ConditionError,
    },
    /// `when` of an entry point.
    #[error(
        "{0} is an entry point, which nothing calls, so `when` has no calls to make conditional: name the functions that it calls"
    )]
    EntryPoint(String),
    /// `when` of a conditional caller.
    #[error(
        "{0} is a conditional caller by its name, and its arguments hold the condition: remove `when`, or rename the function"
    )]
    ConditionalCaller(String),
    /// `otherwise` without `when`.
    #[error(
        "`otherwise` applies where `when` of the function {0} does not hold, but the function has no `when`: add one"
    )]
    NoCondition(String),
    /// `otherwise` names nothing.
    #[error(
        "`otherwise` names `{}`, but no function of the module has that name{}",
        in_one_line(name),
        or_removed(nearest)
    )]
    UnknownFunction {
        /// The name.
        name: String,
        /// Names that look like it.
        nearest: Vec<String>,
    },
    /// `otherwise` names an entry point.
    #[error("`otherwise` names {0}, which is an entry point: entry points cannot be called")]
    OtherwiseEntryPoint(String),
    /// `otherwise` names several functions.
    #[error(
        "`otherwise` names `{}`, which is ambiguous ({}): give more of the name, or the id in quotes",
        in_one_line(name),
        candidates.join(", ")
    )]
    Ambiguous {
        /// The name.
        name: String,
        /// The functions that match it.
        candidates: Vec<String>,
    },
    /// `otherwise` names a function of another type.
    #[error(
        "{otherwise} cannot be called instead of {function}: its type is `{found}`, not `{expected}`; name a function with the \
         same parameters and result"
    )]
    Type {
        /// The function that has the condition.
        function: String,
        /// The type of `function`.
        expected: String,
        /// The function to be called instead.
        otherwise: String,
        /// The type of `otherwise`.
        found: String,
    },
    /// `otherwise` names the function itself.
    #[error(
        "{0} cannot be called instead of itself: name another function, or let the entry match fewer functions"
    )]
    Itself(String),
    /// `otherwise` leads back to the function.
    #[error(
        "{otherwise} cannot be called instead of {function}: it leads back to {function}, so the call would never end"
    )]
    Recursive {
        /// The function that has the condition.
        function: String,
        /// The function to be called instead.
        otherwise: String,
    },
    /// A constant whose type cannot hold a condition.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, cannot be bound to a condition: it must be an OpSpecConstantTrue, an \
         OpSpecConstantFalse, or an OpSpecConstant of an integer type"
    )]
    Constant {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// A constant whose SpecId comes from a decoration group.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, has its SpecId from a decoration group, which is not supported: run \
         `spirv-opt --flatten-decorations` first"
    )]
    Grouped {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// Parts of a constant that is not an integer.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, has no bits or values to bind: it must be an OpSpecConstant of an integer type"
    )]
    NoInteger {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// A part that the type of the constant does not have.
    #[error("`{part}` does not fit the constant with SpecId {spec_id}, an integer of {width} bits")]
    PartOutside {
        /// The part.
        part: String,
        /// The SpecId.
        spec_id: u32,
        /// The width of the constant, in bits.
        width: u32,
    },
    /// Two parts that have bits in common.
    #[error("`{part}` and `{other}` in line {line} have bits in common: bind each bit once")]
    CommonBits {
        /// The part.
        part: String,
        /// The other.
        other: String,
        /// The line of the other.
        line: usize,
    },
    /// Two values of one part whose conditions can hold together.
    #[error(
        "`{part}` and `{other}` in line {line} can both be asked for, since some devices meet both conditions: add to one condition \
         that the other does not hold, or write `allowed:` where the host chooses"
    )]
    BothValues {
        /// The part.
        part: String,
        /// The other.
        other: String,
        /// The line of the other.
        line: usize,
    },
    /// Conditions for all values of a part.
    #[error(
        "`{part}` and the other entries bind all values of these bits, so that none is left for devices without them: leave out one"
    )]
    NoOtherValue {
        /// The part.
        part: String,
    },
    /// An entry that matches nothing in any module.
    #[error("{0}")]
    Unmatched(String),
}

/// Returns the suggestion at the end of a message about an unknown name.
pub(super) fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; did you mean `{}`?", in_one_line(&names.join("` or `"))),
    }
}

/// Returns the end of a message about an unknown function, which a compiler may have removed.
fn or_removed(nearest: &[String]) -> String {
    match nearest {
        [] => ": compilers remove functions that nothing calls, unless an option keeps them (glslang: `--keep-uncalled`)"
            .to_owned(),
        _ => did_you_mean(nearest),
    }
}

/// The subject of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matchable {
    /// Functions.
    Function,
    /// A struct type.
    Type,
    /// A specialization constant.
    SpecConstant,
    /// Functions, parameters and variables.
    Properties,
}

/// An entry that matches nothing in a module. Each must match something in one of the modules of a run, at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmatched {
    /// The position of the entry in the file.
    pub position: Position,
    /// The kind of definition that the entry matches.
    pub what: Matchable,
    /// The name that it gives.
    pub name: String,
    /// Similar names in the module.
    pub nearest: BTreeSet<String>,
}

impl Unmatched {
    /// Keeps the entries, unmatched in some modules, that another module does not match either. The order of the modules does not
    /// matter.
    pub fn retain_common(all: &mut Vec<Unmatched>, other: &[Unmatched]) {
        let other: OrderedMap<Position, &Unmatched> =
            gather(other.iter().map(|entry| (entry.position, entry)));
        all.retain_mut(|entry| {
            let other = other.get(&entry.position);
            entry.nearest.extend(other.into_iter().flat_map(|other| other.nearest.iter().cloned()));
            other.is_some()
        });
    }

    /// Returns the error for an entry that no module matches.
    pub fn error(&self, annotations: &AnnotationsFile) -> AnnotationError {
        let name = in_one_line(&self.name);
        let plain: String = name.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = nearest(&plain, self.nearest.iter().map(String::as_str));
        let hint = did_you_mean(&nearest);
        let message = match self.what {
            Matchable::Function if id(&name).is_some() => {
                format!("no function has the id {name}: `spirv-dis --raw-id` shows the ids")
            }
            Matchable::Function => format!("no function is named `{name}`{hint}"),
            Matchable::Properties => format!("no function, parameter or variable is named `{name}`{hint}"),
            Matchable::Type => format!("no struct type is named `{name}`{hint}"),
            Matchable::SpecConstant if self.nearest.is_empty() => {
                format!("no constant has the SpecId {name}: there are no specialization constants")
            }
            Matchable::SpecConstant => {
                let mut known: Vec<&str> = self.nearest.iter().map(String::as_str).collect();
                sort_by_key(&mut known, |spec_id| spec_id.parse::<u32>().ok());
                format!("no constant has the SpecId {name}; the module has {}", known.join(", "))
            }
        };
        AnnotationError::new(annotations, self.position, AnnotationProblem::Unmatched(message))
    }
}

/// The maximum depth of a described type; a deeper type is shown by its id.
const MAX_DEPTH: usize = 4;
/// The maximum number of described parameters.
const MAX_PARAMETERS: usize = 16;

/// Returns the type of a function: its result, then its parameters.
pub fn function_type(module: &Module, names: &Names, function: u32) -> String {
    let Some(type_) = module.function_type(function) else { return "unknown".to_owned() };
    let mut text = format!("{}(", words(module, names, type_.return_type(), 0));
    let parameters = type_.parameters();
    for (at, &parameter) in parameters.iter().take(MAX_PARAMETERS).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{}", words(module, names, parameter, 0));
    }
    text + if parameters.len() > MAX_PARAMETERS { ", ...)" } else { ")" }
}

fn words(module: &Module, names: &Names, id: u32, depth: usize) -> String {
    let type_words = |id: u32| words(module, names, id, depth + 1);
    let Some(inst) = module.definition(id).filter(|_| depth < MAX_DEPTH) else { return format!("%{id}") };
    match inst.op() {
        Some(Op::TypeVoid) => "void".to_owned(),
        Some(Op::TypeBool) => "bool".to_owned(),
        Some(Op::TypeInt) => {
            let type_ = views::TypeInt(inst);
            format!("{}{}", if type_.signedness() == 1 { "int" } else { "uint" }, type_.width())
        }
        Some(Op::TypeFloat) => views::TypeFloat(inst).to_string(),
        Some(Op::TypeVector) => {
            let vector = views::TypeVector(inst);
            format!("vector of {} {}", vector.component_count(), type_words(vector.component_type()))
        }
        Some(Op::TypeMatrix) => {
            let matrix = views::TypeMatrix(inst);
            format!("matrix of {} {}", matrix.column_count(), type_words(matrix.column_type()))
        }
        Some(Op::TypeArray | Op::TypeRuntimeArray) => {
            format!("array of {}", type_words(views::AnyArray(inst).element_type()))
        }
        Some(Op::TypePointer) => {
            let pointer = views::TypePointer(inst);
            match StorageClass::from_u32(pointer.storage_class()) {
                Some(class) => format!("{class:?} pointer to {}", type_words(pointer.pointee())),
                None => format!("pointer to {}", type_words(pointer.pointee())),
            }
        }
        Some(Op::TypeStruct) => names
            .name(id)
            .map_or_else(|| format!("struct %{id}"), |name| format!("struct {}", in_one_line(&name))),
        _ => format!("{} %{id}", inst.name()),
    }
}
