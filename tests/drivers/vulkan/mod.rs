//! Vulkan drivers.

mod features;
mod forms;
mod ggml;
mod kernels;
mod runner;

use std::path::PathBuf;

use spirv_if::device::Device;
use spirv_if::loader::Module;

use forms::{Form, Source};
use kernels::{KERNELS, Kernel};
use runner::Vulkan;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Something to run in a process of its own, by name. It says what happened.
pub type Case = (String, Box<dyn Fn() -> Result<String>>);

/// All that a driver must manage.
pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for kernel in KERNELS {
        for form in Form::ALL {
            cases.push((format!("{}/{}", kernel.name, form.name()), Box::new(move || runs(kernel, form))));
        }
    }
    for shader in ggml::SHADERS {
        cases.push((format!("ggml/{}", shader.name), Box::new(move || ggml::runs(shader))));
    }
    cases
}

/// The checkout: that of cargo, or the current folder for a program that was built elsewhere.
fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| ".".into(), PathBuf::from)
}

fn probe(_vulkan: &Vulkan) -> Result<Device> {
    use spirv_if::device::DeviceParts;
    Ok(Device::from_parts(
        &DeviceParts {
            aspects: Some("cpu,fp16,fp64,atomic64".into()),
            capabilities: Some("Shader,Float16,Float64,Int64,Int16,Int8,Int64Atomics,GroupNonUniformArithmetic,StorageBuffer16BitAccess".into()),
            ..Default::default()
        },
        None,
    )?)
}

/// Runs a kernel on the device as it is, and with every choice of its features masked off in the device's entry.
fn runs(kernel: &Kernel, form: Form) -> Result<String> {
    let vulkan = Vulkan::open()?;
    let device = probe(&vulkan)?;
    let source = Source::fixture(kernel.name)?;
    let mut ways = Vec::new();
    for choice in 0..1u32 << kernel.features.len() {
        let keep: Vec<bool> = (0..kernel.features.len()).map(|bit| choice >> bit & 1 == 0).collect();
        let (device, has) = forms::masked(&device, kernel.features, &keep)?;
        if ways.contains(&has) {
            continue;
        }
        let on = |message: String| format!("with {has:?} of its features: {message}");
        let words = source.made_for(&device, form)?;
        forms::check(&words, &device).map_err(|error| on(error.to_string()))?;
        for (number, feature) in (1..).zip(kernel.features) {
            let wanted = if kernel.independent { has[number as usize - 1] } else { kernel.way(&has) == number };
            if forms::declares(&words, feature.capability)? != wanted {
                let not = if wanted { "not " } else { "" };
                return Err(on(format!("{:?} is {not}declared", feature.capability)).into());
            }
        }
        let job = (kernel.job)();
        let after = vulkan
            .run(&words, &Module::from_words(&words[..])?, &job)
            .map_err(|failure| on(failure.to_string()))?;
        (kernel.check)(&kernel.ran(&vulkan, &has, &job, &after)).map_err(on)?;
        ways.push(has);
    }
    Ok(format!("{ways:?}"))
}
