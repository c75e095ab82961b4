//! Loads of local variables whose value is known once branches are decided.

use super::kernel;
use super::unused::{case, off, text, with_debug};
use crate::transform::specialize::tests::support::{SpecializeCase, SpecializedCase};

/// Returns a selection that stays, with these instructions before it, in it, and behind it.
fn around(before: &str, inside: &str, behind: &str) -> String {
    format!(
        "%is_less = OpFOrdLessThan %bool %x %half
        {before}
        OpSelectionMerge %met None
        OpBranchConditional %is_less %then %met
        %then = OpLabel
        {inside}
        OpBranch %met
        %met = OpLabel
        {behind}"
    )
}

impl SpecializedCase<'_> {
    /// Returns the ids that are stored to the output, in order.
    fn outputs(&self, case: &SpecializeCase) -> Vec<u32> {
        let stores = self.all("OpStore");
        stores.iter().filter(|words| words[0] == case.id("out")).map(|words| words[1]).collect()
    }
}

/// Checks that each of these loads becomes the value of the last store, or of the only store, and that the variable is
/// removed.
#[test]
fn loads_have_the_value_that_was_stored() {
    let of_local = "%y = OpLoad %float %local";
    let element = "%first = OpAccessChain %to_local %parts %zero\nOpStore %first %x";
    let of_element = "%same = OpAccessChain %to_local %parts %zero\n%y = OpLoad %float %same";
    let other = "%second = OpAccessChain %to_local %parts %index_1\nOpStore %second %half";
    let copied = "%read = OpLoad %float %same_first\nOpStore %local %read";
    let cases = [
        format!("OpStore %local %x\n{of_local}"),
        format!("OpStore %local %half\nOpStore %local %x Aligned 4\n{of_local}"),
        around("OpStore %local %x", "", of_local),
        around("OpStore %local %half\nOpStore %local %x", other, of_local),
        around("", "OpStore %local %half", &format!("OpStore %local %x\n{of_local}")),
        around("OpStore %local %half", &format!("OpStore %local %x\n{of_local}\nOpStore %out %y"), ""),
        format!("{element}\n{other}\n{of_element}"),
        around(element, other, of_element),
        format!("{element}\n%same_first = OpAccessChain %to_local %parts %zero\n{copied}\n{of_local}"),
    ];
    for computes in cases {
        let computes = match computes.contains("OpStore %out") {
            true => computes,
            false => format!("{computes}\nOpStore %out %y"),
        };
        let case = case(&computes, "", "");
        let outcome = off(&case);
        assert_eq!(outcome.outputs(&case), [case.id("x")], "{computes}");
        assert!(
            !outcome.remains("y") && !outcome.remains("local") && !outcome.remains("parts"),
            "{computes}"
        );
    }
    // The initializer is a write.
    let loads = around("", "", &format!("{of_local}\nOpStore %out %y"));
    let text = text("", &loads, "", "");
    let text = text
        .replace("%local = OpVariable %to_local Function", "%local = OpVariable %to_local Function %half");
    let case = SpecializeCase::new(&text);
    assert_eq!(off(&case).outputs(&case), [case.id("half")]);
}

/// Checks that loads of unknown values stay, as do instructions with other effects than their value.
#[test]
fn loads_of_what_is_not_known_stay() {
    let of_local = "%y = OpLoad %float %local";
    let element = "%first = OpAccessChain %to_local %vector %zero\nOpStore %first %x";
    let of_element = "%y = OpLoad %float %first";
    let any = "%index = OpConvertFToU %uint %x
        %any = OpAccessChain %to_local %vector %index
        OpStore %any %half";
    let in_a_loop = "OpBranch %head
        %head = OpLabel
        %y = OpLoad %float %local
        OpStore %local %x
        OpLoopMerge %after %next None
        OpBranch %body
        %body = OpLabel
        %is_less = OpFOrdLessThan %bool %y %half
        OpBranchConditional %is_less %next %after
        %next = OpLabel
        OpBranch %head
        %after = OpLabel";
    let cases = [
        around("", "OpStore %local %x", of_local),
        around("OpStore %local %x", "OpStore %local %half", of_local),
        in_a_loop.to_owned(),
        format!("OpStore %local %x\nOpStore %local %x\n{in_a_loop}"),
        around("OpStore %local %half\nOpStore %local %x", "OpStore %local %half", of_local),
        format!("OpStore %local %x\n%called = OpFunctionCall %float %changes %local\n{of_local}"),
        format!("OpStore %local %x Volatile\n{of_local}"),
        format!("OpStore %local %x\n{of_local} Volatile"),
        format!("{element}\n{any}\n{of_element}"),
        format!("{element}\nOpStore %vector %middle\n{of_element}"),
        // Each use of an OpUndef may have another value.
        format!("%undefined = OpUndef %float\nOpStore %local %undefined\n{of_local}"),
        around("", element, "%same = OpAccessChain %to_local %vector %zero\n%y = OpLoad %float %same"),
    ];
    let globals = "%to_v2 = OpTypePointer Function %v2
        %taking_pointer = OpTypeFunction %float %to_local";
    let function = "
        %changes = OpFunction %float None %taking_pointer
        %pointer = OpFunctionParameter %to_local
        %changes_start = OpLabel
        OpStore %pointer %half
        OpReturnValue %half
        OpFunctionEnd";
    let build = |decoration: &str, computes: &str| {
        let text =
            text(&[globals, decoration].join("\n"), &format!("{computes}\nOpStore %out %y"), "", function);
        let text = text.replace("%x = OpLoad", "%vector = OpVariable %to_v2 Function\n%x = OpLoad");
        let text =
            text.replace("OpCapability Shader\n", "OpCapability Shader\nOpCapability ShaderNonUniform\n");
        SpecializeCase::new(&text).valid("spv1.6")
    };
    for computes in cases {
        let case = build("", &computes);
        assert!(off(&case).remains("y"), "{computes}");
    }
    let plain = format!("OpStore %local %x\n{of_local}");
    for (decoration, stays) in
        [("", false), ("OpDecorate %y RelaxedPrecision", false), ("OpDecorate %y NonUniform", true)]
    {
        let case = build(decoration, &plain);
        assert_eq!(off(&case).remains("y"), stays, "{decoration}");
    }
}

/// Forwarding makes no OpPhi that a driver has a defect with (`spec-extensions/driver-defects.csv`).
#[test]
fn boolean_phis_keep_their_values() {
    let computes = "%is_less = OpFOrdLessThan %bool %x %half
        OpStore %truth %is_less
        OpBranch %head
        %head = OpLabel
        %more = OpPhi %bool %is_less %start %again %next
        OpLoopMerge %after %next None
        OpBranchConditional %more %body %after
        %body = OpLabel
        OpBranch %next
        %next = OpLabel
        %again = OpLoad %bool %truth
        OpBranch %head
        %after = OpLabel
        OpStore %out %x";
    let text = text("%to_truth = OpTypePointer Function %bool", computes, "", "");
    let text = text.replace("%x = OpLoad", "%truth = OpVariable %to_truth Function\n%x = OpLoad");
    let case = SpecializeCase::new(&text);
    assert!(off(&case.valid("spv1.6")).remains("again"));
}

/// In a kernel, a scope may be any value, but not any constant.
#[test]
fn constants_do_not_replace_loads_in_kernels() {
    let text = "
        %two = OpConstant %uint 2
        %many = OpConstant %uint 77
        %type = OpTypeFunction %void %uint
        %main = OpFunction %void None %type
        %given = OpFunctionParameter %uint
        %start = OpLabel
        %constant = OpVariable %to_uint Function
        %value = OpVariable %to_uint Function
        OpStore %constant %many
        OpStore %value %given
        OpBranchConditional %flag %never %end
        %never = OpLabel
        OpBranch %end
        %end = OpLabel
        %y = OpLoad %uint %constant
        OpControlBarrier %y %y %two
        %z = OpLoad %uint %value
        OpControlBarrier %z %z %two
        OpReturn
        OpFunctionEnd";
    let case = kernel(text);
    let outcome = off(&case);
    outcome.valid("opencl2.2");
    assert!(outcome.remains("y") && !outcome.remains("z"));
}

/// Checks an OpPhi in a kernel that may write through a pointer that comes after it.
#[test]
fn loads_stay_where_a_later_pointer_writes() {
    let text = "
        %type = OpTypeFunction %void %uint %to_result
        %main = OpFunction %void None %type
        %given = OpFunctionParameter %uint
        %result = OpFunctionParameter %to_result
        %start = OpLabel
        %local = OpVariable %to_uint Function
        %other = OpVariable %to_uint Function
        OpStore %local %given
        OpBranch %head
        %head = OpLabel
        %either = OpPhi %to_uint %other %start %later %next
        %changed = OpLoad %uint %result
        OpStore %either %changed
        %more = OpULessThan %bool %given %changed
        OpLoopMerge %after %next None
        OpBranchConditional %more %next %after
        %next = OpLabel
        %later = OpInBoundsAccessChain %to_uint %local
        OpBranch %head
        %after = OpLabel
        OpBranchConditional %flag %never %end
        %never = OpLabel
        OpBranch %end
        %end = OpLabel
        %y = OpLoad %uint %local
        OpStore %result %y
        OpReturn
        OpFunctionEnd";
    assert!(off(&kernel(text)).remains("y"));
}

/// Checks that a block stays if it does not begin with a position in the source, in a function with positions: they
/// hold until the end of a block. The values in the block are known nevertheless.
#[test]
fn blocks_without_positions_of_their_own_stay() {
    let file = "%file = OpString \"a.frag\"";
    for (string, line, end_stays) in
        [("", "", false), (file, "", false), ("", "OpNoLine\n", false), (file, "OpLine %file 1 1\n", true)]
    {
        let computes = "OpStore %local %x";
        let uses = format!("{line}%y = OpLoad %float %local\nOpStore %out %y");
        let case = with_debug(string, computes, &uses, "");
        let outcome = super::unused::on(&case);
        assert_eq!((outcome.remains("yes"), outcome.remains("end")), (false, end_stays));
        assert!(!outcome.remains("y"));
    }
}
