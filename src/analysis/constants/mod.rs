//! Values of scalar constants, specialization constants among them, as far as they are known.

pub mod folding;
pub mod store_forwarding;

use std::collections::BTreeMap;

use spirv::{Decoration, Op};

use crate::loader::{Instruction, Module};
use folding::{Operand, Scalar, fold};

/// What is known of the device and of what the host sets. `None` everywhere means: not known yet.
pub trait Known {
    /// The value of the specialization constant with this SpecId: its bits, the lowest first; a Boolean is 0 or 1.
    fn spec_constant(&self, spec_id: u32) -> Option<u64>;
    /// Whether the device is this target and has these features (OpSpecConstantTargetINTEL).
    fn target(&self, target: u32, features: &[u32]) -> Option<bool>;
    /// Whether the device is of this category and family, and its architecture compares so (OpSpecConstantArchitectureINTEL).
    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool>;
    /// Whether the device supports all these capabilities (OpSpecConstantCapabilitiesINTEL).
    fn capabilities(&self, capabilities: &[u32]) -> Option<bool>;
}

/// Nothing is known, but what is set.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Known for Nothing {
    fn spec_constant(&self, _spec_id: u32) -> Option<u64> {
        None
    }
    fn target(&self, _target: u32, _features: &[u32]) -> Option<bool> {
        None
    }
    fn architecture(&self, _category: u32, _family: u32, _opcode: u32, _architecture: u32) -> Option<bool> {
        None
    }
    fn capabilities(&self, _capabilities: &[u32]) -> Option<bool> {
        None
    }
}

/// What becomes of conditions that depend on a specialization constant that nobody set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unset {
    /// They stay conditional.
    #[default]
    Keep,
    /// The constant takes its default value.
    Default,
}

/// A constant that the host can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecId {
    /// The constant.
    pub id: u32,
    /// The number by which the host knows it.
    pub spec_id: u32,
    /// Where its OpDecorate stands, in words; `None` where a decoration group brings it, which makes it a constant that
    /// nothing here decides.
    pub decoration: Option<u32>,
}

/// What an undecided value waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// Specialization constants without a value, by SpecId.
    pub spec_ids: Vec<u32>,
    /// Device constants that are not known, by result id.
    pub device_constants: Vec<u32>,
}

/// How many constants [`Constants::waits_for`] looks at: it serves messages, and a module can have any number of them.
const WAITS_LIMIT: usize = 256;

/// The state of a value that was asked for. Values without defaults are looked for first, so that no constant takes its default
/// in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// What decides it is being evaluated.
    Open,
    /// It is not known without defaults.
    UnknownUnset,
    /// It is not known.
    Unknown,
    Known(u64),
}

/// Evaluates constants when asked, each once.
pub struct Constants<'m> {
    module: &'m Module<'m>,
    known: &'m dyn Known,
    set: BTreeMap<u32, u64>,
    unset: Unset,
    /// Sorted by id.
    spec_ids: Vec<SpecId>,
    /// By id: few constants of a module decide anything.
    states: BTreeMap<u32, State>,
    defaulted: Vec<u32>,
}

impl<'m> Constants<'m> {
    /// Nothing evaluated yet. `set` are values by SpecId, which go before what is `known`.
    pub fn new(module: &'m Module<'m>, known: &'m dyn Known, set: &[(u32, u64)], unset: Unset) -> Self {
        Constants {
            module,
            known,
            set: set.iter().copied().collect(),
            unset,
            spec_ids: find_spec_ids(module),
            states: BTreeMap::new(),
            defaulted: Vec::new(),
        }
    }

    /// The constants that the host can set, by id.
    pub fn spec_ids(&self) -> &[SpecId] {
        &self.spec_ids
    }

    /// The value that was set for a SpecId or is known for it, if any, as it was given.
    pub fn given(&self, spec_id: u32) -> Option<u64> {
        self.set.get(&spec_id).copied().or_else(|| self.known.spec_constant(spec_id))
    }

    /// The value of a scalar constant, if it is known without defaults of [`Unset::Default`] that no condition asked for.
    pub fn value(&mut self, id: u32) -> Option<u64> {
        self.evaluate(id, false)
    }

    /// The value of a Boolean constant that is a condition. Here [`Unset::Default`] counts.
    pub fn condition(&mut self, id: u32) -> Option<bool> {
        let mut value = self.evaluate(id, false);
        if value.is_none() && self.unset == Unset::Default {
            value = self.evaluate(id, true);
        }
        value.map(|value| value != 0)
    }

    /// What someone else found out about a constant whose value is not known here.
    pub fn learn(&mut self, id: u32, value: u64) {
        self.states.insert(id, State::Known(value));
    }

    /// The value of a scalar constant where those that nobody set have their defaults.
    pub fn default_value(&mut self, id: u32) -> Option<u64> {
        self.evaluate(id, false).or_else(|| self.evaluate(id, true))
    }

    /// The constants that took their defaults, by id.
    pub fn defaulted(&self) -> &[u32] {
        &self.defaulted
    }

    /// What a constant of unknown value waits for. Of very large expressions only a part is looked at.
    pub fn waits_for(&self, id: u32) -> Waits {
        let mut waits = Waits::default();
        let mut seen = std::collections::BTreeSet::from([id]);
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if self.known_value(id).is_some() {
                continue;
            }
            let Some(inst) = self.module.definition(id) else { continue };
            if let Some(spec_id) = self.spec_id(id) {
                waits.spec_ids.push(spec_id.spec_id);
            } else if is_device_constant(&inst) {
                waits.device_constants.push(id);
            }
            for operand in self.operands(&inst).into_iter().flatten() {
                if seen.len() < WAITS_LIMIT && seen.insert(operand) {
                    stack.push(operand);
                }
            }
        }
        waits.spec_ids.sort_unstable();
        waits.spec_ids.dedup();
        waits.device_constants.sort_unstable();
        waits
    }

    fn spec_id(&self, id: u32) -> Option<&SpecId> {
        let at = self.spec_ids.binary_search_by_key(&id, |spec_id| spec_id.id).ok()?;
        Some(&self.spec_ids[at])
    }

    /// Evaluates with a stack of its own: expressions can be as deep as a module is long.
    fn evaluate(&mut self, id: u32, defaults: bool) -> Option<u64> {
        let pending =
            |state: Option<&State>| state.is_none_or(|state| defaults && *state == State::UnknownUnset);
        let mut stack = vec![id];
        while let Some(&id) = stack.last() {
            let state = self.states.get(&id);
            let is_open = state == Some(&State::Open);
            let inst = match self.module.definition(id) {
                Some(inst) if pending(state) || is_open => inst,
                Some(_) => {
                    stack.pop();
                    continue;
                }
                None => {
                    self.states.insert(id, State::Unknown);
                    stack.pop();
                    continue;
                }
            };
            if !is_open {
                self.states.insert(id, State::Open);
                let before = stack.len();
                let operands = self.operands(&inst).into_iter().flatten();
                stack.extend(operands.filter(|operand| pending(self.states.get(operand))));
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let value = self.compute(&inst, defaults);
            let state = match value {
                Some(value) => State::Known(value),
                None if defaults => State::Unknown,
                None => State::UnknownUnset,
            };
            self.states.insert(id, state);
        }
        self.known_value(id)
    }

    fn known_value(&self, id: u32) -> Option<u64> {
        match self.states.get(&id) {
            Some(State::Known(value)) => Some(*value),
            _ => None,
        }
    }

    /// The ids whose values decide the value of a constant.
    fn operands(&self, inst: &Instruction) -> [Option<u32>; 3] {
        let id = |at: usize| Some(inst.word(at)).filter(|&id| id != 0 && id < self.module.bound());
        match inst.op() {
            Some(Op::SpecConstantOp) if inst.word(3) == Op::CompositeExtract as u32 => {
                [self.extracted(inst), None, None]
            }
            Some(Op::SpecConstantOp) => [id(4), id(5), id(6)],
            _ => [None; 3],
        }
    }

    /// The constituent that an OpSpecConstantOp CompositeExtract names (or the null constant that it is part of).
    fn extracted(&self, inst: &Instruction) -> Option<u32> {
        let mut id = inst.word(4);
        for &index in inst.words_from(5) {
            let composite = self.module.definition(id)?;
            id = match composite.op()? {
                Op::ConstantComposite | Op::SpecConstantComposite => {
                    *composite.words_from(3).get(index as usize)?
                }
                Op::ConstantNull => return Some(id),
                _ => return None,
            };
        }
        Some(id)
    }

    fn compute(&mut self, inst: &Instruction, defaults: bool) -> Option<u64> {
        let op = inst.op()?;
        if op == Op::ConstantNull {
            return Some(0);
        }
        let scalar = Scalar::of(self.module, inst.word(1))?;
        let literal = || scalar.literal(inst.words_from(3));
        match op {
            Op::ConstantTrue => Some(1),
            Op::ConstantFalse => Some(0),
            Op::Constant => literal(),
            Op::SpecConstantTrue => self.leaf(inst.word(2), scalar, Some(1), defaults),
            Op::SpecConstantFalse => self.leaf(inst.word(2), scalar, Some(0), defaults),
            Op::SpecConstant => self.leaf(inst.word(2), scalar, literal(), defaults),
            Op::SpecConstantTargetINTEL => self.known.target(inst.word(3), inst.words_from(4)).map(u64::from),
            Op::SpecConstantArchitectureINTEL => {
                self.known.architecture(inst.word(3), inst.word(4), inst.word(5), inst.word(6)).map(u64::from)
            }
            Op::SpecConstantCapabilitiesINTEL => self.known.capabilities(inst.words_from(3)).map(u64::from),
            Op::SpecConstantOp => {
                let operands = self.operands(inst);
                let inner = Op::from_u32(inst.word(3))?;
                if inner == Op::CompositeExtract {
                    return self.known_value(operands[0]?);
                }
                let operand = |id: Option<u32>| {
                    let id = id?;
                    let scalar = Scalar::of(self.module, self.module.definition(id)?.result_type()?)?;
                    Some(Operand { scalar, value: self.known_value(id) })
                };
                fold(inner, scalar, operands.map(operand))
            }
            _ => None,
        }
    }

    /// A constant that the host may set. Without a SpecId nobody can: it has the value that it states.
    fn leaf(&mut self, id: u32, scalar: Scalar, default: Option<u64>, defaults: bool) -> Option<u64> {
        let Some(&SpecId { spec_id, decoration, .. }) = self.spec_id(id) else { return default };
        decoration?;
        match self.given(spec_id) {
            Some(value) => scalar.fit(value),
            None if defaults => {
                self.defaulted.push(id);
                default
            }
            None => None,
        }
    }
}

/// Whether an instruction is one of the three device constants.
pub fn is_device_constant(inst: &Instruction) -> bool {
    matches!(
        inst.op(),
        Some(
            Op::SpecConstantTargetINTEL
                | Op::SpecConstantArchitectureINTEL
                | Op::SpecConstantCapabilitiesINTEL
        )
    )
}

/// The constants that the host can set, by id.
pub fn find_spec_ids(module: &Module) -> Vec<SpecId> {
    let mut found = Vec::new();
    let mut groups = Vec::new();
    for inst in module.annotations() {
        if inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32 {
            found.push(SpecId { id: inst.word(1), spec_id: inst.word(3), decoration: Some(inst.offset()) });
        } else if inst.is(Op::GroupDecorate) {
            groups.push(inst);
        }
    }
    found.sort_by_key(|spec_id| spec_id.id);
    let single = found.len();
    for group in groups {
        if let Ok(at) = found[..single].binary_search_by_key(&group.word(1), |spec_id| spec_id.id) {
            let spec_id = found[at].spec_id;
            let targets = group.words_from(2).iter();
            found.extend(targets.map(|&id| SpecId { id, spec_id, decoration: None }));
        }
    }
    found.retain(|spec_id| module.definition_as(spec_id.id, Op::DecorationGroup).is_none());
    found.sort_by_key(|spec_id| spec_id.id);
    found.dedup_by_key(|spec_id| spec_id.id);
    found
}
