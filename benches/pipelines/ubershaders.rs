//! The shaders of `fixtures/ubershaders`, and settings of their constants: from no switch on to all of them.
//!
//! The benchmark measures with these settings, and `cli/tests/all/ubershaders.rs` checks what they leave of the shaders.

use spirv_if::{Error, Module, SpecValue};
use spirv_if_inspect::{InspectOptions, inspect};

/// Shares of the switches that are on, in percent.
const SHARES: [usize; 6] = [0, 10, 25, 50, 75, 100];
/// Number of effects that the one constant of `post` switches.
const EFFECTS: usize = 24;

/// A value of every specialization constant of a shader, by SpecId: 0 or 1 for a Boolean.
pub struct ShaderSetting {
    pub title: String,
    pub values: Vec<(u32, u32)>,
}

/// Names of the shaders.
pub const NAMES: [&str; 4] = ["forward", "combiner", "post", "filter"];

/// Returns the settings of the shader with this name, least code first. Constants that are not switches keep their default values.
pub fn settings(name: &str, words: &[u32]) -> Result<Vec<ShaderSetting>, Error> {
    let mut constants = Vec::new();
    let inspection = inspect(&Module::from_words(words)?, &InspectOptions::default())?;
    for constant in inspection.spec_constants() {
        let default = match constant.default {
            Some(SpecValue::U32(number)) => number,
            Some(SpecValue::I32(number)) => number as u32,
            _ => 0,
        };
        constants.push((constant.spec_id.number(), default, constant.type_name == "bool"));
    }
    let bounds = |title: &str, values: [u32; 3]| ShaderSetting {
        title: title.to_owned(),
        values: (0..).zip(values).collect(),
    };
    Ok(match name {
        "filter" => vec![bounds("8 x 2 x 1 taps", [8, 2, 1]), bounds("64 x 8 x 3 taps", [64, 8, 3])],
        "post" => with_shares(EFFECTS, |on| {
            vec![(0, (0..EFFECTS).map(|effect| u32::from(on(effect)) << effect).sum())]
        }),
        _ => {
            let is_switch = |constant: &&(u32, u32, bool)| constant.2;
            let switches: Vec<u32> = constants.iter().filter(is_switch).map(|constant| constant.0).collect();
            with_shares(switches.len(), |on| {
                let value = |&(spec_id, default, _): &(u32, u32, bool)| {
                    let switch = switches.iter().position(|switch| *switch == spec_id);
                    (spec_id, switch.map_or(default, |switch| on(switch).into()))
                };
                constants.iter().map(value).collect()
            })
        }
    })
}

/// Returns a setting for each share, made by a function that is told which switches are on. What is on with a share is on with larger ones.
fn with_shares(
    count: usize,
    values: impl Fn(&dyn Fn(usize) -> bool) -> Vec<(u32, u32)>,
) -> Vec<ShaderSetting> {
    // Switches that belong together have neighbouring numbers: those that are on are spread. Seven is prime to each count.
    let is_on = |switch: usize, share: usize| switch * 7 % count < (count * share).div_ceil(100);
    let setting = |share: usize| ShaderSetting {
        title: format!("{share} % on"),
        values: values(&|switch| is_on(switch, share)),
    };
    SHARES.into_iter().map(setting).collect()
}
