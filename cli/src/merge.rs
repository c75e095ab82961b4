//! `spirv-if merge`.

use std::fmt::Write;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use spirv_if::Condition;
use spirv_if::merge::{ManifestShader, MergeOptions, Merged, MergedVariant, Variant, merge};

use super::device::ConfigArg;
use super::io::{self, InputArg, InputKind, Output, OutputPlace, Staged};
use super::log::Log;
use super::pack::{MultiTargetArgs, constant, list};
use super::usage;

/// Make one module of builds of one shader for different devices
///
/// Each build, a variant, has a condition. Each device gets the first variant
/// whose condition holds; `else` means all remaining devices. Equal code of
/// several variants is in the result once, and the differences are conditional
/// (SPV_INTEL_function_variants). `spirv-if specialize` restores the variant for a
/// device.
///
/// Without `else`, a device for which no condition holds is refused.
///
/// Conditions can be omitted. With --infer, they follow from the requirements of
/// the variants. With --fnvar-targets and --fnvar-architectures, they come from the
/// tables of spirv-link, and the first module is for all other devices.
///
/// The properties, written to OUT.prop for OUT.spv, give the condition of each
/// specialization constant and the requirements of the module. The result also
/// carries them itself, so that `spirv-if` does not need the file.
///
/// Examples:
///
///   One module of three builds:
///     spirv-if merge a.f16.spv='fp16' \
///         a.sg.spv='cap(GroupNonUniformArithmetic)' a.spv=else -o a.packed.spv
///
///   The build for a device, from all of them:
///     spirv-if specialize a.packed.spv --device intel_gpu_bmg_g21 -o a.bmg.spv
///
///   Many shaders at once, of a manifest (docs/merge.md describes it):
///     spirv-if merge --manifest shaders.yaml -o packed/
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct MergeArgs {
    /// A variant and its condition, or `else`; the first condition that holds counts. With --infer or tables, a module alone
    #[arg(value_name = "MODULE=CONDITION", required_unless_present = "manifest", value_parser = variant)]
    variants: Vec<(InputArg, Option<WrittenCondition>)>,
    /// A file that names the variants of many shaders, relative to itself; the results are named in it, too
    #[arg(long, value_name = "FILE.yaml", conflicts_with_all = ["variants", "infer", "fnvar"])]
    manifest: Option<PathBuf>,
    /// Use the capabilities that a variant requires as its condition. Variants with more requirements come first
    #[arg(long, conflicts_with = "fnvar")]
    infer: bool,
    #[command(flatten)]
    tables: LinkTableArgs,
    #[command(flatten)]
    library: LibraryArg,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    result: MultiTargetArgs,
    #[command(flatten)]
    config: ConfigArg,
}

/// The option for libraries of shaders.
#[derive(Args, Clone, Copy, Debug)]
pub struct LibraryArg {
    /// Keep the exports of shaders and the capability Linkage, as spirv-link does. By default, shaders with entry points and without imports
    /// lose both, since Vulkan accepts no module with Linkage
    #[arg(long)]
    pub create_library: bool,
}

/// The tables of spirv-link.
#[derive(Args, Debug)]
#[group(id = "fnvar", multiple = true)]
struct LinkTableArgs {
    /// A table of spirv-link with the targets of modules (columns module,target,features)
    #[arg(long, value_name = "FILE.csv", conflicts_with = "dialect")]
    fnvar_targets: Option<PathBuf>,
    /// A table of spirv-link with the architectures of modules (columns module,category,family,op,architecture)
    #[arg(long, value_name = "FILE.csv", conflicts_with = "dialect")]
    fnvar_architectures: Option<PathBuf>,
    /// As spirv-link: a module is only for devices that have the capabilities that it declares
    #[arg(long, conflicts_with = "dialect")]
    fnvar_capabilities: bool,
}

impl LinkTableArgs {
    /// Adds the tables to options.
    fn add_to(&self, mut options: MergeOptions) -> anyhow::Result<MergeOptions> {
        if let Some(path) = &self.fnvar_targets {
            options = options.targets(path.display().to_string(), io::read_text(path)?);
        }
        if let Some(path) = &self.fnvar_architectures {
            options = options.architectures(path.display().to_string(), io::read_text(path)?);
        }
        Ok(options.declared_capabilities(self.fnvar_capabilities))
    }

    fn is_given(&self) -> bool {
        self.fnvar_targets.is_some() || self.fnvar_architectures.is_some() || self.fnvar_capabilities
    }
}

/// The condition of a variant on the command line.
#[derive(Clone, Debug)]
enum WrittenCondition {
    Else,
    Where(Condition),
}

/// Returns a variant on the command line.
fn variant(text: &str) -> Result<(InputArg, Option<WrittenCondition>), String> {
    let Some((path, condition)) = text.rsplit_once('=').filter(|(path, _)| !path.is_empty()) else {
        return Ok((InputArg::one(text.into())?, None));
    };
    let condition = match condition.trim() {
        "else" => WrittenCondition::Else,
        condition => WrittenCondition::Where(Condition::parse(condition).map_err(|error| error.to_string())?),
    };
    Ok((InputArg::one(path.into())?, Some(condition)))
}

/// A module to make.
struct MergeJob {
    /// The prefix of messages: nothing, or the line of the manifest.
    place: String,
    /// The name of the result in a folder.
    name: PathBuf,
    modules: Vec<InputArg>,
    /// The conditions of the modules; nothing at all if they follow from something else.
    conditions: Option<Vec<Option<Condition>>>,
}

impl MergeArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let jobs = match &self.manifest {
            Some(path) => read_manifest(path)?,
            None => vec![self.job()?],
        };
        let (dialect, property_names) = self.result.options();
        let options = MergeOptions::new()
            .dialect(dialect)
            .property_names(property_names)
            .devices(self.config.read()?)
            .create_library(self.library.create_library);
        let options = self.tables.add_to(options)?;
        let inferring = options.clone().infer(!self.tables.is_given());
        let options = |job: &MergeJob| if job.conditions.is_some() { &options } else { &inferring };
        let place = self.output.place(jobs.len())?;
        self.result.check(jobs.len(), &place)?;
        let staged = match &jobs[..] {
            [job] if self.manifest.is_none() => self.merge(job, options(job), &place, log)?,
            _ => {
                let names: Vec<String> =
                    jobs.iter().map(|job| format!("{}{}", job.place, job.name.display())).collect();
                let work =
                    |_: &String, job: &MergeJob, log: &mut Log| self.merge(job, options(job), &place, log);
                io::each(&names, &jobs, log, work)?.into_iter().flatten().collect()
            }
        };
        self.output.commit(staged)
    }

    /// Returns the one module of the command line.
    fn job(&self) -> anyhow::Result<MergeJob> {
        let modules: Vec<InputArg> = self.variants.iter().map(|(module, _)| module.clone()).collect();
        let conditions = match self.infer || self.tables.is_given() {
            false => Some(self.conditions()?),
            true => match self.variants.iter().find(|(_, written)| written.is_some()) {
                Some((module, _)) => {
                    return Err(usage(format!(
                        "{} has a condition, but --infer or a table already supplies them: name modules alone",
                        module.name()
                    )));
                }
                None => None,
            },
        };
        let inputs = io::list(&modules)?;
        let name = inputs.first().map(|input| input.file_name(None)).unwrap_or_default();
        Ok(MergeJob { place: String::new(), name, modules, conditions })
    }

    fn conditions(&self) -> anyhow::Result<Vec<Option<Condition>>> {
        let count = self.variants.len();
        let condition = |(at, (module, written)): (usize, &(InputArg, Option<WrittenCondition>))| {
            match written {
                None => Err(usage(format!(
                    "{0} has no condition: write {0}=fp16 or {0}=else, or have conditions inferred with --infer",
                    module.name()
                ))),
                Some(WrittenCondition::Else) if at + 1 < count => {
                    Err(usage("`else` is for all remaining devices: it must be the last"))
                }
                Some(WrittenCondition::Else) => Ok(None),
                Some(WrittenCondition::Where(condition)) => Ok(Some(condition.clone())),
            }
        };
        self.variants.iter().enumerate().map(condition).collect()
    }

    /// Makes one module.
    fn merge(
        &self,
        job: &MergeJob,
        options: &MergeOptions,
        place: &OutputPlace,
        log: &mut Log,
    ) -> anyhow::Result<Vec<Staged>> {
        let inputs = io::list(&job.modules)?;
        let names: Vec<String> = inputs.iter().map(|input| format!("{}{input}", job.place)).collect();
        let bytes = io::each(&names, &inputs, log, |_, input, _| input.read(InputKind::Module))?;
        let modules =
            io::each(
                &names,
                inputs.iter().zip(&bytes),
                log,
                |_, (input, bytes), _| Ok(input.module(bytes)?),
            )?;
        let variants: Vec<Variant> = modules
            .iter()
            .enumerate()
            .map(|(at, module)| {
                let condition = job.conditions.as_ref().and_then(|all| all[at].as_ref());
                Variant::new(module, condition)
            })
            .collect();
        let merged = merge(&variants, options)?;
        log_summary(&merged, log);
        if let OutputPlace::Folder(folder) = place
            && let Some(parent) = job.name.parent().filter(|parent| !parent.as_os_str().is_empty())
        {
            let parent = folder.join(parent);
            fs::create_dir_all(&parent).with_context(|| parent.display().to_string())?;
        }
        self.result.stage(place, job.name.clone(), merged.words, &merged.properties)
    }
}

/// Returns the modules of a manifest.
fn read_manifest(path: &Path) -> anyhow::Result<Vec<MergeJob>> {
    let file = path.display().to_string();
    let shaders = ManifestShader::from_yaml(&file, &io::read_text(path)?)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let job = |shader: ManifestShader| {
        let place = format!("{file}:{}: ", shader.line);
        if shader.is_ready {
            return Err(anyhow!("{place}`{}` is to be ready, which is for `spirv-if bundle`", shader.name));
        }
        if !shader.constants.is_empty() || !shader.choices.is_empty() {
            return Err(anyhow!("{place}`{}` has constants, which are for `spirv-if bundle`", shader.name));
        }
        let name = PathBuf::from(&shader.name);
        if name.as_os_str().is_empty() || !name.components().all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(anyhow!(
                "{place}`{}` is not the name of a file below the folder of the results",
                shader.name
            ));
        }
        let module = |module: &String| {
            InputArg::one(folder.join(module).into_os_string()).map_err(|error| anyhow!("{place}{error}"))
        };
        let modules = shader.modules.iter().map(module).collect::<anyhow::Result<_>>()?;
        Ok(MergeJob { place, name, modules, conditions: shader.conditions })
    };
    shaders.into_iter().map(job).collect()
}

/// Reports the result of merging.
fn log_summary(merged: &Merged, log: &mut Log) {
    for warning in &merged.warnings {
        log.warning(warning);
    }
    let verbose = log.is_verbose();
    let mut text = format!("{} bytes are of several variants, and of one alone", merged.shared);
    let line = |variant: &MergedVariant| {
        format!("{} bytes of {}, for devices where {}", variant.size, variant.name, variant.condition)
    };
    list(&mut text, verbose, merged.variants.iter().map(line));
    if let Some(condition) = &merged.condition {
        let _ = write!(text, "\ndevices are refused unless {condition}");
    }
    if !merged.set_by_host.is_empty() {
        text.push_str("\nthe host sets");
        list(&mut text, verbose, merged.set_by_host.iter().map(constant));
    }
    log.note(text);
}
