//! Programs of several translation units.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use spirv::{Decoration, LinkageType, Op};
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::loader::Module;
use spirv_if::properties::{DEVICE_REQUIREMENTS, PropertySets, SPECIAL_CONSTANTS};
use spirv_if::recipes::program::Program;
use spirv_if::recipes::split::{Image, Mode};
use spirv_if::tables::FileTable;

use super::common::{fixtures, validate, words_of};
use super::support::{images, program};

/// The fixtures of this folder, by name.
fn fixture(name: &str) -> Vec<u32> {
    let name = format!("program/{name}.spv");
    fixtures().into_iter().find(|(other, _)| *other == name).unwrap().1
}

/// The program linked from its two units, and the one that the compiler saw whole.
fn programs() -> [Program; 2] {
    let words = ["means", "sums", "whole"].map(fixture);
    let modules = words.each_ref().map(|words| Module::from_words(&words[..]).unwrap());
    [program(&modules[..2], Default::default()), program(&modules[2..], Default::default())]
}

fn capabilities(image: &Image) -> BTreeSet<String> {
    let module = Module::from_words(&image.words[..]).unwrap();
    let declares =
        |op: Option<Op>| matches!(op, Some(Op::Capability | Op::ConditionalCapabilityINTEL | Op::Extension));
    let shown = |inst: &spirv_if::loader::Instruction| format!("{:?} {:?}", inst.op(), inst.words().last());
    module.globals().filter(|inst| declares(inst.op())).map(|inst| shown(&inst)).collect()
}

/// What a module imports.
fn imports(words: &[u32]) -> BTreeSet<String> {
    let module = Module::from_words(words).unwrap();
    let linkage = module.globals().filter(|inst| {
        inst.is(Op::Decorate)
            && inst.word(2) == Decoration::LinkageAttributes as u32
            && inst.words().last() == Some(&(LinkageType::Import as u32))
    });
    linkage.map(|inst| inst.string(3).into_owned()).collect()
}

/// What is linked and split is what a compiler makes of the whole program, split: the same kernels need the same, for any
/// device and for each.
#[test]
fn linked_programs_are_whole_ones() {
    let programs = programs();
    let config = DeviceConfig::embedded().unwrap();
    let targets: Vec<Option<&Device>> = std::iter::once(None).chain(config.iter().map(Some)).collect();
    let mut seen: BTreeSet<Vec<Vec<String>>> = BTreeSet::new();
    for mode in [Mode::Kernel, Mode::Off] {
        for &target in &targets {
            let on = target.map_or("any device", |device| &device.name);
            let [linked, whole]: [BTreeMap<Vec<String>, Image>; 2] = programs.each_ref().map(|program| {
                let made = match target {
                    None => images(program, mode, true),
                    Some(device) => images(&program.on(device).unwrap(), mode, false),
                };
                let sorted = made.unwrap().into_iter().map(|(mut symbols, image)| {
                    symbols.sort();
                    (symbols, image)
                });
                sorted.collect()
            });
            let symbols: Vec<Vec<String>> = linked.keys().cloned().collect();
            assert_eq!(symbols, whole.keys().cloned().collect::<Vec<_>>(), "{mode:?} on {on}");
            for (symbols, image) in &linked {
                validate(&image.words, "spv1.4")
                    .unwrap_or_else(|error| panic!("{symbols:?} on {on}: {error}"));
                let other = &whole[symbols];
                let sets = |image: &Image| image.properties.get(DEVICE_REQUIREMENTS).cloned();
                assert_eq!(sets(image), sets(other), "{symbols:?} on {on}");
                let special = |image: &Image| image.properties.get(SPECIAL_CONSTANTS).cloned();
                assert_eq!(special(image), special(other), "{symbols:?} on {on}");
                assert_eq!(capabilities(image), capabilities(other), "{symbols:?} on {on}");
                assert!(!imports(&image.words).contains("sum_row"), "{symbols:?} on {on}");
            }
            seen.insert(symbols);
        }
    }
    assert!(seen.len() >= 2, "{seen:?}");
}

/// By source, functions are of the file that they came from; a function that two images need is in both.
#[test]
fn units_are_the_sources() {
    let [linked, _] = programs();
    let images = images(&linked, Mode::Source, false).unwrap();
    let mut by_unit: Vec<BTreeSet<&str>> = Vec::new();
    for (symbols, image) in &images {
        let symbols: BTreeSet<&str> = symbols.iter().map(String::as_str).collect();
        let of_sums = symbols.is_subset(&["totals", "largest"].into());
        assert!(of_sums || symbols.is_subset(&["means", "halves", "copies"].into()), "{symbols:?}");
        let module = Module::from_words(&image.words[..]).unwrap();
        let needs_sum = symbols.contains("means") || symbols.contains("totals");
        let has_sum = spirv_if::analysis::Names::new(&module)
            .exported()
            .any(|id| spirv_if::analysis::Names::new(&module).name(id).is_some_and(|name| name == "sum_row"));
        assert_eq!(has_sum, needs_sum, "{symbols:?}");
        by_unit.push(symbols);
    }
    let all: Vec<&str> = by_unit.iter().flatten().copied().collect();
    assert_eq!(all.len(), 5, "{by_unit:?}");
}

/// Runs the program in a folder of its own, which is to hold its results.
fn post_link(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/program");
    let output = Command::new(env!("CARGO_BIN_EXE_spirv-if"))
        .args(["sycl", "post-link"])
        .args([fixtures.join("means.spv"), fixtures.join("sums.spv")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Each kernel is in exactly one image for each target that can run it; the table names every file that is written, and the same
/// input gives the same bytes.
#[test]
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
            let entry_points = module.globals().filter(|inst| inst.is(Op::EntryPoint));
            let names: BTreeSet<String> = entry_points.map(|inst| inst.string(3).into_owned()).collect();
            let symbols = String::from_utf8(read(2)).unwrap();
            let symbols: BTreeSet<&str> = symbols.lines().filter(|name| *name != "largest").collect();
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
#[test]
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

/// The folder of the images is made if it is missing; the table stays where it is.
#[test]
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
