//! Comparisons of a number of the device with a constant: `subgroup_size >= 32`. The version of a driver is one, too.

use super::driver_version::{number_of_parts, parse_version, parts_of_number, version_text};
use super::{Expr, FeatureName, Leaf};

/// Provider of the numbers that devices of all APIs have. Text leaves it out.
pub const DEVICE: &str = "device";

/// Provider of the names of drivers. Each name stands for the version of that driver. Devices with another driver reach
/// no bound.
pub const DRIVER: &str = "driver";

/// End of the names whose numbers are versions: `spirv_version`.
const VERSION: &str = "version";

/// Maximum bound of a comparison, except for drivers: a series has 31 bits for it.
const MAX_BOUND: u64 = i32::MAX as u64;

/// A number of the device that is at least a bound. All comparisons consist of these: `x == 32` is
/// `x >= 32 && !(x >= 33)`.
///
/// Limits are ordered by name, then by bound. One with a greater bound implies those with smaller ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit {
    name: FeatureName,
    at_least: u64,
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
    /// Creates a comparison. Returns `None` for a bound of 0, which every number reaches, a bound above 2147483647, or
    /// an invalid bound of a version. Bounds of drivers are one more than the number of a version.
    pub fn new(name: FeatureName, at_least: u64) -> Option<Limit> {
        let is_bound =
            at_least > 0 && (is_driver(name) || at_least <= MAX_BOUND && at_least.is_multiple_of(step(name)));
        is_bound.then_some(Limit { name, at_least })
    }

    /// Creates the comparison that devices reach whose driver has this name, in any version.
    pub(super) fn any_version(name: FeatureName) -> Limit {
        Limit { name, at_least: 1 }
    }

    /// Returns the name of the number, with its provider.
    pub fn name(self) -> FeatureName {
        self.name
    }

    /// Returns the bound that the number must reach. Versions are words as in a module's header: 0x10400 is
    /// version 1.4.
    pub fn at_least(self) -> u64 {
        self.at_least
    }

    /// Returns the number of the version that a driver must have at least, 0 for any; `None` for other numbers of devices.
    pub fn driver_version(self) -> Option<u64> {
        is_driver(self.name).then(|| self.at_least - 1)
    }

    /// Returns the words of the bound: itself, or for a driver the count of the version's parts and the parts.
    pub(super) fn bound_to_words(self) -> Vec<u32> {
        match self.driver_version() {
            Some(version) => {
                let parts = parts_of_number(version);
                std::iter::once(parts.len() as u32).chain(parts).collect()
            }
            None => vec![self.at_least as u32],
        }
    }

    /// Reads the bound of a number at the start of words, and returns the number of words read. The bound is not 0, except that of a driver.
    pub(super) fn from_bound_words(name: FeatureName, words: &[u32]) -> Option<(Limit, usize)> {
        let (&first, rest) = words.split_first()?;
        if !is_driver(name) {
            return Some((Limit::new(name, first.into())?, 1));
        }
        let parts = rest.get(..usize::try_from(first).ok()?)?;
        Some((Limit::new(name, number_of_parts(parts)?.checked_add(1)?)?, 1 + parts.len()))
    }

    /// Returns the name of the number as in text, without a comparison.
    pub fn subject(self) -> String {
        match self.name.provider() {
            DEVICE => self.name.name().to_owned(),
            DRIVER => format!("{DRIVER}({})", self.name.name()),
            _ => format!("limit({})", self.name),
        }
    }

    /// Returns the place after all bounds of the number in the order of limits.
    pub(super) fn last(self) -> Limit {
        Limit { name: self.name, at_least: u64::MAX }
    }

    /// Returns the limit with the next greater bound.
    pub(super) fn next(self) -> Option<Limit> {
        Limit::new(self.name, self.at_least.checked_add(step(self.name))?)
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

    /// Returns the sign in text.
    pub fn text(self) -> &'static str {
        Sign::TEXTS.into_iter().find(|&(_, sign)| sign == self).map_or("", |(text, _)| text)
    }

    /// Returns the condition that a number compares so with a constant; `None` if a bound is too large. Only versions of the driver itself
    /// compare with that of a driver.
    pub fn compare(self, name: FeatureName, number: u64) -> Option<Expr> {
        let leaf = |limit: Limit| Expr::Leaf(Leaf::Limit(limit));
        let reaches = |bound: u64| match bound {
            0 => Some(Expr::True),
            _ => Limit::new(name, bound).map(leaf),
        };
        let not = |expr: Expr| Expr::Not(Box::new(expr));
        let of_driver = |expr: Expr| match is_driver(name) {
            true => Expr::And(Box::new(leaf(Limit::any_version(name))), Box::new(expr)),
            false => expr,
        };
        let bound = number.checked_add(is_driver(name).into())?;
        let next = bound.checked_add(step(name));
        Some(match self {
            Sign::GreaterOrEqual => reaches(bound)?,
            Sign::Greater => reaches(next?)?,
            Sign::Less => of_driver(not(reaches(bound)?)),
            Sign::LessOrEqual => of_driver(not(reaches(next?)?)),
            Sign::Equal => Expr::And(Box::new(reaches(bound)?), Box::new(not(reaches(next?)?))),
            Sign::NotEqual => of_driver(Expr::Or(Box::new(not(reaches(bound)?)), Box::new(reaches(next?)?))),
        })
    }
}

/// Parses the constant of a comparison: a decimal number, or for versions two with a period between them, and for those of drivers up to
/// four.
pub fn parse_number(name: FeatureName, text: &str) -> Option<u64> {
    match text.split_once('.') {
        _ if is_driver(name) => parse_version(text),
        Some((major, minor)) if is_version(name) => {
            let [major, minor] = [major, minor].map(|part| part.parse::<u8>());
            Some(u64::from(major.ok()?) << 16 | u64::from(minor.ok()?) << 8)
        }
        _ => text.parse().ok().filter(|_| !is_version(name)),
    }
}

/// Returns the text of the constant of a comparison, from which [`parse_number`] restores it.
pub fn number_text(name: FeatureName, number: u64) -> String {
    match is_version(name) {
        _ if is_driver(name) => version_text(number),
        true => format!("{}.{}", number >> 16, number >> 8 & 0xFF),
        false => number.to_string(),
    }
}

/// Returns the difference to the next greater bound.
fn step(name: FeatureName) -> u64 {
    if is_version(name) { 0x100 } else { 1 }
}

/// Returns true if the number is the version of a driver.
pub(super) fn is_driver(name: FeatureName) -> bool {
    name.provider() == DRIVER
}

/// Returns true if the number is a version of SPIR-V or of an API.
pub(super) fn is_version(name: FeatureName) -> bool {
    !is_driver(name) && name.name().to_ascii_lowercase().ends_with(VERSION)
}
