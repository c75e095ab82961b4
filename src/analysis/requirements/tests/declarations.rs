//! Forms of declarations of a capability or extension: twice, under a condition, required by the version or by an import.

use super::subject::{declared, module, removed, removes, trimmed};
use crate::test_support::{assert_valid, is_valid};

#[test]
fn duplicate_declarations_are_kept_once() {
    let text = "OpCapability Float64\nOpCapability Float64\nOpCapability Int16\nOpCapability Int16
        FN %main\n%x = OpFAdd %double %d1 %d1\nEND";
    let words = module(text, "spv1.6");
    let result = trimmed(&words);
    // Shader, Float64, and nothing else.
    assert_eq!(declared(&result), ["Float64", "Shader"].map(str::to_owned).into());
    assert_eq!(words.len() - result.len(), 3 * 2, "three declarations");
    assert_valid(&result, "spv1.6");
}

const CONDITIONAL: &str = "OpCapability FunctionVariantsINTEL
    OpCapability SpecConditionalINTEL
    OpExtension \"SPV_INTEL_function_variants\"
    OpConditionalCapabilityINTEL %maybe Float64
    OpDecorate %maybe SpecId 1
    %maybe = OpSpecConstantTrue %bool
    OpDecorateId %double ConditionalINTEL %maybe
    ";

/// A condition cannot be judged: conditional declarations are kept, and those without a condition are judged alone.
#[test]
fn conditional_declarations_are_kept() {
    let plain = "OpCapability Int64\nFN %main\nEND";
    let words = module(
        &format!("{}{plain}", CONDITIONAL.replace("OpDecorateId %double ConditionalINTEL %maybe", "")),
        "spv1.6",
    );
    let names = declared(&trimmed(&words));
    assert!(names.contains("Float64") && !names.contains("Int64"), "{names:?}");
    assert!(names.contains("SPV_INTEL_function_variants"), "{names:?}");
}

/// Checks that an unconditional declaration is kept if unconditional code requires it, even if the module also declares it under a
/// condition.
#[test]
fn a_declaration_under_a_condition_is_no_substitute() {
    let both = format!(
        "OpCapability Float64\n{}FN %main\n%x = OpFAdd %double %d1 %d1\nEND",
        CONDITIONAL.replace("OpDecorateId %double ConditionalINTEL %maybe", "")
    );
    let words = module(&both, "spv1.6");
    let result = trimmed(&words);
    let plain = crate::loader::Module::from_words(&result).unwrap();
    let kept =
        plain.capabilities().any(|declared| declared.capability() == spirv::Capability::Float64 as u32);
    assert!(kept, "{:?}", declared(&result));
}

/// Every extension that became part of SPIR-V, with the version before, a capability that it allows, and other lines.
const CORE: [(&str, &str, &str, &str); 9] = [
    ("SPV_KHR_16bit_storage", "1.2", "1.3", "OpCapability StorageBuffer16BitAccess\n%t = OpTypeInt 16 0"),
    (
        "SPV_KHR_multiview",
        "1.2",
        "1.3",
        "OpCapability MultiView\nINTERFACE %v\nOpDecorate %v BuiltIn ViewIndex\n%p = OpTypePointer Input %int\n%v = OpVariable %p Input",
    ),
    (
        "SPV_KHR_variable_pointers",
        "1.2",
        "1.3",
        "OpCapability VariablePointersStorageBuffer\n%p = OpTypePointer StorageBuffer %uint\n%n = OpConstantNull %p",
    ),
    (
        "SPV_KHR_float_controls",
        "1.3",
        "1.4",
        "OpCapability DenormPreserve\nOpExecutionMode %main DenormPreserve 32",
    ),
    (
        "SPV_KHR_no_integer_wrap_decoration",
        "1.3",
        "1.4",
        "OpDecorate %n NoSignedWrap\nFN %main\n%n = OpIAdd %int %i1 %i1\nEND",
    ),
    ("SPV_KHR_8bit_storage", "1.4", "1.5", "OpCapability StorageBuffer8BitAccess\n%t = OpTypeInt 8 0"),
    (
        "SPV_KHR_vulkan_memory_model",
        "1.4",
        "1.5",
        "OpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan",
    ),
    (
        "SPV_EXT_descriptor_indexing",
        "1.4",
        "1.5",
        "OpCapability ShaderNonUniform\nOpDecorate %n NonUniform\n%n = OpUndef %int",
    ),
    ("SPV_KHR_non_semantic_info", "1.5", "1.6", "%set = OpExtInstImport \"NonSemantic.Test\""),
];

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn an_extension_is_required_below_the_version_that_has_it() {
    for (name, before, since, lines) in CORE {
        let body = if lines.contains("FN ") { "" } else { "FN %main\nEND" };
        let text = |declares| {
            let declaration = if declares { format!("OpExtension \"{name}\"\n") } else { String::new() };
            format!("{declaration}{lines}\n{body}")
        };
        let (before, since) = (format!("spv{before}"), format!("spv{since}"));
        let words = module(&text(true), &before);
        assert!(!removed(&words, &before).contains(name), "{name} in {before}");
        let without = module(&text(false), &before);
        assert!(!is_valid(&without, &before), "{name} in {before}: spirv-val does not need it");
        let words = module(&text(true), &since);
        assert!(removed(&words, &since).contains(name), "{name} in {since}");
    }
}

#[test]
fn extensions_for_what_is_imported() {
    let text = "OpExtension \"SPV_KHR_non_semantic_info\"
        OpExtension \"SPV_AMD_gcn_shader\"
        %set = OpExtInstImport \"NonSemantic.DebugPrintf\"
        FN %main\nEND";
    removes(text, "spv1.3", "SPV_AMD_gcn_shader");
    removes(
        &text.replace("NonSemantic.DebugPrintf", "SPV_AMD_gcn_shader"),
        "spv1.3",
        "SPV_KHR_non_semantic_info",
    );
}

/// OpSpecConstantOp has the requirements of the opcode in it.
#[test]
fn operations_of_specialization_constants() {
    let text = |code: &str| {
        format!(
            "OpCapability Kernel\nOpCapability Float16Buffer\n%s = OpSpecConstant %float 1\n%i = OpSpecConstant %uint 1\n%x = {code}\nFN %main\nEND"
        )
    };
    removes(&text("OpSpecConstantOp %float QuantizeToF16 %s"), "spv1.6", "Float16Buffer");
    removes(&text("OpSpecConstantOp %uint IAdd %i %i"), "spv1.6", "Float16Buffer");
    removes(&text("OpSpecConstantOp %float FMul %s %s"), "spv1.6", "Float16Buffer");
    let wide = text("OpSpecConstantOp %long UConvert %i");
    removes(&format!("OpCapability Int64\n{wide}"), "spv1.6", "Float16Buffer");
}
