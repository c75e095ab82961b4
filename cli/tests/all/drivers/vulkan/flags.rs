//! Flags in integer constants, on the device with and without their features.

use super::VulkanResult;
use super::runner::{ShaderJob, Vulkan};
use crate::drivers::flags::{self, FlagFixture, NUMBER};

pub fn runs(fixture: &FlagFixture) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    flags::runs(fixture, &vulkan.probed(), |module, constants| {
        let job = ShaderJob {
            buffers: vec![vec![0, 0, 0, NUMBER]],
            constants: constants.to_vec(),
            groups: [1, 1, 1],
            ..ShaderJob::default()
        };
        Ok(vulkan.run(module, module, &job).map_err(|failure| failure.to_string())?.remove(0))
    })
}
