//! Programs with add-on images of all fixtures, loaded.

use spirv::{Capability, Op};

use crate::program::{Program, ProgramImage};
use crate::split::{AddOnImage, Jit, SplitMode, SplitOptions, split};
use crate::test_support::{Batch, bytes_of, instruction, module_of};
use crate::tests::corpus::annotations;
use crate::tests::corpus::fixtures;
use spirv_if::device::DeviceParts;
use spirv_if::engine::loader;
use spirv_if::{Device, Error, Module, Settings};

/// Devices with and without double and half precision, and 64-bit atomics.
const DEVICES: [&str; 4] = ["intel_gpu_pvc", "intel_gpu_dg1", "x86_64", "amd_gpu_gfx1030"];

fn program(images: Vec<AddOnImage>) -> Program {
    let image = |(number, add_on): (usize, AddOnImage)| {
        let image = add_on.image;
        let bytes: Vec<u8> = image.words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let symbols = image.symbols.iter().chain(&image.exported).cloned().collect();
        let name = format!("{number} {:?}", add_on.role);
        ProgramImage::new(name, image.properties, symbols, move || Ok(bytes.clone()))
    };
    Program::new(images.into_iter().enumerate().map(image)).unwrap()
}

#[test]
fn bundles_are_all_some_or_none_of_the_kernels() {
    let declares = |capability: Capability| instruction(Op::Capability as u16, &[capability as u32]);
    let code = module_of(2, &[declares(Capability::Kernel), declares(Capability::Addresses)]);
    let image = |name: &str, requirements: &str| {
        let text = format!("[SYCL/device requirements]\naspect={requirements}\n");
        let properties = spirv_if::property_sets::PropertySets::parse("a.prop", &text).unwrap();
        let code = bytes_of(&code);
        ProgramImage::new(name, properties, vec![name.to_owned()], move || Ok(code.clone()))
    };
    // One of them requires fp64, and dg1 does not have it.
    let program =
        Program::new([image("plain", "2|AAAAAAAAAAA"), image("double", "2|gAAAAAAAAAgBAAAA")]).unwrap();
    let support = |name: &str| program.kernel_support(&Device::embedded(name).unwrap());
    assert_eq!(support("intel_gpu_pvc").runs, ["plain", "double"]);
    let some = support("intel_gpu_dg1");
    assert_eq!(some.runs, ["plain"]);
    let described = DeviceParts::new().aspects("gpu,fp64").to_device(None).unwrap();
    let not_known = program.kernel_support(&described).not_known;
    assert_eq!(not_known.len(), 2);
    assert_eq!(not_known[0].features[1].name(), "Addresses", "the code declares it");
    assert_eq!(some.refused.len(), 1);
    assert_eq!(
        some.refused[0].error.to_string(),
        "kernel `double` does not run on intel_gpu_dg1: Kernel uses optional feature corresponding to 'aspect::fp64' but device does not \
         support this aspect."
    );
}

/// Checks that two link units may be in one table, with variables, conditional actions and ids of add-on images of
/// equal names.
#[test]
fn link_units_have_names_of_their_own() {
    let images = |name: &str| {
        let bytes =
            std::fs::read(crate::test_support::root().join(format!("fixtures/drivers/{name}.spv"))).unwrap();
        crate::split::add_on(&Module::from_bytes(&bytes).unwrap(), &SplitOptions::default()).unwrap()
    };
    let mut all = images("units");
    all.extend(images("units-library"));
    let program = program(all);
    assert_eq!(program.kernels(), ["run", "other"]);
    let mut written = Batch::default();
    for device in DEVICES.map(|name| Device::embedded(name).unwrap()) {
        let selection = program.select("run", &device).unwrap();
        assert_eq!(selection.images().len(), 5, "{}", device.name);
        let words = selection.specialize(&Settings::new()).unwrap().words;
        let module = loader::Module::from_words(&words[..]).unwrap();
        let variables = module.globals().filter(|inst| inst.is(spirv::Op::Variable));
        let class = spirv::StorageClass::CrossWorkgroup as u32;
        let state = variables.filter(|inst| loader::views::Variable(*inst).storage_class() == class);
        assert_eq!(state.count(), 2, "{}", device.name);
        written.add(device.name(), &words, "spv1.4");
    }
    written.assert_valid();
}

/// A loaded kernel is a plain valid module with the kernel. Only undefined imports stay, if that is allowed.
#[test]
fn kernels_of_all_fixtures_are_plain_modules() {
    let (mut loaded, mut of_several) = (0, 0);
    let mut written = Batch::default();
    for fixture in fixtures() {
        let module = Module::from_words(fixture.words()).unwrap();
        let module = match annotations(&fixture.name) {
            Some(annotations) => module.with_annotations(&annotations).unwrap(),
            None => module,
        };
        let options = SplitOptions::new().mode(SplitMode::Kernel).jit(Jit::AddOn);
        let Ok(images) = split(&module, &options).and_then(|split| split.add_on()) else { continue };
        let imports = images.iter().any(|image| {
            image.image.imported.iter().any(|name| {
                images
                    .iter()
                    .all(|other| !other.image.symbols.contains(name) && !other.image.exported.contains(name))
            })
        });
        let program = program(images);
        for device in DEVICES.map(|name| Device::embedded(name).unwrap()) {
            for kernel in program.kernels() {
                let name = format!("{} {kernel} {}", fixture.name, device.name());
                let selection = match program.select(kernel, &device) {
                    Ok(selection) => selection,
                    Err(Error::Refused(_)) => continue,
                    Err(error) => panic!("{name}: {error}"),
                };
                let mut is_open = false;
                let words = match selection.specialize(&Settings::new()) {
                    Ok(linked) => linked.words,
                    Err(Error::Refused(_)) => continue,
                    // An exported function: symbol files do not distinguish it from a kernel.
                    Err(error) if error.to_string().contains("has no entry point of this name") => continue,
                    Err(error) if imports => {
                        assert!(
                            error.to_string().contains("no image of the program defines it"),
                            "{name}: {error}"
                        );
                        is_open = true;
                        let selection = selection.clone().allow_partial_linkage(true);
                        selection.specialize(&Settings::new()).unwrap().words
                    }
                    Err(error) => panic!("{name}: {error}"),
                };
                loaded += 1;
                of_several += usize::from(selection.images().len() > 1);
                written.add(&name, &words, "spv1.6");
                let result = loader::Module::from_words(&words[..]).unwrap();
                let linkage = spirv::Capability::Linkage as u32;
                let links = result.capabilities().any(|capability| capability.capability() == linkage);
                assert_eq!(links, is_open, "{name}");
                assert!(result.entry_points().any(|entry| entry.name() == kernel), "{name}");
            }
        }
    }
    written.assert_valid();
    assert!(loaded > 300 && of_several > 100, "{loaded} {of_several}");
}
