//! Tests of the search for kernels that may not expect the requirements of their callees.

use std::borrow::Cow;

use crate::checks::{CheckTargets, new_check};
use crate::test_support::assemble_named;
use spirv_if::device::DeviceConfig;
use spirv_if::engine::analysis::{Analyses, Annotated};
use spirv_if::engine::loader::Module;

/// Checks which kernels are searched. `body` are the kernels, which call functions of another unit: `%double` and `%listed`.
fn check_searched(decorations: &str, body: &str, own: &[&str], searched: &[&str]) {
    let text = format!(
        "OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability Float64
        OpMemoryModel Physical64 OpenCL
        {decorations}
        OpDecorate %double LinkageAttributes \"double\" Export
        OpDecorate %listed LinkageAttributes \"listed\" Export
        OpDecorate %listed UserSemantic \"sycl-properties:sycl-device-has=5\"
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %f64 = OpTypeFloat 64
        %one = OpConstant %f64 1
        %double = OpFunction %void None %fn
        %l0 = OpLabel
        %sum = OpFAdd %f64 %one %one
        OpReturn
        OpFunctionEnd
        %listed = OpFunction %void None %fn
        %l1 = OpLabel
        OpReturn
        OpFunctionEnd
        {body}"
    );
    let (words, ids) = assemble_named(&text, "spv1.4");
    let module = Module::from_words(&words[..]).unwrap();
    let mut annotated = Annotated::default();
    for (name, &id) in ids.iter().filter(|(_, id)| module.function(**id).is_some()) {
        let is_own = own.contains(&name.as_str());
        annotated.sources.insert(id, if is_own { "a.cl" } else { "b.cl" }.to_owned());
    }
    let devices = DeviceConfig::embedded().unwrap();
    let properties = Default::default();
    let targets = CheckTargets { fixed_targets: &[], devices: &devices, properties: &properties };
    let analyses = Analyses::new(&module, Cow::Owned(annotated));
    let mut check = new_check(&analyses, &targets).unwrap();
    let (kernels, called): (Vec<u32>, Vec<u32>) =
        check.functions().into_iter().partition(|id| check.entry_points.contains_key(id));
    let (found, _) = check.unexpecting_kernels(&kernels, &called).unwrap();
    assert_eq!(found, searched.iter().map(|name| ids[*name]).collect::<Vec<_>>());
}

fn calling(name: &str, callee: &str) -> String {
    format!(
        "%{name} = OpFunction %void None %fn\n%l_{name} = OpLabel\n%v_{name} = OpFunctionCall %void %{callee}\nOpReturn\nOpFunctionEnd\n"
    )
}

#[test]
fn only_kernels_that_may_be_surprised_are_searched() {
    let entries = "OpEntryPoint Kernel %k \"k\"\nOpEntryPoint Kernel %plain \"plain\"\n";
    let declares = format!("{entries}OpDecorate %k UserSemantic \"sycl-properties:sycl-device-has=6\"\n");
    let both = |callee: &str| calling("k", callee) + &calling("plain", callee);
    check_searched(&declares, &both("double"), &["k", "plain"], &["plain"]);
    // Of one unit, a kernel sees what it calls, except what a function declares without using it.
    check_searched(&declares, &both("double"), &["k", "plain", "double"], &[]);
    check_searched(&declares, &both("listed"), &["k", "plain", "listed"], &["k", "plain"]);
    // In a chain over a function that requires nothing itself.
    let chain = calling("next", "double") + &both("next");
    check_searched(&declares, &chain, &["k", "plain"], &["plain"]);
}
