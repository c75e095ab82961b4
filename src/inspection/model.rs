//! The findings of an inspection, as plain data. Serialized, it is the JSON of `spec-extensions/inspect.md`.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::{Serialize, Serializer};
use spirv::ExecutionModel;

use super::crashes::Crash;
use super::details::{Details, Difference};
use super::devices::Devices;
use super::enabling::Enable;
use super::rules::Violation;
use super::why::Why;
use crate::analysis::When;
use crate::analysis::constants::SpecValue;
use crate::analysis::{self, in_one_line};
use crate::condition::Expr;
use crate::loader::Module;
use crate::text::csv;

/// The name of a capability or an extension.
pub type Name = Cow<'static, str>;

/// The findings on one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspected {
    /// The SPIR-V version, as major and minor.
    #[serde(serialize_with = "dotted")]
    pub version: (u8, u8),
    /// The tool that wrote the module.
    pub generator: Generator,
    /// The number of functions, imported ones included.
    pub functions: usize,
    /// The number of conditional calls, which `spirv-if pack` expresses in a multi-target module.
    pub conditional_calls: usize,
    /// True if it is a multi-target module already: `spirv-if specialize` makes a plain one of it.
    pub multi_target: bool,
    /// The capabilities that it declares, in its order.
    pub capabilities: Vec<ReportedDeclaration>,
    /// The extensions that it declares, in its order.
    pub extensions: Vec<ReportedDeclaration>,
    /// Its entry points, in its order.
    pub entry_points: Vec<EntryPointReport>,
    /// The functions that other modules may call and that nothing in this one refers to, in its order.
    pub exported_functions: Vec<EntryPointReport>,
    /// The specialization constants with a SpecId, by SpecId.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstantReport>,
    /// The instructions on which the compiler of a driver is known to crash, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<Crash>,
}

/// A specialization constant that the host can set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecConstantReport {
    /// The number by which the host knows it.
    pub spec_id: u32,
    /// Its result id.
    pub id: u32,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
    /// Its type, such as `bool` or `uint32`.
    #[serde(rename = "type")]
    pub type_: Name,
    /// Its default value; `None` if its type is unknown.
    #[serde(serialize_with = "default_text")]
    pub default: Option<SpecValue>,
    /// What depends on it.
    pub decides: DecidedByConstant,
}

/// What depends on a specialization constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedByConstant {
    /// The number of branches that it decides, alone or with others, by itself or by values that are computed from it.
    pub branches: usize,
    /// The number of array types whose length depends on it.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on it.
    pub work_group_size: bool,
    /// What each value of a Boolean constant removes. For a number: what values remove, the default first, then those with other outcomes; none
    /// if none removes anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<DecidedByValue>,
    /// True if values were not tried, since that takes too much work in this module.
    #[serde(skip_serializing_if = "is_false")]
    pub untried: bool,
}

/// Writes a default value as text that `spirv-if specialize --set` reads.
fn default_text<S: Serializer>(value: &Option<SpecValue>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_str(""),
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What a value of a specialization constant removes where nothing else is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedByValue {
    /// The value.
    pub value: SpecValue,
    /// The number of removed blocks, those of removed functions not counted.
    pub blocks: usize,
    /// The number of removed functions.
    pub functions: usize,
    /// The declared capabilities that are required otherwise, and that nothing requires then.
    pub capabilities: Vec<Name>,
}

/// A capability or extension that a module declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportedDeclaration {
    /// Its name; for a capability that the tables do not have, its number.
    pub name: Name,
    /// The necessity of the declaration.
    pub need: Necessity,
    /// Of one that nothing requires: the first other one that is kept and implies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implied_by: Option<Name>,
    /// The condition under which it is declared; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// The necessity of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Necessity {
    /// Something in the module requires it, and no other declaration implies it.
    Needed,
    /// Nothing requires it: `spirv-if trim` removes it.
    Unneeded,
    /// There are no rules for it: `spirv-if trim` keeps it.
    Unjudged,
}

/// A function that can be called from outside of the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryPointReport {
    /// Its name to the host; for an exported function, its linkage name.
    pub name: String,
    /// The demangled name, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demangled: Option<String>,
    /// The name of the kernel that an exported function is the body of: clang makes such a function of each OpenCL kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of: Option<String>,
    /// The execution model; `None` for an exported function.
    #[serde(serialize_with = "stage", skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// The condition under which it exists; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The capabilities that it requires, chosen among those that the module declares so that they are few; those that another one of them
    /// implies are left out. Unconditional ones come first.
    pub capabilities: Vec<RequiredFeature>,
    /// The extensions that it requires, in the same way.
    pub extensions: Vec<RequiredFeature>,
    /// All its requirements, each met by any one of several alternatives.
    pub requirements: Vec<AnyOf>,
    /// The SYCL aspects that it uses, in the order of their numbers.
    pub aspects: Vec<RequiredFeature>,
    /// The SYCL aspects that its function and the functions that it calls declare (`device_has`); `None` if none of them declares
    /// anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_aspects: Option<Vec<RequiredFeature>>,
    /// The size of work-groups that it requires, in work-items by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_group_size: Option<RequiredSize<[u32; 3]>>,
    /// The size of sub-groups that it requires, in work-items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_group_size: Option<RequiredSize<u32>>,
    /// The sizes of sub-groups, in work-items, that the functions which it calls require, where these differ from its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_sub_group_sizes: Vec<CalledSize>,
    /// The required number of sub-groups in a work-group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_groups_per_work_group: Option<RequiredSize<u32>>,
    /// The devices that run it, if devices were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<Devices>,
    /// The aspects and sizes of sub-groups that it requires of a device.
    #[serde(skip)]
    pub(super) required: Vec<(analysis::DeviceRequirement, Expr)>,
}

/// A size that a called function requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CalledSize {
    /// The size.
    pub size: u32,
    /// The condition under which it is required; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// A required size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RequiredSize<T> {
    /// The size, or its default if the host can set another.
    pub size: T,
    /// True if the host can set another by a specialization constant.
    pub specializable: bool,
}

/// A feature that code requires, unconditionally or under a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RequiredFeature {
    /// Its name.
    pub name: Name,
    /// The condition under which it is required; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// A requirement that any one of several capabilities (or extensions) meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnyOf {
    /// The kind of the names.
    pub kind: RequirementKind,
    /// The names.
    pub any_of: &'static [Name],
    /// True if the module declares one of them, or something that implies it.
    pub met: bool,
    /// The condition under which it is required; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// A capability.
    Capability,
    /// An extension.
    Extension,
    /// A SYCL aspect that a type or function requires, regardless of its instructions.
    Aspect,
}

impl Inspected {
    /// The capabilities and extensions that nothing requires.
    pub fn unneeded(&self) -> impl Iterator<Item = &ReportedDeclaration> {
        let declared = self.capabilities.iter().chain(&self.extensions);
        declared.filter(|declared| declared.need == Necessity::Unneeded)
    }

    /// Entry points, then exported functions.
    pub fn roots(&self) -> impl Iterator<Item = &EntryPointReport> {
        self.entry_points.iter().chain(&self.exported_functions)
    }
}

impl EntryPointReport {
    /// Its kind in texts: the execution model, or `exported`.
    pub fn stage_name(&self) -> String {
        self.stage.map_or_else(|| "exported".to_owned(), stage_name)
    }

    /// The name to show: demangled, and in one line.
    pub fn title(&self) -> Cow<'_, str> {
        in_one_line(self.demangled.as_deref().unwrap_or(&self.name))
    }
}

impl SpecConstantReport {
    /// Its SpecId and name to show, in one line.
    pub fn title(&self) -> String {
        match &self.name {
            Some(name) => format!("SpecId {} ({})", self.spec_id, in_one_line(name)),
            None => format!("SpecId {}", self.spec_id),
        }
    }
}

fn stage_name(number: u32) -> String {
    match ExecutionModel::from_u32(number) {
        Some(model) => format!("{model:?}"),
        None => format!("execution model {number}"),
    }
}

fn stage<S: Serializer>(stage: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    match stage {
        Some(number) => serializer.serialize_some(&stage_name(*number)),
        None => serializer.serialize_none(),
    }
}

fn dotted<S: Serializer>((major, minor): &(u8, u8), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{major}.{minor}"))
}

/// The version of the JSON that a [`InspectionReport`] serializes to (`spec-extensions/inspect.md`). Members may be added without a new
/// number.
pub const SCHEMA: &str = "spirv-if/inspect/1";

/// The findings on files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InspectionReport<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The files, in the order in which they were given.
    pub files: Cow<'a, [FileReport]>,
}

/// The findings on one file. `M` are those on a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport<M = Inspection> {
    /// Its name.
    pub file: String,
    /// Its size in bytes.
    pub size: usize,
    /// Its modules, in their order.
    pub modules: Vec<M>,
}

/// The findings on one module. Copies share them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// The offset of its start in the file, in bytes.
    pub(crate) offset: usize,
    /// Its size in bytes.
    pub(crate) size: usize,
    /// Its requirements.
    #[serde(flatten)]
    pub(crate) inspected: Arc<Inspected>,
    /// The features that an API must enable, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enable: Option<Enable>,
    /// The causes of the requirement in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Vec<Why>>,
    /// The rules that it breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) violations: Vec<Violation>,
    /// What a report for people to look at has besides, if it was requested.
    #[serde(flatten)]
    pub(crate) details: Option<Details>,
    /// The differences from another module, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) against: Option<Vec<Difference>>,
}

impl<'a> InspectionReport<'a> {
    /// A report on files.
    pub fn new(files: impl Into<Cow<'a, [FileReport]>>) -> InspectionReport<'a> {
        InspectionReport { schema: SCHEMA, files: files.into() }
    }
}

/// The tool that wrote a module (`spec-extensions/generators.csv`), as the header says (specification, 2.3 "Physical Layout", generator magic number).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generator {
    /// Its number in the registry of generators.
    pub number: u16,
    /// Its name, or its vendor's; `None` for a number that the table does not have.
    pub name: Option<&'static str>,
    /// Its version, in a numbering of its own.
    pub version: u16,
}

impl Generator {
    /// Reads it from the header of a module.
    pub fn of(module: &Module) -> Generator {
        let word = module.generator();
        let number = (word >> 16) as u16;
        Generator { number, name: generator_name(number), version: word as u16 }
    }

    /// Its name in texts.
    pub fn title(&self) -> Cow<'static, str> {
        match self.name {
            Some(name) => Cow::Borrowed(name),
            None if self.number == 0 => Cow::Borrowed("an unnamed tool"),
            None => Cow::Owned(format!("tool {}", self.number)),
        }
    }
}

impl fmt::Display for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())
    }
}

/// The names of tools, by number.
static GENERATORS: LazyLock<Vec<(u64, &str)>> = LazyLock::new(|| {
    csv::rows(include_str!("../../spec-extensions/generators.csv"))
        .filter_map(|[number, vendor, tool]: [&str; 3]| {
            Some((csv::number(number)?, if tool.is_empty() { vendor } else { tool }))
        })
        .collect()
});

fn generator_name(number: u16) -> Option<&'static str> {
    GENERATORS.iter().find(|(own, _)| *own == u64::from(number)).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_have_names() {
        assert_eq!(
            [generator_name(8), generator_name(11), generator_name(0), generator_name(5000)],
            [Some("Glslang Reference Front End"), Some("Intel"), None, None]
        );
    }
}
