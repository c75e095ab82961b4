//! Structures of Vulkan in memory, in a chain.

use std::ffi::c_void;

use super::structures::{self, Structure};
use crate::collections::OrderedMap;

/// The structure that stands for VkPhysicalDeviceFeatures2.
const FIRST: &str = "VkPhysicalDeviceFeatures";

/// Bytes of a pointer.
pub(super) const POINTER: usize = size_of::<*const c_void>();
/// Bytes of sType and pNext, which are the first members.
const HEAD: usize = 2 * POINTER;

/// Returns the number of bytes up to the end of the last member.
pub fn end(structure: &'static Structure) -> usize {
    let end = places(structure).last().map_or(0, |(start, size, count, _)| start + size * count);
    end.max(HEAD)
}

/// Returns the layout of the members: first byte, bytes of a value, number of values, name.
pub fn places(structure: &'static Structure) -> impl Iterator<Item = (usize, usize, usize, &'static str)> {
    let mut end = HEAD;
    structure.members.iter().map(move |member| {
        let align = if member.size == 8 { align_of::<u64>() } else { member.size };
        let start = end.next_multiple_of(align);
        end = start + member.size * member.count;
        (start, member.size, member.count, member.name)
    })
}

/// A chain of structures of features, with some members set.
#[derive(Debug)]
pub struct FeatureChain {
    /// The structures, each with its number, the address of the next one, and its members.
    structures: Vec<Box<[u64]>>,
    /// The address of the chain that follows; 0 for none.
    rest: usize,
}

impl FeatureChain {
    /// Makes the chain of these structures, with members to set in each. VkPhysicalDeviceFeatures2 is always the first.
    pub fn new(members: &OrderedMap<&str, Vec<&str>>) -> FeatureChain {
        let root = structures::all().iter().filter(|structure| structure.name == FIRST);
        let rest = structures::all().iter().filter(|structure| structure.name != FIRST);
        let rest = rest.filter(|structure| members.contains_key(structure.name));
        FeatureChain::of_structures(root.chain(rest), members, 0)
    }

    /// Makes the chain of some structures, which the one at an address follows; 0 for none.
    pub(super) fn of_structures(
        structures: impl Iterator<Item = &'static Structure>,
        members: &OrderedMap<&str, Vec<&str>>,
        rest: usize,
    ) -> FeatureChain {
        let buffer = |structure: &'static Structure| {
            let mut words = vec![0_u64; end(structure).div_ceil(8)].into_boxed_slice();
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
            bytes[..4].copy_from_slice(&structure.number.to_ne_bytes());
            let set = members.get(structure.name);
            for (start, size, _, member) in places(structure) {
                if size == 4 && set.is_some_and(|set| set.contains(&member)) {
                    bytes[start..start + 4].copy_from_slice(&1_u32.to_ne_bytes());
                }
            }
            words
        };
        let mut chain = FeatureChain { structures: structures.map(buffer).collect(), rest };
        for at in 0..chain.structures.len() {
            let next = chain.structures.get(at + 1).map_or(rest, |next| next.as_ptr().expose_provenance());
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut chain.structures[at]);
            bytes[POINTER..HEAD].copy_from_slice(&next.to_ne_bytes());
        }
        chain
    }

    /// Returns the address of the first structure.
    pub fn as_ptr(&self) -> *const c_void {
        match self.structures.first() {
            Some(first) => first.as_ptr().cast(),
            None => std::ptr::with_exposed_provenance(self.rest),
        }
    }
}
