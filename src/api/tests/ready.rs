//! Tests that results of ready shaders are those of specializing: on every way of their diagrams, and for random
//! answers, also unknown ones.

use std::collections::{BTreeMap, BTreeSet};

use super::{Condition, Module, PackOptions, fixture, merge, pack};
use crate::condition::{Expr, Leaf};
use crate::device::implications::Implications;
use crate::device::{Api, Device, DeviceNames};
use crate::merge::{MergeOptions, Variant};
use crate::module::Annotations;
use crate::pack::Dialect;
use crate::pipelines::ready::leaves_to_decide;
use crate::ready::{ReadyEnd, ReadyError, ReadyNode, ReadyQuestion, ReadyShader, ReadyVariant};
use crate::test_support::{assemble_named, modules_below};
use crate::tests::corpus::share_of_fixtures;
use crate::{Error, Prepared, Settings};

/// The number of random devices for each module.
const RANDOM_DEVICES: usize = 20;
/// Limit on the ways that are walked.
const MAX_WAYS: usize = 300;

/// Generates numbers by a linear congruential generator.
struct AnswerGenerator(u64);

impl AnswerGenerator {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

type LeafAnswers = BTreeMap<Leaf, bool>;

fn leaf_of(question: &ReadyQuestion) -> Leaf {
    match question {
        ReadyQuestion::Condition(Condition { expr: Expr::Leaf(leaf) }) => *leaf,
        other => panic!("{other} is not a leaf"),
    }
}

/// Returns all ways through a diagram: the answers, and the end.
fn ways(shader: &ReadyShader, implications: &Implications) -> Vec<(LeafAnswers, ReadyEnd)> {
    let first = if shader.nodes.is_empty() { ReadyEnd::Result(0) } else { ReadyEnd::Node(0) };
    let (mut open, mut all) = (vec![(LeafAnswers::new(), first)], Vec::new());
    while let Some((answers, end)) = open.pop() {
        let ReadyEnd::Node(number) = end else {
            all.push((answers, end));
            continue;
        };
        if all.len() + open.len() > MAX_WAYS {
            continue;
        }
        let ReadyNode { question, no, yes, .. } = &shader.nodes[number];
        let leaf = leaf_of(question);
        assert!(!answers.contains_key(&leaf), "{question} follows from answers before");
        for (answer, end) in [(false, no), (true, yes)] {
            let mut answers = answers.clone();
            implications.add(&mut answers, (leaf, answer));
            open.push((answers, *end));
        }
    }
    all
}

/// Returns the ends of all ways from a node where some answers are unknown.
fn ends(shader: &ReadyShader, answers: &LeafAnswers) -> BTreeSet<Option<usize>> {
    let first = if shader.nodes.is_empty() { ReadyEnd::Result(0) } else { ReadyEnd::Node(0) };
    let (mut open, mut seen, mut all) = (vec![first], BTreeSet::new(), BTreeSet::new());
    while let Some(end) = open.pop() {
        match end {
            ReadyEnd::Result(number) => drop(all.insert(Some(number))),
            ReadyEnd::Nothing => drop(all.insert(None)),
            ReadyEnd::Node(number) if seen.insert(number) => {
                let node = &shader.nodes[number];
                let answer = answers.get(&leaf_of(&node.question));
                open.extend((answer != Some(&true)).then_some(node.no));
                open.extend((answer != Some(&false)).then_some(node.yes));
            }
            ReadyEnd::Node(_) => {}
        }
    }
    all
}

/// Compares all results of a module with those of specializing. Returns the number of comparisons.
fn compare(name: &str, module: &Module, settings: &Settings, random: &mut AnswerGenerator) -> usize {
    let prepared = Prepared::new(module).unwrap();
    let shader = match ReadyShader::new(&[ReadyVariant::new(&prepared, settings.clone())], 256) {
        Ok(shader) => shader,
        // Specializing fails, too, where conditions contradict their uses.
        Err(_) => return 0,
    };
    let leaves =
        prepared.with(|prepared| leaves_to_decide(&prepared.analyses, &prepared.properties)).unwrap();
    let has_device_constants =
        prepared.with(|prepared| !prepared.analyses.multi_target().unwrap().device_constants.is_empty());
    let implications = Implications::new(&leaves, Api::from_kinds(shader.has_kernels, shader.has_shaders));
    let specialized =
        |answers: &LeafAnswers| prepared.specialize(&Device::with_answers(answers.clone()), settings);
    let mut count = 0;
    // Way by way, with random answers to the questions that do not matter.
    for (mut answers, end) in ways(&shader, &implications) {
        complete(&mut answers, &leaves, &implications, random);
        match (specialized(&answers), end) {
            (Ok(result), ReadyEnd::Result(number)) => {
                assert!(result.words == shader.results[number].words, "{name}: {answers:?}");
            }
            (Err(Error::Refused(_)), ReadyEnd::Nothing) => {}
            (result, end) => {
                panic!("{name}: {answers:?}: {end:?}, not {:?}", result.map(|result| result.report))
            }
        }
        count += 1;
    }
    for _ in 0..if leaves.is_empty() { 1 } else { RANDOM_DEVICES } {
        let mut answers = LeafAnswers::new();
        for &leaf in &leaves {
            let answer = random.below(5);
            if answer > 0 && !answers.contains_key(&leaf) {
                implications.add(&mut answers, (leaf, answer > 2));
            }
        }
        let ends = ends(&shader, &answers);
        let is_known = answers.len() == leaves.len();
        let partial = specialized(&answers).map(|result| result.words);
        complete(&mut answers, &leaves, &implications, random);
        let end = match specialized(&answers) {
            Ok(result) => {
                let number = shader.results.iter().position(|known| known.words == result.words);
                assert!(number.is_some(), "{name}: {answers:?}");
                // What is decided without all answers is the same. A capability that only a device constant requires stays open, if that does.
                let is_same = match partial {
                    Ok(words) => words == result.words,
                    Err(error) => has_device_constants && matches!(error, Error::Undecided(_)),
                };
                assert!(ends.len() != 1 || is_same, "{name}: {answers:?}");
                let words = |end: &Option<usize>| end.map(|end| &shader.results[end].words);
                ends.iter().find(|end| words(end) == Some(&result.words)).copied()
            }
            Err(Error::Refused(_)) => ends.get(&None).copied(),
            Err(error) => panic!("{name}: {answers:?}: {error}"),
        };
        assert!(end.is_some(), "{name}: {answers:?} does not lead to the result");
        assert!(!is_known || ends.len() == 1, "{name}: {answers:?} lead to {ends:?}");
        count += 1;
    }
    count
}

/// Answers the questions without an answer, without changing other answers.
fn complete(
    answers: &mut LeafAnswers,
    leaves: &BTreeSet<Leaf>,
    implications: &Implications,
    random: &mut AnswerGenerator,
) {
    for &leaf in leaves {
        if answers.contains_key(&leaf) {
            continue;
        }
        let answer = random.below(2) > 0;
        let with = |answer: bool| {
            let mut answers = answers.clone();
            implications.add(&mut answers, (leaf, answer));
            answers
        };
        let first = with(answer);
        let is_consistent = answers.iter().all(|(leaf, answer)| first[leaf] == *answer);
        *answers = if is_consistent { first } else { with(!answer) };
    }
}

/// Compares a module with and without changes to results.
fn compare_with_settings(name: &str, module: &Module, random: &mut AnswerGenerator) -> usize {
    let settings = [Settings::new(), Settings::new().trim(true).strip(true)];
    settings.iter().map(|settings| compare(name, module, settings, random)).sum()
}

/// Compares a module as a compiler wrote it, and packed.
fn compare_with_packed(name: &str, words: &[u32], random: &mut AnswerGenerator) -> usize {
    let Ok(module) = Module::from_words(words) else { return 0 };
    let count = compare_with_settings(name, &module, random);
    match pack(&module, &PackOptions::default()) {
        Ok(packed) if packed.words != words => {
            let packed = Module::from_words(packed.words).unwrap();
            count + compare_with_settings(name, &packed, random)
        }
        _ => count,
    }
}

#[test]
fn every_way_ends_in_what_is_specialized() {
    let (mut random, mut count) = (AnswerGenerator(1), 0);
    for fixture in share_of_fixtures(4) {
        count += compare_with_packed(&fixture.name, &fixture.plain.words, &mut random);
    }
    assert!(count > 100, "{count}");
}

/// Modules of the folders in READY_PROOF_DIRS, with colons between them; READY_PROOF_SAMPLE of each, evenly, or all.
#[test]
#[ignore = "takes long; scripts/prove.sh ready runs it"]
fn folders() {
    let folders = std::env::var_os("READY_PROOF_DIRS").expect("READY_PROOF_DIRS names folders");
    for folder in std::env::split_paths(&folders) {
        let modules = modules_below(&folder, &[]);
        let sample =
            std::env::var("READY_PROOF_SAMPLE").map_or(modules.len(), |count| count.parse().unwrap());
        let step = modules.len().div_ceil(sample.max(1)).max(1);
        let (mut random, mut count) = (AnswerGenerator(6), 0);
        for (name, words) in modules.iter().step_by(step) {
            count += compare_with_packed(name, words, &mut random);
        }
        println!("{}: {} modules, {count} comparisons", folder.display(), modules.len().div_ceil(step));
        assert!(count > 0, "{} has no modules", folder.display());
    }
}

#[test]
fn device_constants_are_questions() {
    let (mut random, mut count) = (AnswerGenerator(5), 0);
    let options = PackOptions::default().dialect(Dialect::FunctionVariants);
    for fixture in share_of_fixtures(4) {
        let Ok(module) = Module::from_words(&fixture.plain.words[..]) else { continue };
        let Ok(packed) = pack(&module, &options) else { continue };
        let packed = Module::from_words(packed.words).unwrap();
        if packed.words() != fixture.plain.words {
            count += compare_with_settings(&fixture.name, &packed, &mut random);
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn annotated_modules_are_ready_when_packed() {
    let (mut random, mut count) = (AnswerGenerator(2), 0);
    for (name, module) in [
        ("annotations/guarded", "annotations/guarded"),
        ("annotations/results", "annotations/results"),
        ("flags/parts", "flags/flags"),
        ("flags/clparts", "flags/clflags-O0"),
    ] {
        let text = String::from_utf8(fixture(&format!("{name}.yaml"))).unwrap();
        let annotations = Annotations::from_yaml(name, &text).unwrap();
        let bytes = fixture(&format!("{module}.spv"));
        let module = Module::from_bytes(&bytes).unwrap().with_annotations(&annotations).unwrap();
        let packed = pack(&module, &PackOptions::default()).unwrap();
        let packed = Module::from_words(packed.words).unwrap();
        let compared = compare_with_settings(name, &packed, &mut random);
        assert!(compared > 2, "{name}: {compared}");
        count += compared;
    }
    assert!(count > 50, "{count}");
}

/// Checks that a value is forwarded past the second selection, which has no effect, for any knowledge of its constant.
#[test]
fn selections_without_an_effect_do_not_matter() {
    let text = "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %idle SpecId 0
        OpDecorate %doubles SpecId 1
        OpDecorate %numbers DescriptorSet 0
        OpDecorate %numbers Binding 0
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        %void = OpTypeVoid
        %type = OpTypeFunction %void
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %block = OpTypeStruct %uint
        %to_block = OpTypePointer StorageBuffer %block
        %to_uint = OpTypePointer StorageBuffer %uint
        %to_local = OpTypePointer Function %uint
        %numbers = OpVariable %to_block StorageBuffer
        %zero = OpConstant %uint 0
        %idle = OpSpecConstantTrue %bool
        %doubles = OpSpecConstantTrue %bool
        %main = OpFunction %void None %type
        %start = OpLabel
        %local = OpVariable %to_local Function %zero
        %place = OpAccessChain %to_uint %numbers %zero
        %number = OpLoad %uint %place
        OpStore %local %number
        OpSelectionMerge %next None
        OpBranchConditional %doubles %stores %next
        %stores = OpLabel
        OpStore %place %zero
        OpBranch %next
        %next = OpLabel
        OpSelectionMerge %end None
        OpBranchConditional %idle %loads %end
        %loads = OpLabel
        %unused = OpLoad %uint %local
        OpBranch %end
        %end = OpLabel
        %loaded = OpLoad %uint %local
        OpStore %place %loaded
        OpReturn
        OpFunctionEnd";
    let words = assemble_named(text, "spv1.3").0;
    let annotations = "spec-constants: { 0: cap(Int64), 1: cap(Float64) }";
    let annotations = Annotations::from_yaml("idle", annotations).unwrap();
    let module = Module::from_words(words).unwrap().with_annotations(&annotations).unwrap();
    let options = PackOptions::default().dialect(Dialect::FunctionVariants);
    let packed = Module::from_words(pack(&module, &options).unwrap().words).unwrap();
    assert!(compare_with_settings("idle", &packed, &mut AnswerGenerator(7)) > 0);
}

#[test]
fn merged_variants_come_back() {
    let mut random = AnswerGenerator(3);
    let bytes = ["merge/scale-fp16.spv", "merge/scale.spv"].map(fixture);
    let modules = bytes.each_ref().map(|bytes| Module::from_bytes(bytes).unwrap());
    for condition in [
        "fp16",
        "fp16 && subgroup_size >= 32 || arch(intel_gpu_pvc)",
        "host(fast) || subgroup_size >= 16 && subgroup_size < 64",
    ] {
        let condition = Condition::parse(condition).unwrap();
        let variants = [Variant::new(&modules[0], &condition), Variant::new(&modules[1], None)];
        let merged = merge(&variants, &MergeOptions::default()).unwrap();
        let module = Module::from_words(merged.words).unwrap();
        assert!(compare_with_settings("merged", &module, &mut random) > 10);
        // The same variants as modules of their own.
        let prepared = modules.each_ref().map(|module| Prepared::new(module).unwrap());
        let variants = [
            ReadyVariant::new(&prepared[0], Settings::new()).condition(condition.clone()),
            ReadyVariant::new(&prepared[1], Settings::new()),
        ];
        let shader = ReadyShader::new(&variants, 256).unwrap();
        assert_eq!(shader.results.len(), 2);
        let implications = Implications::new(&condition.expr.leaves(), None);
        for (answers, end) in ways(&shader, &implications) {
            let device = Device::with_answers(answers);
            let holds = condition.evaluate(&device).unwrap().unwrap();
            let ReadyEnd::Result(number) = end else { panic!("{end:?}") };
            assert!(shader.results[number].words == modules[usize::from(!holds)].words());
        }
    }
}

#[test]
fn answers_that_no_device_gives_make_no_results() {
    let bytes = ["merge/scale-fp16.spv", "merge/scale.spv"].map(fixture);
    let modules = bytes.each_ref().map(|bytes| Module::from_bytes(bytes).unwrap());
    for (implying, implied) in [
        ("cap(StorageUniform16)", "cap(StorageBuffer16BitAccess)"),
        ("cap(MultiViewport)", "feature(vulkan:geometryShader)"),
        ("arch(amd_gpu_gfx906)", "feature(amdgpu:gfx9-insts)"),
        ("arch(amd_gpu_gfx906)", "!arch(intel_gpu_pvc)"),
        ("subgroup_size >= 32", "subgroup_size >= 16"),
    ] {
        let [implying, implied] = [implying, implied].map(|text| Condition::parse(text).unwrap());
        let variants = [Variant::new(&modules[0], &implied), Variant::new(&modules[1], None)];
        let merged = Module::from_words(merge(&variants, &MergeOptions::default()).unwrap().words).unwrap();
        let merged = Prepared::new(&merged).unwrap();
        let leaves = implied.expr.leaves().into_iter().map(|leaf| (leaf, implied.expr == Expr::Leaf(leaf)));
        let of_devices =
            merged.specialize(&Device::with_answers(leaves.collect()), &Settings::new()).unwrap();
        let of_devices = Module::from_words(of_devices.words).unwrap();
        let other = Prepared::new(&of_devices).unwrap();
        let shader = |condition: &Condition| {
            let first = ReadyVariant::new(&merged, Settings::new()).condition(condition.clone());
            ReadyShader::new(&[first, ReadyVariant::new(&other, Settings::new())], 256).unwrap()
        };
        // The fallback of the first variant is for no device that gets this variant.
        let shader_of_devices = shader(&implying);
        assert!(shader_of_devices.results[0].words == of_devices.words());
        assert!(shader_of_devices.results.len() == 1 && shader_of_devices.nodes.is_empty(), "{implying}");
        let others = shader(&Condition::parse("cap(Float64)").unwrap());
        assert_eq!(others.results.len(), 2, "{implied}");
    }
}

#[test]
fn many_results_are_too_many() {
    let bytes = fixture("glsl/reduce.spv");
    let module = Module::from_bytes(&bytes).unwrap();
    let packed = pack(&module, &PackOptions::default()).unwrap();
    let packed = Module::from_words(packed.words).unwrap();
    let prepared = Prepared::new(&packed).unwrap();
    let Err(ReadyError::TooManyResults { max_results: 1, questions }) =
        ReadyShader::new(&[ReadyVariant::new(&prepared, Settings::new())], 1)
    else {
        panic!("one result is enough")
    };
    assert!(questions.iter().all(|question| Expr::parse(question, &DeviceNames).is_ok()));
}

#[test]
fn constants_with_values_are_questions() {
    let bytes = fixture("spec/precision.spv");
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let variant =
        ReadyVariant::new(&prepared, Settings::new()).constant("use_half", ["true", "false"]).unwrap();
    let shader = ReadyShader::new(&[variant], 256).unwrap();
    let questions: Vec<String> = shader.nodes.iter().map(|node| node.question.to_string()).collect();
    assert_eq!(questions, ["use_half == true", "use_half == false"]);
    assert_eq!((shader.nodes[0].no, shader.nodes[1].no), (ReadyEnd::Node(1), ReadyEnd::Nothing));
    for (node, value) in shader.nodes.iter().zip([true, false]) {
        let ReadyEnd::Result(number) = node.yes else { panic!("{node:?}") };
        let settings = Settings::new().set("use_half", value);
        let expected = prepared.specialize(&Device::default(), &settings).unwrap();
        assert!(shader.results[number].words == expected.words);
    }
    assert!(ReadyVariant::new(&prepared, Settings::new()).constant("use_half", ["1.5"]).is_err());
}

#[test]
fn bound_switches_of_ubershaders_are_ready() {
    let (mut random, mut count) = (AnswerGenerator(4), 0);
    for name in ["combiner", "filter", "forward", "post"] {
        let bytes = fixture(&format!("ubershaders/{name}.spv"));
        let module = Module::from_bytes(&bytes).unwrap();
        let constants = crate::module::Interface::new(&module).spec_ids;
        let bound =
            constants.iter().zip(["fp16", "subgroup_size >= 32", "host(fast) || arch(intel_gpu_pvc)"]);
        let bound: Vec<String> =
            bound.map(|(spec_id, condition)| format!("{spec_id}: '{condition}'")).collect();
        let text = format!("spec-constants: {{{}}}", bound.join(", "));
        let annotations = Annotations::from_yaml("bound", &text).unwrap();
        // Bound constants without packing.
        let bound = Module::from_bytes(&bytes).unwrap().with_annotations(&annotations);
        let Ok(module) = bound else { continue };
        count += compare_with_settings(name, &module, &mut random);
        let Ok(packed) = pack(&module, &PackOptions::default()) else { continue };
        let packed = Module::from_words(packed.words).unwrap();
        count += compare_with_settings(name, &packed, &mut random);
    }
    assert!(count >= 100, "{count}");
}
