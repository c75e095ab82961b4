//! The answers of the SPIR-V tools about a module.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::cache::Cache;
use super::subject::{ModuleDeclaration, TrimSubject};
use crate::device::capabilities;
use crate::test_support;

/// The Vulkan environments, the newest first.
const VULKAN: [&str; 6] =
    ["vulkan1.4", "vulkan1.3", "vulkan1.2", "vulkan1.1spv1.4", "vulkan1.1", "vulkan1.0"];
/// Code that Vulkan allows by features that SPIR-V does not declare.
const VULKAN_FEATURES: [&str; 4] = [
    "--scalar-block-layout",
    "--workgroup-scalar-block-layout",
    "--uniform-buffer-standard-layout",
    "--allow-localsizeid",
];
const OPENCL: &str = "opencl2.2";

/// spirv-val and spirv-opt, with a memory.
pub struct Oracle {
    validator: PathBuf,
    optimizer: PathBuf,
    cache: Cache,
}

impl Oracle {
    pub fn new() -> Oracle {
        let validator = test_support::tool("SPIRV_VAL", "spirv-val");
        let version = test_support::run(&validator, &["--version"], &[]).unwrap();
        let cache = Cache::open(&String::from_utf8_lossy(&version));
        Oracle { validator, optimizer: test_support::tool("SPIRV_OPT", "spirv-opt"), cache }
    }

    /// Validates a module in an environment. The error is the first line of the message.
    pub fn validate(&self, words: &[u32], environment: &str) -> Result<(), String> {
        let answer = self.cache.answer(words, environment, || {
            let mut arguments = vec!["--target-env", environment];
            if environment.starts_with("vulkan") {
                arguments.extend(VULKAN_FEATURES);
            }
            match test_support::run(&self.validator, &arguments, &test_support::bytes_of(words)) {
                Ok(_) => String::new(),
                Err(message) if message.trim().is_empty() => "invalid".into(),
                Err(message) => message.trim().into(),
            }
        });
        if answer.is_empty() { Ok(()) } else { Err(answer) }
    }

    /// Validates a module in all of these environments.
    pub fn validate_all(&self, words: &[u32], environments: &[String]) -> Result<(), String> {
        environments.iter().try_for_each(|environment| {
            self.validate(words, environment).map_err(|message| format!("{environment}: {message}"))
        })
    }

    /// Returns the environments in which a module is checked: the universal one of its version, and the newest of
    /// Vulkan or OpenCL in which it is valid. The error is that of the universal environment.
    pub fn environments(&self, subject: &TrimSubject) -> Result<Vec<String>, String> {
        let mut environments = vec![format!("spv{}", subject.version())];
        self.validate_all(&subject.words, &environments)?;
        let mut declared = subject.declared().into_iter().filter_map(|declared| match declared {
            ModuleDeclaration::Capability(number) => Some(number),
            ModuleDeclaration::Extension(_) => None,
        });
        let mut capabilities: BTreeSet<u32> = declared.by_ref().collect();
        capabilities::close(&mut capabilities);
        let accepts = |environment: &&&str| self.validate(&subject.words, environment).is_ok();
        if capabilities.contains(&(spirv::Capability::Shader as u32)) {
            environments.extend(VULKAN.iter().find(accepts).map(ToString::to_string));
        }
        if capabilities.contains(&(spirv::Capability::Kernel as u32)) {
            environments.extend([OPENCL].iter().find(accepts).map(ToString::to_string));
        }
        Ok(environments)
    }

    /// Returns the declarations that `spirv-opt --trim-capabilities` removes.
    pub fn optimizer_removes(&self, subject: &TrimSubject) -> BTreeSet<ModuleDeclaration> {
        let before = subject.declared();
        // By place among the declarations: extensions have no numbers.
        let answer = self.cache.answer(&subject.words, "trim-capabilities", || {
            let bytes = test_support::bytes_of(&subject.words);
            let Ok(bytes) =
                test_support::run(&self.optimizer, &["--trim-capabilities", "-o", "-", "-"], &bytes)
            else {
                return String::new();
            };
            let after =
                TrimSubject::load(&test_support::words_of(&bytes)).map_or(before.clone(), |s| s.declared());
            let removed = before.iter().enumerate().filter(|(_, declared)| !after.contains(declared));
            removed.map(|(place, _)| place.to_string()).collect::<Vec<_>>().join(" ")
        });
        let places: BTreeSet<usize> = answer.split_whitespace().map(|place| place.parse().unwrap()).collect();
        before.into_iter().enumerate().filter(|(at, _)| places.contains(at)).map(|(_, d)| d).collect()
    }
}
