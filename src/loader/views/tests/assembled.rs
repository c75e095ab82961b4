//! Views of assembled modules.

use std::collections::BTreeMap;

use spirv::{BuiltIn, Decoration, LinkageType, Op};

use crate::loader::{Instruction, Module, Version, views};
use crate::test_support::{assemble_named, instruction, module_of};

const SHADER: &str = r#"
    OpCapability Shader
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "the main" %input %output
    OpExecutionMode %main LocalSize 4 2 1
    OpName %main "main"
    OpMemberName %block 1 "second"
    OpDecorate %input BuiltIn WorkgroupId
    OpDecorate %seven SpecId 7
    OpDecorate %group SpecId 9
    OpDecorate %group Restrict
    OpMemberDecorate %block 1 Offset 16
    %group = OpDecorationGroup
    OpGroupDecorate %group %eight %nine
    OpGroupMemberDecorate %group %block 0 %block 1
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %long = OpTypeInt 64 1
    %uint3 = OpTypeVector %uint 3
    %four = OpConstant %uint 4
    %seven = OpSpecConstant %uint 7
    %eight = OpSpecConstant %uint 8
    %nine = OpSpecConstant %uint 9
    %sum = OpSpecConstantOp %uint IAdd %seven %four
    %wide = OpConstant %long -1
    %array = OpTypeArray %uint3 %four
    %arrays = OpTypeArray %array %four
    %block = OpTypeStruct %uint %arrays
    %inputp = OpTypePointer Input %uint3
    %privatep = OpTypePointer Private %block
    %uintp = OpTypePointer Private %uint
    %input = OpVariable %inputp Input
    %null = OpConstantNull %block
    %output = OpVariable %privatep Private %null
    %run = OpTypeFunction %void
    %add = OpTypeFunction %uint %uint %uint
    %main = OpFunction %void Inline %run
    %entry = OpLabel
    %first = OpAccessChain %uintp %output %four
    %loaded = OpLoad %uint %first
    %called = OpFunctionCall %uint %callee %loaded %four
    %smaller = OpExtInst %uint %glsl UMin %called %four
    %test = OpIEqual %bool %smaller %four
    OpSelectionMerge %merge DontFlatten
    OpBranchConditional %test %yes %merge
    %yes = OpLabel
    OpStore %first %four
    OpBranch %merge
    %merge = OpLabel
    %chosen = OpPhi %uint %four %yes %called %entry
    OpSelectionMerge %end None
    OpSwitch %chosen %end 3 %case 5 %end
    %case = OpLabel
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd
    %callee = OpFunction %uint None %add
    %left = OpFunctionParameter %uint
    %right = OpFunctionParameter %uint
    %body = OpLabel
    OpReturnValue %right
    OpFunctionEnd
"#;

type AssembledIds = BTreeMap<String, u32>;

/// Returns the only instruction with this opcode.
fn only(module: &Module, op: Op) -> Instruction<'static> {
    let mut instructions = module.instructions().filter(|inst| inst.is(op));
    let inst = instructions.next().unwrap();
    assert!(instructions.next().is_none(), "there is one {op:?}");
    let words: &'static [u32] = Vec::leak(inst.words().to_vec());
    Instruction::new(inst.offset(), words)
}

fn assembled(check: impl FnOnce(&Module, &dyn Fn(&str) -> u32)) {
    let (words, ids): (Vec<u32>, AssembledIds) = assemble_named(SHADER, "spv1.3");
    let module = Module::from_words(words).unwrap();
    check(&module, &|name| ids[name]);
}

#[test]
fn head() {
    assembled(|module, id| {
        let capability = module.capabilities().next().unwrap();
        assert_eq!(
            (capability.capability(), capability.condition()),
            (spirv::Capability::Shader as u32, None)
        );
        let extension = module.extensions().next().unwrap();
        assert_eq!(extension.name(), "SPV_KHR_storage_buffer_storage_class");
        let set = module.imported_sets().next().unwrap();
        assert_eq!((set.id(), &*set.name()), (id("glsl"), "GLSL.std.450"));
        assert_eq!(module.imported_set(set.id()).unwrap().id(), set.id());
        assert_eq!((module.version_word(), module.version()), (0x0001_0300, Version::new(1, 3)));
        assert_eq!(module.generator() >> 16, 7, "spirv-as");
        let model = module.memory_model().unwrap();
        assert_eq!((model.addressing_model(), model.memory_model()), (0, 1));
        let entry = module.entry_points().next().unwrap();
        assert_eq!((entry.execution_model(), entry.function(), entry.condition()), (5, id("main"), None));
        assert_eq!((&*entry.name(), entry.interface_start()), ("the main", 6));
        assert_eq!(entry.interface(), [id("input"), id("output")]);
        let mode = module.execution_modes().next().unwrap();
        assert!(mode.is_a(spirv::ExecutionMode::LocalSize));
        assert_eq!((mode.entry_point(), mode.operands()), (id("main"), &[4, 2, 1][..]));
    });
}

#[test]
fn annotations() {
    assembled(|module, id| {
        let names: Vec<_> = module.names().map(|name| (name.target(), name.name().into_owned())).collect();
        assert_eq!(names, [(id("main"), "main".to_owned())]);
        let member = views::MemberName::new(only(module, Op::MemberName)).unwrap();
        assert_eq!((member.structure(), member.member(), &*member.name()), (id("block"), 1, "second"));
        let spec_ids: Vec<_> = module.spec_ids().map(|inst| (inst.id(), inst.spec_id())).collect();
        assert_eq!(spec_ids, [(id("seven"), 7), (id("group"), 9)]);
        let built_in = module.decorations_with(Decoration::BuiltIn).next().unwrap();
        assert_eq!((built_in.target(), built_in.member()), (id("input"), None));
        assert!(built_in.is_built_in(BuiltIn::WorkgroupId) && !built_in.is_built_in(BuiltIn::WorkgroupSize));
        let offset = views::Decoration::new(only(module, Op::MemberDecorate)).unwrap();
        assert!(offset.is_a(Decoration::Offset) && !offset.is_a(Decoration::SpecId));
        assert_eq!((offset.target(), offset.member()), (id("block"), Some(1)));
        assert_eq!(offset.operands(), [16]);
        assert!(views::Decoration::with(offset.0, Decoration::Offset).is_none(), "it is of a member");
        assert_eq!(module.decorations().count(), 5);
        let targets: Vec<Vec<u32>> =
            module.group_decorations().map(|group| group.targets().collect()).collect();
        assert_eq!(targets, [[id("eight"), id("nine")], [id("block"), id("block")]]);
    });
}

#[test]
fn linkage_and_conditions() {
    let text = r#"
        OpCapability Kernel
        OpCapability Linkage
        OpCapability Addresses
        OpCapability SpecConditionalINTEL
        OpConditionalCapabilityINTEL %has Float64
        OpExtension "SPV_INTEL_function_variants"
        OpConditionalExtensionINTEL %has "SPV_KHR_bit_instructions"
        OpMemoryModel Physical64 OpenCL
        OpConditionalEntryPointINTEL %has Kernel %main "mainly" %import
        OpDecorate %import LinkageAttributes "elsewhere" Import
        OpDecorate %import UserSemantic "semantic"
        OpDecorateId %main ConditionalINTEL %has
        %bool = OpTypeBool
        %has = OpSpecConstantCapabilitiesINTEL %bool Float64
        %arch = OpSpecConstantArchitectureINTEL %bool 1 2 170 4
        %target = OpSpecConstantTargetINTEL %bool 5 6 7
        %void = OpTypeVoid
        %byte = OpTypeInt 8 0
        %bytes = OpTypePointer CrossWorkgroup %byte
        %import = OpVariable %bytes CrossWorkgroup
        %run = OpTypeFunction %void
        %main = OpFunction %void None %run
        %entry = OpLabel
        %copy = OpConditionalCopyObjectINTEL %bool %has %arch %target %has
        OpReturn
        OpFunctionEnd
    "#;
    let (words, ids) = assemble_named(text, "spv1.5");
    let module = Module::from_words(words).unwrap();
    let has = Some(ids["has"]);
    let conditional: Vec<_> =
        module.capabilities().filter(|capability| capability.condition().is_some()).collect();
    assert_eq!((conditional.len(), conditional[0].condition()), (1, has));
    assert_eq!(conditional[0].capability(), spirv::Capability::Float64 as u32);
    let extensions: Vec<_> =
        module.extensions().map(|extension| (extension.name().into_owned(), extension.condition())).collect();
    assert_eq!(extensions[0], ("SPV_INTEL_function_variants".to_owned(), None));
    assert_eq!(extensions[1], ("SPV_KHR_bit_instructions".to_owned(), has));
    let entry = module.entry_points().next().unwrap();
    assert_eq!((entry.condition(), entry.execution_model(), entry.function()), (has, 6, ids["main"]));
    assert_eq!((&*entry.name(), entry.interface()), ("mainly", &[ids["import"]][..]));
    let linkage = module.decorations_with(Decoration::LinkageAttributes).next().unwrap();
    assert_eq!((&*linkage.text(), linkage.linkage_type()), ("elsewhere", LinkageType::Import as u32));
    let semantic = module.decorations_with(Decoration::UserSemantic).next().unwrap();
    assert_eq!(semantic.text(), "semantic");
    let condition = module.decorations_with(Decoration::ConditionalINTEL).next().unwrap();
    assert_eq!((condition.target(), Some(condition.condition())), (ids["main"], has));
    let capabilities =
        views::SpecConstantCapabilitiesINTEL::new(only(&module, Op::SpecConstantCapabilitiesINTEL));
    assert_eq!(capabilities.unwrap().capabilities(), [spirv::Capability::Float64 as u32]);
    let arch = only(&module, Op::SpecConstantArchitectureINTEL);
    let arch = views::SpecConstantArchitectureINTEL::new(arch).unwrap();
    assert_eq!((arch.category(), arch.family(), arch.architecture()), (1, 2, 4));
    assert_eq!(arch.operation(), Some(Op::IEqual));
    let target = views::SpecConstantTargetINTEL::new(only(&module, Op::SpecConstantTargetINTEL)).unwrap();
    assert_eq!((target.target(), target.features()), (5, &[6, 7][..]));
    let copy = views::ConditionalCopyObjectINTEL::new(only(&module, Op::ConditionalCopyObjectINTEL)).unwrap();
    assert_eq!(copy.choices(), [[ids["has"], ids["arch"]], [ids["target"], ids["has"]]]);
}

#[test]
fn constants_and_types() {
    assembled(|module, id| {
        assert_eq!(module.constant(id("four")).map(|four| four.low_word()), Some(4));
        assert_eq!(module.constant(id("wide")).unwrap().value(), [u32::MAX; 2]);
        assert_eq!(module.constant(id("wide")).unwrap().bits(), u64::MAX);
        assert_eq!(module.constant(id("four")).unwrap().bits(), 4);
        assert!(module.constant(id("seven")).is_none(), "it can be specialized");
        let sum = views::SpecConstantOp::new(only(module, Op::SpecConstantOp)).unwrap();
        assert_eq!((sum.type_id(), sum.id(), sum.operation()), (id("uint"), id("sum"), Some(Op::IAdd)));
        assert_eq!((sum.operands(), sum.operand(1)), (&[id("seven"), id("four")][..], id("four")));
        let long = module.definition(id("long")).and_then(views::TypeInt::new).unwrap();
        assert_eq!((long.width(), long.signedness()), (64, 1));
        assert_eq!(module.type_of(id("output")), Some(id("privatep")));
        assert_eq!(module.pointee(id("privatep")), Some(id("block")));
        assert_eq!(module.pointee(id("block")), None);
        assert_eq!(module.part_type(id("block"), 1), Some(id("arrays")));
        assert_eq!(module.part_type(id("block"), 2), None);
        assert_eq!(module.part_type(id("uint3"), 2), Some(id("uint")));
        assert_eq!(module.without_arrays(id("arrays")), id("uint3"));
        assert_eq!(module.without_arrays(id("block")), id("block"));
        assert_eq!(module.function_type(id("callee")).unwrap().parameters(), [id("uint"), id("uint")]);
        assert_eq!(module.function_type(id("callee")).unwrap().return_type(), id("uint"));
        let pointers: Vec<u32> = module.pointer_types(id("privatep")).map(|pointer| pointer.id()).collect();
        assert_eq!(pointers, [id("privatep")]);
    });
}

#[test]
fn code() {
    assembled(|module, id| {
        let output = module.variables().find(|variable| variable.id() == id("output")).unwrap();
        assert_eq!(output.storage_class(), spirv::StorageClass::Private as u32);
        assert_eq!(output.initializer(), Some(id("null")));
        assert_eq!(module.variables().next().unwrap().initializer(), None);
        let call = views::FunctionCall::new(only(module, Op::FunctionCall)).unwrap();
        assert_eq!((call.callee(), call.arguments()), (id("callee"), &[id("loaded"), id("four")][..]));
        let smaller = views::ExtInst::new(only(module, Op::ExtInst)).unwrap();
        assert_eq!((smaller.set(), smaller.instruction()), (id("glsl"), 38));
        assert_eq!((smaller.operands().len(), smaller.operands()[0]), (2, id("called")));
        let chain = views::AccessChain::new(only(module, Op::AccessChain)).unwrap();
        assert_eq!((chain.base(), chain.indexes()), (id("output"), &[id("four")][..]));
        let load = views::Load::new(only(module, Op::Load)).unwrap();
        assert_eq!((load.pointer(), load.memory_access()), (id("first"), 0));
        let store = views::Store::new(only(module, Op::Store)).unwrap();
        assert_eq!((store.pointer(), store.object()), (id("first"), id("four")));
        let equal = views::Value(only(module, Op::IEqual));
        assert_eq!((equal.type_id(), equal.id(), equal.operand(0)), (id("bool"), id("test"), id("smaller")));
    });
}

#[test]
fn control() {
    assembled(|module, id| {
        let branch = views::BranchConditional::new(only(module, Op::BranchConditional)).unwrap();
        assert_eq!(
            (branch.condition(), branch.true_label(), branch.false_label()),
            (id("test"), id("yes"), id("merge"))
        );
        assert!(branch.branch_weights().is_empty());
        let phi = views::Phi::new(only(module, Op::Phi)).unwrap();
        assert_eq!(phi.incoming(), [[id("four"), id("yes")], [id("called"), id("entry")]]);
        let switch = views::Switch::new(only(module, Op::Switch)).unwrap();
        assert_eq!((switch.selector(), switch.default()), (id("chosen"), id("end")));
        let cases: Vec<_> = switch.cases(32).collect();
        assert_eq!(cases, [(&[3][..], id("case")), (&[5][..], id("end"))]);
        let merges: Vec<u32> =
            module.instructions().filter_map(views::Merge::new).map(|merge| merge.merge_block()).collect();
        assert_eq!(merges, [id("merge"), id("end")]);
    });
}

/// Checks that literals of 64 bits take two words.
#[test]
fn wide_cases() {
    let words = instruction(Op::Switch as u16, &[1, 2, 7, 8, 3, 9, 10, 4]);
    let switch = views::Switch::new(Instruction::new(0, &words)).unwrap();
    assert_eq!(switch.cases(64).collect::<Vec<_>>(), [(&[7, 8][..], 3), (&[9, 10][..], 4)]);
}

/// Checks that a missing word reads as 0, like in the instruction itself.
#[test]
fn missing_words_are_zero() {
    let words = instruction(Op::EntryPoint as u16, &[5]);
    let entry = views::EntryPoint(Instruction::new(0, &words));
    assert_eq!((entry.function(), entry.interface(), &*entry.name()), (0, &[][..], ""));
    let words = instruction(Op::Decorate as u16, &[]);
    let decoration = views::Decoration(Instruction::new(0, &words));
    assert_eq!((decoration.target(), decoration.decoration(), decoration.operands()), (0, 0, &[][..]));
}

/// Follows a pointer to a structure with that pointer, pointers to pointers, and one to an undefined id.
#[test]
fn walking_down_ends() {
    let op = |op: Op, operands: &[u32]| instruction(op as u16, operands);
    let words = module_of(
        9,
        &[
            op(Op::TypeForwardPointer, &[1, 5]),
            op(Op::TypePointer, &[4, 5, 1]),
            op(Op::TypeStruct, &[2, 1]),
            op(Op::TypePointer, &[1, 5, 2]),
            op(Op::TypePointer, &[3, 5, 4]),
            op(Op::TypeForwardPointer, &[6, 5]),
            op(Op::TypePointer, &[5, 5, 6]),
        ],
    );
    let module = Module::from_words(words).unwrap();
    let ids = |id| module.pointer_types(id).map(|pointer| pointer.id()).collect::<Vec<_>>();
    assert_eq!(ids(1), [1]);
    assert_eq!(ids(3), [3, 4, 1], "4 points forward to 1");
    assert_eq!(ids(5), [5], "6 is never defined");
    assert_eq!(module.without_arrays(1), 1);
}
