//! `spirv-if check`.

use clap::Args;
use spirv_if::{CheckOptions, Device, check};

use super::annotations::AnnotationsArg;
use super::device::{ConfigArg, device_error};
use super::io::Inputs;
use super::log::Log;
use super::{Failure, counted};

/// Warn of device features that code uses and does not say, or a device lacks
///
/// A function of a SYCL program, or any function with a UserSemantic decoration
/// `sycl-properties:sycl-device-has=5,6`, lists the aspects that it may use. A
/// warning says where it uses another one, itself or through what it calls, and
/// where a function from another module uses what the kernel that calls it does
/// not expect, or requires another sub-group size.
///
/// With --fixed-targets, everything is meant to run on each of these devices: a
/// warning says which of them lacks an aspect, a capability, an extension, or the
/// required work-group or sub-group size of an entry point. A capability that
/// comes with an extension counts as lacking only where the device configuration
/// tells of it: some device has it, or the `extensions` of this device are listed.
///
/// A call that happens only under a condition is fine where the condition promises
/// the feature; else the warning names the condition.
///
/// Each warning has the chain of calls to the use. Where the module has debug
/// information, it begins as a compiler's, for editors and other programs:
///   hw.cpp:27:4: warning: function 'foo' uses aspect 'fp64' not listed in ...
/// and a note after the warnings names the module. Else it begins with
///   spirv-if: warning: MODULE: function 'foo' uses ...
///
/// Examples:
///
///   Does what the kernels say hold?
///     spirv-if check kernels.spv
///
///   Will all of it run on these, in a build that must not warn?
///     spirv-if check build/*.spv --fixed-targets 'intel_gpu_*,x86_64' --deny-warnings
///
/// Exit status: 0 done, 1 error, or a warning with --deny-warnings, 2 wrong usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Devices that all code must run on (`spirv-if devices` lists them): `*` in a name stands for anything
    #[arg(long, value_name = "GLOBS", value_delimiter = ',')]
    fixed_targets: Vec<String>,
    /// Fail if there is a warning
    #[arg(long)]
    deny_warnings: bool,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    config: ConfigArg,
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let devices = self.config.read_or_embedded()?;
        let mut fixed_targets: Vec<Device> = Vec::new();
        for glob in &self.fixed_targets {
            for device in devices.matching(glob.trim()).map_err(device_error)? {
                if !fixed_targets.contains(device) {
                    fixed_targets.push(device.clone());
                }
            }
        }
        let annotations = self.annotations.read()?;
        annotations.check_devices(&devices)?;
        let mut options = CheckOptions::default();
        options.fixed_targets = fixed_targets;
        options.devices = Some(devices);
        let counts = self.inputs.for_each(log, |_, module, log| {
            let warnings = check(&annotations.on(module)?, &options)?;
            for warning in &warnings {
                match &warning.place {
                    Some(place) => log.warning_at(place, warning.text()),
                    None => log.warning(warning.text()),
                }
            }
            if !warnings.is_empty() {
                log.note(counted(warnings.len(), "warning"));
            }
            Ok(warnings.len())
        })?;
        annotations.finish(log)?;
        if self.deny_warnings && counts.iter().any(|&count| count > 0) {
            return Err(Failure::Told(1).into());
        }
        Ok(())
    }
}
