//! Decisions about capabilities and extensions: they are kept, removed or made conditional, or declared because the capability that
//! implied them became conditional.

use std::collections::HashSet;

use spirv::{Capability, Op};

use super::plan::PackPlan;
use super::summary::{Unconditional, UnconditionalReason};
use super::{Dialect, PackContext, PackError};
use crate::analysis::closure;
use crate::analysis::conditions::multi_target::{DRAFT_EXTENSION, EXTENSION};
use crate::analysis::requirements::is_always_kept;
use crate::collections::IdMap;
use crate::condition::ConditionId;
use crate::device;
use crate::loader::{Module, literal, views};
use crate::transform::NewInstruction;
use crate::transform::condition_constants;

/// Decides about every capability and extension.
pub fn decide(context: &mut PackContext, plan: &mut PackPlan) -> Result<(), PackError> {
    let mut declarations = Declarations::read(context)?;
    declarations.capabilities(context, plan)?;
    declarations.extensions(context, plan)
}

struct Declarations {
    /// The presence conditions of capabilities with complete rules.
    presence: IdMap<ConditionId>,
    /// Unconditional capabilities, with all that they imply.
    unconditional: HashSet<u32>,
}

impl Declarations {
    fn read(context: &PackContext) -> Result<Declarations, PackError> {
        let presence: IdMap<ConditionId> = context
            .presence
            .declaration_uses
            .capabilities
            .iter()
            .map(|(capability, required_when)| (*capability, required_when.present_when))
            .collect();
        let multi_target_capabilities = [Capability::SpecConditionalINTEL, Capability::FunctionVariantsINTEL];
        let is_unconditional = |number: &u32| {
            if multi_target_capabilities.iter().any(|&capability| capability as u32 == *number) {
                return true; // conditions require it
            }
            presence.get(number).is_none_or(|present_when| present_when.is_true())
        };
        let unconditional = closure(declared(context.module).filter(is_unconditional)).into_iter().collect();
        Ok(Declarations { presence, unconditional })
    }

    fn capabilities(&mut self, context: &mut PackContext, plan: &mut PackPlan) -> Result<(), PackError> {
        let mut implied: Vec<(u32, ConditionId)> = Vec::new();
        let module = context.module;
        let mut seen = HashSet::new();
        for inst in module.capabilities().filter(|inst| inst.condition().is_none()) {
            let capability = inst.capability();
            if !seen.insert(capability) {
                // Linkers may declare one twice.
                if !self.unconditional.contains(&capability) {
                    context.edits.drop(&inst);
                }
                continue;
            }
            if self.unconditional.contains(&capability) {
                let reason = self.reason(context, capability);
                let declaration = device::Capability(capability).to_string();
                context.summary.unconditional.push(Unconditional { declaration, reason });
                continue;
            }
            let present_when = self.presence[&capability];
            context.edits.drop(&inst);
            if present_when.is_false() {
                context.summary.removed_declarations.push(device::Capability(capability).to_string());
            } else {
                self.conditional(context, plan, capability, present_when);
            }
            implied.extend(
                closure(std::iter::once(capability))
                    .into_iter()
                    .skip(1)
                    .map(|implied| (implied, present_when)),
            );
        }
        self.implied(context, plan, implied)
    }

    /// Declares capabilities that code requires and that only a conditional capability implied.
    fn implied(
        &mut self,
        context: &mut PackContext,
        plan: &mut PackPlan,
        implied: Vec<(u32, ConditionId)>,
    ) -> Result<(), PackError> {
        let declared: HashSet<u32> = declared(context.module).collect();
        let mut seen = HashSet::new();
        for &(capability, _) in &implied {
            if declared.contains(&capability)
                || self.unconditional.contains(&capability)
                || !seen.insert(capability)
            {
                continue;
            }
            let present_when = self.presence.get(&capability).copied().unwrap_or(ConditionId::TRUE);
            let conditions = &mut context.presence.conditions;
            let mut covered = ConditionId::FALSE;
            for &(_, by) in implied.iter().filter(|(other, _)| *other == capability) {
                covered = conditions.or(covered, by)?;
            }
            if present_when.is_true() {
                let operands = vec![capability];
                context.edits.insert(
                    context.points.capabilities,
                    &NewInstruction::new(Op::Capability, None, None, operands),
                );
                self.unconditional.insert(capability);
            } else if !conditions.implies(present_when, covered)? {
                self.conditional(context, plan, capability, present_when);
            }
        }
        Ok(())
    }

    fn conditional(
        &self,
        context: &mut PackContext,
        plan: &mut PackPlan,
        capability: u32,
        present_when: ConditionId,
    ) {
        let operands = vec![capability];
        let inst = NewInstruction::new(Op::ConditionalCapabilityINTEL, None, None, operands);
        plan.capabilities.push((inst, present_when));
        context
            .summary
            .conditional_declarations
            .push((device::Capability(capability).to_string(), present_when));
    }

    /// Returns the reason that a capability is unconditional.
    fn reason(&self, context: &PackContext, capability: u32) -> UnconditionalReason {
        match context.presence.declaration_uses.capability(capability) {
            None => UnconditionalReason::NoCompleteRules,
            Some(required_when) => match required_when.required_by {
                Some(id) => UnconditionalReason::RequiredBy(user(context, id)),
                None if is_always_kept(capability) => UnconditionalReason::KindOfModule,
                None if required_when.present_when.is_true() => UnconditionalReason::Together,
                None => UnconditionalReason::Implied,
            },
        }
    }

    /// Decides about extensions: one is required where a capability that it adds is, or other code requires it.
    fn extensions(&self, context: &mut PackContext, plan: &mut PackPlan) -> Result<(), PackError> {
        let module = context.module;
        let mut conditional = HashSet::new();
        for inst in module.extensions().filter(|inst| inst.condition().is_none()) {
            let name = inst.name().into_owned();
            if conditional.contains(&name) {
                context.edits.drop(&inst);
                continue;
            }
            let required_when = context.presence.declaration_uses.extension(&name);
            let mut present_when =
                required_when.map_or(ConditionId::TRUE, |required_when| required_when.present_when);
            if name == EXTENSION || name == DRAFT_EXTENSION {
                present_when = ConditionId::TRUE;
            }
            if present_when.is_true() {
                let reason = match required_when.map(|required_when| required_when.required_by) {
                    None => UnconditionalReason::NoCompleteRules,
                    Some(Some(id)) => UnconditionalReason::RequiredBy(user(context, id)),
                    Some(None) => UnconditionalReason::Together,
                };
                context.summary.unconditional.push(Unconditional { declaration: name, reason });
                continue;
            }
            context.edits.drop(&inst);
            conditional.insert(name.clone());
            if present_when.is_false() {
                context.summary.removed_declarations.push(name);
                continue;
            }
            let conditional = NewInstruction::new(Op::ConditionalExtensionINTEL, None, None, literal(&name));
            plan.extensions.push((conditional, present_when));
            context.summary.conditional_declarations.push((name, present_when));
        }
        Ok(())
    }
}

/// Returns the user of a capability in messages: its name, or else its opcode and id.
fn user(context: &PackContext, id: u32) -> String {
    if id == 0 {
        return "the memory model".to_owned();
    }
    let name = context.names.display(id);
    match context.module.definition(id) {
        Some(inst) if name.starts_with('%') => format!("{} {name}", inst.name()),
        _ => name,
    }
}

/// Returns the numbers of the capabilities that are declared unconditionally: the grammar does not have all of them.
pub fn declared(module: &Module) -> impl Iterator<Item = u32> {
    let unconditional = module.capabilities().filter(|inst| inst.condition().is_none());
    unconditional.map(views::Capability::capability)
}

/// Declares the capabilities that the capabilities of device constants imply.
pub fn decide_leaves(context: &mut PackContext, plan: &mut PackPlan) -> Result<(), PackError> {
    let conditional = plan.capabilities.iter().flat_map(|(inst, _)| inst.operands.first());
    let declared = closure(declared(context.module).chain(conditional.copied()));
    let conditions = plan.conditions();
    for (implied, present_when) in
        condition_constants::implied_by_leaves(conditions, declared, &mut context.presence.conditions)?
    {
        let operands = vec![implied];
        plan.capabilities
            .push((NewInstruction::new(Op::ConditionalCapabilityINTEL, None, None, operands), present_when));
    }
    Ok(())
}

/// Declares the capability for conditional code, unless the module does so already.
pub fn declare_capability(context: &mut PackContext, dialect: Dialect) {
    let capability = match dialect {
        Dialect::SpecConditional => Capability::SpecConditionalINTEL,
        Dialect::FunctionVariants => Capability::FunctionVariantsINTEL,
    };
    if !closure(declared(context.module)).contains(&(capability as u32)) {
        let operands = vec![capability as u32];
        context
            .edits
            .insert(context.points.capabilities, &NewInstruction::new(Op::Capability, None, None, operands));
    }
}

/// Declares the extension itself, unless the module does so already.
pub fn declare_extension(context: &mut PackContext) {
    let mut extensions = context.module.extensions().filter(|inst| inst.condition().is_none());
    if !extensions.any(|inst| inst.name() == EXTENSION) {
        let inst = NewInstruction::new(Op::Extension, None, None, literal(EXTENSION));
        context.edits.insert(context.points.extensions, &inst);
    }
}
