//! The check that a result computes what its module does, by the interpreter of the tests.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::interpreter::{RunInputs, entry_points, may_replace, run, slots};
use crate::random::Random;

/// The instructions that a run may take.
const MAX_STEPS: usize = 2_000;

/// Runs the entry points of a module and of what was made of it, with values of specialization constants as bits.
///
/// # Panics
/// If the module is valid, and the result computes something else.
pub fn computes_the_same(
    module: &[u32],
    result: &[u32],
    constants: &BTreeMap<u32, u64>,
    random: &mut Random,
) {
    for entry_point in entry_points(module).unwrap_or_default() {
        let mut inputs =
            RunInputs { constants: constants.clone(), max_steps: MAX_STEPS, ..RunInputs::default() };
        for (slot, size) in slots(module, &entry_point, &inputs, 4).unwrap_or_default() {
            if size > 1 << 12 {
                return;
            }
            inputs.bytes.insert(slot, (0..size).map(|_| random.next() as u8).collect());
        }
        let Ok(before) = run(module, &entry_point, &inputs) else { continue };
        inputs.max_steps *= 2;
        let after = run(result, &entry_point, &inputs);
        let is_same = after.as_ref().is_ok_and(|after| may_replace(&inputs, &before, after));
        assert!(is_same || !is_valid(module), "{entry_point} computes {after:?}, but right is {before:?}");
    }
}

/// Returns true if spirv-val, which scripts/fuzz.sh names, finds a module valid: others compute anything.
fn is_valid(words: &[u32]) -> bool {
    let Some(validator) = std::env::var_os("SPIRV_VAL") else { return false };
    let mut command = Command::new(validator);
    command
        .args(["--target-env", "spv1.6", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    // It may stop reading at the first error.
    drop(child.stdin.take().map(|mut input| input.write_all(&bytes)));
    child.wait().is_ok_and(|status| status.success())
}
