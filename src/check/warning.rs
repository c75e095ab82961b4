//! What is warned of, in words: those of seed "optional kernel features", and like them.

use std::fmt;

use spirv::Capability;

use crate::analysis::{DeviceRequirement, Size};
use crate::condition::Expr;
use crate::device::{Table, Tables, aspects};

/// A warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is wrong.
    pub problem: Problem,
    /// Where in the source the cause is, as `file:line:column`.
    pub place: Option<String>,
    /// The calls that lead to the cause, from the function that the warning is about (or the kernel that calls it) on; empty
    /// where the cause is no use.
    pub chain: Vec<Step>,
    /// Whether a compiler that writes debug information would have told places: the module has none.
    pub without_places: bool,
}

/// A function on the way to a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The function, demangled, with its parameters or at least parentheses.
    pub function: String,
    /// Where the function before it calls it, as `file:line:column`.
    pub place: Option<String>,
}

/// What is wrong. Functions are named as messages show them; a condition, in text, says when it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A function uses an aspect that it does not list ("New LLVM IR pass to propagate aspect usage").
    NotListed {
        /// The function with `device_has`.
        function: String,
        /// The aspect.
        aspect: u32,
        /// When.
        condition: Option<String>,
    },
    /// An external function uses an aspect that a kernel that calls it does not list ("Error checking for SYCL_EXTERNAL
    /// functions").
    NotExpected {
        /// The external function.
        function: String,
        /// The aspect.
        aspect: u32,
        /// When.
        condition: Option<String>,
    },
    /// A function requires another sub-group size than a kernel that calls it.
    SubGroupSize {
        /// The function.
        function: String,
        /// What it requires.
        size: u32,
    },
    /// A function is meant for other fixed targets than a kernel that calls it.
    FixedTargets {
        /// The function.
        function: String,
    },
    /// Images have copies of a variable that their code shares.
    Copied(Shared),
    /// A fixed target lacks something that a function needs.
    Function {
        /// The function.
        function: String,
        /// What it needs.
        lacks: Lack,
        /// The devices.
        targets: Vec<String>,
        /// When.
        condition: Option<String>,
    },
    /// A fixed target lacks something that the module declares.
    Module {
        /// What it declares.
        declares: Declared,
        /// The devices.
        targets: Vec<String>,
    },
}

/// State that several images need, as they differ in what they require of a device. Displayed, a sentence that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The variable or pipe storage, as messages show it.
    pub name: String,
    /// By image: the entry points and exported functions that use it.
    pub users: Vec<Vec<String>>,
}

/// What a device lacks for a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// An aspect that it uses.
    Aspect(u32),
    /// An aspect that it lists in `device_has`, and does not use.
    Listed(u32),
    /// Capabilities, any one of which would do.
    Capabilities(Vec<Capability>),
    /// Extensions, any one of which would do.
    Extensions(Vec<&'static str>),
    /// A sub-group size.
    SubGroupSize(RequiredSize),
    /// Work-groups that are larger than its limit.
    WorkGroupSize {
        /// The size in each dimension; or only the least number of work-items, where that is what is known.
        size: Vec<u64>,
        /// Whether the host can set another size.
        specializable: bool,
        /// The most work-items that the device supports.
        limit: u32,
    },
}

/// A required size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequiredSize {
    /// The size.
    pub value: u32,
    /// Whether the host can set another one.
    pub specializable: bool,
}

impl Problem {
    /// The problem that a kernel does not declare what a function does that it calls; `None` for what kernels need not declare.
    pub(crate) fn undeclared(
        function: String,
        need: DeviceRequirement,
        when: Option<&Expr>,
    ) -> Option<Problem> {
        match need {
            DeviceRequirement::Aspect(aspect) => {
                let condition = when.map(|when| when.display(&Tables).to_string());
                Some(Problem::NotExpected { function, aspect, condition })
            }
            DeviceRequirement::SubGroupSize(size) => Some(Problem::SubGroupSize { function, size }),
            DeviceRequirement::WorkGroupSize(_) => None,
        }
    }
}

impl From<Size> for RequiredSize {
    fn from(size: Size) -> RequiredSize {
        RequiredSize { value: size.value, specializable: size.specializable }
    }
}

/// What a module declares beside what its functions need.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Declared {
    /// Its SPIR-V version, major and minor.
    Version(u8, u8),
    /// A capability that no function is known to need.
    Capability(u32),
    /// An extension that no function is known to need.
    Extension(String),
}

impl Warning {
    /// What comes after the word `warning: `: the message, and the call chain on lines of its own.
    pub fn text(&self) -> String {
        let mut text = self.problem.to_string();
        if !self.chain.is_empty() {
            text += "\nuse is from this call chain:";
        }
        for step in &self.chain {
            text = text + "\n  " + &step.function;
            if let Some(place) = &step.place {
                text = text + " " + place;
            }
        }
        if self.without_places {
            text += "\ncompile with '-g' to get source location";
        }
        text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::NotListed { function, aspect, condition } => {
                write!(
                    f,
                    "function '{function}' uses aspect '{}' not listed in 'sycl::device_has'",
                    aspect_name(*aspect)
                )?;
                when(condition, f)
            }
            Problem::NotExpected { function, aspect, condition } => {
                write!(
                    f,
                    "function '{function}' uses aspect '{}' not expected by its calling kernel",
                    aspect_name(*aspect)
                )?;
                when(condition, f)?;
                f.write_str(". Missing [[sycl::device_has()]] on SYCL_EXTERNAL function?")
            }
            Problem::SubGroupSize { function, size } => write!(
                f,
                "function '{function}' has required sub-group size '{size}' that does not match its calling kernel. Missing \
                 [[sycl::reqd_sub_group()]] attribute on SYCL_EXTERNAL function?"
            ),
            Problem::FixedTargets { function } => write!(
                f,
                "function '{function}' compiled with a different `-fsycl-fixed-targets` switch than its calling kernel"
            ),
            Problem::Copied(shared) => write!(f, "{shared}; each has a copy of its own"),
            Problem::Function { function, lacks, targets, condition } => {
                write!(f, "function '{function}' {lacks}")?;
                when(condition, f)?;
                let verb = match lacks {
                    Lack::Aspect(_) | Lack::Listed(_) => "have",
                    _ => "support",
                };
                write!(f, ", which {}", lack(targets, verb))?;
                match lacks {
                    Lack::WorkGroupSize { limit, .. } => {
                        write!(f, ": it supports {limit} work-items at most")
                    }
                    _ => Ok(()),
                }
            }
            Problem::Module { declares, targets } => {
                write!(f, "the module {declares}, which {}", lack(targets, "support"))?;
                match declares {
                    Declared::Version(..) => Ok(()),
                    _ => f.write_str("; no function is known to need it"),
                }
            }
        }
    }
}

impl fmt::Display for Shared {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let users: Vec<String> =
            self.users.iter().map(|users| format!("one for {}", quoted(users))).collect();
        write!(
            f,
            "{} is needed in {} images, which differ in what they require of a device: {}",
            self.name,
            users.len(),
            users.join(", ")
        )
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let specialized = |specializable: &bool| match specializable {
            true => " by default",
            false => "",
        };
        match self {
            Lack::Aspect(aspect) => write!(f, "uses aspect '{}'", aspect_name(*aspect)),
            Lack::Listed(aspect) => {
                write!(f, "lists aspect '{}' in 'sycl::device_has'", aspect_name(*aspect))
            }
            Lack::Capabilities(any) => {
                write!(f, "uses capability {}", alternatives(any.iter().map(|any| format!("{any:?}"))))
            }
            Lack::Extensions(any) => {
                write!(f, "uses extension {}", alternatives(any.iter().map(ToString::to_string)))
            }
            Lack::SubGroupSize(RequiredSize { value, specializable }) => {
                write!(f, "has required sub-group size '{value}'{}", specialized(specializable))
            }
            Lack::WorkGroupSize { size, specializable, .. } if size.len() == 1 => {
                write!(
                    f,
                    "requires work-groups of {} work-items or more{}",
                    size[0],
                    specialized(specializable)
                )
            }
            Lack::WorkGroupSize { size, specializable, .. } => {
                let size: Vec<String> = size.iter().map(u64::to_string).collect();
                write!(f, "has required work-group size '{}'{}", size.join(", "), specialized(specializable))
            }
        }
    }
}

impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Declared::Version(major, minor) => write!(f, "is of SPIR-V version '{major}.{minor}'"),
            Declared::Capability(number) => match Table::Capabilities.name(*number) {
                Some(name) => write!(f, "declares capability '{name}'"),
                None => write!(f, "declares capability '{number}'"),
            },
            Declared::Extension(name) => write!(f, "declares extension '{name}'"),
        }
    }
}

fn when(condition: &Option<String>, f: &mut fmt::Formatter) -> fmt::Result {
    match condition {
        Some(condition) => write!(f, " where {condition}"),
        None => Ok(()),
    }
}

fn aspect_name(aspect: u32) -> String {
    aspects::name(aspect).map_or_else(|| aspect.to_string(), str::to_owned)
}

/// `fixed target 'a' does not have`, `fixed targets 'a' and 'b' do not have`.
fn lack(targets: &[String], verb: &str) -> String {
    match targets {
        [_] => format!("fixed target {} does not {verb}", quoted(targets)),
        [] => format!("no fixed target does {verb}"),
        _ => format!("fixed targets {} do not {verb}", quoted(targets)),
    }
}

/// `'a'`, `'a' and 'b'`, `'a', 'b' and 'c'`.
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

fn alternatives(any: impl Iterator<Item = String>) -> String {
    any.map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" or ")
}
