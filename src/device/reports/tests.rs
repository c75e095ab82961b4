//! Conversion of reports to devices.

use super::*;
use crate::device::DeviceConfig;
use crate::device::api::{Enable, FeatureSetting, Implementation};
use crate::device::{aspects, capabilities};
use crate::loader::Version;

fn capability(name: &str) -> u32 {
    capabilities::number(name).unwrap()
}

fn has(device: &Device, name: &str) -> bool {
    device.has_capability(capability(name)).unwrap()
}

fn aspect_names(device: &Device) -> Vec<&'static str> {
    device.facts.aspects.iter().flatten().filter_map(|aspect| aspects::name(*aspect)).collect()
}

/// Checks that the device's entry restores the device.
fn round_trip(device: &Device) {
    let text = device.to_yaml();
    let read = DeviceConfig::from_yaml("test", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.iter().collect::<Vec<_>>(), [device], "{text}");
}

/// Adds the settings of an alternative.
fn add_way(report: &mut VulkanReport, way: &Enable) {
    let version =
        way.versions.filter(|_| way.extension.is_none()).map_or(Version::new(1, 0), |versions| versions.from);
    report.api_version = report.api_version.max(version);
    report.extensions.extend(way.extension.map(str::to_owned));
    let value = |value| structures::value(value).unwrap();
    let is_known = match way.setting {
        None => true,
        Some(FeatureSetting::Feature { structure, member }) => report.set(structure, member, 1),
        Some(FeatureSetting::Property { structure, member, value: name }) => {
            report.set(structure, member, value(name))
        }
        Some(FeatureSetting::Query { .. }) => false,
    };
    assert!(is_known, "{way} names what vulkan-structures.csv does not have");
}

/// Returns a report with the settings of an alternative for a capability, and those of the capabilities that
/// it implies.
fn report_for(capability: u32, way: &Enable) -> VulkanReport {
    let mut report = VulkanReport::new("test", Version::new(1, 0), []);
    add_way(&mut report, way);
    let mut implied = std::collections::BTreeSet::from([capability]);
    capabilities::close(&mut implied);
    implied.remove(&capability);
    for name in implied.into_iter().filter_map(capabilities::name) {
        if let Some(way) = Api::Vulkan.capability(name).and_then(|ways| ways.first()) {
            add_way(&mut report, way);
        }
    }
    report
}

#[test]
fn each_way_of_vulkan_to_have_a_capability_is_sufficient_and_necessary() {
    let mut settings = 0;
    for name in capabilities::names() {
        for way in Api::Vulkan.capability(name).unwrap_or_default() {
            let report = report_for(capability(name), way);
            assert!(has(&report.device(), name), "{name} by {way}");
            // The same version and extensions, with every member 0.
            let mut denied = VulkanReport::new("test", report.api_version, report.extensions.clone());
            for structure in structures::all() {
                for member in &structure.members {
                    denied.set(structure.name, member.name, 0);
                }
            }
            if way.setting.is_some() {
                settings += 1;
                assert!(!has(&denied.device(), name), "{name} without {way}");
            }
        }
    }
    assert!(settings > 150, "{settings} ways with settings");
}

#[test]
fn vulkan_extensions_and_versions() {
    let device = VulkanReport::new(
        "test",
        Version::new(1, 1),
        ["VK_KHR_spirv_1_4", "VK_KHR_shader_clock"].map(str::to_owned),
    )
    .device();
    let versions: Vec<Version> = device.facts.spirv_versions.iter().flatten().copied().collect();
    assert_eq!(versions, [0, 1, 2, 3, 4].map(|minor| Version::new(1, minor)));
    assert_eq!(device.has_extension("SPV_KHR_shader_clock"), Some(true));
    assert_eq!(device.has_extension("SPV_KHR_variable_pointers"), Some(true), "core in 1.1");
    assert_eq!(device.has_extension("SPV_KHR_vulkan_memory_model"), Some(false), "core in 1.2");
    assert_eq!(device.has_extension("SPV_KHR_float_controls"), Some(true), "VK_KHR_spirv_1_4 depends on it");
    assert!(!has(&device, "Kernel") && !has(&device, "Linkage"));
    round_trip(&device);
}

#[test]
fn features_that_vulkan_requires() {
    let bare = |minor| VulkanReport::new("test", Version::new(1, minor), []);
    for name in ["MultiView", "GroupNonUniform"] {
        assert!(!has(&bare(0).device(), name) && has(&bare(1).device(), name), "{name}");
    }
    assert!(!has(&bare(2).device(), "VulkanMemoryModel") && has(&bare(3).device(), "VulkanMemoryModel"));
    assert!(!has(&bare(3).device(), "Int8") && has(&bare(4).device(), "Int8"));
    assert!(!has(&bare(4).device(), "Float64"));
    // Descriptor indexing implies features only if it is supported.
    let mut report = bare(2);
    assert!(!has(&report.device(), "RuntimeDescriptorArray"));
    report.set("VkPhysicalDeviceVulkan12Features", "descriptorIndexing", 1);
    assert!(has(&report.device(), "RuntimeDescriptorArray"));
    // 1.3 has products of packed bytes; other products of bytes follow in 1.4.
    assert!(
        !has(&bare(3).device(), "DotProductInput4x8Bit") && has(&bare(4).device(), "DotProductInput4x8Bit")
    );
    assert!(has(&bare(3).device(), "DotProductInput4x8BitPacked"));
    // The features of a provisional extension may change.
    let provisional = VulkanReport::new("test", Version::new(1, 4), ["VK_AMDX_shader_enqueue".to_owned()]);
    assert!(!has(&provisional.device(), "ShaderEnqueueAMDX"));
    // A negative answer of a driver counts.
    let mut report = bare(4);
    report.set("VkPhysicalDeviceVulkan12Features", "shaderInt8", 0);
    assert!(!has(&report.device(), "Int8"));
}

#[test]
fn a_capability_takes_all_that_it_implies() {
    let mut report = VulkanReport::new("test", Version::new(1, 3), []);
    report.set("VkPhysicalDeviceFeatures", "multiViewport", 1);
    assert!(!has(&report.device(), "MultiViewport") && !has(&report.device(), "Geometry"));
    report.set("VkPhysicalDeviceFeatures", "geometryShader", 1);
    assert!(has(&report.device(), "MultiViewport") && has(&report.device(), "Geometry"));
}

#[test]
fn vulkan_aspects_and_sizes() {
    let mut report = VulkanReport::new("test", Version::new(1, 2), []);
    report.set("VkPhysicalDeviceProperties", "deviceType", 1);
    report.set("VkPhysicalDeviceVulkan12Features", "shaderFloat16", 1);
    report.set("VkPhysicalDeviceVulkan12Features", "shaderSharedInt64Atomics", 1);
    report.set("VkPhysicalDeviceSubgroupProperties", "subgroupSize", 32);
    report.set("VkPhysicalDeviceSubgroupProperties", "supportedOperations", 0b101);
    report.set("VkPhysicalDeviceLimits", "maxComputeWorkGroupInvocations", 1024);
    let device = report.device();
    assert_eq!(
        aspect_names(&device),
        ["gpu", "fp16", "image"],
        "atomics of shared memory are not enough for atomic64"
    );
    assert!(has(&device, "Int64Atomics") && has(&device, "GroupNonUniformArithmetic"));
    let atomics = [capability("Int64Atomics")];
    assert_eq!(device.has_capabilities(&atomics), Some(false), "as atomic64");
    let mut both = report.clone();
    both.set("VkPhysicalDeviceVulkan12Features", "shaderBufferInt64Atomics", 1);
    assert_eq!(both.device().has_capabilities(&atomics), Some(true));
    assert!(!has(&device, "GroupNonUniformBallot"));
    assert!(!has(&device, "Float16Buffer"), "the aspects say nothing of kernels");
    assert_eq!(
        (&device.facts.sub_group_sizes[..], device.facts.max_work_group_size),
        (&[32][..], Some(1024))
    );
    round_trip(&device);

    for (member, value) in
        [("minSubgroupSize", 8), ("maxSubgroupSize", 32), ("requiredSubgroupSizeStages", 0x20)]
    {
        report.set("VkPhysicalDeviceSubgroupSizeControlProperties", member, value);
    }
    assert_eq!(*report.device().facts.sub_group_sizes, [32], "the feature is not there");
    report.set("VkPhysicalDeviceSubgroupSizeControlFeaturesEXT", "subgroupSizeControl", 1);
    assert_eq!(*report.device().facts.sub_group_sizes, [8, 16, 32]);
}

fn kernel_device() -> OpenClReport {
    let mut report = OpenClReport::default();
    let text = |text: &str| QueryAnswer::Text(text.to_owned());
    report.set("CL_DEVICE_NAME", text("A device"));
    report.set("CL_DEVICE_VERSION", text("OpenCL 3.0 somebody's"));
    report.set("CL_DEVICE_PROFILE", text("FULL_PROFILE"));
    report.set("CL_DEVICE_IL_VERSION", text("SPIR-V_1.2 "));
    report.set("CL_DEVICE_EXTENSIONS", text("cl_khr_fp16 cl_khr_expect_assume cl_khr_int64_base_atomics"));
    report.set("CL_DEVICE_TYPE", QueryAnswer::Number(4));
    report
}

#[test]
fn opencl_by_extensions_and_queries() {
    let mut report = kernel_device();
    let device = report.device();
    assert_eq!(device.name, "opencl_a_device");
    assert_eq!(aspect_names(&device), ["gpu", "fp16"], "atomic64 takes two extensions");
    let all = ["Kernel", "Int64", "Float16", "ExpectAssumeKHR", "Int64Atomics", "Linkage"];
    assert!(all.iter().all(|name| has(&device, name)), "{device:?}");
    assert!(!has(&device, "Float64") && !has(&device, "Shader") && !has(&device, "GenericPointer"));
    assert_eq!(device.supports_spirv_version(Version::new(1, 0)), Some(true), "older than what it names");
    assert_eq!(device.supports_spirv_version(Version::new(1, 3)), Some(false));
    assert_eq!(device.facts.extensions, Some(["SPV_KHR_expect_assume".into()].into()));
    round_trip(&device);

    report.set("CL_DEVICE_DOUBLE_FP_CONFIG", QueryAnswer::Number(63));
    report.set("CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", QueryAnswer::Number(1));
    let device = report.device();
    assert!(has(&device, "Float64") && has(&device, "GenericPointer"));
    assert_eq!(aspect_names(&device), ["gpu", "fp16", "fp64"]);
}

#[test]
fn opencl_by_spirv_queries() {
    let mut report = kernel_device();
    report.set("CL_DEVICE_SPIRV_EXTENSIONS_KHR", QueryAnswer::Names(vec!["SPV_B".to_owned()]));
    report.set("CL_DEVICE_SPIRV_CAPABILITIES_KHR", QueryAnswer::Numbers(vec![6, 70_000]));
    assert_eq!(report.device(), kernel_device().device(), "the extension is not there");
    report.set("CL_DEVICE_EXTENSIONS", QueryAnswer::Text("cl_khr_spirv_queries".to_owned()));
    let device = report.device();
    assert_eq!(device.facts.capabilities, Some([capability("Kernel"), 70_000].into()));
    assert_eq!(device.facts.extensions, Some(["SPV_B".into()].into()));
    round_trip(&device);
}

/// Checks that capabilities are not inferred from aspects and sub-groups if the driver lists them.
#[test]
fn drivers_that_list_capabilities_have_no_others() {
    let mut report = kernel_device();
    report.set("CL_DEVICE_EXTENSIONS", QueryAnswer::Text("cl_khr_spirv_queries cl_khr_fp16".to_owned()));
    report.set("CL_DEVICE_IMAGE_SUPPORT", QueryAnswer::Number(1));
    report.set("CL_DEVICE_SUB_GROUP_SIZES_INTEL", QueryAnswer::Numbers(vec![16]));
    let by_aspects = report.device();
    for name in ["Float16", "ImageBasic", "SubgroupDispatch"] {
        assert!(has(&by_aspects, name), "{name}: it lists nothing");
    }
    report.set(
        "CL_DEVICE_SPIRV_CAPABILITIES_KHR",
        QueryAnswer::Numbers(vec![capability("ImageReadWrite").into()]),
    );
    let device = report.device();
    // ImageReadWrite implies ImageBasic, and that Kernel.
    let implied = ["ImageReadWrite", "ImageBasic", "Kernel"].map(capability);
    assert_eq!(device.facts.capabilities, Some(implied.into()));
    assert!(aspect_names(&device).contains(&"fp16"), "its aspects are another matter");
    round_trip(&device);
    report.set("CL_DEVICE_IL_VERSION", QueryAnswer::Text(String::new()));
    assert_eq!(report.device().facts.capabilities, Some([].into()), "it takes no SPIR-V");
    round_trip(&report.device());
}

#[test]
fn opencl_without_spirv() {
    let mut report = kernel_device();
    report.set("CL_DEVICE_IL_VERSION", QueryAnswer::Text(String::new()));
    let device = report.device();
    assert_eq!(
        (device.facts.spirv_versions.as_ref(), device.facts.extensions.as_ref()),
        (Some(&[].into()), Some(&[].into()))
    );
    assert_eq!(device.facts.capabilities, Some([].into()), "not even Float16, which fp16 implies elsewhere");
    round_trip(&device);
    report.set("CL_DEVICE_VERSION", QueryAnswer::Text("OpenCL 2.2 x".to_owned()));
    assert_eq!(report.device().supports_spirv_version(Version::new(1, 2)), Some(true), "2.2 requires it");
}

#[test]
fn opencl_sub_groups() {
    let mut report = kernel_device();
    report.set("CL_DEVICE_SUB_GROUP_SIZES_INTEL", QueryAnswer::Numbers(vec![1, 2, 3, 16]));
    report.set("CL_DEVICE_MAX_NUM_SUB_GROUPS", QueryAnswer::Number(8));
    let device = report.device();
    assert_eq!(*device.facts.sub_group_sizes, [1, 2, 16]);
    assert!(has(&device, "SubgroupDispatch"));
    round_trip(&device);
    report.set("CL_DEVICE_MAX_NUM_SUB_GROUPS", QueryAnswer::Number(0));
    assert_eq!(*report.device().facts.sub_group_sizes, [0; 0]);
    assert!(!has(&report.device(), "SubgroupDispatch"));
}

#[test]
fn opencl_tables_name_known_queries_and_bits() {
    let names: Vec<&str> = queries().iter().map(|query| query.name).collect();
    let text = include_str!("../../../spec-extensions/opencl-queries.csv");
    assert_eq!(names.len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
    let ways = |name| Api::OpenCl.capability(name).unwrap_or_default();
    for way in capabilities::names().flat_map(ways) {
        let Some(FeatureSetting::Query { name, value }) = way.setting else { continue };
        assert!(names.contains(&name), "{name} is in no table of queries");
        let mut report = OpenClReport::default();
        report.set(
            name,
            if value == "FULL_PROFILE" {
                QueryAnswer::Text(value.to_owned())
            } else {
                QueryAnswer::Number(u64::MAX)
            },
        );
        assert!(report.has(&FeatureSetting::Query { name, value }), "{name} {value}");
        report.set(name, QueryAnswer::Number(0));
        assert!(!report.has(&FeatureSetting::Query { name, value }), "{name} {value}");
    }
}

#[test]
fn opencl_numbers_are_those_of_the_headers() {
    use opencl3::device as cl;
    let number = |name: &str| queries().iter().find(|query| query.name == name).unwrap().number;
    assert_eq!(number("CL_DEVICE_IL_VERSION"), cl::CL_DEVICE_IL_VERSION);
    assert_eq!(number("CL_DEVICE_DOUBLE_FP_CONFIG"), cl::CL_DEVICE_DOUBLE_FP_CONFIG);
    assert_eq!(number("CL_DEVICE_MAX_NUM_SUB_GROUPS"), cl::CL_DEVICE_MAX_NUM_SUB_GROUPS);
    assert_eq!(number("CL_DEVICE_PIPE_SUPPORT"), cl::CL_DEVICE_PIPE_SUPPORT);
    assert_eq!(number("CL_DEVICE_MAX_WORK_GROUP_SIZE"), cl::CL_DEVICE_MAX_WORK_GROUP_SIZE);
}

#[test]
fn names_require_no_quotes() {
    let vulkan = entry_name(Api::Vulkan, "llvmpipe (LLVM 22.1.8, 256 bits)");
    assert_eq!(vulkan, "vulkan_llvmpipe_llvm_22_1_8_256_bits");
    assert_eq!(entry_name(Api::OpenCl, " Intel(R) Xeon(R) "), "opencl_intel_r_xeon_r");
    assert_eq!(entry_name(Api::OpenCl, "\u{e9}"), "opencl");
}
