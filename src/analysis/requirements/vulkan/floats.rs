//! Modes and decorations of arithmetic with floats that require a property of a Vulkan device.

use spirv::{Decoration, ExecutionMode, FPFastMathMode, Op};

use crate::analysis::constants::folding::Scalar;
use crate::analysis::requirements::RequirementSet;
use crate::analysis::requirements::instructions::InstructionRequirements;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The widths of floats that modes name.
const WIDTHS: [u32; 3] = [16, 32, 64];
/// The flags without which signed zeros, infinities and NaNs are preserved.
const PRESERVED: FPFastMathMode =
    FPFastMathMode::NSZ.union(FPFastMathMode::NOT_INF).union(FPFastMathMode::NOT_NAN);
/// Limit on the depth of types that are searched for floats.
const MAX_DEPTH: usize = 8;

/// The execution modes of one entry point for floats of each width.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::analysis::requirements) struct FloatModes {
    denormals: [Option<ExecutionMode>; 3],
    rounding: [Option<ExecutionMode>; 3],
}

impl FloatModes {
    /// Returns the modes of each entry point that has any.
    pub fn read(module: &Module) -> IdMap<FloatModes> {
        let mut all: IdMap<FloatModes> = IdMap::new();
        for inst in module.execution_modes().filter(|inst| inst.is(Op::ExecutionMode)) {
            let Some(mode) = ExecutionMode::from_u32(inst.mode()) else { continue };
            let Some(at) = WIDTHS.iter().position(|width| inst.operands().first() == Some(width)) else {
                continue;
            };
            if is_of_denormals(mode) {
                all.entry(inst.entry_point()).or_default().denormals[at] = Some(mode);
            } else if is_of_rounding(mode) {
                all.entry(inst.entry_point()).or_default().rounding[at] = Some(mode);
            }
        }
        all
    }
}

impl InstructionRequirements<'_> {
    /// Adds the uses by an execution mode for floats of a width.
    pub(super) fn float_mode(&self, mode: ExecutionMode, inst: &Instruction, set: &mut RequirementSet) {
        let mode_inst = views::ExecutionMode(*inst);
        let Some(&width) = mode_inst.operands().first().filter(|width| WIDTHS.contains(width)) else {
            return;
        };
        if mode == ExecutionMode::SignedZeroInfNanPreserve {
            return self.preserves(width, set);
        }
        self.require_feature(&format!("execution mode {mode:?} for {width}-bit floats"), set);
        let Some(modes) = self.float_modes.get(&mode_inst.entry_point()) else { return };
        let (kind, [half, single, double]) = match is_of_denormals(mode) {
            true => ("denormals", modes.denormals),
            false => ("rounding", modes.rounding),
        };
        let differ = |one: Option<ExecutionMode>, other: Option<ExecutionMode>| {
            one.is_some() && other.is_some() && one != other
        };
        if differ(half, double) {
            let use_ = format!("execution modes for {kind} that differ between 16-bit and 64-bit floats");
            self.require_feature(&use_, set);
        }
        if differ(single, half) || differ(single, double) {
            let use_ = format!("execution modes for {kind} that differ between 32-bit and other floats");
            self.require_feature(&use_, set);
        }
    }

    /// Adds the uses by execution mode FPFastMathDefault.
    pub(super) fn fast_math_default(&self, inst: &Instruction, set: &mut RequirementSet) {
        let &[type_, flags, ..] = views::ExecutionMode(*inst).operands() else { return };
        let flags = self.module.constant(flags).map(|flags| flags.low_word());
        if flags.is_some_and(preserves) {
            self.preserves_in(type_, set);
        }
    }

    /// Adds the uses by decoration FPFastMathMode: the floats among the result and operands of the decorated
    /// instruction.
    pub(super) fn fast_math_mode(&self, decoration: views::Decoration, set: &mut RequirementSet) {
        let flags = decoration.operands().first().copied();
        if !decoration.is_a(Decoration::FPFastMathMode) || !flags.is_some_and(preserves) {
            return;
        }
        let Some(inst) = self.module.definition(decoration.target()) else { return };
        let operands = views::Value(inst).operands().iter().filter_map(|&id| self.module.type_of(id));
        inst.result_type().into_iter().chain(operands).for_each(|type_| self.preserves_in(type_, set));
    }

    fn preserves_in(&self, type_: u32, set: &mut RequirementSet) {
        let parts = std::iter::successors(Some(type_), |&type_| self.module.part_type(type_, 0));
        let mut scalars = parts.take(MAX_DEPTH).filter_map(|part| Scalar::from_type(self.module, part));
        if let Some(Scalar::Float(width)) = scalars.next() {
            self.preserves(width, set);
        }
    }

    fn preserves(&self, width: u32, set: &mut RequirementSet) {
        if WIDTHS.contains(&width) {
            let use_ = format!("preserved signed zeros and infinities and NaNs of {width}-bit floats");
            self.require_feature(&use_, set);
        }
    }
}

fn is_of_denormals(mode: ExecutionMode) -> bool {
    matches!(mode, ExecutionMode::DenormPreserve | ExecutionMode::DenormFlushToZero)
}

fn is_of_rounding(mode: ExecutionMode) -> bool {
    matches!(mode, ExecutionMode::RoundingModeRTE | ExecutionMode::RoundingModeRTZ)
}

/// Returns true if flags of fast mathematics do not allow to ignore all of signed zeros, infinities and NaNs.
fn preserves(flags: u32) -> bool {
    !FPFastMathMode::from_bits_retain(flags).contains(PRESERVED)
}
