//! The formats without profiles.

use serde_json::{Map, Value};

use super::super::{VulkanReport, structures};
use super::ImportError;
use super::block::ReportBlock;
use super::file::ReportFile;
use crate::device::api::Version;

impl<'a> ReportFile<'a> {
    /// The format before profiles: structures by name, and a list of extensions.
    pub(super) fn structures_at_top(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
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

    /// The report of a device, if the file has any value of one: other files have such keys, too. The version may be
    /// missing.
    fn report(self, mut block: ReportBlock) -> Result<VulkanReport, ImportError> {
        if block.version == Version::default() {
            if block.values.is_empty() {
                return Err(ImportError::Unknown(self.source_name.to_owned()));
            }
            block.version = (1, 0);
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

    /// A report of vulkan.gpuinfo.org: core features and properties by version, those of extensions one by one.
    pub(super) fn gpuinfo(self, root: &'a Map<String, Value>) -> Result<VulkanReport, ImportError> {
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

/// The value at the end of a path of keys.
fn lookup<'a>(root: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    rest.split('.').filter(|key| !key.is_empty()).try_fold(root.get(first)?, |value, key| value.get(key))
}
