//! Adaptation: constructs that a device rejects are removed or replaced. The result computes the same, or something
//! else that the module permits. `spec-extensions/adaptations.csv` has the rules.

mod copy_logical;
mod local_size;
mod rewrite;
mod rotation;
pub mod table;

use std::collections::BTreeSet;
use std::fmt;

use rspirv::grammar::OperandKind;
use spirv::{Capability, Op};

use super::Edits;
use super::edits::NewInstruction;
use super::insertion::InsertionPoints;
use crate::analysis::requirements::{self, Requirement, RequirementId, closure, closure_of, is_core};
use crate::device::capabilities;
use crate::loader::grammar::versions::{self, VersionAddition};
use crate::loader::{Module, Version, literal};
use rewrite::Rewriting;
use table::{AdaptableConstruct, Adaptation, Substitute, adaptations};

/// The constructs that a target rejects.
pub struct Rejections<'r> {
    /// Returns true for a capability that is known to be rejected.
    pub capability: &'r dyn Fn(u32) -> bool,
    /// Returns true for an extension that is known to be rejected, in a module of a version.
    pub extension: &'r dyn Fn(&str, Version) -> bool,
    /// Returns true for a use of a Vulkan feature, by its name in `spec-extensions/vulkan-uses.csv`, that is known to be rejected.
    pub vulkan_use: &'r dyn Fn(&str) -> bool,
    /// The newest version of SPIR-V that the target accepts.
    pub version: Version,
}

/// The changes of [`adapt`].
pub struct AdaptResult {
    /// The changes to the module.
    pub edits: Edits,
    /// The version of SPIR-V that the result requires, if the module's is older.
    pub version: Option<Version>,
    /// The rows that were applied, each with the number of changed instructions or enumerants.
    pub applied: Vec<(&'static Adaptation, usize)>,
    /// The declared capabilities that the target rejects.
    pub rejected: BTreeSet<u32>,
    /// The capabilities that are declared in addition.
    pub capabilities: BTreeSet<u32>,
    /// The extensions that are declared in addition.
    pub extensions: BTreeSet<&'static str>,
}

/// A change that adapts a module to a device. It is displayed as a clause: "removed OpAssumeTrueKHR twice", "SPIR-V 1.6 became 1.4".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct AppliedAdaptation {
    /// The name of the construct: `OpExpectKHR`, `capability ShaderLayer`, `SPIR-V 1.6`.
    pub construct: String,
    /// The name of the construct that replaces it; `None` if it was removed.
    pub becomes: Option<String>,
    /// The number of changed places.
    pub count: usize,
}

impl fmt::Display for AppliedAdaptation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.becomes {
            Some(other) => write!(f, "{} became {other}", self.construct)?,
            None => write!(f, "removed {}", self.construct)?,
        }
        if self.count > 1 { write!(f, " ({} times)", self.count) } else { Ok(()) }
    }
}

/// Finds the changes to constructs that a target rejects. A construct counts as rejected if all its providers in the
/// module are.
///
/// Declarations that nothing requires any more stay.
pub fn adapt(module: &Module, rejections: &Rejections) -> AdaptResult {
    let mut adapting = Adapting::new(module, rejections);
    let mut applied: Vec<(&'static Adaptation, usize)> = Vec::new();
    for row in adaptations() {
        if adapting.add_twin(row) {
            applied.push((row, 1));
        }
    }
    let active: Vec<&'static Adaptation> =
        adaptations().iter().filter(|row| adapting.is_active(row)).collect();
    let mut edits = Edits::new(module);
    if !active.is_empty() {
        let rewritten = Rewriting::new(module, &active, &mut adapting).write(&mut edits);
        applied.extend(rewritten);
    }
    adapting.declare(&mut edits);
    let is_rejected = |&number: &u32| adapting.rejects_capability(number);
    let rejected = adapting.declared.iter().copied().filter(is_rejected).collect();
    let Adapting { version, capabilities, extensions, .. } = adapting;
    let version = (version > module.version()).then_some(version);
    AdaptResult { edits, version, applied, rejected, capabilities, extensions }
}

/// The declarations of a module, and those that substitutes require.
struct Adapting<'m, 'r> {
    module: &'m Module<'m>,
    rejections: &'r Rejections<'r>,
    /// The declared capabilities.
    declared: BTreeSet<u32>,
    /// The declared capabilities with all that they imply, and those of substitutes.
    provided: Vec<u32>,
    declared_extensions: BTreeSet<String>,
    /// The version of the result.
    version: Version,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
}

impl<'m, 'r> Adapting<'m, 'r> {
    fn new(module: &'m Module<'m>, rejections: &'r Rejections<'r>) -> Adapting<'m, 'r> {
        let unconditional = module.capabilities().filter(|declared| declared.condition().is_none());
        let declared: BTreeSet<u32> = unconditional.map(|declared| declared.capability()).collect();
        let extensions = module.extensions().filter(|declared| declared.condition().is_none());
        Adapting {
            module,
            rejections,
            provided: closure(declared.iter().copied()),
            declared,
            declared_extensions: extensions.map(|declared| declared.name().into_owned()).collect(),
            version: module.version(),
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
        }
    }

    /// Returns true for a capability that the target rejects, or that needs a newer version than it accepts.
    fn rejects_capability(&self, number: u32) -> bool {
        (self.rejections.capability)(number)
            || self.is_too_new(versions::enumerant(OperandKind::Capability, number))
    }

    fn rejects_extension(&self, name: &str) -> bool {
        (self.rejections.extension)(name, self.version)
    }

    /// Returns true for a construct of a version that the target does not accept, which no extension adds to older ones.
    fn is_too_new(&self, added: Option<VersionAddition>) -> bool {
        added.is_some_and(|added| added.oldest_version() > self.rejections.version)
    }

    /// Declares the capabilities or the extension that replace a rejected declaration. Returns true if the row applies.
    fn add_twin(&mut self, row: &Adaptation) -> bool {
        match (&row.construct, &row.becomes) {
            (
                &AdaptableConstruct::Enumerant(OperandKind::Capability, number),
                Substitute::Capabilities(others),
            ) => {
                self.declared.contains(&number)
                    && self.rejects_capability(number)
                    && others.iter().all(|&other| self.can_declare(other))
                    && {
                        others.iter().for_each(|&other| self.add_capability(other));
                        true
                    }
            }
            (AdaptableConstruct::Extension(name), Substitute::Extension(other)) => {
                let applies = self.declared_extensions.contains(*name)
                    && !self.declared_extensions.contains(*other)
                    && self.rejects_extension(name)
                    && !self.rejects_extension(other);
                if applies {
                    self.extensions.insert(other);
                }
                applies
            }
            _ => false,
        }
    }

    /// Returns true if the target is known to accept a capability and everything that it implies, in this version of
    /// SPIR-V or a newer one. The capability does not turn a shader into a kernel, nor the reverse.
    fn can_declare(&self, number: u32) -> bool {
        let kinds = [Capability::Shader as u32, Capability::Kernel as u32];
        closure_of(number).iter().all(|&implied| {
            !self.rejects_capability(implied)
                && (self.provided.contains(&implied) || !kinds.contains(&implied))
                && (self.provided.contains(&implied) || self.extension_of(implied).is_some())
        })
    }

    /// Returns the extension that is declared with a capability, if one is required; `None` if the target accepts none.
    fn extension_of(&self, number: u32) -> Option<Option<&'static str>> {
        let any = capabilities::extensions_of(number).unwrap_or_default();
        let is_there =
            |name: &str| is_core(name, self.version.to_word()) || self.declared_extensions.contains(name);
        if any.is_empty() || any.iter().any(|name| is_there(name) && !self.rejects_extension(name)) {
            return Some(None);
        }
        any.iter().find(|name| !self.rejects_extension(name)).map(|&name| Some(name))
    }

    fn add_capability(&mut self, number: u32) {
        for &implied in closure_of(number) {
            if self.provided.contains(&implied) {
                continue;
            }
            if let Some(added) = versions::enumerant(OperandKind::Capability, implied) {
                self.version = self.version.max(added.oldest_version());
            }
            if let Some(Some(name)) = self.extension_of(implied) {
                self.extensions.insert(name);
            }
            self.provided.push(implied);
        }
        if !self.declared.contains(&number) {
            self.capabilities.insert(number);
        }
    }

    /// Returns true if a row may apply to instructions of the module: the providers of its construct are rejected.
    fn is_active(&self, row: &Adaptation) -> bool {
        match (row.construct, &row.becomes) {
            // Who does not list the extension may reject what it is for in any version: llvm-spirv and PoCL do in SPIR-V 1.6, whose core has it.
            (AdaptableConstruct::Extension(name), Substitute::Nothing) => {
                (self.declared_extensions.contains(name)
                    || rewrite::non_semantic_sets(self.module).next().is_some())
                    && (self.rejections.extension)(name, Version::new(1, 0))
            }
            (AdaptableConstruct::Extension(_), _) | (_, Substitute::Capabilities(_)) => false,
            (AdaptableConstruct::Enumerant(kind, value), _) => {
                let required = requirements::of_enumerant(kind, value);
                self.is_too_new(versions::enumerant(kind, value))
                    || self.are_rejected(required)
                    || self.rejects_use_of(row)
            }
            (AdaptableConstruct::Instruction(opcode), _) => {
                self.rejects_instruction(opcode) || self.rejects_use_of(row)
            }
        }
    }

    /// Returns true if the target rejects the use of a Vulkan feature that a construct may be.
    fn rejects_use_of(&self, row: &Adaptation) -> bool {
        row.vulkan_use().is_some_and(|use_| (self.rejections.vulkan_use)(&use_))
    }

    /// Returns true for an instruction whose providers are all rejected, or that needs a newer version than the target accepts.
    fn rejects_instruction(&self, opcode: u16) -> bool {
        self.is_too_new(versions::instruction(opcode))
            || self.are_rejected(requirements::of_instruction(opcode))
    }

    /// Returns true if all providers of a requirement in the module are rejected.
    fn are_rejected(&self, required: &[RequirementId]) -> bool {
        required.iter().any(|id| match id.get() {
            Requirement::Capabilities(any) => {
                let mut providers = any.iter().filter(|number| self.provided.contains(number)).peekable();
                providers.peek().is_some() && providers.all(|&number| self.rejects_capability(number))
            }
            Requirement::Extensions(any) => {
                let mut providers =
                    any.iter().filter(|name| self.declared_extensions.contains(**name)).peekable();
                providers.peek().is_some() && providers.all(|name| self.rejects_extension(name))
            }
            Requirement::Aspect(_) | Requirement::Feature(_) => false,
        })
    }

    /// Makes an instruction available. Returns false if the target rejects it.
    fn can_use(&mut self, opcode: u16) -> bool {
        let added = versions::instruction(opcode);
        if self.is_too_new(added) {
            return false;
        }
        let mut new = Vec::new();
        for id in requirements::of_instruction(opcode) {
            let Requirement::Capabilities(any) = id.get() else { continue };
            let is_accepted = |number: &&u32| !self.rejects_capability(**number);
            if any.iter().filter(is_accepted).any(|number| self.provided.contains(number)) {
                continue;
            }
            let Some(&number) = any.iter().find(|&&number| self.can_declare(number)) else { return false };
            new.push(number);
        }
        new.into_iter().for_each(|number| self.add_capability(number));
        if let Some(added) = added {
            self.version = self.version.max(added.oldest_version());
        }
        true
    }

    /// Declares the capabilities and extensions of substitutes.
    fn declare(&self, edits: &mut Edits) {
        let points = InsertionPoints::find(self.module);
        for &number in &self.capabilities {
            edits.insert(points.capabilities, &NewInstruction::new(Op::Capability, None, None, vec![number]));
        }
        for name in self.extensions.iter().filter(|name| !self.declared_extensions.contains(**name)) {
            edits.insert(points.extensions, &NewInstruction::new(Op::Extension, None, None, literal(name)));
        }
    }
}
