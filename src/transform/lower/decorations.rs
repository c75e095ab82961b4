//! Decorations: of removed types, of replaced operations, and of new ids, which take the places of others.

use std::collections::{BTreeSet, HashSet};

use spirv::{Decoration, Op};

use super::ModuleLowering;
use super::helpers::instruction;
use crate::collections::IdMap;
use crate::loader::{Module, views};
use crate::transform::insertion::DecorationsById;
use crate::transform::removal::remove_from_group;

/// The decorations that say how an operation computes.
const OF_OPERATIONS: [Decoration; 7] = [
    Decoration::NoSignedWrap,
    Decoration::NoUnsignedWrap,
    Decoration::NoContraction,
    Decoration::FPFastMathMode,
    Decoration::FPRoundingMode,
    Decoration::SaturatedConversion,
    Decoration::FPMaxErrorDecorationINTEL,
];

/// The maximum number of ids in one OpGroupDecorate, which has at most 65,535 words.
const MAX_TARGETS: usize = 65_533;

fn is_of_operation(decoration: &views::Decoration) -> bool {
    OF_OPERATIONS.iter().any(|&one| decoration.is_a(one))
}

/// Returns the other decorations of each group that says how operations compute.
fn groups_of_operations<'m>(module: &'m Module<'m>) -> IdMap<Vec<views::Decoration<'m>>> {
    let is_group =
        |inst: &views::Decoration| module.definition_as(inst.target(), Op::DecorationGroup).is_some();
    let all = module.decorations().filter(is_of_operation).filter(is_group);
    let mut groups: IdMap<Vec<views::Decoration>> =
        all.map(|decoration| (decoration.target(), Vec::new())).collect();
    for decoration in module.decorations().filter(|decoration| !is_of_operation(decoration)) {
        if let Some(others) = groups.get_mut(&decoration.target()) {
            others.push(decoration);
        }
    }
    groups
}

impl ModuleLowering<'_> {
    /// Removes decorations and names of types that are no more, and decorations that say how a replaced operation computes. New ids get those of the
    /// ids whose places they take.
    pub fn decorations(&mut self) {
        let module = self.module;
        let place = self.points.annotations;
        let is_removed = |id: u32| self.globals.is_removed(id) || self.dropped.contains(&id);
        let has_lowered = |id| module.type_of(id).is_some_and(|type_id| self.types.is_lowered(type_id));
        let is_changed = |id: u32| self.replaced.contains(&id) || has_lowered(id);
        for inst in module.annotations() {
            let of_type = views::Annotation::new(inst).is_some_and(|of| is_removed(of.target()));
            let of_operation = views::Decoration::new(inst)
                .is_some_and(|of| is_of_operation(&of) && is_changed(of.target()));
            if of_type || of_operation {
                self.edits.drop(&inst);
            }
        }
        let decorations = DecorationsById::new(module, self.decorated.keys().copied());
        for (&before, new) in &self.decorated {
            new.iter().for_each(|&new| decorations.copy(before, new, place, &mut self.edits));
        }
        let groups = groups_of_operations(module);
        // By group: the ids to which what else it says still applies.
        let mut others: IdMap<BTreeSet<u32>> = IdMap::new();
        for applied in module.group_decorations().filter(|applied| applied.is(Op::GroupDecorate)) {
            let group = applied.group();
            let mut targets = HashSet::new();
            for target in applied.targets() {
                let new = self.decorated.get(&target).map(Vec::as_slice).unwrap_or_default();
                match groups.contains_key(&group) && is_changed(target) {
                    true => {
                        others.entry(group).or_default().extend([target].iter().chain(new));
                        targets.insert(target);
                    }
                    false if !new.is_empty() => {
                        let words = [group].into_iter().chain(new.iter().copied());
                        self.edits.insert_words(place, &instruction(Op::GroupDecorate, words));
                    }
                    false => {}
                }
            }
            let is_taken = |id: u32| is_removed(id) || targets.contains(&id);
            remove_from_group(applied, 1, &is_taken, &mut self.edits);
        }
        for (group, targets) in others {
            let decorations = &groups[&group];
            if decorations.is_empty() {
                continue;
            }
            let group = self.edits.fresh_id();
            for decoration in decorations {
                let mut words = decoration.words().to_vec();
                words[1] = group;
                self.edits.insert_words(place, &words);
            }
            self.edits.insert_words(place, &instruction(Op::DecorationGroup, [group]));
            for targets in Vec::from_iter(targets).chunks(MAX_TARGETS) {
                let words = [group].into_iter().chain(targets.iter().copied());
                self.edits.insert_words(place, &instruction(Op::GroupDecorate, words));
            }
        }
    }
}
