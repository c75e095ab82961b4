//! Values of specialization constants, as applications pass them.

use std::collections::BTreeMap;

use ash::vk;

use crate::interface::list;

/// Returns the bytes of each value by SpecId, as far as they exist. The first of several values for one SpecId counts.
pub fn given_values(info: &vk::SpecializationInfo) -> BTreeMap<u32, Vec<u8>> {
    // SAFETY: the application's structure has as many entries and bytes as it says, until the call returns that it is for.
    let (entries, data) = unsafe {
        let data = match info.p_data.is_null() {
            true => &[],
            false => std::slice::from_raw_parts(info.p_data.cast::<u8>(), info.data_size),
        };
        (list(info.p_map_entries, info.map_entry_count), data)
    };
    let mut values = BTreeMap::new();
    for entry in entries {
        let start = entry.offset as usize;
        let bytes = start.checked_add(entry.size).and_then(|end| data.get(start..end));
        if let Some(bytes) = bytes {
            values.entry(entry.constant_id).or_insert_with(|| bytes.to_vec());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_size_of_their_entry() {
        let data = [1u8, 2, 0, 0, 0, 3, 0, 0, 0];
        let entry = |constant_id, offset, size| vk::SpecializationMapEntry { constant_id, offset, size };
        let entries = [entry(7, 0, 1), entry(9, 1, 4), entry(3, 5, 8), entry(4, u32::MAX, usize::MAX)];
        let info = vk::SpecializationInfo::default().map_entries(&entries).data(&data);
        // There are fewer bytes than the last two name.
        assert_eq!(given_values(&info), BTreeMap::from([(7, vec![1]), (9, vec![2, 0, 0, 0])]));
        let without_data = vk::SpecializationInfo { p_data: std::ptr::null(), ..info };
        assert!(given_values(&without_data).is_empty());
    }
}
