//! A module under inspection: its analyses, and the report on its entry points.

use std::sync::Arc;

use thiserror::Error;

use super::choice::DeclaredFeatures;
use super::model::{
    self, AnyOf, CalledSize, DeclarationName, EntryPointReport, GeneratorTool, Inspected, Necessity,
    ReportedDeclaration, RequiredFeature,
};
use super::question::requirement_names;
use spirv_if::device::DeviceConfig;
use spirv_if::engine::analysis::conditions::multi_target::MultiTarget;
use spirv_if::engine::analysis::requirements::{
    InstructionRequirements, Requirement, RequirementSet, is_judged, is_judged_extension, is_of_kernels,
};
use spirv_if::engine::analysis::{
    Analyses, AnalysisError, Aspects, ConditionalCalls, FunctionName, FunctionSizes, ModuleRoot, Names,
    RequirementSummaries, RequirementSummary, RootRequirements, Size, root_requirements, where_not_implied,
};
use spirv_if::engine::analysis::{ReadableCondition, ReadableConditions};
use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::compatibility::ModuleDeclarations;
use spirv_if::engine::condition::{ConditionError, ConditionId, Conditions, Expr};
use spirv_if::engine::device::{aspects, capabilities};
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{DeviceRequirements, SpecialConstants};
use spirv_if::engine::transform::trap::TrapAnalyses;
use spirv_if::engine::transform::trim::{self, TrimResult};
use spirv_if::property_sets::{PropertyError, PropertySets};

/// The reason why a module cannot be inspected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InspectionError {
    /// Conditional calls of the module are malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The properties of the module are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// A module under inspection.
pub struct InspectContext<'m, 'w> {
    pub(super) analyses: &'m Analyses<'w>,
    pub(super) module: &'m Module<'m>,
    pub(super) names: &'m Names<'m>,
    pub(super) requirements_of: &'m InstructionRequirements<'m>,
    pub(super) summaries: &'m RequirementSummaries<'m>,
    /// Arena of the conditions of requirement summaries, and of conditions derived from them.
    pub(super) conditions: Conditions,
    pub(super) declarations: DeclaredFeatures,
    readable: ReadableConditions<'m>,
    pub(super) aspects: &'static Aspects,
    pub(super) sizes: &'m FunctionSizes,
    pub(super) calls: &'m ConditionalCalls,
    pub(super) multi_target: &'m MultiTarget,
    pub(super) properties: &'m PropertySets,
    /// The requirements in the properties.
    pub(super) recorded: Option<Arc<DeviceRequirements>>,
    /// The declarations that nothing requires.
    pub(super) unneeded: TrimResult,
    /// The analyses for traps, and for values of constants instead of them.
    pub(crate) traps: Arc<TrapAnalyses>,
    /// The declarations that the module gets where its compile-time properties are lowered.
    pub(crate) lowered_declarations: Option<ModuleDeclarations>,
    /// The declarations of the image that `spirv-if split --mode kernel` makes for a root: by its function, and by the offset of its entry
    /// point. Empty if splitting does not help.
    pub(crate) images: OrderedMap<(u32, Option<u32>), ModuleDeclarations>,
}

/// Sets up a module for inspection, and passes it to `inspect`. `properties` are its property sets, which give
/// the constants of a multi-target module their meaning.
///
/// # Errors
/// If conditional calls or conditions in the module, or the properties, are malformed.
pub fn with_context<R>(
    analyses: &Analyses,
    properties: &PropertySets,
    inspect: impl FnOnce(&mut InspectContext) -> Result<R, InspectionError>,
) -> Result<R, InspectionError> {
    let module = analyses.module();
    let summaries = analyses.summaries()?;
    let mut conditions = summaries.conditions.clone();
    let declarations = DeclaredFeatures::read(module, summaries, &mut conditions)?;
    let multi_target = analyses.multi_target()?;
    let readable = ReadableConditions::new(
        module,
        multi_target,
        &SpecialConstants::from_properties(properties)?,
        &mut conditions,
    )?;
    let aspects = Aspects::get(is_of_kernels(module));
    let unneeded = trim::unneeded(module, &summaries.requirements, summaries.everything());
    let recorded = DeviceRequirements::from_properties(properties)?;
    inspect(&mut InspectContext {
        analyses,
        module,
        names: analyses.names(),
        requirements_of: &summaries.requirements,
        summaries,
        conditions,
        declarations,
        readable,
        aspects,
        sizes: analyses.sizes(),
        calls: analyses.calls()?,
        multi_target,
        lowered_declarations: None,
        images: OrderedMap::new(),
        properties,
        recorded: recorded.map(Arc::new),
        unneeded,
        traps: Arc::default(),
    })
}

/// Capabilities, and the conditions under which they are required.
pub(super) type ChosenCapabilities = Vec<(u32, ConditionId)>;

impl<'m> InspectContext<'m, '_> {
    /// Returns all findings on the module. Finding the effects of values takes long, so specialization
    /// constants are reported only if `constants`. `devices` have the features of architectures: by default
    /// those of the embedded configuration.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn inspected(
        &mut self,
        devices: Option<&DeviceConfig>,
        constants: bool,
    ) -> Result<Inspected, InspectionError> {
        let removed = self.unneeded.capabilities.clone();
        let declared: Vec<(u32, ConditionId)> = self.declarations.capabilities().collect();
        let mut capabilities = Vec::new();
        for &(number, condition) in &declared {
            let brings = |other: u32| self.declarations.closure(other).contains(&number);
            let mut others =
                declared.iter().map(|&(other, _)| other).filter(|&other| !removed.contains(&other));
            capabilities.push(ReportedDeclaration {
                name: capability_name(number),
                need: necessity(removed.contains(&number), is_judged(number)),
                implied_by: removed
                    .contains(&number)
                    .then(|| others.find(|&other| brings(other)))
                    .flatten()
                    .map(capability_name),
                narrower: self.unneeded.narrower(number),
                when: self.when(condition)?,
            });
        }
        let mut extensions = Vec::new();
        for (name, condition) in self.declarations.extensions().collect::<Vec<_>>() {
            let is_removed = self.unneeded.extensions.contains(&name);
            let need = necessity(is_removed, is_judged_extension(&name));
            let when = self.when(condition)?;
            let name = name.into();
            extensions.push(ReportedDeclaration { need, implied_by: None, narrower: Vec::new(), when, name });
        }
        let mut inspected = Inspected {
            answer: None,
            device_groups: Vec::new(),
            version: self.module.version(),
            generator: GeneratorTool::from_module(self.module),
            functions: self.module.functions().len(),
            conditional_calls: self.calls.calls.len(),
            multi_target: !self.multi_target.is_empty(),
            remedy: self.remedy(),
            requires: Vec::new(),
            capabilities,
            extensions,
            entry_points: Vec::new(),
            exported_functions: Vec::new(),
            graphs: self.module.graph_entry_points().map(|graph| graph.name().into_owned()).collect(),
            spec_constants: if constants { self.spec_constants() } else { Vec::new() },
            shared_costs: Vec::new(),
            not_lowered: Vec::new(),
            defects: self.defects(),
        };
        for root in self.roots() {
            let entry_point = self.entry_point(&root, devices)?;
            match root {
                ModuleRoot::EntryPoint(_) => inspected.entry_points.push(entry_point),
                ModuleRoot::Exported(_) => inspected.exported_functions.push(entry_point),
            }
        }
        inspected.requires = inspected.required_capabilities();
        let values = inspected.spec_constants.iter().flat_map(|constant| &constant.decides.values);
        let known = values.flat_map(|value| value.capabilities.iter().cloned()).collect();
        if inspected.spec_constants.iter().any(|constant| constant.decides.branches > 0) {
            inspected.shared_costs = self.shared_costs(&inspected.capabilities, &known)?;
        }
        Ok(inspected)
    }

    /// Returns the entry points, then the exported functions that nothing in the module refers to.
    pub(super) fn roots(&self) -> Vec<ModuleRoot<'m>> {
        let is_free = |id: &u32| self.names.is_exported(*id) && !self.summaries.is_referenced(*id);
        let exported = self.module.functions().iter().map(|function| function.id).filter(is_free);
        ModuleRoot::entry_points(self.module).chain(exported.map(ModuleRoot::Exported)).collect()
    }

    /// Returns the requirement summary of a root, with the extensions that its capabilities require, and
    /// those capabilities.
    pub(super) fn summary(
        &mut self,
        root: &ModuleRoot,
    ) -> Result<(RequirementSummary, ChosenCapabilities), ConditionError> {
        let mut summary = root.summary(self.summaries);
        let chosen = self.with_extensions(&mut summary)?;
        Ok((summary, chosen))
    }

    /// Adds the extensions required by the capabilities that meet a requirement summary. Returns those
    /// capabilities.
    pub(super) fn with_extensions(
        &mut self,
        summary: &mut RequirementSummary,
    ) -> Result<ChosenCapabilities, ConditionError> {
        let conditions = &mut self.conditions;
        let chosen = self.declarations.choose_capabilities(summary, conditions)?;
        for &(number, condition) in &chosen {
            let mut declaring = RequirementSet::EMPTY;
            let brought = self.declarations.closure(number);
            brought.iter().for_each(|&brought| self.requirements_of.declaring(brought, &mut declaring));
            let other = RequirementSummary { always: declaring, conditional: OrderedMap::new() };
            summary.add(&other, condition, conditions)?;
        }
        summary.normalize();
        Ok(chosen)
    }

    fn entry_point(
        &mut self,
        root: &ModuleRoot,
        devices: Option<&DeviceConfig>,
    ) -> Result<EntryPointReport, InspectionError> {
        let (summary, chosen) = self.summary(root)?;
        let (name, stage) = (root.name(self.names), root.execution_model());
        let existence = root.existence(self.summaries, &mut self.conditions)?;
        let function = root.function();
        let sizes = self.sizes.get(function).copied().unwrap_or_default();
        let demangled = FunctionName::new(name.as_ref()).to_string();
        let mut capabilities = Vec::new();
        for (number, condition) in chosen {
            capabilities.push(RequiredFeature { name: capability_name(number), when: self.when(condition)? });
        }
        let mut extensions = Vec::new();
        let chosen = self.declarations.choose_extensions(&summary, &mut self.conditions)?;
        for (name, condition) in chosen {
            extensions.push(RequiredFeature { name: name.into(), when: self.when(condition)? });
        }
        let required = RootRequirements::of_root(self.analyses, *root, &summary, &mut self.conditions)?;
        let mut declared_aspects = Vec::new();
        let mut called_sub_group_sizes = Vec::new();
        for (&requirement, &condition) in &required.declared {
            let condition = match requirement {
                root_requirements::DeviceRequirement::Aspect(aspect) => {
                    where_not_implied(&mut self.conditions, devices, condition, aspect)?
                }
                _ => condition,
            };
            if condition.is_false() {
                continue;
            }
            let when = self.when(condition)?;
            match requirement {
                root_requirements::DeviceRequirement::Aspect(aspect) => {
                    declared_aspects.push(RequiredFeature { name: aspect_name(aspect), when });
                }
                root_requirements::DeviceRequirement::SubGroupSize(size)
                    if sizes.fixed_sub_group() != Some(size) =>
                {
                    called_sub_group_sizes.push(CalledSize { size, when });
                }
                _ => {}
            }
        }
        let declares =
            !declared_aspects.is_empty() || self.analyses.declared_aspects()?.aspects(function).is_some();
        let kernel = stage.is_none().then(|| self.names.kernel_of(function)).flatten();
        Ok(EntryPointReport {
            body_of: kernel.map(|kernel| self.names.function_name(kernel).raw().to_owned()),
            demangled: Some(demangled).filter(|demangled| *demangled != name),
            name: name.into_owned(),
            stage,
            when: self.when(existence)?,
            capabilities,
            extensions,
            requirements: self.requirements(&summary)?,
            aspects: self.aspects(&required)?,
            declared_aspects: declares.then_some(declared_aspects),
            work_group_size: sizes
                .work_group
                .map(|size| model::RequiredSize { size: size.dimensions, specializable: size.specializable }),
            sub_group_size: sizes.sub_group.map(one_size),
            called_sub_group_sizes,
            sub_groups_per_work_group: sizes.sub_groups.map(one_size),
            devices: None,
            required: self.of_devices(&required, existence)?,
        })
    }

    fn aspects(&mut self, required: &RootRequirements) -> Result<Vec<RequiredFeature>, InspectionError> {
        let mut aspects = Vec::new();
        for (&aspect, &condition) in &required.used {
            aspects.push(RequiredFeature { name: aspect_name(aspect), when: self.when(condition)? });
        }
        Ok(aspects)
    }

    /// Returns the requirements of a device on which the root exists, except the size of work-groups. Other devices run the module without it.
    fn of_devices(
        &mut self,
        required: &RootRequirements,
        existence: ConditionId,
    ) -> Result<Vec<(root_requirements::DeviceRequirement, Expr)>, InspectionError> {
        let mut all = Vec::new();
        for (requirement, condition) in required.all(&mut self.conditions)? {
            if !matches!(requirement, root_requirements::DeviceRequirement::WorkGroupSize(_)) {
                let condition = self.conditions.and(condition, existence)?;
                let condition = self.conditions.without_meant_constants(condition)?;
                all.push((requirement, self.conditions.expr_of(condition)?));
            }
        }
        Ok(all)
    }

    fn requirements(&mut self, summary: &RequirementSummary) -> Result<Vec<AnyOf>, InspectionError> {
        let mut requirements = Vec::with_capacity(summary.iter().count());
        // Features of Vulkan are required by stage, and have a list of their own.
        for (id, condition) in summary.iter().filter(|(id, _)| !matches!(id.get(), Requirement::Feature(_))) {
            let (kind, any_of) = requirement_names(id);
            let met = self.declarations.meet(id.get());
            requirements.push(AnyOf { kind, any_of, met, when: self.when(condition)? });
        }
        Ok(requirements)
    }

    pub(super) fn when(
        &mut self,
        condition: ConditionId,
    ) -> Result<Option<ReadableCondition>, ConditionError> {
        self.readable.when(condition, &mut self.conditions)
    }
}

fn necessity(unneeded: bool, judged: bool) -> Necessity {
    match (unneeded, judged) {
        (true, _) => Necessity::Unneeded,
        (false, true) => Necessity::Needed,
        (false, false) => Necessity::Unjudged,
    }
}

fn one_size(size: Size) -> model::RequiredSize<u32> {
    model::RequiredSize { size: size.value, specializable: size.specializable }
}

fn aspect_name(number: u32) -> DeclarationName {
    aspects::name(number).map_or_else(|| number.to_string().into(), DeclarationName::Borrowed)
}

/// Returns the name of a capability, or its number.
pub(super) fn capability_name(number: u32) -> DeclarationName {
    capabilities::name(number).map_or_else(|| number.to_string().into(), Into::into)
}
