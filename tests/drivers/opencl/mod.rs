//! Packed kernels on OpenCL drivers, which know nothing of the extension.
//!
//! Each kernel is packed in both dialects and cut down for the device that the driver has, or its own module is resolved for that
//! device; then the same for the device without some of its features, so that every fallback runs.

#![expect(unsafe_code, reason = "OpenCL's calls are unsafe")]

mod driver;
mod kernels;
mod programs;

use std::collections::BTreeSet;
use std::path::PathBuf;

use spirv::Op;
use spirv_if::device::{Device, capabilities, probe};
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::recipes::{self, PackOptions};
use spirv_if::runtime::KnownOn;
use spirv_if::transform::pack::{self, Dialect};
use spirv_if::transform::specialize::{self, specialize};
use spirv_if::writer::{apply, property_sets};

use crate::common::{validate, words_of};
use crate::{Case, root};
use driver::Refusal;
use kernels::{Feature, Has, KERNELS, Kernel};

/// From a compiler's module to one for a device.
#[derive(Clone, Copy)]
enum Route {
    /// Packed, then specialized.
    Packed(Dialect),
    /// Resolved at once.
    Resolved,
}

const ROUTES: [(&str, Route); 3] = [
    ("packed", Route::Packed(Dialect::SpecConditional)),
    ("variants", Route::Packed(Dialect::FunctionVariants)),
    ("resolved", Route::Resolved),
];

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for kernel in &KERNELS {
        for (title, route) in ROUTES {
            let name = |what: &str| format!("{}::{title}::{what}", kernel.name);
            if let Route::Packed(dialect) = route {
                cases.push(Case::free(name("as_it_is"), move || as_it_is(kernel, dialect)));
            }
            cases.push(Case::new(name("specialized"), move || specialized(kernel, route, &[])));
            for mask in kernel.masks {
                let without: Vec<&str> = mask.iter().map(|feature| feature.name()).collect();
                let what = format!("without_{}", without.join("_"));
                cases.push(Case::new(name(&what), move || specialized(kernel, route, mask)));
            }
        }
        let name = |what: &str| format!("{}::command_line::{what}", kernel.name);
        cases.push(Case::new(name("probed"), || programs::command_line(kernel, &[])));
        cases.push(Case::new(name("without_all"), || programs::command_line(kernel, kernel.features)));
    }
    let chain = KERNELS.iter().find(|kernel| kernel.name == "chain").unwrap();
    cases.push(Case::new("example".to_owned(), || programs::example(chain)));
    cases
}

/// Whether the driver takes the packed module itself.
fn as_it_is(kernel: &Kernel, dialect: Dialect) -> Result<String, String> {
    let (words, _) = packed(&compiled(kernel), dialect);
    validate(&words, "spv1.4")?;
    let device = driver::device()?;
    let expected = (kernel.reference)(&|feature| driver::has(&device, feature));
    match driver::run(&device, &words, kernel, &expected) {
        Err(Refusal::Refuses(call)) => Ok(format!("refuses, {call}")),
        Err(Refusal::Fails(call)) => Ok(format!("accepts, but then fails, {call}")),
        Ok(ran) if ran == expected => Ok("accepts, with right results".to_owned()),
        Ok(ran) => Ok(format!("accepts, with wrong results by ways {:?}", BTreeSet::from_iter(ran.ways))),
    }
}

/// What is made for the device without the features of the mask runs, by the right way and to the right results.
fn specialized(kernel: &Kernel, route: Route, mask: &[Feature]) -> Result<String, String> {
    let driver = driver::device()?;
    let has = |feature| !mask.contains(&feature) && driver::has(&driver, feature);
    let device = probe::opencl(driver.id()).map_err(|error| error.to_string())?;
    let words = made_for(&without(device, mask), &compiled(kernel), route);
    validate(&words, "spv1.4")?;
    declares_none_of(kernel, &has, &words)?;
    compare_outcomes(&driver, &words, kernel, &has)
}

/// The module does not declare what the device does not have.
fn declares_none_of(kernel: &Kernel, has: Has, words: &[u32]) -> Result<(), String> {
    let module = Module::from_words(words).unwrap();
    let declared: BTreeSet<u32> =
        module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1)).collect();
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
    kernel: &Kernel,
    has: Has,
) -> Result<String, String> {
    let expected = (kernel.reference)(has);
    let ran = driver::run(driver, words, kernel, &expected).map_err(|refusal| {
        let (Refusal::Refuses(call) | Refusal::Fails(call)) = refusal;
        format!("the driver does not run the module: {call}")
    })?;
    compare("ways", &ran.ways, &expected.ways)?;
    compare("results", &ran.results, &expected.results)?;
    Ok(format!("ways {:?}", BTreeSet::from_iter(ran.ways)))
}

fn compiled_path(kernel: &Kernel) -> PathBuf {
    root().join("fixtures/drivers").join(kernel.name).with_extension("spv")
}

fn compiled(kernel: &Kernel) -> Vec<u32> {
    words_of(&std::fs::read(compiled_path(kernel)).unwrap())
}

fn packed(words: &[u32], dialect: Dialect) -> (Vec<u32>, PropertySets) {
    let pack = pack::Options { dialect, ..pack::Options::default() };
    let options = PackOptions { pack, ..PackOptions::default() };
    let packed = recipes::pack(&Module::from_words(words).unwrap(), &options).unwrap();
    let properties = property_sets(&packed.packed, PropertyNames::Design).unwrap();
    (packed.words, properties)
}

/// The module for a device.
fn made_for(device: &Device, compiled: &[u32], route: Route) -> Vec<u32> {
    let options = specialize::Options { require_decided: true, ..specialize::Options::default() };
    match route {
        Route::Packed(dialect) => {
            let (words, properties) = packed(compiled, dialect);
            let module = Module::from_words(&words[..]).unwrap();
            let known = KnownOn::new(device, &properties).unwrap();
            let specialized = specialize(&module, &known, &[], &options).unwrap();
            apply(&module, &specialized.edits).unwrap()
        }
        Route::Resolved => {
            let module = Module::from_words(compiled).unwrap();
            let known = KnownOn::new(device, &PropertySets::default()).unwrap();
            recipes::resolve(&module, &Default::default(), device, &known, &[], &options).unwrap().words
        }
    }
}

/// The entry of the device with features masked off.
fn without(mut device: Device, mask: &[Feature]) -> Device {
    if mask.contains(&Feature::Subgroups) {
        device.sub_group_sizes.clear();
    }
    for &capability in mask.iter().flat_map(|feature| feature.capabilities()) {
        let capability = capability as u32;
        if let Some(own) = &mut device.capabilities {
            own.remove(&capability);
        }
        if let Some(own) = &mut device.aspects {
            own.retain(|aspect| capabilities::exactly(*aspect) != Some(capability));
        }
    }
    device
}

/// The first difference.
fn compare(what: &str, ran: &[u32], expected: &[u32]) -> Result<(), String> {
    match ran.iter().zip(expected).position(|(ran, expected)| ran != expected) {
        None => Ok(()),
        Some(at) => Err(format!(
            "{what}: {:#x} at {at}, but the reference has {:#x}\n{ran:x?}\n{expected:x?}",
            ran[at], expected[at]
        )),
    }
}
