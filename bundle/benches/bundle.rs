//! Size and speed of bundles, beside plain zstd: `cargo bench -p spirv-if-bundle -- FILE...`, where files are modules, or libraries with modules
//! inside, such as `libggml-vulkan.so` of Debian's libggml0-backend-vulkan. Without a file, the fixtures of the repository.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use spirv_if::module::find_modules;
use spirv_if_bundle::{Bundle, BundleBuilder, BundleError, ShaderVariant};

/// Number of measured readings; the best time counts.
const RUNS: usize = 5;

/// The files of the command line, without cargo's own options, or the fixtures.
fn files() -> Vec<PathBuf> {
    let given: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).map(PathBuf::from).collect();
    match given.is_empty() {
        true => files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")),
        false => given
            .into_iter()
            .flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] })
            .collect(),
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the folder").path()).collect();
    paths.sort();
    let below = |path: PathBuf| match path.is_dir() {
        true => files_below(&path),
        false => Vec::from_iter(path.extension().is_some_and(|extension| extension == "spv").then_some(path)),
    };
    paths.into_iter().flat_map(below).collect()
}

fn modules() -> Vec<Vec<u32>> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        find_modules(&bytes).filter_map(|found| Some(found.load()?.words().to_vec())).collect::<Vec<_>>()
    };
    files().into_iter().flat_map(read).collect()
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Millions of bytes in a second.
fn rate(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

fn main() {
    let modules = modules();
    let size: usize = modules.iter().map(|words| 4 * words.len()).sum();
    println!("{} modules, {size} bytes", modules.len());
    let all: Vec<u8> = modules.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    let mut plain = zstd::bulk::Compressor::new(19).expect("a compressor");
    plain.set_parameter(zstd::zstd_safe::CParameter::WindowLog(26)).expect("a window");
    let (compressed, time) = timed(|| plain.compress(&all).expect("compressed bytes"));
    println!("zstd -19 --long: {} bytes, written at {:.1} MB/s", compressed.len(), rate(size, time));
    for solid in [false, true] {
        let mut builder = BundleBuilder::new();
        builder.solid(solid);
        for (number, words) in modules.iter().enumerate() {
            builder.add(number.to_string(), [ShaderVariant::new(&words[..])]).expect("a new name");
        }
        let (bytes, time) = timed(|| builder.to_bytes().expect("a bundle"));
        let kind = if solid { "solid" } else { "random access" };
        println!("{kind}: {} bytes, written at {:.1} MB/s", bytes.len(), rate(size, time));
        let bundle = Bundle::from_bytes(&bytes).expect("a bundle");
        let mut decoded = 0;
        let mut best = Duration::MAX;
        for _ in 0..RUNS {
            decoded = 0;
            let visit = |_: usize, words: &[u32]| {
                decoded += 4 * words.len();
                Ok::<_, BundleError>(())
            };
            best = best.min(timed(|| bundle.for_each_module(visit).expect("all modules")).1);
        }
        println!("  all modules once: {:.0} MB/s on one core", rate(decoded, best));
        if !solid {
            let get = |number: usize| timed(|| bundle.get(&number.to_string()).expect("a module"));
            let mut times: Vec<Duration> = (0..modules.len())
                .map(|number| {
                    let (words, time) = get(number);
                    assert!(words == modules[number]);
                    time
                })
                .collect();
            times.sort();
            let micros = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
            println!(
                "  one module: median {:.0} us, 90 % below {:.0} us, at most {:.0} us",
                micros(50),
                micros(90),
                micros(100)
            );
        }
        let (_, time) = timed(|| Bundle::from_bytes(&bytes[..]).expect("a bundle"));
        println!("  opened in {:.0} us", time.as_secs_f64() * 1e6);
    }
}
