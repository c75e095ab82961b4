//! The devices that run a module, by entry point.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use super::answer::{Answer, DeviceOutcome, in_singular, takes_none};
use super::context::{InspectContext, InspectionError};
use super::defects::DefectInstruction;
use super::groups::{DeviceGroup, OTHER_KIND};
use super::lowering_cost::LoweringCost;
use super::model::{EntryPointReport, Inspected};
use super::remedy::{FoundRemedies, Remedy, RemedyTrials, remedy_options};
use spirv_if::device::Device;
use spirv_if::engine::analysis::requirements::api_of;
use spirv_if::engine::analysis::{ConditionalCall, DeviceRequirement, ModuleRoot, matrix_uses};
use spirv_if::engine::collections::{OrderedMap, sort_by_key};
use spirv_if::engine::compatibility::{
    DeviceResults, EntryRequirements, ModuleDeclarations, disjunction, explained_aspects,
};
use spirv_if::engine::condition::{ConditionError, ConditionId, Conditions, Expr};
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::error::Missing;
use spirv_if::specialize::{Compatibility, DeviceRemedy, Verdict};

/// The numbers of devices that run an entry point, of a device configuration or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceCounts {
    /// The number of devices that take modules of this kind: shaders or kernels.
    pub known: usize,
    /// The number of other devices.
    pub other_kind: usize,
    /// The number of devices known to run the unchanged module.
    pub as_is: usize,
    /// The number of devices known to run the module after its remedy: packed and specialized for them, trimmed or split.
    pub after_pack: usize,
    /// The number of other devices that run the module after `spirv-if specialize` with `--set`, and further options where they are needed.
    pub after_set: usize,
    /// The number of further devices that run the module after `spirv-if specialize --adapt`.
    pub after_adapt: usize,
    /// The number of further devices that run the module after `spirv-if specialize` with `--lower`, and `--adapt` where that is needed.
    pub after_lower: usize,
    /// The number of further devices that run the module after `spirv-if specialize` with `--trap`, and `--adapt` where that is needed.
    pub after_trap: usize,
    /// The number of devices that may or may not run the unchanged module.
    pub not_known: usize,
    /// The first missing feature of each device that does not run the unchanged module. The most frequent comes first.
    #[serde(rename = "lacking")]
    pub missing: Vec<MissingCount>,
    /// The first unknown feature of each device that is not known to run the unchanged module. The most frequent comes first.
    pub unknown: Vec<MissingCount>,
    /// The answer in sentences.
    pub answer: String,
    /// The single devices, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub each: Vec<DeviceFit>,
}

/// The counts that no remedy changes: those of devices that take modules of this kind, run the unchanged module, or may run it, and the features that
/// others are missing or may be missing.
pub type UnchangedCounts<'c> = (usize, usize, usize, &'c [MissingCount], &'c [MissingCount]);

impl DeviceCounts {
    /// Returns the counts for the unchanged module.
    pub fn unchanged(&self) -> UnchangedCounts<'_> {
        (self.known, self.as_is, self.not_known, &self.missing, &self.unknown)
    }
}

/// A feature that devices do not have, or are not known to have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct MissingCount {
    /// Name of the feature.
    pub missing: String,
    /// The number of devices whose first feature this is.
    pub devices: usize,
}

/// The answers of one device to an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceFit {
    /// Name of the device.
    pub device: String,
    /// The words for a device that takes no modules of this kind.
    pub takes_none: Option<String>,
    /// Result for the unchanged module.
    pub as_is: Compatibility,
    /// Result for the module after its remedy.
    pub after_pack: Compatibility,
    /// The options of `spirv-if specialize` with which the device runs the module, if it does not after the remedy.
    pub specialize: Option<DeviceRemedy>,
}

/// A verdict, and the features that decide it.
#[derive(Serialize)]
struct DecidedVerdict {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unknown: Vec<String>,
}

impl DeviceFit {
    /// Returns one of the results. No feature decides it if the device takes no modules of this kind.
    fn decided(&self, result: &Compatibility) -> DecidedVerdict {
        let names = |features: &[Missing]| features.iter().map(Missing::name).collect();
        match self.takes_none {
            Some(_) => DecidedVerdict { verdict: OTHER_KIND, missing: Vec::new(), unknown: Vec::new() },
            None => DecidedVerdict {
                verdict: result.verdict().name(),
                missing: names(&result.missing),
                unknown: names(&result.unknown),
            },
        }
    }
}

impl Serialize for DeviceFit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = self.specialize.as_ref().map(remedy_options);
        let mut members = serializer.serialize_struct("DeviceFit", 3 + usize::from(options.is_some()))?;
        members.serialize_field("device", &self.device)?;
        members.serialize_field("as_is", &self.decided(&self.as_is))?;
        members.serialize_field("after_pack", &self.decided(&self.after_pack))?;
        if let Some(options) = options {
            members.serialize_field("specialize", &options)?;
        }
        members.end()
    }
}

/// The declarations for an entry point, which decide the devices that run it.
#[derive(PartialEq)]
pub(super) struct RootDeclarations {
    /// Declarations of the unchanged module.
    pub as_is: ModuleDeclarations,
    /// Declarations of the packed module.
    pub after_pack: ModuleDeclarations,
    /// Declarations of the image of a root, if splitting may help.
    pub after_split: Option<ModuleDeclarations>,
}

impl InspectContext<'_, '_> {
    /// Returns the declarations of the whole module.
    ///
    /// # Errors
    /// If the module cannot be packed.
    pub(super) fn declarations_of_module(
        &self,
        inspected: &Inspected,
    ) -> Result<RootDeclarations, InspectionError> {
        let after_pack = match self.calls.is_empty() {
            true => ModuleDeclarations::after_trim(self.module, self.multi_target, &self.unneeded),
            false => ModuleDeclarations::after_pack(self.analyses)?,
        };
        let after_pack = match &self.lowered_declarations {
            Some(lowered) => after_pack.with(lowered),
            None => after_pack,
        };
        let as_is = ModuleDeclarations::as_is(self.module);
        let patterns = DefectInstruction::patterns(&inspected.defects).into_iter();
        let after_pack = ModuleDeclarations {
            recorded: self.recorded_without(&explained_aspects(&as_is, [])),
            defects: patterns.clone().map(|pattern| (pattern, self.is_unconditional())).collect(),
            ..after_pack
        };
        let as_is = ModuleDeclarations {
            recorded: self.recorded.clone(),
            defects: patterns.map(|pattern| (pattern, true)).collect(),
            undecided_calls: self.undecided_calls(None)?,
            ..as_is
        };
        Ok(RootDeclarations { as_is, after_pack, after_split: None })
    }

    /// Returns true if the module has all its code on every device.
    fn is_unconditional(&self) -> bool {
        self.calls.is_empty() && self.multi_target.is_empty()
    }

    /// Returns the number of undecided conditional calls of the unchanged module, and the condition under which not all
    /// of them may be made. `None` without such calls. With a root, only calls that it reaches count.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    fn undecided_calls(&self, root: Option<&ModuleRoot>) -> Result<Option<(usize, Expr)>, ConditionError> {
        if !self.multi_target.is_empty() || self.calls.calls.is_empty() {
            return Ok(None);
        }
        let reached: Option<BTreeSet<u32>> =
            root.map(|root| self.summaries.reached(root.function()).into_iter().collect());
        let is_reached = |call: &&ConditionalCall| match &reached {
            Some(reached) => reached.contains(&call.holder),
            None => true,
        };
        let calls: Vec<&ConditionalCall> = self.calls.calls.iter().filter(is_reached).collect();
        if calls.is_empty() {
            return Ok(None);
        }
        // Without its annotations a module is an ordinary one, which makes the call. A conditional caller is undecided on every device.
        let annotated = &self.analyses.annotated().when;
        let called: BTreeSet<u32> = calls.iter().map(|call| call.function).collect();
        let mut conditions = Conditions::new();
        let mut all_hold = ConditionId::TRUE;
        for function in called {
            let holds = match annotated.get(&function) {
                Some(when) => conditions.of_expr(when)?,
                None => ConditionId::FALSE,
            };
            all_hold = conditions.and(all_hold, holds)?;
        }
        let any_fails = conditions.not(all_hold)?;
        Ok(Some((calls.len(), conditions.expr_of(any_fails)?)))
    }

    /// Returns the recorded requirements without aspects that code explains.
    fn recorded_without(&self, explained: &BTreeSet<u32>) -> Option<Arc<DeviceRequirements>> {
        Some(Arc::new(self.recorded.as_ref()?.without_aspects(explained)))
    }

    /// Returns the recorded aspects that code explains, with the condition under which a root uses them. Specializing counts them for the
    /// whole module, as long as the result uses them.
    fn recorded_of_code(
        &self,
        explained: &BTreeSet<u32>,
        roots: &[&EntryPointReport],
    ) -> OrderedMap<DeviceRequirement, Expr> {
        let recorded = self.recorded.iter().flat_map(|recorded| recorded.all_aspects());
        let of_code: BTreeSet<u32> = recorded.filter(|aspect| explained.contains(aspect)).collect();
        let mut used: OrderedMap<DeviceRequirement, Expr> = OrderedMap::new();
        for (required, when) in roots.iter().flat_map(|root| &root.required) {
            if matches!(required, DeviceRequirement::Aspect(aspect) if of_code.contains(aspect)) {
                let known = used.remove(required);
                used.insert(*required, disjunction(known, when.clone()));
            }
        }
        used
    }

    /// Returns the recorded requirements that count for each entry point alone.
    fn recorded_for_each(&self) -> Option<Arc<DeviceRequirements>> {
        Some(Arc::new(self.recorded.as_ref()?.of_each_part()))
    }

    /// Returns the capability that all modules of this kind have; none for modules of neither kind, or of both.
    pub(super) fn kind(&self) -> Option<u32> {
        Some(api_of(self.module)?.capability_of_modules())
    }

    /// Returns the declarations for each entry point, in the order of [`Inspected::roots`].
    ///
    /// # Errors
    /// If the module cannot be packed.
    pub(super) fn declarations_of_roots(
        &self,
        inspected: &Inspected,
    ) -> Result<Vec<RootDeclarations>, InspectionError> {
        let RootDeclarations { as_is, after_pack: packed, .. } = self.declarations_of_module(inspected)?;
        let roots: Vec<&EntryPointReport> = inspected.roots().collect();
        let used = roots.iter().flat_map(|root| &root.required).filter_map(|required| match required {
            (DeviceRequirement::Aspect(aspect), Expr::True) => Some(*aspect),
            _ => None,
        });
        let explained = explained_aspects(&as_is, used);
        let packed = ModuleDeclarations { recorded: self.recorded_without(&explained), ..packed };
        let of_any_root = self.recorded_of_code(&explained, &roots);
        let certain = |pattern| (pattern, self.is_unconditional());
        let of_image = match inspected.entry_points.len() {
            1 => packed.recorded.clone(),
            _ => self.recorded_for_each(),
        };
        // Entry points, or the exported functions of a library.
        let of_roots = self.analyses.vulkan_features()?.roots.iter().zip(matrix_uses(self.analyses)?);
        let of_roots = ModuleRoot::all(self.analyses).into_iter().zip(of_roots);
        let mut of_roots = of_roots.peekable();
        let of_root = |(entry_point, root): (&EntryPointReport, ModuleRoot)| {
            let is_same = |(other, _): &(ModuleRoot, _)| other.function() == root.function();
            let (features, matrices) = match of_roots.next_if(is_same) {
                Some((_, (features, matrices))) => (&features[..], matrices),
                None => (&[][..], Vec::new()),
            };
            let mut entry = EntryRequirements::new(self.analyses, &root, features, matrices);
            entry.required.clone_from(&entry_point.required);
            // Calls become conditional when the module is packed.
            let as_called = if self.calls.is_empty() { entry.clone() } else { entry.with_all_calls() };
            let image = self.images.get(&(root.function(), root.entry_point()));
            let lowered = self.lowered_declarations.as_ref();
            let image =
                image.map(|image| lowered.map_or_else(|| image.clone(), |lowered| image.with(lowered)));
            Ok(RootDeclarations {
                as_is: ModuleDeclarations {
                    undecided_calls: self.undecided_calls(Some(&root))?,
                    ..as_is.with_entry(as_called)
                },
                after_split: image.map(|image| ModuleDeclarations {
                    recorded: of_image.clone(),
                    defects: self
                        .defects_of_image(&root, &inspected.defects)
                        .into_iter()
                        .map(certain)
                        .collect(),
                    entry: entry.clone(),
                    ..image
                }),
                after_pack: {
                    let mut entry = entry;
                    entry.required = with_module_requirements(entry.required, &of_any_root);
                    packed.with_entry(entry)
                },
            })
        };
        inspected.roots().zip(self.roots()).map(of_root).collect()
    }

    /// Adds the devices that run each entry point; with `each`, the single ones. Modules share the results of devices. `trials` find
    /// the remedies of single devices, which have none without them.
    ///
    /// # Errors
    /// If the module cannot be packed, or the properties are malformed.
    pub fn compare_with_devices(
        &self,
        inspected: &mut Inspected,
        results: &Mutex<DeviceResults>,
        each: bool,
        trials: Option<&dyn RemedyTrials>,
    ) -> Result<(), InspectionError> {
        let declarations = self.declarations_of_roots(inspected)?;
        if let Some(remedy) = inspected.remedy.with_split()
            && self.is_split_better(&declarations, results)?
        {
            inspected.remedy = remedy;
        }
        let mut known = results.lock().unwrap_or_else(PoisonError::into_inner);
        let devices = known.devices().to_vec();
        let as_is = self.on_devices(&declarations, |declared| &declared.as_is, &mut known)?;
        let packed = match inspected.remedy.splits() {
            true => self.on_devices(&declarations, RootDeclarations::of_image, &mut known)?,
            false => self.on_devices(&declarations, |declared| &declared.after_pack, &mut known)?,
        };
        drop(known);
        let remedies = match trials {
            Some(trials) => self.device_remedies(inspected, &devices, (&as_is, &packed), trials),
            None => FoundRemedies::none(declarations.len(), devices.len()),
        };
        inspected.not_lowered = remedies.not_lowered.into_iter().collect();
        let results_of = |root: usize| RootResults {
            as_is: as_is[root].clone(),
            after_pack: packed[root].clone(),
            specialize: remedies.by_root[root].clone(),
            lowering: remedies.lowering.clone(),
            undecided_calls: declarations[root].undecided_calls(),
        };
        let roots: Vec<RootResults> = (0..declarations.len()).map(results_of).collect();
        let counter =
            DeviceCounter { devices: &devices, kind: self.kind(), remedy: inspected.remedy.clone() };
        // The module is used by its entry points, or a library by its exported functions.
        let of_module = match (inspected.entry_points.len(), roots.len()) {
            (0, 0) => &[self.results_of_module(inspected, &devices, results)?][..],
            (0, _) => &roots[..],
            (entry_points, _) => &roots[..entry_points],
        };
        let outcomes = counter.outcomes(of_module);
        let undecided = self.undecided_calls(None)?.map_or(0, |(count, _)| count);
        inspected.answer = Some(Answer::new(&outcomes, counter.kind, undecided));
        if each {
            inspected.device_groups = DeviceGroup::all(&devices, of_module, &outcomes);
        }
        let mut summaries: Vec<DeviceCounts> = Vec::new();
        for root in 0..roots.len() {
            let same = |before: &usize| roots[*before] == roots[root];
            let summary = match root.checked_sub(1).filter(same) {
                Some(before) => summaries[before].clone(),
                None => {
                    let summary = counter.count(&roots[root]);
                    let each = if each { roots[root].fits(&counter) } else { Vec::new() };
                    DeviceCounts { each, ..summary }
                }
            };
            summaries.push(summary);
        }
        let roots = inspected.entry_points.iter_mut().chain(&mut inspected.exported_functions);
        for (entry_point, summary) in roots.zip(summaries) {
            entry_point.devices = Some(summary);
        }
        Ok(())
    }

    /// Returns the results of the devices for some of the declarations of each root.
    pub(super) fn on_devices(
        &self,
        roots: &[RootDeclarations],
        declarations: impl Fn(&RootDeclarations) -> &ModuleDeclarations,
        results: &mut DeviceResults,
    ) -> Result<Vec<Arc<[Compatibility]>>, InspectionError> {
        let mut result = |root| results.for_module(declarations(root), self.module, self.properties);
        Ok(roots.iter().map(&mut result).collect::<Result<_, _>>()?)
    }

    /// Returns the results of the devices for a module without entry points.
    fn results_of_module(
        &self,
        inspected: &Inspected,
        devices: &[&Device],
        results: &Mutex<DeviceResults>,
    ) -> Result<RootResults, InspectionError> {
        let declared = self.declarations_of_module(inspected)?;
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(RootResults {
            as_is: results.for_module(&declared.as_is, self.module, self.properties)?,
            after_pack: results.for_module(&declared.after_pack, self.module, self.properties)?,
            specialize: vec![None; devices.len()].into(),
            lowering: Arc::default(),
            undecided_calls: declared.undecided_calls(),
        })
    }

    /// Returns true if a device runs the image of an entry point, but not the whole module after its remedy.
    fn is_split_better(
        &self,
        declarations: &[RootDeclarations],
        results: &Mutex<DeviceResults>,
    ) -> Result<bool, InspectionError> {
        if declarations.iter().all(|declared| declared.after_split.is_none()) {
            return Ok(false);
        }
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        let trimmed = self.on_devices(declarations, |declared| &declared.after_pack, &mut results)?;
        let split = self.on_devices(declarations, RootDeclarations::of_image, &mut results)?;
        for (trimmed, split) in trimmed.iter().zip(&split) {
            if trimmed.iter().zip(split.iter()).any(|(trimmed, split)| !trimmed.runs() && split.runs()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the requirements of a root, and those that count for each root of its module.
fn with_module_requirements(
    mut required: Vec<(DeviceRequirement, Expr)>,
    of_any_root: &OrderedMap<DeviceRequirement, Expr>,
) -> Vec<(DeviceRequirement, Expr)> {
    required.retain(|(requirement, _)| !of_any_root.contains_key(requirement));
    required.extend(of_any_root.iter().map(|(requirement, when)| (*requirement, when.clone())));
    required
}

impl RootDeclarations {
    /// Returns the declarations of the image of a root, if splitting may help, or else of the packed module.
    pub fn of_image(&self) -> &ModuleDeclarations {
        self.after_split.as_ref().unwrap_or(&self.after_pack)
    }

    /// Returns the number of undecided calls of the unchanged module.
    fn undecided_calls(&self) -> usize {
        self.as_is.undecided_calls.as_ref().map_or(0, |(count, _)| *count)
    }
}

/// The results of all devices for one entry point.
#[derive(PartialEq)]
pub(super) struct RootResults {
    as_is: Arc<[Compatibility]>,
    after_pack: Arc<[Compatibility]>,
    specialize: Arc<[Option<DeviceRemedy>]>,
    lowering: Arc<[Vec<LoweringCost>]>,
    undecided_calls: usize,
}

/// The results of one device for one entry point.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct RootResult<'r> {
    /// Result for the unchanged module.
    pub as_is: &'r Compatibility,
    /// Result for the module after its remedy.
    pub after_pack: &'r Compatibility,
    /// The options with which the device runs the module, if it does not after the remedy.
    pub specialize: Option<&'r DeviceRemedy>,
    /// The costs of the features that the options lower for the device.
    pub lowering: &'r [LoweringCost],
}

impl RootResults {
    /// Returns the results of the device at an index.
    pub fn device(&self, at: usize) -> RootResult<'_> {
        RootResult {
            as_is: &self.as_is[at],
            after_pack: &self.after_pack[at],
            specialize: self.specialize[at].as_ref(),
            lowering: self.lowering.get(at).map_or(&[], Vec::as_slice),
        }
    }

    /// Returns the results as plain data.
    fn fits(&self, counter: &DeviceCounter) -> Vec<DeviceFit> {
        let fit = |(at, device): (usize, &&Device)| DeviceFit {
            device: device.name().to_owned(),
            takes_none: (!counter.takes(device)).then(|| in_singular(takes_none(counter.kind))),
            as_is: self.as_is[at].clone(),
            after_pack: self.after_pack[at].clone(),
            specialize: self.specialize[at].clone(),
        };
        counter.devices.iter().enumerate().map(fit).collect()
    }
}

/// Counts the devices that run modules of a kind.
struct DeviceCounter<'c> {
    devices: &'c [&'c Device],
    /// The capability of modules of this kind: devices that take only others are counted apart.
    kind: Option<u32>,
    remedy: Remedy,
}

impl DeviceCounter<'_> {
    fn takes(&self, device: &Device) -> bool {
        self.kind.is_none_or(|kind| !device.takes_only_other_modules(kind))
    }

    /// Returns the result of each device for all entry points.
    fn outcomes<'r>(&self, roots: &'r [RootResults]) -> Vec<DeviceOutcome<'r>> {
        let outcome = |(at, device): (usize, &&Device)| match self.takes(device) {
            true => DeviceOutcome::of_all(roots.iter().map(|root| root.device(at)), &self.remedy),
            false => DeviceOutcome::OtherKind,
        };
        self.devices.iter().enumerate().map(outcome).collect()
    }

    /// Counts the devices that run one entry point.
    fn count(&self, root: &RootResults) -> DeviceCounts {
        let outcomes = self.outcomes(std::slice::from_ref(root));
        let answer = Answer::new(&outcomes, self.kind, root.undecided_calls).text;
        let taking = self.devices.iter().enumerate().filter(|(_, device)| self.takes(device));
        let counted: Vec<RootResult> = taking.map(|(at, _)| root.device(at)).collect();
        let count = |counts: &dyn Fn(&RootResult) -> bool| counted.iter().filter(|fit| counts(fit)).count();
        let first_of = |verdict: Verdict| {
            let results = counted.iter().map(|fit| fit.as_is).filter(|as_is| as_is.verdict() == verdict);
            counts(results.filter_map(Compatibility::first))
        };
        DeviceCounts {
            known: counted.len(),
            other_kind: self.devices.len() - counted.len(),
            as_is: count(&|fit| fit.as_is.runs()),
            after_pack: count(&|fit| fit.after_pack.runs()),
            after_set: count(&|fit| fit.specialize.is_some_and(|remedy| !remedy.values.is_empty())),
            after_adapt: count(&|fit| {
                fit.specialize.is_some_and(|remedy| remedy.values.is_empty() && !remedy.lower && !remedy.trap)
            }),
            after_lower: count(&|fit| {
                fit.specialize.is_some_and(|remedy| remedy.values.is_empty() && remedy.lower && !remedy.trap)
            }),
            after_trap: count(&|fit| {
                fit.specialize.is_some_and(|remedy| remedy.values.is_empty() && remedy.trap)
            }),
            not_known: count(&|fit| fit.as_is.verdict() == Verdict::NotKnown),
            missing: first_of(Verdict::DoesNotRun),
            unknown: first_of(Verdict::NotKnown),
            answer,
            each: Vec::new(),
        }
    }
}

/// Counts features, the most frequent first.
fn counts<'r>(features: impl Iterator<Item = &'r Missing>) -> Vec<MissingCount> {
    let mut counts: OrderedMap<&Missing, usize> = OrderedMap::new();
    features.for_each(|feature| *counts.entry(feature).or_default() += 1);
    // Features that differ only in what the devices have instead are neighbours.
    let mut by_name: Vec<MissingCount> = Vec::new();
    for (missing, devices) in counts {
        let missing = missing.name();
        match by_name.last_mut().filter(|last| last.missing == missing) {
            Some(last) => last.devices += devices,
            None => by_name.push(MissingCount { missing, devices }),
        }
    }
    sort_by_key(&mut by_name, |count| Reverse(count.devices));
    by_name
}
