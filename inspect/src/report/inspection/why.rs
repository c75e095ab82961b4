//! The causes of a requirement, as text. The form is that of the warnings of
//! docs/design/optional-kernel-features.md, "New LLVM IR pass to propagate aspect usage".
//!
//! Entry points with the same call path to the same instruction are shown as one, and the common end of call
//! paths is shown once. Omitted are the bodies that clang makes of kernels, beside their kernels, and modules
//! of a file with equal text.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::super::TextStyle;
use super::text::title;
use crate::inspection::model::{DeclarationName, Necessity};
use crate::inspection::{EntryPointReport, FileReport, Inspection, OFFSET, PathStep, RequirementCause};

/// Limit on the source locations shown where different entry points call the same function.
const PLACES: usize = 3;

/// Returns the text for all files; `name` is the feature in question.
pub fn text(files: &[FileReport], name: &str, style: &TextStyle) -> String {
    let mut text = String::new();
    let mut others = 0;
    let mut places = PlaceHint::default();
    for file in files {
        let mut alike: Vec<EqualModules> = Vec::new();
        let mut known = HashMap::new();
        for report in &file.modules {
            let mut root_causes = root_causes(report);
            if root_causes.is_empty() {
                others += 1;
                continue;
            }
            root_causes.iter().for_each(|(_, cause)| places.record(cause));
            let before = roots(&root_causes);
            if !style.verbose {
                root_causes = without_bodies(root_causes);
            }
            let text = module(report, &root_causes, before - roots(&root_causes), style);
            let next = alike.len();
            match *known.entry(without_offsets(&text)).or_insert(next) {
                at if at < next && !style.verbose => alike[at].more += 1,
                _ => alike.push(EqualModules { first: report, text, more: 0 }),
            }
        }
        alike.iter().for_each(|modules| modules.write(file, style, &mut text));
    }
    if text.is_empty() {
        return nothing(files, name);
    }
    if places.wanted && !places.exists {
        text.push_str("compile with '-g' to get source location\n");
    }
    match others {
        0 => {}
        1 => text.push_str("another module does not require it\n"),
        _ => {
            let _ = writeln!(text, "{others} other modules do not require it");
        }
    }
    text
}

/// Modules of a file whose texts are equal, except for offsets.
struct EqualModules<'r> {
    first: &'r Inspection,
    text: String,
    more: usize,
}

impl EqualModules<'_> {
    fn write(&self, file: &FileReport, style: &TextStyle, text: &mut String) {
        let more = match self.more {
            0 => String::new(),
            more => format!(" and {more} more like it (-v)"),
        };
        let title = style.heading(&title(file, self.first));
        let _ = writeln!(text, "{title}{more}\n{}", self.text.trim_end());
    }
}

/// Returns the text without offsets.
fn without_offsets(text: &str) -> String {
    let mut parts = text.split(OFFSET);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()))
}

/// Records whether source locations exist, and whether they could: code outside of functions has none.
#[derive(Default)]
struct PlaceHint {
    wanted: bool,
    exists: bool,
}

impl PlaceHint {
    fn record(&mut self, cause: &RequirementCause) {
        self.wanted |= !cause.calls.is_empty();
        self.exists |= cause.instruction.place.is_some();
        self.exists |= cause.calls.iter().any(|step| step.called_at.is_some());
    }
}

/// Returns the text for a feature that nothing requires.
fn nothing(files: &[FileReport], name: &str) -> String {
    let modules = files.iter().flat_map(|file| &file.modules).map(|report| &*report.inspected);
    let declared = modules.flat_map(|inspected| inspected.capabilities.iter().chain(&inspected.extensions));
    match declared
        .filter(|declaration| declaration.name.eq_ignore_ascii_case(name))
        .map(|declaration| declaration.need)
        .min()
    {
        None => format!("nothing requires {name}\n"),
        Some(Necessity::Unneeded) => {
            format!("nothing requires {name}, although it is declared (see `spirv-if trim`)\n")
        }
        // Unreachable code requires it, or there are no rules for it.
        Some(Necessity::Needed | Necessity::Unjudged) => {
            format!(
                "no entry point or exported function is known to require {name}, although it is declared\n"
            )
        }
    }
}

/// An entry point, and a cause.
type RootCause<'r> = (&'r EntryPointReport, &'r RequirementCause);

fn root_causes(report: &Inspection) -> Vec<RootCause<'_>> {
    let roots: Vec<&EntryPointReport> = report.inspected.roots().collect();
    let why = report.why.iter().flatten().filter_map(|why| Some((*roots.get(why.root)?, why)));
    why.flat_map(|(root, why)| why.causes.iter().map(move |cause| (root, cause))).collect()
}

/// Returns the number of entry points and exported functions.
fn roots(causes: &[RootCause]) -> usize {
    causes.chunk_by(|(one, _), (other, _)| std::ptr::eq(*one, *other)).count()
}

/// Removes bodies of kernels with the same causes as their kernels.
fn without_bodies(causes: Vec<RootCause>) -> Vec<RootCause> {
    let key = |name: &str, cause: &RequirementCause| {
        // In optimized code the body occurs twice, at different places of the module and the same places of
        // the source.
        let calls: Vec<_> = steps(cause).skip(1).map(|step| (&step.function, &step.called_at)).collect();
        let inst = &cause.instruction;
        let inst = (&inst.opcode, &inst.through, &inst.place);
        format!("{:?}", (name, &cause.requires, &cause.when, cause.until_packed, calls, inst))
    };
    let of_kernels = causes.iter().filter(|(root, _)| root.stage.is_some());
    let shown: HashSet<String> = of_kernels.map(|(root, cause)| key(&root.name, cause)).collect();
    let is_shown = |(root, cause): &RootCause| {
        root.body_of.as_ref().is_some_and(|kernel| shown.contains(&key(kernel, cause)))
    };
    causes.into_iter().filter(|cause| !is_shown(cause)).collect()
}

/// Returns the functions of a call path. A kernel and its body count as one.
fn steps(cause: &RequirementCause) -> impl Iterator<Item = &PathStep> {
    cause.calls.iter().filter(|step| !step.is_kernel_body)
}

/// Returns the text for a module. `left_out` is the number of omitted bodies of kernels.
fn module(report: &Inspection, causes: &[RootCause], left_out: usize, style: &TextStyle) -> String {
    let mut text = String::new();
    let mut groups: Vec<Vec<RootCause>> = Vec::new();
    let mut by_way = HashMap::new();
    for &cause in causes {
        let at = *by_way.entry(group_key(&cause)).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push(cause);
    }
    let mut shown = ShownEnds::default();
    for group in &groups {
        heading(report, group, style, &mut text);
        chain(group, &mut shown, &mut text);
    }
    if !report.without.is_empty() {
        let set = report.without.iter().map(|set| format!("--set {}:{} ", set.spec_id, set.value));
        let set: String = set.collect();
        let _ = writeln!(text, "  nothing requires it after `spirv-if specialize {set}--trim`");
    }
    if left_out > 0 {
        let bodies =
            if left_out == 1 { "1 body of a kernel" } else { &format!("{left_out} bodies of kernels") };
        let _ = writeln!(text, "  and {bodies} for the same reasons (-v)");
    }
    text
}

/// Returns the key of entry points that are shown as one: everything but their names and the source locations
/// of their calls.
fn group_key((root, cause): &RootCause) -> String {
    let steps: Vec<&PathStep> = steps(cause).collect();
    // An entry point alone differs from one that calls a function of its name.
    let calls = steps.len() > 1;
    let functions = steps.iter().skip(usize::from(calls)).map(|step| &step.function);
    let places = steps.iter().skip(2).map(|step| &step.called_at);
    let requirement = (&cause.requires, &cause.when, cause.until_packed, &cause.instruction);
    format!(
        "{:?}",
        (root.stage, requirement, calls, functions.collect::<Vec<_>>(), places.collect::<Vec<_>>())
    )
}

/// The ends of call paths that were shown, each as a line and the number of the end after it.
#[derive(Default)]
struct ShownEnds(HashMap<(String, usize), usize>);

impl ShownEnds {
    /// Adds a line with the end after it. Returns its number, and true if it was shown before.
    fn add(&mut self, line: &str, rest: usize) -> (usize, bool) {
        let next = self.0.len() + 1;
        let number = *self.0.entry((line.to_owned(), rest)).or_insert(next);
        (number, number != next)
    }
}

fn heading(report: &Inspection, group: &[RootCause], style: &TextStyle, text: &mut String) {
    let Some((root, cause)) = group.first() else { return };
    let mut requires: Vec<String> = cause.requires.iter().map(|any| alternatives(report, any)).collect();
    requires.dedup();
    let when = cause.when.as_ref().map(|when| format!(" where {when}")).unwrap_or_default();
    let until = if cause.until_packed { " until it is packed" } else { "" };
    let requires_it = if group.len() == 1 { "requires" } else { "require" };
    let requirement = format!(" ({}) {requires_it} {}{when}{until}", root.stage_name(), requires.join(", "));
    let mut names: Vec<String> = group.iter().map(|(root, _)| root.title().into_owned()).collect();
    if let Some(last) = names.last_mut() {
        last.push_str(&requirement);
    }
    let mut lines = String::new();
    style.fill(&mut lines, "  ", &names, ", ");
    let names = lines.trim_end().strip_suffix(requirement.as_str()).unwrap_or(&lines).trim();
    let _ = writeln!(text, "  {}{requirement}", style.heading(names));
}

/// Returns the alternatives that the module declares; all of them, if it declares none.
fn alternatives(report: &Inspection, any: &[DeclarationName]) -> String {
    let inspected = &report.inspected;
    let is_declared = |name: &&DeclarationName| {
        inspected.capabilities.iter().chain(&inspected.extensions).any(|declared| declared.name == **name)
    };
    let declared: Vec<&str> = any.iter().filter(is_declared).map(AsRef::as_ref).collect();
    if declared.is_empty() { any.join(" or ") } else { declared.join(" or ") }
}

/// Writes the common call path of a group, up to the end that was shown before.
fn chain(group: &[RootCause], shown: &mut ShownEnds, text: &mut String) {
    let Some((_, cause)) = group.first() else { return };
    let ways: Vec<Vec<&PathStep>> = group.iter().map(|(_, cause)| steps(cause).collect()).collect();
    let itself = usize::from(group.len() > 1 && ways[0].len() > 1);
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (at, step) in ways[0].iter().enumerate().skip(itself) {
        let mut seen = HashSet::new();
        let places = ways.iter().filter_map(|way| way[at].called_at.as_ref());
        let places = places.filter(|&place| seen.insert(place)).map(ToString::to_string);
        lines.push((&step.function, listed(&places.collect::<Vec<_>>())));
    }
    let inst = &cause.instruction;
    let place = inst.place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
    let end = format!("{inst}{place}");
    // The location of the call belongs to the caller, not to the end that follows.
    let mut rest = shown.add(&end, 0).0;
    let mut known = vec![false; lines.len()];
    for (at, (function, place)) in lines.iter().enumerate().rev() {
        known[at] = shown.add(function, rest).1;
        rest = shown.add(&format!("{function}{place}"), rest).0;
    }
    for (at, (function, place)) in lines.iter().enumerate() {
        let _ = writeln!(text, "    {function}{place}");
        // A reference in place of one line would save nothing.
        if known[at] && at + 1 < lines.len() {
            text.push_str("    ... as above\n");
            return;
        }
    }
    let _ = writeln!(text, "    {end}");
}

/// Returns source locations for the end of a line, up to a limit.
fn listed(places: &[String]) -> String {
    let shown: Vec<String> = places.iter().take(PLACES).map(|place| format!(" {place}")).collect();
    match places.len() {
        more if more > PLACES => format!("{} and {} more", shown.join(","), more - PLACES),
        _ => shown.join(","),
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::assemble;
    use crate::{InspectOptions, inspect};
    use crate::{Report, TextStyle};
    use spirv_if::Module;

    /// Checks that an entry point called by another one, which is invalid, is shown by itself.
    #[test]
    fn an_entry_point_that_another_calls() {
        let text = "
            OpCapability Kernel
            OpCapability Addresses
            OpCapability Float64
            OpMemoryModel Physical64 OpenCL
            OpEntryPoint Kernel %sum \"sum\"
            OpEntryPoint Kernel %other \"other\"
            OpName %sum \"sum\"
            OpName %other \"other\"
            %void = OpTypeVoid
            %double = OpTypeFloat 64
            %one = OpConstant %double 1
            %fn = OpTypeFunction %void
            %sum = OpFunction %void None %fn
            %in_sum = OpLabel
            %two = OpFAdd %double %one %one
            OpReturn
            OpFunctionEnd
            %other = OpFunction %void None %fn
            %in_other = OpLabel
            %call = OpFunctionCall %void %sum
            OpReturn
            OpFunctionEnd";
        let words = assemble(text, "spv1.2");
        let options = InspectOptions::new().why("Float64");
        let inspection = inspect(&Module::from_words(words).unwrap(), &options).unwrap();
        let mut report = Report::new(&options);
        report.add_file("a.spv", 0, vec![inspection]);
        let text = report.to_text(&TextStyle::default());
        assert!(text.contains("sum (Kernel) requires Float64\n    sum()\n"), "{text}");
        assert!(text.contains("other (Kernel) requires Float64\n    other()\n    sum()\n"), "{text}");
    }
}
