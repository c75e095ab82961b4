//! Programs as compute shaders in WGSL. It has no preprocessor, so C's runs before its compiler.

use std::fmt::Write;

use super::conditional::{self, Syntax};
use super::generate::{INPUTS, MOST};
use super::program::{Feature, LeftOut, Program, block};
use super::values::{Constant, Type, literal};

/// Macros before the program, for differences between the languages. Arrays have the most elements that they may have.
const MACROS: &str = "\
#include <spirv_if/conditions.h>
#define uint u32
#define int i32
#define float f32
#define VAR(of, name) var name: of
#define ARRAY(name, length) var name: array<u32, 4>
#define TO_UINT(x) u32(x)
#define TO_INT(x) i32(x)
#define TO_FLOAT(x) f32(x)
#define SELECT(condition, one, other) select(other, one, condition)
#define SHIFT(x) u32(x)
#define INNER(x) (*x)
#define REFERENCE(x) &x
#define BARRIER workgroupBarrier()
#define SIZE 4u
#define ALSO ,
#define ALSO_DEFAULT , default
#define END_CASE
#define NO_DEFAULT default: {}
#define DO loop
#define END_DO(condition) continuing { break if !(condition); } }
";

/// The source of a program, without some statements.
pub fn source(program: &Program, left_out: &LeftOut) -> String {
    let lines = |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let main = lines(&program.prologue) + &block(&program.body, left_out, 1) + &lines(&program.epilogue);
    let called = program.called(&main, left_out);
    // A constant that nothing reads is kept, and its type with it.
    let is_read = |constant: &Constant| {
        let name = constant.name();
        let reads = |text: &str| {
            let follows = |(at, _): (usize, &str)| text[at + name.len()..].chars().next();
            text.match_indices(&name)
                .any(|occurrence| !follows(occurrence).is_some_and(|next| next.is_ascii_digit()))
        };
        called.iter().any(|(function, body)| {
            reads(body) || function.prologue.iter().chain([&function.end]).any(|line| reads(line))
        })
    };
    let is_used = |feature: Feature| called.iter().any(|(function, _)| function.feature == Some(feature));
    let mut text = String::new();
    if is_used(Feature::Float16) {
        text += "enable f16;\n";
    }
    text += MACROS;
    text += "struct S { a: i32, b: u32, c: f32 }\n";
    let _ = writeln!(text, "@group(0) @binding(0) var<storage, read> data: array<u32, {INPUTS}>;");
    text += "@group(0) @binding(1) var<storage, read_write> results: array<u32>;\n";
    let _ = writeln!(text, "var<workgroup> tile: array<u32, {MOST}>;\nvar<private> g0: u32 = 5u;");
    for constant in program.constants.iter().filter(|constant| Some(constant.id) != program.size) {
        if matches!(constant.of, Type::Wide(_)) && !is_read(constant) {
            continue;
        }
        let (id, of, default) = (constant.id, name(constant.of), number(constant.of, &constant.default));
        let _ = writeln!(text, "#ifndef PLAIN\n#define VALUE_{id} {default}\n#endif");
        // naga gives overrides their values before it writes a module. So they are variables, which naga.rs replaces by specialization constants.
        let _ = writeln!(text, "var<private> s{id}: {of} = VALUE_{id};");
    }
    for (_, derived, value) in &program.derived {
        let _ = writeln!(text, "#define {derived} ({value})");
    }
    for (function, body) in &called {
        text += &conditional::definition(function, body, &SYNTAX);
    }
    text += "@compute @workgroup_size(4)\n";
    text += "fn main(@builtin(global_invocation_id) of_all: vec3<u32>, @builtin(local_invocation_index) own: u32) {\n";
    text += "    let me = of_all.x;\n";
    text + &main + "}\n"
}

/// Functions in WGSL.
const SYNTAX: Syntax = Syntax {
    name,
    parameter: |of, name, is_inout| match is_inout {
        true => format!("{name}: ptr<function, {of}>"),
        false => format!("{name}: {of}"),
    },
    signature: |name, parameters, result| {
        let result = result.map_or(String::new(), |of| format!(" -> {of}"));
        format!("fn {name}({parameters}){result}")
    },
    prefix: "",
};

/// A number as the source has it.
pub fn number(of: Type, value: &str) -> String {
    let suffix = match of {
        Type::Wide(Feature::Float16) => "h",
        Type::Wide(Feature::Float64) => "lf",
        Type::Wide(Feature::Int64) => "lu",
        _ => "",
    };
    literal(of, value) + suffix
}

fn name(of: Type) -> &'static str {
    match of {
        Type::Bool => "bool",
        Type::Int => "i32",
        Type::Uint => "u32",
        Type::Float => "f32",
        Type::Wide(Feature::Float16) => "f16",
        Type::Wide(Feature::Float64) => "f64",
        Type::Wide(Feature::Int16) => "u16",
        Type::Wide(Feature::Int64) => "u64",
    }
}
