//! Resolving a compiler's module for a device has the result of packing and specializing, for every fixture and every device. The code is
//! the same, except for the numbers of ids, copies of a result, and unused constants.

use crate::analysis::Analyses;
use crate::analysis::Annotated;
use crate::compatibility::{DeviceValues, known_values};
use crate::condition::Leaf;
use crate::device::Device;
use crate::loader::Module;
use crate::metadata::property_sets::{DeviceRequirements, PropertyNames, PropertySets};
use crate::pipelines;
use crate::pipelines::PackedModule;
use crate::pipelines::property_sets::sets_of_leaves;
use crate::test_support::{self, Batch};
use crate::tests::ways::{annotated, canonical, devices, trimmed};
use crate::transform::pack::PackOptions;
use crate::transform::specialize::specialize;
use crate::writer::apply;
use std::borrow::Cow;

fn packed(module: &Module, annotated: &Annotated) -> PackedModule {
    pipelines::pack(&Analyses::new(module, Cow::Borrowed(annotated)), &PackOptions::default(), &|_| Ok(None))
        .unwrap()
}

fn known<'d>(device: &'d Device, leaves: &[(u32, Leaf)]) -> DeviceValues<'d> {
    let sets = sets_of_leaves(leaves, &DeviceRequirements::default(), PropertyNames::Design);
    DeviceValues::new(device, &sets).unwrap()
}

/// Two ways to one module.
struct Ways {
    resolved: Vec<u32>,
    specialized: Vec<u32>,
}

fn ways(
    analyses: &Analyses,
    annotated: &Annotated,
    packed: &PackedModule,
    of_packed: &Analyses,
    device: &Device,
) -> Ways {
    let nothing = PropertySets::default();
    let known_before = DeviceValues::new(device, &nothing).unwrap();
    let set: Vec<(u32, u64)> = known_values(device, &annotated.spec_constants)
        .unwrap()
        .into_iter()
        .map(|(spec_id, value)| (spec_id, value.into()))
        .collect();
    let (options, max_clones) = Default::default();
    let resolved =
        pipelines::resolve(analyses, &nothing, device, &known_before, &set, options, max_clones).unwrap();
    let words = match resolved.calls {
        // What is open is decided by no more than is known.
        Some(open) if !open.leaves.is_empty() => {
            let module = Module::from_words(resolved.words.whole()).unwrap();
            let known = known(device, &open.leaves);
            apply(
                &module,
                &specialize(&Analyses::new(&module, Cow::default()), &known, &[], Default::default())
                    .unwrap()
                    .edits,
            )
            .unwrap()
        }
        _ => resolved.words.into_owned(),
    };
    let known = known(device, &packed.packed.leaves);
    let specialized = specialize(of_packed, &known, &[], Default::default()).unwrap();
    let specialized = apply(of_packed.module(), &specialized.edits).unwrap();
    Ways { resolved: trimmed(&words), specialized: trimmed(&specialized) }
}

#[test]
fn resolving_is_packing_and_specializing() {
    let mut compared = 0;
    let mut conditional = 0;
    let mut written = Batch::default();
    for (name, words) in test_support::fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let annotated = annotated(&name, &module);
        if !annotated.spec_constants.is_empty() {
            continue; // annotations.rs: an entry point calls its variants
        }
        let packed = packed(&module, &annotated);
        conditional += usize::from(!packed.packed.leaves.is_empty());
        let analyses = Analyses::new(&module, Cow::Borrowed(&annotated));
        let packed_module = Module::from_words(&packed.words).unwrap();
        let of_packed = Analyses::new(&packed_module, Cow::default());
        for (answers, device) in devices(&packed.packed.leaves) {
            let device = analyses.device_for_module(&device);
            let ways = ways(&analyses, &annotated, &packed, &of_packed, &device);
            let on = format!("{name} on {} ({answers:?})", device.name);
            let environment = format!("spv1.{}", words[1] >> 8 & 0xff);
            written.add(&on, &ways.resolved, &environment);
            let (resolved, specialized) = (canonical(&ways.resolved), canonical(&ways.specialized));
            for (at, (left, right)) in resolved.iter().zip(&specialized).enumerate() {
                assert_eq!(left, right, "{on}: instruction {at}");
            }
            assert_eq!(resolved.len(), specialized.len(), "{on}");
            compared += 1;
        }
    }
    written.assert_valid();
    assert!(compared > 100 && conditional > 20, "{compared} {conditional}");
}
