//! Common parts of all formats: structures with members, their values and combination, and errors with a
//! path.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::super::{VulkanReport, structures};
use super::ImportError;
use crate::collections::OrderedMap;
use crate::device::drivers;
use crate::loader::Version;

/// A report file, and the name for its errors.
#[derive(Clone, Copy)]
pub(super) struct ReportFile<'a> {
    pub(super) source_name: &'a str,
}

impl<'a> ReportFile<'a> {
    pub(super) fn error(self, path: &str, message: impl Into<String>) -> ImportError {
        ImportError::Value {
            source_name: self.source_name.to_owned(),
            path: path.to_owned(),
            message: message.into(),
        }
    }

    pub(super) fn object(self, path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ImportError> {
        value
            .as_object()
            .ok_or_else(|| self.error(path, format!("expected an object, found {}", value_kind(value))))
    }

    pub(super) fn array(self, path: &str, value: &'a Value) -> Result<&'a [Value], ImportError> {
        let array = value
            .as_array()
            .ok_or_else(|| self.error(path, format!("expected a list, found {}", value_kind(value))));
        array.map(Vec::as_slice)
    }

    pub(super) fn text(self, path: &str, value: &'a Value) -> Result<&'a str, ImportError> {
        value
            .as_str()
            .ok_or_else(|| self.error(path, format!("expected a text, found {}", value_kind(value))))
    }

    /// Reads a version as text or in the encoding of Vulkan.
    pub(super) fn version(self, path: &str, value: &Value) -> Result<Version, ImportError> {
        let packed = |number: u64| {
            let (major, minor) = (number >> 22 & 0x7f, number >> 12 & 0x3ff);
            Some(Version::new(major.try_into().ok()?, minor.try_into().ok()?))
        };
        let parsed = |text: &str| match text.parse() {
            Ok(number) => packed(number),
            Err(_) => {
                let mut parts = text.split(['.', ' ']);
                Some(Version::new(parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
            }
        };
        let version = match value {
            Value::String(text) => parsed(text),
            value => value.as_u64().and_then(packed),
        };
        version.filter(|version| *version >= Version::new(1, 0)).ok_or_else(|| {
            self.error(
                path,
                match value {
                    Value::String(_) | Value::Number(_) => {
                        format!("expected a version of Vulkan such as \"1.3.204\", found {value}")
                    }
                    value => {
                        format!(
                            "expected a version of Vulkan such as \"1.3.204\", found {}",
                            value_kind(value)
                        )
                    }
                },
            )
        })
    }

    /// Reads the members of a structure.
    pub(super) fn structure(
        self,
        path: &str,
        name: &str,
        value: &'a Value,
        block: &mut ReportBlock,
    ) -> Result<(), ImportError> {
        for (member, value) in self.object(path, value)? {
            let path = format!("{path}.{member}");
            match (name, member.as_str()) {
                ("VkPhysicalDeviceProperties", "limits") => {
                    self.structure(&path, "VkPhysicalDeviceLimits", value, block)?;
                }
                // Reports of vulkan.gpuinfo.org have them here.
                ("VkPhysicalDeviceProperties", "subgroupProperties") => {
                    self.structure(&path, "VkPhysicalDeviceSubgroupProperties", value, block)?;
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

    pub(super) fn member(
        self,
        path: &str,
        structure: &str,
        member: &str,
        value: &Value,
        block: &mut ReportBlock,
    ) -> Result<(), ImportError> {
        let Some(place) = structures::place(structure, member) else {
            // The numbers of an array are members of their own.
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                let element = format!("{member}[{index}]");
                if structures::place(structure, &element).is_some() {
                    self.member(&format!("{path}[{index}]"), structure, &element, item, block)?;
                }
            }
            return Ok(());
        };
        let value = match value {
            Value::Bool(truth) => MemberValue::Bits((*truth).into()),
            Value::Number(number) if place.0.contains("Features") => {
                MemberValue::Bits((number.as_f64() != Some(0.0)).into())
            }
            Value::Number(number) => match number.as_u64() {
                Some(number) => MemberValue::Number(number),
                // A size of no member in our tables.
                None => return Ok(()),
            },
            Value::String(text) if text == "true" || text == "false" => {
                MemberValue::Bits((text == "true").into())
            }
            Value::String(text) => match structures::value(text)
                .or_else(|| drivers::id_of_enumerant(text))
                .or_else(|| text.parse().ok())
            {
                Some(number) => MemberValue::Number(number),
                // An enumerant that no condition needs.
                None if !place.0.contains("Features") => return Ok(()),
                None => return Err(self.error(path, format!("expected true or false, found `{text}`"))),
            },
            // Bits. Those newer than our tables are ignored.
            Value::Array(items) => MemberValue::Bits(
                items
                    .iter()
                    .filter_map(Value::as_str)
                    .filter_map(structures::value)
                    .fold(0, |bits, bit| bits | bit),
            ),
            Value::Null | Value::Object(_) if place.0.contains("Properties") => return Ok(()),
            value => {
                return Err(self.error(path, format!("expected true or false, found {}", value_kind(value))));
            }
        };
        let mut one = ReportBlock::default();
        one.values.insert(place, value);
        block.unite(&one);
        Ok(())
    }
}

/// Returns the kind of a value, for errors.
pub(super) fn value_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A part of a report.
#[derive(Clone, Debug, Default)]
pub(super) struct ReportBlock {
    pub(super) version: Version,
    pub(super) name: Option<String>,
    pub(super) extensions: BTreeSet<String>,
    pub(super) values: OrderedMap<structures::MemberPlace, MemberValue>,
}

const LOWER_LIMITS: [&str; 3] = ["subgroupSize", "minSubgroupSize", "maxSubgroupSize"];

/// A member's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberValue {
    /// A Boolean value, or flags.
    Bits(u64),
    /// A size, or an enumerant.
    Number(u64),
}

impl MemberValue {
    fn number(self) -> u64 {
        match self {
            MemberValue::Bits(number) | MemberValue::Number(number) => number,
        }
    }
}

impl ReportBlock {
    /// Adds the values of another block: the union of both.
    pub(super) fn unite(&mut self, other: &ReportBlock) {
        self.version = self.version.max(other.version);
        self.name = self.name.take().or_else(|| other.name.clone());
        self.extensions.extend(other.extensions.iter().cloned());
        for (&place, &value) in &other.values {
            let known = self.values.entry(place).or_insert(value);
            *known = match (*known, value) {
                (MemberValue::Bits(first), MemberValue::Bits(second)) => MemberValue::Bits(first | second),
                (first, second) => MemberValue::Number(first.number().max(second.number())),
            };
        }
    }

    /// Keeps the values that both blocks have: the intersection.
    pub(super) fn intersect(&mut self, other: &ReportBlock) {
        self.extensions.retain(|name| other.extensions.contains(name));
        self.values.retain(|place, value| {
            let Some(&second) = other.values.get(place) else { return false };
            *value = match (*value, second) {
                (MemberValue::Bits(first), MemberValue::Bits(second)) => MemberValue::Bits(first & second),
                (first, second) => MemberValue::Number(first.number().min(second.number())),
            };
            true
        });
    }

    /// Returns the report. For requirements without a device, it has the features of every device that meets
    /// the requirements of this name. Sub-group sizes are then lower limits, not sizes of a device.
    pub(super) fn report(self, name: &str) -> VulkanReport {
        let is_device = self.name.is_some();
        let name = self.name.as_deref().unwrap_or(name);
        let mut report = VulkanReport::new(name, self.version, self.extensions);
        let values =
            self.values.into_iter().filter(|((_, member), _)| is_device || !LOWER_LIMITS.contains(member));
        for ((structure, member), value) in values {
            report.set(structure, member, value.number());
        }
        report
    }
}
