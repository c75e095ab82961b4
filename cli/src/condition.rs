//! `spirv-if condition`.

use std::ffi::OsStr;
use std::fmt::Write;

use clap::builder::{StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command};
use spirv_if::device::Api;
use spirv_if::{Condition, Device};

use super::device::{DeviceArgs, label};
use super::io;
use super::log::Log;
use super::usage;

/// Show a condition in all its forms, in canonical form, and on devices
///
/// A condition is a Boolean expression. It is written as text, as a series of
/// integers in property sets, and as specialization constants in modules.
/// Equivalent conditions have the same canonical form.
///
/// What a condition asks of a device, and its node in a series:
///
///   fp16, aspect(5)                       an aspect of SYCL                        -1
///   arch(intel_gpu_pvc)                   an architecture                          -2
///   cap(Float16)                          a SPIR-V capability                      -6
///   ext(SPV_KHR_expect_assume)            a SPIR-V extension                       -7
///   host(fast)                            a decision of the host                   -8
///   target(nvptx64)                       an instruction set, with features        -9
///   architecture(gpu, intel, UGreaterThanEqual, 3)
///                                         a comparison of architectures           -10
///   feature(vulkan:fragmentStoresAndAtomics), feature(amdgpu:gfx12-insts)
///                                         a feature of Vulkan or a processor      -11
///   subgroup_size >= 32, max_shared_memory >= 49152, vulkan_version >= 1.3,
///   limit(vulkan:maxComputeWorkGroupSize.0) >= 512
///                                         a number of the device                  -11
///   driver(qualcomm) < 512.800, driver(nvk)
///                                         the driver for Vulkan, its version      -11
///   constant(%7)                          a constant whose meaning is not known
///
/// They are joined by !, && and || (nodes -3, -4 and -5), which bind in this order, and
/// by parentheses; true and false are conditions, too.
///
/// Examples:
///
///   What is the condition of this series?
///     spirv-if condition "-4,-1,5,-2,20"
///
///   Are these two equivalent? (They are if their canonical forms are equal.)
///     spirv-if condition 'fp16 && !(fp64 && fp16)'
///     spirv-if condition 'fp16 && !fp64'
///
///   Where does it hold? If kernels and shaders get different answers on a device,
///   OpenCL's comes first.
///     spirv-if condition 'fp64 && !arch(intel_gpu_pvc)' --device intel_gpu_pvc --device x86_64
///     spirv-if condition 'fp64 || cap(Int8)' --aspects gpu,fp16
///
/// Exit status: 0 done, 1 the condition is too complex or the device configuration
/// cannot be read, 2 the condition is malformed or a device is unknown.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ConditionArgs {
    /// Text such as `fp16 && (arch(intel_gpu_pvc) || !cap(Int8))`, or a series such as `-4,-1,5,-2,20`
    ///
    /// Aspects, architectures and capabilities have names and numbers. A name of another kind is an error with the leaf that was meant.
    #[arg(value_name = "CONDITION", allow_hyphen_values = true, value_parser = ConditionParser)]
    condition: String,
    #[command(flatten)]
    devices: DeviceArgs,
}

/// Parses the condition as text. A series begins with `-` and a digit; anything else that begins with `-` is an option that does not exist.
#[derive(Clone)]
struct ConditionParser;

impl TypedValueParser for ConditionParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        match text.strip_prefix('-') {
            Some(rest) if !rest.starts_with(|first: char| first.is_ascii_digit()) => {
                let mut error = clap::Error::new(ErrorKind::UnknownArgument).with_cmd(command);
                error.insert(ContextKind::InvalidArg, ContextValue::String(text));
                let usage = command.clone().render_usage();
                error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
                Err(error)
            }
            _ => Ok(text),
        }
    }
}

impl ConditionArgs {
    pub fn run(self, _log: &mut Log) -> anyhow::Result<()> {
        let devices = self.devices.devices()?;
        let parsed = parse(&self.condition).map_err(|error| usage(format!("condition: {error}")))?;
        let canonical = parsed.canonical()?;
        let mut text = String::new();
        for (title, condition) in [("given", &parsed), ("canonical", &canonical)] {
            writeln!(text, "{title}\n  text    {condition}\n  series  {}", series(condition))?;
        }
        text.push_str("module\n");
        for line in canonical.to_assembly().lines() {
            writeln!(text, "  {line}")?;
        }
        if !devices.is_empty() {
            text.push_str("devices\n");
        }
        let width = devices.iter().map(|device| label(device).len()).max().unwrap_or(0);
        for device in &devices {
            let [kernels, shaders] =
                [Api::OpenCl, Api::Vulkan].map(|api| answer(&canonical, &device.for_api(api)));
            let (kernels, shaders) = (kernels?, shaders?);
            let answers = match kernels == shaders {
                true => kernels,
                false => format!("{}: {kernels}; {}: {shaders}", Api::OpenCl, Api::Vulkan),
            };
            writeln!(text, "  {:width$}  {answers}", label(device))?;
        }
        io::print(text.as_bytes())
    }
}

/// Returns the rest of a condition on a device under one API.
fn answer(canonical: &Condition, device: &Device) -> anyhow::Result<String> {
    let rest = canonical.restricted(device)?;
    let unknown = if canonical.evaluate(device)?.is_some() { "" } else { "unknown: " };
    Ok(format!("{unknown}{rest}"))
}

/// Reads a condition in either form. A series starts with a node, which is negative, and no text starts with a minus.
fn parse(condition: &str) -> anyhow::Result<Condition> {
    let condition = condition.trim();
    if !condition.starts_with('-') {
        return Ok(Condition::parse(condition)?);
    }
    let items = condition.split([',', ' ']).filter(|item| !item.is_empty());
    let numbers = items.enumerate().map(|(index, item)| {
        item.parse()
            .map_err(|_| anyhow::anyhow!("index {index} of the series: `{item}` is not a 32-bit integer"))
    });
    Ok(Condition::from_series(&numbers.collect::<Result<Vec<i32>, _>>()?)?)
}

fn series(condition: &Condition) -> String {
    match condition.to_series() {
        Ok(series) => series.iter().map(i32::to_string).collect::<Vec<_>>().join(","),
        Err(error) => format!("none: {error}"),
    }
}
