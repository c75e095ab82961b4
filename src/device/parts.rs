//! Devices by name and by properties, as on a command line.

use super::facts::DeviceFacts;
use super::names::each_once;
use super::{
    Device, DeviceConfig, DeviceDriver, DeviceError, NumberTable, architectures, config, registry::List,
    tables,
};

/// Prefix of an architecture's name in place of a device.
const ARCHITECTURE: &str = "arch:";

/// The description of a device. Values are names or numbers of their tables; lists have commas between the items.
///
/// ```
/// use spirv_if::device::DeviceParts;
/// let device = DeviceParts::new().aspects("gpu,fp16").to_device(None)?;
/// assert_eq!(spirv_if::Condition::parse("fp16 && !fp64")?.evaluate(&device)?, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct DeviceParts {
    pub(super) device: Option<String>,
    pub(super) category: Option<String>,
    pub(super) family: Option<String>,
    pub(super) architecture: Option<String>,
    pub(super) target: Option<String>,
    pub(super) features: Option<String>,
    pub(super) capabilities: Option<String>,
    pub(super) aspects: Option<String>,
    pub(super) extensions: Option<String>,
    pub(super) provider_features: Option<String>,
    pub(super) limits: Option<String>,
    pub(super) driver: Option<String>,
}

impl DeviceParts {
    /// Starts with no parts: nothing is known of such a device.
    pub fn new() -> DeviceParts {
        DeviceParts::default()
    }

    /// Names a device of the configuration, to which the other parts add.
    ///
    /// A glob such as `intel_gpu_*` stands for all that match, and a list with commas for the devices of its items; `arch:NAME` is any
    /// device of an architecture, of which nothing else is known.
    pub fn device(mut self, name: impl Into<String>) -> DeviceParts {
        self.device = Some(name.into());
        self
    }

    /// Sets the category in the device registry.
    pub fn category(mut self, category: impl Into<String>) -> DeviceParts {
        self.category = Some(category.into());
        self
    }

    /// Sets the family in the device registry.
    pub fn family(mut self, family: impl Into<String>) -> DeviceParts {
        self.family = Some(family.into());
        self
    }

    /// Sets the architecture.
    ///
    /// It is a name or, if the table does not have it, a number in conditions; or one of the device registry within the category and
    /// family.
    pub fn architecture(mut self, architecture: impl Into<String>) -> DeviceParts {
        self.architecture = Some(architecture.into());
        self
    }

    /// Sets the instruction set in the device registry.
    pub fn target(mut self, target: impl Into<String>) -> DeviceParts {
        self.target = Some(target.into());
        self
    }

    /// Sets all optional parts of the instruction set that the device has.
    pub fn features(mut self, features: impl Into<String>) -> DeviceParts {
        self.features = Some(features.into());
        self
    }

    /// Sets all capabilities that the device supports; those that these or the aspects imply may be left out.
    pub fn capabilities(mut self, capabilities: impl Into<String>) -> DeviceParts {
        self.capabilities = Some(capabilities.into());
        self
    }

    /// Sets all aspects that the device has.
    pub fn aspects(mut self, aspects: impl Into<String>) -> DeviceParts {
        self.aspects = Some(aspects.into());
        self
    }

    /// Sets SPIR-V extensions that the device accepts besides those that it lists, names or globs, with the capabilities that they add.
    pub fn extensions(mut self, extensions: impl Into<String>) -> DeviceParts {
        self.extensions = Some(extensions.into());
        self
    }

    /// Sets features of providers that the device has, such as `amdgpu:gfx12-insts`.
    ///
    /// `!` stands before a feature that the device does not have, and `!amdgpu:*` for all others of a provider.
    ///
    /// After `!` stand those that it does not have, and `!amdgpu:*` stands for all others of a provider.
    pub fn provider_features(mut self, provider_features: impl Into<String>) -> DeviceParts {
        self.provider_features = Some(provider_features.into());
        self
    }

    /// Sets numbers of the device, such as `subgroup_size=32` or `max_shared_memory=49152`: those in the tables, and those that the host
    /// chooses for pipelines.
    pub fn limits(mut self, limits: impl Into<String>) -> DeviceParts {
        self.limits = Some(limits.into());
        self
    }

    /// Sets the driver for one API, and its version if one follows: `qualcomm 512.744`.
    pub fn driver(mut self, driver: impl Into<String>) -> DeviceParts {
        self.driver = Some(driver.into());
        self
    }

    /// Returns the one device that is described; `config` as in [`DeviceParts::to_devices`].
    ///
    /// # Errors
    /// See [`DeviceParts::to_devices`]; if a glob or a list stands for several.
    pub fn to_device(&self, config: Option<&DeviceConfig>) -> Result<Device, DeviceError> {
        match <[Device; 1]>::try_from(self.to_devices(config)?) {
            Ok([device]) => Ok(device),
            Err(several) => Err(DeviceError::Several {
                name: self.device.clone().unwrap_or_default(),
                names: several.into_iter().map(|device| device.name.into_owned()).collect(),
            }),
        }
    }

    /// Returns the described devices: one, or several for a glob or a list. `config` has those that are named; the embedded configuration by
    /// default.
    ///
    /// # Errors
    /// If a name is not known, parts contradict each other, or one means nothing without another.
    pub fn to_devices(&self, config: Option<&DeviceConfig>) -> Result<Vec<Device>, DeviceError> {
        let Some(list) = &self.device else { return Ok(vec![Device::default().with_parts(self)?]) };
        let config = config.unwrap_or(config::embedded());
        each_once(list, |name| match name.strip_prefix(ARCHITECTURE) {
            Some(architecture) => Ok(vec![self.of_architecture(architecture)?]),
            None if name.contains(['*', '?']) => {
                config.select(name)?.into_iter().map(|device| device.with_parts(self)).collect()
            }
            None => Ok(vec![config.get_in_modes(name)?.with_parts(self)?]),
        })
    }

    fn of_architecture(&self, name: &str) -> Result<Device, DeviceError> {
        if let Some(other) = &self.architecture {
            return Err(contradiction("architecture", other, name));
        }
        let parts = DeviceParts { architecture: Some(name.to_owned()), ..self.clone() };
        Ok(Device { name: name.to_owned().into(), ..Device::default().with_parts(&parts)? })
    }
}

impl Device {
    /// Returns the device with the other parts.
    fn with_parts(mut self, parts: &DeviceParts) -> Result<Device, DeviceError> {
        let device = &mut self;
        device.add_architecture(parts)?;
        if let Some(text) = &parts.target {
            let table = NumberTable::Registry(List::Targets);
            set_once(&mut device.target, table.parse(text)?, table)?;
        }
        if let Some(text) = &parts.features {
            let features = device.features.get_or_insert_default();
            for item in tables::items(text) {
                features.insert(parse_feature(device.target, item)?);
            }
        }
        for facts in device.all_facts() {
            facts.add_parts(parts)?;
        }
        if let Some(text) = &parts.driver {
            let driver = DeviceDriver::parse(text)?;
            if let Some(other) = device.driver.filter(|other| !driver.is_as_known(*other)) {
                return Err(contradiction("driver", &other.to_string(), &driver.to_string()));
            }
            device.driver = Some(driver);
        }
        device.keep_capabilities_of_apis();
        Ok(self)
    }

    fn add_architecture(&mut self, parts: &DeviceParts) -> Result<(), DeviceError> {
        let text = parts.architecture.as_deref();
        if let Some((first, second)) = text.and_then(|text| text.split_once(',')) {
            return Err(contradiction("architecture", first.trim(), second.trim()));
        }
        let named = text.and_then(architectures::by_name);
        if let Some(architecture) = named {
            set_once(&mut self.architecture, architecture.value, NumberTable::Architectures)?;
            self.set_architecture(architecture);
        }
        let categories = NumberTable::Registry(List::Categories);
        if let Some(category) = &parts.category {
            set_once(&mut self.category, categories.parse(category)?, categories)?;
        }
        if let Some(family) = &parts.family {
            let number = parse_family(self.category, family)?;
            let category = self.category.unwrap_or_default();
            set_once(&mut self.family, number, NumberTable::Registry(List::Families { category }))?;
        }
        let Some(text) = text.filter(|_| named.is_none()) else { return Ok(()) };
        let (Some(category), Some(family)) = (self.category, self.family) else {
            // A small number may belong to the registry.
            if let Some(number) = other_architecture(text) {
                set_once(&mut self.architecture, number, NumberTable::Architectures)?;
                self.unknown_architecture = false;
                return Ok(());
            }
            return Err(match NumberTable::Architectures.unknown(text) {
                DeviceError::UnknownName { nearest, .. } if nearest.is_empty() => {
                    missing("architecture", text, CATEGORY_AND_FAMILY)
                }
                unknown => unknown,
            });
        };
        let table = registry_architectures(self, text)?;
        let architecture = table.parse(text)?;
        set_once(&mut self.registry_architecture, architecture, table)?;
        let tuple = architectures::RegistryTuple { category, family, architecture };
        if let Some(architecture) = architectures::by_registry(tuple) {
            set_once(&mut self.architecture, architecture.value, NumberTable::Architectures)?;
        }
        Ok(())
    }
}

impl DeviceFacts {
    /// Adds the facts that are stated.
    fn add_parts(&mut self, parts: &DeviceParts) -> Result<(), DeviceError> {
        let mut added = Vec::new();
        if let Some(text) = &parts.aspects {
            added = NumberTable::Aspects.parse_list(text)?;
            self.aspects.get_or_insert_default().extend(added.iter().copied());
        }
        if let Some(text) = &parts.capabilities {
            let supported = NumberTable::Capabilities.parse_list(text)?;
            self.capabilities.get_or_insert_default().extend(supported);
            self.unlisted_capabilities = false;
        }
        if parts.aspects.is_some() || parts.capabilities.is_some() {
            // The driver may have listed the capabilities; these are additions to its list.
            self.add_implied(&added);
            self.infer_capabilities();
        }
        if let Some(text) = &parts.extensions {
            self.add_extensions(text)?;
        }
        if let Some(text) = &parts.provider_features {
            self.add_provider_features(tables::items(text))?;
        }
        if let Some(text) = &parts.limits {
            self.add_limits(tables::items(text))?;
        }
        Ok(())
    }
}

/// Keys without which the name of an architecture in the device registry means nothing.
const CATEGORY_AND_FAMILY: &str = "category and the family";

/// Returns the names of architectures in the device registry for the device's category and family.
pub(super) fn registry_architectures(device: &Device, text: &str) -> Result<NumberTable, DeviceError> {
    match (device.category, device.family) {
        (Some(category), Some(family)) => Ok(NumberTable::Registry(List::Architectures { category, family })),
        _ => Err(missing("architecture", text, CATEGORY_AND_FAMILY)),
    }
}

/// Returns the number of an architecture that the table does not have.
pub(super) fn other_architecture(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| architectures::by_value(number).is_none())
}

/// Returns the number of a feature, whose name is defined within a target.
pub(super) fn parse_feature(target: Option<u32>, text: &str) -> Result<u32, DeviceError> {
    let target = target.ok_or_else(|| missing("feature", text, "target"))?;
    NumberTable::Registry(List::Features { target }).parse(text)
}

/// Returns the number of a family, whose name is defined within a category.
pub(super) fn parse_family(category: Option<u32>, text: &str) -> Result<u32, DeviceError> {
    let category = category.ok_or_else(|| missing("family", text, "category"))?;
    NumberTable::Registry(List::Families { category }).parse(text)
}

/// Sets a property, and refuses a second value that differs.
pub(super) fn set_once(known: &mut Option<u32>, stated: u32, table: NumberTable) -> Result<(), DeviceError> {
    let text = |number: u32| table.name(number).map_or_else(|| number.to_string(), str::to_owned);
    match *known {
        Some(known) if known != stated => Err(contradiction(table.item_kind(), &text(known), &text(stated))),
        _ => {
            *known = Some(stated);
            Ok(())
        }
    }
}

fn contradiction(what: &'static str, first: &str, second: &str) -> DeviceError {
    DeviceError::Contradiction { what, first: first.to_owned(), second: second.to_owned() }
}

fn missing(what: &'static str, name: &str, missing: &'static str) -> DeviceError {
    DeviceError::Missing { what, name: name.to_owned(), missing }
}
