//! A random shader in GLSL as declarations and statements, any of which can be removed.

use std::fmt::Write;

use crate::search::program::{LIKE_C, LeftOut, Statement, block};
use crate::search::values::{Constant, Type, literal};

/// The words that shaders read.
pub const INPUTS: usize = 64;
/// The words that shaders write.
pub const RESULTS: usize = 16;

/// Macros for what expressions of random programs write, and declarations of every shader.
const HEAD: &str = "\
#define TO_UINT(x) uint(x)
#define TO_INT(x) int(x)
#define TO_FLOAT(x) float(x)
layout(local_size_x = 1) in;
struct S { int a; uint b; float c; bool d; };
";

/// A function.
pub struct Routine {
    pub name: String,
    /// Result and parameters: `uint NAME(bool p0)`.
    pub head: String,
    pub prologue: Vec<String>,
    pub body: Vec<Statement>,
    /// The last statement.
    pub end: String,
}

/// A declaration before the entry point. Unused ones are omitted.
pub enum ShaderDeclaration {
    /// A variable or a table: its name and its text.
    Global(String, String),
    Routine(Routine),
}

pub struct RandomShader {
    pub constants: Vec<Constant>,
    pub declarations: Vec<ShaderDeclaration>,
    pub prologue: Vec<String>,
    pub body: Vec<Statement>,
    pub epilogue: Vec<String>,
    /// The number of statements.
    pub statements: u32,
}

impl RandomShader {
    /// Returns the source without some statements.
    pub fn source(&self, left_out: &LeftOut) -> String {
        let mut main = "void main() {\n".to_owned();
        for line in &self.prologue {
            let _ = writeln!(main, "    {line}");
        }
        main += &block(&self.body, left_out, 1);
        for line in &self.epilogue {
            let _ = writeln!(main, "    {line}");
        }
        main += "}\n";
        let mut texts = vec![main];
        for declaration in self.declarations.iter().rev() {
            let (name, text) = match declaration {
                ShaderDeclaration::Global(name, text) => (name, format!("{text}\n")),
                ShaderDeclaration::Routine(routine) => (&routine.name, routine.text(left_out)),
            };
            if texts.iter().any(|user| mentions(user, name)) {
                texts.push(text);
            }
        }
        let mut source = format!("#version 450\n{}{LIKE_C}{HEAD}", extensions(&texts));
        let _ = writeln!(
            source,
            "layout(std430, binding = 0) readonly buffer Inputs {{ uint data[{INPUTS}]; }};"
        );
        let _ =
            writeln!(source, "layout(std430, binding = 1) buffer Results {{ uint results[{RESULTS}]; }};");
        for constant in &self.constants {
            let (id, of) = (constant.id, name_of(constant.of));
            let default = literal(constant.of, &constant.default);
            let _ = writeln!(source, "layout(constant_id = {id}) const {of} s{id} = {default};");
        }
        texts.iter().rev().for_each(|text| source += text);
        source
    }
}

impl Routine {
    fn text(&self, left_out: &LeftOut) -> String {
        let mut text = format!("{} {{\n", self.head);
        for line in &self.prologue {
            let _ = writeln!(text, "    {line}");
        }
        text += &block(&self.body, left_out, 1);
        let _ = writeln!(text, "    {}\n}}", self.end);
        text
    }
}

/// Returns the lines that require the extensions of types in the text.
fn extensions(texts: &[String]) -> String {
    let types = [("uint8_t", "int8"), ("int16_t", "int16"), ("uint64_t", "int64"), ("float16_t", "float16")];
    let used = types.iter().filter(|(name, _)| texts.iter().any(|text| mentions(text, name)));
    used.map(|(_, extension)| {
        format!("#extension GL_EXT_shader_explicit_arithmetic_types_{extension} : require\n")
    })
    .collect()
}

/// Returns true if a text has a name as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// Returns the name of a type.
pub fn name_of(of: Type) -> &'static str {
    match of {
        Type::Bool => "bool",
        Type::Int => "int",
        Type::Uint => "uint",
        Type::Float => "float",
        Type::Wide(_) => "double",
    }
}
