//! A process with a time limit.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use tempfile::NamedTempFile;

use crate::drivers::{ACCEPTS, FOUND};

/// Time limit of a case. The slowest takes 4 seconds alone, but a test run has many at a time on machines that do other things too.
pub const LIMIT: Duration = Duration::from_secs(120);
/// Prefix of the errors that VK_LAYER_KHRONOS_validation prints.
pub const INVALID: &str = "Validation Error: [";
/// Marker that a process prints after a request, before its result.
pub const DONE: &str = "\nspirv-if-driver-case-done: ";
/// Number of lines of output in a failure.
const TAIL: usize = 40;

/// The end of a process.
pub struct Ended {
    /// All that it printed, to either stream.
    pub output: String,
    /// The problem, if any: it failed, was ended by a signal, or took too long.
    pub problem: Option<String>,
    /// True if it exited and reported a failure.
    pub failed: bool,
}

impl Ended {
    /// Returns true if Khronos' layer, if the driver brings it, reports an invalid use of Vulkan.
    pub fn is_invalid(&self) -> bool {
        self.output.contains(INVALID)
    }

    /// Returns its reported result.
    pub fn result(&self) -> Option<&str> {
        self.output.lines().find_map(|line| line.strip_prefix(FOUND))
    }

    /// Returns true if it has no problem.
    pub fn is_good(&self) -> bool {
        self.problem.is_none() && !self.is_invalid()
    }

    /// Returns true if it has no problem and the driver computed the right results. Other behaviour, such as refusing a module, may depend on
    /// earlier input.
    pub fn is_right(&self) -> bool {
        self.is_good() && self.result() == Some(ACCEPTS)
    }

    /// Returns the problem and the last lines of output.
    pub fn describe(&self) -> String {
        let other = if self.is_invalid() { "asks what Vulkan does not allow" } else { "found nothing" };
        format!("{}\n{}", self.problem.as_deref().unwrap_or(other), self.tail())
    }

    /// The last lines of its output.
    fn tail(&self) -> String {
        let lines: Vec<&str> = self.output.lines().collect();
        lines[lines.len().saturating_sub(TAIL)..].join("\n")
    }
}

/// A process, and all that it started, in a group of its own.
pub struct Process {
    child: Child,
    /// A file, since a pipe would stay open as long as anything that it started still runs.
    output: NamedTempFile,
    /// Number of bytes of output that were read.
    taken: usize,
}

impl Process {
    pub fn start(command: &mut Command, input: Stdio) -> io::Result<Process> {
        let output = NamedTempFile::new()?;
        // With appending, neither stream overwrites the other.
        let append = || File::options().append(true).open(output.path());
        let child = command.stdin(input).stdout(append()?).stderr(append()?).process_group(0).spawn()?;
        Ok(Process { child, output, taken: 0 })
    }

    /// Tells it by a line what to do.
    pub fn tell(&mut self, line: &str) -> io::Result<()> {
        self.child.stdin.as_mut().map_or(Ok(()), |input| writeln!(input, "{line}"))
    }

    /// Waits until it ends, or prints a line that begins with [`DONE`]; ends it and all that it started when its time is over.
    pub fn wait(&mut self, limit: Duration) -> io::Result<Ended> {
        let start = Instant::now();
        let status = loop {
            let status = self.child.try_wait()?;
            if let Some(ended) = self.done()? {
                return Ok(ended);
            }
            match status {
                Some(status) => break Some(status),
                None if start.elapsed() > limit => {
                    end_group(self.child.id())?;
                    self.child.wait()?;
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let output = self.more()?;
        let problem = status.map_or(Some("hangs".to_owned()), problem);
        let failed = status.is_some_and(|status| status.code().is_some_and(|code| code != 0));
        Ok(Ended { output, problem, failed })
    }

    /// Has nothing more to do, and ends.
    pub fn end(mut self, limit: Duration) -> io::Result<Ended> {
        drop(self.child.stdin.take());
        self.wait(limit)
    }

    /// Returns its output since the last call.
    fn more(&self) -> io::Result<String> {
        let mut file = File::open(self.output.path())?;
        file.seek(SeekFrom::Start(self.taken as u64))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the end of the current request, if it has ended.
    fn done(&mut self) -> io::Result<Option<Ended>> {
        let output = self.more()?;
        let Some((output, rest)) = output.split_once(DONE) else { return Ok(None) };
        let Some((failed, _)) = rest.split_once('\n') else { return Ok(None) };
        self.taken = self.output.as_file().metadata()?.len() as usize;
        let failed = failed != "true";
        let problem = failed.then(|| "fails".to_owned());
        Ok(Some(Ended { output: output.to_owned(), problem, failed }))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing waits for it any more.
        if let Ok(None) = self.child.try_wait() {
            let _ = end_group(self.child.id());
            let _ = self.child.wait();
        }
    }
}

/// Runs a command to its end, or ends it and all that it started when its time is over.
pub fn run(command: &mut Command, limit: Duration) -> io::Result<Ended> {
    Process::start(command, Stdio::null())?.wait(limit)
}

/// The process is the leader of a group with its own number, and all that it started is in the group.
fn end_group(leader: u32) -> io::Result<ExitStatus> {
    Command::new("sh").args(["-c", "kill -9 -\"$0\"", &leader.to_string()]).status()
}

fn problem(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (_, Some(signal)) => Some(format!("crashes with signal {signal}")),
        (code, _) => Some(format!("fails with status {}", code.unwrap_or_default())),
    }
}

/// Checks the harness: the end of a process is reported, and affects nothing else.
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
            // It ends a moment after the request, and may stay as a zombie.
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
