//! The rules on shaders in Khronos' validation layer: each is that of a row of `spec-extensions/vulkan-uses.csv` or `vulkan-limits.csv`, or
//! has its reason in `vulkan-rules.csv`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::common::root;

/// The rules that are compared, by how they begin: those on modules in general, on a module in Vulkan, and on what takes modules.
const COMPARED: [&str; 4] = [
    "VUID-RuntimeSpirv-",
    "VUID-StandaloneSpirv-",
    "VUID-VkPipelineShaderStageCreateInfo-",
    "VUID-VkShaderModuleCreateInfo-",
];
/// The reasons that the comment of the table explains.
const REASONS: [&str; 9] = [
    "module",
    "capability",
    "application",
    "several stages",
    "run time",
    "combinations",
    "number",
    "older",
    "replaced",
];

/// Returns the library of the layer that scripts/setup.sh drivers brings.
pub fn layer() -> Option<PathBuf> {
    let folders = std::fs::read_dir(root().join("target/tools/root/usr/lib")).ok()?;
    let mut libraries =
        folders.flatten().map(|folder| folder.path().join("libVkLayer_khronos_validation.so"));
    libraries.find(|library| library.exists())
}

/// Checks that each rule of the layer has a row, and that each row is of a rule.
pub fn every_rule_has_a_row() -> Result<(), String> {
    let layer = layer().ok_or("the layer is not there; run scripts/setup.sh drivers")?;
    let bytes = std::fs::read(&layer).map_err(|error| format!("{}: {error}", layer.display()))?;
    let problems = compare(&rules_in(&bytes), &rules_of_rows(), &reasons()?);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// Checks that the comparison finds what is wrong.
pub fn comparison_finds_mistakes() -> Result<(), String> {
    let layer = b"x\0VUID-RuntimeSpirv-a-00001\0VUID-RuntimeSpirv-b-00002 text\0VUID-StandaloneSpirv-c-00003\0\
                  VUID-RuntimeSpirv-new-00004\0VUID-VkShaderModuleCreateInfo-sType-sType\0VUID-VkBufferCreateInfo-size-00912\0";
    let rows =
        BTreeSet::from(["VUID-RuntimeSpirv-a-00001", "VUID-RuntimeSpirv-gone-00005"].map(str::to_owned));
    let reasons = [
        ("VUID-StandaloneSpirv-*", "module"),
        ("VUID-RuntimeSpirv-b-00002", "because"),
        ("VUID-RuntimeSpirv-a-00001", "module"),
    ];
    let reasons = reasons.map(|(rule, reason)| (rule.to_owned(), reason.to_owned())).into();
    let found = compare(&rules_in(layer), &rows, &reasons);
    let expected = [
        "VUID-RuntimeSpirv-a-00001: has a row and a reason",
        "VUID-RuntimeSpirv-new-00004: has neither a row nor a reason in spec-extensions/vulkan-rules.csv",
        "VUID-RuntimeSpirv-gone-00005: is no rule of the layer",
        "VUID-RuntimeSpirv-b-00002: 'because' is no reason",
    ];
    if found == expected { Ok(()) } else { Err(format!("{found:#?}")) }
}

/// Returns the rules that a library names and that are compared. Those that end in a word instead of a number are not about shaders.
fn rules_in(bytes: &[u8]) -> BTreeSet<String> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let starts = bytes.windows(5).enumerate().filter(|(_, window)| *window == b"VUID-");
    let rules = starts.map(|(at, _)| {
        let rule = bytes[at..].iter().take_while(|byte| is_part(byte)).map(|&byte| char::from(byte));
        rule.collect::<String>()
    });
    let is_compared = |rule: &String| {
        let number = rule.rsplit('-').next().unwrap_or_default();
        COMPARED.iter().any(|start| rule.starts_with(start))
            && number.len() == 5
            && number.bytes().all(|digit| digit.is_ascii_digit())
    };
    rules.filter(is_compared).collect()
}

/// Returns the rules of the rows of the tables of uses and limits that are compared.
fn rules_of_rows() -> BTreeSet<String> {
    let tables = ["vulkan-uses.csv", "vulkan-limits.csv"];
    tables.iter().flat_map(|table| rules_in(&read(table))).collect()
}

/// Returns the reasons of rules without a row.
fn reasons() -> Result<BTreeMap<String, String>, String> {
    let text = String::from_utf8(read("vulkan-rules.csv")).map_err(|error| error.to_string())?;
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let mut reasons = BTreeMap::new();
    for row in rows {
        let (rule, reason) = row.split_once(',').ok_or("a row without a reason")?;
        if reasons.insert(rule.to_owned(), reason.to_owned()).is_some() {
            return Err(format!("{rule}: has two rows"));
        }
    }
    Ok(reasons)
}

fn read(table: &str) -> Vec<u8> {
    std::fs::read(root().join("spec-extensions").join(table)).unwrap()
}

fn compare(
    layer: &BTreeSet<String>,
    rows: &BTreeSet<String>,
    reasons: &BTreeMap<String, String>,
) -> Vec<String> {
    let group = |rule: &str| {
        let starts = reasons.keys().filter_map(|known| known.strip_suffix('*'));
        starts.into_iter().any(|start| rule.starts_with(start))
    };
    let mut problems = Vec::new();
    for rule in layer {
        let has_reason = reasons.contains_key(rule) || group(rule);
        match (rows.contains(rule), has_reason) {
            (true, false) | (false, true) => {}
            (true, true) => problems.push(format!("{rule}: has a row and a reason")),
            (false, false) => problems
                .push(format!("{rule}: has neither a row nor a reason in spec-extensions/vulkan-rules.csv")),
        }
    }
    let named = rows.iter().chain(reasons.keys().filter(|rule| !rule.ends_with('*')));
    let stale = named.filter(|rule| !layer.contains(*rule));
    problems.extend(stale.map(|rule| format!("{rule}: is no rule of the layer")));
    let unknown = reasons.iter().filter(|(_, reason)| !REASONS.contains(&reason.as_str()));
    problems.extend(unknown.map(|(rule, reason)| format!("{rule}: '{reason}' is no reason")));
    problems
}
