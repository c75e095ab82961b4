//! A report as one HTML file: the JSON of an inspection or the SARIF log of findings, and a script that draws it.

mod packed;

pub use packed::PackedJson;

/// Returns a report on files as one HTML file that loads nothing else. `data` is [packed](PackedJson).
pub fn html(title: &str, data: &str) -> String {
    // In a script, only `<` could end it, and JSON has it only in strings.
    let data = data.replace('<', "\\u003c");
    let parts = [
        ("title", escaped(title)),
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("style", include_str!("report.css").to_owned()),
        ("script", include_str!("report.js").to_owned()),
        ("data", data),
    ];
    filled(include_str!("report.html"), &parts)
}

/// Replaces `{{name}}` by the part with the name. Parts are not searched for names.
fn filled(template: &str, parts: &[(&str, String)]) -> String {
    let mut pieces = template.split("{{");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        text.extend(parts.iter().filter(|(known, _)| *known == name).map(|(_, part)| part.as_str()));
        text.push_str(rest);
    }
    text
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_text() {
        let page = html("<b>{{data}} & \"c\"", &PackedJson::pack(&["</script>"]).unwrap());
        assert!(page.contains("<title>&lt;b&gt;{{data}} &amp; &quot;c&quot;</title>"), "{page}");
        assert!(page.contains(r#"[-1,"\u003c/script>"]"#) && !page.contains("{{version}}"));
    }
}
