//! The reader in C reads what the reader in Rust reads, and refuses the same mutants. `scripts/test-bundle.sh` runs it.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{
    bundle, fixtures, ggml, hostile, ready_bundle, set_checksums, small_bundles, with_overlapping_blocks,
    with_words,
};
use spirv_if::Settings;
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, Damage, QuestionKind, Ready, ShaderVariant};

fn hash(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Selects results of a ready shader by answers that are computed, and adds them, as `c/read.c`.
fn hash_results(ready: Ready, mut sum: u64) -> Result<u64, BundleError> {
    for seed in 0..16_u32 {
        let answer = |question: usize| {
            let kind = ready.bundle().questions().nth(question)?.kind;
            if kind == QuestionKind::Requirement && seed % 2 == 0 {
                return Some(true);
            }
            let number = seed.wrapping_mul(2_654_435_761).wrapping_add((question as u32).wrapping_mul(40503));
            match u32::from((number >> 5) as u8) % if seed < 8 { 2 } else { 3 } {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            }
        };
        let (kind, reasons, choice) = match ready.select(answer) {
            Ok(choice) => (
                0,
                choice
                    .unknown()
                    .iter()
                    .map(|&question| ready.bundle().questions().nth(question).unwrap().text.to_owned())
                    .collect(),
                Some(choice),
            ),
            Err(BundleError::NotKnown { questions, .. }) => (8, questions, None),
            Err(BundleError::DoesNotRun { missing, .. }) => (9, missing, None),
            Err(BundleError::NoResult(_)) => (10, Vec::new(), None),
            Err(error) => return Err(error),
        };
        sum = reasons.iter().fold(hash(sum, &[kind]), |sum, text| hash(sum, text.as_bytes()));
        let Some(choice) = choice else { continue };
        sum = choice.words()?.iter().fold(sum, |sum, word| hash(sum, &word.to_le_bytes()));
        sum = hash(sum, &choice.key().to_le_bytes());
        sum = hash(sum, &(choice.unknown().len() as u32).to_le_bytes());
        for (set, binding) in choice.removed_bindings() {
            sum = hash(hash(sum, &set.to_le_bytes()), &binding.to_le_bytes());
        }
    }
    Ok(sum)
}

/// Reads everything in a bundle and returns a line as `c/read.c` prints it, without the kind of an error.
fn read_all(bytes: &[u8]) -> String {
    let read = || {
        let bundle = Bundle::from_bytes(bytes)?;
        let mut sum = 0xcbf2_9ce4_8422_2325;
        for shader in bundle.shaders() {
            sum = hash(sum, shader.name().as_bytes());
            for variant in shader.variants() {
                sum = hash(sum, variant.condition().unwrap_or_default().as_bytes());
                for (name, value) in variant.constants() {
                    sum = hash(hash(sum, name.as_bytes()), value.as_bytes());
                }
                let words = variant.words()?;
                sum = words.iter().fold(sum, |sum, word| hash(sum, &word.to_le_bytes()));
            }
            if let Some(ready) = shader.ready() {
                sum = hash_results(ready, sum)?;
            }
        }
        for question in bundle.questions() {
            sum = hash(hash(sum, question.text.as_bytes()), &[question.kind as u8]);
        }
        Ok::<_, BundleError>(sum)
    };
    read().map_or_else(|_| "error".to_owned(), |sum| format!("{sum:016x}"))
}

/// Finds reads and writes outside of memory.
const SANITIZERS: [&str; 4] = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Compiles the reader with zstd's decoder and returns the program.
fn compile(folder: &Path, sanitize: bool) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let zstd =
        PathBuf::from(std::env::var("ZSTD_SOURCES").expect("ZSTD_SOURCES names the folder lib of zstd"));
    let decoder = ["common", "decompress"].map(|part| common::files_below(&zstd.join(part), "c")).concat();
    let program = folder.join("read");
    let flags: &[&str] = match sanitize {
        true => &SANITIZERS,
        false => &["-O2"],
    };
    let status = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-DZSTD_DISABLE_ASM"])
        .args(flags)
        .arg("-I")
        .arg(&zstd)
        .arg("-I")
        .arg(package.join("c"))
        .args(["c/spvb.c", "tests/c/read.c"].map(|file| package.join(file)))
        .args(decoder)
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap();
    assert!(status.success());
    program
}

/// Returns what a program prints for bundles: a line for each.
fn run(program: &Path, folder: &Path, bundles: &[Vec<u8>]) -> Vec<String> {
    let file = folder.join("bundles");
    let with_size = |bundle: &Vec<u8>| [&(bundle.len() as u64).to_le_bytes()[..], bundle].concat();
    std::fs::write(&file, bundles.iter().flat_map(with_size).collect::<Vec<u8>>()).unwrap();
    let output = Command::new(program).arg(&file).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Checks that both readers agree on bundles, and returns how many they refuse.
fn check(program: &Path, folder: &Path, bundles: &[Vec<u8>]) -> usize {
    let lines = run(program, folder, bundles);
    assert_eq!(lines.len(), bundles.len());
    let mut refused = 0;
    for (number, (line, bundle)) in lines.iter().zip(bundles).enumerate() {
        let expected = read_all(bundle);
        let found = if line.starts_with("status ") { "error" } else { line };
        // Only the reader in Rust checks that texts are UTF-8.
        let is_text = matches!(Bundle::from_bytes(&bundle[..]), Err(BundleError::Damaged(Damage::Index)));
        assert!(found == expected || is_text, "bundle {number}: {line}, not {expected}");
        refused += usize::from(found == "error");
    }
    refused
}

#[test]
#[ignore = "needs a C compiler and zstd's sources; scripts/test-bundle.sh runs it"]
fn modules_come_back_in_c() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path(), false);
    let fixtures = fixtures();
    let mut bundles = vec![bundle(&fixtures, false), bundle(&fixtures, true), bundle(&[], false)];
    bundles.extend([false, true].map(ready_bundle));
    let ggml = ggml();
    if !ggml.is_empty() {
        bundles.push(bundle(&ggml, false));
    }
    assert_eq!(check(&program, folder.path(), &bundles), 0);
}

/// Checks that the reader without zstd reads what is not compressed, and refuses the rest in words.
#[test]
#[ignore = "needs a C compiler and zstd's sources; scripts/test-bundle.sh runs it"]
fn zstd_is_optional_in_c() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("read");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-DSPVB_WITHOUT_ZSTD", "-I"])
        .arg(package.join("c"))
        .args(["c/spvb.c", "tests/c/read.c"].map(|file| package.join(file)))
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap();
    assert!(status.success());
    let [compressed, stored] = [false, true].map(ready_bundle);
    let expected = read_all(&stored);
    assert_eq!(run(&program, folder.path(), &[compressed, stored]), ["status 11".to_owned(), expected]);
}

#[test]
#[ignore = "needs a C compiler and zstd's sources; scripts/test-bundle.sh runs it"]
fn both_readers_refuse_the_same_mutants() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile(folder.path(), true);
    for bytes in small_bundles() {
        let truncated = (0..bytes.len()).step_by(bytes.len() / 200 + 1).map(|end| bytes[..end].to_vec());
        let changed = (0..bytes.len()).step_by(bytes.len() / 500 + 1).map(|at| {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            changed
        });
        let damaged: Vec<Vec<u8>> = truncated.chain(changed).collect();
        assert_eq!(check(&program, folder.path(), &damaged), damaged.len());
        let hostile: Vec<Vec<u8>> = hostile(&bytes, 1000).collect();
        assert!(check(&program, folder.path(), &hostile) > 300);
    }
    let bytes = ready_bundle(true);
    let mut damaged = vec![with_overlapping_blocks(&bytes)];
    damaged.extend([0x4000_0001, u32::MAX].map(|words| with_words(&bytes, words)));
    assert_eq!(check(&program, folder.path(), &damaged), damaged.len());
}

/// A zero byte ends texts in C, and not those of a bundle.
#[test]
#[ignore = "needs a C compiler and Vulkan's headers; scripts/test-bundle.sh runs it"]
fn questions_may_have_zero_bytes_in_c() {
    let folder = tempfile::tempdir().unwrap();
    let headers = std::env::var("VULKAN_HEADERS").expect("VULKAN_HEADERS names the folder of vulkan/");
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = folder.path().join("vulkan_questions");
    let status = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-DSPVB_WITHOUT_ZSTD"])
        .args(SANITIZERS)
        .args(["-I", &headers, "-I"])
        .arg(package.join("c"))
        .args(["c/spvb.c", "tests/c/vulkan_questions.c"].map(|file| package.join(file)))
        .arg("-o")
        .arg(&program)
        .status()
        .unwrap();
    assert!(status.success());
    let [(_, half), (_, plain)] = &common::packed(&["merge/scale-fp16", "merge/scale"])[..] else {
        unreachable!()
    };
    let half = ShaderVariant::new(half).condition("cap(GroupNonUniformArithmetic)");
    let variants = [half, ShaderVariant::new(plain)];
    let mut builder = BundleBuilder::new();
    builder.uncompressed(true);
    assert!(builder.add_ready("a", variants, &Settings::new(), 256).unwrap().is_none());
    let bytes = builder.to_bytes().unwrap();
    let name = &b"GroupNonUniformArithmetic"[..];
    let hostile = |replaced: &[u8]| {
        let mut hostile = bytes.clone();
        let places: Vec<usize> =
            (0..bytes.len() - name.len()).filter(|&at| bytes[at..].starts_with(name)).collect();
        assert!(!places.is_empty());
        for at in places {
            hostile[at..at + replaced.len()].copy_from_slice(replaced);
        }
        set_checksums(&mut hostile);
        hostile
    };
    for replaced in [&b""[..], b"Float16\0", b"\0"] {
        let file = folder.path().join("app.spvb");
        std::fs::write(&file, hostile(replaced)).unwrap();
        let output = Command::new(&program).arg(&file).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout, b"");
    }
}
