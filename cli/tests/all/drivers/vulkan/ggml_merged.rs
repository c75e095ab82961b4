//! All variants of ggml's multiplication of float matrices, merged into one module: the device gets the one that its properties select, which
//! computes the same as that variant alone, and what the host computes.

use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::{Condition, Device, Module, Prepared, Settings};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::common::validate;
use crate::ggml_tiles::{MATRICES, Tiles};
use crate::random::words;

/// Rows, columns and depth of the product.
const SHAPE: [u32; 3] = [128, 128, 64];

/// Runs the variant of the device without cooperative matrices, and the one with them, if it has a combination of which there are variants.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let device = vulkan.probed();
    let is_half = vulkan
        .present()
        .place("VkPhysicalDeviceVulkan12Features", "shaderFloat16")
        .is_some_and(|place| *place == 1);
    let warp = vulkan.subgroups().0.clamp(8, 64);
    let is_large = vulkan.limits().max_compute_shared_memory_size >= if is_half { 8704 } else { 17408 };
    check(&vulkan, &device, &Tiles::all(), Tiles { matrix: None, is_half, is_large, warp })?;
    let entry = device.to_yaml();
    let has = |[m, n, k]: &[u32; 3]| {
        entry.contains(&format!("\"vulkan:cooperativeMatrixKHR.{m}x{n}x{k}.f16.f16.f32.f32.subgroup\""))
    };
    let Some(matrix) = MATRICES.into_iter().find(has) else { return Ok("computes".to_owned()) };
    let selected = Tiles { matrix: Some(matrix), is_half: true, is_large: true, warp };
    check(&vulkan, &device, &Tiles::of_matrices(), selected)?;
    Ok(format!("computes, also by {matrix:?}"))
}

/// Merges variants, and compares what the device gets with the variant that ggml selects alone, and with the product.
fn check(vulkan: &Vulkan, device: &Device, variants: &[Tiles], selected: Tiles) -> VulkanResult<()> {
    let modules: Vec<Vec<u32>> = variants.iter().map(|tiles| tiles.module()).collect();
    let loaded: Vec<Module> =
        modules.iter().map(|words| Module::from_words(&words[..])).collect::<Result<_, _>>()?;
    let conditions: Vec<Condition> = variants.iter().map(|tiles| tiles.condition()).collect();
    let inputs: Vec<Variant> = loaded
        .iter()
        .zip(&conditions)
        .map(|(module, condition)| Variant::new(module, Some(condition)))
        .collect();
    let merged = merge(&inputs, &MergeOptions::new())?.words;
    let merged = Module::from_words(merged)?;
    let settings = Settings::new().keep_interface(true);
    let plain = Prepared::new(&merged)?.specialize(device, &settings)?.words;
    validate(&plain, "vulkan1.2")?;
    let alone = variants.iter().position(|tiles| *tiles == selected).ok_or("no variant is for the device")?;

    let [rows, columns, depth] = SHAPE;
    let numbers = |count: u32| words(count as usize, |random| ((random % 17) as f32 / 8.0 - 1.0).to_bits());
    let (left, right) = (numbers(rows * depth), numbers(columns * depth));
    let strides = [depth, depth, rows, rows * depth, columns * depth, columns * rows];
    let job = ShaderJob {
        buffers: vec![left.clone(), right.clone(), vec![0; (rows * columns) as usize]],
        push_constants: [&SHAPE[..], &strides, &[0, 1, depth, 1, 1, 1, 1]].concat(),
        groups: [rows / selected.size(), columns / selected.size(), 1],
        ..ShaderJob::default()
    };
    let run = |words: &[u32]| vulkan.run(words, words, &job).map_err(|failure| failure.to_string());
    let (after, of_variant) = (run(&plain)?, run(&modules[alone])?);
    if after != of_variant {
        return Err(format!("it computes something else than {selected:?}").into());
    }
    let float = |word: &u32| f32::from_bits(*word);
    let row = |matrix: &[u32], at: u32| matrix[(at * depth) as usize..][..depth as usize].to_vec();
    for (at, result) in (0..).zip(&after[2]) {
        let (column, of_left) = (row(&right, at / rows), row(&left, at % rows));
        let expected: f32 = of_left.iter().zip(&column).map(|(left, right)| float(left) * float(right)).sum();
        // Eighths and sums of their products are exact.
        if float(result) != expected {
            return Err(format!("element {at} is {} instead of {expected}", float(result)).into());
        }
    }
    Ok(())
}
