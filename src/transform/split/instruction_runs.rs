//! The instructions that belong to an id, wherever they are in the module.

/// Runs of instructions by the id that they belong to: its definition, names and decorations.
#[derive(Debug, Default)]
pub(super) struct RunsById {
    /// By id: the start of its runs in `runs`; one more at the end.
    starts: Vec<u32>,
    runs: Vec<(u32, u32)>,
}

/// Runs as they are found, in the order of the module. Adjacent runs of one id are joined.
#[derive(Default)]
pub(super) struct RunsBuilder(Vec<(u32, u32, u32)>);

impl RunsBuilder {
    /// Adds the words from `start` to `end`.
    #[inline]
    pub fn push(&mut self, id: u32, start: u32, end: u32) {
        match self.0.last_mut() {
            Some(last) if last.0 == id && last.2 == start => last.2 = end,
            _ => self.0.push((id, start, end)),
        }
    }

    /// Sorts them by id.
    pub fn finish(self, bound: u32) -> RunsById {
        let mut starts = vec![0; bound as usize + 1];
        for &(id, ..) in &self.0 {
            starts[id as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut runs = vec![(0, 0); self.0.len()];
        for (id, start, end) in self.0 {
            runs[next[id as usize] as usize] = (start, end);
            next[id as usize] += 1;
        }
        RunsById { starts, runs }
    }
}

impl RunsById {
    /// The runs of an id.
    pub fn of(&self, id: u32) -> &[(u32, u32)] {
        let id = id as usize;
        &self.runs[self.starts[id] as usize..self.starts[id + 1] as usize]
    }
}
