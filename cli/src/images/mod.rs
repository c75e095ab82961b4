//! The common part of the commands that make images of modules: their grouping, fixed targets and results.

pub mod names;

use std::collections::HashSet;
use std::path::Path;

use clap::{Args, ValueEnum};
use spirv_if::Device;
use spirv_if::device::DeviceConfig;
use spirv_if_sycl::check::Warning;
use spirv_if_sycl::split::{Image, ImagePlan, SplitMode, SplitOptions};

use super::device::all_of;
use super::io::{Data, Destination, Input, Staged, WriteArgs};
use super::log::Log;
use super::pack::PropertyNamesArg;
use super::{counted, usage};

/// The grouping of entry points.
#[derive(Args, Debug)]
pub struct GroupArgs {
    /// The grouping of entry points
    #[arg(long, visible_alias = "split", value_enum, default_value_t, value_name = "MODE")]
    mode: ModeArg,
    /// Count only entry points as roots: exported functions that nothing in the module calls are in no image
    #[arg(long, alias = "emit-only-kernels-as-entry-points")]
    only_kernels: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// An image for each entry point, except that entry points share an image if they share a variable with persistent state
    #[value(aliases = ["per_kernel", "per-kernel"])]
    Kernel,
    /// An image for each translation unit
    #[value(aliases = ["per_source", "per-source", "translation_unit", "translation-unit"])]
    Source,
    /// One image for all, unless device requirements differ
    #[value(aliases = ["link_unit", "link-unit"])]
    Off,
    /// Like `source`; like `off` if the module has pointers to functions, which may cross translation units
    #[default]
    Auto,
}

impl GroupArgs {
    /// Returns the options of splitting for devices of a configuration.
    pub fn options(&self, devices: DeviceConfig, property_names: PropertyNamesArg) -> SplitOptions {
        let mode = match self.mode {
            ModeArg::Kernel => SplitMode::Kernel,
            ModeArg::Source => SplitMode::Source,
            ModeArg::Off => SplitMode::Off,
            ModeArg::Auto => SplitMode::Auto,
        };
        SplitOptions::new()
            .mode(mode)
            .only_entry_points(self.only_kernels)
            .devices(devices)
            .property_names(property_names.into())
    }

    /// Returns true if each entry point has its own image, unless it shares a variable with others.
    pub fn by_kernel(&self) -> bool {
        self.mode == ModeArg::Kernel
    }
}

/// Stages an image with these words, its property sets and its symbols.
pub fn stage(image: &Image, words: Vec<u32>, path: &Path, embed: &WriteArgs) -> anyhow::Result<Vec<Staged>> {
    let destination = Destination::File(path.to_owned());
    let symbols = destination.beside("sym");
    let mut all = embed.stage_with(destination, Data::Words(words), Some(&image.properties))?;
    if let Some(symbols) = symbols {
        all.push(symbols.stage(Data::Text(image.symbols_text()?))?);
    }
    Ok(all)
}

/// Prints the warnings of images, the same one only once.
pub fn warn<'w>(warnings: impl IntoIterator<Item = &'w Warning>, log: &mut Log) {
    let mut printed = HashSet::new();
    for warning in warnings {
        let text = warning.text();
        if printed.insert(text) {
            match &warning.place {
                Some(place) => log.warning_at(place, text),
                None => log.warning(text),
            }
        }
    }
}

/// Returns the number of images, and of their roots, in words.
pub fn summary(plans: &[ImagePlan]) -> String {
    let roots: Vec<_> = plans.iter().flat_map(|plan| &plan.roots).collect();
    let entry_points = roots.iter().filter(|root| root.execution_model.is_some()).count();
    let mut text = format!("{} of {}", counted(plans.len(), "image"), counted(entry_points, "entry point"));
    let exported = roots.len() - entry_points;
    if exported > 0 {
        text.push_str(&format!(" and {}", counted(exported, "exported function")));
    }
    text
}

/// The fixed targets of modules.
#[derive(Args, Debug)]
pub struct FixedTargetsArg {
    /// The devices that all code is meant for (`spirv-if devices` lists them), for one module or for all: globs of names,
    /// `FILE.json` for the devices in a file that `spirv-if devices import` reads, or `probe:GLOB` for devices of this machine; may be given
    /// several times
    #[arg(long, value_name = "[MODULE=]GLOBS")]
    fixed_targets: Vec<String>,
}

impl FixedTargetsArg {
    /// Returns the fixed targets, by input.
    ///
    /// # Errors
    /// As wrong usage, if a named module or device does not exist.
    pub fn by_input(&self, inputs: &[Input], devices: &DeviceConfig) -> anyhow::Result<Vec<Vec<Device>>> {
        let mut targets = vec![Vec::new(); inputs.len()];
        for value in &self.fixed_targets {
            let (module, globs) = match value.rsplit_once('=') {
                Some((module, globs)) => (Some(Path::new(module)), globs),
                None => (None, value.as_str()),
            };
            let mut selected = inputs
                .iter()
                .zip(&mut targets)
                .filter(|(input, _)| module.is_none_or(|module| input.is_at(module)))
                .map(|(_, targets)| targets)
                .peekable();
            if let (Some(module), None) = (module, selected.peek()) {
                return Err(usage(format!("--fixed-targets: {} is not among the modules", module.display())));
            }
            let names: Vec<String> = globs.split(',').map(str::to_owned).collect();
            let named = all_of(&names, devices)?;
            selected.for_each(|targets| targets.extend(named.iter().cloned()));
        }
        Ok(targets)
    }
}
