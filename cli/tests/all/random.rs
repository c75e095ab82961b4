//! Numbers that look random and follow from a seed: SplitMix64, by Steele, Lea and Flood.

/// A series of numbers.
pub struct Random(u64);

impl Random {
    /// The series of a seed. Seeds that are close to each other have series that are not.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below another.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True so often of a hundred times.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        &choices[self.below(choices.len())]
    }

    /// Some of these, each with the same chance.
    pub fn some<T: Clone>(&mut self, all: &[T]) -> Vec<T> {
        all.iter().filter(|_| self.chance(50)).cloned().collect()
    }
}

/// Returns `count` words that `make` computes from random words, the same in each call.
pub fn words(count: usize, make: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    (0..count).map(|_| make(random.next() as u32)).collect()
}
