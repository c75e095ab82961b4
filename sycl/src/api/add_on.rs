//! Add-on images: conditional code in images of its own.

use std::collections::HashSet;

use super::split::{Image, Jit, Split, SplitOptions, split};
use crate::add_on::{AddOnSource, FamilyMember, FamilyOptions, family};
use crate::images::SplitImage;
use crate::unit_names::UnitNames;
use spirv_if::Error;
use spirv_if::module::Module;

pub use crate::add_on::AddOnRole;

/// An image of a program with add-on images.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AddOnImage {
    /// The image. It imports what its add-on images define.
    pub image: Image,
    /// The place of the image.
    pub role: AddOnRole,
    /// The number of the plan of the main image that it belongs to, in [`Split::plans`].
    pub plan: usize,
}

/// Splits a module, and puts conditional code into separate images, for runtimes that link SPIR-V without support for conditions. Each main
/// image calls declared functions. For each condition, two images define them, and a runtime links one of the two. The property set
/// "SYCL/add on images" of an image lists the required pairs, each with its condition. The property set "SYCL/add on image" identifies each
/// image of a pair.
///
/// # Errors
/// If the module cannot be split or packed. If an entry point, or code outside of calls, is conditional. If a call has parameters of a type
/// that only some devices have.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_sycl::split::{AddOnRole, SplitOptions};
/// let bytes = std::fs::read("../fixtures/opencl/many.spv")?;
/// let images = spirv_if_sycl::split::add_on(&Module::from_bytes(&bytes)?, &SplitOptions::default())?;
/// let [main, real, stub] = [0, 1, 2].map(|number| &images[number].role);
/// assert_eq!(*main, AddOnRole::Main);
/// assert!(matches!((real, stub), (AddOnRole::Real(id), AddOnRole::Stub(other)) if id == other && id.starts_with("1.")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_on(module: &Module, options: &SplitOptions) -> Result<Vec<AddOnImage>, Error> {
    split(module, &options.clone().jit(Jit::AddOn))?.add_on()
}

impl Split<'_> {
    /// Returns the images of all plans with their add-on images. Each main image is followed by the images of the conditional actions that
    /// it calls, recursively.
    ///
    /// # Errors
    /// See [`add_on`].
    pub fn add_on(&self) -> Result<Vec<AddOnImage>, Error> {
        let sources = self.inner.plans().iter().map(|plan| {
            let (image, annotated) = self.inner.packed(plan)?;
            AddOnSource::new(image, &annotated)
        });
        let sources: Vec<AddOnSource> = sources.collect::<Result<_, _>>()?;
        let mut names = UnitNames::new(self.inner.module());
        sources.iter().for_each(|source| source.reserve(&mut names));
        let options =
            FamilyOptions { devices: self.inner.devices(), property_names: self.inner.property_names() };
        let mut members = Vec::new();
        for (plan, source) in sources.iter().enumerate() {
            members.extend(family(source, &mut names, &options)?.into_iter().map(|member| (plan, member)));
        }
        let imported = members.iter().flat_map(|(_, member)| member.image.imported.iter().cloned());
        let imported: HashSet<String> = imported.collect();
        let images = members.into_iter().map(|(plan, member)| {
            let FamilyMember { role, image, .. } = member.for_importers(&imported);
            Ok(AddOnImage::new(role, self.inner.finished(image)?, plan))
        });
        images.collect()
    }
}

impl AddOnImage {
    fn new(role: AddOnRole, image: SplitImage, plan: usize) -> AddOnImage {
        AddOnImage { image: Image::new(image), role, plan }
    }
}
