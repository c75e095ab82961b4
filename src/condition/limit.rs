//! Comparisons of a number of the device with a constant: `subgroup_size >= 32`.

use super::{Expr, FeatureName, Leaf};

/// Provider of the numbers that devices of all APIs have. Text leaves it out.
pub const DEVICE: &str = "device";

/// End of the names whose numbers are versions: `spirv_version`.
const VERSION: &str = "version";

/// Maximum bound of a comparison: a series has 31 bits for it.
const MAX_BOUND: u32 = i32::MAX as u32;

/// A number of the device that is at least a bound. All comparisons consist of these: `x == 32` is
/// `x >= 32 && !(x >= 33)`.
///
/// Limits are ordered by name, then by bound. One with a greater bound implies those with smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit {
    name: FeatureName,
    at_least: u32,
}

/// A sign between a number of the device and a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Limit {
    /// Creates a comparison; `None` if the bound is 0, which every number reaches, or above 2147483647, or is
    /// no version where the number is one.
    pub fn new(name: FeatureName, at_least: u32) -> Option<Limit> {
        let is_bound = (1..=MAX_BOUND).contains(&at_least) && at_least.is_multiple_of(step(name));
        is_bound.then_some(Limit { name, at_least })
    }

    /// Returns the name of the number, with its provider.
    pub fn name(self) -> FeatureName {
        self.name
    }

    /// Returns the bound that the number must reach. Versions are words as in a module's header: 0x10400 is
    /// version 1.4.
    pub fn at_least(self) -> u32 {
        self.at_least
    }

    /// Returns the name of the number as in text, without a comparison.
    pub fn subject(self) -> String {
        match self.name.provider() {
            DEVICE => self.name.name().to_owned(),
            _ => format!("limit({})", self.name),
        }
    }

    /// Returns the place after all bounds of the number in the order of limits.
    pub(super) fn last(self) -> Limit {
        Limit { name: self.name, at_least: u32::MAX }
    }

    /// Returns the limit with the next greater bound.
    pub(super) fn next(self) -> Option<Limit> {
        Limit::new(self.name, self.at_least + step(self.name))
    }

    /// Returns the value of this comparison if that of `other` is `holds`; `None` if it may be either.
    pub(super) fn follows_from(self, other: Limit, holds: bool) -> Option<bool> {
        let is_decided = match holds {
            true => self.at_least <= other.at_least,
            false => self.at_least >= other.at_least,
        };
        (self.name == other.name && is_decided).then_some(holds)
    }
}

impl Sign {
    /// All signs, as text has them.
    pub const TEXTS: [(&'static str, Sign); 6] = [
        ("==", Sign::Equal),
        ("!=", Sign::NotEqual),
        ("<=", Sign::LessOrEqual),
        (">=", Sign::GreaterOrEqual),
        ("<", Sign::Less),
        (">", Sign::Greater),
    ];

    /// Returns the condition that a number compares so with a constant; `None` if a bound is too large.
    pub fn compare(self, name: FeatureName, number: u32) -> Option<Expr> {
        let reaches = |bound: u32| match bound {
            0 => Some(Expr::True),
            _ => Limit::new(name, bound).map(|limit| Expr::Leaf(Leaf::Limit(limit))),
        };
        let next = number.checked_add(step(name));
        Some(match self {
            Sign::GreaterOrEqual => reaches(number)?,
            Sign::Greater => reaches(next?)?,
            Sign::Less => Expr::Not(Box::new(reaches(number)?)),
            Sign::LessOrEqual => Expr::Not(Box::new(reaches(next?)?)),
            Sign::Equal => {
                Expr::And(Box::new(reaches(number)?), Box::new(Expr::Not(Box::new(reaches(next?)?))))
            }
            Sign::NotEqual => {
                Expr::Or(Box::new(Expr::Not(Box::new(reaches(number)?))), Box::new(reaches(next?)?))
            }
        })
    }
}

/// Parses the constant of a comparison: a decimal number, or for versions two with a period between them.
pub fn parse_number(name: FeatureName, text: &str) -> Option<u32> {
    match text.split_once('.') {
        Some((major, minor)) if is_version(name) => {
            let [major, minor] = [major, minor].map(|part| part.parse::<u8>());
            Some(u32::from(major.ok()?) << 16 | u32::from(minor.ok()?) << 8)
        }
        _ => text.parse().ok().filter(|_| !is_version(name)),
    }
}

/// Returns the text of the constant of a comparison, from which [`parse_number`] restores it.
pub fn number_text(name: FeatureName, number: u32) -> String {
    match is_version(name) {
        true => format!("{}.{}", number >> 16, number >> 8 & 0xFF),
        false => number.to_string(),
    }
}

/// Returns the difference to the next greater bound.
fn step(name: FeatureName) -> u32 {
    if is_version(name) { 0x100 } else { 1 }
}

/// True if the number is a version of SPIR-V or of an API.
pub(super) fn is_version(name: FeatureName) -> bool {
    name.name().to_ascii_lowercase().ends_with(VERSION)
}
