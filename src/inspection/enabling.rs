//! What an API must enable for modules, as plain data.

use serde::Serialize;

use super::model::Inspected;
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
    /// What an API must enable for all of these modules, as they stand.
    pub fn of<'i>(api: Api, modules: impl IntoIterator<Item = &'i Inspected>) -> Enable {
        let mut needs = Needs::default();
        for inspected in modules {
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
        }
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
            unknown: enabling.unknown,
        }
    }
}
