//! Damaged modules load or are refused. Those that load can be walked and written.

use std::collections::BTreeSet;
use std::hint::black_box;

use crate::loader::Module;
use crate::test_support::{bytes_of, fixtures};
use crate::transform::Edits;
use crate::writer::apply;

/// Loads words. If that works, walks everything reachable by ids, like an analysis, and writes it.
fn survives(words: &[u32], damage: &dyn Fn() -> String) {
    let Ok(module) = Module::from_words(words) else { return };
    for inst in module.instructions() {
        module.walk(&inst, &mut |at: usize, id: u32| {
            assert!(at < inst.words().len(), "{} in {}", damage(), inst.name());
            assert_eq!(id, inst.words()[at]);
            assert!(0 < id && id < module.bound(), "{}: id {id} in {}", damage(), inst.name());
            black_box(module.definition(id));
        });
        black_box((inst.string(1), inst.result_type(), module.set_kind(&inst)));
        assert_eq!(
            inst.result_id().and_then(|id| module.definition_offset(id)).unwrap_or(inst.offset()),
            inst.offset()
        );
    }
    for function in module.functions() {
        assert!(module.body(function).count() >= 2);
    }
    assert_eq!(apply(&module, &Edits::new(&module)).unwrap(), words);
}

/// Returns a shader and a kernel. Every word of them is damaged in many ways, and the whole is examined each
/// time.
pub fn small_fixtures() -> Vec<(String, Vec<u32>)> {
    let mut small = fixtures();
    small.retain(|(name, _)| ["glsl/histogram.spv", "opencl/plain.spv"].contains(&name.as_str()));
    assert_eq!(small.len(), 2);
    small
}

#[test]
fn every_word_damaged() {
    for (name, mut words) in small_fixtures() {
        let bound = words[3];
        for at in 0..words.len() {
            let good = words[at];
            let opcode = good & 0xffff;
            let bad = [
                0,
                1,
                bound - 1,
                bound,
                u32::MAX,
                good ^ 0x8000_0000,
                good.swap_bytes(),
                good.wrapping_add(1),
                0x0001_0000 | opcode,
                0x0002_0000 | opcode,
                0xffff_0000 | opcode,
                good & 0xffff_0000,
                // The operands of OpExtInst, OpSwitch and OpSpecConstantOp depend on other instructions.
                (good & 0xffff_0000) | 12,
                (good & 0xffff_0000) | 251,
                (good & 0xffff_0000) | 52,
            ];
            for bad in BTreeSet::from(bad) {
                words[at] = bad;
                survives(&words, &|| format!("{name}: word {at} is {bad:#x} instead of {good:#x}"));
            }
            words[at] = good;
        }
    }
}

#[test]
fn every_truncation() {
    for (name, words) in small_fixtures() {
        let bytes = bytes_of(&words);
        for size in 0..bytes.len() {
            match Module::from_bytes(&bytes[..size]) {
                Ok(module) => {
                    assert_eq!(size % 4, 0, "{name} at {size}");
                    survives(module.words(), &|| format!("{name}: {size} bytes"));
                }
                Err(error) => assert!(error.offset <= size as u64, "{name} at {size}: {error}"),
            }
        }
    }
}

/// Checks that loading and a later walk read the same ids, even if a later instruction would explain them.
#[test]
fn later_instructions_do_not_change_ids() {
    use crate::test_support::{instruction, module_of};
    // A switch before its 64-bit selector: the last word is a literal, or the label.
    let (int64, selector) = (instruction(21, &[1, 64, 0]), instruction(1, &[1, 2]));
    let switch = instruction(251, &[2, 3, 3, 3, 77]);
    for order in [[&int64, &selector, &switch], [&switch, &int64, &selector], [&int64, &switch, &selector]] {
        survives(&module_of(10, &order.map(Vec::clone)), &|| "switch".to_owned());
    }
    // An extended instruction before its set.
    let import = instruction(
        11,
        &[1, u32::from_le_bytes(*b"NonS"), u32::from_le_bytes(*b"eman"), u32::from_le_bytes(*b"tic."), 0],
    );
    let used = instruction(12, &[4, 5, 1, 0, 99]);
    survives(&module_of(10, &[used.clone(), import.clone()]), &|| "extended instruction".to_owned());
    assert!(Module::from_words(module_of(10, &[import, used])).is_err());
}
