//! Many modules in a file: how many of them need what.

use std::collections::BTreeSet;
use std::fmt::Write;

use spirv_if::inspection::model::Required;
use spirv_if::inspection::{FileReport, ModuleReport};

use super::super::terminal::fill;
use super::text::{HEADING, by_condition};

/// Modules that need the same.
struct Group<'r> {
    needs: Vec<Required>,
    first: &'r ModuleReport,
    count: usize,
}

/// The text for a file.
pub fn file(file: &FileReport, text: &mut String) {
    let groups = groups(&file.modules);
    let generators: BTreeSet<String> =
        file.modules.iter().map(|report| report.inspected.generator.to_string()).collect();
    let _ = writeln!(
        text,
        "{HEADING}{}{HEADING:#}: {} modules by {}, which need {} different sets of capabilities",
        file.file,
        file.modules.len(),
        generators.into_iter().collect::<Vec<_>>().join(", "),
        groups.len()
    );
    let width = groups.first().map_or(0, |group| group.count.to_string().len());
    for group in groups {
        let modules = if group.count == 1 { "module" } else { "modules" };
        let title = format!("  {:>width$} {modules:<7}  ", group.count);
        let indent = " ".repeat(title.len());
        fill(text, &title, &names(&group.needs), ", ");
        let name = group.first.inspected.roots().next().map(|root| format!(" {}", root.title()));
        let _ = writeln!(text, "{indent}first at {:#x}{}", group.first.offset, name.unwrap_or_default());
    }
    let unneeded = file.modules.iter().filter(|report| report.inspected.unneeded().next().is_some()).count();
    if unneeded > 0 {
        let _ = writeln!(
            text,
            "  {unneeded} declare more than they need (`spirv-if trim`); -v shows each module"
        );
    }
}

/// The names, each with its condition.
fn names(needs: &[Required]) -> Vec<String> {
    let mut all = Vec::new();
    for (when, names) in by_condition(needs) {
        all.extend(names.into_iter().map(str::to_owned));
        if let (Some(when), Some(last)) = (when, all.last_mut()) {
            let _ = write!(last, " where {when}");
        }
    }
    all
}

/// The modules by what they need, the largest group first.
fn groups(modules: &[ModuleReport]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known = std::collections::HashMap::new();
    for report in modules {
        let mut needs: Vec<Required> = Vec::new();
        for root in report.inspected.roots() {
            for required in &root.capabilities {
                if !needs.contains(required) {
                    needs.push(required.clone());
                }
            }
        }
        needs.sort();
        match known.get(&needs) {
            Some(&at) => {
                let group: &mut Group = &mut groups[at];
                group.count += 1;
            }
            None => {
                known.insert(needs.clone(), groups.len());
                groups.push(Group { needs, first: report, count: 1 });
            }
        }
    }
    // Those of one size stay in the order of the file.
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}
