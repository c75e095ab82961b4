//! Host code.

use std::process::Command;

use crate::built::folder;

/// if_device and if_host on the other side than the fixtures.
#[test]
fn the_host_calls_what_is_for_the_host() {
    let folder = folder().join("../../include");
    let place = tempfile::tempdir().unwrap();
    let source = place.path().join("host.cpp");
    let program = place.path().join("host");
    let text = "#include <spirv_if/device_if.hpp>
        int main() {
            int result = 0;
            spirv_if::if_host([&] { result = 1; }).otherwise([&] { result = 2; });
            spirv_if::if_device([&] { result += 10; }).otherwise([&] { result += 20; });
            return result;
        }";
    std::fs::write(&source, text).unwrap();
    let mut compile = Command::new("c++");
    compile
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(&folder)
        .arg(&source)
        .arg("-o")
        .arg(&program);
    let Ok(output) = compile.output() else {
        eprintln!("LEFT OUT: no c++");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(Command::new(program).status().unwrap().code(), Some(21));
}
