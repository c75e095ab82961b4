//! Tests of OpPhis after folding: each has exactly the predecessors of its block, and none is in a loop that never
//! repeats.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::Analyses;
use crate::loader::{Function, Module};
use rspirv::grammar::reflect::is_block_terminator;
use spirv::Op;

use crate::transform::specialize::{UnsetPolicy, specialize};
use crate::transform::work_around::boolean_loop_phis;
use crate::writer::apply;

use super::compare::{SETTINGS, TestSetting, constants};
use super::planted::planted;
use crate::test_support::program::expand;
use crate::test_support::{assert_valid, fixtures};
use crate::transform::specialize::tests::support::{KnownDevice, SpecializeCase};

/// A block of a function, and its predecessors.
#[derive(Default)]
struct PhiBlock {
    /// The result id of each of its OpPhis, and its pairs of values and labels.
    phis: Vec<(u32, Vec<[u32; 2]>)>,
    has_loop_merge: bool,
    following: BTreeSet<u32>,
    predecessors: BTreeSet<u32>,
    reached: bool,
}

/// Returns the blocks of a function by their labels.
fn blocks(module: &Module, function: &Function) -> BTreeMap<u32, PhiBlock> {
    let mut blocks: BTreeMap<u32, PhiBlock> = BTreeMap::new();
    let (mut label, mut first) = (0, None);
    for inst in module.body(function) {
        if inst.is(Op::Label) {
            label = inst.word(1);
            first = first.or(Some(label));
        }
        let block = blocks.entry(label).or_default();
        if inst.is(Op::Phi) {
            let pairs = inst.words_from(3).chunks_exact(2).map(|pair| [pair[0], pair[1]]);
            block.phis.push((inst.word(2), pairs.collect()));
        }
        block.has_loop_merge |= inst.is(Op::LoopMerge);
        if inst.op().is_some_and(is_block_terminator) {
            let is_label = |id: u32| module.definition_as(id, Op::Label).is_some();
            module.walk(&inst, &mut |_: usize, id: u32| {
                block.following.extend(Some(id).filter(|&id| is_label(id)));
            });
        }
    }
    let edges: Vec<(u32, u32)> =
        blocks.iter().flat_map(|(&from, block)| block.following.iter().map(move |&to| (from, to))).collect();
    for (from, to) in edges {
        blocks.get_mut(&to).unwrap().predecessors.insert(from);
    }
    let mut stack: Vec<u32> = first.into_iter().collect();
    while let Some(label) = stack.pop() {
        let block = blocks.get_mut(&label).unwrap();
        if !std::mem::replace(&mut block.reached, true) {
            stack.extend(&block.following);
        }
    }
    blocks
}

/// The numbers of checked instructions.
#[derive(Debug, Default)]
struct PhiSummary {
    phis: usize,
    /// Loop headers to which the branch back leads only in name.
    dead: usize,
}

/// Looks at all OpPhis of a module; the first that is not as it must be is an error.
fn look(words: &[u32], seen: &mut PhiSummary) -> Result<(), String> {
    let module = Module::from_words(words).unwrap();
    for function in module.functions() {
        let blocks = blocks(&module, function);
        for (label, block) in &blocks {
            let never = |from: &&u32| block.has_loop_merge && !blocks[*from].reached;
            let never: Vec<u32> = block.predecessors.iter().filter(never).copied().collect();
            seen.dead += usize::from(!never.is_empty());
            for (id, pairs) in &block.phis {
                seen.phis += 1;
                let from: BTreeSet<u32> = pairs.iter().map(|pair| pair[1]).collect();
                if from != block.predecessors || from.len() != pairs.len() {
                    return Err(format!("%{id} in %{label}: {pairs:?}, not {:?}", block.predecessors));
                }
                let has_all = never.iter().all(|&from| pairs.contains(&[*id, from]));
                if !never.is_empty() && (!has_all || pairs.len() - never.len() < 2) {
                    return Err(format!("%{id} in %{label}: {pairs:?}, but nothing comes from {never:?}"));
                }
            }
        }
    }
    Ok(())
}

/// Constants in the place of half of the conditions, with many values.
#[test]
fn every_phi_has_the_predecessors_of_its_block() {
    let mut seen = PhiSummary::default();
    for (name, words) in fixtures() {
        for seed in 0..2 {
            let Some(words) = planted(&words, seed) else { continue };
            let module = Module::from_words(&words).unwrap();
            let constants = constants(&module);
            for setting in SETTINGS.map(TestSetting::without_zero) {
                let values = setting.values(&constants);
                let edits = specialize(
                    &Analyses::new(&module, Cow::default()),
                    &KnownDevice::default(),
                    &values,
                    UnsetPolicy::Keep.into(),
                )
                .unwrap()
                .edits;
                let folded = apply(&module, &edits).unwrap();
                look(&folded, &mut seen).unwrap_or_else(|error| panic!("{name} {seed} {values:?}: {error}"));
            }
        }
    }
    assert!(seen.phis > 1000 && seen.dead > 10, "{seen:?}");
}

/// A fragment shader that branches on a constant. DEBUG stands for lines before and between the OpPhis of a block.
const BEHIND: &str = r#"
OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "SET"
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
%text = OpString "t"
OpDecorate %flag SpecId 0
OpDecorate %out Location 0
%type = OpTypeFunction %void
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%two = OpConstant %uint 2
%to_uint = OpTypePointer Output %uint
%out = OpVariable %to_uint Output
%flag = OpSpecConstantTrue %bool
GLOBALS
%main = OpFunction %void None %type
%start = OpLabel
OpSelectionMerge %end None
OpBranchConditional %flag %yes %end
%yes = OpLabel
%made = OpIAdd %uint %one %two
OpBranch %end
%end = OpLabel
BEFORE
%first = OpPhi %uint %one %start %made %yes
BETWEEN
%second = OpPhi %uint %made %yes %two %start
%sum = OpIAdd %uint %first %second
OpStore %out %sum
OpReturn
OpFunctionEnd
"#;

const OPENCL: [&str; 2] = [
    "%source = OpExtInst %void %set DebugSource %text
    %unit = OpExtInst %void %set DebugCompilationUnit 1 4 %source HLSL
    %ftype = OpExtInst %void %set DebugTypeFunction FlagIsPublic %void
    %scope = OpExtInst %void %set DebugFunction %text %ftype %source 0 0 %unit %text FlagIsPublic 0 %main",
    "%d1 = OpExtInst %void %set DebugScope %scope
    OpLine %text 1 1
    %d2 = OpExtInst %void %set DebugNoScope
    OpNoLine",
];

const SHADER: [&str; 2] = [
    "%source = OpExtInst %void %set DebugSource %text
    %unit = OpExtInst %void %set DebugCompilationUnit %one %two %source %two
    %ftype = OpExtInst %void %set DebugTypeFunction %zero %void
    %scope = OpExtInst %void %set DebugFunction %text %ftype %source %zero %zero %unit %text %zero %zero",
    "%d1 = OpExtInst %void %set DebugScope %scope
    %d2 = OpExtInst %void %set DebugLine %source %one %one %one %one
    OpLine %text 1 1
    %d3 = OpExtInst %void %set DebugNoLine
    %d4 = OpExtInst %void %set DebugNoScope",
];

#[test]
fn phis_are_found_behind_debug_information() {
    let sets = [
        ("OpenCL.DebugInfo.100", OPENCL),
        ("NonSemantic.Shader.DebugInfo.100", SHADER),
        ("NonSemantic.Of.Any.Kind", ["", "%d1 = OpExtInst %void %set 1 %one"]),
    ];
    for (set, [globals, behind]) in sets {
        let text = BEHIND.replace("SET", set).replace("GLOBALS", globals);
        let text = text.replace("BEFORE", behind).replace("BETWEEN", &behind.replace("%d", "%e"));
        let case = SpecializeCase::new(&expand(&text));
        // spirv-val lets only debug information of the first kind stand before OpPhis.
        let check = |words: &[u32]| {
            if set.starts_with("OpenCL") {
                assert_valid(words, "spv1.6");
            }
        };
        check(&case.words);
        for (value, one, other) in [(0, "one", "two"), (1, "made", "made")] {
            let outcome = case.with(&KnownDevice::default(), &[(0, value)], UnsetPolicy::Keep).unwrap();
            check(&outcome.words);
            let values = [one, other].map(|value| case.id(value));
            assert_eq!(outcome.definition("sum").1[2..], values, "{set}");
        }
    }
}

/// Loops with two OpPhis of Booleans, one in each function.
struct Loops {
    text: String,
    /// The OpPhis on which NVIDIA's compiler crashes, by name.
    crashing: Vec<String>,
}

/// Returns loops with every combination of operands of the OpPhis, from before the loop and from its branch back, which may never be taken.
fn loops() -> Loops {
    let mut loops = Loops { text: String::new(), crashing: Vec::new() };
    let brought = ["outer", "given", "fresh", "copy", "true", "undefined", "p", "q"];
    for at in 0..brought.len() * brought.len() * 4 {
        let (p, q) = (brought[at % 8], brought[at / 8 % 8]);
        let (begin, live) = (["given", "true"][at / 64 % 2], at / 128 == 1);
        let name = |value: &str| match value {
            "true" | "undefined" => format!("%{value}"),
            _ => format!("%{value}#"),
        };
        let leave = if live { "OpBranchConditional %fresh# %more# %end#" } else { "OpBranch %end#" };
        let body = format!(
            "%f# = OpFunction %void None %type
            %given# = OpFunctionParameter %bool
            %start# = OpLabel
            %outer# = OpLogicalNot %bool %given#
            OpBranch %head#
            %head# = OpLabel
            %p# = OpPhi %bool {} %start# {} %more#
            %q# = OpPhi %bool %outer# %start# {} %more#
            %fresh# = OpLogicalNot %bool %given#
            OpLoopMerge %end# %more# None
            {leave}
            %more# = OpLabel
            %copy# = OpCopyObject %bool %outer#
            OpBranch %head#
            %end# = OpLabel
            OpReturn
            OpFunctionEnd\n",
            name(begin),
            name(p),
            name(q)
        );
        loops.text += &body.replace('#', &at.to_string());
        let crashes = |passed: &str, begin: &str, value: &str| {
            begin != "true" && value != passed && ["outer", "given", "p", "q"].contains(&value)
        };
        let pairs = [("p", begin, p), ("q", "outer", q)];
        let crashing = pairs.iter().filter(|(passed, begin, value)| crashes(passed, begin, value));
        loops.crashing.extend(crashing.map(|(passed, ..)| format!("{passed}{at}")));
    }
    loops
}

#[test]
fn phis_that_crash_nvidia_are_worked_around() {
    let loops = loops();
    let head = "OpCapability Linkage
        %type = OpTypeFunction %void %bool
        %undefined = OpUndef %bool\n";
    let case = SpecializeCase::new(&expand(&(head.to_owned() + &loops.text)));
    let case = case.valid("spv1.6");
    let module = Module::from_words(&case.words).unwrap();
    let result = boolean_loop_phis(&module);
    let words = apply(&module, &result.edits).unwrap();
    assert_valid(&words, "spv1.6");
    let after = Module::from_words(&words).unwrap();
    let mut changed = Vec::new();
    for inst in module.instructions().filter(|inst| inst.is(Op::Phi)) {
        let (id, now) = (inst.word(2), after.definition(inst.word(2)).unwrap());
        if now.words() == inst.words() {
            continue;
        }
        changed.push(case.name(id).to_owned());
        // Only what the branch back brings is another: the OpPhi itself where nothing takes it, or else a copy of what it was.
        assert_eq!((&now.words()[..5], &now.words()[6..]), (&inst.words()[..5], &inst.words()[6..]));
        let is_live = module.function_of(id).unwrap() >= module.functions().len() / 2;
        match is_live {
            true => {
                let copy = after.definition_as(now.word(5), Op::CopyObject).unwrap();
                assert_eq!(copy.words_from(1), [inst.word(1), now.word(5), inst.word(5)]);
            }
            false => assert_eq!(now.word(5), id),
        }
    }
    assert_eq!(changed, loops.crashing);
    assert_eq!(result.instructions, changed.len());
    assert_eq!(boolean_loop_phis(&after).instructions, 0);
}
