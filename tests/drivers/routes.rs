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
use spirv_if::writer::{apply, property_sets};

use crate::common::words_of;
use crate::root;

/// From a compiler's module to one for a device.
#[derive(Clone, Copy)]
pub enum Route {
    /// Packed, then specialized.
    Packed(Dialect),
    /// Resolved at once.
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

impl Compiled {
    /// A fixture, with the annotations of the same name if there are some.
    pub fn fixture(name: &str) -> Compiled {
        let path = root().join("fixtures").join(name);
        let bytes = std::fs::read(path.with_extension("spv")).unwrap();
        let beside = root().join("fixtures").join(name.trim_end_matches("-O")).with_extension("yaml");
        let annotations = std::fs::read_to_string(beside).ok();
        let annotations = annotations.map(|text| Annotations::from_yaml(name, &text).unwrap());
        Compiled { words: words_of(&bytes), annotations }
    }

    fn annotated(&self, module: &Module) -> Annotated {
        let resolve = |annotations| Annotated::resolve(module, &Names::new(module), annotations).unwrap();
        self.annotations.as_ref().map(resolve).unwrap_or_default()
    }

    /// The packed module, and its properties.
    pub fn packed(&self, dialect: Dialect) -> (Vec<u32>, PropertySets) {
        let module = Module::from_words(&self.words[..]).unwrap();
        let pack = pack::Options { dialect, annotated: self.annotated(&module), ..pack::Options::default() };
        let options = PackOptions { pack, ..PackOptions::default() };
        let packed = recipes::pack(&module, &options).unwrap();
        (packed.words, property_sets(&packed.packed, PropertyNames::Design).unwrap())
    }

    /// The module for a device. No condition may stay open.
    pub fn made_for(&self, device: &Device, route: Route) -> Vec<u32> {
        let options = specialize::Options { require_decided: true, ..specialize::Options::default() };
        match route {
            Route::Packed(dialect) => {
                let (words, properties) = self.packed(dialect);
                let module = Module::from_words(words).unwrap();
                let known = KnownOn::new(device, &properties).unwrap();
                let specialized = specialize(&module, &known, &[], &options).unwrap();
                apply(&module, &specialized.edits).unwrap()
            }
            Route::Resolved => {
                let module = Module::from_words(&self.words[..]).unwrap();
                let annotated = self.annotated(&module);
                let known = KnownOn::new(device, &PropertySets::default()).unwrap();
                let values = settled(device, &annotated.spec_constants).unwrap();
                let set: Vec<_> = values.into_iter().map(|(id, value)| (id, value.into())).collect();
                recipes::resolve(&module, &annotated, device, &known, &set, &options).unwrap().words
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
