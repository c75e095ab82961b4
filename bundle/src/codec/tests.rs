//! Any words come back.

use super::*;

/// Codes modules into one block and decodes them.
fn round_trip(modules: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut counts = LayoutCounts::default();
    modules.iter().for_each(|words| counts.add(words));
    let layouts = counts.layouts();
    assert_eq!(Layouts::read(&layouts.to_bytes()).as_ref(), Some(&layouts));
    let mut streams = Streams::default();
    modules.iter().for_each(|words| streams.add(words, &layouts));
    let content = streams.content();
    assert_eq!(content.len(), streams.size());
    let mut decoder = BlockDecoder::new(&content, &layouts).unwrap();
    let decode = |module: &Vec<u32>| {
        let mut words = Vec::new();
        decoder.next(module.len(), &mut words).unwrap();
        words
    };
    let decoded = modules.iter().map(decode).collect();
    assert!(decoder.is_at_end());
    decoded
}

/// Random numbers, the same ones in each run (xorshift64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as u32
    }

    fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }

    /// Returns a module of instructions with any operands, many of them equal to others.
    fn module(&mut self) -> Vec<u32> {
        let mut words: Vec<u32> = (0..5).map(|_| self.next()).collect();
        for _ in 0..self.below(200) {
            let opcode = match self.below(4) {
                0 => self.below(1 << 16),
                1 => u32::from(FUNCTION),
                _ => self.below(400),
            };
            let count = if self.below(50) == 0 { 1 + self.below(2000) } else { 1 + self.below(8) };
            words.push(count << 16 | opcode);
            for _ in 1..count {
                let word = match self.below(8) {
                    0 => self.next(),
                    1 => u32::MAX - self.below(3),
                    2 => 0x6161_6161,
                    _ => self.below(300),
                };
                words.push(word);
            }
        }
        words
    }
}

#[test]
fn random_instructions_come_back() {
    let mut random = Random(0x5eed);
    for _ in 0..300 {
        let modules: Vec<Vec<u32>> = (0..1 + random.below(3)).map(|_| random.module()).collect();
        assert!(modules.iter().all(|words| is_codable(words)));
        assert_eq!(round_trip(&modules), modules);
    }
}

#[test]
fn more_global_ids_than_the_list_of_recent_ones_has() {
    let type_of = |id: u32| [2 << 16 | 19, id];
    let mut words: Vec<u32> = vec![0; 5];
    words.extend((0..1000).flat_map(type_of));
    words.extend([5 << 16 | u32::from(FUNCTION), 7, 2000, 0, 8]);
    let mut random = Random(7);
    words.extend((0..5000).flat_map(|_| [2 << 16 | 254, random.below(1000)]));
    assert_eq!(round_trip(&[words.clone()]), [words]);
}

#[test]
fn words_that_are_no_instructions_cannot_be_coded() {
    assert!(is_codable(&[0; 5]));
    assert!(!is_codable(&[0; 4]));
    assert!(!is_codable(&[0; 6]), "an instruction of no words");
    assert!(!is_codable(&[0, 0, 0, 0, 0, 2 << 16]), "an instruction that is cut off");
    assert!(is_codable(&[0, 0, 0, 0, 0, 1 << 16]));
}

#[test]
fn malformed_layouts_are_refused() {
    let good = [1, 0, 7, 0, 1, 1, 3, 0, 0];
    assert!(Layouts::read(&good).is_some());
    for (at, byte) in [(0, 2), (5, 0), (6, 9), (7, 5), (8, 1)] {
        let mut bad = good;
        bad[at] = byte;
        assert_eq!(Layouts::read(&bad), None, "{at}");
    }
    assert_eq!(Layouts::read(&good[..8]), None);
    let twice = [2, 0, 7, 0, 0, 1, 0, 7, 0, 0, 1, 0, 0];
    assert_eq!(Layouts::read(&twice), None, "an opcode has two layouts");
}
