//! Texts with and without a use, and modules trimmed.

use std::collections::BTreeSet;

use spirv::Op;

use crate::analysis::requirements::closure_of;
use crate::device::capabilities;
use crate::loader::{Instruction, Module};
use crate::test_support::program::expand;
use crate::test_support::{Batch, assemble};
use crate::transform::trim::trim;
use crate::writer::apply;

/// The names that a module declares.
pub type DeclarationNames = BTreeSet<String>;

/// Returns one of the two modules of a text: with the use, whose lines begin with `+ `, or without it, with lines that begin with `- `. All
/// other lines are in both. Besides the macros of [`expand`], these exist:
///
/// - `SHARED %type`: a variable `%shared` in workgroup memory;
/// - `BUFFER Class %type`: a variable `%buffer`, a block with this member; `%pmember` points to it;
/// - `UNTYPED Class`: a variable `%memory`, a block of this class behind an untyped pointer;
/// - `IMAGE operands`: a variable `%image` of the image type `%imaget` with these operands of OpTypeImage.
pub fn spell(text: &str, with_use: bool) -> String {
    let mut lines = String::new();
    for line in text.lines().map(str::trim) {
        let line = match (line.strip_prefix("+ "), line.strip_prefix("- ")) {
            (Some(line), _) if with_use => line,
            (_, Some(line)) if !with_use => line,
            (None, None) => line,
            _ => continue,
        };
        lines.push_str(&variable(line));
        lines.push('\n');
    }
    lines
}

fn variable(line: &str) -> String {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    let descriptor = |name: &str| format!("OpDecorate {name} DescriptorSet 0\nOpDecorate {name} Binding 0\n");
    match first {
        "SHARED" => format!(
            "INTERFACE %shared
            %pshared = OpTypePointer Workgroup {rest}
            %shared = OpVariable %pshared Workgroup"
        ),
        "BUFFER" => {
            let (class, type_) = rest.split_once(' ').unwrap();
            let is_io = ["Input", "Output"].contains(&class);
            let offset =
                if is_io { "OpDecorate %buffer Location 0" } else { "OpMemberDecorate %block 0 Offset 0" };
            let bound = ["StorageBuffer", "Uniform"].contains(&class);
            let bound = if bound { descriptor("%buffer") } else { String::new() };
            format!(
                "INTERFACE %buffer
                OpDecorate %block Block
                {offset}
                {bound}%block = OpTypeStruct {type_}
                %pblock = OpTypePointer {class} %block
                %pmember = OpTypePointer {class} {type_}
                %buffer = OpVariable %pblock {class}"
            )
        }
        "UNTYPED" => format!(
            "OpCapability UntypedPointersKHR
            OpExtension \"SPV_KHR_untyped_pointers\"
            INTERFACE %memory
            OpDecorate %block Block
            OpMemberDecorate %block 0 Offset 0
            {}%block = OpTypeStruct %uint
            %puntyped = OpTypeUntypedPointerKHR {rest}
            %memory = OpUntypedVariableKHR %puntyped {rest} %block",
            descriptor("%memory")
        ),
        "IMAGE" => format!(
            "INTERFACE %image
            {}%imaget = OpTypeImage {rest}
            %pimage = OpTypePointer UniformConstant %imaget
            %image = OpVariable %pimage UniformConstant",
            descriptor("%image")
        ),
        _ => line.to_owned(),
    }
}

/// Assembles a text to a module.
pub fn module(text: &str, environment: &str) -> Vec<u32> {
    let mut spelt = String::new();
    spell(text, true).lines().map(str::trim).for_each(|line| spelt += &format!("{line}\n"));
    assemble(&expand(&spelt), environment)
}

/// Returns the capabilities and extensions that a module declares.
pub fn declared(words: &[u32]) -> DeclarationNames {
    let module = Module::from_words(words).unwrap();
    let capabilities = module.capabilities().map(|declared| capability_name(declared.capability()));
    capabilities.chain(module.extensions().map(|declared| declared.name().into_owned())).collect()
}

fn capability_name(number: u32) -> String {
    capabilities::name(number).map_or(number.to_string(), str::to_owned)
}

/// Trims a module.
pub fn trim_alone(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    apply(&module, &trim(&module).edits).unwrap()
}

/// Trims a module, and checks that everything except declarations is unchanged.
pub fn trimmed(words: &[u32]) -> Vec<u32> {
    let result = trim_alone(words);
    let [before, after] = [words, &result].map(|words| Module::from_words(words).unwrap());
    let rest = |inst: &Instruction| !inst.is(Op::Capability) && !inst.is(Op::Extension);
    let [before, after] = [&before, &after].map(|module| module.instructions().filter(rest));
    let same = before.map(|inst| inst.words()).eq(after.map(|inst| inst.words()));
    assert!(same, "more changed than what is declared");
    result
}

/// Returns the declarations that `trim` removes from a module, which must be valid before and after.
pub fn removed(words: &[u32], environment: &str) -> DeclarationNames {
    let mut both = Batch::default();
    let removed = removed_by("it", words, environment, &mut both);
    both.assert_valid();
    removed
}

/// Like [`removed`], but the module and the result are validated later.
pub fn removed_by(name: &str, words: &[u32], environment: &str, both: &mut Batch) -> DeclarationNames {
    let result = trimmed(words);
    both.add(format!("{name} before"), words, environment);
    both.add(format!("{name}, trimmed"), &result, environment);
    let (before, after) = (declared(words), declared(&result));
    // A capability goes on in a weaker one that it implies, and that was not declared before.
    let goes_on = |name: &str| {
        let implied = capabilities::number(name).into_iter().flat_map(closure_of);
        let mut implied = implied.filter_map(|&implied| capabilities::name(implied));
        implied.any(|implied| after.contains(implied) && !before.contains(implied))
    };
    before.difference(&after).filter(|name| !goes_on(name)).cloned().collect()
}

/// Has `trim` remove exactly these, in any order, of a text.
#[track_caller]
pub fn removes(text: &str, environment: &str, expected: &str) {
    let words = module(text, environment);
    let expected: DeclarationNames = expected.split_whitespace().map(str::to_owned).collect();
    assert_eq!(removed(&words, environment), expected, "\n{text}");
}
