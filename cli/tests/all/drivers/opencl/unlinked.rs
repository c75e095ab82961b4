//! Add-on images that nobody has linked, by clCompileProgram and clLinkProgram: whether a driver links them is its own to decide.

use std::collections::BTreeSet;

use spirv_if::Device;

use super::kernels::{Has, KERNELS, KernelOutput, OpenClFeature, OpenClKernel};
use super::{compiled, driver, masked, specialized};
use crate::drivers::masked::read;
use crate::drivers::routes::Route;
use crate::drivers::{ACCEPTS, DriverCase};
use driver::Refusal;

/// The kernels of `fixtures/drivers` that show what add-on images may share and replace.
const OWN_KERNELS: [OpenClKernel; 3] = [
    OpenClKernel {
        name: "units",
        features: &[OpenClFeature::Fp64],
        masks: &[],
        items: STATE.len(),
        group: STATE.len(),
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: units,
    },
    OpenClKernel {
        name: "state",
        features: &[OpenClFeature::Fp16, OpenClFeature::Fp64],
        masks: &[],
        items: STATE.len(),
        group: STATE.len(),
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: state,
    },
    OpenClKernel {
        name: "result",
        features: &[OpenClFeature::Fp64],
        masks: &[],
        items: ITEMS as usize,
        group: 16,
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: result,
    },
];

/// The initializers of the variables of a program and of its other link unit.
const STATE: [u32; 4] = [11, 22, 33, 44];
const LIBRARY_STATE: [u32; 4] = [5, 6, 7, 8];
const ITEMS: u32 = 64;
const NUMBER: u32 = 7;

fn state(has: Has) -> KernelOutput {
    let scaled = |first: u32| match (has(OpenClFeature::Fp64), has(OpenClFeature::Fp16)) {
        (true, true) => first * 3 / 2 * 5 / 2 + 1,
        (true, false) => first * 3 / 2 + 1,
        (false, _) => first + 100,
    };
    let way = match (has(OpenClFeature::Fp64), has(OpenClFeature::Fp16)) {
        (true, true) => 64 + 16,
        (true, false) => 64,
        (false, _) => 32,
    };
    KernelOutput {
        results: STATE.iter().map(|state| scaled(state + NUMBER)).collect(),
        ways: vec![way; STATE.len()],
    }
}

fn units(has: Has) -> KernelOutput {
    let is_wide = has(OpenClFeature::Fp64);
    let result = |(state, library): (&u32, &u32)| match is_wide {
        true => (state + NUMBER) * 3 / 2 + library * 5 / 2,
        false => state + NUMBER + library,
    };
    let ways = vec![if is_wide { 1 + 64 + 16 } else { 1 }; STATE.len()];
    KernelOutput { results: STATE.iter().zip(&LIBRARY_STATE).map(result).collect(), ways }
}

fn result(has: Has) -> KernelOutput {
    let numbers = NUMBER..NUMBER + ITEMS;
    match has(OpenClFeature::Fp64) {
        true => KernelOutput {
            results: numbers.map(|numbers| numbers * 3 / 2).collect(),
            ways: vec![64; ITEMS as usize],
        },
        false => KernelOutput {
            results: numbers.map(|numbers| numbers * 3 / 4).collect(),
            ways: vec![32; ITEMS as usize],
        },
    }
}

/// Change to the images before they are compiled.
type Change = fn(&mut Vec<Vec<u8>>);

/// For one kernel with images in images: their order does not count, and each must be there once.
const CHANGES: [(&str, Change); 4] = [
    ("in_other_order", |images| images.reverse()),
    ("without_the_last", |images| drop(images.pop())),
    ("with_the_first_alone", |images| images.truncate(1)),
    ("with_the_last_twice", |images| images.extend(images.last().cloned())),
];

pub fn cases() -> Vec<DriverCase> {
    let mut cases = Vec::new();
    for kernel in KERNELS.iter().chain(&OWN_KERNELS) {
        let mut add = |what: &str, mask: &'static [OpenClFeature], change: Change| {
            let name = format!("{}::unlinked::{what}", kernel.name);
            cases.push(DriverCase::free(name, move || unlinked(kernel, mask, change)));
        };
        // Devices with some of the features have images of the same kinds.
        add("all", &[], |_| {});
        add("without_all", kernel.features, |_| {});
        if kernel.name == "state" {
            add("without_fp16", &[OpenClFeature::Fp16], |_| {});
            CHANGES.into_iter().for_each(|(what, change)| add(what, &[], change));
        }
    }
    // The other kernels take this route, and more, in the module above.
    for kernel in &OWN_KERNELS {
        for (what, mask) in [("all", &[][..]), ("without_all", kernel.features)] {
            let name = format!("{}::add-on::{what}", kernel.name);
            cases.push(DriverCase::new(name, move || specialized(kernel, Route::AddOn, mask)));
        }
    }
    cases
}

/// The images of a kernel for a device.
fn images(kernel: &OpenClKernel, device: &Device) -> Result<Vec<Vec<u8>>, spirv_if::Error> {
    let program = compiled(kernel).program()?;
    let selection = program.select("run", device)?;
    (0..selection.images().len()).map(|number| selection.code(number)).collect()
}

/// Checks that the driver compiles the images of a kernel, links them, and computes the expected results with them.
fn unlinked(kernel: &OpenClKernel, mask: &[OpenClFeature], change: Change) -> Result<String, String> {
    let driver = driver::device()?;
    let has = |feature| !mask.contains(&feature) && driver::has(&driver, feature);
    if !mask.is_empty() && !mask.iter().any(|feature| driver::has(&driver, *feature)) {
        return Ok("the same images as for all".to_owned());
    }
    let device = spirv_if_probe::from_opencl(driver.id()).map_err(|error| error.to_string())?;
    let device = read(&masked(&device.to_yaml(), mask));
    let mut images = images(kernel, &device).map_err(|error| error.to_string())?;
    if images.len() < 2 {
        return Err("no add-on image is selected".to_owned());
    }
    change(&mut images);
    let expected = (kernel.reference)(&has);
    Ok(match driver::run_unlinked(&driver, &images, kernel, &expected) {
        Err(Refusal::Refuses(call)) => format!("refuses, {call}"),
        Err(Refusal::Fails(call)) => format!("accepts, but then fails, {call}"),
        Ok(ran) if ran == expected => ACCEPTS.to_owned(),
        Ok(ran) => format!("accepts, with wrong results by ways {:?}", BTreeSet::from_iter(ran.ways)),
    })
}
