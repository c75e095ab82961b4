//! Compilers of GPUs that are not there (`target/tools/compilers`): they compile what this crate makes, and compute nothing.

use spirv_if::module::Version;
use spirv_if::{Device, Module, Prepared, Settings};

use super::cached::finds_pipelines;
use super::kernels::{KERNELS, VulkanKernel};
use super::runner::{Failure, ShaderJob, Vulkan};
use super::{VulkanResult, made, masks, shown};
use crate::common::{root, validate, words_of};
use crate::drivers::routes::ROUTES;
use crate::drivers::{DriverCase, NOT_RUN};
use crate::ubershaders::settings;

/// The cases of a compiler.
pub fn cases() -> Vec<DriverCase> {
    let kernel = |kernel: &'static VulkanKernel| {
        DriverCase::new(kernel.name.replace('/', "::"), move || shown(compiles(kernel)))
    };
    let shader = |name: &'static str| {
        DriverCase::new(format!("statistics::{name}"), move || shown(counts_instructions(name)))
    };
    let caches = DriverCase::new("pipeline-cache".to_owned(), || shown(finds_pipelines()));
    KERNELS.iter().map(kernel).chain(settings::NAMES.into_iter().map(shader)).chain([caches]).collect()
}

/// Every route's module of a kernel is compiled, for the device and for it without some of its features.
fn compiles(kernel: &VulkanKernel) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    if vulkan.version() < Version::new(1, 1) {
        return Ok(format!("{NOT_RUN}Vulkan 1.0 does not take SPIR-V 1.3"));
    }
    let mut compiled = 0;
    for (title, route) in ROUTES {
        for mask in masks(kernel.features) {
            let failed = |problem: String| format!("{title}, without {mask:?}: {problem}");
            let made = made(&vulkan, kernel, route, &mask).map_err(|error| failed(error.to_string()))?;
            if made.before.is_none() {
                compile(&vulkan, &made.words, &(kernel.job)()).map_err(|error| failed(error.to_string()))?;
                compiled += 1;
            }
        }
    }
    Ok(format!("compiles {compiled} modules"))
}

/// Compiles a module; returns the number of the compiler's instructions.
fn compile(vulkan: &Vulkan, words: &[u32], job: &ShaderJob) -> VulkanResult<u64> {
    let failed = |failure: Failure| failure.to_string();
    let device = vulkan.open_compiler(words).map_err(failed)?;
    // SAFETY: the device has what the module requires, and the process is for this compiler alone.
    let pipeline = unsafe { device.create_pipeline(words, job) }.map_err(failed)?;
    let statistics = device.statistics(&pipeline).map_err(failed)?;
    // Each driver has its own spelling.
    let is_count = |name: &str| ["instructions", "instruction count"].contains(&&name.to_lowercase()[..]);
    let count = statistics.iter().find(|(name, _)| is_count(name));
    Ok(count.ok_or_else(|| format!("no number of instructions in {statistics:?}"))?.1)
}

/// A shader whose constants are set before is compiled to as many instructions as one whose constants are set through Vulkan: to a
/// hundredth more at most.
fn counts_instructions(name: &str) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    if vulkan.version() < Version::new(1, 1) {
        return Ok(format!("{NOT_RUN}Vulkan 1.0 does not take SPIR-V 1.3"));
    }
    let words = words_of(&std::fs::read(root().join(format!("fixtures/ubershaders/{name}.spv")))?);
    let module = Module::from_words(&words[..])?;
    let prepared = Prepared::new(&module)?;
    let job = ShaderJob { buffers: vec![Vec::new(); 3], ..ShaderJob::default() };
    let (mut by_api, mut before) = (0, 0);
    for setting in settings::settings(name, &words)? {
        let bytes = |&(spec_id, value): &(u32, u32)| (spec_id, value.to_ne_bytes().to_vec());
        let constants = setting.values.iter().map(bytes).collect();
        by_api += compile(&vulkan, &words, &ShaderJob { constants, ..job.clone() })?;
        let set = |settings: Settings, &(spec_id, value): &(u32, u32)| settings.set(spec_id, value);
        let all = setting.values.iter().fold(Settings::new(), set).trim(true);
        let result = prepared.specialize(&Device::default(), &all)?.words;
        validate(&result, "vulkan1.1")?;
        before += compile(&vulkan, &result, &job)?;
    }
    let counted = format!("{by_api} instructions by the API, {before} set before");
    if before > by_api + by_api / 100 { Err(counted.into()) } else { Ok(counted) }
}
