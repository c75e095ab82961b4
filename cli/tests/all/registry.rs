//! The list of the tests. A module lists its test functions by `tests![one, other];`, which makes a function `trials` that the module above
//! calls. A function, or such a list, that is forgotten is dead code, which is denied; and what else could be forgotten is tested here.

use std::any::Any;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};

use libtest_mimic::{Completion, Failed, Trial};

use crate::common::{NEEDS, tools_are};

/// The tests of a module, by its functions.
macro_rules! tests {
    ($($test:ident),* $(,)?) => {
        /// The tests of this module.
        pub fn trials() -> Vec<libtest_mimic::Trial> {
            vec![$($crate::registry::trial(module_path!(), stringify!($test), $test)),*]
        }
    };
}

/// A test of a module: it passes unless it panics.
pub fn trial(module: &str, name: &str, run: impl FnOnce() + Send + 'static) -> Trial {
    // All of them are in one crate.
    let module = module.split_once("::").map_or(module, |(_, module)| module);
    needing_tools(format!("{module}::{name}"), move || {
        run();
        Ok(())
    })
}

/// A test that is ignored once it asks for a tool that is missing (`common::tool`). The list of tests then says which tool that is.
/// `SPIRV_IF_TOOLS=required` makes it a failure.
pub fn needing_tools(name: String, run: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::ignorable_test(name, move || match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.map(|()| Completion::Completed),
        Err(panic) => match missing_tool(&*panic) {
            Some(message) => Ok(Completion::ignored_with(message)),
            None => resume_unwind(panic),
        },
    })
}

/// The message of a panic about a missing tool, unless tools are required.
fn missing_tool(panic: &(dyn Any + Send)) -> Option<&String> {
    let message = panic.downcast_ref::<String>()?;
    (message.starts_with(NEEDS) && !tools_are("required")).then_some(message)
}

/// Silences panics that only make a test ignored.
pub fn silence_missing_tools() {
    let print = take_hook();
    set_hook(Box::new(move |panic| {
        if missing_tool(panic.payload()).is_none() {
            print(panic);
        }
    }));
}

/// Tools that scripts/test.sh brings: tests that need one of these run and fail without it if `SPIRV_IF_TOOLS=required`.
const BROUGHT: [&str; 5] = ["clang", "glslangValidator", "llvm-spirv", "scripts/setup.sh drivers", "slangc"];

/// Returns the test, ignored if a tool is missing. The list of tests then names it.
pub fn ignored_without(test: Trial, missing: Option<&str>) -> Trial {
    match missing {
        Some(what) if !(tools_are("required") && BROUGHT.contains(&what)) => {
            test.with_kind(format!("needs {what}")).with_ignored_flag(true)
        }
        _ => test,
    }
}

/// Sources of programs and libraries other than the tests.
const OTHER_PROGRAMS: [&str; 2] = ["program/fake_opencl.rs", "program/kill_at_rename.rs"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all")
}

/// The files of Rust code in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let code = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => {
            path.extension().is_some_and(|extension| extension == "rs").then_some(path).into_iter().collect()
        }
    };
    entries.flat_map(code).collect()
}

/// The file that declares the module of a file.
fn parent(file: &Path) -> PathBuf {
    let folder_of_file = file.parent().unwrap();
    let above =
        if file.file_name().unwrap() == "mod.rs" { folder_of_file.parent().unwrap() } else { folder_of_file };
    above.join(if above == folder() { "main.rs" } else { "mod.rs" })
}

/// The name of the module of a file.
fn module(file: &Path) -> &str {
    let named = if file.file_name().unwrap() == "mod.rs" { file.parent().unwrap() } else { file };
    named.file_stem().unwrap().to_str().unwrap()
}

/// A file that no module declares is not compiled.
fn every_file_is_compiled() {
    let files = files(&folder());
    assert!(files.len() > 20, "{files:?}");
    let is_left_out = |file: &&PathBuf| {
        let relative = file.strip_prefix(folder()).unwrap();
        let declaration = format!("mod {};", module(file));
        let declares = |line: &str| line.trim_start_matches("pub ") == declaration;
        relative != Path::new("main.rs")
            && !OTHER_PROGRAMS.iter().any(|other| relative == Path::new(other))
            && !std::fs::read_to_string(parent(file)).unwrap().lines().any(declares)
    };
    let left_out: BTreeSet<&PathBuf> = files.iter().filter(is_left_out).collect();
    assert!(left_out.is_empty(), "no module declares {left_out:#?}");
}

/// Functions with the attribute `test` are for another harness: the compiler drops them here silently.
fn no_function_is_marked() {
    for file in files(&folder()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let marked = text.lines().position(|line| line.trim_start().starts_with("#[test]"));
        assert_eq!(marked, None, "{}: the function is to be listed by `tests!`", file.display());
    }
}

tests![every_file_is_compiled, no_function_is_marked];
