//! Modules that compilers make of the headers. Every condition arrives, at every level of optimization and from every language, and the module
//! for a device has nothing that the device does not support.

use std::collections::BTreeSet;

use libtest_mimic::Trial;
use spirv_if::device::DeviceConfig;
use spirv_if::pack::Packed;
use spirv_if::trim::trim;
use spirv_if::{Device, Module, Prepared, Settings, pack};

use super::built::{Built, By, built, makers, trials_of};
use crate::common::{bytes_of, run, tool, validate};

fn packed(built: &Built) -> Packed {
    let module = Module::from_words(&built.words).unwrap();
    let packed = pack(&module, &Default::default()).unwrap_or_else(|error| panic!("{}: {error}", built.name));
    validate(&packed.words, &format!("spv1.{}", packed.words[1] >> 8 & 0xff))
        .unwrap_or_else(|error| panic!("{}: {error}", built.name));
    packed
}

/// Packed, and cut down for a device.
fn specialized(built: &Built, device: &str) -> Vec<u32> {
    let packed = packed(built);
    let module = Module::from_words(&packed.words).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let specialized = prepared.specialize(&Device::embedded(device).unwrap(), &Settings::new()).unwrap();
    validate(&specialized.words, &built.environment)
        .unwrap_or_else(|error| panic!("{} on {device}: {error}", built.name));
    specialized.words
}

/// As spirv-dis prints it.
fn disassembled(words: &[u32]) -> String {
    let dis = tool("SPIRV_DIS", "spirv-dis");
    String::from_utf8(run(&dis, &["--no-header", "--no-indent"], &bytes_of(words)).unwrap()).unwrap()
}

/// The conditions under which something is called, one of each pair of function and condition: clang has every kernel twice.
fn conditions(built: &Built) -> Vec<String> {
    let calls = packed(built).summary.calls.into_iter();
    let calls: BTreeSet<(String, String)> =
        calls.map(|call| (call.condition.to_string(), call.callee)).collect();
    calls.into_iter().map(|(condition, _)| condition).collect()
}

fn every_callable_keeps_its_condition_at_every_level(modules: &[Built]) {
    let mut expected = vec![
        // polynomial
        "fp64",
        "fp16 && !fp64",
        "!fp16 && !fp64",
        // norm, for double and float
        "atomic64",
        "atomic64",
        // normalize
        "fp64 && atomic64",
        "(arch(intel_gpu_pvc) || arch(nvidia_gpu_sm_50)) && (!fp64 || !atomic64)",
        "fp16",
        "fp16",
        "arch(intel_gpu_acm_g10)",
        "!arch(intel_gpu_acm_g10)",
        "fp64",
        // split
        "fp64",
    ];
    expected.sort_unstable();
    for module in modules {
        // The same in the two instances of norm, under the same condition, is merged; nothing else.
        let mut expected = expected.clone();
        if module.name.starts_with("callables-merged") {
            expected.remove(expected.iter().position(|&condition| condition == "atomic64").unwrap());
        }
        assert_eq!(conditions(module), expected, "{}", module.name);
    }
}

fn a_call_is_not_lost_to_one_that_writes_the_same(modules: &[Built]) {
    for module in modules {
        assert_eq!(conditions(module), ["fp16", "fp64"], "{}", module.name);
    }
}

fn every_macro_makes_its_condition(modules: &[Built]) {
    let mut expected = vec![
        "arch(intel_gpu_pvc)",
        "!arch(intel_gpu_pvc)",
        "fp64 && !arch(nvidia_gpu_sm_50)",
        // Not the one above, and (Float16 or DG2).
        "arch(intel_gpu_acm_g10) && !fp64 || arch(nvidia_gpu_sm_50) && cap(Float16) || cap(Float16) && !fp64",
        "cap(Float64)",
        "!cap(Float64)",
    ];
    expected.sort_unstable();
    for module in modules.iter().filter(|module| has_every_macro(&module.name)) {
        assert_eq!(conditions(module), expected, "{}", module.name);
    }
    // What has UNLESS for its opposite.
    for module in modules.iter().filter(|module| !has_every_macro(&module.name)) {
        assert_eq!(conditions(module), ["!fp64", "fp64"], "{}", module.name);
    }
}

/// Compiled for one device.
fn is_decided(name: &str) -> bool {
    name.contains("-plain-")
}

fn each_device_gets_what_it_has_and_nothing_that_it_lacks(modules: &[Built]) {
    for module in modules {
        // What the three have of fp64 and fp16.
        for (device, has) in [
            ("intel_gpu_bmg_g21", [true, true]),
            ("intel_gpu_acm_g10", [false, true]),
            ("nvidia_gpu_sm_50", [true, false]),
        ] {
            let text = disassembled(&specialized(module, device));
            let name = format!("{} on {device}", module.name);
            for (width, has) in [64, 16].iter().zip(has) {
                let declared = text.contains(&format!("OpCapability Float{width}"));
                let used = text.contains(&format!("OpTypeFloat {width}"));
                assert!(has || (!declared && !used), "{name} has Float{width}\n{text}");
            }
            // `callables` has a way with doubles and one with halves for all that have them, `conditions` not.
            let doubles = has[0] && !(module.name.contains("conditions") && device == "nvidia_gpu_sm_50");
            let declared = text.contains("OpCapability Float64");
            assert!(declared || !doubles, "{name} lost Float64\n{text}");
            let halves = has[1] && module.name.starts_with("callables");
            assert!(text.contains("OpTypeFloat 16") || !halves, "{name} lost Float16\n{text}");
        }
    }
}

fn what_was_written_before_a_call_that_does_not_happen_is_there(modules: &[Built]) {
    for module in modules {
        // No way to find the scale: it is 1.
        let text = disassembled(&specialized(module, "intel_gpu_acm_g10"));
        let stored = text.lines().any(|line| line.starts_with("OpStore ") && line.contains(" %float_1 "));
        let stored =
            stored || text.lines().any(|line| line.starts_with("OpStore ") && line.ends_with(" %float_1"));
        assert!(stored, "{}\n{text}", module.name);
    }
}

/// Factors in the source whose condition holds for the host and the device are kept.
fn decisions_of_the_host_and_extensions_arrive(modules: &[Built]) {
    const FACTORS: [u32; 9] = [2, 3, 5, 7, 11, 13, 17, 19, 23];
    for module in modules {
        let is_chained = module.name.starts_with("clcpp");
        let packed = packed(module);
        let words = Module::from_words(&packed.words).unwrap();
        let prepared = Prepared::new(&words).unwrap();
        for (is_fast, accepts) in [(false, false), (false, true), (true, false), (true, true)] {
            let extensions = if accepts { "SPV_KHR_expect_assume" } else { "SPV_KHR_bit_instructions" };
            let keys =
                format!("{{aspects: [fp16], extensions: [{extensions}], environments: [opencl, vulkan]}}");
            let config = DeviceConfig::from_yaml("device", &format!("device: {keys}")).unwrap();
            let settings = Settings::new().set("fast_1", is_fast);
            let specialized = prepared.specialize(config.get("device").unwrap(), &settings).unwrap();
            let name = format!("{}, fast_1 is {is_fast}, accepts {accepts}", module.name);
            validate(&specialized.words, &module.environment)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let text = disassembled(&specialized.words);
            let mut expected = BTreeSet::from([if is_fast { 2 } else { 3 }, if accepts { 5 } else { 7 }]);
            expected.extend((is_fast && accepts).then_some(11));
            if is_chained && !accepts {
                expected.insert(if is_fast { 13 } else { 17 });
            }
            let is_there = |factor: &u32| {
                text.lines().any(|line| line.ends_with(&format!("= OpConstant %float {factor}")))
            };
            assert_eq!(
                FACTORS.into_iter().filter(is_there).collect::<BTreeSet<u32>>(),
                expected,
                "{name}\n{text}"
            );
        }
    }
}

fn numbers_arrive(modules: &[Built]) {
    for module in modules {
        let expected: &[&str] = match module.name.starts_with("glsl") {
            true => &[
                "limit(vulkan:maxComputeWorkGroupSize.2) >= 65",
                "max_shared_memory < 32768",
                "max_shared_memory >= 32768",
                "subgroup_size < 32",
                "subgroup_size == 32",
            ],
            false => &[
                "max_shared_memory >= 16384 && opencl_version >= 2.0",
                "max_work_group_size < 256",
                "max_work_group_size >= 256",
                "spirv_version >= 1.4",
            ],
        };
        assert_eq!(conditions(module), expected, "{}", module.name);
    }
}

/// Capabilities, and functions by name without those of the header.
fn content(words: &[u32]) -> (BTreeSet<String>, BTreeSet<String>) {
    let module = Module::from_words(words).unwrap();
    let text = disassembled(&trim(&module).unwrap().words);
    let capabilities =
        text.lines().filter_map(|line| line.strip_prefix("OpCapability ")).map(str::to_owned).collect();
    // spirv-dis calls ids by their names.
    let functions =
        text.lines().filter_map(|line| line.split_once(" = OpFunction ")).map(|(name, _)| name.to_owned());
    (capabilities, functions.filter(|name| !name.starts_with("%_ZN8spirv_if")).collect())
}

/// Deciding in the compiler, and deciding after packing, come to the same.
fn code_compiled_for_a_device_is_what_specialize_makes(modules: &[Built]) {
    for (suffix, device) in [("pvc", "intel_gpu_pvc"), ("sm_50", "nvidia_gpu_sm_50")] {
        let find = |name: &str| modules.iter().find(|module| module.name == name).unwrap();
        let (ahead, generic) = (find(&format!("callables-plain-{suffix}")), find("callables-O0"));
        validate(&ahead.words, &ahead.environment).unwrap();
        let module = Module::from_words(&ahead.words).unwrap();
        let packed = pack(&module, &Default::default()).unwrap();
        assert!(packed.summary.calls.is_empty(), "{}: nothing is left to decide", ahead.name);
        let (capabilities, functions) = content(&ahead.words);
        let (expected, expected_functions) = content(&specialized(generic, device));
        assert_eq!(capabilities, expected, "{}", ahead.name);
        assert_eq!(functions, expected_functions, "{}", ahead.name);
        assert!(functions.len() > 10);
        let has = |name: &str| capabilities.contains(name);
        assert!(has("Float64") && has("Float16") == (suffix == "pvc"), "{}: {capabilities:?}", ahead.name);
    }
}

fn is_callables(name: &str) -> bool {
    name.starts_with("callables-") && !is_decided(name)
}

fn has_every_macro(name: &str) -> bool {
    name.contains("conditions")
}

fn has_decisions(name: &str) -> bool {
    name.contains("decisions")
}

fn has_numbers(name: &str) -> bool {
    name.contains("numbers")
}

fn has_matrices(name: &str) -> bool {
    name.contains("matrices")
}

/// Not decided by what the table has of devices.
fn is_open(name: &str) -> bool {
    has_decisions(name) || has_numbers(name) || has_matrices(name)
}

fn is_plain(name: &str) -> bool {
    let stems = ["c-", "glsl", "hlsl", "slang", "sycl", "clcpp"];
    stems.iter().any(|stem| name.starts_with(stem)) && !is_decided(name) && !is_open(name)
}

/// A test: its name, the names of its modules, the minimum number of committed ones, and the check.
type Test = (&'static str, fn(&str) -> bool, usize, fn(&[Built]));

const TESTS: [Test; 8] = [
    (
        "decisions_of_the_host_and_extensions_arrive",
        has_decisions,
        6,
        decisions_of_the_host_and_extensions_arrive,
    ),
    ("numbers_arrive", has_numbers, 3, numbers_arrive),
    (
        "every_callable_keeps_its_condition_at_every_level",
        is_callables,
        6,
        every_callable_keeps_its_condition_at_every_level,
    ),
    (
        "a_call_is_not_lost_to_one_that_writes_the_same",
        |name| name.starts_with("overwritten"),
        1,
        a_call_is_not_lost_to_one_that_writes_the_same,
    ),
    (
        "every_macro_makes_its_condition",
        |name| has_every_macro(name) || is_plain(name),
        4 + 11,
        every_macro_makes_its_condition,
    ),
    (
        "each_device_gets_what_it_has_and_nothing_that_it_lacks",
        |name| !is_decided(name) && !is_open(name),
        4 + 11 + 6,
        each_device_gets_what_it_has_and_nothing_that_it_lacks,
    ),
    (
        "what_was_written_before_a_call_that_does_not_happen_is_there",
        is_callables,
        6,
        what_was_written_before_a_call_that_does_not_happen_is_there,
    ),
    (
        "code_compiled_for_a_device_is_what_specialize_makes",
        |name| name.starts_with("callables-plain-") || name == "callables-O0",
        3,
        code_compiled_for_a_device_is_what_specialize_makes,
    ),
];

/// Runs each test for the committed modules, and for the modules of each compiler.
pub fn trials() -> Vec<Trial> {
    let of_test = |(name, wanted, least, run): Test| {
        trials_of(module_path!(), name, &makers(wanted), move |by| {
            let modules = built(by, wanted);
            assert!(modules.len() >= if matches!(by, By::Us) { least } else { 1 }, "{}", modules.len());
            run(&modules);
        })
    };
    TESTS.into_iter().flat_map(of_test).collect()
}
