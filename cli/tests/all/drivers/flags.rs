//! Flags and modes in integer constants whose parts are bound to features (`fixtures/flags`): what a device with some of the features makes of the
//! values that a host sets.

use spirv::Capability;
use spirv_if::module::{Annotations, SpecId};
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

use super::masked::without;
use crate::common::{root, validate};

/// The number that the code reads. Twice of it is exact in every type.
pub const NUMBER: u32 = 37;

/// Values of the two constants that hosts set.
const VALUES: [(u32, u32); 7] = [(0, 0), (8, 1), (0x20, 2), (0x132, 3), (0x1f8, 1), (0x2a, 2), (u32::MAX, 0)];

/// The features of one device.
#[derive(Clone, Copy, Debug)]
struct FlagFeatures {
    narrow: bool,
    wide: bool,
}

impl FlagFeatures {
    /// Returns what the code writes.
    fn results(self, flags: u32, mode: u32) -> [u32; 4] {
        let twice = 2 * NUMBER;
        let quality = match flags >> 4 & 3 {
            2 if !self.wide => 0,
            quality => quality,
        };
        let first = if self.narrow { twice } else { NUMBER };
        [
            first + if self.wide { twice } else { 0 },
            if quality == 2 { twice } else { quality },
            match mode {
                1 if self.narrow => twice + 1,
                2 if self.wide => twice + 2,
                3 => NUMBER + 3,
                _ => NUMBER,
            },
            if flags & 2 != 0 { 0 } else { NUMBER },
        ]
    }
}

/// A build of the code.
pub struct FlagFixture {
    pub name: &'static str,
    annotations: &'static str,
    /// The capability of the wide type, beside that of halves.
    wide: Capability,
    pub environment: &'static str,
}

/// The builds for Vulkan.
pub const OF_VULKAN: [FlagFixture; 3] = [of_vulkan("flags"), of_vulkan("flags-O"), of_vulkan("slangflags")];
/// The builds for OpenCL.
pub const OF_OPENCL: [FlagFixture; 2] = [of_opencl("clflags-O0"), of_opencl("clflags-O2")];

const fn of_vulkan(name: &'static str) -> FlagFixture {
    FlagFixture { name, annotations: "parts", wide: Capability::Int64, environment: "vulkan1.1" }
}

const fn of_opencl(name: &'static str) -> FlagFixture {
    FlagFixture { name, annotations: "clparts", wide: Capability::Float64, environment: "opencl2.2" }
}

/// Runs a build with `run`, which takes a module and the values of its constants, on a device with each choice of the features that it has:
/// specialized as it was compiled, and after packing, with the values set before and by the driver.
pub fn runs(
    fixture: &FlagFixture,
    device: &Device,
    mut run: impl FnMut(&[u32], &[(u32, Vec<u8>)]) -> Result<Vec<u32>, String>,
) -> Result<String, Box<dyn std::error::Error>> {
    let read = |name: String| std::fs::read(root().join("fixtures/flags").join(name));
    let (bytes, yaml) =
        (read(format!("{}.spv", fixture.name))?, read(format!("{}.yaml", fixture.annotations))?);
    let annotations = Annotations::from_yaml("flags.yaml", std::str::from_utf8(&yaml)?)?;
    let annotated = Module::from_bytes(&bytes)?.with_annotations(&annotations)?;
    let packed = Module::from_words(pack(&annotated, &PackOptions::new())?.words)?;
    validate(packed.words(), fixture.environment)?;
    let has = |capability| device.has_capability(capability as u32) == Some(true);
    let (narrow, wide) = (has(Capability::Float16), has(fixture.wide));
    for module in [&annotated, &packed] {
        let prepared = Prepared::new(module)?;
        let choices = [(true, true), (true, false), (false, true), (false, false)];
        // A device without a feature has no choice of it.
        for features in choices.into_iter().filter(|choice| (narrow || !choice.0) && (wide || !choice.1)) {
            let features = FlagFeatures { narrow: features.0, wide: features.1 };
            let lacked = [(features.narrow, Capability::Float16), (features.wide, fixture.wide)];
            let lacked: Vec<Capability> = lacked.iter().filter(|(has, _)| !has).map(|(_, c)| *c).collect();
            let device = without(device, &lacked);
            let open = prepared.specialize(&device, &Settings::new())?.words;
            validate(&open, fixture.environment)?;
            let mut check = |plain: &[u32], (flags, mode): (u32, u32), constants: &[(u32, Vec<u8>)]| {
                let (results, expected) = (run(plain, constants)?, features.results(flags, mode));
                match results == expected {
                    true => Ok(()),
                    false => Err(format!("{flags:#x}, {mode}, {features:?}: {results:?}, not {expected:?}")),
                }
            };
            for (flags, mode) in VALUES {
                let constants = [(0, flags.to_le_bytes().to_vec()), (1, mode.to_le_bytes().to_vec())];
                check(&open, (flags, mode), &constants)?;
            }
            // The same values, set before: some of them, since each is a module to check.
            for (flags, mode) in VALUES.into_iter().skip(usize::from(features.narrow)).step_by(3) {
                let set = Settings::new().set(SpecId::from(0), flags).set(SpecId::from(1), mode);
                let plain = prepared.specialize(&device, &set)?.words;
                validate(&plain, fixture.environment)?;
                check(&plain, (flags, mode), &[])?;
            }
        }
    }
    Ok("computes".to_owned())
}
