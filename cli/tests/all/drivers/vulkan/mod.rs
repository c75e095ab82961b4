//! Packed kernels on Vulkan drivers, which know nothing of the extension, and shaders of a machine learning library.
//!
//! Each kernel is packed in both dialects and cut down for the device that the driver has, or its own module is resolved for that
//! device, or it is linked with the add-on images for that device; then the same for the device without some of its features, so that
//! every fallback runs.

#![expect(unsafe_code, reason = "Vulkan's calls are unsafe")]

pub mod adapted;
mod cached;
pub mod compiled;
mod features;
mod flags;
mod ggml;
mod ggml_merged;
mod ggml_shaders;
mod interpreted;
mod kernels;
mod lowered;
mod lowered_fixtures;
mod matrices;
mod numbers;
mod programs;
pub mod runner;
mod traps;
pub mod uses;

use ash::vk;
use spirv::Capability;
use spirv_if::device::DeviceConfig;
use spirv_if::module::Version;
use spirv_if::pack::Dialect;
use spirv_if::{Device, Module};
use spirv_if_inspect::{InspectOptions, inspect};

use crate::common::validate;
use crate::drivers::flags::OF_VULKAN;
use crate::drivers::masked::without;
use crate::drivers::routes::{Compiled, ROUTES, Route, declared};
use crate::drivers::{ACCEPTS, DriverCase};
use kernels::{KERNELS, VulkanKernel};
use runner::{Failure, Vulkan};

type VulkanResult<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub fn cases() -> Vec<DriverCase> {
    let mut cases = Vec::new();
    for kernel in KERNELS {
        for (title, route) in ROUTES {
            let name = |what: &str| format!("{}::{title}::{what}", kernel.name.replace('/', "::"));
            if let Route::Packed(dialect) = route {
                cases.push(DriverCase::free(name("as_it_is"), move || shown(as_it_is(kernel, dialect))));
            }
            for mask in masks(kernel.features) {
                let without: Vec<String> = mask.iter().map(|capability| format!("_{capability:?}")).collect();
                let what = match mask[..] {
                    [] => "specialized".to_owned(),
                    _ => format!("without{}", without.concat()),
                };
                cases.push(DriverCase::new(name(&what), move || shown(specialized(kernel, route, &mask))));
            }
        }
    }
    cases.push(DriverCase::example(|| shown(programs::example())));
    cases.push(DriverCase::new("command_line".to_owned(), || shown(programs::command_line())));
    cases.push(DriverCase::new("numbers".to_owned(), || shown(numbers::runs())));
    let matrices = DriverCase::new("matrices".to_owned(), || shown(matrices::runs()));
    cases.push(matrices.with_matrices(true));
    cases.push(DriverCase::new("lowered::operations".to_owned(), || shown(lowered::runs())));
    cases.push(DriverCase::new("lowered::doubles".to_owned(), || shown(lowered::runs_of_doubles())));
    cases.push(DriverCase::new("lowered::narrow".to_owned(), || shown(lowered::runs_of_narrow_integers())));
    cases.push(DriverCase::new("lowered::halves".to_owned(), || shown(lowered::runs_of_halves())));
    for shader in lowered::SHADERS {
        let name = format!("lowered::shader::{}", shader.0);
        cases.push(DriverCase::new(name, move || shown(lowered::shader(shader))));
    }
    cases.push(DriverCase::new("lowered::half_bits".to_owned(), || shown(lowered::half_bits())));
    cases.push(DriverCase::new("lowered::storage".to_owned(), || shown(lowered::storage())));
    cases.push(DriverCase::new("lowered::layer".to_owned(), || shown(lowered::layer())));
    cases.push(DriverCase::new("interpreted".to_owned(), || shown(interpreted::runs())));
    cases.push(DriverCase::new("lowered::fixtures".to_owned(), || shown(lowered_fixtures::runs())));
    for fixture in &OF_VULKAN {
        cases.push(DriverCase::new(format!("flags::{}", fixture.name), || shown(flags::runs(fixture))));
    }
    for fixture in traps::FIXTURES {
        cases.push(DriverCase::new(format!("traps::{}", fixture.0), move || shown(traps::runs(fixture))));
    }
    for case in uses::cases() {
        let name = format!("uses::{}", case.name.replace([' ', ':', ','], "_"));
        let has_matrices = case.has_cooperative_matrices();
        let case = DriverCase::new(name, move || shown(uses::check(&case)));
        cases.push(case.with_matrices(has_matrices));
    }
    for case in uses::limit_cases() {
        let name = format!("uses::limits::{}", case.limit);
        cases.push(DriverCase::new(name, move || shown(uses::check_limit(&case))));
    }
    cases.push(DriverCase::new("adapted::rotations".to_owned(), || shown(adapted::rotations())));
    for case in adapted::cases() {
        let name = format!("adapted::{}", case.name);
        cases.push(DriverCase::new(name, move || shown(adapted::check(&case))));
    }
    cases.push(DriverCase::new("ggml::merged".to_owned(), || shown(ggml_merged::runs())));
    cases.push(DriverCase::new("ggml::half_product".to_owned(), || shown(ggml::half_product())));
    for shader in ggml_shaders::SHADERS.iter().chain([&ggml_shaders::HALF_PRODUCT]) {
        cases.push(DriverCase::new(format!("ggml::{}", shader.name), move || shown(ggml::runs(shader))));
    }
    cases
}

fn shown(result: VulkanResult<String>) -> std::result::Result<String, String> {
    result.map_err(|error| error.to_string())
}

/// Every choice of features to take away, the one of none first.
fn masks(features: &[Capability]) -> Vec<Vec<Capability>> {
    let chosen = |choice: u32| (0..).zip(features).filter(move |(bit, _)| choice >> bit & 1 == 1);
    (0..1 << features.len()).map(|choice| chosen(choice).map(|(_, feature)| *feature).collect()).collect()
}

/// Returns the features of a kernel that the device has according to the driver.
fn has(vulkan: &Vulkan, kernel: &VulkanKernel) -> VulkanResult<Vec<bool>> {
    let mut present = vulkan.present();
    let mut feature = |structure, member| present.place(structure, member).is_some_and(|place| *place == 1);
    let has = kernel.features.iter().map(|capability| match capability {
        Capability::Float16 => Ok(feature("VkPhysicalDeviceVulkan12Features", "shaderFloat16")),
        Capability::Float64 => Ok(feature("VkPhysicalDeviceFeatures", "shaderFloat64")),
        Capability::Int16 => Ok(feature("VkPhysicalDeviceFeatures", "shaderInt16")),
        Capability::Int64 => Ok(feature("VkPhysicalDeviceFeatures", "shaderInt64")),
        Capability::Int64Atomics => {
            Ok(feature("VkPhysicalDeviceVulkan12Features", "shaderBufferInt64Atomics"))
        }
        Capability::GroupNonUniformArithmetic => {
            Ok(vulkan.subgroups().1.contains(vk::SubgroupFeatureFlags::ARITHMETIC))
        }
        other => Err(format!("no feature of Vulkan is known for {other:?}").into()),
    });
    has.collect()
}

/// Checks that the driver accepts the packed module itself.
fn as_it_is(kernel: &VulkanKernel, dialect: Dialect) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let compiled = Compiled::fixture(kernel.name);
    // The enabled features are the requirements of the specialized module.
    let specialized = compiled.made_for(&vulkan.probed(), Route::Packed(dialect));
    let words = compiled.packed(dialect).words;
    validate(&words, &format!("spv1.{}", words[1] >> 8 & 0xff))?;
    let job = (kernel.job)();
    match vulkan.run(&words, &specialized, &job) {
        Err(Failure::Refused(call, error)) => Ok(format!("refuses, {call}: {error:?}")),
        Err(Failure::Other(message)) => Ok(format!("accepts, but then fails, {message}")),
        Ok(after) => match (kernel.check)(&kernel.ran(&vulkan, &has(&vulkan, kernel)?, &job, &after)) {
            Ok(()) => Ok(ACCEPTS.to_owned()),
            Err(wrong) => {
                println!("{wrong}");
                Ok("accepts, with wrong results".to_owned())
            }
        },
    }
}

/// Runs the module for the device without the features of the mask. It must take the right way and compute the right results.
fn specialized(kernel: &VulkanKernel, route: Route, mask: &[Capability]) -> VulkanResult<String> {
    let vulkan = Vulkan::open()?;
    let MadeModule { compiled, device, has, words, before } = made(&vulkan, kernel, route, mask)?;
    if let Some(before) = before {
        return Ok(format!("the same module as {before}"));
    }
    let job = (kernel.job)();
    let after = vulkan.run(&words, &words, &job).map_err(|failure| failure.to_string())?;
    let ran = kernel.ran(&vulkan, &has, &job, &after);
    (kernel.check)(&ran)?;
    // Some kernels are judged with a tolerance: all routes compute the same all the same.
    let first = compiled.made_for(&device, ROUTES[0].1);
    if first != words && vulkan.run(&first, &first, &job).map_err(|failure| failure.to_string())? != after {
        return Err(format!("the results are not those of the route {}", ROUTES[0].0).into());
    }
    Ok(if kernel.independent { format!("features {has:?}") } else { format!("way {}", ran.way) })
}

/// The module of a kernel for a device.
struct MadeModule {
    compiled: Compiled,
    device: Device,
    /// True for each feature of the kernel that the device has.
    has: Vec<bool>,
    words: Vec<u32>,
    /// An earlier route that makes the same module.
    before: Option<&'static str>,
}

/// Makes the module for the device without the features of the mask. It is valid, declares what its way needs, and by its entry the device runs it.
fn made(
    vulkan: &Vulkan,
    kernel: &VulkanKernel,
    route: Route,
    mask: &[Capability],
) -> VulkanResult<MadeModule> {
    let device = without(&vulkan.probed(), mask);
    let has = has(vulkan, kernel)?.into_iter().zip(kernel.features);
    let has: Vec<bool> = has.map(|(has, feature)| has && !mask.contains(feature)).collect();
    let compiled = Compiled::fixture(kernel.name);
    let words = compiled.made_for(&device, route);
    let before = compiled.made_before(&words, &device, route);
    if before.is_some() {
        return Ok(MadeModule { compiled, device, has, words, before });
    }
    let module = Module::from_words(&words[..])?;
    validate(&words, environment(module.version()))?;
    let options = InspectOptions::new().devices(Some(DeviceConfig::new("masked", vec![device.clone()])));
    let inspection = inspect(&module, &options)?;
    if inspection.entry_points().iter().any(|entry_point| entry_point.devices_as_is == 0) {
        return Err(format!("by its entry the device does not run it: {}", inspection.to_json()?).into());
    }
    let declared = declared(&words);
    for (at, &feature) in kernel.features.iter().enumerate() {
        let needed = has[at] && (kernel.independent || !has[..at].contains(&true));
        match (needed, declared.contains(&(feature as u32))) {
            (true, false) => return Err(format!("{feature:?} is not declared").into()),
            (false, true) => return Err(format!("{feature:?} is declared, and not needed").into()),
            _ => {}
        }
    }
    Ok(MadeModule { compiled, device, has, words, before })
}

/// The lowest version of Vulkan that takes a version of SPIR-V, as spirv-val calls it.
pub fn environment(spirv: Version) -> &'static str {
    match spirv.minor {
        0 => "vulkan1.0",
        1..=3 => "vulkan1.1",
        4 => "vulkan1.1spv1.4",
        5 => "vulkan1.2",
        _ => "vulkan1.3",
    }
}
