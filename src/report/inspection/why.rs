//! Why modules need something, for people: in the manner of the warnings of seed "optional kernel features".
//!
//! Entry points that come to the same instruction in the same way are one, and of chains that end alike, what follows the
//! function where they meet is shown once. The bodies that clang makes of kernels are left out beside those, and of a file's
//! modules those of which the same is to say.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::TextStyle;
use super::text::title;
use crate::inspection::model::{Name, Need};
use crate::inspection::{Cause, EntryPoint, FileReport, Inspection, Step};

/// How many places are shown where different entry points call the same.
const PLACES: usize = 3;

/// What stands before where an instruction is.
const OFFSET: &str = " (offset 0x";

/// The text for all files; `name` is what was asked about.
pub fn text(files: &[FileReport], name: &str, style: &TextStyle) -> String {
    let mut text = String::new();
    let mut others = 0;
    let mut places = Places::default();
    for file in files {
        let mut alike: Vec<Alike> = Vec::new();
        let mut known = HashMap::new();
        for report in &file.modules {
            let mut found = found(report);
            if found.is_empty() {
                others += 1;
                continue;
            }
            found.iter().for_each(|(_, cause)| places.look(cause));
            let before = roots(&found);
            if !style.verbose {
                found = without_bodies(found);
            }
            let text = module(report, &found, before - roots(&found), style);
            let next = alike.len();
            match *known.entry(without_offsets(&text)).or_insert(next) {
                at if at < next && !style.verbose => alike[at].more += 1,
                _ => alike.push(Alike { first: report, text, more: 0 }),
            }
        }
        alike.iter().for_each(|own| own.write(file, style, &mut text));
    }
    if text.is_empty() {
        return nothing(files, name);
    }
    if places.wanted && !places.found {
        text.push_str("compile with '-g' to get source location\n");
    }
    match others {
        0 => {}
        1 => text.push_str("another module does not need it\n"),
        _ => {
            let _ = writeln!(text, "{others} other modules do not need it");
        }
    }
    text
}

/// Modules of a file of which the same is said, but for where things are in them.
struct Alike<'r> {
    first: &'r Inspection,
    text: String,
    more: usize,
}

impl Alike<'_> {
    fn write(&self, file: &FileReport, style: &TextStyle, text: &mut String) {
        let more = match self.more {
            0 => String::new(),
            more => format!(" and {more} more like it (-v)"),
        };
        let title = style.heading(&title(file, self.first));
        let _ = writeln!(text, "{title}{more}\n{}", self.text.trim_end());
    }
}

/// What tells modules apart that are not alike.
fn without_offsets(text: &str) -> String {
    let mut parts = text.split(OFFSET);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()))
}

/// Whether there are places in the source, and whether there could be: outside of functions there are none.
#[derive(Default)]
struct Places {
    wanted: bool,
    found: bool,
}

impl Places {
    fn look(&mut self, cause: &Cause) {
        self.wanted |= !cause.calls.is_empty();
        self.found |= cause.instruction.place.is_some();
        self.found |= cause.calls.iter().any(|step| step.called_at.is_some());
    }
}

/// The text where nothing needs it.
fn nothing(files: &[FileReport], name: &str) -> String {
    let modules = files.iter().flat_map(|file| &file.modules).map(|report| &*report.inspected);
    let declared = modules.flat_map(|inspected| inspected.capabilities.iter().chain(&inspected.extensions));
    match declared.filter(|own| own.name.eq_ignore_ascii_case(name)).map(|own| own.need).min() {
        None => format!("nothing needs {name}\n"),
        Some(Need::Unneeded) => {
            format!("nothing needs {name}, although it is declared (see `spirv-if trim`)\n")
        }
        // Code that they do not reach does, or we cannot tell.
        Some(Need::Needed | Need::Unjudged) => {
            format!("no entry point or exported function is known to need {name}, although it is declared\n")
        }
    }
}

/// What needs it, and why.
type Found<'r> = (&'r EntryPoint, &'r Cause);

fn found(report: &Inspection) -> Vec<Found<'_>> {
    let roots: Vec<&EntryPoint> = report.inspected.roots().collect();
    let why = report.why.iter().flatten().filter_map(|why| Some((*roots.get(why.root)?, why)));
    why.flat_map(|(root, why)| why.causes.iter().map(move |cause| (root, cause))).collect()
}

/// How many entry points and exported functions they are.
fn roots(found: &[Found]) -> usize {
    found.chunk_by(|(one, _), (other, _)| std::ptr::eq(*one, *other)).count()
}

/// Leaves out what is said of kernels already that it is the bodies of.
fn without_bodies(found: Vec<Found>) -> Vec<Found> {
    let key = |name: &str, cause: &Cause| {
        // Optimized, the body stands twice: its places in the module differ, those in the source do not.
        let calls: Vec<_> = steps(cause).skip(1).map(|step| (&step.function, &step.called_at)).collect();
        let inst = &cause.instruction;
        let inst = (&inst.opcode, &inst.through, &inst.place);
        format!("{:?}", (name, &cause.requires, &cause.when, cause.until_packed, calls, inst))
    };
    let of_kernels = found.iter().filter(|(root, _)| root.stage.is_some());
    let told: HashSet<String> = of_kernels.map(|(root, cause)| key(&root.name, cause)).collect();
    let is_told = |(root, cause): &Found| {
        root.body_of.as_ref().is_some_and(|kernel| told.contains(&key(kernel, cause)))
    };
    found.into_iter().filter(|own| !is_told(own)).collect()
}

/// The functions on the way; a kernel and its body are one.
fn steps(cause: &Cause) -> impl Iterator<Item = &Step> {
    cause.calls.iter().filter(|step| !step.is_kernel_body)
}

/// What is said of a module; `left_out` is how many bodies of kernels are not.
fn module(report: &Inspection, found: &[Found], left_out: usize, style: &TextStyle) -> String {
    let mut text = String::new();
    let mut groups: Vec<Vec<Found>> = Vec::new();
    let mut by_way = HashMap::new();
    for &own in found {
        let at = *by_way.entry(way(&own)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push(own);
    }
    let mut shown = Shown::default();
    for group in &groups {
        heading(report, group, style, &mut text);
        chain(group, &mut shown, &mut text);
    }
    if left_out > 0 {
        let bodies =
            if left_out == 1 { "1 body of a kernel" } else { &format!("{left_out} bodies of kernels") };
        let _ = writeln!(text, "  and {bodies} for the same reasons (-v)");
    }
    text
}

/// What entry points that are shown as one have in common: all but themselves, and where they call the next function.
fn way((root, cause): &Found) -> String {
    let steps: Vec<&Step> = steps(cause).collect();
    let functions = steps.iter().skip(usize::from(steps.len() > 1)).map(|step| &step.function);
    let places = steps.iter().skip(2).map(|step| &step.called_at);
    let said = (&cause.requires, &cause.when, cause.until_packed, &cause.instruction);
    format!("{:?}", (root.stage, said, functions.collect::<Vec<_>>(), places.collect::<Vec<_>>()))
}

/// The ends of ways that were shown: each a line and what follows it, by number.
#[derive(Default)]
struct Shown(HashMap<(String, usize), usize>);

impl Shown {
    /// The number of a line and what follows it, and whether that was there before.
    fn add(&mut self, line: &str, rest: usize) -> (usize, bool) {
        let next = self.0.len() + 1;
        let number = *self.0.entry((line.to_owned(), rest)).or_insert(next);
        (number, number != next)
    }
}

fn heading(report: &Inspection, group: &[Found], style: &TextStyle, text: &mut String) {
    let Some((root, cause)) = group.first() else { return };
    let mut requires: Vec<String> = cause.requires.iter().map(|any| alternatives(report, any)).collect();
    requires.dedup();
    let when = cause.when.as_ref().map(|when| format!(" where {when}")).unwrap_or_default();
    let until = if cause.until_packed { " until it is packed" } else { "" };
    let need = if group.len() == 1 { "needs" } else { "need" };
    let said = format!(" ({}) {need} {}{when}{until}", root.stage_name(), requires.join(", "));
    let mut names: Vec<String> = group.iter().map(|(root, _)| root.title().into_owned()).collect();
    if let Some(last) = names.last_mut() {
        last.push_str(&said);
    }
    let mut lines = String::new();
    style.fill(&mut lines, "  ", &names, ", ");
    let names = lines.trim_end().strip_suffix(said.as_str()).unwrap_or(&lines).trim();
    let _ = writeln!(text, "  {}{said}", style.heading(names));
}

/// Those of several alternatives that the module declares; all of them, if it declares none.
fn alternatives(report: &Inspection, any: &[Name]) -> String {
    let inspected = &report.inspected;
    let is_declared = |name: &&Name| {
        inspected.capabilities.iter().chain(&inspected.extensions).any(|declared| declared.name == **name)
    };
    let declared: Vec<&str> = any.iter().filter(is_declared).map(AsRef::as_ref).collect();
    if declared.is_empty() { any.join(" or ") } else { declared.join(" or ") }
}

/// The way that a group has in common, up to where it goes on as one that was shown.
fn chain(group: &[Found], shown: &mut Shown, text: &mut String) {
    let Some((_, cause)) = group.first() else { return };
    let ways: Vec<Vec<&Step>> = group.iter().map(|(_, cause)| steps(cause).collect()).collect();
    let itself = usize::from(group.len() > 1 && ways[0].len() > 1);
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (at, step) in ways[0].iter().enumerate().skip(itself) {
        let mut seen = HashSet::new();
        let places = ways.iter().filter_map(|way| way[at].called_at.as_deref());
        let places: Vec<&str> = places.filter(|&place| seen.insert(place)).collect();
        lines.push((&step.function, listed(&places)));
    }
    let inst = &cause.instruction;
    let through = inst.through.as_ref().map(|through| format!(" of {through}")).unwrap_or_default();
    let place = inst.place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
    let end = format!("{}{through}{OFFSET}{:x}){place}", inst.opcode, inst.offset);
    // Where a function is called from is no part of what follows it.
    let mut rest = shown.add(&end, 0).0;
    let mut known = vec![false; lines.len()];
    for (at, (function, place)) in lines.iter().enumerate().rev() {
        known[at] = shown.add(function, rest).1;
        rest = shown.add(&format!("{function}{place}"), rest).0;
    }
    for (at, (function, place)) in lines.iter().enumerate() {
        let _ = writeln!(text, "    {function}{place}");
        // In the place of one line it would save nothing.
        if known[at] && at + 1 < lines.len() {
            text.push_str("    ... as above\n");
            return;
        }
    }
    let _ = writeln!(text, "    {end}");
}

/// Places behind a function, as many as a reader needs.
fn listed(places: &[&str]) -> String {
    let shown: Vec<String> = places.iter().take(PLACES).map(|place| format!(" {place}")).collect();
    match places.len() {
        more if more > PLACES => format!("{} and {} more", shown.join(","), more - PLACES),
        _ => shown.join(","),
    }
}
