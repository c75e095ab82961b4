//! Stages that have pipelines of their own kind, or need others beside them: `stages` has their sources. The constant DETAIL adds code to each.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

use super::{statistics_of_files, with_driver};
use crate::common::{root, tool, tool_file};
use crate::registry::{ignored_without, needing_tools};

/// A pipeline: the sources that one module is linked of, and the stages that the driver compiles, as it names them in part.
struct StagesCase {
    sources: &'static [&'static str],
    programs: &'static [&'static str],
    /// The extension that devices may be without.
    extension: Option<&'static str>,
}

const MESHES: Option<&str> = Some("VK_EXT_mesh_shader");
const RAYS: Option<&str> = Some("VK_KHR_ray_tracing_pipeline");

const CASES: [StagesCase; 16] = [
    StagesCase::new(&["patch.tesc"], &["control"], None),
    StagesCase::new(&["patch.tese"], &["evaluation"], None),
    StagesCase::new(&["lines.geom"], &["geometry"], None),
    StagesCase::new(&["patch.vert", "patch.geom"], &["geometry"], None),
    StagesCase::new(&["patch.tesc", "patch.geom"], &["control", "geometry"], None),
    StagesCase::new(
        &["patch.vert", "patch.tesc", "patch.tese", "patch.geom", "patch.frag"],
        &["control", "evaluation", "geometry", "fragment"],
        None,
    ),
    StagesCase::new(&["group.task"], &["task"], MESHES),
    StagesCase::new(&["group.mesh"], &["mesh"], MESHES),
    StagesCase::new(&["group.frag"], &["fragment"], MESHES),
    StagesCase::new(&["group.task", "group.mesh", "group.frag"], &["task", "mesh", "fragment"], MESHES),
    StagesCase::new(&["rays.rgen"], &["raygen"], RAYS),
    StagesCase::new(&["rays.rchit"], &["closest hit"], RAYS),
    StagesCase::new(&["rays.rahit"], &["any hit"], RAYS),
    StagesCase::new(&["rays.rint"], &["intersection"], RAYS),
    StagesCase::new(&["rays.rmiss"], &["miss"], RAYS),
    StagesCase::new(
        &["rays.rgen", "rays.rchit", "rays.rahit", "rays.rint", "rays.rmiss", "rays.rcall"],
        &["raygen", "closest hit", "any hit", "intersection", "miss", "callable"],
        RAYS,
    ),
];

impl StagesCase {
    const fn new(
        sources: &'static [&'static str],
        programs: &'static [&'static str],
        extension: Option<&'static str>,
    ) -> StagesCase {
        StagesCase { sources, programs, extension }
    }
}

/// Compilers below `target/tools`, and the extensions that they are without.
const COMPILERS: [(&str, &[Option<&str>]); 5] = [
    ("compilers/mesa-navi31", &[]),
    ("compilers/mesa-adreno740", &[MESHES, RAYS]),
    ("compilers/mesa-ampere", &[RAYS]),
    ("compilers/mesa-m1", &[MESHES, RAYS]),
    (LAVAPIPE, &[]),
];

/// The driver whose statistics are times alone, and beside which the validation layer is.
const LAVAPIPE: &str = "drivers/vulkan-lavapipe";

pub fn trials() -> Vec<Trial> {
    let tools = root().join("target/tools");
    let trial = |(compiler, without): (&'static str, &'static [Option<&str>])| {
        let path = tools.join(compiler);
        let missing = (!path.exists()).then_some("scripts/setup.sh drivers");
        let name = compiler.rsplit('/').next().unwrap();
        let trial = needing_tools(format!("statistics::stages::{name}"), move || {
            compiles_stages(&path, without, compiler == LAVAPIPE);
            Ok(())
        });
        ignored_without(trial, missing)
    };
    COMPILERS.into_iter().map(trial).collect()
}

/// Compiles the sources, each once, and links those of each case.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let sources: BTreeSet<&str> = CASES.iter().flat_map(|case| case.sources).copied().collect();
    let compiled = |source: &str| folder.join(format!("{source}.spv"));
    for source in sources {
        let status = Command::new(tool_file("GLSLANG", "bin/glslangValidator"))
            .args(["--quiet", "-V", "--target-env", "vulkan1.2", "-o"])
            .arg(compiled(source))
            .arg(root().join("cli/tests/all/statistics/stages").join(source))
            .status();
        assert!(status.unwrap().success(), "{source}");
    }
    let module = |(number, case): (usize, &StagesCase)| {
        let modules: Vec<PathBuf> = case.sources.iter().map(|source| compiled(source)).collect();
        if let [module] = &modules[..] {
            return module.clone();
        }
        let linked = folder.join(format!("linked-{number}.spv"));
        let status =
            Command::new(tool("SPIRV_LINK", "spirv-link")).args(modules).arg("-o").arg(&linked).status();
        assert!(status.unwrap().success(), "{:?}", case.sources);
        linked
    };
    CASES.iter().enumerate().map(module).collect()
}

fn compiles_stages(driver: &Path, without: &[Option<&str>], is_lavapipe: bool) {
    let folder = tempfile::tempdir().unwrap();
    let modules = modules(folder.path());
    let paths = modules.iter().map(|module| module.to_str().unwrap());
    let arguments: Vec<&str> = paths.chain(["--statistics", "probe:0", "--format", "json"]).collect();
    let log = folder.path().join("log");
    let mut command = super::program_with(driver);
    command.env("VK_KHRONOS_VALIDATION_LOG_FILENAME", &log);
    // The driver starts once for all.
    let of_files = statistics_of_files(&super::run(&mut command, &arguments));
    assert_eq!(of_files.len(), CASES.len());
    if is_lavapipe {
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "");
    }
    for (case, statistics) in CASES.iter().zip(of_files) {
        let named = format!("{:?}: {statistics}", case.sources);
        let variants = statistics["variants"].as_array().unwrap();
        assert_eq!(variants.len(), 2, "{named}");
        if let Some(extension) = case.extension
            && without.contains(&case.extension)
        {
            let failure = &statistics["as_is"]["failure"];
            assert_eq!(failure["kind"], "unsupported", "{named}");
            let message = failure["message"].as_str().unwrap();
            assert!(message.starts_with(&format!("the device has no {extension}")), "{named}");
            continue;
        }
        assert!(statistics["as_is"]["time_ns"].as_u64().unwrap() > 0, "{named}");
        if is_lavapipe {
            continue;
        }
        let compiled = statistics["as_is"]["executables"].as_array().unwrap();
        let names: Vec<String> =
            compiled.iter().map(|program| program["name"].as_str().unwrap().to_lowercase()).collect();
        for program in case.programs {
            let is_named = |name: &String| name.contains(program) || short(program) == Some(name);
            assert!(names.iter().any(is_named), "{program} of {named}");
        }
        // The code that the constant adds is counted, in whichever way it is set.
        let count = |outcome: &Value| outcome["figures"]["instructions"].as_u64().unwrap();
        let with = |value: bool| variants.iter().find(|variant| variant["value"] == value).unwrap();
        for way in ["by_driver", "cut"] {
            let [without, with] = [false, true].map(|value| count(&with(value)[way]));
            assert!(without > 0 && with > without, "{way}: {without}, {with}: {named}");
        }
    }
}

/// Returns the name that Turnip has for a stage.
fn short(stage: &str) -> Option<&'static str> {
    Some(match stage {
        "control" => "tcs",
        "evaluation" => "tes",
        "geometry" => "gs",
        "fragment" => "fs",
        _ => return None,
    })
}

/// A stage of which no pipeline is made is a row.
pub fn kernels_have_no_pipeline(driver: &Path) {
    let output = with_driver(driver, &["fixtures/stages/kernels.spv", "--statistics", "probe:0"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let expected = "as it is: not compiled: entry point `plain` is of Kernel, of which no pipeline is made";
    assert!(text.contains(expected), "{text}");
}
