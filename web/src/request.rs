//! Requests, as `spirv-if.js` writes them. `spirv-if.d.ts` describes the options for people.

use std::collections::BTreeMap;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use spirv_if::{
    Annotations, Device, DeviceConfig, DeviceParts, Dialect, Error, InspectOptions, PackOptions,
    PropertyNames, Settings, Unset,
};

use crate::answer::Failure;

/// A call about a file.
#[derive(Deserialize)]
pub struct Request {
    pub source: Source,
    #[serde(flatten)]
    pub call: Call,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// If it is malformed. The error of an option of the wrong type is [`Failure::OptionType`], and names it.
    pub fn read(json: &[u8]) -> Result<Request, Failure> {
        serde_json::from_slice(json).map_err(|error| match wrong_option(json) {
            Some(problem) => Failure::OptionType(problem),
            None => Error::Request(format!("the options are malformed: {error}")).into(),
        })
    }
}

/// Finds the first option that has the wrong type: the one with which alone a request is malformed.
fn wrong_option(json: &[u8]) -> Option<String> {
    let mut request: Value = serde_json::from_slice(json).ok()?;
    let mut options = Vec::new();
    for part in ["source", "options"] {
        let given = request.get_mut(part)?.take();
        options.extend(given.as_object()?.clone().into_iter().map(|option| (part, option)));
        request[part] = json!({});
    }
    options.into_iter().find_map(|(part, (name, value))| {
        let mut request = request.clone();
        request[part][&name] = value;
        let problem = Request::deserialize(request).err()?.to_string();
        let is_type = problem.starts_with("invalid type");
        is_type.then(|| format!("the option '{name}' is of the wrong type: {problem}"))
    })
}

/// A call with its options.
#[derive(Deserialize)]
#[serde(tag = "call", content = "options", rename_all = "camelCase")]
pub enum Call {
    /// The devices of the table.
    Devices(Devices),
    /// The findings on all modules of a file, as JSON.
    Inspect(Box<Inspect>),
    /// The same as an HTML file.
    Report(Box<Inspect>),
    Pack(Box<Pack>),
    Specialize(Box<Specialize>),
    Trim(Trim),
}

/// The device configuration.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Devices {
    pub device_config: Option<String>,
}

/// The module that is meant, and what lies beside it.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Source {
    /// The name of the file in messages and reports.
    pub name: Option<String>,
    /// One of the modules in it, as on the command line: an index, an offset or a target.
    pub part: Option<String>,
    /// The text of its property sets.
    pub properties: Option<String>,
    /// The text of an annotations file.
    pub annotations: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Inspect {
    devices: Option<String>,
    device_config: Option<String>,
    details: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Pack {
    dialect: Option<DialectName>,
    property_names: Option<PropertyNamesName>,
    exports: Vec<String>,
    keep_exports: bool,
    max_clones: Option<usize>,
    device_config: Option<String>,
    strip: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DialectName {
    SpecConditional,
    FunctionVariants,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PropertyNamesName {
    Design,
    Dpcpp,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Specialize {
    device: Option<String>,
    device_config: Option<String>,
    architecture: Option<String>,
    capabilities: Option<String>,
    aspects: Option<String>,
    extensions: Option<String>,
    provider_features: Option<String>,
    set: BTreeMap<String, ConstantValue>,
    set_default: BTreeMap<String, ConstantValue>,
    leave: Vec<String>,
    ignore_unknown: bool,
    unset: Option<UnsetName>,
    entry_points: Vec<String>,
    max_clones: Option<usize>,
    keep_interface: bool,
    trim: bool,
    strip: bool,
    max_version: Option<(u8, u8)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum UnsetName {
    Error,
    Keep,
    Default,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Trim {
    pub strip: bool,
}

impl Source {
    /// The name of the file in messages.
    pub fn file(&self) -> &str {
        self.name.as_deref().unwrap_or("the file")
    }

    pub fn annotations(&self) -> Result<Option<Annotations>, Error> {
        let text = self.annotations.as_deref();
        text.map(|text| Annotations::from_yaml("the annotations", text)).transpose()
    }
}

/// The device configuration in a text.
fn config(text: Option<&str>) -> Result<Option<DeviceConfig>, Error> {
    Ok(text.map(|text| DeviceConfig::from_yaml("the device configuration", text)).transpose()?)
}

impl Devices {
    pub fn config(&self) -> Result<DeviceConfig, Error> {
        Ok(config(self.device_config.as_deref())?.map_or_else(DeviceConfig::embedded, Ok)?)
    }
}

impl Inspect {
    pub fn options(&self) -> Result<InspectOptions, Error> {
        let mut options = InspectOptions::default();
        options.devices = config(self.device_config.as_deref())?;
        options.each_device = self.devices.clone();
        options.details = self.details;
        Ok(options)
    }
}

impl Pack {
    pub fn options(&self) -> Result<PackOptions, Error> {
        let mut options = PackOptions::default();
        options.dialect = match self.dialect {
            Some(DialectName::SpecConditional) => Dialect::SpecConditional,
            Some(DialectName::FunctionVariants) => Dialect::FunctionVariants,
            None => options.dialect,
        };
        options.property_names = match self.property_names {
            Some(PropertyNamesName::Design) => PropertyNames::Design,
            Some(PropertyNamesName::Dpcpp) => PropertyNames::Dpcpp,
            None => options.property_names,
        };
        options.exports.clone_from(&self.exports);
        options.keep_exports = self.keep_exports;
        options.max_clones = self.max_clones.unwrap_or(options.max_clones);
        options.devices = config(self.device_config.as_deref())?;
        options.strip = self.strip;
        Ok(options)
    }
}

impl Specialize {
    /// The device; one of which nothing is known, if none is described.
    pub fn device(&self) -> Result<Device, Error> {
        let mut parts = DeviceParts::default();
        parts.device = self.device.clone();
        parts.architecture = self.architecture.clone();
        parts.capabilities = self.capabilities.clone();
        parts.aspects = self.aspects.clone();
        parts.extensions = self.extensions.clone();
        parts.provider_features = self.provider_features.clone();
        if parts == DeviceParts::default() {
            return Ok(Device::default());
        }
        let mut devices = parts.devices(config(self.device_config.as_deref())?.as_ref())?;
        match (devices.pop(), devices.is_empty()) {
            (Some(device), true) => Ok(device),
            _ => Err(Error::Request("several devices have such a name: name one of them".to_owned())),
        }
    }

    pub fn settings(&self) -> Result<Settings, Error> {
        let mut settings = Settings::new();
        for (constant, value) in &self.set {
            settings = settings.set(constant.parse::<spirv_if::SpecConstant>()?, &value.0);
        }
        for (constant, value) in &self.set_default {
            settings = settings.set_default(constant.parse::<spirv_if::SpecConstant>()?, &value.0);
        }
        for constant in &self.leave {
            settings = settings.leave(constant.parse::<spirv_if::SpecConstant>()?);
        }
        for name in &self.entry_points {
            settings = settings.entry_point(name);
        }
        if let Some(count) = self.max_clones {
            settings = settings.max_clones(count);
        }
        if self.ignore_unknown {
            settings = settings.ignore_unknown();
        }
        if self.keep_interface {
            settings = settings.keep_interface();
        }
        if self.trim {
            settings = settings.trim();
        }
        if self.strip {
            settings = settings.strip();
        }
        if let Some((major, minor)) = self.max_version {
            settings = settings.max_version(major, minor);
        }
        Ok(match self.unset {
            None => settings,
            Some(UnsetName::Error) => settings.unset(Unset::Error),
            Some(UnsetName::Keep) => settings.unset(Unset::Keep),
            Some(UnsetName::Default) => settings.unset(Unset::Default),
        })
    }
}

/// A value of a specialization constant, as text.
struct ConstantValue(String);

impl<'de> Deserialize<'de> for ConstantValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ConstantValue, D::Error> {
        let wrong = match Value::deserialize(deserializer)? {
            Value::Bool(value) => return Ok(ConstantValue(value.to_string())),
            Value::Number(value) => return Ok(ConstantValue(value.to_string())),
            Value::String(value) => return Ok(ConstantValue(value)),
            Value::Null => Unexpected::Other("null"),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Err(D::Error::invalid_type(wrong, &"a Boolean, a number or the text of one"))
    }
}
