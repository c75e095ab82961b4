//! Specialization of a module in text, with the names of the remaining definitions.

// Each test program uses a part of it.
#![allow(dead_code)]

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::loader::Module;
use crate::test_support::{assemble_named, assert_valid};
use crate::transform::specialize::{
    KnownValues, SpecializeError, SpecializeOutcome, UnsetPolicy, specialize,
};
use crate::writer::apply;

/// The known facts of a device in a test. Facts that are not listed are not known.
#[derive(Clone, Debug, Default)]
pub struct KnownDevice {
    pub spec_constants: Vec<(u32, u64)>,
    pub target: Option<(u32, Vec<u32>)>,
    pub architecture: Option<(u32, u32, u32)>,
    pub capabilities: Option<Vec<u32>>,
}

impl KnownValues for KnownDevice {
    fn spec_constant(&self, spec_id: u32) -> Option<u64> {
        self.spec_constants.iter().find(|(known, _)| *known == spec_id).map(|&(_, value)| value)
    }
    fn target(&self, target: u32, features: &[u32]) -> Option<bool> {
        let (known_target, known_features) = self.target.as_ref()?;
        Some(*known_target == target && features.iter().all(|feature| known_features.contains(feature)))
    }
    fn architecture(&self, category: u32, family: u32, opcode: u32, architecture: u32) -> Option<bool> {
        let (known_category, known_family, known_architecture) = self.architecture?;
        let holds = match opcode {
            170 => known_architecture == architecture,
            174 => known_architecture >= architecture,
            176 => known_architecture < architecture,
            _ => return None,
        };
        Some((known_category, known_family) == (category, family) && holds)
    }
    fn capabilities(&self, capabilities: &[u32]) -> Option<bool> {
        let known = self.capabilities.as_ref()?;
        Some(capabilities.iter().all(|capability| known.contains(capability)))
    }
}

/// Returns a device of which these specialization constants are known.
pub fn knows(spec_constants: &[(u32, u64)]) -> KnownDevice {
    KnownDevice { spec_constants: spec_constants.to_vec(), ..KnownDevice::default() }
}

/// A module in text, and its words.
pub struct SpecializeCase {
    pub words: Vec<u32>,
    /// The numbers that spirv-as gives names: by first appearance.
    ids: BTreeMap<String, u32>,
}

/// The result of specializing a [`SpecializeCase`].
pub struct SpecializedCase<'c> {
    case: &'c SpecializeCase,
    pub words: Vec<u32>,
    pub report: SpecializeOutcome,
}

impl SpecializeCase {
    /// Assembles a module.
    pub fn new(text: &str) -> SpecializeCase {
        // OpenCL environments take nothing newer.
        let version = if text.contains("OpCapability Kernel") { "spv1.2" } else { "spv1.6" };
        let (words, ids) = assemble_named(text, version);
        SpecializeCase { words, ids }
    }

    pub fn has(&self, name: &str) -> bool {
        self.ids.contains_key(name)
    }

    pub fn id(&self, name: &str) -> u32 {
        self.ids[name]
    }

    /// Returns the name of an id.
    pub fn name(&self, id: u32) -> &str {
        self.ids.iter().find(|(_, known)| **known == id).map_or("?", |(name, _)| name)
    }

    pub fn valid(self, environment: &str) -> SpecializeCase {
        assert_valid(&self.words, environment);
        self
    }

    pub fn with(
        &self,
        device: &KnownDevice,
        set: &[(u32, u64)],
        unset: UnsetPolicy,
    ) -> Result<SpecializedCase<'_>, SpecializeError> {
        let module = Module::from_words(&self.words).unwrap();
        let specialized = specialize(&Analyses::new(&module, Cow::default()), device, set, unset.into())?;
        let words = apply(&module, &specialized.edits).unwrap();
        Ok(SpecializedCase { case: self, words, report: specialized.report })
    }

    pub fn on(&self, device: &KnownDevice) -> SpecializedCase<'_> {
        self.with(device, &[], UnsetPolicy::Keep).unwrap()
    }

    pub fn defaults(&self, device: &KnownDevice) -> SpecializedCase<'_> {
        self.with(device, &[], UnsetPolicy::Default).unwrap()
    }

    pub fn error(&self, device: &KnownDevice) -> String {
        match self.with(device, &[], UnsetPolicy::Keep) {
            Ok(outcome) => panic!("no error, but {:?}", outcome.removed_names()),
            Err(error) => error.to_string(),
        }
    }
}

fn defined(words: &[u32]) -> BTreeSet<u32> {
    Module::from_words(words).unwrap().instructions().filter_map(|inst| inst.result_id()).collect()
}

impl SpecializedCase<'_> {
    /// Validates the result by spirv-val.
    pub fn valid(&self, environment: &str) -> &Self {
        assert_valid(&self.words, environment);
        self
    }

    pub fn removed_names(&self) -> Vec<&str> {
        let (before, after) = (defined(&self.case.words), defined(&self.words));
        let is_removed = |id: &u32| before.contains(id) && !after.contains(id);
        self.case.ids.iter().filter(|(_, id)| is_removed(id)).map(|(name, _)| name.as_str()).collect()
    }

    /// Checks that exactly these names are no longer defined, and that nothing in the result mentions them.
    pub fn removed(&self, names: &str) -> &Self {
        let mut expected: Vec<&str> = names.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(self.removed_names(), expected);
        let module = Module::from_words(&self.words).unwrap();
        for inst in module.instructions() {
            module.walk(&inst, &mut |_: usize, id: u32| {
                let mentioned = expected.iter().find(|name| self.case.ids[**name] == id);
                assert_eq!(mentioned, None, "in {}", inst.name());
            });
        }
        self
    }

    /// Returns the operands of instructions, by opcode name.
    pub fn all(&self, opcode: &str) -> Vec<Vec<u32>> {
        let module = Module::from_words(&self.words).unwrap();
        let matching = module.instructions().filter(|inst| inst.name() == opcode);
        matching.map(|inst| inst.words_from(1).to_vec()).collect()
    }

    /// Returns the opcode and the words of the definition of a name.
    pub fn definition(&self, name: &str) -> (String, Vec<u32>) {
        let module = Module::from_words(&self.words).unwrap();
        let inst = module.definition(self.case.id(name)).unwrap();
        (inst.name(), inst.words_from(1).to_vec())
    }

    /// Returns the number of remaining instructions of the extension.
    pub fn extension_left(&self) -> usize {
        let module = Module::from_words(&self.words).unwrap();
        let is_intel = |opcode: u16| (6245..=6260).contains(&opcode);
        let of_extension = |inst: &crate::loader::Instruction| {
            is_intel(inst.opcode())
                || (inst.name() == "OpCapability" && is_intel(inst.word(1) as u16))
                || (inst.name() == "OpDecorate" && inst.word(2) == 6247)
                || (inst.name() == "OpExtension" && inst.string(1).contains("INTEL"))
        };
        module.instructions().filter(of_extension).count()
    }

    /// Checks that everything is decided: nothing of the extension is left.
    pub fn plain(&self) -> &Self {
        assert_eq!(self.extension_left(), 0);
        assert_eq!(self.report.undecided, []);
        self
    }
}
