//! The conditions that inspect tells are those under which pack declares things.

use std::collections::BTreeMap;

use spirv::Capability;
use spirv_if::analysis::{Annotated, closure};
use spirv_if::device::Tables;
use spirv_if::inspection::Inspected;
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::transform::pack::{self, Dialect, pack};
use spirv_if::{inspection, writer};

use crate::{common, inspected};

/// What the only entry point needs under a condition: capabilities and extensions.
fn conditional(inspected: &Inspected) -> BTreeMap<String, String> {
    let [entry_point] = &inspected.entry_points[..] else { panic!("one entry point") };
    let all = entry_point.capabilities.iter().chain(&entry_point.extensions);
    all.filter_map(|own| Some((own.name.to_string(), own.when.as_ref()?.to_string()))).collect()
}

/// What is declared under a condition, without what something else implies that is declared under the same one.
fn without_implied(declared: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let implies = |one: &str, other: &str| {
        let number = |name: &str| name.parse::<Capability>().ok();
        let (Some(one), Some(other)) = (number(one), number(other)) else { return false };
        one != other && closure(std::iter::once(one as u32)).contains(&other)
    };
    let stays = |(name, when): &(&String, &String)| {
        !declared.iter().any(|(other, also)| also == *when && implies(other, name))
    };
    declared.iter().filter(stays).map(|(name, when)| (name.clone(), when.clone())).collect()
}

/// The fixtures with one entry point and nothing exported, so that all of the module is the entry point's.
fn of_one_entry_point() -> Vec<(String, Vec<u32>)> {
    let fixtures = common::fixtures().into_iter().filter(|(name, _)| name.starts_with("glsl/"));
    let found: Vec<_> = fixtures.filter(|(_, words)| inspected(words).entry_points.len() == 1).collect();
    assert!(found.len() >= 5);
    found
}

#[test]
fn conditions_are_those_of_pack() {
    let mut compared = 0;
    for (name, words) in of_one_entry_point() {
        let module = Module::from_words(&words[..]).unwrap();
        let packed = pack(&module, &pack::Options::default()).unwrap();
        let declared: BTreeMap<String, String> = packed
            .summary
            .conditional
            .iter()
            .map(|(name, when)| (name.clone(), when.display(&Tables).to_string()))
            .collect();
        compared += declared.len();
        assert_eq!(conditional(&inspected(&words)), without_implied(&declared), "{name}");
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn a_packed_module_says_the_same_by_its_properties() {
    for (name, words) in of_one_entry_point() {
        let module = Module::from_words(&words[..]).unwrap();
        let packed = pack(&module, &pack::Options::default()).unwrap();
        let properties = writer::property_sets(&packed, PropertyNames::default()).unwrap();
        let result = writer::apply(&module, &packed.edits).unwrap();
        let result = Module::from_words(&result[..]).unwrap();
        let find = |properties: &PropertySets| {
            inspection::study(&result, properties, &Annotated::default(), |study| study.inspected()).unwrap()
        };
        assert_eq!(conditional(&find(&properties)), conditional(&inspected(&words)), "{name}");
        let unknown = conditional(&find(&PropertySets::default()));
        assert!(unknown.values().all(|when| when.contains("SpecId(")), "{name}: {unknown:?}");
    }
}

#[test]
fn device_constants_need_no_properties() {
    let options = pack::Options { dialect: Dialect::FunctionVariants, ..Default::default() };
    let (_, words) = of_one_entry_point().into_iter().find(|(name, _)| name.contains("reduce")).unwrap();
    let module = Module::from_words(&words[..]).unwrap();
    let packed = pack(&module, &options).unwrap();
    let result = writer::apply(&module, &packed.edits).unwrap();
    let when: Vec<String> = conditional(&inspected(&result)).into_values().collect();
    assert_eq!(when, ["cap(Float16)", "cap(Float16)"]);
}
