//! What somebody asks about by name: an aspect, a capability or an extension.

use std::collections::BTreeSet;

use crate::analysis::requirements::{Requirement, RequirementId, extensions};
use crate::device::nearest::nearest;
use crate::device::{DeviceError, aspects, capabilities};

/// The subject of [`Study::why`](super::Study::why).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Any of these capabilities: one that was named, or all that need an aspect.
    Capabilities(Vec<u32>),
    /// An extension.
    Extension(String),
}

impl Question {
    /// The question that a name stands for; upper and lower case are alike.
    ///
    /// # Errors
    /// Where nothing is called so, with the names nearest to it; and where it is an aspect that no capability needs.
    pub fn parse(name: &str) -> Result<Question, DeviceError> {
        let unknown = |what: &'static str, nearest: Vec<String>| {
            Err(DeviceError::UnknownName { what, name: name.to_owned(), nearest })
        };
        if let Some(aspect) = find(name, aspects::names()).and_then(aspects::number) {
            let needs = |number: &u32| capabilities::aspects_of(*number).any(|own| own == aspect);
            let numbers: Vec<u32> =
                capabilities::names().filter_map(capabilities::number).filter(needs).collect();
            return match numbers.is_empty() {
                true => unknown(
                    "requirement (it is an aspect, but no capability tells that code needs it)",
                    Vec::new(),
                ),
                false => Ok(Question::Capabilities(numbers)),
            };
        }
        // Aliases are no names of the table.
        if let Some(number) = capabilities::number(name)
            .or_else(|| find(name, capabilities::names()).and_then(capabilities::number))
        {
            return Ok(Question::Capabilities(vec![number]));
        }
        let extensions = extension_names();
        if let Some(extension) = find(name, extensions.iter().copied()) {
            return Ok(Question::Extension(extension.to_owned()));
        }
        let all = aspects::names().chain(capabilities::names()).chain(extensions);
        unknown("aspect, capability or extension", nearest(name, all))
    }
}

fn find<'a>(name: &str, mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    names.find(|own| own.eq_ignore_ascii_case(name))
}

/// The extensions that anything is known of.
fn extension_names() -> BTreeSet<&'static str> {
    let required = RequirementId::all().filter_map(|id| match id.get() {
        Requirement::Extensions(any) => Some(any),
        Requirement::Capabilities(_) => None,
    });
    let listed = extensions().iter().map(|extension| extension.name);
    required.flatten().copied().chain(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_kind() {
        let fp64 = Question::Capabilities(vec![spirv::Capability::Float64 as u32]);
        assert_eq!(Question::parse("fp64"), Ok(fp64.clone()));
        assert_eq!(Question::parse("float64"), Ok(fp64));
        let extension = Question::Extension("SPV_KHR_16bit_storage".to_owned());
        assert_eq!(Question::parse("SPV_KHR_16bit_storage"), Ok(extension));
        let error = Question::parse("flaot64").unwrap_err().to_string();
        assert!(error.contains("Float64"), "{error}");
        let error = Question::parse("gpu").unwrap_err().to_string();
        assert!(error.contains("no capability"), "{error}");
    }
}
