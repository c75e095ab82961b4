//! Conditions on devices.

use std::fmt;
use std::str::FromStr;

use super::assembly::assembly;
use super::error::{Error, RequestErrorKind};
use crate::condition::{Conditions, Expr, Leaf, Truth, evaluate};
use crate::device::{Device, DeviceNames};

/// A condition on devices, such as `fp16 && !arch(intel_gpu_pvc)` (`spec-extensions/conditions.md`). It is displayed as its text.
///
/// ```
/// use spirv_if::{Condition, Device};
/// let condition = Condition::parse("fp64 && !arch(intel_gpu_pvc)")?;
/// assert_eq!(condition.evaluate(&Device::embedded("intel_gpu_pvc")?)?, Some(false));
/// assert_eq!(condition.evaluate(&Device::default())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    #[doc(hidden)]
    pub expr: Expr,
}

impl Condition {
    /// Makes a condition of the engine's form.
    #[doc(hidden)]
    pub fn new(expr: Expr) -> Condition {
        Condition { expr }
    }

    /// Returns the name of the host's decision if the condition is one: `fast` of `host(fast)`.
    pub fn decision(&self) -> Option<&str> {
        if let Expr::Leaf(Leaf::Host(name)) = &self.expr { Some(name.as_str()) } else { None }
    }

    /// Reads the text of a condition.
    ///
    /// # Errors
    /// [`Error::Request`], with the column, if it is malformed.
    pub fn parse(text: &str) -> Result<Condition, Error> {
        Expr::parse(text, &DeviceNames)
            .map(Condition::new)
            .map_err(|error| Error::request(RequestErrorKind::Condition, error))
    }

    /// Reads the series of numbers that SYCL's property sets and names of functions carry (docs/design/device-if.md, "Changes to the device headers").
    ///
    /// # Errors
    /// [`Error::Request`], with the index in the series, if it is malformed.
    pub fn from_series(series: &[i32]) -> Result<Condition, Error> {
        Expr::from_series(series)
            .map(Condition::new)
            .map_err(|error| Error::request(RequestErrorKind::Condition, error))
    }

    /// Returns the series of numbers that encodes the condition. `true` and `false` have none.
    ///
    /// # Errors
    /// If it has none.
    pub fn to_series(&self) -> Result<Vec<i32>, Error> {
        Ok(self.expr.to_series()?)
    }

    /// Returns the condition in canonical form: conditions that hold on the same devices are equal.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn canonical(&self) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        Ok(Condition::new(conditions.expr_of(condition)?))
    }

    /// Returns the condition restricted to a device, in canonical form: `true`, `false`, or the part that is not known.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn restricted(&self, device: &Device) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        let rest = conditions.restrict(condition, &|leaf| device.truth(leaf))?;
        Ok(Condition::new(conditions.expr_of(rest)?))
    }

    /// Returns the condition as specialization constants, in SPIR-V assembly, as in a multi-target module.
    pub fn to_assembly(&self) -> String {
        assembly(&self.expr)
    }

    /// Returns true if it holds on a device, and false if it does not; `None` if that is unknown.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn evaluate(&self, device: &Device) -> Result<Option<bool>, Error> {
        Ok(match evaluate(&self.expr, &|leaf| device.truth(leaf))? {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        })
    }
}

/// Like [`Condition::parse`].
impl FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Condition, Error> {
        Condition::parse(text)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.display(&DeviceNames).fmt(f)
    }
}
