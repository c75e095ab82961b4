//! Time of calls of the library, without starting a process, and the memory that they allocate: `cargo bench --bench main`.
//!
//! With `NAME COUNT` alone, the program makes a call `COUNT` times and prints the nanoseconds of one: `scripts/speed.py` counts instructions
//! of that.
//!
//! The inputs are the modules of about 8 MB that `scripts/build-corpus.sh large` makes; without them, the largest fixture.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use spirv_if::link::{LinkOptions, link};
use spirv_if::module::find_modules;
use spirv_if::trim::trim;
use spirv_if::{Device, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::Inspector;

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// A device with all of the aspects that large-conditional.cl asks for, and one without double precision.
const WITH: &str = "intel_gpu_bmg_g21";
const WITHOUT: &str = "intel_gpu_acm_g10";

/// A call, and the number of bytes that it reads.
struct MeasuredCall {
    bytes: usize,
    call: Box<dyn FnMut()>,
}

/// A call by its name, with what prepares it.
type NamedCall = (&'static str, fn() -> MeasuredCall);

const CALLS: [NamedCall; 13] = [
    ("load", || transform(&PLAIN, |module| module.words().len())),
    ("trim", || transform(&PLAIN, |module| trim(module).expect("it can be trimmed").words.len())),
    ("inspect", || transform(&PLAIN, inspected)),
    ("pack", || transform(&CONDITIONAL, |module| packed(module).len())),
    ("specialize-with", || transform(&PACKED, |module| specialized(module, WITH))),
    ("specialize-without", || transform(&PACKED, |module| specialized(module, WITHOUT))),
    ("specialize-prepared", || specialize_prepared(&PACKED)),
    ("link", link_units),
    ("find", find_embedded),
    ("device", || MeasuredCall::new(0, || drop(device(WITH)))),
    ("small-specialize", || transform(&SMALL, |module| specialized(module, WITH))),
    ("small-prepared", || specialize_prepared(&SMALL)),
    ("small-constants", set_constants),
];

static PLAIN: LazyLock<Vec<u32>> = LazyLock::new(|| read("large.spv"));
static CONDITIONAL: LazyLock<Vec<u32>> = LazyLock::new(|| read("large-conditional.spv"));
static PACKED: LazyLock<Vec<u32>> = LazyLock::new(|| packed(&load(&CONDITIONAL)));
static SMALL: LazyLock<Vec<u32>> = LazyLock::new(|| packed(&load(&words_of(&fixture("glsl/reduce.spv")))));
static CONSTANTS: LazyLock<Vec<u32>> = LazyLock::new(|| words_of(&fixture("ubershaders/filter.spv")));

/// Translation units: what build-corpus.sh large makes, else fixtures.
static TRANSLATION_UNITS: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| {
    let names = ["link-1.spv", "link-2.spv", "link-3.spv"];
    if names.iter().all(|name| large(name).exists()) {
        return names.into_iter().map(read).collect();
    }
    ["opencl/many.spv", "link/user-O2.spv", "link/library-O2.spv"].map(|name| words_of(&fixture(name))).into()
});

/// A file with modules inside: the largest fixture in both byte orders, between zeros, text and numbers, over and over.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let fixture = std::fs::read(fixture(LARGEST)).expect("the fixture can be read");
    let swapped: Vec<u8> = fixture.chunks_exact(4).flat_map(|word| word.iter().rev().copied()).collect();
    let numbers: Vec<u8> =
        (0_u32..10_000).flat_map(|number| number.wrapping_mul(0x9e37_79b9).to_le_bytes()).collect();
    let part = [&fixture[..], &[0; 100], b"some text", &swapped, &numbers].concat();
    part.repeat(FILE_BYTES.div_ceil(part.len()))
});
const FILE_BYTES: usize = 8 << 20;
const LARGEST: &str = "opencl/many.spv";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, name, count] = &args[..]
        && let Ok(count) = count.parse::<u32>()
    {
        let mut call = prepare(name).call;
        let start = Instant::now();
        (0..count).for_each(|_| call());
        println!("{}", start.elapsed().as_nanos() / u128::from(count));
        return;
    }
    if !large("large.spv").exists() {
        eprintln!("scripts/build-corpus.sh large makes larger modules, whose figures mean more");
    }
    divan::main();
}

#[divan::bench(args = CALLS.map(|(name, _)| name))]
fn call(bencher: Bencher, name: &str) {
    let MeasuredCall { bytes, call } = prepare(name);
    bencher.counter(BytesCount::new(bytes)).bench_local(call);
}

fn prepare(name: &str) -> MeasuredCall {
    let (_, prepare) = CALLS.into_iter().find(|row| row.0 == name).expect("a call has this name");
    prepare()
}

impl MeasuredCall {
    /// A call whose result, such as the length of a module, keeps the compiler from leaving it out.
    fn new<R>(bytes: usize, mut call: impl FnMut() -> R + 'static) -> MeasuredCall {
        MeasuredCall { bytes, call: Box::new(move || drop(divan::black_box(call()))) }
    }
}

fn large(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/large").join(name)
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn read(name: &str) -> Vec<u32> {
    words_of(&Some(large(name)).filter(|path| path.exists()).unwrap_or_else(|| fixture(LARGEST)))
}

fn words_of(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).expect("the module can be read");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn load(words: &[u32]) -> Module<'_> {
    Module::from_words(words).expect("the module is sound")
}

fn device(name: &str) -> Device {
    Device::embedded(divan::black_box(name)).expect("it is in the tables")
}

/// Everything from the words of a module to those of the result.
fn transform(words: &'static [u32], work: impl Fn(&Module) -> usize + 'static) -> MeasuredCall {
    MeasuredCall::new(4 * words.len(), move || work(&load(words)))
}

/// From words to what is printed as JSON.
fn inspected(module: &Module) -> usize {
    let options = InspectOptions::default();
    let inspector = Inspector::new(&options).expect("it is sound");
    inspector.inspect(module).expect("it can be inspected").to_json().expect("it is plain data").len()
}

fn packed(module: &Module) -> Vec<u32> {
    pack(module, &PackOptions::default()).expect("it can be packed").words
}

fn specialized(module: &Module, name: &str) -> usize {
    let prepared = Prepared::new(module).expect("it is packed");
    prepared.specialize(&device(name), &Settings::new()).expect("it can be specialized").words.len()
}

/// From the words of all to those of the result.
fn link_units() -> MeasuredCall {
    let units = &*TRANSLATION_UNITS;
    MeasuredCall::new(units.iter().map(|words| words.len() * 4).sum(), move || {
        let modules: Vec<Module> = units.iter().map(|words| load(words)).collect();
        link(&modules, &LinkOptions::new()).expect("they can be linked").module.words().len()
    })
}

fn find_embedded() -> MeasuredCall {
    let file = FILE.as_slice();
    MeasuredCall::new(file.len(), move || find_modules(file).filter_map(|candidate| candidate.load()).count())
}

/// A call once the module is prepared, into the same memory each time, for one device after the other.
fn specialize_prepared(words: &'static [u32]) -> MeasuredCall {
    call_prepared(words, [WITH, WITHOUT].map(|name| (device(name), Settings::new())))
}

/// Like [`specialize_prepared`], but sets all specialization constants to other values each time.
fn set_constants() -> MeasuredCall {
    let settings = [1, 2].map(|value| (0..3).fold(Settings::new(), |settings, id| settings.set(id, value)));
    call_prepared(&CONSTANTS, settings.map(|settings| (Device::default(), settings)))
}

fn call_prepared(words: &'static [u32], calls: [(Device, Settings); 2]) -> MeasuredCall {
    let prepared = Prepared::owning(load(words)).expect("it is sound");
    let (mut result, mut number) = (Vec::new(), 0);
    MeasuredCall::new(4 * words.len(), move || {
        number += 1;
        let (device, settings) = &calls[number % calls.len()];
        let segments = prepared.specialize_in_segments(&[device], settings).expect("it can be specialized");
        result.resize(segments.len(), 0);
        segments.write_to(&mut result);
        result.len()
    })
}
