//! The images of a program, as far as they are known without their code.

use std::fmt;
use std::io;

use super::RuntimeError;
use crate::condition::Expr;
use crate::sidecar::property_sets::{
    ADD_ON_IMAGE, ADD_ON_IMAGES, AddOnImage, AddOnImages, DEVICE_REQUIREMENTS, DeviceRequirements,
    IMPORTED_SYMBOLS, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS, SpecialConstants,
};

/// Gives the bytes of a module when they are asked for.
pub type Code = Box<dyn Fn() -> io::Result<Vec<u8>> + Send + Sync>;

/// An image of a program: what lies beside its code, and something that gives the code.
pub struct ProgramImage {
    /// Its name in messages, such as the path of its code.
    pub name: String,
    /// The target that it is for; none for any.
    pub target: Option<String>,
    /// Its property sets.
    pub properties: PropertySets,
    /// Its entry points and exported functions.
    pub symbols: Vec<String>,
    /// Its code.
    pub code: Code,
}

impl fmt::Debug for ProgramImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramImage").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An image with its properties read.
#[derive(Debug)]
pub struct LoadedImage {
    /// The image as it was given.
    pub given: ProgramImage,
    /// Its requirements on a device.
    pub requirements: DeviceRequirements,
    /// The specialization constants that stand for features of the device.
    pub special: SpecialConstants,
    /// The pairs of add-on images that it requires: the id, and the condition of the real one.
    pub add_ons: Vec<(String, Expr)>,
    /// Its place among the add-on images, if it is one.
    pub add_on: Option<AddOnImage>,
    /// The functions and variables that it imports.
    pub imports: Vec<String>,
}

impl LoadedImage {
    /// Reads the properties of an image.
    ///
    /// # Errors
    /// If they are malformed.
    pub fn new(given: ProgramImage) -> Result<LoadedImage, RuntimeError> {
        let error = |error| RuntimeError::Property { image: given.name.clone(), error };
        let set = |name| given.properties.get(name);
        let requirements = read(set(DEVICE_REQUIREMENTS), DeviceRequirements::from_set).map_err(error)?;
        let special = read(set(SPECIAL_CONSTANTS), SpecialConstants::from_set).map_err(error)?;
        let AddOnImages { pairs } = read(set(ADD_ON_IMAGES), AddOnImages::from_set).map_err(error)?;
        // The conditions were read with the set.
        let add_ons =
            pairs.into_iter().filter_map(|(id, series)| Some((id, Expr::from_series(&series).ok()?)));
        let add_ons = add_ons.collect();
        let add_on = set(ADD_ON_IMAGE).map(AddOnImage::from_set).transpose().map_err(error)?;
        let imports = set(IMPORTED_SYMBOLS).into_iter().flat_map(|set| &set.properties);
        let imports = imports.map(|(name, _)| name.clone()).collect();
        Ok(LoadedImage { requirements, special, add_ons, add_on, imports, given })
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.given.name
    }
}

fn read<T: Default>(
    set: Option<&PropertySet>,
    from: impl Fn(&PropertySet) -> Result<T, PropertyError>,
) -> Result<T, PropertyError> {
    set.map_or(Ok(T::default()), from)
}
