//! Merging and specializing are opposites. On every device of the table, specializing a merged module restores the variant that the conditions
//! choose, or is refused like the variant.

pub mod canonical;
mod ggml;
pub mod proof;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::slice;
use std::sync::{LazyLock, Mutex, OnceLock};

use canonical::{Canonical, canonical, difference};
use libtest_mimic::Trial;
use spirv_if::device::DeviceConfig;
use spirv_if::merge::{MergeOptions, Variant, merge};
use spirv_if::pack::Dialect;
use spirv_if::specialize::{Specialized, SpecializedSegments};
use spirv_if::{Condition, Device, Error, Module, PackOptions, Prepared, Settings, pack};

use crate::common::{Batch, bytes_of, fixtures, in_share};
use crate::registry::trial;
use crate::search::ready::ReadyModule;

/// Counts of variants by result.
struct MergeCounts {
    merged: usize,
    compared: usize,
    refused: usize,
    failures: Vec<String>,
    /// The number of results of ready shaders that were compared, if they are to be.
    ready: Option<usize>,
    /// Files that merging and specializing wrote.
    written: Batch,
    /// The words of all that was merged, and of the results.
    inputs: usize,
    result: usize,
}

impl Default for MergeCounts {
    fn default() -> MergeCounts {
        let written = Batch::with_options(VALIDATION);
        MergeCounts {
            merged: 0,
            compared: 0,
            refused: 0,
            failures: Vec::new(),
            ready: None,
            written,
            inputs: 0,
            result: 0,
        }
    }
}

impl MergeCounts {
    /// Adds another one.
    fn add(&mut self, other: MergeCounts) {
        self.merged += other.merged;
        self.compared += other.compared;
        self.refused += other.refused;
        self.ready = other.ready.map(|count| count + self.ready.unwrap_or_default()).or(self.ready);
        self.failures.extend(other.failures);
        self.written.extend(other.written);
        self.inputs += other.inputs;
        self.result += other.result;
    }

    /// Fails if anything did.
    fn finish(&mut self) {
        self.failures.extend(self.written.problems());
        let (failed, failures) = (self.failures.len(), self.failures.join("\n"));
        assert!(self.failures.is_empty(), "{failed} of {}:\n{failures}", self.merged);
    }
}

/// Returns the conditions of `count` variants. The last may be for all remaining devices.
fn conditions(count: usize, with_else: bool) -> Vec<Option<Condition>> {
    let texts = match with_else {
        true => ["fp64 && !arch(intel_gpu_acm_g10)", "arch(nvidia_gpu_sm_80) || fp16", "arch(x86_64)"],
        false => [
            "arch(intel_gpu_pvc)",
            "fp64 && arch(nvidia_gpu_sm_80)",
            "arch(x86_64) || arch(intel_gpu_acm_g10)",
        ],
    };
    let mut conditions: Vec<Option<Condition>> =
        texts.iter().cycle().take(count).map(|text| Some(Condition::parse(text).unwrap())).collect();
    if with_else {
        conditions[count - 1] = None;
    }
    conditions
}

fn options(dialect: Dialect) -> MergeOptions {
    MergeOptions::new().dialect(dialect)
}

/// Option of spirv-val, which otherwise takes OpConditionalEntryPointINTEL for an instruction that must not have pointers.
const VALIDATION: &[&str] = &["--relax-logical-pointer"];

fn environment(words: &[u32]) -> String {
    let version = words[1].to_be_bytes();
    format!("spv{}.{}", version[1], version[2])
}

/// Merges variants, and compares what comes of the result on all devices with them.
fn compare(name: &str, variants: &[&[u32]], devices: &[Device], with_else: bool, tally: &mut MergeCounts) {
    let conditions = conditions(variants.len(), with_else);
    compare_by(name, variants, (&conditions, true), &options(Dialect::SpecConditional), devices, tally);
}

/// Like [`compare`], with conditions, which merging reads from tables unless they are written.
fn compare_by(
    name: &str,
    variants: &[&[u32]],
    (conditions, is_written): (&[Option<Condition>], bool),
    options: &MergeOptions,
    devices: &[Device],
    tally: &mut MergeCounts,
) {
    let named = (0..).zip(variants).map(|(at, words)| {
        let module = Module::from_words(*words).unwrap();
        module.with_name(format!("{at}.spv"))
    });
    let modules: Vec<Module> = named.collect();
    let inputs: Vec<Variant> = modules
        .iter()
        .zip(conditions)
        .map(|(module, condition)| Variant::new(module, condition.as_ref().filter(|_| is_written)))
        .collect();
    let merged = match merge(&inputs, options) {
        Ok(merged) => merged,
        Err(Error::Module(error)) if is_expected(&error.to_string()) => return,
        Err(error) => return tally.failures.push(format!("{name}: {error}")),
    };
    tally.merged += 1;
    tally.inputs += variants.iter().map(|words| words.len()).sum::<usize>();
    tally.result += merged.words.len();
    tally.written.add(name, &merged.words, &environment(&merged.words));
    let module = Module::from_words(&merged.words[..]).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    // A variable of the layout stays that the variant only declares, and another one uses.
    let settings = Settings::new().keep_interface(true);
    let ready = match tally.ready.map_or(Ok(None), |_| ReadyModule::new(&merged.words, &settings)) {
        Ok(ready) => ready,
        Err(error) => return tally.failures.push(format!("{name}: {error}")),
    };
    let alone: Vec<&Alone> = variants.iter().map(|words| Alone::get(words)).collect();
    let mut seen: HashSet<(usize, Vec<u32>)> = HashSet::new();
    // Other devices do not have a feature that the whole module requires.
    let is_able = |device: &Device| prepared.groups(slice::from_ref(device), &settings).is_ok();
    let (able, unable): (Vec<Device>, Vec<Device>) = devices.iter().cloned().partition(is_able);
    for Tried { chosen, alike, result } in tried(&prepared, conditions, [&able, &unable], &settings) {
        let names = || alike.iter().map(|device| device.name()).collect::<Vec<_>>().join(", ");
        if let (Some(ready), Some(count)) = (&ready, &mut tally.ready) {
            let specialized = result.as_ref().map(|specialized| &specialized.words[..]);
            for device in &alike {
                if let Err(different) = ready.compare(device, specialized) {
                    return tally.failures.push(format!("{name} on {}: {different}", device.name()));
                }
                *count += 1;
            }
        }
        match (chosen, result) {
            (Some(chosen), Ok(specialized)) => {
                tally.compared += alike.len();
                if !seen.insert((chosen, specialized.words.to_vec())) {
                    continue;
                }
                // Specializing may do more than to decide conditions, such as to lower properties: it does that to the variant, too.
                let alone = alone[chosen];
                let alone_words = match alone.packed().specialize(alike[0], &settings) {
                    Ok(specialized) => specialized.words,
                    Err(error) => return tally.failures.push(format!("{name} on {}: {error}", names())),
                };
                let place = || format!("{name} on {}, variant {chosen}", names());
                if let Some(different) = alone.difference(&alone_words, &specialized.words) {
                    return tally.failures.push(format!("{}: {different}", place()));
                }
                tally.written.add(place(), &specialized.words, &environment(&specialized.words));
            }
            (None, Err(Error::Refused(_))) => tally.refused += alike.len(),
            (Some(chosen), Err(Error::Refused(refused))) => {
                tally.refused += alike.len();
                if alone[chosen].with_properties().specialize_in_segments(&alike, &Settings::new()).is_ok() {
                    return tally
                        .failures
                        .push(format!("{name}: {refused}, but variant {chosen} alone does"));
                }
            }
            (chosen, result) => {
                let result = result.map(|specialized| specialized.words.len());
                return tally.failures.push(format!("{name} on {}: {chosen:?} and {result:?}", names()));
            }
        }
    }
}

/// A variant alone, which many comparisons share: its facts are computed once.
struct Alone {
    words: Vec<u32>,
    form: OnceLock<Canonical>,
    /// Pairs of equal modules, up to ids and the order of definitions: the results for a device of a variant and of a merged module.
    same: Mutex<HashSet<[Vec<u32>; 2]>>,
    packed: OnceLock<Prepared<'static>>,
    with_properties: OnceLock<Prepared<'static>>,
}

impl Alone {
    /// The variant of these words, which stays until the tests end.
    fn get(words: &[u32]) -> &'static Alone {
        static KNOWN: LazyLock<Mutex<HashMap<Vec<u32>, &'static Alone>>> = LazyLock::new(Mutex::default);
        let new = |words: &Vec<u32>| -> &'static Alone {
            let (form, packed, with_properties) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
            let (words, same) = (words.clone(), Mutex::default());
            Box::leak(Box::new(Alone { words, form, same, packed, with_properties }))
        };
        KNOWN.lock().unwrap().entry(words.to_vec()).or_insert_with_key(new)
    }

    /// Describes the difference between the results of a variant and of a merged module.
    fn difference(&self, variant_words: &[u32], merged_words: &[u32]) -> Option<String> {
        let both = [variant_words.to_vec(), merged_words.to_vec()];
        if variant_words == merged_words || self.same.lock().unwrap().contains(&both) {
            return None;
        }
        let form = (variant_words != self.words).then(|| canonical(variant_words));
        let form = form.as_ref().unwrap_or_else(|| self.form.get_or_init(|| canonical(&self.words)));
        let different = difference(form, &canonical(merged_words));
        if different.is_none() {
            self.same.lock().unwrap().insert(both);
        }
        different
    }

    /// As merging has it ([`packed`]).
    fn module(&self) -> Module<'static> {
        packed(&Module::from_words(self.words.clone()).unwrap())
    }

    fn packed(&self) -> &Prepared<'static> {
        self.packed.get_or_init(|| Prepared::new(Box::leak(Box::new(self.module()))).unwrap())
    }

    /// Like [`Subject::packed`], but with the properties that `pack` writes beside it, which state all requirements of a merged module.
    fn with_properties(&self) -> &Prepared<'static> {
        self.with_properties.get_or_init(|| {
            let module = self.module();
            let properties = pack(&module, &PackOptions::default()).unwrap().properties;
            Prepared::new(Box::leak(Box::new(module.with_properties(properties).unwrap()))).unwrap()
        })
    }
}

/// The results of a merged module on devices that are alike.
struct Tried<'d> {
    /// The number of the variant that the conditions choose for them.
    chosen: Option<usize>,
    alike: Vec<&'d Device>,
    result: Result<Specialized, Error>,
}

/// Specializes a merged module for devices: once for devices with the same code, and for each alone unless all of them run it.
fn tried<'d>(
    merged: &Prepared,
    conditions: &[Option<Condition>],
    [able, unable]: [&'d [Device]; 2],
    settings: &Settings,
) -> Vec<Tried<'d>> {
    let chosen = |device: &Device| {
        let holds = |condition: &Condition| condition.evaluate(device).unwrap() == Some(true);
        conditions.iter().position(|condition| condition.as_ref().is_none_or(holds))
    };
    let mut all = Vec::new();
    let groups = merged.groups(able, settings).unwrap();
    for group in groups.into_iter().chain(unable.iter().map(|device| vec![device])) {
        let mut of_variants: BTreeMap<Option<usize>, Vec<&Device>> = BTreeMap::new();
        for device in group {
            of_variants.entry(chosen(device)).or_default().push(device);
        }
        for (chosen, alike) in of_variants {
            let one = |alike: Vec<&'d Device>| {
                let result = merged
                    .specialize_in_segments(&alike, settings)
                    .map(SpecializedSegments::into_specialized);
                Tried { chosen, alike, result }
            };
            match one(alike) {
                tried if tried.result.is_ok() || tried.alike.len() == 1 => all.push(tried),
                refused => all.extend(refused.alike.into_iter().map(|device| one(vec![device]))),
            }
        }
    }
    all
}

/// A module with conditional calls, packed: merging packs it, too. Others stay as they are.
fn packed<'m>(module: &Module<'m>) -> Module<'m> {
    let packed = pack(module, &PackOptions::default()).unwrap();
    let is_conditional =
        String::from_utf8_lossy(&bytes_of(&packed.words)).contains("SPV_INTEL_function_variants");
    match is_conditional && packed.words[..] != *module.words() {
        true => Module::from_words(packed.words).unwrap().with_properties(packed.properties).unwrap(),
        false => module.clone(),
    }
}

/// True for what cannot be one module.
fn is_expected(error: &str) -> bool {
    [
        "compile both for the same memory model",
        "is unknown, and",
        "which SPIR-V has only up to version",
        "plain modules",
    ]
    .iter()
    .any(|part| error.contains(part))
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The fixtures of at most this number of words. Larger ones are merged with their neighbours alone, since that takes long.
fn most_fixtures() -> Vec<(String, Vec<u32>)> {
    fixtures().into_iter().filter(|(_, words)| words.len() <= 6_000).collect()
}

fn devices() -> Vec<Device> {
    DeviceConfig::embedded().unwrap().iter().cloned().collect()
}

/// Every fixture with the next of its folder: builds of one source, or other modules, which share less.
fn neighbours_come_back() {
    let fixtures = fixtures();
    let mut tally = MergeCounts::default();
    for pair in fixtures.windows(2) {
        let [(one, first), (other, second)] = pair else { continue };
        if folder(one) == folder(other) {
            compare(&format!("{one} and {other}"), &[first, second], &devices(), true, &mut tally);
        }
    }
    tally.finish();
    assert!(tally.merged > 30 && tally.compared > 1_000, "{} {}", tally.merged, tally.compared);
}

/// Three at a time, none of them for all remaining devices. Each fixture is in one or two.
fn three_without_else_come_back_or_are_refused() {
    let fixtures = most_fixtures();
    let mut tally = MergeCounts::default();
    for three in fixtures.windows(3).step_by(2) {
        let [(one, first), (_, second), (other, third)] = three else { continue };
        compare(&format!("{one} to {other}"), &[first, second, third], &devices(), false, &mut tally);
    }
    tally.finish();
    assert!(tally.merged > 10 && tally.refused > 100, "{} {}", tally.merged, tally.refused);
}

/// Fixtures with conditional code, packed, with each other and with plain ones, in one order or the other.
fn conditional_variants_come_back() {
    let fixtures = most_fixtures();
    let words = |packed: &Module| packed.words().to_vec();
    let conditional: Vec<(&String, Vec<u32>)> = fixtures
        .iter()
        .filter_map(|(name, fixture_words)| {
            let module = Module::from_words(&fixture_words[..]).unwrap();
            let packed = words(&packed(&module));
            (packed != *fixture_words).then_some((name, packed))
        })
        .collect();
    assert!(conditional.len() > 30, "{}", conditional.len());
    let mut tally = MergeCounts::default();
    for (at, (one, first)) in conditional.iter().enumerate().filter(|(at, _)| in_share(*at, 3)) {
        let (other, second) = &conditional[(at + 1) % conditional.len()];
        let (plain, third) = &fixtures[at % fixtures.len()];
        compare(&format!("{one} and {other}, packed"), &[first, second], &devices(), true, &mut tally);
        if at % 2 == 0 {
            compare(&format!("{plain} and {one}, packed"), &[third, first], &devices(), true, &mut tally);
        } else {
            compare(&format!("{one}, packed, and {plain}"), &[first, third], &devices(), false, &mut tally);
        }
    }
    tally.finish();
    assert!(tally.merged > 15 && tally.compared > 700, "{} {}", tally.merged, tally.compared);
}

/// Fixtures of one version with those of another: each is of its own again, with its form of interface lists and storage buffers.
fn versions_come_back() {
    let fixtures = most_fixtures();
    let of_version = |minor: u32| fixtures.iter().filter(move |(_, words)| words[1] == 1 << 16 | minor << 8);
    let mut tally = MergeCounts::default();
    for (older, newer) in [(0, 3), (0, 6), (3, 6)] {
        let before = tally.merged;
        for (at, (one, first)) in of_version(older).enumerate() {
            // Each with one of the builds of one source, and with another, in one order or the other.
            let others: Vec<_> = of_version(newer).collect();
            let is_build = |name: &str| name.starts_with("merge/versions-");
            let of_source = others.iter().find(|(name, _)| is_build(name));
            for (other, second) in of_source.into_iter().chain([&others[at % others.len()]]) {
                let (name, pair): (String, [&[u32]; 2]) = match at % 2 {
                    0 => (format!("{one} and {other}"), [first, second]),
                    _ => (format!("{other} and {one}"), [second, first]),
                };
                compare(&name, &pair, &devices(), true, &mut tally);
            }
        }
        assert!(tally.merged > before + 8, "1.{older} with 1.{newer}: {}", tally.merged - before);
    }
    let builds = fixtures.iter().filter(|(name, _)| name.starts_with("merge/versions-"));
    let builds: Vec<&[u32]> = builds.map(|(_, words)| &words[..]).collect();
    assert_eq!(builds.len(), 3);
    compare("builds for three versions", &builds, &devices(), true, &mut tally);
    tally.finish();
}

/// Builds of several versions by a table of `spirv-link`: each is of its own version again, and devices that none is for are refused.
fn builds_of_tables_come_back() {
    let fixtures = fixtures();
    let builds = fixtures.iter().filter(|(name, _)| name.starts_with("merge/versions-"));
    let builds: Vec<&[u32]> = builds.map(|(_, words)| &words[..]).collect();
    // NVIDIA's GPUs from sm_60 on, without sm_75, and one of Intel; sm_75; AMD's from the second that the registry has.
    let rows = ["0.spv,2,3,174,4", "0.spv,2,1,170,21", "1.spv,2,3,170,8", "2.spv,2,2,172,1"];
    let table = format!("module,category,family,op,architecture\n{}\n", rows.join("\n"));
    let options = MergeOptions::new().architectures("architectures.csv", table);
    let devices = devices();
    let number =
        |name: &str, family: &str| name.strip_prefix(family)?.trim_end_matches('a').parse::<u32>().ok();
    let is_first = |name: &str| {
        number(name, "nvidia_gpu_sm_").is_some_and(|number_of_sm| number_of_sm >= 60 && number_of_sm != 75)
    };
    let architectures = include_str!("../../../../spec-extensions/architectures.csv");
    let is_registered = |name: &str| {
        let row =
            architectures.lines().map(|line| line.split(',').collect::<Vec<_>>()).find(|row| row[0] == name);
        row.is_some_and(|row| !row[5].is_empty())
    };
    let is_last = |name: &str| {
        name.starts_with("amd_gpu_gfx") && !name.starts_with("amd_gpu_gfx70") && is_registered(name)
    };
    let of = |is: &dyn Fn(&str) -> bool| {
        let names = devices.iter().map(Device::name).filter(|name| is(name));
        let leaves: Vec<String> = names.map(|name| format!("arch({name})")).collect();
        Some(Condition::parse(&leaves.join(" || ")).unwrap())
    };
    let conditions = [
        of(&|name| is_first(name) || name == "intel_gpu_pvc"),
        of(&|name| name == "nvidia_gpu_sm_75"),
        of(&is_last),
    ];
    let mut tally = MergeCounts::default();
    compare_by("builds by a table", &builds, (&conditions, false), &options, &devices, &mut tally);
    tally.finish();
    assert!(tally.compared > 20 && tally.refused > 20, "{} {}", tally.compared, tally.refused);
}

/// The tests of this folder.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial(module_path!(), "neighbours_come_back", neighbours_come_back),
        trial(
            module_path!(),
            "three_without_else_come_back_or_are_refused",
            three_without_else_come_back_or_are_refused,
        ),
        trial(module_path!(), "versions_come_back", versions_come_back),
        trial(module_path!(), "builds_of_tables_come_back", builds_of_tables_come_back),
        trial(module_path!(), "conditional_variants_come_back", conditional_variants_come_back),
    ];
    trials.extend(ggml::trials());
    trials.extend(proof::trials());
    trials
}
