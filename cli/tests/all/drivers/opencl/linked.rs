//! Programs of two translation units, which are linked. Drivers find functions by name, so that a valid module need not run.

use spirv_if::Module;
use spirv_if::link::{LinkOptions, link};

use super::kernels::{KernelOutput, OpenClKernel};
use super::{compare_outcomes, driver};
use crate::common::{root, validate, words_of};
use crate::drivers::DriverCase;

/// The kernels of `fixtures/link/NAME-user.cl`; what they call is in `NAME-library.cl`.
const KERNELS: [OpenClKernel; 3] = [
    OpenClKernel {
        name: "casts",
        features: &[],
        masks: &[],
        items: ITEMS as usize,
        group: 16,
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: |_| KernelOutput {
            results: (0..ITEMS).map(|item| NUMBER * 2 + item * 3).collect(),
            ways: (0..ITEMS).map(|item| NUMBER * item).collect(),
        },
    },
    OpenClKernel {
        name: "static",
        features: &[],
        masks: &[],
        items: ITEMS as usize,
        group: 16,
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: |_| KernelOutput {
            results: (0..ITEMS).map(static_sum).collect(),
            ways: (0..ITEMS).collect(),
        },
    },
    OpenClKernel {
        name: "tables",
        features: &[],
        masks: &[],
        items: ITEMS as usize,
        group: 16,
        inputs: Vec::new,
        numbers: &[NUMBER],
        reference: |_| KernelOutput {
            results: (0..ITEMS as usize)
                .map(|item| TABLE[item & 3] + NUMBER + [100, 200, 300].get(item).unwrap_or(&0))
                .collect(),
            ways: (0..ITEMS as usize).map(|item| TABLE[3 - (item & 3)]).collect(),
        },
    },
];

const ITEMS: u32 = 64;
const NUMBER: u32 = 7;
const TABLE: [u32; 4] = [11, 22, 33, 44];
/// Options of the caller and of the callee, and true if the callee comes first. Optimized, one may declare other pointers than the other has.
const BUILDS: [(&str, &str, bool); 4] =
    [("O0", "O0", false), ("O2", "O2", true), ("O2", "O0", false), ("O0", "O2", true)];

/// Each translation unit has a `helper` and a `table`.
fn static_sum(item: u32) -> u32 {
    let main = NUMBER * 10 + [1, 2, 3, 4][item as usize & 3];
    let other = 3 * 1000 + item * 1000 + [50, 60, 70, 80][item as usize & 3];
    main + other
}

pub fn cases() -> Vec<DriverCase> {
    let mut cases = Vec::new();
    for kernel in &KERNELS {
        for (user, library, is_turned) in BUILDS {
            let mut files =
                [format!("{}-user-{user}", kernel.name), format!("{}-library-{library}", kernel.name)];
            if is_turned {
                files.reverse();
            }
            let name = format!("linked::{}::{user}_with_{library}", kernel.name);
            cases.push(DriverCase::new(name, move || linked(kernel, &files)));
        }
    }
    cases
}

fn linked(kernel: &OpenClKernel, files: &[String; 2]) -> Result<String, String> {
    let words = files.each_ref().map(|file| {
        let path = root().join("fixtures/link").join(file).with_extension("spv");
        words_of(&std::fs::read(path).unwrap())
    });
    let units: Vec<Module> = (files.iter().zip(&words))
        .map(|(name, words)| Module::from_words(&words[..]).unwrap().with_name(name))
        .collect();
    let linked = link(&units, &LinkOptions::new()).map_err(|error| error.to_string())?.module;
    validate(linked.words(), "spv1.2")?;
    compare_outcomes(&driver::device()?, linked.words(), kernel, &|_| false)?;
    Ok("right results".to_owned())
}
