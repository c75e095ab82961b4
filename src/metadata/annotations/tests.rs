//! Reading annotations files.

use super::*;
use crate::condition::{ConditionError, Leaf};
use crate::device::DeviceNames;

fn read(text: &str) -> AnnotationsFile {
    AnnotationsFile::from_yaml("a.yaml", text).unwrap()
}

fn error(text: &str) -> String {
    AnnotationsFile::from_yaml("a.yaml", text).unwrap_err().to_string()
}

fn condition(text: &str) -> Result<Expr, ConditionError> {
    Expr::parse(text, &DeviceNames)
}

const ALL: &str = "# comment
functions:
  sum_in_half:
    when: fp16 &&
      !arch(intel_gpu_pvc)
    otherwise: sum_in_float

    uses: [fp64, 5]
    declares: fp16
    fixed-targets: ['intel_gpu_*', x86_64]
    source: a.cpp
  \"%12\": {when: \"!fp64\", otherwise: undef}
types:
  my_half: fp16
  my_double: [6, [fp16]]
spec-constants:
  3: fp16
  4294967295: true
";

#[test]
fn all_keys() {
    let file = read(ALL);
    let [sum, twelve] = &file.functions[..] else { panic!() };
    assert_eq!((&*sum.name, &*twelve.name), ("sum_in_half", "%12"));
    assert_eq!(sum.when.as_ref().unwrap().value, condition("fp16 && !arch(intel_gpu_pvc)").unwrap());
    assert_eq!(sum.otherwise.as_ref().unwrap().value, "sum_in_float");
    assert_eq!(sum.uses.as_ref().unwrap().value, BTreeSet::from([5, 6]));
    assert_eq!(sum.declares.as_ref().unwrap().value, BTreeSet::from([5]));
    let targets = &sum.fixed_targets.as_ref().unwrap().value;
    assert!(targets.iter().eq(["intel_gpu_*", "x86_64"]));
    assert_eq!(sum.source.as_ref().unwrap().value, "a.cpp");
    assert_eq!(twelve.when.as_ref().unwrap().value, condition("!fp64").unwrap());
    assert_eq!(twelve.otherwise.as_ref().unwrap().value, UNDEFINED);
    assert_eq!(twelve.uses, None);
    let types: Vec<_> = file.types.iter().map(|entry| (&*entry.key, entry.value.len())).collect();
    assert_eq!(types, [("my_half", 1), ("my_double", 2)]);
    let constants: Vec<_> = file.spec_constants.iter().map(|entry| (entry.key, &entry.value)).collect();
    assert_eq!(constants, [(3, &Leaf::Aspect(5).into()), (u32::MAX, &Expr::True)]);
}

#[test]
fn everything_knows_its_line() {
    let file = read(ALL);
    let [sum, twelve] = &file.functions[..] else { panic!() };
    let lines = [
        sum.position,
        sum.when.as_ref().unwrap().position,
        sum.otherwise.as_ref().unwrap().position,
        sum.uses.as_ref().unwrap().position,
        sum.declares.as_ref().unwrap().position,
        sum.fixed_targets.as_ref().unwrap().position,
        sum.source.as_ref().unwrap().position,
        twelve.position,
        twelve.otherwise.as_ref().unwrap().position,
        file.types[1].position,
        file.spec_constants[0].position,
        file.spec_constants[1].position,
    ];
    // Compares lines with the text, which has each key once.
    let keys = [
        "sum_in_half:",
        "when: fp16",
        "otherwise: sum",
        "uses:",
        "declares:",
        "fixed-targets:",
        "source:",
        "%12",
        "undef",
        "my_double",
        "  3:",
        "4294967295",
    ];
    for (position, key) in lines.into_iter().zip(keys) {
        let line = ALL.lines().position(|line| line.contains(key)).unwrap() + 1;
        assert_eq!(file.line(position), line, "{key}");
    }
    // The content of an alias is located at its anchor.
    let file = read("functions:\n  a: &x\n    when: fp16\n\n  b: *x\n");
    let lines = file.functions.iter().map(|entry| file.line(entry.when.as_ref().unwrap().position));
    assert!(lines.eq([3, 3]));
    assert_eq!(file.line(file.functions[1].position), 5);
}

#[test]
fn missing_entries_are_none() {
    for text in
        ["", "# nothing\n", "functions:\ntypes:\nspec-constants:\n", "functions: {}", "functions:\n  f:\n"]
    {
        let file = read(text);
        assert!(file.types.is_empty() && file.spec_constants.is_empty(), "{text}");
        assert!(file.functions.iter().all(|entry| entry.when.is_none()));
    }
}

#[test]
fn errors_have_a_line_and_a_remedy() {
    let errors = [
        ("function:\n  f: {}\n", "a.yaml:1: unknown key `function`; did you mean `functions`?"),
        (
            "functions:\n  f:\n    wehn: fp16\n",
            "a.yaml:3: functions.f: unknown key `wehn`; did you mean `when`?",
        ),
        (
            "functions:\n  f: {x: 1}\n",
            "a.yaml:2: functions.f: unknown key `x`: expected one of `declares`, `fixed-targets`,",
        ),
        ("functions:\n  f: {}\n  f: {}\n", "a.yaml:3: functions: `f` is defined a second time"),
        (
            "functions:\n  f:\n    when: fp16\n    when: fp16\n",
            "a.yaml:4: functions.f: `when` is defined a second time",
        ),
        (
            "functions:\n  f:\n    when: fp61\n",
            "a.yaml:3: functions.f.when: the condition `fp61`: column 1: no aspect is named `fp61`; did you mean `fp64`",
        ),
        (
            "functions:\n  f:\n    uses: [fp64,\n      fp61]\n",
            "a.yaml:4: functions.f.uses[1]: unknown aspect `fp61`; did",
        ),
        (
            "functions:\n  f: {uses: 71}\n",
            "a.yaml:2: functions.f.uses: there is no aspect with the number 71",
        ),
        (
            "functions:\n  f: fp16\n",
            "a.yaml:2: functions.f: invalid type: string \"fp16\", expected a mapping with the annotations",
        ),
        ("functions: [f]\n", "a.yaml:1: functions: invalid type: sequence, expected a mapping from names"),
        ("[]\n", "a.yaml:1: invalid type: sequence, expected a mapping with `functions`"),
        (
            "functions:\n  f:\n    when: [fp16]\n",
            "a.yaml:3: functions.f.when: invalid type: sequence, expected a name",
        ),
        (
            "functions:\n  f:\n    when: constant(%5)\n",
            "a.yaml:3: functions.f.when: the condition `constant(%5)` depends on",
        ),
        (
            "functions:\n  <<: {}\n",
            "a.yaml:2: functions: merge keys (`<<`) are not supported: write the keys out here",
        ),
        ("functions:\n  f:\n    <<: {when: fp16}\n", "a.yaml:3: functions.f: merge keys"),
        (
            "spec-constants:\n  03: fp16\n",
            "a.yaml:2: spec-constants: `03` is not a SpecId: SpecIds are numbers from 0 to 4294967295",
        ),
        ("spec-constants:\n  -1: fp16\n", "a.yaml:2: spec-constants: `-1` is not a SpecId"),
        ("spec-constants:\n  4294967296: fp16\n", "a.yaml:2: spec-constants: `4294967296` is not a SpecId"),
        (
            "spec-constants:\n  0:\n    third bit: fp16\n",
            "a.yaml:3: spec-constants.0: `third bit` is not part of a constant: write `bit 3`, `bits 4-7`, `mask 0x30`",
        ),
        ("spec-constants:\n  0: {bits 4-3: fp16}\n", "a.yaml:2: spec-constants.0: `bits 4-3` is not part"),
        ("spec-constants:\n  0: {bit 64: fp16}\n", "a.yaml:2: spec-constants.0: `bit 64` is not part"),
        ("spec-constants:\n  0: {mask 0x0: fp16}\n", "a.yaml:2: spec-constants.0: `mask 0x0` is not part"),
        (
            "spec-constants:\n  0: {bits 4-5 value 4: fp16}\n",
            "a.yaml:2: spec-constants.0: `bits 4-5 value 4` is not part",
        ),
        ("spec-constants:\n  0: {value 2.5: fp16}\n", "a.yaml:2: spec-constants.0: `value 2.5` is not part"),
        ("spec-constants:\n  0: {}\n", "a.yaml:2: spec-constants: the mapping is empty: leave it out"),
        (
            "spec-constants:\n  0:\n    bit 3: {alowed: fp16}\n",
            "a.yaml:3: spec-constants.0.bit 3: unknown key `alowed`; did you mean `allowed`?",
        ),
        (
            "spec-constants:\n  0: {bit 3: {}}\n",
            "a.yaml:2: spec-constants.0: a condition, or `allowed: CONDITION`",
        ),
        (
            "spec-constants:\n  0: {bit 3: [fp16]}\n",
            "a.yaml:2: spec-constants.0.bit 3: invalid type: sequence",
        ),
        (
            "types:\n  half: {}\n",
            "a.yaml:2: types.half: invalid type: map, expected a list of names or numbers",
        ),
        (
            "functions:\n  \"\": {}\n",
            "a.yaml:2: functions: there is no text here; put names and conditions that begin",
        ),
        (
            "functions: {}\n---\nfunctions: {}\n",
            "a.yaml:1: deserializing from YAML containing more than one document",
        ),
    ];
    for (text, expected) in errors {
        let error = error(text);
        assert!(error.starts_with(expected), "{text}:\n{error}\ninstead of\n{expected}");
    }
}

/// Checks the errors for text whose first sign has a meaning in YAML.
#[test]
fn errors_name_text_that_must_be_quoted() {
    let texts = [
        "functions:\n  f:\n    when: !fp64\n",
        "functions:\n  f:\n    when: !fp64 && fp16\n",
        "functions:\n  f:\n    when: !(fp64 && fp16)\n",
        "functions:\n  f:\n    when: !arch(x86_64) || fp16\n",
        "functions:\n  %12:\n    when: fp16\n",
        "functions:\n  f:\n    when: fp16\n    otherwise: %12\n",
        "functions:\n  *_half:\n    when: fp16\n",
        "functions:\n  f:\n    fixed-targets: *gpu*\n",
        "spec-constants:\n  0: !fp64\n",
        "spec-constants:\n  0: {bit 3: !fp64}\n",
    ];
    for text in texts {
        let error = error(text);
        assert!(error.contains("quotes"), "{text}: {error}");
        assert!(error.starts_with("a.yaml:"), "{text}: {error}");
    }
    assert_eq!(
        error("functions:\n  f:\n    uses: [!fp64 ]\n"),
        "a.yaml:3: functions.f.uses[0]: `!fp64` is a YAML tag: put text that begins with `!` in quotes"
    );
}

/// Checks that only `declares` may be an empty list.
#[test]
fn empty_lists_are_refused() {
    read("functions:\n  f: {declares: []}\n  g: {declares: [[]]}\n  h: {uses: [[], fp16]}\n");
    for (start, key) in [
        ("types:\n  ", "a"),
        ("functions:\n  f:\n    when: fp16\n    ", "uses"),
        ("functions:\n  f:\n    when: fp16\n    ", "fixed-targets"),
    ] {
        for list in ["[]", "[[]]", "[[], [[], []]]"] {
            let error = error(&format!("{start}{key}: {list}\n"));
            let line = start.lines().count();
            assert!(error.starts_with(&format!("a.yaml:{line}: ")), "{list}: {error}");
            assert!(
                error.ends_with(&format!(
                    "{key}: the list is empty: leave it out, or list at least one name or number"
                )),
                "{list}: {error}"
            );
        }
    }
}

#[test]
fn deep_nesting_alias_bombs_and_garbage_are_refused() {
    for (opening, line) in [("[", 2), ("{a: ", 2), ("- ", 3), ("? ", 3)] {
        let start = if line == 2 { "" } else { "\n" };
        let message = error(&format!("types:\n  a: {start}{}", opening.repeat(100_000)));
        assert_eq!(message, format!("a.yaml:{line}: nested more than 1000 deep"));
    }
    // Brackets that are closed again are not nested.
    read(&format!("types:\n  a: [{}fp16]\n", "[], ".repeat(2000)));
    let mut bomb = "types:\n  x0: &x0 [fp16, fp16]\n".to_owned();
    for level in 1..40 {
        bomb += &format!("  x{level}: &x{level} [*x{0}, *x{0}]\n", level - 1);
    }
    assert!(error(&bomb).contains("repetition limit"), "{}", error(&bomb));
    assert!(error("types:\n  a: &a [*a]\n").starts_with("a.yaml:"));
    let deep = format!("spec-constants:\n  1: \"{}fp16\"\n", "!".repeat(10_000));
    assert!(error(&deep).contains("deep"));
    assert!(error("\u{0}\u{1}").starts_with("a.yaml:1:"));
}

#[test]
fn many_entries_are_read_fast() {
    let mut text = "functions:\n".to_owned();
    for at in 0..20_000 {
        text += &format!("  f{at}: {{when: fp16}}\n");
    }
    text += "spec-constants:\n";
    for at in 0..20_000 {
        text += &format!("  {at}: fp16\n");
    }
    let start = std::time::Instant::now();
    let file = read(&text);
    assert_eq!(file.line(file.spec_constants[19_999].position), 40_002);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn devices_are_checked_against_a_configuration() {
    let embedded = DeviceConfig::embedded().unwrap();
    read("functions:\n  f: {fixed-targets: ['intel_gpu_*', x86_64]}\n").check_devices(&embedded).unwrap();
    let file = read("functions:\n  f:\n    uses: fp16\n    fixed-targets: [x86_64, inte_gpu_pvc]\n");
    let error = file.check_devices(&embedded).unwrap_err().to_string();
    assert!(
        error.starts_with("a.yaml:4: unknown device `inte_gpu_pvc`; did you mean `intel_gpu_pvc`"),
        "{error}"
    );
}

/// Checks that the schema, which editors use, has exactly the keys that are read.
#[test]
fn the_schema_has_the_keys_that_are_read() {
    let text = include_str!("../../../spec-extensions/annotations.schema.json");
    let schema: serde_json::Value = serde_json::from_str(text).unwrap();
    let keys = |pointer: &str| -> BTreeSet<String> {
        let properties = schema.pointer(pointer).and_then(|properties| properties.as_object());
        properties.unwrap_or_else(|| panic!("{pointer}")).keys().cloned().collect()
    };
    let known = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(keys("/properties"), known(read::FILE_KEYS));
    assert_eq!(keys("/$defs/function/properties"), known(read::FUNCTION_KEYS));
    for closed in ["/additionalProperties", "/$defs/function/additionalProperties"] {
        assert_eq!(schema.pointer(closed), Some(&serde_json::Value::Bool(false)));
    }
}

/// Checks that the examples of the documentation can be read, and contain each key.
#[test]
fn the_documented_example_is_read() {
    let text = include_str!("../../../spec-extensions/annotations.md");
    let examples: Vec<&str> =
        text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() >= 2);
    for example in &examples {
        read(example);
    }
    for key in read::FILE_KEYS.iter().chain(read::FUNCTION_KEYS) {
        assert!(examples.iter().any(|example| example.contains(&format!("{key}:"))), "{key}");
    }
}
