//! `spirv-if specialize`.

mod report;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use anyhow::anyhow;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use spirv_if::error::Hint;
use spirv_if::module::{Interface, Version};
use spirv_if::specialize::{
    Driver, FeaturesToLower, SpecConstant, Specialized, SpecializedSegments, Trap, UnsetPolicy,
};
use spirv_if::{Device, Error, Prepared, Settings};
use spirv_if_sycl::check::check_conditions;

use super::annotations::AnnotationsArg;
use super::device::DeviceArgs;
use super::io::{self, Data, Destination, Inputs, Output, OutputPlace, Staged, WriteArgs};
use super::log::Log;
use super::pack::MaxClonesArg;
use super::properties::{KeepPropertiesArg, version};
use super::settings::{Combination, SetArgs};
use super::trim::StripArg;
use super::{ExitFailure, usage};
use report::{MappedTrap, SpecializeMap, SpecializedFile};

/// Make plain modules for a device
///
/// Decides every condition, and removes code whose condition does not hold on the
/// device. The result is a plain module for drivers without support for conditional
/// code. A condition that is not known is an error that names the constants, also
/// without a device and with an architecture alone (arch:NAME). With --unset keep
/// it stays conditional, with a note; with --unset default, the remaining constants
/// take their defaults.
///
/// A compiler's own module need not be packed before. Its conditional calls, by
/// name or by --annotations, are decided. Everything that only removed calls
/// required is removed, including capabilities and extensions. With --unset keep,
/// calls whose condition is not known on the device are packed.
///
/// Constants that are set, or whose value is known on the device, become ordinary
/// ones, in any module. Their values are followed through variables, composites
/// and calls. The branches that they decide are folded, and unreachable blocks
/// are removed, with everything that only they required. Functions are cloned for
/// calls that decide branches in them: -v lists the clones. Functions with decided
/// branches are simplified: known values replace loads of local variables,
/// consecutive blocks are merged, and code without effects is removed. Loads of
/// variables with debug information are kept. Where instructions have source lines,
/// a block is merged if it begins with one.
///
/// The properties that a packed module carries give the meaning of its
/// specialization constants (aspects, architectures, capabilities) and the
/// requirements of the module. So do those beside a module (MODULE.prop for
/// MODULE.spv, unless --properties names another file); both must agree. If nothing
/// in the result is conditional, properties of an earlier result are removed.
///
/// The module is refused if the device does not run the result, because of a
/// version of SPIR-V, a capability, an extension, an aspect, a size or a feature of
/// Vulkan. A note names the features that the device may or may not have
/// (spec-extensions/devices.md, "Verdicts"). Drivers accept more than they report:
/// list more with --extensions. A warning names entry points that the device does
/// not run. The module is refused if the device runs none of them, or does not run
/// one that --entry names.
///
/// With --trap, a block behind a run-time branch that requires what the device is
/// known not to have becomes a trap, and a note names it. The module is refused if
/// such a block cannot become a trap, as where a barrier may follow
/// (spec-extensions/specializing.md, "Traps").
///
/// Examples:
///
///   For a known device:
///     spirv-if specialize shader.spv --device intel_gpu_bmg_g21 -o shader.bmg.spv
///
///   Several modules for several devices, one file for each pair, such as
///   out/a.x86_64.spv:
///     spirv-if specialize a.spv b.spv --device intel_gpu_dg1 --device x86_64 -o out/
///
///   For a device of this machine, as its driver reports it:
///     spirv-if specialize shader.spv --device probe:0 -o shader.here.spv
///
///   For a described device, in a pipe:
///     ... | spirv-if specialize - --capabilities Shader,Float16,Int64 -o - | ...
///
///   Any shader with two of its specialization constants set: the branches that
///   they decide are folded, and with --trim declarations that only other values
///   require are removed:
///     spirv-if specialize shader.spv --set 0:true --set 3:64 --trim -o fast.spv
///
///   A compiler's own module for all GPUs of a family, one file for those that
///   get the same code:
///     spirv-if specialize kernels.spv --device 'intel_gpu_*' --dedupe \
///       --map kernels.json -o out/
///
///   Variants of a shader for all values of two constants, equal ones once:
///     spirv-if specialize shader.spv --set 0:true,false --set tile:32,64 \
///       --dedupe --map variants.json -o out/
///
///   A kernel with one case that the device does not run: it stores 1 to a word of
///   the argument dst instead:
///     spirv-if specialize cast.spv --device intel_gpu_acm_g10 \
///       --trap store:dst:0 -o cast.acm.spv
///
///   A shader of a bundle, by the variant for the device, with the constants that
///   the bundle fixes:
///     spirv-if specialize app.spvb#blur --device intel_gpu_pvc -o blur.spv
///
///   With a constant set, and nothing left conditional:
///     spirv-if specialize m.spv --set 3:true --unset default -o plain.spv
///
/// Exit status: 0 done, 1 error, 2 wrong usage, 3 a module does not run on a
/// device, or is not known to with --strict. Unless it is 0, nothing is written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SpecializeArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    embed: WriteArgs,
    /// The properties of the module, instead of those in the file beside it
    #[arg(long, value_name = "FILE")]
    properties: Option<PathBuf>,
    #[command(flatten)]
    set: SetArgs,
    /// The treatment of conditions and constants without a value. The default is `error`
    #[arg(long, value_enum, value_name = "TREATMENT")]
    unset: Option<UnsetArg>,
    /// Keep only this entry point, which a device must run; may be given several times
    #[arg(long, value_name = "NAME")]
    entry: Vec<String>,
    /// Leave out the entry points that the device is known not to run, if it runs others. By default the device is refused
    #[arg(long)]
    drop_unsupported: bool,
    /// Keep variables with a binding and push constants even if nothing in the result uses them, so that pipeline layouts stay valid. By
    /// default, unused ones are removed, and --map lists them
    #[arg(long)]
    keep_interface: bool,
    /// Remove capabilities and extensions that nothing in the result requires, as `spirv-if trim` does
    #[arg(long)]
    trim: bool,
    /// Refuse a device that is not known to run the result; by default a note says so
    #[arg(long)]
    strict: bool,
    /// Change constructs that the device is known to reject, where the result computes the same or what the module permitted: hints are
    /// removed, wider and newer declarations become narrower and older ones. Notes list the changes
    #[arg(long)]
    adapt: bool,
    /// Rewrite code that requires features which the device lacks, so that the result has equal bits without them: 64-bit integers (Int64)
    /// become two words, doubles (Float64) as well, or 64-bit integers that stay, and integers of 16 and 8 bits (Int16, Int8) those of 32. Halves (Float16) become floats that are rounded after each operation: a result that the specification permits. With names, these features alone are lowered, on each device. It is an error if something cannot be lowered
    #[arg(long, value_name = "FEATURE,...", num_args = 0..=1, require_equals = true, default_missing_value = "missing")]
    lower: Option<FeaturesToLower>,
    /// Treatment of halves that are lowered: `rounded` rounds after each operation, and `wider` leaves that out, so that results are
    /// not those of the module
    #[arg(
        long,
        value_enum,
        default_value_t,
        requires = "lower",
        value_name = "HALVES",
        require_equals = true
    )]
    lower_halves: LowerHalvesArg,
    #[command(flatten)]
    clones: MaxClonesArg,
    #[command(flatten)]
    strip: StripArg,
    /// The newest version of SPIR-V of the result, such as `1.3`. A newer module is lowered; it is an error if it uses newer constructs
    #[arg(long, value_name = "VERSION", value_parser = version)]
    max_version: Option<Version>,
    /// Change valid instructions at which the compiler of this driver is known to fail; `spirv-if inspect` names them
    #[arg(long, value_enum, value_name = "DRIVER")]
    work_around: Option<DriverArg>,
    /// Replace blocks behind run-time branches by a trap, if they require what the device is known not to have. By default the module is
    /// refused. The traps are `abort` (OpAbortKHR, which loses the device), `store:BUFFER:OFFSET` (stores 1 to the 32-bit word at this byte
    /// offset, and leaves the entry point) and `silent` (only leaves it). BUFFER is a kernel argument, by index or name, or a buffer of a shader,
    /// by name or as SET.BINDING
    #[arg(long, value_name = "TRAP")]
    trap: Option<Trap>,
    /// Write modules that are the same for several devices or values once, under the name of the first: --map gives the file of each
    #[arg(long, requires = "map")]
    dedupe: bool,
    /// Write a JSON object to this file. It has, for each input, device and combination of values, the file of the module, and the removed
    /// parts of the input's interface
    #[arg(long, value_name = "FILE.json")]
    map: Option<PathBuf>,
    #[command(flatten)]
    compile_time: KeepPropertiesArg,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    devices: DeviceArgs,
}

/// The treatment of constants without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UnsetArg(UnsetPolicy);

impl ValueEnum for UnsetArg {
    fn value_variants<'a>() -> &'a [UnsetArg] {
        &[UnsetArg(UnsetPolicy::Error), UnsetArg(UnsetPolicy::Keep), UnsetArg(UnsetPolicy::Default)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self.0 {
            UnsetPolicy::Error => {
                ("error", "Report an error that names the constants if a condition depends on them")
            }
            UnsetPolicy::Keep => {
                ("keep", "Keep them specialization constants, and code that depends on them conditional")
            }
            UnsetPolicy::Default => {
                ("default", "Replace them with ordinary constants that have their default values")
            }
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// A driver with a defect that has a work-around.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DriverArg {
    /// Boolean OpPhis of loop headers to which the branch back brings a value from before the loop
    Nvidia,
    /// OpSpecConstantOps of pointers
    Rusticl,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum LowerHalvesArg {
    #[default]
    Rounded,
    Wider,
}

impl From<DriverArg> for Driver {
    fn from(driver: DriverArg) -> Driver {
        match driver {
            DriverArg::Nvidia => Driver::Nvidia,
            DriverArg::Rusticl => Driver::Rusticl,
        }
    }
}

impl SpecializeArgs {
    pub fn run(mut self, log: &mut Log) -> anyhow::Result<()> {
        let mut devices = self.devices.devices()?;
        let has_devices = !devices.is_empty();
        let decides =
            has_devices || !self.set.is_empty() || self.unset == Some(UnsetArg(UnsetPolicy::Default));
        if !has_devices {
            let lowers = matches!(self.lower, Some(FeaturesToLower::Named(_)));
            let reduces = self.trim
                || self.strip.strip
                || self.max_version.is_some()
                || lowers
                || !self.entry.is_empty();
            if !decides && !reduces && self.work_around.is_none() {
                return Err(usage(
                    "nothing to specialize for: name a device with --device (`spirv-if devices` lists them), describe one \
                     with --capabilities and --aspects, set constants with --set or --set-default, let all that are left take their \
                     defaults with --unset default, reduce the module with --entry, --trim, --strip or --max-version, name a driver with \
                     --work-around, or features with --lower",
                ));
            }
            devices.push(Device::default());
        }
        self.set.check()?;
        // If unknown constants are ignored, the combinations are not known before a module is read.
        let all = match self.set.ignores_unknown() {
            true => None,
            false => Some(self.set.combinations(&BTreeSet::new())?),
        };
        if has_devices {
            self.inputs.choose_variants(&self.with_decisions(&devices)?)?;
        }
        let inputs = self.inputs.count()?;
        if inputs > 1 && self.properties.is_some() {
            return Err(usage(
                "--properties is for one module: with several, those in the file beside each are used",
            ));
        }
        let annotations = self.annotations.read()?;
        let least = inputs * devices.len() * all.as_ref().map_or(1, Vec::len);
        let known_place = match all.is_some() || least > 1 {
            true => Some(self.place(least)?),
            false => None,
        };
        let results = self.inputs.for_each(log, |input, module, log| {
            let module =
                input.with_properties(annotations.on_reporting(module, log)?, self.properties.as_deref())?;
            let module = self.compile_time.lower(module, self.max_version, log)?;
            check_conditions(&module)?.iter().for_each(|warning| log.warning(warning.text()));
            let prepared = Prepared::new(&module)?;
            let left_out = self.set.check_in(&prepared)?;
            for constant in &left_out {
                warn_of_unknown(constant, log);
            }
            let combinations = match &all {
                Some(all) => Cow::Borrowed(all),
                None => Cow::Owned(self.set.combinations(&left_out)?),
            };
            let place = match &known_place {
                Some(place) => Cow::Borrowed(place),
                None => Cow::Owned(self.place(combinations.len())?),
            };
            let own_devices = input.devices(&devices);
            // All settings keep the same entry points, so that the groups are the same.
            let groups = prepared.groups(&own_devices, &self.settings(Settings::new()));
            let groups = groups.map_err(|error| {
                let hints = Hint::for_error(&error, None);
                explained(error, &hints)
            })?;
            let settings = |combination: &Combination| {
                let settings = self.set.settings_in(&prepared, combination, &left_out)?;
                Ok(self.settings(input.fix_constants(&prepared, settings)?))
            };
            let all_settings = combinations.iter().map(settings).collect::<anyhow::Result<Vec<_>>>()?;
            let jobs = combinations.iter().zip(&all_settings);
            let jobs = jobs.flat_map(|job| groups.iter().map(move |group| (job, group)));
            let shared = &*log;
            let written = io::in_parallel(jobs, |((combination, settings), group)| {
                let mut log = shared.about(input);
                let name = |device: &Device| {
                    let label = Some(combination.label.as_str()).filter(|label| !label.is_empty());
                    let device = (devices.len() > 1).then_some(device.name());
                    let words: Vec<&str> = device.into_iter().chain(label).collect();
                    let word = words.join(".");
                    self.embed.destination(
                        &place,
                        input.file_name(Some(word.as_str()).filter(|word| !word.is_empty())),
                    )
                };
                let result = prepared.specialize_in_segments(group, settings);
                let result = result.map_err(|error| {
                    let hints = prepared.hints(&error, group, settings);
                    explained(error, &hints)
                });
                let of_group = result.and_then(|result| {
                    report::log_report(result.report(), group[0], &combination.label, decides, &mut log);
                    let ignored = result.report().ignored.clone();
                    let removed = match self.map {
                        Some(_) => prepared.removed_interface(&result.clone().into_specialized())?,
                        None => Interface::default(),
                    };
                    let traps: Vec<MappedTrap> =
                        result.report().trapped.iter().map(MappedTrap::new).collect();
                    let file = |device: &&Device| SpecializedFile {
                        input: input.to_string(),
                        device: device.name().to_owned(),
                        set: combination.named_values(),
                        file: name(if self.dedupe { group[0] } else { device }).to_string(),
                        traps: traps.clone(),
                        removed: removed.clone(),
                    };
                    let modules = group.iter().map(file).collect();
                    // Equal results of combinations are known after the last one.
                    let waits = self.dedupe && combinations.len() > 1;
                    let (staged, waiting) = match waits {
                        true => (Vec::new(), Some((result.into_specialized(), name(group[0])))),
                        false => (self.stage(&result, group, name)?, None),
                    };
                    Ok(Outputs { staged, modules, waiting, ignored })
                });
                (log, of_group)
            });
            let mut outputs: Vec<Outputs> = Vec::new();
            let mut warned: HashSet<SpecConstant> = left_out.into_iter().cloned().collect();
            for (its_log, of_group) in written {
                log.append(its_log);
                let of_group = of_group?;
                for constant in of_group.ignored.iter().filter(|constant| warned.insert((*constant).clone()))
                {
                    warn_of_unknown(constant, log);
                }
                outputs.push(of_group);
            }
            self.share(&mut outputs)?;
            Ok(outputs)
        })?;
        annotations.finish(log)?;
        let (mut modules, mut staged) = (Vec::new(), Vec::new());
        for outputs in results.into_iter().flatten() {
            modules.extend(outputs.modules);
            staged.extend(outputs.staged);
        }
        if let Some(path) = &self.map {
            staged.push(Destination::at(path).stage(Data::Text(SpecializeMap::new(modules).to_json()?))?);
        }
        self.output.commit(staged)
    }

    /// Returns the devices with the decisions of the host that all settings have in common.
    fn with_decisions(&self, devices: &[Device]) -> anyhow::Result<Vec<Device>> {
        match self.set.combinations(&BTreeSet::new())?.len() {
            1 => {
                let settings = self.set.settings()?;
                Ok(devices.iter().map(|device| settings.apply_to_device(device)).collect())
            }
            _ => Ok(devices.to_vec()),
        }
    }

    /// Stages the results that wait, those with the same words once, under the name of the first of them.
    fn share(&self, outputs: &mut [Outputs]) -> anyhow::Result<()> {
        let mut files: HashMap<Vec<u32>, String> = HashMap::new();
        for output in outputs {
            let Some((result, destination)) = output.waiting.take() else { continue };
            let file = match files.get(&result.words) {
                Some(file) => file.clone(),
                None => {
                    let file = destination.to_string();
                    let module = Data::Words(result.words.clone());
                    let properties = result.properties.as_ref();
                    output.staged.extend(self.embed.stage_with(destination, module, properties)?);
                    files.insert(result.words, file.clone());
                    file
                }
            };
            output.modules.iter_mut().for_each(|module| module.file.clone_from(&file));
        }
        Ok(())
    }

    /// Returns the place of a number of results.
    fn place(&self, results: usize) -> anyhow::Result<OutputPlace> {
        let place = self.output.place(results)?;
        self.embed.check(&place)?;
        Ok(place)
    }

    /// Adds the other options to settings of values.
    fn settings(&self, values: Settings) -> Settings {
        let policy = self.unset.map(|UnsetArg(policy)| policy);
        values
            .entry_points(&self.entry)
            .drop_unsupported(self.drop_unsupported)
            .max_clones(self.clones.count())
            .trim(self.trim)
            .strip(self.strip.strip)
            .max_version(self.max_version)
            .keep_interface(self.keep_interface)
            .work_around(self.work_around.map(Driver::from))
            .trap(self.trap.clone())
            .strict(self.strict)
            .adapt(self.adapt)
            .lower(self.lower.clone())
            .wider_halves(matches!(self.lower_halves, LowerHalvesArg::Wider))
            .unset(policy)
    }

    /// Stages the module for each device of a group, or once for all.
    fn stage(
        &self,
        result: &SpecializedSegments,
        group: &[&Device],
        destination: impl Fn(&Device) -> Destination,
    ) -> anyhow::Result<Vec<Staged>> {
        let group = if self.dedupe { &group[..1] } else { group };
        self.embed.stage_copies(group.iter().map(|device| destination(device)), result)
    }
}

/// Returns an error with ways to resolve it.
fn explained(error: Error, hints: &[Hint]) -> anyhow::Error {
    let message = error.with_hints(hints, &report::HINT_WORDS);
    match error {
        Error::Refused(_) => ExitFailure::Incompatible(message).into(),
        Error::Undecided(_) => anyhow!(message),
        error => error.into(),
    }
}

fn warn_of_unknown(constant: &SpecConstant, log: &mut Log) {
    log.warning(format!("the module has no constant with {constant}: its value is left out"));
}

/// The outputs for a group of devices.
struct Outputs {
    staged: Vec<Staged>,
    modules: Vec<SpecializedFile>,
    /// A result that may equal others, and its destination if it is the first of them.
    waiting: Option<(Specialized, Destination)>,
    /// Constants that the module does not have, or not beside the entry points that are kept.
    ignored: Vec<SpecConstant>,
}
