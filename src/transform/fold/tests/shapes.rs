//! The folding of each shape of control flow, on modules in text.

use super::kernel;
use crate::loader::Module;
use crate::test_support::program::expand;
use crate::transform::specialize::UnsetPolicy;
use crate::transform::specialize::tests::support::{KnownDevice, SpecializeCase, SpecializedCase, knows};

const HEAD: &str = "
OpCapability Float64
INTERFACE %precise %out
OpName %precise \"precise\"
OpDecorate %flag SpecId 0
OpDecorate %number SpecId 1
OpDecorate %other SpecId 2
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
%block = OpTypeStruct %uint
%to_block = OpTypePointer StorageBuffer %block
%to_uint = OpTypePointer StorageBuffer %uint
%to_double = OpTypePointer Private %double
%type = OpTypeFunction %void
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%flag = OpSpecConstantTrue %bool
%number = OpSpecConstant %uint 7
%other = OpSpecConstantTrue %bool
%out = OpVariable %to_block StorageBuffer
%precise = OpVariable %to_double Private
";

/// Returns a function of these blocks, in which %any is an unknown Boolean, and the rest of the module.
fn case(blocks: &str, rest: &str) -> SpecializeCase {
    let text = format!(
        "{HEAD}%main = OpFunction %void None %type
        %start = OpLabel
        %place = OpAccessChain %to_uint %out %zero
        %loaded = OpLoad %uint %place
        %any = OpIEqual %bool %loaded %one
        {blocks}
        OpFunctionEnd\n{rest}"
    );
    SpecializeCase::new(&expand(&text)).valid("spv1.6")
}

impl SpecializedCase<'_> {
    /// Returns the blocks by name, in order, each with the opcodes of its instructions without `Op`.
    fn shape(&self, case: &SpecializeCase) -> String {
        let module = Module::from_words(&self.words).unwrap();
        let mut shape = String::new();
        for inst in module.body(&module.functions()[0]) {
            match inst.name().as_str() {
                "OpLabel" => shape += &format!("\n{}:", case.name(inst.word(1))),
                "OpFunction" | "OpFunctionEnd" | "OpAccessChain" | "OpLoad" | "OpIEqual" | "OpStore" => {}
                name => shape += &format!(" {}", &name[2..]),
            }
        }
        shape.trim().to_owned()
    }
}

fn shape(blocks: &str, set: &[(u32, u64)]) -> String {
    let case = case(blocks, "");
    let outcome = case.with(&KnownDevice::default(), set, UnsetPolicy::Keep).unwrap();
    outcome.valid("spv1.6").shape(&case)
}

fn lines(text: &str) -> String {
    text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Checks the blocks after constants are set.
fn becomes(blocks: &str, set: &[(u32, u64)], expected: &str) {
    let found_shape = shape(blocks, set);
    assert_eq!(found_shape, lines(expected), "{blocks}");
}

#[test]
fn a_selection_leaves_one_block() {
    let blocks = "
        OpSelectionMerge %end None
        OpBranchConditional %flag %yes %no
        %yes = OpLabel
        OpBranch %end
        %no = OpLabel
        OpBranch %end
        %end = OpLabel
        %value = OpPhi %uint %one %yes %two %no
        OpStore %place %value
        OpReturn";
    for (flag, value) in [(1, "one"), (0, "two")] {
        becomes(blocks, &[(0, flag)], "start: Return");
        let case = case(blocks, "");
        let outcome = case.with(&KnownDevice::default(), &[(0, flag)], UnsetPolicy::Keep).unwrap();
        assert_eq!(outcome.all("OpStore"), [[case.id("place"), case.id(value)]]);
    }
    // Nothing of this is decided by the other one.
    let case = case(blocks, "");
    let outcome = case.with(&KnownDevice::default(), &[(2, 0)], UnsetPolicy::Keep).unwrap();
    assert_eq!((outcome.report.branches, outcome.report.blocks, outcome.report.frozen), (0, 0, 1));
    let outcome = case.with(&KnownDevice::default(), &[(0, 0)], UnsetPolicy::Keep).unwrap();
    assert_eq!((outcome.report.branches, outcome.report.blocks, outcome.report.frozen), (1, 1, 1));
}

/// Checks that a block that is merged into another one is replaced in OpPhis. Blocks that merge instructions name stay.
#[test]
fn phis_name_the_block_that_is_continued() {
    let blocks = "
        OpSelectionMerge %end None
        OpBranchConditional %any %left %right
        %left = OpLabel
        OpSelectionMerge %joined None
        OpBranchConditional %flag %yes %joined
        %yes = OpLabel
        OpBranch %joined
        %joined = OpLabel
        %alone = OpPhi %uint %two %left %loaded %yes
        OpBranch %end
        %right = OpLabel
        OpBranch %end
        %end = OpLabel
        %value = OpPhi %uint %alone %joined %two %right
        OpStore %place %value
        OpReturn";
    becomes(
        blocks,
        &[(0, 1)],
        "start: SelectionMerge BranchConditional
        left: Branch
        right: Branch
        end: Phi Return",
    );
    let case = case(blocks, "");
    let outcome = case.with(&KnownDevice::default(), &[(0, 1)], UnsetPolicy::Keep).unwrap();
    let expected = ["uint", "value", "loaded", "left", "two", "right"].map(|name| case.id(name));
    assert_eq!(outcome.definition("value"), ("OpPhi".to_owned(), expected.to_vec()));
}

/// A merge instruction keeps its merge block, and a loop its continue target, even if they are unreachable.
#[test]
fn named_blocks_are_kept_as_stubs() {
    becomes(
        "OpSelectionMerge %end None
        OpBranchConditional %any %left %right
        %left = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %flag %leave %inner
        %leave = OpLabel
        OpReturn
        %inner = OpLabel
        OpBranch %end
        %right = OpLabel
        OpReturn
        %end = OpLabel
        OpReturn",
        &[(0, 1)],
        "start: SelectionMerge BranchConditional
        left: Return
        right: Return
        end: Unreachable",
    );
    becomes(
        "OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %zero %start %next %back
        OpStore %place %round
        OpLoopMerge %end %more None
        OpBranch %body
        %body = OpLabel
        OpSelectionMerge %on None
        OpBranchConditional %flag %leave %on
        %leave = OpLabel
        OpBranch %end
        %on = OpLabel
        OpBranch %more
        %more = OpLabel
        %next = OpIAdd %uint %round %one
        OpBranch %back
        %back = OpLabel
        OpBranch %head
        %end = OpLabel
        OpReturn",
        &[(0, 1)],
        "start: Branch
        head: LoopMerge Branch
        body: Branch
        more: Branch
        end: Return",
    );
}

/// Checks a loop of which only the header remains. For the branch back, to which nothing leads, its OpPhi must not have
/// a value from before the loop: a driver has a defect with that (`spec-extensions/driver-defects.csv`).
#[test]
fn a_loop_that_is_never_repeated_has_phis_of_its_predecessors() {
    let blocks = "
        OpSelectionMerge %head None
        OpBranchConditional %any %left %right
        %left = OpLabel
        %less = OpLogicalNot %bool %any
        OpBranch %head
        %right = OpLabel
        OpBranch %head
        %head = OpLabel
        %kept = OpPhi %bool %less %left %any %right %changed %more
        OpLoopMerge %end %more None
        OpBranchConditional %flag %end %more
        %more = OpLabel
        %changed = OpLogicalNot %bool %kept
        OpBranch %head
        %end = OpLabel
        %chosen = OpSelect %uint %kept %one %zero
        OpStore %place %chosen
        OpReturn";
    let case = case(blocks, "");
    let outcome = case.with(&KnownDevice::default(), &[(0, 1)], UnsetPolicy::Keep).unwrap();
    let expected = ["bool", "kept", "less", "left", "any", "right", "kept", "more"].map(|name| case.id(name));
    assert_eq!(outcome.valid("spv1.6").definition("kept"), ("OpPhi".to_owned(), expected.to_vec()));
}

/// Checks a merge block that only a conditional branch without a merge instruction leads to.
#[test]
fn a_merge_instruction_moves_to_the_branch_that_requires_it() {
    let blocks = "OpSelectionMerge %end None
        OpBranchConditional %flag %first %other_way
        %first = OpLabel
        OpBranchConditional %any %end %second
        %second = OpLabel
        OpBranchConditional %any %third %end
        %third = OpLabel
        OpStore %place %two
        OpBranch %end
        %other_way = OpLabel
        OpBranch %end
        %end = OpLabel
        OpReturn";
    becomes(
        blocks,
        &[(0, 1)],
        "start: SelectionMerge BranchConditional
        second: BranchConditional
        third: Branch
        end: Return",
    );
    // Without an effect in it, the selection goes.
    becomes(&blocks.replace("OpStore %place %two\n", ""), &[(0, 1)], "start: Return");
}

/// Checks that a switch with one case is removed once nothing leaves it early: compilers write these for early exits.
#[test]
fn a_switch_that_nothing_leaves_goes() {
    let blocks = "
        OpSelectionMerge %end None
        OpSwitch %zero %case
        %case = OpLabel
        OpStore %place %one
        OpSelectionMerge %inner None
        OpBranchConditional %flag %leave %inner
        %leave = OpLabel
        OpBranch %end
        %inner = OpLabel
        OpStore %place %two
        OpBranch %end
        %end = OpLabel
        OpReturn";
    becomes(blocks, &[(0, 0)], "start: Return");
    becomes(blocks, &[(0, 1)], "start: Return");
    let case = case(blocks, "");
    let stores = |flag: u64| {
        let outcome = case.with(&KnownDevice::default(), &[(0, flag)], UnsetPolicy::Keep).unwrap();
        // It is no branch that the constant decides.
        assert_eq!(outcome.report.branches, 1);
        outcome.all("OpStore").len()
    };
    assert_eq!([0, 1].map(stores), [2, 1]);
}

/// Checks constructs inside of a switch that leave it: only a switch may be left so.
#[test]
fn a_switch_that_is_left_from_inside_keeps_one_case() {
    let blocks = "
        OpSelectionMerge %end None
        OpSwitch %number %default 1 %case 2 %plain
        %case = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %any %leave %inner
        %leave = OpLabel
        OpBranch %end
        %inner = OpLabel
        OpBranch %end
        %plain = OpLabel
        OpBranch %end
        %default = OpLabel
        OpBranch %end
        %end = OpLabel
        %same = OpPhi %uint %one %leave %one %inner %zero %plain %one %default
        %value = OpPhi %uint %one %leave %two %inner %zero %plain %one %default
        OpStore %place %same
        OpStore %place %value
        OpReturn";
    becomes(
        blocks,
        &[(1, 1)],
        "start: SelectionMerge Switch
        case: SelectionMerge BranchConditional
        leave: Branch
        inner: Branch
        end: Phi Return",
    );
    becomes(blocks, &[(1, 2)], "start: Return");
    becomes(blocks, &[(1, 3)], "start: Return");
}

/// Checks that every loop has a branch back to its header, and every continue target a way there.
#[test]
fn loops_stay_loops() {
    let blocks = "OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %zero %start %next %head
        %next = OpIAdd %uint %round %one
        OpStore %place %next
        OpLoopMerge %end %head None
        OpBranchConditional %flag %head %end
        %end = OpLabel
        OpReturn";
    becomes(blocks, &[(0, 0)], "start: Branch\nhead: Phi IAdd LoopMerge BranchConditional\nend: Return");
    becomes(blocks, &[(0, 1)], "start: Branch\nhead: Phi IAdd LoopMerge Branch\nend: Unreachable");
    becomes(
        "OpBranch %head
        %head = OpLabel
        OpLoopMerge %end %more None
        OpBranchConditional %any %more %end
        %more = OpLabel
        OpBranch %spin
        %spin = OpLabel
        OpLoopMerge %spun %again None
        OpBranchConditional %flag %again %spun
        %again = OpLabel
        OpBranch %spin
        %spun = OpLabel
        OpBranch %head
        %end = OpLabel
        OpReturn",
        &[(0, 1)],
        "start: Branch
        head: LoopMerge BranchConditional
        more: Branch
        spin: LoopMerge BranchConditional
        again: Branch
        spun: Branch
        end: Return",
    );
}

/// Checks that a block stands after a block that dominates it now.
#[test]
fn blocks_stand_behind_those_that_dominate_them() {
    let blocks = "
        OpSelectionMerge %end None
        OpSwitch %number %default 1 %second 2 %first
        %first = OpLabel
        OpBranch %end
        %second = OpLabel
        %sum = OpIAdd %uint %loaded %one
        OpStore %place %sum
        OpBranch %first
        %default = OpLabel
        OpBranch %end
        %end = OpLabel
        OpReturn";
    becomes(blocks, &[(1, 1)], "start: IAdd Return");
    becomes(blocks, &[(1, 2)], "start: Return");
}

const CALLS: &str = "
        OpSelectionMerge %end None
        OpBranchConditional %flag %yes %end
        %yes = OpLabel
        %call = OpFunctionCall %void %helper
        OpBranch %end
        %end = OpLabel
        %again = OpFunctionCall %void %untouched
        %chosen = OpSelect %uint %any %one %zero
        OpStore %place %chosen
        OpReturn";
const HELPERS: &str = "
        %helper = OpFunction %void None %type
        %helper_start = OpLabel
        %wide = OpLoad %double %precise
        OpStore %precise %wide
        OpReturn
        OpFunctionEnd
        %dead = OpFunction %void None %type
        %dead_start = OpLabel
        OpReturn
        OpFunctionEnd
        %untouched = OpFunction %void None %type
        %untouched_start = OpLabel
        %untouched_place = OpAccessChain %to_uint %out %zero
        OpStore %untouched_place %one
        OpSelectionMerge %untouched_end None
        OpBranchConditional %true %untouched_yes %untouched_no
        %untouched_yes = OpLabel
        OpBranch %untouched_end
        %untouched_no = OpLabel
        OpBranch %untouched_end
        %untouched_end = OpLabel
        OpReturn
        OpFunctionEnd";

/// Checks that a hint on the branch of a loop is removed with the branch, which it must precede.
#[test]
fn loop_controls_go_with_their_branch() {
    let text = "
        OpCapability UnstructuredLoopControlsINTEL
        OpExtension \"SPV_INTEL_unstructured_loop_controls\"
        %one = OpConstant %uint 1
        %type = OpTypeFunction %void %to_result
        %main = OpFunction %void None %type
        %out = OpFunctionParameter %to_result
        %start = OpLabel
        OpBranch %head
        %head = OpLabel
        OpLoopControlINTEL 1
        OpBranchConditional %flag %end %body
        %body = OpLabel
        OpStore %out %one
        OpBranch %head
        %end = OpLabel
        OpStore %out %one
        OpReturn
        OpFunctionEnd";
    let case = kernel(text);
    for flag in [0, 1] {
        let outcome = case.on(&knows(&[(0, flag)]));
        assert_eq!(outcome.valid("opencl2.2").all("OpLoopControlINTEL").len(), 0, "{flag}");
    }
    assert_eq!(case.on(&knows(&[])).all("OpLoopControlINTEL").len(), 1);
}

/// Definitions that only removed blocks used are removed, and no others.
#[test]
fn definitions_that_only_dead_blocks_used_are_removed() {
    let case = case(CALLS, HELPERS);
    let off = case.with(&KnownDevice::default(), &[(0, 0)], UnsetPolicy::Keep).unwrap();
    off.valid("spv1.6").removed("flag yes end call helper helper_start wide precise to_double double");
    assert_eq!(off.report.swept_functions, [case.id("helper")]);
    let on = case.with(&KnownDevice::default(), &[(0, 1)], UnsetPolicy::Keep).unwrap();
    on.valid("spv1.6").removed("flag yes end");
    // What a device is known to have sets a constant as well.
    let device = case.on(&knows(&[(0, 0)]));
    assert_eq!(device.words, off.words);
    assert_eq!(case.on(&knows(&[(9, 0)])).words, case.words);
}

/// Vectors, composites and the size of work groups get values; composites with other constants are kept.
#[test]
fn constants_follow_from_others() {
    let text = "
        OpCapability Shader
        OpCapability Int64
        OpCapability Float64
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpEntryPoint GLCompute %main \"other\"
        OpExecutionModeId %main LocalSizeId %x %sum %one
        OpDecorate %x SpecId 0
        OpDecorate %y SpecId 1
        OpDecorate %real SpecId 2
        OpDecorate %wide SpecId 3
        OpDecorate %size BuiltIn WorkgroupSize
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %long = OpTypeInt 64 1
        %double = OpTypeFloat 64
        %uint3 = OpTypeVector %uint 3
        %uint2 = OpTypeVector %uint 2
        %one = OpConstant %uint 1
        %x = OpSpecConstant %uint 1
        %y = OpSpecConstant %uint 1
        %real = OpSpecConstant %double 1
        %wide = OpSpecConstant %long 1
        %sum = OpSpecConstantOp %uint IAdd %x %one
        %partly = OpSpecConstantOp %uint IAdd %x %y
        %size = OpSpecConstantComposite %uint3 %x %sum %one
        %half = OpSpecConstantComposite %uint3 %x %y %one
        %doubled = OpSpecConstantOp %uint3 IAdd %size %size
        %turned = OpSpecConstantOp %uint2 VectorShuffle %doubled %half 1 3
        %part = OpSpecConstantOp %uint CompositeExtract %turned 0
        %array = OpTypeArray %uint %part
        %pointer = OpTypePointer Workgroup %array
        %shared = OpVariable %pointer Workgroup
        %negative = OpSpecConstantOp %long SNegate %wide
        %type = OpTypeFunction %void
        %main = OpFunction %void None %type
        %start = OpLabel
        %used = OpIAdd %uint3 %doubled %half
        %too = OpIAdd %uint2 %turned %turned
        OpReturn
        OpFunctionEnd";
    let case = SpecializeCase::new(text);
    let set = [(0, 4), (2, 2.5f64.to_bits()), (3, 1 << 40)];
    let outcome = case.with(&KnownDevice::default(), &set, UnsetPolicy::Keep).unwrap();
    outcome.valid("spv1.6");
    let literals = |name: &str| {
        let (op, words) = outcome.definition(name);
        (op, words[2..].to_vec())
    };
    let (constant, composite) = ("OpConstant".to_owned(), "OpConstantComposite".to_owned());
    assert_eq!(literals("sum"), (constant.clone(), vec![5]));
    assert_eq!(literals("part"), (constant.clone(), vec![10]));
    assert_eq!(literals("real"), (constant.clone(), vec![0, 0x4004_0000]));
    assert_eq!(literals("negative"), (constant.clone(), vec![0, 0xffff_ff00]));
    assert_eq!(literals("size"), (composite.clone(), vec![case.id("x"), case.id("sum"), case.id("one")]));
    assert_eq!(literals("half").0, "OpSpecConstantComposite");
    assert_eq!(literals("partly").0, "OpSpecConstantOp");
    let module = Module::from_words(&outcome.words).unwrap();
    let components = |name: &str| {
        let (op, ids) = literals(name);
        let value = |&id: &u32| module.definition(id).unwrap().word(3);
        (op, ids.iter().map(value).collect::<Vec<_>>())
    };
    assert_eq!(components("doubled"), (composite.clone(), vec![8, 10, 2]));
    assert_eq!(components("turned"), (composite, vec![10, 4]));
    assert_eq!(outcome.all("OpExecutionMode"), [vec![case.id("main"), 17, 4, 5, 1]]);
    assert_eq!(outcome.all("OpExecutionModeId"), [[0; 0]; 0]);
    let spec_ids: Vec<u32> =
        outcome.all("OpDecorate").iter().filter(|words| words[1] == 1).map(|words| words[2]).collect();
    assert_eq!(spec_ids, [1]);
    // With the other one set, the work group still waits.
    let other = case.with(&KnownDevice::default(), &[(1, 4)], UnsetPolicy::Keep).unwrap();
    assert_eq!(other.valid("spv1.6").all("OpExecutionModeId").len(), 1);
}

/// Reordered blocks keep a stub and lose the removed blocks behind it: the end of the second selection is not reached, and leads to the others.
#[test]
fn stubs_stay_where_blocks_change_their_order() {
    becomes(
        "OpSelectionMerge %between None
        OpSwitch %number %between 0 %first 1 %second
        %second = OpLabel
        OpBranch %between
        %first = OpLabel
        OpBranch %second
        %between = OpLabel
        OpSelectionMerge %end None
        OpBranchConditional %any %left %right
        %left = OpLabel
        OpReturn
        %right = OpLabel
        OpSelectionMerge %inner None
        OpBranchConditional %flag %leave %inner
        %leave = OpLabel
        OpReturn
        %inner = OpLabel
        OpBranch %end
        %end = OpLabel
        OpSelectionMerge %last None
        OpBranchConditional %any %never %last
        %never = OpLabel
        OpBranch %last
        %last = OpLabel
        OpReturn",
        &[(0, 1), (1, 0)],
        "start: SelectionMerge BranchConditional
        right: Return
        left: Return
        end: Unreachable",
    );
}
