//! A module, with what is said of it beside its own words.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::{Annotations, Error};
use crate::analysis::{Analyses, Annotated, NameTable, Names};
use crate::device::Device;
use crate::loader;
use crate::sidecar::property_sets::{PropertySets, carried};

/// What no annotations file says.
static NOTHING: LazyLock<Annotated> = LazyLock::new(Annotated::default);

/// A SPIR-V module, with what is said of it beside its own words: its property sets, and what an annotations file says.
///
/// The module is its words: they are checked and indexed, borrowed where they can be, and never decoded as a whole.
///
/// ```
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0];
/// let module = spirv_if::Module::from_words(&words[..])?;
/// assert_eq!(module.version(), (1, 0));
/// # Ok::<(), spirv_if::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Module<'m> {
    pub(crate) inner: loader::Module<'m>,
    pub(crate) name: Cow<'m, str>,
    /// What is said beside the module and inside, if something is said beside it.
    pub(super) properties: Option<PropertySets>,
    pub(crate) annotated: Cow<'m, Annotated>,
    /// Where names stand in it, once annotations asked for them.
    pub(super) names: Option<Arc<NameTable>>,
    pub(crate) fixed_targets: Cow<'m, [Device]>,
    /// Of a module inside of a file: where it starts there, in bytes, and its bytes.
    pub(crate) inside: Option<(usize, &'m [u8])>,
}

impl<'m> Module<'m> {
    /// Loads the words of a module, in either byte order.
    ///
    /// # Errors
    /// [`Error::Load`], with the byte offset, where they are no module.
    pub fn from_words(words: impl Into<Cow<'m, [u32]>>) -> Result<Module<'m>, Error> {
        Ok(Module::of(loader::Module::from_words(words)?))
    }

    /// Loads the bytes of a module, in either byte order and at any alignment.
    ///
    /// # Errors
    /// [`Error::Load`], with the byte offset, where they are no module.
    pub fn from_bytes(bytes: &'m [u8]) -> Result<Module<'m>, Error> {
        Ok(Module::of(loader::Module::from_bytes(bytes)?))
    }

    pub(crate) fn of(inner: loader::Module<'m>) -> Module<'m> {
        Module {
            inner,
            name: Cow::Borrowed("the module"),
            properties: None,
            annotated: Cow::Borrowed(&NOTHING),
            names: None,
            fixed_targets: Cow::Borrowed(&[]),
            inside: None,
        }
    }

    /// With a name: what messages call it, and the translation unit of functions that do not say theirs.
    pub fn with_name(self, name: impl Into<Cow<'m, str>>) -> Module<'m> {
        Module { name: name.into(), ..self }
    }

    /// With the property sets beside it. A packed module carries its own, and needs none; those of other tools beside it count before
    /// those that it carries.
    ///
    /// # Errors
    /// Where they disagree with what the module carries: on what a SpecId stands for, or on what it requires of a device.
    pub fn with_properties(self, properties: PropertySets) -> Result<Module<'m>, Error> {
        let properties = properties.joined(carried::read(&self.inner)?)?;
        Ok(Module { properties: Some(properties), ..self })
    }

    /// With what an annotations file says of it. What follows for the functions of a [linked](crate::link) module from the modules that they
    /// are of counts where the file says nothing. Entries that match nothing here or elsewhere are told by
    /// [`Annotations::unmatched`].
    ///
    /// # Errors
    /// Where what the file says cannot be of the functions and constants that it matches.
    pub fn with_annotations(self, annotations: &Annotations) -> Result<Module<'m>, Error> {
        let table = self.names.clone().unwrap_or_else(|| Arc::new(NameTable::read(&self.inner)));
        let names = Names::of(&self.inner, Arc::clone(&table));
        let annotated = Annotated::resolve(&self.inner, &names, &annotations.inner)?;
        annotations.note(&annotated);
        let annotated = annotated.with_units(self.annotated.into_owned());
        Ok(Module { annotated: Cow::Owned(annotated), names: Some(table), ..self })
    }

    /// With the devices that all its code is meant for (`-fsycl-fixed-targets`), but for functions that annotations name others for. By
    /// default those that its property sets name, or else any device.
    pub fn with_fixed_targets(self, devices: impl Into<Cow<'m, [Device]>>) -> Module<'m> {
        Module { fixed_targets: devices.into(), ..self }
    }

    /// The words, in the host's byte order.
    pub fn words(&self) -> &[u32] {
        self.inner.words()
    }

    /// Where it starts in the file that it was found in ([`find_modules`](crate::find_modules)), in bytes.
    pub fn offset(&self) -> usize {
        self.inside.map_or(0, |(offset, _)| offset)
    }

    /// Its bytes, if it was found inside of a file, and nothing is said of it beside them.
    pub(crate) fn embedded(&self) -> Option<&'m [u8]> {
        let is_alone = self.properties.is_none()
            && matches!(self.annotated, Cow::Borrowed(_))
            && self.fixed_targets.is_empty();
        self.inside.filter(|_| is_alone).map(|(_, bytes)| bytes)
    }

    /// The version of SPIR-V, major and minor.
    pub fn version(&self) -> (u8, u8) {
        self.inner.version()
    }

    /// What its property sets say: those beside it, and those that it carries.
    ///
    /// # Errors
    /// Where what it carries is malformed.
    pub fn properties(&self) -> Result<Cow<'_, PropertySets>, Error> {
        match &self.properties {
            Some(properties) => Ok(Cow::Borrowed(properties)),
            None => Ok(Cow::Owned(carried::read(&self.inner)?)),
        }
    }

    /// What is known of it.
    pub(crate) fn analyses(&self) -> Analyses<'_> {
        let analyses = Analyses::new(&self.inner, Cow::Borrowed(&self.annotated));
        match &self.names {
            Some(table) => analyses.with_names(Names::of(&self.inner, Arc::clone(table))),
            None => analyses,
        }
    }
}
