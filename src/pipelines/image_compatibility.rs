//! The verdict on an image of a program, by its property sets and its declarations.

use super::PipelineError;
use crate::compatibility::{Compatibility, ModuleDeclarations, check_requirements};
use crate::device::Device;
use crate::loader::Module;
use crate::metadata::property_sets::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertySets};

/// Compares an image with a device. Its declarations count as they are once the image is linked and specialized for the device.
///
/// # Errors
/// If the property sets are malformed.
pub fn image_compatibility(
    device: &Device,
    module: &Module,
    properties: &PropertySets,
) -> Result<Compatibility, PipelineError> {
    let declarations = ModuleDeclarations::as_is(module).of_plain_module();
    let mut result = Compatibility::of_module(device, &declarations, module, properties)?;
    result.extend(properties_compatibility(device, properties)?);
    Ok(result)
}

/// Compares the requirements in the property sets of an image with a device.
///
/// # Errors
/// If the property sets are malformed.
pub fn properties_compatibility(
    device: &Device,
    properties: &PropertySets,
) -> Result<Compatibility, PipelineError> {
    let Some(set) = properties.get(DEVICE_REQUIREMENTS) else { return Ok(Compatibility::default()) };
    Ok(check_requirements(device, &DeviceRequirements::from_set(set)?)?)
}
