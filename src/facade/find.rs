//! Modules in files of any kind.

use super::Module;
use crate::loader;

/// A possible module in the bytes of a file.
pub struct Candidate<'a> {
    bytes: &'a [u8],
    /// `None` if the whole file is one.
    inside: Option<loader::Candidate<'a>>,
}

/// The possible modules in the bytes of a file: a module itself, a library, an executable, an archive. They are in order of offset, and do not
/// overlap. Candidates can be loaded in any order, and in parallel.
///
/// ```
/// let file = [b"something else", &std::fs::read("fixtures/opencl/plain.spv")?[..]].concat();
/// let modules: Vec<_> = spirv_if::find_modules(&file).filter_map(|candidate| candidate.load()).collect();
/// assert_eq!((modules.len(), modules[0].offset()), (1, 14));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn find_modules(bytes: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    // A file that starts as a module and does not load may contain modules all the same.
    let whole = loader::Module::from_bytes(bytes).is_ok();
    let inside = (!whole).then(|| loader::embedded_candidates(bytes)).into_iter().flatten();
    let whole = whole.then_some(Candidate { bytes, inside: None });
    whole.into_iter().chain(inside.map(move |inside| Candidate { bytes, inside: Some(inside) }))
}

impl<'a> Candidate<'a> {
    /// Loads the module; `None` if there is none.
    pub fn load(&self) -> Option<Module<'a>> {
        match &self.inside {
            None => Module::from_bytes(self.bytes).ok(),
            Some(inside) => {
                let (place, module) = inside.load()?;
                Some(Module {
                    inside: Some((place.offset, &self.bytes[place.range()])),
                    ..Module::of(module)
                })
            }
        }
    }
}
