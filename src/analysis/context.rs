//! The analyses of one module: each is run when its result is first used, and the result is kept.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::annotated::Annotated;
use super::calls::DirectCalls;
use super::conditional::calls::{self, ConditionalCalls};
use super::conditional::effects::Effects;
use super::conditional::error::AnalysisError;
use super::conditional::own_actions::{self, OwnAction};
use super::conditions::multi_target::{self, MultiTarget};
use super::conditions::names::may_name_callers;
use super::conditions::predicates::PredicateTable;
use super::constants::{SpecConstantDecl, find_spec_constants, sort_by_spec_id};
use super::debug::locations::DebugLocations;
use super::debug::names::Names;
use super::entry_points::sizes::{FunctionSizes, Sizes};
use super::flow::{Dependence, Flow};
use super::limits::ValueLimits;
use super::module_scope::ModuleScope;
use super::references::call_graph::called_exports;
use super::references::graph::ReferenceGraph;
use super::references::presence::{Exports, PresenceConditions};
use super::references::summaries::RequirementSummaries;
use super::references::use_counts::UseCounts;
use super::requirements::{InstructionRequirements, api_of};
use super::root_requirements::{DeviceRequirement, unconditional};
use super::roots::ModuleRoot;
use super::sycl::declared_aspects::{DEVICE_HAS, DeclaredAspects, used_by_property};
use super::sycl::properties::{SyclProperties, USED_ASPECTS};
use super::sycl::translation_units;
use super::units::Units;
use super::vulkan_features::{VulkanFeatures, possible_features};
use crate::collections::IdMap;
use crate::condition::{Conditions, Leaf};
use crate::device::api::FeatureUse;
use crate::device::{Device, aspects};
use crate::loader::Module;
use crate::metadata::property_sets::{SpecialConstants, carried};

/// The result of an analysis that may fail, after its run. Many modules need few analyses.
type LazyResult<T> = OnceLock<Box<Result<T, AnalysisError>>>;

/// Like [`LazyResult`], but most modules have nothing of the kind: then it is `None`.
type RareLazyResult<T> = OnceLock<Option<Box<Result<T, AnalysisError>>>>;

/// The analyses of one module and of its annotations.
///
/// All commands get their analyses here, so that none runs twice and all use the same results.
pub struct Analyses<'m> {
    module: &'m Module<'m>,
    /// The annotations, without the predicates of the module.
    annotations: AnnotationsCow<'m>,
    /// The annotations with predicates; `None` if the module has none.
    with_predicates: OnceLock<Option<Box<Annotated>>>,
    is_annotated: OnceLock<bool>,
    has_no_calls: OnceLock<bool>,
    exports: Exports,
    keeps_properties: bool,
    /// Names of ids. They are apart from the other results, since many modules need them once.
    names: SharedResults<OnceLock<Names<'m>>>,
    of_words: SharedResults<WordResults<'m>>,
    of_properties: SharedResults<PropertyResults>,
    of_aspects: SharedResults<AspectResults<'m>>,
    of_calls: SharedResults<CallResults<'m>>,
}

/// Annotations: borrowed from the caller, or owned by these analyses. Most are borrowed, and take the memory of a pointer.
enum AnnotationsCow<'m> {
    Borrowed(&'m Annotated),
    Owned(Box<Annotated>),
}

impl std::ops::Deref for AnnotationsCow<'_> {
    type Target = Annotated;

    fn deref(&self) -> &Annotated {
        match self {
            AnnotationsCow::Borrowed(annotated) => annotated,
            AnnotationsCow::Owned(annotated) => annotated,
        }
    }
}

impl<'m> From<Cow<'m, Annotated>> for AnnotationsCow<'m> {
    fn from(annotated: Cow<'m, Annotated>) -> AnnotationsCow<'m> {
        match annotated {
            Cow::Borrowed(annotated) => AnnotationsCow::Borrowed(annotated),
            Cow::Owned(annotated) => AnnotationsCow::Owned(Box::new(annotated)),
        }
    }
}

/// Results that several analyses of a module may share. They take memory once one of them is used, or shared.
struct SharedResults<T>(OnceLock<Arc<T>>);

impl<T: Default> std::ops::Deref for SharedResults<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.get_or_init(Arc::default)
    }
}

impl<T> Default for SharedResults<T> {
    fn default() -> SharedResults<T> {
        SharedResults(OnceLock::new())
    }
}

impl<T> From<T> for SharedResults<T> {
    fn from(results: T) -> SharedResults<T> {
        SharedResults(Arc::new(results).into())
    }
}

impl<T: Default> Clone for SharedResults<T> {
    fn clone(&self) -> SharedResults<T> {
        SharedResults(Arc::clone(self.0.get_or_init(Arc::default)).into())
    }
}

/// The results that depend on the words of the module alone.
#[derive(Default)]
struct WordResults<'m> {
    multi_target: RareLazyResult<MultiTarget>,
    predicates: RareLazyResult<Vec<PredicateTable>>,
    locations: OnceLock<Box<DebugLocations<'m>>>,
    /// `None` if the order is the same as by id.
    spec_constants: OnceLock<Option<Box<[SpecConstantDecl]>>>,
    spec_constants_by_id: OnceLock<Vec<SpecConstantDecl>>,
    module_scope: OnceLock<ModuleScope>,
    references: OnceLock<Arc<ReferenceGraph>>,
    use_counts: OnceLock<UseCounts>,
    /// `None` where no value is limited.
    limits: OnceLock<Option<Box<ValueLimits>>>,
    direct_calls: OnceLock<Box<DirectCalls>>,
    effects: OnceLock<Box<Effects>>,
    flow: OnceLock<Box<Flow>>,
    dependences: OnceLock<Vec<Dependence>>,
    possible_vulkan_features: OnceLock<Vec<&'static FeatureUse>>,
}

/// The results that also depend on the compile-time properties in annotations.
#[derive(Default)]
struct PropertyResults {
    properties: OnceLock<SyclProperties>,
    sizes: OnceLock<FunctionSizes>,
    own_actions: OnceLock<Box<[OwnAction]>>,
}

/// The results that also depend on the aspects in annotations.
#[derive(Default)]
struct AspectResults<'m> {
    declared_aspects: LazyResult<DeclaredAspects>,
    declared_requirements: LazyResult<InstructionRequirements<'m>>,
    declared_when_called: LazyResult<bool>,
}

/// The results that also depend on all annotations, and on the exports.
#[derive(Default)]
struct CallResults<'m> {
    calls_without_regions: LazyResult<ConditionalCalls>,
    calls: LazyResult<ConditionalCalls>,
    summaries: LazyResult<RequirementSummaries<'m>>,
    presence: LazyResult<PresenceConditions>,
    vulkan_features: LazyResult<VulkanFeatures>,
    unconditional: LazyResult<Vec<Box<[DeviceRequirement]>>>,
    sources: OnceLock<IdMap<String>>,
    units: OnceLock<Box<Units>>,
    /// The results with the previous annotations: where the same calls are conditional, requirement summaries and presence
    /// conditions are shared.
    before: Option<SharedResults<CallResults<'m>>>,
}

impl<'m> Analyses<'m> {
    /// Creates the analyses of a module with annotations.
    pub fn new(module: &'m Module<'m>, annotated: Cow<'m, Annotated>) -> Analyses<'m> {
        Analyses {
            module,
            annotations: annotated.into(),
            with_predicates: OnceLock::new(),
            is_annotated: OnceLock::new(),
            has_no_calls: OnceLock::new(),
            exports: Exports::default(),
            keeps_properties: false,
            names: SharedResults::default(),
            of_words: SharedResults::default(),
            of_properties: SharedResults::default(),
            of_aspects: SharedResults::default(),
            of_calls: SharedResults::default(),
        }
    }

    /// Returns the analyses of the same module with other annotations: results that do not depend on them are shared.
    pub fn with_annotations(&self, annotated: Cow<'m, Annotated>) -> Analyses<'m> {
        let has_same_properties = self.annotations.properties == annotated.properties;
        let of_properties =
            if has_same_properties { self.of_properties.clone() } else { SharedResults::default() };
        let (mut of_aspects, mut of_calls) = (SharedResults::default(), SharedResults::default());
        if has_same_properties && self.annotations.aspects == annotated.aspects {
            of_aspects = self.of_aspects.clone();
            of_calls = match *self.annotations == *annotated {
                true => self.of_calls.clone(),
                false => CallResults { before: Some(self.of_calls.clone()), ..CallResults::default() }.into(),
            };
        }
        let (exports, names, of_words) = (self.exports.clone(), self.names.clone(), self.of_words.clone());
        let Analyses { module, keeps_properties, .. } = *self;
        Analyses {
            module,
            annotations: annotated.into(),
            with_predicates: OnceLock::new(),
            is_annotated: OnceLock::new(),
            has_no_calls: OnceLock::new(),
            exports,
            keeps_properties,
            names,
            of_words,
            of_properties,
            of_aspects,
            of_calls,
        }
    }

    /// Returns the analyses with names that are known already.
    pub fn with_names(self, names: Names<'m>) -> Analyses<'m> {
        self.names.get_or_init(|| names);
        self
    }

    /// Returns the analyses with these functions as roots, besides the entry points.
    pub fn with_exports(self, exports: Exports) -> Analyses<'m> {
        Analyses { exports, of_calls: SharedResults::default(), ..self }
    }

    /// Returns the analyses with compile-time properties that are known already.
    pub fn with_properties(self, properties: SyclProperties) -> Analyses<'m> {
        self.of_properties.properties.get_or_init(|| properties);
        self
    }

    /// Returns the analyses of a module that was made of this one.
    pub fn for_edited_module<'n>(
        &self,
        module: &'n Module<'n>,
        annotated: Cow<'n, Annotated>,
    ) -> Analyses<'n> {
        Analyses::new(module, annotated).keeping_properties(self.keeps_properties)
    }

    /// Sets whether the compile-time properties of the module stay in results.
    pub fn keeping_properties(self, keeps_properties: bool) -> Analyses<'m> {
        Analyses { keeps_properties, ..self }
    }

    /// Returns the analyses with variables that have a binding, and push constants, as roots.
    pub fn keeping_interface(&self) -> Analyses<'m> {
        let annotated = Cow::Owned(Annotated::clone(&self.annotations));
        let exports = Exports { keep_interface: true, ..self.exports.clone() };
        self.with_annotations(annotated).with_exports(exports)
    }

    /// Returns the roots of the module when branches in it are decided.
    pub fn exports_when_decided(&self) -> Exports {
        let mut exports = self.exports.clone();
        exports.called_before.extend(called_exports(self.module, self.references(), self.names()));
        exports
    }

    /// Returns a device as the module finds it: with the facts under its API.
    pub fn device_for_module<'d>(&self, device: &'d Device) -> Cow<'d, Device> {
        match device.differs_by_api() {
            true => device.for_api(api_of(self.module)),
            false => Cow::Borrowed(device),
        }
    }

    /// Returns the module.
    pub fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// Returns the constants that the host can set, in the order of their SpecIds.
    pub fn spec_constants(&self) -> &[SpecConstantDecl] {
        let by_id = self.spec_constants_by_id();
        let sorted = self.of_words.spec_constants.get_or_init(|| {
            (!by_id.is_sorted_by_key(|constant| constant.spec_id)).then(|| {
                let mut constants: Box<[SpecConstantDecl]> = by_id.into();
                sort_by_spec_id(&mut constants);
                constants
            })
        });
        sorted.as_deref().unwrap_or(by_id)
    }

    /// Returns the constants that the host can set, in the order of their ids.
    pub fn spec_constants_by_id(&self) -> &[SpecConstantDecl] {
        self.of_words.spec_constants_by_id.get_or_init(|| find_spec_constants(self.module))
    }

    /// Returns the instructions outside of functions.
    pub fn module_scope(&self) -> &ModuleScope {
        self.of_words.module_scope.get_or_init(|| ModuleScope::new(self.module))
    }

    /// Returns the references between ids, including conditional ones.
    pub fn references(&self) -> &Arc<ReferenceGraph> {
        self.of_words.references.get_or_init(|| Arc::new(ReferenceGraph::new(self.module)))
    }

    /// Returns the uses of functions, and of definitions outside of them.
    pub fn use_counts(&self) -> &UseCounts {
        self.of_words.use_counts.get_or_init(|| UseCounts::new(self.module, self.references()))
    }

    /// Returns the limits of the values of constants, if any is limited.
    pub fn limits(&self) -> Option<&ValueLimits> {
        let limits = self.of_words.limits.get_or_init(|| {
            let computed = &self.module_scope().computed;
            let limits =
                ValueLimits::new(self.module, self.spec_constants_by_id(), computed, self.references());
            (!limits.is_empty()).then(|| Box::new(limits))
        });
        limits.as_deref()
    }

    /// Returns the direct calls of functions.
    pub fn direct_calls(&self) -> &DirectCalls {
        self.of_words.direct_calls.get_or_init(|| Box::new(DirectCalls::new(self.module)))
    }

    /// Returns the branches that constants may decide.
    pub fn flow(&self) -> &Flow {
        self.of_words.flow.get_or_init(|| {
            let (module, references) = (self.module, self.references());
            let scope = self.module_scope();
            let computed = |id| {
                module
                    .definition_offset(id)
                    .is_some_and(|offset| scope.computed.binary_search(&offset).is_ok())
            };
            let is_open =
                |id| module.definition(id).is_some_and(|inst| inst.is_open_constant()) || computed(id);
            let names_constants = |function: usize| references.function_uses(function).any(is_open);
            // Most modules without such functions are large: they need not be read.
            let is_decidable = (0..module.functions().len()).any(names_constants);
            Box::new(if is_decidable { Flow::new(module, self.direct_calls()) } else { Flow::default() })
        })
    }

    /// Returns the branches that open constants may decide, each with one of these constants.
    pub fn dependences(&self) -> &[Dependence] {
        self.of_words.dependences.get_or_init(|| self.flow().dependences(self.module))
    }

    /// Returns the annotations of the module. Its predicates are bound to their meanings, unless a file binds their constants.
    pub fn annotated(&self) -> &Annotated {
        let merge = || {
            let tables = self.predicates().ok().filter(|tables| !tables.is_empty())?;
            let mut annotated = Annotated::clone(&self.annotations);
            for predicate in tables.iter().flat_map(|table| &table.predicates) {
                if !annotated.spec_constants.contains_key(&predicate.spec_id) {
                    annotated.spec_constants.insert(predicate.spec_id, predicate.condition.clone());
                    annotated.predicates.insert(predicate.spec_id);
                }
            }
            Some(Box::new(annotated))
        };
        self.with_predicates.get_or_init(merge).as_deref().unwrap_or(&self.annotations)
    }

    /// Returns the tables of predicates of the module.
    ///
    /// # Errors
    /// If one is malformed.
    pub fn predicates(&self) -> Result<&[PredicateTable], AnalysisError> {
        let tables = self.of_words.predicates.get_or_init(|| match self.find_tables() {
            Ok(tables) if tables.is_empty() => None,
            tables => Some(Box::new(tables)),
        });
        tables.as_deref().map_or(Ok(&[]), |tables| tables.as_deref().map_err(Clone::clone))
    }

    /// Returns true if annotations accompany the module.
    pub fn has_annotations(&self) -> bool {
        !self.annotations.is_empty()
    }

    /// Returns true if annotations, or predicates in the module, apply to it.
    pub fn is_annotated(&self) -> bool {
        *self.is_annotated.get_or_init(|| !self.annotated().is_empty())
    }

    /// Returns the names of ids.
    pub fn names(&self) -> &Names<'m> {
        self.names.get_or_init(|| Names::new(self.module))
    }

    /// Returns the multi-target constructs of the module.
    ///
    /// # Errors
    /// If they contradict each other.
    pub fn multi_target(&self) -> Result<&MultiTarget, AnalysisError> {
        let conditions = self.of_words.multi_target.get_or_init(|| match MultiTarget::find(self.module) {
            Ok(conditions) if conditions.is_empty() => None,
            conditions => Some(Box::new(conditions.map_err(AnalysisError::from))),
        });
        conditions
            .as_deref()
            .map_or(Ok(&multi_target::NOTHING), |conditions| conditions.as_ref().map_err(Clone::clone))
    }

    /// Returns an empty arena for conditions of the module, with the leaves that its constants stand for, as the properties in it say.
    pub fn new_conditions(&self) -> Conditions {
        let is_conditional = self.multi_target().is_ok_and(|multi_target| !multi_target.is_empty());
        let properties = is_conditional.then(|| carried::read(self.module).ok()).flatten();
        let special = properties.and_then(|sets| SpecialConstants::from_properties(&sets).ok());
        let leaves: IdMap<Leaf> = special.iter().flat_map(SpecialConstants::leaves).collect();
        let meaning = |constant: &SpecConstantDecl| Some((constant.id, *leaves.get(&constant.spec_id)?));
        let constants = if leaves.is_empty() { &[] } else { self.spec_constants_by_id() };
        Conditions::with_meanings(constants.iter().filter_map(meaning))
    }

    /// Returns the facts that decide the effects of instructions.
    pub fn effects(&self) -> &Effects {
        self.of_words.effects.get_or_init(|| Box::new(Effects::new(self.module, self.direct_calls())))
    }

    /// Returns the conditional calls, by name and by annotation, and the regions that bound specialization constants guard.
    ///
    /// # Errors
    /// If a conditional call is malformed, or the constants that a function depends on have too many combinations of values.
    pub fn calls(&self) -> Result<&ConditionalCalls, AnalysisError> {
        self.predicates()?;
        match self.has_no_calls() {
            true => Ok(&calls::NOTHING),
            false => get(&self.of_calls.calls, || self.find_calls()),
        }
    }

    /// Like [`calls`](Analyses::calls), but without guarded regions: what decides all bound constants needs none.
    ///
    /// # Errors
    /// If a conditional call is malformed.
    pub fn calls_without_regions(&self) -> Result<&ConditionalCalls, AnalysisError> {
        get(&self.of_calls.calls_without_regions, || self.find_calls_without_regions())
    }

    /// Returns the conditional callers that are their own actions, and that the module calls.
    pub fn own_actions(&self) -> &[OwnAction] {
        self.of_properties.own_actions.get_or_init(|| {
            if !may_name_callers(self.module) {
                return Box::default();
            }
            let find =
                |names: &Names| own_actions::find(self.module, self.direct_calls(), names, self.properties());
            // A module that is kept for many devices need not keep its names for this.
            let known = self.names.0.get().and_then(|names| names.get());
            known.map_or_else(|| find(&Names::new(self.module)), find)
        })
    }

    /// Returns true if nothing in the module can be a conditional call: a quick answer.
    pub fn has_no_calls(&self) -> bool {
        *self.has_no_calls.get_or_init(|| self.annotated().is_empty() && !may_name_callers(self.module))
    }

    /// Returns the results for the module with these conditional calls.
    fn results_with_same_calls(&self) -> Result<&CallResults<'m>, AnalysisError> {
        let calls = get(&self.of_calls.calls, || self.find_calls())?;
        let has_same = |before: &&CallResults| matches!(before.calls.get().map(Box::as_ref), Some(Ok(known)) if known == calls);
        let mut results: &CallResults = &self.of_calls;
        while let Some(before) = results.before.as_deref().filter(has_same) {
            results = before;
        }
        Ok(results)
    }

    /// Returns the aspects that functions declare.
    ///
    /// # Errors
    /// If a declaration cannot be read.
    pub fn declared_aspects(&self) -> Result<&DeclaredAspects, AnalysisError> {
        let (names, properties) = (self.names(), self.properties());
        let read = || Ok(DeclaredAspects::read(self.module, names, properties, &self.annotations.aspects)?);
        get(&self.of_aspects.declared_aspects, read)
    }

    /// Returns the requirements of instructions, as far as a declaration of the module meets them.
    ///
    /// # Errors
    /// If annotations name an unknown aspect.
    pub fn declared_requirements(&self) -> Result<&InstructionRequirements<'m>, AnalysisError> {
        get(&self.of_aspects.declared_requirements, || {
            tally!("declared requirements", self.module, &self.annotations.aspects);
            self.with_aspects(InstructionRequirements::declared(self.module))
        })
    }

    /// Adds the aspects that types and functions require by themselves. A function that is defined elsewhere is taken to use
    /// the aspects that it declares.
    fn with_aspects(
        &self,
        requirements: InstructionRequirements<'m>,
    ) -> Result<InstructionRequirements<'m>, AnalysisError> {
        let declared = self.declared_aspects()?;
        let is_elsewhere =
            |id: u32| self.module.function(id).is_none_or(|function| self.module.is_declaration(function));
        let mut sources = Cow::Borrowed(&self.annotations.aspects);
        if !self.properties().is_empty() {
            for (holder, aspects) in used_by_property(self.names(), self.properties())? {
                sources.to_mut().used.entry(holder).or_default().extend(aspects);
            }
        }
        for (function, aspects) in declared.iter().filter(|(function, _)| is_elsewhere(*function)) {
            let known = aspects.iter().filter(|&&aspect| aspects::name(aspect).is_some());
            sources.to_mut().used.entry(function).or_default().extend(known);
        }
        Ok(requirements.with_aspects(self.names(), &sources)?)
    }

    /// Returns the requirement summary of each function, independent of the module's declarations. Features of Vulkan that no capability names are
    /// among the requirements.
    ///
    /// # Errors
    /// If the conditional calls are malformed, annotations name an unknown aspect, or a condition is out of bounds.
    pub fn summaries(&self) -> Result<&RequirementSummaries<'m>, AnalysisError> {
        get(&self.results_with_same_calls()?.summaries, || {
            tally!("requirement summaries", self.module, self.calls()?);
            let requirements = self.with_aspects(InstructionRequirements::all(self.module))?;
            RequirementSummaries::compute(
                self.module,
                self.references(),
                requirements,
                self.calls()?,
                (self.multi_target()?, self.new_conditions()),
            )
        })
    }

    /// Returns the features of Vulkan that each root requires and no capability names.
    ///
    /// # Errors
    /// If the conditional calls are malformed, or a condition is out of bounds.
    pub fn vulkan_features(&self) -> Result<&VulkanFeatures, AnalysisError> {
        get(&self.results_with_same_calls()?.vulkan_features, || VulkanFeatures::compute(self))
    }

    /// Returns the features of Vulkan that roots may require: a quick answer, without conditions.
    pub fn possible_vulkan_features(&self) -> &[&'static FeatureUse] {
        self.of_words.possible_vulkan_features.get_or_init(|| possible_features(self.module))
    }

    /// Returns the requirements of each root on a device under no condition, in the order of [`ModuleRoot::all`]. The intermediate results are
    /// several times as large, and are not kept.
    ///
    /// # Errors
    /// If the declared requirements of functions cannot be read, or a condition is out of bounds.
    pub fn unconditional_requirements(&self) -> Result<&[Box<[DeviceRequirement]>], AnalysisError> {
        let requirements = get(&self.of_calls.unconditional, || {
            // Those with other annotations may keep the summaries.
            if self.of_calls.summaries.get().is_some() || self.of_calls.before.is_some() {
                return unconditional(self);
            }
            let annotated = Cow::Owned(Annotated::clone(&self.annotations));
            let mut same = self.with_annotations(annotated);
            if self.names.get().is_none() {
                same.names = SharedResults::default();
            }
            if self.of_aspects.declared_aspects.get().is_none() {
                same.of_aspects = SharedResults::default();
            }
            unconditional(&Analyses { of_calls: SharedResults::default(), ..same })
        });
        requirements.map(Vec::as_slice)
    }

    /// Returns the presence conditions of functions and module-scope definitions.
    ///
    /// # Errors
    /// See `PresenceConditions::compute`.
    pub fn presence(&self) -> Result<&PresenceConditions, AnalysisError> {
        get(&self.results_with_same_calls()?.presence, || self.presence_with(self.calls()?))
    }

    /// Returns the presence conditions where only these calls are conditional. They are not kept.
    ///
    /// # Errors
    /// See `PresenceConditions::compute`.
    pub fn presence_with(&self, calls: &ConditionalCalls) -> Result<PresenceConditions, AnalysisError> {
        let (names, requirements) = (self.names(), self.declared_requirements()?);
        PresenceConditions::compute(
            self.module,
            self.references(),
            names,
            calls,
            (self.multi_target()?, self.new_conditions()),
            requirements,
            &self.exports,
        )
    }

    /// Returns the work-group and sub-group sizes that functions require.
    pub fn sizes(&self) -> &FunctionSizes {
        self.of_properties.sizes.get_or_init(|| Sizes::read(self.module, self.properties()))
    }

    /// Returns true if anything in the module has a property that declares aspects or lists used aspects.
    pub fn may_declare_aspects(&self) -> bool {
        self.properties().any_has(&[DEVICE_HAS, USED_ASPECTS])
    }

    /// Returns the compile-time properties of the module.
    pub fn properties(&self) -> &SyclProperties {
        let annotations = &self.annotations.properties;
        self.of_properties.properties.get_or_init(|| {
            tally!("properties", self.module, annotations);
            SyclProperties::read(self.module, annotations)
        })
    }

    /// Returns true if properties are to be removed from what drivers get.
    pub fn strips_properties(&self) -> bool {
        !self.keeps_properties && !self.properties().is_empty()
    }

    /// Returns true if entry points require declarations of functions that they call. Then some function declares aspects, or a function
    /// other than an entry point declares sizes.
    ///
    /// # Errors
    /// If a declaration cannot be read.
    pub fn declared_when_called(&self) -> Result<bool, AnalysisError> {
        let find = || {
            let entry_points: BTreeSet<u32> =
                ModuleRoot::entry_points(self.module).map(|root| root.function()).collect();
            Ok(!self.declared_aspects()?.is_empty()
                || self.sizes().iter().any(|(id, _)| !entry_points.contains(id)))
        };
        get(&self.of_aspects.declared_when_called, find).copied()
    }

    /// Returns the translation units of functions, as far as they are known.
    pub fn sources(&self) -> &IdMap<String> {
        self.of_calls
            .sources
            .get_or_init(|| translation_units(self.module, self.properties(), &self.annotations))
    }

    /// Returns the translation units of functions, as numbers.
    pub fn units(&self) -> &Units {
        self.of_calls.units.get_or_init(|| Box::new(Units::new(self.annotated(), self.sources())))
    }

    /// Returns the source locations of ids and instructions.
    pub fn debug_locations(&self) -> &DebugLocations<'m> {
        self.of_words.locations.get_or_init(|| Box::new(DebugLocations::read(self.module)))
    }
}

fn get<T>(
    answer: &LazyResult<T>,
    work: impl FnOnce() -> Result<T, AnalysisError>,
) -> Result<&T, AnalysisError> {
    answer.get_or_init(|| Box::new(work())).as_ref().as_ref().map_err(Clone::clone)
}
