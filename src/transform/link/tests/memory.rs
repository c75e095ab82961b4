//! Memory that modules declare with different types: joined where compilers write them for one declaration, refused where they contradict each
//! other.

use super::composed::KERNEL;
use super::support::link_words;
use crate::test_support::{assemble, assert_valid};
use crate::transform::link::LinkResult;

const TYPES: &str = "%void = OpTypeVoid
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%n1 = OpConstant %int 1
%n2 = OpConstant %int 2
%n4 = OpConstant %int 4
%n6 = OpConstant %int 6
%n8 = OpConstant %int 8
%int1 = OpTypeArray %int %n1
%int2 = OpTypeArray %int %n2
%int4 = OpTypeArray %int %n4
%int6 = OpTypeArray %int %n6
%int8 = OpTypeArray %int %n8
%char4 = OpTypeArray %char %n4
%char8 = OpTypeArray %char %n8
%int2x4 = OpTypeArray %int4 %n2
%int4x2 = OpTypeArray %int2 %n4
%v2float = OpTypeVector %float 2
%v3float = OpTypeVector %float 3
%v4float = OpTypeVector %float 4
%float4 = OpTypeArray %float %n4
%pointer = OpTypePointer Generic %char
";

/// Returns the start of a module whose structures have these names.
fn head(names: &[(&str, &str)]) -> String {
    let names = names.iter().map(|(id, name)| format!("OpName %{id} \"{name}\"\n")).collect::<String>();
    let capabilities =
        "OpCapability Linkage\nOpCapability Int8\nOpCapability Float64\nOpCapability Vector16\n";
    KERNEL.replace("OpCapability Linkage\n", capabilities) + &names
}

/// Returns a module with a variable of this type. `types` are further types.
fn variable(linkage: &str, names: &[(&str, &str)], types: &str, of: &str) -> String {
    let value = if linkage == "Import" { "" } else { "%null = OpConstantNull %own\n" };
    let value_of = if linkage == "Import" { "" } else { " %null" };
    let head = head(names) + &format!("OpDecorate %v LinkageAttributes \"v\" {linkage}\n");
    let types = TYPES.to_owned() + types;
    // The type by one name, whichever it is.
    (head
        + &types
        + value
        + &format!("%to = OpTypePointer CrossWorkgroup {of}\n%v = OpVariable %to CrossWorkgroup{value_of}\n"))
        .replace("%own", of)
}

/// Returns a module with a function that takes a pointer to this type.
fn function(linkage: &str, names: &[(&str, &str)], types: &str, of: &str) -> String {
    let body = if linkage == "Import" { "" } else { "%label = OpLabel\nOpReturn\n" };
    let head = head(names) + &format!("OpDecorate %f LinkageAttributes \"f\" {linkage}\n");
    let function = format!(
        "%to = OpTypePointer Generic {of}
%type = OpTypeFunction %void %to
%f = OpFunction %void None %type
%p = OpFunctionParameter %to
{body}OpFunctionEnd
"
    );
    head + TYPES + types + &function
}

/// Links an import, a, and an export, b.
fn linked(import: &str, export: &str) -> Result<LinkResult, String> {
    let words = (assemble(import, "spv1.2"), assemble(export, "spv1.2"));
    let linked = link_words(&[("a", &words.0), ("b", &words.1)]);
    if let Ok(linked) = &linked {
        assert_valid(linked.module.words(), "spv1.2");
    }
    linked.map_err(|error| error.to_string())
}

#[test]
fn variables_of_other_sizes_are_refused() {
    for (import, export, message) in [
        (
            "%int4",
            "%int8",
            "'v' is CrossWorkgroup pointer to array of 8 uint32 in b, but CrossWorkgroup pointer to array of 4 uint32 in a",
        ),
        (
            "%int8",
            "%int4",
            "'v' is CrossWorkgroup pointer to array of 4 uint32 in b, but CrossWorkgroup pointer to array of 8 uint32 in a",
        ),
        (
            "%int8",
            "%int1",
            "'v' is CrossWorkgroup pointer to array of 1 uint32 in b, but CrossWorkgroup pointer to array of 8 uint32 in a",
        ),
        (
            "%char4",
            "%char8",
            "'v' is CrossWorkgroup pointer to array of 8 uint8 in b, but CrossWorkgroup pointer to array of 4 uint8 in a",
        ),
        (
            "%int2x4",
            "%int4x2",
            "'v' is CrossWorkgroup pointer to array of 4 array of 2 uint32 in b, but CrossWorkgroup pointer to array of 2 array of 4 uint32 in a",
        ),
        (
            "%v2float",
            "%v4float",
            "'v' is CrossWorkgroup pointer to vector of 4 float32 in b, but CrossWorkgroup pointer to vector of 2 float32 in a",
        ),
        (
            "%float4",
            "%v4float",
            "'v' is CrossWorkgroup pointer to vector of 4 float32 in b, but CrossWorkgroup pointer to array of 4 float32 in a",
        ),
        (
            "%int",
            "%int4",
            "'v' is CrossWorkgroup pointer to array of 4 uint32 in b, but CrossWorkgroup pointer to uint32 in a",
        ),
    ] {
        let (import, export) = (variable("Import", &[], "", import), variable("Export", &[], "", export));
        let linked = linked(&import, &export);
        assert_eq!(linked.map(|_| ()), Err(message.to_owned()));
    }
}

#[test]
fn variables_of_unknown_sizes_are_joined() {
    for (import, export) in [
        ("%int1", "%int8"),
        ("%int1", "%int2x4"),
        ("%char", "%v4float"),
        // LLVM's SPIR-V backend, for an array of unknown length.
        ("%pointer", "%int8"),
        ("%char8", "%double"),
        ("%double", "%char8"),
    ] {
        let (import, export) = (variable("Import", &[], "", import), variable("Export", &[], "", export));
        let linked = linked(&import, &export);
        linked.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Checks definitions that have the type of their initial value: a union with its first member, or an array with a tail
/// of zeros.
#[test]
fn members_are_compared_where_both_structures_are_declared() {
    let (double, tail) = ("%s = OpTypeStruct %double\n", "%s = OpTypeStruct %float %char4\n");
    let (numbers, swapped) = ("%s = OpTypeStruct %int %float\n", "%s = OpTypeStruct %float %int\n");
    let long = "%inner = OpTypeStruct %int2 %int6\n%s = OpTypeStruct %inner %float\n";
    let short = "%s = OpTypeStruct %int8 %float\n";
    let padded = "%s = OpTypeStruct %int4 %v3float\n";
    let packed = "%s = OpTypeStruct %int8 %int1\n";
    let named = |name: &'static str| vec![("s", name)];
    let cases = [
        (named("union.U"), double, vec![], tail, true),
        (named("struct.T"), numbers, named("struct.T"), swapped, false),
        (vec![], numbers, vec![], swapped, false),
        (named("struct.T"), numbers, vec![], swapped, true),
        (named("struct.S"), short, vec![], long, true),
        (named("struct.S"), short, named("struct.S"), numbers, false),
        (named("struct.P"), padded, vec![], packed, false),
    ];
    for (names, import, export_names, export, is_linked) in cases {
        let text = format!("{import}{export}");
        let (import, export) =
            (variable("Import", &names, import, "%s"), variable("Export", &export_names, export, "%s"));
        let linked = linked(&import, &export);
        assert_eq!(linked.is_ok(), is_linked, "{text}");
    }
}

#[test]
fn parameters_of_other_lengths_are_refused_or_warned_of() {
    let structures = ("%s = OpTypeStruct %int8 %float\n", "%s = OpTypeStruct %int4 %float\n");
    let linked_as = |import: &str, export: &str| {
        let import = function("Import", &[("s", "struct.S")], structures.0, import);
        let export = function("Export", &[("s", "struct.S")], structures.1, export);
        linked(&import, &export)
    };
    let short = linked_as("%int4", "%int8");
    let message = "'f' is void (Generic pointer to array of 8 uint32) in b, but void (Generic pointer to array of 4 uint32) in a";
    assert_eq!(short.map(|_| ()), Err(message.to_owned()));
    for (import, export) in [("%int6", "%int4"), ("%v2float", "%v4float"), ("%s", "%s")] {
        assert!(linked_as(import, export).is_err(), "{import} {export}");
    }
    let long = linked_as("%int8", "%int4").unwrap();
    let warnings: Vec<String> = long.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "'f' is void (Generic pointer to array of 4 uint32) in b, but void (Generic pointer to array of 8 uint32) in a: the array \
             that is passed is longer than the one that is taken; declare both alike if that is not meant"
        ]
    );
    // Compilers infer what they do not know.
    for (import, export) in [("%int8", "%int"), ("%int4", "%int2x4"), ("%char", "%s"), ("%int", "%s")] {
        let linked = linked_as(import, export).unwrap_or_else(|error| panic!("{error}"));
        assert!(linked.warnings.is_empty(), "{import} {export}");
    }
}

/// Shaders know the types behind their pointers, also with physical addresses.
#[test]
fn shaders_declare_one_type() {
    let module = |linkage: &str, length: &str| {
        let body = if linkage == "Import" { "" } else { "%label = OpLabel\nOpReturn\n" };
        format!(
            "OpCapability Shader
OpCapability Linkage
OpCapability PhysicalStorageBufferAddresses
OpExtension \"SPV_KHR_physical_storage_buffer\"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpDecorate %f LinkageAttributes \"f\" {linkage}
OpDecorate %p Restrict
OpDecorate %array ArrayStride 4
%void = OpTypeVoid
%int = OpTypeInt 32 0
%length = OpConstant %int {length}
%array = OpTypeArray %int %length
%to = OpTypePointer PhysicalStorageBuffer %array
%type = OpTypeFunction %void %to
%f = OpFunction %void None %type
%p = OpFunctionParameter %to
{body}OpFunctionEnd
"
        )
    };
    let (import, export) = (module("Import", "4"), module("Export", "8"));
    let (import, export) = (assemble(&import, "spv1.3"), assemble(&export, "spv1.3"));
    let error = link_words(&[("a", &import), ("b", &export)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'f' is void (PhysicalStorageBuffer pointer to array of 8 uint32) in b, but void (PhysicalStorageBuffer pointer to array of 4 \
         uint32) in a"
    );
}
