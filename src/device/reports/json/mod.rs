//! Reports of Vulkan devices in JSON files. The formats are profiles (the schema of
//! KhronosGroup/Vulkan-Profiles), the output of `vulkaninfo --json` (one profile; before 2022, the schema of
//! the device simulation layer), and the reports of vulkan.gpuinfo.org.

mod file;
mod profiles;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};
use thiserror::Error;

use super::{VulkanReport, structures};
use crate::loader::Version;
use file::{ReportBlock, ReportFile};
use profiles::Profiles;

/// The reason why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Malformed JSON.
    #[error("{source_name}:{line}:{column}: {message}")]
    Json {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The error message.
        message: String,
    },
    /// An unexpected value.
    #[error("{source_name}: {path}: {message}")]
    Value {
        /// The file.
        source_name: String,
        /// Path of the value: keys and positions with periods between them.
        path: String,
        /// Description of the problem.
        message: String,
    },
    /// JSON in an unknown format.
    #[error(
        "{0} is not a report of a Vulkan device: it has neither `profiles` and `capabilities` (Vulkan Profiles, \
         `vulkaninfo --json`) nor VkPhysicalDeviceProperties (older vulkaninfo) nor `extended` and `properties` (vulkan.gpuinfo.org) with an \
         apiVersion or anything else that is known"
    )]
    Unknown(String),
    /// A profile that no file has.
    #[error("{source_name} has no profile `{name}`; it has {}", listed(.known))]
    NoProfile {
        /// The files.
        source_name: String,
        /// The name.
        name: String,
        /// The names of the profiles of the files.
        known: Vec<String>,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { format!("`{}`", names.join("`, `")) }
}

/// Reads the reports in each of some files: one for each of its profiles, or only that of `profile`; one if it has no profiles. Each file comes
/// after its name in errors. A profile may build on one of another file.
///
/// The requirements of a profile are the features of every device that it covers. Of alternatives, the
/// features common to all count.
///
/// # Errors
/// If a file is malformed, or none has the profile.
pub fn from_json(
    files: &[(&str, &str)],
    profile: Option<&str>,
) -> Result<Vec<Vec<VulkanReport>>, ImportError> {
    let values =
        files.iter().map(|&(source_name, text)| value(source_name, text)).collect::<Result<Vec<_>, _>>()?;
    let mut all = Vec::new();
    for (&(source_name, _), value) in files.iter().zip(&values) {
        let Value::Object(root) = value else { return Err(ImportError::Unknown(source_name.to_owned())) };
        let file = ReportFile { source_name };
        let has_profiles = root.contains_key("profiles") && root.contains_key("capabilities");
        all.push((file, root, if has_profiles { Some(Profiles::new(file, root)?) } else { None }));
    }
    let profiles: Vec<&Profiles> = all.iter().filter_map(|(_, _, profiles)| profiles.as_ref()).collect();
    if let Some(name) = profile
        && !profiles.iter().any(|profiles| profiles.find(name).is_some())
    {
        let names: Vec<&str> = files.iter().map(|&(source_name, _)| source_name).collect();
        return Err(ImportError::NoProfile {
            source_name: names.join(", "),
            name: name.to_owned(),
            known: profiles.iter().flat_map(|profiles| profiles.names()).map(str::to_owned).collect(),
        });
    }
    let reports = all.iter().map(|(file, root, of_file)| match of_file {
        Some(of_file) => {
            let names = match profile {
                Some(name) => of_file.find(name).into_iter().collect(),
                None => of_file.names(),
            };
            names.into_iter().map(|name| of_file.report(name, &profiles)).collect()
        }
        None if profile.is_some() => Ok(Vec::new()),
        None => file.without_profiles(root).map(|report| vec![report]),
    });
    reports.collect()
}

/// Parses a file.
fn value(source_name: &str, text: &str) -> Result<Value, ImportError> {
    // Editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ImportError::Json { source_name: source_name.to_owned(), line, column, message }
    })
}

impl<'a> ReportFile<'a> {
    /// Reads a file of another format than profiles.
    fn without_profiles(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
        if root.contains_key("extended") || root.contains_key("properties") {
            self.gpuinfo(root)
        } else if root.contains_key("VkPhysicalDeviceProperties") {
            self.structures_at_top(root)
        } else {
            Err(ImportError::Unknown(self.source_name.to_owned()))
        }
    }

    /// Reads the format before profiles: structures by name, and a list of extensions.
    fn structures_at_top(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
        let mut block = ReportBlock::default();
        for (key, value) in root {
            match key.as_str() {
                "ArrayOfVkExtensionProperties" => self.extension_list(key, value, &mut block)?,
                _ if key.starts_with("VkPhysicalDevice") => self.structure(key, key, value, &mut block)?,
                _ => {}
            }
        }
        self.report(block)
    }

    /// Returns the report of a device, if the file has any value of one, since other files have such keys
    /// too. The version may be missing.
    fn report(self, mut block: ReportBlock) -> Result<VulkanReport, ImportError> {
        if block.version == Version::default() {
            if block.values.is_empty() {
                return Err(ImportError::Unknown(self.source_name.to_owned()));
            }
            block.version = Version::new(1, 0);
        }
        Ok(block.report("device"))
    }

    fn extension_list(
        self,
        path: &str,
        value: &'a Value,
        block: &mut ReportBlock,
    ) -> Result<(), ImportError> {
        for (index, item) in self.array(path, value)?.iter().enumerate() {
            let path = format!("{path}.{index}.extensionName");
            let name = item.get("extensionName").unwrap_or(&Value::Null);
            block.extensions.insert(self.text(&path, name)?.to_owned());
        }
        Ok(())
    }

    /// Reads a report of vulkan.gpuinfo.org: core features and properties by version, those of extensions one
    /// by one.
    fn gpuinfo(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
        let mut block = ReportBlock::default();
        let structure = |path: &str, name: &str, block: &mut ReportBlock| match lookup(root, path) {
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
        self.report(block)
    }
}

/// Returns the value at the end of a path of keys.
fn lookup<'a>(root: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    rest.split('.').filter(|key| !key.is_empty()).try_fold(root.get(first)?, |value, key| value.get(key))
}
