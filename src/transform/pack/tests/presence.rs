//! Presence conditions: roots, uses and mentions that are not uses, capabilities, and modules that are multi-target already.

use super::packed::{PackedText, TestOptions, error_with, packed, packed_with};
use crate::analysis::Exports;
use crate::loader::Module;
use crate::transform::pack::PackWarning;

/// The action that all of these have: `%wide`, where fp64.
const WIDE: &str = "
    OpCapability Float64
    FN %wide
        %x = OpFAdd %double %d1 %d1
    END
";

fn with_wide(text: &str) -> PackedText {
    packed(&format!("{text}{WIDE}"))
}

#[test]
fn definitions_that_only_conditional_code_uses_are_conditional() {
    let p = with_wide("FN %main\nWHEN -1 6: %wide\nEND");
    p.are("wide main_wide double d1", "fp64").are("main void fn", "always");
    p.are("caller_wide_2 n_m1 n_6 fn_2 int", "gone");
    p.capability("Float64", "fp64").capability("Shader", "always");
    assert_eq!(p.call("main_wide"), [p.id("wide")]);
}

#[test]
fn a_presence_condition_is_the_or_of_all_uses() {
    let p = with_wide(
        "OpCapability Float16
        FN %main
            WHEN -1 6: %wide
            WHEN -2 20: %other
        END
        FN %other
            CALL %shared
            %y = OpFAdd %half %h1 %h1
        END
        FN %shared
            %z = OpFMul %double %d1 %d1
            CALL %deep
        END
        FN %deep
        END
        FN %third
            CALL %deep
        END",
    );
    p.are("wide main_wide", "fp64").are("other shared main_other half", "arch(intel_gpu_pvc)");
    p.are("double d1", "fp64 || arch(intel_gpu_pvc)").capability("Float64", "fp64 || arch(intel_gpu_pvc)");
    p.capability("Float16", "arch(intel_gpu_pvc)");
    // Nothing reaches `third`, and it is not exported.
    p.are("third", "gone").are("deep", "arch(intel_gpu_pvc)");
    // An ordinary call has no condition of its own.
    p.are("other_shared shared_deep", "always");
}

#[test]
fn opposite_conditions_make_a_definition_unconditional() {
    let p = with_wide(
        "FN %main
            WHEN -1 6: %wide
            WHEN -3 -1 6: %narrow
        END
        FN %narrow
            %y = OpFAdd %float %f1 %f1
            CALL %both
        END
        FN %both
        END
        FN %never
        END"
        .replace("%never", "%both2")
        .as_str(),
    );
    p.are("narrow float f1 both", "!fp64").are("both2", "gone");
    let p = packed(
        "FN %main
            WHEN -1 6: %a
            WHEN -3 -1 6: %b
        END
        FN %a
            CALL %both
        END
        FN %b
            CALL %both
        END
        FN %both
            %y = OpFAdd %float %f1 %f1
        END",
    );
    p.are("both float f1", "always").are("a", "fp64").are("b", "!fp64");
}

// Roots.

const EXPORTED: &str = "KERNEL
    OpDecorate %api LinkageAttributes \"api\" Export
    OpDecorate %used LinkageAttributes \"used_name\" Export
    OpName %used \"used\"
    OpName %local \"local\"
    FN %main
        WHEN -1 6: %wide
        WHEN -1 5: %used
        WHEN -1 5: %local
    END
    FN %api
        CALL %from_api
    END
    FN %from_api
    END
    FN %used
        CALL %from_used
    END
    FN %from_used
    END
    FN %local
    END";

fn exporting(exports: Exports) -> PackedText {
    packed_with(&format!("{EXPORTED}{WIDE}"), &TestOptions { exports, ..TestOptions::default() })
}

#[test]
fn exports_that_nothing_calls_are_roots_and_others_are_not() {
    let p = exporting(Exports::default());
    p.are("api from_api", "always").are("used from_used local", "fp16");
    assert_eq!(p.packed.summary.conditional_exports, ["used_name"]);
}

#[test]
fn exports_are_named_by_either_name_or_kept_all() {
    for name in ["used", "used_name"] {
        let p = exporting(Exports { named: vec![name.to_string()], all: false, ..Exports::default() });
        p.are("used from_used api", "always").are("local", "fp16");
    }
    let p = exporting(Exports { named: vec!["local".to_string()], all: false, ..Exports::default() });
    p.are("local api", "always").are("used", "fp16");
    let p = exporting(Exports { named: Vec::new(), all: true, ..Exports::default() });
    p.are("used from_used api from_api", "always").are("local", "fp16");
    assert!(p.packed.summary.conditional_exports.is_empty());
    let options = TestOptions {
        exports: Exports { named: vec!["usedd".to_string()], all: false, ..Exports::default() },
        ..TestOptions::default()
    };
    let error = error_with(&format!("{EXPORTED}{WIDE}"), &options);
    assert!(error.contains("usedd") && error.contains("linkage name"), "{error}");
}

#[test]
fn a_conditional_caller_is_no_root_for_its_export() {
    // It is exported so that no compiler inlines it.
    let text = format!(
        "KERNEL
        OpDecorate %caller_wide_2 LinkageAttributes \"call_if_on_device_conditionally_1\" Export
        FN %main
            WHEN -1 6: %wide
        END{WIDE}"
    );
    for all in [false, true] {
        let exports = Exports { named: Vec::new(), all, ..Exports::default() };
        let p = packed_with(&text, &TestOptions { exports, ..TestOptions::default() });
        p.are("wide", "fp64").are("caller_wide_2", "gone");
    }
}

#[test]
fn an_uncalled_conditional_caller_deserves_a_warning() {
    let p = with_wide(
        "OpName %left \"call_if_on_device_conditionally_left\"
        FN %main
            WHEN -1 6: %wide
        END
        FN %left
        END",
    );
    let warnings = &p.packed.summary.warnings;
    assert_eq!(*warnings, [PackWarning::Uncalled("call_if_on_device_conditionally_left".to_string())]);
}

#[test]
fn exports_that_only_call_each_other_stay() {
    let p = with_wide(
        "KERNEL
        OpDecorate %ping LinkageAttributes \"ping\" Export
        OpDecorate %pong LinkageAttributes \"pong\" Export
        FN %main
            WHEN -1 6: %wide
        END
        FN %ping
            CALL %pong
        END
        FN %pong
            CALL %ping
        END",
    );
    p.are("ping pong", "always");
}

// Uses.

#[test]
fn a_cycle_that_nothing_reaches_is_not_needed() {
    let p = packed(
        "KERNEL
        OpCapability Float64
        FN %main
            WHEN -1 6: %around
        END
        FN %around
            CALL %again
            %x = OpFAdd %double %d1 %d1
        END
        FN %again
            CALL %around
        END
        FN %apart
            CALL %other
        END
        FN %other
            CALL %apart
        END",
    );
    p.are("around again double", "fp64").are("apart other", "gone");
}

#[test]
fn types_that_refer_to_themselves_are_conditional() {
    let p = packed(
        "KERNEL
        OpCapability Float64
        OpName %node \"node\"
        OpTypeForwardPointer %pnode Function
        %node = OpTypeStruct %double %pnode
        %pnode = OpTypePointer Function %node
        FN %main
            WHEN -1 6: %list
        END
        FN %list
            %v = OpVariable %pnode Function
        END",
    );
    p.are("node pnode double", "fp64");
}

#[test]
fn any_operand_that_names_a_function_is_a_use() {
    let p = with_wide(
        "KERNEL
        OpCapability FunctionPointersINTEL
        OpExtension \"SPV_INTEL_function_pointers\"
        %code = OpTypePointer CodeSectionINTEL %fn
        %pcode = OpTypePointer Function %code
        %pointer = OpConstantFunctionPointerINTEL %code %pointed
        FN %main
            %v = OpVariable %pcode Function
            OpStore %v %pointer
            WHEN -1 6: %wide
            WHEN -1 6: %pointed
        END
        FN %pointed
            CALL %behind
        END
        FN %behind
        END",
    );
    p.are("pointed behind pointer code", "always").are("wide main_pointed", "fp64");
    p.capability("FunctionPointersINTEL", "always").extension("SPV_INTEL_function_pointers", "always");
}

#[test]
fn a_kernel_query_is_a_use() {
    let p = with_wide(
        "KERNEL
        OpCapability DeviceEnqueue
        OpCapability Int8
        %pchar = OpTypePointer Function %char
        %fn_block = OpTypeFunction %void %pchar
        FN %main
            %v = OpVariable %pchar Function
            WHEN -1 6: %wide
            %size = OpGetKernelWorkGroupSize %int %block %v %i1 %i1
        END
        %block = OpFunction %void None %fn_block
        %given = OpFunctionParameter %pchar
        %in = OpLabel
        CALL %behind
        OpReturn
        OpFunctionEnd
        FN %behind
        END",
    );
    p.are("block behind fn_block", "always").are("wide", "fp64");
}

#[test]
fn an_enqueued_kernel_is_a_use() {
    let p = with_wide(
        "KERNEL
        OpCapability DeviceEnqueue
        OpCapability Int8
        %pchar = OpTypePointer Function %char
        %fn_block = OpTypeFunction %void %pchar
        %queue = OpTypeQueue
        %event = OpTypeDeviceEvent
        %pevent = OpTypePointer Function %event
        %n3 = OpConstant %int 3
        %three = OpTypeArray %int %n3
        %range = OpTypeStruct %int %three %three %three
        FN %main
            %v = OpVariable %pchar Function
            %e = OpVariable %pevent Function
            WHEN -1 6: %wide
            %q = OpGetDefaultQueue %queue
            %r = OpBuildNDRange %range %i1 %i1 %i1
            %done = OpEnqueueKernel %int %q %i1 %r %i1 %e %e %block %v %i1 %i1
        END
        %block = OpFunction %void None %fn_block
        %given = OpFunctionParameter %pchar
        %in = OpLabel
        CALL %behind
        OpReturn
        OpFunctionEnd
        FN %behind
        END",
    );
    p.are("block behind fn_block", "always").are("wide", "fp64");
}

#[test]
fn a_cooperative_matrix_callback_is_a_use() {
    let p = with_wide(
        "OpCapability CooperativeMatrixKHR
        OpCapability CooperativeMatrixPerElementOperationsNV
        OpCapability VulkanMemoryModel
        OpExtension \"SPV_KHR_cooperative_matrix\"
        OpExtension \"SPV_NV_cooperative_matrix2\"
        OpMemoryModel Logical Vulkan
        %u8 = OpConstant %uint 8
        %matrix = OpTypeCooperativeMatrixKHR %float %u3 %u8 %u8 %u0
        %fn_element = OpTypeFunction %float %uint %uint %float
        FN %main
            WHEN -1 6: %wide
            WHEN -1 5: %mapped
        END
        FN %mapped
            %m = OpUndef %matrix
            %out = OpCooperativeMatrixPerElementOpNV %matrix %m %element
        END
        %element = OpFunction %float None %fn_element
        %row = OpFunctionParameter %uint
        %column = OpFunctionParameter %uint
        %value = OpFunctionParameter %float
        %in = OpLabel
        CALL %behind
        OpReturnValue %value
        OpFunctionEnd
        FN %behind
        END",
    );
    p.are("element behind fn_element matrix", "fp16").are("wide", "fp64");
    p.capability("CooperativeMatrixKHR", "fp16").extension("SPV_KHR_cooperative_matrix", "fp16");
    p.capability("CooperativeMatrixPerElementOperationsNV", "fp16");
}

#[test]
fn a_call_that_is_never_taken_is_removed() {
    let p = with_wide(
        "OpName %pvc_acm \"never\"
        OpDecorate %pvc_acm RelaxedPrecision
        FN %main
            WHEN -2 20: %pvc
        END
        FN %pvc
            WHEN -2 17: %acm
        END
        FN %acm
            WHEN -1 6: %wide
        END",
    );
    p.are("pvc", "arch(intel_gpu_pvc)").are("pvc_acm acm wide double acm_wide", "gone");
    p.capability("Float64", "gone");
    assert_eq!(p.packed.summary.never_taken, 1);
    assert_eq!(p.packed.summary.removed_functions.len(), 2);
}

#[test]
fn a_call_uses_its_result_type_where_it_is_taken_and_its_arguments_where_its_holder_is() {
    let p = packed(
        "OpCapability Float64
        OpCapability Int64
        OpName %caller \"call_if_on_device_conditionally_1\"
        %fn_caller = OpTypeFunction %double %long %int %int
        %fn_take = OpTypeFunction %double %long
        FN %main
            %the_call = OpFunctionCall %double %caller %l1 %n_m1 %n_6
        END
        %caller = OpFunction %double None %fn_caller
        %p0 = OpFunctionParameter %long
        %p1 = OpFunctionParameter %int
        %p2 = OpFunctionParameter %int
        %in = OpLabel
        %inner = OpFunctionCall %double %take %p0
        OpReturnValue %inner
        OpFunctionEnd
        %take = OpFunction %double None %fn_take
        %taken = OpFunctionParameter %long
        %in_take = OpLabel
        OpReturnValue %d1
        OpFunctionEnd",
    );
    p.are("double the_call take fn_take", "fp64").are("long l1", "always");
    p.capability("Float64", "fp64").capability("Int64", "always");
}

#[test]
fn names_and_interface_lists_are_no_uses() {
    let p = packed(
        "OpCapability Float64
        OpName %scratch \"scratch\"
        OpName %double \"double\"
        INTERFACE %scratch
        %pdouble = OpTypePointer Private %double
        %scratch = OpVariable %pdouble Private
        FN %main
            WHEN -1 6: %store
        END
        FN %store
            OpStore %scratch %d1
        END",
    );
    p.are("scratch pdouble double d1", "fp64").capability("Float64", "fp64");
}

/// Returns a vertex shader whose output `%out`, a pointer to `%held`, only conditional code writes to.
fn vertex(annotations: &str, types: &str) -> PackedText {
    packed(&format!(
        "OpCapability Float64
        OpEntryPoint Vertex %main \"main\" %out
        OpName %out \"wide_out\"
        {annotations}
        {types}
        %pout = OpTypePointer Output %held
        %out = OpVariable %pout Output
        FN %main
            WHEN -1 6: %write
        END
        FN %write
            %old = OpLoad %held %out
            OpStore %out %old
        END"
    ))
}

#[test]
fn variables_with_a_place_in_an_interface_stay() {
    let array = "%held = OpTypeArray %double %u2";
    let block = "%block = OpTypeStruct %double\n%held = OpTypeArray %block %u1";
    let member = "OpDecorate %held Block\nOpMemberDecorate %held 0 Location 0";
    let member_of_array = "OpDecorate %block Block\nOpMemberDecorate %block 0 Location 0";
    for (annotations, types) in [
        ("OpDecorate %out Location 0", "%held = OpTypeVector %double 2"),
        ("OpDecorate %out Location 0", array),
        (member, "%held = OpTypeStruct %double"),
        (member_of_array, block),
    ] {
        let p = vertex(annotations, types);
        p.are("out pout held", "always").are("write", "fp64").capability("Float64", "always");
        let expected = PackWarning::Interface("wide_out".to_string(), vec!["Float64".to_string()]);
        assert_eq!(p.packed.summary.warnings, [expected], "{annotations}");
    }
}

#[test]
fn ids_in_decorations_are_uses() {
    let p = with_wide(
        "OpDecorateId %v UniformId %scope
        OpDecorateId %buffer UniformId %module_scope
        OpDecorateId %gated UniformId %gated_scope
        INTERFACE %buffer %gated
        %scope = OpConstant %uint 3
        %module_scope = OpConstant %uint 2
        %gated_scope = OpConstant %uint 4
        %puint = OpTypePointer Private %uint
        %buffer = OpVariable %puint Private
        %gated = OpVariable %puint Private
        FN %main
            %v = OpLoad %uint %buffer
            WHEN -1 6: %wide
            WHEN -1 5: %half_way
        END
        FN %half_way
            OpStore %gated %u1
            %sum = OpIAdd %uint %scope %gated_scope
        END",
    );
    p.are("scope module_scope buffer uint", "always").are("gated gated_scope", "fp16").are("wide", "fp64");
}

#[test]
fn ids_in_execution_modes_are_uses() {
    let p = with_wide(
        "OpEntryPoint GLCompute %main \"main\"
        OpExecutionModeId %main LocalSizeId %two %one %one
        %two = OpConstant %uint 2
        %one = OpConstant %uint 1
        FN %main
            WHEN -1 6: %wide
            WHEN -1 5: %count
        END
        FN %count
            %n = OpIAdd %uint %two %one
        END",
    );
    p.are("one two uint", "always");
}

#[test]
fn the_size_of_a_work_group_needs_no_use() {
    let p = with_wide(
        "OpDecorate %size BuiltIn WorkgroupSize
        %v3 = OpTypeVector %uint 3
        %size = OpConstantComposite %v3 %u1 %u1 %u2
        FN %main
            WHEN -1 6: %wide
            WHEN -1 5: %ask
        END
        FN %ask
            %n = OpCompositeExtract %uint %size 0
        END",
    );
    p.are("size v3 u1 u2 uint", "always");
}

// Debug information.

#[test]
fn shader_debug_information_keeps_its_operands_but_functions_and_variables() {
    let p = with_wide(
        "OpExtension \"SPV_KHR_non_semantic_info\"
        %set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"
        %file = OpString \"file\"
        %name = OpString \"name\"
        INTERFACE %scratch
        %line = OpConstant %uint 64
        %encoding = OpConstant %uint 5
        %source = OpExtInst %void %set DebugSource %file
        %unit = OpExtInst %void %set DebugCompilationUnit %line %line %source %encoding
        %pfloat = OpTypePointer Private %float
        %scratch = OpVariable %pfloat Private
        %type = OpExtInst %void %set DebugTypeBasic %name %line %encoding %u0
        %fn_type = OpExtInst %void %set DebugTypeFunction %u3 %void
        %global = OpExtInst %void %set DebugGlobalVariable %name %type %source %u1 %u1 %unit %name %scratch %u3
        %debug_wide = OpExtInst %void %set DebugFunction %name %fn_type %source %u1 %u1 %unit %name %u3 %u1
        %debug_never = OpExtInst %void %set DebugFunction %name %fn_type %source %u1 %u1 %unit %name %u3 %u1
        %never_scratch = OpVariable %pfloat Private
        %never_global = OpExtInst %void %set DebugGlobalVariable %name %type %source %u1 %u1 %unit %name %never_scratch %u3
        FN %main
            WHEN -1 6: %wide
            WHEN -1 5: %writer
            WHEN -2 20: %pvc
        END
        FN %writer
            %d0 = OpExtInst %void %set DebugFunctionDefinition %debug_wide %writer
            OpStore %scratch %f1
        END
        FN %pvc
            WHEN -2 17: %never
        END
        FN %never
            %d2 = OpExtInst %void %set DebugFunctionDefinition %debug_never %never
            OpStore %never_scratch %f1
        END"
            .replace("INTERFACE %scratch", "INTERFACE %scratch %never_scratch")
            .as_str(),
    );
    // `%line` is 64 to nobody but debug information.
    p.are("line encoding source unit type global debug_wide debug_never never_global set", "always");
    p.are("scratch writer", "fp16").are("never never_scratch d2", "gone");
    let module = Module::from_words(&p.words).unwrap();
    let named = module.definition(p.operands("never_global")[11]).unwrap();
    assert_eq!((named.name().as_str(), named.word(4)), ("OpExtInst", 0), "it names DebugInfoNone");
    assert_eq!(p.operands("global")[11], p.id("scratch"));
}

/// Checks debug information in a function as optimizers write it: with the value of a variable instead of the variable.
#[test]
fn debug_information_in_a_function_keeps_its_operands_where_the_function_is() {
    let p = with_wide(
        "OpExtension \"SPV_KHR_non_semantic_info\"
        %set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"
        %file = OpString \"file\"
        %name = OpString \"name\"
        %nine = OpConstant %double 9
        %source = OpExtInst %void %set DebugSource %file
        %unit = OpExtInst %void %set DebugCompilationUnit %u1 %u1 %source %u2
        %type = OpExtInst %void %set DebugTypeBasic %name %u3 %u3 %u0
        %fn_type = OpExtInst %void %set DebugTypeFunction %u3 %void
        %debug_sum = OpExtInst %void %set DebugFunction %name %fn_type %source %u1 %u1 %unit %name %u3 %u1
        %local = OpExtInst %void %set DebugLocalVariable %name %type %source %u1 %u1 %debug_sum %u3
        %expression = OpExtInst %void %set DebugExpression
        FN %main
            WHEN -1 6: %sum
        END
        FN %sum
            %d0 = OpExtInst %void %set DebugFunctionDefinition %debug_sum %sum
            %d2 = OpExtInst %void %set DebugScope %debug_sum
            %d3 = OpExtInst %void %set DebugValue %local %nine %expression
            %y = OpFunctionCall %void %wide
        END",
    );
    p.are("sum nine double wide", "fp64").are("local expression type set", "always");
    p.capability("Float64", "fp64");
}

#[test]
fn opencl_debug_information_does_the_same() {
    let p = with_wide(
        "KERNEL
        %set = OpExtInstImport \"OpenCL.DebugInfo.100\"
        %file = OpString \"file\"
        %name = OpString \"name\"
        %none = OpExtInst %void %set DebugInfoNone
        %source = OpExtInst %void %set DebugSource %file
        %unit = OpExtInst %void %set DebugCompilationUnit 65536 4 %source OpenCL_C
        %size = OpConstant %int 77
        %type = OpExtInst %void %set DebugTypeBasic %name %size Float
        %fn_type = OpExtInst %void %set DebugTypeFunction FlagIsPublic %void
        %debug_wide = OpExtInst %void %set DebugFunction %name %fn_type %source 1 1 %unit %name FlagIsPublic 1 %wide
        %debug_never = OpExtInst %void %set DebugFunction %name %fn_type %source 1 1 %unit %name FlagIsPublic 1 %never
        FN %main
            WHEN -1 6: %wide
            WHEN -2 20: %pvc
        END
        FN %pvc
            WHEN -2 17: %never
        END
        FN %never
        END",
    );
    p.are("size type debug_wide debug_never none", "always").are("wide", "fp64").are("never", "gone");
    assert_eq!(p.operands("debug_never").last(), Some(&p.id("none")));
    assert_eq!(p.operands("debug_wide").last(), Some(&p.id("wide")));
}

#[test]
fn descriptions_of_removed_ids_in_a_function_are_removed_with_them() {
    let p = with_wide(
        "OpExtension \"SPV_KHR_non_semantic_info\"
        %set = OpExtInstImport \"NonSemantic.Whatever\"
        INTERFACE %scratch %never_scratch
        %pfloat = OpTypePointer Private %float
        %scratch = OpVariable %pfloat Private
        %never_scratch = OpVariable %pfloat Private
        FN %main
            WHEN -1 6: %wide
            OpStore %scratch %f1
            %said = OpExtInst %void %set 1 %scratch
            %lost = OpExtInst %void %set 1 %never_scratch
            %lost_too = OpExtInst %void %set 2 %said %lost
        END
        FN %never
            OpStore %never_scratch %f1
        END",
    );
    p.are("scratch said", "always").are("never_scratch lost lost_too", "gone");
}

#[test]
fn descriptions_after_the_functions_count_too() {
    // As clspv writes it.
    let p = with_wide(
        "OpExtension \"SPV_KHR_non_semantic_info\"
        %set = OpExtInstImport \"NonSemantic.ClspvReflection.5\"
        %other = OpExtInstImport \"NonSemantic.Whatever\"
        %name = OpString \"main\"
        OpName %main \"main\"
        %argument = OpConstant %uint 41
        FN %main
            WHEN -1 6: %wide
            WHEN -2 20: %pvc
        END
        FN %pvc
            WHEN -1 5: %count
            WHEN -2 17: %never
        END
        FN %count
            %n = OpIAdd %uint %argument %argument
        END
        FN %never
        END
        AFTER %kernel = OpExtInst %void %set Kernel %main %name %u1 %u0 %name
        AFTER %lost = OpExtInst %void %other 7 %never
        AFTER %info = OpExtInst %void %set ArgumentInfo %name
        AFTER %buffer = OpExtInst %void %set ArgumentStorageBuffer %kernel %u0 %u0 %argument %info
        AFTER %lost_too = OpExtInst %void %other 8 %name %lost",
    );
    p.are("argument kernel info buffer set other", "always").are("never lost lost_too", "gone");
}
