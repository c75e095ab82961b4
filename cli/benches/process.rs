//! Times of short processes: `cargo bench --bench process`.
//!
//! First calls: the table of devices, a module of 6 KB and its first result, each in a process that has done nothing else before. And 3,000
//! such modules specialized in one run of the program, beside one that reads and writes the same files in the same way: each result in a
//! file of another name, which is then renamed, on as many threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rayon::prelude::*;
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

const DEVICE: &str = "intel_gpu_bmg_g21";
const MODULES: usize = 3000;
const TURNS: usize = 9;
const PROCESSES: usize = 101;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["first", module] => first_calls(Path::new(module)),
        ["copy", from, to] => copy(Path::new(from), Path::new(to)),
        _ => measure(),
    }
}

/// Prints the nanoseconds of first calls.
fn first_calls(module: &Path) {
    let bytes = fs::read(module).expect("it is there");
    let start = Instant::now();
    let device = Device::embedded(DEVICE).expect("it is in the table");
    let selected = start.elapsed();
    let module = Module::from_bytes(&bytes).expect("it is a module");
    let prepared = Prepared::new(&module).expect("it is sound");
    let ready = start.elapsed();
    let specialized = prepared.specialize(&device, &Settings::new()).expect("it runs there");
    let done = start.elapsed();
    assert!(!specialized.words.is_empty());
    println!("{} {} {}", selected.as_nanos(), (ready - selected).as_nanos(), (done - ready).as_nanos());
}

/// Writes what is in all files of a folder to files of the same names in another one.
fn copy(from: &Path, to: &Path) {
    let hidden = to.join(".unfinished");
    fs::create_dir(&hidden).expect("a folder");
    let names: Vec<_> =
        fs::read_dir(from).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    names.par_iter().for_each(|name| {
        let bytes = fs::read(from.join(name)).expect("it is there");
        fs::write(hidden.join(name), bytes).expect("it can be written");
    });
    names
        .par_iter()
        .for_each(|name| fs::rename(hidden.join(name), to.join(name)).expect("it can be renamed"));
    fs::remove_dir(&hidden).expect("it is empty");
}

fn measure() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/glsl/reduce.spv");
    let source = fs::read(source).expect("the fixture is there");
    let module = Module::from_bytes(&source).expect("it is a module");
    let packed = pack(&module, &PackOptions::default()).expect("it can be packed");
    let bytes: Vec<u8> = packed.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    measure_first_calls(folder.path(), &bytes);
    measure_many(folder.path(), &bytes);
}

fn measure_first_calls(folder: &Path, bytes: &[u8]) {
    let module = folder.join("module.spv");
    fs::write(&module, bytes).expect("it can be written");
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..PROCESSES {
        let done = this_program().arg("first").arg(&module).output().expect("it runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let printed = String::from_utf8(done.stdout).expect("it is text");
        let numbers = printed.split_whitespace().map(|number| number.parse().expect("a number"));
        times.iter_mut().zip(numbers).for_each(|(times, number)| times.push(Duration::from_nanos(number)));
    }
    println!("first calls of {PROCESSES} processes, a module of {} bytes:", bytes.len());
    for (what, times) in ["Device::embedded", "load and prepare", "specialize"].into_iter().zip(&mut times) {
        let [median, best] = median_and_best(times);
        println!("  {what:18} median {median:?}, best {best:?}");
    }
}

fn measure_many(folder: &Path, bytes: &[u8]) {
    let from = folder.join("from");
    fs::create_dir(&from).expect("a folder");
    for number in 0..MODULES {
        fs::write(from.join(format!("{number}.spv")), bytes).expect("it can be written");
    }
    let files: Vec<PathBuf> = (0..MODULES).map(|number| from.join(format!("{number}.spv"))).collect();
    let [mut program, mut copying] = [Vec::new(), Vec::new()];
    for turn in 0..TURNS {
        let to = [format!("program-{turn}"), format!("copied-{turn}")].map(|name| folder.join(name));
        to.iter().for_each(|to| fs::create_dir(to).expect("a folder"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        command.args(["specialize", "--quiet", "--device", DEVICE, "--output"]).arg(&to[0]).args(&files);
        program.push(time(&mut command));
        copying.push(time(this_program().arg("copy").arg(&from).arg(&to[1])));
        for to in &to {
            let written = fs::read_dir(to).expect("a folder").count();
            assert_eq!(written, MODULES, "{}", to.display());
            fs::remove_dir_all(to).expect("it can be removed");
        }
    }
    let [program, copying] = [&mut program, &mut copying].map(|times| median_and_best(times)[0]);
    println!(
        "{MODULES} modules in one run: {program:?}, read and written by another program: {copying:?}; {:.2} times",
        program.as_secs_f64() / copying.as_secs_f64()
    );
}

/// This program.
fn this_program() -> Command {
    Command::new(std::env::current_exe().expect("this program is a file"))
}

/// The time that a process takes.
fn time(command: &mut Command) -> Duration {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("it runs");
    assert!(status.success(), "{command:?}");
    start.elapsed()
}

fn median_and_best(times: &mut [Duration]) -> [Duration; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[0]]
}
