//! `inspect`: the requirements of modules, and their causes.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Api, Aspect, Capability, Condition, Device, DeviceConfig, Error, Id, Module, SpecId, Warning};
use crate::compatibility::Fits;
use crate::device;
use crate::inspection::model::SpecConstantValue;
use crate::inspection::{Difference, FileReport, Question, ResultCache, model, study};
use crate::report::{self, TextStyle};

pub use crate::inspection::{CallGraph, Inspection};

/// Options of [`inspect`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct InspectOptions {
    /// An aspect, a capability or an extension, by name: the report has the calls that lead to the code which requires it.
    pub why: Option<String>,
    /// The devices; those of the embedded configuration, if none are given.
    pub devices: Option<DeviceConfig>,
    /// Lists only the devices with a name that matches this, one by one: `*` stands for anything. By default, only the number of devices that
    /// run the modules is given.
    pub each_device: Option<String>,
    /// Conditions that no entry point may require: it may not run only on devices for which one of them holds
    /// ([`Inspection::violations`]).
    pub deny: Vec<Condition>,
    /// Devices that must run every entry point of the module: as it stands, or specialized for them if it is a multi-target module
    /// ([`Inspection::violations`]).
    pub required_devices: Vec<Device>,
    /// Adds the call graph, sizes by condition, and the call paths to what the devices of [`each_device`](InspectOptions::each_device) are missing.
    pub details: bool,
    /// Leaves out the specialization constants ([`Inspection::spec_constants`]). Finding what each value of them decides takes more time than all
    /// else.
    pub skip_constants: bool,
    /// The API for which to list the features to enable before it accepts the modules as they stand.
    pub api: Option<Api>,
    /// The available version of the API, major and minor: features in its core need not come from extensions. 0.0 is 1.0 in Vulkan.
    pub api_version: Option<(u8, u8)>,
}

impl InspectOptions {
    /// The API and its version, of which Vulkan has two ways to write 1.0.
    fn api(&self) -> Option<(Api, Option<(u8, u8)>)> {
        let api = self.api?;
        Some((api, self.api_version.map(|version| api.version(version).unwrap_or(version))))
    }

    /// Checks that the API has the version.
    fn check_version(&self) -> Result<(), Error> {
        match (self.api, self.api_version) {
            (Some(api), Some(version @ (major, minor))) if api.version(version).is_none() => {
                Err(Error::request(format_args!(
                    "invalid version {major}.{minor} of {api}: expected a version such as 1.2"
                )))
            }
            _ => Ok(()),
        }
    }
}

/// Finds the requirements of each entry point of a module, with their conditions, and the devices that meet them.
///
/// # Errors
/// [`Error::Request`] if the options name something that does not exist; else if the module, its property sets or its annotations are
/// malformed.
///
/// ```
/// use spirv_if::{InspectOptions, Module, inspect};
/// let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
/// let inspection = inspect(&Module::from_bytes(&bytes)?, &InspectOptions::default())?;
/// let entry_point = &inspection.entry_points()[0];
/// let (aspect, when) = &entry_point.aspects[0];
/// assert_eq!((entry_point.name.as_str(), aspect.to_string().as_str()), ("main", "fp16"));
/// assert_eq!(when.as_ref().unwrap().to_string(), "fp16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn inspect(module: &Module, options: &InspectOptions) -> Result<Inspection, Error> {
    Inspector::new(options)?.inspect(module)
}

/// An inspector of many modules, which share results. It can be shared between threads.
///
/// ```
/// use spirv_if::{InspectOptions, Inspector, Report, TextStyle, find_modules};
/// let bytes = std::fs::read("fixtures/opencl/plain.spv")?.repeat(3);
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
    question: Option<Question>,
    config: &'a DeviceConfig,
    each_device: bool,
    details: bool,
    skips_constants: bool,
    api: Option<(Api, Option<(u8, u8)>)>,
    fits: Mutex<Fits<'a>>,
    deny: &'a [Condition],
    /// The answers of the devices that must run the modules.
    required: Option<Mutex<Fits<'a>>>,
    /// Results for modules inside of files, without property sets beside them: a library may contain the same one several times.
    known: ResultCache<'a, Inspection>,
}

impl<'a> Inspector<'a> {
    /// Sets up an inspector.
    ///
    /// # Errors
    /// [`Error::Request`] if the options name something that does not exist.
    pub fn new(options: &'a InspectOptions) -> Result<Inspector<'a>, Error> {
        options.check_version()?;
        let question = options.why.as_deref().map(Question::parse).transpose()?;
        let config = match &options.devices {
            Some(devices) => devices,
            None => device::embedded()?,
        };
        let devices: Vec<&Device> = match &options.each_device {
            Some(glob) => config.matching(glob)?,
            None => config.iter().collect(),
        };
        Ok(Inspector {
            question,
            config,
            each_device: options.each_device.is_some(),
            details: options.details,
            skips_constants: options.skip_constants,
            api: options.api(),
            fits: Mutex::new(Fits::with_known(devices, config.known_capabilities().clone())),
            deny: &options.deny,
            required: (!options.required_devices.is_empty()).then(|| {
                let devices = &options.required_devices;
                let known = config.known_capabilities().clone().and(devices);
                Mutex::new(Fits::with_known(devices.iter().collect(), known))
            }),
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
        let inspection = self.study(module)?;
        if let Some(bytes) = bytes {
            self.known.insert(bytes, Arc::new(inspection.clone()));
        }
        Ok(inspection)
    }

    fn study(&self, module: &Module) -> Result<Inspection, Error> {
        let (offset, size) = (module.offset(), size_of_val(module.words()));
        let inspection = study(&module.analyses(), &*module.properties()?, |study| {
            let mut inspected = study.inspected(Some(self.config), !self.skips_constants)?;
            study.fit(&mut inspected, &self.fits, self.each_device)?;
            let why = self.question.as_ref().map(|question| study.why(question)).transpose()?;
            let enable = self.api.map(|(api, version)| study.enable(api, version, &inspected));
            let mut violations = Vec::new();
            for denied in self.deny {
                violations.extend(study.denied(&inspected, &denied.expr)?);
            }
            if let Some(fits) = &self.required {
                let mut fits = fits.lock().unwrap_or_else(PoisonError::into_inner);
                violations.extend(study.not_run_by(&inspected, &mut fits)?);
            }
            let details = self.details.then(|| study.details(&inspected)).transpose()?;
            let inspected = Arc::new(inspected);
            Ok(Inspection { offset, size, inspected, enable, why, violations, details, against: None })
        });
        Ok(inspection?)
    }
}

/// The requirements of an entry point, or of an exported function that nothing in its module calls. Conditional requirements are paired with
/// their conditions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EntryPoint {
    /// Its name to the host; for an exported function, its linkage name.
    pub name: String,
    /// The execution model; `None` for an exported function.
    pub stage: Option<String>,
    /// The condition under which it exists; `None` for always.
    pub when: Option<Condition>,
    /// The capabilities that it requires, chosen among those that the module declares so that they are few; those that another one of them
    /// implies are left out.
    pub capabilities: Vec<(Capability, Option<Condition>)>,
    /// The extensions that it requires, in the same way.
    pub extensions: Vec<(String, Option<Condition>)>,
    /// The aspects that it uses.
    pub aspects: Vec<(Aspect, Option<Condition>)>,
    /// The aspects that it and the functions that it calls declare (`device_has`).
    pub declared_aspects: Vec<(Aspect, Option<Condition>)>,
    /// The size of work-groups that it requires, in work-items by dimension, and whether the host can set another by a specialization
    /// constant.
    pub work_group_size: Option<([u32; 3], bool)>,
    /// The size of sub-groups that it requires, in work-items, in the same way.
    pub sub_group_size: Option<(u32, bool)>,
    /// The number of devices that are known to run it from the module as it stands.
    pub devices_as_is: usize,
    /// The number of devices that are known to run it once the module is packed and specialized for them, or trimmed.
    pub devices_after_pack: usize,
    /// The selected devices, and whether each runs it in these two ways, as far as it is known.
    pub each_device: Vec<(String, Option<bool>, Option<bool>)>,
}

impl Inspection {
    /// The requirements of each entry point, then of each exported function that nothing in the module calls.
    pub fn entry_points(&self) -> Vec<EntryPoint> {
        self.inspected.roots().map(EntryPoint::of).collect()
    }

    /// The specialization constants that hosts can set, by SpecId.
    pub fn spec_constants(&self) -> Vec<InspectedConstant> {
        self.inspected.spec_constants.iter().map(InspectedConstant::of).collect()
    }

    /// The names of the capabilities and extensions that nothing requires: [`trim`](crate::trim) removes them.
    pub fn superfluous(&self) -> Vec<String> {
        self.inspected.unneeded().map(|declared| declared.name.to_string()).collect()
    }

    /// The rules that it breaks: first [denied](InspectOptions::deny) conditions, then [required
    /// devices](InspectOptions::required_devices) that do not run it.
    pub fn violations(&self) -> Vec<Warning> {
        self.violations.iter().map(Warning::of_violation).collect()
    }

    /// The same with its differences from the inspection of another module, such as an older build: by entry point, what it requires and the
    /// other one does not, and of the devices of [`each_device`](InspectOptions::each_device) those that run only one of them.
    pub fn against(self, old: &Inspection) -> Inspection {
        let differences = Difference::between(&self.inspected, &old.inspected);
        Inspection { against: Some(differences), ..self }
    }

    /// The JSON of it, as it stands in that of a [`Report`] (`spec-extensions/inspect.md`, "Module").
    ///
    /// # Errors
    /// None that is known.
    pub fn to_json(&self) -> Result<String, Error> {
        report::inspection::module_json(self).map_err(|error| Error::Module(error.into()))
    }
}

impl EntryPoint {
    fn of(own: &model::EntryPointReport) -> EntryPoint {
        let when =
            |required: &model::RequiredFeature| Some(Condition::of(required.when.as_ref()?.expr.clone()));
        let aspects = |all: &[model::RequiredFeature]| {
            all.iter().filter_map(|own| Some((own.name.parse().ok()?, when(own)))).collect()
        };
        let devices = own.devices.as_ref();
        let each = devices.iter().flat_map(|devices| &devices.each);
        EntryPoint {
            name: own.name.clone(),
            stage: own.stage.map(|_| own.stage_name()),
            when: own.when.as_ref().map(|when| Condition::of(when.expr.clone())),
            capabilities: own
                .capabilities
                .iter()
                .filter_map(|own| Some((own.name.parse().ok()?, when(own))))
                .collect(),
            extensions: own.extensions.iter().map(|own| (own.name.to_string(), when(own))).collect(),
            aspects: aspects(&own.aspects),
            declared_aspects: aspects(own.declared_aspects.as_deref().unwrap_or_default()),
            work_group_size: own.work_group_size.map(|own| (own.size, own.specializable)),
            sub_group_size: own.sub_group_size.map(|own| (own.size, own.specializable)),
            devices_as_is: devices.map_or(0, |devices| devices.as_is),
            devices_after_pack: devices.map_or(0, |devices| devices.after_pack),
            each_device: each
                .map(|own| {
                    (own.device.clone(), own.as_is.is_known_to_run(), own.after_pack.is_known_to_run())
                })
                .collect(),
        }
    }
}

/// A specialization constant that hosts can set, and what it decides.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InspectedConstant {
    /// The number by which hosts know it.
    pub spec_id: SpecId,
    /// Its result id.
    pub id: Id,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type, such as `bool` or `uint32`.
    pub type_name: String,
    /// Its default value, as [`Settings::set`](crate::Settings::set) reads it.
    pub default: String,
    /// The number of branches that it decides, alone or with others, by itself or by values that are computed from it.
    pub branches: usize,
    /// The number of array types whose length depends on it.
    pub array_sizes: usize,
    /// True if the size of work-groups depends on it.
    pub work_group_size: bool,
    /// For a Boolean constant: each value, with the number of blocks that it removes, and the capabilities that nothing requires then.
    pub values: Vec<(bool, usize, Vec<Capability>)>,
    /// The same for a constant that is a number, with values as [`Settings::set`](crate::Settings::set) reads them: the default, then those of
    /// the values that the module compares it with which decide other branches. Empty if none removes anything.
    pub numbers: Vec<(String, usize, Vec<Capability>)>,
    /// True if values were not tried, since that takes too much work in this module.
    pub untried: bool,
}

impl InspectedConstant {
    fn of(own: &model::SpecConstantReport) -> InspectedConstant {
        let decides = &own.decides;
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        for own in &decides.values {
            let capabilities = own.capabilities.iter().filter_map(|name| name.parse().ok()).collect();
            match &own.value {
                SpecConstantValue::Bool(value) => values.push((*value, own.blocks, capabilities)),
                SpecConstantValue::Number(text) => numbers.push((text.clone(), own.blocks, capabilities)),
            }
        }
        InspectedConstant {
            spec_id: SpecId(own.spec_id),
            id: Id(own.id),
            name: own.name.as_ref().map(ToString::to_string),
            type_name: own.type_.to_string(),
            default: own.default.clone(),
            branches: decides.branches,
            array_sizes: decides.array_sizes,
            work_group_size: decides.work_group_size,
            values,
            numbers,
            untried: decides.untried,
        }
    }
}

/// The findings on the modules in files. `M` is the form in which those on a module are kept: all of them, or their JSON alone
/// ([`Inspection::to_json`]), which takes less memory where there are many.
#[derive(Clone, Debug)]
pub struct Report<M = Inspection> {
    why: Option<String>,
    each_device: bool,
    api: Option<(Api, Option<(u8, u8)>)>,
    files: Vec<FileReport<M>>,
}

impl<M> Report<M> {
    /// A report without files, for these options.
    pub fn new(options: &InspectOptions) -> Report<M> {
        let (why, each_device) = (options.why.clone(), options.each_device.is_some());
        Report { why, each_device, api: options.api(), files: Vec::new() }
    }

    /// Adds a file of so many bytes, with its modules in their order.
    pub fn add_file(&mut self, name: &str, size: usize, modules: Vec<M>) {
        self.files.push(FileReport { file: name.to_owned(), size, modules });
    }
}

impl Report {
    /// The report for people: the causes of the requirement in question, if there is one; else the devices that run each entry point, if they
    /// were selected; else the requirements.
    pub fn to_text(&self, style: &TextStyle) -> String {
        match &self.why {
            Some(name) => report::inspection::why(&self.files, name, style),
            None if self.each_device => report::inspection::devices(&self.files, style),
            None => report::inspection::text(&self.files, self.api, style),
        }
    }

    /// The report as one HTML file, which loads nothing from elsewhere. It shows what was inspected: with
    /// [`InspectOptions::each_device`] devices, with [`InspectOptions::details`] call paths, the call graph and sizes.
    ///
    /// # Errors
    /// None that is known.
    #[cfg(feature = "html")]
    pub fn to_html(&self) -> Result<String, Error> {
        let title = match &self.files[..] {
            [file] => format!("What {} needs of a device", file.file),
            files => format!("What {} files need of a device", files.len()),
        };
        report::html(&title, &crate::inspection::InspectionReport::new(&self.files[..]))
            .map_err(Error::Module)
    }

    /// The report for programs: `spec-extensions/inspect.md` describes it.
    ///
    /// # Errors
    /// None that is known.
    pub fn to_json(&self) -> Result<String, Error> {
        let file = |file: &FileReport| {
            let modules = file.modules.iter().map(Inspection::to_json).collect::<Result<_, _>>()?;
            Ok(FileReport { file: file.file.clone(), size: file.size, modules })
        };
        let files: Vec<FileReport<String>> = self.files.iter().map(file).collect::<Result<_, Error>>()?;
        let mut json = Vec::new();
        report::inspection::write_json(&files, &mut json).map_err(|error| Error::Module(error.into()))?;
        String::from_utf8(json).map_err(|error| Error::Module(error.into()))
    }
}

impl Report<String> {
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
    pub fn of(module: &Module) -> Result<CallGraph, Error> {
        Ok(study(&module.analyses(), &*module.properties()?, |study| study.call_graph(&module.name))?)
    }

    /// The graphs of modules as one, for Graphviz: each is a cluster, with the conditions of calls on its edges.
    ///
    /// ```
    /// use spirv_if::{CallGraph, Module};
    /// let bytes = std::fs::read("fixtures/glsl/reduce.spv")?;
    /// let graph = CallGraph::of(&Module::from_bytes(&bytes)?.with_name("reduce.spv"))?;
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
        let with = |api, version| {
            let options =
                InspectOptions { api: Some(api), api_version: Some(version), ..InspectOptions::default() };
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
        let bytes = include_bytes!("../../fixtures/glsl/reduce.spv");
        let text = |api_version, verbose| {
            let options = InspectOptions { api: Some(Api::Vulkan), api_version, ..InspectOptions::default() };
            let inspection = inspect(&Module::from_bytes(bytes).unwrap(), &options).unwrap();
            let mut report = Report::new(&options);
            report.add_file("shaders", 5 * bytes.len(), vec![inspection; 5]);
            report.to_text(&TextStyle { verbose, ..TextStyle::default() })
        };
        for verbose in [false, true] {
            let (any, here) = (text(None, verbose), text(Some((1, 3)), verbose));
            assert!(any.contains("VK_KHR_shader_float16_int8") && !here.contains("VK_KHR"), "{any}{here}");
            assert!(here.contains("VkPhysicalDeviceVulkan12Features::shaderFloat16"), "{here}");
        }
    }
}
