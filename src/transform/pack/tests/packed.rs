//! Packs a text, and examines the result by the names in the text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use spirv::{Capability, Decoration, Op};

use super::cut::{Question, cut, values};
use super::properties::{self, IntegerProperties};
use crate::analysis::{Analyses, Annotated, Exports, Otherwise};
use crate::condition::{Expr, Leaf, LeafKind, Truth, evaluate};
use crate::device::DeviceNames;
use crate::loader::{Instruction, Module};
use crate::metadata::property_sets::PropertyNames;
use crate::pipelines::property_sets::property_sets;
use crate::pipelines::{PackedModule, pack};
use crate::test_support::program::expand;
use crate::test_support::{Batch, assemble_named};
use crate::transform::pack::{Dialect, PackOptions, PackResult};

/// A text, packed.
pub struct PackedText {
    pub ids: BTreeMap<String, u32>,
    pub before: Vec<u32>,
    pub words: Vec<u32>,
    pub packed: PackResult,
    pub sets: IntegerProperties,
}

/// The options to pack a text with.
#[derive(Clone, Default)]
pub struct TestOptions {
    pub dialect: Dialect,
    pub exports: Exports,
    pub annotated: Annotated,
}

fn version(text: &str) -> &'static str {
    // OpenCL environments take nothing newer.
    if text.contains("OpCapability Kernel") { "spv1.2" } else { "spv1.6" }
}

/// Packs a short text (see [`expand`]). The input, the result and every way in which it can be cut down must be valid.
pub fn packed(text: &str) -> PackedText {
    packed_with(text, &TestOptions::default())
}

pub fn packed_with(text: &str, options: &TestOptions) -> PackedText {
    let (annotations, text) = annotations(text);
    let text = expand(&text);
    let (before, ids) = assemble_named(&text, version(&text));
    let options = annotated(&annotations, &ids, options);
    let mut modules = Batch::default();
    modules.add("the input", &before, version(&text));
    let outcome = pack_words(before, ids, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    modules.add("packed", &outcome.words, version(&text));
    for device in outcome.devices() {
        modules.add(format!("where exactly {device:?} hold"), &outcome.on(&device), version(&text));
    }
    modules.assert_valid();
    outcome
}

/// Returns the lines of a text that annotate it, and the rest: `ANNOTATE %f WHEN fp16 OTHERWISE %g` (or `OTHERWISE undef`, or nothing), and
/// `TIE 3 fp16` for the constant with SpecId 3.
fn annotations(text: &str) -> (Vec<String>, String) {
    let annotates = |line: &&str| line.starts_with("ANNOTATE ") || line.starts_with("TIE ");
    let (annotations, rest): (Vec<&str>, Vec<&str>) = text.lines().map(str::trim).partition(annotates);
    (annotations.into_iter().map(str::to_owned).collect(), rest.join("\n"))
}

fn annotated(lines: &[String], ids: &BTreeMap<String, u32>, options: &TestOptions) -> TestOptions {
    let mut options = options.clone();
    let annotated = &mut options.annotated;
    for line in lines {
        let (kind, rest) = line.split_once(' ').unwrap();
        let (subject, rest) = rest.split_once(' ').unwrap();
        if kind == "TIE" {
            annotated.spec_constants.insert(subject.parse().unwrap(), parse(rest));
            continue;
        }
        let function = ids[&subject[1..]];
        let (when, otherwise) =
            rest.strip_prefix("WHEN ").unwrap().split_once(" OTHERWISE ").unwrap_or((&rest[5..], ""));
        annotated.when.insert(function, parse(when));
        match otherwise {
            "" => None,
            "undef" => annotated.otherwise.insert(function, Otherwise::Undefined),
            name => annotated.otherwise.insert(function, Otherwise::Function(ids[&name[1..]])),
        };
    }
    options
}

/// Returns the reason that a text cannot be packed.
pub fn error(text: &str) -> String {
    error_with(text, &TestOptions::default())
}

pub fn error_with(text: &str, options: &TestOptions) -> String {
    let (annotations, text) = annotations(text);
    let text = expand(&text);
    let (before, ids) = assemble_named(&text, version(&text));
    let options = annotated(&annotations, &ids, options);
    match pack_words(before, ids, &options) {
        Ok(_) => panic!("no error\n{text}"),
        Err(error) => error,
    }
}

pub fn pack_words(
    before: Vec<u32>,
    ids: BTreeMap<String, u32>,
    options: &TestOptions,
) -> Result<PackedText, String> {
    let module = Module::from_words(&before).unwrap();
    let analyses = Analyses::new(&module, Cow::Borrowed(&options.annotated));
    let analyses = analyses.with_exports(options.exports.clone());
    let pack_options = PackOptions::new().dialect(options.dialect);
    let PackedModule { words, packed, .. } =
        pack(&analyses, &pack_options, &|_| Ok(None)).map_err(|error| error.to_string())?;
    let sets = properties::read(&property_sets(&packed, PropertyNames::Design).unwrap().to_text());
    Ok(PackedText { ids, before, words, packed, sets })
}

/// The values of the leaves on a device.
pub type Holds = BTreeSet<Leaf>;

/// Returns a condition as text.
pub fn parse(text: &str) -> Expr {
    Expr::parse(text, &DeviceNames).unwrap()
}

impl PackedText {
    pub fn id(&self, name: &str) -> u32 {
        self.ids[name]
    }

    /// Returns the leaf of each SpecId in the property sets.
    pub fn leaves(&self) -> BTreeMap<u32, Leaf> {
        let mut leaves = BTreeMap::new();
        let Some(set) = self.sets.get("SYCL/special specialization constants") else { return leaves };
        let kinds = [
            ("aspects", LeafKind::Aspect),
            ("architectures", LeafKind::Architecture),
            ("capabilities", LeafKind::Capability),
        ];
        for (name, kind) in kinds {
            for pair in set.get(name).into_iter().flat_map(|pairs| pairs.chunks(2)) {
                assert_eq!(leaves.insert(pair[0], kind.leaf(pair[1]).unwrap()), None, "{set:?}");
            }
        }
        leaves
    }

    /// Returns one device for each combination of the leaves.
    pub fn devices(&self) -> Vec<Holds> {
        devices(&self.asked())
    }

    /// Returns all leaves, with the Boolean constants that the host could set before.
    fn asked(&self) -> Holds {
        let capabilities = self
            .find(|inst| inst.is(Op::SpecConstantCapabilitiesINTEL).then(|| Leaf::Capability(inst.word(3))));
        let constants = self.constants().into_values().map(Leaf::Constant);
        self.leaves().into_values().chain(constants).chain(capabilities).collect()
    }

    /// Returns the Boolean constants with a SpecId in the text, by SpecId.
    fn constants(&self) -> BTreeMap<u32, u32> {
        let module = Module::from_words(&self.before).unwrap();
        let decorations = module
            .globals()
            .filter(|inst| inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32);
        let boolean = |id: &u32| {
            matches!(module.definition(*id).unwrap().op(), Some(Op::SpecConstantFalse | Op::SpecConstantTrue))
        };
        decorations.map(|inst| (inst.word(3), inst.word(1))).filter(|(_, id)| boolean(id)).collect()
    }

    fn answer(&self, question: &Question, device: &Holds) -> Option<bool> {
        match question {
            Question::SpecId(spec_id) => {
                let of_constant = self.constants().get(spec_id).copied().map(Leaf::Constant);
                self.leaves().get(spec_id).copied().or(of_constant).map(|leaf| device.contains(&leaf))
            }
            Question::Capabilities(all) => {
                Some(all.iter().all(|&capability| device.contains(&Leaf::Capability(capability))))
            }
            _ => panic!("{question:?}"),
        }
    }

    /// Returns the module on a device.
    pub fn on(&self, device: &Holds) -> Vec<u32> {
        cut(&self.words, &|question| self.answer(question, device))
    }

    pub fn find<T>(&self, read: impl Fn(Instruction) -> Option<T>) -> Vec<T> {
        Module::from_words(&self.words).unwrap().instructions().filter_map(read).collect()
    }

    /// Returns the constant that decides over an id.
    pub fn decoration(&self, id: u32) -> Option<u32> {
        let decorations = self.find(|inst| {
            let conditional = inst.is(Op::Decorate) && inst.word(2) == Decoration::ConditionalINTEL as u32;
            (conditional && inst.word(1) == id).then(|| inst.word(3))
        });
        assert!(decorations.len() < 2, "more than one ConditionalINTEL on %{id}");
        decorations.first().copied()
    }

    /// Checks that a condition is the same function of the device as the text.
    #[track_caller]
    fn same(&self, what: &str, constant: u32, expected: &str) {
        let expected = parse(expected);
        let mut leaves = expected.leaves();
        leaves.extend(self.asked());
        let module = Module::from_words(&self.words).unwrap();
        for device in devices(&leaves) {
            let holds = evaluate(&expected, &|leaf| Some(device.contains(&leaf))).unwrap() == Truth::True;
            let values = values(&module, &|question| self.answer(question, &device));
            assert_eq!(values[&constant], holds, "{what} where exactly {device:?} hold");
        }
    }

    /// Checks that a constant has the value of this condition.
    #[track_caller]
    pub fn constant_is(&self, name: &str, expected: &str) {
        self.same(name, self.id(name), expected);
    }

    /// Checks that the names have this condition: none for `always`. For `gone`, they are not in the result.
    #[track_caller]
    pub fn are(&self, names: &str, expected: &str) -> &Self {
        for name in names.split_whitespace() {
            let id = self.id(name);
            let module = Module::from_words(&self.words).unwrap();
            let defined = module.definition(id).is_some();
            let mut mentioned = false;
            for inst in module.instructions() {
                module.walk(&inst, &mut |_: usize, other: u32| mentioned |= other == id);
            }
            let decoration = self.decoration(id);
            match expected {
                "gone" => {
                    assert!(!defined && !mentioned, "{name} is defined: {defined}, mentioned: {mentioned}")
                }
                "always" => assert!(defined && decoration.is_none(), "{name}: {defined} {decoration:?}"),
                _ => {
                    assert!(defined, "{name} is gone");
                    let constant = decoration.unwrap_or_else(|| panic!("{name} has no condition"));
                    self.same(name, constant, expected);
                }
            }
        }
        self
    }

    /// Checks the condition of a capability; `gone`: not declared.
    #[track_caller]
    pub fn capability(&self, name: &str, expected: &str) -> &Self {
        let number = name.parse::<Capability>().unwrap() as u32;
        let plain = self.find(|inst| (inst.is(Op::Capability) && inst.word(1) == number).then_some(()));
        let conditional = self.find(|inst| {
            (inst.is(Op::ConditionalCapabilityINTEL) && inst.word(2) == number).then(|| inst.word(1))
        });
        self.declared(name, plain.len(), &conditional, expected);
        self
    }

    /// Checks the condition of an extension; `gone`: not declared.
    #[track_caller]
    pub fn extension(&self, name: &str, expected: &str) -> &Self {
        let plain = self.find(|inst| (inst.is(Op::Extension) && inst.string(1) == name).then_some(()));
        let conditional = self.find(|inst| {
            (inst.is(Op::ConditionalExtensionINTEL) && inst.string(2) == name).then(|| inst.word(1))
        });
        self.declared(name, plain.len(), &conditional, expected);
        self
    }

    #[track_caller]
    fn declared(&self, name: &str, plain: usize, conditional: &[u32], expected: &str) {
        match expected {
            "always" => assert_eq!((plain, conditional.len()), (1, 0), "{name}"),
            "gone" => assert_eq!((plain, conditional.len()), (0, 0), "{name}"),
            _ => {
                assert_eq!((plain, conditional.len()), (0, 1), "{name}");
                self.same(name, conditional[0], expected);
            }
        }
    }

    /// Returns the operands of the definition of a name, from its result type on.
    #[track_caller]
    pub fn operands(&self, name: &str) -> Vec<u32> {
        let module = Module::from_words(&self.words).unwrap();
        let inst = module.definition(self.id(name)).unwrap_or_else(|| panic!("{name} is gone"));
        inst.words_from(1).to_vec()
    }

    /// Returns the callee and arguments of a call, by the name of its result.
    #[track_caller]
    pub fn call(&self, name: &str) -> Vec<u32> {
        self.operands(name)[2..].to_vec()
    }

    /// Returns the number of instructions with this opcode.
    pub fn count(&self, op: Op) -> usize {
        self.find(|inst| inst.is(op).then_some(())).len()
    }

    pub fn is_unchanged(&self) -> bool {
        self.before == self.words
    }
}

/// Returns every set of leaves that can hold at once: a device is of one architecture at most.
pub fn devices(leaves: &Holds) -> Vec<Holds> {
    let mut devices = vec![Holds::new()];
    for &leaf in leaves {
        let excluded = |device: &Holds| {
            matches!(leaf, Leaf::Architecture(_))
                && device.iter().any(|other| matches!(other, Leaf::Architecture(_)))
        };
        let more: Vec<Holds> = devices.iter().filter(|device| !excluded(device)).cloned().collect();
        devices.extend(more.into_iter().map(|mut device| {
            device.insert(leaf);
            device
        }));
    }
    devices
}
