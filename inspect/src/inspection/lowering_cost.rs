//! The cost of lowering features, which inspections report with the devices that it gains.

use std::fmt;

use serde::Serialize;

use spirv_if::specialize::LoweredFeature;

/// The cost of lowering one feature. It is displayed as a clause: "Int64: replaces 5 of 100 instructions, 5 %, and makes them 140, with equal bits".
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct LoweringCost {
    /// Name of the feature.
    pub feature: &'static str,
    /// The instructions whose result is one that the specification permits, by name. Those of all others have equal bits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exact: Vec<&'static str>,
    /// The condition that only the host can keep, as a clause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<&'static str>,
    /// The number of instructions that others replace.
    pub replaced: usize,
    /// The number of instructions of the module.
    pub instructions_before: usize,
    /// The number of instructions of the result.
    pub instructions_after: usize,
}

impl LoweringCost {
    /// Takes the numbers of the report on specializing.
    pub fn new(lowered: &LoweredFeature) -> LoweringCost {
        LoweringCost {
            feature: lowered.feature.name(),
            exact: lowered.exact.clone(),
            condition: lowered.condition,
            replaced: lowered.replaced,
            instructions_before: lowered.instructions_before,
            instructions_after: lowered.instructions_after,
        }
    }
}

impl fmt::Display for LoweringCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoweringCost { feature, exact, condition, replaced, instructions_before, instructions_after } =
            self;
        let share = 100.0 * *replaced as f64 / *instructions_before as f64;
        let share = if share < 1.0 { "less than 1 %".to_owned() } else { format!("{:.0} %", share.round()) };
        write!(
            f,
            "{feature}: replaces {replaced} of {instructions_before} instructions, {share}, and makes them {instructions_after}, \
             with equal bits"
        )?;
        if !exact.is_empty() {
            write!(f, " and a result that the specification permits of {}", exact.join(", "))?;
        }
        condition.map_or(Ok(()), |condition| write!(f, " {condition}"))
    }
}

/// A feature that devices lack and that cannot be lowered. It is displayed as a clause: "Int64: OpAtomicIAdd in main (byte offset 0x198): no rule ...".
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct LoweringObstacle {
    /// Name of the feature.
    pub feature: &'static str,
    /// The instruction with its place, and the reason.
    pub reason: String,
}

impl fmt::Display for LoweringObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.feature, self.reason)
    }
}
