//! The tables of ready shaders, which are decompressed when a bundle is opened. All but the items of lists are checked then.

use std::ops::Range;

use super::take_number;
use crate::MAX_CONTENT;
use crate::codec::HEADER_WORDS;
use crate::error::Damage;
use crate::index::{Index, number, record};
use crate::zstandard::Decompressor;

/// The sizes of the records of tables.
pub const QUESTION_SIZE: usize = 12;
pub const READY_SIZE: usize = 20;
pub const NODE_SIZE: usize = 6;
pub const RESULT_SIZE: usize = 20;
pub const KEY_SIZE: usize = 8;
pub const LIST_SIZE: usize = 4;
pub const ITEM_SIZE: usize = 4;

/// The maximum number of questions of a bundle, and of nodes and results of a shader.
pub const MAX_QUESTIONS: usize = 0xffff;
pub const MAX_NODES: usize = 4096;
pub const MAX_RESULTS: usize = 0x7fff;

/// The number of result 0 among the children of nodes.
pub const FIRST_RESULT: usize = 0x8000;
/// The child that is nothing.
pub const NOTHING: usize = 0xffff;
/// The item of a list before the requirements of an entry point.
pub const ENTRY_POINT: u32 = u32::MAX;

/// The child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Node(usize),
    Result(usize),
    Nothing,
}

/// A result: words 1 and 3 of its header, its number of words, its lists and its key.
#[derive(Clone, Copy, Debug)]
pub struct ResultRecord {
    pub version: u32,
    pub bound: u32,
    pub words: usize,
    pub requirements: usize,
    pub removed_bindings: usize,
    pub key: u64,
}

/// The tables of ready shaders, and the places of each in them.
#[derive(Clone, Debug, Default)]
pub struct ReadyIndex {
    /// The place in the bytes of a bundle.
    stored: Range<usize>,
    /// The tables, if they are compressed there.
    decompressed: Option<Vec<u8>>,
    questions: Range<usize>,
    ready: Range<usize>,
    nodes: Range<usize>,
    results: Range<usize>,
    keys: Range<usize>,
    lists: Range<usize>,
    items: Range<usize>,
    runs: Range<usize>,
}

/// Returns the two bytes at a place as a number.
fn short(bytes: &[u8], at: usize) -> usize {
    usize::from(bytes[at]) | usize::from(bytes[at + 1]) << 8
}

impl ReadyIndex {
    /// Reads the tables as they are stored, with the numbers of their records in a header.
    pub fn new(header: &[u8], bytes: &[u8], stored: Range<usize>) -> Result<ReadyIndex, Damage> {
        let mut end: usize = 0;
        let mut table = |at: usize, size: usize| {
            let start = end;
            let size = number(header, at).checked_mul(size).and_then(|size| start.checked_add(size));
            end = size.filter(|&end| end <= MAX_CONTENT).ok_or(Damage::Header)?;
            Ok::<_, Damage>(start..end)
        };
        let mut index = ReadyIndex {
            stored,
            decompressed: None,
            questions: table(60, QUESTION_SIZE)?,
            ready: table(64, READY_SIZE)?,
            nodes: table(68, NODE_SIZE)?,
            results: table(72, RESULT_SIZE)?,
            keys: table(72, KEY_SIZE)?,
            lists: table(76, LIST_SIZE)?,
            items: table(80, ITEM_SIZE)?,
            runs: table(84, 1)?,
        };
        if bytes.len() != index.runs.end {
            let mut content = Vec::new();
            let mut decompressor = Decompressor::new(None).ok_or(Damage::Index)?;
            decompressor.decompress(bytes, index.runs.end, &mut content).ok_or(Damage::Index)?;
            index.decompressed = Some(content);
        }
        Ok(index)
    }

    /// Returns the tables in the bytes of the bundle, or what was decompressed.
    fn tables<'b>(&'b self, bytes: &'b [u8]) -> &'b [u8] {
        self.decompressed.as_deref().unwrap_or_else(|| &bytes[self.stored.clone()])
    }

    /// Checks all records; `None` if a number does not fit.
    pub fn check(&self, bytes: &[u8], index: &Index) -> Option<()> {
        let holds = |holds: bool| holds.then_some(());
        holds(self.question_count() <= MAX_QUESTIONS)?;
        let mut before = None;
        for number in 0..self.question_count() {
            let (kind, text) = self.question(bytes, index, number);
            holds(kind <= 2 && index.is_text(bytes, &text))?;
            let key = (kind, &bytes[text]);
            holds(before.is_none_or(|before| before < key))?;
            before = Some(key);
        }
        let mut first_item = 0;
        for list in 0..self.list_count() {
            let first = self.first_item(bytes, list);
            holds(if list == 0 { first == 0 } else { first_item <= first } && first <= self.item_count())?;
            first_item = first;
        }
        let mut next = (None, 0, 0, 0);
        for number in 0..self.count() {
            let shader = self.shader(bytes, number);
            holds(shader < index.shader_count() && next.0.is_none_or(|before| before < shader))?;
            holds(self.kinds(bytes, number) <= 3)?;
            let (nodes, results) = (self.nodes_of(bytes, number), self.results_of(bytes, number));
            let runs = self.places_of_runs(bytes, number);
            holds((nodes.start, results.start, runs.start) == (next.1, next.2, next.3))?;
            holds(nodes.start <= nodes.end && nodes.end <= self.node_count() && nodes.len() <= MAX_NODES)?;
            holds(results.start < results.end && results.end <= self.result_count())?;
            holds(results.len() <= MAX_RESULTS && runs.start <= runs.end && runs.end <= self.runs.len())?;
            next = (Some(shader), nodes.end, results.end, runs.end);
            let variants = index.variants_of(bytes, shader);
            holds(variants.len() == 1)?;
            let variant = index.variant(bytes, variants.start);
            holds(variant.condition.is_empty() && index.constants_of(bytes, variants.start).is_empty())?;
            self.check_nodes(bytes, nodes, results.len())?;
            let mut words = HEADER_WORDS;
            for run in Runs::new(self.runs_of(bytes, number), results.len())? {
                words = words.checked_add(run?.0)?;
            }
            holds(words == index.module(bytes, variant.module).words)?;
            for result in results {
                let result = self.result(bytes, result);
                holds((HEADER_WORDS..=words).contains(&result.words))?;
                holds(
                    result.requirements < self.list_count() && result.removed_bindings < self.list_count(),
                )?;
            }
        }
        holds((next.1, next.2) == (self.node_count(), self.result_count()) && next.3 == self.runs.len())
    }

    fn check_nodes(&self, bytes: &[u8], nodes: Range<usize>, results: usize) -> Option<()> {
        let first = nodes.start;
        for number in nodes.clone() {
            let (question, no, yes) = self.node(bytes, number);
            let fits = |end: End| match end {
                End::Node(child) => first + child > number && first + child < nodes.end,
                End::Result(result) => result < results,
                End::Nothing => true,
            };
            (question < self.question_count() && fits(no) && fits(yes)).then_some(())?;
        }
        Some(())
    }

    pub fn question_count(&self) -> usize {
        self.questions.len() / QUESTION_SIZE
    }

    fn count(&self) -> usize {
        self.ready.len() / READY_SIZE
    }

    fn node_count(&self) -> usize {
        self.nodes.len() / NODE_SIZE
    }

    fn result_count(&self) -> usize {
        self.results.len() / RESULT_SIZE
    }

    fn list_count(&self) -> usize {
        self.lists.len() / LIST_SIZE
    }

    fn item_count(&self) -> usize {
        self.items.len() / ITEM_SIZE
    }

    /// Returns the kind and the text of a question.
    pub fn question(&self, bytes: &[u8], index: &Index, question: usize) -> (usize, Range<usize>) {
        let record = record(self.tables(bytes), &self.questions, QUESTION_SIZE, question);
        (number(record, 8), index.text(record, 0))
    }

    fn of_ready(&self, bytes: &[u8], ready: usize, at: usize) -> usize {
        number(record(self.tables(bytes), &self.ready, READY_SIZE, ready), at)
    }

    fn shader(&self, bytes: &[u8], ready: usize) -> usize {
        self.of_ready(bytes, ready, 0)
    }

    /// Returns the number of the record of a shader.
    pub fn find(&self, bytes: &[u8], shader: usize) -> Option<usize> {
        let (mut start, mut end) = (0, self.count());
        while start < end {
            let middle = start + (end - start) / 2;
            match self.shader(bytes, middle).cmp(&shader) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    pub fn kinds(&self, bytes: &[u8], ready: usize) -> usize {
        self.of_ready(bytes, ready, 4)
    }

    /// Returns the range of the numbers of a ready shader, up to the first one of the next.
    fn range(&self, bytes: &[u8], ready: usize, at: usize, count: usize) -> Range<usize> {
        let end = if ready + 1 < self.count() { self.of_ready(bytes, ready + 1, at) } else { count };
        self.of_ready(bytes, ready, at)..end
    }

    pub fn nodes_of(&self, bytes: &[u8], ready: usize) -> Range<usize> {
        self.range(bytes, ready, 8, self.node_count())
    }

    pub fn results_of(&self, bytes: &[u8], ready: usize) -> Range<usize> {
        self.range(bytes, ready, 12, self.result_count())
    }

    fn places_of_runs(&self, bytes: &[u8], ready: usize) -> Range<usize> {
        self.range(bytes, ready, 16, self.runs.len())
    }

    /// Returns the runs of a ready shader.
    pub fn runs_of<'b>(&'b self, bytes: &'b [u8], ready: usize) -> &'b [u8] {
        &self.tables(bytes)[self.runs.clone()][self.places_of_runs(bytes, ready)]
    }

    /// Returns the question of a node and its children for no and yes.
    pub fn node(&self, bytes: &[u8], node: usize) -> (usize, End, End) {
        let record = record(self.tables(bytes), &self.nodes, NODE_SIZE, node);
        let end = |at: usize| match short(record, at) {
            NOTHING => End::Nothing,
            node @ 0..FIRST_RESULT => End::Node(node),
            result => End::Result(result - FIRST_RESULT),
        };
        (short(record, 0), end(2), end(4))
    }

    pub fn result(&self, bytes: &[u8], result: usize) -> ResultRecord {
        let (tables, count) = (self.tables(bytes), self.result_count());
        let column = |column: usize| number(tables, self.results.start + 4 * (column * count + result));
        let key = record(tables, &self.keys, KEY_SIZE, result);
        ResultRecord {
            version: column(0) as u32,
            bound: column(1) as u32,
            words: column(2),
            requirements: column(3),
            removed_bindings: column(4),
            key: number(key, 0) as u64 | (number(key, 4) as u64) << 32,
        }
    }

    fn first_item(&self, bytes: &[u8], list: usize) -> usize {
        number(record(self.tables(bytes), &self.lists, LIST_SIZE, list), 0)
    }

    /// Returns the items of a list.
    pub fn list<'b>(&'b self, bytes: &'b [u8], list: usize) -> impl Iterator<Item = u32> + use<'b> {
        let end =
            if list + 1 < self.list_count() { self.first_item(bytes, list + 1) } else { self.item_count() };
        let start = self.items.start + ITEM_SIZE * self.first_item(bytes, list);
        let items = &self.tables(bytes)[start..self.items.start + ITEM_SIZE * end];
        items.as_chunks::<ITEM_SIZE>().0.iter().map(|item| u32::from_le_bytes(*item))
    }
}

/// Iterator over the runs of a ready shader: the number of words and the set of each; `None` for bytes that are no runs.
pub struct Runs<'b> {
    bytes: &'b [u8],
    sets: &'b [u8],
    set_size: usize,
}

impl<'b> Runs<'b> {
    /// Reads the sets of a shader with this number of results.
    pub fn new(mut bytes: &'b [u8], results: usize) -> Option<Runs<'b>> {
        let count = take_number(&mut bytes)?;
        let set_size = results.div_ceil(8);
        let (sets, bytes) = bytes.split_at_checked(count.checked_mul(set_size)?)?;
        Some(Runs { bytes, sets, set_size })
    }

    fn read(&mut self) -> Option<(usize, &'b [u8])> {
        let words = take_number(&mut self.bytes).filter(|&words| words > 0)?;
        let start = take_number(&mut self.bytes)?.checked_mul(self.set_size)?;
        Some((words, self.sets.get(start..start.checked_add(self.set_size)?)?))
    }
}

impl<'b> Iterator for Runs<'b> {
    type Item = Option<(usize, &'b [u8])>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let run = self.read();
        if run.is_none() {
            self.bytes = &[];
        }
        Some(run)
    }
}
