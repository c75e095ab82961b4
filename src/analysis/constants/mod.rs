//! Values of constants, including specialization constants, as far as they are known.

mod composites;
mod float_formats;
pub mod folding;
mod spec_value;
pub mod store_forwarding;
mod vector;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use spirv::Op;

use crate::collections::{IdMap, sort_by_key};
use crate::loader::{Instruction, Module, views};
pub use composites::ConstantValue;
use folding::{Operand, Scalar, fold_constant};
pub use spec_value::SpecValue;
pub(crate) use vector::Vector;

/// The known facts of the device, and the values that the host sets. `None` always means: not known yet.
pub trait KnownValues {
    /// Returns the value of the specialization constant with this SpecId: its bits, the lowest first; a Boolean is 0 or 1.
    fn spec_constant(&self, spec_id: u32) -> Option<u64>;
    /// Returns true if the device is this target and has these features (OpSpecConstantTargetINTEL).
    fn target(&self, target: u32, features: &[u32]) -> Option<bool>;
    /// Returns true if the device is of this category and family, and the comparison with its architecture holds
    /// (OpSpecConstantArchitectureINTEL).
    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool>;
    /// Returns true if the device supports all these capabilities (OpSpecConstantCapabilitiesINTEL).
    fn capabilities(&self, capabilities: &[u32]) -> Option<bool>;
    /// Returns true if the specialization constant with this SpecId exists for conditions alone: without a use it is nothing to the host.
    fn is_for_conditions(&self, _spec_id: u32) -> bool {
        false
    }
}

/// An unknown device, and a host that sets nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl KnownValues for Nothing {
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

/// The values that are given for specialization constants.
#[derive(Clone, Debug, Default)]
pub struct SetValues {
    /// The values by SpecId.
    of_spec_ids: NumberedValues,
    /// The values by constant, where constants with the same SpecId have different values.
    of_constants: NumberedValues,
    /// New defaults by constant.
    defaults: NumberedValues,
    /// The SpecIds of constants that stay specialization constants, even if their values are known.
    kept: BTreeSet<u32>,
    /// The SpecIds of constants that undecided conditions give their values.
    bound: BTreeSet<u32>,
}

/// Values by number, in order.
#[derive(Clone, Debug, Default)]
struct NumberedValues(Vec<(u32, u64)>);

impl NumberedValues {
    fn place(&self, number: u32) -> Result<usize, usize> {
        match self.0.last() {
            Some(&(last, _)) if last >= number => self.0.binary_search_by_key(&number, |&(key, _)| key),
            _ => Err(self.0.len()),
        }
    }

    fn get(&self, number: u32) -> Option<u64> {
        self.place(number).ok().map(|at| self.0[at].1)
    }

    fn insert(&mut self, number: u32, value: u64) {
        match self.place(number) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (number, value)),
        }
    }

    fn remove(&mut self, number: u32) {
        if let Ok(at) = self.place(number) {
            self.0.remove(at);
        }
    }
}

impl SetValues {
    /// Creates an empty set, with room for some values.
    pub fn with_room(count: usize) -> SetValues {
        SetValues { of_spec_ids: NumberedValues(Vec::with_capacity(count)), ..SetValues::default() }
    }

    /// Gives a value to all constants with a SpecId.
    pub fn set(&mut self, spec_id: u32, value: u64) {
        self.of_spec_ids.insert(spec_id, value);
    }

    /// Gives a value to one constant.
    pub fn set_constant(&mut self, constant: &SpecConstantDecl, value: u64) {
        self.kept.remove(&constant.spec_id);
        match self.of_spec_ids.get(constant.spec_id) {
            Some(other) if other != value => self.of_constants.insert(constant.id, value),
            Some(_) => self.of_constants.remove(constant.id),
            None => {
                self.of_constants.remove(constant.id);
                self.of_spec_ids.insert(constant.spec_id, value);
            }
        }
    }

    /// Gives a constant a new default, and keeps it a specialization constant.
    pub fn set_default(&mut self, constant: &SpecConstantDecl, value: u64) {
        self.defaults.insert(constant.id, value);
        self.keep(constant.spec_id);
    }

    /// Keeps the constants with a SpecId specialization constants.
    pub fn keep(&mut self, spec_id: u32) {
        self.of_spec_ids.remove(spec_id);
        self.kept.insert(spec_id);
    }

    /// Leaves the constants with a SpecId to a condition that is not decided.
    pub fn bind(&mut self, spec_id: u32) {
        self.bound.insert(spec_id);
    }

    /// Returns true if the treatment of the constants with a SpecId is given.
    pub fn mentions(&self, spec_id: u32) -> bool {
        self.of_spec_ids.get(spec_id).is_some() || self.kept.contains(&spec_id)
    }

    /// Returns the SpecIds that have values, in order.
    pub fn spec_ids(&self) -> impl Iterator<Item = u32> {
        self.of_spec_ids.0.iter().map(|&(spec_id, _)| spec_id)
    }

    /// Returns true if the treatment of no constant is given.
    pub fn is_empty(&self) -> bool {
        self.of_spec_ids.0.is_empty() && self.kept.is_empty()
    }

    /// Returns the value of the constants with a SpecId, as it was given.
    pub fn value_of_spec_id(&self, spec_id: u32) -> Option<u64> {
        self.of_spec_ids.get(spec_id)
    }

    /// Returns the value of a constant, as it was given.
    pub fn value(&self, constant: &SpecConstantDecl) -> Option<u64> {
        self.of_constants.get(constant.id).or_else(|| self.of_spec_ids.get(constant.spec_id))
    }
}

impl<V: AsRef<[(u32, u64)]> + ?Sized> From<&V> for SetValues {
    fn from(values: &V) -> SetValues {
        let mut set = SetValues::default();
        values.as_ref().iter().for_each(|&(spec_id, value)| set.set(spec_id, value));
        set
    }
}

/// The declaration of a constant that the host can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecConstantDecl {
    /// The constant.
    pub id: u32,
    /// The number by which the host knows it.
    pub spec_id: u32,
    /// The offset of its OpDecorate, in words; `None` if it comes from a decoration group.
    pub decoration: Option<u32>,
}

/// The specialization constants and device constants that a value depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConstantInputs {
    /// Specialization constants, by SpecId.
    pub spec_ids: Vec<u32>,
    /// Device constants, by result id.
    pub device_constants: Vec<u32>,
}

/// The maximum number of constants that [`Constants::inputs`] visits: it serves messages, and a module can have any number of constants.
const INPUTS_LIMIT: usize = 256;

/// The state of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvaluationState {
    /// The operands are being evaluated.
    Open,
    /// The value is unknown, or a composite.
    Unknown,
    Known(u64),
}

/// The values of constants, each computed once when it is first requested.
pub struct Constants<'m> {
    module: &'m Module<'m>,
    known: &'m dyn KnownValues,
    set: SetValues,
    /// Sorted by id.
    spec_constants: Cow<'m, [SpecConstantDecl]>,
    /// The states of the requested constants, and of those that they depend on.
    states: Vec<EvaluationState>,
    /// The number of each id's state plus 1, or 0. Empty before the first request.
    numbers: Vec<u32>,
    /// The known values of operations whose results are composites, by id.
    computed: IdMap<ConstantValue>,
    /// The number of parts that further ones may have: a module of a few words may have inserts into arrays of 2^16 elements.
    parts_left: usize,
    /// The constants under evaluation: empty between calls.
    stack: Vec<u32>,
}

impl<'m> Constants<'m> {
    /// Starts without values. Those of `set` take precedence over `known`.
    pub fn new(module: &'m Module<'m>, known: &'m dyn KnownValues, set: impl Into<SetValues>) -> Self {
        Constants::with(module, known, set.into(), find_spec_constants(module).into())
    }

    /// Like [`Constants::new`], but every constant of a module has its default.
    pub fn defaults(module: &'m Module<'m>) -> Self {
        Constants::new(module, &Nothing, &[]).by_default()
    }

    /// Like [`Constants::new`], but takes the constants that the host can set, by id.
    pub fn with(
        module: &'m Module<'m>,
        known: &'m dyn KnownValues,
        set: SetValues,
        spec_constants: Cow<'m, [SpecConstantDecl]>,
    ) -> Self {
        let (states, numbers, computed, stack) = (Vec::new(), Vec::new(), IdMap::new(), Vec::new());
        let parts_left = module.words().len().saturating_add(1 << 16);
        Constants { module, known, set, spec_constants, states, numbers, computed, parts_left, stack }
    }

    /// Returns the constants that the host can set, by id.
    pub fn spec_constants(&self) -> &[SpecConstantDecl] {
        &self.spec_constants
    }

    /// Returns the value that is set or known for a constant, if any, as it was given.
    pub fn set_or_known(&self, constant: &SpecConstantDecl) -> Option<u64> {
        match self.set.kept.contains(&constant.spec_id) {
            true => None,
            false => self.set.value(constant).or_else(|| self.known.spec_constant(constant.spec_id)),
        }
    }

    /// Returns true if the host may set a constant, even if the module does not use it.
    pub fn is_of_host(&self, constant: &SpecConstantDecl) -> bool {
        let spec_id = constant.spec_id;
        let is_for_conditions = self.known.is_for_conditions(spec_id) || self.set.bound.contains(&spec_id);
        !is_for_conditions || self.set.kept.contains(&spec_id)
    }

    /// Returns true if constants have new defaults.
    pub fn has_new_defaults(&self) -> bool {
        !self.set.defaults.0.is_empty()
    }

    /// Returns the new default of a constant.
    pub fn new_default(&self, id: u32) -> Option<u64> {
        self.set.defaults.get(id)
    }

    /// Sets every constant that has no value to its default, unless it is kept. Returns their SpecIds, in order.
    pub fn set_defaults(&mut self) -> Vec<u32> {
        let mut defaulted = Vec::new();
        for at in 0..self.spec_constants.len() {
            let constant = self.spec_constants[at];
            let is_open =
                !self.set.kept.contains(&constant.spec_id) && self.set_or_known(&constant).is_none();
            let default = is_open.then(|| self.default_of(constant.id)).flatten();
            if let Some(value) = default {
                // Constants with the same SpecId may have different defaults.
                self.set.of_constants.insert(constant.id, value);
                defaulted.push(constant.spec_id);
            }
        }
        defaulted.sort_unstable();
        defaulted.dedup();
        defaulted
    }

    /// Returns the default of a specialization constant.
    fn default_of(&self, id: u32) -> Option<u64> {
        let inst = self.module.definition(id)?;
        match inst.op()? {
            Op::SpecConstantTrue => Some(1),
            Op::SpecConstantFalse => Some(0),
            _ => {
                let constant = views::Value(inst);
                Scalar::from_type(self.module, constant.type_id())?.literal(constant.operands())
            }
        }
    }

    /// Returns a copy in which kept constants, and constants without a value, have their defaults.
    pub fn by_default(&self) -> Constants<'m> {
        let mut set = self.set.clone();
        set.kept.clear();
        self.set.defaults.0.iter().for_each(|&(id, value)| set.of_constants.insert(id, value));
        let mut constants = Constants::with(self.module, self.known, set, self.spec_constants.clone());
        constants.set_defaults();
        constants
    }

    /// Returns a copy in which constants with a new default have it as their value.
    pub fn with_new_defaults(&self) -> Constants<'m> {
        let mut set = self.set.clone();
        for constant in self.spec_constants.iter() {
            if let Some(value) = self.set.defaults.get(constant.id) {
                set.kept.remove(&constant.spec_id);
                set.of_constants.insert(constant.id, value);
            }
        }
        Constants::with(self.module, self.known, set, self.spec_constants.clone())
    }

    /// Returns the SpecIds that are set.
    pub fn set_spec_ids(&self) -> impl Iterator<Item = u32> {
        self.set.spec_ids()
    }

    /// Returns the value of a scalar constant, if it is known.
    pub fn value(&mut self, id: u32) -> Option<u64> {
        self.evaluate(id);
        self.known_value(id)
    }

    /// Returns the value of a Boolean constant that is a condition, if it is known.
    pub fn condition(&mut self, id: u32) -> Option<bool> {
        self.value(id).map(|value| value != 0)
    }

    /// Returns the value of a constant that an operation computes, if it is a composite, is known, and can be spelled.
    pub fn composite(&mut self, id: u32) -> Option<ConstantValue> {
        self.evaluate(id);
        self.computed.contains_key(&id).then(|| self.spelled(id)).flatten()
    }

    /// Returns the unknown constants that the value of a constant depends on. Of very large expressions only a part is visited.
    pub fn unknown_inputs(&self, id: u32) -> ConstantInputs {
        self.inputs_where(id, &|id| self.known_value(id).is_none())
    }

    /// Like [`Constants::unknown_inputs`], but returns all constants that the value depends on.
    pub fn inputs(&self, id: u32) -> ConstantInputs {
        self.inputs_where(id, &|_| true)
    }

    fn inputs_where(&self, id: u32, counts: &dyn Fn(u32) -> bool) -> ConstantInputs {
        let mut inputs = ConstantInputs::default();
        let mut seen = std::collections::BTreeSet::from([id]);
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let Some(inst) = self.module.definition(id).filter(|_| counts(id)) else { continue };
            if let Some(constant) = self.spec_constant(id) {
                inputs.spec_ids.push(constant.spec_id);
            } else if inst.is_device_constant() {
                inputs.device_constants.push(id);
            }
            for operand in self.operands(&inst) {
                if seen.len() < INPUTS_LIMIT && seen.insert(operand) {
                    stack.push(operand);
                }
            }
        }
        inputs.spec_ids.sort_unstable();
        inputs.spec_ids.dedup();
        inputs.device_constants.sort_unstable();
        inputs
    }

    fn spec_constant(&self, id: u32) -> Option<&SpecConstantDecl> {
        let at = self.spec_constants.binary_search_by_key(&id, |constant| constant.id).ok()?;
        Some(&self.spec_constants[at])
    }

    /// Evaluates with an explicit stack: expressions can be as deep as a module is long.
    fn evaluate(&mut self, id: u32) {
        if self.state(id).is_some() {
            return;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(id);
        while let Some(&id) = stack.last() {
            let state = self.state(id);
            let is_open = state == Some(EvaluationState::Open);
            let inst = match self.module.definition(id) {
                Some(inst) if state.is_none() || is_open => inst,
                Some(_) => {
                    stack.pop();
                    continue;
                }
                None => {
                    self.set_state(id, EvaluationState::Unknown);
                    stack.pop();
                    continue;
                }
            };
            if !is_open {
                self.set_state(id, EvaluationState::Open);
                let before = stack.len();
                stack.extend(self.operands(&inst).filter(|&operand| self.state(operand).is_none()));
                if stack.len() > before {
                    continue;
                }
            }
            stack.pop();
            let state = self.compute(&inst).map_or(EvaluationState::Unknown, EvaluationState::Known);
            self.set_state(id, state);
        }
        self.stack = stack;
    }

    fn known_value(&self, id: u32) -> Option<u64> {
        match self.state(id) {
            Some(EvaluationState::Known(value)) => Some(value),
            _ => None,
        }
    }

    fn state(&self, id: u32) -> Option<EvaluationState> {
        let number = self.numbers.get(id as usize)?.checked_sub(1)?;
        Some(self.states[number as usize])
    }

    fn set_state(&mut self, id: u32, state: EvaluationState) {
        if self.numbers.is_empty() {
            self.numbers = self.module.table_by_id();
        }
        let Some(number) = self.numbers.get_mut(id as usize) else { return };
        match number.checked_sub(1) {
            Some(known) => self.states[known as usize] = state,
            None => {
                self.states.push(state);
                *number = self.states.len() as u32;
            }
        }
    }

    /// Returns the ids from which the value of a constant is computed.
    fn operands<'i>(&self, inst: &Instruction<'i>) -> impl Iterator<Item = u32> + use<'i> {
        let (of_operation, constituents) = match views::SpecConstantOp::new(*inst) {
            Some(operation) => (self.inputs_of_operation(operation), &[][..]),
            None if inst.is_composite_constant() => ([None; 3], views::Value(*inst).operands()),
            None => ([None; 3], &[][..]),
        };
        of_operation.into_iter().flatten().chain(constituents.iter().copied())
    }

    fn compute(&mut self, inst: &Instruction) -> Option<u64> {
        let op = inst.op()?;
        // Any value will do for an undefined one.
        if matches!(op, Op::ConstantNull | Op::Undef) {
            return Some(0);
        }
        let constant = views::Value(*inst);
        let Some(scalar) = Scalar::from_type(self.module, constant.type_id()) else {
            let value = self.composed(views::SpecConstantOp::new(*inst)?)?;
            // A chain of choices has one link.
            let value = match value {
                ConstantValue::Same(id) => match self.computed.get(&id) {
                    Some(&ConstantValue::Same(other)) => ConstantValue::Same(other),
                    _ => value,
                },
                value => value,
            };
            self.parts_left = self.parts_left.saturating_sub(value.count_parts());
            self.computed.insert(constant.id(), value);
            return None;
        };
        let literal = || scalar.literal(constant.operands());
        match op {
            Op::ConstantTrue => Some(1),
            Op::ConstantFalse => Some(0),
            Op::Constant => literal(),
            Op::SpecConstantTrue => self.leaf(constant.id(), scalar, Some(1)),
            Op::SpecConstantFalse => self.leaf(constant.id(), scalar, Some(0)),
            Op::SpecConstant => self.leaf(constant.id(), scalar, literal()),
            _ if inst.is_device_constant() => device_constant(inst, self.known).map(u64::from),
            Op::SpecConstantOp => {
                let operation = views::SpecConstantOp(*inst);
                let inner = operation.operation()?;
                let operand = |id: Option<u32>| {
                    let id = id?;
                    let scalar = Scalar::from_type(self.module, self.module.type_of(id)?)?;
                    Some(Operand { scalar, value: self.known_value(id) })
                };
                let operands = self.inputs_of_operation(operation).map(operand);
                match operands[0] {
                    Some(_) if inner != Op::CompositeExtract => fold_constant(inner, scalar, operands),
                    _ => self.composed(operation).and_then(|value| self.scalar(&value)),
                }
            }
            _ => None,
        }
    }

    /// Returns the value of a constant that the host may set. Without a SpecId it cannot: then the constant has its default.
    fn leaf(&self, id: u32, scalar: Scalar, default: Option<u64>) -> Option<u64> {
        let Some(constant) = self.spec_constant(id) else { return default };
        self.set_or_known(constant).and_then(|value| scalar.fit(value))
    }
}

/// Returns true for an OpConstantComposite of constants that are open: compilers wrote it in place of OpSpecConstantComposite.
pub fn has_open_part(module: &Module, inst: &Instruction, is_open: impl Fn(u32) -> bool) -> bool {
    let is_any_open = |ids: &[u32]| ids.iter().any(|&id| is_open(id));
    (inst.is(Op::ConstantComposite) || inst.is(Op::ConstantCompositeReplicateEXT))
        && (is_any_open(views::Value(*inst).operands())
            || module.continuations(inst).any(|continuation| is_any_open(continuation.words_from(1))))
}

/// Returns the value of one of the three device constants, if it is known.
pub fn device_constant(inst: &Instruction, known: &dyn KnownValues) -> Option<bool> {
    match inst.op()? {
        Op::SpecConstantTargetINTEL => {
            let target = views::SpecConstantTargetINTEL(*inst);
            known.target(target.target(), target.features())
        }
        Op::SpecConstantArchitectureINTEL => {
            let is = views::SpecConstantArchitectureINTEL(*inst);
            known.architecture(is.category(), is.family(), is.operation_number(), is.architecture())
        }
        Op::SpecConstantCapabilitiesINTEL => {
            known.capabilities(views::SpecConstantCapabilitiesINTEL(*inst).capabilities())
        }
        _ => None,
    }
}

/// Sorts by SpecId, those with the same by id.
pub fn sort_by_spec_id(constants: &mut [SpecConstantDecl]) {
    sort_by_key(constants, |constant| u64::from(constant.spec_id) << 32 | u64::from(constant.id));
}

/// Returns the constants that the host can set, by id, including constants with a SpecId from a decoration group.
pub fn find_spec_constants(module: &Module) -> Vec<SpecConstantDecl> {
    let direct = module.spec_ids().map(|decorated| SpecConstantDecl {
        id: decorated.id(),
        spec_id: decorated.spec_id(),
        decoration: Some(decorated.offset()),
    });
    let is_group = |decl: &SpecConstantDecl| module.definition_as(decl.id, Op::DecorationGroup).is_some();
    let (groups, mut constants): (Vec<SpecConstantDecl>, Vec<SpecConstantDecl>) = direct.partition(is_group);
    if !groups.is_empty() {
        let groups: HashMap<u32, u32> = groups.iter().map(|group| (group.id, group.spec_id)).collect();
        for applied in module.group_decorations() {
            if let Some(&spec_id) = groups.get(&applied.group()) {
                constants.extend(applied.targets().map(|id| SpecConstantDecl {
                    id,
                    spec_id,
                    decoration: None,
                }));
            }
        }
    }
    sort_by_key(&mut constants, |constant| constant.id);
    constants.dedup_by_key(|constant| constant.id);
    // They are kept as long as the module.
    constants.shrink_to_fit();
    constants
}
