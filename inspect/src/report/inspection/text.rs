//! The requirements of modules, as text.

use spirv_if::engine::collections::OrderedMap;
use spirv_if::module::Version;
use std::borrow::Cow;
use std::fmt::Write;

use super::super::TextStyle;
use super::statistics::statistics;
use super::summary;
use crate::inspection::model::{AnyOf, Necessity, ReportedDeclaration, RequiredFeature, SpecConstantReport};
use crate::inspection::{
    DefectInstruction, EnableReport, EntryPointReport, FileReport, ForeignCapability, Inspected, Inspection,
    SetConstant,
};
use spirv_if::device::Api;

/// Limit on the modules of a file that are shown one by one without `-v`.
const MAX_MODULES: usize = 4;
/// Limit on the names of similar entry points that are shown without `-v`.
const MAX_NAMES: usize = 3;
/// Limit on the kinds of entry points of one module that are shown without `-v`.
const MAX_LINES: usize = 12;

impl TextStyle {
    /// Returns true if the text about a file with `modules` modules shows groups of modules, and not each module.
    pub fn has_groups(&self, modules: usize) -> bool {
        modules > MAX_MODULES && !self.verbose
    }
}

/// Returns the modules of a file, by index, whose answers its text has.
pub fn answered(modules: &[Inspection], style: &TextStyle) -> Vec<usize> {
    match style.has_groups(modules.len()) {
        true => summary::answered(modules),
        false => (0..modules.len()).collect(),
    }
}

/// Returns the text for all files.
pub fn text(files: &[FileReport], api: Option<(Api, Option<Version>)>, style: &TextStyle) -> String {
    let mut text = String::new();
    for file in files {
        if !text.is_empty() {
            text.push('\n');
        }
        if style.has_groups(file.modules.len()) {
            summary::file(file, style, &mut text);
            for report in &file.modules {
                if let Some(of_compiler) = &report.statistics {
                    let _ = writeln!(text, "{}", style.heading(&title(file, report)));
                    statistics(of_compiler, &report.inspected, style, &mut text);
                }
            }
            if let Some((api, version)) = api {
                enable_all(file, api, version, style, &mut text);
            }
        } else {
            for report in &file.modules {
                module(file, report, style, &mut text);
            }
        }
    }
    text
}

/// Returns the title of a module: its file, and its offset if it is not the whole file.
pub fn title(file: &FileReport, report: &Inspection) -> String {
    match (report.offset, report.size == file.size) {
        (0, true) => file.file.clone(),
        (offset, _) => format!("{} at {offset:#x}", file.file),
    }
}

/// Writes the answer of a module after a title.
pub fn answer(title: &str, inspected: &Inspected, style: &TextStyle, text: &mut String) {
    let Some(answer) = &inspected.answer else { return };
    style.fill(text, title, &sentences(&answer.text), " ");
}

/// Returns the sentences of an answer.
pub(super) fn sentences(answer: &str) -> Vec<String> {
    answer.split_inclusive(". ").map(|sentence| sentence.trim_end().to_owned()).collect()
}

fn module(file: &FileReport, report: &Inspection, style: &TextStyle, text: &mut String) {
    let inspected = &report.inspected;
    let name = style.heading(&title(file, report));
    let _ = writeln!(text, "{name}");
    answer("  ", inspected, style, text);
    let _ = writeln!(text, "  {:<15} SPIR-V {} by {}", "module", inspected.version, inspected.generator);
    let mut kinds: Vec<(&EntryPointReport, Vec<Cow<str>>)> = Vec::new();
    // Compilers export functions that only entry points use.
    let exported = style.verbose || inspected.entry_points.is_empty();
    for root in inspected.roots().filter(|root| exported || root.stage.is_some()) {
        match kinds.iter_mut().find(|(other, _)| alike(other, root)) {
            Some((_, names)) => names.push(root.title()),
            None => kinds.push((root, vec![root.title()])),
        }
    }
    let devices = kinds.first().and_then(|(first, _)| first.devices.as_ref());
    let each_device = kinds.iter().any(|(other, _)| other.devices.as_ref() != devices);
    let shown = if style.verbose { kinds.len() } else { MAX_LINES };
    for (entry_point, names) in kinds.iter().take(shown) {
        heading(entry_point, names, style, text);
        let devices = entry_point.devices.as_ref().filter(|_| each_device);
        entry_point_lines(entry_point, devices.map(|devices| &*devices.answer), style, text);
    }
    if shown < kinds.len() {
        let _ = writeln!(text, "  and {} more kinds of entry points (-v)", kinds.len() - shown);
    }
    if !exported && !inspected.exported_functions.is_empty() {
        let count = inspected.exported_functions.len();
        let _ = writeln!(text, "  and {count} exported function{} (-v)", if count == 1 { "" } else { "s" });
    }
    for name in &inspected.graphs {
        let _ = writeln!(
            text,
            "  graph `{name}` (OpGraphEntryPointARM), whose requirements are not listed by themselves"
        );
    }
    if kinds.is_empty() && inspected.graphs.is_empty() {
        text.push_str("  no entry points, and no exported functions\n");
    }
    declarations(inspected, style, text);
    spec_constants(inspected, style, text);
    shared_costs(inspected, style, text);
    not_lowered(inspected, style, text);
    defects(inspected, style, text);
    if let Some(of_compiler) = &report.statistics {
        statistics(of_compiler, inspected, style, text);
    }
    if let Some(enable_report) = &report.enable {
        enable("to load it", enable_report, style, text);
    }
}

/// Returns true if the texts of two entry points differ only in names.
fn alike(one: &EntryPointReport, other: &EntryPointReport) -> bool {
    let facts = |entry_point: &EntryPointReport| {
        (
            entry_point.stage,
            entry_point.work_group_size,
            entry_point.sub_group_size,
            entry_point.sub_groups_per_work_group,
        )
    };
    facts(one) == facts(other)
        && one.when == other.when
        && one.capabilities == other.capabilities
        && one.extensions == other.extensions
        && one.aspects == other.aspects
        && one.declared_aspects == other.declared_aspects
        && one.called_sub_group_sizes == other.called_sub_group_sizes
        && one.devices == other.devices
        && unmet(one).eq(unmet(other))
}

/// Returns the requirements that the module does not declare.
fn unmet(entry_point: &EntryPointReport) -> impl Iterator<Item = &AnyOf> {
    entry_point.requirements.iter().filter(|requirement| !requirement.met)
}

fn heading(entry_point: &EntryPointReport, names: &[Cow<str>], style: &TextStyle, text: &mut String) {
    let shown = if style.verbose || names.len() == MAX_NAMES + 1 { names.len() } else { MAX_NAMES };
    let listed = style.heading(&names[..shown.min(names.len())].join(", "));
    let more = names.len().saturating_sub(shown);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let when = entry_point.when.as_ref().map(|when| format!(", where {when}")).unwrap_or_default();
    let _ = writeln!(text, "  {listed}{more} ({}{when})", entry_point.stage_name());
}

fn entry_point_lines(
    entry_point: &EntryPointReport,
    devices: Option<&str>,
    style: &TextStyle,
    text: &mut String,
) {
    required("requires", &entry_point.capabilities, style, text);
    required("extensions", &entry_point.extensions, style, text);
    required("aspects", &entry_point.aspects, style, text);
    required("declares", entry_point.declared_aspects.as_deref().unwrap_or_default(), style, text);
    sizes(entry_point, text);
    if let Some(devices) = devices {
        style.fill(text, &format!("    {:<13} ", "devices"), &sentences(devices), " ");
    }
    // Some validators are less strict, so this is only in the verbose text.
    for unmet in unmet(entry_point).filter(|_| style.verbose) {
        let when = unmet.when.as_ref().map(|when| format!(" where {when}")).unwrap_or_default();
        let label = style.attention(&format!("{:<13}", "not declared"));
        let _ = writeln!(text, "    {label} {}{when}", unmet.any_of.join(" or "));
    }
}

/// Writes the features that an API must enable for the modules of a file, and the number of modules that it
/// does not accept.
fn enable_all(file: &FileReport, api: Api, version: Option<Version>, style: &TextStyle, text: &mut String) {
    let all = file.modules.iter().filter_map(|report| Some((&*report.inspected, report.enable.as_ref()?)));
    let (refused, accepted): (Vec<_>, Vec<_>) = all.partition(|(_, enable)| enable.refused.is_some());
    if let Some(why) = refused.first().and_then(|(_, enable)| enable.refused.as_ref()) {
        let capability = why.capability;
        let count = if accepted.is_empty() { String::new() } else { format!(": {} of them", refused.len()) };
        let name = style.heading(api.keyword());
        let _ = writeln!(text, "  {name} accepts no modules with {capability}{count}");
    }
    if !accepted.is_empty() {
        let what = if refused.is_empty() { "to load all of them" } else { "to load the others" };
        let modules = accepted.into_iter().map(|(inspected, inspection)| (inspected, &inspection.uses[..]));
        enable(what, &EnableReport::new(api, version, modules), style, text);
    }
}

/// Writes the features that an API must enable.
fn enable(what: &str, enable: &EnableReport, style: &TextStyle, text: &mut String) {
    let title = match &enable.version {
        Some(version) => format!("{} {version}", enable.api),
        None => enable.api.to_owned(),
    };
    let title = style.heading(&title);
    if let Some(ForeignCapability { capability, declared }) = &enable.refused {
        let implied = if declared.iter().any(|declared| declared == capability) {
            String::new()
        } else {
            format!(
                ", which {} {}",
                declared.join(", "),
                if declared.len() == 1 { "implies" } else { "imply" }
            )
        };
        let _ = writeln!(text, "  {title} accepts no modules with {capability}{implied}");
        return;
    }
    let _ = writeln!(text, "  {title} {what}");
    for extension in &enable.extensions {
        style.fill(text, &format!("    {} for ", extension.name), &extension.needed_by, ", ");
    }
    for feature in &enable.features {
        let one_of = if feature.one_of.len() > 1 { "one of " } else { "" };
        let _ = writeln!(text, "    {one_of}{}", feature.one_of.join(" or "));
        style.fill(text, "      for ", &feature.needed_by, ", ");
    }
    if !enable.unknown.is_empty() {
        style.fill(text, "    not in the tables: ", &enable.unknown, ", ");
    }
}

/// Writes the required sizes, one on a line.
fn sizes(entry_point: &EntryPointReport, text: &mut String) {
    let by_default = |specializable| if specializable { " by default" } else { "" };
    if let Some(size) = entry_point.work_group_size {
        let [x, y, z] = size.size;
        let _ = writeln!(text, "    {:<13} {x} x {y} x {z}{}", "work-group", by_default(size.specializable));
    }
    if let Some(size) = entry_point.sub_group_size {
        let _ = writeln!(text, "    {:<13} {}{}", "sub-group", size.size, by_default(size.specializable));
    }
    for called in &entry_point.called_sub_group_sizes {
        let when = called.when.as_ref().map(|when| format!(" where {when}")).unwrap_or_default();
        let _ = writeln!(text, "    {:<13} {} in what it calls{when}", "sub-group", called.size);
    }
    if let Some(count) = entry_point.sub_groups_per_work_group {
        let by_default = by_default(count.specializable);
        let _ = writeln!(text, "    {:<13} {} in each work-group{by_default}", "sub-groups", count.size);
    }
}

/// Writes required features, with at least one line for each condition.
fn required(label: &str, all: &[RequiredFeature], style: &TextStyle, text: &mut String) {
    let mut label = label;
    for (when, names) in by_condition(all) {
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        if let (Some(when), Some(last)) = (when, names.last_mut()) {
            let _ = write!(last, " where {when}");
        }
        style.fill(text, &format!("    {label:<13} "), &names, ", ");
        label = "";
    }
}

/// Returns the names by condition, in their order.
pub fn by_condition(all: &[RequiredFeature]) -> Vec<(Option<String>, Vec<&str>)> {
    let mut groups: Vec<(Option<String>, Vec<&str>)> = Vec::new();
    for required in all {
        let when = required.when.as_ref().map(ToString::to_string);
        match groups.iter_mut().find(|(other, _)| *other == when) {
            Some((_, names)) => names.push(&required.name),
            None => groups.push((when, vec![&required.name])),
        }
    }
    groups
}

/// Writes the specialization constants with `-v`, one on a line.
fn spec_constants(inspected: &Inspected, style: &TextStyle, text: &mut String) {
    if !style.verbose {
        return;
    }
    for (at, constant) in inspected.spec_constants.iter().enumerate() {
        let decides = &constant.decides;
        let counted = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {many}")),
        };
        let mut parts: Vec<String> = [
            counted(decides.branches, "branch", "branches"),
            counted(decides.array_sizes, "array size", "array sizes"),
            decides.work_group_size.then(|| "the work-group size".to_owned()),
        ]
        .into_iter()
        .flatten()
        .collect();
        // A number that decides no branch and has only its default: it removes code as soon as it is known.
        let is_any = decides.branches == 0 && decides.values.len() == 1;
        for effect in &decides.values {
            let mut removed: Vec<String> = [
                counted(effect.blocks, "block", "blocks"),
                counted(effect.functions, "function", "functions"),
            ]
            .into_iter()
            .flatten()
            .collect();
            removed.extend(effect.capabilities.iter().map(ToString::to_string));
            if !removed.is_empty() {
                let value = match is_any {
                    true => "any value".to_owned(),
                    false => effect.value.to_string(),
                };
                parts.push(format!("{value} removes {}", removed.join(" and ")));
            }
        }
        if decides.untried {
            parts.push("values not tried".to_owned());
        }
        let title = if at == 0 { "constants" } else { "" };
        let decided = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
        let default = constant.default.as_ref().map_or_else(|| "unknown".to_owned(), ToString::to_string);
        let (constant, type_) = (constant.title(), &constant.type_);
        let _ = writeln!(text, "  {title:<15} {constant}: {type_}, {default} by default; decides {decided}");
    }
}

/// Writes, with `-v`, the constants that remove capabilities only together.
fn shared_costs(inspected: &Inspected, style: &TextStyle, text: &mut String) {
    for (at, cost) in inspected.shared_costs.iter().enumerate().filter(|_| style.verbose) {
        let named = |set: &SetConstant| {
            let mut constants = inspected.spec_constants.iter();
            let title =
                constants.find(|constant| constant.spec_id == set.spec_id).map(SpecConstantReport::title);
            format!("{}: {}", title.unwrap_or_default(), set.value)
        };
        let mut named: Vec<String> = cost.constants.iter().map(named).collect();
        if let Some(last) = named.last_mut() {
            let _ = write!(last, " together remove {}", cost.capabilities.join(" and "));
        }
        style.fill(text, &format!("  {:<15} ", if at == 0 { "together" } else { "" }), &named, ", ");
    }
}

/// Writes the features that devices lack and that cannot be lowered.
fn not_lowered(inspected: &Inspected, style: &TextStyle, text: &mut String) {
    for obstacle in &inspected.not_lowered {
        let words: Vec<String> = obstacle.to_string().split(' ').map(str::to_owned).collect();
        style.fill(text, &format!("  {:<15} ", "not lowered"), &words, " ");
    }
}

fn defects(inspected: &Inspected, style: &TextStyle, text: &mut String) {
    for (driver, defects) in by_driver(&inspected.defects) {
        let shown = if style.verbose { defects.len() } else { MAX_NAMES };
        let named = |defect: &&DefectInstruction| {
            let function = defect.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
            let place = defect.instruction.place.as_ref().map(|place| format!(" at {place}"));
            format!("{}{function}{}", defect.instruction.opcode, place.unwrap_or_default())
        };
        let mut named: Vec<String> = defects.iter().take(shown).map(named).collect();
        let more = defects.len() - named.len();
        if more > 0 {
            named.push(format!("{more} more (-v)"));
        }
        style.fill(text, &format!("  {:<15} ", format!("fails {driver}")), &named, ", ");
        let _ = writeln!(text, "  {:<15} (see `spirv-if specialize --work-around {driver}`)", "");
    }
}

/// Returns the instructions by driver.
pub fn by_driver(defects: &[DefectInstruction]) -> OrderedMap<&str, Vec<&DefectInstruction>> {
    let mut drivers: OrderedMap<&str, Vec<&DefectInstruction>> = OrderedMap::new();
    for defect in defects {
        drivers.entry(&defect.driver).or_default().push(defect);
    }
    drivers
}

fn declarations(inspected: &Inspected, style: &TextStyle, text: &mut String) {
    let named = |declaration: &ReportedDeclaration| match (&declaration.implied_by, &declaration.narrower[..])
    {
        (Some(other), _) => format!("{} ({other} implies it)", declaration.name),
        (None, []) => declaration.name.to_string(),
        (None, others) => format!("{} ({} is enough)", declaration.name, others.join(" and ")),
    };
    let unneeded: Vec<String> = inspected.unneeded().map(named).collect();
    if !unneeded.is_empty() {
        style.fill(text, &format!("  {:<15} ", "superfluous"), &unneeded, ", ");
        let _ = writeln!(text, "  {:<15} (see `spirv-if trim`)", "");
    }
    let declared = inspected.capabilities.iter().chain(&inspected.extensions);
    let unjudged: Vec<String> = declared
        .filter(|declaration| declaration.need == Necessity::Unjudged)
        .map(|declaration| declaration.name.to_string())
        .collect();
    if !unjudged.is_empty() {
        style.fill(text, &format!("  {:<15} ", "also declared"), &unjudged, ", ");
    }
}
