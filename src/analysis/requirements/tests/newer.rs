//! Instructions and enumerants newer than rspirv's grammar have exactly the requirements of the newest grammar.

use super::subject::removes;

#[test]
fn predicated_loads() {
    let text = |load: &str| {
        format!(
            "OpCapability PredicatedIOINTEL
            OpExtension \"SPV_INTEL_predicated_io\"
            OpCapability Float64
            %true = OpConstantTrue %bool
            SHARED %uint
            FN %main
            {load}
            END"
        )
    };
    removes(&text("%x = OpPredicatedLoadINTEL %uint %shared %true %u1"), "spv1.6", "Float64");
    removes(&text(""), "spv1.6", "Float64 PredicatedIOINTEL SPV_INTEL_predicated_io");
}

#[test]
fn aborts() {
    let text = |end: &str| {
        format!(
            "OpCapability AbortKHR
            OpExtension \"SPV_KHR_abort\"
            OpCapability Int16
            FN %main
            {end}
            OpFunctionEnd"
        )
    };
    removes(&text("OpAbortKHR %uint %u1"), "spv1.6", "Int16");
    removes(&text("OpReturn"), "spv1.6", "Int16 AbortKHR SPV_KHR_abort");
}

#[test]
fn poison() {
    let text = |lines: &str| {
        format!(
            "OpCapability PoisonFreezeKHR
            OpExtension \"SPV_KHR_poison_freeze\"
            OpCapability Int64
            {lines}
            FN %main
            END"
        )
    };
    removes(&text("%poison = OpPoisonKHR %uint"), "spv1.6", "Int64");
    removes(&text("OpExecutionMode %main ArithmeticPoisonKHR"), "spv1.6", "Int64");
    removes(&text(""), "spv1.6", "Int64 PoisonFreezeKHR SPV_KHR_poison_freeze");
}

/// Checks that capabilities whose rules depend on unknown operands are kept.
#[test]
fn capabilities_that_depend_on_operands() {
    removes(
        "OpCapability DotProductFloat16AccFloat32VALVE
        OpCapability DotProductBFloat16AccVALVE
        OpExtension \"SPV_VALVE_mixed_float_dot_product\"
        OpExtension \"SPV_KHR_bfloat16\"
        OpCapability Float64
        FN %main
        END",
        "spv1.6",
        "Float64",
    );
}
