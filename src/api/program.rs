//! Loading a program: the images of a kernel for a device, and one plain module of them.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::{Condition, Error, Missing, Module, Settings, SpecializeReport, Specialized, Unset};
use crate::compatibility::Refused;
use crate::device::Device;
use crate::metadata::property_sets::PropertySets;
use crate::pipelines::runtime;
use crate::pipelines::runtime::{Reason, Selected};

/// A program as a runtime loads it: images, each with its property sets and symbols, and something that gives the code when it is asked
/// for (`spec-extensions/loading.md`). It can be shared between threads.
///
/// ```
/// use spirv_if::{Device, Error, Module, Program, ProgramImage, Settings, SplitMode, SplitOptions};
/// let bytes = std::fs::read("fixtures/opencl/many.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let mut options = SplitOptions::default();
/// options.mode = SplitMode::Kernel;
/// let split = spirv_if::split(&module, &options)?;
/// let mut images = Vec::new();
/// for number in 0..split.plans().len() {
///     let image = split.image(number)?;
///     let bytes: Vec<u8> = image.words.iter().flat_map(|word| word.to_le_bytes()).collect();
///     let symbols = image.symbols.iter().chain(&image.exported).cloned().collect();
///     let code = move || Ok(bytes.clone());
///     images.push(ProgramImage::new(format!("image {number}"), image.properties, symbols, code));
/// }
/// let program = Program::new(images)?;
/// let device = Device::embedded("intel_gpu_pvc")?;
/// let kernel = program.kernels()[0];
/// let selection = program.select(kernel, &device)?;
/// assert_eq!(selection.images().len(), 1);
/// let run = selection.specialize(&Settings::new())?;
/// assert!(Module::from_words(run.words)?.words().len() < module.words().len());
/// assert!(matches!(program.select("no kernel", &device), Err(Error::Request(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Program {
    inner: runtime::Program,
}

/// An image of a program in memory.
#[derive(Debug)]
pub struct ProgramImage {
    inner: runtime::ProgramImage,
}

impl ProgramImage {
    /// An image with its name in messages, its property sets, its entry points and exported functions, and a function that gives its code,
    /// which is called where the image is linked.
    pub fn new(
        name: impl Into<String>,
        properties: PropertySets,
        symbols: Vec<String>,
        code: impl Fn() -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> ProgramImage {
        let (name, code) = (name.into(), Box::new(code));
        let inner = runtime::ProgramImage { name, table: 0, target: None, properties, symbols, code };
        ProgramImage { inner }
    }

    /// Sets the target that it is for, as in the column `Target` of a file table. By default it is for any device.
    pub fn for_target(mut self, target: impl Into<String>) -> ProgramImage {
        self.inner.target = Some(target.into());
        self
    }
}

impl Program {
    /// Reads a file table with the properties and symbols of its images, and no code. Files are named relative to the working directory, or
    /// absolutely, and are within the folder of the table.
    ///
    /// # Errors
    /// If a file cannot be read, is malformed, or is outside of that folder.
    pub fn open(table: impl AsRef<Path>) -> Result<Program, Error> {
        Program::open_all(&[table], false)
    }

    /// Like [`Program::open`], with the tables of several link units: an image may import from those of other tables, and its add-on images are
    /// in its own table. Tables that are trusted may name files anywhere.
    ///
    /// # Errors
    /// If a file cannot be read, is malformed, or is outside of the folder of its table where that is not trusted.
    pub fn open_all(tables: &[impl AsRef<Path>], are_trusted: bool) -> Result<Program, Error> {
        let tables: Vec<&Path> = tables.iter().map(AsRef::as_ref).collect();
        let images = runtime::images(&tables, are_trusted)?;
        Ok(Program { inner: runtime::Program::new(images)? })
    }

    /// A program of images in memory.
    ///
    /// # Errors
    /// If the properties of one are malformed.
    pub fn new(images: impl IntoIterator<Item = ProgramImage>) -> Result<Program, Error> {
        Ok(Program { inner: runtime::Program::new(images.into_iter().map(|image| image.inner))? })
    }

    /// The kernels, in the order of the images: the symbols that no "SYCL/exported symbols" lists. Other tools may not write this property set:
    /// those are left out that an image imports, that several images for one target have, or that only add-on images have.
    pub fn kernels(&self) -> Vec<&str> {
        self.inner.kernels()
    }

    /// Selects the images of a kernel for a device: the image that has it, those that export its imports, and of each pair of add-on images
    /// the one for the device. No code is read.
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not meet the requirements of all of them; [`Error::Request`] if there is no such kernel; else where
    /// the images do not fit together.
    pub fn select<'p>(&'p self, kernel: &str, device: &Device) -> Result<Selection<'p>, Error> {
        let selection = self.look_up(kernel, device)?;
        match selection.missing() {
            [] => Ok(selection),
            missing => Err(Refused::kernel(&device.name, kernel, missing.to_vec()).into()),
        }
    }

    /// The same for a device that need not run the kernel: [`Selection::missing`] lists what it lacks.
    ///
    /// # Errors
    /// See [`Program::select`].
    pub fn look_up<'p>(&'p self, kernel: &str, device: &Device) -> Result<Selection<'p>, Error> {
        let selected = self.inner.select(kernel, device)?;
        let images = selected.images.iter().map(|image| self.image(image)).collect();
        let (kernel, device) = (kernel.to_owned(), device.clone());
        Ok(Selection { program: self, selected, images, kernel, device })
    }

    /// The kernels that a device runs, and those that it does not run, each with the reason; by the property sets alone.
    pub fn bundle(&self, device: &Device) -> Bundle {
        let mut bundle = Bundle::default();
        for kernel in self.kernels() {
            match self.select(kernel, device) {
                Ok(_) => bundle.runs.push(kernel.to_owned()),
                Err(error) => bundle.refused.push((kernel.to_owned(), error)),
            }
        }
        bundle
    }

    fn image(&self, selected: &runtime::SelectedImage) -> SelectedImage {
        let images = self.inner.images();
        let name = |image: usize| images[image].name().to_owned();
        let reasons = selected.reasons.iter().map(|reason| match reason {
            Reason::Kernel => SelectionReason::Kernel,
            Reason::Import { name: symbol, importer } => {
                SelectionReason::Import { name: symbol.clone(), importer: name(*importer) }
            }
            Reason::AddOn { id, real, condition, parent } => SelectionReason::AddOn {
                id: id.clone(),
                real: *real,
                condition: Condition::of(condition.clone()),
                parent: name(*parent),
            },
        });
        SelectedImage { name: name(selected.image), reasons: reasons.collect() }
    }
}

/// The kernels of a program on a device.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Bundle {
    /// The kernels that it runs.
    pub runs: Vec<String>,
    /// The kernels that it does not run, each with the reason.
    pub refused: Vec<(String, Error)>,
}

/// The images of a kernel for a device. Those for devices with the same answers to all that matters share results.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    program: &'p Program,
    selected: Arc<Selected>,
    images: Vec<SelectedImage>,
    kernel: String,
    device: Device,
}

/// An image of a selection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SelectedImage {
    /// Its name.
    pub name: String,
    /// The reasons for which it is selected; there is one at least.
    pub reasons: Vec<SelectionReason>,
}

/// The reason for which an image is selected. Displayed, a clause such as "add-on 1 of app_0.spv, stub: fp64 does not hold".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionReason {
    /// It has the kernel.
    Kernel,
    /// It exports a name that another selected image imports.
    Import {
        /// The name.
        name: String,
        /// The image that imports it.
        importer: String,
    },
    /// It is one of a pair of add-on images.
    AddOn {
        /// The id of the pair.
        id: String,
        /// True for the image with the real definitions, since the condition holds; false for the one with the stubs, since it does not.
        real: bool,
        /// The condition.
        condition: Condition,
        /// The image that requires the pair.
        parent: String,
    },
}

impl fmt::Display for SelectionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectionReason::Kernel => f.write_str("has the kernel"),
            SelectionReason::Import { name, importer } => {
                write!(f, "exports `{name}`, which {importer} imports")
            }
            SelectionReason::AddOn { id, real, condition, parent } => {
                let (kind, holds) = if *real { ("real", "holds") } else { ("stub", "does not hold") };
                write!(f, "add-on {id} of {parent}, {kind}: {condition} {holds}")
            }
        }
    }
}

impl Selection<'_> {
    /// The images, that of the kernel first.
    pub fn images(&self) -> &[SelectedImage] {
        &self.images
    }

    /// The requirements that the device is known not to meet; none of a selection that [`Program::select`] gave.
    pub fn missing(&self) -> &[Missing] {
        &self.selected.checked.missing
    }

    /// The requirements that are not checked, since the device is not known well enough: mostly the size of work-groups.
    pub fn not_checked(&self) -> &[Missing] {
        &self.selected.checked.unknown
    }

    /// The code of an image, by its number in [`Selection::images`].
    ///
    /// # Errors
    /// If there is no such image, or its code cannot be read.
    pub fn code(&self, number: usize) -> Result<Vec<u8>, Error> {
        let none = || Error::request(format_args!("there is no image {number}"));
        let image = &self.program.inner.images()[self.selected.images.get(number).ok_or_else(none)?.image];
        let error = |error| runtime::RuntimeError::File { path: image.name().into(), error };
        Ok((image.given.code)().map_err(error)?)
    }

    /// The property sets of an image, by its number in [`Selection::images`]; none, if there is no such image.
    pub fn properties(&self, number: usize) -> Option<&PropertySets> {
        let image = self.selected.images.get(number)?.image;
        Some(&self.program.inner.images()[image].given.properties)
    }

    /// Links and specializes the images to one plain module, without imports, exports or conditional code: it has the entry points of the
    /// kernel's image, or those that [`Settings::entry_point`] names.
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not run it, before code is read where the property sets say so; [`Error::Undecided`] if something
    /// would stay conditional; else where code cannot be read, is no module, or cannot be linked.
    pub fn specialize(&self, settings: &Settings) -> Result<Specialized, Error> {
        if settings.request.unset == Some(Unset::Keep) {
            return Err(Error::request(
                "a kernel is loaded as one plain module, in which nothing stays conditional",
            ));
        }
        let (program, kernel) = (&self.program.inner, &self.kernel);
        let result = runtime::link(program, &self.selected, kernel, &self.device, &settings.request)?;
        let report = SpecializeReport::of(&result, &[&self.device], &|_| Default::default());
        Ok(Specialized {
            words: Module::result(result.words.into_owned()),
            properties: result.properties,
            report,
        })
    }
}
