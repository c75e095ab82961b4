//! Modules that are multi-target already.

use spirv::{Decoration, Op};

use super::packed::{PackedText, packed};
use crate::loader::Module;

/// The module's own condition is `%own`; `%wide` has it already.
const MODULE: &str = "
    OpCapability Float64
    OpCapability SpecConditionalINTEL
    OpExtension \"SPV_INTEL_function_variants\"
    OpDecorate %own SpecId 4294967294
    %own = OpSpecConstantFalse %bool
    FN %main
        WHEN -1 6: %wide
        WHEN -1 5: %other
        CALL %ordinary
    END
    FN %wide
        %x = OpFAdd %double %d1 %d1
    END
    FN %other
    END
    FN %ordinary
    END
";

fn with(more: &str) -> PackedText {
    packed(&format!("{MODULE}{more}"))
}

#[test]
fn a_condition_that_is_there_is_joined_with_the_new_one() {
    let p = with("OpDecorate %wide ConditionalINTEL %own\nOpDecorate %main_wide ConditionalINTEL %own");
    let own_constant = p.id("own");
    p.are("wide main_wide", &format!("fp64 && constant(%{own_constant})")).are("other main_other", "fp16");
    assert_eq!(p.count(Op::Extension), 1);
    // It keeps its own SpecId, and no property mentions it.
    let leaves = p.leaves();
    assert!(!leaves.contains_key(&4294967294) && leaves.len() == 2, "{leaves:?}");
}

#[test]
fn a_condition_that_is_narrow_enough_is_kept() {
    let p = with(
        "OpDecorate %ordinary ConditionalINTEL %own
        OpDecorate %main_ordinary ConditionalINTEL %own",
    );
    assert_eq!(p.decoration(p.id("ordinary")), Some(p.id("own")));
    assert_eq!(p.decoration(p.id("main_ordinary")), Some(p.id("own")));
}

#[test]
fn expressions_over_constants_are_read() {
    let p = with(
        "OpDecorate %wide ConditionalINTEL %both
        OpDecorate %main_wide ConditionalINTEL %both
        OpDecorate %second SpecId 3
        %second = OpSpecConstantTrue %bool
        %not = OpSpecConstantOp %bool LogicalNot %second
        %both = OpSpecConstantOp %bool LogicalOr %own %not",
    );
    let (own_constant, second) = (p.id("own"), p.id("second"));
    p.are("wide main_wide", &format!("fp64 && (constant(%{own_constant}) || !constant(%{second}))"));
}

#[test]
fn shared_subexpressions_are_read_once() {
    // Written out, this has 2^40 leaves.
    let mut chain = String::from("%e0 = OpSpecConstantOp %bool LogicalAnd %own %own\n");
    for at in 1..40 {
        let before = at - 1;
        chain += &format!("%e{at} = OpSpecConstantOp %bool LogicalAnd %e{before} %e{before}\n");
    }
    let p = with(&format!(
        "OpDecorate %wide ConditionalINTEL %e39\nOpDecorate %main_wide ConditionalINTEL %e39\n{chain}"
    ));
    p.are("wide", &format!("fp64 && constant(%{})", p.id("own")));
}

#[test]
fn ordinary_calls_that_are_never_taken_are_removed_with_their_callees() {
    let text = MODULE.replace("CALL %ordinary", "CALL %holder");
    let p = packed(&format!(
        "{text}OpDecorate %main_holder ConditionalINTEL %not
        OpDecorate %holder ConditionalINTEL %not
        OpDecorate %holder_never ConditionalINTEL %own
        OpDecorate %never ConditionalINTEL %own
        %not = OpSpecConstantOp %bool LogicalNot %own
        FN %holder
            CALL %never
        END
        FN %never
        END"
    ));
    assert_eq!(p.decoration(p.id("holder")), Some(p.id("not")));
    p.are("never holder_never", "gone");
}

#[test]
fn constants_that_decide_are_needed_everywhere_whatever_else_uses_them() {
    let declarations = "OpConditionalCapabilityINTEL %not Float16
        OpDecorate %ordinary ConditionalINTEL %chosen
        OpDecorate %main_ordinary ConditionalINTEL %chosen
        OpDecorate %second SpecId 3
        %second = OpSpecConstantTrue %bool
        %not = OpSpecConstantOp %bool LogicalNot %own
        %chosen = OpSpecConstantOp %bool LogicalAnd %own %second";
    let uses = "%use_not = OpLogicalNot %bool %not\n%use_chosen = OpLogicalNot %bool %chosen\nEND";
    // In a function that is conditional, and in one that is removed.
    let conditional =
        MODULE.replace("FN %wide", &format!("FN %never\nEND\nFN %wide\n{}", &uses[..uses.len() - 4]));
    for text in [conditional, format!("{MODULE}\nFN %never\n{uses}")] {
        let p = packed(&format!("{text}\n{declarations}"));
        p.are("own second not chosen", "always").are("never", "gone").are("wide", "fp64");
    }
}

#[test]
fn results_of_impossible_calls_are_no_choices_any_more() {
    let text = MODULE.replace("CALL %ordinary", "CALL %holder");
    let p = packed(&format!(
        "{text}OpDecorate %main_holder ConditionalINTEL %own
        OpDecorate %holder ConditionalINTEL %own
        OpDecorate %first ConditionalINTEL %own
        OpDecorate %of_first ConditionalINTEL %own
        OpDecorate %second ConditionalINTEL %not
        OpDecorate %of_second ConditionalINTEL %not
        %not = OpSpecConstantOp %bool LogicalNot %own
        %to_int = OpTypeFunction %int
        FN %holder
            %of_first = OpFunctionCall %int %first
            %of_second = OpFunctionCall %int %second
            %one = OpConditionalCopyObjectINTEL %int %own %of_first %not %of_second
        END
        %first = OpFunction %int None %to_int
        %at_first = OpLabel
        OpReturnValue %i0
        OpFunctionEnd
        %second = OpFunction %int None %to_int
        %at_second = OpLabel
        OpReturnValue %i1
        OpFunctionEnd"
    ));
    p.are("of_second second i1", "gone");
    assert_eq!(p.operands("one"), ["int", "one", "own", "of_first"].map(|name| p.id(name)));
}

#[test]
fn a_group_that_brings_a_condition_cannot_be_narrowed() {
    let text = format!(
        "{MODULE}OpDecorate %group ConditionalINTEL %own\n%group = OpDecorationGroup\nOpGroupDecorate %group %wide %main_wide\nOpName %wide \"wide\""
    );
    let error = super::packed::error(&text);
    assert!(error.contains("decoration group") && error.contains("decorate it alone"), "{error}");
}

#[test]
fn decorations_stay_one_per_id() {
    let p = with("OpDecorate %wide ConditionalINTEL %own\nOpDecorate %main_wide ConditionalINTEL %own");
    let module = Module::from_words(&p.words).unwrap();
    let decorated = module
        .globals()
        .filter(|inst| inst.is(Op::Decorate) && inst.word(2) == Decoration::ConditionalINTEL as u32)
        .map(|inst| inst.word(1));
    let mut decorated: Vec<u32> = decorated.collect();
    let count = decorated.len();
    decorated.sort_unstable();
    decorated.dedup();
    assert_eq!(decorated.len(), count);
}

/// A conditional entry point is a root under its condition, and is not changed.
#[test]
fn a_conditional_entry_point_is_a_root_where_its_condition_holds() {
    let p = with(
        "OpEntryPoint GLCompute %main \"main\"
        OpConditionalEntryPointINTEL %own GLCompute %entry \"entry\"
        OpExecutionMode %entry LocalSize 1 1 1
        OpDecorate %entry ConditionalINTEL %own
        FN %entry
            CALL %from_entry
            WHEN -1 28: %atomic
        END
        FN %from_entry
        END
        FN %atomic
        END",
    );
    let condition = format!("constant(%{})", p.id("own"));
    p.are("entry from_entry", &condition)
        .are("atomic", &format!("atomic64 && {condition}"))
        .are("entry_atomic", "atomic64");
    assert_eq!(p.decoration(p.id("entry")), Some(p.id("own")));
    assert_eq!(p.count(Op::ConditionalEntryPointINTEL), 1);
}

/// The call's own condition is possible where its holder is, but not together with the one that the module gave it.
#[test]
fn a_conditional_call_that_contradicts_its_holder_is_removed() {
    let text = MODULE.replace("FN %ordinary\n", "FN %ordinary\nWHEN -1 28: %act\n");
    let p = packed(&format!(
        "{text}
        OpDecorate %main_ordinary ConditionalINTEL %own
        OpDecorate %ordinary_act ConditionalINTEL %not
        %not = OpSpecConstantOp %bool LogicalNot %own
        FN %act
        END"
    ));
    p.are("act ordinary_act", "gone");
}
