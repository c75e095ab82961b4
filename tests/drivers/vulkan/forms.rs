//! The ways from a compiler's module to one for a device.

use std::collections::BTreeSet;

use spirv_if::analysis::{Annotated, Names};
use spirv_if::annotations::Annotations;
use spirv_if::device::{Device, Table};
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::recipes::{self, PackOptions};
use spirv_if::runtime::{Declarations, Fits, KnownOn, settled};
use spirv_if::transform::pack::{self, Dialect};
use spirv_if::transform::specialize::{self, specialize};
use spirv_if::transform::trim::trim;
use spirv_if::writer::{apply, property_sets};

use super::kernels::Feature;

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `pack`, and `specialize` when it is loaded.
    Packed(Dialect),
    /// `specialize --trim` alone, on the compiler's module.
    Own,
}

impl Form {
    pub const ALL: [Form; 3] =
        [Form::Packed(Dialect::SpecConditional), Form::Packed(Dialect::FunctionVariants), Form::Own];

    pub fn name(self) -> &'static str {
        match self {
            Form::Packed(Dialect::SpecConditional) => "packed",
            Form::Packed(Dialect::FunctionVariants) => "function-variants",
            Form::Own => "own",
        }
    }
}

/// A compiler's module, and what is said of it beside.
pub struct Source {
    words: Vec<u32>,
    annotations: Option<Annotations>,
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

impl Source {
    /// A fixture, and the annotations of the same name.
    pub fn fixture(name: &str) -> Result<Source> {
        let path = super::root().join("fixtures").join(name);
        let bytes = std::fs::read(path.with_extension("spv"))?;
        let beside = path.with_file_name(name.rsplit('/').next().unwrap_or(name).trim_end_matches("-O"));
        let annotations = match std::fs::read_to_string(beside.with_extension("yaml")) {
            Ok(text) => Some(Annotations::from_yaml(name, &text)?),
            Err(_) => None,
        };
        Ok(Source { words: crate::common::words_of(&bytes), annotations })
    }

    fn annotated(&self, module: &Module) -> Result<Annotated> {
        match &self.annotations {
            Some(annotations) => Ok(Annotated::resolve(module, &Names::new(module), annotations)?),
            None => Ok(Annotated::default()),
        }
    }

    /// The packed module, and its properties.
    pub fn packed(&self, dialect: Dialect) -> Result<(Vec<u32>, PropertySets)> {
        let module = Module::from_words(&self.words[..])?;
        let annotated = self.annotated(&module)?;
        let pack = pack::Options { dialect, annotated, ..pack::Options::default() };
        let packed = recipes::pack(&module, &PackOptions { pack, ..PackOptions::default() })?;
        Ok((packed.words, property_sets(&packed.packed, PropertyNames::Design)?))
    }

    /// The module for a device. No condition may stay open.
    pub fn made_for(&self, device: &Device, form: Form) -> Result<Vec<u32>> {
        let options = specialize::Options { require_decided: true, ..Default::default() };
        match form {
            Form::Packed(dialect) => {
                let (words, properties) = self.packed(dialect)?;
                let module = Module::from_words(&words[..])?;
                let known = KnownOn::new(device, &properties)?;
                let specialized = specialize(&module, &known, &[], &options)?;
                Ok(apply(&module, &specialized.edits)?)
            }
            Form::Own => {
                let module = Module::from_words(&self.words[..])?;
                let annotated = self.annotated(&module)?;
                let known = KnownOn::new(device, &PropertySets::default())?;
                let values = settled(device, &annotated.spec_constants)?;
                let set: Vec<_> = values.into_iter().map(|(id, value)| (id, u64::from(value))).collect();
                let resolved = recipes::resolve(&module, &annotated, device, &known, &set, &options)?;
                match resolved.packed {
                    Some(open) if !open.leaves.is_empty() => Err("conditions stay open".into()),
                    _ => {
                        let module = Module::from_words(&resolved.words)?;
                        Ok(apply(&module, &trim(&module).edits)?)
                    }
                }
            }
        }
    }
}

/// The device with only those of the features that it has and `keep` keeps, and which these are.
pub fn masked(device: &Device, features: &[Feature], keep: &[bool]) -> Result<(Device, Vec<bool>)> {
    let mut device = device.clone();
    let mut has = Vec::new();
    for (feature, keep) in features.iter().zip(keep) {
        let capability = feature.capability as u32;
        let aspect = feature.aspect.map(|name| Table::Aspects.parse(name)).transpose()?;
        if !keep {
            device.capabilities.as_mut().map(|all: &mut BTreeSet<u32>| all.remove(&capability));
            device.aspects.as_mut().zip(aspect).map(|(all, aspect)| all.remove(&aspect));
        }
        let of_device = match aspect {
            Some(aspect) => device.has_aspect(aspect),
            None => device.has_capability(capability),
        };
        has.push(of_device.ok_or("the device's entry leaves a feature open")?);
    }
    Ok((device, has))
}

/// Whether a module is valid, and the device's entry says that it runs it.
pub fn check(words: &[u32], device: &Device) -> Result<()> {
    let module = Module::from_words(words)?;
    let environment = match module.version().1 {
        0..=2 => "vulkan1.0",
        3 => "vulkan1.1",
        4 => "vulkan1.1spv1.4",
        5 => "vulkan1.2",
        _ => "vulkan1.3",
    };
    crate::common::validate(words, environment)?;
    let fits = Fits::new(vec![device]).of(&Declarations::as_is(&module));
    match fits.iter().all(|fit| fit.runs()) {
        true => Ok(()),
        false => Err(format!("by its entry the device does not run it: {fits:?}").into()),
    }
}

/// Whether a module declares a capability.
pub fn declares(words: &[u32], capability: spirv::Capability) -> Result<bool> {
    let module = Module::from_words(words)?;
    Ok(module.head().any(|inst| inst.is(spirv::Op::Capability) && inst.word(1) == capability as u32))
}
