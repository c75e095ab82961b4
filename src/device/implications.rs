//! Leaves of conditions that follow from others on every device.
//!
//! A capability implies others (SPIR-V, 3.2.30 "Capability"), and an aspect the capability that it is. More follows from the ways in which Vulkan
//! lets a device have a leaf: each way has a least implementation, with a version, the extensions that cannot be without each other
//! (`spec-extensions/vulkan-dependencies.csv`) and one setting. What all of these have follows. An architecture decides which others,
//! instruction sets and features of processors a device has. It decides nothing that drivers decide.

use std::collections::{BTreeMap, BTreeSet};

use super::api::{Enable, FeatureSetting, Implementation, dependencies, named_features};
use super::{Api, Device, architectures, capabilities, providers};
use crate::collections::OrderedMap;
use crate::condition::Leaf;
use crate::loader::Version;

/// The answers that follow from others, on devices of an API.
#[derive(Clone, Debug, Default)]
pub(crate) struct Implications {
    following: OrderedMap<(Leaf, bool), Vec<(Leaf, bool)>>,
}

impl Implications {
    /// Finds the leaves that follow from others. Without an API, only implications under all APIs count.
    pub(crate) fn new(leaves: &BTreeSet<Leaf>, api: Option<Api>) -> Implications {
        let mut following: OrderedMap<(Leaf, bool), Vec<(Leaf, bool)>> = OrderedMap::new();
        let mut add = |from, to| following.entry(from).or_default().push(to);
        for &first in leaves {
            let premise = Premise::new(first, api);
            for &leaf in leaves.iter().filter(|leaf| **leaf != first) {
                for value in [false, true] {
                    if let Some(follows) = leaf.follows_from(first, value) {
                        add((first, value), (leaf, follows));
                    }
                }
                // From the other leaf only: where the first is not known and the other is, it is the other that decides.
                if let Some(value) = premise.value(leaf) {
                    add((leaf, !value), (first, false));
                }
            }
        }
        Implications { following }
    }

    /// Adds an answer, and the answers that follow from it. They replace other answers: a device that denies them has
    /// less than it claims.
    pub(crate) fn add(&self, answers: &mut BTreeMap<Leaf, bool>, answer: (Leaf, bool)) {
        let (mut open, mut added) = (vec![answer], BTreeSet::new());
        while let Some(answer @ (leaf, value)) = open.pop() {
            if added.insert(leaf) {
                answers.insert(leaf, value);
                open.extend(self.following.get(&answer).into_iter().flatten());
            }
        }
    }
}

/// A leaf that holds on a device, and the features that the device then has.
struct Premise {
    architecture: Option<Device>,
    capabilities: BTreeSet<u32>,
    /// The least implementations of Vulkan with the leaf, and with each of these capabilities.
    implementations: Vec<Vec<LeastImplementation>>,
}

impl Premise {
    fn new(leaf: Leaf, api: Option<Api>) -> Premise {
        let architecture = match leaf {
            Leaf::Architecture(number) => architectures::by_value(number).map(|architecture| {
                let mut device = Device::default();
                device.set_architecture(architecture);
                device
            }),
            _ => None,
        };
        let capabilities = match leaf {
            Leaf::Capability(capability) => closure([capability]),
            Leaf::Aspect(aspect) => closure(capabilities::exactly(aspect)),
            _ => BTreeSet::new(),
        };
        let sources = std::iter::once(leaf).chain(capabilities.iter().copied().map(Leaf::Capability));
        let sources = sources.filter(|_| api == Some(Api::Vulkan)).filter_map(ways);
        let implementations = sources.map(|ways| ways.iter().flat_map(LeastImplementation::all).collect());
        Premise { architecture, implementations: implementations.collect(), capabilities }
    }

    /// Returns the value of another leaf that follows; `None` if it may be either.
    fn value(&self, leaf: Leaf) -> Option<bool> {
        use Leaf::{Architecture, Aspect, Comparison, Feature, Target};
        if let Some(device) = &self.architecture {
            let is_decided =
                matches!(leaf, Architecture(_) | Aspect(_) | Target(_) | Comparison(_) | Feature(_));
            return device.truth(leaf).filter(|_| is_decided);
        }
        let is_implied =
            matches!(leaf, Leaf::Capability(capability) if self.capabilities.contains(&capability));
        (is_implied || self.has(leaf)).then_some(true)
    }

    /// Returns true if a leaf holds on all least implementations of a source.
    fn has(&self, leaf: Leaf) -> bool {
        let Some(of_leaf) = ways(leaf).filter(|_| !self.implementations.is_empty()) else { return false };
        // Not all descriptions of devices list what follows from a version alone.
        if of_leaf.iter().any(|way| way.setting.is_none() && way.versions.is_some()) {
            return false;
        }
        let required: Vec<&[Enable]> = match leaf {
            Leaf::Capability(capability) => {
                let others =
                    closure([capability]).into_iter().filter(|other| !self.capabilities.contains(other));
                others.filter_map(|other| ways(Leaf::Capability(other))).collect()
            }
            _ => vec![of_leaf],
        };
        let has_all =
            |on: &LeastImplementation| required.iter().all(|ways| ways.iter().any(|way| way.holds(on)));
        self.implementations.iter().any(|all| !all.is_empty() && all.iter().all(has_all))
    }
}

/// Returns capabilities with all that they imply.
fn closure(capabilities: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
    let mut all = capabilities.into_iter().collect();
    capabilities::close(&mut all);
    all
}

/// Returns the ways in which Vulkan lets a device have a leaf; `None` if that is not known, or if devices have it by default.
fn ways(leaf: Leaf) -> Option<&'static [Enable]> {
    let ways = match leaf {
        Leaf::Capability(capability) => Api::Vulkan.capability(capabilities::name(capability)?)?,
        Leaf::Aspect(aspect) => Api::Vulkan.aspect(aspect)?,
        Leaf::Feature(name) if name.provider() == providers::VULKAN => {
            &named_features().get(name.name())?.ways
        }
        _ => return None,
    };
    ways.iter().all(|way| way.restricted_by.is_none()).then_some(ways)
}

/// An implementation of Vulkan with as little as a way requires.
struct LeastImplementation {
    version: Version,
    extensions: BTreeSet<&'static str>,
    setting: Option<FeatureSetting>,
}

impl LeastImplementation {
    /// Returns the least implementations of all versions on which a way holds.
    fn all(way: &Enable) -> Vec<LeastImplementation> {
        let least = |&version: &Version| {
            let is_core = way.versions.is_some_and(|versions| versions.contains(version));
            let mut extensions = BTreeSet::new();
            if !is_core {
                for name in way.extension.iter().flat_map(|names| names.split('+')) {
                    extensions.extend(dependencies::always_with(name, version)?);
                }
                if extensions.is_empty() && way.versions.is_some() {
                    return None;
                }
            }
            Some(LeastImplementation { version, extensions, setting: way.setting })
        };
        Api::Vulkan.versions().iter().filter_map(least).collect()
    }
}

impl Implementation for LeastImplementation {
    fn version(&self) -> Version {
        self.version
    }

    fn has_extension(&self, name: &str) -> bool {
        self.extensions.contains(name)
    }

    fn has(&self, setting: &FeatureSetting) -> bool {
        self.setting.is_some_and(|own| own.key() == setting.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::FeatureName;
    use crate::device::aspects;
    use crate::device::config::embedded;

    fn leaf(text: &str) -> Leaf {
        match crate::condition::Expr::parse(text, &crate::device::DeviceNames).unwrap() {
            crate::condition::Expr::Leaf(leaf) => leaf,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn features_that_follow() {
        let vulkan = |first, second| Premise::new(leaf(first), Some(Api::Vulkan)).value(leaf(second));
        // SPIR-V, 3.2.30.
        assert_eq!(vulkan("cap(StorageUniform16)", "cap(StorageBuffer16BitAccess)"), Some(true));
        assert_eq!(vulkan("cap(StorageBuffer16BitAccess)", "cap(StorageUniform16)"), None);
        // One feature.
        assert_eq!(vulkan("feature(vulkan:shaderFloat16)", "cap(Float16)"), Some(true));
        assert_eq!(vulkan("cap(Float64)", "feature(vulkan:shaderFloat64)"), Some(true));
        assert_eq!(
            vulkan("cap(Float16)", "feature(vulkan:shaderFloat16)"),
            None,
            "an extension of AMD is enough"
        );
        assert_eq!(vulkan("fp16", "feature(vulkan:shaderFloat16)"), Some(true));
        assert_eq!(
            vulkan("feature(vulkan:multiViewport)", "cap(MultiViewport)"),
            None,
            "it implies Geometry"
        );
        assert_eq!(vulkan("cap(MultiViewport)", "cap(Geometry)"), Some(true));
        assert_eq!(vulkan("cap(MultiViewport)", "feature(vulkan:geometryShader)"), Some(true));
        assert_eq!(vulkan("cap(RayQueryKHR)", "cap(RayTracingKHR)"), None);
        // Other APIs have other ways.
        let opencl = |first, second| Premise::new(leaf(first), Some(Api::OpenCl)).value(leaf(second));
        assert_eq!(opencl("fp16", "cap(Float16)"), Some(true));
        assert_eq!(opencl("feature(vulkan:shaderFloat16)", "cap(Float16)"), None);
    }

    #[test]
    fn architectures_decide_what_no_driver_does() {
        let pvc = |text| Premise::new(leaf("arch(intel_gpu_pvc)"), None).value(leaf(text));
        assert_eq!(pvc("arch(intel_gpu_dg2_g10)"), Some(false));
        assert_eq!(pvc("feature(amdgpu:gfx9-insts)"), Some(false));
        assert_eq!(pvc("fp64"), None);
        let gfx906 = |text| Premise::new(leaf("arch(amd_gpu_gfx906)"), None).value(leaf(text));
        assert_eq!(gfx906("feature(amdgpu:gfx9-insts)"), Some(true));
    }

    #[test]
    fn answers_follow_from_others() {
        let leaves = [
            "cap(StorageUniform16)",
            "cap(StorageBuffer16BitAccess)",
            "subgroup_size >= 8",
            "subgroup_size >= 16",
        ];
        let leaves = leaves.map(leaf);
        let implications = Implications::new(&leaves.into(), Some(Api::Vulkan));
        let with = |given: &[(Leaf, bool)]| {
            let mut answers = BTreeMap::new();
            given.iter().for_each(|answer| implications.add(&mut answers, *answer));
            leaves.map(|leaf| answers.get(&leaf).copied())
        };
        assert_eq!(with(&[(leaves[0], true)]), [Some(true), None, None, None]);
        assert_eq!(with(&[(leaves[1], false)]), [Some(false), Some(false), None, None]);
        assert_eq!(with(&[(leaves[0], true), (leaves[1], false)]), [Some(false), Some(false), None, None]);
        assert_eq!(with(&[(leaves[3], true)]), [None, None, Some(true), Some(true)]);
        assert_eq!(with(&[(leaves[2], false)]), [None, None, Some(false), Some(false)]);
    }

    /// Checks that no device of the table contradicts the implications.
    #[test]
    fn all_devices_agree() {
        for api in Api::ALL {
            let mut leaves: BTreeSet<Leaf> =
                capabilities::names().filter_map(capabilities::number).map(Leaf::Capability).collect();
            leaves.extend(aspects::names().filter_map(aspects::number).map(Leaf::Aspect));
            if api == Api::Vulkan {
                leaves.extend(
                    named_features()
                        .keys()
                        .filter_map(|name| Some(Leaf::Feature(FeatureName::new(providers::VULKAN, name)?))),
                );
            }
            let implications = Implications::new(&leaves, Some(api));
            let count = implications.following.values().map(Vec::len).sum::<usize>();
            assert!(count > if api == Api::Vulkan { 600 } else { 100 }, "{api:?}: {count}");
            let mut differences = BTreeSet::new();
            for device in embedded().iter() {
                let device = device.for_api(api);
                let truths: BTreeMap<Leaf, Option<bool>> =
                    leaves.iter().map(|&leaf| (leaf, device.truth(leaf))).collect();
                for (&(leaf, value), following) in &implications.following {
                    for &(other, follows) in following {
                        if truths[&leaf] == Some(value) && truths[&other] == Some(!follows) {
                            differences.insert(format!(
                                "{api} {}: {leaf:?} {value} {other:?} {:?}",
                                device.name, truths[&other]
                            ));
                        }
                    }
                }
            }
            assert!(
                differences.is_empty(),
                "{} {:#?}",
                differences.len(),
                differences.iter().take(20).collect::<Vec<_>>()
            );
        }
    }
}
