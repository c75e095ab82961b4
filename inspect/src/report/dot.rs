//! The call graph in DOT, the language of Graphviz.
//!
//! Functions are nodes, entry points bold. The second line of a function has its requirements beyond those of
//! the whole module. Calls are edges, labelled with their number if there are several, and with their
//! condition if they have one. Other references are dashed. Each module is a cluster.

#[cfg(test)]
mod tests;

use std::fmt::Write;

use crate::inspection::{CallGraph, Edge};

/// The number of characters of a name, or of a line, that are shown.
const WIDTH: usize = 60;
/// The greatest width of a line of a condition, in bytes, unless a word is wider.
const CONDITION: usize = 32;

/// Returns the graphs of modules, as one graph in DOT.
pub fn dot(graphs: &[CallGraph]) -> String {
    let mut text = String::from(
        "digraph {\n  graph [rankdir=LR];\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n",
    );
    for (number, graph) in graphs.iter().enumerate() {
        cluster(number, graph, &mut text);
    }
    text + "}\n"
}

fn cluster(number: usize, graph: &CallGraph, text: &mut String) {
    let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={};", quoted(&graph.title));
    for node in &graph.nodes {
        let mut lines = vec![shortened(&node.name)];
        lines.extend(wrapped(&node.requires));
        let style = if node.is_entry_point { ", style=bold, peripheries=2" } else { "" };
        let label = quoted(&lines.join("\n"));
        let _ = writeln!(text, "    f{number}_{} [label={label}{style}];", node.function);
    }
    for edge in &graph.edges {
        let Edge { from, to, .. } = edge;
        let _ = writeln!(text, "    f{number}_{from} -> f{number}_{to}{};", attributes(edge));
    }
    text.push_str("  }\n");
}

/// Returns names separated by commas, in lines.
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

fn attributes(edge: &Edge) -> String {
    let mut label = match edge.calls {
        Some(count) if count > 1 => format!("{count}×"),
        _ => String::new(),
    };
    if let Some(when) = &edge.when {
        let separator = if label.is_empty() { "" } else { " " };
        label = broken(&format!("{label}{separator}{when}"));
    }
    let mut attributes = Vec::new();
    if !label.is_empty() {
        attributes.push(format!("label={}", quoted(&label)));
    }
    if edge.calls.is_none() {
        attributes.push("style=dashed".to_owned());
    }
    match attributes.is_empty() {
        true => String::new(),
        false => format!(" [{}]", attributes.join(", ")),
    }
}

/// Returns a condition in lines, broken at spaces.
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

/// Returns the beginning of a long name.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns a string of DOT that Graphviz shows unchanged. Unquoted, backslashes would be escapes, and `&` the
/// start of an entity. Of control characters only line feeds are kept.
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
