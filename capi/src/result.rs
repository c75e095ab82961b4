//! Results: a module, and the report on making it.

use std::borrow::Cow;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use spirv_if::module::{ConditionConstant, SpecId};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::Specialized;

use crate::boundary::{Out, ask, call, destroy, required};
use crate::compatibility::feature_names;
use crate::error::{Constant, Error, Missing, Status};
use crate::module::Module;
use crate::text::{self, Texts};

/// A module that this library made, and the report on making it. It is immutable: several threads may use it at once.
pub struct ModuleResult {
    source: Box<dyn Source>,
    /// The report, which the first query for it makes: programs that specialize shaders at run time often need only the words.
    report: OnceLock<Report>,
    properties: OnceLock<CString>,
}

/// Result of a call: the words of a module, and its report.
pub trait Source: Send + Sync {
    /// Returns the words of the module.
    fn words(&self) -> &[u32];

    /// Returns the property sets of the module, if it has any.
    ///
    /// # Errors If the module carries malformed property sets.
    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error>;

    /// Makes the report.
    fn report(&self) -> Report;

    /// Returns the result of specializing, or `None` for the result of another call.
    fn specialized(&self) -> Option<&Specialized> {
        None
    }

    /// Returns the module for another call.
    ///
    /// # Errors If the words are not a module, or do not fit their property sets.
    fn module(&self) -> Result<spirv_if::Module<'static>, Error> {
        let module = spirv_if::Module::from_words(self.words().to_vec())?;
        Ok(match self.properties()? {
            Some(properties) => module.with_properties(properties.into_owned())?,
            None => module,
        })
    }
}

/// An entry point that the device does not run. Later versions may add members.
#[repr(C)]
pub struct Unsupported {
    /// The name of the entry point.
    pub entry_point: *const c_char,
    /// The missing feature.
    pub missing: *const Missing,
}

/// The report, in C's types.
#[derive(Default)]
pub struct Report {
    pub(crate) removed: Vec<CString>,
    pub(crate) warnings: Vec<CString>,
    pub(crate) undecided: Vec<CString>,
    pub(crate) open: Vec<Constant>,
    pub(crate) unknown: Vec<Constant>,
    pub(crate) set_by_host: Vec<Constant>,
    pub(crate) defaulted: Vec<Constant>,
    pub(crate) ignored: Vec<Constant>,
    pub(crate) trapped: Vec<CString>,
    pub(crate) unsupported: Vec<Unsupported>,
    pub(crate) not_known: Vec<CString>,
    pub(crate) adapted: Vec<CString>,
    pub(crate) lowered: Vec<CString>,
    pub(crate) work_around: Option<CString>,
    pub(crate) _missing: Vec<Missing>,
    pub(crate) _texts: Texts,
}

// SAFETY: its pointers refer to its own strings, which never change.
unsafe impl Send for Report {}
// SAFETY: as above.
unsafe impl Sync for Report {}

impl ModuleResult {
    /// Creates a result.
    pub fn new(source: impl Source + 'static) -> ModuleResult {
        ModuleResult { source: Box::new(source), report: OnceLock::new(), properties: OnceLock::new() }
    }

    fn report(&self) -> &Report {
        self.report.get_or_init(|| self.source.report())
    }

    /// Returns the result of specializing.
    ///
    /// # Errors If another call made the result.
    pub fn specialized(&self) -> Result<&Specialized, Error> {
        let specialized = self.source.specialized();
        specialized.ok_or_else(|| Error::argument("result is none of spvif_specialize"))
    }
}

impl Source for Specialized {
    fn words(&self) -> &[u32] {
        &self.words
    }

    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error> {
        Ok(self.properties.as_ref().map(Cow::Borrowed))
    }

    fn report(&self) -> Report {
        Report::from_specialized(&self.report)
    }

    fn specialized(&self) -> Option<&Specialized> {
        Some(self)
    }
}

impl Source for spirv_if::trim::Trimmed {
    fn words(&self) -> &[u32] {
        &self.words
    }

    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error> {
        Ok(None)
    }

    fn report(&self) -> Report {
        Report { removed: text::c_strings(&self.removed), ..Report::default() }
    }
}

impl Report {
    fn from_specialized(report: &spirv_if::specialize::SpecializeReport) -> Report {
        let mut texts = Texts::default();
        let ignored: Vec<SpecId> =
            report.ignored.iter().filter_map(spirv_if::specialize::SpecConstant::spec_id).collect();
        let unnamed = |spec_ids: &[SpecId]| {
            let constant = |id: &SpecId| Constant { spec_id: id.number(), condition: std::ptr::null() };
            spec_ids.iter().map(constant).collect()
        };
        let missing: Vec<Missing> = report
            .unsupported
            .iter()
            .map(|entry_point| Missing::new(&entry_point.missing, &mut texts))
            .collect();
        let unsupported = report.unsupported.iter().zip(&missing).map(|(entry_point, missing)| Unsupported {
            entry_point: texts.keep(&entry_point.entry_point),
            missing: std::ptr::from_ref(missing),
        });
        let unsupported = unsupported.collect();
        let open = constants(&report.open, &mut texts);
        let unknown = constants(&report.unknown, &mut texts);
        let removed = report.removed.iter().chain(report.trimmed.iter().flatten());
        let undecided =
            report.undecided.iter().map(|part| format!("{} depends on {}", part.part, part.depends_on));
        Report {
            removed: removed.map(|name| text::c_string(name.as_str())).collect(),
            warnings: text::c_strings(&report.removed_reflection),
            undecided: undecided.map(text::c_string).collect(),
            open,
            unknown,
            defaulted: unnamed(&report.defaulted),
            ignored: unnamed(&ignored),
            trapped: text::c_strings(&report.trapped),
            unsupported,
            // The report is about one device.
            not_known: feature_names(report.not_known.iter().flat_map(|device| &device.features)),
            adapted: text::c_strings(&report.adapted),
            lowered: text::c_strings(&report.lowered),
            work_around: report.work_around.map(|changes| text::c_string(changes.to_string())),
            _missing: missing,
            _texts: texts,
            ..Report::default()
        }
    }
}

/// Returns constants with their conditions for C.
pub fn constants(constants: &[ConditionConstant], texts: &mut Texts) -> Vec<Constant> {
    let constant = |constant: &ConditionConstant| Constant {
        spec_id: constant.spec_id.number(),
        condition: texts.keep(&constant.condition),
    };
    constants.iter().map(constant).collect()
}

/// Returns the words of the module in the host's byte order. They are valid as long as the result. `count` receives their number,
/// and may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_words(result: *const ModuleResult, count: *mut usize) -> *const u32 {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        let words: &[u32] = ask(result, &[], |result| result.source.words());
        if let Some(count) = count.as_mut() {
            *count = words.len();
        }
        words.as_ptr()
    }
}

/// Returns the property sets of the module as the text of a file (spec-extensions/property-sets.md), or an empty string if it has
/// none. The string is valid as long as the result. A packed module carries its property sets: this library does not need the
/// file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_properties(result: *const ModuleResult) -> *const c_char {
    // SAFETY: as above.
    unsafe {
        ask(result, c"".as_ptr(), |result| {
            let text =
                || result.source.properties().ok().flatten().map_or_else(String::new, |sets| sets.to_text());
            result.properties.get_or_init(|| text::c_string(text())).as_ptr()
        })
    }
}

/// Creates a module from a result, for other calls. It has the words and property sets of the result, and the translation units
/// of a linked module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_module(
    result: *const ModuleResult,
    module: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(module)?;
            out.set(Module::new(required(result, "result")?.source.module()?));
            Ok(())
        })
    }
}

/// Returns the name of removed item `index`, or null after the last. Items are capabilities, extensions and functions that
/// nothing requires. The string is valid as long as the result, as is all data that the following functions return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_removed(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().removed, index)) }
}

/// Returns warning `index`, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_warning(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().warnings, index)) }
}

/// Returns a description of conditional part `index`, or null after the last. The part stays conditional, and the description
/// names the constants that it depends on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_undecided(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().undecided, index)) }
}

/// Returns open constant `index`, or null after the last. The device leaves its condition open, in a module that was not packed.
/// The result has the constant, and the host sets it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_open(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().open, index)) }
}

/// Returns constant `index` that annotations bind to an unknown condition, or null after the last. The constant has no value,
/// since the device may or may not meet the condition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_unknown(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().unknown, index)) }
}

/// Returns condition constant `index` of a packed module, or null after the last. The constant must be true where its condition
/// holds: `spvif_specialize` sets it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_set_by_host(
    result: *const ModuleResult,
    index: usize,
) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().set_by_host, index)) }
}

/// Returns constant `index` that took its default value (`spvif_settings_unset`), or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_defaulted(
    result: *const ModuleResult,
    index: usize,
) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().defaulted, index)) }
}

/// Returns ignored constant `index`, or null after the last. The settings have a value for it, but the module does not have the
/// constant (`spvif_settings_ignore_unknown`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_ignored(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().ignored, index)) }
}

/// Returns a description of trapped block `index`, or null after the last. It names the function, the missing feature and the
/// trap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_trapped(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().trapped, index)) }
}

/// Returns entry point `index` that the device does not run, with the missing feature, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_unsupported(
    result: *const ModuleResult,
    index: usize,
) -> *const Unsupported {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().unsupported, index)) }
}

/// Returns the name of unknown feature `index`, or null after the last. The device may or may not have the feature, so it is not
/// known to run the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_not_known(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().not_known, index)) }
}

/// Returns a description of adaptation `index`, or null after the last. It adapts the module to the device
/// (`spvif_settings_adapt`) or to an older version of SPIR-V.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_adapted(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().adapted, index)) }
}

/// Returns a description of lowered feature `index` with its cost (`spvif_settings_lower`), or null after the last. That of a packed
/// module begins with the condition of its twin (`spvif_pack_options_lower`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_lowered(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().lowered, index)) }
}

/// Returns a description of the changes that work around the defects of a driver, or null if the settings did not request them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_work_around(result: *const ModuleResult) -> *const c_char {
    // SAFETY: as above.
    unsafe {
        ask(result, std::ptr::null(), |result| {
            result.report().work_around.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
        })
    }
}

/// Frees a result, with all data that it returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_destroy(result: *mut ModuleResult) {
    // SAFETY: as above.
    unsafe { destroy(result) }
}
