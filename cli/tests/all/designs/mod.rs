//! Agreement of the three designs: conditions decided ahead of time, specialized packed modules, and linked add-on images. All have the same code,
//! or are refused alike, for every fixture on every device with different answers.

mod final_results;
mod llvm_spirv;
mod normal;

use std::slice::from_ref;

use libtest_mimic::Trial;
use spirv_if::device::DeviceConfig;
use spirv_if::module::Annotations;
use spirv_if::{Device, Error, Module, PackOptions, Prepared, Settings, pack};
use spirv_if_sycl::program::Program;

use crate::common::{fixtures, root};
use crate::drivers::routes::program;
use crate::registry::trial;

/// The tests of the designs.
pub fn trials() -> Vec<Trial> {
    let compare = every_fixture_is_the_same_code_in_each_design;
    let mut trials = vec![trial(module_path!(), "every_fixture_is_the_same_code_in_each_design", compare)];
    trials.extend(final_results::trials());
    trials.extend(llvm_spirv::trials());
    trials
}

/// The result of a kernel on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KernelResult {
    Runs(String),
    Refused,
    Fails(String),
}

/// Decided ahead of time, or packed and specialized.
fn specialized(module: &Module, device: &Device, kernel: &str) -> Result<Option<Vec<u32>>, Error> {
    let prepared = Prepared::new(module)?;
    match prepared.specialize(device, &Settings::new().entry_points([kernel]).trim(true)) {
        Ok(specialized) => Ok(Some(specialized.words)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn linked(program: &Program, device: &Device, kernel: &str) -> Result<Option<Vec<u32>>, Error> {
    // One compiler leaves OpenCL's built-in functions to drivers, as imports.
    let settings = Settings::new().entry_points([kernel]).trim(true);
    let run = || program.select(kernel, device)?.allow_partial_linkage(true).specialize(&settings);
    match run() {
        Ok(specialized) => Ok(Some(specialized.words)),
        Err(Error::Refused(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn outcome(words: Option<Vec<u32>>, kernel: &str) -> KernelResult {
    let Some(words) = words else { return KernelResult::Refused };
    let forms = normal::entry_points(&words).expect("rspirv does not load a result");
    let forms_of_kernel: Vec<&String> = forms
        .iter()
        .filter(|(name, _)| name.ends_with(&format!(" {kernel}")))
        .map(|(_, form)| form)
        .collect();
    let [form] = forms_of_kernel[..] else { panic!("{} entry points `{kernel}`", forms_of_kernel.len()) };
    KernelResult::Runs(form.clone())
}

fn every_fixture_is_the_same_code_in_each_design() {
    let devices: Vec<Device> = DeviceConfig::embedded().unwrap().iter().cloned().collect();
    let mut tally = ComparisonCounts::default();
    for (name, words) in fixtures() {
        let Some(module) = module(&name, &words) else { continue };
        compare(&name, &module, &devices, &mut tally);
    }
    let ComparisonCounts { compared, refused, failures } = tally;
    assert!(failures.is_empty(), "of {compared}\n{}", failures.join("\n"));
    assert!(compared > 400 && refused > 0, "{compared} compared, {refused} refused");
}

/// Counts of compared results.
#[derive(Default)]
struct ComparisonCounts {
    compared: usize,
    refused: usize,
    failures: Vec<String>,
}

/// Compares the entry points of a module on devices that answer differently, if any do.
fn compare(name: &str, module: &Module, devices: &[Device], tally: &mut ComparisonCounts) {
    let prepared = Prepared::new(module).unwrap();
    let able = |device: &Device| prepared.groups(from_ref(device), &Settings::new()).is_ok();
    // Programs are those of SYCL: they would ask for what kernels can do, also of shaders.
    let of_module = devices.iter().map(|device| device.for_api(module.api()).into_owned());
    let devices: Vec<Device> = of_module.filter(able).collect();
    let groups = prepared.groups(&devices, &Settings::new()).unwrap();
    let kernels = normal::entry_points(module.words()).unwrap_or_default();
    if groups.len() < 2 || kernels.is_empty() {
        return;
    }
    let packed = pack(module, &PackOptions::default()).unwrap();
    let packed = Module::from_words(packed.words).unwrap();
    let program = program(module).unwrap_or_else(|error| panic!("{name}: {error}"));
    for (kernel, device) in
        kernels.keys().flat_map(|kernel| groups.iter().map(move |group| (kernel, group[0])))
    {
        let kernel = kernel.split_once(' ').unwrap().1;
        let results = [
            specialized(module, device, kernel),
            specialized(&packed, device, kernel),
            linked(&program, device, kernel),
        ];
        let [ahead, packed, linked] = results.map(|words| match words {
            Ok(words) => outcome(words, kernel),
            Err(error) => KernelResult::Fails(error.to_string()),
        });
        tally.compared += 1;
        tally.refused += usize::from(ahead == KernelResult::Refused);
        for (other, design) in [(&packed, "packed"), (&linked, "linked")] {
            if *other != ahead {
                let difference = difference(&ahead, other);
                tally.failures.push(format!("{name} {kernel} on {}, {design}\n{difference}", device.name()));
            }
        }
    }
}

fn module(name: &str, words: &[u32]) -> Option<Module<'static>> {
    let module = Module::from_words(words.to_vec()).ok()?;
    let path = root().join("fixtures").join(name.replace("-O.", "."));
    match std::fs::read_to_string(path.with_extension("yaml")) {
        Ok(text) => Some(module.with_annotations(&Annotations::from_yaml(name, &text).unwrap()).unwrap()),
        Err(_) => Some(module),
    }
}

/// The first lines in which two forms differ.
fn difference(one: &KernelResult, other: &KernelResult) -> String {
    let (KernelResult::Runs(one), KernelResult::Runs(other)) = (one, other) else {
        let short = |outcome: &KernelResult| {
            if let KernelResult::Runs(_) = outcome { "runs".to_owned() } else { format!("{outcome:?}") }
        };
        return format!("  {} | {}", short(one), short(other));
    };
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let at = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let part = |lines: &[&str]| {
        lines[at.min(lines.len())..].iter().take(6).map(|line| format!("    {line}\n")).collect::<String>()
    };
    format!("  line {at} of {} and {}\n{}  --\n{}", one.len(), other.len(), part(&one), part(&other))
}
