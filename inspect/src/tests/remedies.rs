//! Remedies of single devices: inspecting names exactly the settings that help when specializing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::inspect;
use crate::inspection::remedy_options;
use crate::test_support::assemble;
use crate::tests::corpus::share_of_fixtures;
use crate::{EntryPoint, InspectOptions, Inspector};
use spirv_if::device::{DeviceConfig, DeviceParts};
use spirv_if::engine::pipelines::SpecializeRequest;
use spirv_if::error::Hint;
use spirv_if::module::Version;
use spirv_if::specialize::{
    DeviceRemedy, FeaturesToLower, LoweredFeature, SpecConstant, Trap, UnsetPolicy, Verdict,
};
use spirv_if::tally::repeated;
use spirv_if::{Device, Error, Module, Prepared, Settings};

/// Distance between the devices that are compared: each comparison specializes several times.
const STEP: usize = 41;

/// Devices that accept no hint and no newer spelling: few of the table are known to reject one.
const PLAIN_DEVICES: &str = r#"
plain_vulkan: {environments: [vulkan], exact-capabilities: true, exact-extensions: true, spirv-versions: ["1.0"], exact-spirv-versions: true}
plain_versions: {environments: [vulkan], exact-capabilities: true, spirv-versions: ["1.0", "1.1", "1.2", "1.3"]}
plain_opencl: {environments: [opencl], exact-capabilities: true, exact-extensions: true, spirv-versions: ["1.0"], exact-spirv-versions: true}
"#;

/// Reads the options of the program as settings of a module.
fn settings(prepared: &Prepared, options: &str) -> Settings {
    let mut settings = Settings::new();
    let mut words = options.split_whitespace();
    while let Some(option) = words.next() {
        settings = match option {
            "--set" => {
                let (spec_id, value) = words.next().unwrap().split_once(':').unwrap();
                let constant = SpecConstant::from(spec_id.parse::<u32>().unwrap());
                let value = prepared.parse_value(&constant, value).unwrap();
                settings.set(constant, value)
            }
            "--trim" => settings.trim(true),
            "--adapt" => settings.adapt(true),
            "--lower" => settings.lower(FeaturesToLower::Missing),
            "--trap" => settings.trap(Some(words.next().unwrap().parse().unwrap())),
            _ => panic!("{options}"),
        };
    }
    settings
}

/// Returns true if a device is known to run an entry point of a module with options of the program. With traps, it has to be so with the defaults of the
/// constants, too.
fn runs_with(prepared: &Prepared, device: &Device, root: &EntryPoint, options: &str) -> bool {
    let settings = settings(prepared, options);
    let runs = |settings: &Settings| {
        prepared.specialize(device, settings).is_ok_and(|result| {
            let unsupported = &result.report.unsupported;
            result.report.not_known.is_empty()
                && unsupported.iter().all(|entry| entry.entry_point != root.name)
        })
    };
    let defaults = settings.clone().unset(Some(UnsetPolicy::Default)).trim(true);
    runs(&settings) && (!options.contains("--trap") || prepared.specialize(device, &defaults).is_ok())
}

/// Compares the changes with which a device runs entry points that it does not run otherwise.
fn compare_remedies(
    context: &str,
    prepared: &Prepared,
    (number, device): (usize, &Device),
    roots: &[EntryPoint],
    counts: &mut BTreeMap<String, usize>,
) {
    for root in roots {
        let support = &root.each_device[number];
        let with = |remedy: &DeviceRemedy| runs_with(prepared, device, root, &remedy_options(remedy));
        let remedy = match support.after_pack.verdict() {
            Verdict::DoesNotRun => {
                let values = prepared.with(|prepared| {
                    let lacked = prepared.traps.lacked(&prepared.analyses, device);
                    prepared.values_without(&lacked, &SpecializeRequest::default())
                });
                let candidates = DeviceRemedy::candidates(&values, true);
                candidates.into_iter().filter(|remedy| remedy_options(remedy) != "--trim").find(with)
            }
            _ => None,
        };
        assert_eq!(support.remedy, remedy, "{context}: {} on {}", root.name, device.name());
        // Each way that may be named is counted, whatever its values.
        let options = remedy.map(|remedy| remedy_options(&remedy)).unwrap_or_default();
        let flags = options.split_whitespace().filter(|word| !word.contains(':'));
        *counts.entry(flags.collect::<BTreeSet<_>>().into_iter().collect()).or_default() += 1;
    }
}

/// Inspecting finds the changes by specializing that help, on devices of every kind.
#[test]
fn remedies_of_devices_are_found_by_specializing() {
    let table = crate::test_support::root().join("spec-extensions/devices.yaml");
    let table = std::fs::read_to_string(table).unwrap() + PLAIN_DEVICES;
    let devices = DeviceConfig::from_yaml("devices.yaml", &table).unwrap();
    let is_plain = |device: &Device| device.name().starts_with("plain_");
    let options = InspectOptions::new().devices(devices.clone()).each_device("*").skip_constants(true);
    let mut counts = BTreeMap::new();
    for (at, fixture) in share_of_fixtures(3).enumerate() {
        let module = Module::from_words(fixture.plain.module().words()).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let mut roots = Inspector::new(&options).unwrap().inspect(&module).unwrap().entry_points();
        roots.retain(|root| root.stage.is_some());
        for device in devices.iter().enumerate() {
            if device.0 % STEP != at % STEP && !is_plain(device.1) {
                continue;
            }
            compare_remedies(&fixture.name, &prepared, device, &roots, &mut counts);
        }
    }
    // No rule lowers it.
    let module = Module::from_words(assemble(SUBGROUP, "spv1.3")).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let roots = Inspector::new(&options).unwrap().inspect(&module).unwrap().entry_points();
    for device in devices.iter().enumerate().filter(|(_, device)| is_plain(device)) {
        compare_remedies("a sub-group", &prepared, device, &roots, &mut counts);
    }
    for found in ["--adapt", "--lower", "--adapt--lower", "--trapsilent", "--adapt--trapsilent"] {
        assert!(counts.contains_key(found), "{found}: {counts:?}");
    }
}

/// A shader that asks its sub-group in some runs only.
const SUBGROUP: &str = "
    OpCapability Shader
    OpCapability GroupNonUniform
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main \"main\"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %Block BufferBlock
    OpMemberDecorate %Block 0 Offset 0
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %Block = OpTypeStruct %uint
    %ptr_block = OpTypePointer Uniform %Block
    %ptr_uint = OpTypePointer Uniform %uint
    %data = OpVariable %ptr_block Uniform
    %zero = OpConstant %uint 0
    %scope = OpConstant %uint 3
    %main = OpFunction %void None %fn
    %start = OpLabel
    %to_flag = OpAccessChain %ptr_uint %data %zero
    %flag = OpLoad %uint %to_flag
    %is_set = OpINotEqual %bool %flag %zero
    OpStore %to_flag %zero
    OpSelectionMerge %end None
    OpBranchConditional %is_set %ask %end
    %ask = OpLabel
    %is_first = OpGroupNonUniformElect %bool %scope
    %answer = OpSelect %uint %is_first %zero %scope
    OpStore %to_flag %answer
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd";

/// A shader in which constants decide features: two constants together, a number, a constant in a function, and none.
const SHADER: &str = "
    OpCapability Shader
    OpCapability Float64
    OpCapability Int64
    OpCapability Float16
    OpCapability Int16
    OpCapability Int8
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main \"main\"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %one SpecId 0
    OpDecorate %two SpecId 1
    OpDecorate %mode SpecId 2
    OpDecorate %helps SpecId 3
    OpDecorate %Data BufferBlock
    OpMemberDecorate %Data 0 Offset 0
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %short = OpTypeInt 16 0
    %long = OpTypeInt 64 0
    %float = OpTypeFloat 32
    %half = OpTypeFloat 16
    %double = OpTypeFloat 64
    %zero = OpConstant %uint 0
    %f1 = OpConstant %float 1
    %one = OpSpecConstantTrue %bool
    %two = OpSpecConstantFalse %bool
    %either = OpSpecConstantOp %bool LogicalOr %one %two
    %mode = OpSpecConstant %uint 5
    %helps = OpSpecConstantTrue %bool
    %Data = OpTypeStruct %float
    %ptr_Data = OpTypePointer Uniform %Data
    %ptr_float = OpTypePointer Uniform %float
    %data = OpVariable %ptr_Data Uniform
    %fn = OpTypeFunction %void
    %main = OpFunction %void None %fn
    %start = OpLabel
    %at = OpAccessChain %ptr_float %data %zero
    %x = OpLoad %float %at
    OpSelectionMerge %after_wide None
    OpBranchConditional %either %wide %after_wide
    %wide = OpLabel
    %d = OpFConvert %double %x
    %d2 = OpFAdd %double %d %d
    %fd = OpFConvert %float %d2
    OpStore %at %fd
    OpBranch %after_wide
    %after_wide = OpLabel
    OpSelectionMerge %after_switch None
    OpSwitch %mode %after_switch 5 %long_case 6 %plain_case
    %long_case = OpLabel
    %l = OpConvertFToU %long %x
    %l2 = OpIAdd %long %l %l
    %fl = OpConvertUToF %float %l2
    OpStore %at %fl
    OpBranch %after_switch
    %plain_case = OpLabel
    OpStore %at %f1
    OpBranch %after_switch
    %after_switch = OpLabel
    OpSelectionMerge %after_help None
    OpBranchConditional %helps %help %after_help
    %help = OpLabel
    %called = OpFunctionCall %void %helper
    OpBranch %after_help
    %after_help = OpLabel
    %is_large = OpFOrdGreaterThan %bool %x %f1
    OpSelectionMerge %end None
    OpBranchConditional %is_large %large %end
    %large = OpLabel
    %s = OpConvertFToU %short %x
    %s2 = OpIAdd %short %s %s
    %fs = OpConvertUToF %float %s2
    OpStore %at %fs
    OpBranch %end
    %end = OpLabel
    OpReturn
    OpFunctionEnd
    %helper = OpFunction %void None %fn
    %helper_start = OpLabel
    %there = OpAccessChain %ptr_float %data %zero
    %y = OpLoad %float %there
    %h = OpFConvert %half %y
    %h2 = OpFAdd %half %h %h
    %fh = OpFConvert %float %h2
    OpStore %there %fh
    OpReturn
    OpFunctionEnd";

/// Checks that devices with the same missing features share the work, and that all devices share the trials of values.
#[test]
fn devices_that_miss_the_same_share_trials() {
    let module = Module::from_words(assemble(SHADER, "spv1.0")).unwrap();
    let missing = ["Float64", "Int16", "Int64"];
    let devices = (0..12).map(|number| {
        let all = ["Shader", "Float64", "Int64", "Float16", "Int16", "Int8"];
        let kept: Vec<&str> = all.into_iter().filter(|name| *name != missing[number % 3]).collect();
        let parts = DeviceParts::new().capabilities(kept.join(","));
        parts.to_device(None).unwrap()
    });
    let options = InspectOptions::new().devices(DeviceConfig::new("devices", devices.collect()));
    let options = options.each_device("*");
    for skips_constants in [false, true] {
        let options = options.clone().skip_constants(skips_constants);
        let (repeated, _) = repeated(|| {
            let inspection = inspect(&module, &options).unwrap();
            let entry_points = inspection.entry_points();
            let devices = &entry_points[0].each_device;
            assert_eq!(devices.iter().filter(|device| device.remedy.is_some()).count(), 12);
        });
        for once in ["tried values", "values for devices", "places of traps"] {
            assert!(!repeated.contains(&once), "{repeated:?}");
        }
    }
}

/// Inspecting has the numbers of the report on specializing.
#[test]
fn the_cost_of_lowering_is_that_of_specializing() {
    let fixtures = [
        &include_bytes!("../../../fixtures/check/double.spv")[..],
        &include_bytes!("../../../fixtures/flags/flags.spv")[..],
    ];
    let devices = DeviceConfig::embedded().unwrap();
    for bytes in fixtures {
        let module = Module::from_bytes(bytes).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let inspection =
            inspect(&module, &InspectOptions::new().each_device("*").skip_constants(true)).unwrap();
        let json: Value = serde_json::from_str(&inspection.to_json().unwrap()).unwrap();
        let gains = json["answer"]["gains"].as_array().unwrap();
        let lowers = |gain: &Value| gain["remedy"].as_str().unwrap().contains("--lower");
        assert!(gains.iter().all(|gain| lowers(gain) == gain["lowered"].is_array()), "{gains:?}");
        let mut compared = 0;
        let entry_points = inspection.entry_points();
        for support in entry_points.iter().flat_map(|root| &root.each_device) {
            let Some(remedy) = support.remedy.as_ref().filter(|remedy| remedy.lower) else { continue };
            let device = devices.get(&support.device).unwrap();
            let settings = settings(&prepared, &remedy_options(remedy));
            let report = prepared.specialize(device, &settings).unwrap().report;
            let cost = |lowered: &LoweredFeature| {
                let mut cost = json!({
                    "feature": lowered.feature.name(),
                    "replaced": lowered.replaced,
                    "instructions_before": lowered.instructions_before,
                    "instructions_after": lowered.instructions_after,
                });
                if !lowered.exact.is_empty() {
                    cost["exact"] = json!(lowered.exact);
                }
                cost
            };
            let costs: Vec<Value> = report.lowered.iter().map(cost).collect();
            let command = format!("`specialize {}`", remedy_options(remedy));
            let is_it = |gain: &Value| gain["remedy"] == command && gain["lowered"] == json!(costs);
            assert!(gains.iter().any(is_it), "{command}: {costs:?} in {gains:?}");
            compared += 1;
        }
        assert!(compared > 0);
    }
}

/// Errors offer the smallest change with which the device runs the module: constants before lowering and traps, and declarations alone by trimming.
#[test]
fn errors_offer_the_smallest_change() {
    let module = Module::from_words(assemble(SHADER, "spv1.0")).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let offered = |capabilities: &str| {
        let device = DeviceParts::new().capabilities(capabilities).to_device(None).unwrap();
        let error = prepared.specialize(&device, &Settings::new()).unwrap_err();
        let hints = prepared.hints(&error, &[&device], &Settings::new());
        let options = hints.iter().find_map(|hint| match hint {
            Hint::Change(remedy) => Some(remedy_options(remedy)),
            _ => None,
        });
        let options = options.unwrap_or_default();
        let followed = prepared.specialize(&device, &settings(&prepared, &options));
        assert_eq!(followed.is_ok(), !options.is_empty(), "{capabilities}: {options}");
        options
    };
    let all = "Shader,Float64,Int64,Float16,Int16";
    let without = |missing: &[&str]| {
        let kept: Vec<&str> = all.split(',').filter(|name| !missing.contains(name)).collect();
        offered(&kept.join(","))
    };
    assert_eq!(without(&[]), "--trim", "Int8 is only declared");
    assert_eq!(without(&["Float64"]), "--set 0:false --set 1:false --trim");
    assert_eq!(without(&["Int64"]), "--set 2:4 --trim");
    assert_eq!(without(&["Float16"]), "--set 3:false --trim");
    assert_eq!(without(&["Int16"]), "--lower");
    assert_eq!(without(&["Float64", "Int16"]), "--lower", "one change for both");
    assert_eq!(without(&["Float64", "Float16"]), "--set 0:false --set 1:false --set 3:false --trim");
    assert_eq!(without(&["Shader"]), "");
    // What is set already stays so.
    let device = DeviceParts::new().capabilities("Shader,Int64,Float16,Int16,Int8").to_device(None).unwrap();
    let remedy =
        |settings: &Settings| prepared.remedy(&[&device], settings).map(|remedy| remedy_options(&remedy));
    assert_eq!(remedy(&Settings::new().set(0, false)).as_deref(), Some("--set 1:false --trim"));
    assert_eq!(remedy(&Settings::new().set(0, true)).as_deref(), Some("--lower"));
}

/// Checks that every command refuses a device that does not run a module in one way: by its name, with the missing
/// features.
#[test]
fn a_refusal_is_one_on_every_route() {
    let text = "
        OpCapability Shader
        OpCapability GroupNonUniformShuffle
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %Data BufferBlock
        OpMemberDecorate %Data 0 Offset 0
        OpDecorate %data DescriptorSet 0
        OpDecorate %data Binding 0
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %zero = OpConstant %uint 0
        %scope = OpConstant %uint 3
        %Data = OpTypeStruct %uint
        %ptr_Data = OpTypePointer Uniform %Data
        %ptr_uint = OpTypePointer Uniform %uint
        %data = OpVariable %ptr_Data Uniform
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %start = OpLabel
        %at = OpAccessChain %ptr_uint %data %zero
        %x = OpLoad %uint %at
        %value = OpGroupNonUniformShuffle %uint %scope %x %zero
        OpStore %at %value
        OpReturn
        OpFunctionEnd";
    let module = Module::from_words(assemble(text, "spv1.3")).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let device = Device::embedded("vulkan_vp_android_2021").unwrap();
    let new = Settings::new;
    for settings in [
        new(),
        new().trim(true),
        new().adapt(true),
        new().adapt(true).trim(true),
        new().trap(Some(Trap::Silent)),
        new().trap(Some(Trap::Abort)),
        new().adapt(true).trap(Some(Trap::Silent)),
        new().max_version(Some(Version::new(1, 0))),
        new().max_version(Some(Version::new(1, 0))).adapt(true),
        new().strict(true),
    ] {
        let error = prepared.specialize(&device, &settings).unwrap_err();
        let Error::Refused(refused) = &error else { panic!("{error}: {settings:?}") };
        assert_eq!(refused.device, "vulkan_vp_android_2021");
        assert!(!refused.missing.is_empty(), "{error}: {settings:?}");
    }
    // A version that the module cannot have is an error of the request, where the device runs it.
    let device = Device::embedded("vulkan_vp_khr_roadmap_2022").unwrap();
    let lowered = prepared.specialize(&device, &new().max_version(Some(Version::new(1, 0))));
    assert!(matches!(lowered, Err(Error::TooNew(_))));
}
