//! Values that conditions read through memory and calls: some follow a constant, and other code may change the rest.

use super::{Flow, Running, Solution};
use crate::analysis::calls::DirectCalls;
use crate::loader::Module;
use crate::test_support::assemble_named;

const HEAD: &str = "
    OpCapability Shader
    OpCapability Linkage
    OpCapability VariablePointers
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main \"main\" %id
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %id BuiltIn GlobalInvocationId
    OpDecorate %flag SpecId 0
    OpDecorate %number SpecId 1
    OpDecorate %exported LinkageAttributes \"exported\" Export
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %uint3 = OpTypeVector %uint 3
    %0u = OpConstant %uint 0
    %1u = OpConstant %uint 1
    %2u = OpConstant %uint 2
    %3u = OpConstant %uint 3
    %true = OpConstantTrue %bool
    %false = OpConstantFalse %bool
    %flag = OpSpecConstantTrue %bool
    %number = OpSpecConstant %uint 1
    %array = OpTypeArray %uint %3u
    %pair = OpTypeStruct %bool %array
    %carry = OpTypeStruct %uint %uint
    %table = OpConstantComposite %array %0u %1u %2u
    %float = OpTypeFloat 32
    %float2 = OpTypeVector %float 2
    %matrix = OpTypeMatrix %float2 2
    %0f = OpConstant %float 0
    %1f = OpConstant %float 1
    %2f = OpConstant %float 2
    %4f = OpConstant %float 4
    %rows = OpConstantComposite %float2 %1f %2f
    %70u = OpConstant %uint 70
    %many = OpTypeArray %uint %70u
    %to_many = OpTypePointer Function %many
    %to_matrix = OpTypePointer Function %matrix
    %to_bool = OpTypePointer Function %bool
    %to_uint = OpTypePointer Function %uint
    %to_array = OpTypePointer Function %array
    %to_pair = OpTypePointer Function %pair
    %to_private = OpTypePointer Private %bool
    %to_shared = OpTypePointer Workgroup %bool
    %to_input = OpTypePointer Input %uint3
    %id = OpVariable %to_input Input
    %private = OpVariable %to_private Private
    %exported = OpVariable %to_private Private
    %initialized = OpVariable %to_private Private %false
    %shared = OpVariable %to_shared Workgroup
    %action = OpTypeFunction %void
    %getter = OpTypeFunction %bool
    %of_uint = OpTypeFunction %bool %uint
    %of_bool = OpTypeFunction %bool %bool
    %of_pointer = OpTypeFunction %void %to_bool
    %of_pointers = OpTypeFunction %bool %to_bool %to_bool
    ";

/// The instructions of `main` before a branch on `%condition` to `%yes` or `%no`, and other functions.
type BranchCase<'c> = (&'c str, &'c str);

/// Returns the outcome of the branch where the constants have values: `Some(true)` if only `%yes` runs, `None` if both may.
fn outcome(head: &str, (body, functions): BranchCase, flag: u64, number: u64) -> Option<bool> {
    let text = format!(
        "{head} %main = OpFunction %void None %action
        %start = OpLabel
        {body}
        OpSelectionMerge %no None
        OpBranchConditional %condition %yes %no
        %yes = OpLabel
        OpBranch %no
        %no = OpLabel
        OpReturn
        OpFunctionEnd
        {functions}"
    );
    let (words, ids) = assemble_named(&text, "spv1.5");
    let module = Module::from_words(&words[..]).unwrap();
    let (flow, mut solution) = (Flow::new(&module, &DirectCalls::new(&module)), Solution::default());
    let known = &mut |id| {
        [("flag", flag), ("number", number)]
            .into_iter()
            .find(|constant| ids[constant.0] == id)
            .map(|constant| constant.1)
    };
    let solved = flow.solve(&module, &mut solution, Running::Called, known);
    let blocks = flow.blocks(0).expect(body);
    let decision = solved.decisions(0).find(|&(block, _)| {
        let terminator = module.instruction(blocks.get(block as usize).terminator);
        terminator.word(1) == ids["condition"]
    });
    decision.map(|(_, target)| blocks.get(target as usize).label(&module) == ids["yes"])
}

/// Asserts that the branch depends on `%flag`, and on `%number` being 1.
#[track_caller]
fn assert_follows(case: BranchCase) {
    assert_follows_in(HEAD, case);
}

#[track_caller]
fn assert_follows_in(head: &str, case: BranchCase) {
    for (flag, number) in [(0, 0), (1, 1)] {
        assert_eq!(outcome(head, case, flag, number), Some(flag == 1), "{flag}: {}\n{}", case.0, case.1);
    }
}

/// Asserts that the branch may go either way.
#[track_caller]
fn assert_open(case: BranchCase) {
    assert_open_in(HEAD, case);
}

#[track_caller]
fn assert_open_in(head: &str, case: BranchCase) {
    for (flag, number) in [(0, 0), (1, 1)] {
        assert_eq!(outcome(head, case, flag, number), None, "{flag}: {}\n{}", case.0, case.1);
    }
}

const SETTER: &str = "
    %set = OpFunction %void None %action
    %set_block = OpLabel
    OpStore %private %flag
    OpReturn
    OpFunctionEnd
    ";

#[test]
fn values_are_followed_through_local_variables() {
    assert_follows((
        "%v = OpVariable %to_bool Function
        OpStore %v %true
        OpStore %v %flag
        %condition = OpLoad %bool %v",
        "",
    ));
    assert_follows((
        "%v = OpVariable %to_bool Function %flag
        %condition = OpLoad %bool %v",
        "",
    ));
    // Both sides store; a third branch does not matter.
    assert_follows((
        "%v = OpVariable %to_bool Function
        OpSelectionMerge %merge None
        OpBranchConditional %flag %then %else
        %then = OpLabel
        OpStore %v %true
        OpBranch %merge
        %else = OpLabel
        OpStore %v %false
        OpBranch %merge
        %merge = OpLabel
        %condition = OpLoad %bool %v",
        "",
    ));
    // In a loop whose body does not change it.
    assert_follows((
        "%v = OpVariable %to_bool Function
        %w = OpVariable %to_bool Function
        OpStore %v %flag
        OpBranch %head
        %head = OpLabel
        OpLoopMerge %after %back None
        OpBranch %back
        %back = OpLabel
        OpStore %w %true
        %i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        %more = OpIEqual %bool %x %1u
        OpBranchConditional %more %head %after
        %after = OpLabel
        %condition = OpLoad %bool %v",
        "",
    ));
}

#[test]
fn values_are_followed_through_parts() {
    assert_follows((
        "%v = OpVariable %to_pair Function
        %whole = OpCompositeConstruct %pair %flag %table
        OpStore %v %whole
        %part = OpAccessChain %to_uint %v %1u %0u
        OpStore %part %3u
        %first = OpAccessChain %to_bool %v %0u
        %condition = OpLoad %bool %first",
        "",
    ));
    // A constant table, read with a constant that may be set.
    assert_follows((
        "%v = OpVariable %to_array Function %table
        %element = OpAccessChain %to_uint %v %number
        %value = OpLoad %uint %element
        %condition = OpIEqual %bool %value %1u",
        "",
    ));
    // A store with such an index leaves the other elements alone.
    assert_follows((
        "%v = OpVariable %to_array Function %table
        %written = OpAccessChain %to_uint %v %number
        OpStore %written %3u
        %element = OpAccessChain %to_uint %v %1u
        %value = OpLoad %uint %element
        %condition = OpIEqual %bool %value %3u",
        "",
    ));
    assert_follows((
        "%v = OpVariable %to_pair Function
        %w = OpVariable %to_pair Function
        %whole = OpCompositeConstruct %pair %flag %table
        OpStore %v %whole
        OpCopyMemory %w %v
        %first = OpAccessChain %to_bool %w %0u
        %condition = OpLoad %bool %first",
        "",
    ));
    assert_follows((
        "%sum = OpIAddCarry %carry %number %1u
        %low = OpCompositeExtract %uint %sum 0
        %condition = OpIEqual %bool %low %2u",
        "",
    ));
    assert_follows((
        "%bits = OpBitFieldInsert %uint %0u %number %3u %2u
        %field = OpBitFieldUExtract %uint %bits %3u %1u
        %condition = OpIEqual %bool %field %1u",
        "",
    ));
}

#[test]
fn values_are_followed_through_matrices() {
    // The matrix has the columns (number, 2) and (0, 1).
    let matrix = "%as_float = OpConvertUToF %float %number
        %column = OpCompositeConstruct %float2 %as_float %2f
        %other = OpCompositeConstruct %float2 %0f %1f
        %m = OpCompositeConstruct %matrix %column %other";
    let follows = |body: &str| assert_follows((&format!("{matrix}\n{body}"), ""));
    follows(
        "%v = OpMatrixTimesVector %float2 %m %rows
        %x = OpCompositeExtract %float %v 0
        %condition = OpFOrdEqual %bool %x %1f",
    );
    follows(
        "%v = OpVectorTimesMatrix %float2 %rows %m
        %x = OpCompositeExtract %float %v 0
        %condition = OpFOrdGreaterThan %bool %x %4f",
    );
    follows(
        "%n = OpMatrixTimesMatrix %matrix %m %m
        %x = OpCompositeExtract %float %n 0 1
        %condition = OpFOrdGreaterThan %bool %x %2f",
    );
    follows(
        "%n = OpTranspose %matrix %m
        %x = OpCompositeExtract %float %n 1 0
        %y = OpCompositeExtract %float %n 0 0
        %two = OpFMul %float %x %y
        %condition = OpFOrdEqual %bool %two %2f",
    );
    follows(
        "%n = OpMatrixTimesScalar %matrix %m %2f
        %x = OpCompositeExtract %float %n 0 0
        %condition = OpFOrdEqual %bool %x %2f",
    );
    // A column that is not known.
    assert_open((
        "%v = OpVariable %to_matrix Function
        %unknown = OpLoad %matrix %v
        %as_float = OpConvertUToF %float %number
        %column = OpCompositeConstruct %float2 %as_float %2f
        %m = OpCompositeInsert %matrix %column %unknown 0
        %n = OpMatrixTimesVector %float2 %m %rows
        %x = OpCompositeExtract %float %n 0
        %condition = OpFOrdEqual %bool %x %1f",
        "",
    ));
}

#[test]
fn values_are_followed_through_large_arrays() {
    assert_follows((
        "%v = OpVariable %to_many Function
        %next = OpIAdd %uint %number %2u
        %place = OpAccessChain %to_uint %v %next
        OpStore %place %number
        %read = OpLoad %uint %place
        %condition = OpIEqual %bool %read %1u",
        "",
    ));
}

#[test]
fn values_are_followed_through_calls() {
    assert_follows((
        "%condition = OpFunctionCall %bool %get",
        "%get = OpFunction %bool None %getter
        %block = OpLabel
        OpReturnValue %flag
        OpFunctionEnd",
    ));
    // One of two returns never runs.
    assert_follows((
        "%condition = OpFunctionCall %bool %is_one %number",
        "%is_one = OpFunction %bool None %of_uint
        %n = OpFunctionParameter %uint
        %block = OpLabel
        %one = OpIEqual %bool %n %1u
        OpSelectionMerge %merge None
        OpBranchConditional %one %then %merge
        %then = OpLabel
        OpReturnValue %true
        %merge = OpLabel
        OpReturnValue %false
        OpFunctionEnd",
    ));
    // Through a pointer, as glslang passes arguments.
    assert_follows((
        "%argument = OpVariable %to_bool Function
        OpStore %argument %true
        %call = OpFunctionCall %void %fill %argument
        %condition = OpLoad %bool %argument",
        "%fill = OpFunction %void None %of_pointer
        %p = OpFunctionParameter %to_bool
        %block = OpLabel
        OpStore %p %flag
        OpReturn
        OpFunctionEnd",
    ));
    // A callee that only reads leaves it to the caller, for all other calls.
    assert_follows((
        "%v = OpVariable %to_bool Function
        %w = OpVariable %to_bool Function
        OpStore %v %flag
        OpStore %w %true
        %call1 = OpFunctionCall %void %read %v
        %call2 = OpFunctionCall %void %read %w
        %condition = OpLoad %bool %v",
        "%read = OpFunction %void None %of_pointer
        %p = OpFunctionParameter %to_bool
        %block = OpLabel
        %value = OpLoad %bool %p
        OpReturn
        OpFunctionEnd",
    ));
    assert_follows((
        "%call = OpFunctionCall %void %set
        %condition = OpLoad %bool %private",
        SETTER,
    ));
}

/// Short functions are read for each call: other calls have other arguments, and find other values in variables.
#[test]
fn each_call_of_a_short_function_has_values_of_its_own() {
    let is_set = "
        %is_set = OpFunction %bool None %of_uint
        %bit = OpFunctionParameter %uint
        %block = OpLabel
        %shifted = OpShiftRightLogical %uint %number %bit
        %low = OpBitwiseAnd %uint %shifted %1u
        %set_bit = OpINotEqual %bool %low %0u
        OpReturnValue %set_bit
        OpFunctionEnd
        %is_first_set = OpFunction %bool None %getter
        %first_block = OpLabel
        %first = OpFunctionCall %bool %is_set %0u
        OpReturnValue %first
        OpFunctionEnd";
    assert_follows((
        "%other = OpFunctionCall %bool %is_set %2u
        %condition = OpFunctionCall %bool %is_first_set",
        is_set,
    ));
    // Through a pointer and a Private variable.
    let copy = "
        %copy = OpFunction %void None %of_pointer
        %p = OpFunctionParameter %to_bool
        %block = OpLabel
        %value = OpLoad %bool %private
        OpStore %p %value
        OpReturn
        OpFunctionEnd";
    assert_follows((
        "%v = OpVariable %to_bool Function
        %w = OpVariable %to_bool Function
        OpStore %private %flag
        %call1 = OpFunctionCall %void %copy %v
        OpStore %private %true
        %call2 = OpFunctionCall %void %copy %w
        %condition = OpLoad %bool %v",
        copy,
    ));
    // An argument that nobody knows.
    let unknown = "%i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        %other = OpFunctionCall %bool %is_set %0u
        %condition = OpFunctionCall %bool %is_set %x";
    assert_eq!(outcome(HEAD, (unknown, is_set), 1, 1), None);
}

#[test]
fn what_other_code_may_change_is_open() {
    let unknown = "%i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        ";
    assert_open((
        "%v = OpVariable %to_bool Function
        OpStore %v %flag Volatile
        %condition = OpLoad %bool %v",
        "",
    ));
    // Nothing is stored, or only on one side.
    assert_open((
        "%v = OpVariable %to_bool Function\n %condition = OpLoad %bool %v\n %use = OpLogicalNot %bool %flag",
        "",
    ));
    assert_open(("%condition = OpLoad %bool %private\n %use = OpLogicalNot %bool %flag", ""));
    assert_open((
        &format!(
            "%v = OpVariable %to_array Function %table
            {unknown}
            %written = OpAccessChain %to_uint %v %x
            OpStore %written %2u
            %element = OpAccessChain %to_uint %v %number
            %value = OpLoad %uint %element
            %condition = OpULessThan %bool %value %2u"
        ),
        "",
    ));
    // Memory that other invocations see.
    assert_open(("OpStore %shared %flag\n %condition = OpLoad %bool %shared", ""));
    assert_open(("OpStore %exported %flag\n %condition = OpLoad %bool %exported", ""));
    // A pointer that is chosen.
    assert_open((
        &format!(
            "%v = OpVariable %to_bool Function
            %w = OpVariable %to_bool Function
            {unknown}
            %which = OpIEqual %bool %x %1u
            OpStore %v %flag
            %chosen = OpSelect %to_bool %which %v %w
            OpStore %chosen %true
            %condition = OpLoad %bool %v"
        ),
        "",
    ));
    // One variable behind two parameters.
    assert_open((
        "%v = OpVariable %to_bool Function
        %condition = OpFunctionCall %bool %both %v %v",
        "%both = OpFunction %bool None %of_pointers
        %p = OpFunctionParameter %to_bool
        %q = OpFunctionParameter %to_bool
        %block = OpLabel
        OpStore %p %flag
        OpStore %q %true
        %value = OpLoad %bool %p
        OpReturnValue %value
        OpFunctionEnd",
    ));
    // One variable with a name and behind a parameter.
    assert_open((
        "%private_flag = OpCopyObject %bool %flag
        OpStore %private %flag
        %call = OpFunctionCall %void %fill %private
        %condition = OpLoad %bool %private",
        "%to_void = OpTypeFunction %void %to_private
        %fill = OpFunction %void None %to_void
        %p = OpFunctionParameter %to_private
        %block = OpLabel
        OpStore %p %true
        OpReturn
        OpFunctionEnd",
    ));
}

#[test]
fn loops_and_recursion_are_joined() {
    // Changed in the loop.
    assert_open((
        "%v = OpVariable %to_bool Function
        OpStore %v %flag
        OpBranch %head
        %head = OpLabel
        OpLoopMerge %after %back None
        OpBranch %back
        %back = OpLabel
        %before = OpLoad %bool %v
        %other = OpLogicalNot %bool %before
        OpStore %v %other
        %i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        %more = OpIEqual %bool %x %1u
        OpBranchConditional %more %head %after
        %after = OpLabel
        %condition = OpLoad %bool %v",
        "",
    ));
    // A variable of a function that calls itself is several.
    assert_open((
        "%v = OpVariable %to_bool Function
        OpStore %v %flag
        %call = OpFunctionCall %void %again %v
        %condition = OpLoad %bool %v",
        "%again = OpFunction %void None %of_pointer
        %p = OpFunctionParameter %to_bool
        %block = OpLabel
        %own = OpVariable %to_bool Function
        OpStore %own %flag
        %before = OpLoad %bool %p
        OpStore %p %true
        %nested = OpFunctionCall %void %again %own
        OpReturn
        OpFunctionEnd",
    ));
    // A result that depends on nothing but itself.
    assert_follows((
        "%condition = OpFunctionCall %bool %again %flag",
        "%again = OpFunction %bool None %of_bool
        %b = OpFunctionParameter %bool
        %block = OpLabel
        %i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        %more = OpIEqual %bool %x %1u
        OpSelectionMerge %merge None
        OpBranchConditional %more %then %merge
        %then = OpLabel
        %nested = OpFunctionCall %bool %again %b
        OpReturnValue %nested
        %merge = OpLabel
        OpReturnValue %b
        OpFunctionEnd",
    ));
}

/// A Private variable without a value in the one, and set by another of two entry points.
#[test]
fn entry_points_have_private_variables_of_their_own() {
    let second = |set: &str| {
        format!(
            "%other = OpFunction %void None %action
            %other_start = OpLabel
            {set}
            %call = OpFunctionCall %void %use_private
            OpReturn
            OpFunctionEnd
            %use_private = OpFunction %void None %action
            %block = OpLabel
            %value = OpLoad %bool %initialized
            OpReturn
            OpFunctionEnd"
        )
    };
    let read = "%use = OpFunctionCall %void %use_private
        %negated = OpLoad %bool %initialized
        %condition = OpLogicalOr %bool %negated %flag";
    assert_follows((read, &second("OpStore %initialized %true")));
    // `other` is not an entry point here, and nothing calls it.
    let shared = "%condition = OpFunctionCall %bool %get";
    let getter = "
        %get = OpFunction %bool None %getter
        %get_start = OpLabel
        OpBranch %get_rest
        %get_rest = OpLabel
        %got = OpLoad %bool %initialized
        %either = OpLogicalOr %bool %got %flag
        OpReturnValue %either
        OpFunctionEnd
        %other = OpFunction %void None %action
        %other_start = OpLabel
        OpStore %initialized %true
        %call = OpFunctionCall %bool %get
        OpReturn
        OpFunctionEnd";
    assert_eq!(outcome(HEAD, (shared, getter), 1, 1), Some(true));
    assert_eq!(outcome(HEAD, (shared, getter), 0, 0), None);
    // Something else may call an exported entry point after it changed the variable.
    let shared_getter = (
        "%read = OpLoad %bool %initialized
        %condition = OpLogicalNotEqual %bool %read %flag",
        "",
    );
    assert_follows(shared_getter);
    assert_open_in(&head_with("OpDecorate %main LinkageAttributes \"main\" Export"), shared_getter);
}

/// Returns the head with another line among the execution modes and decorations.
fn head_with(line: &str) -> String {
    HEAD.replacen("OpDecorate %flag", &format!("{line}\nOpDecorate %flag"), 1)
}

#[test]
fn arithmetic_with_rules_of_its_own_is_not_computed() {
    let case = (
        "%as_float = OpConvertUToF %float %number
        %rounded = OpConvertFToU %uint %as_float
        %condition = OpIEqual %bool %rounded %1u",
        "",
    );
    for harmless in [
        "",
        "OpExecutionMode %main RoundingModeRTE 32",
        "OpExecutionMode %main DenormFlushToZero 64",
        "OpDecorate %as_float FPRoundingMode RTE",
    ] {
        assert_follows_in(&head_with(harmless), case);
    }
    for rule in [
        "OpExecutionMode %main RoundingModeRTZ 32",
        "OpExecutionMode %main DenormFlushToZero 32",
        "OpDecorate %as_float FPRoundingMode RTZ",
        "OpDecorate %rounded SaturatedConversion",
        "OpDecorate %group SaturatedConversion\n%group = OpDecorationGroup\nOpGroupDecorate %group %rounded",
    ] {
        assert_open_in(&head_with(rule), case);
    }
}

#[test]
fn extended_instructions_know_of_nan() {
    let head = HEAD.replacen("OpMemoryModel", "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel", 1);
    for (instruction, result) in [
        ("NClamp %2f %nan %4f", "%2f"),
        ("NClamp %2f %1f %nan", "%2f"),
        ("NClamp %nan %1f %2f", "%1f"),
        ("Step %2f %nan", "%1f"),
        ("Step %nan %2f", "%1f"),
        ("Step %2f %1f", "%0f"),
    ] {
        let body = format!(
            "%nan = OpFDiv %float %0f %0f
            %computed = OpExtInst %float %glsl {instruction}
            %is_right = OpFOrdEqual %bool %computed {result}
            %condition = OpLogicalAnd %bool %is_right %flag"
        );
        assert_follows_in(&head, (&body, ""));
    }
    // An operand that is not known may decide.
    let clamps = "%value = OpConvertUToF %float %number
        %nan = OpFDiv %float %0f %0f
        %i = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %i 0
        %any = OpConvertUToF %float %x
        %computed = OpExtInst %float %glsl NClamp %nan %any %4f
        %condition = OpFOrdEqual %bool %computed %4f";
    assert_open_in(&head, (clamps, ""));
}

#[test]
fn arguments_by_value_are_copies() {
    let case = (
        "%v = OpVariable %to_bool Function
        OpStore %v %flag
        %call = OpFunctionCall %void %sets %v
        %condition = OpLoad %bool %v",
        "%sets = OpFunction %void None %of_pointer
        %copied = OpFunctionParameter %to_bool
        %sets_block = OpLabel
        OpStore %copied %flag
        OpReturn
        OpFunctionEnd",
    );
    assert_follows(case);
    assert_open_in(&head_with("OpDecorate %copied FuncParamAttr ByVal"), case);
}

#[test]
fn instructions_that_name_functions_may_call_them() {
    let setter = SETTER.replace("%flag", "%true");
    let body = "OpStore %private %flag
        %elements = OpCooperativeMatrixPerElementOpNV %uint %1u %set
        %condition = OpLoad %bool %private";
    assert_open((body, &setter));
}

/// Checks that set or masked bits are known for any rest of a number, through calls, memory, loops and switches.
#[test]
fn parts_of_numbers_are_followed() {
    let head = format!(
        "{HEAD} %4u = OpConstant %uint 4
        %8u = OpConstant %uint 8
        %to_number = OpTypePointer Private %uint
        %stored = OpVariable %to_number Private
        %reads = OpTypeFunction %bool %uint %uint"
    );
    // The number is 8 where the constant is 1, beside a bit that nobody knows.
    let unknown = "%ids = OpLoad %uint3 %id
        %x = OpCompositeExtract %uint %ids 0
        %masked = OpBitwiseAnd %uint %x %4u
        %eight = OpShiftLeftLogical %uint %number %3u
        %flags = OpBitwiseOr %uint %masked %eight
        ";
    let is_set = "%is_set = OpFunction %bool None %reads
        %value = OpFunctionParameter %uint
        %which = OpFunctionParameter %uint
        %set_block = OpLabel
        %shifted = OpShiftRightLogical %uint %value %which
        %lowest = OpBitwiseAnd %uint %shifted %1u
        %result = OpINotEqual %bool %lowest %0u
        OpReturnValue %result
        OpFunctionEnd";
    let followed = [
        ("%bit = OpBitFieldUExtract %uint %flags %3u %1u\n %condition = OpINotEqual %bool %bit %0u", ""),
        ("%condition = OpUGreaterThanEqual %bool %flags %8u", ""),
        ("%condition = OpFunctionCall %bool %is_set %flags %3u", is_set),
        (
            "OpStore %stored %flags
            %again = OpLoad %uint %stored
            %bit = OpUDiv %uint %again %8u
            %condition = OpIEqual %bool %bit %1u",
            "",
        ),
        (
            "OpBranch %loop
            %loop = OpLabel
            %phi = OpPhi %uint %flags %start %next %more
            OpLoopMerge %end %more None
            OpBranch %more
            %more = OpLabel
            %next = OpBitwiseOr %uint %phi %4u
            %less = OpULessThan %bool %x %2u
            OpBranchConditional %less %loop %end
            %end = OpLabel
            %bit = OpBitwiseAnd %uint %next %8u
            %condition = OpINotEqual %bool %bit %0u",
            "",
        ),
    ];
    for (body, functions) in followed {
        let body = format!("{unknown}{body}");
        for number in [0, 1] {
            assert_eq!(outcome(&head, (&body, functions), 0, number), Some(number == 1), "{number}: {body}");
        }
    }
    let open = [
        ("%condition = OpFunctionCall %bool %is_set %flags %2u", is_set),
        ("%condition = OpFunctionCall %bool %is_set %flags %x", is_set),
        ("%condition = OpINotEqual %bool %flags %0u", ""),
        ("%bit = OpShiftRightLogical %uint %flags %x\n %condition = OpINotEqual %bool %bit %0u", ""),
    ];
    for (body, functions) in open {
        let body = format!("{unknown}{body}");
        assert_eq!(outcome(&head, (&body, functions), 0, 0), None, "{body}");
    }
}

/// A switch does not lead to the block for a number that is replaced by another.
#[test]
fn a_switch_does_not_lead_to_excluded_numbers() {
    let body = |mode: &str| {
        format!(
            "%ids = OpLoad %uint3 %id
            %x = OpCompositeExtract %uint %ids 0
            %two = OpIEqual %bool %x %2u
            %mode = {mode}
            OpSelectionMerge %after None
            OpSwitch %mode %after 2 %for_two 3 %for_three
            %for_two = OpLabel
            OpStore %private %true
            OpBranch %after
            %for_three = OpLabel
            OpBranch %after
            %after = OpLabel
            %phi = OpPhi %uint %0u %start %1u %for_two %0u %for_three
            %sum = OpBitwiseOr %uint %phi %number
            %condition = OpINotEqual %bool %sum %0u"
        )
    };
    let outcome = |mode: &str| outcome(HEAD, (&body(mode), ""), 0, 0);
    assert_eq!(outcome("OpSelect %uint %two %0u %x"), Some(false));
    assert_eq!(outcome("OpSelect %uint %two %2u %x"), None);
    assert_eq!(outcome("OpSelect %uint %two %x %0u"), None);
}
