//! Text that fits the terminal, and progress on it.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use spirv_if::TextStyle;

/// The style of texts for the terminal.
pub fn style() -> TextStyle {
    let mut style = TextStyle::default();
    style.width = width();
    style
}

/// The width of the terminal; None if stdout is none.
pub fn width() -> Option<usize> {
    let (width, _) =
        terminal_size::terminal_size_of(std::io::stdout()).filter(|_| std::io::stdout().is_terminal())?;
    Some(width.0.into())
}

/// A line truncated to the width of the terminal.
pub fn cut(line: String, columns: Option<usize>) -> String {
    match columns {
        Some(columns) if line.chars().count() > columns && columns > 0 => {
            line.chars().take(columns - 1).chain(['…']).collect()
        }
        _ => line,
    }
}

/// Progress is shown of work that takes longer than this, and how often it is brought up to date.
const DELAY: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(100);

/// True with `-q`.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Shows no progress.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// The progress of some work, which stderr shows while it goes on, if it is a terminal and the work takes long.
pub struct Progress {
    done: Arc<AtomicU64>,
    /// Closed when the work ends.
    shown: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// The progress of work that was begun: what it is, and the number of its steps, if that is known.
    pub fn of(what: &'static str, steps: Option<usize>) -> Progress {
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
