//! A report as one HTML file: the JSON of an inspection or the SARIF log of findings, and a script that draws it.

use std::error::Error;

use minijinja::{Environment, context};
use serde::Serialize;

/// The report on files as one HTML file that loads nothing. `data` is what its JSON is made of.
///
/// # Errors
/// None that is known: the template is ours.
pub fn html(title: &str, data: &impl Serialize) -> Result<String, Box<dyn Error + Send + Sync>> {
    let mut templates = Environment::new();
    templates.add_template("report.html", include_str!("report.html"))?;
    // In a script, only this could end it; JSON has it in strings alone.
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
