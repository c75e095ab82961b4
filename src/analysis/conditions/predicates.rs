//! Predicates: Boolean specialization constants that a vendor's compiler leaves to whoever compiles the module for a device. A table in the module,
//! a variable with a text, names them. Each provider has a name for its table and a parser of its text; AMD's is the first.

use std::collections::BTreeSet;

use memchr::memmem;
use spirv::{Decoration, Op};
use thiserror::Error;

use crate::collections::IdMap;
use crate::condition::{Expr, Leaf, LeafKind};
use crate::device::DeviceNames;
use crate::device::providers::{self, AMD, IS};
use crate::loader::{Instruction, Module, views};

/// A producer of predicates.
#[derive(Debug)]
pub struct Provider {
    /// The name of the table: an OpName or a linkage name.
    pub table: &'static str,
    /// Reads the text of the table.
    read: fn(&[u8]) -> Result<Vec<Predicate>, String>,
    /// Writes the text of a table.
    pub write: fn(&[Predicate]) -> Vec<u8>,
}

/// All producers that are known.
static PROVIDERS: [Provider; 1] =
    [Provider { table: "llvm.amdgcn.feature.predicate.ids", read: read_amd, write: write_amd }];

/// One entry of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The predicate's name, as the compiler wrote it: `has.gfx12-insts`.
    pub name: String,
    /// The SpecId of its constants.
    pub spec_id: u32,
    /// The meaning of the predicate.
    pub condition: Expr,
}

/// A table of predicates.
#[derive(Clone, Debug)]
pub struct PredicateTable {
    /// The provider.
    pub provider: &'static Provider,
    /// The variable.
    pub variable: u32,
    /// The entries, in the order of the text.
    pub predicates: Vec<Predicate>,
}

impl PredicateTable {
    /// Returns true if it names the constants with a SpecId.
    pub fn names(&self, spec_id: u32) -> bool {
        self.predicates.iter().any(|predicate| predicate.spec_id == spec_id)
    }
}

/// A table of predicates that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the table of predicates {table} (byte offset {offset:#x}) is malformed: {problem}. Compile the source again, or remove the variable to leave \
     all predicates to the driver"
)]
pub struct PredicateError {
    /// The name of the table.
    pub table: &'static str,
    /// The byte offset of the variable.
    pub offset: u64,
    /// The problem.
    pub problem: String,
}

/// Returns false if no table is in a module: a quick answer.
pub fn may_have_tables(module: &Module) -> bool {
    let bytes = bytemuck::cast_slice(module.annotations().words());
    // Where the bytes of a string do not lie as they are written, each name is read.
    cfg!(target_endian = "big")
        || PROVIDERS.iter().any(|provider| memmem::find(bytes, provider.table.as_bytes()).is_some())
}

/// Returns true if an instruction gives the name of a table.
pub fn names_table(inst: &Instruction) -> bool {
    provider_of(inst).is_some()
}

/// Returns the provider of whose table an instruction is the name, with the id of the variable.
fn provider_of(inst: &Instruction) -> Option<(&'static Provider, u32)> {
    let (target, name) = match inst.op()? {
        Op::Name => (views::Name(*inst).target(), views::Name(*inst).name()),
        Op::Decorate => {
            let linkage = views::Decoration::with(*inst, Decoration::LinkageAttributes)?;
            (linkage.target(), linkage.text())
        }
        _ => return None,
    };
    PROVIDERS.iter().find(|provider| provider.table == name).map(|provider| (provider, target))
}

/// Reads the tables of a module, and checks that the constants of each SpecId can be predicates.
///
/// # Errors
/// If one is malformed.
pub fn find_tables(module: &Module) -> Result<Vec<PredicateTable>, PredicateError> {
    let tables = read_tables(module)?;
    let mut names: IdMap<&str> = IdMap::new();
    for table in &tables {
        let error = |problem: String| table.provider.error(module, table.variable, problem);
        for Predicate { name, spec_id, .. } in &table.predicates {
            let mut ids =
                module.spec_ids().filter(|decl| decl.spec_id() == *spec_id).map(|decl| decl.id()).peekable();
            if ids.peek().is_none() {
                return Err(error(format!(
                    "no specialization constant has the SpecId {spec_id} of `{name}`"
                )));
            }
            let is_boolean = |&id: &u32| {
                let op = module.definition(id).and_then(|inst| inst.op());
                matches!(op, Some(Op::SpecConstantTrue | Op::SpecConstantFalse))
            };
            if let Some(id) = ids.find(|id| !is_boolean(id)) {
                return Err(error(format!("%{id}, the constant of `{name}`, is not Boolean")));
            }
            if let Some(other) = names.insert(*spec_id, name).filter(|other| other != name) {
                return Err(error(format!("the SpecId {spec_id} is that of both `{other}` and `{name}`")));
            }
        }
    }
    Ok(tables)
}

/// Reads the tables of a module. Their SpecIds may have no constants.
///
/// # Errors
/// If one is malformed.
pub fn read_tables(module: &Module) -> Result<Vec<PredicateTable>, PredicateError> {
    if !may_have_tables(module) {
        return Ok(Vec::new());
    }
    let mut named: IdMap<&'static Provider> = IdMap::new();
    let providers = module.annotations().filter_map(|inst| provider_of(&inst));
    named.extend(providers.map(|(provider, id)| (id, provider)));
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let mut tables = Vec::new();
    for (variable, provider) in named {
        let Some(inst) = module.definition(variable).and_then(views::Variable::new) else { continue };
        let error = |problem: String| provider.error(module, variable, problem);
        let initializer = inst.initializer().ok_or_else(|| error("it has no initializer".to_owned()))?;
        let text = bytes(module, initializer).map_err(error)?;
        let predicates = (provider.read)(&text).map_err(error)?;
        tables.push(PredicateTable { provider, variable, predicates });
    }
    Ok(tables)
}

impl Provider {
    fn error(&self, module: &Module, variable: u32, problem: String) -> PredicateError {
        let offset = module.definition_offset(variable).unwrap_or_default();
        PredicateError { table: self.table, offset: u64::from(offset) * 4, problem }
    }
}

/// Returns the bytes of a constant: an array of integers of 8 bits.
fn bytes(module: &Module, id: u32) -> Result<Vec<u8>, String> {
    let not_array = || "its initializer is not an array of constants of 8 bits".to_owned();
    let is_byte = |type_: u32| {
        let component = module.definition_as(type_, Op::TypeInt);
        component.is_some_and(|component| views::TypeNumber(component).width() == 8)
    };
    let inst = module.definition(id).ok_or_else(not_array)?;
    let array = inst.result_type().and_then(|type_| module.array_type(type_)).ok_or_else(not_array)?;
    if !is_byte(array.element_type()) {
        return Err(not_array());
    }
    let value = |&id: &u32| match module.definition_as(id, Op::ConstantNull) {
        Some(null) => null.result_type().filter(|&type_| is_byte(type_)).map(|_| 0),
        None => {
            let constant = module.constant(id).filter(|constant| is_byte(constant.type_id()))?;
            Some(constant.bits() as u8)
        }
    };
    match inst.op() {
        Some(Op::ConstantNull) => Ok(Vec::new()),
        Some(Op::ConstantComposite) => {
            let mut values: Vec<u32> = inst.words_from(3).to_vec();
            module.continuations(&inst).for_each(|inst| values.extend(inst.words_from(1)));
            values.iter().map(value).collect::<Option<_>>().ok_or_else(not_array)
        }
        _ => Err(not_array()),
    }
}

/// Reads the text of AMD's table: `NAME ID`, each with a zero after it.
fn read_amd(text: &[u8]) -> Result<Vec<Predicate>, String> {
    let Some(entries) = text.strip_suffix(&[0]) else {
        return if text.is_empty() {
            Ok(Vec::new())
        } else {
            Err("its text does not end in a zero".to_owned())
        };
    };
    // Zeros at the end are padding.
    let end = entries.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let mut predicates = Vec::new();
    let mut seen = BTreeSet::new();
    for entry in entries[..end].split(|&byte| byte == 0).filter(|_| end > 0) {
        let text = String::from_utf8_lossy(entry);
        let malformed = || format!("`{}` is not the name of a predicate and a SpecId", text.escape_debug());
        let (name, spec_id) = text.rsplit_once(' ').ok_or_else(malformed)?;
        let is_number = !spec_id.is_empty() && spec_id.bytes().all(|byte| byte.is_ascii_digit());
        let spec_id = spec_id.parse().ok().filter(|_| is_number).ok_or_else(malformed)?;
        let condition = condition_of_amd(name).ok_or_else(malformed)?;
        if seen.insert((name.to_owned(), spec_id)) {
            predicates.push(Predicate { name: name.to_owned(), spec_id, condition });
        }
    }
    Ok(predicates)
}

fn write_amd(predicates: &[Predicate]) -> Vec<u8> {
    predicates
        .iter()
        .flat_map(|predicate| format!("{} {}\0", predicate.name, predicate.spec_id).into_bytes())
        .collect()
}

/// Returns the meaning of a predicate of AMD: the processor that the code is compiled for, or the features that a builtin requires.
fn condition_of_amd(name: &str) -> Option<Expr> {
    if let Some(processor) = name.strip_prefix(IS) {
        return match providers::processor(processor) {
            Some(known) => Some(Leaf::Architecture(known.architecture).into()),
            None if processor.is_empty() => None,
            None => LeafKind::Feature.named(&format!("{AMD}:{name}")).map(Expr::Leaf),
        };
    }
    let required = name.strip_prefix("has.")?;
    if required.is_empty() {
        return Some(Expr::True);
    }
    // Of the operators in clang's lists of required features, `,` is and, and binds tighter than `|`, which is or.
    let mut text = String::new();
    let mut rest = required;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ',' | '|' | '(' | ')' => {
                text.push_str(match first {
                    ',' => " && ",
                    '|' => " || ",
                    '(' => "(",
                    _ => ")",
                });
                1
            }
            _ => {
                let end = rest.find([',', '|', '(', ')']).unwrap_or(rest.len());
                LeafKind::Feature.named(&format!("{AMD}:{}", &rest[..end]))?;
                text.push_str(&format!("feature({AMD}:{})", &rest[..end]));
                end
            }
        };
        rest = &rest[length..];
    }
    Expr::parse(&text, &DeviceNames).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<(String, u32, String)>, String> {
        let shown = |predicate: Predicate| {
            (predicate.name, predicate.spec_id, predicate.condition.display(&DeviceNames).to_string())
        };
        Ok(read_amd(text.as_bytes())?.into_iter().map(shown).collect())
    }

    #[test]
    fn names_are_conditions() {
        for (name, condition) in [
            ("is.gfx90a", "arch(amd_gpu_gfx90a)"),
            ("is.tahiti", "arch(amd_gpu_gfx600)"),
            ("is.gfx9-4-generic", "arch(amd_gpu_gfx9_4_generic)"),
            ("is.gfx9999", "feature(amdgpu:is.gfx9999)"),
            ("has.", "true"),
            ("has.gfx12-insts", "feature(amdgpu:gfx12-insts)"),
            ("has.a,b|c", "feature(amdgpu:a) && feature(amdgpu:b) || feature(amdgpu:c)"),
            ("has.a|b,c", "feature(amdgpu:a) || feature(amdgpu:b) && feature(amdgpu:c)"),
            ("has.(a|b),c", "(feature(amdgpu:a) || feature(amdgpu:b)) && feature(amdgpu:c)"),
            (
                "has.((a|b),c)|d",
                "(feature(amdgpu:a) || feature(amdgpu:b)) && feature(amdgpu:c) || feature(amdgpu:d)",
            ),
        ] {
            let entry = (name.to_owned(), 3, condition.to_owned());
            assert_eq!(read(&format!("{name} 3\0")), Ok(vec![entry]));
        }
    }

    #[test]
    fn texts_are_read_and_written() {
        assert_eq!(read(""), Ok(Vec::new()));
        assert_eq!(read("\0\0"), Ok(Vec::new()), "padding");
        let text = b"is.gfx90a 2\0has.a,b 4294967295\0";
        let padded = [&text[..], &[0, 0]].concat();
        for text in [&text[..], &padded] {
            assert_eq!(write_amd(&read_amd(text).unwrap()), b"is.gfx90a 2\0has.a,b 4294967295\0");
        }
        assert_eq!(read_amd(b"has.a 1\0has.a 1\0").unwrap().len(), 1);
        assert_eq!(read("has.a 1"), Err("its text does not end in a zero".to_owned()));
        let deep = format!("has.{}a{} 1\0", "(".repeat(100_000), ")".repeat(100_000));
        assert!(read(&deep).is_ok(), "parentheses alone nest nothing");
        for entry in [
            "has.a",
            "has.a x",
            "has.a -1",
            "has.a +1",
            "has.a 4294967296",
            "has.a ",
            "x.a 1",
            "has 1",
            "has.a,,b 1",
            "has.,a 1",
            "has.(a 1",
            "has.a) 1",
            "has.a(b) 1",
            "has.a b 1",
            "is. 1",
            "is.a/b 1",
            "has.a\u{e9} 1",
            "\u{1b}[31m 1",
        ] {
            let problem = format!("`{}` is not the name of a predicate and a SpecId", entry.escape_debug());
            assert_eq!(read(&format!("has.b 0\0{entry}\0")), Err(problem));
        }
        assert!(read("has.a 1\0\0has.b 2\0").is_err(), "an empty entry");
    }
}
