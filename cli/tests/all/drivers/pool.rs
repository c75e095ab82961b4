//! Processes that run one case of a driver after the other: to start some drivers costs more than to run a case.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use super::process::{Ended, LIMIT, Process};
use super::{BUILT, CASE, CASES, DRIVER};

/// This program. In a process of a driver, /proc/self/exe may be the loader of its library.
fn program() -> io::Result<PathBuf> {
    match std::env::args_os().next().filter(|_| std::env::var_os(DRIVER).is_some()) {
        Some(path) => Ok(path.into()),
        None => std::env::current_exe(),
    }
}

/// The processes of a driver.
pub struct Pool {
    driver: PathBuf,
    /// Idle processes; `None` after the last case.
    idle: Mutex<Option<Vec<Process>>>,
}

impl Pool {
    pub fn new(driver: &Path) -> Pool {
        Pool { driver: driver.to_owned(), idle: Mutex::new(Some(Vec::new())) }
    }

    /// This program, to run cases with only this driver.
    fn command(&self) -> io::Result<Command> {
        let mut command = Command::new(&self.driver);
        command.arg(program()?).env(CASE, CASES).env(DRIVER, &self.driver);
        // PoCL leaves files in the working directory when it cannot compile a kernel.
        command.current_dir(std::env::var_os(BUILT).unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into()));
        Ok(command)
    }

    /// Runs a case in a process that may have run others. Unless its result is independent of earlier cases, it runs again in a new process, whose
    /// result counts. A case must not fail because of others.
    pub fn run(&self, case: &str, stands: fn(&Ended) -> bool) -> io::Result<Ended> {
        let idle = self.idle.lock().unwrap().as_mut().and_then(Vec::pop);
        if let Some(process) = idle {
            let ended = self.run_in(process, case, stands)?;
            if stands(&ended) {
                return Ok(ended);
            }
        }
        self.run_in(Process::start(&mut self.command()?, Stdio::piped())?, case, stands)
    }

    /// Runs a case in a new process, which runs no other.
    pub fn run_alone(&self, case: &str) -> io::Result<Ended> {
        self.run_in(Process::start(&mut self.command()?, Stdio::piped())?, case, |_| false)
    }

    /// A process continues only while all its results count. Any other that went well is ended, which may not go well.
    fn run_in(&self, mut process: Process, case: &str, stands: fn(&Ended) -> bool) -> io::Result<Ended> {
        // An ended process reports its end.
        let _ = process.tell(case);
        let ended = process.wait(LIMIT)?;
        if ended.problem.is_some() {
            return Ok(ended);
        }
        if stands(&ended)
            && let Some(idle) = &mut *self.idle.lock().unwrap()
        {
            idle.push(process);
            return Ok(ended);
        }
        let last = process.end(LIMIT)?;
        Ok(if last.problem.is_none() { ended } else { last })
    }

    /// Ends all processes, the busy ones after their case. The problems that they have then.
    pub fn end(&self) -> io::Result<Vec<Ended>> {
        let idle = self.idle.lock().unwrap().take().unwrap_or_default();
        let ended: io::Result<Vec<Ended>> = idle.into_iter().map(|process| process.end(LIMIT)).collect();
        Ok(ended?.into_iter().filter(|ended| !ended.is_good()).collect())
    }
}
