//! The map of devices to the files of their modules.

use std::collections::BTreeMap;

use serde::Serialize;

/// The version of the JSON (`spec-extensions/specializing.md`).
const SCHEMA: &str = "spirv-if/specialize-map/1";

/// The files by input and device.
#[derive(Serialize)]
pub struct Map {
    schema: &'static str,
    /// By input, then by device.
    inputs: BTreeMap<String, BTreeMap<String, String>>,
}

impl Map {
    /// An empty map.
    pub fn new() -> Map {
        Map { schema: SCHEMA, inputs: BTreeMap::new() }
    }

    /// The module of an input for a device is in a file.
    pub fn add(&mut self, input: &str, device: String, file: String) {
        self.inputs.entry(input.to_owned()).or_default().insert(device, file);
    }

    /// As JSON.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
