//! Files of the checkout.

use std::path::{Path, PathBuf};

/// Folders with Rust files, relative to the checkout.
const RUST_FOLDERS: [&str; 15] = [
    "benches", "bundle", "capi", "cli", "examples", "fuzz", "generate", "inspect", "layers", "probe",
    "python", "src", "sycl", "tests", "web",
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files at a path, in any depth, without those that builds write.
pub fn files(path: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(&path) else { return vec![path] };
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| !path.ends_with("target") && !path.ends_with("node_modules");
    paths.filter(is_source).flat_map(files).collect()
}

/// Returns the Rust files of the checkout in order, by their paths in it, with their text.
pub fn rust_files() -> Vec<(PathBuf, String)> {
    let paths = RUST_FOLDERS.iter().flat_map(|folder| files(root().join(folder)));
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let read = |path: PathBuf| {
        (path.strip_prefix(root()).unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    let mut files: Vec<_> = rust.map(read).collect();
    files.sort();
    files
}
