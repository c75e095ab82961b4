//! Real drivers run what this crate makes: `cargo test --test all drivers`, and more of a name to run only some.
//!
//! A driver is a program in `target/tools/drivers` that runs another so that it sees nothing but this driver; `scripts/setup.sh drivers` brings
//! some. Its name begins with its interface, `opencl-` or `vulkan-`, and every case of that interface runs with it. The case runs in another
//! process of this program. A crash or a hang is that case's failure, with the end of its output. Cases share a process as long as they succeed. A
//! failed case, or one that the driver may decide, has a process of its own.
//!
//! A driver may decide some results, such as refusing a module for other devices. They are in `expected/DRIVER.txt`: `BLESS=1` writes it. A driver
//! without such a file is only asked for right results.
//!
//! Drivers that are not there are named, and fail if `SPIRV_IF_TOOLS=required`.

mod expected;
mod flags;
pub mod masked;
pub mod opencl;
mod pool;
mod probe;
mod process;
mod programs;
mod record;
pub mod routes;
mod table;
pub mod vulkan;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, LazyLock};

use libtest_mimic::{Completion, Failed, Trial};

use crate::common::{in_share, root};
use crate::registry::{ignored_without, needing_tools};
use crate::search;
use expected::ExpectedResults;
pub use pool::Pool;
pub use process::{Ended, run as run_within};
use record::CaseStatus;

/// Names the case that this process runs.
const CASE: &str = "SPIRV_IF_DRIVER_CASE";
/// Stands for a case: each line of the input names one.
const CASES: &str = "each";
/// Names the program of the driver, for cases that start programs themselves.
pub const DRIVER: &str = "SPIRV_IF_DRIVER";
/// Names the folder of the programs and examples, where cargo did not build them for this run. Cases run in it.
const BUILT: &str = "SPIRV_IF_BUILT";
/// Prefix of the result of a case.
const FOUND: &str = "found: ";
/// The result of a case that succeeds although the driver may decide otherwise.
const ACCEPTS: &str = "accepts, with right results";
/// Prefix of the result of a case that the driver cannot show, before the reason.
const NOT_RUN: &str = "not run: ";
/// The drivers that scripts/setup.sh drivers installs.
const BROUGHT: &[&str] = &[
    #[cfg(target_arch = "x86_64")]
    "opencl-intel",
    "opencl-pocl",
    "opencl-rusticl",
    "vulkan-lavapipe",
    "vulkan-lavapipe-wide",
];

/// The driver that has cooperative matrices and else the same as [`NARROW`], so that a share of the other cases runs with it.
const WIDE: &str = "vulkan-lavapipe-wide";

/// The driver that has no cooperative matrices for its vectors are narrow.
const NARROW: &str = "vulkan-lavapipe";

/// The drivers that have less than most kernels require: rusticl has no generic address space and no variables of programs. Only cases and steps that adapt modules to a device, or make traps for it, run with them.
const HAS_LESS: &[&str] = &["opencl-rusticl"];

/// True if the driver of this process is one of these.
fn is_one_of(names: &[&str]) -> bool {
    let driver = std::env::var_os(DRIVER).map(PathBuf::from).unwrap_or_default();
    driver.file_name().is_some_and(|driver| names.iter().any(|name| driver == *name))
}

/// True if the driver of this process has less than most kernels require.
pub fn has_less() -> bool {
    is_one_of(HAS_LESS)
}

/// True if the driver of this process is one that scripts/setup.sh drivers installs.
pub fn is_brought() -> bool {
    is_one_of(BROUGHT)
}

/// Something to try with every driver of an interface.
pub struct DriverCase {
    /// Name after that of the driver.
    pub name: String,
    /// Runs in a process with only this driver. Returns its result in a few words.
    pub run: Box<dyn Fn() -> Result<String, String>>,
    /// True if the driver may decide the result. It may crash or hang too.
    pub is_free: bool,
    /// True if it runs an example.
    pub runs_example: bool,
    /// True if it is about cooperative matrices.
    pub has_matrices: bool,
}

impl DriverCase {
    /// A case with one right answer.
    pub fn new(name: String, run: impl Fn() -> Result<String, String> + 'static) -> DriverCase {
        DriverCase { name, run: Box::new(run), is_free: false, runs_example: false, has_matrices: false }
    }

    /// A case that is the driver's to decide.
    pub fn free(name: String, run: impl Fn() -> Result<String, String> + 'static) -> DriverCase {
        DriverCase { is_free: true, ..DriverCase::new(name, run) }
    }

    /// A case with one right answer: the answer of an example.
    pub fn example(run: impl Fn() -> Result<String, String> + 'static) -> DriverCase {
        DriverCase { runs_example: true, ..DriverCase::new("example".to_owned(), run) }
    }

    /// Says if the case is about cooperative matrices.
    pub fn with_matrices(self, has_matrices: bool) -> DriverCase {
        DriverCase { has_matrices, ..self }
    }
}

/// The cases of the drivers whose names begin so.
fn cases(interface: &str) -> Vec<DriverCase> {
    let mut cases = match interface {
        "opencl" => opencl::cases(),
        "vulkan" => vulkan::cases(),
        "mesa" => vulkan::compiled::cases().into_iter().chain([table::case()]).collect(),
        _ => Vec::new(),
    };
    cases.extend(probe::cases(interface));
    cases
}

/// Returns true for a case that adapts a module to the device of the driver, or makes traps for it. Modules for described devices are the same with
/// every driver.
fn adapts(case: &DriverCase) -> bool {
    let is_described =
        ["::for_a_plain_device", "::for_an_old_device"].iter().any(|way| case.name.ends_with(way));
    ["adapted::", "traps::"].iter().any(|kind| case.name.starts_with(kind)) && !is_described
}

/// Cases that do not start: the driver, the end of the case's name, and the reason. What crashed a driver is not given to it again.
const NOT_STARTED: &[(&str, &str, &str)] = &[
    (
        "vulkan-nvidia",
        "uses::cooperativeMatrixWorkgroupScope",
        "its matrices are none of the device's combinations",
    ),
    ("vulkan-nvidia", "::variants::as_it_is", "packed modules in the variants dialect crashed 580.159.04"),
    ("vulkan-nvidia", "probe::vulkaninfo", "vulkaninfo 1.4 crashes with 580.159.04"),
];

/// Returns the reason for which a case does not start with a driver.
fn reason_not_to_start(driver: &str, case: &str) -> Option<&'static str> {
    let row = NOT_STARTED.iter().find(|(of, end, _)| *of == driver && case.ends_with(end));
    row.map(|(_, _, reason)| *reason)
}

/// The cases of all drivers, and the tests of what runs them.
pub fn trials() -> Vec<Trial> {
    let drivers = brought();
    let mut trials = process::trials();
    trials.push(Trial::test("drivers::every_adaptation_has_a_case", every_adaptation_has_a_case));
    let every_use = || vulkan::uses::every_row_has_a_case().map_err(Failed::from);
    trials.push(Trial::test("drivers::every_vulkan_use_has_a_case", every_use));
    let every_rule = || vulkan::uses::every_rule_has_a_row().map_err(Failed::from);
    let every_rule = Trial::test("drivers::every_vulkan_rule_has_a_row", every_rule);
    let missing = vulkan::uses::layer().is_none().then_some("scripts/setup.sh drivers");
    trials.push(ignored_without(every_rule, missing));
    let mistakes = || vulkan::uses::comparison_finds_mistakes().map_err(Failed::from);
    trials.push(Trial::test("drivers::comparison_of_vulkan_rules_finds_mistakes", mistakes));
    let compilers = compilers();
    trials.extend(drivers.iter().chain(&compilers).flat_map(|driver| trials_of(driver)));
    for name in BROUGHT.iter().filter(|name| !drivers.iter().any(|driver| name_of(driver) == **name)) {
        let missing = || Err(Failed::from("the driver is not there; run scripts/setup.sh drivers"));
        let trial = Trial::test(format!("drivers::{name}"), missing);
        trials.push(ignored_without(trial, Some("scripts/setup.sh drivers")));
    }
    trials
}

/// The rows of the table of adaptations that no driver here can show, and why.
const WITHOUT_CASE: &[(&str, &str)] = &[
    ("DependencyArrayALTERA", "drivers know it with other parameters than spirv-as"),
    ("LoopCountALTERA", "drivers know it with other parameters than spirv-as"),
    ("LinkageAttributes", "spirv-val refuses it in shaders for Vulkan, and drivers here ignore it"),
    ("MaximumRegistersIdINTEL", "like MaximumRegistersINTEL"),
    ("NamedMaximumRegistersINTEL", "like MaximumRegistersINTEL"),
    ("CounterBuffer", "no shader compiler writes it any more"),
    ("SPV_EXT_optnone", "no driver takes one of the two alone"),
    ("SPV_KHR_physical_storage_buffer", "no driver here takes SPV_EXT_physical_storage_buffer alone"),
    ("SPV_KHR_compute_shader_derivatives", "no driver here takes SPV_NV_compute_shader_derivatives alone"),
    ("SPV_NV_fragment_shader_barycentric", "lavapipe has no barycentric coordinates"),
    ("SPV_KHR_fragment_shader_barycentric", "lavapipe has no barycentric coordinates"),
];

/// Checks that each row of `spec-extensions/adaptations.csv` occurs in a module that drivers run.
fn every_adaptation_has_a_case() -> Result<(), Failed> {
    let table = std::fs::read_to_string(root().join("spec-extensions/adaptations.csv"))?;
    let texts: Vec<String> = opencl::adapted::texts().chain(vulkan::adapted::texts()).collect();
    let rows = table.lines().filter(|row| !row.starts_with('#')).skip(1);
    for name in rows.filter_map(|row| row.split(',').nth(2)) {
        let has_case = texts.iter().any(|text| text.contains(name));
        if has_case == WITHOUT_CASE.iter().any(|(without, _)| *without == name) {
            return Err(format!("{name}: {}", if has_case { "has a case" } else { "has no case" }).into());
        }
    }
    Ok(())
}

/// Returns the programs of the installed drivers.
pub fn brought() -> Vec<PathBuf> {
    programs_in("target/tools/drivers")
}

/// Returns the programs of the share of installed compilers of GPUs that are not there.
fn compilers() -> Vec<PathBuf> {
    let compilers = programs_in("target/tools/compilers").into_iter().enumerate();
    compilers.filter(|(number, _)| in_share(*number, 13)).map(|(_, compiler)| compiler).collect()
}

/// The files of a folder, in order.
fn programs_in(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).into_iter().flatten().flatten();
    let mut programs: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    programs.sort();
    programs
}

pub fn name_of(driver: &Path) -> String {
    driver.file_name().unwrap().to_string_lossy().into_owned()
}

/// Runs a case in this process, or each that a line of its input names, if it was started for that.
pub fn run_here() -> Option<ExitCode> {
    let name = std::env::var_os(CASE)?.into_string().unwrap();
    if name != CASES {
        return Some(if run_case(&name) { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    for name in std::io::stdin().lines() {
        let went_well = run_case(&name.unwrap());
        println!("{}{went_well}", process::DONE);
    }
    Some(ExitCode::SUCCESS)
}

/// Runs a case, and prints its result or the problem.
fn run_case(name: &str) -> bool {
    let (interface, name) = name.split_once("::").unwrap();
    let ended = search::run_case(interface, name).unwrap_or_else(|| {
        let case = cases(interface).into_iter().find(|case| case.name == name).unwrap();
        (case.run)()
    });
    match ended {
        Ok(result) => println!("{FOUND}{result}"),
        Err(problem) => {
            println!("{problem}");
            return false;
        }
    }
    true
}

/// The cases of a driver.
fn trials_of(driver: &Path) -> Vec<Trial> {
    let name = name_of(driver);
    let interface = name.split('-').next().unwrap().to_owned();
    let expected = Arc::new(ExpectedResults::read(&name));
    let pool = Arc::new(Pool::new(driver));
    let trial = |case: DriverCase| {
        let (pool, interface, expected) = (pool.clone(), interface.clone(), expected.clone());
        let title = format!("drivers::{name}::{}", case.name);
        if let Some(reason) = reason_not_to_start(&name, &case.name) {
            record::note(&case.name, CaseStatus::NotRun, reason);
            return Trial::ignorable_test(title, move || Ok(Completion::ignored_with(reason)));
        }
        let DriverCase { name, is_free, runs_example, .. } = case;
        needing_tools(title, move || {
            if runs_example {
                LazyLock::force(&EXAMPLES);
            }
            let full = format!("{interface}::{name}");
            let ended = match is_free && expected.is_refused(&name) {
                true => pool.run_alone(&full)?,
                false => pool.run(&full, if is_free { Ended::is_right } else { Ended::is_good })?,
            };
            let judged = judge(&ended, &name, is_free.then_some(&*expected));
            let outcome = ended.result().or(ended.problem.as_deref()).unwrap_or_default();
            let (status, text) = match (&judged, outcome.strip_prefix(NOT_RUN)) {
                (Err(problem), _) => (CaseStatus::Failed, &problem[..]),
                (Ok(()), Some(reason)) => (CaseStatus::NotRun, reason),
                (Ok(()), None) => (CaseStatus::Passed, outcome),
            };
            record::note(&name, status, text);
            Ok(judged?)
        })
    };
    let is_for_it = |(number, case): &(usize, DriverCase)| match &name[..] {
        NARROW => !case.has_matrices,
        WIDE => case.has_matrices || in_share(*number, 8),
        name => !HAS_LESS.contains(&name) || adapts(case),
    };
    let all = cases(&interface).into_iter().enumerate().filter(is_for_it);
    let mut trials: Vec<Trial> = all.map(|(_, case)| trial(case)).collect();
    let end = move || match &pool.end()?[..] {
        [] => Ok(()),
        [first, ..] => Err(Failed::from(first.describe())),
    };
    trials.push(Trial::test(format!("drivers::{name}::processes_end_well"), end));
    trials
}

/// Checks how a case ended. Cases that the driver may decide come with an expected result.
fn judge(ended: &Ended, name: &str, expected: Option<&ExpectedResults>) -> Result<(), String> {
    match (expected, &ended.problem, ended.result()) {
        (Some(expected), None, Some(result)) => expected.compare(name, result, &ended.output),
        (Some(expected), Some(problem), _) if !ended.failed => expected.compare(name, problem, &ended.output),
        (None, None, Some(_)) if ended.is_good() => Ok(()),
        _ => Err(ended.describe()),
    }
}

/// The built examples: `cargo test` builds them for all tests, but not for these alone.
static EXAMPLES: LazyLock<()> = LazyLock::new(|| {
    if std::env::var_os(BUILT).is_some() {
        return;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let folder = Path::new(env!("CARGO_BIN_EXE_spirv-if")).parent().unwrap().file_name().unwrap();
    let profile = if folder == "debug" { "dev".as_ref() } else { folder };
    let build = ["build", "--quiet", "--locked", "--examples", "--profile"];
    let status = Command::new(cargo).args(build).arg(profile).current_dir(root()).status().unwrap();
    assert!(status.success(), "the examples can be built");
});

pub use record::{Searched, note_search, write as write_record};
