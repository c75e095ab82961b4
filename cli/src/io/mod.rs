//! Reading modules and writing results.

mod bundled;
mod bytes;
mod depfile;
mod embed;
mod inputs;
mod output;
mod results;
mod spec_names;
mod staging;
mod validate;

pub use bundled::EXTENSION as BUNDLE_EXTENSION;
pub use bytes::{Bytes, InputKind};
pub use depfile::{DepfileArg, record};
pub use embed::{EmbedLanguage, WriteArgs};
pub use inputs::{FailedInput, Input, InputArg, Inputs, each, list, not_chosen};
pub use output::{Output, OutputPlace, ReportArg, names_folder, write_text};
pub use results::{Data, Destination, ForceArg, Staged, commit};
pub use validate::ValidateArg;

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use spirv_if::property_sets::PropertySets;

/// The maximum size of a text file that is read, in bytes.
const MAX_TEXT: u64 = 256 << 20;

/// Reads a file of text.
///
/// # Errors
/// If it is too large, or the system cannot read it.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    depfile::record(path);
    text_of(path).with_context(|| path.display().to_string())
}

fn text_of(path: &Path) -> io::Result<String> {
    // Most are short: one call to the system reads them.
    let mut text = String::with_capacity(4096);
    File::open(path)?.take(MAX_TEXT + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MAX_TEXT {
        true => {
            let message = format!("it is larger than {MAX_TEXT} bytes, the most that are read of a text");
            Err(io::Error::new(ErrorKind::FileTooLarge, message))
        }
        false => Ok(text),
    }
}

/// Reads a file of property sets.
pub fn read_properties(path: &Path) -> anyhow::Result<PropertySets> {
    Ok(PropertySets::parse(&path.display().to_string(), &read_text(path)?)?)
}

/// Writes to standard output. A reader that stops reading is not an error.
pub fn print(bytes: &[u8]) -> anyhow::Result<()> {
    print_with(|out| out.write_all(bytes))
}

/// Writes to standard output, piece by piece. A reader that stops reading is not an error.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut stdout).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}

/// Writes text with styles to standard output, in colour if that is a terminal. A reader that stops reading is not an error.
pub fn print_styled(text: &str) -> anyhow::Result<()> {
    let mut stdout = anstream::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("standard output"),
        _ => Ok(()),
    }
}

/// Returns the results of `work` on each item, in their order, from as many threads as the machine runs at once. The items are found
/// while work is done on those before them.
pub fn in_parallel<I: Iterator<Item: Send> + Send, R: Send>(
    mut items: I,
    work: impl Fn(I::Item) -> R + Sync,
) -> Vec<R> {
    let Some(first) = items.next() else { return Vec::new() };
    // One item needs no other thread: to start them takes longer than most work on a shader.
    let Some(second) = items.next() else { return vec![work(first)] };
    let pending = Mutex::new([first, second].into_iter().chain(items).enumerate());
    let results = Mutex::new(Vec::new());
    let next = || pending.lock().ok()?.next();
    on_all_threads(&|| {
        while let Some((index, item)) = next() {
            let result = work(item);
            let Ok(mut results) = results.lock() else { return };
            if results.len() <= index {
                results.resize_with(index + 1, || None);
            }
            results[index] = Some(result);
        }
    });
    // A panic of a thread is resumed in this one, so each item has its result here.
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}

/// Calls `work` on as many threads as the machine runs at once. It is compiled once, not for each kind of item.
fn on_all_threads(work: &(dyn Fn() + Sync)) {
    rayon::scope(|scope| (0..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| work())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..200).collect();
        let results = in_parallel(items.iter(), |item| {
            std::thread::sleep(std::time::Duration::from_micros(200 - item));
            item * 2
        });
        assert_eq!(results, items.iter().map(|item| item * 2).collect::<Vec<_>>());
    }

    #[test]
    fn one_item_that_announced_more_needs_no_other_thread() {
        let here = std::thread::current().id();
        let threads = |count: usize| {
            let items = (0..100).filter(|number| *number < count);
            in_parallel(items, |_| std::thread::current().id())
        };
        assert_eq!(threads(0), []);
        assert_eq!(threads(1), [here]);
        assert_eq!(threads(3).len(), 3);
    }
}
