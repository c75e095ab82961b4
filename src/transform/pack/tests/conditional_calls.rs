//! Tests of conditional calls: their forms, and the errors of malformed ones.

use spirv::Op;

use super::packed::{PackedText, TestOptions, error, pack_words, packed};
use crate::test_support::program::expand;
use crate::test_support::{assemble_named, assert_valid};

/// Returns a caller with a body, under a type of its own: `parameters` and `arguments` are texts, the body is given.
fn caller(parameters: &[&str], body: &str, arguments: &str, more: &str) -> String {
    let types = parameters.join(" ");
    let parameters: String =
        (0..).zip(parameters).map(|(at, type_)| format!("%p{at} = OpFunctionParameter {type_}\n")).collect();
    format!(
        "OpName %caller \"call_if_on_device_conditionally_by_hand\"
        OpCapability Float64
        %fn_caller = OpTypeFunction %void {types}
        FN %main
            %the_call = OpFunctionCall %void %caller {arguments}
        END
        %caller = OpFunction %void None %fn_caller
        {parameters}
        %in = OpLabel
        {body}
        OpReturn
        OpFunctionEnd
        FN %wide
            %x = OpFAdd %double %d1 %d1
        END
        {more}"
    )
}

const BARE: &str = "%inner = OpFunctionCall %void %wide";

/// Checks that the fp64 way is conditional, and the call is one of the action itself.
#[track_caller]
fn works(outcome: PackedText, condition: &str) -> PackedText {
    let p = outcome;
    p.are("wide the_call double d1", condition).are("caller fn_caller", "gone");
    p.capability("Float64", condition);
    assert_eq!(p.call("the_call")[0], p.id("wide"));
    p
}

#[test]
fn constants_of_every_width_and_sign_are_read() {
    for (width, sign, values) in [
        (8, 1, "-1 6"),
        (16, 1, "-1 6"),
        (32, 1, "-1 6"),
        (64, 1, "-1 6"),
        (8, 0, "255 6"),
        (16, 0, "65535 6"),
        (32, 0, "4294967295 6"),
        (64, 0, "18446744073709551615 6"),
    ] {
        let (first, second) = values.split_once(' ').unwrap();
        let capability = match width {
            8 => "OpCapability Int8",
            16 => "OpCapability Int16",
            64 => "OpCapability Int64",
            _ => "",
        };
        let more = format!(
            "{capability}\n%i = OpTypeInt {width} {sign}\n%first = OpConstant %i {first}\n%second = OpConstant %i {second}"
        );
        // Types come in order of definition, so the parameters' type stands in what comes first.
        let text = format!("{more}\n{}", caller(&["%i", "%i"], BARE, "%first %second", ""));
        works(packed(&text), "fp64");
    }
}

#[test]
fn a_null_constant_is_zero() {
    let text = caller(&["%int", "%int"], BARE, "%n_m1 %null", "%null = OpConstantNull %int");
    // Aspect 0 is `host`.
    works(packed(&text), "host");
}

#[test]
fn constants_are_read_through_variables_that_are_stored_once() {
    // As glslang passes `in` parameters. The variables go with the call.
    let text = caller(
        &["%pint", "%pint"],
        BARE,
        "%v0 %v1",
        "OpName %v0 \"param\"
        OpDecorate %v1 RelaxedPrecision",
    )
    .replace(
        "%the_call =",
        "%v0 = OpVariable %pint Function\n%v1 = OpVariable %pint Function\nOpStore %v0 %n_m1\nOpStore %v1 %n_6\n%the_call =",
    );
    let p = works(packed(&text), "fp64");
    p.are("v0 v1 n_m1 n_6 pint", "gone");
    assert_eq!(p.count(Op::Store), 0);
}

#[test]
fn a_variable_with_other_uses_is_kept() {
    let text = caller(&["%pint", "%int"], BARE, "%v0 %n_6", "").replace(
        "%the_call =",
        "%v0 = OpVariable %pint Function\nOpStore %v0 %n_m1\n%again = OpLoad %int %v0\n%sum = OpIAdd %int %again %again\n%the_call =",
    );
    let p = works(packed(&text), "fp64");
    p.are("v0 n_m1", "always").are("n_6", "gone");
}

#[test]
fn a_body_may_store_its_parameters_to_variables() {
    // As clang does without optimization.
    let body = "%a0 = OpVariable %pint Function
        %a1 = OpVariable %pint Function
        OpStore %a0 %p0
        OpStore %a1 %p1
        %inner = OpFunctionCall %void %wide";
    let p = works(packed(&caller(&["%int", "%int"], body, "%n_m1 %n_6", "")), "fp64");
    assert_eq!(p.count(Op::Variable), 0);
}

#[test]
fn blocks_may_follow_one_another() {
    // As naga writes every body.
    let body = "OpBranch %then\n%then = OpLabel\n%inner = OpFunctionCall %void %wide";
    works(packed(&caller(&["%int", "%int"], body, "%n_m1 %n_6", "")), "fp64");
    // A body that forks is the action itself.
    let body = "OpSelectionMerge %end None\nOpBranchConditional %true %then %end\n%then = OpLabel
        %inner = OpFunctionCall %void %wide\nOpBranch %end\n%end = OpLabel";
    let p = packed(&caller(&["%int", "%int"], body, "%n_m1 %n_6", ""));
    p.are("caller fn_caller wide the_call", "fp64");
}

#[test]
fn integers_before_the_condition_that_the_body_uses_are_the_actions() {
    // -3, -1, 6 would be "not fp64"; but the first is passed on.
    let text =
        caller(&["%int", "%int", "%int"], "%inner = OpFunctionCall %void %take %p0", "%n_m3 %n_m1 %n_6", "")
            + "
        %fn_int = OpTypeFunction %void %int
        %take = OpFunction %void None %fn_int
        %taken = OpFunctionParameter %int
        %in_take = OpLabel
        %went = OpFunctionCall %void %wide
        OpReturn
        OpFunctionEnd";
    let p = packed(&text);
    p.are("take wide the_call", "fp64").are("caller n_m1 n_6", "gone").are("n_m3", "always");
    assert_eq!(p.call("the_call"), [p.id("take"), p.id("n_m3")]);
}

#[test]
fn arguments_are_prepared_at_the_call() {
    // The instructions on its parameters are at the call instead, with the call's own arguments and decorations.
    let body = "%vp = OpVariable %pint Function
        OpStore %vp %p0
        %loaded = OpLoad %int %vp
        %copy = OpCopyObject %int %loaded
        %inner = OpFunctionCall %void %take %copy";
    let text = caller(&["%int", "%int", "%int"], body, "%i1 %n_m1 %n_6", "OpDecorate %copy RelaxedPrecision")
        + "
        %fn_int = OpTypeFunction %void %int
        %take = OpFunction %void None %fn_int
        %taken = OpFunctionParameter %int
        %in_take = OpLabel
        %went = OpFunctionCall %void %wide
        OpReturn
        OpFunctionEnd";
    let p = packed(&text);
    p.are("take wide the_call", "fp64").are("caller copy loaded vp", "gone").are("i1 pint", "always");
    let module = crate::loader::Module::from_words(&p.words).unwrap();
    let copied = module.definition(p.call("the_call")[1]).unwrap();
    assert!(copied.is(Op::CopyObject));
    let loaded = module.definition(copied.word(3)).unwrap();
    assert!(loaded.is(Op::Load));
    let stored: Vec<u32> = module
        .instructions()
        .filter(|inst| inst.is(Op::Store) && inst.word(1) == loaded.word(3))
        .map(|inst| inst.word(2))
        .collect();
    assert_eq!(stored, [p.id("i1")]);
    let decorated = module.globals().filter(|inst| inst.is(Op::Decorate) && inst.word(1) == copied.word(2));
    assert_eq!(
        decorated.map(|inst| inst.word(2)).collect::<Vec<u32>>(),
        [spirv::Decoration::RelaxedPrecision as u32]
    );
}

#[test]
fn a_variable_of_another_type_than_the_parameters_is_kept_in_the_caller() {
    // A result that is returned through memory: at the call, every device would require its type.
    let body = "%vp = OpVariable %pdouble Function\n%inner = OpFunctionCall %void %take %vp";
    let text = caller(
        &["%int", "%int"],
        body,
        "%n_m1 %n_6",
        "%pdouble = OpTypePointer Function %double
        %fn_double = OpTypeFunction %void %pdouble
        %take = OpFunction %void None %fn_double
        %taken = OpFunctionParameter %pdouble
        %in_take = OpLabel
        %went = OpFunctionCall %void %wide
        OpReturn
        OpFunctionEnd",
    );
    let p = packed(&text);
    p.are("caller take wide the_call double pdouble", "fp64").capability("Float64", "fp64");
    assert_eq!(p.call("the_call")[0], p.id("caller"));
}

#[test]
fn a_body_that_does_the_work_itself_is_the_action() {
    let body = "%x = OpFAdd %double %d1 %d1\n%y = OpFMul %double %x %x";
    let text = caller(&["%int", "%int"], body, "%n_m1 %n_6", "")
        .replace("FN %wide\n            %x = OpFAdd %double %d1 %d1\n        END", "");
    let p = packed(&text);
    p.are("caller the_call double fn_caller", "fp64").are("n_m1 n_6", "always");
    p.capability("Float64", "fp64");
    assert_eq!(p.call("the_call"), [p.id("caller"), p.id("n_m1"), p.id("n_6")]);
}

#[test]
fn a_caller_into_which_a_conditional_call_was_moved_keeps_both_conditions() {
    // An optimizer moved the action of the outer one, which only calls the inner one, into its body.
    let text = caller(&["%int", "%int"], "WHEN -1 5: %wide", "%n_m1 %n_6", "");
    let text = text.replace("%fn_caller = OpTypeFunction %void %int %int", "").replace("%fn_caller", "%fn_2");
    let p = packed(&text);
    p.are("caller the_call", "fp64").are("wide double", "fp64 && fp16").are("caller_wide", "fp16");
    p.are("caller_wide_2", "gone");
}

#[test]
fn conditional_calls_nest() {
    let p = packed(
        "OpCapability Float64
        OpCapability Float16
        FN %main
            WHEN -1 6: %wide
        END
        FN %wide
            %x = OpFAdd %double %d1 %d1
            WHEN -1 5: %both
        END
        FN %both
            %y = OpFAdd %half %h1 %h1
        END",
    );
    p.are("wide main_wide double", "fp64")
        .are("both half", "fp16 && fp64")
        .capability("Float16", "fp16 && fp64");
    // Where the holder is present, the rest of its own condition remains.
    p.are("wide_both", "fp16");
}

#[test]
fn a_helper_of_the_header_is_an_ordinary_function() {
    let p = packed(
        "OpName %helper \"call_if_on_device_conditionally_helper\"
        OpCapability Float64
        FN %main
            CALL %helper
        END
        FN %helper
            WHEN -1 6: %wide
        END
        FN %wide
            %x = OpFAdd %double %d1 %d1
        END",
    );
    p.are("main_helper helper", "always").are("wide", "fp64");
}

#[test]
fn a_linkage_name_makes_a_caller_too() {
    let p = packed(
        "KERNEL
        OpCapability Float64
        OpDecorate %caller LinkageAttributes \"_Z36call_if_on_device_conditionally_halfii\" Export
        %fn_caller = OpTypeFunction %void %int %int
        FN %main
            %the_call = OpFunctionCall %void %caller %n_m1 %n_6
        END
        %caller = OpFunction %void None %fn_caller
        %p0 = OpFunctionParameter %int
        %p1 = OpFunctionParameter %int
        %in = OpLabel
        %inner = OpFunctionCall %void %wide
        OpReturn
        OpFunctionEnd
        FN %wide
            %x = OpFAdd %double %d1 %d1
        END",
    );
    works(p, "fp64");
}

/// Returns a kernel that calls an imported caller with function pointers.
fn import(call: &str, arguments: &[&str], parameters: &str) -> String {
    let types = arguments.join(" ");
    let declared: String =
        (0..).zip(arguments).map(|(at, type_)| format!("%q{at} = OpFunctionParameter {type_}\n")).collect();
    format!(
        "KERNEL
        OpCapability Float64
        OpCapability Int8
        OpCapability GenericPointer
        OpCapability FunctionPointersINTEL
        OpExtension \"SPV_INTEL_function_pointers\"
        OpDecorate %caller LinkageAttributes \"call_if_on_device_conditionally_1\" Import
        {}
        %code = OpTypePointer CodeSectionINTEL %fn_wide
        {}
        %generic = OpTypePointer Generic %char
        %fn_caller = OpTypeFunction %void {types}
        %pointer = OpConstantFunctionPointerINTEL %code %wide
        %caller = OpFunction %void None %fn_caller
        {declared}
        OpFunctionEnd
        FN %main
            {call}
        END
        %wide = OpFunction %void None %fn_wide
        {}
        %in_wide = OpLabel
        %x = OpFAdd %double %d1 %d1
        OpReturn
        OpFunctionEnd",
        if parameters.is_empty() {
            String::new()
        } else {
            format!("%fn_wide = OpTypeFunction %void {parameters}")
        },
        if call.contains("%generic_fn") { "%generic_fn = OpTypePointer Generic %fn_wide" } else { "" },
        (0..)
            .zip(parameters.split_whitespace())
            .map(|(at, type_)| format!("%w{at} = OpFunctionParameter {type_}\n"))
            .collect::<String>()
    )
    .replace("%fn_wide", if parameters.is_empty() { "%fn" } else { "%fn_wide" })
}

#[test]
fn an_imported_caller_takes_a_function_pointer() {
    let direct = import(
        "%the_call = OpFunctionCall %void %caller %pointer %n_m1 %n_6",
        &["%code", "%int", "%int"],
        "",
    );
    let cast = import(
        "%casted = OpPtrCastToGeneric %generic_fn %pointer
        %bits = OpBitcast %generic %casted
        %the_call = OpFunctionCall %void %caller %bits %n_m1 %n_6",
        &["%generic", "%int", "%int"],
        "",
    );
    for text in [direct, cast] {
        let p = works(packed(&text), "fp64");
        p.are("pointer code n_m1 n_6", "gone");
        p.capability("FunctionPointersINTEL", "gone").extension("SPV_INTEL_function_pointers", "gone");
        assert_eq!(p.count(Op::PtrCastToGeneric) + p.count(Op::Bitcast), 0);
    }
}

/// LLVM's translator writes this for the design's pass.
#[test]
fn an_imported_caller_takes_the_function_itself() {
    let call = "%the_call = OpFunctionCall %void %caller %wide %n_m1 %n_6";
    let text = import(call, &["%code", "%int", "%int"], "").replace("CodeSectionINTEL", "Function");
    let text = text.replace("%pointer = OpConstantFunctionPointerINTEL %code %wide", "");
    let (words, ids) = assemble_named(&expand(&text), "spv1.2");
    let outcome = pack_words(words, ids, &TestOptions::default()).unwrap();
    assert_valid(&outcome.words, "spv1.2");
    works(outcome, "fp64").are("code n_m1 n_6", "gone");
}

#[test]
fn casts_of_function_pointers_may_serve_several_conditional_calls() {
    let text = import(
        "%casted = OpPtrCastToGeneric %generic_fn %pointer
        %bits = OpBitcast %generic %casted
        %other_bits = OpBitcast %generic %casted
        %the_call = OpFunctionCall %void %caller %bits %n_m1 %n_6
        %second = OpFunctionCall %void %caller %bits %n_m1 %n_5
        %third = OpFunctionCall %void %caller %other_bits %n_m1 %n_3",
        &["%generic", "%int", "%int"],
        "",
    );
    let p = packed(&text);
    p.are("wide double", "fp64 || fp16 || accelerator").are("casted bits other_bits pointer", "gone");
    p.are("the_call", "fp64").are("second", "fp16").are("third", "accelerator");
}

#[test]
fn a_function_pointer_that_is_used_otherwise_is_a_use() {
    let text = import(
        "%casted = OpPtrCastToGeneric %generic_fn %pointer
        %bits = OpBitcast %generic %casted
        %the_call = OpFunctionCall %void %caller %bits %n_m1 %n_6
        %number = OpConvertPtrToU %int %bits",
        &["%generic", "%int", "%int"],
        "",
    );
    let p = packed(&text);
    p.are("wide double pointer bits", "always").are("the_call", "fp64");
}

#[test]
fn integers_of_the_action_may_stand_before_the_condition_of_an_import() {
    // All of 7, -3, -1, 6 are constants: how many the action takes decides.
    for (parameters, condition) in [("%int", "!fp64"), ("%int %int", "fp64")] {
        let text = import(
            "%the_call = OpFunctionCall %void %caller %pointer %n_7 %n_m3 %n_m1 %n_6",
            &["%code", "%int", "%int", "%int", "%int"],
            parameters,
        );
        let p = packed(&text);
        p.are("wide the_call", condition);
        let expected = [p.id("wide"), p.id("n_7"), p.ids["n_m3"]];
        assert_eq!(p.call("the_call"), expected[..1 + parameters.split_whitespace().count()]);
    }
}

#[test]
fn a_result_that_is_not_used_may_be_none() {
    let text = "OpName %main \"main\"
        OpName %caller \"call_if_on_device_conditionally_1\"
        OpCapability Float64
        %fn_caller = OpTypeFunction %int %int %int
        %fn_wide = OpTypeFunction %int
        FN %main
            %the_call = OpFunctionCall %int %caller %n_m1 %n_6
        END
        %caller = OpFunction %int None %fn_caller
        %p0 = OpFunctionParameter %int
        %p1 = OpFunctionParameter %int
        %in = OpLabel
        %inner = OpFunctionCall %int %wide
        OpReturnValue %inner
        OpFunctionEnd
        %wide = OpFunction %int None %fn_wide
        %in_wide = OpLabel
        %x = OpFAdd %double %d1 %d1
        OpReturnValue %i1
        OpFunctionEnd";
    works(packed(text), "fp64");
    let used =
        text.replace("END\n        %caller", "%y = OpIAdd %int %the_call %the_call\nEND\n        %caller");
    // Also where nothing comes of it: without the call there is no id to store.
    let stored = text.replace("%the_call = ", "%v = OpVariable %pint Function\n%the_call = ");
    let stored = stored.replace("END\n        %caller", "OpStore %v %the_call\nEND\n        %caller");
    for text in [used, stored] {
        let error = error(&text);
        says(
            &error,
            &["main", "call_if_on_device_conditionally_1", "result", "is used", "through a pointer"],
        );
    }
}

#[track_caller]
fn says(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "no {part:?} in: {error}");
    }
}

/// Checks the error for a call with these arguments, which must name the caller, the callee and `parts`.
#[track_caller]
fn complains(arguments: &str, more: &str, parts: &[&str]) {
    let count = arguments.split_whitespace().count();
    let text = caller(&vec!["%int"; count], BARE, arguments, more);
    let error = error(&format!("OpName %main \"main\"\n{text}"));
    says(&error, &["in main", "call_if_on_device_conditionally_by_hand"]);
    says(&error, parts);
}

#[test]
fn errors_name_the_argument_the_cause_and_the_remedy() {
    complains(
        "%n_m1 %undef",
        "%undef = OpUndef %int",
        &["argument 2 is OpUndef", "Put the condition into the wrapper's name"],
    );
    complains("", "", &["no trailing integer arguments", "keep the arguments alive"]);
    complains(
        "%n_m1 %spec",
        "%spec = OpSpecConstant %int 6\nOpDecorate %spec SpecId 1",
        &["argument 2", "not a constant", "OpSpecConstant"],
    );
    complains("%n_m4 %n_m1 %n_6", "", &["[-4, -1, 6]", "not a Condition Expression"]);
    complains("%n_m1 %n_6 %n_m1 %n_5", "", &["[-1, 6, -1, 5]", "not a Condition Expression"]);
    complains("%n_m9 %n_6", "", &["[-9, 6]", "-9"]);
    complains("%n_m1 %n_m6", "", &["[-1, -6]", "-6"]);
}

#[test]
fn conditions_that_are_not_constant_are_an_error() {
    let stored_twice = caller(&["%pint", "%int"], BARE, "%v0 %n_6", "").replace(
        "%the_call =",
        "%v0 = OpVariable %pint Function\nOpStore %v0 %n_m1\nOpStore %v0 %n_m2\n%the_call =",
    );
    let parameter = caller(&["%int", "%int"], BARE, "%n_m1 %given", "%fn_int = OpTypeFunction %void %int")
        .replace(
            "FN %main",
            "%other = OpFunction %void None %fn_int\n%given = OpFunctionParameter %int\n%at = OpLabel",
        )
        .replacen("END", "OpReturn\nOpFunctionEnd\nFN %main\nEND", 1);
    let computed = caller(&["%int", "%int"], BARE, "%n_m1 %sum", "")
        .replace("%the_call =", "%sum = OpIAdd %int %i1 %i1\n%the_call =");
    let wide = "OpCapability Int64\n%big = OpConstant %long 4294967299\n".to_string()
        + &caller(&["%long", "%long"], BARE, "%big %big", "");
    for (text, part) in [
        (stored_twice, "argument 1 of the condition is not a constant"),
        (parameter, "argument 2 of the condition is not a constant (OpFunctionParameter"),
        (computed, "argument 2 of the condition is not a constant (OpIAdd"),
        (wide, "argument 1 of the condition is not a constant (4294967299 has more than 32 bits)"),
    ] {
        let error = error(&text);
        says(&error, &["call_if_on_device_conditionally_by_hand", part, "known when the module is compiled"]);
    }
}

#[test]
fn an_imported_caller_without_a_pointer_is_an_error() {
    let none = import("%the_call = OpFunctionCall %void %caller %n_m1 %n_6", &["%int", "%int"], "");
    let few = import(
        "%the_call = OpFunctionCall %void %caller %pointer %n_m1 %n_6",
        &["%code", "%int", "%int"],
        "%int %int %int",
    );
    let many = import(
        "%the_call = OpFunctionCall %void %caller %pointer %f1 %n_m1 %n_6",
        &["%code", "%float", "%int", "%int"],
        "",
    );
    let no_condition = import("%the_call = OpFunctionCall %void %caller %pointer", &["%code"], "");
    for (text, parts) in [
        (none, &["has no body", "function pointer"]),
        (few, &["takes 3 arguments", "there are 0 between"]),
        (many, &["takes 0 arguments", "there are 1 between"]),
        (no_condition, &["no trailing integer arguments", "keep the arguments alive"]),
    ] {
        let error = error(&text);
        says(&error, &["call_if_on_device_conditionally_1"]);
        says(&error, parts);
    }
}

#[test]
fn casts_that_go_in_circles_end() {
    let text = import(
        "%one_way = OpBitcast %generic %other_way
        %other_way = OpBitcast %generic %one_way
        %the_call = OpFunctionCall %void %caller %one_way %n_m1 %n_6",
        &["%generic", "%int", "%int"],
        "",
    );
    let error = error(&text);
    says(&error, &["has no body", "function pointer"]);
}
