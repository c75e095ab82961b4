//! The device registry, version 0 (`spec-extensions/device-registry.csv`): the numbers of
//! OpSpecConstantTargetINTEL and OpSpecConstantArchitectureINTEL (SPV_INTEL_function_variants).

use std::sync::LazyLock;

use super::{Device, architectures};
use crate::text::csv;

/// A list of names in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// Instruction sets.
    Targets,
    /// Optional parts of an instruction set.
    Features {
        /// The instruction set.
        target: u32,
    },
    /// CPU, GPU, NPU.
    Categories,
    /// The families of a category.
    Families {
        /// The category.
        category: u32,
    },
    /// The architectures of a family. Those of GPUs have the names of `architectures`.
    Architectures {
        /// The category.
        category: u32,
        /// The family.
        family: u32,
    },
}

struct RegistryRow {
    kind: &'static str,
    within: &'static str,
    name: &'static str,
    value: u32,
}

static ROWS: LazyLock<Vec<RegistryRow>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/device-registry.csv"))
        .filter_map(|[kind, within, name, value]| {
            Some(RegistryRow { kind, within, name, value: value.parse().ok()? })
        })
        .collect()
});

impl List {
    /// Returns the number of a name.
    pub fn number(self, name: &str) -> Option<u32> {
        self.entries().into_iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Returns the name of a number; `None` for a number that several architectures share.
    pub fn name(self, number: u32) -> Option<&'static str> {
        if let List::Architectures { category, family } = self {
            let tuple = architectures::RegistryTuple { category, family, architecture: number };
            if let Some(architecture) = architectures::by_registry(tuple) {
                return Some(architecture.name);
            }
        }
        self.rows().find(|row| row.value == number).map(|row| row.name)
    }

    /// Returns all names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.entries().into_iter().map(|entry| entry.0)
    }

    /// Returns true if the registry has this number.
    pub fn contains(self, number: u32) -> bool {
        self.entries().iter().any(|entry| entry.1 == number)
    }

    fn entries(self) -> Vec<(&'static str, u32)> {
        let mut entries: Vec<_> = self.rows().map(|row| (row.name, row.value)).collect();
        if let List::Architectures { category, family } = self {
            entries.extend(architectures::all().iter().filter_map(|architecture| {
                let tuple = architecture.registry?;
                (tuple.category == category && tuple.family == family)
                    .then_some((architecture.name, tuple.architecture))
            }));
        }
        entries
    }

    fn rows(self) -> impl Iterator<Item = &'static RegistryRow> {
        let (kind, within) = match self {
            List::Targets => ("target", None),
            List::Features { target } => ("feature", List::Targets.name(target).map(str::to_owned)),
            List::Categories => ("category", Some(String::new())),
            List::Families { category } => ("family", List::Categories.name(category).map(str::to_owned)),
            List::Architectures { category, family } => ("architecture", {
                let names = (List::Categories.name(category), List::Families { category }.name(family));
                if let (Some(category), Some(family)) = names {
                    Some(format!("{category}/{family}"))
                } else {
                    None
                }
            }),
        };
        let is_within =
            move |row: &&RegistryRow| self == List::Targets || Some(row.within) == within.as_deref();
        ROWS.iter().filter(move |row| row.kind == kind).filter(is_within)
    }
}

/// Returns the category of the devices with an instruction set, if it has one.
pub fn category_of_target(target: u32) -> Option<u32> {
    let row = List::Targets.rows().find(|row| row.value == target)?;
    List::Categories.number(row.within)
}

impl Device {
    /// Sets the instruction set of a processor. Other devices are unchanged.
    #[doc(hidden)]
    pub fn set_processor_target(&mut self, name: &str) {
        if self.category.is_some() && self.category == List::Categories.number("cpu") {
            self.target = List::Targets.number(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instruction_sets_are_of_a_category() {
        let category = |name| category_of_target(List::Targets.number(name).unwrap());
        assert_eq!(
            [category("x86_64"), category("arm32"), category("amdgcn"), category("unknown")],
            [Some(1), Some(1), Some(2), None]
        );
        let without: Vec<&str> = List::Targets.names().filter(|name| category(name).is_none()).collect();
        assert_eq!(without, ["unknown"]);
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(List::Targets.number("aarch64"), Some(2));
        assert_eq!(List::Targets.name(2), Some("arm64"), "the first name is printed");
        assert_eq!(List::Features { target: 4 }.number("avx512f"), Some(12));
        assert_eq!(List::Features { target: 1 }.number("neon"), Some(1));
        assert_eq!(List::Features { target: 2 }.number("neon"), Some(4));
        assert_eq!(List::Features { target: 7 }.names().count(), 0);
        assert_eq!(List::Categories.number("gpu"), Some(2));
        assert_eq!(List::Families { category: 2 }.number("nvidia"), Some(3));
        assert_eq!(List::Families { category: 9 }.number("nvidia"), None);
    }

    #[test]
    fn architectures_come_from_both_tables() {
        let intel_cpus = List::Architectures { category: 1, family: 1 };
        assert_eq!(intel_cpus.number("gdc"), Some(12));
        assert_eq!(intel_cpus.number("intel_cpu_spr"), Some(12));
        let intel_gpus = List::Architectures { category: 2, family: 1 };
        assert_eq!(intel_gpus.number("intel_gpu_pvc"), Some(21));
        assert_eq!(intel_gpus.name(21), Some("intel_gpu_pvc"));
        assert_eq!(List::Architectures { category: 2, family: 3 }.name(6), None, "sm_62 and sm_70");
        assert!(intel_gpus.contains(29) && !intel_gpus.contains(30));
    }

    #[test]
    fn every_row_can_be_found() {
        let mut count = 0;
        for list in [List::Targets, List::Categories] {
            count += list.names().count();
        }
        for target in 0..10 {
            count += List::Features { target }.names().count();
        }
        for category in 1..4 {
            count += List::Families { category }.names().count();
            for family in 0..8 {
                count += List::Architectures { category, family }.rows().count();
            }
        }
        assert_eq!(count, ROWS.len());
        let text = include_str!("../../spec-extensions/device-registry.csv");
        assert_eq!(count, text.lines().filter(|line| !line.starts_with('#')).count() - 1);
    }
}
