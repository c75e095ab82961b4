//! Reading of the embedded data tables of `spec-extensions/`.

use memchr::memchr;

/// Returns the rows of an embedded CSV table, without comments and the column titles.
///
/// The tables are part of the program, so a malformed one is a defect of the build, which the tests beside
/// each table find. Fields are never quoted.
pub fn rows<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let mut rest = text;
    let _titles = read_row(&mut rest, &mut []);
    std::iter::from_fn(move || {
        let mut fields = [""; N];
        read_row(&mut rest, &mut fields).then_some(fields)
    })
}

/// Reads the first fields of the next row, and moves on to the line after it. Returns false after the last row. All tables share this
/// function, whatever their number of columns.
#[inline(never)]
fn read_row(rest: &mut &'static str, fields: &mut [&'static str]) -> bool {
    while !rest.is_empty() {
        let mut line = take_until(b'\n', rest);
        line = line.strip_suffix('\r').unwrap_or(line);
        if !line.starts_with('#') && !line.is_empty() {
            fields.iter_mut().for_each(|field| *field = take_until(b',', &mut line));
            return true;
        }
    }
    false
}

/// Takes the text up to a separator, or all of it, and the separator.
fn take_until(separator: u8, rest: &mut &'static str) -> &'static str {
    let at = memchr(separator, rest.as_bytes());
    let (text, after) = at.map_or((*rest, ""), |at| (&rest[..at], &rest[at + 1..]));
    *rest = after;
    text
}

/// Parses a number of a table, decimal or hexadecimal.
pub fn number(field: &str) -> Option<u64> {
    match field.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => field.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_comments_and_titles() {
        let text = "# a, comment\n\nname,number\r\na,1,left out\r\n# another\nb\n\nc,,3";
        assert_eq!(rows(text).collect::<Vec<[&str; 2]>>(), [["a", "1"], ["b", ""], ["c", ""]]);
        assert_eq!(rows::<1>("name\n").count() + rows::<1>("").count(), 0);
    }
}
