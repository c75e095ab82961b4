//! Modules without 64-bit integers, doubles and narrow integers, by `--lower`: equal bits in the interpreter and on the host, for each operation; and every fixture that has
//! some.

pub mod bfloat16;
pub mod doubles;
pub mod float16;
mod frame;
mod geometry;
pub mod kernel_halves;
pub mod kernels;
pub mod narrow;
pub mod operations;
mod packed;
pub mod proof;
pub mod storage;

use std::collections::BTreeMap;

use interpreter::{RunInputs, entry_points, may_replace, run, slots};
use spirv_if::specialize::{FeaturesToLower, Specialized, UnsetPolicy};
use spirv_if::{Device, Module, Prepared, Settings};

use crate::common::{Batch, all_fixtures, assemble, root, share};
use crate::drivers::routes::declared;
use crate::random::Random;
use frame::OperationFrame;
use operations::{Operation, PAIRS, operations};
use packed::{
    devices_get_the_twins_of_fixtures, devices_get_the_twins_of_ggml,
    products_of_ggml_run_on_every_device_with_compute,
};

tests![
    operations_have_equal_bits,
    operations_on_doubles_have_equal_bits,
    operations_on_doubles_as_integers_have_equal_bits,
    kernels_have_equal_bits,
    lengths_are_within_bounds,
    narrow_integers_have_equal_bits,
    halves_have_permitted_results,
    halves_of_kernels_have_permitted_results,
    bfloat16_has_permitted_results,
    memory_of_narrow_integers_has_equal_bits,
    memory_of_halves_has_equal_bits,
    words_in_memory_have_equal_bits,
    fixtures_are_lowered_or_refused_with_a_place,
    fixtures_with_doubles_are_lowered_or_refused_with_a_place,
    fixtures_with_halves_are_lowered_or_refused_with_a_place,
    fixtures_with_narrow_integers_are_lowered_or_refused_with_a_place,
    fixtures_with_narrow_memory_are_lowered,
    devices_get_the_twins_of_fixtures,
    devices_get_the_twins_of_ggml,
    products_of_ggml_run_on_every_device_with_compute,
];

/// Numbers at which something changes: signs, carries, and the rounding of floats.
pub const EDGES: [u64; 36] = [
    0,
    1,
    2,
    3,
    7,
    31,
    32,
    33,
    63,
    64,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x1_0000_0001,
    0x00ff_ffff,
    0x0100_0001,
    0x0100_0003,
    0x0200_0002_0000_0000,
    0x0180_0000_8000_0000,
    0x0180_0000_8000_0001,
    0x7fff_ff80_0000_0000,
    0x7fff_ffbf_ffff_ffff,
    0x7fff_ffc0_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0x8000_0040_0000_0000,
    0xffff_ff7f_ffff_ffff,
    0xffff_ff80_0000_0000,
    0xffff_fffe,
    0xffff_fffe_ffff_ffff,
    0xffff_ffff_0000_0000,
    0xffff_ffff_8000_0000,
    0xffff_ffff_ffff_fff9,
    0xffff_ffff_ffff_ffff,
];

/// Returns pairs of numbers: those of edges first, then random ones of all sizes.
pub fn operands(count: usize, seed: u64) -> Vec<[u64; 2]> {
    let edges = EDGES.iter().flat_map(|&a| EDGES.iter().map(move |&b| [a, b]));
    let mut random = Random::new(seed);
    let mut number = || {
        let value = random.next() >> random.below(64);
        if random.chance(20) { value.wrapping_neg() } else { value }
    };
    edges.chain(std::iter::repeat_with(|| [number(), number()])).take(count).collect()
}

/// Lowers features for a device of which nothing is known. Constants are left or take their defaults.
pub fn lowered(
    words: &[u32],
    features: &str,
    constants: UnsetPolicy,
) -> Result<Specialized, spirv_if::Error> {
    let settings = Settings::new().lower(features.parse::<FeaturesToLower>().unwrap()).unset(constants);
    let module = Module::from_words(words)?;
    Prepared::new(&module)?.specialize(&Device::default(), &settings)
}

/// The number of runs of each operation.
const RUNS: usize = 24;

fn operations_have_equal_bits() {
    have_equal_bits(&operations(), &operands(RUNS * PAIRS, 1));
}

fn operations_on_doubles_have_equal_bits() {
    have_equal_bits(&doubles::operations(), &doubles::operands(RUNS / 4 * PAIRS, 1));
}

fn operations_on_doubles_as_integers_have_equal_bits() {
    have_equal_bits(&doubles::operations_on_integers(), &doubles::operands(RUNS / 4 * PAIRS, 3));
}

fn narrow_integers_have_equal_bits() {
    have_equal_bits(&narrow::operations::<8>(), &in_interpreter(narrow::operands(8)));
    have_equal_bits(&narrow::operations::<16>(), &in_interpreter(narrow::operands(16)));
}

fn halves_have_permitted_results() {
    have_equal_bits(&float16::operations(), &in_interpreter(float16::operands()));
}

fn halves_of_kernels_have_permitted_results() {
    have_equal_bits(&kernel_halves::operations(), &in_interpreter(float16::operands()));
}

fn bfloat16_has_permitted_results() {
    have_equal_bits(&bfloat16::operations(), &in_interpreter(bfloat16::operands()));
}

/// Returns all pairs, or a share of them.
fn in_interpreter(mut pairs: Vec<[u64; 2]>) -> Vec<[u64; 2]> {
    if share().is_some() {
        let mut number = 0;
        pairs.retain(|_| {
            number += 1;
            number % 29 == 0
        });
        pairs.truncate(RUNS * PAIRS);
    }
    pairs
}

fn memory_of_narrow_integers_has_equal_bits() {
    memory_has_equal_bits("lower-integers", &["Int16", "Int8", "Int16,Int8"]);
}

fn memory_of_halves_has_equal_bits() {
    memory_has_equal_bits("lower-float16-shader", &["Float16", "Float16,Int16"]);
    memory_has_equal_bits("lower-float16-kernel", &["Float16"]);
}

/// Runs a whole shader with random buffers, as it is and lowered.
fn memory_has_equal_bits(name: &str, all: &[&str]) {
    let path = root().join(format!("cli/tests/cases/specialize/{name}.spvasm"));
    let words = assemble(&std::fs::read_to_string(path).unwrap(), "spv1.3");
    let mut inputs = RunInputs { max_steps: 100_000, ..RunInputs::default() };
    let entry_point = entry_points(&words).unwrap().remove(0);
    let slots = slots(&words, &entry_point, &inputs, 8).unwrap();
    let mut random = Random::new(5);
    for features in all {
        let result = lowered(&words, features, UnsetPolicy::Keep).unwrap();
        let (mut compared, mut undefined) = (0, String::new());
        for _ in 0..100 {
            // What is no number may get other bits where it moves.
            let number = |half: u16| if half & 0x7c00 == 0x7c00 { half & 0xbfff } else { half };
            let mut half = || number(random.next() as u16).to_le_bytes();
            let mut bytes = |size: usize| (0..size.div_ceil(2)).flat_map(|_| half()).take(size).collect();
            inputs.bytes = slots.iter().map(|&(slot, size)| (slot, bytes(size))).collect();
            // Some floats of the buffer are undefined as integers.
            let expected = match run(&words, &entry_point, &inputs) {
                Ok(expected) => expected,
                Err(error) => {
                    undefined = format!("{error:?}");
                    continue;
                }
            };
            let after = run(&result.words, &entry_point, &inputs).unwrap();
            assert!(may_replace(&inputs, &expected, &after), "{features}: {expected:?}, lowered {after:?}");
            compared += 1;
        }
        assert!(compared > 50, "{features}: {compared}, {undefined}");
    }
}

/// Runs random shaders with random buffers, as they are and with words in memory.
fn words_in_memory_have_equal_bits() {
    let mut random = Random::new(80);
    let mut batch = Batch::with_options(&["--scalar-block-layout"]);
    let shaders = if share().is_some() { 60 } else { 2000 };
    let mut compared = 0;
    for number in 0..shaders {
        let shader = storage::random_shader(&mut random, number % 2 == 0, number % 4 < 2);
        let words = assemble(&shader.text, "spv1.3");
        let result = lowered(&words, storage::FEATURES, UnsetPolicy::Keep)
            .unwrap_or_else(|error| panic!("{error}\n{}", shader.text));
        let left = declared(&result.words);
        let features = storage::FEATURES.split(',').map(|name| name.parse::<spirv::Capability>().unwrap());
        assert!(features.into_iter().all(|feature| !left.contains(&(feature as u32))), "{}", shader.text);
        batch.add(format!("shader {number}"), &words, "vulkan1.1");
        batch.add(format!("shader {number}, lowered"), &result.words, "vulkan1.1");
        for _ in 0..4 {
            let inputs = shader.inputs(&mut random);
            let expected = match run(&words, "main", &inputs) {
                Ok(expected) => expected,
                Err(error) => panic!("{error:?}\n{}", shader.text),
            };
            let after = run(&result.words, "main", &inputs);
            let is_equal = after.as_ref().is_ok_and(|after| may_replace(&inputs, &expected, after));
            assert!(is_equal, "{expected:?}, lowered {after:?}\n{}", shader.text);
            compared += 1;
        }
    }
    batch.assert_valid();
    assert_eq!(compared, 4 * shaders);
}

fn kernels_have_equal_bits() {
    have_equal_bits(&kernels::operations(), &doubles::operands(RUNS / 4 * PAIRS, 4));
}

fn lengths_are_within_bounds() {
    geometry::errors_are_within_bounds();
}

/// Returns true if the bits of results are equal, or the specification permits others. Native doubles need not be so where a number is infinite or none, and drivers may flush subnormal
/// ones.
pub fn are_equal(
    is_lowered: bool,
    operation: &Operation,
    [a, b]: [u64; 2],
    after: u64,
    expected: u64,
) -> bool {
    let is_permitted = after == expected || (operation.permits)([a, b], after, expected);
    if is_permitted || is_lowered || !operation.features.contains("Float64") {
        return is_permitted;
    }
    let is_free = |bits: u64| {
        let size = bits & !(1 << 63);
        (1..=f64::MIN_POSITIVE.to_bits()).contains(&size) || size >= f64::INFINITY.to_bits()
    };
    [a, b, expected].into_iter().any(is_free)
}

fn have_equal_bits(operations: &[Operation], all: &[[u64; 2]]) {
    let mut batch = Batch::default();
    for operation in operations {
        let [version, environment] = operation.frame.environments();
        let (entry_point, [input, output]) = operation.frame.interface();
        let words = assemble(&operation.text(), version);
        let result = lowered(&words, operation.features, UnsetPolicy::Default)
            .unwrap_or_else(|error| panic!("{}: {error}", operation.name));
        for feature in operation.features.split(',') {
            let capability = feature.parse::<spirv::Capability>().unwrap();
            assert!(!declared(&result.words).contains(&(capability as u32)), "{}", operation.name);
        }
        batch.add(operation.name, &result.words, environment);
        if operation.is_for_drivers {
            continue;
        }
        for pairs in all.chunks(PAIRS) {
            let bytes =
                |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
            let inputs = RunInputs {
                bytes: BTreeMap::from([(input, bytes(pairs.as_flattened())), (output, bytes(&[0; PAIRS]))]),
                max_steps: 1_000_000,
                ..RunInputs::default()
            };
            let expected: Vec<u64> = pairs.iter().map(|&[a, b]| (operation.host)(a, b)).collect();
            for (title, words) in [("lowered", &result.words), ("as it is", &words)] {
                if title == "as it is" && !(operation.is_native && operation.frame == OperationFrame::Shader)
                {
                    continue;
                }
                let after = run(words, entry_point, &inputs)
                    .unwrap_or_else(|error| panic!("{}, {title}: {error:?}", operation.name));
                let after: Option<Vec<u8>> = after[&output].iter().copied().collect();
                let after = after.unwrap_or_else(|| panic!("{}, {title}: undefined", operation.name));
                for (at, (after, &expected)) in after.as_chunks().0.iter().zip(&expected).enumerate() {
                    let after = u64::from_le_bytes(*after);
                    assert!(
                        are_equal(title == "lowered", operation, pairs[at], after, expected),
                        "{}, {title}: {:x?} is {after:x} instead of {expected:x}",
                        operation.name,
                        pairs[at]
                    );
                }
            }
        }
    }
    batch.assert_valid();
}

/// The fixtures that are not lowered while their constants are left, with the reasons.
const REFUSED: &[(&str, &str)] = &[
    ("glsl/histogram.spv", "no rule lowers OpAtomicIAdd of 64-bit integers"),
    ("spec/precision-O.spv", "set the specialization constant: it is a 64-bit integer"),
    ("spec/precision.spv", "set the specialization constant: it is a 64-bit integer"),
    ("vulkan/histogram.spv", "no rule lowers OpAtomicIAdd of 64-bit integers"),
];

/// The fixtures with doubles that are not lowered, twice if setting constants does not help.
const REFUSED_DOUBLES: &[(&str, &str)] = &[("opencl/many.spv", "no rule lowers cos of doubles")];

fn fixtures_are_lowered_or_refused_with_a_place() {
    lowered_or_refused("Int64", REFUSED, [8, 10]);
}

/// The fixtures with 16-bit integers that are not lowered.
const REFUSED_16: &[(&str, &str)] = &[
    ("spec/precision-O.spv", "set the specialization constant: it is a 16-bit integer"),
    ("spec/precision.spv", "set the specialization constant: it is a 16-bit integer"),
];

fn fixtures_with_narrow_integers_are_lowered_or_refused_with_a_place() {
    lowered_or_refused("Int16", REFUSED_16, [0, 12]);
}

fn fixtures_with_narrow_memory_are_lowered() {
    lowered_or_refused("StorageBuffer16BitAccess", &[], [1, 1]);
    lowered_or_refused("UniformAndStorageBuffer16BitAccess", &[], [0, 0]);
}

fn fixtures_with_doubles_are_lowered_or_refused_with_a_place() {
    lowered_or_refused("Float64", REFUSED_DOUBLES, [8, 10]);
}

/// The fixtures with halves that are not lowered.
const REFUSED_HALVES: &[(&str, &str)] =
    &[("decisions/glslmatrices.spv", "OpTypeCooperativeMatrixKHR of halves has no other form")];

fn fixtures_with_halves_are_lowered_or_refused_with_a_place() {
    lowered_or_refused("Float16", REFUSED_HALVES, [1, 10]);
}

/// Lowers a feature in every fixture that has it, of which this many runs and replaced instructions are expected at least.
fn lowered_or_refused(feature: &str, expected_refusals: &[(&str, &str)], least: [usize; 2]) {
    let capability = feature.parse::<spirv::Capability>().unwrap();
    let mut batch = Batch::default();
    let mut refused = Vec::new();
    let (mut compared, mut replaced) = (0, 0);
    for (name, words) in all_fixtures() {
        let declared = declared(&words);
        let is_kernel = declared.contains(&(spirv::Capability::Kernel as u32));
        if !declared.contains(&(capability as u32)) || is_kernel && !feature.starts_with("Float") {
            continue;
        }
        let module = Module::from_words(&words[..]).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        for policy in [UnsetPolicy::Keep, UnsetPolicy::Default] {
            let before = prepared.specialize(&Device::default(), &Settings::new().unset(policy));
            // Parts of kernels may be conditional.
            if is_kernel && before.is_err() {
                continue;
            }
            let before = before.unwrap();
            let result = match lowered(&words, feature, policy) {
                Ok(result) => result,
                Err(error) => {
                    let error = error.to_string();
                    let reason = expected_refusals.iter().find(|(refused, _)| *refused == name);
                    let has_reason = reason.is_some_and(|(_, reason)| error.ends_with(reason));
                    assert!(has_reason && error.contains("(byte offset"), "{name}: {error}");
                    refused.push(name.clone());
                    continue;
                }
            };
            replaced += result.report.lowered.iter().map(|lowered| lowered.replaced).sum::<usize>();
            let environment = format!("spv1.{}", result.words[1] >> 8 & 0xff);
            batch.add(format!("{name}, {policy:?}"), &result.words, &environment);
            // Functions with doubles are no longer exported.
            let kept = entry_points(&result.words).unwrap_or_default();
            let kept = |entry_point: &String| !is_kernel || kept.contains(entry_point);
            for entry_point in entry_points(&before.words).unwrap_or_default().into_iter().filter(kept) {
                let constants = BTreeMap::from([(0, u64::from(u32::MAX)), (1, 2)]);
                let mut inputs = RunInputs { max_steps: 100_000, constants, ..RunInputs::default() };
                let Ok(slots) = slots(&before.words, &entry_point, &inputs, 8) else { continue };
                let mut random = Random::new(words.len() as u64);
                let mut bytes = |size: usize| (0..size).map(|_| random.next() as u8).collect();
                inputs.bytes = slots.into_iter().map(|(slot, size)| (slot, bytes(size))).collect();
                let Ok(expected) = run(&before.words, &entry_point, &inputs) else { continue };
                let after = run(&result.words, &entry_point, &inputs);
                let is_equal = after.as_ref().is_ok_and(|after| may_replace(&inputs, &expected, after));
                assert!(is_equal, "{name}, {policy:?}: {expected:?}, lowered {after:?}");
                compared += 1;
            }
        }
    }
    batch.assert_valid();
    assert_eq!(refused, expected_refusals.iter().map(|&(name, _)| name).collect::<Vec<_>>());
    assert!(compared >= least[0] && replaced >= least[1], "{compared} {replaced}");
}
