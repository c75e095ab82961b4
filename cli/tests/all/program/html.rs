//! Output of `inspect --format html`: one file that loads nothing and contains the JSON of the same inspection. scripts/test-web.sh --report looks at
//! it in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value};

use crate::common::{fixtures, root};

const DATA: &str = r#"<script type="application/json" id="data">"#;

fn inspect(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
    command.arg("inspect").args(arguments).current_dir(root());
    command.output().unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The data in a page, in which equal parts are stored once.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once(DATA).expect("the page has data");
    let packed: Value = serde_json::from_str(rest.split_once("</script>").expect("the data ends").0).unwrap();
    let shapes = packed["shapes"].as_array().unwrap();
    let mut parts = Vec::new();
    for part in packed["parts"].as_array().unwrap() {
        parts.push(unpacked(part, shapes, &parts));
    }
    unpacked(&packed["root"], shapes, &parts)
}

/// Returns a value as it was before: a scalar, a part by its index, or a part with its shape.
fn unpacked(value: &Value, shapes: &[Value], parts: &[Value]) -> Value {
    let Some((shape, items)) = value.as_array().and_then(|items| items.split_first()) else {
        return value.clone();
    };
    let items = items.iter().map(|item| unpacked(item, shapes, parts));
    match shape.as_i64().unwrap() {
        -2 => Value::Object(Map::new()),
        -1 => items.collect(),
        part if items.len() == 0 => parts[part as usize].clone(),
        shape => {
            let keys = shapes[shape as usize].as_array().unwrap().iter();
            keys.map(|key| key.as_str().unwrap().to_owned()).zip(items).collect::<Map<_, _>>().into()
        }
    }
}

/// Some of the fixtures.
fn files() -> Vec<PathBuf> {
    let folder = Path::new("fixtures");
    fixtures().into_iter().step_by(8).map(|(name, _)| folder.join(name)).collect()
}

fn the_data_is_the_json_of_the_same_inspection() {
    for file in files() {
        let file = file.to_str().unwrap();
        let page = text(inspect(&[file, "--format", "html"]));
        let json = text(inspect(&[file, "--format", "json", "--details", "--devices", "*"]));
        let (in_page, expected) = (data(&page), serde_json::from_str::<Value>(&json).expect("it is JSON"));
        assert!(in_page == expected, "{file}");
        let module = &in_page["files"][0]["modules"][0];
        assert!(module["calls"]["functions"].is_array() && module["sizes"].is_array(), "{file}");
    }
}

/// Only the name space of SVG is an address, and no browser fetches it.
fn nothing_is_loaded() {
    let page = text(inspect(&["fixtures/glsl/reduce.spv", "--format", "html"]));
    let (before, rest) = page.split_once(DATA).unwrap();
    let script = rest.split_once("</script>").unwrap().1;
    let script_of_page = [before, script].concat().replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!script_of_page.contains(address), "{address}");
    }
}

/// Names of files and functions are text, with any characters.
fn names_are_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("<script>alert(1)<!--.spv");
    std::fs::copy(root().join("fixtures/glsl/reduce.spv"), &path).unwrap();
    let page = text(inspect(&[path.to_str().unwrap(), "--format", "html"]));
    assert!(!page.contains("<script>alert") && !page.contains("<!--"), "the name is markup");
    assert_eq!(data(&page)["files"][0]["file"], path.to_str().unwrap());
}

/// Packing changes what an entry point requires; against itself a module has no differences.
fn differences_from_an_older_module() {
    let against = |new: &str, old: &str| {
        let json = text(inspect(&[new, "--against", old, "--format", "json"]));
        let json: Value = serde_json::from_str(&json).unwrap();
        json["files"][0]["modules"][0]["against"].clone()
    };
    let (double, plain) = ("fixtures/opencl/plain.spv", "fixtures/merge/scale.spv");
    assert_eq!(against(double, double).as_array().unwrap().len(), 0);
    let names = |list: &Value, member: &str| -> Vec<String> {
        let with = list.as_array().unwrap().iter().filter(|entry| entry[member] == true);
        with.map(|entry| entry["entry_point"].as_str().unwrap().to_owned()).collect()
    };
    let (there, back) = (against(double, plain), against(plain, double));
    assert!(!names(&there, "added").is_empty() && !names(&there, "removed").is_empty());
    assert_eq!(names(&there, "added"), names(&back, "removed"));
    assert_eq!(names(&there, "removed"), names(&back, "added"));
    // Builds of one shader: with half floats fewer devices run it.
    let half = against("fixtures/merge/scale-fp16.spv", plain);
    let lost = half[0]["lost"].as_array().unwrap();
    assert!(half[0]["requires"].as_array().unwrap().contains(&"Float16".into()), "{half}");
    assert!(!lost.is_empty() && lost.len() < 86 && half[0]["gained"].as_array().unwrap().is_empty());
}

/// The page of `check` has its SARIF log.
fn findings() {
    let check = |format: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_spirv-if"));
        command.args(["check", "fixtures/check/hw-g.spv", "--format", format]);
        text(command.current_dir(root()).output().unwrap())
    };
    let (page, log) = (check("html"), check("sarif"));
    let (in_page, expected) = (data(&page), serde_json::from_str::<Value>(&log).unwrap());
    assert!(in_page == expected && !in_page["runs"][0]["results"].as_array().unwrap().is_empty());
}

tests![
    findings,
    the_data_is_the_json_of_the_same_inspection,
    nothing_is_loaded,
    names_are_text,
    differences_from_an_older_module
];
