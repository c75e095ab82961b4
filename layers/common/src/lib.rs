//! Parts of the layers for Vulkan and OpenCL: the border to C, messages, and the texts of settings.

mod boundary;
mod messages;

pub use boundary::guarded;
pub use messages::{Severity, describe};

/// Parses a setting that is on or off. Numbers other than 0 are on.
pub fn parse_switch(value: &str) -> Option<bool> {
    match value.to_lowercase().as_str() {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        number => number.parse::<i64>().ok().map(|number| number != 0),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_switch;

    #[test]
    fn switches_have_several_texts() {
        let texts = ["true", "ON", "1", "2", "False", "off", "0", "yes", ""];
        let expected = [true, true, true, true, false, false, false];
        let expected = expected.map(Some).into_iter().chain([None, None]);
        assert!(texts.into_iter().map(parse_switch).eq(expected));
    }
}
