//! Cuts the module inside it down for two devices.

use spirv_if::{Device, Module, Prepared, Settings};

/// Packed by `build.rs`. Bytes may lie at any address: words that are not aligned are copied.
static GUARDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/guarded.spv"));

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let module = Module::from_bytes(GUARDED)?;
    let prepared = Prepared::new(&module)?;
    for name in ["intel_gpu_bmg_g21", "nvidia_gpu_sm_50"] {
        let words = prepared.specialize(&Device::embedded(name)?, &Settings::new())?.words;
        println!("{name}: {} of {} bytes", 4 * words.len(), GUARDED.len());
    }
    Ok(())
}
