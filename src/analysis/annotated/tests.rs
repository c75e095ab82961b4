//! Names in modules that compilers generated.

use std::collections::BTreeSet;

use super::error::AnnotationProblem;
use super::*;

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fixtures/{name}.spv", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn resolve(bytes: &[u8], yaml: &str) -> Result<Annotated, AnnotationError> {
    let module = Module::from_bytes(bytes).unwrap();
    let annotations = AnnotationsFile::from_yaml("a.yaml", yaml).unwrap();
    Annotated::resolve(&module, &Names::new(&module), &annotations)
}

/// Checks the ids, as spirv-dis --raw-id shows them, of the functions that a name matches.
fn check(fixture_name: &str, expected: &[(&str, &[u32])]) {
    let bytes = fixture(fixture_name);
    for (name, ids) in expected {
        let annotated = resolve(&bytes, &format!("functions:\n  '{name}': {{source: x}}\n")).unwrap();
        assert!(annotated.sources.keys().eq(*ids), "{name}: {:?}", annotated.sources);
        assert_eq!(annotated.unmatched.is_empty(), !ids.is_empty(), "{name}");
    }
}

#[test]
fn glsl() {
    check(
        "glsl/reduce",
        &[
            ("sum_in_half(u1;u1;", &[11]),
            ("sum_in_half(uint, uint)", &[11]),
            ("sum_in_half(uint,uint)", &[11]),
            ("sum_in_half", &[11]),
            ("%11", &[11]),
            ("sum_in_*", &[11, 15]),
            ("sum_in_????", &[11]),
            ("sum_in_*(u1;u1;", &[11, 15]),
            ("*(uint, uint)", &[11, 15]),
            ("main", &[4]),
            ("main()", &[]),
            ("main(*", &[]),
            ("*", &[4, 11, 15, 23, 31]),
            ("sum_in_half(uint)", &[]),
            ("sum_in_", &[]),
            ("first", &[]),
            ("%8", &[]),
            ("%9", &[]),
            ("%99999999999", &[]),
            ("%", &[]),
        ],
    );
}

#[test]
fn cpp() {
    check(
        "opencl/device_if",
        &[
            ("_Z7simpsonIdEfPU3AS1Kfjf", &[354]),
            ("simpson<double>(float const AS1*, unsigned int, float)", &[354]),
            ("simpson<double>(float const AS1*,unsigned int,float)", &[354]),
            ("simpson", &[354, 488, 574]),
            ("simpson<*", &[354, 488, 574]),
            ("simpson<*AS2*", &[]),
            ("convolve_row<?>*", &[672, 779, 938]),
            ("_Z7simpson*", &[354, 488, 574]),
        ],
    );
    check("check/hw", &[("bar", &[79]), ("bar(float)", &[79]), ("_ZL3barf", &[79]), ("external", &[113])]);
}

/// A name with `*` in it is not a glob if a function has that name: `wide(float AS1*)` matches only itself.
#[test]
fn an_exact_name_takes_precedence_over_a_glob() {
    check(
        "check/hw",
        &[("wide(float AS1*)", &[65]), ("w?de(float AS1*)", &[65]), ("*(float AS1*)", &[65, 113])],
    );
}

#[test]
fn the_name_of_a_kernel_matches_its_body_too() {
    check(
        "opencl/plain",
        &[
            ("energy", &[132, 174]),
            ("__clang_ocl_kern_imp_energy", &[174]),
            ("*energy", &[132, 174]),
            ("__clang*", &[82, 174]),
        ],
    );
    let bytes = fixture("opencl/plain");
    // Kernels and bodies have the same types, but only bodies can be called.
    let when = |function: &str, otherwise: &str| {
        let entry = format!("{{when: fp64, otherwise: {otherwise}}}");
        resolve(&bytes, &format!("functions:\n  {function}: {entry}\n"))
    };
    let error = when("energy", "wave_step").unwrap_err();
    assert_eq!(*error.problem, AnnotationProblem::EntryPoint("energy".to_owned()));
    let error = *when("__clang_ocl_kern_imp_energy", "energy").unwrap_err().problem;
    assert_eq!(error, AnnotationProblem::Itself("__clang_ocl_kern_imp_energy".to_owned()));
    let error = when("__clang_ocl_kern_imp_energy", "wave_step").unwrap_err().problem;
    assert!(matches!(*error, AnnotationProblem::Type { .. }), "{error}");
    let annotated = when("__clang_ocl_kern_imp_energy", "undef").unwrap();
    assert_eq!(annotated.otherwise, [(174, Otherwise::Undefined)].into());
}

#[test]
fn without_names() {
    check("debug/naga", &[("%10", &[10]), ("main", &[24]), ("%24", &[24]), ("*", &[24]), ("%3", &[])]);
    check("opencl/wrapper-O0", &[("advance", &[289, 306])]);
}

#[test]
fn all_keys_are_read() {
    let yaml = "
functions:
  sum_in_half:
    when: fp16
    otherwise: sum_in_float
    uses: fp64
  'sum_in_*': {declares: [], fixed-targets: [x86_64, 'intel*']}
types:
  Halves: 28
";
    let annotated = resolve(&fixture("glsl/reduce"), yaml).unwrap();
    assert_eq!(annotated.when.keys().collect::<Vec<_>>(), [&11]);
    assert_eq!(annotated.otherwise, [(11, Otherwise::Function(15))].into());
    assert_eq!(annotated.aspects.used, [(11, [6].into())].into());
    assert_eq!(annotated.aspects.declared, [(11, BTreeSet::new()), (15, BTreeSet::new())].into());
    assert_eq!(annotated.fixed_targets[&15], ["intel*", "x86_64"]);
    assert_eq!(annotated.aspects.types["Halves"], [28].into());
    let ours = AspectSources::dpcpp().types;
    assert!(ours.iter().all(|(name, aspects)| annotated.aspects.types.get(name) == Some(aspects)));
}

/// The first example of the documentation belongs to a fixture.
#[test]
fn the_documented_example_matches_its_module() {
    let text = include_str!("../../../spec-extensions/annotations.md");
    let example = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let annotated = resolve(&fixture("check/double"), example).unwrap();
    assert_eq!(annotated.unmatched, []);
    assert_eq!(annotated.otherwise, [(10, Otherwise::Undefined)].into());
    assert_eq!(annotated.sources, [(13, "double.comp".to_owned())].into());
}

#[test]
fn names_are_shown_in_one_line() {
    let yaml = "functions:\n  'sum_in_half': {when: fp16, otherwise: \"a\\nb\"}\n";
    let error = resolve(&fixture("glsl/reduce"), yaml).unwrap_err().to_string();
    assert!(error.contains(r"`a\nb`") && !error.contains('\n'), "{error}");
    let yaml = "functions:\n  \"a\\nb\": {}\n";
    let unmatched = resolve(&fixture("glsl/reduce"), yaml).unwrap().unmatched;
    let error = unmatched[0].error(&AnnotationsFile::from_yaml("a.yaml", yaml).unwrap()).to_string();
    assert_eq!(error, r"a.yaml:2: no function is named `a\nb`");
}

#[test]
fn an_entry_is_unmatched_only_if_no_module_matches_it() {
    let yaml = "functions:\n  energy: {source: x}\n  sum_in_half: {source: x}\n  enery: {source: x}\ntypes:\n  Halves: fp16\n";
    let unmatched = |name| resolve(&fixture(name), yaml).unwrap().unmatched;
    let mut both = [unmatched("glsl/reduce"), unmatched("opencl/plain")];
    let names = |all: &[Unmatched]| all.iter().map(|entry| entry.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&both[0]), ["energy", "enery"]);
    assert_eq!(names(&both[1]), ["sum_in_half", "enery", "Halves"]);
    let swapped = both[1].clone();
    let [first, second] = &mut both;
    Unmatched::retain_common(first, second);
    let mut other = swapped;
    Unmatched::retain_common(&mut other, &unmatched("glsl/reduce"));
    assert_eq!((names(first), &*first), (vec!["enery".to_owned()], &other));
    assert!(first[0].nearest.contains("energy"));
}

/// As many as a large file may have, on a module of many functions.
#[test]
fn many_entries_take_little_time() {
    let bytes = fixture("opencl/many");
    let yaml: String = (0..2000).map(|at| format!("  '*{at}*': {{uses: fp16}}\n")).collect();
    let start = std::time::Instant::now();
    resolve(&bytes, &format!("functions:\n{yaml}")).unwrap();
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

/// Entries on parts that a constant does not have, or that contradict each other.
#[test]
fn parts_must_fit_their_constant() {
    let module = fixture("flags/flags");
    let guarded = fixture("annotations/guarded");
    let error = |bytes: &[u8], parts: &str| {
        let file = AnnotationsFile::from_yaml("a.yaml", &format!("spec-constants:\n  {parts}\n")).unwrap();
        ConstantParts::resolve(&Module::from_bytes(bytes).unwrap(), &file).unwrap_err().to_string()
    };
    let errors = [
        ("0: {bit 32: fp16}", "`bit 32` does not fit the constant with SpecId 0, an integer of 32 bits"),
        ("1: {value 4294967296: fp16}", "`value 4294967296` does not fit the constant with SpecId 1"),
        ("0: {bit 3: fp16, bits 2-3: fp64}", "`bits 2-3` and `bit 3` in line 2 have bits in common"),
        ("0: {bit 3: fp16, value 8: fp64}", "`value 8` and `bit 3` in line 2 have bits in common"),
        ("1: {value 0x1: fp16, value 1: fp64}", "`value 1` and `value 0x1` in line 2 have bits in common"),
        ("1: {value 1: fp16, value 2: fp64}", "`value 2` and `value 1` in line 2 can both be asked for"),
        ("1: {value 1: fp16, value 2: {allowed: fp64}}", "`value 2` and `value 1` in line 2 can both"),
        (
            "0: {bits 0-0 value 0: {allowed: fp16}, bits 0-0 value 1: {allowed: fp64}}",
            "`bits 0-0 value 0` and the other entries bind all values of these bits",
        ),
    ];
    for (parts, expected) in errors {
        let error = error(&module, parts);
        assert!(error.starts_with(&format!("a.yaml:2: {expected}")), "{parts}: {error}");
    }
    let of_boolean = error(&guarded, "1: {bit 0: fp16}");
    assert!(of_boolean.contains("has no bits or values to bind"), "{of_boolean}");
    let unmatched = resolve(&module, "spec-constants: {9: {bit 0: fp16}}").unwrap().unmatched;
    assert_eq!(unmatched.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["9"]);
}
