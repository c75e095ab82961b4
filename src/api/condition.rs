//! Conditions on devices.

use std::fmt;

use super::Error;
use crate::condition::{Conditions, Expr, Leaf, Truth, evaluate};
use crate::device::{Device, Tables};
use crate::report;

/// A condition on devices, as `fp16 && !arch(intel_gpu_pvc)` (`spec-extensions/conditions.md`). Displayed, its text.
///
/// ```
/// use spirv_if::{Condition, Device};
/// let condition = Condition::parse("fp64 && !arch(intel_gpu_pvc)")?;
/// assert_eq!(condition.on(&Device::embedded("intel_gpu_pvc")?)?, Some(false));
/// assert_eq!(condition.on(&Device::default())?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    pub(crate) expr: Expr,
}

impl Condition {
    pub(crate) fn of(expr: Expr) -> Condition {
        Condition { expr }
    }

    /// The name of the decision of the host that it is, if it is one: `fast` of `host(fast)`.
    pub fn decision(&self) -> Option<&str> {
        if let Expr::Leaf(Leaf::Host(name)) = &self.expr { Some(name.as_str()) } else { None }
    }

    /// Reads the text of a condition.
    ///
    /// # Errors
    /// [`Error::Request`], with the column, if it is malformed.
    pub fn parse(text: &str) -> Result<Condition, Error> {
        Expr::parse(text, &Tables).map(Condition::of).map_err(Error::request)
    }

    /// Reads the series of numbers that SYCL's property sets and names of functions carry (docs/design/device-if.md, "Changes to the device headers").
    ///
    /// # Errors
    /// [`Error::Request`], with the index in the series, if it is malformed.
    pub fn from_series(series: &[i32]) -> Result<Condition, Error> {
        Expr::from_series(series).map(Condition::of).map_err(Error::request)
    }

    /// The series of numbers that stands for it. `true` and `false` have none.
    ///
    /// # Errors
    /// If it has none.
    pub fn to_series(&self) -> Result<Vec<i32>, Error> {
        Ok(self.expr.to_series()?)
    }

    /// The condition in canonical form: conditions that hold on the same devices are equal.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn canonical(&self) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        Ok(Condition::of(conditions.expr_of(condition)?))
    }

    /// The condition restricted to a device, in canonical form: `true`, `false`, or the part that is not known.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn restricted(&self, device: &Device) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        let rest = conditions.restrict(condition, &|leaf| device.truth(leaf))?;
        Ok(Condition::of(conditions.expr_of(rest)?))
    }

    /// The condition as specialization constants, in SPIR-V assembly, as in a multi-target module.
    pub fn to_assembly(&self) -> String {
        report::assembly(&self.expr)
    }

    /// True if it holds on a device, false if it does not; `None` where that is not known.
    ///
    /// # Errors
    /// If it is too complex.
    pub fn on(&self, device: &Device) -> Result<Option<bool>, Error> {
        Ok(match evaluate(&self.expr, &|leaf| device.truth(leaf))? {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr.display(&Tables).fmt(f)
    }
}
