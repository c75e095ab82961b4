//! `specialize`: a plain module for the device at hand.

use std::fmt::Write;
use std::hash::Hash;
#[cfg(feature = "owned")]
use std::sync::Arc;
use std::sync::OnceLock;

use super::key::{Key, KeyHasher};
use super::{Condition, Error, Interface, Missing, Module, SpecConstant, SpecId};
use crate::analysis::Analyses;
use crate::condition::Expr;
use crate::device::Device;
use crate::loader;
use crate::metadata::property_sets::PropertySets;
use crate::pipelines;
use crate::pipelines::{ForDevice, ModuleProperties, Request, Words};
use crate::transform::cloning::CloneLimit;
use crate::transform::specialize::{Setting, Treatment, Undecided as Part};

pub use crate::pipelines::{Driver, Unset};

/// Options of [`Prepared::specialize`]: values of specialization constants, and changes to the result.
///
/// ```
/// let settings = spirv_if::Settings::new().set(3, 64u32).set(4, 1.5f32).set(5, true).trim();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub(super) request: Request,
}

impl Settings {
    /// The default settings.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Sets specialization constants to a value: a number, a Boolean, or the text of one, such as the bits `0x3f800000`, which is read by the
    /// type of each constant. They become ordinary constants, and the branches that they decide are folded. Of several settings for one
    /// constant, the last counts.
    ///
    /// A name is also that of a decision of the host in conditions, as `fast` or `host(fast)`, whose value is a Boolean.
    pub fn set(self, constant: impl Into<SpecConstant>, value: impl ToString) -> Settings {
        self.with(constant, Treatment::Set(value.to_string()))
    }

    /// Gives specialization constants a new default value. They stay specialization constants, so that a driver can still set them, as by
    /// VkSpecializationInfo: nothing that depends on them is decided.
    pub fn set_default(self, constant: impl Into<SpecConstant>, value: impl ToString) -> Settings {
        self.with(constant, Treatment::Default(value.to_string()))
    }

    /// Leaves specialization constants as they are, even where their value is known on the device. Constants that nothing sets and that stand
    /// for nothing are left in any case.
    pub fn leave(self, constant: impl Into<SpecConstant>) -> Settings {
        self.with(constant, Treatment::Keep)
    }

    fn with(mut self, constant: impl Into<SpecConstant>, treatment: Treatment) -> Settings {
        self.request.set.push(Setting { constant: constant.into().0, treatment });
        self
    }

    /// Leaves out settings for constants that the module does not have, as Vulkan does, and lists them in [`SpecializeReport::ignored`]. By
    /// default they are an error.
    pub fn ignore_unknown(mut self) -> Settings {
        self.request.ignore_unknown = true;
        self
    }

    /// A device as it is for a host that decides as these settings do: conditions ask for the Boolean values that are set for names, such as
    /// `fast` of `host(fast)`. [`Prepared::specialize`] does so by itself; [`Program::select`](crate::Program::select) has no settings.
    pub fn on(&self, device: &Device) -> Device {
        pipelines::on_host(device, &self.request.set)
    }

    /// Sets the treatment of conditions that are not known. By default they are an error, unless nothing but an architecture, or nothing at
    /// all, is known of the device: then they stay conditional.
    pub fn unset(mut self, unset: Unset) -> Settings {
        self.request.unset = Some(unset);
        self
    }

    /// Sets the most clones of one function, as [`PackOptions::max_clones`](crate::PackOptions::max_clones), where calls stay conditional in a
    /// module that was not packed. 8 by default.
    pub fn max_clones(mut self, count: usize) -> Settings {
        self.request.max_clones = CloneLimit(count);
        self
    }

    /// Keeps only the entry points with these names. By default all are kept; those that the device does not run are listed in
    /// [`SpecializeReport::unsupported`].
    pub fn entry_point(mut self, name: impl Into<String>) -> Settings {
        self.request.entry_points.push(name.into());
        self
    }

    /// Keeps imports that no image of a program defines, as of functions that drivers have, in what
    /// [`Selection::specialize`](crate::Selection::specialize) makes; the module then declares the Linkage capability. By default they are an
    /// error. Imports of a module that is specialized by itself are kept in any case.
    pub fn allow_partial_linkage(mut self) -> Settings {
        self.request.allow_partial_linkage = true;
        self
    }

    /// Works around the known defects of a driver.
    pub fn work_around(mut self, driver: Driver) -> Settings {
        self.request.work_around = Some(driver);
        self
    }

    /// Keeps the interface as it was: variables with a binding or a location and push constants stay, even if nothing in the result uses them. By
    /// default those without a location are removed with the code that uses them, and [`Prepared::removed_interface`] tells which. Entry
    /// points, and what is conditional itself, are removed in any case.
    pub fn keep_interface(mut self) -> Settings {
        self.request.keep_interface = true;
        self
    }

    /// Removes names, debug information and reflection from the result, as [`strip`](crate::strip) does.
    pub fn strip(mut self) -> Settings {
        self.request.strip = true;
        self
    }

    /// Makes results of this version of SPIR-V at most: a newer one is changed where it uses nothing newer. Interface lists of entry points then
    /// have what that version lets them have, and extensions are declared that newer versions include.
    ///
    /// A result that uses something newer is [`Error::TooNew`].
    pub fn max_version(mut self, major: u8, minor: u8) -> Settings {
        self.request.max_version = Some((major, minor));
        self
    }

    /// Removes capabilities and extensions that nothing in the result requires, as [`trim`](crate::trim) does.
    pub fn trim(mut self) -> Settings {
        self.request.trim = true;
        self
    }
}

/// A module that is prepared for being specialized: everything that does not depend on the device or on settings is computed once. It can be
/// shared between threads.
///
/// It keeps no results: those who ask for the same again can keep them by [`Prepared::key`]. Retained memory is its own tables, which include a
/// copy without compile-time properties where it has any, and what is computed of it; the words, the annotations and the property sets are the
/// caller's.
///
/// ```
/// use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings};
/// let bytes = std::fs::read("fixtures/opencl/plain.spv")?;
/// let packed = spirv_if::pack(&Module::from_bytes(&bytes)?, &PackOptions::default())?;
/// let module = Module::from_words(&packed.words)?.with_properties(packed.properties)?;
/// let prepared = Prepared::new(&module)?;
/// let run = prepared.specialize(&Device::embedded("intel_gpu_pvc")?, &Settings::new())?;
/// assert!(run.words.len() <= packed.words.len());
/// // A device without double precision cannot run it.
/// let refused = prepared.specialize(&Device::embedded("intel_gpu_acm_g10")?, &Settings::new());
/// assert!(matches!(refused, Err(Error::Refused(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Prepared<'m>(Kept<'m>);

/// A prepared module, by who has it.
#[allow(
    clippy::large_enum_variant,
    reason = "one in a box would take as much memory, and every call a way to it"
)]
enum Kept<'m> {
    Borrowed(State<'m>),
    #[cfg(feature = "owned")]
    Owned(Owned),
}

#[cfg(feature = "owned")]
self_cell::self_cell!(
    struct Owned {
        owner: Arc<Module<'static>>,
        #[not_covariant]
        dependent: State,
    }
);

/// What is computed once.
pub(super) struct State<'m> {
    pub module: &'m Module<'m>,
    pub analyses: Analyses<'m>,
    pub properties: ModuleProperties<'m>,
    /// The module's part of keys.
    key: OnceLock<KeyHasher>,
}

/// A module for a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Specialized {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets, where something stays conditional in a module that was not packed before.
    pub properties: Option<PropertySets>,
    /// The report on specializing it.
    pub report: SpecializeReport,
}

/// A module for a device in pieces, most of which are words of the module that it was made of: to write it to a file, nothing needs all of it
/// in one piece.
#[derive(Clone, Debug)]
pub struct InPieces<'p> {
    words: Words<'p>,
    properties: Option<PropertySets>,
    report: SpecializeReport,
}

/// A report on specializing a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SpecializeReport {
    /// True if the module was packed, or multi-target by other means.
    pub multi_target: bool,
    /// The conditional parts of a packed module whose condition holds.
    pub kept_parts: usize,
    /// The conditional parts of a packed module whose condition does not hold.
    pub removed_parts: usize,
    /// The conditional calls of a module that was not packed: all, those taken, and those that stay conditional.
    pub calls: Option<(usize, usize, usize)>,
    /// Capabilities, extensions and functions of a module that was not packed that are no longer required, by name.
    pub removed: Vec<String>,
    /// The number of removed functions.
    pub removed_functions: usize,
    /// The number of removed definitions outside of functions.
    pub removed_definitions: usize,
    /// The number of decided branches.
    pub branches: usize,
    /// The number of blocks removed with them.
    pub removed_blocks: usize,
    /// The clones of functions for calls whose arguments decide branches in them: the function, the name of the clone, and the number of its calls.
    pub call_clones: Vec<(String, String, usize)>,
    /// The functions with such calls that are not cloned, since the module would grow too much.
    pub not_cloned: Vec<String>,
    /// The number of specialization constants that became ordinary ones.
    pub frozen: usize,
    /// The declarations that [`Settings::trim`] removed, by name.
    pub trimmed: Option<Vec<String>>,
    /// The driver whose defects are worked around, by its name, and the number of instructions changed for it, if that was requested.
    pub worked_around: Option<(&'static str, usize)>,
    /// The parts that stay conditional: a description of each, and the constants that it depends on, as text.
    pub undecided: Vec<(String, String)>,
    /// The constants of a module that was not packed that have no value, each with its condition.
    pub open: Vec<(SpecId, Condition)>,
    /// The constants that took their default values.
    pub defaulted: Vec<SpecId>,
    /// The number of specialization constants that stay such, with a new default ([`Settings::set_default`]).
    pub new_defaults: usize,
    /// Instructions for hosts that named SpecIds of constants which became ordinary ones (`NonSemantic.ClspvReflection`), and were removed: the
    /// name of each, and these SpecIds. Where other instructions say the same of values, these replace them, and they are not listed.
    pub removed_reflection: Vec<(String, Vec<SpecId>)>,
    /// The constants that were to be set and that the module does not have ([`Settings::ignore_unknown`]).
    pub ignored: Vec<SpecConstant>,
    /// The constants that annotations bind to conditions which are not known.
    pub unknown: Vec<(SpecId, Condition)>,
    /// The entry points that a device does not run: the entry point, the name of the device, and the missing feature.
    pub unsupported: Vec<(String, String, Missing)>,
}

impl<'m> Prepared<'m> {
    /// Prepares a module of the caller's.
    ///
    /// # Errors
    /// If what it carries is malformed, or its compile-time properties are ([`Module::lowered_properties`]).
    pub fn new(module: &'m Module<'m>) -> Result<Prepared<'m>, Error> {
        Ok(Prepared(Kept::Borrowed(State::of(module)?)))
    }

    /// Prepares a module and keeps it, to be stored wherever the caller likes. A module in an [`Arc`] can be used elsewhere, too.
    /// This is of the feature `owned`, which is on by default.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// fn load(words: Vec<u32>) -> Result<Prepared<'static>, spirv_if::Error> {
    ///     Prepared::owning(Module::from_words(words)?)
    /// }
    /// let prepared = load(vec![0x0723_0203, 0x0001_0000, 0, 1, 0])?;
    /// assert_eq!(prepared.specialize(&Device::default(), &Settings::new())?.words.len(), 5);
    /// # Ok::<(), spirv_if::Error>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prepared::new`].
    #[cfg(feature = "owned")]
    pub fn owning(module: impl Into<Arc<Module<'static>>>) -> Result<Prepared<'static>, Error> {
        let owned = Owned::try_new(module.into(), |module| State::of(module))?;
        Ok(Prepared(Kept::Owned(owned)))
    }

    /// Works with what was computed.
    pub(super) fn with<'p, R>(&'p self, work: impl for<'q> FnOnce(&'p State<'q>) -> R) -> R {
        match &self.0 {
            Kept::Borrowed(state) => work(state),
            #[cfg(feature = "owned")]
            Kept::Owned(owned) => owned.with_dependent(|_, state| work(state)),
        }
    }

    /// Specializes it for a device: decides conditions, and removes code whose condition does not hold. The result is checked: the device meets
    /// its requirements, and the driver is not known to reject it. [`Device::default`] is one of which nothing is known, to set constants only.
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not run it, [`Error::Undecided`] if something would stay conditional that may not,
    /// [`Error::Request`] if a setting is invalid.
    pub fn specialize(&self, device: &Device, settings: &Settings) -> Result<Specialized, Error> {
        Ok(self.specialize_in_pieces(&[device], settings)?.join())
    }

    /// The same with words in memory of the caller, which is used again: what was in it is lost, also where there is an error. The property
    /// sets of what stays conditional are in the words.
    ///
    /// # Errors
    /// See [`Prepared::specialize`].
    pub fn specialize_into(
        &self,
        device: &Device,
        settings: &Settings,
        words: &mut Vec<u32>,
    ) -> Result<SpecializeReport, Error> {
        self.with(|state| {
            let result = state.result(&[device], settings)?;
            *words = result.words.joined(std::mem::take(words));
            let report = state.report(&result, &[device]);
            Ok(report)
        })
    }

    /// The same with words in memory of any kind that the caller has. Of the words there, those of the result are the first, as many as this
    /// returns; where there are fewer, they are those of no module.
    ///
    /// # Errors
    /// See [`Prepared::specialize`].
    pub fn specialize_to(
        &self,
        device: &Device,
        settings: &Settings,
        memory: &mut [u32],
    ) -> Result<(usize, SpecializeReport), Error> {
        self.with(|state| {
            let result = state.result(&[device], settings)?;
            let count = result.words.len();
            if let Some(memory) = memory.get_mut(..count) {
                result.words.write_to(memory);
            }
            Ok((count, state.report(&result, &[device])))
        })
    }

    /// The devices in groups that get the same code.
    ///
    /// # Errors
    /// [`Error::Refused`] if one of them does not meet an unconditional requirement of the module, and no entry points are selected.
    pub fn groups<'d>(
        &self,
        devices: &'d [Device],
        settings: &Settings,
    ) -> Result<Vec<Vec<&'d Device>>, Error> {
        let all: Vec<&Device> = devices.iter().collect();
        self.with(|state| {
            if settings.request.entry_points.is_empty() {
                state.properties.check(&all)?;
            }
            Ok(pipelines::groups(&state.analyses, &state.properties.sets, devices, |device| device)?)
        })
    }

    /// Specializes it once for devices that get the same code, by [`Prepared::groups`]. Each is checked. The result is in pieces, which take no
    /// memory for the words of the module that are the same in it.
    ///
    /// # Errors
    /// See [`Prepared::specialize`].
    pub fn specialize_in_pieces(
        &self,
        devices: &[&Device],
        settings: &Settings,
    ) -> Result<InPieces<'_>, Error> {
        self.with(|state| state.specialize_in_pieces(devices, settings))
    }

    /// The part of the module's interface that a result does not have: a layout that was made for the module may refer to it.
    ///
    /// # Errors
    /// If the words of the result were changed, and are no module.
    pub fn removed_interface(&self, result: &Specialized) -> Result<Interface, Error> {
        let head = loader::Module::from_words(loader::Module::before_functions(&result.words))?;
        Ok(self.with(|state| Interface::of(state.module).without(&Interface::read(&head))))
    }

    /// A key of what [`Prepared::specialize`] gives. Nothing is specialized for it. It is the same in every process, and another one in every
    /// version of this library.
    pub fn key(&self, device: &Device, settings: &Settings) -> Key {
        self.with(|state| state.key(device, settings))
    }
}

impl<'m> State<'m> {
    fn of(module: &'m Module<'m>) -> Result<State<'m>, Error> {
        let module = module.lowered()?;
        Ok(State {
            module,
            analyses: module.analyses(),
            properties: ModuleProperties::new(module.properties()?),
            key: OnceLock::new(),
        })
    }

    fn specialize_in_pieces(&self, devices: &[&Device], settings: &Settings) -> Result<InPieces<'_>, Error> {
        let result = self.result(devices, settings)?;
        let report = self.report(&result, devices);
        Ok(InPieces { words: result.words, properties: result.properties, report })
    }

    fn key(&self, device: &Device, settings: &Settings) -> Key {
        let of_module = self.key.get_or_init(|| {
            let mut hasher = KeyHasher::new();
            hasher.words(self.module.words());
            // What is written into a key cannot fail.
            let _ = write!(hasher, "{:?} {:?}", self.properties.sets, self.analyses.annotated());
            hasher
        });
        let mut hasher = *of_module;
        device.hash_without_name(&mut hasher);
        settings.request.hash(&mut hasher);
        hasher.key()
    }

    fn result(&self, devices: &[&Device], settings: &Settings) -> Result<ForDevice<'_>, Error> {
        Ok(pipelines::specialize_for(&self.analyses, &self.properties, devices, &settings.request)?)
    }

    fn report(&self, result: &ForDevice, devices: &[&Device]) -> SpecializeReport {
        SpecializeReport::of(result, devices, &|part| self.part(part))
    }

    fn part(&self, part: &Part) -> (String, String) {
        let spec_ids = part.unknown.spec_ids.iter().map(|spec_id| format!("SpecId {spec_id}"));
        let device = part.unknown.device_constants.iter().map(|id| format!("device constant %{id}"));
        let unknown: Vec<String> = spec_ids.chain(device).collect();
        let unknown = match unknown.is_empty() {
            true => "a condition that cannot be evaluated".to_owned(),
            false => unknown.join(" and "),
        };
        (part.describe(&self.module.inner), unknown)
    }
}

impl InPieces<'_> {
    /// The words piece by piece, in the host's byte order.
    pub fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        self.words.pieces()
    }

    /// The property sets ([`Specialized::properties`]).
    pub fn properties(&self) -> Option<&PropertySets> {
        self.properties.as_ref()
    }

    /// The report on specializing it.
    pub fn report(&self) -> &SpecializeReport {
        &self.report
    }

    /// The same in one piece.
    pub fn join(self) -> Specialized {
        let InPieces { words, properties, report } = self;
        Specialized { words: Module::result(words.into_owned()), properties, report }
    }
}

impl SpecializeReport {
    /// The report on a result for devices; `part` describes a part that stays conditional, and the constants that it depends on.
    pub(super) fn of(
        result: &ForDevice,
        devices: &[&Device],
        part: &dyn Fn(&Part) -> (String, String),
    ) -> SpecializeReport {
        let ForDevice { report, packed, trimmed, worked_around, ignored, unknown, unsupported, .. } = result;
        let constant =
            |(spec_id, condition): &(u32, Expr)| (SpecId(*spec_id), Condition::of(condition.clone()));
        let mut own = SpecializeReport {
            multi_target: report.multi_target,
            kept_parts: report.decided_true,
            removed_parts: report.decided_false,
            removed_functions: report.removed_functions.len() + report.swept_functions.len(),
            removed_definitions: report.swept,
            branches: report.branches,
            removed_blocks: report.blocks,
            not_cloned: report.not_cloned.clone(),
            call_clones: report
                .call_clones
                .iter()
                .map(|clone| (clone.function.clone(), clone.name.clone(), clone.calls))
                .collect(),
            frozen: report.frozen,
            worked_around: *worked_around,
            trimmed: trimmed.as_ref().map(|trimmed| trimmed.names()),
            undecided: report.undecided.iter().map(part).collect(),
            defaulted: report.defaulted.iter().copied().map(SpecId).collect(),
            new_defaults: report.new_defaults,
            removed_reflection: report
                .removed_reflection
                .iter()
                .map(|(name, spec_ids)| ((*name).to_owned(), spec_ids.iter().copied().map(SpecId).collect()))
                .collect(),
            ignored: ignored.iter().cloned().map(SpecConstant).collect(),
            unknown: unknown.iter().map(constant).collect(),
            ..SpecializeReport::default()
        };
        if let Some(packed) = packed {
            let calls = &packed.summary.calls;
            let count = |holds: fn(&Expr) -> bool| calls.iter().filter(|(_, _, when)| holds(when)).count();
            let open = count(|when| !matches!(when, Expr::True | Expr::False));
            own.calls = Some((calls.len(), count(|when| *when == Expr::True), open));
            own.open = packed.leaves.iter().map(|&(id, leaf)| constant(&(id, Expr::Leaf(leaf)))).collect();
            let removed = packed.summary.removed_declarations.iter().chain(&packed.summary.removed_functions);
            own.removed = removed.cloned().collect();
        }
        for entry in unsupported {
            let device = devices[entry.device].name.clone();
            own.unsupported.push((entry.entry_point.clone(), device, entry.missing.clone()));
        }
        own
    }
}
