//! Public items of the libraries: `tests/project/public-items` lists them, `BLESS=1 cargo test --test project public_items` writes that.
//!
//! What counts is what a path leads to from the root of the crate, and the documentation shows: types, traits, functions, constants, macros
//! and modules, and what types have of their own, methods and associated constants. Fields, variants and what implements a trait do not,
//! but what they mention does: a user can name it, and it is of this crate, of the standard library, or of a crate that the public API is
//! meant to share with its users.
//!
//! The items are those that rustdoc finds, in its JSON; there `RUSTC_BOOTSTRAP` makes a stable compiler write what is still unstable.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::sources;

/// The crates whose types may stand in signatures. Of the drivers' bindings: what a program has that asks a device of its own.
const SHARED: &[&str] =
    &["alloc", "ash", "core", "opencl_sys", "serde_core", "spirv_if", "spirv_if_sycl", "std"];

/// The packages of which others use the items, each with the features that have some. All see the library with the feature that `inspect` needs, so
/// that it is checked once.
const PACKAGES: [(&str, &str); 4] = [
    ("spirv-if", "owned"),
    ("spirv-if-inspect", ""),
    ("spirv-if-probe", "spirv-if/owned"),
    ("spirv-if-sycl", "spirv-if/owned"),
];

/// A package with all that users can ask for, as rustdoc describes it. Only rustdoc itself runs with `RUSTC_BOOTSTRAP`: other crates
/// are compiled in another way where that is set, and would be compiled again.
fn rustdoc(package: &str, features: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("rustdoc");
    let rustdoc = Path::new(env!("CARGO")).with_file_name("rustdoc");
    let text = format!("#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec '{}' \"$@\"\n", rustdoc.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, Permissions::from_mode(0o755)).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let output = Command::new(env!("CARGO"))
        .args([
            "rustdoc",
            "--package",
            package,
            "--lib",
            "--locked",
            "--offline",
            "--no-default-features",
            "--features",
            features,
        ])
        .args(["--", "-Zunstable-options", "--output-format=json"])
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTDOC", &script)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(
        &std::fs::read(target.join(format!("doc/{}.json", package.replace('-', "_")))).unwrap(),
    )
    .unwrap()
}

/// The items of a crate, as they are found.
struct Items<'j> {
    json: &'j Value,
    /// The paths of the items, each with its kind: a module and a function may have one path.
    kinds: BTreeSet<(String, String)>,
    /// The ids of those that are named.
    named: BTreeSet<u64>,
    /// The ids of what signatures mention, each with the items that do.
    mentioned: BTreeMap<u64, BTreeSet<String>>,
}

impl<'j> Items<'j> {
    fn new(json: &'j Value) -> Items<'j> {
        let mut items =
            Items { json, kinds: BTreeSet::new(), named: BTreeSet::new(), mentioned: BTreeMap::new() };
        items.all_in(&json["root"], "");
        items
    }

    /// The item with an id: its kind, what is told of that kind, and all else. `None` for what is private, or of another crate.
    fn item(&self, id: &Value) -> Option<(&'j str, &'j Value, &'j Value)> {
        let item = self.json["index"].get(id.to_string())?;
        let (kind, inner) = item["inner"].as_object().unwrap().iter().next().unwrap();
        Some((kind, inner, item))
    }

    /// All that is public in a module.
    fn all_in(&mut self, module: &Value, path: &str) {
        let (_, inner, _) = self.item(module).unwrap();
        for id in inner["items"].as_array().unwrap() {
            let (kind, inner, item) = self.item(id).unwrap();
            if item["visibility"] != "public" {
                continue;
            }
            let target = &inner["id"];
            match kind {
                "use" if inner["is_glob"] == true => self.all_in(target, path),
                "use" if self.item(target).is_some() => self.name(target, path, &inner["name"]),
                // Of another crate.
                "use" => {
                    let path = self.add(target, path, &inner["name"], kind);
                    self.mentioned.entry(target.as_u64().unwrap()).or_default().insert(path);
                }
                _ => self.name(id, path, &item["name"]),
            }
        }
    }

    /// An item that has a path, and what belongs to it.
    fn name(&mut self, id: &Value, path: &str, name: &Value) {
        let (kind, inner, _) = self.item(id).unwrap();
        let path = self.add(id, path, name, kind);
        match kind {
            "module" => self.all_in(id, &path),
            _ => self.look_at(inner, &path),
        }
    }

    fn add(&mut self, id: &Value, path: &str, name: &Value, kind: &str) -> String {
        let path = format!("{path}{}{}", if path.is_empty() { "" } else { "::" }, name.as_str().unwrap());
        self.named.extend(id.as_u64());
        self.kinds.insert((path.clone(), kind.replace('_', " ")));
        path
    }

    /// Visits the types that an item mentions, and its parts: fields, variants, implementations.
    fn look_at(&mut self, value: &Value, path: &str) {
        match value {
            Value::Object(object) => {
                if let (true, Some(id)) =
                    (object.contains_key("path"), object.get("id").and_then(Value::as_u64))
                {
                    self.mentioned.entry(id).or_default().insert(path.to_owned());
                }
                for (key, value) in object {
                    match (key.as_str(), value) {
                        ("fields" | "tuple" | "variants" | "items" | "impls", Value::Array(ids)) => {
                            ids.iter().for_each(|id| self.belonging(id, path));
                        }
                        _ => self.look_at(value, path),
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|value| self.look_at(value, path)),
            _ => {}
        }
    }

    /// Visits a part of an item. Without a visibility of its own it is public unless it is private.
    fn belonging(&mut self, id: &Value, path: &str) {
        // The elements of the type of a tuple are types, not ids.
        let Some((kind, inner, item)) = self.item(id) else { return self.look_at(id, path) };
        match kind {
            // Implemented by the compiler, or for all types that there are.
            "impl" if inner["is_synthetic"] == true || !inner["blanket_impl"].is_null() => {}
            "impl" if inner["trait"].is_null() => {
                for id in inner["items"].as_array().unwrap() {
                    let (_, _, item) = self.item(id).unwrap();
                    self.name(id, path, &item["name"]);
                }
            }
            "impl" => {
                self.look_at(inner, &format!("impl {} for {path}", inner["trait"]["path"].as_str().unwrap()))
            }
            _ => self.look_at(inner, &format!("{path}::{}", item["name"].as_str().unwrap())),
        }
    }

    /// Returns the foreign items that signatures mention and should not, each with the items that do.
    fn foreign(&self) -> Vec<String> {
        // Errors of the engine become those of calls: nobody else converts them.
        let is_conversion = |by: &String| by.starts_with("impl From for ");
        let not_shared = |(id, by): (&u64, &BTreeSet<String>)| {
            if by.iter().all(is_conversion) {
                return None;
            }
            let known = &self.json["paths"][id.to_string()];
            let path: Vec<&str> = known["path"].as_array()?.iter().filter_map(Value::as_str).collect();
            let is_fine = match known["crate_id"].as_u64() {
                Some(0) => self.named.contains(id),
                _ => SHARED.contains(&path[0]),
            };
            (!is_fine).then(|| {
                format!("{} in {}", path.join("::"), by.iter().cloned().collect::<Vec<_>>().join(", "))
            })
        };
        self.mentioned.iter().filter_map(not_shared).collect()
    }
}

#[test]
fn the_libraries_have_these_items_and_show_no_others() {
    for (package, features) in PACKAGES {
        let json = rustdoc(package, features);
        let items = Items::new(&json);
        let text: String = items.kinds.iter().map(|(path, kind)| format!("{path}: {kind}\n")).collect();
        let list = sources::root().join("tests/project/public-items").join(package).with_extension("txt");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&list, &text).unwrap();
        }
        let listed = std::fs::read_to_string(&list).unwrap_or_default();
        let (is, was): (BTreeSet<&str>, BTreeSet<&str>) = (text.lines().collect(), listed.lines().collect());
        let (new, gone): (Vec<_>, Vec<_>) = (is.difference(&was).collect(), was.difference(&is).collect());
        assert!(
            new.is_empty() && gone.is_empty(),
            "{package}: new: {new:#?}\ngone: {gone:#?}\nBLESS=1 rewrites the list"
        );
        assert_eq!(items.foreign(), [""; 0], "{package}: users cannot name these, or should not have to");
    }
}
