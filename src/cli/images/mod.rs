//! What the commands have in common that make images of modules.

mod fixed_targets;
pub mod names;

pub use fixed_targets::FixedTargetsArg;

use std::collections::HashSet;
use std::path::Path;

use clap::{Args, ValueEnum};
use spirv_if::{DeviceConfig, Image, ImagePlan, SplitMode, SplitOptions, Warning};

use super::counted;
use super::io::{Data, Destination, Staged};
use super::log::Log;
use super::pack::PropertyNamesArg;

/// How to group entry points.
#[derive(Args, Debug)]
pub struct GroupArgs {
    /// How to group entry points
    #[arg(long, visible_alias = "split", value_enum, default_value_t, value_name = "MODE")]
    mode: ModeArg,
    /// Count only entry points: exported functions that nothing in the module calls are in no image
    #[arg(long, alias = "emit-only-kernels-as-entry-points")]
    only_kernels: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// An image for each entry point; one for those that share a variable which keeps its value
    #[value(aliases = ["per_kernel", "per-kernel"])]
    Kernel,
    /// By translation unit
    #[value(aliases = ["per_source", "per-source", "translation_unit", "translation-unit"])]
    Source,
    /// Together, as far as every device can take it
    #[value(aliases = ["link_unit", "link-unit"])]
    Off,
    /// By translation unit: who uses one kernel of a source is likely to use the others, and hardly those of all sources.
    /// Together, if the module has pointers to functions: one may be made in one translation unit and called in another
    #[default]
    Auto,
}

impl GroupArgs {
    /// How to split for devices of a configuration.
    pub fn options(&self, devices: DeviceConfig, property_names: PropertyNamesArg) -> SplitOptions {
        let mut options = SplitOptions::default();
        options.mode = match self.mode {
            ModeArg::Kernel => SplitMode::Kernel,
            ModeArg::Source => SplitMode::Source,
            ModeArg::Off => SplitMode::Off,
            ModeArg::Auto => SplitMode::Auto,
        };
        options.only_entry_points = self.only_kernels;
        options.devices = Some(devices);
        options.property_names = property_names.into();
        options
    }

    /// Whether each entry point has its image, as far as it shares no variable with others.
    pub fn by_kernel(&self) -> bool {
        self.mode == ModeArg::Kernel
    }
}

/// Stages an image, of these words, and what goes beside it.
pub fn stage(image: &Image, words: Vec<u32>, path: &Path) -> anyhow::Result<Vec<Staged>> {
    let destination = Destination::File(path.to_owned());
    let mut staged = Vec::new();
    for (extension, text) in [("prop", image.properties.to_text()), ("sym", image.symbols_text()?)] {
        if let Some(beside) = destination.beside(extension) {
            staged.push(beside.stage(Data::Text(text))?);
        }
    }
    staged.insert(0, destination.stage(Data::Words(words))?);
    Ok(staged)
}

/// Warns of what is wrong with the functions in images, once for several images.
pub fn warn<'w>(warnings: impl IntoIterator<Item = &'w Warning>, log: &mut Log) {
    let mut told = HashSet::new();
    for warning in warnings {
        let text = warning.text();
        if told.insert(text) {
            match &warning.place {
                Some(place) => log.warning_at(place, text),
                None => log.warning(text),
            }
        }
    }
}

/// How many images there are of what, in words.
pub fn told(plans: &[ImagePlan]) -> String {
    let roots: Vec<_> = plans.iter().flat_map(|plan| &plan.roots).collect();
    let entry_points = roots.iter().filter(|root| root.execution_model.is_some()).count();
    let mut text = format!("{} of {}", counted(plans.len(), "image"), counted(entry_points, "entry point"));
    let exported = roots.len() - entry_points;
    if exported > 0 {
        text.push_str(&format!(" and {}", counted(exported, "exported function")));
    }
    text
}
