//! Results that stand for others: where other values of constants change nothing but literals, only these are written.
//!
//! The values that decide more are those that branches, execution modes and operations on vectors refer to. A result stands for all
//! settings of the same constants with the same values of these. It is kept as runs of the module, so that many have room.

use std::borrow::Cow;
use std::sync::{OnceLock, PoisonError, RwLock};

use spirv::Op;

use super::SpecializeOutcome;
use super::formulas::{Formula, Formulas};
use super::runs::Runs;
use crate::analysis::Analyses;
use crate::analysis::constants::SetValues;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{HEADER_WORDS, Instructions, Module, views};

/// The memory of all results that are kept, as a multiple of the module's.
const MOST_KEPT: usize = 2;

/// The results of specializing one module that were made before.
#[derive(Default)]
pub struct Templates {
    formulas: OnceLock<Option<Formulas>>,
    made: RwLock<Vec<Template>>,
}

/// Memory for the words of a result, whatever is in it.
pub enum Room<'r> {
    /// It grows as it has to.
    List(Vec<u32>),
    /// If it is too small, the words are elsewhere.
    Memory(&'r mut [u32]),
}

/// A result.
struct Template {
    /// The SpecIds that were set.
    spec_ids: Vec<u32>,
    /// The values of the constants of [`Formulas`].
    values: Vec<Option<u64>>,
    words: Runs,
    /// The constants in its words: the index of each, and the offset of its definition.
    constants: Vec<(usize, usize)>,
    report: SpecializeOutcome,
}

impl Templates {
    /// The result for these values, if one that was made before stands for it. The words are written into `room`.
    pub fn find<'r>(
        &self,
        module: &Module,
        set: &SetValues,
        room: Room<'r>,
    ) -> Option<(Cow<'r, [u32]>, SpecializeOutcome)> {
        let formulas = self.formulas.get()?.as_ref()?;
        let values = formulas.evaluate(set);
        // Threads that find results do not wait for each other.
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let template = made.iter().find(|template| template.is_for(formulas, set, &values))?;
        let count = template.words.len();
        let words = match room {
            Room::Memory(memory) if memory.len() >= count => {
                let words = &mut memory[..count];
                let mut rest = &mut *words;
                for piece in template.words.pieces(module.words()) {
                    rest.split_off_mut(..piece.len())?.copy_from_slice(piece);
                }
                template.fill(formulas, &values, words);
                Cow::Borrowed(&*words)
            }
            Room::Memory(_) => template.write(formulas, module, &values, Vec::new()).into(),
            Room::List(list) => template.write(formulas, module, &values, list).into(),
        };
        Some((words, template.report.clone()))
    }

    /// Keeps a result for these values.
    pub fn keep(&self, analyses: &Analyses, set: &SetValues, words: &[u32], report: &SpecializeOutcome) {
        let Some(formulas) = self.formulas.get_or_init(|| Formulas::of(analyses)) else { return };
        let module = analyses.module();
        let Some(template) = Template::of(formulas, module, set, words, report) else { return };
        let most = MOST_KEPT * module.words().len();
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let mut kept = made.iter().map(Template::size).sum::<usize>() + template.size();
        // Where settings come round again, leaving out the oldest would leave out each before it is asked for.
        while kept > most && !made.is_empty() {
            let leaves = words.len() % made.len();
            kept -= made.swap_remove(leaves).size();
        }
        if kept <= most {
            made.push(template);
        }
    }
}

impl Template {
    fn of(
        formulas: &Formulas,
        module: &Module,
        set: &SetValues,
        words: &[u32],
        report: &SpecializeOutcome,
    ) -> Option<Template> {
        let values = formulas.evaluate(set);
        let mut constants = Vec::new();
        let after_header = Instructions::new(words.get(HEADER_WORDS..)?, HEADER_WORDS as u32);
        for inst in after_header.take_while(|inst| !inst.is(Op::Function)) {
            if matches!(inst.op(), Some(Op::Constant | Op::ConstantTrue | Op::ConstantFalse))
                && let Some(index) = formulas.index(views::Value(inst).id())
            {
                values[index]?;
                constants.push((index, inst.offset() as usize));
            }
        }
        let template = Template {
            spec_ids: set.spec_ids().collect(),
            values,
            words: Runs::of(module, words),
            constants,
            report: report.clone(),
        };
        let again = template.write(formulas, module, &template.values, Vec::new());
        debug_assert!(again == words, "the result of the values that it was made for is itself");
        (again == words).then_some(template)
    }

    /// True if the result for these values is this one with other literals.
    fn is_for(&self, formulas: &Formulas, set: &SetValues, values: &[Option<u64>]) -> bool {
        let is_alike = |(formula, (old, new)): (&Formula, (&Option<u64>, &Option<u64>))| match (old, new) {
            (Some(old), Some(new)) => {
                old == new || !formula.decides && (!formula.is_size || is_positive(formula.scalar, *new))
            }
            (None, None) => true,
            _ => false,
        };
        set.spec_ids().eq(self.spec_ids.iter().copied())
            && formulas.constants.iter().zip(self.values.iter().zip(values)).all(is_alike)
    }

    /// The words of memory that it takes.
    fn size(&self) -> usize {
        let of_constants = size_of_val(&self.constants[..]) + size_of_val(&self.values[..]);
        self.words.size() + self.spec_ids.len() + of_constants / size_of::<u32>()
    }

    /// Its words with other values, in place of what is in a list.
    fn write(
        &self,
        formulas: &Formulas,
        module: &Module,
        values: &[Option<u64>],
        mut words: Vec<u32>,
    ) -> Vec<u32> {
        words.clear();
        words.reserve(self.words.len());
        self.words.pieces(module.words()).for_each(|piece| words.extend_from_slice(piece));
        self.fill(formulas, values, &mut words);
        words
    }

    /// Writes literals into its words.
    fn fill(&self, formulas: &Formulas, values: &[Option<u64>], words: &mut [u32]) {
        for &(index, at) in &self.constants {
            let value = values[index].unwrap_or_default();
            match formulas.constants[index].scalar {
                Scalar::Bool => {
                    let op = if value != 0 { Op::ConstantTrue } else { Op::ConstantFalse };
                    words[at] = 3 << 16 | op as u32;
                }
                scalar => {
                    let (literal, count) = scalar.literal_words(value);
                    words[at + 3..][..count].copy_from_slice(&literal[..count]);
                }
            }
        }
    }
}

fn is_positive(scalar: Scalar, value: u64) -> bool {
    match scalar {
        Scalar::Int { signed: true, .. } => scalar.sign_extend(value) > 0,
        _ => value != 0,
    }
}
