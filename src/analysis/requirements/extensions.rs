//! Facts on extensions beyond the grammar: `spec-extensions/extensions.csv`.

use std::sync::LazyLock;

use crate::text::csv;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// Its name.
    pub name: &'static str,
    /// The version of SPIR-V, as a module's header has it, that has all of it.
    pub core: Option<u32>,
    /// The prefix of the names of the extended instruction sets that it allows.
    pub import: Option<&'static str>,
    /// True if it is kept whatever the module contains.
    pub kept: bool,
}

/// The rows of the table.
pub fn extensions() -> &'static [Extension] {
    static EXTENSIONS: LazyLock<Vec<Extension>> = LazyLock::new(|| {
        let rows = csv::rows(include_str!("../../../spec-extensions/extensions.csv"));
        rows.map(|[name, core, import, kept, _source]: [&str; 5]| Extension {
            name,
            core: version(core),
            import: Some(import).filter(|import| !import.is_empty()),
            kept: !kept.is_empty(),
        })
        .collect()
    });
    &EXTENSIONS
}

/// A version such as 1.3 as a module's header has it.
fn version(text: &str) -> Option<u32> {
    let (major, minor) = text.split_once('.')?;
    Some(major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8)
}

/// True if all that an extension adds is part of a version of SPIR-V, as a module's header has it.
pub fn is_core(name: &str, version: u32) -> bool {
    let known = extensions().iter().find(|extension| extension.name == name);
    known.and_then(|extension| extension.core).is_some_and(|core| core <= version)
}
