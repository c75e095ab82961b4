//! The keys by which equal types and constants are found: their words, their decorations and, for some, their names.

use std::collections::HashMap;
use std::ops::Range;

use spirv::Op;

use super::described::Described;
use super::error::LinkError;
use super::interned::Interned;
use super::unit::LinkUnit;
use crate::loader::{Instruction, views};

/// The end of each part of a key, which keeps the words of different parts apart.
const END: u32 = u32::MAX;

/// Makes keys.
#[derive(Default)]
pub(super) struct DescriptionKeys {
    key: Vec<u32>,
    parts: Vec<u32>,
    ranges: Vec<Range<usize>>,
    /// The contents of decoration groups, by number.
    contents: Interned<u32>,
    count: u32,
    /// The numbers of the groups of the current module.
    groups: HashMap<u32, u32>,
}

impl DescriptionKeys {
    /// Begins another module.
    pub fn begin(&mut self) {
        self.groups.clear();
    }

    /// The key of an instruction whose words have the ids of the result already; `result` is the number of the word with its
    /// own.
    pub fn key(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        (words, result): (&[u32], usize),
        id: u32,
        next: &mut u32,
    ) -> Result<&[u32], LinkError> {
        let descriptions = described.of(id);
        for group in descriptions.iter().filter(|description| description.at > 1) {
            let group = views::GroupDecorate(unit.module.instruction(group.offset)).group();
            self.number_group(unit, described, group, next)?;
        }
        self.key.clear();
        self.key.extend_from_slice(&words[..result]);
        self.key.extend_from_slice(&words[result + 1..]);
        if !descriptions.is_empty() {
            self.describe(unit, described, id, next)?;
        }
        Ok(&self.key)
    }

    /// Gives a decoration group a number for its set of decorations.
    fn number_group(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        group: u32,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        if self.groups.contains_key(&group) {
            return Ok(());
        }
        self.key.clear();
        // A group in a group has no number yet; valid modules have none.
        self.describe(unit, described, group, next)?;
        let number = self.contents.get_or_insert(&self.key, self.count);
        self.count += u32::from(number.is_err());
        self.groups.insert(group, number.unwrap_or_else(|new| new));
        Ok(())
    }

    /// Adds the decorations and names of an id to the key, in an order that does not depend on that of the module.
    fn describe(
        &mut self,
        unit: &mut LinkUnit,
        described: &Described,
        id: u32,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        self.parts.clear();
        self.ranges.clear();
        for description in described.of(id) {
            let inst: Instruction = unit.module.instruction(description.offset);
            let start = self.parts.len();
            match inst.op() {
                Some(op @ (Op::GroupDecorate | Op::GroupMemberDecorate)) => {
                    let group = views::GroupDecorate(inst).group();
                    let number = self.groups.get(&group).copied().unwrap_or(END);
                    self.parts.extend([op as u32, number]);
                    if op == Op::GroupMemberDecorate {
                        self.parts.push(inst.word(description.at as usize + 1));
                    }
                }
                _ => {
                    self.parts.extend_from_slice(inst.words());
                    unit.renumber(&inst, Some(1), next, &mut self.parts[start..], &mut |_| {})?;
                    self.parts[start + 1] = 0;
                }
            }
            self.ranges.push(start..self.parts.len());
        }
        self.ranges.sort_unstable_by(|left, right| self.parts[left.clone()].cmp(&self.parts[right.clone()]));
        for range in &self.ranges {
            self.key.push(END);
            self.key.extend_from_slice(&self.parts[range.clone()]);
        }
        Ok(())
    }
}
