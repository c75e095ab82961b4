//! Writing ready shaders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use spirv_if::ready::{ReadyEnd, ReadyQuestion, ReadyResult, ReadyShader};

use super::QuestionKind;
use super::index::{
    ENTRY_POINT, FIRST_RESULT, ITEM_SIZE, KEY_SIZE, LIST_SIZE, MAX_NODES, MAX_QUESTIONS, MAX_RESULTS,
    NODE_SIZE, NOTHING, QUESTION_SIZE, READY_SIZE, RESULT_SIZE,
};
use super::supersequence::Pool;
use crate::MAX_CONTENT;
use crate::codec::{HEADER_WORDS, is_codable, push};
use crate::error::BundleError;

/// The kind and the text of a question.
type QuestionKey = (QuestionKind, String);

/// A ready shader before its numbers in a bundle are known.
#[derive(Clone, Debug)]
pub struct ReadyData {
    /// The pool, which is stored as a module.
    pub pool: Vec<u32>,
    runs: Vec<u8>,
    kinds: u32,
    nodes: Vec<(QuestionKey, u16, u16)>,
    results: Vec<ResultData>,
}

#[derive(Clone, Debug)]
struct ResultData {
    version: u32,
    bound: u32,
    words: u32,
    key: u64,
    /// The requirements of the whole result, and of each entry point.
    requirements: Vec<Vec<QuestionKey>>,
    removed_bindings: Vec<(u32, u32)>,
}

impl ReadyData {
    /// Makes the data of a shader; `None` if its results are not modules that can be stored together.
    pub fn new(shader: &ReadyShader) -> Option<ReadyData> {
        let words: Vec<&[u32]> = shader.results.iter().map(|result| &result.words[..]).collect();
        let first = words.first()?.get(..HEADER_WORDS)?;
        let is_like_first =
            |words: &&[u32]| is_codable(words) && [0, 2, 4].iter().all(|&at| words[at] == first[at]);
        if !words.iter().all(is_like_first) || words.len() > MAX_RESULTS || shader.nodes.len() > MAX_NODES {
            return None;
        }
        let pool = Pool::new(&words);
        let mut runs = Vec::new();
        push(&mut runs, pool.sets.len() as u64);
        runs.extend(pool.sets.iter().flatten());
        for &(words, set) in &pool.runs {
            push(&mut runs, words as u64);
            push(&mut runs, set as u64);
        }
        let node = |node: &spirv_if::ready::ReadyNode| {
            Some((key_of(&node.question)?, child(node.no)?, child(node.yes)?))
        };
        Some(ReadyData {
            pool: pool.words,
            runs,
            kinds: u32::from(shader.has_kernels) | u32::from(shader.has_shaders) << 1,
            nodes: shader.nodes.iter().map(node).collect::<Option<_>>()?,
            results: shader.results.iter().map(ResultData::new).collect(),
        })
    }

    fn questions(&self) -> impl Iterator<Item = &QuestionKey> {
        let asked = self.nodes.iter().map(|(question, ..)| question);
        asked.chain(self.results.iter().flat_map(|result| result.requirements.iter().flatten()))
    }
}

impl ResultData {
    fn new(result: &ReadyResult) -> ResultData {
        let requirement =
            |condition: &spirv_if::Condition| (QuestionKind::Requirement, condition.to_string());
        let parts = std::iter::once(&result.requirements).chain(&result.of_entry_points);
        ResultData {
            version: result.words[1],
            bound: result.words[3],
            words: result.words.len() as u32,
            key: key_of_words(&result.words),
            requirements: parts.map(|part| part.iter().map(requirement).collect()).collect(),
            removed_bindings: result.removed_bindings.clone(),
        }
    }
}

/// Returns the key of a result: FNV-1a of 64 bits.
fn key_of_words(words: &[u32]) -> u64 {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn key_of(question: &ReadyQuestion) -> Option<QuestionKey> {
    let kind = match question {
        ReadyQuestion::Condition(_) => QuestionKind::Condition,
        ReadyQuestion::Constant { .. } => QuestionKind::Constant,
        _ => return None,
    };
    Some((kind, question.to_string()))
}

/// Returns the number of a child.
fn child(end: ReadyEnd) -> Option<u16> {
    let number = match end {
        ReadyEnd::Node(number) => number,
        ReadyEnd::Result(number) => FIRST_RESULT + number,
        ReadyEnd::Nothing => NOTHING,
        _ => return None,
    };
    u16::try_from(number).ok()
}

/// The tables of ready shaders.
#[derive(Debug, Default)]
pub struct ReadyTables {
    /// The numbers of records, in the order of the header; the last is the number of bytes of runs.
    pub counts: Vec<usize>,
    /// The records.
    pub bytes: Vec<u8>,
}

impl ReadyTables {
    /// Writes the tables of ready shaders with the numbers of their shaders. `text` adds a text to that of the bundle.
    pub fn new(
        shaders: &[(u32, &ReadyData)],
        text: &mut dyn FnMut(&str) -> Result<[u32; 2], BundleError>,
    ) -> Result<ReadyTables, BundleError> {
        let questions: BTreeSet<&QuestionKey> =
            shaders.iter().flat_map(|(_, data)| data.questions()).collect();
        if questions.len() > MAX_QUESTIONS {
            return Err(BundleError::TooLarge("the number of questions"));
        }
        let numbers: BTreeMap<&QuestionKey, u32> = questions.iter().copied().zip(0..).collect();
        let mut tables: [Vec<u8>; 8] = Default::default();
        let [of_questions, of_ready, of_nodes, of_results, of_keys, of_lists, of_items, of_runs] =
            &mut tables;
        for (kind, question) in questions {
            let [at, size] = text(question)?;
            words(of_questions, [at, size, *kind as u32]);
        }
        let mut lists: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut list = |items: Vec<u32>| {
            let next = lists.len() as u32;
            *lists.entry(items).or_insert_with_key(|items| {
                words(of_lists, [(of_items.len() / 4) as u32]);
                words(of_items, items.iter().copied());
                next
            })
        };
        let (mut nodes, mut results) = (0, 0);
        let mut columns: [Vec<u8>; RESULT_SIZE / 4] = Default::default();
        for (shader, data) in shaders {
            words(of_ready, [*shader, data.kinds, nodes, results, of_runs.len() as u32]);
            nodes += data.nodes.len() as u32;
            results += data.results.len() as u32;
            for (question, no, yes) in &data.nodes {
                of_nodes.extend([numbers[question] as u16, *no, *yes].into_iter().flat_map(u16::to_le_bytes));
            }
            for result in &data.results {
                let mut required = Vec::new();
                for (number, part) in result.requirements.iter().enumerate() {
                    required.extend((number > 0).then_some(ENTRY_POINT));
                    let mut part: Vec<u32> = part.iter().map(|question| numbers[question]).collect();
                    part.sort_unstable();
                    part.dedup();
                    required.extend(part);
                }
                let required = list(required);
                let removed =
                    list(result.removed_bindings.iter().flat_map(|&(set, binding)| [set, binding]).collect());
                let ResultData { version, bound, words: count, key, .. } = result;
                let [low, high] = [*key as u32, (*key >> 32) as u32];
                let record = [*version, *bound, *count, required, removed];
                columns.iter_mut().zip(record).for_each(|(column, number)| words(column, [number]));
                words(of_keys, [low, high]);
            }
            of_runs.extend(&data.runs);
        }
        *of_results = columns.concat();
        if tables.iter().map(Vec::len).sum::<usize>() > MAX_CONTENT {
            return Err(BundleError::TooLarge("the tables of ready shaders"));
        }
        let sizes = [QUESTION_SIZE, READY_SIZE, NODE_SIZE, RESULT_SIZE, KEY_SIZE, LIST_SIZE, ITEM_SIZE, 1];
        let counts = tables.iter().zip(sizes).map(|(table, size)| table.len() / size);
        // Results and keys are as many.
        let counts = counts.enumerate().filter(|&(table, _)| table != 4).map(|(_, count)| count).collect();
        Ok(ReadyTables { counts, bytes: tables.concat() })
    }
}

fn words(table: &mut Vec<u8>, words: impl IntoIterator<Item = u32>) {
    table.extend(words.into_iter().flat_map(u32::to_le_bytes));
}
