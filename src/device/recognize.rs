//! Which architecture a device is of, by what its driver says (`spec-extensions/device-ids.csv`).

use wildmatch::WildMatch;

use super::architectures::{self, Architecture};
use super::csv;

/// Something that a driver says of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue<'a> {
    /// What it calls the device.
    Name(&'a str),
    /// PCI ids.
    Pci {
        /// The vendor.
        vendor: u64,
        /// The device.
        device: u64,
    },
    /// CL_DEVICE_IP_VERSION_INTEL.
    IntelIp(u64),
    /// NVIDIA's compute capability, major and minor.
    ComputeCapability(u64, u64),
}

/// The architecture of a device of which a driver says this.
pub fn architecture(clues: &[Clue]) -> Option<&'static Architecture> {
    clues.iter().find_map(of)
}

fn of(clue: &Clue) -> Option<&'static Architecture> {
    match *clue {
        // DPC++ numbers Intel's GPUs by their hardware version.
        Clue::IntelIp(version) => {
            let number = version.checked_mul(0x100)?;
            architectures::all().iter().find(|one| one.sycl64 == number && one.name.starts_with("intel_gpu_"))
        }
        Clue::ComputeCapability(major, minor) => {
            architectures::by_name(&format!("nvidia_gpu_sm_{major}{minor}"))
        }
        Clue::Name(name) => row("name", name),
        Clue::Pci { vendor, device } => row("pci", &format!("{vendor:04x}:{device:04x}")),
    }
}

/// The first row of a kind whose pattern the text matches.
fn row(kind: &str, text: &str) -> Option<&'static Architecture> {
    let rows = csv::rows(include_str!("../../spec-extensions/device-ids.csv"));
    let mut rows = rows.filter(|[of, ..]: &[&str; 3]| *of == kind);
    let [_, _, name] = rows.find(|[_, pattern, _]| WildMatch::new(pattern).matches(text))?;
    architectures::by_name(name)
}
