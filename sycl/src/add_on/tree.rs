//! The images of a family, their calls of add-on images, and the state (variables) that they share.

use std::collections::HashSet;

use spirv::{Decoration, Op, StorageClass};

use super::{AddOnSource, FamilyOptions, MAX_IMAGES, UnitNames};
use crate::declare::AddOnError;
use spirv_if::engine::analysis::{Analyses, ModuleRoot, Names, RootRequirements, SimplifiedRequirements};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::condition::{ConditionId, Conditions, Expr};
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::split::{SplitGraph, SplitPart, SplitRoot};

/// The number of the main image in its family.
const MAIN: usize = 0;

/// An image to be made.
pub(super) struct FamilyNode {
    /// The image that calls it; `None` for the main image.
    pub parent: Option<usize>,
    /// The id of its pair, and true if it has the functions themselves; `None` for the main image.
    pub pair: Option<(String, bool)>,
    pub roots: Vec<SplitRoot>,
    /// The names of its roots in the image that calls it, by function.
    pub exports: Vec<(u32, String)>,
    /// The condition under which it is linked.
    pub path: ConditionId,
    /// The actions that it calls: the number, and the name in this image.
    pub table: Vec<(usize, String)>,
    /// The pairs that it is linked with, and their conditions.
    pub pairs: Vec<(String, Expr)>,
    /// The exported functions and variables of the main image in it.
    pub imported: Vec<u32>,
    /// The state in it.
    pub state: Vec<u32>,
    /// The state that it defines for other images and does not use.
    pub defined: Vec<u32>,
}

/// The images of a family: the main image first, and each before the images that it calls.
pub(super) struct FamilyTree {
    pub nodes: Vec<FamilyNode>,
    pub conditions: Conditions,
    /// The name of shared state, and the image that defines it, by id.
    pub shared: IdMap<(String, usize)>,
}

/// Builder of the images of one family.
struct FamilyBuilder<'t, 'm> {
    source: &'t AddOnSource,
    analyses: &'t Analyses<'m>,
    graph: &'t SplitGraph<'m>,
    options: &'t FamilyOptions<'t>,
    /// The exported functions and variables of the main image.
    exported: HashSet<u32>,
    state: Vec<u32>,
}

impl FamilyTree {
    /// Makes a tree of images, whose names are unique in the program.
    pub fn new<'m>(
        source: &'m AddOnSource,
        analyses: &Analyses<'m>,
        graph: &SplitGraph<'m>,
        names: &mut UnitNames,
        options: &FamilyOptions,
    ) -> Result<FamilyTree, PipelineError> {
        let mut tree = FamilyTree { nodes: Vec::new(), conditions: Conditions::new(), shared: IdMap::new() };
        let roots = source.main_roots(graph, analyses.names());
        let main = SplitPart::new(graph, &roots);
        let exported = analyses.names().exported().filter(|&id| main.has(id)).collect();
        let state = candidates(&source.module);
        let making = FamilyBuilder { source, analyses, graph, options, exported, state };
        tree.nodes.push(FamilyNode::new(None, None, roots, Vec::new(), ConditionId::TRUE));
        let mut next = 0;
        while next < tree.nodes.len() {
            making.node(&mut tree, next, names)?;
            if tree.nodes.len() > MAX_IMAGES {
                return Err(AddOnError::TooMany(MAX_IMAGES).into());
            }
            next += 1;
        }
        Ok(tree)
    }

    /// Returns the condition under which an image is linked, as text. It is `None` for a main image.
    pub fn condition(&mut self, number: usize) -> Result<Option<String>, PipelineError> {
        let path = self.nodes[number].path;
        let expr = (!path.is_true()).then(|| self.conditions.expr_of(path)).transpose()?;
        Ok(expr.map(|expr| expr.display(&DeviceNames).to_string()))
    }
}

impl FamilyNode {
    fn new(
        parent: Option<usize>,
        pair: Option<(String, bool)>,
        roots: Vec<SplitRoot>,
        exports: Vec<(u32, String)>,
        path: ConditionId,
    ) -> FamilyNode {
        FamilyNode {
            parent,
            pair,
            roots,
            exports,
            path,
            table: Vec::new(),
            pairs: Vec::new(),
            imported: Vec::new(),
            state: Vec::new(),
            defined: Vec::new(),
        }
    }
}

impl<'m> FamilyBuilder<'_, 'm> {
    /// Finds the actions that an image calls, and adds their images.
    fn node(&self, tree: &mut FamilyTree, number: usize, names: &mut UnitNames) -> Result<(), PipelineError> {
        let node = &tree.nodes[number];
        let is_not_export = |id: &u32| !node.exports.iter().any(|(export, _)| export == id);
        let imported: HashSet<u32> = match node.parent {
            None => HashSet::new(),
            Some(_) => self.exported.iter().copied().filter(is_not_export).collect(),
        };
        let part = SplitPart::with_imports(self.graph, &node.roots, &[], imported.clone());
        if let Some(constant) = self.source.device_constants.iter().find(|&&id| part.has(id)) {
            return Err(AddOnError::Instruction(self.holder(&part, *constant)).into());
        }
        let actions = &self.source.actions;
        let used = (0..actions.len()).filter(|&at| part.has(actions[at].import));
        let used: Vec<usize> = used.collect();
        let table = used.iter().map(|&at| {
            let action = actions[at].action;
            let base = self.name(action);
            if part.has(action) {
                names.reserve(&base);
            }
            (at, names.unique(&base))
        });
        let table: Vec<(usize, String)> = table.collect();
        let mut known: Vec<u32> = imported.into_iter().filter(|&id| part.has(id)).collect();
        known.sort_unstable();
        let state = self.state.iter().copied().filter(|&id| part.has(id)).collect();
        let groups = self.groups(&table)?;
        let node = &mut tree.nodes[number];
        (node.imported, node.state, node.table) = (known, state, table);
        for (condition, members) in groups {
            let pair = names.pair();
            self.refuse_recursion(tree, number, &members)?;
            let holds = tree.conditions.of_expr(&condition)?;
            let fails = tree.conditions.not(holds)?;
            for real in [true, false] {
                let function = |at: usize| if real { actions[at].action } else { actions[at].stub };
                let exports = members.iter().map(|(at, name)| (function(*at), name.clone()));
                let exports: Vec<(u32, String)> = exports.collect();
                let roots = exports.iter().map(|(function, name)| SplitRoot::from_function(*function, name));
                let roots = roots.collect();
                let path = tree.nodes[number].path;
                let path = tree.conditions.and(path, if real { holds } else { fails })?;
                let pair = Some((pair.clone(), real));
                tree.nodes.push(FamilyNode::new(Some(number), pair, roots, exports, path));
            }
            tree.nodes[number].pairs.push((pair, condition));
        }
        Ok(())
    }

    /// Returns the name of an action to other images.
    fn name(&self, action: u32) -> String {
        let names: &Names = self.analyses.names();
        let linkage = names.linkage(action).map(|linkage| linkage.name);
        let action_name = linkage.or_else(|| names.name(action)).filter(|name| !name.is_empty());
        action_name.map_or_else(|| format!("action_{action}"), |name| name.into_owned())
    }

    /// Returns a function in a part that uses a constant.
    fn holder(&self, part: &SplitPart, constant: u32) -> String {
        let uses = |&at: &usize| {
            let alone = SplitRoot::from_function(self.source.module.functions()[at].id, "");
            SplitPart::new(self.graph, [&alone]).has(constant)
        };
        let holder = part.functions().into_iter().find(uses);
        let id = holder.map_or(constant, |at| self.source.module.functions()[at].id);
        self.analyses.names().display(id)
    }

    /// Returns the actions with one condition and the same requirements, in the order of the first of each. No function is twice in a group.
    fn groups(&self, table: &[(usize, String)]) -> Result<Vec<ActionGroup>, PipelineError> {
        let mut groups: Vec<(SimplifiedRequirements, ActionGroup)> = Vec::new();
        for (at, name) in table {
            let action = &self.source.actions[*at];
            let required = self.requirements(action.action)?;
            let fits = |(other, (condition, members)): &&mut (SimplifiedRequirements, ActionGroup)| {
                let twice =
                    |(member, _): &(usize, String)| self.source.actions[*member].action == action.action;
                *other == required && *condition == action.condition && !members.iter().any(twice)
            };
            match groups.iter_mut().find(fits) {
                Some((_, (_, members))) => members.push((*at, name.clone())),
                None => groups.push((required, (action.condition.clone(), vec![(*at, name.clone())]))),
            }
        }
        Ok(groups.into_iter().map(|(_, group)| group).collect())
    }

    /// Returns the requirements of an action and its callees.
    fn requirements(&self, action: u32) -> Result<SimplifiedRequirements, PipelineError> {
        let summaries = self.analyses.summaries()?;
        let mut conditions = summaries.conditions.clone();
        let root = ModuleRoot::Exported(action);
        let summary = root.summary(summaries);
        let required = RootRequirements::of_root(self.analyses, root, &summary, &mut conditions)?;
        let all = required.all(&mut conditions)?;
        Ok(SimplifiedRequirements::new(all, &mut conditions, Some(self.options.devices))?)
    }

    /// Returns true if an action calls itself, through others or through their replacements.
    fn reaches_itself(&self, action: u32) -> bool {
        let (mut seen, mut open) = (HashSet::new(), vec![action]);
        while let Some(function) = open.pop() {
            if !seen.insert(function) {
                continue;
            }
            let part = SplitPart::new(self.graph, &[SplitRoot::from_function(function, "")]);
            let called = self.source.actions.iter().filter(|declared| part.has(declared.import));
            let called: Vec<u32> = called.flat_map(|declared| [declared.action, declared.stub]).collect();
            if called.contains(&action) || function != action && part.has(action) {
                return true;
            }
            open.extend(called);
        }
        false
    }

    /// Refuses actions if an image calls one that only they can call.
    fn refuse_recursion(
        &self,
        tree: &FamilyTree,
        number: usize,
        members: &[(usize, String)],
    ) -> Result<(), PipelineError> {
        let mut above = Some(number);
        while let Some(node) = above.map(|at| &tree.nodes[at]) {
            let actions = &self.source.actions;
            let called_actions = members.iter().map(|(at, _)| actions[*at].action);
            let mut called_actions =
                called_actions.filter(|action| node.exports.iter().any(|(function, _)| function == action));
            // It may have been beside another one that leads here.
            if let Some(action) = called_actions.find(|&action| self.reaches_itself(action)) {
                return Err(AddOnError::Recursive(self.analyses.names().display(action)).into());
            }
            above = node.parent;
        }
        Ok(())
    }
}

/// A condition, and the actions that are in one image for it.
type ActionGroup = (Expr, Vec<(usize, String)>);

/// The storage classes of variables that the host binds, or that each image of a program shares. Copies in several images become one
/// variable once the images are linked.
const BOUND: [StorageClass; 7] = [
    StorageClass::UniformConstant,
    StorageClass::Input,
    StorageClass::Uniform,
    StorageClass::Output,
    StorageClass::PushConstant,
    StorageClass::AtomicCounter,
    StorageClass::StorageBuffer,
];

/// Returns the variables of a module that must stay unique although several images use them.
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

impl FamilyTree {
    /// Selects the image that defines the shared state of several images: the first that is linked with all of them. `for_others` are the
    /// names of the state that the main image defines for other main images.
    pub fn share_state(
        &mut self,
        source_names: &Names,
        for_others: &[String],
        names: &mut UnitNames,
    ) -> Result<(), PipelineError> {
        let mut users: IdMap<Vec<usize>> = IdMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            for &id in &node.state {
                users.entry(id).or_default().push(number);
            }
        }
        for (id, users) in users {
            let linkage = source_names.linkage(id);
            if linkage.as_ref().is_some_and(|linkage| linkage.import) {
                continue;
            }
            let is_for_others =
                linkage.as_ref().is_some_and(|linkage| for_others.iter().any(|name| linkage.name == **name));
            if users.len() < 2 && (!is_for_others || users == [MAIN]) {
                continue;
            }
            let inst = source_names.module().definition(id);
            if inst.is_some_and(|inst| inst.is(Op::ConstantPipeStorage)) {
                return Err(AddOnError::Pipe(source_names.display(id)).into());
            }
            let main = is_for_others.then_some(MAIN);
            let owner =
                users.iter().copied().chain(main).reduce(|one, other| self.common_ancestor(one, other));
            let owner = owner.unwrap_or(MAIN);
            let name = match linkage {
                Some(linkage) => linkage.name.into_owned(),
                None => names.unique(
                    source_names.name(id).as_deref().filter(|name| !name.is_empty()).unwrap_or("variable"),
                ),
            };
            if !users.contains(&owner) {
                self.nodes[owner].defined.push(id);
            }
            self.shared.insert(id, (name, owner));
        }
        Ok(())
    }

    /// Returns the last image that two images are both linked with; it may be one of the two.
    fn common_ancestor(&self, one: usize, other: usize) -> usize {
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
