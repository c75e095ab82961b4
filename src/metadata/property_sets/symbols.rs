//! The sets [`IMPORTED_SYMBOLS`] and [`EXPORTED_SYMBOLS`].

use super::{EXPORTED_SYMBOLS, IMPORTED_SYMBOLS, Property, PropertyError, PropertySet, PropertySets};
use crate::condition::{ConditionError, Expr};

/// The functions and variables that an image imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedSymbols {
    /// The linkage name of each symbol, and the condition under which the image uses it; [`Expr::True`] for
    /// always.
    pub symbols: Vec<(String, Expr)>,
}

impl ImportedSymbols {
    /// Replaces the set in `properties`, or removes it if there are no symbols. Names that a property cannot
    /// have are omitted.
    ///
    /// # Errors
    /// If a condition has no series.
    pub fn put(&self, properties: &mut PropertySets) -> Result<(), ConditionError> {
        let mut set = PropertySet::new(IMPORTED_SYMBOLS);
        for (name, condition) in self.symbols.iter().filter(|(name, _)| is_property(name)) {
            let value = match condition {
                Expr::True => Property::U32(1),
                condition => Property::from_i32s(&condition.to_series()?),
            };
            if set.get(name).is_none() {
                set.push(name.clone(), value);
            }
        }
        match set.properties.is_empty() {
            true => properties.sets.retain(|set| set.name != IMPORTED_SYMBOLS),
            false => properties.put(set),
        }
        Ok(())
    }

    /// Reads the set. DPC++ writes the integer 1 for an unconditional import, and 0 for none.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if a value is neither an integer nor exactly one condition expression.
    pub fn from_set(set: &PropertySet) -> Result<ImportedSymbols, PropertyError> {
        let is_listed = |(_, property): &&(String, Property)| *property != Property::U32(0);
        let symbols = set.properties.iter().filter(is_listed).map(|(name, property)| match property {
            Property::U32(_) => Ok((name.clone(), Expr::True)),
            _ => {
                let condition = Expr::from_series(&set.i32s(name, property)?);
                Ok((name.clone(), condition.map_err(|error| set.error(name, error.to_string()))?))
            }
        });
        Ok(ImportedSymbols { symbols: symbols.collect::<Result<_, _>>()? })
    }
}

/// Returns the names in the set of exported symbols in `properties`. A value of 0 means that the symbol is
/// not exported.
pub fn exported_symbols(properties: &PropertySets) -> impl Iterator<Item = &str> {
    let all = properties.get(EXPORTED_SYMBOLS).into_iter().flat_map(|set| &set.properties);
    all.filter(|(_, property)| *property != Property::U32(0)).map(|(name, _)| name.as_str())
}

/// Adds names to the set of exported symbols in `properties`, and creates the set if needed. Names that a
/// property cannot have are omitted.
pub fn add_exported<'n>(properties: &mut PropertySets, names: impl IntoIterator<Item = &'n String>) {
    let mut set = properties.get(EXPORTED_SYMBOLS).cloned().unwrap_or(PropertySet::new(EXPORTED_SYMBOLS));
    for name in names {
        if is_property(name) && set.get(name).is_none() {
            set.push(name.clone(), Property::U32(1));
        }
    }
    if !set.properties.is_empty() {
        properties.put(set);
    }
}

/// Returns true if a property can have this name, in a file and in a module.
fn is_property(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\n', '\r', '\0', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(text: &str) -> Result<ImportedSymbols, String> {
        let sets = PropertySets::parse("a.prop", text).map_err(|error| error.to_string())?;
        Ok(ImportedSymbols::from_set(&sets.sets[0]).unwrap())
    }

    #[test]
    fn conditions_of_imports_come_back() {
        let fp64 = Expr::from_series(&[-1, 6]).unwrap();
        let symbols = [("a", Expr::True), ("b", fp64.clone()), ("x=y", Expr::True), ("a", fp64)];
        let symbols = symbols.map(|(name, condition)| (name.to_owned(), condition)).to_vec();
        let mut properties = PropertySets::default();
        ImportedSymbols { symbols: symbols.clone() }.put(&mut properties).unwrap();
        let text = properties.to_text();
        assert_eq!(text, "[SYCL/imported symbols]\na=1|1\nb=2|ABAAAAAAAAw/////GAAAAA\n");
        assert_eq!(imported(&format!("{text}c=1|0\n")).unwrap().symbols, symbols[..2]);
        ImportedSymbols::default().put(&mut properties).unwrap();
        assert!(properties.sets.is_empty());
    }

    #[test]
    fn a_value_that_is_no_condition_is_an_error() {
        let error = imported("[SYCL/imported symbols]\na=2|AAAAAAAAAAA\n").unwrap_err();
        assert!(error.starts_with("a.prop:2: property `a`: "), "{error}");
    }

    #[test]
    fn exported_names_are_added_once() {
        let mut properties = PropertySets::default();
        add_exported(&mut properties, &[]);
        assert!(properties.sets.is_empty());
        add_exported(&mut properties, &["f".to_owned(), "g[0]".to_owned()]);
        add_exported(&mut properties, &["f".to_owned(), "v".to_owned()]);
        let text = properties.to_text();
        assert_eq!(text, "[SYCL/exported symbols]\nf=1|1\nv=1|1\n");
        let read = PropertySets::parse("a.prop", &format!("{text}w=1|0\n")).unwrap();
        assert_eq!(exported_symbols(&read).collect::<Vec<_>>(), ["f", "v"]);
    }
}
