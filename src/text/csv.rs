//! Reading of the embedded data tables of `spec-extensions/`.

use std::str::Lines;

/// Returns the rows of an embedded CSV table, without comments and the column titles.
///
/// The tables are part of the program, so a malformed one is a defect of the build, which the tests beside
/// each table find. Fields are never quoted.
pub(crate) fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let mut lines = text.lines();
    let _titles = read_row(&mut lines, &mut []);
    std::iter::from_fn(move || {
        let mut fields = [""; N];
        read_row(&mut lines, &mut fields).then_some(fields)
    })
}

/// Reads the first fields of the next row. Returns false after the last row. All tables share this function, whatever their number of columns.
#[inline(never)]
fn read_row(lines: &mut Lines<'static>, fields: &mut [&'static str]) -> bool {
    let Some(row) = lines.find(|line| !line.starts_with('#') && !line.is_empty()) else { return false };
    fields.iter_mut().zip(row.split(',')).for_each(|(field, text)| *field = text);
    true
}

/// Parses a number of a table, decimal or hexadecimal.
pub(crate) fn number(field: &str) -> Option<u64> {
    match field.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => field.parse().ok(),
    }
}
