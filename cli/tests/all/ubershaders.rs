//! The shaders of the benchmark of pipelines are valid, and so are their results, which grow with the number of active switches.

#[path = "../../../benches/pipelines/ubershaders.rs"]
pub mod settings;

use spirv::{Decoration, Op};
use spirv_if::{Device, Module, Prepared, Settings};

use crate::common::{root, validate, words_of};
use crate::drivers::routes::instructions;

/// The environment of all of them, by their first lines.
const ENVIRONMENT: &str = "vulkan1.1";

fn results_are_valid_and_grow_with_the_switches() {
    for name in settings::NAMES {
        let path = root().join("fixtures/ubershaders").join(name).with_extension("spv");
        let words = words_of(&std::fs::read(path).unwrap());
        validate(&words, ENVIRONMENT).unwrap();
        let module = Module::from_words(&words[..]).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let mut sizes = Vec::new();
        for setting in settings::settings(name, &words).unwrap() {
            let set = |settings: Settings, &(spec_id, value): &(u32, u32)| settings.set(spec_id, value);
            let all = setting.values.iter().fold(Settings::new(), set).trim(true);
            let result = prepared.specialize(&Device::default(), &all).unwrap().words;
            validate(&result, ENVIRONMENT)
                .unwrap_or_else(|error| panic!("{name}, {}: {error}", setting.title));
            let is_spec_id = |(opcode, operands): (u32, &[u32])| {
                opcode == Op::Decorate as u32 && operands[1] == Decoration::SpecId as u32
            };
            assert!(!instructions(&result).any(is_spec_id), "{name}, {}: a constant is left", setting.title);
            sizes.push(result.len());
        }
        assert!(sizes.is_sorted(), "{name}: {sizes:?}");
        // Without a switch, little is left; the filter has none.
        assert!(name == "filter" || sizes[0] * 4 < words.len(), "{name}: {sizes:?} of {}", words.len());
    }
}

tests![results_are_valid_and_grow_with_the_switches];
