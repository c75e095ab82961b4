//! Programs whose images do not fit together.

use super::support::*;
use spirv_if::device::{Device, DeviceParts};

const DEVICE: &str = "intel_gpu_pvc";

#[test]
fn unknown_kernels() {
    let program = program([image("main", &["kernel_one"]), image("real", &["kernel_two"]).add_on("1", true)]);
    assert_eq!(
        error(&program, "kernel_on", DEVICE),
        "no image has a kernel `kernel_on`; did you mean `kernel_one`?"
    );
    assert!(
        error(&program, "kernel_two", DEVICE).starts_with("no image has a kernel `kernel_two`"),
        "of an add-on"
    );
}

#[test]
fn kernels_for_other_targets() {
    let program =
        program([image("a", &["k"]).for_target("intel_gpu_dg1"), image("b", &["k"]).for_target("x86_64")]);
    assert_eq!(
        error(&program, "k", DEVICE),
        "no image has a kernel `k` for intel_gpu_pvc: images with it are for intel_gpu_dg1, x86_64"
    );
}

#[test]
fn a_kernel_in_two_images() {
    let program = program([image("a", &["k"]), image("b", &["k"])]);
    assert!(program.kernels().is_empty(), "it may be an exported function");
    assert_eq!(
        error(&program, "k", DEVICE),
        "both a and b have the kernel `k`: only one image of a target may have a kernel. Remove the other from the table"
    );
}

#[test]
fn a_name_that_two_images_export() {
    let program = program([image("main", &["k"]).imports(&["f"]), image("a", &["f"]), image("b", &["f"])]);
    assert_eq!(
        error(&program, "k", DEVICE),
        "`f`, which main imports, is exported by both a and b: only one image may export a name. Remove the other from the table"
    );
}

#[test]
fn two_selected_images_that_export_one_name() {
    let with = |imports: &[&str]| {
        let others = [image("a", &["f", "helper"]), image("b", &["g", "helper"])];
        program([image("main", &["k"]).imports(imports)].into_iter().chain(others))
    };
    let selected = selected(&with(&["f", "g"]), DEVICE);
    assert_eq!(selected, ["main (kernel)", "a (f of main)", "b (g of main)"], "nothing imports `helper`");
    assert_eq!(
        error(&with(&["f", "g", "helper"]), "k", DEVICE),
        "both a and b are selected and export `helper`: only one image may export a name. Remove the other from the table"
    );
}

#[test]
fn half_of_a_pair() {
    let main = || image("main", &["k"]).requires(&[("1", "fp64")]);
    let without_stub = program([main(), image("real", &["f"]).add_on("1", true)]);
    assert_eq!(selected(&without_stub, DEVICE), ["main (kernel)", "real (1 of main: fp64 is true)"]);
    assert_eq!(
        error(&without_stub, "k", "intel_gpu_dg1"),
        "main requires the add-on images 1, and the program has no stub image of this id: add its row to the table"
    );
    let without_real = program([main(), image("stub", &["f"]).add_on("1", false)]);
    assert_eq!(
        selected(&without_real, "intel_gpu_dg1"),
        ["main (kernel)", "stub (1 of main: fp64 is false)"]
    );
    assert_eq!(
        error(&without_real, "k", DEVICE),
        "main requires the add-on images 1, and the program has no real image of this id: add its row to the table"
    );
    let two = program([
        main(),
        image("stub", &["f"]).add_on("1", false),
        image("real", &["f"]).add_on("1", true),
        image("other", &["g"]).add_on("1", true),
    ]);
    assert_eq!(
        error(&two, "k", DEVICE),
        "both real and other are the real image of add-on 1: ids are unique in a program"
    );
}

#[test]
fn add_on_images_are_not_found_by_what_they_export() {
    let program = program([
        image("main", &["k"]).imports(&["f"]),
        image("real", &["f"]).add_on("1", true),
        image("stub", &["f"]).add_on("1", false),
    ]);
    assert_eq!(
        error(&program, "k", DEVICE),
        "main imports `f`, which only the add-on image real exports: add-on images are found by their id, and no selected image \
         requires add-on images 1"
    );
}

#[test]
fn circles() {
    let imports = program([
        image("main", &["k"]).imports(&["f"]),
        image("a", &["f"]).imports(&["g"]),
        image("b", &["g"]).imports(&["f"]),
    ]);
    assert_eq!(error(&imports, "k", DEVICE), "images require each other in a circle: a -> b -> a");
    let with_main = program([image("main", &["k", "h"]).imports(&["f"]), image("a", &["f"]).imports(&["h"])]);
    assert_eq!(error(&with_main, "k", DEVICE), "images require each other in a circle: main -> a -> main");
    let add_ons = program([
        image("main", &["k"]).requires(&[("1", "fp64")]),
        image("real", &["f"]).add_on("1", true).requires(&[("1", "fp64")]),
        image("stub", &["f"]).add_on("1", false),
    ]);
    assert_eq!(error(&add_ons, "k", DEVICE), "images require each other in a circle: real -> real");
}

#[test]
fn conditions_that_are_not_known() {
    let program = program([
        image("main", &["k"]).requires(&[("1", "fp64")]),
        image("real", &["f"]).add_on("1", true),
        image("stub", &["f"]).add_on("1", false),
    ]);
    let parts = DeviceParts::new().architecture("intel_gpu_pvc");
    let device: Device = parts.to_device(None).unwrap();
    assert_eq!(
        program.select("k", &device).unwrap_err().to_string(),
        "main: the condition fp64 of its add-on images 1 is unknown on the described device: \
         describe the device in more detail, for example its aspects"
    );
}
