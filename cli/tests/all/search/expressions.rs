//! Random expressions, without undefined behaviour: divisors are not zero, shifts and indices are masked. Numbers in floating point are halves so
//! small that every operation is exact, in any order.

use super::values::{Type, literal, value};
use crate::random::Random;

/// The leaves of expressions.
#[derive(Default)]
pub struct Names {
    /// Variables that can be read.
    pub read: Vec<(Type, String)>,
    /// Constants, whose values are the same in all invocations: some of each type of 32 bits.
    pub constants: Vec<(Type, String)>,
    /// Arrays of `uint`, with their lengths.
    pub arrays: Vec<(String, String)>,
}

impl Names {
    fn leaf(&self, random: &mut Random, of: Type, only_constants: bool) -> String {
        if of == Type::Uint && !only_constants && random.chance(25) {
            return format!("data[{} & 63u]", self.leaf(random, Type::Uint, false));
        }
        let constants = only_constants || random.chance(35);
        let read = if constants { &[][..] } else { &self.read };
        let fitting = |names: &[(Type, String)]| -> Vec<String> {
            names.iter().filter(|(type_, _)| *type_ == of).map(|(_, name)| name.clone()).collect()
        };
        let (read, constants) = (fitting(read), fitting(&self.constants));
        random.pick(if read.is_empty() { &constants } else { &read }).clone()
    }

    /// The right side of an operation: often a number. The left is none, so that no branch is decided by the source alone: code that never
    /// runs would not be conditional.
    fn right(&self, random: &mut Random, of: Type, depth: usize, only: bool) -> String {
        if random.chance(30) {
            let value = value(random, of);
            return format!("({})", literal(of, &value));
        }
        self.expression(random, of, depth, only)
    }

    /// An expression of variables and constants.
    pub fn any(&self, random: &mut Random, of: Type, depth: usize) -> String {
        self.expression(random, of, depth, false)
    }

    /// An expression of constants.
    pub fn constant(&self, random: &mut Random, of: Type, depth: usize) -> String {
        self.expression(random, of, depth, true)
    }

    /// A condition, often of constants.
    pub fn condition(&self, random: &mut Random, only_constants: bool) -> String {
        let constant = only_constants || random.chance(45);
        let depth = 1 + random.below(2);
        self.expression(random, Type::Bool, depth, constant)
    }

    /// One of the elements of an array.
    pub fn element(&self, random: &mut Random) -> Option<String> {
        let (name, length) = self.arrays.get(random.below(self.arrays.len().max(1)))?;
        Some(format!("{name}[{} % {length}]", self.any(random, Type::Uint, 1)))
    }

    fn expression(&self, random: &mut Random, of: Type, depth: usize, only: bool) -> String {
        // Products of more would not be exact.
        let depth = if of == Type::Float { depth.min(2) } else { depth };
        if depth == 0 || random.chance(15) {
            return self.leaf(random, of, only);
        }
        let one = self.expression(random, of, depth - 1, only);
        let other = match of {
            Type::Bool => self.expression(random, of, depth - 1, only),
            _ => self.right(random, of, depth - 1, only),
        };
        if of == Type::Bool {
            let compared = *random.pick(&[Type::Int, Type::Uint, Type::Uint, Type::Float]);
            let left = self.expression(random, compared, depth - 1, only);
            let right = self.right(random, compared, depth - 1, only);
            let comparison = *random.pick(&["<", "<=", ">", ">=", "==", "!="]);
            return match random.below(8) {
                0 => format!("(!{one})"),
                1 => format!("({one} && {other})"),
                2 => format!("({one} || {other})"),
                3 => format!("({one} != {other})"),
                _ => format!("({left} {comparison} {right})"),
            };
        }
        if random.chance(12) {
            let condition = self.expression(random, Type::Bool, depth - 1, only);
            return format!("SELECT({condition}, {one}, {other})");
        }
        if random.chance(12) {
            return format!("{}({one}, {other})", random.pick(&["min", "max"]));
        }
        let converted = |random: &mut Random, of: Type| self.expression(random, of, depth - 1, only);
        match of {
            Type::Uint => match random.below(14) {
                0 => format!("TO_UINT({})", converted(random, Type::Int)),
                1 => format!("TO_UINT({})", converted(random, Type::Bool)),
                2 => format!("TO_UINT(TO_INT({}))", converted(random, Type::Float)),
                3 => format!("({one} << ({other} & 31u))"),
                4 => format!("({one} >> ({other} & 31u))"),
                5 => format!("({one} / ({other} | 1u))"),
                6 => format!("({one} % ({other} | 1u))"),
                7 => format!("(~{one})"),
                8 if !only => self.element(random).unwrap_or(one),
                _ => format!("({one} {} {other})", random.pick(&["+", "-", "*", "&", "|", "^"])),
            },
            Type::Int => match random.below(12) {
                0 => format!("TO_INT({})", converted(random, Type::Uint)),
                1 => format!("TO_INT({})", converted(random, Type::Bool)),
                2 => format!("TO_INT({})", converted(random, Type::Float)),
                3 => format!("({one} << SHIFT({other} & 31))"),
                4 => format!("({one} >> SHIFT({other} & 31))"),
                5 => format!("({one} / (({other} & 15) + 1))"),
                6 => format!("(({one} & 32767) % (({other} & 15) + 1))"),
                7 => format!("(-{one})"),
                _ => format!("({one} {} {other})", random.pick(&["+", "-", "*", "&", "|", "^"])),
            },
            _ => match random.below(8) {
                0 => format!("TO_FLOAT({} & 15)", converted(random, Type::Int)),
                1 => format!("TO_FLOAT({})", converted(random, Type::Bool)),
                2 => format!("(-{one})"),
                _ => format!("({one} {} {other})", random.pick(&["+", "-", "*"])),
            },
        }
    }
}
