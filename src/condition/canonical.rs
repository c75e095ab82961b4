//! From a Boolean function to the one expression for it.

use super::{Condition, ConditionError, Conditions, Expr};

impl Expr {
    /// The canonical form: the same for all equivalent expressions, given that a device is of one known architecture
    /// at most. `spec-extensions/conditions.md` states it.
    pub fn canonical(&self) -> Result<Expr, ConditionError> {
        let mut conditions = Conditions::new();
        let condition = conditions.from_expr(self)?;
        conditions.to_expr(condition)
    }
}

impl Conditions {
    /// The canonical expression of a condition.
    pub fn to_expr(&mut self, _condition: Condition) -> Result<Expr, ConditionError> {
        todo!()
    }
}
