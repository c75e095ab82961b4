//! The summary of packing, for users.

use std::collections::BTreeMap;
use std::fmt;

use super::PackError;
use crate::analysis::{ConditionalCalls, DeclarationUse, Names, PresenceConditions};
use crate::condition::{ConditionId, Expr};
use crate::device::unknown::UnknownLeaf;
use crate::device::{Capability, DeviceNames};

/// A summary of the changes by packing.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Conditional calls: the function that holds each, its callee, and the condition in canonical form.
    pub calls: Vec<(String, String, Expr)>,
    /// The number of removed calls, which are never taken.
    pub never_taken: usize,
    /// The number of ids that got a condition.
    pub decorated: usize,
    /// Capabilities and extensions that became conditional, with the condition in canonical form.
    pub conditional: Vec<(String, Expr)>,
    /// Unconditional capabilities and extensions, with the reasons.
    pub unconditional: Vec<Unconditional>,
    /// Removed capabilities and extensions, which no code requires.
    pub removed_declarations: Vec<String>,
    /// Removed functions, which no code calls, except conditional callers.
    pub removed_functions: Vec<String>,
    /// Exported functions and variables that became conditional or are removed, because this module calls them itself.
    pub conditional_exports: Vec<String>,
    /// Warnings for the user.
    pub warnings: Vec<PackWarning>,
    pub(super) conditional_declarations: Vec<(String, ConditionId)>,
}

/// An unconditional capability or extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconditional {
    /// Name of the capability or extension.
    pub declaration: String,
    /// The reason that it is not conditional.
    pub reason: UnconditionalReason,
}

/// The reason that a capability or extension is unconditional.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnconditionalReason {
    /// The rules of the instructions that require it are not complete.
    NoCompleteRules,
    /// The capability determines the kind of module.
    KindOfModule,
    /// Unconditional code requires it; the name of that code.
    RequiredBy(String),
    /// An unconditional capability implies it.
    Implied,
    /// Conditional code requires it, and every device has some of that code.
    Together,
}

impl fmt::Display for UnconditionalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnconditionalReason::NoCompleteRules => {
                f.write_str("the rules for what requires it are incomplete")
            }
            UnconditionalReason::KindOfModule => f.write_str("it determines the kind of module"),
            UnconditionalReason::RequiredBy(name) => write!(f, "{name} requires it on every device"),
            UnconditionalReason::Implied => f.write_str("an unconditional capability implies it"),
            UnconditionalReason::Together => f.write_str("on every device some code requires it"),
        }
    }
}

/// A warning for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackWarning {
    /// A conditional caller without calls.
    Uncalled(String),
    /// A function with a condition by an annotation, without calls.
    NeverCalled(String),
    /// A variable in an interface whose type requires capabilities that otherwise only conditional code requires: the variable, and
    /// the capabilities.
    Interface(String, Vec<String>),
    /// A function that requires features on every device only for the preparation of the arguments of a conditional
    /// call: the function, its callee, and the features.
    Preparation(String, String, Vec<String>),
    /// A variable that is read where neither a conditional call nor anything else writes it: its value is undefined
    /// there.
    Unwritten {
        /// The function that holds the variable and the call.
        caller: String,
        /// The function that writes it.
        callee: String,
        /// The parameter by which it does.
        parameter: String,
        /// The condition under which the variable is written.
        condition: String,
    },
    /// A condition names a feature that the table of its provider does not have.
    Unknown(UnknownLeaf),
    /// Code under a condition requires features that the condition does not imply.
    NotImplied {
        /// The condition.
        condition: Expr,
        /// Names of the capabilities and Vulkan features.
        requirements: Vec<String>,
        /// The condition that implies them too.
        wanted: Expr,
    },
    /// No function of the module has a name, so that conditional callers cannot be recognized.
    Nameless,
    /// A feature that cannot be lowered, so that devices without it do not run the module: the reason.
    NotLowered(String),
    /// The module has constructs of SPV_INTEL_function_variants, and not these declarations, which they require.
    Undeclared(Vec<String>),
}

impl fmt::Display for PackWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackWarning::Uncalled(name) => write!(
                f,
                "{name} is never called: if a compiler inlined its calls, their code is unconditional now. Prevent the \
                 inlining"
            ),
            PackWarning::NeverCalled(name) => {
                write!(f, "{name} has a condition but is never called: the condition would apply to its calls")
            }
            PackWarning::Interface(variable, capabilities) => write!(
                f,
                "{variable} has a place in the interface of an entry point, so it is kept on every device, and its type \
                 requires {}",
                capabilities.join(" and ")
            ),
            PackWarning::Preparation(caller, callee, features) => write!(
                f,
                "{caller} requires {} on every device, only for an argument of {callee}, which it calls under a condition: compute the \
                 argument right before the call, or in {callee}",
                features.join(" and ")
            ),
            PackWarning::Unwritten { caller, callee, parameter, condition } => write!(
                f,
                "{caller} reads what {callee} writes to its parameter `{parameter}`, and only that writes it, so that the value is undefined \
                 where {condition} does not hold: pass a variable that is written before the call (GLSL and HLSL: declare the parameter \
                 inout, and initialize its argument)"
            ),
            PackWarning::Unknown(leaf) => write!(f, "{leaf}"),
            PackWarning::NotImplied { condition, requirements, wanted } => {
                let (are, them) = if requirements.len() == 1 { ("is", "it") } else { ("are", "them") };
                write!(
                    f,
                    "{} {are} required where {}, which does not imply {them}: devices without {them} do not run the module. To leave \
                     the code out on them, write the condition `{}`",
                    requirements.join(" and "),
                    condition.display(&DeviceNames),
                    wanted.display(&DeviceNames)
                )
            }
            PackWarning::Nameless => f.write_str(
                "its functions have no names, which identify conditional calls: compile with names (`naga -g`), pack before \
                 names are stripped, or name functions by their ids in an annotations file",
            ),
            PackWarning::NotLowered(reason) => write!(f, "devices without a feature do not run the module: {reason}"),
            PackWarning::Undeclared(declarations) => write!(
                f,
                "the module is invalid, as it does not declare what its conditional constructs require: {}",
                declarations.join(" and ")
            ),
        }
    }
}

/// Returns the name of a function, demangled if it is mangled.
fn readable(names: &Names, function: u32) -> String {
    let name = names.function_name(function);
    if name.raw().starts_with("_Z") { name.to_string() } else { names.display(function) }
}

impl Summary {
    /// Adds the results that depend on the final presence conditions.
    pub(super) fn finish(
        &mut self,
        presence: &mut PresenceConditions,
        calls: &ConditionalCalls,
        names: &Names,
        outlined: &BTreeMap<u32, u32>,
    ) -> Result<(), PackError> {
        for call in &calls.calls {
            // In a removed function; or in one that is called in its place.
            if presence.condition(call.holder).is_false() || outlined.contains_key(&call.holder) {
                continue;
            }
            let function = outlined.get(&call.function).copied().unwrap_or(call.function);
            let condition = presence.conditions.of_expr(&call.condition)?;
            let condition = presence.conditions.expr_of(condition)?;
            self.calls.push((readable(names, call.holder), readable(names, function), condition));
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
                capabilities.map(|(capability, _)| Capability(*capability).to_string()).collect();
            if !capabilities.is_empty() {
                self.warnings.push(PackWarning::Interface(names.display(*variable), capabilities));
            }
        }
        Ok(())
    }
}
