//! The border between OpenCL and Rust: no panic crosses it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::messages::LAYER;

#[cfg(panic = "abort")]
compile_error!(
    "panics have to unwind, so that they stop at the border: build by the profile `capi` or `library`, not by `release` or `dist`"
);

/// Calls the body of a function of OpenCL. If it panics, the application gets this result.
pub fn guarded<R>(function: &str, result: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        eprintln!("{LAYER}: error: {function}: this is a defect of spirv-if, please report it: {text}");
        result
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn no_panic_leaves_a_function() {
        assert_eq!(guarded("clTest", 5, || 7), 7);
        assert_eq!(guarded("clTest", 5, || "nothing".parse().expect("there is a number")), 5);
        assert_eq!(guarded("clTest", 5, || panic!("a defect")), 5);
    }
}
