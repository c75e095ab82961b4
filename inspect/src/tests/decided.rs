//! Effects of specialization constants: an inspection lists exactly the effects that specializing has.

use std::collections::BTreeSet;

use crate::tests::corpus::fixtures;
use crate::{InspectOptions, inspect};
use crate::{InspectedConstant, ValueEffect};
use spirv_if::engine::analysis::calls::DirectCalls;
use spirv_if::engine::analysis::flow::{Flow, Running, Solution};
use spirv_if::specialize::UnsetPolicy;
use spirv_if::trim::trim;
use spirv_if::{Device, Module, Prepared, Settings, SpecValue};

/// The number of removed blocks, and the capabilities that are required otherwise.
type RemovedParts = (usize, BTreeSet<String>);

/// A module whose constants are set.
struct DecidedModule<'m> {
    prepared: Prepared<'m>,
    /// Capabilities that nothing requires, for all values of the constants.
    superfluous: BTreeSet<String>,
    /// The number of branches that are decided as soon as something in their function is.
    fixed: usize,
}

impl DecidedModule<'_> {
    /// Returns the number of branches that setting a constant decides, and the removed parts; `None` if the constant
    /// has no such value.
    fn set(&self, constant: &InspectedConstant, value: SpecValue) -> Option<(usize, RemovedParts)> {
        let settings = Settings::new().unset(UnsetPolicy::Keep).set(constant.spec_id, value).trim(true);
        let report = self.prepared.specialize(&Device::default(), &settings).ok()?.report;
        let trimmed: BTreeSet<String> = report.trimmed.unwrap().into_iter().collect();
        let removed = trimmed.into_iter().filter(|name| !name.starts_with("SPV_"));
        let removed = removed.filter(|name| !self.superfluous.contains(name)).collect();
        Some((report.branches, (report.removed_blocks, removed)))
    }

    /// Compares the listed effects with the results of specializing.
    fn compare(&self, name: &str, constant: &InspectedConstant) {
        let context = |value: SpecValue| format!("{name}: SpecId {} {value}", constant.spec_id);
        assert!(!constant.untried, "{name}: SpecId {}", constant.spec_id);
        let effect = |effect_of_value: &ValueEffect| {
            let capabilities = effect_of_value.removed_capabilities.iter().map(ToString::to_string).collect();
            (effect_of_value.value, (effect_of_value.removed_blocks, capabilities))
        };
        let listed: Vec<(SpecValue, RemovedParts)> = constant.values.iter().map(effect).collect();
        for &(value, ref removed) in &listed {
            let (branches, happens) = self.set(constant, value).unwrap();
            assert_eq!(*removed, happens, "{}", context(value));
            assert!(branches <= constant.branches + self.fixed, "{}: {branches} branches", context(value));
        }
        let mut others: Vec<SpecValue> = (-9..40).map(SpecValue::from).collect();
        others.extend([0.25, 0.5, 1.5].map(SpecValue::from));
        others.extend([true.into(), false.into(), SpecValue::from(u32::MAX)]);
        for value in others {
            let Some((branches, happens)) = self.set(constant, value) else { continue };
            assert!(branches <= constant.branches + self.fixed, "{}: {branches} branches", context(value));
            let nothing = happens.0 == 0 && happens.1.is_empty();
            let is_listed = listed.iter().any(|(_, removed)| *removed == happens);
            assert!(nothing || is_listed, "{} removes {happens:?}, not one of {listed:?}", context(value));
        }
    }
}

fn compare(name: &str, words: &[u32]) -> usize {
    let module = Module::from_words(words).unwrap();
    let constants = inspect(&module, &InspectOptions::default()).unwrap().spec_constants();
    let prepared = Prepared::new(&module).unwrap();
    let superfluous = trim(&module).unwrap().removed.into_iter().collect();
    let (flow, mut solution) =
        (Flow::new(&module.inner, &DirectCalls::new(&module.inner)), Solution::default());
    let solved = flow.solve(&module.inner, &mut solution, Running::Called, &mut |_| None);
    let fixed = flow.functions().into_iter().map(|at| solved.decisions(at).count()).sum();
    let setting = DecidedModule { prepared, superfluous, fixed };
    constants.iter().for_each(|constant| setting.compare(name, constant));
    constants.iter().filter(|constant| constant.branches > 0).count()
}

#[test]
fn what_constants_decide_is_what_setting_them_does() {
    // Integers that pack switches have more outcomes than are tried, and their functions get clones, whose blocks are not listed.
    let listed = fixtures().iter().filter(|fixture| !fixture.name.starts_with("scene/"));
    let of_fixtures = listed.map(|fixture| compare(&fixture.name, fixture.words()));
    assert!(of_fixtures.sum::<usize>() > 10);
}

#[test]
fn what_functions_compute_from_constants_counts() {
    let text = include_str!("../../../cli/tests/cases/inspect/computed-conditions.spvasm");
    let words = crate::test_support::assemble(text, "vulkan1.1");
    assert_eq!(compare("computed-conditions", &words), 5);
}

/// Checks that all constants set to their defaults decide every branch that is listed for one of them and no other
/// value.
#[test]
fn branches_are_listed_that_setting_all_constants_decides() {
    for fixture in fixtures() {
        let module = Module::from_words(fixture.words()).unwrap();
        let constants = inspect(&module, &InspectOptions::default()).unwrap().spec_constants();
        let settings =
            constants.iter().fold(Settings::new().unset(UnsetPolicy::Keep), |settings, constant| {
                constant.default.map_or(settings.clone(), |default| settings.set(constant.spec_id, default))
            });
        let Ok(all) = Prepared::new(&module).unwrap().specialize(&Device::default(), &settings) else {
            continue;
        };
        let listed: usize = constants.iter().map(|constant| constant.branches).sum();
        let (name, decided) = (&fixture.name, all.report.branches);
        assert!(decided <= listed, "{name}: {decided} of {listed}");
    }
}

/// More Booleans than once were tried at all.
#[test]
fn many_constants_are_tried() {
    let count = 40;
    let each = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let text = format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        {}
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        %bool = OpTypeBool
        {}
        %main = OpFunction %void None %type
        %start = OpLabel
        OpBranch %h0
        {}
        %h{count} = OpLabel
        OpReturn
        OpFunctionEnd",
        each(&|at| format!("OpDecorate %c{at} SpecId {at}\n")),
        each(&|at| format!("%c{at} = OpSpecConstantTrue %bool\n")),
        each(&|at| format!(
            "%h{at} = OpLabel
            OpSelectionMerge %h{next} None
            OpBranchConditional %c{at} %t{at} %h{next}
            %t{at} = OpLabel
            OpBranch %h{next}\n",
            next = at + 1
        )),
    );
    let words = crate::test_support::assemble(&text, "spv1.5");
    assert_eq!(compare("many", &words), count);
}
