//! `spirv-if inspect --statistics`: compilers of drivers, which are asked in processes of their own.

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use spirv_if::specialize::SpecConstant;
use spirv_if::{Error, Module, SpecValue};
use spirv_if_inspect::Inspection;
use spirv_if_inspect::statistics::{MeasureOptions, VariantCompiler, measure};
use spirv_if_probe::statistics::{DriverProcess, Ocloc, serve};

use super::super::terminal::Progress;
use super::super::{drivers, usage};

/// The environment variable by which the program is told that it is the process of a driver: the name after `probe:`.
const VARIABLE: &str = "SPIRV_IF_DRIVER_PROCESS";
/// The environment variable with the path of ocloc.
const OCLOC: &str = "OCLOC";
/// The time limit for a module.
const LIMIT: Duration = Duration::from_secs(120);

#[derive(Args, Debug)]
pub struct StatisticsArgs {
    /// Compile each module with the compiler of a driver, as it is and with each value of each constant that decides something, and report time,
    /// code size, registers, spills and occupancy, as far as the driver tells, and what follows. DRIVER is `probe:NUMBER` or `probe:NAME`, a Vulkan
    /// device that `spirv-if devices probe` lists, or `ocloc:NAME` for kernels on one of Intel's GPUs, such as `ocloc:bmg-g21`, by the program that
    /// OCLOC or PATH has. The driver has a process of its own
    #[arg(long, value_name = "DRIVER")]
    statistics: Option<String>,
    /// With --statistics: try these values of a constant, by its SpecId or its name, instead of those that decide branches; may be given several
    /// times
    #[arg(long, value_name = "CONSTANT:VALUES", requires = "statistics", allow_hyphen_values = true, value_parser = tried_values)]
    values: Vec<(SpecConstant, Vec<SpecValue>)>,
}

/// Returns a constant, and the values to try.
fn tried_values(text: &str) -> Result<(SpecConstant, Vec<SpecValue>), String> {
    let problem = || "expected a constant and values, such as `3:16,32,64`".to_owned();
    let (constant, values) = text.rsplit_once(':').ok_or_else(problem)?;
    let parse = |value: &str| value.parse().map_err(|error: Error| error.to_string());
    let values = values.split(',').map(parse).collect::<Result<Vec<SpecValue>, _>>()?;
    Ok((constant.parse().map_err(|error: Error| error.to_string())?, values))
}

/// A compiler that is asked about the modules of a run.
pub struct RunStatistics {
    compiler: Mutex<Box<dyn VariantCompiler + Send>>,
    options: MeasureOptions,
}

impl StatisticsArgs {
    pub fn is_given(&self) -> bool {
        self.statistics.is_some()
    }

    /// Starts the driver, if one is named.
    ///
    /// # Errors
    /// If it does not start. A name that means no driver is wrong usage.
    pub fn start(&self) -> anyhow::Result<Option<RunStatistics>> {
        let Some(name) = &self.statistics else { return Ok(None) };
        let _progress = Progress::new("asking drivers", None);
        let compiler: Box<dyn VariantCompiler + Send> = match name.split_once(':') {
            Some(("probe", device)) if !device.is_empty() => {
                let device = device.to_owned();
                let command = move || {
                    let mut command = own_command();
                    command.env(VARIABLE, &device);
                    command
                };
                Box::new(
                    DriverProcess::start(command, LIMIT)
                        .map_err(|error| usage(format!("{name}: {error}")))?,
                )
            }
            Some(("ocloc", device)) if !device.is_empty() => {
                let program = std::env::var_os(OCLOC).unwrap_or_else(|| "ocloc".into());
                Box::new(Ocloc::new(program, device, LIMIT))
            }
            _ => {
                return Err(usage(format!(
                    "invalid driver `{name}`: expected `probe:NUMBER`, `probe:NAME` or `ocloc:NAME`"
                )));
            }
        };
        let options = self.values.iter().fold(MeasureOptions::new(), |options, (constant, values)| {
            options.values(constant.clone(), values.iter().copied())
        });
        Ok(Some(RunStatistics { compiler: Mutex::new(compiler), options }))
    }
}

impl RunStatistics {
    /// Adds the statistics of a module to its inspection. Modules are compiled one after the other.
    pub fn add(&self, inspection: Inspection, module: &Module) -> Result<Inspection, Error> {
        let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        let progress = Progress::new("modules compiled", None);
        let constants = inspection.spec_constants();
        let statistics = measure(module, &constants, &mut **compiler, &self.options, &|| progress.step())?;
        Ok(inspection.with_statistics(statistics))
    }
}

/// Is the process of a driver, if the program was started as one.
pub fn answer() -> Option<ExitCode> {
    let device = std::env::var(VARIABLE).ok()?;
    let number = || drivers::vulkan_number(&device).map_err(|error| format!("{error:#}"));
    Some(match serve(number, std::io::stdin(), std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// Returns the command that starts this program as it was started. Programs for another C library than the system's are run by its loader, before
/// whose arguments the own ones stand.
fn own_command() -> Command {
    let own: Vec<OsString> = std::env::args_os().collect();
    let started = started_with();
    let loader = started.len().saturating_sub(own.len());
    if loader > 0 && started.ends_with(&own) {
        let mut command = Command::new(&started[0]);
        command.args(&started[1..=loader]);
        return command;
    }
    Command::new(
        std::env::current_exe().unwrap_or_else(|_| own.into_iter().next().unwrap_or_default().into()),
    )
}

/// Returns all arguments with which the process was started, if the system tells.
fn started_with() -> Vec<OsString> {
    #[cfg(target_os = "linux")]
    if let Ok(line) = std::fs::read("/proc/self/cmdline") {
        use std::os::unix::ffi::OsStringExt;
        let line = line.strip_suffix(b"\0").unwrap_or(&line);
        return line.split(|byte| *byte == 0).map(|argument| OsString::from_vec(argument.to_vec())).collect();
    }
    Vec::new()
}
