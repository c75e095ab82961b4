//! The calls of the library that requests ask for.

use spirv_if::module::{Annotations, explain_no_module, find_module, find_modules};
use spirv_if::property_sets::PropertySets;
use spirv_if::trim::{strip, trim, trim_properties};
use spirv_if::{Error, Module, Prepared, pack};
use spirv_if_inspect::{Inspector, LibraryAnswer, Report, VulkanRequirements, module_with_settings};

use crate::answer::{Answer, Failure, Named};
use crate::bundle;
use crate::request::{self, Call, Inspect, Pack, Request, Source, Specialize, Trim};

/// Answers a request about a file.
pub fn run(request: &[u8], file: &[u8]) -> Result<Answer, Failure> {
    let request = Request::read(request)?;
    let source = &request.source;
    match request.call {
        Call::Devices(options) => Ok(Answer::devices(&options.config()?)),
        Call::Inspect(options) => {
            let (report, failures) = inspect(source, &options, file)?;
            Ok(Answer::text(report.to_json()?, failures))
        }
        Call::LibraryAnswer(options) => Ok(Answer::library(LibraryAnswer::new(options.counts()))),
        Call::Report(options) => {
            let (report, failures) = inspect(source, &options, file)?;
            Ok(Answer::text(report.to_html()?, failures))
        }
        Call::Pack(options) => packed(source, &options, file).named(source.file()),
        Call::Specialize(options) => specialized(source, &options, file).named(source.file()),
        Call::Compatibility(options) => compatibility(source, &options, file).named(source.file()),
        Call::Trim(options) => trimmed(source, &options, file).named(source.file()),
        Call::Disassemble(_) => disassembled(source, file).named(source.file()),
        Call::Shaders(_) => bundle::shaders(file).map_err(|error| Failure::from_bundle(source.file(), error)),
        Call::Unbundle(options) => bundle::unbundle(&options, file),
        Call::VulkanRequirements(options) => vulkan_requirements(source, &options, file).named(source.file()),
    }
}

/// The report on the modules of a file, and the failures of those that are malformed.
fn inspect(source: &Source, options: &Inspect, file: &[u8]) -> Result<(Report, Vec<Failure>), Failure> {
    let inspect_options = options.options()?;
    let settings = options.settings()?;
    let annotations = source.annotations()?;
    let inspector = Inspector::new(&inspect_options)?;
    let older = match options.against() {
        Some(part) => Some(inspector.inspect(&find_module(file, &part.parse()?)?.load_or_error()?)?),
        None => None,
    };
    let (mut inspections, mut failures) = (Vec::new(), Vec::new());
    let candidates = match &source.part {
        Some(part) => vec![find_module(file, &part.parse()?).named(source.file())?],
        None => find_modules(file).collect(),
    };
    let in_share = candidates.iter().enumerate().filter(|(number, _)| options.has_module(*number));
    for (_, candidate) in in_share {
        let module = match candidate.load() {
            // It is malformed.
            None if candidate.is_linked_image() => candidate.load_or_error(),
            None => continue,
            Some(module) => candidate.with_properties(module),
        };
        let name = match candidate.offset() {
            offset if offset > 0 && source.part.is_none() => format!("{} at {offset:#x}", source.file()),
            _ => source.file().to_owned(),
        };
        let module =
            module.and_then(|module| source.on(module.with_name(name.clone()), annotations.as_ref()));
        let inspection = module.and_then(|module| match &settings {
            Some(settings) => inspector.inspect(&module_with_settings(&module, settings)?),
            None => inspector.inspect(&module),
        });
        match inspection.named(&name) {
            Ok(inspection) => inspections.push(match &older {
                Some(older) => inspection.against(older),
                None => inspection,
            }),
            Err(failure) => failures.push(failure),
        }
    }
    // Other shares may have modules.
    if inspections.is_empty() && options.has_all_modules() {
        return Err(failures
            .into_iter()
            .next()
            .unwrap_or_else(|| Failure::new(source.file(), explain_no_module(file))));
    }
    if options.has_all_modules() {
        all_match(annotations.as_ref())?;
    }
    let mut report = Report::new(&inspect_options);
    report.add_file(source.file(), file.len(), inspections);
    Ok((report, failures))
}

fn packed(source: &Source, options: &Pack, file: &[u8]) -> Result<Answer, Error> {
    let annotations = source.annotations()?;
    let module = source.module(file, annotations.as_ref())?;
    let warnings = module.lowered_properties()?.warnings.clone();
    let packed = pack(&module, &options.options()?)?;
    all_match(annotations.as_ref())?;
    Ok(Answer::packed(packed, warnings))
}

fn specialized(source: &Source, options: &Specialize, file: &[u8]) -> Result<Answer, Error> {
    let annotations = source.annotations()?;
    let module = source.module(file, annotations.as_ref())?;
    let warnings = module.lowered_properties()?.warnings.clone();
    let prepared = Prepared::new(&module)?;
    let specialized = prepared.specialize(&options.device()?, &options.settings()?)?;
    let removed = prepared.removed_interface(&specialized)?;
    all_match(annotations.as_ref())?;
    Ok(Answer::specialized(specialized, &removed, warnings))
}

fn compatibility(source: &Source, options: &Specialize, file: &[u8]) -> Result<Answer, Error> {
    let annotations = source.annotations()?;
    let module = source.module(file, annotations.as_ref())?;
    let result = Prepared::new(&module)?.compatibility(&options.device()?, &options.settings()?)?;
    all_match(annotations.as_ref())?;
    Ok(Answer::compatibility(&result))
}

fn trimmed(source: &Source, options: &Trim, file: &[u8]) -> Result<Answer, Error> {
    let module = source.module(file, None)?;
    let module = match options.strip {
        true => Module::from_words(strip(&module)?.words)?,
        false => module,
    };
    let trimmed = trim(&module)?;
    let properties = source.property_sets()?.map(|before| trim_properties(&module, &trimmed, &before));
    Ok(Answer::trimmed(&trimmed, properties.transpose()?.as_ref()))
}

fn disassembled(source: &Source, file: &[u8]) -> Result<Answer, Error> {
    Ok(Answer::text(source.module(file, None)?.disassembly(), Vec::new()))
}

fn vulkan_requirements(
    source: &Source,
    options: &request::VulkanRequirements,
    file: &[u8],
) -> Result<Answer, Error> {
    let annotations = source.annotations()?;
    let module = source.module(file, annotations.as_ref())?;
    let required = VulkanRequirements::new(&module, options.version(), options.device()?.as_ref())?;
    all_match(annotations.as_ref())?;
    Ok(Answer::vulkan_requirements(&required))
}

/// Checks that each entry of annotations matched something.
fn all_match(annotations: Option<&Annotations>) -> Result<(), Error> {
    annotations.map_or(Ok(()), Annotations::check_matches)
}

impl Source {
    /// The one module of a file.
    fn module<'a>(&self, file: &'a [u8], annotations: Option<&Annotations>) -> Result<Module<'a>, Error> {
        let module = match &self.part {
            Some(part) => find_module(file, &part.parse()?)?.load_or_error()?,
            None => Module::from_bytes(file)?,
        };
        let name = match &self.part {
            Some(part) => format!("{}:{part}", self.file()),
            None => self.file().to_owned(),
        };
        self.on(module.with_name(name), annotations)
    }

    /// The property sets beside the file.
    fn property_sets(&self) -> Result<Option<PropertySets>, Error> {
        let text = self.properties.as_deref();
        Ok(text.map(|text| PropertySets::parse("the properties", text)).transpose()?)
    }

    /// A module with what lies beside it. Property sets are those of a whole file, not of a part of it.
    fn on<'a>(&self, module: Module<'a>, annotations: Option<&Annotations>) -> Result<Module<'a>, Error> {
        let module = match self.property_sets()? {
            Some(properties) if module.offset() == 0 => module.with_properties(properties)?,
            _ => module,
        };
        match annotations {
            Some(annotations) => module.with_annotations(annotations),
            None => Ok(module),
        }
    }
}
