//! Tests of the capabilities that may become conditional. Each becomes conditional in a small module, is not missing
//! where the condition is false, and is kept if unconditional code requires it.

use super::packed::packed;

/// The code that requires each capability: lines of the module, and lines of the function that requires it.
const NEEDS: [(&str, &str, &str); 32] = [
    ("Float16", "", "%x = OpFAdd %half %h1 %h1"),
    ("Float64", "", "%x = OpFAdd %double %d1 %d1"),
    ("Int8", "", "%x = OpIAdd %char %c1 %c1"),
    ("Int16", "", "%x = OpIAdd %short %s1 %s1"),
    ("Int64", "", "%x = OpIAdd %long %l1 %l1"),
    ("Int64Atomics", "OpCapability Int64\nSHARED %long", "%x = OpAtomicIAdd %long %shared %u1 %u0 %l1"),
    ("StorageBuffer16BitAccess", "BUFFER StorageBuffer %half", "%x = OpAccessChain %pmember %buffer %u0"),
    ("UniformAndStorageBuffer16BitAccess", "BUFFER Uniform %half", "%x = OpAccessChain %pmember %buffer %u0"),
    ("StoragePushConstant16", "BUFFER PushConstant %short", "%x = OpAccessChain %pmember %buffer %u0"),
    ("StorageInputOutput16", "BUFFER Input %half", "%x = OpAccessChain %pmember %buffer %u0"),
    ("StorageBuffer8BitAccess", "BUFFER StorageBuffer %char", "%x = OpAccessChain %pmember %buffer %u0"),
    ("UniformAndStorageBuffer8BitAccess", "BUFFER Uniform %char", "%x = OpAccessChain %pmember %buffer %u0"),
    ("StoragePushConstant8", "BUFFER PushConstant %char", "%x = OpAccessChain %pmember %buffer %u0"),
    ("GroupNonUniform", "", "%x = OpGroupNonUniformElect %bool %u3"),
    ("GroupNonUniformVote", "", "%x = OpGroupNonUniformAll %bool %u3 %true"),
    ("GroupNonUniformArithmetic", "", "%x = OpGroupNonUniformIAdd %uint %u3 Reduce %u1"),
    ("GroupNonUniformBallot", "%v4 = OpTypeVector %uint 4", "%x = OpGroupNonUniformBallot %v4 %u3 %true"),
    ("GroupNonUniformShuffle", "", "%x = OpGroupNonUniformShuffle %uint %u3 %u1 %u0"),
    ("GroupNonUniformShuffleRelative", "", "%x = OpGroupNonUniformShuffleUp %uint %u3 %u1 %u1"),
    ("GroupNonUniformClustered", "", "%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %u1 %u2"),
    ("GroupNonUniformQuad", "", "%x = OpGroupNonUniformQuadBroadcast %uint %u3 %u1 %u0"),
    (
        "GroupNonUniformRotateKHR",
        "OpExtension \"SPV_KHR_subgroup_rotate\"",
        "%x = OpGroupNonUniformRotateKHR %uint %u3 %u1 %u1",
    ),
    (
        "GroupNonUniformPartitionedEXT",
        "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\n%v4 = OpTypeVector %uint 4",
        "%x = OpGroupNonUniformPartitionEXT %v4 %u1",
    ),
    (
        "AtomicFloat16AddEXT",
        "OpCapability Float16\nOpExtension \"SPV_EXT_shader_atomic_float16_add\"\nSHARED %half",
        "%x = OpAtomicFAddEXT %half %shared %u1 %u0 %h1",
    ),
    (
        "AtomicFloat32AddEXT",
        "OpExtension \"SPV_EXT_shader_atomic_float_add\"\nSHARED %float",
        "%x = OpAtomicFAddEXT %float %shared %u1 %u0 %f1",
    ),
    (
        "AtomicFloat64AddEXT",
        "OpCapability Float64\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\nSHARED %double",
        "%x = OpAtomicFAddEXT %double %shared %u1 %u0 %d1",
    ),
    (
        "AtomicFloat16MinMaxEXT",
        "OpCapability Float16\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\nSHARED %half",
        "%x = OpAtomicFMinEXT %half %shared %u1 %u0 %h1",
    ),
    (
        "AtomicFloat32MinMaxEXT",
        "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\nSHARED %float",
        "%x = OpAtomicFMaxEXT %float %shared %u1 %u0 %f1",
    ),
    (
        "AtomicFloat64MinMaxEXT",
        "OpCapability Float64\nOpExtension \"SPV_EXT_shader_atomic_float_min_max\"\nSHARED %double",
        "%x = OpAtomicFMinEXT %double %shared %u1 %u0 %d1",
    ),
    (
        "CooperativeMatrixKHR",
        "OpExtension \"SPV_KHR_cooperative_matrix\"
        OpCapability VulkanMemoryModel
        OpMemoryModel Logical Vulkan
        %matrix = OpTypeCooperativeMatrixKHR %float %u3 %u2 %u2 %u2
        %zero = OpConstantNull %matrix",
        "%x = OpCopyObject %matrix %zero",
    ),
    (
        "FunctionPointersINTEL",
        "KERNEL\nOpExtension \"SPV_INTEL_function_pointers\"
        %code = OpTypePointer CodeSectionINTEL %fn
        %pointer = OpConstantFunctionPointerINTEL %code %pointed
        FN %pointed\nEND",
        "%x = OpCopyObject %code %pointer",
    ),
    (
        "IndirectReferencesINTEL",
        "KERNEL\nOpExtension \"SPV_INTEL_function_pointers\"
        OpDecorate %pointed ReferencedIndirectlyINTEL
        FN %pointed\nEND",
        "CALL %pointed",
    ),
];

/// Returns the module's lines, with variables spelt out.
fn spell(lines: &str) -> String {
    let mut text = String::new();
    for line in lines.lines().map(str::trim) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["SHARED", type_] => text.push_str(&format!(
                "INTERFACE %shared
                %pshared = OpTypePointer Workgroup {type_}
                %shared = OpVariable %pshared Workgroup\n"
            )),
            ["BUFFER", class, type_] => text.push_str(&format!(
                "INTERFACE %buffer
                OpDecorate %block Block
                {}
                %block = OpTypeStruct {type_}
                %pblock = OpTypePointer {class} %block
                %pmember = OpTypePointer {class} {type_}
                %buffer = OpVariable %pblock {class}\n",
                if class == "Input" { "" } else { "OpMemberDecorate %block 0 Offset 0" }
            )),
            _ => text.push_str(&format!("{line}\n")),
        }
    }
    text
}

#[test]
fn each_capability_becomes_conditional_and_each_is_kept() {
    for (capability, lines, code) in NEEDS {
        let lines = spell(lines);
        let start = format!("OpCapability {capability}\n{lines}");
        println!("{capability}");
        let p = packed(&format!("{start}FN %main\nWHEN -2 20: %act\nEND\nFN %act\n{code}\nEND"));
        p.capability(capability, "arch(intel_gpu_pvc)");
        for extension in lines.lines().filter_map(|line| line.trim().strip_prefix("OpExtension ")) {
            p.extension(extension.trim_matches('"'), "arch(intel_gpu_pvc)");
        }
        let p = packed(&format!("{start}FN %main\nWHEN -2 20: %act\n{code}\nEND\nFN %act\nEND"));
        p.capability(capability, "always");
        for extension in lines.lines().filter_map(|line| line.trim().strip_prefix("OpExtension ")) {
            p.extension(extension.trim_matches('"'), "always");
        }
    }
}

#[test]
fn a_capability_without_complete_rules_is_kept() {
    let p = packed(
        "OpCapability AtomicStorageOps
        OpExtension \"SPV_KHR_shader_atomic_counter_ops\"
        OpCapability Float64
        FN %main\nWHEN -1 6: %wide\nEND
        FN %wide\n%x = OpFAdd %double %d1 %d1\nEND",
    );
    p.capability("AtomicStorageOps", "always").capability("Float64", "fp64");
}

/// Drivers look for them by name, so they remain unconditional.
#[test]
fn capabilities_that_determine_the_kind_of_module_are_kept() {
    let wide = "FN %main\nWHEN -1 6: %wide\nEND\nFN %wide\n%x = OpFAdd %double %d1 %d1\nEND";
    let p = packed(&format!("KERNEL\nOpCapability Shader\nOpCapability Float64\n{wide}"));
    p.capability("Kernel", "always").capability("Shader", "always").capability("Float64", "fp64");
    // What is only implied is not declared for its own sake.
    let p = packed(
        "KERNEL
        OpCapability ShaderNonUniform
        OpExtension \"SPV_EXT_descriptor_indexing\"
        OpDecorate %x NonUniform
        FN %main\nWHEN -1 6: %act\nEND
        FN %act\n%x = OpIAdd %int %i1 %i1\nEND",
    );
    p.capability("ShaderNonUniform", "fp64").capability("Shader", "gone");
}

#[test]
fn capabilities_that_a_conditional_one_implied_are_declared_where_they_are_required() {
    let act = "FN %act\n%x = OpGroupNonUniformIAdd %uint %u3 Reduce %u1\nEND";
    let elect = "%e = OpGroupNonUniformElect %bool %u3";
    let p = packed(&format!(
        "OpCapability GroupNonUniformArithmetic\nFN %main\nWHEN -2 20: %act\n{elect}\nEND\n{act}"
    ));
    p.capability("GroupNonUniformArithmetic", "arch(intel_gpu_pvc)").capability("GroupNonUniform", "always");
    // Under another condition, it is declared under that.
    let p = packed(&format!(
        "OpCapability GroupNonUniformArithmetic
        FN %main\nWHEN -2 20: %act\nWHEN -1 5: %ask\nEND\n{act}
        FN %ask\n{elect}\nEND"
    ));
    p.capability("GroupNonUniformArithmetic", "arch(intel_gpu_pvc)").capability("GroupNonUniform", "fp16");
    // The one that implied it is removed if nothing requires it.
    let p = packed(&format!(
        "OpCapability GroupNonUniformArithmetic\nFN %main\nWHEN -2 20: %act\n{elect}\nEND\nFN %act\nEND"
    ));
    p.capability("GroupNonUniformArithmetic", "gone").capability("GroupNonUniform", "always");
}

#[test]
fn atomics_of_64_bits_are_apart_from_integers_of_64_bits() {
    let lines = spell("SHARED %long");
    let p = packed(&format!(
        "OpCapability Int64Atomics\n{lines}
        FN %main\n%y = OpLoad %long %shared\nWHEN -1 28: %act\nEND
        FN %act\n%x = OpAtomicIAdd %long %shared %u1 %u0 %l1\nEND"
    ));
    p.capability("Int64Atomics", "atomic64").capability("Int64", "always").are("long shared", "always");
    // Atomics on 32 bits do not require it.
    let lines = spell("SHARED %uint");
    let p = packed(&format!(
        "OpCapability Int64Atomics\nOpCapability Int64\n{lines}
        FN %main\n%y = OpAtomicIAdd %uint %shared %u1 %u0 %u1\nWHEN -1 28: %act\nEND
        FN %act\n%x = OpIAdd %long %l1 %l1\nEND"
    ));
    p.capability("Int64Atomics", "gone").capability("Int64", "atomic64");
}

#[test]
fn storing_half_floats_needs_less_than_computing_with_them() {
    let p = packed(&format!(
        "OpCapability Float16\nOpCapability StorageBuffer16BitAccess\n{}
        FN %main\n%x = OpAccessChain %pmember %buffer %u0\nWHEN -1 5: %act\nEND
        FN %act\n%y = OpFAdd %half %h1 %h1\nEND",
        spell("BUFFER StorageBuffer %half")
    ));
    p.capability("Float16", "fp16").capability("StorageBuffer16BitAccess", "always").are("half", "always");
}

#[test]
fn where_any_of_several_is_enough_all_are_required() {
    let p = packed(
        "OpCapability DerivativeControl\nOpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformPartitionedEXT
        OpExtension \"SPV_NV_shader_subgroup_partitioned\"
        FN %main\nWHEN -1 5: %act\nEND
        FN %act\n%x = OpGroupNonUniformIAdd %uint %u3 ClusteredReduce %u1 %u1\nEND",
    );
    p.capability("GroupNonUniformClustered", "fp16").capability("GroupNonUniformPartitionedEXT", "gone");
    p.capability("DerivativeControl", "gone");
}

#[test]
fn an_extension_that_the_version_includes_is_removed_and_an_unknown_one_is_kept() {
    let p = packed(
        "OpCapability Float64
        OpExtension \"SPV_KHR_8bit_storage\"
        OpExtension \"SPV_TEST_unknown\"
        FN %main\nWHEN -1 6: %wide\nEND
        FN %wide\n%x = OpFAdd %double %d1 %d1\nEND",
    );
    p.extension("SPV_KHR_8bit_storage", "gone")
        .extension("SPV_TEST_unknown", "always")
        .extension("SPV_INTEL_function_variants", "always");
}
