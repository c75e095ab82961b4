//! The pool of a ready shader: the instructions of all its results, each in the order in which its results have it.

use std::collections::HashMap;
use std::ops::Range;

use crate::codec::{HEADER_WORDS, instructions};

/// Limit on the product of the lengths of two sequences that are compared exactly, where no instruction occurs once in both.
const MAX_EXACT: usize = 1 << 16;

/// A pool and its runs.
#[derive(Debug, Default)]
pub struct Pool {
    /// The header of the first result, and the instructions.
    pub words: Vec<u32>,
    /// The sets of results that runs are in, each once, as bytes of the format.
    pub sets: Vec<Vec<u8>>,
    /// The number of words and the set of each run.
    pub runs: Vec<(usize, usize)>,
}

/// An instruction of the pool, by its number, with the results that have it.
struct PoolItem {
    instruction: usize,
    results: Vec<u8>,
}

impl Pool {
    /// Makes the pool of results that [can be coded](crate::codec::is_codable).
    pub fn new(results: &[&[u32]]) -> Pool {
        let mut numbers: HashMap<&[u32], usize> = HashMap::new();
        let mut all: Vec<&[u32]> = Vec::new();
        let mut number = |instruction| {
            *numbers.entry(instruction).or_insert_with(|| {
                all.push(instruction);
                all.len() - 1
            })
        };
        let set_size = results.len().div_ceil(8);
        let mut items: Vec<PoolItem> = Vec::new();
        for (result, words) in results.iter().enumerate() {
            let next: Vec<usize> = instructions(words).map(&mut number).collect();
            let before: Vec<usize> = items.iter().map(|item| item.instruction).collect();
            items = with_result(items, &next, &common(&before, &next), result, set_size);
        }
        let mut pool = Pool::default();
        pool.words.extend(results.first().and_then(|words| words.get(..HEADER_WORDS)).unwrap_or_default());
        let mut set_numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        for PoolItem { instruction, results } in items {
            pool.words.extend(all[instruction]);
            let set = *set_numbers.entry(results).or_insert_with_key(|results| {
                pool.sets.push(results.clone());
                pool.sets.len() - 1
            });
            match pool.runs.last_mut() {
                Some((words, last)) if *last == set => *words += all[instruction].len(),
                _ => pool.runs.push((all[instruction].len(), set)),
            }
        }
        pool
    }
}

/// Returns the items with the instructions of another result. `common` are the places of both that are one.
fn with_result(
    items: Vec<PoolItem>,
    next: &[usize],
    common: &[(usize, usize)],
    result: usize,
    set_size: usize,
) -> Vec<PoolItem> {
    let mut merged = Vec::with_capacity(items.len() + next.len() - common.len());
    let (mut rest, mut taken, mut added) = (items.into_iter(), 0, 0);
    let item = |instruction: usize| {
        let mut results = vec![0; set_size];
        results[result / 8] |= 1 << (result % 8);
        PoolItem { instruction, results }
    };
    for &(at, of_next) in common {
        merged.extend(rest.by_ref().take(at - taken));
        merged.extend(next[added..of_next].iter().copied().map(item));
        if let Some(mut shared) = rest.next() {
            shared.results[result / 8] |= 1 << (result % 8);
            merged.push(shared);
        }
        (taken, added) = (at + 1, of_next + 1);
    }
    merged.extend(rest);
    merged.extend(next[added..].iter().copied().map(item));
    merged
}

/// Returns a long common subsequence of two sequences, as places in both in ascending order. Elements that occur once in both are anchors
/// where their order is the same; between anchors the same is done again.
fn common(one: &[usize], other: &[usize]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open = vec![(0..one.len(), 0..other.len())];
    while let Some((mut of_one, mut of_other)) = open.pop() {
        let is_equal = |(at, other_at): (usize, usize)| one[at] == other[other_at];
        let start = of_one.clone().zip(of_other.clone()).take_while(|&pair| is_equal(pair)).count();
        pairs.extend(of_one.clone().zip(of_other.clone()).take(start));
        (of_one.start, of_other.start) = (of_one.start + start, of_other.start + start);
        let backwards = of_one.clone().rev().zip(of_other.clone().rev());
        let end = backwards.take_while(|&pair| is_equal(pair)).count();
        pairs.extend(of_one.clone().rev().zip(of_other.clone().rev()).take(end));
        (of_one.end, of_other.end) = (of_one.end - end, of_other.end - end);
        if of_one.is_empty() || of_other.is_empty() {
            continue;
        }
        let anchors = anchors(one, of_one.clone(), other, of_other.clone());
        if anchors.is_empty() {
            if of_one.len().saturating_mul(of_other.len()) <= MAX_EXACT {
                let (start, other_start) = (of_one.start, of_other.start);
                let exact = longest(&one[of_one], &other[of_other]);
                pairs.extend(exact.into_iter().map(|(at, other_at)| (start + at, other_start + other_at)));
            }
            continue;
        }
        let (mut start, mut other_start) = (of_one.start, of_other.start);
        for (at, other_at) in anchors {
            open.push((start..at, other_start..other_at));
            pairs.push((at, other_at));
            (start, other_start) = (at + 1, other_at + 1);
        }
        open.push((start..of_one.end, other_start..of_other.end));
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the longest ascending sequence of the places of elements that occur once in both ranges.
fn anchors(
    one: &[usize],
    of_one: Range<usize>,
    other: &[usize],
    of_other: Range<usize>,
) -> Vec<(usize, usize)> {
    // The place of each element in both, where it occurs once.
    let mut places: HashMap<usize, [Option<usize>; 2]> = HashMap::new();
    let mut twice: Vec<usize> = Vec::new();
    for (side, (sequence, range)) in [(one, of_one), (other, of_other)].into_iter().enumerate() {
        for at in range {
            let place = &mut places.entry(sequence[at]).or_default()[side];
            if place.replace(at).is_some() {
                twice.push(sequence[at]);
            }
        }
    }
    for element in twice {
        places.remove(&element);
    }
    let mut pairs: Vec<(usize, usize)> =
        places.into_values().filter_map(|[at, other_at]| at.zip(other_at)).collect();
    pairs.sort_unstable();
    ascending(&pairs)
}

/// Returns the longest part of pairs, sorted by their first numbers, in which the second numbers ascend, too.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The last pair of the best sequence of each length, and the pair before each pair.
    let mut last: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (number, &(_, second)) in pairs.iter().enumerate() {
        let length = last.partition_point(|&end| pairs[end].1 < second);
        before.push(length.checked_sub(1).map(|shorter| last[shorter]));
        match last.get_mut(length) {
            Some(end) => *end = number,
            None => last.push(number),
        }
    }
    let mut sequence: Vec<(usize, usize)> = Vec::with_capacity(last.len());
    let mut next = last.last().copied();
    while let Some(number) = next {
        sequence.push(pairs[number]);
        next = before[number];
    }
    sequence.reverse();
    sequence
}

/// Returns a longest common subsequence of two short sequences.
fn longest(one: &[usize], other: &[usize]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    // The lengths for the rests of both.
    let mut lengths = vec![0_u16; (one.len() + 1) * width];
    for at in (0..one.len()).rev() {
        for other_at in (0..other.len()).rev() {
            lengths[at * width + other_at] = match one[at] == other[other_at] {
                true => lengths[(at + 1) * width + other_at + 1].saturating_add(1),
                false => lengths[(at + 1) * width + other_at].max(lengths[at * width + other_at + 1]),
            };
        }
    }
    let (mut at, mut other_at, mut pairs) = (0, 0, Vec::new());
    while at < one.len() && other_at < other.len() {
        if one[at] == other[other_at] {
            pairs.push((at, other_at));
            (at, other_at) = (at + 1, other_at + 1);
        } else if lengths[(at + 1) * width + other_at] >= lengths[at * width + other_at + 1] {
            at += 1;
        } else {
            other_at += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a module of instructions with one word each.
    fn module(instructions: &[u32]) -> Vec<u32> {
        let instructions = instructions.iter().map(|opcode| 1 << 16 | opcode);
        [1, 2, 3, 4, 5].into_iter().chain(instructions).collect()
    }

    /// Returns the words of a result after its header.
    fn result(pool: &Pool, number: usize) -> Vec<u32> {
        let (mut words, mut at) = (Vec::new(), HEADER_WORDS);
        for &(count, set) in &pool.runs {
            if pool.sets[set][number / 8] >> (number % 8) & 1 != 0 {
                words.extend(&pool.words[at..at + count]);
            }
            at += count;
        }
        assert_eq!(at, pool.words.len());
        words
    }

    #[test]
    fn results_come_back() {
        let all: [&[u32]; 9] = [
            &[1, 2, 3, 4, 5, 6],
            &[1, 2, 3, 4, 5, 6],
            &[1, 3, 9, 5, 6],
            &[],
            &[6, 5, 4, 3, 2, 1],
            &[7, 7, 7, 1, 7, 7],
            &[1, 7, 7, 1, 7, 7, 7],
            &[2, 7, 2, 7, 2, 7],
            &[7, 2, 7, 2, 7, 2],
        ];
        let modules: Vec<Vec<u32>> = all.iter().map(|instructions| module(instructions)).collect();
        for count in 1..=all.len() {
            let results: Vec<&[u32]> = modules[..count].iter().map(Vec::as_slice).collect();
            let pool = Pool::new(&results);
            for (number, words) in results.iter().enumerate() {
                assert_eq!(result(&pool, number), words[HEADER_WORDS..], "{number} of {count}");
            }
        }
        let pool = Pool::new(&[&modules[0], &modules[2]]);
        assert_eq!(pool.words.len(), HEADER_WORDS + 7);
    }

    #[test]
    fn common_parts_are_found() {
        assert_eq!(common(&[1, 2, 3], &[1, 2, 3]), [(0, 0), (1, 1), (2, 2)]);
        assert_eq!(common(&[1, 2, 3], &[1, 3]), [(0, 0), (2, 1)]);
        assert_eq!(common(&[5, 1, 2, 6], &[7, 1, 2, 8]), [(1, 1), (2, 2)]);
        assert_eq!(common(&[1, 1, 2, 1], &[2, 1, 1, 2]).len(), 3);
    }
}
