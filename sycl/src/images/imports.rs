//! The conditions under which an image uses its imports.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{PipelineError, SplitImage};
use spirv_if::engine::analysis::ReadableConditions;
use spirv_if::engine::analysis::conditions::multi_target::declares_extension;
use spirv_if::engine::analysis::{Analyses, Annotated};
use spirv_if::engine::condition::Expr;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{ImportedSymbols, SpecialConstants, carried};
use spirv_if::engine::transform::{Edits, carry};
use spirv_if::engine::writer::apply;

/// Adds the conditions of imports to the properties of a packed image. Unused imports are removed from the properties.
///
/// # Errors
/// If the conditional code of the image is malformed.
pub fn with_conditions(mut image: SplitImage) -> Result<SplitImage, PipelineError> {
    let module = Module::from_words(&image.words[..])?;
    if image.imported.is_empty() {
        return Ok(image);
    }
    let analyses = Analyses::new(&module, Cow::Owned(Annotated::default()));
    let mut by_name = imports(&analyses, &image)?;
    let symbols = image.imported.iter().filter_map(|name| by_name.remove_entry(name));
    let symbols = symbols.filter(|(_, condition)| *condition != Expr::False).collect();
    let imports = ImportedSymbols { symbols };
    if imports.symbols.len() == image.imported.len()
        && imports.symbols.iter().all(|(_, condition)| *condition == Expr::True)
    {
        return Ok(image);
    }
    imports.put(&mut image.properties)?;
    image.imported = imports.symbols.into_iter().map(|(name, _)| name).collect();
    if carried::strings(&module).next().is_some() {
        let mut edits = Edits::new(&module);
        carry(&module, Some(&image.properties), &mut edits)?;
        image.words = apply(&module, &edits)?;
    }
    Ok(image)
}

/// Returns the imports of an image's module, each with the condition of its use.
fn imports(analyses: &Analyses, image: &SplitImage) -> Result<HashMap<String, Expr>, PipelineError> {
    let module = analyses.module();
    let mut by_name: HashMap<String, Expr> = HashMap::new();
    let imported = || analyses.names().linked().filter(|(_, linkage)| linkage.import);
    if !declares_extension(module) {
        by_name.extend(imported().map(|(_, linkage)| (linkage.name.into_owned(), Expr::True)));
        return Ok(by_name);
    }
    let presence = analyses.presence()?;
    let special = SpecialConstants::from_properties(&image.properties)?;
    let mut conditions = presence.conditions.clone();
    let mut readable = ReadableConditions::new(module, analyses.multi_target()?, &special, &mut conditions)?;
    for (id, linkage) in imported() {
        let condition = match readable.when(presence.condition(id), &mut conditions)? {
            // The user decides a condition on a constant of the program, on any device.
            Some(when) if !when.depends_on_constants() => when.expr,
            _ => Expr::True,
        };
        // Several declarations may import one name.
        let joined = match by_name.remove(&*linkage.name) {
            Some(other) if other != Expr::True && condition != Expr::True && other != condition => {
                Expr::Or(Box::new(other), Box::new(condition))
            }
            Some(Expr::True) => Expr::True,
            _ => condition,
        };
        by_name.insert(linkage.name.into_owned(), joined);
    }
    Ok(by_name)
}
