//! A process with a time limit.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::drivers::FOUND;

/// What a case may take. The slowest takes 4 seconds by itself, but a test run has many at a time on machines that do other things too.
pub const LIMIT: Duration = Duration::from_secs(120);
/// What VK_LAYER_KHRONOS_validation prints.
pub const INVALID: &str = "Validation Error: [";
/// How much of the output a failure shows.
const TAIL: usize = 40;

/// How a process ended.
pub struct Ended {
    /// All that it printed, to either stream.
    pub output: String,
    /// What is wrong with how it ended: it failed, was ended by a signal, or took too long.
    pub problem: Option<String>,
    /// Whether it ended by itself and said that it failed.
    pub failed: bool,
}

impl Ended {
    /// Whether Khronos' layer, where the driver brings it, has something to say against what was asked of Vulkan.
    pub fn is_invalid(&self) -> bool {
        self.output.contains(INVALID)
    }

    /// What it says that it found.
    pub fn found(&self) -> Option<&str> {
        self.output.lines().find_map(|line| line.strip_prefix(FOUND))
    }

    /// The last lines of what it printed.
    pub fn tail(&self) -> String {
        let lines: Vec<&str> = self.output.lines().collect();
        lines[lines.len().saturating_sub(TAIL)..].join("\n")
    }
}

/// Runs a command to its end, or ends it and all that it started when its time is over.
pub fn run(command: &mut Command, limit: Duration) -> std::io::Result<Ended> {
    // A file, since a pipe would stay open as long as anything that it started still runs. Appending, neither stream overwrites
    // what the other wrote.
    let file = tempfile::NamedTempFile::new()?;
    let append = || File::options().append(true).open(file.path());
    command.stdin(Stdio::null()).stdout(append()?).stderr(append()?).process_group(0);
    let mut child = command.spawn()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if start.elapsed() > limit => {
                end_group(child.id())?;
                child.wait()?;
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let output = String::from_utf8_lossy(&fs::read(file.path())?).into_owned();
    let problem = status.map_or(Some("hangs".to_owned()), problem);
    let failed = status.is_some_and(|status| status.code().is_some_and(|code| code != 0));
    Ok(Ended { output, problem, failed })
}

/// The process is the leader of a group with its own number, and all that it started is in the group.
fn end_group(leader: u32) -> std::io::Result<ExitStatus> {
    Command::new("sh").args(["-c", "kill -9 -\"$0\"", &leader.to_string()]).status()
}

fn problem(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (_, Some(signal)) => Some(format!("crashes with signal {signal}")),
        (code, _) => Some(format!("fails with status {}", code.unwrap_or_default())),
    }
}

/// The harness itself: what a process does to itself is told, and it takes nothing with it.
pub fn trials() -> Vec<Trial> {
    let script = |text: &str, limit| {
        let ended = run(Command::new("sh").args(["-c", text]), Duration::from_millis(limit)).unwrap();
        (ended.output, ended.problem.unwrap_or_default(), ended.failed)
    };
    let test = |name: &str, test: fn(&Script) -> bool| {
        Trial::test(format!("drivers::process::{name}"), move || match test(&script) {
            true => Ok(()),
            false => Err("it was told otherwise".into()),
        })
    };
    vec![
        test("ends_well", |script| script("echo a; echo b >&2", 5000) == ("a\nb\n".into(), "".into(), false)),
        test("fails", |script| {
            script("echo a; exit 3", 5000) == ("a\n".into(), "fails with status 3".into(), true)
        }),
        test("crashes", |script| script("kill -SEGV $$", 5000).1 == "crashes with signal 11"),
        test("hangs_with_what_it_started", |script| {
            let (started, problem, _) = script("sleep 1000 & echo $!; wait", 1000);
            let state = || fs::read_to_string(format!("/proc/{}/stat", started.trim())).unwrap_or_default();
            // It ends a moment later than it is told to, and may stay as a zombie.
            let is_over = || state().is_empty() || state().contains(") Z ");
            let start = Instant::now();
            while !is_over() && start.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(5));
            }
            problem == "hangs" && !started.is_empty() && is_over()
        }),
    ]
}

type Script = dyn Fn(&str, u64) -> (String, String, bool);
