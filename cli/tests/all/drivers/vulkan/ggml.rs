//! ggml's shaders, frozen by `specialize`: each must do the same as with the constants set through Vulkan, bit for bit. A product of halves runs on a device
//! without halves, too.

use spirv::{Capability, Decoration, Op};
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Module, Prepared, Settings};

use super::ggml_shaders::{HALF_PRODUCT, HALF_PRODUCT_SHAPE, Shader};
use super::runner::{ShaderJob, Vulkan};
use crate::common::{root, validate, words_of};
use crate::drivers::routes::{declared, instructions};
use crate::lowered::{float16, lowered, storage};

type ShaderResult<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Runs a shader with all of its settings, both ways.
pub fn runs(shader: &Shader) -> ShaderResult<String> {
    let vulkan = Vulkan::open()?;
    let words = words_of_shader(shader)?;
    let module = Module::from_words(&words[..])?;
    let prepared = Prepared::new(&module)?;
    let mut results: Vec<Vec<Vec<u32>>> = Vec::new();
    for setting in shader.settings {
        let on = |message: String| format!("{setting:?}: {message}");
        let job = (shader.job)();
        let bytes = |(id, value): &(u32, u32)| (*id, value.to_ne_bytes().to_vec());
        let through_api = ShaderJob { constants: setting.iter().map(bytes).collect(), ..job.clone() };
        let by_api = vulkan.run(&words, &words, &through_api).map_err(|failure| on(failure.to_string()))?;
        let frozen = freeze(&prepared, setting, shader.branches).map_err(|error| on(error.to_string()))?;
        let after = vulkan.run(&frozen, &frozen, &job).map_err(|failure| on(format!("frozen: {failure}")))?;
        if let Some(difference) = difference(&by_api.concat(), &after.concat()) {
            return Err(on(difference).into());
        }
        let lowered = storage_lowered(&frozen)?;
        let of_words =
            vulkan.run(&lowered, &lowered, &job).map_err(|failure| on(format!("lowered: {failure}")))?;
        if after != of_words {
            return Err(on("words in memory have other results".to_owned()).into());
        }
        make_sense(&job, &after).map_err(on)?;
        results.push(after);
    }
    results.sort();
    results.dedup();
    Ok(format!("{} settings, {} different results", shader.settings.len(), results.len()))
}

fn words_of_shader(shader: &Shader) -> ShaderResult<Vec<u32>> {
    let path = root().join("target/ggml").join(shader.name).with_extension("spv");
    let bytes = std::fs::read(&path)
        .map_err(|error| format!("{}: {error}; run scripts/setup.sh ggml", path.display()))?;
    Ok(words_of(&bytes))
}

/// Runs the product of halves on a device that neither computes with them nor has them in buffers. The results are those of the host.
pub fn half_product() -> ShaderResult<String> {
    let vulkan = Vulkan::open()?;
    let words = words_of_shader(&HALF_PRODUCT)?;
    let module = Module::from_words(&words[..])?;
    let prepared = Prepared::new(&module)?;
    let job = (HALF_PRODUCT.job)();
    let expected = product_of_halves(&job.buffers);
    for setting in HALF_PRODUCT.settings {
        let frozen = freeze(&prepared, setting, HALF_PRODUCT.branches)?;
        let features = format!("Float16,{}", storage::FEATURES);
        let lowered = lowered(&frozen, &features, UnsetPolicy::Keep)?.words;
        validate(&lowered, "vulkan1.2")?;
        let declared = declared(&lowered);
        let halves = [Capability::Float16, Capability::StorageBuffer16BitAccess];
        if halves.iter().any(|&half| declared.contains(&(half as u32))) {
            return Err(format!("{setting:?}: {declared:?}").into());
        }
        let after = vulkan.run(&lowered, &lowered, &job).map_err(|failure| failure.to_string())?;
        if let Some(difference) = difference(&expected, &after[2]) {
            return Err(format!("{setting:?}: {difference}").into());
        }
    }
    Ok("the results of the host".to_owned())
}

/// Multiplies matrices in the order of the shader: each sum has a product of four numbers, the last one first, and is rounded once for each.
fn product_of_halves(buffers: &[Vec<u32>]) -> Vec<u32> {
    let [rows, columns, depth] = HALF_PRODUCT_SHAPE.map(|count| count as usize);
    let number =
        |words: &[u32], at: usize| float16::value(u64::from(words[at / 2] >> (16 * (at % 2)) & 0xffff));
    let mut results = Vec::new();
    for column in 0..columns {
        for row in 0..rows {
            let mut sum = 0.0;
            for at in (0..depth).map(|at| at / 4 * 4 + 3 - at % 4) {
                let product =
                    number(&buffers[0], row * depth + at) * number(&buffers[1], column * depth + at);
                sum = float16::value(float16::nearest(product + sum));
            }
            results.push((sum as f32).to_bits());
        }
    }
    results
}

/// In how many words two runs differ, and by how much they do if these are floats.
fn difference(by_api: &[u32], frozen: &[u32]) -> Option<String> {
    let floats = |(one, other): (&u32, &u32)| (f32::from_bits(*one), f32::from_bits(*other));
    let differ: Vec<_> = by_api.iter().zip(frozen).filter(|(one, other)| one != other).map(floats).collect();
    let (one, other) = differ.first()?;
    let most = differ.iter().map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
    let count = differ.len();
    Some(format!(
        "{count} words differ, the first of them {one} by the API and {other} frozen, and by {most} at most"
    ))
}

/// The module with constants of these values: none of them is left, nor anything that they decide.
fn freeze(prepared: &Prepared, setting: &[(u32, u32)], branches: bool) -> ShaderResult<Vec<u32>> {
    let set = |settings: Settings, &(id, value): &(u32, u32)| settings.set(id, value);
    let settings = setting.iter().fold(Settings::new(), set).trim(true);
    let frozen = prepared.specialize(&Device::default(), &settings)?;
    if (frozen.report.branches > 0) != branches {
        return Err(format!("{} branches are decided", frozen.report.branches).into());
    }
    validate(&frozen.words, "vulkan1.2")?;
    let is_spec_id = |&(opcode, operands): &(u32, &[u32])| {
        opcode == Op::Decorate as u32 && operands[1] == Decoration::SpecId as u32
    };
    if let Some((_, operands)) = instructions(&frozen.words).find(is_spec_id) {
        return Err(format!("SpecId {} is left", operands[2]).into());
    }
    Ok(frozen.words)
}

/// The module without numbers of 8 and 16 bits in memory, nor integers of them elsewhere.
fn storage_lowered(words: &[u32]) -> ShaderResult<Vec<u32>> {
    let features = format!("Int16,Int8,{}", storage::FEATURES);
    let lowered = lowered(words, &features, UnsetPolicy::Keep)?.words;
    validate(&lowered, "vulkan1.2")?;
    Ok(lowered)
}

/// Checks that something was computed: the output is neither all the same nor, as floats, infinite or NaN.
fn make_sense(job: &ShaderJob, after: &[Vec<u32>]) -> std::result::Result<(), String> {
    let written: Vec<u32> = (job.buffers.iter().zip(after))
        .filter(|(before, after)| before != after)
        .flat_map(|(_, after)| after.clone())
        .collect();
    let mut different = written.clone();
    different.sort_unstable();
    different.dedup();
    if different.len() < 10 {
        return Err(format!("only {} different results: {written:?}", different.len()));
    }
    let senseless = written.iter().find(|word| !f32::from_bits(**word).is_finite());
    senseless.map_or(Ok(()), |word| Err(format!("{} among the results", f32::from_bits(*word))))
}
