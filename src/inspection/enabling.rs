//! What an API must enable for modules, as plain data.

use std::collections::BTreeSet;

use serde::Serialize;

use super::model::{Inspected, Kind, Name};
use super::study::Study;
use crate::analysis::vulkan_uses;
use crate::device::api::{Api, Enabling, Needs};

/// What to enable, or to find on a device, before an API takes a module as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Enable {
    /// The API: `vulkan` or `opencl`.
    pub api: &'static str,
    /// The version of the API that is needed, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Extensions.
    pub extensions: Vec<Enabled>,
    /// Features to enable, and what else a device must report; of each entry any one will do.
    pub features: Vec<EnabledFeature>,
    /// The members of Vulkan features that are needed by what the code does, not only by what is declared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// What the tables do not know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// An extension of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Enabled {
    /// Its name.
    pub name: &'static str,
    /// What needs it.
    pub needed_by: Vec<String>,
}

/// Features of which one is needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnabledFeature {
    /// The features, each with the version or extension that has it.
    pub one_of: Vec<String>,
    /// What needs it.
    pub needed_by: Vec<String>,
}

impl Enable {
    /// What an API must enable for all of these modules, as they stand. With each, the members of Vulkan features that it needs
    /// by what it does.
    pub fn of<'i>(api: Api, modules: impl IntoIterator<Item = (&'i Inspected, &'i [String])>) -> Enable {
        let mut needs = Needs::default();
        let mut all_uses: BTreeSet<&str> = BTreeSet::new();
        for (inspected, uses) in modules {
            all_uses.extend(uses.iter().map(String::as_str));
            needs.spirv = needs.spirv.max(inspected.version);
            let lists = [
                (&mut needs.capabilities, &inspected.capabilities),
                (&mut needs.extensions, &inspected.extensions),
            ];
            for (all, declared) in lists {
                for own in declared {
                    if !all.contains(&&*own.name) {
                        all.push(&own.name);
                    }
                }
            }
            // SPIR-V may be content with less than an API.
            for any_of in unmet(inspected) {
                let known = any_of.iter().find(|name| api.capability(name).is_some());
                needs
                    .capabilities
                    .extend(known.map(|name| &**name).filter(|name| !needs.capabilities.contains(name)));
            }
        }
        needs.uses = all_uses.into_iter().collect();
        let enabling = Enabling::of(api, &needs);
        let features = enabling.choices.iter().map(|choice| EnabledFeature {
            one_of: choice.one_of.iter().map(ToString::to_string).collect(),
            needed_by: choice.needed_by.clone(),
        });
        Enable {
            api: api.keyword(),
            version: enabling.version.map(|(major, minor)| format!("{major}.{minor}")),
            features: features.collect(),
            extensions: enabling
                .extensions
                .into_iter()
                .map(|(name, needed_by)| Enabled { name, needed_by })
                .collect(),
            uses: needs.uses.into_iter().map(str::to_owned).collect(),
            unknown: enabling.unknown,
        }
    }
}

/// The requirements that nothing meets that the module declares.
fn unmet(inspected: &Inspected) -> impl Iterator<Item = &'static [Name]> {
    let roots = inspected.entry_points.iter().chain(&inspected.exported_functions);
    let requirements = roots.flat_map(|root| &root.requirements);
    requirements.filter(|any| !any.met && any.kind == Kind::Capability).map(|any| any.any_of)
}

impl Study<'_> {
    /// What an API must enable for the module, as it stands.
    pub fn enable(&self, api: Api, inspected: &Inspected) -> Enable {
        let uses = match api {
            Api::Vulkan => vulkan_uses(self.module).into_iter().collect(),
            Api::OpenCl => Vec::new(),
        };
        Enable::of(api, [(inspected, &uses[..])])
    }
}
