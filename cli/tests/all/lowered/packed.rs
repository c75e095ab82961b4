//! Modules packed with lowered twins: each device gets what `specialize --lower` makes of the original for it, or the original itself.

use std::collections::{BTreeSet, HashMap};

use spirv_if::device::{Api, DeviceConfig};
use spirv_if::module::find_modules;
use spirv_if::specialize::{FeaturesToLower, LowerableFeature, Specialized};
use spirv_if::{Condition, Device, Error, Module, PackOptions, Prepared, Settings, pack};

use crate::common::{Batch, NEEDS, all_fixtures, in_share, root};
use crate::drivers::routes::declared;
use crate::merge::canonical::{canonical, difference};

/// Features whose devices without them get twins: all that can be lowered.
fn lowerable() -> Vec<LowerableFeature> {
    let names = include_str!("../../../../spec-extensions/lowerings.csv").lines();
    let of_rows = names.filter_map(|line| line.split(',').next());
    let of_memory = super::storage::FEATURES.split(',');
    let names: BTreeSet<&str> = of_rows.chain(of_memory).collect();
    names.into_iter().filter_map(LowerableFeature::find).collect()
}

/// Returns the condition that a device has a feature.
fn has(feature: LowerableFeature) -> Condition {
    let text = match feature.name() {
        "Float16" => "fp16".to_owned(),
        "Float64" => "fp64".to_owned(),
        name => format!("cap({name})"),
    };
    Condition::parse(&text).unwrap()
}

/// Counts of results.
#[derive(Debug, Default)]
struct TwinCounts {
    packed: usize,
    /// Devices that get a twin, and those that get the module without one.
    lowered: usize,
    native: usize,
    /// Devices that the original and the result refuse.
    refused: usize,
    /// Devices for which `specialize --lower` refuses the original, since features can only be lowered together.
    together: usize,
}

/// Packs a module with twins for all features. Compares what each device gets with what `specialize --lower` makes of the original.
fn compare(
    name: &str,
    module: &Module,
    devices: &[Device],
    (counts, batch): (&mut TwinCounts, &mut Batch),
) -> Result<(), Error> {
    let packed = pack(module, &PackOptions::new().lower(FeaturesToLower::Missing))?;
    if packed.summary.twins.is_empty() {
        return Ok(());
    }
    counts.packed += 1;
    batch.add(name, &packed.words, &environment(&packed.words));
    let refused = |feature: &LowerableFeature| {
        let start = format!("devices without a feature do not run the module: {feature} cannot be lowered");
        packed.summary.warnings.iter().any(|warning| warning.starts_with(&start))
    };
    let listed: Vec<LowerableFeature> = lowerable().into_iter().filter(|one| !refused(one)).collect();
    let merged = Module::from_words(&packed.words[..])?;
    let (merged, original) = (Prepared::new(&merged)?, Prepared::new(module)?);
    let without_twins = pack(module, &PackOptions::new())?;
    let without_twins = Module::from_words(&without_twins.words[..])?;
    let without_twins = Prepared::new(&without_twins)?;
    let mut equal: HashMap<(Vec<u32>, Vec<u32>), Option<String>> = HashMap::new();
    let is_shader = declared(module.words()).contains(&(spirv::Capability::Shader as u32));
    let api = if is_shader { Api::Vulkan } else { Api::OpenCl };
    for device in devices {
        let device = &*device.for_api(api);
        let lacks = |feature: &&LowerableFeature| has(**feature).evaluate(device).unwrap() == Some(false);
        let missing: Vec<LowerableFeature> = listed.iter().filter(lacks).copied().collect();
        let lower = |features: Vec<LowerableFeature>| {
            original.specialize(device, &Settings::new().lower(FeaturesToLower::Named(features)))
        };
        let mut expected = lower(missing);
        if matches!(&expected, Err(Error::Module(_))) {
            counts.together += 1;
            expected = lower(listed.clone());
        }
        let result = merged.specialize(device, &Settings::new());
        match (expected, result) {
            (Ok(expected), Ok(result)) => {
                *(if expected.report.lowered.is_empty() {
                    &mut counts.native
                } else {
                    &mut counts.lowered
                }) += 1;
                let words = (expected.words, result.words);
                let different = equal.entry(words).or_insert_with_key(|(expected, result)| {
                    batch.add(format!("{name} for {}", device.name()), result, &environment(result));
                    difference(&canonical(expected), &canonical(result))
                });
                if let Some(different) = different {
                    panic!("{name} for {}: {different}", device.name());
                }
            }
            (Err(_), Err(_)) => counts.refused += 1,
            // Packing keeps what nothing is known of conditional, with and without twins.
            (Ok(_), Err(Error::Undecided(_)))
                if matches!(without_twins.specialize(device, &Settings::new()), Err(Error::Undecided(_))) =>
            {
                counts.refused += 1;
            }
            (expected, result) => panic!(
                "{name} for {}: {:?} became {:?}",
                device.name(),
                expected.map(|expected: Specialized| expected.report.lowered),
                result.map(|result: Specialized| result.report.lowered)
            ),
        }
    }
    Ok(())
}

pub fn environment(words: &[u32]) -> String {
    format!("spv1.{}", words[1] >> 8 & 0xff)
}

/// Options of spirv-val: for entry points with conditions, and for blocks of ggml.
pub const VALIDATION: &[&str] = &["--relax-logical-pointer", "--scalar-block-layout"];

/// Compares modules on all devices of the table, of which at least so many get a twin and the module without one.
fn compare_all<'m>(
    modules: impl Iterator<Item = (String, Module<'m>)>,
    [least_lowered, least_native]: [usize; 2],
) {
    let devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let (mut counts, mut batch) = (TwinCounts::default(), Batch::with_options(VALIDATION));
    for (name, module) in modules {
        compare(&name, &module, &devices, (&mut counts, &mut batch))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    batch.assert_valid();
    println!("{counts:?}");
    assert!(counts.lowered >= least_lowered && counts.native >= least_native, "{counts:?}");
    // Devices with 64-bit integers and without doubles, and the reverse.
    assert!(counts.together < 50, "{counts:?}");
}

pub fn devices_get_the_twins_of_fixtures() {
    let module = |(name, words)| (name, Module::from_words(words).unwrap());
    compare_all(all_fixtures().into_iter().map(module), [900, 2200]);
}

pub fn devices_get_the_twins_of_ggml() {
    let path = root().join("target/ggml/libggml-vulkan.so");
    let bytes = std::fs::read(&path)
        .unwrap_or_else(|error| panic!("{NEEDS}{}: {error}; scripts/setup.sh ggml makes it", path.display()));
    let modules = find_modules(&bytes).filter_map(|candidate| candidate.load()).enumerate();
    let modules = modules.filter(|&(at, _)| in_share(at, 90));
    compare_all(modules.map(|(at, module)| (format!("module {at}"), module)), [200, 1000]);
}

/// ggml's products of matrices and vectors with halves, and of quantized numbers.
const PRODUCTS: [&str; 3] = ["matmul_fp16", "matmul_quant", "mul_mat_vec_q4_0"];

/// One module of each product runs on every device of the table that has compute shaders, once the version of SPIR-V is what the device accepts.
pub fn products_of_ggml_run_on_every_device_with_compute() {
    let devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let (mut native, mut lowered) = (0, 0);
    let mut batch = Batch::with_options(VALIDATION);
    for name in PRODUCTS {
        let path = root().join("target/ggml").join(name).with_extension("spv");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| {
            panic!("{NEEDS}{}: {error}; scripts/setup.sh ggml makes it", path.display())
        });
        let module = Module::from_bytes(&bytes).unwrap();
        let packed = pack(&module, &PackOptions::new().lower(FeaturesToLower::Missing)).unwrap();
        let packed = Module::from_words(packed.words).unwrap();
        let [packed, module] = [&packed, &module].map(|module| Prepared::new(module).unwrap());
        let settings = Settings::new().adapt(true);
        let mut seen = BTreeSet::new();
        for device in &devices {
            let device = &*device.for_api(Api::Vulkan);
            if device.has_capability(spirv::Capability::Shader as u32) != Some(true) {
                continue;
            }
            let result = packed.specialize(device, &settings);
            let result = result.unwrap_or_else(|error| panic!("{name} on {}: {error}", device.name()));
            *(if module.specialize(device, &settings).is_ok() { &mut native } else { &mut lowered }) += 1;
            if seen.insert(result.words.clone()) {
                batch.add(format!("{name} on {}", device.name()), &result.words, &environment(&result.words));
            }
        }
    }
    batch.assert_valid();
    println!("{native} run as they are, {lowered} more by a twin");
    assert!(native >= 300 && lowered >= 40, "{native} {lowered}");
}
