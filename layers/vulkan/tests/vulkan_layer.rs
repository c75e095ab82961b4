//! The layer between Vulkan's loader and a driver, by an application that knows nothing of spirv-if (examples/application).
//!
//! The driver is lavapipe, or the program that `SPIRV_IF_LAYER_DRIVER` names, with the validation in `VK_LAYER_PATH` (scripts/drivers-elsewhere.sh).

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use application::{Run, library, module, root, short_name, write};
use spirv_if::device::DeviceParts;
use spirv_if::{Module, PackOptions, Prepared, Settings, pack};

#[path = "../../common/tests/application/mod.rs"]
mod application;

const LAYER: &str = "VK_LAYER_SPIRVIF_specialize";
const VALIDATION: &str = "VK_LAYER_KHRONOS_validation";
/// Factors of which the kernel `chain` writes the product, 0xa68890826e568a85.
const FACTORS: &str = "input=3000000019,4000000007";

/// The files of the tests.
struct Files {
    modules: PathBuf,
    layers: String,
    application: PathBuf,
}

/// The driver of another machine, whose extensions are not known.
fn other_driver() -> Option<PathBuf> {
    std::env::var_os("SPIRV_IF_LAYER_DRIVER").map(PathBuf::from)
}

fn files() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = root().join("target/layer-tests");
        fs::create_dir_all(&folder).unwrap();
        let program = std::env::current_exe().unwrap();
        // Both lie where cargo builds them for this test.
        let (libraries, built) = (program.parent().unwrap(), program.ancestors().nth(2).unwrap());
        let library = library(libraries, "vk_layer_spirv_if");
        let manifest = fs::read_to_string(root().join("layers/vulkan/VkLayer_spirv_if.json.in")).unwrap();
        let manifest = manifest.replace("@SPIRV_IF_LAYER_LIBRARY@", library.to_str().unwrap());
        fs::write(folder.join("VkLayer_spirv_if.json"), manifest).unwrap();
        for fixture in ["vulkan/chain", "layers/way", "layers/rays", "decisions/glsldecisions"] {
            let words = pack(&module(fixture), &PackOptions::new()).unwrap().words;
            let name = short_name(fixture);
            write(&folder, name, &words);
            // The same module as the application's developer could have specialized it, for a device without features.
            let packed = Module::from_words(&words).unwrap();
            let device = DeviceParts::new().capabilities("Shader,RayTracingKHR").to_device(None).unwrap();
            let settings = Settings::new().unset(spirv_if::specialize::UnsetPolicy::Default);
            let plain = Prepared::new(&packed).unwrap().specialize(&device, &settings).unwrap().words;
            write(&folder, &format!("{name}-plain"), &plain);
            // It requires a feature for nothing.
            let capability = [2 << 16 | 17, 9];
            write(&folder, &format!("{name}-superfluous"), &[&plain[..5], &capability, &plain[5..]].concat());
            // The end is missing.
            write(&folder, &format!("{name}-truncated"), &words[..words.len() - 1]);
        }
        for fixture in ["layers/triangle", "layers/blend", "ubershaders/forward", "ubershaders/post"] {
            write(&folder, short_name(fixture), module(fixture).words());
        }
        let validation = match std::env::var("VK_LAYER_PATH") {
            Ok(path) if other_driver().is_some() => path,
            _ => root().join("target/tools/root/usr/share/vulkan/explicit_layer.d").display().to_string(),
        };
        Files {
            layers: format!("{}:{validation}", folder.display()),
            modules: folder,
            application: built.join("examples/application"),
        }
    })
}

/// Prepares a run with these layers, from the application to the driver.
fn run(layers: &[&str], entrance: &str, module: &str) -> Run {
    let files = files();
    let driver = other_driver().unwrap_or_else(|| root().join("target/tools/layers/vulkan-lavapipe"));
    let mut driver = Command::new(driver);
    driver
        .env("VK_LAYER_PATH", &files.layers)
        .env("VK_INSTANCE_LAYERS", layers.join(":"))
        .env("XDG_DATA_HOME", &files.modules)
        .env("XDG_CACHE_HOME", files.modules.join("caches"));
    let triangle = files.modules.join("triangle.spv");
    Run::new(driver, &files.application, &files.modules, entrance, module)
        .args(&[&format!("vertex={}", triangle.display()), FACTORS])
}

/// True if the driver has the extensions that an entrance needs. Without them the application ends in the same way with the layer.
fn has_extensions(entrance: &str, module: &str) -> bool {
    if other_driver().is_none() && entrance != "compute-identified" {
        return true;
    }
    let plain = run(&[], entrance, &format!("{module}-plain")).output();
    if plain.status.success() {
        return true;
    }
    let error = String::from_utf8_lossy(&plain.stderr).into_owned();
    assert!(error.contains("_NOT_PRESENT"), "{error}");
    assert_eq!(run(&[LAYER], entrance, module).error().0, error);
    false
}

/// Features, and the way that a device with them takes.
const WAYS: [(&str, u32); 3] = [("", 3), ("shaderInt16", 2), ("shaderInt64", 1)];

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn packed_compute_shaders_run_by_each_entrance() {
    for entrance in ["compute-module", "compute-chained", "compute-object"] {
        for (features, way) in WAYS.into_iter().filter(|_| has_extensions(entrance, "chain")) {
            let run = run(&[LAYER, VALIDATION], entrance, "chain").args(&[&format!("features={features}")]);
            let lines = run.lines();
            assert_eq!(lines[1..], ["binding 1: 0x6e568a85 0xa6889082", &format!("binding 2: {way:#x} 0x0")]);
        }
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn packed_fragment_shaders_run_by_each_entrance() {
    for entrance in ["graphics-module", "graphics-chained", "graphics-library"] {
        for (features, way) in [WAYS[0], WAYS[2]].into_iter().filter(|_| has_extensions(entrance, "way")) {
            let run = run(&[LAYER, VALIDATION], entrance, "way").args(&[&format!("features={features}")]);
            assert_eq!(run.lines(), [format!("pixel: {way}")], "{entrance}");
        }
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn packed_ray_generation_shaders_run_by_each_entrance() {
    for entrance in ["rays-module", "rays-chained", "rays-deferred"] {
        for (features, way) in [WAYS[0], WAYS[2]].into_iter().filter(|_| has_extensions(entrance, "rays")) {
            let run = run(&[LAYER, VALIDATION], entrance, "rays").args(&[&format!("features={features}")]);
            assert_eq!(run.lines()[2], format!("binding 2: {way:#x} 0x0"), "{entrance}");
        }
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn the_driver_takes_no_packed_module_without_the_layer() {
    for (entrance, module, function) in [
        ("compute-module", "chain", "vkCreateComputePipelines"),
        ("compute-chained", "chain", "vkCreateComputePipelines"),
        ("compute-object", "chain", "vkCreateShadersEXT"),
        ("graphics-module", "way", "vkCreateGraphicsPipelines"),
        ("rays-chained", "rays", "vkCreateRayTracingPipelinesKHR"),
    ] {
        let (error, _) = run(&[], entrance, module).error();
        assert!(error.contains(&format!("{function}: ERROR_")), "{error}");
    }
}

/// A decision of the host (SpecId 1) is made by the values that an application sets, which are known with the module, or later.
#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn values_of_constants_decide() {
    for entrance in ["compute-module", "compute-chained", "compute-object"] {
        for (constants, product) in [("", 21.0f32), ("1:0", 21.0), ("1:1", 14.0), ("0:1,1:1", 14.0)] {
            let run = run(&[LAYER, VALIDATION], entrance, "glsldecisions");
            let run = run.args(&["input=0x3f800000"]).args(&[&format!("constants={constants}")]);
            let expected = format!("binding 0: {:#x} 0x0", product.to_bits());
            assert_eq!(run.lines()[0], expected, "{entrance} {constants}");
        }
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn a_refused_module_is_an_error_with_messages() {
    for (entrance, fixture, module, function) in [
        ("compute-module", "chain", "chain-truncated", "vkCreateShaderModule"),
        ("compute-chained", "chain", "chain-truncated", "vkCreateComputePipelines"),
        ("compute-object", "chain", "chain-truncated", "vkCreateShadersEXT"),
        ("graphics-chained", "way", "way-truncated", "vkCreateGraphicsPipelines"),
        ("rays-chained", "rays", "rays-truncated", "vkCreateRayTracingPipelinesKHR"),
        // The device is not created with the extensions.
        ("compute-chained", "chain", "rays", "vkCreateComputePipelines"),
    ] {
        if !has_extensions(entrance, fixture) {
            continue;
        }
        let (error, printed) = run(&[LAYER, VALIDATION], entrance, module).args(&["messenger=1"]).error();
        let reason =
            if module == "rays" { "which does not accept RayTracingKHR" } else { "truncated module" };
        let is_said = |line: &str| line.contains("refused a packed module of ") && line.contains(reason);
        assert!(error.contains(&format!("{function}: ERROR_UNKNOWN")), "{error}");
        let in_errors =
            error.lines().any(|line| line.starts_with(&format!("{LAYER}: error: ")) && is_said(line));
        let start = format!("messenger: {LAYER}: ");
        assert!(
            in_errors && printed.lines().any(|line| line.starts_with(&start) && is_said(line)),
            "{error}{printed}"
        );
    }
}

/// An application sees of a packed module what it sees of the specialized one.
#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn pipeline_caches_and_compile_required_are_the_drivers() {
    let plain = run(&[], "compute-cached", "chain-plain").lines();
    assert!(plain[0].starts_with("the cache "), "{plain:?}");
    assert_eq!(run(&[LAYER, VALIDATION], "compute-cached", "chain").lines(), plain);
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn identifiers_are_those_of_the_specialized_module() {
    if has_extensions("compute-identified", "chain") {
        let plain = run(&[], "compute-identified", "chain-plain").lines();
        assert_eq!(plain[0], "one identifier: true");
        assert_eq!(run(&[LAYER, VALIDATION], "compute-identified", "chain").lines(), plain);
    }
}

/// Looks at messages of the layer on stderr.
fn reported(run: Run) -> String {
    let output = run.output();
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn modules_that_are_not_packed_are_left_alone() {
    let layers = [LAYER, VALIDATION];
    for (entrance, module) in [
        ("compute-module", "chain-plain"),
        ("compute-chained", "chain-plain"),
        ("compute-object", "chain-plain"),
        ("graphics-chained", "way-plain"),
        ("rays-chained", "rays-plain"),
    ] {
        if !has_extensions(entrance, module.trim_end_matches("-plain")) {
            continue;
        }
        let with = run(&layers, entrance, module).lines();
        assert_eq!(with, run(&[VALIDATION], entrance, module).lines());
        assert_eq!(reported(run(&layers, entrance, module).args(&["settings=report:info"])), "");
    }
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn settings_come_from_all_places() {
    let run = || run(&[LAYER], "compute-module", "chain");
    let specialized = format!("{LAYER}: info: ");
    assert_eq!(reported(run()), "");
    assert!(reported(run().args(&["settings=report:info"])).starts_with(&specialized));
    assert!(reported(run().variable("VK_SPIRVIF_SPECIALIZE_REPORT", "info")).starts_with(&specialized));
    let folder = files().modules.join("settings");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("vk_layer_settings.txt"), "spirvif_specialize.report = info\n").unwrap();
    let in_file = || run().variable("VK_LAYER_SETTINGS_PATH", folder.to_str().unwrap());
    assert!(reported(in_file().args(&["settings=report:none"])).starts_with(&specialized));
    assert_eq!(reported(in_file().variable("VK_SPECIALIZE_REPORT", "error")), "");
    let invalid = reported(run().variable("VK_SPIRVIF_SPECIALIZE_ADAPT", "perhaps"));
    assert!(
        invalid.starts_with(&format!("{LAYER}: warning: invalid value 'perhaps' of the environment ")),
        "{invalid}"
    );
}

/// The validation complains about a capability whose feature is not enabled, until the layer removes it.
#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn modules_are_adapted_by_a_setting() {
    let run = || run(&[LAYER, VALIDATION], "compute-module", "chain-superfluous");
    let output = run().output();
    assert!(String::from_utf8_lossy(&output.stdout).contains("Validation Error"), "{output:?}");
    let lines = run().args(&["settings=adapt:true"]).lines();
    assert_eq!(lines[1..], ["binding 1: 0x6e568a85 0xa6889082", "binding 2: 0x3 0x0"]);
    let message = reported(run().variable("VK_ADAPT", "1").variable("VK_REPORT", "info"));
    assert!(message.contains("removed capability Float16"), "{message}");
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn several_threads_instances_and_devices() {
    for layers in [&[LAYER, VALIDATION][..], &[LAYER]] {
        assert_eq!(run(layers, "many", "chain").lines(), ["all done"]);
    }
}

/// Values of Boolean constants, as the application has them.
fn switches(is_on: impl Fn(u32) -> bool) -> String {
    let all: Vec<String> =
        (0..40).map(|spec_id| format!("{spec_id}:{}", u32::from(is_on(spec_id)))).collect();
    all.join(",")
}

/// A folder for folded modules, which does not exist yet.
fn new_cache(name: &str) -> PathBuf {
    let folder = files().modules.join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A run that folds all modules.
fn folding(entrance: &str, module: &str, constants: &str, cache: &Path) -> Run {
    run(&[LAYER, VALIDATION], entrance, module)
        .args(&[&format!("constants={constants}")])
        .args(&["words=65536"])
        .args(&["settings=fold:true,fold_min_size:0,report:info"])
        .variable("VK_SPECIALIZE_FOLD_CACHE", cache.to_str().unwrap())
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn folded_shaders_compute_the_same() {
    let of_forward = [switches(|id| id % 9 == 0), switches(|_| true), "1:0,28:1,39:0".to_owned()];
    let of_blend = ["0:1,1:5,2:0x100,3:0x40200000", "0:0", "3:0x41000000,1:2"].map(str::to_owned);
    for (entrances, similar, module, settings) in [
        (["compute-module", "compute-chained", "compute-object"], "chain", "forward", &of_forward),
        (["graphics-module", "graphics-chained", "graphics-library"], "way", "blend", &of_blend),
    ] {
        for entrance in entrances.into_iter().filter(|entrance| has_extensions(entrance, similar)) {
            for constants in settings {
                let plain = run(&[VALIDATION], entrance, module).args(&["words=65536"]);
                let plain = plain.args(&[&format!("constants={constants}")]).lines();
                let cache = new_cache("folded");
                for said in
                    ["bytes of a module stay with its constants set", "bytes of a module stay, by the cache"]
                {
                    let output = folding(entrance, module, constants, &cache).output();
                    let errors = String::from_utf8_lossy(&output.stderr);
                    assert!(
                        errors.lines().count() == 1 && errors.trim().ends_with(said),
                        "{entrance}: {errors}"
                    );
                    let printed = String::from_utf8_lossy(&output.stdout);
                    assert_eq!(printed.lines().collect::<Vec<_>>(), plain, "{entrance} {constants}");
                }
            }
        }
    }
}

/// The switches of `post` are bits of one constant.
#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn several_processes_fold_at_once() {
    let cache = new_cache("folded-at-once");
    let settings = ["0:0x249249", "0:0xffffff", "0:5"];
    let expected = settings.map(|constants| {
        run(&[], "compute-module", "post")
            .args(&["words=65536"])
            .args(&[&format!("constants={constants}")])
            .lines()
    });
    let cache = cache.as_path();
    std::thread::scope(|scope| {
        for (constants, expected) in settings.iter().zip(&expected).cycle().take(6) {
            scope.spawn(move || {
                assert_eq!(&folding("compute-module", "post", constants, cache).lines(), expected)
            });
        }
    });
    assert_eq!(fs::read_dir(cache).unwrap().count(), settings.len());
}

/// A driver that finds a pipeline in a cache finds the one that was folded, too.
#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn folded_pipelines_are_in_pipeline_caches() {
    let constants = "0:0x249249";
    let plain =
        run(&[], "compute-cached", "post").args(&["words=65536"]).args(&[&format!("constants={constants}")]);
    let plain = plain.lines();
    assert!(plain[0].starts_with("the cache "), "{plain:?}");
    let cache = new_cache("folded-cached");
    assert_eq!(folding("compute-cached", "post", constants, &cache).lines(), plain);
}

#[test]
#[ignore = "needs drivers; scripts/test-vulkan-layer.sh runs it"]
fn modules_are_folded_where_users_ask_for_it() {
    let run = |settings: &str| {
        let run = run(&[LAYER], "compute-module", "post").args(&["constants=0:5"]).args(&["words=65536"]);
        reported(run.args(&[&format!("settings=report:info{settings}")]))
    };
    assert_eq!((run(""), run(",fold:true,fold_min_size:1000000")), (String::new(), String::new()));
    let caches = new_cache("caches");
    for _ in 0..2 {
        let said = run(",fold:true,fold_cache_size:0");
        assert!(said.ends_with("bytes of a module stay with its constants set\n"), "{said}");
    }
    let folder = caches.join("spirv-if/folded");
    assert!(!folder.exists());
    assert!(run(",fold:true").ends_with("with its constants set\n"));
    assert!(run(",fold:true").ends_with("by the cache\n"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    // One that is not a folder: the constants are set nevertheless.
    fs::write(caches.join("file"), "").unwrap();
    let said = run(&format!(",fold:true,fold_cache:{}", caches.join("file").display()));
    let lines: Vec<&str> = said.lines().collect();
    let start = format!("{LAYER}: warning: folded modules are not kept in {}/file: ", caches.display());
    assert!(lines[0].starts_with(&start) && lines[1].ends_with("with its constants set"), "{said}");
}
