//! Modules that are prepared once and specialized many times: every fixture of 0.4 to 20 KB with specialization constants, all of them set,
//! and a packed module for a device. With those that `scripts/setup.sh ggml-more` makes of ggml's shaders, they are more than 50.
//!
//! `first` is a call that loads and prepares the module too, and `each` a call with one of several settings.
//!
//! `cargo bench --bench prepared` measures all modules together; `cargo bench --bench prepared -- --table` prints the median and the worst
//! of single modules, as `--table NAME` does the module with that name. For instructions, run that below callgrind.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::{AllocProfiler, Bencher};
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// A fixture with specialization constants.
struct PreparedFixture {
    name: String,
    words: Vec<u32>,
    /// Settings of all its constants.
    settings: Vec<Settings>,
}

static FIXTURES: LazyLock<Vec<PreparedFixture>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("fixtures"), &mut paths);
    let more = root.join("target/ggml/more");
    if more.is_dir() {
        collect(&more, &mut paths);
    }
    paths.sort();
    paths.iter().filter_map(|path| fixture(path, root)).collect()
});

static PACKED: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let words = words_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/glsl/reduce.spv"));
    pack(&load(&words), &PackOptions::default()).expect("it can be packed").words
});

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "--table");
    match args.next() {
        // Cargo adds options of its own.
        Some(_) => table(args.next().filter(|name| !name.starts_with("--")).as_deref()),
        None => divan::main(),
    }
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, paths),
            false => paths.extend(
                Some(path).filter(|path| path.extension().is_some_and(|extension| extension == "spv")),
            ),
        }
    }
}

fn words_of(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).expect("the module can be read");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn load(words: &[u32]) -> Module<'_> {
    Module::from_words(words).expect("the module is sound")
}

/// The number of different settings.
const SETTINGS: u32 = 4;

/// A fixture, if it is of the right size and all its constants can be set.
fn fixture(path: &Path, folder: &Path) -> Option<PreparedFixture> {
    let words = words_of(path);
    if !(100..=5000).contains(&words.len()) {
        return None;
    }
    let spec_ids = spec_ids(&words);
    let settings: Vec<Settings> = (1..=SETTINGS)
        .map(|number| {
            spec_ids.iter().fold(Settings::new(), |settings, &(spec_id, is_bool)| match is_bool {
                true => settings.set(spec_id, number % 2 == 1),
                false => settings.set(spec_id, number),
            })
        })
        .collect();
    let module = Module::from_words(&words[..]).ok()?;
    let prepared = Prepared::new(&module).ok()?;
    let sets = |settings| prepared.specialize(&Device::default(), settings).is_ok();
    if spec_ids.is_empty() || !settings.iter().all(sets) {
        return None;
    }
    let name = path.strip_prefix(folder).expect("it is inside").display().to_string();
    Some(PreparedFixture { name, words, settings })
}

/// The SpecIds of a module, and which of them are of Booleans.
fn spec_ids(words: &[u32]) -> Vec<(u32, bool)> {
    const DECORATE_SPEC_ID: (u32, u32) = (4 << 16 | 71, 1);
    const SPEC_CONSTANT_TRUE: u32 = 48;
    const SPEC_CONSTANT_FALSE: u32 = 49;
    let mut constants: Vec<(u32, u32, bool)> = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        if first == DECORATE_SPEC_ID.0 && words[at + 2] == DECORATE_SPEC_ID.1 {
            constants.push((words[at + 1], words[at + 3], false));
        }
        if matches!(first & 0xffff, SPEC_CONSTANT_TRUE | SPEC_CONSTANT_FALSE) {
            constants
                .iter_mut()
                .filter(|constant| constant.0 == words[at + 2])
                .for_each(|constant| constant.2 = true);
        }
        at += (first >> 16).max(1) as usize;
    }
    constants.into_iter().map(|(_, spec_id, is_bool)| (spec_id, is_bool)).collect()
}

#[divan::bench]
fn load_all(bencher: Bencher) {
    bencher.bench(|| FIXTURES.iter().map(|fixture| load(&fixture.words).words().len()).sum::<usize>());
}

#[divan::bench]
fn prepare_all(bencher: Bencher) {
    let modules: Vec<Module> = FIXTURES.iter().map(|fixture| load(&fixture.words)).collect();
    bencher.bench_local(|| {
        modules.iter().for_each(|module| drop(black_box(Prepared::new(module).expect("it is sound"))));
    });
}

#[divan::bench]
fn set_all(bencher: Bencher) {
    let modules: Vec<Module> = FIXTURES.iter().map(|fixture| load(&fixture.words)).collect();
    let prepared: Vec<Prepared> =
        modules.iter().map(|module| Prepared::new(module).expect("it is sound")).collect();
    let device = Device::default();
    bencher.bench_local(|| {
        for (prepared, fixture) in prepared.iter().zip(FIXTURES.iter()) {
            for settings in &fixture.settings {
                black_box(prepared.specialize(&device, settings).expect("it can be specialized"));
            }
        }
    });
}

#[divan::bench]
fn packed_for_device(bencher: Bencher) {
    let module = load(&PACKED);
    let prepared = Prepared::new(&module).expect("it is sound");
    let device = Device::embedded("intel_gpu_bmg_g21").expect("it is in the tables");
    bencher
        .bench_local(|| prepared.specialize(&device, &Settings::new()).expect("it runs there").words.len());
}

#[divan::bench]
fn embedded_device(bencher: Bencher) {
    bencher.bench(|| Device::embedded(black_box("intel_gpu_bmg_g21")).expect("it is in the tables"));
}

/// The shortest time of some work, which is what it takes where nothing else runs.
fn shortest<R>(mut work: impl FnMut() -> R) -> Duration {
    let once = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..20).for_each(|_| work());
        start.elapsed() / 20
    };
    (0..15).map(|_| once(&mut || drop(black_box(work())))).min().expect("there are some")
}

/// Prints what single modules take: to load and to prepare them, for the first setting, and for each.
fn table(name: Option<&str>) {
    let device = Device::default();
    let mut rows: Vec<(&str, usize, [Duration; 4])> = Vec::new();
    for fixture in FIXTURES.iter().filter(|fixture| name.is_none_or(|name| fixture.name == name)) {
        let module = load(&fixture.words);
        let loaded = shortest(|| load(&fixture.words));
        let preparation = shortest(|| Prepared::new(&module).map(drop));
        let first = shortest(|| {
            let module = load(&fixture.words);
            let prepared = Prepared::new(&module).expect("it is sound");
            prepared.specialize(&device, &fixture.settings[0]).map(drop)
        });
        let prepared = Prepared::new(&module).expect("it is sound");
        let (mut words, mut number) = (Vec::new(), 0);
        let each = shortest(|| {
            number = (number + 1) % fixture.settings.len();
            let segments = prepared.specialize_in_segments(&[&device], &fixture.settings[number])?;
            words.resize(segments.len(), 0);
            segments.write_to(&mut words);
            Ok::<(), spirv_if::Error>(())
        });
        rows.push((&fixture.name, fixture.words.len() * 4, [loaded, preparation, first, each]));
    }
    rows.sort_by_key(|row| row.2[3]);
    let columns = ["load", "prepare", "first", "each"];
    let head = columns.map(|column| format!("{column:>9}")).join(" ");
    println!("{:50} {:>7} {head}", "module", "bytes");
    for (name, bytes, times) in &rows {
        let times = times.map(|time| format!("{:9.2}", time.as_nanos() as f64 / 1000.0)).join(" ");
        println!("{name:50} {bytes:7} {times}");
    }
    for (column, what) in columns.into_iter().enumerate() {
        let mut times: Vec<Duration> = rows.iter().map(|row| row.2[column]).collect();
        times.sort_unstable();
        println!(
            "{what}: median {:?}, worst {:?} of {}",
            times[times.len() / 2],
            times[times.len() - 1],
            times.len()
        );
    }
    if name.is_none() {
        let module = load(&PACKED);
        let prepared = Prepared::new(&module).expect("it is sound");
        let pvc = Device::embedded("intel_gpu_bmg_g21").expect("it is in the tables");
        let packed = shortest(|| prepared.specialize(&pvc, &Settings::new()).expect("it runs there"));
        let embedded = shortest(|| Device::embedded("intel_gpu_bmg_g21").expect("it is in the tables"));
        let loaded = shortest(|| load(&PACKED));
        println!("packed of {} bytes: load {loaded:?}, for a device {packed:?}", PACKED.len() * 4);
        println!("Device::embedded: {embedded:?}");
    }
}
