//! Types of random programs, and values of their specialization constants.

use super::program::Feature;
use crate::random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Bool,
    Int,
    Uint,
    Float,
    /// The one of an optional feature.
    Wide(Feature),
}

/// A specialization constant.
pub struct Constant {
    pub id: u32,
    pub of: Type,
    /// Default value as text.
    pub default: String,
    /// Value as text, as `--set` takes it.
    pub value: String,
    /// The features that a device has, or does not have, if it is true. Without features, it is not bound to a condition.
    pub bound: Vec<(Feature, bool)>,
    /// For an unsigned integer of which one bit is bound: that bit.
    pub bit: Option<u32>,
}

impl Constant {
    pub fn name(&self) -> String {
        format!("s{}", self.id)
    }

    /// Returns what annotations bind it to.
    pub fn annotation(&self) -> Option<String> {
        let condition = self.condition()?;
        Some(match self.bit {
            Some(bit) => format!("{{bit {bit}: \"{condition}\"}}"),
            None => format!("\"{condition}\""),
        })
    }

    /// Returns the test for its condition in a program.
    pub fn test(&self) -> String {
        match (self.of, self.bit) {
            (_, Some(bit)) => format!("(({} >> {bit}u) & 1u) != 0u", self.name()),
            (Type::Bool, None) => self.name(),
            (_, None) => format!("{} != 0u", self.name()),
        }
    }

    /// The condition in text form.
    fn condition(&self) -> Option<String> {
        let leaf = |(feature, has): &(Feature, bool)| {
            format!("{}{}", if *has { "" } else { "!" }, feature.condition())
        };
        let leaves: Vec<String> = self.bound.iter().map(leaf).collect();
        (!leaves.is_empty()).then(|| leaves.join(" && "))
    }

    /// Returns the value on a device with these features.
    pub fn value_for(&self, present: &[Feature]) -> String {
        let holds = self.bound.iter().all(|(feature, has)| present.contains(feature) == *has);
        match (self.of, self.bit) {
            _ if self.bound.is_empty() => self.value.clone(),
            (_, Some(bit)) => {
                let others = self.value.parse::<u32>().unwrap() & !(1 << bit);
                (others | u32::from(holds) << bit).to_string()
            }
            (Type::Bool, None) => holds.to_string(),
            (_, None) => u32::from(holds).to_string(),
        }
    }

    /// A value as bytes, one of a Boolean.
    pub fn bytes(&self, value: &str) -> Vec<u8> {
        let number = || value.parse::<f64>().unwrap();
        match self.of {
            Type::Bool => vec![u8::from(value == "true")],
            Type::Int => value.parse::<i32>().unwrap().to_ne_bytes().to_vec(),
            Type::Uint => value.parse::<u32>().unwrap().to_ne_bytes().to_vec(),
            Type::Float => (number() as f32).to_ne_bytes().to_vec(),
            Type::Wide(Feature::Float16) => half(number()).to_ne_bytes().to_vec(),
            Type::Wide(Feature::Float64) => number().to_ne_bytes().to_vec(),
            Type::Wide(Feature::Int16) => value.parse::<u16>().unwrap().to_ne_bytes().to_vec(),
            Type::Wide(Feature::Int64) => value.parse::<u64>().unwrap().to_ne_bytes().to_vec(),
        }
    }
}

/// Halves from 0 to 7.5 as half floats.
fn half(number: f64) -> u16 {
    let bits = (number as f32).to_bits();
    // The exponents differ by 112; nothing is lost, and zero alone has no exponent.
    if bits == 0 { 0 } else { ((bits >> 13) - (112 << 10)) as u16 }
}

/// A value of a type as text: mostly small, so that comparisons may hold or not.
pub fn value(random: &mut Random, of: Type) -> String {
    let small = random.below(5);
    let odd = random.chance(15);
    match of {
        Type::Bool => small.is_multiple_of(2).to_string(),
        Type::Int if odd => random.pick(&[i32::MIN, i32::MAX, -7, 1 << 16]).to_string(),
        Type::Int => (small as i32 - 1).to_string(),
        Type::Uint if odd => random.pick(&[u32::MAX, 1 << 31, 1000]).to_string(),
        Type::Uint => small.to_string(),
        Type::Wide(Feature::Int16) => if odd { 65535 } else { small }.to_string(),
        Type::Wide(Feature::Int64) => if odd { 1u64 << 40 } else { small as u64 }.to_string(),
        // Products of four of them are exact.
        Type::Float | Type::Wide(Feature::Float16 | Feature::Float64) => {
            format!("{:.1}", random.below(16) as f32 / 2.0)
        }
    }
}

/// A value of a type that all languages have, as sources write it.
pub fn literal(of: Type, value: &str) -> String {
    match of {
        // The number itself does not fit before it is negated.
        Type::Int if value == "-2147483648" => "(-2147483647 - 1)".to_owned(),
        Type::Uint => format!("{value}u"),
        Type::Float => format!("{value}f"),
        Type::Bool | Type::Int | Type::Wide(_) => value.to_owned(),
    }
}
