//! Results that stand for others: where other values of constants change nothing but literals, only these are written.
//!
//! The values that decide more are those that branches, execution modes and operations on vectors refer to. A result stands for all
//! settings of the same constants with the same values of these. It is kept as runs of the module, so that many have room.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use spirv::Op;

use super::SpecializeOutcome;
use super::formulas::{Formula, Formulas};
use crate::analysis::Analyses;
use crate::analysis::constants::SetValues;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{HEADER_WORDS, Instructions, Module, views};
use crate::transform::Runs;

/// The memory of all results that are kept, as a multiple of the module's.
const MOST_KEPT: usize = 2;

/// The results of specializing one module that were made before.
#[derive(Default)]
pub struct Templates {
    formulas: OnceLock<Option<Formulas>>,
    made: RwLock<Vec<Arc<Template>>>,
}

/// A result.
#[derive(Debug)]
struct Template {
    /// The SpecIds that were set.
    spec_ids: Vec<u32>,
    /// The values of the constants of [`Formulas`].
    values: Vec<Option<u64>>,
    words: Runs,
    /// The constants in its words: the index of each, and the offset of its definition.
    constants: Vec<(u32, u32)>,
    report: SpecializeOutcome,
}

/// A result that stands for another: its words, but for the literals of constants.
#[derive(Clone, Debug)]
pub struct Again<'r> {
    formulas: &'r Formulas,
    base: &'r [u32],
    template: Arc<Template>,
    values: Vec<Option<u64>>,
}

impl Templates {
    /// The result for these values, if one that was made before stands for it.
    pub fn find<'r>(&'r self, module: &'r Module, set: &SetValues) -> Option<(Again<'r>, SpecializeOutcome)> {
        let formulas = self.formulas.get()?.as_ref()?;
        let values = formulas.evaluate(set);
        // Threads that find results do not wait for each other.
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let template = Arc::clone(made.iter().find(|template| template.is_for(formulas, set, &values))?);
        let report = template.report.clone();
        Some((Again { formulas, base: module.words(), template, values }, report))
    }

    /// Keeps a result for these values, given as runs of the module. `None` where it would stand for no other.
    pub fn keep<'m: 'r, 'r>(
        &'r self,
        analyses: &Analyses<'m>,
        set: &SetValues,
        words: impl FnOnce() -> Runs,
        report: &SpecializeOutcome,
    ) -> Option<Again<'r>> {
        let formulas = self.formulas.get_or_init(|| Formulas::of(analyses)).as_ref()?;
        let base = analyses.module().words();
        let template = Arc::new(Template::of(formulas, set, words(), report)?);
        let most = MOST_KEPT * base.len();
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let mut kept = made.iter().map(|template| template.size()).sum::<usize>() + template.size();
        // Where settings come round again, leaving out the oldest would leave out each before it is asked for.
        while kept > most && !made.is_empty() {
            let leaves = template.words.len() % made.len();
            kept -= made.swap_remove(leaves).size();
        }
        if kept <= most {
            made.push(Arc::clone(&template));
        }
        let values = template.values.clone();
        Some(Again { formulas, base, template, values })
    }
}

impl Template {
    fn of(formulas: &Formulas, set: &SetValues, words: Runs, report: &SpecializeOutcome) -> Option<Template> {
        let values = formulas.evaluate(set);
        let mut constants = Vec::new();
        // The module has specialization constants where these are.
        let own = words.own_pieces().flat_map(|(start, words)| {
            let skipped = if start == 0 { HEADER_WORDS } else { 0 };
            Instructions::new(words.get(skipped..).unwrap_or_default(), (start + skipped) as u32)
        });
        for inst in own {
            if matches!(inst.op(), Some(Op::Constant | Op::ConstantTrue | Op::ConstantFalse))
                && let Some(index) = formulas.index(views::Value(inst).id())
            {
                values[index]?;
                constants.push((index as u32, inst.offset()));
            }
        }
        constants.shrink_to_fit();
        Some(Template {
            spec_ids: set.spec_ids().collect(),
            values,
            words,
            constants,
            report: report.clone(),
        })
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
        let others = (size_of::<Template>() + of_constants) / size_of::<u32>();
        self.words.size() + self.spec_ids.len() + self.report.size() + others
    }
}

impl Again<'_> {
    /// The runs of its words, but for literals, and the words of the module.
    pub fn runs(&self) -> (&Runs, &[u32]) {
        (&self.template.words, self.base)
    }

    /// Adds the words to a list.
    pub fn add_to(&self, list: &mut Vec<u32>) {
        let start = list.len();
        self.template.words.add_to(self.base, list);
        self.fill(&mut list[start..]);
    }

    /// Writes the words to memory of their size.
    pub fn write_to(&self, memory: &mut [u32]) {
        self.template.words.write_to(self.base, memory);
        self.fill(memory);
    }

    /// Writes literals into the words.
    fn fill(&self, words: &mut [u32]) {
        for &(index, at) in &self.template.constants {
            let (index, at) = (index as usize, at as usize);
            let value = self.values[index].unwrap_or_default();
            match self.formulas.constants[index].scalar {
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
