//! Shaders of ggml's library, which somebody else wrote and built, without features that may be lowered.

use crate::module::find_modules;
use crate::specialize::{FeaturesToLower, LowerableFeature, UnsetPolicy};
use crate::test_support::{Batch, in_share};
use crate::transform::lower::{NarrowStorage, lowerable_features};
use crate::{Device, Prepared, Settings};

/// The reasons for which shaders of ggml are refused.
const REFUSED: [&str; 3] = [
    "OpCooperativeMatrixLoadKHR",
    "OpCooperativeMatrixLoadTensorNV",
    "OpTypeCooperativeMatrixKHR of 8-bit integers has no other form",
];

/// Shaders of ggml's library have words in memory, for devices that compute with narrow integers and for others, or are refused for one of the reasons
/// above. At most one of twenty has another one.
#[test]
#[ignore = "needs ggml's library; scripts/test.sh runs it"]
fn shaders_of_ggml_are_lowered_or_refused() {
    let bytes =
        std::fs::read("target/ggml/libggml-vulkan.so").expect("scripts/setup.sh ggml-library brings it");
    let modules: Vec<_> = find_modules(&bytes).filter_map(|candidate| candidate.load()).collect();
    let is_of_memory = |feature: &&LowerableFeature| NarrowStorage::new(feature.capability()).is_some();
    let of_memory = lowerable_features().iter().filter(is_of_memory).map(|feature| feature.name());
    let storage = of_memory.collect::<Vec<_>>().join(",");
    let mut batch = Batch::with_options(&["--scalar-block-layout"]);
    let (mut lowered, mut refused, mut others) = (0, 0, Vec::new());
    for (at, module) in modules.iter().enumerate().filter(|&(at, _)| in_share(at, 20)) {
        let prepared = Prepared::new(module).unwrap();
        for features in [storage.clone(), format!("Int16,Int8,{storage}")] {
            let settings = Settings::new().lower(features.parse::<FeaturesToLower>().unwrap());
            match prepared.specialize(&Device::default(), &settings.unset(UnsetPolicy::Default)) {
                Ok(result) if result.report.lowered.is_empty() => {}
                Ok(result) => {
                    lowered += 1;
                    batch.add(format!("module {at}, {features}"), &result.words, "vulkan1.4");
                }
                Err(error) if REFUSED.iter().any(|reason| error.to_string().contains(reason)) => refused += 1,
                Err(error) => others.push(error.to_string()),
            }
        }
    }
    batch.assert_valid();
    println!("{lowered} are lowered, {refused} refused, and {} for other reasons", others.len());
    assert!(lowered > 50 && 20 * others.len() <= lowered, "{lowered}, {others:?}");
}
