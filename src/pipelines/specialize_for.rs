//! A module specialized for a device, with its checks. The device is not known to be unable to run the result, and nothing stays conditional
//! unless requested.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::adapt;
use super::call_clones::{CallClonedModule, with_call_clones};
use super::entry_points::{
    EntryPointResult, RefusedEntryPoint, are_all, have_vulkan_features, only, results, runs_all,
};
use super::lower::{aspects_of, lowered, requested};
use super::predicates::pruned;
use super::recorded::MissingRequirements;
use super::resolve::{HostDecisions, has_conditional_calls, written};
use super::trap::with_traps;
use super::variants::as_variant;
use super::work_around::without_defects;
use super::{
    AotResult, ConditionalCallsOnDevice, ModuleBuffer, OpenConditions, PipelineError, relevant_leaves,
    resolve, specialize_as_is,
};
use crate::analysis::constants::SpecValue;
use crate::analysis::flow::CallCloneLimits;
use crate::analysis::requirements::{is_of_kernels, is_of_shaders};
use crate::analysis::{Analyses, Annotated, ModuleRoot, may_declare};
use crate::collections::{IdMap, gather};
use crate::compatibility::{
    Compatibility, DeviceRemedy, DeviceValues, Missing, ModuleDeclarations, Refused, check_requirements,
    defects_of, driver_defects, fails_on_driver, known_values,
};
use crate::condition::{Expr, Leaf};
use crate::device::Device;
use crate::loader::{Module, Version};
use crate::metadata::property_sets::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyNames, PropertySets, SpecialConstants, VARIANTS,
    Variants,
};
use crate::transform::adapt::AppliedAdaptation;
use crate::transform::cloning::CloneLimit;
use crate::transform::lower::{FeaturesToLower, LoweredFeature};
use crate::transform::specialize::{
    self, ConstantKey, ConstantSetting, KeyedSetting, ResolvedSettings, SpecializeOptions, SpecializeOutcome,
    SpecializeResult, UnsetPolicy,
};
use crate::transform::trap::{LackedFeatures, PossibleRequirements, Trap, TrappedBranch};
use crate::transform::trim::{TrimResult, trim};
use crate::transform::version::TooNew;
use crate::transform::{properties, strip};
use crate::writer::apply;

/// A driver with a defect that has a work-around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Driver {
    /// NVIDIA's Vulkan driver, whose compiler crashes at some OpPhis of Booleans in loop headers.
    Nvidia,
    /// Mesa's OpenCL driver, whose compiler refuses OpSpecConstantOps of pointers.
    Rusticl,
}

impl Driver {
    /// Returns the name of the driver in the tables.
    fn name(self) -> &'static str {
        match self {
            Driver::Nvidia => "nvidia",
            Driver::Rusticl => "rusticl",
        }
    }
}

/// The options of specializing a module for a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpecializeRequest {
    /// The treatment of specialization constants; of several for one constant, the last counts.
    pub set: Vec<KeyedSetting>,
    /// True to leave out settings for constants that the module does not have, as Vulkan does; else they are an error.
    pub ignore_unknown: bool,
    /// The treatment of conditions that nothing decides. By default they are an error.
    pub unset: Option<UnsetPolicy>,
    /// The maximum number of clones of one function, where calls stay conditional in a module that was not packed before.
    pub max_clones: CloneLimit,
    /// True to keep variables that hosts and other stages refer to, even if nothing in the result uses them.
    pub keep_interface: bool,
    /// Removes names, debug information and reflection.
    pub strip: bool,
    /// Removes declarations that nothing in the result requires.
    pub trim: bool,
    /// The newest version of SPIR-V that the result may be of.
    pub max_version: Option<Version>,
    /// A driver whose defects are worked around.
    pub work_around: Option<Driver>,
    /// The entry points to keep, by name; all, if none is named.
    pub entry_points: Vec<String>,
    /// True to leave out entry points that a device is known not to run, if it runs others.
    pub drop_unsupported: bool,
    /// True to refuse a device that is not known to run the result.
    pub strict: bool,
    /// True to replace constructs that the device is known to reject, if the module computes the same.
    pub adapt: bool,
    /// The features that are lowered.
    pub lower: Option<FeaturesToLower>,
    /// True to leave out the rounding of halves that are lowered, which is no remedy.
    pub wider_halves: bool,
    /// The trap that replaces blocks that require features missing on the device.
    pub trap: Option<Trap>,
}

impl SpecializeRequest {
    /// Returns true if values of the constants of a module may be set.
    pub fn sets_constants(&self) -> bool {
        !self.set.is_empty() || self.unset == Some(UnsetPolicy::Default)
    }

    /// Returns the options with the changes of a remedy in addition.
    pub fn with_remedy(&self, remedy: &DeviceRemedy) -> SpecializeRequest {
        let trap = remedy.trap.then_some(Trap::Silent);
        let setting = |&(spec_id, value): &(u32, SpecValue)| KeyedSetting {
            constant: ConstantKey::SpecId(spec_id),
            treatment: ConstantSetting::Set(value),
        };
        let mut request = self.clone();
        request.set.extend(remedy.values.iter().map(setting));
        request.trim |= remedy.trim;
        request.adapt |= remedy.adapt;
        if remedy.lower && request.lower.is_none() {
            request.lower = Some(FeaturesToLower::Missing);
            request.wider_halves = false;
        }
        request.trap = request.trap.or(trap);
        request
    }

    /// Returns the treatment of conditions that nothing decides.
    pub fn unset_policy(&self) -> UnsetPolicy {
        self.unset.unwrap_or(UnsetPolicy::Error)
    }
}

/// A module for a device.
#[derive(Clone, Debug)]
pub struct SpecializedModule<'m> {
    /// The words.
    pub words: ModuleBuffer<'m>,
    /// The property sets, where something stays conditional.
    pub properties: Option<PropertySets>,
    /// The report of specializing it.
    pub report: Arc<SpecializeOutcome>,
    /// The conditional calls, if the module was a compiler's.
    pub calls: Option<Box<ConditionalCallsOnDevice>>,
    /// The removed declarations, if that was requested.
    pub trimmed: Option<Box<TrimResult>>,
    /// The changes that adapt it to the device or to a version of SPIR-V, if that was requested.
    pub adapted: Vec<AppliedAdaptation>,
    /// The features that were lowered.
    pub lowered: Vec<LoweredFeature>,
    /// The driver for which instructions were changed, as the table of defects names it, and their number, if that was requested.
    pub worked_around: Option<(&'static str, usize)>,
    /// The constants that the module does not have and that were to be set.
    pub ignored: Vec<ConstantKey>,
    /// The constants bound to conditions whose value on the device is not known, by SpecId.
    pub unknown: Vec<(u32, Expr)>,
    /// The blocks that became traps.
    pub trapped: Vec<TrappedBranch>,
    /// The entry points that a device does not run, though it runs others.
    pub unsupported: Vec<RefusedEntryPoint>,
    /// The devices that are not known to run the result, by index, with the features that they may or may not have.
    pub not_known: Vec<(usize, Vec<Missing>)>,
    /// Features of the first device in `not_known` that the whole result requires, and then those that each entry point does.
    pub not_known_by_part: Vec<Vec<Missing>>,
}

impl SpecializedModule<'_> {
    /// Returns a copy that owns its words.
    pub fn into_owned(mut self) -> SpecializedModule<'static> {
        let words = std::mem::replace(&mut self.words, Vec::new().into()).into_owned();
        self.with_words(words)
    }

    /// Replaces the words.
    pub fn with_words(self, words: Vec<u32>) -> SpecializedModule<'static> {
        let SpecializedModule { properties, report, calls, trimmed, adapted, lowered, worked_around, .. } =
            self;
        let SpecializedModule {
            ignored, unknown, trapped, unsupported, not_known, not_known_by_part, ..
        } = self;
        let words = words.into();
        SpecializedModule {
            words,
            properties,
            report,
            calls,
            trimmed,
            adapted,
            lowered,
            worked_around,
            ignored,
            unknown,
            trapped,
            unsupported,
            not_known,
            not_known_by_part,
        }
    }
}

/// Returns items in groups of devices that get the same code, since their answers to all conditions are the same. With traps, the same
/// features are missing, too.
///
/// # Errors
/// If the conditions or the properties cannot be understood.
pub fn groups<I>(
    analyses: &Analyses,
    properties: &PropertySets,
    request: &SpecializeRequest,
    items: impl IntoIterator<Item = I>,
    device: impl Fn(&I) -> &Device,
) -> Result<Vec<Vec<I>>, PipelineError> {
    let items: Vec<I> = items.into_iter().collect();
    let lowers = request.lower.is_some() || !analyses.annotated().lower.is_empty();
    // Each device may reject something else.
    let leaves: Option<BTreeSet<Leaf>> = if items.len() > 1 && !request.adapt && !lowers {
        relevant_leaves(analyses, properties)?
    } else {
        None
    };
    let possible = request.trap.as_ref().map(|_| PossibleRequirements::new(analyses));
    type Answers = (Vec<Option<bool>>, Option<LackedFeatures>);
    let mut groups: Vec<(Answers, Vec<I>)> = Vec::new();
    for item in items {
        let device = analyses.device_for_module(device(&item));
        let answers = |leaves: &BTreeSet<Leaf>| leaves.iter().map(|&leaf| device.truth(leaf)).collect();
        let answers: Vec<Option<bool>> = leaves.as_ref().map(answers).unwrap_or_default();
        let lacked = possible.as_ref().map(|possible| possible.lacked(&device));
        let answers = (answers, lacked);
        match groups.iter_mut().find(|(of_group, _)| leaves.is_some() && *of_group == answers) {
            Some((_, group)) => group.push(item),
            None => groups.push((answers, vec![item])),
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// The property sets of a module. Those that every call needs are read once.
pub struct ModuleProperties<'p> {
    /// The property sets.
    pub sets: Cow<'p, PropertySets>,
    constants: OnceLock<SpecialConstants>,
    requirements: OnceLock<Option<DeviceRequirements>>,
}

impl<'p> ModuleProperties<'p> {
    /// Creates the property sets without reading any.
    pub fn new(sets: Cow<'p, PropertySets>) -> ModuleProperties<'p> {
        ModuleProperties { sets, constants: OnceLock::new(), requirements: OnceLock::new() }
    }

    /// Returns the constants that the properties name.
    pub(super) fn constants(&self) -> Result<&SpecialConstants, PipelineError> {
        if let Some(known) = self.constants.get() {
            return Ok(known);
        }
        let read = SpecialConstants::from_properties(&self.sets)?;
        Ok(self.constants.get_or_init(|| read))
    }

    /// Returns the requirements in the properties, if they have some.
    fn requirements(&self) -> Result<Option<&DeviceRequirements>, PipelineError> {
        if let Some(known) = self.requirements.get() {
            return Ok(known.as_ref());
        }
        let read = DeviceRequirements::from_properties(&self.sets)?;
        Ok(self.requirements.get_or_init(|| read).as_ref())
    }

    /// Returns those of their requirements that a device does not meet, or is not known to meet.
    fn checked(&self, device: &Device) -> Result<Compatibility, PipelineError> {
        let requirements = self.requirements()?;
        Ok(requirements.map(|recorded| check_requirements(device, recorded)).unwrap_or_default())
    }

    /// Checks that devices are not known to miss a requirement in them that does not depend on code ([`MissingRequirements`]).
    ///
    /// # Errors
    /// [`PipelineError::Refused`] where one is, and where the properties are malformed.
    pub fn check(
        &self,
        analyses: &Analyses,
        devices: &[&Device],
        request: &SpecializeRequest,
    ) -> Result<(), PipelineError> {
        for device in devices {
            let device = &*analyses.device_for_module(device);
            // What is not known is compared with the result.
            let missing =
                Compatibility { missing: self.checked(device)?.missing, ..Compatibility::default() };
            let of_module = (analyses, &*self.sets);
            let recorded = MissingRequirements::new(device, missing, of_module, request.sets_constants())?;
            refuse(device, recorded.always.missing)?;
        }
        Ok(())
    }

    /// Returns the properties for some of the entry points.
    fn for_some_entry_points(&self) -> Result<ModuleProperties<'static>, PipelineError> {
        let mut sets = self.sets.clone().into_owned();
        sets.sets.retain(|set| set.name != DEVICE_REQUIREMENTS);
        let of_each_part = self.requirements()?.map(DeviceRequirements::of_each_part).unwrap_or_default();
        if of_each_part != DeviceRequirements::default() {
            sets.put(of_each_part.to_set(PropertyNames::Design));
        }
        Ok(ModuleProperties::new(Cow::Owned(sets)))
    }
}

/// Refuses the device if something is missing.
fn refuse(device: &Device, missing: Vec<Missing>) -> Result<(), PipelineError> {
    if missing.is_empty() { Ok(()) } else { Err(Refused::new(&device.name, missing).into()) }
}

/// Specializes a module for devices of one group ([`groups`]).
///
/// The decisions of the host are facts on the devices, and computed constants that are set become specialization constants first.
///
/// # Errors
/// See [`PipelineError`].
pub fn specialize_for<'m>(
    analyses: &Analyses<'m>,
    properties: &ModuleProperties,
    devices: &[&Device],
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let mut request = Cow::Borrowed(request);
    let mut devices: Vec<Cow<Device>> =
        devices.iter().map(|device| analyses.device_for_module(device)).collect();
    if let Some(host) = HostDecisions::find(analyses, &properties.sets, &request.set)? {
        devices.iter_mut().for_each(|device| *device = Cow::Owned(host.apply_to(device)));
        request.to_mut().set = host.settings;
    }
    let devices: Vec<&Device> = devices.iter().map(|device| &**device).collect();
    let Some((edits, settings)) = specialize::override_constants(analyses, &request.set) else {
        return specialize_supported(analyses, properties, &devices, &request);
    };
    let module = Module::from_words(apply(analyses.module(), &edits)?)?;
    let analyses = analyses.for_edited_module(&module, Cow::Borrowed(analyses.annotated()));
    request.to_mut().set = settings;
    Ok(specialize_supported(&analyses, properties, &devices, &request)?.into_owned())
}

/// Specializes the whole module. If the devices do not run all entry points, and others may be left out, specializes
/// those that they run.
fn specialize_supported<'m>(
    analyses: &Analyses<'m>,
    properties: &ModuleProperties,
    devices: &[&Device],
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let whole = specialize_selected(analyses, properties, devices, request);
    let is_refused = match &whole {
        Ok(result) => !result.unsupported.is_empty(),
        Err(error) => matches!(error, PipelineError::Refused(_)),
    };
    if !is_refused || !request.drop_unsupported || !request.entry_points.is_empty() {
        return whole;
    }
    let roots = ModuleRoot::entry_points(analyses.module());
    let names: BTreeSet<String> = gather(roots.map(|root| root.name(analyses.names()).into_owned()));
    // Without trimming, declarations stay that only the others require.
    let only = |names| {
        let request = SpecializeRequest { entry_points: names, trim: true, ..request.clone() };
        specialize_selected(analyses, properties, devices, &request)
    };
    let (mut kept, mut unsupported) = (Vec::new(), Vec::new());
    for name in names {
        let refused = refused_features(only(vec![name.clone()]), devices, &name)?;
        if refused.is_empty() {
            kept.push(name);
        }
        unsupported.extend(refused);
    }
    if kept.is_empty() {
        return whole;
    }
    let result = only(kept)?.into_owned();
    Ok(SpecializedModule { unsupported, ..result })
}

/// Returns the features for which an entry point is refused, if it is.
fn refused_features(
    result: Result<SpecializedModule, PipelineError>,
    devices: &[&Device],
    name: &str,
) -> Result<Vec<RefusedEntryPoint>, PipelineError> {
    let refused = match result {
        Ok(_) => return Ok(Vec::new()),
        Err(PipelineError::Refused(refused)) => refused,
        Err(error) => return Err(error),
    };
    let device = devices.iter().position(|device| device.name == refused.device).unwrap_or_default();
    let missing = refused.missing.into_iter().chain(refused.unknown);
    let entry_point = |missing| RefusedEntryPoint { entry_point: name.to_owned(), device, missing };
    Ok(missing.map(entry_point).collect())
}

/// Specializes the selected entry points of a module, or all of it.
fn specialize_selected<'m>(
    analyses: &Analyses<'m>,
    properties: &ModuleProperties,
    devices: &[&Device],
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let names = &request.entry_points;
    let for_some = match names.is_empty() || are_all(analyses, names) {
        true => None,
        false => Some(properties.for_some_entry_points()?),
    };
    let properties = for_some.as_ref().unwrap_or(properties);
    properties.check(analyses, devices, request)?;
    if names.is_empty() {
        return specialize_module(analyses, properties, devices, request);
    }
    let words = only(analyses, names)?;
    if words == analyses.module().words() {
        return specialize_module(analyses, properties, devices, request);
    }
    let module = Module::from_words(words)?;
    let annotated = analyses.annotated().within(&module);
    let analyses = analyses.for_edited_module(&module, Cow::Owned(annotated));
    Ok(specialize_module(&analyses, properties, devices, request)?.into_owned())
}

/// Specializes a module with all its entry points. Decides conditions and constants, lowers features, writes traps,
/// adapts the result to the devices, and checks it.
fn specialize_module<'m>(
    analyses: &Analyses<'m>,
    properties: &ModuleProperties,
    devices: &[&Device],
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let mut result = decided_module(analyses, properties, devices[0], request)?;
    // Where something was conditional, packing has counted the annotations.
    let is_conditional = result.calls.is_some() || result.report.multi_target;
    let annotated = Some(analyses.annotated()).filter(|_| !is_conditional && analyses.is_annotated());
    let known: Vec<&Device> = devices.iter().copied().filter(|device| !device.is_unknown()).collect();
    let in_kernels = is_of_kernels(analyses.module());
    if let Some(features) = requested(request.lower.as_ref(), analyses.annotated(), &known, in_kernels)? {
        result.words = lowered(&features, request.wider_halves, &known, result.words, &mut result.lowered)?;
        if let Some(calls) = &mut result.calls {
            let lowered = aspects_of(&result.lowered, in_kernels);
            calls.requirements = calls.requirements.without_aspects(&lowered);
        }
    }
    let mut untrapped = Vec::new();
    if let Some(trap) = request.trap.as_ref().filter(|_| result.report.undecided.is_empty()) {
        let (words, traps) =
            with_traps(analyses, annotated, result.words, devices[0], trap, request.keep_interface)?;
        (result.words, result.trapped, untrapped) = (words, traps.trapped, traps.untrapped);
    }
    if request.strip {
        result.words = result.words.changed(&mut |module| Ok(strip(module)))?;
    }
    // Nothing is known to be missing on a device about which nothing is known.
    let devices: Vec<(usize, &Device)> =
        devices.iter().copied().enumerate().filter(|(_, device)| !device.is_unknown()).collect();
    let fitted = fit(result, analyses, annotated, &devices, request);
    fitted.and_then(|fitted| check(fitted, analyses, properties, &devices, request)).map_err(|error| {
        match error {
            PipelineError::Refused(refused) => {
                PipelineError::Refused(Box::new(Refused { untrapped, ..*refused }))
            }
            error => error,
        }
    })
}

/// Decides the conditions and constants of a module on a device.
fn decided_module<'m>(
    analyses: &Analyses<'m>,
    properties: &ModuleProperties,
    device: &Device,
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let known = DeviceValues::with_constants(device, properties.constants()?);
    let properties = &*properties.sets;
    let ResolvedSettings { values: mut set, unknown: ignored } =
        specialize::resolve_settings(analyses, &request.set)?;
    if !request.ignore_unknown {
        specialize::refuse_unknown(analyses.module(), &ignored)?;
    }
    let bound = set_bound(analyses, device, &mut set)?;
    let variants = Variants::from_properties(properties)?.map(|variants| (variants, set.clone()));
    let AotResult { mut words, report, calls, properties: of_result } =
        decide(analyses, properties, device, &known, set, &bound, request)?;
    if let Some((variants, set)) = variants.filter(|_| report.undecided.is_empty()) {
        let constant = |spec_id: u32| match set.value_of_spec_id(spec_id) {
            None if report.defaulted.contains(&spec_id) => Some(false),
            value => value.map(|value| value != 0),
        };
        let truth = |leaf: Leaf| known.standing_for(leaf).find_map(constant).or_else(|| device.truth(leaf));
        words = as_variant(analyses.module(), words, &variants, &truth)?;
    }
    // A constant that nothing uses any more is gone, whatever its condition is.
    let decides =
        |(spec_id, _): &(u32, Expr)| report.open.contains(spec_id) || report.defaulted.contains(spec_id);
    let unknown = bound.into_iter().filter(decides).collect();
    Ok(SpecializedModule {
        words,
        properties: of_result,
        report,
        calls,
        trimmed: None,
        adapted: Vec::new(),
        lowered: Vec::new(),
        worked_around: None,
        ignored,
        unknown,
        trapped: Vec::new(),
        unsupported: Vec::new(),
        not_known: Vec::new(),
        not_known_by_part: Vec::new(),
    })
}

/// A result that was fitted to devices.
struct FittedModule<'m> {
    result: SpecializedModule<'m>,
    entry_points: Vec<EntryPointResult>,
    /// The constructs that an older version of SPIR-V does not have.
    too_new: Option<TooNew>,
}

/// Changes a result so that devices, drivers and a version of SPIR-V accept it, as far as that is requested.
fn fit<'m>(
    mut result: SpecializedModule<'m>,
    analyses: &Analyses,
    annotated: Option<&Annotated>,
    devices: &[(usize, &Device)],
    request: &SpecializeRequest,
) -> Result<FittedModule<'m>, PipelineError> {
    let (mut words, mut adapted, mut too_new) = (result.words, Vec::new(), None);
    if request.adapt {
        for (_, device) in devices {
            words = adapt::adapted(device, words, &mut adapted, &mut too_new)?;
            words = without_defects(defects_of(device), words, &mut |defect, count| {
                let becomes = Some(defect.avoided_by.to_owned());
                adapted.push(AppliedAdaptation { construct: defect.construct.to_owned(), becomes, count });
            })?;
        }
    }
    let is_as_loaded = result.calls.is_none();
    let entry_points = entry_points_on(analyses, &words, annotated, is_as_loaded, devices)?;
    if analyses.strips_properties() {
        words = words.changed(&mut |module| Ok(properties::strip(module)))?;
    }
    if request.trim {
        words = words.changed(&mut |module| {
            let removed = result.trimmed.insert(Box::new(trim(module)));
            Ok(std::mem::take(&mut removed.edits))
        })?;
    }
    if let Some(version) = request.max_version {
        words = adapt::at_most(version, words, &mut adapted, &mut too_new)?;
    }
    if let Some(driver) = request.work_around.map(Driver::name) {
        let mut instructions = 0;
        let of_driver = driver_defects().iter().filter(|defect| defect.driver == driver);
        words = without_defects(of_driver, words, &mut |_, count| instructions += count)?;
        result.worked_around = Some((driver, instructions));
    }
    let result = SpecializedModule { words, adapted, ..result };
    Ok(FittedModule { result, entry_points, too_new })
}

/// Compares a result with devices. Returns the result with the unknown features of the devices.
fn check<'m>(
    FittedModule { mut result, entry_points, too_new }: FittedModule<'m>,
    analyses: &Analyses,
    properties: &ModuleProperties,
    devices: &[(usize, &Device)],
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'m>, PipelineError> {
    let words = &result.words;
    let declarations = if devices.is_empty() { ModuleDeclarations::default() } else { words.declarations() };
    let declarations = declarations.unconditional();
    let mut of_devices = Vec::new();
    for &(_, device) in devices {
        let mut on_device = compatibility(device, &declarations, result.calls.as_deref());
        if device.driver.is_some() && fails_on_driver(device, &Module::from_words(words.whole())?) {
            on_device.missing.push(Missing::driver_defect(device));
        }
        if !on_device.missing.is_empty() {
            let superfluous = superfluous(&Module::from_words(words.whole())?, device, &on_device.missing);
            let refused = Refused::new(&device.name, on_device.missing);
            return Err(Refused { superfluous, too_new, ..refused }.into());
        }
        let recorded = MissingRequirements::new(
            device,
            properties.checked(device)?,
            (analyses, &*properties.sets),
            request.sets_constants(),
        )?;
        let of_result =
            recorded.of_result(device, (analyses.annotated(), &*properties.sets), words.whole())?;
        refuse(device, of_result.missing)?;
        on_device.extend(Compatibility { unknown: of_result.unknown, ..Compatibility::default() });
        of_devices.push(on_device);
    }
    // Devices that run the module as it is do not make up for the version that was requested.
    if let Some(error) = too_new {
        return Err(error.into());
    }
    result.unsupported = refused_entry_points(&entry_points, devices, request)?;
    let of_whole = of_devices.first().map(|on_device| on_device.unknown.clone());
    let of_entry_points = entry_points.iter().filter_map(|entry_point| entry_point.devices.first());
    let of_entry_points = of_entry_points.map(|on_device| on_device.unknown.clone());
    result.not_known_by_part = of_whole.into_iter().chain(of_entry_points).collect();
    for (at, (&(index, device), mut on_device)) in devices.iter().zip(of_devices).enumerate() {
        for entry_point in &entry_points {
            let unknown = entry_point.devices[at].unknown.clone();
            on_device.extend(Compatibility { unknown, ..Compatibility::default() });
        }
        let unknown = on_device.unknown;
        if request.strict && !unknown.is_empty() {
            return Err(Refused { unknown, ..Refused::new(&device.name, Vec::new()) }.into());
        }
        if !unknown.is_empty() {
            result.not_known.push((index, unknown));
        }
    }
    Ok(result)
}

/// Sets the constants that are bound to known conditions, unless they are set already. Returns the constants with unknown conditions.
fn set_bound(
    analyses: &Analyses,
    device: &Device,
    set: &mut specialize::SetValues,
) -> Result<IdMap<Expr>, PipelineError> {
    let mut bound = analyses.annotated().spec_constants.clone();
    bound.retain(|&spec_id, _| !set.mentions(spec_id));
    let values = known_values(device, &bound)?;
    values.iter().for_each(|(&spec_id, &value)| set.set(spec_id, value.into()));
    bound.retain(|spec_id, _| !values.contains_key(spec_id));
    bound.keys().for_each(|&spec_id| set.bind(spec_id));
    Ok(bound)
}

/// Returns the words of a module without its compile-time properties.
///
/// # Errors
/// If the module does not load.
pub fn without_properties(words: &[u32]) -> Result<Vec<u32>, PipelineError> {
    let module = Module::from_words(words)?;
    Ok(apply(&module, &properties::strip(&module))?)
}

/// Returns the words of an image with its conditions decided on a device, as the options direct. The image is linked later: code that the
/// device does not run is found in the whole program.
///
/// # Errors
/// See [`PipelineError`].
pub fn decided_image(
    analyses: &Analyses,
    properties: &PropertySets,
    device: &Device,
    request: &SpecializeRequest,
) -> Result<Vec<u32>, PipelineError> {
    let (mut device, mut request) = (Cow::Borrowed(device), Cow::Borrowed(request));
    if let Some(host) = HostDecisions::find(analyses, properties, &request.set)? {
        device = Cow::Owned(host.apply_to(&device));
        request.to_mut().set = host.settings;
    }
    let known = DeviceValues::new(&device, properties)?;
    let mut set = specialize::resolve_settings(analyses, &request.set)?.values;
    let bound = set_bound(analyses, &device, &mut set)?;
    Ok(decide(analyses, properties, &device, &known, set, &bound, &request)?.words.into_owned())
}

/// Decides the conditions of a module on a device. Functions are cloned for calls that decide branches in them, unless calls have conditions.
fn decide<'m>(
    analyses: &Analyses<'m>,
    properties: &PropertySets,
    device: &Device,
    known: &DeviceValues,
    set: specialize::SetValues,
    bound: &IdMap<Expr>,
    request: &SpecializeRequest,
) -> Result<AotResult<'m>, PipelineError> {
    let policy = request.unset_policy();
    let options = SpecializeOptions {
        keep_interface: request.keep_interface,
        without_copies: properties.get(VARIANTS).is_some(),
        ..policy.into()
    };
    let CallClonedModule { module, clones, too_large, solution } =
        with_call_clones(analyses, known, &set, policy, &CallCloneLimits::default())?;
    let mut resolved = match module.filter(|_| has_conditional_calls(analyses).is_ok_and(|has| !has)) {
        Some(module) => {
            let analyses = analyses.for_edited_module(&module, Cow::Borrowed(analyses.annotated()));
            let options = SpecializeOptions { folds_all: true, ..options };
            let of_clones = decide_as_is(&analyses, properties, device, known, set, (request, options))?;
            let AotResult { words, mut report, calls, properties } = of_clones;
            Arc::make_mut(&mut report).call_clones = clones;
            AotResult { words: words.into_owned().into(), report, calls, properties }
        }
        None => {
            let options = SpecializeOptions { solution: solution.as_ref(), ..options };
            decide_as_is(analyses, properties, device, known, set, (request, options))?
        }
    };
    if !too_large.is_empty() {
        Arc::make_mut(&mut resolved.report).not_cloned = too_large;
    }
    let open = open_conditions(device, &resolved, known, bound);
    if policy == UnsetPolicy::Error && open.parts > 0 {
        return Err(PipelineError::Open(open));
    }
    Ok(resolved)
}

/// Decides the conditions of a module on a device, without more clones.
fn decide_as_is<'m>(
    analyses: &Analyses<'m>,
    properties: &PropertySets,
    device: &Device,
    known: &DeviceValues,
    set: specialize::SetValues,
    (request, options): (&SpecializeRequest, SpecializeOptions),
) -> Result<AotResult<'m>, PipelineError> {
    let keeps = || {
        let keeps = request.unset_policy() == UnsetPolicy::Keep;
        Ok::<_, PipelineError>(keeps || !has_conditional_calls(analyses)?)
    };
    if !(device.is_unknown() && keeps()?) {
        return resolve(analyses, properties, device, known, set, options, request.max_clones);
    }
    // Constants are set, and conditional calls stay as they are.
    let SpecializeResult { edits, report } = specialize_as_is(analyses, properties, known, set, options)?;
    let words = pruned(analyses, written(analyses.module(), &edits, &report)?)?;
    let calls = match report.multi_target {
        true => None,
        false => ConditionalCallsOnDevice::all(analyses)?.map(Box::new),
    };
    Ok(AotResult { words, report: report.into(), calls, properties: None })
}

/// Returns true if a result for one device runs on another device with the same answers and the same verdict: no
/// feature is known to be missing there, and the unknown features are the same. The other device need not have traps.
pub fn runs_as_well(result: &SpecializedModule, device: &Device) -> bool {
    if !result.trapped.is_empty() || !result.adapted.is_empty() || !result.lowered.is_empty() {
        return false;
    }
    let Ok(head) = Module::from_words(result.words.before_functions()) else { return false };
    let declarations = ModuleDeclarations::as_is(&head).unconditional();
    // The requirements of single entry points are compared where the module is made, and so are features of Vulkan.
    !may_declare(&head) && !is_of_shaders(&head) && {
        let on_device = compatibility(device, &declarations, result.calls.as_deref());
        let unknown = result.not_known.first().map_or(&[][..], |(_, unknown)| unknown);
        on_device.missing.is_empty() && on_device.unknown == unknown
    }
}

/// Compares a result's declarations, and the requirements of decided calls, with a device.
fn compatibility(
    device: &Device,
    declarations: &ModuleDeclarations,
    calls: Option<&ConditionalCallsOnDevice>,
) -> Compatibility {
    let mut result = Compatibility::new(device, declarations, &|leaf| device.truth(leaf));
    if let Some(calls) = calls {
        result.extend(check_requirements(device, &calls.requirements));
    }
    result
}

/// Compares the requirements of the entry points of a result with devices. `annotated` are the annotations that count, if there are any.
fn entry_points_on(
    analyses: &Analyses,
    words: &ModuleBuffer,
    annotated: Option<&Annotated>,
    is_as_loaded: bool,
    devices: &[(usize, &Device)],
) -> Result<Vec<EntryPointResult>, PipelineError> {
    let all_devices: Vec<&Device> = devices.iter().map(|&(_, device)| device).collect();
    if all_devices.is_empty() {
        return Ok(Vec::new());
    }
    if annotated.is_none() && have_vulkan_features(analyses, &all_devices) {
        // Specializing only keeps declarations of the original module.
        if is_as_loaded && runs_all(analyses, &all_devices) {
            return Ok(Vec::new());
        }
        if !may_declare(&Module::from_words(words.before_functions())?) {
            return Ok(Vec::new());
        }
    }
    let annotated = annotated.cloned().unwrap_or_default();
    let words = words.whole();
    Ok(match *words == *analyses.module().words() {
        true => results(&analyses.with_annotations(Cow::Owned(annotated)), &all_devices)?,
        false => {
            let module = Module::from_words(words)?;
            results(&Analyses::new(&module, Cow::Owned(annotated.within(&module))), &all_devices)?
        }
    })
}

/// Returns the entry points that devices do not run. It is an error if one of them was requested, or none is left.
fn refused_entry_points(
    results: &[EntryPointResult],
    devices: &[(usize, &Device)],
    request: &SpecializeRequest,
) -> Result<Vec<RefusedEntryPoint>, PipelineError> {
    for (at, (_, device)) in devices.iter().enumerate() {
        let refused = results.iter().filter(|entry_point| !entry_point.devices[at].missing.is_empty());
        let mut names: BTreeSet<&str> = BTreeSet::new();
        names.extend(refused.clone().map(|entry_point| entry_point.name.as_str()));
        if !names.is_empty() && (names.len() == results.len() || !request.entry_points.is_empty()) {
            let entry_points = names.into_iter().map(str::to_owned).collect();
            let missing = refused.flat_map(|entry_point| entry_point.devices[at].missing.clone()).collect();
            return Err(Refused { entry_points, ..Refused::new(&device.name, missing) }.into());
        }
    }
    let mut all = Vec::new();
    for EntryPointResult { name, devices: on_devices } in results {
        for (&(device, _), result) in devices.iter().zip(on_devices) {
            all.extend(result.missing.iter().map(|missing| RefusedEntryPoint {
                entry_point: name.clone(),
                device,
                missing: missing.clone(),
            }));
        }
    }
    Ok(all)
}

/// Returns the conditions of a result that nothing decides.
fn open_conditions(
    device: &Device,
    resolved: &AotResult,
    known: &DeviceValues,
    bound: &IdMap<Expr>,
) -> OpenConditions {
    let undecided = &resolved.report.undecided;
    let of_parts = undecided.iter().flat_map(|part| part.unknown.spec_ids.iter().copied());
    let meaning = |spec_id: u32| match bound.get(&spec_id) {
        Some(condition) => Some(condition.clone()),
        None => known.meaning(spec_id).map(Expr::Leaf),
    };
    let mut spec_ids: IdMap<Option<Expr>> = IdMap::new();
    spec_ids.extend(of_parts.map(|spec_id| (spec_id, meaning(spec_id))));
    let mut parts = undecided.len();
    if let Some(calls) = &resolved.calls {
        let is_open = |condition: &Expr| !matches!(condition, Expr::True | Expr::False);
        let leaves = calls.leaves.iter().map(|&(spec_id, leaf)| (spec_id, Some(Expr::Leaf(leaf))));
        spec_ids.extend(leaves);
        if !calls.leaves.is_empty() {
            parts += calls.conditions.iter().filter(|condition| is_open(condition)).count().max(1);
        }
    }
    OpenConditions {
        device: device.name().to_owned(),
        without_device: device.is_undescribed(),
        parts,
        spec_ids,
        device_constants: undecided
            .iter()
            .flat_map(|part| part.unknown.device_constants.iter().copied())
            .collect(),
        others: undecided.iter().any(|part| part.unknown.spec_ids.is_empty()),
    }
}

/// Returns the missing declarations that nothing in a module requires. The declarations that `trim` adds instead may
/// not be missing, too.
fn superfluous(module: &Module, device: &Device, missing: &[Missing]) -> Vec<Missing> {
    let removed = trim(module);
    let in_kernels = is_of_kernels(module);
    let is_missing = |number: u32| device.supports_capability(number, in_kernels) == Some(false);
    let is_superfluous = |missing: &&Missing| match missing {
        Missing::Capability(capability) => {
            let mut narrowed = removed.narrowed.iter().filter(|narrowed| narrowed.from == capability.0);
            removed.capabilities.contains(&capability.0) && !narrowed.any(|narrowed| is_missing(narrowed.to))
        }
        Missing::Extension(name) => removed.extensions.contains(name),
        _ => false,
    };
    missing.iter().filter(is_superfluous).cloned().collect()
}
