//! A packed image, and the module without conditions from which its family is made.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::declare::{ConditionalAction, declare};
use crate::images::SplitImage;
use crate::unit_names::UnitNames;
use spirv_if::engine::analysis::ReadableConditions;
use spirv_if::engine::analysis::conditions::names::ordinary;
use spirv_if::engine::analysis::requirements::closure;
use spirv_if::engine::analysis::{Analyses, Annotated, Names};
use spirv_if::engine::condition::Expr;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::metadata::property_sets::SpecialConstants;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::split::{SplitGraph, SplitRoot, roots};
use spirv_if::engine::writer::apply;

/// A packed image, prepared.
pub struct AddOnSource {
    /// The image as it was packed.
    pub(super) image: SplitImage,
    /// The module without conditions: the images are parts of it.
    pub(super) module: Module<'static>,
    pub(super) actions: Vec<ConditionalAction>,
    /// The annotations of functions that apply once calls are decided.
    pub(super) annotated: Annotated,
    /// The capabilities that the packed image declares unconditionally, and those that they imply.
    pub(super) always: BTreeSet<u32>,
    /// The conditional capabilities, with their implied capabilities and their conditions. An unknown condition is `None`.
    pub(super) conditional: Vec<(Vec<u32>, Option<Expr>)>,
    /// The constants of SPV_INTEL_function_variants that no main image can have.
    pub(super) device_constants: Vec<u32>,
}

impl AddOnSource {
    /// Prepares an image.
    ///
    /// # Errors
    /// See [`PipelineError`].
    pub fn new(mut image: SplitImage, annotated: &Annotated) -> Result<AddOnSource, PipelineError> {
        let packed = Module::from_words(&image.words[..])?;
        let analyses = Analyses::new(&packed, Cow::Owned(Annotated::default()));
        let multi_target = analyses.multi_target()?;
        let special = SpecialConstants::from_properties(&image.properties)?;
        let summaries = analyses.summaries()?;
        let mut conditions = summaries.conditions.clone();
        let mut readable = ReadableConditions::new(&packed, multi_target, &special, &mut conditions)?;
        let mut meaning = |constant: u32| {
            let condition =
                summaries.existing(constant, &mut conditions).map_err(|error| error.to_string())?;
            let when = readable.when(condition, &mut conditions).map_err(|error| error.to_string())?;
            match when {
                None => Ok(Expr::True),
                Some(when) if when.depends_on_constants() => Err(when.to_string()),
                Some(when) => Ok(when.expr),
            }
        };
        let declared = declare(&analyses, &mut meaning)?;
        let inst = |&offset: &u32| views::Capability(packed.instruction(offset));
        let conditional = multi_target.capabilities.iter().map(inst).map(|inst| {
            let known = inst.condition().and_then(|constant| meaning(constant).ok());
            (closure([inst.capability()].into_iter()), known)
        });
        let always = packed.capabilities().filter(|inst| inst.condition().is_none());
        let always = closure(always.map(|inst| inst.capability())).into_iter().collect();
        let conditional = conditional.collect();
        let device_constants = multi_target.device_constants.iter();
        let device_constants = device_constants.filter_map(|&offset| packed.instruction(offset).result_id());
        let device_constants = device_constants.collect();
        // An exported function that is conditional by its name is called like any other there.
        for symbol in &mut image.symbols {
            *symbol = ordinary(symbol).into_owned();
        }
        let module = Module::from_words(apply(&packed, &declared.edits)?)?;
        let annotated = annotated.after_calls(&module);
        let actions = declared.actions;
        Ok(AddOnSource { module, actions, annotated, always, conditional, device_constants, image })
    }

    /// Reserves the names that images of the family export or import.
    pub fn reserve(&self, names: &mut UnitNames) {
        let module_names = Names::new(&self.module);
        module_names.linked().for_each(|(_, linkage)| names.reserve(&linkage.name));
        self.image.symbols.iter().for_each(|name| names.reserve(name));
    }

    pub(super) fn analyses(&self) -> Analyses<'_> {
        Analyses::new(&self.module, Cow::Borrowed(&self.annotated))
    }

    pub(super) fn graph(&self) -> SplitGraph<'_> {
        SplitGraph::new(&self.module, [])
    }

    /// Returns the roots of the main image, which are those of the packed image.
    pub(super) fn main_roots(&self, graph: &SplitGraph, names: &Names) -> Vec<SplitRoot> {
        let mut roots = roots(graph, names);
        roots.retain(|root| root.entry_point.is_some() || self.image.symbols.contains(&root.name));
        roots
    }
}
