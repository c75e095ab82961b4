//! A bundle returns exactly what was added.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{bundle, fixtures, ggml};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

/// Checks that a bundle has modules, each by its name and all together.
fn check(bytes: &[u8], modules: &[(String, Vec<u32>)]) {
    assert_eq!(bytes.len() % 4, 0);
    let bundle = Bundle::from_bytes(bytes).unwrap();
    let mut sorted: Vec<&str> = modules.iter().map(|(name, _)| name.as_str()).collect();
    sorted.sort_unstable();
    assert_eq!(bundle.shaders().map(|shader| shader.name()).collect::<Vec<_>>(), sorted);
    for (name, words) in modules {
        assert!(bundle.get(name).unwrap() == *words, "{name}");
    }
    let mut all = Vec::new();
    let collect = |number: usize, words: &[u32]| {
        assert_eq!(number, all.len());
        all.push(words.to_vec());
        Ok::<_, BundleError>(())
    };
    bundle.for_each_module(collect).unwrap();
    for (name, words) in modules {
        let variant = bundle.shader(name).unwrap().variant(0).unwrap();
        assert!(all[variant.module()] == *words && variant.size() == 4 * words.len(), "{name}");
    }
}

#[test]
fn every_fixture_comes_back() {
    let fixtures = fixtures();
    let size: usize = fixtures.iter().map(|(_, words)| 4 * words.len()).sum();
    for solid in [false, true] {
        let bytes = bundle(&fixtures, solid);
        assert!(bytes.len() * 4 < size, "{} bytes of {size}", bytes.len());
        check(&bytes, &fixtures);
        assert_eq!(Bundle::from_bytes(&bytes).unwrap().is_solid(), solid);
    }
}

#[test]
#[ignore = "needs ggml's library; scripts/test-bundle.sh runs it"]
fn every_module_of_ggml_comes_back() {
    let modules = ggml();
    assert!(!modules.is_empty(), "GGML_LIBRARY names the library");
    for (solid, most) in [(false, 4_500_000), (true, 2_300_000)] {
        let bytes = bundle(&modules, solid);
        assert!(bytes.len() < most, "{} bytes", bytes.len());
        let bundle = Bundle::from_bytes(&bytes).unwrap();
        let mut all = Vec::new();
        let collect = |_: usize, words: &[u32]| {
            all.push(words.to_vec());
            Ok::<_, BundleError>(())
        };
        bundle.for_each_module(collect).unwrap();
        for (name, words) in &modules {
            let variant = bundle.shader(name).unwrap().variant(0).unwrap();
            assert!(all[variant.module()] == *words, "{name}");
            assert!(solid || bundle.get(name).unwrap() == *words, "{name}");
        }
    }
}

#[test]
fn equal_input_gives_equal_bytes() {
    let fixtures = fixtures();
    let reversed = fixtures.iter().rev();
    assert!(bundle(&fixtures, false) == bundle(reversed.clone(), false));
    assert!(bundle(&fixtures, true) == bundle(reversed, true));
}

#[test]
fn words_that_are_no_modules_come_back() {
    let mut modules = vec![
        ("empty".to_owned(), vec![]),
        ("short".to_owned(), vec![0x0723_0203]),
        ("zeros".to_owned(), vec![0; 100]),
        ("random".to_owned(), (0..1000_u32).map(|number| number.wrapping_mul(0x9e37_79b9)).collect()),
        ("header".to_owned(), vec![0x0723_0203, 0x0001_0600, 0, 1, 0]),
    ];
    let (_, plain) = &fixtures()[0];
    let swapped = plain.iter().map(|word| word.swap_bytes()).collect();
    modules.push(("other byte order".to_owned(), swapped));
    let cut = plain[..plain.len() - 1].to_vec();
    modules.push(("cut off".to_owned(), cut));
    for solid in [false, true] {
        check(&bundle(&modules, solid), &modules);
        check(&bundle(&modules[..1], solid), &modules[..1]);
        check(&bundle(&[], solid), &[]);
    }
}

#[test]
fn equal_modules_are_stored_once() {
    let words = &fixtures()[0].1;
    let mut builder = BundleBuilder::new();
    for name in ["a", "b", "c"] {
        let variants = [ShaderVariant::new(words).condition("fp16"), ShaderVariant::new(words)];
        builder.add(name, variants).unwrap();
    }
    let bytes = builder.to_bytes().unwrap();
    let bundle = Bundle::from_bytes(&bytes).unwrap();
    assert_eq!((bundle.len(), bundle.module_count()), (3, 1));
    assert_eq!(bundle.shader("b").unwrap().variant(1).unwrap().words().unwrap(), *words);
}

#[test]
fn conditions_and_constants_come_back() {
    let words = &fixtures()[0].1;
    let mut builder = BundleBuilder::new();
    let half =
        ShaderVariant::new(words).condition("fp16 && !fp64").constant("3", "true").constant("tile", "-8");
    builder.add("b", [half, ShaderVariant::new(words)]).unwrap();
    builder.add("a", [ShaderVariant::new(words).constant("tile", "4")]).unwrap();
    let bytes = builder.to_bytes().unwrap();
    let bundle = Bundle::from_bytes(&bytes).unwrap();
    let variants = |name: &str| {
        let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let variants = bundle.shader(name).unwrap().variants();
        let parts = variants.map(|variant| {
            let constants: Vec<_> = variant.constants().map(pair).collect();
            (variant.condition().map(str::to_owned), constants)
        });
        parts.collect::<Vec<_>>()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(variants("a"), [(None, vec![pair("tile", "4")])]);
    let half = (Some("fp16 && !fp64".to_owned()), vec![pair("3", "true"), pair("tile", "-8")]);
    assert_eq!(variants("b"), [half, (None, vec![])]);
}

#[test]
fn a_file_is_opened() {
    let fixtures = fixtures();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.spvb");
    std::fs::write(&path, bundle(&fixtures[..3], false)).unwrap();
    assert!(Bundle::open(&path).unwrap().get(&fixtures[1].0).unwrap() == fixtures[1].1);
    assert!(matches!(Bundle::open(folder.path().join("none.spvb")), Err(BundleError::Io(_))));
    std::fs::write(&path, [3, 2, 0x23, 7]).unwrap();
    assert!(matches!(Bundle::open(&path), Err(BundleError::NotABundle)));
    std::fs::write(&path, []).unwrap();
    assert!(matches!(Bundle::open(&path), Err(BundleError::NotABundle)));
}

#[test]
fn wrong_shaders_are_refused() {
    let words = || ShaderVariant::new(&[0_u32; 5][..]);
    let add = |name: &str, variants: Vec<ShaderVariant<'static>>| {
        let mut builder = BundleBuilder::new();
        builder.add("a", [words()]).unwrap();
        builder.add(name, variants).map(drop).unwrap_err().to_string()
    };
    assert_eq!(add("a", vec![words()]), "two shaders have the name `a`");
    assert_eq!(add("", vec![words()]), "`` is not the name of a shader: it must be one non-empty line");
    assert_eq!(add("b", vec![]), "`b` has no variants");
    let after_else = "a variant of `b` comes after the one for all remaining devices, which must be the last";
    assert_eq!(add("b", vec![words(), words().condition("fp16")]), after_else);
    assert!(add("b", vec![words().condition("fp61")]).contains("no aspect is named `fp61`"));
}

#[test]
fn missing_shaders_are_named() {
    let words = || ShaderVariant::new(&[0_u32; 5][..]);
    let mut builder = BundleBuilder::new();
    builder.add("a", [words().condition("fp16"), words()]).unwrap();
    let bytes = builder.to_bytes().unwrap();
    let bundle = Bundle::from_bytes(&bytes).unwrap();
    assert!(matches!(bundle.get("b"), Err(BundleError::NoShader(name)) if name == "b"));
    assert!(matches!(bundle.get("a"), Err(BundleError::SeveralVariants { count: 2, .. })));
    let missing = bundle.shader("a").unwrap().variant(2);
    assert!(matches!(missing, Err(BundleError::NoVariantNumber { variant: 2, count: 2, .. })));
}
