//! What is found from counted uses and what is prepared once, against other routes to the same: scanning all that stays, and finding it anew.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use crate::analysis::conditional::preparation::{Preparation, of_calls};
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::constants::{Nothing, find_spec_ids};
use crate::analysis::{Analyses, Outside};
use crate::compatibility::DeviceValues;
use crate::device::DeviceConfig;
use crate::loader::{Instruction, Module, SetKind};
use crate::test_support::assemble;
use crate::tests::corpus::{self, PackedFixture};
use crate::transform::pack::Dialect;
use crate::transform::specialize::{KnownValues, SetValues, SpecializeOptions, UnsetConstants, specialize};
use crate::writer::apply;

const DIALECTS: [Dialect; 2] = [Dialect::SpecConditional, Dialect::FunctionVariants];

/// The packed fixtures, with their names.
fn packed() -> impl Iterator<Item = (String, &'static PackedFixture)> {
    let each = |fixture: &'static corpus::Fixture| {
        DIALECTS.into_iter().filter_map(move |dialect| {
            Some((format!("{} {dialect:?}", fixture.name), fixture.packed(dialect)?))
        })
    };
    corpus::fixtures().iter().filter(|fixture| !fixture.name.starts_with("stages/")).flat_map(each)
}

/// The import of a set of debug information that nothing uses: with it, uses are not counted.
fn import(id: u32) -> Vec<u32> {
    let name = crate::loader::literal("OpenCL.DebugInfo.100");
    [vec![(name.len() as u32 + 2) << 16 | Op::ExtInstImport as u32, id], name].concat()
}

/// The words of a module with that import.
fn with_import(module: &Module) -> Vec<u32> {
    let is_before = |inst: &Instruction| {
        let before =
            [Op::Capability, Op::ConditionalCapabilityINTEL, Op::Extension, Op::ConditionalExtensionINTEL];
        before.iter().any(|&op| inst.is(op))
    };
    let at = module.globals().find(|inst| !is_before(inst)).unwrap().offset() as usize;
    let mut words = module.words().to_vec();
    words[3] += 1;
    words.splice(at..at, import(module.bound()));
    words
}

/// The instructions of a result but for that import, and the report.
fn specialized(
    analyses: &Analyses,
    known: &dyn KnownValues,
    set: &SetValues,
    unset: UnsetConstants,
) -> Result<(Vec<Vec<u32>>, String), String> {
    let options = SpecializeOptions::from(unset);
    let specialized = specialize(analyses, known, set.clone(), options).map_err(|error| error.to_string())?;
    let words = apply(analyses.module(), &specialized.edits).unwrap();
    let result = Module::from_words(&words[..]).unwrap();
    let name = &import(0)[2..];
    let is_import = |inst: &Instruction| inst.is(Op::ExtInstImport) && inst.words_from(2) == name;
    let instructions = result.instructions().filter(|inst| !is_import(inst));
    Ok((instructions.map(|inst| inst.words().to_vec()).collect(), format!("{:?}", specialized.report)))
}

/// A module specialized with its uses counted and without.
struct Both<'m> {
    counted: Analyses<'m>,
    scanned: Analyses<'m>,
}

impl Both<'_> {
    fn compare(&self, name: &str, known: &dyn KnownValues, set: &SetValues, unset: UnsetConstants) {
        let [counted, scanned] =
            [&self.counted, &self.scanned].map(|analyses| specialized(analyses, known, set, unset));
        assert!(counted == scanned, "{name}: {set:?} {unset:?}: {:?} {:?}", counted.err(), scanned.err());
    }
}

/// Calls a function with both, where uses are counted.
fn with_both(module: &Module, call: impl FnOnce(&Both)) -> bool {
    let is_counted = Outside::of(module).is_counted && !module.has_sets_of(SetKind::Debug);
    if is_counted {
        let words = with_import(module);
        let other = Module::from_words(&words[..]).unwrap();
        assert!(!Outside::of(&other).is_counted);
        call(&Both { counted: Analyses::of(module), scanned: Analyses::of(&other) });
    }
    is_counted
}

#[test]
fn packed_modules_become_what_scanning_makes_of_them() {
    let table = DeviceConfig::embedded().unwrap();
    let mut compared = 0;
    for (name, made) in packed() {
        let is_counted = with_both(made.result.module(), |both| {
            for device in table.iter().step_by(7) {
                let known = DeviceValues::new(device, &made.properties).unwrap();
                for unset in [UnsetConstants::Keep, UnsetConstants::Default] {
                    both.compare(&name, &known, &SetValues::default(), unset);
                }
            }
        });
        compared += usize::from(is_counted);
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn modules_with_constants_become_what_scanning_makes_of_them() {
    let mut compared = 0;
    for fixture in corpus::fixtures() {
        let module = fixture.plain.module();
        let constants = find_spec_ids(module);
        if constants.is_empty() {
            continue;
        }
        let is_counted = with_both(module, |both| {
            for value in [0, 1, 2, 3, 7, 64] {
                for left_out in [None, constants.first().map(|constant| constant.spec_id)] {
                    let mut set = SetValues::default();
                    for (at, constant) in constants.iter().enumerate() {
                        let type_id = module.definition(constant.id).and_then(|inst| inst.result_type());
                        let is_bool =
                            type_id.is_some_and(|id| module.definition_as(id, Op::TypeBool).is_some());
                        if left_out != Some(constant.spec_id) {
                            let value = (value + at as u64) % if is_bool { 2 } else { 99 };
                            set.set_constant(constant, value);
                        }
                    }
                    both.compare(&fixture.name, &Nothing, &set, UnsetConstants::Keep);
                }
            }
        });
        compared += usize::from(is_counted);
    }
    assert!(compared >= 8, "{compared}");
}

/// Kernels with calls on a condition, and with branches on other constants: in one function, and in functions of their own.
const KERNELS: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Int64
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %calls "calls"
OpEntryPoint Kernel %branches "branches"
OpEntryPoint Kernel %both "both"
OpDecorate %condition SpecId 0
OpDecorate %constant SpecId 1
OpDecorate %called ConditionalINTEL %condition
OpDecorate %first ConditionalINTEL %condition
OpDecorate %second ConditionalINTEL %condition
%bool = OpTypeBool
%condition = OpSpecConstantTrue %bool
%constant = OpSpecConstantTrue %bool
%void = OpTypeVoid
%long = OpTypeInt 64 0
%int = OpTypeInt 32 0
%one = OpConstant %int 1
%many = OpConstant %long 1000
%kernel = OpTypeFunction %void
%taking = OpTypeFunction %void %int
%pointer = OpTypePointer Function %int
%called = OpFunction %void None %taking
%number = OpFunctionParameter %int
%called_start = OpLabel
OpReturn
OpFunctionEnd
%calls = OpFunction %void None %kernel
%calls_start = OpLabel
%first = OpFunctionCall %void %called %one
OpReturn
OpFunctionEnd
%branches = OpFunction %void None %kernel
%branches_start = OpLabel
OpBranchConditional %constant %branches_then %branches_end
%branches_then = OpLabel
%more = OpIAdd %long %many %many
OpBranch %branches_end
%branches_end = OpLabel
OpReturn
OpFunctionEnd
%both = OpFunction %void None %kernel
%both_start = OpLabel
%stored = OpVariable %pointer Function
OpBranchConditional %constant %both_then %both_end
%both_then = OpLabel
%sum = OpIAdd %int %one %one
OpStore %stored %sum
%second = OpFunctionCall %void %called %sum
OpBranch %both_end
%both_end = OpLabel
OpReturn
OpFunctionEnd
"#;

#[test]
fn calls_are_removed_where_branches_are_decided() {
    let Some(words) = assemble(KERNELS, "spv1.2") else { return };
    let module = Module::from_words(&words[..]).unwrap();
    let values = [None, Some(0), Some(1)];
    let is_counted = with_both(&module, |both| {
        for (condition, constant) in values.iter().flat_map(|one| values.map(|other| (*one, other))) {
            let mut set = SetValues::default();
            condition.into_iter().for_each(|value| set.set(0, value));
            constant.into_iter().for_each(|value| set.set(1, value));
            both.compare("kernels", &Nothing, &set, UnsetConstants::Keep);
            let (instructions, _) = specialized(&both.counted, &Nothing, &set, UnsetConstants::Keep).unwrap();
            let has_variable = instructions.iter().any(|words| words[0] as u16 == Op::Variable as u16);
            assert_eq!(has_variable, constant != Some(0), "{set:?}");
        }
    });
    assert!(is_counted);
}

/// The sets of conditions that are tried: each alone, each left out, none, and all.
fn sets(conditions: &[u32]) -> Vec<BTreeSet<u32>> {
    let all: BTreeSet<u32> = conditions.iter().copied().collect();
    let without = |condition: u32| all.iter().copied().filter(|&own| own != condition).collect();
    let mut sets = vec![BTreeSet::new(), all.clone()];
    for &condition in conditions {
        sets.push(BTreeSet::from([condition]));
        sets.push(without(condition));
    }
    sets
}

#[test]
fn preparation_is_what_is_found_without_the_same_calls() {
    let mut found = 0;
    for (name, made) in packed() {
        let module = made.result.module();
        let multi_target = MultiTarget::find(module).unwrap();
        let preparation = Preparation::of(module, &multi_target);
        for removed in sets(multi_target.all_conditions()) {
            let mut prepared = Vec::new();
            let is_false = |condition: u32| removed.contains(&condition);
            preparation.without(is_false, |_| false, &mut Vec::new(), &mut prepared);
            prepared.sort_unstable();
            let mut expected = Vec::new();
            for function in module.functions() {
                let is_removed = |inst: &Instruction| {
                    let condition = inst.result_id().and_then(|id| multi_target.condition(id));
                    inst.is(Op::FunctionCall) && condition.is_some_and(|own| removed.contains(&own))
                };
                let calls = module.body(function).filter(is_removed).map(|inst| inst.offset());
                expected.extend(of_calls(module, function, &calls.collect::<HashSet<u32>>()));
            }
            assert_eq!(prepared, expected, "{name}: {removed:?}");
            found += prepared.len();
        }
    }
    assert!(found > 1000, "{found}");
}
