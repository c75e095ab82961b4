//! ggml's multiplication of float matrices, merged into one module by numbers of the device.

use spirv_if::Device;
use spirv_if::device::{Api, DeviceParts};
use spirv_if::pack::Dialect;

use super::{MergeCounts, compare_by, options};
use crate::ggml_tiles::Tiles;

tests![devices_get_the_tiles_that_ggml_selects, devices_get_the_matrices_that_ggml_selects];

/// Devices, each with the choice of ggml's own code: half floats, large tiles, and the size of warps.
fn choices() -> Vec<(Device, (bool, bool, u32))> {
    let named = |name: &str, limits: &str| {
        let parts = DeviceParts::new().device(name);
        let parts = if limits.is_empty() { parts } else { parts.limits(limits) };
        parts.to_device(None).unwrap()
    };
    let described = |capabilities: &str, limits: &str| {
        let parts = DeviceParts::new().capabilities(capabilities).limits(limits);
        parts.to_device(None).unwrap()
    };
    let half = "Shader,Float16,StorageBuffer16BitAccess";
    vec![
        (named("nvidia_gpu_sm_90", ""), (true, true, 32)),
        (named("nvidia_gpu_sm_75", ""), (true, true, 32)),
        (named("nvidia_gpu_sm_50", ""), (false, true, 32)),
        (named("gfx906", ""), (true, true, 64)),
        (named("gfx1100:wavefrontsize32+", ""), (true, true, 32)),
        (named("gfx1100", "subgroup_size=64"), (true, true, 64)),
        (named("intel_gpu_acm_g10", "subgroup_size=16,max_shared_memory=65536"), (true, true, 16)),
        // Lavapipe; phones with and without half floats, of which one has less than Vulkan requires.
        (described(half, "subgroup_size=4,max_shared_memory=32768"), (true, true, 8)),
        (described(half, "subgroup_size=128,max_shared_memory=16384"), (true, true, 64)),
        (described("Shader", "subgroup_size=64,max_shared_memory=32768"), (false, true, 64)),
        (described("Shader", "subgroup_size=16,max_shared_memory=16384"), (false, false, 16)),
        (described(half, "subgroup_size=8,max_shared_memory=8192"), (true, false, 8)),
    ]
}

/// The combination, large tiles, and the size of warps.
type MatrixChoice = ([u32; 3], bool, u32);

/// Devices with cooperative matrices, each with the choice of ggml's own code.
fn choices_of_matrices() -> Vec<(Device, MatrixChoice)> {
    let described = |matrices: &[&str], limits: &str| {
        let combination =
            |size: &&str| format!("vulkan:cooperativeMatrixKHR.{size}.f16.f16.f32.f32.subgroup");
        let listed: Vec<String> = matrices.iter().map(combination).collect();
        let parts = DeviceParts::new()
            .capabilities("Shader,Float16,GroupNonUniform,VulkanMemoryModel,CooperativeMatrixKHR")
            .provider_features(format!("{},!vulkan:cooperativeMatrixKHR.*", listed.join(",")))
            .limits(limits);
        parts.to_device(None).unwrap()
    };
    vec![
        // NVIDIA's Hopper, by its driver; Intel's DG2; Lavapipe; one with less shared memory than Vulkan requires.
        (
            described(&["16x16x16", "16x8x16", "16x8x8"], "subgroup_size=32,max_shared_memory=49152"),
            ([16, 16, 16], true, 32),
        ),
        (described(&["8x16x16"], "subgroup_size=16,max_shared_memory=65536"), ([8, 16, 16], true, 16)),
        (described(&["8x8x8"], "subgroup_size=8,max_shared_memory=32768"), ([8, 8, 8], true, 8)),
        (described(&["16x16x16"], "subgroup_size=64,max_shared_memory=8192"), ([16, 16, 16], false, 64)),
    ]
}

/// Merges the variants of one memory model: each device gets the one that ggml selects for it, and nothing of the others.
fn devices_get_the_tiles_that_ggml_selects() {
    let tiles = |(is_half, is_large, warp)| Tiles { matrix: None, is_half, is_large, warp };
    compare(&Tiles::all(), choices().into_iter().map(|(device, choice)| (device, tiles(choice))).collect());
}

/// Merges those of the other.
fn devices_get_the_matrices_that_ggml_selects() {
    let tiles = |(matrix, is_large, warp)| Tiles { matrix: Some(matrix), is_half: true, is_large, warp };
    let choices = choices_of_matrices().into_iter().map(|(device, choice)| (device, tiles(choice)));
    compare(&Tiles::of_matrices(), choices.collect());
}

fn compare(variants: &[Tiles], choices: Vec<(Device, Tiles)>) {
    let conditions: Vec<_> = variants.iter().map(|tiles| Some(tiles.condition())).collect();
    let modules: Vec<Vec<u32>> = variants.iter().map(|tiles| tiles.module()).collect();
    let choices: Vec<(Device, Tiles)> = choices
        .into_iter()
        .map(|(device, tiles)| (device.for_api(Api::Vulkan).into_owned(), tiles))
        .collect();
    for (device, expected) in &choices {
        let holds = |condition: &&Tiles| condition.condition().evaluate(device).unwrap() == Some(true);
        assert_eq!(variants.iter().find(holds), Some(expected), "{device:?}");
    }
    let words: Vec<&[u32]> = modules.iter().map(Vec::as_slice).collect();
    let devices: Vec<Device> = choices.into_iter().map(|(device, _)| device).collect();
    let mut counts = MergeCounts::default();
    compare_by(
        "matmul",
        &words,
        (&conditions, true),
        &options(Dialect::SpecConditional),
        &devices,
        &mut counts,
    );
    counts.finish();
    assert_eq!((counts.merged, counts.compared, counts.refused), (1, devices.len(), 0));
    println!("{} variants: {} words, merged {}", words.len(), counts.inputs, counts.result);
}
