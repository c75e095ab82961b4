//! `spirv-if trim`.

use clap::Args;
use spirv_if::Module;
use spirv_if::trim::{strip, trim, trim_properties};

use super::counted;
use super::io::{self, Data, Inputs, Output, WriteArgs};
use super::log::Log;

/// Remove capabilities and extensions that nothing in a module requires
///
/// A driver rejects a module for a capability that it declares, required or not.
/// This command removes the declarations that no instruction requires or that
/// another declaration implies. Where code requires only a part of a capability,
/// the narrower one that it requires is declared instead. Variables of shaders
/// that nothing writes become NonWritable, in the stages in which Vulkan requires
/// a feature for others. Everything else is kept bit for bit.
///
/// These are always kept:
///   - Kernel and Shader, which drivers look for by name,
///   - capabilities and extensions without known rules,
///   - one of several alternatives, and
///   - a capability for a use that Vulkan has a feature for, even if SPIR-V requires
///     less: an 8-bit storage buffer, an array of images that is indexed dynamically.
///
/// The properties beside a module (MODULE.prop for MODULE.spv) are copied to the
/// result, without aspects that only removed declarations require. Without them,
/// properties of an earlier result are removed.
///
/// Examples:
///
///   One module:
///     spirv-if trim shader.spv -o shader.spv
///
///   Many modules:
///     spirv-if trim build/*.spv -o trimmed/
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct TrimArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    embed: WriteArgs,
    #[command(flatten)]
    strip: StripArg,
}

/// Results without names and debug information.
#[derive(Args, Clone, Copy, Debug)]
pub struct StripArg {
    /// Remove names, sources, debug information and other non-semantic instructions, with the types and constants that only they use. Names
    /// of conditional code and properties are kept
    #[arg(long)]
    pub strip: bool,
}

impl TrimArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let place = self.output.place(self.inputs.count()?)?;
        self.embed.check(&place)?;
        let staged = self.inputs.for_each(log, |input, module, log| {
            let module = match self.strip.strip {
                true => Module::from_words(strip(&module)?.words)?,
                false => module,
            };
            let trimmed = trim(&module)?;
            log_removed(&trimmed.removed, log);
            if !trimmed.read_only.is_empty() {
                log.note(format!("nothing writes, so NonWritable now: {}", trimmed.read_only.join(", ")));
            }
            let destination = self.embed.destination(&place, input.file_name(None));
            let before = input.beside("prop").map(|before| io::read_properties(&before)).transpose()?;
            let properties = before.map(|before| trim_properties(&module, &trimmed, &before)).transpose()?;
            self.embed.stage_with(destination, Data::Words(trimmed.words), properties.as_ref())
        })?;
        self.output.commit(staged.into_iter().flatten().collect())
    }
}

/// Reports the removed declarations.
pub fn log_removed(removed: &[String], log: &mut Log) {
    match removed.len() {
        0 => log.note("all declarations are required"),
        count => log.note(format!("removed {}: {}", counted(count, "declaration"), removed.join(", "))),
    }
}
