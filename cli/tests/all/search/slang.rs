//! Programs as compute shaders in Slang.

use std::fmt::Write;

use super::conditional::{self, Syntax};
use super::generate::MOST;
use super::program::{Feature, LIKE_C, LeftOut, Program, block};
use super::values::{Type, literal};

/// Macros before the program, for differences between the languages. Lengths of arrays must be known, so they have the most elements that they may
/// have.
const MACROS: &str = "\
#include <spirv_if/device_if.slang>
#define TO_UINT(x) uint(x)
#define TO_INT(x) int(x)
#define TO_FLOAT(x) float(x)
#define INNER(x) x
#define REFERENCE(x) x
#define ARRAY(name, length) uint name[4]
#define SIZE 4u
#define BARRIER GroupMemoryBarrierWithGroupSync()
";

/// Declarations of all programs.
const DECLARATIONS: &str = "\
struct S { int a; uint b; float c; };
StructuredBuffer<uint> data;
RWStructuredBuffer<uint> results;
static uint g0 = 5u;
";

/// The source of a program, without some statements.
pub fn source(program: &Program, left_out: &LeftOut) -> String {
    let lines = |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let main = lines(&program.prologue) + &block(&program.body, left_out, 1) + &lines(&program.epilogue);
    let called = program.called(&main, left_out);
    let mut text = MACROS.to_owned() + LIKE_C + DECLARATIONS;
    let _ = writeln!(text, "groupshared uint tile[{MOST}];");
    let is_used = |feature: Feature| called.iter().any(|(function, _)| function.feature == Some(feature));
    for constant in program.constants.iter().filter(|constant| Some(constant.id) != program.size) {
        if matches!(constant.of, Type::Wide(feature) if !is_used(feature)) {
            continue;
        }
        let (id, of, default) = (constant.id, name(constant.of), number(constant.of, &constant.default));
        let _ = writeln!(text, "#ifdef PLAIN\nstatic const {of} s{id} = VALUE_{id};\n#else");
        let _ = writeln!(text, "[vk::constant_id({id})] const {of} s{id} = {default};\n#endif");
    }
    for (of, derived, value) in &program.derived {
        let _ = writeln!(text, "static const {} {derived} = {value};", name(*of));
    }
    for (function, body) in &called {
        text += &conditional::definition(function, body, &SYNTAX);
    }
    text += "[shader(\"compute\")]\n[numthreads(4, 1, 1)]\n";
    text += "void main(uint3 of_all: SV_DispatchThreadID, uint3 of_group: SV_GroupThreadID) {\n";
    text += "    uint me = of_all.x;\n    uint own = of_group.x;\n";
    text + &main + "}\n"
}

/// Functions in Slang.
const SYNTAX: Syntax = Syntax {
    name,
    parameter: |of, name, is_inout| format!("{}{of} {name}", if is_inout { "inout " } else { "" }),
    signature: |name, parameters, result| format!("{} {name}({parameters})", result.unwrap_or("void")),
    prefix: "CONDITIONAL ",
};

/// A number as the source has it.
pub fn number(of: Type, value: &str) -> String {
    literal(of, value)
}

fn name(of: Type) -> &'static str {
    match of {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Uint => "uint",
        Type::Float => "float",
        Type::Wide(Feature::Float16) => "half",
        Type::Wide(Feature::Float64) => "double",
        Type::Wide(Feature::Int16) => "uint16_t",
        Type::Wide(Feature::Int64) => "uint64_t",
    }
}
