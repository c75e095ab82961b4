//! Devices that do not run a module, as far as that may be right.

use std::collections::BTreeSet;

use spirv::{Capability, Decoration, LinkageType, Op};
use spirv_if::error::Missing;
use spirv_if::{Device, Error};

use super::oracles::{Search, SearchResult};
use super::program::{Feature, Function};
use crate::drivers::routes::instructions;

impl Search<'_> {
    /// Counts a refusal, if it may be right. Compilers may drop guards, and an uncalled conditional function is exported unconditionally.
    pub fn refused(&mut self, missing: &[Missing]) -> SearchResult<()> {
        let may_be_lost = self.build.loses_guards && self.annotations.is_some();
        let is_right = |reason: &Missing| self.is_of_uncalled(reason) || self.is_of_unbound(reason);
        let is_right = may_be_lost || missing.iter().all(is_right);
        self.refused_if(is_right)
    }

    /// Counts a refusal.
    pub fn refused_if(&mut self, is_right: bool) -> SearchResult<()> {
        self.findings.refused += 1;
        match is_right {
            true => Ok(()),
            false => Err("the device is refused".to_owned()),
        }
    }

    /// True if a constant that stays unbound would have guarded the code that has a feature.
    fn is_of_unbound(&self, missing: &Missing) -> bool {
        let unbound = self.program.constants.iter().filter(|constant| self.unbound.contains(&constant.id));
        unbound.flat_map(|constant| &constant.bound).any(|(feature, has)| *has && is_of(missing, *feature))
    }

    /// True if a conditional function has a feature in its condition and is called by nothing in the compiler's module.
    fn is_of_uncalled(&self, missing: &Missing) -> bool {
        let uncalled = |function: &&Function| {
            !function.condition.is_empty() && is_uncalled(&self.compiled, &function.name)
        };
        let mut functions = self.program.functions.iter().filter(uncalled);
        functions
            .any(|function| function.condition.iter().any(|(feature, has)| *has && is_of(missing, *feature)))
    }
}

/// True if a driver does not report a capability, though it may run compilers' modules that declare it.
pub fn is_unreported(missing: &Missing, device: &Device) -> bool {
    let Missing::Capability(capability) = missing else { return false };
    let number = capability.number();
    Feature::ALL.iter().all(|feature| feature.capability() as u32 != number)
        && device.has_capability(number) == Some(false)
}

/// Returns true if a program cannot have add-on images: a call would have types that only some devices support, or images would share a variable
/// that none of them can define.
pub fn cannot_be_images(error: &Error) -> bool {
    let causes =
        ["the call itself would be in an image for it", "no image that is always there can define it"];
    let message = error.to_string();
    matches!(error, Error::Module(_)) && causes.iter().any(|cause| message.contains(cause))
}

/// The names that a module imports.
pub fn imports(words: &[u32]) -> BTreeSet<String> {
    let is_import = |(opcode, operands): &(u32, &[u32])| {
        *opcode == Op::Decorate as u32
            && operands[1] == Decoration::LinkageAttributes as u32
            && operands.last() == Some(&(LinkageType::Import as u32))
    };
    instructions(words).filter(is_import).map(|(_, operands)| text(&operands[2..])).collect()
}

/// Returns true if a device does not support a declaration that only modules for a later link have.
pub fn is_linkage(missing: &Missing) -> bool {
    matches!(missing, Missing::Capability(capability) if capability.number() == Capability::Linkage as u32)
}

/// True if a feature is missing because of this one.
pub fn is_of(missing: &Missing, feature: Feature) -> bool {
    match missing {
        Missing::Capability(capability) => capability.number() == feature.capability() as u32,
        Missing::Aspect(aspect) => aspect.to_string() == feature.name(),
        _ => false,
    }
}

/// True if a module exports a function whose name has this in it, and nothing calls it.
fn is_uncalled(words: &[u32], name: &str) -> bool {
    let exported = instructions(words).filter(|(opcode, operands)| {
        *opcode == Op::Decorate as u32
            && operands[1] == Decoration::LinkageAttributes as u32
            && text(&operands[2..]).contains(name)
    });
    let ids: Vec<u32> = exported.map(|(_, operands)| operands[0]).collect();
    let is_called = |id: &u32| {
        instructions(words).any(|(opcode, operands)| opcode == Op::FunctionCall as u32 && operands[2] == *id)
    };
    !ids.is_empty() && !ids.iter().any(is_called)
}

/// The text that words begin with.
fn text(words: &[u32]) -> String {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = bytes.take_while(|byte| *byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
