//! Integers with partial knowledge: some known bits, and numbers that a field of bits does not have.

use std::collections::HashMap;

use spirv::Op;

use super::solve::NodeState;
use crate::analysis::constants::folding::Scalar;
use crate::collections::sort;

/// The maximum number of excluded numbers of a value: enough for the modes of a shader.
const MAX_EXCLUDED: usize = 64;

/// Knowledge about an integer. Bits above its width are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PartialValue {
    /// The bits that are known.
    known: u64,
    /// The values of these bits; zero elsewhere.
    bits: u64,
    /// Fields that do not have a certain number: the mask of each, and the bits that are not in it all together.
    excluded: Vec<(u64, u64)>,
}

/// The partial values of a solution, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct PartialValues {
    values: Vec<PartialValue>,
    numbers: HashMap<PartialValue, u32>,
}

impl PartialValues {
    /// Returns the knowledge about a value in a state.
    pub fn value(&self, state: NodeState, scalar: Scalar) -> PartialValue {
        match state {
            NodeState::Constant(value) => PartialValue::constant(value, scalar),
            NodeState::Partial(number) => self.values[number as usize].clone(),
            NodeState::Unknown | NodeState::Overdefined => PartialValue::default(),
        }
    }

    /// Returns the state of a value of a type.
    pub fn state(&mut self, value: PartialValue, scalar: Scalar) -> NodeState {
        let value = value.simplified(scalar);
        if value.known == ones(scalar) {
            return NodeState::Constant(value.bits);
        }
        if value.known == 0 && value.excluded.is_empty() {
            return NodeState::Overdefined;
        }
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(value).or_insert_with_key(|value| {
            self.values.push(value.clone());
            next
        });
        NodeState::Partial(number)
    }

    /// Returns true if a value with a partial state may be this number.
    pub fn may_be(&self, number: u32, value: u64) -> bool {
        self.values[number as usize].may_be(value)
    }
}

impl PartialValue {
    fn constant(value: u64, scalar: Scalar) -> PartialValue {
        PartialValue { known: ones(scalar), bits: value, excluded: Vec::new() }
    }

    /// Returns the bits that are zero.
    fn zeros(&self) -> u64 {
        self.known & !self.bits
    }

    /// Returns the value, if all of its bits are known.
    fn value(&self, scalar: Scalar) -> Option<u64> {
        (self.known == ones(scalar)).then_some(self.bits)
    }

    /// Returns true if it may be this number.
    fn may_be(&self, value: u64) -> bool {
        (value ^ self.bits) & self.known == 0
            && self.excluded.iter().all(|&(mask, number)| value & mask != number)
    }

    /// Returns true if it is known that a field does not have this number.
    fn excludes(&self, mask: u64, number: u64) -> bool {
        (self.bits ^ number) & self.known & mask != 0 || self.excluded.contains(&(mask, number))
    }

    /// Returns this value, where a field does not have this number.
    pub fn without(mut self, mask: u64, number: u64) -> PartialValue {
        if number & !mask == 0 && !self.excludes(mask, number) {
            self.excluded.push((mask, number));
        }
        self
    }

    /// Joins the knowledge about two values, one of which it is.
    pub fn join(&self, other: &PartialValue) -> PartialValue {
        let known = self.known & other.known & !(self.bits ^ other.bits);
        let all = self.excluded.iter().chain(&other.excluded);
        let both =
            |&&(mask, number): &&(u64, u64)| self.excludes(mask, number) && other.excludes(mask, number);
        PartialValue { known, bits: self.bits & known, excluded: all.filter(both).copied().collect() }
    }

    /// Returns equal knowledge in which each fact occurs once, as bits where possible.
    fn simplified(mut self, scalar: Scalar) -> PartialValue {
        self.known &= ones(scalar);
        self.bits &= self.known;
        let mut facts = std::mem::take(&mut self.excluded);
        // A fact may become a bit, which decides others.
        loop {
            let before = self.known;
            facts.retain(|&(mask, number)| {
                if self.excludes(mask, number) {
                    return false;
                }
                let open = mask & !self.known;
                if open.is_power_of_two() {
                    self.known |= open;
                    self.bits |= open & !number;
                }
                !open.is_power_of_two() && open != 0
            });
            if self.known == before {
                break;
            }
        }
        sort(&mut facts);
        facts.dedup();
        facts.truncate(MAX_EXCLUDED);
        PartialValue { excluded: facts, ..self }
    }

    /// Returns the facts about fields, as a function changes them, as far as it does.
    fn facts(&self, change: impl Fn(u64, u64) -> Option<(u64, u64)>) -> Vec<(u64, u64)> {
        self.excluded.iter().filter_map(|&(mask, number)| change(mask, number)).collect()
    }

    fn and(&self, other: &PartialValue) -> PartialValue {
        let (zeros, bits) = (self.zeros() | other.zeros(), self.bits & other.bits);
        let kept =
            |by: &PartialValue, mask: u64, number: u64| (mask & !by.bits == 0).then_some((mask, number));
        let mut excluded = self.facts(|mask, number| kept(other, mask, number));
        excluded.extend(other.facts(|mask, number| kept(self, mask, number)));
        PartialValue { known: zeros | bits, bits, excluded }
    }

    fn not(&self, scalar: Scalar) -> PartialValue {
        let bits = self.known & !self.bits & ones(scalar);
        PartialValue {
            bits,
            known: self.known,
            excluded: self.facts(|mask, number| Some((mask, number ^ mask))),
        }
    }

    fn or(&self, other: &PartialValue, scalar: Scalar) -> PartialValue {
        self.not(scalar).and(&other.not(scalar)).not(scalar)
    }

    fn xor(&self, other: &PartialValue) -> PartialValue {
        let known = self.known & other.known;
        let changed = |by: &PartialValue, mask: u64, number: u64| {
            (mask & !by.known == 0).then_some((mask, number ^ by.bits & mask))
        };
        let mut excluded = self.facts(|mask, number| changed(other, mask, number));
        excluded.extend(other.facts(|mask, number| changed(self, mask, number)));
        PartialValue { known, bits: (self.bits ^ other.bits) & known, excluded }
    }

    /// Shifts to the left, with zeros from the right. Bits beyond the width are lost.
    fn shifted_left(&self, by: u64, scalar: Scalar) -> PartialValue {
        let all = ones(scalar);
        let fits = |mask: u64| (mask << by & all) >> by == mask;
        PartialValue {
            known: (self.known << by | ((1 << by) - 1)) & all,
            bits: self.bits << by & all,
            excluded: self.facts(|mask, number| fits(mask).then_some((mask << by, number << by))),
        }
    }

    /// Shifts to the right, with zeros from the left, or copies of the sign.
    fn shifted_right(&self, by: u64, scalar: Scalar, signed: bool) -> PartialValue {
        let all = ones(scalar);
        let sign = 1 << (scalar.width() - 1);
        let new = all & !(all >> by);
        let (known, bits) = match signed {
            false => (new, 0),
            true if self.known & sign == 0 => (0, 0),
            true => (new, if self.bits & sign == 0 { 0 } else { new }),
        };
        PartialValue {
            known: self.known >> by | known,
            bits: self.bits >> by | bits,
            excluded: self.facts(|mask, number| {
                (mask >> by << by == mask && (!signed || mask & sign == 0))
                    .then_some((mask >> by, number >> by))
            }),
        }
    }

    /// Returns the low bits, as an integer of another width: with zeros above them, or with copies of the sign.
    fn converted(&self, from: Scalar, to: Scalar, signed: bool) -> PartialValue {
        let above = ones(to) & !ones(from);
        let sign = 1 << (from.width() - 1);
        let (known, bits) = match signed {
            false => (above, 0),
            true if self.known & sign == 0 => (0, 0),
            true => (above, if self.bits & sign == 0 { 0 } else { above }),
        };
        let all = ones(to);
        PartialValue {
            known: self.known & all | known,
            bits: self.bits & all | bits,
            excluded: self.facts(|mask, number| (mask & !all == 0).then_some((mask, number))),
        }
    }

    /// Returns the sum, as far as carries are known: that of numbers without a common bit, or its low bits.
    fn sum(&self, other: &PartialValue, scalar: Scalar) -> PartialValue {
        if (self.zeros() | other.zeros()) & ones(scalar) == ones(scalar) {
            return self.or(other, scalar);
        }
        let low = (self.known & other.known).trailing_ones();
        let known = 1_u64.checked_shl(low).map_or(u64::MAX, |bit| bit - 1);
        PartialValue { known, bits: self.bits.wrapping_add(other.bits) & known, excluded: Vec::new() }
    }

    /// Returns the least and the greatest number that it may be.
    fn range(&self, scalar: Scalar) -> (u64, u64) {
        let greatest = self.bits | ones(scalar) & !self.known;
        let least = self.bits + u64::from(!self.may_be(self.bits) && self.bits < greatest);
        (least, greatest - u64::from(!self.may_be(greatest) && least < greatest))
    }
}

/// Returns the result of an operation on integers with known parts, each with its type, if it is an operation on their
/// bits.
pub(super) fn apply(op: Op, result: Scalar, operands: &[(PartialValue, Scalar)]) -> Option<PartialValue> {
    let is_integer = |scalar: Scalar| matches!(scalar, Scalar::Int { .. });
    if !operands.iter().all(|&(_, scalar)| is_integer(scalar)) {
        return None;
    }
    match operands {
        [(a, from)] if is_integer(result) => match op {
            Op::Not => Some(a.not(result)),
            Op::UConvert => Some(a.converted(*from, result, false)),
            Op::SConvert => Some(a.converted(*from, result, true)),
            Op::Bitcast if from.width() == result.width() => Some(a.clone()),
            _ => None,
        },
        [(a, _), (b, from)] if is_integer(result) => of_two(op, result, a, b, *from),
        [(a, from), (b, _)] => {
            let holds = compare(op, *from, a, b)?;
            Some(PartialValue::constant(holds.into(), result))
        }
        [(base, _), offset, count] if op == Op::BitFieldUExtract => {
            let (offset, field) = field(result, offset, count)?;
            Some(base.shifted_right(offset, result, false).and(&PartialValue::constant(field, result)))
        }
        [(base, _), (insert, _), offset, count] if op == Op::BitFieldInsert => {
            let (offset, field) = field(result, offset, count)?;
            let mask = PartialValue::constant(field << offset, result);
            let (rest, new) = (base.and(&mask.not(result)), insert.shifted_left(offset, result).and(&mask));
            Some(rest.or(&new, result))
        }
        _ => None,
    }
}

/// Returns the result of an operation on two integers; the amount of a shift has a type of its own.
fn of_two(op: Op, scalar: Scalar, a: &PartialValue, b: &PartialValue, from: Scalar) -> Option<PartialValue> {
    let shift = || b.value(from).filter(|&by| by < scalar.width().into());
    let power = |value: &PartialValue| {
        let value = value.value(scalar).filter(|value| value.is_power_of_two())?;
        Some(u64::from(value.trailing_zeros()))
    };
    match op {
        Op::BitwiseAnd => Some(a.and(b)),
        Op::BitwiseOr => Some(a.or(b, scalar)),
        Op::BitwiseXor => Some(a.xor(b)),
        Op::ShiftLeftLogical => Some(a.shifted_left(shift()?, scalar)),
        Op::ShiftRightLogical => Some(a.shifted_right(shift()?, scalar, false)),
        Op::ShiftRightArithmetic => Some(a.shifted_right(shift()?, scalar, true)),
        Op::IAdd => Some(a.sum(b, scalar)),
        Op::IMul => match (power(a), power(b)) {
            (_, Some(by)) => Some(a.shifted_left(by, scalar)),
            (Some(by), None) => Some(b.shifted_left(by, scalar)),
            (None, None) => None,
        },
        Op::UDiv => Some(a.shifted_right(power(b)?, scalar, false)),
        Op::UMod => Some(a.and(&PartialValue::constant((1 << power(b)?) - 1, scalar))),
        _ => None,
    }
}

/// Returns the outcome of a comparison, if it is the same for all values that the operands may have.
fn compare(op: Op, scalar: Scalar, a: &PartialValue, b: &PartialValue) -> Option<bool> {
    let sign = 1 << (scalar.width() - 1);
    // Numbers with the same sign compare like their bits.
    let same_sign = || a.known & b.known & sign != 0 && (a.bits ^ b.bits) & sign == 0;
    let less = |a: &PartialValue, b: &PartialValue, or_equal: bool| {
        let ((low_a, high_a), (low_b, high_b)) = (a.range(scalar), b.range(scalar));
        let (always, never) = match or_equal {
            true => (high_a <= low_b, low_a > high_b),
            false => (high_a < low_b, low_a >= high_b),
        };
        (always || never).then_some(always)
    };
    match op {
        Op::IEqual | Op::INotEqual => {
            let differs = |one: &PartialValue, other: &PartialValue| {
                one.excluded
                    .iter()
                    .any(|&(mask, number)| mask & !other.known == 0 && other.bits & mask == number)
            };
            let different = (a.bits ^ b.bits) & a.known & b.known != 0 || differs(a, b) || differs(b, a);
            different.then_some(op == Op::INotEqual)
        }
        Op::ULessThan => less(a, b, false),
        Op::ULessThanEqual => less(a, b, true),
        Op::UGreaterThan => less(b, a, false),
        Op::UGreaterThanEqual => less(b, a, true),
        Op::SLessThan if same_sign() => less(a, b, false),
        Op::SLessThanEqual if same_sign() => less(a, b, true),
        Op::SGreaterThan if same_sign() => less(b, a, false),
        Op::SGreaterThanEqual if same_sign() => less(b, a, true),
        _ => None,
    }
}

/// Returns the first bit of a field, and the mask of its width; `None` if they are not known or leave the value.
fn field(
    scalar: Scalar,
    offset: &(PartialValue, Scalar),
    count: &(PartialValue, Scalar),
) -> Option<(u64, u64)> {
    let (offset, count) = (offset.0.value(offset.1)?, count.0.value(count.1)?);
    let fits = count > 0 && offset.checked_add(count).is_some_and(|end| end <= scalar.width().into());
    fits.then(|| (offset, u64::MAX >> (64 - count)))
}

/// Returns all bits of a type.
fn ones(scalar: Scalar) -> u64 {
    scalar.mask(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::constants::folding::fold_any;

    const BYTE: Scalar = Scalar::Int { width: 8, signed: false };
    const SIGNED: Scalar = Scalar::Int { width: 8, signed: true };
    const SHORT: Scalar = Scalar::Int { width: 16, signed: false };

    /// Operations, the type of the result, and the number of operands.
    const OPERATIONS: [(Op, Scalar, usize); 27] = [
        (Op::Not, BYTE, 1),
        (Op::UConvert, SHORT, 1),
        (Op::SConvert, SHORT, 1),
        (Op::Bitcast, SIGNED, 1),
        (Op::BitwiseAnd, BYTE, 2),
        (Op::BitwiseOr, BYTE, 2),
        (Op::BitwiseXor, BYTE, 2),
        (Op::ShiftLeftLogical, BYTE, 2),
        (Op::ShiftRightLogical, BYTE, 2),
        (Op::ShiftRightArithmetic, BYTE, 2),
        (Op::IAdd, BYTE, 2),
        (Op::IMul, BYTE, 2),
        (Op::UDiv, BYTE, 2),
        (Op::UMod, BYTE, 2),
        (Op::IEqual, Scalar::Bool, 2),
        (Op::INotEqual, Scalar::Bool, 2),
        (Op::ULessThan, Scalar::Bool, 2),
        (Op::ULessThanEqual, Scalar::Bool, 2),
        (Op::UGreaterThan, Scalar::Bool, 2),
        (Op::UGreaterThanEqual, Scalar::Bool, 2),
        (Op::SLessThan, Scalar::Bool, 2),
        (Op::SLessThanEqual, Scalar::Bool, 2),
        (Op::SGreaterThan, Scalar::Bool, 2),
        (Op::SGreaterThanEqual, Scalar::Bool, 2),
        (Op::BitFieldUExtract, BYTE, 3),
        (Op::BitFieldInsert, BYTE, 4),
        (Op::ISub, BYTE, 2),
    ];

    /// Returns values that stand for one number at least.
    fn partial() -> impl Strategy<Value = PartialValue> {
        let facts = vec((any::<u8>(), any::<u8>()), 0..4);
        let value = (any::<u8>(), any::<u8>(), facts).prop_map(|(known, bits, facts)| {
            let value =
                PartialValue { known: known.into(), bits: (bits & known).into(), excluded: Vec::new() };
            let number = |(mask, number): (u8, u8)| (u64::from(mask), u64::from(number & mask));
            facts.into_iter().map(number).fold(value, |value, (mask, number)| value.without(mask, number))
        });
        let small = (0..9_u64).prop_map(|number| PartialValue::constant(number, BYTE));
        prop_oneof![value, small].prop_filter("no number", |value| !numbers(value).is_empty())
    }

    /// Returns the numbers that a value may be.
    fn numbers(value: &PartialValue) -> Vec<u64> {
        (0..256).filter(|&number| value.may_be(number)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

        /// Checks that the result of an operation on possible numbers of its operands is a possible number of the
        /// result.
        #[test]
        fn results_have_all_numbers(at in 0..OPERATIONS.len(), operands in vec(partial(), 4), choice in any::<[u8; 16]>()) {
            let (op, result, count) = OPERATIONS[at];
            let typed: Vec<(PartialValue, Scalar)> =
                operands[..count].iter().map(|value| (value.clone(), BYTE)).collect();
            let Some(computed) = apply(op, result, &typed) else { return Ok(()) };
            let computed = computed.simplified(result);
            let all: Vec<Vec<u64>> = operands.iter().map(numbers).collect();
            let value = |at: usize, by: u8| all[at][usize::from(by) % all[at].len()];
            let mut each: Vec<Vec<u64>> =
                choice.chunks_exact(4).map(|by| (0..count).map(|at| value(at, by[at])).collect()).collect();
            if count < 3 {
                let second = if count == 2 { all[1].clone() } else { vec![0] };
                let pairs = all[0].iter().flat_map(|&a| second.iter().map(move |&b| vec![a, b]));
                each.extend(pairs.map(|pair| pair[..count].to_vec()));
            }
            for values in each {
                let known: Vec<Option<u64>> = values.iter().copied().map(Some).collect();
                if let Some(expected) = fold_any(op, result, BYTE, &known) {
                    prop_assert!(computed.may_be(expected), "{op:?} {values:?} is {expected}, not in {computed:?}");
                }
            }
        }

        /// Checks that joined knowledge has the numbers of both values, and that the simplified form has the same
        /// numbers.
        #[test]
        fn joined_values_have_the_numbers_of_both(one in partial(), other in partial()) {
            let joined = one.join(&other).simplified(BYTE);
            for number in numbers(&one).into_iter().chain(numbers(&other)) {
                prop_assert!(joined.may_be(number), "{number} is not in {joined:?}");
            }
            prop_assert_eq!(numbers(&one.clone().simplified(BYTE)), numbers(&one));
        }
    }

    /// Checks that bits of flags and values of fields decide values computed from them.
    #[test]
    fn bits_and_fields_are_known() {
        let flags = PartialValue { known: 0b1000, bits: 0b1000, excluded: Vec::new() };
        let constant = |number: u64| (PartialValue::constant(number, BYTE), BYTE);
        let shifted = apply(Op::ShiftRightLogical, BYTE, &[(flags.clone(), BYTE), constant(3)]).unwrap();
        let bit = apply(Op::BitwiseAnd, BYTE, &[(shifted, BYTE), constant(1)]).unwrap();
        assert_eq!(bit.value(BYTE), Some(1));
        let mode = PartialValue::default().without(0x30, 0x20);
        let field = apply(Op::BitwiseAnd, BYTE, &[(mode, BYTE), constant(0x70)]).unwrap();
        let field = apply(Op::ShiftRightLogical, BYTE, &[(field, BYTE), constant(4)]).unwrap();
        assert!(field.may_be(3) && !field.may_be(2));
        let all = PartialValue::default().without(0xff, 0);
        let positive = apply(Op::UGreaterThan, Scalar::Bool, &[(all, BYTE), constant(0)]).unwrap();
        assert_eq!(positive.value(Scalar::Bool), Some(1));
        let both = flags.without(3, 0).join(&PartialValue::constant(9, BYTE));
        assert_eq!(
            numbers(&both.simplified(BYTE)),
            (0..256).filter(|n| n & 8 != 0 && n & 3 != 0).collect::<Vec<u64>>()
        );
    }
}
