//! Compile-time properties in modules of compilers, `fixtures/properties/kernels.cl`. The results are valid, and the translator of OpenCL drivers
//! reads the requested attributes.

use std::process::Command;

use libtest_mimic::Trial;
use spirv_if::{Device, Module, Prepared, Settings};

use super::headers::built::folder_of;
use crate::common::{bytes_of, fixtures, tool, validate};
use crate::registry::{ignored_without, trial};

const TRANSLATOR: &str = "llvm-spirv";
const COMPILER: &str = "clang";

/// The results for a device, each with the name of the fixture.
fn specialized_fixtures() -> Vec<(String, Vec<u32>)> {
    let device = Device::embedded("intel_gpu_pvc").unwrap();
    let fixtures = fixtures().into_iter().filter(|(name, _)| name.starts_with("properties/kernels"));
    let specialized = fixtures.map(|(name, words)| {
        let module = Module::from_words(&words[..]).unwrap();
        let lowered = module.lowered_properties().unwrap();
        assert!(lowered.warnings.is_empty(), "{name}: {:?}", lowered.warnings);
        let (example, rest): (Vec<_>, Vec<_>) =
            lowered.removed.iter().partition(|property| property.name == "sycl-example");
        assert_eq!(example.len(), 1, "{name}");
        assert!(rest.iter().all(|property| property.name == "sycl-no-alias"), "{name}: {rest:?}");
        // The embedded device lists no extension for what FPGAs and hosts read.
        let prepared = Prepared::new(&module).unwrap();
        let result = prepared.specialize(&Device::default(), &Settings::new()).unwrap();
        if !name.contains("llvm-spirv") {
            assert_eq!(prepared.specialize(&device, &Settings::new()).unwrap().words, result.words, "{name}");
        }
        (name, result.words)
    });
    let specialized: Vec<_> = specialized.collect();
    assert_eq!(specialized.len(), 4);
    specialized
}

fn properties_of_compilers_become_modes_and_decorations() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("made.spv");
    for (name, words) in specialized_fixtures() {
        validate(&words, "spv1.4").unwrap();
        std::fs::write(&path, bytes_of(&words)).unwrap();
        let output =
            Command::new(tool("SPIRV_DIS", "spirv-dis")).arg("--no-indent").arg(&path).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let count = |wanted: &str| text.lines().filter(|line| line.contains(wanted)).count();
        for mode in ["LocalSize 16 2 1", "LocalSizeHint 64 1 1", "SubgroupSize 16"] {
            assert_eq!(count(mode), 1, "{name}: {mode}");
        }
        assert!(count("Alignment 16") > 0, "{name}");
        let is_translated = name.contains("llvm-spirv");
        assert_eq!(count("HostAccessINTEL ReadINTEL \"table\""), usize::from(is_translated), "{name}");
        let keeps_parameters = is_translated && name.ends_with("O0.spv");
        assert_eq!(count("FuncParamAttr NoAlias"), if keeps_parameters { 2 } else { 0 }, "{name}");
        assert_eq!(count("sycl-"), 0, "{name}");
    }
}

fn llvm_spirv_reads_the_attributes() {
    let program = |name: &str| folder_of(name).unwrap().join(name);
    let place = tempfile::tempdir().unwrap();
    let (spirv, llvm) = (place.path().join("made.spv"), place.path().join("made.bc"));
    for (name, words) in specialized_fixtures() {
        std::fs::write(&spirv, bytes_of(&words)).unwrap();
        let mut read = Command::new(program(TRANSLATOR));
        read.args(["-r", "--spirv-ext=+all"]).arg(&spirv).arg("-o").arg(&llvm);
        let output = read.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let mut show = Command::new(program(COMPILER));
        show.args(["-x", "ir", "-S", "-emit-llvm", "-o", "-"]).arg(&llvm);
        let text = String::from_utf8(show.output().unwrap().stdout).unwrap();
        let kernel = |name: &str| {
            let start = format!("define spir_kernel void @{name}(");
            text.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{text}"))
        };
        // The value of a metadata node that a function has.
        let metadata = |line: &str, kind: &str| {
            let (_, rest) =
                line.split_once(&format!("!{kind} !")).unwrap_or_else(|| panic!("{name}: {line}"));
            let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let start = format!("!{number} = ");
            text.lines().find_map(|line| line.strip_prefix(&start)).unwrap().to_owned()
        };
        assert_eq!(metadata(kernel("scale"), "reqd_work_group_size"), "!{i32 16, i32 2, i32 1}", "{name}");
        assert_eq!(metadata(kernel("squares"), "work_group_size_hint"), "!{i32 64, i32 1, i32 1}", "{name}");
        assert_eq!(metadata(kernel("squares"), "intel_reqd_sub_group_size"), "!{i32 16}", "{name}");
        let is_noalias = kernel("scale").contains(" noalias ");
        assert_eq!(is_noalias, name.ends_with("llvm-spirv-O0.spv"), "{name}");
    }
}

/// The second is ignored without compilers.
pub fn trials() -> Vec<Trial> {
    let missing = [TRANSLATOR, COMPILER].into_iter().find(|tool| folder_of(tool).is_none());
    let first = trial(
        module_path!(),
        "properties_of_compilers_become_modes_and_decorations",
        properties_of_compilers_become_modes_and_decorations,
    );
    let second = trial(module_path!(), "llvm_spirv_reads_the_attributes", llvm_spirv_reads_the_attributes);
    vec![first, ignored_without(second, missing)]
}
