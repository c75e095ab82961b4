//! The functions that instructions become: those of `lowering`.

use std::sync::LazyLock;

use spirv::{Capability, Op};

use super::LowerableFeature;
use super::types::NumberForm;
use crate::collections::{IdMap, OrderedMap};
use crate::loader::{Instruction, Module, views};

const INT64: &[u8] = include_bytes!("../../../lowering/int64.spv");
const BFLOAT16: &[u8] = include_bytes!("../../../lowering/bfloat16.spv");
const FLOAT16: &[u8] = include_bytes!("../../../lowering/float16.spv");
const FLOAT64: &[u8] = include_bytes!("../../../lowering/float64.spv");
const FLOAT64_INT64: &[u8] = include_bytes!("../../../lowering/float64-int64.spv");

/// The maximum number of instructions of a function that is copied to where it is used.
const MAX_COPIED: usize = 32;

/// The compiled functions. All are known by their names.
pub struct Library {
    /// The module. No function is recursive.
    pub module: Module<'static>,
    by_name: OrderedMap<String, usize>,
    functions: Vec<LibraryFunction>,
}

/// A compiled function.
#[derive(Clone, Debug, Default)]
pub struct LibraryFunction {
    /// The name.
    pub name: String,
    /// The id of the type of its result.
    pub result_type: u32,
    /// The types and ids of its parameters.
    pub parameters: Vec<(u32, u32)>,
    /// True if its code is copied to where it is used: it has one block, and so have the functions that it calls.
    pub is_copied: bool,
}

/// Returns the library for a feature, which is read once.
pub fn library(feature: LowerableFeature, form: NumberForm) -> &'static Library {
    static OF_INT64: LazyLock<Library> = LazyLock::new(|| Library::read(INT64));
    static OF_BFLOAT16: LazyLock<Library> = LazyLock::new(|| Library::read(BFLOAT16));
    static OF_FLOAT16: LazyLock<Library> = LazyLock::new(|| Library::read(FLOAT16));
    static OF_FLOAT64: LazyLock<Library> = LazyLock::new(|| Library::read(FLOAT64));
    static OF_FLOAT64_INT64: LazyLock<Library> = LazyLock::new(|| Library::read(FLOAT64_INT64));
    match form {
        NumberForm::Float if feature.is_bfloat16() => &OF_BFLOAT16,
        NumberForm::Float | NumberForm::Memory => &OF_FLOAT16,
        NumberForm::Integer => &OF_FLOAT64_INT64,
        // No row for narrow integers names a function.
        NumberForm::Narrow => &OF_INT64,
        NumberForm::Words if feature.capability() == Capability::Float64 as u32 => &OF_FLOAT64,
        NumberForm::Words => &OF_INT64,
    }
}

impl Library {
    fn read(bytes: &'static [u8]) -> Library {
        #[expect(clippy::expect_used, reason = "the module is a part of the program, and a test reads it")]
        let module = Module::from_bytes(bytes).expect("the library is a module").to_owned();
        let names: IdMap<String> =
            module.names().map(|name| (name.target(), name.name().into_owned())).collect();
        let mut functions = vec![LibraryFunction::default(); module.functions().len()];
        let mut by_name = OrderedMap::new();
        for (number, function) in module.functions().iter().enumerate() {
            let Some(name) = names.get(&function.id) else { continue };
            by_name.insert(name.clone(), number);
            functions[number] = LibraryFunction {
                name: name.clone(),
                result_type: module.type_of(function.id).unwrap_or_default(),
                parameters: module.parameters(function).map(|inst| (inst.word(1), inst.word(2))).collect(),
                is_copied: false,
            };
        }
        let mut library = Library { module, by_name, functions };
        for number in 0..library.functions.len() {
            library.functions[number].is_copied = library.size(number, 0).is_some();
        }
        library
    }

    /// Counts the instructions of a function with those that it calls, if all have one block and they are few.
    fn size(&self, number: usize, depth: usize) -> Option<usize> {
        let mut size = 0;
        for inst in self.code(number) {
            size += match views::FunctionCall::new(inst) {
                _ if inst.is(Op::Label) => return None,
                Some(call) if depth < 8 => self.size(self.callee(call)?, depth + 1)?,
                Some(_) => return None,
                None => 1,
            };
            if size > MAX_COPIED {
                return None;
            }
        }
        Some(size)
    }

    /// Returns the number of the function with a name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Returns the number of the function that is called.
    pub fn callee(&self, call: views::FunctionCall) -> Option<usize> {
        self.module.function_index(call.callee())
    }

    /// Returns the function with a number.
    pub fn function(&self, number: usize) -> &LibraryFunction {
        &self.functions[number]
    }

    /// Returns true for a type that is a vector of so many words.
    pub fn is_of_words(&self, type_id: u32, count: u32) -> bool {
        let vector = self.module.definition(type_id).and_then(views::TypeVector::new);
        vector.is_some_and(|vector| vector.component_count() == count)
    }

    /// Returns true for the type of floats.
    pub fn is_float(&self, type_id: u32) -> bool {
        self.module.definition(type_id).is_some_and(|type_| type_.is(Op::TypeFloat))
    }

    /// Returns true for the type of a number: two words, or an integer of 64 bits.
    pub fn is_number(&self, type_id: u32) -> bool {
        let int = self.module.definition(type_id).and_then(views::TypeInt::new);
        self.is_of_words(type_id, 2) || int.is_some_and(|int| int.width() == 64)
    }

    /// Returns the instructions between the first label of a function and the return from it.
    pub fn code(&self, number: usize) -> impl Iterator<Item = Instruction<'_>> {
        let all = self.module.body(&self.module.functions()[number]);
        let code = all.skip_while(|inst| !inst.is(Op::Label)).skip(1);
        code.take_while(|inst| !matches!(inst.op(), Some(Op::ReturnValue | Op::FunctionEnd)))
    }

    /// Returns the id of the result of a function of one block.
    pub fn returned(&self, number: usize) -> u32 {
        let all = self.module.body(&self.module.functions()[number]);
        all.filter_map(views::ReturnValue::new).last().map_or(0, |inst| inst.value())
    }
}
