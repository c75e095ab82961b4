//! Commands that make a module one that more devices run.

use serde::Serialize;

use super::context::InspectContext;
use super::model::{EntryPointReport, Inspected};

/// The command that makes a module one that more devices run. [`DeviceCounts::after_pack`](super::DeviceCounts::after_pack) counts these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Remedy {
    /// `spirv-if trim`.
    #[serde(rename = "trim")]
    Trim,
    /// `spirv-if pack`, and `spirv-if specialize` for each device.
    #[serde(rename = "pack")]
    Pack,
    /// `spirv-if pack` with the annotations of the inspection, and `spirv-if specialize` for each device.
    #[serde(rename = "pack with these annotations")]
    PackWithAnnotations,
    /// `spirv-if specialize` for each device.
    #[serde(rename = "specialize")]
    Specialize,
    /// `spirv-if split`, by entry point.
    #[serde(rename = "split")]
    Split,
}

impl Remedy {
    /// Returns the words after the number of devices that run the module then.
    pub fn phrase(self) -> &'static str {
        match self {
            Remedy::Trim => "after `trim`",
            Remedy::Pack => "after `pack`",
            Remedy::PackWithAnnotations => "after `pack` with these annotations",
            Remedy::Specialize => "after `specialize`",
            Remedy::Split => "after `split --mode kernel`",
        }
    }

    /// Returns the commands, in a clause after "it does after".
    pub fn commands(self) -> &'static str {
        match self {
            Remedy::Trim => "`spirv-if trim`",
            Remedy::Pack => "`spirv-if pack` and `spirv-if specialize`",
            Remedy::PackWithAnnotations => "`spirv-if pack` with these annotations and `spirv-if specialize`",
            Remedy::Specialize => "`spirv-if specialize`",
            Remedy::Split => "`spirv-if split --mode kernel`",
        }
    }
}

impl InspectContext<'_, '_> {
    /// Returns the remedy of the whole module. What is packed already is only specialized. Some devices may only run entry points that are
    /// [split](InspectContext::images) from the others.
    pub(super) fn remedy(&self) -> Remedy {
        match (self.multi_target.is_empty(), self.calls.is_empty(), self.analyses.has_annotations()) {
            (false, ..) => Remedy::Specialize,
            (true, true, _) => Remedy::Trim,
            (true, false, true) => Remedy::PackWithAnnotations,
            (true, false, false) => Remedy::Pack,
        }
    }

    /// True if images of single entry points may declare less than the trimmed module: it is plain, and its entry points differ in the
    /// capabilities or extensions that they require.
    pub(crate) fn may_split(&self, inspected: &Inspected) -> bool {
        let declares = |root: &EntryPointReport| (root.capabilities.clone(), root.extensions.clone());
        let mut roots = inspected.roots();
        let first = roots.next().map(declares);
        self.remedy() == Remedy::Trim && roots.any(|root| Some(declares(root)) != first)
    }
}
