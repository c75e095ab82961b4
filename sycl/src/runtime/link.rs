//! Linking of the selected images to one plain module.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::image::LoadedImage;
use super::plain::plain;
use super::select::DeviceQuestions;
use super::{LoadedProgram, RuntimeError, SelectedImages, exports, stubs};
use spirv_if::device::{Api, Device};
use spirv_if::engine::analysis::conditions::multi_target::declares_extension;
use spirv_if::engine::analysis::conditions::predicates::may_have_tables;
use spirv_if::engine::analysis::requirements::api_of;
use spirv_if::engine::analysis::{Analyses, Annotated};
use spirv_if::engine::compatibility::check_requirements;
use spirv_if::engine::condition::Leaf;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{DEVICE_REQUIREMENTS, SpecialConstants};
use spirv_if::engine::pipelines::recorded::{MissingRequirements, is_aspect};
use spirv_if::engine::pipelines::{
    ModuleBuffer, ModuleProperties, PipelineError, SpecializeRequest, SpecializedModule, decided_image,
    host_name, on_host, relevant_leaves, runs_as_well, specialize_for,
};
use spirv_if::engine::transform::definitions::NamedModule;
use spirv_if::engine::transform::link::link_images;
use spirv_if::engine::transform::specialize::{self, ConstantKey};
use spirv_if::error::{Missing, Refused};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::Compatibility;
use spirv_if::specialize::UnsetPolicy;

/// The annotations of images, which are empty.
static NOTHING: std::sync::LazyLock<Annotated> = std::sync::LazyLock::new(Annotated::default);

/// The maximum number of kept modules of one selection. An application may always set its constants to new values.
pub(super) const MAX_KEPT: usize = 64;

/// The modules linked from selected images, the latest at the end.
#[derive(Debug, Default)]
pub struct LinkedModules(Mutex<Vec<Arc<LinkedModule>>>);

/// The options of linking and specializing selected images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkRequest {
    /// The options of specializing.
    pub specialize: SpecializeRequest,
    /// True to keep imports that no image of the program defines; else they are an error.
    pub allow_partial_linkage: bool,
}

/// A module linked from selected images.
#[derive(Debug)]
struct LinkedModule {
    request: LinkRequest,
    /// The API of the module.
    api: Option<Api>,
    /// A device of the module.
    device: Device,
    /// The leaves of conditions in the code, and their values on the devices of this module. `None` if only `device` gets the module.
    answers: Option<Vec<(Leaf, Option<bool>)>>,
    module: SpecializedModule<'static>,
    /// The recorded requirements of the images that the devices may or may not meet.
    unknown: Vec<Missing>,
    /// The entry points of the kernel's image. Other symbols of the image are exported functions.
    entry_points: EntryPoints,
}

/// Entry points: execution model and name.
type EntryPoints = BTreeSet<(u32, String)>;

impl LinkedModules {
    fn get(&self, device: &Device, request: &LinkRequest) -> Option<Arc<LinkedModule>> {
        let linked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_for = |linked: &&Arc<LinkedModule>| linked.request == *request && linked.is_for(device);
        linked.iter().find(is_for).cloned()
    }

    /// Returns the number of modules.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn insert(&self, linked: LinkedModule) -> Arc<LinkedModule> {
        let linked = Arc::new(linked);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push(Arc::clone(&linked));
        linked
    }
}

impl LinkedModule {
    /// Returns true if a device with the answers of the selection gets this module. Its driver must not be known to reject the module.
    fn is_for(&self, device: &Device) -> bool {
        if self.device == *device {
            return true;
        }
        let device = &device.for_api(self.api);
        let same = |answers: &Vec<(Leaf, Option<bool>)>| {
            answers.iter().all(|&(leaf, answer)| device.truth(leaf) == answer)
        };
        self.answers.as_ref().is_some_and(same) && runs_as_well(&self.module, device)
    }
}

/// Links and specializes the selected images to one plain module. It has the entry points of the kernel's image, and no imports and
/// exports.
///
/// # Errors
/// See [`PipelineError`]. No code is read if the device does not meet requirements that setting constants cannot change.
pub fn link(
    program: &LoadedProgram,
    selected: &SelectedImages,
    kernel: &str,
    device: &Device,
    mut link_request: LinkRequest,
) -> Result<SpecializedModule<'static>, PipelineError> {
    let request = &mut link_request.specialize;
    // Nothing may stay conditional, even on an unknown device.
    request.unset.get_or_insert(UnsetPolicy::Error);
    // A driver rejects a module for the declarations of code that constants removed.
    request.trim |= request.sets_constants();
    let request = &link_request.specialize;
    let mut missing = match request.set.is_empty() {
        true => selected.checked.missing.clone(),
        false => {
            let device = on_host(&device.for_api(Api::OpenCl), &request.set);
            check_requirements(&device, &selected.requirements).missing
        }
    };
    // Constants may remove the code that requires an aspect.
    if request.sets_constants() {
        missing.retain(|missing| !is_aspect(missing));
    }
    refuse(device, kernel, missing)?;
    let linked = match selected.linked.get(device, &link_request) {
        Some(linked) => linked,
        None => selected.linked.insert(make(program, selected, kernel, device, &link_request)?),
    };
    check_kernel(program, selected, kernel, &linked.entry_points)?;
    let mut module = linked.module.clone();
    if !linked.unknown.is_empty() {
        let mut unknown = Compatibility { unknown: linked.unknown.clone(), ..Compatibility::default() };
        for (_, of_module) in module.not_known.drain(..) {
            unknown.extend(Compatibility { unknown: of_module, ..Compatibility::default() });
        }
        if request.strict {
            let mut refused = Refused::new(&device.name, Vec::new());
            refused.unknown = unknown.unknown;
            return Err(refused.into());
        }
        module.not_known.push((0, unknown.unknown));
    }
    Ok(module)
}

/// Refuses the device if something is missing.
fn refuse(device: &Device, kernel: &str, missing: Vec<Missing>) -> Result<(), PipelineError> {
    match missing[..] {
        [] => Ok(()),
        _ => Err(Refused::kernel(&device.name, kernel, missing).into()),
    }
}

/// Checks that a kernel is an entry point of its image, because symbol files name exported functions too.
fn check_kernel(
    program: &LoadedProgram,
    selected: &SelectedImages,
    kernel: &str,
    entry_points: &EntryPoints,
) -> Result<(), RuntimeError> {
    if entry_points.iter().any(|(_, name)| name == kernel) {
        return Ok(());
    }
    let image = program.images()[selected.images[0].image].name().to_owned();
    Err(RuntimeError::NotAKernel { image, kernel: kernel.to_owned() })
}

fn make(
    program: &LoadedProgram,
    selected: &SelectedImages,
    kernel: &str,
    device: &Device,
    link_request: &LinkRequest,
) -> Result<LinkedModule, PipelineError> {
    let request = &link_request.specialize;
    let images: Vec<_> = selected.images.iter().map(|selected| &program.images()[selected.image]).collect();
    let mut bytes = Vec::with_capacity(images.len());
    for image in &images {
        let error = |error| RuntimeError::File { path: image.name().into(), error };
        bytes.push((image.source.code)().map_err(error)?);
    }
    let mut modules = Vec::with_capacity(images.len());
    for (image, bytes) in images.iter().zip(&bytes) {
        let error = |error| RuntimeError::Load { image: image.name().to_owned(), error };
        modules.push(Module::from_bytes(bytes).map_err(error)?);
    }
    let api = api_of(&modules[0]);
    let (given, device) = (device, &*device.for_api(api));
    let main = images[0].name();
    let ignored = unknown_constants(program, selected, &modules, request)?;
    let entry_points: EntryPoints =
        modules[0].entry_points().map(|entry| (entry.execution_model(), entry.name().into_owned())).collect();
    check_kernel(program, selected, kernel, &entry_points)?;
    let mut missing = missing_requirements(&images, &modules, device, request)?;
    refuse(device, kernel, std::mem::take(&mut missing.always.missing))?;
    let mut leaves = Some(BTreeSet::new());
    // A packed image is decided before it is linked: its conditions, predicates, and constants that represent features. No other image
    // knows them, and they decide its imports. Then the user's settings apply to all images, so that equal definitions stay equal.
    let is_packed = |(image, module): (&&LoadedImage, &Module)| {
        declares_extension(module) || image.special != SpecialConstants::default() || may_have_tables(module)
    };
    let is_alone = images.len() == 1 && images[0].imports.is_empty();
    let has_packed = !is_alone && images.iter().zip(&modules).any(is_packed);
    let sets = has_packed && !request.set.is_empty();
    for (image, module) in images.iter().zip(&mut modules).filter(|_| has_packed) {
        if sets || is_packed((image, module)) {
            let error = |error| image_error(image.name(), error);
            let (words, decided_leaves) =
                decided(module, &image.source.properties, device, request).map_err(error)?;
            *module = Module::from_words(words)
                .map_err(|error| RuntimeError::Load { image: image.name().to_owned(), error })?;
            leaves = leaves.zip(decided_leaves).map(|(all, more)| all.union(&more).copied().collect());
        }
    }
    let linked = match &mut modules[..] {
        [_] => None,
        modules => {
            let required = stubs::remove(&images, modules)?;
            exports::hide_exports(modules)?;
            let inputs = images.iter().zip(modules.iter()).zip(required).filter(|(_, required)| *required);
            let inputs: Vec<NamedModule> =
                inputs.map(|((image, module), _)| NamedModule { name: image.name(), module }).collect();
            let is_kept = |model: u32, name: &str| entry_points.contains(&(model, name.to_owned()));
            Some(link_images(&inputs, Some(&is_kept))?)
        }
    };
    // Only the user's constants are still undecided.
    let (linked, is_plain, mut properties) = match linked {
        Some(linked) => (linked.module, linked.is_plain, Cow::Owned(PropertySets::default())),
        None if has_packed => (modules.swap_remove(0), false, Cow::Owned(PropertySets::default())),
        None => (modules.swap_remove(0), false, Cow::Borrowed(&images[0].source.properties)),
    };
    let importer = |name: &str| {
        let importer = images.iter().find(|image| image.imports(name));
        importer.map_or(main, |image| image.name()).to_owned()
    };
    let linked = match is_plain {
        true => linked,
        false => plain(linked, &entry_points, &importer, link_request.allow_partial_linkage)?,
    };
    let analyses = Analyses::new(&linked, Cow::Borrowed(&NOTHING));
    if properties.get(DEVICE_REQUIREMENTS).is_some() {
        // They are compared below.
        properties.to_mut().sets.retain(|set| set.name != DEVICE_REQUIREMENTS);
    }
    let lenient_request = SpecializeRequest { ignore_unknown: true, ..request.clone() };
    let open_leaves = relevant_leaves(&analyses, &properties)?;
    let properties = ModuleProperties::new(properties);
    let module = specialize_for(&analyses, &properties, &[device], &lenient_request)?;
    let recorded = missing.of_result(device, (&NOTHING, &properties.sets), module.words.whole())?;
    refuse(device, kernel, recorded.missing)?;
    let module = match module.words {
        ModuleBuffer::Whole(Cow::Borrowed(_)) => {
            let module = module.with_words(Vec::new());
            SpecializedModule { words: linked.into_words().into(), ..module }
        }
        _ => module.into_owned(),
    };
    let module = SpecializedModule { ignored, ..module };
    let leaves = leaves.zip(open_leaves).map(|(all, more)| all.union(&more).copied().collect());
    let answers = leaves
        .map(|leaves: BTreeSet<Leaf>| leaves.into_iter().map(|leaf| (leaf, device.truth(leaf))).collect());
    let (request, device, unknown) = (link_request.clone(), given.clone(), recorded.unknown);
    Ok(LinkedModule { request, api, device, answers, module, unknown, entry_points })
}

/// Compares the recorded requirements of images with a device, before constants are set.
fn missing_requirements(
    images: &[&LoadedImage],
    modules: &[Module],
    device: &Device,
    request: &SpecializeRequest,
) -> Result<MissingRequirements, PipelineError> {
    let device = on_host(device, &request.set);
    let mut all = MissingRequirements::default();
    for (image, module) in images.iter().zip(modules) {
        let analyses = Analyses::new(module, Cow::Borrowed(&NOTHING));
        let missing = MissingRequirements::new(
            &device,
            check_requirements(&device, &image.requirements),
            (&analyses, &image.source.properties),
            request.sets_constants(),
        );
        all.extend(missing.map_err(|error| image_error(image.name(), error))?);
    }
    Ok(all)
}

/// Returns the set constants that no image has.
fn unknown_constants(
    program: &LoadedProgram,
    selected: &SelectedImages,
    modules: &[Module],
    request: &SpecializeRequest,
) -> Result<Vec<ConstantKey>, PipelineError> {
    let leaves = DeviceQuestions::new(program, selected.images[0].image).leaves;
    let is_decision = |key: &ConstantKey| match key {
        ConstantKey::Name(text) => host_name(text).is_some_and(|name| leaves.contains(&Leaf::Host(name))),
        ConstantKey::SpecId(_) => false,
    };
    let is_known = |key: &&ConstantKey| {
        is_decision(key) || modules.iter().any(|module| specialize::has_constant(module, key))
    };
    let keys = request.set.iter().map(|setting| &setting.constant);
    let unknown: Vec<ConstantKey> = keys.filter(|key| !is_known(key)).cloned().collect();
    if !request.ignore_unknown {
        specialize::refuse_unknown(&modules[0], &unknown)?;
    }
    Ok(unknown)
}

/// Returns the words of an image with decided conditions, and the leaves of these.
fn decided(
    module: &Module,
    properties: &PropertySets,
    device: &Device,
    request: &SpecializeRequest,
) -> Result<(Vec<u32>, Option<BTreeSet<Leaf>>), PipelineError> {
    let analyses = Analyses::new(module, Cow::Borrowed(&NOTHING));
    let words = decided_image(&analyses, properties, device, request)?;
    Ok((words, relevant_leaves(&analyses, properties)?))
}

/// Adds the name of an image to its error, except to a refusal.
fn image_error(image: &str, error: PipelineError) -> PipelineError {
    match error {
        PipelineError::Refused(_) | PipelineError::Open(_) => error,
        error => RuntimeError::Image { image: image.to_owned(), error: Box::new(error) }.into(),
    }
}
