//! Names that tell devices apart.

use std::collections::BTreeSet;

use super::Device;

/// Numbers devices of one name: `a`, `a_2`, `a_3`.
pub(crate) fn tell_apart<'d>(devices: impl IntoIterator<Item = &'d mut Device>) {
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
    use super::*;

    #[test]
    fn devices_of_one_name_are_numbered() {
        let device = |name: &str| Device { name: name.to_owned(), ..Device::default() };
        let mut devices = ["a", "b", "a", "a_2", "a"].map(device);
        tell_apart(&mut devices);
        let names: Vec<&str> = devices.iter().map(|device| device.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "a_2", "a_2_2", "a_3"]);
    }
}
