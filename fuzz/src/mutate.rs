//! Changes to modules that keep them modules: instructions are copied, moved, removed and rewritten, and the header's id bound is true.

use libfuzzer_sys::fuzzer_mutate;

use crate::instructions::{Instructions, MAGIC, ids, op, opcode, result, words};
use crate::oracles::keeps_results;
use crate::random::Random;

/// Literals that tend to be trouble.
const LITERALS: [u32; 10] = [0, 1, 2, 3, 4, 16, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff];

/// Mutates the `size` bytes at the start of `data`, one module or several in a row; returns the number of bytes, of at most `most`.
/// Once in a while bytes are mutated as any are.
pub fn module(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    let read = modules(&data[..size]);
    if !read.is_empty() && (keeps_results() || !random.once_in(20)) {
        for _ in 0..8 {
            let mut modules = read.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(modules.len());
                mutate(&mut modules[at], &mut random);
            }
            if let Some(size) = write(&mut modules, data, most, &mut random) {
                return size;
            }
        }
    }
    fuzzer_mutate(data, size, most)
}

/// Mixes two inputs: instructions of the other are put into the first, or its modules after those of the first.
pub fn cross(first: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
    let mut random = Random::new(seed);
    let (mut modules, others) = (modules(first), modules(other));
    if let (Some(module), Some(other)) = (modules.last_mut(), others.first()) {
        if random.once_in(4) {
            modules.extend(others);
        } else {
            splice(module, other, &mut random);
        }
        let most = out.len();
        if let Some(size) = write(&mut modules, out, most, &mut random) {
            return size;
        }
    }
    let size = first.len().min(out.len());
    out[..size].copy_from_slice(&first[..size]);
    size
}

/// The modules in an input: a magic number begins one.
pub fn split(words: &[u32]) -> Vec<&[u32]> {
    let starts = words.iter().enumerate().filter(|(_, word)| **word == MAGIC).map(|(at, _)| at);
    let starts: Vec<usize> = starts.chain([words.len()]).collect();
    starts.windows(2).map(|pair| &words[pair[0]..pair[1]]).collect()
}

fn modules(bytes: &[u8]) -> Vec<Instructions> {
    let words = words(bytes);
    split(&words).into_iter().filter_map(Instructions::read).collect()
}

/// Writes modules; `None` if they take more bytes than there may be.
fn write(modules: &mut [Instructions], out: &mut [u8], most: usize, random: &mut Random) -> Option<usize> {
    let size = 4 * modules.iter().map(Instructions::size).sum::<usize>();
    if size > most.min(out.len()) {
        return None;
    }
    for module in &mut *modules {
        if keeps_results() || !random.once_in(50) {
            module.header[3] = module.true_bound();
        }
    }
    let words = modules.iter().flat_map(Instructions::words);
    for (place, word) in out.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    Some(size)
}

fn mutate(module: &mut Instructions, random: &mut Random) {
    let count = module.all.len();
    if count == 0 {
        return;
    }
    let (at, other) = (random.below(count), random.below(count));
    if keeps_results() {
        return vary(module, random);
    }
    match random.below(16) {
        0 => module.header[2] = random.next() as u32,
        1 => drop(module.all.remove(at)),
        2 => {
            // Stays near its place, so that it is still in its section or its block.
            let near = (at + random.below(5)).min(count - 1);
            module.all.swap(at, near);
        }
        3 => {
            let moved = module.all.remove(at);
            module.all.insert(other.min(count - 1), moved);
        }
        4 | 5 => copy(module, at, random),
        6 | 7 => copy_function(module, random),
        8 => remove_function(module, random),
        9 | 10 => change_id(module, at, random),
        11 | 12 => change_literal(&mut module.all[at], random),
        13 => resize(&mut module.all[at], random),
        14 => add_declaration(module, at, random),
        _ => rewrite(module, at, random),
    }
}

/// A change that leaves most valid modules valid: to options, functions, constants, and the conditions and targets of branches.
fn vary(module: &mut Instructions, random: &mut Random) {
    let places = |wanted: &[u32]| {
        let all = module.all.iter().enumerate();
        all.filter(|(_, inst)| wanted.contains(&opcode(inst)) && inst.len() > 2)
            .map(|(at, _)| at)
            .collect::<Vec<_>>()
    };
    match random.below(6) {
        0 => module.header[2] = random.next() as u32,
        1 => copy_function(module, random),
        2 => {
            // A branch on a constant.
            let constants = places(&[
                op::CONSTANT_TRUE,
                op::CONSTANT_TRUE + 1,
                op::SPEC_CONSTANT_TRUE,
                op::SPEC_CONSTANT_TRUE + 1,
            ]);
            let branches = places(&[op::BRANCH_CONDITIONAL]);
            if let (Some(constant), Some(branch)) = (random.one_of(&constants), random.one_of(&branches)) {
                module.all[branch][1] = module.all[constant][2];
            }
        }
        3 => {
            if let Some(branch) = random.one_of(&places(&[op::BRANCH_CONDITIONAL]))
                && let [_, _, first, second, ..] = &mut module.all[branch][..]
            {
                std::mem::swap(first, second);
            }
        }
        4 => {
            // Constants become specialization constants.
            let constants = places(&[op::CONSTANT_TRUE, op::CONSTANT_TRUE + 1, op::CONSTANT]);
            if let Some(at) = random.one_of(&constants) {
                module.all[at][0] = opcode(&module.all[at]) + op::SPEC_CONSTANT_TRUE - op::CONSTANT_TRUE;
            }
        }
        _ => {
            if let Some(at) = random.one_of(&places(&[op::CONSTANT, op::SPEC_CONSTANT]))
                && let Some(value) = module.all[at].get_mut(3)
            {
                *value = random.one_of(&[0, 1, 2, 3, 4, 7, 16]).unwrap_or(*value);
            }
        }
    }
}

/// A copy of an instruction after it, with a new result id, to which a later instruction may refer.
fn copy(module: &mut Instructions, at: usize, random: &mut Random) {
    let mut copy = module.all[at].clone();
    let fresh = module.true_bound();
    if let Some(result) = result(&copy) {
        let old = std::mem::replace(&mut copy[result], fresh);
        let users = module.all.iter_mut().skip(at + 1).filter(|user| user[1..].contains(&old));
        for user in users.filter(|_| random.once_in(2)) {
            replace(user, old, fresh);
        }
    }
    module.all.insert(at + 1, copy);
}

/// Replaces an id by another one, except the result.
fn replace(user: &mut [u32], old: u32, new: u32) {
    let result = result(user);
    for at in ids(user).into_iter().filter(|&at| Some(at) != result) {
        if user[at] == old {
            user[at] = new;
        }
    }
}

/// A copy of a function with new ids for all that it defines; some users of the old one use the new one.
fn copy_function(module: &mut Instructions, random: &mut Random) {
    let Some((start, end)) = random.one_of(&module.functions()) else { return };
    let body: Vec<Vec<u32>> = module.all[start..end].to_vec();
    let mut fresh = module.true_bound();
    let mut new = std::collections::HashMap::new();
    for instruction in &body {
        if let Some(result) = result(instruction) {
            new.insert(instruction[result], fresh);
            fresh += 1;
        }
    }
    if let Some(&old) = body.first().and_then(|first| first.get(2)) {
        let users = module.all.iter_mut().filter(|user| user[1..].contains(&old));
        users.filter(|_| random.once_in(3)).for_each(|user| replace(user, old, new[&old]));
    }
    let renumbered = |mut instruction: Vec<u32>| {
        for at in ids(&instruction) {
            instruction[at] = new.get(&instruction[at]).copied().unwrap_or(instruction[at]);
        }
        instruction
    };
    let copy: Vec<Vec<u32>> = body.into_iter().map(renumbered).collect();
    module.all.splice(end..end, copy);
}

fn remove_function(module: &mut Instructions, random: &mut Random) {
    if let Some((start, end)) = random.one_of(&module.functions()) {
        module.all.drain(start..end);
    }
}

/// Another id in place of one, mostly the result of an instruction of the same kind as that which defines it.
fn change_id(module: &mut Instructions, at: usize, random: &mut Random) {
    let Some(word) = random.one_of(&ids(&module.all[at])) else { return };
    let old = module.all[at][word];
    let defined = |inst: &Vec<u32>| Some((opcode(inst), *inst.get(result(inst)?)?));
    let all: Vec<(u32, u32)> = module.all.iter().filter_map(defined).collect();
    let kind = all.iter().find(|(_, id)| *id == old).map(|(kind, _)| *kind);
    let alike: Vec<u32> = all.iter().filter(|(opcode_and_type, _)| Some(*opcode_and_type) == kind).map(|(_, id)| *id).collect();
    let any: Vec<u32> = all.iter().map(|(_, id)| *id).collect();
    let new = match random.below(8) {
        0 => Some(module.true_bound()),
        1 | 2 => random.one_of(&any),
        _ => random.one_of(&alike),
    };
    module.all[at][word] = new.unwrap_or(old);
}

fn change_literal(instruction: &mut [u32], random: &mut Random) {
    let ids = ids(instruction);
    let literals: Vec<usize> = (1..instruction.len()).filter(|at| !ids.contains(at)).collect();
    let Some(at) = random.one_of(&literals) else { return };
    let old = instruction[at];
    instruction[at] = match random.below(6) {
        0 => random.one_of(&LITERALS).unwrap_or(old),
        1 => old.wrapping_add(1),
        2 => old.wrapping_sub(1),
        3 => old ^ (1 << random.below(32)),
        4 => random.below(64) as u32,
        // The numbers of extensions.
        _ => 4416 + random.below(2200) as u32,
    };
}

/// Words more or fewer at the end.
fn resize(instruction: &mut Vec<u32>, random: &mut Random) {
    match random.below(3) {
        0 if instruction.len() > 1 => drop(instruction.pop()),
        1 => instruction.extend(instruction.last().copied()),
        _ => instruction.push(random.below(32) as u32),
    }
}

/// A capability, or a SpecId for the result of an instruction.
fn add_declaration(module: &mut Instructions, at: usize, random: &mut Random) {
    let instruction = &module.all[at];
    let added = match result(instruction) {
        Some(result) if random.once_in(2) => {
            vec![op::DECORATE, instruction[result], 1, random.below(6) as u32]
        }
        _ => vec![
            op::CAPABILITY,
            random.one_of(&[0, 1, 4, 5, 6, 7, 9, 10, 11, 22, 39, 4422, 6245, 6246]).unwrap_or(1),
        ],
    };
    let at = match added[0] {
        op::CAPABILITY => 0,
        _ => module.all.iter().position(|inst| opcode(inst) == op::DECORATE).unwrap_or(at),
    };
    module.all.insert(at, added);
}

/// Replaces an opcode and keeps the operands. The new opcode is one of another instruction, or a neighbour, such as OpConstantFalse for
/// OpConstantTrue.
fn rewrite(module: &mut Instructions, at: usize, random: &mut Random) {
    let other = random.below(module.all.len());
    let old = opcode(&module.all[at]);
    let new = match random.below(4) {
        0 => opcode(&module.all[other]),
        1 => old + 1,
        2 => old.saturating_sub(1),
        // From a constant to a specialization constant, or an operation of one.
        _ if (41..=46).contains(&old) => old - 41 + op::SPEC_CONSTANT_TRUE,
        _ if old >= 124 && module.all[at].len() > 2 => {
            module.all[at].insert(3, old);
            op::SPEC_CONSTANT_OP
        }
        _ => old,
    };
    module.all[at][0] = new & 0xffff;
}

/// Puts a few instructions of another module into one; ids that they use become ids of it.
fn splice(module: &mut Instructions, other: &Instructions, random: &mut Random) {
    if other.all.is_empty() {
        return;
    }
    let start = random.below(other.all.len());
    let end = (start + 1 + random.below(20)).min(other.all.len());
    let defined: Vec<u32> = module.all.iter().filter_map(|inst| inst.get(result(inst)?).copied()).collect();
    let mut fresh = module.true_bound();
    let mut new = std::collections::HashMap::new();
    let mut spliced = other.all[start..end].to_vec();
    for instruction in &mut spliced {
        for at in ids(instruction) {
            let is_result = Some(at) == result(instruction);
            let id = new.entry(instruction[at]).or_insert_with(|| match random.one_of(&defined) {
                Some(id) if !is_result => id,
                _ => {
                    fresh += 1;
                    fresh - 1
                }
            });
            instruction[at] = *id;
        }
    }
    let place = random.below(module.all.len() + 1);
    module.all.splice(place..place, spliced);
}
