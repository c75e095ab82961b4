//! Errors in finding a device.

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
        /// The error.
        message: String,
    },
    /// A name that its table does not have.
    #[error("unknown {what} `{name}`{}", spelling::did_you_mean(nearest))]
    UnknownName {
        /// The kind of thing that it should name.
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
    /// A name that compilers use for several devices.
    #[error("`{name}` stands for several devices: name one of {}", .names.join(", "))]
    Several {
        /// The name.
        name: String,
        /// The devices that it stands for.
        names: Vec<String>,
    },
    /// Two values of a property of which a device has one.
    #[error("a device has one {what}: `{first}` or `{second}`?")]
    Contradiction {
        /// The property.
        what: &'static str,
        /// The first value.
        first: String,
        /// The second value.
        second: String,
    },
    /// A name that means something only within something else that was not given.
    #[error("cannot tell which {what} `{name}` is: give the {missing} too")]
    Missing {
        /// The kind of thing that the name should name.
        what: &'static str,
        /// The name.
        name: String,
        /// The missing information.
        missing: &'static str,
    },
}

impl DeviceError {
    /// The names that one which is not among them is likely to be meant for, the nearest first.
    pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        spelling::nearest(name, names)
    }
}
