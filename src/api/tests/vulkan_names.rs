//! Tests that Vulkan's own names of features are suggestions for the names here, wherever conditions and features are
//! written.

use crate::Condition;
use crate::condition::FeatureName;
use crate::device::{DeviceConfig, DeviceParts, providers};
use crate::merge::ManifestShader;
use crate::module::Annotations;

/// A place where people write names: the name for half precision there, and the error for an unknown name.
type Place = (&'static str, &'static str, fn(&str) -> Option<String>);

/// Unknown names of Vulkan, and the texts of which a message must have one.
const NAMES: [(&str, &[&str]); 2] = [
    ("shaderInt64", &["Int64`", "cap(Int64)", "vulkan:shaderInt64"]),
    ("shaderSubgroupExtendedTypes", &["vulkan:shaderSubgroupExtendedTypes"]),
];

fn error<T, E: ToString>(result: Result<T, E>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

fn device(parts: DeviceParts) -> Option<String> {
    error(parts.to_device(None))
}

fn config(key: &str, name: &str) -> Option<String> {
    error(DeviceConfig::from_yaml("d.yaml", &format!("phone:\n  {key}: [{name}]\n")))
}

fn annotations(text: &str) -> Option<String> {
    error(Annotations::from_yaml("a.yaml", text))
}

const PLACES: [Place; 20] = [
    (
        "an aspect of a condition, as for --deny",
        "`cap(Float16)` or `feature(vulkan:shaderFloat16)`",
        |name| error(Condition::parse(name)),
    ),
    ("cap()", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        error(Condition::parse(&format!("cap({name})")))
    }),
    ("arch()", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        error(Condition::parse(&format!("arch({name})")))
    }),
    ("ext()", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        error(Condition::parse(&format!("ext({name})")))
    }),
    ("feature()", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        error(Condition::parse(&format!("feature({name})")))
    }),
    ("annotations: when", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        annotations(&format!("functions:\n  f:\n    when: {name}\n"))
    }),
    ("annotations: uses", "`fp16`", |name| annotations(&format!("functions:\n  f:\n    uses: {name}\n"))),
    ("annotations: declares", "`fp16`", |name| {
        annotations(&format!("functions:\n  f:\n    declares: [{name}]\n"))
    }),
    ("annotations: types", "`fp16`", |name| annotations(&format!("types:\n  t: {name}\n"))),
    ("annotations: spec-constants", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        annotations(&format!("spec-constants:\n  3: {name}\n"))
    }),
    ("manifest", "`cap(Float16)` or `feature(vulkan:shaderFloat16)`", |name| {
        error(ManifestShader::from_yaml("m.yaml", &format!("shaders:\n  a:\n    b: {name}\n")))
    }),
    ("--aspects", "`fp16`", |name| device(DeviceParts::new().aspects(name))),
    ("--capabilities", "`Float16`", |name| device(DeviceParts::new().capabilities(name))),
    ("--extensions", "`Float16`", |name| device(DeviceParts::new().extensions(name))),
    ("--features", "`Float16`", |name| device(DeviceParts::new().features(name))),
    ("--provider-features", "`vulkan:shaderFloat16`", |name| {
        device(DeviceParts::new().provider_features(name))
    }),
    ("configuration: aspects", "`fp16`", |name| config("aspects", name)),
    ("configuration: capabilities", "`Float16`", |name| config("capabilities", name)),
    ("configuration: extensions", "`Float16`", |name| config("extensions", name)),
    ("configuration: provider-features", "`vulkan:shaderFloat16`", |name| config("provider-features", name)),
];

#[test]
fn names_of_vulkan_are_suggested_everywhere() {
    for (place, half, unknown) in PLACES {
        for (name, suggestions) in [("shaderFloat16", &[half][..])].into_iter().chain(NAMES) {
            let message = unknown(name).unwrap_or_else(|| panic!("{place}: {name} is known"));
            // What follows the name itself.
            let rest = message.split_once(name).map_or("", |(_, rest)| rest);
            assert!(suggestions.iter().any(|text| rest.contains(text)), "{place}: {message}");
        }
    }
}

/// In names of functions, a feature is written with its provider. One that does not exist has a suggestion.
#[test]
fn features_in_names_of_functions_are_suggested() {
    let feature = FeatureName::parse("vulkan:shaderFlaot16").unwrap();
    let message = providers::describe_unknown(feature);
    assert!(message.contains("did you mean `vulkan:shaderFloat16`"), "{message}");
}
