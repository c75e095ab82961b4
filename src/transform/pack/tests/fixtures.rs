//! Tests of `pack`, and of `specialize` after it, on modules from compilers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use spirv::{Capability, Op};

use super::cut::{Question, cut, values};
use super::packed::devices;
use crate::compatibility::DeviceValues;
use crate::condition::{Expr, Leaf, Truth, evaluate};
use crate::device::{Device, DeviceConfig};
use crate::loader::{Instruction, Module};
use crate::pipelines::{SpecializeRequest, groups};
use crate::test_support::{Batch, bytes_of, run, tool, words_of};
use crate::tests::corpus::{self, Fixture, PackedFixture};
use crate::transform::pack::Dialect;
use crate::transform::specialize::specialize;
use crate::writer::apply;

/// A fixture whose source states an environment, packed in one dialect.
struct FixtureCase {
    /// Name of the fixture.
    fixture: &'static str,
    /// The environment.
    environment: &'static str,
    name: String,
    packed_fixture: &'static PackedFixture,
}

/// Returns the environment in the source of a fixture: the text file of the same name beside it, with another
/// extension.
fn stated_environment(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let stem = stem.split('-').next().unwrap();
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    let of_stem = |file: &PathBuf| file.file_stem().is_some_and(|other| other == stem) && *file != path;
    let texts = files.filter(of_stem).flat_map(std::fs::read_to_string);
    let environment =
        |text: String| Some(text.lines().find_map(|line| line.strip_prefix("// ENV: "))?.to_owned());
    texts.into_iter().find_map(environment).unwrap()
}

/// Returns the fixtures of three compilers, in each dialect that can express them.
fn cases() -> &'static [FixtureCase] {
    static CASES: LazyLock<Vec<FixtureCase>> = LazyLock::new(|| {
        let is_tried = |fixture: &&Fixture| {
            ["glsl/", "headers/", "opencl/"].iter().any(|folder| fixture.name.starts_with(folder))
        };
        let fixtures: Vec<&Fixture> = corpus::fixtures().iter().filter(is_tried).collect();
        assert!(fixtures.len() >= 12, "fixtures are missing");
        let mut cases = Vec::new();
        for fixture in fixtures {
            let environment: &str = stated_environment(&fixture.name).leak();
            for dialect in [Dialect::SpecConditional, Dialect::FunctionVariants] {
                let Some(packed_fixture) = fixture.packed(dialect) else { continue };
                let name = format!("{} {dialect:?}", fixture.name);
                cases.push(FixtureCase { fixture: &fixture.name, environment, name, packed_fixture });
            }
        }
        cases
    });
    &CASES
}

/// Returns the universal environment of a module's version.
fn universal(words: &[u32]) -> String {
    format!("spv1.{}", words[1] >> 8 & 0xff)
}

impl FixtureCase {
    /// Returns the answers of a device to the questions of the packed module.
    fn answer(&self, device: &Device, question: &Question) -> Option<bool> {
        match question {
            Question::SpecId(spec_id) => {
                let leaf = self.packed_fixture.packed.leaves.iter().find(|(known, _)| known == spec_id)?.1;
                device.truth(leaf)
            }
            Question::Target(target) => device.is_target(*target, &[]),
            Question::Architecture([category, family, opcode, architecture]) => {
                device.compare_architecture(*category, *family, *opcode, *architecture)
            }
            Question::Capabilities(capabilities) => device.has_capabilities(capabilities),
        }
    }

    /// Returns the packed module, specialized for a device.
    fn specialized(&self, device: &Device) -> Vec<u32> {
        let known = DeviceValues::new(device, &self.packed_fixture.properties).unwrap();
        let specialized = specialize(self.packed_fixture.result.analyses(), &known, &[], Default::default());
        let specialized = specialized.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        apply(self.packed_fixture.result.module(), &specialized.edits).unwrap()
    }
}

fn find<T: Ord>(words: &[u32], read: impl Fn(Instruction) -> Option<T>) -> BTreeSet<T> {
    Module::from_words(words).unwrap().instructions().filter_map(read).collect()
}

fn capabilities(words: &[u32]) -> BTreeSet<u32> {
    find(words, |inst| inst.is(Op::Capability).then(|| inst.word(1)))
}

/// The compared declarations and definitions of a module.
#[derive(Clone, Debug, PartialEq)]
struct Contents {
    capabilities: BTreeSet<u32>,
    functions: BTreeSet<u32>,
}

impl Contents {
    fn new(words: &[u32]) -> Contents {
        let functions = find(words, |inst| inst.is(Op::Function).then(|| inst.word(2)));
        Contents { capabilities: capabilities(words), functions }
    }
}

#[test]
fn packed_fixtures_are_valid_however_they_are_cut_down() {
    let mut written = Batch::default();
    for case in cases() {
        let words = &case.packed_fixture.result.words;
        written.add(&*case.name, words, &universal(words));
        let leaves = case.packed_fixture.packed.leaves.iter().map(|&(_, leaf)| leaf).collect();
        let mut seen = BTreeSet::new();
        let all = devices(&leaves);
        // Enough of them where there are many leaves; the first has none.
        for device in all.iter().take(40).chain(all.last()) {
            let plain = cut(words, &|question| match question {
                Question::SpecId(spec_id) => {
                    let leaf =
                        case.packed_fixture.packed.leaves.iter().find(|(known, _)| known == spec_id)?.1;
                    Some(device.contains(&leaf))
                }
                _ => Some(false),
            });
            if seen.insert(plain.clone()) {
                written.add(format!("{} where exactly {device:?}", case.name), &plain, case.environment);
            }
        }
    }
    written.assert_valid();
}

#[test]
fn every_fixture_but_the_plain_one_becomes_conditional() {
    for case in cases() {
        let plain = case.name.contains("plain");
        assert_eq!(case.packed_fixture.packed.edits.is_empty(), plain, "{}", case.name);
        // Half and double precision are only used where they are.
        for capability in [Capability::Float16, Capability::Float64, Capability::Int64Atomics] {
            let declared = capabilities(&case.packed_fixture.result.words).contains(&(capability as u32));
            // Kernels of these have parameters that point to doubles.
            let pointed = ["many", "wrapper"].iter().any(|name| case.name.contains(name));
            let outright = plain || (pointed && capability == Capability::Float64);
            assert!(!declared || outright, "{}: {capability:?} is unconditional", case.name);
        }
    }
}

#[test]
fn emitted_conditions_agree_with_their_text_on_every_device() {
    let table = DeviceConfig::embedded().unwrap();
    for case in cases() {
        let module = case.packed_fixture.result.module();
        let declared = module.globals().filter(|inst| {
            matches!(inst.op(), Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL))
        });
        let declared: Vec<Instruction> = declared.collect();
        assert_eq!(declared.len(), case.packed_fixture.packed.summary.conditional.len(), "{}", case.name);
        for device in table.iter() {
            let device = &*case.packed_fixture.result.analyses().device_for_module(device);
            let values = values(module, &|question| case.answer(device, question));
            for (inst, (name, condition)) in
                declared.iter().zip(&case.packed_fixture.packed.summary.conditional)
            {
                if inst.is(Op::ConditionalCapabilityINTEL) {
                    assert_eq!(*name, format!("{:?}", Capability::from_u32(inst.word(2)).unwrap()));
                }
                let holds = evaluate(condition, &|leaf| device.truth(leaf)).unwrap();
                assert_eq!(
                    values[&inst.word(1)],
                    holds == Truth::True,
                    "{} {name} {}",
                    case.name,
                    device.name
                );
            }
        }
    }
}

/// Returns the constants of a packed module, in a plain module of their own; all expressions are members of its last constant.
fn constants_alone(module: &Module) -> (Vec<u32>, Vec<u32>) {
    let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, module.bound() + 2, 0];
    let push = |words: &mut Vec<u32>, op: Op, operands: &[u32]| {
        words.push((operands.len() as u32 + 1) << 16 | op as u32);
        words.extend(operands);
    };
    push(&mut words, Op::Capability, &[Capability::Shader as u32]);
    push(&mut words, Op::Capability, &[Capability::Linkage as u32]);
    push(&mut words, Op::MemoryModel, &[0, 1]);
    let is_leaf = |id: u32| module.definition_as(id, Op::SpecConstantFalse).is_some();
    let mut members = Vec::new();
    let mut boolean = 0;
    for inst in module.globals() {
        if inst.is(Op::Decorate) && inst.word(2) == spirv::Decoration::SpecId as u32 && is_leaf(inst.word(1))
        {
            words.extend(inst.words());
        }
    }
    for inst in module.globals() {
        let logical = inst.is(Op::SpecConstantOp) && (166..=168).contains(&inst.word(3));
        if inst.is(Op::TypeBool) || inst.is(Op::SpecConstantFalse) || logical {
            words.extend(inst.words());
        }
        if inst.is(Op::SpecConstantFalse) || logical {
            members.push(inst.word(2));
            boolean = inst.word(1);
        }
    }
    let (type_, all) = (module.bound(), module.bound() + 1);
    push(&mut words, Op::TypeStruct, &[&[type_], vec![boolean; members.len()].as_slice()].concat());
    push(&mut words, Op::SpecConstantComposite, &[&[type_, all], members.as_slice()].concat());
    (words, members)
}

#[test]
#[ignore = "needs SPIRV-Tools; scripts/test.sh runs it"]
fn spirv_opt_folds_the_expressions_to_the_same_values() {
    let optimizer = tool("SPIRV_OPT", "spirv-opt");
    for case in cases().iter().filter(|case| !case.packed_fixture.packed.leaves.is_empty()) {
        let module = case.packed_fixture.result.module();
        let (alone, members) = constants_alone(module);
        let leaves: BTreeSet<Leaf> =
            case.packed_fixture.packed.leaves.iter().map(|&(_, leaf)| leaf).collect();
        let all = devices(&leaves);
        for device in all.iter().step_by(all.len().div_ceil(8)).chain(all.last()) {
            let set: Vec<String> = case
                .packed_fixture
                .packed
                .leaves
                .iter()
                .map(|(spec_id, leaf)| format!("{spec_id}:{}", device.contains(leaf)))
                .collect();
            let set = format!("--set-spec-const-default-value={}", set.join(" "));
            let arguments = [&set, "--freeze-spec-const", "--fold-spec-const-op-composite", "-", "-o", "-"];
            let folded = run(&optimizer, &arguments, &bytes_of(&alone)).unwrap();
            let folded = words_of(&folded);
            let folded = Module::from_words(&folded).unwrap();
            let composite = folded
                .globals()
                .find(|inst| matches!(inst.op(), Some(Op::ConstantComposite | Op::SpecConstantComposite)));
            let composite = composite.unwrap();
            let values = values(module, &|question| match question {
                Question::SpecId(spec_id) => {
                    let leaf =
                        case.packed_fixture.packed.leaves.iter().find(|(known, _)| known == spec_id)?.1;
                    Some(device.contains(&leaf))
                }
                _ => None,
            });
            for (member, folded_member) in members.iter().zip(composite.words_from(3)) {
                let folded = folded.definition(*folded_member).unwrap().is(Op::ConstantTrue);
                assert_eq!(values[member], folded, "{} %{member} where {set}", case.name);
            }
        }
    }
}

#[test]
fn specialized_fixtures_are_valid_on_every_device_and_need_nothing_it_lacks() {
    let table = DeviceConfig::embedded().unwrap();
    // What each case comes to by device, to compare the dialects.
    let mut results: BTreeMap<(&str, &str), Contents> = BTreeMap::new();
    let mut written = Batch::default();
    for case in cases() {
        let PackedFixture { packed, properties, result } = case.packed_fixture;
        // Most devices get the same.
        let mut contents: BTreeMap<Vec<u32>, Contents> = BTreeMap::new();
        let mut cuts: BTreeMap<BTreeMap<u32, bool>, Contents> = BTreeMap::new();
        let groups =
            groups(result.analyses(), properties, &SpecializeRequest::default(), table.iter(), |device| {
                *device
            })
            .unwrap();
        for group in groups {
            // A group gets the same: its first and its last device are compared.
            let mut of_group = None;
            for entry in [group[0], group[group.len() - 1]] {
                let name = format!("{} on {}", case.name, entry.name);
                let device = &*result.analyses().device_for_module(entry);
                let words = case.specialized(device);
                assert_eq!(of_group.get_or_insert_with(|| words.clone()), &words, "{name}");
                let content = contents.entry(words).or_insert_with_key(|words| {
                    written.add(&name, words, case.environment);
                    Contents::new(words)
                });
                let answers = |question: &Question| case.answer(device, question);
                let plain = cuts.entry(values(result.module(), &answers));
                let plain = plain.or_insert_with(|| Contents::new(&cut(&result.words, &answers)));
                assert_eq!(content, plain, "{name}");
                let dialects = results.entry((case.fixture, &entry.name)).or_insert_with(|| content.clone());
                assert_eq!(dialects, content, "{name}: the dialects differ");
                for (declaration, condition) in &packed.summary.conditional {
                    let Ok(capability) = declaration.parse::<Capability>() else { continue };
                    let declared = content.capabilities.contains(&(capability as u32));
                    let asked = condition.leaves().iter().any(|leaf| is_for(*leaf, capability));
                    if declared && asked {
                        let has = device.has_capability(capability as u32);
                        assert_eq!(has, Some(true), "{name}: {declaration}");
                    }
                }
            }
        }
    }
    written.assert_valid();
    assert!(results.len() > 100);
}

/// Returns true if a leaf is a capability.
fn is_for(leaf: Leaf, capability: Capability) -> bool {
    let aspects = [(5, Capability::Float16), (6, Capability::Float64), (28, Capability::Int64Atomics)];
    leaf == Leaf::Capability(capability as u32)
        || aspects.iter().any(|&(aspect, other)| leaf == Leaf::Aspect(aspect) && other == capability)
}

/// Checks that conditions in property sets have the same meaning as those in the summary.
#[test]
fn conditions_survive_as_series() {
    for case in cases() {
        for (condition, _) in &case.packed_fixture.packed.requirements.conditional {
            assert_eq!(
                Expr::from_series(&condition.to_series().unwrap()).as_ref(),
                Ok(condition),
                "{}",
                case.name
            );
        }
    }
}
