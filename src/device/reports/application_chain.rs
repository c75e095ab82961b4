//! Features in the chain that an application has for vkCreateDevice.

use std::collections::BTreeMap;
use std::ffi::c_void;

use thiserror::Error;

use super::chain::{FeatureChain, POINTER, places};
use super::structures::{self, MemberPlace, Structure};
use crate::collections::OrderedMap;

/// A feature whose structure cannot be in a chain.
#[derive(Debug, PartialEq, Eq, Error)]
#[error(
    "only {gathering} has {member}, and a chain must not have it beside {beside}: put {gathering} in place of the structures that it \
     gathers"
)]
pub struct UnchainedFeature {
    member: &'static str,
    gathering: &'static str,
    beside: &'static str,
}

/// The structures of an application's chain, by number.
struct ApplicationChain(BTreeMap<u32, *mut u8>);

impl ApplicationChain {
    /// Reads a chain.
    ///
    /// # Safety
    /// It is a chain of Vulkan.
    unsafe fn read(chain: *mut c_void) -> ApplicationChain {
        let mut structures = BTreeMap::new();
        let mut next = chain.cast::<u8>();
        while !next.is_null() {
            // SAFETY: the caller's. Each structure begins with its number and the address of the next.
            unsafe {
                structures.insert(next.cast::<u32>().read(), next);
                next = next.add(POINTER).cast::<*mut u8>().read();
            }
        }
        ApplicationChain(structures)
    }

    /// Returns a structure with this name.
    fn get(&self, name: &str) -> Option<(&'static Structure, *mut u8)> {
        let structure = structures::all().iter().find(|structure| structure.name == name)?;
        self.0.get(&structure.number).map(|&start| (structure, start))
    }

    /// Returns the structure and the member for a feature, so that no structure stands beside one that gathers it.
    fn place(&self, structure: &'static str, member: &'static str) -> Result<MemberPlace, UnchainedFeature> {
        let (gathering, gathered_member) =
            structures::place(structure, member).unwrap_or((structure, member));
        if self.get(gathering).is_some() {
            return Ok((gathering, gathered_member));
        }
        let before: Vec<MemberPlace> = structures::places_before(gathering, gathered_member).collect();
        if let Some(&place) = before.iter().find(|(name, _)| self.get(name).is_some()) {
            return Ok(place);
        }
        let mut gathered = self.0.keys().filter_map(|&number| structures::gathered(number));
        match (gathered.find(|(_, by)| *by == gathering), before.first()) {
            (None, _) => Ok((structure, member)),
            (Some(_), Some(&place)) => Ok(place),
            (Some((beside, _)), None) => Err(UnchainedFeature { member: gathered_member, gathering, beside }),
        }
    }
}

impl FeatureChain {
    /// Sets features, each by structure and member, in the structures of an application's chain. Returns the structures for the other features, which
    /// the application's chain follows.
    ///
    /// # Errors
    /// If a feature has no place. The chain may have some of the features then.
    ///
    /// # Safety
    /// It is a chain of Vulkan that nothing else uses meanwhile: each structure has the type that its number stands for.
    pub unsafe fn before(
        chain: *mut c_void,
        features: impl IntoIterator<Item = MemberPlace>,
    ) -> Result<FeatureChain, UnchainedFeature> {
        // SAFETY: the caller's.
        let application = unsafe { ApplicationChain::read(chain) };
        let mut members: OrderedMap<&str, Vec<&str>> = OrderedMap::new();
        for (structure, member) in features {
            let (structure, member) = application.place(structure, member)?;
            let Some((structure, start)) = application.get(structure) else {
                members.entry(structure).or_default().push(member);
                continue;
            };
            if let Some((at, ..)) = places(structure).find(|(_, size, _, name)| *name == member && *size == 4)
            {
                // SAFETY: the caller's. The structure has this member.
                unsafe { start.add(at).cast::<u32>().write(1) };
            }
        }
        let added = structures::all().iter().filter(|structure| members.contains_key(structure.name));
        Ok(FeatureChain::of_structures(added, &members, chain.expose_provenance()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: MemberPlace = ("VkPhysicalDeviceVulkan12Features", "shaderFloat16");
    const DOUBLE: MemberPlace = ("VkPhysicalDeviceFeatures", "shaderFloat64");
    const LAYER: MemberPlace = ("VkPhysicalDeviceVulkan12Features", "shaderOutputLayer");

    /// The numbers of VkPhysicalDeviceTimelineSemaphoreFeatures, and of another structure that the tables do not have.
    const UNLISTED: [u32; 2] = [1_000_207_000, 1_000_150_013];

    /// Returns an application's chain of structures with these names, or with these numbers.
    fn application(names: &[&str], numbers: &[u32]) -> Vec<Box<[u64]>> {
        let number = |name: &&str| structures::all().iter().find(|one| one.name == *name).unwrap().number;
        let numbers = names.iter().map(number).chain(numbers.iter().copied());
        let mut chain: Vec<Box<[u64]>> = Vec::new();
        for number in numbers {
            let mut structure = vec![0_u64; 64].into_boxed_slice();
            structure[0] = u64::from(number);
            if let Some(last) = chain.last_mut() {
                last[1] = structure.as_mut_ptr().expose_provenance() as u64;
            }
            chain.push(structure);
        }
        chain
    }

    /// Returns the features that are set in a chain, by structure, and the numbers of all structures.
    fn read(chain: *const c_void) -> (Vec<MemberPlace>, Vec<u32>) {
        let (mut set, mut numbers) = (Vec::new(), Vec::new());
        // SAFETY: a chain of a test.
        for (number, start) in unsafe { in_order(chain.cast_mut()) } {
            numbers.push(number);
            let known = structures::all().iter().find(|structure| structure.number == number);
            for (structure, (at, _, _, member)) in
                known.into_iter().flat_map(|known| places(known).map(move |place| (known, place)))
            {
                // SAFETY: the structure has the member.
                if unsafe { start.add(at).cast::<u32>().read() } == 1 {
                    set.push((structure.name, member));
                }
            }
        }
        (set, numbers)
    }

    unsafe fn in_order(chain: *mut c_void) -> Vec<(u32, *mut u8)> {
        let mut all = Vec::new();
        let mut next = chain.cast::<u8>();
        while !next.is_null() {
            // SAFETY: the caller's.
            unsafe {
                all.push((next.cast::<u32>().read(), next));
                next = next.add(POINTER).cast::<*mut u8>().read();
            }
        }
        all
    }

    fn joined(
        names: &[&str],
        numbers: &[u32],
        features: &[MemberPlace],
    ) -> Result<(Vec<MemberPlace>, Vec<u32>), UnchainedFeature> {
        let mut chain = application(names, numbers);
        let first = chain.first_mut().map_or(std::ptr::null_mut(), |first| first.as_mut_ptr().cast());
        // SAFETY: a chain of a test.
        let joined = unsafe { FeatureChain::before(first, features.iter().copied()) }?;
        Ok(read(joined.as_ptr()))
    }

    #[test]
    fn a_feature_is_set_in_the_structure_that_the_application_has() {
        let first = "VkPhysicalDeviceFeatures";
        let (of_12, of_half) =
            ("VkPhysicalDeviceVulkan12Features", "VkPhysicalDeviceShaderFloat16Int8Features");
        let (set, numbers) = joined(&[first, of_12], &[UNLISTED[1]], &[HALF, DOUBLE]).unwrap();
        assert_eq!((set, numbers.len()), (vec![DOUBLE, HALF], 3), "nothing is added");
        // What the gathering structure would forbid.
        let (set, numbers) = joined(&[of_half, first], &[], &[HALF, DOUBLE]).unwrap();
        assert_eq!((set, numbers.len()), (vec![(of_half, "shaderFloat16"), DOUBLE], 2));
        // A gathering structure takes what one that it gathers would have.
        let (set, numbers) = joined(&[of_12], &[], &[(of_half, "shaderFloat16")]).unwrap();
        assert_eq!((set, numbers.len()), (vec![HALF], 1));
    }

    #[test]
    fn structures_are_added_that_may_stand_beside_the_others() {
        let (set, numbers) = joined(&[], &[UNLISTED[1]], &[HALF, DOUBLE]).unwrap();
        assert_eq!((set.len(), numbers.len(), numbers[2]), (2, 3, UNLISTED[1]));
        let (set, numbers) = joined(&[], &UNLISTED, &[HALF]).unwrap();
        assert_eq!(set, [("VkPhysicalDeviceShaderFloat16Int8Features", "shaderFloat16")]);
        assert_eq!(numbers[1..], UNLISTED);
        let error = joined(&[], &UNLISTED, &[LAYER]).unwrap_err().to_string();
        assert!(
            error.contains("shaderOutputLayer, and a chain must not have it beside VkPhysicalDeviceTimeline"),
            "{error}"
        );
        assert!(joined(&[], &[], &[]).unwrap().1.is_empty());
    }
}
