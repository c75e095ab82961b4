//! `spirv-if unbundle`.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use spirv_if::specialize::{SpecConstant, SpecValue};
use spirv_if::{Device, Settings};
use spirv_if_bundle::{Bundle, BundleError, Question, Shader};

use super::device::DeviceArgs;
use super::io::{self, Data, DepfileArg, Destination, ForceArg, ValidateArg};
use super::log::Log;
use super::settings;
use super::{ExitFailure, counted, usage};

/// List or extract the shaders of a bundle
///
/// Without -o, the shaders are listed: their names, their sizes in bytes, the
/// conditions of their variants, and the constants that are fixed.
///
/// With -o, each shader is written as NAME.spv, and each of several variants as
/// NAME.VARIANT.spv. If there are conditions or constants, a manifest of which
/// `spirv-if bundle` makes the same shaders is written as manifest.yaml. With
/// --device, each shader is written as the plain module for that device: its
/// variant, specialized, with the constants that the bundle fixes. Of a ready shader
/// that is the module that the answers to its questions lead to: --set answers those
/// about constants and about decisions of the host.
///
/// Examples:
///
///   The shaders of a bundle:
///     spirv-if unbundle app.spvb
///
///   All modules as files, and one:
///     spirv-if unbundle app.spvb -o shaders/
///     spirv-if unbundle app.spvb blur -o shaders/
///
///   What a device gets:
///     spirv-if unbundle app.spvb -o bmg/ --device intel_gpu_bmg_g21
///     spirv-if unbundle app.spvb blur -o bmg/ --device intel_gpu_bmg_g21 --set tile:8
///
/// Exit status: 0 done, 1 error, 2 wrong usage, 3 a shader does not run on the
/// device. Unless it is 0, nothing is written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct UnbundleArgs {
    /// The bundle
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The names of shaders; all by default
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The folder to write to
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    validate: ValidateArg,
    #[command(flatten)]
    depfile: DepfileArg,
    #[command(flatten)]
    device: DeviceArgs,
    /// Set a specialization constant of the modules for a device, by its SpecId or its name, or the decision NAME of the host in conditions on `host(NAME)`; may be given several times
    #[arg(long, value_name = "CONSTANT:VALUE", allow_hyphen_values = true, value_parser = settings::value)]
    set: Vec<(SpecConstant, String)>,
}

impl UnbundleArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        io::record(&self.bundle);
        let file = self.bundle.display().to_string();
        let bundle = Bundle::open(&self.bundle).with_context(|| file.clone())?;
        let shaders: Vec<Shader> = match self.names.is_empty() {
            true => bundle.shaders().collect(),
            false => self
                .names
                .iter()
                .map(|name| bundle.shader(name))
                .collect::<Result<_, _>>()
                .with_context(|| file)?,
        };
        let devices = self.device.devices()?;
        let Some(folder) = &self.output else {
            return match devices.is_empty() {
                true => io::print(list(&shaders).as_bytes()),
                false => Err(usage("--device is for the modules that are written: name a folder with -o")),
            };
        };
        if Destination::at(folder) == Destination::Stdout || folder.is_file() {
            return Err(usage(format!("{} is not a folder: name one for the shaders", folder.display())));
        }
        let results = match &devices[..] {
            [] if !self.set.is_empty() => {
                return Err(usage("--set is for the modules that a device gets: name one with --device"));
            }
            [] => match shaders.iter().find(|shader| shader.is_ready()) {
                Some(ready) => return Err(BundleError::Ready(ready.name().to_owned()).into()),
                None => plain(&bundle, &shaders)?,
            },
            [device] => for_device(&bundle, &shaders, device, &self.settings(&shaders)?)?,
            _ => return Err(usage("--device names several devices: name one")),
        };
        let count = counted(results.len(), "module");
        let mut staged = Vec::with_capacity(results.len() + 1);
        for (name, words) in results {
            let path = path_of(&name)?;
            let parent = folder.join(path.parent().unwrap_or(Path::new("")));
            fs::create_dir_all(&parent).with_context(|| parent.display().to_string())?;
            let destination = Destination::File(folder.join(path));
            self.validate.check(&destination, &words)?;
            staged.push(destination.stage(Data::Words(words))?);
        }
        if devices.is_empty() && shaders.iter().any(has_choices) {
            staged
                .push(Destination::File(folder.join("manifest.yaml")).stage(Data::Text(manifest(&shaders)))?);
        }
        log.note(format!("{count} of {}", counted(shaders.len(), "shader")));
        self.force.check(&staged)?;
        io::commit(staged, &self.depfile)
    }
}

impl UnbundleArgs {
    /// Returns the settings of `--set`. A shader without one of the constants is left without its value, if another
    /// shader may have the constant.
    ///
    /// # Errors
    /// If no shader has a constant.
    fn settings(&self, shaders: &[Shader]) -> anyhow::Result<Settings> {
        let mut settings = Settings::new().ignore_unknown(shaders.len() > 1);
        for (constant, text) in &self.set {
            if shaders.iter().all(Shader::is_ready)
                && !shaders.iter().any(|shader| asks_for(shader, constant))
            {
                let questions = shaders.iter().flat_map(questions_to_host);
                let questions: BTreeSet<&str> = questions.map(|question| question.text).collect();
                let questions = match questions.is_empty() {
                    true => "they ask for none".to_owned(),
                    false => format!("they ask {}", Vec::from_iter(questions).join(", ")),
                };
                return Err(usage(format!(
                    "--set: no shader asks for a constant or decision with {constant}: {questions}"
                )));
            }
            settings = settings.set(constant.clone(), text.parse::<SpecValue>()?);
        }
        Ok(settings)
    }
}

/// Returns the questions of a ready shader that the host answers.
fn questions_to_host<'s>(shader: &'s Shader) -> impl Iterator<Item = Question<'s>> {
    let questions = shader.ready().into_iter().flat_map(|ready| ready.questions());
    questions.filter(|question| question.host_value().is_some())
}

/// Returns true if a ready shader asks the host for the value of a constant, or for a decision.
fn asks_for(shader: &Shader, constant: &SpecConstant) -> bool {
    questions_to_host(shader)
        .filter_map(|question| question.host_value())
        .any(|(name, _)| name.parse().is_ok_and(|name: SpecConstant| name == *constant))
}

/// A module with the name of its file, without `.spv`.
type NamedModule = (String, Vec<u32>);

/// Returns the name of the file of a variant.
fn file_name(shader: &Shader, variant: usize) -> String {
    match shader.variants().len() {
        1 => shader.name().to_owned(),
        _ => format!("{}.{variant}", shader.name()),
    }
}

/// Returns true if a manifest has more than the names of files.
fn has_choices(shader: &Shader) -> bool {
    let mut variants = shader.variants();
    variants.len() > 1 || variants.any(|only| only.condition().is_some() || only.constants().len() > 0)
}

/// Returns the modules of a bundle, unchanged.
fn plain(bundle: &Bundle, shaders: &[Shader]) -> anyhow::Result<Vec<NamedModule>> {
    let mut names: HashMap<usize, Vec<String>> = HashMap::new();
    for shader in shaders {
        for (number, variant) in shader.variants().enumerate() {
            names.entry(variant.module()).or_default().push(file_name(shader, number));
        }
    }
    let mut modules = Vec::new();
    if shaders.len() == 1 {
        for (number, variant) in shaders[0].variants().enumerate() {
            modules.push((file_name(&shaders[0], number), variant.words()?));
        }
        return Ok(modules);
    }
    bundle.for_each_module(|module, words| {
        let names = names.remove(&module).unwrap_or_default();
        modules.extend(names.into_iter().map(|name| (name, words.to_vec())));
        Ok::<_, BundleError>(())
    })?;
    Ok(modules)
}

/// Returns the modules that a device gets.
fn for_device(
    bundle: &Bundle,
    shaders: &[Shader],
    device: &Device,
    settings: &Settings,
) -> anyhow::Result<Vec<NamedModule>> {
    let module = |shader: &Shader| {
        let name = shader.name();
        let result = bundle.get_for(name, device, settings).map_err(|error| match &error {
            BundleError::Engine(spirv_if::Error::Refused(_)) => {
                ExitFailure::Incompatible(format!("{name}: {error}")).into()
            }
            // These name the shader.
            BundleError::DoesNotRun { .. } | BundleError::NoResult(_) => {
                ExitFailure::Incompatible(error.to_string()).into()
            }
            BundleError::NotKnown { .. } => anyhow!("{error}"),
            _ => io::not_chosen(name, device, &error),
        })?;
        Ok((name.to_owned(), result.words))
    };
    shaders.iter().map(module).collect()
}

/// Returns the path of a module below the folder of the results.
fn path_of(name: &str) -> anyhow::Result<PathBuf> {
    let path = PathBuf::from(format!("{name}.spv"));
    match path.components().all(|part| matches!(part, Component::Normal(_))) {
        true => Ok(path),
        false => Err(anyhow!("`{name}` is not the name of a file below the folder of the results")),
    }
}

/// Returns the list of shaders.
fn list(shaders: &[Shader]) -> String {
    let mut text = String::new();
    for shader in shaders {
        if let Some(ready) = shader.ready() {
            let _ = write!(text, "{:>9}  {}", ready.size(), shader.name());
            if !ready.is_for_all() {
                let _ = write!(text, "  {}", counted(ready.len(), "module"));
            }
            let questions: Vec<&str> = ready.questions().map(|question| question.text).collect();
            if !questions.is_empty() {
                let _ = write!(text, " by {}", questions.join(", "));
            }
            text.push('\n');
        }
        let several = shader.variants().len() > 1;
        for (number, variant) in shader.variants().enumerate() {
            let _ = write!(text, "{:>9}  {}", variant.size(), shader.name());
            if several {
                let _ = write!(text, ":{number}");
            }
            match variant.condition() {
                Some(condition) => drop(write!(text, "  where {condition}")),
                None if several => text.push_str("  else"),
                None => {}
            }
            for (constant, value) in variant.constants() {
                let _ = write!(text, "  {constant}:{value}");
            }
            text.push('\n');
        }
    }
    text
}

/// Returns the manifest from which `bundle` makes the same shaders.
fn manifest(shaders: &[Shader]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let (mut text, mut constants) = ("shaders:\n".to_owned(), String::new());
    for shader in shaders {
        let _ = writeln!(text, "  {}:", quoted(shader.name()));
        for (number, variant) in shader.variants().enumerate() {
            let module = quoted(&format!("{}.spv", file_name(shader, number)));
            let _ = writeln!(text, "    {module}: {}", quoted(variant.condition().unwrap_or("else")));
        }
        let Some(variant) = shader.variants().next().filter(|variant| variant.constants().len() > 0) else {
            continue;
        };
        let _ = writeln!(constants, "  {}:", quoted(shader.name()));
        for (constant, value) in variant.constants() {
            let _ = writeln!(constants, "    {}: {}", quoted(constant), quoted(value));
        }
    }
    if !constants.is_empty() {
        text.push_str("constants:\n");
        text.push_str(&constants);
    }
    text
}
