//! Names that no two modules may share.

use std::collections::{BTreeMap, BTreeSet};

use spirv::{FunctionControl, Op};

use super::composed::{KERNEL, linked};
use super::support::{fixture, link_fixtures, link_words};
use crate::analysis::{Annotated, Names};
use crate::loader::Module;
use crate::metadata::annotations::AnnotationsFile;
use crate::test_support::assemble;
use crate::transform::link::LinkError;

/// Returns the names that LLVM's translator gives the functions of a module: by linkage, else by OpName.
fn names(words: &[u32]) -> Vec<String> {
    let module = Module::from_words(words).unwrap();
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for inst in module.annotations() {
        if inst.is(Op::Name) {
            names.entry(inst.word(1)).or_insert(inst.string(2).into_owned());
        } else if inst.is(Op::Decorate) && inst.word(2) == spirv::Decoration::LinkageAttributes as u32 {
            names.insert(inst.word(1), inst.string(3).into_owned());
        }
    }
    module.functions().iter().filter_map(|function| names.get(&function.id).cloned()).collect()
}

fn assert_apart(words: &[u32]) {
    let names = names(words);
    assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
}

/// Returns a module with functions of these names: one exported function, and local functions.
fn module(export: &str, names: &[&str]) -> String {
    let mut text = format!("{KERNEL}OpName %1 \"{export}\"\n");
    names.iter().zip(11..).for_each(|(name, id)| text += &format!("OpName %{id} \"{name}\"\n"));
    text += &format!(
        "OpDecorate %1 LinkageAttributes \"{export}\" Export\n%3 = OpTypeVoid\n%4 = OpTypeFunction %3\n"
    );
    for id in std::iter::once(1).chain(names.iter().zip(11..).map(|(_, id)| id)) {
        text += &format!("%{id} = OpFunction %3 None %4\n%{} = OpLabel\nOpReturn\nOpFunctionEnd\n", id + 100);
    }
    text
}

/// Checks that local functions get unique names: drivers merge functions with equal names.
#[test]
fn local_functions_have_names_of_their_own() {
    let texts = [
        module("f", &["helper", "h", "once", "sum(u1;"]),
        module("g", &["helper", "f", "helper.1", "sum(u1;", ""]),
        module("h", &["helper", "helper.2", "h.1", ""]),
    ];
    let [a, b, c] = texts.each_ref().map(String::as_str);
    let words = linked(&[a, b, c], "spv1.2");
    let expected = [
        ["f", "helper", "h.2", "once", "sum(u1;"].as_slice(),
        &["g", "helper.3", "f.1", "helper.1", "sum.1(u1;", ""],
        &["h", "helper.4", "helper.2", "h.1", ""],
    ];
    assert_eq!(names(&words), expected.concat());
    // Linked again with another, names get other numbers, and no second one.
    let more = assemble(&module("i", &["helper.3", "sum(u1;", "sum.1(u1;"]), "spv1.2");
    let again = link_words(&[("abc", &words), ("d", &more)]).unwrap();
    assert_eq!(
        names(again.module.words())[names(&words).len()..],
        ["i", "helper.5", "sum.2(u1;", "sum.3(u1;"]
    );
}

/// A single module keeps every name.
#[test]
fn a_module_alone_keeps_its_names() {
    let words = assemble(&module("f", &["f", "helper", "helper"]), "spv1.2");
    let linked = link_words(&[("a", &words)]).unwrap();
    assert_eq!(names(linked.module.words()), ["f", "f", "helper", "helper"]);
}

/// Checks that a function that casts has another name than its callee, and that it may stay a call where inlining is
/// forbidden.
#[test]
fn a_bridge_is_not_its_callee() {
    for (user, library) in [
        ["link/user-O2", "link/library-O2"],
        ["link/user-llvm-spirv", "link/library-O0"],
        ["link/casts-user-O2", "link/casts-library-O0"],
    ]
    .map(|[user, library]| (user, library))
    {
        let linked = link_fixtures(&[user, library]);
        assert_apart(linked.module.words());
        let result = linked.module.clone();
        let words = fixture(user);
        let module = Module::from_words(&words[..]).unwrap();
        let is_import = |id: u32| module.body(module.function(id).unwrap()).all(|inst| !inst.is(Op::Label));
        let mut casting = 0;
        for function in module.functions().iter().filter(|function| is_import(function.id)) {
            let new = linked.ids[0][function.id as usize];
            let is_own = linked.sources.contains(&(new, 0));
            let inst = result.definition(new).unwrap();
            if is_own && result.body(result.function(new).unwrap()).any(|inst| inst.is(Op::FunctionCall)) {
                assert_eq!(inst.word(3), FunctionControl::NONE.bits(), "{user}");
                casting += 1;
            }
        }
        assert!(casting > 0, "{user}");
    }
}

/// Checks that an annotation of a local function applies to the functions of that name in all modules, unless it has
/// the number too.
#[test]
fn annotations_need_no_number() {
    let linked = link_fixtures(&["link/static-user-O2", "link/static-library-O2"]);
    let module = linked.module.clone();
    for (name, expected) in [("helper", 2), ("helper.1", 1), ("helper.2", 0)] {
        let text = format!("functions:\n  '{name}': {{source: x}}\n");
        let annotations = AnnotationsFile::from_yaml("a.yaml", &text).unwrap();
        let annotated = Annotated::resolve(&module, &Names::new(&module), &annotations).unwrap();
        assert_eq!(annotated.sources.len(), expected, "{name}");
    }
}

/// Checks that initializers get unique names. clang names them after their file, and no host calls them.
#[test]
fn initializers_have_names_of_their_own() {
    let text = |variable: &str, mode: &str| {
        format!(
            "{KERNEL}OpEntryPoint Kernel %1 \"_GLOBAL__sub_I_main.cl\"
OpExecutionMode %1 {mode}
OpName %1 \"_GLOBAL__sub_I_main.cl\"
OpDecorate %2 LinkageAttributes \"{variable}\" Export
%3 = OpTypeVoid
%4 = OpTypeFunction %3
%5 = OpTypeInt 32 0
%6 = OpConstant %5 7
%7 = OpTypePointer CrossWorkgroup %5
%2 = OpVariable %7 CrossWorkgroup %6
%1 = OpFunction %3 None %4
%8 = OpLabel
OpStore %2 %6
OpReturn
OpFunctionEnd
"
        )
        .replace("OpCapability Linkage", "OpCapability Linkage\nOpCapability SubgroupDispatch")
    };
    for mode in ["Initializer", "Finalizer"] {
        let [a, b] = ["x", "y"].map(|variable| text(variable, mode));
        let words = linked(&[&a, &b], "spv1.2");
        let module = Module::from_words(&words[..]).unwrap();
        let names_of = |op: Op, at: usize| {
            let all = module.globals().filter(|inst| inst.is(op));
            all.map(|inst| (inst.word(at), inst.string(at + 1).into_owned())).collect::<Vec<_>>()
        };
        let [first, second] = &names_of(Op::EntryPoint, 2)[..] else { panic!("there are two") };
        assert_eq!(first.1, "_GLOBAL__sub_I_main.cl");
        assert_eq!(second.1, "_GLOBAL__sub_I_main.cl.1");
        assert_eq!(names_of(Op::Name, 1), [first.clone(), second.clone()]);
    }
    let words = ["x", "y"].map(|variable| assemble(&text(variable, "ContractionOff"), "spv1.2"));
    let result = link_words(&[("a", &words[0]), ("b", &words[1])]);
    assert!(matches!(result, Err(LinkError::EntryPoint { .. })), "{result:?}");
}
