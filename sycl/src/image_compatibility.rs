//! The verdict on an image of a program, by its property sets, its declarations, and its entry points.

use std::borrow::Cow;

use spirv_if::device::{Api, Device};
use spirv_if::engine::analysis::conditions::multi_target::declares_extension;
use spirv_if::engine::analysis::requirements::api_of;
use spirv_if::engine::analysis::{Analyses, Annotated};
use spirv_if::engine::compatibility::{ModuleDeclarations, check_requirements};
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::pipelines::entry_points::{EntryPointResult, have_vulkan_features, results, runs_all};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::Compatibility;

/// Compares an image with a device. Its declarations count as after linking and specializing the image for the device.
/// An image with several entry points is for devices that run one of them; `kernel` names the one that counts.
///
/// # Errors
/// If the property sets are malformed, or the requirements of the entry points cannot be found.
pub fn image_compatibility(
    device: &Device,
    module: &Module,
    properties: &PropertySets,
    kernel: Option<&str>,
) -> Result<Compatibility, PipelineError> {
    let device = &*device.for_api(api_of(module));
    let declarations = ModuleDeclarations::as_is(module).of_plain_module();
    let mut result = Compatibility::of_module(device, &declarations, module, properties)?;
    result.extend(properties_compatibility(device, properties)?);
    // The conditions of a packed image are decided later.
    let entry_points = match declares_extension(module) {
        true => Vec::new(),
        false => entry_points_on(device, module, kernel)?,
    };
    let is_refused = |entry_point: &EntryPointResult| !entry_point.devices[0].missing.is_empty();
    let all_are_refused = entry_points.iter().all(is_refused);
    for mut on_device in entry_points.into_iter().flat_map(|entry_point| entry_point.devices) {
        on_device.missing.retain(|_| all_are_refused);
        result.extend(on_device);
    }
    Ok(result)
}

/// Compares the entry points of an image with a device.
fn entry_points_on(
    device: &Device,
    module: &Module,
    kernel: Option<&str>,
) -> Result<Vec<EntryPointResult>, PipelineError> {
    let analyses = Analyses::new(module, Cow::Owned(Annotated::default()));
    let devices = [device];
    if device.is_unknown() || have_vulkan_features(&analyses, &devices) && runs_all(&analyses, &devices) {
        return Ok(Vec::new());
    }
    let mut entry_points = results(&analyses, &devices)?;
    if entry_points.iter().any(|entry_point| kernel == Some(&entry_point.name)) {
        entry_points.retain(|entry_point| kernel == Some(&entry_point.name));
    }
    Ok(entry_points)
}

/// Compares the requirements in the property sets of an image with a device. An image of unknown kind is one of
/// kernels.
///
/// # Errors
/// If the property sets are malformed.
pub fn properties_compatibility(
    device: &Device,
    properties: &PropertySets,
) -> Result<Compatibility, PipelineError> {
    let requirements = DeviceRequirements::from_properties(properties)?.unwrap_or_default();
    Ok(check_requirements(&device.for_api(Api::OpenCl), &requirements))
}
