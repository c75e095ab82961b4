//! The table of AMD's processors, compared with the compiler that it is made of.

use std::process::Command;

use libtest_mimic::Trial;

use crate::common::root;
use crate::program::headers::built::folder_of;
use crate::registry::{ignored_without, trial};

const COMPILER: &str = "clang-23";

pub fn trials() -> Vec<Trial> {
    let name = "the_table_gives_the_answers_of_the_compiler";
    let test = trial(module_path!(), name, the_table_gives_the_answers_of_the_compiler);
    vec![ignored_without(test, folder_of(COMPILER).is_none().then_some("scripts/setup.sh amd"))]
}

/// Compares the rows, and for each processor and wavefront size the builtins that may be called there.
fn the_table_gives_the_answers_of_the_compiler() {
    let compiler = folder_of(COMPILER).unwrap().join(COMPILER);
    let mut check = Command::new("python3");
    check.arg(root().join("scripts/amd.py")).arg("check").env("CLANG", compiler);
    let output = check.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    // None are differences where none are compared.
    let numbers: Vec<usize> = printed.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [builtins, cases] = numbers[..] else { panic!("{printed}") };
    assert!(builtins > 800 && cases > 80, "{printed}");
}
