//! Findings as the workflow commands of GitHub.

use std::fmt::Write;

use super::{FailedFile, FindingGroup, Severity};
use spirv_if::engine::analysis::SourceLocation;

/// Returns the workflow commands with which GitHub annotates lines of source, and files that cannot be examined, one on each line.
pub fn github(causes: &[FindingGroup], failed: &[FailedFile]) -> String {
    let mut text = String::new();
    for FailedFile { file, message } in failed {
        let _ = writeln!(text, "::error file={},title=not-examined::{}", property(file), data(message));
    }
    for cause in causes {
        let finding = cause.first;
        let mut properties = Vec::new();
        match &finding.location {
            Some(SourceLocation { file, line, column }) => {
                let file = file.strip_prefix("./").unwrap_or(file);
                properties.push(format!("file={}", property(file)));
                properties.push(format!("line={line}"));
                if *column > 0 {
                    properties.push(format!("col={column}"));
                }
            }
            None => properties.push(format!("file={}", property(&finding.file))),
        }
        properties.push(format!("title={}", finding.rule));
        let mut message = finding.message.clone();
        if finding.location.is_none() {
            let id = finding.id.map(|id| format!(", %{id}")).unwrap_or_default();
            message += &format!(" ({} at {:#x}{id})", finding.file, finding.offset);
        }
        for (function, place) in &finding.chain {
            message += &format!("\n  {function}");
            if let Some(place) = place {
                message += &format!(" {place}");
            }
        }
        message += &cause.occurrences(finding.is_elsewhere());
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = writeln!(text, "::{word} {}::{}", properties.join(","), data(&message));
    }
    text
}

/// Escapes the message of a command, in one line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
