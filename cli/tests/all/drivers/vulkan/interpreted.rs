//! Random shaders do the same on a driver and in the interpreter.

use interpreter::{InterfaceSlot, RunInputs, RunResults, may_replace, run};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::random::Random;
use crate::translation::{INPUTS, RESULTS, compiled_shader};

/// The shaders that are run, by their seeds.
const SEEDS: std::ops::Range<u64> = 0..12;

/// Runs the shaders; returns the number of comparisons.
pub fn runs() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let mut compared = 0;
    for seed in SEEDS {
        let Some((words, constants)) = compiled_shader(seed) else { continue };
        let mut random = Random::new(seed);
        let mut buffer = |length: usize| (0..length).map(|_| random.next() as u32).collect::<Vec<u32>>();
        let buffers = vec![buffer(INPUTS), buffer(RESULTS)];
        let slot = |binding| InterfaceSlot::Buffer(0, binding);
        let bytes = |words: &Vec<u32>| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let bits = |bytes: &Vec<u8>| bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        let inputs = RunInputs {
            bytes: (0..).zip(&buffers).map(|(binding, words)| (slot(binding), bytes(words))).collect(),
            constants: constants.iter().map(|(id, bytes)| (*id, bits(bytes))).collect(),
            max_steps: 100_000,
        };
        let Ok(results) = run(&words, "main", &inputs) else { continue };
        // A Boolean takes four bytes.
        let whole = |bytes: &Vec<u8>| if bytes.len() == 1 { vec![bytes[0], 0, 0, 0] } else { bytes.clone() };
        let constants = constants.iter().map(|(id, bytes)| (*id, whole(bytes))).collect();
        let job = ShaderJob { buffers, constants, groups: [1, 1, 1], ..ShaderJob::default() };
        // An optimized module may need features that the driver does not have.
        let Ok(after) = vulkan.run(&words, &words, &job) else { continue };
        let driver: RunResults = (0..)
            .zip(&after)
            .map(|(binding, words)| (slot(binding), bytes(words).into_iter().map(Some).collect()))
            .collect();
        if !may_replace(&inputs, &results, &driver) {
            return Err(
                format!("seed {seed}: interpreted, it is {results:x?}, on the driver {driver:x?}").into()
            );
        }
        compared += 1;
    }
    match 2 * compared > SEEDS.count() {
        true => Ok(format!("the same for {compared} shaders")),
        false => Err(format!("only {compared} shaders were compared").into()),
    }
}
