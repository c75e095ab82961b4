//! Output of `spirv-if` with broken drivers, simulated by an OpenCL loader that the system finds like any other.

use std::process::{Command, Output};

use tempfile::TempDir;

use crate::common::root;

/// A folder with a loader that has one platform and no device.
fn fake() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("cli/tests/all/program/fake_opencl.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-o"])
        .arg(folder.path().join("libOpenCL.so.1"))
        .arg(source)
        .status();
    assert!(compiled.unwrap().success());
    folder
}

/// Runs the program where the loaders in a folder are found first.
fn run(folder: &TempDir, what: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spirv-if"))
        .args(arguments)
        .env("LD_LIBRARY_PATH", folder.path())
        .env("FAKE_OPENCL", what)
        .env_remove("OPENCL_DYLIB_PATH")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn a_platform_without_devices_is_told_of() {
    let folder = fake();
    let asked = run(&folder, "", &["devices", "probe", "--opencl"]);
    assert_eq!(asked.status.code(), Some(1));
    assert_eq!(stderr(&asked), "spirv-if: error: OpenCL: the platform `Fake` has no devices\n");
    let named = run(&folder, "", &["condition", "fp64", "--device", "probe:opencl_a"]);
    assert_eq!(named.status.code(), Some(2));
    assert_eq!(
        stderr(&named),
        "spirv-if: error: no device `probe:opencl_a`: OpenCL: the platform `Fake` has no devices\n"
    );
}

fn a_driver_that_crashes_is_not_asked_for_devices_of_another_api() {
    let folder = fake();
    let both = run(&folder, "crash", &["condition", "fp64", "--device", "probe:0"]);
    assert_eq!(both.status.code(), None, "a signal ends it: {}", stderr(&both));
    let vulkan = run(&folder, "crash", &["condition", "fp64", "--device", "probe:vulkan_of_nobody_*"]);
    assert_eq!(vulkan.status.code(), Some(2), "{}", stderr(&vulkan));
}

fn a_broken_loader_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let loader = folder.path().join("libOpenCL.so.1");
    std::fs::write(&loader, "broken").unwrap();
    let message = stderr(&run(&folder, "", &["devices", "probe", "--opencl"]));
    assert!(message.contains("no OpenCL loader") && message.contains(loader.to_str().unwrap()), "{message}");
}

tests![
    a_platform_without_devices_is_told_of,
    a_driver_that_crashes_is_not_asked_for_devices_of_another_api,
    a_broken_loader_is_named,
];
