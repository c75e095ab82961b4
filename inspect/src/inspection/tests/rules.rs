//! Comparison of denied conditions with all devices: every combination of the features that occur is checked against
//! the requirements that `inspect` prints.

use std::collections::BTreeSet;

use crate::inspection::model::RequiredFeature;
use crate::inspection::{EntryPointReport, with_context};
use crate::tests::corpus::fixture;
use spirv_if::engine::analysis::closure;
use spirv_if::engine::condition::{Expr, Leaf, Name, Truth, evaluate};
use spirv_if::engine::device::{DeviceNames, aspects, capabilities};

/// Returns the leaves for a required feature: itself, and the leaves that imply it.
fn leaves_of(report: &EntryPointReport) -> Vec<(BTreeSet<Leaf>, Expr)> {
    let when = |required: &RequiredFeature| {
        required.when.as_ref().map_or(Expr::True, |condition| condition.expr.clone())
    };
    let capabilities = report.capabilities.iter().map(|feature| {
        let all = closure([capabilities::number(&feature.name).unwrap()].into_iter());
        (all.into_iter().map(Leaf::Capability).collect(), when(feature))
    });
    let declared = report.declared_aspects.iter().flatten();
    let aspects = report.aspects.iter().chain(declared).map(|feature| {
        (BTreeSet::from([Leaf::Aspect(aspects::number(&feature.name).unwrap())]), when(feature))
    });
    let extensions = report
        .extensions
        .iter()
        .map(|feature| (BTreeSet::from([Leaf::Extension(Name::new(&feature.name).unwrap())]), when(feature)));
    capabilities.chain(aspects).chain(extensions).collect()
}

/// Returns true if some devices run an entry point, and a condition holds on all of them.
fn holds_on_all(report: &EntryPointReport, condition: &Expr) -> bool {
    let required = leaves_of(report);
    let mut all = condition.leaves();
    required.iter().for_each(|(_, when)| all.extend(when.leaves()));
    let all: Vec<Leaf> = all.into_iter().collect();
    assert!(all.len() < 16, "too many combinations");
    let is_architecture = |leaf: &&Leaf| matches!(leaf, Leaf::Architecture(_));
    for bits in 0..1_u32 << all.len() {
        let has =
            |leaf: Leaf| all.iter().position(|other| *other == leaf).is_some_and(|at| bits >> at & 1 == 1);
        if all.iter().filter(is_architecture).filter(|leaf| has(**leaf)).count() > 1 {
            continue;
        }
        let is = |expr: &Expr| evaluate(expr, &|leaf| Some(has(leaf))).unwrap() == Truth::True;
        let meets = |(leaves, when): &(BTreeSet<Leaf>, Expr)| {
            !is(when) || leaves.iter().all(|leaf| !all.contains(leaf) || has(*leaf))
        };
        if required.iter().all(meets) && !is(condition) {
            return false;
        }
    }
    true
}

#[test]
fn denied_conditions_hold_on_every_device_that_runs_it() {
    let conditions = [
        "fp64",
        "cap(Float64)",
        "fp16",
        "fp16 || fp64",
        "fp16 && fp64",
        "!fp16",
        "cap(Shader) && cap(Int64)",
        "cap(Matrix)",
        "arch(intel_gpu_pvc) || cap(Kernel)",
        "arch(intel_gpu_acm_g10) && fp64",
        "ext(SPV_KHR_16bit_storage)",
        "ext(SPV_KHR_16bit_storage) || fp64",
        "true",
        "false",
    ];
    let (mut denied, mut allowed) = (0, 0);
    for name in ["opencl/plain", "opencl/device_if", "glsl/reduce", "check/hw", "check/double", "opencl/many"]
    {
        let loaded = fixture(&format!("{name}.spv"));
        let analyses = loaded.plain.analyses();
        with_context(analyses, &Default::default(), |context| {
            let inspected = context.inspected(None, true)?;
            for text in conditions {
                let condition = Expr::parse(text, &DeviceNames).unwrap();
                let violations = context.denied(&inspected, &condition)?;
                let of_whole = violations.iter().any(|violation| violation.entry_point.is_none());
                for root in inspected.roots().filter(|root| root.body_of.is_none()) {
                    let expected = holds_on_all(root, &condition);
                    let is =
                        violations.iter().any(|violation| violation.entry_point.as_ref() == Some(&root.name));
                    assert_eq!(is, expected, "{name}: {} and `{text}`", root.name);
                    *(if is { &mut denied } else { &mut allowed }) += 1;
                    assert!(!(is && of_whole));
                }
            }
            Ok(())
        })
        .unwrap();
    }
    assert!(denied > 50 && allowed > 50, "{denied} {allowed}");
}
