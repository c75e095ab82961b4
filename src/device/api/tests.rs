//! Tests of the tables and of the settings for modules.

use std::{collections::BTreeSet, fs, path::Path};

use super::*;
use crate::loader::Module;
use crate::text::csv;

fn shown(ways: Option<&[Enable]>) -> Vec<String> {
    ways.unwrap_or_default().iter().map(ToString::to_string).collect()
}

fn vulkan(capabilities: &[&str], spirv: Version) -> Enabling {
    Enabling::new(
        Api::Vulkan,
        &ApiRequirements { spirv, capabilities: capabilities.to_vec(), ..ApiRequirements::default() },
    )
}

fn lines(enabling: &Enabling) -> Vec<String> {
    enabling.to_string().lines().map(str::to_owned).collect()
}

#[test]
fn every_row_is_read() {
    let rows = |text: &str| text.lines().filter(|line| !line.starts_with('#')).count() - 1;
    let ways = |api: Api| {
        let known = tables::api_tables(api);
        let count =
            |ways: &std::collections::HashMap<_, Vec<Enable>>| ways.values().map(Vec::len).sum::<usize>();
        (
            count(&known.capabilities),
            count(&known.extensions),
            known.spirv_versions.values().map(Vec::len).sum::<usize>(),
        )
    };
    let (vulkan, opencl) = (ways(Api::Vulkan), ways(Api::OpenCl));
    assert_eq!(vulkan.0, rows(include_str!("../../../spec-extensions/vulkan-capabilities.csv")));
    assert_eq!(vulkan.1, rows(include_str!("../../../spec-extensions/vulkan-extensions.csv")));
    assert_eq!(opencl.0, rows(include_str!("../../../spec-extensions/opencl-capabilities.csv")));
    assert_eq!(opencl.1, rows(include_str!("../../../spec-extensions/opencl-extensions.csv")));
    assert_eq!(vulkan.2 + opencl.2, rows(include_str!("../../../spec-extensions/api-spirv-versions.csv")));
    let uses: usize = uses().iter().map(|known| known.ways.len()).sum();
    assert_eq!(uses, rows(include_str!("../../../spec-extensions/vulkan-uses.csv")));
}

#[test]
fn rows_are_well_formed() {
    for api in Api::ALL {
        let known = tables::api_tables(api);
        let prefix = if api == Api::Vulkan { "VK_" } else { "cl" };
        assert!(known.extensions.keys().all(|name| name.starts_with("SPV_")));
        let all =
            known.capabilities.values().chain(known.extensions.values()).chain(known.spirv_versions.values());
        for enable in all.flatten() {
            assert!(enable.extension.is_none_or(|name| name.starts_with(prefix)), "{enable:?}");
            let is_somewhere = enable.versions.is_some() || enable.extension.is_some();
            match enable.setting {
                _ if api == Api::Vulkan => assert!(is_somewhere, "{enable:?}"),
                Some(FeatureSetting::Query { name, .. }) => {
                    assert!(name.starts_with("CL_DEVICE_"), "{enable:?}")
                }
                _ => {}
            }
            match enable.setting {
                Some(FeatureSetting::Feature { structure, .. }) => {
                    assert!(structure.contains("Features"), "{structure}")
                }
                Some(FeatureSetting::Property { structure, .. }) => {
                    assert!(structure.contains("Properties"), "{structure}")
                }
                _ => {}
            }
        }
    }
}

#[test]
fn capabilities_are_known() {
    for api in Api::ALL {
        let unknown = |name: &&str| capabilities::number(name).is_none();
        let unknown: Vec<&str> =
            tables::api_tables(api).capabilities.keys().copied().filter(unknown).collect();
        // The registry has a name that SPIRV-Headers does not have.
        let expected: &[&str] = if api == Api::Vulkan { &["ClusterCullingShadingHUAWEI"] } else { &[] };
        assert_eq!(unknown, expected);
    }
    // A new name of an old number.
    assert_eq!(Api::Vulkan.capability("CooperativeMatrixReductionsNV").unwrap().len(), 2);
    assert_eq!(capabilities::name(6912), Some("DotProductFloat16AccFloat32VALVE"));
}

#[test]
fn uses_and_capabilities_name_the_same_ways() {
    let ways: Vec<&Enable> = tables::api_tables(Api::Vulkan).capabilities.values().flatten().collect();
    let mut shared = 0;
    for way in uses().iter().flat_map(|known| &known.ways) {
        let key = |way: &Enable| way.setting.map(|setting| setting.key());
        let requested: Vec<_> = ways.iter().filter(|other| key(other) == key(way)).collect();
        shared += usize::from(!requested.is_empty());
        assert!(requested.is_empty() || requested.iter().any(|other| **other == way), "{way:?}");
    }
    assert!(shared > 15, "{shared}");
}

/// Checks that our tables have the capabilities that `capability-aspects.csv` lists for every implementation.
#[test]
fn capabilities_of_every_implementation() {
    for [relation, of, capability, _] in
        csv::rows(include_str!("../../../spec-extensions/capability-aspects.csv"))
    {
        if relation == "requires" && of == "vulkan" {
            assert_eq!(shown(Api::Vulkan.capability(capability)), ["Vulkan 1.0"], "{capability}");
        } else if relation == "requires" {
            assert!(Api::OpenCl.capability(capability).is_some(), "{capability}");
        }
    }
}

#[test]
fn ways_as_a_person_reads_them() {
    assert_eq!(
        shown(Api::Vulkan.capability("Float16")),
        [
            "VkPhysicalDeviceVulkan12Features::shaderFloat16 (Vulkan 1.2)",
            "VkPhysicalDeviceShaderFloat16Int8Features::shaderFloat16 (VK_KHR_shader_float16_int8 or Vulkan 1.2)",
            "VK_AMD_gpu_shader_half_float",
        ]
    );
    assert_eq!(shown(Api::Vulkan.capability("Int64")), ["VkPhysicalDeviceFeatures::shaderInt64"]);
    assert_eq!(
        shown(Api::Vulkan.capability("GroupNonUniformBallot")),
        [
            "VkPhysicalDeviceVulkan11Properties::subgroupSupportedOperations with VK_SUBGROUP_FEATURE_BALLOT_BIT (Vulkan 1.1)"
        ]
    );
    assert_eq!(shown(Api::Vulkan.extension("SPV_KHR_16bit_storage")), ["VK_KHR_16bit_storage or Vulkan 1.1"]);
    assert_eq!(shown(Api::Vulkan.spirv_version(Version::new(1, 4))), ["VK_KHR_spirv_1_4 or Vulkan 1.2"]);
    assert_eq!(shown(Api::OpenCl.capability("Kernel")), ["any device that takes SPIR-V"]);
    assert_eq!(
        shown(Api::OpenCl.capability("GenericPointer")),
        ["OpenCL 2.0 to 2.2", "CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT is CL_TRUE"]
    );
    assert_eq!(
        shown(Api::OpenCl.capability("AtomicFloat64AddEXT")),
        [
            "CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT with CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (cl_ext_float_atomics)",
            "CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT with CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (cl_ext_float_atomics)",
        ]
    );
}

#[test]
fn names_of_one_capability_and_names_of_none() {
    let partitioned = Api::Vulkan.capability("GroupNonUniformPartitionedEXT");
    assert!(partitioned.is_some());
    assert_eq!(Api::Vulkan.capability("GroupNonUniformPartitionedNV"), partitioned);
    assert_eq!(Api::OpenCl.capability("DotProductKHR"), Api::OpenCl.capability("DotProduct"));
    for api in Api::ALL {
        assert_eq!(api.capability("Nothing"), None);
        assert_eq!(api.extension("SPV_KHR_nothing"), None);
        assert_eq!(api.spirv_version(Version::new(9, 0)), None);
    }
    assert_eq!(Api::Vulkan.capability("Kernel"), None);
    assert_eq!(Api::OpenCl.capability("Shader"), None);
}

#[test]
fn lowest_version_and_its_dependencies() {
    assert_eq!(lines(&vulkan(&["Shader", "Matrix"], Version::new(1, 0))), ["Vulkan 1.0"]);
    // The oldest Vulkan: extensions with all their dependencies.
    let oldest = vulkan(&["Shader", "StorageBuffer16BitAccess"], Version::new(1, 0));
    assert_eq!(
        lines(&oldest),
        [
            "Vulkan 1.0",
            "VK_KHR_16bit_storage: StorageBuffer16BitAccess",
            "VK_KHR_get_physical_device_properties2: VK_KHR_16bit_storage",
            "VK_KHR_storage_buffer_storage_class: VK_KHR_16bit_storage",
            "VkPhysicalDevice16BitStorageFeatures::storageBuffer16BitAccess (VK_KHR_16bit_storage or Vulkan 1.1), \
             later VkPhysicalDeviceVulkan11Features::storageBuffer16BitAccess (Vulkan 1.2): StorageBuffer16BitAccess",
        ]
    );
    // SPIR-V 1.3 requires Vulkan 1.1, where the feature is core. SPIR-V 1.5 requires Vulkan 1.2, where it is
    // in the structure of 1.1.
    let structures = |enabling: &Enabling| enabling.features().into_keys().collect::<Vec<_>>();
    assert_eq!(
        structures(&vulkan(&["StorageBuffer16BitAccess"], Version::new(1, 3))),
        ["VkPhysicalDevice16BitStorageFeatures"]
    );
    assert_eq!(
        structures(&vulkan(&["StorageBuffer16BitAccess"], Version::new(1, 5))),
        ["VkPhysicalDeviceVulkan11Features"]
    );
    assert_eq!(vulkan(&["StorageBuffer16BitAccess"], Version::new(1, 3)).extensions.len(), 0);

    let spirv_1_4 = vulkan(&["Shader"], Version::new(1, 4));
    assert_eq!(spirv_1_4.version, Some(Version::new(1, 1)));
    assert_eq!(
        spirv_1_4.extensions.into_keys().collect::<Vec<_>>(),
        ["VK_KHR_shader_float_controls", "VK_KHR_spirv_1_4"]
    );
    assert_eq!(vulkan(&["Shader"], Version::new(1, 6)).version, Some(Version::new(1, 3)));
}

#[test]
fn a_version_that_is_there_anyway() {
    let capabilities = vec!["Float16", "StorageImageReadWithoutFormat"];
    let required = ApiRequirements {
        spirv: Version::new(1, 0),
        capabilities,
        version: Some(Version::new(1, 3)),
        ..ApiRequirements::default()
    };
    assert_eq!(
        lines(&Enabling::new(Api::Vulkan, &required)),
        ["Vulkan 1.3", "VkPhysicalDeviceVulkan12Features::shaderFloat16 (Vulkan 1.2): Float16"]
    );
    let required = ApiRequirements {
        spirv: Version::new(1, 0),
        capabilities: vec!["GenericPointer", "Pipes"],
        ..ApiRequirements::default()
    };
    let opencl_2 = Enabling::new(
        Api::OpenCl,
        &ApiRequirements { version: Some(Version::new(2, 1)), ..required.clone() },
    );
    assert_eq!(lines(&opencl_2), ["OpenCL 2.1"]);
    let last = Enabling::new(
        Api::OpenCl,
        &ApiRequirements { version: Some(Version::new(2, 2)), ..required.clone() },
    );
    assert_eq!(lines(&last), ["OpenCL 2.2"]);
    let opencl_3 = Enabling::new(
        Api::OpenCl,
        &ApiRequirements { version: Some(Version::new(3, 0)), ..required.clone() },
    );
    assert!(lines(&opencl_3).contains(&"CL_DEVICE_PIPE_SUPPORT is CL_TRUE: Pipes".to_owned()), "{opencl_3}");
    let any = Enabling::new(Api::OpenCl, &required);
    assert_eq!(any.version, None);
    assert!(
        lines(&any)
            .contains(&"one of OpenCL 2.0 to 2.2; or CL_DEVICE_PIPE_SUPPORT is CL_TRUE: Pipes".to_owned())
    );
}

#[test]
fn duplicates_become_one() {
    let enabling = vulkan(&["DotProduct", "DotProductInput4x8Bit", "Int64"], Version::new(1, 6));
    assert_eq!(
        lines(&enabling)[1..],
        [
            "VkPhysicalDeviceVulkan13Features::shaderIntegerDotProduct (Vulkan 1.3): DotProduct, DotProductInput4x8Bit",
            "VkPhysicalDeviceFeatures::shaderInt64: Int64",
        ]
    );
}

#[test]
fn one_of_several_by_use() {
    let enabling = vulkan(&["Int64Atomics"], Version::new(1, 5));
    let members: Vec<_> = enabling.choices[0].one_of.iter().filter_map(|way| way.enable.setting).collect();
    assert_eq!(
        members.iter().map(|setting| setting.key().0).collect::<Vec<_>>(),
        ["shaderBufferInt64Atomics", "shaderSharedInt64Atomics", "shaderImageInt64Atomics"]
    );
    assert!(
        enabling.to_string().contains("\none of VkPhysicalDeviceVulkan12Features::shaderBufferInt64Atomics")
    );

    // Support for images does not imply support for buffers.
    assert_eq!(vulkan(&["Int64Atomics", "Int64ImageEXT"], Version::new(1, 5)).choices.len(), 2);

    let (capabilities, uses) =
        (vec!["Int64Atomics"], vec!["shaderSharedInt64Atomics", "shaderSubgroupExtendedTypes"]);
    let known = Enabling::new(
        Api::Vulkan,
        &ApiRequirements { spirv: Version::new(1, 5), capabilities, uses, ..ApiRequirements::default() },
    );
    let expected = BTreeSet::from(["shaderSharedInt64Atomics", "shaderSubgroupExtendedTypes"]);
    assert_eq!(known.features(), [("VkPhysicalDeviceVulkan12Features", expected)].into());
    assert_eq!(known.choices.len(), 2, "{known}");
}

#[test]
fn another_requirement_decides_a_choice() {
    let only = vulkan(&["RayTraversalPrimitiveCullingKHR"], Version::new(1, 5));
    assert_eq!(only.choices[0].one_of.len(), 2, "{only}");
    let both = vulkan(&["RayTraversalPrimitiveCullingKHR", "RayQueryKHR"], Version::new(1, 5));
    assert_eq!(both.choices.len(), 1, "{both}");
    assert_eq!(
        both.extensions.into_keys().collect::<Vec<_>>(),
        ["VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", "VK_KHR_ray_query"]
    );
    // Of two extensions with the same feature, the one that is required for another reason.
    let reductions = |extensions| {
        let capabilities = vec!["CooperativeMatrixReductionsNV"];
        Enabling::new(
            Api::Vulkan,
            &ApiRequirements {
                spirv: Version::new(1, 6),
                capabilities,
                extensions,
                ..ApiRequirements::default()
            },
        )
    };
    assert_eq!(reductions(vec![]).choices[0].one_of.len(), 2);
    let structures: Vec<_> = reductions(vec!["SPV_NV_cooperative_matrix2"]).features().into_keys().collect();
    assert_eq!(structures, ["VkPhysicalDeviceCooperativeMatrix2FeaturesNV"]);
    // Another bit of the same property does not.
    let partitioned = vulkan(&["GroupNonUniformBallot", "GroupNonUniformPartitionedEXT"], Version::new(1, 5));
    assert_eq!(partitioned.choices.len(), 2, "{partitioned}");
}

#[test]
fn unknown_names_are_listed() {
    let (capabilities, extensions) = (vec!["Shader", "Kernel", "65000"], vec!["SPV_INTEL_subgroups"]);
    let required =
        ApiRequirements { spirv: Version::new(9, 9), capabilities, extensions, ..ApiRequirements::default() };
    let enabling = Enabling::new(Api::Vulkan, &required);
    assert_eq!(enabling.unknown, ["SPIR-V 9.9", "Kernel", "65000", "SPV_INTEL_subgroups"]);
    assert!(
        enabling.to_string().ends_with("not in the tables: SPIR-V 9.9, Kernel, 65000, SPV_INTEL_subgroups\n")
    );
}

/// Checks that the tables have the declarations of the fixtures, which come from several compilers.
#[test]
fn fixtures_are_known() {
    let mut count = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                // Among these are capabilities without a name.
                folders.extend((!path.ends_with("fixtures/rejected")).then_some(path));
            } else if path.extension().is_some_and(|extension| extension == "spv") {
                count += 1;
                check_file(&path);
            }
        }
    }
    assert!(count > 5, "{count}");
}

fn check_file(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let module = Module::from_bytes(&bytes).unwrap();
    let capabilities: Vec<&str> = module
        .capabilities()
        .filter(|declared| declared.condition().is_none())
        .map(|declared| capabilities::name(declared.capability()).unwrap())
        .collect();
    let extensions = module.extensions().filter(|declared| declared.condition().is_none());
    let extensions: Vec<_> = extensions.map(|declared| declared.name()).collect();
    let api = if capabilities.contains(&"Kernel") { Api::OpenCl } else { Api::Vulkan };
    let extensions = extensions.iter().map(|name| &**name).collect();
    let required =
        ApiRequirements { spirv: module.version(), capabilities, extensions, ..ApiRequirements::default() };
    let mut unknown = Enabling::new(api, &required).unknown;
    // No OpenCL extension adds function pointers, or functions that are not optimized.
    let of_none = ["FunctionPointersINTEL", "SPV_INTEL_function_pointers", "OptNoneEXT", "SPV_INTEL_optnone"];
    unknown.retain(|name| !of_none.contains(&&**name));
    assert!(unknown.is_empty(), "{}: {unknown:?}", path.display());
}
