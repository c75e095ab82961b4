//! Tests of whole devices: the embedded configuration, configuration files, parts, and the values of
//! conditions.

mod header_names;

use crate::loader::Version;
use spirv::{Capability, Op};

use super::*;
use crate::condition::{Expr, Leaf, LeafNames};

fn embedded(name: &str) -> Device {
    Device::embedded(name).unwrap()
}

fn aspect(name: &str) -> Leaf {
    Leaf::Aspect(aspects::number(name).unwrap())
}

fn architecture(name: &str) -> Leaf {
    Leaf::Architecture(architectures::by_name(name).unwrap().value)
}

fn capability(capability: Capability) -> Leaf {
    Leaf::Capability(capability as u32)
}

fn error(text: &str) -> String {
    DeviceConfig::from_yaml("d.yaml", text).unwrap_err().to_string()
}

fn parts(option: &str, value: &str) -> DeviceParts {
    let mut parts = DeviceParts::default();
    let field = match option {
        "device" => &mut parts.device,
        "category" => &mut parts.category,
        "family" => &mut parts.family,
        "architecture" => &mut parts.architecture,
        "target" => &mut parts.target,
        "features" => &mut parts.features,
        "capabilities" => &mut parts.capabilities,
        "extensions" => &mut parts.extensions,
        _ => &mut parts.aspects,
    };
    *field = Some(value.to_owned());
    parts
}

fn device(parts: &DeviceParts) -> Device {
    parts.to_device(None).unwrap()
}

fn refusal(parts: &DeviceParts) -> String {
    parts.to_device(None).unwrap_err().to_string()
}

#[test]
fn the_embedded_configuration_is_sound() {
    let config = DeviceConfig::embedded().unwrap();
    let (of_architectures, others): (Vec<&Device>, Vec<&Device>) =
        config.iter().partition(|device| device.architecture.is_some());
    assert_eq!(
        of_architectures.len(),
        115,
        "those of DPC++'s configuration, the other processors of AMD, and one of Intel with its instructions"
    );
    for device in of_architectures {
        let name = device.name().strip_suffix("_avx512").unwrap_or(device.name());
        let architecture = architectures::by_name(name).unwrap();
        assert_eq!((architecture.name, Some(architecture.value)), (name, device.architecture));
        assert!(!device.facts.sub_group_sizes.is_empty());
    }
    assert!(others.len() > 10, "those that Vulkan programs are shipped to");
    for device in others {
        let is_profile = device.name.starts_with("vulkan_vp_");
        assert_eq!(device.category() == Some("gpu"), !is_profile, "{}", device.name);
        let supports = |capability| device.has_capability(capability as u32) == Some(true);
        assert!(supports(Capability::Shader) && !supports(Capability::Kernel), "{}", device.name);
        assert!(
            device.facts.spirv_versions.is_some() && device.facts.extensions.is_some(),
            "{}",
            device.name
        );
    }
    for device in config.iter() {
        assert!(device.complete);
        assert_eq!(Device::embedded(&device.name).as_ref(), Ok(device), "one alone and among all");
        for aspect in device.facts.aspects.iter().flatten() {
            assert!(aspects::name(*aspect).is_some());
        }
        // A device has an aspect that equals a capability exactly if it supports that.
        for name in ["fp16", "fp64", "atomic64"] {
            let number = aspects::number(name).unwrap();
            let capability = capabilities::exactly(number).unwrap();
            assert_eq!(
                device.has_aspect(number),
                device.has_capability(capability),
                "{} {name}",
                device.name
            );
        }
    }
}

/// Checks facts from the drivers' sources and from the profiles.
#[test]
fn devices_that_vulkan_programs_are_shipped_to() {
    let has = |name: &str, capability| embedded(name).has_capability(capability as u32) == Some(true);
    assert!(has("apple_gpu_asahi", Capability::Geometry) && !has("apple_gpu_moltenvk", Capability::Geometry));
    assert!(
        has("apple_gpu_moltenvk", Capability::Tessellation) && has("apple_gpu_moltenvk", Capability::Float16)
    );
    assert!(!has("qualcomm_gpu_adreno_6xx", Capability::StorageBuffer16BitAccess), "not on all of them");
    assert!(has("qualcomm_gpu_adreno_7xx", Capability::StorageBuffer16BitAccess));
    assert!(has("arm_gpu_mali_v10", Capability::Int64) && !has("arm_gpu_mali_v10", Capability::Float16));
    assert!(!has("imagination_gpu_rogue", Capability::GroupNonUniform), "Vulkan 1.0");
    assert!(
        has("broadcom_gpu_v3d_7_1", Capability::GroupNonUniformBallot)
            && !has("broadcom_gpu_v3d_4_2", Capability::GroupNonUniformBallot)
    );
    assert!(!has("arm_gpu_mali_v7", Capability::MultiView) && has("arm_gpu_mali_v10", Capability::MultiView));
    assert!(!has("intel_graphics_hsw", Capability::Float16), "from Broadwell on");
    assert!(
        has("qualcomm_gpu_adreno_660", Capability::StorageBuffer16BitAccess)
            && !has("qualcomm_gpu_adreno_630", Capability::StorageBuffer16BitAccess)
    );
    assert!(
        !has("vulkan_vp_android_2021", Capability::Int16) && has("vulkan_vp_android_2022", Capability::Int16)
    );
    let cooperative = Capability::CooperativeMatrixKHR;
    assert!(
        has("vulkan_vp_khr_roadmap_2026", cooperative) && !has("vulkan_vp_khr_roadmap_2024", cooperative)
    );
    for name in [
        "mali_g610",
        "mali_g72",
        "Adreno 640",
        "adreno_618",
        "powervr",
        "Raspberry Pi 4",
        "haswell",
        "MoltenVK",
    ] {
        assert!(Device::embedded(name).is_ok(), "{name}");
    }
    let error = Device::embedded("m1").unwrap_err().to_string();
    assert!(error.contains("apple_gpu_asahi") && error.contains("apple_gpu_moltenvk"), "{error}");
}

#[test]
fn aliases_are_devices() {
    assert_eq!(embedded("intel_gpu_12_60_7"), embedded("intel_gpu_pvc"));
    assert_eq!(embedded("intel_gpu_dg2_g10"), embedded("intel_gpu_acm_g10"));
    let config = DeviceConfig::embedded().unwrap();
    assert_eq!(config.get("intel_gpu_dg2_g10").unwrap().name, "intel_gpu_acm_g10");
}

#[test]
fn names_of_one_device_have_equal_entries() {
    let wide = "intel_gpu_pvc: &pvc {aspects: [fp16]}\n";
    assert!(
        DeviceConfig::from_yaml(
            "d.yaml",
            &format!("{wide}intel_gpu_12_60_7: *pvc\nintel_gpu_pvc_vg: {{}}\n")
        )
        .is_ok()
    );
    assert_eq!(
        error(&format!("{wide}intel_gpu_dg1: *pvc\nintel_gpu_12_60_7: {{aspects: [fp64]}}\n")),
        "d.yaml:1: `intel_gpu_pvc` and `intel_gpu_12_60_7` are names of one device, and their entries differ"
    );
}

#[test]
fn unknown_devices() {
    let error = Device::embedded("intel_gpu_pcv").unwrap_err().to_string();
    assert!(error.starts_with("unknown device `intel_gpu_pcv`; did you mean `intel_gpu_pvc`"), "{error}");
    let error = Device::embedded("intel_cpu_spr").unwrap_err().to_string();
    assert!(error.starts_with("devices.yaml has no device `intel_cpu_spr`"), "{error}");
}

/// Checks facts of DPC++: PVC has fp64, DG2 does not.
#[test]
fn a_device_of_the_table_knows_everything() {
    let dg2 = embedded("intel_gpu_acm_g10");
    assert_eq!(dg2.truth(aspect("fp16")), Some(true));
    assert_eq!(dg2.truth(aspect("fp64")), Some(false));
    assert_eq!(dg2.truth(Leaf::Aspect(4000)), Some(false));
    assert_eq!(dg2.truth(architecture("intel_gpu_acm_g10")), Some(true));
    assert_eq!(dg2.truth(architecture("intel_gpu_pvc")), Some(false));
    assert_eq!(dg2.truth(architecture("x86_64")), Some(false));
    assert_eq!(dg2.truth(Leaf::Aspect(0x10000 + 17)), Some(true), "the aspect of its own target");
    assert_eq!(dg2.truth(Leaf::Aspect(0x10000 + 18)), Some(false));
    assert_eq!(dg2.truth(capability(Capability::Float64)), Some(false));
    let capabilities = [Capability::Kernel, Capability::Matrix].map(capability);
    let under = |api: Api| capabilities.map(|capability| dg2.for_api(api).truth(capability));
    assert_eq!(under(Api::OpenCl), [Some(true), Some(false)]);
    assert_eq!(under(Api::Vulkan), [Some(false), Some(true)]);
    assert_eq!(capabilities.map(|capability| dg2.truth(capability)), [None; 2], "the API decides");
    assert_eq!(dg2.truth(Leaf::Constant(3)), None);
    assert_eq!(embedded("intel_gpu_pvc").truth(aspect("fp64")), Some(true));
    assert_eq!(embedded("x86_64").truth(capability(Capability::Shader)), Some(false));
    assert_eq!(embedded("amd_gpu_gfx942").truth(capability(Capability::Shader)), Some(false));
    let matrix = capability(Capability::CooperativeMatrixKHR);
    assert_eq!(embedded("nvidia_gpu_sm_75").for_api(Api::Vulkan).truth(matrix), Some(true));
    assert_eq!(embedded("nvidia_gpu_sm_75").for_api(Api::OpenCl).truth(matrix), Some(false));
    assert_eq!(embedded("nvidia_gpu_sm_60").truth(matrix), Some(false));
}

/// The halves of GFX8: HIP's compiler has them, Mesa's Vulkan driver reports shaderFloat16 as false.
#[test]
fn facts_under_one_api() {
    let both = "a: &a {aspects: [gpu], capabilities: [Int64], opencl: {aspects: [fp16], max-work-group-size: 64}, \
                vulkan: &vulkan {aspects: [image], capabilities: [Geometry]}}\n";
    let config = DeviceConfig::from_yaml("d.yaml", both).unwrap();
    let device = config.get("a").unwrap();
    let supports = |api: Api, name: &str| {
        let number = capabilities::number(name).unwrap();
        device.for_api(api).supports_capability(number, api == Api::OpenCl)
    };
    let names = ["Float16", "Int64", "Geometry", "Tessellation", "Linkage", "Kernel"];
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(names.map(|name| supports(Api::OpenCl, name)), [yes, yes, no, no, yes, yes]);
    assert_eq!(names.map(|name| supports(Api::Vulkan, name)), [no, yes, yes, None, no, no]);
    let has = |name: &str| [Api::OpenCl, Api::Vulkan].map(|api| device.for_api(api).truth(aspect(name)));
    assert_eq!((has("gpu"), has("fp16"), has("image")), ([yes; 2], [yes, no], [no, yes]));
    assert_eq!(["gpu", "fp16", "fp64"].map(|name| device.truth(aspect(name))), [yes, None, no]);
    let one = DeviceConfig::from_yaml("d.yaml", "a: {opencl: {aspects: [fp16]}}").unwrap();
    let stated = DeviceConfig::from_yaml("d.yaml", "a: {environments: [opencl], aspects: [fp16]}").unwrap();
    assert_eq!(one.get("a").unwrap(), stated.get("a").unwrap(), "one API needs no part of its own");
    let error =
        DeviceConfig::from_yaml("d.yaml", "a:\n  vulkan: {target: x86_64}\n").unwrap_err().to_string();
    assert!(error.starts_with("d.yaml:2: a.vulkan: unknown key `target`"), "{error}");
}

/// Adds parts to a device, which has them under each API.
#[test]
fn parts_are_added_under_each_api() {
    let parts =
        DeviceParts::new().device("gfx803").aspects("fp16").capabilities("Geometry").extensions("SPV_A");
    let device = parts.to_device(None).unwrap();
    let geometry = capability(Capability::Geometry);
    for (api, has_geometry) in [(Api::OpenCl, Some(false)), (Api::Vulkan, Some(true))] {
        let device = device.for_api(api);
        assert_eq!(
            (device.truth(aspect("fp16")), device.truth(geometry)),
            (Some(true), has_geometry),
            "{api}"
        );
        assert_eq!(device.accepts_extension("SPV_A"), Some(true));
    }
}

#[test]
fn capabilities_that_others_declare_are_supported() {
    let config =
        DeviceConfig::from_yaml("d.yaml", "a: {capabilities: [GroupNonUniformVote, Geometry, 99999]}")
            .unwrap();
    let device = config.get("a").unwrap();
    let all = [Capability::GroupNonUniform, Capability::Shader, Capability::Matrix]
        .map(|capability| capability as u32);
    assert_eq!(device.has_capabilities(&all), Some(true));
    assert_eq!(device.has_capability(Capability::GroupNonUniformBallot as u32), Some(false));
}

/// Reads a configuration in the design's form: aspects by number, and sub-group sizes.
#[test]
fn a_configuration_of_the_designs_form_is_read() {
    let text = "intel_gpu_11_1:\n  aspects: [1, 2, 3]\n  sub-group-sizes: [8, 16]\nintel_gpu_icl:\n  aspects: [2, 3]\n  \
                sub-group-sizes: [8, 16]\nx86_64_avx512:\n  aspects: [1, 2, 3, 9, 11]\n  sub-group-sizes: [8, 32]\n";
    let config = DeviceConfig::from_yaml("d.yaml", text).unwrap();
    assert_eq!(config.names().collect::<Vec<_>>(), ["intel_gpu_11_1", "intel_gpu_icl", "x86_64_avx512"]);
    let avx512 = config.get("x86_64_avx512").unwrap();
    assert_eq!(avx512.facts.aspects, Some(FlatSet::from([1, 2, 3, 9, 11])));
    assert_eq!(*avx512.facts.sub_group_sizes, [8, 32]);
    assert_eq!(avx512.truth(architecture("x86_64")), Some(false), "the key names no architecture");
    assert_eq!(config.get("intel_gpu_icllp").unwrap().name, "intel_gpu_icl", "an alias as a key");
    assert_eq!(config.get("intel_gpu_icl").unwrap().architecture, Some(10));
}

#[test]
fn all_keys() {
    let text = "new: &new\n  architecture: intel_gpu_pvc\n  aspects: &a [fp16, 6]\n  environments: [opencl]\n  \
                capabilities: [CooperativeMatrixKHR, 65]\n  extensions: [SPV_KHR_cooperative_matrix]\n  \
                spirv-versions: [1.0, 1.4, \"1.6\"]\n  sub-group-sizes: [16]\n  max-work-group-size: 1024\n  \
                may-support-more: true\n  target: x86_64\n  features: [avx2, 3]\n  \
                limits: [\"maxComputeWorkGroupSize[2]=64\", maxGeometryOutputVertices=256]\nsame: *new\n\
                more: {aspects: [*a, cpu]}\n";
    let config = DeviceConfig::from_yaml("d.yaml", text).unwrap();
    let new = config.get("new").unwrap();
    assert_eq!(new.architecture, Some(20));
    assert_eq!(new.facts.aspects, Some(FlatSet::from([5, 6])));
    assert_eq!(new.has_capabilities(&[65, 6, Capability::CooperativeMatrixKHR as u32]), Some(true));
    assert_eq!(new.facts.extensions, Some(FlatSet::from(["SPV_KHR_cooperative_matrix".into()])));
    assert_eq!(
        new.facts.limits[..],
        [("maxComputeWorkGroupSize[2]", 64), ("maxGeometryOutputVertices", 256)]
    );
    assert_eq!(new.facts.spirv_versions, Some(FlatSet::from([0, 4, 6].map(|minor| Version::new(1, minor)))));
    assert_eq!((new.facts.max_work_group_size, new.may_support_more), (Some(1024), true));
    assert_eq!((new.target, new.features.clone()), (Some(4), Some(FlatSet::from([11, 3]))));
    assert_eq!(&Device { name: "new".into(), ..config.get("same").unwrap().clone() }, new);
    assert_eq!(config.get("more").unwrap().facts.aspects, Some(FlatSet::from([1, 5, 6])));
}

#[test]
fn errors_have_a_place() {
    assert_eq!(
        error("a:\n  aspects: [cpu,\n    fp61]\n"),
        "d.yaml:3: a.aspects[1]: unknown aspect `fp61`; did you mean `fp64` or `fp16`?"
    );
    let unknown = error("a:\n  aspects: [cpu]\n  sub-group-size: [8]\n");
    assert!(
        unknown.starts_with("d.yaml:3: ")
            && unknown.contains("unknown key `sub-group-size`; did you mean `sub-")
    );
    assert!(error("a: {}\nb: {}\na: {}\n").starts_with("d.yaml:3: `a` is defined a second time"));
    assert!(error("a:\n  aspects: [1]\n  aspects: [2]\n").starts_with("d.yaml:3: "));
    assert!(
        error("a:\n  aspects: fp16\n")
            .starts_with("d.yaml:2: a.aspects: invalid type: string \"fp16\", expected a list")
    );
    assert!(
        error("a:\n  sub-group-sizes: [8,\n   x]\n")
            .starts_with("d.yaml:3: a.sub-group-sizes[1]: invalid type")
    );
    assert!(error("a:\n  may-support-more: 3\n").starts_with("d.yaml:2: a.may-support-more: invalid type"));
    assert!(error("a:\n  capabilities: [Flaot16]\n").contains("did you mean `Float16`"));
    assert!(
        error("a:\n  features: [avx]\n  target: x86\n")
            .starts_with("d.yaml:2: a.features[0]: cannot tell which")
    );
    assert!(error("a:\n  spirv-versions: [14]\n").starts_with("d.yaml:2: "));
    assert!(
        error("a:\n  environments: [openc]\n").contains("unknown environment `openc`; did you mean `opencl`")
    );
    assert!(error("a:\n  aspects: [-1]\n").starts_with("d.yaml:2: a.aspects[0]: invalid type: integer `-1`"));
    assert!(error("a:\n  aspects: [4294967296]\n").contains("unknown aspect `4294967296`"));
    assert!(
        error("- a\n").starts_with("d.yaml:1: invalid type: sequence, expected a mapping from device names")
    );
    assert!(error("a:\n  aspects: [1\n").starts_with("d.yaml:"));
    assert!(error("a: {}\nb: *c\n").starts_with("d.yaml:2: unknown anchor"));
}

#[test]
fn deep_nesting_and_alias_bombs_are_refused() {
    assert!(error(&format!("a: {{aspects: {}1", "[".repeat(10_000))).starts_with("d.yaml:"));
    let mut bomb = "x0: &x0 {aspects: &a0 [1, 1]}\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        bomb += &format!("x{level}: {{aspects: &a{level} [*a{below}, *a{below}]}}\n");
    }
    assert!(error(&bomb).contains("repetition limit"));
}

#[test]
fn parts_that_are_not_given_are_unknown() {
    let nothing = device(&DeviceParts::default());
    assert_eq!(nothing.truth(aspect("fp16")), None);
    assert_eq!(nothing.truth(architecture("x86_64")), None);
    assert_eq!(nothing.truth(capability(Capability::Shader)), None);
    assert_eq!(nothing.is_target(4, &[]), None);

    let one = device(&parts("architecture", "intel_gpu_pvc"));
    assert_eq!(one.truth(architecture("intel_gpu_pvc")), Some(true));
    assert_eq!(one.truth(architecture("intel_gpu_dg1")), Some(false));
    assert_eq!(one.truth(aspect("fp16")), None);
    assert_eq!((one.category, one.family, one.registry_architecture), (Some(2), Some(1), Some(21)));
}

#[test]
fn aspects_and_capabilities_imply_each_other() {
    let fp16 = device(&parts("aspects", "fp16, 2"));
    assert_eq!(fp16.truth(aspect("gpu")), Some(true));
    assert_eq!(fp16.truth(aspect("fp64")), Some(false));
    assert_eq!(fp16.truth(capability(Capability::Float16)), Some(true));
    assert_eq!(fp16.truth(capability(Capability::Float16Buffer)), Some(true));
    assert_eq!(fp16.truth(capability(Capability::Float64)), Some(false));
    assert_eq!(fp16.truth(capability(Capability::Shader)), None);

    let float16 = device(&parts("capabilities", "Float16,Geometry"));
    assert_eq!(float16.truth(aspect("fp16")), Some(true));
    assert_eq!(float16.truth(aspect("fp64")), Some(false));
    assert_eq!(float16.truth(aspect("gpu")), None);
    assert_eq!(float16.truth(capability(Capability::Shader)), Some(true));
    assert_eq!(float16.truth(capability(Capability::Int8)), Some(false));

    let both = DeviceParts { aspects: Some("fp64".to_owned()), ..parts("capabilities", "Shader") };
    assert_eq!(device(&both).truth(capability(Capability::Float64)), Some(true));
}

#[test]
fn architectures_in_the_registry() {
    let intel_gpu = |architecture: &str| DeviceParts {
        category: Some("gpu".to_owned()),
        family: Some("intel".to_owned()),
        architecture: Some(architecture.to_owned()),
        ..Default::default()
    };
    assert_eq!(device(&intel_gpu("21")).architecture, Some(20), "the tuple of intel_gpu_pvc alone");
    assert_eq!(device(&intel_gpu("intel_gpu_pvc")), device(&parts("architecture", "intel_gpu_pvc")));

    let nvidia = DeviceParts { family: Some("nvidia".to_owned()), ..intel_gpu("6") };
    assert_eq!(device(&nvidia).truth(architecture("nvidia_gpu_sm_62")), None, "or sm_70");
    assert_eq!(device(&nvidia).truth(architecture("nvidia_gpu_sm_80")), Some(false));
    assert_eq!(device(&nvidia).truth(architecture("intel_gpu_pvc")), Some(false));
    assert_eq!(device(&parts("category", "cpu")).truth(architecture("intel_gpu_pvc")), Some(false));
}

#[test]
fn constants_of_capabilities_require_the_aspects_that_they_stand_for() {
    let atomics = [Capability::Int64Atomics as u32];
    let listed = parts("capabilities", "Int64Atomics");
    assert_eq!(device(&listed).has_capabilities(&atomics), Some(true), "nothing is known of aspects");
    let gpu = DeviceParts { aspects: Some("gpu".to_owned()), ..listed.clone() };
    assert_eq!(device(&gpu).has_capabilities(&atomics), Some(false));
    assert_eq!(device(&gpu).has_capability(atomics[0]), Some(true));
    let atomic64 = DeviceParts { aspects: Some("atomic64".to_owned()), ..listed };
    assert_eq!(device(&atomic64).has_capabilities(&atomics), Some(true));
}

#[test]
fn parts_are_added_to_a_listed_device() {
    let text = "a: {aspects: [gpu, image], extensions: [], exact-capabilities: true, capabilities: [Kernel]}";
    let config = DeviceConfig::from_yaml("d.yaml", text).unwrap();
    let device = config.get("a").unwrap();
    assert_eq!(device.has_capability(Capability::ImageBasic as u32), Some(false), "it is not listed");
    let more = |option, value| {
        let parts = DeviceParts { device: Some("a".to_owned()), ..parts(option, value) };
        parts.to_device(Some(&config)).unwrap()
    };
    assert_eq!(more("aspects", "fp16").has_capability(Capability::Float16 as u32), Some(true));
    assert_eq!(more("aspects", "fp16").has_capability(Capability::ImageBasic as u32), Some(false));
    let taken = more("extensions", "SPV_KHR_expect_assume");
    assert_eq!(taken.has_extension("SPV_KHR_expect_assume"), Some(true));
    assert_eq!(taken.has_capability(Capability::ExpectAssumeKHR as u32), Some(true));
}

#[test]
fn contradictions_are_refused() {
    let two = refusal(&parts("architecture", "intel_gpu_pvc,intel_gpu_dg1"));
    assert_eq!(two, "a device has one architecture: `intel_gpu_pvc` or `intel_gpu_dg1`?");
    let other =
        DeviceParts { device: Some("intel_gpu_dg1".to_owned()), ..parts("architecture", "intel_gpu_pvc") };
    assert_eq!(refusal(&other), "a device has one architecture: `intel_gpu_dg1` or `intel_gpu_pvc`?");
    let same = DeviceParts {
        device: Some("intel_gpu_pvc".to_owned()),
        ..parts("architecture", "intel_gpu_12_60_7")
    };
    assert_eq!(device(&same), embedded("intel_gpu_pvc"));
    let family = DeviceParts { family: Some("amd".to_owned()), ..parts("architecture", "intel_gpu_pvc") };
    assert_eq!(refusal(&family), "a device has one family: `intel` or `amd`?");
    let target = DeviceParts { device: Some("x86_64".to_owned()), ..parts("target", "arm64") };
    assert_eq!(refusal(&target), "a device has one target: `x86_64` or `arm64`?");
}

#[test]
fn names_of_parts_are_checked() {
    assert!(refusal(&parts("architecture", "intel_gpu_pcv")).contains("did you mean `intel_gpu_pvc`"));
    assert!(refusal(&parts("architecture", "21")).contains("give the category and the family too"));
    assert!(refusal(&parts("features", "avx2")).contains("give the target too"));
    assert!(refusal(&parts("family", "intel")).contains("give the category too"));
    assert!(refusal(&parts("capabilities", "Shader,Flaot16")).contains("did you mean `Float16`"));
    assert!(refusal(&parts("aspects", "fp61")).contains("unknown aspect `fp61`"));
    assert!(refusal(&parts("category", "gpus")).contains("did you mean `gpu`"));
}

#[test]
fn parts_add_to_a_device() {
    let more = DeviceParts { device: Some("x86_64".to_owned()), ..parts("features", "avx2") };
    assert_eq!(device(&more).is_target(4, &[11]), Some(true));
    let more = DeviceParts { device: Some("intel_gpu_acm_g10".to_owned()), ..parts("aspects", "fp64") };
    assert_eq!(device(&more).truth(aspect("fp16")), Some(true));
    assert_eq!(device(&more).truth(capability(Capability::Float64)), Some(true));
}

/// Checks that the architecture x86_64 and the instruction set of that name decide each other.
#[test]
fn a_target_decides_the_architecture_of_its_name() {
    let x86_64 = device(&parts("target", "x86_64"));
    assert_eq!(x86_64.truth(architecture("x86_64")), Some(true));
    assert_eq!(x86_64.truth(architecture("intel_gpu_pvc")), None);
    assert_eq!(device(&parts("target", "nvptx64")).truth(architecture("x86_64")), Some(false));
}

#[test]
fn targets() {
    let x86 = DeviceParts { features: Some("avx,avx2".to_owned()), ..parts("target", "x86_64") };
    let x86 = device(&x86);
    assert_eq!(x86.is_target(4, &[]), Some(true));
    assert_eq!(x86.is_target(4, &[11, 10]), Some(true));
    assert_eq!(x86.is_target(4, &[12, 10]), Some(false), "not a subset");
    assert_eq!(x86.is_target(3, &[]), Some(false));
    let plain = device(&parts("target", "4"));
    assert_eq!(plain.is_target(4, &[11]), None);
    assert_eq!(plain.is_target(3, &[11]), Some(false), "whatever its features");
    assert_eq!(embedded("x86_64").is_target(4, &[]), Some(true));
    assert_eq!(embedded("x86_64").is_target(4, &[11]), Some(false));
    assert_eq!(embedded("intel_gpu_pvc").is_target(4, &[]), Some(false));
}

const COMPARISONS: [Op; 6] =
    [Op::IEqual, Op::INotEqual, Op::UGreaterThan, Op::UGreaterThanEqual, Op::ULessThan, Op::ULessThanEqual];

fn comparisons(device: &Device, category: u32, family: u32, architecture: u32) -> Vec<Option<bool>> {
    let compare = |opcode| device.compare_architecture(category, family, opcode as u32, architecture);
    COMPARISONS.iter().map(|opcode| compare(*opcode)).collect()
}

/// Checks comparisons by SPV_INTEL_function_variants: a known architecture compares as a number; an unknown
/// one is later than all.
#[test]
fn architecture_comparisons() {
    const T: Option<bool> = Some(true);
    const F: Option<bool> = Some(false);
    let pvc = embedded("intel_gpu_pvc");
    //                                             ==  !=   >  >=   <  <=
    assert_eq!(comparisons(&pvc, 2, 1, 21), [T, F, F, T, F, T]);
    assert_eq!(comparisons(&pvc, 2, 1, 20), [F, T, T, T, F, F]);
    assert_eq!(comparisons(&pvc, 2, 1, 22), [F, T, F, F, T, T]);
    assert_eq!(comparisons(&pvc, 2, 1, 30), [F, T, F, F, T, T], "unknown");
    assert_eq!(comparisons(&pvc, 2, 3, 21), [F; 6], "another family");
    assert_eq!(comparisons(&pvc, 1, 1, 1), [F; 6], "another category");
    assert_eq!(comparisons(&pvc, 2, 1, 0), [F, T, T, T, F, F], "any is earlier than all");

    let nothing = Device::default();
    assert_eq!(comparisons(&nothing, 2, 1, 21), [None; 6]);
    let family = DeviceParts { family: Some("intel".to_owned()), ..parts("category", "gpu") };
    let family = device(&family);
    assert_eq!(comparisons(&family, 2, 1, 21), [None; 6]);
    assert_eq!(comparisons(&family, 2, 1, 30), [F, T, F, F, T, T], "unknown: the device does not matter");
    assert_eq!(comparisons(&family, 2, 2, 1), [F; 6]);

    let later = DeviceParts { architecture: Some("40".to_owned()), ..DeviceParts::default() };
    let later = DeviceParts { category: Some("2".to_owned()), family: Some("1".to_owned()), ..later };
    let later = device(&later);
    assert_eq!(comparisons(&later, 2, 1, 40), [T, F, F, T, F, T], "the user knows it");
    assert_eq!(comparisons(&later, 2, 1, 29), [F, T, T, T, F, F]);
    assert_eq!(comparisons(&later, 2, 1, 30), [F, T, T, T, F, F], "numbers, though the registry has neither");

    assert_eq!(
        comparisons(&embedded("intel_gpu_wcl"), 2, 1, 21),
        [F; 6],
        "not in the registry: the fallback"
    );
    assert_eq!(pvc.compare_architecture(2, 1, Op::SGreaterThan as u32, 21), None, "not one of the opcodes");
    assert_eq!(pvc.compare_architecture(2, 1, u32::MAX, 21), None);
}

#[test]
fn names_of_leaves() {
    let tables = DeviceNames;
    assert_eq!(tables.name(aspect("fp16")), Some("fp16"));
    assert_eq!(tables.name(architecture("intel_gpu_12_60_7")), Some("intel_gpu_pvc"));
    assert_eq!(tables.name(capability(Capability::CooperativeMatrixKHR)), Some("CooperativeMatrixKHR"));
    assert_eq!(tables.name(Leaf::Aspect(71)), None);
    assert_eq!(tables.name(Leaf::Constant(1)), None);
}

#[test]
fn leaves_of_the_device_registry() {
    let read = |text: &str| Expr::parse(text, &DeviceNames).unwrap();
    let named = "architecture(gpu, nvidia, UGreaterThanEqual, nvidia_gpu_sm_60)";
    for (text, numbers) in [(named, "architecture(2, 3, 174, 4)"), ("target(x86_64, avx)", "target(4, 10)")] {
        assert_eq!(read(text), read(numbers));
        assert_eq!(read(numbers).display(&DeviceNames).to_string(), text);
    }
    let on = |device: &str, text: &str| match read(text) {
        Expr::Leaf(leaf) => embedded(device).truth(leaf),
        other => panic!("{other:?} is not a leaf"),
    };
    assert_eq!(on("nvidia_gpu_sm_61", named), Some(true));
    assert_eq!(on("nvidia_gpu_sm_53", named), Some(false));
    assert_eq!(on("intel_gpu_pvc", named), Some(false));
    assert_eq!(on("x86_64", "target(x86_64)"), Some(true));
    assert_eq!(on("x86_64", "target(x86_64, avx)"), Some(false), "the table lists no features");
    let wrong = Expr::parse("architecture(gpu, nvidia, SGreaterThan, 4)", &DeviceNames).unwrap_err();
    assert!(wrong.to_string().starts_with("column 27: expected a decimal number"), "{wrong}");
    let wrong = Expr::parse("architecture(2, 3, 4)", &DeviceNames).unwrap_err();
    assert!(wrong.to_string().starts_with("column 14: these are not numbers of a comparison"), "{wrong}");
}

#[test]
fn one_description_of_several_devices() {
    let names = |parts: &DeviceParts| -> Result<Vec<String>, String> {
        let devices = parts.to_devices(None).map_err(|error| error.to_string())?;
        assert!(devices.iter().all(|device| device.has_aspect(5_u32) == Some(true)), "fp16 is added to each");
        Ok(devices.into_iter().map(|device| device.name.into_owned()).collect())
    };
    let named = |name: &str| DeviceParts { device: Some(name.to_owned()), ..parts("aspects", "fp16") };
    assert_eq!(names(&named("intel_gpu_pvc*")).unwrap(), ["intel_gpu_pvc", "intel_gpu_pvc_vg"]);
    assert_eq!(names(&named("arch:nvidia_gpu_sm_50")).unwrap(), ["nvidia_gpu_sm_50"]);
    assert_eq!(names(&parts("aspects", "fp16")).unwrap(), [""]);
    // Nothing else is known of a device of an architecture.
    let open = parts("device", "arch:intel_gpu_pvc").to_devices(None).unwrap();
    assert_eq!(
        (open[0].truth(architecture("intel_gpu_pvc")), open[0].truth(aspect("fp64"))),
        (Some(true), None)
    );
    let two = DeviceParts { architecture: Some("x86_64".to_owned()), ..named("arch:intel_gpu_pvc") };
    assert!(names(&two).unwrap_err().contains("one architecture: `x86_64` or `intel_gpu_pvc`"));
    assert!(names(&named("arch:intel*")).unwrap_err().contains("which architecture `intel*` is"));
}
