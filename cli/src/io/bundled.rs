//! Shaders of bundles as inputs: `app.spvb` for all of them, `app.spvb#NAME` for one, `app.spvb#NAME:VARIANT` for one of several variants. Where a
//! command has devices, they choose between variants. The variants of a ready shader are its modules for devices.

use std::path::Path;
use std::sync::Arc;

use spirv_if::{Device, Prepared, Settings};
use spirv_if_bundle::{Bundle, BundleError, Shader};

/// The extension of bundles.
pub const EXTENSION: &str = "spvb";

/// A bundle on the command line.
#[derive(Debug)]
pub struct OpenBundle {
    bundle: Bundle<'static>,
    /// All modules of a bundle that is compressed as a whole, if all are inputs.
    modules: Vec<Vec<u32>>,
}

/// A shader in a bundle, or one of its variants.
#[derive(Clone, Debug)]
pub struct BundledShader {
    file: Arc<OpenBundle>,
    name: String,
    /// The number of variants of the shader.
    count: usize,
    variant: ChosenVariant,
}

/// The numbers of variants, each with the places of the devices that choose it.
type VariantChoices = Vec<(usize, Vec<usize>)>;

/// A choice among the variants of a shader.
#[derive(Clone, Debug, PartialEq)]
enum ChosenVariant {
    /// No variant is chosen yet.
    Open,
    /// The shader itself, alone or in a list of all shaders.
    Listed(usize),
    /// The one of this number on the command line.
    Numbered(usize),
    /// The variant that these devices choose, by their indexes among the devices of the command.
    ByDevices(usize, Vec<usize>),
    /// One of all, with the devices that choose it.
    Assigned(usize, Vec<usize>),
}

impl OpenBundle {
    fn new(path: &Path) -> Result<OpenBundle, BundleError> {
        Ok(OpenBundle { bundle: Bundle::open(path)?, modules: Vec::new() })
    }
}

/// Returns the number of variants of a shader.
fn count(shader: &Shader) -> usize {
    shader.ready().map_or(shader.variants().len(), |ready| ready.len())
}

/// Returns the number of the variant that a device gets.
fn variant_for(shader: &Shader, device: &Device) -> Result<usize, BundleError> {
    match shader.ready() {
        Some(ready) => Ok(ready.select_for(device, &Settings::new())?.number()),
        None => Ok(shader.variant_for(device)?.number()),
    }
}

impl BundledShader {
    /// Returns all variants of all shaders of a bundle.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn all(path: &Path) -> Result<Vec<BundledShader>, BundleError> {
        let mut file = OpenBundle::new(path)?;
        if file.bundle.is_solid() {
            let mut modules = Vec::with_capacity(file.bundle.module_count());
            file.bundle.for_each_module(|_, words| {
                modules.push(words.to_vec());
                Ok::<_, BundleError>(())
            })?;
            file.modules = modules;
        }
        let file = Arc::new(file);
        let variants = file.bundle.shaders().flat_map(|shader| {
            let (name, count) = (shader.name(), count(&shader));
            (0..count).map(move |variant| (name.to_owned(), count, variant))
        });
        let shader = |(name, count, variant)| BundledShader {
            file: Arc::clone(&file),
            name,
            count,
            variant: ChosenVariant::Listed(variant),
        };
        Ok(variants.map(shader).collect())
    }

    /// Returns a shader by its name, or a variant by the name and its number.
    ///
    /// # Errors
    /// If the bundle cannot be read, or does not have it.
    pub fn one(path: &Path, text: &str) -> Result<BundledShader, BundleError> {
        let file = Arc::new(OpenBundle::new(path)?);
        let numbered =
            text.rsplit_once(':').and_then(|(name, number)| Some((name, number.parse::<usize>().ok()?)));
        let (name, variant) = match (file.bundle.shader(text), numbered) {
            (Ok(_), _) | (_, None) => (text, None),
            (Err(_), Some((name, variant))) => (name, Some(variant)),
        };
        let count = count(&file.bundle.shader(name)?);
        let name = name.to_owned();
        let variant = match variant {
            Some(variant) if variant >= count => {
                return Err(BundleError::NoVariantNumber { name, variant, count });
            }
            Some(variant) => ChosenVariant::Numbered(variant),
            None if count > 1 => ChosenVariant::Open,
            None => ChosenVariant::Listed(0),
        };
        Ok(BundledShader { file, name, count, variant })
    }

    /// Returns the name in the bundle.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name, with the number of the variant if there are several, and no device chose it.
    pub fn label(&self) -> String {
        match self.variant {
            ChosenVariant::Listed(variant)
            | ChosenVariant::Numbered(variant)
            | ChosenVariant::Assigned(variant, _)
                if self.count > 1 =>
            {
                format!("{}:{variant}", self.name)
            }
            _ => self.name.clone(),
        }
    }

    /// Returns the variants with their conditions, as a list, if none of them is chosen.
    pub fn open_variants(&self) -> Option<String> {
        let shader = self.shader().ok().filter(|_| self.variant == ChosenVariant::Open)?;
        if let Some(ready) = shader.ready() {
            let questions: Vec<&str> = ready.questions().map(|question| question.text).collect();
            return Some(format!("0 to {}, by {}", self.count - 1, questions.join(", ")));
        }
        let variant = |variant: spirv_if_bundle::Variant| variant.condition().unwrap_or("else").to_owned();
        let numbered = shader.variants().map(variant).enumerate();
        Some(
            numbered
                .map(|(number, condition)| format!("{number} ({condition})"))
                .collect::<Vec<_>>()
                .join(", "),
        )
    }

    /// Returns true if devices choose the variant: its number is not on the command line.
    pub fn is_for_devices(&self) -> bool {
        !matches!(self.variant, ChosenVariant::Numbered(_))
    }

    /// Returns true if two inputs are variants of one shader.
    pub fn is_same_shader(&self, other: &BundledShader) -> bool {
        Arc::ptr_eq(&self.file, &other.file) && self.name == other.name
    }

    /// Returns the variants that devices choose, each with its devices.
    ///
    /// # Errors
    /// If a device has no variant, or may have one. The error comes with that device.
    pub fn chosen_by<'d>(
        &self,
        devices: &'d [Device],
    ) -> Result<Vec<BundledShader>, (&'d Device, BundleError)> {
        let (chosen, without_variant) = self.choices_of(devices);
        if let Some(first) = without_variant.into_iter().next() {
            return Err(first);
        }
        let shader = |(variant, places)| BundledShader {
            variant: ChosenVariant::ByDevices(variant, places),
            ..self.clone()
        };
        Ok(chosen.into_iter().map(shader).collect())
    }

    /// Returns variants with the devices that choose them: a listed variant even if no device chooses it, and of a shader that is named without
    /// a number each variant that a device chooses. Then come the devices that have no variant, or may have one, each with the error.
    pub fn assigned_to<'d>(
        &self,
        devices: &'d [Device],
    ) -> (Vec<BundledShader>, Vec<(&'d Device, BundleError)>) {
        let (chosen, without_variant) = self.choices_of(devices);
        let chosen = match self.variant {
            ChosenVariant::Listed(listed) => {
                let of_listed = chosen.into_iter().find(|(variant, _)| *variant == listed);
                vec![of_listed.unwrap_or((listed, Vec::new()))]
            }
            _ => chosen,
        };
        let shader = |(variant, places)| BundledShader {
            variant: ChosenVariant::Assigned(variant, places),
            ..self.clone()
        };
        (chosen.into_iter().map(shader).collect(), without_variant)
    }

    /// Returns the numbers of the variants that devices choose, with the places of the devices, and the devices that choose none.
    fn choices_of<'d>(&self, devices: &'d [Device]) -> (VariantChoices, Vec<(&'d Device, BundleError)>) {
        let mut chosen = VariantChoices::new();
        let mut without_variant = Vec::new();
        for (place, device) in devices.iter().enumerate() {
            match self.shader().and_then(|shader| variant_for(&shader, device)) {
                Ok(variant) => match chosen.iter_mut().find(|(number, _)| *number == variant) {
                    Some((_, places)) => places.push(place),
                    None => chosen.push((variant, vec![place])),
                },
                Err(error) => without_variant.push((device, error)),
            }
        }
        (chosen, without_variant)
    }

    /// Returns the places of the devices that chose the variant; `None` if it is for all.
    pub fn devices(&self) -> Option<&[usize]> {
        match &self.variant {
            ChosenVariant::ByDevices(_, places) | ChosenVariant::Assigned(_, places) => Some(places),
            _ => None,
        }
    }

    /// Adds the values of the constants that the bundle fixes to settings.
    ///
    /// # Errors
    /// If a value does not have the type of its constant.
    pub fn fix_constants(&self, prepared: &Prepared, settings: Settings) -> Result<Settings, BundleError> {
        let shader = self.shader()?;
        match shader.is_ready() {
            true => Ok(settings),
            false => shader.variant(self.number())?.fix_constants(prepared, settings),
        }
    }

    fn shader(&self) -> Result<Shader<'_>, BundleError> {
        self.file.bundle.shader(&self.name)
    }

    /// Returns the number of the variant. Commands refuse shaders without a chosen variant.
    fn number(&self) -> usize {
        match self.variant {
            ChosenVariant::Open => 0,
            ChosenVariant::Listed(variant)
            | ChosenVariant::Numbered(variant)
            | ChosenVariant::ByDevices(variant, _)
            | ChosenVariant::Assigned(variant, _) => variant,
        }
    }

    /// Returns the words of the module.
    ///
    /// # Errors
    /// If the bundle is damaged.
    pub fn words(&self) -> Result<Vec<u32>, BundleError> {
        let shader = self.shader()?;
        if let Some(ready) = shader.ready() {
            return ready.result(self.number())?.words();
        }
        let variant = shader.variant(self.number())?;
        match self.file.modules.get(variant.module()) {
            Some(words) => Ok(words.clone()),
            None => variant.words(),
        }
    }
}
