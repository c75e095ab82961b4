//! `split`: a module as several images, each for some of its entry points.

use std::borrow::Cow;
use std::sync::Arc;

use super::check::missing_on_fixed_targets;
use super::{Error, Module, Warning};
use crate::analysis::Analyses;
use crate::device::{self, DeviceConfig, architectures, aspects};
use crate::metadata::property_sets::{PropertyNames, PropertySets};
use crate::metadata::tables::symbols_to_text;
use crate::pipelines::split;
use crate::pipelines::split::{Plan, Traits};
use crate::transform::cloning::CloneLimit;

pub use crate::pipelines::split::{Jit, Mode as SplitMode};

/// Options of [`split()`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SplitOptions {
    /// The grouping of entry points.
    pub mode: SplitMode,
    /// Counts only entry points as roots: exported functions that they do not call are in no image.
    pub only_entry_points: bool,
    /// A new name for the entry point of each image that has only one.
    pub rename_entry: Option<String>,
    /// What becomes of code that is conditional, in images for any device.
    pub jit: Jit,
    /// The most clones of one function where conditional code is packed, as [`PackOptions::max_clones`](crate::PackOptions::max_clones). 8 by
    /// default.
    pub max_clones: usize,
    /// The configuration that devices are of; the embedded one, if none is given.
    pub devices: Option<DeviceConfig>,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

impl Default for SplitOptions {
    fn default() -> SplitOptions {
        SplitOptions {
            mode: SplitMode::default(),
            only_entry_points: false,
            rename_entry: None,
            jit: Jit::default(),
            max_clones: CloneLimit::default().0,
            devices: None,
            property_names: PropertyNames::default(),
        }
    }
}

/// A module, and the images that it is to be split into. It can be shared between threads that make them.
pub struct Split<'m> {
    pub(super) inner: split::Split<'m>,
    plans: Vec<ImagePlan>,
    warnings: Vec<Warning>,
}

/// The plan of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImagePlan {
    /// Its roots: entry points, then exported functions, each in the order of the module.
    pub roots: Vec<Root>,
    /// The translation unit, where the module is split by it; none, where a shared variable keeps roots of several together.
    pub source: Option<String>,
    /// The names of the devices that it is meant for; none, if it is meant for any.
    pub fixed_targets: Option<Vec<String>>,
}

/// An entry point, or an exported function that nothing in the module calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Root {
    /// Its name; of an exported function, its linkage name.
    pub name: String,
    /// The execution model of an entry point, as the specification writes it, such as `Kernel`; the number of one that it does not have.
    pub execution_model: Option<String>,
}

/// An image: a module, its property sets and its symbols.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Image {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// Its property sets: its device requirements, and the other sets of the module that it is a part of.
    pub properties: PropertySets,
    /// The names that its [roots](ImagePlan::roots) have in it.
    pub symbols: Vec<String>,
    /// The other exported functions in it, which its roots call.
    pub exported: Vec<String>,
    /// The functions and variables that it uses and does not define, by their linkage names.
    pub imported: Vec<String>,
    /// Warnings of functions that its kernels call (`SYCL_EXTERNAL`), and of variables of which other images have copies.
    pub warnings: Vec<Warning>,
}

/// Plans the images of a module, so that no device rejects an image for a requirement of another kernel in it. Entry points that share
/// a variable which keeps its value from one kernel to the next stay together, unless they have different requirements:
/// then each image has a copy, with a [warning](Image::warnings). Ids and function bodies are unchanged.
///
/// # Errors
/// If the module has no roots, its property sets, annotations or compile-time properties are malformed, or several images would have a copy of a variable with the
/// property `sycl-device-image-scope`.
///
/// ```
/// use spirv_if::{Module, SplitMode, SplitOptions};
/// let bytes = std::fs::read("fixtures/opencl/many.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let mut options = SplitOptions::default();
/// options.mode = SplitMode::Kernel;
/// let split = spirv_if::split(&module, &options)?;
/// for (number, plan) in split.plans().iter().enumerate() {
///     let image = split.image(number)?;
///     assert_eq!(image.symbols, [plan.roots[0].name.as_str()]);
///     assert!(image.words.len() < module.words().len());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn split<'m>(module: &'m Module<'m>, options: &SplitOptions) -> Result<Split<'m>, Error> {
    let module = module.lowered()?;
    let analyses = Arc::new(module.analyses());
    let warnings = missing_on_fixed_targets(module, &analyses, options.devices.as_ref())?;
    let split = Split::new(analyses, module.properties()?, module, options, options.jit)?;
    Ok(Split { warnings, ..split })
}

impl<'m> Split<'m> {
    /// The plans of the images, in the order of the first root of each in the module.
    pub fn plans(&self) -> &[ImagePlan] {
        &self.plans
    }

    /// Makes the image of the plan with this number.
    ///
    /// # Errors
    /// If there is no such plan, or the module is invalid, so that the image would be.
    pub fn image(&self, number: usize) -> Result<Image, Error> {
        let plan = self.inner.plans().get(number);
        let plan = plan.ok_or_else(|| Error::request(format_args!("there is no image {number}")))?;
        Ok(Image::of(self.inner.image(plan)?))
    }

    /// Warnings of features that the fixed targets of the module are missing, as [`check`](crate::check()) gives them. Those of a single image are
    /// in [`Image::warnings`].
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// True if something in the module is conditional: then its images declare features that only some devices have, unless they are packed.
    pub fn is_conditional(&self) -> bool {
        self.inner.is_conditional()
    }

    /// Plans the images of the analysed module; `module` is the one before conditions were decided.
    pub(super) fn new(
        analyses: Arc<Analyses<'m>>,
        properties: Cow<'m, PropertySets>,
        module: &Module,
        options: &SplitOptions,
        jit: Jit,
    ) -> Result<Split<'m>, Error> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['\0', '\n', '\r']);
        if !options.rename_entry.as_deref().is_none_or(is_name) {
            return Err(Error::request("an entry point has a name, of one line"));
        }
        let devices = match &options.devices {
            Some(devices) => devices,
            None => device::embedded()?,
        };
        let own = split::Options {
            mode: options.mode,
            source: &module.name,
            fixed_targets: &module.fixed_targets,
            devices,
            only_entry_points: options.only_entry_points,
            rename_entry: options.rename_entry.as_deref(),
            jit,
            max_clones: CloneLimit(options.max_clones),
            property_names: options.property_names,
        };
        let inner = split::split(analyses, properties, &own)?;
        let plans = inner.plans().iter().map(|plan| ImagePlan::of(plan, &inner)).collect();
        Ok(Split { inner, plans, warnings: Vec::new() })
    }
}

impl ImagePlan {
    fn of(plan: &Plan, split: &split::Split) -> ImagePlan {
        let root = |&number: &usize| {
            let root = &split.roots()[number];
            let execution_model = root.execution_model(split.module()).map(|number| {
                let known = spirv::ExecutionModel::from_u32(number);
                known.map_or_else(|| number.to_string(), |model| format!("{model:?}"))
            });
            Root { name: root.name.clone(), execution_model }
        };
        let name = |aspect: &u32| {
            architectures::by_value(aspects::architecture_of(*aspect)?).map(|known| known.name.to_owned())
        };
        ImagePlan {
            roots: plan.roots.iter().map(root).collect(),
            source: plan.source.clone(),
            fixed_targets: match &plan.traits {
                Traits::Fixed(targets) => Some(targets.iter().filter_map(name).collect()),
                Traits::Any { .. } => None,
            },
        }
    }
}

impl Image {
    pub(super) fn of(image: split::Image) -> Image {
        let split::Image { words, properties, symbols, exported, imported, warnings, .. } = image;
        let words = Module::result(words);
        let warnings = warnings.into_iter().map(Warning::of).collect();
        Image { words, properties, symbols, exported, imported, warnings }
    }

    /// True if it defines a function or variable of this name for other images.
    pub fn exports(&self, name: &str) -> bool {
        self.symbols.iter().chain(&self.exported).any(|own| own == name)
    }

    /// The text of its symbol file (`.sym`), which names its entry points and all exported functions for a runtime.
    ///
    /// # Errors
    /// If a name is not one line.
    pub fn symbols_text(&self) -> Result<String, Error> {
        Ok(symbols_to_text(self.symbols.iter().chain(&self.exported).map(String::as_str))?)
    }
}
