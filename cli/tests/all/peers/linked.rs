//! SPIRV-Tools' tests of `spirv-link --fnvar-*`: it joins builds for several devices into one module, and `specialize` makes of it each of the
//! builds. It selects the same variants from the result of `merge` for the same builds and tables, on every device.
//!
//! Three of its tests have no case here: numbers in the tables of `spirv-link` that are none.

use std::path::Path;
use std::process::Command;

use spirv_if::device::DeviceConfig;
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::{Error, Module, Prepared, Settings};

use crate::common::program::expand;
use crate::common::{assemble, tool, validate, words_of};

const VERSION: &str = "spv1.2";

/// A build: the name of its file, its text, and its rows in the tables of targets and architectures.
struct TargetBuild {
    name: &'static str,
    text: String,
    targets: &'static [&'static str],
    architectures: &'static [&'static str],
}

/// The module that spirv-link makes of builds, and the one that merging them by the same tables makes.
fn link(builds: &[TargetBuild]) -> [Vec<u32>; 2] {
    let linker = tool("SPIRV_LINK", "spirv-link");
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let rows = |head: &str, of: fn(&TargetBuild) -> &[&str]| {
        let rows =
            builds.iter().flat_map(|build| of(build).iter().map(|row| format!("{}.spv,{row}\n", build.name)));
        format!("module,{head}\n{}", rows.collect::<String>())
    };
    let mut modules = Vec::new();
    for build in builds {
        let words = assemble(&build.text, VERSION);
        let name = format!("{}.spv", build.name);
        write(&name, bytemuck::cast_slice(&words));
        modules.push(Module::from_words(words).unwrap().with_name(name));
    }
    let targets = rows("target,features", |build| build.targets);
    let architectures = rows("category,family,op,architecture", |build| build.architectures);
    write("targets.csv", targets.as_bytes());
    write("architectures.csv", architectures.as_bytes());
    let output = Command::new(linker)
        .args(["--target-env", VERSION, "--fnvar-capabilities", "--create-library", "-o", "linked"])
        .args(["--fnvar-targets", "targets.csv", "--fnvar-architectures", "architectures.csv"])
        .args(builds.iter().map(|build| format!("{}.spv", build.name)))
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let linked = words_of(&std::fs::read(Path::new(folder.path()).join("linked")).unwrap());
    let options = MergeOptions::new()
        .targets("targets.csv", targets)
        .architectures("architectures.csv", architectures)
        .declared_capabilities(true);
    let variants: Vec<Variant> = modules.iter().map(|module| Variant::new(module, None)).collect();
    let merged = merge(&variants, &options).unwrap();
    // In the tables of these tests, no rows fit the same devices.
    assert_eq!(merged.warnings, [""; 0]);
    validate(&linked, VERSION).unwrap();
    validate(&merged.words, VERSION).unwrap();
    agree(&linked, &merged.words);
    [linked, merged.words]
}

/// Compares the selections of two modules on all devices of the table.
fn agree(linked: &[u32], merged: &[u32]) {
    let [linked, merged] = [linked, merged].map(|words| Module::from_words(words).unwrap());
    let [linked, merged] = [&linked, &merged].map(|module| Prepared::new(module).unwrap());
    let mut compared = 0;
    for device in DeviceConfig::embedded().unwrap().iter() {
        let on = |prepared: &Prepared| {
            prepared.specialize(device, &Settings::new()).map(|specialized| content(&specialized.words))
        };
        match (on(&linked), on(&merged)) {
            (Ok(theirs), Ok(ours)) => {
                compared += 1;
                assert_eq!(ours, theirs, "on {}", device.name());
            }
            // Without a build for a device, only ours reports it: theirs is a module without code.
            (Ok((.., code)), Err(Error::Refused(_))) if code.is_empty() => compared += 1,
            // What no condition of a choice holds for.
            (theirs, ours) => assert!(theirs.is_err(), "on {}: {ours:?}", device.name()),
        }
    }
    assert!(compared > 0);
}

/// The module for a device with these keys of the device configuration.
fn on(linked: &[u32], keys: &str) -> Vec<u32> {
    let config =
        DeviceConfig::from_yaml("device", &format!("device: {{{keys}, environments: [opencl]}}")).unwrap();
    let module = Module::from_words(linked).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let result = prepared.specialize(config.get("device").unwrap(), &Settings::new()).unwrap().words;
    validate(&result, VERSION).unwrap();
    result
}

/// The declarations of capabilities and extensions, the numbers of constants, and the opcodes and lengths of the instructions of
/// functions.
fn content(words: &[u32]) -> (Vec<Vec<u32>>, Vec<u32>, Vec<u32>) {
    let (mut declared, mut constants, mut code) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = &words[5..];
    while let Some(first) = rest.first() {
        let (inst, next) = rest.split_at((first >> 16) as usize);
        match spirv::Op::from_u32(first & 0xffff).unwrap() {
            spirv::Op::Capability | spirv::Op::Extension => declared.push(inst.to_vec()),
            spirv::Op::Constant => constants.push(inst[3]),
            spirv::Op::Function => code.push(*first),
            // What becomes of a choice between results.
            spirv::Op::CopyObject => {}
            _ if !code.is_empty() => code.push(*first),
            _ => {}
        }
        rest = next;
    }
    declared.sort();
    constants.sort_unstable();
    (declared, constants, code)
}

/// A build of the kernel `k`, which multiplies numbers of a type. One of them identifies the build.
fn kernel(
    name: &'static str,
    type_: &str,
    number: u32,
    targets: &'static [&'static str],
    architectures: &'static [&'static str],
) -> TargetBuild {
    let text = expand(&format!(
        "KERNEL
        OpEntryPoint Kernel %main \"k\"
        {type_}
        %tells = OpConstant %int {number}
        FN %main
        %sum = OpIAdd %int %tells %tells
        %product = OpFMul %t %t1 %t1
        END"
    ));
    TargetBuild { name, text, targets, architectures }
}

fn kernels_of_two_architectures() {
    let single = "%t = OpTypeFloat 32\n%t1 = OpConstant %t 1";
    let half = "OpCapability Float16\n%t = OpTypeFloat 16\n%t1 = OpConstant %t 1";
    let builds = [
        kernel("single", single, 30, &["7,", "8,"], &["2,3,174,0"]),
        kernel("half", half, 31, &["7,", "8,"], &["2,3,174,4"]),
    ];
    let linked = link(&builds);
    // The architectures are 1 and 4 in the registry.
    let devices = [
        ("architecture: nvidia_gpu_sm_50, target: nvptx64", 0),
        ("architecture: nvidia_gpu_sm_50, target: nvptx, aspects: [fp16]", 0),
        ("architecture: nvidia_gpu_sm_60, target: nvptx64, aspects: [fp16]", 1),
        ("architecture: nvidia_gpu_sm_60, target: nvptx, aspects: [fp16]", 1),
        // Only the other build runs where a capability is missing.
        ("architecture: nvidia_gpu_sm_60, target: nvptx64", 0),
    ];
    for (device, build) in devices {
        let expected = assemble(&builds[build].text, VERSION);
        for linked in &linked {
            assert_eq!(content(&on(linked, device)), content(&expected), "{device}");
        }
    }
}

/// The opcodes of a result that identify its build.
const TELLING: [spirv::Op; 4] = [spirv::Op::FAdd, spirv::Op::FSub, spirv::Op::FMul, spirv::Op::FNegate];

/// A function that calls `foo`.
const WORK: &str = "OpDecorate %work LinkageAttributes \"work\" Export
    %work = OpFunction %float None %returns
    %begin = OpLabel
    %called = OpFunctionCall %float %foo
    %quotient = OpFDiv %float %called %called
    OpReturnValue %quotient
    OpFunctionEnd";

/// The declarations for OpAssumeTrueKHR.
const ASSUMES: &str = "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"";

/// A library that exports the function `foo`, with more lines.
fn library(opcode: &str, more: &str) -> String {
    expand(&format!(
        "KERNEL
        OpDecorate %foo LinkageAttributes \"foo\" Export
        %returns = OpTypeFunction %float
        {more}
        %foo = OpFunction %float None %returns
        %start = OpLabel
        %x = {opcode}
        OpReturnValue %x
        OpFunctionEnd"
    ))
}

fn a_function_of_which_there_are_several_builds() {
    let builds = [
        // Numbers may begin with zeros.
        TargetBuild {
            name: "base",
            text: library("OpFAdd %float %f1 %f1", WORK),
            targets: &["04,", "7,", "8,"],
            architectures: &[],
        },
        TargetBuild {
            name: "one",
            text: library("OpFSub %float %f1 %f1\nOpAssumeTrueKHR %true", ASSUMES),
            targets: &["8,"],
            architectures: &["2,3,170,4"],
        },
        // Comparisons within a family are all to hold, and one of several families.
        TargetBuild {
            name: "range",
            text: library("OpFMul %float %f1 %f1", ""),
            targets: &["7,", "8,"],
            architectures: &["2,3,174,7", "2,3,178,10", "2,2,170,5"],
        },
        TargetBuild {
            name: "features",
            text: library("OpFNegate %float %f1", ""),
            targets: &["4,9/0010"],
            architectures: &[],
        },
    ];
    let linked = link(&builds);
    let devices = [
        ("architecture: nvidia_gpu_sm_50, target: nvptx64", 0),
        ("architecture: nvidia_gpu_sm_60, target: nvptx64, capabilities: [ExpectAssumeKHR]", 1),
        ("architecture: nvidia_gpu_sm_60, target: nvptx64", 0),
        ("architecture: nvidia_gpu_sm_60, target: nvptx", 0),
        ("architecture: nvidia_gpu_sm_80, target: nvptx", 2),
        ("architecture: nvidia_gpu_sm_90, target: nvptx64", 0),
        ("architecture: amd_gpu_gfx900, target: nvptx64", 2),
        ("architecture: x86_64, target: x86_64, features: [9, 10]", 3),
        ("architecture: x86_64, target: x86_64, features: [10]", 0),
    ];
    for ((device, build), linked) in
        devices.iter().flat_map(|device| linked.iter().map(move |linked_words| (*device, linked_words)))
    {
        let (declared, _, code) = content(&on(linked, device));
        let opcodes: Vec<u32> = code.iter().map(|first| first & 0xffff).collect();
        let counts = TELLING.map(|op| opcodes.iter().filter(|&&opcode| opcode == op as u32).count());
        assert_eq!(counts, std::array::from_fn(|at| usize::from(at == build)), "{device}");
        let calls = opcodes.iter().filter(|&&opcode| opcode == spirv::Op::FunctionCall as u32).count();
        assert_eq!(calls, 1, "{device}");
        // Kernel, Addresses and Linkage, and what one build declares.
        assert_eq!(declared.len(), if build == 1 { 5 } else { 3 }, "{device}: {declared:?}");
    }
}

fn libraries_of_three_targets() {
    let build = |name, opcode: &str, more: &str, targets| {
        let text = library(opcode, &format!("{WORK}\n{more}"));
        TargetBuild { name, text, targets, architectures: &[] }
    };
    let builds = [
        build("five", "OpFAdd %float %f1 %f1", "", &["5,"]),
        build("four", "OpFSub %float %f1 %f1\nOpAssumeTrueKHR %true", ASSUMES, &["4,"]),
        build("three", "OpFMul %float %f1 %f1", "", &["3,"]),
    ];
    let linked = link(&builds);
    for build in builds {
        let target = build.targets[0].trim_end_matches(',');
        let device = format!("target: {target}, capabilities: [ExpectAssumeKHR]");
        let expected = assemble(&build.text, VERSION);
        for linked in &linked {
            assert_eq!(content(&on(linked, &device)), content(&expected), "{device}");
        }
    }
}

tests![
    libraries_of_three_targets,
    kernels_of_two_architectures,
    a_function_of_which_there_are_several_builds
];
