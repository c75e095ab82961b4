//! Distinct names of devices.

use std::collections::BTreeSet;

use super::Device;

/// Numbers devices of one name: `a`, `a_2`, `a_3`.
pub(crate) fn make_names_distinct<'d>(devices: impl IntoIterator<Item = &'d mut Device>) {
    let mut taken = BTreeSet::new();
    for device in devices {
        let name = device.name.clone();
        let mut number = 2;
        while !taken.insert(device.name.clone()) {
            device.name = format!("{name}_{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::DeviceConfig;
    use super::*;

    #[test]
    fn devices_of_one_name_are_numbered() {
        let device = |name: &str| Device { name: name.to_owned(), ..Device::default() };
        let devices = DeviceConfig::new("test", ["a", "b", "a", "a_2", "a"].map(device).into());
        assert_eq!(devices.names().collect::<Vec<_>>(), ["a", "b", "a_2", "a_2_2", "a_3"]);
    }
}
