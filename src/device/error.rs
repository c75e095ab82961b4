//! What can go wrong in finding a device.

use thiserror::Error;

use crate::text::spelling;

/// An error of the device layer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// A device configuration file is malformed.
    #[error("{source_name}:{line}: {message}")]
    Config {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// A name that its table does not have.
    #[error("unknown {what} `{name}`{}", spelling::did_you_mean(nearest))]
    UnknownName {
        /// What it should be the name of.
        what: &'static str,
        /// The name.
        name: String,
        /// Names of the table that look like it.
        nearest: Vec<String>,
    },
    /// An architecture that exists, for which the device configuration has no entry.
    #[error(
        "{source_name} has no device `{name}`; add an entry, or describe the device with --architecture {name} --aspects"
    )]
    NotConfigured {
        /// The device configuration.
        source_name: String,
        /// The architecture.
        name: String,
    },
    /// A value that says two things of a device that can have only one.
    #[error("a device has one {what}: `{first}` or `{second}`?")]
    Contradiction {
        /// The property.
        what: &'static str,
        /// What was said first.
        first: String,
        /// What contradicts it.
        second: String,
    },
    /// A name that means something only within something else that was not given.
    #[error("cannot tell which {what} `{name}` is: give the {missing} too")]
    Missing {
        /// What the name should name.
        what: &'static str,
        /// The name.
        name: String,
        /// What is needed to understand it.
        missing: &'static str,
    },
}

impl DeviceError {
    /// The names that one which is not among them is likely to be meant for, the nearest first.
    pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        spelling::nearest(name, names)
    }
}
