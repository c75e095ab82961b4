//! One kernel of each frontend, from the compiler's module to modules for a device with a feature and for one without. The program runs as for a
//! user. What comes out is judged by spirv-val and by what spirv-dis prints.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{root, run, spirv_val, tool};

/// A fixture of `fixtures/frontends`.
struct Fixture {
    /// Without extension; the annotations are in the file of the same name.
    name: &'static str,
    source: &'static str,
    feature: &'static FrontendFeature,
    /// The functions that only a device with the feature calls, as spirv-dis names them.
    with: &'static [&'static str],
    /// Functions that only others call.
    without: &'static [&'static str],
}

/// A feature, and options of `specialize` for a device that has it, and for one that has not.
struct FrontendFeature {
    capability: &'static str,
    with: [&'static str; 2],
    without: [&'static str; 2],
}

const FP16: FrontendFeature = FrontendFeature {
    capability: "Float16",
    with: ["--device", "intel_gpu_bmg_g21"],
    without: ["--device", "nvidia_gpu_sm_50"],
};
const FP64: FrontendFeature = FrontendFeature {
    capability: "Float64",
    with: ["--device", "intel_gpu_bmg_g21"],
    without: ["--device", "intel_gpu_acm_g10"],
};
const ATOMIC64: FrontendFeature = FrontendFeature {
    capability: "Int64Atomics",
    with: ["--device", "intel_gpu_bmg_g21"],
    without: ["--device", "nvidia_gpu_sm_50"],
};
const SUBGROUPS: FrontendFeature = FrontendFeature {
    capability: "GroupNonUniformArithmetic",
    with: ["--capabilities", "Shader,GroupNonUniformArithmetic"],
    without: ["--capabilities", "Shader"],
};

const FIXTURES: [Fixture; 15] = [
    Fixture {
        name: "compute",
        source: "compute.comp",
        feature: &SUBGROUPS,
        with: &["%sum_by_subgroups_u1_"],
        without: &["%sum_by_turns_u1_"],
    },
    Fixture {
        name: "vertex",
        source: "vertex.vert",
        feature: &FP64,
        with: &["%relative_in_double_"],
        without: &["%relative_in_pairs_"],
    },
    Fixture {
        name: "fragment",
        source: "fragment.frag",
        feature: &FP16,
        with: &["%map_in_half_vf3_", "%call_if_on_device_conditionally_half_vf3_i1_i1_"],
        without: &["%map_in_float_vf3_", "%call_if_on_device_conditionally_float_vf3_i1_i1_i1_"],
    },
    Fixture {
        name: "opencl-c",
        source: "opencl-c.cl",
        feature: &ATOMIC64,
        with: &["%add_at_once"],
        without: &["%add_in_halves"],
    },
    Fixture {
        name: "opencl-cpp",
        source: "opencl-cpp.clcpp",
        feature: &FP16,
        with: &["%_Z4normIDhEfPU3AS1Kfj"],
        without: &["%_Z4normIfEfPU3AS1Kfj"],
    },
    Fixture {
        name: "llvm-ir",
        source: "llvm-ir.ll",
        feature: &FP64,
        with: &["%scale_in_double"],
        without: &["%scale_in_float"],
    },
    Fixture {
        name: "wgsl",
        source: "wgsl.wgsl",
        feature: &FP16,
        with: &["%sum_in_half"],
        without: &["%sum_in_float"],
    },
    Fixture { name: "wgsl-stripped", source: "wgsl.wgsl", feature: &FP16, with: &["%20"], without: &["%82"] },
    Fixture {
        name: "wgsl-callers",
        source: "wgsl-callers.wgsl",
        feature: &FP16,
        with: &["%call_if_on_device_conditionally_n1_5_square"],
        without: &["%call_if_on_device_conditionally_n3_n1_5_square"],
    },
    Fixture {
        name: "hlsl",
        source: "hlsl.hlsl",
        feature: &SUBGROUPS,
        with: &["%sum_by_wave"],
        without: &["%sum_by_turns"],
    },
    Fixture {
        name: "slang",
        source: "slang.slang",
        feature: &FP16,
        with: &["%sum_in_half"],
        without: &["%sum_in_float"],
    },
    Fixture {
        name: "zig",
        source: "zig.zig",
        feature: &FP64,
        with: &["%zig_sumInDouble"],
        without: &["%zig_sumInFloat"],
    },
    Fixture {
        name: "dxc",
        source: "dxc.hlsl",
        feature: &FP64,
        with: &["%call_if_on_device_conditionally_n1_6_sum"],
        without: &["%call_if_on_device_conditionally_n3_n1_6_sum"],
    },
    // Functions are inlined: what the constant decides is in none of their own.
    Fixture { name: "rust-gpu", source: "rust-gpu.rs", feature: &FP64, with: &[], without: &[] },
    Fixture { name: "clspv", source: "clspv.cl", feature: &FP64, with: &["%39"], without: &["%73"] },
];

fn compute_glsl() {
    check("compute");
}

fn vertex_glsl() {
    check("vertex");
}

fn fragment_glsl() {
    check("fragment");
}

fn opencl_c() {
    check("opencl-c");
}

fn cpp_for_opencl() {
    check("opencl-cpp");
}

fn llvm_ir() {
    check("llvm-ir");
}

fn wgsl() {
    check("wgsl");
}

fn wgsl_without_names() {
    check("wgsl-stripped");
}

fn wgsl_with_conditional_callers() {
    check("wgsl-callers");
}

fn hlsl() {
    check("hlsl");
}

fn slang() {
    check("slang");
}

fn zig() {
    check("zig");
}

fn dxc() {
    check("dxc");
}

/// Legalizes what DXC wrote with `-fcgl` after it is specialized: nothing of the other way is left.
fn dxc_legalized_last() {
    let fixture = FIXTURES.iter().find(|fixture| fixture.name == "dxc").unwrap();
    let results = tempfile::tempdir().unwrap();
    let packed = pack(fixture, "spec-conditional", results.path());
    for (device, has) in [(fixture.feature.with, true), (fixture.feature.without, false)] {
        let [special, legal] = ["special.spv", "legal.spv"].map(|name| results.path().join(name));
        specialize(&packed, device, &special);
        let mut optimize = Command::new(tool("SPIRV_OPT", "spirv-opt"));
        optimize.args(["--legalize-hlsl", "-O"]).arg(&special).arg("-o").arg(&legal);
        succeed(optimize);
        spirv_val(&fs::read(&legal).unwrap(), &environment(fixture.source)).unwrap();
        let text = Disassembly::new(&tool("SPIRV_DIS", "spirv-dis"), &legal);
        assert_eq!(text.functions.len(), 1, "{}", text.all);
        assert_eq!(text.capabilities.contains("Float64"), has, "{}", text.all);
    }
}

fn clspv() {
    check("clspv");
}

fn rust_gpu() {
    check("rust-gpu");
}

fn every_fixture_is_checked() {
    let named = |extension: &str| -> BTreeSet<String> {
        let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let files =
            files.filter(|path| path.extension().is_some_and(|file_extension| file_extension == extension));
        files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect()
    };
    let checked: BTreeSet<String> = FIXTURES.iter().map(|fixture| fixture.name.to_owned()).collect();
    assert_eq!(named("spv"), checked);
    assert!(named("yaml").is_subset(&checked), "{:?}", named("yaml"));
}

/// The pages about languages show code and annotations of the fixtures, line by line.
fn pages_show_the_fixtures() {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let texts: String = files.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let lines: BTreeSet<&str> = texts.lines().collect();
    for (page, language) in
        [("wgsl", "wgsl"), ("zig", "zig"), ("dxc", "hlsl"), ("clspv", "c"), ("rust-gpu", "rust")]
    {
        let path = folder().join("../../docs").join(page).with_extension("md");
        let text = fs::read_to_string(path).unwrap();
        // Every other part between fences is code, and the first word is its language.
        let blocks: Vec<(&str, &str)> =
            text.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect();
        assert!(blocks.iter().any(|(shown, _)| *shown == language), "{page}");
        for (_, block) in blocks.iter().filter(|(shown, _)| [language, "yaml"].contains(shown)) {
            let missing: Vec<&str> = block.lines().filter(|line| !lines.contains(line)).collect();
            assert!(missing.is_empty(), "docs/{page}.md has lines of no fixture: {missing:?}");
        }
    }
}

/// In both dialects.
fn check(name: &str) {
    let fixture = FIXTURES.iter().find(|fixture| fixture.name == name).unwrap();
    let dis = tool("SPIRV_DIS", "spirv-dis");
    let env = environment(fixture.source);
    let validate = |path: &Path, env: &str| {
        let validated = spirv_val(&fs::read(path).unwrap(), env);
        validated.unwrap_or_else(|error| panic!("{} {env}: {error}", path.display()));
    };
    let compiled = Disassembly::new(&dis, &folder().join(fixture.name).with_extension("spv"));
    let only_some: Vec<&str> = fixture.with.iter().chain(fixture.without).copied().collect();
    for function in &only_some {
        assert!(compiled.functions.contains(*function), "{function} is in {:?}", compiled.functions);
    }
    assert!(compiled.capabilities.contains(fixture.feature.capability));

    for dialect in ["spec-conditional", "function-variants"] {
        let results = tempfile::tempdir().unwrap();
        let packed = pack(fixture, dialect, results.path());
        validate(&packed, "spv1.6");
        let sides = [
            (fixture.feature.with, true, fixture.with, fixture.without),
            (fixture.feature.without, false, fixture.without, fixture.with),
        ];
        for (device, has, there, gone) in sides {
            let result = results.path().join(format!("{has}.spv"));
            specialize(&packed, device, &result);
            validate(&result, &env);
            let text = Disassembly::new(&dis, &result);
            let context = format!("{dialect} {device:?}:\n{}", text.all);
            assert_eq!(text.capabilities.contains(fixture.feature.capability), has, "{context}");
            // A decided caller is an ordinary function, by its name too.
            let decided = |function: &&str| function.replace("call_if_on_device_conditionally", "action");
            assert!(there.iter().all(|function| text.functions.contains(&decided(function))), "{context}");
            assert!(gone.iter().all(|function| !text.functions.contains(*function)), "{context}");
            let names = |function: &&&str| {
                [function.to_string(), decided(function)]
                    .iter()
                    .any(|name| text.all.contains(&format!("{name} ")))
            };
            assert_eq!(gone.iter().filter(names).count(), 0, "{context}");
            assert!(!text.all.contains("INTEL"), "nothing is conditional: {context}");
            assert!(text.capabilities.is_subset(&compiled.capabilities), "{context}");
        }
    }
}

/// The disassembly of a module by spirv-dis.
struct Disassembly {
    all: String,
    capabilities: BTreeSet<String>,
    /// The functions, as `%` and name.
    functions: BTreeSet<String>,
}

impl Disassembly {
    fn new(dis: &Path, module: &Path) -> Disassembly {
        let all = String::from_utf8(run(dis, &[module.to_str().unwrap()], &[]).unwrap()).unwrap();
        let capability = |line: &str| Some(line.trim().strip_prefix("OpCapability ")?.to_owned());
        let function = |line: &str| Some(line.split_once(" = OpFunction ")?.0.trim().to_owned());
        let capabilities = all.lines().filter_map(capability).collect();
        let functions = all.lines().filter_map(function).collect();
        Disassembly { capabilities, functions, all }
    }
}

fn folder() -> PathBuf {
    root().join("fixtures/frontends")
}

/// Returns the environment that a source states for its modules.
fn environment(source: &str) -> String {
    let text = fs::read_to_string(folder().join(source)).unwrap();
    let env = text.lines().find_map(|line| Some(line.split_once(" ENV: ")?.1.to_owned()));
    env.unwrap_or_else(|| panic!("{source} has a line `ENV:`"))
}

fn pack(fixture: &Fixture, dialect: &str, results: &Path) -> PathBuf {
    let packed = results.join("packed.spv");
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.args(["pack", "--quiet", "--dialect", dialect, "-o"]).arg(&packed);
    command.arg(folder().join(fixture.name).with_extension("spv"));
    let annotations = folder().join(fixture.name).with_extension("yaml");
    if annotations.exists() {
        command.arg("--annotations").arg(annotations);
    }
    succeed(command);
    packed
}

fn specialize(packed: &Path, device: [&str; 2], result: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.args(["specialize", "--quiet", "--trim"]).args(device);
    command.arg(packed).arg("-o").arg(result);
    succeed(command);
}

/// Runs the program, which must have nothing to complain of.
fn succeed(mut command: Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {said}");
}

tests![
    compute_glsl,
    vertex_glsl,
    fragment_glsl,
    opencl_c,
    cpp_for_opencl,
    llvm_ir,
    wgsl,
    wgsl_without_names,
    wgsl_with_conditional_callers,
    hlsl,
    slang,
    zig,
    dxc,
    dxc_legalized_last,
    clspv,
    rust_gpu,
    every_fixture_is_checked,
    pages_show_the_fixtures,
];
