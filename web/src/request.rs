//! Requests, as `spirv-if.js` writes them. `spirv-if.d.ts` describes the options for people.

use std::collections::BTreeMap;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use spirv_if::device::{DeviceConfig, DeviceParts};
use spirv_if::module::{Annotations, Version};
use spirv_if::pack::Dialect;
use spirv_if::property_sets::PropertyNames;
use spirv_if::specialize::{Driver, FeaturesToLower, SpecConstant, Trap, UnsetPolicy};
use spirv_if::{Device, Error, PackOptions, Settings, SpecValue};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::ModuleCounts;

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
            None => Failure::Request(format!("the options are malformed: {error}")),
        })
    }
}

/// Finds the first option that has the wrong type: the one with which alone a request is malformed.
fn wrong_option(json: &[u8]) -> Option<String> {
    let mut request: Value = serde_json::from_slice(json).ok()?;
    let mut options = Vec::new();
    for part in ["source", "options"] {
        let part_options = request.get_mut(part)?.take();
        options.extend(part_options.as_object()?.clone().into_iter().map(|option| (part, option)));
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
    /// The answer about several modules, which requests about their files have found.
    LibraryAnswer(LibraryAnswerRequest),
    /// The findings as an HTML file.
    Report(Box<Inspect>),
    Pack(Box<Pack>),
    Specialize(Box<Specialize>),
    /// The verdict of the same call.
    Compatibility(Box<Specialize>),
    Trim(Trim),
    /// The module as assembly.
    Disassemble(NoOptions),
    /// The shaders of a bundle.
    Shaders(NoOptions),
    /// The module of a shader of a bundle.
    Unbundle(Box<Unbundle>),
    /// The features, extensions and limits that Vulkan needs.
    VulkanRequirements(VulkanRequirements),
}

/// The device configuration.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Devices {
    pub device_config: Option<String>,
}

/// The answers of modules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibraryAnswerRequest {
    answers: Vec<ModuleAnswer>,
}

/// The members of an answer that count for several modules.
#[derive(Deserialize)]
struct ModuleAnswer {
    devices: usize,
    run: usize,
}

impl LibraryAnswerRequest {
    /// The numbers of each module.
    pub fn counts(&self) -> impl Iterator<Item = ModuleCounts> {
        self.answers.iter().map(|answer| ModuleCounts::new(answer.devices, answer.run))
    }
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
    /// Values of constants that are set before the module is inspected.
    pub set: BTreeMap<String, ConstantValue>,
    /// Another module of the file, with which each is compared.
    against: Option<String>,
    skip_constants: bool,
    skip_remedies: bool,
    /// Number of a share of the modules in a file, and the number of shares. Modules are dealt to shares in turn.
    share: Option<(usize, usize)>,
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
    lower: LowerChoice,
    strip: bool,
}

/// All features, or those of a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum LowerChoice {
    All(bool),
    Named(Vec<String>),
}

impl Default for LowerChoice {
    fn default() -> LowerChoice {
        LowerChoice::All(false)
    }
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

/// The options of a call that has none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoOptions {}

/// A shader of a bundle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unbundle {
    pub shader: String,
    /// The number of its variant.
    pub variant: Option<usize>,
    /// The device that it is for, which chooses the variant.
    pub specialize: Option<Specialize>,
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
    drop_unsupported: bool,
    max_clones: Option<usize>,
    keep_interface: bool,
    trim: bool,
    strip: bool,
    strict: bool,
    adapt: bool,
    lower: bool,
    wider_halves: bool,
    trap: Option<String>,
    max_version: Option<(u8, u8)>,
    work_around: Option<DriverName>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DriverName {
    Nvidia,
    Rusticl,
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

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct VulkanRequirements {
    api_version: Option<(u8, u8)>,
    device: Option<String>,
    device_config: Option<String>,
}

impl VulkanRequirements {
    /// The version for which the application creates its instance and device.
    pub fn version(&self) -> Version {
        self.api_version.unwrap_or((1, 0)).into()
    }

    /// The device, if one is named.
    pub fn device(&self) -> Result<Option<Device>, Error> {
        let Some(name) = &self.device else { return Ok(None) };
        let parts = DeviceParts::new().device(name.as_str());
        Ok(Some(parts.to_device(config(self.device_config.as_deref())?.as_ref())?))
    }
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
        let options = InspectOptions::new()
            .devices(config(self.device_config.as_deref())?)
            .details(self.details)
            .skip_constants(self.skip_constants)
            .skip_remedies(self.skip_remedies);
        Ok(match &self.devices {
            Some(glob) => options.each_device(glob),
            None => options,
        })
    }
}

/// Adds the values of constants to settings.
fn with_values(
    settings: Settings,
    values: &BTreeMap<String, ConstantValue>,
    set: fn(Settings, SpecConstant, SpecValue) -> Settings,
) -> Result<Settings, Error> {
    values.iter().try_fold(settings, |settings, (constant, value)| {
        Ok(set(settings, constant.parse::<SpecConstant>()?, value.parse()?))
    })
}

impl Inspect {
    /// True if the module with this number in its file belongs to the share.
    pub fn has_module(&self, number: usize) -> bool {
        self.share.is_none_or(|(share, shares)| number % shares.max(1) == share)
    }

    /// The module with which each is compared, as on the command line.
    pub fn against(&self) -> Option<&str> {
        self.against.as_deref()
    }

    /// True if all modules belong to the share.
    pub fn has_all_modules(&self) -> bool {
        self.share.is_none()
    }

    /// The settings for the constants that are set first; `None` if there are none.
    pub fn settings(&self) -> Result<Option<Settings>, Error> {
        let settings = Settings::new().trim(true);
        let settings =
            with_values(settings, &self.set, |settings, constant, value| settings.set(constant, value))?;
        Ok((!self.set.is_empty()).then_some(settings))
    }
}

impl Pack {
    pub fn options(&self) -> Result<PackOptions, Error> {
        let options = PackOptions::new()
            .dialect(match self.dialect {
                Some(DialectName::SpecConditional) => Dialect::SpecConditional,
                Some(DialectName::FunctionVariants) => Dialect::FunctionVariants,
                None => Dialect::default(),
            })
            .property_names(match self.property_names {
                Some(PropertyNamesName::Design) => PropertyNames::Design,
                Some(PropertyNamesName::Dpcpp) => PropertyNames::Dpcpp,
                None => PropertyNames::default(),
            })
            .exports(&self.exports)
            .keep_exports(self.keep_exports)
            .devices(config(self.device_config.as_deref())?)
            .lower(match &self.lower {
                LowerChoice::All(all) => all.then_some(FeaturesToLower::Missing),
                LowerChoice::Named(names) => Some(FeaturesToLower::from_names(names)?),
            })
            .strip(self.strip);
        Ok(match self.max_clones {
            Some(count) => options.max_clones(count),
            None => options,
        })
    }
}

/// Sets a part of a description.
type SetPart = fn(DeviceParts, String) -> DeviceParts;

impl Specialize {
    /// The device; one of which nothing is known, if none is described.
    pub fn device(&self) -> Result<Device, Error> {
        let part_texts: [(&Option<String>, SetPart); 6] = [
            (&self.device, DeviceParts::device),
            (&self.architecture, DeviceParts::architecture),
            (&self.capabilities, DeviceParts::capabilities),
            (&self.aspects, DeviceParts::aspects),
            (&self.extensions, DeviceParts::extensions),
            (&self.provider_features, DeviceParts::provider_features),
        ];
        let part_texts = part_texts.into_iter().filter_map(|(value, set)| Some((value.clone()?, set)));
        let parts = part_texts.fold(DeviceParts::new(), |parts, (value, set)| set(parts, value));
        if parts == DeviceParts::new() {
            return Ok(Device::default());
        }
        Ok(parts.to_device(config(self.device_config.as_deref())?.as_ref())?)
    }

    pub fn settings(&self) -> Result<Settings, Error> {
        let policy = self.unset.as_ref().map(|name| match name {
            UnsetName::Error => UnsetPolicy::Error,
            UnsetName::Keep => UnsetPolicy::Keep,
            UnsetName::Default => UnsetPolicy::Default,
        });
        let mut settings = Settings::new()
            .entry_points(&self.entry_points)
            .ignore_unknown(self.ignore_unknown)
            .keep_interface(self.keep_interface)
            .trim(self.trim)
            .strip(self.strip)
            .strict(self.strict)
            .drop_unsupported(self.drop_unsupported)
            .work_around(self.work_around.as_ref().map(|driver| match driver {
                DriverName::Nvidia => Driver::Nvidia,
                DriverName::Rusticl => Driver::Rusticl,
            }))
            .adapt(self.adapt)
            .lower(self.lower.then_some(FeaturesToLower::Missing))
            .wider_halves(self.wider_halves)
            .trap(self.trap.as_deref().map(str::parse::<Trap>).transpose()?)
            .max_version(self.max_version.map(Version::from))
            .unset(policy);
        if let Some(count) = self.max_clones {
            settings = settings.max_clones(count);
        }
        settings =
            with_values(settings, &self.set, |settings, constant, value| settings.set(constant, value))?;
        settings = with_values(settings, &self.set_default, |settings, constant, value| {
            settings.set_default(constant, value)
        })?;
        for constant in &self.leave {
            settings = settings.leave(constant.parse::<SpecConstant>()?);
        }
        Ok(settings)
    }
}

/// A value of a specialization constant.
pub enum ConstantValue {
    Known(SpecValue),
    Text(String),
}

impl ConstantValue {
    fn parse(&self) -> Result<SpecValue, Error> {
        match self {
            ConstantValue::Known(value) => Ok(*value),
            ConstantValue::Text(text) => text.parse(),
        }
    }
}

impl<'de> Deserialize<'de> for ConstantValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ConstantValue, D::Error> {
        let wrong = match Value::deserialize(deserializer)? {
            Value::Bool(value) => return Ok(ConstantValue::Known(value.into())),
            Value::Number(value) => return Ok(ConstantValue::Text(value.to_string())),
            Value::String(value) => return Ok(ConstantValue::Text(value)),
            Value::Null => Unexpected::Other("null"),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Err(D::Error::invalid_type(wrong, &"a Boolean, a number or the text of one"))
    }
}
