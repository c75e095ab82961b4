//! Suggestions for misspelled names: those at the smallest edit distance (Levenshtein), case aside.

use crate::collections::sort_by_key;

/// The largest number of suggested names.
const MAX_SUGGESTIONS: usize = 3;
/// The largest number of names with `or` between them: those that are near in two tables.
const MAX_JOINED: usize = 2 * MAX_SUGGESTIONS;
/// The maximum number of compared characters of a misspelled name.
const MAX_CHARACTERS: usize = 100;

/// Returns the names nearest to `name`, the nearest first, if any is near.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    nearest_of(name, &mut names.into_iter())
}

/// Returns the name that differs from `name` in one or two characters, ignoring case, if there is one.
pub fn misspelled<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let nearest = nearest(name, names).into_iter().next()?;
    (strsim::levenshtein(&name.to_lowercase(), &nearest.to_lowercase()) <= 2).then_some(nearest)
}

/// Implements [`nearest`], compiled once for all kinds of lists.
fn nearest_of(name: &str, names: &mut dyn Iterator<Item = &str>) -> Vec<String> {
    let name: String = name.to_lowercase().chars().take(MAX_CHARACTERS).collect();
    let length = name.chars().count();
    let limit = 1 + length / 4;
    let mut near: Vec<(usize, &str)> = names
        // Each missing or additional character costs an edit.
        .filter(|other| other.chars().take(length + limit + 1).count().abs_diff(length) <= limit)
        .map(|other| (strsim::levenshtein(&name, &other.to_lowercase()), other))
        .filter(|entry| entry.0 <= limit)
        .collect();
    sort_by_key(&mut near, |entry| entry.0);
    let mut nearest: Vec<String> = Vec::new();
    for (_, other) in near {
        // A device may be named like its architecture, and both are suggested.
        if nearest.len() < MAX_SUGGESTIONS && !nearest.iter().any(|name| name == other) {
            nearest.push(other.to_owned());
        }
    }
    nearest
}

/// Returns the names of which a word, after `_` or at the start, begins with a text, ignoring case; each once, in their order.
/// A text that does not begin with a letter is no beginning of a name.
pub fn beginning<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let text = text.to_lowercase();
    let within = format!("_{text}");
    let mut all: Vec<String> = Vec::new();
    if !text.starts_with(char::is_alphabetic) {
        return all;
    }
    for name in names {
        let lower = name.to_lowercase();
        if (lower.starts_with(&text) || lower.contains(&within)) && !all.iter().any(|other| other == name) {
            all.push(name.to_owned());
        }
    }
    all
}

/// Returns the names that [begin](beginning) with a text, or else the nearest.
pub fn beginning_or_nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> Vec<String> {
    match beginning(text, names.clone()) {
        all if all.is_empty() => nearest(text, names),
        all => all,
    }
}

/// Returns the suggestion that follows a message about an unknown name; empty if there is none.
pub fn did_you_mean(names: &[String]) -> String {
    match names.len() {
        0 => String::new(),
        1..=MAX_JOINED => format!("; did you mean `{}`?", names.join("` or `")),
        _ => format!("; did you mean one of `{}`?", names.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_begin_so() {
        let names =
            ["intel_gpu_bmg_g21", "intel_gpu_pvc", "intel_gpu_bmg_g31", "vulkan_vp_android_2022", "bm"];
        assert_eq!(beginning("intel_gpu_bmg", names), ["intel_gpu_bmg_g21", "intel_gpu_bmg_g31"]);
        assert_eq!(beginning("BM", names), ["intel_gpu_bmg_g21", "intel_gpu_bmg_g31", "bm"]);
        assert_eq!(beginning("android_2", names), ["vulkan_vp_android_2022"]);
        for none in ["ndroid", "gpu_pvc_", "2022", ""] {
            assert_eq!(beginning(none, names), [""; 0]);
        }
        let many = ["a", "b", "c", "d", "e", "f", "g"].map(str::to_owned);
        assert_eq!(did_you_mean(&many[..2]), "; did you mean `a` or `b`?");
        assert_eq!(did_you_mean(&many), "; did you mean one of `a`, `b`, `c`, `d`, `e`, `f`, `g`?");
    }

    #[test]
    fn near_names_only() {
        let names = ["fp16", "fp64", "gpu", "atomic64"];
        assert_eq!(nearest("fp61", names), ["fp64", "fp16"]);
        assert_eq!(nearest("FP16", names)[0], "fp16");
        assert_eq!(nearest("aa", ["ab", "ac", "ab"]), ["ab", "ac"], "each once, in their order");
        assert_eq!(nearest("cooperative", names), [""; 0]);
        assert_eq!(nearest("Float16", ["float16", "float61"])[0], "float16", "case aside");
        assert_eq!(nearest(&"a".repeat(1 << 20), ["a"]), [""; 0]);
        let sizes = ["sycl-work-group-size", "sycl-sub-group-size"];
        assert_eq!(misspelled("sycl-workgroup-sise", sizes).as_deref(), Some("sycl-work-group-size"));
        assert_eq!(misspelled("sycl-work-group-progress", sizes), None, "near for a suggestion only");
    }
}
