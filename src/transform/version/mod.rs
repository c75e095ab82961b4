//! Conversion of modules to an older version of SPIR-V: newer constructs are replaced or reported. [`raise`](mod@raise) is the other direction.

pub mod buffer_blocks;
mod layouts;
mod raise;
pub mod removed;
mod rules;
#[cfg(test)]
mod tests;

pub use raise::raise;
pub use removed::NewerRules;

use std::collections::BTreeSet;
use std::fmt;

use rspirv::grammar::OperandKind;
use spirv::{Op, StorageClass};
use thiserror::Error;

use super::Edits;
use super::removal::{count_words, entry_point};
use crate::collections::gather;
use crate::loader::grammar::versions::{self, VersionAddition};
use crate::loader::{HEADER_WORDS, Module, Version, Visitor, literal, views};
use crate::metadata::property_sets::carried;

/// Extended instruction sets with this prefix are part of SPIR-V from this version on, and of an extension before.
const NON_SEMANTIC: (&str, Version, &str) = ("NonSemantic.", Version::new(1, 6), "SPV_KHR_non_semantic_info");
/// The version from which on interface lists have variables of all storage classes.
const WHOLE_INTERFACES: Version = Version::new(1, 4);
/// The version that added OpModuleProcessed.
pub const MODULE_PROCESSED: Version = Version::new(1, 1);

/// A construct, and the oldest version of SPIR-V that has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Construct {
    /// Name of the construct: `OpCopyLogical`, `Capability GroupNonUniform`, `OpSelect of composites`.
    pub name: String,
    /// The version.
    pub version: Version,
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} requires SPIR-V {}", self.name, self.version)
    }
}

/// The constructs of a module that an older version of SPIR-V does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the result cannot be of SPIR-V {version}: {}", listed(.constructs))]
#[non_exhaustive]
pub struct TooNew {
    /// The version that was requested.
    pub version: Version,
    /// The constructs, each once, in the order of the module.
    pub constructs: Vec<Construct>,
}

fn listed(constructs: &[Construct]) -> String {
    constructs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the changes that convert a module to an older version, apart from the version in its header.
///
/// Before 1.4, interface lists name only inputs and outputs. Extensions that became part of SPIR-V later are declared.
///
/// # Errors
/// If it uses a construct that the version does not have.
pub fn lower(module: &Module, version: Version) -> Result<Edits, TooNew> {
    let mut lowering = Lowering::new(module, version);
    lowering.read(module);
    rules::check(module, &mut lowering);
    let Lowering { added, newer: constructs, .. } = lowering;
    if !constructs.is_empty() {
        return Err(TooNew { version, constructs });
    }
    Ok(changes(module, version, added))
}

/// Returns the offsets of the instructions that a version does not have, in words.
pub fn newer_instructions(module: &Module, version: Version) -> BTreeSet<u32> {
    let mut lowering = Lowering::new(module, version);
    lowering.read(module);
    rules::check(module, &mut lowering);
    lowering.places
}

/// Returns the changes of a module's form: interface lists and remarks as the version has them, and extensions that are to be declared.
pub fn changes(module: &Module, version: Version, added: BTreeSet<&str>) -> Edits {
    let mut edits = Edits::new(module);
    let after = module.declarations().filter(|inst| inst.is(Op::Extension) || inst.is(Op::Capability)).last();
    let place = after.map_or(HEADER_WORDS as u32, |inst| inst.end());
    for extension in added {
        let name = literal(extension);
        let first = (name.len() as u32 + 1) << 16 | Op::Extension as u32;
        edits.insert_words(place, &[&[first], name.as_slice()].concat());
    }
    if version < WHOLE_INTERFACES {
        interfaces(module, &mut edits);
    }
    if version < MODULE_PROCESSED {
        notes(module, &mut edits);
    }
    edits
}

/// Constructs of a module that a version does not have.
struct Lowering {
    version: Version,
    /// The extensions that are declared.
    declared: BTreeSet<String>,
    /// The extensions that are to be declared.
    added: BTreeSet<&'static str>,
    newer: Vec<Construct>,
    /// The offset of the instruction that is read, in words.
    at: u32,
    /// The offsets of the instructions with newer constructs, including those for which an extension is enough.
    places: BTreeSet<u32>,
}

impl Lowering {
    fn new(module: &Module, version: Version) -> Lowering {
        let declared = gather(module.extensions().map(|extension| extension.name().into_owned()));
        Lowering {
            version,
            declared,
            added: BTreeSet::new(),
            newer: Vec::new(),
            at: 0,
            places: BTreeSet::new(),
        }
    }

    fn read(&mut self, module: &Module) {
        for inst in module.instructions() {
            self.at = inst.offset();
            // It is removed or written in another way, where the version does not have it.
            if inst.is(Op::ModuleProcessed) {
                continue;
            }
            if let Some(added) = versions::instruction(inst.opcode()) {
                self.use_of(|| format!("Op{}", added.name), &added);
            }
            module.walk(&inst, &mut EnumerantReader(self));
        }
        for extension in module.extensions() {
            self.at = extension.offset();
            if let Some(required) = versions::extension(&extension.name()) {
                self.require(required.version, || format!("extension {}", required.name));
            }
        }
        let (prefix, version, extension) = NON_SEMANTIC;
        if self.version < version && module.imported_sets().any(|set| set.name().starts_with(prefix)) {
            self.declare(extension);
        }
    }

    /// Notes the use of something that a version added.
    fn use_of(&mut self, name: impl FnOnce() -> String, added: &VersionAddition) {
        if added.version <= self.version {
            return;
        }
        // A declared extension that requires a newer version is refused itself.
        if added.extensions().any(|extension| self.declared.contains(extension)) {
            return;
        }
        self.places.insert(self.at);
        // Khronos' extension is preferred: vendors' own are not so widely known.
        let mut extensions = added.extensions_for(self.version);
        let best = extensions.clone().find(|extension| extension.starts_with("SPV_KHR_"));
        match best.or_else(|| extensions.next()) {
            Some(extension) => self.declare(extension),
            None => self.refuse(name(), added.oldest_version()),
        }
    }

    /// Notes a construct that requires a version.
    fn require(&mut self, version: Version, name: impl FnOnce() -> String) {
        if version > self.version {
            self.refuse(name(), version);
        }
    }

    fn refuse(&mut self, name: String, version: Version) {
        self.places.insert(self.at);
        let construct = Construct { name, version };
        if !self.newer.contains(&construct) {
            self.newer.push(construct);
        }
    }

    fn declare(&mut self, extension: &'static str) {
        if !self.declared.contains(extension) {
            self.added.insert(extension);
        }
    }
}

/// Reads the enumerants of instructions.
struct EnumerantReader<'l>(&'l mut Lowering);

impl Visitor for EnumerantReader<'_> {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, _at: usize, _id: u32) {}

    fn enumerant(&mut self, _at: usize, kind: OperandKind, value: u32) {
        if let Some(added) = versions::enumerant(kind, value) {
            self.0.use_of(|| format!("{kind:?} {}", added.name), &added);
        }
    }
}

/// Removes variables of storage classes other than Input and Output from interface lists.
fn interfaces(module: &Module, edits: &mut Edits) {
    let is_other = |id: u32| {
        let class =
            module.definition(id).and_then(views::Variable::new).map(|variable| variable.storage_class());
        class != Some(StorageClass::Input as u32) && class != Some(StorageClass::Output as u32)
    };
    for entry in module.entry_points() {
        let mut words = entry_point(entry, &is_other);
        if words.len() < entry.words().len() {
            count_words(&mut words);
            edits.replace_words(&entry, &words);
        }
    }
}

/// Removes remarks that the first version does not have. Property sets move to their carrier in that version.
fn notes(module: &Module, edits: &mut Edits) {
    let place = carried::offset_of(module, Op::SourceExtension);
    for note in module.notes().filter(|note| note.is(Op::ModuleProcessed)) {
        if carried::is_string(&note) {
            let first = note.words()[0] & 0xffff_0000 | Op::SourceExtension as u32;
            edits.insert_words(place, &[&[first], note.words_from(1)].concat());
        }
        edits.drop(&note);
    }
}
