//! Intel's compiler of kernels, which needs no GPU: it compiles what is made for each of Intel's GPUs in the table, and accepts the extensions that
//! the table lists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use serde_yaml::Mapping;
use spirv::Capability;
use spirv_if::device::{Api, DeviceConfig};
use spirv_if::specialize::{FeaturesToLower, UnsetPolicy};
use spirv_if::{Device, Error, Module, Prepared, Settings};

use crate::common::{all_fixtures, assemble, bytes_of, in_share, root};
use crate::drivers::routes::{declared, instructions};
use crate::registry::{ignored_without, needing_tools};

/// Shares of the devices.
const SHARES: usize = 7;

/// GPUs before Gen12, which another compiler of Intel's is for.
const OLDER: [&str; 12] =
    ["bdw", "skl", "kbl", "cfl", "apl", "glk", "whl", "aml", "cml", "icllp", "ehl", "bxt"];

/// GPUs for which IGC 2.40.14 crashes at 32-bit addresses, and the fixture that has them. What crashes a compiler is not given to it again.
const CRASHES: ([&str; 2], &str) = (["intel_gpu_nvl_p", "intel_gpu_cri"], "opencl/plain.spv");

pub fn trials() -> Vec<Trial> {
    let missing = (!compiler().exists()).then_some("scripts/setup.sh drivers");
    let mut trials = Vec::new();
    let devices = DeviceConfig::embedded().unwrap();
    let devices = devices.iter().filter(|device| acronym(device).is_some()).enumerate();
    for (_, device) in devices.filter(|(number, _)| in_share(*number, SHARES)) {
        let mut add = |what: &str, test: fn(&IntelCompiler) -> Result<(), String>| {
            let compiler = IntelCompiler::new(device);
            let title = format!("intel::{}::{what}", device.name());
            let trial = needing_tools(title, move || Ok(test(&compiler)?));
            trials.push(ignored_without(trial, missing));
        };
        add("kernels", IntelCompiler::compiles_kernels);
        add("extensions", IntelCompiler::accepts_what_is_listed);
        add("adapted", IntelCompiler::compiles_what_is_adapted);
    }
    trials
}

fn compiler() -> PathBuf {
    root().join("target/tools/bin/ocloc")
}

/// The name of a device for the compiler; `None` if it is for no such device.
fn acronym(device: &Device) -> Option<String> {
    let name = device.name().strip_prefix("intel_gpu_")?;
    (!OLDER.contains(&name)).then(|| name.replace('_', "-"))
}

/// The compiler for one device.
struct IntelCompiler {
    device: Device,
    acronym: String,
}

impl IntelCompiler {
    fn new(device: &Device) -> IntelCompiler {
        let acronym = acronym(device).unwrap();
        IntelCompiler { device: device.for_api(Api::OpenCl).into_owned(), acronym }
    }

    /// Compiles a module; returns what the compiler says if it does not.
    fn compile(&self, words: &[u32]) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (input, output) = (folder.path().join("in.spv"), folder.path().join("out"));
        std::fs::write(&input, bytes_of(words)).map_err(|error| error.to_string())?;
        let mut command = Command::new(compiler());
        command.args(["compile", "-spirv_input", "-output_no_suffix", "-device", &self.acronym, "-file"]);
        let ended =
            command.arg(&input).arg("-output").arg(&output).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
        if ended.status.success() && said.contains("Build succeeded") { Ok(()) } else { Err(said) }
    }

    /// Compiles what is made of each fixture with kernels, without doubles where the device has none.
    fn compiles_kernels(&self) -> Result<(), String> {
        let (mut compiled, mut refused) = (0, 0);
        let mut failures = Vec::new();
        for (name, words) in all_fixtures() {
            let has_entry_point =
                instructions(&words).any(|(opcode, _)| opcode == spirv::Op::EntryPoint as u32);
            let crashes = CRASHES.0.contains(&self.device.name()) && name == CRASHES.1;
            if !declared(&words).contains(&(Capability::Kernel as u32)) || !has_entry_point || crashes {
                continue;
            }
            let module = Module::from_words(&words[..]).map_err(|error| error.to_string())?;
            let settings = Settings::new().unset(UnsetPolicy::Default).lower(FeaturesToLower::Missing);
            let made =
                Prepared::new(&module).and_then(|prepared| prepared.specialize(&self.device, &settings));
            match made.map(|made| self.compile(&made.words)) {
                Ok(Ok(())) => compiled += 1,
                Ok(Err(problem)) => failures.push(format!("{name}: {problem}")),
                Err(Error::Refused(_)) => refused += 1,
                Err(error) if error.to_string().contains("cannot be lowered") => refused += 1,
                Err(error) => failures.push(format!("{name}: {error}")),
            }
        }
        match failures.is_empty() && compiled > 30 {
            true => Ok(()),
            false => Err(format!("{compiled} compiled, {refused} refused\n{}", failures.join("\n"))),
        }
    }

    /// Checks that kernels with extensions that the compiler refuses are refused, and compiled once they are adapted.
    fn compiles_what_is_adapted(&self) -> Result<(), String> {
        for (name, capability, mode, control) in ADAPTED {
            let words = assemble(&with_constructs(name, capability, mode, control), "spv1.2");
            let module = Module::from_words(&words[..]).map_err(|error| error.to_string())?;
            let prepared = Prepared::new(&module).map_err(|error| error.to_string())?;
            let specialize = |settings: Settings| prepared.specialize(&self.device, &settings);
            if self.compile(&words).is_ok() || specialize(Settings::new()).is_ok() {
                return Err(format!("{name} is not refused"));
            }
            let adapted = specialize(Settings::new().adapt(true)).map_err(|error| error.to_string())?;
            self.compile(&adapted.words)?;
        }
        Ok(())
    }

    /// Checks the extensions that tables name: the compiler accepts those that the device's entry lists, and no others.
    fn accepts_what_is_listed(&self) -> Result<(), String> {
        let entry: Mapping =
            serde_yaml::from_str(&self.device.to_yaml()).map_err(|error| error.to_string())?;
        let listed = entry[self.device.name()]["extensions"].as_sequence().ok_or("no list of extensions")?;
        let wrong = extensions().into_iter().filter_map(|name| {
            let words = assemble(&with_extension(&name), "spv1.2");
            let is_listed = listed.iter().any(|item| item.as_str() == Some(&name));
            let is_accepted = self.compile(&words).is_ok();
            (is_listed != is_accepted).then(|| format!("{name}: listed {is_listed}, accepted {is_accepted}"))
        });
        let wrong: Vec<String> = wrong.collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    }
}

/// The extensions that the tables of `spec-extensions` name.
fn extensions() -> BTreeSet<String> {
    let entries =
        std::fs::read_dir(root().join("spec-extensions")).unwrap().flatten().map(|entry| entry.path());
    let tables = entries.filter(|path| path.extension().is_some_and(|extension| extension == "csv"));
    tables.flat_map(|path| named_in(&path)).collect()
}

/// The extensions that a table names.
fn named_in(path: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("SPV_")).map(str::to_owned).collect()
}

/// Extensions that the compiler refuses for every device: the capability, an execution mode, and a control of a loop that they add.
const ADAPTED: [(&str, &str, &str, &str); 3] = [
    (
        "SPV_INTEL_maximum_registers",
        "RegisterLimitsINTEL",
        "OpExecutionMode %kernel MaximumRegistersINTEL 128",
        "None",
    ),
    ("SPV_INTEL_fpga_loop_controls", "FPGALoopControlsALTERA", "", "InitiationIntervalALTERA 2"),
    (
        "SPV_KHR_float_controls2",
        "FloatControls2",
        "OpExecutionModeId %kernel FPFastMathDefault %float %flags",
        "None",
    ),
];

/// A kernel with a loop, and constructs of an extension.
fn with_constructs(extension: &str, capability: &str, mode: &str, control: &str) -> String {
    format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpCapability {capability}\nOpExtension \"{extension}\"\n\
        OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %kernel \"nothing\"\n{mode}\n\
        %void = OpTypeVoid\n%float = OpTypeFloat 32\n%uint = OpTypeInt 32 0\n%flags = OpConstant %uint 7\n\
        %bool = OpTypeBool\n%true = OpConstantTrue %bool\n%type = OpTypeFunction %void\n\
        %kernel = OpFunction %void None %type\n%label = OpLabel\nOpBranch %head\n%head = OpLabel\n\
        OpLoopMerge %end %again {control}\nOpBranchConditional %true %end %again\n%again = OpLabel\nOpBranch %head\n\
        %end = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
}

/// A kernel that does nothing, with an extension.
fn with_extension(name: &str) -> String {
    format!(
        "OpCapability Kernel\nOpCapability Addresses\nOpExtension \"{name}\"\n\
        OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %kernel \"nothing\"\n\
        %void = OpTypeVoid\n%type = OpTypeFunction %void\n%kernel = OpFunction %void None %type\n\
        %label = OpLabel\nOpReturn\nOpFunctionEnd\n"
    )
}
