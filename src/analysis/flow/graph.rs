//! The control-flow graphs of the functions that are followed, and the calls between them: one graph with one numbering of blocks and edges.

use spirv::Op;

use super::blocks::Blocks;
use super::module_scan::{EntryKind, ModuleScan, VariableWrite};
use crate::analysis::calls::DirectCall;
use crate::collections::sort_by_key;
use crate::loader::Module;

/// Stands for the absence of a number.
const NONE: u32 = u32::MAX;

/// The graph. A call is an edge to the first block of the callee; a return, and the entry from outside of the module, is an edge too.
#[derive(Default)]
pub(super) struct FlowGraph {
    functions: Vec<FunctionGraph>,
    /// The number of a function in this graph, or [`NONE`], by function of the module.
    numbers: Vec<u32>,
    /// The block that each edge leads to, or [`NONE`].
    targets: Vec<u32>,
    /// Edges of calls and returns, each with the block that it leaves.
    links: Vec<(u32, u32)>,
    block_count: u32,
    /// Data of each function that only the reading of values requires.
    ends: Vec<FunctionEnds>,
}

/// The returns of a function, and its changes to memory.
struct FunctionEnds {
    /// The blocks that return, with their edges.
    returns: Vec<(u32, u32)>,
    /// The changes to variables of the function and to memory behind its parameters, sorted by variable and offset.
    writes: Vec<VariableWrite>,
}

/// A function of the graph.
pub(super) struct FunctionGraph {
    /// The function's number in the module.
    pub function: u32,
    pub blocks: Blocks,
    first_block: u32,
    first_edge: u32,
    /// The edge on which code outside of the graph enters the function, if any, and the kind of that code.
    pub entered: Option<(u32, EntryKind)>,
    /// The calls of the function, with their edges.
    pub calls: Vec<(DirectCall, u32)>,
}

impl FunctionGraph {
    /// Returns the number of a block in the graph.
    pub fn block(&self, block: usize) -> usize {
        self.first_block as usize + block
    }

    /// Returns the edge from one block to another.
    pub fn edge_between(&self, source: usize, target: usize) -> Option<u32> {
        let edge = self.blocks.edges(source).find(|&edge| self.blocks.target(edge) == target)?;
        Some(self.first_edge + edge as u32)
    }

    /// Returns the edges that leave a block, by their numbers in the graph.
    pub fn edges(&self, block: usize) -> std::ops::Range<usize> {
        let (first, edges) = (self.first_edge as usize, self.blocks.edges(block));
        first + edges.start..first + edges.end
    }
}

impl FlowGraph {
    /// Creates an empty graph.
    pub fn new(module: &Module) -> FlowGraph {
        FlowGraph { numbers: vec![NONE; module.functions().len()], ..FlowGraph::default() }
    }

    /// Returns the number of a function of the module in the graph.
    pub fn number(&self, function: u32) -> Option<usize> {
        self.numbers.get(function as usize).filter(|&&number| number != NONE).map(|&number| number as usize)
    }

    pub fn get(&self, number: usize) -> &FunctionGraph {
        &self.functions[number]
    }

    /// Returns the blocks of a function that return, with their edges; only while values are read.
    pub fn returns(&self, number: usize) -> &[(u32, u32)] {
        &self.ends[number].returns
    }

    /// Returns the changes of a function to one variable or parameter, in order; only while values are read.
    pub fn writes(&self, number: usize, root: u32) -> &[VariableWrite] {
        let writes = &self.ends[number].writes;
        let first = writes.partition_point(|write| write.root < root);
        let after = writes.partition_point(|write| write.root <= root);
        &writes[first..after]
    }

    pub fn functions(&self) -> &[FunctionGraph] {
        &self.functions
    }

    pub fn block_count(&self) -> usize {
        self.block_count as usize
    }

    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// Returns the block that an edge leads to. An edge of a return leads to none.
    pub fn target(&self, edge: usize) -> Option<usize> {
        Some(self.targets[edge] as usize).filter(|&target| target != NONE as usize)
    }

    /// Returns the edges of calls and returns, each with its block, sorted by block; until [`forget_links`](FlowGraph::forget_links).
    pub fn links(&self) -> &[(u32, u32)] {
        &self.links
    }

    /// Adds a function and its direct and indirect callers. Returns its number, or `None` if its blocks are not valid.
    pub fn add(&mut self, module: &Module, scan: &ModuleScan, function: u32) -> Option<usize> {
        if self.number(function).is_some() {
            return self.number(function);
        }
        let first = self.functions.len();
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if self.number(function).is_none() && self.read(module, scan, function).is_some() {
                open.extend(scan.calls.calls_of(function as usize).map(|call| call.caller));
            }
        }
        (first..self.functions.len()).for_each(|number| self.link_calls(scan, number));
        self.number(function)
    }

    fn read(&mut self, module: &Module, scan: &ModuleScan, function: u32) -> Option<()> {
        let source = &module.functions()[function as usize];
        let mut blocks = Blocks::default();
        blocks.read(module, source).then_some(())?;
        blocks.shrink();
        let (first_block, first_edge) = (self.block_count, self.targets.len() as u32);
        self.block_count += blocks.len() as u32;
        let targets = (0..blocks.edge_count()).map(|edge| first_block + blocks.target(edge) as u32);
        self.targets.extend(targets);
        self.numbers[function as usize] = self.functions.len() as u32;
        let mut returns = Vec::new();
        for (block, flow_block) in (0..).zip(blocks.iter()) {
            if matches!(module.instruction(flow_block.terminator).op(), Some(Op::Return | Op::ReturnValue)) {
                returns.push((block, self.link(first_block + block, NONE)));
            }
        }
        let mut writes = scan.writes_in(source).to_vec();
        sort_by_key(&mut writes, |write| write.root);
        let calls = Vec::new();
        self.functions.push(FunctionGraph {
            function,
            blocks,
            first_block,
            first_edge,
            entered: None,
            calls,
        });
        self.ends.push(FunctionEnds { returns, writes });
        Some(())
    }

    /// Adds the edges that lead to a function.
    fn link_calls(&mut self, scan: &ModuleScan, number: usize) {
        let FunctionGraph { function, first_block, .. } = self.functions[number];
        let mut entry = scan.entries[function as usize];
        let mut calls = Vec::new();
        for call in scan.calls.calls_of(function as usize) {
            let caller = self.number(call.caller).map(|caller| &self.functions[caller]);
            let block =
                caller.and_then(|caller| Some(caller.first_block + caller.blocks.at(call.offset)? as u32));
            match block {
                Some(block) => calls.push((call, self.link(block, first_block))),
                None => entry = EntryKind::Unknown,
            }
        }
        let entered = (entry != EntryKind::Called).then(|| (self.target_edge(first_block), entry));
        let function = &mut self.functions[number];
        (function.calls, function.entered) = (calls, entered);
    }

    fn link(&mut self, block: u32, target: u32) -> u32 {
        let edge = self.target_edge(target);
        self.links.push((block, edge));
        edge
    }

    fn target_edge(&mut self, target: u32) -> u32 {
        self.targets.push(target);
        self.targets.len() as u32 - 1
    }

    /// Frees the list of links, which only regions are made of.
    pub fn forget_links(&mut self) {
        self.links = Vec::new();
    }

    /// Sorts links, once all values are read, and frees what only reading needs.
    pub fn finish(&mut self) {
        self.links.sort_unstable();
        self.links.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.functions.iter_mut().for_each(|function| function.calls.shrink_to_fit());
        self.functions.shrink_to_fit();
        self.ends = Vec::new();
    }
}
