//! Source code with embedded modules compiles, with any file name, and has the words of the module in place for drivers.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::root;

/// The module, which gets the name of a keyword in C.
const MODULE: &str = "fixtures/opencl/plain.spv";

/// Checks words by their number, their sum, and the alignment of the first.
const C: &str = r#"#include <stdint.h>
static int differs(const uint32_t *words, uint32_t size) {
    uint32_t sum = 0;
    for (uint32_t at = 0; at < size / 4; at++) sum += words[at];
    return size != SIZE || sum != SUM || (uintptr_t)words % 4 != 0;
}
"#;

/// Runs a program in a folder.
fn run(program: &str, arguments: &[&str], folder: &Path) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect(program);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{program} {arguments:?}: {said}");
}

/// A folder with the results for a module that is named `int.spv`, in a folder `made` that the program did not run in.
fn embedded(language: &str, end: &str) -> (tempfile::TempDir, Vec<u32>) {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("made");
    fs::create_dir(&results).unwrap();
    fs::copy(root().join(MODULE), folder.path().join("int.spv")).unwrap();
    run(env!("CARGO_BIN_EXE_spirv-if"), &["trim", "-q", "int.spv", "-o", "plain.spv"], folder.path());
    let output = format!("made/int.{end}");
    let arguments = ["trim", "-q", "int.spv", "-o", &output, "--embed", language];
    run(env!("CARGO_BIN_EXE_spirv-if"), &arguments, folder.path());
    let bytes = fs::read(folder.path().join("plain.spv")).unwrap();
    let words = bytes.chunks_exact(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap()));
    (folder, words.collect())
}

/// Compiles a program in C, beside what was made, and runs it.
fn compile_c(folder: &Path, words: &[u32], rest: &str, more: &[&str]) {
    let sum = words.iter().fold(0_u32, |sum, word| sum.wrapping_add(*word));
    let constants = format!("#define SIZE {}u\n#define SUM {sum}u\n", 4 * words.len());
    let results = folder.join("made");
    fs::write(results.join("main.c"), format!("{constants}{C}{rest}")).unwrap();
    let arguments = [&["-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"], more].concat();
    run("cc", &arguments, &results);
    run("./main", &[], &results);
}

fn headers_compile() {
    let (folder, words) = embedded("c", "h");
    let rest = "#include \"int.h\"\nint main(void) { return differs(int_, int__size); }\n";
    compile_c(folder.path(), &words, rest, &[]);
}

/// The assembler runs in another folder than the program did, and finds the module from there.
fn assembly_compiles() {
    let (folder, words) = embedded("incbin", "S");
    let rest = "extern const uint32_t int_[];\nextern const uint32_t int__size;\n\
        int main(void) { return differs(int_, int__size); }\n";
    compile_c(folder.path(), &words, rest, &["int.S", "-I.."]);
}

fn rust_compiles() {
    let (folder, words) = embedded("rust", "rs");
    let results = folder.path().join("made");
    let expected = format!("{words:?}");
    let text = format!("include!(\"int.rs\");\nfn main() {{ assert_eq!(INT[..], {expected}); }}\n");
    fs::write(results.join("main.rs"), text).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    run(&rustc, &["--edition=2024", "-Dwarnings", "main.rs"], &results);
    run("./main", &[], &results);
}

tests![headers_compile, assembly_compiles, rust_compiles];
