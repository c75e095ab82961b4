//! Numbers of a module that must not be mixed up.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::{Error, Settings};
use crate::analysis::constants::folding::Scalar;
use crate::device::number;
use crate::transform::specialize::ConstantKey;

pub use crate::device::{Aspect, Capability};

number! {
    /// The result id of an instruction (SPIR-V specification, 2.2.1).
    Id
}
number! {
    /// The SpecId of a specialization constant, by which the host sets it (SPIR-V specification, 2.12).
    SpecId
}

/// Specialization constants of a module: those with a SpecId, or with a name (OpName), of which several may have the same. Where names were
/// removed, only SpecIds are left.
///
/// ```
/// use spirv_if::{SpecConstant, SpecId};
/// assert_eq!(SpecConstant::from(3).spec_id(), Some(SpecId(3)));
/// assert_eq!(SpecConstant::from("tile").name(), Some("tile"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecConstant(pub(super) ConstantKey);

impl SpecConstant {
    /// The SpecId; `None` if they are meant by their name.
    pub fn spec_id(&self) -> Option<SpecId> {
        match self.0 {
            ConstantKey::SpecId(spec_id) => Some(SpecId(spec_id)),
            ConstantKey::Name(_) => None,
        }
    }

    /// The name; `None` if they are meant by their SpecId.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            ConstantKey::SpecId(_) => None,
            ConstantKey::Name(name) => Some(name),
        }
    }
}

impl From<u32> for SpecConstant {
    fn from(spec_id: u32) -> SpecConstant {
        SpecConstant(ConstantKey::SpecId(spec_id))
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
        SpecConstant(ConstantKey::Name(name))
    }
}

/// `3` is a SpecId; a name does not begin with a digit, and is no number with a sign or blanks.
impl FromStr for SpecConstant {
    type Err = Error;

    fn from_str(text: &str) -> Result<SpecConstant, Error> {
        let number = text.trim().trim_start_matches(['+', '-']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        match text.chars().next() {
            Some(first) if is_number || first.is_ascii_digit() => match text.parse::<u32>() {
                Ok(spec_id) if first.is_ascii_digit() => Ok(spec_id.into()),
                _ => Err(Error::request(
                    "the SpecId is no 32-bit unsigned integer, which has neither a sign nor blanks",
                )),
            },
            Some(_) => Ok(text.into()),
            None => Err(Error::request("there is neither a SpecId nor a name")),
        }
    }
}

/// `3:true` sets the constant with SpecId 3, and `tile:64` one by its name: to a Boolean or a number of up to 64 bits, in the text forms of
/// [`Settings::set`].
impl FromStr for Settings {
    type Err = Error;

    fn from_str(text: &str) -> Result<Settings, Error> {
        let (constant, value) = text.rsplit_once(':').ok_or_else(|| {
            Error::request("a constant and a value with `:` between them, as in 3:true or tile:64")
        })?;
        let constant: SpecConstant = constant.parse()?;
        let wide = [Scalar::Bool, Scalar::Int { width: 64, signed: true }, Scalar::Float(64)];
        match wide.iter().any(|scalar| scalar.parse(value).is_some()) {
            true => Ok(Settings::new().set(constant, value)),
            false => Err(Error::request("the value is not `true`, `false` or a number of up to 64 bits")),
        }
    }
}

/// As `SpecId 3`, or ``the name `tile` ``.
impl fmt::Display for SpecConstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}

/// As its number.
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
