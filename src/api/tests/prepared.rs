//! Tests that a reused prepared module returns the same results as a new one, and that equal keys mean equal results.

use crate::loader::Version;
use std::collections::{BTreeMap, BTreeSet};
use std::slice::from_ref;
use std::sync::Arc;

use crate::device::DeviceConfig;
use crate::specialize::{Driver, SpecConstant, UnsetPolicy};
use crate::test_support::assemble_named;
use crate::tests::corpus::{fixtures, share_of_fixtures};
use crate::{Device, Error, Module, PackOptions, Prepared, Settings, SpecValue, pack};

const DEVICES: [&str; 2] = ["intel_gpu_pvc", "intel_gpu_acm_g10"];

fn devices() -> Vec<Device> {
    let mut devices = vec![Device::default()];
    devices.extend(DEVICES.map(|name| Device::embedded(name).unwrap()));
    devices
}

/// Returns several settings in which all constants of a module have values.
fn settings(module: &Module) -> Vec<Settings> {
    let constants: Vec<(u32, bool)> = module
        .inner
        .spec_ids()
        .map(|decorated| {
            let op = module.inner.definition(decorated.id()).and_then(|inst| inst.op());
            (
                decorated.spec_id(),
                matches!(op, Some(spirv::Op::SpecConstantTrue | spirv::Op::SpecConstantFalse)),
            )
        })
        .collect();
    let set = |number: u32, other: Option<u32>| {
        constants.iter().fold(Settings::new().unset(UnsetPolicy::Default), |settings, &(spec_id, is_bool)| {
            let constant = SpecConstant::from(spec_id);
            let number = if other == Some(spec_id) { number + 1 } else { number };
            match is_bool {
                true => settings.set(constant, number % 2 == 1),
                false => settings.set(constant, number),
            }
        })
    };
    // Each constant alone may be what decides something.
    let each = constants.iter().take(8).map(|&(spec_id, _)| set(1, Some(spec_id)));
    let first = constants.first().map(|&(spec_id, is_bool)| {
        let settings = Settings::new().unset(UnsetPolicy::Keep);
        if is_bool { settings.set(spec_id, true) } else { settings.set(spec_id, 7) }
    });
    let plain = Settings::new().unset(UnsetPolicy::Default);
    // The others get their defaults.
    let partly = constants.first().map(|&(spec_id, is_bool)| {
        if is_bool { plain.clone().set(spec_id, true) } else { plain.clone().set(spec_id, 7) }
    });
    [plain.clone(), plain.trim(true)]
        .into_iter()
        .chain(partly)
        .chain([0, 1, 2, 3, 1].map(|number| set(number, None)))
        .chain(each)
        .chain(first)
        .chain(options(module, &set(1, None)))
        .collect()
}

/// Returns settings with each other option.
fn options(module: &Module, settings: &Settings) -> Vec<Settings> {
    let all = || settings.clone();
    let constant = module.inner.spec_ids().next();
    let of_constant = constant.into_iter().flat_map(|decorated| {
        let is_number =
            module.inner.definition(decorated.id()).is_some_and(|inst| inst.is(spirv::Op::SpecConstant));
        let value = if is_number { SpecValue::from(3) } else { true.into() };
        [all().set_default(decorated.spec_id(), value), all().leave(decorated.spec_id())]
    });
    let entry_point = module.inner.entry_points().next().map(|entry_point| entry_point.name().into_owned());
    [
        all().strip(true),
        all().max_version(Version::new(1, 3)),
        all().max_version(Version::new(1, 0)).strip(true),
        all().keep_interface(true),
        all().work_around(Driver::Nvidia),
        all().work_around(Driver::Rusticl),
        all().strip(true).trim(true).work_around(Driver::Nvidia),
        all().ignore_unknown(true).set(987_654, 1),
        all().max_clones(1),
    ]
    .into_iter()
    .chain(of_constant)
    .chain(entry_point.map(|name| all().entry_points([name])))
    .collect()
}

type SpecializedText = Result<(Vec<u32>, String), String>;

fn text_of(result: Result<crate::specialize::Specialized, Error>) -> SpecializedText {
    match result {
        Ok(result) => Ok((result.words, format!("{:?} {:?}", result.properties, result.report))),
        Err(error) => Err(error.to_string()),
    }
}

/// The maximum number of words of a module: larger ones take longer, and differ in little else.
const MAX_WORDS: usize = 2500;

/// Calls a function with each fixture of a share, and with each packed.
fn for_modules(work: impl FnMut(&str, &Module)) {
    for_share_of_modules(3, MAX_WORDS, work);
}

/// Like [`for_modules`], with one of so many shares, up to a number of words.
fn for_share_of_modules(parts: usize, max_words: usize, mut work: impl FnMut(&str, &Module)) {
    for fixture in share_of_fixtures(parts).filter(|fixture| fixture.words().len() <= max_words) {
        let module = Module::from_words(fixture.words()).unwrap();
        work(&fixture.name, &module);
        if let Ok(packed) = pack(&module, &PackOptions::default()) {
            let packed = Module::from_words(&packed.words[..]).unwrap();
            work(&format!("{}, packed", fixture.name), &packed);
        }
    }
}

/// Each setting has the next of our devices, and the next of the table.
#[test]
fn calls_give_what_the_first_gives() {
    let devices = devices();
    let mut devices_in_turn = devices.iter().cycle();
    let table = DeviceConfig::embedded().unwrap();
    let table: Vec<&Device> = table.iter().collect();
    let mut others = table.iter().copied().cycle();
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut results, mut errors) = (0, 0);
    for_share_of_modules(3, usize::MAX, |name, module| {
        let Ok(prepared) = Prepared::new(module) else { return };
        let mut settings = settings(module);
        if module.words().len() > MAX_WORDS {
            settings.truncate(3);
        }
        for (number, settings) in settings.iter().enumerate() {
            let other = others.next().unwrap();
            *calls.entry(other.name()).or_default() += 1;
            for device in [devices_in_turn.next().unwrap(), other] {
                let cold =
                    text_of(Prepared::new(module).and_then(|prepared| prepared.specialize(device, settings)));
                let warm = text_of(prepared.specialize(device, settings));
                assert!(warm == cold, "{name}, setting {number} on {:?}", device.name());
                match (prepared.specialize_in_segments(&[device], settings), cold) {
                    (Ok(segments), Ok((cold, text))) => {
                        let (properties, report) = (segments.properties(), segments.report());
                        assert_eq!(text, format!("{:?} {report:?}", properties), "{name}, setting {number}");
                        assert!(segments.segments().flatten().eq(&cold), "{name}, setting {number}");
                        let mut memory = vec![7; cold.len() + 1];
                        segments.write_to(&mut memory);
                        let (written, rest) = memory.split_at(segments.len());
                        assert!(written == cold && rest == [7], "{name}, setting {number}");
                        results += 1;
                    }
                    (Err(error), Err(cold)) => {
                        assert_eq!(error.to_string(), cold, "{name}");
                        errors += 1;
                    }
                    (into, cold) => panic!("{name}: {into:?}, but {cold:?}"),
                }
            }
        }
    });
    assert!(results > 1000 && errors > 10, "{results} {errors}");
    let fewest = calls.values().min().unwrap();
    assert!(calls.len() == table.len() && *fewest >= 10, "{} {fewest}", calls.len());
}

/// Checks that a prepared module that owns its module returns the same results as one that borrows it.
#[test]
fn prepared_modules_own_theirs() {
    fn lasts<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let mut compared = 0;
    for_modules(|name, module| {
        let Ok(prepared) = Prepared::new(module) else { return };
        let owned = {
            let module = Arc::new(Module::from_words(module.words().to_vec()).unwrap());
            lasts(Prepared::owning(module).unwrap())
        };
        for settings in settings(module).iter().take(5) {
            let device = Device::default();
            assert!(
                text_of(owned.specialize(&device, settings))
                    == text_of(prepared.specialize(&device, settings)),
                "{name}"
            );
            assert_eq!(owned.cache_key(&device, settings), prepared.cache_key(&device, settings), "{name}");
            compared += 1;
        }
    });
    assert!(compared > 300, "{compared}");
}

/// Checks that sizes of zero are errors: an array without elements, or a work-group without invocations, by either way to declare its size.
#[test]
fn sizes_are_checked_again() {
    let array = "%array = OpTypeArray %uint %count
        %pointer = OpTypePointer Workgroup %array
        %shared = OpVariable %pointer Workgroup";
    let composite = "%v3 = OpTypeVector %uint 3
        %size = OpSpecConstantComposite %v3 %one %count %one";
    let local_size = "OpExecutionMode %main LocalSize 1 1 1";
    let cases = [
        (local_size, "", array, "%all = OpLoad %array %shared"),
        ("OpExecutionModeId %main LocalSizeId %one %count %one", "", "", ""),
        (local_size, "OpDecorate %size BuiltIn WorkgroupSize", composite, ""),
    ];
    for (mode, decoration, declaration, body) in cases {
        let text = format!(
            "
            OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main \"main\"
            {mode}
            OpDecorate %count SpecId 0
            {decoration}
            %void = OpTypeVoid
            %function = OpTypeFunction %void
            %uint = OpTypeInt 32 0
            %one = OpConstant %uint 1
            %count = OpSpecConstant %uint 4
            {declaration}
            %main = OpFunction %void None %function
            %label = OpLabel
            {body}
            OpReturn
            OpFunctionEnd"
        );
        let (words, _) = assemble_named(&text, "vulkan1.3");
        let module = Module::from_words(words).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let call = |count: u32| {
            let settings = Settings::new().unset(UnsetPolicy::Default).set(0, count);
            prepared.specialize(&Device::default(), &settings).map(|result| result.words)
        };
        let four = call(4).unwrap();
        assert_eq!(call(8).unwrap().len(), four.len());
        let error = call(0).unwrap_err().to_string();
        assert!(error.contains("SpecId 0"), "{error}");
        // The first call also fails.
        let error = Prepared::new(&module)
            .unwrap()
            .specialize(&Device::default(), &Settings::new().set(0, 0u32))
            .unwrap_err()
            .to_string();
        assert!(error.contains("SpecId 0"), "{error}");
    }
}

#[test]
fn threads_share_it() {
    fn shared<T: Send + Sync>(_: &T) {}
    let fixture = fixtures().iter().find(|fixture| fixture.name.ends_with("spec/jumps.spv")).unwrap();
    let module = Module::from_words(fixture.words()).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    shared(&prepared);
    let (settings, device) = (settings(&module), Device::default());
    let call = |settings: &Settings| text_of(prepared.specialize(&device, settings));
    let alone: Vec<SpecializedText> = settings.iter().map(call).collect();
    std::thread::scope(|scope| {
        for start in 0..4 {
            let (settings, alone, call) = (&settings, &alone, &call);
            scope.spawn(move || {
                for at in (0..settings.len() * 8).map(|at| (at + start) % settings.len()) {
                    assert!(call(&settings[at]) == alone[at], "setting {at}");
                }
            });
        }
    });
}

/// Checks that the first and last device of each group get the same code, and that other groups get other code.
#[test]
fn devices_of_a_group_get_the_same() {
    let all: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let (mut same, mut different) = (0, 0);
    for_share_of_modules(2, MAX_WORDS, |name, module| {
        let (prepared, settings) =
            (Prepared::new(module).unwrap(), Settings::new().unset(UnsetPolicy::Default));
        let is_able = |device: &&Device| prepared.groups(from_ref(*device), &settings).is_ok();
        let able: Vec<Device> = all.iter().filter(is_able).cloned().collect();
        let words = |device: &Device| Some(prepared.specialize(device, &settings).ok()?.words);
        let mut texts = BTreeSet::new();
        for group in prepared.groups(&able, &settings).unwrap() {
            let [first, last] = [&group[0], &group[group.len() - 1]].map(|device| words(device));
            // A device may miss a requirement of the result.
            let Some((first, last)) = first.zip(last) else { continue };
            assert!(first == last, "{name}: {:?} and {:?}", group[0].name(), group[group.len() - 1].name());
            same += usize::from(group.len() > 1);
            different += usize::from(texts.insert(first) && texts.len() > 1);
        }
    });
    assert!(same > 20 && different > 10, "{same} {different}");
}

#[test]
fn equal_keys_mean_equal_words() {
    let devices = devices();
    let mut by_key: BTreeMap<String, Option<Vec<u32>>> = BTreeMap::new();
    let mut twice = 0;
    for_modules(|name, module| {
        let Ok(prepared) = Prepared::new(module) else { return };
        let again = Prepared::new(module).unwrap();
        for (number, settings) in settings(module).iter().enumerate() {
            for device in &devices {
                let key = prepared.cache_key(device, settings);
                assert_eq!(key, again.cache_key(device, settings), "{name}");
                let words = prepared.specialize(device, settings).ok().map(|result| result.words);
                if let Some(before) = by_key.insert(key.to_string(), words.clone()) {
                    assert!(before == words, "{name}, setting {number} on {:?}", device.name());
                    twice += 1;
                }
            }
        }
    });
    assert!(by_key.len() > 500 && twice > 100, "{} {twice}", by_key.len());
}

/// A small result does not keep the memory of a large module that was changed before.
#[test]
fn results_have_memory_of_their_size() {
    let prepared = |name: &str| {
        let fixture = fixtures().iter().find(|fixture| fixture.name.ends_with(name)).unwrap();
        Prepared::owning(Module::from_words(fixture.words().to_vec()).unwrap()).unwrap()
    };
    let [small, large] = ["link/stage-frag-1.5.spv", "headers/callables-O0.spv"].map(prepared);
    let settings = Settings::new().unset(UnsetPolicy::Keep).strip(true);
    let mut words = Vec::new();
    for _ in 0..3 {
        let segments = large.specialize_in_segments(&[&Device::default()], &settings).unwrap();
        words.resize(segments.len(), 0);
        segments.write_to(&mut words);
        let result = small.specialize(&Device::default(), &settings).unwrap();
        assert!(words.len() > 10 * result.words.len());
        assert!(result.words.capacity() <= 2 * result.words.len());
    }
}

/// Keys depend on everything that results depend on: a result for one key must never become another.
#[test]
fn keys_tell_apart() {
    let words = [0x0723_0203, 0x0001_0000, 0, 1, 0];
    let module = Module::from_words(&words[..]).unwrap();
    let key = |device: &Device, settings: &Settings| {
        Prepared::new(&module).unwrap().cache_key(device, settings).to_string()
    };
    let plain = key(&Device::default(), &Settings::new());
    assert_eq!(plain.len(), 32);
    let pvc = Device::embedded("intel_gpu_pvc").unwrap();
    let new = Settings::new;
    let settings = [
        new(),
        new().set(1, 2),
        new().set(1, 3),
        new().set_default(1, 2),
        new().leave(1),
        new().trim(true),
        new().strip(true),
        new().keep_interface(true),
        new().ignore_unknown(true),
        new().max_version(Version::new(1, 3)),
        new().max_version(Version::new(1, 4)),
        new().work_around(Driver::Nvidia),
        new().entry_points(["main"]),
        new().entry_points(["other"]),
        new().max_clones(9),
        new().unset(UnsetPolicy::Keep),
        new().unset(UnsetPolicy::Default),
    ];
    let of_settings = settings.iter().map(|settings| key(&pvc, settings));
    let dg1 = key(&Device::embedded("intel_gpu_dg1").unwrap(), &new());
    let all: BTreeSet<String> = of_settings.chain([plain, dg1]).collect();
    assert_eq!(all.len(), settings.len() + 2);
}

/// Returns the keys of some calls, as text.
fn some_keys() -> String {
    let pvc = Device::embedded("intel_gpu_pvc").unwrap();
    let mut keys = String::new();
    for_modules(|_, module| {
        let Ok(prepared) = Prepared::new(module) else { return };
        for settings in settings(module).iter().take(4) {
            keys.push_str(&prepared.cache_key(&pvc, settings).to_string());
        }
    });
    keys
}

/// Caches outlive processes.
#[test]
fn keys_are_those_of_other_processes() {
    const IN_CHILD: &str = "SPIRV_IF_TEST_KEYS";
    let keys = some_keys();
    if let Some(file) = std::env::var_os(IN_CHILD) {
        return std::fs::write(file, keys).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys");
    let name = concat!(module_path!(), "::keys_are_those_of_other_processes");
    let (_, name) = name.split_once("::").unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    assert!(child.args(["--exact", name]).env(IN_CHILD, &file).output().unwrap().status.success());
    assert!(keys.len() > 32 * 300, "{}", keys.len());
    assert!(std::fs::read_to_string(&file).unwrap() == keys);
}
