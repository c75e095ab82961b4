//! Operations on doubles, natively and as integers, and on halves, natively and as floats, in kernels: the results of the host, or others that the specification permits.

use spirv_if::specialize::{FeaturesToLower, UnsetPolicy};
use spirv_if::{Module, Prepared, Settings};

use super::driver::{self, KernelJob, Refusal};
use super::kernels::{KERNELS, OpenClFeature, OpenClKernel};
use super::{compare_outcomes, compiled_path};
use crate::common::{assemble, root, share, validate, words_of};
use crate::drivers::DriverCase;
use crate::drivers::routes::declared;
use crate::lowered::operations::{Operation, PAIRS};
use crate::lowered::{are_equal, doubles, float16, kernel_halves, kernels, lowered};

/// The number of operations of one case: a driver compiles each twice, and a case has a minute or two.
const OPERATIONS_OF_A_CASE: usize = 24;

pub fn cases() -> Vec<DriverCase> {
    let case = |kernel: &'static OpenClKernel, feature: OpenClFeature| {
        let name = if feature == OpenClFeature::Fp16 { "_without_halves" } else { "" };
        DriverCase::new(format!("lowered::{}{name}", kernel.name), move || runs_without(kernel, feature))
    };
    let with = |feature| {
        KERNELS
            .iter()
            .filter(move |kernel| kernel.features.contains(&feature))
            .map(move |kernel| case(kernel, feature))
    };
    let kernels = with(OpenClFeature::Fp64).chain(with(OpenClFeature::Fp16));
    let of = |name: &'static str, operations: fn() -> Vec<Operation>, pairs: fn(usize) -> Vec<[u64; 2]>| {
        let parts = operations().len().div_ceil(OPERATIONS_OF_A_CASE);
        (0..parts).map(move |part| {
            DriverCase::new(format!("lowered::{name}_{}", part + 1), move || runs(&operations(), part, pairs))
        })
    };
    let doubles = of("doubles", kernels::operations, |count| doubles::operands(count, 5));
    let halves = of("halves", kernel_halves::operations, |count| {
        float16::operands().into_iter().cycle().take(count).collect()
    });
    let arguments = DriverCase::new("lowered::half_arguments".to_owned(), half_arguments);
    doubles.chain(halves).chain([arguments]).chain(kernels).collect()
}

/// Runs a whole kernel: with its doubles as integers, or its halves as floats, it computes what it does with them.
fn runs_without(kernel: &OpenClKernel, feature: OpenClFeature) -> Result<String, String> {
    let driver = driver::device()?;
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let words = words_of(&std::fs::read(compiled_path(kernel)).unwrap());
    let module = Module::from_words(&words[..]).map_err(|error| error.to_string())?;
    let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
    let capability = feature.capabilities()[0];
    let settings = Settings::new().lower(format!("{capability:?}").parse::<FeaturesToLower>().unwrap());
    let words = prepared.specialize(&device, &settings).map_err(|error| error.to_string())?.words;
    validate(&words, "spv1.4")?;
    if declared(&words).contains(&(capability as u32)) {
        return Err(format!("{capability:?} is declared"));
    }
    compare_outcomes(&driver, &words, kernel, &|feature| driver::has(&driver, feature))
}

/// Runs a kernel whose arguments are halves, natively and lowered.
fn half_arguments() -> Result<String, String> {
    let driver = driver::device()?;
    let path = root().join("cli/tests/cases/specialize/lower-float16-kernel.spvasm");
    let words = assemble(&std::fs::read_to_string(path).unwrap(), "spv1.2");
    let lowered = lowered(&words, "Float16", UnsetPolicy::Keep).map_err(|error| error.to_string())?.words;
    // An object with a number and the halves 5, 0.5 and 3, the pair 1 and 2, and the scale -0.75.
    let job = KernelJob {
        inputs: vec![vec![7, 0x3800_4500, 0x4200]],
        outputs: vec![1],
        numbers: &[0x4000_3c00, 4],
        halves: &[0xba00],
        ..KernelJob::default()
    };
    let [product, third, two] =
        [float16::value(0x4200) * float16::value(0xba00), float16::value(0x3555), 2.0];
    let expected = float16::nearest(12.0)
        | float16::nearest(float16::value(float16::nearest(product * third)) + two) << 16;
    let native = driver::has(&driver, OpenClFeature::Fp16).then_some(&words);
    for words in native.into_iter().chain([&lowered]) {
        let after = driver::run_anew(&driver, words, &job).map_err(Refusal::call)?;
        if after != [[expected as u32]] {
            return Err(format!("{after:x?} instead of {expected:x}"));
        }
    }
    Ok("equal bits".to_owned())
}

/// Runs the operations of one case; returns the number of them.
fn runs(all: &[Operation], part: usize, pairs: fn(usize) -> Vec<[u64; 2]>) -> Result<String, String> {
    let driver = driver::device()?;
    // All pairs of edges.
    let items = if share().is_none() { 1024 } else { 120 };
    let pairs = pairs(items * PAIRS);
    let inputs =
        vec![pairs.as_flattened().iter().flat_map(|&bits| [bits as u32, (bits >> 32) as u32]).collect()];
    let job = KernelJob { inputs, outputs: vec![2 * pairs.len()], items, group: 8, ..KernelJob::default() };
    let operations = all.chunks(OPERATIONS_OF_A_CASE).nth(part).unwrap_or_default();
    let mut failures = Vec::new();
    for operation in operations {
        let words = assemble(&operation.text(), operation.frame.environments()[0]);
        let result = lowered(&words, operation.features, UnsetPolicy::Default);
        let result = result.map_err(|error| format!("{}: {error}", operation.name))?.words;
        let feature = if operation.features == "Float16" { OpenClFeature::Fp16 } else { OpenClFeature::Fp64 };
        let keeps_halves =
            feature == OpenClFeature::Fp64 && operation.head.contains("OpCapability Float16\n");
        for (title, words) in [("lowered", &result), ("native", &words)] {
            let is_native = title == "native";
            if is_native && !(operation.is_native && driver::has(&driver, feature))
                || keeps_halves && !driver::has(&driver, OpenClFeature::Fp16)
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
