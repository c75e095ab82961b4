use std::collections::BTreeMap;

use super::*;
use crate::loader::grammar::opcode_name;
use crate::test_support::{
    self, Batch, assemble, assert_valid, bytes_of, fixtures, program, spirv_val, tool_file,
};
use crate::writer::apply;

const V1_0: Version = Version::new(1, 0);
const V1_1: Version = Version::new(1, 1);
const V1_2: Version = Version::new(1, 2);
const V1_3: Version = Version::new(1, 3);
const V1_4: Version = Version::new(1, 4);
const V1_5: Version = Version::new(1, 5);
/// The versions before the newest.
const OLDER: [Version; 6] = [V1_0, V1_1, V1_2, V1_3, V1_4, V1_5];

fn environment(version: Version) -> String {
    format!("spv{version}")
}

/// Returns a module as one of a version.
fn lowered(words: &[u32], version: Version) -> Result<Vec<u32>, TooNew> {
    let module = Module::from_words(words).unwrap();
    let mut words = apply(&module, &lower(&module, version)?).unwrap();
    words[1] = version.to_word();
    Ok(words)
}

/// Returns the error of spirv-val for a module with its version changed, for any content.
fn relabelled(words: &[u32], version: Version) -> Result<(), String> {
    let module = Module::from_words(words).unwrap();
    let mut lowering = Lowering::new(&module, version);
    lowering.read(&module);
    let mut words = apply(&module, &changes(&module, version, lowering.added)).unwrap();
    words[1] = version.to_word();
    spirv_val(&bytes_of(&words), &environment(version))
}

/// Every module and every older version: either the result is valid, or spirv-val refuses the module with the other version, too, for a
/// construct that we name.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn results_are_valid_or_refused_rightly() {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut written = Batch::default();
    for (name, words) in fixtures() {
        let current = Module::from_words(&words[..]).unwrap().version();
        for version in OLDER.into_iter().filter(|&version| version < current) {
            match lowered(&words, version) {
                Ok(result) => {
                    written.add(&name, &result, &environment(version));
                    *outcomes.entry("lowered").or_default() += 1;
                }
                // spirv-val does not check the versions that most extensions require, of which some add the refused constructs.
                Err(refused) if refused.constructs.iter().all(is_of_extension) => {}
                Err(refused) => {
                    let theirs = relabelled(&words, version).expect_err(&format!("{name}: {refused}"));
                    let names_it = |construct: &Construct| {
                        let last = construct.name.trim_start_matches("Op").split(' ').next_back();
                        theirs.contains(last.unwrap_or_default())
                    };
                    assert!(refused.constructs.iter().any(names_it), "{name}: {refused}\n{theirs}");
                    *outcomes.entry("refused").or_default() += 1;
                }
            }
        }
    }
    written.assert_valid();
    assert!(outcomes["lowered"] > 250 && outcomes["refused"] > 40, "{outcomes:?}");
}

/// Returns true for an extension, or a construct that an extension adds to older versions.
fn is_of_extension(construct: &Construct) -> bool {
    let [kind, name] = match construct.name.split_once(' ') {
        Some((kind, name)) => [kind, name],
        None => [versions::INSTRUCTION, construct.name.trim_start_matches("Op")],
    };
    let mut rows = crate::text::csv::rows(versions::VERSIONS);
    kind == "extension"
        || rows.any(|[of, _, other, _, extensions]: [&str; 5]| {
            (of, other) == (kind, name) && !extensions.is_empty()
        })
}

/// Returns the constructs of a text that a version does not have, and the message of spirv-val.
fn refused(text: &str, version: Version) -> Vec<String> {
    let words = assemble(&program::expand(text), "spv1.6");
    assert_valid(&words, "spv1.6");
    match lowered(&words, version) {
        Ok(result) => {
            assert_valid(&result, &environment(version));
            Vec::new()
        }
        Err(refused) => {
            relabelled(&words, version).expect_err(&format!("{refused}\nof {text}"));
            refused.constructs.iter().map(ToString::to_string).collect()
        }
    }
}

/// Returns the version before another.
fn before(version: Version) -> Version {
    Version { minor: version.minor - 1, ..version }
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn rules_that_no_token_shows() {
    let cases = [
        (
            V1_4,
            "OpSelect of composites",
            "%pair = OpTypeStruct %int %int\n%p = OpConstantComposite %pair %i0 %i1\nFN %main\n%x = OpSelect %pair %true %p %p\nEND",
        ),
        (
            V1_4,
            "OpSelect of vectors by one Boolean",
            "%v2 = OpTypeVector %int 2\n%p = OpConstantComposite %v2 %i0 %i1\nFN %main\n%x = OpSelect %v2 %true %p %p\nEND",
        ),
        (
            V1_4,
            "OpCopyMemory with two memory accesses",
            "FN %main\n%a = OpVariable %pint Function\n%b = OpVariable %pint Function\nOpCopyMemory %a %b Aligned 4 Volatile\nEND",
        ),
        (
            V1_4,
            "OpSpecConstantOp UConvert without Kernel",
            "OpCapability Int64\n%ulong = OpTypeInt 64 0\n%s = OpSpecConstant %uint 3\n%c = OpSpecConstantOp %ulong UConvert %s\nFN %main\nEND",
        ),
        (
            V1_4,
            "NonWritable of a variable of one invocation",
            "OpDecorate %v NonWritable\n%pp = OpTypePointer Private %int\n%v = OpVariable %pp Private %i1\nFN %main\nEND",
        ),
        (
            V1_4,
            "NonWritable of a variable of one invocation",
            "OpDecorate %group NonWritable\n%group = OpDecorationGroup\nOpGroupDecorate %group %v\n\
            %pp = OpTypePointer Private %int\n%v = OpVariable %pp Private %i1\nFN %main\nEND",
        ),
        (
            V1_5,
            "OpGroupNonUniformBroadcast of an invocation that is not a constant",
            "OpCapability GroupNonUniformBallot\nFN %main\n%x = OpIAdd %uint %u1 %u1\n%y = OpGroupNonUniformBroadcast %int %u3 %i1 %x\nEND",
        ),
    ];
    for (version, name, text) in cases {
        assert_eq!(refused(text, before(version)), [format!("{name} requires SPIR-V {version}")]);
        assert_eq!(refused(text, version), [""; 0], "{text}");
    }
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn barriers_are_for_stages_with_work_groups() {
    let text = |stage: &str| {
        let text = program::expand("FN %f\nOpControlBarrier %u2 %u2 %u0\nEND\nFN %main\nCALL %f\nEND");
        text.replace("GLCompute", stage)
            .replace("OpExecutionMode %main LocalSize 1 1 1", "OpExecutionMode %main OriginUpperLeft")
    };
    let words = assemble(&text("Fragment"), "spv1.6");
    let error = lowered(&words, V1_2).unwrap_err();
    assert_eq!(error.constructs[0].name, "OpControlBarrier in a stage without work-groups");
    relabelled(&words, V1_2).unwrap_err();
    assert_valid(&lowered(&words, V1_3).unwrap(), "spv1.3");
    let compute = assemble(
        &program::expand("FN %f\nOpControlBarrier %u2 %u2 %u0\nEND\nFN %main\nCALL %f\nEND"),
        "spv1.6",
    );
    assert_valid(&lowered(&compute, V1_0).unwrap(), "spv1.0");
}

/// Returns the names of the declarations of a module in an older version.
fn declares(text: &str, version: Version) -> Vec<String> {
    let words = assemble(&program::expand(text), "spv1.6");
    let result = lowered(&words, version).unwrap();
    assert_valid(&result, &environment(version));
    let module = Module::from_words(result).unwrap();
    module.extensions().map(|extension| extension.name().into_owned()).collect()
}

#[test]
fn extensions_stand_for_newer_versions() {
    let buffer = "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n%s = OpTypeStruct %int\n%ps = OpTypePointer StorageBuffer %s\n\
        %v = OpVariable %ps StorageBuffer\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\nINTERFACE %v\nFN %main\nEND";
    assert_eq!(declares(buffer, V1_3), [""; 0]);
    assert_eq!(declares(buffer, V1_2), ["SPV_KHR_storage_buffer_storage_class"]);
    // One that is declared is enough.
    let pointers =
        format!("OpExtension \"SPV_KHR_variable_pointers\"\nOpCapability VariablePointers\n{buffer}");
    assert_eq!(declares(&pointers, V1_2), ["SPV_KHR_variable_pointers"]);
    let non_semantic =
        "%set = OpExtInstImport \"NonSemantic.Mine\"\nFN %main\n%x = OpExtInst %void %set 1\nEND";
    assert_eq!(declares(non_semantic, V1_5), ["SPV_KHR_non_semantic_info"]);
    let addresses = "OpCapability PhysicalStorageBufferAddresses\nFN %main\nEND";
    assert_eq!(declares(addresses, V1_4), ["SPV_KHR_physical_storage_buffer"]);
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn extensions_require_versions() {
    let text = "OpCapability WorkgroupMemoryExplicitLayoutKHR\nOpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\nFN %main\nEND";
    assert_eq!(
        refused(text, V1_3),
        ["extension SPV_KHR_workgroup_memory_explicit_layout requires SPIR-V 1.4"]
    );
    assert_eq!(refused(text, V1_4), [""; 0]);
}

/// Returns a kernel with code that uses a pointer and two integers as one value.
fn bitcasts(code: &str) -> Vec<u32> {
    let text = format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %f \"k\"\n\
        %void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%uint2 = OpTypeVector %uint 2\n%ulong = OpTypeInt 64 0\n\
        %pointer = OpTypePointer CrossWorkgroup %uint\n%fn = OpTypeFunction %void %uint2 %ulong %pointer\n\
        %f = OpFunction %void None %fn\n%v = OpFunctionParameter %uint2\n%l = OpFunctionParameter %ulong\n%p = OpFunctionParameter %pointer\n\
        %entry = OpLabel\n{code}\nOpReturn\nOpFunctionEnd"
    );
    assemble(&text, "spv1.6")
}

#[test]
fn bitcasts_of_vectors_and_pointers_are_of_an_extension() {
    let extensions = |words: &[u32], version: Version| -> Vec<String> {
        let result = lowered(words, version).unwrap();
        assert_valid(&result, &environment(version));
        let module = Module::from_words(&result[..]).unwrap();
        module.extensions().map(|extension| extension.name().into_owned()).collect()
    };
    for code in ["%x = OpBitcast %pointer %v", "%x = OpBitcast %uint2 %p"] {
        let words = bitcasts(code);
        assert_eq!(extensions(&words, V1_5), [""; 0]);
        assert_eq!(extensions(&words, V1_3), ["SPV_KHR_physical_storage_buffer"]);
        // The extension itself is not of older versions.
        let error = lowered(&words, V1_2).unwrap_err();
        let names: Vec<String> = error.constructs.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["OpBitcast between a pointer and a vector requires SPIR-V 1.3"]);
    }
    for code in ["%x = OpBitcast %pointer %l", "%x = OpBitcast %ulong %p", "%x = OpBitcast %ulong %v"] {
        assert_eq!(extensions(&bitcasts(code), V1_0), [""; 0]);
    }
}

#[test]
fn what_a_capability_adds_comes_with_its_extension() {
    let text = "OpCapability DemoteToHelperInvocation\nFN %main\nOpDemoteToHelperInvocation\nEND";
    let text = program::expand(text)
        .replace("GLCompute", "Fragment")
        .replace("OpExecutionMode %main LocalSize 1 1 1", "OpExecutionMode %main OriginUpperLeft");
    let words = assemble(&text, "spv1.6");
    for version in OLDER {
        let result = lowered(&words, version).unwrap();
        assert_valid(&result, &environment(version));
        let module = Module::from_words(&result[..]).unwrap();
        let extensions: Vec<String> =
            module.extensions().map(|extension| extension.name().into_owned()).collect();
        assert_eq!(extensions, ["SPV_EXT_demote_to_helper_invocation"]);
    }
    // An instruction that is newer than its capability did not come with it.
    let text = "OpCapability VariablePointers\nOpExtension \"SPV_KHR_variable_pointers\"\n\
        FN %main\n%a = OpVariable %pint Function\n%x = OpPtrEqual %bool %a %a\nEND";
    let error = lowered(&assemble(&program::expand(text), "spv1.6"), V1_3).unwrap_err();
    assert_eq!(error.constructs[0].name, "OpPtrEqual");
}

#[test]
fn conversions_of_specialization_constants_are_of_an_extension() {
    let text = "OpCapability Int64\nOpExtension \"SPV_AMD_gpu_shader_int16\"\n%ulong = OpTypeInt 64 0\n%s = OpSpecConstant %uint 3\n\
        %c = OpSpecConstantOp %ulong UConvert %s\nFN %main\nEND";
    assert_eq!(declares(text, V1_0), ["SPV_AMD_gpu_shader_int16"]);
}

/// Checks that every extension that spirv-val refuses in old modules requires the stated version.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn versions_of_extensions_are_those_of_spirv_val() {
    let grammar = tool_file("SPIRV_GRAMMAR", "root/usr/include/spirv/unified1/spirv.core.grammar.json");
    let grammar = std::fs::read_to_string(grammar).unwrap();
    let mut names: BTreeSet<&str> = grammar.split('"').filter(|name| name.starts_with("SPV_")).collect();
    names.extend(crate::device::extensions::extensions().iter().map(|extension| extension.name));
    names.extend(
        crate::text::csv::rows(versions::VERSIONS)
            .filter_map(|[kind, _, name, ..]: [&str; 5]| (kind == versions::EXTENSION).then_some(name)),
    );
    let mut checked = 0;
    for name in &names {
        let text = format!(
            "OpCapability Shader\nOpCapability Linkage\nOpExtension \"{name}\"\nOpMemoryModel Logical GLSL450"
        );
        let Err(message) = spirv_val(&bytes_of(&assemble(&text, "spv1.0")), "spv1.6") else { continue };
        let version = message.split("requires SPIR-V version ").nth(1).and_then(|rest| rest.get(..3));
        let version = version.unwrap_or_else(|| panic!("{message}")).parse().unwrap();
        let required = versions::extension(name).map(|required| required.version);
        assert_eq!(required, Some(version), "{name}");
        checked += 1;
    }
    assert!(names.len() > 150 && checked >= 9, "{} {checked}", names.len());
}

#[test]
fn property_sets_are_carried_as_the_version_can() {
    let text = "OpModuleProcessed \"Linked by me\"\nOpModuleProcessed \"spirv-if:properties:1 = [Set]\"\nOpName %main \"main\"\nFN %main\nEND";
    let words = assemble(&program::expand(text), "spv1.6");
    let result = lowered(&words, V1_0).unwrap();
    assert_valid(&result, "spv1.0");
    let module = Module::from_words(&result[..]).unwrap();
    let notes: Vec<String> = module.notes().map(|note| opcode_name(note.opcode())).collect();
    assert_eq!(notes, ["OpSourceExtension"]);
    let before = carried::read(&Module::from_words(words).unwrap()).unwrap();
    assert_eq!(carried::read(&module).unwrap(), before);
    assert_eq!(before.sets.len(), 1);
}

/// Every row of the table: an older module that has only the row's construct is refused by its name, or declares an extension.
#[test]
fn all_constructs_of_the_table_are_found() {
    let rows = crate::text::csv::rows(versions::VERSIONS);
    let mut count = 0;
    for [kind, number, name, version, extensions] in rows {
        let (number, version) = (number.parse().unwrap_or(0), version.parse().unwrap());
        let (inst, expected) = match kind {
            versions::INSTRUCTION => (test_support::instruction(number as u16, &[1; 8]), format!("Op{name}")),
            "Capability" => {
                (test_support::instruction(Op::Capability as u16, &[number]), format!("{kind} {name}"))
            }
            "Decoration" => {
                (test_support::instruction(Op::Decorate as u16, &[1, number]), format!("{kind} {name}"))
            }
            "BuiltIn" => {
                (test_support::instruction(Op::Decorate as u16, &[1, 11, number]), format!("{kind} {name}"))
            }
            "ExecutionMode" => {
                (test_support::instruction(Op::ExecutionMode as u16, &[1, number]), format!("{kind} {name}"))
            }
            "StorageClass" => {
                (test_support::instruction(Op::TypePointer as u16, &[1, number, 2]), format!("{kind} {name}"))
            }
            "LoopControl" => (
                test_support::instruction(Op::LoopMerge as u16, &[1, 2, number, 1]),
                format!("{kind} {name}"),
            ),
            // Scopes and memory semantics are constants, which capabilities of the same version allow.
            _ => continue,
        };
        let words = [&test_support::module_of(5, &[])[..], &inst].concat();
        // Not all of these are modules that load: a construct is looked for, and nothing else.
        let Ok(module) = Module::from_words(&words[..]) else { continue };
        let mut lowering = Lowering::new(&module, before(version));
        lowering.read(&module);
        if inst[0] as u16 == Op::ModuleProcessed as u16 {
            continue;
        }
        count += 1;
        match extensions {
            "" => assert!(
                lowering.newer.iter().any(|construct| construct.name == expected),
                "{kind} {name}: {:?}",
                lowering.newer
            ),
            _ => assert!(
                lowering.added.iter().any(|construct| extensions.contains(construct)),
                "{kind} {name}"
            ),
        }
    }
    assert!(count > 70, "{count}");
}
