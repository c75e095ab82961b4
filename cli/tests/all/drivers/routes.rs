//! The ways from a compiler's module to one for a device.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;
use spirv_if::device::DeviceConfig;
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::module::Annotations;
use spirv_if::pack::{Dialect, Packed};
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_sycl::program::{Program, ProgramImage};
use spirv_if_sycl::split::{SplitMode, SplitOptions, add_on};

use crate::common::{bytes_of, root, words_of};

/// From a compiler's module to one for a device.
#[derive(Clone, Copy, PartialEq)]
pub enum Route {
    /// Packed, then specialized.
    Packed(Dialect),
    /// Resolved at once.
    Resolved,
    /// Split into images with add-on images. The add-on images for the device are selected and linked.
    AddOn,
    /// Resolved for several devices including this one. These builds are merged, and specialized.
    Merged,
}

/// All of them, with names.
pub const ROUTES: [(&str, Route); 5] = [
    ("packed", Route::Packed(Dialect::SpecConditional)),
    ("variants", Route::Packed(Dialect::FunctionVariants)),
    ("resolved", Route::Resolved),
    ("add-on", Route::AddOn),
    ("merged", Route::Merged),
];

/// The other devices of [`Route::Merged`]: of the table, and one that has nothing.
const OTHERS: [&str; 3] = ["intel_gpu_bmg_g21", "nvidia_gpu_sm_50", "x86_64"];
const BARE: &str = "bare: {aspects: [], capabilities: []}";

/// A compiler's module, and the facts beside it.
pub struct Compiled {
    words: Vec<u32>,
    /// The module of another link unit, from which it imports.
    library: Option<Vec<u32>>,
    annotations: Option<Annotations>,
}

impl Compiled {
    /// A fixture, with the annotations of the same name if there are some.
    pub fn fixture(name: &str) -> Compiled {
        let path = root().join("fixtures").join(name);
        let bytes = std::fs::read(path.with_extension("spv")).unwrap();
        let beside = root().join("fixtures").join(name.trim_end_matches("-O")).with_extension("yaml");
        let annotations = std::fs::read_to_string(beside).ok();
        let annotations = annotations.map(|text| Annotations::from_yaml(name, &text).unwrap());
        let library = std::fs::read(root().join(format!("fixtures/{name}-library.spv"))).ok();
        let library = library.map(|bytes| words_of(&bytes));
        Compiled { words: words_of(&bytes), library, annotations }
    }

    /// The module with its annotations.
    pub fn module(&self) -> Module<'_> {
        let module = Module::from_words(&self.words[..]).unwrap();
        match &self.annotations {
            Some(annotations) => module.with_annotations(annotations).unwrap(),
            None => module,
        }
    }

    /// The packed module, and its properties.
    pub fn packed(&self, dialect: Dialect) -> Packed {
        let options = PackOptions::new().dialect(dialect);
        pack(&self.module(), &options).unwrap()
    }

    /// The module for a device. No condition may stay open.
    pub fn made_for(&self, device: &Device, route: Route) -> Vec<u32> {
        let module = match route {
            Route::Packed(dialect) => {
                let packed = self.packed(dialect);
                Module::from_words(packed.words).unwrap().with_properties(packed.properties).unwrap()
            }
            Route::Resolved => self.module(),
            Route::AddOn => return self.linked(device),
            Route::Merged => Module::from_words(self.merged(device)).unwrap(),
        };
        let settings = Settings::new().unset(UnsetPolicy::Error);
        Prepared::new(&module).unwrap().specialize(device, &settings).unwrap().words
    }

    /// The builds for a device and for others as one module. Among the builds that the device can run, its own requires most. If none of several
    /// requires all features of another, the first is chosen.
    fn merged(&self, device: &Device) -> Vec<u32> {
        let bare = DeviceConfig::from_yaml("bare", BARE).unwrap();
        let others = OTHERS.iter().map(|name| Device::embedded(name).unwrap());
        let module = self.module();
        let prepared = Prepared::new(&module).unwrap();
        let settings = Settings::new().unset(UnsetPolicy::Error);
        let mut builds = vec![prepared.specialize(device, &settings).unwrap().words];
        // Some others do not run it at all.
        let others = others.chain(bare.iter().cloned());
        builds.extend(others.filter_map(|other| Some(prepared.specialize(&other, &settings).ok()?.words)));
        let mut seen = HashSet::new();
        builds.retain(|words| seen.insert(words.clone()));
        assert!(builds.len() > 1, "no other device has another build");
        let modules: Vec<Module> =
            builds.iter().map(|words| Module::from_words(&words[..]).unwrap()).collect();
        let variants: Vec<Variant> = modules.iter().map(|module| Variant::new(module, None)).collect();
        let options = MergeOptions::new().infer(true);
        merge(&variants, &options).unwrap().words
    }

    /// The program of its link units, with an image for each kernel, and add-on images.
    pub fn program(&self) -> Result<Program, Error> {
        let options = SplitOptions::default();
        let mut images = images(&self.module(), SplitMode::Kernel, &options)?;
        if let Some(words) = &self.library {
            images.extend(self::images(&Module::from_words(&words[..])?, SplitMode::Off, &options)?);
        }
        Program::new(images)
    }

    /// The module of the images for a device.
    fn linked(&self, device: &Device) -> Vec<u32> {
        let program = self.program().unwrap();
        let kernels = program.kernels();
        let kernel = match kernels[..] {
            [kernel] => kernel,
            _ => "run",
        };
        let selection = program.select(kernel, device).unwrap();
        selection.specialize(&Settings::new().unset(UnsetPolicy::Error)).unwrap().words
    }

    /// The first of the other routes before one that lead to the same module: a driver needs to run it once.
    pub fn made_before(&self, words: &[u32], device: &Device, route: Route) -> Option<&'static str> {
        let mut before = ROUTES.iter().take_while(|(_, earlier)| *earlier != route);
        before.find(|(_, earlier)| self.made_for(device, *earlier) == words).map(|(name, _)| *name)
    }
}

/// The program of a module, with an image for each kernel, and add-on images.
pub fn program(module: &Module) -> Result<Program, Error> {
    program_with(module, &SplitOptions::default())
}

/// Like [`program`], but with options other than the mode.
pub fn program_with(module: &Module, options: &SplitOptions) -> Result<Program, Error> {
    Program::new(images(module, SplitMode::Kernel, options)?)
}

fn images(module: &Module, mode: SplitMode, options: &SplitOptions) -> Result<Vec<ProgramImage>, Error> {
    let options = options.clone().mode(mode);
    let mut images = Vec::new();
    for (number, add_on_image) in add_on(module, &options)?.into_iter().enumerate() {
        let bytes = bytes_of(&add_on_image.image.words);
        let symbols =
            add_on_image.image.symbols.iter().chain(&add_on_image.image.exported).cloned().collect();
        let name = format!("{number} {:?}", add_on_image.role);
        images
            .push(ProgramImage::new(name, add_on_image.image.properties, symbols, move || Ok(bytes.clone())));
    }
    Ok(images)
}

/// The instructions of a module: opcode, and the words after the first.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = &words[5..];
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let (inst, after) = rest.split_at((first >> 16) as usize);
        rest = after;
        Some((first & 0xffff, &inst[1..]))
    })
}

/// The numbers of the capabilities that a module declares.
pub fn declared(words: &[u32]) -> BTreeSet<u32> {
    let declarations = instructions(words).filter(|(opcode, _)| *opcode == Op::Capability as u32);
    declarations.map(|(_, operands)| operands[0]).collect()
}
