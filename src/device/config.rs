//! The device configuration file (`spec-extensions/devices.md`; seed "optional kernel features", "Device configuration
//! file").

use std::{
    collections::{BTreeSet, HashSet},
    fmt,
};

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{
    Device, DeviceError, Table, architectures, capabilities, nearest::nearest, parts, queries, registry::List,
};

/// The name by which messages call the embedded file.
const EMBEDDED_NAME: &str = "devices.yaml";
const EMBEDDED: &str = include_str!("../../spec-extensions/devices.yaml");

/// Devices by name.
#[derive(Clone, Debug)]
pub struct DeviceConfig {
    source_name: String,
    devices: Vec<Device>,
}

impl DeviceConfig {
    /// The configuration that is part of the program, `spec-extensions/devices.yaml`.
    ///
    /// For one device of it [`Device::embedded`] does less work.
    pub fn embedded() -> Result<DeviceConfig, DeviceError> {
        Self::from_yaml(EMBEDDED_NAME, EMBEDDED)
    }

    /// Reads a configuration file; `source_name` is what errors call it.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<DeviceConfig, DeviceError> {
        Ok(DeviceConfig { source_name: source_name.to_owned(), devices: read(source_name, text, None)? })
    }

    /// The device with this name, or this other name of the architecture that a device is named for.
    pub fn get(&self, name: &str) -> Result<&Device, DeviceError> {
        let by_name = |name: &str| self.devices.iter().find(|device| device.name == name);
        let by_alias = || {
            let architecture = architectures::by_name(name)?;
            self.devices.iter().find(|device| architectures::by_name(&device.name) == Some(architecture))
        };
        by_name(name).or_else(by_alias).ok_or_else(|| match architectures::by_name(name) {
            Some(_) => {
                DeviceError::NotConfigured { source_name: self.source_name.clone(), name: name.to_owned() }
            }
            None => DeviceError::UnknownName {
                what: "device",
                name: name.to_owned(),
                nearest: nearest(name, self.names().chain(architectures::names().map(|name| name as &str))),
            },
        })
    }

    /// The devices, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = &Device> {
        self.devices.iter()
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.devices.iter().map(|device| device.name.as_str())
    }
}

/// One device of the embedded configuration, without making the others.
pub(super) fn embedded_device(name: &str) -> Result<Device, DeviceError> {
    let key = architectures::by_name(name).map_or(name, |architecture| architecture.name);
    match read(EMBEDDED_NAME, EMBEDDED, Some(key))?.pop() {
        Some(device) => Ok(device),
        None => DeviceConfig::embedded()?.get(name).cloned(),
    }
}

fn read(source_name: &str, text: &str, only: Option<&str>) -> Result<Vec<Device>, DeviceError> {
    let devices = Devices { only }.deserialize(serde_yaml::Deserializer::from_str(text));
    devices.map_err(|error| {
        let line = error.location().map_or(1, |location| location.line());
        let mut message = error.to_string();
        if let Some(location) = error.location() {
            let place = format!(" at line {} column {}", location.line(), location.column());
            message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        }
        DeviceError::Config { source_name: source_name.to_owned(), line, message }
    })
}

/// Reads the whole file, or only the device of one name.
struct Devices<'a> {
    only: Option<&'a str>,
}

impl<'de> DeserializeSeed<'de> for Devices<'_> {
    type Value = Vec<Device>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Devices<'_> {
    type Value = Vec<Device>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a mapping from device names to their properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut seen = HashSet::new();
        let mut devices = Vec::new();
        while let Some(name) = map.next_key_seed(Key { seen: &mut seen, known: None })? {
            if self.only.is_none_or(|only| only == name) {
                devices.push(map.next_value_seed(Entry { name })?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(devices)
    }
}

/// A key of a mapping that has none twice, and only `known` ones if given.
struct Key<'a> {
    seen: &'a mut HashSet<String>,
    known: Option<&'static [&'static str]>,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        if let Some(known) = self.known.filter(|known| !known.contains(&key)) {
            let nearest = nearest(key, known.iter().copied());
            return Err(E::custom(DeviceError::UnknownName { what: "key", name: key.to_owned(), nearest }));
        }
        if !self.seen.insert(key.to_owned()) {
            return Err(E::custom(format_args!("`{key}` stands here a second time")));
        }
        Ok(key.to_owned())
    }
}

/// The properties of one device.
struct Entry {
    name: String,
}

const KEYS: &[&str] = &[
    "architecture",
    "aspects",
    "capabilities",
    "environments",
    "extensions",
    "features",
    "max-work-group-size",
    "may-support-more",
    "spirv-versions",
    "sub-group-sizes",
    "target",
];

impl<'de> DeserializeSeed<'de> for Entry {
    type Value = Device;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Entry {
    type Value = Device;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a mapping of the device's properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Device, A::Error> {
        let mut seen = HashSet::new();
        let mut aspects = BTreeSet::new();
        let mut supported = BTreeSet::new();
        let mut device = Device { complete: true, ..Device::default() };
        if let Some(architecture) = architectures::by_name(&self.name) {
            device.set_architecture(architecture);
        }
        device.name = self.name;
        while let Some(key) = map.next_key_seed(Key { seen: &mut seen, known: Some(KEYS) })? {
            match key.as_str() {
                "architecture" => device.set_architecture(map.next_value_seed(Item(&architecture))?),
                "aspects" => aspects = map.next_value_seed(Items(&|text| Table::Aspects.parse(text)))?,
                "capabilities" => {
                    supported.extend(map.next_value_seed(Items(&|text| Table::Capabilities.parse(text)))?)
                }
                "environments" => {
                    let environments = map.next_value_seed(Items(&environment))?;
                    supported.extend(
                        environments.iter().flat_map(|name| capabilities::required_by_environment(name)),
                    );
                }
                "extensions" => {
                    device.extensions = Some(map.next_value_seed(Items(&|text| Ok(text.to_owned())))?)
                }
                "features" => {
                    let target = device.target;
                    let features = map.next_value_seed(Items(&|text| parts::parse_feature(target, text)))?;
                    device.features = Some(features);
                }
                "max-work-group-size" => device.max_work_group_size = Some(map.next_value()?),
                "may-support-more" => device.may_support_more = map.next_value()?,
                "spirv-versions" => device.spirv_versions = Some(map.next_value_seed(Items(&spirv_version))?),
                "sub-group-sizes" => device.sub_group_sizes = map.next_value()?,
                "target" => {
                    device.target =
                        Some(map.next_value_seed(Item(&|text| Table::Registry(List::Targets).parse(text)))?);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        // OpenCL-Env: required where CL_DEVICE_MAX_NUM_SUB_GROUPS is not 0.
        if supported.contains(&(spirv::Capability::Kernel as u32)) && !device.sub_group_sizes.is_empty() {
            supported.insert(spirv::Capability::SubgroupDispatch as u32);
        }
        supported.extend(queries::implied_by(&aspects));
        capabilities::close(&mut supported);
        device.aspects = Some(aspects);
        device.capabilities = Some(supported);
        Ok(device)
    }
}

fn architecture(text: &str) -> Result<&'static architectures::Architecture, DeviceError> {
    architectures::by_name(text).ok_or_else(|| Table::Architectures.unknown(text))
}

fn environment(text: &str) -> Result<&'static str, DeviceError> {
    let known = capabilities::environments();
    known.get(text).copied().ok_or_else(|| DeviceError::UnknownName {
        what: "environment",
        name: text.to_owned(),
        nearest: known.iter().map(|name| (*name).to_owned()).collect(),
    })
}

fn spirv_version(text: &str) -> Result<(u8, u8), DeviceError> {
    let parse = || {
        let (major, minor) = text.split_once('.')?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    parse().ok_or_else(|| DeviceError::UnknownName {
        what: "SPIR-V version",
        name: text.to_owned(),
        nearest: vec!["1.4".to_owned()],
    })
}

/// How an item is read from its text; numbers are text too.
type Parse<'a, T> = &'a dyn Fn(&str) -> Result<T, DeviceError>;

/// One name or number.
struct Item<'a, T>(Parse<'a, T>);

impl<'de, T> DeserializeSeed<'de> for Item<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T> Visitor<'_> for Item<'_, T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a name or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// A list of names or numbers.
struct Items<'a, T>(Parse<'a, T>);

impl<'de, T: Ord> DeserializeSeed<'de> for Items<'_, T> {
    type Value = BTreeSet<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let mut set = BTreeSet::new();
        deserializer.deserialize_seq(Gather { parse: self.0, set: &mut set })?;
        Ok(set)
    }
}

/// What stands in a list: an item, or a list whose items count as this list's, so that an alias can be added to.
struct Gather<'a, T> {
    parse: Parse<'a, T>,
    set: &'a mut BTreeSet<T>,
}

impl<'de, T: Ord> DeserializeSeed<'de> for Gather<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Ord> Visitor<'de> for Gather<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list of names or numbers, as in [a, b]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(Gather { parse: self.parse, set: &mut *self.set })?.is_some() {}
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.set.insert((self.parse)(text).map_err(E::custom)?);
        Ok(())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        // 1.0 stays 1.0: SPIR-V versions look like fractions to YAML.
        self.visit_str(&format!("{number:?}"))
    }
}
