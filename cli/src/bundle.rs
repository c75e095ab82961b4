//! `spirv-if bundle`.

use std::ffi::OsString;
use std::mem;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{ArgGroup, Args};
use spirv_if::Settings;
use spirv_if::merge::ManifestShader;
use spirv_if::module::explain_no_module;
use spirv_if::specialize::FeaturesToLower;
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, Shader, ShaderVariant, Variant};

use super::counted;
use super::io::{self, Data, Destination, Input, InputArg, InputKind, Output, ValidateArg, WriteArgs};
use super::log::Log;
use super::questions;

/// Make one compressed file of all shaders of an application
///
/// A bundle has shaders by name. A shader has one module, or several variants with
/// conditions, of which each device gets the first whose condition holds, and
/// values of specialization constants to fix. Equal modules are stored once.
///
/// A module is named for its file, without `.spv`; a module in a folder, with its
/// path there; a module inside of another file by its index, as FILE:INDEX. A
/// manifest gives other names, conditions and constants (docs/bundles.md).
///
/// Commands that read modules read the shaders of a bundle: `app.spvb` means all
/// of them, and `app.spvb#NAME` one. `spirv-if unbundle` lists and extracts them.
/// Applications read bundles with the library, or in C by spvb.h.
///
/// Examples:
///
///   All shaders of a folder:
///     spirv-if bundle shaders/ -o app.spvb
///     spirv-if inspect app.spvb#blur
///
///   As small as possible, for a program that reads all shaders at its start:
///     spirv-if bundle shaders/ -o app.spvb --solid
///
///   Variants with conditions, as a manifest names them:
///     spirv-if bundle --manifest shaders.yaml -o app.spvb
///
///   With a module for every device, so that an application needs no library:
///     spirv-if bundle packed/ -o app.spvb --ready --uncompressed
///
///   The same, also for devices without 64-bit integers:
///     spirv-if bundle shaders/ -o app.spvb --ready --lower=Int64
///
///   As source code, to be compiled into a program:
///     spirv-if bundle shaders/ -o app.h --embed c
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, group = ArgGroup::new("names_ready").args(["ready", "manifest"]).multiple(true))]
pub struct BundleArgs {
    /// SPIR-V modules, folders with `.spv` files, files with modules inside, and bundles
    #[arg(value_name = "FILE", required_unless_present = "manifest")]
    files: Vec<OsString>,
    /// A file that names shaders with their variants, conditions and constants, relative to itself
    #[arg(long, value_name = "FILE.yaml")]
    manifest: Option<PathBuf>,
    /// Compress all modules together. The file is smaller, and reading one module decompresses all before it
    #[arg(long)]
    solid: bool,
    /// Store modules as they are, not compressed. Reading one is then a copy
    #[arg(long, conflicts_with = "solid")]
    uncompressed: bool,
    /// Decide conditions, variants and constants now: each shader has its module for every device, found by the answers to questions. A manifest may name shaders for which that is done
    #[arg(long)]
    ready: bool,
    /// Store a shader with more modules for devices than this as without --ready
    #[arg(long, value_name = "N", default_value_t = 256, requires = "names_ready")]
    max_results: usize,
    /// Remove declarations that nothing requires from the modules for devices
    #[arg(long, requires = "names_ready")]
    trim: bool,
    /// Remove names and debug information from the modules for devices
    #[arg(long, requires = "names_ready")]
    strip: bool,
    /// Give devices without these features lowered twins among the modules for devices, as `spirv-if pack` does. Without names: for all features that can
    /// be lowered
    #[arg(
        long,
        value_name = "FEATURE,...",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "missing",
        requires = "names_ready"
    )]
    lower: Option<FeaturesToLower>,
    /// Also write a header for C with the numbers of the questions, for an application that answers them by itself
    #[arg(long, value_name = "FILE.h", requires = "names_ready")]
    questions: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    embed: WriteArgs,
}

impl BundleArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let place = self.output.place(1)?;
        self.embed.check(&place)?;
        let mut bundler = Bundler {
            builder: BundleBuilder::new(),
            settings: Settings::new().trim(self.trim).strip(self.strip).lower(self.lower.clone()),
            all_ready: self.ready,
            max_results: self.max_results,
            has_ready: self.ready,
            notes: Vec::new(),
        };
        bundler.builder.solid(self.solid).uncompressed(self.uncompressed);
        let (mut size, validate) = (0, self.embed.validate());
        for file in &self.files {
            let path = Path::new(file);
            if path.extension().is_some_and(|extension| extension == io::BUNDLE_EXTENSION) {
                size +=
                    add_bundle(path, &mut bundler, validate).with_context(|| path.display().to_string())?;
                continue;
            }
            for (name, words) in modules(file)? {
                size += size_of_val(&words[..]);
                validate.check(&name, &words)?;
                bundler.add(name, vec![ShaderVariant::new(words)], false)?;
            }
        }
        if let Some(path) = &self.manifest {
            size += add_manifest(path, &mut bundler, validate)?;
        }
        let Bundler { builder, notes, has_ready, .. } = bundler;
        if !has_ready && (self.trim || self.strip || self.lower.is_some() || self.questions.is_some()) {
            return Err(anyhow!(
                "no shader is ready, and --trim, --strip, --lower and --questions are for ready shaders: add --ready, or `ready: [NAME]` to the manifest"
            ));
        }
        notes.into_iter().for_each(|note| log.note(note));
        let bytes = builder.to_bytes()?;
        let (shaders, file) = (counted(builder.len(), "shader"), bytes.len());
        log.note(format!("{shaders} of {size} bytes in {file} bytes"));
        let words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word)).collect();
        let destination = self.embed.destination(&place, "bundle.spvb");
        let mut staged = self.embed.stage(destination, Data::Bundle(words))?;
        if has_ready {
            let bundle = Bundle::from_bytes(&bytes)?;
            validate_results(&bundle, validate)?;
            if let Some(path) = &self.questions {
                let file = path.file_name().unwrap_or_default().to_string_lossy();
                let header = questions::header(&file, &bundle);
                staged.push(Destination::File(path.clone()).stage(Data::Text(header))?);
            }
        }
        self.output.commit(staged)
    }
}

/// Validates the modules for devices, if that was requested.
fn validate_results(bundle: &Bundle, validate: ValidateArg) -> anyhow::Result<()> {
    for shader in bundle.shaders() {
        let Some(ready) = shader.ready() else { continue };
        for number in 0..ready.len() {
            let result = ready.result(number)?;
            validate.check(format!("{} ({number})", shader.name()), &result.words()?)?;
        }
    }
    Ok(())
}

/// Adds shaders to a bundle.
struct Bundler {
    builder: BundleBuilder<'static>,
    /// The changes to modules for devices.
    settings: Settings,
    /// True if all shaders are to be ready.
    all_ready: bool,
    /// The maximum number of modules of a ready shader.
    max_results: usize,
    /// True if a shader is to be ready.
    has_ready: bool,
    notes: Vec<String>,
}

impl Bundler {
    fn add(
        &mut self,
        name: String,
        variants: Vec<ShaderVariant<'static>>,
        is_ready: bool,
    ) -> anyhow::Result<()> {
        if !is_ready && !self.all_ready {
            self.builder.add(name, variants)?;
            return Ok(());
        }
        self.has_ready = true;
        let note = self.builder.add_ready(&name, variants, &self.settings, self.max_results);
        self.notes.extend(note.with_context(|| name)?.map(|note| note.to_string()));
        Ok(())
    }
}

/// Returns the modules of an argument with their names.
fn modules(text: &OsString) -> anyhow::Result<Vec<(String, Vec<u32>)>> {
    let argument = InputArg::new(text.clone()).map_err(|error| anyhow!("{}: {error}", text.display()))?;
    let mut modules = Vec::new();
    for input in io::list([&argument])? {
        add_modules(&input, Path::new(text), &mut modules).with_context(|| input.to_string())?;
    }
    Ok(modules)
}

/// Adds the modules of an input.
fn add_modules(input: &Input, argument: &Path, modules: &mut Vec<(String, Vec<u32>)>) -> anyhow::Result<()> {
    let bytes = input.read(InputKind::Anything)?;
    let before = modules.len();
    for candidate in input.candidates(&bytes)? {
        let module = match candidate.load() {
            Some(module) => module,
            None if candidate.is_linked_image() => {
                let offset = candidate.offset();
                candidate.load_or_error().with_context(|| format!("image at {offset:#x}"))?
            }
            None => continue,
        };
        let (index, name) = (modules.len() - before, name(input, argument));
        let is_whole = size_of_val(module.words()) == bytes.as_slice().len() || !input.is_whole_file();
        let name = if is_whole { name } else { format!("{name}:{index}") };
        modules.push((name, module.words().to_vec()));
    }
    match modules.len() > before {
        true => Ok(()),
        false => Err(explain_no_module(bytes.as_slice()).into()),
    }
}

/// Returns the name of the shader of an input: its path in a folder, or the name of its file, without `.spv`.
fn name(input: &Input, argument: &Path) -> String {
    if let Some(shader) = input.shader() {
        return shader;
    }
    let path = match input.path().strip_prefix(argument) {
        Ok(inside) if !inside.as_os_str().is_empty() => inside.to_owned(),
        _ => input.file_name(None),
    };
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let name = parts.join("/");
    name.strip_suffix(".spv").unwrap_or(&name).to_owned()
}

/// Adds the shaders of another bundle, and returns the bytes of their modules.
fn add_bundle(path: &Path, bundler: &mut Bundler, validate: ValidateArg) -> anyhow::Result<usize> {
    io::record(path);
    let bundle = Bundle::open(path)?;
    if let Some(ready) = bundle.shaders().find(Shader::is_ready) {
        return Err(BundleError::Ready(ready.name().to_owned()).into());
    }
    let mut modules = Vec::with_capacity(bundle.module_count());
    bundle.for_each_module(|_, words| {
        modules.push(words.to_vec());
        Ok::<_, BundleError>(())
    })?;
    let mut size = 0;
    let mut is_checked = vec![false; modules.len()];
    for shader in bundle.shaders() {
        for module in shader.variants().map(|variant| variant.module()) {
            if !mem::replace(&mut is_checked[module], true) {
                validate.check(shader.name(), &modules[module])?;
            }
        }
        let variant = |variant: Variant| {
            let added = ShaderVariant::new(modules[variant.module()].clone())
                .condition(variant.condition().unwrap_or_default());
            variant.constants().fold(added, |added, (name, value)| added.constant(name, value))
        };
        size += shader.variants().map(|variant| variant.size()).sum::<usize>();
        bundler.add(shader.name().to_owned(), shader.variants().map(variant).collect(), false)?;
    }
    Ok(size)
}

/// Adds the shaders of a manifest, and returns the bytes of their modules.
fn add_manifest(path: &Path, bundler: &mut Bundler, validate: ValidateArg) -> anyhow::Result<usize> {
    let file = path.display().to_string();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut size = 0;
    for shader in ManifestShader::from_yaml(&file, &io::read_text(path)?)? {
        let place = format!("{file}:{}", shader.line);
        let conditions = match (shader.conditions, shader.modules.len()) {
            (Some(conditions), _) => conditions,
            (None, 1) => vec![None],
            (None, _) => {
                return Err(anyhow!(
                    "{place}: `{}` has several modules without conditions: write them, as in a.spv: fp16",
                    shader.name
                ));
            }
        };
        let mut variants = Vec::with_capacity(conditions.len());
        for (module, condition) in shader.modules.iter().zip(conditions) {
            let words = module_words(folder.join(module)).with_context(|| place.clone())?;
            size += size_of_val(&words[..]);
            validate.check(module, &words).with_context(|| place.clone())?;
            let mut variant = ShaderVariant::new(words);
            if let Some(condition) = condition {
                variant = variant.condition(condition.to_string());
            }
            let constants = shader.constants.iter();
            let variant = constants.fold(variant, |variant, (name, value)| variant.constant(name, value));
            let choices = shader.choices.iter();
            variants
                .push(choices.fold(variant, |variant, (name, values)| variant.constant_values(name, values)));
        }
        bundler.add(shader.name, variants, shader.is_ready).with_context(|| place)?;
    }
    Ok(size)
}

/// Returns the words of the one module of a path.
fn module_words(path: PathBuf) -> anyhow::Result<Vec<u32>> {
    let argument = InputArg::one(path.into_os_string()).map_err(anyhow::Error::msg)?;
    let inputs = io::list([&argument])?;
    let input = inputs.first().ok_or_else(|| anyhow!("{} is not a module", argument.name()))?;
    let read = || anyhow::Ok(input.module(&input.read(InputKind::Module)?)?.words().to_vec());
    read().with_context(|| input.to_string())
}
