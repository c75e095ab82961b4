//! Suggestions for misspelled names.

/// How many names to suggest at most.
const SUGGESTIONS: usize = 3;

/// The names nearest to `name`, the nearest first, if any is near at all.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let name: Vec<char> = name.to_lowercase().chars().take(100).collect();
    let limit = 1 + name.len() / 4;
    let mut near: Vec<(usize, &str)> = names
        .into_iter()
        // Each character more or less is one to insert or remove.
        .filter(|other| other.chars().take(name.len() + limit + 1).count().abs_diff(name.len()) <= limit)
        .map(|other| (distance(&name, other), other))
        .filter(|entry| entry.0 <= limit)
        .collect();
    near.sort_by_key(|entry| entry.0);
    let mut nearest: Vec<String> = Vec::new();
    for (_, other) in near {
        // A device is named like its architecture, and both may be asked about.
        if nearest.len() < SUGGESTIONS && !nearest.iter().any(|name| name == other) {
            nearest.push(other.to_owned());
        }
    }
    nearest
}

/// The number of characters to insert, remove or replace to make one of the other (Levenshtein), case aside.
fn distance(name: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (line, letter) in other.to_lowercase().chars().enumerate() {
        let mut diagonal = line;
        row[0] = line + 1;
        for column in 0..name.len() {
            let replaced = diagonal + usize::from(name[column] != letter);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let distance = |a: &str, b| distance(&a.chars().collect::<Vec<_>>(), b);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("float16", "Float16"), 0);
    }

    #[test]
    fn near_names_only() {
        let names = ["fp16", "fp64", "gpu", "atomic64"];
        assert_eq!(nearest("fp61", names), ["fp64", "fp16"]);
        assert_eq!(nearest("FP16", names)[0], "fp16");
        assert_eq!(nearest("aa", ["ab", "ac", "ab"]), ["ab", "ac"], "each once, in their order");
        assert_eq!(nearest("cooperative", names), [""; 0]);
    }
}
