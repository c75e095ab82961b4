//! Which devices run a module, and what each of the others lacks first.

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::declarations::Declarations;
use super::device_values::DeviceValues;
use super::refusal::takes;
use crate::analysis::DeviceRequirement;
use crate::analysis::constants::{Constants, Unset};
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::device::KnownCapabilities;
use crate::device::{Device, aspects, capabilities};
use crate::loader::Module;
use crate::sidecar::property_sets::{PropertyError, PropertySets};

/// Something that a module asks of a device. Displayed, it is short enough for a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Missing {
    /// A version of SPIR-V, major and minor.
    Version(u8, u8),
    /// A capability, by number.
    Capability(u32),
    /// An extension.
    Extension(String),
    /// Work-groups of so many work-items.
    WorkGroupSize(u64),
    /// An aspect, by number.
    Aspect(u32),
    /// Sub-groups of so many work-items.
    SubGroupSize(u32),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Version(major, minor) => write!(f, "SPIR-V {major}.{minor}"),
            Missing::Capability(number) => match capabilities::name(*number) {
                Some(name) => f.write_str(name),
                None => write!(f, "capability {number}"),
            },
            Missing::Extension(name) => f.write_str(name),
            Missing::Aspect(number) => match aspects::name(*number) {
                Some(name) => write!(f, "aspect {name}"),
                None => write!(f, "aspect {number}"),
            },
            Missing::WorkGroupSize(size) => write!(f, "work-group size {size}"),
            Missing::SubGroupSize(size) => write!(f, "sub-group size {size}"),
        }
    }
}

/// Whether a device runs a module. Of several things that a device lacks, the first counts, in the order of [`Missing`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// It does.
    Runs,
    /// It does not: it lacks this.
    Lacks(Missing),
    /// Nothing is known to be missing, but this is not known to be there, or not known to be asked for.
    Unknown(Missing),
}

impl Fit {
    /// Whether the device is known to run the module.
    pub fn runs(&self) -> bool {
        *self == Fit::Runs
    }

    /// Whether the device runs the module, where that is known.
    pub(crate) fn is_known_to_run(&self) -> Option<bool> {
        match self {
            Fit::Runs => Some(true),
            Fit::Lacks(_) => Some(false),
            Fit::Unknown(_) => None,
        }
    }

    /// Whether a device runs what declares this; `truth` tells what is known of the leaves of conditions on it.
    ///
    /// Versions, extensions and the largest work-group count only where somebody listed them for the device.
    /// So do capabilities of extensions that the device configuration does not tell of.
    pub fn new(
        device: &Device,
        told: &KnownCapabilities,
        declarations: &Declarations,
        truth: &dyn Fn(Leaf) -> Option<bool>,
    ) -> Fit {
        let mut first_unknown = None;
        let version = declarations.version;
        if device.has_spirv_version(version) == Some(false) {
            return Fit::Lacks(Missing::Version(version.0, version.1));
        }
        for (number, when) in &declarations.capabilities {
            let has = told.has(device, *number);
            match asks(has, when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Lacks(Missing::Capability(*number)),
                Truth::Unknown => drop(first_unknown.get_or_insert(Missing::Capability(*number))),
            }
        }
        for (name, when) in &declarations.extensions {
            let has = takes(device, name, version).unwrap_or(true);
            match asks(Some(has), when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Lacks(Missing::Extension(name.clone())),
                Truth::Unknown => drop(first_unknown.get_or_insert_with(|| Missing::Extension(name.clone()))),
            }
        }
        if let Some(size) = declarations.work_group_size
            && device.max_work_group_size.is_some_and(|limit| size > limit.into())
        {
            return Fit::Lacks(Missing::WorkGroupSize(size));
        }
        for (need, when) in &declarations.needs {
            let (has, missing) = match *need {
                DeviceRequirement::Aspect(aspect) => (device.has_aspect(aspect), Missing::Aspect(aspect)),
                DeviceRequirement::SubGroupSize(size) => {
                    (device.has_sub_group_size(size), Missing::SubGroupSize(size))
                }
                DeviceRequirement::WorkGroupSize(_) => continue,
            };
            match asks(has, when, truth) {
                Truth::False => {}
                Truth::True => return Fit::Lacks(missing),
                Truth::Unknown => drop(first_unknown.get_or_insert(missing)),
            }
        }
        first_unknown.map_or(Fit::Runs, Fit::Unknown)
    }
}

/// Whether something is asked for in vain: it is not there, and its condition holds.
fn asks(has: Option<bool>, when: &Expr, truth: &dyn Fn(Leaf) -> Option<bool>) -> Truth {
    if has == Some(true) {
        return Truth::False;
    }
    let asked = match when {
        Expr::True => Truth::True,
        // What is too complex to decide is not known.
        _ => evaluate(when, truth).unwrap_or(Truth::Unknown),
    };
    match asked {
        Truth::True if has.is_none() => Truth::Unknown,
        asked => asked,
    }
}

/// As in a table: `runs`, what is missing, or that with a question mark where it is not known.
impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fit::Runs => f.write_str("runs"),
            Fit::Lacks(missing) => missing.fmt(f),
            Fit::Unknown(missing) => write!(f, "{missing}?"),
        }
    }
}

/// The answers of several devices, each worked out once for the same declarations.
pub struct Fits<'d> {
    devices: Vec<&'d Device>,
    told: KnownCapabilities,
    known: HashMap<Declarations, Arc<[Fit]>>,
}

impl<'d> Fits<'d> {
    /// Sets up for devices.
    #[cfg(test)]
    pub fn new(devices: Vec<&'d Device>) -> Fits<'d> {
        let told = KnownCapabilities::by(devices.iter().copied());
        Fits::told(devices, told)
    }

    /// Sets up for some of the devices of a configuration, which tells of others as well.
    pub fn told(devices: Vec<&'d Device>, told: KnownCapabilities) -> Fits<'d> {
        Fits { devices, told, known: HashMap::new() }
    }

    /// The devices, in the order of all answers.
    pub fn devices(&self) -> &[&'d Device] {
        &self.devices
    }

    /// Which of the devices run what declares this, and what the others lack. Constants of a module are not known here.
    pub fn of(&mut self, declarations: &Declarations) -> Arc<[Fit]> {
        if let Some(known) = self.known.get(declarations) {
            return known.clone();
        }
        let fit = |device: &&Device| Fit::new(device, &self.told, declarations, &|leaf| device.truth(leaf));
        let fits: Arc<[Fit]> = self.devices.iter().map(fit).collect();
        self.known.insert(declarations.clone(), fits.clone());
        fits
    }

    /// The same for declarations of a module, whose constants have the values that they have on each device: what they stand
    /// for is told by the properties of the module.
    ///
    /// # Errors
    /// Where the properties are malformed.
    pub fn of_module(
        &mut self,
        declarations: &Declarations,
        module: &Module,
        properties: &PropertySets,
    ) -> Result<Arc<[Fit]>, PropertyError> {
        if !declarations.has_constants() {
            return Ok(self.of(declarations));
        }
        let fits = self.devices.iter().map(|device| {
            let known = DeviceValues::new(device, properties)?;
            let constants = RefCell::new(Constants::new(module, &known, &[], Unset::Keep));
            let truth = |leaf: Leaf| match leaf {
                Leaf::Constant(id) => constants.borrow_mut().condition(id),
                _ => device.truth(leaf),
            };
            Ok(Fit::new(device, &self.told, declarations, &truth))
        });
        fits.collect()
    }
}
