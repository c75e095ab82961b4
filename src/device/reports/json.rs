//! Reports of Vulkan devices in JSON files: profiles (the schema of KhronosGroup/Vulkan-Profiles), what `vulkaninfo --json` writes
//! (one profile), what it wrote before 2022 (the schema of the device simulation layer), and the reports of vulkan.gpuinfo.org.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};
use thiserror::Error;

use super::{VulkanReport, structures};
use crate::device::api::Version;
use crate::device::nearest::nearest;

/// A file that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// It is no JSON.
    #[error("{source_name}:{line}:{column}: {message}")]
    Json {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A value is not what it should be.
    #[error("{source_name}: {path}: {message}")]
    Value {
        /// The file.
        source_name: String,
        /// The keys and positions that lead to it, with periods between them.
        path: String,
        /// What is wrong with it.
        message: String,
    },
    /// It is JSON, and none of the formats.
    #[error(
        "{0} is no report of a Vulkan device: it has neither `profiles` and `capabilities` (Vulkan Profiles, \
         `vulkaninfo --json`) nor VkPhysicalDeviceProperties (older vulkaninfo) nor `extended` (vulkan.gpuinfo.org)"
    )]
    Unknown(String),
    /// It has no profile of this name.
    #[error("{source_name} has no profile `{name}`; it has {}", listed(.known))]
    NoProfile {
        /// The file.
        source_name: String,
        /// The name.
        name: String,
        /// The names of its profiles.
        known: Vec<String>,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { format!("`{}`", names.join("`, `")) }
}

/// The reports in a file: one for each of its profiles, or for the one of the name; one if it has no profiles. `source_name`
/// is what errors call the file.
///
/// What a profile asks for is what every device has that it is for. Of alternatives it counts what all of them have.
///
/// # Errors
/// Where the file cannot be understood.
pub fn from_json(
    source_name: &str,
    text: &str,
    profile: Option<&str>,
) -> Result<Vec<VulkanReport>, ImportError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ImportError::Json { source_name: source_name.to_owned(), line, column, message }
    })?;
    let file = File { source_name };
    let Value::Object(root) = &value else { return Err(ImportError::Unknown(source_name.to_owned())) };
    let reports = if root.contains_key("profiles") && root.contains_key("capabilities") {
        let profiles = Profiles::new(file, root)?;
        let names = match profile {
            Some(name) => vec![profiles.find(name)?],
            None => profiles.names(),
        };
        names.into_iter().map(|name| profiles.report(name)).collect::<Result<_, _>>()?
    } else if let Some(name) = profile {
        return Err(ImportError::NoProfile {
            source_name: source_name.to_owned(),
            name: name.to_owned(),
            known: Vec::new(),
        });
    } else if root.contains_key("extended") || root.contains_key("properties") {
        vec![file.gpuinfo(root)?]
    } else if root.contains_key("VkPhysicalDeviceProperties") {
        vec![file.structures_at_top(root)?]
    } else {
        return Err(ImportError::Unknown(source_name.to_owned()));
    };
    Ok(reports)
}

/// Part of what is said of a device.
#[derive(Clone, Debug, Default)]
struct Block {
    version: Version,
    name: Option<String>,
    extensions: BTreeSet<String>,
    values: BTreeMap<structures::Place, Said>,
}

/// A member's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// A truth value, or flags.
    Bits(u64),
    /// A size, or an enumerant.
    Number(u64),
}

impl Said {
    fn number(self) -> u64 {
        match self {
            Said::Bits(number) | Said::Number(number) => number,
        }
    }
}

impl Block {
    /// What both blocks say together: the more.
    fn add(&mut self, other: &Block) {
        self.version = self.version.max(other.version);
        self.name = self.name.take().or_else(|| other.name.clone());
        self.extensions.extend(other.extensions.iter().cloned());
        for (&place, &said) in &other.values {
            let known = self.values.entry(place).or_insert(said);
            *known = match (*known, said) {
                (Said::Bits(first), Said::Bits(second)) => Said::Bits(first | second),
                (first, second) => Said::Number(first.number().max(second.number())),
            };
        }
    }

    /// What is left if either block may hold: the less.
    fn keep(&mut self, other: &Block) {
        self.extensions.retain(|name| other.extensions.contains(name));
        self.values.retain(|place, said| {
            let Some(&second) = other.values.get(place) else { return false };
            *said = match (*said, second) {
                (Said::Bits(first), Said::Bits(second)) => Said::Bits(first & second),
                (first, second) => Said::Number(first.number().min(second.number())),
            };
            true
        });
    }

    fn report(self, name: &str) -> VulkanReport {
        let name = self.name.as_deref().unwrap_or(name);
        let mut report = VulkanReport::new(name, self.version, self.extensions);
        for ((structure, member), said) in self.values {
            report.set(structure, member, said.number());
        }
        report
    }
}

/// A file, for what its parts have in common.
#[derive(Clone, Copy)]
struct File<'a> {
    source_name: &'a str,
}

impl<'a> File<'a> {
    fn error(self, path: &str, message: impl Into<String>) -> ImportError {
        ImportError::Value {
            source_name: self.source_name.to_owned(),
            path: path.to_owned(),
            message: message.into(),
        }
    }

    fn object(self, path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ImportError> {
        value
            .as_object()
            .ok_or_else(|| self.error(path, format!("expected an object, found {}", what(value))))
    }

    fn array(self, path: &str, value: &'a Value) -> Result<&'a [Value], ImportError> {
        let array = value
            .as_array()
            .ok_or_else(|| self.error(path, format!("expected a list, found {}", what(value))));
        array.map(Vec::as_slice)
    }

    fn text(self, path: &str, value: &'a Value) -> Result<&'a str, ImportError> {
        value.as_str().ok_or_else(|| self.error(path, format!("expected a text, found {}", what(value))))
    }

    /// A version in words, or as Vulkan packs it.
    fn version(self, path: &str, value: &Value) -> Result<Version, ImportError> {
        let packed = |number: u64| {
            Some(((number >> 22 & 0x7f).try_into().ok()?, (number >> 12 & 0x3ff).try_into().ok()?))
        };
        let parsed = |text: &str| match text.parse() {
            Ok(number) => packed(number),
            Err(_) => {
                let mut parts = text.split(['.', ' ']);
                Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
            }
        };
        let version = match value {
            Value::String(text) => parsed(text),
            value => value.as_u64().and_then(packed),
        };
        version.filter(|version| *version >= (1, 0)).ok_or_else(|| {
            self.error(
                path,
                format!("expected a version of Vulkan such as \"1.3.204\", found {}", what(value)),
            )
        })
    }

    /// The members of a structure.
    fn structure(
        self,
        path: &str,
        name: &str,
        value: &'a Value,
        block: &mut Block,
    ) -> Result<(), ImportError> {
        for (member, value) in self.object(path, value)? {
            let path = format!("{path}.{member}");
            match (name, member.as_str()) {
                ("VkPhysicalDeviceProperties", "limits") => {
                    self.structure(&path, "VkPhysicalDeviceLimits", value, block)?;
                }
                ("VkPhysicalDeviceProperties", "deviceName") => {
                    block.name = value.as_str().map(str::to_owned);
                }
                ("VkPhysicalDeviceProperties", "apiVersion") => block.version = self.version(&path, value)?,
                _ => self.member(&path, name, member, value, block)?,
            }
        }
        Ok(())
    }

    fn member(
        self,
        path: &str,
        structure: &str,
        member: &str,
        value: &Value,
        block: &mut Block,
    ) -> Result<(), ImportError> {
        let Some(place) = structures::place(structure, member) else { return Ok(()) };
        let said = match value {
            Value::Bool(truth) => Said::Bits((*truth).into()),
            Value::Number(number) if place.0.contains("Features") => {
                Said::Bits((number.as_f64() != Some(0.0)).into())
            }
            Value::Number(number) => match number.as_u64() {
                Some(number) => Said::Number(number),
                // A size that no member of ours has.
                None => return Ok(()),
            },
            Value::String(text) => match structures::value(text).or_else(|| text.parse().ok()) {
                Some(number) => Said::Number(number),
                // An enumerant of no use here.
                None if !place.0.contains("Features") => return Ok(()),
                None => return Err(self.error(path, format!("expected true or false, found `{text}`"))),
            },
            // Bits. One that is newer than our tables is of no use to them.
            Value::Array(items) => Said::Bits(
                items
                    .iter()
                    .filter_map(Value::as_str)
                    .filter_map(structures::value)
                    .fold(0, |bits, bit| bits | bit),
            ),
            Value::Null | Value::Object(_) if place.0.contains("Properties") => return Ok(()),
            value => return Err(self.error(path, format!("expected true or false, found {}", what(value)))),
        };
        let mut one = Block::default();
        one.values.insert(place, said);
        block.add(&one);
        Ok(())
    }

    /// The format before profiles: structures by name, and a list of extensions.
    fn structures_at_top(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
        let mut block = Block { version: (1, 0), ..Block::default() };
        for (key, value) in root {
            match key.as_str() {
                "ArrayOfVkExtensionProperties" => self.extension_list(key, value, &mut block)?,
                _ if key.starts_with("VkPhysicalDevice") => self.structure(key, key, value, &mut block)?,
                _ => {}
            }
        }
        Ok(block.report("device"))
    }

    fn extension_list(self, path: &str, value: &'a Value, block: &mut Block) -> Result<(), ImportError> {
        for (index, item) in self.array(path, value)?.iter().enumerate() {
            let path = format!("{path}.{index}.extensionName");
            let name = item.get("extensionName").unwrap_or(&Value::Null);
            block.extensions.insert(self.text(&path, name)?.to_owned());
        }
        Ok(())
    }

    /// A report of vulkan.gpuinfo.org: core features and properties by version, those of extensions one by one.
    fn gpuinfo(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
        let mut block = Block { version: (1, 0), ..Block::default() };
        let structure = |path: &str, name: &str, block: &mut Block| match lookup(root, path) {
            Some(value) => self.structure(path, name, value, block),
            None => Ok(()),
        };
        structure("properties", "VkPhysicalDeviceProperties", &mut block)?;
        structure("features", "VkPhysicalDeviceFeatures", &mut block)?;
        for version in ["11", "12", "13", "14"] {
            for (part, kind) in [("features", "Features"), ("properties", "Properties")] {
                let path = format!("core{version}.{part}");
                structure(&path, &format!("VkPhysicalDeviceVulkan{version}{kind}"), &mut block)?;
            }
        }
        if let Some(value) = root.get("extensions") {
            self.extension_list("extensions", value, &mut block)?;
        }
        for (list, key) in [("devicefeatures2", "supported"), ("deviceproperties2", "value")] {
            let path = format!("extended.{list}");
            let Some(value) = lookup(root, &path) else { continue };
            for (index, item) in self.array(&path, value)?.iter().enumerate() {
                let path = format!("{path}.{index}");
                let part = |key: &str| item.get(key).unwrap_or(&Value::Null);
                let extension = self.text(&format!("{path}.extension"), part("extension"))?;
                let member = self.text(&format!("{path}.name"), part("name"))?;
                for structure in structures::of_extension(extension) {
                    self.member(&format!("{path}.{key}"), structure, member, part(key), &mut block)?;
                }
            }
        }
        Ok(block.report("device"))
    }
}

/// What is at the end of a path of keys.
fn lookup<'a>(root: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    rest.split('.').filter(|key| !key.is_empty()).try_fold(root.get(first)?, |value, key| value.get(key))
}

/// A file of profiles.
struct Profiles<'a> {
    file: File<'a>,
    profiles: &'a Map<String, Value>,
    capabilities: &'a Map<String, Value>,
}

impl<'a> Profiles<'a> {
    fn new(file: File<'a>, root: &'a Map<String, Value>) -> Result<Profiles<'a>, ImportError> {
        let profiles = file.object("profiles", &root["profiles"])?;
        let capabilities = file.object("capabilities", &root["capabilities"])?;
        Ok(Profiles { file, profiles, capabilities })
    }

    fn names(&self) -> Vec<&'a str> {
        self.profiles.keys().map(String::as_str).collect()
    }

    fn find(&self, name: &str) -> Result<&'a str, ImportError> {
        let found = self.profiles.get_key_value(name).map(|(name, _)| name.as_str());
        found.ok_or_else(|| ImportError::NoProfile {
            source_name: self.file.source_name.to_owned(),
            name: name.to_owned(),
            known: self.profiles.keys().cloned().collect(),
        })
    }

    fn report(&self, name: &'a str) -> Result<VulkanReport, ImportError> {
        let mut block = Block::default();
        let mut seen = BTreeSet::new();
        let mut pending = vec![name];
        while let Some(name) = pending.pop() {
            if seen.insert(name) {
                pending.extend(self.add_profile(name, &mut block)?);
            }
        }
        Ok(block.report(name))
    }

    /// Adds what a profile asks for; the profiles that it builds on.
    fn add_profile(&self, name: &str, block: &mut Block) -> Result<Vec<&'a str>, ImportError> {
        let path = format!("profiles.{name}");
        let profile = self.file.object(&path, &self.profiles[name])?;
        let part = |key: &str| (format!("{path}.{key}"), profile.get(key));
        let (at, version) = part("api-version");
        let own =
            Block { version: self.file.version(&at, version.unwrap_or(&Value::Null))?, ..Block::default() };
        block.add(&own);
        if let (at, Some(value)) = part("capabilities") {
            for (index, item) in self.file.array(&at, value)?.iter().enumerate() {
                let at = format!("{at}.{index}");
                let mut alternatives = match item {
                    Value::Array(items) => items.iter().collect::<Vec<_>>(),
                    item => vec![item],
                }
                .into_iter()
                .map(|name| self.block(&at, self.file.text(&at, name)?));
                let Some(first) = alternatives.next() else { continue };
                let mut common = first?;
                for other in alternatives {
                    common.keep(&other?);
                }
                block.add(&common);
            }
        }
        let mut base = Vec::new();
        if let (at, Some(value)) = part("profiles") {
            for (index, item) in self.file.array(&at, value)?.iter().enumerate() {
                let at = format!("{at}.{index}");
                let name = self.file.text(&at, item)?;
                let found = self.profiles.get_key_value(name);
                let message =
                    || format!("the file does not have the profile `{name}`, on which this one builds");
                base.push(found.ok_or_else(|| self.file.error(&at, message()))?.0.as_str());
            }
        }
        Ok(base)
    }

    /// A block of capabilities, of this name.
    fn block(&self, at: &str, name: &str) -> Result<Block, ImportError> {
        let value = self.capabilities.get(name).ok_or_else(|| {
            let near = nearest(name, self.capabilities.keys().map(String::as_str));
            let hint =
                if near.is_empty() { String::new() } else { format!("; did you mean {}?", listed(&near)) };
            self.file.error(at, format!("the file has no capabilities `{name}`{hint}"))
        })?;
        let path = format!("capabilities.{name}");
        let mut block = Block::default();
        let parts = self.file.object(&path, value)?;
        if let Some(value) = parts.get("extensions") {
            let path = format!("{path}.extensions");
            block.extensions.extend(self.file.object(&path, value)?.keys().cloned());
        }
        for kind in ["features", "properties"] {
            let Some(value) = parts.get(kind) else { continue };
            let path = format!("{path}.{kind}");
            for (structure, value) in self.file.object(&path, value)? {
                self.file.structure(&format!("{path}.{structure}"), structure, value, &mut block)?;
            }
        }
        // The profile tells the version that counts.
        block.version = Version::default();
        Ok(block)
    }
}

/// What a value is, for errors.
fn what(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
