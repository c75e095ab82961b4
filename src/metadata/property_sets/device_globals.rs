//! The `device_global`s that DPC++'s property sets describe (its extension sycl_ext_oneapi_device_global).

use std::collections::HashMap;

use super::{Property, PropertySet, PropertySets};

/// A `device_global` of a program, as its images describe it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceGlobal {
    /// The linkage name.
    pub name: String,
    /// The id that is unique in the program.
    pub id: String,
    /// True if only one image may have it. Every other one is a single variable behind the copies in several images, to which each has a
    /// pointer.
    pub is_image_scope: bool,
}

const DEVICE_GLOBALS: &str = "SYCL/device globals";
const PROGRAM_METADATA: &str = "SYCL/program metadata";
/// End of the property with the linkage name of a unique id.
const NAME_OF_ID: &str = "@global_id_mapping";

impl DeviceGlobal {
    /// Reads the variables that property sets describe.
    pub fn all(properties: &PropertySets) -> Vec<DeviceGlobal> {
        let Some(set) = properties.get(DEVICE_GLOBALS) else { return Vec::new() };
        let metadata = properties.get(PROGRAM_METADATA);
        let names: HashMap<&str, String> = metadata
            .into_iter()
            .flat_map(PropertySet::iter)
            .filter_map(|(name, property)| Some((name.strip_suffix(NAME_OF_ID)?, text(property)?)))
            .collect();
        let global = |(id, property): (&str, &Property)| {
            let name = names.get(id).cloned().unwrap_or_else(|| id.to_owned());
            // The size of the type, and then the flag.
            let is_image_scope = property.as_u32s().and_then(|words| words.get(1).copied()).unwrap_or(1) != 0;
            DeviceGlobal { name, id: id.to_owned(), is_image_scope }
        };
        set.iter().map(global).collect()
    }
}

/// Returns the text in a byte array.
fn text(property: &Property) -> Option<String> {
    let Property::Bytes(bytes) = property else { return None };
    let bytes = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8(bytes.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(text: &str) -> PropertySets {
        PropertySets::parse("a.prop", text).unwrap()
    }

    #[test]
    fn device_globals_are_read() {
        let read = DeviceGlobal::all(&sets(
            "[SYCL/program metadata]\n_Z3dg2@global_id_mapping=2|YAAAAAAAAAAZnJD\n\
             [SYCL/device globals]\n_Z3dg2=2|ABAAAAAAAAABAAAAAAAAAA\nother=2|ABAAAAAAAAABAAAAEAAAAA\n",
        ));
        let read: Vec<_> =
            read.iter().map(|global| (&*global.name, &*global.id, global.is_image_scope)).collect();
        assert_eq!(read, [("dg2", "_Z3dg2", false), ("other", "other", true)]);
    }
}
