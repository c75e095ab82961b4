//! Property sets of the device images in executables and libraries.

use super::{Property, PropertyError, PropertySet, PropertySets, from_prefixed};
use crate::loader::{self, ImageDescription, ImageProperty, SyclImage};

/// Finds the images that an executable or library lists.
///
/// # Errors
/// [`PropertyError::LinkedList`] if the list cannot be read.
pub fn linked_images(bytes: &[u8]) -> Result<Vec<SyclImage<'_>>, PropertyError> {
    loader::sycl_images(bytes).map_err(|reason| PropertyError::LinkedList { reason })
}

/// Returns the description of the image of this number in the order of the file.
///
/// # Errors
/// [`PropertyError::Linked`] if it cannot be read.
pub fn description<'i, 'a>(image: &'i SyclImage<'a>) -> Result<&'i ImageDescription<'a>, PropertyError> {
    let unreadable = |reason: &String| PropertyError::Linked { image: image.number, reason: reason.clone() };
    image.description.as_ref().map_err(unreadable)
}

impl PropertySets {
    /// Reads the property sets of an image in a linked file.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if a property is malformed, or not in the form that its name requires.
    #[doc(hidden)]
    pub fn from_linked(image: &ImageDescription) -> Result<PropertySets, PropertyError> {
        let mut sets = PropertySets::default();
        for (name, properties) in &image.sets {
            let mut set = PropertySet::new(name);
            for &(property, value) in properties {
                let value = match value {
                    ImageProperty::Number(number) => Ok(Property::U32(number)),
                    ImageProperty::Bytes([]) => Ok(Property::Bytes(Vec::new())),
                    ImageProperty::Bytes(bytes) => from_prefixed(bytes.to_vec()),
                };
                let is_second = set.get(property).is_some();
                let value = if is_second { Err("it is defined a second time".to_owned()) } else { value };
                set.push(property, value.map_err(|reason| set.error(property, reason))?);
            }
            set.check()?;
            sets.put(set);
        }
        Ok(sets)
    }
}
