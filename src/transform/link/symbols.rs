//! The symbols of the modules, and their resolution: the definition that replaces the others of its name.

use std::collections::{HashMap, HashSet};

use spirv::{Decoration, LinkageType, Op};

use super::Rules;
use super::equal_definitions::{EqualDefinitions, LinkageNames};
use super::error::{LinkError, LinkWarning};
use super::names::{LinkedFunctionName, LinkedFunctionNames, NameKind};
use super::structural_equality::{Classes, Compared, DefinedTypes};
use super::unit::{Definition, LinkUnit, Replacement};
use crate::collections::IdMap;
use crate::loader::{Module, views};
use crate::transform::definitions::Descriptions;

/// A function or variable with a linkage name (specification, decoration LinkageAttributes).
#[derive(Clone, Copy)]
struct Symbol<'m> {
    node: Definition,
    /// The words of the name, which need not be UTF-8.
    name: &'m [u32],
    linkage: u32,
    is_function: bool,
    /// The execution model of an entry point, which only the host calls.
    model: Option<u32>,
}

impl Symbol<'_> {
    fn is_import(&self) -> bool {
        self.linkage == LinkageType::Import as u32
    }

    fn is_strong(&self) -> bool {
        self.linkage == LinkageType::Export as u32
    }
}

/// Returns a literal string as text.
pub(super) fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the entry points of a module: the same kernel of a header may be in several modules.
fn entry_points<'m>(unit: u32, module: &'m Module<'m>) -> impl Iterator<Item = Symbol<'m>> {
    let entry_points = module.entry_points().filter(|entry| entry.condition().is_none());
    entry_points.filter_map(move |entry| {
        let (model, function) = (entry.execution_model(), entry.function());
        module.function_index(function)?;
        let name = entry.words().get(3..entry.interface_start())?;
        let linkage = LinkageType::Export as u32;
        Some(Symbol { node: (unit, function), name, linkage, is_function: true, model: Some(model) })
    })
}

/// Returns the symbols of a module, in the order of the module.
fn symbols<'m>(unit: u32, module: &'m Module<'m>) -> impl Iterator<Item = Symbol<'m>> {
    module.annotations().filter_map(move |inst| {
        let [_, target, decoration, name @ .., linkage] = inst.words() else { return None };
        if !inst.is(Op::Decorate) || *decoration != Decoration::LinkageAttributes as u32 {
            return None;
        }
        let is_function = module.is_function(*target);
        let is_variable = module.definition(*target)?.is_variable() && module.is_global(*target);
        let node = (unit, *target);
        let symbol = Symbol { node, name, linkage: *linkage, is_function, model: None };
        (is_function || is_variable).then_some(symbol)
    })
}

/// Adds a symbol to those of its name.
fn add<'m>(
    symbol: Symbol<'m>,
    numbers: &mut HashMap<(Option<u32>, &'m [u32]), usize>,
    groups: &mut Vec<Vec<Symbol<'m>>>,
) {
    let number = *numbers.entry((symbol.model, symbol.name)).or_insert(groups.len());
    match groups.get_mut(number) {
        Some(group) => group.push(symbol),
        None => groups.push(vec![symbol]),
    }
}

/// Resolves the symbols. Returns the types that must be equal for that, and warnings of doubtful types. Variables whose names both modules have in
/// `shared` may have several definitions.
pub(super) fn resolve<'m>(
    units: &mut [LinkUnit<'m>],
    described: &[Descriptions],
    functions: &LinkedFunctionNames,
    rules: Rules,
    shared: &[HashSet<String>],
) -> Result<(Classes, Vec<LinkWarning>), LinkError> {
    let is_shared = |symbol: &Symbol| {
        let names = shared.get(symbol.node.0 as usize).filter(|_| !symbol.is_function);
        names.is_some_and(|names| !names.is_empty() && names.contains(&text(symbol.name)))
    };
    // The names in the order of the modules, so that the first error is always the same.
    let mut numbers: HashMap<(Option<u32>, &'m [u32]), usize> = HashMap::new();
    let mut groups: Vec<Vec<Symbol>> = Vec::new();
    let mut names = LinkageNames::new();
    for (at, unit) in (0..).zip(units.iter()) {
        let mut names_by_id: IdMap<&[u32]> = IdMap::new();
        for symbol in symbols(at, unit.module) {
            match names_by_id.insert(symbol.node.1, symbol.name) {
                Some(first) if first != symbol.name => {
                    let (file, id) = (unit.name.to_string(), symbol.node.1);
                    let (first, second) = (text(first), text(symbol.name));
                    return Err(LinkError::TwoNames { file, id, first, second });
                }
                Some(_) => continue,
                None => {}
            }
            names.insert(symbol.node, symbol.name);
            add(symbol, &mut numbers, &mut groups);
        }
        entry_points(at, unit.module).for_each(|symbol| add(symbol, &mut numbers, &mut groups));
    }
    let mut classes = Classes::default();
    let types = DefinedTypes { units, described };
    let mut definitions = EqualDefinitions::new(&types, &names, rules);
    let mut replacements = Vec::new();
    let mut warnings = Vec::new();
    let mut differences = Vec::new();
    for group in groups.iter().filter(|group| group.len() > 1) {
        let kept = chosen(group);
        for other in group.iter().filter(|other| other.node != kept.node) {
            if kept.is_strong()
                && other.is_strong()
                && !(is_shared(kept) && is_shared(other))
                && let Err(difference) = definitions.compare(kept.node, other.node, &mut classes)
            {
                if kept.model.is_some() {
                    // An error is reported when entry points are written, unless one of them is renamed.
                    differences.push((other.node, difference));
                    continue;
                }
                let [first, second] =
                    [kept, other].map(|symbol| units[symbol.node.0 as usize].name.to_string());
                return Err(LinkError::TwoExports { name: text(group[0].name), first, second, difference });
            }
            replacements.push((other.node, replacement(&types, other, kept, &mut classes, &mut warnings)?));
        }
    }
    if rules == Rules::Images {
        for (other, kept) in equal_functions(&types, functions, &names, &mut definitions, &mut classes) {
            replacements.push((other, Replacement::Same(kept)));
        }
    }
    for ((unit, id), difference) in differences {
        units[unit as usize].differences.insert(id, difference);
    }
    for ((unit, id), replacement) in replacements {
        let unit = &mut units[unit as usize];
        unit.replacements.insert(id, replacement);
        let becomes_bridge = matches!(replacement, Replacement::Bridge(_));
        unit.silent[id as usize] = !becomes_bridge;
        unit.drop_body(id, becomes_bridge);
    }
    Ok((classes, warnings))
}

/// Returns the functions without linkage that equal a function of an earlier module with the same name, each with that
/// function.
fn equal_functions<'m>(
    types: &DefinedTypes<'_, 'm>,
    functions: &LinkedFunctionNames,
    names: &LinkageNames<'m>,
    definitions: &mut EqualDefinitions<'_, '_, 'm>,
    classes: &mut Classes,
) -> Vec<(Definition, Definition)> {
    // By number of a name: the first module with it, and whether others have it.
    let mut modules: Vec<Option<(usize, bool)>> = vec![None; functions.count];
    for name in functions.all().iter().filter(|name| name.kind == NameKind::Plain) {
        let (first, several) = modules[name.number as usize].get_or_insert((name.unit, false));
        *several |= *first != name.unit;
    }
    let mut entries: Vec<Option<HashSet<u32>>> = vec![None; types.units.len()];
    // By number of a name: the functions that stay.
    let mut kept: IdMap<Vec<Definition>> = IdMap::new();
    let mut equal = Vec::new();
    let is_repeated = |name: &&LinkedFunctionName| {
        name.kind == NameKind::Plain && modules[name.number as usize].is_some_and(|(_, several)| several)
    };
    for &LinkedFunctionName { unit, function, number, .. } in functions.all().iter().filter(is_repeated) {
        let (node, at, module) = ((unit as u32, function), unit as u32, types.units[unit].module);
        let entries = entries[at as usize]
            .get_or_insert_with(|| module.entry_points().map(views::EntryPoint::function).collect());
        if names.contains_key(&node) || entries.contains(&node.1) {
            continue;
        }
        let of_name = kept.entry(number).or_default();
        let earlier = of_name.iter().filter(|other| other.0 != at);
        let same = earlier.copied().find(|&other| {
            types.functions(other, node, None, classes) == Compared::Same
                && definitions.compare(other, node, classes).is_ok()
        });
        match same {
            Some(other) => equal.push((node, other)),
            None => of_name.push(node),
        }
    }
    equal
}

/// Returns the symbol that replaces the others of its name: the export, else the first weak definition, else the first import.
fn chosen<'s, 'm>(group: &'s [Symbol<'m>]) -> &'s Symbol<'m> {
    let strong = group.iter().find(|symbol| symbol.is_strong());
    strong.or_else(|| group.iter().find(|symbol| !symbol.is_import())).unwrap_or(&group[0])
}

fn replacement(
    types: &DefinedTypes,
    symbol: &Symbol,
    kept: &Symbol,
    classes: &mut Classes,
    warnings: &mut Vec<LinkWarning>,
) -> Result<Replacement, LinkError> {
    let file = |symbol: &Symbol| types.units[symbol.node.0 as usize].name.to_string();
    let name = || text(symbol.name);
    let compared = match (kept.is_function, symbol.is_function) {
        (true, true) => {
            let import = Some(symbol.node).filter(|_| symbol.is_import() && !kept.is_import());
            types.functions(kept.node, symbol.node, import, classes)
        }
        (false, false) => {
            let imported = [kept.is_import(), symbol.is_import()];
            types.variables(kept.node, symbol.node, imported, classes)
        }
        (true, false) => {
            return Err(LinkError::Kind { name: name(), function: file(kept), variable: file(symbol) });
        }
        (false, true) => {
            return Err(LinkError::Kind { name: name(), function: file(symbol), variable: file(kept) });
        }
    };
    match compared {
        Compared::Same => Ok(Replacement::Same(kept.node)),
        Compared::Pointees if symbol.is_function => Ok(Replacement::Bridge(kept.node)),
        Compared::Lengths => {
            warnings.push(LinkWarning::Lengths {
                name: name(),
                first: file(kept),
                first_type: types.show(kept.node),
                second: file(symbol),
                second_type: types.show(symbol.node),
            });
            Ok(Replacement::Bridge(kept.node))
        }
        Compared::Pointees if symbol.is_import() => Ok(Replacement::Cast(kept.node)),
        Compared::Pointees | Compared::Different => Err(LinkError::Type {
            name: name(),
            first: file(kept),
            first_type: types.show(kept.node),
            second: file(symbol),
            second_type: types.show(symbol.node),
        }),
    }
}
