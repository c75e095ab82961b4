//! The layer between OpenCL's loaders and drivers, by an application that knows nothing of spirv-if (examples/cl-application).

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use application::{Run, library, module, root, short_name, write};
use spirv_if::device::DeviceParts;
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Module, PackOptions, Prepared, Settings, pack};

#[path = "../../common/tests/application/mod.rs"]
mod application;

const LAYER: &str = "CL_LAYER_SPIRVIF_specialize";
/// Everything that kernels of the fixtures may require.
const CAPABILITIES: &str = "Kernel,Addresses,Linkage,Int8,Int16,Int64,GenericPointer,Vector16,Int64Atomics";
/// The arguments of the kernel `chain`.
const CHAIN: [&str; 2] = ["kernel=run", "arguments=in,out,out,uint:8"];

/// The bins of a histogram.
const HISTOGRAM_INPUT: &str = "input=0,1,2,3,4,5,6,7,7,6,5,4,3,2,1,0";

/// The files of the tests.
struct Files {
    modules: PathBuf,
    layer: PathBuf,
    masking: PathBuf,
    application: PathBuf,
}

fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = root().join("target/opencl-layer-tests");
        fs::create_dir_all(&folder).unwrap();
        let program = std::env::current_exe().unwrap();
        // All lie where cargo builds them for this test.
        let (libraries, built) = (program.parent().unwrap(), program.ancestors().nth(2).unwrap());
        for fixture in ["drivers/chain", "drivers/histogram", "opencl/many", "decisions/decisions-O3"] {
            let words = pack(&module(fixture), &PackOptions::new()).unwrap().words;
            let name = short_name(fixture);
            write(&folder, name, &words);
            // The same module as the application's developer could have specialized it.
            let packed = Module::from_words(&words).unwrap();
            for (suffix, capabilities) in [("plain", ""), ("doubles", ",Float64"), ("halves", ",Float16")] {
                let parts = DeviceParts::new().capabilities(format!("{CAPABILITIES}{capabilities}"));
                let settings = Settings::new().unset(UnsetPolicy::Default).drop_unsupported(true);
                let device = parts.to_device(None).unwrap();
                let plain = Prepared::new(&packed).unwrap().specialize(&device, &settings).unwrap().words;
                write(&folder, &format!("{name}-{suffix}"), &plain);
            }
            // The end is missing.
            write(&folder, &format!("{name}-truncated"), &words[..words.len() - 1]);
        }
        for fixture in ["spec/jumps", "traps/cast-O0", "adapted/hints"] {
            let (name, module) = (short_name(fixture), module(fixture));
            let words = module.words();
            write(&folder, name, words);
            write(&folder, &format!("{name}-truncated"), &words[..words.len() - 1]);
        }
        write(&folder, "many-conditional", module("opencl/many").words());
        Files {
            layer: library(libraries, "cl_layer_spirv_if"),
            masking: library(&built.join("examples"), "cl_masking"),
            application: built.join("examples/cl-application"),
            modules: folder,
        }
    })
}

/// The drivers of this machine with each loader: the wrappers that scripts/setup.sh drivers writes.
fn drivers() -> Vec<PathBuf> {
    let tools = root().join("target/tools");
    let mut all = Vec::new();
    for driver in ["opencl-pocl", "opencl-intel", "opencl-rusticl"] {
        let paths =
            [tools.join("drivers").join(driver), tools.join("layers").join(format!("{driver}-khronos"))];
        // Intel's is for x86_64.
        if driver != "opencl-intel" || cfg!(target_arch = "x86_64") {
            assert!(paths.iter().all(|path| path.is_file()), "{driver} is missing: scripts/setup.sh drivers");
            all.extend(paths);
        }
    }
    all
}

fn driver(name: &str) -> PathBuf {
    drivers().into_iter().find(|path| path.ends_with(name)).unwrap()
}

fn pocl() -> PathBuf {
    driver("opencl-pocl")
}

/// Prepares a run without layers.
fn run(driver: &Path, entrance: &str, module: &str) -> Run {
    let files = files();
    let mut driver = Command::new(driver);
    driver.env("XDG_CONFIG_HOME", &files.modules).env("POCL_DEVICES", "cpu").env_remove("OPENCL_LAYERS");
    Run::new(driver, &files.application, &files.modules, entrance, module)
}

/// Runs with the layer.
trait LayerRun {
    fn layer(self) -> Self;
    /// Adds a layer below that takes the doubles of one device away.
    fn layer_and_masked_device(self, devices: &str) -> Self;
    /// Returns the messages of the layer, and what the application printed.
    fn messages(self) -> (Vec<String>, String);
}

impl LayerRun for Run {
    fn layer(self) -> Run {
        self.variable("OPENCL_LAYERS", files().layer.to_str().unwrap())
    }

    fn layer_and_masked_device(self, devices: &str) -> Run {
        let files = files();
        let layers = format!("{}:{}", files.masking.display(), files.layer.display());
        self.variable("OPENCL_LAYERS", &layers).variable("POCL_DEVICES", devices)
    }

    fn messages(self) -> (Vec<String>, String) {
        let output = self.output();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let messages = errors.lines().filter(|line| line.starts_with(LAYER)).map(str::to_owned);
        (messages.collect(), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// The ways that a chain takes on devices, by what they print of themselves.
fn expected_ways(lines: &[String]) -> Vec<u32> {
    let way = |line: &String| {
        let (_, facts) = line.split_once(", doubles: ")?;
        Some(match facts {
            "true, halves: true" => 1,
            "true, halves: false" => 2,
            "false, halves: true" => 3,
            _ => 4,
        })
    };
    lines.iter().filter_map(way).collect()
}

/// The ways that a chain took.
fn ways(lines: &[String]) -> Vec<u32> {
    let words = |line: &String| {
        let (_, words) = line.split_once("buffer 2: ")?;
        let words: Vec<&str> = words.split(' ').collect();
        assert!(words.iter().all(|word| *word == words[0]), "{words:?}");
        words[0].strip_prefix("0x")?.parse().ok()
    };
    lines.iter().filter_map(words).collect()
}

fn results(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(", buffer ")).collect()
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn packed_programs_run_with_each_driver_and_loader() {
    let mut all = BTreeMap::new();
    for driver in drivers() {
        // rusticl accepts no generic pointers.
        let name = driver.file_name().unwrap().to_string_lossy().trim_end_matches("-khronos").to_owned();
        let module = if name == "opencl-rusticl" { "histogram" } else { "chain" };
        let arguments: &[&str] = match module {
            "chain" => &CHAIN,
            _ => &["kernel=run", "arguments=in,in,out,out", HISTOGRAM_INPUT],
        };
        let (error, _) = run(&driver, "build", module).args(arguments).error();
        assert!(error.contains("clBuildProgram") || error.contains("clCreateProgramWithIL"), "{error}");
        let lines = run(&driver, "build", module).layer().args(arguments).lines();
        if module == "chain" {
            assert_eq!(ways(&lines), expected_ways(&lines), "{}", driver.display());
        }
        let plain =
            all.entry(name).or_insert_with(|| results(&lines).into_iter().cloned().collect::<Vec<_>>());
        assert_eq!(results(&lines), plain.iter().collect::<Vec<_>>(), "both loaders: {}", driver.display());
        // The developer's own module has the same results.
        let plain = if driver.ends_with("opencl-pocl") { "chain-doubles" } else { continue };
        let plain = run(&driver, "build", plain).args(arguments).lines();
        assert_eq!(results(&lines), results(&plain));
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn programs_take_each_way_to_a_kernel() {
    for driver in [pocl(), driver("opencl-intel-khronos")] {
        let built = run(&driver, "build", "chain").layer().args(&CHAIN).lines();
        for entrance in ["build-khr", "build-notified", "build-each", "compile", "cloned", "all-kernels"] {
            let lines = run(&driver, entrance, "chain").layer().args(&CHAIN).lines();
            assert_eq!(results(&lines), results(&built), "{entrance}");
            let is_said = |line: &String| match entrance {
                "build-notified" => line == "notified of the program: true",
                "all-kernels" => line == "kernel run",
                _ => true,
            };
            assert!(lines.iter().any(is_said), "{lines:?}");
        }
    }
    let lines = run(&driver("opencl-intel"), "suggested", "chain").layer().args(&CHAIN).lines();
    assert!(lines.iter().any(|line| line == "suggested: true"), "{lines:?}");
}

/// Both devices are of one context. One of them has no doubles.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn each_device_of_a_context_gets_its_module() {
    for entrance in [
        "build",
        "build-khr",
        "build-notified",
        "build-each",
        "compile",
        "cloned",
        "all-kernels",
        "lifetimes",
    ] {
        let run = run(&pocl(), entrance, "chain").layer_and_masked_device("cpu cpu-minimal");
        let lines = run.args(&CHAIN).lines();
        let expected = expected_ways(&lines);
        assert!(expected.contains(&4) && expected.contains(&2), "{lines:?}");
        let runs = if entrance == "lifetimes" { 2 } else { 1 };
        assert_eq!(ways(&lines), expected.repeat(runs), "{entrance}");
    }
}

/// An application is told of a packed program what it is told of the specialized one, except that it is refused.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn queries_are_answered_as_without_the_layer() {
    for driver in [pocl(), driver("opencl-intel")] {
        let built = run(&driver, "build", "chain").layer().args(&CHAIN).lines();
        let name = if ways(&built) == [2] { "chain-doubles" } else { "chain-plain" };
        let plain = run(&driver, "queries", name).args(&CHAIN).lines();
        assert!(plain.iter().any(|line| line == "binaries: true"), "{plain:?}");
        let without_results = |lines: Vec<String>| -> Vec<String> {
            lines.into_iter().filter(|line| !line.contains(", buffer ")).collect()
        };
        let with = run(&driver, "queries", "chain").layer().args(&CHAIN).lines();
        assert_eq!(results(&with), results(&built), "a program of the binaries");
        assert_eq!(without_results(with), without_results(plain));
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn objects_are_released_in_any_order() {
    for driver in [pocl(), driver("opencl-intel-khronos")] {
        let lines = run(&driver, "lifetimes", "chain").layer().args(&CHAIN).lines();
        for line in [
            "released with a kernel: 0",
            "the program is there: true",
            "released without: 21",
            "built again with a kernel: 1",
        ] {
            assert!(lines.iter().any(|other| other == line), "{line}: {lines:?}");
        }
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn several_threads_make_programs() {
    for driver in [pocl(), driver("opencl-intel-khronos")] {
        let lines = run(&driver, "threads", "chain").layer().args(&CHAIN).lines();
        assert_eq!(lines.last().unwrap(), "all the same: true");
        assert_eq!(ways(&lines), expected_ways(&lines));
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn other_programs_are_left_alone() {
    for driver in [pocl(), driver("opencl-intel-khronos")] {
        let source = ["kernel=run", "arguments=in,out"];
        let histogram = ["kernel=run", "arguments=in,in,out,out", HISTOGRAM_INPUT];
        for (entrance, module, arguments) in
            [("source", "chain", &source[..]), ("build", "histogram-plain", &histogram[..])]
        {
            let plain = run(&driver, entrance, module).args(arguments).lines();
            assert!(!results(&plain).is_empty());
            let with = || run(&driver, entrance, module).layer().args(arguments);
            assert_eq!(with().lines(), plain);
            assert_eq!(with().variable("CL_SPIRVIF_REPORT", "info").messages().0, Vec::<String>::new());
        }
    }
}

/// A kernel that requires doubles is left out where others do not, and the log says why.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn kernels_that_do_not_run_are_left_out() {
    let masked_run = |kernel: &str, arguments: &str| {
        let run = run(&pocl(), "build", "many").layer_and_masked_device("cpu-minimal");
        run.args(&[&format!("kernel={kernel}"), &format!("arguments={arguments}")])
    };
    let lines = masked_run("window", "inout,uint:16").lines();
    assert_eq!(results(&lines).len(), 1);
    assert!(
        lines.iter().any(|line| line.contains("log: ")
            && line.contains("kernel `jacobi` is left out: it does not run on "))
    );
    let (error, _) = masked_run("jacobi", "in,out,out,uint:4").error();
    assert!(
        error.contains("clCreateKernel: -46") && error.contains("kernel `jacobi` is left out"),
        "{error}"
    );
    // With doubles it is there.
    let run = run(&pocl(), "build", "many").layer();
    run.args(&["kernel=jacobi", "arguments=in,out,out,uint:1", "items=1"]).lines();
}

/// Conditional calls are decided in modules that are not packed, too.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn conditional_calls_are_decided() {
    let run = || {
        let run = run(&pocl(), "build", "many-conditional");
        run.args(&["kernel=fir_filter", "arguments=in,out,in,uint:2"])
    };
    // PoCL has no halves.
    let (error, _) = run().error();
    assert!(error.contains("clBuildProgram: -11"), "{error}");
    assert_eq!(results(&run().layer().lines()).len(), 1);
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn a_refused_module_is_an_error_with_its_reason() {
    let (error, _) = run(&pocl(), "build", "chain-truncated").layer().args(&CHAIN).error();
    assert!(error.contains("clCreateProgramWithIL: -30"), "{error}");
    assert!(error.contains("refused a packed module of ") && error.contains("truncated module"), "{error}");
    let (error, printed) = run(&driver("opencl-rusticl"), "build", "chain").layer().args(&CHAIN).error();
    assert!(error.contains("clBuildProgram: -11"), "{error}");
    assert!(
        printed.contains("status -2, log: ") && printed.contains("which does not accept GenericPointer"),
        "{printed}"
    );
}

/// The driver gets other modules that the layer cannot read, and may say less of them.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn an_unreadable_module_is_named() {
    let run = || {
        run(&pocl(), "build", "jumps-truncated").layer().args(&["kernel=jumps", "arguments=in,out,uint:3"])
    };
    let said = |messages: &[String], severity: &str| {
        let starts = |line: &&String| line.starts_with(&format!("{LAYER}: {severity}: left a module of "));
        messages.iter().filter(starts).filter(|line| line.contains("truncated module")).count()
    };
    assert_eq!(said(&run().messages().0, "info"), 0);
    assert_eq!(said(&run().variable("CL_SPIRVIF_REPORT", "info").messages().0, "info"), 1);
    assert_eq!(said(&run().variable("CL_SPIRVIF_ADAPT", "on").messages().0, "warning"), 1);
}

/// The constants of an application have the same effect with the layer, which may fold them.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn constants_are_set_as_without_the_layer() {
    let run = |constants: &str| {
        let run = run(&pocl(), "build", "jumps");
        run.args(&["kernel=jumps", "arguments=in,out,uint:3", &format!("constants={constants}")])
    };
    let mut all = Vec::new();
    for constants in ["", "0:4.0.0.0", "0:1.0.0.0,1:0.0.32.65"] {
        let plain = run(constants).lines();
        assert_eq!(run(constants).layer().lines(), plain);
        let folded = run(constants).layer().variable("CL_SPIRVIF_FOLD", "true");
        let (messages, printed) = folded.variable("CL_SPIRVIF_REPORT", "info").messages();
        assert_eq!(messages.len(), usize::from(!constants.is_empty()), "{messages:?}");
        assert_eq!(printed.lines().collect::<Vec<_>>(), plain);
        all.push(plain);
    }
    all.dedup();
    assert_eq!(all.len(), 3, "the constants have an effect");
    for (constants, code) in [("7:0.0.0.0", -71), ("0:1.0", -30)] {
        let (error, _) = run(constants).layer().variable("CL_SPIRVIF_FOLD", "true").error();
        assert!(error.contains(&format!("clSetProgramSpecializationConstant: {code}")), "{error}");
    }
}

/// A decision of the host is a constant of a packed module.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn values_of_constants_decide() {
    let run = |constants: &str| {
        let run = run(&pocl(), "build", "decisions-O3").layer();
        let lines = run
            .args(&[
                "kernel=scaled",
                "arguments=inout",
                "input=1065353216",
                &format!("constants={constants}"),
            ])
            .lines();
        let words = results(&lines)[0].split(' ').nth(4).unwrap().to_owned();
        f32::from_bits(u32::from_str_radix(words.trim_start_matches("0x"), 16).unwrap())
    };
    // PoCL does not report SPV_KHR_expect_assume.
    assert_eq!([run(""), run("1:0"), run("1:1")], [21.0, 21.0, 14.0]);
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn modules_are_adapted_by_a_setting() {
    let run = || {
        let run = run(&pocl(), "build", "hints").layer().variable("CL_SPIRVIF_REPORT", "info");
        run.args(&["kernel=scaled", "arguments=out,in,uint:16"])
    };
    let (messages, plain) = run().messages();
    assert!(messages.iter().any(|message| message.contains("left a module of ")), "{messages:?}");
    let (messages, printed) = run().variable("CL_SPIRVIF_ADAPT", "on").messages();
    assert!(messages.iter().any(|message| message.contains("removed OpAssumeTrueKHR")), "{messages:?}");
    assert_eq!(printed, plain);
}

/// One case of a switch requires doubles, which the device does not have.
#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn blocks_become_traps_by_a_setting() {
    let folder = files().modules.join("settings");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("layer.conf");
    fs::write(&file, "trap = store:1:0 # it is seen there\nreport = info\n").unwrap();
    let run = |kind: &str| {
        let run = run(&pocl(), "build", "cast-O0").layer_and_masked_device("cpu-minimal");
        let run = run.args(&["kernel=run", &format!("arguments=in,out,uint:{kind}")]);
        run.variable("CL_SPIRVIF_SETTINGS", file.to_str().unwrap())
    };
    let (messages, _) = run("1").messages();
    assert!(
        messages.iter().any(|message| message.contains("requires Float64: trap store:1:0")),
        "{messages:?}"
    );
    let first_word = |lines: &[String]| results(lines)[0].split(' ').nth(4).unwrap().to_owned();
    assert_eq!(first_word(&run("2").lines()), "0x1");
    assert_ne!(first_word(&run("1").lines()), "0x1");
}

#[test]
#[ignore = "needs drivers; scripts/test-opencl-layer.sh runs it"]
fn invalid_settings_are_named() {
    let run = run(&pocl(), "build", "chain").layer().variable("CL_SPIRVIF_ADAPT", "perhaps");
    let (messages, _) = run.args(&CHAIN).messages();
    let expected = format!(
        "{LAYER}: warning: invalid value 'perhaps' of the environment variable CL_SPIRVIF_ADAPT: expected true or false"
    );
    assert_eq!(messages, [expected]);
}
