use super::*;
use crate::condition::{FeatureName, Leaf};
use crate::metadata::property_sets::SpecialConstants;
use crate::test_support::{assemble, assert_valid, instruction, module_of};
use crate::transform::{Edits, carry};
use crate::writer::apply;

const MEMORY_MODEL: [u32; 2] = [0, 1];

/// Returns a module with these instructions after its memory model.
fn module(version: u32, instructions: &[Vec<u32>]) -> Vec<u32> {
    let head = [
        instruction(Op::Capability as u16, &[1]),
        instruction(Op::Capability as u16, &[5]),
        instruction(Op::MemoryModel as u16, &MEMORY_MODEL),
    ];
    let mut words = module_of(9, &[&head[..], instructions].concat());
    words[1] = version;
    words
}

fn string(op: Op, text: &str) -> Vec<u32> {
    instruction(op as u16, &literal(text))
}

/// Returns the module with these sets in it, and the sets read from it.
fn carried(words: &[u32], sets: &PropertySets) -> (Vec<u32>, PropertySets) {
    let module = Module::from_words(words).unwrap();
    let mut edits = Edits::new(&module);
    carry(&module, Some(sets), &mut edits).unwrap();
    let words = apply(&module, &edits).unwrap();
    let sets = read(&Module::from_words(&words[..]).unwrap()).unwrap();
    (words, sets)
}

fn without(words: &[u32]) -> Vec<u32> {
    let module = Module::from_words(words).unwrap();
    let mut edits = Edits::new(&module);
    carry(&module, None, &mut edits).unwrap();
    apply(&module, &edits).unwrap()
}

/// Returns sets with all possible content: types, lengths, and names that contain the syntax of the strings.
fn sets() -> PropertySets {
    let mut sets = PropertySets::default();
    let constants = SpecialConstants::new([(0, Leaf::Aspect(5)), (7, Leaf::Aspect(6))]);
    sets.put(constants.to_set());
    sets.put(PropertySet::new("empty"));
    sets.put(PropertySet::new("] [=x"));
    let mut odd = PropertySet::new("a] b=1|5 [c");
    odd.push("", Property::U32(0));
    odd.push("[x", Property::U32(u32::MAX));
    odd.push(" [x] ", Property::Bytes(Vec::new()));
    odd.push("1+", Property::Bits { length: 2, bytes: vec![1] });
    odd.push("\u{20ac}".repeat(60_000), Property::Bytes((0..200_000).map(|at| at as u8).collect()));
    sets.put(odd);
    sets
}

#[test]
fn sets_come_back_in_strings_that_are_not_too_long() {
    for (version, op) in [(0x1_0000, Op::SourceExtension), (0x1_0100, Op::ModuleProcessed)] {
        let plain = module(version, &[]);
        let (words, back) = carried(&plain, &sets());
        assert_eq!(back, sets());
        let module = Module::from_words(&words[..]).unwrap();
        assert!(strings(&module).all(|inst| inst.is(op) && inst.text().len() <= 65_535));
        assert_eq!(strings(&module).count(), 1 + 2 + 4 + 7, "180000 and 266678 characters take 7 strings");
        assert_valid(&words, if version == 0x1_0000 { "spv1.0" } else { "spv1.1" });
        assert_eq!(without(&words), plain);
        // The same sets again, and others: written in the same place.
        assert_eq!(carried(&words, &sets()).0, words);
        let (fewer, back) = carried(&words, &PropertySets { sets: vec![PropertySet::new("empty")] });
        assert_eq!(back.sets.len(), 1);
        assert_eq!(without(&fewer), plain);
    }
}

#[test]
fn they_stand_where_strings_of_their_kind_do() {
    let text = |names: &str| {
        format!(
            "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n%9 = OpExtInstImport \"OpenCL.std\"\n\
             OpMemoryModel Physical32 OpenCL\nOpEntryPoint Kernel %5 \"k\"\nOpExecutionMode %5 LocalSize 1 1 1\n\
             %1 = OpString \"a.cl\"\nOpSourceExtension \"cl_khr_fp16\"\nOpSource OpenCL_C 102000 %1\n{names}\
             OpDecorate %6 SpecId 3\n%2 = OpTypeVoid\n%3 = OpTypeFunction %2\n%4 = OpTypeInt 32 0\n\
             %6 = OpSpecConstant %4 1\n%5 = OpFunction %2 None %3\n%7 = OpLabel\nOpReturn\nOpFunctionEnd\n"
        )
    };
    let names = "OpName %5 \"k\"\nOpModuleProcessed \"spirv-if pack\"\n";
    for (environment, names, before) in [
        ("spv1.0", "", Op::Source),
        ("spv1.0", "OpName %5 \"k\"\n", Op::Source),
        ("spv1.1", "", Op::Source),
        ("spv1.6", names, Op::ModuleProcessed),
    ] {
        let plain = assemble(&text(names), environment);
        let (words, back) = carried(&plain, &sets());
        assert_eq!(back, sets());
        assert_valid(&words, environment);
        let module = Module::from_words(&words[..]).unwrap();
        let first = strings(&module).next().unwrap().offset();
        let last = module.annotations().take_while(|inst| inst.offset() < first).last().unwrap();
        assert!(last.is(before), "{environment}");
        assert_eq!(without(&words), plain);
    }
}

/// Checks that strings of other tools are not properties, and are kept.
#[test]
fn strings_of_other_tools_are_ignored() {
    let others = ["spirv-if", "spirv-if pack", "spirv-opt", "", "xspirv-if:properties:2 a=1|1 [b]"];
    let strings: Vec<Vec<u32>> = others.iter().map(|text| string(Op::ModuleProcessed, text)).collect();
    let plain = module(0x1_0600, &strings);
    assert_eq!(read(&Module::from_words(&plain[..]).unwrap()), Ok(PropertySets::default()));
    assert_eq!(without(&plain), plain);
    assert_eq!(without(&carried(&plain, &sets()).0), plain);
}

/// Reads the result of linkers without support for the strings: those of one module after those of another.
#[test]
fn the_same_may_stand_twice() {
    let text = "spirv-if:properties:2 aspect=1|5 [A]";
    let twice = |second: &str| {
        let strings = [text, "spirv-if:properties:1 = [B]", second, "spirv-if:properties:2 = [B]"];
        let strings = strings.map(|text| string(Op::ModuleProcessed, text));
        read(&Module::from_words(module(0x1_0600, &strings)).unwrap())
    };
    assert_eq!(twice(text).unwrap().to_text(), "[A]\naspect=1|5\n[B]\n");
    assert_eq!(twice("spirv-if:properties:1 aspect=1|5 [A]").unwrap(), twice(text).unwrap());
    let error = twice("spirv-if:properties:1 aspect=1|6 [A]").unwrap_err().to_string();
    assert_eq!(
        error,
        "property `aspect` of [A] has another value before, in the properties that the module carries at byte offset \
         0x7c (124)"
    );
}

#[test]
fn names_that_cannot_stand_in_a_module_are_refused() {
    let words = module(0x1_0600, &[]);
    let module = Module::from_words(&words[..]).unwrap();
    for (set, property) in [("a\0", "b"), ("a\n", "b"), ("a", "b\0"), ("a", "b=c"), ("a", "b\r")] {
        let mut sets = PropertySets { sets: vec![PropertySet::new(set)] };
        sets.sets[0].push(property, Property::U32(1));
        let error = write(&sets, &module).unwrap_err().to_string();
        assert!(error.contains("cannot stand in a module"), "{error}");
    }
}

#[test]
fn damage_is_reported_with_its_place() {
    let error = |texts: &[&str]| {
        let before = string(Op::ModuleProcessed, "other");
        let strings: Vec<Vec<u32>> = texts.iter().map(|text| string(Op::ModuleProcessed, text)).collect();
        let words = module(0x1_0600, &[&[before][..], &strings].concat());
        match read(&Module::from_words(words).unwrap()) {
            Err(PropertyError::Carried { offset, reason }) => (offset, reason),
            other => panic!("{other:?}"),
        }
    };
    // The header, 2 capabilities, the memory model, and 3 words of another string.
    let first = (5 + 4 + 3 + 3) * 4;
    let error_of = |text: &str| error(&[&format!("spirv-if:properties:{text}")]);
    assert_eq!(error_of(""), (first, "the version is missing".to_owned()));
    assert_eq!(error_of(" a=1|1 [b]"), (first, "the version is missing".to_owned()));
    assert_eq!(error_of("2"), (first, "neither a space nor `+` after the version".to_owned()));
    assert_eq!(error_of("2.1 a=1|1 [b]"), (first, "neither a space nor `+` after the version".to_owned()));
    assert_eq!(error_of("2+|1 [b]"), (first, "the beginning of a property is missing".to_owned()));
    assert_eq!(error_of("2 a"), (first, "no `=` after the name of a property".to_owned()));
    assert_eq!(error_of("2 a=1|1"), (first, "the name of its set is missing".to_owned()));
    assert_eq!(error_of("2 a=1|1 [b"), (first, "the name of its set is missing".to_owned()));
    assert_eq!(
        error_of("2 a=3|1 [b]").1,
        "unknown property type `3`: 1 (uint32) and 2 (byte array) are known"
    );
    assert_eq!(error_of("2 a= [b]").1, "no `|` between the type and the value");
    assert_eq!(error_of("2 a=2|gAAAAAAAAAA [b]").1, "the length prefix is 32 bits, but 0 bits follow");
    // An error in a value is reported with the string that it is in.
    let strings =
        ["spirv-if:properties:2 a=1|1 [b]", "spirv-if:properties:2 aspects=1|5 [SYCL/device requirements]"];
    let second = first + (strings[0].len() / 4 + 2) as u64 * 4;
    assert_eq!(
        error(&strings),
        (second, "property `aspects`: an integer, not an array of 32-bit integers".to_owned())
    );
}

/// Checks that version 1 is read and version 2 is written, with features of providers. Errors for newer
/// versions say what to do.
#[test]
fn versions_are_read_up_to_the_one_that_is_written() {
    let mut expected = PropertySets::default();
    let feature = Leaf::Feature(FeatureName::parse("amdgpu:gfx12-insts").unwrap());
    expected.put(SpecialConstants::new([(3, feature)]).to_set());
    let (words, back) = carried(&module(0x1_0600, &[]), &expected);
    assert_eq!(back, expected);
    let written: Vec<String> =
        strings(&Module::from_words(&words[..]).unwrap()).map(|note| note.text().into_owned()).collect();
    let [text] = &written[..] else { panic!("{written:?}") };
    assert!(text.starts_with("spirv-if:properties:2 features=2|"), "{text}");

    let read = |texts: &[&str]| {
        let strings: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| string(Op::ModuleProcessed, &format!("spirv-if:properties:{text}")))
            .collect();
        read(&Module::from_words(module(0x1_0600, &strings)).unwrap())
    };
    for texts in [&["1 aspect=1|5 [A]"][..], &["1 aspect=1", "1+|5 [A]"], &["2 aspect=1", "2+|5 [A]"]] {
        assert_eq!(read(texts).unwrap().to_text(), "[A]\naspect=1|5\n", "{texts:?}");
    }
    let mixed = read(&["1 aspect=1", "2+|5 [A]"]).unwrap_err().to_string();
    assert!(mixed.starts_with("the beginning of a property is missing"), "{mixed}");
    for (text, version) in
        [("3 aspect=1|5 [A]", "3"), ("10+|5 [A]", "10"), ("0 a=1|5 [A]", "0"), ("99", "99")]
    {
        let error = read(&["2 = [B]", text]).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "the properties that the module carries at byte offset 0x50 (80) are of version {version}, and this spirv-if reads 1 and 2: \
                 use the spirv-if that packed the module, or a newer one"
            )
        );
    }
}

/// Checks that any changed byte causes an error with the place of a string, or sets that can be carried.
#[test]
fn damaged_strings_are_errors_or_sets() {
    let mut small = sets();
    small.sets.pop();
    let (words, _) = carried(&module(0x1_0600, &[]), &small);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = (5 + 4 + 3) * 4;
    let (mut errors, mut others, mut unloadable) = (0, 0, 0);
    for at in start..bytes.len() {
        for damage in [0, b' ', b'=', b'+', b'1', b'2', b'[', b']', b'|', 0xff, bytes[at] ^ 1, bytes[at] ^ 32]
        {
            let mut bytes = bytes.clone();
            bytes[at] = damage;
            let Ok(module) = Module::from_bytes(&bytes) else {
                unloadable += 1;
                continue;
            };
            match read(&module) {
                Ok(sets) => {
                    others += 1;
                    assert_eq!(carried(module.words(), &sets).1, sets);
                }
                Err(PropertyError::Carried { offset, .. } | PropertyError::CarriedVersion { offset, .. }) => {
                    errors += 1;
                    assert!(strings(&module).any(|inst| u64::from(inst.offset()) * 4 == offset), "{offset}");
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
    assert!(errors + unloadable > 500 && errors > 400 && others > 100, "{errors} {unloadable} {others}");
}
