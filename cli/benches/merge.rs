//! Merging builds of one program: `cargo bench --bench merge`.
//!
//! Each build has a kernel (more would be more than `spirv-link` manages), chains of calls below it, and functions that are exported, as
//! `spirv-link` requires. Builds differ in a constant of the deepest function of each chain. What is measured: `spirv-if merge` as a whole process, with the most memory that it took, for 3 builds of 2.2 MB
//! with 1,600 functions each; the library, from words in memory to words in memory, for more and more functions and builds; and the size
//! of the result where one function differs, 50 calls below every kernel. Beside that, `spirv-link --fnvar-architectures` (of SPIRV_LINK or
//! target/tools) on the same files, up to 400 functions, or as many as `-- --linker=COUNT` says: the time that it takes grows by the cube
//! (`--linker=1600` takes minutes, and gigabytes).

#[path = "../../benches/common/mod.rs"]
mod common;

use std::fmt::Write;
use std::fs;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{ModuleWriter, linker, shortest};
use spirv::{Decoration, ExecutionModel, LinkageType, Op};
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::{Condition, Module};

const ROUNDS: usize = 5;
/// The functions of a chain of calls.
const DEPTH: u32 = 50;
/// The arithmetic instructions of a function: what makes 1,600 functions 2.2 MB.
const LENGTH: u32 = 60;
/// Architectures with numbers one after the other in the registry: those of the builds.
const ARCHITECTURES: [&str; 15] = [
    "bdw", "skl", "kbl", "cfl", "apl", "glk", "whl", "aml", "cml", "icllp", "tgllp", "rkl", "adl_s", "adl_p",
    "adl_n",
];
/// Category and family of GPUs of Intel.
const FAMILY: &str = "2,1";

fn main() {
    let compared =
        std::env::args().find_map(|word| word.strip_prefix("--linker=")?.parse().ok()).unwrap_or(400);
    whole_process(compared);
    growth("functions", [100, 400, 1600, 6400].map(|functions| (functions, 3, functions)));
    growth("builds", [2, 4, 8, 16].map(|builds| (400, builds, builds)));
    deep_leaf();
}

/// The program and `spirv-link`, as processes on the same files.
fn whole_process(compared: u32) {
    for functions in [100, 400, 1600] {
        let folder = tempfile::tempdir().expect("a folder");
        let builds = write_builds(folder.path(), functions, 3);
        let bytes: u64 = builds.iter().map(|build| fs::metadata(build).map_or(0, |file| file.len())).sum();
        println!("3 builds of {functions} functions, {bytes} bytes in all, whole processes");
        let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        command.arg("merge").arg("-q").current_dir(folder.path());
        command
            .args((1..3).map(|number| format!("{number}.spv=arch(intel_gpu_{})", ARCHITECTURES[number - 1])));
        command.arg("0.spv=else");
        process("spirv-if merge", &mut command, bytes, ROUNDS);
        match linker() {
            None => println!("  spirv-link is not there"),
            Some(_) if functions > compared => println!("  spirv-link: not asked (-- --linker={functions})"),
            Some(linker) => {
                let mut table = "module,category,family,op,architecture\n".to_owned();
                (1..3).for_each(|number| {
                    let _ = writeln!(table, "{number}.spv,{FAMILY},{},{number}", Op::IEqual as u32);
                });
                fs::write(folder.path().join("table.csv"), table).expect("it can be written");
                let mut other = Command::new(linker);
                other.args(["--create-library", "--fnvar-architectures", "table.csv"]);
                other.args(["0.spv", "1.spv", "2.spv"]).current_dir(folder.path());
                process("spirv-link", &mut other, bytes, 1);
            }
        }
    }
}

/// Runs a program, which writes to standard output, and prints its time and the most memory that it took.
fn process(name: &str, command: &mut Command, bytes: u64, rounds: usize) {
    command.args(["-o", "-"]).stdout(Stdio::piped());
    let mut memory = None;
    let mut run = || {
        let mut child = command.spawn().expect("it runs");
        let mut output = child.stdout.take().expect("it is a pipe");
        let mut result = vec![0];
        // It writes when all work is done, and waits until it is read.
        output.read_exact(&mut result).unwrap_or_else(|error| panic!("{name} writes nothing: {error}"));
        memory = memory.or_else(|| most_memory(child.id()));
        output.read_to_end(&mut result).expect("it can be read");
        assert!(child.wait().expect("it ends").success(), "{name} fails");
        result
    };
    let mut size = 0;
    let round = |_| {
        let start = Instant::now();
        size = run().len();
        start.elapsed()
    };
    let time = (0..rounds).map(round).min().unwrap_or_default();
    let memory = memory.map_or("unknown".to_owned(), |memory| {
        format!("{:.1} MB, {:.1} times the builds", memory as f64 / 1e6, memory as f64 / bytes as f64)
    });
    println!("  {name:<16} {:>10.1} ms   memory {memory}   {} bytes", milliseconds(time), size);
}

/// The most memory that a running process took until now, in bytes, where Linux says.
fn most_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Times for inputs that grow: the number of functions and builds, and what grows.
fn growth(what: &str, sizes: [(u32, u32, u32); 4]) {
    let mut row = format!("the library, by {what}");
    let times = sizes.map(|(functions, builds, size)| {
        let builds: Vec<Vec<u32>> = (0..builds).map(|number| build(functions, 1, number)).collect();
        let time = shortest(ROUNDS, || (), |()| drop(black_box(merged(&builds))));
        let _ = write!(row, "   {size} {:.2} ms", milliseconds(time));
        (size, time)
    });
    let [first, .., last] = times;
    let exponent = (last.1.as_secs_f64() / first.1.as_secs_f64()).log2() / f64::from(last.0 / first.0).log2();
    println!("{row}   exponent {exponent:.2}");
}

/// The size of two builds that differ in one function, which all kernels call through a chain of calls.
fn deep_leaf() {
    let builds = [0, 1].map(|number| build(DEPTH, 10, number));
    let (one, both) = (builds[0].len(), merged(&builds).len());
    println!(
        "one of {DEPTH} functions differs, {DEPTH} calls below each of 10 kernels: {} and {} bytes, {:.3} times one build",
        4 * one,
        4 * both,
        both as f64 / one as f64
    );
}

/// Merges builds, the first of which is for all remaining devices.
fn merged(builds: &[Vec<u32>]) -> Vec<u32> {
    let modules: Vec<Module> =
        builds.iter().map(|words| Module::from_words(&words[..]).expect("it is a module")).collect();
    let conditions: Vec<Condition> = ARCHITECTURES
        .iter()
        .map(|name| Condition::parse(&format!("arch(intel_gpu_{name})")).expect("it is a condition"))
        .collect();
    let mut variants: Vec<Variant> = modules[1..]
        .iter()
        .zip(&conditions)
        .map(|(module, condition)| Variant::new(module, condition))
        .collect();
    variants.push(Variant::new(&modules[0], None));
    merge(&variants, &MergeOptions::default()).expect("they can be merged").words
}

/// Writes builds to files.
fn write_builds(folder: &Path, functions: u32, count: u32) -> Vec<PathBuf> {
    let write = |number: u32| {
        let path = folder.join(format!("{number}.spv"));
        let bytes: Vec<u8> = build(functions, 1, number).iter().flat_map(|word| word.to_le_bytes()).collect();
        fs::write(&path, bytes).expect("it can be written");
        path
    };
    (0..count).map(write).collect()
}

/// A build: kernels, each of which calls all chains of functions. The last function of each chain has a constant of the build.
fn build(functions: u32, kernels: u32, number: u32) -> Vec<u32> {
    let mut words = ModuleWriter::kernels();
    let (functions_of_build, kernels) = (words.many(functions as usize), words.many(kernels as usize));
    for (at, &kernel) in kernels.iter().enumerate() {
        let name = format!("kernel_{at}");
        words.named(Op::EntryPoint, &[ExecutionModel::Kernel as u32, kernel], &name, &[]);
    }
    for (at, &function) in functions_of_build.iter().enumerate() {
        let (name, linkage) = (format!("function_{at}"), LinkageType::Export as u32);
        words.named(Op::Name, &[function], &name, &[]);
        words.named(Op::Decorate, &[function, Decoration::LinkageAttributes as u32], &name, &[linkage]);
    }
    let [void, type_] = words.void();
    let [float, unary, one, differs] = words.ids();
    words.inst(Op::TypeFloat, &[float, 32]);
    words.inst(Op::TypeFunction, &[unary, float, float]);
    words.inst(Op::Constant, &[float, one, 1_f32.to_bits()]);
    words.inst(Op::Constant, &[float, differs, (number as f32 + 2.0).to_bits()]);
    for (at, &function) in functions_of_build.iter().enumerate() {
        let [parameter, label] = words.ids();
        words.inst(Op::Function, &[float, function, 0, unary]);
        words.inst(Op::FunctionParameter, &[float, parameter]);
        words.inst(Op::Label, &[label]);
        let callee = functions_of_build.get(at + 1).filter(|_| !(at as u32 + 1).is_multiple_of(DEPTH));
        let factor = if callee.is_some() { one } else { differs };
        let mut value = parameter;
        for _ in 0..LENGTH {
            let product = words.id();
            words.inst(Op::FMul, &[float, product, value, factor]);
            value = product;
        }
        if let Some(&callee) = callee {
            let result = words.id();
            words.inst(Op::FunctionCall, &[float, result, callee, value]);
            value = result;
        }
        words.inst(Op::ReturnValue, &[value]);
        words.inst(Op::FunctionEnd, &[]);
    }
    for &kernel in &kernels {
        let label = words.id();
        words.inst(Op::Function, &[void, kernel, 0, type_]);
        words.inst(Op::Label, &[label]);
        for &first in functions_of_build.iter().step_by(DEPTH as usize) {
            let result = words.id();
            words.inst(Op::FunctionCall, &[float, result, first, one]);
        }
        words.inst(Op::Return, &[]);
        words.inst(Op::FunctionEnd, &[]);
    }
    words.end()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
