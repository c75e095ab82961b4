//! `spirv-if specialize`.

mod map;
mod sizes;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::bail;
use clap::{Args, ValueEnum};
use spirv_if::analysis::Annotated;
use spirv_if::analysis::scalars::Scalar;
use spirv_if::condition::{Expr, Leaf};
use spirv_if::device::{Device, Tables};
use spirv_if::loader::Module;
use spirv_if::properties::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyNames, PropertySets, SPECIAL_CONSTANTS,
};
use spirv_if::recipes::{self, Resolved};
use spirv_if::runtime::{Declarations, KnownOn, Missing, refused, settled, unmet};
use spirv_if::transform::pack::Packed;
use spirv_if::transform::specialize::{self, Report, Undecided, Unset};
use spirv_if::transform::trim::trim;
use spirv_if::transform::work_around;
use spirv_if::writer::{self, property_sets};

use super::annotations::AnnotationsArg;
use super::device::{DeviceArgs, alike, label};
use super::io::{self, Data, Destination, Input, Inputs, Output, Staged};
use super::log::Log;
use super::trim::trimmed;
use super::{Failure, counted, usage};

/// Cut modules down for a device
///
/// Decides every condition that the device settles and removes what does not
/// hold there: what remains is a plain module, which a driver can load that
/// knows nothing of conditional code. What nothing settles stays conditional,
/// and a note says so.
///
/// A compiler's own module need not be packed before: its conditional calls, by
/// name or by --annotations, are decided, and what only the others needed goes,
/// capabilities and extensions included. What the device leaves open is packed.
///
/// Constants that are set, or that the device settles, become ordinary ones, in
/// any module. The branches that they decide are folded, and blocks that cannot
/// run any more go, with all that only they needed.
///
/// The properties beside a module (MODULE.prop for MODULE.spv, unless
/// --properties names another file) say which specialization constants stand for
/// which aspects, architectures and capabilities, and what the module requires of
/// a device in any case. A device that is known to lack any of that is refused;
/// so is one whose SPIR-V versions and extensions are known, as drivers report
/// them, if it does not take what the result declares. Drivers take more than they
/// report: --extensions says what else. Entry points that require other sizes of
/// work-groups or sub-groups than a device has are named.
///
/// Examples:
///
///   For a device that the program knows:
///     spirv-if specialize shader.spv --device intel_gpu_pvc -o shader.pvc.spv
///
///   Several modules for several devices, one file for each pair, such as
///   out/a.x86_64.spv:
///     spirv-if specialize a.spv b.spv --device intel_gpu_dg1 --device x86_64 -o out/
///
///   For a device of this machine, as its driver reports it:
///     spirv-if specialize shader.spv --device probe:0 -o shader.here.spv
///
///   For what a program found out itself, between other programs:
///     ... | spirv-if specialize - --capabilities Shader,Float16,Int64 -o - | ...
///
///   A shader of any kind with two of its specialization constants set: what
///   they decide is folded, and with --trim nothing is declared any more that
///   only other values need:
///     spirv-if specialize shader.spv --set 0:true --set 3:64 --trim -o fast.spv
///
///   A compiler's own module for all GPUs of a family, one file for those that
///   get the same code:
///     spirv-if specialize kernels.spv --device 'intel_gpu_*' --dedupe \
///       --map kernels.json -o out/
///
///   With a constant set by hand, and nothing left conditional:
///     spirv-if specialize m.spv --set 3:true --unset default -o plain.spv
///
/// Exit status: 0 done, 1 error, 2 wrong usage, 3 a module does not run on a
/// device. Unless it is 0, nothing is written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: Output,
    /// The properties of the module, instead of those in the file beside it
    #[arg(long, value_name = "FILE")]
    properties: Option<PathBuf>,
    /// Set a specialization constant: `true`, `false`, an integer such as `-1` or `0xff`, or a float as `1.5` or its bits as
    /// `0x3f800000`; may be given several times
    #[arg(long, value_name = "SPECID:VALUE")]
    set: Vec<Setting>,
    /// What becomes of conditions that depend on constants that nothing settles
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    unset: UnsetArg,
    /// Fail if anything stays conditional
    #[arg(long)]
    require_decided: bool,
    /// Remove capabilities and extensions that nothing in the result needs, as `spirv-if trim` does
    #[arg(long)]
    trim: bool,
    /// Change valid instructions on which this driver is known to crash; `spirv-if inspect` names them
    #[arg(long, value_enum, value_name = "DRIVER")]
    work_around: Option<Driver>,
    /// Write what is the same for several devices once, under the name of the first: --map says where the module of each is
    #[arg(long, requires = "map")]
    dedupe: bool,
    /// Write a JSON object to this file: for each input and each device, the file of its module
    #[arg(long, value_name = "FILE.json")]
    map: Option<PathBuf>,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    devices: DeviceArgs,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum UnsetArg {
    /// They stay conditional
    #[default]
    Keep,
    /// The constants take their default values
    Default,
}

/// A driver with defects.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Driver {
    /// Boolean OpPhis of loop headers to which the branch back brings a value from before the loop
    Nvidia,
}

/// A specialization constant's SpecId and its value, which only the constant's type gives a meaning.
#[derive(Clone, Debug)]
struct Setting(u32, String);

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Setting, Self::Err> {
        let (spec_id, value) =
            text.split_once(':').ok_or("a SpecId and a value with `:` between them, as in 3:true")?;
        let spec_id =
            spec_id.parse().map_err(|_| "the SpecId before the `:` is no 32-bit unsigned integer")?;
        let wide = [Scalar::Bool, Scalar::Int { width: 64, signed: true }, Scalar::Float(64)];
        if wide.iter().all(|scalar| scalar.parse(value).is_none()) {
            return Err("the value is not `true`, `false` or a number of up to 64 bits");
        }
        Ok(Setting(spec_id, value.to_owned()))
    }
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let mut devices = self.devices.devices()?;
        if devices.is_empty() {
            let decides = !self.set.is_empty() || matches!(self.unset, UnsetArg::Default);
            if !decides && self.work_around.is_none() {
                return Err(usage(
                    "nothing to decide by: name a device with --device (`spirv-if devices` lists them), describe one \
                     with --capabilities and --aspects, set constants with --set, or name a driver with --work-around",
                ));
            }
            devices.push(Device::default());
        }
        for (at, first) in self.set.iter().enumerate() {
            if self.set[..at].iter().any(|second| second.0 == first.0 && second.1 != first.1) {
                return Err(usage(format!("--set gives the constant with SpecId {} two values", first.0)));
            }
        }
        let inputs = self.inputs.list()?.len();
        if inputs > 1 && self.properties.is_some() {
            return Err(usage("--properties is for one module: others have theirs in the file beside them"));
        }
        let annotations = self.annotations.read()?;
        let place = self.output.place(inputs * devices.len())?;
        let results = self.inputs.for_each(log, |input, module, log| {
            let properties = self.properties(input)?;
            let annotated = annotations.of(module)?;
            check_requirements(&properties, &devices)?;
            let groups = groups(module, &properties, &annotated, &devices)?;
            let shared = &*log;
            let written = io::in_parallel(groups.into_iter(), |group| {
                let mut log = shared.about(input);
                let result = self.specialize(module, &properties, &annotated, &group, &mut log);
                let of_group = result.and_then(|written| {
                    let name = |device: &Device| {
                        place.of(input.file_name((devices.len() > 1).then_some(device.name.as_str())))
                    };
                    written.stage(&group, self.dedupe, name)
                });
                (log, of_group)
            });
            let mut outputs = Vec::new();
            for (its_log, of_group) in written {
                log.append(its_log);
                outputs.push(of_group?);
            }
            Ok((input.to_string(), outputs))
        })?;
        annotations.finish(log)?;
        let mut map = map::Map::new();
        let mut staged = Vec::new();
        for (input, groups) in results {
            for outputs in groups {
                outputs.files.into_iter().for_each(|(device, file)| map.add(&input, device, file));
                staged.extend(outputs.staged);
            }
        }
        if let Some(path) = &self.map {
            staged.push(Destination::at(path).stage(Data::Text(map.to_json()?))?);
        }
        self.output.commit(staged)
    }

    /// The values of the constants that annotations tie to conditions, without those that are set by hand.
    fn settled(
        &self,
        annotated: &Annotated,
        device: &Device,
        log: &mut Log,
    ) -> anyhow::Result<Vec<(u32, u64)>> {
        let mut conditions = annotated.spec_constants.clone();
        conditions.retain(|spec_id, _| self.set.iter().all(|setting| setting.0 != *spec_id));
        let values = settled(device, &conditions)?;
        for (spec_id, condition) in conditions.iter().filter(|(spec_id, _)| !values.contains_key(*spec_id)) {
            let on = label(device);
            let condition = condition.display(&Tables);
            log.note(format!(
                "SpecId {spec_id} is not set: it is not known whether {condition} holds on {on}"
            ));
        }
        Ok(values.into_iter().map(|(spec_id, value)| (spec_id, value.into())).collect())
    }

    fn properties(&self, input: &Input) -> anyhow::Result<PropertySets> {
        let Some(path) = self.properties.clone().or_else(|| input.beside("prop")) else {
            return Ok(PropertySets::default());
        };
        io::read_properties(&path)
    }

    fn specialize(
        &self,
        module: &Module,
        properties: &PropertySets,
        annotated: &Annotated,
        group: &[&Device],
        log: &mut Log,
    ) -> anyhow::Result<Written> {
        let device = group[0];
        let known = KnownOn::new(device, properties)?;
        let texts: Vec<(u32, &str)> =
            self.set.iter().map(|setting| (setting.0, setting.1.as_str())).collect();
        let mut set = specialize::values(module, &texts)?;
        set.extend(self.settled(annotated, device, log)?);
        let unset = match self.unset {
            UnsetArg::Keep => Unset::Keep,
            UnsetArg::Default => Unset::Default,
        };
        let options = specialize::Options { unset, require_decided: self.require_decided };
        let result = match *device == Device::default() {
            true => {
                let result = specialize::specialize(module, &known, &set, &options)?;
                Resolved { words: writer::apply(module, &result.edits)?, report: result.report, packed: None }
            }
            false => recipes::resolve(module, annotated, device, &known, &set, &options)?,
        };
        let waits = result.report.undecided.iter().any(|undecided| !undecided.waits.spec_ids.is_empty());
        if waits && properties.get(SPECIAL_CONSTANTS).is_none() && *device != Device::default() {
            log.warning("no properties say what its specialization constants stand for; name their file with --properties");
        }
        let mut resolved = Written::default();
        match &result.packed {
            None => {
                if !result.report.multi_target && result.report.frozen == 0 && self.work_around.is_none() {
                    log.note(format!("{}nothing in this module is conditional", on(device)));
                }
                tell(module, &result.report, device, log);
            }
            Some(packed) => {
                tell_resolved(packed, device, log);
                if !packed.leaves.is_empty() && self.require_decided {
                    bail!("conditions stay open{}", open_leaves(packed, device));
                }
                if !packed.leaves.is_empty() {
                    resolved.properties = Some(property_sets(packed, PropertyNames::default())?);
                }
            }
        }
        resolved.words = match self.trim {
            true => trimmed(&Module::from_words(&result.words[..])?, log)?,
            false => result.words,
        };
        if let Some(Driver::Nvidia) = self.work_around {
            resolved.words = worked_around(&Module::from_words(&resolved.words[..])?, log)?;
        }
        let head = Module::from_words(Module::before_functions(&resolved.words))?;
        check_driver(&head, &resolved.words, group)?;
        sizes::warn(&head, group, log);
        Ok(resolved)
    }
}

/// What is written for one device.
#[derive(Default)]
struct Written {
    words: Vec<u32>,
    /// The properties, where something stays conditional in a compiler's own module.
    properties: Option<PropertySets>,
}

/// A module without what NVIDIA's compiler crashes on; says how much that was.
fn worked_around(module: &Module, log: &mut Log) -> anyhow::Result<Vec<u32>> {
    let work_around = work_around::nvidia(module);
    match work_around.instructions {
        0 => log.note("has nothing that NVIDIA's compiler is known to crash on"),
        count => log.note(format!("changed {} that NVIDIA's compiler crashes on", counted(count, "OpPhi"))),
    }
    Ok(writer::apply(module, &work_around.edits)?)
}

/// The device, before what is said of a module on it.
fn on(device: &Device) -> String {
    if device.name.is_empty() { String::new() } else { format!("on {}: ", device.name) }
}

/// What is open of a compiler's own module, in words.
fn open_leaves(packed: &Packed, device: &Device) -> String {
    let leaf = |&(spec_id, leaf): &(u32, Leaf)| {
        format!("SpecId {spec_id} where {}", Expr::Leaf(leaf).display(&Tables))
    };
    let leaves: Vec<String> = packed.leaves.iter().map(leaf).collect();
    format!(": it is not known of {} whether these hold: {}", label(device), leaves.join(", "))
}

/// Says what was decided of a compiler's own module.
fn tell_resolved(packed: &Packed, device: &Device, log: &mut Log) {
    let on = on(device);
    let summary = &packed.summary;
    let open =
        summary.calls.iter().filter(|(_, _, condition)| !matches!(condition, Expr::True | Expr::False));
    let (open, all) = (open.count(), summary.calls.len());
    if !packed.leaves.is_empty() {
        log.note(format!(
            "{on}{} of {all} conditional calls stay conditional{}",
            open,
            open_leaves(packed, device)
        ));
    }
    let happen = summary.calls.iter().filter(|(_, _, condition)| *condition == Expr::True).count();
    let never = all - open - happen;
    let gone = summary.removed_declarations.iter().chain(&summary.removed_functions);
    let gone: Vec<&str> = gone.map(String::as_str).collect();
    let gone = if gone.is_empty() { "nothing".to_owned() } else { gone.join(", ") };
    log.detail(format!(
        "{on}of {}, {happen} happen and {never} never do; gone, as nothing needs it: {gone}",
        counted(all, "conditional call")
    ));
}

/// Refuses devices that are known to lack what the properties beside a module require.
fn check_requirements(properties: &PropertySets, devices: &[Device]) -> anyhow::Result<()> {
    let Some(set) = properties.get(DEVICE_REQUIREMENTS) else { return Ok(()) };
    let requirements = DeviceRequirements::from_set(set)?;
    for device in devices {
        let unmet = unmet(device, &requirements)?;
        if !unmet.is_empty() {
            let reasons: Vec<String> = unmet.iter().map(ToString::to_string).collect();
            let message = format!("does not run on {}: {}", label(device), reasons.join("; "));
            return Err(Failure::Incompatible(message).into());
        }
    }
    Ok(())
}

/// Refuses devices whose drivers are known not to take a module, of which `head` is what stands before its functions.
fn check_driver(head: &Module, words: &[u32], devices: &[&Device]) -> anyhow::Result<()> {
    let declarations = Declarations::as_is(head);
    for device in devices {
        let refused = refused(device, &declarations);
        if !refused.is_empty() {
            let message = format!(
                "does not run on {}, which does not take {}{}",
                label(device),
                listed(&refused),
                remedy(&Module::from_words(words)?, &refused)
            );
            return Err(Failure::Incompatible(message).into());
        }
    }
    Ok(())
}

fn listed(refused: &[Missing]) -> String {
    let what: Vec<String> = refused.iter().map(ToString::to_string).collect();
    what.join(", ")
}

/// What can be done about a refusal: drivers take more than they list, and compilers declare more than they need.
fn remedy(module: &Module, refused: &[Missing]) -> String {
    let mut remedy = String::new();
    let unneeded = trim(module);
    let is_needed = |missing: &&Missing| match missing {
        Missing::Capability(number) => unneeded.capabilities.iter().all(|gone| *gone as u32 != *number),
        Missing::Extension(name) => !unneeded.extensions.contains(name),
        _ => true,
    };
    let (needed, superfluous): (Vec<Missing>, Vec<Missing>) =
        refused.iter().cloned().partition(|missing| is_needed(&missing));
    if !superfluous.is_empty() {
        remedy += &format!(
            "; nothing in the result needs {}: --trim removes what is not needed",
            listed(&superfluous)
        );
    }
    let mut names: Vec<String> = Vec::new();
    for missing in &needed {
        let any = missing.extensions();
        if any.iter().all(|name| !names.contains(name)) {
            names.extend(any.into_iter().next());
        }
    }
    names.sort();
    // One extension may be named itself and bring what stands before it.
    names.dedup();
    if !names.is_empty() {
        remedy +=
            &format!("; if the driver takes them all the same, say so with --extensions {}", names.join(","));
    }
    remedy
}

/// The devices in groups that get the same code, since all answer the same to what is asked of them.
fn groups<'d>(
    module: &Module,
    properties: &PropertySets,
    annotated: &Annotated,
    devices: &'d [Device],
) -> anyhow::Result<Vec<Vec<&'d Device>>> {
    let asked = match devices {
        [_] => None,
        _ => recipes::asked(module, annotated, properties)?,
    };
    Ok(alike(asked.as_ref(), devices, |device| device))
}

/// What is written for a group of devices.
struct Outputs {
    staged: Vec<Staged>,
    /// The names of the devices, and where the module of each is.
    files: Vec<(String, String)>,
}

impl Written {
    /// Puts the module where it goes for each device, or once for all.
    fn stage(
        mut self,
        group: &[&Device],
        once: bool,
        destination: impl Fn(&Device) -> Destination,
    ) -> anyhow::Result<Outputs> {
        let mut outputs = Outputs { staged: Vec::new(), files: Vec::new() };
        for (at, device) in group.iter().enumerate() {
            let destination = destination(if once { group[0] } else { device });
            outputs.files.push((device.name.clone(), destination.to_string()));
            if once && at > 0 {
                continue;
            }
            if let (Some(properties), Some(beside)) = (&self.properties, destination.beside("prop")) {
                outputs.staged.push(beside.stage(Data::Text(properties.to_text()))?);
            }
            // The last one gets the words themselves.
            let is_last = once || at + 1 == group.len();
            let words = if is_last { std::mem::take(&mut self.words) } else { self.words.clone() };
            outputs.staged.push(destination.stage(Data::Words(words))?);
        }
        Ok(outputs)
    }
}

/// What an undecided part waits for, in words.
fn waits(undecided: &Undecided) -> String {
    let spec_ids = undecided.waits.spec_ids.iter().map(|spec_id| format!("SpecId {spec_id}"));
    let device = undecided.waits.device_constants.iter();
    let device = device.map(|id| format!("device constant %{id}"));
    let waits: Vec<String> = spec_ids.chain(device).collect();
    if waits.is_empty() { "a condition that cannot be evaluated".to_owned() } else { waits.join(" and ") }
}

/// Says what was not decided by what is known; to those who want more, the rest.
fn tell(module: &Module, report: &Report, device: &Device, log: &mut Log) {
    let on = on(device);
    let mut waiting: BTreeMap<String, usize> = BTreeMap::new();
    for undecided in &report.undecided {
        *waiting.entry(waits(undecided)).or_default() += 1;
        log.detail(format!("{on}stays conditional: {}", undecided.describe(module)));
    }
    for (what, count) in waiting {
        let stay = if count == 1 { "part stays" } else { "parts stay" };
        log.note(format!("{on}{count} {stay} conditional, waiting for {what}"));
    }
    if !report.defaulted.is_empty() {
        let spec_ids: Vec<String> = report.defaulted.iter().map(u32::to_string).collect();
        log.note(format!(
            "{on}nothing settles the constants with SpecId {}: they take their defaults",
            spec_ids.join(", ")
        ));
    }
    if report.frozen > 0 && !report.multi_target {
        log.detail(format!("{on}{} set", counted(report.frozen, "specialization constant")));
    }
    if report.branches > 0 {
        let branches = if report.branches == 1 { "branch" } else { "branches" };
        let blocks = counted(report.blocks, "block");
        log.detail(format!("{on}{} {branches} decided, {blocks} removed", report.branches));
    }
    let functions = report.removed_functions.len() + report.swept_functions.len();
    let removed = format!("{}, {}", counted(functions, "function"), counted(report.swept, "definition"));
    if report.multi_target {
        let (stay, go) = (report.decided_true, report.decided_false);
        log.detail(format!(
            "{on}{stay} conditional parts stay, {go} go; removed: {removed} that nothing else refers to"
        ));
    } else if functions + report.swept > 0 {
        log.detail(format!("{on}removed: {removed} that nothing else refers to"));
    }
}
