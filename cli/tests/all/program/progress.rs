//! Progress on a terminal: of work that takes longer than two seconds, and nowhere else.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::common::root;

/// Returns the output of `check` on a terminal for a module that arrives after some time.
fn shown(after: Duration, arguments: &[&str]) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let stderr = OpenOptions::new().read(true).write(true).open(name).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.arg("check").args(arguments).env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::null());
    let mut program = command.stderr(stderr).spawn().unwrap();
    // The terminal ends with the last process that has it open.
    drop(command);
    let module = root().join("fixtures/glsl/reduce.spv");
    let mut stdin = program.stdin.take().unwrap();
    std::thread::sleep(after);
    stdin.write_all(&std::fs::read(module).unwrap()).unwrap();
    drop(stdin);
    assert!(program.wait().unwrap().success());
    let mut text = Vec::new();
    let mut piece = [0; 4096];
    let mut terminal = File::from(terminal);
    while let Ok(count @ 1..) = terminal.read(&mut piece) {
        text.extend_from_slice(&piece[..count]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

fn long_work_has_progress() {
    let long = Duration::from_millis(2600);
    let text = shown(long, &["-"]);
    assert!(text.contains("modules") && text.contains("0/1"), "{text:?}");
    // It is removed at the end.
    assert!(text.trim_end().ends_with("\u{1b}[2K") || text.ends_with("\r"), "{text:?}");
    assert_eq!(shown(long, &["-q", "-"]), "");
}

fn short_work_has_none() {
    assert_eq!(shown(Duration::from_millis(300), &["-"]), "");
}

tests![long_work_has_progress, short_work_has_none,];
