//! A module specialized for a device, and the checks that belong to it: the device has what the module requires, nothing stays
//! undecided unless that is asked for, and its driver accepts what comes out.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

use super::{RecipeError, Resolved, asked, resolve};
use crate::analysis::{Analyses, AnalysisError, Sizes};
use crate::condition::{ConditionError, Expr, Leaf};
use crate::device::Device;
use crate::loader::{LoadError, Module};
use crate::properties::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertySets};
use crate::runtime::{Declarations, KnownOn, Missing, RequirementsError, Unmet, refused, settled, unmet};
use crate::transform::pack::Packed;
use crate::transform::specialize::{self, Report, SpecializeError};
use crate::transform::trim::{Trimmed, trim};
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

/// What is asked for beside a device.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Values of specialization constants by SpecId, as texts that the types of the constants give a meaning.
    pub set: Vec<(u32, String)>,
    /// What becomes of conditions that nothing settles; where it is not said, see [`Request::unset_on`].
    pub unset: Option<Unset>,
    /// Whether declarations go that nothing in the result requires.
    pub trim: bool,
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
    /// The constants bound to conditions that nothing settles, by SpecId.
    pub unsettled: Vec<(u32, Expr)>,
    /// The entry points that a device does not run, for their sizes: by device and entry point.
    pub unsupported: Vec<Unsupported>,
}

/// An entry point that a device does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The name of the entry point.
    pub entry_point: String,
    /// The name of the device.
    pub device: String,
    /// What the device lacks.
    pub missing: UnsupportedSize,
}

/// A size that an entry point requires and a device does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnsupportedSize {
    /// Work-groups of so many work-items, and how many are the most.
    WorkGroup(u64, u32),
    /// Sub-groups of so many work-items, and the sizes that there are.
    SubGroup(u32, Vec<u32>),
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
    /// The device lacks what the module requires in any case.
    #[error("the device lacks what the module requires")]
    Unmet(Vec<Unmet>),
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
    /// Something would stay conditional.
    #[error("conditions stay open")]
    Waiting(Waiting),
    /// A value does not fit its constant, or what is conditional contradicts itself.
    #[error(transparent)]
    Specialize(#[from] SpecializeError),
    /// It cannot be resolved.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
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

/// The devices in groups that get the same code, since all of a group answer the same to what is asked of them.
///
/// # Errors
/// Where the conditions or the properties cannot be understood.
pub fn groups<'d>(
    analyses: &Analyses,
    properties: &PropertySets,
    devices: impl IntoIterator<Item = &'d Device>,
) -> Result<Vec<Vec<&'d Device>>, RecipeError> {
    let devices: Vec<&Device> = devices.into_iter().collect();
    let asked: Option<BTreeSet<Leaf>> = if devices.len() > 1 { asked(analyses, properties)? } else { None };
    let mut groups: Vec<(Vec<Option<bool>>, Vec<&Device>)> = Vec::new();
    for device in devices {
        let answers = |asked: &BTreeSet<Leaf>| asked.iter().map(|&leaf| device.truth(leaf)).collect();
        let answers: Vec<Option<bool>> = asked.as_ref().map(answers).unwrap_or_default();
        match groups.iter_mut().find(|(of_group, _)| asked.is_some() && *of_group == answers) {
            Some((_, group)) => group.push(device),
            None => groups.push((answers, vec![device])),
        }
    }
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

/// Whether a device is known to lack what the properties of a module require: all that it lacks.
///
/// # Errors
/// Where the properties are malformed.
pub fn lacking(properties: &PropertySets, device: &Device) -> Result<Vec<Unmet>, ForDeviceError> {
    match properties.get(DEVICE_REQUIREMENTS) {
        Some(set) => Ok(unmet(device, &DeviceRequirements::from_set(set)?)?),
        None => Ok(Vec::new()),
    }
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
    let device = devices[0];
    for device in devices {
        let lacking = lacking(properties, device)?;
        if !lacking.is_empty() {
            return Err(ForDeviceError::Unmet(lacking));
        }
    }
    let known = KnownOn::new(device, properties)?;
    let mut set = specialize::values(analyses.module(), &request.set)?;
    let mut bound = analyses.annotated().spec_constants.clone();
    bound.retain(|spec_id, _| request.set.iter().all(|setting| setting.0 != *spec_id));
    let settled = settled(device, &bound)?;
    set.extend(settled.iter().map(|(&spec_id, &value)| (spec_id, u64::from(value))));
    bound.retain(|spec_id, _| !settled.contains_key(spec_id));
    let unset = request.unset_on(device);
    let resolved = resolve(analyses, properties, device, &known, &set, unset.into())?;
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
    let head = Module::from_words(Module::before_functions(&words))?;
    let declarations = Declarations::as_is(&head);
    for (number, device) in devices.iter().enumerate() {
        let missing = refused(device, &declarations);
        if !missing.is_empty() {
            let superfluous = superfluous(&Module::from_words(&words[..])?, &missing);
            return Err(ForDeviceError::Rejected { device: number, missing, superfluous });
        }
    }
    let unsupported = unsupported(&head, devices);
    let unsettled = bound.into_iter().collect();
    Ok(ForDevice {
        words,
        properties: resolved.properties,
        report: resolved.report,
        packed: resolved.packed,
        trimmed,
        unsettled,
        unsupported,
    })
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
fn waiting(resolved: &Resolved, known: &KnownOn, bound: &BTreeMap<u32, Expr>) -> Waiting {
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

/// The entry points that devices do not run. That is no reason to refuse the module: it may have others.
fn unsupported(module: &Module, devices: &[&Device]) -> Vec<Unsupported> {
    use spirv::Op;
    let is_told =
        |device: &&Device| device.max_work_group_size.is_some() || !device.sub_group_sizes.is_empty();
    let mut unsupported = Vec::new();
    if !devices.iter().any(is_told) {
        return unsupported;
    }
    let sizes = Sizes::read(module);
    for inst in module.annotations() {
        let (function, name) = match inst.op() {
            Some(Op::EntryPoint) => (inst.word(2), inst.string(3)),
            Some(Op::ConditionalEntryPointINTEL) => (inst.word(3), inst.string(4)),
            _ => continue,
        };
        let Some(sizes) = sizes.get(&function) else { continue };
        for device in devices {
            let mut lacks = |missing| {
                let (entry_point, device) = (name.clone().into_owned(), device.name.clone());
                unsupported.push(Unsupported { entry_point, device, missing });
            };
            if let (Some(size), Some(limit)) = (sizes.fixed_work_items(), device.max_work_group_size)
                && size > limit.into()
            {
                lacks(UnsupportedSize::WorkGroup(size, limit));
            }
            // None are listed where none are known.
            let listed = &device.sub_group_sizes;
            if let Some(size) =
                sizes.fixed_sub_group().filter(|size| !listed.is_empty() && !listed.contains(size))
            {
                lacks(UnsupportedSize::SubGroup(size, listed.clone()));
            }
        }
    }
    unsupported
}
