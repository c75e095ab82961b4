//! Results: a module, and the report on making it.

use std::borrow::Cow;
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use spirv_if::module::{ConditionConstant, SpecId};
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Out, ask, call, destroy, given};
use crate::error::{Constant, Error, Missing, Status};
use crate::module::Module;
use crate::text::{self, Texts};

/// A module that this library made, and the report on making it. It never changes, and may be used by several threads at once.
pub struct ModuleResult {
    source: Source,
    /// Made when it is first asked for: a program that cuts shaders down while somebody waits asks for the words alone.
    report: OnceLock<Report>,
    properties: OnceLock<CString>,
}

enum Source {
    Packed(spirv_if::pack::Packed),
    Specialized(Box<spirv_if::specialize::Specialized>),
    Trimmed(spirv_if::trim::Trimmed),
    Linked(Box<spirv_if::link::Linked>),
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
struct Report {
    removed: Vec<CString>,
    warnings: Vec<CString>,
    undecided: Vec<CString>,
    set_by_host: Vec<Constant>,
    defaulted: Vec<Constant>,
    ignored: Vec<Constant>,
    unsupported: Vec<Unsupported>,
    _missing: Vec<Missing>,
    _texts: Texts,
}

// SAFETY: its pointers lead to its own texts, which nobody changes.
unsafe impl Send for Report {}
// SAFETY: as above.
unsafe impl Sync for Report {}

impl ModuleResult {
    fn new(source: Source) -> ModuleResult {
        ModuleResult { source, report: OnceLock::new(), properties: OnceLock::new() }
    }

    /// The result of packing.
    pub fn from_packed(packed: spirv_if::pack::Packed) -> ModuleResult {
        ModuleResult::new(Source::Packed(packed))
    }

    /// The result of specializing.
    pub fn from_specialized(specialized: spirv_if::specialize::Specialized) -> ModuleResult {
        ModuleResult::new(Source::Specialized(specialized.into()))
    }

    /// The result of trimming.
    pub fn from_trimmed(trimmed: spirv_if::trim::Trimmed) -> ModuleResult {
        ModuleResult::new(Source::Trimmed(trimmed))
    }

    /// The result of linking.
    pub fn from_linked(linked: spirv_if::link::Linked) -> ModuleResult {
        ModuleResult::new(Source::Linked(Box::new(linked)))
    }

    fn words(&self) -> &[u32] {
        match &self.source {
            Source::Packed(own) => &own.words,
            Source::Specialized(own) => &own.words,
            Source::Trimmed(own) => &own.words,
            Source::Linked(own) => own.module.words(),
        }
    }

    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error> {
        Ok(match &self.source {
            Source::Packed(own) => Some(Cow::Borrowed(&own.properties)),
            Source::Specialized(own) => own.properties.as_ref().map(Cow::Borrowed),
            Source::Trimmed(_) => None,
            Source::Linked(own) => Some(own.module.properties()?),
        })
    }

    fn report(&self) -> &Report {
        self.report.get_or_init(|| Report::new(&self.source))
    }

    /// The result of specializing.
    ///
    /// # Errors
    /// If it is that of another call.
    pub fn specialized(&self) -> Result<&spirv_if::specialize::Specialized, Error> {
        match &self.source {
            Source::Specialized(own) => Ok(own),
            _ => Err(Error::argument("result is none of spvif_specialize")),
        }
    }

    /// The module of the result, for another call.
    fn module(&self) -> Result<spirv_if::Module<'static>, Error> {
        if let Source::Linked(own) = &self.source {
            return Ok(own.module.clone());
        }
        let module = spirv_if::Module::from_words(self.words().to_vec())?;
        Ok(match self.properties()? {
            Some(properties) => module.with_properties(properties.into_owned())?,
            None => module,
        })
    }
}

impl Report {
    fn new(source: &Source) -> Report {
        let own = |texts: &[String]| texts.iter().map(|text| text::own(text.as_str())).collect();
        match source {
            Source::Packed(packed) => {
                let summary = &packed.summary;
                let mut texts = Texts::default();
                let constant = |own: &ConditionConstant| Constant {
                    spec_id: own.spec_id.number(),
                    condition: texts.keep(&own.condition),
                };
                let set_by_host = summary.set_by_host.iter().map(constant).collect();
                let (removed, warnings) = (own(&summary.removed), own(&summary.warnings));
                Report { removed, warnings, set_by_host, _texts: texts, ..Report::default() }
            }
            Source::Trimmed(trimmed) => Report { removed: own(&trimmed.removed), ..Report::default() },
            Source::Linked(linked) => Report { warnings: own(&linked.warnings), ..Report::default() },
            Source::Specialized(specialized) => Report::from_specialized(&specialized.report),
        }
    }

    fn from_specialized(report: &spirv_if::specialize::SpecializeReport) -> Report {
        let mut texts = Texts::default();
        let ignored: Vec<SpecId> =
            report.ignored.iter().filter_map(spirv_if::specialize::SpecConstant::spec_id).collect();
        let unnamed = |spec_ids: &[SpecId]| {
            let constant = |id: &SpecId| Constant { spec_id: id.number(), condition: std::ptr::null() };
            spec_ids.iter().map(constant).collect()
        };
        let missing: Vec<Missing> =
            report.unsupported.iter().map(|own| Missing::new(&own.missing, &mut texts)).collect();
        let unsupported = report.unsupported.iter().zip(&missing).map(|(own, missing)| Unsupported {
            entry_point: texts.keep(&own.entry_point),
            missing: std::ptr::from_ref(missing),
        });
        let unsupported = unsupported.collect();
        let removed = report.removed.iter().chain(report.trimmed.iter().flatten());
        let undecided =
            report.undecided.iter().map(|own| format!("{} depends on {}", own.part, own.depends_on));
        Report {
            removed: removed.map(|name| text::own(name.as_str())).collect(),
            undecided: undecided.map(text::own).collect(),
            defaulted: unnamed(&report.defaulted),
            ignored: unnamed(&ignored),
            unsupported,
            _missing: missing,
            _texts: texts,
            ..Report::default()
        }
    }
}

/// The words of the module, in the host's byte order, and their number. They live as long as the result. `count` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_words(result: *const ModuleResult, count: *mut usize) -> *const u32 {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        let words: &[u32] = ask(result, &[], ModuleResult::words);
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
            let text = || result.properties().ok().flatten().map_or_else(String::new, |sets| sets.to_text());
            result.properties.get_or_init(|| text::own(text())).as_ptr()
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
            out.set(Module::new(given(result, "result")?.module()?));
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

/// The entry point at an index, from 0, that the device does not run, with the missing feature; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_unsupported(
    result: *const ModuleResult,
    index: usize,
) -> *const Unsupported {
    // SAFETY: as above.
    unsafe { ask(result, std::ptr::null(), |result| text::item(&result.report().unsupported, index)) }
}

/// Frees a result, with all that it gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_result_destroy(result: *mut ModuleResult) {
    // SAFETY: as above.
    unsafe { destroy(result) }
}
