//! The warnings of the design, for modules that compilers made from sources with and without debug
//! information. Expected places are read from the source, where remarks mark the lines.

use spirv_if::engine::analysis::Analyses;
use std::borrow::Cow;

use crate::api::check::Warning;
use crate::checks::{self as engine, CheckTargets, WarningProblem, WarningStep, check};
use crate::test_support::words_of;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::{Annotated, Names};
use spirv_if::engine::loader::Module;

fn folder() -> std::path::PathBuf {
    crate::test_support::root().join("fixtures/check")
}

/// Returns the warnings of a fixture, as a compiler would print them. `others` are the functions of another
/// translation unit.
fn warnings(fixture: &str, fixed_targets: &[&str], others: &[&str]) -> Vec<String> {
    let words = words_of(&std::fs::read(folder().join(fixture)).unwrap());
    let module = Module::from_words(&words[..]).unwrap();
    let fixed_targets: Vec<Device> =
        fixed_targets.iter().map(|name| Device::embedded(name).unwrap()).collect();
    let devices = DeviceConfig::embedded().unwrap();
    let mut annotated = Annotated::default();
    let names = Names::new(&module);
    for function in module.functions().iter().filter(|_| !others.is_empty()) {
        let is_other = others.contains(&&*names.function_name(function.id).short());
        annotated.sources.insert(function.id, if is_other { "b.clcpp" } else { "a.clcpp" }.to_owned());
    }
    let properties = Default::default();
    let options = CheckTargets { fixed_targets: &fixed_targets, devices: &devices, properties: &properties };
    check(&Analyses::new(&module, Cow::Borrowed(&annotated)), &options)
        .unwrap()
        .into_iter()
        .map(|warning| Warning::new(warning).to_string())
        .collect()
}

/// Returns the expected text for a module. `{remark@text}` is the place of a text in the line with a remark, and `{remark}` the place of
/// that line. Without source locations, the text has no places, and the hint is at the end.
fn expected(text: &str, source: &str, file: &str, with_places: bool) -> String {
    let source = std::fs::read_to_string(folder().join(source)).unwrap();
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (place, after) = after.split_once('}').unwrap();
        let (remark, at) = place.split_once('@').map_or((place, None), |(remark, at)| (remark, Some(at)));
        let marked = format!("// {remark}");
        let mut lines = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with(&marked));
        let (number, line) = lines.next().unwrap_or_else(|| panic!("no remark {remark}"));
        assert_eq!(lines.next(), None, "{remark} marks one line");
        let column = at.map(|at| format!(":{}", line.find(at).unwrap() + 1)).unwrap_or_default();
        result += before;
        if with_places {
            result += &format!("{file}:{number}{column}");
        }
        rest = after;
    }
    result += rest;
    match with_places {
        true => result,
        false => {
            let lines: Vec<&str> = result.trim_start_matches(": ").lines().map(str::trim_end).collect();
            lines.join("\n") + "\ncompile with '-g' to get source location"
        }
    }
}

/// Checks a module with and without debug information.
fn check_fixture(fixtures: [&str; 2], source: &str, targets: &[&str], others: &[&str], texts: &[&str]) {
    let file = if source == "double.comp" { "stdin".to_owned() } else { format!("./{source}") };
    for (fixture, with_places) in fixtures.into_iter().zip([false, true]) {
        let expected: Vec<String> =
            texts.iter().map(|text| expected(text, source, &file, with_places)).collect();
        assert_eq!(warnings(fixture, targets, others), expected, "{fixture}");
    }
}

const NOT_LISTED: &str =
    "{the use@x * 2.0}: warning: function 'not_listed' uses aspect 'fp64' not listed in 'sycl::device_has'
use is from this call chain:
  not_listed()
  bar(float) {calls bar@bar}
  boo(float) {calls boo@boo}";

const NOT_LISTED_OF_UNIT: &str =
    "{the external use@out[1]}: warning: function 'not_expected' uses aspect 'fp64' not listed in 'sycl::device_has'
use is from this call chain:
  not_expected()
  external(float AS1*) {calls external@external}";

const NOT_EXPECTED: &str =
    "{the external use@out[1]}: warning: function 'external' uses aspect 'fp64' not expected by \
its calling kernel.\nMissing [[sycl::device_has()]] on SYCL_EXTERNAL function?
use is from this call chain:
  not_expected()
  external(float AS1*) {calls external@external}";

const SUB_GROUP_SIZE: &str =
    "{wide begins}: warning: function 'wide' has required sub-group size '32' that does not match
its calling kernel.  Missing [[sycl::reqd_sub_group()]] attribute on\nSYCL_EXTERNAL function?
use is from this call chain:
  narrow()
  wide(float AS1*) {calls wide@wide}";

#[test]
fn the_warnings_of_the_design() {
    let texts = [NOT_LISTED, NOT_LISTED_OF_UNIT, SUB_GROUP_SIZE];
    check_fixture(["hw.spv", "hw-g.spv"], "hw.clcpp", &[], &[], &texts);
    let texts = [NOT_LISTED, SUB_GROUP_SIZE, NOT_EXPECTED];
    check_fixture(["hw.spv", "hw-g.spv"], "hw.clcpp", &[], &["external", "wide"], &texts);
}

#[test]
fn fixed_targets_of_kernels() {
    let kernel = |name: &str, calls: &str| {
        format!(
            "{{the use@x * 2.0}}: warning: function '{name}' uses aspect 'fp64', which fixed target 'intel_gpu_dg1' does not have
use is from this call chain:
  {name}()
  bar(float) {{{calls}@bar}}
  boo(float) {{calls boo@boo}}"
        )
    };
    let texts = [
        NOT_LISTED,
        NOT_LISTED_OF_UNIT,
        SUB_GROUP_SIZE,
        &kernel("not_listed", "calls bar"),
        &kernel("listed", "listed calls bar"),
        "{the external use@out[1]}: warning: function 'not_expected' uses aspect 'fp64', which fixed target 'intel_gpu_dg1' \
does not have
use is from this call chain:
  not_expected()
  external(float AS1*) {calls external@external}",
        &kernel("says_nothing", "says_nothing calls bar"),
        "{narrow begins}: warning: function 'narrow' has required sub-group size '16', which fixed target \
'nvidia_gpu_sm_80' does not support",
        "{large begins}: warning: function 'large' has required work-group size '64, 32, 1', which fixed target \
'intel_gpu_dg1' does not support: it supports at most 512 work-items",
        "{large begins}: warning: function 'large' has required work-group size '64, 32, 1', which fixed target \
'nvidia_gpu_sm_80' does not support: it supports at most 1024 work-items",
    ];
    let targets = ["intel_gpu_dg1", "nvidia_gpu_sm_80"];
    check_fixture(["hw.spv", "hw-g.spv"], "hw.clcpp", &targets, &[], &texts);
}

#[test]
fn fixed_targets_of_shaders() {
    let texts = [
        "{the use}: warning: function 'main' uses aspect 'fp64', which fixed target 'intel_gpu_dg1' does not have
use is from this call chain:
  main()
  bar(float) {calls bar}
  boo(float) {calls boo}",
        "{main begins}: warning: function 'main' has required work-group size '64, 32, 1', which fixed targets \
'intel_gpu_dg1' and 'nvidia_gpu_sm_80' do not support: it supports at most 1024 work-items",
        "{calls bar}: warning: function 'main' uses capability 'Shader', which fixed target 'x86_64' does not support
use is from this call chain:
  main()",
    ];
    let targets = ["intel_gpu_dg1", "nvidia_gpu_sm_80", "x86_64"];
    check_fixture(["double.spv", "double-gVS.spv"], "double.comp", &targets, &[], &texts);
}

#[test]
fn what_several_targets_lack_is_one_warning() {
    let targets = ["intel_gpu_dg1", "intel_gpu_acm_g10", "intel_gpu_rkl"];
    let warnings_text = warnings("double.spv", &targets, &[]);
    let lack = "fixed targets 'intel_gpu_dg1', 'intel_gpu_acm_g10' and 'intel_gpu_rkl' do not have";
    assert_eq!(warnings_text.len(), 2, "and the size of the work-group");
    assert!(warnings_text[0].contains(lack), "{}", warnings_text[0]);
}

/// Checks the examples of docs/design/optional-kernel-features.md, to the letter.
#[test]
fn messages_of_the_design() {
    let (foo, fp64) = (|| "foo".to_owned(), 6);
    let step = |function: &str| WarningStep { function: function.to_owned(), place: None };
    let warning = |problem, chain, without_places| {
        let warning =
            engine::CheckWarning { problem, place: None, id: None, offset: None, chain, without_places };
        format!("warning: {}", warning.text())
    };
    let alone = |problem| warning(problem, Vec::new(), false);
    let not_listed = WarningProblem::NotListed { function: foo(), aspect: fp64, condition: None };
    assert_eq!(
        warning(not_listed, ["foo()", "bar()", "boo()"].map(step).to_vec(), true),
        "warning: function 'foo' uses aspect 'fp64' not listed in 'sycl::device_has'
use is from this call chain:
  foo()
  bar()
  boo()
compile with '-g' to get source location"
    );
    assert_eq!(
        alone(WarningProblem::NotExpected { function: foo(), aspect: fp64, condition: None }),
        "warning: function 'foo' uses aspect 'fp64' not expected by its calling kernel.
Missing [[sycl::device_has()]] on SYCL_EXTERNAL function?"
    );
    assert_eq!(
        alone(WarningProblem::SubGroupSize { function: "bar".to_owned(), size: 32 }),
        "warning: function 'bar' has required sub-group size '32' that does not match
its calling kernel.  Missing [[sycl::reqd_sub_group()]] attribute on
SYCL_EXTERNAL function?"
    );
    assert_eq!(
        alone(WarningProblem::FixedTargets { function: foo() }),
        "warning: function 'foo' compiled with a different `-fsycl-fixed-targets` switch
than its calling kernel."
    );
}
