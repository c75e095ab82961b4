//! Recorded requirements of images whose constants are set.

use super::support::*;
use crate::runtime::{ImageSource, LinkRequest, LoadedProgram, link};
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::engine::pipelines::{PipelineError, SpecializeRequest};
use spirv_if::engine::transform::specialize::KeyedSetting;

/// A device without double precision, which runs shaders.
const WITHOUT: &str = "intel_gpu_dg1";
const FP16: u32 = 5;
const FP64: u32 = 6;
/// An aspect that the device does not have and that no code explains.
const CUSTOM: u32 = 4;

/// The settings of `fixtures/spec/precision.comp` without and with double precision. SpecId 4 is a double.
const SINGLE: [(u32, u64); 2] = [(1, 0), (4, 0)];
const DOUBLE: [(u32, u64); 2] = [(1, 1), (4, 0)];

fn precision(required: &[u32]) -> LoadedProgram {
    let code = Box::new(|| std::fs::read("../fixtures/spec/precision.spv"));
    program([ImageSource { code, ..image("precision", &["main"]).with(aspects(required)) }])
}

/// Links the kernel with settings. Returns the missing features if the device is refused.
fn missing(program: &LoadedProgram, kernel: &str, set: &[(u32, u64)]) -> Result<(), Vec<String>> {
    let set = set.iter().map(|&(spec_id, value)| KeyedSetting::set(spec_id, value)).collect();
    let specialize = SpecializeRequest { set, ..Default::default() };
    let request = LinkRequest { specialize, ..Default::default() };
    let device = device(WITHOUT);
    let selected = program.select(kernel, &device).unwrap();
    match link(program, &selected, kernel, &device, request) {
        Err(PipelineError::Refused(refused)) => {
            Err(refused.missing.iter().map(|missing| missing.name()).collect())
        }
        result => {
            result.unwrap();
            Ok(())
        }
    }
}

#[test]
fn an_aspect_of_code_that_constants_remove_is_not_required() {
    let program = precision(&[FP16, FP64]);
    assert_eq!(missing(&program, "main", &SINGLE), Ok(()));
    assert_eq!(missing(&program, "main", &DOUBLE), Err(vec!["Float64".to_owned()]));
}

/// Checks that an aspect that no code explains stays required with any settings, and so does a size.
#[test]
fn other_requirements_stay_as_recorded() {
    let program = precision(&[FP16, FP64, CUSTOM]);
    assert_eq!(missing(&program, "main", &SINGLE), Err(vec!["aspect custom".to_owned()]));
    let sizes = DeviceRequirements { sub_group_sizes: vec![64], ..aspects(&[FP64]) };
    let without_code = super::support::program([image("main", &["k"]).with(sizes)]);
    assert_eq!(missing(&without_code, "k", &SINGLE), Err(vec!["sub-group size 64".to_owned()]));
}

#[test]
fn without_constants_no_code_is_read() {
    let program = program([image("main", &["k"]).with(aspects(&[FP64]))]);
    assert_eq!(missing(&program, "k", &[]), Err(vec!["aspect fp64".to_owned()]));
}

/// Checks an image that imports from another: the constant belongs to the latter, and the code of the former does not
/// explain the aspect.
#[test]
fn code_of_each_image_explains_its_own_requirements() {
    let head = r#"
        OpCapability Addresses
        OpCapability Kernel
        OpCapability Linkage"#;
    let main = format!(
        r#"{head}
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %k "k"
        OpDecorate %f LinkageAttributes "f" Import
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        %f = OpFunction %void None %type
        OpFunctionEnd
        %k = OpFunction %void None %type
        %start = OpLabel
        %done = OpFunctionCall %void %f
        OpReturn
        OpFunctionEnd"#
    );
    let library = format!(
        r#"{head}
        OpCapability Float64
        OpMemoryModel Physical64 OpenCL
        OpDecorate %f LinkageAttributes "f" Export
        OpDecorate %state LinkageAttributes "state" Export
        OpDecorate %wide SpecId 3
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %double = OpTypeFloat 64
        %zero = OpConstant %uint 0
        %wide = OpSpecConstantTrue %bool
        %pointer = OpTypePointer CrossWorkgroup %uint
        %state = OpVariable %pointer CrossWorkgroup %zero
        %type = OpTypeFunction %void
        %f = OpFunction %void None %type
        %start = OpLabel
        OpBranchConditional %wide %doubles %end
        %doubles = OpLabel
        %old = OpLoad %uint %state Aligned 4
        %more = OpConvertUToF %double %old
        %sum = OpFAdd %double %more %more
        %new = OpConvertFToU %uint %sum
        OpStore %state %new Aligned 4
        OpBranch %end
        %end = OpLabel
        OpReturn
        OpFunctionEnd"#
    );
    let program = |main_requires: &[u32]| {
        program([
            image("main", &["k"]).imports(&["f"]).with(aspects(main_requires)).code(&main),
            image("library", &["f"]).with(aspects(&[FP64])).code(&library),
        ])
    };
    let explained = program(&[]);
    assert_eq!(missing(&explained, "k", &[(3, 0)]), Ok(()));
    assert_eq!(missing(&explained, "k", &[(3, 1)]), Err(vec!["Float64".to_owned()]));
    assert_eq!(missing(&program(&[FP64]), "k", &[(3, 0)]), Err(vec!["aspect fp64".to_owned()]));
}
