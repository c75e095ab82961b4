//! Reports of Vulkan devices in JSON files: profiles (the schema of KhronosGroup/Vulkan-Profiles), what `vulkaninfo --json` writes
//! (one profile), what it wrote before 2022 (the schema of the device simulation layer), and the reports of vulkan.gpuinfo.org.

mod block;
mod file;
mod other;
mod profiles;
#[cfg(test)]
mod tests;

use serde_json::Value;
use thiserror::Error;

use super::VulkanReport;
use file::ReportFile;
use profiles::Profiles;

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
        /// The error there.
        message: String,
    },
    /// A value is not what it should be.
    #[error("{source_name}: {path}: {message}")]
    Value {
        /// The file.
        source_name: String,
        /// The keys and positions that lead to it, with periods between them.
        path: String,
        /// The error in it.
        message: String,
    },
    /// It is JSON, and none of the formats.
    #[error(
        "{0} is not a report of a Vulkan device: it has neither `profiles` and `capabilities` (Vulkan Profiles, \
         `vulkaninfo --json`) nor VkPhysicalDeviceProperties (older vulkaninfo) nor `extended` and `properties` (vulkan.gpuinfo.org) with an \
         apiVersion or anything else that is known"
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
/// is the name of the file in errors.
///
/// The requirements of a profile are the features of every device that it covers. Of alternatives, the features that all
/// have count.
///
/// # Errors
/// If the file cannot be understood.
pub fn from_json(
    source_name: &str,
    text: &str,
    profile: Option<&str>,
) -> Result<Vec<VulkanReport>, ImportError> {
    // Editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = error.to_string();
        let place = format!(" at line {line} column {column}");
        let message = message.strip_suffix(&place).unwrap_or(&message).to_owned();
        ImportError::Json { source_name: source_name.to_owned(), line, column, message }
    })?;
    let file = ReportFile { source_name };
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
