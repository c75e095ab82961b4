//! All results of a shader: a decision diagram over the questions that its conditions ask, and the module at the end of each way.
//!
//! A way begins without answers. Where variants, constants or conditions are undecided, one question is asked, and both ways go on, with the
//! answers that follow from those before on every device ([`Implications`]). Each result is what [`specialize_for`](fn@specialize_for) makes for a device of which only the answers of its way are known, so that the features that the
//! device may or may not have are the requirements of the result. Equal results, and then nodes with equal children, are one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::resolve::{leaves_of_conditions, leaves_of_requirements};
use super::{ModuleProperties, PipelineError, SpecializeRequest, specialize_for};
use crate::analysis::conditions::device_constants::{condition_of_constant, on_device};
use crate::analysis::{Analyses, has_matrix_types};
use crate::compatibility::{Missing, requirements_of_drivers};
use crate::condition::{Conditions, Expr, Leaf};
use crate::device::implications::Implications;
use crate::device::{Api, Device};
use crate::loader::{Instruction, Module};
use crate::metadata::property_sets::Variants;

/// Limit on the questions of one way.
const MAX_QUESTIONS: usize = 256;
/// Limit on the nodes of a diagram.
const MAX_NODES: usize = 4096;
/// The number of modules that are made for each result, at most.
const MODULES_PER_RESULT: usize = 16;

/// A question that a decision diagram asks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiagramQuestion {
    /// The value of a leaf of conditions.
    Leaf(Leaf),
    /// A constant, by its name or SpecId, has a value: both as the caller writes them.
    Constant(String, String),
}

/// The end of an edge of a decision diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramEnd {
    /// The node of a number.
    Node(usize),
    /// The result of a number.
    Result(usize),
    /// No variant.
    Nothing,
}

/// A node of a decision diagram. Nodes come before the nodes that they lead to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DiagramNode {
    pub question: DiagramQuestion,
    pub no: DiagramEnd,
    pub yes: DiagramEnd,
}

/// The module of a way, and what it requires of a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WayResult {
    pub words: Vec<u32>,
    /// The requirements of the whole module, then those of each of several entry points.
    pub requirements: Vec<Vec<Expr>>,
}

/// All results of a shader.
#[derive(Clone, Debug)]
pub struct AllResults {
    /// The beginning of all ways.
    pub root: DiagramEnd,
    pub nodes: Vec<DiagramNode>,
    pub results: Vec<WayResult>,
}

/// The reason for which a shader has no list of all results.
#[derive(Debug)]
pub enum Obstacle {
    /// Limit on results, or on ways to them. Contains the questions.
    TooMany(BTreeSet<DiagramQuestion>),
    /// Something is decided otherwise than by questions, in words.
    Undecided(String),
    /// Specializing fails for some answers.
    Failed(PipelineError),
}

impl From<PipelineError> for Obstacle {
    fn from(error: PipelineError) -> Obstacle {
        Obstacle::Failed(error)
    }
}

/// A variant of a shader.
#[derive(Clone, Debug)]
pub struct VariantToDecide {
    /// The condition; `None` for all remaining devices.
    pub condition: Option<Expr>,
    /// The names of constants that the host gives one of several values, and the texts of the values.
    pub constants: Vec<(String, Vec<String>)>,
    /// The leaves that its module depends on.
    pub leaves: BTreeSet<Leaf>,
}

/// The module of a variant with some answers.
#[derive(Debug)]
pub enum WayOutcome {
    /// Conditions are open. This leaf decides more.
    Open(Leaf),
    /// The module.
    Module(WayResult),
    /// A condition of the whole module does not hold.
    Nothing,
}

/// Returns the leaves that the results of a module depend on.
///
/// # Errors
/// If it depends on more.
pub fn leaves_to_decide(
    analyses: &Analyses,
    properties: &ModuleProperties,
) -> Result<BTreeSet<Leaf>, Obstacle> {
    if has_matrix_types(analyses.module()) {
        return Err(Obstacle::Undecided("combinations of cooperative matrices are compared".to_owned()));
    }
    let mut leaves = leaves_of_conditions(analyses, &properties.sets)?;
    leaves.extend(leaves_of_requirements(&properties.sets)?);
    let module = analyses.module();
    for &offset in &analyses.multi_target().map_err(PipelineError::from)?.device_constants {
        let condition = condition_of_device_constant(&module.instruction(offset));
        let unwritten = || Obstacle::Undecided("no condition says what a device constant does".to_owned());
        leaves.extend(condition.ok_or_else(unwritten)?.leaves());
    }
    Ok(leaves)
}

/// Decides a module with the answers of a way.
///
/// # Errors
/// If the module cannot be specialized, or something else than leaves decides it.
pub fn decide_module(
    analyses: &Analyses,
    properties: &ModuleProperties,
    request: &SpecializeRequest,
    answers: &BTreeMap<Leaf, bool>,
) -> Result<WayOutcome, Obstacle> {
    let device = Device::with_answers(answers.clone());
    let result = match specialize_for(analyses, properties, &[&device], request) {
        Ok(result) => result,
        Err(PipelineError::Open(open)) => {
            let constants = open.device_constants.iter().filter_map(|&id| analyses.module().definition(id));
            let of_device: Vec<Expr> =
                constants.filter_map(|inst| condition_of_device_constant(&inst)).collect();
            let leaves = undecided_leaves(open.spec_ids.values().flatten().chain(&of_device), answers)?;
            let Some(&leaf) = leaves.first() else {
                let constants: Vec<String> = open.spec_ids.keys().map(u32::to_string).collect();
                return Err(Obstacle::Undecided(format!(
                    "conditions depend on constants of the host: name their values for SpecId {}",
                    constants.join(", ")
                )));
            };
            return Ok(WayOutcome::Open(leaf));
        }
        Err(PipelineError::Refused(refused)) => {
            let is_condition =
                |missing: &Missing| matches!(missing, Missing::Condition(_) | Missing::FixedTargets(_));
            return match refused.missing.iter().all(is_condition) {
                true => Ok(WayOutcome::Nothing),
                false => Err(PipelineError::Refused(refused).into()),
            };
        }
        Err(error) => return Err(error.into()),
    };
    let constants = properties.constants()?;
    let still_open = constants.leaves().filter(|(spec_id, _)| result.report.open.contains(spec_id));
    let mut conditions: Vec<Expr> = still_open.map(|(_, leaf)| leaf.into()).collect();
    conditions.extend(conditions_of_properties(properties)?);
    let unknown = result.unknown.iter().map(|(_, condition)| condition);
    if let Some(&leaf) = undecided_leaves(conditions.iter().chain(unknown), answers)?.first() {
        return Ok(WayOutcome::Open(leaf));
    }
    let mut requirements = Vec::new();
    for part in &result.not_known_by_part {
        let written = part.iter().map(|missing| {
            let unwritten = || Obstacle::Undecided(format!("no condition says '{}'", missing.name()));
            missing.requirement().ok_or_else(unwritten)
        });
        requirements.push(written.collect::<Result<Vec<_>, _>>()?);
    }
    let words = result.words.into_owned();
    requirements.resize_with(requirements.len().max(1), Vec::new);
    requirements[0]
        .extend(requirements_of_drivers(&Module::from_words(&words[..]).map_err(PipelineError::from)?));
    Ok(WayOutcome::Module(WayResult { words, requirements: simplified(requirements) }))
}

/// Returns the condition of a device constant; `None` if leaves cannot express it.
fn condition_of_device_constant(inst: &Instruction) -> Option<Expr> {
    condition_of_constant(*inst).map(on_device)
}

/// Joins the requirements of a single entry point with those of the whole module.
fn simplified(mut requirements: Vec<Vec<Expr>>) -> Vec<Vec<Expr>> {
    let of_entry_points = requirements.split_off(1);
    match &of_entry_points[..] {
        [only] => {
            let whole = requirements[0].clone();
            requirements[0].extend(only.iter().filter(|required| !whole.contains(required)).cloned());
        }
        several if several.iter().all(Vec::is_empty) => {}
        _ => requirements.extend(of_entry_points),
    }
    requirements
}

/// Returns the conditions in the properties of a module that decide its form, or what it requires.
fn conditions_of_properties(properties: &ModuleProperties) -> Result<Vec<Expr>, PipelineError> {
    let leaves = leaves_of_requirements(&properties.sets)?;
    let mut conditions: Vec<Expr> = leaves.into_iter().map(Expr::from).collect();
    for variant in Variants::from_properties(&properties.sets)?.unwrap_or_default().all {
        conditions.extend(variant.condition.as_deref().map(Expr::from_series).transpose()?);
    }
    Ok(conditions)
}

/// Returns the leaves of conditions that answers do not decide.
fn undecided_leaves<'e>(
    conditions: impl IntoIterator<Item = &'e Expr>,
    answers: &BTreeMap<Leaf, bool>,
) -> Result<BTreeSet<Leaf>, PipelineError> {
    let mut leaves = BTreeSet::new();
    for condition in conditions {
        let mut arena = Conditions::new();
        let condition = arena.of_expr(condition)?;
        let rest = arena.restrict(condition, &|leaf| answers.get(&leaf).copied())?;
        leaves.extend(arena.leaves(rest));
    }
    Ok(leaves)
}

/// Decides the module of a variant, by its number, with the numbers of the values of its constants and with answers.
type Decide<'d> = dyn Fn(usize, &[usize], &BTreeMap<Leaf, bool>) -> Result<WayOutcome, Obstacle> + 'd;

/// Finds all results of a shader for an API; `None` for any.
///
/// # Errors
/// If there are more than `max_results`, or see [`decide_module`].
pub fn all_results(
    variants: &[VariantToDecide],
    api: Option<Api>,
    max_results: usize,
    decide: &Decide,
) -> Result<AllResults, Obstacle> {
    let mut leaves = BTreeSet::new();
    for variant in variants {
        leaves.extend(
            variant
                .leaves
                .iter()
                .chain(variant.condition.iter().flat_map(Expr::leaves).collect::<Vec<_>>().iter()),
        );
    }
    let mut diagram = DiagramBuilder {
        variants,
        decide,
        max_results: max_results.max(1),
        implications: Implications::new(&leaves, api),
        asked: BTreeSet::new(),
        decided: 0,
        nodes: Vec::new(),
        node_numbers: HashMap::new(),
        results: Vec::new(),
        result_numbers: HashMap::new(),
    };
    let root = diagram.variant(&Answers::default())?;
    let mut results = AllResults { root, nodes: diagram.nodes, results: diagram.results };
    results.sort();
    Ok(results)
}

impl AllResults {
    /// Brings nodes before the nodes that they lead to.
    fn sort(&mut self) {
        let last = self.nodes.len().wrapping_sub(1);
        let moved = |end: DiagramEnd| match end {
            DiagramEnd::Node(number) => DiagramEnd::Node(last - number),
            end => end,
        };
        self.root = moved(self.root);
        self.nodes.reverse();
        for node in &mut self.nodes {
            (node.no, node.yes) = (moved(node.no), moved(node.yes));
        }
    }
}

/// The answers of a way.
#[derive(Clone, Default)]
struct Answers {
    leaves: BTreeMap<Leaf, bool>,
    /// The values of constants, by their names.
    constants: BTreeMap<String, String>,
    /// The number of questions.
    count: usize,
}

struct DiagramBuilder<'v> {
    variants: &'v [VariantToDecide],
    decide: &'v Decide<'v>,
    max_results: usize,
    implications: Implications,
    asked: BTreeSet<DiagramQuestion>,
    /// The number of modules that were decided.
    decided: usize,
    /// Nodes come after the nodes that they lead to.
    nodes: Vec<DiagramNode>,
    node_numbers: HashMap<DiagramNode, usize>,
    results: Vec<WayResult>,
    result_numbers: HashMap<WayResult, usize>,
}

impl DiagramBuilder<'_> {
    /// Continues with the variant that answers choose.
    fn variant(&mut self, answers: &Answers) -> Result<DiagramEnd, Obstacle> {
        let variants = self.variants;
        for (number, variant) in variants.iter().enumerate() {
            let Some(condition) = &variant.condition else { return self.constants(number, &[], answers) };
            let mut arena = Conditions::new();
            let condition = arena.of_expr(condition).map_err(PipelineError::from)?;
            let lookup = |leaf: Leaf| answers.leaves.get(&leaf).copied();
            let rest = arena.restrict(condition, &lookup).map_err(PipelineError::from)?;
            if rest.is_true() {
                return self.constants(number, &[], answers);
            }
            if let Some(&leaf) = arena.leaves(rest).first() {
                return self.fork(leaf, answers, |diagram, answers| diagram.variant(answers));
            }
        }
        Ok(DiagramEnd::Nothing)
    }

    /// Continues with each value of the next constant of a variant.
    fn constants(
        &mut self,
        variant: usize,
        values: &[usize],
        answers: &Answers,
    ) -> Result<DiagramEnd, Obstacle> {
        let variants = self.variants;
        let Some((name, texts)) = variants[variant].constants.get(values.len()) else {
            return self.module(variant, values, answers);
        };
        if let Some(value) = answers.constants.get(name) {
            return match texts.iter().position(|text| text == value) {
                Some(number) => self.constants(variant, &[values, &[number]].concat(), answers),
                None => Ok(DiagramEnd::Nothing),
            };
        }
        let mut end = DiagramEnd::Nothing;
        for (number, text) in texts.iter().enumerate().rev() {
            let question = DiagramQuestion::Constant(name.clone(), text.clone());
            let mut answers = self.ask(&question, answers)?;
            answers.constants.insert(name.clone(), text.clone());
            let yes = self.constants(variant, &[values, &[number]].concat(), &answers)?;
            end = self.node(DiagramNode { question, no: end, yes })?;
        }
        Ok(end)
    }

    /// Continues with the module of a variant.
    fn module(
        &mut self,
        variant: usize,
        values: &[usize],
        answers: &Answers,
    ) -> Result<DiagramEnd, Obstacle> {
        if self.decided >= self.max_results.saturating_mul(MODULES_PER_RESULT) {
            return Err(Obstacle::TooMany(std::mem::take(&mut self.asked)));
        }
        self.decided += 1;
        match (self.decide)(variant, values, &answers.leaves)? {
            WayOutcome::Nothing => Ok(DiagramEnd::Nothing),
            WayOutcome::Open(leaf) => {
                self.fork(leaf, answers, |diagram, answers| diagram.module(variant, values, answers))
            }
            WayOutcome::Module(module) => {
                if let Some(&number) = self.result_numbers.get(&module) {
                    return Ok(DiagramEnd::Result(number));
                }
                let number = self.results.len();
                if number == self.max_results {
                    return Err(Obstacle::TooMany(std::mem::take(&mut self.asked)));
                }
                self.results.push(module.clone());
                self.result_numbers.insert(module, number);
                Ok(DiagramEnd::Result(number))
            }
        }
    }

    /// Asks for a leaf, and continues with each answer.
    fn fork(
        &mut self,
        leaf: Leaf,
        answers: &Answers,
        mut go_on: impl FnMut(&mut Self, &Answers) -> Result<DiagramEnd, Obstacle>,
    ) -> Result<DiagramEnd, Obstacle> {
        let question = DiagramQuestion::Leaf(leaf);
        let answers = self.ask(&question, answers)?;
        let mut with = |diagram: &mut Self, answer: bool| {
            let mut with_answer = answers.clone();
            diagram.implications.add(&mut with_answer.leaves, (leaf, answer));
            // Answers that follow may choose another variant.
            match answers.leaves.iter().all(|(leaf, answer)| with_answer.leaves.get(leaf) == Some(answer)) {
                true => go_on(diagram, &with_answer),
                false => diagram.variant(&with_answer),
            }
        };
        let no = with(self, false)?;
        let yes = with(self, true)?;
        self.node(DiagramNode { question, no, yes })
    }

    /// Counts a question, and returns the answers with it.
    fn ask(&mut self, question: &DiagramQuestion, answers: &Answers) -> Result<Answers, Obstacle> {
        self.asked.insert(question.clone());
        match answers.count < MAX_QUESTIONS {
            true => Ok(Answers { count: answers.count + 1, ..answers.clone() }),
            false => Err(Obstacle::TooMany(std::mem::take(&mut self.asked))),
        }
    }

    /// Returns the node, or its target if both answers lead to the same one.
    fn node(&mut self, node: DiagramNode) -> Result<DiagramEnd, Obstacle> {
        if node.no == node.yes {
            return Ok(node.no);
        }
        if let Some(&number) = self.node_numbers.get(&node) {
            return Ok(DiagramEnd::Node(number));
        }
        let number = self.nodes.len();
        if number == MAX_NODES {
            return Err(Obstacle::TooMany(std::mem::take(&mut self.asked)));
        }
        self.nodes.push(node.clone());
        self.node_numbers.insert(node, number);
        Ok(DiagramEnd::Node(number))
    }
}
