//! What an inspection finds, as plain data. Serialized, it is the JSON of `spec-extensions/inspect.md`.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use spirv::ExecutionModel;

use super::crashes::Crash;
use super::devices::Devices;
use super::generator::Generator;
use super::when::When;
use crate::analysis::{self, in_one_line};
use crate::condition::Expr;

/// The name of a capability or an extension.
pub type Name = Cow<'static, str>;

/// What was found of one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspected {
    /// The SPIR-V version, as major and minor.
    #[serde(serialize_with = "dotted")]
    pub version: (u8, u8),
    /// Which tool wrote the module.
    pub generator: Generator,
    /// The number of functions, imported ones included.
    pub functions: usize,
    /// The number of conditional calls: what `spirv-if pack` makes the module a multi-target one for.
    pub conditional_calls: usize,
    /// Whether it is a multi-target module already: what `spirv-if specialize` takes.
    pub multi_target: bool,
    /// The capabilities that it declares, in its order.
    pub capabilities: Vec<Declared>,
    /// The extensions that it declares, in its order.
    pub extensions: Vec<Declared>,
    /// Its entry points, in its order.
    pub entry_points: Vec<EntryPoint>,
    /// The functions that other modules may call and that nothing in this one refers to, in its order.
    pub exported_functions: Vec<EntryPoint>,
    /// The instructions on which the compiler of a driver is known to crash, in its order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<Crash>,
}

/// A capability or extension that a module declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// Its name; for a capability that the tables do not have, its number.
    pub name: Name,
    /// Whether anything in the module needs it.
    pub need: Need,
    /// Of one that nothing needs: the first other one that stays and implies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implied_by: Option<Name>,
    /// When it is declared, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// Whether anything in a module needs a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// Something does, or another declaration that stays does not bring it.
    Needed,
    /// Nothing does: `spirv-if trim` removes it.
    Unneeded,
    /// We cannot tell what needs it: `spirv-if trim` lets it stay.
    Unjudged,
}

/// A function that can be called from outside of the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EntryPoint {
    /// Its name to the host; for an exported function, its linkage name.
    pub name: String,
    /// The name as people read it, where that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demangled: Option<String>,
    /// The name of the kernel that an exported function is the body of: clang makes such a function of each OpenCL kernel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of: Option<String>,
    /// The execution model; `None` for an exported function.
    #[serde(serialize_with = "stage", skip_serializing_if = "Option::is_none")]
    pub stage: Option<u32>,
    /// When it is there, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The capabilities that it needs, chosen among those that the module declares so that they are few; what one of them
    /// implies is left out. Those that it needs in any case come first.
    pub capabilities: Vec<Required>,
    /// The extensions that it needs, in the same way.
    pub extensions: Vec<Required>,
    /// All that it requires, each met by any one of several.
    pub requirements: Vec<AnyOf>,
    /// The SYCL aspects that it uses, in the order of their numbers.
    pub aspects: Vec<Required>,
    /// The SYCL aspects that its function declares (`device_has`), and the functions that it calls; `None` if none of them says
    /// anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared_aspects: Option<Vec<Required>>,
    /// The size of work-groups that it requires, in work-items by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_group_size: Option<Sizes<[u32; 3]>>,
    /// The size of sub-groups that it requires, in work-items.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_group_size: Option<Sizes<u32>>,
    /// The sizes of sub-groups, in work-items, that the functions require that it calls, where that is another.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub called_sub_group_sizes: Vec<CalledSize>,
    /// How many sub-groups it requires in a work-group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_groups_per_work_group: Option<Sizes<u32>>,
    /// Which devices run it, if devices were asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub devices: Option<Devices>,
    /// The aspects and sizes of sub-groups that devices are asked for.
    #[serde(skip)]
    pub(super) needs: Vec<(analysis::DeviceRequirement, Expr)>,
}

/// A size that a called function requires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CalledSize {
    /// The size.
    pub size: u32,
    /// When it is required, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// A required size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes<T> {
    /// The size; by default, if the host can set another.
    pub size: T,
    /// Whether the host can set another: a specialization constant decides.
    pub specializable: bool,
}

/// Something that code needs, in any case or under a condition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Required {
    /// What it is.
    pub name: Name,
    /// When it is needed, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// A requirement that any one of several capabilities (or extensions) meets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnyOf {
    /// What the names are of.
    pub kind: Kind,
    /// The names.
    pub any_of: &'static [Name],
    /// Whether the module declares one of them, or something that implies it.
    pub met: bool,
    /// When it is required, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// What a name is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A capability.
    Capability,
    /// An extension.
    Extension,
    /// A SYCL aspect, which a type or function needs whatever its instructions do.
    Aspect,
}

impl Inspected {
    /// The capabilities and extensions that nothing needs.
    pub fn unneeded(&self) -> impl Iterator<Item = &Declared> {
        let declared = self.capabilities.iter().chain(&self.extensions);
        declared.filter(|declared| declared.need == Need::Unneeded)
    }

    /// Entry points, then exported functions.
    pub fn roots(&self) -> impl Iterator<Item = &EntryPoint> {
        self.entry_points.iter().chain(&self.exported_functions)
    }
}

impl EntryPoint {
    /// What a text calls its kind: the execution model, or `exported`.
    pub fn stage_name(&self) -> String {
        self.stage.map_or_else(|| "exported".to_owned(), stage_name)
    }

    /// The name to show: demangled, where it must be, and in one line.
    pub fn title(&self) -> Cow<'_, str> {
        in_one_line(self.demangled.as_deref().unwrap_or(&self.name))
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
