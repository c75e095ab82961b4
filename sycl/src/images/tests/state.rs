//! Kernels that stay together because of shared state.

use super::support::images;
use crate::images::{SplitError, SplitMode};
use crate::test_support::assemble;
use spirv_if::engine::pipelines::PipelineError;

/// Returns two kernels, `a` and `b`, with these capabilities, decorations, definitions and bodies.
fn kernels(capabilities: &str, decorations: &str, definitions: &str, [a, b]: [&str; 2]) -> Vec<u32> {
    let text = format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n{capabilities}\n\
         OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %1 \"a\"\nOpEntryPoint Kernel %2 \"b\"\n{decorations}\n\
         %3 = OpTypeVoid\n%4 = OpTypeFunction %3\n%5 = OpTypeInt 32 0\n%6 = OpConstant %5 0\n%7 = OpTypeFloat 64\n\
         %8 = OpConstant %7 0\n%9 = OpTypePointer CrossWorkgroup %5\n{definitions}\n\
         %1 = OpFunction %3 None %4\n%10 = OpLabel\n{a}\nOpReturn\nOpFunctionEnd\n\
         %2 = OpFunction %3 None %4\n%11 = OpLabel\n{b}\nOpReturn\nOpFunctionEnd\n\
         %12 = OpFunction %3 None %4\n%13 = OpLabel\nOpStore %20 %6 Aligned 4\nOpReturn\nOpFunctionEnd\n"
    );
    assemble(&text, "spv1.4")
}

const COUNTER: &str = "%20 = OpVariable %9 CrossWorkgroup %6";
const STORES: &str = "OpStore %20 %6 Aligned 4";
const DOUBLES: &str = "%30 = OpFAdd %7 %8 %8";

/// Returns the symbols and warnings of each image.
fn split(words: &[u32]) -> Result<(Vec<Vec<String>>, Vec<String>), PipelineError> {
    let images = images(words, SplitMode::Kernel)?.images;
    let warnings = images.iter().flat_map(|(_, image)| image.warnings.iter().map(|warning| warning.text()));
    let mut warnings: Vec<String> = warnings.collect();
    warnings.dedup();
    Ok((images.iter().map(|(_, image)| image.symbols.clone()).collect(), warnings))
}

/// Checks that a function shares its state even if only a pointer in the initializer of a constant variable leads to it.
#[test]
fn state_is_found_behind_pointers_to_functions() {
    let definitions = format!(
        "{COUNTER}\n%21 = OpTypePointer CodeSectionINTEL %4\n%22 = OpConstantFunctionPointerINTEL %21 %12\n\
         %23 = OpTypePointer CrossWorkgroup %21\n%24 = OpVariable %23 CrossWorkgroup %22"
    );
    let capabilities = "OpCapability FunctionPointersINTEL\nOpExtension \"SPV_INTEL_function_pointers\"";
    let loads = "%30 = OpLoad %21 %24 Aligned 8";
    let words = kernels(capabilities, "OpDecorate %24 Constant", &definitions, [STORES, loads]);
    assert_eq!(split(&words).unwrap(), (vec![vec!["a".into(), "b".into()]], vec![]));
}

/// A pipe outlives the kernel that writes to it.
#[test]
fn kernels_at_both_ends_of_a_pipe_stay_together() {
    let definitions = format!(
        "{COUNTER}\n%21 = OpTypePipeStorage\n%22 = OpTypePipe WriteOnly\n%23 = OpTypePipe ReadOnly\n\
         %24 = OpConstantPipeStorage %21 4 4 1"
    );
    let ends = ["%30 = OpCreatePipeFromPipeStorage %22 %24", "%31 = OpCreatePipeFromPipeStorage %23 %24"];
    let capabilities = "OpCapability Pipes\nOpCapability PipeStorage";
    let words = kernels(capabilities, "OpName %24 \"stream\"", &definitions, ends);
    assert_eq!(split(&words).unwrap().0, [["a", "b"]]);
    let doubles = format!("{}\n%32 = OpFAdd %7 %8 %8", ends[1]);
    let capabilities = format!("{capabilities}\nOpCapability Float64");
    let words = kernels(&capabilities, "OpName %24 \"stream\"", &definitions, [ends[0], &doubles]);
    let (images, warnings) = split(&words).unwrap();
    assert_eq!(images, [["a"], ["b"]]);
    assert!(warnings.len() == 1 && warnings[0].starts_with("pipe storage 'stream' "), "{warnings:?}");
}

/// Checks that only variables with the property, other than `false`, are for one image. Imported variables are not copied at all.
#[test]
fn one_image_is_a_property_of_variables() {
    let uses = [STORES, &format!("{STORES}\n{DOUBLES}")];
    for (decoration, expected) in [
        ("OpDecorate %20 UserSemantic \"sycl-properties:sycl-device-image-scope\"", None),
        ("OpDecorate %20 UserSemantic \"sycl-properties:sycl-device-image-scope=true\"", None),
        ("OpDecorate %20 UserSemantic \"sycl-properties:sycl-device-image-scope=false\"", Some(1)),
        ("OpDecorate %20 UserSemantic \"sycl-properties:sycl-host-access=read\"", Some(1)),
        ("OpDecorate %1 UserSemantic \"sycl-properties:sycl-device-image-scope\"", Some(1)),
        ("OpDecorate %20 LinkageAttributes \"counter\" Import", Some(0)),
        ("OpDecorate %20 Constant", Some(0)),
    ] {
        let words = kernels("OpCapability Float64", decoration, COUNTER, uses);
        match (split(&words), expected) {
            (Err(error), None) => match error.cause() {
                Some(SplitError::ImageScope(shared)) => assert_eq!(shared.users, [["a"], ["b"]]),
                _ => panic!("{decoration}: {error}"),
            },
            (Ok((images, warnings)), Some(count)) => {
                assert_eq!((images.len(), warnings.len()), (2, count), "{decoration}")
            }
            (result, _) => panic!("{decoration}: {:?}", result.map_err(|error| error.to_string())),
        }
    }
}
