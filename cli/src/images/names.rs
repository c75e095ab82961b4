//! The names of images.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use spirv_if_sycl::split::{ImagePlan, Root};

/// The maximum number of characters of a kernel's name in a file's name: file systems accept 255 bytes.
const MAX_LENGTH: usize = 100;

/// Returns the files of the images, in the order of the plans: STEM_0.spv and so on, or by kernel STEM.KERNEL.spv, after the first in each.
pub fn paths(plans: &[ImagePlan], stem: &Path, by_kernel: bool) -> Vec<PathBuf> {
    let suffixes: Vec<String> = match by_kernel {
        true => unique(plans.iter().map(|plan| names(&plan.roots[0])).collect()),
        false => (0..plans.len()).map(|number| format!("_{number}")).collect(),
    };
    let path = |suffix: String| {
        let mut name = OsString::from(stem);
        name.push(suffix);
        name.push(".spv");
        PathBuf::from(name)
    };
    suffixes.into_iter().map(path).collect()
}

/// Returns the file of an add-on image: STEM_add_on_N.spv, and STEM_add_on_N_stub.spv, where N is the id without the number of the link unit.
pub fn add_on(stem: &Path, id: &str, kind: &str) -> PathBuf {
    let number = id.split('.').next().unwrap_or(id);
    let mut name = OsString::from(stem);
    name.push(format!("_add_on_{number}{kind}.spv"));
    PathBuf::from(name)
}

/// Returns the name of a root, and a longer one with the kind of shader for the case that another root has the same name.
fn names(root: &Root) -> [String; 2] {
    let plain = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' | '.' => character,
        _ => '_',
    };
    let mut name: String = root.name.chars().map(plain).take(MAX_LENGTH).collect();
    name.insert(0, '.');
    let kind = root.execution_model.as_deref().unwrap_or("function");
    let longer = format!("{name}.{}", kind.to_lowercase());
    [name, longer]
}

/// Returns names that differ, even where case does not count.
fn unique(names: Vec<[String; 2]>) -> Vec<String> {
    let count = |names: &[String]| {
        let mut counts: HashMap<String, usize> = HashMap::new();
        names.iter().for_each(|name| *counts.entry(name.to_lowercase()).or_default() += 1);
        counts
    };
    let short: Vec<String> = names.iter().map(|name| name[0].clone()).collect();
    let counts = count(&short);
    let mut names: Vec<String> = names
        .into_iter()
        .map(|[short, longer]| if counts[&short.to_lowercase()] > 1 { longer } else { short })
        .collect();
    let mut counts = count(&names);
    let mut seen: HashMap<String, usize> = HashMap::new();
    for name in &mut names {
        let lower = name.to_lowercase();
        let before = seen.entry(lower).or_default();
        *before += 1;
        // The first keeps its name.
        for number in *before.. {
            if *before == 1 {
                break;
            }
            let candidate = format!("{name}.{number}");
            if counts.insert(candidate.to_lowercase(), 1).is_none() {
                *name = candidate;
                break;
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ() {
        let names = |list: &[[&str; 2]]| unique(list.iter().map(|name| name.map(str::to_owned)).collect());
        assert_eq!(names(&[[".a", ".a.x"], [".b", ".b.x"]]), [".a", ".b"]);
        assert_eq!(
            names(&[[".main", ".main.vertex"], [".main", ".main.fragment"]]),
            [".main.vertex", ".main.fragment"]
        );
        assert_eq!(names(&[[".a", ".a.kernel"], [".A", ".A.kernel"]]), [".a.kernel", ".A.kernel.2"]);
        let taken = names(&[[".a", ".a.k"], [".a", ".a.k"], [".a.k.2", ".a.k.2.k"]]);
        assert_eq!(taken, [".a.k", ".a.k.3", ".a.k.2"]);
    }
}
