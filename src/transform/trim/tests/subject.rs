//! A module and its declarations.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

use spirv::Op;

use crate::analysis::closure;
use crate::device::capabilities;
use crate::loader::{LoadError, Module, Version};

/// A declaration of a module: a requirement on the device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModuleDeclaration {
    /// Number of a capability.
    Capability(u32),
    /// Name of an extension.
    Extension(String),
}

impl fmt::Display for ModuleDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ModuleDeclaration::Capability(number) => match capabilities::name(*number) {
                Some(name) => f.write_str(name),
                None => write!(f, "{number}"),
            },
            ModuleDeclaration::Extension(name) => f.write_str(name),
        }
    }
}

/// A module and the places of its declarations.
pub struct TrimSubject {
    /// All words.
    pub words: Vec<u32>,
    declarations: Vec<(ModuleDeclaration, Range<usize>)>,
}

impl TrimSubject {
    /// Reads the declarations of a module.
    pub fn new(module: &Module) -> TrimSubject {
        let declarations = module.globals().filter_map(|inst| {
            let what = match inst.op()? {
                Op::Capability => ModuleDeclaration::Capability(inst.word(1)),
                Op::Extension => ModuleDeclaration::Extension(inst.string(1).into_owned()),
                _ => return None,
            };
            Some((what, inst.offset() as usize..inst.end() as usize))
        });
        TrimSubject { declarations: declarations.collect(), words: module.words().to_vec() }
    }

    /// Reads the declarations of a module in words.
    pub fn load(words: &[u32]) -> Result<TrimSubject, LoadError> {
        Module::from_words(words).map(|module| TrimSubject::new(&module))
    }

    /// Returns the declarations of the module.
    pub fn declared(&self) -> BTreeSet<ModuleDeclaration> {
        self.declarations.iter().map(|(what, _)| what.clone()).collect()
    }

    /// Returns true if a capability comes from an extension that a declaration implies, without being declared itself.
    pub fn implies_something_of(&self, extension: &str) -> bool {
        let numbers = self.declarations.iter().filter_map(|(what, _)| match what {
            ModuleDeclaration::Capability(number) => Some(*number),
            ModuleDeclaration::Extension(_) => None,
        });
        let of_extension =
            |number: u32| capabilities::extensions_of(number).is_some_and(|all| all.contains(&extension));
        numbers.flat_map(|number| closure([number].into_iter())).any(of_extension)
    }

    /// Returns the SPIR-V version.
    pub fn version(&self) -> Version {
        Version::from_word(self.words[1])
    }

    /// Returns the module without some declarations.
    pub fn without(&self, removed: impl Fn(&ModuleDeclaration) -> bool) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.words.len());
        let mut copied = 0;
        for (_, range) in self.declarations.iter().filter(|(what, _)| removed(what)) {
            words.extend_from_slice(&self.words[copied..range.start]);
            copied = range.end;
        }
        words.extend_from_slice(&self.words[copied..]);
        words
    }
}
