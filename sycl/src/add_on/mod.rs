//! Add-on images: the conditional actions of a program in separate modules, which a runtime links with the main images
//! (docs/design/device-if.md, "Changes to the `sycl-post-link` tool (non-AOT)").
//!
//! Starts with a packed image. The functions that it calls only under a condition become a pair of images. One has the functions, and the
//! other has their replacements on other devices. The images of a pair may have conditional calls of their own. The tree of all of them is
//! a family.

mod image;
mod source;
mod tree;
mod types;

pub use source::AddOnSource;

use std::collections::HashSet;

use crate::declare::AddOnError;
use crate::images::SplitImage;
use crate::unit_names::UnitNames;
use spirv_if::device::DeviceConfig;
use spirv_if::engine::metadata::property_sets::add_exported;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::error::ModuleErrorKind;
use spirv_if::kinds_of_errors;
use spirv_if::property_sets::PropertyNames;
use tree::FamilyTree;

kinds_of_errors! {
    AddOnError => module(ModuleErrorKind::Split),
}

/// The maximum number of images of a family.
const MAX_IMAGES: usize = 4096;

/// Options of making add-on images.
#[derive(Clone, Copy, Debug)]
pub struct FamilyOptions<'o> {
    /// The configuration of the devices.
    pub devices: &'o DeviceConfig,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

/// The place of an image in a program with add-on images.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AddOnRole {
    /// An image with entry points, or exported functions.
    Main,
    /// An image with conditional actions. It is linked if the condition of the pair with this id holds.
    ///
    /// The id is a number, from 1, a full stop, and the number of the link unit.
    Real(String),
    /// An image with the calls instead of these actions, or with empty functions. It is linked if the condition does
    /// not hold.
    Stub(String),
}

/// An image of a family.
#[derive(Clone, Debug)]
pub struct FamilyMember {
    /// The role of the image.
    pub role: AddOnRole,
    /// The image.
    pub image: SplitImage,
    /// The variables that it exports. They are among its symbols if another image of the program imports them.
    variables: Vec<String>,
}

impl FamilyMember {
    /// Adds its variables to its symbols if images of the program import them.
    pub fn for_importers(mut self, imported: &HashSet<String>) -> FamilyMember {
        self.variables.retain(|name| imported.contains(name));
        add_exported(&mut self.image.properties, &self.variables);
        self.image.exported.append(&mut self.variables);
        self
    }
}

/// Divides an image into a family; the main image is the first. Several images of a program share `names`. All names are
/// [reserved](AddOnSource::reserve) before the first image is divided.
///
/// # Errors
/// See [`PipelineError`].
pub fn family(
    source: &AddOnSource,
    names: &mut UnitNames,
    options: &FamilyOptions,
) -> Result<Vec<FamilyMember>, PipelineError> {
    let analyses = source.analyses();
    let graph = source.graph();
    let mut tree = FamilyTree::new(source, &analyses, &graph, names, options)?;
    tree.share_state(analyses.names(), &source.image.variables, names)?;
    let mut members = Vec::with_capacity(tree.nodes.len());
    for number in 0..tree.nodes.len() {
        members.push(tree.member(number, source, analyses.names(), &graph, options)?);
    }
    Ok(members)
}
