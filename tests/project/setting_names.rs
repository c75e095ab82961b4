//! Names of settings: each has one name, in Rust, C, C++, Python, JavaScript and on the command line.

use std::collections::BTreeSet;
use std::fs;

use crate::sources::rust_files;

/// Functions that are no settings: they make and read them.
const OTHERS: [&str; 4] = ["apply_to_device", "features_to_lower", "new", "value"];

/// Names that differ, by language, each with its reason.
const DIFFERENT: [(&str, &str, &[&str]); 4] = [
    // Each call adds one.
    ("C", "entry_points", &["add_entry_point"]),
    ("C++", "entry_points", &["add_entry_point"]),
    // Each option adds one.
    ("the program", "entry_points", &["entry"]),
    // The other value of the option is the default.
    ("the program", "wider_halves", &["lower_halves"]),
];

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the words that follow a text, up to the first character that is not of a name.
fn names_after(text: &str, before: &str) -> BTreeSet<String> {
    let names = text.split(before).skip(1);
    let name = |rest: &str| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    names.map(name).filter(|name: &String| !name.is_empty()).collect()
}

/// Returns the part of a text after one text and before the next other one.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("there is no `{start}`"));
    rest.split_once(end).map_or(rest, |(part, _)| part)
}

fn snake_case(name: &str) -> String {
    name.chars().fold(String::new(), |mut snake, c| {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
        snake
    })
}

/// Returns the names before `: ` at the start of lines, which have a type or a default value after it.
fn fields(text: &str) -> BTreeSet<String> {
    let field = |line: &str| {
        let name = line.trim().trim_start_matches("pub ").split_once(':')?.0.trim_end_matches('?');
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| snake_case(name))
    };
    text.lines().filter_map(field).collect()
}

#[test]
fn a_setting_has_one_name_in_all_languages() {
    let items = read("tests/project/public-items/spirv-if.txt");
    let items = items.lines().filter_map(|line| line.strip_prefix("Settings::")?.strip_suffix(": function"));
    let settings: BTreeSet<&str> = items.filter(|name| !OTHERS.contains(name)).collect();
    assert!(settings.len() > 15, "{settings:?}");
    let python = read("python/spirv_if/_specialize.py");
    let program = ["specialize/mod.rs", "settings.rs", "pack.rs", "trim.rs"]
        .map(|file| read(&format!("cli/src/{file}")))
        .concat();
    let languages = [
        ("C", names_after(&read("capi/include/spvif.h"), "spvif_settings_")),
        (
            "C++",
            names_after(between(&read("capi/include/spvif.hpp"), "class Settings {", "\n};"), "Settings &"),
        ),
        ("Python", fields(between(&python, "def specialize(", ") -> Specialized"))),
        ("JavaScript", fields(between(&read("web/spirv-if.d.ts"), "interface SpecializeOptions ", "\n}"))),
        ("the program", fields(&program)),
    ];
    let mut wrong = Vec::new();
    for (language, names) in &languages {
        for setting in &settings {
            let different = DIFFERENT.iter().find(|row| (row.0, row.1) == (*language, *setting));
            let expected = different.map_or(std::slice::from_ref(setting), |row| row.2);
            wrong.extend(
                expected
                    .iter()
                    .filter(|name| !names.contains(**name))
                    .map(|name| format!("{language}: no {name}")),
            );
        }
    }
    // The other way around, where nothing else is in the list.
    let ends = ["create", "destroy", "set_text", "set_default_text", "add_entry_point"];
    let unknown =
        languages[0].1.iter().filter(|name| !settings.contains(&***name) && !ends.contains(&&***name));
    wrong.extend(unknown.map(|name| format!("C: {name} is no setting of the library")));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Messages are for all languages: they name settings as these do.
#[test]
fn messages_of_the_library_name_no_option_of_the_program() {
    let options = names_after(&read("docs/design/interface.md").replace('-', "_"), "`__");
    assert!(options.contains("max_clones") && options.contains("lower"), "{options:?}");
    let mut named = Vec::new();
    for (path, text) in rust_files() {
        let path = path.to_string_lossy().into_owned();
        // `inspect` reports commands of the program.
        let is_library =
            path.starts_with("src/") || path.starts_with("sycl/src/") || path.starts_with("bundle/src/");
        if !is_library || path.contains("/tests") || path.contains("/test_support/") {
            continue;
        }
        let (code, _) = text.split_once("\n#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let found = names_after(&line.replace('-', "_"), "__");
            named.extend(
                found.intersection(&options).map(|option| format!("{path}: {option}: {}", line.trim())),
            );
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}
