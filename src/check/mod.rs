//! What a compiler would warn of: aspects that functions use and do not list, and what the devices lack that a module is meant
//! for (seed "optional kernel features", "New LLVM IR pass to propagate aspect usage" and "Error checking for SYCL_EXTERNAL
//! functions").

mod expected;
mod fixed_targets;
#[cfg(test)]
mod tests;
mod warning;

pub use warning::{Declared, Lack, Problem, RequiredSize, Step, Warning};

use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;
use thiserror::Error;

use crate::analysis::conditionals::{Conditionals, ConditionalsError};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{
    AnalysisError, Annotated, AspectError, AspectSources, Aspects, Call, Chain, ConditionalCalls,
    DeclaredAspects, Demand, Demands, Names, Needs, Sizes, SourcePlaces, UnknownAspect,
};
use crate::condition::{Condition, ConditionError};
use crate::device::{Device, DeviceConfig, DeviceError, Tables};
use crate::loader::{Instruction, Module};

/// What to check a module against.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// What is said of the module beside what it says itself: of aspects, and of the devices that single functions are meant for.
    pub annotated: &'o Annotated,
    /// The devices that all code is meant for (`-fsycl-fixed-targets`); none by default.
    pub fixed_targets: &'o [Device],
    /// The configuration that the devices are of: it tells what devices of an architecture have, and which capabilities it
    /// tells of.
    pub devices: &'o DeviceConfig,
}

/// Why a module cannot be checked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError {
    /// A conditional call is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The conditions of a multi-target module contradict each other.
    #[error(transparent)]
    Conditionals(#[from] ConditionalsError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Declared aspects cannot be read.
    #[error(transparent)]
    Declared(#[from] AspectError),
    /// A type or function is said to use an aspect that does not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownAspect),
    /// A function is meant for a device that does not exist.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Finds what there is to warn of: what functions list and expect first, then what the fixed targets lack; each in the order of
/// the functions in the module.
///
/// # Errors
/// Where the module says something malformed. See [`CheckError`].
pub fn check(module: &Module, options: &Options) -> Result<Vec<Warning>, CheckError> {
    let names = Names::new(module);
    let calls = ConditionalCalls::find(module, &names)?.with_annotated(module, &names, options.annotated)?;
    let calls = calls.with_guards(module, &names)?;
    let conditionals = Conditionals::find(module)?;
    let listed = DeclaredAspects::read(module, &names, &options.annotated.aspects)?;
    let needs = Needs::declared(module)
        .with_aspects(&names, &with_imports(module, &listed, &options.annotated.aspects))?;
    let demands = Demands::compute(module, &needs, &calls, &|id| conditionals.condition(id))?;
    let places = SourcePlaces::read(module);
    let mut check = Check {
        module,
        options,
        names: &names,
        has_places: places.has_any(),
        places,
        aspects: Aspects::new(is_of_kernels(module)),
        listed,
        sizes: Sizes::read(module),
        entry_points: entry_points(module),
        demands,
        callers: calls.replaced().into_iter().chain(calls.uncalled.iter().copied()).collect(),
        warnings: Vec::new(),
    };
    check.listed()?;
    check.external()?;
    check.fixed_targets()?;
    Ok(check.warnings)
}

/// A function that is defined elsewhere uses what it lists, for all that this module can know.
fn with_imports(module: &Module, listed: &DeclaredAspects, sources: &AspectSources) -> AspectSources {
    let mut sources = sources.clone();
    let has_body = |id: u32| {
        let function = module.function(id);
        function.is_some_and(|function| module.body(function).any(|inst| inst.is(Op::Label)))
    };
    for (function, aspects) in listed.iter().filter(|(function, _)| !has_body(*function)) {
        let known = aspects.iter().filter(|&&aspect| crate::device::aspects::name(aspect).is_some());
        sources.used.entry(function).or_default().extend(known);
    }
    sources
}

/// The entry points, by function: the first instruction of each.
fn entry_points<'m>(module: &'m Module) -> BTreeMap<u32, Instruction<'m>> {
    let mut found = BTreeMap::new();
    for inst in module.globals() {
        match inst.op() {
            Some(Op::EntryPoint) => drop(found.entry(inst.word(2)).or_insert(inst)),
            Some(Op::ConditionalEntryPointINTEL) => drop(found.entry(inst.word(3)).or_insert(inst)),
            _ => {}
        }
    }
    found
}

/// What the steps share.
struct Check<'m> {
    module: &'m Module<'m>,
    options: &'m Options<'m>,
    names: &'m Names<'m>,
    places: SourcePlaces<'m>,
    has_places: bool,
    aspects: Aspects,
    listed: DeclaredAspects,
    sizes: BTreeMap<u32, Sizes>,
    entry_points: BTreeMap<u32, Instruction<'m>>,
    demands: Demands<'m>,
    /// The conditional callers, whose calls are calls of what they call.
    callers: BTreeSet<u32>,
    warnings: Vec<Warning>,
}

impl Check<'_> {
    /// The functions, in the order of the module.
    fn functions(&self) -> Vec<u32> {
        self.module.functions().iter().map(|function| function.id).collect()
    }

    /// What a function demands; as an entry point, if it is one.
    fn demand(&self, function: u32) -> Demand {
        match self.entry_points.get(&function) {
            Some(entry_point) => self.demands.of_entry_point(entry_point),
            None => self.demands.of(function).clone(),
        }
    }

    /// How messages call a function.
    fn name(&self, function: u32) -> String {
        self.names.function_name(function).short().into_owned()
    }

    fn is_kernel_body(&self, function: u32) -> bool {
        self.names.kernel_of(function).is_some()
    }

    fn place(&self, offset: u32) -> Option<String> {
        self.places.place(offset).map(|place| place.to_string())
    }

    /// The functions on the way, as a warning shows them.
    fn steps(&self, function: u32, calls: &[Call]) -> Vec<Step> {
        let step =
            |function: u32, place| Step { function: self.names.function_name(function).in_chain(), place };
        let calls = calls.iter().filter(|call| !self.is_kernel_body(call.callee));
        let rest = calls.map(|call| step(call.callee, self.place(call.at)));
        std::iter::once(step(function, None)).chain(rest).collect()
    }

    fn warn(&mut self, problem: Problem, place: Option<String>, chain: Vec<Step>) {
        let without_places = !self.has_places && !matches!(problem, Problem::Module { .. });
        self.warnings.push(Warning { problem, place, chain, without_places });
    }

    /// Warns of a use, with the way to it.
    fn warn_of_use(&mut self, problem: Problem, function: u32, chain: Option<&Chain>) {
        let (calls, place) = match chain {
            Some(chain) => (&chain.calls[..], self.place(chain.at)),
            None => (&[][..], self.place_of(function)),
        };
        let steps = self.steps(function, calls);
        self.warn(problem, place, steps);
    }

    fn place_of(&self, function: u32) -> Option<String> {
        self.places.function(function).map(|place| place.to_string())
    }

    /// A condition in text, unless it always holds.
    fn text(&mut self, condition: Condition) -> Result<Option<String>, ConditionError> {
        if condition.is_true() {
            return Ok(None);
        }
        let expr = self.demands.conditions.to_expr(condition)?;
        Ok(Some(expr.display(&Tables).to_string()))
    }
}
