//! Calls of a merged function whose callees differ from variant to variant.

use std::collections::HashMap;

use super::merged_definitions::{FunctionMember, MergedDefinition, MergedDefinitions, MergedFunction};
use super::sets::{SetId, VariantSets};

/// A call whose callee depends on the variant.
pub(super) struct VariantDependentCall {
    /// The number of the call in its function.
    pub number: usize,
    /// The variants and the function in the result that they call.
    pub choices: Vec<(SetId, u32)>,
}

impl MergedDefinitions<'_> {
    /// Clones functions for groups of variants if the result of a call cannot be one of several: with logical
    /// addressing, pointers cannot be selected.
    pub fn clone_functions(&mut self) {
        let has_pointers = |function: &MergedFunction, definitions: &MergedDefinitions| {
            let (variant, index) = function.members[0];
            let calls = &definitions.variants[variant as usize].functions[index as usize].calls;
            function.members.len() > 1 && calls.iter().any(|call| call.is_pointer)
        };
        let all = 0..self.functions.len();
        let mut open: Vec<usize> = all.filter(|&at| has_pointers(&self.functions[at], self)).collect();
        // A clone makes its callers differ, too.
        loop {
            let before = self.functions.len();
            for at in open.clone() {
                let clones = self.clone_function(at);
                open.extend(clones.filter(|&at| self.functions[at].members.len() > 1));
            }
            if self.functions.len() == before {
                break;
            }
        }
        if !open.is_empty() {
            self.follow_clones();
        }
    }

    /// Separates merged definitions that name a function with different clones in their variants.
    fn follow_clones(&mut self) {
        let mut separated: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
        for at in 0..self.variants.len() {
            for number in 0..self.variants[at].outside() {
                let (merged, id) = (self.variants[at].merged[number], self.variants[at].definitions[number]);
                let shared = self.merged[merged as usize - 1];
                let made_of = self.made_of_merged(at, id);
                if made_of == self.made_of_merged(shared.variant as usize, shared.id) {
                    continue;
                }
                let others =
                    self.sets.members(shared.set).iter().copied().filter(|&other| other != at as u32);
                let others = others.collect();
                self.merged[merged as usize - 1].set = self.sets.set_id(others);
                let next = self.merged.len() as u32 + 1;
                let separate = *separated.entry((merged, made_of)).or_insert(next);
                if separate == next {
                    let set = VariantSets::EMPTY;
                    self.merged.push(MergedDefinition { variant: at as u32, id, set });
                }
                let definition = &mut self.merged[separate as usize - 1];
                definition.set = self.sets.with(definition.set, at as u32);
                self.variants[at].merged[number] = separate;
            }
        }
    }

    /// Returns the ids in the result that a definition of a variant outside of functions names, except its own.
    fn made_of_merged(&self, at: usize, id: u32) -> Vec<u32> {
        let variant = &self.variants[at];
        let mut ids = Vec::new();
        if let Some(inst) = variant.module.definition(id) {
            variant.module.walk(&inst, &mut |_: usize, part: u32| {
                ids.extend((part != id).then(|| variant.merged_of(part)));
            });
        }
        ids
    }

    /// Clones one function, and returns the indices of the clones.
    fn clone_function(&mut self, at: usize) -> std::ops::Range<usize> {
        let first_clone = self.functions.len();
        let mut groups: Vec<(Vec<u32>, Vec<FunctionMember>)> = Vec::new();
        for &member in &self.functions[at].members {
            let called = self.callees(member, |is_pointer| is_pointer);
            match groups.iter_mut().find(|(of_group, _)| *of_group == called) {
                Some((_, members)) => members.push(member),
                None => groups.push((called, vec![member])),
            }
        }
        for (number, (_, members)) in groups.into_iter().enumerate() {
            let set = self.sets.set_id(members.iter().map(|&(variant, _)| variant).collect());
            if number == 0 {
                let id = self.functions[at].id;
                self.merged[id as usize - 1].set = set;
                self.functions[at].members = members;
                continue;
            }
            let id = self.merged.len() as u32 + 1;
            let (first, index) = members[0];
            let id_in_variant = self.variants[first as usize].functions[index as usize].id;
            self.merged.push(MergedDefinition { variant: first, id: id_in_variant, set });
            for &(variant, index) in &members {
                let variant = &mut self.variants[variant as usize];
                let number = variant.outside() + index as usize;
                variant.merged[number] = id;
            }
            self.add_function(MergedFunction { id, members });
        }
        first_clone..self.functions.len()
    }

    /// Returns the functions in the result that a function of a variant calls, in order; only calls with certain results.
    fn callees(&self, (variant, index): FunctionMember, is_counted: impl Fn(bool) -> bool) -> Vec<u32> {
        let variant = &self.variants[variant as usize];
        let calls = &variant.functions[index as usize].calls;
        let counted = calls.iter().filter(|call| is_counted(call.is_pointer));
        counted.map(|call| variant.merged_of(call.callee)).collect()
    }

    /// Returns the calls whose callees differ, by index of the function in the result.
    pub fn conditional_calls(&mut self) -> HashMap<usize, Vec<VariantDependentCall>> {
        let mut all = HashMap::new();
        for at in 0..self.functions.len() {
            if self.functions[at].members.len() < 2 {
                continue;
            }
            let members = &self.functions[at].members;
            let callees: Vec<Vec<u32>> =
                members.iter().map(|&member| self.callees(member, |_| true)).collect();
            let mut conditional = Vec::new();
            for number in (0..callees[0].len()).filter(|&number| {
                callees.iter().any(|callees_of_member| callees_of_member[number] != callees[0][number])
            }) {
                let mut choices: Vec<(Vec<u32>, u32)> = Vec::new();
                for (&(variant, _), callees_of_member) in members.iter().zip(&callees) {
                    match choices.iter_mut().find(|(_, callee)| *callee == callees_of_member[number]) {
                        Some((variants, _)) => variants.push(variant),
                        None => choices.push((vec![variant], callees_of_member[number])),
                    }
                }
                conditional.push((number, choices));
            }
            if conditional.is_empty() {
                continue;
            }
            let with_sets = conditional.into_iter().map(|(number, choices)| VariantDependentCall {
                number,
                choices: choices
                    .into_iter()
                    .map(|(variants, callee)| (self.sets.set_id(variants), callee))
                    .collect(),
            });
            all.insert(at, with_sets.collect());
        }
        all
    }
}
