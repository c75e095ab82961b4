//! The writes to variables by functions that change, and the parts of variables that are read.

use crate::collections::{sort, sort_by_key};

/// Stands for a variable that is not followed, and is read.
const OTHER: u32 = u32::MAX;

/// A write to a part of a variable. Lines are numbered as the mark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PartWrite {
    /// The line of the variable.
    variable: u32,
    /// The number of the element, from 1, or 0 for the whole variable or an unknown element.
    part: u32,
    /// The line that writes.
    line: u32,
}

/// The writes to variables, each with true once its part is read.
#[derive(Debug, Default)]
pub struct VariableWrites {
    /// Writes in the order of lines.
    writes: Vec<PartWrite>,
    is_read: Vec<bool>,
    /// Places in `writes`, in the order of the lines that write.
    by_line: Vec<u32>,
}

impl VariableWrites {
    /// Adds a write to an element, or to all of a variable. Without a variable, to something that is read.
    pub fn add(&mut self, variable: Option<usize>, element: Option<u32>, line: usize) {
        let variable = variable.map_or(OTHER, |variable| variable as u32);
        let part = element.map_or(0, |element| element.saturating_add(1));
        self.writes.push(PartWrite { variable, part, line: line as u32 });
    }

    /// Ends the additions.
    pub fn sort(&mut self) {
        sort(&mut self.writes);
        self.is_read = self.writes.iter().map(|write| write.variable == OTHER).collect();
        self.by_line = (0..self.writes.len() as u32).collect();
        sort_by_key(&mut self.by_line, |&place| self.writes[place as usize].line);
    }

    /// Returns true if a line writes to something that is read.
    pub fn is_read(&self, line: usize) -> bool {
        let line_at = |place: u32| self.writes[place as usize].line as usize;
        let first = self.by_line.partition_point(|&place| line_at(place) < line);
        let places = self.by_line[first..].iter().take_while(|&&place| line_at(place) == line);
        places.into_iter().any(|&place| self.is_read[place as usize])
    }

    /// Marks an element of a variable, or the whole variable, as read. Calls a function with the lines that write to
    /// parts that were not read before.
    pub fn read(&mut self, variable: usize, element: Option<u32>, mut each: impl FnMut(usize)) {
        let variable = variable as u32;
        let parts = match element {
            Some(element) => [(0, 0), (element.saturating_add(1), element.saturating_add(1))],
            None => [(0, 0), (1, u32::MAX)],
        };
        for (first, last) in parts {
            let start = self.writes.partition_point(|write| (write.variable, write.part) < (variable, first));
            let places = (start..self.writes.len()).take_while(|&place| {
                let PartWrite { variable: other, part, .. } = self.writes[place];
                other == variable && part <= last
            });
            for place in places {
                if !std::mem::replace(&mut self.is_read[place], true) {
                    each(self.writes[place].line as usize);
                } else if element.is_some() {
                    // So are the other writes to this part.
                    break;
                }
            }
        }
    }
}
