//! Tests that nothing panics on any words.

use super::support::{KnownDevice, SpecializeCase, knows};
use crate::analysis::Analyses;
use crate::loader::Module;
use crate::transform::specialize::{UnsetPolicy, specialize};
use crate::writer::apply;
use std::borrow::Cow;

/// Marsaglia's xorshift: the same words on every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn changed_words_never_panic() {
    let texts = [super::declarations::KERNEL, super::sweep::SHADER, &super::debug::shader()];
    let devices = [knows(&[(1, 0), (7, 0)]), knows(&[(1, 1), (7, 1)]), KnownDevice::default()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut loaded, mut done) = (0, 0);
    for text in texts {
        let case = SpecializeCase::new(text);
        for _ in 0..10_000 {
            let mut words = case.words.clone();
            for _ in 0..=random.below(3) {
                let at = 5 + random.below(words.len() - 5);
                words[at] = match random.below(4) {
                    0 => random.below(case.words[3] as usize) as u32,
                    1 => words[5 + random.below(words.len() - 5)],
                    2 => words[at] ^ 1 << random.below(32),
                    _ => [71, 6247, 12, 54, 56, 15, 6249, 52][random.below(8)] | words[at] & 0xffff_0000,
                };
            }
            let Ok(module) = Module::from_words(&words) else { continue };
            loaded += 1;
            let unset = [UnsetPolicy::Keep, UnsetPolicy::Default][random.below(2)];
            let device = &devices[random.below(3)];
            if let Ok(specialized) =
                specialize(&Analyses::new(&module, Cow::default()), device, &[], unset.into())
            {
                let words = apply(&module, &specialized.edits).unwrap();
                Module::from_words(&words).unwrap();
                done += 1;
            }
        }
    }
    // Both ends are reached often enough to mean something.
    assert!(loaded > 5_000 && done > 2_500 && done < loaded, "{loaded} loaded, {done} specialized");
}
