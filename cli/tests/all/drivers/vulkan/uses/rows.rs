//! The rows of `spec-extensions/vulkan-uses.csv`.

use ash::vk;

use crate::common::root;

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseRow {
    /// The whole line.
    pub line: String,
    stages: Vec<String>,
    pub member: String,
    version: Option<u32>,
    extension: String,
    pub structure: String,
    /// The rules of Vulkan.
    pub sources: Vec<String>,
    /// True if rows before it name another member for the same use.
    pub is_alternative: bool,
}

impl UseRow {
    /// Reads the table.
    pub fn table() -> Vec<UseRow> {
        let text = std::fs::read_to_string(root().join("spec-extensions/vulkan-uses.csv")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        // The use and the stages of the row before, and the member that the first row with them names.
        let mut first: Option<([String; 2], String)> = None;
        let mut rows = Vec::new();
        for line in lines {
            let fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            let [use_, stages, member, _, version, extension, structure, sources] =
                fields.try_into().expect("eight fields");
            let minor = version.strip_prefix("1.").map(|minor| minor.parse().expect("a version"));
            let key = [use_, stages.clone()];
            let (_, first_member) = first
                .take()
                .filter(|(before, _)| *before == key)
                .unwrap_or_else(|| (key.clone(), member.clone()));
            rows.push(UseRow {
                line: line.to_owned(),
                stages: stages.split_whitespace().map(str::to_owned).collect(),
                is_alternative: member != first_member,
                version: minor.map(|minor| vk::make_api_version(0, 1, minor, 0)),
                member,
                extension: extension.trim_start_matches('!').to_owned(),
                structure,
                sources: sources.split(' ').map(str::to_owned).collect(),
            });
            first = Some((key, first_member));
        }
        rows
    }

    /// True if the row is for a stage, and for a version of Vulkan, there with its extension if its members are not in core.
    pub fn is_of(&self, stage: &str, api: u32) -> bool {
        let is_of_stage = self.stages.is_empty() || self.stages.iter().any(|other| other == stage);
        let is_core = self.version.is_none_or(|version| api >= version);
        is_of_stage && (is_core || !self.extension.is_empty())
    }
}
