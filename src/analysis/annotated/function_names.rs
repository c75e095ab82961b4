//! Functions by any of their names.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use wildmatch::WildMatch;

use crate::analysis::debug::names::{KERNEL_BODY, Names, without_number};
use crate::analysis::demangle::FunctionName;
use crate::loader::Module;
use crate::text::spelling::nearest;

/// The functions of a module by their names: OpName, linkage name and entry point's name, each as it is, demangled in full, and
/// without parameters and template arguments. Spaces are ignored, and the number that distinguishes local functions of linked
/// modules is optional.
pub struct FunctionNames<'m> {
    module: &'m Module<'m>,
    pub entry_points: BTreeSet<u32>,
    /// All names, each with its function.
    all: Vec<(String, u32)>,
    by_name: HashMap<String, Vec<u32>>,
}

impl<'m> FunctionNames<'m> {
    pub fn read(module: &'m Module<'m>, names: &Names) -> FunctionNames<'m> {
        let mut raw: Vec<(Cow<str>, u32)> = Vec::new();
        let mut kernels: HashMap<String, u32> = HashMap::new();
        for entry_point in module.entry_points() {
            let (name, function) = (entry_point.name(), entry_point.function());
            kernels.insert(name.clone().into_owned(), function);
            raw.push((name, function));
        }
        let entry_points = raw.iter().map(|&(_, function)| function).collect();
        for function in module.functions() {
            let linkage = names.linkage(function.id).map(|linkage| linkage.name);
            for name in [linkage, names.name(function.id)].into_iter().flatten() {
                // A kernel's name also means its body.
                if let Some(kernel) =
                    name.strip_prefix(KERNEL_BODY).filter(|kernel| kernels.contains_key(*kernel))
                {
                    raw.push((Cow::Owned(kernel.to_owned()), function.id));
                }
                if let Some(plain_name) = without_number(&name) {
                    raw.push((Cow::Owned(plain_name.into_owned()), function.id));
                }
                raw.push((name, function.id));
            }
        }
        let mut all: BTreeSet<(String, u32)> = BTreeSet::new();
        for (name, function) in raw {
            let name = FunctionName::new(name);
            let forms = [Cow::Borrowed(name.raw()), name.full(), name.short()];
            all.extend(forms.iter().filter(|form| !form.is_empty()).map(|form| (form.to_string(), function)));
        }
        let mut by_name: HashMap<String, Vec<u32>> = HashMap::new();
        for (name, function) in &all {
            let functions = by_name.entry(without_spaces(name).into_owned()).or_default();
            if !functions.contains(function) {
                functions.push(*function);
            }
        }
        FunctionNames { module, entry_points, all: all.into_iter().collect(), by_name }
    }

    /// Returns the functions with a name, or with the id that it denotes.
    pub fn named(&self, name: &str) -> Vec<u32> {
        match id(name) {
            Some(id) => self.module.function(id).map(|function| function.id).into_iter().collect(),
            None => self.by_name.get(&*without_spaces(name)).cloned().unwrap_or_default(),
        }
    }

    /// Returns the functions with a name, or else the functions whose names match it as a glob.
    pub fn matching(&self, name: &str) -> Vec<u32> {
        let named = self.named(name);
        if !named.is_empty() || !name.contains(['*', '?']) {
            return named;
        }
        let pattern = WildMatch::new(name);
        let matching = self.all.iter().filter(|(name, _)| pattern.matches(name));
        let matching: BTreeSet<u32> = matching.map(|&(_, function)| function).collect();
        matching.into_iter().collect()
    }

    /// Returns the names nearest to an unknown one.
    pub fn nearest(&self, name: &str) -> Vec<String> {
        let text: String = name.chars().filter(|character| !['*', '?'].contains(character)).collect();
        nearest(&text, self.all.iter().map(|(name, _)| name.as_str()))
    }
}

/// Returns the id that `%12` denotes.
pub fn id(name: &str) -> Option<u32> {
    name.strip_prefix('%').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// Returns a name without spaces, which demanglers put in different places.
fn without_spaces(name: &str) -> Cow<'_, str> {
    match name.contains(' ') {
        true => Cow::Owned(name.replace(' ', "")),
        false => Cow::Borrowed(name),
    }
}
