//! A module specialized for a device, and the checks that belong to it: the device has what the module requires, nothing stays
//! undecided unless that is asked for, and its driver accepts what comes out.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;
use thiserror::Error;

use super::entry_points::{Only, Unsupported, are_all, only, unsupported};
use super::{PipelineError, Resolved, asked, decide, resolve};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, AnalysisError, Annotated, may_declare};
use crate::compatibility::{
    Declarations, DeviceValues, Missing, RequirementsError, Unmet, refused, settled, unmet,
};
use crate::condition::{ConditionError, Expr, Leaf};
use crate::device::{Device, capabilities};
use crate::loader::{LoadError, Module};
use crate::sidecar::property_sets::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertySets};
use crate::transform::pack::Packed;
use crate::transform::specialize::{self, Report, SpecializeError, Specialized};
use crate::transform::trim::{Trimmed, trim};
use crate::transform::work_around;
use crate::writer::{WriteError, apply};

/// What becomes of conditions that nothing settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unset {
    /// They are an error, which says what they wait for.
    Error,
    /// They stay conditional.
    Keep,
    /// The constants that they depend on take their default values.
    Default,
}

/// A driver with a defect that has a work-around.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Driver {
    /// NVIDIA's Vulkan driver, whose compiler crashes on an OpPhi of Booleans to which a loop's branch back brings a value from before the
    /// loop.
    Nvidia,
}

/// What is asked for beside a device.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Values of specialization constants by SpecId, as texts that the types of the constants give a meaning.
    pub set: Vec<(u32, String)>,
    /// What becomes of conditions that nothing settles; where it is not said, see [`Request::unset_on`].
    pub unset: Option<Unset>,
    /// Whether declarations go that nothing in the result requires.
    pub trim: bool,
    /// A driver whose defects are worked around.
    pub work_around: Option<Driver>,
    /// The entry points to keep, by name; all, if none is named.
    pub entry_points: Vec<String>,
}

impl Request {
    /// What becomes of conditions that nothing settles on a device: an error, unless so little is known of the device that it
    /// stands for many (an architecture alone, or nothing).
    pub fn unset_on(&self, device: &Device) -> Unset {
        self.unset.unwrap_or(match device.is_open() {
            true => Unset::Keep,
            false => Unset::Error,
        })
    }
}

/// A module for a device.
#[derive(Clone, Debug)]
pub struct ForDevice {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets, where something stays conditional.
    pub properties: Option<PropertySets>,
    /// What specializing it found.
    pub report: Report,
    /// What packing found, if the module was a compiler's with conditional calls.
    pub packed: Option<Packed>,
    /// What was trimmed, if that was asked for.
    pub trimmed: Option<Trimmed>,
    /// How many instructions were changed for a driver, if that was asked for.
    pub worked_around: Option<usize>,
    /// The constants bound to conditions that nothing settles, by SpecId.
    pub unsettled: Vec<(u32, Expr)>,
    /// The entry points that a device does not run, though it runs others.
    pub unsupported: Vec<Unsupported>,
}

/// What a result waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// How many parts of the module would stay conditional.
    pub parts: usize,
    /// The constants that nothing settles: by SpecId, with what is known of their meaning.
    pub spec_ids: BTreeMap<u32, Option<Expr>>,
    /// Whether some part waits for device constants, or for what cannot be evaluated.
    pub others: bool,
    /// Whether anything says what SpecIds stand for.
    pub has_meanings: bool,
}

/// Why there is no module for a device.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ForDeviceError {
    /// The device, of which this is the number among those asked for, lacks what the module requires.
    #[error("the device lacks what the module requires")]
    Unmet {
        /// The number of the device.
        device: usize,
        /// All that it is known to lack.
        unmet: Vec<Unmet>,
    },
    /// The driver of a device, of which this is the number among those asked for, does not accept the result.
    #[error("the driver does not accept the result")]
    Rejected {
        /// The number of the device.
        device: usize,
        /// All that it is known to lack.
        missing: Vec<Missing>,
        /// Those of them that nothing in the result requires.
        superfluous: Vec<Missing>,
    },
    /// The device, of which this is the number among those asked for, does not run an entry point that was asked for, or any of them.
    #[error("the device does not run the entry points")]
    Unsupported(Vec<Unsupported>),
    /// There is no entry point of this name.
    #[error("there is no entry point `{name}`: the module has {}", .existing.join(", "))]
    NoEntryPoint {
        /// The name.
        name: String,
        /// The names of those that there are.
        existing: Vec<String>,
    },
    /// Something would stay conditional.
    #[error("conditions stay open")]
    Waiting(Waiting),
    /// A value does not fit its constant, or what is conditional contradicts itself.
    #[error(transparent)]
    Specialize(#[from] SpecializeError),
    /// It cannot be resolved.
    #[error(transparent)]
    Recipe(#[from] PipelineError),
    /// The properties are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A condition of the requirements cannot be understood.
    #[error(transparent)]
    Requirements(#[from] RequirementsError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The module's conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// There is no room for its ids.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The module is invalid, and what becomes of it does not load.
    #[error("the module is invalid: what becomes of it does not load")]
    Load(#[from] LoadError),
}

/// What is about devices in groups that get the same code, since all devices of a group answer the same to what is asked of them.
///
/// # Errors
/// Where the conditions or the properties cannot be understood.
pub fn groups<I>(
    analyses: &Analyses,
    properties: &PropertySets,
    items: impl IntoIterator<Item = I>,
    device: impl Fn(&I) -> &Device,
) -> Result<Vec<Vec<I>>, PipelineError> {
    let items: Vec<I> = items.into_iter().collect();
    let asked: Option<BTreeSet<Leaf>> = if items.len() > 1 { asked(analyses, properties)? } else { None };
    let mut groups: Vec<(Vec<Option<bool>>, Vec<I>)> = Vec::new();
    for item in items {
        let answers = |asked: &BTreeSet<Leaf>| asked.iter().map(|&leaf| device(&item).truth(leaf)).collect();
        let answers: Vec<Option<bool>> = asked.as_ref().map(answers).unwrap_or_default();
        match groups.iter_mut().find(|(of_group, _)| asked.is_some() && *of_group == answers) {
            Some((_, group)) => group.push(item),
            None => groups.push((answers, vec![item])),
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// Checks that devices are not known to lack what the properties of a module require.
///
/// # Errors
/// [`ForDeviceError::Unmet`] where one is, and where the properties are malformed.
pub fn check(properties: &PropertySets, devices: &[&Device]) -> Result<(), ForDeviceError> {
    let Some(set) = properties.get(DEVICE_REQUIREMENTS) else { return Ok(()) };
    let requirements = DeviceRequirements::from_set(set)?;
    for (number, device) in devices.iter().enumerate() {
        let unmet = unmet(device, &requirements)?;
        if !unmet.is_empty() {
            return Err(ForDeviceError::Unmet { device: number, unmet });
        }
    }
    Ok(())
}

/// Specializes a module for devices that answer alike ([`groups`]).
///
/// # Errors
/// See [`ForDeviceError`].
pub fn specialize_for(
    analyses: &Analyses,
    properties: &PropertySets,
    devices: &[&Device],
    request: &Request,
) -> Result<ForDevice, ForDeviceError> {
    let names = &request.entry_points;
    let mut properties = Cow::Borrowed(properties);
    if names.is_empty() || are_all(analyses, names) {
        check(&properties, devices)?;
    } else {
        // What the properties require is required by all entry points together, and says nothing of some.
        properties.to_mut().sets.retain(|set| set.name != DEVICE_REQUIREMENTS);
    }
    if names.is_empty() {
        return specialize_all(analyses, &properties, devices, request);
    }
    match only(analyses, names)? {
        Only::Missing(name, existing) => Err(ForDeviceError::NoEntryPoint { name, existing }),
        Only::Words(words) if words == analyses.module().words() => {
            specialize_all(analyses, &properties, devices, request)
        }
        Only::Words(words) => {
            let module = Module::from_words(words)?;
            let annotated = analyses.annotated().within(&module);
            specialize_all(&Analyses::new(&module, Cow::Owned(annotated)), &properties, devices, request)
        }
    }
}

/// Specializes a module with all its entry points.
fn specialize_all(
    analyses: &Analyses,
    properties: &PropertySets,
    devices: &[&Device],
    request: &Request,
) -> Result<ForDevice, ForDeviceError> {
    let device = devices[0];
    let known = DeviceValues::new(device, properties)?;
    let mut set = specialize::values(analyses.module(), &request.set)?;
    let mut bound = analyses.annotated().spec_constants.clone();
    bound.retain(|spec_id, _| request.set.iter().all(|setting| setting.0 != *spec_id));
    let settled = settled(device, &bound)?;
    set.extend(settled.iter().map(|(&spec_id, &value)| (spec_id, u64::from(value))));
    bound.retain(|spec_id, _| !settled.contains_key(spec_id));
    let unset = request.unset_on(device);
    let resolved = match *device == Device::default() {
        // Constants are set, and nothing is asked of conditional calls.
        true => {
            let Specialized { edits, report } = decide(analyses, properties, &known, &set, unset.into())?;
            Resolved { words: apply(analyses.module(), &edits)?, report, packed: None, properties: None }
        }
        false => resolve(analyses, properties, device, &known, &set, unset.into())?,
    };
    let waiting = waiting(&resolved, &known, &bound);
    if unset == Unset::Error && waiting.parts > 0 {
        return Err(ForDeviceError::Waiting(waiting));
    }
    let mut words = resolved.words;
    let mut trimmed = None;
    if request.trim {
        let module = Module::from_words(&words[..])?;
        let found = trim(&module);
        let less = apply(&module, &found.edits)?;
        words = less;
        trimmed = Some(found);
    }
    let mut worked_around = None;
    if let Some(Driver::Nvidia) = request.work_around {
        let module = Module::from_words(&words[..])?;
        let found = work_around::nvidia(&module);
        worked_around = Some(found.instructions);
        let changed = apply(&module, &found.edits)?;
        words = changed;
    }
    let head = Module::from_words(Module::before_functions(&words))?;
    let is_checked = resolved.report.multi_target && properties.get(DEVICE_REQUIREMENTS).is_some();
    let declarations = Declarations::as_is(&head);
    for (number, device) in devices.iter().enumerate() {
        let missing = refused(device, &declarations);
        if !missing.is_empty() {
            let superfluous = superfluous(&Module::from_words(&words[..])?, &missing);
            return Err(ForDeviceError::Rejected { device: number, missing, superfluous });
        }
        // What a packed module requires stands in its properties, if they are there; any other tells by itself.
        let unmet =
            if is_checked { Vec::new() } else { lacking_of(&head, device, resolved.packed.as_ref())? };
        if !unmet.is_empty() {
            return Err(ForDeviceError::Unmet { device: number, unmet });
        }
    }
    // Where something was conditional, packing has charged what annotations say.
    let is_conditional = resolved.packed.is_some() || resolved.report.multi_target;
    let annotated = if is_conditional { Annotated::default() } else { analyses.annotated().clone() };
    let unsupported = entry_points_on(analyses, &head, &words, annotated, devices, request)?;
    let unsettled = bound.into_iter().collect();
    Ok(ForDevice {
        words,
        properties: resolved.properties,
        report: resolved.report,
        packed: resolved.packed,
        trimmed,
        worked_around,
        unsettled,
        unsupported,
    })
}

/// The aspects that a device lacks and that a module requires for what it declares, or else what was found where it was packed for the device.
fn lacking_of(head: &Module, device: &Device, packed: Option<&Packed>) -> Result<Vec<Unmet>, ForDeviceError> {
    if let Some(packed) = packed {
        return Ok(unmet(device, &packed.requirements.to_requirements()?)?);
    }
    let of_kernels = is_of_kernels(head);
    let declared = head.head().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1));
    let aspects = declared.flat_map(|number| capabilities::required_aspects(number, of_kernels));
    let aspects: BTreeSet<u32> = aspects.collect();
    let lacking = aspects.into_iter().filter(|&aspect| device.has_aspect(aspect) == Some(false));
    Ok(lacking.map(Unmet::Aspect).collect())
}

/// The entry points of a result that devices do not run. Where one of them was asked for, or none is left, that is an error.
fn entry_points_on(
    analyses: &Analyses,
    head: &Module,
    words: &[u32],
    annotated: Annotated,
    devices: &[&Device],
    request: &Request,
) -> Result<Vec<Unsupported>, ForDeviceError> {
    if annotated.is_empty() && !may_declare(head) {
        return Ok(Vec::new());
    }
    let (count, unsupported) = match words == analyses.module().words() {
        true => unsupported(&analyses.with_annotations(Cow::Owned(annotated)), devices)?,
        false => {
            let module = Module::from_words(words)?;
            unsupported(&Analyses::new(&module, Cow::Owned(annotated.within(&module))), devices)?
        }
    };
    for device in 0..devices.len() {
        let own = unsupported.iter().filter(|entry| entry.device == device);
        let names: BTreeSet<&str> = own.clone().map(|entry| entry.entry_point.as_str()).collect();
        if !names.is_empty() && (names.len() == count || !request.entry_points.is_empty()) {
            return Err(ForDeviceError::Unsupported(own.cloned().collect()));
        }
    }
    Ok(unsupported)
}

impl From<Unset> for specialize::Unset {
    fn from(unset: Unset) -> specialize::Unset {
        match unset {
            Unset::Error | Unset::Keep => specialize::Unset::Keep,
            Unset::Default => specialize::Unset::Default,
        }
    }
}

/// What a result waits for.
fn waiting(resolved: &Resolved, known: &DeviceValues, bound: &BTreeMap<u32, Expr>) -> Waiting {
    let undecided = &resolved.report.undecided;
    let of_parts = undecided.iter().flat_map(|part| part.waits.spec_ids.iter().copied());
    let meaning = |spec_id: u32| match bound.get(&spec_id) {
        Some(condition) => Some(condition.clone()),
        None => known.meaning(spec_id).map(Expr::Leaf),
    };
    let mut spec_ids: BTreeMap<u32, Option<Expr>> =
        of_parts.map(|spec_id| (spec_id, meaning(spec_id))).collect();
    let mut parts = undecided.len();
    if let Some(packed) = &resolved.packed {
        let is_open = |condition: &Expr| !matches!(condition, Expr::True | Expr::False);
        let leaves = packed.leaves.iter().map(|&(spec_id, leaf)| (spec_id, Some(Expr::Leaf(leaf))));
        spec_ids.extend(leaves);
        if !packed.leaves.is_empty() {
            parts +=
                packed.summary.calls.iter().filter(|(_, _, condition)| is_open(condition)).count().max(1);
        }
    }
    Waiting {
        parts,
        spec_ids,
        others: undecided.iter().any(|part| part.waits.spec_ids.is_empty()),
        has_meanings: known.has_meanings() || resolved.packed.is_some(),
    }
}

/// What of this nothing in a module requires.
fn superfluous(module: &Module, missing: &[Missing]) -> Vec<Missing> {
    let unneeded = trim(module);
    let is_superfluous = |missing: &&Missing| match missing {
        Missing::Capability(number) => unneeded.capabilities.iter().any(|gone| *gone as u32 == *number),
        Missing::Extension(name) => unneeded.extensions.contains(name),
        _ => false,
    };
    missing.iter().filter(is_superfluous).cloned().collect()
}
