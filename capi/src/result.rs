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

/// A module that this library made, and the report on making it. It never changes, and may be used by several threads at once.
pub struct ModuleResult {
    source: Box<dyn Source>,
    /// Made when it is first asked for: a program that cuts shaders down while somebody waits asks for the words alone.
    report: OnceLock<Report>,
    properties: OnceLock<CString>,
}

/// Result of a call: the words of a module, and its report.
pub trait Source: Send + Sync {
    /// The words of the module.
    fn words(&self) -> &[u32];

    /// The property sets of the module, if it has any.
    ///
    /// # Errors
    /// If those that it carries are malformed.
    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error>;

    /// The report.
    fn report(&self) -> Report;

    /// The result of specializing; nothing of another call.
    fn specialized(&self) -> Option<&Specialized> {
        None
    }

    /// The module for another call.
    ///
    /// # Errors
    /// If the words are not a module, or do not fit their property sets.
    fn module(&self) -> Result<spirv_if::Module<'static>, Error> {
        let module = spirv_if::Module::from_words(self.words().to_vec())?;
        Ok(match self.properties()? {
            Some(properties) => module.with_properties(properties.into_owned())?,
            None => module,
        })
    }
}

/// An entry point that the device does not run. It may have more members in later versions.
#[repr(C)]
pub struct Unsupported {
    /// The name of the entry point.
    pub entry_point: *const c_char,
    /// The missing feature.
    pub missing: *const Missing,
}

/// The report as C sees it.
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

// SAFETY: its pointers lead to its own texts, which nobody changes.
unsafe impl Send for Report {}
// SAFETY: as above.
unsafe impl Sync for Report {}

impl ModuleResult {
    /// A result.
    pub fn new(source: impl Source + 'static) -> ModuleResult {
        ModuleResult { source: Box::new(source), report: OnceLock::new(), properties: OnceLock::new() }
    }

    fn report(&self) -> &Report {
        self.report.get_or_init(|| self.source.report())
    }

    /// The result of specializing.
    ///
    /// # Errors
    /// If it is that of another call.
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
            // There is one device.
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

/// The words of the module, in the host's byte order, and their number. They live as long as the result. `count` may be null.
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

/// The property sets of the module, as the text of a file (spec-extensions/property-sets.md); empty if there are none. It lives as long as
/// the result. A packed module carries them itself: nothing of this library needs the file.
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

/// The module of a result for other calls: its words with its property sets, and with the translation units of what was linked.
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

/// The capability, extension or function at an index, from 0, that nothing required and that was removed, by name; null after the last.
/// It lives as long as the result, as does all that the following functions give out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_removed(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().removed, index)) }
}

/// The warning at an index, from 0; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_warning(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().warnings, index)) }
}

/// The part at an index, from 0, that stays conditional, described with the constants that it depends on; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_undecided(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().undecided, index)) }
}

/// The constant at an index, from 0, for a condition that the device leaves open, where the module was not packed: the result has it,
/// and the host sets it; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_open(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().open, index)) }
}

/// The constant at an index, from 0, that annotations bind to a condition of which it is not known if the device fulfils it, and that
/// therefore has no value; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_unknown(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().unknown, index)) }
}

/// The constant of a packed module at an index, from 0, that is to be true where its condition holds; null after the last.
/// `spvif_specialize` sets it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_set_by_host(
    result: *const ModuleResult,
    index: usize,
) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().set_by_host, index)) }
}

/// The constant at an index, from 0, that took its default value (`spvif_settings_default_undecided`); null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_defaulted(
    result: *const ModuleResult,
    index: usize,
) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().defaulted, index)) }
}

/// The constant at an index, from 0, that was to be set and that the module does not have (`spvif_settings_ignore_unknown`); null after
/// the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_ignored(result: *const ModuleResult, index: usize) -> *const Constant {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().ignored, index)) }
}

/// The block at an index, from 0, that became a trap, with the function, what it requires and the trap, as text; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_trapped(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().trapped, index)) }
}

/// The entry point at an index, from 0, that the device does not run, with the missing feature; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_unsupported(
    result: *const ModuleResult,
    index: usize,
) -> *const Unsupported {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().unsupported, index)) }
}

/// The feature at an index, from 0, that the device may or may not have, by name; null after the last. Where there is one, the
/// device is not known to run the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_not_known(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().not_known, index)) }
}

/// The change at an index, from 0, that adapts the module to the device (`spvif_settings_adapt`) or to an older version of SPIR-V, in words;
/// null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_adapted(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().adapted, index)) }
}

/// The feature at an index, from 0, that was lowered (`spvif_settings_lower`), with what that costs, in words; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_lowered(result: *const ModuleResult, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::at(&result.report().lowered, index)) }
}

/// The changes that work around the defects of a driver, in words; null if they were not asked for.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_work_around(result: *const ModuleResult) -> *const c_char {
    // SAFETY: as above.
    unsafe {
        ask(result, std::ptr::null(), |result| {
            result.report().work_around.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
        })
    }
}

/// Frees a result, with all that it gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_destroy(result: *mut ModuleResult) {
    // SAFETY: as above.
    unsafe { destroy(result) }
}
