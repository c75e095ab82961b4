//! Many modules in a file, grouped by their requirements.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use super::super::TextStyle;
use super::text::{answer, by_condition, by_driver};
use crate::device::NumberTable;
use crate::inspection::model::RequiredFeature;
use crate::inspection::{FileReport, Inspection};

/// The number of groups that are shown.
const LINES: usize = 12;

/// Modules with the same requirements.
struct ModuleGroup<'r> {
    required: Vec<RequiredFeature>,
    first: &'r Inspection,
    count: usize,
}

/// The text for a file.
pub fn file(file: &FileReport, style: &TextStyle, text: &mut String) {
    let groups = groups(&file.modules);
    let generators: BTreeSet<String> =
        file.modules.iter().map(|report| report.inspected.generator.to_string()).collect();
    let _ = writeln!(
        text,
        "{}: {} modules by {}, which require {} different sets of capabilities",
        style.heading(&file.file),
        file.modules.len(),
        generators.into_iter().collect::<Vec<_>>().join(", "),
        groups.len()
    );
    if let Some(answer) = answer_of_all(&file.modules) {
        let _ = writeln!(text, "  {answer}");
    }
    let width = groups.first().map_or(0, |group| group.count.to_string().len());
    let count = groups.len();
    for group in groups.into_iter().take(LINES) {
        let modules = if group.count == 1 { "module" } else { "modules" };
        let title = format!("  {:>width$} {modules:<7}  ", group.count);
        let indent = " ".repeat(title.len());
        style.fill(text, &title, &names(&group.required), ", ");
        let name = group.first.inspected.roots().next().map(|root| format!(" {}", root.title()));
        let _ = writeln!(text, "{indent}first at {:#x}{}", group.first.offset, name.unwrap_or_default());
        answer(&indent, &group.first.inspected, style, text);
    }
    if count > LINES {
        let _ = writeln!(text, "  and {} more such sets (-v shows each module)", count - LINES);
    }
    let unneeded = file.modules.iter().filter(|report| report.inspected.unneeded().next().is_some()).count();
    if unneeded > 0 {
        let _ = writeln!(text, "  {unneeded} declare more than they require (see `spirv-if trim`)");
    }
    let mut crash: BTreeMap<&str, usize> = BTreeMap::new();
    for driver in file.modules.iter().flat_map(|report| by_driver(&report.inspected.crashes).into_keys()) {
        *crash.entry(driver).or_default() += 1;
    }
    for (driver, count) in crash {
        let _ = writeln!(
            text,
            "  {count} crash the compiler of {driver} (see `spirv-if specialize --work-around {driver}`)"
        );
    }
}

/// Returns the numbers of devices that run the modules, in a sentence; `None` if devices were not compared.
fn answer_of_all(modules: &[Inspection]) -> Option<String> {
    let answers = || modules.iter().filter_map(|report| report.inspected.answer.as_ref());
    let run = || answers().map(|answer| answer.run);
    let (least, most, devices) = (run().min()?, run().max()?, answers().next()?.devices);
    let range = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let nowhere = answers().filter(|answer| answer.run == 0 && answer.gains.is_empty()).count();
    Some(format!("{range} of {devices} devices run each of them; {nowhere} run on no device"))
}

/// Returns the names, each with its condition.
fn names(required: &[RequiredFeature]) -> Vec<String> {
    let mut all = Vec::new();
    for (when, names) in by_condition(required) {
        all.extend(names.into_iter().map(str::to_owned));
        if let (Some(when), Some(last)) = (when, all.last_mut()) {
            let _ = write!(last, " where {when}");
        }
    }
    all
}

/// Returns the modules by their requirements, the largest group first.
fn groups(modules: &[Inspection]) -> Vec<ModuleGroup<'_>> {
    let mut groups: Vec<ModuleGroup> = Vec::new();
    let mut known = HashMap::new();
    for report in modules {
        let mut required: Vec<RequiredFeature> = Vec::new();
        for root in report.inspected.roots() {
            for capability in &root.capabilities {
                if !required.contains(capability) {
                    required.push(capability.clone());
                }
            }
        }
        // Conditional features come last, then those of newer versions: features of SPIR-V 1.0 say most about
        // a module.
        required.sort_by_cached_key(|feature| {
            (feature.when.is_some(), NumberTable::Capabilities.number(&feature.name))
        });
        let answer = report.inspected.answer.as_ref();
        match known.get(&(required.clone(), answer)) {
            Some(&at) => {
                let group: &mut ModuleGroup = &mut groups[at];
                group.count += 1;
            }
            None => {
                known.insert((required.clone(), answer), groups.len());
                groups.push(ModuleGroup { required, first: report, count: 1 });
            }
        }
    }
    // Groups of equal size keep the order of the file.
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}
