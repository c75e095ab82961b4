//! Loading a program of images, like a SYCL runtime: selects the images of a kernel for a device, and links them to one plain module.
//!
//! A compiler makes images ([`split`](crate::split::split())), with property sets and symbols beside them. A [`Program`] reads these, selects the images of a
//! kernel for a device, and links and specializes them.
//!
//! ```
//! use spirv_if_sycl::program::{Program, ProgramImage};
//! use spirv_if::property_sets::PropertySets;
//! use spirv_if::{Device, Settings};
//! let bytes = std::fs::read("../fixtures/opencl/plain.spv")?;
//! let symbols = vec!["plain".to_owned()];
//! let image = ProgramImage::new("plain.spv", PropertySets::default(), symbols, move || Ok(bytes.clone()));
//! let program = Program::new([image])?;
//! let support = program.kernel_support(&Device::embedded("intel_gpu_pvc")?);
//! assert_eq!(support.runs, ["plain"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::image_compatibility::image_compatibility;
use crate::runtime;
use crate::runtime::{RuntimeError, SelectedImages, SelectionCause};
use spirv_if::Condition;
use spirv_if::device::Device;
use spirv_if::engine::analysis::FunctionName;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::error::Refused;
use spirv_if::error::{Missing, RequestErrorKind};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::{Compatibility, Verdict};
use spirv_if::specialize::{Settings, SpecializeReport, Specialized, UndecidedPart, UnsetPolicy};
use spirv_if::{Error, Module};

impl From<RuntimeError> for Error {
    fn from(error: RuntimeError) -> Error {
        PipelineError::from(error).into()
    }
}

/// A program as a runtime loads it (`spec-extensions/loading.md`). Each image has its property sets, its symbols, and a function that reads
/// the code on demand. It can be shared between threads.
///
/// ```
/// use spirv_if::{Device, Error, Module, Settings};
/// use spirv_if_sycl::program::{Program, ProgramImage};
/// use spirv_if_sycl::split::{SplitMode, SplitOptions, split};
/// let bytes = std::fs::read("../fixtures/opencl/many.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let split = split(&module, &SplitOptions::new().mode(SplitMode::Kernel))?;
/// let mut images = Vec::new();
/// for number in 0..split.plans().len() {
///     let image = split.image(number)?;
///     let bytes = image.to_bytes();
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
    inner: runtime::LoadedProgram,
}

/// An image of a program in memory.
#[derive(Debug)]
pub struct ProgramImage {
    inner: runtime::ImageSource,
}

impl ProgramImage {
    /// Describes an image by its name in messages, its property sets, its entry points and exported functions, and a function that returns its
    /// code. The function is called when the image is linked.
    pub fn new(
        name: impl Into<String>,
        properties: PropertySets,
        symbols: Vec<String>,
        code: impl Fn() -> io::Result<Vec<u8>> + Send + Sync + 'static,
    ) -> ProgramImage {
        let (name, code) = (name.into(), Box::new(code));
        let inner = runtime::ImageSource { name, table: 0, target: None, properties, symbols, code };
        ProgramImage { inner }
    }

    /// Sets the target of the image, in the form of the column `Target` of a file table. By default it is for any device.
    pub fn target(mut self, target: impl Into<String>) -> ProgramImage {
        self.inner.target = Some(target.into());
        self
    }
}

/// Returns the name of a kernel as its source has it: `Stores` of `_ZTS6Stores`. Any other name is as it is; one of more than 256 bytes is cut.
///
/// ```
/// assert_eq!(spirv_if_sycl::program::source_name("_ZTS6Stores"), "Stores");
/// ```
pub fn source_name(kernel: &str) -> String {
    FunctionName::new(kernel).to_string()
}

impl Program {
    /// Reads a file table with the properties and symbols of its images, and no code. Files are named relative to the working directory, or
    /// absolutely, and are within the folder of the table. Instead of a table, an executable or a library may be given that DPC++ linked:
    /// [`Program::unreadable_images`] has the errors of single images.
    ///
    /// # Errors
    /// If a file cannot be read, is malformed, or is outside of that folder.
    pub fn open(table: impl AsRef<Path>) -> Result<Program, Error> {
        Program::open_all(&[table], false)
    }

    /// Like [`Program::open`], with the tables of several link units. An image may import from images of other tables, and its add-on
    /// images are in its own table. Trusted tables may name files anywhere.
    ///
    /// # Errors
    /// If a file cannot be read, is malformed, or is outside of the folder of an untrusted table.
    pub fn open_all(tables: &[impl AsRef<Path>], are_trusted: bool) -> Result<Program, Error> {
        let tables: Vec<&Path> = tables.iter().map(AsRef::as_ref).collect();
        Ok(Program { inner: runtime::LoadedProgram::open(&tables, are_trusted)? })
    }

    /// Makes a program of images in memory.
    ///
    /// # Errors
    /// If the properties of one are malformed.
    pub fn new(images: impl IntoIterator<Item = ProgramImage>) -> Result<Program, Error> {
        Ok(Program { inner: runtime::LoadedProgram::new(images.into_iter().map(|image| image.inner))? })
    }

    /// Returns the errors of the images of linked executables and libraries whose properties cannot be read. The program is without them.
    pub fn unreadable_images(&self) -> impl ExactSizeIterator<Item = String> + '_ {
        self.inner.unreadable().map(ToString::to_string)
    }

    /// Returns the kernels, in the order of the images: the symbols that no "SYCL/exported symbols" lists.
    ///
    /// Other tools may not write this property set. Therefore the result also excludes three kinds of symbols: imports of an image, symbols
    /// in several images for one target, and symbols only in add-on images.
    pub fn kernels(&self) -> Vec<&str> {
        self.inner.kernels()
    }

    /// Selects the images of a kernel for a device. These are the image with the kernel, the images that export its imports, and one image
    /// of each add-on pair. No code is read. Constants that are set later may remove code which requires an aspect: then
    /// [`Program::select_unchecked`] selects, and [`Selection::specialize`] checks what is left.
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not meet the requirements of all of them. [`Error::Request`] if the kernel does not exist.
    /// Another error if the images do not fit together.
    pub fn select<'p>(&'p self, kernel: &str, device: &Device) -> Result<Selection<'p>, Error> {
        let selection = self.select_unchecked(kernel, device)?;
        match selection.missing() {
            [] => Ok(selection),
            missing => Err(Refused::kernel(&device.name, kernel, missing.to_vec()).into()),
        }
    }

    /// Like [`Program::select`], but selects for a device that does not run the kernel, too: [`Selection::missing`] lists why.
    ///
    /// # Errors
    /// See [`Program::select`].
    pub fn select_unchecked<'p>(&'p self, kernel: &str, device: &Device) -> Result<Selection<'p>, Error> {
        let selected = self.inner.select(kernel, device)?;
        let images = selected.images.iter().map(|image| self.image(image)).collect();
        let (kernel, device) = (kernel.to_owned(), device.clone());
        Ok(Selection { program: self, selected, images, kernel, device, allow_partial_linkage: false })
    }

    /// Returns the kernels that a device runs, those that it is not known to run, and those that it does not run, with the reasons. Of the
    /// code, the declarations and the entry points count.
    pub fn kernel_support(&self, device: &Device) -> KernelSupport {
        let mut support = KernelSupport::default();
        for kernel in self.kernels() {
            let selected = self.select_unchecked(kernel, device);
            let name = kernel.to_owned();
            let error = match selected.and_then(|selection| selection.compatibility()) {
                Ok(result) => match result.verdict() {
                    Verdict::Runs => {
                        support.runs.push(name);
                        continue;
                    }
                    Verdict::NotKnown => {
                        support.not_known.push(UncertainKernel { kernel: name, features: result.unknown });
                        continue;
                    }
                    Verdict::DoesNotRun => Refused::kernel(&device.name, kernel, result.missing).into(),
                },
                Err(error) => error,
            };
            support.refused.push(RefusedKernel { kernel: name, error });
        }
        support
    }

    fn image(&self, selected: &runtime::ChosenImage) -> SelectedImage {
        let images = self.inner.images();
        let name = |image: usize| images[image].name().to_owned();
        let reasons = selected.reasons.iter().map(|reason| match reason {
            SelectionCause::Kernel => SelectionReason::Kernel,
            SelectionCause::Import { name: symbol, importer } => {
                SelectionReason::Import { name: symbol.clone(), importer: name(*importer) }
            }
            SelectionCause::AddOn { id, real, condition, parent } => SelectionReason::AddOn {
                id: id.clone(),
                real: *real,
                condition: Condition::new(condition.clone()),
                parent: name(*parent),
            },
        });
        SelectedImage { name: name(selected.image), reasons: reasons.collect() }
    }
}

/// The kernels of a program on a device.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct KernelSupport {
    /// The kernels that it runs.
    pub runs: Vec<String>,
    /// The kernels that it does not run.
    pub refused: Vec<RefusedKernel>,
    /// The kernels that it is not known to run.
    pub not_known: Vec<UncertainKernel>,
}

/// A kernel that a device is not known to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UncertainKernel {
    /// The kernel.
    pub kernel: String,
    /// The features that the device may or may not have.
    pub features: Vec<Missing>,
}

/// A kernel that a device does not run.
#[derive(Debug)]
#[non_exhaustive]
pub struct RefusedKernel {
    /// The kernel.
    pub kernel: String,
    /// The reason.
    pub error: Error,
}

/// The images of a kernel for a device. Selections for devices with the same answers to all relevant conditions share results.
#[derive(Clone, Debug)]
pub struct Selection<'p> {
    program: &'p Program,
    selected: Arc<SelectedImages>,
    images: Vec<SelectedImage>,
    kernel: String,
    device: Device,
    allow_partial_linkage: bool,
}

/// An image of a selection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SelectedImage {
    /// The name of the image.
    pub name: String,
    /// The reasons for its selection; at least one.
    pub reasons: Vec<SelectionReason>,
}

/// The reason for the selection of an image. It is displayed as a clause, such as "add-on 1 of app_0.spv, stub: fp64 does not hold".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectionReason {
    /// The image has the kernel.
    Kernel,
    /// The image exports a name that another selected image imports.
    Import {
        /// The name.
        name: String,
        /// The image that imports it.
        importer: String,
    },
    /// The image is one of a pair of add-on images.
    AddOn {
        /// The id of the pair.
        id: String,
        /// True for the image with the real definitions, if the condition holds. False for the image with the stubs.
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
    /// Returns the images, beginning with the image of the kernel.
    pub fn images(&self) -> &[SelectedImage] {
        &self.images
    }

    /// Returns the requirements in the property sets that the device is known not to meet; none after [`Program::select`].
    pub fn missing(&self) -> &[Missing] {
        &self.selected.checked.missing
    }

    /// Compares the requirements of the images, and the declarations and entry points of their code, with the device. Of an image whose code does not exist,
    /// the property sets alone count.
    ///
    /// # Errors
    /// If code cannot be read or is not a module, or properties are malformed.
    pub fn compatibility(&self) -> Result<Compatibility, Error> {
        let mut result = self.selected.checked.clone();
        for (number, selected) in self.selected.images.iter().enumerate() {
            let kernel = (number == 0).then_some(self.kernel.as_str());
            let image = &self.program.inner.images()[selected.image];
            let code = match (image.source.code)() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                code => code.map_err(|error| RuntimeError::File { path: image.name().into(), error })?,
            };
            let module = Module::from_bytes(&code)?;
            let properties = &image.source.properties;
            result.extend(image_compatibility(&self.device, &module.inner, properties, kernel)?);
        }
        Ok(result)
    }

    /// Reads the code of an image, by its number in [`Selection::images`].
    ///
    /// # Errors
    /// If the image does not exist, or its code cannot be read.
    pub fn code(&self, number: usize) -> Result<Vec<u8>, Error> {
        let none = || Error::request(RequestErrorKind::Image, format!("there is no image {number}"));
        let image = &self.program.inner.images()[self.selected.images.get(number).ok_or_else(none)?.image];
        let error = |error| runtime::RuntimeError::File { path: image.name().into(), error };
        Ok((image.source.code)().map_err(error)?)
    }

    /// Returns the property sets of an image, by its number in [`Selection::images`]; `None` if the image does not exist.
    pub fn properties(&self, number: usize) -> Option<&PropertySets> {
        let image = self.selected.images.get(number)?.image;
        Some(&self.program.inner.images()[image].source.properties)
    }

    /// Keeps imports that no image of the program defines, if true, such as functions of drivers. The result of [`Selection::specialize`] then
    /// declares the Linkage capability. By default they are an error.
    #[must_use]
    pub fn allow_partial_linkage(mut self, allow: bool) -> Self {
        self.allow_partial_linkage = allow;
        self
    }

    /// Links and specializes the images to one plain module, without imports, exports or conditional code. It has the entry points of the
    /// kernel's image, or only the ones named by [`Settings::entry_points`].
    ///
    /// # Errors
    /// [`Error::Refused`] if the device does not run it; no code is read if the property sets already show that. [`Error::Undecided`] if
    /// something would stay conditional. Another error if code cannot be read, is not a module, or cannot be linked.
    pub fn specialize(&self, settings: &Settings) -> Result<Specialized, Error> {
        if settings.request.unset == Some(UnsetPolicy::Keep) {
            let problem = "a kernel is loaded as one plain module, in which nothing stays conditional";
            return Err(Error::request(RequestErrorKind::Options, problem));
        }
        let (program, kernel) = (&self.program.inner, &self.kernel);
        let request = runtime::LinkRequest {
            specialize: settings.request.clone(),
            allow_partial_linkage: self.allow_partial_linkage,
        };
        let result = runtime::link(program, &self.selected, kernel, &self.device, request)?;
        let report = SpecializeReport::new(&result, &[&self.device], &|_| UndecidedPart::default());
        Ok(Specialized::new(Module::result(result.words.into_owned()), result.properties, report))
    }
}
