//! The findings of an inspection, as plain data. Serialized, it is the JSON of `spec-extensions/inspect.md`.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};

use serde::{Serialize, Serializer};
use spirv::ExecutionModel;

use super::answer::Answer;
use super::defects::DefectInstruction;
use super::details::{Details, EntryPointDifference};
use super::devices::DeviceCounts;
use super::enabling::EnableReport;
use super::groups::DeviceGroup;
use super::library::{LibraryAnswer, ModuleCounts};
use super::lowering_cost::LoweringObstacle;
use super::remedy::Remedy;
use super::rules::Violation;
use super::shared_costs::{SetConstant, SharedCost};
use super::why::Why;
use crate::statistics::ModuleStatistics;
use spirv_if::engine::analysis::ReadableCondition;
use spirv_if::engine::analysis::{self, in_one_line};
use spirv_if::engine::collections::sort_by_key;
use spirv_if::engine::condition::Expr;
use spirv_if::engine::device::NumberTable;
use spirv_if::engine::loader::Module;
use spirv_if::engine::text::csv;
use spirv_if::module::Version;
use spirv_if::specialize::SpecValue;

/// The name of a capability or an extension.
pub type DeclarationName = Cow<'static, str>;

/// The findings on one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspected {
    /// The number of devices that run all entry points, with the reasons of the others; `None` until devices are compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The single devices by vendor and result, if they were requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub device_groups: Vec<DeviceGroup>,
    /// The SPIR-V version.
    #[serde(serialize_with = "version_text")]
    pub version: Version,
    /// The tool that wrote the module.
    pub generator: GeneratorTool,
    /// The number of functions, imported ones included.
    pub functions: usize,
    /// The number of conditional calls, which `spirv-if pack` turns into a multi-target module.
    pub conditional_calls: usize,
    /// True for a multi-target module, which `spirv-if specialize` turns into a plain one.
    pub multi_target: bool,
    /// The command after which more devices may run it.
    pub remedy: Remedy,
    /// The capabilities that any of its entry points requires. Unconditional ones come first, then those of older versions.
    pub requires: Vec<RequiredFeature>,
    /// Declared capabilities, in the module's order.
    pub capabilities: Vec<ReportedDeclaration>,
    /// Declared extensions, in the module's order.
    pub extensions: Vec<ReportedDeclaration>,
    /// Entry points, in the module's order.
    pub entry_points: Vec<EntryPointReport>,
    /// Functions that other modules may call and that nothing in this one refers to, in the module's order.
    pub exported_functions: Vec<EntryPointReport>,
    /// Entry points of graphs (SPV_ARM_graph), by name, in the module's order. Their requirements are not listed by themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<String>,
    /// Specialization constants with a SpecId, ordered by it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstantReport>,
    /// Values of constants that remove capabilities only together.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_costs: Vec<SharedCost>,
    /// Features that devices lack and that cannot be lowered, if remedies were tried.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_lowered: Vec<LoweringObstacle>,
    /// Instructions at which the compiler of a driver is known to fail, by defect, in the module's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defects: Vec<DefectInstruction>,
}

/// A specialization constant that the host can set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecConstantReport {
    /// The number by which the host knows it.
    pub spec_id: u32,
    /// Result id.
    pub id: u32,
    /// Name, if the constant has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<DeclarationName>,
    /// Type, such as `bool` or `uint32`.
    #[serde(rename = "type")]
    pub type_: DeclarationName,
    /// Default value; `None` if its type is unknown.
    #[serde(serialize_with = "default_text")]
    pub default: Option<SpecValue>,
    /// Branches, declarations and sizes that depend on it.
    pub decides: DecidedByConstant,
}

/// Dependents of a specialization constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedByConstant {
    /// The number of branches that the constant decides: alone or with others, directly or by values computed
    /// from it.
    pub branches: usize,
    /// The number of array types whose length depends on the constant.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on the constant.
    pub work_group_size: bool,
    /// Effects of values: both of a Boolean. For a number, the default first, then values with other effects;
    /// empty if none removes anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<DecidedByValue>,
    /// True if values were not tried, because this module would take too much work.
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

/// Parts that a value of a specialization constant removes if no other constant is set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecidedByValue {
    /// The value.
    pub value: SpecValue,
    /// The number of removed blocks, those of removed functions not counted.
    pub blocks: usize,
    /// The number of removed functions.
    pub functions: usize,
    /// Declared capabilities that are no longer required with this value.
    pub capabilities: Vec<DeclarationName>,
}

/// A capability or extension that a module declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportedDeclaration {
    /// Name; the number of a capability missing from the tables.
    pub name: DeclarationName,
    /// Necessity of the declaration.
    pub need: Necessity,
    /// For an unneeded declaration: the first other kept one that implies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implied_by: Option<DeclarationName>,
    /// For an unneeded capability: the capabilities that it implies and that `trim` declares instead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub narrower: Vec<String>,
    /// Condition of the declaration; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
}

/// The necessity of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Necessity {
    /// Something in the module requires the declaration, and no other one implies it.
    Needed,
    /// Nothing requires the declaration: `spirv-if trim` removes it.
    Unneeded,
    /// No rules exist for the declaration: `spirv-if trim` keeps it.
    Unjudged,
}

/// A function that can be called from outside the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryPointReport {
    /// Name to the host; the linkage name of an exported function.
    pub name: String,
    /// Demangled name, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demangled: Option<String>,
    /// Name of the kernel whose body this exported function is. clang makes such a function for each OpenCL
    /// kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of: Option<String>,
    /// Execution model; `None` for an exported function.
    #[serde(serialize_with = "stage", skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// Condition under which the entry point exists; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
    /// Required capabilities: few of the declared ones that suffice. Capabilities that others imply are
    /// omitted, and unconditional ones come first.
    pub capabilities: Vec<RequiredFeature>,
    /// Required extensions, chosen in the same way.
    pub extensions: Vec<RequiredFeature>,
    /// All requirements. One of the alternatives of each suffices.
    pub requirements: Vec<AnyOf>,
    /// SYCL aspects that the entry point uses, ordered by number.
    pub aspects: Vec<RequiredFeature>,
    /// SYCL aspects that the function and its callees declare (`device_has`); `None` if none of them has the
    /// attribute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_aspects: Option<Vec<RequiredFeature>>,
    /// Required size of work-groups, in work-items by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_group_size: Option<RequiredSize<[u32; 3]>>,
    /// Required size of sub-groups, in work-items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_group_size: Option<RequiredSize<u32>>,
    /// Other sizes of sub-groups, in work-items, that called functions require.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_sub_group_sizes: Vec<CalledSize>,
    /// The required number of sub-groups in a work-group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_groups_per_work_group: Option<RequiredSize<u32>>,
    /// The devices that run the entry point, if devices were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<DeviceCounts>,
    /// The aspects and sizes of sub-groups that a device must support.
    #[serde(skip)]
    pub(super) required: Vec<(analysis::DeviceRequirement, Expr)>,
}

/// A size that a called function requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CalledSize {
    /// The size.
    pub size: u32,
    /// Condition of the requirement; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
}

/// A required size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RequiredSize<T> {
    /// The size; the default if the host can set another.
    pub size: T,
    /// True if the host can set another size by a specialization constant.
    pub specializable: bool,
}

/// A feature that code requires, unconditionally or under a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct RequiredFeature {
    /// Name of the feature.
    pub name: DeclarationName,
    /// Condition of the requirement; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
}

/// A requirement with alternatives: one of several capabilities (or extensions) meets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnyOf {
    /// Kind of the names.
    pub kind: RequirementKind,
    /// Names of the alternatives.
    pub any_of: &'static [DeclarationName],
    /// True if the module declares an alternative, directly or by implication.
    pub met: bool,
    /// Condition of the requirement; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
}

/// The kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// A capability.
    Capability,
    /// An extension.
    Extension,
    /// A SYCL aspect required by a type or function, regardless of instructions.
    Aspect,
    /// A use of Vulkan features.
    Feature,
}

impl Inspected {
    /// Returns the capabilities and extensions that nothing requires.
    pub fn unneeded(&self) -> impl Iterator<Item = &ReportedDeclaration> {
        let declared = self.capabilities.iter().chain(&self.extensions);
        declared.filter(|declared| declared.need == Necessity::Unneeded)
    }

    /// Returns the capabilities that any entry point or exported function requires, in the order of [`Inspected::requires`].
    pub(super) fn required_capabilities(&self) -> Vec<RequiredFeature> {
        let mut required: Vec<RequiredFeature> = Vec::new();
        for capability in self.roots().flat_map(|root| &root.capabilities) {
            if !required.contains(capability) {
                required.push(capability.clone());
            }
        }
        // Features of SPIR-V 1.0 say most about a module.
        sort_by_key(&mut required, |feature| {
            (feature.when.is_some(), NumberTable::Capabilities.number(&feature.name))
        });
        required
    }

    /// Returns the roots that use the module: its entry points, or the exported functions of a library.
    pub fn counted_roots(&self) -> &[EntryPointReport] {
        if self.entry_points.is_empty() { &self.exported_functions } else { &self.entry_points }
    }

    /// Returns entry points, then exported functions.
    pub fn roots(&self) -> impl Iterator<Item = &EntryPointReport> {
        self.entry_points.iter().chain(&self.exported_functions)
    }
}

impl EntryPointReport {
    /// Returns the kind for messages: the execution model, or `exported`.
    pub fn stage_name(&self) -> String {
        self.stage.map_or_else(|| "exported".to_owned(), stage_name)
    }

    /// Returns the name for messages: demangled, and in one line.
    pub fn title(&self) -> Cow<'_, str> {
        in_one_line(self.demangled.as_deref().unwrap_or(&self.name))
    }
}

impl SpecConstantReport {
    /// Returns the SpecId and name for messages, in one line.
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

fn version_text<S: Serializer>(version: &Version, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(version)
}

/// Version of the JSON that an [`InspectionReport`] serializes to (`spec-extensions/inspect.md`). Members may
/// be added without a new number.
pub const SCHEMA: &str = "spirv-if/inspect/1";

/// The findings on files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InspectionReport<'a> {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The numbers of devices that run the modules, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<LibraryAnswer>,
    /// The files, in the given order.
    pub files: Cow<'a, [FileReport]>,
}

/// The findings on one file. `M` is the type of the findings on a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport<M = Inspection> {
    /// Name of the file.
    pub file: String,
    /// Size of the file in bytes.
    pub size: usize,
    /// Findings on each module, in the file's order.
    pub modules: Vec<M>,
}

/// The findings on one module. Copies of a module share them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspection {
    /// Offset of the module in the file, in bytes.
    pub(crate) offset: usize,
    /// Size of the module in bytes.
    pub(crate) size: usize,
    /// Requirements of the module.
    #[serde(flatten)]
    pub(crate) inspected: Arc<Inspected>,
    /// Features that an API must enable, if an API was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) enable: Option<EnableReport>,
    /// Causes of the requirement in question, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<Vec<Why>>,
    /// Values of constants with which nothing has the requirement in question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) without: Vec<SetConstant>,
    /// Rules that the module breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) violations: Vec<Violation>,
    /// Details for people, if requested.
    #[serde(flatten)]
    pub(crate) details: Option<Details>,
    /// Differences from another module, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) against: Option<Vec<EntryPointDifference>>,
    /// Statistics of the compiler of a driver, if one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) statistics: Option<Arc<ModuleStatistics>>,
}

impl Inspection {
    /// Returns the numbers of devices; `None` if devices were not compared.
    pub(crate) fn counts(&self) -> Option<ModuleCounts> {
        self.inspected.answer.as_ref().map(ModuleCounts::from_answer)
    }
}

impl<'a> InspectionReport<'a> {
    /// Creates a report on files, with the answer about their modules by the [numbers](Inspection::counts) of these.
    pub fn new(
        counts: impl IntoIterator<Item = ModuleCounts>,
        files: impl Into<Cow<'a, [FileReport]>>,
    ) -> InspectionReport<'a> {
        InspectionReport { schema: SCHEMA, answer: LibraryAnswer::new(counts), files: files.into() }
    }
}

/// The tool that wrote a module (`spec-extensions/generators.csv`), from the generator magic number in the
/// header (specification, 2.3 "Physical Layout").
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GeneratorTool {
    /// Number in the registry of generators.
    pub number: u16,
    /// Name, or the vendor's name; `None` for a number missing from the table.
    pub name: Option<&'static str>,
    /// Version, in the tool's own numbering.
    pub version: u16,
}

impl GeneratorTool {
    /// Reads the generator from the header of a module.
    pub fn from_module(module: &Module) -> GeneratorTool {
        let word = module.generator();
        let number = (word >> 16) as u16;
        GeneratorTool { number, name: generator_name(number), version: word as u16 }
    }

    /// Returns the name for messages.
    pub fn title(&self) -> Cow<'static, str> {
        match self.name {
            Some(name) => Cow::Borrowed(name),
            None if self.number == 0 => Cow::Borrowed("an unnamed tool"),
            None => Cow::Owned(format!("tool {}", self.number)),
        }
    }
}

impl fmt::Display for GeneratorTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title())
    }
}

/// Names of tools, by number.
static GENERATORS: LazyLock<Vec<(u64, &str)>> = LazyLock::new(|| {
    csv::rows(spirv_if::engine::GENERATORS)
        .filter_map(|[number, vendor, tool]: [&str; 3]| {
            Some((csv::number(number)?, if tool.is_empty() { vendor } else { tool }))
        })
        .collect()
});

fn generator_name(number: u16) -> Option<&'static str> {
    GENERATORS.iter().find(|(known, _)| *known == u64::from(number)).map(|(_, name)| *name)
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
