use super::*;
use crate::metadata::property_sets::{ConditionalRequirements, Property, PropertyNames};

fn joined(beside: &[PropertySet], inside: &[PropertySet]) -> Result<PropertySets, String> {
    let sets = |sets: &[PropertySet]| PropertySets { sets: sets.to_vec() };
    sets(beside).joined(sets(inside)).map_err(|error| error.to_string())
}

fn constants(aspects: &[(u32, u32)], capabilities: &[(u32, u32)]) -> PropertySet {
    let aspects = aspects.iter().map(|&(spec_id, number)| (spec_id, Leaf::Aspect(number)));
    let capabilities = capabilities.iter().map(|&(spec_id, number)| (spec_id, Leaf::Capability(number)));
    SpecialConstants::new(aspects.chain(capabilities)).to_set()
}

fn required(change: impl FnOnce(&mut DeviceRequirements)) -> PropertySet {
    let mut required = DeviceRequirements { aspects: vec![5, 6], ..DeviceRequirements::default() };
    change(&mut required);
    required.to_set(PropertyNames::Design)
}

#[test]
fn either_is_enough() {
    let all = [constants(&[(0, 5)], &[]), required(|_| {})];
    for (beside, inside) in [(&all[..], &[][..]), (&[], &all), (&all, &all), (&all[..1], &all[1..])] {
        assert_eq!(joined(beside, inside).unwrap().sets, all);
    }
}

#[test]
fn a_spec_id_stands_for_one_thing() {
    let inside = constants(&[(0, 5), (1, 6)], &[(3, 9)]);
    let error = joined(&[constants(&[(1, 5)], &[])], std::slice::from_ref(&inside)).unwrap_err();
    assert_eq!(
        error,
        "the module and the properties beside it disagree on the meaning of SpecId 1: fp64 in the module, fp16 beside it"
    );
    let error = joined(&[constants(&[(3, 5)], &[])], std::slice::from_ref(&inside)).unwrap_err();
    assert!(error.ends_with("SpecId 3: cap(Float16) in the module, fp16 beside it"), "{error}");
    // Either set may have constants that the other does not, and other tools have properties of their own.
    let mut beside = constants(&[(4, 7), (0, 5)], &[]);
    beside.push("other", Property::U32(1));
    let mut all = constants(&[(4, 7), (0, 5), (1, 6)], &[(3, 9)]);
    all.push("other", Property::U32(1));
    assert_eq!(joined(&[beside], &[inside]).unwrap().sets, [all]);
}

/// Checks that requirements are equal in any order, with any numbers of conditions, and in any spelling.
#[test]
fn requirements_are_compared_by_their_meaning() {
    let (fp16, not_fp64) = (vec![-1, 5], vec![-3, -1, 6]);
    let pair = |condition: &[i32], aspects: &[u32]| {
        let (condition, aspects) = (condition.to_vec(), aspects.to_vec());
        ConditionalRequirements { condition, aspects, ..ConditionalRequirements::default() }
    };
    let inside = required(|requirements| {
        requirements.conditional = vec![pair(&fp16, &[7, 8]), pair(&not_fp64, &[8])];
        requirements.sub_group_sizes = vec![8, 16];
        requirements.other =
            vec![("joint_matrix".to_owned(), Property::U32(1)), ("x".to_owned(), Property::U32(1))];
    });
    let beside = DeviceRequirements {
        aspects: vec![6, 5, 5],
        conditional: vec![
            pair(&[-5, -3, -1, 6, -1, 5], &[8]),
            pair(&[-3, -3, -1, 5], &[7]),
            pair(&fp16, &[5]),
        ],
        sub_group_sizes: vec![16, 8],
        other: vec![("x".to_owned(), Property::U32(2))],
        ..DeviceRequirements::default()
    };
    let mut beside = beside.to_set(PropertyNames::Dpcpp);
    let all = joined(&[beside.clone()], &[inside]).unwrap();
    beside.push("joint_matrix", Property::U32(1));
    assert_eq!(all.sets, [beside], "what is beside the module stays as it is");
}

#[test]
fn different_requirements_are_reported() {
    let error = |inside: &dyn Fn(&mut DeviceRequirements), beside: &dyn Fn(&mut DeviceRequirements)| {
        let error = joined(&[required(beside)], &[required(inside)]).unwrap_err();
        error.strip_prefix("the module and the properties beside it disagree on ").unwrap().to_owned()
    };
    let nothing = |_: &mut DeviceRequirements| {};
    let conditional = |requirements: &mut DeviceRequirements| {
        requirements.conditional = vec![ConditionalRequirements {
            condition: vec![-1, 5],
            aspects: vec![7],
            sub_group_sizes: vec![8],
            work_group_sizes: vec![vec![4, 2]],
        }];
    };
    assert_eq!(
        error(&|requirements| requirements.aspects = vec![5], &nothing),
        "aspect fp64: not required in the module, required beside it"
    );
    let message = error(&conditional, &nothing);
    assert!(message.ends_with(": required if fp16 in the module, not required beside it"), "{message}");
    let message = error(&|requirements| requirements.aspects.push(7), &conditional);
    assert!(message.ends_with(": required in the module, required if fp16 beside it"), "{message}");
    let without_aspects = |requirements: &mut DeviceRequirements| {
        conditional(requirements);
        requirements.conditional[0].aspects.clear();
    };
    assert_eq!(
        error(&without_aspects, &nothing),
        "sub-group size 8: required if fp16 in the module, not required beside it"
    );
    assert_eq!(
        error(&nothing, &|requirements| requirements.sub_group_sizes = vec![8, 16]),
        "sub-group size 8: not required in the module, required beside it"
    );
    assert_eq!(
        error(&|requirements| requirements.work_group_sizes = vec![vec![8, 1], vec![4]], &|requirements| {
            requirements.work_group_sizes = vec![vec![4]];
        }),
        "work-group size [8, 1]: required in the module, not required beside it"
    );
    assert_eq!(
        error(&|requirements| requirements.fixed_targets = Some(vec![0x10014]), &nothing),
        "the targets that the code is for: arch(intel_gpu_pvc) in the module, any beside it"
    );
    assert_eq!(
        error(&|requirements| requirements.fixed_targets = Some(vec![]), &nothing),
        "the targets that the code is for: none in the module, any beside it"
    );
}

#[test]
fn sets_of_other_tools_are_no_disagreement() {
    let set = |name: &str, value: u32| {
        let mut set = PropertySet::new(name);
        set.push("x", Property::U32(value));
        set
    };
    let all = joined(&[set("A", 1), set("B", 1)], &[set("B", 2), set("C", 2)]).unwrap();
    assert_eq!(all.sets, [set("A", 1), set("B", 1), set("C", 2)]);
}

#[test]
fn malformed_sets_are_errors() {
    let mut broken = PropertySet::new(DEVICE_REQUIREMENTS);
    broken.push("aspect", Property::U32(1));
    for (beside, inside) in [(&broken, &required(|_| {})), (&required(|_| {}), &broken)] {
        let error = joined(std::slice::from_ref(beside), std::slice::from_ref(inside)).unwrap_err();
        assert!(error.contains("`aspect` of [SYCL/device requirements]: an integer"), "{error}");
    }
}
