//! Exports of one name that no selected image imports. Only their own images use them.

use std::collections::BTreeSet;

use spirv::LinkageType;

use spirv_if::engine::collections::OrderedMap;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::Edits;
use spirv_if::engine::transform::link::{is_import, linkage};
use spirv_if::engine::writer::apply;

/// Removes the linkage of names that several modules export and no module imports.
pub fn hide_exports(modules: &mut [Module]) -> Result<(), PipelineError> {
    let is_export =
        |decoration: &views::Decoration| decoration.words().last() == Some(&(LinkageType::Export as u32));
    let mut imported = BTreeSet::new();
    let mut exporters: OrderedMap<String, usize> = OrderedMap::new();
    for decoration in modules.iter().flat_map(|module| module.annotations().filter_map(linkage)) {
        if is_import(&decoration) {
            imported.insert(decoration.text().into_owned());
        } else if is_export(&decoration) {
            *exporters.entry(decoration.text().into_owned()).or_default() += 1;
        }
    }
    exporters.retain(|name, count| *count > 1 && !imported.contains(name));
    if exporters.is_empty() {
        return Ok(());
    }
    for module in modules {
        let mut edits = Edits::new(module);
        let exports = module.annotations().filter_map(linkage).filter(is_export);
        exports
            .filter(|decoration| exporters.contains_key(&*decoration.text()))
            .for_each(|decoration| edits.drop(&decoration));
        if !edits.is_empty() {
            *module = Module::from_words(apply(module, &edits)?)?;
        }
    }
    Ok(())
}
