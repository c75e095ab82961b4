//! The table of devices by entry point: those that run it, and the first missing feature of each of the others.

use std::fmt::Write;
use std::sync::Arc;

use crate::compatibility::Fit;

/// The space between two columns.
const GAP: usize = 2;

/// An entry point, or several for which all devices have the same answers.
pub struct Column {
    /// Its title.
    pub title: String,
    /// The answer of each device.
    pub fits: Arc<[Fit]>,
}

/// Joins columns with the same answers: `main`, `main and 3 more`. Their order is that of the first ones.
pub fn joined(columns: Vec<Column>) -> Vec<Column> {
    let mut joined: Vec<(Column, usize)> = Vec::new();
    for column in columns {
        match joined.iter_mut().find(|(known, _)| known.fits == column.fits) {
            Some((_, more)) => *more += 1,
            None => joined.push((column, 0)),
        }
    }
    let title = |(column, more): (Column, usize)| match more {
        0 => column,
        more => Column { title: format!("{} and {more} more", column.title), ..column },
    };
    joined.into_iter().map(title).collect()
}

/// The table as text. Each device has a line; each entry point does, if these are more. What does not fit the width, in
/// characters, is continued in another table below.
pub fn table(devices: &[&str], columns: &[Column], width: Option<usize>) -> String {
    let names = devices.iter().map(|&name| name.to_owned()).collect();
    let titles = columns.iter().map(|column| column.title.clone()).collect();
    let cells = columns.iter().map(|column| column.fits.iter().map(Fit::to_string).collect());
    let cells: Vec<Vec<String>> = cells.collect();
    let mut text = String::new();
    if columns.len() <= devices.len() {
        write(&mut text, ("device", names), titles, &|row, column| &cells[column][row], width);
    } else {
        write(&mut text, ("entry point", titles), names, &|row, column| &cells[row][column], width);
    }
    text
}

/// Writes as many columns as fit beside each other, and below them the next ones.
fn write<'c>(
    text: &mut String,
    (corner, rows): (&str, Vec<String>),
    titles: Vec<String>,
    cell: &dyn Fn(usize, usize) -> &'c str,
    width: Option<usize>,
) {
    let characters = |text: &str| text.chars().count();
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(characters).max().unwrap_or(0);
    let first = widest(&mut rows.iter().map(String::as_str).chain([corner]));
    let columns = titles.iter().enumerate().map(|(column, title)| {
        widest(&mut (0..rows.len()).map(|row| cell(row, column)).chain([title.as_str()]))
    });
    let columns: Vec<usize> = columns.collect();
    let mut from = 0;
    while from < titles.len() {
        let mut left = width.unwrap_or(usize::MAX).saturating_sub(first);
        let mut to = from;
        // A column that is too wide by itself still has to stand somewhere.
        while to < titles.len() && (to == from || left >= GAP + columns[to]) {
            left = left.saturating_sub(GAP + columns[to]);
            to += 1;
        }
        if from > 0 {
            text.push('\n');
        }
        let mut line = |head: &str, cells: &mut dyn Iterator<Item = &str>| {
            let mut line = format!("{head:first$}");
            for (width, cell) in columns[from..to].iter().zip(cells) {
                let _ = write!(line, "{:GAP$}{cell:width$}", "");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        };
        line(corner, &mut titles[from..to].iter().map(String::as_str));
        for (row, head) in rows.iter().enumerate() {
            line(head, &mut (from..to).map(|column| cell(row, column)));
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compatibility::Missing;

    fn column(title: &str, fits: [Fit; 2]) -> Column {
        Column { title: title.to_owned(), fits: fits.to_vec().into() }
    }

    fn columns() -> Vec<Column> {
        let lacks = Fit::Missing(Missing::Capability(10.into()));
        let unknown = Fit::Unknown(Missing::sub_group_size(32));
        vec![
            column("main", [Fit::Runs, lacks.clone()]),
            column("second", [unknown, Fit::Missing(Missing::Version(1, 6))]),
            column("third", [Fit::Runs, lacks]),
        ]
    }

    #[test]
    fn a_line_per_device() {
        let columns = joined(columns());
        assert_eq!(
            table(&["a_device", "b"], &columns, None),
            "device    main and 1 more  second\n\
             a_device  runs             sub-group size 32?\n\
             b         Float64          SPIR-V 1.6\n"
        );
        assert_eq!(
            table(&["a_device", "b"], &columns, Some(30)),
            "device    main and 1 more\n\
             a_device  runs\n\
             b         Float64\n\
             \n\
             device    second\n\
             a_device  sub-group size 32?\n\
             b         SPIR-V 1.6\n"
        );
    }

    #[test]
    fn a_line_per_entry_point_if_they_are_more() {
        assert_eq!(
            table(&["a_device", "b"], &columns(), Some(43)),
            "entry point  a_device            b\n\
             main         runs                Float64\n\
             second       sub-group size 32?  SPIR-V 1.6\n\
             third        runs                Float64\n"
        );
    }

    #[test]
    fn every_line_fits_where_it_can() {
        let devices: Vec<String> = (0..20).map(|number| format!("device_{number}")).collect();
        let devices: Vec<&str> = devices.iter().map(String::as_str).collect();
        let columns: Vec<Column> = (0..30)
            .map(|number| Column { title: format!("kernel_{number}"), fits: vec![Fit::Runs; 20].into() })
            .collect();
        let text = table(&devices, &columns, Some(60));
        assert!(text.lines().all(|line| line.chars().count() <= 60));
        assert_eq!(text.matches("runs").count(), 600);
        assert!(table(&devices, &columns, Some(1)).matches("runs").count() == 600, "nothing is lost");
    }
}
