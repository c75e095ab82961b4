//! Compile-time properties.

use clap::Args;
use spirv_if::{LowerOptions, Module};

use super::counted;
use super::log::Log;

/// Whether compile-time properties become execution modes and decorations.
#[derive(Args, Debug)]
pub struct KeepPropertiesArg {
    /// Leave compile-time properties (`sycl-properties:`) as they are, instead of making execution modes and decorations of them
    #[arg(long)]
    pub keep_properties: bool,
}

/// The same, with the latest version of SPIR-V that they may require.
#[derive(Args, Debug)]
pub struct PropertiesArgs {
    #[command(flatten)]
    pub keep: KeepPropertiesArg,
    /// The latest version of SPIR-V to which compile-time properties may raise a module: what they require of a later one stays a
    /// requirement
    #[arg(long, value_name = "VERSION", value_parser = version)]
    max_version: Option<(u8, u8)>,
}

impl PropertiesArgs {
    /// A module whose properties are lowered, with what becomes of them reported.
    pub fn lower<'m>(&self, module: Module<'m>, log: &mut Log) -> anyhow::Result<Module<'m>> {
        self.keep.lower(module, self.max_version, log)
    }
}

impl KeepPropertiesArg {
    /// A module whose properties are lowered, at most to a version, with what becomes of them reported.
    pub fn lower<'m>(
        &self,
        module: Module<'m>,
        max_version: Option<(u8, u8)>,
        log: &mut Log,
    ) -> anyhow::Result<Module<'m>> {
        let mut options = LowerOptions::default();
        (options.keep, options.max_version) = (self.keep_properties, max_version);
        let module = module.with_lowering(options);
        let lowered = module.lowered_properties()?;
        lowered.warnings.iter().for_each(|warning| log.warning(warning));
        if lowered.lowered > 0 {
            let count = counted(lowered.lowered, "instruction");
            log.detail(format!("compile-time properties became {count}"));
        }
        for (property, holder) in &lowered.removed {
            log.detail(format!("removed the property `{property}` of {holder}: it has no meaning there"));
        }
        Ok(module)
    }
}

/// A version of SPIR-V, one of those that there are.
pub fn version(text: &str) -> Result<(u8, u8), String> {
    let all = || (0..=spirv::MINOR_VERSION).map(|minor| (spirv::MAJOR_VERSION, minor));
    let written = |(major, minor): (u8, u8)| format!("{major}.{minor}");
    all().find(|version| written(*version) == text).ok_or_else(|| {
        format!("the versions of SPIR-V are {}", all().map(written).collect::<Vec<_>>().join(", "))
    })
}
