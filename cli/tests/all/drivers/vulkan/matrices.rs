//! A shader that chooses by the cooperative matrices of the device: on the device as it is, and on the same without some of its combinations.

use serde_yaml::{Mapping, Value};
use spirv_if::module::SpecId;
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::common::{root, validate};
use crate::drivers::masked::read;
use crate::random::words;

/// Rows and columns of the matrices.
const SIZE: usize = 16;

/// The combinations that the shader has code for, the size of each, and the mark of its way.
const COMBINATIONS: [(&str, u32); 2] = [("16x16x16", 16), ("8x8x8", 8)];

/// Runs the shader for all choices of its combinations that the device has.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let compiled = std::fs::read(root().join("fixtures/decisions/glslmatrices.spv"))?;
    let packed = pack(&Module::from_bytes(&compiled)?, &PackOptions::new())?.words;
    validate(&packed, "vulkan1.2")?;
    let packed = Module::from_words(packed)?;
    let prepared = Prepared::new(&packed)?;
    let numbers = || words(SIZE * SIZE, |random| ((random % 17) as f32 / 8.0 - 1.0).to_bits());
    let (left, right) = (numbers(), numbers());
    let probed = vulkan.probed();
    let mut ways = Vec::new();
    for number in 0..=COMBINATIONS.len() {
        let device = without(&probed, &COMBINATIONS[..number]);
        let expected = way(&device);
        if ways.contains(&expected) {
            continue;
        }
        // A work-group is one sub-group.
        let settings = Settings::new().set(SpecId::from(0), vulkan.subgroups().0);
        let plain = prepared.specialize(&device, &settings)?.words;
        validate(&plain, "vulkan1.2")?;
        let job = ShaderJob {
            buffers: vec![left.clone(), right.clone(), vec![0; SIZE * SIZE], vec![0]],
            groups: [1, 1, 1],
            ..ShaderJob::default()
        };
        let after = vulkan.run(&plain, &plain, &job).map_err(|failure| failure.to_string())?;
        if after[3] != [expected] || after[2] != product(&left, &right) {
            return Err(format!("way {:?} instead of {expected}: {:x?}", after[3], after[2]).into());
        }
        ways.push(expected);
    }
    Ok(format!("computes {ways:?}"))
}

/// The mark of the way of a device, by the names of what it lists.
fn way(device: &Device) -> u32 {
    let entry = device.to_yaml();
    let has = |size: &str| entry.contains(&format!("\"vulkan:{}\"", name(size)));
    COMBINATIONS.iter().find(|(size, _)| has(size)).map_or(1, |&(_, way)| way)
}

/// The exact product: sums of multiples of 1/64 that are small.
fn product(left: &[u32], right: &[u32]) -> Vec<u32> {
    let float = |word: u32| f32::from_bits(word);
    let sum = |at: usize| {
        (0..SIZE)
            .map(|depth| float(left[at / SIZE * SIZE + depth]) * float(right[depth * SIZE + at % SIZE]))
            .sum()
    };
    (0..SIZE * SIZE).map(|at| f32::to_bits(sum(at))).collect()
}

fn name(size: &str) -> String {
    format!("cooperativeMatrixKHR.{size}.f16.f16.f32.f32.subgroup")
}

/// The device without some combinations.
fn without(device: &Device, combinations: &[(&str, u32)]) -> Device {
    let mut all: Mapping = serde_yaml::from_str(&device.to_yaml()).unwrap();
    for features in all.values_mut().filter_map(|entry| entry.get_mut("provider-features")?.as_sequence_mut())
    {
        let is_masked = |feature: &Value| {
            let masked = |size: &str| feature.as_str() == Some(&format!("vulkan:{}", name(size)));
            combinations.iter().any(|(size, _)| masked(size))
        };
        features.retain(|feature| !is_masked(feature));
    }
    read(&serde_yaml::to_string(&all).unwrap())
}
