//! The references of functions and constants of the result to functions, variables, and constants that are made of their addresses.

/// By new id: the ids that it refers to.
pub(super) struct References {
    /// Those of one id stand together.
    edges: Vec<(u32, u32)>,
    /// By id: 1 + the index of its first, or 0.
    first: Vec<u32>,
}

impl References {
    /// Those of functions, and of constants that are made of addresses; all ids are below `bound`.
    pub fn new(of_functions: &[(u32, u32)], of_constants: &[(u32, u32)], bound: u32) -> References {
        let edges = [of_functions, of_constants].concat();
        let mut first = vec![0; bound as usize];
        for (number, &(from, _)) in (1..).zip(&edges) {
            let first = &mut first[from as usize];
            if *first == 0 {
                *first = number;
            }
        }
        References { edges, first }
    }

    /// All of them.
    pub fn all(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The ids that an id refers to.
    pub fn of(&self, from: u32) -> impl Iterator<Item = u32> {
        let start = self.first[from as usize].checked_sub(1).map_or(self.edges.len(), |first| first as usize);
        self.edges[start..].iter().take_while(move |edge| edge.0 == from).map(|edge| edge.1)
    }

    /// By id: true if these ids reach it; they reach themselves.
    pub fn reached(&self, mut open: Vec<u32>) -> Vec<bool> {
        let mut reached = vec![false; self.first.len()];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from as usize], true) {
                open.extend(self.of(from));
            }
        }
        reached
    }
}
