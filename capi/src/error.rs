//! Errors: a status, a message, and the missing features as data.

use std::ffi::{CString, c_char};
use std::fmt;

use spirv_if::error::{Hint, HintWords};

use crate::boundary::{ask, destroy};
use crate::compatibility::feature_names;
use crate::text::{self, Texts};

/// The outcome of a call.
#[allow(dead_code, reason = "which of them there are depends on features, and C has all")]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// The bytes are not a SPIR-V module, or the module is damaged.
    Load = 1,
    /// The device does not run the module: `spvif_error_missing` lists the missing features. With `spvif_settings_strict`, also:
    /// the device is not known to run the module. `spvif_error_unknown` then lists the features that the device may or may not
    /// have, and no feature is missing.
    Refused = 2,
    /// The device and the settings do not decide every condition: `spvif_error_undecided` lists the constants without a value.
    Undecided = 3,
    /// The request does not fit the module: a name, a SpecId or a value does not exist.
    Request = 4,
    /// The module, or data beside it, breaks a rule that the call requires.
    Module = 5,
    /// The library was built without a feature that the call requires, such as `probe` for drivers.
    Unsupported = 6,
    /// A driver did not answer.
    Driver = 7,
    /// An argument is null, a string is not UTF-8, or a number is not a version.
    Argument = 8,
    /// The buffer is too small for the result.
    Buffer = 9,
    /// The library has a defect.
    Internal = 10,
    /// The result uses constructs that the requested version of SPIR-V does not have: `spvif_error_missing` lists them.
    TooNew = 11,
}

/// The kind of a missing feature.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKind {
    /// A kind that this version of the header does not know.
    Other = 0,
    /// A version of SPIR-V. `number` is the version as in the header of a module: 0x10500 for 1.5. With the status
    /// `SPVIF_STATUS_TOO_NEW`, `name` is the construct that requires it.
    Version = 1,
    /// A capability. `number` is its number in SPIR-V.
    Capability = 2,
    /// An extension. `name` is its name.
    Extension = 3,
    /// A work-group size. `number` is the number of work-items.
    WorkGroupSize = 4,
    /// An aspect of SYCL. `number` is its number.
    Aspect = 5,
    /// A sub-group size. `number` is the number of work-items.
    SubGroupSize = 6,
    /// The device itself: it is not among the devices that the module is compiled for.
    FixedTargets = 7,
    /// A Vulkan feature or property that no capability names. `name` is its name, or the names of alternatives.
    VulkanFeature = 8,
    /// A Vulkan limit. The device's limit must be at least `number`.
    VulkanLimit = 9,
    /// The condition of the whole module. It does not hold: no variant of the module is for the device.
    Condition = 10,
    /// Conditional calls that nothing decided. `number` is their number. The module makes all of them as long as it is not
    /// specialized.
    UndecidedCalls = 11,
    /// A driver defect: the compiler of the driver is known to fail on the module.
    DriverDefect = 12,
}

/// A feature that a device is known not to have. Later versions may add members.
#[repr(C)]
pub struct Missing {
    /// The kind.
    pub kind: MissingKind,
    /// The number, whose meaning depends on the kind.
    pub number: u64,
    /// The name, such as `Float64`, `aspect fp64` or `sub-group size 8`. For an extension, its own name.
    pub name: *const c_char,
    /// The reason as a clause: "it requires the sub-group size 8, which the device does not support".
    pub reason: *const c_char,
}

impl Missing {
    /// Creates the data of a missing feature. `texts` keeps the strings.
    pub fn new(missing: &spirv_if::error::Missing, texts: &mut Texts) -> Missing {
        use spirv_if::error::Missing as Of;
        let (kind, number) = match missing {
            Of::Version(version) => (MissingKind::Version, version.to_word().into()),
            Of::Capability(capability) => (MissingKind::Capability, capability.number().into()),
            Of::Extension(_) => (MissingKind::Extension, 0),
            Of::WorkGroupSize { size, .. } => (MissingKind::WorkGroupSize, *size),
            Of::Aspect(aspect) => (MissingKind::Aspect, aspect.number().into()),
            Of::SubGroupSize { size, .. } => (MissingKind::SubGroupSize, (*size).into()),
            Of::FixedTargets(_) => (MissingKind::FixedTargets, 0),
            Of::VulkanFeature(_) => (MissingKind::VulkanFeature, 0),
            Of::VulkanLimit { at_least, .. } => (MissingKind::VulkanLimit, *at_least),
            Of::Condition(_) => (MissingKind::Condition, 0),
            Of::UndecidedCalls(count) => (MissingKind::UndecidedCalls, *count as u64),
            Of::DriverDefect { .. } => (MissingKind::DriverDefect, 0),
            // Later versions of the library may add members: a test checks that those of this version are listed.
            _ => (MissingKind::Other, 0),
        };
        Missing { kind, number, name: texts.keep(missing.name()), reason: texts.keep(missing) }
    }

    /// Creates the data of a construct that requires a newer version. `texts` keeps the strings.
    fn newer(construct: &spirv_if::error::Construct, texts: &mut Texts) -> Missing {
        let (name, reason) = (texts.keep(&construct.name), texts.keep(construct));
        Missing { kind: MissingKind::Version, number: construct.version.to_word().into(), name, reason }
    }
}

/// A specialization constant, and the condition that it represents. Later versions may add members.
#[repr(C)]
pub struct Constant {
    /// The SpecId.
    pub spec_id: u32,
    /// The condition, such as "fp16 && !fp64", or null if it is not known.
    pub condition: *const c_char,
}

/// An error.
pub struct Error {
    pub(crate) status: Status,
    message: CString,
    missing: Vec<Missing>,
    unknown: Vec<CString>,
    undecided: Vec<Constant>,
    _texts: Texts,
}

impl Error {
    /// Creates an error that is a message alone.
    pub fn new(status: Status, message: impl fmt::Display) -> Error {
        let message = text::c_string(message.to_string());
        Error {
            status,
            message,
            missing: Vec::new(),
            unknown: Vec::new(),
            undecided: Vec::new(),
            _texts: Texts::default(),
        }
    }

    /// Returns the message alone.
    pub fn into_message(self) -> CString {
        self.message
    }

    /// Returns the error with the name of an object before its message.
    pub fn about(self, name: &str) -> Error {
        let message = text::c_string(format!("{name}: {}", self.message.to_string_lossy()));
        Error { message, ..self }
    }

    /// Creates the error of an invalid argument.
    pub fn argument(message: impl fmt::Display) -> Error {
        Error::new(Status::Argument, message)
    }
}

/// The functions that resolve errors, for messages.
const HINT_WORDS: HintWords = HintWords {
    adapt: "spvif_settings_adapt",
    lower: "spvif_settings_lower",
    trap: "spvif_settings_trap",
    trim: "spvif_settings_trim",
    extensions: "the extensions",
    set: "spvif_settings_set for SpecId {}",
    set_value: "spvif_settings_set for SpecId {} and {value}",
    and: " and ",
    decide: "spvif_settings_set_text for \"{}\"",
    properties: "spvif_module_add_properties",
    device: "spvif_device_from_vulkan, spvif_device_by_name or spvif_device_from_parts",
    describe: "the parts aspects, capabilities, limits and architecture of spvif_parts_set",
    keep_undecided: "\"keep\" for spvif_settings_unset",
};

impl Error {
    /// Creates an error whose message lists ways to resolve it.
    pub fn with_hints(error: spirv_if::Error, hints: &[Hint]) -> Error {
        let message = text::c_string(error.with_hints(hints, &HINT_WORDS));
        Error { message, ..error.into() }
    }
}

impl From<spirv_if::Error> for Error {
    fn from(error: spirv_if::Error) -> Error {
        let mut texts = Texts::default();
        let (mut missing, mut unknown, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
        let status = match &error {
            spirv_if::Error::Load(_) => Status::Load,
            spirv_if::Error::Refused(refused) => {
                missing = refused.missing.iter().map(|missing| Missing::new(missing, &mut texts)).collect();
                unknown = feature_names(&refused.unknown);
                Status::Refused
            }
            spirv_if::Error::Undecided(open) => {
                let constant = |constant: &spirv_if::error::UndecidedConstant| {
                    let condition = constant.condition.as_ref();
                    let condition = condition.map_or(std::ptr::null(), |condition| texts.keep(condition));
                    Constant { spec_id: constant.spec_id.number(), condition }
                };
                undecided = open.constants.iter().map(constant).collect();
                Status::Undecided
            }
            spirv_if::Error::Request(_) => Status::Request,
            spirv_if::Error::TooNew(newer) => {
                missing =
                    newer.constructs.iter().map(|construct| Missing::newer(construct, &mut texts)).collect();
                Status::TooNew
            }
            _ => Status::Module,
        };
        Error { missing, unknown, undecided, _texts: texts, ..Error::new(status, error) }
    }
}

impl From<spirv_if::device::DeviceError> for Error {
    fn from(error: spirv_if::device::DeviceError) -> Error {
        spirv_if::Error::from(error).into()
    }
}

impl From<spirv_if::property_sets::PropertyError> for Error {
    fn from(error: spirv_if::property_sets::PropertyError) -> Error {
        spirv_if::Error::from(error).into()
    }
}

#[cfg(feature = "probe")]
impl From<spirv_if_probe::ProbeError> for Error {
    fn from(error: spirv_if_probe::ProbeError) -> Error {
        let status = match error {
            spirv_if_probe::ProbeError::Version(_) => Status::Argument,
            _ => Status::Driver,
        };
        Error::new(status, error)
    }
}

/// Returns the status of an error, or `SPVIF_STATUS_OK` for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_status(error: *const Error) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe { ask(error, Status::Ok, |error| error.status) }
}

/// Returns the message of an error, or an empty string for null. The string is valid as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_message(error: *const Error) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(error, c"".as_ptr(), |error| error.message.as_ptr()) }
}

/// Returns missing feature `index` of an error, or null after the last. The status is `SPVIF_STATUS_REFUSED` or
/// `SPVIF_STATUS_TOO_NEW`. The data is valid as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_missing(error: *const Error, index: usize) -> *const Missing {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::item(&error.missing, index)) }
}

/// Returns the name of unknown feature `index` of an error, or null after the last. The status is `SPVIF_STATUS_REFUSED`, and the
/// device may or may not have the feature. The string is valid as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_unknown(error: *const Error, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::at(&error.unknown, index)) }
}

/// Returns undecided constant `index` of an error, or null after the last. The status is `SPVIF_STATUS_UNDECIDED`. The data is
/// valid as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_undecided(error: *const Error, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::item(&error.undecided, index)) }
}

/// Frees an error, with all data that it returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_destroy(error: *mut Error) {
    // SAFETY: as above.
    unsafe { destroy(error) }
}
