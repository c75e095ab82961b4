//! SpecIds of decoration groups, where some of the constants in a group are decided.

use spirv::Op;

use super::{Flags, SpecializeContext};
use crate::collections::IdMap;
use crate::loader::views;
use crate::transform::Edits;
use crate::transform::removal::Removal;

/// A decoration group with a SpecId.
#[derive(Debug, Default)]
struct SpecIdGroup<'m> {
    /// The other decorations of the group.
    others: Vec<views::Decoration<'m>>,
    /// True if a constant in the group stays a specialization constant.
    is_open: bool,
}

/// The decoration groups with a SpecId, by id.
#[derive(Debug, Default)]
pub struct SpecIdGroups<'m>(IdMap<SpecIdGroup<'m>>);

impl<'m> SpecIdGroups<'m> {
    /// Finds the groups of a module.
    pub fn find(context: &SpecializeContext<'m>) -> SpecIdGroups<'m> {
        let module = context.module;
        let mut groups: IdMap<SpecIdGroup> = IdMap::new();
        for decorated in module.spec_ids() {
            if module.definition_as(decorated.id(), Op::DecorationGroup).is_some() {
                groups.entry(decorated.id()).or_default();
            }
        }
        if groups.is_empty() {
            return SpecIdGroups::default();
        }
        for decoration in module.decorations().filter(|inst| views::SpecId::new(**inst).is_none()) {
            if let Some(group) = groups.get_mut(&decoration.target()) {
                group.others.push(decoration);
            }
        }
        for applied in module.group_decorations() {
            if let Some(group) = groups.get_mut(&applied.group()) {
                group.is_open |= applied.targets().any(|id| !is_gone(context, id));
            }
        }
        SpecIdGroups(groups)
    }

    /// Returns true if a constant in a group stays a specialization constant; `None` for an id that is not a group.
    pub fn is_open(&self, id: u32) -> Option<bool> {
        self.0.get(&id).map(|group| group.is_open)
    }

    /// Removes decided constants from a group. They keep its other decorations.
    pub fn write(
        &self,
        applied: views::GroupDecorate,
        context: &SpecializeContext,
        removal: &mut Removal,
        edits: &mut Edits,
    ) {
        let Some(group) = self.0.get(&applied.group()) else { return };
        for id in applied.targets().filter(|&id| is_gone(context, id) && !context.flags.is_removed(id)) {
            for decoration in &group.others {
                let mut words = decoration.words().to_vec();
                words[1] = id;
                edits.insert_words(applied.offset(), &words);
            }
        }
        removal.outside(context.module, &applied, &|id| is_gone(context, id), edits);
    }
}

/// Returns true for an id that is removed, or a constant that becomes an ordinary one.
fn is_gone(context: &SpecializeContext, id: u32) -> bool {
    context.flags.has(id, Flags::DECIDED) || context.flags.is_removed(id)
}
