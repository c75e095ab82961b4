//! Architectures by the names and numbers that drivers report (`spec-extensions/device-ids.csv`).

use wildmatch::WildMatch;

use super::architectures::{self, Architecture};
use crate::text::csv;

/// A name or number of a device from its driver. Reports in files have some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue<'a> {
    /// The name of the device.
    Name(&'a str),
    /// PCI ids.
    Pci {
        /// The vendor.
        vendor: u64,
        /// The device.
        device: u64,
    },
    /// The PCI id of the vendor alone.
    Vendor(u64),
    /// CL_DEVICE_IP_VERSION_INTEL.
    IntelIp(u64),
    /// NVIDIA's compute capability, major and minor.
    ComputeCapability(u64, u64),
}

/// Returns the architecture of a device with these names and numbers.
pub fn architecture(clues: &[Clue]) -> Option<&'static Architecture> {
    clues.iter().find_map(architecture_of_clue)
}

/// Returns the family of GPUs in the device registry, by the vendor that a driver names.
pub fn family(clues: &[Clue]) -> Option<&'static str> {
    clues.iter().find_map(|clue| match *clue {
        Clue::Pci { vendor, .. } => row("vendor", &format!("{vendor:04x}")),
        Clue::Vendor(vendor) => row("vendor", &format!("{vendor:04x}")),
        _ => None,
    })
}

fn architecture_of_clue(clue: &Clue) -> Option<&'static Architecture> {
    match *clue {
        // DPC++ numbers Intel's GPUs by their hardware version.
        Clue::IntelIp(version) => {
            let number = version.checked_mul(0x100)?;
            architectures::all()
                .iter()
                .find(|one| one.sycl64 == Some(number) && one.name.starts_with("intel_gpu_"))
        }
        Clue::ComputeCapability(major, minor) => {
            architectures::by_name(&format!("nvidia_gpu_sm_{major}{minor}"))
        }
        Clue::Name(name) => {
            let of_amd = || architectures::by_name(&format!("amd_gpu_{}", name.split(':').next()?));
            of_amd().or_else(|| architectures::by_name(row("name", name)?))
        }
        Clue::Pci { vendor, device } => {
            architectures::by_name(row("pci", &format!("{vendor:04x}:{device:04x}"))?)
        }
        Clue::Vendor(_) => None,
    }
}

/// Returns the name in the first row of a kind whose pattern matches the text.
fn row(kind: &str, text: &str) -> Option<&'static str> {
    let rows = csv::rows(include_str!("../../spec-extensions/device-ids.csv"));
    let mut rows = rows.filter(|[of, ..]: &[&str; 3]| *of == kind);
    rows.find(|[_, pattern, _]| WildMatch::new(pattern).matches(text)).map(|[_, _, name]| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::registry::List;

    const GPUS: List = List::Families { category: 2 };

    fn name(clue: Clue) -> &'static str {
        architecture(&[clue]).map_or("none", |architecture| architecture.name)
    }

    #[test]
    fn devices_are_recognized() {
        // 12.60.7, as Intel's drivers pack it.
        assert_eq!(name(Clue::IntelIp(12 << 22 | 60 << 14 | 7)), "intel_gpu_pvc");
        assert_eq!(name(Clue::IntelIp(0x50)), "none", "no number of another vendor");
        assert_eq!(name(Clue::ComputeCapability(9, 0)), "nvidia_gpu_sm_90");
        assert_eq!(name(Clue::ComputeCapability(99, 0)), "none");
        assert_eq!(name(Clue::Name("gfx90a:sramecc+:xnack-")), "amd_gpu_gfx90a");
        assert_eq!(name(Clue::Name("AMD Radeon RX 6600 (RADV NAVI23)")), "amd_gpu_gfx1032");
        assert_eq!(name(Clue::Name("Intel(R) HD Graphics 620 (KBL GT2)")), "intel_gpu_kbl");
        assert_eq!(name(Clue::Name("Intel(R) Arc(tm) A380 Graphics (DG2)")), "intel_gpu_acm_g11");
        assert_eq!(name(Clue::Name("llvmpipe (LLVM 22.1.8, 256 bits)")), "none");
        let nvidia = |device| name(Clue::Pci { vendor: 0x10de, device });
        assert_eq!(nvidia(0x2330), "nvidia_gpu_sm_90", "H100 SXM5");
        assert_eq!(nvidia(0x20b2), "nvidia_gpu_sm_80", "A100");
        assert_eq!(nvidia(0x2204), "nvidia_gpu_sm_86", "RTX 3090");
        assert_eq!(nvidia(0x1eb8), "nvidia_gpu_sm_75", "T4");
        assert_eq!(name(Clue::Pci { vendor: 0x1002, device: 0x2330 }), "none");
    }

    #[test]
    fn families() {
        assert_eq!(family(&[Clue::Name("x"), Clue::Pci { vendor: 0x10de, device: 1 }]), Some("nvidia"));
        assert_eq!(family(&[Clue::Vendor(0x8086)]), Some("intel"));
        assert_eq!(family(&[Clue::Vendor(0x1002)]), Some("amd"));
        assert_eq!(family(&[Clue::Vendor(0x10005)]), None, "Mesa's own number");
    }

    #[test]
    fn every_row_names_an_architecture() {
        for [kind, pattern, name, source] in csv::rows(include_str!("../../spec-extensions/device-ids.csv")) {
            assert!(["name", "pci", "vendor"].contains(&kind) && !source.is_empty(), "{pattern}");
            if kind == "vendor" {
                assert!(GPUS.number(name).is_some(), "{pattern}");
                continue;
            }
            let architecture = architectures::by_name(name);
            assert_eq!(architecture.map(|architecture| architecture.name), Some(name), "{pattern}");
        }
    }
}
