//! The strongly connected components of a graph, referenced ones first.

/// Groups nodes so that a node refers only to its own and to earlier groups. A group of several nodes is a cycle (Tarjan's algorithm,
/// without recursion). `targets` adds the nodes that a node refers to.
pub fn referred_first(nodes: usize, targets: impl Fn(usize, &mut Vec<usize>)) -> ConnectedGroups {
    let mut state = SccSearch {
        number: vec![0; nodes],
        low: vec![0; nodes],
        on_stack: vec![false; nodes],
        ..SccSearch::default()
    };
    // The nodes on the path, each with the start in `left` of its references that are not yet visited.
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut left = Vec::new();
    for root in 0..nodes {
        if state.number[root] != 0 {
            continue;
        }
        state.enter(root);
        path.push((root, 0));
        targets(root, &mut left);
        while let Some(&(at, start)) = path.last() {
            if left.len() == start {
                path.pop();
                state.leave(at);
                if let Some(&(before, _)) = path.last() {
                    state.low[before] = state.low[before].min(state.low[at]);
                }
                continue;
            }
            let Some(next) = left.pop() else { break };
            if state.number[next] == 0 {
                state.enter(next);
                path.push((next, left.len()));
                targets(next, &mut left);
            } else if state.on_stack[next] {
                state.low[at] = state.low[at].min(state.number[next]);
            }
        }
    }
    state.groups
}

/// Groups of nodes, one after the other.
#[derive(Debug, Default)]
pub struct ConnectedGroups {
    nodes: Vec<usize>,
    /// The end of each group in `nodes`.
    ends: Vec<usize>,
}

impl ConnectedGroups {
    /// Returns the groups in their order.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.nodes[start..end])
    }
}

#[derive(Default)]
struct SccSearch {
    /// Number of each node in the order in which nodes were entered, from 1; 0 for a node that was not entered yet.
    number: Vec<u32>,
    /// The lowest number that each can get back to.
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    entered: u32,
    groups: ConnectedGroups,
}

impl SccSearch {
    fn enter(&mut self, at: usize) {
        self.entered += 1;
        self.number[at] = self.entered;
        self.low[at] = self.entered;
        self.on_stack[at] = true;
        self.stack.push(at);
    }

    /// Leaves a node whose references are all visited. If it reaches no node before it, the nodes on the stack from it on are a group.
    fn leave(&mut self, at: usize) {
        if self.low[at] != self.number[at] {
            return;
        }
        let start = self.stack.iter().rposition(|&other| other == at).unwrap_or(0);
        self.stack[start..].iter().for_each(|&member| self.on_stack[member] = false);
        self.groups.nodes.extend(self.stack.drain(start..));
        self.groups.ends.push(self.groups.nodes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(graph: &[&[usize]]) -> Vec<Vec<usize>> {
        let groups = referred_first(graph.len(), |node, targets| targets.extend(graph[node]));
        let mut groups: Vec<Vec<usize>> = groups.iter().map(<[usize]>::to_vec).collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    #[test]
    fn referenced_nodes_come_first() {
        assert_eq!(groups(&[&[1, 2], &[2], &[]]), [vec![2], vec![1], vec![0]]);
    }

    #[test]
    fn cycles_are_groups() {
        assert_eq!(groups(&[&[1], &[2, 3], &[0], &[3]]), [vec![3], vec![0, 1, 2]]);
        assert_eq!(groups(&[&[1], &[0], &[0, 3], &[2]]), [vec![0, 1], vec![2, 3]]);
    }
}
