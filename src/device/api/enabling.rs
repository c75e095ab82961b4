//! The features, extensions and version of an API to enable for a whole module.
//!
//! The API's version is the lowest that supports everything. On that version, core features are preferred to
//! extensions. If an extension is required, the later version that includes it is listed too. Equally good
//! alternatives are all listed, and one of them suffices; an extension that is required for another reason is
//! preferred.

use std::{collections::BTreeSet, fmt, mem};

use super::{Api, Enable, FeatureSetting, dependencies, tables};
use crate::collections::{OrderedMap, gather};
use crate::loader::Version;

/// The features of a module that an API must support.
#[derive(Clone, Debug, Default)]
pub struct ApiRequirements<'a> {
    /// SPIR-V version of the module.
    pub spirv: Version,
    /// Names of the module's capabilities ([`name`](crate::device::capabilities::name)). A capability without
    /// a name is listed by its number.
    pub capabilities: Vec<&'a str>,
    /// SPIR-V extensions of the module.
    pub extensions: Vec<&'a str>,
    /// Names of the [`FeatureUse`](super::FeatureUse)s of the module's operations.
    /// They decide where a capability requires one of several members.
    pub uses: Vec<&'a str>,
    /// Version of the API that is used anyway.
    pub version: Option<Version>,
}

/// The settings to enable, or that a device must have, before the API accepts a module.
#[derive(Clone, Debug, PartialEq)]
pub struct Enabling {
    /// The API.
    pub api: Api,
    /// The required version. `None` for OpenCL if none was given, because a later version may not have all
    /// features of an earlier one.
    pub version: Option<Version>,
    /// Extensions to enable, each with the SPIR-V capabilities and extensions, uses and other extensions that
    /// require it.
    pub extensions: OrderedMap<&'static str, Vec<String>>,
    /// Settings, and extensions with alternatives.
    pub choices: Vec<FeatureChoice>,
    /// Capabilities, extensions and SPIR-V versions missing from the tables.
    pub unknown: Vec<String>,
}

/// Alternatives of which one is required.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureChoice {
    /// The capabilities, extensions and uses with this requirement.
    pub required_by: Vec<String>,
    /// The alternatives, at least one.
    pub one_of: Vec<VersionedEnable>,
}

/// An alternative, in a version of the API.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VersionedEnable {
    /// The setting to enable.
    pub enable: &'static Enable,
    /// The corresponding setting in a later version of the API, if it differs.
    pub later: Option<&'static Enable>,
}

/// Ranks how an alternative fits a version, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum VersionFit {
    Core,
    Extension,
    Never,
}

impl Enabling {
    /// Returns the settings to enable in an API for a module.
    pub fn new(api: Api, required: &ApiRequirements) -> Enabling {
        let mut unknown = Vec::new();
        let mut known: Vec<(String, &'static [Enable])> = Vec::new();
        let mut add = |what: String, ways: Option<&'static [Enable]>| match ways {
            Some(ways) => known.push((what, ways)),
            None => unknown.push(what),
        };
        add(format!("SPIR-V {}", required.spirv), api.spirv_version(required.spirv));
        for name in &required.capabilities {
            add((*name).to_owned(), api.capability(name));
        }
        for name in &required.extensions {
            add((*name).to_owned(), api.extension(name));
        }
        for name in required.uses.iter().filter(|_| api == Api::Vulkan) {
            let feature_use = tables::uses().iter().find(|known| known.name == *name);
            add(
                feature_use.map_or_else(|| (*name).to_owned(), tables::FeatureUse::when),
                feature_use.map(|feature_use| feature_use.ways.as_slice()),
            );
        }

        let lowest = known.iter().filter_map(|(_, ways)| ways.iter().filter_map(lowest_version).min());
        let version = match api {
            Api::Vulkan => lowest.chain(required.version).max(),
            Api::OpenCl => required.version,
        };
        let mut enabling =
            Enabling { api, version, extensions: OrderedMap::new(), choices: Vec::new(), unknown };
        for (what, ways) in known {
            enabling.require(what, ways);
        }
        enabling.resolve_extensions(!required.uses.is_empty());
        enabling
    }

    /// Returns the Vulkan features without alternatives: structures and their members.
    #[cfg(test)]
    pub fn features(&self) -> OrderedMap<&'static str, BTreeSet<&'static str>> {
        let mut features: OrderedMap<_, BTreeSet<_>> = OrderedMap::new();
        for choice in &self.choices {
            if let [
                VersionedEnable {
                    enable: Enable { setting: Some(FeatureSetting::Feature { structure, member }), .. },
                    ..
                },
            ] = choice.one_of[..]
            {
                features.entry(*structure).or_default().insert(*member);
            }
        }
        features
    }

    fn require(&mut self, what: String, ways: &'static [Enable]) {
        let one_of = best(ways, self.version);
        if one_of
            .iter()
            .any(|way| way.enable.setting.is_none() && fit(way.enable, self.version) == VersionFit::Core)
        {
            return;
        }
        self.add(FeatureChoice { required_by: vec![what], one_of });
    }

    fn add(&mut self, choice: FeatureChoice) {
        match self.choices.iter_mut().find(|other| other.one_of == choice.one_of) {
            Some(other) => other.required_by.extend(choice.required_by),
            None => self.choices.push(choice),
        }
    }

    /// Moves the extensions without alternatives out of the choices, and removes choices that another
    /// requirement meets. Choices by use are removed only if the uses are known.
    fn resolve_extensions(&mut self, uses_are_known: bool) {
        for choice in &self.choices {
            add_extension(&mut self.extensions, choice, self.version);
        }
        let enabled: BTreeSet<&str> = gather(self.extensions.keys().copied());
        let is_there =
            |way: &VersionedEnable| way.enable.extension.is_some_and(|name| enabled.contains(name));
        for mut choice in mem::take(&mut self.choices) {
            if choice.one_of.len() > 1 && choice.one_of.iter().any(is_there) && !choice.is_by_use() {
                choice.one_of.retain(is_there);
                add_extension(&mut self.extensions, &choice, self.version);
            }
            self.add(choice);
        }
        self.add_dependencies();

        let single = |choice: &FeatureChoice| match choice.one_of[..] {
            [way] => way.enable.setting.map(|setting| setting.key()),
            _ => None,
        };
        let settings: BTreeSet<_> = gather(self.choices.iter().filter_map(single));
        self.choices.retain(|choice| match choice.one_of[..] {
            [way] => way.enable.setting.is_some() || way.enable.extension.is_none(),
            _ if choice.is_by_use() && !uses_are_known => true,
            _ => !choice.one_of.iter().any(|way| match way.enable.setting {
                Some(setting) => settings.contains(&setting.key()),
                None => way.enable.extension.is_some_and(|name| self.extensions.contains_key(name)),
            }),
        });
    }

    /// Adds the extensions on which others depend.
    fn add_dependencies(&mut self) {
        let Some(version) = self.version.filter(|_| self.api == Api::Vulkan) else { return };
        for extension in self.extensions.keys().copied().collect::<Vec<_>>() {
            for other in dependencies::required_with(extension, version).unwrap_or_default() {
                let required_by = self.extensions.entry(other).or_default();
                if !required_by.iter().any(|name| name == extension) {
                    required_by.push(extension.to_owned());
                }
            }
        }
    }
}

impl FeatureChoice {
    /// Returns true if the uses of the module decide between the alternatives.
    fn is_by_use(&self) -> bool {
        self.one_of.len() > 1 && self.one_of.iter().any(|way| is_by_use(way.enable))
    }
}

/// Adds the extension of a requirement without alternatives.
fn add_extension(
    extensions: &mut OrderedMap<&'static str, Vec<String>>,
    choice: &FeatureChoice,
    version: Option<Version>,
) {
    let [VersionedEnable { enable, .. }] = choice.one_of[..] else { return };
    if let Some(extension) = enable.extension.filter(|_| fit(enable, version) == VersionFit::Extension) {
        extensions.entry(extension).or_default().extend(choice.required_by.iter().cloned());
    }
}

/// Returns the best alternative for the version of each setting, and all that depend on uses.
fn best(ways: &'static [Enable], version: Option<Version>) -> Vec<VersionedEnable> {
    let mut fitting: Vec<(VersionFit, VersionedEnable)> = Vec::new();
    for enable in ways {
        let fit = fit(enable, version);
        let rival = |of: &(VersionFit, VersionedEnable)| {
            fit == VersionFit::Extension && of.0 == fit && of.1.enable.extension != enable.extension
        };
        match fitting.iter_mut().find(|entry| is_same(entry.1.enable, enable) && !rival(entry)) {
            Some(entry) if fit < entry.0 => *entry = (fit, VersionedEnable { enable, later: None }),
            Some(_) => {}
            None => fitting.push((fit, VersionedEnable { enable, later: None })),
        }
    }
    for (_, way) in fitting.iter_mut().filter(|entry| entry.0 == VersionFit::Extension) {
        let later = ways
            .iter()
            .filter(|other| is_same(way.enable, other) && fit(other, version) == VersionFit::Never);
        way.later = later
            .filter(|other| other.setting != way.enable.setting)
            .min_by_key(|other| other.versions.map(|versions| versions.from));
    }
    let best = fitting.iter().map(|entry| entry.0).min();
    let is_kept = |&(fit, way): &(VersionFit, VersionedEnable)| Some(fit) == best || is_by_use(way.enable);
    fitting.into_iter().filter(is_kept).map(|entry| entry.1).collect()
}

/// Returns true if two alternatives enable the same members, in structures of different versions or extensions.
fn is_same(one: &Enable, other: &Enable) -> bool {
    match (&one.setting, &other.setting) {
        (Some(one), Some(other)) => one.key() == other.key(),
        _ => one == other,
    }
}

fn is_by_use(enable: &Enable) -> bool {
    let Some(FeatureSetting::Feature { member, .. }) = enable.setting else { return false };
    let mut ways = tables::uses().iter().flat_map(|known| &known.ways);
    ways.any(|way| way.setting.is_some_and(|setting| setting.key() == (member, "")))
}

fn fit(enable: &Enable, version: Option<Version>) -> VersionFit {
    let in_core = enable.versions.zip(version).is_some_and(|(versions, version)| versions.contains(version));
    let has_nothing = enable.versions.is_none() && enable.extension.is_none();
    if in_core || (has_nothing && enable.setting.is_none()) {
        return VersionFit::Core;
    }
    let too_low = enable.extension.zip(version).is_some_and(|(extension, version)| {
        enable.api == Api::Vulkan && dependencies::lowest_version(extension) > version
    });
    match enable.extension {
        Some(_) if !too_low => VersionFit::Extension,
        None if has_nothing || version.is_none() => VersionFit::Extension,
        _ => VersionFit::Never,
    }
}

/// Returns the lowest version of Vulkan with which the alternative can be enabled.
fn lowest_version(enable: &Enable) -> Option<Version> {
    let core = enable.versions.map(|versions| versions.from);
    core.into_iter().chain(enable.extension.map(dependencies::lowest_version)).min()
}

impl fmt::Display for VersionedEnable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.enable.fmt(f)?;
        match self.later {
            Some(later) => write!(f, ", later {later}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for FeatureChoice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, way) in self.one_of.iter().enumerate() {
            if index > 0 {
                f.write_str("; or ")?;
            }
            way.fmt(f)?;
        }
        Ok(())
    }
}

/// Writes a line for each setting to enable, with the capabilities, extensions and uses that require it.
impl fmt::Display for Enabling {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(version) = self.version {
            writeln!(f, "{} {version}", self.api)?;
        }
        for (extension, required_by) in &self.extensions {
            writeln!(f, "{extension}: {}", required_by.join(", "))?;
        }
        for choice in &self.choices {
            let one_of = if choice.one_of.len() > 1 { "one of " } else { "" };
            writeln!(f, "{one_of}{choice}: {}", choice.required_by.join(", "))?;
        }
        if !self.unknown.is_empty() {
            writeln!(f, "not in the tables: {}", self.unknown.join(", "))?;
        }
        Ok(())
    }
}
