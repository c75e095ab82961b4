//! Loading a shader for a device: from an opened bundle of ready shaders by the reader in C, beside the prepared engine and a copy of as many bytes.
//!
//! `ZSTD_SOURCES=FOLDER cargo bench -p spirv-if-bundle --bench ready` compiles the reader with the system's compiler of C and prints nanoseconds, the best of several rounds.
//! `scripts/test-bundle.sh --figures` runs it. RE_SPIRV names a checkout of [re-spirv](https://github.com/renderbag/re-spirv), to set constants beside it.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_bundle::{BundleBuilder, ShaderVariant};

/// The number of rounds.
const ROUNDS: usize = 9;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::temp_dir().join(format!("spirv-if-ready-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    let program = compile(root, &folder);
    println!(
        "{:24} {:>7} {:>10} {:>10} {:>10} {:>10} {:>10} {:>8}",
        "shader", "bytes", "prepared", "stored", "compressed", "zstd alone", "opened", "memcpy"
    );
    for name in
        ["glsl/tint", "glsl/reduce", "headers/glslconditions", "ubershaders/post", "dpcpp/features-O0"]
    {
        let bytes = std::fs::read(root.join(format!("../fixtures/{name}.spv"))).expect("the fixture exists");
        let module = Module::from_bytes(&bytes).expect("it is a module");
        let words = pack(&module, &PackOptions::default()).expect("it can be packed").words;
        let stored = in_c(&program, &bundle(name, ShaderVariant::new(&words[..]), true, &folder), name);
        let compressed = in_c(&program, &bundle(name, ShaderVariant::new(&words[..]), false, &folder), name);
        let prepared = prepared(&words);
        println!(
            "{name:24} {:>7} {prepared:>10.0} {:>10} {:>10} {:>10} {:>10} {:>8}",
            stored[0], stored[2], compressed[2], compressed[4], stored[1], stored[3]
        );
    }
    if let Some(checkout) = std::env::var_os("RE_SPIRV") {
        println!(
            "{:24} {:>10} {:>7} {:>10} {:>7}",
            "shader, constants set", "re-spirv", "bytes", "stored", "bytes"
        );
        let re_spirv = compile_re_spirv(root, Path::new(&checkout), &folder);
        for (name, constants) in [
            ("ubershaders/filter", &[(0, "TAPS", "4"), (1, "ROWS", "1")][..]),
            ("ubershaders/post", &[(0, "EFFECTS", "3")]),
        ] {
            let path = root.join(format!("../fixtures/{name}.spv"));
            let bytes = std::fs::read(&path).expect("the fixture exists");
            let module = Module::from_bytes(&bytes).expect("it is a module");
            let mut variant = ShaderVariant::new(module.words());
            let mut set = Vec::new();
            for &(spec_id, name, value) in constants {
                variant = variant.constant_values(name, [value]);
                set.push(format!("{spec_id}={value}"));
            }
            let stored = in_c(&program, &bundle(name, variant, true, &folder), name);
            let others = numbers(Command::new(&re_spirv).arg(path).args(set));
            println!("{name:24} {:>10} {:>7} {:>10} {:>7}", others[1], others[0], stored[2], stored[0]);
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Compiles re-spirv with a clock.
fn compile_re_spirv(root: &Path, checkout: &Path, folder: &Path) -> PathBuf {
    let program = folder.join("re-spirv");
    let mut compiler = Command::new("c++");
    compiler.args(["-std=c++17", "-O2", "-I"]).arg(checkout);
    compiler.arg("-I").arg(checkout.join("external/SPIRV-Headers/include"));
    compiler.arg(root.join("benches/re_spirv.cpp")).arg(checkout.join("re-spirv.cpp"));
    assert!(compiler.arg("-o").arg(&program).status().expect("there is a compiler").success());
    program
}

/// Compiles the reader with its clock.
fn compile(root: &Path, folder: &Path) -> PathBuf {
    let zstd =
        PathBuf::from(std::env::var("ZSTD_SOURCES").expect("ZSTD_SOURCES names the folder lib of zstd"));
    let program = folder.join("time");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-std=c99", "-O2", "-DZSTD_DISABLE_ASM", "-DDYNAMIC_BMI2=0", "-I"])
        .arg(root.join("c"))
        .arg("-I")
        .arg(&zstd);
    compiler.args(["c/spvb.c", "tests/c/time.c"].map(|file| root.join(file)));
    for part in ["common", "decompress"] {
        let sources = std::fs::read_dir(zstd.join(part)).expect("zstd has this folder").flatten();
        let sources = sources.map(|entry| entry.path());
        compiler.args(sources.filter(|path| path.extension().is_some_and(|extension| extension == "c")));
    }
    assert!(compiler.arg("-o").arg(&program).status().expect("there is a compiler").success());
    program
}

/// Writes a bundle of one shader.
fn bundle(name: &str, variant: ShaderVariant, uncompressed: bool, folder: &Path) -> PathBuf {
    let mut builder = BundleBuilder::new();
    builder.uncompressed(uncompressed);
    let reason = builder.add_ready(name, [variant], &Settings::new(), 256);
    assert!(reason.expect("it can be added").is_none());
    let path = folder.join("app.spvb");
    std::fs::write(&path, builder.to_bytes().expect("it fits")).expect("it can be written");
    path
}

/// Returns what the reader in C prints: the bytes of the result, and nanoseconds of opening, of selecting and writing, of a copy, and of zstd alone.
fn in_c(program: &Path, bundle: &Path, name: &str) -> Vec<String> {
    numbers(Command::new(program).arg(bundle).arg(name))
}

/// Returns the numbers that a program prints.
fn numbers(program: &mut Command) -> Vec<String> {
    let output = program.output().expect("it runs");
    assert!(output.status.success(), "{program:?}: {:?}", output.status);
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect()
}

/// Returns the nanoseconds of specializing a prepared module for a device, and writing it.
fn prepared(words: &[u32]) -> f64 {
    let module = Module::from_words(words).expect("it is a module");
    let prepared = Prepared::new(&module).expect("it can be prepared");
    let device = Device::embedded("intel_gpu_pvc").expect("the table has it");
    let device = if prepared.specialize(&device, &Settings::new()).is_ok() {
        device
    } else {
        Device::embedded("intel_gpu_bmg_g21").expect("the table has it")
    };
    let mut memory = vec![0; 2 * words.len()];
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (start, times) = (Instant::now(), 200);
        for _ in 0..times {
            let result =
                prepared.specialize_in_segments(&[&device], &Settings::new()).expect("it runs there");
            result.write_to(&mut memory);
            black_box(&memory);
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(times));
    }
    best
}
