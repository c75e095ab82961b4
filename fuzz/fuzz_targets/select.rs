//! Loading a kernel of a program: what lies beside its images, and their code, changed.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target, fuzzer_mutate};
use spirv_if_sycl::program::{Program, ProgramImage};
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::UnsetPolicy;
use spirv_if_sycl::split::{SplitOptions, add_on};
use spirv_if::{Device, Module, Settings};
use spirv_if_fuzz::input::declared_ids;
use spirv_if_fuzz::instructions::{MAGIC, words};
use spirv_if_fuzz::mutate;
use spirv_if_fuzz::oracles::{OF_CONDITIONS, keep, limited, loaded, measure};

/// A kernel with shared state and nested conditional actions.
const SOURCE: &[u8] = include_bytes!("../../fixtures/drivers/state.spv");

/// The least bytes of modules and text that a call may take the time and memory of.
const MIN_SIZE: usize = 8192;

/// Devices with different answers, and one about which nothing is known.
static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
    let named = ["intel_gpu_pvc", "intel_gpu_acm_g10", "nvidia_gpu_sm_50"];
    let named = named.map(|name| Device::embedded(name).expect("a device of the table"));
    named.into_iter().chain([Device::default()]).collect()
});

/// An image: its properties, its symbols, and the words of its module.
#[derive(Clone)]
struct Image {
    properties: PropertySets,
    symbols: Vec<String>,
    words: Vec<u32>,
}

/// The images of the program that inputs change.
static IMAGES: LazyLock<Vec<Image>> = LazyLock::new(|| {
    let module = Module::from_bytes(SOURCE).expect("a module");
    let add_on_images = add_on(&module, &SplitOptions::default()).expect("add-on images");
    let image = |add_on: spirv_if_sycl::split::AddOnImage| {
        let symbols = add_on.image.symbols.into_iter().chain(add_on.image.exported).collect();
        Image { properties: add_on.image.properties, symbols, words: add_on.image.words }
    };
    add_on_images.into_iter().map(image).collect()
});

fuzz_target!(init: measure(&[&b""[..]], fuzz), |data: &[u8]| fuzz(data));

fn fuzz(data: &[u8]) {
    let (text, modules) = data.split_at(end_of_text(data));
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Some(images) = images(text, modules) else { return };
    let of_words = |image: &Image| 4 * image.words.len().max(declared_ids(&image.words));
    let size = MIN_SIZE + text.len() + images.iter().map(of_words).sum::<usize>();
    let inputs: Vec<Module> =
        images.iter().filter_map(|image| Module::from_words(&image.words[..]).ok()).collect();
    let program = || {
        let program_images = images.iter().enumerate().map(|(number, image)| {
            let bytes: Vec<u8> = image.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let code = move || Ok(bytes.clone());
            ProgramImage::new(number.to_string(), image.properties.clone(), image.symbols.clone(), code)
        });
        Program::new(program_images)
    };
    let Ok(known) = limited(OF_CONDITIONS, size, program) else { return };
    let kernels: Vec<String> = known.kernels().into_iter().take(4).map(str::to_owned).collect();
    for device in &*DEVICES {
        drop(limited(OF_CONDITIONS, size, || program().expect("a program").kernel_support(device)));
        for kernel in &kernels {
            // Selections and modules are kept: each run has a program of its own.
            let words = limited(OF_CONDITIONS, size, || {
                let program = program().expect("a program");
                let selection = program.select(kernel, device).ok()?.allow_partial_linkage(true);
                let settings = Settings::new().unset(UnsetPolicy::Error);
                Some(selection.specialize(&settings).ok()?.words)
            });
            if let Some(words) = words {
                loaded(&words);
                keep(&inputs, [&words[..]]);
            }
        }
    }
}

/// The place where modules begin.
fn end_of_text(data: &[u8]) -> usize {
    let magic = MAGIC.to_le_bytes();
    data.windows(4).position(|bytes| bytes == magic).unwrap_or(data.len())
}

/// A new number makes a new image, with the code of an old one.
fn images(text: &str, modules: &[u8]) -> Option<Vec<Image>> {
    let mut images = IMAGES.clone();
    for section in text.split('@').skip(1).take(8) {
        let (number, rest) = section.split_once('\n').unwrap_or((section, ""));
        let number: usize = number.trim().parse().ok()?;
        let at = number.min(images.len());
        if at == images.len() {
            images.push(IMAGES[number % IMAGES.len()].clone());
        }
        let (symbols, properties): (Vec<&str>, Vec<&str>) =
            rest.lines().partition(|line| line.starts_with('!'));
        if !properties.is_empty() {
            images[at].properties = PropertySets::parse("a.prop", &properties.join("\n")).ok()?;
        }
        if !symbols.is_empty() {
            images[at].symbols = symbols.into_iter().map(|symbol| symbol[1..].to_owned()).collect();
        }
    }
    let modules = words(modules);
    for (image, module) in images.iter_mut().zip(mutate::split(&modules)) {
        image.words = module.to_vec();
    }
    Some(images)
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let text = end_of_text(&data[..size]);
    if text < size && seed.is_multiple_of(2) {
        text + mutate::module(&mut data[text..], size - text, max_size - text, seed)
    } else {
        fuzzer_mutate(data, size, max_size)
    }
});

fuzz_crossover!(|first: &[u8], other: &[u8], out: &mut [u8], _seed: u32| {
    // The text of the one, and the modules of the other.
    let (text, modules) = (&first[..end_of_text(first)], &other[end_of_text(other)..]);
    let most = out.len();
    let joined = text.iter().chain(modules).take(most);
    out.iter_mut().zip(joined).map(|(place, &byte)| *place = byte).count()
});
