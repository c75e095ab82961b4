//! Comparison of the JSON with spec-extensions/inspect.md.

use spirv_if::engine::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use spirv::{Capability, Op};

use crate::inspection::{
    EntryPointDifference, FileReport, Inspection, InspectionReport, NoTrials, SCHEMA, WhySubject,
    with_context,
};
use crate::test_support;
use spirv_if::device::Api;
use spirv_if::device::DeviceConfig;
use spirv_if::engine::analysis::closure;
use spirv_if::engine::analysis::requirements::is_of_kernels;
use spirv_if::engine::compatibility::DeviceResults;
use spirv_if::engine::device::capabilities;
use spirv_if::engine::loader::Module;
use spirv_if::property_sets::PropertySets;

/// Returns the documented members by section, each with true if it may be missing.
fn documented() -> BTreeMap<String, BTreeMap<String, bool>> {
    let text = include_str!("../../../../spec-extensions/inspect.md");
    let mut sections: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    let mut section = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_owned();
        } else if line == "A cause has" {
            section = "Cause".to_owned();
        } else if let Some((name, rest)) = line.strip_prefix("| `").and_then(|line| line.split_once('`')) {
            sections.entry(section.clone()).or_default().insert(name.to_owned(), rest.starts_with('?'));
        }
    }
    sections
}

/// Checks objects against the document, and records the members that occurred.
struct Checker {
    documented: BTreeMap<String, BTreeMap<String, bool>>,
    seen: BTreeSet<(String, String)>,
}

impl Checker {
    fn check(&mut self, section: &str, value: &Value) {
        let object = value.as_object().unwrap();
        let members = &self.documented[section];
        for name in object.keys() {
            assert!(members.contains_key(name), "{section}.{name} is not documented");
            self.seen.insert((section.to_owned(), name.clone()));
        }
        for (name, optional) in members {
            assert!(*optional || object.contains_key(name), "{section}.{name} is missing");
        }
    }

    fn each(&mut self, section: &str, value: &Value, then: impl Fn(&mut Self, &Value)) {
        for item in value.as_array().unwrap() {
            self.check(section, item);
            then(self, item);
        }
    }

    fn module(&mut self, module: &Value) {
        self.check("Answer", &module["answer"]);
        let counted = |list: &Value| -> u64 {
            list.as_array().unwrap().iter().map(|item| item["devices"].as_u64().unwrap()).sum()
        };
        let mut devices = module["answer"]["run"].as_u64().unwrap() + counted(&module["answer"]["gains"]);
        for list in ["do_not_run", "not_known"] {
            self.each("Reason", &module["answer"][list], |_, _| {});
            devices += counted(&module["answer"][list]);
        }
        assert_eq!(devices, module["answer"]["devices"], "each device is counted once");
        self.each("Group of devices", &module["device_groups"], |_, _| {});
        for list in ["capabilities", "extensions"] {
            self.each("Declaration", &module[list], |_, _| {});
        }
        for list in ["entry_points", "exported_functions"] {
            self.each("Entry point", &module[list], |checker, entry_point| {
                checker.each("Requirement", &entry_point["requirements"], |_, _| {});
                checker.check("Devices", &entry_point["devices"]);
                let runs = &entry_point["devices"]["each"][0]["as_is"]["runs"];
                assert!(runs.is_boolean() || runs.is_null());
            });
        }
        let empty = json!([]);
        self.each("Shared cost", module.get("shared_costs").unwrap_or(&empty), |checker, cost| {
            checker.each("Value of a constant", &cost["constants"], |_, _| {});
        });
        self.each("Value of a constant", module.get("without").unwrap_or(&empty), |_, _| {});
        self.each("Size", &module["sizes"], |_, _| {});
        let bytes = module["sizes"].as_array().unwrap().iter().map(|size| size["bytes"].as_u64().unwrap());
        assert_eq!(bytes.sum::<u64>(), module["size"], "the parts are the whole");
        self.check("Call graph", &module["calls"]);
        self.each("Function", &module["calls"]["functions"], |_, _| {});
        self.each("Reference", &module["calls"]["edges"], |_, _| {});
        self.each("Paths", &module["paths"], |checker, path| {
            assert_eq!(path["cost"].is_object(), path["origin"] == "code", "{path}");
            if let Some(bytes) = path["cost"]["bytes"].as_u64() {
                assert!(0 < bytes && bytes <= module["size"].as_u64().unwrap(), "{path}");
            }
            checker.each("Why", &path["why"], |_, _| {});
        });
        self.each("Difference", &module["against"], |_, _| {});
        self.check("Enable", &module["enable"]);
        self.each("Why", &module["why"], |checker, why| {
            checker.each("Cause", &why["causes"], |_, cause| {
                assert!(cause["instruction"]["opcode"].as_str().unwrap().starts_with("Op"));
            });
        });
    }
}

#[test]
fn an_api_refuses_what_it_does_not_take() {
    let declared = |capabilities: &[Capability]| {
        let mut words = vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, 1, 0];
        for &capability in capabilities {
            words.extend([2 << 16 | Op::Capability as u32, capability as u32]);
        }
        words.extend([3 << 16 | Op::MemoryModel as u32, 0, 1]);
        words
    };
    let refused = |capabilities: &[Capability], api| {
        let words = declared(capabilities);
        let module = Module::from_words(&words[..]).unwrap();
        let analyses = Analyses::new(&module, Cow::default());
        let enable = with_context(&analyses, &PropertySets::default(), |context| {
            let inspected = context.inspected(None, true)?;
            context.enable(api, None, &inspected)
        });
        let json = serde_json::to_value(enable.unwrap()).unwrap();
        assert_eq!(json["api"], api.keyword());
        let says_more = json["extensions"] != json!([]) || json["features"] != json!([]);
        assert!(json["refused"].is_null() || !says_more, "{json}");
        json["refused"].clone()
    };
    use Capability::*;
    let kernel = |declared: &[&str]| json!({"capability": "Kernel", "declared": declared});
    assert_eq!(refused(&[Kernel, Float64], Api::Vulkan), kernel(&["Kernel"]));
    assert_eq!(refused(&[Addresses, Vector16], Api::Vulkan), kernel(&["Vector16"]));
    let shader = json!({"capability": "Shader", "declared": ["Geometry"]});
    assert_eq!(refused(&[Geometry], Api::OpenCl), shader);
    // Neither kind of capability, each in a list of its own.
    assert_eq!(refused(&[Linkage], Api::OpenCl), Value::Null);
    assert_eq!(refused(&[Kernel, Float64], Api::OpenCl), Value::Null);
    assert_eq!(refused(&[Shader, Float64], Api::Vulkan), Value::Null);
}

#[test]
fn nothing_that_an_api_can_have_is_of_the_other_kind() {
    for api in Api::ALL {
        let foreign = capabilities::number(api.foreign().unwrap()).unwrap();
        for number in capabilities::names().filter_map(capabilities::number) {
            let name = capabilities::name(number).unwrap();
            let brings = closure(std::iter::once(number)).contains(&foreign);
            assert!(!brings || api.capability(name).is_none(), "{api} takes {name}");
        }
    }
}

#[test]
fn every_member_is_documented_and_there() {
    let config = DeviceConfig::embedded().unwrap();
    let results = Mutex::new(DeviceResults::new(config.iter().collect()));
    let mut checker = Checker { documented: documented(), seen: BTreeSet::new() };
    for (name, words) in test_support::fixtures() {
        let module = Module::from_words(&words[..]).unwrap();
        let of_kernels = is_of_kernels(&module);
        let api = if of_kernels { Api::OpenCl } else { Api::Vulkan };
        let analyses = Analyses::new(&module, Cow::default());
        let report = with_context(&analyses, &PropertySets::default(), |context| {
            let mut inspected = context.inspected(None, true)?;
            context.compare_with_devices(&mut inspected, &results, true, Some(&NoTrials))?;
            let why = Some(context.why(&WhySubject::parse("fp16").unwrap())?);
            let other = if of_kernels { Api::Vulkan } else { Api::OpenCl };
            let refused = context.enable(other, None, &inspected)?.refused.unwrap();
            assert_eq!(refused.capability, if of_kernels { "Kernel" } else { "Shader" }, "{name}");
            let enable = Some(context.enable(api, None, &inspected)?);
            let violations = Vec::new();
            let details = Some(context.details(&inspected)?);
            let inspected = Arc::new(inspected);
            let against = Some(EntryPointDifference::between(&inspected, &inspected));
            let size = words.len() * 4;
            let without = context.values_without(&WhySubject::parse("fp16").unwrap())?;
            Ok(Inspection {
                offset: 0,
                size,
                inspected,
                enable,
                why,
                without,
                violations,
                details,
                against,
                statistics: None,
            })
        });
        let report = report.unwrap();
        let functions = report.inspected.functions;
        let size = words.len() * 4;
        let counts = [report.counts(), report.counts()].into_iter().flatten();
        let files = vec![FileReport { file: name.clone(), size, modules: vec![report.clone(); 2] }];
        let report = InspectionReport::new(counts, files);
        let json: Value = serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
        checker.check("Report", &json);
        assert_eq!(json["schema"], SCHEMA);
        checker.check("Answer of several modules", &json["answer"]);
        checker.each("File", &json["files"], |checker, file| {
            assert_eq!(file["file"], name.as_str());
            checker.each("Module", &file["modules"], Checker::module);
            assert_eq!(file["modules"][0]["functions"], functions);
        });
    }
    let expected = [
        ("Cause", "when"),
        ("Devices", "each"),
        ("Enable", "version"),
        ("Entry point", "demangled"),
        ("Entry point", "sub_group_size"),
        ("Entry point", "work_group_size"),
        ("Requirement", "when"),
    ];
    let unseen: Vec<_> = expected
        .into_iter()
        .filter(|(section, name)| !checker.seen.contains(&((*section).to_owned(), (*name).to_owned())))
        .collect();
    // Fixtures with a sub-group size or C++ names may be missing.
    assert!(unseen.len() <= 2, "{unseen:?}");
}
