//! The modules of a program: compiled by glslang with or without debug information, and optimized by a random list of passes or not.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::random::Random;
use crate::common::{brought, run, tool};

/// Passes of spirv-opt that leave specialization constants to be set.
const PASSES: &[&str] = &[
    "--ccp",
    "--cfg-cleanup",
    "--combine-access-chains",
    "--compact-ids",
    "--convert-local-access-chains",
    "--copy-propagate-arrays",
    "--eliminate-dead-branches",
    "--eliminate-dead-code-aggressive",
    "--eliminate-dead-functions",
    "--eliminate-dead-inserts",
    "--eliminate-insert-extract",
    "--eliminate-local-multi-store",
    "--eliminate-local-single-block",
    "--eliminate-local-single-store",
    "--fold-spec-const-op-composite",
    "--if-conversion",
    "--inline-entry-points-exhaustive",
    "--local-redundancy-elimination",
    "--loop-fission",
    "--loop-invariant-code-motion",
    "--loop-peeling",
    "--loop-unroll",
    "--loop-unswitch",
    "--merge-blocks",
    "--merge-return",
    "--private-to-local",
    "--reduce-load-size",
    "--redundancy-elimination",
    "--scalar-replacement=100",
    "--simplify-instructions",
    "--ssa-rewrite",
    "--strength-reduction",
    "--unify-const",
    "--vector-dce",
    "-O",
    "-Os",
];

/// How a program is compiled.
pub struct Build {
    /// The options of glslang.
    glslang: Vec<&'static str>,
    /// The version of Vulkan.
    environment: &'static str,
    pub passes: Vec<&'static str>,
}

impl Build {
    pub fn random(random: &mut Random) -> Build {
        let debug = *random.pick(&[None, None, Some("-g"), Some("-gV"), Some("-gVS")]);
        let environment = random.pick(&["vulkan1.1", "vulkan1.2", "vulkan1.3"]);
        let count = if random.chance(50) { 0 } else { 1 + random.below(8) };
        let passes = (0..count).map(|_| *random.pick(PASSES)).collect();
        Build { glslang: debug.into_iter().collect(), environment, passes }
    }

    /// The commands that compile and optimize the files.
    pub fn commands(&self, source: &Path, module: &Path) -> String {
        let glslang = ["glslangValidator", "--quiet", "-V", "--target-env", self.environment];
        let (source, module) = (source.display(), module.display());
        let glslang = [&glslang[..], &self.glslang].concat().join(" ");
        let mut text = format!("{glslang} {source} -o {module}\n");
        if !self.passes.is_empty() {
            let (environment, passes) = (self.environment, self.passes.join(" "));
            text += &format!("spirv-opt --target-env={environment} {passes} {module} -o {module}\n");
        }
        text
    }

    /// The module of a source, as bytes; none if spirv-opt does not make a valid one.
    pub fn compile(&self, source: &Path, module: &Path) -> Result<Option<Vec<u8>>, String> {
        let glslang: PathBuf = brought("GLSLANG", "bin/glslangValidator").ok_or("no glslang")?;
        let mut command = Command::new(glslang);
        command.args(["--quiet", "-V", "--target-env", self.environment]).args(&self.glslang);
        let output = command.arg(source).arg("-o").arg(module).output().map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let bytes = std::fs::read(module).map_err(|error| error.to_string())?;
        if self.passes.is_empty() {
            return Ok(Some(bytes));
        }
        let optimizer = tool("SPIRV_OPT", "spirv-opt").ok_or("no spirv-opt")?;
        let environment = format!("--target-env={}", self.environment);
        let mut arguments = vec![environment.as_str()];
        arguments.extend(&self.passes);
        arguments.extend(["-", "-o", "-"]);
        Ok(run(&optimizer, &arguments, &bytes).ok())
    }
}
