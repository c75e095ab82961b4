//! Which declarations are enough to meet all requirements.

/// One declaration, and all that it brings: itself, and what it implies.
#[derive(Clone, Debug)]
pub struct Declaration<T> {
    /// What it brings.
    pub brings: Vec<T>,
    /// Whether it stays in any case.
    pub stays: bool,
}

/// Finds declarations that meet every requirement that all of them meet, as few as a simple choice finds: those that stay,
/// those without which something is not met, and then those that meet most of what is left. True where one is among them.
pub fn cover<'a, T: PartialEq + 'a>(
    declarations: &[Declaration<T>],
    requirements: impl Iterator<Item = &'a [T]>,
) -> Vec<bool> {
    let mut kept: Vec<bool> = declarations.iter().map(|declaration| declaration.stays).collect();
    // What meets each requirement, by index.
    let meets = |any: &[T]| -> Vec<usize> {
        let brings_one = |at: &usize| declarations[*at].brings.iter().any(|own| any.contains(own));
        (0..declarations.len()).filter(brings_one).collect()
    };
    let mut open: Vec<Vec<usize>> = requirements.map(meets).filter(|meeting| !meeting.is_empty()).collect();
    loop {
        open.retain(|meeting| !meeting.iter().any(|&at| kept[at]));
        let only = open.iter().find(|meeting| meeting.len() == 1).map(|meeting| meeting[0]);
        let next = only.or_else(|| {
            let count = |at: usize| open.iter().filter(|meeting| meeting.contains(&at)).count();
            let weight = |at: &usize| (count(*at), std::cmp::Reverse((declarations[*at].brings.len(), *at)));
            (0..declarations.len()).filter(|&at| count(at) > 0).max_by_key(weight)
        });
        match next {
            Some(at) => kept[at] = true,
            None => return kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(declarations: &[(&str, bool)], requirements: &[&str]) -> Vec<bool> {
        let declarations: Vec<Declaration<char>> = declarations
            .iter()
            .map(|&(brings, stays)| Declaration { brings: brings.chars().collect(), stays })
            .collect();
        let requirements: Vec<Vec<char>> = requirements.iter().map(|any| any.chars().collect()).collect();
        cover(&declarations, requirements.iter().map(Vec::as_slice))
    }

    #[test]
    fn what_is_needed_stays() {
        assert_eq!(kept(&[("a", false), ("b", false), ("c", true)], &["b"]), [false, true, true]);
        assert_eq!(kept(&[("a", false)], &["x"]), [false], "nothing that is declared meets it");
    }

    #[test]
    fn what_another_implies_goes() {
        assert_eq!(kept(&[("ab", false), ("b", false)], &["a", "b"]), [true, false]);
        assert_eq!(kept(&[("ab", false), ("b", false)], &["b"]), [false, true], "the weaker one is enough");
    }

    #[test]
    fn one_of_several_is_enough() {
        assert_eq!(kept(&[("a", false), ("b", false)], &["ab"]), [true, false]);
        assert_eq!(kept(&[("a", false), ("b", false)], &["ab", "b"]), [false, true]);
        assert_eq!(kept(&[("a", false), ("b", false), ("c", false)], &["ab", "bc"]), [false, true, false]);
    }
}
