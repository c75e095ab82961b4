//! The sets [`ADD_ON_IMAGES`] and [`ADD_ON_IMAGE`].

use std::collections::HashSet;

use super::{ADD_ON_IMAGE, ADD_ON_IMAGES, Property, PropertyError, PropertySet};
use crate::condition::Expr;

/// The pairs of add-on images that an image requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddOnImages {
    /// The id of each pair, and the condition expression (int32 series) for linking the image with the real
    /// definitions.
    pub pairs: Vec<(String, Vec<i32>)>,
}

/// The place of an add-on image in its pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddOnRecord {
    /// The id of the pair.
    pub id: String,
    /// True for the image with the real definitions, false for the one with the stubs.
    pub real: bool,
}

impl AddOnImages {
    /// Returns the property set.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(ADD_ON_IMAGES);
        for (id, condition) in &self.pairs {
            set.push(id.clone(), Property::from_i32s(condition));
        }
        set
    }

    /// Reads the property set.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if a value is not exactly one condition expression, or an id is duplicate.
    pub fn from_set(set: &PropertySet) -> Result<AddOnImages, PropertyError> {
        let mut pairs = Vec::new();
        let mut seen = HashSet::new();
        for (id, property) in &set.properties {
            let condition = set.i32s(id, property)?;
            Expr::from_series(&condition).map_err(|error| set.error(id, error.to_string()))?;
            if !seen.insert(id) {
                return Err(set.error(id, "the id is there twice"));
            }
            pairs.push((id.clone(), condition));
        }
        Ok(AddOnImages { pairs })
    }
}

impl AddOnRecord {
    /// Returns the property set.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(ADD_ON_IMAGE);
        set.push(self.id.clone(), Property::U32(self.real.into()));
        set
    }

    /// Reads the property set.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if the set does not have exactly one property, or its value is not the
    /// integer 0 or 1.
    pub fn from_set(set: &PropertySet) -> Result<AddOnRecord, PropertyError> {
        let [(id, property)] = &set.properties[..] else {
            let last = set.properties.last().map_or("", |(name, _)| name);
            let count = set.properties.len();
            return Err(set.error(last, format!("an add-on image has exactly one id, and here are {count}")));
        };
        let real = match property {
            Property::U32(0) => false,
            Property::U32(1) => true,
            _ => return Err(set.error(id, "neither 1 (real definitions) nor 0 (stubs), as an integer")),
        };
        Ok(AddOnRecord { id: id.clone(), real })
    }
}

#[cfg(test)]
mod tests {
    use super::super::PropertySets;
    use super::*;

    fn reads(text: &str) -> Result<PropertySets, String> {
        PropertySets::parse("a.prop", text).map_err(|error| error.to_string())
    }

    /// Checks the sets of the design's example, byte for byte.
    #[test]
    fn come_back_from_their_text() {
        let images =
            AddOnImages { pairs: vec![("1".to_owned(), vec![-1, 5]), ("2".to_owned(), vec![-3, -2, 20])] };
        let (real, stub) =
            (AddOnRecord { id: "1".to_owned(), real: true }, AddOnRecord { id: "2".to_owned(), real: false });
        let text = |set: PropertySet| PropertySets { sets: vec![set] }.to_text();
        assert_eq!(
            text(images.to_set()),
            "[SYCL/add on images]\n1=2|ABAAAAAAAAw/////FAAAAA\n2=2|gBAAAAAAAAQ/////+////TBAAAA\n"
        );
        assert_eq!(text(real.to_set()), "[SYCL/add on image]\n1=1|1\n");
        assert_eq!(text(stub.to_set()), "[SYCL/add on image]\n2=1|0\n");
        let set = |set: PropertySet| reads(&text(set)).unwrap().sets.remove(0);
        assert_eq!(AddOnImages::from_set(&set(images.to_set())).unwrap(), images);
        assert_eq!(AddOnRecord::from_set(&set(real.to_set())).unwrap(), real);
        assert_eq!(AddOnRecord::from_set(&set(stub.to_set())).unwrap(), stub);
    }

    #[test]
    fn malformed_sets_are_errors_when_read() {
        let error = |text: &str| reads(text).unwrap_err();
        assert_eq!(
            error("[SYCL/add on images]\n1=1|5\n"),
            "a.prop:2: property `1`: an integer, not an array of 32-bit integers"
        );
        // Empty.
        assert!(error("[SYCL/add on images]\n1=2|AAAAAAAAAAA\n").starts_with("a.prop:2: property `1`: "));
        assert_eq!(
            error("[SYCL/add on image]\n1=1|2\n"),
            "a.prop:2: property `1`: neither 1 (real definitions) nor 0 (stubs), as an integer"
        );
        assert_eq!(
            error("[SYCL/add on image]\n1=1|1\n2=1|1\n"),
            "a.prop:3: property `2`: an add-on image has exactly one id, and here are 2"
        );
        let twice = PropertySet {
            name: ADD_ON_IMAGES.to_owned(),
            properties: vec![("1".to_owned(), Property::from_i32s(&[-1, 5])); 2],
        };
        assert!(AddOnImages::from_set(&twice).is_err());
        assert!(AddOnRecord::from_set(&PropertySet::new(ADD_ON_IMAGE)).is_err());
    }
}
