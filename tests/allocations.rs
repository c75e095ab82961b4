//! What calls of prepared modules allocate does not grow with the module: the result is in memory that the caller brings. What they leave is at
//! most three times the module.
//!
//! Debug builds decide again what earlier results stand for, to compare, so this is of builds without such checks:
//! `cargo test --test allocations --config 'profile.dev.package.spirv-if.debug-assertions=false'`, as `scripts/test-capi.sh` does.
//! It is a program of its own, apart from the other tests, since it counts by an allocator of its own.

use std::path::{Path, PathBuf};

use allocation_counter::measure;
use spirv_if::{Device, DeviceConfig, Driver, Module, PackOptions, Prepared, Settings, Unset, pack};

/// The numbers of functions that are added to a module to compare what calls allocate.
const FEW: u32 = 2;
const MANY: u32 = 3000;

/// The words of a fixture.
fn fixture(name: &str) -> Vec<u32> {
    let path = format!("{}/fixtures/{name}.spv", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the fixture can be read");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// A module with more functions, each with some ids of its own, that nothing decides.
fn with_functions(mut words: Vec<u32>, count: u32) -> Vec<u32> {
    let find = |opcode: u32| {
        let mut at = 5;
        while words[at] & 0xffff != opcode {
            at += (words[at] >> 16) as usize;
        }
        &words[at..]
    };
    const FUNCTION: u32 = 54;
    let &[_, type_id, _, _, function_type, ..] = find(FUNCTION) else { panic!("there is a function") };
    let parameters = parameter_types(&words, function_type);
    for _ in 0..count {
        let mut id = words[3];
        let mut fresh = || {
            id += 1;
            id - 1
        };
        words.extend([5 << 16 | FUNCTION, type_id, fresh(), 0, function_type]);
        for &parameter in &parameters {
            words.extend([3 << 16 | 55, parameter, fresh()]);
        }
        words.extend([2 << 16 | 248, fresh()]);
        for _ in 0..8 {
            // OpUndef
            words.extend([3 << 16 | 1, parameters.first().copied().unwrap_or(type_id), fresh()]);
        }
        // OpUnreachable, OpFunctionEnd
        words.extend([1 << 16 | 255, 1 << 16 | 56]);
        words[3] = id;
    }
    words
}

/// A module with more names.
fn with_names(mut words: Vec<u32>, count: u32) -> Vec<u32> {
    const NAME: u32 = 5;
    let mut at = 5;
    while words[at] & 0xffff != NAME {
        at += (words[at] >> 16) as usize;
    }
    let name = [3 << 16 | NAME, words[at + 1], 0];
    words.splice(at..at, name.into_iter().cycle().take(3 * count as usize));
    words
}

/// The types of the parameters of a function type.
fn parameter_types(words: &[u32], function_type: u32) -> Vec<u32> {
    let mut at = 5;
    while (words[at] & 0xffff, words[at + 1]) != (33, function_type) {
        at += (words[at] >> 16) as usize;
    }
    words[at + 3..at + (words[at] >> 16) as usize].to_vec()
}

/// The bytes that a call allocates.
fn allocated(prepared: &Prepared, device: &Device, settings: &Settings, words: &mut Vec<u32>) -> u64 {
    let call = || drop(prepared.specialize_into(device, settings, words).expect("it can be specialized"));
    measure(call).bytes_total
}

#[test]
#[cfg_attr(debug_assertions, ignore = "debug builds decide twice, to compare")]
fn calls_allocate_nothing_that_grows_with_the_module() {
    let device = Device::default();
    // That of SpecId 0 is a size.
    let set = |number: u32| {
        let settings = Settings::new().ignore_unknown().set(0, number + 1);
        (1..8).fold(settings, |settings, spec_id| settings.set(spec_id, number))
    };
    for name in ["spec/flow", "spec/flow-O", "spec/jumps"] {
        let [few, many] = [FEW, MANY].map(|count| {
            let words = with_functions(fixture(name), count);
            let module = Module::from_words(&words[..]).expect("the module is sound");
            let prepared = Prepared::new(&module).expect("it can be prepared");
            let mut result = Vec::with_capacity(2 * words.len());
            let mut call = |number: u32| allocated(&prepared, &device, &set(number), &mut result);
            call(1);
            // New values, the same again, and others with tables that are there.
            [call(0), call(1), call(0)]
        });
        let names = ["new values", "values of the first call", "values of the call before"];
        for (what, (few, many)) in names.iter().zip(few.iter().zip(many)) {
            println!("{name}, {what}: {few} and {many}");
            assert!(many <= *few, "{name}, {what}: {few} bytes, and in a large module {many}");
        }
    }
}

/// Where a result is changed as a whole, in the memory of a call before.
#[test]
#[cfg_attr(debug_assertions, ignore = "debug builds decide twice, to compare")]
fn changed_results_allocate_nothing_that_grows() {
    type Change = fn(Settings) -> Settings;
    let changes: [(&str, Change); 6] = [
        ("strip", Settings::strip),
        ("trim", Settings::trim),
        ("max_version", |settings| settings.max_version(1, 3)),
        ("work_around", |settings| settings.work_around(Driver::Nvidia)),
        ("keep_interface", Settings::keep_interface),
        ("all", |settings| settings.strip().trim().max_version(1, 3).work_around(Driver::Nvidia)),
    ];
    let device = Device::default();
    let fixture = fixture("spec/flow");
    for (name, change) in changes {
        let [few, many] = [FEW, MANY].map(|count| {
            let words = with_names(with_functions(fixture.clone(), count), count);
            let module = Module::from_words(&words[..]).expect("the module is sound");
            let prepared = Prepared::new(&module).expect("it can be prepared");
            let mut result = Vec::with_capacity(2 * words.len());
            let set = |number: u32| {
                let settings = Settings::new().ignore_unknown().set(0, number + 1);
                change((1..8).fold(settings, |settings, spec_id| settings.set(spec_id, number)))
            };
            let mut call = |number: u32| allocated(&prepared, &device, &set(number), &mut result);
            call(1);
            call(0);
            [call(0), call(1)]
        });
        println!("{name}: {few:?} and {many:?}");
        for (few, many) in few.iter().zip(many) {
            assert!(many <= *few, "{name}: {few} bytes, and in a large module {many}");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "debug builds decide twice, to compare")]
fn packed_modules_allocate_nothing_that_grows() {
    // What they answer differs.
    let devices = ["intel_gpu_pvc", "nvidia_gpu_sm_50"]
        .map(|name| Device::embedded(name).expect("it is in the tables"));
    let settings = Settings::new().unset(Unset::Default);
    let fixture = fixture("glsl/reduce");
    let packed = pack(&Module::from_words(&fixture[..]).expect("it is sound"), &PackOptions::default());
    let packed = packed.expect("it can be packed");
    let [few, many] = [FEW, MANY].map(|count| {
        let words = with_functions(packed.words.clone(), count);
        let module = Module::from_words(&words[..]).expect("the module is sound");
        let module = module.with_properties(packed.properties.clone()).expect("they fit");
        let prepared = Prepared::new(&module).expect("it can be prepared");
        let mut result = Vec::with_capacity(2 * words.len());
        let mut call = |device: &Device| allocated(&prepared, device, &settings, &mut result);
        call(&devices[0]);
        [call(&devices[1]), call(&devices[0])]
    });
    let [new, known] = few;
    assert!(known < new, "{known} bytes for known answers, {new} for new ones");
    for (few, many) in few.iter().zip(many) {
        println!("packed: {few} and {many}");
        assert!(many <= *few, "{few} bytes, and in a large module {many}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "debug builds decide twice, to compare")]
fn calls_leave_at_most_three_times_the_module() {
    let device = Device::default();
    for name in ["spec/flow", "spec/flow-O", "spec/jumps"] {
        let words = with_functions(fixture(name), MANY);
        let module = Module::from_words(&words[..]).expect("the module is sound");
        let mut prepared = None;
        let left = measure(|| {
            let prepared = prepared.insert(Prepared::new(&module).expect("it can be prepared"));
            for number in 0..48u32 {
                // That of SpecId 0 is a size.
                let settings = Settings::new().ignore_unknown().set(0, number + 1);
                let set = |settings: Settings, spec_id: u32| settings.set(spec_id, number >> spec_id & 1);
                drop(
                    prepared.specialize(&device, &(1..8).fold(settings, set)).expect("it can be specialized"),
                );
            }
        });
        let (bytes, size) = (left.bytes_current, 4 * words.len() as i64);
        println!("{name}: {bytes} bytes for a module of {size}");
        assert!(bytes <= 3 * size, "{name}: {bytes} bytes for a module of {size}");
    }
}

/// The SpecIds of a module, each with true for a Boolean.
fn spec_ids(words: &[u32]) -> Vec<(u32, bool)> {
    const DECORATE: u32 = 71;
    const BOOLEANS: [u32; 2] = [48, 49];
    let mut found: Vec<(u32, u32, bool)> = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let (opcode, count) = (words[at] & 0xffff, (words[at] >> 16) as usize);
        if opcode == DECORATE && words[at + 2] == 1 {
            found.push((words[at + 1], words[at + 3], false));
        } else if BOOLEANS.contains(&opcode) {
            let own = found.iter_mut().filter(|(id, ..)| *id == words[at + 2]);
            own.for_each(|(_, _, is_boolean)| *is_boolean = true);
        }
        at += count;
    }
    found.into_iter().map(|(_, spec_id, is_boolean)| (spec_id, is_boolean)).collect()
}

/// The files of modules in a folder and those in it.
fn modules(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the entry can be read").path();
        match path.is_dir() {
            true => modules(&path, found),
            false => found.extend(path.extension().is_some_and(|own| own == "spv").then_some(path)),
        }
    }
}

/// Numbers in a random order, always the same.
struct Random(u64);

impl Random {
    /// A number below another one.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// Settings of a module with these SpecIds, among all that there are.
    fn settings(&mut self, spec_ids: &[(u32, bool)]) -> Settings {
        let mut settings = Settings::new().ignore_unknown();
        for &(spec_id, is_boolean) in spec_ids {
            let value = self.below(if is_boolean { 2 } else { 5 }) as u32;
            settings = match (self.below(6), is_boolean) {
                (0..=2, true) => settings.set(spec_id, value == 1),
                (0..=2, false) => settings.set(spec_id, value),
                (3, true) => settings.set_default(spec_id, value == 1),
                (3, false) => settings.set_default(spec_id, value),
                (4, _) => settings.leave(spec_id),
                _ => settings,
            };
        }
        let mut one_in = |bound: u64, change: fn(Settings) -> Settings| {
            if self.below(bound) == 0 {
                settings = change(std::mem::take(&mut settings));
            }
        };
        one_in(3, Settings::strip);
        one_in(4, Settings::trim);
        one_in(4, Settings::keep_interface);
        one_in(6, |settings| settings.max_version(1, 0));
        one_in(6, |settings| settings.max_version(1, 3));
        one_in(4, |settings| settings.unset(Unset::Keep));
        one_in(4, |settings| settings.unset(Unset::Error));
        one_in(8, |settings| settings.work_around(Driver::Nvidia));
        settings
    }
}

/// With the tables of the module itself, whatever devices and settings were asked for.
#[test]
fn prepared_modules_take_at_most_three_times_their_size() {
    let mut paths = Vec::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), &mut paths);
    paths.sort();
    let devices: Vec<Device> = DeviceConfig::embedded()
        .expect("there are devices")
        .iter()
        .cloned()
        .chain([Device::default()])
        .collect();
    let (mut random, mut compared) = (Random(7), 0);
    for path in paths {
        let bytes = std::fs::read(&path).expect("the fixture can be read");
        let Ok(module) = Module::from_bytes(&bytes) else { continue };
        let mut all = vec![(module.words().to_vec(), None)];
        if let Ok(packed) = pack(&module, &PackOptions::default()) {
            all.push((packed.words, Some(packed.properties)));
        }
        for (words, properties) in all {
            let (spec_ids, size) = (spec_ids(&words), 4 * words.len() as i64);
            // The words are the caller's, and so are the property sets.
            let mut given = size;
            let mut module = Module::from_words(words).expect("it was loaded before");
            if let Some(properties) = properties {
                given += measure(|| std::mem::forget(properties.clone())).bytes_current;
                module = module.with_properties(properties).expect("they were made for it");
            }
            let Ok(prepared) = Prepared::new(&module) else { continue };
            for _ in 0..60 {
                let device = &devices[random.below(devices.len() as u64) as usize];
                drop(prepared.specialize(device, &random.settings(&spec_ids)));
            }
            let held = -measure(|| drop(prepared)).bytes_current - measure(|| drop(module)).bytes_current;
            let held = held - given;
            assert!(held <= 3 * size, "{}: {held} bytes for a module of {size}", path.display());
            compared += 1;
        }
    }
    assert!(compared >= 250, "{compared}");
}
