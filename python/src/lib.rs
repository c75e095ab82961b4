//! The library for Python: modules are bytes, errors are exceptions with their data. `spirv_if.pyi` beside `src` documents all of it.
//!
//! Nothing is decided here: each function reads its arguments, calls the public API without holding up other threads of Python, and returns
//! what that says.

mod bundle;
mod compatibility;
mod device;
mod error;
mod inspection;
mod module;
mod results;
mod settings;

use pyo3::prelude::*;

/// The Python module.
#[pymodule(name = "spirv_if", gil_used = false)]
fn python(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    error::register(module)?;
    bundle::register(module)?;
    compatibility::register(module)?;
    device::register(module)?;
    inspection::register(module)?;
    results::register(module)
}
