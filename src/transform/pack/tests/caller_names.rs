//! Conditions that the names of conditional callers carry.

use super::packed::{PackedText, error, packed};

/// Returns a module whose kernel calls a caller of this name, which takes `parameters` and calls `%wide`.
fn named(name: &str, parameters: &[&str], arguments: &str) -> String {
    let types = parameters.join(" ");
    let parameters: String =
        (0..).zip(parameters).map(|(at, type_)| format!("%p{at} = OpFunctionParameter {type_}\n")).collect();
    let type_ = if types.is_empty() { "%fn" } else { "%fn_caller" };
    let declared = format!("%fn_caller = OpTypeFunction %void {types}");
    format!(
        "OpName %caller \"{name}\"
        OpCapability Float64
        {}
        FN %main
            %the_call = OpFunctionCall %void %caller {arguments}
        END
        %caller = OpFunction %void None {type_}
        {parameters}
        %in = OpLabel
        %inner = OpFunctionCall %void %wide
        OpReturn
        OpFunctionEnd
        FN %wide
            %x = OpFAdd %double %d1 %d1
        END",
        if types.is_empty() { "" } else { &declared },
    )
}

const TEMPLATE: &str = "_ZN6detail31call_if_on_device_conditionallyIJLin1ELi6EEZ1kE3$_0EEvRT0_";
const IDENTIFIER: &str = "call_if_on_device_conditionally_n1_6_sum";

/// Checks that the fp64 way is conditional, and the call is one of the action, with these arguments.
#[track_caller]
fn works(outcome: PackedText, condition: &str, arguments: &[&str]) -> PackedText {
    let p = outcome;
    p.are("wide the_call double", condition).are("caller", "gone");
    p.capability("Float64", condition);
    let expected: Vec<u32> = ["wide"].iter().chain(arguments).map(|name| p.id(name)).collect();
    assert_eq!(p.call("the_call"), expected);
    p
}

#[test]
fn a_name_is_enough() {
    works(packed(&named(TEMPLATE, &[], "")), "fp64", &[]);
    works(packed(&named(IDENTIFIER, &[], "")), "fp64", &[]);
    works(
        packed(&named("call_if_on_device_conditionally_n4_n1_6_n3_n2_20", &[], "")),
        "fp64 && !arch(20)",
        &[],
    );
    // As a linkage name alone, although the OpName says nothing, and the other way round.
    for (linkage, name) in
        [(IDENTIFIER, "f"), (IDENTIFIER, "call_if_on_device_conditionally_1"), ("f", TEMPLATE)]
    {
        let text = named(name, &[], "");
        let text = format!("KERNEL\nOpDecorate %caller LinkageAttributes \"{linkage}\" Export\n{text}");
        works(packed(&text), "fp64", &[]);
    }
}

#[test]
fn arguments_may_say_the_same() {
    for name in [TEMPLATE, IDENTIFIER] {
        let p = works(packed(&named(name, &["%int", "%int"], "%n_m1 %n_6")), "fp64", &[]);
        p.are("n_m1 n_6", "gone");
    }
}

#[test]
fn arguments_must_not_say_something_else() {
    let message = error(&named(TEMPLATE, &["%int", "%int"], "%n_m1 %n_5"));
    assert!(
        message.contains("the condition in its name is [-1, 6], but the one in its arguments is [-1, 5]"),
        "{message}"
    );
    let message = error(&named(IDENTIFIER, &["%int", "%int", "%int"], "%n_m3 %n_m1 %n_6"));
    assert!(message.contains("[-1, 6], but the one in its arguments is [-3, -1, 6]"), "{message}");
}

#[test]
fn integers_that_are_no_condition_do_not_matter() {
    // Parameters of the action that it does not read, and conditions that an optimizer has replaced.
    for arguments in ["%n_7 %n_7", "%n_m1 %n_m3", "%undefined %undefined", "%sum %n_6"] {
        let text = named(IDENTIFIER, &["%int", "%int"], arguments)
            .replace("%the_call", "%sum = OpIAdd %int %n_7 %n_7\n%undefined = OpUndef %int\n%the_call");
        let p = packed(&text);
        p.are("wide the_call double", "fp64").are("caller", "gone").capability("Float64", "fp64");
        assert_eq!(p.call("the_call"), [p.id("wide")]);
    }
}

#[test]
fn an_action_that_was_moved_into_its_caller_keeps_its_arguments() {
    for (parameters, arguments) in [(&[][..], ""), (&["%int", "%int"], "%n_m1 %n_6"), (&["%int"], "%n_7")] {
        let text = named(IDENTIFIER, parameters, arguments)
            .replace("%inner = OpFunctionCall %void %wide", "%y = OpFMul %double %d1 %d1");
        let p = packed(&text);
        p.are("caller the_call double", "fp64").capability("Float64", "fp64");
        let kept = arguments.split_whitespace().map(|name| p.id(&name[1..]));
        assert_eq!(p.call("the_call"), [p.id("caller")].into_iter().chain(kept).collect::<Vec<u32>>());
    }
}

#[test]
fn an_imported_caller_may_carry_it_in_its_name() {
    for (parameters, arguments) in [("", ""), ("%int %int", "%n_m1 %n_6"), ("%int", "%n_7")] {
        let declared: String = (0..)
            .zip(parameters.split_whitespace())
            .map(|(at, type_)| format!("%q{at} = OpFunctionParameter {type_}\n"))
            .collect();
        let text = format!(
            "KERNEL
            OpCapability Float64
            OpCapability FunctionPointersINTEL
            OpExtension \"SPV_INTEL_function_pointers\"
            OpDecorate %caller LinkageAttributes \"{IDENTIFIER}\" Import
            %code = OpTypePointer CodeSectionINTEL %fn
            %fn_caller = OpTypeFunction %void %code {parameters}
            %pointer = OpConstantFunctionPointerINTEL %code %wide
            %caller = OpFunction %void None %fn_caller
            %q = OpFunctionParameter %code
            {declared}
            OpFunctionEnd
            FN %main
                %the_call = OpFunctionCall %void %caller %pointer {arguments}
            END
            FN %wide
                %x = OpFAdd %double %d1 %d1
            END"
        );
        if arguments == "%n_7" {
            // Neither an argument of the action nor a condition.
            let message = error(&text);
            assert!(message.contains("its condition [7] is not a Condition Expression"), "{message}");
            continue;
        }
        let p = works(packed(&text), "fp64", &[]);
        p.are("pointer code", "gone");
    }
}

#[test]
fn a_name_that_cannot_be_read_leaves_it_to_the_arguments() {
    let name = "call_if_on_device_conditionally_n1_SPIRV_IF_ASPECT_fp46_sum";
    works(packed(&named(name, &["%int", "%int"], "%n_m1 %n_6")), "fp64", &[]);
    let message = error(&named(name, &[], ""));
    assert!(message.contains("its name is not a condition from `SPIRV_IF_ASPECT_fp46_sum` on"), "{message}");
}

#[test]
fn a_series_in_template_arguments_must_be_a_condition() {
    let name = "_Z31call_if_on_device_conditionallyIJLin1ELi6ELi7EEiEvRT0_";
    let message = error(&named(name, &[], ""));
    assert!(message.contains("[-1, 6, 7] is not a Condition Expression"), "{message}");
}
