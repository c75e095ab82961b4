//! Conversion of modules to a newer version of SPIR-V, whose rules forbid constructs that older versions allow.
//! [`removed`] finds the constructs that have no other form.

use std::collections::HashMap;

use spirv::Op;

use super::layouts::{RemovableLayouts, is_layout};
use super::removed::{self, NewerRules, RemovedKind};
use crate::collections::IdMap;
use crate::loader::{HEADER_WORDS, Instruction, Module, views};

/// Returns the words of a module, except for its version, as a later version requires them. `None` if they may stay.
/// The version is as in a header.
pub fn raise(module: &Module, version: u32, rules: NewerRules) -> Option<Vec<u32>> {
    let is_without = |kind| removed::is_removed(module, version, rules, kind);
    let mut next = module.bound();
    let branches = match is_without(RemovedKind::EqualLabels) {
        true => BranchesToOneLabel::new(module, &mut next),
        false => BranchesToOneLabel::default(),
    };
    let layouts = match is_without(RemovedKind::Layout) {
        true => RemovableLayouts::new(module),
        false => RemovableLayouts::default(),
    };
    if branches.changes.is_empty() && layouts.is_empty() {
        return None;
    }
    let mut words = module.words()[..HEADER_WORDS].to_vec();
    words[3] = next;
    for inst in module.instructions() {
        let decorates = views::Decoration::new(inst).filter(is_layout);
        if decorates.is_none_or(|decoration| !layouts.has(decoration.target())) {
            branches.write(&inst, &mut words);
        }
    }
    Some(words)
}

/// The conditional branches whose two labels are equal: from SPIR-V 1.6 on, they must differ.
#[derive(Default)]
struct BranchesToOneLabel {
    /// Changes of instructions, by offset.
    changes: IdMap<Change>,
    /// The inserted block after each block, by the label of the latter.
    inserted: HashMap<u32, u32>,
}

enum Change {
    /// The branch is unconditional.
    Unconditional,
    /// The merge instruction is removed: the following block is the merge block.
    Removed,
    /// The first label becomes that of a new block after the branch, which branches to the other label.
    Inserted(u32),
}

impl BranchesToOneLabel {
    fn new(module: &Module, next: &mut u32) -> BranchesToOneLabel {
        let mut branches = BranchesToOneLabel::default();
        for function in module.functions() {
            let (mut block, mut selection) = (0, None);
            for inst in module.body(function) {
                match inst.op() {
                    Some(Op::Label) => (block, selection) = (inst.word(1), None),
                    Some(Op::SelectionMerge) => selection = Some(inst),
                    Some(Op::BranchConditional) if inst.word(2) == inst.word(3) => {
                        branches.add(&inst, block, selection, next);
                    }
                    _ => {}
                }
            }
        }
        branches
    }

    fn add(&mut self, branch: &Instruction, block: u32, selection: Option<Instruction>, next: &mut u32) {
        match selection {
            // A selection must have a branch with two labels, and blocks inside it may branch to its merge block.
            Some(selection) if selection.word(1) != branch.word(2) => {
                self.changes.insert(branch.offset(), Change::Inserted(*next));
                self.inserted.insert(block, *next);
                *next += 1;
            }
            _ => {
                self.changes.insert(branch.offset(), Change::Unconditional);
                let removed = selection.map(|selection| (selection.offset(), Change::Removed));
                self.changes.extend(removed);
            }
        }
    }

    fn write(&self, inst: &Instruction, words: &mut Vec<u32>) {
        let start = words.len();
        match self.changes.get(&inst.offset()) {
            Some(Change::Removed) => return,
            Some(Change::Unconditional) => words.extend([2 << 16 | Op::Branch as u32, inst.word(2)]),
            Some(&Change::Inserted(block)) => {
                words.extend_from_slice(inst.words());
                words[start + 2] = block;
                words.extend([2 << 16 | Op::Label as u32, block, 2 << 16 | Op::Branch as u32, inst.word(3)]);
            }
            None => words.extend_from_slice(inst.words()),
        }
        if inst.is(Op::Phi) && !self.inserted.is_empty() {
            for &[value, block] in inst.words_from(3).as_chunks().0 {
                words.extend(self.inserted.get(&block).into_iter().flat_map(|&inserted| [value, inserted]));
            }
            words[start] = ((words.len() - start) as u32) << 16 | Op::Phi as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{assemble, assert_valid};

    /// Returns the words of a text in a later version; `None` if they do not change.
    fn raised(text: &str, environment: &str, version: u32) -> Option<Vec<u32>> {
        let words = assemble(text, environment);
        let module = Module::from_words(&words[..]).unwrap();
        let mut raised = raise(&module, version, NewerRules::Vulkan)?;
        raised[1] = version;
        Some(raised)
    }

    /// Returns the number of instructions with an opcode.
    fn count(words: &[u32], op: Op) -> usize {
        Module::from_words(words).unwrap().instructions().filter(|inst| inst.is(op)).count()
    }

    /// Checks that the two labels of a conditional branch become different: of a selection, of a selection that
    /// continues in another block, of a loop, and of neither.
    #[test]
    fn equal_labels_become_different() {
        let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpName %main \"main\"
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%true = OpConstantTrue %bool
%one = OpConstant %uint 1
%to_uint = OpTypePointer Function %uint
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%start = OpLabel
%sum = OpVariable %to_uint Function
OpSelectionMerge %merge None
OpBranchConditional %true %merge %merge
%merge = OpLabel
%number = OpPhi %uint %one %start
OpSelectionMerge %far None
OpBranchConditional %true %inside %inside 1 2
%inside = OpLabel
%inner = OpPhi %uint %number %merge
OpStore %sum %inner
OpBranchConditional %true %then %far
%then = OpLabel
OpBranch %far
%far = OpLabel
OpBranch %loop
%loop = OpLabel
OpLoopMerge %exit %continue None
OpBranchConditional %true %body %body
%body = OpLabel
OpBranchConditional %true %continue %exit
%continue = OpLabel
OpBranch %loop
%exit = OpLabel
OpBranchConditional %true %end %end
%end = OpLabel
OpReturn
OpFunctionEnd
";
        assert!(raised(text, "spv1.3", 0x0001_0500).is_none());
        let words = raised(text, "spv1.3", 0x0001_0600).unwrap();
        assert_valid(&words, "spv1.6");
        let counts = [Op::BranchConditional, Op::SelectionMerge, Op::LoopMerge, Op::Phi];
        assert_eq!(counts.map(|op| count(&words, op)), [3, 1, 1, 2]);
        assert_eq!(count(&words, Op::Label), 1 + count(&assemble(text, "spv1.3"), Op::Label));
    }

    /// Checks that a layout is removed if only variables of one invocation have it, and that other decorations stay.
    #[test]
    fn layouts_of_one_invocation_are_removed() {
        let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %buffer %matrices
OpExecutionMode %main LocalSize 1 1 1
OpMemberDecorate %Pair 0 Offset 0
OpMemberDecorate %Pair 1 Offset 16
OpDecorate %array ArrayStride 32
OpMemberDecorate %Matrices 0 Offset 0
OpMemberDecorate %Matrices 0 ColMajor
OpMemberDecorate %Matrices 0 MatrixStride 16
OpMemberDecorate %Matrices 0 RelaxedPrecision
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 2
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%mat2 = OpTypeMatrix %vec2 2
%zero = OpConstant %uint 0
%two = OpConstant %uint 2
%Pair = OpTypeStruct %uint %uint
%array = OpTypeArray %Pair %two
%Matrices = OpTypeStruct %mat2
%Block = OpTypeStruct %uint
%to_array = OpTypePointer Function %array
%to_number = OpTypePointer Function %uint
%to_matrices = OpTypePointer Private %Matrices
%to_block = OpTypePointer StorageBuffer %Block
%to_buffered = OpTypePointer StorageBuffer %uint
%matrices = OpVariable %to_matrices Private
%buffer = OpVariable %to_block StorageBuffer
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%label = OpLabel
%pairs = OpVariable %to_array Function
%whole = OpLoad %Matrices %matrices
OpStore %matrices %whole
%place = OpAccessChain %to_number %pairs %zero %zero
%number = OpLoad %uint %place
%buffered = OpAccessChain %to_buffered %buffer %zero
OpStore %buffered %number
OpReturn
OpFunctionEnd
";
        assert!(raised(text, "spv1.4", 0x0001_0400).is_none());
        let words = raised(text, "spv1.4", 0x0001_0600).unwrap();
        assert_valid(&words, "vulkan1.3");
        assert_eq!([Op::Decorate, Op::MemberDecorate].map(|op| count(&words, op)), [3, 2]);
        // One by a group, and those of kernels, stay.
        let by_group = text.replace("OpDecorate %array", "OpDecorate %strided").replace(
            "OpDecorate %Block Block",
            "%strided = OpDecorationGroup\nOpGroupDecorate %strided %array\nOpDecorate %Block Block",
        );
        assert!(raised(&by_group, "spv1.4", 0x0001_0600).is_none());
        let kernel = text.replace("Logical GLSL450", "Logical OpenCL");
        assert!(raised(&kernel, "spv1.4", 0x0001_0600).is_none());
    }

    /// A layout that a buffer has too is neither changed nor accepted.
    #[test]
    fn shared_layouts_are_refused() {
        let text = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %buffer
OpExecutionMode %main LocalSize 1 1 1
OpMemberDecorate %Pair 0 Offset 0
OpDecorate %Block Block
OpMemberDecorate %Block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 2
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%Pair = OpTypeStruct %uint
%Block = OpTypeStruct %Pair
%to_pair = OpTypePointer Function %Pair
%to_block = OpTypePointer StorageBuffer %Block
%to_buffered = OpTypePointer StorageBuffer %Pair
%buffer = OpVariable %to_block StorageBuffer
%type = OpTypeFunction %void
%main = OpFunction %void None %type
%label = OpLabel
%pair = OpVariable %to_pair Function
%buffered = OpAccessChain %to_buffered %buffer %zero
%whole = OpLoad %Pair %buffered
OpStore %pair %whole
OpReturn
OpFunctionEnd
";
        let words = assemble(text, "spv1.4");
        let module = Module::from_words(&words[..]).unwrap();
        assert!(raise(&module, 0x0001_0500, NewerRules::Vulkan).is_none());
        let found = |version, rules| removed::find(&module, version, rules).map(|removed| removed.name);
        let layout = Some("an explicit layout in the Function storage class");
        assert_eq!(found(0x0001_0500, NewerRules::Vulkan), layout);
        assert_eq!(found(0x0001_0400, NewerRules::Vulkan), None);
        assert_eq!(found(0x0001_0500, NewerRules::Spirv), None);
    }
}
