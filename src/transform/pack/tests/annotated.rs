//! Conditions that annotations give to functions and constants.

use spirv::Op;

use super::packed::{PackedText, TestOptions, error, packed, packed_with};
use crate::condition::Leaf;
use crate::transform::pack::Dialect;

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
    let p = packed(&format!(
        "ANNOTATE %wide WHEN fp64
        FN %main
            CALL %wide
            CALL %other
        END
        FN %other
            CALL %wide
        END
        {FUNCTIONS}"
    ));
    p.are("wide main_wide other_wide double d1", "fp64").are("main other main_other", "always");
    p.capability("Float64", "fp64");
    assert_eq!(p.call("main_wide"), [p.id("wide")]);
}

#[test]
fn another_function_is_called_where_the_condition_does_not_hold() {
    let p = packed(&format!(
        "ANNOTATE %wide WHEN fp64 OTHERWISE %narrow
        ANNOTATE %wide_of WHEN fp64 OTHERWISE %narrow_of
        FN %main
            CALL %wide
            %result = OpFunctionCall %float %wide_of %f1
            %double_it = OpFAdd %float %result %result
        END
        {FUNCTIONS}"
    ));
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
    let p = packed(&text(" OTHERWISE undef"));
    p.are("wide_of", "fp64").capability("Float64", "fp64");
    assert_eq!(p.count(Op::Undef), 1);
    let error = error(&text(""));
    assert!(error.contains("otherwise: undef") && error.contains("main uses the result of"), "{error}");
    // An unused result may be undefined.
    let unused = text("").replace("%double_it = OpFAdd %float %result %result", "");
    let p = packed(&unused);
    p.are("wide_of result", "fp64");
    assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 0);
}

#[test]
fn where_the_condition_holds_anyway_the_call_is_plain() {
    let p = packed(&format!(
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
    ));
    p.are("inner main_inner wide_of", "fp64").are("elsewhere main_elsewhere narrow_of", "!fp64");
    p.are("result result2", "always");
    assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 0, "copies of the one result there is");
    assert_eq!(p.count(Op::CopyObject), 2);
    assert_eq!(p.count(Op::FunctionCall), 4);
}

#[test]
fn a_constant_that_stands_for_a_leaf_is_the_leaf() {
    let p = packed(&format!(
        "TIE 7 fp64
        ANNOTATE %wide WHEN fp64 && !arch(intel_gpu_pvc)
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantTrue %bool
        FN %main
            CALL %wide
            %not = OpLogicalNot %bool %use_double
        END
        {FUNCTIONS}"
    ));
    p.are("wide main_wide", "fp64 && !arch(intel_gpu_pvc)").are("use_double", "always");
    let leaves: Vec<u32> = p.packed.leaves.iter().map(|(spec_id, _)| *spec_id).collect();
    assert_eq!(leaves, [7, 8], "fp64 has the SpecId that it had");
}

/// Packs a module that computes with a constant that stands for `stands_for`.
fn bound(constant: &str, stands_for: &str, options: &TestOptions) -> PackedText {
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
    let options = TestOptions::default();
    let constant = "%use_double = OpSpecConstant %uint 0";
    let p = bound(constant, "fp64", &options);
    p.are("wide main_wide", "fp64");
    assert_eq!(p.packed.leaves, [(7, Leaf::Aspect(6))]);
    // What is asked is whether it is zero.
    let p = bound("OpCapability Int64\n%use_double = OpSpecConstant %long 0", "fp64", &options);
    p.are("wide", "fp64");
}

#[test]
fn a_constant_that_stands_for_more_than_a_leaf_is_computed() {
    for constant in ["%use_double = OpSpecConstantTrue %bool", "%use_double = OpSpecConstant %uint 0"] {
        let p = bound(constant, "fp64 && !arch(intel_gpu_pvc)", &TestOptions::default());
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
    let options = TestOptions { dialect: Dialect::FunctionVariants, ..TestOptions::default() };
    let p = bound("%use_double = OpSpecConstantTrue %bool", "fp64", &options);
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
    let p = packed(text);
    assert_eq!(p.packed.leaves, [(7, Leaf::Aspect(6))]);
    assert!(p.is_unchanged());
}

/// Two ways in the middle of a function, between which a constant chooses.
const GUARDED: &str = "
    OpCapability Float64
    OpDecorate %use_double SpecId 7
    %use_double = OpSpecConstantFalse %bool
    %pdouble = OpTypePointer Function %double
    %to_float = OpTypeFunction %float %float
    %compute = OpFunction %float None %to_float
    %in = OpFunctionParameter %float
    %at = OpLabel
    %local = OpVariable %pdouble Function
    OpSelectionMerge %merge None
    OpBranchConditional %use_double %then %else
    %then = OpLabel
    %wide = OpFConvert %double %in
    OpStore %local %wide
    %wide_2 = OpLoad %double %local
    %wide_3 = OpFMul %double %wide_2 %d1
    %wide_4 = OpFConvert %float %wide_3
    OpBranch %merge
    %else = OpLabel
    %narrow = OpFMul %float %in %f1
    OpBranch %merge
    %merge = OpLabel
    %out = OpPhi %float %wide_4 %then %narrow %else
    OpReturnValue %out
    OpFunctionEnd
";

#[test]
fn a_function_with_guarded_blocks_is_cloned() {
    let p = packed(&format!(
        "TIE 7 fp64
        FN %main
            %result = OpFunctionCall %float %compute %f1
            %double_it = OpFAdd %float %result %result
        END
        {GUARDED}"
    ));
    p.capability("Float64", "fp64").are("double d1", "fp64").are("main result double_it", "always");
    // It is removed: main calls its clones itself. In these, the local variable has one value.
    p.are("compute pdouble", "gone");
    assert_eq!(p.packed.leaves, [(7, Leaf::Aspect(6))]);
    assert_eq!(p.packed.summary.removed_functions, [] as [&str; 0]);
    let functions = p.find(|inst| inst.is(Op::Function).then(|| inst.word(2)));
    let conditional = functions.iter().filter(|&&id| p.decoration(id).is_some()).count();
    assert_eq!((functions.len(), conditional), (3, 2), "main and two variants");
    assert_eq!(p.count(Op::BranchConditional), 0, "both are folded");
    assert_eq!(p.count(Op::ConditionalCopyObjectINTEL), 1);
}

#[test]
fn the_alternative_is_kept_although_no_clone_calls_it() {
    let p = packed(
        "TIE 7 fp64
        ANNOTATE %first WHEN fp16 OTHERWISE %second
        OpCapability Float64
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantFalse %bool
        %pdouble = OpTypePointer Function %double
        FN %main
            %local = OpVariable %pdouble Function
            OpSelectionMerge %merge None
            OpBranchConditional %use_double %then %merge
            %then = OpLabel
            OpStore %local %d1 Volatile
            OpSelectionMerge %inner None
            OpBranchConditional %use_double %inner %never
            %never = OpLabel
            CALL %second
            OpBranch %inner
            %inner = OpLabel
            OpBranch %merge
            %merge = OpLabel
            CALL %first
        END
        FN %first
        END
        FN %second
        END",
    );
    p.are("first", "fp16").are("second", "!fp16").capability("Float64", "fp64");
}

#[test]
fn an_entry_point_with_guarded_blocks_calls_its_clones() {
    let p = packed(
        "TIE 1 fp64
        TIE 2 fp16
        OpCapability Float64
        OpCapability Float16
        OpDecorate %use_double SpecId 1
        OpDecorate %use_half SpecId 2
        %use_double = OpSpecConstantFalse %bool
        %use_half = OpSpecConstantFalse %bool
        %pdouble = OpTypePointer Function %double
        %phalf = OpTypePointer Function %half
        FN %main
            %local = OpVariable %pdouble Function
            %local_half = OpVariable %phalf Function
            OpSelectionMerge %merge None
            OpBranchConditional %use_double %then %else
            %then = OpLabel
            OpStore %local %d1 Volatile
            OpBranch %merge
            %else = OpLabel
            OpSelectionMerge %inner None
            OpBranchConditional %use_half %half_way %inner
            %half_way = OpLabel
            OpStore %local_half %h1 Volatile
            OpBranch %inner
            %inner = OpLabel
            OpBranch %merge
            %merge = OpLabel
        END",
    );
    p.capability("Float64", "fp64").capability("Float16", "fp16 && !fp64");
    p.are("main", "always").are("double", "fp64").are("half", "fp16 && !fp64");
    assert_eq!(p.count(Op::Function), 4, "main, and a variant for each way through it");
    assert_eq!(p.count(Op::EntryPoint), 1);
}

#[test]
fn calls_in_guarded_blocks_are_conditional_without_clones() {
    let p = packed(&format!(
        "TIE 7 fp64
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantFalse %bool
        FN %main
            OpSelectionMerge %merge None
            OpBranchConditional %use_double %then %else
            %then = OpLabel
            CALL %wide
            %result = OpFunctionCall %float %wide_of %f1
            OpBranch %merge
            %else = OpLabel
            CALL %narrow
            OpBranch %merge
            %merge = OpLabel
            %phi = OpPhi %float %result %then %f1 %else
            %sum = OpFAdd %float %phi %phi
        END
        {FUNCTIONS}"
    ));
    p.are("wide wide_of main_wide", "fp64").are("narrow main_narrow", "!fp64").are("main", "always");
    p.capability("Float64", "fp64");
    assert_eq!((p.count(Op::Undef), p.count(Op::ConditionalCopyObjectINTEL)), (1, 1));
    assert_eq!(p.count(Op::Function), 5 - 1, "narrow_of is not called, and there are no variants");
}

#[test]
fn requirements_of_unconditional_code_cause_no_clones() {
    let text = format!(
        "TIE 7 fp64
        FN %main
            %result = OpFunctionCall %float %compute %f1
            %double_it = OpFAdd %double %d1 %d1
        END
        {GUARDED}"
    );
    let p = packed(&text);
    p.capability("Float64", "always").are("compute", "always");
    assert_eq!(p.count(Op::Function), 2);
}

#[test]
fn too_many_clones_are_an_error() {
    let mut text = String::from("OpCapability Float64\nOpCapability Float16\n");
    let mut body = String::new();
    let leaves = ["fp16", "atomic64", "gpu", "cpu"];
    for (at, leaf) in leaves.iter().enumerate() {
        text +=
            &format!("TIE {at} {leaf}\nOpDecorate %c{at} SpecId {at}\n%c{at} = OpSpecConstantFalse %bool\n");
        body += &format!(
            "OpSelectionMerge %merge{at} None
            OpBranchConditional %c{at} %then{at} %merge{at}
            %then{at} = OpLabel
            %x{at} = OpFAdd %double %d1 %d1
            OpBranch %merge{at}
            %merge{at} = OpLabel\n"
        );
    }
    let error = error(&format!("{text}FN %main\n{body}END"));
    for part in ["main would need 16 clones", "no more than 8", "`max_clones`", "OpFAdd", "Float64"] {
        assert!(error.contains(part), "{part} in: {error}");
    }
}

#[test]
fn a_row_of_functions_is_called_in_order() {
    let p = packed(&format!(
        "ANNOTATE %wide_of WHEN fp64 OTHERWISE %half_of
        ANNOTATE %half_of WHEN fp16 OTHERWISE %narrow_of
        OpCapability Float16
        FN %main
            %result = OpFunctionCall %float %wide_of %f1
            %double_it = OpFAdd %float %result %result
        END
        %half_of = OpFunction %float None %to_float
        %half_in = OpFunctionParameter %float
        %half_at = OpLabel
        %half_1 = OpFConvert %half %half_in
        %half_2 = OpFMul %half %half_1 %h1
        %half_3 = OpFConvert %float %half_2
        OpReturnValue %half_3
        OpFunctionEnd
        {FUNCTIONS}"
    ));
    p.are("wide_of", "fp64").are("half_of half", "fp16 && !fp64").are("narrow_of", "!fp16 && !fp64");
    p.capability("Float64", "fp64").capability("Float16", "fp16 && !fp64");
    assert_eq!(p.operands("result").len(), 2 + 3 * 2, "one of three");
    assert_eq!(p.packed.summary.warnings, []);
}

#[test]
fn clones_of_several_functions_have_their_constants_before_all() {
    let p = packed(&format!(
        "TIE 7 fp64
        TIE 8 fp16
        OpDecorate %mode SpecId 8
        %mode = OpSpecConstant %uint 0
        FN %main
            %wide_local = OpVariable %pdouble Function
            %result = OpFunctionCall %float %compute %f1
            OpSelectionMerge %end None
            OpSwitch %mode %otherwise 0 %end 1 %one
            %one = OpLabel
            OpStore %wide_local %d1 Volatile
            OpBranch %end
            %otherwise = OpLabel
            OpStore %wide_local %d1 Volatile
            OpBranch %end
            %end = OpLabel
        END
        {GUARDED}"
    ));
    p.capability("Float64", "fp16 || fp64");
    assert_eq!((p.count(Op::Switch), p.count(Op::BranchConditional)), (0, 0), "all is folded");
}

#[test]
fn blocks_that_never_run_need_nothing() {
    let p = packed(
        "TIE 1 fp16
        OpCapability Float64
        OpDecorate %mode SpecId 1
        %mode = OpSpecConstant %uint 0
        %pdouble = OpTypePointer Function %double
        FN %main
            %local = OpVariable %pdouble Function
            OpSelectionMerge %end None
            OpSwitch %mode %never 0 %end 1 %end
            %never = OpLabel
            %x = OpFAdd %double %d1 %d1
            OpStore %local %x
            OpBranch %end
            %end = OpLabel
        END",
    );
    p.capability("Float64", "gone").are("double pdouble", "gone");
}

#[test]
fn unused_definitions_require_nothing() {
    let p = packed(&format!(
        "ANNOTATE %wide WHEN fp64
        %unused = OpTypeVector %double 2
        %zero = OpConstantNull %unused
        %plain = OpTypeVector %float 2
        FN %main
            CALL %wide
        END
        {FUNCTIONS}"
    ));
    p.capability("Float64", "fp64").are("unused zero", "gone").are("plain", "always");
}

#[test]
fn device_constants_are_declared_where_nothing_else_is_conditional() {
    let options = TestOptions { dialect: Dialect::FunctionVariants, ..TestOptions::default() };
    let text = "TIE 7 fp64
        OpDecorate %use_double SpecId 7
        %use_double = OpSpecConstantTrue %bool
        FN %main
            %not = OpLogicalNot %bool %use_double
        END";
    let p = packed_with(text, &options);
    p.capability("FunctionVariantsINTEL", "always").extension("SPV_INTEL_function_variants", "always");
}

#[test]
fn clones_in_which_the_same_blocks_run_are_merged() {
    let leaves = ["fp16", "fp64", "gpu", "atomic64"];
    let mut text = String::from("OpCapability Float64\n");
    let mut body = String::new();
    for (at, leaf) in leaves.iter().enumerate() {
        text +=
            &format!("TIE {at} {leaf}\nOpDecorate %c{at} SpecId {at}\n%c{at} = OpSpecConstantFalse %bool\n");
        body += &match at {
            0 => String::new(),
            1 => "%both1 = OpLogicalAnd %bool %c0 %c1\n".to_owned(),
            _ => format!("%both{at} = OpLogicalAnd %bool %both{} %c{at}\n", at - 1),
        };
    }
    let p = packed(&format!(
        "{text}%pdouble = OpTypePointer Function %double
        FN %main
            %wide_local = OpVariable %pdouble Function
            {body}
            OpSelectionMerge %merge None
            OpBranchConditional %both3 %then %merge
            %then = OpLabel
            OpStore %wide_local %d1 Volatile
            OpBranch %merge
            %merge = OpLabel
        END"
    ));
    p.capability("Float64", "fp16 && fp64 && gpu && atomic64");
    assert_eq!(p.count(Op::Function), 3, "main, and two of sixteen");
}
