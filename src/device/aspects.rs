//! SYCL aspects and their numbers (`spec-extensions/aspects.csv`).

use std::sync::LazyLock;

use super::generated::ASPECTS;
use crate::text::csv;

/// First number of the aspects of targets; see [`of_architecture`].
const FIRST_TARGET_ASPECT: u32 = 0x10000;

/// First number that DPC++ 2026 changed.
const FIRST_RENUMBERED: u32 = 25;

/// Offset of the numbers of aspects that exist only in the other numbering.
const OTHER_NUMBERING: u32 = 0x1000_0000;

/// Returns the number of the aspect called `name`; deprecated names are accepted.
pub fn number(name: &str) -> Option<u32> {
    ASPECTS.iter().find(|aspect| aspect.0 == name).map(|aspect| aspect.1)
}

/// Returns the name of an aspect.
pub fn name(number: u32) -> Option<&'static str> {
    ASPECTS.iter().find(|aspect| aspect.1 == number).map(|aspect| aspect.0)
}

/// Numbers of our aspects in DPC++ 2026 (`spec-extensions/aspects-dpcpp-2026.csv`), for aspects that both
/// have.
static DPCPP: LazyLock<Vec<(u32, u32)>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/aspects-dpcpp-2026.csv"))
        .filter_map(|[name, value]| Some((number(name)?, value.parse().ok()?)))
        .collect()
});

/// Converts an aspect to its number in DPC++ 2026. An aspect missing there gets an unused number, so that no
/// device has it. [`from_dpcpp`] is the inverse.
pub fn to_dpcpp(number: u32) -> u32 {
    let mapped = DPCPP.iter().find(|(ours, _)| *ours == number).map(|(_, theirs)| *theirs);
    mapped.unwrap_or_else(|| to_other_numbering(number))
}

/// Returns the aspect that has this number in DPC++ 2026.
pub fn from_dpcpp(number: u32) -> u32 {
    let mapped = DPCPP.iter().find(|(_, theirs)| *theirs == number).map(|(ours, _)| *ours);
    mapped.unwrap_or_else(|| to_other_numbering(number))
}

/// Returns the number of an aspect in the numbering that does not have it.
fn to_other_numbering(number: u32) -> u32 {
    match number {
        // Equal in all numberings, including deprecated ones.
        0..FIRST_RENUMBERED => number,
        FIRST_RENUMBERED..FIRST_TARGET_ASPECT => number + OTHER_NUMBERING,
        number
            if (FIRST_RENUMBERED + OTHER_NUMBERING..FIRST_TARGET_ASPECT + OTHER_NUMBERING)
                .contains(&number) =>
        {
            number - OTHER_NUMBERING
        }
        number => number,
    }
}

/// Returns all names, deprecated ones last.
pub fn names() -> impl Iterator<Item = &'static str> {
    ASPECTS.iter().map(|aspect| aspect.0)
}

/// Returns the aspect that exactly the devices of an architecture have. The `fixed_target` property lists
/// such aspects (docs/design/optional-kernel-features.md, "Create the "SYCL/device requirements" property
/// set"). SYCL defines none, so this project numbers them.
pub fn of_architecture(architecture: u32) -> Option<u32> {
    architecture.checked_add(FIRST_TARGET_ASPECT)
}

/// Returns the architecture that an aspect stands for: the inverse of [`of_architecture`].
pub fn architecture_of(aspect: u32) -> Option<u32> {
    aspect.checked_sub(FIRST_TARGET_ASPECT)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The numbers are those of DPC++'s sycl/aspects.def.
    #[test]
    fn names_and_numbers() {
        assert_eq!(number("fp16"), Some(5));
        assert_eq!(number("atomic64"), Some(28));
        assert_eq!(number("ext_oneapi_int4"), Some(88));
        assert_eq!(name(6), Some("fp64"));
        assert_eq!(number("fp61"), None);
        assert_eq!(name(71), None);
    }

    /// Checks that each number can be converted to the other numbering and back.
    #[test]
    fn numbers_of_dpcpp() {
        let number_of = |name| number(name).unwrap();
        assert_eq!(to_dpcpp(number_of("fp64")), 6);
        assert_eq!(to_dpcpp(number_of("atomic64")), 27);
        assert_eq!(from_dpcpp(28), number_of("ext_intel_device_info_uuid"));
        assert_eq!(name(from_dpcpp(98)), None, "one that is not in the table");
        assert_eq!(to_dpcpp(0x10014), 0x10014, "a target");
        let lost = to_dpcpp(number_of("ext_intel_mem_channel"));
        assert!((lost > 0x1000_0000) && name(from_dpcpp(lost)) == Some("ext_intel_mem_channel"));
        let mut seen = std::collections::BTreeSet::new();
        for number in (0..300).chain([0x10014, u32::MAX]) {
            assert_eq!(from_dpcpp(to_dpcpp(number)), number);
            assert_eq!(to_dpcpp(from_dpcpp(number)), number);
            assert!(seen.insert(to_dpcpp(number)));
        }
    }

    #[test]
    fn deprecated_names_are_read_and_not_printed() {
        assert_eq!(number("usm_system_allocator"), Some(17));
        assert_eq!(name(17), Some("usm_system_allocations"));
        assert_eq!(number("int64_base_atomics"), Some(7));
        assert_eq!(name(7), Some("int64_base_atomics"));
    }

    #[test]
    fn names_are_unique() {
        for (name, value) in ASPECTS.iter() {
            assert_eq!(number(name), Some(*value), "{name} stands twice");
            assert!(*value < FIRST_TARGET_ASPECT);
        }
    }

    #[test]
    fn aspects_of_targets() {
        assert_eq!(of_architecture(20), Some(0x10014));
        assert_eq!(architecture_of(0x10014), Some(20));
        assert_eq!(architecture_of(5), None);
        assert_eq!(of_architecture(u32::MAX), None);
    }
}
