//! The definitions of all variants, each once.
//!
//! Variants are added one after the other. A definition of a variant equals an existing one if its words and the ids in them are equal. In a cycle
//! of definitions, ids that depend on the comparison are assumed to be equal. Hashes of what definitions are made of, bottom-up, say which to
//! compare. Callees are not compared: functions that differ only in their callees are merged.

use std::collections::{HashMap, HashSet};

use spirv::{Op, StorageClass};

use super::MergeError;
use super::sets::{SetId, VariantSets};
use super::variant::{IdRef, IndexedVariant, VariantFunction, is_unique};
use crate::loader::{Instruction, views};
use crate::transform::definitions::{are_described_equally, are_equal, are_equal_definitions};

/// The maximum number of definitions to compare with one. Only a hostile module has more with equal hashes.
const MAX_COMPARED: usize = 16;

/// A definition of the result.
#[derive(Clone, Copy, Debug)]
pub(super) struct MergedDefinition {
    /// The variant whose words are written, and the id there.
    pub variant: u32,
    pub id: u32,
    /// The variants that have it.
    pub set: SetId,
}

/// A variant, and the index of a function in it.
pub(super) type FunctionMember = (u32, u32);

/// A function of the result: its variants, and the index of the function in each.
pub(super) struct MergedFunction {
    /// The id in the result.
    pub id: u32,
    /// The variants, in ascending order, and the index of the function in each.
    pub members: Vec<FunctionMember>,
}

/// Definitions of one hash.
#[derive(Default)]
struct Bucket {
    ids: Vec<u32>,
    /// The number of definitions at the beginning that the variant already has.
    taken: usize,
    variant: u32,
}

/// The definitions of all variants.
pub(super) struct MergedDefinitions<'m> {
    pub variants: Vec<IndexedVariant<'m>>,
    /// Definitions of the ids in the result, from id 1.
    pub merged: Vec<MergedDefinition>,
    pub functions: Vec<MergedFunction>,
    pub sets: VariantSets,
    by_hash: HashMap<u64, Bucket>,
    /// Functions by the hash of all their callees.
    by_deep_hash: HashMap<u64, Bucket>,
    /// Index of the function for each id in the result.
    function_indices: HashMap<u32, u32>,
}

impl<'m> MergedDefinitions<'m> {
    pub fn new() -> MergedDefinitions<'m> {
        MergedDefinitions {
            variants: Vec::new(),
            merged: Vec::new(),
            functions: Vec::new(),
            sets: VariantSets::new(),
            by_hash: HashMap::new(),
            by_deep_hash: HashMap::new(),
            function_indices: HashMap::new(),
        }
    }

    /// Adds a variant.
    ///
    /// # Errors
    /// If a type that a module can have only once has other decorations.
    pub fn add(&mut self, variant: IndexedVariant<'m>) -> Result<(), MergeError> {
        let at = self.variants.len();
        self.variants.push(variant);
        let of_functions = self.variants[at].outside() as u32;
        let mut open = vec![false; self.variants[at].definitions.len()];
        for number in 0..of_functions {
            self.resolve(at, number, &mut open)?;
        }
        // Functions with equal callees are matched first, so that each of several functions that differ only in their callees finds its own.
        for index in 0..self.variants[at].functions.len() {
            if self.variants[at].merged[of_functions as usize + index] == 0 {
                let hash = self.variants[at].functions[index].deep;
                self.find(at, of_functions + index as u32, hash, true);
            }
        }
        for index in 0..self.variants[at].functions.len() {
            self.settle(at, of_functions + index as u32)?;
        }
        Ok(())
    }

    /// Returns the function with this id in the result.
    pub fn function(&self, id: u32) -> Option<usize> {
        self.function_indices.get(&id).map(|&at| at as usize)
    }

    pub fn add_function(&mut self, function: MergedFunction) {
        self.function_indices.insert(function.id, self.functions.len() as u32);
        self.functions.push(function);
    }

    /// Gives a definition its id in the result, after its operands.
    fn resolve(&mut self, at: usize, number: u32, open: &mut [bool]) -> Result<(), MergeError> {
        let mut path = vec![number];
        while let Some(&number) = path.last() {
            let is_first = !std::mem::replace(&mut open[number as usize], true);
            if is_first && self.variants[at].merged[number as usize] == 0 {
                let before = path.len();
                self.made_of(at, number, &mut |part| {
                    if !open[part as usize] {
                        path.push(part);
                    }
                });
                if path.len() > before {
                    path[before..].reverse();
                    continue;
                }
            }
            self.settle(at, number)?;
            path.pop();
        }
        Ok(())
    }

    /// Calls `each` with the numbers of the definitions without an id that a definition consists of.
    fn made_of(&self, at: usize, number: u32, each: &mut impl FnMut(u32)) {
        let variant = &self.variants[at];
        let (module, id) = (variant.module, variant.definitions[number as usize]);
        let mut see = |id: u32| match variant.slot(id) {
            IdRef::Definition(part) if variant.merged[part as usize] == 0 && part != number => each(part),
            _ => {}
        };
        let of_id = |id: u32, see: &mut dyn FnMut(u32)| {
            variant
                .descriptions
                .get(id)
                .iter()
                .for_each(|description| description.ids(module, &mut |_, id| see(id)));
        };
        match module.function(id) {
            Some(function) => {
                for inst in module.range(function.lines, function.end) {
                    let is_call = inst.is(Op::FunctionCall);
                    module.walk(&inst, &mut |at: usize, id: u32| {
                        if !(is_call && at == 3) {
                            see(id);
                        }
                    });
                    inst.result_id().into_iter().for_each(|id| of_id(id, &mut see));
                }
            }
            None => {
                module
                    .definition(id)
                    .into_iter()
                    .flat_map(|inst| module.with_continuations(&inst))
                    .for_each(|part| module.walk(&part, &mut |_: usize, id| see(id)));
                of_id(id, &mut see);
            }
        }
    }

    /// Gives a definition its id in the result: the id of an equal one, or a new one.
    fn settle(&mut self, at: usize, number: u32) -> Result<(), MergeError> {
        if self.variants[at].merged[number as usize] != 0 {
            return Ok(());
        }
        let variant = &self.variants[at];
        let function = variant.function_at(number);
        let hash = match function {
            Some(index) => variant.functions[index].shallow,
            None => variant.hashes[number as usize],
        };
        if function.is_some_and(|index| self.find(at, number, self.variants[at].functions[index].deep, true))
            || self.find(at, number, hash, false)
        {
            return self.check_unique(at, number);
        }
        let id = self.merged.len() as u32 + 1;
        self.merged.push(MergedDefinition {
            variant: at as u32,
            id: self.variants[at].definitions[number as usize],
            set: VariantSets::EMPTY,
        });
        self.by_hash.entry(hash).or_default().ids.push(id);
        if function.is_some() {
            self.add_function(MergedFunction { id, members: Vec::new() });
        }
        self.pair(at, number, id);
        Ok(())
    }

    /// Records that a definition of a variant is one of the result.
    fn pair(&mut self, at: usize, number: u32, id: u32) {
        let variant = &mut self.variants[at];
        variant.merged[number as usize] = id;
        let merged = &mut self.merged[id as usize - 1];
        merged.set = self.sets.with(merged.set, at as u32);
        if let Some(index) = variant.function_at(number) {
            let function = self.function_indices[&id] as usize;
            self.functions[function].members.push((at as u32, index as u32));
            let bucket = self.by_deep_hash.entry(variant.functions[index].deep).or_default();
            if bucket.ids.last() != Some(&id) {
                bucket.ids.push(id);
            }
        }
    }

    /// Pairs a definition with an equal one that the variant does not have yet; false if there is none.
    fn find(&mut self, at: usize, number: u32, hash: u64, deep: bool) -> bool {
        let table = if deep { &mut self.by_deep_hash } else { &mut self.by_hash };
        let Some(bucket) = table.get_mut(&hash) else { return false };
        if bucket.variant != at as u32 {
            (bucket.variant, bucket.taken) = (at as u32, 0);
        }
        let has = |id: u32| self.sets.contains(self.merged[id as usize - 1].set, at as u32);
        // A variant may be another one with changes, which keeps ids: what is new in it takes nothing from what is not.
        let variant = &self.variants[at];
        let hash_of = |number: u32| match variant.function_at(number) {
            Some(index) if deep => variant.functions[index].deep,
            Some(index) => variant.functions[index].shallow,
            None => variant.hashes[number as usize],
        };
        let is_of_other = |id: u32| match variant.slot(self.merged[id as usize - 1].id) {
            IdRef::Definition(other) => {
                other != number && variant.merged[other as usize] == 0 && hash_of(other) == hash
            }
            _ => false,
        };
        while bucket.ids.get(bucket.taken).is_some_and(|&id| has(id)) {
            bucket.taken += 1;
        }
        let candidates = bucket.ids[bucket.taken..].iter().copied().filter(|&id| !has(id)).take(MAX_COMPARED);
        let candidates: Vec<u32> = candidates.filter(|&id| !is_of_other(id)).collect();
        candidates.into_iter().any(|id| self.compare(at, number, id))
    }

    /// Compares a definition with a definition of the result, together with the others of a cycle. Pairs them if they
    /// are equal.
    fn compare(&mut self, at: usize, number: u32, id: u32) -> bool {
        let mut comparison = Comparison {
            definitions: self,
            variant: at,
            pairs: Vec::new(),
            assumed: HashMap::new(),
            claimed: HashSet::new(),
        };
        comparison.assume(number, id);
        let mut next = 0;
        let mut equal = true;
        while let (true, Some(&(number, id))) = (equal, comparison.pairs.get(next)) {
            next += 1;
            equal = comparison.definitions(number, id);
        }
        if equal {
            let pairs = comparison.pairs;
            pairs.into_iter().for_each(|(number, id)| self.pair(at, number, id));
        }
        equal
    }

    /// Refuses a type that a module can have only once where two variants decorate it differently.
    fn check_unique(&self, at: usize, number: u32) -> Result<(), MergeError> {
        let variant = &self.variants[at];
        let id = variant.definitions[number as usize];
        let Some(inst) = variant.module.definition(id).filter(is_unique) else { return Ok(()) };
        let merged = self.merged[variant.merged[number as usize] as usize - 1];
        let other = &self.variants[merged.variant as usize];
        let decorations = |of: &IndexedVariant<'m>, id: u32| -> Vec<Vec<u32>> {
            let all = of.descriptions.decorations(id).iter();
            all.map(|description| description.words(of.module).to_vec()).collect()
        };
        match decorations(variant, id) == decorations(other, merged.id) {
            true => Ok(()),
            false => Err(MergeError::Type {
                first: other.name.to_owned(),
                second: variant.name.to_owned(),
                type_: inst.name(),
            }),
        }
    }
}

/// The comparison of definitions of a variant with some of the result.
struct Comparison<'c, 'm> {
    definitions: &'c MergedDefinitions<'m>,
    /// The variant.
    variant: usize,
    /// The pairs that are assumed equal, in the order in which they are compared.
    pairs: Vec<(u32, u32)>,
    /// Definitions that are assumed to be equal, by number: the second id for each first one.
    assumed: HashMap<u32, u32>,
    claimed: HashSet<u32>,
}

impl<'m> Comparison<'_, 'm> {
    fn assume(&mut self, number: u32, id: u32) {
        // One pair, as nearly always, needs no tables.
        if let ([first], true) = (&self.pairs[..], self.assumed.is_empty()) {
            self.assumed.insert(first.0, first.1);
            self.claimed.insert(first.1);
        }
        if !self.pairs.is_empty() {
            self.assumed.insert(number, id);
            self.claimed.insert(id);
        }
        self.pairs.push((number, id));
    }

    fn assumed(&self, number: u32) -> Option<u32> {
        match &self.pairs[..] {
            [(only, id)] => (*only == number).then_some(*id),
            _ => self.assumed.get(&number).copied(),
        }
    }

    fn is_claimed(&self, id: u32) -> bool {
        match &self.pairs[..] {
            [(_, only)] => *only == id,
            _ => self.claimed.contains(&id),
        }
    }

    fn definitions(&mut self, number: u32, id: u32) -> bool {
        let merged = self.definitions.merged[id as usize - 1];
        let (variant, other) =
            (&self.definitions.variants[self.variant], &self.definitions.variants[merged.variant as usize]);
        let own_id = variant.definitions[number as usize];
        match (variant.function_at(number), other.module.function_index(merged.id)) {
            (Some(function), Some(index)) => self.functions(function, other, index),
            (None, None) => {
                let definitions = (variant.module.definition(own_id), other.module.definition(merged.id));
                let (Some(own_inst), Some(other_inst)) = definitions else { return false };
                let (definition, other_definition) =
                    ((variant.module, &own_inst), (other.module, &other_inst));
                variant.is_after_functions(&own_inst) == other.is_after_functions(&other_inst)
                    && are_equal_definitions(definition, other_definition, |id, other_id| {
                        self.ids(id, other, other_id)
                    })
                    && (is_unique(&own_inst) || self.descriptions(own_id, other, merged.id))
            }
            _ => false,
        }
    }

    /// Compares two instructions except for the word with this number.
    #[inline]
    fn instructions(
        &mut self,
        inst: &Instruction,
        other: &IndexedVariant<'m>,
        other_inst: &Instruction,
        skipped: usize,
    ) -> bool {
        let module = self.definitions.variants[self.variant].module;
        are_equal(module, inst, other_inst, |at, id, other_id| at == skipped || self.ids(id, other, other_id))
    }

    /// Returns true if an id of the variant and one of another are the same in the result.
    #[inline]
    fn ids(&mut self, id: u32, other: &IndexedVariant<'m>, other_id: u32) -> bool {
        let variant = &self.definitions.variants[self.variant];
        match (variant.slot(id), other.slot(other_id)) {
            (IdRef::Local(number), IdRef::Local(other_number)) => number == other_number,
            (IdRef::Definition(number), IdRef::Definition(other_number)) => {
                let result = other.merged[other_number as usize];
                match variant.merged[number as usize] {
                    0 => self.compare_unmerged(number, result),
                    merged => merged == result,
                }
            }
            _ => false,
        }
    }

    /// Returns true if a definition without an id in the result may be this one.
    fn compare_unmerged(&mut self, number: u32, id: u32) -> bool {
        if let Some(assumed) = self.assumed(number) {
            return assumed == id;
        }
        let definitions = self.definitions;
        let Some(merged) = (id as usize).checked_sub(1).and_then(|at| definitions.merged.get(at)) else {
            return false;
        };
        if self.is_claimed(id) || definitions.sets.contains(merged.set, self.variant as u32) {
            return false;
        }
        self.assume(number, id);
        true
    }

    fn descriptions(&mut self, id: u32, other: &IndexedVariant<'m>, other_id: u32) -> bool {
        let variant = &self.definitions.variants[self.variant];
        let (list, others) = (variant.descriptions.get(id), other.descriptions.get(other_id));
        are_described_equally((variant.module, list), (other.module, others), |id, other_id| {
            self.ids(id, other, other_id)
        })
    }

    /// Compares functions except the callees of their calls.
    fn functions(&mut self, index: usize, other: &IndexedVariant<'m>, other_index: usize) -> bool {
        let variant = &self.definitions.variants[self.variant];
        let (module, other_module) = (variant.module, other.module);
        let (function, other_function) = (&module.functions()[index], &other_module.functions()[other_index]);
        let (facts, other_facts) = (&variant.functions[index], &other.functions[other_index]);
        let length = |function: &crate::loader::Function| {
            (function.start - function.lines, function.end - function.start)
        };
        if length(function) != length(other_function)
            || facts.locals != other_facts.locals
            || facts.modes.len() != other_facts.modes.len()
            || facts.entry_points.is_empty() != other_facts.entry_points.is_empty()
        {
            return false;
        }
        let body = module.range(function.lines, function.end);
        let mut others = other_module.range(other_function.lines, other_function.end);
        for inst in body {
            let Some(other_inst) = others.next() else { return false };
            let skipped = match inst.op() {
                Some(Op::FunctionCall) => 3,
                Some(Op::Function) => 2,
                _ => 0,
            };
            if !self.instructions(&inst, other, &other_inst, skipped) {
                return false;
            }
            if let (Some(id), Some(other_id)) = (inst.result_id(), other_inst.result_id())
                && !self.descriptions(id, other, other_id)
            {
                return false;
            }
        }
        let modes = facts.modes.iter().zip(&other_facts.modes);
        let modes = modes.map(|(&left, &right)| (module.instruction(left), other_module.instruction(right)));
        for (left, right) in modes {
            if !self.instructions(&left, other, &right, 1) {
                return false;
            }
        }
        self.interfaces(facts, other, other_facts)
    }

    /// Returns true if the interface lists of entry points can be merged. An input or output of only one of them must not be in the module of the
    /// other.
    fn interfaces(
        &self,
        facts: &VariantFunction,
        other: &IndexedVariant<'m>,
        other_facts: &VariantFunction,
    ) -> bool {
        if facts.entry_points.is_empty() {
            return true;
        }
        let variant = &self.definitions.variants[self.variant];
        let lists = |of: &IndexedVariant<'m>, facts: &VariantFunction| -> Vec<u32> {
            let entries = facts.entry_points.iter().map(|&at| views::EntryPoint(of.module.instruction(at)));
            entries.flat_map(|entry| entry.interface()).map(|&id| of.merged_of(id)).collect()
        };
        let (list, other_list) = (lists(variant, facts), lists(other, other_facts));
        let has = |at: u32, id: u32| match (id as usize).checked_sub(1) {
            Some(index) => self.definitions.sets.contains(self.definitions.merged[index].set, at),
            None => false,
        };
        let is_passed = |id: u32| {
            let Some(merged) = (id as usize).checked_sub(1).map(|at| self.definitions.merged[at]) else {
                return false;
            };
            let variable = self.definitions.variants[merged.variant as usize].module.definition(merged.id);
            let class = variable.and_then(views::Variable::new).map(|variable| variable.storage_class());
            [StorageClass::Input, StorageClass::Output].iter().any(|&of| class == Some(of as u32))
        };
        let other_at =
            self.definitions.variants.iter().position(|variant| std::ptr::eq(variant, other)).unwrap_or(0)
                as u32;
        list.iter().all(|&id| other_list.contains(&id) || !is_passed(id) || !has(other_at, id))
            && other_list
                .iter()
                .all(|&id| list.contains(&id) || !is_passed(id) || !has(self.variant as u32, id))
    }
}
