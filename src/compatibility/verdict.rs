//! The verdict on code and a device: the device runs the code, does not run it, or is not known to run it. All commands
//! use it.

#[cfg(test)]
mod tests;

use std::borrow::{Borrow, Cow};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use spirv::Capability;

use super::check_requirements;
use super::compared_feature::ComparedFeature;
use super::declarations::ModuleDeclarations;
use super::device_values::DeviceValues;
use super::missing::{ClauseCounts, Missing, clause, label};
use crate::analysis::constants::Constants;
use crate::analysis::requirements::closure_of;
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::device::{Api, Device};
use crate::loader::Module;
use crate::metadata::property_sets::{PropertyError, PropertySets};

/// The verdict on code, such as a module or an entry point, and a device. It is displayed as `runs`, `does not run` or `not known`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The device runs it.
    Runs,
    /// The device does not run it.
    DoesNotRun,
    /// The device is not known to run it.
    NotKnown,
}

impl Verdict {
    /// Returns the verdict as it is written in JSON and for people.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Runs => "runs",
            Verdict::DoesNotRun => "does not run",
            Verdict::NotKnown => "not known",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The features that decide a [`Verdict`], in the order in which they are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Compatibility {
    /// The required features that the device does not have.
    pub missing: Vec<Missing>,
    /// The features that the device may or may not have, or that may or may not be required.
    pub unknown: Vec<Missing>,
}

impl Compatibility {
    /// Returns the verdict.
    pub fn verdict(&self) -> Verdict {
        match (self.missing.is_empty(), self.unknown.is_empty()) {
            (false, _) => Verdict::DoesNotRun,
            (true, false) => Verdict::NotKnown,
            (true, true) => Verdict::Runs,
        }
    }

    /// Returns true if the device is known to run the code.
    pub fn runs(&self) -> bool {
        self.verdict() == Verdict::Runs
    }

    /// Returns the clause about the device, such as "does not run on phone, which does not accept Float64".
    pub fn explain(&self, device: &Device) -> String {
        let device = label(&device.name);
        match self.runs() {
            true => format!("runs on {device}"),
            false => clause(&self.missing, &self.unknown, device, ClauseCounts { subjects: 1, devices: 1 }),
        }
    }

    /// Returns the first missing feature, or else the first unknown feature.
    pub fn first(&self) -> Option<&Missing> {
        self.missing.first().or(self.unknown.first())
    }

    /// Returns the features other than sizes of work-groups.
    #[doc(hidden)]
    pub fn without_work_group_sizes(mut self) -> Compatibility {
        for features in [&mut self.missing, &mut self.unknown] {
            features.retain(|feature| !matches!(feature, Missing::WorkGroupSize { .. }));
        }
        self
    }

    /// Returns only the first feature.
    #[doc(hidden)]
    pub fn first_only(&self) -> Compatibility {
        let first = |features: &[Missing]| features.first().cloned().into_iter().collect();
        match self.verdict() {
            Verdict::DoesNotRun => Compatibility { missing: first(&self.missing), unknown: Vec::new() },
            _ => Compatibility { missing: Vec::new(), unknown: first(&self.unknown) },
        }
    }

    /// Adds a feature. `met` is true if the device meets the requirement, false if it does not, and `None` if that is not known.
    pub(crate) fn add(&mut self, met: Option<bool>, feature: impl FnOnce() -> Missing) {
        match met {
            Some(true) => {}
            Some(false) => self.missing.push(feature()),
            None => self.unknown.push(feature()),
        }
    }

    /// Adds the features of other code, each once.
    #[doc(hidden)]
    pub fn extend(&mut self, other: Compatibility) {
        for (features, others) in [(&mut self.missing, other.missing), (&mut self.unknown, other.unknown)] {
            for feature in others {
                if !features.contains(&feature) {
                    features.push(feature);
                }
            }
            // A capability explains the aspect that equals it.
            let all = features.clone();
            features.retain(|feature| !all.iter().any(|other| other.explains(feature)));
        }
    }

    /// Compares declarations with a device. `truth` returns the known values of the leaves of conditions.
    pub(crate) fn new(
        device: &Device,
        declarations: &ModuleDeclarations,
        truth: &dyn Fn(Leaf) -> Option<bool>,
    ) -> Compatibility {
        let mut results = Compatibility::of_devices(&[device], declarations, &|_, leaf| truth(leaf));
        results.pop().unwrap_or_default()
    }

    /// Compares declarations with devices. What does not depend on them is found once. `truth` returns the known values of the leaves of conditions on each
    /// device.
    fn of_devices(
        devices: &[impl Borrow<Device>],
        declarations: &ModuleDeclarations,
        truth: &dyn Fn(&Device, Leaf) -> Option<bool>,
    ) -> Vec<Compatibility> {
        let mut results = Compatibility::of_features(devices, declarations.compared_features(), truth);
        for (device, result) in devices.iter().zip(&mut results) {
            let device = device.borrow();
            if let Some(recorded) = &declarations.recorded {
                result.extend(check_requirements(device, recorded));
            }
            if let Some((count, when)) = &declarations.undecided_calls {
                let met = is_met(Some(false), when, &|leaf| truth(device, leaf));
                result.add(met, || Missing::UndecidedCalls(*count));
            }
        }
        results
    }

    /// Compares features that are required under conditions with devices.
    pub(crate) fn of_features<'f>(
        devices: &[impl Borrow<Device>],
        features: impl IntoIterator<Item = (ComparedFeature<'f>, &'f Expr)>,
        truth: &dyn Fn(&Device, Leaf) -> Option<bool>,
    ) -> Vec<Compatibility> {
        let mut results = vec![Compatibility::default(); devices.len()];
        for (feature, when) in features {
            for (device, result) in devices.iter().zip(&mut results) {
                let device = device.borrow();
                let met = is_met(feature.is_supported(device), when, &|leaf| truth(device, leaf));
                result.add(met, || feature.missing(device));
            }
        }
        results
    }

    /// Compares declarations of a module with a device. The properties have the conditions that constants of the module represent.
    ///
    /// # Errors
    /// If the properties are malformed.
    #[doc(hidden)]
    pub fn of_module(
        device: &Device,
        declarations: &ModuleDeclarations,
        module: &Module,
        properties: &PropertySets,
    ) -> Result<Compatibility, PropertyError> {
        let device = &device.for_api(declarations.api());
        let values = DeviceValues::new(device, properties)?;
        let constants = RefCell::new(Constants::new(module, &values, &[]));
        let truth = |leaf: Leaf| match leaf {
            Leaf::Constant(id) => constants.borrow_mut().condition(id),
            _ => device.truth(leaf),
        };
        Ok(Compatibility::new(device, declarations, &truth))
    }
}

/// Returns true if a feature is supported or not required, and false if it is required and not supported; `None` if that is not known.
fn is_met(supports: Option<bool>, when: &Expr, truth: &dyn Fn(Leaf) -> Option<bool>) -> Option<bool> {
    if supports == Some(true) {
        return supports;
    }
    let required = match when {
        Expr::True => Truth::True,
        // A condition that is too complex to evaluate is not known.
        _ => evaluate(when, truth).unwrap_or(Truth::Unknown),
    };
    is_met_where(supports, required)
}

/// Like [`is_met`], for a condition with this value.
pub(super) fn is_met_where(supports: Option<bool>, required: Truth) -> Option<bool> {
    match required {
        Truth::False => Some(true),
        Truth::True => supports,
        Truth::Unknown => supports.filter(|supports| *supports),
    }
}

/// Writes the cell of a table: `runs`, or the name of the first missing feature, with a question mark if it is unknown.
impl fmt::Display for Compatibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.missing.first(), self.unknown.first()) {
            (Some(missing), _) => f.write_str(&missing.name()),
            (None, Some(unknown)) => write!(f, "{}?", unknown.name()),
            (None, None) => f.write_str(Verdict::Runs.name()),
        }
    }
}

/// The results of several devices, computed once for equal declarations.
pub struct DeviceResults<'d> {
    devices: Vec<&'d Device>,
    /// The devices under the API of modules.
    under_api: HashMap<Option<Api>, Vec<Cow<'d, Device>>>,
    computed: HashMap<ModuleDeclarations, Arc<[Compatibility]>>,
}

impl<'d> DeviceResults<'d> {
    /// Creates an empty cache for devices.
    pub fn new(devices: Vec<&'d Device>) -> DeviceResults<'d> {
        DeviceResults { devices, under_api: HashMap::new(), computed: HashMap::new() }
    }

    /// Returns the devices, in the order of all results.
    pub fn devices(&self) -> &[&'d Device] {
        &self.devices
    }

    /// Returns the result of each device for these declarations. Constants of a module are unknown here.
    pub fn for_declarations(&mut self, declarations: &ModuleDeclarations) -> Arc<[Compatibility]> {
        if let Some(results) = self.computed.get(declarations) {
            return results.clone();
        }
        let api = declarations.api();
        let all = || self.devices.iter().map(|&device| device.for_api(api)).collect();
        let devices = self.under_api.entry(api).or_insert_with(all);
        let results: Arc<[Compatibility]> =
            Compatibility::of_devices(devices, declarations, &|device, leaf| device.truth(leaf)).into();
        self.computed.insert(declarations.clone(), results.clone());
        results
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
    ) -> Result<Arc<[Compatibility]>, PropertyError> {
        if !declarations.has_constants() {
            return Ok(self.for_declarations(declarations));
        }
        let results = self.devices.iter();
        results.map(|device| Compatibility::of_module(device, declarations, module, properties)).collect()
    }
}

impl ModuleDeclarations {
    /// Returns true if kernels are declared.
    pub(super) fn are_of_kernels(&self) -> bool {
        self.declares(Capability::Kernel)
    }

    /// Returns the API of the module, as [`api_of`](crate::analysis::requirements::api_of).
    pub(super) fn api(&self) -> Option<Api> {
        match (self.are_of_kernels(), self.declares(Capability::Shader)) {
            (true, false) => Some(Api::OpenCl),
            (false, true) => Some(Api::Vulkan),
            _ => None,
        }
    }

    /// Returns true if a capability is declared, or one that implies it.
    fn declares(&self, capability: Capability) -> bool {
        self.capabilities.iter().any(|&(number, _)| closure_of(number).contains(&(capability as u32)))
    }
}
