//! Costs of the variants of a module with a compiler, as plain data.

use serde::{Serialize, Serializer};

use super::kinds::{Figures, StatisticKind, is_of_module};
use super::model::{CompileFailure, CompiledModule, ExecutableStatistics};
use crate::inspection::SetConstant;

/// The statistics of a module and of its variants with one compiler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ModuleStatistics {
    /// The device and its driver.
    pub driver: String,
    /// The figure that variants are compared by: the first of cycles and instructions that the driver tells, or else the time.
    pub cost: CostKind,
    /// The module with the default values of its constants.
    pub as_is: CompileOutcome,
    /// The module with one constant set, by SpecId.
    pub variants: Vec<VariantStatistics>,
    /// Conclusions for an application, if the module compiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<VariantAdvice>,
    /// The number of modules that were compiled.
    pub compiled: usize,
    /// The number of combinations of the values, as far as 64 bits count them.
    pub combinations: u64,
    /// The number of values that were not tried: there is a limit.
    #[serde(skip_serializing_if = "is_zero")]
    pub untried: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A module with one value of one constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VariantStatistics {
    /// The constant and its value.
    #[serde(flatten)]
    pub set: SetConstant,
    /// True for the default value.
    pub is_default: bool,
    /// The size of the module after the value is set, in bytes.
    pub size: usize,
    /// The module as it is, with the value given to the driver beside it. `None` if the compiler takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_driver: Option<CompileOutcome>,
    /// The module that specializing leaves with this value.
    pub cut: CompileOutcome,
}

/// The answer of a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileOutcome {
    /// The module was compiled.
    Compiled(CompiledModule),
    /// The reason that it was not compiled.
    Failed(CompileFailure),
}

/// A figure that variants are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostKind {
    /// A figure of the code.
    Statistic(StatisticKind),
    /// The time to compile.
    Time,
}

/// Conclusions from the variants that were compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct VariantAdvice {
    /// The conclusions in sentences.
    pub text: String,
    /// The constants to set when the application is built, each with the value that removes most of the module: few of those that save time to
    /// compile.
    pub fix: Vec<SetConstant>,
    /// The time to compile the module as it is, in nanoseconds, where the driver sets all constants to such values.
    pub by_driver_time_ns: u64,
    /// The time with those of `fix` set before, and the others by the driver.
    pub fixed_time_ns: u64,
    /// The time with all of them set before.
    pub all_fixed_time_ns: u64,
    /// The SpecIds of constants whose values all lead to equal code, as far as the driver tells.
    pub without_effect: Vec<u32>,
    /// Values with which the module costs more than with the default.
    pub dearer: Vec<ValueCost>,
    /// Values after which setting them beforehand makes the code or the time worse than giving them to the driver.
    pub not_worth_cutting: Vec<SetConstant>,
    /// The constants that cost more, or less, together than the sum of what each does.
    pub interacting: Vec<u32>,
    /// The values with which the module costs least, as far as the search goes.
    pub cheapest: Option<FoundCombination>,
    /// The values with which it costs most: an application that may set any of them must expect that.
    pub dearest: Option<FoundCombination>,
}

/// Cost of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ValueCost {
    /// The constant and its value.
    #[serde(flatten)]
    pub set: SetConstant,
    /// The difference from the cost of the module as it is, in thousandths of that.
    pub per_mille: i64,
}

/// A combination of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FoundCombination {
    /// Values that differ from the defaults.
    pub values: Vec<SetConstant>,
    /// The answer of the compiler.
    pub outcome: CompileOutcome,
}

impl CompileOutcome {
    /// Returns the compiled module.
    pub fn compiled(&self) -> Option<&CompiledModule> {
        match self {
            CompileOutcome::Compiled(module) => Some(module),
            CompileOutcome::Failed(_) => None,
        }
    }

    /// Returns the reason that the module was not compiled.
    pub fn failure(&self) -> Option<&CompileFailure> {
        match self {
            CompileOutcome::Compiled(_) => None,
            CompileOutcome::Failed(failure) => Some(failure),
        }
    }

    /// Returns the cost, if the module was compiled and the driver tells it.
    pub fn cost(&self, kind: CostKind) -> Option<f64> {
        let module = self.compiled()?;
        match kind {
            CostKind::Time => Some(module.time_ns as f64),
            CostKind::Statistic(kind) => module.figures().get(kind).map(|value| value.number()),
        }
    }

    /// Returns the outcome with the shorter time of another compilation of the same module.
    pub(super) fn or_faster(&self, other: CompileOutcome) -> CompileOutcome {
        let is_faster = other.cost(CostKind::Time) < self.cost(CostKind::Time);
        if is_faster && other.compiled().is_some() { other } else { self.clone() }
    }

    /// Returns true if the code of both is equal, as far as statistics tell; `None` if the driver tells nothing.
    pub fn has_equal_code(&self, other: &CompileOutcome) -> Option<bool> {
        let (one, other) = (self.compiled()?, other.compiled()?);
        let of_code = |executables: &[ExecutableStatistics]| -> Vec<ExecutableStatistics> {
            let mut executables = executables.to_vec();
            for executable in &mut executables {
                executable.statistics.retain(|statistic| !is_of_module(&statistic.name));
            }
            executables
        };
        let (one, other) = (of_code(&one.executables), of_code(&other.executables));
        (!one.is_empty()).then(|| one == other)
    }
}

impl From<Result<CompiledModule, CompileFailure>> for CompileOutcome {
    fn from(answer: Result<CompiledModule, CompileFailure>) -> CompileOutcome {
        answer.map_or_else(CompileOutcome::Failed, CompileOutcome::Compiled)
    }
}

/// A compiled module with its figures, or `failure`.
impl Serialize for CompileOutcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'w> {
            time_ns: u64,
            figures: Figures,
            executables: &'w [ExecutableStatistics],
        }
        #[derive(Serialize)]
        struct Failed<'w> {
            failure: &'w CompileFailure,
        }
        match self {
            CompileOutcome::Compiled(module) => Written {
                time_ns: module.time_ns,
                figures: module.figures(),
                executables: &module.executables,
            }
            .serialize(serializer),
            CompileOutcome::Failed(failure) => Failed { failure }.serialize(serializer),
        }
    }
}

impl CostKind {
    /// Returns the name in JSON.
    pub fn keyword(self) -> &'static str {
        match self {
            CostKind::Statistic(kind) => kind.keyword(),
            CostKind::Time => "time_ns",
        }
    }
}

impl Serialize for CostKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.keyword())
    }
}
