//! Programs as kernels in OpenCL C, and in C++ for OpenCL.

use std::fmt::Write;

use super::conditional;
use super::generate::MOST;
use super::program::{Feature, Function, LIKE_C, LeftOut, Program, block};
use super::values::{Constant, Type, literal};
use crate::random::Random;

/// The units that a program can be compiled in.
pub const UNITS: usize = 3;

/// Macros before the program, for differences between the languages.
const MACROS: &str = "\
#define TO_UINT(x) ((uint)(x))
#define TO_INT(x) ((int)(x))
#define TO_FLOAT(x) ((float)(x))
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define SIZE ((uint)get_local_size(0))
#define KEPT static __attribute__((noinline))
#define EXPORTED
";

/// Parameters that the caller sees changed. C++ does not allow addresses of captured variables.
const POINTERS: &str = "#define INOUT *\n#define INNER(x) (*x)\n#define REFERENCE(x) &x\n";
const REFERENCES: &str = "#define INOUT &\n#define INNER(x) x\n#define REFERENCE(x) x\n";

/// Reads of constants. PLAIN programs have values VALUE_... instead; with READ_ONCE, functions begin with reading what they use.
const CONSTANTS: &str = "\
#if defined(PLAIN) || !defined(READ_ONCE)
#define READ(of, name, id, default)
#else
#define READ(of, name, id, default) const of name = __spirv_SpecConstant(id, (of)(default));
#endif
";

/// Actions for some devices. PLAIN programs get the features of the device as HAS_ macros; in OPEN ones, all actions happen.
const ACTIONS: &str = "\
#ifdef OPEN
#define WHERE(own) {
#define WHERE_BOTH(own, other) {
#define ELSE_WHERE(own) } {
#define OTHERWISE } {
#define END_WHERE }
#elif defined(PLAIN)
#define WHERE(own) if (HAS_##own) {
#define WHERE_BOTH(own, other) if (HAS_##own && HAS_##other) {
#define ELSE_WHERE(own) } else if (HAS_##own) {
#define OTHERWISE } else {
#define END_WHERE }
#else
#include <spirv_if/device_if.hpp>
using spirv_if::aspect;
#define WHERE(own) spirv_if::if_device_has<aspect::own>([&] {
#define WHERE_BOTH(own, other) spirv_if::if_device_has<aspect::own, aspect::other>([&] {
#define ELSE_WHERE(own) }).else_if_device_has<aspect::own>([&] {
#define OTHERWISE }).otherwise([&] {
#define END_WHERE });
#endif
";

/// The source of a program in OpenCL C, without some statements.
pub fn source(program: &Program, left_out: &LeftOut) -> String {
    let head = "#include <spirv_if/device_if.h>\n#define OVERLOADED __attribute__((overloadable))\n";
    written(program, left_out, &format!("{head}{POINTERS}"))
}

/// The source of a program in C++ for OpenCL.
pub fn source_in_cpp(program: &Program, left_out: &LeftOut) -> String {
    written(program, left_out, &format!("{ACTIONS}#define OVERLOADED\n{REFERENCES}"))
}

fn written(program: &Program, left_out: &LeftOut, head: &str) -> String {
    let lines = |lines: &[String]| lines.iter().map(|line| format!("    {line}\n")).collect::<String>();
    let main = lines(&program.prologue) + &block(&program.body, left_out, 1) + &lines(&program.epilogue);
    let called = program.called(&main, left_out);
    let mut text = String::new();
    for (feature, extension) in [(Feature::Float16, "cl_khr_fp16"), (Feature::Float64, "cl_khr_fp64")] {
        if called.iter().any(|(function, _)| function.feature == Some(feature)) {
            let _ = writeln!(text, "#pragma OPENCL EXTENSION {extension} : enable");
        }
    }
    text += head;
    text += LIKE_C;
    text += MACROS;
    text += CONSTANTS;
    let is_read = |constant: &&Constant| match constant.of {
        Type::Wide(feature) => called.iter().any(|(function, _)| function.feature == Some(feature)),
        _ => Some(constant.id) != program.size,
    };
    let constants: Vec<&Constant> = program.constants.iter().filter(is_read).collect();
    let mut types: Vec<Type> = Vec::new();
    for constant in &constants {
        if !types.contains(&constant.of) {
            types.push(constant.of);
            let of = name(constant.of);
            let _ = writeln!(text, "{of} OVERLOADED __spirv_SpecConstant(int, {of});");
        }
    }
    for constant in &constants {
        let (id, of) = (constant.id, name(constant.of));
        let default = number(constant.of, &constant.default);
        let _ = writeln!(text, "#ifdef PLAIN\n#define s{id} (({of})(VALUE_{id}))");
        let _ = writeln!(text, "#elif !defined(READ_ONCE)");
        let _ = writeln!(text, "#define s{id} __spirv_SpecConstant({id}, ({of})({default}))\n#endif");
    }
    for (of, derived, value) in &program.derived {
        let _ = writeln!(text, "#define {derived} (({})({value}))", name(*of));
    }
    // Arrays have the most elements that they may have.
    text += "#define ARRAY(name, length) uint name[4]\ntypedef struct { int a; uint b; float c; } S;\n";
    let reads = |body: &str| reads(program, &constants, body);
    for (function, body) in &called {
        text += &function_text(function, body, reads);
    }
    let _ = writeln!(text, "#if {}", is_in(0));
    text += "__kernel void run(__global const uint *data, __global uint *results) {\n";
    let _ = writeln!(text, "    __local uint tile[{MOST}];");
    text +=
        "    uint me = (uint)get_global_id(0);\n    uint own = (uint)get_local_id(0);\n    uint g0 = 5u;\n";
    text + &reads(&main) + &main + "}\n#endif\n"
}

/// Reads of the constants that a body uses, by themselves or in constants that are expressions of them.
fn reads(program: &Program, constants: &[&Constant], body: &str) -> String {
    let mut used = body.to_owned();
    for (_, name, value) in program.derived.iter().rev() {
        if used.contains(name) {
            used += value;
        }
    }
    let mut text = String::new();
    for constant in constants.iter().filter(|constant| used.contains(&constant.name())) {
        let (id, of) = (constant.id, name(constant.of));
        let _ = writeln!(text, "    READ({of}, s{id}, {id}, {})", number(constant.of, &constant.default));
    }
    text
}

/// A function, which sees the inputs too. One that is called on some devices only is called by a macro of its name.
fn function_text(function: &Function, body: &str, reads: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    if let Some(feature) = function.feature {
        let wide = name(Type::Wide(feature));
        let _ = writeln!(text, "#define WIDE {wide}\n#define TO_WIDE(x) (({wide})(x))");
    }
    let mut parameters = vec!["__global const uint *data".to_owned()];
    parameters.extend(function.parameters.iter().map(|(of, parameter, is_inout)| {
        let parameter = parameter.trim_start_matches("INNER(").trim_end_matches(')');
        format!("{}{} {parameter}", name(*of), if *is_inout { " INOUT" } else { "" })
    }));
    let (function_name, parameters) = (&function.name, parameters.join(", "));
    let prologue: String = function.prologue.iter().map(|line| format!("    {line}\n")).collect();
    let body = format!("{prologue}{body}    {}\n", function.end);
    let body = format!("{{\n{}{body}}}\n", reads(&body));
    let result = function.result.map_or("void", name);
    if function.feature.is_some() {
        // An export that nothing calls any more would be required of every device, so each unit has its own.
        let _ = writeln!(text, "WIDE_OWN {result} {function_name}({parameters}) {body}");
    } else {
        if function.condition.is_empty() {
            let _ = writeln!(text, "#define HEAD OWN {result} {function_name}({parameters})");
        } else {
            let condition = conditional::condition(function);
            let _ =
                writeln!(text, "#ifdef PLAIN\n#define HEAD OWN void {function_name}({parameters})\n#else");
            let _ = writeln!(
                text,
                "#define HEAD CONDITIONAL void IF_DEVICE({condition}, {function_name})({parameters})\n#endif"
            );
        }
        let unit = function_name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(0) % UNITS;
        let _ = writeln!(text, "HEAD;\n#if {}\nHEAD {body}#endif\n#undef HEAD", is_in(unit));
    }
    let call = match function.condition.is_empty() {
        true => format!("#define {function_name}(...) {function_name}(data, __VA_ARGS__)\n"),
        false => conditional::call(function, "data, "),
    };
    text += &call;
    if function.feature.is_some() {
        text += "#undef WIDE\n#undef TO_WIDE\n";
    }
    text
}

/// A test of the preprocessor: a unit is the whole program, or contains the code under it.
fn is_in(unit: usize) -> String {
    format!("!defined(UNIT) || UNIT == {unit}")
}

/// The options of a compiler for one of the units of a program, optimized as it may be.
pub fn unit(unit: usize, random: &mut Random) -> Vec<String> {
    let level = *random.pick(&["-O0", "-O0", "-O1", "-O2"]);
    [&format!("-DUNIT={unit}"), "-DOWN=EXPORTED", "-DWIDE_OWN=static", level].map(str::to_owned).to_vec()
}

/// A number as the source has it.
pub fn number(of: Type, value: &str) -> String {
    let suffix = match of {
        Type::Wide(Feature::Float16) => "f",
        Type::Wide(Feature::Int64) => "ul",
        _ => "",
    };
    literal(of, value) + suffix
}

fn name(of: Type) -> &'static str {
    match of {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Uint => "uint",
        Type::Float => "float",
        Type::Wide(Feature::Float16) => "half",
        Type::Wide(Feature::Float64) => "double",
        Type::Wide(Feature::Int16) => "ushort",
        Type::Wide(Feature::Int64) => "ulong",
    }
}
