//! Why modules need something, for people: in the manner of the warnings of seed "optional kernel features".

use std::fmt::Write;

use spirv_if::inspection::{Cause, EntryPoint, Report};

use super::text::{HEADING, title};

/// The text for all files; `name` is what was asked about.
pub fn text(report: &Report, name: &str) -> String {
    let mut text = String::new();
    let mut others = 0;
    let mut placed = false;
    let modules = report.files.iter().flat_map(|file| file.modules.iter().map(move |report| (file, report)));
    for (file, report) in modules {
        let why = report.why.as_deref().unwrap_or_default();
        if why.is_empty() {
            others += 1;
            continue;
        }
        let _ = writeln!(text, "{HEADING}{}{HEADING:#}", title(file, report));
        for why in why {
            let Some(root) = report.inspected.roots().nth(why.root) else { continue };
            for cause in &why.causes {
                self::cause(root, cause, &mut text);
                placed |= cause.instruction.place.is_some();
            }
        }
    }
    if text.is_empty() {
        return format!("nothing needs {name}\n");
    }
    if !placed {
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

fn cause(root: &EntryPoint, cause: &Cause, text: &mut String) {
    let requires: Vec<String> = cause.requires.iter().map(|any| any.join(" or ")).collect();
    let when = cause.when.as_ref().map(|when| format!(" where {when}")).unwrap_or_default();
    let _ = writeln!(
        text,
        "  {HEADING}{}{HEADING:#} ({}) needs {}{when}",
        root.title(),
        root.stage_name(),
        requires.join(", ")
    );
    for step in &cause.calls {
        let place = step.called_at.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
        let _ = writeln!(text, "    {}{place}", step.function);
    }
    let inst = &cause.instruction;
    let through = inst.through.as_ref().map(|through| format!(" of {through}")).unwrap_or_default();
    let place = inst.place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
    let _ = writeln!(text, "    {}{through} (offset {:#x}){place}", inst.opcode, inst.offset);
}
