//! The table of devices, row by row, beside what Mesa's drivers report for their chips (`target/tools/compilers`).
//!
//! Both must say the same, but for the rows of `device-differences.csv`. Of extensions and limits, an entry may list fewer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_yaml::{Mapping, Value};
use spirv_if::Device;
use spirv_if::device::Api;

use super::probe::probed;
use super::{DRIVER, DriverCase, NOT_RUN};

/// Compares the table with the driver of this process.
pub fn case() -> DriverCase {
    DriverCase::new("table".to_owned(), compare)
}

/// The devices of the chips whose drivers report no name that stands for one.
const DEVICES: [(&str, &str); 7] = [
    ("maxwell", "nvidia_gpu_sm_52"),
    ("pascal", "nvidia_gpu_sm_61"),
    ("volta", "nvidia_gpu_sm_70"),
    ("turing", "nvidia_gpu_sm_75"),
    ("ampere", "nvidia_gpu_sm_86"),
    ("ada", "nvidia_gpu_sm_89"),
    ("m1", "apple_gpu_asahi"),
];

/// Families, of which an entry has what all of these chips have.
const FAMILIES: [(&[&str], &str); 2] = [
    (&["adreno618", "adreno630", "adreno660"], "qualcomm_gpu_adreno_6xx"),
    (&["adreno730", "adreno740", "adreno750"], "qualcomm_gpu_adreno_7xx"),
];

/// Chips of which the table has no device.
const WITHOUT_DEVICE: [&str; 2] = ["kepler", "blackwell"];

/// The rows of the table of differences: a pattern of chips, a pattern of facts, and which of the two has the fact.
fn differences() -> Vec<[&'static str; 3]> {
    let rows = include_str!("device-differences.csv").lines().filter(|row| !row.starts_with('#')).skip(1);
    let row = |row: &'static str| {
        let fields: Vec<&str> = row.splitn(4, ',').collect();
        fields[..3].try_into().unwrap_or_else(|_| panic!("{row}: not four fields"))
    };
    rows.map(row).collect()
}

/// True if a pattern is a text, or ends in `*` and has its beginning.
fn matches(pattern: &str, text: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == text, |beginning| text.starts_with(beginning))
}

fn compare() -> Result<String, String> {
    let driver = std::env::var_os(DRIVER).unwrap_or_default();
    let name = Path::new(&driver).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let chip = name.strip_prefix("mesa-").ok_or("not a compiler of Mesa")?;
    if WITHOUT_DEVICE.contains(&chip) {
        return Ok(format!("{NOT_RUN}the table has no device"));
    }
    let report = probed(Api::Vulkan)?.swap_remove(0).device;
    let listed = DEVICES.iter().find(|(of, _)| *of == chip).map(|(_, device)| (*device).to_owned());
    let of_adreno = chip.strip_prefix("adreno").map(|number| format!("qualcomm_gpu_adreno_{number}"));
    let device = listed.or(of_adreno).or_else(|| architecture(&report)).ok_or("no device has the chip")?;
    let entry = Device::embedded(&device).map_err(|error| error.to_string())?;
    let (entry, report) = (Facts::of(&entry)?, Facts::of(&report)?);
    let rows = differences();
    let is_known = |fact: &str, has: &str| {
        rows.iter().any(|row| row[2] == has && matches(row[0], chip) && matches(row[1], fact))
    };
    let only = |one: &Facts, other: &Facts, has: &str| {
        let facts = one.0.difference(&other.0).filter(|fact| !is_known(fact, has));
        let mut by_key: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (key, item) in facts.filter_map(|fact| fact.split_once(' ')) {
            by_key.entry(key).or_default().push(item);
        }
        let lines = by_key.into_iter().map(|(key, items)| format!("{has} {key} {}", items.join(" ")));
        lines.collect::<Vec<String>>()
    };
    let mut problems = only(&entry, &report, "entry");
    if let Some((_, family)) = FAMILIES.iter().find(|(chips, _)| chips.contains(&chip)) {
        let family = Device::embedded(family).map_err(|error| error.to_string())?;
        problems.extend(only(&Facts::of(&family)?.without_sizes(), &report, "family"));
    }
    problems.extend(only(&report.within(&entry), &entry, "driver"));
    match problems.is_empty() {
        true => Ok(format!("{device} has {} facts", entry.0.len())),
        false => Err(format!("only one of {device} and its driver:\n{}", problems.join("\n"))),
    }
}

/// The architecture that a report has.
fn architecture(device: &Device) -> Option<String> {
    let entry: Mapping = serde_yaml::from_str(&device.to_yaml()).ok()?;
    let architecture = entry.values().next()?.get("architecture")?.as_str()?;
    (architecture != "unknown").then(|| architecture.to_owned())
}

/// Facts of an entry about Vulkan, each after the key that it stands under.
struct Facts(BTreeSet<String>);

/// The keys that are compared.
const KEYS: [&str; 8] = [
    "aspects",
    "capabilities",
    "extensions",
    "limits",
    "max-work-group-size",
    "provider-features",
    "spirv-versions",
    "sub-group-sizes",
];

/// Aspects that drivers of Vulkan decide.
const ASPECTS: [&str; 5] = ["gpu", "fp16", "fp64", "image", "atomic64"];

impl Facts {
    fn of(device: &Device) -> Result<Facts, String> {
        let text = device.to_yaml();
        let all: Mapping = serde_yaml::from_str(&text).map_err(|error| error.to_string())?;
        let entry = all.values().next().ok_or("an entry without a name")?;
        let mut facts = BTreeSet::new();
        for part in [Some(entry), entry.get("vulkan")].into_iter().flatten() {
            for key in KEYS {
                let values = part.get(key).into_iter().flat_map(|value| match value {
                    Value::Sequence(items) => items.clone(),
                    value => vec![value.clone()],
                });
                let texts = values.map(|value| match value {
                    Value::Number(number) => number.to_string(),
                    value => value.as_str().unwrap_or_default().to_owned(),
                });
                facts.extend(texts.filter(|text| is_compared(key, text)).map(|text| format!("{key} {text}")));
            }
        }
        Ok(Facts(facts))
    }

    /// Facts without the smallest limits of a family.
    fn without_sizes(&self) -> Facts {
        let is_size =
            |fact: &&String| fact.starts_with("limits ") || fact.starts_with("max-work-group-size ");
        Facts(self.0.iter().filter(|fact| !is_size(fact)).cloned().collect())
    }

    /// Facts without those of kinds of which an entry may list fewer.
    fn within(&self, entry: &Facts) -> Facts {
        let lists_extensions = entry.0.iter().any(|fact| fact.starts_with("extensions "));
        let is_asked = |fact: &&String| {
            !fact.starts_with("limits ") && (lists_extensions || !fact.starts_with("extensions "))
        };
        Facts(self.0.iter().filter(is_asked).cloned().collect())
    }
}

/// True for what a driver of Vulkan can say. Matrices have combinations of their own.
fn is_compared(key: &str, text: &str) -> bool {
    match key {
        "aspects" => ASPECTS.contains(&text),
        "provider-features" => text.starts_with("vulkan:") && !text.contains("cooperativeMatrixKHR."),
        _ => true,
    }
}
