//! The table of rules: each is seen in a small module, and not seen in its twin without the use.

use std::collections::BTreeSet;

use super::cases::{DeclarationRequest, RequirementCase, cases};
use super::subject::{declared, module, removed_by, spell, trimmed};
use crate::device::capabilities;
use crate::test_support::{Batch, bytes_of, spirv_val};

/// A row of `spec-extensions/capability-rules.csv`.
struct RuleRow {
    name: &'static str,
    any: Vec<&'static str>,
}

const UNSEEN: &str = "changes rules unseen";
const KIND: &str = "kind of module";

fn rows() -> Vec<RuleRow> {
    let text = include_str!("../../../../spec-extensions/capability-rules.csv");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let mut fields = line.split(',');
        RuleRow { name: fields.next().unwrap(), any: fields.next().unwrap().split(' ').collect() }
    };
    rows.map(row).collect()
}

/// Returns the lines that declare a capability with the first extension that allows it, or an extension.
fn declaration(name: &str) -> String {
    if name.starts_with("SPV_") {
        return format!("OpExtension \"{name}\"\n");
    }
    let extensions = capabilities::number(name).and_then(capabilities::extensions_of).unwrap();
    let extensions = extensions.first().map(|name| format!("OpExtension \"{name}\"\n"));
    format!("OpCapability {name}\n{}", extensions.unwrap_or_default())
}

/// Returns the lines that declare everything that a capability implies, except the alternatives in `any`.
fn implied(name: &str, any: &[&str]) -> String {
    let Some(number) = capabilities::number(name) else { return String::new() };
    let names = capabilities::implied(number).iter().filter_map(|&implied| capabilities::name(implied));
    names.filter(|name| !any.contains(name)).map(declaration).collect()
}

#[test]
fn every_row_has_a_case() {
    let names: BTreeSet<&str> =
        rows().iter().map(|row| row.name).filter(|name| ![UNSEEN, KIND].contains(name)).collect();
    let cases: BTreeSet<_> = cases().iter().map(|case| case.rule.to_owned()).collect();
    assert_eq!(cases, names.into_iter().map(str::to_owned).collect());
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn each_rule_keeps_its_capabilities_and_no_others() {
    let mut wrong = Vec::new();
    let mut valid = Batch::default();
    for case in cases() {
        for row in rows().iter().filter(|row| row.name == case.rule) {
            for name in &row.any {
                if let Err(message) = judge(&case, name, &row.any, &mut valid) {
                    wrong.push(format!("{}, {name}: {message}", case.rule));
                }
            }
        }
    }
    wrong.extend(valid.problems());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}

/// Judges the declarations that a rule keeps in a case. Adds the modules that must be valid.
fn judge(case: &RequirementCase, name: &str, any: &[&str], valid: &mut Batch) -> Result<(), String> {
    let mut removed = |words: &[u32]| {
        removed_by(&format!("{}, {name}", case.rule), words, case.environment, valid).contains(name)
    };
    let text = |with_use| format!("{}{}", spell(&case.text, with_use), declaration(name));
    let with_use = module(&text(true), case.environment);
    if removed(&with_use) {
        return Err(format!("removed\n{}", text(true)));
    }
    let without = format!("{}{}", spell(&case.text, true), implied(name, any));
    let without = module(&without, case.environment);
    match (case.asks, spirv_val(&bytes_of(&without), case.environment)) {
        (DeclarationRequest::Spirv, Ok(())) => {
            return Err(format!("spirv-val does not need it\n{}", text(true)));
        }
        (DeclarationRequest::Api, Err(error)) => return Err(format!("spirv-val needs it: {error}")),
        _ => {}
    }
    let twin = module(&text(false), case.environment);
    match (removed(&twin), is_kind_of_module(name)) {
        (true, false) | (false, true) => Ok(()),
        (false, false) => Err(format!("kept\n{}", text(false))),
        (true, true) => Err(format!("removed, though it says of which kind the module is\n{}", text(false))),
    }
}

/// Returns true if a capability is the kind of a module.
fn is_kind_of_module(name: &str) -> bool {
    rows().iter().any(|row| row.name == KIND && row.any.contains(&name))
}

/// Drivers look for the extension by name, so a capability that is implied by another is not a substitute.
#[test]
fn the_kind_of_a_module_is_kept() {
    let implied = [
        ("KERNEL\nOpCapability Vector16\n%v = OpTypeVector %int 16", "Kernel Vector16"),
        (
            "OpCapability SampleRateShading\nINTERFACE %v\nOpDecorate %v BuiltIn SampleId\nOpDecorate %v Flat
        %p = OpTypePointer Input %int\n%v = OpVariable %p Input",
            "Shader SampleRateShading",
        ),
    ];
    for (lines, expected) in implied {
        let words = module(&format!("{lines}\nFN %main\nEND"), "spv1.6");
        let expected: BTreeSet<String> = expected.split(' ').map(str::to_owned).collect();
        let kept = declared(&trimmed(&words));
        assert!(kept.is_superset(&expected), "{kept:?}");
    }
}

/// A capability is kept if it changes rules without an instruction that shows it.
#[test]
fn capabilities_that_change_other_rules_are_kept() {
    let rows = rows();
    for name in &rows.iter().find(|row| row.name == UNSEEN).unwrap().any {
        let text = format!("{}FN %main\nEND", declaration(name));
        let words = module(&text, "spv1.6");
        assert!(declared(&trimmed(&words)).contains(*name), "{name}");
    }
}
