//! Properties of every call with any input: no panic, limited time and memory for the input's length, and no result that does not load.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::panic::Location;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use spirv_if::Module;

/// Limits on the processor time and memory of a call.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The limit for any input, however small. Memory counts beyond the use of the smallest inputs ([`measure`]).
    constant: (Duration, usize),
    /// For each byte of the input.
    per_byte: (Duration, usize),
}

/// The limits of most calls. Features that the smallest inputs do not have cost something once.
pub const LINEAR: Limits =
    Limits { constant: (Duration::from_millis(4), 64 << 10), per_byte: (Duration::from_micros(4), 16) };

/// The limits of calls that read or write tables. Each cell is a string of at least 24 bytes, in a list that doubles when it is full.
pub const OF_CELLS: Limits = Limits { per_byte: (Duration::from_micros(4), 48), ..LINEAR };

/// The limits of calls that read YAML or JSON: each bracket that is open costs its parser some hundred bytes, and there may be a thousand.
pub const OF_TEXTS: Limits = Limits { constant: (Duration::from_millis(4), 128 << 10), ..LINEAR };

/// The limits of calls that inspect. An unknown instruction may require all declarations of a module with their aspects, in each entry
/// point.
pub const OF_INSPECTION: Limits = Limits { constant: (Duration::from_millis(4), 512 << 10), ..LINEAR };

/// The limits of calls that evaluate a condition. Decision diagrams may grow with a power of 2, up to the library's limit.
pub const OF_CONDITIONS: Limits = Limits { constant: (Duration::from_millis(500), 48 << 20), ..LINEAR };

/// The number of runs of a call. The cheapest counts: others fill caches, or share the processor.
const RUNS: usize = 4;

/// The system's allocator, which counts bytes in use.
struct CountingAllocator;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn took(size: usize) {
    PEAK.fetch_max(USED.fetch_add(size, Relaxed) + size, Relaxed);
}

// SAFETY: everything is the system's allocator's; counting has no part in it.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(start, layout) }
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        took(size);
        USED.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(start, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Memory that each call takes for the smallest inputs, by place of the call.
static SMALLEST: Mutex<BTreeMap<&'static Location<'static>, usize>> = Mutex::new(BTreeMap::new());

/// True while that is measured.
static MEASURES: AtomicBool = AtomicBool::new(false);

/// Measures the memory that the calls of a target take for the smallest inputs, which others may take as well.
pub fn measure<I: ?Sized>(inputs: &[&I], target: fn(&I)) {
    MEASURES.store(true, Relaxed);
    inputs.iter().for_each(|input| target(input));
    MEASURES.store(false, Relaxed);
}

/// The memory that a call may take for any input, however small; one that the smallest inputs do not come to, as much as any other.
fn of_smallest(call: &'static Location<'static>) -> usize {
    let known = SMALLEST.lock().unwrap_or_else(PoisonError::into_inner);
    known.get(call).or_else(|| known.values().max()).copied().unwrap_or(0)
}

/// Calls a function for an input of `bytes` bytes and returns its result.
///
/// # Panics
/// If it takes more processor time or memory than such an input may.
#[track_caller]
pub fn bounded<T>(bytes: usize, call: impl FnMut() -> T) -> T {
    limited(LINEAR, bytes, call)
}

/// Like [`bounded`], but with other limits.
///
/// # Panics
/// If it exceeds them.
#[track_caller]
pub fn limited<T>(limits: Limits, bytes: usize, mut call: impl FnMut() -> T) -> T {
    let Limits { constant, per_byte } = limits;
    let (measures, place) = (MEASURES.load(Relaxed), Location::caller());
    let most_time = constant.0 + per_byte.0 * u32::try_from(bytes).unwrap_or(u32::MAX);
    let most_memory = of_smallest(place) + constant.1 + per_byte.1 * bytes;
    let (mut least_time, mut least_memory) = (Duration::MAX, usize::MAX);
    for run in 1..=RUNS {
        let before = USED.load(Relaxed);
        PEAK.store(before, Relaxed);
        let start = processor_time();
        let result = call();
        least_time = least_time.min(processor_time() - start);
        least_memory = least_memory.min(PEAK.load(Relaxed) - before);
        if measures && run == RUNS {
            let mut known = SMALLEST.lock().unwrap_or_else(PoisonError::into_inner);
            let most = known.entry(place).or_default();
            *most = least_memory.max(*most);
            return result;
        }
        if !measures && least_time <= most_time && least_memory <= most_memory {
            return result;
        }
    }
    panic!("{bytes} bytes take {least_time:?} of {most_time:?}, and {least_memory} bytes of {most_memory}");
}

/// The folder for inputs and results, if they are kept: then scripts/fuzz.sh validates them.
static KEPT: LazyLock<Option<std::ffi::OsString>> =
    LazyLock::new(|| std::env::var_os("SPIRV_IF_FUZZ_RESULTS"));

/// True if results are kept, to be validated.
pub fn keeps_results() -> bool {
    KEPT.is_some()
}

/// Keeps an input, and what was made of it: of valid modules, valid ones must be made.
pub fn keep<'w>(inputs: &[Module], results: impl IntoIterator<Item = &'w [u32]>) {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let Some(folder) = &*KEPT else { return };
    let folder = Path::new(folder).join(COUNT.fetch_add(1, Relaxed).to_string());
    std::fs::create_dir_all(&folder).expect("a folder for results");
    let write = |name: String, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(folder.join(name), bytes).expect("a file for a result");
    };
    for (number, input) in inputs.iter().enumerate() {
        write(format!("input-{number}.spv"), input.words());
    }
    for (number, result) in results.into_iter().enumerate() {
        write(format!("result-{number}.spv"), result);
    }
}

/// Loads words that a call returned.
///
/// # Panics
/// If they do not load.
pub fn loaded(words: &[u32]) -> Module<'_> {
    Module::from_words(words).unwrap_or_else(|error| panic!("a result does not load: {error}"))
}
