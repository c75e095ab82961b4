//! A report as one HTML file: the JSON of an inspection or the SARIF log of findings, and a script that draws it.

use std::error::Error;

use minijinja::{Environment, context};
use serde::Serialize;

/// Returns a report on files as one HTML file that loads nothing else. `data` is serialized to its JSON.
///
/// # Errors
/// None are expected: the template is ours.
pub fn html(title: &str, data: &impl Serialize) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut templates = Environment::new();
    templates.add_template("report.html", include_str!("report.html"))?;
    // In a script, only `<` could end it, and JSON has it only in strings.
    let data = serde_json::to_string(data)?.replace('<', "\\u003c");
    let page = templates.get_template("report.html")?.render(context! {
        title,
        version => env!("CARGO_PKG_VERSION"),
        style => include_str!("report.css"),
        script => include_str!("report.js"),
        data,
    })?;
    Ok(page)
}
