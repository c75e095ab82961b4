//! The dependencies of Vulkan's device extensions (`spec-extensions/vulkan-dependencies.csv`).

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::loader::Version;
use crate::text::csv;

/// The first version of Vulkan.
const FIRST: Version = Version::new(1, 0);

/// A dependency of an extension: a Boolean expression of versions and other extensions.
#[derive(Debug, PartialEq)]
enum Dependency {
    Version(Version),
    Extension(&'static str),
    All(Vec<Dependency>),
    Any(Vec<Dependency>),
}

static DEPENDENCIES: LazyLock<HashMap<&str, Dependency>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/vulkan-dependencies.csv"))
        .map(|[extension, depends]| (extension, parse(depends)))
        .collect()
});

/// Returns the lowest version of Vulkan with which the extension can be enabled.
pub(super) fn lowest_version(extension: &str) -> Version {
    DEPENDENCIES.get(extension).map_or(FIRST, Dependency::lowest_version)
}

/// Returns the fewest other extensions to enable with this extension on the version. `None` if the version is too low.
pub(in crate::device) fn required_with(extension: &str, version: Version) -> Option<Vec<&'static str>> {
    DEPENDENCIES.get(extension).map_or(Some(Vec::new()), |condition| condition.missing(version))
}

/// Returns the extension and the others that are enabled with it on the version for any choice of alternatives. `None`
/// if the version is too low.
pub(in crate::device) fn always_with(
    extension: &'static str,
    version: Version,
) -> Option<BTreeSet<&'static str>> {
    let mut all = DEPENDENCIES
        .get(extension)
        .map_or(Some(BTreeSet::new()), |condition| condition.always_with(version))?;
    all.insert(extension);
    Some(all)
}

impl Dependency {
    fn lowest_version(&self) -> Version {
        match self {
            Dependency::Version(version) => *version,
            Dependency::Extension(name) => lowest_version(name),
            Dependency::All(parts) => parts.iter().map(Dependency::lowest_version).max().unwrap_or(FIRST),
            Dependency::Any(parts) => parts.iter().map(Dependency::lowest_version).min().unwrap_or(FIRST),
        }
    }

    fn always_with(&self, version: Version) -> Option<BTreeSet<&'static str>> {
        match self {
            Dependency::Version(required) => (*required <= version).then(BTreeSet::new),
            Dependency::Extension(name) => always_with(name, version),
            Dependency::All(parts) => {
                let parts = parts.iter().map(|part| part.always_with(version));
                Some(parts.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
            }
            Dependency::Any(parts) => {
                let parts = parts.iter().filter_map(|part| part.always_with(version));
                parts.reduce(|some, others| &some & &others)
            }
        }
    }

    fn missing(&self, version: Version) -> Option<Vec<&'static str>> {
        match self {
            Dependency::Version(required) => (*required <= version).then(Vec::new),
            Dependency::Extension(name) => {
                let mut missing = required_with(name, version)?;
                missing.push(name);
                Some(missing)
            }
            Dependency::All(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| part.missing(version)).collect();
                Some(parts?.concat())
            }
            Dependency::Any(parts) => {
                parts.iter().filter_map(|part| part.missing(version)).min_by_key(Vec::len)
            }
        }
    }
}

/// Parses names and versions joined by `+` and `|`, with parentheses where the two are mixed.
fn parse(text: &'static str) -> Dependency {
    let text = strip(text);
    if let Some(parts) = split(text, '|') {
        return Dependency::Any(parts.into_iter().map(parse).collect());
    }
    if let Some(parts) = split(text, '+') {
        return Dependency::All(parts.into_iter().map(parse).collect());
    }
    text.parse().map_or(Dependency::Extension(text), Dependency::Version)
}

/// Removes parentheses around the whole.
fn strip(text: &str) -> &str {
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) if is_balanced(inner) => strip(inner),
        _ => text,
    }
}

fn is_balanced(text: &str) -> bool {
    text.chars().try_fold(0_i32, |depth, letter| Some(depth + step(letter)).filter(|depth| *depth >= 0))
        == Some(0)
}

/// Splits at the separators outside of parentheses; `None` if there are none.
fn split(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut depth = 0;
    let parts: Vec<&str> = text
        .split(|letter| {
            depth += step(letter);
            depth == 0 && letter == separator
        })
        .collect();
    (parts.len() > 1).then_some(parts)
}

fn step(letter: char) -> i32 {
    i32::from(letter == '(') - i32::from(letter == ')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        use Dependency::*;
        assert_eq!(
            parse("((VK_A+VK_B)|1.3)+VK_C"),
            All(vec![
                Any(vec![All(vec![Extension("VK_A"), Extension("VK_B")]), Version("1.3".parse().unwrap())]),
                Extension("VK_C")
            ])
        );
        assert_eq!(parse("((VK_A))"), Extension("VK_A"));
    }

    #[test]
    fn every_condition_names_versions_and_extensions() {
        fn check(condition: &Dependency) {
            match condition {
                Dependency::Version(_) => {}
                Dependency::Extension(name) => {
                    assert!(
                        name.starts_with("VK_") && name.chars().all(|c| c.is_alphanumeric() || c == '_'),
                        "{name}"
                    );
                }
                Dependency::All(parts) | Dependency::Any(parts) => parts.iter().for_each(check),
            }
        }
        assert!(DEPENDENCIES.len() > 100);
        for (extension, condition) in DEPENDENCIES.iter() {
            check(condition);
            assert!(required_with(extension, lowest_version(extension)).is_some(), "{extension}");
        }
    }

    #[test]
    fn fewest_extensions_for_the_version() {
        assert_eq!(lowest_version("VK_KHR_spirv_1_4"), Version::new(1, 1));
        assert_eq!(lowest_version("VK_AMD_shader_ballot"), FIRST);
        assert_eq!(required_with("VK_KHR_ray_query", FIRST), None);
        assert_eq!(
            required_with("VK_KHR_ray_query", Version::new(1, 2)),
            Some(vec!["VK_KHR_deferred_host_operations", "VK_KHR_acceleration_structure"])
        );
        assert_eq!(required_with("VK_KHR_16bit_storage", Version::new(1, 1)), Some(vec![]));
    }

    #[test]
    fn extensions_of_all_alternatives() {
        let with = |name, version| always_with(name, version).map(Vec::from_iter);
        assert_eq!(with("VK_AMD_shader_ballot", FIRST), Some(vec!["VK_AMD_shader_ballot"]));
        assert_eq!(with("VK_KHR_ray_query", FIRST), None);
        let version = Version::new(1, 2);
        let all = ["VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", "VK_KHR_ray_query"];
        assert_eq!(with("VK_KHR_ray_query", version), Some(all.to_vec()));
    }
}
