//! Values that calls return: instances of the data classes that are written in Python.

/// Defines what the data class of the same name in Python is made of, field by field.
macro_rules! record {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident { $($field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        $visibility struct $name { $($field: $type,)* }

        impl<'py> pyo3::IntoPyObject<'py> for $name {
            type Target = pyo3::PyAny;
            type Output = pyo3::Bound<'py, pyo3::PyAny>;
            type Error = pyo3::PyErr;

            fn into_pyobject(self, py: pyo3::Python<'py>) -> pyo3::PyResult<Self::Output> {
                use pyo3::types::{PyAnyMethods, PyDictMethods};
                let fields = pyo3::types::PyDict::new(py);
                $(fields.set_item(stringify!($field), self.$field)?;)*
                py.import("spirv_if")?.getattr(stringify!($name))?.call((), Some(&fields))
            }
        }
    };
}

pub(crate) use record;
