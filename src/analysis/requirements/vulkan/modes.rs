//! Execution modes that require a Vulkan feature.

use spirv::ExecutionMode;

use crate::analysis::requirements::RequirementSet;
use crate::analysis::requirements::instructions::InstructionRequirements;
use crate::loader::{Instruction, views};

impl InstructionRequirements<'_> {
    /// Adds the uses by an execution mode.
    pub(super) fn execution_mode(&self, inst: &Instruction, set: &mut RequirementSet) {
        use ExecutionMode::*;
        let Some(mode) = ExecutionMode::from_u32(views::ExecutionMode(*inst).mode()) else { return };
        match mode {
            Isolines => self.require_feature("execution mode Isolines", set),
            PointMode => self.require_feature("execution mode PointMode", set),
            DerivativeGroupLinearKHR | DerivativeGroupQuadsKHR => self
                .require_feature("execution mode DerivativeGroupLinearKHR or DerivativeGroupQuadsKHR", set),
            FPFastMathDefault => self.fast_math_default(inst, set),
            SubgroupUniformControlFlowKHR => {
                self.require_feature("execution mode SubgroupUniformControlFlowKHR", set);
            }
            LocalSizeId => self.require_feature("execution mode LocalSizeId", set),
            EarlyAndLateFragmentTestsAMD
            | StencilRefUnchangedFrontAMD
            | StencilRefUnchangedBackAMD
            | StencilRefGreaterFrontAMD
            | StencilRefGreaterBackAMD
            | StencilRefLessFrontAMD
            | StencilRefLessBackAMD => {
                self.require_feature("an execution mode of SPV_AMD_shader_early_and_late_fragment_tests", set)
            }
            SignedZeroInfNanPreserve
            | DenormPreserve
            | DenormFlushToZero
            | RoundingModeRTE
            | RoundingModeRTZ => self.float_mode(mode, inst, set),
            _ => {}
        }
    }
}
