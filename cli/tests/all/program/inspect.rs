//! The program on files with modules inside.

use std::process::{Command, Output};

use serde_json::Value;

use crate::common;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spirv-if")).arg("inspect").args(arguments).output().unwrap()
}

/// A file like a library: modules at odd offsets, text and zeros between them. And where they start.
fn library(count: usize) -> (Vec<u8>, Vec<u64>) {
    let fixtures = common::fixtures();
    let mut bytes = b"\x7fELF not really".to_vec();
    let mut offsets = Vec::new();
    for at in 0..count {
        bytes.resize(bytes.len() + 1 + at % 7, 0);
        offsets.push(bytes.len() as u64);
        bytes.extend(common::bytes_of(&fixtures[at % fixtures.len()].1));
        bytes.extend(b"\0.text\0");
    }
    (bytes, offsets)
}

fn modules_inside_are_found_in_their_order() {
    let (bytes, offsets) = library(40);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let output = run(&[path, "--format", "json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let modules = json["files"][0]["modules"].as_array().unwrap();
    let shown: Vec<u64> = modules.iter().map(|module| module["offset"].as_u64().unwrap()).collect();
    assert_eq!(shown, offsets);
    assert_eq!(run(&[path, "--format", "json"]).stdout, output.stdout, "the same bytes again");
    // Each is as if inspected alone, except its place.
    let fixtures = common::fixtures();
    for (at, inside) in modules.iter().enumerate().take(fixtures.len()) {
        let alone = folder.path().join("alone.spv");
        std::fs::write(&alone, common::bytes_of(&fixtures[at].1)).unwrap();
        let output = run(&[alone.to_str().unwrap(), "--format", "json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut alone = json["files"][0]["modules"][0].clone();
        alone["offset"] = inside["offset"].clone();
        assert_eq!(*inside, alone, "{}", fixtures[at].0);
    }
    let text = String::from_utf8(run(&[path]).stdout).unwrap();
    assert!(text.contains(": 40 modules by "), "{text}");
    assert!(text.contains(&format!("first at {:#x}", offsets[0])), "{text}");
}

fn groups_have_the_answer_of_their_first_module() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    let path = path.to_str().unwrap();
    // Remedies do not count, so a shader and what is left of it with a value are one group.
    let (shader, rest) = ("fixtures/spec/precision.spv", folder.path().join("rest.spv"));
    let mut specialize = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    specialize.current_dir(common::root()).args(["specialize", shader, "--set", "0:true", "-o"]).arg(&rest);
    assert!(specialize.output().unwrap().status.success());
    let (shader, rest) = (std::fs::read(common::root().join(shader)).unwrap(), std::fs::read(rest).unwrap());
    let alike = |first: &[u8], other: &[u8]| [b"\x7fELF".as_slice(), first, &other.repeat(4)].concat();
    let of_fixtures = library(40).0;
    let mut remedies = Vec::new();
    for (bytes, groups) in [(of_fixtures, 12), (alike(&shader, &rest), 1), (alike(&rest, &shader), 1)] {
        std::fs::write(path, bytes).unwrap();
        let text = String::from_utf8(run(&[path]).stdout).unwrap();
        let json: Value = serde_json::from_slice(&run(&[path, "--format", "json"]).stdout).unwrap();
        let modules = json["files"][0]["modules"].as_array().unwrap();
        let listed: Vec<&str> = text.split(" first at 0x").skip(1).collect();
        assert_eq!(listed.len(), groups, "{text}");
        for group in listed {
            let (offset, rest) = group.split_once(' ').unwrap();
            let offset = u64::from_str_radix(offset, 16).unwrap();
            let first = modules.iter().find(|module| module["offset"] == offset).unwrap();
            let answer = first["answer"]["text"].as_str().unwrap();
            let words: Vec<&str> = rest.split_once(":\n").unwrap().1.split_whitespace().collect();
            assert!(words.join(" ").starts_with(answer), "{answer}\n{text}");
            remedies.push(answer.contains("`specialize"));
        }
        if groups == 1 {
            let answers: Vec<&Value> = modules.iter().map(|module| &module["answer"]).collect();
            assert!(answers[0] != answers[1] && text.contains("  5 modules  Shader, "), "{text}");
        }
    }
    assert!(remedies.iter().filter(|has_remedy| **has_remedy).count() >= 3, "{remedies:?}");
}

fn apis_take_only_modules_of_their_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    std::fs::write(&path, library(40).0).unwrap();
    let fixtures = common::fixtures();
    let kernels = (0..40).filter(|at| {
        // OpCapability, two words, of Kernel.
        fixtures[at % fixtures.len()].1.windows(2).take(100).any(|words| *words == [2 << 16 | 17, 6])
    });
    let count = kernels.count();
    let text = |api| String::from_utf8(run(&[path.to_str().unwrap(), "--api", api]).stdout).unwrap();
    let vulkan = text("vulkan");
    assert!(
        vulkan.contains(&format!("vulkan accepts no modules with Kernel: {count} of them\n")),
        "{vulkan}"
    );
    assert!(vulkan.contains(" to load the others\n") && !vulkan.contains("not in the tables"), "{vulkan}");
    let opencl = text("opencl");
    assert!(
        opencl.contains(&format!("accepts no modules with Shader: {} of them\n", 40 - count)),
        "{opencl}"
    );
}

fn of_modules_that_are_alike_one_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    let count = common::fixtures().len();
    std::fs::write(&path, library(3 * count).0).unwrap();
    let text = |more: &[&str]| {
        let output = run(&[&[path.to_str().unwrap(), "--why", "Float16"], more].concat());
        String::from_utf8(output.stdout).unwrap()
    };
    let (short, long) = (text(&[]), text(&["-v"]));
    let titles = |text: &str| text.lines().filter(|line| line.contains("library.so at 0x")).count();
    let more = short.lines().filter_map(|line| {
        line.strip_suffix(" more like it (-v)")?.rsplit_once(" and ")?.1.parse::<usize>().ok()
    });
    let more: Vec<usize> = more.collect();
    assert!(more.len() >= 5 && more.len() == titles(&short), "{short}");
    assert!(more.iter().all(|count| count % 3 == 2), "each is there three times: {more:?}");
    assert_eq!(titles(&long), titles(&short) + more.iter().sum::<usize>(), "{short}");
    assert!(!long.contains("(-v)"), "{long}");
}

fn what_fails_is_named_and_the_rest_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.spv");
    let cut = folder.path().join("cut.spv");
    let words = &common::fixtures()[0].1;
    std::fs::write(&good, common::bytes_of(words)).unwrap();
    let bytes = common::bytes_of(words);
    std::fs::write(&cut, &bytes[..bytes.len() / 8 * 4]).unwrap();
    let output = run(&[good.to_str().unwrap(), cut.to_str().unwrap(), "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("cut.spv: ") && errors.contains("byte offset"), "{errors}");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"].as_array().unwrap().len(), 1);
    let output = run(&[cut.to_str().unwrap(), "--format", "json"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

/// The summary of many modules counts those that a driver's compiler crashes on.
fn modules_that_crash_a_driver_are_counted() {
    let text = "
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %type = OpTypeFunction %void %bool
        %main = OpFunction %void None %type
        %given = OpFunctionParameter %bool
        %start = OpLabel
        OpBranch %head
        %head = OpLabel
        %phi = OpPhi %bool %given %start %given %head
        OpLoopMerge %end %head None
        OpBranchConditional %given %head %end
        %end = OpLabel
        OpReturn
        OpFunctionEnd";
    let words = common::assemble(text, "spv1.6");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("library.so");
    let mut bytes = library(7).0;
    (0..3).for_each(|_| bytes.extend(common::bytes_of(&words)));
    std::fs::write(&path, bytes).unwrap();
    let text = String::from_utf8(run(&[path.to_str().unwrap()]).stdout).unwrap();
    assert!(text.contains("  3 have code at which the compiler of nvidia fails ("), "{text}");
}

/// A file that begins as a module and does not load is an error, although its first half alone would be a module.
fn half_a_module_is_an_error() {
    let text = "OpCapability Kernel
        OpCapability Linkage
        OpMemoryModel Logical OpenCL
        %void = OpTypeVoid
        %function = OpTypeFunction %void
        %main = OpFunction %void None %function
        %start = OpLabel
        OpReturn
        OpFunctionEnd";
    let mut words = common::assemble(text, "spv1.6");
    let end = words.len() * 4;
    // OpTypeVoid with an id beyond the bound.
    words.extend([0x0002_0013, 64]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.spv");
    std::fs::write(&path, common::bytes_of(&words)).unwrap();
    let output = run(&[path.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("id 64 in OpTypeVoid is out of range"), "{message}");
    assert!(message.contains(&format!("at byte offset {end:#x}")), "{message}");
}

tests![
    half_a_module_is_an_error,
    modules_inside_are_found_in_their_order,
    groups_have_the_answer_of_their_first_module,
    apis_take_only_modules_of_their_kind,
    of_modules_that_are_alike_one_is_shown,
    what_fails_is_named_and_the_rest_is_printed,
    modules_that_crash_a_driver_are_counted,
];
