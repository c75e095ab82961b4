//! Which declarations are charged with what code requires, and so when each declaration is needed.

use spirv::{Capability, Op};

use crate::analysis::requirements::{
    Needs, Requirement, RequirementId, RequirementSet, closure, is_judged, is_judged_extension, stays,
};
use crate::condition::{Condition, ConditionError, Conditions};
use crate::loader::Module;

/// When a declaration is needed.
#[derive(Clone, Copy, Debug)]
pub struct DeclarationUse {
    /// The condition.
    pub present_when: Condition,
    /// Something that needs it everywhere: a function, a definition or a decorated id.
    pub required_by: Option<u32>,
}

impl DeclarationUse {
    const NEVER: DeclarationUse = DeclarationUse { present_when: Condition::FALSE, required_by: None };

    /// Adds a need.
    fn join(&mut self, other: DeclarationUse, conditions: &mut Conditions) -> Result<(), ConditionError> {
        self.present_when = conditions.or(self.present_when, other.present_when)?;
        if other.present_when.is_true() {
            self.required_by = self.required_by.or(other.required_by);
        }
        Ok(())
    }
}

/// When the requirements of a module are there.
pub(crate) struct Required(Vec<DeclarationUse>);

impl Required {
    /// None yet.
    pub fn new() -> Required {
        Required(vec![DeclarationUse::NEVER; crate::analysis::requirements::count()])
    }

    /// Something needs all of a set where a condition holds.
    pub fn add(
        &mut self,
        set: &RequirementSet,
        present_when: Condition,
        required_by: Option<u32>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        set.iter().try_for_each(|id| {
            self.0[id.index()].join(DeclarationUse { present_when, required_by }, conditions)
        })
    }

    fn of(&self, id: RequirementId) -> DeclarationUse {
        self.0[id.index()]
    }

    fn iter(&self) -> impl Iterator<Item = RequirementId> {
        RequirementId::all().filter(|&id| !self.of(id).present_when.is_false())
    }
}

/// When the capabilities and extensions are needed that a module declares unconditionally.
#[derive(Default)]
pub struct DeclarationUses {
    /// The capabilities that are judged, those that a declared one implies included.
    pub capabilities: Vec<(Capability, DeclarationUse)>,
    /// The extensions that are judged.
    pub extensions: Vec<(String, DeclarationUse)>,
    /// The aspects that types and functions need by themselves, and when.
    pub aspects: Vec<(u32, Condition)>,
}

impl DeclarationUses {
    /// Charges the declarations of a module. Where an instruction accepts any of several, all that are declared are charged,
    /// unless they are needed anyway whenever it is; of those that imply each other, only the weaker.
    pub(crate) fn compute(
        module: &Module,
        needs: &Needs,
        mut required: Required,
        conditions: &mut Conditions,
    ) -> Result<DeclarationUses, ConditionError> {
        let declared = module.head().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1));
        let own: Vec<u32> = declared.collect();
        let declared = closure(own.iter().copied());
        // What is only implied is not declared for its own sake.
        let always =
            |capability| stays(capability) && (own.contains(&(capability as u32)) || !is_judged(capability));
        let mut required_when = Charging::new(declared.iter().map(|&capability| !always(capability)));
        let capabilities = required.iter().filter_map(|id| match id.get() {
            Requirement::Capabilities(any) => Some((required.of(id), weakest(&declared, any))),
            Requirement::Extensions(_) | Requirement::Aspect(_) => None,
        });
        required_when.charge_all(capabilities.collect(), conditions)?;
        let mut declaration_uses = DeclarationUses::default();
        for (&capability, by) in declared.iter().zip(required_when.required_when) {
            let mut set = RequirementSet::EMPTY;
            needs.declaring(capability, &mut set);
            required.add(&set, by.present_when, by.required_by, conditions)?;
            if is_judged(capability) {
                declaration_uses.capabilities.push((capability, by));
            }
        }
        declaration_uses.extensions(module, &required, conditions)?;
        let aspects = required.iter().filter_map(|id| match id.get() {
            Requirement::Aspect(aspect) => Some((*aspect, required.of(id).present_when)),
            Requirement::Capabilities(_) | Requirement::Extensions(_) => None,
        });
        declaration_uses.aspects = aspects.collect();
        Ok(declaration_uses)
    }

    fn extensions(
        &mut self,
        module: &Module,
        required: &Required,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let declared = module.head().filter(|inst| inst.is(Op::Extension));
        let mut declared: Vec<String> = declared.map(|inst| inst.string(1).into_owned()).collect();
        declared.sort_unstable();
        declared.dedup();
        let mut required_when = Charging::new(declared.iter().map(|name| is_judged_extension(name)));
        let extensions = required.iter().filter_map(|id| match id.get() {
            Requirement::Extensions(any) => {
                let meets = |at: &usize| any.contains(&declared[*at].as_str());
                Some((required.of(id), (0..declared.len()).filter(meets).collect()))
            }
            Requirement::Capabilities(_) | Requirement::Aspect(_) => None,
        });
        required_when.charge_all(extensions.collect(), conditions)?;
        let judged = declared
            .into_iter()
            .zip(required_when.required_when)
            .filter(|(name, _)| is_judged_extension(name));
        self.extensions = judged.collect();
        Ok(())
    }

    /// When a capability is needed; `None` if that is not for us to judge, or it is not declared.
    pub fn capability(&self, capability: Capability) -> Option<DeclarationUse> {
        self.capabilities.iter().find(|(own, _)| *own == capability).map(|&(_, required_when)| required_when)
    }

    /// When an extension is needed; `None` if that is not for us to judge, or it is not declared.
    pub fn extension(&self, name: &str) -> Option<DeclarationUse> {
        self.extensions.iter().find(|(own, _)| own == name).map(|&(_, required_when)| required_when)
    }
}

/// The declared capabilities that meet a requirement, by index, without those that imply another of them.
fn weakest(declared: &[Capability], any: &[Capability]) -> Vec<usize> {
    let meets: Vec<usize> = (0..declared.len()).filter(|&at| any.contains(&declared[at])).collect();
    let implies_another = |at: usize| {
        let implied = closure(std::iter::once(declared[at] as u32));
        meets.iter().any(|&other| other != at && implied.contains(&declared[other]))
    };
    meets.iter().copied().filter(|&at| meets.len() == 1 || !implies_another(at)).collect()
}

/// Declarations while they are charged.
struct Charging {
    required_when: Vec<DeclarationUse>,
}

impl Charging {
    /// Those that are not judged are needed everywhere.
    fn new(judged: impl Iterator<Item = bool>) -> Charging {
        let always = DeclarationUse { present_when: Condition::TRUE, required_by: None };
        Charging {
            required_when: judged.map(|judged| if judged { DeclarationUse::NEVER } else { always }).collect(),
        }
    }

    /// Charges needs, each with the declarations any of which meets it.
    fn charge_all(
        &mut self,
        needs: Vec<(DeclarationUse, Vec<usize>)>,
        conditions: &mut Conditions,
    ) -> Result<(), ConditionError> {
        let (one, several): (Vec<_>, Vec<_>) = needs.into_iter().partition(|(_, meets)| meets.len() == 1);
        for (need, meets) in &one {
            self.required_when[meets[0]].join(*need, conditions)?;
        }
        for (need, meets) in &several {
            let mut covered = Condition::FALSE;
            for &at in meets {
                covered = conditions.or(covered, self.required_when[at].present_when)?;
            }
            if !conditions.implies(need.present_when, covered)? {
                meets.iter().try_for_each(|&at| self.required_when[at].join(*need, conditions))?;
            }
        }
        Ok(())
    }
}
