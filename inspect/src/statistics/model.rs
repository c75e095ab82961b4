//! The request to a compiler of a driver, and its answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kinds::{Figures, StatisticKind};

/// A module to compile. Its pipeline has the layout of another module, so that statistics of both can be compared.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CompileRequest<'r> {
    /// The module that decides the layout of the pipeline and the features of the device.
    pub layout: &'r [u32],
    /// The module to compile: the same, or a result of specializing it.
    pub words: &'r [u32],
    /// Values of specialization constants, which the driver gets beside the module.
    pub constants: &'r [ConstantBytes],
}

/// The value of a specialization constant as a host gives it to a driver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConstantBytes {
    /// The SpecId.
    pub spec_id: u32,
    /// The bytes of the value, of the processor's order; four of a Boolean.
    pub bytes: Vec<u8>,
}

impl<'r> CompileRequest<'r> {
    /// Asks for a module as it is, with the layout that it requires.
    pub fn new(words: &'r [u32]) -> CompileRequest<'r> {
        CompileRequest { layout: words, words, constants: &[] }
    }

    /// Sets the module that decides the layout.
    #[must_use]
    pub fn layout(self, layout: &'r [u32]) -> CompileRequest<'r> {
        CompileRequest { layout, ..self }
    }

    /// Sets the values of specialization constants.
    #[must_use]
    pub fn constants(self, constants: &'r [ConstantBytes]) -> CompileRequest<'r> {
        CompileRequest { constants, ..self }
    }
}

/// A compiler that a driver has.
pub trait VariantCompiler {
    /// Returns the name of the driver and of its device.
    fn driver(&self) -> &str;

    /// Returns true if values of specialization constants can be given beside a module.
    fn takes_constants(&self) -> bool;

    /// Compiles the pipelines of all entry points of a module.
    ///
    /// # Errors
    /// If the driver does not compile it, crashes or hangs.
    fn compile(&mut self, request: &CompileRequest) -> Result<CompiledModule, CompileFailure>;
}

/// The pipelines of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CompiledModule {
    /// The time to create all pipelines, in nanoseconds: the shortest of several rounds.
    pub time_ns: u64,
    /// The programs that they consist of, as the driver counts them.
    pub executables: Vec<ExecutableStatistics>,
}

impl CompiledModule {
    /// Creates the answer of a compiler.
    pub fn new(time_ns: u64, executables: Vec<ExecutableStatistics>) -> CompiledModule {
        CompiledModule { time_ns, executables }
    }

    /// Returns the figures that drivers have in common, of all executables together.
    pub fn figures(&self) -> Figures {
        let mut figures = Figures::default();
        for executable in &self.executables {
            for statistic in &executable.statistics {
                if let Some(kind) = StatisticKind::of(&statistic.name) {
                    figures.add(kind, statistic.value);
                }
            }
        }
        figures
    }
}

/// The statistics of one program of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExecutableStatistics {
    /// The entry point.
    pub entry_point: String,
    /// The name that the driver gives the program, such as `Compute Shader`.
    pub name: String,
    /// The statistics, in the driver's order.
    pub statistics: Vec<Statistic>,
}

impl ExecutableStatistics {
    /// Creates the statistics of a program.
    pub fn new(
        entry_point: impl Into<String>,
        name: impl Into<String>,
        statistics: Vec<Statistic>,
    ) -> ExecutableStatistics {
        ExecutableStatistics { entry_point: entry_point.into(), name: name.into(), statistics }
    }
}

/// A statistic of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistic {
    /// The name that the driver gives it.
    pub name: String,
    /// The value.
    pub value: StatisticValue,
}

impl Statistic {
    /// Creates a statistic.
    pub fn new(name: impl Into<String>, value: StatisticValue) -> Statistic {
        Statistic { name: name.into(), value }
    }
}

/// The value of a statistic. Reals are equal if their bits are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StatisticValue {
    /// An integer.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// True or false.
    Flag(bool),
}

impl StatisticValue {
    /// Returns the value as a number; 1 for true.
    pub fn number(self) -> f64 {
        match self {
            StatisticValue::Integer(number) => number as f64,
            StatisticValue::Real(number) => number,
            StatisticValue::Flag(flag) => flag.into(),
        }
    }
}

impl PartialEq for StatisticValue {
    fn eq(&self, other: &StatisticValue) -> bool {
        self.number().to_bits() == other.number().to_bits()
    }
}

impl Eq for StatisticValue {}

impl fmt::Display for StatisticValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StatisticValue::Integer(number) => number.fmt(f),
            StatisticValue::Real(number) => write!(f, "{number:.2}"),
            StatisticValue::Flag(flag) => flag.fmt(f),
        }
    }
}

/// The reason that a module is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", content = "message", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CompileFailure {
    /// No pipeline can be made of the module here: the device does not run it, or stages are missing.
    #[error("not compiled: {0}")]
    Unsupported(String),
    /// The driver refused the module.
    #[error("refused: {0}")]
    Refused(String),
    /// The process of the driver ended.
    #[error("the driver crashed: {0}")]
    Crashed(String),
    /// The driver did not answer in time.
    #[error("the driver did not answer within {0} seconds")]
    Hung(u64),
}
