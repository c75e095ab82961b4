//! The guide for Vulkan engines names conditions and Vulkan's features as the tables relate them.

use crate::sources::root;

const GUIDE: &str = "docs/vulkan-engines.md";

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// A row of a table of ours: the names before the columns of Vulkan, and the member and value among them.
struct VulkanRow {
    name: String,
    member: String,
    value: String,
}

/// Returns the rows of a table, by the positions of the columns `name`, `member` and `value`.
fn rows(table: &str, name: usize, member: usize) -> Vec<VulkanRow> {
    let text = text(&format!("spec-extensions/{table}"));
    let cells =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let cell = |cells: &[&str], at: usize| cells.get(at).copied().unwrap_or_default().to_owned();
    cells
        .map(|cells| VulkanRow {
            name: cell(&cells, name),
            member: cell(&cells, member),
            value: cell(&cells, member + 1),
        })
        .collect()
}

/// Returns the texts between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Returns true if the tables say that the condition stands for the member of Vulkan, and its value if it has one.
fn stands_for(condition: &str, member: &str, value: &str) -> bool {
    let has = |rows: Vec<VulkanRow>, name: Option<&str>| {
        rows.iter().any(|row| {
            name.is_none_or(|name| row.name == name)
                && row.member == member
                && (value.is_empty() || row.value == value)
        })
    };
    let inner = |kind: &str| condition.strip_prefix(kind)?.strip_suffix(')');
    if let Some(capability) = inner("cap(") {
        return has(rows("vulkan-capabilities.csv", 0, 4), Some(capability));
    }
    if let Some(feature) = inner("feature(vulkan:") {
        let named = feature == member || feature == format!("{member}.{value}");
        let tables = [("vulkan-capabilities.csv", 4), ("vulkan-uses.csv", 2)];
        return named && tables.into_iter().any(|(table, at)| has(rows(table, 0, at), None));
    }
    has(rows("vulkan-aspects.csv", 0, 4), Some(condition))
}

#[test]
fn the_guide_names_what_the_tables_relate() {
    let guide = text(GUIDE);
    let (_, table) = guide.split_once("| condition | Vulkan's feature or property |\n|---|---|\n").unwrap();
    let mut count = 0;
    for row in table.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        let names = quoted(cells[2]);
        for condition in quoted(cells[1]) {
            let value = names.get(1).copied().unwrap_or_default();
            assert!(stands_for(condition, names[0], value), "{GUIDE}: {row}");
            count += 1;
        }
    }
    assert!(count >= 16, "{count} conditions");
    assert!(!stands_for("cap(Int8)", "shaderInt16", ""));
    assert!(!stands_for("fp16", "shaderFloat64", ""));
    assert!(!stands_for("feature(vulkan:nothing)", "nothing", ""));
}
