//! The versions of SPIR-V that instructions, enumerants and extensions require: `spec-extensions/versions.csv`.

use std::sync::LazyLock;

use rspirv::grammar::OperandKind;

use super::enumerants::kind_named;
use crate::loader::Version;
use crate::text::csv;

/// The text of the table.
pub const VERSIONS: &str = include_str!("../../../spec-extensions/versions.csv");
/// Kind of the rows of instructions in the table.
pub const INSTRUCTION: &str = "Instruction";
/// Kind of the rows of extensions in the table.
pub const EXTENSION: &str = "Extension";
/// The newest version in the table.
pub const NEWEST: Version = Version::new(1, 6);

/// An instruction or enumerant that a later version added, or an extension that requires a later version.
#[derive(Clone, Copy, Debug)]
pub struct VersionAddition {
    /// Name; that of an instruction without `Op`.
    pub name: &'static str,
    /// The version that added it, or that the extension requires.
    pub version: Version,
    extensions: &'static str,
}

impl VersionAddition {
    /// Returns an addition of a version, and of extensions, whose names are separated by spaces.
    pub const fn new(name: &'static str, version: Version, extensions: &'static str) -> VersionAddition {
        VersionAddition { name, version, extensions }
    }

    /// Returns the extensions that add it to older versions; any one of them suffices.
    pub fn extensions(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.extensions.split_whitespace()
    }

    /// Returns the extensions that add it to a version. An extension may require a version itself.
    pub fn extensions_for(&self, version: Version) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.extensions().filter(move |name| required_version(name) <= version)
    }

    /// Returns the oldest version that has it, by itself or by an extension.
    pub fn oldest_version(&self) -> Version {
        self.extensions().map(required_version).fold(self.version, Version::min)
    }
}

/// Returns the oldest version in which an extension can be declared.
fn required_version(extension: &str) -> Version {
    self::extension(extension).map_or(Version::new(1, 0), |required| required.version)
}

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VersionedKind {
    Instruction,
    Extension,
    Enumerant(OperandKind),
}

/// The rows, each with its kind and number.
type VersionRows = Vec<(VersionedKind, u32, VersionAddition)>;

fn rows() -> &'static VersionRows {
    static ROWS: LazyLock<VersionRows> = LazyLock::new(|| {
        let row = |[kind, number, name, version, extensions]: [&'static str; 5]| {
            let kind = match kind {
                INSTRUCTION => VersionedKind::Instruction,
                EXTENSION => VersionedKind::Extension,
                kind => VersionedKind::Enumerant(kind_named(kind)?),
            };
            let added = VersionAddition { name, version: version.parse().ok()?, extensions };
            Some((kind, number.parse().unwrap_or(0), added))
        };
        csv::rows(VERSIONS).filter_map(row).collect()
    });
    &ROWS
}

/// Returns the version that added an instruction, if it is not the first one.
pub fn instruction(opcode: u16) -> Option<VersionAddition> {
    find(|kind, number, _| kind == VersionedKind::Instruction && number == u32::from(opcode))
}

/// Returns the version that added an enumerant, if it is not the first one. For a mask, `value` is one of its
/// bits.
pub fn enumerant(kind: OperandKind, value: u32) -> Option<VersionAddition> {
    find(|row_kind, number, _| row_kind == VersionedKind::Enumerant(kind) && number == value)
}

/// Returns the version that an extension requires, if it is not the first one.
pub fn extension(name: &str) -> Option<VersionAddition> {
    find(|kind, _, added| kind == VersionedKind::Extension && added.name == name)
}

fn find(is_it: impl Fn(VersionedKind, u32, &VersionAddition) -> bool) -> Option<VersionAddition> {
    let row = rows().iter().find(|(kind, number, added)| is_it(*kind, *number, added));
    row.map(|&(.., added)| added)
}
