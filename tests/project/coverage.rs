//! The page of what the project does for every section of the designs: all that it names exists, and no section is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const PAGES: &str = "docs/design";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(PAGES).join(name)).unwrap()
}

/// Returns the cells of the rows for the sections of each page.
fn rows(coverage: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut rows: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let mut of_page = None;
    for line in coverage.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            of_page = Some(title.to_owned()).filter(|title| title.ends_with(".md"));
        }
        let (Some(page), Some(row)) = (&of_page, line.strip_prefix("| ")) else { continue };
        let cells: Vec<String> =
            row.trim_end_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
        if cells[0] != "section" {
            rows.entry(page.clone()).or_default().push(cells);
        }
    }
    rows
}

/// The words between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The problem with a file, or with a test in one, if it does not exist.
fn problem(root: &Path, named: &str) -> Option<String> {
    let (file, test) = named.split_once("::").map_or((named, None), |(file, test)| (file, Some(test)));
    let path = root.join(file);
    let Some(test) = test else { return (!path.exists()).then(|| format!("there is no {file}")) };
    let text = std::fs::read_to_string(path).unwrap_or_default();
    (!text.contains(&format!("fn {test}()"))).then(|| format!("there is no test {test} in {file}"))
}

#[test]
fn what_the_page_names_exists() {
    let rows = rows(&page("coverage.md"));
    assert_eq!(rows.len(), 5, "{:?}", rows.keys());
    let mut problems = Vec::new();
    for cells in rows.values().flatten() {
        let [section, _, files, tests] = &cells[..] else { panic!("{cells:?}") };
        for cell in [files, tests] {
            let named = quoted(cell);
            assert!(!named.is_empty(), "{section}: nothing is named");
            problems.extend(named.into_iter().filter_map(|named| problem(&root(), named)));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(problem(&root(), "src/lib.rs::nothing").unwrap(), "there is no test nothing in src/lib.rs");
    assert_eq!(problem(&root(), "src/nothing.rs").unwrap(), "there is no src/nothing.rs");
}

#[test]
fn no_section_is_left_out() {
    for (name, rows) in rows(&page("coverage.md")) {
        let named: BTreeSet<&str> = rows.iter().map(|cells| &*cells[0]).collect();
        let text = page(&name);
        let sections = text
            .lines()
            .filter_map(|line| line.strip_prefix("##"))
            .map(|line| line.trim_start_matches('#').trim());
        let missing: Vec<&str> = sections.filter(|section| !named.contains(section)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
        assert!(rows.len() >= 6, "{name}");
    }
}
