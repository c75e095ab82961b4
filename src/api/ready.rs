//! Ready shaders: all results of a shader, decided when the application is built. Loading is then a table look-up and a copy, without this
//! library.
//!
//! [`ReadyShader::new`] asks for the variants of a shader everything that their conditions ask, and specializes for each combination of
//! answers that makes a difference. The package `spirv-if-bundle` stores the results, and reads them again.
//!
//! ```
//! use spirv_if::ready::{ReadyShader, ReadyVariant};
//! use spirv_if::{Module, PackOptions, Prepared, Settings};
//! let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
//! let packed = spirv_if::pack(&Module::from_bytes(&bytes)?, &PackOptions::default())?;
//! let module = Module::from_words(&packed.words)?;
//! let prepared = Prepared::new(&module)?;
//! let shader = ReadyShader::new(&[ReadyVariant::new(&prepared, Settings::new())], 256)?;
//! assert!(!shader.nodes.is_empty() && shader.results.len() > 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;
use std::fmt;

use super::condition::Condition;
use super::error::Error;
use super::ids::SpecConstant;
use super::interface::Interface;
use super::module::Module;
use super::specialize::{Prepared, Settings, SpecValue};
use crate::analysis::requirements::{is_of_kernels, is_of_shaders};
use crate::collections::gather;
use crate::condition::Expr;
use crate::device::{Api, Device};
use crate::pipelines::ready::{
    AllResults, DiagramEnd, DiagramQuestion, Obstacle, VariantToDecide, all_results, decide_module,
    leaves_to_decide,
};

/// A variant of a shader.
#[derive(Debug)]
#[must_use]
pub struct ReadyVariant<'v, 'm> {
    prepared: &'v Prepared<'m>,
    settings: Settings,
    condition: Option<Condition>,
    constants: Vec<ChosenConstant>,
}

/// A constant that the host gives one of several values.
#[derive(Debug)]
struct ChosenConstant {
    constant: SpecConstant,
    name: String,
    values: Vec<(String, SpecValue)>,
}

impl<'v, 'm> ReadyVariant<'v, 'm> {
    /// Creates the variant for all remaining devices. Settings have the values of fixed constants, and changes to results.
    pub fn new(prepared: &'v Prepared<'m>, settings: Settings) -> ReadyVariant<'v, 'm> {
        ReadyVariant { prepared, settings, condition: None, constants: Vec::new() }
    }

    /// Sets the condition on devices.
    pub fn condition(mut self, condition: Condition) -> ReadyVariant<'v, 'm> {
        self.condition = Some(condition);
        self
    }

    /// Makes a question of each of the values that the host may give a constant: by its name or SpecId, and by texts of values. Other values
    /// have no result.
    ///
    /// # Errors
    /// If a value does not have the type of the constant.
    pub fn constant(
        mut self,
        name: &str,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<ReadyVariant<'v, 'm>, Error> {
        let constant: SpecConstant = name.parse()?;
        let value =
            |text: String| Ok::<_, Error>((text.clone(), self.prepared.parse_value(&constant, &text)?));
        let values = values.into_iter().map(Into::into).map(value).collect::<Result<Vec<_>, _>>()?;
        self.constants.push(ChosenConstant { constant, name: name.to_owned(), values });
        Ok(self)
    }
}

/// A question about a device or about a decision of the host. It is displayed as in a bundle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReadyQuestion {
    /// The device fulfills the condition, which is a leaf.
    Condition(Condition),
    /// The host gives the constant of a name or a SpecId a value.
    Constant {
        /// The name or SpecId.
        constant: String,
        /// The value, as text.
        value: String,
    },
}

impl fmt::Display for ReadyQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadyQuestion::Condition(condition) => condition.fmt(f),
            ReadyQuestion::Constant { constant, value } => write!(f, "{constant} == {value}"),
        }
    }
}

/// The end of an edge of a decision diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ReadyEnd {
    /// The node of this number, which is greater than that of the node with the edge.
    Node(usize),
    /// The result of this number.
    Result(usize),
    /// Nothing: no variant is for the device.
    Nothing,
}

/// A node of a decision diagram. Ways begin at the first one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ReadyNode {
    /// The question.
    pub question: ReadyQuestion,
    /// The way if the answer is no.
    pub no: ReadyEnd,
    /// The way if the answer is yes.
    pub yes: ReadyEnd,
}

/// A result of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadyResult {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The requirements of the whole result ([`Condition::is_met_by`]).
    pub requirements: Vec<Condition>,
    /// The requirements of each of several entry points: a device must meet those of one of them. Empty if no entry point has requirements of
    /// its own.
    pub of_entry_points: Vec<Vec<Condition>>,
    /// The bindings that variants of the shader have and the result does not have: descriptor set and number.
    pub removed_bindings: Vec<(u32, u32)>,
}

/// A shader with all of its results.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadyShader {
    /// The decision diagram. Without nodes, the only result is for all devices.
    pub nodes: Vec<ReadyNode>,
    /// The results.
    pub results: Vec<ReadyResult>,
    /// True if the shader has kernels: it declares Kernel.
    pub has_kernels: bool,
    /// True if it declares Shader.
    pub has_shaders: bool,
}

/// The reason for which a shader cannot be ready.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadyError {
    /// Limit on results, which the shader exceeds.
    #[error("it has more results than {max_results}, by the answers to {}", .questions.join(", "))]
    TooManyResults {
        /// The limit.
        max_results: usize,
        /// The questions.
        questions: Vec<String>,
    },
    /// Dependence of results on more than questions, in words.
    #[error("{0}")]
    Undecided(String),
    /// Specializing fails for some answers.
    #[error(transparent)]
    Failed(Box<Error>),
}

impl From<Error> for ReadyError {
    fn from(error: Error) -> ReadyError {
        ReadyError::Failed(Box::new(error))
    }
}

impl ReadyShader {
    /// Finds all results of a shader, of which each device gets the first variant whose condition holds.
    ///
    /// # Errors
    /// See [`ReadyError`].
    pub fn new(variants: &[ReadyVariant], max_results: usize) -> Result<ReadyShader, ReadyError> {
        let failed = |obstacle: Obstacle| match obstacle {
            Obstacle::TooMany(questions) => ReadyError::TooManyResults {
                max_results,
                questions: questions.into_iter().map(|question| question_of(question).to_string()).collect(),
            },
            Obstacle::Undecided(reason) => ReadyError::Undecided(reason),
            Obstacle::Failed(error) => ReadyError::Failed(Box::new(error.into())),
        };
        let mut to_decide = Vec::with_capacity(variants.len());
        let mut kinds = BTreeSet::new();
        let mut bindings = BTreeSet::new();
        for variant in variants {
            let constants = variant.constants.iter();
            let texts =
                |constant: &ChosenConstant| constant.values.iter().map(|(text, _)| text.clone()).collect();
            let leaves = variant.prepared.with(|prepared| {
                let module = prepared.analyses.module();
                kinds.insert((is_of_kernels(module), is_of_shaders(module)));
                bindings.extend(bindings_of(prepared.module));
                leaves_to_decide(&prepared.analyses, &prepared.properties)
            });
            to_decide.push(VariantToDecide {
                condition: variant.condition.clone().map(|condition| condition.expr),
                constants: constants.map(|constant| (constant.name.clone(), texts(constant))).collect(),
                leaves: leaves.map_err(failed)?,
            });
        }
        let (1, Some((has_kernels, has_shaders))) = (kinds.len(), kinds.pop_first()) else {
            return Err(ReadyError::Undecided("its variants are for different APIs".to_owned()));
        };
        let AllResults { root, nodes, results } = all_results(
            &to_decide,
            Api::from_kinds(has_kernels, has_shaders),
            max_results,
            &|number, values, answers| {
                let variant = &variants[number];
                let mut settings = variant.settings.clone();
                for (constant, &value) in variant.constants.iter().zip(values) {
                    settings = settings.set(constant.constant.clone(), constant.values[value].1);
                }
                variant.prepared.with(|prepared| {
                    decide_module(&prepared.analyses, &prepared.properties, &settings.request, answers)
                })
            },
        )
        .map_err(failed)?;
        if root == DiagramEnd::Nothing {
            return Err(ReadyError::Undecided("none of its variants is for any device".to_owned()));
        }
        let nodes = nodes.into_iter().map(|node| ReadyNode {
            question: question_of(node.question),
            no: end_of(node.no),
            yes: end_of(node.yes),
        });
        let nodes = nodes.collect();
        let mut all = Vec::with_capacity(results.len());
        for result in results {
            let kept: BTreeSet<(u32, u32)> = gather(bindings_of(&Module::from_words(&result.words[..])?));
            let mut parts = result.requirements.into_iter().map(conditions);
            all.push(ReadyResult {
                requirements: parts.next().unwrap_or_default(),
                of_entry_points: parts.collect(),
                removed_bindings: bindings.difference(&kept).copied().collect(),
                words: Module::result(result.words),
            });
        }
        Ok(ReadyShader { nodes, results: all, has_kernels, has_shaders })
    }
}

fn conditions(requirements: Vec<Expr>) -> Vec<Condition> {
    requirements.into_iter().map(Condition::new).collect()
}

fn bindings_of(module: &Module) -> impl Iterator<Item = (u32, u32)> {
    Interface::new(module).bindings.into_iter().map(|binding| (binding.set, binding.binding))
}

fn question_of(question: DiagramQuestion) -> ReadyQuestion {
    match question {
        DiagramQuestion::Leaf(leaf) => ReadyQuestion::Condition(Condition::new(leaf.into())),
        DiagramQuestion::Constant(constant, value) => ReadyQuestion::Constant { constant, value },
    }
}

fn end_of(end: DiagramEnd) -> ReadyEnd {
    match end {
        DiagramEnd::Node(number) => ReadyEnd::Node(number),
        DiagramEnd::Result(number) => ReadyEnd::Result(number),
        DiagramEnd::Nothing => ReadyEnd::Nothing,
    }
}

impl Condition {
    /// Returns true if a device meets the condition as a requirement of code: it supports each feature that the condition names. False if it
    /// does not; `None` if that is not known. `in_kernels` is true for modules that declare Kernel.
    ///
    /// Where a device does not list a feature, [`evaluate`](Condition::evaluate) takes it not to have the feature, since a fallback exists. A
    /// requirement has none.
    #[must_use]
    pub fn is_met_by(&self, device: &Device, in_kernels: bool) -> Option<bool> {
        device.meets(&self.expr, in_kernels)
    }
}
