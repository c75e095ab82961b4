//! The capabilities and extensions that a device accepts, derived from its features: the tables read in reverse.

use std::collections::BTreeSet;

use super::{Api, Enable, Setting, Version, tables};
use crate::device::capabilities;

/// The features of an implementation of an API and a device.
pub trait Implementation {
    /// The version of the API.
    fn version(&self) -> Version;
    /// True if it has the extension.
    fn has_extension(&self, name: &str) -> bool;
    /// True if a feature, a property or the answer to a query is as required.
    fn has(&self, setting: &Setting) -> bool;
}

/// The parts of SPIR-V that a device accepts, and the aspects that follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offered {
    /// Aspects, without the one of an architecture.
    pub aspects: BTreeSet<u32>,
    /// Capabilities, without those that these imply.
    pub capabilities: BTreeSet<u32>,
    /// Extensions.
    pub extensions: BTreeSet<String>,
    /// Versions.
    pub spirv_versions: BTreeSet<Version>,
}

impl Enable {
    /// True if an implementation has the way.
    pub fn holds(&self, on: &impl Implementation) -> bool {
        // A plus joins extensions that are required together.
        let has_extension =
            || self.extension.is_some_and(|names| names.split('+').all(|name| on.has_extension(name)));
        let is_core = || self.versions.is_some_and(|versions| versions.contains(on.version()));
        let is_there = (self.versions.is_none() && self.extension.is_none()) || is_core() || has_extension();
        is_there && self.setting.is_none_or(|setting| on.has(&setting))
    }
}

impl Api {
    /// The capabilities, extensions, versions and aspects of an implementation, by the tables of the API.
    pub(crate) fn offered(self, on: &impl Implementation) -> Offered {
        let known = tables::of(self);
        let holds = |ways: &[Enable]| ways.iter().any(|way| way.holds(on));
        let aspects = known.aspects.iter().filter(|(_, ways)| holds(ways));
        let capabilities = known.capabilities.iter().filter(|(_, ways)| holds(ways));
        let mut capabilities: BTreeSet<u32> =
            capabilities.filter_map(|(name, _)| capabilities::number(name)).collect();
        // A module that declares one implicitly declares those that it implies: all must be there. A device may have
        // multiViewport without geometryShader, and then does not accept MultiViewport, which implies Geometry.
        let has_all = |capability: &u32, all: &BTreeSet<u32>| {
            capabilities::implied(*capability).into_iter().all(|implied| {
                let is_known =
                    known.capabilities.contains_key(capabilities::name(implied).unwrap_or_default());
                !is_known || all.contains(&implied)
            })
        };
        loop {
            let kept: BTreeSet<u32> = capabilities
                .iter()
                .copied()
                .filter(|capability| has_all(capability, &capabilities))
                .collect();
            if kept.len() == capabilities.len() {
                break;
            }
            capabilities = kept;
        }
        let extensions = known.extensions.iter().filter(|(_, ways)| holds(ways));
        let spirv_versions = known.spirv_versions.iter().filter(|(_, ways)| holds(ways));
        Offered {
            aspects: aspects.map(|(aspect, _)| *aspect).collect(),
            capabilities,
            extensions: extensions.map(|(name, _)| (*name).to_owned()).collect(),
            spirv_versions: spirv_versions.map(|(version, _)| *version).collect(),
        }
    }
}
