//! Vulkan Profiles.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::VulkanReport;
use super::file::{ReportBlock, ReportFile};
use super::{ImportError, listed};
use crate::loader::Version;
use crate::text::spelling::nearest;

/// A file of profiles.
pub(super) struct Profiles<'a> {
    file: ReportFile<'a>,
    profiles: &'a Map<String, Value>,
    capabilities: &'a Map<String, Value>,
}

impl<'a> Profiles<'a> {
    pub(super) fn new(
        file: ReportFile<'a>,
        root: &'a Map<String, Value>,
    ) -> Result<Profiles<'a>, ImportError> {
        let profiles = file.object("profiles", &root["profiles"])?;
        let capabilities = file.object("capabilities", &root["capabilities"])?;
        Ok(Profiles { file, profiles, capabilities })
    }

    pub(super) fn names(&self) -> Vec<&'a str> {
        self.profiles.keys().map(String::as_str).collect()
    }

    /// Returns the name of a profile as written in the file.
    pub(super) fn find(&self, name: &str) -> Option<&'a str> {
        self.profiles.get_key_value(name).map(|(name, _)| name.as_str())
    }

    /// Returns the report of a profile. `all` are the profiles of all files, on which it may build.
    pub(super) fn report(&self, name: &'a str, all: &[&Profiles<'a>]) -> Result<VulkanReport, ImportError> {
        let mut block = ReportBlock::default();
        let mut seen = BTreeSet::new();
        let mut pending = vec![(self, name)];
        while let Some((profiles, name)) = pending.pop() {
            if !seen.insert((profiles.file.source_name, name)) {
                continue;
            }
            for (at, base) in profiles.add_profile(name, &mut block)? {
                // The other profiles of the same file come first.
                let files = std::iter::once(profiles).chain(all.iter().copied());
                let found = files.filter_map(|profiles| Some((profiles, profiles.find(base)?))).next();
                pending.push(found.ok_or_else(|| {
                    let message =
                        "on which this one builds, is in none of these files: name the file that has it, too";
                    profiles.file.error(&at, format!("the profile `{base}`, {message}"))
                })?);
            }
        }
        Ok(block.report(name))
    }

    /// Adds the requirements of a profile, and returns the names of the profiles that it extends, each with its path.
    fn add_profile(
        &self,
        name: &str,
        block: &mut ReportBlock,
    ) -> Result<Vec<(String, &'a str)>, ImportError> {
        let path = format!("profiles.{name}");
        let profile = self.file.object(&path, &self.profiles[name])?;
        let part = |key: &str| (format!("{path}.{key}"), profile.get(key));
        let (at, version) = part("api-version");
        let requirements = ReportBlock {
            version: self.file.version(&at, version.unwrap_or(&Value::Null))?,
            ..ReportBlock::default()
        };
        block.unite(&requirements);
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
                    common.intersect(&other?);
                }
                block.unite(&common);
            }
        }
        let mut base = Vec::new();
        if let (at, Some(value)) = part("profiles") {
            for (index, item) in self.file.array(&at, value)?.iter().enumerate() {
                let at = format!("{at}.{index}");
                let name = self.file.text(&at, item)?;
                base.push((at, name));
            }
        }
        Ok(base)
    }

    /// Returns the block of capabilities with this name.
    fn block(&self, at: &str, name: &str) -> Result<ReportBlock, ImportError> {
        let value = self.capabilities.get(name).ok_or_else(|| {
            let near = nearest(name, self.capabilities.keys().map(String::as_str));
            let hint =
                if near.is_empty() { String::new() } else { format!("; did you mean {}?", listed(&near)) };
            self.file.error(at, format!("the file has no capabilities `{name}`{hint}"))
        })?;
        let path = format!("capabilities.{name}");
        let mut block = ReportBlock::default();
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
        // The version of the profile decides.
        block.version = Version::default();
        Ok(block)
    }
}
