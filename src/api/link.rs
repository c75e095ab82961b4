//! Linking: several translation units as one module.
//!
//! [`link()`] is for programs whose front end makes a module of each translation unit. The linked module can be packed or split.
//!
//! ```
//! use spirv_if::link::{LinkOptions, link};
//! use spirv_if::{Module, PackOptions, pack};
//! let means = std::fs::read("fixtures/program/means.spv")?;
//! let sums = std::fs::read("fixtures/program/sums.spv")?;
//! let units = [Module::from_bytes(&means)?, Module::from_bytes(&sums)?];
//! let linked = link(&units, &LinkOptions::new())?;
//! let packed = pack(&linked.module, &PackOptions::new())?;
//! assert!(packed.to_bytes().len() > sums.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;

use super::error::{Error, RequestErrorKind};
use super::module::Module;
use crate::pipelines::program;
use crate::pipelines::program::{LinkedProgram, TranslationUnit};

/// The result of linking modules.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Linked {
    /// The module, with the property sets of the whole program, and with annotations of each function's translation unit, of its property sets and
    /// its fixed targets.
    pub module: Module<'static>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Options of [`link()`].
///
/// ```
/// let options = spirv_if::link::LinkOptions::new().create_library(true);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct LinkOptions {
    create_library: bool,
}

impl LinkOptions {
    /// Starts with the default options.
    pub fn new() -> LinkOptions {
        LinkOptions::default()
    }

    /// Keeps the exports of shaders, if true, for a library that is linked again.
    ///
    /// By default shaders with entry points that import nothing lose their exports and the capability Linkage, which Vulkan does not accept.
    /// Modules of kernels always keep theirs.
    pub fn create_library(mut self, library: bool) -> LinkOptions {
        self.create_library = library;
        self
    }
}

/// Links modules: joins imports with exports, and merges equal types and constants (`spec-extensions/linking.md`). A single module is
/// unchanged, except for exports ([`LinkOptions::create_library`]).
///
/// # Errors
/// If they contradict each other, or one of several is packed or annotated already.
///
/// ```
/// let means = std::fs::read("fixtures/program/means.spv")?;
/// let sums = std::fs::read("fixtures/program/sums.spv")?;
/// let units = [spirv_if::Module::from_bytes(&means)?, spirv_if::Module::from_bytes(&sums)?];
/// let linked = spirv_if::link::link(&units, &spirv_if::link::LinkOptions::new())?;
/// assert!(linked.warnings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn link(units: &[Module], options: &LinkOptions) -> Result<Linked, Error> {
    if let [_, _, ..] = units
        && let Some(unit) = units.iter().find(|unit| !unit.annotated.is_empty())
    {
        let problem =
            format!("{} is annotated, and linking changes ids: annotate the linked module", unit.name);
        return Err(Error::request(RequestErrorKind::Options, problem));
    }
    let properties = units.iter().map(Module::properties).collect::<Result<Vec<_>, _>>()?;
    let inputs: Vec<TranslationUnit> = units
        .iter()
        .zip(&properties)
        .map(|(unit, properties)| TranslationUnit {
            name: &unit.name,
            module: &unit.inner,
            properties,
            fixed_targets: &unit.fixed_targets,
        })
        .collect();
    let (LinkedProgram { module, mut annotated, properties }, warnings) =
        program::link(&inputs, options.create_library)?;
    let mut name = "the program".to_owned();
    if let [unit] = units {
        annotated = unit.annotated.clone().into_owned().with_units(annotated);
        name = unit.name.clone().into_owned();
    }
    let module = Module {
        name: Cow::Owned(name),
        properties: Some(properties),
        annotated: Cow::Owned(annotated),
        ..Module::from_loaded(module)
    };
    Ok(Linked { module, warnings: warnings.iter().map(ToString::to_string).collect() })
}
