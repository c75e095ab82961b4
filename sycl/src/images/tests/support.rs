//! Splitting in tests.

use std::borrow::Cow;

use spirv_if::engine::analysis::Analyses;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::images::{SplitError, SplitImage, SplitInput, SplitMode, SplitOptions, SplitPlan, split};
use crate::tests::corpus::{Fixture, fixtures};
use spirv_if::engine::loader::Module;
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::split::SplitRoot;
use spirv_if::property_sets::PropertySets;

pub const MODES: [SplitMode; 4] = [SplitMode::Kernel, SplitMode::Source, SplitMode::Off, SplitMode::Auto];

/// The images of a module, each with its plan, and the roots that plans refer to by number.
pub struct Images {
    pub roots: Vec<SplitRoot>,
    pub images: Vec<(SplitPlan, SplitImage)>,
}

/// Splits a module without other files.
pub fn images(words: &[u32], mode: SplitMode) -> Result<Images, PipelineError> {
    let module = Module::from_words(words).unwrap();
    images_of(&Analyses::new(&module, Cow::default()), mode)
}

fn images_of(analyses: &Analyses, mode: SplitMode) -> Result<Images, PipelineError> {
    let properties = PropertySets::default();
    let input = SplitInput { source: "module", ..SplitInput::default() };
    let annotated = Cow::Owned(analyses.annotated().clone());
    let analyses = analyses.with_annotations(annotated).keeping_properties(true);
    let split = split(analyses, Cow::Owned(properties), input, SplitOptions::new().mode(mode))?;
    let images = split.plans().iter().map(|plan| Ok((plan.clone(), split.image(plan)?)));
    Ok(Images { roots: split.roots().to_vec(), images: images.collect::<Result<_, PipelineError>>()? })
}

/// A fixture, split in one mode.
pub struct SplitFixture {
    pub fixture: &'static Fixture,
    pub mode: SplitMode,
    pub split: Images,
}

/// Returns every fixture that can be split, in every mode. They are split once.
pub fn split_fixtures() -> &'static [SplitFixture] {
    static SPLIT: LazyLock<Vec<SplitFixture>> = LazyLock::new(|| {
        let mut splits = Vec::new();
        for fixture in fixtures() {
            for mode in MODES {
                let split = match images_of(fixture.plain.analyses(), mode) {
                    Err(error)
                        if matches!(error.cause(), Some(SplitError::NoEntryPoint | SplitError::NoRoots)) =>
                    {
                        continue;
                    }
                    split => split.unwrap_or_else(|error| panic!("{} {mode:?}: {error}", fixture.name)),
                };
                splits.push(SplitFixture { fixture, mode, split });
            }
        }
        splits
    });
    &SPLIT
}

/// Returns the functions of a module.
pub fn functions(module: &Module) -> BTreeSet<u32> {
    module.functions().iter().map(|function| function.id).collect()
}
