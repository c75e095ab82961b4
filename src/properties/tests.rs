use super::*;

fn message(text: &str) -> String {
    PropertySets::parse("a.prop", text).unwrap_err().to_string()
}

/// Samples that DPC++ wrote.
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
        let text = base64::encode(&bytes);
        assert_eq!(text.len(), (bytes.len() * 8).div_ceil(6));
        assert_eq!(base64::decode(&text).unwrap(), bytes);
    }
}

#[test]
fn order_and_bytes_are_kept() {
    let text =
        "[SYCL/specialization constants]\nz=1|4294967295\na=2|gAAAAAAAAAQAAAAA\n[A]\n[empty too]\nb=1|0\n";
    let sets = PropertySets::parse("a.prop", text).unwrap();
    assert_eq!(sets.to_text(), text);
    assert_eq!(sets.sets[0].properties[0], ("z".to_owned(), Property::U32(u32::MAX)));
    assert_eq!(sets.get("empty too").unwrap().get("b").unwrap().as_u32(), Some(0));
}

#[test]
fn blank_lines_and_carriage_returns_are_read() {
    let sets = PropertySets::parse("a.prop", "\n[A]\r\n\nb=1|7\r\n").unwrap();
    assert_eq!(sets.to_text(), "[A]\nb=1|7\n");
}

#[test]
fn errors_say_where() {
    assert_eq!(message("a=1|1\n"), "a.prop:1: a property before the first [set name]");
    assert!(message("[A]\n\nnonsense\n").starts_with("a.prop:3: neither"));
    assert!(message("[A]\na=1\n").starts_with("a.prop:2: no `|`"));
    assert!(message("[A]\na=3|1\n").starts_with("a.prop:2: unknown property type `3`"));
    assert_eq!(
        message("[A]\nb=1|1\na=1|4294967296\n"),
        "a.prop:3: `4294967296` is not a 32-bit unsigned integer"
    );
    assert!(message("[A]\na=1|+1\n").contains("`+1` is not"));
    assert_eq!(message("[A]\na=1|1\na=1|2\n"), "a.prop:3: property `a` stands here a second time");
    assert_eq!(message("[A]\n[B]\n[A]\n"), "a.prop:3: [A] stands here a second time");
}

#[test]
fn errors_of_byte_arrays() {
    assert_eq!(message("[A]\na=2|gAAA=AAA\n"), "a.prop:2: `=` is not a base64 character");
    assert!(message("[A]\na=2|gAAAAA\n").contains("length in 8 bytes"), "cut within the prefix");
    assert!(message("[A]\na=2|\n").contains("length in 8 bytes"));
    // 32 bits announced; none, and 64, follow.
    assert_eq!(
        message("[A]\na=2|gAAAAAAAAAA\n"),
        "a.prop:2: the length prefix says 32 bits, and 0 bits follow"
    );
    let long = base64::encode(&[32, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(message(&format!("[A]\na=2|{long}\n")).contains("says 32 bits, and 64 bits follow"));
    // Another last digit with the same bytes, and a digit that adds no byte.
    assert!(message("[A]\na=2|AAAAAAAAAAQ\n").contains("ends within a byte"));
    assert!(message("[A]\na=2|gAAAAAAAAAQAAAAAA\n").contains("ends within a byte"));
}

#[test]
fn arrays() {
    assert_eq!(Property::from_i32s(&[-4, -1, 5]), Property::from_u32s(&[0xffff_fffc, 0xffff_ffff, 5]));
    assert_eq!(Property::from_i32s(&[-4, 5]).as_i32s(), Some(vec![-4, 5]));
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
        SpecialConstants { aspects: vec![(0, 5), (7, 6)], capabilities: vec![(3, 9)], ..Default::default() };
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

#[test]
fn a_spec_id_stands_for_one_thing() {
    let constants =
        SpecialConstants { aspects: vec![(3, 5)], capabilities: vec![(3, 9)], ..Default::default() };
    let error = SpecialConstants::from_set(&constants.to_set()).unwrap_err().to_string();
    assert_eq!(
        error,
        "property `capabilities` of [SYCL/special specialization constants]: a SpecId stands for two things"
    );
}

#[test]
fn device_requirements() {
    let requirements = DeviceRequirements {
        aspects: vec![5, 6],
        conditional: vec![
            ConditionalAspects { condition: vec![-1, 28], aspects: vec![28] },
            ConditionalAspects { condition: vec![-3, -2, 20], aspects: vec![5, 53] },
        ],
        other: vec![("fixed_target".to_owned(), Property::from_u32s(&[0x10014]))],
    };
    let set = requirements.to_set(PropertyNames::Design);
    let names: Vec<&str> = set.properties.iter().map(|property| property.0.as_str()).collect();
    assert_eq!(
        names,
        [
            "aspect",
            "fixed_target",
            "condition-0",
            "conditional-aspects-0",
            "condition-1",
            "conditional-aspects-1"
        ]
    );
    assert_eq!(DeviceRequirements::from_set(&set).unwrap(), requirements);
    let set = requirements.to_set(PropertyNames::Dpcpp);
    assert_eq!(set.properties[0].0, "aspects");
    assert_eq!(DeviceRequirements::from_set(&set).unwrap(), requirements);
    assert_eq!(requirements.array(DeviceRequirements::FIXED_TARGET).unwrap(), [0x10014]);
    assert_eq!(requirements.array(DeviceRequirements::SUB_GROUP_SIZE).unwrap(), [0; 0]);
}

#[test]
fn malformed_device_requirements() {
    let error = |name: &str, property| {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        set.push(name, property);
        DeviceRequirements::from_set(&set).unwrap_err().to_string()
    };
    assert!(
        error("aspect", Property::U32(5)).contains("`aspect` of [SYCL/device requirements]: not an array")
    );
    assert!(error("condition-3", Property::from_i32s(&[-1, 5])).contains("no conditional-aspects"));
    assert!(error("conditional-aspects-3", Property::from_u32s(&[5])).contains("no condition"));
    let requirements = DeviceRequirements {
        other: vec![("fixed_target".to_owned(), Property::U32(1))],
        ..Default::default()
    };
    assert!(requirements.array("fixed_target").is_err());
}
