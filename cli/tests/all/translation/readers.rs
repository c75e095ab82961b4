//! The ways in which shaders read a specialization constant other than by its name. Each has its declarations, and is an expression of one of the
//! types of all random programs.

use super::generate::ShaderGenerator;
use super::shader::name_of;
use crate::search::values::Type;

/// A way to read constants.
#[derive(Clone, Copy, Debug)]
pub enum ConstantReader {
    /// A constant that is an expression of others.
    Derived,
    /// A function that returns a constant.
    Accessor,
    /// A function that tests bits of a word that another function returns.
    Bit,
    /// A field of bits, by shifts or by bitfieldExtract.
    Field,
    /// The choice between two values, by an operator, by branches, or by a switch.
    Choice,
    /// A table of literals with an index.
    Table,
    /// Members of a structure that a function returns.
    Structure,
    /// A structure as a parameter.
    StructureParameter,
    /// A parameter with a constant argument.
    Parameter,
    /// A parameter that the function writes.
    OutParameter,
    /// A local variable, perhaps set in branches.
    Local,
    /// Elements of an array with constant indices.
    Array,
    /// Components of a vector.
    Vector,
    /// A loop that a constant bounds.
    Loop,
    /// Instructions with two results.
    TwoResults,
    /// The exponent or the fraction of a number.
    FloatParts,
    /// Integers of other widths.
    OtherWidths,
    /// Functions of GLSL on integers.
    BuiltIn,
}

pub const READERS: [ConstantReader; 18] = [
    ConstantReader::Derived,
    ConstantReader::Accessor,
    ConstantReader::Bit,
    ConstantReader::Field,
    ConstantReader::Choice,
    ConstantReader::Table,
    ConstantReader::Structure,
    ConstantReader::StructureParameter,
    ConstantReader::Parameter,
    ConstantReader::OutParameter,
    ConstantReader::Local,
    ConstantReader::Array,
    ConstantReader::Vector,
    ConstantReader::Loop,
    ConstantReader::TwoResults,
    ConstantReader::FloatParts,
    ConstantReader::OtherWidths,
    ConstantReader::BuiltIn,
];

impl ShaderGenerator {
    /// Adds the declarations of a way to read constants. Returns its types and expressions.
    pub fn reader(&mut self, reader: ConstantReader) -> Vec<(Type, String)> {
        let name = self.fresh("read");
        match reader {
            ConstantReader::Derived => {
                let (one, other, condition) = (
                    self.spec_constant(Type::Uint),
                    self.spec_constant(Type::Uint),
                    self.spec_constant(Type::Bool),
                );
                let (of, text) = match self.random.below(5) {
                    0 => (Type::Uint, format!("({one} & 3u) + 1u")),
                    1 => (Type::Uint, format!("{condition} ? {one} : {other}")),
                    2 => (Type::Bool, format!("{one} == 2u || {condition}")),
                    3 => (Type::Bool, format!("(({one} >> 1) & 1u) != 0u")),
                    _ => (Type::Uint, format!("{one} * 3u ^ {other}")),
                };
                self.declare_global(&name, format!("const {} {name} = {text};", name_of(of)));
                vec![(of, name)]
            }
            ConstantReader::Accessor => {
                let of = *self.random.pick(&[Type::Bool, Type::Int, Type::Uint, Type::Uint, Type::Float]);
                let value = self.leaf(of);
                self.declare(&name, format!("{} {name}()", name_of(of)), &[], format!("return {value};"));
                vec![(of, format!("{name}()"))]
            }
            ConstantReader::Bit => {
                let (word, at) = (self.leaf(Type::Uint), self.random.below(4));
                let text = match self.random.below(3) {
                    0 => format!("(({word} >> {at}) & 1u) != 0u"),
                    1 => format!("({word} & {}u) == {}u", 1 << at, 1 << at),
                    _ => format!("bool(bitfieldExtract({word}, {at}, 1))"),
                };
                self.declare(&name, format!("bool {name}()"), &[], format!("return {text};"));
                vec![(Type::Bool, format!("{name}()"))]
            }
            ConstantReader::Field => {
                let (word, at) = (self.leaf(Type::Uint), self.random.below(6));
                let width = 1 + self.random.below(4);
                let other = self.leaf(Type::Uint);
                let text = match self.random.below(4) {
                    0 => format!("({word} >> {at}) & {}u", (1 << width) - 1),
                    1 => format!("bitfieldExtract({word}, {at}, {width})"),
                    2 => format!("uint(bitfieldExtract(int({word}), {at}, {width}))"),
                    _ => format!("bitfieldInsert({word}, {other}, {at}, {width})"),
                };
                self.declare(&name, format!("uint {name}()"), &[], format!("return {text};"));
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::Choice => {
                let of = *self.random.pick(&[Type::Int, Type::Uint, Type::Bool]);
                let condition = self.leaf(Type::Bool);
                let (one, other, number) = (self.simple(of), self.simple(of), self.leaf(Type::Uint));
                let (prologue, end) = match self.random.below(3) {
                    0 => (None, format!("return {condition} ? {one} : {other};")),
                    1 => (Some(format!("if ({condition}) {{ return {one}; }}")), format!("return {other};")),
                    _ => {
                        let third = self.simple(of);
                        let cases = format!(
                            "switch ({number} & 3u) {{ case 0u: return {one}; case 1u: case 2u: return {third}; }}"
                        );
                        (Some(cases), format!("return {other};"))
                    }
                };
                let prologue: Vec<String> = prologue.into_iter().collect();
                self.declare(&name, format!("{} {name}()", name_of(of)), &prologue, end);
                vec![(of, format!("{name}()"))]
            }
            ConstantReader::Table => {
                let values: Vec<String> = (0..4).map(|_| format!("{}u", self.random.below(9))).collect();
                self.declare_global(&name, format!("const uint {name}[4] = uint[4]({});", values.join(", ")));
                let index = self.leaf(Type::Uint);
                vec![(Type::Uint, format!("{name}[{index} & 3u]"))]
            }
            ConstantReader::Structure => {
                let prologue = self.structure("s");
                self.declare(&name, format!("S {name}()"), &prologue, "return s;".to_owned());
                let members = [(Type::Int, "a"), (Type::Uint, "b"), (Type::Float, "c"), (Type::Bool, "d")];
                self.structures.push(format!("{name}()"));
                members.iter().map(|(of, member)| (*of, format!("{name}().{member}"))).collect()
            }
            ConstantReader::StructureParameter => {
                let end = "return s.d ? s.b : uint(s.a) + 7u;".to_owned();
                let inner = self.fresh("of_structure");
                self.declare(&inner, format!("uint {inner}(S s)"), &[], end);
                let prologue = self.structure("own");
                self.declare(&name, format!("uint {name}()"), &prologue, format!("return {inner}(own);"));
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::Parameter => {
                let word = self.leaf(Type::Uint);
                let condition = self.leaf(Type::Bool);
                let prologue = vec![format!("if (!p1) {{ return {condition}; }}")];
                let end = format!("return ({word} & p0) != 0u;");
                self.declare(&name, format!("bool {name}(uint p0, bool p1)"), &prologue, end);
                let first = self.leaf(Type::Bool);
                vec![
                    (Type::Bool, format!("{name}(1u, true)")),
                    (Type::Bool, format!("{name}(6u, {first})")),
                    (Type::Bool, format!("{name}(2u, false)")),
                ]
            }
            ConstantReader::OutParameter => {
                let (one, condition) = (self.leaf(Type::Uint), self.leaf(Type::Bool));
                let inner = self.fresh("set");
                let prologue = vec![format!("x = {one};"), format!("if ({condition}) {{ y += x; }}")];
                self.declare(
                    &inner,
                    format!("void {inner}(out uint x, inout uint y)"),
                    &prologue,
                    String::new(),
                );
                let prologue =
                    vec!["uint x;".to_owned(), "uint y = 1u;".to_owned(), format!("{inner}(x, y);")];
                let end = self.random.pick(&["return x;", "return y;", "return x ^ y;"]).to_string();
                self.declare(&name, format!("uint {name}()"), &prologue, end);
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::Local => {
                let (one, other, condition) =
                    (self.leaf(Type::Uint), self.leaf(Type::Uint), self.leaf(Type::Bool));
                let mut prologue = vec![format!("uint x = {one};"), "bool c;".to_owned()];
                prologue.push(format!("c = {condition};"));
                if self.random.chance(50) {
                    prologue.push(format!("if (c) {{ x = {other}; }}"));
                }
                if self.random.chance(30) {
                    prologue.push(format!("if (data[3] > 100u) {{ x = x & {other}; }}"));
                }
                self.declare(&name, format!("uint {name}()"), &prologue, "return c ? x : x + 1u;".to_owned());
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::Array => {
                let (one, index) = (self.leaf(Type::Uint), self.leaf(Type::Uint));
                let first = self.simple(Type::Uint);
                let mut prologue = vec![format!("uint a[4] = uint[4]({one}, {first}, 2u, 5u);")];
                match self.random.below(4) {
                    0 => prologue.push(format!("a[{index} & 3u] = 9u;")),
                    1 => prologue.push("a[data[2] & 3u] = 4u;".to_owned()),
                    2 => prologue.push("uint b[4] = a; a[1] += b[0]; a = b;".to_owned()),
                    _ => {}
                }
                let at = self.random.below(4);
                let end = match self.random.below(3) {
                    0 => format!("return a[{index} & 3u];"),
                    _ => format!("return a[{at}];"),
                };
                self.declare(&name, format!("uint {name}()"), &prologue, end);
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::Vector => {
                let (one, other, index) =
                    (self.leaf(Type::Uint), self.leaf(Type::Int), self.leaf(Type::Uint));
                let mut prologue = vec![format!("uvec4 v = uvec4({one}, uint({other}), 3u, {index});")];
                prologue.push(match self.random.below(4) {
                    0 => "v.yx = v.wz;".to_owned(),
                    1 => "v = v * 3u + v.wzyx;".to_owned(),
                    2 => format!("v[{index} & 3u] = 8u;"),
                    _ => "v.x ^= v.w;".to_owned(),
                });
                let (of, end) = match self.random.below(4) {
                    0 => (Type::Uint, format!("return v[{index} & 3u];")),
                    1 => (Type::Bool, "return any(greaterThan(v, uvec4(3u)));".to_owned()),
                    2 => (Type::Bool, "return v.xy == v.zw;".to_owned()),
                    _ => (Type::Uint, "return v.x;".to_owned()),
                };
                self.declare(&name, format!("{} {name}()", name_of(of)), &prologue, end);
                vec![(of, format!("{name}()"))]
            }
            ConstantReader::Loop => {
                let (count, condition) = (self.leaf(Type::Uint), self.leaf(Type::Bool));
                let prologue = vec![
                    "uint n = 0u;".to_owned(),
                    format!("for (uint k = 0u; k < ({count} & 3u); k++) {{"),
                    format!("    if ({condition} && k == 1u) {{ continue; }}"),
                    "    n += k + 1u;".to_owned(),
                    "}".to_owned(),
                ];
                self.declare(&name, format!("uint {name}()"), &prologue, "return n;".to_owned());
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::TwoResults => {
                let (one, other) = (self.leaf(Type::Uint), self.leaf(Type::Uint));
                let prologue = match self.random.below(4) {
                    0 => format!("uint x; uint y = uaddCarry({one}, {other} | 0xfffffff0u, x);"),
                    1 => format!("uint x; uint y = usubBorrow({one}, {other}, x);"),
                    2 => format!("uint x; uint y; umulExtended({one} * 0x10000001u, {other}, x, y);"),
                    _ => format!(
                        "int v; int w; imulExtended(int({one}), -int({other}), v, w); uint x = uint(v), y = uint(w);"
                    ),
                };
                let end = self.random.pick(&["return x;", "return y;", "return x + y * 2u;"]).to_string();
                self.declare(&name, format!("uint {name}()"), &[prologue], end);
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::FloatParts => {
                let value = self.leaf(Type::Float);
                let (of, prologue, end) = match self.random.below(4) {
                    0 => (Type::Int, format!("int e; float m = frexp({value}, e);"), "return e;"),
                    1 => (Type::Bool, format!("int e; float m = frexp({value}, e);"), "return m > 0.6;"),
                    2 => (Type::Float, format!("float w; float f = modf({value}, w);"), "return w;"),
                    _ => (Type::Bool, format!("float w; float f = modf({value}, w);"), "return f == 0.5;"),
                };
                self.declare(&name, format!("{} {name}()", name_of(of)), &[prologue], end.to_owned());
                vec![(of, format!("{name}()"))]
            }
            ConstantReader::OtherWidths => {
                let (one, other) = (self.leaf(Type::Uint), self.leaf(Type::Int));
                let text = match self.random.below(4) {
                    0 => format!("uint((uint64_t({one}) << 33 | uint64_t({one})) >> 31)"),
                    1 => format!("uint(int16_t({other}) * int16_t(3))"),
                    2 => format!("uint(uint8_t({one}) + uint8_t(250))"),
                    _ => format!("uint(uint64_t({other}) >> 40)"),
                };
                self.declare(&name, format!("uint {name}()"), &[], format!("return {text};"));
                vec![(Type::Uint, format!("{name}()"))]
            }
            ConstantReader::BuiltIn => {
                let (one, other) = (self.leaf(Type::Int), self.leaf(Type::Uint));
                let text = match self.random.below(8) {
                    0 => format!("bitCount({other})"),
                    1 => format!("findLSB({other})"),
                    2 => format!("findMSB({one})"),
                    3 => format!("clamp({one}, -1, 2)"),
                    4 => format!("abs({one})"),
                    5 => format!("sign({one})"),
                    6 => format!("int(bitfieldReverse({other}) >> 28)"),
                    _ => format!("int(mix({one}, 3, {other} == 2u))"),
                };
                self.declare(&name, format!("int {name}()"), &[], format!("return {text};"));
                vec![(Type::Int, format!("{name}()"))]
            }
        }
    }

    /// Returns a specialization constant.
    pub fn spec_constant(&mut self, of: Type) -> String {
        let fitting = self.spec_constants.iter().filter(|(type_, _)| *type_ == of);
        let names: Vec<&String> = fitting.map(|(_, name)| name).collect();
        (*self.random.pick(&names)).clone()
    }

    /// Returns lines that declare a structure whose members are constants.
    fn structure(&mut self, name: &str) -> Vec<String> {
        let [a, b, c, d] = [Type::Int, Type::Uint, Type::Float, Type::Bool].map(|of| self.leaf(of));
        match self.random.chance(50) {
            true => vec![format!("S {name} = S({a}, {b}, {c}, {d});")],
            false => vec![
                format!("S {name};"),
                format!("{name}.a = {a}; {name}.b = {b};"),
                format!("{name}.c = {c}; {name}.d = {d};"),
            ],
        }
    }
}
