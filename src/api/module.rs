//! Modules, with their property sets and annotations, and modules in files of any kind.
//!
//! Every call starts with a [`Module`]: the words of a file, with the property sets and annotations beside it. [`find_modules`] and
//! [`find_module`] load modules from libraries, executables and archives. [`Interface`] has the parts of a module that hosts and other
//! stages refer to.
//!
//! ```
//! use spirv_if::Module;
//! use spirv_if::module::{Annotations, Interface};
//! let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
//! let annotations = Annotations::from_yaml("reduce.yaml", "spec-constants: {}")?;
//! let module = Module::from_bytes(&bytes)?.with_name("reduce.spv").with_annotations(&annotations)?;
//! assert_eq!(Interface::new(&module).entry_points.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};
use std::{fmt, mem};

use wildmatch::WildMatch;

use super::error::{Error, RequestErrorKind};
use crate::analysis::annotated::ConstantParts;
use crate::analysis::conditions::multi_target;
use crate::analysis::conditions::names::may_have_caller;
use crate::analysis::constants::find_spec_constants;
use crate::analysis::requirements::api_of;
use crate::analysis::{Analyses, Annotated, NameTable, Names};
use crate::collections::IdMap;
use crate::device::{Api, Device};
use crate::loader::{self, OffloadImage, SyclImage, views};
use crate::metadata::property_sets::{PropertyError, PropertySets, carried, description, linked_images};
use crate::transform::bound_parts::separate_parts;
use crate::writer::apply;

pub use super::annotations::Annotations;
pub use super::ids::{ConditionConstant, Id, SpecId};
pub use super::interface::{Binding, DescriptorType, Interface, Location, PushConstants, StageName};
pub use super::properties::{LowerOptions, LoweredProperties, RemovedProperty};
pub use crate::loader::{Version, VersionError, WordKind, WordLayout};

/// The annotations of a module without any.
static NOTHING: LazyLock<Annotated> = LazyLock::new(Annotated::default);

/// A SPIR-V module, with its property sets and its annotations.
///
/// Keeps the words of the module: they are checked and indexed, borrowed if possible, and never decoded as a whole.
///
/// ```
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0];
/// let module = spirv_if::Module::from_words(&words[..])?;
/// assert_eq!(module.version().to_string(), "1.0");
/// # Ok::<(), spirv_if::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'m> {
    #[doc(hidden)]
    pub inner: loader::Module<'m>,
    #[doc(hidden)]
    pub name: Cow<'m, str>,
    /// The property sets beside the module joined with those inside, if there are any beside it.
    pub(super) properties: Option<PropertySets>,
    #[doc(hidden)]
    pub annotated: Cow<'m, Annotated>,
    /// The table of its names, once annotations required it.
    pub(super) names: Option<Arc<NameTable>>,
    #[doc(hidden)]
    pub fixed_targets: Cow<'m, [Device]>,
    /// For a module inside of a file: its offset there, in bytes, and its bytes.
    pub(crate) inside: Option<(usize, &'m [u8])>,
    /// Options for its compile-time properties.
    pub(super) lowering: LowerOptions,
    /// The module without them, once something required it.
    pub(super) lowered: OnceLock<LoweredProperties>,
}

impl<'m> Module<'m> {
    /// Loads the words of a module, in either byte order.
    ///
    /// # Errors
    /// [`Error::Load`], with the byte offset, if they are not a module.
    pub fn from_words(words: impl Into<Cow<'m, [u32]>>) -> Result<Module<'m>, Error> {
        Ok(Module::from_loaded(loader::Module::from_words(words)?))
    }

    /// Loads the bytes of a module, in either byte order and at any alignment.
    ///
    /// # Errors
    /// [`Error::Load`], with the byte offset, if they are not a module.
    pub fn from_bytes(bytes: &'m [u8]) -> Result<Module<'m>, Error> {
        Ok(Module::from_loaded(loader::Module::from_bytes(bytes)?))
    }

    /// Returns the words of a result, and checks in debug builds that they load.
    #[doc(hidden)]
    pub fn result(words: Vec<u32>) -> Vec<u32> {
        debug_assert_eq!(loader::Module::from_words(&words[..]).err(), None, "a result does not load");
        words
    }

    pub(crate) fn from_loaded(inner: loader::Module<'m>) -> Module<'m> {
        Module {
            inner,
            name: Cow::Borrowed("the module"),
            properties: None,
            annotated: Cow::Borrowed(&NOTHING),
            names: None,
            fixed_targets: Cow::Borrowed(&[]),
            inside: None,
            lowering: LowerOptions::default(),
            lowered: OnceLock::new(),
        }
    }

    /// Returns the module as assembly, one instruction a line: what `spirv-dis --raw-id --no-header --no-indent` writes. Floating-point numbers have
    /// as few digits as they need, and enumerants of debug information stay numbers.
    ///
    /// ```
    /// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 0x0002_0011, 1, 0x0003_000e, 0, 1];
    /// let module = spirv_if::Module::from_words(&words[..])?;
    /// assert_eq!(module.disassembly(), "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
    /// # Ok::<(), spirv_if::Error>(())
    /// ```
    pub fn disassembly(&self) -> String {
        loader::disassembly(&self.inner)
    }

    /// Sets the name in messages. It is also the translation unit of functions that have none.
    pub fn with_name(self, name: impl Into<Cow<'m, str>>) -> Module<'m> {
        Module { name: name.into(), lowered: OnceLock::new(), ..self }
    }

    /// Adds the property sets beside the module. A packed module contains its own and does not require any. For other tools' sets in both
    /// places, the set beside the module applies.
    ///
    /// # Errors
    /// If they contradict the property sets inside the module: the condition of a SpecId, or a device requirement.
    pub fn with_properties(self, properties: PropertySets) -> Result<Module<'m>, Error> {
        let properties = properties.joined(carried::read(&self.inner)?)?;
        Ok(Module { properties: Some(properties), lowered: OnceLock::new(), ..self })
    }

    /// Applies an annotations file. Functions of a [linked](crate::link::link) module keep the annotations of their original modules,
    /// unless the file has others. [`Annotations::unmatched`] lists entries that match nothing here or elsewhere.
    ///
    /// # Errors
    /// If the file contradicts the functions and constants that it matches.
    pub fn with_annotations(self, annotations: &Annotations) -> Result<Module<'m>, Error> {
        let parts = ConstantParts::resolve(&self.inner, &annotations.inner)?;
        if !parts.is_empty() {
            let separate = separate_parts(&self.inner, &parts)?;
            let inner = loader::Module::from_words(apply(&self.inner, &separate.edits)?)?;
            let whole = Module { inner, names: None, ..self }.with_whole_constants(annotations)?;
            let mut annotated = whole.annotated.into_owned();
            annotated.spec_constants.extend(separate.spec_constants);
            return Ok(Module { annotated: Cow::Owned(annotated), ..whole });
        }
        self.with_whole_constants(annotations)
    }

    /// Applies an annotations file without its parts of constants.
    fn with_whole_constants(self, annotations: &Annotations) -> Result<Module<'m>, Error> {
        let table = self.names.clone().unwrap_or_else(|| Arc::new(NameTable::read(&self.inner)));
        let names = Names::with_table(&self.inner, Arc::clone(&table));
        let annotated = Annotated::resolve(&self.inner, &names, &annotations.inner)?;
        annotations.note(&annotated);
        let annotated = annotated.with_units(self.annotated.into_owned());
        let annotated = Cow::Owned(annotated);
        Ok(Module { annotated, names: Some(table), lowered: OnceLock::new(), ..self })
    }

    /// Returns warnings about entries of the annotations file that were not applied.
    pub fn annotation_warnings(&self) -> impl Iterator<Item = String> + '_ {
        self.annotated.warnings.iter().map(ToString::to_string)
    }

    /// Sets the devices that all code is meant for (`-fsycl-fixed-targets`), except functions with other devices in the annotations.
    ///
    /// By default the property sets determine them, or else any device is allowed.
    pub fn with_fixed_targets(self, devices: impl Into<Cow<'m, [Device]>>) -> Module<'m> {
        Module { fixed_targets: devices.into(), lowered: OnceLock::new(), ..self }
    }

    /// Returns the words, in the host's byte order.
    pub fn words(&self) -> &[u32] {
        self.inner.words()
    }

    /// Returns the API that takes the module: kernels are OpenCL's, and shaders are Vulkan's. `None` for a module of neither kind, such as a
    /// library, or of both.
    pub fn api(&self) -> Option<Api> {
        api_of(&self.inner)
    }

    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self.words())
    }

    /// Returns the offset of the module in its file ([`find_modules`]), in bytes.
    pub fn offset(&self) -> usize {
        self.inside.map_or(0, |(offset, _)| offset)
    }

    /// Returns the bytes, if it was found inside of a file, and has neither property sets beside it nor annotations.
    #[doc(hidden)]
    pub fn embedded(&self) -> Option<&'m [u8]> {
        let is_alone = self.properties.is_none()
            && matches!(self.annotated, Cow::Borrowed(_))
            && self.fixed_targets.is_empty();
        self.inside.filter(|_| is_alone).map(|(_, bytes)| bytes)
    }

    /// Returns the version of SPIR-V.
    pub fn version(&self) -> Version {
        self.inner.version()
    }

    /// Returns the SpecIds of its specialization constants that have a name, with the name, sorted.
    pub fn spec_constant_names(&self) -> Vec<(SpecId, String)> {
        let names: IdMap<views::Name> = self.inner.names().map(|name| (name.target(), name)).collect();
        let constants = find_spec_constants(&self.inner).into_iter();
        let named = constants.filter_map(|constant| {
            let name = names.get(&constant.id)?.name().into_owned();
            Some((SpecId(constant.spec_id), name)).filter(|(_, name)| !name.is_empty())
        });
        named.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Returns the property sets beside the module, joined with the ones inside it.
    ///
    /// # Errors
    /// If the property sets inside the module are malformed.
    pub fn properties(&self) -> Result<Cow<'_, PropertySets>, Error> {
        match &self.properties {
            Some(properties) => Ok(Cow::Borrowed(properties)),
            None => Ok(Cow::Owned(carried::read(&self.inner)?)),
        }
    }

    /// Creates analyses, which compute nothing yet.
    #[doc(hidden)]
    pub fn analyses(&self) -> Analyses<'_> {
        let analyses = Analyses::new(&self.inner, Cow::Borrowed(&self.annotated));
        let analyses = analyses.keeping_properties(self.lowering.keep);
        let known = self.lowered.get().and_then(|lowered| lowered.known.as_ref());
        let analyses = match known {
            Some(known) => analyses.with_properties(known.properties.clone()),
            None => analyses,
        };
        match self.names.as_ref().or_else(|| known?.names.as_ref()) {
            Some(table) => analyses.with_names(Names::with_table(&self.inner, Arc::clone(table))),
            None => analyses,
        }
    }
}

/// Returns true if words declare conditional code, as a packed module does, or one that is multi-target by other means. A driver without support for it
/// rejects such a module until it is specialized.
///
/// Reads only the capabilities, for callers that leave all other modules alone. The words may be of either byte order, and of anything.
///
/// ```
/// use spirv_if::module::declares_conditional_code;
/// use spirv_if::{Module, PackOptions, pack};
/// let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// assert!(!declares_conditional_code(module.words()));
/// assert!(declares_conditional_code(&pack(&module, &PackOptions::new())?.words));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn declares_conditional_code(words: &[u32]) -> bool {
    multi_target::declares_conditional_code(words)
}

/// Returns false if a module has no conditional calls, as a compiler makes them: nothing before its functions names a conditional caller. To a driver such
/// calls are ordinary ones, and it makes all of them, until the module is specialized.
///
/// Reads only what comes before the functions, for callers that leave all other modules alone. The words may be of either byte order, and of
/// anything.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if::module::may_have_conditional_calls;
/// let has = |fixture: &str| {
///     let bytes = std::fs::read(fixture)?;
///     Ok::<_, Box<dyn std::error::Error>>(may_have_conditional_calls(Module::from_bytes(&bytes)?.words()))
/// };
/// assert!(has("fixtures/glsl/reduce.spv")? && !has("fixtures/ubershaders/post.spv")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn may_have_conditional_calls(words: &[u32]) -> bool {
    let is_swapped = words.first() == Some(&spirv::MAGIC_NUMBER.swap_bytes());
    is_swapped || may_have_caller(loader::Module::before_functions(words))
}

/// A possible module in the bytes of a file.
#[derive(Clone)]
pub struct Candidate<'a> {
    bytes: &'a [u8],
    place: CandidatePlace<'a>,
    images: Arc<LinkedImages<'a>>,
}

#[derive(Clone)]
enum CandidatePlace<'a> {
    /// The whole file is a module.
    Whole,
    /// The file lists an image with this range.
    Listed(Range<usize>),
    /// A module could start here.
    Found(loader::ModuleCandidate<'a>),
}

/// The images that an executable or library lists.
type LinkedImages<'a> = Result<Vec<SyclImage<'a>>, PropertyError>;

/// Finds the possible modules in the bytes of a file: a module itself, a library, an executable, an archive. They are in order of offset,
/// and do not overlap. Candidates can be loaded in any order, and in parallel. Executables and libraries that DPC++ linked list their images,
/// which are modules even if they [do not load](Candidate::is_linked_image). A file that begins with the magic number must be a module,
/// or consecutive modules with only zeros between them. Otherwise the result is empty, and [`Module::from_bytes`] explains why the file is
/// not a module.
///
/// ```
/// let file = [b"something else", &std::fs::read("fixtures/opencl/plain.spv")?[..]].concat();
/// let modules: Vec<_> = spirv_if::module::find_modules(&file).filter_map(|candidate| candidate.load()).collect();
/// assert_eq!((modules.len(), modules[0].offset()), (1, 14));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn find_modules(bytes: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    let loaded = loader::Module::from_bytes(bytes);
    let is_other = loaded.as_ref().is_err_and(|error| error.is_of_other_format() || is_of_modules(bytes));
    let images: Arc<LinkedImages> = Arc::new(if is_other { linked_images(bytes) } else { Ok(Vec::new()) });
    let whole = loaded.is_ok().then_some(CandidatePlace::Whole);
    let inside = is_other.then(|| places_inside(bytes, listed_modules(bytes, &images)));
    let places = whole.into_iter().chain(inside.into_iter().flatten());
    places.map(move |place| Candidate { bytes, place, images: Arc::clone(&images) })
}

/// Returns the ranges of the images that are not compiled for their target already, in order and without overlaps.
fn listed_modules(bytes: &[u8], images: &LinkedImages) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for image in images.iter().flatten().filter(|image| image.is_spirv(bytes)) {
        if ranges.last().is_none_or(|last| last.end <= image.range.start) {
            ranges.push(image.range.clone());
        }
    }
    ranges
}

/// Returns the listed modules, and the places between them where modules could start.
fn places_inside(bytes: &[u8], listed: Vec<Range<usize>>) -> impl Iterator<Item = CandidatePlace<'_>> {
    let found = |between| loader::embedded_candidates(bytes, between).map(CandidatePlace::Found);
    let last = listed.last().map_or(0, |range| range.end)..bytes.len();
    let mut end = 0;
    let before = listed.into_iter().flat_map(move |range| {
        let between = mem::replace(&mut end, range.end)..range.start;
        found(between).chain([CandidatePlace::Listed(range)])
    });
    before.chain(found(last))
}

/// Returns the error for a file in which no module was [found](find_modules).
///
/// Explains why the file is not a module if it begins like one. For a format from which a module can be made, explains how.
pub fn explain_no_module(bytes: &[u8]) -> Error {
    match loader::Module::from_bytes(bytes) {
        Err(error) if !error.is_of_other_format() || error.is_of_known_format() => error.into(),
        _ => loader::LoadError::nothing_inside().into(),
    }
}

impl fmt::Debug for Candidate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Candidate").field("offset", &self.offset()).finish_non_exhaustive()
    }
}

impl<'a> Candidate<'a> {
    /// Returns the offset of the module in the file, in bytes.
    pub fn offset(&self) -> usize {
        match &self.place {
            CandidatePlace::Whole => 0,
            CandidatePlace::Listed(range) => range.start,
            CandidatePlace::Found(found) => found.offset(),
        }
    }

    /// Loads the module [with the property sets](Self::with_properties) that the file has for it.
    ///
    /// # Errors
    /// If the bytes are not a module, or the property sets are malformed.
    pub fn load_or_error(&self) -> Result<Module<'a>, Error> {
        match (self.load(), &self.place) {
            (Some(module), _) => self.with_properties(module),
            (None, CandidatePlace::Listed(range)) => Module::from_bytes(&self.bytes[range.clone()]),
            (None, _) => {
                self.image()?;
                Err(no_part(format!("it has no module at offset {:#x}", self.offset())))
            }
        }
    }

    /// Adds the property sets that the file has for the module, which is the [loaded](Self::load) one. Executables and libraries that DPC++
    /// linked have some for each of their images. A module of any other file stays as it is.
    ///
    /// # Errors
    /// If the property sets are malformed, of an unknown version, or contradict those inside the module. Other images of the file keep theirs.
    pub fn with_properties(&self, module: Module<'a>) -> Result<Module<'a>, Error> {
        match self.image()? {
            Some(image) => module.with_properties(PropertySets::from_linked(description(image)?)?),
            None => Ok(module),
        }
    }

    /// Returns true if the module is an image of an executable or library that DPC++ linked, or may be one, since its list of images cannot be read. If it
    /// is and does not [load](Self::load), the image is malformed, as [`load_or_error`](Self::load_or_error) explains.
    pub fn is_linked_image(&self) -> bool {
        self.image().map_or(true, |image| image.is_some())
    }

    fn image(&self) -> Result<Option<&SyclImage<'a>>, PropertyError> {
        let images = self.images.as_ref().as_ref().map_err(Clone::clone)?;
        Ok(images.iter().find(|image| image.range.start == self.offset()))
    }

    /// Loads the module, without property sets; `None` if the bytes are not one.
    pub fn load(&self) -> Option<Module<'a>> {
        let (range, module) = match &self.place {
            CandidatePlace::Whole => return Module::from_bytes(self.bytes).ok(),
            CandidatePlace::Listed(range) => {
                (range.clone(), loader::Module::from_bytes(&self.bytes[range.clone()]).ok()?)
            }
            CandidatePlace::Found(found) => {
                let (place, module) = found.load()?;
                (place.range(), module)
            }
        };
        Some(Module { inside: Some((range.start, &self.bytes[range])), ..Module::from_loaded(module) })
    }
}

/// One of the modules in a file. Its text form is `3` for the fourth one, and `0x16eb80` for the one at that offset. Any other text is a
/// glob of the target triple or architecture of an LLVM offload image, such as `spirv64-*` or `bmg_g21`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModulePart {
    /// The module of this number, counted from 0.
    Index(usize),
    /// The module at this offset in bytes.
    Offset(usize),
    /// The module in the offload image whose triple or architecture matches this.
    Target(String),
}

impl FromStr for ModulePart {
    type Err = Error;

    fn from_str(text: &str) -> Result<ModulePart, Error> {
        let malformed =
            || no_part(format!("`{text}` is neither an index, an offset as in 0x1234, nor a target"));
        if let Some(digits) = text.strip_prefix("0x") {
            return usize::from_str_radix(digits, 16).map(ModulePart::Offset).map_err(|_| malformed());
        }
        match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse().map(ModulePart::Index).map_err(|_| malformed()),
            false => Ok(ModulePart::Target(text.to_owned())),
        }
    }
}

/// Finds one of the modules in the bytes of a file.
///
/// # Errors
/// [`Error::Request`] if the module does not exist, or several modules are for the target.
///
/// ```
/// let file = [b"something else", &std::fs::read("fixtures/opencl/plain.spv")?[..]].concat();
/// let module = spirv_if::module::find_module(&file, &"0".parse()?)?.load_or_error()?;
/// assert_eq!(module.offset(), 14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_module<'a>(bytes: &'a [u8], part: &ModulePart) -> Result<Candidate<'a>, Error> {
    let is_module = |candidate: &Candidate| candidate.load().is_some() || candidate.is_linked_image();
    let mut all = find_modules(bytes).filter(is_module);
    match part {
        ModulePart::Index(index) => all.nth(*index).ok_or_else(|| {
            let count = find_modules(bytes).filter(is_module).count();
            no_part(format!("it has no module of index {index}: it has {count}, counted from 0"))
        }),
        ModulePart::Offset(offset) => all.find(|candidate| candidate.offset() == *offset).ok_or_else(|| {
            no_part(format!("it has no module at offset {offset:#x}: `spirv-if inspect -v` lists them"))
        }),
        ModulePart::Target(target) => {
            let images = loader::offload_images(bytes);
            let glob = WildMatch::new(target);
            let is_for =
                |image: &&OffloadImage| glob.matches(&image.triple) || glob.matches(&image.architecture);
            let ranges: Vec<Range<usize>> =
                images.iter().filter(is_for).map(|image| image.range.clone()).collect();
            let is_in =
                |candidate: &Candidate| ranges.iter().any(|range| range.contains(&candidate.offset()));
            let mut candidates: Vec<Candidate> = all.filter(is_in).collect();
            match candidates.len() {
                1 => Ok(candidates.remove(0)),
                0 => Err(no_part(no_module_for(target, &images))),
                _ => {
                    let offsets: Vec<String> =
                        candidates.iter().map(|candidate| format!("{:#x}", candidate.offset())).collect();
                    let offsets = offsets.join(", ");
                    Err(no_part(format!("several of its modules are for `{target}`: those at {offsets}")))
                }
            }
        }
    }
}

/// Returns the words as little-endian bytes, as files of modules have them.
#[doc(hidden)]
pub fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the error for a part that a file does not have.
fn no_part(problem: String) -> Error {
    Error::request(RequestErrorKind::ModulePart, problem)
}

fn no_module_for(target: &str, images: &[OffloadImage]) -> String {
    if images.is_empty() {
        return format!("it has no module for `{target}`: it has no LLVM offload images");
    }
    let name = |image: &OffloadImage| match image.architecture.is_empty() {
        true => image.triple.clone(),
        false => format!("{} ({})", image.triple, image.architecture),
    };
    let names: Vec<String> = images.iter().map(name).collect();
    format!("it has no module for `{target}`: its offload images are for {}", names.join(", "))
}

/// Returns true if a file is made of modules, with nothing but zeros between and after them.
fn is_of_modules(bytes: &[u8]) -> bool {
    let is_empty = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    let mut end = 0;
    for (inside, _) in
        loader::embedded_candidates(bytes, 0..bytes.len()).filter_map(|candidate| candidate.load())
    {
        if !is_empty(&bytes[end..inside.offset]) {
            return false;
        }
        end = inside.offset + inside.size;
    }
    end > 0 && is_empty(&bytes[end..])
}
