//! Packed kernels on OpenCL drivers, which know nothing of the extension.
//!
//! Each kernel is packed in both dialects and cut down for the device that the driver has, or its own module is resolved for that
//! device, or it is linked with the add-on images for that device; then the same for the device without some of its features, so that
//! every fallback runs. And programs that are linked of two translation units, or by the
//! driver of add-on images.

#![expect(unsafe_code, reason = "OpenCL's calls are unsafe")]

pub mod adapted;
pub mod driver;
mod flags;
mod kernels;
mod linked;
mod lowered;
mod programs;
mod properties;
mod rare_double;
mod traps;
mod unlinked;

use std::collections::BTreeSet;
use std::path::PathBuf;

use spirv_if::pack::Dialect;

use crate::common::{root, validate};
use crate::drivers::masked::{entries_without, read};
use crate::drivers::routes::{Compiled, ROUTES, Route, declared};
use crate::drivers::{ACCEPTS, DriverCase};
use driver::Refusal;
use kernels::{Has, KERNELS, OpenClFeature, OpenClKernel};

pub fn cases() -> Vec<DriverCase> {
    let mut cases = Vec::new();
    for kernel in &KERNELS {
        for (title, route) in ROUTES {
            // Devices without sub-groups have the capability of builds with sub-groups too (Groups): nobody can infer which is for them.
            if route == Route::Merged && kernel.name == "subgroups" {
                continue;
            }
            let name = |what: &str| format!("{}::{title}::{what}", kernel.name);
            if let Route::Packed(dialect) = route {
                cases.push(DriverCase::free(name("as_it_is"), move || as_it_is(kernel, dialect)));
            }
            cases.push(DriverCase::new(name("specialized"), move || specialized(kernel, route, &[])));
            for mask in kernel.masks {
                let without: Vec<&str> = mask.iter().map(|feature| feature.name()).collect();
                let what = format!("without_{}", without.join("_"));
                cases.push(DriverCase::new(name(&what), move || specialized(kernel, route, mask)));
            }
        }
        let name = |what: &str| format!("{}::command_line::{what}", kernel.name);
        cases.push(DriverCase::new(name("probed"), || programs::command_line(kernel, &[])));
        cases.push(DriverCase::new(name("without_all"), || programs::command_line(kernel, kernel.features)));
    }
    let chain = KERNELS.iter().find(|kernel| kernel.name == "chain").unwrap();
    cases.push(DriverCase::example(|| programs::example(chain)));
    cases.extend(linked::cases());
    cases.extend(unlinked::cases());
    cases.extend(properties::cases());
    cases.extend(adapted::cases());
    cases.extend(flags::cases());
    cases.extend(lowered::cases());
    cases.push(DriverCase::new("lowered::rare_double".to_owned(), rare_double::runs));
    cases.extend(traps::cases());
    cases
}

/// Checks that the driver accepts the packed module itself.
fn as_it_is(kernel: &OpenClKernel, dialect: Dialect) -> Result<String, String> {
    let words = compiled(kernel).packed(dialect).words;
    validate(&words, "spv1.4")?;
    let device = driver::device()?;
    let expected = (kernel.reference)(&|feature| driver::has(&device, feature));
    match driver::run(&device, &words, kernel, &expected) {
        Err(Refusal::Refuses(call)) => Ok(format!("refuses, {call}")),
        Err(Refusal::Fails(call)) => Ok(format!("accepts, but then fails, {call}")),
        Ok(ran) if ran == expected => Ok(ACCEPTS.to_owned()),
        Ok(ran) => Ok(format!("accepts, with wrong results by ways {:?}", BTreeSet::from_iter(ran.ways))),
    }
}

/// Runs the module for the device without the features of the mask. It must take the right way and compute the right results.
fn specialized(kernel: &OpenClKernel, route: Route, mask: &[OpenClFeature]) -> Result<String, String> {
    let driver = driver::device()?;
    let has = |feature| !mask.contains(&feature) && driver::has(&driver, feature);
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let compiled = compiled(kernel);
    let masked = |mask| read(&masked(&device.to_yaml(), mask));
    let words_without = |mask| compiled.made_for(&masked(mask), route);
    let words = words_without(mask);
    validate(&words, "spv1.4")?;
    declares_none_of(kernel, &has, &words)?;
    // Removing a missing feature changes nothing, and the case that removes less runs the same module.
    let less: Vec<OpenClFeature> =
        mask.iter().copied().filter(|feature| driver::has(&driver, *feature)).collect();
    let is_case = less.is_empty() || kernel.masks.contains(&&less[..]);
    if less.len() < mask.len() && is_case && words_without(&less) == words {
        return Ok(format!("the same module as without {less:?}"));
    }
    if let Some(before) = compiled.made_before(&words, &masked(mask), route) {
        return Ok(format!("the same module as {before}"));
    }
    compare_outcomes(&driver, &words, kernel, &has)
}

/// The module does not declare missing features.
fn declares_none_of(kernel: &OpenClKernel, has: Has, words: &[u32]) -> Result<(), String> {
    let declared = declared(words);
    let mut absent =
        kernel.features.iter().filter(|feature| !has(**feature)).flat_map(|feature| feature.capabilities());
    match absent.find(|capability| declared.contains(&(**capability as u32))) {
        None => Ok(()),
        Some(capability) => {
            Err(format!("the module declares {capability:?}, which the device is not to have"))
        }
    }
}

/// The driver runs the module as a device with such features should.
fn compare_outcomes(
    driver: &opencl3::device::Device,
    words: &[u32],
    kernel: &OpenClKernel,
    has: Has,
) -> Result<String, String> {
    let expected = (kernel.reference)(has);
    let ran = driver::run(driver, words, kernel, &expected)
        .map_err(|refusal| format!("the driver does not run the module: {}", refusal.call()))?;
    compare("ways", &ran.ways, &expected.ways)?;
    compare("results", &ran.results, &expected.results)?;
    Ok(format!("ways {:?}", BTreeSet::from_iter(ran.ways)))
}

fn compiled_path(kernel: &OpenClKernel) -> PathBuf {
    root().join("fixtures/drivers").join(kernel.name).with_extension("spv")
}

fn compiled(kernel: &OpenClKernel) -> Compiled {
    Compiled::fixture(&format!("drivers/{}", kernel.name))
}

/// The entry of the device with features masked off.
fn masked(entry: &str, mask: &[OpenClFeature]) -> String {
    let keys: &[&str] = if mask.contains(&OpenClFeature::Subgroups) { &["sub-group-sizes"] } else { &[] };
    let capabilities = mask.iter().flat_map(|feature| feature.capabilities());
    entries_without(entry, &capabilities.copied().collect::<Vec<_>>(), keys)
}

/// The first difference, with what follows it.
fn compare(what: &str, ran: &[u32], expected: &[u32]) -> Result<(), String> {
    let Some(at) = ran.iter().zip(expected).position(|(ran, expected)| ran != expected) else {
        return Ok(());
    };
    let shown =
        |words: &[u32]| words[at..].iter().take(8).map(|word| format!(" {word:#x}")).collect::<String>();
    Err(format!("{what} from {at} on:{}\nbut the reference has:{}", shown(ran), shown(expected)))
}
