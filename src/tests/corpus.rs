//! The fixtures, and data that many tests derive from them. Everything is computed once, when a test first
//! uses it.

// The tests of each package use a part.
#![allow(dead_code)]

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::test_support;
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::loader::Module;
use spirv_if::engine::pipelines::property_sets::property_sets;
use spirv_if::engine::transform::condition_constants::UnwritableCondition;
use spirv_if::engine::transform::pack::{PackError, PackResult, pack};
use spirv_if::engine::writer::apply;
use spirv_if::module::Annotations;
use spirv_if::pack::{Dialect, PackOptions};
use spirv_if::property_sets::{PropertyNames, PropertySets};

/// A module with its analyses.
pub struct Analysed {
    /// Words of the module.
    pub words: Vec<u32>,
    module: OnceLock<Module<'static>>,
    analyses: OnceLock<Arc<Analyses<'static>>>,
}

impl Analysed {
    fn new(words: Vec<u32>) -> Analysed {
        Analysed { words, module: OnceLock::new(), analyses: OnceLock::new() }
    }

    /// Returns the module.
    pub fn module(&'static self) -> &'static Module<'static> {
        self.module.get_or_init(|| Module::from_words(&self.words[..]).unwrap())
    }

    /// Returns the analyses of the module.
    pub fn analyses(&'static self) -> &'static Arc<Analyses<'static>> {
        self.analyses.get_or_init(|| Arc::new(Analyses::new(self.module(), Cow::default())))
    }
}

/// A file below `fixtures`.
pub struct Fixture {
    /// Path below `fixtures`.
    pub name: String,
    /// The module as the compiler wrote it.
    pub plain: Analysed,
    spec_conditional: OnceLock<Option<PackedFixture>>,
    function_variants: OnceLock<Option<PackedFixture>>,
    environment: OnceLock<Option<&'static str>>,
}

/// A fixture, packed without annotations.
pub struct PackedFixture {
    /// The findings of packing.
    pub packed: PackResult,
    /// The property sets of the result.
    pub properties: PropertySets,
    /// The packed module.
    pub result: Analysed,
}

/// Returns all fixtures, by name.
pub fn fixtures() -> &'static [Fixture] {
    static FIXTURES: LazyLock<Vec<Fixture>> = LazyLock::new(|| {
        let new = |(name, words)| Fixture {
            name,
            plain: Analysed::new(words),
            spec_conditional: OnceLock::new(),
            function_variants: OnceLock::new(),
            environment: OnceLock::new(),
        };
        test_support::fixtures().into_iter().map(new).collect()
    });
    &FIXTURES
}

/// Returns the fixtures of the share that runs ([`test_support::in_share`]).
pub fn share_of_fixtures(parts: usize) -> impl Iterator<Item = &'static Fixture> {
    (0..)
        .zip(fixtures())
        .filter(move |(number, _)| test_support::in_share(*number, parts))
        .map(|(_, fixture)| fixture)
}

/// Returns the fixture of this name.
pub fn fixture(name: &str) -> &'static Fixture {
    fixtures().iter().find(|fixture| fixture.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// Returns the annotations file of a fixture, if it has one.
pub fn annotations(name: &str) -> Option<Annotations> {
    let file = test_support::root().join("fixtures").join(name.replace("-O.", "."));
    let text = std::fs::read_to_string(file.with_extension("yaml")).ok()?;
    Some(Annotations::from_yaml(name, &text).unwrap())
}

impl Fixture {
    /// Returns the words of the module as the compiler wrote it.
    pub fn words(&self) -> &[u32] {
        &self.plain.words
    }

    /// Returns the fixture, packed; `None` if the dialect cannot express it.
    pub fn packed(&'static self, dialect: Dialect) -> Option<&'static PackedFixture> {
        let is_first = dialect == Dialect::SpecConditional;
        let cell = if is_first { &self.spec_conditional } else { &self.function_variants };
        let new = || {
            let packed = pack(self.plain.analyses(), &PackOptions::new().dialect(dialect));
            let packed = match packed {
                Err(PackError::Unwritable(UnwritableCondition::Inexpressible(..)))
                    if dialect == Dialect::FunctionVariants =>
                {
                    return None;
                }
                packed => packed.unwrap_or_else(|error| panic!("{} {dialect:?}: {error}", self.name)),
            };
            let properties = property_sets(&packed, PropertyNames::Design).unwrap();
            let words = apply(self.plain.module(), &packed.edits).unwrap();
            Some(PackedFixture { packed, properties, result: Analysed::new(words) })
        };
        cell.get_or_init(new).as_ref()
    }

    /// Returns the environment in which the module is valid, of those that are tried.
    pub fn environment(&self) -> Option<&'static str> {
        let environments = ["vulkan1.3", "opencl2.2", "spv1.2", "spv1.6"];
        let find =
            || environments.into_iter().find(|environment| test_support::is_valid(self.words(), environment));
        *self.environment.get_or_init(find)
    }
}
