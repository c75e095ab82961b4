//! The table of devices by entry point: the devices that run it, and the first missing feature of each of the
//! others.

use std::fmt::Write;

use super::super::TextStyle;
use super::text::title;
use crate::inspection::{DeviceFit, EntryPointReport, FileReport, Inspected, Remedy, remedy_options};

/// The space between two columns.
const GAP: usize = 2;

/// An entry point, or several with equal results on all devices.
pub struct Column {
    /// Title of the column.
    pub title: String,
    /// Cell of each device.
    pub cells: Vec<String>,
}

/// Joins columns with equal results: `main`, `main and 3 more`, ordered by their first column.
pub fn joined(columns: Vec<Column>) -> Vec<Column> {
    let mut joined: Vec<(Column, usize)> = Vec::new();
    for column in columns {
        match joined.iter_mut().find(|(known, _)| known.cells == column.cells) {
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

/// Returns the table as text, with a line for each device, or for each entry point if there are more of
/// these. Columns beyond the width, in characters, continue in another table below.
pub fn table(devices: &[&str], columns: &[Column], width: Option<usize>) -> String {
    let names = devices.iter().map(|&name| name.to_owned()).collect();
    let titles = columns.iter().map(|column| column.title.clone()).collect();
    let mut text = String::new();
    if columns.len() <= devices.len() {
        write(&mut text, ("device", names), titles, &|row, column| &columns[column].cells[row], width);
    } else {
        write(&mut text, ("entry point", titles), names, &|row, column| &columns[row].cells[column], width);
    }
    text
}

/// Writes as many columns as fit side by side, and the next ones below them.
pub(super) fn write<'c>(
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
        // A column that is too wide by itself is written anyway.
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

/// Returns the table of devices by entry points: for modules as they stand, and packed if that makes a
/// difference.
pub fn devices(files: &[FileReport], style: &TextStyle) -> String {
    let several = files.iter().map(|file| file.modules.len()).sum::<usize>() > 1;
    let mut entry_points: Vec<(String, &EntryPointReport)> = Vec::new();
    let mut all_ways: Vec<String> = Vec::new();
    let mut is_undecided = false;
    for file in files {
        for module in &file.modules {
            is_undecided |= module.inspected.answer.as_ref().is_some_and(|answer| answer.undecided_calls > 0);
            for entry_point in callable(&module.inspected) {
                let name = match (several, files.len()) {
                    (false, _) => entry_point.title().into_owned(),
                    (true, 1) => format!("{:#x} {}", module.offset, entry_point.title()),
                    (true, _) => format!("{} {}", title(file, module), entry_point.title()),
                };
                entry_points.push((name, entry_point));
                for way in ways(entry_point, &module.inspected.remedy) {
                    if !all_ways.contains(&way) {
                        all_ways.push(way);
                    }
                }
            }
        }
    }
    let Some((_, first)) = entry_points.first() else {
        let modules = files.iter().flat_map(|file| &file.modules);
        let graphs: Vec<&str> =
            modules.flat_map(|module| &module.inspected.graphs).map(String::as_str).collect();
        if !graphs.is_empty() {
            return format!(
                "only graphs, whose requirements are not listed by themselves: {}\n",
                graphs.join(", ")
            );
        }
        return "no entry points, and no exported functions\n".to_owned();
    };
    let devices: Vec<&str> = device_results(first).iter().map(|device| device.device.as_str()).collect();
    let table = |columns| table(&devices, &joined(columns), style.width);
    let as_is = columns(&entry_points, |fit| match &fit.takes_none {
        Some(words) => words.clone(),
        None => fit.as_is.to_string(),
    });
    let after_pack = columns(&entry_points, |fit| match (&fit.takes_none, &fit.specialize) {
        (Some(words), _) => words.clone(),
        (None, Some(remedy)) => format!("{} ({})", fit.after_pack, remedy_options(remedy)),
        (None, None) => fit.after_pack.to_string(),
    });
    if as_is.iter().map(|column| &column.cells).eq(after_pack.iter().map(|column| &column.cells)) {
        return table(as_is);
    }
    let as_it_is = match is_undecided {
        true => "as it is: conditional calls are undecided, and all of them are made",
        false => "as it is",
    };
    format!(
        "{}\n{}\n{}\n{}",
        style.heading(as_it_is),
        table(as_is),
        style.heading(&format!("after {}", all_ways.join(" or "))),
        table(after_pack)
    )
}

/// Returns the ways to run an entry point on devices that do not run it unchanged.
fn ways(entry_point: &EntryPointReport, remedy: &Remedy) -> impl Iterator<Item = String> {
    let results = device_results(entry_point);
    let taking = |device: &&DeviceFit| device.takes_none.is_none();
    let remedied =
        results.iter().filter(taking).any(|device| device.as_is != device.after_pack).then(|| remedy.words());
    let specialized = results.iter().any(|device| device.specialize.is_some());
    remedied.into_iter().chain(specialized.then(|| "`specialize` with the options in brackets".to_owned()))
}

/// Returns the results of the devices.
fn device_results(entry_point: &EntryPointReport) -> &[DeviceFit] {
    entry_point.devices.as_ref().map_or(&[], |devices| &devices.each)
}

/// Returns the entry points; for a library without any, the exported functions.
fn callable(inspected: &Inspected) -> &[EntryPointReport] {
    match inspected.entry_points.is_empty() {
        true => &inspected.exported_functions,
        false => &inspected.entry_points,
    }
}

fn columns(entry_points: &[(String, &EntryPointReport)], cell: impl Fn(&DeviceFit) -> String) -> Vec<Column> {
    let column = |(title, entry_point): &(String, &EntryPointReport)| Column {
        title: title.clone(),
        cells: device_results(entry_point).iter().map(&cell).collect(),
    };
    entry_points.iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use spirv_if::error::Missing;
    use spirv_if::module::Version;
    use spirv_if::specialize::Compatibility;

    fn column(title: &str, results: [Compatibility; 2]) -> Column {
        Column { title: title.to_owned(), cells: results.iter().map(Compatibility::to_string).collect() }
    }

    fn columns() -> Vec<Column> {
        let missing = |missing| Compatibility { missing: vec![missing], unknown: Vec::new() };
        let lacks = missing(Missing::Capability(10.into()));
        let unknown =
            Compatibility { unknown: vec![Missing::sub_group_size(32)], ..Compatibility::default() };
        let runs = Compatibility::default;
        vec![
            column("main", [runs(), lacks.clone()]),
            column("second", [unknown, missing(Missing::Version(Version::new(1, 6)))]),
            column("third", [runs(), lacks]),
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
            .map(|number| Column {
                title: format!("kernel_{number}"),
                cells: vec![Compatibility::default().to_string(); 20],
            })
            .collect();
        let text = table(&devices, &columns, Some(60));
        assert!(text.lines().all(|line| line.chars().count() <= 60));
        assert_eq!(text.matches("runs").count(), 600);
        assert!(table(&devices, &columns, Some(1)).matches("runs").count() == 600, "nothing is lost");
    }
}
