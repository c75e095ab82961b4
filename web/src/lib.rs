//! spirv-if as WebAssembly: one function, which takes a request as JSON with a file, and gives an answer as JSON with a file.
//!
//! Who calls asks for [`room`] for the two inputs, writes them there, calls [`answer`], and reads the [`part`]s of the answer.
//! `spirv-if.js` does so, and is the interface for people. A panic ends the instance, and leaves its message as the answer.

mod answer;
mod bundle;
mod calls;
mod request;

use std::cell::RefCell;

thread_local! {
    /// The inputs: the request and the file.
    static INPUTS: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
    /// The parts of the answer: JSON, and the file that was made.
    static ANSWER: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
}

/// Room for one of the inputs: 0 is the request, 1 the file. Null if there is no such input.
#[unsafe(no_mangle)]
pub extern "C" fn room(input: usize, size: usize) -> *mut u8 {
    INPUTS.with_borrow_mut(|inputs| match inputs.get_mut(input) {
        Some(input) => {
            *input = vec![0; size];
            input.as_mut_ptr()
        }
        None => std::ptr::null_mut(),
    })
}

/// Answers the request; its room and that of the file are gone then.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    std::panic::set_hook(Box::new(|panic| {
        let parts = answer::panicked(&panic.to_string());
        ANSWER.with_borrow_mut(|answer| *answer = parts);
    }));
    let [request, file] = INPUTS.take();
    let parts = answer::parts(calls::run(&request, &file));
    ANSWER.set(parts);
}

/// The address of a part of the answer: 0 is the JSON, 1 the file.
#[unsafe(no_mangle)]
pub extern "C" fn part(part: usize) -> *const u8 {
    ANSWER.with_borrow(|parts| parts.get(part).map_or(std::ptr::null(), |part| part.as_ptr()))
}

/// The size of a part of the answer, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn part_size(part: usize) -> usize {
    ANSWER.with_borrow(|parts| parts.get(part).map_or(0, Vec::len))
}
