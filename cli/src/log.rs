//! Messages on stderr.

use std::fmt::Display;
use std::io::Write;

use clap::Args;
use clap::builder::styling::{AnsiColor, Style};

use super::terminal::wrap_lists;

/// Display order after the options of each command, for any number of commands: clap counts these too.
const LAST: usize = 500;

/// The verbosity of messages.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Verbosity {
    /// Print only errors and warnings.
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = LAST)]
    quiet: bool,
    /// Print more details.
    #[arg(short, long, global = true, display_order = LAST)]
    verbose: bool,
}

impl Verbosity {
    /// Returns true with `-q`.
    pub fn is_quiet(self) -> bool {
        self.quiet
    }
}

#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
    Note,
}

struct Message {
    level: Level,
    /// The origin: the program, or a place in a source.
    origin: String,
    text: String,
}

/// Messages, kept until [`Log::print`]: inputs are processed in parallel, and the messages about each are printed together, in the order of
/// the inputs.
#[derive(Default)]
pub struct Log {
    verbosity: Verbosity,
    /// The file that the messages are about.
    subject: Option<String>,
    messages: Vec<Message>,
}

impl Log {
    /// Creates an empty log about nothing in particular.
    pub fn new(verbosity: Verbosity) -> Log {
        Log { verbosity, ..Log::default() }
    }

    /// Creates an empty log about a file.
    pub fn about(&self, subject: impl Display) -> Log {
        Log { subject: Some(subject.to_string()), ..Log::new(self.verbosity) }
    }

    /// Reports an error, with all causes.
    pub fn error(&mut self, error: &anyhow::Error) {
        self.say(Level::Error, format!("{error:#}"));
    }

    /// Warns: the result is valid, but may not be the intended one.
    pub fn warning(&mut self, message: impl Display) {
        self.say(Level::Warning, message.to_string());
    }

    /// Warns as compilers do, of a place in a source (`file:line:column`) instead of the file that the log is about.
    pub fn warning_at(&mut self, place: impl Display, message: impl Display) {
        let (origin, text) = (place.to_string(), message.to_string());
        self.messages.push(Message { level: Level::Warning, origin, text });
    }

    /// Reports an error at a place in a source, as [`Log::warning_at`] warns of one; without a place, of the file that the log is about.
    pub fn error_at(&mut self, place: Option<&str>, message: impl Display) {
        match place {
            Some(place) => {
                let (origin, text) = (place.to_owned(), message.to_string());
                self.messages.push(Message { level: Level::Error, origin, text });
            }
            None => self.say(Level::Error, message.to_string()),
        }
    }

    /// Reports something of interest to most users.
    pub fn note(&mut self, message: impl Display) {
        if !self.verbosity.quiet {
            self.say(Level::Note, message.to_string());
        }
    }

    /// Reports a detail, with `-v`.
    pub fn detail(&mut self, message: impl Display) {
        if self.verbosity.verbose {
            self.say(Level::Note, message.to_string());
        }
    }

    /// Drops the notes about results that are not written.
    pub fn drop_notes(&mut self) {
        self.messages.retain(|message| !matches!(message.level, Level::Note));
    }

    /// Returns true with `-q`.
    pub fn is_quiet(&self) -> bool {
        self.verbosity.quiet
    }

    /// Returns true with `-v`.
    pub fn is_verbose(&self) -> bool {
        self.verbosity.verbose
    }

    /// Appends the messages of another log.
    pub fn append(&mut self, mut other: Log) {
        self.messages.append(&mut other.messages);
    }

    fn say(&mut self, level: Level, message: String) {
        let text = match &self.subject {
            Some(subject) => format!("{subject}: {message}"),
            None => message,
        };
        self.messages.push(Message { level, origin: "spirv-if".to_owned(), text });
    }

    /// Writes the messages to stderr, in colour if that is a terminal.
    pub fn print(&mut self) {
        if self.messages.is_empty() {
            return;
        }
        let mut stderr = anstream::stderr().lock();
        for Message { level, origin, text } in self.messages.drain(..) {
            let (word, color) = match level {
                Level::Error => ("error", AnsiColor::Red),
                Level::Warning => ("warning", AnsiColor::Yellow),
                Level::Note => ("note", AnsiColor::Cyan),
            };
            let text = wrap_lists(&text);
            let style = Style::new().bold().fg_color(Some(color.into()));
            // A closed stderr cannot be reported.
            let _ = writeln!(stderr, "{origin}: {style}{word}:{style:#} {text}");
        }
    }
}
