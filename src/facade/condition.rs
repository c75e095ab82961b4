//! Conditions on devices.

use std::fmt;

use super::Error;
use crate::condition::{Conditions, Expr, Truth, evaluate};
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

    /// Reads the text of a condition.
    ///
    /// # Errors
    /// [`Error::Request`], with the place in the text, where it is none.
    pub fn parse(text: &str) -> Result<Condition, Error> {
        Expr::parse(text, &Tables).map(Condition::of).map_err(Error::request)
    }

    /// Reads the series of numbers that SYCL's property sets and names of functions carry (seed "device_if").
    ///
    /// # Errors
    /// [`Error::Request`], with the index in the series, where it is none.
    pub fn from_series(series: &[i32]) -> Result<Condition, Error> {
        Expr::from_series(series).map(Condition::of).map_err(Error::request)
    }

    /// The series of numbers that stands for it. `true` and `false` have none.
    ///
    /// # Errors
    /// Where it has none.
    pub fn to_series(&self) -> Result<Vec<i32>, Error> {
        Ok(self.expr.to_series()?)
    }

    /// The same in canonical form: conditions that hold on the same devices are equal.
    ///
    /// # Errors
    /// Where it is too complex.
    pub fn canonical(&self) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        Ok(Condition::of(conditions.expr_of(condition)?))
    }

    /// What is left of it on a device, in canonical form: `true`, `false`, or the part that is not known.
    ///
    /// # Errors
    /// Where it is too complex.
    pub fn restricted(&self, device: &Device) -> Result<Condition, Error> {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&self.expr)?;
        let rest = conditions.restrict(condition, &|leaf| device.truth(leaf))?;
        Ok(Condition::of(conditions.expr_of(rest)?))
    }

    /// The condition as specialization constants, in SPIR-V assembly: how a multi-target module expresses it.
    pub fn to_assembly(&self) -> String {
        report::assembly(&self.expr)
    }

    /// Whether it holds on a device; `None` where that is not known.
    ///
    /// # Errors
    /// Where it is too complex.
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
