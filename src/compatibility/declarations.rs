//! What a module declares that it needs: what a driver goes by that accepts or refuses it.

use std::collections::BTreeMap;

use spirv::Op;

use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::{Analyses, AnalysisError, DeviceRequirement, closure};
use crate::condition::{Expr, Leaf};
use crate::loader::Module;
use crate::transform::trim::{Trimmed, trim};

/// What a module declares, or one of its entry points.
///
/// A declaration counts where its condition holds. [`Leaf::Constant`] in a condition stands for a constant of the module:
/// only [`super::Fits::of_module`] can tell its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Declarations {
    /// The version of SPIR-V, major and minor.
    pub version: (u8, u8),
    /// The capabilities, by number, in ascending order. What they imply need not be listed.
    pub capabilities: Vec<(u32, Expr)>,
    /// The extensions, in alphabetical order.
    pub extensions: Vec<(String, Expr)>,
    /// How many work-items a work-group must have.
    pub work_group_size: Option<u64>,
    /// The aspects that an entry point requires, and the sizes of sub-groups.
    pub needs: Vec<(DeviceRequirement, Expr)>,
}

impl Declarations {
    /// What a module declares as it stands.
    pub fn as_is(module: &Module) -> Declarations {
        let mut found = Found::default();
        for inst in module.globals() {
            match inst.op() {
                Some(Op::Capability) => found.capability(inst.word(1), Expr::True),
                Some(Op::Extension) => found.extension(inst.string(1).into_owned(), Expr::True),
                Some(Op::ConditionalCapabilityINTEL) => {
                    found.capability(inst.word(2), Leaf::Constant(inst.word(1)).into());
                }
                Some(Op::ConditionalExtensionINTEL) => {
                    found.extension(inst.string(2).into_owned(), Leaf::Constant(inst.word(1)).into());
                }
                Some(Op::MemoryModel) => break,
                _ => {}
            }
        }
        found.finish(module)
    }

    /// What is left of that on a device once the module is packed and specialized for it: what nothing needs is gone, what
    /// only conditional code needs is declared where its condition holds, and what declares the extension of multi-target
    /// modules itself goes when everything is decided.
    ///
    /// # Errors
    /// Where the module cannot be packed.
    pub fn after_pack(analyses: &Analyses) -> Result<Declarations, AnalysisError> {
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        if analyses.calls()?.is_empty() {
            return Ok(Declarations::after_trim(module, multi_target, &trim(module)));
        }
        let mut found = Found::default();
        found.packed(analyses)?;
        Ok(found.conditional(module, multi_target))
    }

    /// What is left of a module without conditional calls, once what nothing needs is gone, as [`trim`] finds it.
    pub fn after_trim(module: &Module, multi_target: &MultiTarget, trimmed: &Trimmed) -> Declarations {
        let mut found = Found::default();
        found.trimmed(module, multi_target, trimmed);
        found.conditional(module, multi_target)
    }

    /// The same with what an entry point requires beside.
    pub fn with_needs(
        &self,
        work_group_size: Option<u64>,
        needs: Vec<(DeviceRequirement, Expr)>,
    ) -> Declarations {
        Declarations { work_group_size, needs, ..self.clone() }
    }

    /// Whether a condition depends on constants of the module.
    pub fn has_constants(&self) -> bool {
        let of_capabilities = self.capabilities.iter().map(|(_, when)| when);
        let of_extensions = self.extensions.iter().map(|(_, when)| when);
        let of_needs = self.needs.iter().map(|(_, when)| when);
        let mut conditions = of_capabilities.chain(of_extensions).chain(of_needs);
        conditions.any(|when| when.leaves().iter().any(|leaf| matches!(leaf, Leaf::Constant(_))))
    }
}

/// Declarations while they are found. Each counts once.
#[derive(Default)]
struct Found {
    capabilities: BTreeMap<u32, Expr>,
    extensions: BTreeMap<String, Expr>,
}

impl Found {
    fn capability(&mut self, number: u32, when: Expr) {
        let known = self.capabilities.remove(&number);
        self.capabilities.insert(number, or(known, when));
    }

    fn extension(&mut self, name: String, when: Expr) {
        let known = self.extensions.remove(&name);
        self.extensions.insert(name, or(known, when));
    }

    /// What `trim` leaves of the unconditional declarations.
    fn trimmed(&mut self, module: &Module, multi_target: &MultiTarget, trimmed: &Trimmed) {
        let gone: Vec<u32> = trimmed.capabilities.iter().map(|&capability| capability as u32).collect();
        for inst in module.head().filter(|inst| !multi_target.declarations.contains(&inst.offset())) {
            match inst.op() {
                Some(Op::Capability) if !gone.contains(&inst.word(1)) => {
                    self.capability(inst.word(1), Expr::True);
                }
                Some(Op::Extension) if !trimmed.extensions.iter().any(|name| inst.string(1) == *name) => {
                    self.extension(inst.string(1).into_owned(), Expr::True);
                }
                _ => {}
            }
        }
    }

    /// What `pack` makes of the unconditional declarations: each where it is needed, and so what they imply; those that we
    /// cannot judge, everywhere.
    fn packed(&mut self, analyses: &Analyses) -> Result<(), AnalysisError> {
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        let presence = analyses.presence()?;
        let mut conditions = presence.conditions.clone();
        for inst in module.head().filter(|inst| !multi_target.declarations.contains(&inst.offset())) {
            match inst.op() {
                Some(Op::Capability) => {
                    let implied = closure(std::iter::once(inst.word(1)));
                    // One that the grammar does not have implies only others.
                    if spirv::Capability::from_u32(inst.word(1)).is_none() {
                        self.capability(inst.word(1), Expr::True);
                    }
                    for capability in implied {
                        let present_when = presence
                            .declaration_uses
                            .capability(capability)
                            .map(|required_when| required_when.present_when);
                        let when = present_when
                            .map_or(Ok(Expr::True), |present_when| conditions.expr_of(present_when))?;
                        self.capability(capability as u32, when);
                    }
                }
                Some(Op::Extension) => {
                    let name = inst.string(1).into_owned();
                    let present_when = presence
                        .declaration_uses
                        .extension(&name)
                        .map(|required_when| required_when.present_when);
                    let when = present_when
                        .map_or(Ok(Expr::True), |present_when| conditions.expr_of(present_when))?;
                    self.extension(name, when);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// With what the module declares under a condition already.
    fn conditional(mut self, module: &Module, multi_target: &MultiTarget) -> Declarations {
        for &offset in &multi_target.capabilities {
            let inst = module.instruction(offset);
            self.capability(inst.word(2), Leaf::Constant(inst.word(1)).into());
        }
        for &offset in &multi_target.extensions {
            let inst = module.instruction(offset);
            self.extension(inst.string(2).into_owned(), Leaf::Constant(inst.word(1)).into());
        }
        self.finish(module)
    }

    fn finish(self, module: &Module) -> Declarations {
        let there = |when: &Expr| *when != Expr::False;
        Declarations {
            version: module.version(),
            capabilities: self.capabilities.into_iter().filter(|(_, when)| there(when)).collect(),
            extensions: self.extensions.into_iter().filter(|(_, when)| there(when)).collect(),
            ..Declarations::default()
        }
    }
}

/// Where either holds, or what is new if there is nothing yet.
fn or(known: Option<Expr>, when: Expr) -> Expr {
    match known {
        Some(known) if known == when || known == Expr::True => known,
        Some(known) if when != Expr::True => Expr::Or(Box::new(known), Box::new(when)),
        _ => when,
    }
}
