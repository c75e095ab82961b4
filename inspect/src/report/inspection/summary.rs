//! Many modules in a file, grouped by their requirements and the devices that run them as they are. Remedies do not count: only the answer of the
//! first module of each listed group has them.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use super::super::TextStyle;
use super::text::{answer, by_condition, by_driver};
use crate::inspection::model::RequiredFeature;
use crate::inspection::{FileReport, Inspection, LibraryAnswer, UnchangedCounts};
use spirv_if::engine::collections::{OrderedMap, gather, sort_by_key};

/// The number of groups that are shown.
const LINES: usize = 12;

/// Modules with equal requirements and results, unless a remedy changes them.
struct ModuleGroup<'r> {
    required: &'r [RequiredFeature],
    /// Index of the first module.
    first: usize,
    count: usize,
}

/// The properties that the modules of a group share.
#[derive(PartialEq, Eq, Hash)]
struct GroupKey<'r> {
    required: &'r [RequiredFeature],
    /// The number of devices that run the unchanged module.
    run: Option<usize>,
    /// The results of its entry points, or of a library's exported functions.
    roots: BTreeSet<UnchangedCounts<'r>>,
}

impl GroupKey<'_> {
    fn new(report: &Inspection) -> GroupKey<'_> {
        let inspected = &report.inspected;
        let counts = inspected.counted_roots().iter().filter_map(|root| root.devices.as_ref());
        GroupKey {
            required: &inspected.requires,
            run: report.counts().map(|counts| counts.run),
            roots: counts.map(|counts| counts.unchanged()).collect(),
        }
    }
}

/// Writes the text for a file.
pub fn file(file: &FileReport, style: &TextStyle, text: &mut String) {
    let groups = groups(&file.modules);
    let generators: BTreeSet<String> =
        gather(file.modules.iter().map(|report| report.inspected.generator.to_string()));
    let _ = writeln!(
        text,
        "{}: {} modules by {}, in {} groups with equal requirements",
        style.heading(&file.file),
        file.modules.len(),
        generators.into_iter().collect::<Vec<_>>().join(", "),
        groups.len()
    );
    if let Some(answer) = LibraryAnswer::new(file.modules.iter().filter_map(Inspection::counts)) {
        let _ = writeln!(text, "  {answer}");
    }
    let width = groups.first().map_or(0, |group| group.count.to_string().len());
    let count = groups.len();
    for group in groups.into_iter().take(LINES) {
        let modules = if group.count == 1 { "module" } else { "modules" };
        let title = format!("  {:>width$} {modules:<7}  ", group.count);
        let indent = " ".repeat(title.len());
        style.fill(text, &title, &names(group.required), ", ");
        let first = &file.modules[group.first];
        let name = first.inspected.roots().next().map(|root| format!(" {}", root.title()));
        // Others may have other remedies.
        let _ = writeln!(text, "{indent}first at {:#x}{}:", first.offset, name.unwrap_or_default());
        answer(&indent, &first.inspected, style, text);
    }
    if count > LINES {
        let _ = writeln!(text, "  and {} more such groups (-v shows each module)", count - LINES);
    }
    let unneeded = file.modules.iter().filter(|report| report.inspected.unneeded().next().is_some()).count();
    if unneeded > 0 {
        let _ = writeln!(text, "  {unneeded} declare more than they require (see `spirv-if trim`)");
    }
    let mut failing: OrderedMap<&str, usize> = OrderedMap::new();
    for driver in file.modules.iter().flat_map(|report| by_driver(&report.inspected.defects).into_keys()) {
        *failing.entry(driver).or_default() += 1;
    }
    for (driver, count) in failing {
        let _ = writeln!(
            text,
            "  {count} have code at which the compiler of {driver} fails (see `spirv-if specialize --work-around {driver}`)"
        );
    }
}

/// Returns the modules, by index, whose answers are shown.
pub fn answered(modules: &[Inspection]) -> Vec<usize> {
    groups(modules).into_iter().take(LINES).map(|group| group.first).collect()
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

/// Returns the groups of the modules, the largest first.
fn groups(modules: &[Inspection]) -> Vec<ModuleGroup<'_>> {
    let mut groups: Vec<ModuleGroup> = Vec::new();
    let mut known = HashMap::new();
    for (at, report) in modules.iter().enumerate() {
        let group = *known.entry(GroupKey::new(report)).or_insert_with(|| {
            groups.push(ModuleGroup { required: &report.inspected.requires, first: at, count: 0 });
            groups.len() - 1
        });
        groups[group].count += 1;
    }
    // Groups of equal size keep the order of the file.
    sort_by_key(&mut groups, |group| std::cmp::Reverse(group.count));
    groups
}
