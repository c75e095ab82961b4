//! SPIR-V capabilities: their names, and their relations to aspects and environments
//! (`spec-extensions/capability-aspects.csv`).

use std::collections::BTreeSet;

use super::generated::{IMPLIES, IS, NEEDED_BY, REQUIRES};
use crate::loader::grammar;

/// Returns the capabilities that a capability implies directly (specification, 3.2.30 "Capability").
pub fn implied(number: u32) -> &'static [u32] {
    grammar::capability_of(number).map_or(&[], |known| known.implied)
}

/// Returns the extensions that add a capability, any one of which suffices; empty if no extension is
/// required. `None` if the capability is unknown.
pub fn extensions_of(number: u32) -> Option<&'static [&'static str]> {
    grammar::capability_of(number).map(|known| known.extensions)
}

/// Returns the number of the capability called `name`; aliases are accepted.
pub fn number(name: &str) -> Option<u32> {
    grammar::capability(name)
}

/// Returns the name of a capability.
pub fn name(number: u32) -> Option<&'static str> {
    grammar::capability_of(number).map(|known| known.name)
}

/// Returns all names, without aliases.
pub fn names() -> impl Iterator<Item = &'static str> {
    grammar::capabilities().iter().map(|known| known.name)
}

/// Returns the aspects that code with this capability requires of a device.
pub fn aspects_of(capability: u32) -> impl Iterator<Item = u32> {
    IS.iter().filter(move |fact| fact.1 == capability).map(|fact| fact.0)
}

/// Returns the aspects that code with this capability, or one that it implies, requires: `aspects_of`, and
/// in kernels also aspects that do not imply the capability.
pub fn required_aspects(capability: u32, in_kernels: bool) -> BTreeSet<u32> {
    let implied = grammar::capability_of(capability).map_or(&[][..], |known| known.closure);
    let facts = IS.iter().chain(NEEDED_BY.iter().filter(|_| in_kernels));
    facts.filter(|fact| fact.1 == capability || implied.contains(&fact.1)).map(|fact| fact.0).collect()
}

/// Returns the capability that a device supports exactly if it has the aspect.
/// OpSpecConstantCapabilitiesINTEL can express such an aspect.
pub fn exactly(aspect: u32) -> Option<u32> {
    IS.iter().find(|fact| fact.0 == aspect).map(|fact| fact.1)
}

/// Returns the capabilities that every device with this aspect supports.
pub fn implied_by_aspect(aspect: u32) -> impl Iterator<Item = u32> {
    IS.iter().chain(&IMPLIES).filter(move |fact| fact.0 == aspect).map(|fact| fact.1)
}

/// Returns the capabilities that every driver of the environment supports.
pub fn required_by_environment(environment: &str) -> impl Iterator<Item = u32> {
    REQUIRES.iter().filter(move |fact| fact.0 == environment).map(|fact| fact.1)
}

/// Returns true if a capability is this one, or implies it.
pub fn is_or_implies(capability: u32, other: u32) -> bool {
    capability == other
        || grammar::capability_of(capability).is_some_and(|known| known.closure.contains(&other))
}

/// Adds the capabilities that those of the set implicitly declare (SPIR-V 3.2.30 "Capability"). A device that
/// supports a capability supports them too.
pub fn close<S: Extend<u32>>(capabilities: &mut S)
where
    for<'s> &'s S: IntoIterator<Item = &'s u32>,
{
    let listed: Vec<u32> = capabilities.into_iter().copied().collect();
    let known = listed.into_iter().filter_map(grammar::capability_of);
    capabilities.extend(known.flat_map(|known| known.closure).copied());
}

#[cfg(test)]
mod tests {
    use spirv::Capability;

    use super::super::aspects;
    use super::*;

    #[test]
    fn names_and_numbers() {
        // The SPIR-V specification, 3.2.30.
        assert_eq!(number("Float16"), Some(9));
        assert_eq!(name(6022), Some("CooperativeMatrixKHR"));
        assert_eq!(name(16), None);
        assert_eq!(number("StorageUniform16"), number("UniformAndStorageBuffer16BitAccess"), "an alias");
        assert_eq!(number("float16"), None);
        for name in names() {
            assert!(number(name).is_some(), "{name}");
        }
    }

    #[test]
    fn aspects_that_are_capabilities() {
        let (fp16, fp64, atomic64) = (5, 6, 28);
        assert_eq!([fp16, fp64, atomic64].map(exactly), [Some(9), Some(10), Some(12)]);
        assert_eq!(exactly(2), None);
        assert_eq!(aspects_of(12).collect::<Vec<_>>(), [atomic64]);
        assert_eq!(aspects_of(Capability::ImageBasic as u32).count(), 0, "only kernels need the aspect");
        assert_eq!(implied_by_aspect(fp16).collect::<Vec<_>>(), [9, 8]);
        assert!(required_by_environment("opencl").any(|capability| capability == Capability::Kernel as u32));
    }

    #[test]
    fn aspects_that_kernels_require() {
        let required = |capability: Capability| {
            let required = required_aspects(capability as u32, true);
            required.into_iter().filter_map(aspects::name).collect::<Vec<_>>()
        };
        assert_eq!(required(Capability::Float64), ["fp64"]);
        assert_eq!(required(Capability::ImageBasic), ["image"]);
        assert_eq!(required(Capability::ImageReadWrite), ["image"], "it implies ImageBasic");
        assert_eq!(required(Capability::CooperativeMatrixKHR), ["ext_intel_matrix"]);
        assert_eq!(required(Capability::Kernel), [""; 0]);
        assert!(required_aspects(Capability::CooperativeMatrixKHR as u32, false).is_empty(), "of a shader");
        let newer = number("DotProductFloat16AccFloat32VALVE").unwrap();
        assert_eq!(required_aspects(newer, false), BTreeSet::from([5]), "it implies Float16");
    }
}
