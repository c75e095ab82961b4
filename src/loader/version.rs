//! Versions of SPIR-V, and of the APIs that accept it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A version of SPIR-V or of an API, displayed and parsed as `1.6`.
///
/// ```
/// use spirv_if::module::Version;
/// assert_eq!("1.6".parse(), Ok(Version::new(1, 6)));
/// assert!(Version::new(1, 10) > Version::new(1, 6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The major version.
    pub major: u8,
    /// The minor version.
    pub minor: u8,
}

impl Version {
    /// Creates a version from its numbers.
    pub const fn new(major: u8, minor: u8) -> Version {
        Version { major, minor }
    }

    /// Returns the version that a word has in the header of a module, such as 0x00010600 for 1.6. Other bits are ignored.
    pub const fn from_word(word: u32) -> Version {
        let [_, major, minor, _] = word.to_be_bytes();
        Version { major, minor }
    }

    /// Returns the word of the version in the header of a module.
    pub const fn to_word(self) -> u32 {
        u32::from_be_bytes([0, self.major, self.minor, 0])
    }
}

impl From<(u8, u8)> for Version {
    fn from((major, minor): (u8, u8)) -> Version {
        Version { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A text that is not a version.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("invalid version '{0}': expected a major and a minor number, such as 1.6")]
pub struct VersionError(String);

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Version, VersionError> {
        let parse = || {
            let (major, minor) = text.split_once('.')?;
            Some(Version { major: major.parse().ok()?, minor: minor.parse().ok()? })
        };
        parse().ok_or_else(|| VersionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_as_text_and_words() {
        for (text, word) in [("1.0", 0x0001_0000), ("1.6", 0x0001_0600), ("255.255", 0x00ff_ff00)] {
            let version: Version = text.parse().unwrap();
            assert_eq!((version.to_string(), version.to_word()), (text.to_owned(), word));
            assert_eq!(Version::from_word(word), version);
        }
        for text in ["", "1", "1.", "1.6.0", "1.256", "-1.0", "1.x"] {
            let error = text.parse::<Version>().unwrap_err().to_string();
            let expected =
                format!("invalid version '{text}': expected a major and a minor number, such as 1.6");
            assert_eq!(error, expected);
        }
    }
}
