//! Blocks of which all run or none does, whatever is decided: control flow between choices is followed region by region.

use super::blocks::Blocks;
use super::nodes::{NONE, Nodes};

/// The regions of a function.
#[derive(Default)]
pub(super) struct Regions {
    /// By block: the number of its region.
    of_block: Vec<u32>,
    /// By region: the start of its steps.
    starts: Vec<u32>,
    steps: Vec<Step>,
    /// The blocks with a choice, in order.
    pub choices: Vec<u32>,
}

/// What follows where a region runs, in four bytes.
#[derive(Clone, Copy)]
struct Step(u32);

/// The bit of a step that is the choice of a block.
const CHOICE: u32 = 1 << 31;

/// What follows where a region runs.
pub(super) enum Follows {
    /// This edge is taken. Of edges inside of a region, only those are told on which the operand of an OpPhi counts.
    Edge(usize),
    /// This block has a choice.
    Choice(usize),
}

impl Step {
    fn follows(self) -> Follows {
        match self.0 & CHOICE != 0 {
            true => Follows::Choice((self.0 & !CHOICE) as usize),
            false => Follows::Edge(self.0 as usize),
        }
    }
}

impl Regions {
    /// Finds the regions of the blocks of a function, whose nodes have an index. A block is in the region of those that lead to it, where they come
    /// before it and have no choice.
    pub fn of(blocks: &Blocks, nodes: &Nodes) -> Regions {
        let mut regions = Regions::default();
        let chooses = |block: usize| nodes.conditions[block] != NONE;
        let mut count = 0;
        for block in 0..blocks.len() {
            regions.choices.extend(chooses(block).then_some(block as u32));
            let mut region = None;
            let joins = blocks.incoming(block).iter().all(|&edge| {
                let source = blocks.source(edge) as usize;
                source < block && !chooses(source) && {
                    let other = regions.of_block[source];
                    *region.get_or_insert(other) == other
                }
            });
            let joined = region.filter(|_| joins && block != 0);
            regions.of_block.push(joined.unwrap_or(count));
            count += u32::from(joined.is_none());
        }
        regions.starts = vec![0; count as usize + 1];
        regions.each_step(blocks, nodes, |regions, region, _| regions.starts[region] += 1);
        let mut sum = 0;
        for start in &mut regions.starts {
            sum += *start;
            *start = sum;
        }
        regions.steps = vec![Step(0); sum as usize];
        regions.each_step(blocks, nodes, |regions, region, step| {
            regions.starts[region] -= 1;
            let at = regions.starts[region] as usize;
            regions.steps[at] = step;
        });
        regions.choices.shrink_to_fit();
        regions.of_block.shrink_to_fit();
        regions
    }

    /// Calls a function with each step of each region.
    fn each_step(&mut self, blocks: &Blocks, nodes: &Nodes, mut each: impl FnMut(&mut Regions, usize, Step)) {
        for block in 0..blocks.len() {
            let region = self.of_block[block];
            if nodes.conditions[block] != NONE {
                each(self, region as usize, Step(block as u32 | CHOICE));
                continue;
            }
            for edge in blocks.edges(block) {
                if self.of_block[blocks.target(edge)] != region || !nodes.edge_uses(edge).is_empty() {
                    each(self, region as usize, Step(edge as u32));
                }
            }
        }
    }

    /// The number of regions.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The region of a block.
    pub fn of_block(&self, block: usize) -> usize {
        self.of_block[block] as usize
    }

    /// What follows where a region runs.
    pub fn steps(&self, region: usize) -> impl Iterator<Item = Follows> + use<'_> {
        self.steps[self.starts[region] as usize..self.starts[region + 1] as usize]
            .iter()
            .map(|step| step.follows())
    }

    /// The bytes that they take.
    pub fn size(&self) -> usize {
        let tables = [&self.of_block, &self.starts, &self.choices];
        tables.map(|table| size_of_val(&table[..])).iter().sum::<usize>() + size_of_val(&self.steps[..])
    }
}
