//! Results that stand for others: where other values of constants change nothing but literals, only these are written.
//!
//! A result stands for all settings of the same constants that decide the same branches, with the same values of the constants that execution
//! modes and operations on vectors refer to. It is kept as runs of the module, so that many have room, and with some of the values for which it
//! was asked, so that these need not be tried on branches again.
//!
//! Where a module has conditions, a result stands for all devices and settings that give the same answers to all that they can ask.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use spirv::Op;

use super::formulas::{Decided, Decides, Formula, Formulas};
use super::{SharedTables, SpecializeOutcome};
use crate::analysis::Analyses;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{KnownValues, SetValues, UnsetConstants, device_constant};
use crate::loader::{HEADER_WORDS, Instructions, views};
use crate::transform::Runs;

/// The words of memory that all results take at most that are kept: fewer than the module has, but more of it where it is small.
fn most_kept(base: &[u32]) -> usize {
    (base.len() / 4).max(most_alone(base).min(224))
}

/// The words that a result takes at most that is the only one.
fn most_alone(base: &[u32]) -> usize {
    base.len() / 8 * 5
}

/// The results of specializing one module that were made before.
#[derive(Default)]
pub struct Templates {
    formulas: OnceLock<Option<Formulas>>,
    made: RwLock<Vec<Made>>,
    /// Memory that calls use one after the other.
    pub tables: SharedTables,
}

/// A result with the values for which it was asked.
struct Made {
    keys: Vec<ValuesKey>,
    template: Arc<Template>,
}

/// What of the values of the constants of [`Formulas`] decides which result stands for others: which of them are known, in bits, and then the
/// values of those on which more than literals depends. For a module with conditions, the values are the answers to all that these can ask.
type ValuesKey = Box<[u64]>;

/// A result.
#[derive(Debug)]
struct Template {
    /// The SpecIds that were set.
    spec_ids: Box<[u32]>,
    /// The branches that were decided ([`Decided::branches`]).
    branches: Box<[(u32, u32, u32)]>,
    words: Runs,
    /// The constants in its words: the index of each, and the offset of its definition.
    constants: Box<[(u32, u32)]>,
    report: Arc<SpecializeOutcome>,
}

/// The number of values with which a result is kept at most.
const MOST_KEYS: usize = 6;

/// What earlier results tell of one that is asked for.
pub enum Earlier<'r> {
    /// One of them stands for it.
    Stands(Again<'r>),
    /// None does.
    New(New<'r>),
    /// More than values decides what becomes of the module.
    Nothing,
}

/// What a new result is kept by.
pub enum New<'r> {
    /// What follows from the values that are set.
    Decided(Decided<'r>),
    /// The answers to all that conditions ask.
    Answers(Answers),
}

/// Answers to all that the conditions of a module can ask.
pub struct Answers(ValuesKey);

impl New<'_> {
    /// What follows from the values that are set, if that is known.
    pub fn decided(&self) -> Option<&Decided<'_>> {
        match self {
            New::Decided(decided) => Some(decided),
            New::Answers(_) => None,
        }
    }
}

/// A result that stands for another: its words, but for the literals of constants.
#[derive(Clone, Debug)]
pub struct Again<'r> {
    /// The constants with literals of their own; `None` where the words are the same.
    formulas: Option<&'r Formulas>,
    base: &'r [u32],
    template: Arc<Template>,
    values: Vec<Option<u64>>,
}

impl Templates {
    /// The result for these values, if one that was made before stands for it.
    pub fn find<'m: 'r, 'r>(&'r self, analyses: &Analyses<'m>, set: &SetValues) -> Earlier<'r> {
        let Some(formulas) = self.formulas.get_or_init(|| Formulas::of(analyses)) else {
            return Earlier::Nothing;
        };
        let base = analyses.module().words();
        let values = formulas.evaluate(set);
        let stands = |made: &Made, values| {
            let template = Arc::clone(&made.template);
            Earlier::Stands(Again { formulas: Some(formulas), base, template, values })
        };
        let is_set = |made: &Made| set.spec_ids().eq(made.template.spec_ids.iter().copied());
        // Threads that find results do not wait for each other.
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let keeps = OnceCell::new();
        let keep_limits = || *keeps.get_or_init(|| formulas.keep_limits(analyses, &values));
        let is_for = |made: &&Made| {
            let is_alike =
                |key: &ValuesKey| formulas.are_alike(key, &values, Decides::Literals, &keep_limits);
            is_set(made) && made.keys.iter().any(is_alike)
        };
        if let Some(made) = made.iter().find(is_for) {
            return stands(made, values);
        }
        drop(made);
        let decided = formulas.decided(analyses, set, values);
        if decided.before().is_none() {
            return Earlier::New(New::Decided(decided));
        }
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let is_alike = |made: &Made| {
            let mut keys = made.keys.iter();
            is_set(made)
                && *made.template.branches == decided.branches
                && keys.any(|key| {
                    formulas.are_alike(key, &decided.values, Decides::Branches, &|| decided.keeps_limits())
                })
        };
        let Some(at) = made.iter().position(is_alike) else {
            return Earlier::New(New::Decided(decided));
        };
        // Next time, nothing has to be decided.
        let is_full = made.iter().map(Made::size).sum::<usize>() > most_kept(base);
        let keys = &mut made[at].keys;
        if is_full || keys.len() == MOST_KEYS {
            keys.swap_remove(0);
        }
        keys.push(formulas.key(&decided.values));
        stands(&made[at], decided.values)
    }

    /// The result of a module with conditions, if one was made before with the same answers.
    pub fn find_answered<'m: 'r, 'r>(
        &'r self,
        analyses: &Analyses<'m>,
        known: &dyn KnownValues,
        set: &SetValues,
        unset: UnsetConstants,
    ) -> Earlier<'r> {
        let Ok(multi_target) = analyses.multi_target() else { return Earlier::Nothing };
        let (module, spec_ids) = (analyses.module(), analyses.spec_ids_by_id());
        let given = spec_ids.iter().map(|own| set.of(own).or_else(|| known.spec_constant(own.spec_id)));
        let of_device = multi_target.device_constants.iter().map(|&offset| {
            let inst = module.instruction(offset);
            device_constant(&inst, known).map(u64::from)
        });
        let defaults = (unset == UnsetConstants::Default).then_some(0);
        let answers: Vec<Option<u64>> = given.chain(of_device).chain([defaults]).collect();
        let key = key(&answers, answers.iter().map(|value| value.unwrap_or_default()));
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        let is_for = |made: &&Made| {
            made.keys.contains(&key) && set.spec_ids().eq(made.template.spec_ids.iter().copied())
        };
        match made.iter().find(is_for) {
            Some(made) => {
                let (base, template) = (module.words(), Arc::clone(&made.template));
                Earlier::Stands(Again { formulas: None, base, template, values: Vec::new() })
            }
            None => Earlier::New(New::Answers(Answers(key))),
        }
    }

    /// Keeps a result, given as runs of the module. Gives it back where it would stand for no other.
    pub fn keep<'r>(
        &'r self,
        base: &'r [u32],
        new: New<'r>,
        spec_ids: Vec<u32>,
        mut words: Runs,
        report: &Arc<SpecializeOutcome>,
    ) -> Result<Again<'r>, Runs> {
        words.shrink();
        let (spec_ids, report) = (spec_ids.into(), Arc::clone(report));
        let (keys, template, formulas, values) = match new {
            New::Answers(_) if !report.undecided.is_empty() => return Err(words),
            New::Answers(Answers(key)) => {
                let (branches, constants) = (Box::default(), Box::default());
                (vec![key], Template { spec_ids, branches, words, constants, report }, None, Vec::new())
            }
            New::Decided(Decided { values, branches, .. }) => {
                let Some(formulas) = self.formulas.get().and_then(Option::as_ref) else { return Err(words) };
                let Some(constants) = constants(formulas, &values, &words) else { return Err(words) };
                let branches = branches.into();
                let template = Template { spec_ids, branches, words, constants, report };
                (vec![formulas.key(&values)], template, Some(formulas), values)
            }
        };
        let template = Arc::new(template);
        let made = Made { keys, template: Arc::clone(&template) };
        let most = most_kept(base);
        let mut all = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let mut kept = all.iter().map(Made::size).sum::<usize>() + made.size();
        // Where settings come round again, leaving out the oldest would leave out each before it is asked for.
        while kept > most && !all.is_empty() {
            let leaves = template.words.len() % all.len();
            kept -= all.swap_remove(leaves).size();
        }
        if kept <= most || all.is_empty() && kept <= most_alone(base) {
            all.reserve_exact(1);
            all.push(made);
        }
        Ok(Again { formulas, base, template, values })
    }
}

/// Which values are known, and those that decide.
fn key(values: &[Option<u64>], deciding: impl Iterator<Item = u64> + Clone) -> ValuesKey {
    let of_known = values.len().div_ceil(u64::BITS as usize);
    let mut key = Vec::with_capacity(of_known + deciding.clone().count());
    key.extend(Formulas::known(values));
    key.extend(deciding);
    key.into()
}

/// The constants in words that were made for these values: the index of each, and the offset of its definition. `None` if one has no value.
fn constants(formulas: &Formulas, values: &[Option<u64>], words: &Runs) -> Option<Box<[(u32, u32)]>> {
    let mut constants = Vec::with_capacity(formulas.constants.len());
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
    Some(constants.into())
}

impl Made {
    /// The words of memory that it takes.
    fn size(&self) -> usize {
        let of_keys: usize = self.keys.iter().map(|key| size_of_val(&key[..]) + size_of::<ValuesKey>()).sum();
        self.template.size() + (of_keys + size_of::<Made>()) / size_of::<u32>()
    }
}

impl Formulas {
    /// Those with values in keys.
    fn in_keys(&self) -> impl Iterator<Item = (usize, &Formula)> + Clone {
        let is_in_key =
            |(_, formula): &(usize, &Formula)| formula.decides > Decides::Literals || formula.is_limited;
        self.constants.iter().enumerate().filter(is_in_key)
    }

    /// Which values are known, in bits.
    pub fn known(values: &[Option<u64>]) -> impl Iterator<Item = u64> {
        let bits = |values: &[Option<u64>]| {
            values.iter().enumerate().map(|(bit, value)| u64::from(value.is_some()) << bit).sum()
        };
        values.chunks(u64::BITS as usize).map(bits)
    }

    fn key(&self, values: &[Option<u64>]) -> ValuesKey {
        key(values, self.in_keys().map(|(at, _)| values[at].unwrap_or_default()))
    }

    /// True if values lead to the same result as those of a key but for literals, where all that decides more than `others` is the same. `keep_limits`
    /// tells if the values keep all limits.
    fn are_alike(
        &self,
        key: &[u64],
        values: &[Option<u64>],
        others: Decides,
        keep_limits: &dyn Fn() -> bool,
    ) -> bool {
        let (known, old) = key.split_at(values.len().div_ceil(u64::BITS as usize));
        let mut is_limit_touched = false;
        let is_alike = |((at, formula), &old): ((usize, &Formula), &u64)| {
            let new = values[at].unwrap_or_default();
            let differs = old != new;
            is_limit_touched |= differs && formula.is_limited;
            !differs || formula.decides <= others
        };
        Formulas::known(values).eq(known.iter().copied())
            && self.in_keys().zip(old).all(is_alike)
            && (!is_limit_touched || keep_limits())
    }
}

impl Template {
    /// The words of memory that it takes.
    fn size(&self) -> usize {
        let of_constants = size_of_val(&self.constants[..]) + size_of_val(&self.branches[..]);
        let others =
            (size_of::<Template>() + size_of::<SpecializeOutcome>() + of_constants) / size_of::<u32>();
        self.words.size() + self.spec_ids.len() + self.report.size() + others
    }
}

impl Again<'_> {
    /// The runs of its words, but for literals, and the words of the module.
    pub fn runs(&self) -> (&Runs, &[u32]) {
        (&self.template.words, self.base)
    }

    /// True if it has literals of its own.
    pub fn has_literals(&self) -> bool {
        !self.template.constants.is_empty()
    }

    /// The report on the result, which is that on the other one.
    pub fn report(&self) -> Arc<SpecializeOutcome> {
        Arc::clone(&self.template.report)
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
        let Some(formulas) = self.formulas else { return };
        for &(index, at) in &self.template.constants {
            let (index, at) = (index as usize, at as usize);
            let value = self.values[index].unwrap_or_default();
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
