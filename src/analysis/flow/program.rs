//! What the propagation does in a function, in the order of its blocks: the values that it computes, and the edges and choices that follow.

use std::ops::Range;

use super::blocks::Blocks;
use super::nodes::{NO_EDGE, NodeKind, Nodes};

/// Blocks of which all run or none does, whatever is decided: control flow between choices is followed region by region.
#[derive(Default)]
pub(super) struct Regions {
    /// By block: the number of its region.
    of_block: Vec<u32>,
    count: usize,
}

impl Regions {
    /// Finds the regions of the blocks of a function. A block is in the region of those that lead to it, where they come before it and have no
    /// choice.
    fn of(blocks: &Blocks, nodes: &Nodes) -> Regions {
        let mut regions = Regions { of_block: Vec::with_capacity(blocks.len()), count: 0 };
        let mut chooses = vec![false; blocks.len()];
        nodes.choices.iter().for_each(|choice| chooses[choice.block as usize] = true);
        for block in 0..blocks.len() {
            let mut region = None;
            let joins = blocks.predecessors(block).all(|source| {
                source < block && !chooses[source] && {
                    let other = regions.of_block[source];
                    *region.get_or_insert(other) == other
                }
            });
            let joined = region.filter(|_| joins && block != 0);
            regions.of_block.push(joined.unwrap_or(regions.count as u32));
            regions.count += usize::from(joined.is_none());
        }
        regions
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The region of a block.
    pub fn of_block(&self, block: usize) -> usize {
        self.of_block[block] as usize
    }
}

/// The steps of a function.
#[derive(Default)]
pub(super) struct Program {
    pub regions: Regions,
    steps: Vec<u32>,
    repetitions: Vec<Repetition>,
}

/// A block with an OpPhi on which an edge counts that comes from this block or a later one.
struct Repetition {
    /// The place where its region is entered.
    entry: u32,
    /// The places of its OpPhis.
    phis: Range<u32>,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// This node is computed.
    Node(usize),
    /// This edge is taken. Of edges inside of a region, only those are told on which the operand of an OpPhi counts.
    Edge(usize),
    /// This choice is made.
    Choice(usize),
    /// The steps up to the next one like this are done if this region runs.
    Enter(usize),
    /// What follows from the OpPhis of a block is computed again if they change: an edge from here leads back to it.
    Repeat(usize),
}

/// The lower bits of a step, which are a number.
const NUMBER: u32 = EDGE - 1;
/// The kinds of steps, in the upper bits.
const NODE: u32 = 0;
const EDGE: u32 = 1 << 29;
const CHOICE: u32 = 2 << 29;
const ENTER: u32 = 3 << 29;
const REPEAT: u32 = 4 << 29;

impl Program {
    /// The steps of a function. `computed` has the nodes that are computed in it, each with the number of its block, in the order of the blocks, in
    /// each the OpPhis before the others, and these after their operands.
    pub fn of(blocks: &Blocks, nodes: &Nodes, computed: &[(u32, u32)]) -> Program {
        let mut program = Program { regions: Regions::of(blocks, nodes), ..Program::default() };
        let mut counts = vec![false; blocks.edge_count()];
        let edges = nodes.inputs.iter().map(|input| input.edge).filter(|&edge| edge != NO_EDGE);
        edges.for_each(|edge| counts[edge as usize] = true);
        let mut computed = computed.iter().peekable();
        let mut choices = nodes.choices.iter().enumerate().peekable();
        // The last region, and the place where it is entered.
        let mut entered = None;
        // The blocks of the repetitions.
        let mut repeated: Vec<usize> = Vec::new();
        for block in 0..blocks.len() {
            let region = program.regions.of_block(block);
            let (mut phis, mut is_repeated) = (None, false);
            while let Some(&(_, node)) = computed.next_if(|&&(own, _)| own as usize == block) {
                let entry = program.push(region, node | NODE, &mut entered);
                if nodes.kind(node as usize) == NodeKind::Phi {
                    let place = program.steps.len() as u32 - 1;
                    phis.get_or_insert(Repetition { entry, phis: place..place }).phis.end = place + 1;
                    let is_late = |edge: u32| edge != NO_EDGE && blocks.source(edge as usize) >= block;
                    is_repeated |= nodes.inputs(node as usize).iter().any(|input| is_late(input.edge));
                }
            }
            if let Some(repetition) = phis.filter(|_| is_repeated) {
                program.repetitions.push(repetition);
                repeated.push(block);
            }
            match choices.next_if(|(_, choice)| choice.block as usize == block) {
                Some((choice, _)) => drop(program.push(region, choice as u32 | CHOICE, &mut entered)),
                None => {
                    for edge in blocks.edges(block) {
                        if program.regions.of_block(blocks.target(edge)) != region || counts[edge] {
                            program.push(region, edge as u32 | EDGE, &mut entered);
                        }
                    }
                }
            }
            for target in blocks.successors(block).filter(|&target| target <= block) {
                if let Ok(repetition) = repeated.binary_search(&target) {
                    program.push(region, repetition as u32 | REPEAT, &mut entered);
                }
            }
        }
        program.steps.shrink_to_fit();
        program.repetitions.shrink_to_fit();
        program
    }

    /// Adds a step of a region, and returns the place where that is entered.
    fn push(&mut self, region: usize, step: u32, entered: &mut Option<(usize, u32)>) -> u32 {
        let place = match *entered {
            Some((last, place)) if last == region => place,
            _ => {
                self.steps.push(region as u32 | ENTER);
                self.steps.len() as u32 - 1
            }
        };
        *entered = Some((region, place));
        self.steps.push(step);
        place
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The step at a place.
    #[inline]
    pub fn step(&self, place: usize) -> Option<Step> {
        let step = *self.steps.get(place)?;
        let number = (step & NUMBER) as usize;
        Some(match step & !NUMBER {
            NODE => Step::Node(number),
            EDGE => Step::Edge(number),
            CHOICE => Step::Choice(number),
            ENTER => Step::Enter(number),
            _ => Step::Repeat(number),
        })
    }

    /// Of a block of [`Step::Repeat`], the place where its region is entered, and the places of its OpPhis.
    pub fn repetition(&self, at: usize) -> (usize, Range<usize>) {
        let Repetition { entry, phis } = &self.repetitions[at];
        (*entry as usize, phis.start as usize..phis.end as usize)
    }

    /// The first place from one on where a region is entered: this one, or any.
    pub fn entry(&self, from: usize, region: Option<usize>) -> Option<usize> {
        let is_it = |&step: &u32| match region {
            Some(region) => step == region as u32 | ENTER,
            None => step & !NUMBER == ENTER,
        };
        self.steps[from..].iter().position(is_it).map(|at| from + at)
    }

    /// The bytes that it takes.
    pub fn size(&self) -> usize {
        size_of_val(&self.regions.of_block[..])
            + size_of_val(&self.steps[..])
            + size_of_val(&self.repetitions[..])
    }
}
