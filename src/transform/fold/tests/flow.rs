//! Reachability of blocks.

use std::collections::BTreeMap;

use crate::analysis::calls::DirectCalls;
use crate::analysis::flow::{Flow, Running, Solution};
use crate::loader::Module;
use crate::test_support::assemble_named;
use crate::test_support::program::expand;

const HEAD: &str = "
    KERNEL
    OpCapability Float16
    OpCapability Int64
    OpCapability LongVectorEXT
    OpExtension \"SPV_EXT_long_vector\"
    %glsl = OpExtInstImport \"GLSL.std.450\"
    OpDecorate %flag SpecId 0
    OpDecorate %number SpecId 1
    OpDecorate %real SpecId 2
    %bool2 = OpTypeVector %bool 2
    %int2 = OpTypeVector %int 2
    %pair = OpTypeStruct %int %int2
    %false = OpConstantFalse %bool
    %0 = OpConstant %int 0
    %1 = OpConstant %int 1
    %5 = OpConstant %int 5
    %one = OpConstant %float 1
    %two = OpConstant %float 2
    %2 = OpConstant %int 2
    %int3 = OpTypeVector %int 3
    %id2 = OpTypeVectorIdEXT %int %2
    %many = OpTypeVector %bool 4294967295
    %none = OpConstantNull %many
    %big = OpConstant %long 0x100000005
    %flag = OpSpecConstantFalse %bool
    %number = OpSpecConstant %int 3
    %real = OpSpecConstant %float 3
    %less = OpSpecConstantOp %bool ULessThan %number %5
    %vector = OpSpecConstantComposite %int2 %number %1
    %sums = OpSpecConstantOp %int2 IAdd %vector %vector
    %type = OpTypeFunction %void %bool %int %int2 %float
    %f = OpFunction %void None %type
    %p = OpFunctionParameter %bool
    %n = OpFunctionParameter %int
    %n2 = OpFunctionParameter %int2
    %x = OpFunctionParameter %float
";

/// Returns the labels of the blocks that run in a body, and the ids of the constants that decide.
fn runs(body: &str, known: &[(&str, u64)]) -> (Vec<String>, Vec<String>) {
    // Functions are read in which constants may decide something.
    let body = body.replacen("OpLabel", "OpLabel\n%names = OpLogicalNot %bool %flag", 1);
    let (words, ids) = assemble_named(&expand(&format!("{HEAD}{body}\nOpFunctionEnd")), "spv1.5");
    let names: BTreeMap<u32, &String> = ids.iter().map(|(name, id)| (*id, name)).collect();
    let module = Module::from_words(&words[..]).unwrap();
    let (flow, mut solution) = (Flow::new(&module, &DirectCalls::new(&module)), Solution::default());
    let blocks = flow.blocks(0).unwrap();
    let mut solve = |known: &[(&str, u64)]| {
        let known = &mut |id| known.iter().find(|(name, _)| ids[*name] == id).map(|&(_, value)| value);
        let solved = flow.solve(&module, &mut solution, Running::All, known);
        let running = (0..blocks.len()).filter(|&block| solved.runs(0, block));
        running.map(|block| names[&blocks.get(block).label(&module)].clone()).collect::<Vec<_>>()
    };
    let first = solve(known);
    // Nothing of one answer is left in the next.
    solve(&[]);
    assert_eq!(solve(known), first);
    let mut open: Vec<String> = flow.open_constants(0).iter().map(|id| names[id].clone()).collect();
    open.sort();
    (first, open)
}

/// Returns the target of a branch to `yes` or `no` on a condition that some instructions compute.
fn target(instructions: &str, condition: &str, known: &[(&str, u64)]) -> String {
    let body = format!(
        "%start = OpLabel
        {instructions}
        OpBranchConditional {condition} %yes %no
        %yes = OpLabel
        OpReturn
        %no = OpLabel
        OpReturn"
    );
    runs(&body, known).0[1..].join(" ")
}

/// Checks the decided value of a condition, without any known constant.
fn decides(expected: &str, cases: &[(&str, &str)]) {
    for (instructions, condition) in cases {
        let reached = target(instructions, condition, &[]);
        assert_eq!(reached, expected, "{instructions} {condition}");
    }
}

#[test]
fn constants_decide() {
    decides("yes", &[("", "%true")]);
    decides("no", &[("", "%false")]);
    decides("yes no", &[("", "%flag"), ("", "%p"), ("", "%less"), ("%u = OpUndef %bool", "%u")]);
    type Case<'t> = (&'t str, &'t [(&'t str, u64)], &'t str);
    let cases: [Case; 6] = [
        ("%flag", &[("flag", 1)], "yes"),
        ("%flag", &[("flag", 0)], "no"),
        // The known value of an operation takes precedence over that computed from its operands.
        ("%less", &[("less", 1)], "yes"),
        ("%less", &[("number", 4)], "yes"),
        ("%less", &[("number", 5)], "no"),
        ("%less", &[("number", 5), ("less", 1)], "yes"),
    ];
    for (condition, known, expected) in cases {
        let reached = target("", condition, known);
        assert_eq!(reached, expected, "{condition} {known:?}");
    }
}

#[test]
fn operations_decide_as_far_as_their_operands_do() {
    decides(
        "yes",
        &[
            ("%c = OpLogicalOr %bool %p %true", "%c"),
            ("%a = OpIMul %int %n %0 %c = OpIEqual %bool %a %0", "%c"),
            ("%c = OpIEqual %bool %n %n", "%c"),
            ("%a = OpSelect %int %p %5 %5 %c = OpIEqual %bool %a %5", "%c"),
            ("%c = OpULessThanEqual %bool %0 %n", "%c"),
            ("%a = OpFAdd %float %one %one %c = OpFOrdEqual %bool %a %two", "%c"),
            ("%a = OpExtInst %float %glsl FMax %one %two %c = OpFOrdEqual %bool %a %two", "%c"),
            ("%a = OpExtInst %float %glsl FClamp %two %x %one %c = OpFOrdEqual %bool %a %one", "%c"),
            ("%a = OpExtInst %float %glsl Sqrt %one %c = OpFOrdEqual %bool %a %one", "%c"),
            ("%a = OpExtInst %int %glsl UMin %n %0 %c = OpIEqual %bool %a %0", "%c"),
            // Division by zero gives anything; zero, then.
            ("%a = OpUDiv %int %5 %0 %c = OpIEqual %bool %a %0", "%c"),
            ("%a = OpUConvert %int %big %c = OpIEqual %bool %a %5", "%c"),
        ],
    );
    decides(
        "no",
        &[
            ("%c = OpLogicalAnd %bool %p %false", "%c"),
            ("%a = OpCopyObject %bool %false %c = OpCopyObject %bool %a", "%c"),
            ("%c = OpULessThan %bool %n %0", "%c"),
        ],
    );
    decides(
        "yes no",
        &[
            ("%c = OpLogicalOr %bool %p %false", "%c"),
            ("%c = OpFOrdEqual %bool %x %x", "%c"),
            ("%a = OpFMul %float %x %x %c = OpFOrdEqual %bool %a %one", "%c"),
            ("%a = OpExtInst %float %glsl FClamp %x %one %two %c = OpFOrdEqual %bool %a %one", "%c"),
        ],
    );
}

#[test]
fn parts_of_composites_decide() {
    decides(
        "yes",
        &[
            (
                "%a = OpCompositeConstruct %int2 %n %5 %b = OpCompositeConstruct %pair %n %a
                 %d = OpCompositeExtract %int %b 1 1 %c = OpIEqual %bool %d %5",
                "%c",
            ),
            (
                "%a = OpCompositeInsert %int2 %5 %n2 1 %b = OpVectorShuffle %int2 %n2 %a 3 0
                 %d = OpCompositeExtract %int %b 0 %c = OpIEqual %bool %d %5",
                "%c",
            ),
            (
                "%a = OpCompositeConstruct %bool2 %p %false %b = OpAny %bool %a %d = OpAll %bool %a
                 %c = OpLogicalNot %bool %d",
                "%c",
            ),
            ("%a = OpCompositeExtract %int %vector 1 %c = OpIEqual %bool %a %1", "%c"),
            // The widths that a vector has its constituents' components by.
            (
                "%a = OpCompositeConstruct %int2 %5 %1 %b = OpBitwiseAnd %int2 %a %n2 %d = OpIMul %int2 %a %a
                 %e = OpCompositeExtract %int %d 0 %25 = OpIMul %int %5 %5 %c = OpIEqual %bool %e %25",
                "%c",
            ),
        ],
    );
    let instructions = "%a = OpCompositeExtract %int %sums 0 %c = OpUGreaterThan %bool %a %5";
    let reached = target(instructions, "%c", &[("number", 3)]);
    assert_eq!(reached, "yes");
    assert_eq!(target(instructions, "%c", &[("number", 2)]), "no");
    assert_eq!(target(instructions, "%c", &[]), "yes no");
}

#[test]
fn parts_of_vectors_of_any_size_decide() {
    decides(
        "yes",
        &[
            (
                "%a = OpCompositeConstruct %id2 %n %5 %b = OpCompositeConstruct %int3 %a %1
                 %d = OpCompositeExtract %int %b 1 %c = OpIEqual %bool %d %5",
                "%c",
            ),
            (
                "%a = OpCompositeConstruct %id2 %n2 %b = OpCompositeInsert %id2 %5 %a 0
                 %d = OpCompositeExtract %int %b 0 %c = OpIEqual %bool %d %5",
                "%c",
            ),
        ],
    );
    // More components than can be looked at.
    decides("yes no", &[("%c = OpAny %bool %none", "%c"), ("%c = OpAll %bool %none", "%c")]);
    decides(
        "no",
        &[("%a = OpCompositeConstruct %many %none %none %c = OpCompositeExtract %bool %a 7", "%c")],
    );
}

/// A value that only the branch that is not taken changes keeps its value around the loop: this needs blocks and values to be
/// found together.
#[test]
fn loops_keep_values_that_they_do_not_change() {
    let body = "%start = OpLabel
        OpBranch %head
        %head = OpLabel
        %v = OpPhi %int %1 %start %w %back
        OpLoopMerge %end %back None
        OpBranchConditional %p %body %end
        %body = OpLabel
        %c = OpIEqual %bool %v %1
        OpSelectionMerge %back None
        OpBranchConditional %c %back %change
        %change = OpLabel
        OpBranch %back
        %back = OpLabel
        %w = OpPhi %int %v %body %5 %change
        OpBranch %head
        %end = OpLabel
        OpReturn";
    let (running, open) = runs(body, &[]);
    assert_eq!(running, ["start", "head", "body", "back", "end"]);
    assert_eq!(open, [""; 0]);
    let counted = body.replace("OpPhi %int %v %body %5 %change", "OpIAdd %int %v %1");
    assert_eq!(runs(&counted, &[]).0, ["start", "head", "body", "change", "back", "end"]);
}

#[test]
fn switches_take_their_case() {
    let body = "%start = OpLabel
        OpSwitch %number %default 1 %a 2 %b 7 %a
        %a = OpLabel
        OpBranch %end
        %b = OpLabel
        OpBranch %a
        %default = OpLabel
        OpBranch %end
        %end = OpLabel
        %v = OpPhi %int %0 %a %1 %default
        %c = OpIEqual %bool %v %1
        OpBranchConditional %c %yes %no
        %yes = OpLabel
        OpReturn
        %no = OpLabel
        OpReturn";
    let cases: [(u64, &[&str]); 4] = [
        (1, &["start", "a", "end", "no"]),
        (2, &["start", "a", "b", "end", "no"]),
        (7, &["start", "a", "end", "no"]),
        (9, &["start", "default", "end", "yes"]),
    ];
    for (number, expected) in cases {
        let (running, open) = runs(body, &[("number", number)]);
        assert_eq!(running, expected, "{number}");
        assert_eq!(open, ["number"]);
    }
    let wide = "%start = OpLabel
        OpSwitch %big %default 5 %a 0x100000005 %b
        %a = OpLabel
        OpReturn
        %b = OpLabel
        OpReturn
        %default = OpLabel
        OpReturn";
    assert_eq!(runs(wide, &[]).0, ["start", "b"]);
}

/// Code that is not structured, with a cycle of two entries.
#[test]
fn any_graph_will_do() {
    let body = "%start = OpLabel
        OpBranchConditional %flag %a %b
        %a = OpLabel
        %va = OpPhi %int %1 %start %vb %b
        OpBranch %b
        %b = OpLabel
        %vb = OpPhi %int %5 %start %va %a
        %c = OpIEqual %bool %vb %1
        OpBranchConditional %c %a %end
        %end = OpLabel
        OpReturn";
    let (running, _) = runs(body, &[("flag", 1)]);
    assert_eq!(running, ["start", "a", "b"], "it never ends");
    assert_eq!(runs(body, &[("flag", 0)]).0, ["start", "b", "end"]);
    assert_eq!(runs(body, &[]).0, ["start", "a", "b", "end"]);
}

/// Checks blocks that stand before their predecessors: another way leads to each, which is not taken.
#[test]
fn blocks_may_stand_before_those_that_lead_to_them() {
    for count in [3, 200, 5000] {
        let cases: String = (1..=count).map(|at| format!(" {at} %b{at}")).collect();
        let mut body = format!("%e = OpLabel\nOpSwitch %number %b1{cases}\n");
        for at in (1..=count).rev() {
            let end = if at == count { "OpReturn".to_owned() } else { format!("OpBranch %b{}", at + 1) };
            body += &format!("%b{at} = OpLabel\n{end}\n");
        }
        let (running, _) = runs(&body, &[("number", 2)]);
        let mut expected = vec!["e".to_owned()];
        expected.extend((2..=count).rev().map(|at| format!("b{at}")));
        assert_eq!(running, expected);
    }
}

/// Code after a loop runs only once the loop is known to end, and the next loop depends on the results of this one.
#[test]
fn loops_are_computed_one_after_the_other_and_in_each_other() {
    let a_loop = |name: &str, from: &str, body: &str| {
        format!(
            "%{name} = OpLabel
            %i{name} = OpPhi %int {from} %{name}before %j{name} %{name}again
            %c{name} = OpULessThan %bool %i{name} %number
            OpBranchConditional %c{name} %{name}body %{name}end
            %{name}body = OpLabel
            {body}
            OpBranch %{name}again
            %{name}again = OpLabel
            %j{name} = OpIAdd %int %i{name} %1
            OpBranch %{name}
            %{name}end = OpLabel"
        )
    };
    let inner = a_loop("inner", "%iouter", "").replace("%innerbefore", "%outerbody");
    let outer = a_loop("outer", "%0", &format!("OpBranch %inner\n{inner}"));
    let body = format!(
        "%outerbefore = OpLabel
        OpBranch %outer
        {outer}
        %nextbefore = OpLabel
        OpBranch %next
        {}
        %same = OpIEqual %bool %inext %5
        OpBranchConditional %same %yes %no
        %yes = OpLabel
        OpReturn
        %no = OpLabel
        OpReturn",
        a_loop("next", "%number", "")
    )
    .replace("%outerend = OpLabel", "%outerend = OpLabel\nOpBranch %nextbefore");
    let all = |without: &[&str]| {
        let labels = body.lines().filter_map(|line| line.trim().strip_suffix(" = OpLabel"));
        let labels = labels.map(|label| label[1..].to_owned());
        labels.filter(|label| !without.contains(&label.as_str())).collect::<Vec<_>>()
    };
    let running_with = |known: &[(&str, u64)]| runs(&body, known).0;
    let running = running_with(&[("number", 5)]);
    // The loop that begins where it ends is never entered.
    assert_eq!(running, all(&["nextbody", "nextagain", "no"]));
    let never = ["outerbody", "inner", "innerbody", "inneragain", "innerend", "outeragain"];
    assert_eq!(
        running_with(&[("number", 0)]),
        all(&[&never[..], &["nextbody", "nextagain", "yes"]].concat())
    );
    assert_eq!(running_with(&[]), all(&[]));
}
