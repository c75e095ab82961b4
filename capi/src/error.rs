//! Errors: a status, a message, and what is missing as data.

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
    /// The bytes are not a SPIR-V module, or a damaged one.
    Load = 1,
    /// The device does not run the module: `spvif_error_missing` lists what is missing. With `spvif_settings_strict`, also a device that is not
    /// known to run it: `spvif_error_unknown` lists the features that it may or may not have, and nothing is missing.
    Refused = 2,
    /// Something would stay conditional on the device, or without one: `spvif_error_undecided` lists the constants without a value.
    Undecided = 3,
    /// The request makes no sense for this module: a name, a SpecId or a value that does not exist.
    Request = 4,
    /// The module, or what lies beside it, breaks a rule that the call depends on.
    Module = 5,
    /// The library was built without this (drivers need the feature `probe`).
    Unsupported = 6,
    /// A driver did not answer.
    Driver = 7,
    /// An argument is null, a text is not UTF-8, or a number is not a version.
    Argument = 8,
    /// The buffer is too small for the result.
    Buffer = 9,
    /// A defect of the library.
    Internal = 10,
    /// The result uses what the version that was requested does not have: `spvif_error_missing` lists it.
    TooNew = 11,
}

/// The kind of a missing feature.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingKind {
    /// One that this version of the header does not know.
    Other = 0,
    /// A version of SPIR-V: `number` is 0x10500 for 1.5, as in the header of a module. `name` is the construct that requires it, where the status
    /// is `SPVIF_STATUS_TOO_NEW`.
    Version = 1,
    /// A capability: `number` is its number in SPIR-V.
    Capability = 2,
    /// An extension: `name` is its name.
    Extension = 3,
    /// A work-group size, in work-items: `number`.
    WorkGroupSize = 4,
    /// An aspect of SYCL: `number` is its number.
    Aspect = 5,
    /// A sub-group size, in work-items: `number`.
    SubGroupSize = 6,
    /// The device is none of those that the module is compiled for.
    FixedTargets = 7,
    /// A feature or property of Vulkan that no capability names: `name` is its name, or those of alternatives.
    VulkanFeature = 8,
    /// A limit of Vulkan: it must be at least `number`.
    VulkanLimit = 9,
    /// The condition of the whole module does not hold: none of its variants is for the device.
    Condition = 10,
    /// Nothing has decided conditional calls: `number` is their number. As the module is, all of them are made.
    UndecidedCalls = 11,
    /// The compiler of the device's driver is known to fail at the module.
    DriverDefect = 12,
}

/// A feature that a device is known not to have. It may have more members in later versions.
#[repr(C)]
pub struct Missing {
    /// The kind.
    pub kind: MissingKind,
    /// The number; by kind.
    pub number: u64,
    /// The name: `Float64`, `aspect fp64`, `sub-group size 8`; of an extension, its own.
    pub name: *const c_char,
    /// The reason as a clause: "it requires the sub-group size 8, which the device does not support".
    pub reason: *const c_char,
}

impl Missing {
    /// The data of a missing feature, with its texts kept.
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
            // The enumeration may have more members in later versions of the library: a test finds those of this one.
            _ => (MissingKind::Other, 0),
        };
        Missing { kind, number, name: texts.keep(missing.name()), reason: texts.keep(missing) }
    }

    /// The data of a construct of a newer version.
    fn newer(construct: &spirv_if::error::Construct, texts: &mut Texts) -> Missing {
        let (name, reason) = (texts.keep(&construct.name), texts.keep(construct));
        Missing { kind: MissingKind::Version, number: construct.version.to_word().into(), name, reason }
    }
}

/// A specialization constant, and the condition that it stands for. It may have more members in later versions.
#[repr(C)]
pub struct Constant {
    /// The SpecId.
    pub spec_id: u32,
    /// The condition, such as "fp16 && !fp64"; null if it is not known.
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
    /// An error that is a message alone.
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

    /// The message alone.
    pub fn into_message(self) -> CString {
        self.message
    }

    /// The error about something with a name.
    pub fn about(self, name: &str) -> Error {
        let message = text::c_string(format!("{name}: {}", self.message.to_string_lossy()));
        Error { message, ..self }
    }

    /// The error of a wrong argument.
    pub fn argument(message: impl fmt::Display) -> Error {
        Error::new(Status::Argument, message)
    }
}

/// The functions that resolve errors, in messages.
const HINT_WORDS: HintWords = HintWords {
    adapt: "spvif_settings_adapt",
    lower: "spvif_settings_lower",
    trap: "spvif_settings_trap",
    trim: "spvif_settings_trim",
    extensions: "the extensions",
    set: "spvif_settings_set_bool for SpecId {}",
    set_value: "spvif_settings_set for SpecId {} and {value}",
    and: " and ",
    decide: "spvif_settings_set_named for \"{}\"",
    properties: "spvif_module_add_properties",
    device: "spvif_device_from_vulkan, spvif_device_by_name or spvif_device_from_parts",
    describe: "the parts aspects, capabilities, limits and architecture of spvif_parts_set",
    keep_undecided: "spvif_settings_keep_undecided",
};

impl Error {
    /// An error with ways to resolve it in its message.
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

/// The status of an error; `SPVIF_STATUS_OK` of null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_status(error: *const Error) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe { ask(error, Status::Ok, |error| error.status) }
}

/// The message of an error, in words that the program `spirv-if` uses too. It lives as long as the error; an empty text for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_message(error: *const Error) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(error, c"".as_ptr(), |error| error.message.as_ptr()) }
}

/// The missing feature at an index, from 0, of an error with `SPVIF_STATUS_REFUSED` or `SPVIF_STATUS_TOO_NEW`; null after the last. It lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_missing(error: *const Error, index: usize) -> *const Missing {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::item(&error.missing, index)) }
}

/// The feature at an index, from 0, that the device may or may not have, by name, of an error with `SPVIF_STATUS_REFUSED`; null
/// after the last. It lives as long as the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_unknown(error: *const Error, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::at(&error.unknown, index)) }
}

/// The constant without a value at an index, from 0, of an error with `SPVIF_STATUS_UNDECIDED`; null after the last. It lives as long as
/// the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_undecided(error: *const Error, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(error, std::ptr::null(), |error| text::item(&error.undecided, index)) }
}

/// Frees an error, with all that it gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_error_destroy(error: *mut Error) {
    // SAFETY: as above.
    unsafe { destroy(error) }
}
