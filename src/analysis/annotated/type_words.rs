//! Types in words, for messages that show how two types differ.

use std::fmt::Write;

use spirv::{Op, StorageClass};

use crate::analysis::debug::names::Names;
use crate::analysis::in_one_line;
use crate::loader::{Module, views};

/// The depth to which a type is described; a deeper one is shown by its id.
const MAX_DEPTH: usize = 4;
/// The number of parameters that are described.
const MAX_PARAMETERS: usize = 16;

/// The type of a function: its result, then its parameters.
pub fn function_type(module: &Module, names: &Names, function: u32) -> String {
    let Some(type_) = module.function_type(function) else { return "unknown".to_owned() };
    let mut text = format!("{}(", words(module, names, type_.return_type(), 0));
    let parameters = type_.parameters();
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
        Some(Op::TypeInt) => {
            let type_ = views::TypeInt(inst);
            format!("{}{}", if type_.signedness() == 1 { "int" } else { "uint" }, type_.width())
        }
        Some(Op::TypeFloat) => views::TypeFloat(inst).to_string(),
        Some(Op::TypeVector) => {
            let vector = views::TypeVector(inst);
            format!("vector of {} {}", vector.component_count(), of(vector.component_type()))
        }
        Some(Op::TypeMatrix) => {
            let matrix = views::TypeMatrix(inst);
            format!("matrix of {} {}", matrix.column_count(), of(matrix.column_type()))
        }
        Some(Op::TypeArray | Op::TypeRuntimeArray) => {
            format!("array of {}", of(views::AnyArray(inst).element_type()))
        }
        Some(Op::TypePointer) => {
            let pointer = views::TypePointer(inst);
            match StorageClass::from_u32(pointer.storage_class()) {
                Some(class) => format!("{class:?} pointer to {}", of(pointer.pointee())),
                None => format!("pointer to {}", of(pointer.pointee())),
            }
        }
        Some(Op::TypeStruct) => names
            .name(id)
            .map_or_else(|| format!("struct %{id}"), |name| format!("struct {}", in_one_line(&name))),
        _ => format!("{} %{id}", inst.name()),
    }
}
