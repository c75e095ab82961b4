//! Loading a program: selects the images of a kernel for a device by the files beside their code, and links them to one module. See
//! `spec-extensions/loading.md`, and "Changes to the DPC++ runtime" in docs/design/device-if.md and
//! docs/design/optional-kernel-features.md.

mod error;
mod exports;
mod image;
mod link;
mod linked;
mod plain;
mod select;
mod stubs;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

pub use error::RuntimeError;
pub use image::{ImageSource, LoadedImage};
pub use link::{LinkRequest, link};
pub use select::{ChosenImage, SelectedImages, SelectionCause};

use image::FoundImages;
use select::{DeviceAnswers, DeviceQuestions};
use spirv_if::device::{Api, Device};
use spirv_if::engine::collections::gather;
use spirv_if::engine::compatibility::label;
use spirv_if::engine::device::{ANY_DEVICE, is_generic_for};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::text::spelling::nearest;

/// A program: its images, and a cache of selections.
#[derive(Debug)]
pub struct LoadedProgram {
    images: Vec<LoadedImage>,
    /// The errors of images in linked files whose properties cannot be read.
    unreadable: Vec<RuntimeError>,
    /// The images that have a symbol, by symbol.
    by_symbol: HashMap<String, Vec<usize>>,
    /// The add-on images of each id.
    by_id: HashMap<String, Vec<usize>>,
    /// The questions that decide the selection, by image with a kernel.
    questions: Mutex<HashMap<usize, Arc<DeviceQuestions>>>,
    /// The selected images, by image with a kernel and answers.
    selected: Mutex<HashMap<(usize, DeviceAnswers), Arc<SelectedImages>>>,
}

impl LoadedProgram {
    /// Creates a program of these images.
    ///
    /// # Errors
    /// If the properties of an image are malformed.
    pub fn new(images: impl IntoIterator<Item = ImageSource>) -> Result<LoadedProgram, RuntimeError> {
        let images = images.into_iter().map(LoadedImage::new).collect::<Result<Vec<_>, _>>()?;
        Ok(LoadedProgram::from_images(FoundImages { images, unreadable: Vec::new() }))
    }

    /// Reads file tables, or executables and libraries that DPC++ linked. An image of the latter with unreadable
    /// properties is left out.
    ///
    /// # Errors
    /// If a file cannot be read or is malformed, or is outside its table's folder and that is not allowed.
    pub fn open(tables: &[&Path], allow_outside: bool) -> Result<LoadedProgram, RuntimeError> {
        Ok(LoadedProgram::from_images(image::images(tables, allow_outside)?))
    }

    fn from_images(found: FoundImages) -> LoadedProgram {
        let FoundImages { images, unreadable } = found;
        let mut by_symbol: HashMap<String, Vec<usize>> = HashMap::new();
        let mut by_id: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, image) in images.iter().enumerate() {
            for name in &image.source.symbols {
                let of_name = by_symbol.entry(name.clone()).or_default();
                if of_name.last() != Some(&index) {
                    of_name.push(index);
                }
            }
            if let Some(add_on) = &image.add_on {
                by_id.entry(add_on.id.clone()).or_default().push(index);
            }
        }
        let (questions, selected) = (Mutex::default(), Mutex::default());
        LoadedProgram { images, unreadable, by_symbol, by_id, questions, selected }
    }

    /// Returns the images.
    pub fn images(&self) -> &[LoadedImage] {
        &self.images
    }

    /// Returns the errors of images that are left out.
    pub fn unreadable(&self) -> impl ExactSizeIterator<Item = &RuntimeError> {
        self.unreadable.iter()
    }

    /// Returns the kernels in the order of the images: the symbols that no properties list as exported. Other tools may not list exported
    /// symbols. So imports of an image, symbols of several images for one target, and symbols only in add-on images are not kernels either.
    pub fn kernels(&self) -> Vec<&str> {
        let imports = self.images.iter().flat_map(|image| image.imports.iter().map(|(name, _)| name));
        let exports = self.images.iter().flat_map(|image| &image.exports);
        let others: BTreeSet<&str> = gather(imports.chain(exports).map(String::as_str));
        let is_copied = |name: &str| {
            let images = self.by_symbol.get(name).map_or(&[][..], Vec::as_slice);
            let mut targets = BTreeSet::new();
            !images.iter().all(|&image| targets.insert(&self.images[image].source.target))
        };
        let mut seen = BTreeSet::new();
        let main = self.images.iter().filter(|image| image.add_on.is_none());
        let symbols = main.flat_map(|image| image.source.symbols.iter().map(String::as_str));
        symbols.filter(|name| !others.contains(name) && seen.insert(*name) && !is_copied(name)).collect()
    }

    /// Selects the images of a kernel for a device, even if the device does not meet their requirements. Reads no code.
    ///
    /// # Errors
    /// See [`RuntimeError`].
    pub fn select(&self, kernel: &str, device: &Device) -> Result<Arc<SelectedImages>, PipelineError> {
        // Programs of SYCL have kernels.
        let device = &device.for_api(Api::OpenCl);
        let main = self.image_of(kernel, device)?;
        let answers = self.questions(main).answers(device);
        let mut known = self.selected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(selected) = known.get(&(main, answers.clone())) {
            return Ok(Arc::clone(selected));
        }
        let selected = Arc::new(select::select(self, main, device)?);
        known.insert((main, answers), Arc::clone(&selected));
        Ok(selected)
    }

    /// Finds the image with a kernel. An image for the device itself takes precedence over one for its kind, and that
    /// over one for any device.
    fn image_of(&self, kernel: &str, device: &Device) -> Result<usize, RuntimeError> {
        let all = self.by_symbol.get(kernel).map_or(&[][..], Vec::as_slice).iter().copied();
        let main: Vec<usize> = all.filter(|&image| self.images[image].add_on.is_none()).collect();
        let target = |image: &usize| self.images[*image].source.target.as_deref();
        let name = || kernel.to_owned();
        if main.is_empty() {
            return Err(RuntimeError::UnknownKernel {
                name: name(),
                nearest: nearest(kernel, self.kernels()),
                unreadable: self.unreadable.iter().map(ToString::to_string).collect(),
            });
        }
        let is_for_device = |image: &&usize| target(image).is_some_and(|target| target == device.name);
        let of_kind =
            |image: &&usize| target(image).is_some_and(|target| is_generic_for(target, &device.name));
        let any = |image: &&usize| target(image).is_none_or(|target| ANY_DEVICE.contains(&target));
        let mut candidates: Vec<usize> = main.iter().filter(is_for_device).copied().collect();
        if candidates.is_empty() {
            candidates = main.iter().filter(of_kind).copied().collect();
        }
        if candidates.is_empty() {
            candidates = main.iter().filter(any).copied().collect();
        }
        match candidates[..] {
            [image] => Ok(image),
            [first, second, ..] => {
                let [first, second] = [first, second].map(|image| self.images[image].name().to_owned());
                Err(RuntimeError::TwoKernels { name: name(), first, second })
            }
            [] => {
                let targets: BTreeSet<String> = gather(main.iter().filter_map(target).map(str::to_owned));
                let (device, targets) = (label(&device.name).to_owned(), targets.into_iter().collect());
                Err(RuntimeError::OtherTarget { name: name(), device, targets })
            }
        }
    }

    /// Returns the images that an image may import from: images for its target, or else for any device.
    fn of_same_target(&self, image: usize, images: &[usize]) -> Vec<usize> {
        let target = |image: usize| &self.images[image].source.target;
        let same_target = images.iter().copied().filter(|&other| target(other) == target(image));
        let same_target: Vec<usize> = same_target.collect();
        let is_any = |&other: &usize| {
            target(other).as_deref().is_none_or(|same_target| ANY_DEVICE.contains(&same_target))
        };
        match same_target.iter().any(|&other| other != image) {
            true => same_target,
            false => images.iter().copied().filter(is_any).collect(),
        }
    }

    /// Returns the add-on images with an id that have the target and the table of an image.
    fn add_ons<'i>(&'i self, parent: usize, id: &str) -> impl Iterator<Item = usize> + use<'i> {
        let of_id = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        let parent = &self.images[parent].source;
        of_id.iter().copied().filter(move |&image| {
            let source = &self.images[image].source;
            source.target == parent.target && source.table == parent.table
        })
    }

    /// Finds the add-on image with an id for an image.
    fn add_on(&self, parent: usize, id: &str, real: bool) -> Result<usize, RuntimeError> {
        let is_it =
            |image: &usize| self.images[*image].add_on.as_ref().is_some_and(|record| record.real == real);
        let matching: Vec<usize> = self.add_ons(parent, id).filter(is_it).collect();
        let name = |image: usize| self.images[image].name().to_owned();
        match matching[..] {
            [image] => Ok(image),
            [] => Err(RuntimeError::NoAddOn { image: name(parent), id: id.to_owned(), real }),
            [first, second, ..] => Err(RuntimeError::TwoAddOns {
                id: id.to_owned(),
                real,
                first: name(first),
                second: name(second),
            }),
        }
    }

    /// Finds the image that exports an imported name; `None` if no symbol has the name.
    fn exporter(&self, importer: usize, name: &str) -> Result<Option<usize>, RuntimeError> {
        let all = self.by_symbol.get(name).map_or(&[][..], Vec::as_slice);
        let all = self.of_same_target(importer, all).into_iter().filter(|&image| image != importer);
        let (add_ons, main): (Vec<usize>, Vec<usize>) =
            all.partition(|&image| self.images[image].add_on.is_some());
        let text = |image: usize| self.images[image].name().to_owned();
        let (name, importer) = (name.to_owned(), text(importer));
        match (&main[..], &add_ons[..]) {
            (&[image], _) => Ok(Some(image)),
            (&[first, second, ..], _) => {
                Err(RuntimeError::TwoExporters { name, importer, first: text(first), second: text(second) })
            }
            (&[], &[add_on, ..]) => {
                let id =
                    self.images[add_on].add_on.as_ref().map(|record| record.id.clone()).unwrap_or_default();
                Err(RuntimeError::OnlyAddOn { name, importer, add_on: text(add_on), id })
            }
            (&[], &[]) => Ok(None),
        }
    }

    fn questions(&self, main: usize) -> Arc<DeviceQuestions> {
        let mut known = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(main).or_insert_with(|| Arc::new(DeviceQuestions::new(self, main))))
    }

    /// Returns all images that may be selected together with an image on some device.
    fn reachable(&self, main: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::from([main]);
        let mut open = vec![main];
        while let Some(image) = open.pop() {
            let reached_image = &self.images[image];
            let add_ons = reached_image.add_ons.iter().flat_map(|(id, _)| self.add_ons(image, id));
            let exporters = reached_image.imports.iter().filter_map(|(name, _)| self.by_symbol.get(name));
            for next in add_ons.chain(exporters.flat_map(|images| self.of_same_target(image, images))) {
                if reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests;
