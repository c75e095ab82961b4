//! Declaration uses: the conditions under which the declarations of a module are required.

use crate::analysis::requirements::{
    InstructionRequirements, Requirement, RequirementId, RequirementSet, closure, is_always_kept, is_judged,
    is_judged_extension,
};
use crate::collections::sort;
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::loader::Module;

/// The use of a declaration.
#[derive(Clone, Copy, Debug)]
pub struct DeclarationUse {
    /// The condition under which it is required.
    pub present_when: ConditionId,
    /// An id that requires it unconditionally: of a function, a definition or a decorated id.
    pub required_by: Option<u32>,
}

impl DeclarationUse {
    const NEVER: DeclarationUse = DeclarationUse { present_when: ConditionId::FALSE, required_by: None };

    /// Adds a use.
    fn join(&mut self, other: DeclarationUse, conditions: &mut Conditions) -> Result<(), ConditionError> {
        self.present_when = conditions.or(self.present_when, other.present_when)?;
        if other.present_when.is_true() {
            self.required_by = self.required_by.or(other.required_by);
        }
        Ok(())
    }
}

/// The uses of all requirements, by number.
pub(crate) struct RequirementUses(Vec<DeclarationUse>);

impl RequirementUses {
    /// Creates an empty list.
    pub fn new() -> RequirementUses {
        RequirementUses(vec![DeclarationUse::NEVER; crate::analysis::requirements::count()])
    }

    /// Adds uses of all requirements of a set where a condition holds.
    pub fn add(
        &mut self,
        set: &RequirementSet,
        present_when: ConditionId,
        required_by: Option<u32>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        set.iter().try_for_each(|id| {
            self.0[id.index()].join(DeclarationUse { present_when, required_by }, conditions)
        })
    }

    fn get(&self, id: RequirementId) -> DeclarationUse {
        self.0[id.index()]
    }

    fn iter(&self) -> impl Iterator<Item = RequirementId> {
        RequirementId::all().filter(|&id| !self.get(id).present_when.is_false())
    }
}

/// The uses of the capabilities and extensions that a module declares unconditionally.
#[derive(Default)]
pub struct DeclarationUses {
    /// The capabilities that are judged, including implied ones.
    pub capabilities: Vec<(u32, DeclarationUse)>,
    /// The extensions that are judged.
    pub extensions: Vec<(String, DeclarationUse)>,
    /// The aspects that types and functions require by themselves, and when.
    pub aspects: Vec<(u32, ConditionId)>,
}

impl DeclarationUses {
    /// Finds the uses of the declarations of a module. An instruction that accepts any of several uses all declared ones, unless they are
    /// required wherever it is present. Of declarations that imply each other, it uses only the weaker.
    pub(crate) fn compute(
        module: &Module,
        requirements: &InstructionRequirements,
        mut uses: RequirementUses,
        conditions: &mut Conditions,
    ) -> Result<DeclarationUses, ConditionError> {
        let declared = module.capabilities().filter(|declared| declared.condition().is_none());
        let listed: Vec<u32> = declared.map(|declared| declared.capability()).collect();
        let declared = closure(listed.iter().copied());
        // A capability that is only implied is not kept for its own sake.
        let always = |capability| {
            is_always_kept(capability) && (listed.contains(&capability) || !is_judged(capability))
        };
        let mut by_declaration =
            UsesByDeclaration::new(declared.iter().map(|&capability| !always(capability)));
        let capabilities = uses.iter().filter_map(|id| match id.get() {
            Requirement::Capabilities(any) => Some((uses.get(id), weakest(&declared, any))),
            Requirement::Extensions(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        });
        by_declaration.add_all(capabilities.collect(), conditions)?;
        let mut declaration_uses = DeclarationUses::default();
        for (&capability, by) in declared.iter().zip(by_declaration.by_declaration) {
            let mut set = RequirementSet::EMPTY;
            requirements.declaring(capability, &mut set);
            uses.add(&set, by.present_when, by.required_by, conditions)?;
            if is_judged(capability) {
                declaration_uses.capabilities.push((capability, by));
            }
        }
        declaration_uses.extensions(module, &uses, conditions)?;
        let aspects = uses.iter().filter_map(|id| match id.get() {
            Requirement::Aspect(aspect) => Some((*aspect, uses.get(id).present_when)),
            Requirement::Capabilities(_) | Requirement::Extensions(_) | Requirement::Feature(_) => None,
        });
        declaration_uses.aspects = aspects.collect();
        Ok(declaration_uses)
    }

    fn extensions(
        &mut self,
        module: &Module,
        uses: &RequirementUses,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let declared = module.extensions().filter(|declared| declared.condition().is_none());
        let mut declared: Vec<String> = declared.map(|declared| declared.name().into_owned()).collect();
        sort(&mut declared);
        declared.dedup();
        let mut by_declaration =
            UsesByDeclaration::new(declared.iter().map(|name| is_judged_extension(name)));
        let extensions = uses.iter().filter_map(|id| match id.get() {
            Requirement::Extensions(any) => {
                let meets = |at: &usize| any.contains(&declared[*at].as_str());
                Some((uses.get(id), (0..declared.len()).filter(meets).collect()))
            }
            Requirement::Capabilities(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        });
        by_declaration.add_all(extensions.collect(), conditions)?;
        let judged = declared
            .into_iter()
            .zip(by_declaration.by_declaration)
            .filter(|(name, _)| is_judged_extension(name));
        self.extensions = judged.collect();
        Ok(())
    }

    /// Returns the use of a capability; `None` if it cannot be judged or is not declared.
    pub fn capability(&self, capability: u32) -> Option<DeclarationUse> {
        self.capabilities
            .iter()
            .find(|(number, _)| *number == capability)
            .map(|&(_, by_declaration)| by_declaration)
    }

    /// Returns the use of an extension; `None` if it cannot be judged or is not declared.
    pub fn extension(&self, name: &str) -> Option<DeclarationUse> {
        self.extensions
            .iter()
            .find(|(extension, _)| extension == name)
            .map(|&(_, by_declaration)| by_declaration)
    }
}

/// Returns the indexes of the declared capabilities that meet a requirement, without capabilities that imply another one.
fn weakest(declared: &[u32], any: &[u32]) -> Vec<usize> {
    let meets: Vec<usize> = (0..declared.len()).filter(|&at| any.contains(&declared[at])).collect();
    let implies_another = |at: usize| {
        let implied = closure(std::iter::once(declared[at]));
        meets.iter().any(|&other| other != at && implied.contains(&declared[other]))
    };
    meets.iter().copied().filter(|&at| meets.len() == 1 || !implies_another(at)).collect()
}

/// The uses of declarations, while requirements are assigned to them.
struct UsesByDeclaration {
    by_declaration: Vec<DeclarationUse>,
}

impl UsesByDeclaration {
    /// Creates declarations without uses. Those that cannot be judged are required unconditionally.
    fn new(judged: impl Iterator<Item = bool>) -> UsesByDeclaration {
        let always = DeclarationUse { present_when: ConditionId::TRUE, required_by: None };
        UsesByDeclaration {
            by_declaration: judged
                .map(|judged| if judged { DeclarationUse::NEVER } else { always })
                .collect(),
        }
    }

    /// Adds the uses of requirements, each with its alternative declarations.
    fn add_all(
        &mut self,
        requirements: Vec<(DeclarationUse, Vec<usize>)>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let (one, several): (Vec<_>, Vec<_>) =
            requirements.into_iter().partition(|(_, meets)| meets.len() == 1);
        for (requirement, meets) in &one {
            self.by_declaration[meets[0]].join(*requirement, conditions)?;
        }
        for (requirement, meets) in &several {
            let mut covered = ConditionId::FALSE;
            for &at in meets {
                covered = conditions.or(covered, self.by_declaration[at].present_when)?;
            }
            if !conditions.implies(requirement.present_when, covered)? {
                meets.iter().try_for_each(|&at| self.by_declaration[at].join(*requirement, conditions))?;
            }
        }
        Ok(())
    }
}
