//! Versions of drivers: up to four parts in one number, which compares like the sequence of parts.

/// Widths of the parts in bits, the first in the highest: those of all encodings in `spec-extensions/drivers.csv` fit.
const WIDTHS: [u32; 4] = [24, 16, 12, 12];

/// Returns the number of a version; missing parts are zero. `None` if a part is too large, or if there are too many.
pub fn number_of_parts(parts: &[u32]) -> Option<u64> {
    if parts.len() > WIDTHS.len() {
        return None;
    }
    let mut all = parts.iter().copied().chain(std::iter::repeat(0));
    WIDTHS.iter().try_fold(0, |number, &width| {
        let part = u64::from(all.next()?);
        (part >> width == 0).then_some(number << width | part)
    })
}

/// Returns the parts of a version without the last ones that are zero.
pub fn parts_of_number(number: u64) -> Vec<u32> {
    let mut rest = number;
    let mut parts: Vec<u32> = Vec::new();
    for width in WIDTHS.into_iter().rev() {
        let part = (rest & ((1 << width) - 1)) as u32;
        rest >>= width;
        if part > 0 || !parts.is_empty() {
            parts.push(part);
        }
    }
    parts.reverse();
    parts
}

/// Parses the text of a version: decimal numbers with periods between them.
pub fn parse_version(text: &str) -> Option<u64> {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let part = |part: &str| part.parse().ok().filter(|_| is_number(part));
    number_of_parts(&text.split('.').map(part).collect::<Option<Vec<u32>>>()?)
}

/// Returns the text of a version, from which [`parse_version`] restores it.
pub fn version_text(number: u64) -> String {
    match &parts_of_number(number)[..] {
        [] => "0".to_owned(),
        parts => parts.iter().map(u32::to_string).collect::<Vec<_>>().join("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_part_by_part() {
        let ordered = [
            "0",
            "0.0.1",
            "0.1",
            "1.9",
            "1.10",
            "512.800",
            "512.800.0.1",
            "512.1000",
            "580.159.4",
            "101.5768.0.0",
        ];
        let mut numbers = ordered.map(|text| parse_version(text).unwrap());
        numbers[9] = u64::MAX;
        assert!(numbers.is_sorted_by(|one, other| one < other), "{numbers:?}");
        for (text, shown) in [
            ("580.159.04", "580.159.4"),
            ("101.5768.0.0", "101.5768"),
            ("512", "512"),
            ("0.0", "0"),
            ("16777215.65535.4095.4095", "16777215.65535.4095.4095"),
        ] {
            assert_eq!(version_text(parse_version(text).unwrap()), shown);
        }
        assert_eq!(parse_version("16777215.65535.4095.4095"), Some(u64::MAX));
        for text in [
            "",
            ".",
            "1.",
            "1.a",
            "+1",
            "1.-2",
            "1.2.3.4.5",
            "16777216",
            "1.65536",
            "1.2.4096",
            "99999999999",
        ] {
            assert_eq!(parse_version(text), None, "{text}");
        }
    }
}
