//! One image: its words, property sets and symbols. Besides the roots, symbols include functions for other images, and imports.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use rspirv::grammar::OperandKind;
use spirv::{Decoration, LinkageType};

use super::imports::with_conditions;
use super::plan::Traits;
use super::{Jit, ModuleSplit, SplitPlan};
use crate::checks::CheckWarning;
use spirv_if::device::Device;
use spirv_if::engine::analysis::requirements::{RequirementSet, of_enumerant};
use spirv_if::engine::analysis::{Analyses, AnalysisError, Annotated};
use spirv_if::engine::collections::{IdMap, OrderedMap};
use spirv_if::engine::compatibility::ModuleDeclarations;
use spirv_if::engine::condition::Expr;
use spirv_if::engine::device::aspects;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::metadata::property_sets::{
    DeviceRequirements, EXPORTED_SYMBOLS, ImportedSymbols, PropertySubject, SPECIAL_CONSTANTS,
    SpecialConstants, add_exported, carried, subject_name,
};
use spirv_if::engine::pipelines::predicates::of_part;
use spirv_if::engine::pipelines::property_sets::{carry_over, property_sets};
use spirv_if::engine::pipelines::{PipelineError, decide_for_all, pack, without_properties};
use spirv_if::engine::transform::carry;
use spirv_if::engine::transform::condition_constants::names_of_constants;
use spirv_if::engine::transform::link_names::{NewLinkage, link_names};
use spirv_if::engine::transform::pack::PackResult;
use spirv_if::engine::transform::split::{SplitPart, SplitRoot};
use spirv_if::engine::transform::trim::{trim, unneeded};
use spirv_if::engine::writer::apply;
use spirv_if::pack::PackOptions;
use spirv_if::property_sets::{PropertyError, PropertySets};

/// An image.
#[derive(Clone, Debug)]
pub struct SplitImage {
    /// The module, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets beside it: "SYCL/device requirements", and the other sets of its translation units, or of the whole module.
    pub properties: PropertySets,
    /// The names of entry points in the image, and of exported functions that are treated like entry points.
    pub symbols: Vec<String>,
    /// The other exported functions.
    pub exported: Vec<String>,
    /// The variables that the image defines for other images of the module.
    pub variables: Vec<String>,
    /// The functions and variables that the image uses but does not define.
    pub imported: Vec<String>,
    /// Warnings about functions that the image's kernels call (docs/design/optional-kernel-features.md, "Error checking for SYCL_EXTERNAL
    /// functions"), and about variables with copies in other images.
    pub warnings: Vec<CheckWarning>,
}

impl ModuleSplit<'_> {
    /// Makes an image.
    ///
    /// # Errors
    /// If the module is invalid, and so the image too.
    pub fn image(&self, plan: &SplitPlan) -> Result<SplitImage, PipelineError> {
        let image = match self.options.jit {
            Jit::Pack => self.packed(plan)?.0,
            Jit::Declare | Jit::AddOn => self.as_it_is(plan)?,
        };
        self.finished(with_conditions(image)?)
    }

    /// Returns the declarations of the image of each root, by function and offset of the entry point.
    ///
    /// # Errors
    /// See [`ModuleSplit::image`].
    pub fn declarations_by_root(
        &self,
    ) -> Result<OrderedMap<(u32, Option<u32>), ModuleDeclarations>, PipelineError> {
        let mut by_root = OrderedMap::new();
        // Many images have equal requirements.
        let mut known = HashMap::new();
        for (number, plan) in self.plans.iter().enumerate() {
            let declarations = self.declarations(number, &mut known)?;
            for root in plan.roots.iter().map(|&number| &self.roots[number]) {
                by_root.insert((root.function, root.entry_point), declarations.clone());
            }
        }
        Ok(by_root)
    }

    /// Returns the declarations of an image. The image is made only if its instructions may have other requirements
    /// than in the module, or if parts of it are conditional. `known` has the declarations for some requirements.
    fn declarations(
        &self,
        number: usize,
        known: &mut HashMap<RequirementSet, ModuleDeclarations>,
    ) -> Result<ModuleDeclarations, PipelineError> {
        let part = self.part(number);
        let is_plain = !self.strips_properties && self.analyses.multi_target()?.is_empty();
        let linkage = self.linkage(number, &part);
        let only_loses_linkage = linkage.values().all(|new| *new == NewLinkage::None);
        if is_plain
            && only_loses_linkage
            && let Some(mut required) = self.required(&part, &IdMap::new())?
        {
            let keeps_linkage =
                || self.names().linked().any(|(id, _)| part.has(id) && !linkage.contains_key(&id));
            if !linkage.is_empty() && !keeps_linkage() {
                required.subtract(&of_linkage());
            }
            if let Some(known) = known.get(&required) {
                return Ok(known.clone());
            }
            let trimmed = unneeded(self.module(), &self.summaries()?.requirements, required);
            let multi_target = self.analyses.multi_target()?;
            let declarations = ModuleDeclarations::after_trim(self.module(), multi_target, &trimmed);
            known.insert(required, declarations.clone());
            return Ok(declarations);
        }
        // Imports, whose conditions need an analysis, declare nothing.
        let words = self.finished(self.as_it_is(&self.plans[number])?)?.words;
        // The module is analysed already.
        if words[..] == *self.module().words() {
            return Ok(ModuleDeclarations::after_pack(&self.analyses)?);
        }
        let image = Module::from_words(&words[..])?;
        Ok(ModuleDeclarations::after_pack(&Analyses::new(&image, Cow::Owned(Annotated::default())))?)
    }

    /// Removes the compile-time properties from an image: drivers do not read them.
    pub(crate) fn finished(&self, image: SplitImage) -> Result<SplitImage, PipelineError> {
        match self.strips_properties {
            true => Ok(SplitImage { words: without_properties(&image.words)?, ..image }),
            false => Ok(image),
        }
    }

    /// Makes an image, and packs it if something in the module is conditional. Conditions that all of its fixed targets answer alike are decided.
    /// Also returns the annotations of its functions.
    ///
    /// # Errors
    /// See [`ModuleSplit::image`]. Also fails if the image cannot be packed.
    pub fn packed(&self, plan: &SplitPlan) -> Result<(SplitImage, Cow<'_, Annotated>), PipelineError> {
        let mut image = self.as_it_is(plan)?;
        let targets = self.targets(&image.properties)?;
        let mut annotated = Cow::Borrowed(self.analyses.annotated());
        if self.is_conditional || !targets.is_empty() {
            annotated = Cow::Owned(self.pack(&mut image, targets)?);
        }
        Ok((image, annotated))
    }

    /// Returns the devices that an image is meant for, from its requirements. The list is empty for any device, or if a device is unknown.
    fn targets(&self, properties: &PropertySets) -> Result<Vec<Device>, PipelineError> {
        let requirements = DeviceRequirements::from_properties(properties)?;
        let mut targets = Vec::new();
        for aspect in requirements.and_then(|required| required.fixed_targets).into_iter().flatten() {
            let architecture = aspects::architecture_of(aspect);
            let all = self.fixed_devices.iter().chain(self.devices.iter());
            let before = targets.len();
            targets.extend(
                all.filter(|device| architecture.is_some() && device.architecture == architecture)
                    .map(|device| self.analyses.device_for_module(device).into_owned()),
            );
            if targets.len() == before {
                return Ok(Vec::new());
            }
        }
        Ok(targets)
    }

    fn as_it_is(&self, plan: &SplitPlan) -> Result<SplitImage, PipelineError> {
        let roots: Vec<_> = plan.roots.iter().map(|&number| &self.roots[number]).collect();
        let number = self.plans.iter().position(|other| other == plan).unwrap_or_default();
        let part = self.part(number);
        let rename = self.options.rename_entry.as_deref().filter(|_| part.entry_points().len() == 1);
        let (requirements, mut warnings) = self.requirements(plan, &part)?;
        let copied = self.copied.iter().filter(|(id, _)| part.has(*id));
        warnings.extend(copied.map(|(_, warning)| warning.clone()));
        let of_roots = roots.iter().map(|root| match (root.entry_point, rename) {
            (Some(_), Some(name)) => name.to_owned(),
            _ => root.name.clone(),
        });
        let mut imported = self.symbols.imported(&part);
        let elsewhere = self.elsewhere(number, &part);
        if self.owned.is_imported {
            imported.extend(elsewhere.iter().filter_map(|&id| self.owned_name(id)));
        }
        let exported = self.symbols.exported(&part, &roots, &elsewhere);
        let variables = self.owned.state(number).filter(|&(id, _, defines)| defines && part.has(id));
        let variables: Vec<String> = variables.map(|(_, name, _)| name.to_owned()).collect();
        let mut properties = self.properties(&part, &roots, requirements)?;
        let symbols = imported.iter().map(|name| (name.clone(), Expr::True)).collect();
        ImportedSymbols { symbols }.put(&mut properties)?;
        let functions = roots.iter().filter(|root| root.entry_point.is_none()).map(|root| &root.name);
        add_exported(&mut properties, functions.chain(&exported).chain(&variables));
        Ok(SplitImage {
            words: self.words((number, &part), rename, &properties)?,
            properties,
            symbols: of_roots.collect(),
            exported,
            variables,
            imported,
            warnings,
        })
    }

    /// Packs an image, so that it loads on every device that meets its unconditional requirements. Conditions that all `targets` answer alike
    /// are decided. The requirements stay the same. The properties get the meanings of its constants. Returns the annotations of its functions.
    fn pack(&self, image: &mut SplitImage, targets: Vec<Device>) -> Result<Annotated, PipelineError> {
        let module = Module::from_words(std::mem::take(&mut image.words))?;
        let annotated = match module.words() == self.analyses.module().words() {
            true => self.decide_and_pack(&self.analyses, image, targets)?,
            false => {
                let annotated = Cow::Owned(self.analyses.annotated().within(&module));
                self.decide_and_pack(&Analyses::new(&module, annotated), image, targets)?
            }
        };
        Ok(annotated)
    }

    fn decide_and_pack(
        &self,
        analyses: &Analyses,
        image: &mut SplitImage,
        targets: Vec<Device>,
    ) -> Result<Annotated, PipelineError> {
        let decided = match targets.is_empty() {
            true => None,
            false => decide_for_all(analyses, &image.properties, &targets)?,
        };
        let Some(decided) = decided else { return self.pack_decided(analyses, image, targets) };
        retain_constants(&mut image.properties, &decided)?;
        let annotated = Cow::Borrowed(analyses.annotated());
        let exports = analyses.exports_when_decided();
        self.pack_decided(&Analyses::new(&decided, annotated).with_exports(exports), image, targets)
    }

    fn pack_decided(
        &self,
        analyses: &Analyses,
        image: &mut SplitImage,
        targets: Vec<Device>,
    ) -> Result<Annotated, PipelineError> {
        let module = analyses.module();
        if !self.is_conditional {
            image.words = module.words().to_vec();
            return Ok(analyses.annotated().within(module));
        }
        let carried = |packed: &PackResult| {
            let sets = property_sets(packed, self.options.property_names)?;
            let sets = carry_over(module, &image.properties, sets, self.options.property_names)?;
            let mut properties = image.properties.clone();
            if let Some(special) = sets.get(SPECIAL_CONSTANTS) {
                properties.put(special.clone());
            }
            Ok(Some(properties))
        };
        // A host sets the constants of all images by one SpecId.
        let taken = self.spec_ids.iter().map(|&(_, spec_id)| spec_id).collect();
        let options = PackOptions::new().max_clones(self.options.max_clones.0).for_part(
            targets,
            taken,
            names_of_constants(self.module()),
        );
        let packed = pack(analyses, &options, &carried)?;
        image.words = packed.words;
        image.properties = packed.properties.unwrap_or_default();
        Ok(packed.annotated)
    }

    /// Returns a part without unneeded declarations. It carries its properties if the module carries its own.
    fn words(
        &self,
        (number, part): (usize, &SplitPart),
        rename: Option<&str>,
        properties: &PropertySets,
    ) -> Result<Vec<u32>, PipelineError> {
        let mut edits = part.edits(rename);
        if carried::strings(self.module()).next().is_some() {
            carry(self.module(), Some(properties), &mut edits)?;
        }
        let linkage = self.linkage(number, part);
        if let Some(required) = self.required(part, &linkage)? {
            edits.append(&unneeded(self.module(), &self.summaries()?.requirements, required).edits);
            return of_part(self.module(), apply(self.module(), &edits)?);
        }
        let mut image = Module::from_words(of_part(self.module(), apply(self.module(), &edits)?)?)?;
        if !linkage.is_empty() {
            image = Module::from_words(apply(&image, &link_names(&image, &linkage))?)?;
        }
        Ok(apply(&image, &trim(&image).edits)?)
    }

    /// Returns the requirements of a part with this new linkage, from those of the module. `None` if they differ: in a
    /// shader, the requirements of instructions depend on the entry points of the module, and those of a definition on
    /// its linkage.
    fn required(
        &self,
        part: &SplitPart,
        linkage: &IdMap<NewLinkage>,
    ) -> Result<Option<RequirementSet>, AnalysisError> {
        if !self.of_kernels || !linkage.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.summaries()?.of_part(&part.functions(), part.entries(), part.ids())))
    }

    /// Returns the definitions of a part that another image exports.
    fn elsewhere(&self, number: usize, part: &SplitPart) -> Vec<u32> {
        let roots: Vec<&SplitRoot> = self.plans[number].roots.iter().map(|&root| &self.roots[root]).collect();
        let elsewhere = self.owned.elsewhere(number, &roots);
        let mut elsewhere: Vec<u32> = elsewhere.into_iter().filter(|&id| part.has(id)).collect();
        elsewhere.sort_unstable();
        elsewhere
    }

    /// Returns the definitions of a part with another linkage than in the module.
    fn linkage(&self, number: usize, part: &SplitPart) -> IdMap<NewLinkage> {
        let state = self.owned.state(number).filter(|(id, ..)| part.has(*id));
        let state = state.map(|(id, name, defines)| {
            let name = name.to_owned();
            (id, if defines { NewLinkage::Export(name) } else { NewLinkage::Import(name) })
        });
        let mut linkage: IdMap<NewLinkage> = state.collect();
        if !self.owned.is_imported {
            linkage.extend(self.elsewhere(number, part).into_iter().map(|id| (id, NewLinkage::None)));
        }
        linkage
    }

    /// Returns the linkage name of a definition that another image owns.
    fn owned_name(&self, id: u32) -> Option<String> {
        let linkage = self.names().linkage(id).map(|linkage| linkage.name.into_owned());
        linkage.or_else(|| self.owned.name(id))
    }

    /// Returns the requirements of the image, and warnings (docs/design/optional-kernel-features.md, "Error checking for SYCL_EXTERNAL
    /// functions").
    fn requirements(
        &self,
        plan: &SplitPlan,
        part: &SplitPart,
    ) -> Result<(DeviceRequirements, Vec<CheckWarning>), PipelineError> {
        let external = self.external(plan, part)?;
        let requirements = match &plan.traits {
            Traits::Fixed(targets) => {
                let targets = targets.difference(&external.foreign_targets).copied().collect();
                DeviceRequirements { fixed_targets: Some(targets), ..DeviceRequirements::default() }
            }
            Traits::Any(required) => required.to_requirements(self.options.property_names)?,
        };
        Ok((requirements, external.warnings))
    }

    fn properties(
        &self,
        part: &SplitPart,
        roots: &[&SplitRoot],
        mut requirements: DeviceRequirements,
    ) -> Result<PropertySets, PipelineError> {
        let mut properties = self.kept_properties(roots);
        properties.sets.retain(|set| set.name != EXPORTED_SYMBOLS);
        self.retain_subjects(&mut properties, part, roots);
        if let Some(before) = DeviceRequirements::from_properties(&properties)? {
            (requirements.condition, requirements.other) = (before.condition, before.other);
        }
        if properties.get(SPECIAL_CONSTANTS).is_some() {
            let in_part =
                |spec_id: u32| self.spec_ids.iter().any(|&(id, other)| other == spec_id && part.has(id));
            let mut special: SpecialConstants = self.special.clone();
            special.retain(in_part);
            properties.put(special.to_set());
        }
        properties.put(requirements.to_set(self.options.property_names));
        Ok(properties)
    }
}

impl ModuleSplit<'_> {
    /// Returns the properties beside the translation units of an image, or else those beside the module.
    fn kept_properties(&self, roots: &[&SplitRoot]) -> PropertySets {
        let units = &self.analyses.annotated().unit_properties;
        if units.is_empty() {
            return self.properties.clone().into_owned();
        }
        let mut properties = units.of_image(&self.units(roots.iter().copied()));
        properties.sets.extend(self.properties.get(SPECIAL_CONSTANTS).cloned());
        properties
    }

    /// Removes the properties of kernels and variables that other images have.
    fn retain_subjects(&self, properties: &mut PropertySets, part: &SplitPart, roots: &[&SplitRoot]) {
        let kernels: HashSet<&str> = roots.iter().map(|root| &*root.name).collect();
        let is_here = |set: &str, property: &str| {
            let name = subject_name(property);
            let is_elsewhere = match PropertySubject::new(set, property) {
                PropertySubject::Image => false,
                PropertySubject::Kernel | PropertySubject::Variable => {
                    self.globals.variable(name).is_some_and(|id| !part.has(id))
                        || self.kernels.contains(name) && !kernels.contains(name)
                }
            };
            !is_elsewhere
        };
        properties.sets.retain_mut(|set| {
            let was_empty = set.properties.is_empty();
            set.properties.retain(|(property, _)| is_here(&set.name, property));
            was_empty || !set.properties.is_empty()
        });
    }
}

/// Returns the requirements of linkage.
fn of_linkage() -> RequirementSet {
    let attributes = of_enumerant(OperandKind::Decoration, Decoration::LinkageAttributes as u32);
    let types = [LinkageType::Export, LinkageType::Import]
        .into_iter()
        .flat_map(|type_| of_enumerant(OperandKind::LinkageType, type_ as u32));
    attributes.iter().chain(types).copied().collect()
}

/// The functions and variables with linkage names, by id.
#[derive(Default)]
pub(super) struct ImageSymbols {
    exported: Vec<(u32, String)>,
    imported: Vec<(u32, String)>,
}

impl ImageSymbols {
    /// Finds the symbols of the module. The import of a built-in variable is only a form. Conditional callers do not exist any more once
    /// their calls are packed. If only entry points are roots, no image has exports either.
    pub fn new(split: &ModuleSplit) -> Result<ImageSymbols, AnalysisError> {
        let (module, names) = (split.module(), split.names());
        let built_in =
            module.annotations().filter_map(|inst| views::Decoration::with(inst, Decoration::BuiltIn));
        let built_in: BTreeSet<u32> = built_in.map(|decoration| decoration.target()).collect();
        let callers = split.analyses.calls()?.replaced();
        let mut symbols = ImageSymbols { exported: Vec::new(), imported: Vec::new() };
        for (id, linkage) in names.linked() {
            let is_function = module.is_function(id);
            let name = linkage.name.into_owned();
            match (linkage.import, callers.contains(&id)) {
                (true, is_caller)
                    if !(built_in.contains(&id) || is_caller && split.options.jit != Jit::Declare) =>
                {
                    symbols.imported.push((id, name));
                }
                (false, false)
                    if is_function && !split.options.only_entry_points && names.kernel_of(id).is_none() =>
                {
                    symbols.exported.push((id, name))
                }
                _ => {}
            }
        }
        Ok(symbols)
    }

    /// Returns the exported functions that the roots of an image call, except roots and `others`.
    pub fn exported(&self, part: &SplitPart, roots: &[&SplitRoot], others: &[u32]) -> Vec<String> {
        let is_root = |id: u32| roots.iter().any(|root| root.function == id || root.companions.contains(&id));
        let is_own = |id: u32| part.has(id) && !is_root(id) && !others.contains(&id);
        let used = self.exported.iter().filter(|(id, _)| is_own(*id));
        used.map(|(_, name)| name.clone()).collect()
    }

    /// Returns the functions and variables that an image uses and does not define.
    pub fn imported(&self, part: &SplitPart) -> Vec<String> {
        let used = self.imported.iter().filter(|(id, _)| part.has(*id));
        used.map(|(_, name)| name.clone()).collect()
    }
}

/// Removes special constants that a module does not have.
fn retain_constants(properties: &mut PropertySets, module: &Module) -> Result<(), PropertyError> {
    let Some(set) = properties.get(SPECIAL_CONSTANTS) else { return Ok(()) };
    let mut special = SpecialConstants::from_set(set)?;
    special.retain(|spec_id| module.spec_ids().any(|decl| decl.spec_id() == spec_id));
    properties.put(special.to_set());
    Ok(())
}
