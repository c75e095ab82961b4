//! Output of `sycl post-link` for programs of several translation units.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use spirv_if::Module;
use spirv_if::property_sets::PropertySets;
use spirv_if_inspect::{InspectOptions, inspect};
use spirv_if_sycl::tables::FileTable;

use crate::common::{bytes_of, instruction, module_of, root, validate, words_of};

/// Runs the program in a folder of its own, which is to hold its results.
fn post_link(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let fixtures = root().join("fixtures/program");
    let output = Command::new(env!("CARGO_BIN_EXE_spirv-if"))
        .args(["sycl", "post-link"])
        .args([fixtures.join("means.spv"), fixtures.join("sums.spv")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// True for the functions that the fixtures export, which symbol files name too.
fn exported(name: &str) -> bool {
    ["largest", "sum_row"].contains(&name) || name.starts_with("call_if_on_device_conditionally_")
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Each kernel is in exactly one image for each target that can run it. The table names every written file, and equal inputs have equal results.
fn tables_list_each_kernel_once() {
    for mode in ["kernel", "source", "off", "auto", "per_kernel", "per_source"] {
        let folder = tempfile::tempdir().unwrap();
        let targets = "spir64,intel_gpu_pvc,nvidia_gpu_sm_50,x86_64";
        let arguments = ["--mode", mode, "--pack", "--target", targets, "-o", "p.table"];
        let (status, said) = post_link(folder.path(), &arguments);
        assert_eq!(status, Some(0), "{said}");
        let first = files(folder.path());
        let text = String::from_utf8(first[&folder.path().join("p.table")].clone()).unwrap();
        let table = FileTable::parse("p.table", &text).unwrap();
        let mut named: BTreeSet<PathBuf> = [folder.path().join("p.table")].into();
        let mut kernels: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for row in table.rows() {
            named.extend(row[..3].iter().map(|file| folder.path().join(file)));
            let read = |at: usize| first[&folder.path().join(&row[at])].clone();
            let words = words_of(&read(0));
            validate(&words, "spv1.4").unwrap_or_else(|error| panic!("{row:?}: {error}"));
            PropertySets::parse(&row[1], &String::from_utf8(read(1)).unwrap()).unwrap();
            let module = Module::from_words(&words[..]).unwrap();
            let entry_points = inspect(&module, &InspectOptions::default()).unwrap().entry_points();
            let entry_points = entry_points.into_iter().filter(|entry_point| entry_point.stage.is_some());
            let names: BTreeSet<String> = entry_points.map(|entry_point| entry_point.name).collect();
            let symbols = String::from_utf8(read(2)).unwrap();
            let symbols: BTreeSet<&str> = symbols.lines().filter(|name| !exported(name)).collect();
            assert_eq!(symbols, names.iter().map(String::as_str).collect(), "{row:?}");
            kernels.entry(row[3].clone()).or_default().extend(names);
        }
        assert_eq!(named, first.keys().cloned().collect(), "{mode}");
        for (target, mut names) in kernels {
            names.sort();
            // sm_50 has no half precision.
            let expected: &[&str] = match target.as_str() {
                "nvidia_gpu_sm_50" => &["copies", "means", "totals"],
                _ => &["copies", "halves", "means", "totals"],
            };
            assert_eq!(names, expected, "{mode} {target}");
        }
        let (status, _) = post_link(folder.path(), &arguments);
        assert_eq!((status, files(folder.path()) == first), (Some(0), true), "{mode}");
    }
}

/// A failure, even for the last of the targets, leaves what was there.
fn failures_leave_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let (status, said) = post_link(folder.path(), &["-o", "p.table", "--pack", "--mode", "kernel"]);
    assert_eq!(status, Some(0), "{said}");
    std::fs::create_dir(folder.path().join("p.intel_gpu_pvc.totals.spv")).unwrap();
    let old = std::fs::read(folder.path().join("p.table")).unwrap();
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    let before = names();
    let (status, said) =
        post_link(folder.path(), &["-o", "p.table", "--mode", "kernel", "--target", "spir64,intel_gpu_pvc"]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("p.intel_gpu_pvc.totals.spv"), "{said}");
    assert_eq!(std::fs::read(folder.path().join("p.table")).unwrap(), old);
    assert_eq!(names(), before, "{said}");
}

/// A missing folder of the images is created; the table keeps its place.
fn images_go_to_a_folder_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let (status, said) = post_link(folder.path(), &["-o", "p.table", "--pack", "--out-dir", "new/images"]);
    assert_eq!(status, Some(0), "{said}");
    let table = std::fs::read_to_string(folder.path().join("p.table")).unwrap();
    assert!(table.lines().skip(1).all(|row| row.starts_with("new/images/p_")), "{table}");
    let table = FileTable::parse("p.table", &table).unwrap();
    assert!(table.rows().len() > 0);
    for file in table.rows().flatten() {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

/// Returns a module with a number of kernels that share a function with a number of instructions.
fn sharing_kernels(count: u32, instructions: u32) -> Vec<u8> {
    let [void, function, integer, one, shared] = [1, 2, 3, 4, 5];
    let kernel = |number: u32| 6 + 3 * number;
    let mut module = [4, 5, 6].map(|capability| instruction(17, &[capability])).to_vec();
    module.push(instruction(14, &[2, 2]));
    for number in 0..count {
        let name = u32::from_le_bytes(format!("{number:04}").into_bytes().try_into().unwrap());
        module.push(instruction(15, &[6, kernel(number), name, 0]));
    }
    module.extend([instruction(19, &[void]), instruction(33, &[function, void])]);
    module.extend([instruction(21, &[integer, 32, 0]), instruction(43, &[integer, one, 1])]);
    let label = kernel(count);
    module.extend([instruction(54, &[void, shared, 0, function]), instruction(248, &[label])]);
    module.extend((1..=instructions).map(|at| instruction(128, &[integer, label + at, one, one])));
    module.extend([instruction(253, &[]), instruction(56, &[])]);
    for id in (0..count).map(kernel) {
        module.extend([instruction(54, &[void, id, 0, function]), instruction(248, &[id + 1])]);
        module.extend([
            instruction(57, &[void, id + 2, shared]),
            instruction(253, &[]),
            instruction(56, &[]),
        ]);
    }
    bytes_of(&module_of(label + instructions + 1, &module))
}

/// Many images take little memory: each is written when it is made.
fn images_are_not_kept() {
    // Elsewhere, the system does not say how much.
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (input, table) = (folder.path().join("kernels.spv"), folder.path().join("images.table"));
    let count = 120;
    let module = sharing_kernels(count, 25_000);
    std::fs::write(&input, &module).unwrap();
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    // The table does not fit into a pipe, so that the program is still there when it has written everything else.
    let out: PathBuf =
        [folder.path().to_owned()].into_iter().chain((0..6).map(|_| "o".repeat(250).into())).collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.args(["sycl", "post-link", "-q", "--mode", "kernel"]).arg(input);
    let mut child = command.arg("-o").arg(&table).arg("--out-dir").arg(&out).spawn().unwrap();
    let mut table = std::fs::File::open(table).unwrap();
    table.read_exact(&mut [0]).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let rest = io::copy(&mut table, &mut io::sink()).unwrap();
    assert!(child.wait().unwrap().success() && rest > 1 << 16, "{rest} bytes of a table");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024;
    // All of them are far larger than what it takes to make one.
    let all = count as usize * module.len();
    assert!(peak < all * 3 / 4, "{peak} bytes of memory for images of {all} bytes");
}

tests![
    tables_list_each_kernel_once,
    failures_leave_what_was_there,
    images_go_to_a_folder_of_their_own,
    images_are_not_kept,
];
