//! A compute shader with a case of doubles, on the device without doubles: the other cases compute the same to the bit, and the trap leaves its mark.

use spirv::Capability;
use spirv_if::specialize::Trap;
use spirv_if::{Module, Prepared, Settings};

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::common::{root, validate};
use crate::drivers::masked::without;
use crate::drivers::routes::declared;

const ITEMS: usize = 64;

/// The fixtures, each with the environment of its results.
pub const FIXTURES: [(&str, &str); 2] = [("switch", "vulkan1.1"), ("helper", "vulkan1.2")];

/// Runs all cases of the switch in a fixture.
pub fn runs((fixture, environment): (&str, &str)) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let device = without(&vulkan.probed(), &[Capability::Float64]);
    let bytes = std::fs::read(root().join(format!("fixtures/traps/{fixture}.spv")))?;
    let module = Module::from_bytes(&bytes)?;
    let prepared = Prepared::new(&module)?;
    if prepared.specialize(&device, &Settings::new()).is_ok() {
        return Err("the device runs it without traps".into());
    }
    let trap: Trap = "store:Mark:4".parse()?;
    let trapped = prepared.specialize(&device, &Settings::new().trap(trap).keep_interface(true))?;
    validate(&trapped.words, environment)?;
    if declared(&trapped.words).contains(&(Capability::Float64 as u32)) {
        return Err("the module declares Float64".into());
    }
    let source: Vec<u32> = (0..2 * ITEMS as u32).map(|at| at.wrapping_mul(0x9e37_79b9) >> 3).collect();
    let converted: Vec<u32> = source[..ITEMS].iter().map(|&word| (word as i32 as f32).to_bits()).collect();
    let unwritten = vec![7; ITEMS];
    let expected = [
        (0, source[..ITEMS].to_vec(), 0),
        (1, converted, 0),
        (2, unwritten.clone(), 1),
        (3, vec![0; ITEMS], 0),
    ];
    for (case, results, mark) in expected {
        let job = ShaderJob {
            buffers: vec![source.clone(), unwritten.clone(), vec![0; 2]],
            push_constants: vec![case],
            groups: [ITEMS as u32 / 32, 1, 1],
            ..ShaderJob::default()
        };
        let after =
            vulkan.run(&trapped.words, &trapped.words, &job).map_err(|failure| failure.to_string())?;
        if after[1..] != [results, vec![0, mark]] {
            return Err(format!("case {case}: {:?}", &after[1..]).into());
        }
    }
    Ok(format!("traps {}", trapped.report.trapped.len()))
}
