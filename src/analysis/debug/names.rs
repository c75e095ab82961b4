//! Names of ids: OpName, and the linkage of functions and variables.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use spirv::{Decoration, LinkageType};

use crate::analysis::demangle::FunctionName;
use crate::loader::{Module, views};

/// The prefix by which clang names the function with the body of an OpenCL kernel, which other functions call. To users, it is the
/// kernel itself.
pub(crate) const KERNEL_BODY: &str = "__clang_ocl_kern_imp_";

/// Returns the name of a type or function without the number that LLVM, or linking, appended. `None` if there is none.
pub(crate) fn without_number(name: &str) -> Option<Cow<'_, str>> {
    let start = |name| {
        let (start, end): (&str, &str) = str::rsplit_once(name, '.')?;
        (!end.is_empty() && end.bytes().all(|byte| byte.is_ascii_digit())).then_some(start)
    };
    match (start(name), name.split_once('(')) {
        (Some(start), _) => Some(start.into()),
        (None, Some((base, signature))) => Some(format!("{}({signature}", start(base)?).into()),
        (None, None) => None,
    }
}

/// Returns a name with a number appended, before the signature that glslang appends to the name of a function.
pub(crate) fn numbered(name: &str, number: usize) -> String {
    match name.split_once('(') {
        Some((base, signature)) if !base.is_empty() => format!("{base}.{number}({signature}"),
        _ => format!("{name}.{number}"),
    }
}

/// The linkage of a function or variable (specification, decoration LinkageAttributes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linkage<'m> {
    /// The name to other modules.
    pub name: Cow<'m, str>,
    /// True if it is defined elsewhere; otherwise other modules may refer to it.
    pub import: bool,
}

/// The offsets of the names in a module.
#[derive(Debug)]
pub struct NameTable {
    /// The offset of an id's first OpName, or 0, by id.
    names: Vec<u32>,
    /// The offset of the decoration with an id's linkage, by id.
    linkage: BTreeMap<u32, u32>,
    /// The offset of the first OpEntryPoint of a function, by function.
    entry_points: BTreeMap<u32, u32>,
}

impl NameTable {
    /// Reads a module.
    pub fn read(module: &Module) -> NameTable {
        tally!("names", module, &());
        let mut table = NameTable {
            names: vec![0; module.bound() as usize],
            linkage: BTreeMap::new(),
            entry_points: BTreeMap::new(),
        };
        for inst in module.annotations() {
            if let Some(name) = views::Name::new(inst) {
                let first = &mut table.names[name.target() as usize];
                if *first == 0 {
                    *first = inst.offset();
                }
            } else if let Some(entry_point) = views::EntryPoint::new(inst) {
                table.entry_points.entry(entry_point.function()).or_insert(inst.offset());
            } else if let Some(linkage) = views::Decoration::with(inst, Decoration::LinkageAttributes) {
                table.linkage.insert(linkage.target(), inst.offset());
            }
        }
        table
    }
}

/// The names in a module.
#[derive(Clone, Debug)]
pub struct Names<'m> {
    module: &'m Module<'m>,
    table: Arc<NameTable>,
    /// The entry points by name, filled on first use.
    by_name: OnceLock<HashMap<String, u32>>,
}

impl<'m> Names<'m> {
    /// Reads the names of a module.
    pub fn new(module: &'m Module<'m>) -> Names<'m> {
        Names::with_table(module, Arc::new(NameTable::read(module)))
    }

    /// Returns the names of a module, with its table.
    pub fn with_table(module: &'m Module<'m>, table: Arc<NameTable>) -> Names<'m> {
        Names { module, table, by_name: OnceLock::new() }
    }

    /// Returns the table of the names.
    pub fn table(&self) -> &Arc<NameTable> {
        &self.table
    }

    /// Returns the module.
    pub fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// Returns the OpName of an id.
    pub fn name(&self, id: u32) -> Option<Cow<'m, str>> {
        match self.table.names.get(id as usize) {
            Some(&offset) if offset != 0 => Some(views::Name(self.module.instruction(offset)).name()),
            _ => None,
        }
    }

    /// Returns the ids that have an OpName.
    pub fn named(&self) -> impl Iterator<Item = u32> {
        self.table.names.iter().zip(0..).filter(|(offset, _)| **offset != 0).map(|(_, id)| id)
    }

    /// Returns the linkage of an id.
    pub fn linkage(&self, id: u32) -> Option<Linkage<'m>> {
        let decoration = views::Decoration(self.module.instruction(*self.table.linkage.get(&id)?));
        Some(Linkage { name: decoration.text(), import: is_import(decoration) })
    }

    /// Returns true if the module has functions beside its entry points, and none of them has a name.
    pub fn are_stripped(&self) -> bool {
        let functions = self.module.functions().iter().map(|function| function.id);
        let mut others = functions.filter(|id| !self.table.entry_points.contains_key(id)).peekable();
        others.peek().is_some()
            && others.all(|id| self.name(id).is_none() && !self.table.linkage.contains_key(&id))
    }

    /// Returns true if other modules may refer to an id.
    pub fn is_exported(&self, id: u32) -> bool {
        let decoration = |&offset: &u32| views::Decoration(self.module.instruction(offset));
        self.table.linkage.get(&id).map(decoration).is_some_and(|decoration| !is_import(decoration))
    }

    /// Returns the ids with linkage, in their order.
    pub fn linked(&self) -> impl Iterator<Item = (u32, Linkage<'m>)> {
        self.table.linkage.keys().filter_map(|&id| Some((id, self.linkage(id)?)))
    }

    /// Returns the ids that other modules may refer to.
    pub fn exported(&self) -> impl Iterator<Item = u32> {
        self.table.linkage.keys().copied().filter(|&id| self.is_exported(id))
    }

    /// Returns the name of a function, demangled if it is mangled: its linkage name, its OpName or its entry point's name, else
    /// `%<id>`.
    pub fn function_name(&self, id: u32) -> FunctionName<'m> {
        FunctionName::new(self.first_name(id).unwrap_or_else(|| Cow::Owned(format!("%{id}"))))
    }

    /// Returns the kernel whose body a function is, as clang generates it: the kernel calls it, or has a copy of it.
    pub fn kernel_of(&self, function: u32) -> Option<u32> {
        let name = self.first_name(function)?;
        let kernel = name.strip_prefix(KERNEL_BODY)?;
        let by_name = self.by_name.get_or_init(|| {
            let entry_points = self.table.entry_points.keys();
            entry_points.filter_map(|&id| Some((self.first_name(id)?.into_owned(), id))).collect()
        });
        by_name.get(kernel).copied()
    }

    /// Returns the name of an id in messages: its linkage name, its OpName or its entry point's name, else `%<id>`. The signature that
    /// glslang appends to a function's name is not shown.
    pub fn display(&self, id: u32) -> String {
        match self.first_name(id).as_deref().and_then(|name| name.split('(').next()) {
            Some(name) if !name.is_empty() => name.to_string(),
            _ => format!("%{id}"),
        }
    }

    /// Returns the first of the names of an id that is not empty.
    fn first_name(&self, id: u32) -> Option<Cow<'m, str>> {
        let linkage = self.linkage(id).map(|linkage| linkage.name);
        let entry_point = self.table.entry_points.get(&id);
        let entry_point =
            entry_point.map(|&offset| views::EntryPoint(self.module.instruction(offset)).name());
        [linkage, self.name(id), entry_point].into_iter().flatten().find(|name| !name.is_empty())
    }
}

/// Names for functions that no other function of the module has: drivers may merge functions with equal names.
pub(crate) struct FreeNames {
    taken: HashSet<String>,
    /// The last number of each name.
    numbers: HashMap<String, usize>,
}

impl FreeNames {
    /// Takes the names that the functions of a module have.
    pub fn new(names: &Names) -> FreeNames {
        let functions = names.module.functions().iter();
        let taken = functions.filter_map(|function| names.name(function.id)).map(Cow::into_owned);
        FreeNames { taken: taken.collect(), numbers: HashMap::new() }
    }

    /// Takes a name. If a function has it already, it gets a number from two on.
    pub fn take(&mut self, name: &str) -> String {
        let last = self.numbers.entry(name.to_owned()).or_default();
        loop {
            *last += 1;
            let candidate = if *last == 1 { name.to_owned() } else { numbered(name, *last) };
            if self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// Returns true for a LinkageAttributes decoration of an id that is defined elsewhere.
fn is_import(decoration: views::Decoration) -> bool {
    decoration.linkage_type() == LinkageType::Import as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_appended_and_removed() {
        for (name, number) in [
            ("helper", "helper.1"),
            ("sum(u1;", "sum.1(u1;"),
            ("_ZL3sumPf", "_ZL3sumPf.1"),
            ("struct.f(", "struct.f.1("),
            ("a.", "a..1"),
            ("(", "(.1"),
        ] {
            assert_eq!(numbered(name, 1), number);
            assert_eq!(without_number(number).as_deref(), Some(name));
            assert_eq!(without_number(name), None, "{name}");
        }
        assert_eq!(without_number("class.f(g).12").as_deref(), Some("class.f(g)"));
    }

    #[test]
    fn names_of_functions_stay_unique() {
        let taken = ["f", "f.2(i1;"].map(str::to_owned).into();
        let mut free = FreeNames { taken, numbers: HashMap::new() };
        let names = ["f", "f", "g", "f(i1;", "f(i1;", "f.2"].map(|name| free.take(name));
        assert_eq!(names, ["f.2", "f.3", "g", "f(i1;", "f.3(i1;", "f.2.2"]);
    }
}
