//! What we hear of a device is what others hear of it: vulkaninfo and clinfo ask the same drivers with code of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use spirv_if::device::api::{Api, Enable, Setting};
use spirv_if::device::probe::{self, Probed};
use spirv_if::device::reports::{self, VulkanReport};
use spirv_if::device::{Device, DeviceConfig, aspects, capabilities};

use super::programs::{built, run, with_driver};
use super::{BUILT, Case, root};

/// The cases of every driver of an interface.
pub fn cases(interface: &str) -> Vec<Case> {
    let (api, mut cases) = match interface {
        "opencl" => (Api::OpenCl, vec![Case::new("probe::clinfo".to_owned(), clinfo)]),
        _ => (Api::Vulkan, vec![Case::new("probe::vulkaninfo".to_owned(), vulkaninfo)]),
    };
    cases.push(Case::new("probe::entries".to_owned(), move || entries(api)));
    cases.push(Case::new("probe::command_line".to_owned(), move || command_line(api)));
    cases
}

/// The devices that the driver has.
fn probed(api: Api) -> Result<Vec<Probed>, String> {
    let found = probe::devices(&[api]);
    match found.errors.first() {
        Some(error) => Err(error.to_string()),
        None if found.devices.is_empty() => Err("no devices".to_owned()),
        None => Ok(found.devices),
    }
}

/// The output of a program that runs where there is no driver but this.
fn output(program: &Path, arguments: &[&str]) -> Result<String, String> {
    run(with_driver(program).args(arguments))
}

/// A program that shows what drivers report.
fn tool(name: &str) -> PathBuf {
    match std::env::var_os(BUILT) {
        Some(folder) => PathBuf::from(folder).join(name),
        None => root().join("target/tools/root/usr/bin").join(name),
    }
}

fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

/// Each device comes back from its entry.
fn entries(api: Api) -> Result<String, String> {
    let probed = probed(api)?;
    let text: String = probed.iter().map(|probed| probed.device.to_yaml()).collect();
    let read = DeviceConfig::from_yaml("probed", &text).map_err(|error| format!("{error}\n{text}"))?;
    let same = read.iter().eq(probed.iter().map(|probed| &probed.device));
    ensure(same, || format!("other devices come back:\n{text}"))?;
    Ok(counted(&probed))
}

fn counted(probed: &[Probed]) -> String {
    format!("{} device(s)", probed.len())
}

/// The program says the same, and a command takes the device by its number and by its name.
fn command_line(api: Api) -> Result<String, String> {
    let probed = probed(api)?;
    let program = built("spirv-if");
    let option = format!("--{}", api.keyword());
    let text = output(&program, &["devices", "probe", &option])?;
    let read = DeviceConfig::from_yaml("devices probe", &text).map_err(|error| error.to_string())?;
    ensure(read.iter().eq(probed.iter().map(|probed| &probed.device)), || format!("other devices:\n{text}"))?;
    let device = &probed[0].device;
    for name in ["probe:0", &format!("probe:{}", device.name), &format!("probe:{}*", api.keyword())] {
        let text = output(&program, &["condition", "fp64", "--device", name])?;
        let has = device.has_aspect(aspects::number("fp64").unwrap()).unwrap();
        let line = text.lines().find(|line| line.contains(&device.name)).unwrap_or_default();
        ensure(line.ends_with(&has.to_string()), || format!("--device {name}: {text}"))?;
    }
    Ok(counted(&probed))
}

/// Whether a report tells of something that a way to have it asks for.
fn tells(report: &VulkanReport, way: &Enable) -> bool {
    match way.setting {
        Some(Setting::Feature { structure, member } | Setting::Property { structure, member, .. }) => {
            report.get(structure, member).is_some()
        }
        _ => true,
    }
}

/// vulkaninfo's report of the device makes the same entry, but for what vulkaninfo does not know yet.
fn vulkaninfo() -> Result<String, String> {
    let probed = probed(Api::Vulkan)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("vulkaninfo.json");
    output(&tool("vulkaninfo"), &["--json", "-o", &file.to_string_lossy()])?;
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let reports = reports::from_json("vulkaninfo", &text, None).map_err(|error| error.to_string())?;
    let [report] = &reports[..] else { return Err(format!("{} reports", reports.len())) };
    let (ours, theirs) = (&probed[0].device, report.device());

    // A structure that it does not know is not in the file, and what follows from that cannot be the same.
    let is_told = |number: &u32| {
        let ways = capabilities::name(*number).and_then(|name| Api::Vulkan.capability(name));
        ways.unwrap_or_default().iter().all(|way| tells(report, way))
    };
    let differ = |first: &Device, second: &Device| -> BTreeSet<u32> {
        let (first, second) = (first.capabilities.as_ref().unwrap(), second.capabilities.as_ref().unwrap());
        first.symmetric_difference(second).copied().collect()
    };
    let differing = differ(ours, &theirs);
    let wrong: Vec<_> = differing
        .iter()
        .filter(|number| is_told(number))
        .filter_map(|number| capabilities::name(*number))
        .collect();
    ensure(wrong.is_empty(), || format!("one of us has these, and the report tells of them: {wrong:?}"))?;
    let rest = Device { capabilities: ours.capabilities.clone(), ..theirs };
    ensure(*ours == rest, || format!("we say\n{}\nvulkaninfo says\n{}", ours.to_yaml(), rest.to_yaml()))?;
    // The comparison means something: most of the file's structures are read.
    let told = report.values().count();
    ensure(told > 200, || format!("the report tells of {told} members only"))?;
    let untold: Vec<_> = differing.iter().filter_map(|number| capabilities::name(*number)).collect();
    Ok(format!("the same by {told} members; vulkaninfo does not tell of {untold:?}"))
}

/// clinfo's answers, by the names of the queries.
fn answers(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().map(|line| line.split_once(']').map_or(line, |(_, rest)| rest).trim());
    lines
        .filter_map(|line| line.split_once(char::is_whitespace))
        .map(|(query, answer)| (query, answer.trim()))
        .collect()
}

/// clinfo hears the same.
fn clinfo() -> Result<String, String> {
    let probed = probed(Api::OpenCl)?;
    let device = &probed[0].device;
    let text = output(&tool("clinfo"), &["--raw"])?;
    let answers = answers(&text);
    let answer = |query: &str| answers.get(query).copied().unwrap_or_default();
    let words =
        |query: &str| -> BTreeSet<String> { answer(query).split_whitespace().map(str::to_owned).collect() };

    let ours: BTreeSet<String> = device
        .spirv_versions
        .iter()
        .flatten()
        .map(|(major, minor)| format!("SPIR-V_{major}.{minor}"))
        .collect();
    ensure(ours.is_superset(&words("CL_DEVICE_IL_VERSION")), || format!("{ours:?}"))?;
    ensure(ours.last() == words("CL_DEVICE_IL_VERSION").last(), || format!("{ours:?}"))?;
    ensure(probed[0].description.contains(answer("CL_DEVICE_NAME")), || probed[0].description.clone())?;
    let size = device.max_work_group_size.map(|size| size.to_string()).unwrap_or_default();
    ensure(size == answer("CL_DEVICE_MAX_WORK_GROUP_SIZE"), || size)?;
    let sizes: BTreeSet<String> = device.sub_group_sizes.iter().map(u32::to_string).collect();
    let has_sub_groups = !["", "0"].contains(&answer("CL_DEVICE_MAX_NUM_SUB_GROUPS"));
    ensure(sizes.is_empty() != has_sub_groups, || format!("sub-group sizes {sizes:?}"))?;
    ensure(words("CL_DEVICE_SUB_GROUP_SIZES_INTEL").is_superset(&sizes), || {
        format!("sub-group sizes {sizes:?}")
    })?;

    let extensions = words("CL_DEVICE_EXTENSIONS");
    let has = |extension: &str| extensions.contains(extension);
    let expected = [
        ("fp16", has("cl_khr_fp16")),
        ("fp64", has("cl_khr_fp64")),
        ("atomic64", has("cl_khr_int64_base_atomics") && has("cl_khr_int64_extended_atomics")),
        ("image", answer("CL_DEVICE_IMAGE_SUPPORT") == "CL_TRUE"),
        ("cpu", answer("CL_DEVICE_TYPE").contains("CL_DEVICE_TYPE_CPU")),
        ("gpu", answer("CL_DEVICE_TYPE").contains("CL_DEVICE_TYPE_GPU")),
    ];
    for (name, expected) in expected {
        let has = device.has_aspect(aspects::number(name).unwrap());
        ensure(has == Some(expected), || format!("{name}: we say {has:?}, clinfo {expected}"))?;
    }
    Ok(format!(
        "{} extensions, {} aspects",
        extensions.len(),
        device.aspects.as_ref().map_or(0, BTreeSet::len)
    ))
}
