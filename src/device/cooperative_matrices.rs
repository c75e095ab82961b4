//! Combinations of cooperative matrices that a device multiplies: features of Vulkan whose names have parameters, such as
//! `cooperativeMatrixKHR.16x16x16.f16.f16.f32.f32.subgroup`.

use std::fmt;

use super::Device;
use super::providers::VULKAN;
use crate::condition::FeatureName;
use crate::text::csv;

/// The part of a name before the parameters.
pub const PREFIX: &str = "cooperativeMatrixKHR.";
/// A name, for messages.
pub const EXAMPLE: &str = "cooperativeMatrixKHR.16x16x16.f16.f16.f32.f32.subgroup";
/// The last parameter of combinations whose sums saturate.
const SATURATING: &str = "saturating";

/// Matrices that a device multiplies: A has M rows and K columns, B has K rows and N columns, and C and the result have M rows and N columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CooperativeMatrix {
    /// M, N and K.
    pub size: [u32; 3],
    /// The types of the components of A, B, C and the result: numbers of VkComponentTypeKHR.
    pub types: [u32; 4],
    /// The invocations that share the matrices: a number of VkScopeKHR.
    pub scope: u32,
    /// True if sums of integers saturate.
    pub saturates: bool,
}

impl CooperativeMatrix {
    /// Parses the name of a feature; `None` for any other.
    pub fn parse(name: &str) -> Option<CooperativeMatrix> {
        let parameters: Vec<&str> = name.strip_prefix(PREFIX)?.split('.').collect();
        let &[size, a, b, c, result, scope, ref rest @ ..] = &parameters[..] else { return None };
        let size: Vec<u32> = size.split('x').map(dimension).collect::<Option<_>>()?;
        let type_ = |word: &str| number("type", word);
        Some(CooperativeMatrix {
            size: size.try_into().ok()?,
            types: [type_(a)?, type_(b)?, type_(c)?, type_(result)?],
            scope: number("scope", scope)?,
            saturates: match rest {
                [] => false,
                [SATURATING] => true,
                _ => return None,
            },
        })
    }

    /// Returns the feature; `None` if a type or scope has no name here.
    pub(crate) fn feature(&self) -> Option<FeatureName> {
        let known = self.types.iter().all(|&type_| word("type", type_).is_some());
        let name = (known && word("scope", self.scope).is_some()).then(|| self.to_string())?;
        FeatureName::new(VULKAN, &name)
    }
}

impl fmt::Display for CooperativeMatrix {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [m, n, k] = self.size;
        write!(f, "{PREFIX}{m}x{n}x{k}")?;
        for type_ in self.types {
            write!(f, ".{}", word("type", type_).unwrap_or("?"))?;
        }
        write!(f, ".{}", word("scope", self.scope).unwrap_or("?"))?;
        if self.saturates { write!(f, ".{SATURATING}") } else { Ok(()) }
    }
}

impl Device {
    /// Returns true if the device lists its combinations of cooperative matrices.
    pub(crate) fn lists_cooperative_matrices(&self) -> bool {
        self.facts.complete_features.contains(&*format!("{VULKAN}:{PREFIX}"))
    }

    /// Returns the combinations that the device lists.
    pub(super) fn cooperative_matrices(&self) -> impl Iterator<Item = CooperativeMatrix> {
        let has = self.facts.provider_features.iter().filter(|(name, has)| *has && name.provider() == VULKAN);
        has.filter_map(|(name, _)| CooperativeMatrix::parse(name.name()))
    }

    /// Sets the combinations of cooperative matrices that a Vulkan device multiplies; it has no others.
    ///
    /// These are what vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR lists. Types and scopes without a name in
    /// `spec-extensions/cooperative-matrices.csv` are left out.
    #[must_use]
    pub fn with_cooperative_matrices(mut self, combinations: &[CooperativeMatrix]) -> Device {
        let features = combinations.iter().filter_map(CooperativeMatrix::feature);
        let features: Vec<_> = features.map(|feature| (feature, true)).collect();
        for facts in self.all_facts() {
            facts.provider_features.extend(features.iter().copied());
            facts.complete_features.insert(format!("{VULKAN}:{PREFIX}").into());
        }
        self
    }
}

/// Returns a number of rows or columns, in its only spelling.
fn dimension(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number: &u32| *number > 0 && number.to_string() == text)
}

/// Returns the rows of the table: kind, word, and number.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, u32)> {
    let rows = csv::rows(include_str!("../../spec-extensions/cooperative-matrices.csv"));
    rows.filter_map(|[what, word, _, number]| Some((what, word, number.parse().ok()?)))
}

/// Returns the number of a type or scope.
pub fn number(what: &str, word: &str) -> Option<u32> {
    rows().find(|row| (row.0, row.1) == (what, word)).map(|(.., number)| number)
}

/// Returns the word for a type or scope.
pub(super) fn word(what: &str, number: u32) -> Option<&'static str> {
    rows().find(|row| (row.0, row.2) == (what, number)).map(|(_, word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Leaf;
    use crate::device::providers::{describe_unknown, unknown_features};
    use crate::device::{DeviceConfig, DeviceParts};

    fn has(device: &Device, name: &str) -> Option<bool> {
        device.has_feature(FeatureName::new(VULKAN, name).unwrap())
    }

    #[test]
    fn names_have_all_parameters() {
        for name in [
            EXAMPLE,
            "cooperativeMatrixKHR.8x16x32.s8.u8.s32.s32.workgroup.saturating",
            "cooperativeMatrixKHR.16x8x16.bf16.bf16.f32.f32.subgroup",
        ] {
            assert_eq!(CooperativeMatrix::parse(name).unwrap().to_string(), name);
        }
        for name in [
            "cooperativeMatrixKHR",
            "cooperativeMatrixKHR.16x16.f16.f16.f32.f32.subgroup",
            "cooperativeMatrixKHR.016x16x16.f16.f16.f32.f32.subgroup",
            "cooperativeMatrixKHR.16x16x16.f16.f16.f32.subgroup",
            "cooperativeMatrixKHR.16x16x16.f16.f16.f32.f12.subgroup",
            "cooperativeMatrixKHR.16x16x16.f16.f16.f32.f32.warp",
            "cooperativeMatrixKHR.16x16x16.f16.f16.f32.f32.subgroup.fast",
        ] {
            assert_eq!(CooperativeMatrix::parse(name), None, "{name}");
        }
        let written = FeatureName::new(VULKAN, "cooperativeMatrixKHR.16x16x16.f16.subgroup").unwrap();
        assert_eq!(unknown_features([Leaf::Feature(written)]).len(), 1);
        assert!(describe_unknown(written).ends_with(&format!("is written `vulkan:{EXAMPLE}`")));
        assert!(unknown_features([Leaf::Feature(FeatureName::new(VULKAN, EXAMPLE).unwrap())]).is_empty());
    }

    #[test]
    fn lists_of_drivers_are_complete_for_combinations_alone() {
        let other = "cooperativeMatrixKHR.8x8x8.f16.f16.f16.f16.subgroup";
        let parts = DeviceParts::new().capabilities("Shader,CooperativeMatrixKHR");
        let device = parts.to_devices(None).unwrap().remove(0);
        assert_eq!(has(&device, EXAMPLE), None);
        let mut complete = device.clone();
        complete.facts.add_provider_features(["!vulkan:*"]).unwrap();
        assert_eq!([has(&complete, EXAMPLE), has(&complete, "maintenance9")], [None, Some(false)]);
        let listed = device.with_cooperative_matrices(&[CooperativeMatrix::parse(EXAMPLE).unwrap()]);
        assert_eq!([has(&listed, EXAMPLE), has(&listed, other)], [Some(true), Some(false)]);
        assert_eq!(has(&listed, "maintenance9"), None);
        let read = DeviceConfig::from_yaml("a", &listed.to_yaml()).unwrap().into_iter().next().unwrap();
        assert_eq!([has(&read, EXAMPLE), has(&read, other)], [Some(true), Some(false)]);
        let parts = DeviceParts::new().capabilities("Shader,Float16");
        assert_eq!(has(&parts.to_devices(None).unwrap()[0], EXAMPLE), Some(false));
        assert!(Device::default().facts.add_provider_features(["!vulkan:cooperativeMatrix.*"]).is_err());
    }

    /// The numbers are those of the headers of Vulkan.
    #[test]
    fn numbers_are_those_of_vulkan() {
        use ash::vk::{ComponentTypeKHR, ScopeKHR};
        let types = [
            (ComponentTypeKHR::FLOAT16, "f16"),
            (ComponentTypeKHR::FLOAT64, "f64"),
            (ComponentTypeKHR::SINT8, "s8"),
            (ComponentTypeKHR::UINT64, "u64"),
        ];
        for (type_, expected) in types {
            assert_eq!(word("type", type_.as_raw().cast_unsigned()), Some(expected));
        }
        let scopes = [(ScopeKHR::SUBGROUP, "subgroup"), (ScopeKHR::QUEUE_FAMILY, "queuefamily")];
        for (scope, expected) in scopes {
            assert_eq!(word("scope", scope.as_raw().cast_unsigned()), Some(expected));
        }
    }
}
