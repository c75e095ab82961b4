//! The one device that there is, of either interface, as programs run on it.

use spirv_if::module::Version;
use std::rc::Rc;

use opencl3::device::Device as OpenCl;
use spirv_if::Device;

use super::generate::MOST;
use super::values::{Constant, Type};
use crate::drivers::opencl::driver;
use crate::drivers::vulkan;
use crate::drivers::vulkan::runner::{ShaderJob, Vulkan};

/// The work-groups that are run.
const GROUPS: usize = 2;
/// The work-items of one, where the module does not say how many.
const ITEMS: usize = 4;

thread_local! {
    /// The driver of all programs of a process.
    static VULKAN: Result<Rc<Vulkan>, String> = Vulkan::open().map(Rc::new);
}

/// Values of specialization constants: SpecIds and bytes.
pub type Constants = [(u32, Vec<u8>)];

pub enum Machine {
    Vulkan(Rc<Vulkan>),
    OpenCl(OpenCl),
}

impl Machine {
    pub fn open(interface: &str) -> Result<Machine, String> {
        match interface {
            "vulkan" => Ok(Machine::Vulkan(VULKAN.with(Clone::clone)?)),
            _ => Ok(Machine::OpenCl(driver::device()?)),
        }
    }

    /// The device as the library sees it.
    pub fn probed(&self) -> Result<Device, String> {
        match self {
            Machine::Vulkan(vulkan) => Ok(vulkan.probed()),
            Machine::OpenCl(device) => {
                spirv_if_probe::from_opencl(device.id()).map_err(|error| error.to_string())
            }
        }
    }

    /// The name of the entry point that it runs.
    pub fn entry_point(&self) -> &'static str {
        match self {
            Machine::Vulkan(_) => "main",
            Machine::OpenCl(_) => "run",
        }
    }

    /// The environment of spirv-val for modules of a version.
    pub fn environment(&self, version: Version) -> String {
        match self {
            Machine::Vulkan(_) => vulkan::environment(version).to_owned(),
            Machine::OpenCl(_) => format!("spv{version}"),
        }
    }

    /// The word of a trap that was reached.
    pub const MARKED: u32 = 1;

    /// The buffer of the results, and the offset in bytes of the word behind them, for traps.
    pub fn mark(&self) -> (String, u32) {
        match self {
            Machine::Vulkan(_) => ("0.1".to_owned(), 4 * (MOST * GROUPS) as u32),
            Machine::OpenCl(_) => ("1".to_owned(), 4 * (ITEMS * GROUPS) as u32),
        }
    }

    /// A value of a constant, as bytes for the API.
    pub fn bytes(&self, constant: &Constant, value: &str) -> Vec<u8> {
        match (self, constant.of) {
            (Machine::Vulkan(_), Type::Bool) => u32::from(value == "true").to_ne_bytes().to_vec(),
            _ => constant.bytes(value),
        }
    }

    /// The results of a module for inputs and a word behind them, with constants that are set to values through the API: SpecIds and bytes.
    pub fn run(&self, words: &[u32], constants: &Constants, inputs: &[u32]) -> Result<Vec<u32>, String> {
        match self {
            Machine::Vulkan(vulkan) => {
                let job = ShaderJob {
                    buffers: vec![inputs.to_vec(), vec![0; MOST * GROUPS + 1]],
                    constants: constants.to_vec(),
                    groups: [GROUPS as u32, 1, 1],
                    ..ShaderJob::default()
                };
                let after = vulkan.run(words, words, &job).map_err(|failure| failure.to_string())?;
                Ok(after.into_iter().next_back().unwrap_or_default())
            }
            Machine::OpenCl(device) => {
                let job = driver::KernelJob {
                    inputs: vec![inputs.to_vec()],
                    outputs: vec![ITEMS * GROUPS + 1],
                    numbers: &[],
                    halves: &[],
                    items: ITEMS * GROUPS,
                    group: ITEMS,
                    constants: constants.to_vec(),
                };
                let after = driver::run_anew(device, words, &job).map_err(|refusal| refusal.call())?;
                Ok(after.into_iter().next_back().unwrap_or_default())
            }
        }
    }
}
