//! Warnings and their messages, in the form of docs/design/optional-kernel-features.md, "New LLVM IR pass to
//! propagate aspect usage".

use std::fmt;

use spirv_if::device::Aspect;
use spirv_if::engine::analysis::{DeviceRequirement, SourceLocation};
use spirv_if::engine::condition::Expr;
use spirv_if::engine::device::unknown::UnknownLeaf;
use spirv_if::engine::device::{DeviceNames, NumberTable};
use spirv_if::error::Missing;

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckWarning {
    /// The problem.
    pub problem: WarningProblem,
    /// The location of the cause in the source.
    pub place: Option<SourceLocation<'static>>,
    /// Result id of the instruction that is the cause, or of the function that contains it; `None` for the
    /// whole module.
    pub id: Option<u32>,
    /// Offset of that instruction in the module, in bytes.
    pub offset: Option<u64>,
    /// The calls from the function of the warning (or the kernel that calls it) to the cause; empty if the
    /// cause is not a use.
    pub chain: Vec<WarningStep>,
    /// True if the module has no debug information that would give source locations.
    pub without_places: bool,
}

/// A function on the call path to a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningStep {
    /// The function, demangled, with its parameters or at least parentheses.
    pub function: String,
    /// Location of the call in the function before it.
    pub place: Option<SourceLocation<'static>>,
}

/// The problem of a warning. Functions are named as messages show them. The problem exists if its condition, given as text, holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WarningProblem {
    /// A function uses an aspect that it does not list (docs/design/optional-kernel-features.md, "New LLVM IR pass to propagate aspect
    /// usage").
    NotListed {
        /// The function with `device_has`.
        function: String,
        /// The aspect.
        aspect: u32,
        /// The condition of the use.
        condition: Option<String>,
    },
    /// An external function uses an aspect, and a kernel that calls it does not list it
    /// (docs/design/optional-kernel-features.md, "Error checking for SYCL_EXTERNAL functions").
    NotExpected {
        /// The external function.
        function: String,
        /// The aspect.
        aspect: u32,
        /// The condition of the use.
        condition: Option<String>,
    },
    /// A function requires another sub-group size than a kernel that calls it.
    SubGroupSize {
        /// The function.
        function: String,
        /// The size.
        size: u32,
    },
    /// A function is meant for other fixed targets than a kernel that calls it.
    FixedTargets {
        /// The function.
        function: String,
    },
    /// A function requires features on every device only for the arguments of a conditional call.
    Preparation {
        /// The function.
        caller: String,
        /// The function that it calls.
        callee: String,
        /// The features.
        features: Vec<String>,
    },
    /// A condition has an aspect, architecture, feature or number that no table has.
    Unknown(UnknownLeaf),
    /// Several images have copies of a variable that their code shares.
    Copied(SharedVariable),
    /// Fixed targets do not meet a requirement of a function.
    Function {
        /// The function.
        function: String,
        /// The requirement.
        requires: Requires,
        /// The devices.
        targets: Vec<String>,
        /// The condition of the requirement.
        condition: Option<String>,
    },
    /// Fixed targets do not support a declaration of the module.
    Module {
        /// The declaration: a version, a capability or an extension.
        missing: Missing,
        /// The devices.
        targets: Vec<String>,
    },
    /// Fixed targets do not meet a requirement in the property sets of the module.
    PropertySets {
        /// The requirement.
        missing: Missing,
        /// The devices.
        targets: Vec<String>,
    },
}

/// A variable with copies in several images, because their requirements differ. It is displayed as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedVariable {
    /// The variable or pipe storage, as messages show it.
    pub name: String,
    /// The entry points and exported functions of each image that use the variable.
    pub users: Vec<Vec<String>>,
}

/// A requirement of a function that a device does not meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requires {
    /// A use of a feature, which any of these would meet.
    Use(Vec<Missing>),
    /// An aspect that is listed in `device_has`, but not used.
    List(Aspect),
    /// A required sub-group size or work-group size.
    Size {
        /// The size.
        missing: Missing,
        /// Dimensions of the work-group; `None` if only the smallest number of work-items is known.
        dimensions: Option<[u32; 3]>,
        /// True if the host can set another size.
        specializable: bool,
    },
}

impl WarningProblem {
    /// Returns the name of the problem's kind in the formats of other programs.
    pub fn rule(&self) -> &'static str {
        match self {
            WarningProblem::NotListed { .. } => "unlisted-aspect",
            WarningProblem::NotExpected { .. } => "unexpected-aspect",
            WarningProblem::SubGroupSize { .. } => "sub-group-size",
            WarningProblem::FixedTargets { .. } => "other-fixed-targets",
            WarningProblem::Preparation { .. } => "unconditional-preparation",
            WarningProblem::Unknown(_) => "unknown-feature",
            WarningProblem::Copied(_) => "copied-variable",
            WarningProblem::Function { .. } => "missing-on-fixed-target",
            WarningProblem::Module { .. } | WarningProblem::PropertySets { .. } => "declared-not-supported",
        }
    }

    /// Returns the beginning of the message that differs for other functions with the same cause; empty if there are none.
    pub fn subject(&self) -> String {
        match self {
            WarningProblem::Function { function, .. } => format!("function '{function}'"),
            _ => String::new(),
        }
    }

    /// Returns the devices that have the problem; empty for a problem of the module alone.
    pub fn devices(&self) -> &[String] {
        match self {
            WarningProblem::Function { targets, .. }
            | WarningProblem::Module { targets, .. }
            | WarningProblem::PropertySets { targets, .. } => targets,
            _ => &[],
        }
    }

    /// Returns the problem by itself: it depends neither on the [subject](WarningProblem::subject) nor on the devices.
    pub fn cause(&self) -> String {
        match self {
            WarningProblem::Function { requires, condition: Some(condition), .. } => {
                format!("{requires} where {condition}")
            }
            WarningProblem::Function { requires, condition: None, .. } => requires.to_string(),
            WarningProblem::Module { missing, .. } | WarningProblem::PropertySets { missing, .. } => {
                missing.name()
            }
            // The others have no subject.
            problem => problem.to_string(),
        }
    }

    /// Returns the problem of a kernel that does not declare a requirement of a called function; `None` for
    /// requirements that kernels need not declare.
    pub(crate) fn undeclared(
        function: String,
        need: DeviceRequirement,
        when: Option<&Expr>,
    ) -> Option<WarningProblem> {
        match need {
            DeviceRequirement::Aspect(aspect) => {
                let condition = when.map(|when| when.display(&DeviceNames).to_string());
                Some(WarningProblem::NotExpected { function, aspect, condition })
            }
            DeviceRequirement::SubGroupSize(size) => Some(WarningProblem::SubGroupSize { function, size }),
            DeviceRequirement::WorkGroupSize(_) => None,
        }
    }
}

impl CheckWarning {
    /// Returns the text after the word `warning: `: the message, then the lines of the call chain.
    pub fn text(&self) -> String {
        let mut text = self.problem.to_string();
        if !self.chain.is_empty() {
            text += "\nuse is from this call chain:";
        }
        for step in &self.chain {
            text = text + "\n  " + &step.function;
            if let Some(place) = &step.place {
                text = format!("{text} {place}");
            }
        }
        if self.without_places {
            text += "\ncompile with '-g' to get source location";
        }
        text
    }
}

impl fmt::Display for WarningProblem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WarningProblem::NotListed { function, aspect, condition } => {
                write!(
                    f,
                    "function '{function}' uses aspect '{}' not listed in 'sycl::device_has'",
                    Aspect(*aspect)
                )?;
                write_condition(condition, f)
            }
            WarningProblem::NotExpected { function, aspect, condition } => {
                write!(
                    f,
                    "function '{function}' uses aspect '{}' not expected by its calling kernel",
                    Aspect(*aspect)
                )?;
                write_condition(condition, f)?;
                f.write_str(".\nMissing [[sycl::device_has()]] on SYCL_EXTERNAL function?")
            }
            WarningProblem::SubGroupSize { function, size } => write!(
                f,
                "function '{function}' has required sub-group size '{size}' that does not match\nits calling kernel.  Missing \
                 [[sycl::reqd_sub_group()]] attribute on\nSYCL_EXTERNAL function?"
            ),
            WarningProblem::FixedTargets { function } => write!(
                f,
                "function '{function}' compiled with a different `-fsycl-fixed-targets` switch\nthan its calling kernel."
            ),
            WarningProblem::Preparation { caller, callee, features } => write!(
                f,
                "function '{caller}' requires {} on every device, only for an argument of '{callee}', which it calls under a condition. \
                 Compute the argument right before the call, or in '{callee}'",
                quoted(features)
            ),
            WarningProblem::Unknown(leaf) => write!(f, "{leaf}"),
            WarningProblem::Copied(shared) => write!(f, "{shared}; each has a copy of its own"),
            WarningProblem::Function { function, requires, targets, condition } => {
                write!(f, "function '{function}' {requires}")?;
                write_condition(condition, f)?;
                write!(f, ", which {}", targets_clause(targets, requires.verb()))?;
                match requires {
                    Requires::Size { missing: Missing::WorkGroupSize { limit: Some(limit), .. }, .. } => {
                        write!(f, ": it supports at most {limit} work-items")
                    }
                    _ => Ok(()),
                }
            }
            WarningProblem::Module { missing: Missing::DriverDefect { driver }, targets } => {
                let names = quoted(targets);
                let has = if targets.len() == 1 { "has" } else { "have" };
                write!(
                    f,
                    "the compiler of the driver '{driver}', which {names} {has}, is known to crash at code of the module"
                )
            }
            WarningProblem::Module { missing, targets } => {
                let targets = targets_clause(targets, "support");
                match missing {
                    Missing::Version(version) => {
                        write!(f, "the module is of SPIR-V version '{version}', which {targets}")
                    }
                    missing => {
                        let (kind, name) = (missing_kind(missing), missing_name(missing));
                        let unused = "no function is known to require it";
                        write!(f, "the module declares {kind} '{name}', which {targets}; {unused}")
                    }
                }
            }
            WarningProblem::PropertySets { missing, targets } => {
                let targets = targets_clause(targets, "meet");
                write!(f, "the property sets of the module require {}, which {targets}", in_words(missing))
            }
        }
    }
}

impl fmt::Display for SharedVariable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let users: Vec<String> =
            self.users.iter().map(|users| format!("one for {}", quoted(users))).collect();
        write!(
            f,
            "{} is used in {} images, which have different device requirements: {}",
            self.name,
            users.len(),
            users.join(", ")
        )
    }
}

impl Requires {
    /// Returns the name of the feature, as tables show it; `None` for alternatives.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Requires::Use(any) => match &any[..] {
                [missing] => Some(missing.name()),
                _ => None,
            },
            Requires::List(aspect) => Some(Missing::Aspect(*aspect).name()),
            Requires::Size { missing, .. } => Some(missing.name()),
        }
    }

    fn verb(&self) -> &'static str {
        match self {
            Requires::Use(any) if any.iter().all(|missing| !matches!(missing, Missing::Aspect(_))) => {
                "support"
            }
            Requires::Use(_) | Requires::List(_) => "have",
            Requires::Size { .. } => "support",
        }
    }
}

impl fmt::Display for Requires {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Requires::Use(any) => {
                let names: Vec<String> =
                    any.iter().map(|missing| format!("'{}'", missing_name(missing))).collect();
                write!(f, "uses {} {}", any.first().map_or("feature", missing_kind), names.join(" or "))
            }
            Requires::List(aspect) => write!(f, "lists aspect '{aspect}' in 'sycl::device_has'"),
            Requires::Size { missing, dimensions, specializable } => {
                match (missing, dimensions) {
                    (_, Some([x, y, z])) => write!(f, "has required work-group size '{x}, {y}, {z}'")?,
                    (Missing::SubGroupSize { size, .. }, None) => {
                        write!(f, "has required sub-group size '{size}'")?;
                    }
                    (Missing::WorkGroupSize { size, .. }, None) => {
                        write!(f, "requires work-groups of at least {size} work-items")?;
                    }
                    (missing, None) => write!(f, "requires {}", missing.name())?,
                }
                f.write_str(if *specializable { " by default" } else { "" })
            }
        }
    }
}

/// Returns the word for the kind of a missing feature.
fn missing_kind(missing: &Missing) -> &'static str {
    match missing {
        Missing::Capability(_) => "capability",
        Missing::Extension(_) => "extension",
        Missing::Aspect(_) => "aspect",
        _ => "feature",
    }
}

/// Returns a requirement of property sets, after the word `require`.
fn in_words(missing: &Missing) -> String {
    match missing {
        Missing::FixedTargets(targets) if targets.is_empty() => "a common target".to_owned(),
        Missing::FixedTargets(targets) if targets.len() == 1 => format!("the target {}", quoted(targets)),
        Missing::FixedTargets(targets) => format!("one of the targets {}", quoted(targets)),
        Missing::Condition(condition) => format!("the condition '{condition}'"),
        Missing::Aspect(aspect) => format!("the aspect '{aspect}'"),
        missing => format!("the {}", missing.name()),
    }
}

/// Returns the name of a missing feature, without a word for its kind.
fn missing_name(missing: &Missing) -> String {
    match missing {
        Missing::Capability(capability) => NumberTable::Capabilities
            .name(capability.0)
            .map_or_else(|| capability.0.to_string(), str::to_owned),
        Missing::Aspect(aspect) => aspect.to_string(),
        missing => missing.name(),
    }
}

fn write_condition(condition: &Option<String>, f: &mut fmt::Formatter) -> fmt::Result {
    match condition {
        Some(condition) => write!(f, " where {condition}"),
        None => Ok(()),
    }
}

/// Returns a phrase such as `fixed target 'a' does not have`, or `fixed targets 'a' and 'b' do not have`.
fn targets_clause(targets: &[String], verb: &str) -> String {
    match targets {
        [_] => format!("fixed target {} does not {verb}", quoted(targets)),
        [] => format!("no fixed target does {verb}"),
        _ => format!("fixed targets {} do not {verb}", quoted(targets)),
    }
}

/// Returns a list such as `'a'`, `'a' and 'b'`, or `'a', 'b' and 'c'`.
fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match &quoted[..] {
        [first @ .., before, last] => {
            let first: String = first.iter().map(|name| format!("{name}, ")).collect();
            format!("{first}{before} and {last}")
        }
        _ => quoted.concat(),
    }
}
