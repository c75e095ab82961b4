//! A SYCL kernel with doubles for a rare case, packed with a lowered twin.

use spirv::Capability;
use spirv_if::device::Api;
use spirv_if::specialize::FeaturesToLower;
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

use super::driver::{self, KernelJob, Refusal};
use super::kernels::OpenClFeature;
use crate::common::{root, validate, words_of};
use crate::drivers::masked;
use crate::drivers::routes::declared;
use crate::random::Random;

/// Runs the SYCL kernel that adds floats, and doubles where the sum would lose too much: as it is, and as a module packed with a twin has it for the
/// same device without doubles. Both have the bits of the host.
pub fn runs() -> Result<String, String> {
    const COLUMNS: [u32; 1] = [48];
    let driver = driver::device()?;
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let device = &*device.for_api(Api::OpenCl);
    let path = root().join("fixtures/dpcpp/rare_double-O2.spv");
    let native = words_of(&std::fs::read(path).map_err(|error| error.to_string())?);
    let module = Module::from_words(&native[..]).map_err(|error| error.to_string())?;
    let options = PackOptions::new().lower("Float64".parse::<FeaturesToLower>().unwrap());
    let packed = pack(&module, &options).and_then(|packed| Module::from_words(packed.words));
    let packed = packed.map_err(|error| error.to_string())?;
    let specialize = |device: &Device| {
        let prepared = Prepared::new(&packed).map_err(|error| error.to_string())?;
        // DPC++ writes assumptions that these drivers do not accept.
        let settings = Settings::new().adapt(true);
        let words = prepared.specialize(device, &settings).map_err(|error| error.to_string())?.words;
        validate(&words, "spv1.4").map(|()| words)
    };
    let twin = specialize(&masked::without(device, &[Capability::Float64]))?;
    if declared(&twin).contains(&(Capability::Float64 as u32)) {
        return Err("Float64 is declared".to_owned());
    }
    let values = rows_of_floats(COLUMNS[0] as usize);
    let (sums, rare): (Vec<u32>, Vec<bool>) = values.chunks(COLUMNS[0] as usize).map(sum_of_row).unzip();
    let count = rare.iter().filter(|is_rare| **is_rare).count();
    let job = KernelJob {
        inputs: vec![values.iter().map(|value| value.to_bits()).collect()],
        outputs: vec![sums.len()],
        numbers: &COLUMNS,
        items: sums.len(),
        kernel: c"__sycl_kernel_sum_rows",
        ..KernelJob::default()
    };
    let mut modules = vec![("lowered", twin)];
    if driver::has(&driver, OpenClFeature::Fp64) {
        modules.push(("native", specialize(device)?));
    }
    for (title, words) in &modules {
        let read = driver::run_anew(&driver, words, &job).map_err(Refusal::call)?;
        if read[0] != sums {
            return Err(format!("{title}: {:x?} instead of {sums:x?}", read[0]));
        }
    }
    Ok(format!("equal bits: {} rows, {count} of them with doubles", sums.len()))
}

/// Random rows. In every other one, two large numbers cancel out, and floats lose the others. Doubles lose nothing in any order: Intel's runtime for
/// processors adds them in several lanes.
fn rows_of_floats(columns: usize) -> Vec<f32> {
    const ROWS: usize = 64;
    const LARGE: f32 = (1u64 << 40) as f32;
    let mut random = Random::new(11);
    let mut values: Vec<f32> =
        (0..ROWS * columns).map(|_| (random.below(4096) as f32 - 2048.0) / 1024.0).collect();
    for row in values.chunks_mut(2 * columns) {
        (row[3], row[columns - 5]) = (LARGE, -LARGE);
    }
    values
}

/// Computes the sum of a row as `fixtures/dpcpp/rare_double.cpp` does; returns its bits, and true if they come from doubles.
fn sum_of_row(row: &[f32]) -> (u32, bool) {
    let sum: f32 = row.iter().fold(0.0, |sum, value| sum + value);
    let greatest = row.iter().fold(0f32, |greatest, value| greatest.max(value.abs()));
    let is_rare = greatest > 1e6 * sum.abs();
    let exact = row.iter().fold(0f64, |sum, value| sum + f64::from(*value));
    (if is_rare { exact as f32 } else { sum }.to_bits(), is_rare)
}
