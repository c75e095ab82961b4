//! Answers, groups of devices and costs, compared with counts of single devices and with the instructions of a module.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Inspection;
use crate::test_support::{assemble, fixtures};
use crate::{InspectOptions, inspect};
use spirv_if::{Device, Module, Prepared, Settings, SpecValue};

fn json(module: &Module, options: &InspectOptions) -> Value {
    let inspection: Inspection = inspect(module, options).unwrap();
    serde_json::from_str(&inspection.to_json().unwrap()).unwrap()
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

/// Checks the counts of modules against the results of single devices for each entry point.
#[test]
fn an_answer_counts_single_devices() {
    let options = InspectOptions::new().each_device("*").skip_constants(true);
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    for (name, words) in fixtures() {
        let module = json(&Module::from_words(&words[..]).unwrap(), &options);
        let roots = match module["entry_points"].as_array().unwrap() {
            entry_points if entry_points.is_empty() => module["exported_functions"].as_array().unwrap(),
            entry_points => entry_points,
        };
        let each = |root: &Value, index: usize| root["devices"]["each"][index].clone();
        for group in module["device_groups"].as_array().unwrap() {
            let verdict = group["verdict"].as_str().unwrap();
            for device in group["devices"].as_array().unwrap() {
                *verdicts.entry(verdict.to_owned()).or_default() += 1;
                let fits: Vec<Value> =
                    roots.iter().map(|root| each(root, number(&device["index"]))).collect();
                let all = |key: &str, wanted: &str| fits.iter().all(|fit| fit[key]["verdict"] == wanted);
                let context = format!("{name}: {device}");
                assert!(fits.iter().all(|fit| fit["device"] == device["name"]), "{context}");
                let helped =
                    |fit: &Value| fit["after_pack"]["verdict"] == "runs" || fit["specialize"].is_string();
                match verdict {
                    _ if roots.is_empty() => {}
                    "runs" => assert!(all("as_is", "runs"), "{context}"),
                    "runs after a remedy" => {
                        assert!(!all("as_is", "runs") && fits.iter().all(helped), "{context}")
                    }
                    "does not run" => assert!(
                        fits.iter().any(|fit| fit["after_pack"]["verdict"] == "does not run"),
                        "{context}"
                    ),
                    "not known" => assert!(
                        fits.iter().any(|fit| fit["after_pack"]["verdict"] == "not known"),
                        "{context}"
                    ),
                    verdict => {
                        assert_eq!(verdict, "takes no such modules", "{context}");
                        assert!(all("as_is", verdict) && all("after_pack", verdict), "{context}");
                    }
                }
            }
        }
        let answer = &module["answer"];
        let devices = |verdict: &str| -> usize {
            let groups = module["device_groups"].as_array().unwrap().iter();
            let of_verdict = groups.filter(|group| group["verdict"] == verdict);
            of_verdict.map(|group| group["devices"].as_array().unwrap().len()).sum()
        };
        assert_eq!(number(&answer["run"]), devices("runs"), "{name}");
        let gained = answer["gains"].as_array().unwrap().iter().map(|gain| number(&gain["devices"]));
        assert_eq!(gained.sum::<usize>(), devices("runs after a remedy"), "{name}");
    }
    assert_eq!(verdicts.len(), 5, "{verdicts:?}");
}

#[test]
fn sentences() {
    let text = |bytes: &[u8], glob: &str| {
        let options = InspectOptions::new().each_device(glob).skip_constants(true);
        let module = json(&Module::from_bytes(bytes).unwrap(), &options);
        module["answer"]["text"].as_str().unwrap().to_owned()
    };
    let plain = include_bytes!("../../../../fixtures/ubershaders/post.spv");
    assert_eq!(text(plain, "nvidia_gpu_sm_53"), "1 of 1 device runs it.");
    assert_eq!(text(plain, "nvidia_gpu_sm_6*"), "All 3 devices run it.");
    let reduce = |glob: &str| {
        let text = text(include_bytes!("../../../../fixtures/glsl/reduce.spv"), glob);
        let undecided = "2 conditional calls are undecided: as it is, every device makes all of them. ";
        text.strip_prefix(undecided).unwrap().to_owned()
    };
    assert_eq!(reduce("nvidia_gpu_sm_5*"), "None of 3 devices runs it. 3 more after `pack`.");
    assert_eq!(
        reduce("arm_gpu_mali_v10"),
        "0 of 1 device runs it. Not known of 1: nothing says if it has work-group size 256."
    );
    assert_eq!(
        reduce("vulkan_vp_*"),
        "None of 9 devices runs it. 6 more after `pack`. 3 do not: 2 lack work-group size 256, 1 lacks SPIR-V 1.3."
    );
    assert_eq!(reduce("x86_64"), "0 of 1 device runs it. 1 takes no shaders.");
    let kernel = include_bytes!("../../../../fixtures/opencl/plain.spv");
    assert_eq!(text(kernel, "apple_gpu_*"), "None of 2 devices runs it. 2 take no kernels.");
}

/// Checks the cost of a feature in a module whose instructions are counted by hand.
#[test]
fn the_cost_of_a_feature() {
    let text = "
        OpCapability Shader
        OpCapability Float64
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        %file = OpString \"a.comp\"
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %double = OpTypeFloat 64
        %one = OpConstant %double 1
        %single = OpConstant %float 1
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %in_main = OpLabel
        OpLine %file 3 1
        %a = OpFAdd %double %one %one
        %b = OpFAdd %double %a %one
        OpLine %file 4 1
        %c = OpFMul %float %single %single
        OpLine %file 5 1
        %d = OpFMul %double %b %one
        %call = OpFunctionCall %void %other
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %fn
        %in_other = OpLabel
        %e = OpFMul %float %single %single
        OpReturn
        OpFunctionEnd";
    let module = Module::from_words(assemble(text, "spv1.3")).unwrap();
    let options = InspectOptions::new().each_device("*").details(true);
    let json = json(&module, &options);
    let paths = json["paths"].as_array().unwrap();
    let cost = paths.iter().find(|paths| paths["missing"] == "Float64").unwrap()["cost"].clone();
    // Three instructions of five words on two lines, and the type, of three words.
    assert_eq!(cost, serde_json::json!({ "functions": 1, "bytes": 4 * (3 * 5 + 3), "lines": 2 }));
}

/// Checks the causes of a version, a Vulkan feature and limits in a module whose instructions are counted by hand.
#[test]
fn causes_that_no_capability_names() {
    let text = |copy: &str| {
        format!(
            "
        OpCapability Shader
        OpCapability Int64
        OpCapability Int64Atomics
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\" %counter
        OpExecutionMode %main LocalSize 1024 1 1
        %file = OpString \"a.comp\"
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %other_block 0 Offset 0
        OpDecorate %counter DescriptorSet 0
        OpDecorate %counter Binding 0
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %long = OpTypeInt 64 0
        %zero = OpConstant %uint 0
        %scope = OpConstant %uint 1
        %one = OpConstant %long 1
        %block = OpTypeStruct %long
        %other_block = OpTypeStruct %long
        %pointer = OpTypePointer StorageBuffer %block
        %element = OpTypePointer StorageBuffer %long
        %counter = OpVariable %pointer StorageBuffer
        %value = OpConstantComposite %other_block %one
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %in_main = OpLabel
        %call = OpFunctionCall %void %count
        OpReturn
        OpFunctionEnd
        %count = OpFunction %void None %fn
        %in_count = OpLabel
        %place = OpAccessChain %element %counter %zero
        OpLine %file 3 1
        %before = OpAtomicIAdd %long %place %scope %zero %one
        OpLine %file 4 1
        {copy}
        OpReturn
        OpFunctionEnd"
        )
    };
    let options = InspectOptions::new().each_device("*").details(true).skip_remedies(true);
    let paths = |copy: &str, version: &str| {
        json(&Module::from_words(assemble(&text(copy), version)).unwrap(), &options)["paths"].clone()
    };
    let path = |paths: &Value, missing: &str| {
        let mut found = paths.as_array().unwrap().iter().filter(|path| path["missing"] == missing);
        let path = found.next().unwrap_or_else(|| panic!("{missing} is not among {paths}")).clone();
        assert!(found.next().is_none(), "{missing} is there once");
        path
    };
    let instruction = |path: &Value| {
        let cause = &path["why"][0]["causes"][0];
        let calls: Vec<&str> = cause["calls"]
            .as_array()
            .unwrap()
            .iter()
            .map(|call| call["function"].as_str().unwrap())
            .collect();
        (cause["instruction"]["opcode"].as_str().unwrap().to_owned(), calls.len())
    };
    let with_copy = paths("%copy = OpCopyLogical %block %value", "spv1.4");
    let version = path(&with_copy, "SPIR-V 1.4");
    assert_eq!(instruction(&version), ("OpCopyLogical".to_owned(), 2));
    assert_eq!(version["cost"], serde_json::json!({ "functions": 1, "bytes": 4 * 4, "lines": 1 }));
    let atomics = path(&with_copy, "shaderBufferInt64Atomics");
    assert_eq!(instruction(&atomics), ("OpAtomicIAdd".to_owned(), 2));
    assert_eq!(atomics["cost"], serde_json::json!({ "functions": 1, "bytes": 4 * 7, "lines": 1 }));
    for limit in ["work-group size 1024", "maxComputeWorkGroupSize[0] of 1024"] {
        let limit = path(&with_copy, limit);
        assert_eq!(instruction(&limit), ("OpExecutionMode LocalSize".to_owned(), 0));
        assert_eq!(limit["cost"], serde_json::json!({ "functions": 0, "bytes": 4 * 6 }));
    }
    let header = path(&paths("", "spv1.4"), "SPIR-V 1.4");
    assert_eq!(header, serde_json::json!({ "missing": "SPIR-V 1.4", "origin": "header", "why": [] }));
}

/// Checks that a value gains exactly the devices that run the module made with it.
#[test]
fn constants_gain_devices() {
    let bytes = include_bytes!("../../../../fixtures/annotations/guarded.spv");
    let module = Module::from_bytes(bytes).unwrap();
    let details = json(&module, &InspectOptions::new().each_device("*").details(true));
    let gains = details["constant_gains"].as_array().unwrap();
    assert!(!gains.is_empty());
    for gain in gains {
        // A Boolean, or an integer as text.
        let value = gain["value"].as_str().map_or_else(|| gain["value"].to_string(), str::to_owned);
        let value: SpecValue = value.parse().unwrap();
        let settings = Settings::new().set(number(&gain["spec_id"]) as u32, value).trim(true);
        let made = Prepared::new(&module).unwrap();
        let made = made.specialize(&Device::default(), &settings).unwrap();
        let after = json(&Module::from_words(made.words).unwrap(), &InspectOptions::new());
        let run = |json: &Value| number(&json["answer"]["run"]);
        assert_eq!(run(&after) - run(&details), number(&gain["devices"]), "{gain}");
    }
}

/// Checks that code is the cause of a version that the module has instead of extensions, and that declarations are not.
#[test]
fn declarations_are_not_the_code_of_a_version() {
    let origin = |capability: &str, end: &str, version: &str, missing: &str| {
        let text = format!(
            "
        OpCapability Shader
        {capability}
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main \"main\"
        OpExecutionMode %main OriginUpperLeft
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %label = OpLabel
        {end}
        OpFunctionEnd"
        );
        let options = InspectOptions::new().each_device("*").details(true).skip_remedies(true);
        let json = json(&Module::from_words(assemble(&text, version)).unwrap(), &options);
        let mut paths = json["paths"].as_array().unwrap().iter();
        let path =
            paths.find(|path| path["missing"] == missing).unwrap_or_else(|| panic!("{missing}: {json}"));
        path["origin"].as_str().unwrap().to_owned()
    };
    assert_eq!(origin("", "OpTerminateInvocation", "spv1.6", "SPIR-V 1.6"), "code");
    assert_eq!(origin("", "OpReturn", "spv1.6", "SPIR-V 1.6"), "header");
    assert_eq!(origin("OpCapability GroupNonUniform", "OpReturn", "spv1.3", "SPIR-V 1.3"), "header");
}
