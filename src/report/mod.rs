//! Reports for people and for other programs, written from plain data.
//!
//! A [`TextStyle`] gives width and colour: nothing here examines the terminal.

mod condition;
#[cfg(feature = "inspect")]
mod device;
#[cfg(feature = "inspect")]
mod dot;
#[cfg(feature = "inspect")]
mod findings;
#[cfg(feature = "html")]
mod html;
#[cfg(feature = "inspect")]
pub mod inspection;
#[cfg(feature = "inspect")]
mod style;

pub use condition::assembly;
#[cfg(feature = "inspect")]
pub use device::text as device;
#[cfg(feature = "inspect")]
pub use dot::dot;
#[cfg(feature = "inspect")]
pub use findings::{
    AcceptedFindings, FailedFile, Finding, FindingGroup, NOT_KNOWN, SarifResults, Severity, by_cause, github,
    sarif,
};
#[cfg(feature = "html")]
pub use html::{PackedJson, html};
#[cfg(feature = "inspect")]
pub use inspection::InspectionJson;
#[cfg(feature = "inspect")]
pub use style::TextStyle;
