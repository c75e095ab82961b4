//! Leaves of conditions that no table has: code under them may run on no device, or the compiler wrote another number.

use std::collections::BTreeSet;
use std::fmt;

use super::providers::{describe_unknown, unknown_features};
use super::{architectures, aspects};
use crate::condition::Leaf;

/// An aspect, architecture, feature or number in a condition that no table has. It is displayed as a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnknownLeaf(Leaf);

/// Returns the leaves that no table has.
pub fn unknown_leaves(leaves: impl IntoIterator<Item = Leaf>) -> BTreeSet<UnknownLeaf> {
    let is_unknown = |leaf: &Leaf| match *leaf {
        Leaf::Aspect(number) => {
            let target = aspects::architecture_of(number).and_then(architectures::by_value);
            aspects::name(number).is_none() && target.is_none()
        }
        Leaf::Architecture(number) => architectures::by_value(number).is_none(),
        leaf => !unknown_features([leaf]).is_empty(),
    };
    leaves.into_iter().filter(is_unknown).map(UnknownLeaf).collect()
}

impl fmt::Display for UnknownLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Leaf::Aspect(number) => {
                write!(f, "no aspect has the number {number}: no device is known to have it")
            }
            Leaf::Architecture(number) => {
                write!(f, "no architecture has the number {number}: no device is of it")?;
                let names: Vec<&str> = architectures::with_low_bits(number).map(|known| known.name).collect();
                match &names[..] {
                    [] => Ok(()),
                    names => {
                        write!(f, ". DPC++ passes it for {}, which cannot be told apart", names.join(" and "))
                    }
                }
            }
            Leaf::Limit(limit) => f.write_str(&describe_unknown(limit.name())),
            Leaf::Feature(feature) => f.write_str(&describe_unknown(feature)),
            // No table has these.
            leaf => write!(f, "nothing is known of {leaf:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_table_has() {
        let leaves = [
            Leaf::Aspect(6),
            Leaf::Aspect(0x10010),
            Leaf::Aspect(77777),
            Leaf::Architecture(20),
            Leaf::Architecture(0x0080_0000),
            Leaf::Architecture(99_999),
            Leaf::Capability(99_999),
        ];
        let unknown: Vec<String> = unknown_leaves(leaves).iter().map(ToString::to_string).collect();
        assert_eq!(
            unknown,
            [
                "no architecture has the number 99999: no device is of it",
                "no architecture has the number 8388608: no device is of it. DPC++ passes it for intel_gpu_adl_s and \
                 intel_gpu_bmg_g31, which cannot be told apart",
                "no aspect has the number 77777: no device is known to have it",
            ]
        );
    }
}
