//! Modules as text, in the syntax of SPIRV-Tools.

use std::fmt::Write;

use rspirv::grammar::{OperandKind, ext_inst_table};
use spirv::Op;

use super::grammar::{self, TrailingOperands};
use super::operands::string_words;
use super::{Instruction, Module, Visitor};

/// The kind of a word of an instruction, if it needs its own notation.
#[derive(Clone, Copy, PartialEq)]
enum Written {
    Number,
    Id,
    /// The start of a string.
    String,
    /// An enumerant, or a mask of them.
    Enumerant(OperandKind),
}

/// The kinds of the words of an instruction.
struct WordKinds(Vec<Written>);

impl Visitor for WordKinds {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, at: usize, _: u32) {
        self.0[at] = Written::Id;
    }

    /// Visits a word of an unknown instruction: it is a number.
    fn possible_id(&mut self, _: usize, _: u32) {}

    fn operand(&mut self, at: usize, kind: OperandKind) {
        self.0[at] = match kind {
            OperandKind::LiteralString => Written::String,
            kind => Written::Enumerant(kind),
        };
    }
}

/// Returns the instructions of a module, one a line, as `spirv-dis --raw-id --no-header --no-indent` writes them. Floating-point numbers have as few
/// digits as they need, and numbers of debug information stay numbers.
pub fn disassembly(module: &Module) -> String {
    let mut text = String::new();
    let mut kinds = WordKinds(Vec::new());
    for inst in module.instructions() {
        kinds.0.clear();
        kinds.0.resize(inst.words().len(), Written::Number);
        module.walk(&inst, &mut kinds);
        line(module, &inst, &mut kinds.0, &mut text);
        text.push('\n');
    }
    text
}

/// Writes one instruction.
fn line(module: &Module, inst: &Instruction, kinds: &mut [Written], text: &mut String) {
    let words = inst.words();
    let layout = grammar::layout(inst.opcode());
    let result = layout.and_then(|layout| layout.result_word()).filter(|at| *at < words.len());
    if let Some(at) = result {
        let _ = write!(text, "%{} = ", words[at]);
    }
    text.push_str(&inst.name());
    let tail = layout.map_or(words.len(), |layout| layout.ids_end(words.len()));
    let is_number = layout.is_some_and(|layout| layout.tail == TrailingOperands::Number);
    if layout.is_some_and(|layout| layout.tail == TrailingOperands::String)
        && let Some(kind) = kinds.get_mut(tail)
    {
        *kind = Written::String;
    }
    let mut at = 1;
    while at < words.len() {
        if Some(at) == result {
            at += 1;
            continue;
        }
        text.push(' ');
        at += match (kinds[at], inst.op()) {
            (Written::Id, _) => {
                let _ = write!(text, "%{}", words[at]);
                1
            }
            (Written::String, _) => {
                let _ = write!(text, "\"{}\"", inst.string(at).replace('\\', "\\\\").replace('"', "\\\""));
                string_words(&words[at..]).unwrap_or(words.len())
            }
            (Written::Enumerant(kind), _) => {
                text.push_str(&enumerants(kind, words[at]));
                1
            }
            (Written::Number, _) if is_number && at == tail => {
                number(module, words[1], &words[at..], text);
                words.len()
            }
            // The literals of a switch are of the type of its selector, and a label follows each.
            (Written::Number, Some(Op::Switch)) => {
                let count = kinds[at..].iter().take_while(|kind| **kind == Written::Number).count();
                let selector = module.definition(words[1]).map_or(0, |selector| selector.word(1));
                number(module, selector, &words[at..at + count], text);
                count
            }
            (Written::Number, Some(Op::SpecConstantOp)) if at == 3 => {
                let name =
                    u16::try_from(words[at]).map_or_else(|_| words[at].to_string(), grammar::opcode_name);
                text.push_str(name.strip_prefix("Op").unwrap_or(&name));
                1
            }
            (Written::Number, Some(Op::ExtInst)) if at == 4 => {
                text.push_str(&extended_name(module, words[3], words[at]));
                1
            }
            (Written::Number, _) => {
                let _ = write!(text, "{}", words[at]);
                1
            }
        };
    }
}

/// Returns the names of the enumerants of a value: of a mask, all that are set.
fn enumerants(kind: OperandKind, value: u32) -> String {
    let name = |value| {
        let newer = || grammar::newer_name(kind, value).map(str::to_owned);
        let name = grammar::enumerant_name(kind, value).or_else(newer).unwrap_or_else(|| value.to_string());
        // Identifiers do not begin with a digit: 2D is `Dim2D`.
        if kind == OperandKind::Dim { name.replace("Dim", "") } else { name }
    };
    let names: Vec<String> = grammar::enumerants(kind, value).map(name).collect();
    if names.is_empty() { "None".to_owned() } else { names.join("|") }
}

/// Returns the name of an extended instruction, or its number if the grammar does not have the set.
fn extended_name(module: &Module, set: u32, number: u32) -> String {
    let import = module.definition_as(set, Op::ExtInstImport);
    let table = import.and_then(|import| ext_inst_table(&import.string(2)));
    let known = table.and_then(|table| table.iter().find(|known| u32::from(known.opcode) == number));
    known.map_or_else(|| number.to_string(), |known| known.opname.to_owned())
}

/// Writes a number of a type, the lowest word first.
fn number(module: &Module, type_: u32, words: &[u32], text: &mut String) {
    let low = words.first().copied().unwrap_or_default();
    let bits = u64::from(low) | u64::from(words.get(1).copied().unwrap_or_default()) << 32;
    let type_ = module.definition(type_);
    let (op, width) = type_.map_or((None, 32), |type_| (type_.op(), type_.word(2)));
    let has_encoding = type_.is_some_and(|type_| type_.words().len() > 3);
    let _ = match (op, width) {
        (Some(Op::TypeFloat), 32) => write!(text, "{:?}", f32::from_bits(low)),
        (Some(Op::TypeFloat), 64) => write!(text, "{:?}", f64::from_bits(bits)),
        (Some(Op::TypeFloat), 16) if !has_encoding => write!(text, "{:?}", half(low)),
        (Some(Op::TypeInt), 1..=32) if type_.is_some_and(|type_| type_.word(3) != 0) => {
            write!(text, "{}", low as i32)
        }
        (Some(Op::TypeInt), 33..=64) if type_.is_some_and(|type_| type_.word(3) != 0) => {
            write!(text, "{}", bits as i64)
        }
        _ => write!(text, "{bits}"),
    };
}

/// Returns the value of a half-precision number.
fn half(bits: u32) -> f32 {
    let (exponent, fraction) = (bits >> 10 & 0x1f, (bits & 0x3ff) as f32);
    let magnitude = match exponent {
        0 => fraction / 1024.0 * 2.0_f32.powi(-14),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent as i32 - 15),
    };
    if bits & 0x8000 == 0 { magnitude } else { -magnitude }
}
