//! Flags in integer constants, on the device with and without their features.

use super::driver::{self, KernelJob, Refusal};
use crate::drivers::DriverCase;
use crate::drivers::flags::{self, FlagFixture, NUMBER, OF_OPENCL};

pub fn cases() -> Vec<DriverCase> {
    let case = |fixture: &'static FlagFixture| {
        DriverCase::new(format!("flags::{}", fixture.name), move || runs(fixture))
    };
    OF_OPENCL.iter().map(case).collect()
}

fn runs(fixture: &FlagFixture) -> Result<String, String> {
    let driver = driver::device()?;
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let run = |module: &[u32], constants: &[(u32, Vec<u8>)]| {
        let job = KernelJob {
            inputs: vec![vec![NUMBER]],
            outputs: vec![4],
            numbers: &[],
            halves: &[],
            items: 1,
            group: 1,
            constants: constants.to_vec(),
        };
        driver::run_anew(&driver, module, &job).map_err(Refusal::call).map(|mut read| read.remove(0))
    };
    flags::runs(fixture, &device, run).map_err(|error| error.to_string())
}
