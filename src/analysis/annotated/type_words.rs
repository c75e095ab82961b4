//! Types in words, for people who must see how two differ.

use std::fmt::Write;

use spirv::{Op, StorageClass};

use crate::analysis::debug::names::Names;
use crate::analysis::in_one_line;
use crate::loader::Module;

/// How deep a type is described: beyond that, by its id.
const MAX_DEPTH: usize = 4;
/// How many parameters are described.
const MAX_PARAMETERS: usize = 16;

/// The type of a function: its result, then its parameters.
pub fn function_type(module: &Module, names: &Names, function: u32) -> String {
    let type_ =
        module.definition(function).and_then(|inst| module.definition_as(inst.word(4), Op::TypeFunction));
    let Some(type_) = type_ else { return "unknown".to_owned() };
    let mut text = format!("{}(", words(module, names, type_.word(2), 0));
    let parameters = type_.words_from(3);
    for (at, &parameter) in parameters.iter().take(MAX_PARAMETERS).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{}", words(module, names, parameter, 0));
    }
    text + if parameters.len() > MAX_PARAMETERS { ", ...)" } else { ")" }
}

fn words(module: &Module, names: &Names, id: u32, depth: usize) -> String {
    let of = |id: u32| words(module, names, id, depth + 1);
    let Some(inst) = module.definition(id).filter(|_| depth < MAX_DEPTH) else { return format!("%{id}") };
    match inst.op() {
        Some(Op::TypeVoid) => "void".to_owned(),
        Some(Op::TypeBool) => "bool".to_owned(),
        Some(Op::TypeInt) if inst.word(3) == 1 => format!("int{}", inst.word(2)),
        Some(Op::TypeInt) => format!("uint{}", inst.word(2)),
        Some(Op::TypeFloat) => format!("float{}", inst.word(2)),
        Some(Op::TypeVector) => format!("vector of {} {}", inst.word(3), of(inst.word(2))),
        Some(Op::TypeMatrix) => format!("matrix of {} {}", inst.word(3), of(inst.word(2))),
        Some(Op::TypeArray | Op::TypeRuntimeArray) => format!("array of {}", of(inst.word(2))),
        Some(Op::TypePointer) => match StorageClass::from_u32(inst.word(2)) {
            Some(class) => format!("{class:?} pointer to {}", of(inst.word(3))),
            None => format!("pointer to {}", of(inst.word(3))),
        },
        Some(Op::TypeStruct) => names
            .name(id)
            .map_or_else(|| format!("struct %{id}"), |name| format!("struct {}", in_one_line(&name))),
        _ => format!("{} %{id}", inst.name()),
    }
}
