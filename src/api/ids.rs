//! Types for the different numbers of a module: ids and SpecIds.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::condition::Condition;
use super::error::{Error, RequestErrorKind};
use super::specialize::Settings;
use crate::analysis::constants::SpecValue;
use crate::condition::{Expr, Leaf};
use crate::device::number;
use crate::transform::specialize::ConstantKey;

number! {
    /// The result id of an instruction (SPIR-V specification, 2.2.1).
    Id
}
number! {
    /// The SpecId of a specialization constant, by which the host sets it (SPIR-V specification, 2.12).
    SpecId
}

/// Specialization constants of a module, by their SpecId or by their name (OpName). Several constants may have the same name. In a module
/// without names, only SpecIds work.
///
/// ```
/// use spirv_if::module::SpecId;
/// use spirv_if::specialize::SpecConstant;
/// assert_eq!(SpecConstant::from(3).spec_id(), Some(SpecId::new(3)));
/// assert_eq!(SpecConstant::from("tile").name(), Some("tile"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecConstant {
    pub(super) key: ConstantKey,
}

/// A specialization constant that represents a condition: the host sets it to true if the condition holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConditionConstant {
    /// The constant.
    pub spec_id: SpecId,
    /// The condition.
    pub condition: Condition,
}

impl ConditionConstant {
    pub(super) fn new(spec_id: u32, condition: Expr) -> ConditionConstant {
        ConditionConstant { spec_id: SpecId(spec_id), condition: Condition::new(condition) }
    }

    /// Makes the list for constants of leaves.
    pub(super) fn from_leaves(leaves: &[(u32, Leaf)]) -> Vec<ConditionConstant> {
        leaves.iter().map(|&(spec_id, leaf)| ConditionConstant::new(spec_id, Expr::Leaf(leaf))).collect()
    }
}

impl SpecConstant {
    /// Returns the SpecId; `None` if the constants are selected by name.
    pub fn spec_id(&self) -> Option<SpecId> {
        match self.key {
            ConstantKey::SpecId(spec_id) => Some(SpecId(spec_id)),
            ConstantKey::Name(_) => None,
        }
    }

    /// Returns the name; `None` if the constants are selected by SpecId.
    pub fn name(&self) -> Option<&str> {
        match &self.key {
            ConstantKey::SpecId(_) => None,
            ConstantKey::Name(name) => Some(name),
        }
    }
}

impl From<u32> for SpecConstant {
    fn from(spec_id: u32) -> SpecConstant {
        SpecConstant { key: ConstantKey::SpecId(spec_id) }
    }
}

impl From<SpecId> for SpecConstant {
    fn from(spec_id: SpecId) -> SpecConstant {
        spec_id.0.into()
    }
}

impl From<&str> for SpecConstant {
    fn from(name: &str) -> SpecConstant {
        name.to_owned().into()
    }
}

impl From<String> for SpecConstant {
    fn from(name: String) -> SpecConstant {
        SpecConstant { key: ConstantKey::Name(name) }
    }
}

/// `3` is a SpecId. A name does not begin with a digit, and is not a number with a sign or blanks.
impl FromStr for SpecConstant {
    type Err = Error;

    fn from_str(text: &str) -> Result<SpecConstant, Error> {
        let number = text.trim().trim_start_matches(['+', '-']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        match text.chars().next() {
            Some(first) if is_number || first.is_ascii_digit() => match text.parse::<u32>() {
                Ok(spec_id) if first.is_ascii_digit() => Ok(spec_id.into()),
                _ => Err(Error::request(
                    RequestErrorKind::Constant,
                    "the SpecId is not an unsigned 32-bit integer: write it without a sign or blanks",
                )),
            },
            Some(_) => Ok(text.into()),
            None => Err(Error::request(RequestErrorKind::Constant, "there is neither a SpecId nor a name")),
        }
    }
}

/// `true`, `false`, an integer of up to 64 bits such as `-1`, or the bits of a number such as `0x3f800000`. A fraction such as `1.5` is
/// read as a number of 64 bits. [`Prepared::parse_value`](crate::Prepared::parse_value) reads text by the type of a constant.
impl FromStr for SpecValue {
    type Err = Error;

    fn from_str(text: &str) -> Result<SpecValue, Error> {
        let problem = "the value is not `true`, `false` or a number of up to 64 bits";
        SpecValue::parse(text).ok_or_else(|| Error::request(RequestErrorKind::Value, problem))
    }
}

/// `3:true` sets the constant with SpecId 3, and `tile:64` sets a constant by its name. The value is a Boolean or a number of up to 64
/// bits, in the text forms of [`SpecValue`].
impl FromStr for Settings {
    type Err = Error;

    fn from_str(text: &str) -> Result<Settings, Error> {
        let (constant, value) = text.rsplit_once(':').ok_or_else(|| {
            let problem = "a constant and a value with `:` between them, as in 3:true or tile:64";
            Error::request(RequestErrorKind::Value, problem)
        })?;
        let constant: SpecConstant = constant.parse()?;
        Ok(Settings::new().set(constant, value.parse::<SpecValue>()?))
    }
}

/// Displayed as `SpecId 3`, or ``the name `tile` ``.
impl fmt::Display for SpecConstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// Displayed as its number.
impl Serialize for SpecId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.0)
    }
}

impl fmt::Display for SpecId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
