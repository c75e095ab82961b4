//! Statistics of compilers of drivers: what the variants of a module cost, and advice from that.
//!
//! [`measure()`] asks a [`VariantCompiler`]; the package `spirv-if-probe` has those of Vulkan's drivers and Intel's offline compiler.

mod kinds;
mod measure;
mod model;
mod report;
mod search;
#[cfg(test)]
mod tests;
mod words;

pub use crate::inspection::SetConstant;
pub use kinds::{Figures, StatisticKind};
pub use measure::{MeasureOptions, measure};
pub use model::{
    CompileFailure, CompileRequest, CompiledModule, ConstantBytes, ExecutableStatistics, Statistic,
    StatisticValue, VariantCompiler,
};
pub use report::{
    CompileOutcome, CostKind, FoundCombination, ModuleStatistics, ValueCost, VariantAdvice, VariantStatistics,
};
