//! Facts of a device under an API. A GPU has a driver and a compiler for each: those of OpenCL may compute with halves where those of Vulkan do
//! not.

use std::borrow::Cow;

use spirv::Capability as Known;

use super::flat::{FlatMap, FlatSet};
use super::{Api, Device, capabilities};
use crate::condition::FeatureName;
use crate::loader::Version;

/// Facts of a device: the features that it accepts, and its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceFacts {
    /// Aspects, except the one of the architecture.
    pub aspects: Option<FlatSet<u32>>,
    /// Supported SPIR-V capabilities, including those implied by aspects, environments and other
    /// capabilities.
    pub capabilities: Option<FlatSet<u32>>,
    /// True if the source lists all capabilities, so that no others follow from aspects and sub-groups.
    pub(crate) exact_capabilities: bool,
    /// True if the source lists all extensions.
    pub(crate) exact_extensions: bool,
    /// True if the source lists all versions of SPIR-V.
    pub(crate) exact_spirv_versions: bool,
    /// True if capabilities are not listed. The device may support others, except those that its aspects rule
    /// out.
    pub(crate) unlisted_capabilities: bool,
    /// Supported SPIR-V extensions, names or globs. `None` if they are not listed, which is possible for a
    /// complete device.
    pub extensions: Option<FlatSet<Cow<'static, str>>>,
    /// Further accepted SPIR-V extensions, names or globs, if the list is incomplete.
    pub(crate) added_extensions: FlatSet<Cow<'static, str>>,
    /// Supported SPIR-V versions. `None` if they are not listed, which is possible for a
    /// complete device.
    pub spirv_versions: Option<FlatSet<Version>>,
    /// Supported sub-group sizes.
    pub sub_group_sizes: Cow<'static, [u32]>,
    /// Size of the largest work-group, in work-items.
    pub max_work_group_size: Option<u32>,
    /// Other [numbers](super::limits::DeviceNumber) of the device, by name. Versions of APIs are words like those of SPIR-V.
    pub(crate) limits: FlatMap<&'static str, u64>,
    /// Features of providers known to be present or absent, in addition to those of the processor.
    pub provider_features: FlatMap<FeatureName, bool>,
    /// The starts of names, with their providers, of which the device has no other features: `vulkan:`.
    pub(crate) complete_features: FlatSet<Cow<'static, str>>,
}

/// The driver of a device for one API. It is displayed as in a device configuration: `qualcomm 512.744`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeviceDriver {
    /// Name in the table (`spec-extensions/drivers.csv`).
    pub name: &'static str,
    /// Number of the version (`parse_version`), if known.
    pub version: Option<u64>,
}

impl Device {
    /// Returns the device as modules of one API find it: with the facts under that API, and with its driver if it is for that API. A device whose
    /// facts are the same under every API, or whose source has only one API, is returned as it is if no driver is known.
    ///
    /// Everything that compares a module with a device does this by the API of the module: modules of kernels are OpenCL's, those of shaders are
    /// Vulkan's.
    ///
    /// ```
    /// use spirv_if::device::{Api, Aspect};
    /// let device = spirv_if::Device::embedded("amd_gpu_gfx803")?;
    /// let fp16: Aspect = "fp16".parse()?;
    /// let has = |api: Api| device.for_api(api).has_aspect(fp16);
    /// assert_eq!((has(Api::OpenCl), has(Api::Vulkan)), (Some(true), Some(false)));
    /// assert_eq!(device.has_aspect(fp16), None, "it depends on the API");
    /// # Ok::<(), spirv_if::device::DeviceError>(())
    /// ```
    #[must_use]
    pub fn for_api(&self, api: impl Into<Option<Api>>) -> Cow<'_, Device> {
        match api.into().filter(|_| self.differs_by_api()) {
            Some(api) => Cow::Owned(Device {
                facts: self.apis.get(api.index()).unwrap_or(&self.facts).clone(),
                apis: Cow::default(),
                driver: self.driver.filter(|driver| driver.api() == Some(api)),
                ..self.clone()
            }),
            None => Cow::Borrowed(self),
        }
    }

    /// Returns true if the facts under one API differ from those under another.
    pub(crate) fn differs_by_api(&self) -> bool {
        !self.apis.is_empty() || self.driver.is_some()
    }

    /// Returns the facts of each API that hold only under it.
    #[doc(hidden)]
    pub fn facts_of_apis(&self) -> impl Iterator<Item = (Api, DeviceFacts)> {
        Api::ALL.into_iter().zip(&*self.apis).map(|(api, facts)| {
            let mut facts = facts.clone();
            facts.subtract(&self.facts);
            (api, facts)
        })
    }

    /// Returns the answer that is the same under every API; `None` if there are several.
    pub(super) fn agreed<T: PartialEq>(&self, answer: impl Fn(&Device) -> Option<T>) -> Option<T> {
        if self.apis.is_empty() {
            return answer(self);
        }
        let [first, second] = Api::ALL.map(|api| answer(&self.for_api(api)));
        first.filter(|first| second.as_ref() == Some(first))
    }

    /// Returns the facts under all APIs, to change all of them.
    pub(super) fn all_facts(&mut self) -> impl Iterator<Item = &mut DeviceFacts> {
        let of_apis = if self.apis.is_empty() { &mut [][..] } else { self.apis.to_mut() };
        std::iter::once(&mut self.facts).chain(of_apis)
    }

    /// Returns the device with changed facts.
    #[cfg(any(test, feature = "test-support"))]
    #[doc(hidden)]
    #[must_use]
    pub fn with_facts(mut self, change: impl FnMut(&mut DeviceFacts)) -> Device {
        self.all_facts().for_each(change);
        self
    }

    /// Removes capabilities of kernels from the facts under Vulkan, and the reverse.
    pub(super) fn keep_capabilities_of_apis(&mut self) {
        if !self.apis.is_empty() {
            for (facts, api) in self.apis.to_mut().iter_mut().zip(Api::ALL) {
                facts.keep_capabilities_of(api);
            }
        }
    }

    /// Sets the facts under each API, those of OpenCL first. The device has those in common that both have.
    pub(super) fn set_facts(&mut self, of_apis: [DeviceFacts; 2]) {
        let [first, second] = &of_apis;
        self.facts = first.clone();
        self.facts.intersect(second);
        self.apis = if first == second { Cow::default() } else { Vec::from(of_apis).into() };
    }
}

impl DeviceFacts {
    /// Adds what another source lists. Its numbers replace those that are known.
    pub(super) fn extend(&mut self, other: &DeviceFacts) {
        let extend = |list: &mut Option<FlatSet<u32>>, other: &Option<FlatSet<u32>>| {
            if let Some(other) = other {
                list.get_or_insert_default().extend(other.iter().copied());
            }
        };
        extend(&mut self.aspects, &other.aspects);
        extend(&mut self.capabilities, &other.capabilities);
        if let Some(extensions) = &other.extensions {
            self.extensions.get_or_insert_default().extend(extensions.iter().cloned());
        }
        if let Some(versions) = &other.spirv_versions {
            self.spirv_versions.get_or_insert_default().extend(versions.iter().copied());
        }
        self.added_extensions.extend(other.added_extensions.iter().cloned());
        self.exact_capabilities |= other.exact_capabilities;
        self.exact_extensions |= other.exact_extensions;
        self.exact_spirv_versions |= other.exact_spirv_versions;
        if !other.sub_group_sizes.is_empty() {
            let sizes: FlatSet<u32> =
                self.sub_group_sizes.iter().chain(&*other.sub_group_sizes).copied().collect();
            self.sub_group_sizes = sizes.to_vec().into();
        }
        self.max_work_group_size = other.max_work_group_size.or(self.max_work_group_size);
        self.limits.extend(other.limits.iter().copied());
        self.provider_features.extend(other.provider_features.iter().copied());
        self.complete_features.extend(other.complete_features.iter().cloned());
    }

    /// Keeps what other facts have, too.
    pub(super) fn intersect(&mut self, other: &DeviceFacts) {
        intersect(&mut self.aspects, &other.aspects);
        intersect(&mut self.capabilities, &other.capabilities);
        intersect(&mut self.extensions, &other.extensions);
        intersect(&mut self.spirv_versions, &other.spirv_versions);
        self.added_extensions.retain(|name| other.added_extensions.contains(name));
        self.complete_features.retain(|prefix| other.complete_features.contains(prefix));
        self.sub_group_sizes.to_mut().retain(|size| other.sub_group_sizes.contains(size));
        self.exact_capabilities &= other.exact_capabilities;
        self.exact_extensions &= other.exact_extensions;
        self.exact_spirv_versions &= other.exact_spirv_versions;
        self.unlisted_capabilities |= other.unlisted_capabilities;
        let sizes = self.max_work_group_size.zip(other.max_work_group_size);
        self.max_work_group_size = sizes.map(|(size, other)| size.min(other));
        self.limits.retain(|name, limit| {
            let other = other.limits.get(name);
            other.is_some_and(|&other| {
                *limit = other.min(*limit);
                true
            })
        });
        self.provider_features.retain(|name, has| other.provider_features.get(name) == Some(has));
    }

    /// Removes what other facts have, too.
    pub(super) fn subtract(&mut self, other: &DeviceFacts) {
        subtract(&mut self.aspects, &other.aspects);
        subtract(&mut self.capabilities, &other.capabilities);
        subtract(&mut self.extensions, &other.extensions);
        subtract(&mut self.spirv_versions, &other.spirv_versions);
        self.added_extensions.retain(|name| !other.added_extensions.contains(name));
        self.complete_features.retain(|prefix| !other.complete_features.contains(prefix));
        self.sub_group_sizes.to_mut().retain(|size| !other.sub_group_sizes.contains(size));
        self.exact_capabilities &= !other.exact_capabilities;
        self.exact_extensions &= !other.exact_extensions;
        self.exact_spirv_versions &= !other.exact_spirv_versions;
        self.max_work_group_size =
            self.max_work_group_size.filter(|size| other.max_work_group_size != Some(*size));
        self.limits.retain(|name, limit| other.limits.get(name) != Some(limit));
        self.provider_features.retain(|name, has| other.provider_features.get(name) != Some(has));
    }

    /// Removes the capabilities that only modules of another API have.
    pub(super) fn keep_capabilities_of(&mut self, api: Api) {
        let foreign = match api {
            Api::OpenCl => Known::Shader,
            Api::Vulkan => Known::Kernel,
        };
        if let Some(supported) = &mut self.capabilities {
            supported.retain(|&capability| !capabilities::is_or_implies(capability, foreign as u32));
        }
    }

    /// Adds the capabilities that follow from the listed properties.
    pub(super) fn infer_capabilities(&mut self) {
        self.close_capabilities();
        if !self.exact_capabilities {
            self.add_inferred();
            self.close_capabilities();
        }
    }

    /// Adds the capabilities that others imply.
    fn close_capabilities(&mut self) {
        if let Some(supported) = &mut self.capabilities {
            capabilities::close(supported);
        }
    }

    /// Adds the capabilities that follow from other properties of the device.
    fn add_inferred(&mut self) {
        self.add_implied(&self.aspects.clone().unwrap_or_default());
        let Some(supported) = &mut self.capabilities else { return };
        // OpenCL-Env: required if CL_DEVICE_MAX_NUM_SUB_GROUPS is not 0.
        if supported.contains(&(Known::Kernel as u32)) && !self.sub_group_sizes.is_empty() {
            supported.insert(Known::SubgroupDispatch as u32);
        }
    }

    /// Adds the capabilities that aspects imply.
    pub(super) fn add_implied(&mut self, aspects: &[u32]) {
        let Some(supported) = &mut self.capabilities else { return };
        let kernel = Known::Kernel as u32;
        // If a device accepts only shaders, capabilities of kernels that an aspect implies do not apply to
        // it.
        let shaders_only = supported.contains(&(Known::Shader as u32)) && !supported.contains(&kernel);
        for aspect in aspects {
            for capability in capabilities::implied_by_aspect(*aspect) {
                let mut implied = FlatSet::from([capability]);
                capabilities::close(&mut implied);
                if !(shaders_only && implied.contains(&kernel)) {
                    supported.extend(implied.iter().copied());
                }
            }
        }
    }
}

/// Keeps the common items; unknown if either list is.
pub(super) fn intersect<T: Ord + Clone>(list: &mut Option<FlatSet<T>>, other: &Option<FlatSet<T>>) {
    match (&mut *list, other) {
        (Some(list), Some(other)) => list.retain(|item| other.contains(item)),
        _ => *list = None,
    }
}

/// Keeps the items that another list does not have; unknown if none is left.
fn subtract<T: Ord + Clone>(list: &mut Option<FlatSet<T>>, other: &Option<FlatSet<T>>) {
    if let (Some(items), Some(other)) = (&mut *list, other) {
        items.retain(|item| !other.contains(item));
        if items.is_empty() {
            *list = None;
        }
    }
}
