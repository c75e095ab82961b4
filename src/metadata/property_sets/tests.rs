use super::*;
use crate::condition::{FeatureName, Leaf, Limit};

fn message(text: &str) -> String {
    PropertySets::parse("a.prop", text).unwrap_err().to_string()
}

/// Checks samples that DPC++ wrote.
#[test]
fn dpcpp_vectors() {
    let vectors = [
        (vec![], "2|AAAAAAAAAAA"),
        (vec![1], "2|gAAAAAAAAAQAAAAA"),
        (vec![32], "2|gAAAAAAAAAAIAAAA"),
        (vec![64], "2|gAAAAAAAAAAQAAAA"),
    ];
    for (words, text) in vectors {
        let mut set = PropertySet::new("set");
        set.push("p", Property::from_u32s(&words));
        let text = format!("[set]\np={text}\n");
        let sets = PropertySets { sets: vec![set] };
        assert_eq!(sets.to_text(), text);
        assert_eq!(PropertySets::parse("a.prop", &text).unwrap(), sets);
    }
}

#[test]
fn any_number_of_bytes_comes_back() {
    for length in 0..40 {
        let bytes: Vec<u8> = (0..length).map(|index| (index * 83 + 7) as u8).collect();
        let text = encode_base64(&bytes);
        assert_eq!(text.len(), (bytes.len() * 8).div_ceil(6));
        assert_eq!(decode_base64(&text).unwrap(), bytes);
    }
}

/// Checks bit masks, whose length DPC++ gives in bits: here the first of two in dpnp.
#[test]
fn bits_are_kept() {
    let text = "[SYCL/kernel param opt]\n_ZTS1a=2|CAAAAAAAAAQA\n";
    let sets = PropertySets::parse("a.prop", text).unwrap();
    assert_eq!(sets.sets[0].properties[0].1, Property::Bits { length: 2, bytes: vec![1] });
    assert_eq!(sets.to_text(), text);
    let requirements = text.replace("kernel param opt", "device requirements").replace("_ZTS1a", "aspect");
    assert_eq!(
        message(&requirements),
        "a.prop:2: property `aspect`: 2 bits are not an array of 32-bit integers"
    );
    // 9 bits take two bytes; and the largest length, without any bytes.
    assert!(message("[A]\na=2|JAAAAAAAAAQA\n").contains("is 9 bits, but 8 bits follow"));
    assert!(message("[A]\na=2|//////////P\n").contains("is 18446744073709551615 bits, but 0 bits follow"));
}

#[test]
fn order_and_bytes_are_kept() {
    let text =
        "[SYCL/specialization constants]\nz=1|4294967295\na=2|gAAAAAAAAAQAAAAA\n[A]\n[empty too]\nb=1|0\n";
    let sets = PropertySets::parse("a.prop", text).unwrap();
    assert_eq!(sets.to_text(), text);
    assert_eq!(sets.sets[0].properties[0], ("z".to_owned(), Property::U32(u32::MAX)));
    assert_eq!(sets.get("empty too").unwrap().get("b"), Some(&Property::U32(0)));
}

#[test]
fn blank_lines_and_carriage_returns_are_read() {
    let sets = PropertySets::parse("a.prop", "\n[A]\r\n\nb=1|7\r\n").unwrap();
    assert_eq!(sets.to_text(), "[A]\nb=1|7\n");
}

#[test]
fn errors_have_a_line() {
    assert_eq!(message("a=1|1\n"), "a.prop:1: a property before the first [set name]");
    assert!(message("[A]\n\nnonsense\n").starts_with("a.prop:3: neither"));
    assert!(message("[A]\na=1\n").starts_with("a.prop:2: no `|`"));
    assert!(message("[A]\na=3|1\n").starts_with("a.prop:2: unknown property type `3`"));
    assert_eq!(
        message("[A]\nb=1|1\na=1|4294967296\n"),
        "a.prop:3: `4294967296` is not a 32-bit unsigned integer"
    );
    assert!(message("[A]\na=1|+1\n").contains("`+1` is not"));
    assert_eq!(message("[A]\na=1|1\na=1|2\n"), "a.prop:3: property `a` is defined a second time");
    assert_eq!(message("[A]\n[B]\n[A]\n"), "a.prop:3: [A] is defined a second time");
}

#[test]
fn errors_of_byte_arrays() {
    assert_eq!(message("[A]\na=2|gAAA=AAA\n"), "a.prop:2: `=` is not a base64 character");
    assert!(message("[A]\na=2|gAAAAA\n").contains("length in 8 bytes"), "cut within the prefix");
    assert!(message("[A]\na=2|\n").contains("length in 8 bytes"));
    // 32 bits are announced, but none or 64 follow.
    assert_eq!(
        message("[A]\na=2|gAAAAAAAAAA\n"),
        "a.prop:2: the length prefix is 32 bits, but 0 bits follow"
    );
    let long = encode_base64(&[32, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(message(&format!("[A]\na=2|{long}\n")).contains("is 32 bits, but 64 bits follow"));
    // A last digit with unused bits, and a digit that adds no byte.
    assert!(message("[A]\na=2|AAAAAAAAAAQ\n").contains("ends within a byte"));
    assert!(message("[A]\na=2|gAAAAAAAAAQAAAAAA\n").contains("ends within a byte"));
}

#[test]
fn arrays() {
    assert_eq!(Property::from_i32s(&[-4, -1, 5]), Property::from_u32s(&[0xffff_fffc, 0xffff_ffff, 5]));
    assert_eq!(Property::from_i32s(&[-4, 5]).as_u32s(), Some(vec![0xffff_fffc, 5]));
    assert_eq!(Property::Bytes(vec![1, 0, 0, 0, 2]).as_u32s(), None);
    assert_eq!(Property::U32(1).as_u32s(), None);
    assert_eq!(Property::from_u32s(&[0x0403_0201]), Property::Bytes(vec![1, 2, 3, 4]));
}

#[test]
fn put_replaces() {
    let mut sets = PropertySets::parse("a.prop", "[A]\na=1|1\n[B]\nb=1|1\n").unwrap();
    sets.put(PropertySet::new("A"));
    sets.put(PropertySet::new("C"));
    assert_eq!(sets.to_text(), "[A]\n[B]\nb=1|1\n[C]\n");
}

#[test]
fn special_constants() {
    let constants =
        SpecialConstants::new([(0, Leaf::Aspect(5)), (7, Leaf::Aspect(6)), (3, Leaf::Capability(9))]);
    let set = constants.to_set();
    assert_eq!(set.name, "SYCL/special specialization constants");
    assert_eq!(set.get("aspects"), Some(&Property::from_u32s(&[0, 5, 7, 6])));
    assert_eq!(set.get("capabilities"), Some(&Property::from_u32s(&[3, 9])));
    assert_eq!(set.get("architectures"), None);
    assert_eq!(SpecialConstants::from_set(&set).unwrap(), constants);

    let mut set = PropertySet::new(SPECIAL_CONSTANTS);
    set.push("architectures", Property::from_u32s(&[1, 2, 3]));
    let error = SpecialConstants::from_set(&set).unwrap_err().to_string();
    assert_eq!(
        error,
        "property `architectures` of [SYCL/special specialization constants]: not a series of pairs"
    );
}

/// Checks that features and limits are in one list, distinguished by the number after their names.
#[test]
fn limits_are_listed_with_features() {
    let name = FeatureName::parse("vulkan:maxX").unwrap();
    let (feature, limit) = (Leaf::Feature(name), Leaf::Limit(Limit::new(name, 64).unwrap()));
    let constants = SpecialConstants::new([(3, feature), (4, limit)]);
    let set = constants.to_set();
    assert_eq!(SpecialConstants::from_set(&set).unwrap(), constants);
    let words = [&[3], &feature.to_words()[..], &[4], &limit.to_words()[..]].concat();
    assert_eq!(set.u32s("features", set.get("features").unwrap()).unwrap(), words);
    let mut malformed = PropertySet::new(SPECIAL_CONSTANTS);
    malformed.push("features", Property::from_u32s(&[&words[..words.len() - 1], &[1 << 31]].concat()));
    let error = SpecialConstants::from_set(&malformed).unwrap_err().to_string();
    assert!(error.ends_with("names of providers and features, and 0 or the bound of a number"), "{error}");
}

#[test]
fn a_spec_id_stands_for_one_thing() {
    let constants = SpecialConstants::new([(3, Leaf::Aspect(5)), (3, Leaf::Capability(9))]);
    let error = SpecialConstants::from_set(&constants.to_set()).unwrap_err().to_string();
    assert_eq!(
        error,
        "property `capabilities` of [SYCL/special specialization constants]: a SpecId stands for two things"
    );
}

fn requirements() -> DeviceRequirements {
    DeviceRequirements {
        aspects: vec![5, 6],
        sub_group_sizes: vec![16],
        work_group_sizes: vec![vec![8, 4, 1]],
        fixed_targets: Some(vec![0x10014]),
        condition: Some(vec![-1, 1]),
        conditional: vec![
            ConditionalRequirements { condition: vec![-1, 28], aspects: vec![28], ..Default::default() },
            ConditionalRequirements {
                condition: vec![-3, -2, 20],
                aspects: vec![5, 53],
                sub_group_sizes: vec![16, 32],
                work_group_sizes: vec![vec![8, 4, 1]],
            },
        ],
        other: vec![("joint_matrix".to_owned(), Property::Bytes(b"a;b".to_vec()))],
    }
}

#[test]
fn device_requirements() {
    let set = requirements().to_set(PropertyNames::Design);
    let names: Vec<&str> = set.properties.iter().map(|property| property.0.as_str()).collect();
    assert_eq!(
        names,
        [
            "aspect",
            "reqd_sub_group_size",
            "reqd_work_group_size",
            "fixed_target",
            "condition",
            "condition-0",
            "conditional-aspects-0",
            "condition-1",
            "conditional-aspects-1",
            "conditional-reqd_sub_group_size-1",
            "conditional-reqd_work_group_size-1",
            "joint_matrix"
        ]
    );
    assert_eq!(set.get("reqd_work_group_size"), Some(&Property::from_u32s(&[3, 8, 4, 1])));
    assert_eq!(DeviceRequirements::from_set(&set).unwrap(), requirements());
    let set = requirements().to_set(PropertyNames::Dpcpp);
    assert_eq!(set.properties[0].0, "aspects");
    assert_eq!(set.get("reqd_work_group_size_uint64_t"), Some(&Property::from_u64s(&[1, 4, 8])));
    assert_eq!(DeviceRequirements::from_set(&set).unwrap(), requirements());
    let nothing = DeviceRequirements::default().to_set(PropertyNames::Design);
    assert_eq!(nothing.properties, [("aspect".to_owned(), Property::from_u32s(&[]))]);
}

/// Reads and restores the expectations of DPC++'s own tests of sycl-post-link
/// (llvm/test/tools/sycl-post-link/device-requirements).
#[test]
fn what_dpcpp_expects() {
    let read = |lines: &[&str]| {
        let text = format!("[{DEVICE_REQUIREMENTS}]\n{}\n", lines.join("\n"));
        let sets = PropertySets::parse("a.prop", &text).unwrap();
        let requirements = DeviceRequirements::from_set(&sets.sets[0]).unwrap();
        let written = PropertySets { sets: vec![requirements.to_set(PropertyNames::Dpcpp)] };
        assert_eq!(written.to_text(), text);
        requirements
    };
    let none = "aspects=2|AAAAAAAAAAA";
    // aspects.ll: all kernels, and each of the two by itself.
    assert_eq!(read(&["aspects=2|gCAAAAAAAAAAAAAABAAAAYAAAAQCAAAAMAAAAA"]).aspects, [0, 1, 6, 9, 12]);
    assert_eq!(read(&["aspects=2|gBAAAAAAAAAAAAAAJAAAAwAAAAA"]).aspects, [0, 9, 12]);
    assert_eq!(read(&["aspects=2|ABAAAAAAAAQAAAAAGAAAAA"]).aspects, [1, 6]);
    // reqd-sub-group-size.ll
    assert_eq!(read(&[none, "reqd_sub_group_size=1|32"]).sub_group_sizes, [32]);
    assert_eq!(read(&[none, "reqd_sub_group_size=1|16"]).sub_group_sizes, [16]);
    // reqd-work-group-size.ll
    let size = |text: &str| read(&[none, &format!("reqd_work_group_size_uint64_t={text}")]).work_group_sizes;
    assert_eq!(size("2|ABAAAAAAAAAQAAAAAAAAAA"), [[64]]);
    assert_eq!(size("2|ABAAAAAAAAAIAAAAAAAAAA"), [[32]]);
    // fixed-target.ll
    assert_eq!(read(&[none, "fixed_target=2|gAAAAAAAAAQAAAAA"]).fixed_targets, Some(vec![1]));
    // From an earlier version of the test: 32-bit sizes without the number of dimensions, and a list of
    // sub-group sizes.
    for (lines, work_group, sub_group) in [
        ("reqd_work_group_size=2|gAAAAAAAAAAQAAAA", vec![vec![64]], vec![]),
        ("reqd_sub_group_size=2|gAAAAAAAAAAIAAAA", vec![], vec![32]),
    ] {
        for aspects in [none, "aspect=2|AAAAAAAAAAA"] {
            let text = format!("[{DEVICE_REQUIREMENTS}]\n{aspects}\n{lines}\n");
            let sets = PropertySets::parse("a.prop", &text).unwrap();
            let requirements = DeviceRequirements::from_set(&sets.sets[0]).unwrap();
            assert_eq!(requirements.work_group_sizes, work_group, "{text}");
            assert_eq!(requirements.sub_group_sizes, sub_group, "{text}");
        }
    }
}

/// Checks that aspects have the numbers of DPC++ 2026 in its spelling, and our own in the design's.
#[test]
fn numbers_of_aspects() {
    let atomic64 = DeviceRequirements { aspects: vec![6, 28], ..Default::default() };
    assert_eq!(atomic64.to_set(PropertyNames::Dpcpp).get("aspects"), Some(&Property::from_u32s(&[6, 27])));
    assert_eq!(atomic64.to_set(PropertyNames::Design).get("aspect"), Some(&Property::from_u32s(&[6, 28])));
    for names in [PropertyNames::Design, PropertyNames::Dpcpp] {
        assert_eq!(DeviceRequirements::from_set(&atomic64.to_set(names)).unwrap(), atomic64);
    }
}

/// Checks that an empty list of targets allows no device, unlike a missing list.
#[test]
fn no_fixed_target_left() {
    let requirements = DeviceRequirements { fixed_targets: Some(vec![]), ..Default::default() };
    let set = requirements.to_set(PropertyNames::Design);
    assert_eq!(set.get("fixed_target"), Some(&Property::Bytes(vec![])));
    assert_eq!(DeviceRequirements::from_set(&set).unwrap(), requirements);
}

#[test]
fn work_group_sizes_in_either_spelling() {
    let read = |name: &str, words: &[u32]| {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        set.push("reqd_work_group_size", Property::from_u32s(words));
        set.push(name, Property::from_u32s(&[]));
        DeviceRequirements::from_set(&set).map(|requirements| requirements.work_group_sizes)
    };
    // An ambiguous value is read by the spelling of the aspects. In DPC++ the dimension that varies fastest
    // is first.
    assert_eq!(read("aspect", &[2, 8, 4]).unwrap(), [[8, 4]]);
    assert_eq!(read("aspects", &[2, 8, 4]).unwrap(), [[4, 8, 2]]);
    assert_eq!(read("unrelated", &[1, 64]).unwrap(), [[64]]);
    assert_eq!(read("aspects", &[1, 64]).unwrap(), [[64, 1]]);
    // An unambiguous value is read in its only way.
    assert_eq!(read("aspects", &[3, 8, 4, 2]).unwrap(), [[8, 4, 2]]);
    assert_eq!(read("aspect", &[8, 4, 2]).unwrap(), [[2, 4, 8]]);
    assert_eq!(read("aspects", &[1, 7, 1, 8]).unwrap(), [[7], [8]]);
    assert_eq!(read("aspect", &[1, 7, 2, 8, 9]).unwrap(), [vec![7], vec![8, 9]]);
    assert_eq!(read("aspect", &[]).unwrap(), [[0; 0]; 0]);
    for words in [&[2, 8, 4, 1][..], &[4, 1, 1, 1, 1], &[0, 1, 1, 1], &[3, 1, 1, 1, 3], &[u32::MAX; 4]] {
        let error = read("aspect", words).unwrap_err().to_string();
        assert!(
            error.contains("`reqd_work_group_size` of [SYCL/device requirements]: neither series"),
            "{words:?}"
        );
    }
    // Several sizes are restored in both spellings.
    let several =
        DeviceRequirements { work_group_sizes: vec![vec![7], vec![8]], ..DeviceRequirements::default() };
    for names in [PropertyNames::Design, PropertyNames::Dpcpp] {
        assert_eq!(DeviceRequirements::from_set(&several.to_set(names)).unwrap(), several);
    }
}

#[test]
fn malformed_device_requirements() {
    let error = |name: &str, property| {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        set.push(name, property);
        DeviceRequirements::from_set(&set).unwrap_err().to_string()
    };
    assert!(error("aspect", Property::U32(5)).contains("`aspect` of [SYCL/device requirements]: an integer"));
    assert!(
        error("reqd_work_group_size_uint64_t", Property::from_u32s(&[1]))
            .contains("not up to three 64-bit sizes")
    );
    for name in ["aspects", "reqd_sub_group_size", "reqd_work_group_size", "fixed_target"] {
        assert!(error(name, Property::Bytes(vec![1, 2, 3])).contains("3 bytes are not an array of 32-bit"));
    }
    assert!(
        error("condition-3", Property::from_i32s(&[-1, 5]))
            .contains("matching `conditional-aspects-3` is missing")
    );
    assert!(
        error("conditional-aspects-3", Property::from_u32s(&[5]))
            .contains("matching `condition-3` is missing")
    );
    let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
    set.push("aspect", Property::from_u32s(&[]));
    set.push("aspects", Property::from_u32s(&[]));
    assert!(DeviceRequirements::from_set(&set).unwrap_err().to_string().contains("`aspect` is here too"));
}

/// Checks that errors in the value of a property have its line, like errors in its text.
#[test]
fn errors_of_values_have_a_line() {
    let text = |properties: &[(&str, Property)]| {
        let mut sets = PropertySets::parse("", "[A]\na=1|1\n\n").unwrap();
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        properties.iter().for_each(|(name, property)| set.push(*name, property.clone()));
        sets.put(set);
        message(&sets.to_text())
    };
    let (aspects, condition) = (Property::from_u32s(&[5]), |words: &[i32]| Property::from_i32s(words));
    assert_eq!(
        text(&[("aspect", aspects.clone()), ("fixed_target", Property::Bytes(vec![0; 6]))]),
        "a.prop:5: property `fixed_target`: 6 bytes are not an array of 32-bit integers"
    );
    assert_eq!(
        text(&[("aspect", aspects.clone()), ("condition-0", condition(&[-1, 5]))]),
        "a.prop:5: property `condition-0`: the matching `conditional-aspects-0` is missing"
    );
    assert!(
        text(&[("aspect", aspects.clone()), ("conditional-aspects-0", aspects.clone())])
            .starts_with("a.prop:5: property `conditional-aspects-0`: the matching `condition-0` is missing")
    );
    let truncated =
        text(&[("conditional-aspects-0", aspects.clone()), ("condition-0", condition(&[-4, -1, 5]))]);
    assert!(truncated.starts_with("a.prop:5: property `condition-0`: "), "{truncated}");
    let longer = text(&[("condition-0", condition(&[-1, 5, 6])), ("conditional-aspects-0", aspects)]);
    assert!(longer.starts_with("a.prop:4: property `condition-0`: "), "{longer}");
    let error = message("\n[SYCL/special specialization constants]\naspects=2|gAAAAAAAAAQAAAAA\n");
    assert_eq!(error, "a.prop:3: property `aspects`: not a series of pairs");
}

/// Checks that damaged text causes an error, or property sets that writing restores.
#[test]
fn damaged_text_is_an_error_or_comes_back() {
    let mut sets = PropertySets::default();
    sets.put(requirements().to_set(PropertyNames::Design));
    sets.put(SpecialConstants::new([(0, Leaf::Aspect(5))]).to_set());
    let text = sets.to_text();
    let check = |text: &str| match PropertySets::parse("a.prop", text) {
        Ok(sets) => {
            let lines = |text: &str| {
                text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>()
            };
            assert_eq!(lines(&sets.to_text()), lines(text));
        }
        Err(PropertyError::Text { line, .. }) => assert!((1..=text.lines().count()).contains(&line)),
        Err(error) => panic!("{error}"),
    };
    for at in 0..text.len() {
        check(&text[..at]);
        check(&text[at..]);
        for other in "[]=|\nA/9\u{e9}".chars() {
            check(&format!("{}{other}{}", &text[..at], &text[at + 1..]));
            check(&format!("{}{other}{}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn forms_of_variants() {
    let first =
        VariantForm { condition: Some(vec![-1, 5]), version: 0x10000, buffer_blocks: true, notes: vec![] };
    let second =
        VariantForm { condition: None, version: 0x10600, buffer_blocks: false, notes: vec![(1, 2), (7, 1)] };
    let has: Vec<u32> = (0..10).filter(|&number| second.has_note(number)).collect();
    assert_eq!((has, first.has_note(0)), (vec![1, 2, 7], false));
    let variants = Variants { notes: 8, all: vec![first, second] };
    let set = variants.to_set();
    assert_eq!(Variants::from_set(&set).unwrap(), variants);
    let with = |name: &str, property: Property| {
        let mut set = set.clone();
        set.properties
            .iter_mut()
            .filter(|(property_name, _)| property_name == name)
            .for_each(|property_name| property_name.1 = property.clone());
        Variants::from_set(&set).unwrap_err().to_string()
    };
    let error = with("condition-0", Property::from_i32s(&[-1]));
    assert!(error.contains("`condition-0`") && error.contains("ends at index 1"), "{error}");
    let error = with("notes-1", Property::from_u32s(&[1, 2, 0]));
    assert!(error.ends_with("not a series of pairs"), "{error}");
    let error = with("notes-1", Property::from_u32s(&[3, 1, 0, 1]));
    assert!(error.ends_with("not in ascending order"), "{error}");
    let error = with("version-1", Property::from_u32s(&[1]));
    assert!(error.ends_with("not an integer"), "{error}");
}
