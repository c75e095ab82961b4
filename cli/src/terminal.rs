//! Text that fits the terminal, and progress on it.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use spirv_if_inspect::TextStyle;

/// Returns the style of texts for the terminal.
pub fn style() -> TextStyle {
    TextStyle::new().width(width())
}

/// Returns the width of the terminal; `None` if stdout is not a terminal.
pub fn width() -> Option<usize> {
    let (width, _) =
        terminal_size::terminal_size_of(std::io::stdout()).filter(|_| std::io::stdout().is_terminal())?;
    Some(width.0.into())
}

/// The width of messages if stderr is not a terminal.
const MESSAGE_WIDTH: usize = 100;
/// Smallest number of items of a list that is broken into lines.
const LONG_LIST: usize = 8;
/// Maximum number of characters of an item. A longer item is a clause of a sentence.
const MAX_ITEM: usize = 40;
/// Indentation of the lines of a list after the first.
const INDENT: &str = "    ";

/// Breaks the long lists in a message into lines that fit stderr.
pub fn wrap_lists(message: &str) -> String {
    let stderr = std::io::stderr();
    let terminal = terminal_size::terminal_size_of(&stderr).filter(|_| stderr.is_terminal());
    let width = terminal.map_or(MESSAGE_WIDTH, |(width, _)| width.0.into());
    let lines: Vec<String> = message.split('\n').map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

/// Breaks long lists of a line into several lines. They begin on a line of their own, independent of the text before them, such as a path.
fn wrap_line(line: &str, width: usize) -> String {
    let columns = |part: &str| part.trim_end().chars().count();
    let parts = parts(line);
    let mut wrapped = String::new();
    let mut rest = &parts[..];
    while !rest.is_empty() {
        // The first item often shares a part with the words before the list, and the last item with the words after it.
        let count = rest.iter().take_while(|part| columns(part) <= MAX_ITEM).count();
        let (list, after) = rest.split_at((count + 1).min(rest.len()));
        rest = after;
        let fits = list.concat().chars().count() <= width.saturating_sub(INDENT.len());
        if count + 1 < LONG_LIST || fits {
            wrapped += &list.concat();
            continue;
        }
        let mut column = width;
        for part in list {
            if column + columns(part) > width && !wrapped.is_empty() {
                wrapped.truncate(wrapped.trim_end().len());
                wrapped = wrapped + "\n" + INDENT;
                column = INDENT.len();
            }
            wrapped += part;
            column += part.chars().count();
        }
    }
    wrapped
}

/// Splits a line after each comma or semicolon with a space after it, except in parentheses.
fn parts(line: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut ends = Vec::new();
    for (index, pair) in line.as_bytes().windows(2).enumerate() {
        match pair[0] {
            b'(' | b'[' | b'<' => depth += 1,
            b')' | b']' | b'>' => depth = depth.saturating_sub(1),
            b',' | b';' if depth == 0 && pair[1] == b' ' => ends.push(index + 2),
            _ => {}
        }
    }
    ends.push(line.len());
    let starts = std::iter::once(0).chain(ends.clone());
    starts.zip(ends).map(|(start, end)| &line[start..end]).collect()
}

/// Returns a line truncated to the width of the terminal.
pub fn cut(line: String, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if line.chars().count() > columns && columns > 0 => {
            line.chars().take(columns - 1).chain(['…']).collect()
        }
        _ => line,
    }
}

/// Delay before the progress of work is shown, and between its updates.
const DELAY: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(100);

/// True with `-q`.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Shows no progress.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Progress of long work on stderr, if that is a terminal.
pub struct Progress {
    done: Arc<AtomicU64>,
    /// Closed when the work ends.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts to show the progress of some work with a number of steps, if the number is known.
    pub fn new(what: &'static str, steps: Option<usize>) -> Progress {
        let done = Arc::new(AtomicU64::new(0));
        let is_seen = std::io::stderr().is_terminal() && !QUIET.load(Ordering::Relaxed);
        let shown = is_seen.then(|| {
            let (sender, ended) = channel();
            let done = Arc::clone(&done);
            let show = move || {
                let goes_on = |after| ended.recv_timeout(after) == Err(RecvTimeoutError::Timeout);
                if !goes_on(DELAY) {
                    return;
                }
                let bar = bar(what, steps);
                while goes_on(INTERVAL) {
                    bar.set_position(done.load(Ordering::Relaxed));
                    bar.tick();
                }
                bar.finish_and_clear();
            };
            (sender, std::thread::spawn(show))
        });
        Progress { done, shown }
    }

    /// Counts a step that is done.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.shown.take() {
            drop(sender);
            // It only draws.
            let _ = thread.join();
        }
    }
}

fn bar(what: &'static str, steps: Option<usize>) -> ProgressBar {
    let (bar, template) = match steps {
        Some(steps) => (ProgressBar::new(steps as u64), "{spinner} {msg} {wide_bar} {pos}/{len} ({eta})"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg} {pos} ({elapsed})"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.with_message(what)
}
