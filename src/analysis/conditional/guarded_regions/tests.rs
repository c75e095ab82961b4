//! Regions that bound specialization constants guard, compared with the conditions beside each block, and with the blocks that spirv-opt
//! keeps for values of the constants.

use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use crate::analysis::calls::DirectCalls;
use crate::analysis::flow::Flow;
use crate::analysis::{Annotated, ConditionalCalls, Names, SyclProperties};
use crate::condition::{Conditions, Expr};
use crate::device::DeviceNames;
use crate::loader::Module;
use crate::test_support::{self, assemble_named, run, tool};

fn parse(text: &str) -> Expr {
    Expr::parse(text, &DeviceNames).unwrap()
}

/// Returns the condition of each conditional block, by its label.
fn regions(module: &Module, bound: &[(u32, &str)]) -> BTreeMap<u32, Expr> {
    let names = Names::new(module);
    let spec_constants = bound.iter().map(|&(spec_id, text)| (spec_id, parse(text))).collect();
    let annotated = Annotated { spec_constants, ..Annotated::default() };
    let (flow, properties) = (Flow::new(module, &DirectCalls::new(module)), SyclProperties::default());
    let mut calls = ConditionalCalls::find(module, &names, &properties, &annotated).unwrap();
    calls.regions.find(module, &names, &flow).unwrap();
    let mut regions = BTreeMap::new();
    for (at, function) in module.functions().iter().enumerate() {
        for label in module.body(function).filter(|inst| inst.is(Op::Label)) {
            let region =
                calls.regions.in_function(at).iter().find(|region| region.range.contains(&label.offset()));
            regions.extend(region.map(|region| (label.word(1), region.condition.clone())));
        }
    }
    regions
}

/// Checks the conditions of the blocks of one function `%main`, written behind their labels: `%a = OpLabel ; fp16`.
fn check(constants: &str, bound: &[(u32, &str)], body: &str) {
    let text = format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\" %input
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %a SpecId 1
        OpDecorate %b SpecId 2
        OpDecorate %n SpecId 3
        OpDecorate %other SpecId 4
        OpDecorate %input BuiltIn WorkgroupId
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %uvec3 = OpTypeVector %uint 3
        %pinput = OpTypePointer Input %uvec3
        %input = OpVariable %pinput Input
        %true = OpConstantTrue %bool
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %a = OpSpecConstantFalse %bool
        %b = OpSpecConstantFalse %bool
        %n = OpSpecConstant %uint 0
        %other = OpSpecConstantFalse %bool
        {constants}
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %in = OpLoad %uvec3 %input
        %x = OpCompositeExtract %uint %in 0
        %dynamic = OpIEqual %bool %x %u0
        {body}
        OpFunctionEnd"
    );
    let (words, ids) = assemble_named(&text, "spv1.6");
    test_support::assert_valid(&words, "spv1.6");
    let guarded = regions(&Module::from_words(&words).unwrap(), bound);
    let mut conditions = Conditions::new();
    let mut expected = 0;
    for line in body.lines() {
        let Some((label, rest)) = line.trim().split_once(" = OpLabel") else { continue };
        let wanted = rest.trim().trim_start_matches(';').trim();
        let name = label.trim_start_matches('%');
        let region = guarded.get(&ids[name]);
        match wanted {
            "" => assert_eq!(region, None, "{label}"),
            wanted => {
                expected += 1;
                let wanted = conditions.of_expr(&parse(wanted)).unwrap();
                let text = region.map(|expr| expr.display(&DeviceNames).to_string());
                let region = region.map(|expr| conditions.of_expr(expr).unwrap());
                assert_eq!(region, Some(wanted), "{label} runs where {text:?}");
            }
        }
    }
    assert!(expected > 0, "nothing is expected");
}

const BOUND: [(u32, &str); 3] = [(1, "fp16"), (2, "fp64"), (3, "arch(intel_gpu_pvc)")];

#[test]
fn branches_and_early_exits() {
    check(
        "",
        &BOUND,
        "OpSelectionMerge %merge None
        OpBranchConditional %a %then %else
        %then = OpLabel ; fp16
        OpSelectionMerge %inner_merge None
        OpBranchConditional %b %inner %inner_merge
        %inner = OpLabel ; fp16 && fp64
        OpReturn
        %inner_merge = OpLabel ; fp16 && !fp64
        OpBranch %merge
        %else = OpLabel ; !fp16
        OpSelectionMerge %exit_merge None
        OpBranchConditional %dynamic %exit %exit_merge
        %exit = OpLabel ; !fp16
        OpReturn
        %exit_merge = OpLabel ; !fp16
        OpBranch %merge
        %merge = OpLabel ; !(fp16 && fp64)
        OpReturn",
    );
}

#[test]
fn blocks_that_unbound_constants_decide_are_not_guarded() {
    check(
        "%both = OpSpecConstantOp %bool LogicalAnd %a %other",
        &BOUND,
        "OpSelectionMerge %merge None
        OpBranchConditional %both %then %else
        %then = OpLabel ; fp16
        OpBranch %merge
        %else = OpLabel
        OpBranch %merge
        %merge = OpLabel
        OpReturn",
    );
}

#[test]
fn expressions_in_constants_and_in_code() {
    check(
        "%is_one = OpSpecConstantOp %bool IEqual %n %u1
        %sum = OpSpecConstantOp %uint IAdd %n %u1
        %two = OpSpecConstantOp %bool UGreaterThanEqual %sum %u2",
        &BOUND,
        "%not_a = OpLogicalNot %bool %a
        %and = OpLogicalAnd %bool %b %not_a
        %selected = OpSelect %bool %is_one %and %dynamic
        OpSelectionMerge %merge None
        OpBranchConditional %and %then %merge
        %then = OpLabel ; fp64 && !fp16
        OpBranch %merge
        %merge = OpLabel
        %or = OpLogicalOr %bool %two %dynamic
        OpSelectionMerge %merge2 None
        OpBranchConditional %or %then2 %else2
        %then2 = OpLabel
        OpBranch %merge2
        %else2 = OpLabel ; !arch(intel_gpu_pvc)
        OpBranch %merge2
        %merge2 = OpLabel
        OpSelectionMerge %merge3 None
        OpBranchConditional %selected %then3 %else3
        %then3 = OpLabel ; !arch(intel_gpu_pvc) || fp64 && !fp16
        OpBranch %merge3
        %else3 = OpLabel ; !arch(intel_gpu_pvc) || !(fp64 && !fp16)
        OpBranch %merge3
        %merge3 = OpLabel
        OpReturn",
    );
}

#[test]
fn switches_phis_and_loops() {
    check(
        "",
        &BOUND,
        "OpSelectionMerge %merge None
        OpSwitch %n %default 1 %one 2 %two
        %one = OpLabel ; arch(intel_gpu_pvc)
        OpBranch %merge
        %two = OpLabel ; false
        OpBranch %merge
        %default = OpLabel ; !arch(intel_gpu_pvc)
        OpBranch %merge
        %merge = OpLabel
        %phi = OpPhi %bool %a %one %b %two %dynamic %default
        OpBranch %header
        %header = OpLabel
        OpLoopMerge %done %next None
        OpBranch %body
        %body = OpLabel
        OpSelectionMerge %after None
        OpBranchConditional %a %break %after
        %break = OpLabel ; fp16
        OpBranch %done
        %after = OpLabel ; !fp16
        OpBranch %next
        %next = OpLabel ; !fp16
        OpBranchConditional %dynamic %header %done
        %done = OpLabel
        OpSelectionMerge %last None
        OpBranchConditional %phi %then %last
        %then = OpLabel ; fp16 || !arch(intel_gpu_pvc)
        OpBranch %last
        %last = OpLabel
        OpReturn",
    );
}

#[test]
fn constants_with_one_spec_id_are_one() {
    // More than the most that a function may depend on, if they were several.
    let numbers = 0..12;
    let decorations: String = numbers.clone().map(|n| format!("OpDecorate %s{n} SpecId 9\n")).collect();
    let constants: String = numbers.clone().map(|n| format!("%s{n} = OpSpecConstantFalse %bool\n")).collect();
    let branch = |n: u32| {
        let next = n + 1;
        format!(
            "OpSelectionMerge %l{next} None\nOpBranchConditional %s{n} %t{n} %l{next}\n\
             %t{n} = OpLabel\nOpBranch %l{next}\n%l{next} = OpLabel\n"
        )
    };
    let branches: String = numbers.clone().map(branch).collect();
    let text = format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n\
         OpExecutionMode %main LocalSize 1 1 1\n{decorations}%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
         %bool = OpTypeBool\n{constants}%main = OpFunction %void None %fn\n%l0 = OpLabel\n{branches}OpReturn\nOpFunctionEnd"
    );
    let (words, ids) = assemble_named(&text, "vulkan1.1");
    let module = Module::from_words(words).unwrap();
    let guarded: BTreeMap<u32, Expr> = numbers.map(|n| (ids[&format!("t{n}")], parse("fp16"))).collect();
    assert_eq!(regions(&module, &[(9, "fp16")]), guarded);
}

#[test]
fn conditions_that_exclude_each_other() {
    let bound = [(1, "arch(intel_gpu_pvc)"), (2, "arch(intel_gpu_dg1)")];
    check(
        "",
        &bound,
        "OpSelectionMerge %merge None
        OpBranchConditional %a %then %merge
        %then = OpLabel ; arch(intel_gpu_pvc)
        OpSelectionMerge %inner_merge None
        OpBranchConditional %b %inner %inner_merge
        %inner = OpLabel ; false
        OpBranch %inner_merge
        %inner_merge = OpLabel ; arch(intel_gpu_pvc)
        OpBranch %merge
        %merge = OpLabel
        OpReturn",
    );
}

#[test]
fn blocks_that_never_run() {
    check(
        "%different = OpSpecConstantOp %bool LogicalNotEqual %other %other",
        &BOUND,
        "OpSelectionMerge %merge None
        OpBranchConditional %different %then %merge
        %then = OpLabel ; false
        OpSelectionMerge %inner_merge None
        OpBranchConditional %a %inner %inner_merge
        %inner = OpLabel ; false
        OpBranch %inner_merge
        %inner_merge = OpLabel ; false
        OpBranch %merge
        %merge = OpLabel
        OpReturn",
    );
}

/// Checks blocks for values of the constants: a block that spirv-opt removes does not run by our conditions. A block that does not run by
/// our conditions is removed, or left empty.
#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn real_modules_against_spirv_opt() {
    let opt = tool("SPIRV_OPT", "spirv-opt");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/annotations");
    let bound = [(1, "fp16"), (2, "fp64"), (3, "arch(intel_gpu_pvc)")];
    let mut compared = 0;
    for name in ["guarded.spv", "guarded-O.spv"] {
        let before = folder.join(name);
        let words = test_support::words_of(&std::fs::read(&before).unwrap());
        let module = Module::from_words(&words).unwrap();
        let regions = regions(&module, &bound);
        for case in 0..8_u32 {
            let values: Vec<bool> = (0..3).map(|bit| case >> bit & 1 == 1).collect();
            // The size of the work-group is one for which its loop runs.
            let set = format!("0:64 1:{} 2:{} 3:{}", values[0], u32::from(values[1]), values[2]);
            let passes = [
                "--freeze-spec-const",
                "--fold-spec-const-op-composite",
                "--ccp",
                "--eliminate-dead-branches",
            ];
            let set = format!("--set-spec-const-default-value={set}");
            let arguments = [&[set.as_str()], &passes[..], &[before.to_str().unwrap(), "-o", "-"]].concat();
            let after = test_support::words_of(&run(&opt, &arguments, &[]).unwrap());
            let after = Module::from_words(&after).unwrap();
            let runs = |label: u32| {
                let leaves: Vec<_> = bound.iter().map(|(_, text)| parse(text)).collect();
                regions.get(&label).is_none_or(|guard| {
                    let value = |leaf| {
                        leaves.iter().position(|other| *other == Expr::Leaf(leaf)).map(|at| values[at])
                    };
                    crate::condition::evaluate(guard, &value).unwrap() == crate::condition::Truth::True
                })
            };
            let left: BTreeSet<u32> =
                after.instructions().filter(|inst| inst.is(Op::Label)).map(|inst| inst.word(1)).collect();
            for label in module.instructions().filter(|inst| inst.is(Op::Label)).map(|inst| inst.word(1)) {
                compared += 1;
                if !left.contains(&label) {
                    assert!(!runs(label), "{name}, case {case}: spirv-opt drops %{label}");
                } else if !runs(label) {
                    let at = after.definition(label).unwrap();
                    let next = after.range(at.end(), after.words().len() as u32).next().unwrap();
                    let empty = next.is(Op::Unreachable) || next.is(Op::Branch);
                    assert!(empty, "{name}, case {case}: %{label} has {}", next.name());
                }
            }
        }
    }
    assert!(compared > 100);
}
