//! Tests of all parts of the package together.

mod corrupted;
mod decided;
mod guidelines;
mod images;
mod once;
mod remedies;
mod verdicts;

#[path = "../../../src/tests/corpus.rs"]
pub mod corpus;

use spirv_if::device::Api;
use spirv_if::error::{RequestError, RequestErrorKind};
use spirv_if::module::{Annotations, find_modules};
use spirv_if::{Error, Module};

use crate::inspection::{FileReport, Inspection, InspectionReport};
use crate::{InspectOptions, Inspector, Report, TextStyle, inspect};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(crate::test_support::root().join("fixtures").join(name)).unwrap()
}

#[test]
fn results_are_shared_by_equal_modules_with_equal_annotations() {
    let module = fixture("annotations/guarded.spv");
    let file = [b"odd", &module[..], &module].concat();
    let options = InspectOptions::default();
    let inspector = Inspector::new(&options).unwrap();
    let modules: Vec<Module> = find_modules(&file).filter_map(|candidate| candidate.load()).collect();
    let [first, second] = [&modules[0], &modules[1]].map(|module| inspector.inspect(module).unwrap());
    assert_eq!((first.offset, second.offset), (3, 3 + module.len()));
    assert!(std::sync::Arc::ptr_eq(&first.inspected, &second.inspected), "it is inspected once");
    let text = String::from_utf8(fixture("annotations/guarded.yaml")).unwrap();
    let annotations = Annotations::from_yaml("guarded.yaml", &text).unwrap();
    let annotated = modules[1].clone().with_annotations(&annotations).unwrap();
    let annotated = inspector.inspect(&annotated).unwrap();
    assert_ne!(annotated.inspected, first.inspected);
    assert_eq!(annotated.offset, second.offset);
}

#[test]
fn json_written_in_parts_is_that_of_the_whole() {
    let options = InspectOptions::new().why("fp64").each_device("intel_gpu_d*").api(Api::Vulkan);
    let inspector = Inspector::new(&options).unwrap();
    let files = ["opencl/plain.spv", "glsl/reduce.spv"].map(|name| (name, fixture(name)));
    let mut report = Report::new(&options);
    let mut whole = Vec::new();
    for (name, bytes) in &files {
        let inspection = inspector.inspect(&Module::from_bytes(bytes).unwrap()).unwrap();
        report.add_file(name, bytes.len(), vec![inspection.clone()]);
        let (file, size) = (name.to_string(), bytes.len());
        whole.push(FileReport { file, size, modules: vec![inspection] });
    }
    let counts: Vec<_> = whole.iter().flat_map(|file| &file.modules).filter_map(Inspection::counts).collect();
    let expected = serde_json::to_string_pretty(&InspectionReport::new(counts, whole)).unwrap();
    assert!(expected.contains("Each of the 2 modules runs on "), "{expected}");
    assert_eq!(report.to_json().unwrap(), expected + "\n");
}

#[test]
fn colour_is_all_that_colour_changes() {
    let options = InspectOptions::default();
    let bytes = fixture("opencl/plain.spv");
    let mut report = Report::new(&options);
    report.add_file(
        "plain.spv",
        bytes.len(),
        vec![inspect(&Module::from_bytes(&bytes).unwrap(), &options).unwrap()],
    );
    let plain = report.to_text(&TextStyle::default());
    let style = TextStyle::new().color(true);
    let colored = report.to_text(&style);
    assert!(colored.starts_with("\x1b[1mplain.spv\x1b[0m\n"), "{colored}");
    assert_eq!(colored.replace("\x1b[1m", "").replace("\x1b[0m", ""), plain);
}

#[test]
fn options_that_name_what_does_not_exist() {
    let refused = |options: &InspectOptions| -> RequestError {
        match Inspector::new(options) {
            Err(Error::Request(error)) => error,
            _ => panic!("{options:?}"),
        }
    };
    let error = refused(&InspectOptions::new().why("flaot64"));
    assert!(error.kind() == RequestErrorKind::Feature && error.to_string().contains("Float64"), "{error}");
    let error = refused(&InspectOptions::new().each_device("intel_gpu_x*"));
    assert_eq!(error.kind(), RequestErrorKind::Device);
    assert!(error.to_string().contains("unknown device `intel_gpu_x*`"), "{error}");
}

/// Checks that questions about code name a capability if a feature has one, and else the feature.
#[test]
fn only_features_without_capability_are_asked_for() {
    let why = |name: &str| {
        let bytes = fixture("opencl/plain.spv");
        let result = inspect(&Module::from_bytes(&bytes).unwrap(), &InspectOptions::new().why(name));
        result.err().map(|error| error.to_string())
    };
    assert!(why("shaderFloat16").unwrap().contains("`Float16`"));
    assert!(why("shaderInt64").unwrap().contains("`Int64`"));
    assert_eq!(why("shaderSubgroupExtendedTypes"), None);
}
