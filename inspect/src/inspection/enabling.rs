//! The features that an API must enable for modules, as plain data.

use spirv_if::engine::collections::gather;
use spirv_if::module::Version;
use std::collections::BTreeSet;

use serde::Serialize;

use super::context::{InspectContext, InspectionError};
use super::model::{DeclarationName, Inspected, RequirementKind};
use spirv_if::device::Api;
use spirv_if::engine::analysis::requirements::closure_of;
use spirv_if::engine::device::api::{ApiRequirements, Enabling};
use spirv_if::engine::device::capabilities;

/// The features that must be enabled, or that a device must have, before an API accepts the unchanged module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnableReport {
    /// The API: `vulkan` or `opencl`.
    pub api: &'static str,
    /// The reason why the API never accepts the module. The lists are empty then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<ForeignCapability>,
    /// The required version of the API, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Extensions.
    pub extensions: Vec<EnabledExtension>,
    /// Features to enable, and others that a device must report. One of each entry suffices.
    pub features: Vec<EnabledFeature>,
    /// The names of Vulkan features that instructions require, in addition to those of declarations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// Declarations missing from the tables.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// A capability whose modules an API does not accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ForeignCapability {
    /// The capability: `Kernel` for Vulkan, `Shader` for OpenCL.
    pub capability: &'static str,
    /// The declared capabilities that are it or imply it.
    pub declared: Vec<DeclarationName>,
}

impl ForeignCapability {
    /// Returns a capability that an API never accepts; `None` if the API may accept the module.
    fn find(api: Api, inspected: &Inspected) -> Option<ForeignCapability> {
        let capability = api.foreign()?;
        let number = capabilities::number(capability)?;
        let implies = |name: &str| {
            let foreign = capabilities::number(name).filter(|_| api.capability(name).is_none());
            foreign.is_some_and(|foreign| closure_of(foreign).contains(&number))
        };
        let declared = inspected.capabilities.iter().map(|declared| &declared.name);
        let declared: Vec<DeclarationName> = declared.filter(|name| implies(name)).cloned().collect();
        (!declared.is_empty()).then_some(ForeignCapability { capability, declared })
    }
}

/// An extension of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnabledExtension {
    /// Name of the extension.
    pub name: &'static str,
    /// The declarations and uses that require it.
    pub needed_by: Vec<String>,
}

/// Alternative features; one of them is required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EnabledFeature {
    /// Alternative features, each with the version or extension that has it.
    pub one_of: Vec<String>,
    /// The declarations and uses that require it.
    pub needed_by: Vec<String>,
}

impl EnableReport {
    /// Returns the result for a module that the API does not accept.
    fn refused(api: Api, refused: ForeignCapability) -> EnableReport {
        EnableReport {
            api: api.keyword(),
            refused: Some(refused),
            version: None,
            extensions: Vec::new(),
            features: Vec::new(),
            uses: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Returns the features that an API of at least this version must enable for all of these unchanged modules. The
    /// API accepts each of them. Each module comes with the members of Vulkan features that its instructions require.
    pub fn new<'i>(
        api: Api,
        version: Option<Version>,
        modules: impl IntoIterator<Item = (&'i Inspected, &'i [String])>,
    ) -> EnableReport {
        let modules: Vec<_> = modules.into_iter().collect();
        let uses: BTreeSet<&String> = gather(modules.iter().flat_map(|(_, uses)| uses.iter()));
        let enabling = EnableReport::enabling(api, version, modules.iter().copied());
        let features = enabling.choices.iter().map(|choice| EnabledFeature {
            one_of: choice.one_of.iter().map(ToString::to_string).collect(),
            needed_by: choice.required_by.clone(),
        });
        EnableReport {
            api: api.keyword(),
            refused: None,
            version: enabling.version.map(|version| version.to_string()),
            features: features.collect(),
            extensions: enabling
                .extensions
                .into_iter()
                .map(|(name, needed_by)| EnabledExtension { name, needed_by })
                .collect(),
            uses: uses.into_iter().cloned().collect(),
            unknown: enabling.unknown,
        }
    }

    /// Like [`new`](EnableReport::new), with the settings themselves.
    pub fn enabling<'i>(
        api: Api,
        version: Option<Version>,
        modules: impl IntoIterator<Item = (&'i Inspected, &'i [String])>,
    ) -> Enabling {
        let mut required = ApiRequirements { version, ..ApiRequirements::default() };
        let mut all_uses: BTreeSet<&str> = BTreeSet::new();
        for (inspected, uses) in modules {
            all_uses.extend(uses.iter().map(String::as_str));
            required.spirv = required.spirv.max(inspected.version);
            let lists = [
                (&mut required.capabilities, &inspected.capabilities),
                (&mut required.extensions, &inspected.extensions),
            ];
            for (all, declared) in lists {
                for feature in declared {
                    if !all.contains(&&*feature.name) {
                        all.push(&feature.name);
                    }
                }
            }
            // An implied capability is declared as well, so a device must support it.
            let declared =
                inspected.capabilities.iter().filter_map(|declared| capabilities::number(&declared.name));
            for name in declared.flat_map(closure_of).filter_map(|&implied| capabilities::name(implied)) {
                if api.capability(name).is_some() && !required.capabilities.contains(&name) {
                    required.capabilities.push(name);
                }
            }
            // SPIR-V may require less than the API.
            for any_of in unmet(inspected) {
                let known = any_of.iter().find(|name| api.capability(name).is_some());
                required
                    .capabilities
                    .extend(known.map(|name| &**name).filter(|name| !required.capabilities.contains(name)));
            }
        }
        required.uses = all_uses.into_iter().collect();
        Enabling::new(api, &required)
    }
}

/// Returns the requirements that no declaration of the module meets.
fn unmet(inspected: &Inspected) -> impl Iterator<Item = &'static [DeclarationName]> {
    let roots = inspected.entry_points.iter().chain(&inspected.exported_functions);
    let requirements = roots.flat_map(|root| &root.requirements);
    requirements.filter(|any| !any.met && any.kind == RequirementKind::Capability).map(|any| any.any_of)
}

impl InspectContext<'_, '_> {
    /// Returns the features that an API of at least this version must enable for the unchanged module.
    ///
    /// # Errors
    /// If conditional code is malformed, or a condition is out of bounds.
    pub fn enable(
        &self,
        api: Api,
        version: Option<Version>,
        inspected: &Inspected,
    ) -> Result<EnableReport, InspectionError> {
        if let Some(refused) = ForeignCapability::find(api, inspected) {
            return Ok(EnableReport::refused(api, refused));
        }
        let mut uses = Vec::new();
        if api == Api::Vulkan {
            let features = &self.analyses.vulkan_features()?.anywhere;
            uses.extend(features.iter().map(|feature| feature.name.clone()));
        }
        Ok(EnableReport::new(api, version, [(inspected, &uses[..])]))
    }
}
