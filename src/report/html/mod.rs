//! A report as one HTML file: the JSON of an inspection or the SARIF log of findings, and a script that draws it.

use minijinja::{Environment, context};

/// The report on files, whose JSON is given, as one HTML file that loads nothing.
///
/// # Errors
/// None that is known: the template is ours.
pub fn html(title: &str, json: &str) -> Result<String, minijinja::Error> {
    let mut templates = Environment::new();
    templates.add_template("report.html", include_str!("report.html"))?;
    // In a script, only this could end it; JSON has it in strings alone.
    let data = json.replace('<', "\\u003c");
    templates.get_template("report.html")?.render(context! {
        title,
        version => env!("CARGO_PKG_VERSION"),
        style => include_str!("report.css"),
        script => include_str!("report.js"),
        data,
    })
}
