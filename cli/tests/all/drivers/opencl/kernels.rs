//! The kernels of `fixtures/drivers`: input, and expected output, computed here.

use spirv::Capability;

/// Something that a driver may have, and a kernel has a way with and a way without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OpenClFeature {
    Fp16,
    Fp64,
    Atomic64,
    Subgroups,
    NonUniform,
}

impl OpenClFeature {
    pub fn name(self) -> &'static str {
        match self {
            OpenClFeature::Fp16 => "fp16",
            OpenClFeature::Fp64 => "fp64",
            OpenClFeature::Atomic64 => "atomic64",
            OpenClFeature::Subgroups => "subgroups",
            OpenClFeature::NonUniform => "non_uniform",
        }
    }

    /// Returns the capabilities that a device without the feature does not support. A module for that device does not declare them.
    pub fn capabilities(self) -> &'static [Capability] {
        match self {
            OpenClFeature::Fp16 => &[Capability::Float16],
            OpenClFeature::Fp64 => &[Capability::Float64],
            OpenClFeature::Atomic64 => &[Capability::Int64Atomics],
            OpenClFeature::Subgroups => &[Capability::SubgroupDispatch, Capability::Groups],
            OpenClFeature::NonUniform => &[Capability::GroupNonUniformArithmetic],
        }
    }
}

/// A kernel, called `run`. Its arguments are its inputs, its results, a word for each way that ran, and numbers.
pub struct OpenClKernel {
    pub name: &'static str,
    pub features: &'static [OpenClFeature],
    /// Sets of features to remove from a device, so that every fallback runs.
    pub masks: &'static [&'static [OpenClFeature]],
    /// Numbers of work-items, in all and in a work-group.
    pub items: usize,
    pub group: usize,
    pub inputs: fn() -> Vec<Vec<u32>>,
    pub numbers: &'static [u32],
    /// Computes the expected results on a device with such features.
    pub reference: fn(Has) -> KernelOutput,
}

/// Function that returns true if a device has a feature.
pub type Has<'a> = &'a dyn Fn(OpenClFeature) -> bool;

/// The results of a kernel.
#[derive(Clone, PartialEq)]
pub struct KernelOutput {
    /// To the last bit.
    pub results: Vec<u32>,
    /// The way of each work-group or work-item.
    pub ways: Vec<u32>,
}

use OpenClFeature::{Atomic64, Fp16, Fp64, NonUniform, Subgroups};

pub const KERNELS: [OpenClKernel; 4] = [
    OpenClKernel {
        name: "reduction",
        features: &[Fp16, Fp64],
        masks: &[&[Fp16], &[Fp64], &[Fp16, Fp64]],
        items: GROUPS * GROUP,
        group: GROUP,
        inputs: || vec![bits(&reduction_values())],
        numbers: &[LENGTH as u32],
        reference: reduction,
    },
    OpenClKernel {
        name: "histogram",
        features: &[Atomic64],
        masks: &[&[Atomic64]],
        items: GROUPS * GROUP,
        group: GROUP,
        inputs: || vec![histogram_bins(), split(&histogram_weights())],
        numbers: &[],
        reference: histogram,
    },
    OpenClKernel {
        name: "subgroups",
        features: &[NonUniform, Subgroups],
        masks: &[&[NonUniform], &[NonUniform, Subgroups]],
        items: GROUPS * GROUP,
        group: GROUP,
        inputs: || vec![subgroups_values()],
        numbers: &[],
        reference: subgroups,
    },
    OpenClKernel {
        name: "chain",
        features: &[Fp16, Fp64],
        masks: &[&[Fp16], &[Fp64], &[Fp16, Fp64]],
        items: GROUPS * GROUP,
        group: GROUP,
        inputs: || vec![bits(&chain_coefficients())],
        numbers: &[DEGREE as u32],
        reference: chain,
    },
];

const GROUPS: usize = 4;
const GROUP: usize = 64;
/// Number of values that a work-group of `reduction` adds up.
const LENGTH: usize = 1000;
const BINS: usize = 8;
const DEGREE: usize = 12;

/// Numbers that look random, the same ones every time.
fn random(count: usize, seed: u64) -> Vec<u64> {
    let mut state = seed;
    let next = |_| {
        // The multiplier and increment of Knuth's MMIX; its low bits are not random.
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        state >> 20
    };
    (0..count).map(next).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Numbers of 64 bits as words, the low one first.
fn split(values: &[u64]) -> Vec<u32> {
    values.iter().flat_map(|value| [*value as u32, (value >> 32) as u32]).collect()
}

/// The half float next to a positive number in the normal range, ties to the even one.
fn half(value: f64) -> f64 {
    assert!((6.2e-5..65504.0).contains(&value), "{value} is not in the normal range of half floats");
    let exponent = (value.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    // Eleven significant bits are an integer.
    let scale = 2f64.powi(10 - exponent);
    (value * scale).round_ties_even() / scale
}

/// Between 0.25 and 1.25.
fn reduction_values() -> Vec<f32> {
    random(GROUPS * LENGTH, 1).iter().map(|value| (value % 65536) as f32 / 65536.0 + 0.25).collect()
}

fn reduction(has: Has) -> KernelOutput {
    let (mut results, mut ways) = (Vec::new(), Vec::new());
    for values in reduction_values().chunks(LENGTH) {
        let (sum, way) = match has(Fp64) {
            true => (meet(values, f64::from, |left, right| left + right) as f32, 64),
            false => {
                let (sum, error) = meet(values, |value| (value, 0.0), add_pairs);
                (sum + error, 32)
            }
        };
        let (coarse, coarse_way) = match has(Fp16) {
            true => (meet(values, |value| half(value.into()), |left, right| half(left + right)) as f32, 16),
            false => (meet(values, |value| value, |left, right| left + right), 32),
        };
        results.extend([sum.to_bits(), coarse.to_bits()]);
        ways.extend([way, coarse_way]);
    }
    KernelOutput { results, ways }
}

/// The sum in the order in which a work-group adds: each work-item every 64th value, then pairs.
fn meet<T: Copy>(values: &[f32], make: fn(f32) -> T, add: fn(T, T) -> T) -> T {
    let sum_of_item =
        |item: usize| values[item..].iter().step_by(GROUP).map(|value| make(*value)).reduce(add).unwrap();
    let mut sums: Vec<T> = (0..GROUP).map(sum_of_item).collect();
    while sums.len() > 1 {
        let other = sums.split_off(sums.len() / 2);
        sums.iter_mut().zip(other).for_each(|(sum, other)| *sum = add(*sum, other));
    }
    sums[0]
}

/// Floats with what they are short of the sum (Knuth's TwoSum).
fn add_pairs(left: (f32, f32), right: (f32, f32)) -> (f32, f32) {
    let sum = left.0 + right.0;
    let part = sum - left.0;
    let error = (left.0 - (sum - part)) + (right.0 - part);
    (sum, left.1 + right.1 + error)
}

fn histogram_bins() -> Vec<u32> {
    random(GROUPS * GROUP, 2).iter().map(|value| (value % BINS as u64) as u32).collect()
}

/// Weights of 40 bits, so that the low words overflow.
fn histogram_weights() -> Vec<u64> {
    random(GROUPS * GROUP, 3).iter().map(|value| value & 0xff_ffff_ffff).collect()
}

fn histogram(has: Has) -> KernelOutput {
    let mut sums = vec![0u64; BINS];
    for (bin, weight) in histogram_bins().into_iter().zip(histogram_weights()) {
        sums[bin as usize] += weight;
    }
    let way = if has(Atomic64) { 64 } else { 32 };
    KernelOutput { results: split(&sums), ways: vec![way; GROUPS * GROUP] }
}

fn subgroups_values() -> Vec<u32> {
    random(GROUPS * GROUP, 4).iter().map(|value| (value % 1000 + 1) as u32).collect()
}

fn subgroups(has: Has) -> KernelOutput {
    let sum = |values: &[u32]| values.iter().filter(|value| *value % 2 == 1).sum();
    let way = match (has(NonUniform), has(Subgroups)) {
        (true, _) => 3,
        (false, true) => 2,
        (false, false) => 1,
    };
    let results = subgroups_values().chunks(GROUP).map(sum).collect();
    KernelOutput { results, ways: vec![way; GROUPS * GROUP] }
}

/// Between 1 and 2.
fn chain_coefficients() -> Vec<f32> {
    random(GROUPS * GROUP * DEGREE, 5)
        .iter()
        .map(|value| (value % (1 << 23)) as f32 / (1 << 23) as f32 + 1.0)
        .collect()
}

fn chain(has: Has) -> KernelOutput {
    let coefficients = chain_coefficients();
    let each = coefficients.chunks(DEGREE).map(|of_item| at_one_half(of_item, has));
    let (results, ways) = each.map(|(value, way)| (value.to_bits(), way)).unzip();
    KernelOutput { results, ways }
}

/// The value of a polynomial at one half, and the way to it.
pub fn at_one_half(coefficients: &[f32], has: Has) -> (f32, u32) {
    let same = |value: f64| value;
    let float = |value: f64| f64::from(value as f32);
    type Rounding = fn(f64) -> f64;
    let (stored, sum, way): (Rounding, Rounding, _) = match (has(Fp16), has(Fp64)) {
        (true, true) => (half, same, 1),
        (false, true) => (same, same, 2),
        (true, false) => (half, half, 3),
        (false, false) => (same, float, 4),
    };
    let step = |value: f64, next: &f32| sum(value * 0.5 + stored((*next).into()));
    (coefficients.iter().fold(0.0, step) as f32, way)
}
