//! Specializing: makes a plain module for a device, from a packed module or any other.
//!
//! [`Prepared`] analyses a module once. [`Prepared::specialize`] then makes an owned result for each device and each set of [`Settings`].
//! [`Prepared::specialize_in_segments`] makes a result that borrows most of its words from the module. It can be written to a file or to
//! the caller's memory without another copy. Callers that keep results find them by [`Prepared::cache_key`].
//!
//! ```
//! use spirv_if::{Device, Module, Prepared, Settings};
//! let bytes = std::fs::read("fixtures/spec/precision.spv")?;
//! let module = Module::from_bytes(&bytes)?;
//! let prepared = Prepared::new(&module)?;
//! let settings = Settings::new().set(0, true).trim(true);
//! let result = prepared.specialize(&Device::default(), &settings)?;
//! assert!(result.report.frozen > 0);
//!
//! let segments = prepared.specialize_in_segments(&[&Device::default()], &settings)?;
//! let mut memory = vec![0; segments.len()];
//! segments.write_to(&mut memory);
//! assert_eq!(memory, result.words);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::loader::Version;
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use super::error::{Error, Missing};
use super::ids::{ConditionConstant, SpecId};
use super::interface::Interface;
use super::key::KeyHasher;
use super::module::{Module, to_bytes};
use crate::analysis::Analyses;
use crate::analysis::requirements::{closure, is_of_kernels};
use crate::compatibility::{ClauseCounts, ModuleDeclarations, clause, label};
use crate::condition::Expr;
use crate::device::Device;
use crate::loader;
use crate::metadata::property_sets::PropertySets;
use crate::pipelines;
use crate::pipelines::{HostDecisions, ModuleBuffer, ModuleProperties, SpecializeRequest, SpecializedModule};
use crate::transform::cloning::CloneLimit;
use crate::transform::lower::lowerable_features;
use crate::transform::specialize::{self, ConstantKey, ConstantSetting, KeyedSetting, UndecidedItem};
use crate::transform::trap::{DecidingValues, LackedFeatures, TrapAnalyses};

pub use super::host_values::{AssignedValue, HostValue, HostValues};
pub use super::ids::SpecConstant;
pub use super::key::CacheKey;
pub use crate::analysis::constants::SpecValue;
pub use crate::compatibility::{Compatibility, DeviceRemedy, Verdict};
pub use crate::pipelines::Driver;
pub use crate::transform::adapt::AppliedAdaptation;
pub use crate::transform::cloning::CallClone;
pub use crate::transform::lower::{FeaturesToLower, LowerableFeature, LoweredFeature, UnknownFeature};
pub use crate::transform::specialize::UnsetPolicy;
pub use crate::transform::trap::{BlockPlace, Trap, TrapError, TrapObstacle, TrappedBranch, UntrappedBranch};

/// Options of [`Prepared::specialize`]: values of specialization constants, and changes to the result.
///
/// ```
/// let settings = spirv_if::Settings::new().set(3, 64).set(4, 1.5).set("fast", true).trim(true);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct Settings {
    #[doc(hidden)]
    pub request: SpecializeRequest,
}

impl Settings {
    /// Starts with the default settings.
    pub fn new() -> Settings {
        Settings::default()
    }

    /// Sets specialization constants to a value, which must fit the type of each.
    ///
    /// They become ordinary constants, and the branches that they decide are folded. The last of several settings for one constant applies.
    /// A name also sets the host's decision of this name in conditions: `fast` or `host(fast)`, with a Boolean value.
    pub fn set(self, constant: impl Into<SpecConstant>, value: impl Into<SpecValue>) -> Settings {
        self.treat(constant, ConstantSetting::Set(value.into()))
    }

    /// Gives specialization constants a new default value.
    ///
    /// They stay specialization constants, and a driver can still set them, for example by VkSpecializationInfo. Nothing that depends on
    /// them is decided.
    pub fn set_default(self, constant: impl Into<SpecConstant>, value: impl Into<SpecValue>) -> Settings {
        self.treat(constant, ConstantSetting::Default(value.into()))
    }

    /// Leaves specialization constants unchanged, even if their value is known on the device.
    ///
    /// Constants without a setting that represent no condition are always left unchanged.
    pub fn leave(self, constant: impl Into<SpecConstant>) -> Settings {
        self.treat(constant, ConstantSetting::Keep)
    }

    fn treat(mut self, constant: impl Into<SpecConstant>, treatment: ConstantSetting) -> Settings {
        self.request.set.push(KeyedSetting { constant: constant.into().key, treatment });
        self
    }

    /// Returns the value to which a constant is set, by the same SpecId or name.
    pub fn value(&self, constant: &SpecConstant) -> Option<SpecValue> {
        let setting = self.request.set.iter().rfind(|setting| setting.constant == constant.key)?;
        match setting.treatment {
            ConstantSetting::Set(value) => Some(value),
            _ => None,
        }
    }

    /// Ignores settings for constants that the module does not have, if true, like Vulkan. [`SpecializeReport::ignored`] lists them. By
    /// default they are an error.
    pub fn ignore_unknown(mut self, ignore: bool) -> Settings {
        self.request.ignore_unknown = ignore;
        self
    }

    /// Returns a device with the host's decisions from these settings.
    ///
    /// Conditions then read the Boolean values of names, such as `fast` of `host(fast)`. [`Prepared::specialize`] does this automatically.
    /// `spirv_if_sycl::program::Program::select` has no settings.
    pub fn apply_to_device(&self, device: &Device) -> Device {
        pipelines::on_host(device, &self.request.set)
    }

    /// Sets the treatment of conditions that are not known.
    ///
    /// By default they are an error: a driver must not get a module in which something is conditional.
    pub fn unset(mut self, policy: impl Into<Option<UnsetPolicy>>) -> Settings {
        self.request.unset = policy.into();
        self
    }

    /// Sets the maximum number of clones of one function, 8 by default. It applies if calls stay conditional in a module that was not
    /// packed.
    ///
    /// See [`PackOptions::max_clones`](crate::PackOptions::max_clones).
    pub fn max_clones(mut self, count: usize) -> Settings {
        self.request.max_clones = CloneLimit(count);
        self
    }

    /// Adds names of entry points that are kept. By default all are kept, and [`SpecializeReport::unsupported`] lists the ones that the
    /// device does not run.
    pub fn entry_points(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Settings {
        self.request.entry_points.extend(names.into_iter().map(Into::into));
        self
    }

    /// Leaves out entry points that the device is known not to run, if true and it runs others. [`SpecializeReport::unsupported`] lists them. By
    /// default the device is refused if the declarations of one entry point are too much for it.
    ///
    /// Exported functions that the others do not call are removed, too. Modules whose entry points are selected ([`Settings::entry_points`]) stay
    /// as selected.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/opencl/many.spv")?; // one kernel computes with doubles
    /// let module = Module::from_bytes(&bytes)?;
    /// let device = Device::embedded("intel_gpu_acm_g10")?;
    /// let prepared = Prepared::new(&module)?;
    /// assert!(prepared.specialize(&device, &Settings::new()).is_err());
    /// let result = prepared.specialize(&device, &Settings::new().drop_unsupported(true))?;
    /// assert!(!result.report.unsupported.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drop_unsupported(mut self, drop: bool) -> Settings {
        self.request.drop_unsupported = drop;
        self
    }

    /// Refuses devices that are not known to run the result. By default they are accepted, and [`SpecializeReport::not_known`] lists them.
    pub fn strict(mut self, strict: bool) -> Settings {
        self.request.strict = strict;
        self
    }

    /// Changes constructs that the device is known to reject, if true. The result computes the same, or something else
    /// that the module permits. Hints are removed; newer or wider declarations become older or narrower ones.
    /// [`SpecializeReport::adapted`] lists the changes.
    ///
    /// The rules are in `spec-extensions/adaptations.csv`.
    pub fn adapt(mut self, adapt: bool) -> Settings {
        self.request.adapt = adapt;
        self
    }

    /// Rewrites code that requires missing features of the device. The new code has results with equal bits: 64-bit integers
    /// become two words of 32 bits, doubles as well, or 64-bit integers that stay, and integers of 8 and 16 bits one word. Halves become floats
    /// that are rounded after each operation, which is a result that the specification permits.
    ///
    /// Explicit layouts stay, so that hosts see no difference. [`SpecializeReport::lowered`] lists the features. It is an error if code of a
    /// feature cannot be lowered. The rules are in `spec-extensions/lowerings.csv`.
    ///
    /// ```
    /// use spirv_if::specialize::FeaturesToLower;
    /// let settings = spirv_if::Settings::new().lower(FeaturesToLower::Missing);
    /// let same_on_each_device = spirv_if::Settings::new().lower("Int64".parse::<FeaturesToLower>()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lower(mut self, features: impl Into<Option<FeaturesToLower>>) -> Settings {
        self.request.lower = features.into();
        self
    }

    /// Returns the features that [`lower`](Settings::lower) set.
    pub fn features_to_lower(&self) -> Option<&FeaturesToLower> {
        self.request.lower.as_ref()
    }

    /// Leaves out the rounding of halves that [`lower`](Settings::lower) makes floats. By default each operation rounds.
    ///
    /// That is faster, and results are not those of the module: no remedy counts with it, and
    /// [`LoweredFeature::is_wider`] is true.
    ///
    /// ```
    /// use spirv_if::specialize::FeaturesToLower;
    /// let settings = spirv_if::Settings::new().lower(FeaturesToLower::Missing).wider_halves(true);
    /// # drop(settings);
    /// ```
    pub fn wider_halves(mut self, wider: bool) -> Settings {
        self.request.wider_halves = wider;
        self
    }

    /// Replaces blocks behind run-time branches that require what the device is known not to have by a trap. By default the device is refused.
    ///
    /// [`SpecializeReport::trapped`] lists the blocks. If one of them cannot be replaced, the device is refused, and
    /// [`Refused::untrapped`](crate::error::Refused::untrapped) says why. [`Prepared::compatibility`] says if traps let a device run the module.
    ///
    /// ```
    /// use spirv_if::specialize::Trap;
    /// let settings = spirv_if::Settings::new().trap("store:dst:0".parse::<Trap>()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trap(mut self, trap: impl Into<Option<Trap>>) -> Settings {
        self.request.trap = trap.into();
        self
    }

    /// Works around the known defects of a driver.
    pub fn work_around(mut self, driver: impl Into<Option<Driver>>) -> Settings {
        self.request.work_around = driver.into();
        self
    }

    /// Keeps the interface unchanged, if true. Push constants and variables with a binding or a location stay, even if nothing in the
    /// result uses them.
    ///
    /// By default those without a location are removed with the code that uses them, and [`Prepared::removed_interface`] lists them. Entry
    /// points and other parts with a false condition are always removed.
    pub fn keep_interface(mut self, keep: bool) -> Settings {
        self.request.keep_interface = keep;
        self
    }

    /// Removes names, debug information and reflection from the result, if true, as [`strip`](crate::trim::strip) does.
    pub fn strip(mut self, strip: bool) -> Settings {
        self.request.strip = strip;
        self
    }

    /// Limits results to this version of SPIR-V. A newer module is converted if it uses no newer features.
    ///
    /// Interface lists of entry points then follow the rules of that version, and extensions that newer versions include are declared. A
    /// result that uses something newer is [`Error::TooNew`].
    pub fn max_version(mut self, version: impl Into<Option<Version>>) -> Settings {
        self.request.max_version = version.into();
        self
    }

    /// Removes capabilities and extensions that nothing in the result requires, if true, as [`trim`](crate::trim::trim) does.
    pub fn trim(mut self, trim: bool) -> Settings {
        self.request.trim = trim;
        self
    }
}

/// A module that is prepared for specialization: everything that does not depend on the device or on settings is computed once. It can be
/// shared between threads.
///
/// It keeps no results; callers can cache them by [`Prepared::cache_key`]. Its tables and analyses are about as large as the module. If that has
/// compile-time properties, they include a copy without them. The words, the annotations and the property sets belong to the caller.
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
pub struct Prepared<'m> {
    owner: PreparedOwner<'m>,
}

/// A prepared module, by its owner.
#[allow(
    clippy::large_enum_variant,
    reason = "one in a box would take as much memory, and every call a way to it"
)]
enum PreparedOwner<'m> {
    Borrowed(PreparedModule<'m>),
    #[cfg(feature = "owned")]
    Owned(OwnedModule),
}

#[cfg(feature = "owned")]
self_cell::self_cell!(
    struct OwnedModule {
        owner: Arc<Module<'static>>,
        #[not_covariant]
        dependent: PreparedModule,
    }
);

/// A module with everything that is computed once.
#[doc(hidden)]
pub struct PreparedModule<'m> {
    /// The module.
    pub module: &'m Module<'m>,
    /// The analyses of the module.
    pub analyses: Analyses<'m>,
    /// The property sets of the module.
    pub properties: ModuleProperties<'m>,
    /// The module's part of keys.
    key: OnceLock<KeyHasher>,
    /// The analyses for traps, and for values of constants instead of them.
    pub traps: Arc<TrapAnalyses>,
}

/// A module for a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Specialized {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets, if something stays conditional in a module that was not packed before.
    pub properties: Option<PropertySets>,
    /// The report on specializing it.
    pub report: SpecializeReport,
}

/// A module for a device in segments. Most of them are borrowed from the original module.
///
/// It can be written to a file or to the caller's memory without being assembled first.
#[derive(Clone, Debug)]
#[must_use]
pub struct SpecializedSegments<'p> {
    words: ModuleBuffer<'p>,
    properties: Option<PropertySets>,
    report: SpecializeReport,
}

/// A report on specializing a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecializeReport {
    /// True if the module was packed, or multi-target by other means.
    pub multi_target: bool,
    /// The conditional parts of a packed module whose condition holds.
    pub kept_parts: usize,
    /// The conditional parts of a packed module whose condition does not hold.
    pub removed_parts: usize,
    /// The conditional calls of a module that was not packed.
    pub calls: Option<CallCounts>,
    /// The names of capabilities, extensions and functions that are no longer required, in a module that was not packed.
    pub removed: Vec<String>,
    /// The number of removed functions.
    pub removed_functions: usize,
    /// The number of removed definitions outside of functions.
    pub removed_definitions: usize,
    /// The number of decided branches.
    pub branches: usize,
    /// The number of blocks removed with them.
    pub removed_blocks: usize,
    /// The clones of functions for calls whose arguments decide branches in them.
    pub call_clones: Vec<CallClone>,
    /// The functions with such calls that are not cloned, since the module would grow too much.
    pub not_cloned: Vec<String>,
    /// The number of specialization constants that became ordinary ones.
    pub frozen: usize,
    /// The declarations that [`Settings::trim`] removed, by name.
    pub trimmed: Option<Vec<String>>,
    /// The changes that adapt the module to the device ([`Settings::adapt`]) or to a version of SPIR-V ([`Settings::max_version`]).
    pub adapted: Vec<AppliedAdaptation>,
    /// The features that were lowered ([`Settings::lower`]).
    pub lowered: Vec<LoweredFeature>,
    /// The blocks that became traps ([`Settings::trap`]).
    pub trapped: Vec<TrappedBranch>,
    /// The changes for a driver, if that was requested.
    pub work_around: Option<WorkAroundReport>,
    /// The parts that stay conditional.
    pub undecided: Vec<UndecidedPart>,
    /// The constants for conditions that the device leaves open, in a module that was not packed.
    pub open: Vec<ConditionConstant>,
    /// The constants that took their default values.
    pub defaulted: Vec<SpecId>,
    /// The number of specialization constants with a new default ([`Settings::set_default`]).
    pub new_defaults: usize,
    /// Removed instructions for hosts. Instructions that were replaced by equivalent ones for values are not listed.
    pub removed_reflection: Vec<RemovedReflection>,
    /// The constants in settings that the module does not have ([`Settings::ignore_unknown`]).
    pub ignored: Vec<SpecConstant>,
    /// The constants that annotations bind to unknown conditions.
    pub unknown: Vec<ConditionConstant>,
    /// The entry points that a device does not run.
    pub unsupported: Vec<UnsupportedEntryPoint>,
    /// The devices that are not known to run the result.
    pub not_known: Vec<UncertainDevice>,
}

/// A device that is not known to run a result. It is displayed as a clause, such as "is not known to run on phone: nothing says if it has
/// Float64".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UncertainDevice {
    /// The name of the device; empty for a device described by its parts.
    pub device: String,
    /// The features that the device may or may not have.
    pub features: Vec<Missing>,
}

impl UncertainDevice {
    /// Makes the result for a device.
    #[doc(hidden)]
    pub fn new(device: &Device, features: Vec<Missing>) -> UncertainDevice {
        UncertainDevice { device: device.name().to_owned(), features }
    }
}

impl fmt::Display for UncertainDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = ClauseCounts { subjects: 1, devices: 1 };
        f.write_str(&clause(&[], &self.features, label(&self.device), counts))
    }
}

/// The numbers of conditional calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallCounts {
    /// The number of all calls.
    pub all: usize,
    /// The number of calls that are taken.
    pub taken: usize,
    /// The number of calls that stay conditional.
    pub conditional: usize,
}

/// The changes that work around the defects of a driver. They are displayed as a clause, such as "changed 2 instructions at which the
/// compiler of nvidia fails".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct WorkAroundReport {
    /// The name of the driver.
    pub driver: &'static str,
    /// The number of changed instructions.
    pub instructions: usize,
}

impl fmt::Display for WorkAroundReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let driver = self.driver;
        match self.instructions {
            0 => write!(f, "the compiler of {driver} is not known to fail at any instruction"),
            1 => write!(f, "changed 1 instruction at which the compiler of {driver} fails"),
            count => write!(f, "changed {count} instructions at which the compiler of {driver} fails"),
        }
    }
}

/// A part of a module that stays conditional.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UndecidedPart {
    /// A description of the part.
    pub part: String,
    /// The constants that it depends on, in words.
    pub depends_on: String,
}

/// An instruction for hosts with SpecIds of constants that became ordinary ones (`NonSemantic.ClspvReflection`). It is displayed as a clause
/// of a warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RemovedReflection {
    /// The name of the instruction.
    pub instruction: String,
    /// These SpecIds.
    pub spec_ids: Vec<SpecId>,
}

impl fmt::Display for RemovedReflection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spec_ids = self.spec_ids.iter().map(|spec_id| format!("SpecId {spec_id}")).collect::<Vec<_>>();
        let (name, spec_ids) = (&self.instruction, spec_ids.join(", "));
        write!(
            f,
            "removed the reflection instruction {name}: {spec_ids} no longer exists, so a host cannot set it"
        )
    }
}

/// An entry point that a device does not run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnsupportedEntryPoint {
    /// The name of the entry point.
    pub entry_point: String,
    /// The name of the device.
    pub device: String,
    /// The missing feature.
    pub missing: Missing,
}

impl fmt::Debug for Prepared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with(|prepared| {
            f.debug_struct("Prepared").field("module", &prepared.module.name).finish_non_exhaustive()
        })
    }
}

impl<'m> Prepared<'m> {
    /// Prepares a module that the caller owns.
    ///
    /// # Errors
    /// If the property sets inside the module are malformed, or its compile-time properties are ([`Module::lowered_properties`]).
    pub fn new(module: &'m Module<'m>) -> Result<Prepared<'m>, Error> {
        Ok(Prepared { owner: PreparedOwner::Borrowed(PreparedModule::new(module)?) })
    }

    /// Prepares a module and owns it, for callers that cannot borrow it. A module in an [`Arc`] can be used elsewhere, too.
    ///
    /// This is part of the feature `owned`, which is on by default.
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
        let owned = OwnedModule::try_new(module.into(), |module| PreparedModule::new(module))?;
        Ok(Prepared { owner: PreparedOwner::Owned(owned) })
    }

    /// Calls a function with the prepared module.
    #[doc(hidden)]
    pub fn with<'p, R>(&'p self, body: impl for<'q> FnOnce(&'p PreparedModule<'q>) -> R) -> R {
        match &self.owner {
            PreparedOwner::Borrowed(prepared) => body(prepared),
            #[cfg(feature = "owned")]
            PreparedOwner::Owned(owned) => owned.with_dependent(|_, prepared| body(prepared)),
        }
    }

    /// Reads text as a value of specialization constants, by the type that they have in the module.
    ///
    /// For constants that the module does not have, and for decisions of the host, text is read as by the `FromStr` of [`SpecValue`].
    ///
    /// ```
    /// use spirv_if::{Module, Prepared, SpecValue};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// assert_eq!(prepared.parse_value(&"use_half".into(), "true")?, SpecValue::Bool(true));
    /// assert!(prepared.parse_value(&2.into(), "1.5").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Request`] if the text is not a value of the type, or a name is ambiguous.
    pub fn parse_value(&self, constant: &SpecConstant, text: &str) -> Result<SpecValue, Error> {
        self.with(|prepared| prepared.parse_value(&constant.key, text))
    }

    /// Reads the bytes that a host passes to a driver as a value of specialization constants, by the type that they have in the module. A Boolean
    /// has one byte, as in OpenCL, or four, as in Vulkan.
    ///
    /// ```
    /// use spirv_if::{Module, Prepared, SpecValue};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// assert_eq!(prepared.value_from_bytes(&"use_half".into(), &[1])?, SpecValue::Bool(true));
    /// assert!(prepared.value_from_bytes(&"use_half".into(), &[1, 0]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Request`] if the module does not have the constant, its type has another size, or a name is ambiguous.
    pub fn value_from_bytes(&self, constant: &SpecConstant, bytes: &[u8]) -> Result<SpecValue, Error> {
        self.with(|prepared| Ok(specialize::value_from_bytes(&prepared.analyses, &constant.key, bytes)?))
    }

    /// Specializes the module for a device: decides conditions, and removes code whose condition does not hold. The result is checked: the
    /// device meets its requirements, and the driver is not known to reject it. [`Device::default`] is an unknown device, to set constants
    /// only.
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not run it, [`Error::Undecided`] if something would stay conditional that may not,
    /// [`Error::Request`] if a setting is invalid.
    pub fn specialize(&self, device: &Device, settings: &Settings) -> Result<Specialized, Error> {
        Ok(self.specialize_in_segments(&[device], settings)?.into_specialized())
    }

    /// Returns the verdict on a device, and the features that decide it, without a module. It is that of [`Prepared::specialize`].
    ///
    /// ```
    /// use spirv_if::specialize::Verdict;
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/opencl/plain.spv")?; // computes with doubles on every device
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// for (name, verdict) in [("intel_gpu_pvc", Verdict::Runs), ("intel_gpu_acm_g10", Verdict::DoesNotRun)] {
    ///     let device = Device::embedded(name)?;
    ///     assert_eq!(prepared.compatibility(&device, &Settings::new())?.verdict(), verdict);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prepared::specialize`], except that a refusal is a result.
    pub fn compatibility(&self, device: &Device, settings: &Settings) -> Result<Compatibility, Error> {
        match self.specialize_in_segments(&[device], settings) {
            Err(Error::Refused(refused)) => {
                Ok(Compatibility { missing: refused.missing, unknown: refused.unknown })
            }
            result => {
                let result = result?;
                // Specializing asks nothing of a device about which nothing is known.
                if device.is_unknown() {
                    let head = result.words.before_functions();
                    let declarations = ModuleDeclarations::as_is(&loader::Module::from_words(head)?);
                    return Ok(Compatibility::new(device, &declarations.unconditional(), &|_| None));
                }
                let unknown = result.report.not_known.into_iter().flat_map(|device| device.features);
                Ok(Compatibility { missing: Vec::new(), unknown: unknown.collect() })
            }
        }
    }

    /// Returns the changes with which devices of one [group](Prepared::groups) run the module, for devices that do not run it with these
    /// settings: those that change least. `None` if no change helps. Constants that are set come first, then trimming, adapting, lowering and traps.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/traps/helper-O2.spv")?; // computes with doubles in one case of a switch
    /// let module = Module::from_bytes(&bytes)?;
    /// let device = Device::embedded("intel_gpu_acm_g10")?;
    /// let remedy = Prepared::new(&module)?.remedy(&[&device], &Settings::new()).ok_or("no remedy")?;
    /// assert!(remedy.lower && !remedy.trap);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remedy(&self, devices: &[&Device], settings: &Settings) -> Option<DeviceRemedy> {
        let request = &settings.request;
        self.with(|prepared| {
            let lacked = prepared.traps.lacked(&prepared.analyses, devices.first()?);
            let constants = prepared.values_without(&lacked, request);
            let runs =
                |remedy: &DeviceRemedy| prepared.result_with_remedy(devices, request, remedy).is_some();
            let may_lower = devices.iter().any(|device| prepared.may_lower(device));
            DeviceRemedy::candidates(&constants, may_lower).into_iter().find(runs)
        })
    }

    /// Groups devices that get the same code. Settings that adapt the module make a group of each device.
    ///
    /// # Errors
    /// [`Error::Refused`] if one of them does not meet an unconditional requirement of the module, and no entry points are selected.
    pub fn groups<'d>(
        &self,
        devices: &'d [Device],
        settings: &Settings,
    ) -> Result<Vec<Vec<&'d Device>>, Error> {
        let all: Vec<&Device> = devices.iter().collect();
        self.with(|prepared| {
            if settings.request.entry_points.is_empty() {
                prepared.properties.check(&prepared.analyses, &all, &settings.request)?;
            }
            Ok(pipelines::groups(
                &prepared.analyses,
                &prepared.properties.sets,
                &settings.request,
                devices,
                |device| device,
            )?)
        })
    }

    /// Specializes it once for devices that get the same code, by [`Prepared::groups`]. Unchanged words of the module are borrowed. Each
    /// device is checked.
    ///
    /// # Errors
    /// See [`Prepared::specialize`].
    pub fn specialize_in_segments(
        &self,
        devices: &[&Device],
        settings: &Settings,
    ) -> Result<SpecializedSegments<'_>, Error> {
        self.with(|prepared| prepared.specialize_in_segments(devices, settings))
    }

    /// Returns the part of the module's interface that a result does not have. A layout that was made for the module may refer to it.
    ///
    /// # Errors
    /// If the words of the result were changed, and are not a module.
    pub fn removed_interface(&self, result: &Specialized) -> Result<Interface, Error> {
        self.with(|prepared| prepared.removed_interface(loader::Module::before_functions(&result.words)))
    }

    /// Returns the part of the module's interface that the result of [`Prepared::specialize`] for a device and settings does not have, for a
    /// program that found that result in a cache. No module is written for it.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// let removed = prepared.removed_interface_for(&Device::default(), &Settings::new().set(0, false))?;
    /// assert!(removed.spec_ids.contains(&0.into()) && removed.bindings.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prepared::specialize`].
    pub fn removed_interface_for(&self, device: &Device, settings: &Settings) -> Result<Interface, Error> {
        self.with(|prepared| {
            let result = prepared.result(&[device], settings)?;
            prepared.removed_interface(result.words.before_functions())
        })
    }

    /// Computes a key of the result of [`Prepared::specialize`], without specializing.
    ///
    /// It is the same in every process, and differs between versions of this library.
    pub fn cache_key(&self, device: &Device, settings: &Settings) -> CacheKey {
        self.with(|prepared| prepared.cache_key(device, settings))
    }
}

impl<'m> PreparedModule<'m> {
    /// Prepares a module.
    pub fn new(module: &'m Module<'m>) -> Result<PreparedModule<'m>, Error> {
        let module = module.lowered()?;
        PreparedModule::with_analyses(module, module.analyses(), Arc::default())
    }

    /// Prepares a module without compile-time properties, of which these analyses are.
    pub fn with_analyses(
        module: &'m Module<'m>,
        analyses: Analyses<'m>,
        traps: Arc<TrapAnalyses>,
    ) -> Result<PreparedModule<'m>, Error> {
        let properties = ModuleProperties::new(module.properties()?);
        Ok(PreparedModule { module, analyses, properties, key: OnceLock::new(), traps })
    }

    /// Returns values of constants with which fewer blocks run that require features missing on a device.
    pub fn values_without(&self, lacked: &LackedFeatures, request: &SpecializeRequest) -> DecidingValues {
        let Self { analyses, traps, properties, .. } = self;
        pipelines::values_without(analyses, traps, properties, lacked, request).unwrap_or_default()
    }

    /// Returns true if the module declares a feature that can be lowered, and that a device is known not to have.
    fn may_lower(&self, device: &Device) -> bool {
        let declared = closure(self.analyses.module().capabilities().map(|declared| declared.capability()));
        let device = self.analyses.device_for_module(device);
        let in_kernels = is_of_kernels(self.analyses.module());
        lowerable_features().iter().map(|feature| feature.capability()).any(|capability| {
            declared.contains(&capability)
                && device.supports_capability(capability, in_kernels) == Some(false)
        })
    }

    /// Returns the result for devices with a remedy, if they run it. If traps replace code, the devices must also run
    /// the result with the defaults of the constants. Otherwise a trap would replace code that every invocation
    /// reaches.
    pub fn result_with_remedy(
        &self,
        devices: &[&Device],
        request: &SpecializeRequest,
        remedy: &DeviceRemedy,
    ) -> Option<SpecializedModule<'_>> {
        let request = request.with_remedy(remedy);
        let result = |request: &SpecializeRequest| {
            pipelines::specialize_for(&self.analyses, &self.properties, devices, request).ok()
        };
        let with_remedy = result(&request)?;
        if remedy.trap && !with_remedy.trapped.is_empty() && !self.analyses.spec_constants().is_empty() {
            // Declarations of code that the defaults remove do not count.
            let unset = Some(UnsetPolicy::Default);
            result(&SpecializeRequest { unset, trim: true, ..request })?;
        }
        Some(with_remedy)
    }

    pub fn specialize_in_segments(
        &self,
        devices: &[&Device],
        settings: &Settings,
    ) -> Result<SpecializedSegments<'_>, Error> {
        let result = self.result(devices, settings)?;
        let report = self.report(&result, devices);
        Ok(SpecializedSegments { words: result.words, properties: result.properties, report })
    }

    fn removed_interface<'w>(&self, head: impl Into<Cow<'w, [u32]>>) -> Result<Interface, Error> {
        let head = loader::Module::from_words(head)?;
        Ok(Interface::new(self.module).without(&Interface::without_stages(&head)))
    }

    fn parse_value(&self, key: &ConstantKey, text: &str) -> Result<SpecValue, Error> {
        let setting = KeyedSetting { constant: key.clone(), treatment: ConstantSetting::Keep };
        match HostDecisions::find(&self.analyses, &self.properties.sets, &[setting])? {
            Some(_) => text.parse(),
            None => Ok(specialize::parse_value(&self.analyses, key, text)?),
        }
    }

    /// Returns true if the module has a specialization constant with this SpecId.
    pub(super) fn has_constant(&self, spec_id: SpecId) -> bool {
        let treatment = ConstantSetting::Keep;
        let setting = KeyedSetting { constant: ConstantKey::SpecId(spec_id.number()), treatment };
        let resolved = specialize::resolve_settings(&self.analyses, &[setting]);
        resolved.is_ok_and(|resolved| resolved.unknown.is_empty())
    }

    fn cache_key(&self, device: &Device, settings: &Settings) -> CacheKey {
        let of_module = self.key.get_or_init(|| {
            let mut hasher = KeyHasher::new();
            hasher.words(self.module.words());
            // Writing into a key cannot fail.
            let _ = write!(hasher, "{:?} {:?}", self.properties.sets, self.analyses.annotated());
            hasher
        });
        let mut hasher = *of_module;
        self.analyses.device_for_module(device).hash_without_name(&mut hasher);
        settings.request.hash(&mut hasher);
        hasher.key()
    }

    pub(super) fn result(
        &self,
        devices: &[&Device],
        settings: &Settings,
    ) -> Result<SpecializedModule<'_>, Error> {
        Ok(pipelines::specialize_for(&self.analyses, &self.properties, devices, &settings.request)?)
    }

    fn report(&self, result: &SpecializedModule, devices: &[&Device]) -> SpecializeReport {
        SpecializeReport::new(result, devices, &|part| self.undecided_part(part))
    }

    fn undecided_part(&self, part: &UndecidedItem) -> UndecidedPart {
        let spec_ids = part.unknown.spec_ids.iter().map(|spec_id| format!("SpecId {spec_id}"));
        let device = part.unknown.device_constants.iter().map(|id| format!("device constant %{id}"));
        let unknown: Vec<String> = spec_ids.chain(device).collect();
        let unknown = match unknown.is_empty() {
            true => "a condition that cannot be evaluated".to_owned(),
            false => unknown.join(" and "),
        };
        UndecidedPart { part: part.describe(&self.module.inner), depends_on: unknown }
    }
}

impl Specialized {
    /// Makes the result of specializing.
    #[doc(hidden)]
    pub fn new(words: Vec<u32>, properties: Option<PropertySets>, report: SpecializeReport) -> Specialized {
        Specialized { words, properties, report }
    }

    /// Wraps the words of a module that was specialized before, such as a result of a [ready shader](crate::ready).
    pub fn from_words(words: Vec<u32>) -> Specialized {
        Specialized { words, properties: None, report: SpecializeReport::default() }
    }

    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }
}

impl SpecializedSegments<'_> {
    /// Returns the words segment by segment, in the host's byte order.
    pub fn segments(&self) -> impl Iterator<Item = &[u32]> {
        self.words.pieces()
    }

    /// Returns the number of words.
    #[expect(clippy::len_without_is_empty, reason = "a module is never empty")]
    pub fn len(&self) -> usize {
        self.words.word_count()
    }

    /// Writes the words to the start of `memory`, without allocating.
    ///
    /// # Panics
    /// If `memory` has fewer than [`len`](SpecializedSegments::len) words.
    pub fn write_to(&self, memory: &mut [u32]) {
        self.words.write_to(&mut memory[..self.len()]);
    }

    /// Returns the property sets ([`Specialized::properties`]).
    pub fn properties(&self) -> Option<&PropertySets> {
        self.properties.as_ref()
    }

    /// Returns the report on specializing it.
    pub fn report(&self) -> &SpecializeReport {
        &self.report
    }

    /// Joins the segments.
    pub fn into_specialized(self) -> Specialized {
        let SpecializedSegments { words, properties, report } = self;
        Specialized { words: Module::result(words.into_owned()), properties, report }
    }
}

impl SpecializeReport {
    /// Makes the report on a result for devices; `part` describes a part that stays conditional.
    #[doc(hidden)]
    pub fn new(
        result: &SpecializedModule,
        devices: &[&Device],
        part: &dyn Fn(&UndecidedItem) -> UndecidedPart,
    ) -> SpecializeReport {
        let SpecializedModule {
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
            ..
        } = result;
        let spec_ids = |all: &[u32]| all.iter().copied().map(SpecId).collect();
        let removed_reflection = report.removed_reflection.iter().map(|(name, removed_spec_ids)| {
            RemovedReflection { instruction: (*name).to_owned(), spec_ids: spec_ids(removed_spec_ids) }
        });
        let unsupported = unsupported.iter().map(|entry| UnsupportedEntryPoint {
            entry_point: entry.entry_point.clone(),
            device: devices[entry.device].name().to_owned(),
            missing: entry.missing.clone(),
        });
        let mut public = SpecializeReport {
            multi_target: report.multi_target,
            kept_parts: report.decided_true,
            removed_parts: report.decided_false,
            removed_functions: report.removed_functions.len() + report.swept_functions.len(),
            removed_definitions: report.swept,
            branches: report.branches,
            removed_blocks: report.blocks,
            not_cloned: report.not_cloned.clone(),
            call_clones: report.call_clones.clone(),
            frozen: report.frozen,
            work_around: worked_around
                .map(|(driver, instructions)| WorkAroundReport { driver, instructions }),
            trapped: trapped.clone(),
            trimmed: trimmed.as_ref().map(|trimmed| trimmed.names()),
            adapted: adapted.clone(),
            lowered: lowered.clone(),
            undecided: report.undecided.iter().map(part).collect(),
            defaulted: spec_ids(&report.defaulted),
            new_defaults: report.new_defaults,
            removed_reflection: removed_reflection.collect(),
            ignored: ignored.iter().cloned().map(|key| SpecConstant { key }).collect(),
            unknown: unknown.iter().map(|(id, when)| ConditionConstant::new(*id, when.clone())).collect(),
            unsupported: unsupported.collect(),
            not_known: not_known
                .iter()
                .map(|(device, features)| UncertainDevice {
                    device: devices[*device].name().to_owned(),
                    features: features.clone(),
                })
                .collect(),
            ..SpecializeReport::default()
        };
        if let Some(calls) = calls {
            let conditions = &calls.conditions;
            let count = |holds: fn(&Expr) -> bool| conditions.iter().filter(|when| holds(when)).count();
            public.calls = Some(CallCounts {
                all: conditions.len(),
                taken: count(|when| *when == Expr::True),
                conditional: count(|when| !matches!(when, Expr::True | Expr::False)),
            });
            public.open = ConditionConstant::from_leaves(&calls.leaves);
            public.removed = calls.removed.clone();
        }
        public
    }
}
