//! In place of `itanium`, without the feature `demangle`: names of C++ are shown as a module has them.

use super::NameDetail;

/// Returns `None`: this build does not demangle names.
pub(super) fn demangle(_: &str, _: NameDetail, _: usize) -> Option<String> {
    None
}
