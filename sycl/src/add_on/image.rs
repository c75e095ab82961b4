//! One image of a family: its words, its property sets and its symbols.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use spirv::Decoration;

use super::tree::{FamilyNode, FamilyTree};
use super::types::BadCall;
use super::{AddOnRole, AddOnSource, FamilyMember, FamilyOptions};
use crate::declare::AddOnError;
use crate::images::{SplitImage, SplitInput, SplitMode, SplitOptions, Traits, split};
use spirv_if::device::Capability;
use spirv_if::engine::analysis::calls::DirectCalls;
use spirv_if::engine::analysis::requirements::closure;
use spirv_if::engine::analysis::{Analyses, Names, SimplifiedRequirements};
use spirv_if::engine::collections::{IdMap, sort};
use spirv_if::engine::condition::Expr;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::metadata::property_sets::{
    AddOnImages, AddOnRecord, DEVICE_REQUIREMENTS, DeviceRequirements, EXPORTED_SYMBOLS, IMPORTED_SYMBOLS,
    ImportedSymbols, SPECIAL_CONSTANTS, SpecialConstants, VARIANTS, add_exported,
};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::pipelines::predicates::of_part;
use spirv_if::engine::transform::carry;
use spirv_if::engine::transform::link_names::{NewLinkage, link_names};
use spirv_if::engine::transform::split::{SplitGraph, SplitPart};
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;
use spirv_if::property_sets::PropertySets;

impl FamilyTree {
    /// Makes an image.
    pub fn member(
        &mut self,
        number: usize,
        source: &AddOnSource,
        names: &Names,
        graph: &SplitGraph,
        options: &FamilyOptions,
    ) -> Result<FamilyMember, PipelineError> {
        let words = self.words(number, source, names, graph)?;
        let module = Module::from_words(&words[..])?;
        self.check_calls(number, source, names, &module, options)?;
        self.check_capabilities(number, source, names, graph, &module)?;
        let node = &self.nodes[number];
        let image_names = Names::new(&module);
        let built_in = module.decorations_with(Decoration::BuiltIn).map(views::Decoration::target);
        let built_in: BTreeSet<u32> = built_in.collect();
        let mut imported = Vec::new();
        let (mut exported, mut variables) = (Vec::new(), Vec::new());
        for (id, linkage) in image_names.linked() {
            let name = linkage.name.into_owned();
            match linkage.import {
                true if !built_in.contains(&id) => imported.push(name),
                false if module.function_index(id).is_none() => variables.push(name),
                false if image_names.kernel_of(id).is_none() => exported.push(name),
                _ => {}
            }
        }
        let symbols = match node.pair {
            None => source.image.symbols.clone(),
            Some(_) => node.exports.iter().map(|(_, name)| name.clone()).collect(),
        };
        exported.retain(|name| !symbols.contains(name));
        let mut properties = properties(node, source, &module, &imported, options)?;
        let entry_points: HashSet<_> = module.entry_points().map(|entry| entry.name()).collect();
        let functions = symbols.iter().filter(|name| !entry_points.contains(name.as_str()));
        add_exported(&mut properties, functions.chain(&exported));
        let (role, warnings) = match &node.pair {
            None => (AddOnRole::Main, source.image.warnings.clone()),
            Some((id, true)) => (AddOnRole::Real(id.clone()), Vec::new()),
            Some((id, false)) => (AddOnRole::Stub(id.clone()), Vec::new()),
        };
        drop(entry_points);
        let image =
            SplitImage { words, properties, symbols, exported, variables: Vec::new(), imported, warnings };
        Ok(FamilyMember { role, image, variables })
    }

    fn words(
        &self,
        number: usize,
        source: &AddOnSource,
        names: &Names,
        graph: &SplitGraph,
    ) -> Result<Vec<u32>, PipelineError> {
        let node = &self.nodes[number];
        let mut linkage = IdMap::new();
        if node.parent.is_some() {
            linkage.extend(names.exported().map(|id| (id, NewLinkage::None)));
        }
        let mut imported: HashSet<u32> = node.imported.iter().copied().collect();
        for &id in &node.imported {
            let name = names.linkage(id).map(|linkage| linkage.name.into_owned());
            linkage.insert(id, NewLinkage::Import(name.unwrap_or_default()));
        }
        let state = node.state.iter().chain(&node.defined);
        for (id, (name, owner)) in state.filter_map(|id| Some((id, self.shared.get(id)?))) {
            let new_linkage = match *owner == number {
                true => NewLinkage::Export(name.clone()),
                false => {
                    imported.insert(*id);
                    NewLinkage::Import(name.clone())
                }
            };
            linkage.insert(*id, new_linkage);
        }
        for (action, name) in &node.table {
            linkage.insert(source.actions[*action].import, NewLinkage::Import(name.clone()));
        }
        linkage.extend(node.exports.iter().map(|(id, name)| (*id, NewLinkage::Export(name.clone()))));
        let part = SplitPart::with_imports(graph, &node.roots, &node.defined, imported);
        linkage.retain(|&id, _| part.has(id));
        let words = of_part(&source.module, apply(&source.module, &part.edits(None))?)?;
        let module = Module::from_words(words)?;
        let mut edits = link_names(&module, &linkage);
        carry(&module, None, &mut edits)?;
        let module = Module::from_words(apply(&module, &edits)?)?;
        Ok(apply(&module, &trim(&module).edits)?)
    }

    /// Refuses calls whose types require the condition of their actions.
    fn check_calls(
        &mut self,
        number: usize,
        source: &AddOnSource,
        names: &Names,
        module: &Module,
        options: &FamilyOptions,
    ) -> Result<(), PipelineError> {
        let Some(BadCall { action, capability }) = self.bad_call(number, source, module, options)? else {
            return Ok(());
        };
        let condition = self.condition(number)?;
        let action = &source.actions[action];
        let (calls, functions) = (DirectCalls::new(&source.module), source.module.functions());
        let called = source.module.function_index(action.import).into_iter();
        let mut callers: Vec<u32> =
            called.flat_map(|at| calls.calls_of(at)).map(|call| functions[call.caller as usize].id).collect();
        callers.dedup();
        let callers = callers.into_iter().map(|id| names.display(id)).collect();
        let callee = names.display(action.action);
        Err(AddOnError::CallType { callers, callee, capability, condition }.into())
    }

    /// Refuses an image that declares an optional capability of its devices.
    fn check_capabilities(
        &mut self,
        number: usize,
        source: &AddOnSource,
        names: &Names,
        graph: &SplitGraph,
        module: &Module,
    ) -> Result<(), PipelineError> {
        let path = self.nodes[number].path;
        let mut met: BTreeSet<u32> = source.always.clone();
        met.insert(spirv::Capability::Linkage as u32);
        for (provided, condition) in &source.conditional {
            let Some(condition) = condition else { continue };
            let condition = self.conditions.of_expr(condition)?;
            if self.conditions.implies(path, condition)? {
                met.extend(provided);
            }
        }
        let declared = |module: &Module| -> Vec<u32> {
            module
                .capabilities()
                .map(views::Capability::capability)
                .filter(|capability| !met.contains(capability))
                .collect()
        };
        let Some(&missing) = declared(module).first() else { return Ok(()) };
        let condition = self.condition(number)?;
        let capability = Capability(missing);
        // What is only declared, and needs it all the same.
        let needs = |id: u32| -> Result<bool, PipelineError> {
            let part = SplitPart::with_imports(graph, [], &[id], HashSet::from([id]));
            let module = Module::from_words(apply(&source.module, &part.edits(None))?)?;
            let module = Module::from_words(apply(&module, &trim(&module).edits)?)?;
            let required = closure(module.capabilities().map(views::Capability::capability));
            Ok(required.contains(&missing))
        };
        let node = &self.nodes[number];
        for &id in &node.defined {
            if needs(id)? {
                return Err(AddOnError::Variable { name: names.display(id), capability, condition }.into());
            }
        }
        Err(AddOnError::Capability { capability, condition }.into())
    }
}

fn properties(
    node: &FamilyNode,
    source: &AddOnSource,
    module: &Module,
    imported: &[String],
    options: &FamilyOptions,
) -> Result<PropertySets, PipelineError> {
    let before = &source.image.properties;
    let packed = DeviceRequirements::from_properties(before)?;
    let packed = packed.unwrap_or_default();
    let mut requirements = match packed.fixed_targets {
        Some(targets) => DeviceRequirements { fixed_targets: Some(targets), ..DeviceRequirements::default() },
        None => requirements(source, module, options)?,
    };
    requirements.condition = packed.condition;
    let mut properties = PropertySets::default();
    let mut special = SpecialConstants::default();
    if let Some(set) = before.get(SPECIAL_CONSTANTS) {
        special = SpecialConstants::from_set(set)?;
        special.retain(|spec_id| module.spec_ids().any(|decl| decl.spec_id() == spec_id));
    }
    if node.parent.is_none() {
        requirements.other = packed.other;
        let ours = [DEVICE_REQUIREMENTS, SPECIAL_CONSTANTS, IMPORTED_SYMBOLS, EXPORTED_SYMBOLS, VARIANTS];
        let others = before.sets.iter().filter(|set| !ours.contains(&&*set.name));
        properties.sets.extend(others.cloned());
    }
    properties.put(requirements.to_set(options.property_names));
    if special != SpecialConstants::default() {
        properties.put(special.to_set());
    }
    if !node.pairs.is_empty() {
        let pairs = node.pairs.iter().map(|(id, condition)| Ok((id.clone(), condition.to_series()?)));
        let pairs = pairs.collect::<Result<_, spirv_if::engine::condition::ConditionError>>()?;
        properties.put(AddOnImages { pairs }.to_set());
    }
    if let Some((id, real)) = &node.pair {
        properties.put(AddOnRecord { id: id.clone(), real: *real }.to_set());
    }
    let symbols = imported.iter().map(|name| (name.clone(), Expr::True)).collect();
    ImportedSymbols { symbols }.put(&mut properties)?;
    Ok(properties)
}

/// Returns the requirements of an image on a device.
fn requirements(
    source: &AddOnSource,
    module: &Module,
    options: &FamilyOptions,
) -> Result<DeviceRequirements, PipelineError> {
    let annotated = source.annotated.within(module);
    let analyses = Analyses::new(module, Cow::Owned(annotated)).keeping_properties(true);
    let none = PropertySets::default();
    let names = options.property_names;
    let split_options =
        SplitOptions::new().mode(SplitMode::Off).devices(options.devices.clone()).property_names(names);
    let split = split(analyses, Cow::Owned(none), SplitInput::default(), split_options)?;
    let mut all = SimplifiedRequirements::default();
    for plan in split.plans() {
        if let Traits::Any(requirements) = &plan.traits {
            all.always.extend(&requirements.always);
            all.conditional.extend(requirements.conditional.iter().cloned());
        }
    }
    sort(&mut all.conditional);
    all.conditional.dedup();
    Ok(all.to_requirements(options.property_names)?)
}
