//! An OpenCL application for the tests of the layer. It knows nothing of spirv-if: it loads the modules that it is given.
//!
//! ```text
//! cl-application entrance=build module=FILE kernel=run arguments=in,out,uint:8 [constants=SPEC_ID:BYTES,...] [input=WORD,...]
//! ```
//!
//! It uses all devices of the first platform, in one context. Entrances are the ways of a module to a kernel: see `main`. It prints what kernels wrote,
//! and what it is told of programs.

mod context;
mod lifetimes;
mod program;
mod queries;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use context::Context;

/// The application stops at the first error.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A call that failed, with the code that it returned.
pub struct FailedCall(pub &'static str, pub i32);

impl Error for FailedCall {}

impl fmt::Debug for FailedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for FailedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0, self.1)
    }
}

/// Names the call in an error.
pub fn call<T>(name: &'static str, result: std::result::Result<T, i32>) -> Result<T> {
    Ok(result.map_err(|code| FailedCall(name, code))?)
}

/// Arguments of the application.
pub struct Options(BTreeMap<String, String>);

impl Options {
    fn text(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }

    fn list(&self, key: &str) -> impl Iterator<Item = &str> {
        self.text(key).split(',').filter(|text| !text.is_empty())
    }

    fn file(&self, key: &str) -> Result<Vec<u8>> {
        let path = self.text(key);
        Ok(std::fs::read(path).map_err(|error| format!("{key}={path}: {error}"))?)
    }
}

fn main() -> Result<()> {
    let pairs = std::env::args().skip(1);
    let pairs = pairs.map(|text| text.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())));
    let options = Options(pairs.collect::<Option<_>>().ok_or("arguments are KEY=VALUE")?);
    // SAFETY: everything is used as OpenCL says.
    unsafe {
        let context = Context::new()?;
        context.print_devices()?;
        match options.text("entrance") {
            "build" | "build-khr" | "build-notified" | "build-each" | "compile" | "compile-one"
            | "cloned" | "all-kernels" | "suggested" => program::run(&context, &options)?,
            "source" => program::run_source(&context, &options)?,
            "queries" => queries::run(&context, &options)?,
            "lifetimes" => lifetimes::run(&context, &options)?,
            "threads" => lifetimes::threads(&context, &options)?,
            _ => return Err("unknown entrance".into()),
        }
        context.release()
    }
}
