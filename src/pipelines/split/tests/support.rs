//! Splitting in tests.

use std::borrow::Cow;

use crate::analysis::Analyses;
use std::collections::BTreeSet;

use crate::device::DeviceConfig;
use crate::loader::Module;
use crate::pipelines::PipelineError;
use crate::pipelines::split::{Image, Mode, Options, Plan, split};
use crate::sidecar::property_sets::{PropertyNames, PropertySets};
use crate::transform::split::SplitRoot;

pub const MODES: [Mode; 4] = [Mode::Kernel, Mode::Source, Mode::Off, Mode::Auto];

/// The images of a module, each with its plan, and the roots that these number.
pub struct Images {
    pub roots: Vec<SplitRoot>,
    pub images: Vec<(Plan, Image)>,
}

/// Splits without anything said beside the module.
pub fn images(words: &[u32], mode: Mode) -> Result<Images, PipelineError> {
    let module = Module::from_words(words).unwrap();
    let properties = PropertySets::default();
    let devices = DeviceConfig::embedded().unwrap();
    let options = Options {
        mode,
        source: "module",
        fixed_targets: &[],
        devices: &devices,
        only_entry_points: false,
        rename_entry: None,
        pack: false,
        property_names: PropertyNames::Design,
    };
    let split = split(Analyses::of(&module), Cow::Owned(properties), &options)?;
    let images = split.plans().iter().map(|plan| Ok((plan.clone(), split.image(plan)?)));
    Ok(Images { roots: split.roots().to_vec(), images: images.collect::<Result<_, PipelineError>>()? })
}

/// The environments in which a fixture is valid, of those that are tried.
pub fn environment(words: &[u32]) -> Option<&'static str> {
    let environments = ["vulkan1.3", "opencl2.2", "spv1.2", "spv1.6"];
    environments.into_iter().find(|environment| crate::test_support::is_valid(words, environment))
}

/// The functions of a module.
pub fn functions(module: &Module) -> BTreeSet<u32> {
    module.functions().iter().map(|function| function.id).collect()
}
