//! The images of a kernel. No image has code: reading it would fail.

use std::sync::Arc;

use super::support::*;
use crate::runtime::link;
use spirv_if::device::{Aspect, Device};
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::error::Missing;

const FP16: u32 = 5;
const FP64: u32 = 6;

/// Two of Intel's GPUs: pvc has double precision, and dg1 does not.
const WITH: &str = "intel_gpu_pvc";
const WITHOUT: &str = "intel_gpu_dg1";

#[test]
fn imports_are_followed() {
    let program = program([
        image("other", &["other"]),
        image("main", &["k"]).imports(&["f"]),
        image("f", &["f"]).imports(&["g"]),
        image("g", &["g", "h"]),
    ]);
    assert_eq!(selected(&program, WITH), ["main (kernel)", "f (f of main)", "g (g of f)"]);
    assert_eq!(program.kernels(), ["other", "k", "h"], "f and g are imported");
}

#[test]
fn add_on_images_are_chosen_by_their_conditions_and_theirs_in_turn() {
    let program = program([
        image("main", &["k"]).imports(&["f"]).requires(&[("1", "fp64")]),
        image("real", &["f"]).add_on("1", true).requires(&[("2", "arch(intel_gpu_pvc)")]).imports(&["g"]),
        image("stub", &["f"]).add_on("1", false).imports(&["fallback"]),
        image("nested", &["g"]).add_on("2", true),
        image("nested stub", &["g"]).add_on("2", false),
        image("fallback", &["fallback"]),
    ]);
    assert_eq!(
        selected(&program, WITH),
        [
            "main (kernel)",
            "real (1 of main: fp64 is true)",
            "nested (2 of real: arch(intel_gpu_pvc) is true)"
        ]
    );
    assert_eq!(
        selected(&program, "intel_gpu_skl"),
        [
            "main (kernel)",
            "real (1 of main: fp64 is true)",
            "nested stub (2 of real: arch(intel_gpu_pvc) is false)"
        ]
    );
    assert_eq!(
        selected(&program, WITHOUT),
        ["main (kernel)", "stub (1 of main: fp64 is false)", "fallback (fallback of stub)"]
    );
}

/// State: the main image exports a variable, which symbol files do not list, and a function that add-on images import.
#[test]
fn add_on_images_import_from_the_image_that_requires_them() {
    let program = program([
        image("main", &["k", "helper"]).imports(&["f"]).requires(&[("1", "fp64")]),
        image("real", &["f"]).add_on("1", true).imports(&["state", "helper"]),
        image("stub", &["f"]).add_on("1", false),
    ]);
    assert_eq!(selected(&program, WITH), ["main (kernel)", "real (1 of main: fp64 is true)"]);
}

#[test]
fn images_for_the_target_come_first() {
    let program = program([
        image("any", &["k"]).for_target("spir64").imports(&["f"]),
        image("f for any", &["f"]).for_target("spir64"),
        image("for pvc", &["k"]).for_target(WITH).imports(&["f"]),
        image("f for pvc", &["f"]).for_target(WITH),
    ]);
    assert_eq!(selected(&program, WITH), ["for pvc (kernel)", "f for pvc (f of for pvc)"]);
    assert_eq!(selected(&program, WITHOUT), ["any (kernel)", "f for any (f of any)"]);
}

#[test]
fn the_requirements_of_all_count() {
    let sizes = DeviceRequirements {
        sub_group_sizes: vec![8],
        work_group_sizes: vec![vec![64, 64]],
        ..Default::default()
    };
    let program = program([
        image("main", &["k"]).imports(&["f"]).with(conditional("gpu", &[FP16])).requires(&[("1", "fp64")]),
        image("f", &["f"]).with(sizes),
        image("real", &[]).add_on("1", true).with(aspects(&[FP64])),
        image("stub", &[]).add_on("1", false).with(aspects(&[7])),
    ]);
    let checked = |device: &Device| program.select("k", device).unwrap();
    let unlimited = checked(&device(WITH).with_facts(|facts| facts.max_work_group_size = None));
    let sub_groups = Missing::SubGroupSize { size: 8, has: vec![16, 32] };
    assert_eq!(unlimited.checked.missing, std::slice::from_ref(&sub_groups));
    assert_eq!(unlimited.checked.unknown, [Missing::WorkGroupSize { size: 4096, limit: None }]);
    assert_eq!(unlimited.requirements.aspects, [FP64]);
    let small = device(WITH).with_facts(|facts| facts.max_work_group_size = Some(1024));
    let large = Missing::WorkGroupSize { size: 4096, limit: Some(1024) };
    assert_eq!(checked(&small).checked.missing, [sub_groups, large]);
    let none = device(WITHOUT).with_facts(|facts| {
        (facts.sub_group_sizes, facts.aspects) = (vec![8].into(), Some([].into()));
        facts.max_work_group_size = None;
    });
    assert_eq!(
        checked(&none).checked.missing,
        [Missing::Aspect(Aspect(7))],
        "no GPU: the condition does not hold"
    );
}

/// The message is the design's, and no code is read.
/// Devices that differ in the condition of a whole image do not share a selection.
#[test]
fn the_condition_of_a_whole_image_counts() {
    let whole = DeviceRequirements { condition: Some(vec![-1, 6]), ..aspects(&[]) };
    let program = program([image("main", &["k"]).with(whole)]);
    let refused = |name: &str| matches!(linked(&program, name), Err(PipelineError::Refused(_)));
    assert_eq!([WITH, WITHOUT].map(refused), [false, true]);
}

#[test]
fn a_device_is_refused_before_code_is_read() {
    let program = program([
        image("main", &["k"]).with(DeviceRequirements { sub_group_sizes: vec![8], ..aspects(&[FP64]) })
    ]);
    let error = linked(&program, "intel_gpu_dg1").unwrap_err();
    assert!(matches!(error, PipelineError::Refused(_)));
    assert_eq!(
        error.to_string(),
        "kernel `k` does not run on intel_gpu_dg1: Kernel uses optional feature corresponding to 'aspect::fp64' but device does not \
         support this aspect."
    );
    assert_eq!(
        linked(&program, "intel_gpu_pvc").unwrap_err().to_string(),
        "kernel `k` does not run on intel_gpu_pvc: Kernel has a required sub-group size of '8' but device does not support this \
         sub-group size."
    );
    assert_eq!(linked(&program, "intel_gpu_skl").unwrap_err().to_string(), "main: the code of main is read");
}

#[test]
fn devices_with_the_same_answers_share_a_selection() {
    let program = program([
        image("main", &["k"]).requires(&[("1", "fp64")]),
        image("real", &[]).add_on("1", true),
        image("stub", &[]).add_on("1", false),
        image("other", &["other"]).with(aspects(&[FP16])),
    ]);
    let select = |name: &str| program.select("k", &device(name)).unwrap();
    assert!(Arc::ptr_eq(&select("intel_gpu_pvc"), &select("intel_gpu_skl")));
    assert!(Arc::ptr_eq(&select("intel_gpu_dg1"), &select("intel_gpu_acm_g10")));
    assert!(!Arc::ptr_eq(&select("intel_gpu_dg1"), &select("intel_gpu_skl")));
    let no_half = device("intel_gpu_skl").with_facts(|facts| facts.aspects = Some([FP64].into()));
    let selected = program.select("k", &no_half).unwrap();
    assert!(Arc::ptr_eq(&selected, &select("intel_gpu_skl")), "nothing asks for fp16");
    assert!(link(&program, &selected, "k", &no_half, Default::default()).is_err(), "there is no code");
}
