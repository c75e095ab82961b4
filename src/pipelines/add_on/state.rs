//! State: the variables that the images of a family share.

use std::collections::{BTreeMap, HashSet};

use spirv::{Decoration, Op, StorageClass};

use super::ProgramNames;
use super::tree::Tree;
use crate::analysis::Names;
use crate::loader::{Module, views};
use crate::pipelines::PipelineError;
use crate::transform::add_on::AddOnError;

/// The storage classes of variables that the host binds, or that are the same in each image of a program: a copy in each is one variable
/// once they are linked.
const BOUND: [StorageClass; 7] = [
    StorageClass::UniformConstant,
    StorageClass::Input,
    StorageClass::Uniform,
    StorageClass::Output,
    StorageClass::PushConstant,
    StorageClass::AtomicCounter,
    StorageClass::StorageBuffer,
];

/// The variables of a module that must be one although several images use them.
pub(super) fn candidates(module: &Module) -> Vec<u32> {
    let constant: HashSet<u32> =
        module.decorations_with(Decoration::Constant).map(views::Decoration::target).collect();
    let is_state = |class: u32| !BOUND.iter().any(|&bound| class == bound as u32);
    let variables = module.globals().filter(|inst| match inst.op() {
        Some(Op::Variable) => is_state(views::Variable(*inst).storage_class()),
        Some(Op::UntypedVariableKHR) => is_state(views::UntypedVariableKHR(*inst).storage_class()),
        op => op == Some(Op::ConstantPipeStorage),
    });
    variables.filter_map(|inst| inst.result_id()).filter(|id| !constant.contains(id)).collect()
}

impl Tree {
    /// Decides for the state of several images which of them defines it: the first that is linked with all of them.
    pub fn share_state(&mut self, own: &Names, names: &mut ProgramNames) -> Result<(), PipelineError> {
        let mut users: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            for &id in &node.state {
                users.entry(id).or_default().push(number);
            }
        }
        for (id, users) in users.into_iter().filter(|(_, users)| users.len() > 1) {
            let linkage = own.linkage(id);
            if linkage.as_ref().is_some_and(|linkage| linkage.import) {
                continue;
            }
            let inst = own.module().definition(id);
            if inst.is_some_and(|inst| inst.is(Op::ConstantPipeStorage)) {
                return Err(AddOnError::Pipe(own.display(id)).into());
            }
            let owner = users.iter().copied().reduce(|one, other| self.above(one, other)).unwrap_or_default();
            let name = match linkage {
                Some(linkage) => linkage.name.into_owned(),
                None => names
                    .unique(own.name(id).as_deref().filter(|name| !name.is_empty()).unwrap_or("variable")),
            };
            if !users.contains(&owner) {
                self.nodes[owner].defined.push(id);
            }
            self.shared.insert(id, (name, owner));
        }
        Ok(())
    }

    /// The last image that two are both linked with, or one of them.
    fn above(&self, one: usize, other: usize) -> usize {
        let above = |mut number: usize| {
            let mut all = vec![number];
            while let Some(parent) = self.nodes[number].parent {
                all.push(parent);
                number = parent;
            }
            all
        };
        let of_one = above(one);
        above(other).into_iter().find(|number| of_one.contains(number)).unwrap_or_default()
    }
}
