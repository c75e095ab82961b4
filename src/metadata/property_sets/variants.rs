//! The set [`VARIANTS`].

use super::{Property, PropertyError, PropertySet, PropertySets, VARIANTS};
use crate::condition::Expr;
use crate::loader::check_version;

const CONDITION: &str = "condition-";
const VERSION: &str = "version-";
const BUFFER_BLOCKS: &str = "buffer-blocks-";
const NOTES: &str = "notes-";
const NUMBER_OF_NOTES: &str = "notes";

/// The unconditional differences between the variants of a merged module, which specializing restores in the
/// selected variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// Number of OpString, OpSource, OpSourceExtension and OpModuleProcessed in the module.
    pub notes: u32,
    /// The variants.
    pub all: Vec<VariantForm>,
}

/// The form of a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantForm {
    /// The condition expression (int32 series) that selects the variant; `None` for always.
    pub condition: Option<Vec<i32>>,
    /// SPIR-V version of the variant, encoded as in a module's header.
    pub version: u32,
    /// True if storage buffers of the variant are structures decorated BufferBlock.
    pub buffer_blocks: bool,
    /// Notes of the variant among those of the module, as ranges: the index of the first and the count.
    pub notes: Vec<(u32, u32)>,
}

impl VariantForm {
    /// Returns true if the variant has a note of the module.
    pub fn has_note(&self, number: u32) -> bool {
        let at = self.notes.partition_point(|&(first, _)| first <= number);
        let before = at.checked_sub(1).and_then(|at| self.notes.get(at));
        before.is_some_and(|&(first, count)| number - first < count)
    }
}

impl Variants {
    /// Reads the variants in property sets, if they have such a set.
    ///
    /// # Errors
    /// If the set is malformed.
    pub fn from_properties(properties: &PropertySets) -> Result<Option<Variants>, PropertyError> {
        properties.get(VARIANTS).map(Variants::from_set).transpose()
    }

    /// Returns the property set.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(VARIANTS);
        set.push(NUMBER_OF_NOTES, Property::U32(self.notes));
        for (number, variant) in self.all.iter().enumerate() {
            if let Some(condition) = &variant.condition {
                set.push(format!("{CONDITION}{number}"), Property::from_i32s(condition));
            }
            set.push(format!("{VERSION}{number}"), Property::U32(variant.version));
            if variant.buffer_blocks {
                set.push(format!("{BUFFER_BLOCKS}{number}"), Property::U32(1));
            }
            let notes: Vec<u32> = variant.notes.iter().flat_map(|&(first, count)| [first, count]).collect();
            set.push(format!("{NOTES}{number}"), Property::from_u32s(&notes));
        }
        set
    }

    /// Reads the property set.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if a value is malformed.
    pub fn from_set(set: &PropertySet) -> Result<Variants, PropertyError> {
        let number = |name: &str| match set.get(name) {
            None => Ok(None),
            Some(Property::U32(number)) => Ok(Some(*number)),
            Some(_) => Err(set.error(name, "not an integer")),
        };
        let mut variants = Variants { notes: number(NUMBER_OF_NOTES)?.unwrap_or(0), all: Vec::new() };
        while let Some(version) = number(&format!("{VERSION}{}", variants.all.len()))? {
            let name = |start: &str| format!("{start}{}", variants.all.len());
            check_version(version).map_err(|problem| set.error(&name(VERSION), problem.to_string()))?;
            let (condition, notes) = (name(CONDITION), name(NOTES));
            let series = set.get(&condition).map(|series| set.i32s(&condition, series)).transpose()?;
            if let Some(series) = &series {
                Expr::from_series(series).map_err(|error| set.error(&condition, error.to_string()))?;
            }
            let words = set.get(&notes).map_or(Ok(Vec::new()), |property| set.u32s(&notes, property))?;
            let (runs, []) = words.as_chunks() else {
                return Err(set.error(&notes, "not a series of pairs"));
            };
            let runs: Vec<(u32, u32)> = runs.iter().map(|[first, count]| (*first, *count)).collect();
            if !runs.is_sorted() {
                return Err(set.error(&notes, "not in ascending order"));
            }
            let variant = VariantForm {
                condition: series,
                version,
                buffer_blocks: number(&name(BUFFER_BLOCKS))?.is_some_and(|value| value != 0),
                notes: runs,
            };
            variants.all.push(variant);
        }
        Ok(variants)
    }
}
