//! Validation by `spirv-val`, the validator of SPIRV-Tools.

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};
use std::{env, io, thread};

use spirv::Capability;

use super::error::{Error, ModuleErrorKind};
use super::module::{Module, declares_conditional_code};
use crate::analysis::requirements::{is_of_kernels, is_of_shaders};
use crate::loader::{self, Version};

/// The environment variable with the path of the validator.
const VARIABLE: &str = "SPIRV_VAL";
/// The validator's name in the PATH.
const NAME: &str = "spirv-val";

/// Options for what Vulkan permits where features are enabled.
const OF_VULKAN: [&str; 3] =
    ["--scalar-block-layout", "--workgroup-scalar-block-layout", "--allow-localsizeid"];

/// Option for OpConditionalEntryPointINTEL, which the validator takes for an instruction that must not have pointers.
const OF_CONDITIONAL_CODE: &str = "--relax-logical-pointer";

impl Module<'_> {
    /// Validates the module with `spirv-val` of SPIRV-Tools: the program that the environment variable `SPIRV_VAL` names, or the one in the PATH.
    ///
    /// A shader is validated for the oldest version of Vulkan that takes its version of SPIR-V, with layouts that devices may enable. Kernels,
    /// libraries and packed modules are validated for their version of SPIR-V.
    ///
    /// # Errors
    /// If the module is invalid; the error has the validator's message. Or if the validator cannot be run.
    pub fn validate(&self) -> Result<(), Error> {
        let environment = environment(&self.inner);
        let program = env::var_os(VARIABLE).unwrap_or_else(|| NAME.into());
        let mut command = Command::new(&program);
        command.args(["--target-env", &environment]);
        if declares_conditional_code(self.inner.words()) {
            command.arg(OF_CONDITIONAL_CODE);
        }
        if environment.starts_with("vulkan") {
            command.args(OF_VULKAN);
        }
        let output = run(command.arg("-"), &self.to_bytes()).map_err(|error| {
            let program = program.display();
            Error::module(
                ModuleErrorKind::File,
                match error.kind() {
                    ErrorKind::NotFound => format!(
                        "{program} was not found, which validates modules: install SPIRV-Tools, or name the program in {VARIABLE}"
                    ),
                    _ => format!("{program} does not run: {error}"),
                },
            )
        })?;
        match output.status.success() {
            true => Ok(()),
            false => {
                let message = [output.stdout, output.stderr].concat();
                let message = String::from_utf8_lossy(&message);
                Err(Error::module(
                    ModuleErrorKind::Invalid,
                    format!("the module is not valid for {environment}: {}", message.trim()),
                ))
            }
        }
    }
}

/// Runs a validator with a module as its input.
fn run(command: &mut Command, module: &[u8]) -> io::Result<Output> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let input = child.stdin.take();
    thread::scope(|scope| {
        // A validator that does not read all of it says why.
        scope.spawn(|| input.map(|mut input| input.write_all(module)));
        child.wait_with_output()
    })
}

/// Returns the environment whose rules a module has to follow, as the validator names it.
fn environment(module: &loader::Module) -> String {
    let version = module.version();
    let is_linked = module.capabilities().any(|declared| declared.capability() == Capability::Linkage as u32);
    let is_of_vulkan = is_of_shaders(module) && !is_of_kernels(module) && !is_linked;
    if !is_of_vulkan || declares_conditional_code(module.words()) {
        return format!("spv{version}");
    }
    let oldest = [
        (Version::new(1, 0), "vulkan1.0"),
        (Version::new(1, 3), "vulkan1.1"),
        (Version::new(1, 4), "vulkan1.1spv1.4"),
        (Version::new(1, 5), "vulkan1.2"),
    ];
    let oldest = oldest.into_iter().find(|(newest, _)| version <= *newest);
    oldest.map_or("vulkan1.3", |(_, environment)| environment).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::corpus::fixture;

    #[test]
    fn environments() {
        let environment_of = |name: &str| environment(fixture(name).plain.analyses().module());
        assert_eq!(environment_of("glsl/reduce.spv"), "vulkan1.1");
        assert_eq!(environment_of("opencl/plain.spv"), "spv1.2");
    }

    #[test]
    #[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
    fn invalid_modules_are_refused() {
        let fixture = fixture("glsl/reduce.spv");
        let words = fixture.plain.analyses().module().words();
        Module::from_words(words).unwrap().validate().unwrap();
        // The operand of the second OpCapability: one that no version has.
        let mut invalid = words.to_vec();
        invalid[8] = 0xffff;
        let error = Module::from_words(invalid).unwrap().validate().unwrap_err().to_string();
        assert!(error.starts_with("the module is not valid for vulkan1.1: error"), "{error}");
    }
}
