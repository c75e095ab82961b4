//! Reading of the embedded data tables of `spec-extensions/`.

/// Returns the rows of an embedded CSV table, without comments and the column titles.
///
/// The tables are part of the program, so a malformed one is a defect of the build, which the tests beside
/// each table find. Fields are never quoted.
pub(crate) fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).skip(1).map(fields)
}

/// Returns the fields of a row.
fn fields<const N: usize>(row: &str) -> [&str; N] {
    let mut fields = row.split(',');
    std::array::from_fn(|_| fields.next().unwrap_or_default())
}

/// Parses a number of a table, decimal or hexadecimal.
pub(crate) fn number(field: &str) -> Option<u64> {
    match field.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => field.parse().ok(),
    }
}
