//! Host code.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use spirv_if::Device;

use super::built::folder;
use crate::registry::{ignored_without, trial};

/// Compiles and runs a program, and returns its exit status.
fn run(options: &[&str], body: &str) -> Option<i32> {
    let place = tempfile::tempdir().unwrap();
    let program = compile(place.path(), options, body);
    Command::new(program.unwrap_or_else(|error| panic!("{error}"))).status().unwrap().code()
}

/// The errors of a program that does not compile.
fn error(options: &[&str], body: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), options, body).unwrap_err()
}

/// Compiles a program; returns the compiler's output if that fails.
fn compile(place: &Path, options: &[&str], body: &str) -> Result<PathBuf, String> {
    let (source, program) = (place.join("host.cpp"), place.join("host"));
    let text = format!(
        "#include <spirv_if/device_if.hpp>\nint main() {{\nint result = 0;\n{body}\nreturn result;\n}}\n"
    );
    std::fs::write(&source, text).unwrap();
    let mut compile = Command::new("c++");
    compile.args(["-std=c++17", "-Wall", "-Wextra", "-Werror"]).args(options);
    compile.arg("-I").arg(folder().join("../../include")).arg("-I").arg(folder());
    let output = compile.arg(&source).arg("-o").arg(&program).output().unwrap();
    match output.status.success() {
        true => Ok(program),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

const SYCL: &str = "-DSYCL_LANGUAGE_VERSION=202012L";
const DEVICE: &str = "-D__SYCL_DEVICE_ONLY__";
const PVC: [&str; 2] = ["-D__SYCL_TARGET_INTEL_GPU_PVC__=1", "-D__SYCL_ALL_DEVICES_HAVE_fp64__=1"];

fn the_host_calls_what_is_for_the_host() {
    let body = "spirv_if::if_host([&] { result = 1; }).otherwise([&] { result = 2; });
        spirv_if::if_device([&] { result += 10; }).otherwise([&] { result += 20; });";
    for (options, expected) in [(&[][..], 21), (&[SYCL], 21), (&[SYCL, DEVICE], 12)] {
        assert_eq!(run(options, body), Some(expected), "{options:?}");
    }
}

/// The feature-test macros exist if the functions are in SYCL's namespace.
fn the_extensions_have_their_macros() {
    let body = "#if SYCL_EXT_ONEAPI_DEVICE_IF == 1
        result += 1;
        #endif
        #if SYCL_EXT_ONEAPI_IF_DEVICE == 1
        result += 2;
        #endif";
    for (options, expected) in [(&[][..], 0), (&[SYCL], 3), (&[SYCL, DEVICE], 3)] {
        assert_eq!(run(options, body), Some(expected), "{options:?}");
    }
}

/// This also holds if DPC++ passes the features of the devices to the host's pass.
fn the_host_is_no_device() {
    let body = "using namespace sycl::ext::oneapi::experimental;
        if_device_has<sycl::aspect::fp64>([&] { result += 1; }).otherwise([&] { result += 2; });
        spirv_if::if_architecture_is<architecture::intel_gpu_pvc>([&] { result += 4; }).otherwise([&] { result += 8; });";
    let pvc = [SYCL, PVC[0], PVC[1]];
    for (options, expected) in [
        (&[SYCL][..], 0),
        (&pvc, 0),
        // On a device that takes no SPIR-V all is decided now.
        (&[SYCL, DEVICE, "-DSPIRV_IF_TARGET=1"], 10),
        (&[SYCL, DEVICE, PVC[0]], 6),
        (&[SYCL, DEVICE, PVC[0], PVC[1]], 5),
        (&[SYCL, DEVICE, PVC[0], "-D__SYCL_ANY_DEVICE_HAS_ANY_ASPECT__=1"], 6),
        (&[SYCL, DEVICE, "-D__SYCL_TARGET_NVIDIA_GPU_SM50__=1", PVC[1]], 9),
        (&[SYCL, DEVICE, "-DSPIRV_IF_TARGET=1", PVC[1]], 9),
    ] {
        assert_eq!(run(options, body), Some(expected), "{options:?}");
    }
}

/// An unknown architecture is an error, in the design's words. Aspects are assumed to be missing.
fn an_unknown_target_is_an_error() {
    let message = "The if_architecture_is function may only be used when AOT compiling with '-fsycl-targets=spir64_x86_64' \
                   or '-fsycl-targets=intel_gpu_*'";
    let asks = [
        "spirv_if::if_architecture_is<spirv_if::architecture::intel_gpu_pvc>([] {});",
        "spirv_if::if_device_has<sycl::aspect::fp64>([] {}).else_if_architecture_is<spirv_if::architecture::intel_gpu_pvc>([] {});",
    ];
    for body in asks {
        let error = error(&[SYCL, DEVICE], body);
        assert!(error.contains(message), "{error}");
        assert_eq!(run(&[SYCL, DEVICE, PVC[0]], body), Some(0));
    }
    let body =
        "spirv_if::if_device_has<sycl::aspect::fp64>([&] { result = 1; }).otherwise([&] { result = 2; });";
    assert_eq!(run(&[SYCL, DEVICE], body), Some(2));
}

/// All macros of a target decide its architecture: DPC++'s, the design's, and those of other names.
fn every_macro_of_a_target_names_it() {
    let is = |target_macro: &str, number: u32| {
        run(&[&format!("-D{target_macro}=1")], &format!("result = spirv_if::detail::is_target({number});"))
    };
    // Each with its number and another one's.
    for (name, number, other) in
        [("intel_gpu_rpl_s", 13, 14), ("nvidia_gpu_sm_90a", 74, 34), ("x86_64", 0, 57)]
    {
        let macros = Device::embedded(name).unwrap().macros();
        for target_macro in macros.iter().filter(|target_macro| target_macro.starts_with("__SYCL_TARGET_")) {
            assert_eq!(
                [is(target_macro, number), is(target_macro, other)],
                [Some(1), Some(0)],
                "{target_macro}"
            );
        }
    }
}

/// Numbers that the tables do not have, as of a newer SYCL, are errors of the compiler.
fn unknown_names_are_errors() {
    for (body, message) in [
        ("spirv_if::if_device_has<sycl::aspect(4711)>([] {});", "spirv-if does not know this aspect"),
        (
            "spirv_if::if_architecture_is<spirv_if::architecture(4711)>([] {});",
            "spirv-if does not know this architecture",
        ),
        ("spirv_if::if_architecture_is<spirv_if::architecture::intel_gpu_pvd>([] {});", "intel_gpu_pvd"),
    ] {
        let error = error(&[SYCL, DEVICE, PVC[0]], body);
        assert!(error.contains(message), "{error}");
    }
}

/// DPC++ 2026 numbers aspects anew from 25 on; conditions have the numbers of this project.
fn aspects_have_one_number() {
    let number = |number: u32| format!("spirv_if::detail::number_of(static_cast<sycl::aspect>({number}))");
    let body = format!(
        "static_assert({} == 6 && {} == EXPECTED);\nresult = {} < 0;",
        number(6),
        number(27),
        number(98)
    );
    for (options, expected) in [
        (&[SYCL, "-DEXPECTED=27"][..], 0),
        (&[SYCL, "-D__LIBSYCL_MAJOR_VERSION=8", "-DEXPECTED=27"], 0),
        (&[SYCL, "-D__LIBSYCL_MAJOR_VERSION=9", "-DEXPECTED=28"], 1),
    ] {
        assert_eq!(run(options, &body), Some(expected), "{options:?}");
    }
}

/// Ignored without a compiler for the host.
pub fn trials() -> Vec<Trial> {
    let missing = Command::new("c++").arg("--version").output().err().map(|_| "c++");
    let tests: [(&str, fn()); 7] = [
        ("the_host_calls_what_is_for_the_host", the_host_calls_what_is_for_the_host),
        ("the_host_is_no_device", the_host_is_no_device),
        ("an_unknown_target_is_an_error", an_unknown_target_is_an_error),
        ("every_macro_of_a_target_names_it", every_macro_of_a_target_names_it),
        ("unknown_names_are_errors", unknown_names_are_errors),
        ("the_extensions_have_their_macros", the_extensions_have_their_macros),
        ("aspects_have_one_number", aspects_have_one_number),
    ];
    let trial = |(name, run)| ignored_without(trial(module_path!(), name, run), missing);
    tests.map(trial).into()
}
