//! A random program as a tree of statements. Any statement can be removed: the rest is a program, too. Expressions are text with the same meaning
//! in all languages, with macros for the differences: those of [`LIKE_C`], and the names and conversions of each.

use std::collections::BTreeSet;

use spirv::Capability;

use super::values::{Constant, Type};

/// Macros of languages with the syntax of C.
pub const LIKE_C: &str = "\
#define VAR(of, name) of name
#define SELECT(condition, one, other) ((condition) ? (one) : (other))
#define SHIFT(x) (x)
#define ALSO : case
#define ALSO_DEFAULT : default
#define END_CASE break;
#define NO_DEFAULT
#define DO do
#define END_DO(condition) } while (condition);
";

/// A statement: text, and blocks of other statements in it.
pub struct Statement {
    /// Number of the place in the program; statements inside of it follow.
    pub number: u32,
    pub parts: Vec<Part>,
}

pub enum Part {
    Text(String),
    Block(Vec<Statement>),
}

/// The numbers of the removed statements.
pub type LeftOut = BTreeSet<u32>;

/// A function beside the entry point.
pub struct Function {
    /// None if it returns nothing, as functions that are not always called.
    pub result: Option<Type>,
    pub name: String,
    /// Type, name, and true if the caller sees the function's writes to it.
    pub parameters: Vec<(Type, String, bool)>,
    pub prologue: Vec<String>,
    pub body: Vec<Statement>,
    /// The last statement.
    pub end: String,
    /// An optional feature that only it and its like use.
    pub feature: Option<Feature>,
    /// The features that a device has, or does not have, if calls of it happen. Without features, all calls happen.
    pub condition: Vec<(Feature, bool)>,
}

pub struct Program {
    pub constants: Vec<Constant>,
    /// Constants that are expressions of those: type, name and expression.
    pub derived: Vec<(Type, String, String)>,
    pub functions: Vec<Function>,
    pub prologue: Vec<String>,
    pub body: Vec<Statement>,
    pub epilogue: Vec<String>,
    /// The constant that is the number of invocations in a work-group, if one is.
    pub size: Option<u32>,
    /// The features that are used with any constants.
    pub needed: BTreeSet<Feature>,
    /// True if the source marks code for some devices.
    pub is_conditional: bool,
    /// The number of statements.
    pub statements: u32,
}

/// A feature that only some devices have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    Float16,
    Float64,
    Int16,
    Int64,
}

impl Feature {
    pub const ALL: [Feature; 4] = [Feature::Float16, Feature::Float64, Feature::Int16, Feature::Int64];

    pub fn capability(self) -> Capability {
        match self {
            Feature::Float16 => Capability::Float16,
            Feature::Float64 => Capability::Float64,
            Feature::Int16 => Capability::Int16,
            Feature::Int64 => Capability::Int64,
        }
    }

    /// Returns its name in headers: that of an aspect or of a capability.
    pub fn name(self) -> &'static str {
        match self {
            Feature::Float16 => "fp16",
            Feature::Float64 => "fp64",
            Feature::Int16 => "Int16",
            Feature::Int64 => "Int64",
        }
    }

    /// The condition that a device has it.
    pub fn condition(self) -> &'static str {
        match self {
            Feature::Float16 => "fp16",
            Feature::Float64 => "fp64",
            Feature::Int16 => "cap(Int16)",
            Feature::Int64 => "cap(Int64)",
        }
    }
}

impl Program {
    /// Returns the functions that a body calls, directly or not, each before its callers.
    pub fn called(&self, main: &str, left_out: &LeftOut) -> Vec<(&Function, String)> {
        let mut called: Vec<(&Function, String)> = Vec::new();
        for function in self.functions.iter().rev() {
            let call = format!("{}(", function.name);
            let is_in = |lines: &[String]| lines.iter().any(|line| line.contains(&call));
            if main.contains(&call)
                || called.iter().any(|(caller, body)| body.contains(&call) || is_in(&caller.prologue))
            {
                called.insert(0, (function, block(&function.body, left_out, 1)));
            }
        }
        called
    }
}

/// The text of a block.
pub fn block(statements: &[Statement], left_out: &LeftOut, depth: usize) -> String {
    let kept = statements.iter().filter(|statement| !left_out.contains(&statement.number));
    kept.map(|statement| text(statement, left_out, depth)).collect()
}

fn text(statement: &Statement, left_out: &LeftOut, depth: usize) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => format!("{}{text}\n", "    ".repeat(depth)),
        Part::Block(inner) => block(inner, left_out, depth + 1),
    };
    statement.parts.iter().map(part).collect()
}
