//! Device architectures, their numbers and other names (`spec-extensions/architectures.csv`,
//! `spec-extensions/architecture-aliases.csv`).

use std::sync::LazyLock;

use crate::text::csv;

/// A device architecture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Name as in DPC++, such as `intel_gpu_pvc`.
    pub name: &'static str,
    /// The number in condition expressions, property sets and our other files.
    pub value: u32,
    /// The number in DPC++'s architecture enumeration, if it has one.
    pub sycl64: Option<u64>,
    /// Entry in the device registry. Several architectures may share one tuple (`unique_registry`).
    pub registry: Option<RegistryTuple>,
    /// Names that the table has for [`target_macros`](Architecture::target_macros).
    macros: &'static str,
}

impl Architecture {
    /// Returns the macros that a compiler predefines in device code for this architecture alone
    /// (docs/design/device-if.md, "Compiler driver macro predefines"). Current names of DPC++ come first,
    /// then other spellings, then those of aliases.
    pub fn target_macros(&self) -> Vec<String> {
        let mut names = match self.macros {
            "" => vec![self.name.to_ascii_uppercase()],
            names => names.split(' ').map(str::to_owned).collect(),
        };
        names.extend(aliases(self.name).map(str::to_ascii_uppercase));
        names.into_iter().map(|name| format!("__SYCL_TARGET_{name}__")).collect()
    }
}

/// An architecture in the device registry, which OpSpecConstantArchitectureINTEL compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RegistryTuple {
    /// CPU, GPU, ...
    pub category: u32,
    /// The vendor's line of devices, within the category.
    pub family: u32,
    /// The architecture, within the family. Later architectures have larger numbers.
    pub architecture: u32,
}

static ARCHITECTURES: LazyLock<Vec<Architecture>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/architectures.csv"))
        .filter_map(|[name, value, sycl64, category, family, architecture, macros]| {
            let registry = || {
                Some(RegistryTuple {
                    category: category.parse().ok()?,
                    family: family.parse().ok()?,
                    architecture: architecture.parse().ok()?,
                })
            };
            let sycl64 = csv::number(sycl64);
            Some(Architecture { name, value: value.parse().ok()?, sycl64, registry: registry(), macros })
        })
        .collect()
});

static ALIASES: LazyLock<Vec<[&str; 2]>> =
    LazyLock::new(|| csv::rows(include_str!("../../spec-extensions/architecture-aliases.csv")).collect());

/// Returns the architecture called `name`, which may be an alias.
pub fn by_name(name: &str) -> Option<&'static Architecture> {
    let find = |name| ARCHITECTURES.iter().find(|architecture| architecture.name == name);
    find(name).or_else(|| find(ALIASES.iter().find(|[alias, _]| *alias == name)?[1]))
}

/// Returns the architecture with a number.
pub fn by_value(value: u32) -> Option<&'static Architecture> {
    ARCHITECTURES.iter().find(|architecture| architecture.value == value)
}

/// Returns the architectures whose number in DPC++'s enumeration ends with these 32 bits.
pub fn with_low_bits(bits: u32) -> impl Iterator<Item = &'static Architecture> {
    ARCHITECTURES
        .iter()
        .filter(move |architecture| architecture.sycl64.is_some_and(|number| number as u32 == bits))
}

/// Returns the number of the architecture that DPC++'s `if_architecture_is` means by an integer: the low 32 bits of DPC++'s own number. Returns
/// `None` for numbers of this table, which are read as such, and where several architectures have the same bits.
pub fn from_dpcpp(integer: i32) -> Option<u32> {
    let bits = integer.cast_unsigned();
    if by_value(bits).is_some() {
        return None;
    }
    let mut all = with_low_bits(bits);
    let first = all.next()?;
    all.next().is_none().then_some(first.value)
}

/// Returns all architectures, by number.
pub fn all() -> &'static [Architecture] {
    &ARCHITECTURES
}

/// Returns the other names of the architecture called `name`.
pub fn aliases(name: &str) -> impl Iterator<Item = &'static str> {
    ALIASES.iter().filter(move |[_, of]| *of == name).map(|[alias, _]| *alias)
}

/// Returns all names: those of the architectures, then the aliases.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    all().iter().map(|architecture| architecture.name).chain(ALIASES.iter().map(|[alias, _]| *alias))
}

/// Returns the registry tuple of an architecture, if no other one shares it. Only such an architecture can be
/// expressed by OpSpecConstantArchitectureINTEL.
pub fn unique_registry(architecture: u32) -> Option<RegistryTuple> {
    let tuple = by_value(architecture)?.registry?;
    by_registry(tuple).is_some().then_some(tuple)
}

/// Returns the architecture of a registry tuple, if there is exactly one.
pub fn by_registry(tuple: RegistryTuple) -> Option<&'static Architecture> {
    let mut architectures = ARCHITECTURES.iter().filter(|architecture| architecture.registry == Some(tuple));
    let first = architectures.next();
    if architectures.next().is_some() { None } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_dpcpp_are_read_where_they_cannot_be_ours() {
        let value = |name| by_name(name).map(|architecture| architecture.value);
        assert_eq!(from_dpcpp(251_660_032), value("intel_gpu_pvc"));
        assert_eq!(from_dpcpp(-1_073_741_824), value("intel_gpu_icllp"));
        assert_eq!(from_dpcpp(0x5000), value("nvidia_gpu_sm_50"));
        assert_eq!(from_dpcpp(20), None, "ours");
        assert_eq!(from_dpcpp(0x0080_0000), None, "of two");
        assert_eq!(from_dpcpp(-5), None);
        for architecture in all() {
            let Some(number) = architecture.sycl64 else { continue };
            let read = from_dpcpp((number as u32).cast_signed());
            let is_told = with_low_bits(number as u32).count() == 1;
            assert_eq!(read, is_told.then_some(architecture.value), "{}", architecture.name);
        }
    }

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../spec-extensions/architectures.csv");
        assert_eq!(all().len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        for (index, architecture) in all().iter().enumerate() {
            assert_eq!(architecture.value as usize, index, "numbers follow the rows");
            assert_eq!(by_name(architecture.name), Some(architecture), "{} stands twice", architecture.name);
        }
    }

    #[test]
    fn targets_have_macros() {
        let macros = |name| by_name(name).unwrap().target_macros();
        assert_eq!(
            macros("intel_gpu_adl_s"),
            [
                "__SYCL_TARGET_INTEL_GPU_ADL_S__",
                "__SYCL_TARGET_INTEL_GPU_RPL_S__",
                "__SYCL_TARGET_INTEL_GPU_12_2_0__"
            ]
        );
        assert_eq!(macros("x86_64"), ["__SYCL_TARGET_INTEL_X86_64__"]);
        assert_eq!(
            macros("nvidia_gpu_sm_50"),
            ["__SYCL_TARGET_NVIDIA_GPU_SM_50__", "__SYCL_TARGET_NVIDIA_GPU_SM50__"]
        );
        let all: std::collections::BTreeSet<String> =
            all().iter().flat_map(Architecture::target_macros).collect();
        // Names of NVIDIA's architectures have two spellings.
        let nvidia =
            super::all().iter().filter(|architecture| architecture.name.starts_with("nvidia_")).count();
        assert_eq!(all.len(), names().count() + nvidia, "no macro stands for two");
    }

    #[test]
    fn every_alias_resolves() {
        assert!(!ALIASES.is_empty());
        for [alias, name] in ALIASES.iter() {
            assert_eq!(by_name(alias).unwrap().name, *name, "{alias}");
            assert!(ARCHITECTURES.iter().all(|architecture| architecture.name != *alias));
            assert_eq!(ALIASES.iter().filter(|row| row[0] == *alias).count(), 1);
        }
    }

    /// Checks that an Intel GPU's alias by hardware version agrees with DPC++'s 64-bit number, except for the
    /// revision.
    #[test]
    fn version_aliases_agree_with_the_64_bit_numbers() {
        let mut checked = 0;
        for [alias, _] in ALIASES.iter() {
            let parts: Vec<u64> = alias
                .trim_start_matches("intel_gpu_")
                .split('_')
                .filter_map(|part| part.parse().ok())
                .collect();
            if let [major, minor, _revision] = parts[..] {
                assert_eq!(by_name(alias).unwrap().sycl64.unwrap() >> 22, major << 8 | minor, "{alias}");
                checked += 1;
            }
        }
        assert!(checked > 20);
    }

    #[test]
    fn shared_registry_tuples_are_no_ones() {
        let value = |name| by_name(name).unwrap().value;
        let pvc = RegistryTuple { category: 2, family: 1, architecture: 21 };
        assert_eq!(unique_registry(value("intel_gpu_pvc")), Some(pvc));
        assert_eq!(by_registry(pvc).unwrap().name, "intel_gpu_pvc");
        assert_eq!(unique_registry(value("nvidia_gpu_sm_62")), None, "shared with sm_70");
        assert_eq!(unique_registry(value("amd_gpu_gfx1100")), None);
        assert_eq!(unique_registry(value("x86_64")), None, "not in the registry");
        assert_eq!(unique_registry(1000), None);
    }
}
