//! Ready shaders: a module for each device, found by answers to questions (`spec-extensions/bundle.md`, "Version 2").

mod index;
#[cfg(feature = "write")]
mod supersequence;
#[cfg(feature = "write")]
mod write;

pub use index::ReadyIndex;
#[cfg(feature = "write")]
pub use write::{ReadyData, ReadyTables};

use std::ops::Range;

use crate::codec::{HEADER_WORDS, take};
use crate::error::{BundleError, Damage};
use crate::file::{Bundle, Shader};
use index::{ENTRY_POINT, End, ResultRecord, Runs};

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QuestionKind {
    /// A leaf of conditions: the device has it, or the host decides so.
    Condition = 0,
    /// A requirement of code: the device supports it.
    Requirement = 1,
    /// The host gives a constant a value.
    Constant = 2,
}

/// A question of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Question<'a> {
    /// The kind.
    pub kind: QuestionKind,
    /// The text: a condition, or `NAME == VALUE`.
    pub text: &'a str,
}

impl<'a> Question<'a> {
    /// Returns the name of the constant or of the decision that the host answers for, and the value that it asks for: `true` for a decision (`host(NAME)`).
    /// `None` if the device answers the question.
    pub fn host_value(&self) -> Option<(&'a str, &'a str)> {
        match self.kind {
            QuestionKind::Condition => Some((self.text.strip_prefix("host(")?.strip_suffix(')')?, "true")),
            QuestionKind::Requirement => None,
            QuestionKind::Constant => self.text.split_once(" == "),
        }
    }
}

impl Bundle<'_> {
    /// Returns the questions, which answers have in this order.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = Question<'_>> {
        (0..self.index.ready.question_count()).map(|number| self.question(number))
    }

    fn question(&self, number: usize) -> Question<'_> {
        let (kind, text) = self.index.ready.question(self.as_bytes(), &self.index, number);
        let kind = match kind {
            0 => QuestionKind::Condition,
            1 => QuestionKind::Requirement,
            _ => QuestionKind::Constant,
        };
        Question { kind, text: self.text(text) }
    }
}

/// The results of a ready shader.
#[derive(Clone, Copy, Debug)]
pub struct Ready<'a> {
    bundle: &'a Bundle<'a>,
    /// The number of the shader.
    shader: usize,
    /// The number among ready shaders.
    number: usize,
}

/// The result of a shader for a device.
#[derive(Clone, Debug)]
pub struct ReadyChoice<'a> {
    ready: Ready<'a>,
    result: usize,
    unknown: Vec<usize>,
}

impl<'a> Ready<'a> {
    pub(crate) fn new(bundle: &'a Bundle<'a>, shader: usize) -> Option<Ready<'a>> {
        let number = bundle.index.ready.find(bundle.as_bytes(), shader)?;
        Some(Ready { bundle, shader, number })
    }

    /// Returns the question of a number.
    #[cfg(feature = "specialize")]
    pub(crate) fn question(&self, number: usize) -> Question<'a> {
        self.bundle.question(number)
    }

    fn name(&self) -> String {
        self.bundle.text(self.bundle.index.shader(self.bundle.as_bytes(), self.shader).name).to_owned()
    }

    /// Returns the module with the instructions of all results.
    pub(crate) fn pool(&self) -> usize {
        let variant = self.bundle.index.variants_of(self.bundle.as_bytes(), self.shader).start;
        self.bundle.index.variant(self.bundle.as_bytes(), variant).module
    }

    fn nodes(&self) -> Range<usize> {
        self.bundle.index.ready.nodes_of(self.bundle.as_bytes(), self.number)
    }

    fn results(&self) -> Range<usize> {
        self.bundle.index.ready.results_of(self.bundle.as_bytes(), self.number)
    }

    fn node(&self, number: usize) -> (usize, End, End) {
        self.bundle.index.ready.node(self.bundle.as_bytes(), self.nodes().start + number)
    }

    /// Returns the bundle, whose questions answers are for.
    pub fn bundle(&self) -> &'a Bundle<'a> {
        self.bundle
    }

    /// Returns the number of results.
    #[expect(clippy::len_without_is_empty, reason = "a ready shader has a result")]
    pub fn len(&self) -> usize {
        self.results().len()
    }

    /// Returns true if one module is for all devices that meet its requirements.
    pub fn is_for_all(&self) -> bool {
        self.nodes().is_empty()
    }

    /// Returns true if a module declares Kernel, and if it declares Shader.
    pub fn kinds(&self) -> [bool; 2] {
        let kinds = self.bundle.index.ready.kinds(self.bundle.as_bytes(), self.number);
        [kinds & 1 != 0, kinds & 2 != 0]
    }

    /// Returns the questions that the decision diagram asks, each once, in the order of the bundle.
    pub fn questions(&self) -> impl Iterator<Item = Question<'a>> + use<'a> {
        let mut questions: Vec<usize> = (0..self.nodes().len()).map(|number| self.node(number).0).collect();
        questions.sort_unstable();
        questions.dedup();
        let bundle = self.bundle;
        questions.into_iter().map(|number| bundle.question(number))
    }

    /// Returns the size of its instructions, each once, in bytes.
    pub fn size(&self) -> usize {
        4 * self.bundle.index.module(self.bundle.as_bytes(), self.pool()).words
    }

    /// Returns the size of a result, in bytes.
    pub fn result_size(&self, result: usize) -> usize {
        4 * self.record(result).words
    }

    fn record(&self, result: usize) -> ResultRecord {
        self.bundle.index.ready.result(self.bundle.as_bytes(), self.results().start + result)
    }

    /// Returns a result by its number, from 0, for any devices.
    ///
    /// # Errors
    /// If there is none.
    pub fn result(&self, result: usize) -> Result<ReadyChoice<'a>, BundleError> {
        match result < self.len() {
            true => Ok(ReadyChoice { ready: *self, result, unknown: Vec::new() }),
            false => Err(BundleError::NoResult(self.name())),
        }
    }

    /// Returns the result for a device that answers questions, by their numbers: yes, no, or `None` for unknown. Questions that do not matter are not asked.
    ///
    /// # Errors
    /// [`BundleError::NotKnown`] if unknown answers decide between results, [`BundleError::DoesNotRun`] if a requirement of the result is not met,
    /// [`BundleError::NoResult`] if no variant is for the device.
    pub fn select(
        &self,
        mut answer: impl FnMut(usize) -> Option<bool>,
    ) -> Result<ReadyChoice<'a>, BundleError> {
        let texts = |questions: Vec<usize>| {
            questions.into_iter().map(|number| self.bundle.question(number).text.to_owned()).collect()
        };
        let result = match self.walk(&mut answer) {
            Ok(End::Result(result)) => result,
            Ok(_) => return Err(BundleError::NoResult(self.name())),
            Err(deciding) => {
                return Err(BundleError::NotKnown { name: self.name(), questions: texts(deciding) });
            }
        };
        let mut unknown = Vec::new();
        let (mut missing, mut missing_in_parts) = (Vec::new(), Vec::new());
        let (mut entry_points, mut runs_one, mut has_missing) = (0, false, false);
        let list = self.record(result).requirements;
        for item in self.bundle.index.ready.list(self.bundle.as_bytes(), list) {
            if item == ENTRY_POINT {
                runs_one |= entry_points > 0 && !has_missing;
                entry_points += 1;
                has_missing = false;
                continue;
            }
            let question = item as usize;
            if question >= self.bundle.index.ready.question_count() {
                return Err(Damage::Index.into());
            }
            match answer(question) {
                Some(true) => {}
                Some(false) if entry_points == 0 => missing.push(question),
                Some(false) => {
                    has_missing = true;
                    missing_in_parts.push(question);
                }
                None => unknown.push(question),
            }
        }
        runs_one |= entry_points == 0 || !has_missing;
        if !runs_one {
            missing.append(&mut missing_in_parts);
        }
        if !missing.is_empty() {
            missing.sort_unstable();
            missing.dedup();
            return Err(BundleError::DoesNotRun { name: self.name(), missing: texts(missing) });
        }
        unknown.sort_unstable();
        unknown.dedup();
        Ok(ReadyChoice { ready: *self, result, unknown })
    }

    /// Returns the end of all ways, or the questions that decide between several.
    fn walk(&self, answer: &mut impl FnMut(usize) -> Option<bool>) -> Result<End, Vec<usize>> {
        let count = self.nodes().len();
        let mut at = if count == 0 { End::Result(0) } else { End::Node(0) };
        while let End::Node(number) = at {
            let (question, no, yes) = self.node(number);
            at = match answer(question) {
                Some(true) => yes,
                Some(false) => no,
                None => return self.walk_both(answer, number),
            };
        }
        Ok(at)
    }

    /// Follows both ways from nodes whose answers are unknown.
    fn walk_both(
        &self,
        answer: &mut impl FnMut(usize) -> Option<bool>,
        first: usize,
    ) -> Result<End, Vec<usize>> {
        let count = self.nodes().len();
        let mut answers: Vec<Option<Option<bool>>> = vec![None; count];
        let mut is_reached = vec![false; count];
        is_reached[first] = true;
        for number in first..count {
            if !is_reached[number] {
                continue;
            }
            let (question, no, yes) = self.node(number);
            let answer = answer(question);
            answers[number] = Some(answer);
            for (end, excluded) in [(no, Some(true)), (yes, Some(false))] {
                if let End::Node(child) = end
                    && answer != excluded
                {
                    is_reached[child] = true;
                }
            }
        }
        // The end of all ways from each node; `None` for several.
        let mut ends: Vec<Option<End>> = vec![None; count];
        let mut deciding = Vec::new();
        for number in (first..count).rev() {
            let Some(answer) = answers[number] else { continue };
            let (question, no, yes) = self.node(number);
            let end_of = |end: End| if let End::Node(child) = end { ends[child] } else { Some(end) };
            let both = [no, yes].map(end_of);
            ends[number] = match answer {
                Some(answer) => both[usize::from(answer)],
                None if both[0] == both[1] => both[0],
                None => {
                    deciding.push(question);
                    None
                }
            };
        }
        deciding.sort_unstable();
        deciding.dedup();
        ends[first].ok_or(deciding)
    }
}

impl<'a> ReadyChoice<'a> {
    /// Returns the number of the result among those of its shader.
    pub fn number(&self) -> usize {
        self.result
    }

    /// Returns the questions of requirements whose answers are unknown, by their numbers.
    pub fn unknown(&self) -> &[usize] {
        &self.unknown
    }

    /// Returns the key of the result for caches: equal results have equal keys.
    pub fn key(&self) -> u64 {
        self.ready.record(self.result).key
    }

    /// Returns the bindings that variants of the shader have and the result does not have: descriptor set and number.
    pub fn removed_bindings(&self) -> impl Iterator<Item = (u32, u32)> + use<'a> {
        let (bundle, record) = (self.ready.bundle, self.ready.record(self.result));
        let mut items = bundle.index.ready.list(bundle.as_bytes(), record.removed_bindings);
        std::iter::from_fn(move || items.next().zip(items.next()))
    }

    /// Returns the requirements of the whole result, by the numbers of their questions, and of each of several entry points.
    pub fn requirements(&self) -> Vec<Vec<usize>> {
        let (bundle, record) = (self.ready.bundle, self.ready.record(self.result));
        let mut parts = vec![Vec::new()];
        for item in bundle.index.ready.list(bundle.as_bytes(), record.requirements) {
            match (item, parts.last_mut()) {
                (ENTRY_POINT, _) => parts.push(Vec::new()),
                (question, Some(part)) => part.push(question as usize),
                (_, None) => {}
            }
        }
        parts
    }

    /// Returns the number of words.
    #[expect(clippy::len_without_is_empty, reason = "a module is never empty")]
    pub fn len(&self) -> usize {
        self.ready.record(self.result).words
    }

    /// Returns the words.
    ///
    /// # Errors
    /// If the bundle is damaged.
    pub fn words(&self) -> Result<Vec<u32>, BundleError> {
        let Ready { bundle, number, .. } = self.ready;
        let pool = bundle.module(self.ready.pool())?;
        let record = self.ready.record(self.result);
        let runs = bundle.index.ready.runs_of(bundle.as_bytes(), number);
        let runs = Runs::new(runs, self.ready.len()).ok_or(Damage::Index)?;
        let (header, mut rest) = pool.split_at_checked(HEADER_WORDS).ok_or(Damage::Index)?;
        let mut words = Vec::with_capacity(record.words);
        words.extend([header[0], record.version, header[2], record.bound, header[4]]);
        for run in runs {
            let (count, set) = run.ok_or(Damage::Index)?;
            let (run, after) = rest.split_at_checked(count).ok_or(Damage::Index)?;
            rest = after;
            if set[self.result / 8] >> (self.result % 8) & 1 != 0 {
                words.extend(run);
            }
        }
        match words.len() == record.words {
            true => Ok(words),
            false => Err(Damage::Index.into()),
        }
    }
}

impl Shader<'_> {
    /// Returns true if the shader has a module for each device, and no variants.
    pub fn is_ready(&self) -> bool {
        self.ready().is_some()
    }
}

/// Takes a number from the start of runs.
fn take_number(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(take(bytes)?).ok()
}
