//! What packing did, for people.

use std::fmt;

use super::PackError;
use crate::analysis::{ConditionalCalls, DeclarationUse, Names, PresenceConditions};
use crate::condition::{Condition, Expr};

/// What packing did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Conditional calls: the function that holds each, what it calls, and the condition in canonical form.
    pub calls: Vec<(String, String, Expr)>,
    /// Calls that can never happen, and are gone.
    pub impossible: usize,
    /// How many ids got a condition.
    pub decorated: usize,
    /// Capabilities and extensions that became conditional, with the condition in canonical form.
    pub conditional: Vec<(String, Expr)>,
    /// Capabilities and extensions that stay unconditional, and why.
    pub staying: Vec<Staying>,
    /// Capabilities and extensions that nothing needs, and that are gone.
    pub removed_declarations: Vec<String>,
    /// Functions that nothing needs, and that are gone; conditional callers left out.
    pub removed_functions: Vec<String>,
    /// Exported functions and variables that became conditional or are gone, because this module calls them itself.
    pub conditional_exports: Vec<String>,
    /// What deserves the user's attention.
    pub warnings: Vec<Warning>,
    pub(super) conditional_declarations: Vec<(String, Condition)>,
}

/// A capability or extension that stays unconditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staying {
    /// Its name.
    pub declaration: String,
    /// Why it stays.
    pub reason: Reason,
}

/// Why a capability or extension stays unconditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Our rules of what needs it are not complete.
    NoCompleteRules,
    /// It says of which kind the module is.
    KindOfModule,
    /// Unconditional code needs it: what does, as a name.
    NeededBy(String),
    /// A capability that stays implies it.
    Implied,
    /// Each device needs it for one thing or another.
    Together,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoCompleteRules => f.write_str("the rules of what needs it are not complete"),
            Reason::KindOfModule => f.write_str("it says of which kind the module is"),
            Reason::NeededBy(name) => write!(f, "{name} needs it on every device"),
            Reason::Implied => f.write_str("a capability that stays implies it"),
            Reason::Together => f.write_str("each device needs it for one thing or another"),
        }
    }
}

/// Something that deserves the user's attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// A conditional caller that nothing calls.
    Uncalled(String),
    /// A function that has a condition by an annotation, and that nothing calls.
    NeverCalled(String),
    /// A variable in an interface whose type needs something that only gated code needs otherwise: the variable, and the
    /// capabilities.
    Interface(String, Vec<String>),
    /// No function of the module has a name, so that no conditional caller can be known.
    Nameless,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Uncalled(name) => write!(
                f,
                "{name} is never called: if it was written to be, a compiler has inlined it and its code is \
                 unconditional now. Keep it from being inlined"
            ),
            Warning::NeverCalled(name) => {
                write!(f, "{name} has a condition, and nothing calls it: the condition is of its calls")
            }
            Warning::Interface(variable, capabilities) => write!(
                f,
                "{variable} has a place in the interface of an entry point, so it stays on every device, and its type \
                 needs {}",
                capabilities.join(" and ")
            ),
            Warning::Nameless => f.write_str(
                "its functions have no names, by which conditional calls are found: compile with names (`naga -g`), pack before \
                 they are stripped, or name functions by their ids in an annotations file",
            ),
        }
    }
}

/// A function's name, as a person reads it if it is mangled: of a lambda, little could be told else.
fn readable(names: &Names, function: u32) -> String {
    let name = names.function_name(function);
    if name.raw().starts_with("_Z") { name.to_string() } else { names.display(function) }
}

impl Summary {
    /// Fills in what gates and conditions tell, once all is decided.
    pub(super) fn finish(
        &mut self,
        presence: &mut PresenceConditions,
        calls: &ConditionalCalls,
        names: &Names,
    ) -> Result<(), PackError> {
        for call in &calls.calls {
            if presence.of(call.holder).is_false() {
                continue; // of a function that goes
            }
            let condition = presence.conditions.of_expr(&call.condition)?;
            let condition = presence.conditions.expr_of(condition)?;
            self.calls.push((readable(names, call.holder), readable(names, call.function), condition));
        }
        for (name, present_when) in std::mem::take(&mut self.conditional_declarations) {
            self.conditional.push((name, presence.conditions.expr_of(present_when)?));
        }
        self.conditional_exports = presence.conditional_exports.iter().map(|&id| names.display(id)).collect();
        for (variable, parts) in &presence.interface_only {
            let of_parts = |required_when: &DeclarationUse| {
                required_when.required_by.is_some_and(|id| parts.contains(&id))
            };
            let capabilities = presence
                .declaration_uses
                .capabilities
                .iter()
                .filter(|(_, required_when)| of_parts(required_when));
            let capabilities: Vec<String> =
                capabilities.map(|(capability, _)| format!("{capability:?}")).collect();
            if !capabilities.is_empty() {
                self.warnings.push(Warning::Interface(names.display(*variable), capabilities));
            }
        }
        Ok(())
    }
}
