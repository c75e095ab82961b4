//! The border between C and Rust: no panic crosses it.

use std::panic::{AssertUnwindSafe, catch_unwind};

#[cfg(panic = "abort")]
compile_error!(
    "panics have to unwind, so that they stop at the border: build by the profile `capi` or `library`, not by `release` or `dist`"
);

/// Calls the body of a function of a layer. If it panics, the application gets `result`, and a message on stderr names the layer and the function.
pub fn guarded<R>(layer: &str, function: &str, result: R, body: impl FnOnce() -> R) -> R {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        eprintln!("{layer}: error: {function}: this is a defect of spirv-if, please report it: {text}");
        result
    })
}

#[cfg(test)]
mod tests {
    use super::guarded;

    #[test]
    fn no_panic_leaves_a_function() {
        assert_eq!(guarded("LAYER", "function", 5, || 7), 7);
        assert_eq!(guarded("LAYER", "function", 5, || "nothing".parse().expect("there is a number")), 5);
        assert_eq!(guarded("LAYER", "function", 5, || panic!("a defect")), 5);
    }
}
