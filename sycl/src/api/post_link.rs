//! After linking, as `spirv-if sycl post-link`: the images of a program for each of several targets.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::check::Warning;
use super::check::missing_on_fixed_targets;
use super::split::{Jit, Split, SplitOptions};
use spirv_if::Error;
use spirv_if::device::{DeviceConfig, Target};
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::pipelines::{self, SpecializeRequest, program};
use spirv_if::module::Module;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::Compatibility;

use crate::image_compatibility::{image_compatibility, properties_compatibility};

/// A program, as [`link`](spirv_if::link::link) makes it of translation units: everything that does not depend on the target is computed once.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if::device::{DeviceConfig, Target};
/// use spirv_if_sycl::split::{Jit, PostLink, SplitOptions, compatibility};
/// let bytes = std::fs::read("../fixtures/opencl/plain.spv")?;
/// let linked = spirv_if::link::link(&[Module::from_bytes(&bytes)?], &Default::default())?;
/// let program = PostLink::new(&linked.module)?;
/// let targets = Target::named(["spir64", "intel_gpu_pvc", "intel_gpu_dg1"], &DeviceConfig::embedded()?)?;
/// let options = SplitOptions::new().jit(Jit::Pack);
/// let mut images = Vec::new();
/// for group in program.groups(&targets)? {
///     program.split(&group, &options, |split| {
///         for number in 0..split.plans().len() {
///             let image = split.image(number)?;
///             for target in &group {
///                 // An image goes to the targets that can run it.
///                 let module = Module::from_words(&image.words)?;
///                 if compatibility(target, &module, &image.properties)?.missing.is_empty() {
///                     images.push((target.name.clone(), image.clone()));
///                 }
///             }
///         }
///         Ok::<(), spirv_if::Error>(())
///     })??;
/// }
/// assert!(!images.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PostLink<'m> {
    module: &'m Module<'m>,
    analyses: Arc<Analyses<'m>>,
    properties: Cow<'m, PropertySets>,
}

impl fmt::Debug for PostLink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostLink").field("module", &self.module.name).finish_non_exhaustive()
    }
}

impl<'m> PostLink<'m> {
    /// Prepares a program.
    ///
    /// # Errors
    /// If the property sets inside the module are malformed, or its compile-time properties are ([`Module::lowered_properties`]).
    pub fn new(module: &'m Module<'m>) -> Result<PostLink<'m>, Error> {
        let module = module.lowered()?;
        Ok(PostLink { module, analyses: Arc::new(module.analyses()), properties: module.properties()? })
    }

    /// Returns warnings of features that the fixed targets of its translation units are missing, as [`check`](crate::check::check()) returns them. `devices` is
    /// the configuration; the embedded one, if none is given.
    ///
    /// # Errors
    /// If the module or its annotations are malformed.
    pub fn warnings(&self, devices: Option<&DeviceConfig>) -> Result<Vec<Warning>, Error> {
        missing_on_fixed_targets(self.module, &self.analyses, devices)
    }

    /// Groups targets that get the same code: first any device, then devices with the same answers to all conditions.
    ///
    /// # Errors
    /// If the conditional parts cannot be understood.
    pub fn groups<'t>(&self, targets: &'t [Target]) -> Result<Vec<Vec<&'t Target>>, Error> {
        let any = targets.iter().filter(|target| target.device.is_none());
        let mut groups: Vec<Vec<&Target>> = any.map(|target| vec![target]).collect();
        let devices = targets.iter().filter_map(|target| Some((target, target.device.as_ref()?)));
        let alike = pipelines::groups(
            &self.analyses,
            &self.properties,
            &SpecializeRequest::default(),
            devices,
            |(_, device)| device,
        )?;
        groups.extend(alike.into_iter().map(|group| group.into_iter().map(|(target, _)| target).collect()));
        Ok(groups)
    }

    /// Splits the program for targets that get the same code, by [`PostLink::groups`], and passes the split on. For specific devices, known
    /// conditions are decided first, and the remaining ones are packed. For any device, [`SplitOptions::jit`] determines the kind of
    /// images.
    ///
    /// # Errors
    /// See [`split`](crate::images::split()).
    pub fn split<R>(
        &self,
        group: &[&Target],
        options: &SplitOptions,
        make: impl FnOnce(&Split) -> R,
    ) -> Result<R, Error> {
        let Some(device) = group.iter().find_map(|target| target.device.as_ref()) else {
            let analyses = Arc::clone(&self.analyses);
            let properties = self.properties.clone();
            return Ok(make(&Split::new(analyses, properties, self.module, options)?));
        };
        let device = &*self.analyses.device_for_module(device);
        let options =
            &SplitOptions { decided_for: Some(device.clone()), ..options.clone().jit(Jit::Declare) };
        let on = program::apply_to_device(&self.analyses, &self.properties, device, options.max_clones)?;
        let (annotated, properties) = (Cow::Owned(on.annotated), Cow::Owned(on.properties));
        if on.module.words() == self.module.words() {
            let analyses = Arc::new(self.analyses.with_annotations(annotated));
            return Ok(make(&Split::new(analyses, properties, self.module, options)?));
        }
        let analyses = Arc::new(self.analyses.for_edited_module(&on.module, annotated));
        Ok(make(&Split::new(analyses, properties, self.module, options)?))
    }
}

/// Compares an image with a target before compilation. Nothing is missing if the target is any device. Sizes of work-groups do not
/// count, since the runtime compares them (docs/design/optional-kernel-features.md, "Aspect filter tool").
///
/// # Errors
/// If the property sets are malformed.
pub fn compatibility(
    target: &Target,
    image: &Module,
    properties: &PropertySets,
) -> Result<Compatibility, Error> {
    let Some(device) = &target.device else { return Ok(Compatibility::default()) };
    let result = image_compatibility(device, &image.inner, properties, None)?;
    Ok(result.without_work_group_sizes())
}

/// Like [`compatibility`], by the property sets of an image alone.
///
/// # Errors
/// If the property sets are malformed.
pub fn compatibility_of_properties(
    target: &Target,
    properties: &PropertySets,
) -> Result<Compatibility, Error> {
    let Some(device) = &target.device else { return Ok(Compatibility::default()) };
    Ok(properties_compatibility(device, properties)?.without_work_group_sizes())
}
