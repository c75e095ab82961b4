//! The modules to read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use spirv_if::module::{Candidate, ModulePart, find_module, find_modules};
use spirv_if::{Device, Error, Module, Prepared, Settings};
use spirv_if_bundle::BundleError;

use super::super::device::label;
use super::super::log::Log;
use super::super::terminal::Progress;
use super::super::{ExitFailure, exit_status, usage};
use super::bundled::{self, BundledShader};
use super::{Bytes, InputKind, depfile, in_parallel, read_properties};

/// The modules to read.
#[derive(Args, Debug)]
pub struct Inputs {
    /// SPIR-V modules of either byte order; `-` is standard input; a folder means all `.spv` files below it, and a bundle (`.spvb`) all its
    /// shaders. `FILE:INDEX` (from 0), `FILE:0xOFFSET` and `FILE:TARGET` name a module in any other file, as `spirv-if inspect FILE` lists
    /// them; TARGET matches the triple or architecture of an LLVM offload image. `BUNDLE#NAME` names a shader of a bundle, and
    /// `BUNDLE#NAME:VARIANT` (from 0) one of its variants
    #[arg(value_name = "MODULE", required = true, value_parser = InputArg::parser())]
    modules: Vec<InputArg>,
}

/// An argument for inputs: a module, all modules in a folder, or all shaders of a bundle.
#[derive(Clone, Debug)]
pub struct InputArg {
    inputs: Vec<(PathBuf, Option<InputPart>)>,
    /// True if it stands for any number of modules.
    is_folder: bool,
}

/// A module that is a part of a file.
#[derive(Clone, Debug)]
enum InputPart {
    /// A module inside of a file, with its text on the command line.
    Inside(String, ModulePart),
    /// A shader of a bundle.
    Shader(BundledShader),
}

/// A module to read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    path: &'a Path,
    part: Option<&'a InputPart>,
}

impl InputPart {
    fn is_for_devices(&self) -> bool {
        matches!(self, InputPart::Shader(shader) if shader.is_for_devices())
    }
}

/// Limit on the devices that an error names.
const MAX_NAMED: usize = 3;

/// Returns the error for a shader in a place where no variant is chosen for a device.
pub fn not_chosen(place: impl fmt::Display, device: &Device, error: &BundleError) -> anyhow::Error {
    match error {
        BundleError::NoVariant { .. } | BundleError::NoResult(_) | BundleError::DoesNotRun { .. } => {
            ExitFailure::Incompatible(format!("{}: {error}", label(device))).into()
        }
        _ => anyhow!("{place}: {error}"),
    }
}

/// Returns the error for devices that must run a shader without a variant for them, or without a known one.
fn without_variant(devices: &[&Device], error: &BundleError) -> anyhow::Error {
    let names: Vec<&str> = devices.iter().take(MAX_NAMED).map(|device| label(device)).collect();
    let others = match devices.len() - names.len() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    let message = format!("{}{others}: {error}", names.join(", "));
    match error {
        BundleError::NoVariant { .. }
        | BundleError::UndecidedVariant { .. }
        | BundleError::NoResult(_)
        | BundleError::DoesNotRun { .. }
        | BundleError::NotKnown { .. } => ExitFailure::Incompatible(message).into(),
        _ => anyhow!(message),
    }
}

impl InputArg {
    /// Returns the parser of arguments.
    pub fn parser() -> impl TypedValueParser<Value = InputArg> {
        OsStringValueParser::new().try_map(InputArg::new)
    }

    /// Parses an argument, and finds the modules of a folder or a bundle.
    ///
    /// # Errors
    /// If it is a folder or a bundle that cannot be read or has no modules, or its syntax for a part of a file is unknown.
    pub fn new(text: OsString) -> Result<InputArg, String> {
        let path = PathBuf::from(&text);
        if path.is_dir() {
            let mut files = Vec::new();
            modules_below(&path, &mut files).map_err(|error| format!("{}: {error}", path.display()))?;
            return match files.is_empty() {
                true => Err(format!("no file below {} has the extension `.spv`", path.display())),
                false => Ok(InputArg {
                    inputs: files.into_iter().map(|file| (file, None)).collect(),
                    is_folder: true,
                }),
            };
        }
        if path.extension().is_some_and(|extension| extension == bundled::EXTENSION) && path.exists() {
            let shaders = BundledShader::all(&path).map_err(|error| error.to_string())?;
            return match shaders.is_empty() {
                true => Err("the bundle has no shaders".to_owned()),
                false => Ok(InputArg {
                    inputs: shaders
                        .into_iter()
                        .map(|shader| (path.clone(), Some(InputPart::Shader(shader))))
                        .collect(),
                    is_folder: true,
                }),
            };
        }
        let one = |path: PathBuf, part| InputArg { inputs: vec![(path, part)], is_folder: false };
        let existing = |(path, part)| Path::new(path).is_file().then_some((path, part));
        let (inside, shader) = match text.to_str().filter(|text| !Path::new(text).exists()) {
            Some(text) => (text.rsplit_once(':'), text.split_once('#')),
            None => (None, None),
        };
        match (inside.and_then(existing), shader.and_then(existing)) {
            (Some((path, part)), _) => {
                let parsed = part.parse().map_err(|error: Error| error.to_string())?;
                Ok(one(path.into(), Some(InputPart::Inside(part.to_owned(), parsed))))
            }
            (None, Some((path, name))) => {
                let shader = BundledShader::one(Path::new(path), name).map_err(|error| error.to_string())?;
                Ok(one(path.into(), Some(InputPart::Shader(shader))))
            }
            (None, None) => Ok(one(path, None)),
        }
    }

    /// Returns the one module of an argument.
    ///
    /// # Errors
    /// As [`InputArg::new`], and if it is a folder.
    pub fn one(text: OsString) -> Result<InputArg, String> {
        let path = PathBuf::from(&text);
        let argument = InputArg::new(text)?;
        match argument.is_folder {
            true if !path.is_dir() => {
                Err(format!("{0} is a bundle: name one shader, as in {0}#NAME", path.display()))
            }
            true => Err(format!("{} is a folder: name one module", path.display())),
            false => Ok(argument),
        }
    }

    fn choose_variants(&mut self, devices: &[Device]) -> anyhow::Result<()> {
        let mut last: Option<BundledShader> = None;
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (path, part) in std::mem::take(&mut self.inputs) {
            let Some(InputPart::Shader(shader)) = part.as_ref().filter(|part| part.is_for_devices()) else {
                inputs.push((path, part));
                continue;
            };
            // The variants of one shader follow each other.
            if last.as_ref().is_none_or(|last| !last.is_same_shader(shader)) {
                let chosen = shader.chosen_by(devices);
                let chosen = chosen.map_err(|(device, error)| not_chosen(path.display(), device, &error))?;
                let chosen = chosen.into_iter().map(|shader| (path.clone(), Some(InputPart::Shader(shader))));
                inputs.extend(chosen);
            }
            last = Some(shader.clone());
        }
        self.inputs = inputs;
        Ok(())
    }

    /// Keeps all variants of shaders in bundles, each with the devices that get it ([`Input::devices`]). Returns an error for each shader and
    /// device of which no variant is for the device, or that is not known.
    pub fn assign_devices(&mut self, devices: &[Device]) -> Vec<FailedInput> {
        let mut failures = Vec::new();
        let mut last: Option<BundledShader> = None;
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (path, part) in std::mem::take(&mut self.inputs) {
            let Some(InputPart::Shader(shader)) = part.as_ref().filter(|part| part.is_for_devices()) else {
                inputs.push((path, part));
                continue;
            };
            let (assigned, others) = shader.assigned_to(devices);
            if last.as_ref().is_none_or(|last| !last.is_same_shader(shader)) {
                let name = format!("{}#{}", path.display(), shader.name());
                let mut by_error: BTreeMap<String, (BundleError, Vec<&Device>)> = BTreeMap::new();
                for (device, error) in others {
                    by_error.entry(error.to_string()).or_insert((error, Vec::new())).1.push(device);
                }
                failures.extend(by_error.into_values().map(|(error, devices)| FailedInput {
                    error: without_variant(&devices, &error),
                    name: name.clone(),
                }));
            }
            last = Some(shader.clone());
            inputs.extend(assigned.into_iter().map(|shader| (path.clone(), Some(InputPart::Shader(shader)))));
        }
        self.inputs = inputs;
        failures
    }

    /// Returns the name of its module, or of the first.
    pub fn name(&self) -> String {
        self.inputs().next().map(|input| input.to_string()).unwrap_or_default()
    }

    /// Returns true if it is a folder, or a bundle.
    pub fn is_folder(&self) -> bool {
        self.is_folder
    }

    fn inputs(&self) -> impl Iterator<Item = Input<'_>> {
        self.inputs.iter().map(|(path, part)| Input { path, part: part.as_ref() })
    }
}

/// Adds the modules in a folder and the folders in it, by name.
fn modules_below(folder: &Path, modules: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        // A link to a folder may lead back to one above it.
        if entry.file_type()?.is_dir() {
            modules_below(&path, modules)?;
        } else if path.extension().is_some_and(|extension| extension == "spv") && path.is_file() {
            modules.push(path);
        }
    }
    Ok(())
}

impl Inputs {
    /// Returns the inputs, in the order of the command line.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn list(&self) -> anyhow::Result<Vec<Input<'_>>> {
        list(&self.modules)
    }

    /// Chooses the variants of shaders in bundles that devices get, by their conditions. The variant for a device is
    /// not an input of other devices ([`Input::devices`]).
    ///
    /// # Errors
    /// If no variant is for a device, or that is not known.
    pub fn choose_variants(&mut self, devices: &[Device]) -> anyhow::Result<()> {
        self.modules.iter_mut().try_for_each(|argument| argument.choose_variants(devices))
    }

    /// Keeps all variants of shaders in bundles, as [`InputArg::assign_devices`] does.
    pub fn assign_devices(&mut self, devices: &[Device]) -> Vec<FailedInput> {
        self.modules.iter_mut().flat_map(|argument| argument.assign_devices(devices)).collect()
    }

    /// Returns the possible number of results. A folder counts as several, even if it has one module now.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn count(&self) -> anyhow::Result<usize> {
        let least = if self.modules.iter().any(InputArg::is_folder) { 2 } else { 1 };
        Ok(self.list()?.len().max(least))
    }

    /// Works on every input, on several at the same time, and returns the results in the order of the inputs. Messages about an input, with
    /// its error, are logged under its name.
    ///
    /// # Errors
    /// If the work on any input fails, [`ExitFailure::Logged`].
    pub fn for_each<R: Send>(
        &self,
        log: &mut Log,
        work: impl Fn(&Input, Module, &mut Log) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let (results, failures) = self.for_each_that_works(log, work)?;
        unless_any_fails(results, &failures, log)
    }

    /// Like [`Inputs::for_each`], with the results of those inputs on which the work does not fail, and the other inputs.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn for_each_that_works<R: Send>(
        &self,
        log: &mut Log,
        work: impl Fn(&Input, Module, &mut Log) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<(Vec<R>, Vec<FailedInput>)> {
        let inputs = self.list()?;
        Ok(each_that_works(&inputs, &inputs, log, |input, _, log| {
            let bytes = input.read(InputKind::Module)?;
            work(input, input.module(&bytes)?, log)
        }))
    }
}

/// Works on an item of each input, or of something else that has a name, as [`Inputs::for_each`] does.
///
/// # Errors
/// If the work on any input fails, [`ExitFailure::Logged`].
pub fn each<S: fmt::Display + Sync, I: Send, R: Send>(
    inputs: &[S],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    log: &mut Log,
    work: impl Fn(&S, I, &mut Log) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let (results, failures) = each_that_works(inputs, items, log, work);
    unless_any_fails(results, &failures, log)
}

/// Returns results that are all needed. If any input failed, nothing is noted of the others, which are not written either.
fn unless_any_fails<R>(results: Vec<R>, failures: &[FailedInput], log: &mut Log) -> anyhow::Result<Vec<R>> {
    match FailedInput::worst(failures) {
        Some(error) => {
            log.drop_notes();
            Err(error)
        }
        None => Ok(results),
    }
}

/// An input on which work fails.
pub struct FailedInput {
    pub name: String,
    pub error: anyhow::Error,
}

impl FailedInput {
    /// Logs the error under the name of the input.
    pub fn report(&self, log: &mut Log) {
        let mut its_log = log.about(&self.name);
        its_log.error(&self.error);
        log.append(its_log);
    }

    /// Returns the exit status, if nothing else fails.
    pub fn status(&self) -> u8 {
        exit_status(&self.error)
    }

    /// Returns the error for the whole command, if there is one. It is logged.
    pub fn worst(failures: &[FailedInput]) -> Option<anyhow::Error> {
        // The lower, the worse.
        let status = failures.iter().map(FailedInput::status).min()?;
        Some(ExitFailure::Logged(status).into())
    }
}

/// Returns the results of the work that does not fail, and the inputs on which it does.
fn each_that_works<S: fmt::Display + Sync, I: Send, R: Send>(
    inputs: &[S],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    log: &mut Log,
    work: impl Fn(&S, I, &mut Log) -> anyhow::Result<R> + Sync,
) -> (Vec<R>, Vec<FailedInput>) {
    let shared = &*log;
    let progress = Progress::new("modules", Some(inputs.len()));
    let outcomes = in_parallel(inputs.iter().zip(items), |(input, item)| {
        let mut log = shared.about(input);
        let result = work(input, item, &mut log).map_err(|error| {
            if !matches!(error.downcast_ref(), Some(ExitFailure::Logged(_))) {
                log.drop_notes();
                log.error(&error);
            }
            FailedInput { name: input.to_string(), error }
        });
        progress.step();
        (log, result)
    });
    drop(progress);
    let mut results = Vec::with_capacity(outcomes.len());
    let mut failures = Vec::new();
    for (its_log, result) in outcomes {
        log.append(its_log);
        match result {
            Ok(result) => results.push(result),
            Err(failure) => failures.push(failure),
        }
    }
    (results, failures)
}

/// Returns the inputs of arguments.
///
/// # Errors
/// If standard input should be read twice, or nothing chooses between the variants of a shader.
pub fn list<'a>(arguments: impl IntoIterator<Item = &'a InputArg>) -> anyhow::Result<Vec<Input<'a>>> {
    let inputs: Vec<Input> = arguments.into_iter().flat_map(InputArg::inputs).collect();
    for input in &inputs {
        if let Some(InputPart::Shader(shader)) = input.part
            && let Some(variants) = shader.open_variants()
        {
            return Err(usage(format!(
                "{input} has several variants: {variants}; name one by its number, as in {input}:0, or specialize the shader for a device, \
                 which chooses one"
            )));
        }
    }
    match inputs.iter().filter(|input| input.is_stdin()).count() {
        0 | 1 => Ok(inputs),
        _ => Err(usage("standard input (`-`) can be read only once")),
    }
}

impl<'a> Input<'a> {
    /// Returns the module at a path.
    #[cfg(test)]
    pub fn at(path: &'a Path) -> Input<'a> {
        Input { path, part: None }
    }

    /// Returns the path on the command line, or the path of a file in a folder there.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// Returns true if a path on the command line refers to it.
    pub fn is_at(&self, path: &Path) -> bool {
        self.path == path
    }

    /// Returns the name of a shader of a bundle.
    pub fn shader(&self) -> Option<String> {
        match self.part {
            Some(InputPart::Shader(shader)) => Some(shader.label()),
            _ => None,
        }
    }

    /// Returns the devices that get this input, of those for which variants were chosen.
    pub fn devices<'d>(&self, all: &'d [Device]) -> Cow<'d, [Device]> {
        match self.part {
            Some(InputPart::Shader(shader)) => match shader.devices() {
                Some(places) => places.iter().map(|&place| all[place].clone()).collect(),
                None => Cow::Borrowed(all),
            },
            _ => Cow::Borrowed(all),
        }
    }

    /// Adds the values of the constants that a bundle fixes for its shader to settings.
    ///
    /// # Errors
    /// If a value does not have the type of its constant.
    pub fn fix_constants(&self, prepared: &Prepared, settings: Settings) -> anyhow::Result<Settings> {
        match self.part {
            Some(InputPart::Shader(shader)) => Ok(shader.fix_constants(prepared, settings)?),
            _ => Ok(settings),
        }
    }

    /// Returns true if the input is a whole file, not a module inside of one.
    pub fn is_whole_file(&self) -> bool {
        self.part.is_none()
    }

    fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Returns the module in its bytes, which [`Input::read`] gave.
    ///
    /// # Errors
    /// If they are none, or the file does not have the part.
    pub fn module<'b>(&self, bytes: &'b Bytes) -> Result<Module<'b>, Error> {
        let module = match self.part {
            Some(InputPart::Inside(_, part)) => find_module(bytes.as_slice(), part)?.load_or_error()?,
            Some(InputPart::Shader(_)) | None => bytes.module()?,
        };
        Ok(module.with_name(self.to_string()))
    }

    /// Returns the translation units in the bytes, which [`Input::read`] returned for a program: a module with the
    /// properties beside it, or the SPIR-V images of an executable or library that DPC++ linked. Each image has the
    /// property sets that this file has for it.
    ///
    /// # Errors
    /// If there are none, or property sets are malformed.
    pub fn units<'b>(&self, bytes: &'b Bytes) -> anyhow::Result<Vec<Module<'b>>> {
        let error = match self.module(bytes) {
            Ok(module) => return Ok(vec![self.with_properties(module, None)?]),
            Err(error) => error,
        };
        let images: Vec<Candidate> = match self.is_whole_file() {
            true => find_modules(bytes.as_slice()).filter(Candidate::is_linked_image).collect(),
            false => Vec::new(),
        };
        if images.is_empty() {
            return Err(error.into());
        }
        let unit = |image: &Candidate<'b>| {
            let offset = image.offset();
            let module = image.load_or_error().with_context(|| format!("image at {offset:#x}"))?;
            Ok(module.with_name(format!("{self}:{offset:#x}")))
        };
        images.iter().map(unit).collect()
    }

    /// Returns the modules in its bytes: one, or all those in a file of any kind.
    ///
    /// # Errors
    /// If the file does not have the part.
    pub fn candidates<'b>(&self, bytes: &'b Bytes) -> Result<Vec<Candidate<'b>>, Error> {
        match self.part {
            Some(InputPart::Inside(_, part)) => Ok(vec![find_module(bytes.as_slice(), part)?]),
            Some(InputPart::Shader(_)) | None => Ok(find_modules(bytes.as_slice()).collect()),
        }
    }

    /// Returns the name of a result in a folder: the input's name, with a word before the extension that distinguishes several results.
    pub fn file_name(&self, word: Option<&str>) -> PathBuf {
        let path = if self.is_stdin() { Path::new("stdin.spv") } else { self.path };
        let mut name = PathBuf::from(path.file_name().unwrap_or(path.as_os_str()));
        let plain = |text: &str| -> String {
            let is_plain = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
            text.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
        };
        match self.part {
            Some(InputPart::Inside(part, _)) => {
                name.as_mut_os_string().push(format!(".{}.spv", plain(part)));
            }
            Some(InputPart::Shader(shader)) => {
                name = PathBuf::from(format!("{}.spv", plain(&shader.label())))
            }
            None => {}
        }
        let Some(word) = word else { return name };
        let mut extension = OsString::from(word);
        if let Some(old) = name.extension() {
            extension.push(".");
            extension.push(old);
        }
        name.with_extension(extension)
    }

    /// Returns the file beside it with its name and another extension, if there is one.
    pub fn beside(&self, extension: &str) -> Option<PathBuf> {
        let path = self.path.with_extension(extension);
        Some(path).filter(|path| self.is_whole_file() && !self.is_stdin() && path.is_file())
    }

    /// Adds the properties in a file to its module, or those in the file beside it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn with_properties<'m>(
        &self,
        module: Module<'m>,
        properties: Option<&Path>,
    ) -> anyhow::Result<Module<'m>> {
        match properties.map(Path::to_owned).or_else(|| self.beside("prop")) {
            Some(path) => Ok(module.with_properties(read_properties(&path)?)?),
            None => Ok(module),
        }
    }

    /// Reads it, into memory once.
    ///
    /// # Errors
    /// If it is too large, or the system cannot read it.
    pub fn read(&self, expected: InputKind) -> anyhow::Result<Bytes> {
        if self.is_stdin() {
            return Ok(Bytes::read(io::stdin().lock(), 0, expected)?);
        }
        depfile::record(self.path);
        if let Some(InputPart::Shader(shader)) = self.part {
            return Ok(Bytes::from_words(shader.words()?));
        }
        let expected = if self.is_whole_file() { expected } else { InputKind::Anything };
        Ok(Bytes::read_file(&File::open(self.path)?, expected)?)
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_stdin() {
            return f.write_str("standard input");
        }
        self.path.display().fmt(f)?;
        match self.part {
            Some(InputPart::Inside(part, _)) => write!(f, ":{part}"),
            Some(InputPart::Shader(shader)) => write!(f, "#{}", shader.label()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_results() {
        let name = |path: &str, word| Input::at(Path::new(path)).file_name(word).display().to_string();
        assert_eq!(name("a/b.x.spv", None), "b.x.spv");
        assert_eq!(name("a/b.x.spv", Some("dev")), "b.x.dev.spv");
        assert_eq!(name("a/b", Some("dev")), "b.dev");
        assert_eq!(name("-", Some("dev")), "stdin.dev.spv");
        let part = InputPart::Inside("spirv64-*".to_owned(), "spirv64-*".parse().unwrap());
        let input = Input { path: Path::new("a/lib.so"), part: Some(&part) };
        assert_eq!(input.file_name(None).display().to_string(), "lib.so.spirv64-_.spv");
        assert_eq!(input.file_name(Some("dev")).display().to_string(), "lib.so.spirv64-_.dev.spv");
    }
}
