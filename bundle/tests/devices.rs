//! Devices get their variant, specialized.
#![cfg(feature = "specialize")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::words;
use spirv_if::{Device, Module, Prepared, Settings};
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

fn fixture(name: &str) -> Vec<u32> {
    let path = format!("{}/../fixtures/{name}.spv", env!("CARGO_MANIFEST_DIR"));
    words(&std::fs::read(path).unwrap())
}

fn open(builder: &BundleBuilder) -> Bundle<'static> {
    Bundle::from_bytes(builder.to_bytes().unwrap()).unwrap()
}

#[test]
fn each_device_gets_its_variant() {
    let (half, plain) = (fixture("merge/scale-fp16"), fixture("merge/scale"));
    let mut builder = BundleBuilder::new();
    builder.add("scale", [ShaderVariant::new(&half).condition("fp64"), ShaderVariant::new(&plain)]).unwrap();
    builder.add("double", [ShaderVariant::new(&half).condition("fp64")]).unwrap();
    let bundle = open(&builder);
    let [with, without] =
        ["intel_gpu_bmg_g21", "intel_gpu_acm_g10"].map(|name| Device::embedded(name).unwrap());
    let words = |name: &str, device: &Device| {
        bundle.get_for(name, device, &Settings::new()).map(|result| result.words)
    };
    assert!(words("scale", &with).unwrap() == half);
    assert!(words("scale", &without).unwrap() == plain);
    assert!(words("double", &with).unwrap() == half);
    let refused = words("double", &without).unwrap_err();
    assert_eq!(refused.to_string(), "no variant of `double` is for the device: it is for devices where fp64");
    let unknown = words("scale", &Device::default());
    assert!(matches!(unknown, Err(BundleError::UndecidedVariant { condition, .. }) if condition == "fp64"));
}

#[test]
fn constants_are_fixed() {
    let precision = fixture("spec/precision");
    let mut builder = BundleBuilder::new();
    builder.add("fixed", [ShaderVariant::new(&precision).constant("use_half", "true")]).unwrap();
    builder.add("open", [ShaderVariant::new(&precision)]).unwrap();
    builder.add("wrong", [ShaderVariant::new(&precision).constant("use_half", "1.5")]).unwrap();
    let bundle = open(&builder);
    assert_eq!(bundle.module_count(), 1);
    let device = Device::default();
    let module = Module::from_words(&precision).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let expected =
        |value: bool| prepared.specialize(&device, &Settings::new().set("use_half", value)).unwrap().words;
    let words =
        |name: &str, settings: Settings| bundle.get_for(name, &device, &settings).map(|result| result.words);
    assert!(expected(true) != expected(false));
    assert!(words("fixed", Settings::new()).unwrap() == expected(true));
    assert!(words("fixed", Settings::new().set("use_half", false)).unwrap() == expected(true));
    assert!(words("open", Settings::new().set("use_half", false)).unwrap() == expected(false));
    assert!(matches!(words("wrong", Settings::new()), Err(BundleError::Engine(_))));
    assert!(bundle.get("fixed").unwrap() == precision);
}

#[test]
fn decisions_of_the_host_choose_variants() {
    let (half, plain) = (fixture("merge/scale-fp16"), fixture("merge/scale"));
    let mut builder = BundleBuilder::new();
    builder
        .add("scale", [ShaderVariant::new(&half).condition("host(fast)"), ShaderVariant::new(&plain)])
        .unwrap();
    let bundle = open(&builder);
    let device = Device::embedded("intel_gpu_bmg_g21").unwrap();
    let settings = |fast: bool| Settings::new().set("fast", fast).ignore_unknown(true);
    for (fast, words) in [(true, half), (false, plain)] {
        assert!(bundle.get_for("scale", &device, &settings(fast)).unwrap().words == words);
    }
}
