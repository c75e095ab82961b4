//! The modules in `fixtures` are the same wherever they are built.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules below a folder.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| if path.is_dir() { modules(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "spv")).collect()
}

/// The first absolute path in some bytes: with at least two folders, and not of devices, which the sources that are in modules name.
fn absolute_path(bytes: &[u8]) -> Option<String> {
    let text: String =
        bytes.iter().map(|&byte| if byte.is_ascii_graphic() { byte.into() } else { ' ' }).collect();
    let separates = |character: char| " \t\"'`=:,;<(".contains(character);
    let mut words = text.split(separates);
    let is_name = |name: &str| name.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '.');
    let is_absolute = |word: &&str| {
        let unix = word.strip_prefix('/').and_then(|rest| rest.split_once('/'));
        unix.is_some_and(|(first, rest)| is_name(first) && is_name(rest) && first != "dev")
    };
    words.find(is_absolute).map(str::to_owned)
}

#[test]
fn no_fixture_names_the_machine_that_built_it() {
    assert_eq!(absolute_path(b"\0\x07/home/me/a.cl\0"), Some("/home/me/a.cl".to_owned()));
    assert_eq!(absolute_path(b"// a/b /dev/stdout usr/lib x=/y"), None);
    let modules = modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"));
    assert!(modules.len() > 50, "{}", modules.len());
    let named = |path: &PathBuf| Some((path.clone(), absolute_path(&fs::read(path).unwrap())?));
    let unmapped: Vec<_> = modules.iter().filter_map(named).collect();
    assert!(unmapped.is_empty(), "scripts/rebuild-fixtures.sh must map these: {unmapped:#?}");
}
