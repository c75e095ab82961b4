//! Compile-time properties.

use clap::Args;
use spirv_if::Module;
use spirv_if::module::{LowerOptions, Version};

use super::counted;
use super::log::Log;

/// Option to keep compile-time properties.
#[derive(Args, Debug)]
pub struct KeepPropertiesArg {
    /// Leave compile-time properties (`sycl-properties:`) as they are, instead of making execution modes and decorations of them
    #[arg(long)]
    pub keep_properties: bool,
}

/// Options for compile-time properties: to keep them, and the latest version of SPIR-V that they may require.
#[derive(Args, Debug)]
pub struct PropertiesArgs {
    #[command(flatten)]
    pub keep: KeepPropertiesArg,
    /// The latest version of SPIR-V to which compile-time properties may raise a module: what they require of a later one stays a
    /// requirement
    #[arg(long, value_name = "VERSION", value_parser = version)]
    max_version: Option<Version>,
}

impl PropertiesArgs {
    /// Sets the lowering of a module, and reports its effects.
    pub fn lower<'m>(&self, module: Module<'m>, log: &mut Log) -> anyhow::Result<Module<'m>> {
        self.keep.lower(module, self.max_version, log)
    }
}

impl KeepPropertiesArg {
    /// Sets the lowering of a module, at most to a version, and reports its effects.
    pub fn lower<'m>(
        &self,
        module: Module<'m>,
        max_version: Option<Version>,
        log: &mut Log,
    ) -> anyhow::Result<Module<'m>> {
        let options = LowerOptions::new().keep(self.keep_properties).max_version(max_version);
        let module = module.with_lowering(options);
        let lowered = module.lowered_properties()?;
        lowered.warnings.iter().for_each(|warning| log.warning(warning));
        if lowered.lowered > 0 {
            let count = counted(lowered.lowered, "instruction");
            log.detail(format!("compile-time properties became {count}"));
        }
        for property in &lowered.removed {
            let (name, holder) = (&property.name, &property.holder);
            log.detail(format!("removed the property `{name}` of {holder}: it has no meaning there"));
        }
        Ok(module)
    }
}

/// Parses a version of SPIR-V that exists.
pub fn version(text: &str) -> Result<Version, String> {
    let all = || (0..=spirv::MINOR_VERSION).map(|minor| Version::new(spirv::MAJOR_VERSION, minor));
    all().find(|version| version.to_string() == text).ok_or_else(|| {
        let versions: Vec<String> = all().map(|version| version.to_string()).collect();
        format!("the versions of SPIR-V are {}", versions.join(", "))
    })
}
