//! Declarations of a module, by which a driver accepts or rejects it.

use std::sync::Arc;

use spirv::{Capability, Op};

use super::DefectPattern;
use super::compared_feature::ComparedFeature;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::{
    Analyses, AnalysisError, DeviceRequirement, ModuleRoot, closure, fixed_limits, has_own_work_group_limit,
};
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{ConditionId, Expr, Leaf};
use crate::device::MatrixUse;
use crate::device::api::{FeatureUse, LimitRow};
use crate::loader::{Instruction, Module, Version, views};
use crate::metadata::property_sets::DeviceRequirements;
use crate::transform::trim::{TrimResult, trim};

/// The extension of modules with open conditions. Drivers do not get such modules.
pub const MULTI_TARGET_EXTENSION: &str = "SPV_INTEL_function_variants";
const MULTI_TARGET: [Capability; 2] = [Capability::SpecConditionalINTEL, Capability::FunctionVariantsINTEL];

/// Returns true for a capability of the multi-target extension.
pub fn is_of_multi_target(capability: u32) -> bool {
    MULTI_TARGET.iter().any(|known| *known as u32 == capability)
}

/// The declarations of a module, or of one of its entry points.
///
/// A declaration counts if its condition holds. [`Leaf::Constant`] in a condition represents a constant of the module. Only
/// [`super::DeviceResults::for_module`] knows its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModuleDeclarations {
    /// The version of SPIR-V.
    pub version: Version,
    /// The capabilities, by number, in ascending order. Implied ones may be omitted.
    pub capabilities: Vec<(u32, Expr)>,
    /// The extensions, in alphabetical order.
    pub extensions: Vec<(String, Expr)>,
    /// The requirements of the entry point, for the declarations of one.
    pub entry: EntryRequirements,
    /// The requirements in the property sets of the module.
    pub recorded: Option<Arc<DeviceRequirements>>,
    /// The patterns in the code with which drivers have defects; false for those that may be in conditional code.
    pub defects: Vec<(DefectPattern, bool)>,
    /// The number of conditional calls that nothing decided, and the condition under which not all of them may be made.
    pub undecided_calls: Option<(usize, Expr)>,
}

impl ModuleDeclarations {
    /// Returns the declarations of an unchanged module.
    pub fn as_is(module: &Module) -> ModuleDeclarations {
        ModuleDeclarations::from_instructions(module.globals(), module.version())
    }

    /// Returns the declarations in the instructions of a module of this version, as they stand.
    pub fn from_instructions<'i>(
        instructions: impl Iterator<Item = Instruction<'i>>,
        version: Version,
    ) -> ModuleDeclarations {
        let mut collector = DeclarationCollector::default();
        for inst in instructions {
            match inst.op() {
                Some(Op::Capability | Op::ConditionalCapabilityINTEL) => {
                    let declared = views::Capability(inst);
                    collector.capability(declared.capability(), declared_condition(declared.condition()));
                }
                Some(Op::Extension | Op::ConditionalExtensionINTEL) => {
                    let declared = views::Extension(inst);
                    collector
                        .extension(declared.name().into_owned(), declared_condition(declared.condition()));
                }
                Some(Op::MemoryModel | Op::Function) => break,
                _ => {}
            }
        }
        collector.finish(version)
    }

    /// Returns the declarations that remain on a device once the module is packed and specialized for it.
    /// Unneeded declarations are removed, and those of conditional code have its condition. Those of the
    /// multi-target extension are removed once everything is decided.
    ///
    /// # Errors
    /// If the module cannot be packed.
    pub fn after_pack(analyses: &Analyses) -> Result<ModuleDeclarations, AnalysisError> {
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        if analyses.calls()?.is_empty() {
            return Ok(ModuleDeclarations::after_trim(module, multi_target, &trim(module)));
        }
        let mut collector = DeclarationCollector::default();
        collector.packed(analyses)?;
        Ok(collector.conditional(module, multi_target))
    }

    /// Returns the declarations that [`trim`] keeps in a module without conditional calls.
    pub fn after_trim(
        module: &Module,
        multi_target: &MultiTarget,
        trimmed: &TrimResult,
    ) -> ModuleDeclarations {
        let mut collector = DeclarationCollector::default();
        collector.trimmed(module, multi_target, trimmed);
        collector.conditional(module, multi_target)
    }

    /// Returns the declarations of a module that it did not have before a change.
    pub fn added(before: &Module, after: &Module) -> ModuleDeclarations {
        let [before, mut added] = [before, after].map(ModuleDeclarations::as_is);
        added.capabilities.retain(|capability| !before.capabilities.contains(capability));
        added.extensions.retain(|extension| !before.extensions.contains(extension));
        added
    }

    /// Adds the capabilities and extensions of others.
    pub fn with(&self, others: &ModuleDeclarations) -> ModuleDeclarations {
        let mut collector = DeclarationCollector::default();
        for (number, when) in self.capabilities.iter().chain(&others.capabilities) {
            collector.capability(*number, when.clone());
        }
        for (name, when) in self.extensions.iter().chain(&others.extensions) {
            collector.extension(name.clone(), when.clone());
        }
        collector.finish(self.version)
    }

    /// Returns the condition of a capability; `None` if it is not declared.
    pub fn capability(&self, number: u32) -> Option<&Expr> {
        self.capabilities.iter().find(|(known, _)| *known == number).map(|(_, when)| when)
    }

    /// Returns the condition of an extension; `None` if it is not declared.
    pub fn extension(&self, name: &str) -> Option<&Expr> {
        self.extensions.iter().find(|(known, _)| known == name).map(|(_, when)| when)
    }

    /// Adds the requirements of an entry point.
    pub fn with_entry(&self, entry: EntryRequirements) -> ModuleDeclarations {
        ModuleDeclarations { entry, ..self.clone() }
    }

    /// Returns the features to compare with a device, in order, with their conditions.
    pub(super) fn compared_features(&self) -> Vec<(ComparedFeature<'_>, &Expr)> {
        let in_kernels = self.are_of_kernels();
        let mut all = vec![(ComparedFeature::Version(self.version), &Expr::True)];
        for &(number, ref when) in &self.capabilities {
            all.push((ComparedFeature::Capability { number, in_kernels }, when));
        }
        for (name, when) in &self.extensions {
            all.push((ComparedFeature::extension(name, self.version), when));
        }
        all.extend(self.entry.compared_features());
        for &(pattern, is_certain) in &self.defects {
            all.push((ComparedFeature::SoundDriver { pattern, is_certain }, &Expr::True));
        }
        all
    }

    /// Returns the declarations of a module that is linked and specialized: without those of the multi-target
    /// extension, and without Linkage.
    pub fn of_plain_module(mut self) -> ModuleDeclarations {
        self.remove_multi_target();
        self.capabilities.retain(|(number, _)| *number != Capability::Linkage as u32);
        self
    }

    /// Returns the declarations that hold on every device, without those of the multi-target extension: a driver does not get a module in which
    /// something stays conditional.
    pub fn unconditional(mut self) -> ModuleDeclarations {
        self.remove_multi_target();
        self.capabilities.retain(|(_, when)| *when == Expr::True);
        self.extensions.retain(|(_, when)| *when == Expr::True);
        self
    }

    fn remove_multi_target(&mut self) {
        self.capabilities.retain(|(number, _)| !is_of_multi_target(*number));
        self.extensions.retain(|(name, _)| name != MULTI_TARGET_EXTENSION);
    }

    /// Returns true if a condition depends on constants of the module.
    pub fn has_constants(&self) -> bool {
        let is_constant = |leaf: &Leaf| matches!(leaf, Leaf::Constant(_));
        self.compared_features().iter().any(|(_, when)| when.leaves().iter().any(is_constant))
    }
}

/// The requirements of an entry point besides the declarations of its module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntryRequirements {
    /// The number of work-items in a work-group.
    pub work_group_size: Option<u64>,
    /// The aspects, and the sizes of sub-groups.
    pub required: Vec<(DeviceRequirement, Expr)>,
    /// The features of Vulkan that no capability names.
    pub features: Vec<(&'static FeatureUse, Expr)>,
    /// The limits of Vulkan, and the least numbers.
    pub limits: Vec<(&'static LimitRow, u64)>,
    /// The uses of cooperative matrices.
    pub(crate) matrices: Vec<(MatrixUse, Expr)>,
}

impl EntryRequirements {
    /// Returns the requirements of a root that has these features and uses of matrices, except aspects and sizes of sub-groups. A size that the host can set
    /// excludes no devices.
    pub fn new(
        analyses: &Analyses,
        root: &ModuleRoot,
        features: &[(&'static FeatureUse, Expr)],
        matrices: Vec<(MatrixUse, Expr)>,
    ) -> EntryRequirements {
        let sizes = analyses.sizes().get(root.function()).filter(|_| !has_own_work_group_limit(root));
        EntryRequirements {
            work_group_size: sizes.and_then(|sizes| sizes.fixed_work_items()),
            features: features.to_vec(),
            limits: fixed_limits(analyses, root),
            matrices,
            ..EntryRequirements::default()
        }
    }

    /// Returns the requirements of code in which all conditional calls are made.
    pub fn with_all_calls(&self) -> EntryRequirements {
        let mut all = self.clone();
        all.required.iter_mut().for_each(|(_, when)| *when = Expr::True);
        all.features.iter_mut().for_each(|(_, when)| *when = Expr::True);
        all.matrices.iter_mut().for_each(|(_, when)| *when = Expr::True);
        all
    }

    /// Returns the features to compare with a device, in order, with their conditions.
    pub(crate) fn compared_features(&self) -> impl Iterator<Item = (ComparedFeature<'_>, &Expr)> {
        let size = self.work_group_size.map(|size| (ComparedFeature::WorkGroupSize(size), &Expr::True));
        let required = self.required.iter();
        let required = required
            .filter_map(|(required, when)| Some((ComparedFeature::from_requirement(*required)?, when)));
        size.into_iter().chain(required).chain(self.vulkan_features())
    }

    /// Returns the features and limits of Vulkan that a device must have.
    pub fn vulkan_features(&self) -> impl Iterator<Item = (ComparedFeature<'_>, &Expr)> {
        let features = self.features.iter().map(|(feature, when)| (ComparedFeature::vulkan(feature), when));
        let limits = self.limits.iter();
        let limits = limits.map(|(row, number)| (ComparedFeature::VulkanLimit(row, *number), &Expr::True));
        let matrices = self.matrices.iter().map(|(used, when)| (ComparedFeature::MatrixUse(used), when));
        features.chain(limits).chain(matrices)
    }
}

/// Collects declarations, each once.
#[derive(Default)]
struct DeclarationCollector {
    capabilities: IdMap<Expr>,
    extensions: OrderedMap<String, Expr>,
}

impl DeclarationCollector {
    fn capability(&mut self, number: u32, when: Expr) {
        let known = self.capabilities.remove(&number);
        self.capabilities.insert(number, disjunction(known, when));
    }

    fn extension(&mut self, name: String, when: Expr) {
        let known = self.extensions.remove(&name);
        self.extensions.insert(name, disjunction(known, when));
    }

    /// Adds the unconditional declarations that `trim` keeps.
    fn trimmed(&mut self, module: &Module, multi_target: &MultiTarget, trimmed: &TrimResult) {
        let removed = &trimmed.capabilities;
        trimmed.narrowed.iter().for_each(|narrowed| self.capability(narrowed.to, Expr::True));
        for inst in module.head().filter(|inst| !multi_target.declarations.contains(&inst.offset())) {
            match inst.op() {
                Some(Op::Capability) => {
                    let number = views::Capability(inst).capability();
                    if !removed.contains(&number) {
                        self.capability(number, Expr::True);
                    }
                }
                Some(Op::Extension) => {
                    let name = views::Extension(inst).name();
                    if !trimmed.extensions.iter().any(|removed| name == *removed) {
                        self.extension(name.into_owned(), Expr::True);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds the unconditional declarations after `pack`, and their implied declarations. Each has the condition of its requirement, or none
    /// if the requirements are unknown.
    fn packed(&mut self, analyses: &Analyses) -> Result<(), AnalysisError> {
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        let presence = analyses.presence()?;
        let mut conditions = presence.conditions.clone();
        let mut expr = |present_when: Option<ConditionId>| {
            let present_when = present_when.unwrap_or(ConditionId::TRUE);
            let present_when = conditions.without_meant_constants(present_when)?;
            conditions.expr_of(present_when)
        };
        for inst in module.head().filter(|inst| !multi_target.declarations.contains(&inst.offset())) {
            match inst.op() {
                Some(Op::Capability) => {
                    let number = views::Capability(inst).capability();
                    let implied = closure(std::iter::once(number));
                    for capability in implied {
                        let present_when = presence
                            .declaration_uses
                            .capability(capability)
                            .map(|required_when| required_when.present_when);
                        let when = expr(present_when)?;
                        self.capability(capability, when);
                    }
                }
                Some(Op::Extension) => {
                    let name = views::Extension(inst).name().into_owned();
                    let present_when = presence
                        .declaration_uses
                        .extension(&name)
                        .map(|required_when| required_when.present_when);
                    let when = expr(present_when)?;
                    self.extension(name, when);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the declarations that are already conditional.
    fn conditional(mut self, module: &Module, multi_target: &MultiTarget) -> ModuleDeclarations {
        for &offset in &multi_target.capabilities {
            let declared = views::Capability(module.instruction(offset));
            self.capability(declared.capability(), declared_condition(declared.condition()));
        }
        for &offset in &multi_target.extensions {
            let declared = views::Extension(module.instruction(offset));
            self.extension(declared.name().into_owned(), declared_condition(declared.condition()));
        }
        self.finish(module.version())
    }

    fn finish(self, version: Version) -> ModuleDeclarations {
        let holds = |when: &Expr| *when != Expr::False;
        ModuleDeclarations {
            version,
            capabilities: self.capabilities.into_iter().filter(|(_, when)| holds(when)).collect(),
            extensions: self.extensions.into_iter().filter(|(_, when)| holds(when)).collect(),
            ..ModuleDeclarations::default()
        }
    }
}

/// Returns the condition for the constant of a declaration, if it has one.
fn declared_condition(constant: Option<u32>) -> Expr {
    constant.map_or(Expr::True, |constant| Leaf::Constant(constant).into())
}

/// Returns the disjunction of two conditions, or the new condition if no condition is known.
pub fn disjunction(known: Option<Expr>, when: Expr) -> Expr {
    match known {
        Some(known) if known == when || known == Expr::True => known,
        Some(known) if when != Expr::True => Expr::Or(Box::new(known), Box::new(when)),
        _ => when,
    }
}
