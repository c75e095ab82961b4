//! All variants of ggml's multiplication of float matrices, merged into one module: the device gets the one that its properties select, which
//! computes the same as that variant alone, and what the host computes.

use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::{Condition, Module, Prepared, Settings};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::common::validate;
use crate::ggml_tiles::Tiles;
use crate::random::words;

/// Rows, columns and depth of the product.
const SHAPE: [u32; 3] = [128, 128, 64];

/// Runs the variant of the device.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let device = vulkan.probed();
    let variants = Tiles::all();
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
    let plain = Prepared::new(&merged)?.specialize(&device, &settings)?.words;
    validate(&plain, "vulkan1.2")?;

    let is_half = vulkan
        .present()
        .place("VkPhysicalDeviceVulkan12Features", "shaderFloat16")
        .is_some_and(|place| *place == 1);
    let warp = vulkan.subgroups().0.clamp(8, 64);
    let is_large = vulkan.limits().max_compute_shared_memory_size >= if is_half { 8704 } else { 17408 };
    let selected = Tiles { is_half, is_large, warp };
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
    Ok("computes".to_owned())
}
