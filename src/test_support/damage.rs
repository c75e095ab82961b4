//! Modules with wrong words.

/// A linear congruential generator, with equal damage on every run.
struct DamageGenerator(u64);

impl DamageGenerator {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Replaces words by values that often cause errors, and by other words of the module.
fn damage(words: &mut [u32], random: &mut DamageGenerator) {
    let at = 5 + random.below(words.len() - 5);
    let bound = words[3];
    words[at] = match random.below(6) {
        0 => 0,
        1 => u32::MAX,
        2 => bound - 1,
        3 => words[5 + random.below(words.len() - 5)],
        4 => words[at] ^ (1 << random.below(32)),
        _ => random.below(bound as usize) as u32,
    };
}

/// Returns `copies` damaged copies of a module.
pub fn damaged(words: &[u32], copies: u64) -> impl Iterator<Item = Vec<u32>> {
    let mut random = DamageGenerator(words.len() as u64);
    (0..copies).map(move |_| {
        let mut words = words.to_vec();
        for _ in 0..=random.below(3) {
            damage(&mut words, &mut random);
        }
        words
    })
}
