//! Executables and libraries that DPC++ linked have the images of a program, as a file table does.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use spirv_if::property_sets::{Property, PropertySets};

use crate::common::linked::{LinkedImage, LinkedValue, linked};
use crate::common::root;

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_spirv-if")).args(arguments).current_dir(folder).output().unwrap()
}

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a value as a linked file has it: byte arrays begin with their length in bits.
fn value(property: &Property) -> LinkedValue {
    let prefixed = |length: u64, bytes: &[u8]| [&length.to_le_bytes(), bytes].concat();
    match property {
        Property::U32(number) => LinkedValue::Number(*number),
        Property::Bytes(bytes) => LinkedValue::Bytes(prefixed(8 * bytes.len() as u64, bytes)),
        Property::Bits { length, bytes } => LinkedValue::Bytes(prefixed(*length, bytes)),
        other => panic!("{other:?}"),
    }
}

/// Writes an executable with the images of a file table.
fn link(folder: &Path, table: &str, executable: &str) {
    let text = fs::read_to_string(folder.join(table)).unwrap();
    let images = text.lines().skip(1).map(|row| {
        let [code, properties, symbols] = row.split('|').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let properties = fs::read_to_string(folder.join(properties)).unwrap();
        let sets = PropertySets::parse("properties", &properties).unwrap();
        let values = |set: &spirv_if::property_sets::PropertySet| {
            set.iter().map(|(name, property)| (name.to_owned(), value(property))).collect()
        };
        LinkedImage {
            version: 3,
            target: "spir64",
            code: fs::read(folder.join(code)).unwrap(),
            entries: fs::read_to_string(folder.join(symbols)).unwrap().lines().map(str::to_owned).collect(),
            sets: sets.iter().map(|set| (set.name().to_owned(), values(set))).collect(),
        }
    });
    fs::write(folder.join(executable), linked(&images.collect::<Vec<_>>())).unwrap();
}

/// A program of two translation units, packed: an executable, and the table from which it was made.
fn program() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let units = ["means", "sums"]
        .map(|unit| root().join(format!("fixtures/program/{unit}.spv")).display().to_string());
    let arguments =
        ["sycl", "post-link", "-q", &units[0], &units[1], "--pack", "--mode", "kernel", "-o", "app.table"];
    succeed(folder.path(), &arguments);
    link(folder.path(), "app.table", "app");
    folder
}

/// Returns the contents of the files of a kernel's images.
fn written(folder: &Path, name: &str) -> BTreeSet<Vec<u8>> {
    let place = tempfile::tempdir().unwrap();
    let output = place.path().display().to_string();
    let arguments = [
        "sycl",
        "select",
        name,
        "--kernel",
        "means",
        "--device",
        "intel_gpu_pvc",
        "--no-link",
        "-o",
        &output,
    ];
    succeed(folder, &arguments);
    let files: Vec<PathBuf> = fs::read_dir(place.path()).unwrap().map(|file| file.unwrap().path()).collect();
    let extensions: BTreeSet<_> = files.iter().filter_map(|file| file.extension()?.to_str()).collect();
    assert_eq!(extensions, BTreeSet::from(["prop", "spv"]));
    files.into_iter().map(|file| fs::read(file).unwrap()).collect()
}

fn kernels_are_those_of_the_table() {
    let place = program();
    let folder = place.path();
    let list = |name: &str| {
        let text = succeed(folder, &["sycl", "select", name, "--list", "--device", "intel_gpu_*"]);
        // Images have other names.
        text.lines()
            .filter(|line| !line.starts_with("    app"))
            .map(|line| line.to_owned() + "\n")
            .collect::<String>()
    };
    assert_eq!(list("app"), list("app.table"));
    assert!(list("app").contains("  means: runs\n"), "{}", list("app"));
    for device in ["intel_gpu_pvc", "intel_gpu_dg1"] {
        for (name, output) in [("app", "linked.spv"), ("app.table", "table.spv")] {
            succeed(folder, &["sycl", "select", name, "--kernel", "means", "--device", device, "-o", output]);
        }
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        assert_eq!(read("linked.spv"), read("table.spv"), "{device}");
    }
    assert_eq!(written(folder, "app"), written(folder, "app.table"));
}

/// Makes the images of a program for devices in a folder, and returns the contents of the files by name.
fn post_linked(folder: &Path, inputs: &[&str]) -> BTreeMap<String, String> {
    let output = tempfile::tempdir().unwrap();
    let table = output.path().join("made.table").display().to_string();
    let targets = ["--target", "spir64,intel_gpu_pvc,intel_gpu_dg1", "-o", &table];
    let options = ["sycl", "post-link", "-q", "--pack", "--mode", "kernel"];
    succeed(folder, &[&options[..], inputs, &targets].concat());
    let files = fs::read_dir(output.path()).unwrap().map(|file| file.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let is_table = |path: &PathBuf| path.ends_with("made.table");
    files.filter(|path| !is_table(path)).map(|path| (name(&path), format!("{:?}", fs::read(path)))).collect()
}

/// An executable stands for its images, each with its property sets: these are the files of the table. One translation unit is for a fixed
/// target, as only its property sets say.
fn executables_are_translation_units() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let [means, sums] = ["means", "sums"]
        .map(|unit| root().join(format!("fixtures/program/{unit}.spv")).display().to_string());
    let fixed = format!("{means}=intel_gpu_pvc");
    let arguments = [&means, &sums, "--mode", "kernel", "--fixed-targets", &fixed, "-o", "app.table"];
    succeed(folder, &[&["sycl", "post-link", "-q"], &arguments[..]].concat());
    link(folder, "app.table", "app");
    let table = fs::read_to_string(folder.join("app.table")).unwrap();
    let files: Vec<&str> = table.lines().skip(1).map(|row| row.split('|').next().unwrap()).collect();
    let of_files = post_linked(folder, &files);
    assert!(post_linked(folder, &["app"]) == of_files, "an executable, and its files");
    let for_dg1 = |files: &BTreeMap<String, String>| {
        files.keys().filter(|name| name.contains("intel_gpu_dg1") && name.ends_with(".spv")).count()
    };
    assert_eq!((for_dg1(&of_files), files.len()), (3, 6), "the others are for intel_gpu_pvc");
    // A part of the executable has the properties of that image. Two images have exported functions only.
    let kernels = ["app.means.spv", "app.halves.spv", "app.copies.spv", "app.totals.spv"];
    for (number, file) in files.iter().enumerate().filter(|(_, file)| kernels.contains(file)) {
        let part = format!("app:{number}");
        assert!(post_linked(folder, &[&part]) == post_linked(folder, &[file]), "{part} and {file}");
    }
    // Without the properties, all run on all targets.
    files.iter().for_each(|file| fs::remove_file(folder.join(file).with_extension("prop")).unwrap());
    assert_eq!(for_dg1(&post_linked(folder, &files)), 6);
}

/// Malformed property sets are errors that name the image.
fn malformed_properties_are_errors() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let sets = vec![(
        "SYCL/device requirements".to_owned(),
        vec![("aspect".to_owned(), LinkedValue::Bytes(vec![7, 0, 0, 0, 0, 0, 0, 0, 5]))],
    )];
    let code = fs::read(root().join("fixtures/program/means.spv")).unwrap();
    let image = LinkedImage { version: 3, target: "spir64", code, entries: vec!["means".to_owned()], sets };
    fs::write(folder.join("app"), linked(&[image])).unwrap();
    for arguments in [
        &["sycl", "post-link", "app", "-o", "a.table"][..],
        &["inspect", "app"],
        &["pack", "app:0", "-o", "a.spv"],
    ] {
        let output = run(folder, arguments);
        let printed = String::from_utf8(output.stderr).unwrap();
        let is_named = printed.starts_with("spirv-if: error: app") && printed.contains("property `aspect`");
        assert!(output.status.code() == Some(1) && is_named, "{arguments:?}: {printed}");
    }
}

/// An image that cannot be read is never silent, and does not change what commands make of the others.
fn each_image_has_its_own_error() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let image = |unit: &str, version| {
        let aspects =
            vec![("aspects".to_owned(), LinkedValue::Bytes(vec![32, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0]))];
        let code = fs::read(root().join(format!("fixtures/program/{unit}.spv"))).unwrap();
        let sets = vec![("SYCL/device requirements".to_owned(), aspects)];
        LinkedImage { version, target: "spir64", code, entries: vec![unit.to_owned()], sets }
    };
    fs::write(folder.join("app"), linked(&[image("means", 3), image("sums", 2)])).unwrap();
    fs::write(folder.join("older"), linked(&[image("sums", 2)])).unwrap();
    let reason = "the property sets of SYCL image 1, counted from 0, cannot be read: its description is not of version 3";
    let check = |arguments: &[&str], status: i32, words: &[&str]| {
        let output = run(folder, arguments);
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {printed}");
        words.iter().for_each(|word| assert!(printed.contains(word), "{arguments:?}: {printed}"));
        String::from_utf8(output.stdout).unwrap()
    };
    let list = ["sycl", "select", "app", "--list", "--device", "intel_gpu_dg1"];
    let text = check(&list, 0, &["warning: app:0x", reason]);
    // The aspect is that of the image's property sets: its code does not require it.
    let missing = "  means: does not run\n    app:0x40: has the kernel\n    missing: aspect accelerator\n";
    assert!(text.contains(missing) && !text.contains("sums:"), "{text}");
    let json = check(&[&list[..], &["--format", "json"]].concat(), 0, &[reason]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["unreadable"][0].as_str().is_some_and(|error| error.contains(reason)), "{json}");
    let select = ["sycl", "select", "app", "--device", "intel_gpu_dg1", "-o", "a.spv", "--kernel"];
    check(&[&select[..], &["sums"]].concat(), 2, &["no image has a kernel `sums`", reason]);
    check(&["sycl", "select", "older", "--list", "--device", "x86_64"], 1, &["not of version 3"]);
    let report = check(&["inspect", "app"], 1, &["error: app at 0x", reason]);
    assert!(report.contains("  means (Kernel)\n"), "{report}");
    for (part, name) in [("app", "error: app: image at 0x"), ("app:1", "error: app:1: the property sets")] {
        check(&["sycl", "post-link", part, "-o", "a.table"], 1, &[name, reason]);
    }
    check(
        &["specialize", "app:1", "--device", "intel_gpu_dg1", "-o", "a.spv"],
        1,
        &["error: app:1: ", reason],
    );
    check(&["specialize", "app:0", "--device", "intel_gpu_pvc", "-o", "a.spv"], 3, &["accelerator"]);
}

/// An image whose code is malformed is an error: it is neither left out, nor does it change what is reported of the others.
fn malformed_images_are_errors() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let image = |unit: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut code = fs::read(root().join(format!("fixtures/program/{unit}.spv"))).unwrap();
        change(&mut code);
        let entries = vec![unit.to_owned()];
        LinkedImage { version: 3, target: "spir64", code, entries, sets: Vec::new() }
    };
    let cut = image("sums", &|code| code.truncate(code.len() - 8));
    let of_no_version = image("whole", &|code| code[4..8].fill(0xff));
    // It is compiled for its target.
    let other = LinkedImage { target: "native", ..image("sums", &|code| code.fill(7)) };
    let images = [image("means", &|_| {}), cut, of_no_version, other];
    fs::write(folder.join("app"), linked(&images)).unwrap();
    let check = |arguments: &[&str], words: &[&str]| {
        let output = run(folder, arguments);
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {printed}");
        words.iter().for_each(|word| assert!(printed.contains(word), "{arguments:?}: {printed}"));
        String::from_utf8(output.stdout).unwrap()
    };
    let reasons = ["truncated module: ", "malformed version 0xffffffff in the header"];
    let text = check(&["inspect", "app"], &["error: app at 0x", reasons[0], reasons[1]]);
    assert!(text.contains("  means (Kernel)\n"), "{text}");
    for (part, reason) in [("app:1", reasons[0]), ("app:2", reasons[1])] {
        check(&["inspect", part], &[reason]);
        check(&["specialize", part, "--device", "intel_gpu_pvc", "-o", "a.spv"], &[reason]);
    }
    check(&["sycl", "post-link", "app", "-o", "a.table"], &["error: app: image at 0x", reasons[0]]);
    check(&["bundle", "app", "-o", "a.spvb"], &["error: app: image at 0x", reasons[0]]);
    let select = ["sycl", "select", "app", "--device", "intel_gpu_pvc", "-o", "a.spv", "--kernel", "sums"];
    check(&select, &[reasons[0]]);
}

fn other_executables_are_errors() {
    let place = program();
    let folder = place.path();
    fs::write(folder.join("empty"), linked(&[])).unwrap();
    for name in ["empty", env!("CARGO_BIN_EXE_spirv-if")] {
        let output = run(folder, &["sycl", "select", name, "--list", "--device", "x86_64"]);
        let printed = String::from_utf8(output.stderr).unwrap();
        let expected = format!("spirv-if: error: {name}: it has no SPIR-V images of DPC++");
        assert!(output.status.code() == Some(1) && printed.starts_with(&expected), "{printed}");
    }
}

tests![
    kernels_are_those_of_the_table,
    executables_are_translation_units,
    malformed_properties_are_errors,
    each_image_has_its_own_error,
    malformed_images_are_errors,
    other_executables_are_errors
];
