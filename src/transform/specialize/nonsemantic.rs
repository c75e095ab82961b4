//! Non-semantic instructions other than debug information are removed with the ids that they describe.

use super::Work;
use super::flags::Flags;
use crate::loader::{SetKind, views};

/// Removes the instructions outside of functions that refer to something removed, those that refer to them, and so on.
pub fn cascade(work: &mut Work) {
    let module = work.module;
    let mut uses = Vec::new();
    for inst in module.outside_functions() {
        if module.set_kind(&inst) == Some(SetKind::NonSemantic) {
            let user = views::ExtInst(inst).id();
            module.walk(&inst, &mut |_: usize, id: u32| uses.push((id, user)));
        }
    }
    if uses.is_empty() {
        return;
    }
    uses.sort_unstable();
    let mut stack = work.removed.clone();
    while let Some(removed) = stack.pop() {
        let first = uses.partition_point(|&(id, _)| id < removed);
        for &(_, user) in uses[first..].iter().take_while(|&&(id, _)| id == removed) {
            if !work.flags.has(user, Flags::REMOVED) {
                work.flags.set(user, Flags::REMOVED);
                work.removed.push(user);
                stack.push(user);
            }
        }
    }
}
