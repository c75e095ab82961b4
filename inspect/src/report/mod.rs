//! Reports for people and for other programs, written from plain data.
//!
//! A [`TextStyle`] gives width and colour: nothing here examines the terminal.

mod device;
mod dot;
mod findings;
mod html;
pub mod inspection;
mod style;

pub use device::text as device;
pub use dot::dot;
pub use findings::{
    AcceptedFindings, FailedFile, Finding, FindingGroup, NOT_KNOWN, SarifResults, Severity, by_cause, github,
    sarif,
};
pub use html::{PackedJson, html};
pub use inspection::InspectionJson;
pub use style::TextStyle;
