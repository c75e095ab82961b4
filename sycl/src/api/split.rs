//! Splitting: makes several images of a module, each for some of its entry points, like SYCL's compilers.
//!
//! [`split()`] plans images so that no device rejects one for a requirement of another kernel in it. [`add_on()`] also puts conditional
//! code into separate images, for runtimes that link SPIR-V without support for conditions. [`PostLink`] does both for several targets of a
//! program, like a compiler after its front end. [`Program`](crate::program::Program) loads the images.
//!
//! ```
//! use spirv_if::Module;
//! use spirv_if_sycl::split::{SplitMode, SplitOptions, split};
//! let bytes = std::fs::read("../fixtures/opencl/many.spv")?;
//! let module = Module::from_bytes(&bytes)?;
//! let split = split(&module, &SplitOptions::new().mode(SplitMode::Kernel))?;
//! for (number, plan) in split.plans().iter().enumerate() {
//!     let image = split.image(number)?;
//!     println!("{}: {} bytes", plan.roots[0].name, image.to_bytes().len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::check::Warning;
use super::check::missing_on_fixed_targets;
use crate::images;
use crate::images::{SplitInput, SplitPlan, Traits};
use crate::tables::symbols_to_text;
use spirv_if::Error;
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::device::{architectures, aspects};
use spirv_if::error::RequestErrorKind;
use spirv_if::module::{Module, to_bytes};
use spirv_if::property_sets::PropertySets;

pub use super::add_on::{AddOnImage, AddOnRole, add_on};
pub use super::post_link::{PostLink, compatibility, compatibility_of_properties};
pub use crate::images::{Jit, SplitMode, SplitOptions};

/// A module, and the plans of its images. It can be shared between threads that make the images.
pub struct Split<'m> {
    #[doc(hidden)]
    pub inner: images::ModuleSplit<'m>,
    plans: Vec<ImagePlan>,
    warnings: Vec<Warning>,
}

/// The plan of an image.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ImagePlan {
    /// The roots: entry points, then exported functions, each in the order of the module.
    pub roots: Vec<Root>,
    /// The translation unit, if the module is split by it. `None` if a shared variable keeps roots of several units together.
    pub source: Option<String>,
    /// The names of the target devices; `None` if the image is for any device.
    pub fixed_targets: Option<Vec<String>>,
}

/// An entry point, or an exported function that nothing in the module calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Root {
    /// The name; the linkage name of an exported function.
    pub name: String,
    /// The execution model of an entry point, by its name in the specification, such as `Kernel`. An unknown model is a number.
    pub execution_model: Option<String>,
}

/// An image: a module, its property sets and its symbols.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Image {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets: the device requirements of the image, and the other sets of the module that it is a part of.
    pub properties: PropertySets,
    /// The names that its [roots](ImagePlan::roots) have in it.
    pub symbols: Vec<String>,
    /// The other exported functions in it, which its roots call.
    pub exported: Vec<String>,
    /// The functions and variables that it uses and does not define, by their linkage names.
    pub imported: Vec<String>,
    /// Warnings about functions that its kernels call (`SYCL_EXTERNAL`), and about variables with copies in other images.
    pub warnings: Vec<Warning>,
}

/// Plans the images of a module, so that no device rejects an image for a requirement of another kernel in it. Entry points stay together
/// if they share a variable that keeps its value from one kernel to the next. If they have different requirements, each image has a copy
/// instead, with a [warning](Image::warnings). Ids and function bodies are unchanged.
///
/// # Errors
/// If the module has no roots. If its property sets, annotations or compile-time properties are malformed. If several images would have a
/// copy of a variable with the property `sycl-device-image-scope`.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_sycl::split::{SplitMode, SplitOptions, split};
/// let bytes = std::fs::read("../fixtures/opencl/many.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let split = split(&module, &SplitOptions::new().mode(SplitMode::Kernel))?;
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
    let split = Split::new(analyses, module.properties()?, module, options)?;
    Ok(Split { warnings, ..split })
}

impl fmt::Debug for Split<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Split { plans, warnings, .. } = self;
        f.debug_struct("Split").field("plans", plans).field("warnings", warnings).finish_non_exhaustive()
    }
}

impl<'m> Split<'m> {
    /// Returns the plans of the images, in the order of the first root of each in the module.
    pub fn plans(&self) -> &[ImagePlan] {
        &self.plans
    }

    /// Makes the image of the plan with this number.
    ///
    /// # Errors
    /// If the plan does not exist, or the image would be invalid because the module is.
    pub fn image(&self, number: usize) -> Result<Image, Error> {
        let plan = self.inner.plans().get(number);
        let plan = plan
            .ok_or_else(|| Error::request(RequestErrorKind::Image, format!("there is no image {number}")))?;
        Ok(Image::new(self.inner.image(plan)?))
    }

    /// Returns warnings of features that the fixed targets of the module are missing, as [`check`](crate::check::check()) returns them. Those of a single image are
    /// in [`Image::warnings`].
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns true if something in the module is conditional. Images then declare features that only some devices have, unless they are
    /// packed.
    pub fn is_conditional(&self) -> bool {
        self.inner.is_conditional()
    }

    /// Plans the images of the analysed module; `module` is the one before conditions were decided.
    pub(super) fn new(
        analyses: Arc<Analyses<'m>>,
        properties: Cow<'m, PropertySets>,
        module: &Module,
        options: &SplitOptions,
    ) -> Result<Split<'m>, Error> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['\0', '\n', '\r']);
        if !options.rename_entry.as_deref().is_none_or(is_name) {
            let problem = "invalid new name of an entry point: expected one non-empty line";
            return Err(Error::request(RequestErrorKind::EntryPoint, problem));
        }
        let input = SplitInput { source: &module.name, fixed_targets: &module.fixed_targets };
        let inner = images::split(analyses, properties, input, options.clone())?;
        let plans = inner.plans().iter().map(|plan| ImagePlan::new(plan, &inner)).collect();
        Ok(Split { inner, plans, warnings: Vec::new() })
    }
}

impl ImagePlan {
    fn new(plan: &SplitPlan, split: &images::ModuleSplit) -> ImagePlan {
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
    pub(super) fn new(image: images::SplitImage) -> Image {
        let images::SplitImage { words, properties, symbols, exported, imported, warnings, .. } = image;
        let words = Module::result(words);
        let warnings = warnings.into_iter().map(Warning::new).collect();
        Image { words, properties, symbols, exported, imported, warnings }
    }

    /// Returns true if it defines a function or variable of this name for other images.
    pub fn exports(&self, name: &str) -> bool {
        self.symbols.iter().chain(&self.exported).any(|symbol| symbol == name)
    }

    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }

    /// Returns the text of its symbol file (`.sym`), which names its entry points and all exported functions for a runtime.
    ///
    /// # Errors
    /// If a name is not one line.
    pub fn symbols_text(&self) -> Result<String, Error> {
        Ok(symbols_to_text(self.symbols.iter().chain(&self.exported).map(String::as_str))?)
    }
}
