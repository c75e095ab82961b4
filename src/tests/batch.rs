//! Validation of many modules at once ([`Batch`]) reports each invalid one.

use crate::test_support::{Batch, assemble, fixtures};

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn one_that_is_not_valid_is_found_among_others() {
    let no_memory_model = assemble("OpCapability Kernel", "spv1.4");
    let good = fixtures();
    let mut batch = Batch::default();
    for (name, words) in good.iter().filter(|(name, _)| name.starts_with("spec/")) {
        batch.add(name, words, "spv1.6");
    }
    assert_eq!(batch.problems(), [""; 0]);
    batch.add(&good[0].0, &good[0].1, "spv1.6");
    batch.add("the bad one", &no_memory_model, "spv1.6");
    let problems = batch.problems();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with("the bad one: spv1.6: error: "), "{problems:?}");
    assert!(problems[0].contains("OpCapability Kernel"), "{problems:?}");
}

/// Checks that modules are validated with the batch's options and their environment.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn each_is_validated_for_its_environment() {
    let words = assemble(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\nOpMemoryModel Physical64 OpenCL",
        "spv1.4",
    );
    let mut batch = Batch::default();
    for environment in ["spv1.4", "vulkan1.3", "spv1.3"] {
        batch.add("it", &words, environment);
    }
    let mut problems = batch.problems();
    problems.sort();
    let environments: Vec<&str> = problems.iter().filter_map(|problem| problem.split(": ").nth(1)).collect();
    assert_eq!(environments, ["spv1.3", "vulkan1.3"], "{problems:?}");
}

#[test]
#[should_panic(expected = "nobody validates what was added")]
fn what_is_added_has_to_be_validated() {
    Batch::default().add("it", &[], "spv1.6");
}
