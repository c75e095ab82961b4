//! Values of conditions on a device.

use std::hash::{Hash, Hasher};

use spirv::Op;

use super::flat::FlatSet;
use super::{Aspect, Capability, Device, architectures, aspects, capabilities, registry};
use crate::condition::Leaf;

impl Device {
    /// Adds all known properties of the device, except its name, to a hash.
    pub(crate) fn hash_without_name(&self, state: &mut impl Hasher) {
        let Device { name: _, complete, architecture, unknown_architecture, host, may_support_more, .. } =
            self;
        let Device { category, family, registry_architecture, target, features, driver, facts, apis, .. } =
            self;
        // For an unknown device, the name distinguishes it from no device.
        self.is_unknown().hash(state);
        (complete, architecture, unknown_architecture, host, may_support_more).hash(state);
        (category, family, registry_architecture, target, features, driver, facts, apis).hash(state);
    }

    /// Returns true if the leaf holds on this device. `None` if unknown, like for specialization constants
    /// and for undecided leaves of the host, or if the API decides.
    #[doc(hidden)]
    pub fn truth(&self, leaf: Leaf) -> Option<bool> {
        self.agreed(|device| device.truth_under_api(leaf))
    }

    fn truth_under_api(&self, leaf: Leaf) -> Option<bool> {
        if let Some(&answer) = self.host.get(&leaf) {
            return Some(answer);
        }
        match leaf {
            Leaf::Architecture(architecture) => self.has_architecture(architecture),
            Leaf::Aspect(aspect) => self.has_aspect(aspect),
            Leaf::Capability(capability) => self.has_capability(capability),
            Leaf::Extension(name) => self.accepts_extension(name.as_str()),
            Leaf::Target(numbers) => {
                let (&target, features) = numbers.as_slice().split_first()?;
                self.is_target(target, features)
            }
            Leaf::Comparison(numbers) => {
                let &[category, family, opcode, architecture] = numbers.as_slice() else { return None };
                self.compare_architecture(category, family, opcode, architecture)
            }
            Leaf::Feature(name) => self.has_feature(name),
            Leaf::Limit(limit) => self.reaches(limit),
            Leaf::Host(_) | Leaf::Constant(_) => None,
        }
    }

    /// Returns true if the device is of this architecture; `None` if unknown.
    pub(crate) fn has_architecture(&self, architecture: u32) -> Option<bool> {
        if let Some(device_architecture) = self.architecture {
            return Some(device_architecture == architecture);
        }
        let named = architectures::by_value(architecture);
        // Some architectures equal the instruction set with their name, in any family.
        let target = named.and_then(|architecture| registry::List::Targets.number(architecture.name));
        if let (Some(device_target), Some(target)) = (self.target, target) {
            return Some(device_target == target);
        }
        if target.is_some_and(|target| self.is_of_other_category(target)) {
            return Some(false);
        }
        let tuple = named.and_then(|architecture| architecture.registry);
        let differs = |value: Option<u32>, other| value.is_some_and(|value| value != other);
        let is_other = tuple.is_some_and(|tuple| {
            differs(self.category, tuple.category)
                || differs(self.family, tuple.family)
                || differs(self.registry_architecture, tuple.architecture)
        });
        if is_other { Some(false) } else { self.unlisted_architecture() }
    }

    /// Returns true if the device has this aspect, which may be that of an architecture; `None` if unknown, or if the
    /// [API](Device::for_api) decides.
    ///
    /// ```
    /// use spirv_if::Device;
    /// use spirv_if::device::Aspect;
    /// let fp64: Aspect = "fp64".parse()?;
    /// assert_eq!(Device::embedded("intel_gpu_pvc")?.has_aspect(fp64), Some(true));
    /// assert_eq!(Device::default().has_aspect(fp64), None);
    /// # Ok::<(), spirv_if::device::DeviceError>(())
    /// ```
    pub fn has_aspect(&self, aspect: impl Into<Aspect>) -> Option<bool> {
        let Aspect(aspect) = aspect.into();
        self.agreed(|device| device.lists_aspect(aspect))
    }

    fn lists_aspect(&self, aspect: u32) -> Option<bool> {
        if let Some(architecture) = aspects::architecture_of(aspect) {
            // An entry may list the aspect for any architecture.
            let listed = self.facts.aspects.as_ref().is_some_and(|aspects| aspects.contains(&aspect));
            return if listed { Some(true) } else { self.has_architecture(architecture) };
        }
        match (&self.facts.aspects, capabilities::exactly(aspect), &self.facts.capabilities) {
            (Some(aspects), ..) => Some(aspects.contains(&aspect)),
            (None, Some(capability), Some(capabilities)) => Some(capabilities.contains(&capability)),
            _ => self.unlisted(),
        }
    }

    /// Returns true if the device supports this SPIR-V capability; `None` if unknown, or if the [API](Device::for_api) decides.
    pub fn has_capability(&self, capability: impl Into<Capability>) -> Option<bool> {
        let Capability(capability) = capability.into();
        self.agreed(|device| device.lists_capability(capability))
    }

    fn lists_capability(&self, capability: u32) -> Option<bool> {
        if let Some(capabilities) = &self.facts.capabilities {
            return Some(capabilities.contains(&capability));
        }
        if let Some(aspects) = &self.facts.aspects {
            if implied_by(aspects).contains(&capability) {
                return Some(true);
            }
            if capabilities::aspects_of(capability).any(|aspect| !aspects.contains(&aspect)) {
                return Some(false);
            }
        }
        self.unlisted()
    }

    /// Returns the value of OpSpecConstantCapabilitiesINTEL: true if the device supports all of these
    /// capabilities.
    ///
    /// Such a constant may stand for an aspect, and a driver's device may support the capability without
    /// having the aspect. For example, one of two kinds of 64-bit atomics suffices for Int64Atomics, and
    /// atomic64 requires both. A device that lists its aspects must therefore also have those that exactly
    /// correspond to the capabilities. So a module chooses the same as one with a condition on the aspect,
    /// and the fallback in doubt.
    pub(crate) fn has_capabilities(&self, capabilities: &[u32]) -> Option<bool> {
        conjunction(capabilities.iter().map(|&capability| {
            match (self.has_capability(capability), &self.facts.aspects) {
                (Some(true), Some(aspects)) => {
                    Some(capabilities::aspects_of(capability).all(|aspect| aspects.contains(&aspect)))
                }
                (has, _) => has,
            }
        }))
    }

    /// Returns true if the device supports sub-groups of this size.
    #[doc(hidden)]
    pub fn has_sub_group_size(&self, size: u32) -> Option<bool> {
        let listed = !self.facts.sub_group_sizes.is_empty();
        if listed { Some(self.facts.sub_group_sizes.contains(&size)) } else { self.unlisted() }
    }

    /// Returns the value of OpSpecConstantTargetINTEL: true if the device's instruction set is `target`, with
    /// all of the features.
    pub(crate) fn is_target(&self, target: u32, features: &[u32]) -> Option<bool> {
        let is_target = match self.target {
            Some(device_target) => Some(device_target == target),
            None if self.is_of_other_category(target) => Some(false),
            None => self.unlisted_architecture(),
        };
        let has_feature = |feature| match &self.features {
            Some(features) => Some(features.contains(feature)),
            None => self.unlisted_architecture(),
        };
        conjunction(std::iter::once(is_target).chain(features.iter().map(has_feature)))
    }

    /// Returns the value of OpSpecConstantArchitectureINTEL: true if the device is of the category and
    /// family, and its architecture compares with `architecture` as stated.
    ///
    /// `opcode` is that of an integer comparison; the value is `None` for any other. An architecture missing
    /// from the device registry counts as later than all in it (SPV_INTEL_function_variants). If the registry
    /// does not have this device's own, numbers are compared.
    pub(crate) fn compare_architecture(
        &self,
        category: u32,
        family: u32,
        opcode: u32,
        architecture: u32,
    ) -> Option<bool> {
        let opcode = Op::from_u32(opcode)?;
        let registered = |number| registry::List::Architectures { category, family }.contains(number);
        let known = registered(architecture);
        let compares = match self.registry_architecture {
            Some(device_architecture)
                if known || device_architecture == architecture || !registered(device_architecture) =>
            {
                Some(compare(opcode, device_architecture, architecture)?)
            }
            None if known => {
                compare(opcode, 0, 0)?;
                self.unlisted_architecture()
            }
            _ => Some(compare(opcode, 0, 1)?),
        };
        let same =
            |value: Option<u32>, other| value.map(|value| value == other).or(self.unlisted_architecture());
        conjunction([same(self.category, category), same(self.family, family), compares])
    }

    /// Returns true if an instruction set belongs to another category of devices.
    fn is_of_other_category(&self, target: u32) -> bool {
        let categories = self.category.zip(registry::category_of_target(target));
        categories.is_some_and(|(category, other)| category != other)
    }

    /// Returns the value of a property that the device does not list.
    fn unlisted(&self) -> Option<bool> {
        self.complete.then_some(false)
    }

    /// Returns the value of an unlisted architecture or instruction set, which reports do not have.
    pub(super) fn unlisted_architecture(&self) -> Option<bool> {
        self.unlisted().filter(|_| !self.unknown_architecture)
    }
}

/// Returns the capabilities that follow from a set of aspects.
fn implied_by(aspects: &[u32]) -> FlatSet<u32> {
    let mut implied = aspects.iter().flat_map(|aspect| capabilities::implied_by_aspect(*aspect)).collect();
    capabilities::close(&mut implied);
    implied
}

/// Returns the conjunction: false if any value is false.
fn conjunction(values: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut unknown = false;
    for value in values {
        if value == Some(false) {
            return value;
        }
        unknown |= value.is_none();
    }
    (!unknown).then_some(true)
}

/// Compares architectures. `None` for opcodes that OpSpecConstantArchitectureINTEL does not accept.
pub(crate) fn compare(opcode: Op, left: u32, right: u32) -> Option<bool> {
    match opcode {
        Op::IEqual => Some(left == right),
        Op::INotEqual => Some(left != right),
        Op::UGreaterThan => Some(left > right),
        Op::UGreaterThanEqual => Some(left >= right),
        Op::ULessThan => Some(left < right),
        Op::ULessThanEqual => Some(left <= right),
        _ => None,
    }
}
