//! The capabilities and extensions that modules declare: what they imply, and a choice of declarations that meets all requirements.

use spirv::Capability;

use crate::device::{Api, capabilities};
use crate::loader::{Module, grammar};

/// Returns true if a module is one of kernels: it declares Kernel, or a capability that implies it.
pub fn is_of_kernels(module: &Module) -> bool {
    closure(module.capabilities().map(|declared| declared.capability()))
        .contains(&(Capability::Kernel as u32))
}

/// Returns true if a module declares Shader, or a capability that implies it.
pub fn is_of_shaders(module: &Module) -> bool {
    let mut closures = module.capabilities().map(|declared| closure_of(declared.capability()));
    closures.any(|closure| closure.contains(&(Capability::Shader as u32)))
}

/// Returns the API of a module: kernels are OpenCL's, and shaders are Vulkan's; `None` for modules of neither kind, or of both.
pub fn api_of(module: &Module) -> Option<Api> {
    Api::from_kinds(is_of_kernels(module), is_of_shaders(module))
}

/// Returns a capability with all that it implies, or an empty list if no table has it.
pub fn closure_of(number: u32) -> &'static [u32] {
    grammar::capability_of(number).map_or(&[], |known| known.closure)
}

/// Returns capabilities with all that they imply (specification, 3.2.30 "Capability").
pub fn closure(capabilities: impl Iterator<Item = u32>) -> Vec<u32> {
    grammar::closure(capabilities, |number| capabilities::implied(number).iter().copied())
}

/// A declaration with everything that it provides: itself, and implied declarations.
#[derive(Clone, Debug)]
pub struct CoverCandidate<T> {
    /// The declarations that it provides.
    pub provides: Vec<T>,
    /// True if it is always kept.
    pub kept: bool,
}

impl<T: PartialEq> CoverCandidate<T> {
    /// Returns true if another candidate provides all that this one provides, and more.
    fn is_part_of(&self, other: &CoverCandidate<T>) -> bool {
        self.provides.len() < other.provides.len()
            && self.provides.iter().all(|provided| other.provides.contains(provided))
    }
}

/// Finds a minimal set of declarations that meets every requirement that all of them meet. Returns true for each kept declaration. A
/// declaration that provides more than another requires more of a device. So it is the first candidate for removal, then the later ones
/// are.
pub fn cover<'a, T: PartialEq + 'a>(
    declarations: &[CoverCandidate<T>],
    requirements: impl Iterator<Item = &'a [T]>,
) -> Vec<bool> {
    // The declarations that meet each requirement, by index.
    let meets = |any: &[T]| -> Vec<usize> {
        let provides_one =
            |at: &usize| declarations[*at].provides.iter().any(|provided| any.contains(provided));
        (0..declarations.len()).filter(provides_one).collect()
    };
    let mut meeting: Vec<Vec<usize>> = requirements.map(meets).collect();
    let mut kept = vec![true; declarations.len()];
    let mut open: Vec<usize> = (0..declarations.len()).rev().filter(|&at| !declarations[at].kept).collect();
    let is_greatest = |open: &[usize], at: usize| {
        !open.iter().any(|&other| declarations[at].is_part_of(&declarations[other]))
    };
    while let Some(next) = open.iter().position(|&at| is_greatest(&open, at)) {
        let at = open.remove(next);
        kept[at] = meeting.iter().any(|any| *any == [at]);
        if !kept[at] {
            meeting.iter_mut().for_each(|any| any.retain(|&other| other != at));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(declarations: &[(&str, bool)], requirements: &[&str]) -> Vec<bool> {
        let declarations: Vec<CoverCandidate<char>> = declarations
            .iter()
            .map(|&(provides, kept)| CoverCandidate { provides: provides.chars().collect(), kept })
            .collect();
        let requirements: Vec<Vec<char>> = requirements.iter().map(|any| any.chars().collect()).collect();
        cover(&declarations, requirements.iter().map(Vec::as_slice))
    }

    #[test]
    fn required_declarations_are_kept() {
        assert_eq!(kept(&[("a", false), ("b", false), ("c", true)], &["b"]), [false, true, true]);
        assert_eq!(kept(&[("a", false)], &["x"]), [false], "nothing that is declared meets it");
    }

    #[test]
    fn implied_declarations_are_removed() {
        assert_eq!(kept(&[("ab", false), ("b", false)], &["a", "b"]), [true, false]);
        assert_eq!(kept(&[("ab", false), ("b", false)], &["b"]), [false, true], "the weaker one is enough");
    }

    #[test]
    fn declarations_that_provide_more_are_removed_first() {
        let declared = [("a", false), ("b", false), ("abx", false)];
        assert_eq!(kept(&declared, &["a", "b"]), [true, true, false], "though it alone would do");
        assert_eq!(kept(&declared, &["a", "b", "x"]), [false, false, true]);
        assert_eq!(kept(&[("abx", true), ("a", false), ("b", false)], &["a", "b"]), [true, false, false]);
    }

    #[test]
    fn one_of_several_is_enough() {
        assert_eq!(kept(&[("a", false), ("b", false)], &["ab"]), [true, false]);
        assert_eq!(kept(&[("a", false), ("b", false)], &["ab", "b"]), [false, true]);
        assert_eq!(kept(&[("a", false), ("b", false), ("c", false)], &["ab", "bc"]), [false, true, false]);
    }
}
