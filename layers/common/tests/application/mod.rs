//! Runs of applications that know nothing of spirv-if, and the files for them: for the tests of both layers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use spirv_if::Module;

/// Returns the checkout, which may be a copy on another machine.
pub fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let is_checkout = |folder: &&Path| folder.join("fixtures").is_dir();
    Path::new(&package).ancestors().find(is_checkout).unwrap().to_owned()
}

/// Returns a library that cargo built for the test in one of its folders.
pub fn library(folder: &Path, name: &str) -> PathBuf {
    let name = format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let path = folder.join(name);
    assert!(path.is_file(), "{} is not built", path.display());
    path
}

/// Returns the module of a fixture.
pub fn module(fixture: &str) -> Module<'static> {
    let bytes = fs::read(root().join("fixtures").join(fixture).with_extension("spv")).unwrap();
    Module::from_words(Module::from_bytes(&bytes).unwrap().words().to_vec()).unwrap()
}

/// Returns the name of a fixture without its folder.
pub fn short_name(fixture: &str) -> &str {
    fixture.rsplit('/').next().unwrap()
}

/// Writes a module, which an application can read by this name.
pub fn write(folder: &Path, name: &str, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    fs::write(folder.join(name).with_extension("spv"), bytes).unwrap();
}

/// A run of an application.
pub struct Run(Command);

impl Run {
    /// Prepares a run of an application by the program of a driver. It creates the module in the way that `entrance` says.
    pub fn new(mut driver: Command, application: &Path, folder: &Path, entrance: &str, module: &str) -> Run {
        let module = folder.join(module).with_extension("spv");
        driver.arg(application).current_dir(folder);
        Run(driver).args(&[&format!("entrance={entrance}"), &format!("module={}", module.display())])
    }

    pub fn args(mut self, arguments: &[&str]) -> Run {
        self.0.args(arguments);
        self
    }

    pub fn variable(mut self, name: &str, value: &str) -> Run {
        self.0.env(name, value);
        self
    }

    pub fn output(mut self) -> Output {
        self.0.output().unwrap()
    }

    /// Returns the printed lines. The application has no errors, and validation reports none.
    pub fn lines(self) -> Vec<String> {
        let output = self.output();
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{printed}{errors}");
        assert!(!printed.contains("Validation") && !errors.contains("Validation"), "{printed}{errors}");
        printed.lines().map(str::to_owned).collect()
    }

    /// Returns the error with which the application ends, and everything that it printed.
    pub fn error(self) -> (String, String) {
        let output = self.output();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{printed}{errors}");
        (errors, printed)
    }
}
