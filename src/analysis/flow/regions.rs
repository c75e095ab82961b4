//! Regions: blocks that run all together or not at all.

use super::graph::FlowGraph;
use super::nodes::Nodes;

/// Groups of blocks that run all together or not at all. Control flow between choices is followed region by region.
#[derive(Default)]
pub(super) struct Regions {
    /// The number of each block's region.
    of_block: Vec<u32>,
    /// The start of each region's steps.
    starts: Vec<u32>,
    steps: Vec<PackedConsequence>,
}

/// A consequence of a region that runs, in four bytes.
#[derive(Clone, Copy)]
struct PackedConsequence(u32);

/// The bit of a step that is a choice.
const CHOICE: u32 = 1 << 31;

/// A consequence of a region that runs.
pub(super) enum Consequence {
    /// The edge is taken. Edges inside of a region are listed only if an OpPhi has an operand for them.
    Edge(usize),
    /// This choice is made.
    Choice(usize),
}

impl PackedConsequence {
    fn follows(self) -> Consequence {
        match self.0 & CHOICE != 0 {
            true => Consequence::Choice((self.0 & !CHOICE) as usize),
            false => Consequence::Edge(self.0 as usize),
        }
    }
}

impl Regions {
    /// Finds the regions of the blocks of a graph. A block joins the region of its predecessors if they come before it and have no choice.
    pub fn new(graph: &FlowGraph, nodes: &Nodes) -> Regions {
        let mut regions = Regions::default();
        let mut chooses = vec![false; graph.block_count()];
        nodes
            .choices
            .iter()
            .for_each(|choice| chooses[graph.get(choice.function()).block(choice.block())] = true);
        let mut count = 0;
        for function in graph.functions() {
            for block in 0..function.blocks.len() {
                let mut region = None;
                let joins = function.blocks.predecessors(block).all(|source| {
                    source < block && !chooses[function.block(source)] && {
                        let other = regions.of_block[function.block(source)];
                        *region.get_or_insert(other) == other
                    }
                });
                let joined = region.filter(|_| joins && block != 0);
                regions.of_block.push(joined.unwrap_or(count));
                count += u32::from(joined.is_none());
            }
        }
        regions.starts = vec![0; count as usize + 1];
        regions.each_step(graph, nodes, |regions, region, _| regions.starts[region] += 1);
        let mut sum = 0;
        for start in &mut regions.starts {
            sum += *start;
            *start = sum;
        }
        regions.steps = vec![PackedConsequence(0); sum as usize];
        regions.each_step(graph, nodes, |regions, region, step| {
            regions.starts[region] -= 1;
            let at = regions.starts[region] as usize;
            regions.steps[at] = step;
        });
        regions.of_block.shrink_to_fit();
        regions
    }

    /// Calls a function with each step of each region.
    fn each_step(
        &mut self,
        graph: &FlowGraph,
        nodes: &Nodes,
        mut each: impl FnMut(&mut Regions, usize, PackedConsequence),
    ) {
        let mut choices = nodes.choices.iter().enumerate().peekable();
        for (number, function) in graph.functions().iter().enumerate() {
            for block in 0..function.blocks.len() {
                let region = self.of_block[function.block(block)];
                if let Some((choice, _)) = choices.next_if(|(_, choice)| choice.is_of(number, block)) {
                    each(self, region as usize, PackedConsequence(choice as u32 | CHOICE));
                    continue;
                }
                for edge in function.edges(block) {
                    let leaves = graph.target(edge).is_none_or(|target| self.of_block[target] != region);
                    if leaves || !nodes.edge_uses(edge).is_empty() {
                        each(self, region as usize, PackedConsequence(edge as u32));
                    }
                }
            }
        }
        for &(block, edge) in graph.links() {
            if graph.target(edge as usize).is_some() || !nodes.edge_uses(edge as usize).is_empty() {
                each(self, self.of_block[block as usize] as usize, PackedConsequence(edge));
            }
        }
    }

    /// Returns the number of regions.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Returns the region of a block.
    pub fn of_block(&self, block: usize) -> usize {
        self.of_block[block] as usize
    }

    /// Returns the consequences of a region that runs.
    pub fn steps(&self, region: usize) -> impl Iterator<Item = Consequence> + use<'_> {
        self.steps[self.starts[region] as usize..self.starts[region + 1] as usize]
            .iter()
            .map(|step| step.follows())
    }
}
