use super::*;
use crate::device::capabilities;
use crate::loader::Version;

fn read(text: &str) -> Vec<VulkanReport> {
    from_json(&[("test.json", text)], None).unwrap().remove(0)
}

fn error(text: &str) -> String {
    from_json(&[("test.json", text)], None).unwrap_err().to_string()
}

fn has(report: &VulkanReport, name: &str) -> bool {
    report.device().has_capability(capabilities::number(name).unwrap()).unwrap()
}

/// Two profiles with alternatives, one of which extends the other.
const PROFILES: &str = r#"{
    "$schema": "https://schema.khronos.org/vulkan/profiles-0.8-latest.json#",
    "capabilities": {
        "base": {
            "extensions": { "VK_KHR_shader_clock": 1 },
            "features": {
                "VkPhysicalDeviceFeatures": { "shaderFloat64": true, "shaderInt64": false },
                "VkPhysicalDeviceVulkan12Features": { "shaderFloat16": true }
            },
            "properties": {
                "VkPhysicalDeviceProperties": { "limits": {
                    "maxComputeWorkGroupInvocations": 256, "maxComputeWorkGroupSize": [256, 128, 64], "maxGeometryOutputVertices": 512
                } },
                "VkPhysicalDeviceVulkan11Properties": {
                    "subgroupSize": 4,
                    "subgroupSupportedOperations": ["VK_SUBGROUP_FEATURE_VOTE_BIT", "VK_SUBGROUP_FEATURE_UNHEARD_OF_BIT"]
                }
            },
            "formats": { "VK_FORMAT_R8_UNORM": {} }
        },
        "either": {
            "extensions": { "VK_EXT_mesh_shader": 1, "VK_KHR_ray_query": 1 },
            "features": { "VkPhysicalDeviceFeatures": { "geometryShader": true, "shaderInt16": true } },
            "properties": { "VkPhysicalDeviceLimits": { "maxComputeWorkGroupInvocations": 512 } }
        },
        "or": {
            "extensions": { "VK_KHR_ray_query": 1 },
            "features": { "VkPhysicalDeviceFeatures": { "tessellationShader": true, "geometryShader": false, "shaderInt16": true } },
            "properties": { "VkPhysicalDeviceLimits": { "maxComputeWorkGroupInvocations": 1024 } }
        }
    },
    "profiles": {
        "VP_TEST_base": { "version": 1, "api-version": "1.2.198", "capabilities": ["base"] },
        "VP_TEST_more": {
            "version": 1, "api-version": "1.3.204", "profiles": ["VP_TEST_base"], "capabilities": [["either", "or"]]
        }
    }
}"#;

#[test]
fn profiles() {
    let reports = read(PROFILES);
    let [base, more] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!((base.name.as_str(), base.api_version), ("VP_TEST_base", Version::new(1, 2)));
    assert_eq!(base.device().name, "vulkan_vp_test_base");
    assert!(has(base, "Float64") && has(base, "Float16") && !has(base, "Int64") && !has(base, "Int16"));
    assert!(has(base, "GroupNonUniformVote") && !has(base, "GroupNonUniformBallot"));
    assert_eq!(base.device().facts.max_work_group_size, Some(256));
    let limits: Vec<String> = base.device().facts.limits.iter().map(|limit| format!("{limit:?}")).collect();
    assert_eq!(
        limits,
        [
            r#"("maxComputeWorkGroupSize[0]", 256)"#,
            r#"("maxComputeWorkGroupSize[1]", 128)"#,
            r#"("maxComputeWorkGroupSize[2]", 64)"#,
            r#"("maxGeometryOutputVertices", 512)"#,
            r#"("vulkan_version", 66048)"#,
        ]
    );
    assert_eq!(*base.device().facts.sub_group_sizes, [0; 0], "a lower limit is not a size");
    assert_eq!(base.device().has_extension("SPV_KHR_shader_clock"), Some(true));

    assert_eq!((more.name.as_str(), more.api_version), ("VP_TEST_more", Version::new(1, 3)));
    assert!(has(more, "Float64") && has(more, "Int16"), "what both have");
    assert!(!has(more, "Geometry") && !has(more, "Tessellation"), "what only one has");
    assert!(more.extensions.contains("VK_KHR_ray_query") && !more.extensions.contains("VK_EXT_mesh_shader"));
    assert_eq!(more.device().facts.max_work_group_size, Some(512), "at least the less of the two, and 256");
    assert!(has(more, "DemoteToHelperInvocation"), "1.3 has it in any case");
}

#[test]
fn one_profile() {
    let one = from_json(&[("test.json", PROFILES)], Some("VP_TEST_more")).unwrap().remove(0);
    assert_eq!(one, read(PROFILES)[1..]);
    let error = from_json(&[("test.json", PROFILES)], Some("VP_TEST")).unwrap_err().to_string();
    assert_eq!(error, "test.json has no profile `VP_TEST`; it has `VP_TEST_base`, `VP_TEST_more`");
    let error =
        from_json(&[("test.json", r#"{"VkPhysicalDeviceProperties": {}}"#)], Some("VP_TEST")).unwrap_err();
    assert_eq!(error.to_string(), "test.json has no profile `VP_TEST`; it has none");
}

#[test]
fn profiles_that_build_on_each_other_end() {
    let text = PROFILES
        .replace(r#""capabilities": ["base"] }"#, r#""profiles": ["VP_TEST_more"], "capabilities": [] }"#);
    assert_eq!(read(&text)[0].values().count(), read(&text)[1].values().count());
}

/// Checks that a profile builds on profiles of other files as on those of its own file, which come first, in any order
/// of the files.
#[test]
fn profiles_of_other_files() {
    let base = r#"{
        "capabilities": { "base": {
            "features": { "VkPhysicalDeviceFeatures": { "shaderInt16": true } },
            "properties": { "VkPhysicalDeviceLimits": { "maxComputeWorkGroupInvocations": 128 } }
        } },
        "profiles": {
            "VP_TEST_first": { "api-version": "1.1.0", "capabilities": ["base"] },
            "VP_TEST_own": { "api-version": "1.3.0" }
        }
    }"#;
    let between = r#"{
        "capabilities": {},
        "profiles": { "VP_TEST_between": { "api-version": "1.0.0", "profiles": ["VP_TEST_first"] } }
    }"#;
    let child = r#"{
        "capabilities": {
            "base": { "features": { "VkPhysicalDeviceFeatures": { "shaderInt64": true } } }
        },
        "profiles": {
            "VP_TEST_own": { "api-version": "1.0.0", "capabilities": [] },
            "VP_TEST_child": {
                "api-version": "1.0.0", "profiles": ["VP_TEST_between", "VP_TEST_own"], "capabilities": ["base"]
            }
        }
    }"#;
    let files = [("base.json", base), ("between.json", between), ("child.json", child), ("info.json", INFO)];
    for order in [[0, 1, 2, 3], [2, 1, 0, 3], [3, 1, 2, 0]] {
        let all = from_json(&order.map(|at| files[at]), None).unwrap();
        let of_child = &all[order.iter().position(|&at| at == 2).unwrap()];
        let names: Vec<&str> = of_child.iter().map(|report| report.name.as_str()).collect();
        assert_eq!(names, ["VP_TEST_child", "VP_TEST_own"]);
        assert!(has(&of_child[0], "Int16") && has(&of_child[0], "Int64"));
        assert_eq!(of_child[0].device().facts.max_work_group_size, Some(128));
        assert_eq!(of_child[0].api_version, Version::new(1, 1), "the other VP_TEST_own is not the base");
        let one = from_json(&order.map(|at| files[at]), Some("VP_TEST_between")).unwrap();
        assert_eq!(one.iter().map(Vec::len).sum::<usize>(), 1);
    }
    let error = from_json(&[files[1], files[2]], None).unwrap_err().to_string();
    assert_eq!(
        error,
        "between.json: profiles.VP_TEST_between.profiles.0: the profile `VP_TEST_first`, on which this one builds, is in none of these files: \
         name the file that has it, too"
    );
    let error = from_json(&[files[1], files[3]], Some("VP_TEST")).unwrap_err().to_string();
    assert_eq!(error, "between.json, info.json has no profile `VP_TEST`; it has `VP_TEST_between`");
}

/// A report without profiles.
const INFO: &str = r#"{"VkPhysicalDeviceProperties": {"apiVersion": 4194304}}"#;

/// Reads the output of vulkaninfo before it wrote profiles.
#[test]
fn structures_by_name() {
    let text = r#"{
        "$schema": "https://schema.khronos.org/vulkan/devsim_1_0_0.json#",
        "VkPhysicalDeviceProperties": {
            "apiVersion": 4198400, "vendorID": 4318, "deviceID": 9008, "deviceType": 2, "deviceName": "A GPU",
            "limits": { "maxComputeWorkGroupInvocations": 1024, "timestampPeriod": 1.0 }
        },
        "VkPhysicalDeviceFeatures": { "shaderFloat64": 1, "shaderInt64": 0 },
        "VkPhysicalDevice16BitStorageFeaturesKHR": { "storageBuffer16BitAccess": true },
        "VkPhysicalDeviceSubgroupProperties": { "supportedOperations": 5, "subgroupSize": 32 },
        "ArrayOfVkExtensionProperties": [ { "extensionName": "VK_KHR_spirv_1_4", "specVersion": 1 } ],
        "VkPhysicalDeviceMemoryProperties": { "memoryHeaps": [] }
    }"#;
    let reports = read(text);
    let [report] = &reports[..] else { panic!("{reports:?}") };
    let device = report.device();
    assert_eq!((device.name(), report.api_version), ("vulkan_a_gpu", Version::new(1, 1)));
    assert!(has(report, "Float64") && !has(report, "Int64") && has(report, "StorageBuffer16BitAccess"));
    assert!(has(report, "GroupNonUniformArithmetic") && !has(report, "GroupNonUniformVote"));
    assert_eq!(
        (&device.facts.sub_group_sizes[..], device.facts.max_work_group_size),
        (&[32][..], Some(1024))
    );
    assert_eq!(device.supports_spirv_version(Version::new(1, 4)), Some(true));
    let architecture = device.architecture.and_then(crate::device::architectures::by_value);
    assert_eq!(architecture.map(|architecture| architecture.name), Some("nvidia_gpu_sm_90"));
}

/// Reads an upload of VulkanCapsViewer.
#[test]
fn reports_of_gpuinfo() {
    let text = r#"{
        "core11": {
            "features": { "storageBuffer16BitAccess": 1, "storageInputOutput16": 0 },
            "properties": { "subgroupSize": 8, "subgroupSupportedOperations": 1791, "deviceUUID": [1, 2] }
        },
        "core12": { "features": { "shaderFloat16": 1 }, "properties": { "driverID": 13, "driverName": "llvmpipe" } },
        "extended": {
            "devicefeatures2": [
                { "extension": "VK_EXT_shader_atomic_float", "name": "shaderBufferFloat32AtomicAdd", "supported": true },
                { "extension": "VK_EXT_shader_atomic_float", "name": "shaderBufferFloat64AtomicAdd", "supported": false },
                { "extension": "VK_XYZ_unheard_of", "name": "unheardOf", "supported": true }
            ],
            "deviceproperties2": [
                { "extension": "VK_EXT_subgroup_size_control", "name": "minSubgroupSize", "value": "8" },
                { "extension": "VK_AMDX_shader_enqueue", "name": "executionGraphDispatchAddressAlignment", "value": "0" }
            ]
        },
        "extensions": [ { "extensionName": "VK_EXT_shader_atomic_float", "specVersion": 1 } ],
        "features": { "shaderFloat64": 1, "geometryShader": 0 },
        "properties": { "apiVersion": 4206592, "deviceName": "llvmpipe", "deviceType": 4, "driverVersion": 109060102, "limits": { "maxComputeWorkGroupInvocations": 1024 } }
    }"#;
    let reports = read(text);
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(report.api_version, Version::new(1, 3));
    for name in
        ["Float16", "Float64", "StorageBuffer16BitAccess", "AtomicFloat32AddEXT", "GroupNonUniformQuad"]
    {
        assert!(has(report, name), "{name}");
    }
    assert!(
        !has(report, "Geometry")
            && !has(report, "StorageInputOutput16")
            && !has(report, "AtomicFloat64AddEXT")
    );
    assert_eq!(report.get("VkPhysicalDeviceVulkan13Properties", "minSubgroupSize"), Some(8));
    assert_eq!(driver(report).as_deref(), Some("lavapipe 26.2.6"));
}

/// Reads an upload of VulkanCapsViewer for a device with Vulkan 1.1, without structures of core versions.
#[test]
fn reports_of_gpuinfo_of_vulkan_1_1() {
    let text = r#"{
        "extended": { "deviceproperties2": [
            { "extension": "VK_KHR_shader_float_controls", "name": "shaderSignedZeroInfNanPreserveFloat32", "value": "true" },
            { "extension": "VK_KHR_shader_float_controls", "name": "shaderRoundingModeRTEFloat32", "value": "false" },
            { "extension": "VK_KHR_driver_properties", "name": "driverID", "value": "8" },
            { "extension": "VK_KHR_driver_properties", "name": "driverName", "value": "Qualcomm" }
        ] },
        "extensions": [ { "extensionName": "VK_KHR_shader_float_controls", "specVersion": 1 } ],
        "properties": {
            "apiVersion": 4198400, "deviceName": "A phone", "driverVersion": 2149539840, "driverVersionText": "512.502.0",
            "subgroupProperties": { "subgroupSize": 64, "supportedOperations": 15, "supportedStages": 48 }
        }
    }"#;
    let reports = read(text);
    let [report] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!(
        (report.api_version, &*report.device().facts.sub_group_sizes),
        (Version::new(1, 1), &[64][..])
    );
    assert!(has(report, "GroupNonUniformBallot") && !has(report, "GroupNonUniformShuffle"));
    assert!(has(report, "SignedZeroInfNanPreserve") && !has(report, "RoundingModeRTE"));
    assert_eq!(driver(report).as_deref(), Some("qualcomm 512.502"));
}

fn driver(report: &VulkanReport) -> Option<String> {
    report.device().driver.map(|driver| driver.to_string())
}

/// Reads the driver in reports of vulkaninfo, where its id has a name. A version without an id is ignored. An id
/// without a version is enough.
#[test]
fn drivers_in_reports() {
    let read = |properties: &str, driver_properties: &str| {
        let text = format!(
            r#"{{"VkPhysicalDeviceProperties": {{"apiVersion": 4202496, "deviceName": "a"{properties}}},
                "VkPhysicalDeviceDriverProperties": {{{driver_properties}}}}}"#
        );
        driver(&read(&text)[0])
    };
    let version = r#", "driverVersion": 2435301632"#;
    let nvidia = r#""driverID": "VK_DRIVER_ID_NVIDIA_PROPRIETARY", "driverInfo": "580.159.04""#;
    assert_eq!(read(version, nvidia).as_deref(), Some("nvidia 580.159.4"));
    assert_eq!(read("", nvidia).as_deref(), Some("nvidia"));
    assert_eq!(read(version, ""), None);
    assert_eq!(read(version, r#""driverID": "VK_DRIVER_ID_OF_TOMORROW""#), None);
    assert_eq!(read(version, r#""driverID": 4000"#), None);
}

#[test]
fn other_files_with_the_same_keys() {
    for text in [
        r#"{"properties": {"a": 1}}"#,
        r#"{"extended": {}}"#,
        r#"{"VkPhysicalDeviceProperties": {}}"#,
        r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#,
    ] {
        assert!(error(text).starts_with("test.json is not a report of a Vulkan device"), "{text}");
    }
    let old = r#"{"VkPhysicalDeviceFeatures": {"shaderInt64": 1}, "VkPhysicalDeviceProperties": {}}"#;
    assert_eq!(read(old)[0].api_version, Version::new(1, 0), "it tells something");
    assert_eq!(read(&format!("\u{feff}{PROFILES}")), read(PROFILES), "a mark of the byte order");
}

#[test]
fn errors_have_a_path() {
    assert_eq!(error("{\n  \"profiles\": 3,,\n}"), "test.json:2:17: key must be a string");
    assert!(
        error("[]").starts_with("test.json is not a report of a Vulkan device: it has neither `profiles`")
    );
    assert!(error("{}").starts_with("test.json is not a report"));
    let with = |from: &str, to: &str| {
        assert!(PROFILES.contains(from), "{from}");
        error(&PROFILES.replacen(from, to, 1))
    };
    assert_eq!(
        with(r#""shaderFloat64": true"#, r#""shaderFloat64": "yes""#),
        "test.json: capabilities.base.features.VkPhysicalDeviceFeatures.shaderFloat64: expected true or false, found `yes`"
    );
    assert_eq!(
        with(r#"["base"]"#, r#"["bass"]"#),
        "test.json: profiles.VP_TEST_base.capabilities.0: the file has no capabilities `bass`; did you mean `base`?"
    );
    assert_eq!(
        with(r#""1.2.198""#, r#""latest""#),
        "test.json: profiles.VP_TEST_base.api-version: expected a version of Vulkan such as \"1.3.204\", found \"latest\""
    );
    assert_eq!(
        with(r#""1.2.198""#, r#""300.5""#),
        "test.json: profiles.VP_TEST_base.api-version: expected a version of Vulkan such as \"1.3.204\", found \"300.5\""
    );
    assert_eq!(
        with(r#"["VP_TEST_base"]"#, r#"["VP_OTHER"]"#),
        "test.json: profiles.VP_TEST_more.profiles.0: the profile `VP_OTHER`, on which this one builds, is in none of these files: name the file \
         that has it, too"
    );
    assert_eq!(
        with(r#"{ "VK_KHR_shader_clock": 1 }"#, "[]"),
        "test.json: capabilities.base.extensions: expected an object, found a list"
    );
    assert_eq!(
        error(r#"{"VkPhysicalDeviceProperties": {}, "ArrayOfVkExtensionProperties": [{}]}"#),
        "test.json: ArrayOfVkExtensionProperties.0.extensionName: expected a text, found nothing"
    );
    assert!(error(&"[".repeat(100_000)).starts_with("test.json:1:"), "nesting has an end");
}
