//! `trim` beside `spirv-opt --trim-capabilities`: it never keeps more, and its results are valid.

mod case;
mod cases;
mod storage;
mod subgroups;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;
use spirv::Op;
use spirv_if::Module;
use spirv_if::trim::trim;

use crate::common::{bytes_of, run, spirv_val, tool, tool_file, words_of};
use case::{TrimCase, case};

/// The instructions that declare capabilities and extensions, in their order.
fn declarations(words: &[u32]) -> Vec<Vec<u32>> {
    let mut rest = &words[5..];
    let mut declared = Vec::new();
    while let Some(first) = rest.first() {
        let (inst, next) = rest.split_at((first >> 16) as usize);
        if [Op::Capability, Op::Extension].iter().any(|&op| op as u32 == first & 0xffff) {
            declared.push(inst.to_vec());
        }
        rest = next;
    }
    declared
}

/// The tools, and a folder for their files.
struct Bench {
    optimizer: PathBuf,
    assembler: PathBuf,
    validator: PathBuf,
    folder: tempfile::TempDir,
}

/// The remaining declarations of a case, by name.
struct RemainingDeclarations<'c> {
    ours: Vec<&'c str>,
    theirs: Vec<&'c str>,
    /// The result of spirv-opt.
    optimized: Vec<u8>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            optimizer: tool("SPIRV_OPT", "spirv-opt"),
            assembler: tool("SPIRV_AS", "spirv-as"),
            validator: tool("SPIRV_VAL", "spirv-val"),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// Trims a case in both ways, and keeps our result in a folder for the validator. Returns the error of a tool: spirv-opt refuses an invalid
    /// module.
    fn trim<'c>(&self, number: usize, case: &'c TrimCase) -> Result<RemainingDeclarations<'c>, String> {
        let environment = case.environment;
        let text = case.text();
        let bytes = run(&self.assembler, &["--target-env", environment, "-o", "-", "-"], text.as_bytes())?;
        let target = format!("--target-env={environment}");
        let optimized = run(&self.optimizer, &[&target, "--trim-capabilities", "-o", "-", "-"], &bytes)
            // It writes the module to its output as well.
            .map_err(|output| output.split("error: ").skip(1).collect::<String>())?;
        let words = words_of(&bytes);
        let trimmed = trim(&Module::from_words(&words[..]).unwrap()).unwrap();
        let folder = self.folder.path().join(environment);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{number}.spv")), bytes_of(&trimmed.words)).unwrap();

        let names: BTreeMap<Vec<u32>, &str> = declarations(&words).into_iter().zip(case.declared()).collect();
        let named =
            |words: &[u32]| declarations(words).iter().map(|declaration| names[declaration]).collect();
        Ok(RemainingDeclarations {
            ours: named(&trimmed.words),
            theirs: named(&words_of(&optimized)),
            optimized,
        })
    }

    /// The message of spirv-val about our results of an environment: it takes a folder.
    fn invalid(&self, environment: &str) -> Option<String> {
        let folder = self.folder.path().join(environment);
        run(&self.validator, &["--target-env", environment, folder.to_str().unwrap()], b"").err()
    }
}

impl RemainingDeclarations<'_> {
    /// The declarations that remain with us, and not with spirv-opt.
    fn more(&self) -> Vec<&str> {
        self.ours.iter().filter(|name| !self.theirs.contains(name)).copied().collect()
    }

    /// The fault of an outcome.
    fn fault(&self, case: &TrimCase) -> Option<String> {
        let expected: Vec<&str> = case.remains.split_whitespace().collect();
        if self.ours != expected {
            return Some(format!("{:?} remains, and not {expected:?}", self.ours));
        }
        let more = self.more();
        match case.spirv_opt_errs {
            false => (!more.is_empty()).then(|| format!("spirv-opt removes {more:?} as well")),
            true => (more.is_empty() || spirv_val(&self.optimized, case.environment).is_ok())
                .then(|| format!("spirv-opt is right to remove {more:?}")),
        }
    }
}

fn no_more_remains_than_of_spirv_opt() {
    let bench = Bench::new();
    let cases: Vec<TrimCase> =
        [cases::cases(), storage::cases(), subgroups::cases()].into_iter().flatten().collect();
    let compared = cases.iter().enumerate().filter_map(|(number, case)| {
        let fault = bench.trim(number, case).map_or_else(Some, |outcome| outcome.fault(case));
        fault.map(|fault| format!("{number}, {}: {fault}\n{}", case.name, case.text()))
    });
    let faults: Vec<String> = compared.collect();
    assert!(faults.is_empty(), "{} of {} cases fail:\n{}", faults.len(), cases.len(), faults.join("\n"));
    let environments: BTreeSet<&str> = cases.iter().map(|case| case.environment).collect();
    let invalid: Vec<String> =
        environments.into_iter().filter_map(|environment| bench.invalid(environment)).collect();
    assert!(invalid.is_empty(), "results are not valid, by number of the case:\n{}", invalid.join("\n"));
}

/// Capabilities that cannot be declared beside all others. spirv-opt does not change a module with Linkage, which another one implies. Two need
/// instructions of their own. Two are unknown to it, and it removes their extension nevertheless.
const LEFT_OUT: [&str; 6] = [
    "Linkage",
    "WeakLinkageAMD",
    "BindlessTextureNV",
    "GraphARM",
    "RayQueryProvisionalKHR",
    "RayTracingProvisionalKHR",
];

/// A shader that declares the capabilities of the newest grammar and uses none of them.
fn unused(grammar: &Value) -> TrimCase {
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let text = |of: &Value| of.as_str().unwrap().to_owned();
    let kinds = list(&grammar["operand_kinds"]);
    let capabilities = list(&kinds.iter().find(|kind| kind["kind"] == "Capability").unwrap()["enumerants"]);
    let capabilities: Vec<Value> = capabilities
        .into_iter()
        .filter(|capability| !LEFT_OUT.contains(&capability["enumerant"].as_str().unwrap()))
        .collect();
    let extensions: BTreeSet<String> = capabilities
        .iter()
        .flat_map(|capability| list(&capability["extensions"]))
        .map(|name| text(&name))
        .collect();
    let names = capabilities.iter().map(|capability| text(&capability["enumerant"])).chain(extensions);
    let code = "OpMemoryModel Logical Vulkan\nFN %main\nEND";
    case("all capabilities", "spv1.6", &names.collect::<Vec<_>>().join(" "), code, "")
}

fn no_unused_capability_remains_that_spirv_opt_removes() {
    let bench = Bench::new();
    let grammar = tool_file("SPIRV_GRAMMAR", "root/usr/include/spirv/unified1/spirv.core.grammar.json");
    let case = unused(&serde_json::from_slice(&std::fs::read(grammar).unwrap()).unwrap());
    let outcome = bench.trim(0, &case).unwrap();
    let removed = case.declared().len() - outcome.theirs.len();
    assert!(removed >= 46, "spirv-opt removes only {removed}");
    assert_eq!(outcome.more(), [""; 0], "spirv-opt removes these as well");
    assert_eq!(bench.invalid(case.environment), None);
}

tests![no_more_remains_than_of_spirv_opt, no_unused_capability_remains_that_spirv_opt_removes];
