//! Pipelines of a Vulkan driver, created in two ways: from a module with its specialization constants set through VkSpecializationInfo, and
//! from what `specialize` makes of that module with the same values.
//!
//! ```text
//! cargo bench --bench pipelines                          with the driver of this machine
//! cargo bench --bench pipelines -- --csv FILE            also writes all figures
//! cargo bench --bench pipelines -- --rounds 9            7 by default
//! cargo bench --bench pipelines -- --driver target/tools/drivers/vulkan-lavapipe
//! cargo bench --bench pipelines -- --lowered             the rates of arithmetic instead, native and lowered (docs/lowering.md): of shaders, or
//!                                                        where no driver of Vulkan is, of kernels
//! cargo bench --bench pipelines -- --variants            what the driver's statistics say of variants, and how good advice from few combinations is
//! cargo bench --bench pipelines -- --variants --module post   of one shader alone
//! cargo bench --bench pipelines -- --variants --ocloc pvc   the same of kernels, for one of Intel's GPUs, by the program that OCLOC or PATH has
//! ```
//!
//! The shaders are those of `fixtures/ubershaders`, and ggml's where `scripts/setup.sh ggml` has brought them. Each round is a process of its
//! own, in which every pipeline is created once and runs once: some drivers compile only then. Cold rounds have no cache on disk, and modules
//! that no other round has. Warm rounds have the driver's own cache, which a round before them has filled. No round has a VkPipelineCache.
//!
//! `docs/results/gains.md` has results.

// Modules of the tests, of which a part is used, and which may unwrap.
#![allow(dead_code, clippy::unwrap_used)]
#![expect(unsafe_code, reason = "Vulkan's calls are unsafe")]

mod arithmetic;
#[path = "../../cli/tests/all/drivers/vulkan/features.rs"]
mod features;
#[path = "../../cli/tests/all/drivers/vulkan/ggml_shaders.rs"]
mod ggml_shaders;
mod kernels;
#[path = "../../cli/tests/all/random.rs"]
mod random;
#[path = "../../cli/tests/all/drivers/vulkan/runner.rs"]
mod runner;
mod ubershaders;
mod variants;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use ash::vk;
use spirv_if::{Device, Module, Prepared, Settings};
use spirv_if_probe::statistics::serve;

use arithmetic::{ArithmeticModule, ArithmeticRun};
use kernels::OpenCl;
use runner::{Failure, ShaderJob, Vulkan};
use ubershaders::ShaderSetting;

/// Stands for a round in the arguments of the process that runs it, before its number.
const ROUND: &str = "--round";
/// Stands before the folder of the driver's cache in the same arguments.
const CACHE: &str = "--cache";
/// Compares arithmetic instead of pipelines.
const LOWERED: &str = "--lowered";
/// Compares statistics of variants instead of pipelines that run.
const VARIANTS: &str = "--variants";
/// Stands for the process of a driver in its arguments.
const SERVE: &str = "--serve";
/// Number of rounds, cold and warm, of which the shortest counts.
const ROUNDS: usize = 7;
/// Begins the line that describes the device.
const DEVICE: &str = "device: ";

fn main() -> Result<()> {
    let mut options = BenchOptions::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--driver" => options.driver = Some(value()?.into()),
            "--csv" => options.csv = Some(value()?.into()),
            "--rounds" => options.rounds = value()?.parse()?,
            LOWERED => options.lowered = true,
            VARIANTS => options.variants = true,
            "--module" => options.modules.push(value()?),
            "--ocloc" => options.ocloc = Some(value()?),
            SERVE => return Ok(serve(|| Ok(0), std::io::stdin(), std::io::stdout())?),
            ROUND => options.round = Some(value()?.parse()?),
            CACHE => options.cache = Some(value()?.into()),
            // Cargo adds it.
            "--bench" => {}
            _ => {
                bail!(
                    "unknown option {argument}: there are --driver PROGRAM, --csv FILE, --rounds NUMBER, --module NAME, --ocloc GPU, {LOWERED} and {VARIANTS}"
                )
            }
        }
    }
    match options.round {
        Some(round) => run_round(round, options.cache.as_deref()),
        None if options.lowered => compare_lowered(&options),
        None if options.variants => variants::compare(&options),
        None => compare(&options),
    }
}

/// Prints the rates of arithmetic, in a process that has the driver.
fn compare_lowered(options: &BenchOptions) -> Result<()> {
    if let Some(driver) = &options.driver {
        let program = std::env::args_os().next().context("no program is named")?;
        let status = Command::new(driver).arg(program).arg(LOWERED).status()?;
        ensure!(status.success(), "{}: {status}", driver.display());
        return Ok(());
    }
    set_up_driver(None);
    let Ok(vulkan) = Vulkan::open() else {
        let opencl = OpenCl::open()?;
        let prepare = |words: &[u32], numbers: Vec<u32>| opencl.prepare(words, &numbers);
        print!("{}\n\n{}", opencl.describe()?, arithmetic::compare(ArithmeticModule::Kernel, prepare)?);
        return Ok(());
    };
    let prepare = |words: &[u32], numbers: Vec<u32>| prepare_shader(&vulkan, words, numbers);
    print!("{}\n\n{}", describe(&vulkan), arithmetic::compare(ArithmeticModule::Shader, prepare)?);
    Ok(())
}

/// Creates the pipeline of a shader of arithmetic, and returns what runs it with numbers.
fn prepare_shader<'v>(vulkan: &'v Vulkan, words: &[u32], numbers: Vec<u32>) -> Result<ArithmeticRun<'v>> {
    let failed = |failure: Failure| anyhow!("{failure}");
    let device = vulkan.open_device(words).map_err(failed)?;
    let job = move |iterations: u32| ShaderJob {
        buffers: vec![numbers.clone(), vec![0; 2 * (arithmetic::SIZE * arithmetic::GROUPS) as usize]],
        push_constants: vec![iterations],
        groups: [arithmetic::GROUPS, 1, 1],
        ..ShaderJob::default()
    };
    // SAFETY: the module is valid, and computed from nothing but the benchmark.
    let pipeline = unsafe { device.create_pipeline(words, &job(1)) }.map_err(failed)?;
    Ok(Box::new(move |iterations| {
        let job = job(iterations);
        let start = Instant::now();
        // SAFETY: like above.
        let mut buffers = unsafe { device.dispatch(&pipeline, &job) }.map_err(failed)?;
        Ok((start.elapsed(), buffers.pop().unwrap_or_default()))
    }))
}

#[derive(Default)]
struct BenchOptions {
    /// Program that runs another one so that it sees one driver.
    driver: Option<PathBuf>,
    csv: Option<PathBuf>,
    /// The modules whose variants are compared; all, if there are none.
    modules: Vec<String>,
    /// One of Intel's GPUs, as ocloc names it.
    ocloc: Option<String>,
    rounds: usize,
    lowered: bool,
    variants: bool,
    round: Option<u32>,
    cache: Option<PathBuf>,
}

/// Returns the folder of the checkout, which may be another one than that where this was built.
fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

/// A module with the settings that it is measured with.
struct MeasuredModule {
    name: String,
    words: Vec<u32>,
    settings: Vec<ShaderSetting>,
    job: ShaderJob,
}

fn modules() -> Result<Vec<MeasuredModule>> {
    let mut modules = Vec::new();
    for name in ubershaders::NAMES {
        let words = read(&root().join("fixtures/ubershaders").join(name).with_extension("spv"))?;
        let settings = ubershaders::settings(name, &words)?;
        // The image of one group, the scene, and eight maps of 32 by 32 texels.
        let floats = |count| random::words(count, |word| (word as f32 / u32::MAX as f32).to_bits());
        let buffers = vec![vec![0; 4 * 64], floats(4096), floats(4 * 8 * 1024)];
        let job = ShaderJob { buffers, groups: [1, 1, 1], ..ShaderJob::default() };
        modules.push(MeasuredModule { name: name.to_owned(), words, settings, job });
    }
    for shader in ggml_shaders::SHADERS {
        let path = root().join("target/ggml").join(shader.name).with_extension("spv");
        if path.exists() {
            // One setting says what there is to say: little is decided in most of them.
            let values = shader.settings[0].to_vec();
            let title = values.last().map_or(String::new(), |(id, value)| format!("SpecId {id} = {value}"));
            let settings = vec![ShaderSetting { title, values }];
            modules.push(MeasuredModule {
                name: format!("ggml {}", shader.name),
                words: read(&path)?,
                settings,
                job: (shader.job)(),
            });
        }
    }
    Ok(modules)
}

fn read(path: &Path) -> Result<Vec<u32>> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

/// Sets all constants of a module; returns the result, and the times to do it first, from the words on, and again, with the prepared module.
fn specialized(words: &[u32], setting: &ShaderSetting) -> Result<(Vec<u32>, [Duration; 2])> {
    let set = |settings: Settings, &(spec_id, value): &(u32, u32)| settings.set(spec_id, value);
    let settings = setting.values.iter().fold(Settings::new(), set).trim(true);
    let device = Device::default();
    let start = Instant::now();
    let module = Module::from_words(words)?;
    let prepared = Prepared::new(&module)?;
    let result = prepared.specialize(&device, &settings)?.words;
    let first = start.elapsed();
    let start = Instant::now();
    drop(prepared.specialize(&device, &settings)?);
    Ok((result, [first, start.elapsed()]))
}

/// Changes the last bits of the first floating-point constant that is neither 0 nor 1: no driver has compiled the module before. A module
/// without such a constant stays as it is.
fn salt(words: &mut [u32], salt: u32) {
    const TYPE_FLOAT: u32 = 3 << 16 | 22;
    const CONSTANT: u32 = 4 << 16 | 43;
    let (mut at, mut float) = (5, None);
    while let Some(&first) = words.get(at) {
        match first {
            TYPE_FLOAT if words[at + 2] == 32 => float = Some(words[at + 1]),
            CONSTANT if Some(words[at + 1]) == float => {
                let value = f32::from_bits(words[at + 3]);
                if value.is_normal() && value.abs() != 1.0 {
                    words[at + 3] ^= salt & 0xfff;
                    return;
                }
            }
            _ => {}
        }
        at += (first >> 16).max(1) as usize;
    }
}

/// Prints what each pipeline takes, in a process that does nothing else.
fn run_round(round: u32, cache: Option<&Path>) -> Result<()> {
    set_up_driver(cache);
    let vulkan = Vulkan::open().map_err(|error| anyhow!(error))?;
    println!("{DEVICE}{}", describe(&vulkan));
    let modules = modules()?;
    let mut pairs: Vec<(&MeasuredModule, &ShaderSetting)> = Vec::new();
    for module in &modules {
        pairs.extend(module.settings.iter().map(|setting| (module, setting)));
    }
    // The first pipeline of a process loads the driver's compiler.
    let mut first = modules[0].words.clone();
    salt(&mut first, 0xfff - round);
    create_and_run(&vulkan, &first, &modules[0].job)?;
    // Each round begins with another pipeline, and every other one with the other way.
    let count = pairs.len();
    pairs.rotate_left(round as usize * 5 % count);
    for (number, (module, setting)) in (0..).zip(pairs) {
        let (mut after, [first, again]) = specialized(&module.words, setting)?;
        let mut before = module.words.clone();
        if cache.is_none() {
            salt(&mut before, round * count as u32 + number);
            salt(&mut after, round * count as u32 + number);
        }
        let bytes = |&(spec_id, value): &(u32, u32)| (spec_id, value.to_ne_bytes().to_vec());
        let through_api =
            ShaderJob { constants: setting.values.iter().map(bytes).collect(), ..module.job.clone() };
        let (original, result) = match round % 2 {
            0 => {
                let original = create_and_run(&vulkan, &before, &through_api)?;
                (original, create_and_run(&vulkan, &after, &module.job)?)
            }
            _ => {
                let result = create_and_run(&vulkan, &after, &module.job)?;
                (create_and_run(&vulkan, &before, &through_api)?, result)
            }
        };
        let times = [first, again, original.creation, original.first_run, result.creation, result.first_run];
        let times = times.map(|time| time.as_nanos().to_string()).join("\t");
        let differ = original
            .buffers
            .iter()
            .flatten()
            .zip(result.buffers.iter().flatten())
            .filter(|(one, other)| one != other);
        println!(
            "{}\t{}\t{}\t{}\t{}\t{times}",
            module.name,
            setting.title,
            module.words.len() * 4,
            after.len() * 4,
            differ.count()
        );
    }
    // Drivers write their caches in threads of their own.
    std::thread::sleep(Duration::from_millis(if cache.is_some() { 1500 } else { 0 }));
    Ok(())
}

/// Sets what drivers read from the environment: with their cache in a folder, or without it, and without layers.
fn set_up_driver(cache: Option<&Path>) {
    let folder = cache.unwrap_or(Path::new("/nonexistent"));
    // SAFETY: this process has one thread so far.
    unsafe {
        std::env::set_var("MESA_SHADER_CACHE_DISABLE", if cache.is_some() { "false" } else { "true" });
        std::env::set_var("MESA_SHADER_CACHE_DIR", folder);
        std::env::set_var("__GL_SHADER_DISK_CACHE", if cache.is_some() { "1" } else { "0" });
        std::env::set_var("__GL_SHADER_DISK_CACHE_PATH", folder);
        std::env::set_var("AMD_SHADER_DISK_CACHE_PATH", folder);
        // What setup/drivers.sh sets for tests.
        for variable in ["VK_LOADER_LAYERS_ENABLE", "VK_LOADER_LAYERS_ALLOW", "LP_NATIVE_VECTOR_WIDTH"] {
            std::env::remove_var(variable);
        }
    }
}

fn describe(vulkan: &Vulkan) -> String {
    let mut driver = vk::PhysicalDeviceDriverProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
    // SAFETY: the chain is of structures of the version that the instance was created for.
    unsafe { vulkan.instance.get_physical_device_properties2(vulkan.physical, &mut properties) };
    let text = |bytes: &[std::ffi::c_char]| -> String {
        bytes.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8 as char).collect()
    };
    let device = text(&properties.properties.device_name);
    format!("{device}; {} {}", text(&driver.driver_name), text(&driver.driver_info))
}

/// Times of one pipeline, and what its buffers hold after it ran.
struct MeasuredRun {
    creation: Duration,
    first_run: Duration,
    buffers: Vec<Vec<u32>>,
}

fn create_and_run(vulkan: &Vulkan, words: &[u32], job: &ShaderJob) -> Result<MeasuredRun> {
    let failed = |failure: Failure| anyhow!("{failure}");
    let device = vulkan.open_device(words).map_err(failed)?;
    let start = Instant::now();
    // SAFETY: the modules are valid, which a test checks of ubershaders and their results.
    let created = unsafe { device.create_pipeline(words, job) }.map_err(failed)?;
    let creation = start.elapsed();
    let start = Instant::now();
    // SAFETY: like above.
    let buffers = unsafe { device.dispatch(&created, job) }.map_err(failed)?;
    Ok(MeasuredRun { creation, first_run: start.elapsed(), buffers })
}

/// All rounds of one pipeline.
#[derive(Default)]
struct PipelineRow {
    /// Sizes of the module and of the result.
    bytes: [usize; 2],
    /// Words of the buffers in which the two ways differ.
    different_words: usize,
    /// The times by round: to specialize first and again, then those to create and to run the pipeline, first with the original module.
    cold: Vec<[Duration; 6]>,
    warm: Vec<[Duration; 6]>,
}

/// Pipelines by module and setting, in the order in which the rounds print them.
struct PipelineRows {
    device: String,
    order: Vec<(String, String)>,
    rows: BTreeMap<(String, String), PipelineRow>,
}

impl PipelineRows {
    fn new() -> PipelineRows {
        PipelineRows { device: String::new(), order: Vec::new(), rows: BTreeMap::new() }
    }

    /// Adds what a round has printed.
    fn add(&mut self, printed: &str, is_warm: bool) -> Result<()> {
        for line in printed.lines() {
            if let Some(device) = line.strip_prefix(DEVICE) {
                self.device = device.to_owned();
                continue;
            }
            let cells: Vec<&str> = line.split('\t').collect();
            let [name, setting, before, after, differ, ref times @ ..] = cells[..] else { continue };
            let key = (name.to_owned(), setting.to_owned());
            if !self.rows.contains_key(&key) {
                self.order.push(key.clone());
            }
            let row = self.rows.entry(key).or_default();
            row.bytes = [before.parse()?, after.parse()?];
            let mut nanoseconds = [Duration::ZERO; 6];
            for (time, text) in nanoseconds.iter_mut().zip(times) {
                *time = Duration::from_nanos(text.parse()?);
            }
            match is_warm {
                true => {
                    // Here both ways read the same constants, to the last bit.
                    row.different_words = differ.parse()?;
                    row.warm.push(nanoseconds);
                }
                false => row.cold.push(nanoseconds),
            }
        }
        Ok(())
    }
}

/// Starts the rounds, and prints the table.
fn compare(options: &BenchOptions) -> Result<()> {
    let rounds = if options.rounds == 0 { ROUNDS } else { options.rounds };
    // Not the path of the process: a loader may run it.
    let program = std::env::args_os().next().context("no program is named")?;
    let cache = tempfile::tempdir()?;
    let round = |number: usize, is_warm: bool| -> Result<String> {
        let mut command = match &options.driver {
            Some(driver) => Command::new(driver),
            None => Command::new(&program),
        };
        if options.driver.is_some() {
            command.arg(&program);
        }
        command.args([ROUND, &number.to_string()]);
        if is_warm {
            command.arg(CACHE).arg(cache.path());
        }
        let output = command.output().with_context(|| format!("{command:?}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{command:?}: {}: {errors}", output.status);
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let mut rows = PipelineRows::new();
    for number in 0..rounds {
        eprintln!("cold round {} of {rounds}", number + 1);
        rows.add(&round(number, false)?, false)?;
    }
    eprintln!("a round that fills the driver's cache");
    round(0, true)?;
    for number in 0..rounds {
        eprintln!("warm round {} of {rounds}", number + 1);
        rows.add(&round(number, true)?, true)?;
    }
    if let Some(path) = &options.csv {
        std::fs::write(path, csv(&rows)).with_context(|| path.display().to_string())?;
    }
    print!("{}", table(&rows, rounds));
    Ok(())
}

/// Returns the shortest and the median of a time that each round has, in milliseconds.
fn summary(rounds: &[[Duration; 6]], time: impl Fn(&[Duration; 6]) -> Duration) -> [f64; 2] {
    let mut times: Vec<f64> = rounds.iter().map(|times| time(times).as_secs_f64() * 1000.0).collect();
    times.sort_unstable_by(f64::total_cmp);
    [times.first(), times.get(times.len() / 2)].map(|time| time.copied().unwrap_or_default())
}

/// All figures: the shortest time of each kind and its median, in milliseconds.
fn csv(rows: &PipelineRows) -> String {
    let mut text = format!("# {}\nmodule,setting,bytes,result,different_words", rows.device);
    let columns =
        ["specialize", "specialize_again", "create_original", "run_original", "create_result", "run_result"];
    for cache in ["cold", "warm"] {
        for column in columns {
            let _ = write!(text, ",{cache}_{column}_shortest,{cache}_{column}_median");
        }
    }
    text.push('\n');
    for key in &rows.order {
        let row = &rows.rows[key];
        let _ = write!(text, "{},{},{},{},{}", key.0, key.1, row.bytes[0], row.bytes[1], row.different_words);
        for rounds in [&row.cold, &row.warm] {
            for column in 0..columns.len() {
                let [shortest, median] = summary(rounds, |times| times[column]);
                let _ = write!(text, ",{shortest:.3},{median:.3}");
            }
        }
        text.push('\n');
    }
    text
}

/// The table of `docs/results/gains.md`: the shortest times until a pipeline has run once.
fn table(rows: &PipelineRows, rounds: usize) -> String {
    let mut text = format!("{}; shortest of {rounds} rounds, in ms\n\n", rows.device);
    text += "| module | setting | remains | specialize | again | original | result | gain | warm: original | result | gain |\n";
    text += "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    for key in &rows.order {
        let row = &rows.rows[key];
        let share = 100.0 * row.bytes[1] as f64 / row.bytes[0] as f64;
        let [first, _] = summary(&row.cold, |times| times[0]);
        let [again, _] = summary(&row.cold, |times| times[1]);
        let size = row.bytes[0].div_ceil(1000);
        let _ = write!(text, "| {}, {size} KB | {} | {share:.0} % | {first:.2} | {again:.2}", key.0, key.1);
        for rounds in [&row.cold, &row.warm] {
            let [original, _] = summary(rounds, |times| times[2] + times[3]);
            let [result, _] = summary(rounds, |times| times[4] + times[5]);
            let _ = write!(text, " | {original:.1} | {result:.1} | {:.1}", original / (first + result));
        }
        text += " |\n";
    }
    let equal = rows.rows.values().filter(|row| row.different_words == 0).count();
    let _ = write!(
        text,
        "\nBoth ways compute the same, to the last bit, in {equal} of {} rows.\n",
        rows.rows.len()
    );
    text
}
