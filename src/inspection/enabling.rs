//! What an API must enable for modules, as plain data.

use std::collections::BTreeSet;

use serde::Serialize;

use super::model::{Inspected, Kind, Name};
use super::study::Study;
use crate::analysis::requirements::closure_of;
use crate::analysis::vulkan_uses;
use crate::device::api::{Api, ApiRequirements, Enabling, Version};
use crate::device::capabilities;

/// What to enable, or to find on a device, before an API takes a module as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Enable {
    /// The API: `vulkan` or `opencl`.
    pub api: &'static str,
    /// Why the API does not take the module, whatever is enabled: nothing else is said then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refused>,
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

/// Why an API does not take a module, whatever is enabled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The capability that it takes no modules with: `Kernel` for Vulkan, `Shader` for OpenCL.
    pub capability: &'static str,
    /// The declared capabilities that are it or imply it.
    pub declared: Vec<Name>,
}

impl Refused {
    /// Why an API does not take a module; `None` if it may.
    fn of(api: Api, inspected: &Inspected) -> Option<Refused> {
        let capability = api.foreign()?;
        let number = capabilities::number(capability)?;
        let implies = |name: &str| {
            let own = capabilities::number(name).filter(|_| api.capability(name).is_none());
            own.is_some_and(|own| closure_of(own).iter().any(|&implied| implied as u32 == number))
        };
        let declared = inspected.capabilities.iter().map(|own| &own.name);
        let declared: Vec<Name> = declared.filter(|name| implies(name)).cloned().collect();
        (!declared.is_empty()).then_some(Refused { capability, declared })
    }
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
    /// What is said of a module that the API does not take.
    fn refused(api: Api, refused: Refused) -> Enable {
        Enable {
            api: api.keyword(),
            refused: Some(refused),
            version: None,
            extensions: Vec::new(),
            features: Vec::new(),
            uses: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// What an API, of which this version is there anyway, must enable for all of these modules, as they stand; it takes each of them. With
    /// each, the members of Vulkan features that it needs by what it does.
    pub fn of<'i>(
        api: Api,
        version: Option<Version>,
        modules: impl IntoIterator<Item = (&'i Inspected, &'i [String])>,
    ) -> Enable {
        let mut needs = ApiRequirements { version, ..ApiRequirements::default() };
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
            needed_by: choice.required_by.clone(),
        });
        Enable {
            api: api.keyword(),
            refused: None,
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

impl Study<'_, '_> {
    /// What an API, of which this version is there anyway, must enable for the module, as it stands.
    pub fn enable(&self, api: Api, version: Option<Version>, inspected: &Inspected) -> Enable {
        if let Some(refused) = Refused::of(api, inspected) {
            return Enable::refused(api, refused);
        }
        let uses = match api {
            Api::Vulkan => vulkan_uses(self.module).into_iter().collect(),
            Api::OpenCl => Vec::new(),
        };
        Enable::of(api, version, [(inspected, &uses[..])])
    }
}
