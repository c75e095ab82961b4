//! Comparison of probed devices with vulkaninfo and clinfo, which ask the same drivers with code of their own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_yaml::{Mapping, Value};
use spirv_if::Device;
use spirv_if::device::{Api, Aspect, Capability, DeviceConfig, DeviceReport};
use spirv_if_probe::{ProbeError, probe};

use super::masked::text;
use super::programs::{built, run, with_driver};
use super::{BUILT, DriverCase};
use crate::common::root;

/// Time limit for the answer of a driver.
const PATIENCE: Duration = Duration::from_secs(60);

/// The cases of every driver of an interface.
pub fn cases(interface: &str) -> Vec<DriverCase> {
    let (api, mut cases) = match interface {
        "opencl" => (
            Api::OpenCl,
            vec![
                DriverCase::new("probe::clinfo".to_owned(), clinfo),
                DriverCase::new("probe::unknown_device".to_owned(), unknown_device),
            ],
        ),
        _ => (Api::Vulkan, vec![DriverCase::new("probe::vulkaninfo".to_owned(), vulkaninfo)]),
    };
    cases.push(DriverCase::new("probe::entries".to_owned(), move || entries(api)));
    cases.push(DriverCase::new("probe::command_line".to_owned(), move || command_line(api)));
    cases
}

/// The devices that the driver has.
pub fn probed(api: Api) -> Result<Vec<DeviceReport>, String> {
    let report = probe(api, PATIENCE);
    match report.errors.first() {
        Some(error) => Err(error.to_string()),
        None if report.devices.is_empty() => Err("no devices".to_owned()),
        None => Ok(report.devices),
    }
}

/// Returns the output of a program that runs with only this driver.
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

/// A device that no driver lists is not asked for anything.
fn unknown_device() -> Result<String, String> {
    let nowhere = std::ptr::without_provenance_mut(8);
    match spirv_if_probe::from_opencl(nowhere) {
        Err(error @ ProbeError::UnknownDevice(Api::OpenCl)) => Ok(error.to_string()),
        other => Err(format!("{other:?}")),
    }
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

fn counted(probed: &[DeviceReport]) -> String {
    format!("{} device(s)", probed.len())
}

/// The program reports the same, and a command takes the device by its number and by its name.
fn command_line(api: Api) -> Result<String, String> {
    let probed = probed(api)?;
    let program = built("spirv-if");
    let option = format!("--{}", api.keyword());
    let text = output(&program, &["devices", "probe", &option])?;
    let read = DeviceConfig::from_yaml("devices probe", &text).map_err(|error| error.to_string())?;
    ensure(read.iter().eq(probed.iter().map(|probed| &probed.device)), || format!("other devices:\n{text}"))?;
    let device = &probed[0].device;
    for name in ["probe:0", &format!("probe:{}", device.name()), &format!("probe:{}*", api.keyword())] {
        let text = output(&program, &["condition", "fp64", "--device", name])?;
        let has = device.has_aspect("fp64".parse::<Aspect>().unwrap()).unwrap();
        let line = text.lines().find(|line| line.contains(device.name())).unwrap_or_default();
        ensure(line.ends_with(&has.to_string()), || format!("--device {name}: {text}"))?;
    }
    Ok(counted(&probed))
}

/// A device as its entry has it.
fn entry(device: &Device) -> Mapping {
    let mut all: Mapping = serde_yaml::from_str(&device.to_yaml()).unwrap();
    std::mem::take(all.get_mut(device.name()).and_then(Value::as_mapping_mut).unwrap())
}

/// The capabilities of an entry.
fn capabilities(entry: &Mapping) -> BTreeSet<Capability> {
    entry["capabilities"].as_sequence().unwrap().iter().map(|item| text(item).parse().unwrap()).collect()
}

/// The fields of the rows of a table in `spec-extensions`; none of those here has commas in a field.
fn rows(table: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("spec-extensions").join(table)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The members by which Vulkan's devices have capabilities.
fn asked() -> BTreeMap<Capability, Vec<String>> {
    let mut asked: BTreeMap<Capability, Vec<String>> = BTreeMap::new();
    for row in rows("vulkan-capabilities.csv").iter().filter(|row| !row[4].is_empty()) {
        // The tables may have capabilities that SPIR-V's do not have yet.
        if let Ok(capability) = row[0].parse() {
            asked.entry(capability).or_default().push(row[4].clone());
        }
    }
    asked
}

/// The members that the library knows, by their names in any structure.
fn known() -> BTreeSet<String> {
    let rows = rows("vulkan-structures.csv");
    let members = rows.iter().flat_map(|row| row[7].split(' ')).filter(|member| !member.contains(['*', ':']));
    members.map(|member| member.split('=').next().unwrap_or(member).to_owned()).collect()
}

/// vulkaninfo's report of the device makes the same entry, except features that vulkaninfo does not know yet.
fn vulkaninfo() -> Result<String, String> {
    let probed = probed(Api::Vulkan)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("vulkaninfo.json");
    output(&tool("vulkaninfo"), &["--json", "-o", &file.to_string_lossy()])?;
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let reports = DeviceReport::from_json("vulkaninfo", &text, None).map_err(|error| error.to_string())?;
    let [report] = &reports[..] else { return Err(format!("{} reports", reports.len())) };
    ensure(report.device.name() == probed[0].device.name(), || report.device.name().to_owned())?;
    let (mut ours, mut theirs) = (entry(&probed[0].device), entry(&report.device));

    // Drivers say their version, and it is that of their words: `Mesa 26.2.6-1 (LLVM 22.1.8)`, `580.159.04`.
    let driver = ours.get("driver").and_then(Value::as_str).unwrap_or_default();
    let info =
        text.split_once("\"driverInfo\"").and_then(|(_, rest)| rest.split('"').nth(1)).unwrap_or_default();
    let version = driver.split_once(' ').map_or("", |(_, version)| version);
    let in_words =
        info.split(|letter: char| !letter.is_ascii_digit() && letter != '.').find(|word| word.contains('.'));
    let parts = |text: &str| text.split('.').map(|part| part.parse().ok()).collect::<Vec<Option<u32>>>();
    ensure(parts(version) == parts(in_words.unwrap_or_default()), || format!("`{driver}`, not `{info}`"))?;

    // A structure that it does not know is not in the file, and what follows from that cannot be the same.
    let tells = |member: &String| text.contains(&format!("\"{member}\":"));
    let asked = asked();
    let differing = &capabilities(&ours) ^ &capabilities(&theirs);
    let is_told =
        |capability: &&Capability| asked.get(capability).is_none_or(|members| members.iter().all(tells));
    let wrong: Vec<_> = differing.iter().filter(is_told).map(ToString::to_string).collect();
    ensure(wrong.is_empty(), || format!("one of us has these, and the report tells of them: {wrong:?}"))?;
    ours.remove("capabilities");
    theirs.remove("capabilities");
    // Combinations of cooperative matrices are asked for by a function, whose answers are in no report.
    for entry in [&mut ours, &mut theirs] {
        let features = entry.get_mut("provider-features").and_then(Value::as_sequence_mut);
        features
            .unwrap()
            .retain(|feature| !super::masked::text(feature).contains("vulkan:cooperativeMatrixKHR."));
    }
    // A report does not name its machine; a probed processor is the one of this machine.
    let target = ours.remove("target");
    let is_processor = ours.get("category").is_some_and(|category| category == "cpu");
    let expected = is_processor.then_some(std::env::consts::ARCH);
    ensure(target.as_ref().and_then(|target| target.as_str()) == expected, || format!("{target:?}"))?;
    ensure(ours == theirs, || format!("we say\n{ours:?}\nvulkaninfo says\n{theirs:?}"))?;
    // The comparison means something: most of the file's structures are known.
    let reported = known().iter().filter(|member| tells(member)).count();
    ensure(reported > 200, || format!("the report tells of {reported} members only"))?;
    let untold: Vec<_> = differing.iter().map(ToString::to_string).collect();
    Ok(format!("the same by {reported} members; vulkaninfo does not tell of {untold:?}"))
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

    let entry = entry(device);
    let ours: BTreeSet<String> =
        device.spirv_versions().into_iter().flatten().map(|version| format!("SPIR-V_{version}")).collect();
    ensure(ours.is_superset(&words("CL_DEVICE_IL_VERSION")), || format!("{ours:?}"))?;
    ensure(ours.last() == words("CL_DEVICE_IL_VERSION").last(), || format!("{ours:?}"))?;
    ensure(probed[0].description.contains(answer("CL_DEVICE_NAME")), || probed[0].description.clone())?;
    let number = |value: &Value| value.as_u64().unwrap().to_string();
    let size = entry.get("max-work-group-size").map(number).unwrap_or_default();
    ensure(size == answer("CL_DEVICE_MAX_WORK_GROUP_SIZE"), || size)?;
    let sizes: BTreeSet<String> =
        entry["sub-group-sizes"].as_sequence().unwrap().iter().map(number).collect();
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
        let has = device.has_aspect(name.parse::<Aspect>().unwrap());
        ensure(has == Some(expected), || format!("{name}: we say {has:?}, clinfo {expected}"))?;
    }
    Ok(format!(
        "{} extensions, {} aspects",
        extensions.len(),
        device.aspects().map_or(0, |aspects| aspects.len())
    ))
}
