//! The headers for clang, in each of its languages and in any order.

use libtest_mimic::Trial;

use super::built::{folder, folder_of, shell};
use crate::registry::{ignored_without, trial};

/// Returns the output of clang for a source; `None` if it compiles without a warning.
fn errors(options: &str, source: &str) -> Option<String> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("source.cl");
    std::fs::write(&path, source).unwrap();
    let include = folder().join("../../include");
    let command = format!(
        "clang {options} -Wall -Wextra -Werror -O1 -I '{}' -c '{}' -o '{}'",
        include.display(),
        path.display(),
        place.path().join("result").display(),
    );
    let output = shell(&command).output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

const OPENCL_C: [&str; 2] = [
    "--target=spirv64 -x cl -cl-std=CL1.2 -DKERNEL=kernel -DGLOBAL=global",
    "--target=spirv64 -x cl -cl-std=CL3.0 -DKERNEL=kernel -DGLOBAL=global",
];
const OPENCL_CPP: [&str; 1] = ["--target=spirv64 -x cl -cl-std=CLC++2021 -DKERNEL=kernel -DGLOBAL=global"];
/// As a SYCL compiler sees them, on the host and for a device.
const HOST: [&str; 2] =
    ["-x c++ -std=c++17 -DKERNEL= -DGLOBAL=", "--target=spirv64 -x c++ -std=c++20 -DKERNEL= -DGLOBAL="];

/// Every order of the headers of a language, and of their parts.
fn headers_are_included_in_any_order() {
    let body = "SYCL_DEVICE_HAS(fp16) SYCL_WORK_GROUP_SIZE(2, 16) KERNEL void a(SYCL_NO_ALIAS GLOBAL float *p) { p[0] = 1; }\n";
    let of_languages: [(&[&str], &[&str]); 3] = [
        (&OPENCL_C, &["properties.h", "device_if.h", "names.h"]),
        (&OPENCL_CPP, &["properties.h", "device_if.hpp", "device_if.h", "names.h"]),
        (&HOST, &["properties.h", "device_if.hpp", "device_if.h"]),
    ];
    for (options, headers) in of_languages {
        for first in headers {
            for second in headers.iter().filter(|second| *second != first) {
                let others = headers.iter().filter(|header| *header != first && *header != second);
                let all = [first, second].into_iter().chain(others);
                let includes: String = all.map(|name| format!("#include <spirv_if/{name}>\n")).collect();
                for options in options {
                    let text = errors(options, &format!("{includes}{body}"));
                    assert_eq!(text, None, "{options}\n{includes}");
                }
            }
        }
    }
}

/// A name that the tables do not have is an error that shows it, in whichever macro.
fn unknown_names_in_macros_are_errors() {
    for (text, name) in [
        ("SYCL_DEVICE_HAS(fp15) kernel void a(void) {}", "SPIRV_IF_ASPECT_fp15"),
        ("SYCL_USES_ASPECT(fp15) kernel void a(void) {}", "SPIRV_IF_ASPECT_fp15"),
        ("CONDITIONAL void IF_DEVICE_HAS(fp15, f)(void) {}", "SPIRV_IF_ASPECT_fp15"),
        ("CONDITIONAL void UNLESS_DEVICE_HAS(fp15, f)(void) {}", "SPIRV_IF_ASPECT_fp15"),
        ("CONDITIONAL void IF_DEVICE_IS(intel_gpu_pvd, f)(void) {}", "SPIRV_IF_ARCHITECTURE_intel_gpu_pvd"),
        (
            "CONDITIONAL void UNLESS_DEVICE_IS(intel_gpu_pvd, f)(void) {}",
            "SPIRV_IF_ARCHITECTURE_intel_gpu_pvd",
        ),
        ("CONDITIONAL void IF_DEVICE_SUPPORTS(Float15, f)(void) {}", "SPIRV_IF_CAPABILITY_Float15"),
        ("CONDITIONAL void UNLESS_DEVICE_SUPPORTS(Float15, f)(void) {}", "SPIRV_IF_CAPABILITY_Float15"),
        (
            "CONDITIONAL void IF_DEVICE(DEVICE_AND(DEVICE_HAS(fp16), DEVICE_NOT(DEVICE_IS(pvc))), f)(void) {}",
            "SPIRV_IF_ARCHITECTURE_pvc",
        ),
    ] {
        let source = format!("#include <spirv_if/device_if.h>\n#include <spirv_if/properties.h>\n{text}\n");
        let known = source.replace("fp15", "fp16").replace("pvd", "pvc").replace("Float15", "Float16");
        let known = known.replace("DEVICE_IS(pvc)", "DEVICE_IS(intel_gpu_pvc)");
        for options in OPENCL_C.iter().chain(&OPENCL_CPP) {
            let error = errors(options, &source).unwrap_or_default();
            assert!(error.contains(name), "{options} {text}: {error}");
            assert_eq!(errors(options, &known), None, "{options} {known}");
        }
    }
}

/// Ignored without clang.
pub fn trials() -> Vec<Trial> {
    let missing = folder_of("clang").is_none().then_some("clang");
    let tests: [(&str, fn()); 2] = [
        ("headers_are_included_in_any_order", headers_are_included_in_any_order),
        ("unknown_names_in_macros_are_errors", unknown_names_in_macros_are_errors),
    ];
    tests.map(|(name, run)| ignored_without(trial(module_path!(), name, run), missing)).into()
}
