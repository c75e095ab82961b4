//! The call graph in DOT, the language of Graphviz.
//!
//! Functions are nodes, entry points bold; what a function needs itself, beyond what the whole module does, stands in its
//! second line. Calls are edges, with their number where there are several, and with the condition where there is one;
//! other references are dashed. Each module is a cluster.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt::Write;

use spirv::{Capability, Op};

use crate::analysis::requirements::{Requirement, RequirementSet};
use crate::analysis::{ConditionalCalls, Demands, Names, Reference, References, closure};
use crate::condition::{ConditionError, Conditions};
use crate::device::Tables;
use crate::loader::Module;

/// How many characters of a name, or of a line, are shown.
const WIDTH: usize = 60;
/// How wide a line of a condition is at most, in bytes, if its words are not wider.
const CONDITION: usize = 32;

/// The graph of one or more modules.
#[derive(Clone, Debug, Default)]
pub struct Dot {
    clusters: String,
    count: usize,
}

impl Dot {
    /// Nothing yet.
    pub fn new() -> Dot {
        Dot::default()
    }

    /// Adds the call graph of a module, under a title.
    ///
    /// # Errors
    /// Where a condition is too large to be written.
    pub fn add(
        &mut self,
        title: &str,
        module: &Module,
        names: &Names,
        calls: &ConditionalCalls,
        demands: &Demands,
    ) -> Result<(), ConditionError> {
        let cluster = self.count;
        self.count += 1;
        let replaced = calls.replaced();
        let declared = closure(declared(module));
        let base = demands.base();
        let entry_points = entry_points(module);
        let text = &mut self.clusters;
        let _ = writeln!(text, "  subgraph cluster_{cluster} {{\n    label={};", quoted(title));
        for function in module.functions().iter().filter(|function| !replaced.contains(&function.id)) {
            let mut lines = vec![shortened(&names.function_name(function.id).short())];
            lines.extend(wrapped(&needs(&demands.own(function.id), &base, &declared)));
            let style = match entry_points.contains(&function.id) {
                true => ", style=bold, peripheries=2",
                false => "",
            };
            let label = quoted(&lines.join("\n"));
            let _ = writeln!(text, "    f{cluster}_{} [label={label}{style}];", function.id);
        }
        let mut conditions = demands.conditions.clone();
        for reference in demands.call_graph(calls) {
            let attributes = attributes(&reference, &mut conditions)?;
            let Reference { from, to, .. } = reference;
            let _ = writeln!(text, "    f{cluster}_{from} -> f{cluster}_{to}{attributes};");
        }
        text.push_str("  }\n");
        Ok(())
    }

    /// The whole graph, as DOT.
    pub fn finish(self) -> String {
        let Dot { clusters, .. } = self;
        format!(
            "digraph {{\n  graph [rankdir=LR];\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n{clusters}}}\n"
        )
    }
}

fn declared<'m>(module: &'m Module) -> impl Iterator<Item = u32> + use<'m> {
    module.globals().filter_map(|inst| match inst.op()? {
        Op::Capability => Some(inst.word(1)),
        Op::ConditionalCapabilityINTEL => Some(inst.word(2)),
        _ => None,
    })
}

/// The functions that are entry points.
fn entry_points(module: &Module) -> BTreeSet<u32> {
    let entry_points = module.globals().filter_map(|inst| match inst.op()? {
        Op::EntryPoint => Some(inst.word(2)),
        Op::ConditionalEntryPointINTEL => Some(inst.word(3)),
        _ => None,
    });
    entry_points.collect()
}

/// What is needed beyond the base, by the names that the module declares where there is a choice.
fn needs(own: &RequirementSet, base: &RequirementSet, declared: &[Capability]) -> Vec<String> {
    let beyond = own.iter().filter(|&id| !base.contains(id));
    let names = beyond.map(|id| match id.get() {
        Requirement::Capabilities(any) => {
            let known = any.iter().find(|capability| declared.contains(capability));
            known.map_or_else(|| id.get().to_string(), |capability| format!("{capability:?}"))
        }
        Requirement::Extensions(_) | Requirement::Aspect(_) => id.get().to_string(),
    });
    // What several instructions need in different words is one thing here.
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

/// Names with commas, in lines.
fn wrapped(names: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if line.len() + name.len() + 2 <= WIDTH => {
                line.push_str(", ");
                line.push_str(name);
            }
            Some(line) => {
                line.push(',');
                lines.push(name.clone());
            }
            None => lines.push(name.clone()),
        }
    }
    lines
}

fn attributes(reference: &Reference, conditions: &mut Conditions) -> Result<String, ConditionError> {
    let mut label = match reference.kind {
        References::Calls(count) if count > 1 => format!("{count}×"),
        _ => String::new(),
    };
    if !reference.condition.is_true() {
        let condition = conditions.to_expr(reference.condition)?;
        let separator = if label.is_empty() { "" } else { " " };
        let _ = write!(label, "{separator}{}", condition.display(&Tables));
        label = broken(&label);
    }
    let mut attributes = Vec::new();
    if !label.is_empty() {
        attributes.push(format!("label={}", quoted(&label)));
    }
    if reference.kind == References::Names {
        attributes.push("style=dashed".to_owned());
    }
    Ok(match attributes.is_empty() {
        true => String::new(),
        false => format!(" [{}]", attributes.join(", ")),
    })
}

/// A condition in lines, broken at spaces.
fn broken(text: &str) -> String {
    let mut broken = String::with_capacity(text.len());
    let mut line = 0;
    for word in text.split(' ') {
        if line > 0 {
            let fits = line + 1 + word.len() <= CONDITION;
            broken.push(if fits { ' ' } else { '\n' });
            line = if fits { line + 1 } else { 0 };
        }
        broken.push_str(word);
        line += word.len();
    }
    broken
}

/// The beginning of a long name.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// A string of DOT that is shown as it is: Graphviz would take backslashes for escapes, and `&` for the start of an entity.
/// Of control characters only line feeds have a meaning.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '&' => quoted.push_str("&amp;"),
            '\n' => quoted.push_str("\\n"),
            character if character.is_control() => quoted.push(char::REPLACEMENT_CHARACTER),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
