//! `merge`: builds of one shader for different devices as one module.

use super::{Condition, Dialect, Error, Module, SpecId};
use crate::condition::Expr;
use crate::device::{DeviceConfig, Tables};
use crate::loader;
use crate::metadata::manifest;
use crate::metadata::property_sets::{PropertyNames, PropertySets};
use crate::pipelines::merge::{self, MergedByRule, VariantInput, VariantTables, merge_conditional};
use crate::transform::merge::MergedModule;

/// A build of a shader, and the condition under which a device gets it if no variant before it is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'v> {
    /// The module.
    pub module: &'v Module<'v>,
    /// The condition; `None` for all devices that no other variant is for.
    pub condition: Option<&'v Condition>,
}

/// Options of [`merge()`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct MergeOptions {
    /// The form of the leaves of conditions.
    pub dialect: Dialect,
    /// The devices for which a condition may imply an aspect; those of the embedded configuration, if none are given.
    pub devices: Option<DeviceConfig>,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
    /// True if variants come without conditions, and each is for the devices that have the capabilities and extensions that it requires
    /// ([`trim()`](crate::trim())), but for those that all variants require. One that requires more than another comes before it. Of two of
    /// which neither does, the first is chosen where both run, with a warning.
    pub infer: bool,
    /// The name and the text of a table of `spirv-link --fnvar-targets`, with the columns `module`, `target` and `features`.
    ///
    /// With either table, variants come without conditions, and tables have the names of their modules ([`Module::with_name`]). The first is the
    /// base, for the devices that no other is for; what another one does not define, it has from the base. Of several others that are for
    /// one device, the first is chosen, with a warning. Conditions are device constants ([`Dialect::FunctionVariants`]).
    pub targets: Option<(String, String)>,
    /// The name and the text of a table of `spirv-link --fnvar-architectures`, with the columns `module`, `category`, `family`, `op` and
    /// `architecture`. Comparisons of one family hold together, and of several families any.
    pub architectures: Option<(String, String)>,
    /// The same as the tables, where each module is only for devices with the capabilities that it declares.
    pub declared_capabilities: bool,
    /// Keeps the exports of shaders, as [`link`](crate::link()) does. By default variants that are shaders
    /// with entry points, and that import nothing, lose their exports and the capability Linkage.
    pub create_library: bool,
}

impl MergeOptions {
    /// The tables, if there are any.
    fn tables(&self) -> Result<Option<VariantTables>, Error> {
        let mut tables = VariantTables::default();
        tables.capabilities = self.declared_capabilities;
        if let Some((name, text)) = &self.targets {
            tables.add_targets(name, text).map_err(Error::request)?;
        }
        if let Some((name, text)) = &self.architectures {
            tables.add_architectures(name, text).map_err(Error::request)?;
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
    /// Its property sets: which specialization constants the host sets, and what the module requires of a device.
    pub properties: PropertySets,
    /// The variants that some device gets: the name of each, the condition under which it is chosen, as text, and the bytes of the definitions and
    /// functions that it alone has.
    pub variants: Vec<(String, String, usize)>,
    /// The bytes of definitions and functions that several variants have.
    pub shared: usize,
    /// The condition of the whole module: no variant is for other devices. `None` if there is one for every device.
    pub condition: Option<Condition>,
    /// The specialization constants that the host sets to true where a condition holds.
    pub set_by_host: Vec<(SpecId, Condition)>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A shader of a manifest (`docs/merge.md`, "Many shaders"), with its variants.
///
/// ```
/// use spirv_if::ManifestShader;
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
    /// Its line in the manifest, from 1.
    pub line: usize,
    /// The modules, in the order in which their conditions are looked at.
    pub modules: Vec<String>,
    /// The condition of each module, `None` for all remaining devices. Without any, they are those of [`MergeOptions::infer`].
    pub conditions: Option<Vec<Option<Condition>>>,
}

impl ManifestShader {
    /// Reads the shaders of a manifest, in their order; `source_name` is its name in errors.
    ///
    /// # Errors
    /// If it is malformed, with the line.
    pub fn from_yaml(source_name: &str, text: &str) -> Result<Vec<ManifestShader>, Error> {
        let shaders = manifest::read(text).map_err(|error| {
            Error::request(format_args!("{source_name}:{}: {}", error.line, error.message))
        })?;
        let shader = |own: manifest::Shader| ManifestShader {
            name: own.name,
            line: own.line,
            modules: own.modules,
            conditions: own.conditions.map(|all| all.into_iter().map(|own| own.map(Condition::of)).collect()),
        };
        Ok(shaders.into_iter().map(shader).collect())
    }
}

/// Merges builds of one shader for different devices to one module. On each device, the first variant whose condition holds is chosen:
/// [`Prepared::specialize`](crate::Prepared::specialize) gives it back. What is equal in several variants is there once
/// (`docs/merge.md`).
///
/// # Errors
/// If a condition is too complex or stands where a rule says what it is, a variant has annotations (they count once it is
/// [packed](crate::pack())) or its conditional code stands for too many plain modules, or they cannot be one module.
///
/// ```
/// use spirv_if::{Condition, Device, MergeOptions, Module, Prepared, Settings, Variant, merge};
/// let half = std::fs::read("fixtures/merge/scale-fp16.spv")?;
/// let plain = std::fs::read("fixtures/merge/scale.spv")?;
/// let [half, plain] = [Module::from_bytes(&half)?, Module::from_bytes(&plain)?];
/// let fp16 = Condition::parse("fp16")?;
/// let variants =
///     [Variant { module: &half, condition: Some(&fp16) }, Variant { module: &plain, condition: None }];
/// let merged = merge(&variants, &MergeOptions::default())?;
/// assert!(merged.shared > 0 && merged.warnings.is_empty());
/// let module = Module::from_words(merged.words)?;
/// let device = Device::embedded("intel_gpu_pvc")?;
/// let chosen = Prepared::new(&module)?.specialize(&device, &Settings::new())?;
/// assert!(spirv_if::inspect(&Module::from_words(chosen.words)?, &Default::default()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(variants: &[Variant], options: &MergeOptions) -> Result<Merged, Error> {
    let (devices, names) = (options.devices.as_ref(), options.property_names);
    let mut modules: Vec<(&str, &loader::Module)> = Vec::new();
    for variant in variants {
        if !variant.module.annotated.is_empty() {
            return Err(Error::request(format_args!(
                "{} has annotations, which merging does not apply: pack it, and merge the result",
                variant.module.name
            )));
        }
        modules.push((&variant.module.name, &variant.module.lowered()?.inner));
    }
    let tables = options.tables()?;
    let declared: Vec<&loader::Module> = modules.iter().map(|&(_, module)| module).collect();
    // With tables, what a variant does not define comes from the base's exports first.
    let complete = match options.create_library || tables.is_some() {
        true => Vec::new(),
        false => merge::without_exports(&declared)?,
    };
    modules.iter_mut().zip(&complete).for_each(|((_, module), complete)| *module = complete);
    if (tables.is_some() || options.infer)
        && let Some(variant) = variants.iter().find(|variant| variant.condition.is_some())
    {
        return Err(Error::request(format_args!(
            "{} has a condition, and conditions follow from something else",
            variant.module.name
        )));
    }
    match tables {
        Some(_) if options.infer => {
            Err(Error::request("conditions are inferred, or tables say them: not both"))
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

/// Merges variants by conditions that they come with.
fn written(
    variants: &[Variant],
    modules: &[(&str, &loader::Module)],
    options: &MergeOptions,
) -> Result<Merged, Error> {
    if let Some(after) = variants.iter().position(|variant| variant.condition.is_none()).map(|at| at + 1)
        && let Some(later) = variants.get(after)
    {
        return Err(Error::request(format_args!(
            "{} comes after the variant for all remaining devices: that one must be the last",
            later.module.name
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

/// The result for modules whose conditions follow from a rule.
fn by_rule(
    own: MergedByRule,
    modules: &[(&str, &loader::Module)],
    undecided: impl Fn(&str, &str) -> String,
) -> Result<Merged, Error> {
    let name = |at: usize| modules[at].0;
    let warnings = own.undecided.iter().map(|&(first, second)| undecided(name(first), name(second)));
    let names: Vec<&str> = own.order.iter().map(|&at| name(at)).collect();
    result(own.merged, own.properties, &names, warnings.collect())
}

fn result(
    mut merged: MergedModule,
    properties: PropertySets,
    names: &[&str],
    mut warnings: Vec<String>,
) -> Result<Merged, Error> {
    let mut variants = Vec::new();
    for own in &merged.variants {
        let condition = merged.conditions.expr_of(own.condition)?.display(&Tables).to_string();
        variants.push((names[own.input].to_owned(), condition, 4 * own.own_words));
    }
    let condition = match merged.any.is_true() {
        true => None,
        false => Some(Condition::of(merged.conditions.expr_of(merged.any)?)),
    };
    warnings.extend(merged.never_chosen.iter().map(|&at| {
        format!(
            "{}: no device gets this variant, since one before it is for all that it is for; it is left out",
            names[at]
        )
    }));
    let leaf = |&(spec_id, leaf): &(u32, _)| (SpecId(spec_id), Condition::of(Expr::Leaf(leaf)));
    Ok(Merged {
        words: Module::result(merged.words),
        properties,
        variants,
        shared: 4 * merged.shared_words,
        condition,
        set_by_host: merged.leaves.iter().map(leaf).collect(),
        warnings,
    })
}
