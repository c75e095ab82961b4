//! One module under inspection: what is set up once, and what is asked of it.

use std::collections::BTreeMap;

use spirv::Capability;
use thiserror::Error;

use super::choice::Declarations;
use super::generator::Generator;
use super::model::{self, AnyOf, CalledSize, Declared, EntryPoint, Inspected, Name, Need, Required};
use super::requirement_names::requirement_names;
use super::when::{Readable, When};
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::requirements::{
    InstructionRequirements, RequirementSet, is_judged, is_judged_extension, is_of_kernels,
};
use crate::analysis::{
    Analyses, AnalysisError, Aspects, ConditionalCalls, FunctionName, Names, RequirementSummaries,
    RequirementSummary, Root, RootRequirements, Size, Sizes, root_requirements, where_not_implied,
};
use crate::condition::{Condition, ConditionError, Conditions, Expr};
use crate::device::{DeviceConfig, aspects, capabilities};
use crate::loader::Module;
use crate::sidecar::property_sets::{PropertyError, PropertySets};
use crate::transform::pack::PackError;
use crate::transform::trim::{self, Trimmed};

/// Why a module cannot be inspected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InspectionError {
    /// Its conditional calls cannot be understood.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// It cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The properties beside it are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
}

/// A module under inspection.
pub struct Study<'m, 'w> {
    pub(super) analyses: &'m Analyses<'w>,
    pub(super) module: &'m Module<'m>,
    pub(super) names: &'m Names<'m>,
    pub(super) needs: &'m InstructionRequirements<'m>,
    pub(super) summaries: &'m RequirementSummaries<'m>,
    /// The arena of the demands' conditions, and of what is derived from them.
    pub(super) conditions: Conditions,
    pub(super) declarations: Declarations,
    readable: Readable,
    pub(super) aspects: &'static Aspects,
    pub(super) sizes: &'m BTreeMap<u32, Sizes>,
    pub(super) calls: &'m ConditionalCalls,
    pub(super) multi_target: &'m MultiTarget,
    pub(super) properties: &'m PropertySets,
    /// The declarations that nothing needs.
    pub(super) unneeded: Trimmed,
}

/// Works out what a module needs, and asks something about it. `properties` are those beside the module, which say what the
/// constants of a multi-target module stand for; `annotated` is what an annotations file says of it.
///
/// # Errors
/// Where conditional calls or conditions in the module, or the properties, cannot be understood.
pub fn study<R>(
    analyses: &Analyses,
    properties: &PropertySets,
    ask: impl FnOnce(&mut Study) -> Result<R, InspectionError>,
) -> Result<R, InspectionError> {
    let module = analyses.module();
    let summaries = analyses.summaries()?;
    let mut conditions = summaries.conditions.clone();
    let declarations = Declarations::read(module, summaries, &mut conditions)?;
    let multi_target = analyses.multi_target()?;
    let readable = Readable::new(module, multi_target, properties)?;
    let aspects = Aspects::get(is_of_kernels(module));
    let unneeded = trim::unneeded(module, &summaries.requirements, summaries.everything());
    ask(&mut Study {
        analyses,
        module,
        names: analyses.names(),
        needs: &summaries.requirements,
        summaries,
        conditions,
        declarations,
        readable,
        aspects,
        sizes: analyses.sizes(),
        calls: analyses.calls()?,
        multi_target,
        properties,
        unneeded,
    })
}

/// Capabilities, and when they are needed.
pub(super) type Chosen = Vec<(u32, Condition)>;

/// A function that can be called from outside of the module.
impl<'m> Study<'m, '_> {
    /// Everything that is found of the module. `devices` tell what an architecture has; those of the embedded configuration, without any.
    ///
    /// # Errors
    /// Where a condition is out of bounds.
    pub fn inspected(&mut self, devices: Option<&DeviceConfig>) -> Result<Inspected, InspectionError> {
        let judged = |number: u32| Capability::from_u32(number).is_some_and(is_judged);
        let gone: Vec<u32> = self.unneeded.capabilities.iter().map(|&capability| capability as u32).collect();
        let goes = |number: u32| gone.contains(&number);
        let declared: Vec<(u32, Condition)> = self.declarations.capabilities().collect();
        let mut capabilities = Vec::new();
        for &(number, condition) in &declared {
            let brings =
                |other: u32| self.declarations.brought(other).iter().any(|&own| own as u32 == number);
            let mut others = declared.iter().map(|&(other, _)| other).filter(|&other| !goes(other));
            capabilities.push(Declared {
                name: capability_name(number),
                need: need(goes(number), judged(number)),
                implied_by: goes(number)
                    .then(|| others.find(|&other| brings(other)))
                    .flatten()
                    .map(capability_name),
                when: self.when(condition)?,
            });
        }
        let mut extensions = Vec::new();
        for (name, condition) in self.declarations.extensions().collect::<Vec<_>>() {
            let goes = self.unneeded.extensions.contains(&name);
            let need = need(goes, is_judged_extension(&name));
            let when = self.when(condition)?;
            extensions.push(Declared { need, implied_by: None, when, name: name.into() });
        }
        let mut inspected = Inspected {
            version: self.module.version(),
            generator: Generator::of(self.module),
            functions: self.module.functions().len(),
            conditional_calls: self.calls.calls.len(),
            multi_target: !self.multi_target.is_empty(),
            capabilities,
            extensions,
            entry_points: Vec::new(),
            exported_functions: Vec::new(),
            crashes: self.crashes(),
        };
        for root in self.roots() {
            let entry_point = self.entry_point(&root, devices)?;
            match root {
                Root::EntryPoint(_) => inspected.entry_points.push(entry_point),
                Root::Exported(_) => inspected.exported_functions.push(entry_point),
            }
        }
        Ok(inspected)
    }

    /// The entry points, then the exported functions that nothing in the module refers to.
    pub(super) fn roots(&self) -> Vec<Root<'m>> {
        let is_free = |id: &u32| self.names.is_exported(*id) && !self.summaries.is_referenced(*id);
        let exported = self.module.functions().iter().map(|function| function.id).filter(is_free);
        Root::entry_points(self.module).chain(exported.map(Root::Exported)).collect()
    }

    /// What a root demands, with the extensions that its capabilities need to be declared; and those capabilities.
    pub(super) fn summary(&mut self, root: &Root) -> Result<(RequirementSummary, Chosen), ConditionError> {
        let mut summary = root.summary(self.summaries);
        let chosen = self.with_extensions(&mut summary)?;
        Ok((summary, chosen))
    }

    /// Adds the extensions that the capabilities which meet a demand need to be declared; those capabilities.
    pub(super) fn with_extensions(
        &mut self,
        summary: &mut RequirementSummary,
    ) -> Result<Chosen, ConditionError> {
        let conditions = &mut self.conditions;
        let chosen = self.declarations.choose_capabilities(summary, conditions)?;
        for &(number, condition) in &chosen {
            let mut declaring = RequirementSet::EMPTY;
            let brought = self.declarations.brought(number);
            brought.iter().for_each(|&brought| self.needs.declaring(brought, &mut declaring));
            let other = RequirementSummary { always: declaring, conditional: BTreeMap::new() };
            summary.add(&other, condition, conditions)?;
        }
        summary.normalize();
        Ok(chosen)
    }

    fn entry_point(
        &mut self,
        root: &Root,
        devices: Option<&DeviceConfig>,
    ) -> Result<EntryPoint, InspectionError> {
        let (summary, chosen) = self.summary(root)?;
        let (name, stage) = (root.name(self.names), root.execution_model());
        let existence = root.existence(self.summaries, &mut self.conditions)?;
        let function = root.function();
        let sizes = self.sizes.get(&function).copied().unwrap_or_default();
        let demangled = FunctionName::new(name.as_ref()).to_string();
        let mut capabilities = Vec::new();
        for (number, condition) in chosen {
            capabilities.push(Required { name: capability_name(number), when: self.when(condition)? });
        }
        let mut extensions = Vec::new();
        let chosen = self.declarations.choose_extensions(&summary, &mut self.conditions)?;
        for (name, condition) in chosen {
            extensions.push(Required { name: name.into(), when: self.when(condition)? });
        }
        let needs = RootRequirements::of_root(self.analyses, *root, &summary, &mut self.conditions)?;
        let mut declared_aspects = Vec::new();
        let mut called_sub_group_sizes = Vec::new();
        for (&need, &condition) in &needs.declared {
            let condition = match need {
                root_requirements::DeviceRequirement::Aspect(aspect) => {
                    where_not_implied(&mut self.conditions, devices, condition, aspect)?
                }
                _ => condition,
            };
            if condition.is_false() {
                continue;
            }
            let when = self.when(condition)?;
            match need {
                root_requirements::DeviceRequirement::Aspect(aspect) => {
                    declared_aspects.push(Required { name: aspect_name(aspect), when });
                }
                root_requirements::DeviceRequirement::SubGroupSize(size)
                    if sizes.fixed_sub_group() != Some(size) =>
                {
                    called_sub_group_sizes.push(CalledSize { size, when });
                }
                _ => {}
            }
        }
        let says = !declared_aspects.is_empty() || self.analyses.declared_aspects()?.of(function).is_some();
        let kernel = stage.is_none().then(|| self.names.kernel_of(function)).flatten();
        Ok(EntryPoint {
            body_of: kernel.map(|kernel| self.names.function_name(kernel).raw().to_owned()),
            demangled: Some(demangled).filter(|demangled| *demangled != name),
            name: name.into_owned(),
            stage,
            when: self.when(existence)?,
            capabilities,
            extensions,
            requirements: self.requirements(&summary)?,
            aspects: self.aspects(&needs)?,
            declared_aspects: says.then_some(declared_aspects),
            work_group_size: sizes
                .work_group
                .map(|own| model::Sizes { size: own.dimensions, specializable: own.specializable }),
            sub_group_size: sizes.sub_group.map(one_size),
            called_sub_group_sizes,
            sub_groups_per_work_group: sizes.sub_groups.map(one_size),
            devices: None,
            needs: self.of_devices(&needs)?,
        })
    }

    fn aspects(&mut self, needs: &RootRequirements) -> Result<Vec<Required>, InspectionError> {
        let mut aspects = Vec::new();
        for (&aspect, &condition) in &needs.used {
            aspects.push(Required { name: aspect_name(aspect), when: self.when(condition)? });
        }
        Ok(aspects)
    }

    /// What devices are asked for, beside the size of work-groups.
    fn of_devices(
        &mut self,
        needs: &RootRequirements,
    ) -> Result<Vec<(root_requirements::DeviceRequirement, Expr)>, InspectionError> {
        let mut all = Vec::new();
        for (need, condition) in needs.all(&mut self.conditions)? {
            if !matches!(need, root_requirements::DeviceRequirement::WorkGroupSize(_)) {
                all.push((need, self.conditions.expr_of(condition)?));
            }
        }
        Ok(all)
    }

    fn requirements(&mut self, summary: &RequirementSummary) -> Result<Vec<AnyOf>, InspectionError> {
        let mut requirements = Vec::new();
        for (id, condition) in summary.iter() {
            let (kind, any_of) = requirement_names(id);
            let met = self.declarations.meet(id.get());
            requirements.push(AnyOf { kind, any_of, met, when: self.when(condition)? });
        }
        Ok(requirements)
    }

    pub(super) fn when(&mut self, condition: Condition) -> Result<Option<When>, ConditionError> {
        self.readable.when(condition, &mut self.conditions)
    }
}

fn need(unneeded: bool, judged: bool) -> Need {
    match (unneeded, judged) {
        (true, _) => Need::Unneeded,
        (false, true) => Need::Needed,
        (false, false) => Need::Unjudged,
    }
}

fn one_size(size: Size) -> model::Sizes<u32> {
    model::Sizes { size: size.value, specializable: size.specializable }
}

fn aspect_name(number: u32) -> Name {
    aspects::name(number).map_or_else(|| number.to_string().into(), Name::Borrowed)
}

/// The name of a capability, or its number.
pub(super) fn capability_name(number: u32) -> Name {
    capabilities::name(number).map_or_else(|| number.to_string().into(), Into::into)
}
