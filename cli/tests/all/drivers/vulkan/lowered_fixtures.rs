//! Compute shaders of fixtures do the same without their 64-bit integers and doubles, on a device that has only the features that they require: as
//! `specialize --lower` makes them, and from modules packed with twins.

use std::collections::BTreeMap;

use interpreter::{InterfaceSlot, RunInputs, slots};
use spirv::{Capability, ExecutionModel, Op};
use spirv_if::specialize::{FeaturesToLower, UnsetPolicy};
use spirv_if::{Module, PackOptions, Prepared, Settings, pack};

use super::VulkanResult;
use super::runner::{CompiledShader, ShaderJob, Vulkan};
use crate::common::all_fixtures;
use crate::drivers::masked;
use crate::drivers::routes::{declared, instructions};
use crate::random::Random;

/// The elements of arrays without a length, as many as a group has invocations.
const ELEMENTS: usize = 256;
/// The runs of each fixture.
const RUNS: usize = 4;

/// The fixtures that are not run, with the reasons.
const NOT_RUN: [(&str, &str); 10] = [
    ("frontends/clspv.spv", "the name of its entry point"),
    ("frontends/rust-gpu.spv", "the name of its entry point"),
    ("glsl/histogram.spv", "an atomic of 64 bits"),
    ("headers/hlsl.spv", "a uniform buffer"),
    ("headers/slang.spv", "a uniform buffer"),
    ("spec/precision-O.spv", "an index beyond its buffer"),
    ("spec/precision.spv", "an index beyond its buffer"),
    ("stages/wgsl-g.spv", "the names of its entry points"),
    ("stages/wgsl.spv", "the names of its entry points"),
    ("vulkan/histogram.spv", "an atomic of 64 bits"),
];

/// Runs the fixtures; returns their names.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let device = vulkan.probed();
    let (mut names, mut not_run) = (Vec::new(), Vec::new());
    for (name, words) in all_fixtures() {
        let module = Module::from_words(&words[..])?;
        let prepared = Prepared::new(&module)?;
        let settings = Settings::new().unset(UnsetPolicy::Default);
        // Some are for other devices.
        let Ok(native) = prepared.specialize(&device, &settings) else { continue };
        if !is_compute(&native.words) || !has_wide_numbers(&native.words) {
            continue;
        }
        if NOT_RUN.iter().any(|(other, _)| *other == name) {
            not_run.push(name);
            continue;
        }
        let features = "Int64,Float64".parse::<FeaturesToLower>()?;
        let lowered = prepared.specialize(&device, &settings.clone().lower(features.clone()))?;
        // What a packed module has for this driver without the features.
        let without = masked::without(&device, &[Capability::Int64, Capability::Float64]);
        let packed = pack(&module, &PackOptions::new().lower(features.clone()))?;
        let packed = Module::from_words(packed.words)?;
        let twin = Prepared::new(&packed)?.specialize(&without, &settings)?;
        let expected = prepared.specialize(&without, &settings.lower(features))?;
        if has_wide_numbers(&lowered.words) || has_wide_numbers(&twin.words) {
            return Err(format!("{name}: not all is lowered").into());
        }
        let mut job = job(&native.words).ok_or_else(|| format!("{name}: its interface has no buffers"))?;
        let compile = |words: &[u32]| {
            vulkan.compile(words, words, &job).map_err(|failure| format!("{name}: {failure}"))
        };
        // Each is compiled once for all runs.
        let [native, lowered] = [compile(&native.words)?, compile(&lowered.words)?];
        let [expected, twin] = [compile(&expected.words)?, compile(&twin.words)?];
        let mut random = Random::new(words.len() as u64);
        for _ in 0..RUNS {
            // Floats from 1 to 2^12, also as upper words of doubles. Push constants may say how much there is to do.
            let mut number = || random.next() as u32 & 0x85ff_ffff | 0x4000_0000;
            job.buffers.iter_mut().flatten().for_each(|word| *word = number());
            job.push_constants.iter_mut().for_each(|word| *word = number() & 7);
            if name == "vulkan/reduce.spv" {
                // The driver flushes subnormal floats.
                job.push_constants[1] = 1f32.to_bits();
            }
            let run =
                |shader: &CompiledShader| shader.run(&job).map_err(|failure| format!("{name}: {failure}"));
            let (before, after) = (run(&native)?, run(&lowered)?);
            let pairs = before.iter().flatten().zip(after.iter().flatten());
            if pairs.clone().any(|(&before, &after)| !are_equal(before, after)) {
                return Err(
                    format!("{name}: {:x?}", pairs.filter(|(a, b)| a != b).collect::<Vec<_>>()).into()
                );
            }
            // Its source may have a fallback with another result.
            if run(&expected)? != run(&twin)? {
                return Err(format!("{name}: its twin has another result").into());
            }
        }
        names.push(name);
    }
    let expected: Vec<&str> = NOT_RUN.iter().map(|(name, _)| *name).collect();
    match not_run == expected {
        true => Ok(format!("equal bits: {}", names.join(", "))),
        false => Err(format!("not run: {not_run:?}").into()),
    }
}

fn is_compute(words: &[u32]) -> bool {
    let model = ExecutionModel::GLCompute as u32;
    instructions(words).any(|(opcode, operands)| opcode == Op::EntryPoint as u32 && operands[0] == model)
}

fn has_wide_numbers(words: &[u32]) -> bool {
    let declared = declared(words);
    [Capability::Int64, Capability::Float64].iter().any(|&wide| declared.contains(&(wide as u32)))
}

/// Returns true for equal words. NaNs that lowered code computes are canonical.
fn are_equal(before: u32, after: u32) -> bool {
    before == after || f32::from_bits(before).is_nan() && f32::from_bits(after).is_nan()
}

/// Returns a job with buffers and push constants of the right sizes; `None` if the interface has others.
fn job(words: &[u32]) -> Option<ShaderJob> {
    let inputs = RunInputs { constants: BTreeMap::new(), ..RunInputs::default() };
    let mut job = ShaderJob { groups: [1, 1, 1], ..ShaderJob::default() };
    for (slot, size) in slots(words, "main", &inputs, ELEMENTS).ok()? {
        let words = vec![0; size.div_ceil(4)];
        match slot {
            InterfaceSlot::Buffer(0, binding) if binding < 8 => {
                job.buffers.resize((binding as usize + 1).max(job.buffers.len()), vec![0]);
                job.buffers[binding as usize] = words;
            }
            InterfaceSlot::PushConstants => job.push_constants = words,
            _ => return None,
        }
    }
    Some(job)
}
