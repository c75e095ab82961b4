//! Cases for arrays of descriptors, by kind, and for rays.

use super::cases::{DeclarationRequest, RequirementCase};

/// Each kind of descriptor: its name in the rules, its storage class, its type, and the requirement of the type.
const KINDS: [(&str, &str, &str, &str); 7] = [
    ("uniform buffers", "Uniform", "%block", ""),
    ("storage buffers", "StorageBuffer", "%block", ""),
    ("sampled images", "UniformConstant", "%d = OpTypeImage %float 2D 0 0 0 1 Unknown", ""),
    ("storage images", "UniformConstant", "%d = OpTypeImage %float 2D 0 0 0 2 R32f", ""),
    (
        "input attachments",
        "UniformConstant",
        "%d = OpTypeImage %float SubpassData 0 0 0 2 Unknown",
        "InputAttachment InputAttachmentArrayDynamicIndexing",
    ),
    (
        "uniform texel buffers",
        "UniformConstant",
        "%d = OpTypeImage %float Buffer 0 0 0 1 Unknown",
        "SampledBuffer UniformTexelBufferArrayDynamicIndexing",
    ),
    (
        "storage texel buffers",
        "UniformConstant",
        "%d = OpTypeImage %float Buffer 0 0 0 2 R32f",
        "ImageBuffer StorageTexelBufferArrayDynamicIndexing",
    ),
];

const DESCRIPTORS: &str = "OpDecorate %descriptors DescriptorSet 0
    OpDecorate %descriptors Binding 0
    %pdescriptors = OpTypePointer CLASS %array
    %pd = OpTypePointer CLASS DESCRIPTOR
    %descriptors = OpVariable %pdescriptors CLASS
    %pindex = OpTypePointer Private %uint
    %index = OpVariable %pindex Private";

/// Returns the text of a module with descriptors of a kind in an array. The caller appends the contents of the function.
fn text(kind: &(&str, &str, &str, &str), array: &str) -> String {
    let &(_, class, type_, capabilities) = kind;
    let is_block = type_ == "%block";
    let descriptor = if is_block { "%block" } else { "%d" };
    let mut text = match is_block {
        true => "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n%block = OpTypeStruct %uint\n"
            .to_owned(),
        false => format!("{type_}\n"),
    };
    for capability in capabilities.split_whitespace() {
        text += &format!("OpCapability {capability}\n");
    }
    if capabilities.starts_with("InputAttachment") {
        text +=
            "OpEntryPoint Fragment %main \"main\" %descriptors %index\nOpExecutionMode %main OriginUpperLeft
            OpDecorate %descriptors InputAttachmentIndex 0\n";
    }
    let array = array.replace("DESCRIPTOR", descriptor);
    let variables = DESCRIPTORS.replace("CLASS", class).replace("DESCRIPTOR", descriptor);
    format!("INTERFACE %descriptors %index\n{text}{array}\n{variables}\n")
}

const SIZED: &str = "%array = OpTypeArray DESCRIPTOR %u2";

/// Returns cases with indices of descriptors that are not constant, that differ between invocations, and arrays without a size.
pub fn cases() -> impl Iterator<Item = RequirementCase> {
    let api = |rule: String, text: String| RequirementCase {
        rule,
        environment: "vulkan1.3",
        asks: DeclarationRequest::Api,
        text,
    };
    let by_kind = KINDS.iter().flat_map(move |kind| {
        let all = format!("{}FN %main\n%at = OpLoad %uint %index\n", text(kind, SIZED));
        let dynamic = "+ %x = OpAccessChain %pd %descriptors %at\n- %x = OpAccessChain %pd %descriptors %u1\nEND";
        let non_uniform = "OpCapability ShaderNonUniform\nOpDecorate %at NonUniform\n";
        [
            api(format!("dynamic index of {}", kind.0), format!("{all}{dynamic}")),
            api(format!("non-uniform index of {}", kind.0), format!("{non_uniform}{all}{dynamic}")),
            // Uniform indices require no more than dynamic ones.
            api(
                format!("non-uniform index of {}", kind.0),
                format!("OpCapability ShaderNonUniform\n+ OpDecorate %at NonUniform\n{all}%x = OpAccessChain %pd %descriptors %at\nEND"),
            ),
        ]
    });
    let endless =
        text(&KINDS[1], "+ %array = OpTypeRuntimeArray DESCRIPTOR\n- %array = OpTypeArray DESCRIPTOR %u2");
    by_kind.chain([RequirementCase {
        rule: "runtime descriptor array".to_owned(),
        environment: "vulkan1.3",
        asks: DeclarationRequest::Spirv,
        text: format!("{endless}FN %main\nEND"),
    }])
}

const QUERY: &str = "OpCapability RayQueryKHR
    OpExtension \"SPV_KHR_ray_query\"
    OpDecorate %scene DescriptorSet 0
    OpDecorate %scene Binding 0
    %scenet = OpTypeAccelerationStructureKHR
    %pscene = OpTypePointer UniformConstant %scenet
    %scene = OpVariable %pscene UniformConstant
    %query = OpTypeRayQueryKHR
    %pquery = OpTypePointer Function %query
    %v3 = OpTypeVector %float 3
    %from = OpConstantNull %v3
    %skip = OpConstant %uint 0x100
    INTERFACE %scene
    FN %main
    %q = OpVariable %pquery Function
    %s = OpLoad %scenet %scene
    + OpRayQueryInitializeKHR %q %s %skip %u1 %from %f1 %from %f1
    - OpRayQueryInitializeKHR %q %s %u1 %u1 %from %f1 %from %f1
    END";

/// Returns cases with rays that skip triangles.
pub fn ray_flags() -> impl Iterator<Item = RequirementCase> {
    let rule = "culling of primitives by ray flags".to_owned();
    [RequirementCase {
        rule,
        environment: "vulkan1.3",
        asks: DeclarationRequest::Api,
        text: QUERY.to_owned(),
    }]
    .into_iter()
}
