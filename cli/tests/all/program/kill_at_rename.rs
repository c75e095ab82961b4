//! A library that tests preload: it kills the process instead of renaming the file with the number in KILL_AT_RENAME, counted from 0.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

unsafe extern "C" {
    fn raise(signal: c_int) -> c_int;
    fn renameat(old_folder: c_int, old: *const c_char, new_folder: c_int, new: *const c_char) -> c_int;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rename(old: *const c_char, new: *const c_char) -> c_int {
    const SIGKILL: c_int = 9;
    const CURRENT_FOLDER: c_int = -100;
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed).to_string();
    unsafe {
        if std::env::var("KILL_AT_RENAME").is_ok_and(|last| last == number) {
            raise(SIGKILL);
        }
        renameat(CURRENT_FOLDER, old, CURRENT_FOLDER, new)
    }
}
