//! Circles of images that require each other.

use std::collections::{BTreeMap, BTreeSet};

/// The first circle along edges, its first node again at the end; `None` if there is none.
pub fn circle(edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(from, to) in edges {
        next.entry(from).or_default().push(to);
    }
    let of = |node: usize| next.get(&node).map_or(&[][..], Vec::as_slice);
    let mut done = BTreeSet::new();
    for &start in next.keys() {
        // The path to the current node, each with the number of its edges that were followed.
        let mut path = vec![(start, 0)];
        while let Some((node, followed)) = path.last_mut() {
            let Some(&to) = of(*node).get(*followed).filter(|_| !done.contains(node)) else {
                done.insert(*node);
                path.pop();
                continue;
            };
            *followed += 1;
            if let Some(first) = path.iter().position(|(node, _)| *node == to) {
                let circle = path[first..].iter().map(|(node, _)| *node);
                return Some(circle.chain([to]).collect());
            }
            path.push((to, 0));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::circle;

    #[test]
    fn circles() {
        assert_eq!(circle(&[]), None);
        assert_eq!(circle(&[(0, 1), (0, 2), (1, 3), (2, 3)]), None, "a diamond is none");
        assert_eq!(circle(&[(0, 1), (1, 2), (2, 1)]), Some(vec![1, 2, 1]));
        assert_eq!(circle(&[(4, 4)]), Some(vec![4, 4]));
        let row: Vec<(usize, usize)> = (0..100_000).map(|at| (at, at + 1)).collect();
        assert_eq!(circle(&row[..20_000]), None);
    }
}
