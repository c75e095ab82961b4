//! Programs as compute shaders in GLSL.

use std::fmt::Write;

use super::generate::INPUTS;
use super::program::{Feature, Function, LIKE_C, LeftOut, Program, block};
use super::values::{Constant, Type, literal};

/// Macros before the program, for differences between the languages.
const MACROS: &str = "\
#define TO_UINT(x) uint(x)
#define TO_INT(x) int(x)
#define TO_FLOAT(x) float(x)
#define INNER(x) x
#define REFERENCE(x) x
#define ARRAY(name, length) uint name[length]
#define BARRIER barrier()
#define SIZE gl_WorkGroupSize.x
";

/// The source of a program, without some statements.
pub fn source(program: &Program, left_out: &LeftOut) -> String {
    let mut text = "#version 450\n".to_owned();
    let main = block(&program.body, left_out, 1);
    let called = program.called(&main, left_out);
    let functions: Vec<(&Function, String)> =
        called.iter().map(|(function, body)| (*function, written(function, body))).collect();
    let used = |name: &str| {
        main.contains(name)
            || program.size.is_some_and(|id| name == format!("s{id}"))
            || functions.iter().any(|(_, text)| text.contains(name))
            || program.prologue.iter().chain(&program.epilogue).any(|line| line.contains(name))
            || program.derived.iter().any(|(_, _, value)| value.contains(name))
    };
    let wide: Vec<Feature> = Feature::ALL
        .into_iter()
        .filter(|feature| functions.iter().any(|(f, _)| f.feature == Some(*feature)))
        .collect();
    for feature in &wide {
        let _ = writeln!(
            text,
            "#extension GL_EXT_shader_explicit_arithmetic_types_{} : require",
            extension(*feature)
        );
    }
    text += LIKE_C;
    text += MACROS;
    match program.size {
        Some(id) => {
            let size = program.constants.iter().find(|constant| constant.id == id);
            let default = size.map_or("1u".to_owned(), |size| literal(size.of, &size.default));
            let _ = writeln!(text, "layout(local_size_x = {default}, local_size_x_id = {id}) in;");
        }
        None => text += "layout(local_size_x = 4) in;\n",
    }
    let _ = writeln!(text, "layout(std430, binding = 0) readonly buffer Inputs {{ uint data[{INPUTS}]; }};");
    text += "layout(std430, binding = 1) buffer Results { uint results[]; };\n";
    text += "struct S { int a; uint b; float c; };\nshared uint tile[SIZE];\nuint g0 = 5u;\n";
    let is_kept = |constant: &&Constant| Some(constant.id) != program.size && used(&constant.name());
    for constant in program.constants.iter().filter(is_kept) {
        let (id, of) = (constant.id, name(constant.of));
        let default = literal(constant.of, &constant.default);
        let _ =
            writeln!(text, "layout(constant_id = {id}) const {of} s{id} = {default}{};", suffix(constant.of));
    }
    for (of, derived, value) in &program.derived {
        let _ = writeln!(text, "const {} {derived} = {value};", name(*of));
    }
    for (_, function) in &functions {
        text += function;
    }
    text +=
        "void main() {\n    uint me = gl_GlobalInvocationID.x;\n    uint own = gl_LocalInvocationIndex;\n";
    for line in &program.prologue {
        let _ = writeln!(text, "    {line}");
    }
    text += &main;
    for line in &program.epilogue {
        let _ = writeln!(text, "    {line}");
    }
    text + "}\n"
}

/// A function with its body.
fn written(function: &Function, body: &str) -> String {
    let mut text = String::new();
    if let Some(feature) = function.feature {
        let wide = name(Type::Wide(feature));
        let _ = writeln!(text, "#define WIDE {wide}\n#define TO_WIDE(x) {wide}(x)");
    }
    let parameters = function.parameters.iter().map(|(of, parameter, is_inout)| {
        let parameter = parameter.trim_start_matches("INNER(").trim_end_matches(')');
        format!("{}{} {parameter}", if *is_inout { "inout " } else { "" }, name(*of))
    });
    let parameters: Vec<String> = parameters.collect();
    let result = function.result.map_or("void", name);
    let _ = writeln!(text, "{result} {}({}) {{", function.name, parameters.join(", "));
    for line in &function.prologue {
        let _ = writeln!(text, "    {line}");
    }
    text += body;
    let _ = writeln!(text, "    {}\n}}", function.end);
    if function.feature.is_some() {
        text += "#undef WIDE\n#undef TO_WIDE\n";
    }
    text
}

fn extension(feature: Feature) -> &'static str {
    match feature {
        Feature::Float16 => "float16",
        Feature::Float64 => "float64",
        Feature::Int16 => "int16",
        Feature::Int64 => "int64",
    }
}

fn name(of: Type) -> &'static str {
    match of {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Uint => "uint",
        Type::Float => "float",
        Type::Wide(Feature::Float16) => "float16_t",
        Type::Wide(Feature::Float64) => "double",
        Type::Wide(Feature::Int16) => "uint16_t",
        Type::Wide(Feature::Int64) => "uint64_t",
    }
}

/// The suffix of numbers of a type.
fn suffix(of: Type) -> &'static str {
    match of {
        Type::Wide(Feature::Float16) => "hf",
        Type::Wide(Feature::Float64) => "lf",
        Type::Wide(Feature::Int16) => "us",
        Type::Wide(Feature::Int64) => "ul",
        _ => "",
    }
}
