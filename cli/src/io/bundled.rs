//! Shaders of bundles as inputs: `app.spvb` for all of them, `app.spvb#NAME` for one, `app.spvb#NAME:VARIANT` for one of several variants.

use std::path::Path;
use std::sync::Arc;

use spirv_if_bundle::{Bundle, BundleError};

/// The extension of bundles.
pub const EXTENSION: &str = "spvb";

/// A bundle on the command line.
#[derive(Debug)]
pub struct OpenBundle {
    bundle: Bundle<'static>,
    /// All modules of a bundle that is compressed as a whole, if all are inputs.
    modules: Vec<Vec<u32>>,
}

/// A variant of a shader in a bundle.
#[derive(Clone, Debug)]
pub struct BundledShader {
    file: Arc<OpenBundle>,
    name: String,
    variant: usize,
    has_others: bool,
}

impl OpenBundle {
    fn new(path: &Path) -> Result<OpenBundle, BundleError> {
        Ok(OpenBundle { bundle: Bundle::open(path)?, modules: Vec::new() })
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
            let (name, count) = (shader.name(), shader.variants().len());
            (0..count).map(move |variant| (name.to_owned(), variant, count > 1))
        });
        let shader = |(name, variant, has_others)| BundledShader {
            file: Arc::clone(&file),
            name,
            variant,
            has_others,
        };
        Ok(variants.map(shader).collect())
    }

    /// Returns one variant by the name of its shader, and its number if the shader has several.
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
        let count = file.bundle.shader(name)?.variants().len();
        let name = name.to_owned();
        match variant {
            None if count > 1 => Err(BundleError::SeveralVariants { name, count }),
            Some(variant) if variant >= count => Err(BundleError::NoVariantNumber { name, variant, count }),
            _ => Ok(BundledShader { file, name, variant: variant.unwrap_or(0), has_others: count > 1 }),
        }
    }

    /// Returns the name, with the number of the variant if there are several.
    pub fn label(&self) -> String {
        match self.has_others {
            true => format!("{}:{}", self.name, self.variant),
            false => self.name.clone(),
        }
    }

    /// Returns the words of the module.
    ///
    /// # Errors
    /// If the bundle is damaged.
    pub fn words(&self) -> Result<Vec<u32>, BundleError> {
        let variant = self.file.bundle.shader(&self.name)?.variant(self.variant)?;
        match self.file.modules.get(variant.module()) {
            Some(words) => Ok(words.clone()),
            None => variant.words(),
        }
    }
}
