//! Leaves, expressions and property sets.

use std::collections::BTreeSet;

use spirv::{Decoration, Op};

use super::packed::{PackedText, TestOptions, error_with, pack_words, packed, packed_with};
use crate::condition::Leaf;
use crate::loader::Module;
use crate::transform::pack::Dialect;

const REQUIREMENTS: &str = "SYCL/device requirements";
/// The aspect `image`.
const IMAGE: u32 = 9;

#[test]
fn a_module_with_nothing_conditional_has_no_edits() {
    let p = packed("OpCapability Float64\nFN %main\n%x = OpFAdd %double %d1 %d1\nEND");
    assert!(p.is_unchanged() && p.packed.edits.is_empty() && p.leaves().is_empty());
    // It requires its aspects itself.
    assert_eq!(p.sets[REQUIREMENTS]["aspect"], [6]);
}

#[test]
fn image_code_of_a_compiler_requires_images_on_every_device() {
    let fixtures = crate::test_support::fixtures();
    let mut with_images = Vec::new();
    for (name, words) in fixtures.into_iter().filter(|(name, _)| name.starts_with("opencl/")) {
        let has_images = Module::from_words(&words).unwrap().globals().any(|inst| inst.is(Op::TypeImage));
        let p = pack_words(words, Default::default(), &TestOptions::default()).unwrap();
        let aspects = &p.sets[REQUIREMENTS]["aspect"];
        assert_eq!(aspects.contains(&IMAGE), has_images, "{name}: {aspects:?}");
        // Half floats are a matter of the condition, images are not.
        if has_images {
            assert_eq!(
                (&aspects[..], p.leaves().into_values().collect()),
                (&[IMAGE][..], vec![Leaf::Aspect(5)])
            );
            with_images.push(name);
        }
    }
    assert_eq!(with_images, ["opencl/image.spv"]);
}

#[test]
fn each_leaf_and_each_subexpression_stands_once() {
    let p = packed(
        "FN %main
            WHEN -4 -1 6 -1 5: %a
            WHEN -5 -4 -1 5 -1 6 -2 20: %b
            WHEN -3 -4 -1 6 -1 5: %c
            WHEN -1 5: %a
            WHEN -6 22: %d
        END
        FN %a
        END
        FN %b
        END
        FN %c
        END
        FN %d
        END",
    );
    let leaves: BTreeSet<Leaf> = p.leaves().into_values().collect();
    let expected = [Leaf::Architecture(20), Leaf::Aspect(5), Leaf::Aspect(6), Leaf::Capability(22)]
        .into_iter()
        .collect();
    assert_eq!(leaves, expected);
    assert_eq!((p.count(Op::SpecConstantFalse), p.count(Op::TypeBool)), (4, 1));
    let module = Module::from_words(&p.words).unwrap();
    let nodes: Vec<Vec<u32>> = module
        .globals()
        .filter(|inst| inst.is(Op::SpecConstantOp))
        .map(|inst| inst.words_from(3).to_vec())
        .collect();
    assert_eq!(nodes.len(), nodes.iter().collect::<BTreeSet<_>>().len(), "{nodes:?}");
    p.are("a", "fp16")
        .are("b", "fp16 && fp64 || arch(intel_gpu_pvc)")
        .are("c", "!(fp16 && fp64)")
        .are("d", "cap(Int16)");
    p.are("main_a", "fp16 && fp64").are("main_a_again", "fp16");
}

#[test]
fn the_boolean_type_of_the_module_serves_the_conditions_and_has_none() {
    let p = packed("FN %main\nWHEN -1 5: %a\nEND\nFN %a\n%x = OpLogicalNot %bool %true\nEND");
    assert_eq!(p.count(Op::TypeBool), 1);
    p.are("bool", "always").are("true", "fp16");
}

#[test]
fn spec_ids_are_new() {
    for taken in [vec![0, 1, 2], vec![7], vec![u32::MAX], vec![u32::MAX, 0, 2], vec![u32::MAX - 1, u32::MAX]]
    {
        let constants: String = taken
            .iter()
            .map(|id| format!("OpDecorate %s{id} SpecId {id}\n%s{id} = OpSpecConstant %uint 1\n"))
            .collect();
        let text =
            format!("{constants}FN %main\nWHEN -1 5: %a\nWHEN -1 6: %a\nWHEN -1 28: %a\nEND\nFN %a\nEND");
        let p = packed(&text);
        let module = Module::from_words(&p.words).unwrap();
        let decorations = module
            .globals()
            .filter(|inst| inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32);
        let spec_ids: Vec<u32> = decorations.map(|inst| inst.word(3)).collect();
        let distinct: BTreeSet<u32> = spec_ids.iter().copied().collect();
        assert_eq!((spec_ids.len(), distinct.len()), (taken.len() + 3, taken.len() + 3), "{spec_ids:?}");
        assert!(p.leaves().keys().all(|spec_id| distinct.contains(spec_id) && !taken.contains(spec_id)));
    }
}

/// A condition's words, and the aspects that are required where it is true.
type Conditional = (Vec<u32>, Vec<u32>);

/// Returns the aspects in the property sets: those that are always required, and those under conditions.
fn aspects(p: &PackedText) -> (Vec<u32>, Vec<Conditional>) {
    let set = &p.sets[REQUIREMENTS];
    let conditional = (0..)
        .map_while(|number| {
            let condition = set.get(&format!("condition-{number}"))?;
            Some((condition.clone(), set[&format!("conditional-aspects-{number}")].clone()))
        })
        .collect();
    (set["aspect"].clone(), conditional)
}

/// Returns a series as the words of a property.
fn series(values: &[i32]) -> Vec<u32> {
    values.iter().map(|value| value.cast_unsigned()).collect()
}

#[test]
fn conditional_aspects_are_simplified_as_designed() {
    const HALF: &str = "OpCapability Float16\nFN %act\n%y = OpFAdd %half %h1 %h1\nEND\n";
    let case = |condition: &str| aspects(&packed(&format!("FN %main\nWHEN {condition}: %act\nEND\n{HALF}")));
    // The condition promises the aspect itself.
    let leaves = case("-1 5");
    assert_eq!(leaves, (vec![], vec![]));
    assert_eq!(case("-4 -1 5 -2 20"), (vec![], vec![]));
    // All the architectures have it.
    assert_eq!(case("-2 20"), (vec![], vec![]));
    assert_eq!(case("-5 -2 20 -2 17"), (vec![], vec![]));
    // One of them does not, by the table.
    let devices = crate::device::DeviceConfig::embedded().unwrap();
    let lacking = devices
        .iter()
        .find(|device| device.architecture.is_some() && device.has_aspect(5) == Some(false))
        .and_then(|device| device.architecture)
        .unwrap();
    let condition = format!("-5 -2 20 -2 {lacking}");
    let (always, conditional) = case(&condition);
    assert_eq!((always, conditional.len()), (vec![], 1));
    // What is said of the one that has it is not worth a mention.
    assert_eq!(conditional[0], (series(&[-2, lacking as i32]), vec![5]));
    // Another aspect, a negation, and none of an architecture.
    assert_eq!(case("-1 6").1, [(series(&[-1, 6]), vec![5])]);
    assert_eq!(case("-3 -1 6").1, [(series(&[-3, -1, 6]), vec![5])]);
    assert_eq!(case("-3 -2 20").1, [(series(&[-3, -2, 20]), vec![5])]);
    // Needed outright.
    let p = packed(&format!("FN %main\nWHEN -1 6: %act\n%z = OpFAdd %half %h1 %h1\nEND\n{HALF}"));
    assert_eq!(aspects(&p), (vec![5], vec![]));
}

fn function_variants(text: &str) -> PackedText {
    // It cannot be cut down by properties: only the packed module itself is looked at.
    let options = TestOptions { dialect: Dialect::FunctionVariants, ..TestOptions::default() };
    let text = crate::test_support::program::expand(text);
    let (words, ids) = crate::test_support::assemble_named(&text, "spv1.6");
    let p = super::packed::pack_words(words, ids, &options).unwrap();
    crate::test_support::assert_valid(&p.words, "spv1.6");
    p
}

fn acting(condition: &str) -> String {
    format!("FN %main\nWHEN {condition}: %act\nEND\nFN %act\nEND")
}

#[test]
fn the_device_constants_of_function_variants() {
    let devices = crate::device::DeviceConfig::embedded().unwrap();
    let unique = devices
        .iter()
        .filter_map(|device| device.architecture)
        .find(|&number| crate::device::architectures::unique_registry(number).is_some());
    let unique = unique.unwrap();
    let tuple = crate::device::architectures::unique_registry(unique).unwrap();
    let x86_64 = crate::device::architectures::by_name("x86_64").unwrap().value;
    for (condition, op, literals) in [
        ("-1 5".to_string(), Op::SpecConstantCapabilitiesINTEL, vec![spirv::Capability::Float16 as u32]),
        ("-1 6".to_string(), Op::SpecConstantCapabilitiesINTEL, vec![spirv::Capability::Float64 as u32]),
        (
            "-1 28".to_string(),
            Op::SpecConstantCapabilitiesINTEL,
            vec![spirv::Capability::Int64Atomics as u32],
        ),
        ("-6 22".to_string(), Op::SpecConstantCapabilitiesINTEL, vec![22]),
        (format!("-2 {x86_64}"), Op::SpecConstantTargetINTEL, vec![4]),
        (
            format!("-2 {unique}"),
            Op::SpecConstantArchitectureINTEL,
            vec![tuple.category, tuple.family, Op::IEqual as u32, tuple.architecture],
        ),
    ] {
        let p = function_variants(&acting(&condition));
        let module = Module::from_words(&p.words).unwrap();
        let decided = module.definition(p.decoration(p.id("act")).unwrap()).unwrap();
        assert_eq!((decided.op(), decided.words_from(3)), (Some(op), &literals[..]), "{condition}");
        p.capability("FunctionVariantsINTEL", "always").capability("SpecConditionalINTEL", "gone");
        assert!(p.leaves().is_empty());
    }
}

/// spirv-val rejects a device constant for a capability unless the capabilities that this one implies are declared.
#[test]
fn a_device_constant_declares_the_capabilities_that_its_own_implies() {
    // 63 is GroupNonUniformArithmetic, which implies GroupNonUniform.
    let p = function_variants(&acting("-6 63"));
    let decided = p.decoration(p.id("act")).unwrap();
    let implied =
        p.find(|inst| (inst.is(Op::ConditionalCapabilityINTEL)).then(|| [inst.word(1), inst.word(2)]));
    assert_eq!(implied, [[decided, spirv::Capability::GroupNonUniform as u32]]);
    // What the module declares anyway is not declared again.
    let text = format!(
        "OpCapability Int64\n{}",
        acting("-1 28").replace("FN %main", "FN %main\n%x = OpIAdd %long %l1 %l1")
    );
    let p = function_variants(&text);
    p.capability("Int64", "always");
}

#[test]
fn leaves_that_function_variants_cannot_express_are_an_error() {
    let options = TestOptions { dialect: Dialect::FunctionVariants, ..TestOptions::default() };
    // Aspect 2 is `gpu`, which no capability is.
    let error = error_with(&acting("-1 2"), &options);
    assert!(error.contains("gpu") && error.contains("Use the default dialect"), "{error}");
    let shared = (0..1000)
        .filter(|&number| crate::device::architectures::by_value(number).is_some_and(|a| a.name != "x86_64"))
        .find(|&number| crate::device::architectures::unique_registry(number).is_none())
        .unwrap();
    let name = crate::device::architectures::by_value(shared).unwrap().name;
    let error = error_with(&acting(&format!("-2 {shared}")), &options);
    assert!(error.contains(name), "{error}");
}

#[test]
fn the_same_input_gives_the_same_words() {
    let text = "OpCapability Float64\nOpCapability Float16
        FN %main\nWHEN -4 -1 6 -1 5: %a\nWHEN -5 -1 9 -2 20: %b\nEND
        FN %a\n%x = OpFAdd %double %d1 %d1\nEND\nFN %b\n%y = OpFAdd %half %h1 %h1\nEND";
    let (first, second) = (packed(text), packed_with(text, &TestOptions::default()));
    assert_eq!(first.words, second.words);
    assert_eq!(first.sets, second.sets);
}

#[test]
fn leaves_have_names_where_the_module_has_some() {
    let p = packed(&acting("-1 5"));
    assert!(p.count(Op::Name) > 0);
}
