//! Inspecting: the requirements of modules and their causes.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::findings::warning_of;
use super::trials::PreparedTrials;
use crate::inspection::{
    ConstantGain, EntryPointDifference, FileReport, InspectionError, RemedyTrials, ResultCache, WhySubject,
    model, with_context,
};
use crate::report;
use crate::statistics::ModuleStatistics;
use spirv_if::device::{Api, Aspect, Capability, Device, DeviceConfig};
use spirv_if::engine::collections::sort_by_key;
use spirv_if::engine::compatibility::{DeviceResults, ModuleDeclarations, explained_aspects};
use spirv_if::engine::device;
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::engine::transform::trap::TrapAnalyses;
use spirv_if::error::{ModuleErrorKind, RequestErrorKind};
use spirv_if::module::Version;
use spirv_if::module::{Id, SpecId};
use spirv_if::property_sets::{PropertyNames, PropertySets};
use spirv_if::specialize::SpecValue;
use spirv_if::specialize::{Compatibility, DeviceRemedy};
use spirv_if::specialize::{Prepared, Settings, UnsetPolicy};
use spirv_if::{Condition, Error, Module, from_errors_of_modules};
use spirv_if_sycl::check::Warning;
use spirv_if_sycl::engine::declarations_by_root;

use crate::inspection::{CallGraph, Inspection};
use crate::report::{InspectionJson, TextStyle};

from_errors_of_modules! {
    InspectionError => ConditionalCode,
}

/// Limit on the values of specialization constants for which devices are counted.
const MAX_TRIED_VALUES: usize = 32;

/// Describes all known features of a device, for people.
pub fn describe(device: &Device, style: &TextStyle) -> String {
    report::device(device, style)
}

/// Options of [`inspect()`].
///
/// ```
/// use spirv_if_inspect::InspectOptions;
/// use spirv_if::device::Api;
/// use spirv_if::module::Version;
/// let options = InspectOptions::new().why("Float64").api(Api::Vulkan).api_version(Version::new(1, 3));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct InspectOptions {
    why: Option<String>,
    devices: Option<DeviceConfig>,
    each_device: Vec<String>,
    deny: Vec<Condition>,
    required_devices: Vec<Device>,
    details: bool,
    skip_constants: bool,
    skip_remedies: bool,
    api: Option<Api>,
    api_version: Option<Version>,
}

impl InspectOptions {
    /// Starts with the default options.
    pub fn new() -> InspectOptions {
        InspectOptions::default()
    }

    /// Asks for the causes of one requirement: an aspect, a capability, an extension, or a Vulkan feature without a capability, by name.
    ///
    /// The report has the calls that lead to the code which requires it.
    pub fn why(mut self, name: impl Into<String>) -> InspectOptions {
        self.why = Some(name.into());
        self
    }

    /// Sets the devices. By default they are those of the embedded configuration.
    pub fn devices(mut self, devices: impl Into<Option<DeviceConfig>>) -> InspectOptions {
        self.devices = devices.into();
        self
    }

    /// Lists only the devices with a name that matches a glob, one by one. `*` matches any text. Called several times, it adds devices.
    ///
    /// By default the report has only the number of devices that run the modules.
    pub fn each_device(mut self, glob: impl Into<String>) -> InspectOptions {
        self.each_device.push(glob.into());
        self
    }

    /// Adds conditions that no entry point may require ([`Inspection::violations`]). An entry point breaks the rule if it runs only on
    /// devices for which one of them holds, and no other entry point of its name and stage runs elsewhere.
    pub fn deny(mut self, conditions: impl IntoIterator<Item = Condition>) -> InspectOptions {
        self.deny.extend(conditions);
        self
    }

    /// Adds devices that must run every entry point of the module ([`Inspection::violations`]). A multi-target module is specialized for
    /// them; any other module must run unchanged.
    pub fn required_devices(mut self, devices: impl IntoIterator<Item = Device>) -> InspectOptions {
        self.required_devices.extend(devices);
        self
    }

    /// Adds the call graph and sizes by condition, if true. Also adds the call paths to features that the devices of
    /// [`each_device`](InspectOptions::each_device) are missing.
    pub fn details(mut self, details: bool) -> InspectOptions {
        self.details = details;
        self
    }

    /// Omits the specialization constants ([`Inspection::spec_constants`]), if true. Finding the effects of their values takes more time
    /// than everything else.
    pub fn skip_constants(mut self, skip: bool) -> InspectOptions {
        self.skip_constants = skip;
        self
    }

    /// Omits the remedies of single devices ([`EntryPoint::devices_after_adapt`], [`EntryPoint::devices_after_trap`]), if true. Finding
    /// them specializes the modules for devices that do not run them otherwise. [`Inspection::violations`] have theirs in any case.
    pub fn skip_remedies(mut self, skip: bool) -> InspectOptions {
        self.skip_remedies = skip;
        self
    }

    /// Sets an API, to list the features that must be enabled before it accepts the unchanged modules.
    pub fn api(mut self, api: impl Into<Option<Api>>) -> InspectOptions {
        self.api = api.into();
        self
    }

    /// Sets the available version of the API: features in its core need not come from extensions. 0.0 is 1.0 in Vulkan.
    pub fn api_version(mut self, version: impl Into<Option<Version>>) -> InspectOptions {
        self.api_version = version.into();
        self
    }

    /// Returns the API and its version. Vulkan has two ways to write 1.0.
    fn versioned_api(&self) -> Option<(Api, Option<Version>)> {
        let api = self.api?;
        Some((api, self.api_version.map(|version| api.version(version).unwrap_or(version))))
    }

    /// Checks that the API has the version.
    pub(super) fn check_version(&self) -> Result<(), Error> {
        match (self.api, self.api_version) {
            (Some(api), Some(version)) if api.version(version).is_none() => {
                let problem = format!("invalid version {version} of {api}: expected a version such as 1.2");
                Err(Error::request(RequestErrorKind::Version, problem))
            }
            _ => Ok(()),
        }
    }
}

/// Finds the requirements of each entry point of a module, with their conditions, and the devices that meet them.
///
/// # Errors
/// [`Error::Request`] if the options name something that does not exist. Another error if the module, its property sets or its annotations
/// are malformed.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_inspect::{InspectOptions, inspect};
/// let bytes = std::fs::read("../fixtures/glsl/reduce.spv")?;
/// let inspection = inspect(&Module::from_bytes(&bytes)?, &InspectOptions::default())?;
/// let entry_point = &inspection.entry_points()[0];
/// let aspect = &entry_point.aspects[0];
/// assert_eq!((entry_point.name.as_str(), aspect.feature.to_string().as_str()), ("main", "fp16"));
/// assert_eq!(aspect.condition.as_ref().unwrap().to_string(), "fp16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect(module: &Module, options: &InspectOptions) -> Result<Inspection, Error> {
    Inspector::new(options)?.inspect(module)
}

/// Inspector of many modules, which share results. It can be shared between threads.
///
/// ```
/// use spirv_if_inspect::InspectOptions;
/// use spirv_if_inspect::{Inspector, Report, TextStyle};
/// use spirv_if::module::find_modules;
/// let bytes = std::fs::read("../fixtures/opencl/plain.spv")?.repeat(3);
/// let options = InspectOptions::default();
/// let inspector = Inspector::new(&options)?;
/// let modules = find_modules(&bytes).filter_map(|candidate| candidate.load());
/// let modules = modules.map(|module| inspector.inspect(&module)).collect::<Result<Vec<_>, _>>()?;
/// let mut report = Report::new(&options);
/// report.add_file("kernels.bin", bytes.len(), modules);
/// assert_eq!(report.to_text(&TextStyle::default()).matches("kernels.bin at 0x").count(), 3);
/// assert!(report.to_json()?.contains("\"Float64\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Inspector<'a> {
    question: Option<WhySubject>,
    config: &'a DeviceConfig,
    each_device: bool,
    details: bool,
    skips_constants: bool,
    skips_remedies: bool,
    api: Option<(Api, Option<Version>)>,
    results: Mutex<DeviceResults<'a>>,
    deny: &'a [Condition],
    /// The answers of the devices that must run the modules.
    required: Option<Mutex<DeviceResults<'a>>>,
    /// Results for modules inside of files, without property sets beside them: a library may contain the same one several times.
    known: ResultCache<'a, Inspection>,
}

impl fmt::Debug for Inspector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inspector { each_device, details, api, deny, .. } = self;
        f.debug_struct("Inspector")
            .field("each_device", each_device)
            .field("details", details)
            .field("api", api)
            .field("deny", deny)
            .finish_non_exhaustive()
    }
}

impl<'a> Inspector<'a> {
    /// Sets up an inspector.
    ///
    /// # Errors
    /// [`Error::Request`] if the options name something that does not exist.
    pub fn new(options: &'a InspectOptions) -> Result<Inspector<'a>, Error> {
        options.check_version()?;
        let question = options.why.as_deref().map(WhySubject::parse).transpose();
        let question = question.map_err(|error| Error::request(RequestErrorKind::Feature, error))?;
        let config = match &options.devices {
            Some(devices) => devices,
            None => device::embedded(),
        };
        let mut devices: Vec<&Device> = Vec::new();
        for glob in &options.each_device {
            devices.extend(config.matching(glob)?);
        }
        let mut known = HashSet::new();
        devices.retain(|device| known.insert(std::ptr::from_ref::<Device>(device)));
        if options.each_device.is_empty() {
            devices = config.iter().collect();
        }
        Ok(Inspector {
            question,
            config,
            each_device: !options.each_device.is_empty(),
            details: options.details,
            skips_constants: options.skip_constants,
            skips_remedies: options.skip_remedies,
            api: options.versioned_api(),
            results: Mutex::new(DeviceResults::new(devices)),
            deny: &options.deny,
            required: (!options.required_devices.is_empty())
                .then(|| Mutex::new(DeviceResults::new(options.required_devices.iter().collect()))),
            known: ResultCache::new(),
        })
    }

    /// Inspects a module.
    ///
    /// # Errors
    /// If the module, its property sets or its annotations are malformed.
    pub fn inspect(&self, module: &Module<'a>) -> Result<Inspection, Error> {
        let bytes = module.embedded();
        if let Some(known) = bytes.and_then(|bytes| self.known.get(bytes)) {
            return Ok(Inspection { offset: module.offset(), ..(*known).clone() });
        }
        let inspection = self.inspect_uncached(module, self.required.as_ref())?;
        if let Some(bytes) = bytes {
            self.known.insert(bytes, Arc::new(inspection.clone()));
        }
        Ok(inspection)
    }

    /// Like [`inspect`](Self::inspect), but only these devices must run the module, instead of those of
    /// [`InspectOptions::required_devices`]: for a variant of a module, the devices that get it.
    ///
    /// # Errors
    /// As [`inspect`](Self::inspect).
    pub fn inspect_for(&self, module: &Module, required: &[Device]) -> Result<Inspection, Error> {
        let required =
            (!required.is_empty()).then(|| Mutex::new(DeviceResults::new(required.iter().collect())));
        self.inspect_uncached(module, required.as_ref())
    }

    fn inspect_uncached(
        &self,
        module: &Module,
        required: Option<&Mutex<DeviceResults>>,
    ) -> Result<Inspection, Error> {
        let (offset, size) = (module.offset(), size_of_val(module.words()));
        let analyses = Arc::new(module.analyses());
        let lowered = module.lowered_declarations(&analyses)?;
        let traps = Arc::new(TrapAnalyses::default());
        let trials = PreparedTrials {
            module,
            analyses: &analyses,
            traps: Arc::clone(&traps),
            prepared: OnceCell::new(),
        };
        let properties = module.properties()?;
        let inspection = with_context(&analyses, &properties, |context| {
            context.lowered_declarations = lowered;
            context.traps = traps;
            let mut inspected = context.inspected(Some(self.config), !self.skips_constants)?;
            if context.may_split(&inspected) {
                context.images = declarations_by_root(&analyses, &properties);
            }
            let of_answers = (!self.skips_remedies).then_some(&trials as &dyn RemedyTrials);
            context.compare_with_devices(&mut inspected, &self.results, self.each_device, of_answers)?;
            let why = self.question.as_ref().map(|question| context.why(question)).transpose()?;
            let without = match &self.question {
                Some(question) if why.as_ref().is_some_and(|why| !why.is_empty()) => {
                    context.values_without(question)?
                }
                _ => Vec::new(),
            };
            let enable =
                self.api.map(|(api, version)| context.enable(api, version, &inspected)).transpose()?;
            let mut violations = Vec::new();
            for denied in self.deny {
                violations.extend(context.denied(&inspected, &denied.expr)?);
            }
            if let Some(results) = required {
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                violations.extend(context.not_run_by(&inspected, &mut results, &trials)?);
            }
            let details = self.details.then(|| context.details(&inspected)).transpose()?;
            let inspected = Arc::new(inspected);
            Ok(Inspection {
                offset,
                size,
                inspected,
                enable,
                why,
                without,
                violations,
                details,
                against: None,
                statistics: None,
            })
        });
        let mut inspection = inspection?;
        if inspection.details.is_some() && !self.skips_remedies {
            let gains = self.constant_gains(module, &inspection)?;
            if let Some(details) = &mut inspection.details {
                details.constant_gains = gains;
            }
        }
        Ok(inspection)
    }

    /// Returns the value of each specialization constant with which most more devices run a module. Only values that make a capability
    /// unnecessary are tried.
    fn constant_gains(&self, module: &Module, inspection: &Inspection) -> Result<Vec<ConstantGain>, Error> {
        let run =
            |inspection: &Inspection| inspection.inspected.answer.as_ref().map_or(0, |answer| answer.run);
        let constants = inspection.inspected.spec_constants.iter();
        let values = constants.flat_map(|constant| {
            let values = constant.decides.values.iter().filter(|decided| !decided.capabilities.is_empty());
            values.map(|decided| (constant.spec_id, decided.value))
        });
        let inspector = self.for_answers();
        let mut gains = Vec::new();
        for (spec_id, value) in values.take(MAX_TRIED_VALUES) {
            let settings = Settings::new().set(spec_id, value).trim(true);
            let after = module_with_settings(module, &settings)?;
            let devices = run(&inspector.inspect_uncached(&after, None)?).saturating_sub(run(inspection));
            if devices > 0 {
                gains.push(ConstantGain { spec_id, value, devices });
            }
        }
        // The best value of each constant, and the best constant first.
        sort_by_key(&mut gains, |gain| (gain.spec_id, Reverse(gain.devices)));
        gains.dedup_by_key(|gain| gain.spec_id);
        sort_by_key(&mut gains, |gain| Reverse(gain.devices));
        Ok(gains)
    }

    /// Returns an inspector for the same devices that finds only which of them run a module.
    fn for_answers(&self) -> Inspector<'a> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        Inspector {
            question: None,
            config: self.config,
            each_device: false,
            details: false,
            skips_constants: true,
            skips_remedies: true,
            api: None,
            results: Mutex::new(DeviceResults::new(results.devices().to_vec())),
            deny: &[],
            required: None,
            known: ResultCache::new(),
        }
    }
}

/// Returns the rest of a module after settings, for any device, with the requirements that its property sets record besides those of code and
/// declarations: what inspecting compares with devices once constants are set.
///
/// ```
/// use spirv_if_inspect::module_with_settings;
/// use spirv_if::{Module, Settings};
/// let bytes = std::fs::read("../fixtures/spec/precision.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let rest = module_with_settings(&module, &Settings::new().set(0, false).trim(true))?;
/// assert!(rest.words().len() < module.words().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// See [`Prepared::specialize`].
pub fn module_with_settings(module: &Module, settings: &Settings) -> Result<Module<'static>, Error> {
    let unset = settings.request.unset.or(Some(UnsetPolicy::Keep));
    let settings = settings.clone().unset(unset);
    let specialized = Prepared::new(module)?.specialize(&Device::default(), &settings)?;
    let rest = Module::from_words(specialized.words)?;
    if let Some(properties) = specialized.properties {
        return rest.with_properties(properties);
    }
    let recorded = DeviceRequirements::from_properties(&*module.properties()?)?;
    let carried = DeviceRequirements::from_properties(&*rest.properties()?)?;
    let (Some(recorded), None) = (recorded, carried) else { return Ok(rest) };
    let explained = explained_aspects(&ModuleDeclarations::as_is(&module.inner), []);
    let mut properties = PropertySets::default();
    properties.put(recorded.without_aspects(&explained).to_set(PropertyNames::Design));
    rest.with_properties(properties)
}

/// The requirements of an entry point, or of an exported function that nothing in its module calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntryPoint {
    /// The name for the host; the linkage name of an exported function.
    pub name: String,
    /// The execution model; `None` for an exported function.
    pub stage: Option<String>,
    /// The condition under which it exists; `None` for always.
    pub condition: Option<Condition>,
    /// The capabilities that it requires: a small set of the declared ones, without capabilities that another one in the set implies.
    pub capabilities: Vec<FeatureRequirement<Capability>>,
    /// The extensions that it requires, in the same way.
    pub extensions: Vec<FeatureRequirement<String>>,
    /// The aspects that it uses.
    pub aspects: Vec<FeatureRequirement<Aspect>>,
    /// The aspects that it and the functions that it calls declare (`device_has`).
    pub declared_aspects: Vec<FeatureRequirement<Aspect>>,
    /// The size of work-groups that it requires.
    pub work_group_size: Option<SizeRequirement<[u32; 3]>>,
    /// The size of sub-groups that it requires.
    pub sub_group_size: Option<SizeRequirement<u32>>,
    /// The number of devices that are known to run it from the unchanged module.
    pub devices_as_is: usize,
    /// The number of devices that are known to run it once the module is packed and specialized for them, trimmed, or split by
    /// entry point.
    pub devices_after_pack: usize,
    /// The number of other devices that run it once constants are set ([`DeviceRemedy::values`]), with further changes where these are needed.
    pub devices_after_set: usize,
    /// The number of other devices that are known to run it once the module is adapted to them ([`Settings::adapt`](spirv_if::Settings::adapt)).
    pub devices_after_adapt: usize,
    /// The number of further devices that are known to run it once their missing features are lowered ([`Settings::lower`](spirv_if::Settings::lower)).
    pub devices_after_lower: usize,
    /// The number of further devices that are known to run it with traps ([`Settings::trap`](spirv_if::Settings::trap)).
    pub devices_after_trap: usize,
    /// The number of devices that may or may not run it from the unchanged module.
    pub devices_not_known: usize,
    /// The selected devices ([`InspectOptions::each_device`]).
    pub each_device: Vec<DeviceSupport>,
}

/// A feature that an entry point requires.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FeatureRequirement<T> {
    /// The feature: an aspect, a capability, or the name of an extension.
    pub feature: T,
    /// The condition under which it is required; `None` for always.
    pub condition: Option<Condition>,
}

/// A size in work-items that an entry point requires: by dimension, of work-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SizeRequirement<T> {
    /// The size, or its default if the host can set another.
    pub size: T,
    /// True if the host can set another size by a specialization constant.
    pub is_specializable: bool,
}

/// Reports if a device runs an entry point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceSupport {
    /// The name of the device.
    pub device: String,
    /// True if the device accepts modules of this kind, kernels or shaders. If not, the results have the other features
    /// that decide.
    pub takes_module: bool,
    /// The result for the unchanged module.
    pub as_is: Compatibility,
    /// The result for the module once it is packed and specialized for the device, trimmed, or split by entry point.
    pub after_pack: Compatibility,
    /// The changes with which the device runs it, if it does not even then.
    pub remedy: Option<DeviceRemedy>,
}

impl Inspection {
    /// Returns the requirements of each entry point, then of each exported function that nothing in the module calls.
    pub fn entry_points(&self) -> Vec<EntryPoint> {
        self.inspected.roots().map(EntryPoint::new).collect()
    }

    /// Returns the specialization constants that hosts can set, by SpecId.
    pub fn spec_constants(&self) -> Vec<InspectedConstant> {
        self.inspected.spec_constants.iter().map(InspectedConstant::new).collect()
    }

    /// Returns the names of the capabilities and extensions that nothing requires: [`trim`](spirv_if::trim::trim) removes them.
    pub fn superfluous(&self) -> Vec<String> {
        self.inspected.unneeded().map(|declared| declared.name.to_string()).collect()
    }

    /// Returns the violations of rules: first [denied](InspectOptions::deny) conditions, then [required
    /// devices](InspectOptions::required_devices) that do not run it.
    pub fn violations(&self) -> Vec<Warning> {
        self.violations.iter().map(warning_of).collect()
    }

    /// Adds the differences from the inspection of another module, such as an older build.
    ///
    /// By entry point, they list the requirements that only this module has. They also list the devices of
    /// [`each_device`](InspectOptions::each_device) that run only one of the two.
    pub fn against(self, old: &Inspection) -> Inspection {
        let differences = EntryPointDifference::between(&self.inspected, &old.inspected);
        Inspection { against: Some(differences), ..self }
    }

    /// Adds the statistics of the compiler of a driver.
    #[must_use]
    pub fn with_statistics(self, statistics: ModuleStatistics) -> Inspection {
        Inspection { statistics: Some(Arc::new(statistics)), ..self }
    }

    /// Returns the statistics of the compiler of a driver, if they were added.
    pub fn statistics(&self) -> Option<&ModuleStatistics> {
        self.statistics.as_deref()
    }

    /// Returns the JSON of the inspection, in the form that a [`Report`] contains (`spec-extensions/inspect.md`, "Module").
    ///
    /// # Errors
    /// None known.
    pub fn to_json(&self) -> Result<String, Error> {
        report::inspection::module_json(self).map_err(|error| Error::module(ModuleErrorKind::Report, error))
    }

    /// Returns the JSON of the inspection as a part of a report: [`Report::write_json`].
    ///
    /// # Errors
    /// None known.
    pub fn to_json_part(&self) -> Result<InspectionJson, Error> {
        InspectionJson::new(self).map_err(|error| Error::module(ModuleErrorKind::Report, error))
    }
}

impl EntryPoint {
    fn new(report: &model::EntryPointReport) -> EntryPoint {
        let aspects = |all: &[model::RequiredFeature]| {
            all.iter()
                .filter_map(|feature| FeatureRequirement::parse(feature.name.parse().ok(), feature))
                .collect()
        };
        let devices = report.devices.as_ref();
        let each = devices.iter().flat_map(|devices| &devices.each);
        EntryPoint {
            name: report.name.clone(),
            stage: report.stage.map(|_| report.stage_name()),
            condition: report.when.as_ref().map(|when| Condition::new(when.expr.clone())),
            capabilities: report
                .capabilities
                .iter()
                .filter_map(|feature| FeatureRequirement::parse(feature.name.parse().ok(), feature))
                .collect(),
            extensions: report
                .extensions
                .iter()
                .filter_map(|extension| {
                    FeatureRequirement::parse(Some(extension.name.to_string()), extension)
                })
                .collect(),
            aspects: aspects(&report.aspects),
            declared_aspects: aspects(report.declared_aspects.as_deref().unwrap_or_default()),
            work_group_size: report.work_group_size.map(|required| SizeRequirement {
                size: required.size,
                is_specializable: required.specializable,
            }),
            sub_group_size: report.sub_group_size.map(|required| SizeRequirement {
                size: required.size,
                is_specializable: required.specializable,
            }),
            devices_as_is: devices.map_or(0, |devices| devices.as_is),
            devices_after_pack: devices.map_or(0, |devices| devices.after_pack),
            devices_after_set: devices.map_or(0, |devices| devices.after_set),
            devices_after_adapt: devices.map_or(0, |devices| devices.after_adapt),
            devices_after_lower: devices.map_or(0, |devices| devices.after_lower),
            devices_after_trap: devices.map_or(0, |devices| devices.after_trap),
            devices_not_known: devices.map_or(0, |devices| devices.not_known),
            each_device: each
                .map(|support| DeviceSupport {
                    device: support.device.clone(),
                    takes_module: support.takes_none.is_none(),
                    as_is: support.as_is.clone(),
                    after_pack: support.after_pack.clone(),
                    remedy: support.specialize.clone(),
                })
                .collect(),
        }
    }
}

impl<T> FeatureRequirement<T> {
    fn parse(feature: Option<T>, required: &model::RequiredFeature) -> Option<FeatureRequirement<T>> {
        let condition = required.when.as_ref().map(|when| Condition::new(when.expr.clone()));
        Some(FeatureRequirement { feature: feature?, condition })
    }
}

/// A specialization constant that hosts can set, and its effects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectedConstant {
    /// The number by which hosts set it.
    pub spec_id: SpecId,
    /// The result id.
    pub id: Id,
    /// The name, if it has one.
    pub name: Option<String>,
    /// The name of the type, such as `bool` or `uint32`.
    pub type_name: String,
    /// The default value; `None` if the type is unknown.
    pub default: Option<SpecValue>,
    /// The number of branches that it decides, directly or through values computed from it, alone or with other constants.
    pub branches: usize,
    /// The number of array types whose length depends on it.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on it.
    pub work_group_size: bool,
    /// The values that were tried. For a Boolean constant, these are both values. For a number, they are the default, then the compared
    /// values that decide other branches. Empty if no value removes anything.
    pub values: Vec<ValueEffect>,
    /// True if values were not tried, since that takes too much work in this module.
    pub untried: bool,
}

/// The effect of a value of a specialization constant, if no other constant is set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueEffect {
    /// The value.
    pub value: SpecValue,
    /// The number of blocks that it removes.
    pub removed_blocks: usize,
    /// The capabilities that nothing requires with this value.
    pub removed_capabilities: Vec<Capability>,
}

impl InspectedConstant {
    fn new(report: &model::SpecConstantReport) -> InspectedConstant {
        let decides = &report.decides;
        let effect = |decided: &model::DecidedByValue| ValueEffect {
            value: decided.value,
            removed_blocks: decided.blocks,
            removed_capabilities: decided.capabilities.iter().filter_map(|name| name.parse().ok()).collect(),
        };
        InspectedConstant {
            spec_id: SpecId(report.spec_id),
            id: Id(report.id),
            name: report.name.as_ref().map(ToString::to_string),
            type_name: report.type_.to_string(),
            default: report.default,
            branches: decides.branches,
            array_sizes: decides.array_sizes,
            work_group_size: decides.work_group_size,
            values: decides.values.iter().map(effect).collect(),
            untried: decides.untried,
        }
    }
}

/// The findings on the modules in files. `M` is the stored form of the findings on a module: an [`Inspection`], or only its JSON
/// ([`InspectionJson`]). The JSON takes less memory for many modules.
#[derive(Clone, Debug)]
pub struct Report<M = Inspection> {
    why: Option<String>,
    each_device: bool,
    api: Option<(Api, Option<Version>)>,
    files: Vec<FileReport<M>>,
}

impl<M> Report<M> {
    /// Starts a report without files, for these options.
    pub fn new(options: &InspectOptions) -> Report<M> {
        let (why, each_device) = (options.why.clone(), !options.each_device.is_empty());
        Report { why, each_device, api: options.versioned_api(), files: Vec::new() }
    }

    /// Adds a file, of `size` bytes, with its modules in their order.
    pub fn add_file(&mut self, name: &str, size: usize, modules: Vec<M>) {
        self.files.push(FileReport { file: name.to_owned(), size, modules });
    }
}

impl Report {
    /// Returns the modules of a file, by index, whose answers its text has: all, or the first module of each listed
    /// [group](TextStyle::has_groups). The remedies of the other modules ([`InspectOptions::skip_remedies`]) are not in
    /// the text.
    pub fn answered(modules: &[Inspection], style: &TextStyle) -> Vec<usize> {
        report::inspection::answered(modules, style)
    }

    /// Returns the report as text for people. It has the causes of the requirement in question, if the options name one. Otherwise it has
    /// the devices that run each entry point, if devices were selected, or else the requirements.
    pub fn to_text(&self, style: &TextStyle) -> String {
        match &self.why {
            Some(name) => report::inspection::why(&self.files, name, style),
            None if self.each_device => report::inspection::devices(&self.files, style),
            None => report::inspection::text(&self.files, self.api, style),
        }
    }

    /// Returns the report as one self-contained HTML file. It includes devices with [`InspectOptions::each_device`], and call paths, the
    /// call graph and sizes with [`InspectOptions::details`].
    ///
    /// # Errors
    /// None known.
    pub fn to_html(&self) -> Result<String, Error> {
        let title = match &self.files[..] {
            [file] => title(&file.file),
            files => format!("What {} files need of a device", files.len()),
        };
        let counts = self.files.iter().flat_map(|file| &file.modules).filter_map(Inspection::counts);
        let report = crate::inspection::InspectionReport::new(counts, &self.files[..]);
        let data = report::PackedJson::pack_report(&report);
        let data = data.map_err(|error| Error::module(ModuleErrorKind::Report, error))?;
        Ok(report::html(&title, &data))
    }

    /// Returns the report for programs, which `spec-extensions/inspect.md` describes.
    ///
    /// # Errors
    /// None known.
    pub fn to_json(&self) -> Result<String, Error> {
        let file = |file: &FileReport| {
            let modules = file.modules.iter().map(Inspection::to_json_part).collect::<Result<_, _>>()?;
            Ok(FileReport { file: file.file.clone(), size: file.size, modules })
        };
        let files: Vec<FileReport<InspectionJson>> =
            self.files.iter().map(file).collect::<Result<_, Error>>()?;
        let mut json = Vec::new();
        report::inspection::write_json(&files, &mut json)
            .map_err(|error| Error::module(ModuleErrorKind::Report, error))?;
        String::from_utf8(json).map_err(|error| Error::module(ModuleErrorKind::Report, error))
    }
}

/// Returns the title of a report on one file.
fn title(file: &str) -> String {
    format!("What {file} needs of a device")
}

/// Makes the HTML report on a module of its JSON ([`Inspection::to_json`]), for callers that keep that alone. `name` is the module's name in the
/// report.
///
/// ```
/// use spirv_if_inspect::html_from_json;
/// use spirv_if::Module;
/// use spirv_if_inspect::{InspectOptions, inspect};
/// let bytes = std::fs::read("../fixtures/glsl/reduce.spv")?;
/// let inspection = inspect(&Module::from_bytes(&bytes)?, &InspectOptions::new().details(true))?;
/// let page = html_from_json("reduce.spv", &inspection.to_json()?)?;
/// assert!(page.contains("<title>What reduce.spv needs of a device</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not JSON.
pub fn html_from_json(name: &str, json: &str) -> Result<String, Error> {
    let failed = |error: serde_json::Error| Error::module(ModuleErrorKind::Report, error);
    let module: serde_json::Value = serde_json::from_str(json).map_err(failed)?;
    let size = module["size"].as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or_default();
    let file = FileReport { file: name.to_owned(), size, modules: vec![module] };
    let report = serde_json::json!({ "schema": model::SCHEMA, "files": [file] });
    Ok(report::html(&title(name), &report::PackedJson::pack(&report).map_err(failed)?))
}

impl Report<InspectionJson> {
    /// Writes the report for programs, as [`Report::to_json`] makes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        report::inspection::write_json(&self.files, out)
    }
}

impl CallGraph {
    /// Finds the calls between the functions of a module; the title is the name of the module.
    ///
    /// # Errors
    /// If the module, its property sets or its annotations are malformed.
    pub fn new(module: &Module) -> Result<CallGraph, Error> {
        Ok(with_context(&module.analyses(), &*module.properties()?, |context| {
            context.call_graph(&module.name)
        })?)
    }

    /// Joins the graphs of modules, for Graphviz: each is a cluster, with the conditions of calls on its edges.
    ///
    /// ```
    /// use spirv_if::Module;
    /// use spirv_if_inspect::CallGraph;
    /// let bytes = std::fs::read("../fixtures/glsl/reduce.spv")?;
    /// let graph = CallGraph::new(&Module::from_bytes(&bytes)?.with_name("reduce.spv"))?;
    /// assert!(CallGraph::to_dot(&[graph]).contains("label=\"reduce.spv\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_dot(graphs: &[CallGraph]) -> String {
        report::dot(graphs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_an_api() {
        let words = crate::test_support::module_of(1, &[]);
        let module = Module::from_words(words).unwrap();
        let with = |api, version: (u8, u8)| {
            let options = InspectOptions::new().api(api).api_version(Version::from(version));
            inspect(&module, &options).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(with(Api::Vulkan, (0, 0)), Ok(()));
        assert_eq!(with(Api::OpenCl, (3, 0)), Ok(()));
        for (api, version, expected) in [
            (Api::Vulkan, (0, 9), "invalid version 0.9 of Vulkan: expected a version such as 1.2"),
            (Api::Vulkan, (12, 0), "invalid version 12.0 of Vulkan: expected a version such as 1.2"),
            (Api::OpenCl, (0, 0), "invalid version 0.0 of OpenCL: expected a version such as 1.2"),
        ] {
            assert_eq!(with(api, version), Err(expected.to_owned()));
        }
    }

    #[test]
    fn an_available_version() {
        // Vulkan 1.2 has half floats in its core.
        let bytes = include_bytes!("../../../fixtures/glsl/reduce.spv");
        let text = |api_version, verbose| {
            let options = InspectOptions::new().api(Api::Vulkan).api_version(api_version);
            let inspection = inspect(&Module::from_bytes(bytes).unwrap(), &options).unwrap();
            let mut report = Report::new(&options);
            report.add_file("shaders", 5 * bytes.len(), vec![inspection; 5]);
            report.to_text(&TextStyle::new().verbose(verbose))
        };
        for verbose in [false, true] {
            let (any, here) = (text(None, verbose), text(Some(Version::new(1, 3)), verbose));
            assert!(any.contains("VK_KHR_shader_float16_int8") && !here.contains("VK_KHR"), "{any}{here}");
            assert!(here.contains("VkPhysicalDeviceVulkan12Features::shaderFloat16"), "{here}");
        }
    }
}
