//! The map of inputs, devices and values of constants to the files of their modules.

use std::collections::BTreeMap;

use serde::Serialize;
use spirv_if::Interface;

/// The version of the JSON (`spec-extensions/specializing.md`).
const SCHEMA: &str = "spirv-if/specialize-map/2";

/// The modules in the order of inputs, values and devices.
#[derive(Serialize)]
pub struct Map {
    schema: &'static str,
    modules: Vec<MadeModule>,
}

/// A module for a device.
#[derive(Clone, Serialize)]
pub struct MadeModule {
    /// The input, as it was named.
    pub input: String,
    /// The name of the device.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device: String,
    /// The values of constants, by SpecId or name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, String>,
    /// Its file.
    pub file: String,
    /// The part of the interface of the input that it does not have.
    #[serde(skip_serializing_if = "Interface::is_empty")]
    pub removed: Interface,
}

impl Map {
    /// The map with these modules.
    pub fn of(modules: Vec<MadeModule>) -> Map {
        Map { schema: SCHEMA, modules }
    }

    /// As JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
