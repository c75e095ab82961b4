//! Programs in memory.

use std::io;

use crate::runtime::{ImageSource, LinkRequest, LoadedProgram, SelectedImages, SelectionCause, link};
use crate::test_support::{assemble_named, bytes_of};
use spirv_if::device::Device;
use spirv_if::engine::condition::Expr;
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::metadata::property_sets::{
    AddOnImages, AddOnRecord, ConditionalRequirements, DeviceRequirements, IMPORTED_SYMBOLS,
};
use spirv_if::engine::pipelines::{PipelineError, SpecializeRequest, SpecializedModule};
use spirv_if::property_sets::{Property, PropertyNames, PropertySet};

/// Returns an image without code.
pub fn image(name: &str, symbols: &[&str]) -> ImageSource {
    let message = format!("the code of {name} is read");
    ImageSource {
        name: name.to_owned(),
        table: 0,
        target: None,
        properties: Default::default(),
        symbols: symbols.iter().map(|&name| name.to_owned()).collect(),
        code: Box::new(move || Err(io::Error::other(message.clone()))),
    }
}

impl ImageSource {
    pub fn imports(mut self, names: &[&str]) -> ImageSource {
        let mut set = PropertySet::new(IMPORTED_SYMBOLS);
        names.iter().for_each(|&name| set.push(name, Property::U32(1)));
        self.properties.put(set);
        self
    }

    /// Requires pairs of add-on images, each with its condition.
    pub fn requires(mut self, pairs: &[(&str, &str)]) -> ImageSource {
        let series = |condition: &str| Expr::parse(condition, &DeviceNames).unwrap().to_series().unwrap();
        let pairs = pairs.iter().map(|(id, condition)| (id.to_string(), series(condition))).collect();
        self.properties.put(AddOnImages { pairs }.to_set());
        self
    }

    pub fn add_on(mut self, id: &str, real: bool) -> ImageSource {
        self.properties.put(AddOnRecord { id: id.to_owned(), real }.to_set());
        self
    }

    pub fn with(mut self, requirements: DeviceRequirements) -> ImageSource {
        self.properties.put(requirements.to_set(PropertyNames::Design));
        self
    }

    pub fn for_target(mut self, target: &str) -> ImageSource {
        self.target = Some(target.to_owned());
        self
    }

    /// Returns the image with code in text. The numbers of its ids do not matter.
    pub fn code(mut self, text: &str) -> ImageSource {
        let (words, _) = assemble_named(text, "spv1.6");
        self.code = Box::new(move || Ok(bytes_of(&words)));
        self
    }
}

/// Returns requirements of these aspects.
pub fn aspects(aspects: &[u32]) -> DeviceRequirements {
    DeviceRequirements { aspects: aspects.to_vec(), ..Default::default() }
}

/// Returns requirements of these aspects under a condition.
pub fn conditional(condition: &str, aspects: &[u32]) -> DeviceRequirements {
    let condition = Expr::parse(condition, &DeviceNames).unwrap().to_series().unwrap();
    let conditional =
        vec![ConditionalRequirements { condition, aspects: aspects.to_vec(), ..Default::default() }];
    DeviceRequirements { conditional, ..Default::default() }
}

pub fn program(images: impl IntoIterator<Item = ImageSource>) -> LoadedProgram {
    LoadedProgram::new(images).unwrap()
}

pub fn device(name: &str) -> Device {
    Device::embedded(name).unwrap()
}

/// Returns the images that are selected of a kernel `k`, each with its reasons.
pub fn selected(program: &LoadedProgram, device_name: &str) -> Vec<String> {
    let selected = program.select("k", &device(device_name)).unwrap();
    shown(program, &selected)
}

pub fn shown(program: &LoadedProgram, selected: &SelectedImages) -> Vec<String> {
    let name = |image: usize| program.images()[image].name();
    let reason = |reason: &SelectionCause| match reason {
        SelectionCause::Kernel => "kernel".to_owned(),
        SelectionCause::Import { name: symbol, importer } => format!("{symbol} of {}", name(*importer)),
        SelectionCause::AddOn { id, real, condition, parent } => {
            format!("{id} of {}: {} is {real}", name(*parent), condition.display(&DeviceNames))
        }
    };
    let line = |image: &super::super::ChosenImage| {
        let reasons: Vec<String> = image.reasons.iter().map(reason).collect();
        format!("{} ({})", name(image.image), reasons.join(", "))
    };
    selected.images.iter().map(line).collect()
}

pub fn error(program: &LoadedProgram, kernel: &str, name: &str) -> String {
    program.select(kernel, &device(name)).unwrap_err().to_string()
}

/// Returns the module of a kernel `k`.
pub fn linked(program: &LoadedProgram, name: &str) -> Result<SpecializedModule<'static>, PipelineError> {
    linked_with(program, name, &SpecializeRequest::default())
}

pub fn linked_with(
    program: &LoadedProgram,
    name: &str,
    request: &SpecializeRequest,
) -> Result<SpecializedModule<'static>, PipelineError> {
    let device = device(name);
    let selected = program.select("k", &device)?;
    let request = LinkRequest { specialize: request.clone(), ..Default::default() };
    link(program, &selected, "k", &device, request)
}
