//! Modules with hundreds of conditions: what `pack` and `merge` write, every command reads.

use std::path::Path;
use std::process::Command;

use crate::common::{bytes_of, instruction, module_of};

/// The number of conditions, and of variants.
const COUNT: u32 = 200;

/// The words of a string.
fn string(text: &str) -> Vec<u32> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(text.len() / 4 * 4 + 4, 0);
    let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    words.collect()
}

/// Returns an instruction with a string after its operands.
fn named(opcode: u16, operands: &[u32], text: &str) -> Vec<u32> {
    instruction(opcode, &[operands, &string(text)].concat())
}

/// A kernel that calls many functions, each where the host decides so. Every second of them has a function of its own that it calls where the host
/// decides the same, and needs half precision.
fn kernel_with_conditions(count: u32) -> Vec<u8> {
    let [kernel, void, function, half, one] = [1, 2, 3, 4, 5];
    let (outer, inner) = (|at: u32| 6 + at, |at: u32| 6 + count + at);
    let mut next = 6 + 2 * count;
    let mut fresh = || {
        next += 1;
        next - 1
    };
    let mut module = [4, 6, 9].map(|capability| instruction(17, &[capability])).to_vec();
    module.push(instruction(14, &[2, 2]));
    module.push(named(15, &[6, kernel], "k"));
    for at in 0..count {
        for (id, name) in [(outer(at), "f"), (inner(at), "g")] {
            let name = format!("call_if_on_device_conditionally_n8_d{at}_n8_{name}{at}");
            module.push(named(5, &[id], &name));
        }
    }
    module.extend([instruction(19, &[void]), instruction(33, &[function, void])]);
    module.extend([instruction(22, &[half, 16]), instruction(43, &[half, one, 0x3c00])]);
    let mut define = |id: u32, callees: Vec<u32>, computes: bool| {
        module.extend([instruction(54, &[void, id, 0, function]), instruction(248, &[fresh()])]);
        module.extend(callees.into_iter().map(|callee| instruction(57, &[void, fresh(), callee])));
        module.extend(computes.then(|| instruction(129, &[half, fresh(), one, one])));
        module.extend([instruction(253, &[]), instruction(56, &[])]);
    };
    define(kernel, (0..count).map(outer).collect(), false);
    for at in 0..count {
        define(outer(at), vec![inner(at)], false);
        define(inner(at), Vec::new(), at % 2 == 0);
    }
    bytes_of(&module_of(next, &module))
}

/// A variant of a shader that differs from others in one of its functions.
fn variant(number: u32) -> Vec<u8> {
    const FUNCTIONS: u32 = 10;
    let [main, void, function, integer, own, common] = [1, 2, 3, 4, 5, 6];
    let (callee, label, result) = (|at: u32| 10 + at, |at: u32| 30 + at, |at: u32| 50 + at);
    let mut module = vec![instruction(17, &[1]), instruction(14, &[0, 1])];
    module.extend([named(15, &[5, main], "main"), instruction(16, &[main, 17, 1, 1, 1])]);
    module.extend([instruction(19, &[void]), instruction(33, &[function, void])]);
    module.extend([instruction(21, &[integer, 32, 0]), instruction(43, &[integer, own, 1000 + number])]);
    module.push(instruction(43, &[integer, common, 7]));
    module.extend([instruction(54, &[void, main, 0, function]), instruction(248, &[label(FUNCTIONS)])]);
    module.extend((0..FUNCTIONS).map(|at| instruction(57, &[void, 70 + at, callee(at)])));
    module.extend([instruction(253, &[]), instruction(56, &[])]);
    for at in 0..FUNCTIONS {
        let operand = if at == number % FUNCTIONS { own } else { common };
        module.extend([instruction(54, &[void, callee(at), 0, function]), instruction(248, &[label(at)])]);
        module.push(instruction(128, &[integer, result(at), operand, common]));
        module.extend([instruction(253, &[]), instruction(56, &[])]);
    }
    bytes_of(&module_of(90, &module))
}

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_spirv-if"))
        .arg("-q")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Gives a conditional module to every command that reads modules. `device` is one that runs it, and `decision` one of the host.
fn every_command_reads(folder: &Path, module: &str, device: &str, decision: &str) {
    let keep = ["--unset", "keep", "-o", "out.spv"];
    succeed(folder, &["inspect", module]);
    succeed(folder, &["inspect", "--devices", "*", module]);
    succeed(folder, &["inspect", "--format", "dot", module]);
    succeed(folder, &["check", module]);
    succeed(folder, &["check", "--format", "sarif", module]);
    succeed(folder, &["trim", module, "-o", "out.spv"]);
    succeed(folder, &["pack", module, "-o", "out.spv"]);
    succeed(folder, &[&["specialize", module, "--device", device][..], &keep].concat());
    succeed(folder, &[&["specialize", module, "--set", decision][..], &keep].concat());
    succeed(folder, &["specialize", module, "--unset", "default", "-o", "out.spv"]);
    succeed(folder, &["split", module, "--mode", "kernel", "-o", "out/"]);
    succeed(folder, &["sycl", "post-link", module, "--jit", "pack", "-o", "out/app.table"]);
    succeed(folder, &["sycl", "filter", "out/app.table", "--target", device, "-o", "out/filtered.table"]);
    succeed(folder, &["bundle", module, "-o", "out.spvb"]);
}

/// A packed module names each condition twice, by a function and by a constant: in no order of its leaves may these be far from each other.
fn packed_modules_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::write(path.join("raw.spv"), kernel_with_conditions(COUNT)).unwrap();
    succeed(path, &["pack", "raw.spv", "-o", "packed.spv"]);
    every_command_reads(path, "packed.spv", "intel_gpu_pvc", "d7:true");
    succeed(path, &["inspect", "--format", "json", "packed.spv"]);
    let report = succeed(path, &["inspect", "packed.spv"]);
    let all: Vec<String> = (0..COUNT).step_by(2).map(|at| format!("host(d{at})")).collect();
    let half = report.lines().find(|line| line.contains("Float16 where")).unwrap();
    let (_, when) = half.split_once("where ").unwrap();
    let mut named: Vec<&str> = when.split(" || ").collect();
    named.sort_by_key(|name| name[6..name.len() - 1].parse::<u32>().unwrap());
    assert_eq!(named, all);
}

/// Merged variants, each of which is chosen where the conditions of all before it do not hold.
fn merged_modules_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let mut arguments = vec!["merge".to_owned()];
    for at in 0..COUNT {
        std::fs::write(path.join(format!("{at}.spv")), variant(at)).unwrap();
        let when = if at + 1 == COUNT { "else".to_owned() } else { format!("host(v{at})") };
        arguments.push(format!("{at}.spv={when}"));
    }
    arguments.extend(["-o".to_owned(), "merged.spv".to_owned()]);
    succeed(path, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    every_command_reads(path, "merged.spv", "intel_gpu_bmg_g21", "v7:true");
    let settings: Vec<String> = (0..COUNT - 1).map(|at| format!("v{at}:{}", at >= 150)).collect();
    let set = settings.iter().flat_map(|setting| ["--set", setting]);
    let specialize: Vec<&str> = ["specialize", "merged.spv"].into_iter().chain(set).collect();
    succeed(path, &[&specialize, &["-o", "150-again.spv"][..]].concat());
    let read = |name: &str| std::fs::read(path.join(name)).unwrap();
    let constant = bytes_of(&[1150]);
    assert!(read("150-again.spv").windows(4).any(|word| word == constant));
    assert_eq!(read("150-again.spv").len(), read("150.spv").len());
}

tests![packed_modules_are_read, merged_modules_are_read];
