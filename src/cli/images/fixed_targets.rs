//! The fixed targets of modules.

use std::path::Path;

use clap::Args;
use spirv_if::{Device, DeviceConfig};

use super::super::device::device_error;
use super::super::io::Input;
use super::super::usage;

/// The fixed targets of modules.
#[derive(Args, Debug)]
pub struct FixedTargetsArg {
    /// The devices that all code is meant for (`spirv-if devices` lists them), for one module or for all: `*` in a name stands for
    /// anything; may be given several times
    #[arg(long, value_name = "[MODULE=]GLOBS")]
    fixed_targets: Vec<String>,
}

impl FixedTargetsArg {
    /// The fixed targets, by input.
    ///
    /// # Errors
    /// As wrong usage, if a named module or device does not exist.
    pub fn of(&self, inputs: &[Input], devices: &DeviceConfig) -> anyhow::Result<Vec<Vec<Device>>> {
        let mut targets = vec![Vec::new(); inputs.len()];
        for value in &self.fixed_targets {
            let (module, globs) = match value.rsplit_once('=') {
                Some((module, globs)) => (Some(Path::new(module)), globs),
                None => (None, value.as_str()),
            };
            let mut own = inputs
                .iter()
                .zip(&mut targets)
                .filter(|(input, _)| module.is_none_or(|module| input.is_at(module)))
                .map(|(_, targets)| targets)
                .peekable();
            if let (Some(module), None) = (module, own.peek()) {
                return Err(usage(format!("--fixed-targets: {} is not among the modules", module.display())));
            }
            let mut found: Vec<Device> = Vec::new();
            for glob in globs.split(',') {
                for device in devices.matching(glob.trim()).map_err(device_error)? {
                    if !found.contains(device) {
                        found.push(device.clone());
                    }
                }
            }
            own.for_each(|targets| targets.extend(found.iter().cloned()));
        }
        Ok(targets)
    }
}
