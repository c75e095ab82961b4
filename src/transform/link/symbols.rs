//! What has which name to other modules, and what therefore stands for what.

use std::collections::HashMap;

use spirv::{Decoration, LinkageType, Op};

use super::described::Described;
use super::equal_definitions::{EqualDefinitions, LinkageNames};
use super::error::LinkError;
use super::structural_equality::{Classes, Compared, Types};
use super::unit::{Fate, Node, Unit};
use crate::analysis::interface;
use crate::loader::Module;

/// A function or variable with a linkage name (specification, decoration LinkageAttributes).
#[derive(Clone, Copy)]
struct Symbol<'m> {
    node: Node,
    /// As words: names that are no UTF-8 stay apart too.
    name: &'m [u32],
    linkage: u32,
    is_function: bool,
    /// Of an entry point, which is called by the host only: its execution model.
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

/// A literal string as text.
pub(super) fn text(words: &[u32]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The entry points of a module: the same kernel of a header may be in several modules.
fn entry_points<'m>(unit: u32, module: &'m Module<'m>) -> impl Iterator<Item = Symbol<'m>> {
    let entry_points = module.head().filter(|inst| inst.is(Op::EntryPoint));
    entry_points.filter_map(move |inst| {
        let (end, _) = interface(&inst);
        let (model, function, linkage) = (inst.word(1), inst.word(2), LinkageType::Export as u32);
        module.function_index(function)?;
        let name = inst.words().get(3..end)?;
        Some(Symbol { node: (unit, function), name, linkage, is_function: true, model: Some(model) })
    })
}

/// The symbols of a module, in the order of the module.
fn symbols<'m>(unit: u32, module: &'m Module<'m>) -> impl Iterator<Item = Symbol<'m>> {
    module.annotations().filter_map(move |inst| {
        let [_, target, decoration, name @ .., linkage] = inst.words() else { return None };
        if !inst.is(Op::Decorate) || *decoration != Decoration::LinkageAttributes as u32 {
            return None;
        }
        let is_function = module.function_index(*target).is_some();
        let definition = module.definition(*target)?.op();
        let is_variable =
            module.is_global(*target) && matches!(definition, Some(Op::Variable | Op::UntypedVariableKHR));
        let node = (unit, *target);
        let symbol = Symbol { node, name, linkage: *linkage, is_function, model: None };
        (is_function || is_variable).then_some(symbol)
    })
}

/// Puts a symbol to those of its name.
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

/// Works out what stands for what, and which types have to be the same for that.
pub(super) fn resolve<'m>(units: &mut [Unit<'m>], described: &[Described]) -> Result<Classes, LinkError> {
    // The names in the order in which they are met, so that of several errors it is always the same one that is told.
    let mut numbers: HashMap<(Option<u32>, &'m [u32]), usize> = HashMap::new();
    let mut groups: Vec<Vec<Symbol>> = Vec::new();
    let mut names = LinkageNames::new();
    for (at, unit) in (0..).zip(units.iter()) {
        let mut own: HashMap<u32, &[u32]> = HashMap::new();
        for symbol in symbols(at, unit.module) {
            match own.insert(symbol.node.1, symbol.name) {
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
    let types = Types { units, described };
    let mut twins = EqualDefinitions::new(&types, &names);
    let mut fates = Vec::new();
    let mut differences = Vec::new();
    for group in groups.iter().filter(|group| group.len() > 1) {
        let stays = chosen(group);
        for other in group.iter().filter(|other| other.node != stays.node) {
            if stays.is_strong()
                && other.is_strong()
                && let Err(difference) = twins.compare(stays.node, other.node, &mut classes)
            {
                if stays.model.is_some() {
                    // What is written of entry points finds that there are two, unless one gets another name.
                    differences.push((other.node, difference));
                    continue;
                }
                let [first, second] =
                    [stays, other].map(|symbol| units[symbol.node.0 as usize].name.to_string());
                return Err(LinkError::TwoExports { name: text(group[0].name), first, second, difference });
            }
            fates.push((other.node, fate(&types, other, stays, &mut classes)?));
        }
    }
    for ((unit, id), difference) in differences {
        units[unit as usize].differences.insert(id, difference);
    }
    for ((unit, id), fate) in fates {
        let unit = &mut units[unit as usize];
        unit.fates.insert(id, fate);
        let becomes_bridge = matches!(fate, Fate::Bridge(_));
        unit.silent[id as usize] = !becomes_bridge;
        unit.drop_body(id, becomes_bridge);
    }
    Ok(classes)
}

/// The one that the others of its name are: the export, else the first of the definitions that may be dropped, else the first import.
fn chosen<'s, 'm>(group: &'s [Symbol<'m>]) -> &'s Symbol<'m> {
    let strong = group.iter().find(|symbol| symbol.is_strong());
    strong.or_else(|| group.iter().find(|symbol| !symbol.is_import())).unwrap_or(&group[0])
}

fn fate(types: &Types, symbol: &Symbol, stays: &Symbol, classes: &mut Classes) -> Result<Fate, LinkError> {
    let file = |symbol: &Symbol| types.units[symbol.node.0 as usize].name.to_string();
    let name = || text(symbol.name);
    let compared = match (stays.is_function, symbol.is_function) {
        (true, true) => types.functions(stays.node, symbol.node, classes),
        (false, false) => types.variables(stays.node, symbol.node, classes),
        (true, false) => {
            return Err(LinkError::Kind { name: name(), function: file(stays), variable: file(symbol) });
        }
        (false, true) => {
            return Err(LinkError::Kind { name: name(), function: file(symbol), variable: file(stays) });
        }
    };
    match compared {
        Compared::Same => Ok(Fate::Same(stays.node)),
        Compared::Pointees if symbol.is_function => Ok(Fate::Bridge(stays.node)),
        // Where it is declared, it has no size that matters.
        Compared::Pointees if symbol.is_import() => Ok(Fate::Cast(stays.node)),
        Compared::Pointees | Compared::Different => Err(LinkError::Type {
            name: name(),
            first: file(stays),
            first_type: types.show(stays.node),
            second: file(symbol),
            second_type: types.show(symbol.node),
        }),
    }
}
