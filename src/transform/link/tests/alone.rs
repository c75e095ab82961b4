//! A single module stays the same when it is linked, except for its ids.

use super::support::{canonical, link_words};
use crate::test_support::{bytes_of, fixtures, run, tool};

#[test]
fn every_fixture_is_unchanged() {
    for (name, words) in fixtures() {
        let linked = link_words(&[(&name, &words)]).unwrap_or_else(|error| panic!("{name}: {error}"));
        // spirv-link put strings behind names, and clspv put OpSource between strings.
        if ["stages/linked.spv", "frontends/clspv.spv"].contains(&&*name) {
            continue;
        }
        assert_eq!(canonical(linked.module.words()), canonical(&words), "{name}");
        assert_eq!(linked.warnings, [], "{name}");
    }
}

/// Checks that modules are equal after spirv-opt numbers their ids.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn spirv_opt_finds_them_the_same() {
    let tool = tool("SPIRV_OPT", "spirv-opt");
    let compact = |words: &[u32]| run(&tool, &["--compact-ids", "-o", "-", "-"], &bytes_of(words)).unwrap();
    for (name, words) in fixtures().into_iter().filter(|(name, _)| name.starts_with("link/")) {
        let linked = link_words(&[(&name, &words)]).unwrap();
        assert_eq!(compact(linked.module.words()), compact(&words), "{name}");
    }
}
