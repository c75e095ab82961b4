//! Conditions that annotations give to functions and constants.

use spirv::Op;
use spirv_if::condition::Leaf;
use spirv_if::transform::pack::{Dialect, Options};

use crate::packed::{Outcome, error, packed, packed_with};

const FUNCTIONS: &str = "
    OpCapability Float64
    FN %wide
        %x = OpFAdd %double %d1 %d1
    END
    FN %narrow
        %y = OpFAdd %float %f1 %f1
    END
    %to_float = OpTypeFunction %float %float
    %wide_of = OpFunction %float None %to_float
    %wide_in = OpFunctionParameter %float
    %wide_at = OpLabel
    %wide_1 = OpFConvert %double %wide_in
    %wide_2 = OpFMul %double %wide_1 %d1
    %wide_3 = OpFConvert %float %wide_2
    OpReturnValue %wide_3
    OpFunctionEnd
    %narrow_of = OpFunction %float None %to_float
    %narrow_in = OpFunctionParameter %float
    %narrow_at = OpLabel
    %narrow_1 = OpFMul %float %narrow_in %f1
    OpReturnValue %narrow_1
    OpFunctionEnd
";

#[test]
fn every_call_of_a_function_with_a_condition_is_conditional() {
    let Some(p) = packed(&format!(
        "ANNOTATE %wide WHEN fp64
        FN %main
            CALL %wide
            CALL %other
        END
        FN %other
            CALL %wide
        END
        {FUNCTIONS}"
    )) else {
        return;
    };
    p.are("wide main_wide other_wide double d1", "fp64").are("main other main_other", "always");
    p.capability("Float64", "fp64");
    assert_eq!(p.call("main_wide"), [p.id("wide")]);
}

#[test]
fn another_function_is_called_where_the_condition_does_not_hold() {
    let Some(p) = packed(&format!(
        "ANNOTATE %wide WHEN fp64 OTHERWISE %narrow
        ANNOTATE %wide_of WHEN fp64 OTHERWISE %narrow_of
        FN %main
            CALL %wide
            %result = OpFunctionCall %float %wide_of %f1
            %double_it = OpFAdd %float %result %result
        END
        {FUNCTIONS}"
    )) else {
        return;
    };
    p.are("wide wide_of main_wide double d1", "fp64").are("narrow narrow_of", "!fp64");
    p.are("float main result double_it", "always").capability("Float64", "fp64");
    let copy = p.operands("result");
    assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 1);
    assert_eq!(copy.len(), 6, "a type, a result, and two pairs of condition and value");
    let calls = p.find(|inst| inst.is(Op::FunctionCall).then(|| (inst.word(2), inst.word(3))));
    let called = |value: u32| calls.iter().find(|(result, _)| *result == value).map(|(_, callee)| *callee);
    let called = [copy[3], copy[5]].map(called);
    assert_eq!(called, [Some(p.id("wide_of")), Some(p.id("narrow_of"))]);
    assert_eq!(calls.len(), 4);
}

#[test]
fn an_undefined_result_is_asked_for() {
    let text = |otherwise: &str| {
        format!(
            "ANNOTATE %wide_of WHEN fp64{otherwise}
            FN %main
                %result = OpFunctionCall %float %wide_of %f1
                %double_it = OpFAdd %float %result %result
            END
            {FUNCTIONS}"
        )
    };
    if let Some(p) = packed(&text(" OTHERWISE undef")) {
        p.are("wide_of", "fp64").capability("Float64", "fp64");
        assert_eq!(p.count(Op::Undef), 1);
    }
    if let Some(error) = error(&text("")) {
        assert!(error.contains("otherwise: undef") && error.contains("main uses the result of"), "{error}");
    }
    // What nothing uses need not be.
    let unused = text("").replace("%double_it = OpFAdd %float %result %result", "");
    if let Some(p) = packed(&unused) {
        p.are("wide_of result", "fp64");
        assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 0);
    }
}

#[test]
fn where_the_condition_holds_anyway_the_call_is_plain() {
    let Some(p) = packed(&format!(
        "ANNOTATE %wide_of WHEN fp64 OTHERWISE %narrow_of
        ANNOTATE %inner WHEN fp64
        ANNOTATE %elsewhere WHEN !fp64
        FN %main
            CALL %inner
            CALL %elsewhere
        END
        FN %inner
            %result = OpFunctionCall %float %wide_of %f1
            %double_it = OpFAdd %float %result %result
        END
        FN %elsewhere
            %result2 = OpFunctionCall %float %wide_of %f1
            %double_it2 = OpFAdd %float %result2 %result2
        END
        {FUNCTIONS}"
    )) else {
        return;
    };
    p.are("inner main_inner wide_of", "fp64").are("elsewhere main_elsewhere narrow_of", "!fp64");
    p.are("result result2", "always");
    assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 0, "copies of the one result there is");
    assert_eq!(p.count(Op::CopyObject), 2);
    assert_eq!(p.count(Op::FunctionCall), 4);
}

#[test]
fn a_constant_that_stands_for_a_leaf_is_the_leaf() {
    let Some(p) = packed(&format!(
        "TIE 7 fp64
        ANNOTATE %wide WHEN fp64 && !arch(intel_gpu_pvc)
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantTrue %bool
        FN %main
            CALL %wide
            %not = OpLogicalNot %bool %use_double
        END
        {FUNCTIONS}"
    )) else {
        return;
    };
    p.are("wide main_wide", "fp64 && !arch(intel_gpu_pvc)").are("use_double", "always");
    let leaves: Vec<u32> = p.packed.leaves.iter().map(|(spec_id, _)| *spec_id).collect();
    assert_eq!(leaves, [7, 8], "fp64 has the SpecId that it had");
}

/// The module computes with a constant that stands for this.
fn tied(constant: &str, stands_for: &str, options: &Options) -> Option<Outcome> {
    packed_with(
        &format!(
            "TIE 7 {stands_for}
            ANNOTATE %wide WHEN fp64
            OpDecorate %use_double SpecId 7
            {constant}
            FN %main
                CALL %wide
            END
            {FUNCTIONS}"
        ),
        options,
    )
}

#[test]
fn an_integer_can_stand_for_a_leaf() {
    let options = Options::default();
    let constant = "%use_double = OpSpecConstant %uint 0";
    let Some(p) = tied(constant, "fp64", &options) else { return };
    p.are("wide main_wide", "fp64");
    assert_eq!(p.packed.leaves, [(7, Leaf::Aspect(6))]);
    // What is asked is whether it is zero.
    let Some(p) = tied("OpCapability Int64\n%use_double = OpSpecConstant %long 0", "fp64", &options) else {
        return;
    };
    p.are("wide", "fp64");
}

#[test]
fn a_constant_that_stands_for_more_than_a_leaf_is_computed() {
    for constant in ["%use_double = OpSpecConstantTrue %bool", "%use_double = OpSpecConstant %uint 0"] {
        let Some(p) = tied(constant, "fp64 && !arch(intel_gpu_pvc)", &Options::default()) else { return };
        p.are("wide", "fp64").are("use_double", "always");
        let leaves: Vec<u32> = p.packed.leaves.iter().map(|(spec_id, _)| *spec_id).collect();
        assert_eq!(leaves, [8, 9], "the host sets what it is computed from");
        p.constant_is("use_double", "fp64 && !arch(intel_gpu_pvc)");
        assert_eq!(
            p.find(|inst| (inst.word(1) == p.id("use_double") && inst.is(Op::Decorate)).then_some(())),
            []
        );
    }
    // In the other dialect the device itself knows the leaf.
    let options = Options { dialect: Dialect::FunctionVariants, ..Options::default() };
    let Some(p) = tied("%use_double = OpSpecConstantTrue %bool", "fp64", &options) else { return };
    assert_eq!(p.packed.leaves, []);
    assert_eq!(p.count(Op::SpecConstantTrue) + p.count(Op::SpecConstantFalse), 0);
}

#[test]
fn a_constant_can_stand_for_something_where_nothing_is_conditional() {
    let text = "TIE 7 fp64
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantTrue %bool
        FN %main
            %not = OpLogicalNot %bool %use_double
        END";
    let Some(p) = packed(text) else { return };
    assert_eq!(p.packed.leaves, [(7, Leaf::Aspect(6))]);
    assert!(p.is_unchanged());
}
