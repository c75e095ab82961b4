//! Bindings and push constants as SPIRV-Cross reflects them: types, counts, stages and sizes.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;
use spirv_if::Module;
use spirv_if::module::Interface;

use crate::common::{bytes_of, fixtures, root, run, tool, tool_file, words_of};

/// Set, number, type and count of a binding. The count is 0 for an array without a length.
type ReflectedBinding = (u64, u64, String, u64);

/// The bindings of a module, the ends of its blocks of push constants, and the stages that use a binding or push constants (`None`).
#[derive(Debug, Default, PartialEq)]
struct Reflected {
    bindings: BTreeSet<ReflectedBinding>,
    push_constants: BTreeSet<u64>,
    stages: BTreeSet<(Option<(u64, u64)>, &'static str)>,
}

/// The stages as SPIRV-Cross names them, and as execution models.
const STAGES: [(&str, &str); 10] = [
    ("vert", "Vertex"),
    ("tesc", "TessellationControl"),
    ("tese", "TessellationEvaluation"),
    ("geom", "Geometry"),
    ("frag", "Fragment"),
    ("comp", "GLCompute"),
    ("rgen", "RayGenerationKHR"),
    ("rchit", "ClosestHitKHR"),
    ("rmiss", "MissKHR"),
    ("mesh", "MeshEXT"),
];

/// The lists of resources of SPIRV-Cross, with the type of descriptors, and of those of a buffer.
const LISTS: [(&str, &str, &str); 8] = [
    ("ubos", "UNIFORM_BUFFER", ""),
    ("ssbos", "STORAGE_BUFFER", ""),
    ("textures", "COMBINED_IMAGE_SAMPLER", "UNIFORM_TEXEL_BUFFER"),
    ("separate_images", "SAMPLED_IMAGE", "UNIFORM_TEXEL_BUFFER"),
    ("separate_samplers", "SAMPLER", ""),
    ("images", "STORAGE_IMAGE", "STORAGE_TEXEL_BUFFER"),
    ("subpass_inputs", "INPUT_ATTACHMENT", ""),
    ("acceleration_structures", "ACCELERATION_STRUCTURE_KHR", ""),
];

/// Shaders with every type of descriptor, arrays, and push constants of all shapes.
const SHADERS: [(&str, &str); 3] = [
    (
        "comp",
        "#version 460\n#extension GL_EXT_nonuniform_qualifier : require\n\
        #extension GL_EXT_shader_explicit_arithmetic_types : require\n\
        layout(constant_id = 3) const int count = 5; layout(local_size_x = 1) in;\n\
        struct Inner { mat3 m; float16_t h[3]; };\n\
        layout(push_constant) uniform P { layout(offset = 16) vec3 v; layout(row_major) mat2x3 r; Inner inner[2]; uint8_t last[3]; } p;\n\
        layout(set = 0, binding = 0) uniform U { vec4 u; } u[count];\n\
        layout(set = 0, binding = 1) buffer S { vec4 s; } s[2][3];\n\
        layout(set = 0, binding = 2, rgba8) uniform image2D i[];\n\
        layout(set = 1, binding = 0) uniform sampler2D t; layout(set = 1, binding = 1) uniform texture3D st[4];\n\
        layout(set = 1, binding = 2) uniform sampler ss[7]; layout(set = 1, binding = 3) uniform samplerBuffer tb;\n\
        layout(set = 1, binding = 4) uniform textureBuffer stb; layout(set = 1, binding = 5, r32f) uniform imageBuffer ib;\n\
        void main() {\n\
            s[1][gl_LocalInvocationIndex].s = u[0].u + p.v.xyzx + p.r[1].xyzx + p.inner[1].m[1].xyzx + float(p.last[1])\n\
                + imageLoad(i[nonuniformEXT(gl_LocalInvocationIndex)], ivec2(0)) + texture(t, vec2(0)) + texelFetch(tb, 0)\n\
                + texture(sampler3D(st[1], ss[2]), vec3(0)) + texelFetch(stb, 0) + imageLoad(ib, 0);\n\
        }",
    ),
    (
        "frag",
        "#version 460\nlayout(input_attachment_index = 0, set = 2, binding = 9) uniform subpassInput a; layout(location = 0) out vec4 o;\n\
        layout(push_constant) uniform P { layout(offset = 64) mat4 m; float tail; } p;\n\
        layout(set = 0, binding = 1) uniform Unused { vec4 u; } unused;\n\
        void main() { o = subpassLoad(a) * p.m * p.tail; }",
    ),
    (
        "rgen",
        "#version 460\n#extension GL_EXT_ray_tracing : require\n\
        layout(set = 3, binding = 0) uniform accelerationStructureEXT top[2]; layout(location = 0) rayPayloadEXT vec4 payload;\n\
        void main() { traceRayEXT(top[1], 0, 0xff, 0, 0, 0, vec3(0), 0, vec3(1), 1, 0); }",
    ),
];

/// The interface as the library reads it.
fn own(words: &[u32]) -> Reflected {
    let interface = Interface::new(&Module::from_words(words).unwrap());
    let mut reflected = Reflected::default();
    let stage = |model: &String| STAGES.iter().find(|(_, name)| name == model).unwrap().0;
    for binding in &interface.bindings {
        let place: (u64, u64) = (binding.set.into(), binding.binding.into());
        let name = binding.descriptor_type.map_or("", |type_| type_.name());
        let name = name.trim_start_matches("VK_DESCRIPTOR_TYPE_").to_owned();
        reflected.bindings.insert((place.0, place.1, name, binding.count.unwrap_or(0).into()));
        reflected.stages.extend(binding.stages.iter().map(|model| (Some(place), stage(model))));
    }
    for block in &interface.push_constants {
        reflected.push_constants.insert(u64::from(block.offset + block.size));
        reflected.stages.extend(block.stages.iter().map(|model| (None, stage(model))));
    }
    reflected
}

/// The interface as SPIRV-Cross reflects it; its error for a module that it does not read.
fn peer(file: &str) -> Result<Reflected, String> {
    let cross = tool("SPIRV_CROSS", "spirv-cross");
    let whole: Value = serde_json::from_slice(&run(&cross, &[file, "--reflect"], &[])?).unwrap();
    let mut reflected = Reflected::default();
    for (list, plain, of_buffer) in LISTS {
        for resource in whole[list].as_array().into_iter().flatten() {
            let is_buffer = !of_buffer.is_empty() && resource["type"].as_str().unwrap().ends_with("Buffer");
            let name = if is_buffer { of_buffer } else { plain }.to_owned();
            let number = |key: &str| resource[key].as_u64().unwrap_or(0);
            let count = lengths(&whole, resource).product();
            reflected.bindings.insert((number("set"), number("binding"), name, count));
        }
    }
    for block in whole["push_constants"].as_array().into_iter().flatten() {
        reflected.push_constants.insert(size(&whole, block).next_multiple_of(4));
    }
    for entry_point in whole["entryPoints"].as_array().unwrap() {
        let [name, mode] = ["name", "mode"].map(|key| entry_point[key].as_str().unwrap());
        let (stage, _) = STAGES.iter().find(|(stage, _)| *stage == mode).unwrap_or_else(|| panic!("{mode}"));
        let options =
            ["--dump-resources", "--remove-unused-variables", "-V", "--entry", name, "--stage", mode];
        let output = Command::new(&cross).arg(file).args(options).output().unwrap();
        let listed = String::from_utf8(output.stderr).unwrap();
        let places = listed.lines().filter_map(|line| Some((number(line, "Set")?, number(line, "Binding")?)));
        reflected.stages.extend(places.map(|place| (Some(place), *stage)));
        let (_, push_constants) = listed.split_once("\npush\n").unwrap();
        if push_constants.lines().nth(2).unwrap().contains("ID") {
            reflected.stages.insert((None, stage));
        }
    }
    Ok(reflected)
}

/// The number in `(NAME : NUMBER)` on a line.
fn number(line: &str, name: &str) -> Option<u64> {
    line.split_once(&format!("({name} : "))?.1.split_once(')')?.0.parse().ok()
}

/// The lengths of the arrays of a resource or member, by the defaults of constants.
fn lengths<'r>(reflection: &'r Value, of: &'r Value) -> impl Iterator<Item = u64> + 'r {
    let lengths = of["array"].as_array().into_iter().flatten();
    let literal = of["array_size_is_literal"].as_array().into_iter().flatten();
    lengths.zip(literal).map(|(length, is_literal)| {
        let all = reflection["specialization_constants"].as_array();
        let constant = all.into_iter().flatten().find(|constant| constant["variable_id"] == *length);
        match is_literal.as_bool().unwrap() {
            true => length.as_u64().unwrap(),
            false => constant.unwrap()["default_value"].as_u64().unwrap(),
        }
    })
}

/// The number of bytes up to the end of a block or a member, without padding behind it.
fn size(reflection: &Value, of: &Value) -> u64 {
    let type_ = of["type"].as_str().unwrap();
    let element = match &reflection["types"][type_]["members"] {
        Value::Array(members) => {
            let end = |member: &Value| member["offset"].as_u64().unwrap() + size(reflection, member);
            members.iter().map(end).max().unwrap()
        }
        _ => size_of_numbers(type_, of["matrix_stride"].as_u64(), of["row_major"].as_bool() == Some(true)),
    };
    let count: u64 = lengths(reflection, of).product();
    // That of an array in another is of the outer one.
    let inner: u64 = lengths(reflection, of).skip(1).product();
    match of["array_stride"].as_u64() {
        Some(stride) if inner == 1 => (count - 1) * stride + element,
        Some(_) => panic!("arrays of arrays in push constants"),
        None => element,
    }
}

/// The number of bytes of a scalar, a vector or a matrix by its name in GLSL.
fn size_of_numbers(type_: &str, stride: Option<u64>, is_row_major: bool) -> u64 {
    let digits =
        |text: &str| text.chars().filter_map(|digit| digit.to_digit(10)).map(u64::from).collect::<Vec<_>>();
    if let (Some(at), Some(stride)) = (type_.find("mat"), stride) {
        let (columns, rows) = match digits(&type_[at..])[..] {
            [both] => (both, both),
            [columns, rows] => (columns, rows),
            _ => panic!("{type_}"),
        };
        // The room of each column, or up to the last number of the last row.
        return match is_row_major {
            true => (rows - 1) * stride + columns * 4,
            false => columns * stride,
        };
    }
    let (scalar, count) = match type_.find("vec") {
        Some(at) => (&type_[..at], digits(&type_[at..])[0]),
        None => (type_, 1),
    };
    let bytes = match scalar {
        "int8_t" | "uint8_t" | "i8" | "u8" => 1,
        "float16_t" | "int16_t" | "uint16_t" | "f16" | "i16" | "u16" => 2,
        "" | "float" | "int" | "uint" | "b" | "i" | "u" => 4,
        "double" | "int64_t" | "uint64_t" | "d" | "i64" | "u64" => 8,
        _ => panic!("{type_}"),
    };
    bytes * count
}

fn bindings_and_push_constants_are_those_of_spirv_cross() {
    let folder = tempfile::tempdir().unwrap();
    let mut modules = fixtures();
    for entry in std::fs::read_dir(root().join("target/ggml")).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "spv") {
            modules.push((path.display().to_string(), words_of(&std::fs::read(path).unwrap())));
        }
    }
    for (stage, text) in SHADERS {
        let [source, module] =
            [stage, "spv"].map(|extension| folder.path().join("shader").with_extension(extension));
        std::fs::write(&source, text).unwrap();
        let [source, written] = [&source, &module].map(|path| path.to_str().unwrap());
        let arguments = ["-V", "--target-env", "vulkan1.2", source, "-o", written];
        run(&tool_file("GLSLANG", "bin/glslangValidator"), &arguments, &[]).unwrap();
        modules.push((stage.to_owned(), words_of(&std::fs::read(module).unwrap())));
    }
    let (mut compared, mut problems) = (0, Vec::new());
    for (name, words) in modules {
        let file = folder.path().join("module.spv");
        std::fs::write(&file, bytes_of(&words)).unwrap();
        match peer(file.to_str().unwrap()) {
            Err(error) if error.contains("Kernel capability not supported") => continue,
            Err(error) => problems.push(format!("{name}: {error}")),
            Ok(peer) => {
                compared += 1;
                let own = own(&words);
                if own != peer {
                    problems.push(format!("{name}:\n  own {own:?}\n  peer {peer:?}"));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(compared >= 60, "compared {compared} modules");
}

tests![bindings_and_push_constants_are_those_of_spirv_cross];
