//! The tables of `spirv-link --fnvar-*`: the devices of each build, as device constants of SPV_INTEL_function_variants.
//!
//! The first module is the base, for devices of no other module. If another module does not define something, such as a kernel of the base,
//! its devices use the base's definition.

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Op};

use crate::analysis::Names;
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{Expr, Leaf, LeafKind};
use crate::device::architectures::{self, RegistryTuple};
use crate::device::queries::compare;
use crate::loader::Module;
use crate::pipelines::PipelineError;
use crate::transform::definitions::NamedModule;
use crate::transform::link::link;
use crate::transform::link_names::{NewLinkage, link_names};
use crate::transform::split::{SplitGraph, SplitPart, roots};
use crate::writer::apply;

/// The rows of a table.
type VariantRows = Vec<VariantRow>;

/// A row of a table.
#[derive(Clone, Debug)]
struct VariantRow {
    /// The table and the line, in messages.
    place: String,
    module: String,
    /// The row's condition on a device, and its literals.
    leaf: Leaf,
    numbers: Vec<u32>,
}

/// The tables of `spirv-link --fnvar-*`.
#[derive(Clone, Debug, Default)]
pub struct VariantTables {
    targets: VariantRows,
    architectures: VariantRows,
    /// True if the capabilities that a module declares are part of its condition.
    pub capabilities: bool,
}

/// The conditions of modules from the tables, and the modules that are not exclusive.
pub(super) struct TableConditions {
    /// The condition of each module; `None` for a base that the tables do not restrict.
    pub conditions: Vec<Option<Expr>>,
    /// Pairs of modules, except the base, that fit a common device.
    pub overlapping: Vec<(usize, usize)>,
}

impl VariantTables {
    /// Adds the table of `--fnvar-targets`: columns `module`, `target`, and `features` with slashes between them.
    ///
    /// # Errors
    /// With file and line, if it is malformed.
    pub fn add_targets(&mut self, file: &str, text: &str) -> Result<(), String> {
        read(file, text, ["module", "target", "features"], &mut self.targets, |[target, features]| {
            let features = features.split('/').filter(|_| !features.is_empty());
            let numbers = std::iter::once(target).chain(features).map(number);
            let numbers = numbers.collect::<Result<Vec<u32>, _>>()?;
            let leaf = LeafKind::Target.with_numbers(&numbers);
            Ok((leaf.ok_or("these are too many features")?, numbers))
        })
    }

    /// Adds the table of `--fnvar-architectures`: columns `module`, `category`, `family`, `op` (the opcode of a comparison) and
    /// `architecture`.
    ///
    /// # Errors
    /// With file and line, if it is malformed.
    pub fn add_architectures(&mut self, file: &str, text: &str) -> Result<(), String> {
        let columns = ["module", "category", "family", "op", "architecture"];
        read(file, text, columns, &mut self.architectures, |fields: [&str; 4]| {
            let numbers = fields.iter().map(|field| number(field)).collect::<Result<Vec<u32>, _>>()?;
            let leaf = LeafKind::Comparison.with_numbers(&numbers).ok_or_else(|| {
                format!(
                    "{} is not the opcode of an unsigned comparison, such as 170 (OpIEqual) or 174 (OpUGreaterThanEqual)",
                    numbers[2]
                )
            })?;
            Ok((leaf, numbers))
        })
    }

    /// Returns the conditions of modules by their names. Without `has_linkage`, the capability for linkage does not become a condition: it
    /// will be removed.
    ///
    /// # Errors
    /// If the module of a row does not exist.
    pub(super) fn conditions(
        &self,
        modules: &[(&str, &Module)],
        has_linkage: bool,
    ) -> Result<TableConditions, String> {
        let names: HashSet<&str> = modules.iter().map(|(name, _)| *name).collect();
        let unknown =
            self.targets.iter().chain(&self.architectures).find(|row| !names.contains(&*row.module));
        if let Some(row) = unknown {
            return Err(format!("{}: `{}` is none of the modules", row.place, row.module));
        }
        let conditions = modules.iter().map(|(name, module)| {
            let families = families(&self.architectures, name);
            let architectures = families
                .values()
                .filter_map(|rows| joined(rows.iter().map(|row| condition(row)).collect(), Expr::And));
            let architectures = architectures.collect();
            let targets = rows_of(&self.targets, name).map(condition).collect();
            let capabilities =
                module.capabilities().filter(|_| self.capabilities).map(|declared| declared.capability());
            let capabilities =
                capabilities.filter(|&capability| has_linkage || capability != Capability::Linkage as u32);
            let capabilities = capabilities.map(|capability| Expr::Leaf(Leaf::Capability(capability)));
            let all = [joined(architectures, Expr::Or), joined(targets, Expr::Or)];
            joined(capabilities.chain(all.into_iter().flatten()).collect(), Expr::And)
        });
        let conditions: Vec<Option<Expr>> = conditions.collect();
        let pairs = (1..modules.len())
            .flat_map(|first| (first + 1..modules.len()).map(move |second| (first, second)));
        let overlapping =
            pairs.filter(|&(first, second)| self.overlap(modules[first].0, modules[second].0)).collect();
        Ok(TableConditions {
            // Every module but the base has a condition, if only one that always holds.
            conditions: conditions
                .into_iter()
                .enumerate()
                .map(|(at, condition)| condition.or((at > 0).then_some(Expr::True)))
                .collect(),
            overlapping,
        })
    }

    /// Returns true if the rows of two modules fit one device.
    fn overlap(&self, first: &str, second: &str) -> bool {
        let same_target = |left: &VariantRow, right: &VariantRow| left.numbers[0] == right.numbers[0];
        let (mut first_rows, mut others) =
            (rows_of(&self.targets, first).peekable(), rows_of(&self.targets, second).peekable());
        let others: Vec<_> = match (first_rows.peek(), others.peek()) {
            (Some(_), Some(_)) => others.collect(),
            _ => Vec::new(),
        };
        if !others.is_empty() && !first_rows.any(|left| others.iter().any(|right| same_target(left, right))) {
            return false;
        }
        let (first_families, second_families) =
            (families(&self.architectures, first), families(&self.architectures, second));
        let meet = |(family, rows): (&[u32; 2], &Vec<&VariantRow>)| {
            let more = second_families.get(family)?;
            let all: Vec<(Op, u32)> = rows
                .iter()
                .chain(more)
                .filter_map(|row| Some((Op::from_u32(row.numbers[2])?, row.numbers[3])))
                .collect();
            let near = all
                .iter()
                .flat_map(|&(_, number)| [number.saturating_sub(1), number, number.saturating_add(1)]);
            let fits = |number: u32| all.iter().all(|&(op, bound)| compare(op, number, bound) == Some(true));
            near.into_iter().any(fits).then_some(())
        };
        first_families.is_empty()
            || second_families.is_empty()
            || first_families.iter().any(|family| meet(family).is_some())
    }
}

/// Reads the columns and rows of a table.
fn read<'t, const N: usize, const M: usize>(
    file: &str,
    text: &'t str,
    columns: [&str; N],
    rows: &mut VariantRows,
    literals: impl Fn([&'t str; M]) -> Result<(Leaf, Vec<u32>), String>,
) -> Result<(), String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
    let mut lines =
        lines.map(|(at, line)| (format!("{file}:{}", at + 1), line.split(',').collect::<Vec<_>>()));
    let titles = columns.join(",");
    match lines.next() {
        Some((_, header)) if header == columns => {}
        Some((place, header)) => {
            return Err(format!("{place}: the columns are `{}`, not `{titles}`", header.join(",")));
        }
        None => return Err(format!("{file} is empty: its first line is `{titles}`")),
    }
    for (place, fields) in lines {
        let count = fields.len();
        let Some((&module, rest)) = fields.split_first().filter(|_| count == N) else {
            return Err(format!("{place}: {count} fields, and there are {N} columns, `{titles}`"));
        };
        let fields = std::array::from_fn(|at| rest[at]);
        let (leaf, numbers) = literals(fields).map_err(|error| format!("{place}: {error}"))?;
        rows.push(VariantRow { place, module: module.to_owned(), leaf, numbers });
    }
    Ok(())
}

fn number(field: &str) -> Result<u32, String> {
    let digits = Some(field).filter(|field| field.bytes().all(|byte| byte.is_ascii_digit()));
    digits
        .and_then(|field| field.parse().ok())
        .ok_or_else(|| format!("`{field}` is not a number of the device registry"))
}

fn rows_of<'r>(rows: &'r VariantRows, module: &'r str) -> impl Iterator<Item = &'r VariantRow> {
    rows.iter().filter(move |row| row.module == module)
}

/// Returns the comparisons of a module by category and family. All comparisons of at least one family must hold.
fn families<'r>(rows: &'r VariantRows, module: &'r str) -> OrderedMap<[u32; 2], Vec<&'r VariantRow>> {
    let mut families: OrderedMap<[u32; 2], Vec<&VariantRow>> = OrderedMap::new();
    for row in rows_of(rows, module) {
        families.entry([row.numbers[0], row.numbers[1]]).or_default().push(row);
    }
    families
}

/// Returns the condition of a row. The architecture itself is a stronger condition than equality: no device has two.
fn condition(row: &VariantRow) -> Expr {
    let architecture = match row.numbers[..] {
        [category, family, op, architecture]
            if matches!(row.leaf, Leaf::Comparison(_)) && op == Op::IEqual as u32 =>
        {
            architectures::by_registry(RegistryTuple { category, family, architecture })
        }
        _ => None,
    };
    Expr::Leaf(architecture.map_or(row.leaf, |known| Leaf::Architecture(known.value)))
}

/// Joins operands in halves, so that the expression is not deep. Returns `None` without operands.
fn joined(mut operands: Vec<Expr>, join: fn(Box<Expr>, Box<Expr>) -> Expr) -> Option<Expr> {
    let rest = operands.split_off(operands.len() / 2);
    if operands.is_empty() {
        return rest.into_iter().next();
    }
    Some(join(Box::new(joined(operands, join)?), Box::new(joined(rest, join)?)))
}

/// Returns a variant with missing definitions from the base; `None` if none are missing.
///
/// # Errors
/// If they cannot be linked.
pub(super) fn completed(
    base: &NamedModule,
    variant: &NamedModule,
) -> Result<Option<Module<'static>>, PipelineError> {
    let (names, others) = (Names::new(base.module), Names::new(variant.module));
    let graph = SplitGraph::new(base.module, []);
    let exported: HashMap<String, u32> =
        others.exported().filter_map(|id| Some((others.linkage(id)?.name.into_owned(), id))).collect();
    let entry_points: HashSet<String> =
        variant.module.entry_points().map(|entry| entry.name().into_owned()).collect();
    let exports: Vec<(u32, String)> =
        names.exported().filter_map(|id| Some((id, names.linkage(id)?.name.into_owned()))).collect();
    let (replaced, kept): (Vec<_>, Vec<_>) =
        exports.into_iter().partition(|(_, name)| exported.contains_key(name));
    let mut roots = roots(&graph, &names);
    roots.retain(|root| root.entry_point.is_some() && !entry_points.contains(&root.name));
    if roots.is_empty() && kept.is_empty() {
        return Ok(None);
    }
    let kept: Vec<u32> = kept.into_iter().map(|(id, _)| id).collect();
    let imported: HashSet<u32> = replaced.iter().map(|(id, _)| *id).collect();
    let part = SplitPart::with_imports(&graph, &roots, &kept, imported);
    let linkage: IdMap<NewLinkage> = replaced
        .into_iter()
        .filter(|(id, _)| part.has(*id))
        .map(|(id, name)| (id, NewLinkage::Import(name)))
        .collect();
    let module = Module::from_words(apply(base.module, &part.edits(None))?)?;
    let module = Module::from_words(apply(&module, &link_names(&module, &linkage))?)?;
    let inputs = [*variant, NamedModule { name: base.name, module: &module }];
    Ok(Some(link(&inputs)?.module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_tables_are_errors_with_lines() {
        let targets = |text: &str| VariantTables::default().add_targets("t.csv", text).unwrap_err();
        let architectures =
            |text: &str| VariantTables::default().add_architectures("a.csv", text).unwrap_err();
        let title = "module,target,features\n";
        assert_eq!(targets(""), "t.csv is empty: its first line is `module,target,features`");
        assert_eq!(
            targets("\nmodule,target\n"),
            "t.csv:2: the columns are `module,target`, not `module,target,features`"
        );
        assert_eq!(
            targets(&format!("{title}\na.spv,7\n")),
            "t.csv:3: 2 fields, and there are 3 columns, `module,target,features`"
        );
        for field in ["", "nvptx", "+7", "4294967296", "7/"] {
            let error = targets(&format!("{title}a.spv,{field},\n"));
            assert_eq!(error, format!("t.csv:2: `{field}` is not a number of the device registry"));
        }
        assert!(targets(&format!("{title}a.spv,7,1//2\n")).contains("t.csv:2: `` is not a number"));
        assert!(
            architectures("module,category,family,op,architecture\na.spv,2,3,173,1\n")
                .starts_with("a.csv:2: 173 is not the opcode of an unsigned comparison")
        );
    }

    #[test]
    fn rows_overlap_where_one_device_fits_both() {
        let overlap = |rows: &str, targets: &str| {
            let mut tables = VariantTables::default();
            tables
                .add_architectures("a.csv", &format!("module,category,family,op,architecture\n{rows}"))
                .unwrap();
            tables.add_targets("t.csv", &format!("module,target,features\n{targets}")).unwrap();
            assert_eq!(tables.overlap("a", "b"), tables.overlap("b", "a"));
            tables.overlap("a", "b")
        };
        assert!(overlap("", ""), "nothing is said of either");
        assert!(overlap("a,2,3,170,4\n", ""), "nothing is said of one");
        assert!(!overlap("a,2,3,170,4\nb,2,3,170,5\n", ""));
        assert!(!overlap("a,2,3,170,4\nb,2,2,170,4\n", ""), "families differ");
        assert!(overlap("a,2,3,174,4\nb,2,3,178,4\n", ""), "at 4");
        assert!(!overlap("a,2,3,172,4\nb,2,3,178,4\n", ""));
        assert!(overlap("a,2,3,171,4\nb,2,3,171,5\n", ""), "neither 4 nor 5");
        assert!(!overlap("a,2,3,170,4\nb,2,3,170,4\n", "a,7,\nb,8,\n"), "targets differ");
        assert!(overlap("a,2,3,170,4\nb,2,3,170,4\n", "a,7,\nb,8,\nb,7,1\n"));
        assert!(
            overlap("a,2,3,170,4\na,2,2,170,1\nb,2,3,170,5\nb,2,2,170,1\n", ""),
            "in one of two families"
        );
    }

    #[test]
    fn the_base_completes_other_modules() {
        let module = |text: &str| {
            let text = format!(
                "OpCapability Kernel\nOpCapability Linkage\nOpCapability Addresses\nOpMemoryModel Physical32 OpenCL\n{text}"
            );
            Module::from_words(crate::test_support::assemble(&text, "spv1.2")).unwrap()
        };
        let function = |name: &str| format!("%{name} = OpFunction %void None %type\n%in_{name} = OpLabel\n");
        let types = "%void = OpTypeVoid\n%type = OpTypeFunction %void\n";
        let export = |name: &str| format!("OpDecorate %{name} LinkageAttributes \"{name}\" Export\n");
        let end = "OpReturn\nOpFunctionEnd\n";
        let base = format!(
            "OpEntryPoint Kernel %main \"main\"\nOpEntryPoint Kernel %own \"own\"\n{}{types}{}{end}{}%called = OpFunctionCall %void %f\n{end}{}{end}",
            export("f"),
            function("f"),
            function("main"),
            function("own"),
        );
        let variant = format!(
            "OpEntryPoint Kernel %own \"own\"\n{}{types}{}OpNop\n{end}{}OpNop\nOpNop\n{end}",
            export("f"),
            function("f"),
            function("own")
        );
        let (base, variant) = (module(&base), module(&variant));
        let input = |module| NamedModule { name: "a", module };
        let completed = completed(&input(&base), &input(&variant)).unwrap().unwrap();
        let mut names: Vec<String> =
            completed.entry_points().map(|entry| entry.name().into_owned()).collect();
        names.sort();
        assert_eq!(names, ["main", "own"]);
        let nops = completed.instructions().filter(|inst| inst.is(Op::Nop)).count();
        assert_eq!((completed.functions().len(), nops), (3, 3), "`f` and `own` are those of the variant");
        assert!(super::completed(&input(&variant), &input(&variant)).unwrap().is_none(), "it has all");
    }
}
