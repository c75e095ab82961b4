//! The devices that run a module, and the first missing feature of each other device.

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Missing;
use super::declarations::ModuleDeclarations;
use super::device_values::DeviceValues;
use super::driver::accepts;
use crate::analysis::DeviceRequirement;
use crate::analysis::constants::Constants;
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::device::Device;
use crate::device::KnownCapabilities;
use crate::loader::Module;
use crate::metadata::property_sets::{PropertyError, PropertySets};

/// The result for a device and a module. Of several missing features the first counts, in the order of
/// [`Missing`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// The device runs the module.
    Runs,
    /// The device does not run the module, because of this missing feature.
    Missing(Missing),
    /// No feature is known to be missing, but it is unknown whether this one is supported or required.
    Unknown(Missing),
}

impl Fit {
    /// True if the device is known to run the module.
    pub fn runs(&self) -> bool {
        *self == Fit::Runs
    }

    /// True if the device runs the module, false if it does not; `None` if unknown.
    pub(crate) fn is_known_to_run(&self) -> Option<bool> {
        match self {
            Fit::Runs => Some(true),
            Fit::Missing(_) => Some(false),
            Fit::Unknown(_) => None,
        }
    }

    /// Returns the result of a device for these declarations. `truth` returns the known values of the leaves
    /// of conditions.
    ///
    /// Versions, extensions and the largest work-group are checked only if the device lists them.
    /// Capabilities of extensions that no device of the configuration is known to support are not checked
    /// either.
    pub fn new(
        device: &Device,
        known: &KnownCapabilities,
        declarations: &ModuleDeclarations,
        truth: &dyn Fn(Leaf) -> Option<bool>,
    ) -> Fit {
        let mut first_unknown = None;
        let version = declarations.version;
        if device.has_spirv_version(version) == Some(false) {
            return Fit::Missing(Missing::Version(version));
        }
        for (number, when) in &declarations.capabilities {
            let has = known.has(device, *number);
            match is_missing(has, when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Missing(Missing::Capability((*number).into())),
                Truth::Unknown => drop(first_unknown.get_or_insert(Missing::Capability((*number).into()))),
            }
        }
        for (name, when) in &declarations.extensions {
            let has = accepts(device, name, version).unwrap_or(true);
            match is_missing(Some(has), when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Missing(Missing::Extension(name.clone())),
                Truth::Unknown => drop(first_unknown.get_or_insert_with(|| Missing::Extension(name.clone()))),
            }
        }
        if let Some(size) = declarations.work_group_size
            && device.max_work_group_size.is_some_and(|limit| size > limit.into())
        {
            return Fit::Missing(Missing::WorkGroupSize { size, limit: None });
        }
        for (need, when) in &declarations.required {
            let (has, missing) = match *need {
                DeviceRequirement::Aspect(aspect) => {
                    (device.has_aspect(aspect), Missing::Aspect(aspect.into()))
                }
                DeviceRequirement::SubGroupSize(size) => {
                    (device.has_sub_group_size(size), Missing::sub_group_size(size))
                }
                DeviceRequirement::WorkGroupSize(_) => continue,
            };
            match is_missing(has, when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Missing(missing),
                Truth::Unknown => drop(first_unknown.get_or_insert(missing)),
            }
        }
        first_unknown.map_or(Fit::Runs, Fit::Unknown)
    }
}

/// True if a feature is required and not supported. `has` is true if it is supported, and `when` is the condition of the requirement.
fn is_missing(has: Option<bool>, when: &Expr, truth: &dyn Fn(Leaf) -> Option<bool>) -> Truth {
    if has == Some(true) {
        return Truth::False;
    }
    let required = match when {
        Expr::True => Truth::True,
        // A condition that is too complex to evaluate is unknown.
        _ => evaluate(when, truth).unwrap_or(Truth::Unknown),
    };
    match required {
        Truth::True if has.is_none() => Truth::Unknown,
        required => required,
    }
}

/// Writes the cell of a table: `runs`, or the name of the missing feature, with a question mark if it is
/// unknown.
impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fit::Runs => f.write_str("runs"),
            Fit::Missing(missing) => f.write_str(&missing.name()),
            Fit::Unknown(missing) => write!(f, "{}?", missing.name()),
        }
    }
}

/// The results of several devices, computed once for equal declarations.
pub struct Fits<'d> {
    devices: Vec<&'d Device>,
    known: KnownCapabilities,
    computed: HashMap<ModuleDeclarations, Arc<[Fit]>>,
}

impl<'d> Fits<'d> {
    /// Creates an empty cache for devices.
    #[cfg(test)]
    pub fn new(devices: Vec<&'d Device>) -> Fits<'d> {
        let known = KnownCapabilities::new(devices.iter().copied());
        Fits::with_known(devices, known)
    }

    /// Creates an empty cache for some devices of a configuration. All of its devices determine the known
    /// capabilities.
    pub fn with_known(devices: Vec<&'d Device>, known: KnownCapabilities) -> Fits<'d> {
        Fits { devices, known, computed: HashMap::new() }
    }

    /// Returns the devices, in the order of all results.
    pub fn devices(&self) -> &[&'d Device] {
        &self.devices
    }

    /// Returns the result of each device for these declarations. Constants of a module are unknown here.
    pub fn for_declarations(&mut self, declarations: &ModuleDeclarations) -> Arc<[Fit]> {
        if let Some(fits) = self.computed.get(declarations) {
            return fits.clone();
        }
        let fit = |device: &&Device| Fit::new(device, &self.known, declarations, &|leaf| device.truth(leaf));
        let fits: Arc<[Fit]> = self.devices.iter().map(fit).collect();
        self.computed.insert(declarations.clone(), fits.clone());
        fits
    }

    /// Like [`for_declarations`](Self::for_declarations), for declarations of a module whose constants have values on each device. The
    /// properties of the module have the conditions that the constants represent.
    ///
    /// # Errors
    /// If the properties are malformed.
    pub fn for_module(
        &mut self,
        declarations: &ModuleDeclarations,
        module: &Module,
        properties: &PropertySets,
    ) -> Result<Arc<[Fit]>, PropertyError> {
        if !declarations.has_constants() {
            return Ok(self.for_declarations(declarations));
        }
        let fits = self.devices.iter().map(|device| {
            let values = DeviceValues::new(device, properties)?;
            let constants = RefCell::new(Constants::new(module, &values, &[]));
            let truth = |leaf: Leaf| match leaf {
                Leaf::Constant(id) => constants.borrow_mut().condition(id),
                _ => device.truth(leaf),
            };
            Ok(Fit::new(device, &self.known, declarations, &truth))
        });
        fits.collect()
    }
}
