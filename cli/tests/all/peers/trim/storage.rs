//! The facts of spirv-opt's tests on 16-bit storage. They have pointer types alone, which need no more than the 16-bit type does: so
//! there is a case with a variable, too, for each.

use super::case::{TrimCase, case};

/// A version that has 16-bit storage by extensions, and one that contains it.
const VERSIONS: [&str; 2] = ["spv1.0", "spv1.3"];

/// The extension for 16-bit storage.
const EXTENSION: &str = "SPV_KHR_16bit_storage";

/// Types with a 16-bit float inside: the definitions, and the type.
const TYPES: [(&str, &str); 7] = [
    ("", "%half"),
    ("%t = OpTypeArray %half %u1", "%t"),
    (HALF, "%t"),
    ("%member = OpTypeStruct %float %half\n%t = OpTypeStruct %float %member", "%t"),
    ("%member = OpTypeStruct %half\n%t = OpTypeArray %member %u1", "%t"),
    ("%t = OpTypeVector %half 4", "%t"),
    ("%column = OpTypeVector %half 4\n%t = OpTypeMatrix %column 4", "%t"),
];

const HALF: &str = "%t = OpTypeStruct %half";

/// Variables in a storage class: the class, the decoration of the structure `%t`, the declared capabilities, and the required one.
const IN_CLASSES: [(&str, &str, &str, &str); 6] = [
    ("Output", "", "StorageInputOutput16", "StorageInputOutput16"),
    ("PushConstant", "Block", "StoragePushConstant16", "StoragePushConstant16"),
    ("Uniform", "BufferBlock", "StorageBuffer16BitAccess", "StorageBuffer16BitAccess"),
    ("Uniform", "BufferBlock", BOTH, "StorageBuffer16BitAccess"),
    ("Uniform", "Block", BOTH, "UniformAndStorageBuffer16BitAccess"),
    ("StorageBuffer", "Block", "StorageBuffer16BitAccess", "StorageBuffer16BitAccess"),
];

const BOTH: &str = "StorageBuffer16BitAccess UniformAndStorageBuffer16BitAccess";

/// All cases of this file.
pub fn cases() -> Vec<TrimCase> {
    let of_version = |version| {
        let input = "StorageInputOutput16";
        let inputs = TYPES.map(|pointee| halves(version, "Input", "", pointee, input, input));
        let others = IN_CLASSES.map(|(class, decoration, declared, required)| {
            halves(version, class, decoration, (HALF, "%t"), declared, required)
        });
        inputs.into_iter().chain(others).flatten()
    };
    VERSIONS.into_iter().flat_map(of_version).chain(nothing()).chain(shorts()).collect()
}

/// A shader with a pointer type.
fn pointer(class: &str, decoration: &str, (types, pointee): (&str, &str)) -> String {
    let decorations = match decoration {
        "" => String::new(),
        _ => format!("OpDecorate %t {decoration}\nOpMemberDecorate %t 0 Offset 0"),
    };
    format!("{decorations}\n{types}\n%p = OpTypePointer {class} {pointee}\nFN %main\nEND")
}

/// A variable of that type.
fn variable(class: &str) -> String {
    let decorations = match class {
        "Input" | "Output" => "OpDecorate %v Location 0",
        "PushConstant" => "",
        _ => "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0",
    };
    let interface = if decorations.ends_with("Location 0") { "INTERFACE %v" } else { "" };
    format!("{interface}\n{decorations}\n%v = OpVariable %p {class}")
}

/// A pointer type, and a variable of it, where the capability of the type is declared as well. The variable's capability is enough for
/// both, but spirv-opt keeps the type's.
fn halves(
    version: &'static str,
    class: &str,
    decoration: &str,
    pointee: (&str, &str),
    declared: &str,
    required: &str,
) -> [TrimCase; 2] {
    let of_class = if class == "StorageBuffer" { " SPV_KHR_storage_buffer_storage_class" } else { "" };
    let by_extension = |names| if version == "spv1.0" { names } else { "" };
    let name = format!("{class} {} {} {decoration} with {declared}", pointee.1, pointee.0.replace('\n', " "));
    let declares = format!("Shader Float16 {declared} {EXTENSION}{of_class}");
    let alone = pointer(class, decoration, pointee);
    let used = format!("{alone}\n{}", variable(class));
    let rest = by_extension(of_class);
    let with = format!("{required} {}{rest}", by_extension(EXTENSION));
    [
        case(&format!("a pointer to {name}"), version, &declares, alone, &format!("Shader Float16{rest}")),
        case(&format!("a variable in {name}"), version, &declares, used, &format!("Shader {with}")),
    ]
}

/// Nothing of 16 bits is where the capability is for.
fn nothing() -> [TrimCase; 4] {
    let none = "FN %main\nEND".to_owned();
    let local = |pointee| pointer("Function", "", pointee);
    let rows = [
        ("spv1.0", "StorageInputOutput16", none.clone(), "Shader"),
        ("spv1.3", "StorageInputOutput16", none, "Shader"),
        ("spv1.3", "StoragePushConstant16", local(TYPES[0]), "Shader Float16"),
        ("spv1.3", "StorageBuffer16BitAccess", local((HALF, "%t")), "Shader Float16"),
    ];
    rows.map(|(version, capability, code, remains)| {
        let all = format!("Shader Float16 {capability} {EXTENSION}");
        case(&format!("nothing for {capability}"), version, &all, code, remains)
    })
}

/// 16-bit integers that are only stored: without Int16, the type requires the capability as well.
fn shorts() -> [TrimCase; 4] {
    let stored = |class| pointer(class, "Block", ("%t = OpTypeStruct %short", "%t"));
    let buffer = "Shader StorageBuffer16BitAccess";
    let address = format!("{buffer} PhysicalStorageBufferAddresses");
    let extended = format!("{address} SPV_KHR_physical_storage_buffer");
    let tracing = format!("{buffer} RayTracingKHR SPV_KHR_ray_tracing");
    [
        case("an address of a short", "spv1.5", &extended, stored("PhysicalStorageBuffer"), &address),
        case("a short in a storage buffer", "spv1.3", buffer, stored("StorageBuffer"), buffer),
        case("a short in a shader record", "spv1.4", &tracing, stored("ShaderRecordBufferKHR"), &tracing),
        case("no short, no shader record", "spv1.4", &tracing, "FN %main\nEND", "Shader"),
    ]
}
