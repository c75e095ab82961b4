//! Kernels with a case of doubles, on the device without doubles: the other cases compute the same to the bit, and the trap leaves its mark.

use spirv::Capability;
use spirv_if::specialize::Trap;
use spirv_if::{Module, Prepared, Settings};

use super::driver::{self, KernelJob, Refusal};
use crate::common::{root, validate};
use crate::drivers::DriverCase;
use crate::drivers::masked::without;
use crate::drivers::routes::declared;

/// The fixtures, by compiler and level of optimization.
const FIXTURES: [&str; 7] = [
    "cast-O0",
    "cast-O2",
    "cast-llvm-spirv-O0",
    "cast-llvm-spirv-O2",
    "helper-O0",
    "helper-O2",
    "helper-llvm-spirv-O0",
];

const ITEMS: usize = 64;

pub fn cases() -> Vec<DriverCase> {
    let case = |name: &'static str| DriverCase::new(format!("traps::{name}"), move || runs(name));
    FIXTURES.into_iter().map(case).collect()
}

fn runs(fixture: &str) -> Result<String, String> {
    let driver = driver::device()?;
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let device = without(&device, &[Capability::Float64]);
    let bytes = std::fs::read(root().join(format!("fixtures/traps/{fixture}.spv"))).unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    if prepared.specialize(&device, &Settings::new()).is_ok() {
        return Err("the device runs it without traps".to_owned());
    }
    // The word after the results.
    let trap = Trap::Store { buffer: "1".to_owned(), offset: 4 * ITEMS as u32 };
    let trapped =
        prepared.specialize(&device, &Settings::new().trap(trap)).map_err(|error| error.to_string())?;
    validate(&trapped.words, "opencl2.2")?;
    if declared(&trapped.words).contains(&(Capability::Float64 as u32)) {
        return Err("the module declares Float64".to_owned());
    }
    let source: Vec<u32> = (0..2 * ITEMS as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> 3).collect();
    let run = |numbers: &'static [u32]| {
        let job = KernelJob {
            inputs: vec![source.clone()],
            outputs: vec![ITEMS + 1],
            numbers,
            halves: &[],
            items: ITEMS,
            group: ITEMS,
            ..KernelJob::default()
        };
        driver::run_anew(&driver, &trapped.words, &job).map_err(Refusal::call)
    };
    let mut converted: Vec<u32> =
        source[..ITEMS].iter().map(|&word| (word as i32 as f32).to_bits()).collect();
    converted.push(0);
    let copied = [&source[..ITEMS], &[0]].concat();
    let marked = [&[0; ITEMS][..], &[1]].concat();
    let expected: [(&'static [u32], Vec<u32>); 4] =
        [(&[0], copied), (&[1], converted), (&[2], marked), (&[3], vec![0; ITEMS + 1])];
    for (numbers, expected) in expected {
        super::compare(&format!("case {numbers:?}"), &run(numbers)?[0], &expected)?;
    }
    Ok(format!("traps {}", trapped.report.trapped.len()))
}
