//! The ways from a compiler's module to one for a device.

use spirv::{Capability, Op};
use spirv_if::analysis::{Annotated, Names};
use spirv_if::annotations::Annotations;
use spirv_if::device::{Device, capabilities};
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::recipes::{self, PackOptions};
use spirv_if::runtime::{KnownOn, settled};
use spirv_if::transform::pack::{self, Dialect};
use spirv_if::transform::specialize::{self, specialize};
use spirv_if::transform::trim::trim;
use spirv_if::writer::{apply, property_sets};

use crate::common::words_of;
use crate::root;

/// From a compiler's module to one for a device.
#[derive(Clone, Copy)]
pub enum Route {
    /// Packed, then specialized.
    Packed(Dialect),
    /// Resolved at once, and trimmed.
    Resolved,
}

/// All of them, with names.
pub const ROUTES: [(&str, Route); 3] = [
    ("packed", Route::Packed(Dialect::SpecConditional)),
    ("variants", Route::Packed(Dialect::FunctionVariants)),
    ("resolved", Route::Resolved),
];

/// A compiler's module, and what is said of it beside.
pub struct Compiled {
    words: Vec<u32>,
    annotations: Option<Annotations>,
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

impl Compiled {
    /// A fixture, with the annotations of the same name if there are some.
    pub fn fixture(name: &str) -> Result<Compiled> {
        let path = root().join("fixtures").join(name);
        let bytes = std::fs::read(path.with_extension("spv"))?;
        let beside = root().join("fixtures").join(name.trim_end_matches("-O")).with_extension("yaml");
        let annotations = match std::fs::read_to_string(beside) {
            Ok(text) => Some(Annotations::from_yaml(name, &text)?),
            Err(_) => None,
        };
        Ok(Compiled { words: words_of(&bytes), annotations })
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
    pub fn made_for(&self, device: &Device, route: Route) -> Result<Vec<u32>> {
        let options = specialize::Options { require_decided: true, ..specialize::Options::default() };
        match route {
            Route::Packed(dialect) => {
                let (words, properties) = self.packed(dialect)?;
                let module = Module::from_words(words)?;
                let known = KnownOn::new(device, &properties)?;
                let specialized = specialize(&module, &known, &[], &options)?;
                Ok(apply(&module, &specialized.edits)?)
            }
            Route::Resolved => {
                let module = Module::from_words(&self.words[..])?;
                let annotated = self.annotated(&module)?;
                let known = KnownOn::new(device, &PropertySets::default())?;
                let values = settled(device, &annotated.spec_constants)?;
                let set: Vec<_> = values.into_iter().map(|(id, value)| (id, u64::from(value))).collect();
                let resolved = recipes::resolve(&module, &annotated, device, &known, &set, &options)?;
                let module = Module::from_words(resolved.words)?;
                Ok(apply(&module, &trim(&module).edits)?)
            }
        }
    }
}

/// The entry of a device with capabilities masked off, and the aspects that stand for them.
pub fn without(mut device: Device, mask: &[Capability]) -> Device {
    for &capability in mask {
        if let Some(own) = &mut device.capabilities {
            own.remove(&(capability as u32));
        }
        if let Some(own) = &mut device.aspects {
            own.retain(|aspect| capabilities::exactly(*aspect) != Some(capability as u32));
        }
    }
    device
}

/// Whether a module declares a capability.
pub fn declares(module: &Module, capability: Capability) -> bool {
    module.head().any(|inst| inst.is(Op::Capability) && inst.word(1) == capability as u32)
}
