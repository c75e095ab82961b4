//! Merging: builds of one shader for different devices as one module.
//!
//! [`merge()`] is for shaders that are compiled several times, with other macros for each kind of device. Each build is a [`Variant`] with
//! a condition, or conditions follow from the requirements of the builds ([`MergeOptions::infer`]). [`ManifestShader`] reads a file with
//! the variants of many shaders.
//!
//! ```
//! use spirv_if::merge::{MergeOptions, Variant, merge};
//! use spirv_if::Module;
//! let half = std::fs::read("fixtures/merge/scale-fp16.spv")?;
//! let plain = std::fs::read("fixtures/merge/scale.spv")?;
//! let [half, plain] = [Module::from_bytes(&half)?, Module::from_bytes(&plain)?];
//! let variants = [Variant::new(&half, None), Variant::new(&plain, None)];
//! let merged = merge(&variants, &MergeOptions::new().infer(true))?;
//! assert_eq!(merged.variants[0].condition.to_string(), "cap(Float16)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::condition::Condition;
use super::error::{Error, RequestErrorKind};
use super::ids::ConditionConstant;
use super::module::{Module, to_bytes};
use super::pack::Dialect;
use crate::device::DeviceConfig;
use crate::loader;
use crate::metadata::manifest;
use crate::metadata::property_sets::{PropertyNames, PropertySets};
use crate::pipelines::merge::{self, MergedByRule, VariantInput, VariantTables, merge_conditional};
use crate::transform::merge::MergedModule;

/// A build of a shader, and the condition under which a device gets it if no variant before it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'v> {
    module: &'v Module<'v>,
    condition: Option<&'v Condition>,
}

impl<'v> Variant<'v> {
    /// Makes the variant of a module. Without a condition, it is for all devices that no other variant is for.
    pub fn new(module: &'v Module<'v>, condition: impl Into<Option<&'v Condition>>) -> Variant<'v> {
        Variant { module, condition: condition.into() }
    }
}

/// Options of [`merge()`].
///
/// ```
/// let options = spirv_if::merge::MergeOptions::new().infer(true).create_library(true);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct MergeOptions {
    dialect: Dialect,
    devices: Option<DeviceConfig>,
    property_names: PropertyNames,
    infer: bool,
    /// The name and the text of the table.
    targets: Option<(String, String)>,
    /// The name and the text of the table.
    architectures: Option<(String, String)>,
    declared_capabilities: bool,
    create_library: bool,
}

impl MergeOptions {
    /// Starts with the default options.
    pub fn new() -> MergeOptions {
        MergeOptions::default()
    }

    /// Sets the form in which leaves of conditions are written.
    pub fn dialect(mut self, dialect: Dialect) -> MergeOptions {
        self.dialect = dialect;
        self
    }

    /// Sets the devices for which a condition may imply an aspect. By default they are those of the embedded configuration.
    pub fn devices(mut self, devices: impl Into<Option<DeviceConfig>>) -> MergeOptions {
        self.devices = devices.into();
        self
    }

    /// Sets the spelling of properties.
    pub fn property_names(mut self, names: PropertyNames) -> MergeOptions {
        self.property_names = names;
        self
    }

    /// Infers the conditions of variants, if true, from the capabilities and extensions that each requires ([`trim()`](crate::trim::trim())).
    ///
    /// Variants then come without conditions. Each is for the devices that meet its requirements, except requirements of all variants. A
    /// variant that requires more than another comes before it. If neither of two requires more and both run, the first is chosen, with a
    /// warning.
    pub fn infer(mut self, infer: bool) -> MergeOptions {
        self.infer = infer;
        self
    }

    /// Adds a table of `spirv-link --fnvar-targets`, with the columns `module`, `target` and `features`; `name` is its name in errors.
    ///
    /// With either table, variants come without conditions, and tables have the names of their modules ([`Module::with_name`]). The first
    /// is the base, for the devices that no other variant is for. Another variant takes missing definitions from the base. If several other
    /// variants are for one device, the first is chosen, with a warning. Conditions are device constants ([`Dialect::FunctionVariants`]).
    pub fn targets(mut self, name: impl Into<String>, text: impl Into<String>) -> MergeOptions {
        self.targets = Some((name.into(), text.into()));
        self
    }

    /// Adds a table of `spirv-link --fnvar-architectures`, with the columns `module`, `category`, `family`, `op` and `architecture`; `name` is its
    /// name in errors.
    ///
    /// All comparisons of one family must hold, for any of the families.
    pub fn architectures(mut self, name: impl Into<String>, text: impl Into<String>) -> MergeOptions {
        self.architectures = Some((name.into(), text.into()));
        self
    }

    /// Restricts each module to devices that have its declared capabilities, if true. Like tables, this replaces conditions.
    pub fn declared_capabilities(mut self, declared: bool) -> MergeOptions {
        self.declared_capabilities = declared;
        self
    }

    /// Keeps the exports of shaders, if true, as [`LinkOptions::create_library`](crate::link::LinkOptions::create_library) does.
    ///
    /// By default variants that are shaders with entry points, and that import nothing, lose their exports and the capability Linkage.
    pub fn create_library(mut self, library: bool) -> MergeOptions {
        self.create_library = library;
        self
    }

    /// Reads the tables, if there are any.
    fn tables(&self) -> Result<Option<VariantTables>, Error> {
        let mut tables = VariantTables::default();
        tables.capabilities = self.declared_capabilities;
        if let Some((name, text)) = &self.targets {
            tables
                .add_targets(name, text)
                .map_err(|error| Error::request(RequestErrorKind::Variants, error))?;
        }
        if let Some((name, text)) = &self.architectures {
            tables
                .add_architectures(name, text)
                .map_err(|error| Error::request(RequestErrorKind::Variants, error))?;
        }
        let is_any = self.targets.is_some() || self.architectures.is_some() || self.declared_capabilities;
        Ok(is_any.then_some(tables))
    }
}

/// Variants as one module.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The words, in the host's byte order.
    pub words: Vec<u32>,
    /// The property sets: the specialization constants that the host sets, and the device requirements of the module.
    pub properties: PropertySets,
    /// The variants that some device gets.
    pub variants: Vec<MergedVariant>,
    /// The size of definitions and functions that several variants have, in bytes.
    pub shared: usize,
    /// The condition of the whole module: no variant is for other devices. `None` if there is one for every device.
    pub condition: Option<Condition>,
    /// The specialization constants that the host sets to true where a condition holds.
    pub set_by_host: Vec<ConditionConstant>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A variant in a merged module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MergedVariant {
    /// The name of the module.
    pub name: String,
    /// The condition under which it is chosen.
    pub condition: Condition,
    /// The size of definitions and functions that no other variant has, in bytes.
    pub size: usize,
}

impl Merged {
    /// Returns the words as little-endian bytes, as a file has them.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(&self.words)
    }
}

/// A shader of a manifest (`docs/merge.md`, "Many shaders"), with its variants.
///
/// ```
/// use spirv_if::merge::ManifestShader;
/// let text = "shaders: { a.spv: { a.f16.spv: fp16, a.f32.spv: else }, b.spv: [b.f16.spv, b.f32.spv] }";
/// let shaders = ManifestShader::from_yaml("shaders.yaml", text)?;
/// assert_eq!(shaders[0].modules, ["a.f16.spv", "a.f32.spv"]);
/// assert!(shaders[1].conditions.is_none(), "they follow from what the modules require");
/// # Ok::<(), spirv_if::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ManifestShader {
    /// The name of the result.
    pub name: String,
    /// The line in the manifest, from 1.
    pub line: usize,
    /// The modules, in the order in which their conditions are evaluated.
    pub modules: Vec<String>,
    /// The condition of each module; `None` for all remaining devices. Without conditions, [`MergeOptions::infer`] supplies them.
    pub conditions: Option<Vec<Option<Condition>>>,
    /// The specialization constants to fix, by SpecId or name, and their values. They are for bundles; [`merge()`] has no use for them.
    pub constants: Vec<(String, String)>,
    /// The specialization constants to which the host gives one of several values, by SpecId or name, and the values. They are for ready shaders of bundles.
    pub choices: Vec<(String, Vec<String>)>,
    /// True if bundles have its module for every device.
    pub is_ready: bool,
}

impl ManifestShader {
    /// Reads the shaders of a manifest, in their order; `source_name` is its name in errors.
    ///
    /// # Errors
    /// If it is malformed, with the line.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<Vec<ManifestShader>, Error> {
        let shaders = manifest::read(text).map_err(|error| {
            let problem = format!("{source_name}:{}: {}", error.line, error.message);
            Error::request(RequestErrorKind::Variants, problem)
        })?;
        let shader = |shader: manifest::Shader| ManifestShader {
            name: shader.name,
            line: shader.line,
            modules: shader.modules,
            conditions: shader
                .conditions
                .map(|all| all.into_iter().map(|condition| condition.map(Condition::new)).collect()),
            constants: shader.constants,
            choices: shader.choices,
            is_ready: shader.is_ready,
        };
        Ok(shaders.into_iter().map(shader).collect())
    }
}

/// Merges builds of one shader for different devices to one module. On each device, the first variant whose condition holds is chosen:
/// [`Prepared::specialize`](crate::Prepared::specialize) returns it. Equal parts of several variants exist once (`docs/merge.md`).
///
/// # Errors
/// If a condition is too complex, or is set although a rule supplies it. If a variant has annotations (they apply once it is
/// [packed](crate::pack())). If the conditional code of a variant represents too many plain modules. If the variants cannot be one module.
///
/// ```
/// use spirv_if::{Condition, Device, Module, Prepared, Settings};
/// use spirv_if::merge::{MergeOptions, Variant, merge};
/// let half = std::fs::read("fixtures/merge/scale-fp16.spv")?;
/// let plain = std::fs::read("fixtures/merge/scale.spv")?;
/// let [half, plain] = [Module::from_bytes(&half)?, Module::from_bytes(&plain)?];
/// let fp16 = Condition::parse("fp16")?;
/// let variants = [Variant::new(&half, &fp16), Variant::new(&plain, None)];
/// let merged = merge(&variants, &MergeOptions::default())?;
/// assert!(merged.shared > 0 && merged.warnings.is_empty());
/// let module = Module::from_words(merged.words)?;
/// let device = Device::embedded("intel_gpu_bmg_g21")?;
/// let chosen = Prepared::new(&module)?.specialize(&device, &Settings::new())?;
/// assert!(spirv_if_inspect::inspect(&Module::from_words(chosen.words)?, &Default::default()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(variants: &[Variant], options: &MergeOptions) -> Result<Merged, Error> {
    let (devices, names) = (options.devices.as_ref(), options.property_names);
    let mut modules: Vec<(&str, &loader::Module)> = Vec::new();
    for variant in variants {
        if !variant.module.annotated.is_empty() {
            let name = &variant.module.name;
            return Err(contradiction(format!(
                "{name} has annotations, which merging does not apply: pack it, and merge the result"
            )));
        }
        modules.push((&variant.module.name, &variant.module.lowered()?.inner));
    }
    let tables = options.tables()?;
    let declared: Vec<&loader::Module> = modules.iter().map(|&(_, module)| module).collect();
    // With tables, missing definitions of a variant come from the base's exports first.
    let complete = match options.create_library || tables.is_some() {
        true => Vec::new(),
        false => merge::without_exports(&declared)?,
    };
    modules.iter_mut().zip(&complete).for_each(|((_, module), complete)| *module = complete);
    if (tables.is_some() || options.infer)
        && let Some(variant) = variants.iter().find(|variant| variant.condition.is_some())
    {
        let name = &variant.module.name;
        return Err(contradiction(format!(
            "{name} has a condition, but `infer` or a table already supplies them"
        )));
    }
    match tables {
        Some(_) if options.infer => {
            Err(contradiction("conditions are inferred, or tables say them: not both".to_owned()))
        }
        Some(tables) => {
            let merged = merge::merge_by_tables(&modules, &tables, options.create_library, devices, names)?;
            by_rule(merged, &modules, |first, second| {
                format!("the rows of {first} and {second} fit the same devices: {first} is chosen there")
            })
        }
        None if options.infer => {
            let merged = merge::merge_by_requirements(&modules, options.dialect, devices, names)?;
            by_rule(merged, &modules, |first, second| {
                format!(
                    "neither {first} nor {second} requires all that the other does: {first} is chosen where both run"
                )
            })
        }
        None => written(variants, &modules, options),
    }
}

/// Returns the error for options or variants that contradict each other.
fn contradiction(problem: String) -> Error {
    Error::request(RequestErrorKind::Options, problem)
}

/// Merges variants by their given conditions.
fn written(
    variants: &[Variant],
    modules: &[(&str, &loader::Module)],
    options: &MergeOptions,
) -> Result<Merged, Error> {
    if let Some(after) = variants.iter().position(|variant| variant.condition.is_none()).map(|at| at + 1)
        && let Some(later) = variants.get(after)
    {
        let name = &later.module.name;
        return Err(contradiction(format!(
            "{name} comes after the variant for all remaining devices: that one must be the last"
        )));
    }
    let properties: Vec<_> =
        variants.iter().map(|variant| variant.module.properties()).collect::<Result<_, _>>()?;
    let inputs: Vec<VariantInput> = variants
        .iter()
        .zip(modules.iter().zip(&properties))
        .map(|(variant, (&(name, module), properties))| VariantInput {
            name,
            module,
            properties,
            condition: variant.condition.map(|condition| &condition.expr),
        })
        .collect();
    let (merged, properties) =
        merge_conditional(&inputs, options.dialect, options.devices.as_ref(), options.property_names)?;
    let names: Vec<&str> = inputs.iter().map(|input| input.name).collect();
    result(merged, properties, &names, Vec::new())
}

/// Makes the result for modules whose conditions follow from a rule.
fn by_rule(
    by_rule: MergedByRule,
    modules: &[(&str, &loader::Module)],
    undecided: impl Fn(&str, &str) -> String,
) -> Result<Merged, Error> {
    let name = |at: usize| modules[at].0;
    let warnings = by_rule.undecided.iter().map(|&(first, second)| undecided(name(first), name(second)));
    let names: Vec<&str> = by_rule.order.iter().map(|&at| name(at)).collect();
    result(by_rule.merged, by_rule.properties, &names, warnings.collect())
}

fn result(
    mut merged: MergedModule,
    properties: PropertySets,
    names: &[&str],
    mut warnings: Vec<String>,
) -> Result<Merged, Error> {
    let mut variants = Vec::new();
    for variant in &merged.variants {
        variants.push(MergedVariant {
            name: names[variant.input].to_owned(),
            condition: Condition::new(merged.conditions.expr_of(variant.condition)?),
            size: size_of::<u32>() * variant.own_words,
        });
    }
    let condition = match merged.any.is_true() {
        true => None,
        false => Some(Condition::new(merged.conditions.expr_of(merged.any)?)),
    };
    warnings.extend(merged.never_chosen.iter().map(|&at| {
        format!(
            "{}: no device gets this variant, since one before it is for all that it is for; it is left out",
            names[at]
        )
    }));
    Ok(Merged {
        words: Module::result(merged.words),
        properties,
        variants,
        shared: size_of::<u32>() * merged.shared_words,
        condition,
        set_by_host: ConditionConstant::from_leaves(&merged.leaves),
        warnings,
    })
}
