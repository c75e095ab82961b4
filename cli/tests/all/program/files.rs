//! Irregular files, too many or too large ones, and killed runs.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::common::{bytes_of, instruction, module_of, root, tool};

pub fn fixture() -> PathBuf {
    root().join("fixtures/opencl/device_if.spv")
}

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.stdin(Stdio::null());
    command
}

fn spirv_if(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

pub fn names(folder: &Path) -> Vec<String> {
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Two results for one file are refused, under any path of the file.
fn one_file_has_two_paths() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    std::os::unix::fs::symlink("in", folder.path().join("also")).unwrap();
    let shader = root().join("fixtures/spec/flow.spv");
    let run = |out: &str, map: &str| {
        let mut command = program();
        command.args(["specialize", "-q", "--set", "0:3"]).arg(&shader);
        command.args(["-o", out, "--map", map]).current_dir(&folder).output().unwrap()
    };
    for (out, map) in [("z.spv", "./z.spv"), ("in/z.spv", "also/z.spv"), ("in/z.spv", "in/../in/z.spv")] {
        let output = run(out, map);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{out} {map}: {said}");
        assert!(said.contains("two results would be written to"), "{out} {map}: {said}");
        assert_eq!(names(folder.path()), ["also", "in"]);
        assert_eq!(names(&folder.path().join("in")), [""; 0]);
    }
}

/// A folder whose files are the inputs: they are replaced only if that is asked for, and nothing is noted of what is not written.
fn an_input_in_the_folder_of_results_stays() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("shader.spv");
    fs::copy(root().join("fixtures/glsl/shade.spv"), &input).unwrap();
    let before = fs::read(&input).unwrap();
    let pack = |more: &[&str]| {
        let mut command = program();
        command.arg("pack").arg(&input).arg("-o").arg(folder.path()).args(more).output().unwrap()
    };
    let refused = pack(&[]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(
        said.contains("would be overwritten: choose another folder, or replace it with --force"),
        "{said}"
    );
    assert!(!said.contains("note:"), "{said}");
    assert_eq!(fs::read(&input).unwrap(), before);
    let forced = pack(&["--force"]);
    let said = String::from_utf8(forced.stderr).unwrap();
    assert!(forced.status.success() && said.contains("note:"), "{said}");
    assert_ne!(fs::read(&input).unwrap(), before);
}

/// An image that splitting writes beside its input, under its name: the input is replaced only if that is asked for.
fn an_input_with_the_name_of_an_image_stays() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("a.energy.spv");
    fs::copy(root().join("fixtures/opencl/plain.spv"), &input).unwrap();
    let before = fs::read(&input).unwrap();
    let split = |more: &[&str]| {
        let mut command = program();
        command.arg("split").arg(&input).args(["--mode", "kernel", "-o"]).arg(folder.path().join("a"));
        command.args(more).output().unwrap()
    };
    let refused = split(&[]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    let advice = "would be overwritten: choose other names with -o, or replace it with --force";
    assert!(said.contains(advice), "{said}");
    assert_eq!(names(folder.path()), ["a.energy.spv"]);
    assert_eq!(fs::read(&input).unwrap(), before);
    let forced = split(&["--force"]);
    let said = String::from_utf8(forced.stderr).unwrap();
    assert!(forced.status.success(), "{said}");
    assert!(fs::read(&input).unwrap() != before, "the input stayed");
}

/// Nothing is noted of a result whose folder does not exist.
fn what_is_not_written_is_not_noted() {
    let shader = root().join("fixtures/glsl/shade.spv").display().to_string();
    let failed = spirv_if(&["pack", &shader, "-o", "/nowhere/shader.spv"]);
    let said = String::from_utf8(failed.stderr).unwrap();
    assert!(said.contains("error:") && !said.contains("note:"), "{said}");
}

/// Modules that a validator refuses are not written.
fn results_are_validated() {
    let folder = tempfile::tempdir().unwrap();
    let (valid, invalid) = (root().join("fixtures/glsl/reduce.spv"), folder.path().join("invalid.spv"));
    let mut bytes = fs::read(&valid).unwrap();
    // A capability that does not exist.
    bytes[24..28].copy_from_slice(&0xFFFF_u32.to_le_bytes());
    fs::write(&invalid, bytes).unwrap();
    let pack = |input: &Path, validator: &Path, more: &[&str]| {
        let mut command = program();
        command.args(["pack", "-q"]).arg(input).arg("-o").arg(folder.path().join("packed.spv")).args(more);
        let output = command.env("SPIRV_VAL", validator).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let validator = tool("SPIRV_VAL", "spirv-val");
    for (input, validator, problem) in [
        (&invalid, validator.as_path(), "the module is not valid for"),
        (&valid, Path::new("/nowhere/spirv-val"), "/nowhere/spirv-val was not found"),
    ] {
        let (code, said) = pack(input, validator, &["--validate"]);
        assert!(code == Some(1) && said.contains(problem), "{code:?} {said}");
        assert_eq!(names(folder.path()), ["invalid.spv"]);
    }
    for (input, more) in [(&invalid, &[][..]), (&valid, &["--validate"])] {
        let (code, said) = pack(input, &validator, more);
        assert_eq!(code, Some(0), "{said}");
    }
    // Conditional entry points with interfaces.
    let variants = root().join("fixtures/merge").display().to_string();
    let first = format!("{variants}/versions-1.6.spv=cap(Int8)");
    let last = format!("{variants}/versions-1.0.spv=else");
    let mut command = program();
    command.args(["merge", "-q", &first, &last, "--validate", "-o"]).arg(folder.path().join("merged.spv"));
    let merged = command.env("SPIRV_VAL", validator).output().unwrap();
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
}

/// A module that several results have is validated once, under the name of the first.
fn equal_results_are_validated_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (validator, runs) = (path("validator"), path("runs"));
    fs::write(&validator, format!("#!/bin/sh\ncat >/dev/null\necho run >>{runs}\n")).unwrap();
    fs::set_permissions(&validator, fs::Permissions::from_mode(0o755)).unwrap();
    let count = |arguments: &[&str]| {
        let output = program().args(arguments).env("SPIRV_VAL", &validator).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        let count = fs::read_to_string(&runs).map_or(0, |text| text.lines().count());
        let _ = fs::remove_file(&runs);
        count
    };
    let shader = root().join("fixtures/glsl/reduce.spv").display().to_string();
    let (one, two, bundle, copy) = (path("one.spv"), path("two.spv"), path("a.spvb"), path("b.spvb"));
    for copy in [&one, &two] {
        fs::copy(&shader, copy).unwrap();
    }
    assert_eq!(count(&["bundle", "-q", &one, &two, "-o", &bundle]), 0);
    assert_eq!(count(&["bundle", "-q", &bundle, "-o", &copy, "--validate"]), 1);
    let out = path("out/");
    let plain = root().join("fixtures/opencl/plain.spv").display().to_string();
    let devices = "intel_gpu_pvc,intel_gpu_bmg_g21,x86_64";
    assert_eq!(count(&["specialize", "-q", &plain, "--device", devices, "-o", &out, "--validate"]), 1);
    assert_eq!(names(Path::new(&out)).len(), 3);
}

/// A device has no properties beside it, by any of its names.
fn nothing_is_beside_a_device() {
    let folder = tempfile::tempdir().unwrap();
    let null = folder.path().join("null.spv");
    std::os::unix::fs::symlink("/dev/null", &null).unwrap();
    let (input, null) = (fixture().display().to_string(), null.display().to_string());
    for arguments in [
        &["pack", "-q", &input, "-o", &null][..],
        &["specialize", "-q", &input, "--unset", "keep", "--device", "arch:x86_64", "-o", &null],
    ] {
        let output = spirv_if(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(names(folder.path()), ["null.spv"], "{arguments:?}");
    }
    assert_eq!(fs::metadata(&null).unwrap().len(), 0);
}

/// The names of standard output mean it, even if it is a file.
fn names_of_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let expected = spirv_if(&["pack", "-q", &fixture().display().to_string(), "-o", "-"]).stdout;
    assert!(!expected.is_empty());
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let path = folder.path().join("out");
        let mut command = program();
        command.args(["pack", "-q"]).arg(fixture()).args(["-o", name]);
        let status = command.stdout(fs::File::create(&path).unwrap()).status().unwrap();
        assert!(status.success(), "{name}");
        assert!(fs::read(&path).unwrap() == expected, "{name}");
        assert_eq!(names(folder.path()), ["out"], "{name}");
        assert!(!Path::new("/dev/stdout.prop").exists());
    }
}

/// Returns a module with a number of kernels, each with a number of instructions.
fn kernels(count: u32, instructions: u32) -> Vec<u8> {
    const VOID: u32 = 1;
    const FUNCTION: u32 = 2;
    const INTEGER: u32 = 3;
    const ONE: u32 = 4;
    let id = |kernel: u32| 5 + (2 + instructions) * kernel;
    let mut module = vec![instruction(17, &[4]), instruction(17, &[6]), instruction(14, &[2, 2])];
    for kernel in 0..count {
        let name = u32::from_le_bytes(format!("{kernel:04}").into_bytes().try_into().unwrap());
        module.push(instruction(15, &[6, id(kernel), name, 0]));
    }
    module.extend([instruction(19, &[VOID]), instruction(33, &[FUNCTION, VOID])]);
    module.extend([instruction(21, &[INTEGER, 32, 0]), instruction(43, &[INTEGER, ONE, 1])]);
    for kernel in 0..count {
        let (function, label) = (id(kernel), id(kernel) + 1);
        module.extend([instruction(54, &[VOID, function, 0, FUNCTION]), instruction(248, &[label])]);
        module.extend((1..=instructions).map(|at| instruction(128, &[INTEGER, label + at, ONE, ONE])));
        module.extend([instruction(253, &[]), instruction(56, &[])]);
    }
    bytes_of(&module_of(id(count), &module))
}

/// More results than a process may have files open.
fn more_results_than_open_files() {
    const KERNELS: u32 = 100;
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("kernels.spv");
    fs::write(&input, kernels(KERNELS, 0)).unwrap();
    let images = folder.path().join("images");
    let line = "ulimit -n 64 && exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", line, "sh", env!("CARGO_BIN_EXE_spirv-if"), "split", "--mode", "kernel"])
        .arg(&input)
        .arg("-o")
        .arg(images.join(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(names(&images).len(), 3 * KERNELS as usize);
}

/// Returns the peak memory of `inspect --format json` in bytes, once the report is written: a pipe holds only a part of it.
fn memory_of_json(inputs: &[&Path]) -> usize {
    let mut command = program();
    command.args(["inspect", "--format", "json"]).args(inputs).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    io::copy(&mut stdout, &mut io::sink()).unwrap();
    assert!(child.wait().unwrap().success());
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}

/// A report takes at most four times the module in memory, besides the program's constant part.
fn json_takes_little_memory() {
    // Elsewhere, the system does not say how much.
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("large.spv");
    let large = kernels(4000, 96);
    assert!((7 << 20..9 << 20).contains(&large.len()), "{}", large.len());
    fs::write(&input, &large).unwrap();
    let small = fixture();
    let floor = memory_of_json(&[&*small; 20]);
    let taken = memory_of_json(&[&input]).saturating_sub(floor);
    assert!(taken <= 4 * large.len(), "{taken} bytes for {}", large.len());
}

/// A run that is killed before all results are written leaves only temporary files. A later run with many results removes them.
fn a_later_run_removes_files_of_a_killed_one() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = (0..40).map(|number| folder.path().join(format!("{number}.spv")));
    let inputs: Vec<PathBuf> = inputs.collect();
    inputs.iter().for_each(|path| assert!(fs::copy(fixture(), path).is_ok()));
    // Nobody writes to it: the run waits, with the results for the other inputs.
    let pipe = folder.path().join("pipe.spv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let mut command = program();
    command.args(["trim", "-q"]).args(&inputs).arg(&pipe).arg("-o").arg(&out);
    let mut killed = command.spawn().unwrap();
    let start = Instant::now();
    while names(&out).is_empty() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = names(&out);
    assert!(
        !left.is_empty() && left.iter().all(|name| name.starts_with(".spirv-if-unfinished-")),
        "{left:?}"
    );
    for name in left {
        let file = fs::File::options().append(true).open(out.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60)).unwrap();
    }
    let output = program().args(["trim", "-q"]).args(&inputs).arg("-o").arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let left = names(&out);
    assert!(left.len() == inputs.len() && left.iter().all(|name| name.ends_with(".spv")), "{left:?}");
}

/// Endless files, and files larger than any module, are refused by their start or size, or after a maximum of bytes.
fn endless_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (sparse, module, out) = (path("sparse"), path("module.spv"), path("out.spv"));
    fs::write(&sparse, "").unwrap();
    fs::copy(fixture(), &module).unwrap();
    for file in [&sparse, &module] {
        fs::File::options().write(true).open(file).unwrap().set_len(10 << 30).unwrap();
    }
    let (none, large) = ("it starts with 0x00000000", "10737418240 bytes, and at most 4294967296 are read");
    let text = "larger than 268435456 bytes";
    let input = fixture().display().to_string();
    for (arguments, reason) in [
        (&["inspect", &sparse][..], large),
        (&["inspect", &module], large),
        (&["trim", &module, "-o", &out], large),
        (&["trim", &sparse, "-o", &out], none),
        (&["trim", "/dev/zero", "-o", &out], none),
        (&["sycl", "post-link", "/dev/zero", "-o", &out], none),
        (&["inspect", "/dev/zero"], "no end after 1073741824 bytes"),
        (&["pack", &input, "--annotations", "/dev/zero", "-o", &out], text),
    ] {
        let output = spirv_if(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    let zeros = || Stdio::from(fs::File::open("/dev/zero").unwrap());
    let output = program().args(["trim", "-", "-o", &out]).stdin(zeros()).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains(none));
    assert_eq!(names(folder.path()), ["module.spv", "sparse"]);
}

tests![
    json_takes_little_memory,
    endless_files_are_refused,
    one_file_has_two_paths,
    an_input_in_the_folder_of_results_stays,
    an_input_with_the_name_of_an_image_stays,
    what_is_not_written_is_not_noted,
    results_are_validated,
    equal_results_are_validated_once,
    nothing_is_beside_a_device,
    names_of_standard_output,
    more_results_than_open_files,
    a_later_run_removes_files_of_a_killed_one,
];
