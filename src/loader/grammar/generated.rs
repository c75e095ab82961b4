//! The grammar, flattened: `cargo run -p generate` writes this file.

use rspirv::grammar::OperandKind::*;
use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier::*};
use spirv::Op;

use super::Capability;
use super::enumerants::{EnumerantParameters, ParametersOf};
use super::layout::{InstructionLayout, LogicalPlace::*, OperandList, Section, TrailingOperands::*, in_section};
use super::words::{MANY, WordCount};

const fn at(at: u16, count: u8) -> OperandList {
    OperandList::new(at, count)
}

/// The logical operands of layouts that are not simpler.
pub(super) static OPERANDS: [LogicalOperand; 108] = [
    LogicalOperand { kind: SourceLanguage, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: LiteralString, quantifier: ZeroOrOne },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: LiteralExtInstInteger, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrMore },
    LogicalOperand { kind: AddressingModel, quantifier: One },
    LogicalOperand { kind: MemoryModel, quantifier: One },
    LogicalOperand { kind: ExecutionModel, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrMore },
    LogicalOperand { kind: ExecutionMode, quantifier: One },
    LogicalOperand { kind: Capability, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: FPEncoding, quantifier: ZeroOrOne },
    LogicalOperand { kind: Dim, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: ImageFormat, quantifier: One },
    LogicalOperand { kind: AccessQualifier, quantifier: ZeroOrOne },
    LogicalOperand { kind: StorageClass, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: AccessQualifier, quantifier: One },
    LogicalOperand { kind: SamplerAddressingMode, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: SamplerFilterMode, quantifier: One },
    LogicalOperand { kind: LiteralSpecConstantOpInteger, quantifier: One },
    LogicalOperand { kind: FunctionControl, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: StorageClass, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: MemoryAccess, quantifier: ZeroOrOne },
    LogicalOperand { kind: MemoryAccess, quantifier: ZeroOrOne },
    LogicalOperand { kind: MemoryAccess, quantifier: ZeroOrOne },
    LogicalOperand { kind: Decoration, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: Decoration, quantifier: One },
    LogicalOperand { kind: PairIdRefLiteralInteger, quantifier: ZeroOrMore },
    LogicalOperand { kind: ImageOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: ImageOperands, quantifier: One },
    LogicalOperand { kind: LoopControl, quantifier: One },
    LogicalOperand { kind: SelectionControl, quantifier: One },
    LogicalOperand { kind: PairLiteralIntegerIdRef, quantifier: ZeroOrMore },
    LogicalOperand { kind: GroupOperation, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: GroupOperation, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: TensorOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrMore },
    LogicalOperand { kind: StorageClass, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: PackedVectorFormat, quantifier: ZeroOrOne },
    LogicalOperand { kind: CooperativeMatrixOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: IdRef, quantifier: ZeroOrOne },
    LogicalOperand { kind: CooperativeMatrixOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: CooperativeMatrixReduce, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: MemoryAccess, quantifier: One },
    LogicalOperand { kind: TensorAddressingOperands, quantifier: One },
    LogicalOperand { kind: RawAccessChainOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: MatrixMultiplyAccumulateOperands, quantifier: ZeroOrOne },
    LogicalOperand { kind: Capability, quantifier: ZeroOrMore },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: BuiltIn, quantifier: One },
    LogicalOperand { kind: IdScope, quantifier: One },
    LogicalOperand { kind: FunctionParameterAttribute, quantifier: One },
    LogicalOperand { kind: FPRoundingMode, quantifier: One },
    LogicalOperand { kind: FPFastMathMode, quantifier: One },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: LinkageType, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: FPRoundingMode, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: FPDenormMode, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: ZeroOrMore },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: FPOperationMode, quantifier: One },
    LogicalOperand { kind: LiteralFloat, quantifier: One },
    LogicalOperand { kind: HostAccessQualifier, quantifier: One },
    LogicalOperand { kind: LiteralString, quantifier: One },
    LogicalOperand { kind: InitializationModeQualifier, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: LoadCacheControl, quantifier: One },
    LogicalOperand { kind: LiteralInteger, quantifier: One },
    LogicalOperand { kind: StoreCacheControl, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: IdRef, quantifier: One },
    LogicalOperand { kind: NamedMaximumNumberOfRegisters, quantifier: One },
];

/// The parameters of enumerants.
pub(super) static PARAMETERS: [EnumerantParameters; 7] = [
    EnumerantParameters::new(OperandKind::Decoration, &[
        (0, at(82, 0)),
        (1, at(1, 1)),
        (2, at(82, 0)),
        (3, at(82, 0)),
        (4, at(82, 0)),
        (5, at(82, 0)),
        (6, at(1, 1)),
        (7, at(1, 1)),
        (8, at(82, 0)),
        (9, at(82, 0)),
        (10, at(82, 0)),
        (11, at(82, 1)),
        (13, at(83, 0)),
        (14, at(83, 0)),
        (15, at(83, 0)),
        (16, at(83, 0)),
        (17, at(83, 0)),
        (18, at(83, 0)),
        (19, at(83, 0)),
        (20, at(83, 0)),
        (21, at(83, 0)),
        (22, at(83, 0)),
        (23, at(83, 0)),
        (24, at(83, 0)),
        (25, at(83, 0)),
        (26, at(83, 0)),
        (27, at(83, 1)),
        (28, at(84, 0)),
        (29, at(1, 1)),
        (30, at(1, 1)),
        (31, at(1, 1)),
        (32, at(1, 1)),
        (33, at(1, 1)),
        (34, at(1, 1)),
        (35, at(1, 1)),
        (36, at(1, 1)),
        (37, at(1, 1)),
        (38, at(84, 1)),
        (39, at(85, 1)),
        (40, at(86, 1)),
        (41, at(87, 2)),
        (42, at(89, 0)),
        (43, at(1, 1)),
        (44, at(1, 1)),
        (45, at(1, 1)),
        (46, at(11, 1)),
        (47, at(11, 1)),
        (4216, at(89, 0)),
        (4469, at(89, 0)),
        (4470, at(89, 0)),
        (4487, at(89, 0)),
        (4488, at(89, 0)),
        (4499, at(89, 0)),
        (4999, at(89, 0)),
        (5019, at(11, 1)),
        (5020, at(11, 1)),
        (5078, at(89, 0)),
        (5091, at(11, 1)),
        (5098, at(11, 1)),
        (5099, at(89, 0)),
        (5100, at(11, 1)),
        (5105, at(89, 0)),
        (5124, at(11, 1)),
        (5125, at(11, 1)),
        (5145, at(89, 0)),
        (5248, at(89, 0)),
        (5250, at(89, 0)),
        (5252, at(89, 0)),
        (5256, at(1, 1)),
        (5271, at(89, 0)),
        (5272, at(89, 0)),
        (5273, at(89, 0)),
        (5285, at(89, 0)),
        (5300, at(89, 0)),
        (5355, at(89, 0)),
        (5356, at(89, 0)),
        (5358, at(1, 1)),
        (5386, at(89, 0)),
        (5389, at(89, 0)),
        (5397, at(1, 1)),
        (5398, at(89, 0)),
        (5399, at(89, 0)),
        (5400, at(89, 0)),
        (5401, at(89, 0)),
        (5440, at(89, 0)),
        (5599, at(1, 1)),
        (5602, at(89, 0)),
        (5607, at(5, 1)),
        (5608, at(89, 0)),
        (5624, at(89, 0)),
        (5625, at(1, 1)),
        (5626, at(89, 0)),
        (5627, at(89, 0)),
        (5628, at(1, 1)),
        (5634, at(11, 1)),
        (5635, at(5, 1)),
        (5636, at(5, 1)),
        (5822, at(89, 2)),
        (5823, at(91, 2)),
        (5825, at(93, 0)),
        (5826, at(5, 1)),
        (5827, at(1, 1)),
        (5828, at(1, 1)),
        (5829, at(1, 1)),
        (5830, at(93, 0)),
        (5831, at(93, 0)),
        (5832, at(1, 1)),
        (5833, at(93, 0)),
        (5834, at(68, 2)),
        (5835, at(93, 1)),
        (5836, at(1, 1)),
        (5883, at(1, 1)),
        (5884, at(1, 1)),
        (5885, at(94, 0)),
        (5899, at(94, 0)),
        (5900, at(1, 1)),
        (5901, at(94, 0)),
        (5902, at(1, 1)),
        (5905, at(94, 0)),
        (5907, at(94, 0)),
        (5909, at(19, 2)),
        (5914, at(11, 1)),
        (5915, at(11, 1)),
        (5917, at(1, 1)),
        (5918, at(1, 1)),
        (5919, at(1, 1)),
        (5921, at(1, 1)),
        (5944, at(1, 1)),
        (6080, at(94, 2)),
        (6085, at(96, 0)),
        (6087, at(96, 0)),
        (6140, at(96, 0)),
        (6151, at(96, 0)),
        (6170, at(96, 1)),
        (6172, at(1, 1)),
        (6173, at(19, 3)),
        (6175, at(97, 0)),
        (6176, at(97, 0)),
        (6177, at(1, 1)),
        (6178, at(1, 1)),
        (6179, at(1, 1)),
        (6180, at(27, 1)),
        (6181, at(1, 1)),
        (6182, at(1, 1)),
        (6183, at(97, 0)),
        (6188, at(97, 2)),
        (6190, at(99, 1)),
        (6191, at(1, 1)),
        (6247, at(11, 1)),
        (6442, at(100, 2)),
        (6443, at(102, 2)),
        (7040, at(1, 1)),
    ]),
    EnumerantParameters::new(OperandKind::ExecutionMode, &[
        (0, at(1, 1)),
        (1, at(104, 0)),
        (2, at(104, 0)),
        (3, at(104, 0)),
        (4, at(104, 0)),
        (5, at(104, 0)),
        (6, at(104, 0)),
        (7, at(104, 0)),
        (8, at(104, 0)),
        (9, at(104, 0)),
        (10, at(104, 0)),
        (11, at(104, 0)),
        (12, at(104, 0)),
        (14, at(104, 0)),
        (15, at(104, 0)),
        (16, at(104, 0)),
        (17, at(19, 3)),
        (18, at(19, 3)),
        (19, at(104, 0)),
        (20, at(104, 0)),
        (21, at(104, 0)),
        (22, at(104, 0)),
        (23, at(104, 0)),
        (24, at(104, 0)),
        (25, at(104, 0)),
        (26, at(1, 1)),
        (27, at(104, 0)),
        (28, at(104, 0)),
        (29, at(104, 0)),
        (30, at(1, 1)),
        (31, at(104, 0)),
        (33, at(104, 0)),
        (34, at(104, 0)),
        (35, at(1, 1)),
        (36, at(1, 1)),
        (37, at(11, 1)),
        (38, at(104, 3)),
        (39, at(104, 3)),
        (4169, at(107, 0)),
        (4170, at(107, 0)),
        (4171, at(107, 0)),
        (4421, at(107, 0)),
        (4446, at(107, 0)),
        (4459, at(1, 1)),
        (4460, at(1, 1)),
        (4461, at(1, 1)),
        (4462, at(1, 1)),
        (4463, at(1, 1)),
        (4489, at(107, 0)),
        (4490, at(19, 3)),
        (4507, at(107, 0)),
        (4508, at(107, 0)),
        (5017, at(107, 0)),
        (5027, at(107, 0)),
        (5069, at(107, 0)),
        (5070, at(11, 1)),
        (5071, at(11, 1)),
        (5072, at(104, 3)),
        (5073, at(11, 1)),
        (5077, at(104, 3)),
        (5079, at(107, 0)),
        (5080, at(107, 0)),
        (5081, at(107, 0)),
        (5082, at(107, 0)),
        (5083, at(107, 0)),
        (5084, at(107, 0)),
        (5088, at(107, 0)),
        (5089, at(107, 0)),
        (5102, at(80, 2)),
        (5157, at(107, 0)),
        (5269, at(107, 0)),
        (5270, at(1, 1)),
        (5289, at(107, 0)),
        (5290, at(107, 0)),
        (5298, at(107, 0)),
        (5366, at(107, 0)),
        (5367, at(107, 0)),
        (5368, at(107, 0)),
        (5369, at(107, 0)),
        (5370, at(107, 0)),
        (5371, at(107, 0)),
        (5427, at(107, 0)),
        (5618, at(1, 1)),
        (5620, at(1, 1)),
        (5621, at(1, 1)),
        (5622, at(1, 1)),
        (5623, at(1, 1)),
        (5893, at(19, 3)),
        (5894, at(1, 1)),
        (5895, at(107, 0)),
        (5896, at(1, 1)),
        (5903, at(1, 1)),
        (6023, at(107, 0)),
        (6028, at(80, 2)),
        (6031, at(11, 1)),
        (6154, at(1, 1)),
        (6160, at(1, 1)),
        (6417, at(1, 1)),
        (6461, at(1, 1)),
        (6462, at(11, 1)),
        (6463, at(107, 1)),
    ]),
    EnumerantParameters::new(OperandKind::ImageOperands, &[
        (1, at(11, 1)),
        (2, at(11, 1)),
        (4, at(80, 2)),
        (8, at(11, 1)),
        (16, at(11, 1)),
        (32, at(11, 1)),
        (64, at(11, 1)),
        (128, at(11, 1)),
        (256, at(83, 1)),
        (512, at(83, 1)),
        (1024, at(108, 0)),
        (2048, at(108, 0)),
        (4096, at(108, 0)),
        (8192, at(108, 0)),
        (16384, at(108, 0)),
        (65536, at(11, 1)),
    ]),
    EnumerantParameters::new(OperandKind::LoopControl, &[
        (1, at(108, 0)),
        (2, at(108, 0)),
        (4, at(108, 0)),
        (8, at(1, 1)),
        (16, at(1, 1)),
        (32, at(1, 1)),
        (64, at(1, 1)),
        (128, at(1, 1)),
        (256, at(1, 1)),
        (65536, at(1, 1)),
        (131072, at(1, 1)),
        (262144, at(1, 1)),
        (524288, at(1, 1)),
        (1048576, at(1, 1)),
        (2097152, at(1, 1)),
        (4194304, at(1, 1)),
        (8388608, at(108, 0)),
        (16777216, at(1, 1)),
        (33554432, at(1, 1)),
        (268435456, at(1, 1)),
    ]),
    EnumerantParameters::new(OperandKind::MemoryAccess, &[
        (1, at(108, 0)),
        (2, at(1, 1)),
        (4, at(108, 0)),
        (8, at(83, 1)),
        (16, at(83, 1)),
        (32, at(108, 0)),
        (65536, at(11, 1)),
        (131072, at(11, 1)),
    ]),
    EnumerantParameters::new(OperandKind::TensorAddressingOperands, &[
        (1, at(11, 1)),
        (2, at(11, 1)),
        (4, at(11, 1)),
    ]),
    EnumerantParameters::new(OperandKind::TensorOperands, &[
        (1, at(108, 0)),
        (2, at(11, 1)),
        (4, at(11, 1)),
        (8, at(11, 1)),
        (16, at(108, 0)),
    ]),
];

/// All opcodes of the grammar, with those of rspirv.
pub(super) static OPCODES: [(u16, Option<Op>); 877] = [
    (0, Some(Op::Nop)),
    (1, Some(Op::Undef)),
    (2, Some(Op::SourceContinued)),
    (3, Some(Op::Source)),
    (4, Some(Op::SourceExtension)),
    (5, Some(Op::Name)),
    (6, Some(Op::MemberName)),
    (7, Some(Op::String)),
    (8, Some(Op::Line)),
    (10, Some(Op::Extension)),
    (11, Some(Op::ExtInstImport)),
    (12, Some(Op::ExtInst)),
    (14, Some(Op::MemoryModel)),
    (15, Some(Op::EntryPoint)),
    (16, Some(Op::ExecutionMode)),
    (17, Some(Op::Capability)),
    (19, Some(Op::TypeVoid)),
    (20, Some(Op::TypeBool)),
    (21, Some(Op::TypeInt)),
    (22, Some(Op::TypeFloat)),
    (23, Some(Op::TypeVector)),
    (24, Some(Op::TypeMatrix)),
    (25, Some(Op::TypeImage)),
    (26, Some(Op::TypeSampler)),
    (27, Some(Op::TypeSampledImage)),
    (28, Some(Op::TypeArray)),
    (29, Some(Op::TypeRuntimeArray)),
    (30, Some(Op::TypeStruct)),
    (31, Some(Op::TypeOpaque)),
    (32, Some(Op::TypePointer)),
    (33, Some(Op::TypeFunction)),
    (34, Some(Op::TypeEvent)),
    (35, Some(Op::TypeDeviceEvent)),
    (36, Some(Op::TypeReserveId)),
    (37, Some(Op::TypeQueue)),
    (38, Some(Op::TypePipe)),
    (39, Some(Op::TypeForwardPointer)),
    (41, Some(Op::ConstantTrue)),
    (42, Some(Op::ConstantFalse)),
    (43, Some(Op::Constant)),
    (44, Some(Op::ConstantComposite)),
    (45, Some(Op::ConstantSampler)),
    (46, Some(Op::ConstantNull)),
    (48, Some(Op::SpecConstantTrue)),
    (49, Some(Op::SpecConstantFalse)),
    (50, Some(Op::SpecConstant)),
    (51, Some(Op::SpecConstantComposite)),
    (52, Some(Op::SpecConstantOp)),
    (54, Some(Op::Function)),
    (55, Some(Op::FunctionParameter)),
    (56, Some(Op::FunctionEnd)),
    (57, Some(Op::FunctionCall)),
    (59, Some(Op::Variable)),
    (60, Some(Op::ImageTexelPointer)),
    (61, Some(Op::Load)),
    (62, Some(Op::Store)),
    (63, Some(Op::CopyMemory)),
    (64, Some(Op::CopyMemorySized)),
    (65, Some(Op::AccessChain)),
    (66, Some(Op::InBoundsAccessChain)),
    (67, Some(Op::PtrAccessChain)),
    (68, Some(Op::ArrayLength)),
    (69, Some(Op::GenericPtrMemSemantics)),
    (70, Some(Op::InBoundsPtrAccessChain)),
    (71, Some(Op::Decorate)),
    (72, Some(Op::MemberDecorate)),
    (73, Some(Op::DecorationGroup)),
    (74, Some(Op::GroupDecorate)),
    (75, Some(Op::GroupMemberDecorate)),
    (77, Some(Op::VectorExtractDynamic)),
    (78, Some(Op::VectorInsertDynamic)),
    (79, Some(Op::VectorShuffle)),
    (80, Some(Op::CompositeConstruct)),
    (81, Some(Op::CompositeExtract)),
    (82, Some(Op::CompositeInsert)),
    (83, Some(Op::CopyObject)),
    (84, Some(Op::Transpose)),
    (86, Some(Op::SampledImage)),
    (87, Some(Op::ImageSampleImplicitLod)),
    (88, Some(Op::ImageSampleExplicitLod)),
    (89, Some(Op::ImageSampleDrefImplicitLod)),
    (90, Some(Op::ImageSampleDrefExplicitLod)),
    (91, Some(Op::ImageSampleProjImplicitLod)),
    (92, Some(Op::ImageSampleProjExplicitLod)),
    (93, Some(Op::ImageSampleProjDrefImplicitLod)),
    (94, Some(Op::ImageSampleProjDrefExplicitLod)),
    (95, Some(Op::ImageFetch)),
    (96, Some(Op::ImageGather)),
    (97, Some(Op::ImageDrefGather)),
    (98, Some(Op::ImageRead)),
    (99, Some(Op::ImageWrite)),
    (100, Some(Op::Image)),
    (101, Some(Op::ImageQueryFormat)),
    (102, Some(Op::ImageQueryOrder)),
    (103, Some(Op::ImageQuerySizeLod)),
    (104, Some(Op::ImageQuerySize)),
    (105, Some(Op::ImageQueryLod)),
    (106, Some(Op::ImageQueryLevels)),
    (107, Some(Op::ImageQuerySamples)),
    (109, Some(Op::ConvertFToU)),
    (110, Some(Op::ConvertFToS)),
    (111, Some(Op::ConvertSToF)),
    (112, Some(Op::ConvertUToF)),
    (113, Some(Op::UConvert)),
    (114, Some(Op::SConvert)),
    (115, Some(Op::FConvert)),
    (116, Some(Op::QuantizeToF16)),
    (117, Some(Op::ConvertPtrToU)),
    (118, Some(Op::SatConvertSToU)),
    (119, Some(Op::SatConvertUToS)),
    (120, Some(Op::ConvertUToPtr)),
    (121, Some(Op::PtrCastToGeneric)),
    (122, Some(Op::GenericCastToPtr)),
    (123, Some(Op::GenericCastToPtrExplicit)),
    (124, Some(Op::Bitcast)),
    (126, Some(Op::SNegate)),
    (127, Some(Op::FNegate)),
    (128, Some(Op::IAdd)),
    (129, Some(Op::FAdd)),
    (130, Some(Op::ISub)),
    (131, Some(Op::FSub)),
    (132, Some(Op::IMul)),
    (133, Some(Op::FMul)),
    (134, Some(Op::UDiv)),
    (135, Some(Op::SDiv)),
    (136, Some(Op::FDiv)),
    (137, Some(Op::UMod)),
    (138, Some(Op::SRem)),
    (139, Some(Op::SMod)),
    (140, Some(Op::FRem)),
    (141, Some(Op::FMod)),
    (142, Some(Op::VectorTimesScalar)),
    (143, Some(Op::MatrixTimesScalar)),
    (144, Some(Op::VectorTimesMatrix)),
    (145, Some(Op::MatrixTimesVector)),
    (146, Some(Op::MatrixTimesMatrix)),
    (147, Some(Op::OuterProduct)),
    (148, Some(Op::Dot)),
    (149, Some(Op::IAddCarry)),
    (150, Some(Op::ISubBorrow)),
    (151, Some(Op::UMulExtended)),
    (152, Some(Op::SMulExtended)),
    (154, Some(Op::Any)),
    (155, Some(Op::All)),
    (156, Some(Op::IsNan)),
    (157, Some(Op::IsInf)),
    (158, Some(Op::IsFinite)),
    (159, Some(Op::IsNormal)),
    (160, Some(Op::SignBitSet)),
    (161, Some(Op::LessOrGreater)),
    (162, Some(Op::Ordered)),
    (163, Some(Op::Unordered)),
    (164, Some(Op::LogicalEqual)),
    (165, Some(Op::LogicalNotEqual)),
    (166, Some(Op::LogicalOr)),
    (167, Some(Op::LogicalAnd)),
    (168, Some(Op::LogicalNot)),
    (169, Some(Op::Select)),
    (170, Some(Op::IEqual)),
    (171, Some(Op::INotEqual)),
    (172, Some(Op::UGreaterThan)),
    (173, Some(Op::SGreaterThan)),
    (174, Some(Op::UGreaterThanEqual)),
    (175, Some(Op::SGreaterThanEqual)),
    (176, Some(Op::ULessThan)),
    (177, Some(Op::SLessThan)),
    (178, Some(Op::ULessThanEqual)),
    (179, Some(Op::SLessThanEqual)),
    (180, Some(Op::FOrdEqual)),
    (181, Some(Op::FUnordEqual)),
    (182, Some(Op::FOrdNotEqual)),
    (183, Some(Op::FUnordNotEqual)),
    (184, Some(Op::FOrdLessThan)),
    (185, Some(Op::FUnordLessThan)),
    (186, Some(Op::FOrdGreaterThan)),
    (187, Some(Op::FUnordGreaterThan)),
    (188, Some(Op::FOrdLessThanEqual)),
    (189, Some(Op::FUnordLessThanEqual)),
    (190, Some(Op::FOrdGreaterThanEqual)),
    (191, Some(Op::FUnordGreaterThanEqual)),
    (194, Some(Op::ShiftRightLogical)),
    (195, Some(Op::ShiftRightArithmetic)),
    (196, Some(Op::ShiftLeftLogical)),
    (197, Some(Op::BitwiseOr)),
    (198, Some(Op::BitwiseXor)),
    (199, Some(Op::BitwiseAnd)),
    (200, Some(Op::Not)),
    (201, Some(Op::BitFieldInsert)),
    (202, Some(Op::BitFieldSExtract)),
    (203, Some(Op::BitFieldUExtract)),
    (204, Some(Op::BitReverse)),
    (205, Some(Op::BitCount)),
    (207, Some(Op::DPdx)),
    (208, Some(Op::DPdy)),
    (209, Some(Op::Fwidth)),
    (210, Some(Op::DPdxFine)),
    (211, Some(Op::DPdyFine)),
    (212, Some(Op::FwidthFine)),
    (213, Some(Op::DPdxCoarse)),
    (214, Some(Op::DPdyCoarse)),
    (215, Some(Op::FwidthCoarse)),
    (218, Some(Op::EmitVertex)),
    (219, Some(Op::EndPrimitive)),
    (220, Some(Op::EmitStreamVertex)),
    (221, Some(Op::EndStreamPrimitive)),
    (224, Some(Op::ControlBarrier)),
    (225, Some(Op::MemoryBarrier)),
    (227, Some(Op::AtomicLoad)),
    (228, Some(Op::AtomicStore)),
    (229, Some(Op::AtomicExchange)),
    (230, Some(Op::AtomicCompareExchange)),
    (231, Some(Op::AtomicCompareExchangeWeak)),
    (232, Some(Op::AtomicIIncrement)),
    (233, Some(Op::AtomicIDecrement)),
    (234, Some(Op::AtomicIAdd)),
    (235, Some(Op::AtomicISub)),
    (236, Some(Op::AtomicSMin)),
    (237, Some(Op::AtomicUMin)),
    (238, Some(Op::AtomicSMax)),
    (239, Some(Op::AtomicUMax)),
    (240, Some(Op::AtomicAnd)),
    (241, Some(Op::AtomicOr)),
    (242, Some(Op::AtomicXor)),
    (245, Some(Op::Phi)),
    (246, Some(Op::LoopMerge)),
    (247, Some(Op::SelectionMerge)),
    (248, Some(Op::Label)),
    (249, Some(Op::Branch)),
    (250, Some(Op::BranchConditional)),
    (251, Some(Op::Switch)),
    (252, Some(Op::Kill)),
    (253, Some(Op::Return)),
    (254, Some(Op::ReturnValue)),
    (255, Some(Op::Unreachable)),
    (256, Some(Op::LifetimeStart)),
    (257, Some(Op::LifetimeStop)),
    (259, Some(Op::GroupAsyncCopy)),
    (260, Some(Op::GroupWaitEvents)),
    (261, Some(Op::GroupAll)),
    (262, Some(Op::GroupAny)),
    (263, Some(Op::GroupBroadcast)),
    (264, Some(Op::GroupIAdd)),
    (265, Some(Op::GroupFAdd)),
    (266, Some(Op::GroupFMin)),
    (267, Some(Op::GroupUMin)),
    (268, Some(Op::GroupSMin)),
    (269, Some(Op::GroupFMax)),
    (270, Some(Op::GroupUMax)),
    (271, Some(Op::GroupSMax)),
    (274, Some(Op::ReadPipe)),
    (275, Some(Op::WritePipe)),
    (276, Some(Op::ReservedReadPipe)),
    (277, Some(Op::ReservedWritePipe)),
    (278, Some(Op::ReserveReadPipePackets)),
    (279, Some(Op::ReserveWritePipePackets)),
    (280, Some(Op::CommitReadPipe)),
    (281, Some(Op::CommitWritePipe)),
    (282, Some(Op::IsValidReserveId)),
    (283, Some(Op::GetNumPipePackets)),
    (284, Some(Op::GetMaxPipePackets)),
    (285, Some(Op::GroupReserveReadPipePackets)),
    (286, Some(Op::GroupReserveWritePipePackets)),
    (287, Some(Op::GroupCommitReadPipe)),
    (288, Some(Op::GroupCommitWritePipe)),
    (291, Some(Op::EnqueueMarker)),
    (292, Some(Op::EnqueueKernel)),
    (293, Some(Op::GetKernelNDrangeSubGroupCount)),
    (294, Some(Op::GetKernelNDrangeMaxSubGroupSize)),
    (295, Some(Op::GetKernelWorkGroupSize)),
    (296, Some(Op::GetKernelPreferredWorkGroupSizeMultiple)),
    (297, Some(Op::RetainEvent)),
    (298, Some(Op::ReleaseEvent)),
    (299, Some(Op::CreateUserEvent)),
    (300, Some(Op::IsValidEvent)),
    (301, Some(Op::SetUserEventStatus)),
    (302, Some(Op::CaptureEventProfilingInfo)),
    (303, Some(Op::GetDefaultQueue)),
    (304, Some(Op::BuildNDRange)),
    (305, Some(Op::ImageSparseSampleImplicitLod)),
    (306, Some(Op::ImageSparseSampleExplicitLod)),
    (307, Some(Op::ImageSparseSampleDrefImplicitLod)),
    (308, Some(Op::ImageSparseSampleDrefExplicitLod)),
    (309, Some(Op::ImageSparseSampleProjImplicitLod)),
    (310, Some(Op::ImageSparseSampleProjExplicitLod)),
    (311, Some(Op::ImageSparseSampleProjDrefImplicitLod)),
    (312, Some(Op::ImageSparseSampleProjDrefExplicitLod)),
    (313, Some(Op::ImageSparseFetch)),
    (314, Some(Op::ImageSparseGather)),
    (315, Some(Op::ImageSparseDrefGather)),
    (316, Some(Op::ImageSparseTexelsResident)),
    (317, Some(Op::NoLine)),
    (318, Some(Op::AtomicFlagTestAndSet)),
    (319, Some(Op::AtomicFlagClear)),
    (320, Some(Op::ImageSparseRead)),
    (321, Some(Op::SizeOf)),
    (322, Some(Op::TypePipeStorage)),
    (323, Some(Op::ConstantPipeStorage)),
    (324, Some(Op::CreatePipeFromPipeStorage)),
    (325, Some(Op::GetKernelLocalSizeForSubgroupCount)),
    (326, Some(Op::GetKernelMaxNumSubgroups)),
    (327, Some(Op::TypeNamedBarrier)),
    (328, Some(Op::NamedBarrierInitialize)),
    (329, Some(Op::MemoryNamedBarrier)),
    (330, Some(Op::ModuleProcessed)),
    (331, Some(Op::ExecutionModeId)),
    (332, Some(Op::DecorateId)),
    (333, Some(Op::GroupNonUniformElect)),
    (334, Some(Op::GroupNonUniformAll)),
    (335, Some(Op::GroupNonUniformAny)),
    (336, Some(Op::GroupNonUniformAllEqual)),
    (337, Some(Op::GroupNonUniformBroadcast)),
    (338, Some(Op::GroupNonUniformBroadcastFirst)),
    (339, Some(Op::GroupNonUniformBallot)),
    (340, Some(Op::GroupNonUniformInverseBallot)),
    (341, Some(Op::GroupNonUniformBallotBitExtract)),
    (342, Some(Op::GroupNonUniformBallotBitCount)),
    (343, Some(Op::GroupNonUniformBallotFindLSB)),
    (344, Some(Op::GroupNonUniformBallotFindMSB)),
    (345, Some(Op::GroupNonUniformShuffle)),
    (346, Some(Op::GroupNonUniformShuffleXor)),
    (347, Some(Op::GroupNonUniformShuffleUp)),
    (348, Some(Op::GroupNonUniformShuffleDown)),
    (349, Some(Op::GroupNonUniformIAdd)),
    (350, Some(Op::GroupNonUniformFAdd)),
    (351, Some(Op::GroupNonUniformIMul)),
    (352, Some(Op::GroupNonUniformFMul)),
    (353, Some(Op::GroupNonUniformSMin)),
    (354, Some(Op::GroupNonUniformUMin)),
    (355, Some(Op::GroupNonUniformFMin)),
    (356, Some(Op::GroupNonUniformSMax)),
    (357, Some(Op::GroupNonUniformUMax)),
    (358, Some(Op::GroupNonUniformFMax)),
    (359, Some(Op::GroupNonUniformBitwiseAnd)),
    (360, Some(Op::GroupNonUniformBitwiseOr)),
    (361, Some(Op::GroupNonUniformBitwiseXor)),
    (362, Some(Op::GroupNonUniformLogicalAnd)),
    (363, Some(Op::GroupNonUniformLogicalOr)),
    (364, Some(Op::GroupNonUniformLogicalXor)),
    (365, Some(Op::GroupNonUniformQuadBroadcast)),
    (366, Some(Op::GroupNonUniformQuadSwap)),
    (400, Some(Op::CopyLogical)),
    (401, Some(Op::PtrEqual)),
    (402, Some(Op::PtrNotEqual)),
    (403, Some(Op::PtrDiff)),
    (4160, Some(Op::ColorAttachmentReadEXT)),
    (4161, Some(Op::DepthAttachmentReadEXT)),
    (4162, Some(Op::StencilAttachmentReadEXT)),
    (4163, Some(Op::TypeTensorARM)),
    (4164, Some(Op::TensorReadARM)),
    (4165, Some(Op::TensorWriteARM)),
    (4166, Some(Op::TensorQuerySizeARM)),
    (4181, Some(Op::GraphConstantARM)),
    (4182, Some(Op::GraphEntryPointARM)),
    (4183, Some(Op::GraphARM)),
    (4184, Some(Op::GraphInputARM)),
    (4185, Some(Op::GraphSetOutputARM)),
    (4186, Some(Op::GraphEndARM)),
    (4190, Some(Op::TypeGraphARM)),
    (4416, Some(Op::TerminateInvocation)),
    (4417, Some(Op::TypeUntypedPointerKHR)),
    (4418, Some(Op::UntypedVariableKHR)),
    (4419, Some(Op::UntypedAccessChainKHR)),
    (4420, Some(Op::UntypedInBoundsAccessChainKHR)),
    (4421, Some(Op::SubgroupBallotKHR)),
    (4422, Some(Op::SubgroupFirstInvocationKHR)),
    (4423, Some(Op::UntypedPtrAccessChainKHR)),
    (4424, Some(Op::UntypedInBoundsPtrAccessChainKHR)),
    (4425, Some(Op::UntypedArrayLengthKHR)),
    (4426, Some(Op::UntypedPrefetchKHR)),
    (4427, Some(Op::FmaKHR)),
    (4428, Some(Op::SubgroupAllKHR)),
    (4429, Some(Op::SubgroupAnyKHR)),
    (4430, Some(Op::SubgroupAllEqualKHR)),
    (4431, Some(Op::GroupNonUniformRotateKHR)),
    (4432, Some(Op::SubgroupReadInvocationKHR)),
    (4433, Some(Op::ExtInstWithForwardRefsKHR)),
    (4434, Some(Op::UntypedGroupAsyncCopyKHR)),
    (4445, Some(Op::TraceRayKHR)),
    (4446, Some(Op::ExecuteCallableKHR)),
    (4447, Some(Op::ConvertUToAccelerationStructureKHR)),
    (4448, Some(Op::IgnoreIntersectionKHR)),
    (4449, Some(Op::TerminateRayKHR)),
    (4450, Some(Op::SDot)),
    (4451, Some(Op::UDot)),
    (4452, Some(Op::SUDot)),
    (4453, Some(Op::SDotAccSat)),
    (4454, Some(Op::UDotAccSat)),
    (4455, Some(Op::SUDotAccSat)),
    (4456, Some(Op::TypeCooperativeMatrixKHR)),
    (4457, Some(Op::CooperativeMatrixLoadKHR)),
    (4458, Some(Op::CooperativeMatrixStoreKHR)),
    (4459, Some(Op::CooperativeMatrixMulAddKHR)),
    (4460, Some(Op::CooperativeMatrixLengthKHR)),
    (4461, Some(Op::ConstantCompositeReplicateEXT)),
    (4462, Some(Op::SpecConstantCompositeReplicateEXT)),
    (4463, Some(Op::CompositeConstructReplicateEXT)),
    (4472, Some(Op::TypeRayQueryKHR)),
    (4473, Some(Op::RayQueryInitializeKHR)),
    (4474, Some(Op::RayQueryTerminateKHR)),
    (4475, Some(Op::RayQueryGenerateIntersectionKHR)),
    (4476, Some(Op::RayQueryConfirmIntersectionKHR)),
    (4477, Some(Op::RayQueryProceedKHR)),
    (4479, Some(Op::RayQueryGetIntersectionTypeKHR)),
    (4480, Some(Op::ImageSampleWeightedQCOM)),
    (4481, Some(Op::ImageBoxFilterQCOM)),
    (4482, Some(Op::ImageBlockMatchSSDQCOM)),
    (4483, Some(Op::ImageBlockMatchSADQCOM)),
    (4497, Some(Op::BitCastArrayQCOM)),
    (4500, Some(Op::ImageBlockMatchWindowSSDQCOM)),
    (4501, Some(Op::ImageBlockMatchWindowSADQCOM)),
    (4502, Some(Op::ImageBlockMatchGatherSSDQCOM)),
    (4503, Some(Op::ImageBlockMatchGatherSADQCOM)),
    (4540, Some(Op::CompositeConstructCoopMatQCOM)),
    (4541, Some(Op::CompositeExtractCoopMatQCOM)),
    (4542, Some(Op::ExtractSubArrayQCOM)),
    (5000, Some(Op::GroupIAddNonUniformAMD)),
    (5001, Some(Op::GroupFAddNonUniformAMD)),
    (5002, Some(Op::GroupFMinNonUniformAMD)),
    (5003, Some(Op::GroupUMinNonUniformAMD)),
    (5004, Some(Op::GroupSMinNonUniformAMD)),
    (5005, Some(Op::GroupFMaxNonUniformAMD)),
    (5006, Some(Op::GroupUMaxNonUniformAMD)),
    (5007, Some(Op::GroupSMaxNonUniformAMD)),
    (5011, Some(Op::FragmentMaskFetchAMD)),
    (5012, Some(Op::FragmentFetchAMD)),
    (5056, Some(Op::ReadClockKHR)),
    (5074, Some(Op::AllocateNodePayloadsAMDX)),
    (5075, Some(Op::EnqueueNodePayloadsAMDX)),
    (5076, Some(Op::TypeNodePayloadArrayAMDX)),
    (5078, Some(Op::FinishWritingNodePayloadAMDX)),
    (5090, Some(Op::NodePayloadArrayLengthAMDX)),
    (5101, Some(Op::IsNodePayloadValidAMDX)),
    (5103, Some(Op::ConstantStringAMDX)),
    (5104, Some(Op::SpecConstantStringAMDX)),
    (5110, Some(Op::GroupNonUniformQuadAllKHR)),
    (5111, Some(Op::GroupNonUniformQuadAnyKHR)),
    (5115, Some(Op::TypeBufferEXT)),
    (5119, Some(Op::BufferPointerEXT)),
    (5126, Some(Op::UntypedImageTexelPointerEXT)),
    (5127, Some(Op::MemberDecorateIdEXT)),
    (5129, Some(Op::ConstantSizeOfEXT)),
    (5249, Some(Op::HitObjectRecordHitMotionNV)),
    (5250, Some(Op::HitObjectRecordHitWithIndexMotionNV)),
    (5251, Some(Op::HitObjectRecordMissMotionNV)),
    (5252, Some(Op::HitObjectGetWorldToObjectNV)),
    (5253, Some(Op::HitObjectGetObjectToWorldNV)),
    (5254, Some(Op::HitObjectGetObjectRayDirectionNV)),
    (5255, Some(Op::HitObjectGetObjectRayOriginNV)),
    (5256, Some(Op::HitObjectTraceRayMotionNV)),
    (5257, Some(Op::HitObjectGetShaderRecordBufferHandleNV)),
    (5258, Some(Op::HitObjectGetShaderBindingTableRecordIndexNV)),
    (5259, Some(Op::HitObjectRecordEmptyNV)),
    (5260, Some(Op::HitObjectTraceRayNV)),
    (5261, Some(Op::HitObjectRecordHitNV)),
    (5262, Some(Op::HitObjectRecordHitWithIndexNV)),
    (5263, Some(Op::HitObjectRecordMissNV)),
    (5264, Some(Op::HitObjectExecuteShaderNV)),
    (5265, Some(Op::HitObjectGetCurrentTimeNV)),
    (5266, Some(Op::HitObjectGetAttributesNV)),
    (5267, Some(Op::HitObjectGetHitKindNV)),
    (5268, Some(Op::HitObjectGetPrimitiveIndexNV)),
    (5269, Some(Op::HitObjectGetGeometryIndexNV)),
    (5270, Some(Op::HitObjectGetInstanceIdNV)),
    (5271, Some(Op::HitObjectGetInstanceCustomIndexNV)),
    (5272, Some(Op::HitObjectGetWorldRayDirectionNV)),
    (5273, Some(Op::HitObjectGetWorldRayOriginNV)),
    (5274, Some(Op::HitObjectGetRayTMaxNV)),
    (5275, Some(Op::HitObjectGetRayTMinNV)),
    (5276, Some(Op::HitObjectIsEmptyNV)),
    (5277, Some(Op::HitObjectIsHitNV)),
    (5278, Some(Op::HitObjectIsMissNV)),
    (5279, Some(Op::ReorderThreadWithHitObjectNV)),
    (5280, Some(Op::ReorderThreadWithHintNV)),
    (5281, Some(Op::TypeHitObjectNV)),
    (5283, Some(Op::ImageSampleFootprintNV)),
    (5288, Some(Op::TypeVectorIdEXT)),
    (5289, Some(Op::CooperativeVectorMatrixMulNV)),
    (5290, Some(Op::CooperativeVectorOuterProductAccumulateNV)),
    (5291, Some(Op::CooperativeVectorReduceSumAccumulateNV)),
    (5292, Some(Op::CooperativeVectorMatrixMulAddNV)),
    (5293, Some(Op::CooperativeMatrixConvertNV)),
    (5294, Some(Op::EmitMeshTasksEXT)),
    (5295, Some(Op::SetMeshOutputsEXT)),
    (5296, Some(Op::GroupNonUniformPartitionEXT)),
    (5299, Some(Op::WritePackedPrimitiveIndices4x8NV)),
    (5300, Some(Op::FetchMicroTriangleVertexPositionNV)),
    (5301, Some(Op::FetchMicroTriangleVertexBarycentricNV)),
    (5302, Some(Op::CooperativeVectorLoadNV)),
    (5303, Some(Op::CooperativeVectorStoreNV)),
    (5304, Some(Op::HitObjectRecordFromQueryEXT)),
    (5305, Some(Op::HitObjectRecordMissEXT)),
    (5306, Some(Op::HitObjectRecordMissMotionEXT)),
    (5307, Some(Op::HitObjectGetIntersectionTriangleVertexPositionsEXT)),
    (5308, Some(Op::HitObjectGetRayFlagsEXT)),
    (5309, Some(Op::HitObjectSetShaderBindingTableRecordIndexEXT)),
    (5310, Some(Op::HitObjectReorderExecuteShaderEXT)),
    (5311, Some(Op::HitObjectTraceReorderExecuteEXT)),
    (5312, Some(Op::HitObjectTraceMotionReorderExecuteEXT)),
    (5313, Some(Op::TypeHitObjectEXT)),
    (5314, Some(Op::ReorderThreadWithHintEXT)),
    (5315, Some(Op::ReorderThreadWithHitObjectEXT)),
    (5316, Some(Op::HitObjectTraceRayEXT)),
    (5317, Some(Op::HitObjectTraceRayMotionEXT)),
    (5318, Some(Op::HitObjectRecordEmptyEXT)),
    (5319, Some(Op::HitObjectExecuteShaderEXT)),
    (5320, Some(Op::HitObjectGetCurrentTimeEXT)),
    (5321, Some(Op::HitObjectGetAttributesEXT)),
    (5322, Some(Op::HitObjectGetHitKindEXT)),
    (5323, Some(Op::HitObjectGetPrimitiveIndexEXT)),
    (5324, Some(Op::HitObjectGetGeometryIndexEXT)),
    (5325, Some(Op::HitObjectGetInstanceIdEXT)),
    (5326, Some(Op::HitObjectGetInstanceCustomIndexEXT)),
    (5327, Some(Op::HitObjectGetObjectRayOriginEXT)),
    (5328, Some(Op::HitObjectGetObjectRayDirectionEXT)),
    (5329, Some(Op::HitObjectGetWorldRayDirectionEXT)),
    (5330, Some(Op::HitObjectGetWorldRayOriginEXT)),
    (5331, Some(Op::HitObjectGetObjectToWorldEXT)),
    (5332, Some(Op::HitObjectGetWorldToObjectEXT)),
    (5333, Some(Op::HitObjectGetRayTMaxEXT)),
    (5334, Some(Op::ReportIntersectionKHR)),
    (5335, Some(Op::IgnoreIntersectionNV)),
    (5336, Some(Op::TerminateRayNV)),
    (5337, Some(Op::TraceNV)),
    (5338, Some(Op::TraceMotionNV)),
    (5339, Some(Op::TraceRayMotionNV)),
    (5340, Some(Op::RayQueryGetIntersectionTriangleVertexPositionsKHR)),
    (5341, Some(Op::TypeAccelerationStructureKHR)),
    (5344, Some(Op::ExecuteCallableNV)),
    (5345, Some(Op::RayQueryGetIntersectionClusterIdNV)),
    (5346, Some(Op::HitObjectGetClusterIdNV)),
    (5347, Some(Op::HitObjectGetRayTMinEXT)),
    (5348, Some(Op::HitObjectGetShaderBindingTableRecordIndexEXT)),
    (5349, Some(Op::HitObjectGetShaderRecordBufferHandleEXT)),
    (5350, Some(Op::HitObjectIsEmptyEXT)),
    (5351, Some(Op::HitObjectIsHitEXT)),
    (5352, Some(Op::HitObjectIsMissEXT)),
    (5358, Some(Op::TypeCooperativeMatrixNV)),
    (5359, Some(Op::CooperativeMatrixLoadNV)),
    (5360, Some(Op::CooperativeMatrixStoreNV)),
    (5361, Some(Op::CooperativeMatrixMulAddNV)),
    (5362, Some(Op::CooperativeMatrixLengthNV)),
    (5364, Some(Op::BeginInvocationInterlockEXT)),
    (5365, Some(Op::EndInvocationInterlockEXT)),
    (5366, Some(Op::CooperativeMatrixReduceNV)),
    (5367, Some(Op::CooperativeMatrixLoadTensorNV)),
    (5368, Some(Op::CooperativeMatrixStoreTensorNV)),
    (5369, Some(Op::CooperativeMatrixPerElementOpNV)),
    (5370, Some(Op::TypeTensorLayoutNV)),
    (5371, Some(Op::TypeTensorViewNV)),
    (5372, Some(Op::CreateTensorLayoutNV)),
    (5373, Some(Op::TensorLayoutSetDimensionNV)),
    (5374, Some(Op::TensorLayoutSetStrideNV)),
    (5375, Some(Op::TensorLayoutSliceNV)),
    (5376, Some(Op::TensorLayoutSetClampValueNV)),
    (5377, Some(Op::CreateTensorViewNV)),
    (5378, Some(Op::TensorViewSetDimensionNV)),
    (5379, Some(Op::TensorViewSetStrideNV)),
    (5380, Some(Op::DemoteToHelperInvocation)),
    (5381, Some(Op::IsHelperInvocationEXT)),
    (5382, Some(Op::TensorViewSetClipNV)),
    (5384, Some(Op::TensorLayoutSetBlockSizeNV)),
    (5390, Some(Op::CooperativeMatrixTransposeNV)),
    (5391, Some(Op::ConvertUToImageNV)),
    (5392, Some(Op::ConvertUToSamplerNV)),
    (5393, Some(Op::ConvertImageToUNV)),
    (5394, Some(Op::ConvertSamplerToUNV)),
    (5395, Some(Op::ConvertUToSampledImageNV)),
    (5396, Some(Op::ConvertSampledImageToUNV)),
    (5397, Some(Op::SamplerImageAddressingModeNV)),
    (5398, Some(Op::RawAccessChainNV)),
    (5427, Some(Op::RayQueryGetIntersectionSpherePositionNV)),
    (5428, Some(Op::RayQueryGetIntersectionSphereRadiusNV)),
    (5429, Some(Op::RayQueryGetIntersectionLSSPositionsNV)),
    (5430, Some(Op::RayQueryGetIntersectionLSSRadiiNV)),
    (5431, Some(Op::RayQueryGetIntersectionLSSHitValueNV)),
    (5432, Some(Op::HitObjectGetSpherePositionNV)),
    (5433, Some(Op::HitObjectGetSphereRadiusNV)),
    (5434, Some(Op::HitObjectGetLSSPositionsNV)),
    (5435, Some(Op::HitObjectGetLSSRadiiNV)),
    (5436, Some(Op::HitObjectIsSphereHitNV)),
    (5437, Some(Op::HitObjectIsLSSHitNV)),
    (5438, Some(Op::RayQueryIsSphereHitNV)),
    (5439, Some(Op::RayQueryIsLSSHitNV)),
    (5571, Some(Op::SubgroupShuffleINTEL)),
    (5572, Some(Op::SubgroupShuffleDownINTEL)),
    (5573, Some(Op::SubgroupShuffleUpINTEL)),
    (5574, Some(Op::SubgroupShuffleXorINTEL)),
    (5575, Some(Op::SubgroupBlockReadINTEL)),
    (5576, Some(Op::SubgroupBlockWriteINTEL)),
    (5577, Some(Op::SubgroupImageBlockReadINTEL)),
    (5578, Some(Op::SubgroupImageBlockWriteINTEL)),
    (5580, Some(Op::SubgroupImageMediaBlockReadINTEL)),
    (5581, Some(Op::SubgroupImageMediaBlockWriteINTEL)),
    (5585, Some(Op::UCountLeadingZerosINTEL)),
    (5586, Some(Op::UCountTrailingZerosINTEL)),
    (5587, Some(Op::AbsISubINTEL)),
    (5588, Some(Op::AbsUSubINTEL)),
    (5589, Some(Op::IAddSatINTEL)),
    (5590, Some(Op::UAddSatINTEL)),
    (5591, Some(Op::IAverageINTEL)),
    (5592, Some(Op::UAverageINTEL)),
    (5593, Some(Op::IAverageRoundedINTEL)),
    (5594, Some(Op::UAverageRoundedINTEL)),
    (5595, Some(Op::ISubSatINTEL)),
    (5596, Some(Op::USubSatINTEL)),
    (5597, Some(Op::IMul32x16INTEL)),
    (5598, Some(Op::UMul32x16INTEL)),
    (5600, Some(Op::ConstantFunctionPointerINTEL)),
    (5601, Some(Op::FunctionPointerCallINTEL)),
    (5609, Some(Op::AsmTargetINTEL)),
    (5610, Some(Op::AsmINTEL)),
    (5611, Some(Op::AsmCallINTEL)),
    (5614, Some(Op::AtomicFMinEXT)),
    (5615, Some(Op::AtomicFMaxEXT)),
    (5630, Some(Op::AssumeTrueKHR)),
    (5631, Some(Op::ExpectKHR)),
    (5632, Some(Op::DecorateString)),
    (5633, Some(Op::MemberDecorateString)),
    (5699, Some(Op::VmeImageINTEL)),
    (5700, Some(Op::TypeVmeImageINTEL)),
    (5701, Some(Op::TypeAvcImePayloadINTEL)),
    (5702, Some(Op::TypeAvcRefPayloadINTEL)),
    (5703, Some(Op::TypeAvcSicPayloadINTEL)),
    (5704, Some(Op::TypeAvcMcePayloadINTEL)),
    (5705, Some(Op::TypeAvcMceResultINTEL)),
    (5706, Some(Op::TypeAvcImeResultINTEL)),
    (5707, Some(Op::TypeAvcImeResultSingleReferenceStreamoutINTEL)),
    (5708, Some(Op::TypeAvcImeResultDualReferenceStreamoutINTEL)),
    (5709, Some(Op::TypeAvcImeSingleReferenceStreaminINTEL)),
    (5710, Some(Op::TypeAvcImeDualReferenceStreaminINTEL)),
    (5711, Some(Op::TypeAvcRefResultINTEL)),
    (5712, Some(Op::TypeAvcSicResultINTEL)),
    (5713, Some(Op::SubgroupAvcMceGetDefaultInterBaseMultiReferencePenaltyINTEL)),
    (5714, Some(Op::SubgroupAvcMceSetInterBaseMultiReferencePenaltyINTEL)),
    (5715, Some(Op::SubgroupAvcMceGetDefaultInterShapePenaltyINTEL)),
    (5716, Some(Op::SubgroupAvcMceSetInterShapePenaltyINTEL)),
    (5717, Some(Op::SubgroupAvcMceGetDefaultInterDirectionPenaltyINTEL)),
    (5718, Some(Op::SubgroupAvcMceSetInterDirectionPenaltyINTEL)),
    (5719, Some(Op::SubgroupAvcMceGetDefaultIntraLumaShapePenaltyINTEL)),
    (5720, Some(Op::SubgroupAvcMceGetDefaultInterMotionVectorCostTableINTEL)),
    (5721, Some(Op::SubgroupAvcMceGetDefaultHighPenaltyCostTableINTEL)),
    (5722, Some(Op::SubgroupAvcMceGetDefaultMediumPenaltyCostTableINTEL)),
    (5723, Some(Op::SubgroupAvcMceGetDefaultLowPenaltyCostTableINTEL)),
    (5724, Some(Op::SubgroupAvcMceSetMotionVectorCostFunctionINTEL)),
    (5725, Some(Op::SubgroupAvcMceGetDefaultIntraLumaModePenaltyINTEL)),
    (5726, Some(Op::SubgroupAvcMceGetDefaultNonDcLumaIntraPenaltyINTEL)),
    (5727, Some(Op::SubgroupAvcMceGetDefaultIntraChromaModeBasePenaltyINTEL)),
    (5728, Some(Op::SubgroupAvcMceSetAcOnlyHaarINTEL)),
    (5729, Some(Op::SubgroupAvcMceSetSourceInterlacedFieldPolarityINTEL)),
    (5730, Some(Op::SubgroupAvcMceSetSingleReferenceInterlacedFieldPolarityINTEL)),
    (5731, Some(Op::SubgroupAvcMceSetDualReferenceInterlacedFieldPolaritiesINTEL)),
    (5732, Some(Op::SubgroupAvcMceConvertToImePayloadINTEL)),
    (5733, Some(Op::SubgroupAvcMceConvertToImeResultINTEL)),
    (5734, Some(Op::SubgroupAvcMceConvertToRefPayloadINTEL)),
    (5735, Some(Op::SubgroupAvcMceConvertToRefResultINTEL)),
    (5736, Some(Op::SubgroupAvcMceConvertToSicPayloadINTEL)),
    (5737, Some(Op::SubgroupAvcMceConvertToSicResultINTEL)),
    (5738, Some(Op::SubgroupAvcMceGetMotionVectorsINTEL)),
    (5739, Some(Op::SubgroupAvcMceGetInterDistortionsINTEL)),
    (5740, Some(Op::SubgroupAvcMceGetBestInterDistortionsINTEL)),
    (5741, Some(Op::SubgroupAvcMceGetInterMajorShapeINTEL)),
    (5742, Some(Op::SubgroupAvcMceGetInterMinorShapeINTEL)),
    (5743, Some(Op::SubgroupAvcMceGetInterDirectionsINTEL)),
    (5744, Some(Op::SubgroupAvcMceGetInterMotionVectorCountINTEL)),
    (5745, Some(Op::SubgroupAvcMceGetInterReferenceIdsINTEL)),
    (5746, Some(Op::SubgroupAvcMceGetInterReferenceInterlacedFieldPolaritiesINTEL)),
    (5747, Some(Op::SubgroupAvcImeInitializeINTEL)),
    (5748, Some(Op::SubgroupAvcImeSetSingleReferenceINTEL)),
    (5749, Some(Op::SubgroupAvcImeSetDualReferenceINTEL)),
    (5750, Some(Op::SubgroupAvcImeRefWindowSizeINTEL)),
    (5751, Some(Op::SubgroupAvcImeAdjustRefOffsetINTEL)),
    (5752, Some(Op::SubgroupAvcImeConvertToMcePayloadINTEL)),
    (5753, Some(Op::SubgroupAvcImeSetMaxMotionVectorCountINTEL)),
    (5754, Some(Op::SubgroupAvcImeSetUnidirectionalMixDisableINTEL)),
    (5755, Some(Op::SubgroupAvcImeSetEarlySearchTerminationThresholdINTEL)),
    (5756, Some(Op::SubgroupAvcImeSetWeightedSadINTEL)),
    (5757, Some(Op::SubgroupAvcImeEvaluateWithSingleReferenceINTEL)),
    (5758, Some(Op::SubgroupAvcImeEvaluateWithDualReferenceINTEL)),
    (5759, Some(Op::SubgroupAvcImeEvaluateWithSingleReferenceStreaminINTEL)),
    (5760, Some(Op::SubgroupAvcImeEvaluateWithDualReferenceStreaminINTEL)),
    (5761, Some(Op::SubgroupAvcImeEvaluateWithSingleReferenceStreamoutINTEL)),
    (5762, Some(Op::SubgroupAvcImeEvaluateWithDualReferenceStreamoutINTEL)),
    (5763, Some(Op::SubgroupAvcImeEvaluateWithSingleReferenceStreaminoutINTEL)),
    (5764, Some(Op::SubgroupAvcImeEvaluateWithDualReferenceStreaminoutINTEL)),
    (5765, Some(Op::SubgroupAvcImeConvertToMceResultINTEL)),
    (5766, Some(Op::SubgroupAvcImeGetSingleReferenceStreaminINTEL)),
    (5767, Some(Op::SubgroupAvcImeGetDualReferenceStreaminINTEL)),
    (5768, Some(Op::SubgroupAvcImeStripSingleReferenceStreamoutINTEL)),
    (5769, Some(Op::SubgroupAvcImeStripDualReferenceStreamoutINTEL)),
    (5770, Some(Op::SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeMotionVectorsINTEL)),
    (5771, Some(Op::SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeDistortionsINTEL)),
    (5772, Some(Op::SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeReferenceIdsINTEL)),
    (5773, Some(Op::SubgroupAvcImeGetStreamoutDualReferenceMajorShapeMotionVectorsINTEL)),
    (5774, Some(Op::SubgroupAvcImeGetStreamoutDualReferenceMajorShapeDistortionsINTEL)),
    (5775, Some(Op::SubgroupAvcImeGetStreamoutDualReferenceMajorShapeReferenceIdsINTEL)),
    (5776, Some(Op::SubgroupAvcImeGetBorderReachedINTEL)),
    (5777, Some(Op::SubgroupAvcImeGetTruncatedSearchIndicationINTEL)),
    (5778, Some(Op::SubgroupAvcImeGetUnidirectionalEarlySearchTerminationINTEL)),
    (5779, Some(Op::SubgroupAvcImeGetWeightingPatternMinimumMotionVectorINTEL)),
    (5780, Some(Op::SubgroupAvcImeGetWeightingPatternMinimumDistortionINTEL)),
    (5781, Some(Op::SubgroupAvcFmeInitializeINTEL)),
    (5782, Some(Op::SubgroupAvcBmeInitializeINTEL)),
    (5783, Some(Op::SubgroupAvcRefConvertToMcePayloadINTEL)),
    (5784, Some(Op::SubgroupAvcRefSetBidirectionalMixDisableINTEL)),
    (5785, Some(Op::SubgroupAvcRefSetBilinearFilterEnableINTEL)),
    (5786, Some(Op::SubgroupAvcRefEvaluateWithSingleReferenceINTEL)),
    (5787, Some(Op::SubgroupAvcRefEvaluateWithDualReferenceINTEL)),
    (5788, Some(Op::SubgroupAvcRefEvaluateWithMultiReferenceINTEL)),
    (5789, Some(Op::SubgroupAvcRefEvaluateWithMultiReferenceInterlacedINTEL)),
    (5790, Some(Op::SubgroupAvcRefConvertToMceResultINTEL)),
    (5791, Some(Op::SubgroupAvcSicInitializeINTEL)),
    (5792, Some(Op::SubgroupAvcSicConfigureSkcINTEL)),
    (5793, Some(Op::SubgroupAvcSicConfigureIpeLumaINTEL)),
    (5794, Some(Op::SubgroupAvcSicConfigureIpeLumaChromaINTEL)),
    (5795, Some(Op::SubgroupAvcSicGetMotionVectorMaskINTEL)),
    (5796, Some(Op::SubgroupAvcSicConvertToMcePayloadINTEL)),
    (5797, Some(Op::SubgroupAvcSicSetIntraLumaShapePenaltyINTEL)),
    (5798, Some(Op::SubgroupAvcSicSetIntraLumaModeCostFunctionINTEL)),
    (5799, Some(Op::SubgroupAvcSicSetIntraChromaModeCostFunctionINTEL)),
    (5800, Some(Op::SubgroupAvcSicSetBilinearFilterEnableINTEL)),
    (5801, Some(Op::SubgroupAvcSicSetSkcForwardTransformEnableINTEL)),
    (5802, Some(Op::SubgroupAvcSicSetBlockBasedRawSkipSadINTEL)),
    (5803, Some(Op::SubgroupAvcSicEvaluateIpeINTEL)),
    (5804, Some(Op::SubgroupAvcSicEvaluateWithSingleReferenceINTEL)),
    (5805, Some(Op::SubgroupAvcSicEvaluateWithDualReferenceINTEL)),
    (5806, Some(Op::SubgroupAvcSicEvaluateWithMultiReferenceINTEL)),
    (5807, Some(Op::SubgroupAvcSicEvaluateWithMultiReferenceInterlacedINTEL)),
    (5808, Some(Op::SubgroupAvcSicConvertToMceResultINTEL)),
    (5809, Some(Op::SubgroupAvcSicGetIpeLumaShapeINTEL)),
    (5810, Some(Op::SubgroupAvcSicGetBestIpeLumaDistortionINTEL)),
    (5811, Some(Op::SubgroupAvcSicGetBestIpeChromaDistortionINTEL)),
    (5812, Some(Op::SubgroupAvcSicGetPackedIpeLumaModesINTEL)),
    (5813, Some(Op::SubgroupAvcSicGetIpeChromaModeINTEL)),
    (5814, Some(Op::SubgroupAvcSicGetPackedSkcLumaCountThresholdINTEL)),
    (5815, Some(Op::SubgroupAvcSicGetPackedSkcLumaSumThresholdINTEL)),
    (5816, Some(Op::SubgroupAvcSicGetInterRawSadsINTEL)),
    (5818, Some(Op::VariableLengthArrayINTEL)),
    (5819, Some(Op::SaveMemoryINTEL)),
    (5820, Some(Op::RestoreMemoryINTEL)),
    (5840, Some(Op::ArbitraryFloatSinCosPiALTERA)),
    (5841, Some(Op::ArbitraryFloatCastALTERA)),
    (5842, Some(Op::ArbitraryFloatCastFromIntALTERA)),
    (5843, Some(Op::ArbitraryFloatCastToIntALTERA)),
    (5846, Some(Op::ArbitraryFloatAddALTERA)),
    (5847, Some(Op::ArbitraryFloatSubALTERA)),
    (5848, Some(Op::ArbitraryFloatMulALTERA)),
    (5849, Some(Op::ArbitraryFloatDivALTERA)),
    (5850, Some(Op::ArbitraryFloatGTALTERA)),
    (5851, Some(Op::ArbitraryFloatGEALTERA)),
    (5852, Some(Op::ArbitraryFloatLTALTERA)),
    (5853, Some(Op::ArbitraryFloatLEALTERA)),
    (5854, Some(Op::ArbitraryFloatEQALTERA)),
    (5855, Some(Op::ArbitraryFloatRecipALTERA)),
    (5856, Some(Op::ArbitraryFloatRSqrtALTERA)),
    (5857, Some(Op::ArbitraryFloatCbrtALTERA)),
    (5858, Some(Op::ArbitraryFloatHypotALTERA)),
    (5859, Some(Op::ArbitraryFloatSqrtALTERA)),
    (5860, Some(Op::ArbitraryFloatLogINTEL)),
    (5861, Some(Op::ArbitraryFloatLog2INTEL)),
    (5862, Some(Op::ArbitraryFloatLog10INTEL)),
    (5863, Some(Op::ArbitraryFloatLog1pINTEL)),
    (5864, Some(Op::ArbitraryFloatExpINTEL)),
    (5865, Some(Op::ArbitraryFloatExp2INTEL)),
    (5866, Some(Op::ArbitraryFloatExp10INTEL)),
    (5867, Some(Op::ArbitraryFloatExpm1INTEL)),
    (5868, Some(Op::ArbitraryFloatSinINTEL)),
    (5869, Some(Op::ArbitraryFloatCosINTEL)),
    (5870, Some(Op::ArbitraryFloatSinCosINTEL)),
    (5871, Some(Op::ArbitraryFloatSinPiINTEL)),
    (5872, Some(Op::ArbitraryFloatCosPiINTEL)),
    (5873, Some(Op::ArbitraryFloatASinINTEL)),
    (5874, Some(Op::ArbitraryFloatASinPiINTEL)),
    (5875, Some(Op::ArbitraryFloatACosINTEL)),
    (5876, Some(Op::ArbitraryFloatACosPiINTEL)),
    (5877, Some(Op::ArbitraryFloatATanINTEL)),
    (5878, Some(Op::ArbitraryFloatATanPiINTEL)),
    (5879, Some(Op::ArbitraryFloatATan2INTEL)),
    (5880, Some(Op::ArbitraryFloatPowINTEL)),
    (5881, Some(Op::ArbitraryFloatPowRINTEL)),
    (5882, Some(Op::ArbitraryFloatPowNINTEL)),
    (5887, Some(Op::LoopControlINTEL)),
    (5911, Some(Op::AliasDomainDeclINTEL)),
    (5912, Some(Op::AliasScopeDeclINTEL)),
    (5913, Some(Op::AliasScopeListDeclINTEL)),
    (5923, Some(Op::FixedSqrtALTERA)),
    (5924, Some(Op::FixedRecipALTERA)),
    (5925, Some(Op::FixedRsqrtALTERA)),
    (5926, Some(Op::FixedSinALTERA)),
    (5927, Some(Op::FixedCosALTERA)),
    (5928, Some(Op::FixedSinCosALTERA)),
    (5929, Some(Op::FixedSinPiALTERA)),
    (5930, Some(Op::FixedCosPiALTERA)),
    (5931, Some(Op::FixedSinCosPiALTERA)),
    (5932, Some(Op::FixedLogALTERA)),
    (5933, Some(Op::FixedExpALTERA)),
    (5934, Some(Op::PtrCastToCrossWorkgroupALTERA)),
    (5938, Some(Op::CrossWorkgroupCastToPtrALTERA)),
    (5946, Some(Op::ReadPipeBlockingALTERA)),
    (5947, Some(Op::WritePipeBlockingALTERA)),
    (5949, Some(Op::FPGARegALTERA)),
    (6016, Some(Op::RayQueryGetRayTMinKHR)),
    (6017, Some(Op::RayQueryGetRayFlagsKHR)),
    (6018, Some(Op::RayQueryGetIntersectionTKHR)),
    (6019, Some(Op::RayQueryGetIntersectionInstanceCustomIndexKHR)),
    (6020, Some(Op::RayQueryGetIntersectionInstanceIdKHR)),
    (6021, Some(Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR)),
    (6022, Some(Op::RayQueryGetIntersectionGeometryIndexKHR)),
    (6023, Some(Op::RayQueryGetIntersectionPrimitiveIndexKHR)),
    (6024, Some(Op::RayQueryGetIntersectionBarycentricsKHR)),
    (6025, Some(Op::RayQueryGetIntersectionFrontFaceKHR)),
    (6026, Some(Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR)),
    (6027, Some(Op::RayQueryGetIntersectionObjectRayDirectionKHR)),
    (6028, Some(Op::RayQueryGetIntersectionObjectRayOriginKHR)),
    (6029, Some(Op::RayQueryGetWorldRayDirectionKHR)),
    (6030, Some(Op::RayQueryGetWorldRayOriginKHR)),
    (6031, Some(Op::RayQueryGetIntersectionObjectToWorldKHR)),
    (6032, Some(Op::RayQueryGetIntersectionWorldToObjectKHR)),
    (6035, Some(Op::AtomicFAddEXT)),
    (6086, Some(Op::TypeBufferSurfaceINTEL)),
    (6090, Some(Op::TypeStructContinuedINTEL)),
    (6091, Some(Op::ConstantCompositeContinuedINTEL)),
    (6092, Some(Op::SpecConstantCompositeContinuedINTEL)),
    (6096, Some(Op::CompositeConstructContinuedINTEL)),
    (6116, Some(Op::ConvertFToBF16INTEL)),
    (6117, Some(Op::ConvertBF16ToFINTEL)),
    (6142, Some(Op::ControlBarrierArriveINTEL)),
    (6143, Some(Op::ControlBarrierWaitINTEL)),
    (6145, Some(Op::ArithmeticFenceEXT)),
    (6163, Some(Op::TaskSequenceCreateALTERA)),
    (6164, Some(Op::TaskSequenceAsyncALTERA)),
    (6165, Some(Op::TaskSequenceGetALTERA)),
    (6166, Some(Op::TaskSequenceReleaseALTERA)),
    (6199, Some(Op::TypeTaskSequenceALTERA)),
    (6221, Some(Op::SubgroupBlockPrefetchINTEL)),
    (6231, Some(Op::Subgroup2DBlockLoadINTEL)),
    (6232, Some(Op::Subgroup2DBlockLoadTransformINTEL)),
    (6233, Some(Op::Subgroup2DBlockLoadTransposeINTEL)),
    (6234, Some(Op::Subgroup2DBlockPrefetchINTEL)),
    (6235, Some(Op::Subgroup2DBlockStoreINTEL)),
    (6237, Some(Op::SubgroupMatrixMultiplyAccumulateINTEL)),
    (6242, Some(Op::BitwiseFunctionINTEL)),
    (6244, Some(Op::UntypedVariableLengthArrayINTEL)),
    (6248, Some(Op::ConditionalExtensionINTEL)),
    (6249, Some(Op::ConditionalEntryPointINTEL)),
    (6250, Some(Op::ConditionalCapabilityINTEL)),
    (6251, Some(Op::SpecConstantTargetINTEL)),
    (6252, Some(Op::SpecConstantArchitectureINTEL)),
    (6253, Some(Op::SpecConstantCapabilitiesINTEL)),
    (6254, Some(Op::ConditionalCopyObjectINTEL)),
    (6401, Some(Op::GroupIMulKHR)),
    (6402, Some(Op::GroupFMulKHR)),
    (6403, Some(Op::GroupBitwiseAndKHR)),
    (6404, Some(Op::GroupBitwiseOrKHR)),
    (6405, Some(Op::GroupBitwiseXorKHR)),
    (6406, Some(Op::GroupLogicalAndKHR)),
    (6407, Some(Op::GroupLogicalOrKHR)),
    (6408, Some(Op::GroupLogicalXorKHR)),
    (6426, Some(Op::RoundFToTF32INTEL)),
    (6428, Some(Op::MaskedGatherINTEL)),
    (6429, Some(Op::MaskedScatterINTEL)),
    (6529, Some(Op::ConvertHandleToImageINTEL)),
    (6530, Some(Op::ConvertHandleToSamplerINTEL)),
    (6531, Some(Op::ConvertHandleToSampledImageINTEL)),
    (4195, None),
    (4505, None),
    (4545, None),
    (5121, None),
    (5147, None),
    (5148, None),
    (5158, None),
    (5159, None),
    (5363, None),
    (6258, None),
    (6259, None),
    (6916, None),
    (6917, None),
    (6918, None),
];

/// The capabilities, sorted by number.
pub(super) static CAPABILITIES: [Capability; 306] = [
    Capability { number: 0, name: "Matrix", implied: &[], closure: &[0], extensions: &[] },
    Capability { number: 1, name: "Shader", implied: &[0], closure: &[1, 0], extensions: &[] },
    Capability { number: 2, name: "Geometry", implied: &[1], closure: &[2, 1, 0], extensions: &[] },
    Capability { number: 3, name: "Tessellation", implied: &[1], closure: &[3, 1, 0], extensions: &[] },
    Capability { number: 4, name: "Addresses", implied: &[], closure: &[4], extensions: &[] },
    Capability { number: 5, name: "Linkage", implied: &[], closure: &[5], extensions: &[] },
    Capability { number: 6, name: "Kernel", implied: &[], closure: &[6], extensions: &[] },
    Capability { number: 7, name: "Vector16", implied: &[6], closure: &[7, 6], extensions: &[] },
    Capability { number: 8, name: "Float16Buffer", implied: &[6], closure: &[8, 6], extensions: &[] },
    Capability { number: 9, name: "Float16", implied: &[], closure: &[9], extensions: &[] },
    Capability { number: 10, name: "Float64", implied: &[], closure: &[10], extensions: &[] },
    Capability { number: 11, name: "Int64", implied: &[], closure: &[11], extensions: &[] },
    Capability { number: 12, name: "Int64Atomics", implied: &[11], closure: &[12, 11], extensions: &[] },
    Capability { number: 13, name: "ImageBasic", implied: &[6], closure: &[13, 6], extensions: &[] },
    Capability { number: 14, name: "ImageReadWrite", implied: &[13], closure: &[14, 13, 6], extensions: &[] },
    Capability { number: 15, name: "ImageMipmap", implied: &[13], closure: &[15, 13, 6], extensions: &[] },
    Capability { number: 17, name: "Pipes", implied: &[6], closure: &[17, 6], extensions: &[] },
    Capability { number: 18, name: "Groups", implied: &[], closure: &[18], extensions: &["SPV_AMD_shader_ballot"] },
    Capability { number: 19, name: "DeviceEnqueue", implied: &[6], closure: &[19, 6], extensions: &[] },
    Capability { number: 20, name: "LiteralSampler", implied: &[6], closure: &[20, 6], extensions: &[] },
    Capability { number: 21, name: "AtomicStorage", implied: &[1], closure: &[21, 1, 0], extensions: &[] },
    Capability { number: 22, name: "Int16", implied: &[], closure: &[22], extensions: &[] },
    Capability { number: 23, name: "TessellationPointSize", implied: &[3], closure: &[23, 3, 1, 0], extensions: &[] },
    Capability { number: 24, name: "GeometryPointSize", implied: &[2], closure: &[24, 2, 1, 0], extensions: &[] },
    Capability { number: 25, name: "ImageGatherExtended", implied: &[1], closure: &[25, 1, 0], extensions: &[] },
    Capability { number: 27, name: "StorageImageMultisample", implied: &[1], closure: &[27, 1, 0], extensions: &[] },
    Capability { number: 28, name: "UniformBufferArrayDynamicIndexing", implied: &[1], closure: &[28, 1, 0], extensions: &[] },
    Capability { number: 29, name: "SampledImageArrayDynamicIndexing", implied: &[1], closure: &[29, 1, 0], extensions: &[] },
    Capability { number: 30, name: "StorageBufferArrayDynamicIndexing", implied: &[1], closure: &[30, 1, 0], extensions: &[] },
    Capability { number: 31, name: "StorageImageArrayDynamicIndexing", implied: &[1], closure: &[31, 1, 0], extensions: &[] },
    Capability { number: 32, name: "ClipDistance", implied: &[1], closure: &[32, 1, 0], extensions: &[] },
    Capability { number: 33, name: "CullDistance", implied: &[1], closure: &[33, 1, 0], extensions: &[] },
    Capability { number: 34, name: "ImageCubeArray", implied: &[45], closure: &[34, 45, 1, 0], extensions: &[] },
    Capability { number: 35, name: "SampleRateShading", implied: &[1], closure: &[35, 1, 0], extensions: &[] },
    Capability { number: 36, name: "ImageRect", implied: &[37], closure: &[36, 37, 1, 0], extensions: &[] },
    Capability { number: 37, name: "SampledRect", implied: &[1], closure: &[37, 1, 0], extensions: &[] },
    Capability { number: 38, name: "GenericPointer", implied: &[4], closure: &[38, 4], extensions: &[] },
    Capability { number: 39, name: "Int8", implied: &[], closure: &[39], extensions: &[] },
    Capability { number: 40, name: "InputAttachment", implied: &[1], closure: &[40, 1, 0], extensions: &[] },
    Capability { number: 41, name: "SparseResidency", implied: &[1], closure: &[41, 1, 0], extensions: &[] },
    Capability { number: 42, name: "MinLod", implied: &[1], closure: &[42, 1, 0], extensions: &[] },
    Capability { number: 43, name: "Sampled1D", implied: &[], closure: &[43], extensions: &[] },
    Capability { number: 44, name: "Image1D", implied: &[43], closure: &[44, 43], extensions: &[] },
    Capability { number: 45, name: "SampledCubeArray", implied: &[1], closure: &[45, 1, 0], extensions: &[] },
    Capability { number: 46, name: "SampledBuffer", implied: &[], closure: &[46], extensions: &[] },
    Capability { number: 47, name: "ImageBuffer", implied: &[46], closure: &[47, 46], extensions: &[] },
    Capability { number: 48, name: "ImageMSArray", implied: &[1], closure: &[48, 1, 0], extensions: &[] },
    Capability { number: 49, name: "StorageImageExtendedFormats", implied: &[1], closure: &[49, 1, 0], extensions: &[] },
    Capability { number: 50, name: "ImageQuery", implied: &[1], closure: &[50, 1, 0], extensions: &[] },
    Capability { number: 51, name: "DerivativeControl", implied: &[1], closure: &[51, 1, 0], extensions: &[] },
    Capability { number: 52, name: "InterpolationFunction", implied: &[1], closure: &[52, 1, 0], extensions: &[] },
    Capability { number: 53, name: "TransformFeedback", implied: &[1], closure: &[53, 1, 0], extensions: &[] },
    Capability { number: 54, name: "GeometryStreams", implied: &[2], closure: &[54, 2, 1, 0], extensions: &[] },
    Capability { number: 55, name: "StorageImageReadWithoutFormat", implied: &[1], closure: &[55, 1, 0], extensions: &[] },
    Capability { number: 56, name: "StorageImageWriteWithoutFormat", implied: &[1], closure: &[56, 1, 0], extensions: &[] },
    Capability { number: 57, name: "MultiViewport", implied: &[2], closure: &[57, 2, 1, 0], extensions: &[] },
    Capability { number: 58, name: "SubgroupDispatch", implied: &[19], closure: &[58, 19, 6], extensions: &[] },
    Capability { number: 59, name: "NamedBarrier", implied: &[6], closure: &[59, 6], extensions: &[] },
    Capability { number: 60, name: "PipeStorage", implied: &[17], closure: &[60, 17, 6], extensions: &[] },
    Capability { number: 61, name: "GroupNonUniform", implied: &[], closure: &[61], extensions: &[] },
    Capability { number: 62, name: "GroupNonUniformVote", implied: &[61], closure: &[62, 61], extensions: &[] },
    Capability { number: 63, name: "GroupNonUniformArithmetic", implied: &[61], closure: &[63, 61], extensions: &[] },
    Capability { number: 64, name: "GroupNonUniformBallot", implied: &[61], closure: &[64, 61], extensions: &[] },
    Capability { number: 65, name: "GroupNonUniformShuffle", implied: &[61], closure: &[65, 61], extensions: &[] },
    Capability { number: 66, name: "GroupNonUniformShuffleRelative", implied: &[61], closure: &[66, 61], extensions: &[] },
    Capability { number: 67, name: "GroupNonUniformClustered", implied: &[61], closure: &[67, 61], extensions: &[] },
    Capability { number: 68, name: "GroupNonUniformQuad", implied: &[61], closure: &[68, 61], extensions: &[] },
    Capability { number: 69, name: "ShaderLayer", implied: &[], closure: &[69], extensions: &[] },
    Capability { number: 70, name: "ShaderViewportIndex", implied: &[], closure: &[70], extensions: &[] },
    Capability { number: 71, name: "UniformDecoration", implied: &[], closure: &[71], extensions: &[] },
    Capability { number: 4165, name: "CoreBuiltinsARM", implied: &[], closure: &[4165], extensions: &["SPV_ARM_core_builtins"] },
    Capability { number: 4166, name: "TileImageColorReadAccessEXT", implied: &[], closure: &[4166], extensions: &["SPV_EXT_shader_tile_image"] },
    Capability { number: 4167, name: "TileImageDepthReadAccessEXT", implied: &[], closure: &[4167], extensions: &["SPV_EXT_shader_tile_image"] },
    Capability { number: 4168, name: "TileImageStencilReadAccessEXT", implied: &[], closure: &[4168], extensions: &["SPV_EXT_shader_tile_image"] },
    Capability { number: 4174, name: "TensorsARM", implied: &[], closure: &[4174], extensions: &["SPV_ARM_tensors"] },
    Capability { number: 4175, name: "StorageTensorArrayDynamicIndexingARM", implied: &[], closure: &[4175], extensions: &["SPV_ARM_tensors"] },
    Capability { number: 4176, name: "StorageTensorArrayNonUniformIndexingARM", implied: &[], closure: &[4176], extensions: &["SPV_ARM_tensors"] },
    Capability { number: 4191, name: "GraphARM", implied: &[], closure: &[4191], extensions: &["SPV_ARM_graph"] },
    Capability { number: 4201, name: "CooperativeMatrixLayoutsARM", implied: &[], closure: &[4201], extensions: &["SPV_ARM_cooperative_matrix_layouts"] },
    Capability { number: 4212, name: "Float8EXT", implied: &[], closure: &[4212], extensions: &["SPV_EXT_float8"] },
    Capability { number: 4213, name: "Float8CooperativeMatrixEXT", implied: &[4212, 6022], closure: &[4213, 4212, 6022], extensions: &["SPV_EXT_float8"] },
    Capability { number: 4228, name: "Float6EXT", implied: &[], closure: &[4228], extensions: &["SPV_EXT_ocp_microscaling_types"] },
    Capability { number: 4229, name: "Float4EXT", implied: &[], closure: &[4229], extensions: &["SPV_EXT_ocp_microscaling_types"] },
    Capability { number: 4230, name: "Float8UnsignedE8M0EXT", implied: &[], closure: &[4230], extensions: &["SPV_EXT_ocp_microscaling_types"] },
    Capability { number: 4231, name: "MXInt8EXT", implied: &[], closure: &[4231], extensions: &["SPV_EXT_ocp_microscaling_types"] },
    Capability { number: 4232, name: "BitcastExtractEXT", implied: &[], closure: &[4232], extensions: &["SPV_EXT_ocp_microscaling_types"] },
    Capability { number: 4422, name: "FragmentShadingRateKHR", implied: &[1], closure: &[4422, 1, 0], extensions: &["SPV_KHR_fragment_shading_rate"] },
    Capability { number: 4423, name: "SubgroupBallotKHR", implied: &[], closure: &[4423], extensions: &["SPV_KHR_shader_ballot"] },
    Capability { number: 4427, name: "DrawParameters", implied: &[1], closure: &[4427, 1, 0], extensions: &["SPV_KHR_shader_draw_parameters"] },
    Capability { number: 4428, name: "WorkgroupMemoryExplicitLayoutKHR", implied: &[1], closure: &[4428, 1, 0], extensions: &["SPV_KHR_workgroup_memory_explicit_layout"] },
    Capability { number: 4429, name: "WorkgroupMemoryExplicitLayout8BitAccessKHR", implied: &[4428], closure: &[4429, 4428, 1, 0], extensions: &["SPV_KHR_workgroup_memory_explicit_layout"] },
    Capability { number: 4430, name: "WorkgroupMemoryExplicitLayout16BitAccessKHR", implied: &[4428], closure: &[4430, 4428, 1, 0], extensions: &["SPV_KHR_workgroup_memory_explicit_layout"] },
    Capability { number: 4431, name: "SubgroupVoteKHR", implied: &[], closure: &[4431], extensions: &["SPV_KHR_subgroup_vote"] },
    Capability { number: 4433, name: "StorageBuffer16BitAccess", implied: &[], closure: &[4433], extensions: &["SPV_KHR_16bit_storage"] },
    Capability { number: 4434, name: "UniformAndStorageBuffer16BitAccess", implied: &[4433], closure: &[4434, 4433], extensions: &["SPV_KHR_16bit_storage"] },
    Capability { number: 4435, name: "StoragePushConstant16", implied: &[], closure: &[4435], extensions: &["SPV_KHR_16bit_storage"] },
    Capability { number: 4436, name: "StorageInputOutput16", implied: &[], closure: &[4436], extensions: &["SPV_KHR_16bit_storage"] },
    Capability { number: 4437, name: "DeviceGroup", implied: &[], closure: &[4437], extensions: &["SPV_KHR_device_group"] },
    Capability { number: 4439, name: "MultiView", implied: &[1], closure: &[4439, 1, 0], extensions: &["SPV_KHR_multiview"] },
    Capability { number: 4441, name: "VariablePointersStorageBuffer", implied: &[1], closure: &[4441, 1, 0], extensions: &["SPV_KHR_variable_pointers"] },
    Capability { number: 4442, name: "VariablePointers", implied: &[4441], closure: &[4442, 4441, 1, 0], extensions: &["SPV_KHR_variable_pointers"] },
    Capability { number: 4445, name: "AtomicStorageOps", implied: &[21], closure: &[4445, 21, 1, 0], extensions: &["SPV_KHR_shader_atomic_counter_ops"] },
    Capability { number: 4447, name: "SampleMaskPostDepthCoverage", implied: &[], closure: &[4447], extensions: &["SPV_KHR_post_depth_coverage"] },
    Capability { number: 4448, name: "StorageBuffer8BitAccess", implied: &[], closure: &[4448], extensions: &["SPV_KHR_8bit_storage"] },
    Capability { number: 4449, name: "UniformAndStorageBuffer8BitAccess", implied: &[4448], closure: &[4449, 4448], extensions: &["SPV_KHR_8bit_storage"] },
    Capability { number: 4450, name: "StoragePushConstant8", implied: &[], closure: &[4450], extensions: &["SPV_KHR_8bit_storage"] },
    Capability { number: 4464, name: "DenormPreserve", implied: &[], closure: &[4464], extensions: &["SPV_KHR_float_controls"] },
    Capability { number: 4465, name: "DenormFlushToZero", implied: &[], closure: &[4465], extensions: &["SPV_KHR_float_controls"] },
    Capability { number: 4466, name: "SignedZeroInfNanPreserve", implied: &[], closure: &[4466], extensions: &["SPV_KHR_float_controls"] },
    Capability { number: 4467, name: "RoundingModeRTE", implied: &[], closure: &[4467], extensions: &["SPV_KHR_float_controls"] },
    Capability { number: 4468, name: "RoundingModeRTZ", implied: &[], closure: &[4468], extensions: &["SPV_KHR_float_controls"] },
    Capability { number: 4471, name: "RayQueryProvisionalKHR", implied: &[1], closure: &[4471, 1, 0], extensions: &["SPV_KHR_ray_query"] },
    Capability { number: 4472, name: "RayQueryKHR", implied: &[1], closure: &[4472, 1, 0], extensions: &["SPV_KHR_ray_query"] },
    Capability { number: 4473, name: "UntypedPointersKHR", implied: &[], closure: &[4473], extensions: &["SPV_KHR_untyped_pointers"] },
    Capability { number: 4478, name: "RayTraversalPrimitiveCullingKHR", implied: &[4472, 4479], closure: &[4478, 4472, 4479, 1, 0], extensions: &["SPV_KHR_ray_query", "SPV_KHR_ray_tracing"] },
    Capability { number: 4479, name: "RayTracingKHR", implied: &[1], closure: &[4479, 1, 0], extensions: &["SPV_KHR_ray_tracing"] },
    Capability { number: 4484, name: "TextureSampleWeightedQCOM", implied: &[], closure: &[4484], extensions: &["SPV_QCOM_image_processing"] },
    Capability { number: 4485, name: "TextureBoxFilterQCOM", implied: &[], closure: &[4485], extensions: &["SPV_QCOM_image_processing"] },
    Capability { number: 4486, name: "TextureBlockMatchQCOM", implied: &[], closure: &[4486], extensions: &["SPV_QCOM_image_processing"] },
    Capability { number: 4495, name: "TileShadingQCOM", implied: &[1], closure: &[4495, 1, 0], extensions: &["SPV_QCOM_tile_shading"] },
    Capability { number: 4496, name: "CooperativeMatrixConversionQCOM", implied: &[6022], closure: &[4496, 6022], extensions: &["SPV_QCOM_cooperative_matrix_conversion"] },
    Capability { number: 4498, name: "TextureBlockMatch2QCOM", implied: &[], closure: &[4498], extensions: &["SPV_QCOM_image_processing2"] },
    Capability { number: 4504, name: "BFloat16MulAddQCOM", implied: &[], closure: &[4504], extensions: &["SPV_QCOM_bfloat16_muladd"] },
    Capability { number: 4506, name: "SubgroupSizeQCOM", implied: &[], closure: &[4506], extensions: &["SPV_QCOM_subgroup_size"] },
    Capability { number: 4539, name: "MultipleWaitQueuesQCOM", implied: &[], closure: &[4539], extensions: &["SPV_QCOM_multiple_wait_queues"] },
    Capability { number: 4543, name: "ImageGatherLinearQCOM", implied: &[], closure: &[4543], extensions: &["SPV_QCOM_image_processing3"] },
    Capability { number: 4544, name: "ImageGatherExtendedModesQCOM", implied: &[], closure: &[4544], extensions: &["SPV_QCOM_image_processing3"] },
    Capability { number: 5008, name: "Float16ImageAMD", implied: &[1], closure: &[5008, 1, 0], extensions: &["SPV_AMD_gpu_shader_half_float_fetch"] },
    Capability { number: 5009, name: "ImageGatherBiasLodAMD", implied: &[1], closure: &[5009, 1, 0], extensions: &["SPV_AMD_texture_gather_bias_lod"] },
    Capability { number: 5010, name: "FragmentMaskAMD", implied: &[1], closure: &[5010, 1, 0], extensions: &["SPV_AMD_shader_fragment_mask"] },
    Capability { number: 5013, name: "StencilExportEXT", implied: &[1], closure: &[5013, 1, 0], extensions: &["SPV_EXT_shader_stencil_export"] },
    Capability { number: 5015, name: "ImageReadWriteLodAMD", implied: &[1], closure: &[5015, 1, 0], extensions: &["SPV_AMD_shader_image_load_store_lod"] },
    Capability { number: 5016, name: "Int64ImageEXT", implied: &[], closure: &[5016], extensions: &["SPV_EXT_shader_image_int64"] },
    Capability { number: 5055, name: "ShaderClockKHR", implied: &[], closure: &[5055], extensions: &["SPV_KHR_shader_clock"] },
    Capability { number: 5067, name: "ShaderEnqueueAMDX", implied: &[1], closure: &[5067, 1, 0], extensions: &["SPV_AMDX_shader_enqueue"] },
    Capability { number: 5087, name: "QuadControlKHR", implied: &[], closure: &[5087], extensions: &["SPV_KHR_quad_control"] },
    Capability { number: 5112, name: "Int4TypeINTEL", implied: &[], closure: &[5112], extensions: &["SPV_INTEL_int4"] },
    Capability { number: 5114, name: "Int4CooperativeMatrixINTEL", implied: &[5112, 6022], closure: &[5114, 5112, 6022], extensions: &["SPV_INTEL_int4"] },
    Capability { number: 5116, name: "BFloat16TypeKHR", implied: &[], closure: &[5116], extensions: &["SPV_KHR_bfloat16"] },
    Capability { number: 5117, name: "BFloat16DotProductKHR", implied: &[5116], closure: &[5117, 5116], extensions: &["SPV_KHR_bfloat16"] },
    Capability { number: 5118, name: "BFloat16CooperativeMatrixKHR", implied: &[5116, 6022], closure: &[5118, 5116, 6022], extensions: &["SPV_KHR_bfloat16"] },
    Capability { number: 5120, name: "AbortKHR", implied: &[], closure: &[5120], extensions: &["SPV_KHR_abort"] },
    Capability { number: 5128, name: "DescriptorHeapEXT", implied: &[4473], closure: &[5128, 4473], extensions: &["SPV_EXT_descriptor_heap"] },
    Capability { number: 5146, name: "ConstantDataKHR", implied: &[], closure: &[5146], extensions: &["SPV_KHR_constant_data"] },
    Capability { number: 5156, name: "PoisonFreezeKHR", implied: &[], closure: &[5156], extensions: &["SPV_KHR_poison_freeze"] },
    Capability { number: 5181, name: "WeakLinkageAMD", implied: &[5], closure: &[5181, 5], extensions: &["SPV_AMD_weak_linkage"] },
    Capability { number: 5249, name: "SampleMaskOverrideCoverageNV", implied: &[35], closure: &[5249, 35, 1, 0], extensions: &["SPV_NV_sample_mask_override_coverage"] },
    Capability { number: 5251, name: "GeometryShaderPassthroughNV", implied: &[2], closure: &[5251, 2, 1, 0], extensions: &["SPV_NV_geometry_shader_passthrough"] },
    Capability { number: 5254, name: "ShaderViewportIndexLayerEXT", implied: &[57], closure: &[5254, 57, 2, 1, 0], extensions: &["SPV_EXT_shader_viewport_index_layer", "SPV_NV_viewport_array2"] },
    Capability { number: 5255, name: "ShaderViewportMaskNV", implied: &[5254], closure: &[5255, 5254, 57, 2, 1, 0], extensions: &["SPV_NV_viewport_array2"] },
    Capability { number: 5259, name: "ShaderStereoViewNV", implied: &[5255], closure: &[5259, 5255, 5254, 57, 2, 1, 0], extensions: &["SPV_NV_stereo_view_rendering"] },
    Capability { number: 5260, name: "PerViewAttributesNV", implied: &[4439], closure: &[5260, 4439, 1, 0], extensions: &["SPV_NVX_multiview_per_view_attributes"] },
    Capability { number: 5265, name: "FragmentFullyCoveredEXT", implied: &[1], closure: &[5265, 1, 0], extensions: &["SPV_EXT_fragment_fully_covered"] },
    Capability { number: 5266, name: "MeshShadingNV", implied: &[1], closure: &[5266, 1, 0], extensions: &["SPV_NV_mesh_shader"] },
    Capability { number: 5282, name: "ImageFootprintNV", implied: &[], closure: &[5282], extensions: &["SPV_NV_shader_image_footprint"] },
    Capability { number: 5283, name: "MeshShadingEXT", implied: &[1], closure: &[5283, 1, 0], extensions: &["SPV_EXT_mesh_shader"] },
    Capability { number: 5284, name: "FragmentBarycentricKHR", implied: &[], closure: &[5284], extensions: &["SPV_NV_fragment_shader_barycentric", "SPV_KHR_fragment_shader_barycentric"] },
    Capability { number: 5288, name: "ComputeDerivativeGroupQuadsKHR", implied: &[1], closure: &[5288, 1, 0], extensions: &["SPV_NV_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives"] },
    Capability { number: 5291, name: "FragmentDensityEXT", implied: &[1], closure: &[5291, 1, 0], extensions: &["SPV_EXT_fragment_invocation_density", "SPV_NV_shading_rate"] },
    Capability { number: 5297, name: "GroupNonUniformPartitionedEXT", implied: &[], closure: &[5297], extensions: &["SPV_NV_shader_subgroup_partitioned", "SPV_EXT_shader_subgroup_partitioned"] },
    Capability { number: 5301, name: "ShaderNonUniform", implied: &[1], closure: &[5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5302, name: "RuntimeDescriptorArray", implied: &[1], closure: &[5302, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5303, name: "InputAttachmentArrayDynamicIndexing", implied: &[40], closure: &[5303, 40, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5304, name: "UniformTexelBufferArrayDynamicIndexing", implied: &[46], closure: &[5304, 46], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5305, name: "StorageTexelBufferArrayDynamicIndexing", implied: &[47], closure: &[5305, 47, 46], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5306, name: "UniformBufferArrayNonUniformIndexing", implied: &[5301], closure: &[5306, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5307, name: "SampledImageArrayNonUniformIndexing", implied: &[5301], closure: &[5307, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5308, name: "StorageBufferArrayNonUniformIndexing", implied: &[5301], closure: &[5308, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5309, name: "StorageImageArrayNonUniformIndexing", implied: &[5301], closure: &[5309, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5310, name: "InputAttachmentArrayNonUniformIndexing", implied: &[40, 5301], closure: &[5310, 40, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5311, name: "UniformTexelBufferArrayNonUniformIndexing", implied: &[46, 5301], closure: &[5311, 46, 5301, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5312, name: "StorageTexelBufferArrayNonUniformIndexing", implied: &[47, 5301], closure: &[5312, 47, 5301, 46, 1, 0], extensions: &["SPV_EXT_descriptor_indexing"] },
    Capability { number: 5336, name: "RayTracingPositionFetchKHR", implied: &[1], closure: &[5336, 1, 0], extensions: &["SPV_KHR_ray_tracing_position_fetch"] },
    Capability { number: 5340, name: "RayTracingNV", implied: &[1], closure: &[5340, 1, 0], extensions: &["SPV_NV_ray_tracing"] },
    Capability { number: 5341, name: "RayTracingMotionBlurNV", implied: &[1], closure: &[5341, 1, 0], extensions: &["SPV_NV_ray_tracing_motion_blur"] },
    Capability { number: 5345, name: "VulkanMemoryModel", implied: &[], closure: &[5345], extensions: &["SPV_KHR_vulkan_memory_model"] },
    Capability { number: 5346, name: "VulkanMemoryModelDeviceScope", implied: &[], closure: &[5346], extensions: &["SPV_KHR_vulkan_memory_model"] },
    Capability { number: 5347, name: "PhysicalStorageBufferAddresses", implied: &[1], closure: &[5347, 1, 0], extensions: &["SPV_EXT_physical_storage_buffer", "SPV_KHR_physical_storage_buffer"] },
    Capability { number: 5350, name: "ComputeDerivativeGroupLinearKHR", implied: &[1], closure: &[5350, 1, 0], extensions: &["SPV_NV_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives"] },
    Capability { number: 5353, name: "RayTracingProvisionalKHR", implied: &[1], closure: &[5353, 1, 0], extensions: &["SPV_KHR_ray_tracing"] },
    Capability { number: 5357, name: "CooperativeMatrixNV", implied: &[1], closure: &[5357, 1, 0], extensions: &["SPV_NV_cooperative_matrix"] },
    Capability { number: 5363, name: "FragmentShaderSampleInterlockEXT", implied: &[1], closure: &[5363, 1, 0], extensions: &["SPV_EXT_fragment_shader_interlock"] },
    Capability { number: 5372, name: "FragmentShaderShadingRateInterlockEXT", implied: &[1], closure: &[5372, 1, 0], extensions: &["SPV_EXT_fragment_shader_interlock"] },
    Capability { number: 5373, name: "ShaderSMBuiltinsNV", implied: &[1], closure: &[5373, 1, 0], extensions: &["SPV_NV_shader_sm_builtins"] },
    Capability { number: 5378, name: "FragmentShaderPixelInterlockEXT", implied: &[1], closure: &[5378, 1, 0], extensions: &["SPV_EXT_fragment_shader_interlock"] },
    Capability { number: 5379, name: "DemoteToHelperInvocation", implied: &[1], closure: &[5379, 1, 0], extensions: &["SPV_EXT_demote_to_helper_invocation"] },
    Capability { number: 5380, name: "DisplacementMicromapNV", implied: &[1], closure: &[5380, 1, 0], extensions: &["SPV_NV_displacement_micromap"] },
    Capability { number: 5381, name: "RayTracingOpacityMicromapEXT", implied: &[1], closure: &[5381, 1, 0], extensions: &["SPV_KHR_opacity_micromap", "SPV_EXT_opacity_micromap"] },
    Capability { number: 5383, name: "ShaderInvocationReorderNV", implied: &[4479], closure: &[5383, 4479, 1, 0], extensions: &["SPV_NV_shader_invocation_reorder"] },
    Capability { number: 5388, name: "ShaderInvocationReorderEXT", implied: &[4479], closure: &[5388, 4479, 1, 0], extensions: &["SPV_EXT_shader_invocation_reorder"] },
    Capability { number: 5390, name: "BindlessTextureNV", implied: &[], closure: &[5390], extensions: &["SPV_NV_bindless_texture"] },
    Capability { number: 5391, name: "RayQueryPositionFetchKHR", implied: &[1], closure: &[5391, 1, 0], extensions: &["SPV_KHR_ray_tracing_position_fetch"] },
    Capability { number: 5394, name: "CooperativeVectorNV", implied: &[], closure: &[5394], extensions: &["SPV_NV_cooperative_vector"] },
    Capability { number: 5404, name: "AtomicFloat16VectorNV", implied: &[], closure: &[5404], extensions: &["SPV_NV_shader_atomic_fp16_vector"] },
    Capability { number: 5409, name: "RayTracingDisplacementMicromapNV", implied: &[4479], closure: &[5409, 4479, 1, 0], extensions: &["SPV_NV_displacement_micromap"] },
    Capability { number: 5414, name: "RawAccessChainsNV", implied: &[], closure: &[5414], extensions: &["SPV_NV_raw_access_chains"] },
    Capability { number: 5418, name: "RayTracingSpheresGeometryNV", implied: &[], closure: &[5418], extensions: &["SPV_NV_linear_swept_spheres"] },
    Capability { number: 5419, name: "RayTracingLinearSweptSpheresGeometryNV", implied: &[], closure: &[5419], extensions: &["SPV_NV_linear_swept_spheres"] },
    Capability { number: 5423, name: "PushConstantBanksNV", implied: &[1], closure: &[5423, 1, 0], extensions: &["SPV_NV_push_constant_bank"] },
    Capability { number: 5425, name: "LongVectorEXT", implied: &[], closure: &[5425], extensions: &["SPV_EXT_long_vector"] },
    Capability { number: 5426, name: "Shader64BitIndexingEXT", implied: &[], closure: &[5426], extensions: &["SPV_EXT_shader_64bit_indexing"] },
    Capability { number: 5429, name: "CooperativeMatrixConversionsEXT", implied: &[], closure: &[5429], extensions: &["SPV_EXT_cooperative_matrix_maintenance1"] },
    Capability { number: 5430, name: "CooperativeMatrixReductionsNV", implied: &[], closure: &[5430], extensions: &["SPV_EXT_cooperative_matrix_maintenance1", "SPV_NV_cooperative_matrix2"] },
    Capability { number: 5431, name: "CooperativeMatrixConversionsNV", implied: &[], closure: &[5431], extensions: &["SPV_NV_cooperative_matrix2"] },
    Capability { number: 5432, name: "CooperativeMatrixPerElementOperationsNV", implied: &[], closure: &[5432], extensions: &["SPV_EXT_cooperative_matrix_maintenance1", "SPV_NV_cooperative_matrix2"] },
    Capability { number: 5433, name: "CooperativeMatrixTensorAddressingNV", implied: &[], closure: &[5433], extensions: &["SPV_NV_cooperative_matrix2"] },
    Capability { number: 5434, name: "CooperativeMatrixBlockLoadsNV", implied: &[], closure: &[5434], extensions: &["SPV_NV_cooperative_matrix2"] },
    Capability { number: 5435, name: "CooperativeVectorTrainingNV", implied: &[], closure: &[5435], extensions: &["SPV_NV_cooperative_vector"] },
    Capability { number: 5437, name: "RayTracingClusterAccelerationStructureNV", implied: &[4479], closure: &[5437, 4479, 1, 0], extensions: &["SPV_NV_cluster_acceleration_structure"] },
    Capability { number: 5438, name: "CooperativeMatrixGetCoordinateEXT", implied: &[], closure: &[5438], extensions: &["SPV_EXT_cooperative_matrix_maintenance1"] },
    Capability { number: 5439, name: "TensorAddressingNV", implied: &[], closure: &[5439], extensions: &["SPV_NV_tensor_addressing"] },
    Capability { number: 5447, name: "CooperativeMatrixDecodeVectorNV", implied: &[5434], closure: &[5447, 5434], extensions: &["SPV_NV_cooperative_matrix_decode_vector"] },
    Capability { number: 5568, name: "SubgroupShuffleINTEL", implied: &[], closure: &[5568], extensions: &["SPV_INTEL_subgroups"] },
    Capability { number: 5569, name: "SubgroupBufferBlockIOINTEL", implied: &[], closure: &[5569], extensions: &["SPV_INTEL_subgroups"] },
    Capability { number: 5570, name: "SubgroupImageBlockIOINTEL", implied: &[], closure: &[5570], extensions: &["SPV_INTEL_subgroups"] },
    Capability { number: 5579, name: "SubgroupImageMediaBlockIOINTEL", implied: &[], closure: &[5579], extensions: &["SPV_INTEL_media_block_io"] },
    Capability { number: 5582, name: "RoundToInfinityINTEL", implied: &[], closure: &[5582], extensions: &["SPV_INTEL_float_controls2"] },
    Capability { number: 5583, name: "FloatingPointModeINTEL", implied: &[], closure: &[5583], extensions: &["SPV_INTEL_float_controls2"] },
    Capability { number: 5584, name: "IntegerFunctions2INTEL", implied: &[], closure: &[5584], extensions: &["SPV_INTEL_shader_integer_functions2"] },
    Capability { number: 5603, name: "FunctionPointersINTEL", implied: &[], closure: &[5603], extensions: &["SPV_INTEL_function_pointers"] },
    Capability { number: 5604, name: "IndirectReferencesINTEL", implied: &[], closure: &[5604], extensions: &["SPV_INTEL_function_pointers"] },
    Capability { number: 5606, name: "AsmINTEL", implied: &[], closure: &[5606], extensions: &["SPV_INTEL_inline_assembly"] },
    Capability { number: 5612, name: "AtomicFloat32MinMaxEXT", implied: &[], closure: &[5612], extensions: &["SPV_EXT_shader_atomic_float_min_max"] },
    Capability { number: 5613, name: "AtomicFloat64MinMaxEXT", implied: &[], closure: &[5613], extensions: &["SPV_EXT_shader_atomic_float_min_max"] },
    Capability { number: 5616, name: "AtomicFloat16MinMaxEXT", implied: &[], closure: &[5616], extensions: &["SPV_EXT_shader_atomic_float_min_max"] },
    Capability { number: 5617, name: "VectorComputeINTEL", implied: &[5619], closure: &[5617, 5619], extensions: &["SPV_INTEL_vector_compute"] },
    Capability { number: 5619, name: "VectorAnyINTEL", implied: &[], closure: &[5619], extensions: &["SPV_INTEL_vector_compute"] },
    Capability { number: 5629, name: "ExpectAssumeKHR", implied: &[], closure: &[5629], extensions: &["SPV_KHR_expect_assume"] },
    Capability { number: 5696, name: "SubgroupAvcMotionEstimationINTEL", implied: &[], closure: &[5696], extensions: &["SPV_INTEL_device_side_avc_motion_estimation"] },
    Capability { number: 5697, name: "SubgroupAvcMotionEstimationIntraINTEL", implied: &[], closure: &[5697], extensions: &["SPV_INTEL_device_side_avc_motion_estimation"] },
    Capability { number: 5698, name: "SubgroupAvcMotionEstimationChromaINTEL", implied: &[], closure: &[5698], extensions: &["SPV_INTEL_device_side_avc_motion_estimation"] },
    Capability { number: 5817, name: "VariableLengthArrayINTEL", implied: &[], closure: &[5817], extensions: &["SPV_INTEL_variable_length_array"] },
    Capability { number: 5821, name: "FunctionFloatControlINTEL", implied: &[], closure: &[5821], extensions: &["SPV_INTEL_float_controls2"] },
    Capability { number: 5824, name: "FPGAMemoryAttributesALTERA", implied: &[], closure: &[5824], extensions: &["SPV_ALTERA_fpga_memory_attributes", "SPV_INTEL_fpga_memory_attributes"] },
    Capability { number: 5837, name: "FPFastMathModeINTEL", implied: &[6], closure: &[5837, 6], extensions: &["SPV_INTEL_fp_fast_math_mode"] },
    Capability { number: 5844, name: "ArbitraryPrecisionIntegersALTERA", implied: &[], closure: &[5844], extensions: &["SPV_ALTERA_arbitrary_precision_integers", "SPV_INTEL_arbitrary_precision_integers"] },
    Capability { number: 5845, name: "ArbitraryPrecisionFloatingPointALTERA", implied: &[], closure: &[5845], extensions: &["SPV_ALTERA_arbitrary_precision_floating_point", "SPV_INTEL_arbitrary_precision_floating_point"] },
    Capability { number: 5886, name: "UnstructuredLoopControlsINTEL", implied: &[], closure: &[5886], extensions: &["SPV_INTEL_unstructured_loop_controls"] },
    Capability { number: 5888, name: "FPGALoopControlsALTERA", implied: &[], closure: &[5888], extensions: &["SPV_ALTERA_fpga_loop_controls", "SPV_INTEL_fpga_loop_controls"] },
    Capability { number: 5892, name: "KernelAttributesINTEL", implied: &[], closure: &[5892], extensions: &["SPV_INTEL_kernel_attributes"] },
    Capability { number: 5897, name: "FPGAKernelAttributesINTEL", implied: &[], closure: &[5897], extensions: &["SPV_INTEL_kernel_attributes"] },
    Capability { number: 5898, name: "FPGAMemoryAccessesALTERA", implied: &[], closure: &[5898], extensions: &["SPV_ALTERA_fpga_memory_accesses", "SPV_INTEL_fpga_memory_accesses"] },
    Capability { number: 5904, name: "FPGAClusterAttributesALTERA", implied: &[], closure: &[5904], extensions: &["SPV_ALTERA_fpga_cluster_attributes", "SPV_INTEL_fpga_cluster_attributes"] },
    Capability { number: 5906, name: "LoopFuseALTERA", implied: &[], closure: &[5906], extensions: &["SPV_ALTERA_loop_fuse", "SPV_INTEL_loop_fuse"] },
    Capability { number: 5908, name: "FPGADSPControlALTERA", implied: &[], closure: &[5908], extensions: &["SPV_ALTERA_fpga_dsp_control", "SPV_INTEL_fpga_dsp_control"] },
    Capability { number: 5910, name: "MemoryAccessAliasingINTEL", implied: &[], closure: &[5910], extensions: &["SPV_INTEL_memory_access_aliasing"] },
    Capability { number: 5916, name: "FPGAInvocationPipeliningAttributesALTERA", implied: &[], closure: &[5916], extensions: &["SPV_ALTERA_fpga_invocation_pipelining_attributes", "SPV_INTEL_fpga_invocation_pipelining_attributes"] },
    Capability { number: 5920, name: "FPGABufferLocationALTERA", implied: &[], closure: &[5920], extensions: &["SPV_ALTERA_fpga_buffer_location", "SPV_INTEL_fpga_buffer_location"] },
    Capability { number: 5922, name: "ArbitraryPrecisionFixedPointALTERA", implied: &[], closure: &[5922], extensions: &["SPV_ALTERA_arbitrary_precision_fixed_point", "SPV_INTEL_arbitrary_precision_fixed_point"] },
    Capability { number: 5935, name: "USMStorageClassesALTERA", implied: &[], closure: &[5935], extensions: &["SPV_ALTERA_usm_storage_classes", "SPV_INTEL_usm_storage_classes"] },
    Capability { number: 5939, name: "RuntimeAlignedAttributeALTERA", implied: &[], closure: &[5939], extensions: &["SPV_ALTERA_runtime_aligned", "SPV_INTEL_runtime_aligned"] },
    Capability { number: 5943, name: "IOPipesALTERA", implied: &[], closure: &[5943], extensions: &["SPV_ALTERA_io_pipes", "SPV_INTEL_io_pipes"] },
    Capability { number: 5945, name: "BlockingPipesALTERA", implied: &[], closure: &[5945], extensions: &["SPV_ALTERA_blocking_pipes", "SPV_INTEL_blocking_pipes"] },
    Capability { number: 5948, name: "FPGARegALTERA", implied: &[], closure: &[5948], extensions: &["SPV_ALTERA_fpga_reg", "SPV_INTEL_fpga_reg"] },
    Capability { number: 6016, name: "DotProductInputAll", implied: &[], closure: &[6016], extensions: &["SPV_KHR_integer_dot_product"] },
    Capability { number: 6017, name: "DotProductInput4x8Bit", implied: &[39], closure: &[6017, 39], extensions: &["SPV_KHR_integer_dot_product"] },
    Capability { number: 6018, name: "DotProductInput4x8BitPacked", implied: &[], closure: &[6018], extensions: &["SPV_KHR_integer_dot_product"] },
    Capability { number: 6019, name: "DotProduct", implied: &[], closure: &[6019], extensions: &["SPV_KHR_integer_dot_product"] },
    Capability { number: 6020, name: "RayCullMaskKHR", implied: &[], closure: &[6020], extensions: &["SPV_KHR_ray_cull_mask"] },
    Capability { number: 6022, name: "CooperativeMatrixKHR", implied: &[], closure: &[6022], extensions: &["SPV_KHR_cooperative_matrix"] },
    Capability { number: 6024, name: "ReplicatedCompositesEXT", implied: &[], closure: &[6024], extensions: &["SPV_EXT_replicated_composites"] },
    Capability { number: 6025, name: "BitInstructions", implied: &[], closure: &[6025], extensions: &["SPV_KHR_bit_instructions"] },
    Capability { number: 6026, name: "GroupNonUniformRotateKHR", implied: &[61], closure: &[6026, 61], extensions: &["SPV_KHR_subgroup_rotate"] },
    Capability { number: 6029, name: "FloatControls2", implied: &[], closure: &[6029], extensions: &["SPV_KHR_float_controls2"] },
    Capability { number: 6030, name: "FMAKHR", implied: &[], closure: &[6030], extensions: &["SPV_KHR_fma"] },
    Capability { number: 6032, name: "RayTracingOpacityMicromapExecutionModeKHR", implied: &[1], closure: &[6032, 1, 0], extensions: &["SPV_KHR_opacity_micromap"] },
    Capability { number: 6033, name: "AtomicFloat32AddEXT", implied: &[], closure: &[6033], extensions: &["SPV_EXT_shader_atomic_float_add"] },
    Capability { number: 6034, name: "AtomicFloat64AddEXT", implied: &[], closure: &[6034], extensions: &["SPV_EXT_shader_atomic_float_add"] },
    Capability { number: 6089, name: "LongCompositesINTEL", implied: &[], closure: &[6089], extensions: &["SPV_INTEL_long_composites"] },
    Capability { number: 6094, name: "OptNoneEXT", implied: &[], closure: &[6094], extensions: &["SPV_EXT_optnone", "SPV_INTEL_optnone"] },
    Capability { number: 6095, name: "AtomicFloat16AddEXT", implied: &[], closure: &[6095], extensions: &["SPV_EXT_shader_atomic_float16_add"] },
    Capability { number: 6114, name: "DebugInfoModuleINTEL", implied: &[], closure: &[6114], extensions: &["SPV_INTEL_debug_module"] },
    Capability { number: 6115, name: "BFloat16ConversionINTEL", implied: &[], closure: &[6115], extensions: &["SPV_INTEL_bfloat16_conversion"] },
    Capability { number: 6118, name: "JointMatrixINTEL", implied: &[], closure: &[6118], extensions: &["SPV_INTEL_joint_matrix"] },
    Capability { number: 6141, name: "SplitBarrierINTEL", implied: &[], closure: &[6141], extensions: &["SPV_EXT_split_barrier", "SPV_INTEL_split_barrier"] },
    Capability { number: 6144, name: "ArithmeticFenceEXT", implied: &[], closure: &[6144], extensions: &["SPV_EXT_arithmetic_fence"] },
    Capability { number: 6150, name: "FPGAClusterAttributesV2ALTERA", implied: &[5904], closure: &[6150, 5904], extensions: &["SPV_ALTERA_fpga_cluster_attributes", "SPV_INTEL_fpga_cluster_attributes"] },
    Capability { number: 6161, name: "FPGAKernelAttributesv2INTEL", implied: &[5897], closure: &[6161, 5897], extensions: &["SPV_INTEL_kernel_attributes"] },
    Capability { number: 6162, name: "TaskSequenceALTERA", implied: &[], closure: &[6162], extensions: &["SPV_ALTERA_task_sequence", "SPV_INTEL_task_sequence"] },
    Capability { number: 6169, name: "FPMaxErrorINTEL", implied: &[], closure: &[6169], extensions: &["SPV_INTEL_fp_max_error"] },
    Capability { number: 6171, name: "FPGALatencyControlALTERA", implied: &[], closure: &[6171], extensions: &["SPV_ALTERA_fpga_latency_control", "SPV_INTEL_fpga_latency_control"] },
    Capability { number: 6174, name: "FPGAArgumentInterfacesALTERA", implied: &[], closure: &[6174], extensions: &["SPV_ALTERA_fpga_argument_interfaces", "SPV_INTEL_fpga_argument_interfaces"] },
    Capability { number: 6187, name: "GlobalVariableHostAccessINTEL", implied: &[], closure: &[6187], extensions: &["SPV_INTEL_global_variable_host_access"] },
    Capability { number: 6189, name: "GlobalVariableFPGADecorationsALTERA", implied: &[], closure: &[6189], extensions: &["SPV_ALTERA_global_variable_fpga_decorations", "SPV_INTEL_global_variable_fpga_decorations"] },
    Capability { number: 6220, name: "SubgroupBufferPrefetchINTEL", implied: &[], closure: &[6220], extensions: &["SPV_INTEL_subgroup_buffer_prefetch"] },
    Capability { number: 6228, name: "Subgroup2DBlockIOINTEL", implied: &[], closure: &[6228], extensions: &["SPV_INTEL_2d_block_io"] },
    Capability { number: 6229, name: "Subgroup2DBlockTransformINTEL", implied: &[6228], closure: &[6229, 6228], extensions: &["SPV_INTEL_2d_block_io"] },
    Capability { number: 6230, name: "Subgroup2DBlockTransposeINTEL", implied: &[6228], closure: &[6230, 6228], extensions: &["SPV_INTEL_2d_block_io"] },
    Capability { number: 6236, name: "SubgroupMatrixMultiplyAccumulateINTEL", implied: &[], closure: &[6236], extensions: &["SPV_INTEL_subgroup_matrix_multiply_accumulate"] },
    Capability { number: 6241, name: "TernaryBitwiseFunctionINTEL", implied: &[], closure: &[6241], extensions: &["SPV_INTEL_ternary_bitwise_function"] },
    Capability { number: 6243, name: "UntypedVariableLengthArrayINTEL", implied: &[5817, 4473], closure: &[6243, 5817, 4473], extensions: &["SPV_INTEL_variable_length_array"] },
    Capability { number: 6245, name: "SpecConditionalINTEL", implied: &[], closure: &[6245], extensions: &["SPV_INTEL_function_variants"] },
    Capability { number: 6246, name: "FunctionVariantsINTEL", implied: &[6245], closure: &[6246, 6245], extensions: &["SPV_INTEL_function_variants"] },
    Capability { number: 6257, name: "PredicatedIOINTEL", implied: &[], closure: &[6257], extensions: &["SPV_INTEL_predicated_io"] },
    Capability { number: 6265, name: "RoundedDivideSqrtINTEL", implied: &[], closure: &[6265], extensions: &["SPV_INTEL_rounded_divide_sqrt"] },
    Capability { number: 6400, name: "GroupUniformArithmeticKHR", implied: &[], closure: &[6400], extensions: &["SPV_KHR_uniform_group_instructions"] },
    Capability { number: 6425, name: "TensorFloat32RoundingINTEL", implied: &[], closure: &[6425], extensions: &["SPV_INTEL_tensor_float32_conversion"] },
    Capability { number: 6427, name: "MaskedGatherScatterINTEL", implied: &[], closure: &[6427], extensions: &["SPV_INTEL_masked_gather_scatter"] },
    Capability { number: 6441, name: "CacheControlsINTEL", implied: &[], closure: &[6441], extensions: &["SPV_INTEL_cache_controls"] },
    Capability { number: 6460, name: "RegisterLimitsINTEL", implied: &[], closure: &[6460], extensions: &["SPV_INTEL_maximum_registers"] },
    Capability { number: 6528, name: "BindlessImagesINTEL", implied: &[], closure: &[6528], extensions: &["SPV_INTEL_bindless_images"] },
    Capability { number: 6912, name: "DotProductFloat16AccFloat32VALVE", implied: &[9], closure: &[6912, 9], extensions: &["SPV_VALVE_mixed_float_dot_product"] },
    Capability { number: 6913, name: "DotProductFloat16AccFloat16VALVE", implied: &[9], closure: &[6913, 9], extensions: &["SPV_VALVE_mixed_float_dot_product"] },
    Capability { number: 6914, name: "DotProductBFloat16AccVALVE", implied: &[5116], closure: &[6914, 5116], extensions: &["SPV_VALVE_mixed_float_dot_product"] },
    Capability { number: 6915, name: "DotProductFloat8AccFloat32VALVE", implied: &[4212], closure: &[6915, 4212], extensions: &["SPV_VALVE_mixed_float_dot_product"] },
    Capability { number: 7041, name: "IntrinsicSAMSUNG", implied: &[], closure: &[7041], extensions: &["SPV_SAMSUNG_intrinsic"] },
];

/// Indexes of the capabilities, sorted by name.
pub(super) static BY_NAME: [u16; 306] = [141, 4, 248, 236, 235, 275, 221, 270, 224, 193, 266, 222, 267, 223, 20, 101, 272, 140, 139, 122, 138, 300, 190, 261, 85, 252, 298, 30, 178, 157, 143, 206, 120, 201, 203, 211, 209, 259, 78, 180, 204, 202, 205, 192, 207, 70, 31, 271, 185, 107, 106, 49, 142, 18, 97, 186, 257, 303, 302, 301, 304, 255, 256, 254, 88, 227, 264, 234, 281, 247, 242, 276, 244, 246, 240, 277, 280, 238, 241, 233, 253, 279, 9, 8, 127, 82, 10, 81, 80, 79, 83, 263, 217, 156, 158, 152, 129, 184, 181, 182, 86, 232, 219, 292, 36, 2, 23, 147, 52, 283, 282, 77, 59, 61, 62, 65, 159, 66, 262, 63, 64, 60, 295, 17, 251, 42, 13, 45, 32, 154, 128, 24, 126, 125, 46, 15, 48, 14, 131, 34, 220, 38, 162, 169, 21, 137, 136, 11, 12, 132, 37, 218, 50, 305, 273, 6, 239, 5, 19, 268, 199, 243, 84, 297, 0, 245, 155, 153, 40, 98, 55, 124, 57, 269, 151, 177, 58, 16, 144, 293, 198, 135, 195, 258, 112, 191, 111, 208, 194, 115, 197, 174, 173, 187, 265, 172, 179, 196, 114, 299, 260, 216, 294, 109, 110, 250, 161, 146, 102, 33, 41, 44, 43, 27, 166, 35, 1, 200, 133, 134, 189, 188, 67, 160, 183, 150, 68, 148, 149, 108, 39, 291, 274, 130, 93, 103, 28, 167, 29, 168, 47, 25, 53, 54, 96, 95, 105, 75, 76, 164, 171, 285, 286, 287, 230, 228, 229, 87, 213, 284, 56, 214, 215, 288, 212, 123, 92, 278, 210, 296, 74, 289, 3, 22, 121, 118, 117, 116, 71, 72, 73, 119, 51, 249, 94, 104, 26, 165, 69, 163, 170, 237, 113, 290, 231, 100, 99, 7, 226, 225, 175, 176, 145, 91, 90, 89];

/// The layouts of all opcodes.
pub(super) static LAYOUTS: [InstructionLayout; 877] = [
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Unknown, NoIds), // Nop
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Types, NoIds), // Undef
    InstructionLayout::new(0, false, 0, WordCount::new(2, MANY), in_section(Section::Debug), String), // SourceContinued
    InstructionLayout::new(0, false, 0, WordCount::new(3, MANY), in_section(Section::Debug), Operands(at(0, 4))), // Source
    InstructionLayout::new(0, false, 0, WordCount::new(2, MANY), in_section(Section::Debug), String).tracked(), // SourceExtension
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::Debug), String), // Name
    InstructionLayout::new(1, false, 0, WordCount::new(4, MANY), in_section(Section::Debug), Operands(at(4, 2))), // MemberName
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Debug), String), // String
    InstructionLayout::new(1, false, 0, WordCount::new(4, 0), Anywhere, NoIds).tracked(), // Line
    InstructionLayout::new(0, false, 0, WordCount::new(2, MANY), in_section(Section::Extensions), String), // Extension
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Imports), String).tracked(), // ExtInstImport
    InstructionLayout::new(3, true, 2, WordCount::new(5, MANY), Anywhere, Operands(at(6, 2))), // ExtInst
    InstructionLayout::new(0, false, 0, WordCount::new(3, 0), in_section(Section::MemoryModel), Operands(at(8, 2))), // MemoryModel
    InstructionLayout::new(0, false, 0, WordCount::new(4, MANY), in_section(Section::EntryPoints), Operands(at(10, 4))), // EntryPoint
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::EntryPoints), Enumerant(at(14, 1), ParametersOf::ExecutionMode)), // ExecutionMode
    InstructionLayout::new(0, false, 0, WordCount::new(2, 0), in_section(Section::Capabilities), Gap(at(15, 1))), // Capability
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeVoid
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeBool
    InstructionLayout::new(1, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeInt
    InstructionLayout::new(1, false, 1, WordCount::new(3, 1), in_section(Section::Types), Operands(at(16, 2))).tracked(), // TypeFloat
    InstructionLayout::new(2, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeVector
    InstructionLayout::new(2, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeMatrix
    InstructionLayout::new(2, false, 1, WordCount::new(9, 1), in_section(Section::Types), Operands(at(18, 7))).tracked(), // TypeImage
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeSampler
    InstructionLayout::new(2, false, 1, WordCount::new(3, 0), in_section(Section::Types), NoIds).tracked(), // TypeSampledImage
    InstructionLayout::new(3, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeArray
    InstructionLayout::new(2, false, 1, WordCount::new(3, 0), in_section(Section::Types), NoIds).tracked(), // TypeRuntimeArray
    InstructionLayout::new(1, false, 1, WordCount::new(2, MANY), in_section(Section::Types), Ids).tracked(), // TypeStruct
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Types), String).tracked(), // TypeOpaque
    InstructionLayout::new(1, false, 1, WordCount::new(4, 0), in_section(Section::Types), Gap(at(25, 2))).tracked(), // TypePointer
    InstructionLayout::new(2, false, 1, WordCount::new(3, MANY), in_section(Section::Types), Ids).tracked(), // TypeFunction
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeEvent
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeDeviceEvent
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeReserveId
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeQueue
    InstructionLayout::new(1, false, 1, WordCount::new(3, 0), in_section(Section::Types), Gap(at(27, 1))).tracked(), // TypePipe
    InstructionLayout::new(1, false, 0, WordCount::new(3, 0), in_section(Section::Types), Gap(at(25, 1))).tracked(), // TypeForwardPointer
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), in_section(Section::Types), NoIds), // ConstantTrue
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), in_section(Section::Types), NoIds), // ConstantFalse
    InstructionLayout::new(2, true, 2, WordCount::new(4, MANY), in_section(Section::Types), Number), // Constant
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), in_section(Section::Types), Ids), // ConstantComposite
    InstructionLayout::new(2, true, 2, WordCount::new(6, 0), in_section(Section::Types), Operands(at(28, 3))), // ConstantSampler
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), in_section(Section::Types), NoIds), // ConstantNull
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), in_section(Section::Types), NoIds), // SpecConstantTrue
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), in_section(Section::Types), NoIds), // SpecConstantFalse
    InstructionLayout::new(2, true, 2, WordCount::new(4, MANY), in_section(Section::Types), Number), // SpecConstant
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), in_section(Section::Types), Ids), // SpecConstantComposite
    InstructionLayout::new(2, true, 2, WordCount::new(4, MANY), in_section(Section::Types), Operands(at(31, 1))), // SpecConstantOp
    InstructionLayout::new(2, true, 2, WordCount::new(5, 0), Begin, Gap(at(32, 2))).tracked(), // Function
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // FunctionParameter
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), End, NoIds).tracked(), // FunctionEnd
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // FunctionCall
    InstructionLayout::new(2, true, 2, WordCount::new(4, 1), Types, Gap(at(34, 2))), // Variable
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // ImageTexelPointer
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // Load
    InstructionLayout::new(2, false, 0, WordCount::new(3, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // Store
    InstructionLayout::new(2, false, 0, WordCount::new(3, MANY), Body, Operands(at(37, 2))), // CopyMemory
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Operands(at(36, 2))), // CopyMemorySized
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // AccessChain
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // InBoundsAccessChain
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Ids), // PtrAccessChain
    InstructionLayout::new(3, true, 2, WordCount::new(5, 0), Body, NoIds), // ArrayLength
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GenericPtrMemSemantics
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Ids), // InBoundsPtrAccessChain
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::Annotations), Enumerant(at(39, 1), ParametersOf::Decoration)), // Decorate
    InstructionLayout::new(1, false, 0, WordCount::new(4, MANY), in_section(Section::Annotations), Operands(at(40, 2))), // MemberDecorate
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Annotations), NoIds), // DecorationGroup
    InstructionLayout::new(1, false, 0, WordCount::new(2, MANY), in_section(Section::Annotations), Ids), // GroupDecorate
    InstructionLayout::new(1, false, 0, WordCount::new(2, MANY), in_section(Section::Annotations), Operands(at(42, 1))), // GroupMemberDecorate
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // VectorExtractDynamic
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // VectorInsertDynamic
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, NoIds), // VectorShuffle
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), Body, Ids), // CompositeConstruct
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, NoIds), // CompositeExtract
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, NoIds), // CompositeInsert
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CopyObject
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Transpose
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SampledImage
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSampleImplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSampleExplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSampleDrefImplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSampleDrefExplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSampleProjImplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSampleProjExplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSampleProjDrefImplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSampleProjDrefExplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageFetch
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageGather
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageDrefGather
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageRead
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageWrite
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Image
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageQueryFormat
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageQueryOrder
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ImageQuerySizeLod
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageQuerySize
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ImageQueryLod
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageQueryLevels
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageQuerySamples
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertFToU
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertFToS
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertSToF
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToF
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // UConvert
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SConvert
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FConvert
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // QuantizeToF16
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertPtrToU
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SatConvertSToU
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SatConvertUToS
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToPtr
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // PtrCastToGeneric
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GenericCastToPtr
    InstructionLayout::new(3, true, 2, WordCount::new(5, 0), Body, Gap(at(25, 1))), // GenericCastToPtrExplicit
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Bitcast
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SNegate
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FNegate
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IAdd
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FAdd
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ISub
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FSub
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IMul
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FMul
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UDiv
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SDiv
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FDiv
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UMod
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SRem
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SMod
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FRem
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FMod
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // VectorTimesScalar
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // MatrixTimesScalar
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // VectorTimesMatrix
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // MatrixTimesVector
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // MatrixTimesMatrix
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // OuterProduct
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // Dot
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IAddCarry
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ISubBorrow
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UMulExtended
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SMulExtended
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Any
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // All
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsNan
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsInf
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsFinite
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsNormal
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SignBitSet
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // LessOrGreater
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // Ordered
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // Unordered
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // LogicalEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // LogicalNotEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // LogicalOr
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // LogicalAnd
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // LogicalNot
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // Select
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // INotEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UGreaterThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SGreaterThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UGreaterThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SGreaterThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ULessThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SLessThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ULessThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SLessThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdNotEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordNotEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdLessThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordLessThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdGreaterThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordGreaterThan
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdLessThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordLessThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FOrdGreaterThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FUnordGreaterThanEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ShiftRightLogical
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ShiftRightArithmetic
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ShiftLeftLogical
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // BitwiseOr
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // BitwiseXor
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // BitwiseAnd
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Not
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // BitFieldInsert
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // BitFieldSExtract
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // BitFieldUExtract
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // BitReverse
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // BitCount
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdx
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdy
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // Fwidth
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdxFine
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdyFine
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FwidthFine
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdxCoarse
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // DPdyCoarse
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FwidthCoarse
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // EmitVertex
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // EndPrimitive
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // EmitStreamVertex
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // EndStreamPrimitive
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // ControlBarrier
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // MemoryBarrier
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // AtomicLoad
    InstructionLayout::new(4, false, 0, WordCount::new(5, 0), Body, NoIds), // AtomicStore
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicExchange
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // AtomicCompareExchange
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // AtomicCompareExchangeWeak
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // AtomicIIncrement
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // AtomicIDecrement
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicIAdd
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicISub
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicSMin
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicUMin
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicSMax
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicUMax
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicAnd
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicOr
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicXor
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), Body, Pairs), // Phi
    InstructionLayout::new(2, false, 0, WordCount::new(4, MANY), Body, Enumerant(at(45, 1), ParametersOf::LoopControl)), // LoopMerge
    InstructionLayout::new(1, false, 0, WordCount::new(3, 0), Body, Gap(at(46, 1))), // SelectionMerge
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), Body, NoIds), // Label
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds).ending_block(), // Branch
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, NoIds).ending_block(), // BranchConditional
    InstructionLayout::new(2, false, 0, WordCount::new(3, MANY), Body, Operands(at(47, 1))).ending_block(), // Switch
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // Kill
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // Return
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds).ending_block(), // ReturnValue
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // Unreachable
    InstructionLayout::new(1, false, 0, WordCount::new(3, 0), Body, NoIds), // LifetimeStart
    InstructionLayout::new(1, false, 0, WordCount::new(3, 0), Body, NoIds), // LifetimeStop
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // GroupAsyncCopy
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // GroupWaitEvents
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupAll
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupAny
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupBroadcast
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupIAdd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFAdd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupUMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupSMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFMax
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupUMax
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupSMax
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // ReadPipe
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // WritePipe
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // ReservedReadPipe
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // ReservedWritePipe
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // ReserveReadPipePackets
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // ReserveWritePipePackets
    InstructionLayout::new(4, false, 0, WordCount::new(5, 0), Body, NoIds), // CommitReadPipe
    InstructionLayout::new(4, false, 0, WordCount::new(5, 0), Body, NoIds), // CommitWritePipe
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsValidReserveId
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GetNumPipePackets
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GetMaxPipePackets
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // GroupReserveReadPipePackets
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // GroupReserveWritePipePackets
    InstructionLayout::new(5, false, 0, WordCount::new(6, 0), Body, NoIds), // GroupCommitReadPipe
    InstructionLayout::new(5, false, 0, WordCount::new(6, 0), Body, NoIds), // GroupCommitWritePipe
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // EnqueueMarker
    InstructionLayout::new(12, true, 2, WordCount::new(13, MANY), Body, Ids), // EnqueueKernel
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // GetKernelNDrangeSubGroupCount
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // GetKernelNDrangeMaxSubGroupSize
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // GetKernelWorkGroupSize
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // GetKernelPreferredWorkGroupSizeMultiple
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // RetainEvent
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // ReleaseEvent
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // CreateUserEvent
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // IsValidEvent
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // SetUserEventStatus
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // CaptureEventProfilingInfo
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // GetDefaultQueue
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // BuildNDRange
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseSampleImplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSparseSampleExplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseSampleDrefImplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSparseSampleDrefExplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseSampleProjImplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSparseSampleProjExplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseSampleProjDrefImplicitLod
    InstructionLayout::new(5, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(44, 1), ParametersOf::ImageOperands)), // ImageSparseSampleProjDrefExplicitLod
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseFetch
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseGather
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseDrefGather
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ImageSparseTexelsResident
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Anywhere, NoIds).tracked(), // NoLine
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // AtomicFlagTestAndSet
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // AtomicFlagClear
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSparseRead
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SizeOf
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypePipeStorage
    InstructionLayout::new(2, true, 2, WordCount::new(6, 0), in_section(Section::Types), NoIds), // ConstantPipeStorage
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CreatePipeFromPipeStorage
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // GetKernelLocalSizeForSubgroupCount
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // GetKernelMaxNumSubgroups
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeNamedBarrier
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // NamedBarrierInitialize
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // MemoryNamedBarrier
    InstructionLayout::new(0, false, 0, WordCount::new(2, MANY), in_section(Section::Debug), String).tracked(), // ModuleProcessed
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::EntryPoints), Enumerant(at(14, 1), ParametersOf::ExecutionMode)), // ExecutionModeId
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::Annotations), Enumerant(at(39, 1), ParametersOf::Decoration)), // DecorateId
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GroupNonUniformElect
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformAll
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformAny
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformAllEqual
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformBroadcast
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformBroadcastFirst
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformBallot
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformInverseBallot
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformBallotBitExtract
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupNonUniformBallotBitCount
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformBallotFindLSB
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // GroupNonUniformBallotFindMSB
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformShuffle
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformShuffleXor
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformShuffleUp
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformShuffleDown
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformIAdd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformFAdd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformIMul
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformFMul
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformSMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformUMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformFMin
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformSMax
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformUMax
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformFMax
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformBitwiseAnd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformBitwiseOr
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformBitwiseXor
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformLogicalAnd
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformLogicalOr
    InstructionLayout::new(3, true, 2, WordCount::new(6, 1), Body, Gap(at(50, 3))), // GroupNonUniformLogicalXor
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformQuadBroadcast
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // GroupNonUniformQuadSwap
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CopyLogical
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // PtrEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // PtrNotEqual
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // PtrDiff
    InstructionLayout::new(3, true, 2, WordCount::new(4, 1), Body, Ids), // ColorAttachmentReadEXT
    InstructionLayout::new(2, true, 2, WordCount::new(3, 1), Body, Ids), // DepthAttachmentReadEXT
    InstructionLayout::new(2, true, 2, WordCount::new(3, 1), Body, Ids), // StencilAttachmentReadEXT
    InstructionLayout::new(2, false, 1, WordCount::new(3, 2), in_section(Section::Types), Ids).tracked(), // TypeTensorARM
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(53, 1), ParametersOf::TensorOperands)), // TensorReadARM
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Enumerant(at(53, 1), ParametersOf::TensorOperands)), // TensorWriteARM
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // TensorQuerySizeARM
    InstructionLayout::new(2, true, 2, WordCount::new(4, 0), in_section(Section::Types), NoIds), // GraphConstantARM
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), Anywhere, Operands(at(12, 2))), // GraphEntryPointARM
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Begin, NoIds), // GraphARM
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // GraphInputARM
    InstructionLayout::new(2, false, 0, WordCount::new(3, MANY), Body, Ids), // GraphSetOutputARM
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), End, NoIds), // GraphEndARM
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Types), Operands(at(54, 2))).tracked(), // TypeGraphARM
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // TerminateInvocation
    InstructionLayout::new(1, false, 1, WordCount::new(3, 0), in_section(Section::Types), Gap(at(25, 1))).tracked(), // TypeUntypedPointerKHR
    InstructionLayout::new(2, true, 2, WordCount::new(4, 2), Types, Gap(at(56, 3))), // UntypedVariableKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Ids), // UntypedAccessChainKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Ids), // UntypedInBoundsAccessChainKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupBallotKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupFirstInvocationKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Ids), // UntypedPtrAccessChainKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Ids), // UntypedInBoundsPtrAccessChainKHR
    InstructionLayout::new(4, true, 2, WordCount::new(6, 0), Body, NoIds), // UntypedArrayLengthKHR
    InstructionLayout::new(2, false, 0, WordCount::new(3, 3), Body, Ids), // UntypedPrefetchKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // FmaKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAllKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAnyKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAllEqualKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, 1), Body, Ids), // GroupNonUniformRotateKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupReadInvocationKHR
    InstructionLayout::new(3, true, 2, WordCount::new(5, MANY), Anywhere, Operands(at(6, 2))), // ExtInstWithForwardRefsKHR
    InstructionLayout::new(9, true, 2, WordCount::new(10, MANY), Body, Operands(at(36, 2))), // UntypedGroupAsyncCopyKHR
    InstructionLayout::new(11, false, 0, WordCount::new(12, 0), Body, NoIds), // TraceRayKHR
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // ExecuteCallableKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToAccelerationStructureKHR
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // IgnoreIntersectionKHR
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds).ending_block(), // TerminateRayKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 1), Body, Operands(at(59, 1))), // SDot
    InstructionLayout::new(4, true, 2, WordCount::new(5, 1), Body, Operands(at(59, 1))), // UDot
    InstructionLayout::new(4, true, 2, WordCount::new(5, 1), Body, Operands(at(59, 1))), // SUDot
    InstructionLayout::new(5, true, 2, WordCount::new(6, 1), Body, Operands(at(59, 1))), // SDotAccSat
    InstructionLayout::new(5, true, 2, WordCount::new(6, 1), Body, Operands(at(59, 1))), // UDotAccSat
    InstructionLayout::new(5, true, 2, WordCount::new(6, 1), Body, Operands(at(59, 1))), // SUDotAccSat
    InstructionLayout::new(6, false, 1, WordCount::new(7, 0), in_section(Section::Types), NoIds).tracked(), // TypeCooperativeMatrixKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Operands(at(35, 2))), // CooperativeMatrixLoadKHR
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Operands(at(35, 2))), // CooperativeMatrixStoreKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, 1), Body, Operands(at(60, 1))), // CooperativeMatrixMulAddKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CooperativeMatrixLengthKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), in_section(Section::Types), NoIds), // ConstantCompositeReplicateEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), in_section(Section::Types), NoIds), // SpecConstantCompositeReplicateEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CompositeConstructReplicateEXT
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeRayQueryKHR
    InstructionLayout::new(8, false, 0, WordCount::new(9, 0), Body, NoIds), // RayQueryInitializeKHR
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // RayQueryTerminateKHR
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // RayQueryGenerateIntersectionKHR
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // RayQueryConfirmIntersectionKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryProceedKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionTypeKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // ImageSampleWeightedQCOM
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // ImageBoxFilterQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchSSDQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchSADQCOM
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // BitCastArrayQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchWindowSSDQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchWindowSADQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchGatherSSDQCOM
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // ImageBlockMatchGatherSADQCOM
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CompositeConstructCoopMatQCOM
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CompositeExtractCoopMatQCOM
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ExtractSubArrayQCOM
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupIAddNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFAddNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFMinNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupUMinNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupSMinNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFMaxNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupUMaxNonUniformAMD
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupSMaxNonUniformAMD
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // FragmentMaskFetchAMD
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // FragmentFetchAMD
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ReadClockKHR
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // AllocateNodePayloadsAMDX
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // EnqueueNodePayloadsAMDX
    InstructionLayout::new(2, false, 1, WordCount::new(3, 0), in_section(Section::Types), NoIds).tracked(), // TypeNodePayloadArrayAMDX
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FinishWritingNodePayloadAMDX
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // NodePayloadArrayLengthAMDX
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IsNodePayloadValidAMDX
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Types), String), // ConstantStringAMDX
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Types), String), // SpecConstantStringAMDX
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GroupNonUniformQuadAllKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GroupNonUniformQuadAnyKHR
    InstructionLayout::new(1, false, 1, WordCount::new(3, 0), in_section(Section::Types), Gap(at(25, 1))).tracked(), // TypeBufferEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // BufferPointerEXT
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // UntypedImageTexelPointerEXT
    InstructionLayout::new(1, false, 0, WordCount::new(4, MANY), Body, Operands(at(40, 2))), // MemberDecorateIdEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), in_section(Section::Types), NoIds), // ConstantSizeOfEXT
    InstructionLayout::new(14, false, 0, WordCount::new(15, 0), Body, NoIds), // HitObjectRecordHitMotionNV
    InstructionLayout::new(13, false, 0, WordCount::new(14, 0), Body, NoIds), // HitObjectRecordHitWithIndexMotionNV
    InstructionLayout::new(7, false, 0, WordCount::new(8, 0), Body, NoIds), // HitObjectRecordMissMotionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldToObjectNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectToWorldNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectRayDirectionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectRayOriginNV
    InstructionLayout::new(13, false, 0, WordCount::new(14, 0), Body, NoIds), // HitObjectTraceRayMotionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetShaderRecordBufferHandleNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetShaderBindingTableRecordIndexNV
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // HitObjectRecordEmptyNV
    InstructionLayout::new(12, false, 0, WordCount::new(13, 0), Body, NoIds), // HitObjectTraceRayNV
    InstructionLayout::new(13, false, 0, WordCount::new(14, 0), Body, NoIds), // HitObjectRecordHitNV
    InstructionLayout::new(12, false, 0, WordCount::new(13, 0), Body, NoIds), // HitObjectRecordHitWithIndexNV
    InstructionLayout::new(6, false, 0, WordCount::new(7, 0), Body, NoIds), // HitObjectRecordMissNV
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // HitObjectExecuteShaderNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetCurrentTimeNV
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // HitObjectGetAttributesNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetHitKindNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetPrimitiveIndexNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetGeometryIndexNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetInstanceIdNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetInstanceCustomIndexNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldRayDirectionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldRayOriginNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetRayTMaxNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetRayTMinNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsEmptyNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsHitNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsMissNV
    InstructionLayout::new(1, false, 0, WordCount::new(2, 2), Body, Ids), // ReorderThreadWithHitObjectNV
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // ReorderThreadWithHintNV
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeHitObjectNV
    InstructionLayout::new(6, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageSampleFootprintNV
    InstructionLayout::new(3, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeVectorIdEXT
    InstructionLayout::new(11, true, 2, WordCount::new(12, 2), Body, Operands(at(61, 2))), // CooperativeVectorMatrixMulNV
    InstructionLayout::new(6, false, 0, WordCount::new(7, 1), Body, Ids), // CooperativeVectorOuterProductAccumulateNV
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // CooperativeVectorReduceSumAccumulateNV
    InstructionLayout::new(14, true, 2, WordCount::new(15, 2), Body, Operands(at(61, 2))), // CooperativeVectorMatrixMulAddNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CooperativeMatrixConvertUseEXT
    InstructionLayout::new(3, false, 0, WordCount::new(4, 1), Body, Ids).ending_block(), // EmitMeshTasksEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // SetMeshOutputsEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // GroupNonUniformPartitionEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // WritePackedPrimitiveIndices4x8NV
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // FetchMicroTriangleVertexPositionNV
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // FetchMicroTriangleVertexBarycentricNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // CooperativeVectorLoadNV
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // CooperativeVectorStoreNV
    InstructionLayout::new(4, false, 0, WordCount::new(5, 1), Body, Ids), // HitObjectRecordFromQueryEXT
    InstructionLayout::new(7, false, 0, WordCount::new(8, 0), Body, NoIds), // HitObjectRecordMissEXT
    InstructionLayout::new(8, false, 0, WordCount::new(9, 0), Body, NoIds), // HitObjectRecordMissMotionEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetIntersectionTriangleVertexPositionsEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetRayFlagsEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // HitObjectSetShaderBindingTableRecordIndexEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 2), Body, Ids), // HitObjectReorderExecuteShaderEXT
    InstructionLayout::new(12, false, 0, WordCount::new(13, 2), Body, Ids), // HitObjectTraceReorderExecuteEXT
    InstructionLayout::new(13, false, 0, WordCount::new(14, 2), Body, Ids), // HitObjectTraceMotionReorderExecuteEXT
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeHitObjectEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // ReorderThreadWithHintEXT
    InstructionLayout::new(1, false, 0, WordCount::new(2, 2), Body, Ids), // ReorderThreadWithHitObjectEXT
    InstructionLayout::new(12, false, 0, WordCount::new(13, 0), Body, NoIds), // HitObjectTraceRayEXT
    InstructionLayout::new(13, false, 0, WordCount::new(14, 0), Body, NoIds), // HitObjectTraceRayMotionEXT
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // HitObjectRecordEmptyEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // HitObjectExecuteShaderEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetCurrentTimeEXT
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // HitObjectGetAttributesEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetHitKindEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetPrimitiveIndexEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetGeometryIndexEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetInstanceIdEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetInstanceCustomIndexEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectRayOriginEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectRayDirectionEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldRayDirectionEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldRayOriginEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetObjectToWorldEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetWorldToObjectEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetRayTMaxEXT
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ReportIntersectionKHR
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // IgnoreIntersectionNV
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // TerminateRayNV
    InstructionLayout::new(11, false, 0, WordCount::new(12, 0), Body, NoIds), // TraceNV
    InstructionLayout::new(12, false, 0, WordCount::new(13, 0), Body, NoIds), // TraceMotionNV
    InstructionLayout::new(12, false, 0, WordCount::new(13, 0), Body, NoIds), // TraceRayMotionNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionTriangleVertexPositionsKHR
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAccelerationStructureKHR
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // ExecuteCallableNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionClusterIdNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetClusterIdNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetRayTMinEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetShaderBindingTableRecordIndexEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetShaderRecordBufferHandleEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsEmptyEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsHitEXT
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsMissEXT
    InstructionLayout::new(5, false, 1, WordCount::new(6, 0), in_section(Section::Types), NoIds).tracked(), // TypeCooperativeMatrixNV
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // CooperativeMatrixLoadNV
    InstructionLayout::new(4, false, 0, WordCount::new(5, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // CooperativeMatrixStoreNV
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // CooperativeMatrixMulAddNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CooperativeMatrixLengthNV
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // BeginInvocationInterlockEXT
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // EndInvocationInterlockEXT
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(63, 2))), // CooperativeMatrixReduceNV
    InstructionLayout::new(5, true, 2, WordCount::new(8, MANY), Body, Operands(at(65, 2))), // CooperativeMatrixLoadTensorNV
    InstructionLayout::new(3, false, 0, WordCount::new(6, MANY), Body, Operands(at(65, 2))), // CooperativeMatrixStoreTensorNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, MANY), Body, Ids), // CooperativeMatrixPerElementOpNV
    InstructionLayout::new(3, false, 1, WordCount::new(4, 0), in_section(Section::Types), NoIds).tracked(), // TypeTensorLayoutNV
    InstructionLayout::new(3, false, 1, WordCount::new(4, MANY), in_section(Section::Types), Ids).tracked(), // TypeTensorViewNV
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // CreateTensorLayoutNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorLayoutSetDimensionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorLayoutSetStrideNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorLayoutSliceNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // TensorLayoutSetClampValueNV
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // CreateTensorViewNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorViewSetDimensionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorViewSetStrideNV
    InstructionLayout::new(0, false, 0, WordCount::new(1, 0), Body, NoIds), // DemoteToHelperInvocation
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // IsHelperInvocationEXT
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // TensorViewSetClipNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // TensorLayoutSetBlockSizeNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CooperativeMatrixTransposeNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToImageNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToSamplerNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertImageToUNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertSamplerToUNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertUToSampledImageNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertSampledImageToUNV
    InstructionLayout::new(0, false, 0, WordCount::new(2, 0), in_section(Section::EntryPoints), NoIds), // SamplerImageAddressingModeNV
    InstructionLayout::new(6, true, 2, WordCount::new(7, 1), Body, Operands(at(67, 1))), // RawAccessChainNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionSpherePositionNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionSphereRadiusNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionLSSPositionsNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionLSSRadiiNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionLSSHitValueNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetSpherePositionNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetSphereRadiusNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetLSSPositionsNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectGetLSSRadiiNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsSphereHitNV
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // HitObjectIsLSSHitNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryIsSphereHitNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryIsLSSHitNV
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupShuffleINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupShuffleDownINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupShuffleUpINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupShuffleXorINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupBlockReadINTEL
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds), // SubgroupBlockWriteINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupImageBlockReadINTEL
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // SubgroupImageBlockWriteINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupImageMediaBlockReadINTEL
    InstructionLayout::new(5, false, 0, WordCount::new(6, 0), Body, NoIds), // SubgroupImageMediaBlockWriteINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // UCountLeadingZerosINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // UCountTrailingZerosINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // AbsISubINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // AbsUSubINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IAddSatINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UAddSatINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IAverageINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UAverageINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IAverageRoundedINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UAverageRoundedINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ISubSatINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // USubSatINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // IMul32x16INTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UMul32x16INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), in_section(Section::Types), NoIds), // ConstantFunctionPointerINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), Body, Ids), // FunctionPointerCallINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(3, MANY), in_section(Section::Types), String), // AsmTargetINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(7, MANY), in_section(Section::Types), Operands(at(68, 2))), // AsmINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, MANY), Body, Ids), // AsmCallINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicFMinEXT
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicFMaxEXT
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // AssumeTrueKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // ExpectKHR
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::Annotations), Enumerant(at(39, 1), ParametersOf::Decoration)), // DecorateString
    InstructionLayout::new(1, false, 0, WordCount::new(4, MANY), in_section(Section::Annotations), Operands(at(40, 2))), // MemberDecorateString
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // VmeImageINTEL
    InstructionLayout::new(2, false, 1, WordCount::new(3, 0), in_section(Section::Types), NoIds).tracked(), // TypeVmeImageINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImePayloadINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcRefPayloadINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcSicPayloadINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcMcePayloadINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcMceResultINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImeResultINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImeResultSingleReferenceStreamoutINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImeResultDualReferenceStreamoutINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImeSingleReferenceStreaminINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcImeDualReferenceStreaminINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcRefResultINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeAvcSicResultINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultInterBaseMultiReferencePenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceSetInterBaseMultiReferencePenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultInterShapePenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceSetInterShapePenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultInterDirectionPenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceSetInterDirectionPenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultIntraLumaShapePenaltyINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultInterMotionVectorCostTableINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SubgroupAvcMceGetDefaultHighPenaltyCostTableINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SubgroupAvcMceGetDefaultMediumPenaltyCostTableINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SubgroupAvcMceGetDefaultLowPenaltyCostTableINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcMceSetMotionVectorCostFunctionINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceGetDefaultIntraLumaModePenaltyINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SubgroupAvcMceGetDefaultNonDcLumaIntraPenaltyINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SubgroupAvcMceGetDefaultIntraChromaModeBasePenaltyINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceSetAcOnlyHaarINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceSetSourceInterlacedFieldPolarityINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcMceSetSingleReferenceInterlacedFieldPolarityINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcMceSetDualReferenceInterlacedFieldPolaritiesINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToImePayloadINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToImeResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToRefPayloadINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToRefResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToSicPayloadINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceConvertToSicResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetMotionVectorsINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterDistortionsINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetBestInterDistortionsINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterMajorShapeINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterMinorShapeINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterDirectionsINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterMotionVectorCountINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcMceGetInterReferenceIdsINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcMceGetInterReferenceInterlacedFieldPolaritiesINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeInitializeINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeSetSingleReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeSetDualReferenceINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeRefWindowSizeINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeAdjustRefOffsetINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeConvertToMcePayloadINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeSetMaxMotionVectorCountINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeSetUnidirectionalMixDisableINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeSetEarlySearchTerminationThresholdINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeSetWeightedSadINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithSingleReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithDualReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithSingleReferenceStreaminINTEL
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithDualReferenceStreaminINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithSingleReferenceStreamoutINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithDualReferenceStreamoutINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithSingleReferenceStreaminoutINTEL
    InstructionLayout::new(7, true, 2, WordCount::new(8, 0), Body, NoIds), // SubgroupAvcImeEvaluateWithDualReferenceStreaminoutINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeConvertToMceResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetSingleReferenceStreaminINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetDualReferenceStreaminINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeStripSingleReferenceStreamoutINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeStripDualReferenceStreamoutINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeMotionVectorsINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeDistortionsINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeReferenceIdsINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutDualReferenceMajorShapeMotionVectorsINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutDualReferenceMajorShapeDistortionsINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcImeGetStreamoutDualReferenceMajorShapeReferenceIdsINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcImeGetBorderReachedINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetTruncatedSearchIndicationINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetUnidirectionalEarlySearchTerminationINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetWeightingPatternMinimumMotionVectorINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcImeGetWeightingPatternMinimumDistortionINTEL
    InstructionLayout::new(9, true, 2, WordCount::new(10, 0), Body, NoIds), // SubgroupAvcFmeInitializeINTEL
    InstructionLayout::new(10, true, 2, WordCount::new(11, 0), Body, NoIds), // SubgroupAvcBmeInitializeINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcRefConvertToMcePayloadINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcRefSetBidirectionalMixDisableINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcRefSetBilinearFilterEnableINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcRefEvaluateWithSingleReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcRefEvaluateWithDualReferenceINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcRefEvaluateWithMultiReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcRefEvaluateWithMultiReferenceInterlacedINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcRefConvertToMceResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicInitializeINTEL
    InstructionLayout::new(8, true, 2, WordCount::new(9, 0), Body, NoIds), // SubgroupAvcSicConfigureSkcINTEL
    InstructionLayout::new(10, true, 2, WordCount::new(11, 0), Body, NoIds), // SubgroupAvcSicConfigureIpeLumaINTEL
    InstructionLayout::new(13, true, 2, WordCount::new(14, 0), Body, NoIds), // SubgroupAvcSicConfigureIpeLumaChromaINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicGetMotionVectorMaskINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicConvertToMcePayloadINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicSetIntraLumaShapePenaltyINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcSicSetIntraLumaModeCostFunctionINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicSetIntraChromaModeCostFunctionINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicSetBilinearFilterEnableINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicSetSkcForwardTransformEnableINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicSetBlockBasedRawSkipSadINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // SubgroupAvcSicEvaluateIpeINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcSicEvaluateWithSingleReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcSicEvaluateWithDualReferenceINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // SubgroupAvcSicEvaluateWithMultiReferenceINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // SubgroupAvcSicEvaluateWithMultiReferenceInterlacedINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicConvertToMceResultINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetIpeLumaShapeINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetBestIpeLumaDistortionINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetBestIpeChromaDistortionINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetPackedIpeLumaModesINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetIpeChromaModeINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetPackedSkcLumaCountThresholdINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetPackedSkcLumaSumThresholdINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // SubgroupAvcSicGetInterRawSadsINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // VariableLengthArrayINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Body, NoIds), // SaveMemoryINTEL
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // RestoreMemoryINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatSinCosPiALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCastALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCastFromIntALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCastToIntALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatAddALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatSubALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatMulALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatDivALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(70, 3))), // ArbitraryFloatGTALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(70, 3))), // ArbitraryFloatGEALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(70, 3))), // ArbitraryFloatLTALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(70, 3))), // ArbitraryFloatLEALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(70, 3))), // ArbitraryFloatEQALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatRecipALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatRSqrtALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCbrtALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatHypotALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatSqrtALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatLogINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatLog2INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatLog10INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatLog1pINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatExpINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatExp2INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatExp10INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatExpm1INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatSinINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCosINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatSinCosINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatSinPiINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatCosPiINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatASinINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatASinPiINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatACosINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatACosPiINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatATanINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // ArbitraryFloatATanPiINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatATan2INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatPowINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatPowRINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(11, 0), Body, Operands(at(70, 7))), // ArbitraryFloatPowNINTEL
    InstructionLayout::new(0, false, 0, WordCount::new(1, MANY), Body, NoIds), // LoopControlINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, 1), Anywhere, Ids), // AliasDomainDeclINTEL
    InstructionLayout::new(2, false, 1, WordCount::new(3, 1), Anywhere, Ids), // AliasScopeDeclINTEL
    InstructionLayout::new(1, false, 1, WordCount::new(2, MANY), Anywhere, Ids), // AliasScopeListDeclINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedSqrtALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedRecipALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedRsqrtALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedSinALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedCosALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedSinCosALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedSinPiALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedCosPiALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedSinCosPiALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedLogALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(9, 0), Body, NoIds), // FixedExpALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // PtrCastToCrossWorkgroupALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // CrossWorkgroupCastToPtrALTERA
    InstructionLayout::new(4, false, 0, WordCount::new(5, 0), Body, NoIds), // ReadPipeBlockingALTERA
    InstructionLayout::new(4, false, 0, WordCount::new(5, 0), Body, NoIds), // WritePipeBlockingALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FPGARegALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryGetRayTMinKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryGetRayFlagsKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionTKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionInstanceCustomIndexKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionInstanceIdKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionGeometryIndexKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionPrimitiveIndexKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionBarycentricsKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionFrontFaceKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryGetIntersectionCandidateAABBOpaqueKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionObjectRayDirectionKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionObjectRayOriginKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryGetWorldRayDirectionKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RayQueryGetWorldRayOriginKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionObjectToWorldKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // RayQueryGetIntersectionWorldToObjectKHR
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // AtomicFAddEXT
    InstructionLayout::new(1, false, 1, WordCount::new(3, 0), in_section(Section::Types), Gap(at(27, 1))).tracked(), // TypeBufferSurfaceINTEL
    InstructionLayout::new(0, false, 0, WordCount::new(1, MANY), in_section(Section::Types), Ids).tracked(), // TypeStructContinuedINTEL
    InstructionLayout::new(0, false, 0, WordCount::new(1, MANY), in_section(Section::Types), Ids), // ConstantCompositeContinuedINTEL
    InstructionLayout::new(0, false, 0, WordCount::new(1, MANY), in_section(Section::Types), Ids), // SpecConstantCompositeContinuedINTEL
    InstructionLayout::new(0, false, 0, WordCount::new(1, MANY), Body, Ids), // CompositeConstructContinuedINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertFToBF16INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertBF16ToFINTEL
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // ControlBarrierArriveINTEL
    InstructionLayout::new(3, false, 0, WordCount::new(4, 0), Body, NoIds), // ControlBarrierWaitINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ArithmeticFenceEXT
    InstructionLayout::new(3, true, 2, WordCount::new(8, 0), Body, NoIds), // TaskSequenceCreateALTERA
    InstructionLayout::new(1, false, 0, WordCount::new(2, MANY), Body, Ids), // TaskSequenceAsyncALTERA
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // TaskSequenceGetALTERA
    InstructionLayout::new(1, false, 0, WordCount::new(2, 0), Body, NoIds), // TaskSequenceReleaseALTERA
    InstructionLayout::new(1, false, 1, WordCount::new(2, 0), in_section(Section::Types), NoIds).tracked(), // TypeTaskSequenceALTERA
    InstructionLayout::new(2, false, 0, WordCount::new(3, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // SubgroupBlockPrefetchINTEL
    InstructionLayout::new(10, false, 0, WordCount::new(11, 0), Body, NoIds), // Subgroup2DBlockLoadINTEL
    InstructionLayout::new(10, false, 0, WordCount::new(11, 0), Body, NoIds), // Subgroup2DBlockLoadTransformINTEL
    InstructionLayout::new(10, false, 0, WordCount::new(11, 0), Body, NoIds), // Subgroup2DBlockLoadTransposeINTEL
    InstructionLayout::new(9, false, 0, WordCount::new(10, 0), Body, NoIds), // Subgroup2DBlockPrefetchINTEL
    InstructionLayout::new(10, false, 0, WordCount::new(11, 0), Body, NoIds), // Subgroup2DBlockStoreINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 1), Body, Operands(at(77, 1))), // SubgroupMatrixMultiplyAccumulateINTEL
    InstructionLayout::new(6, true, 2, WordCount::new(7, 0), Body, NoIds), // BitwiseFunctionINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // UntypedVariableLengthArrayINTEL
    InstructionLayout::new(1, false, 0, WordCount::new(3, MANY), in_section(Section::Extensions), String), // ConditionalExtensionINTEL
    InstructionLayout::new(1, false, 0, WordCount::new(5, MANY), in_section(Section::EntryPoints), Operands(at(10, 4))), // ConditionalEntryPointINTEL
    InstructionLayout::new(1, false, 0, WordCount::new(3, 0), in_section(Section::Capabilities), Gap(at(15, 1))), // ConditionalCapabilityINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(4, MANY), in_section(Section::Types), NoIds), // SpecConstantTargetINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(7, 0), in_section(Section::Types), NoIds), // SpecConstantArchitectureINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), in_section(Section::Types), Operands(at(78, 1))), // SpecConstantCapabilitiesINTEL
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), Body, Ids).tracked(), // ConditionalCopyObjectINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupIMulKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupFMulKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupBitwiseAndKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupBitwiseOrKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupBitwiseXorKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupLogicalAndKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupLogicalOrKHR
    InstructionLayout::new(3, true, 2, WordCount::new(6, 0), Body, Gap(at(48, 2))), // GroupLogicalXorKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // RoundFToTF32INTEL
    InstructionLayout::new(3, true, 2, WordCount::new(7, 0), Body, Operands(at(79, 3))), // MaskedGatherINTEL
    InstructionLayout::new(2, false, 0, WordCount::new(5, 0), Body, Operands(at(70, 2))), // MaskedScatterINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertHandleToImageINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertHandleToSamplerINTEL
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // ConvertHandleToSampledImageINTEL
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // BitcastExtractEXT
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // BFloat16MulAddQCOM
    InstructionLayout::new(6, true, 2, WordCount::new(7, MANY), Body, Enumerant(at(43, 1), ParametersOf::ImageOperands)), // ImageGatherQCOM
    InstructionLayout::new(2, false, 0, WordCount::new(3, 0), Body, NoIds).ending_block(), // AbortKHR
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), in_section(Section::Types), NoIds), // ConstantDataKHR
    InstructionLayout::new(2, true, 2, WordCount::new(3, MANY), in_section(Section::Types), NoIds), // SpecConstantDataKHR
    InstructionLayout::new(2, true, 2, WordCount::new(3, 0), Types, NoIds), // PoisonKHR
    InstructionLayout::new(3, true, 2, WordCount::new(4, 0), Body, NoIds), // FreezeKHR
    InstructionLayout::new(4, true, 2, WordCount::new(5, 0), Body, NoIds), // CooperativeMatrixGetCoordinateEXT
    InstructionLayout::new(5, true, 2, WordCount::new(6, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // PredicatedLoadINTEL
    InstructionLayout::new(3, false, 0, WordCount::new(4, MANY), Body, Enumerant(at(36, 1), ParametersOf::MemoryAccess)), // PredicatedStoreINTEL
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // FDot2MixAcc32VALVE
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // FDot2MixAcc16VALVE
    InstructionLayout::new(5, true, 2, WordCount::new(6, 0), Body, NoIds), // FDot4MixAcc32VALVE
];
