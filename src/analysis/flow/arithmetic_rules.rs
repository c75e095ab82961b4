//! Rules of a module for arithmetic that constant folding does not follow: results that saturate, rounding modes, and denormals that are flushed.

use spirv::{Decoration, ExecutionMode, FPRoundingMode, Op};

use super::nodes::NodeKind;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{Module, views};

/// Values that are not folded, since a module has rules of its own for them.
#[derive(Debug, Default)]
pub(super) struct ArithmeticRules {
    /// Results with a rule of their own, by id and in order.
    decorated: Vec<u32>,
    /// Widths of floating-point numbers for which an entry point has a rule, in bits.
    widths: Vec<u32>,
}

impl ArithmeticRules {
    pub fn new(module: &Module) -> ArithmeticRules {
        let has_rule = |decoration: &views::Decoration| {
            let rounds = decoration.is_a(Decoration::FPRoundingMode)
                && decoration.operands().first() != Some(&(FPRoundingMode::RTE as u32));
            rounds || decoration.is_a(Decoration::SaturatedConversion)
        };
        let mut decorated: Vec<u32> =
            module.decorations().filter(has_rule).map(|decoration| decoration.target()).collect();
        decorated.sort_unstable();
        if !decorated.is_empty() {
            let groups = module.group_decorations();
            let groups = groups.filter(|group| decorated.binary_search(&group.group()).is_ok());
            let targets: Vec<u32> = groups.flat_map(|group| group.targets().collect::<Vec<u32>>()).collect();
            decorated.extend(targets);
            decorated.sort_unstable();
        }
        let modes = module.execution_modes().filter(|mode| MODES.iter().any(|&rule| mode.is_a(rule)));
        let widths = modes.filter_map(|mode| mode.operands().first().copied()).collect();
        ArithmeticRules { decorated, widths }
    }

    /// Returns true if a rule applies to a value: the value of an id, if it has one, of this type, and computed in this
    /// way from operands of these types.
    pub fn apply(
        &self,
        id: Option<u32>,
        kind: NodeKind,
        scalar: Scalar,
        mut operands: impl Iterator<Item = Scalar>,
    ) -> bool {
        let moves = match kind {
            NodeKind::Operation(op) | NodeKind::Binary(op) => matches!(op, Op::Select | Op::Bitcast),
            NodeKind::Extended(_) => false,
            _ => true,
        };
        let has_width =
            |scalar: Scalar| matches!(scalar, Scalar::Float(width) if self.widths.contains(&width));
        !moves
            && (id.is_some_and(|id| self.decorated.binary_search(&id).is_ok())
                || !self.widths.is_empty() && (has_width(scalar) || operands.any(has_width)))
    }
}

/// Execution modes that change the results of arithmetic on floating-point numbers of a width.
const MODES: [ExecutionMode; 5] = [
    ExecutionMode::DenormFlushToZero,
    ExecutionMode::RoundingModeRTZ,
    ExecutionMode::RoundingModeRTPINTEL,
    ExecutionMode::RoundingModeRTNINTEL,
    ExecutionMode::FloatingPointModeALTINTEL,
];
