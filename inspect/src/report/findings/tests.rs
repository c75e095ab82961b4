//! Tests of findings by cause, of baselines, and of commands.

use super::*;

fn finding(module: &str, subject: &str, place: Option<(&'static str, u32)>) -> Finding {
    let message = format!("{subject} requires capability 'Float64', which 'cap(Float64)' denies");
    Finding {
        severity: Severity::Error,
        rule: "denied-requirement",
        text: message.clone(),
        message,
        subject: subject.to_owned(),
        problem: "capability 'Float64' cap(Float64)".to_owned(),
        devices: Vec::new(),
        module: module.to_owned(),
        file: module.to_owned(),
        offset: 20,
        id: Some(7),
        location: place.map(|(file, line)| SourceLocation { file: file.into(), line, column: 3 }),
        chain: vec![("half()".to_owned(), None)],
    }
}

/// Returns the lines of each cause.
fn lines(findings: &[Finding]) -> Vec<String> {
    by_cause(findings).iter().map(|cause| cause.occurrences(true)).collect()
}

#[test]
fn a_command_is_one_line() {
    let mut of_module = finding("a,b:c.spv", "", None);
    of_module.message = "100% of\nit".to_owned();
    assert_eq!(
        github(&by_cause(&[of_module]), &[]),
        "::error file=a%2Cb%3Ac.spv,title=denied-requirement::100%25 of%0Ait (a,b:c.spv at 0x14, %257)%0A  half()\n"
    );
}

#[test]
fn a_place_is_one_cause() {
    let place = Some(("half.glsl", 4));
    let all = [
        finding("a.spv", "entry point 'main'", place),
        finding("a.spv", "entry point 'other'", place),
        finding("b.spv", "entry point 'main'", place),
        finding("b.spv", "entry point 'main'", Some(("half.glsl", 5))),
    ];
    let first = "\nthe same for entry point 'other'\nin 2 modules: a.spv and b.spv";
    assert_eq!(lines(&all), [first, "\nin b.spv"]);
}

#[test]
fn an_instruction_is_one_cause() {
    let mut elsewhere = finding("a.spv", "entry point 'main'", None);
    elsewhere.offset = 40;
    let all = [
        finding("a.spv", "entry point 'main'", None),
        finding("a.spv", "entry point 'other'", None),
        elsewhere,
        finding("b.spv", "entry point 'third'", None),
    ];
    assert_eq!(lines(&all), ["\nthe same for entry point 'other'\nin a.spv", "\nin a.spv", "\nin b.spv"]);
}

#[test]
fn modules_without_places_have_a_message_in_common() {
    let modules = ["a.spv", "b.spv", "c.spv", "d.spv", "e.spv", "f.spv"];
    let all = modules.map(|module| finding(module, "entry point 'main'", None));
    assert_eq!(lines(&all), ["\nin 6 modules: a.spv, b.spv, c.spv, d.spv and 2 more"]);
}

#[test]
fn a_baseline_has_causes_by_module_entry_point_and_device() {
    let mut on_devices = finding("./b.spv", "entry point 'main'", None);
    on_devices.devices = vec!["x".to_owned(), "y".to_owned()];
    let accepted = [finding("a.spv", "entry point 'main'", Some(("half.glsl", 4))), on_devices.clone()];
    let json = AcceptedFindings::new(&accepted).to_json().unwrap();
    let baseline = AcceptedFindings::from_json(&json).unwrap();
    assert_eq!(baseline.to_json().unwrap(), json);
    let has = |finding: &Finding| baseline.accepts(std::slice::from_ref(finding))[0];
    let mut moved = finding("a.spv", "entry point 'main'", Some(("half.glsl", 9)));
    (moved.offset, moved.id, moved.message) = (400, Some(9), "in other words".to_owned());
    assert!(has(&moved));
    on_devices.module = "b.spv".to_owned();
    on_devices.devices = vec!["y".to_owned()];
    assert!(has(&on_devices));
    on_devices.devices.push("z".to_owned());
    let mut in_other = moved.clone();
    in_other.chain[0].0 = "quarter()".to_owned();
    let mut other_problem = moved.clone();
    other_problem.problem = "capability 'Int64' cap(Int64)".to_owned();
    let others = [
        on_devices,
        in_other,
        other_problem,
        Finding { module: "c.spv".to_owned(), ..moved.clone() },
        Finding { subject: "entry point 'other'".to_owned(), ..moved.clone() },
        Finding { rule: "required-device", ..moved },
    ];
    for (at, other) in others.iter().enumerate() {
        assert!(!has(other), "{at}");
    }
}

#[test]
fn modules_inside_of_a_file_are_counted() {
    let at = |offset: u64| Finding {
        module: format!("lib.so at {offset:#x}"),
        file: "lib.so".to_owned(),
        ..finding("", "entry point 'main'", None)
    };
    let baseline = AcceptedFindings::new(&[at(20), at(20), at(60)]);
    assert_eq!(baseline.accepts(&[at(40), at(40), at(80), at(100)]), [true, true, true, false]);
}

#[test]
fn a_baseline_of_another_form_is_refused() {
    for text in ["", "[]", r#"{"version": 2, "findings": []}"#, r#"{"version": 1, "findings": [{}]}"#] {
        assert!(AcceptedFindings::from_json(text).is_err(), "{text}");
    }
}
