//! Values of a module's specialization constants on a device.

use std::borrow::Cow;

use spirv::Op;

use crate::analysis::conditions::device_constants::{
    condition_of_architecture, condition_of_capabilities, condition_of_target, on_device,
};
use crate::analysis::constants::{Constants, KnownValues};
use crate::collections::IdMap;
use crate::condition::{ConditionError, Expr, Leaf, Truth, evaluate};
use crate::device::Device;
use crate::loader::Module;
use crate::metadata::property_sets::{PropertyError, PropertySets, SpecialConstants};

/// Values for specializing a module for a device. The runtime sets some (docs/design/device-if.md, "Alternate
/// design for non-AOT SPIR-V targets"); a consumer of SPV_INTEL_function_variants evaluates others.
#[derive(Clone, Debug)]
pub struct DeviceValues<'d> {
    device: &'d Device,
    constants: Cow<'d, SpecialConstants>,
}

impl<'d> DeviceValues<'d> {
    /// Creates the values on a device, including those of constants that the properties name.
    ///
    /// # Errors
    /// If that property set is malformed.
    pub fn new(device: &'d Device, properties: &PropertySets) -> Result<DeviceValues<'d>, PropertyError> {
        Ok(DeviceValues { device, constants: Cow::Owned(SpecialConstants::from_properties(properties)?) })
    }

    /// Like [`new`](Self::new), with the constants of parsed properties.
    pub fn with_constants(device: &'d Device, constants: &'d SpecialConstants) -> DeviceValues<'d> {
        DeviceValues { device, constants: Cow::Borrowed(constants) }
    }

    /// Returns the constants that represent a leaf, by SpecId.
    pub fn standing_for(&self, leaf: Leaf) -> impl Iterator<Item = u32> {
        self.constants.leaves().filter(move |constant| constant.1 == leaf).map(|constant| constant.0)
    }

    /// Returns the leaf that a specialization constant represents.
    pub fn meaning(&self, spec_id: u32) -> Option<Leaf> {
        self.constants.leaves().find(|constant| constant.0 == spec_id).map(|constant| constant.1)
    }

    /// Returns the value of a device constant's condition, as far as the device answers leaves itself ([`Device::with_answers`]).
    fn answer(&self, condition: Option<Expr>) -> Option<bool> {
        let answers = Some(&self.device.host).filter(|answers| !answers.is_empty())?;
        match evaluate(&condition?, &|leaf| answers.get(&leaf).copied()) {
            Ok(Truth::True) => Some(true),
            Ok(Truth::False) => Some(false),
            Ok(Truth::Unknown) | Err(_) => None,
        }
    }

    /// Returns the Boolean constants of a module with a known value on the device, by result id.
    pub fn conditions_of(&self, module: &Module) -> IdMap<bool> {
        let mut constants = Constants::new(module, self, &[]);
        let ids = module.globals().filter_map(|inst| inst.result_id());
        ids.filter_map(|id| Some((id, constants.condition(id)?))).collect()
    }
}

impl KnownValues for DeviceValues<'_> {
    fn spec_constant(&self, spec_id: u32) -> Option<u64> {
        self.device.truth(self.meaning(spec_id)?).map(u64::from)
    }

    fn target(&self, target: u32, features: &[u32]) -> Option<bool> {
        let known = self.device.is_target(target, features);
        known.or_else(|| self.answer(condition_of_target(target, features)))
    }

    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool> {
        let known = self.device.compare_architecture(category, family, opcode, architecture);
        let condition = || condition_of_architecture(category, family, Op::from_u32(opcode)?, architecture);
        known.or_else(|| self.answer(condition()))
    }

    fn capabilities(&self, capabilities: &[u32]) -> Option<bool> {
        let known = self.device.has_capabilities(capabilities);
        known.or_else(|| self.answer(condition_of_capabilities(capabilities).map(on_device)))
    }

    fn is_for_conditions(&self, spec_id: u32) -> bool {
        self.meaning(spec_id).is_some()
    }
}

/// Values that are equal on each of several devices.
#[derive(Debug)]
pub struct CommonValues<'d>(Vec<DeviceValues<'d>>);

impl<'d> CommonValues<'d> {
    /// Creates the common values, including those of constants that the properties name.
    ///
    /// # Errors
    /// If that property set is malformed.
    pub fn new(devices: &'d [Device], properties: &PropertySets) -> Result<CommonValues<'d>, PropertyError> {
        let values = devices.iter().map(|device| DeviceValues::new(device, properties));
        Ok(CommonValues(values.collect::<Result<_, _>>()?))
    }

    fn common<T: PartialEq>(&self, value: impl Fn(&DeviceValues<'d>) -> Option<T>) -> Option<T> {
        let (first, others) = self.0.split_first()?;
        let common = value(first)?;
        others.iter().all(|other| value(other).is_some_and(|other| other == common)).then_some(common)
    }
}

impl KnownValues for CommonValues<'_> {
    fn spec_constant(&self, spec_id: u32) -> Option<u64> {
        self.common(|device| device.spec_constant(spec_id))
    }

    fn target(&self, target: u32, features: &[u32]) -> Option<bool> {
        self.common(|device| device.target(target, features))
    }

    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool> {
        self.common(|device| device.architecture(category, family, opcode, architecture))
    }

    fn capabilities(&self, capabilities: &[u32]) -> Option<bool> {
        self.common(|device| device.capabilities(capabilities))
    }
}

/// Returns the known values on a device of constants that represent conditions, by SpecId.
///
/// # Errors
/// If a condition is out of bounds.
pub fn known_values(device: &Device, conditions: &IdMap<Expr>) -> Result<IdMap<bool>, ConditionError> {
    let mut values = IdMap::new();
    for (&spec_id, condition) in conditions {
        match evaluate(condition, &|leaf| device.truth(leaf))? {
            Truth::True => drop(values.insert(spec_id, true)),
            Truth::False => drop(values.insert(spec_id, false)),
            Truth::Unknown => {}
        }
    }
    Ok(values)
}

/// Like [`known_values`], but returns the values that are equal on each of several devices.
///
/// # Errors
/// If a condition is out of bounds.
pub fn common_values(devices: &[Device], conditions: &IdMap<Expr>) -> Result<IdMap<bool>, ConditionError> {
    let Some((first, others)) = devices.split_first() else { return Ok(IdMap::new()) };
    let mut values = known_values(first, conditions)?;
    for device in others {
        let known = known_values(device, conditions)?;
        values.retain(|spec_id, value| known.get(spec_id) == Some(value));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceNames;

    #[test]
    fn constants_stand_for_what_the_device_has() {
        let [pvc, other] = [20, 10].map(Leaf::Architecture);
        let capability = Leaf::Capability(spirv::Capability::Float64 as u32);
        let [fp16, fp64, accelerator] = [5, 6, 3].map(Leaf::Aspect);
        let leaves = [(10, fp16), (11, fp64), (12, accelerator), (20, pvc), (21, other), (30, capability)];
        let special = SpecialConstants::new(leaves);
        let mut properties = PropertySets::default();
        properties.put(special.to_set());
        let device = Device::embedded("intel_gpu_pvc").unwrap();
        let known = DeviceValues::new(&device, &properties).unwrap();
        let values = [10, 11, 12, 20, 21, 30, 40].map(|spec_id| known.spec_constant(spec_id));
        assert_eq!(values, [Some(1), Some(1), Some(0), Some(1), Some(0), Some(1), None]);
        let conditions = [(0, "fp64 && !arch(intel_gpu_dg1)"), (1, "fp16 && arch(intel_gpu_dg1)")];
        let parse = |text| Expr::parse(text, &DeviceNames).unwrap();
        let conditions: IdMap<Expr> = conditions.map(|(spec_id, text)| (spec_id, parse(text))).into();
        assert_eq!(known_values(&device, &conditions).unwrap(), IdMap::from([(0, true), (1, false)]));
        let unknown = Device::default();
        assert_eq!(known_values(&unknown, &conditions).unwrap(), IdMap::new());
        let known = DeviceValues::new(&unknown, &properties).unwrap();
        assert_eq!([10, 20, 30].map(|spec_id| known.spec_constant(spec_id)), [None; 3]);
    }
}
