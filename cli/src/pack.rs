//! `spirv-if pack`.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use spirv_if::module::ConditionConstant;
use spirv_if::pack::{CallCondition, ConditionalDeclaration, Dialect, LoweredTwin, PackSummary, Packed};
use spirv_if::property_sets::{PropertyNames, PropertySets};
use spirv_if::specialize::FeaturesToLower;
use spirv_if::{Condition, Module, PackOptions, pack};
use spirv_if_inspect::{InspectOptions, inspect};
use spirv_if_sycl::check::Warning;

use super::annotations::AnnotationsArg;
use super::device::ConfigArg;
use super::io::{Data, Destination, Inputs, Output, OutputPlace, Staged, WriteArgs};
use super::log::Log;
use super::properties::PropertiesArgs;
use super::trim::StripArg;
use super::{counted, usage};

/// The number of lines of a list without `-v`.
const LINES: usize = 12;

/// Make one module for every device from a compiler's module
///
/// Finds the calls that are taken only on devices with certain features: calls of
/// call_if_on_device_conditionally... functions. Everything that only they require
/// becomes conditional: functions, types, constants, variables, capabilities and
/// extensions. The result is a module with conditional code
/// (SPV_INTEL_function_variants); `spirv-if specialize` makes a plain module for
/// one device of it.
///
/// The properties, written to OUT.prop for OUT.spv, give the condition of each
/// specialization constant and the requirements of the module. The result also
/// carries them itself, so that `spirv-if` does not need the file. A module
/// without conditional code is written unchanged. A module that was packed before
/// keeps its properties, carried or beside it (MODULE.prop for MODULE.spv), and
/// gets new ones.
///
/// Exported functions are kept on every device, unless this module calls them
/// itself: name those with --export, or keep all with --keep-exports.
///
/// Examples:
///
///   One module, and its properties in shader.packed.prop:
///     spirv-if pack shader.spv -o shader.packed.spv
///
///   Many modules, with the reason for each unconditional capability:
///     spirv-if pack -v build/*.spv -o packed/
///
///   For a consumer that knows the extension and reads no properties:
///     spirv-if pack kernel.spv --dialect function-variants -o kernel.packed.spv
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct PackArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    result: MultiTargetArgs,
    /// Keep this function on every device, by its linkage name or OpName; may be given several times
    #[arg(long, value_name = "NAME")]
    export: Vec<String>,
    /// Keep all exported functions and variables on every device
    #[arg(long)]
    keep_exports: bool,
    #[command(flatten)]
    lower: LowerFeaturesArg,
    #[command(flatten)]
    rules: PackRules,
    #[command(flatten)]
    clones: MaxClonesArg,
    #[command(flatten)]
    strip: StripArg,
    #[command(flatten)]
    compile_time: PropertiesArgs,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    config: ConfigArg,
}

/// The features that devices need not have, for every command that packs.
#[derive(Args, Clone, Debug)]
pub struct LowerFeaturesArg {
    /// Write lowered twins of code that requires these features (such as Int64, Float64, Float16, Int16, StorageBuffer16BitAccess), for
    /// devices without them. Fallbacks of the source come first. It is an error if something cannot be lowered. Without names: all
    /// features that can be lowered
    #[arg(long, value_name = "FEATURE,...", num_args = 0..=1, require_equals = true, default_missing_value = "missing")]
    lower: Option<FeaturesToLower>,
}

impl LowerFeaturesArg {
    /// Returns the features.
    pub fn features(&self) -> Option<FeaturesToLower> {
        self.lower.clone()
    }
}

/// Rules that packed modules must keep.
#[derive(Args, Debug)]
struct PackRules {
    /// Fail if nothing in a module becomes conditional, as where a compiler inlined what was to be conditional
    #[arg(long)]
    require_conditional: bool,
    /// Fail if an entry point of a result requires this condition on every device, such as `cap(Float16)`, and print the call path to its
    /// cause. May be given several times
    #[arg(long, value_name = "CONDITION")]
    deny: Vec<String>,
}

impl PackRules {
    /// Returns the conditions that no entry point may require.
    ///
    /// # Errors
    /// As wrong usage.
    fn denied(&self) -> anyhow::Result<InspectOptions> {
        let condition =
            |text: &String| Condition::parse(text).map_err(|error| usage(format!("--deny: {error}")));
        let denied = self.deny.iter().map(condition).collect::<Result<Vec<_>, _>>()?;
        Ok(InspectOptions::new().skip_constants(true).skip_remedies(true).deny(denied))
    }

    /// Checks a result.
    ///
    /// # Errors
    /// If it breaks a rule.
    fn check(&self, packed: &Packed, is_annotated: bool, denied: &InspectOptions) -> anyhow::Result<()> {
        if self.require_conditional && !packed.summary.is_conditional() {
            bail!(
                "{}, and --require-conditional demands it. Pack the module before it is optimized: a compiler may have inlined what was to be conditional",
                nothing_conditional(is_annotated)
            );
        }
        if self.deny.is_empty() {
            return Ok(());
        }
        let module = Module::from_words(&packed.words)?.with_properties(packed.properties.clone())?;
        let violations = inspect(&module, denied)?.violations();
        let text = |violation: &Warning| match &violation.place {
            Some(place) => format!("{place}: {}", violation.text()),
            None => violation.text().to_owned(),
        };
        match violations.is_empty() {
            true => Ok(()),
            false => bail!("{}", violations.iter().map(text).collect::<Vec<_>>().join("\n")),
        }
    }
}

/// The maximum number of clones of one function, for every command that packs.
#[derive(Args, Clone, Copy, Debug)]
pub struct MaxClonesArg {
    /// The most clones that packing makes of one function: one for each combination of values of the constants that guard its blocks
    #[arg(long, value_name = "COUNT", default_value_t = PackOptions::DEFAULT_MAX_CLONES as u32, value_parser = clap::value_parser!(u32).range(1..))]
    max_clones: u32,
}

impl MaxClonesArg {
    /// Returns the number.
    pub fn count(self) -> usize {
        self.max_clones as usize
    }
}

/// The form of a module with conditional code, and of its properties.
#[derive(Args, Debug)]
pub struct MultiTargetArgs {
    #[command(flatten)]
    embed: WriteArgs,
    /// The file of the properties, instead of the one beside the module; `-` is standard output
    #[arg(long, value_name = "FILE")]
    properties: Option<PathBuf>,
    /// The spelling of the properties
    #[arg(long, value_enum, default_value_t, value_name = "NAMES")]
    property_names: PropertyNamesArg,
    /// The form of the leaves of conditions
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT")]
    dialect: DialectArg,
}

impl MultiTargetArgs {
    /// Returns the form of the leaves of conditions, and the spelling of the properties.
    pub fn options(&self) -> (Dialect, PropertyNames) {
        (self.dialect.into(), self.property_names.into())
    }

    /// Checks that a number of results can have the form at this place.
    ///
    /// # Errors
    /// As wrong usage.
    pub fn check(&self, results: usize, place: &OutputPlace) -> anyhow::Result<()> {
        if results > 1 && self.properties.is_some() {
            return Err(usage(
                "--properties is for one module: with several, properties are written beside each",
            ));
        }
        self.embed.check(place)
    }

    /// Stages a module that has this name in a folder, with its properties.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn stage(
        &self,
        place: &OutputPlace,
        name: PathBuf,
        words: Vec<u32>,
        properties: &PropertySets,
    ) -> anyhow::Result<Vec<Staged>> {
        let elsewhere = self.properties.as_deref().map(Destination::at);
        let beside = elsewhere.is_none().then_some(properties);
        let mut staged =
            self.embed.stage_with(self.embed.destination(place, name), Data::Words(words), beside)?;
        if let Some(elsewhere) = elsewhere {
            staged.push(elsewhere.stage(Data::Text(properties.to_text()))?);
        }
        Ok(staged)
    }
}

/// The form of the leaves of conditions.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum DialectArg {
    /// Specialization constants that the host sets by the properties
    #[default]
    SpecConditional,
    /// Device constants, which the consumer of the module evaluates
    FunctionVariants,
}

/// The spelling of the properties.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum PropertyNamesArg {
    /// Names of the SYCL design documents
    #[default]
    Design,
    /// Names that DPC++ reads today (spec-extensions/property-sets.md lists the differences)
    Dpcpp,
}

impl From<DialectArg> for Dialect {
    fn from(dialect: DialectArg) -> Dialect {
        match dialect {
            DialectArg::SpecConditional => Dialect::SpecConditional,
            DialectArg::FunctionVariants => Dialect::FunctionVariants,
        }
    }
}

impl From<PropertyNamesArg> for PropertyNames {
    fn from(names: PropertyNamesArg) -> PropertyNames {
        match names {
            PropertyNamesArg::Design => PropertyNames::Design,
            PropertyNamesArg::Dpcpp => PropertyNames::Dpcpp,
        }
    }
}

impl PackArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let inputs = self.inputs.count()?;
        let (dialect, property_names) = self.result.options();
        let options = PackOptions::new()
            .dialect(dialect)
            .property_names(property_names)
            .exports(self.export)
            .keep_exports(self.keep_exports)
            .max_clones(self.clones.count())
            .devices(self.config.read()?)
            .lower(self.lower.features())
            .strip(self.strip.strip);
        let denied = self.rules.denied()?;
        let annotations = self.annotations.read()?;
        let place = self.output.place(inputs)?;
        self.result.check(inputs, &place)?;
        let staged = self.inputs.for_each(log, |input, module, log| {
            let module = input.with_properties(annotations.on(module)?, None)?;
            let module = self.compile_time.lower(module, log)?;
            let packed = pack(&module, &options)?;
            self.rules.check(&packed, annotations.is_given(), &denied)?;
            let is_unchanged = packed.words == module.words();
            log_summary(&packed.summary, annotations.is_given(), is_unchanged, log);
            self.result.stage(&place, input.file_name(None), packed.words, &packed.properties)
        })?;
        annotations.finish(log)?;
        self.output.commit(staged.into_iter().flatten().collect())
    }
}

/// Says that nothing in a module becomes conditional.
fn nothing_conditional(is_annotated: bool) -> &'static str {
    match is_annotated {
        true => {
            "nothing becomes conditional, neither by the annotations nor by calls of call_if_on_device_conditionally... functions"
        }
        false => {
            "nothing becomes conditional: the module calls no call_if_on_device_conditionally... function"
        }
    }
}

/// Reports the result of packing.
fn log_summary(summary: &PackSummary, annotated: bool, is_unchanged: bool, log: &mut Log) {
    for warning in &summary.warnings {
        log.warning(warning);
    }
    if !summary.is_conditional() {
        let reason = nothing_conditional(annotated);
        let unchanged = if is_unchanged { "; the module is unchanged" } else { "" };
        return log.note(format!("{reason}{unchanged}"));
    }
    let verbose = log.is_verbose();
    let mut text = match summary.calls.len() {
        0 => "no call is conditional".to_owned(),
        calls => counted(calls, "conditional call"),
    };
    if summary.never_taken > 0 {
        let _ = write!(text, ", {} of them never taken", summary.never_taken);
    }
    if !summary.calls.is_empty() {
        let call =
            |call: &CallCondition| format!("{} calls {} where {}", call.caller, call.callee, call.condition);
        list(&mut text, verbose, summary.calls.iter().map(call));
    }
    declarations(&mut text, verbose, summary);
    if !summary.twins.is_empty() {
        text.push_str("\nlowered");
        let lines: Vec<String> = summary.twins.iter().flat_map(LoweredTwin::lines).collect();
        list(&mut text, verbose, lines.into_iter());
    }
    if !summary.set_by_host.is_empty() {
        text.push_str("\nthe host sets");
        list(&mut text, verbose, summary.set_by_host.iter().map(constant));
    }
    log.note(text);
}

/// Describes a constant that the host sets.
pub fn constant(constant: &ConditionConstant) -> String {
    format!("SpecId {} where {}", constant.spec_id, constant.condition)
}

fn declarations(text: &mut String, verbose: bool, summary: &PackSummary) {
    if !summary.conditional.is_empty() {
        text.push_str("\nconditional now");
        let line = |declaration: &ConditionalDeclaration| {
            format!("{} where {}", declaration.name, declaration.condition)
        };
        list(text, verbose, summary.conditional.iter().map(line));
    }
    let groups = [
        ("no longer required", &summary.removed),
        ("exported, but not kept on every device", &summary.conditional_exports),
    ];
    for (title, names) in groups.into_iter().filter(|(_, names)| !names.is_empty()) {
        let _ = write!(text, "\n{title}");
        list(text, verbose, names.iter().cloned());
    }
    if verbose && !summary.unconditional.is_empty() {
        text.push_str("\nrequired everywhere");
        list(
            text,
            true,
            summary
                .unconditional
                .iter()
                .map(|declaration| format!("{}: {}", declaration.name, declaration.reason)),
        );
    }
}

/// Appends lines under a title: `all` of them, or the first few and the number of others.
pub fn list(text: &mut String, all: bool, lines: impl ExactSizeIterator<Item = String>) {
    let count = lines.len();
    let shown = if all { count } else { count.min(LINES) };
    text.push(':');
    for line in lines.take(shown) {
        let _ = write!(text, "\n  {line}");
    }
    if shown < count {
        let _ = write!(text, "\n  and {} more (-v)", count - shown);
    }
}
