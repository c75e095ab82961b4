//! SYCL aspects and their numbers (`spec-extensions/aspects.csv`).

use std::sync::LazyLock;

use crate::text::csv;

/// Aspect numbers from here on are the aspects of targets; see [`of_architecture`].
const FIRST_TARGET_ASPECT: u32 = 0x10000;

static ASPECTS: LazyLock<Vec<(&str, u32)>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/aspects.csv"))
        .filter_map(|[name, value]| Some((name, value.parse().ok()?)))
        .collect()
});

/// The number of the aspect called `name`; deprecated names are accepted.
pub fn number(name: &str) -> Option<u32> {
    ASPECTS.iter().find(|aspect| aspect.0 == name).map(|aspect| aspect.1)
}

/// The name of an aspect.
pub fn name(number: u32) -> Option<&'static str> {
    ASPECTS.iter().find(|aspect| aspect.1 == number).map(|aspect| aspect.0)
}

/// All names, deprecated ones last.
pub fn names() -> impl Iterator<Item = &'static str> {
    ASPECTS.iter().map(|aspect| aspect.0)
}

/// The aspect that exactly the devices of an architecture have. The `fixed_target` property lists such aspects
/// (docs/design/optional-kernel-features.md, "Create the "SYCL/device requirements" property set"); SYCL defines none, so
/// this project numbers them.
pub fn of_architecture(architecture: u32) -> Option<u32> {
    architecture.checked_add(FIRST_TARGET_ASPECT)
}

/// The architecture whose own aspect this is: the inverse of [`of_architecture`].
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

    #[test]
    fn deprecated_names_are_read_and_not_printed() {
        assert_eq!(number("usm_system_allocator"), Some(17));
        assert_eq!(name(17), Some("usm_system_allocations"));
        assert_eq!(number("int64_base_atomics"), Some(7));
        assert_eq!(name(7), Some("int64_base_atomics"));
    }

    #[test]
    fn every_row_is_read_and_names_are_unique() {
        let rows =
            include_str!("../../spec-extensions/aspects.csv").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(ASPECTS.len(), rows.count() - 1);
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
