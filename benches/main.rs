//! Time of loading, writing, packing, specializing and inspecting, and the memory that they allocate, without starting a process:
//! `cargo bench`. Against spirv-opt: `scripts/compare-speed.sh`.
//!
//! The inputs are the modules of about 8 MB that `scripts/build-large.sh` makes; without them, the largest fixture.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use spirv_if::inspect::Inspector;
use spirv_if::link::{LinkOptions, link};
use spirv_if::module::find_modules;
use spirv_if::pack::Packed;
use spirv_if::trim::trim;
use spirv_if::{Device, InspectOptions, Module, PackOptions, Prepared, Settings, pack};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// A device with all of the aspects that large-conditional.cl asks for, and one without double precision.
const WITH: &str = "intel_gpu_bmg_g21";
const WITHOUT: &str = "intel_gpu_acm_g10";

static PLAIN: LazyLock<Vec<u32>> = LazyLock::new(|| read("large.spv"));
static CONDITIONAL: LazyLock<Vec<u32>> = LazyLock::new(|| read("large-conditional.spv"));
/// The packed module.
static PACKED: LazyLock<Packed> =
    LazyLock::new(|| pack(&load(&CONDITIONAL), &PackOptions::default()).expect("it can be packed"));

/// Translation units: what build-large.sh makes, else fixtures.
static TRANSLATION_UNITS: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| {
    let names = ["link-1.spv", "link-2.spv", "link-3.spv"];
    if names.iter().all(|name| large(name).exists()) {
        return names.into_iter().map(read).collect();
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    ["opencl/many.spv", "link/user-O2.spv", "link/library-O2.spv"]
        .map(|name| words_of(&fixtures.join(name)))
        .into()
});

/// A file with modules inside: the largest fixture in both byte orders, between zeros, text and numbers, over and over.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let fixture = std::fs::read(fixture()).expect("the fixture can be read");
    let swapped: Vec<u8> = fixture.chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    let numbers: Vec<u8> =
        (0_u32..10_000).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    let part = [&fixture[..], &[0; 100], b"some text", &swapped, &numbers].concat();
    part.repeat(FILE_BYTES.div_ceil(part.len()))
});
const FILE_BYTES: usize = 8 << 20;

fn main() {
    for (name, module) in [("large.spv", &PLAIN), ("large-conditional.spv", &CONDITIONAL)] {
        eprintln!("{}: {} bytes", path(name).display(), module.len() * 4);
    }
    if !large("large.spv").exists() {
        eprintln!("scripts/build-large.sh makes larger modules, whose figures mean more");
    }
    divan::main();
}

fn large(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/large").join(name)
}

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/opencl/many.spv")
}

fn path(name: &str) -> PathBuf {
    Some(large(name)).filter(|path| path.exists()).unwrap_or_else(fixture)
}

fn read(name: &str) -> Vec<u32> {
    words_of(&path(name))
}

fn words_of(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).expect("the module can be read");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn load(words: &[u32]) -> Module<'_> {
    Module::from_words(words).expect("the module is sound")
}

/// Everything from the words of a module to those of the result.
fn bench(bencher: Bencher, words: &[u32], work: impl Fn(&Module) -> Vec<u32> + Sync) {
    bencher.counter(BytesCount::of_slice(words)).bench(|| work(&load(words)));
}

#[divan::bench]
fn load_and_index(bencher: Bencher) {
    let words = PLAIN.as_slice();
    bencher.counter(BytesCount::of_slice(words)).bench(|| load(words));
}

#[divan::bench]
fn find_embedded(bencher: Bencher) {
    let file = FILE.as_slice();
    bencher
        .counter(BytesCount::of_slice(file))
        .bench(|| find_modules(file).filter_map(|candidate| candidate.load()).count());
}

/// From words to what is printed as JSON.
#[divan::bench]
fn inspect_large(bencher: Bencher) {
    let words = PLAIN.as_slice();
    let options = InspectOptions::default();
    let work = || {
        let inspector = Inspector::new(&options).expect("it is sound");
        let module = load(words);
        inspector.inspect(&module).expect("it can be inspected").to_json().expect("it is plain data")
    };
    bencher.counter(BytesCount::of_slice(words)).bench(work);
}

#[divan::bench]
fn trim_large(bencher: Bencher) {
    bench(bencher, &PLAIN, |module| trim(module).expect("it can be trimmed").words);
}

#[divan::bench]
fn pack_large(bencher: Bencher) {
    let options = PackOptions::default();
    bench(bencher, &CONDITIONAL, |module| pack(module, &options).expect("it can be packed").words);
}

/// From the words of all to those of the result.
#[divan::bench]
fn link_units(bencher: Bencher) {
    let units = &*TRANSLATION_UNITS;
    let work = || {
        let modules: Vec<Module> = units.iter().map(|words| load(words)).collect();
        link(&modules, &LinkOptions::new()).expect("they can be linked").module.words().len()
    };
    let bytes = units.iter().map(|words| words.len() * 4).sum::<usize>();
    bencher.counter(BytesCount::new(bytes)).bench(work);
}

#[divan::bench]
fn specialize_with_double(bencher: Bencher) {
    specialize_for(bencher, WITH);
}

#[divan::bench]
fn specialize_without_double(bencher: Bencher) {
    specialize_for(bencher, WITHOUT);
}

/// Measures a call once the module is prepared, into the same memory each time.
#[divan::bench]
fn specialize_prepared(bencher: Bencher) {
    let module = load(&PACKED.words);
    let prepared = Prepared::new(&module).expect("it is packed");
    let devices = [WITH, WITHOUT].map(|name| Device::embedded(name).expect("it is in the tables"));
    let (mut words, mut number) = (Vec::new(), 0);
    bencher.counter(BytesCount::of_slice(&PACKED.words)).bench_local(|| {
        number += 1;
        let device = &devices[number % devices.len()];
        let segments =
            prepared.specialize_in_segments(&[device], &Settings::new()).expect("it can be specialized");
        words.resize(segments.len(), 0);
        segments.write_to(&mut words);
        words.len()
    });
}

fn specialize_for(bencher: Bencher, name: &str) {
    let device = Device::embedded(name).expect("it is in the tables");
    bench(bencher, &PACKED.words, |module| {
        let prepared = Prepared::new(module).expect("it is packed");
        prepared.specialize(&device, &Settings::new()).expect("it can be specialized").words
    });
}
