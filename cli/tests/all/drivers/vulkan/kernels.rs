//! The kernels, what they are run with, and what must come out: computed here, and another way than they do.

use spirv::Capability;

use super::runner::{ShaderJob, Vulkan};
use crate::random::words;

/// A kernel whose way depends on one or more features of the device.
pub struct VulkanKernel {
    /// Name of its module, a fixture.
    pub name: &'static str,
    /// Features that it asks for, as capabilities of a module that uses them.
    pub features: &'static [Capability],
    /// True if each feature has a place of its own. Else the kernel asks for one after the other: the first present one decides.
    pub independent: bool,
    /// The input.
    pub job: fn() -> ShaderJob,
    /// Checks the buffers after a run on a device with those features.
    pub check: fn(&Ran) -> Result<(), String>,
}

/// The results of a kernel.
pub struct Ran<'r> {
    /// The number of its way, as it should be, where the features are not independent: 1 is that for the first feature.
    pub way: u32,
    /// True for each feature that the device has.
    pub has: &'r [bool],
    pub subgroup_size: u32,
    pub before: &'r ShaderJob,
    pub after: &'r [Vec<u32>],
}

impl VulkanKernel {
    /// The number of the way that is taken with these features.
    pub fn way(&self, has: &[bool]) -> u32 {
        has.iter().position(|has| *has).unwrap_or(has.len()) as u32 + 1
    }

    pub fn ran<'r>(
        &self,
        vulkan: &Vulkan,
        has: &'r [bool],
        before: &'r ShaderJob,
        after: &'r [Vec<u32>],
    ) -> Ran<'r> {
        Ran { way: self.way(has), has, subgroup_size: vulkan.subgroups().0, before, after }
    }
}

/// All of them.
pub const KERNELS: &[VulkanKernel] = &[
    VulkanKernel {
        name: "vulkan/reduce",
        features: &[Capability::Float64, Capability::Float16],
        independent: false,
        job: || ShaderJob {
            // Quarters up to 4: the sum of 16 of them is exact in half floats.
            buffers: vec![
                words(2 * 64 * 8, |next| pair(quarters(next), quarters(next))),
                vec![0; 2],
                vec![0; 2],
            ],
            push_constants: vec![8, 1f32.to_bits()],
            groups: [2, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            let halves = |word: &u32| float_of(*word as u16) + float_of((word >> 16) as u16);
            let sums =
                ran.before.buffers[0].chunks(64 * 8).map(|pairs| pairs.iter().map(halves).sum::<f32>());
            ran.same(1, &sums.map(f32::to_bits).collect::<Vec<_>>())?;
            ran.same(2, &[ran.way, [53, 11, 24][ran.way as usize - 1]])
        },
    },
    VulkanKernel {
        name: "vulkan/histogram",
        features: &[Capability::Int64Atomics],
        independent: false,
        job: || ShaderJob {
            buffers: vec![
                (0..).zip(words(1000, |next| next)).flat_map(|(at, weight)| [at * at % 7, weight]).collect(),
                vec![0; 2 * 7],
                vec![0],
            ],
            push_constants: vec![1000],
            groups: [3, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            let mut bins = [0u64; 7];
            for item in ran.before.buffers[0].chunks(2) {
                bins[item[0] as usize] += u64::from(item[1]);
            }
            ran.same(1, &bins.iter().flat_map(|bin| [*bin as u32, (bin >> 32) as u32]).collect::<Vec<_>>())?;
            ran.same(2, &[ran.way])
        },
    },
    VulkanKernel {
        name: "vulkan/subgroup",
        features: &[Capability::GroupNonUniformArithmetic],
        independent: false,
        job: || ShaderJob {
            buffers: vec![words(4 * 128, |next| next), vec![0; 4], vec![0; 2]],
            groups: [4, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            let groups = ran.before.buffers[0].chunks(128);
            let sums = groups.map(|values| values.iter().fold(0u32, |sum, value| sum.wrapping_add(*value)));
            ran.same(1, &sums.collect::<Vec<_>>())?;
            ran.same(2, &[ran.way, if ran.way == 1 { ran.subgroup_size } else { 0 }])
        },
    },
    VulkanKernel {
        name: "vulkan/chain",
        features: &[Capability::Int64, Capability::Int16],
        independent: false,
        job: || ShaderJob {
            buffers: vec![words(2 * 64 * 5, |next| next), vec![0; 2 * 64], vec![0]],
            push_constants: vec![5],
            groups: [2, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            let product = |pair: &[u32]| u128::from(pair[0]) * u128::from(pair[1]);
            let each = ran.before.buffers[0].chunks(2 * 5);
            let sums = each.map(|pairs| pairs.chunks(2).map(product).sum::<u128>());
            let sums = sums.flat_map(|sum| [sum as u32, (sum >> 32) as u32]);
            ran.same(1, &sums.collect::<Vec<_>>())?;
            ran.same(2, &[ran.way])
        },
    },
    VulkanKernel {
        name: "vulkan/mean",
        features: &[Capability::Float64],
        independent: false,
        job: || ShaderJob {
            // Floats lose each 1 that is added to the first number.
            buffers: vec![
                (0..32 * 32).map(|at| if at % 32 == 0 { 16_777_216f32 } else { 1.0 }.to_bits()).collect(),
                vec![0; 32],
                vec![0],
            ],
            push_constants: vec![32],
            groups: [2, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            ran.floats(1, 0.07, |at| {
                let row = &ran.before.buffers[0][at * 32..][..32];
                row.iter().map(|word| f64::from(f32::from_bits(*word))).sum::<f64>() / 32.0
            })?;
            ran.same(2, &[ran.way])
        },
    },
    VulkanKernel {
        name: "vulkan/square",
        features: &[Capability::Float16],
        independent: false,
        job: || ShaderJob {
            // Half floats have no fractions between the squares.
            buffers: vec![
                (0..4 * 128).map(|at| (32.5f32 + at as f32 / 64.0).to_bits()).collect(),
                vec![0; 4 * 128],
                vec![0],
            ],
            groups: [2, 1, 1],
            ..ShaderJob::default()
        },
        check: |ran| {
            let number = |at: usize| f64::from(f32::from_bits(ran.before.buffers[0][at]));
            let rounded = |at: usize| (number(at) * 32.0).floor() / 32.0;
            match ran.way {
                1 => {
                    ran.floats(1, 4.1, |at| rounded(at).powi(2))?;
                    let fraction = ran.after[1].iter().find(|word| f32::from_bits(**word).fract() != 0.0);
                    fraction.map_or(Ok(()), |word| {
                        Err(format!("{} is not a half float", f32::from_bits(*word)))
                    })?;
                }
                _ => ran.floats(1, 0.001, |at| number(at).powi(2))?,
            }
            ran.same(2, &[ran.way])
        },
    },
    VulkanKernel {
        name: "annotations/guarded",
        features: &[Capability::Float16, Capability::GroupNonUniformArithmetic],
        independent: true,
        job: guarded_job,
        check: check_guarded,
    },
    VulkanKernel {
        name: "annotations/guarded-O",
        features: &[Capability::Float16, Capability::GroupNonUniformArithmetic],
        independent: true,
        job: guarded_job,
        check: check_guarded,
    },
];

/// Size of its work-groups.
const GUARDED_GROUP: usize = 64;

fn guarded_job() -> ShaderJob {
    let small = |next: u32| (next % 4) as f32;
    ShaderJob {
        buffers: vec![
            words(2 * GUARDED_GROUP, |next| pair(small(next), small(next >> 8))),
            vec![0; 2 * GUARDED_GROUP],
        ],
        constants: vec![(0, (GUARDED_GROUP as u32).to_ne_bytes().to_vec()), (3, 1u32.to_ne_bytes().to_vec())],
        groups: [2, 1, 1],
        ..ShaderJob::default()
    }
}

/// Checks results of ways without marks. Each computes other numbers: half floats are added further, and sums are of subgroups or groups.
fn check_guarded(ran: &Ran) -> Result<(), String> {
    let value = |word: &u32| {
        let (mut x, mut y) = (float_of(*word as u16), float_of((word >> 16) as u16));
        if !ran.has[0] {
            return x * y;
        }
        let mut sum = 0.0;
        for _ in 0..4 {
            sum += x * y;
            if sum > 100.0 {
                break;
            }
            (x, y) = (y + x, x + y);
        }
        sum
    };
    let width = if ran.has[1] { (ran.subgroup_size as usize).min(GUARDED_GROUP) } else { GUARDED_GROUP };
    let sums = ran.before.buffers[0].chunks(width).flat_map(|of| {
        let sum: f32 = of.iter().map(value).sum();
        vec![sum.to_bits(); of.len()]
    });
    ran.same(1, &sums.collect::<Vec<_>>())
}

impl Ran<'_> {
    /// Checks that a buffer has exactly these words.
    fn same(&self, buffer: usize, expected: &[u32]) -> Result<(), String> {
        let after = &self.after[buffer];
        if after == expected {
            return Ok(());
        }
        let at = after.iter().zip(expected).position(|(one, other)| one != other).unwrap_or_default();
        let (actual, expected) = (after[at], expected[at]);
        let floats = (f32::from_bits(actual), f32::from_bits(expected));
        Err(format!("buffer {buffer}, word {at}: {actual:#x} instead of {expected:#x}, as floats {floats:?}"))
    }

    /// Checks that a buffer has floats that are near enough to the expected ones.
    fn floats(&self, buffer: usize, near: f64, expected: impl Fn(usize) -> f64) -> Result<(), String> {
        for (at, word) in self.after[buffer].iter().enumerate() {
            let (actual, expected) = (f32::from_bits(*word), expected(at));
            // What is not a number is not near.
            let is_near = (f64::from(actual) - expected).abs() <= near;
            if !is_near {
                return Err(format!("buffer {buffer}, float {at}: {actual} instead of {expected}"));
            }
        }
        Ok(())
    }
}

/// A number of quarters below 4, of the upper bits of a random word.
fn quarters(random: u32) -> f32 {
    (random >> 28) as f32 / 4.0
}

/// Two floats as half floats in one word.
fn pair(low: f32, high: f32) -> u32 {
    u32::from(half_of(low)) | u32::from(half_of(high)) << 16
}

/// The bits of a half float that has the same value: of zero, or a normal number with few digits.
pub fn half_of(value: f32) -> u16 {
    let bits = value.to_bits();
    if value == 0.0 {
        return 0;
    }
    let exponent = (bits >> 23 & 0xff) + 15 - 127;
    (bits >> 16 & 0x8000 | exponent << 10 | bits >> 13 & 0x3ff) as u16
}

/// The value of a half float that is zero or normal.
fn float_of(half: u16) -> f32 {
    let half = u32::from(half);
    if half & 0x7fff == 0 {
        return 0.0;
    }
    f32::from_bits((half & 0x8000) << 16 | ((half >> 10 & 0x1f) + 127 - 15) << 23 | (half & 0x3ff) << 13)
}
