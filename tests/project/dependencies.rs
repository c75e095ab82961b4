//! Dependencies of a program that uses the library.

use std::collections::BTreeSet;
use std::process::Command;

/// As many crates as the library may bring when it is asked for nothing else.
const MOST: usize = 26;

/// Whatever cargo compiles for the library without features, this crate aside: procedural macros, and what those and build scripts are
/// made of, count like what is linked in the end. What only the program, the probes, the tests or other systems need does not.
#[test]
fn the_library_alone_brings_few_crates() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "spirv-if", "--locked", "--offline", "--no-default-features"])
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    // Name and version; what may follow says that it is a macro, or that it was listed above. The crate itself comes first.
    let name = |line: &str| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
    let crates: BTreeSet<String> = printed.lines().skip(1).map(name).collect();
    assert!(crates.iter().any(|name| name.starts_with("rspirv v")), "{printed}");
    assert!(crates.len() <= MOST, "{} crates: {crates:#?}", crates.len());
}
