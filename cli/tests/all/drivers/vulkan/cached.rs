//! Pipeline caches of compilers of GPUs that are not there: which pipelines they find.

use ash::vk;
use spirv::Op;
use spirv_if::module::Version;
use spirv_if::{Device, Module, Prepared, Settings};

use super::VulkanResult;
use super::runner::{Failure, OpenDevice, ShaderJob, Vulkan};
use crate::common::{root, words_of};
use crate::drivers::NOT_RUN;
use crate::ubershaders::settings;

/// A shader that requires no features.
const SHADER: &str = "filter";

/// A pipeline is found by the bytes of its module and by the values of its constants: nothing else is, neither a module that differs in a name nor what
/// `specialize` makes, which is found once it is made again.
pub fn finds_pipelines() -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    if vulkan.version() < Version::new(1, 3) {
        return Ok(format!("{NOT_RUN}only devices of Vulkan 1.3 tell what caches find"));
    }
    let failed = |failure: Failure| failure.to_string();
    let words = words_of(&std::fs::read(root().join(format!("fixtures/ubershaders/{SHADER}.spv")))?);
    let device = vulkan.open_device(&words).map_err(failed)?;
    // SAFETY: the device is open.
    let cache =
        unsafe { device.device.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None)? };
    let found =
        |words: &[u32], values: &[(u32, u32)]| is_found(&device, cache, words, values).map_err(failed);
    let all = settings::settings(SHADER, &words)?;
    let [first, second] = [0, 1].map(|setting: usize| &all[setting].values[..]);
    let made = || -> VulkanResult<Vec<u32>> {
        let set = |settings: Settings, &(spec_id, value): &(u32, u32)| settings.set(spec_id, value);
        let settings = first.iter().fold(Settings::new(), set).trim(true);
        let module = Module::from_words(&words[..])?;
        Ok(Prepared::new(&module)?.specialize(&Device::default(), &settings)?.words)
    };
    let renamed = with_another_name(&words).ok_or("the module has no names")?;
    let tries: [(&str, bool, bool); 8] = [
        ("a module", found(&words, first)?, false),
        ("the same", found(&words, first)?, true),
        ("with other values of constants", found(&words, second)?, false),
        ("with another name", found(&renamed, first)?, false),
        ("the same with that name", found(&renamed, first)?, true),
        ("specialized", found(&made()?, &[])?, false),
        ("specialized again", found(&made()?, &[])?, true),
        ("the first", found(&words, first)?, true),
    ];
    let wrong = tries.iter().filter(|(_, found, expected)| found != expected);
    let wrong: Vec<String> = wrong.map(|(what, found, _)| format!("{what}: found {found}")).collect();
    // SAFETY: nothing uses it any more.
    unsafe { device.device.destroy_pipeline_cache(cache, None) };
    match wrong.is_empty() {
        true => Ok("a cache finds equal bytes with equal values, and nothing else".to_owned()),
        false => Err(wrong.join(", ").into()),
    }
}

/// Creates a pipeline; returns true if the cache has it.
fn is_found(
    device: &OpenDevice,
    cache: vk::PipelineCache,
    words: &[u32],
    values: &[(u32, u32)],
) -> Result<bool, Failure> {
    let constants = values.iter().map(|&(spec_id, value)| (spec_id, value.to_ne_bytes().to_vec())).collect();
    let job = ShaderJob { buffers: vec![Vec::new(); 3], constants, ..ShaderJob::default() };
    // SAFETY: the device has what the module requires, and the process is for this compiler alone.
    let (_, is_found) = unsafe { device.create_cached_pipeline(words, &job, cache) }?;
    Ok(is_found)
}

/// Returns the module with another letter in the first name.
fn with_another_name(words: &[u32]) -> Option<Vec<u32>> {
    let module = Module::from_words(words).ok()?;
    let mut instructions = module.inner.head().chain(module.inner.globals());
    let name = instructions.find(|inst| inst.is(Op::Name))?;
    let mut renamed = words.to_vec();
    *renamed.get_mut(name.offset() as usize + 2)? ^= 1;
    Some(renamed)
}
