//! Operations on doubles, natively and as integers, in kernels: equal bits, which are those of the host.

use spirv::Capability;
use spirv_if::device::Api;
use spirv_if::specialize::{FeaturesToLower, UnsetPolicy};
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

use super::driver::{self, KernelJob, Refusal};
use super::kernels::{KERNELS, OpenClFeature, OpenClKernel};
use super::{compare_outcomes, compiled_path};
use crate::common::{assemble, root, share, validate, words_of};
use crate::drivers::routes::declared;
use crate::drivers::{DriverCase, masked};
use crate::lowered::operations::PAIRS;
use crate::lowered::{are_equal, doubles, kernels, lowered};
use crate::random::Random;

/// The number of operations of one case: a driver compiles each twice, and a case has a minute or two.
const OPERATIONS_OF_A_CASE: usize = 24;

pub fn cases() -> Vec<DriverCase> {
    let with_doubles = KERNELS.iter().filter(|kernel| kernel.features.contains(&OpenClFeature::Fp64));
    let case = |kernel: &'static OpenClKernel| {
        DriverCase::new(format!("lowered::{}", kernel.name), || runs_without_doubles(kernel))
    };
    let parts = kernels::operations().len().div_ceil(OPERATIONS_OF_A_CASE);
    let part = |part| DriverCase::new(format!("lowered::doubles_{}", part + 1), move || runs(part));
    let rare = DriverCase::new("lowered::rare_double".to_owned(), rare_double);
    (0..parts).map(part).chain(with_doubles.map(case)).chain([rare]).collect()
}

/// Runs a whole kernel: with its doubles as integers, it computes what it does with doubles.
fn runs_without_doubles(kernel: &OpenClKernel) -> Result<String, String> {
    let driver = driver::device()?;
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let words = words_of(&std::fs::read(compiled_path(kernel)).unwrap());
    let module = Module::from_words(&words[..]).map_err(|error| error.to_string())?;
    let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
    let settings = Settings::new().lower("Float64".parse::<FeaturesToLower>().unwrap());
    let words = prepared.specialize(&device, &settings).map_err(|error| error.to_string())?.words;
    validate(&words, "spv1.4")?;
    if declared(&words).contains(&(Capability::Float64 as u32)) {
        return Err("Float64 is declared".to_owned());
    }
    compare_outcomes(&driver, &words, kernel, &|feature| driver::has(&driver, feature))
}

/// Runs the SYCL kernel that adds floats, and doubles where the sum would lose too much: as it is, and as a module packed with a twin has it for the
/// same device without doubles. Both have the bits of the host.
fn rare_double() -> Result<String, String> {
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

/// Runs the operations of one case; returns the number of them.
fn runs(part: usize) -> Result<String, String> {
    let driver = driver::device()?;
    // All pairs of edges.
    let items = if share().is_none() { 1024 } else { 120 };
    let pairs = doubles::operands(items * PAIRS, 5);
    let inputs =
        vec![pairs.as_flattened().iter().flat_map(|&bits| [bits as u32, (bits >> 32) as u32]).collect()];
    let job = KernelJob { inputs, outputs: vec![2 * pairs.len()], items, group: 8, ..KernelJob::default() };
    let all = kernels::operations();
    let operations = all.chunks(OPERATIONS_OF_A_CASE).nth(part).unwrap_or_default();
    let mut failures = Vec::new();
    for operation in operations {
        let words = assemble(&operation.text(), operation.frame.environments()[0]);
        let result = lowered(&words, operation.features, UnsetPolicy::Default);
        let result = result.map_err(|error| format!("{}: {error}", operation.name))?.words;
        let has_halves = operation.head.contains("OpCapability Float16\n");
        for (title, words) in [("lowered", &result), ("native", &words)] {
            let is_native = title == "native";
            if is_native && !(operation.is_native && driver::has(&driver, OpenClFeature::Fp64))
                || has_halves && !driver::has(&driver, OpenClFeature::Fp16)
            {
                continue;
            }
            let after = driver::run_anew(&driver, words, &job).map_err(Refusal::call);
            let after = after.map_err(|call| format!("{}, {title}: {call}", operation.name))?.remove(0);
            let wrong = after.as_chunks().0.iter().zip(&pairs).find_map(|(&[low, high], &[a, b])| {
                let (after, expected) = (u64::from(low) | u64::from(high) << 32, (operation.host)(a, b));
                let is_equal = are_equal(!is_native, operation, [a, b], after, expected);
                (!is_equal).then(|| format!("{:x?} is {after:x} instead of {expected:x}", [a, b]))
            });
            failures.extend(wrong.map(|wrong| format!("{}, {title}: {wrong}", operation.name)));
        }
    }
    match failures.is_empty() {
        true => Ok(format!("equal bits: {} operations", operations.len())),
        false => Err(failures.join("\n")),
    }
}
