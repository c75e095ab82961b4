//! The fixtures in `debug`: each line under test, marked by a remark, has one operation of its kind.

use std::path::Path;

use spirv::Op;

use crate::analysis::{DebugLocations, Names};
use crate::loader::Module;
use crate::test_support::words_of;

/// A module of `fixtures/debug` and the source that it was compiled from.
struct CompiledSource {
    words: Vec<u32>,
    source: String,
    /// The name of the file that its compiler wrote.
    file: &'static str,
}

impl CompiledSource {
    fn new(name: &str, source: &str, file: &'static str) -> CompiledSource {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/debug");
        let words = words_of(&std::fs::read(folder.join(name)).unwrap());
        CompiledSource { words, source: std::fs::read_to_string(folder.join(source)).unwrap(), file }
    }

    /// Returns `file:line:column` of a text in the line with a remark; without a column if no text is given.
    fn expected(&self, remark: &str, at: Option<&str>) -> String {
        let marked = format!("// {remark}");
        let mut lines = (1..).zip(self.source.lines()).filter(|(_, line)| line.ends_with(&marked));
        let (number, line) = lines.next().unwrap();
        assert_eq!(lines.next(), None, "{remark} marks one line");
        let column = at.map(|at| format!(":{}", line.find(at).unwrap() + 1)).unwrap_or_default();
        format!("{}:{number}{column}", self.file)
    }

    /// Compares the locations of the only instruction with an opcode, and of functions, with the line of a remark.
    fn check(&self, operations: &[(Op, &str, Option<&str>)], functions: &[(&str, &str, Option<&str>)]) {
        let module = Module::from_words(&self.words[..]).unwrap();
        let locations = DebugLocations::read(&module);
        assert!(locations.has_any());
        for &(op, remark, at) in operations {
            let in_functions = module.functions().iter().flat_map(|function| module.body(function));
            let mut matching =
                in_functions.filter(|inst| inst.is(op) && module.set_kind(inst).is_none_or(is_semantic));
            let offset = matching.next().unwrap().offset();
            assert!(matching.next().is_none(), "one {op:?}");
            assert_eq!(locations.location(offset).unwrap().to_string(), self.expected(remark, at), "{op:?}");
        }
        let names = Names::new(&module);
        for &(name, remark, at) in functions {
            let ids = module.functions().iter().map(|function| function.id);
            let mut named = ids.filter(|&id| names.function_name(id).short() == name);
            let location = locations.function(named.next().unwrap()).unwrap();
            assert_eq!(location.to_string(), self.expected(remark, at), "{name}");
        }
    }

    /// Returns the locations of the calls of a function.
    fn calls(&self, callee: &str) -> Vec<String> {
        let module = Module::from_words(&self.words[..]).unwrap();
        let (locations, names) = (DebugLocations::read(&module), Names::new(&module));
        let calls = module.instructions().filter(|inst| inst.is(Op::FunctionCall));
        let calls = calls.filter(|call| names.function_name(call.word(3)).short() == callee);
        calls.map(|call| locations.location(call.offset()).unwrap().to_string()).collect()
    }
}

fn is_semantic(kind: crate::loader::SetKind) -> bool {
    kind == crate::loader::SetKind::Semantic
}

#[test]
fn naga() {
    let case = CompiledSource::new("naga-g.spv", "lines.wgsl", "lines.wgsl");
    let operations = [
        (Op::FMul, "OpFMul", Some("x * 3.0")),
        (Op::ExtInst, "OpExtInst", Some("sin(")),
        (Op::FDiv, "OpFDiv", Some("x / 7.0")),
        (Op::FunctionCall, "OpFunctionCall", Some("foo(")),
    ];
    // naga has no debug information for functions: the location is the first in the function.
    let functions = [("foo", "foo begins", Some("x > 1.0")), ("main", "OpFunctionCall", Some("data"))];
    case.check(&operations, &functions);
}

#[test]
fn glslang() {
    for (name, file, function_column) in [
        ("glslang-g.spv", "lines.comp", Some(")")),
        ("glslang-gV.spv", "stdin", None),
        ("glslang-gVS.spv", "stdin", None),
    ] {
        let case = CompiledSource::new(name, "lines.comp", file);
        let operations = [
            (Op::FMul, "OpFMul", None),
            (Op::ExtInst, "OpExtInst", None),
            (Op::FDiv, "OpFDiv", None),
            (Op::FunctionCall, "OpFunctionCall", None),
        ];
        let functions = [("foo", "foo begins", function_column), ("main", "main begins", function_column)];
        case.check(&operations, &functions);
    }
}

#[test]
fn llvm_spirv() {
    let case = CompiledSource::new("llvm-spirv-opencl.spv", "lines.clcpp", "./lines.clcpp");
    let operations = [(Op::FMul, "OpFMul", Some("* 3")), (Op::FDiv, "OpFDiv", Some("/ 7"))];
    let functions = [
        ("foo", "foo begins", None),
        ("run", "run begins", None),
        ("__clang_ocl_kern_imp_run", "run begins", None),
    ];
    case.check(&operations, &functions);
    assert_eq!(case.calls("sin"), [case.expected("OpExtInst", Some("sin"))]);
    assert_eq!(case.calls("foo"), [case.expected("OpFunctionCall", Some("foo"))]);
}

#[test]
fn without_debug_information_nothing_has_a_location() {
    for name in ["glslang.spv", "naga.spv", "clang.spv"] {
        let case = CompiledSource::new(name, "lines.comp", "");
        let module = Module::from_words(&case.words[..]).unwrap();
        let locations = DebugLocations::read(&module);
        assert!(!locations.has_any(), "{name}");
        assert!(module.instructions().all(|inst| locations.location(inst.offset()).is_none()));
        assert!(module.functions().iter().all(|function| locations.function(function.id).is_none()));
    }
}
