//! Fixtures in each older version of SPIR-V.

use std::collections::BTreeMap;

use crate::loader::Version;
use crate::specialize::UnsetPolicy;
use crate::test_support::{Batch, all_fixtures, in_share, is_valid};
use crate::{Device, Error, Module, Prepared, Settings};

/// The environments of Vulkan in which shaders of SPIR-V 1.0, 1.1 and so on are validated: the oldest that takes the version.
const VULKAN: [&str; 7] =
    ["vulkan1.0", "vulkan1.1", "vulkan1.1", "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3"];

/// Every valid fixture is valid in every older version, or uses something that the version does not have, which is named.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn fixtures_in_older_versions_are_valid_or_refused() {
    let mut results = Batch::default();
    let mut lowered = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let valid = all_fixtures().into_iter().filter(|(name, _)| !name.starts_with("rejected/"));
    let fixtures = valid.enumerate().filter(|&(number, _)| in_share(number, 3));
    for (_, (name, words)) in fixtures {
        let module = Module::from_words(&words[..]).unwrap();
        let current = usize::from(module.version().minor);
        let is_of_vulkan = is_valid(&words, VULKAN[current]);
        let prepared = Prepared::new(&module).unwrap();
        for (minor, vulkan) in (0..).zip(&VULKAN[..current]) {
            let version = Version::new(1, minor);
            let settings = Settings::new().max_version(version).unset(UnsetPolicy::Keep);
            match prepared.specialize(&Device::default(), &settings) {
                Ok(result) => {
                    assert_eq!(result.words[1], version.to_word(), "{name}");
                    results.add(&name, &result.words, &format!("spv{version}"));
                    if is_of_vulkan {
                        results.add(&name, &result.words, vulkan);
                    }
                    lowered += 1;
                }
                Err(Error::TooNew(error)) => {
                    assert_eq!(error.version, version, "{name}");
                    for construct in error.constructs {
                        assert!(construct.version > version, "{name}: {construct}");
                        *refused.entry(construct.to_string()).or_default() += 1;
                    }
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
    }
    println!("{lowered} results, refused for {refused:#?}");
    results.assert_valid();
    assert!(lowered > 120 && refused.len() > 2, "{lowered} results, refused for {refused:#?}");
}
