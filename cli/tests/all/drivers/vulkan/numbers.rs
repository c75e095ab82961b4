//! A shader that chooses by numbers of the device: on the device as it is, and on the same with other numbers. The ways that it takes are
//! compared with the properties that Vulkan reports.

use serde_yaml::{Mapping, Value};
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::common::{root, validate};
use crate::drivers::masked::read;
use crate::random::words;

/// Number of values in a tile.
const TILE: usize = 8192;
/// Number of tiles.
const TILES: usize = 3;

/// The numbers by which the shader chooses.
#[derive(Clone, Copy)]
struct Numbers {
    shared_memory: u32,
    subgroup_size: u32,
    depth: u32,
}

/// Runs the shader for all choices of its numbers that the device can run.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let limits = vulkan.limits();
    let own = Numbers {
        shared_memory: limits.max_compute_shared_memory_size,
        subgroup_size: vulkan.subgroups().0,
        depth: limits.max_compute_work_group_size[2],
    };
    let compiled = std::fs::read(root().join("fixtures/decisions/glslnumbers.spv"))?;
    let packed = pack(&Module::from_bytes(&compiled)?, &PackOptions::new())?.words;
    validate(&packed, "vulkan1.1")?;
    let packed = Module::from_words(packed)?;
    let prepared = Prepared::new(&packed)?;
    let values = words(TILE * TILES, |next| next);
    let probed = vulkan.probed();
    for numbers in [
        own,
        Numbers { shared_memory: 32767, ..own },
        Numbers { subgroup_size: 32, ..own },
        Numbers { subgroup_size: 16, shared_memory: 16384, ..own },
        Numbers { subgroup_size: 64, depth: 64, ..own },
    ] {
        let device = with_numbers(&probed, numbers);
        let plain = prepared.specialize(&device, &Settings::new())?.words;
        validate(&plain, "vulkan1.1")?;
        let job = ShaderJob {
            buffers: vec![values.clone(), vec![0; TILES], vec![0; 3]],
            groups: [TILES as u32, 1, 1],
            ..ShaderJob::default()
        };
        let after = vulkan.run(&plain, &plain, &job).map_err(|failure| failure.to_string())?;
        let sums =
            values.chunks(TILE).map(|tile| tile.iter().fold(0u32, |sum, value| sum.wrapping_add(*value)));
        let expected = [sums.collect(), numbers.ways().to_vec()];
        if after[1..] != expected {
            return Err(format!("{:?} instead of {expected:?}", &after[1..]).into());
        }
    }
    Ok("computes".to_owned())
}

impl Numbers {
    /// Returns what the shader writes: the bytes of its tile, the mark by the size of sub-groups, and the one by the depth.
    fn ways(self) -> [u32; 3] {
        let tile = if self.shared_memory >= 32768 { 32768 } else { 4096 };
        let mark = match self.subgroup_size {
            32 => 32,
            ..32 => 1,
            33.. => 0,
        };
        [tile, mark, if self.depth > 64 { 65 } else { 0 }]
    }
}

/// Returns the device with these numbers instead of its own.
fn with_numbers(device: &Device, numbers: Numbers) -> Device {
    let mut all: Mapping = serde_yaml::from_str(&device.to_yaml()).unwrap();
    for entry in all.values_mut().filter_map(Value::as_mapping_mut) {
        entry.insert("sub-group-sizes".into(), vec![Value::from(numbers.subgroup_size)].into());
        let limits = entry.get_mut("limits").and_then(Value::as_sequence_mut).unwrap();
        let changed =
            [("max_shared_memory", numbers.shared_memory), ("maxComputeWorkGroupSize[2]", numbers.depth)];
        for (name, number) in changed {
            let limit =
                limits.iter_mut().find(|limit| limit.as_str().unwrap().starts_with(&format!("{name}=")));
            *limit.unwrap() = format!("{name}={number}").into();
        }
    }
    read(&serde_yaml::to_string(&all).unwrap())
}
