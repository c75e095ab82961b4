//! The order of a graph's nodes in which what is referred to comes first.

/// Groups of nodes, such that a node refers only to those of its own group and of earlier ones; a group of several is a cycle
/// (Tarjan's algorithm, without recursion). `targets` tells what a node refers to.
pub(super) fn referred_first(nodes: usize, targets: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut state = State {
        number: vec![0; nodes],
        low: vec![0; nodes],
        on_stack: vec![false; nodes],
        ..State::default()
    };
    for root in 0..nodes {
        if state.number[root] != 0 {
            continue;
        }
        let mut path = vec![(root, targets(root))];
        state.enter(root);
        while let Some((at, left)) = path.last_mut() {
            let at = *at;
            match left.pop() {
                Some(next) if state.number[next] == 0 => {
                    state.enter(next);
                    path.push((next, targets(next)));
                }
                Some(next) if state.on_stack[next] => state.low[at] = state.low[at].min(state.number[next]),
                Some(_) => {}
                None => {
                    path.pop();
                    state.leave(at);
                    if let Some(&(before, _)) = path.last() {
                        state.low[before] = state.low[before].min(state.low[at]);
                    }
                }
            }
        }
    }
    state.groups
}

#[derive(Default)]
struct State {
    /// In which order nodes were entered, from 1; 0 if not yet.
    number: Vec<usize>,
    /// The lowest number that each can get back to.
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    entered: usize,
    groups: Vec<Vec<usize>>,
}

impl State {
    fn enter(&mut self, at: usize) {
        self.entered += 1;
        self.number[at] = self.entered;
        self.low[at] = self.entered;
        self.on_stack[at] = true;
        self.stack.push(at);
    }

    /// All that a node refers to is done: if it gets back to nothing before it, what is on the stack from it on is a group.
    fn leave(&mut self, at: usize) {
        if self.low[at] != self.number[at] {
            return;
        }
        let start = self.stack.iter().rposition(|&other| other == at).unwrap_or(0);
        let group = self.stack.split_off(start);
        group.iter().for_each(|&member| self.on_stack[member] = false);
        self.groups.push(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(graph: &[&[usize]]) -> Vec<Vec<usize>> {
        let mut groups = referred_first(graph.len(), |node| graph[node].to_vec());
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups
    }

    #[test]
    fn what_is_referred_to_comes_first() {
        assert_eq!(groups(&[&[1, 2], &[2], &[]]), [vec![2], vec![1], vec![0]]);
    }

    #[test]
    fn cycles_are_groups() {
        assert_eq!(groups(&[&[1], &[2, 3], &[0], &[3]]), [vec![3], vec![0, 1, 2]]);
        assert_eq!(groups(&[&[1], &[0], &[0, 3], &[2]]), [vec![0, 1], vec![2, 3]]);
    }
}
