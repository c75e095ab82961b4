//! `spirv-if merge`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use spirv_if::{Condition, MergeOptions, MergeSummary, SpecId, Variant, merge};

use super::device::ConfigArg;
use super::io::{self, Data, Destination, EmbedArgs, Expected, Output};
use super::log::Log;
use super::pack::{DialectArg, PropertyNamesArg, list};
use super::usage;

/// Make one module of builds of one shader for different devices
///
/// Each build, a variant, comes with the condition of the devices that it is
/// for. The first whose condition holds is chosen; `else` stands for all
/// remaining devices. What is equal in several variants is in the result once,
/// and what differs is conditional (SPV_INTEL_function_variants);
/// `spirv-if specialize` gives back the variant for a device.
///
/// Without `else`, a device that no variant is for is refused.
///
/// The properties, written to OUT.prop for OUT.spv, give the condition of each
/// specialization constant and the requirements of the module. The result also
/// carries them itself, so that `spirv-if` does not need the file.
///
/// Examples:
///
///   Three builds, of which each device gets one:
///     spirv-if merge a.f16.spv='fp16' \
///         a.sg.spv='cap(GroupNonUniformArithmetic)' a.spv=else -o a.packed.spv
///
///   The build for a device, from all of them:
///     spirv-if specialize a.packed.spv --device intel_gpu_pvc -o a.pvc.spv
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// A variant and the condition of the devices that it is for, or `else`; the first that holds counts
    #[arg(value_name = "MODULE=CONDITION", required = true, value_parser = variant)]
    variants: Vec<(PathBuf, Option<Condition>)>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    embed: EmbedArgs,
    /// The file of the properties, instead of the one beside the module; `-` is standard output
    #[arg(long, value_name = "FILE")]
    properties: Option<PathBuf>,
    /// The spelling of the properties
    #[arg(long, value_enum, default_value_t, value_name = "NAMES")]
    property_names: PropertyNamesArg,
    /// The form of the leaves of conditions
    #[arg(long, value_enum, default_value_t, value_name = "DIALECT")]
    dialect: DialectArg,
    #[command(flatten)]
    config: ConfigArg,
}

/// A variant on the command line.
fn variant(text: &str) -> Result<(PathBuf, Option<Condition>), String> {
    let (path, condition) = text
        .rsplit_once('=')
        .filter(|(path, _)| !path.is_empty())
        .ok_or("a module and a condition with `=` between them, as in a.spv=fp16 or a.spv=else")?;
    let condition = match condition.trim() {
        "else" => None,
        condition => Some(Condition::parse(condition).map_err(|error| error.to_string())?),
    };
    Ok((path.into(), condition))
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        if let Some(at) = self.variants.iter().position(|(_, condition)| condition.is_none())
            && at + 1 < self.variants.len()
        {
            return Err(usage("`else` is for all remaining devices: it must be the last"));
        }
        let paths: Vec<PathBuf> = self.variants.iter().map(|(path, _)| path.clone()).collect();
        let inputs = io::list(&paths)?;
        let mut options = MergeOptions::default();
        options.dialect = self.dialect.into();
        options.devices = self.config.read()?;
        options.property_names = self.property_names.into();
        let place = self.output.place(1)?;
        self.embed.check(&place)?;
        let bytes = io::each(&inputs, &inputs, log, |input, _, _| input.read(Expected::Module))?;
        let modules = io::each(&inputs, &bytes, log, |input, bytes, _| {
            Ok(bytes.module()?.with_name(input.to_string()))
        })?;
        let variants: Vec<Variant> = modules
            .iter()
            .zip(&self.variants)
            .map(|(module, (_, condition))| Variant { module, condition: condition.as_ref() })
            .collect();
        let merged = merge(&variants, &options)?;
        tell(&merged.summary, log);
        let destination = self.embed.of(&place, inputs[0].file_name(None));
        let elsewhere = self.properties.as_deref().map(Destination::at);
        let text = || Data::Text(merged.properties.to_text());
        let beside = destination.stage_properties(elsewhere.is_none().then_some(&merged.properties))?;
        let elsewhere = elsewhere.map(|elsewhere| elsewhere.stage(text())).transpose()?;
        let module = self.embed.stage(destination, merged.words)?;
        self.output.commit(module.into_iter().chain(beside).chain(elsewhere).collect())
    }
}

/// Reports what was done.
fn tell(summary: &MergeSummary, log: &mut Log) {
    for warning in &summary.warnings {
        log.warning(warning);
    }
    let verbose = log.is_verbose();
    let mut text = format!("{} bytes are of several variants, and of one alone", summary.shared);
    let line = |(name, condition, bytes): &(String, Condition, usize)| {
        format!("{bytes} bytes of {name}, for devices where {condition}")
    };
    list(&mut text, verbose, summary.variants.iter().map(line));
    if let Some(condition) = &summary.condition {
        let _ = write!(text, "\ndevices are refused unless {condition}");
    }
    if !summary.set_by_host.is_empty() {
        text.push_str("\nthe host sets");
        let constant =
            |(spec_id, condition): &(SpecId, Condition)| format!("SpecId {spec_id} where {condition}");
        list(&mut text, verbose, summary.set_by_host.iter().map(constant));
    }
    log.note(text);
}
