//! The facts that spirv-opt's own tests of `--trim-capabilities` test, except 16-bit storage and subgroups (`storage.rs`, `subgroups.rs`).
//!
//! One of its tests has no case here: the names of one number that the disassembler prefers.

use super::case::{TrimCase, case};

const EMPTY: &str = "FN %main\nEND";

const FRAGMENT: &str = "OpEntryPoint Fragment %main \"main\"\nOpExecutionMode %main OriginUpperLeft\n";

/// All cases of this file.
pub fn cases() -> Vec<TrimCase> {
    let groups =
        [general(), unused_or_used(), lod(), interlock(), rays(), images(), pointers(), memory_model()];
    groups.into_iter().flatten().collect()
}

fn general() -> Vec<TrimCase> {
    vec![
        case("the capability of all shaders", "spv1.5", "Shader", EMPTY, "Shader"),
        // spirv-opt leaves a module with Linkage as it is.
        case(
            "a library",
            "spv1.5",
            "Linkage Shader Float16 Float64 Int16 Int64 Int64Atomics GroupNonUniformVote ImageQuery MinLod RayQueryKHR \
             ShaderClockKHR StencilExportEXT SPV_EXT_shader_stencil_export SPV_KHR_ray_query SPV_KHR_shader_clock",
            "%f = OpFunction %void None %fn\n%at = OpLabel\nOpReturn\nOpFunctionEnd",
            "Linkage Shader",
        ),
        case(
            "a clock",
            "spv1.5",
            "Shader Int64 ShaderClockKHR SPV_KHR_shader_clock",
            "FN %main\n%x = OpReadClockKHR %long %u1\nEND",
            "Shader Int64 ShaderClockKHR SPV_KHR_shader_clock",
        ),
        case("no clock", "spv1.5", "Shader ShaderClockKHR SPV_KHR_shader_clock", EMPTY, "Shader"),
        case(
            "a ballot of AMD",
            "spv1.5",
            "Shader Groups SPV_AMD_shader_ballot",
            "FN %main\n%x = OpGroupIAddNonUniformAMD %uint %u3 ExclusiveScan %u1\nEND",
            "Shader Groups SPV_AMD_shader_ballot",
        ),
        case(
            "a group operation that AMD allows",
            "spv1.5",
            "Shader Groups SPV_AMD_shader_ballot",
            "FN %main\n%x = OpGroupIAdd %uint %u3 Reduce %u1\nEND",
            "Shader Groups SPV_AMD_shader_ballot",
        )
        .spirv_opt_errs(),
        case("no ballot of AMD", "spv1.5", "Shader Groups SPV_AMD_shader_ballot", EMPTY, "Shader"),
        case(
            "an interpolation",
            "spv1.3",
            "Shader InterpolationFunction",
            "%glsl = OpExtInstImport \"GLSL.std.450\"
                OpEntryPoint Fragment %main \"main\" %in
                OpExecutionMode %main OriginUpperLeft
                OpDecorate %in Location 0
                %pin = OpTypePointer Input %float
                %in = OpVariable %pin Input
                FN %main\n%x = OpExtInst %float %glsl InterpolateAtCentroid %in\nEND",
            "Shader InterpolationFunction",
        ),
        case(
            "no interpolation",
            "spv1.3",
            "Shader InterpolationFunction",
            format!("{FRAGMENT}{EMPTY}"),
            "Shader",
        ),
        derivatives("Quads", "Linear"),
        derivatives("Linear", "Quads"),
        case("no quads", "spv1.5", QUADS, EMPTY, "Shader"),
        quads("OpExecutionMode %main QuadDerivativesKHR", ""),
        quads("OpExecutionMode %main RequireFullQuadsKHR", ""),
        quads("", "%x = OpGroupNonUniformQuadAllKHR %bool %true"),
        quads("", "%x = OpGroupNonUniformQuadAnyKHR %bool %true"),
    ]
}

/// Declarations that spirv-opt also trims: it has uses in execution modes and in instructions.
const QUADS: &str = "Shader QuadControlKHR SPV_KHR_quad_control";

/// A fragment shader that uses quads in an execution mode or by an instruction.
fn quads(mode: &str, line: &str) -> TrimCase {
    let name = format!("quads by {mode}{line}");
    case(&name, "spv1.5", QUADS, format!("{FRAGMENT}{mode}\nFN %main\n{line}\nEND"), QUADS)
}

/// Both capabilities of derivatives in compute shaders are declared, and one is used.
fn derivatives(used: &str, unused: &str) -> TrimCase {
    let extension = "SPV_NV_compute_shader_derivatives";
    case(
        &format!("derivatives in {used}"),
        "spv1.5",
        &format!("Shader ComputeDerivativeGroup{used}KHR ComputeDerivativeGroup{unused}KHR {extension}"),
        format!(
            "OpEntryPoint GLCompute %main \"main\"
            OpExecutionMode %main LocalSize 4 2 1
            OpExecutionMode %main DerivativeGroup{used}KHR
            {EMPTY}"
        ),
        &format!("Shader ComputeDerivativeGroup{used}KHR {extension}"),
    )
}

/// Capabilities of types.
fn unused_or_used() -> Vec<TrimCase> {
    let types = [
        ("Int64", "OpTypeInt 64 0"),
        ("Float64", "OpTypeFloat 64"),
        ("Float16", "OpTypeFloat 16"),
        ("Int16", "OpTypeInt 16 1"),
        ("Int16", "OpTypeInt 16 0"),
    ];
    let unused = |(capability, _): &(&str, &str)| {
        case(&format!("no {capability}"), "spv1.5", &format!("Shader {capability}"), EMPTY, "Shader")
    };
    let used = |(capability, definition): &(&str, &str)| {
        let all = format!("Shader {capability}");
        case(definition, "spv1.5", &all, format!("%t = {definition}\n{EMPTY}"), &all)
    };
    types.iter().take(4).map(unused).chain(types.iter().map(used)).collect()
}

/// A fragment shader that samples an image once.
fn sampled(result: &str, opcode: &str, operands: &str) -> String {
    format!(
        "{FRAGMENT}
        %v2 = OpTypeVector %float 2
        %v4 = OpTypeVector %float 4
        %v2int = OpTypeVector %int 2
        %sparse = OpTypeStruct %uint %v4
        %at2 = OpConstantComposite %v2 %f1 %f1
        %offset = OpConstantComposite %v2int %i1 %i1
        %imaget = OpTypeImage %float 2D 2 0 0 1 Unknown
        %pimage = OpTypePointer UniformConstant %imaget
        %image = OpVariable %pimage UniformConstant
        %samplert = OpTypeSampler
        %psampler = OpTypePointer UniformConstant %samplert
        %sampler = OpVariable %psampler UniformConstant
        %both = OpTypeSampledImage %imaget
        FN %main
        %i = OpLoad %imaget %image
        %s = OpLoad %samplert %sampler
        %si = OpSampledImage %both %i %s
        %x = {opcode} {result} %si %at2 {operands}
        END"
    )
}

fn lod() -> Vec<TrimCase> {
    let sparse = "OpImageSparseSampleImplicitLod";
    vec![
        case(
            "a sample without a minimum of the level",
            "spv1.3",
            "Shader Sampled1D MinLod",
            sampled("%v4", "OpImageSampleImplicitLod", ""),
            "Shader",
        ),
        case(
            "a sample with a minimum of the level",
            "spv1.3",
            "Shader Sampled1D MinLod",
            sampled("%v4", "OpImageSampleImplicitLod", "MinLod %f1"),
            "Shader MinLod",
        ),
        case(
            "a sparse sample with a minimum of the level",
            "spv1.3",
            "Shader SparseResidency ImageGatherExtended MinLod",
            sampled("%sparse", sparse, "MinLod %f1"),
            "Shader SparseResidency MinLod",
        ),
        case(
            "a minimum of the level beside another operand",
            "spv1.3",
            "MinLod Shader SparseResidency ImageGatherExtended",
            sampled("%sparse", sparse, "ConstOffset|MinLod %offset %f1"),
            "MinLod Shader SparseResidency",
        ),
    ]
}

fn interlock() -> Vec<TrimCase> {
    let kinds = ["Pixel", "Sample", "ShadingRate"];
    let extension = "SPV_EXT_fragment_shader_interlock";
    let capability = |kind: &str| format!("FragmentShader{kind}InterlockEXT");
    let all = format!("Shader {} {extension}", kinds.map(capability).join(" "));
    let unused = case("no interlock", "spv1.5", &all, format!("{FRAGMENT}{EMPTY}"), "Shader");
    let used = kinds.iter().flat_map(|kind| {
        ["Ordered", "Unordered"].map(|order| {
            let mode = format!("{kind}Interlock{order}EXT");
            let code = format!(
                "{FRAGMENT}OpExecutionMode %main {mode}
                FN %main
                OpBeginInvocationInterlockEXT
                OpEndInvocationInterlockEXT
                END"
            );
            case(&mode, "spv1.5", &all, code, &format!("Shader {} {extension}", capability(kind)))
        })
    });
    [unused].into_iter().chain(used).collect()
}

fn rays() -> Vec<TrimCase> {
    let query = "Shader RayQueryKHR SPV_KHR_ray_query";
    let structure = "
        OpDecorate %structure DescriptorSet 0
        OpDecorate %structure Binding 0
        %structuret = OpTypeAccelerationStructureKHR
        %pstructure = OpTypePointer UniformConstant %structuret
        %structure = OpVariable %pstructure UniformConstant\n";
    let query_variable = "
        %queryt = OpTypeRayQueryKHR
        %pquery = OpTypePointer Function %queryt\n";
    let uses = format!(
        "{structure}{query_variable}
        %v3 = OpTypeVector %float 3
        %at3 = OpConstantComposite %v3 %f1 %f1 %f1
        FN %main
        %q = OpVariable %pquery Function
        %s = OpLoad %structuret %structure
        OpRayQueryInitializeKHR %q %s %u0 %u0 %at3 %f1 %at3 %f1
        %more = OpRayQueryProceedKHR %bool %q
        %kind = OpRayQueryGetIntersectionTypeKHR %uint %q %i1
        END"
    );
    let queries = [
        case("no ray query", "spv1.4", query, EMPTY, "Shader"),
        case("an acceleration structure", "spv1.3", query, format!("{structure}{EMPTY}"), query),
        case(
            "a ray query that is not used",
            "spv1.4",
            query,
            format!("{query_variable}FN %main\n%q = OpVariable %pquery Function\nEND"),
            query,
        ),
        case("a ray query", "spv1.3", query, uses, query),
    ];
    let stages = [
        ("Intersection", None),
        ("ClosestHit", Some("IncomingRayPayloadKHR")),
        ("AnyHit", Some("IncomingRayPayloadKHR")),
        ("Miss", Some("IncomingRayPayloadKHR")),
        ("RayGeneration", None),
        ("Callable", Some("IncomingCallableDataKHR")),
    ];
    let tracing = stages.map(|(stage, payload)| {
        let all = "RayTracingKHR SPV_KHR_ray_tracing";
        let code = match payload {
            None => format!("OpEntryPoint {stage}KHR %main \"main\"\n{EMPTY}"),
            Some(class) => format!(
                "OpEntryPoint {stage}KHR %main \"main\" %data
                %v4 = OpTypeVector %float 4
                %datat = OpTypeStruct %v4
                %pdata = OpTypePointer {class} %datat
                %data = OpVariable %pdata {class}
                FN %main
                %x = OpLoad %datat %data
                OpStore %data %x
                END"
            ),
        };
        case(&format!("the stage {stage}"), "spv1.4", all, code, all)
    });
    queries.into_iter().chain(tracing).collect()
}

/// A shader that has an image with these operands of OpTypeImage, `%v2at` and `%v3at` to read it at, and this line.
fn image(operands: &str, line: &str) -> String {
    format!(
        "{FRAGMENT}
        OpDecorate %image DescriptorSet 0
        OpDecorate %image Binding 0
        %imaget = OpTypeImage %float {operands}
        %pimage = OpTypePointer UniformConstant %imaget
        %image = OpVariable %pimage UniformConstant
        %v4 = OpTypeVector %float 4
        %v2int = OpTypeVector %int 2
        %v3int = OpTypeVector %int 3
        %v2at = OpConstantComposite %v2int %i0 %i0
        %v3at = OpConstantComposite %v3int %i0 %i0 %i0
        %value = OpConstantComposite %v4 %f1 %f1 %f1 %f1
        %sparse = OpTypeStruct %int %v4
        FN %main
        %i = OpLoad %imaget %image
        {line}
        END"
    )
}

fn images() -> Vec<TrimCase> {
    let read = "StorageImageReadWithoutFormat";
    let write = "StorageImageWriteWithoutFormat";
    let samples = "StorageImageMultisample";
    let read_3d = "%x = OpImageRead %v4 %i %v3at Sample %i1";
    let read_2d = "%x = OpImageRead %v4 %i %v2at";
    let write_3d = "OpImageWrite %i %v3at %value";
    vec![
        case(
            "an array of storage images with samples",
            "spv1.3",
            &format!("ImageMSArray Shader {samples} {read}"),
            image("2D 2 1 1 2 Unknown", read_3d),
            &format!("ImageMSArray Shader {samples} {read}"),
        ),
        case("no image", "spv1.3", "Shader ImageMSArray", format!("{FRAGMENT}{EMPTY}"), "Shader"),
        case(
            "a storage image with samples that is not an array",
            "spv1.3",
            &format!("ImageMSArray Shader {samples} {read}"),
            image("2D 2 0 1 2 Unknown", "%x = OpImageRead %v4 %i %v2at Sample %i1"),
            &format!("Shader {samples} {read}"),
        ),
        case(
            "an array of storage images without samples",
            "spv1.3",
            &format!("ImageMSArray Shader {read}"),
            image("2D 2 1 0 2 Unknown", "%x = OpImageRead %v4 %i %v3at"),
            &format!("Shader {read}"),
        ),
        case("no read", "spv1.3", &format!("{read} Shader"), format!("{FRAGMENT}{EMPTY}"), "Shader"),
        case(
            "a fetch",
            "spv1.3",
            &format!("{read} Shader"),
            image("2D 2 0 0 1 Unknown", "%x = OpImageFetch %v4 %i %v2at Lod %i0"),
            "Shader",
        ),
        case(
            "a read without a format",
            "spv1.3",
            &format!("{read} Shader"),
            image("2D 2 0 0 2 Unknown", read_2d),
            &format!("{read} Shader"),
        ),
        case(
            "a sparse read without a format",
            "spv1.3",
            &format!("{read} SparseResidency Shader"),
            image("2D 2 0 0 2 Unknown", "%x = OpImageSparseRead %sparse %i %v2at"),
            &format!("{read} SparseResidency Shader"),
        ),
        case(
            "a read of an attachment",
            "spv1.3",
            &format!("{read} InputAttachment Shader"),
            image("SubpassData 2 0 0 2 Unknown", read_2d),
            "InputAttachment Shader",
        ),
        case(
            "a write without a format",
            "spv1.3",
            &format!("{write} Shader StorageImageExtendedFormats"),
            image("3D 2 0 0 2 Unknown", write_3d),
            &format!("{write} Shader"),
        ),
        case(
            "a write with a format",
            "spv1.3",
            &format!("{write} Shader StorageImageExtendedFormats"),
            image("3D 2 0 0 2 Rg32f", write_3d),
            "Shader StorageImageExtendedFormats",
        ),
    ]
}

fn pointers() -> Vec<TrimCase> {
    let addresses = "PhysicalStorageBufferAddresses Shader";
    let decorated = |decoration: &str| {
        format!(
            "OpMemoryModel PhysicalStorageBuffer64 GLSL450
            OpDecorate %v {decoration}
            %s = OpTypeStruct %uint
            %p = OpTypePointer PhysicalStorageBuffer %s
            %pp = OpTypePointer Function %p
            FN %main
            %v = OpVariable %pp Function
            END"
        )
    };
    vec![
        case("no address", "spv1.5", addresses, EMPTY, "Shader"),
        case(
            "a pointer that is declared before its type",
            "spv1.5",
            addresses,
            format!(
                "OpMemoryModel PhysicalStorageBuffer64 GLSL450
                OpTypeForwardPointer %p PhysicalStorageBuffer
                %s = OpTypeStruct %p
                %p = OpTypePointer PhysicalStorageBuffer %s
                {EMPTY}"
            ),
            addresses,
        ),
        case(
            "a pointer to addresses",
            "spv1.5",
            addresses,
            format!("%s = OpTypeStruct %uint\n%p = OpTypePointer PhysicalStorageBuffer %s\n{EMPTY}"),
            addresses,
        ),
        case("a restricted pointer", "spv1.5", addresses, decorated("RestrictPointer"), addresses),
        case("an aliased pointer", "spv1.5", addresses, decorated("AliasedPointer"), addresses),
    ]
}

fn memory_model() -> Vec<TrimCase> {
    let scope = "VulkanMemoryModelDeviceScope";
    let clock = "Int64 ShaderClockKHR SPV_KHR_shader_clock";
    let read = "FN %main\n%x = OpReadClockKHR %long %u1\nEND";
    vec![
        case("no scope", "spv1.5", &format!("{scope} Shader"), EMPTY, "Shader"),
        case(
            "the scope of the device in another memory model",
            "spv1.5",
            &format!("{scope} Shader {clock}"),
            read,
            &format!("Shader {clock}"),
        ),
        case(
            "the scope of the device in the memory model of Vulkan",
            "spv1.5",
            &format!("{scope} VulkanMemoryModel Shader {clock}"),
            format!("OpMemoryModel Logical Vulkan\n{read}"),
            &format!("{scope} VulkanMemoryModel Shader {clock}"),
        ),
    ]
}
