//! The device configuration file (`spec-extensions/devices.md`; docs/design/optional-kernel-features.md, "Device
//! configuration file").

use crate::loader::Version;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use serde::de::{Error, IgnoredAny, MapAccess};

use super::embedded_devices::DEVICES;
use super::facts::DeviceFacts;
use super::flat::FlatSet;
use super::registry::List;
use super::{
    Api, Device, DeviceDriver, DeviceError, NumberTable, architectures, capabilities, extensions,
    make_names_distinct, names, parts, providers,
};
use crate::text::yaml::{self, ItemListSeed, ItemSeed, KeyNumber, Keys, Mapping, MappingSeed, YamlError};

/// The name of the embedded file in messages.
const EMBEDDED_NAME: &str = "devices.yaml";

/// Devices by name: a device configuration.
///
/// ```
/// let config = spirv_if::device::DeviceConfig::embedded()?;
/// assert_eq!(config.get("intel_gpu_12_60_7")?.name(), "intel_gpu_pvc");
/// # Ok::<(), spirv_if::device::DeviceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeviceConfig {
    source_name: Cow<'static, str>,
    devices: Devices,
}

/// The devices of a configuration.
#[derive(Clone, Debug)]
enum Devices {
    /// Devices of the program.
    Embedded,
    /// Other devices, shared so that options can hold a copy.
    Read(Arc<Vec<Device>>),
}

impl Deref for Devices {
    type Target = [Device];

    fn deref(&self) -> &[Device] {
        match self {
            Devices::Embedded => &DEVICES,
            Devices::Read(devices) => devices,
        }
    }
}

impl DeviceConfig {
    /// Returns the configuration embedded in the program, `spec-extensions/devices.yaml`.
    ///
    /// # Errors
    /// None: a test reads it.
    pub fn embedded() -> Result<DeviceConfig, DeviceError> {
        Ok(embedded().clone())
    }

    /// Reads a configuration file (`spec-extensions/devices.md`); `source_name` is its name in errors.
    ///
    /// # Errors
    /// If it is malformed, with the line.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<DeviceConfig, DeviceError> {
        let devices = Devices::Read(Arc::new(read(source_name, text)?));
        Ok(DeviceConfig { source_name: source_name.to_owned().into(), devices })
    }

    /// Creates a configuration from devices of another source, which `source_name` names in errors. Devices
    /// with equal names are numbered: `a`, `a_2`, `a_3`.
    pub fn new(source_name: &str, mut devices: Vec<Device>) -> DeviceConfig {
        make_names_distinct(&mut devices);
        DeviceConfig { source_name: source_name.to_owned().into(), devices: Devices::Read(Arc::new(devices)) }
    }

    /// Finds a device by its name or its short name, such as `sm_80`. An alias of the architecture in its
    /// name, or a product's name such as `a100`, is accepted too.
    ///
    /// # Errors
    /// If there is none; the error has the nearest names.
    pub fn get(&self, name: &str) -> Result<&Device, DeviceError> {
        let by_alias = || {
            let architecture = architectures::by_name(name)?;
            self.devices.iter().find(|device| architectures::by_name(&device.name) == Some(architecture))
        };
        if let Some(device) = self.get_exactly(name).or_else(by_alias).or_else(|| self.by_short_name(name)) {
            return Ok(device);
        }
        if cfg!(not(feature = "devices")) && self.source_name == EMBEDDED_NAME {
            return Err(DeviceError::NoTable { name: name.to_owned() });
        }
        let meant = names::devices_of_name(name);
        let device = meant.and_then(|name| self.get_exactly(name));
        if device.is_none()
            && let Some(names) = meant.and_then(|meant| self.names_matching(meant))
        {
            return Err(DeviceError::Several { name: name.to_owned(), names });
        }
        device.ok_or_else(|| match architectures::by_name(name) {
            Some(_) => DeviceError::NotConfigured {
                source_name: self.source_name.to_string(),
                name: name.to_owned(),
            },
            None => DeviceError::UnknownName {
                what: "device",
                name: name.to_owned(),
                nearest: self.names_near(name),
            },
        })
    }

    /// Like [`get`](DeviceConfig::get), but the name may have modes after it, which apply to the device.
    pub(super) fn get_in_modes(&self, name: &str) -> Result<Device, DeviceError> {
        if let Some(device) = self.get_exactly(name) {
            return Ok(device.clone());
        }
        let (name, modes) = providers::split_modes(name);
        self.get(name)?.clone().with_modes(modes)
    }

    /// Returns the device with this name; aliases are not accepted.
    pub(super) fn get_exactly(&self, name: &str) -> Option<&Device> {
        self.devices.iter().find(|device| device.name == name)
    }

    /// Returns the names of the devices that match a glob; `None` if there are none.
    fn names_matching(&self, glob: &str) -> Option<Vec<String>> {
        let devices = self.matching_glob(glob).ok().filter(|_| glob.contains('*'))?;
        Some(devices.into_iter().map(|device| device.name().to_owned()).collect())
    }

    /// Returns the devices, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Device> {
        self.devices.iter()
    }

    /// Returns the names of the devices.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.devices.iter().map(|device| device.name())
    }
}

impl IntoIterator for DeviceConfig {
    type Item = Device;
    type IntoIter = std::vec::IntoIter<Device>;

    fn into_iter(self) -> Self::IntoIter {
        match self.devices {
            Devices::Embedded => DEVICES.to_vec(),
            Devices::Read(devices) => Arc::unwrap_or_clone(devices),
        }
        .into_iter()
    }
}

/// Returns the embedded configuration.
pub fn embedded() -> &'static DeviceConfig {
    static CONFIG: DeviceConfig =
        DeviceConfig { source_name: Cow::Borrowed(EMBEDDED_NAME), devices: Devices::Embedded };
    &CONFIG
}

fn read(source_name: &str, text: &str) -> Result<Vec<Device>, DeviceError> {
    let mut devices = DeviceFileReader::default();
    yaml::read(text, MappingSeed(&mut devices, &Keys::default())).map_err(
        |YamlError { line, message }| DeviceError::Config {
            source_name: source_name.to_owned(),
            line,
            message,
        },
    )?;
    Ok(devices.devices)
}

/// Reads the whole file.
#[derive(Default)]
struct DeviceFileReader {
    devices: Vec<Device>,
}

impl Mapping for DeviceFileReader {
    const EXPECTED: &'static str = "a mapping from device names to their properties";
    const KEYS: Option<&'static [&'static str]> = None;

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        name: String,
        _: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let mut entry = DeviceEntry::new(name);
        map.next_value_seed(MappingSeed(&mut entry, keys))?;
        let device = entry.finish().map_err(Error::custom)?;
        if let Some(other) = self.other_name_of(&device) {
            return Err(Error::custom(format!(
                "`{}` and `{}` are names of one device, and their entries differ",
                other.name, device.name
            )));
        }
        self.devices.push(device);
        Ok(())
    }
}

impl DeviceFileReader {
    /// Returns another device of the architecture with a different entry, under its other name.
    fn other_name_of(&self, device: &Device) -> Option<&Device> {
        let architecture = architectures::by_name(&device.name)?;
        let is_same = |other: &Device| Device { name: device.name.clone(), ..other.clone() } == *device;
        let is_other_name = |other: &&Device| architectures::by_name(&other.name) == Some(architecture);
        self.devices.iter().filter(is_other_name).find(|other| !is_same(other))
    }
}

/// The properties of one device.
struct DeviceEntry {
    device: Device,
    category: Option<u32>,
    family: Option<u32>,
    /// Architecture in the device registry, whose names are those within the category and family.
    registry_architecture: Option<String>,
    facts: FactsEntry,
    /// Facts that hold under one API alone, in the order of [`Api::ALL`].
    of_apis: [Option<FactsEntry>; 2],
}

/// The facts that an entry lists, or its part for one API.
#[derive(Clone, Default)]
struct FactsEntry {
    facts: DeviceFacts,
    environments: BTreeSet<Api>,
}

/// Value of an entry with an unknown architecture.
pub(super) const UNKNOWN: &str = "unknown";

/// Keys of the facts that may differ between APIs.
const FACTS: [&str; 12] = [
    "added-extensions",
    "aspects",
    "capabilities",
    "exact-capabilities",
    "exact-extensions",
    "exact-spirv-versions",
    "extensions",
    "limits",
    "max-work-group-size",
    "provider-features",
    "spirv-versions",
    "sub-group-sizes",
];

const KEYS: &[&str] = &[
    "added-extensions",
    "architecture",
    "aspects",
    "capabilities",
    "category",
    "complete",
    "driver",
    "environments",
    "exact-capabilities",
    "exact-extensions",
    "exact-spirv-versions",
    "extensions",
    "family",
    "features",
    "limits",
    "max-work-group-size",
    "may-support-more",
    "opencl",
    "provider-features",
    "registry-architecture",
    "spirv-versions",
    "sub-group-sizes",
    "target",
    "vulkan",
];

impl DeviceEntry {
    fn new(name: String) -> DeviceEntry {
        let mut device = Device { complete: true, ..Device::default() };
        if let Some(architecture) = architectures::by_name(&name) {
            device.set_architecture(architecture);
        }
        device.name = name.into();
        DeviceEntry {
            device,
            category: None,
            family: None,
            registry_architecture: None,
            facts: FactsEntry::default(),
            of_apis: [None, None],
        }
    }

    fn finish(self) -> Result<Device, DeviceError> {
        let DeviceEntry { mut device, category, family, registry_architecture, mut facts, of_apis } = self;
        if let Some(category) = category {
            parts::set_once(&mut device.category, category, NumberTable::Registry(List::Categories))?;
        }
        if let (Some(category), Some(family)) = (device.category, family) {
            parts::set_once(&mut device.family, family, NumberTable::Registry(List::Families { category }))?;
        }
        if let Some(text) = registry_architecture {
            let table = parts::registry_architectures(&device, &text)?;
            parts::set_once(&mut device.registry_architecture, table.parse(&text)?, table)?;
        }
        for (api, of_api) in Api::ALL.into_iter().zip(&of_apis) {
            if of_api.is_some() {
                facts.environments.insert(api);
            }
        }
        if facts.environments.len() < Api::ALL.len() {
            of_apis.iter().flatten().for_each(|of_api| facts.facts.extend(&of_api.facts));
            device.facts = facts.finish(device.complete);
            return Ok(device);
        }
        let of_apis = Api::ALL.map(|api| facts.for_api(api, of_apis[api.index()].as_ref(), device.complete));
        device.set_facts(of_apis);
        Ok(device)
    }
}

impl FactsEntry {
    /// Returns the facts of an entry with several APIs under one of them.
    fn for_api(&self, api: Api, of_api: Option<&FactsEntry>, is_complete: bool) -> DeviceFacts {
        let mut entry = FactsEntry { facts: self.facts.clone(), environments: BTreeSet::from([api]) };
        if let Some(of_api) = of_api {
            entry.facts.extend(&of_api.facts);
        }
        entry.facts.keep_capabilities_of(api);
        entry.finish(is_complete)
    }

    /// Returns the facts, with those that follow from them.
    fn finish(self, is_complete: bool) -> DeviceFacts {
        let FactsEntry { mut facts, environments } = self;
        for api in environments {
            let required = capabilities::required_by_environment(api.keyword());
            facts.capabilities.get_or_insert_default().extend(required);
        }
        if is_complete {
            facts.aspects.get_or_insert_default();
            // The design's format does not list capabilities: its devices are those of SYCL, and accept kernels.
            facts.unlisted_capabilities = facts.capabilities.is_none() && !facts.exact_capabilities;
            let of_kernels = || capabilities::required_by_environment(Api::OpenCl.keyword()).collect();
            facts.capabilities.get_or_insert_with(match facts.unlisted_capabilities {
                true => of_kernels,
                false => FlatSet::default,
            });
        }
        facts.infer_capabilities();
        facts
    }

    /// Reads the value of a key of [`FACTS`].
    fn read<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let facts = &mut self.facts;
        match key {
            "added-extensions" => {
                facts.added_extensions = map.next_value_seed(ItemListSeed(&extensions::listed))?.into()
            }
            "aspects" => {
                let aspects: BTreeSet<u32> =
                    map.next_value_seed(ItemListSeed(&|text| NumberTable::Aspects.parse(text)))?;
                facts.aspects = Some(aspects.into());
            }
            "capabilities" => {
                let listed: BTreeSet<u32> =
                    map.next_value_seed(ItemListSeed(&|text| NumberTable::Capabilities.parse(text)))?;
                facts.capabilities.get_or_insert_default().extend(listed);
            }
            "exact-capabilities" => facts.exact_capabilities = map.next_value()?,
            "exact-extensions" => facts.exact_extensions = map.next_value()?,
            "exact-spirv-versions" => facts.exact_spirv_versions = map.next_value()?,
            "extensions" => {
                facts.extensions = Some(map.next_value_seed(ItemListSeed(&extensions::listed))?.into())
            }
            "max-work-group-size" => facts.max_work_group_size = Some(map.next_value()?),
            "provider-features" => {
                let items = texts(map)?;
                facts.add_provider_features(items.iter().map(String::as_str)).map_err(Error::custom)?;
            }
            "limits" => {
                let items = texts(map)?;
                facts.add_limits(items.iter().map(String::as_str)).map_err(Error::custom)?;
            }
            "spirv-versions" => {
                facts.spirv_versions = Some(map.next_value_seed(ItemListSeed(&spirv_version))?.into())
            }
            "sub-group-sizes" => facts.sub_group_sizes = map.next_value::<Vec<u32>>()?.into(),
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Reads a list of texts.
fn texts<'de, A: MapAccess<'de>>(map: &mut A) -> Result<BTreeSet<String>, A::Error> {
    map.next_value_seed(ItemListSeed(&|text| Ok::<_, DeviceError>(text.to_owned())))
}

impl Mapping for FactsEntry {
    const EXPECTED: &'static str = "a mapping of what holds under one API";
    const KEYS: Option<&'static [&'static str]> = Some(&FACTS);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        _: KeyNumber,
        _: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        self.read(&key, map)
    }
}

impl Mapping for DeviceEntry {
    const EXPECTED: &'static str = "a mapping of the device's properties";
    const KEYS: Option<&'static [&'static str]> = Some(KEYS);

    fn value<'de, A: MapAccess<'de>>(
        &mut self,
        key: String,
        _: KeyNumber,
        keys: &Keys,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if let Some(api) = Api::from_keyword(&key) {
            let of_api = self.of_apis[api.index()].get_or_insert_default();
            return map.next_value_seed(MappingSeed(of_api, keys));
        }
        match key.as_str() {
            "architecture" => match map.next_value_seed(ItemSeed(&architecture))? {
                StatedArchitecture::Known(architecture) => self.device.set_architecture(architecture),
                StatedArchitecture::Number(number) => self.device.architecture = Some(number),
                StatedArchitecture::Unknown => self.device.forget_architecture(),
            },
            "category" => {
                let categories = NumberTable::Registry(List::Categories);
                self.category = Some(map.next_value_seed(ItemSeed(&|text| categories.parse(text)))?);
            }
            "complete" => self.device.complete = map.next_value()?,
            "driver" => {
                self.device.driver = Some(map.next_value_seed(ItemSeed(&|text| DeviceDriver::parse(text)))?);
            }
            "environments" => {
                let environments: BTreeSet<Api> = map.next_value_seed(ItemListSeed(&environment))?;
                self.facts.environments.extend(environments);
                self.facts.facts.capabilities.get_or_insert_default();
            }
            "family" => {
                let category = self.category.or(self.device.category);
                let parse = |text: &str| parts::parse_family(category, text);
                self.family = Some(map.next_value_seed(ItemSeed(&parse))?);
            }
            "features" => {
                let target = self.device.target;
                let features =
                    map.next_value_seed(ItemListSeed(&|text| parts::parse_feature(target, text)))?;
                self.device.features = Some(features.into());
            }
            "may-support-more" => self.device.may_support_more = map.next_value()?,
            "registry-architecture" => {
                let text = |text: &str| Ok::<_, DeviceError>(text.to_owned());
                self.registry_architecture = Some(map.next_value_seed(ItemSeed(&text))?);
            }
            "target" => {
                self.device.target =
                    Some(map.next_value_seed(ItemSeed(&|text| {
                        NumberTable::Registry(List::Targets).parse(text)
                    }))?);
            }
            key => self.facts.read(key, map)?,
        }
        Ok(())
    }
}

/// The architecture of an entry.
enum StatedArchitecture {
    Known(&'static architectures::Architecture),
    /// One that the table does not have.
    Number(u32),
    /// [`UNKNOWN`].
    Unknown,
}

fn architecture(text: &str) -> Result<StatedArchitecture, DeviceError> {
    if text == UNKNOWN {
        return Ok(StatedArchitecture::Unknown);
    }
    let number = || parts::other_architecture(text).map(StatedArchitecture::Number);
    let known = architectures::by_name(text).map(StatedArchitecture::Known).or_else(number);
    known.ok_or_else(|| NumberTable::Architectures.unknown(text))
}

fn environment(text: &str) -> Result<Api, DeviceError> {
    Api::from_keyword(text).ok_or_else(|| DeviceError::UnknownName {
        what: "environment",
        name: text.to_owned(),
        nearest: Api::ALL.map(|api| api.keyword().to_owned()).into(),
    })
}

fn spirv_version(text: &str) -> Result<Version, DeviceError> {
    text.parse().map_err(|_| DeviceError::UnknownName {
        what: "SPIR-V version",
        name: text.to_owned(),
        nearest: vec!["1.4".to_owned()],
    })
}
