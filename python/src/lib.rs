//! The part of the library for Python that is written in Rust. The package around it, `python/spirv_if`, has the functions and classes of
//! users, with their types and documentation.
//!
//! Nothing is decided here: each function reads its arguments, calls the public API without holding up other threads of Python, and returns
//! what that says.

mod arguments;
mod bundle;
mod compatibility;
mod device;
mod error;
mod inspection;
mod module;
mod prepared;
mod record;
mod results;
mod settings;

use pyo3::prelude::*;

/// The Python module.
#[pymodule(name = "_native", gil_used = false)]
mod native {
    #[pymodule_export]
    use crate::bundle::{OpenBundle, bundle, open_bundle, read_bundle};
    #[pymodule_export]
    use crate::compatibility::compatibility;
    #[pymodule_export]
    use crate::device::{
        KnownDevice, describe_device, find_devices, import_devices, probe_devices, query_device, read_device,
    };
    #[pymodule_export]
    use crate::inspection::{html_from_json, inspect, vulkan_requirements};
    #[pymodule_export]
    use crate::prepared::{PreparedModule, prepare};
    #[pymodule_export]
    use crate::results::{find_modules, pack, specialize, strip, trim, validate};

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
