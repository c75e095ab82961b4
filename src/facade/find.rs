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
/// overlap. Candidates can be loaded in any order, and in parallel. A file that begins with the magic number is a module, or modules one after the
/// other: if something else is between them, there are none, and [`Module::from_bytes`] says why it is no module.
///
/// ```
/// let file = [b"something else", &std::fs::read("fixtures/opencl/plain.spv")?[..]].concat();
/// let modules: Vec<_> = spirv_if::find_modules(&file).filter_map(|candidate| candidate.load()).collect();
/// assert_eq!((modules.len(), modules[0].offset()), (1, 14));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn find_modules(bytes: &[u8]) -> impl Iterator<Item = Candidate<'_>> {
    let loaded = loader::Module::from_bytes(bytes);
    let is_other = loaded.as_ref().is_err_and(|error| error.is_of_other_format() || is_of_modules(bytes));
    let inside = is_other.then(|| loader::embedded_candidates(bytes)).into_iter().flatten();
    let whole = loaded.is_ok().then_some(Candidate { bytes, inside: None });
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

/// True if a file is made of modules, with nothing but zeros between and after them.
fn is_of_modules(bytes: &[u8]) -> bool {
    let is_empty = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    let mut end = 0;
    for (inside, _) in loader::embedded_candidates(bytes).filter_map(|candidate| candidate.load()) {
        if !is_empty(&bytes[end..inside.offset]) {
            return false;
        }
        end = inside.offset + inside.size;
    }
    end > 0 && is_empty(&bytes[end..])
}
