//! The process of a driver, and the messages between it and the one that asks: lines of JSON, and the words of modules.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use spirv_if_inspect::statistics::{
    CompileFailure, CompileRequest, CompiledModule, ConstantBytes, VariantCompiler,
};

use super::vulkan::VulkanDriver;

/// Begins each line of an answer: a driver may print lines of its own.
const MARK: &str = "spirv-if-statistics ";
/// The number of lines of a driver's messages that are kept.
const KEPT_LINES: usize = 3;
/// Limit on the words of a module.
const MAX_WORDS: usize = 1 << 26;
/// Variables that switch the drivers' caches on disk off: Mesa's and NVIDIA's.
const WITHOUT_CACHE: [(&str, &str); 2] =
    [("MESA_SHADER_CACHE_DISABLE", "true"), ("__GL_SHADER_DISK_CACHE", "0")];

/// The first line of a request, before the words of the modules.
#[derive(Serialize, Deserialize)]
struct RequestHeader {
    /// The number of words of the module that decides the layout; 0 if it is the compiled one.
    layout: usize,
    words: usize,
    constants: Vec<ConstantBytes>,
}

/// The first line of the process.
#[derive(Serialize, Deserialize)]
enum Greeting {
    Driver(String),
    Error(String),
}

type Answer = Result<CompiledModule, CompileFailure>;

/// Compiles what comes from `input` with a device of a Vulkan driver, until that ends. `device` returns the number of the device among those that
/// Vulkan's drivers list, or the reason that there is none.
///
/// # Errors
/// If a request is malformed, or the streams fail.
pub fn serve(
    device: impl FnOnce() -> Result<usize, String>,
    input: impl Read,
    mut output: impl Write,
) -> io::Result<()> {
    let open = |number| VulkanDriver::open(number).map_err(|error| error.to_string());
    let driver = match device().and_then(open) {
        Ok(driver) => driver,
        Err(error) => return send(&mut output, &Greeting::Error(error)),
    };
    send(&mut output, &Greeting::Driver(driver.name.clone()))?;
    let mut input = BufReader::new(input);
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let header: RequestHeader = serde_json::from_str(&line)?;
        let layout = read_words(&mut input, header.layout)?;
        let words = read_words(&mut input, header.words)?;
        let layout = if layout.is_empty() { &words } else { &layout };
        let request = CompileRequest::new(&words).layout(layout).constants(&header.constants);
        let answer: Answer = driver.compile(&request);
        send(&mut output, &answer)?;
        line.clear();
    }
    Ok(())
}

fn send(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    writeln!(output, "{MARK}{}", serde_json::to_string(message)?)?;
    output.flush()
}

fn read_words(input: &mut impl Read, count: usize) -> io::Result<Vec<u32>> {
    if count > MAX_WORDS {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a module of {count} words")));
    }
    let mut words = vec![0; count];
    input.read_exact(bytemuck::cast_slice_mut(&mut words))?;
    Ok(words)
}

/// A driver in a process of its own. If it crashes or hangs, it is started again for the next module.
pub struct DriverProcess {
    command: Box<dyn Fn() -> Command + Send>,
    limit: Duration,
    driver: String,
    running: Option<RunningDriver>,
}

/// A process that has greeted.
struct RunningDriver {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    messages: Arc<Mutex<VecDeque<String>>>,
}

impl DriverProcess {
    /// Starts a process that calls [`serve`] with its standard streams. `limit` is the time for a module.
    ///
    /// # Errors
    /// If it cannot be started, or there is no such driver.
    pub fn start(
        command: impl Fn() -> Command + Send + 'static,
        limit: Duration,
    ) -> Result<DriverProcess, CompileFailure> {
        let (driver, running) = RunningDriver::start(command(), limit)?;
        Ok(DriverProcess { command: Box::new(command), limit, driver, running: Some(running) })
    }
}

impl RunningDriver {
    /// Starts the process, and returns the name of its driver.
    fn start(mut command: Command, limit: Duration) -> Result<(String, RunningDriver), CompileFailure> {
        command.envs(WITHOUT_CACHE).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let failed = |error: io::Error| CompileFailure::Crashed(format!("it does not start: {error}"));
        let mut child = command.spawn().map_err(failed)?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(CompileFailure::Crashed("it has no streams".to_owned()));
        };
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            let marked = lines.filter_map(|line| Some(line.strip_prefix(MARK)?.to_owned()));
            marked.map(|line| sender.send(line)).take_while(Result::is_ok).for_each(drop);
        });
        let messages = Arc::<Mutex<VecDeque<String>>>::default();
        let kept = Arc::clone(&messages);
        std::thread::spawn(move || {
            let mut bytes = BufReader::new(errors).split(b'\n').map_while(Result::ok);
            bytes.by_ref().for_each(|line| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push_back(String::from_utf8_lossy(&line).trim().to_owned());
                if kept.len() > KEPT_LINES {
                    kept.pop_front();
                }
            });
        });
        let mut running = RunningDriver { child, input, answers, messages };
        match running.receive(limit)? {
            Greeting::Driver(driver) => Ok((driver, running)),
            Greeting::Error(error) => Err(CompileFailure::Unsupported(error)),
        }
    }

    fn receive<T: for<'d> Deserialize<'d>>(&mut self, limit: Duration) -> Result<T, CompileFailure> {
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line)
                .map_err(|error| CompileFailure::Crashed(format!("its answer is malformed: {error}"))),
            Err(RecvTimeoutError::Timeout) => Err(CompileFailure::Hung(limit.as_secs())),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }

    /// Returns how the process ended.
    fn end(&mut self) -> CompileFailure {
        // A process that has closed its output may still run.
        let _ = self.child.kill();
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        // Its last messages are read until its end of the stream is closed, by a thread that is given a moment.
        std::thread::sleep(Duration::from_millis(20));
        let messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let messages: Vec<&str> =
            messages.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
        CompileFailure::Crashed(match messages.is_empty() {
            true => status,
            false => format!("{status}: {}", messages.join("; ")),
        })
    }

    fn send(&mut self, request: &CompileRequest) -> io::Result<()> {
        let layout = if request.layout == request.words { &[] } else { request.layout };
        let constants = request.constants.to_vec();
        let header = RequestHeader { layout: layout.len(), words: request.words.len(), constants };
        writeln!(self.input, "{}", serde_json::to_string(&header)?)?;
        self.input.write_all(bytemuck::cast_slice(layout))?;
        self.input.write_all(bytemuck::cast_slice(request.words))?;
        self.input.flush()
    }
}

impl Drop for RunningDriver {
    fn drop(&mut self) {
        // It may hang, or wait for more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl VariantCompiler for DriverProcess {
    fn driver(&self) -> &str {
        &self.driver
    }

    fn takes_constants(&self) -> bool {
        true
    }

    fn compile(&mut self, request: &CompileRequest) -> Answer {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => RunningDriver::start((self.command)(), self.limit)?.1,
        };
        let answer = match running.send(request) {
            Ok(()) => running.receive::<Answer>(self.limit)?,
            Err(_) => return Err(running.end()),
        };
        self.running = Some(running);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &'static str) -> impl Fn() -> Command + Send + 'static {
        move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        }
    }

    fn start(script: &'static str) -> Result<DriverProcess, CompileFailure> {
        DriverProcess::start(shell(script), Duration::from_millis(500))
    }

    const MODULE: [u32; 5] = [spirv::MAGIC_NUMBER, 0x0001_0000, 0, 1, 0];

    #[test]
    fn a_driver_that_crashes_or_hangs_is_an_answer() {
        let compile = |script: &'static str| {
            let mut driver = start(script).unwrap();
            assert_eq!(driver.driver(), "a driver");
            // The second time, it is started again.
            [(); 2].map(|()| driver.compile(&CompileRequest::new(&MODULE)))
        };
        let crashes = compile(
            r#"echo noise; echo 'spirv-if-statistics {"Driver":"a driver"}'; read line; echo why >&2; kill -SEGV $$"#,
        );
        for answer in crashes {
            let Err(CompileFailure::Crashed(message)) = answer else { panic!("{answer:?}") };
            assert!(message.contains("signal: 11") && message.ends_with(": why"), "{message}");
        }
        let hangs = compile(r#"echo 'spirv-if-statistics {"Driver":"a driver"}'; read line; exec sleep 600"#);
        assert_eq!(hangs, [Err(CompileFailure::Hung(0)), Err(CompileFailure::Hung(0))]);
        let refuses = compile(
            r#"echo 'spirv-if-statistics {"Driver":"a driver"}'; read line
               echo 'spirv-if-statistics {"Err":{"kind":"refused","message":"no"}}'; exec sleep 600"#,
        );
        assert_eq!(refuses[0], Err(CompileFailure::Refused("no".to_owned())));
    }

    #[test]
    fn a_driver_that_does_not_start() {
        let error = |script| start(script).err().unwrap().to_string();
        assert_eq!(error("exit 7"), "the driver crashed: exit status: 7");
        let none = error(r#"echo 'spirv-if-statistics {"Error":"no loader"}'"#);
        assert_eq!(none, "not compiled: no loader");
        assert_eq!(error("sleep 600"), "the driver did not answer within 0 seconds");
    }
}
