//! The instructions that replace conditional calls use ids as well: these are kept, under a condition that covers all uses.

use spirv::Op;

use super::packed::{PackedText, packed};

/// Packs a module in which `%main` calls `%take` through a conditional caller, which passes `argument`: `%one` where
/// fp64.
fn hands(type_: &str, argument: &str, more: &str) -> PackedText {
    let one = "FN %main\n%one = OpFunctionCall %void %caller %n_m1 %n_6\nEND";
    packed(&format!("{one}\n{}", caller(type_, argument, more)))
}

fn caller(type_: &str, argument: &str, more: &str) -> String {
    format!(
        "OpName %caller \"call_if_on_device_conditionally_by_hand\"
        {more}
        %fn_caller = OpTypeFunction %void %int %int
        %fn_take = OpTypeFunction %void {type_}
        %caller = OpFunction %void None %fn_caller
        %p0 = OpFunctionParameter %int
        %p1 = OpFunctionParameter %int
        %in = OpLabel
        %inner = OpFunctionCall %void %take {argument}
        OpReturn
        OpFunctionEnd
        %take = OpFunction %void None %fn_take
        %taken = OpFunctionParameter {type_}
        %at = OpLabel
        OpReturn
        OpFunctionEnd"
    )
}

#[test]
fn a_constant_that_only_a_conditional_caller_used_is_present_where_the_call_is_taken() {
    let p = hands("%double", "%five", "OpCapability Float64\n%five = OpConstant %double 5");
    p.are("take one five double", "fp64").are("caller fn_caller", "gone").capability("Float64", "fp64");
    // The condition promises what the constant requires: both are in a function that is called instead.
    let [outlined] = p.call("one")[..] else { panic!("{:?}", p.call("one")) };
    assert_ne!(outlined, p.id("take"));
}

#[test]
fn a_constant_is_present_where_any_of_the_calls_is_taken() {
    let text = caller("%int", "%five", "%five = OpConstant %int 5");
    let p = packed(&format!(
        "{text}
        FN %main
            %one = OpFunctionCall %void %caller %n_m1 %n_6
            CALL %also
        END
        FN %also
            %two = OpFunctionCall %void %caller %n_m1 %n_5
        END"
    ));
    p.are("take five", "fp64 || fp16").are("one", "fp64").are("two", "fp16").are("int", "fp64 || fp16");
}

#[test]
fn a_constant_is_kept_with_its_parts() {
    let p = hands(
        "%pair",
        "%both",
        "%pair = OpTypeStruct %int %float
        %five = OpConstant %int 5
        %both = OpConstantComposite %pair %five %f1",
    );
    p.are("take pair both five f1 float", "fp64");
}

#[test]
fn an_undefined_value_is_kept() {
    let p = hands("%int", "%any", "%any = OpUndef %int");
    p.are("take any", "fp64");
}

#[test]
fn a_variable_of_the_module_is_kept() {
    let p = hands(
        "%pointer",
        "%variable",
        "INTERFACE %variable
        %pointer = OpTypePointer Private %int
        %variable = OpVariable %pointer Private %n_5",
    );
    p.are("take variable pointer n_5", "fp64");
}

/// The operand of a cast is kept on every device: a cast has no condition.
#[test]
fn types_that_arguments_are_cast_to_are_needed_where_the_cast_is() {
    let p = packed(
        "KERNEL
        OpCapability Int8
        OpCapability Int16
        OpCapability FunctionPointersINTEL
        OpExtension \"SPV_INTEL_function_pointers\"
        OpName %caller \"call_if_on_device_conditionally_1\"
        OpDecorate %caller LinkageAttributes \"caller\" Import
        %chars = OpTypePointer CrossWorkgroup %char
        %shorts = OpTypePointer CrossWorkgroup %short
        %fn_main = OpTypeFunction %void %chars
        %fn_take = OpTypeFunction %void %shorts
        %code = OpTypePointer CodeSectionINTEL %fn_take
        %pointer = OpConstantFunctionPointerINTEL %code %take
        %fn_caller = OpTypeFunction %void %code %chars %int %int
        %caller = OpFunction %void None %fn_caller
        %p0 = OpFunctionParameter %code
        %p1 = OpFunctionParameter %chars
        %p2 = OpFunctionParameter %int
        %p3 = OpFunctionParameter %int
        OpFunctionEnd
        %main = OpFunction %void None %fn_main
        %given = OpFunctionParameter %chars
        %at_main = OpLabel
        %one = OpFunctionCall %void %caller %pointer %given %n_m1 %n_6
        OpReturn
        OpFunctionEnd
        %take = OpFunction %void None %fn_take
        %taken = OpFunctionParameter %shorts
        %at_take = OpLabel
        OpReturn
        OpFunctionEnd",
    );
    p.are("take one fn_take", "fp64").are("shorts short", "always").capability("Int16", "always");
    assert_eq!(p.count(Op::Bitcast), 1);
}

#[test]
fn instructions_that_prepare_arguments_require_their_capabilities_where_they_are() {
    let p = packed(
        "OpCapability VariablePointersStorageBuffer
        OpName %caller \"call_if_on_device_conditionally_by_hand\"
        OpDecorate %buffer DescriptorSet 0
        OpDecorate %buffer Binding 0
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %pointer ArrayStride 4
        INTERFACE %buffer
        %block = OpTypeStruct %uint
        %to_block = OpTypePointer StorageBuffer %block
        %buffer = OpVariable %to_block StorageBuffer
        %pointer = OpTypePointer StorageBuffer %uint
        %fn_caller = OpTypeFunction %void %pointer %int %int
        %fn_take = OpTypeFunction %void %pointer
        FN %main
            %first = OpAccessChain %pointer %buffer %u0
            %one = OpFunctionCall %void %caller %first %n_m1 %n_6
        END
        %caller = OpFunction %void None %fn_caller
        %p0 = OpFunctionParameter %pointer
        %p1 = OpFunctionParameter %int
        %p2 = OpFunctionParameter %int
        %in = OpLabel
        %second = OpPtrAccessChain %pointer %p0 %u1
        %inner = OpFunctionCall %void %take %second
        OpReturn
        OpFunctionEnd
        %take = OpFunction %void None %fn_take
        %taken = OpFunctionParameter %pointer
        %at = OpLabel
        OpReturn
        OpFunctionEnd",
    );
    p.are("take one", "fp64").are("u1", "always").capability("VariablePointersStorageBuffer", "always");
    assert_eq!(p.count(Op::PtrAccessChain), 1);
}

#[test]
fn instructions_that_prepare_arguments_require_their_capabilities_even_alone() {
    let p = packed(
        "OpCapability SampledImageArrayDynamicIndexing
        OpName %caller \"call_if_on_device_conditionally_by_hand\"
        OpDecorate %all DescriptorSet 0
        OpDecorate %all Binding 0
        INTERFACE %all %which
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %images = OpTypeArray %image %u2
        %to_images = OpTypePointer UniformConstant %images
        %to_image = OpTypePointer UniformConstant %image
        %to_uint = OpTypePointer Private %uint
        %all = OpVariable %to_images UniformConstant
        %which = OpVariable %to_uint Private
        %fn_caller = OpTypeFunction %void %to_images %uint %int %int
        %fn_take = OpTypeFunction %void %to_image
        FN %main
            %index = OpLoad %uint %which
            %one = OpFunctionCall %void %caller %all %index %n_m1 %n_6
        END
        %caller = OpFunction %void None %fn_caller
        %p0 = OpFunctionParameter %to_images
        %p1 = OpFunctionParameter %uint
        %p2 = OpFunctionParameter %int
        %p3 = OpFunctionParameter %int
        %in = OpLabel
        %element = OpAccessChain %to_image %p0 %p1
        %inner = OpFunctionCall %void %take %element
        OpReturn
        OpFunctionEnd
        %take = OpFunction %void None %fn_take
        %taken = OpFunctionParameter %to_image
        %at = OpLabel
        OpReturn
        OpFunctionEnd",
    );
    p.are("take one", "fp64").capability("SampledImageArrayDynamicIndexing", "always");
    assert_eq!(p.count(Op::AccessChain), 1);
}
