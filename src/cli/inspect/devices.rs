//! Which devices run which entry points, as a table.

use std::fmt::Write;

use spirv_if::device::{Device, DeviceConfig};
use spirv_if::inspection::{DeviceFit, EntryPoint, Inspected, Report};

use super::super::terminal::{cut, fill, width};
use super::super::usage;
use super::text::title;

/// How many entry points have a column each.
const COLUMNS: usize = 8;
/// How wide the title of a column is at most, in characters.
const TITLE: usize = 24;

/// The devices whose names a pattern matches, in which `*` stands for any characters and `?` for one.
///
/// # Errors
/// Where it matches none.
pub fn matching<'d>(config: &'d DeviceConfig, pattern: &str) -> anyhow::Result<Vec<&'d Device>> {
    let devices: Vec<&Device> =
        config.iter().filter(|device| matches(pattern.as_bytes(), device.name.as_bytes())).collect();
    match devices.is_empty() {
        true => Err(usage(format!("no device is called like `{pattern}`; `spirv-if devices` lists them"))),
        false => Ok(devices),
    }
}

/// Whether a name matches a pattern. After a `*` that fails, the last one takes a character more.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut in_name) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while in_name < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                last_star = Some((at, in_name));
                at += 1;
            }
            Some(&byte) if byte == b'?' || byte == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match last_star {
                Some((star, start)) => {
                    last_star = Some((star, start + 1));
                    at = star + 1;
                    in_name = start + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|&byte| byte == b'*')
}

/// A line for each device. A few entry points have a column each; of many it says how many run.
pub fn text(report: &Report) -> String {
    let mut columns: Vec<(String, &EntryPoint)> = Vec::new();
    let several = report.files.iter().map(|file| file.modules.len()).sum::<usize>() > 1;
    for file in &report.files {
        for module in &file.modules {
            for entry_point in callable(&module.inspected) {
                let name = match several {
                    true => format!("{}: {}", title(file, module), entry_point.title()),
                    false => entry_point.title().to_owned(),
                };
                columns.push((name, entry_point));
            }
        }
    }
    let mut text = String::new();
    match columns.is_empty() {
        true => text.push_str("no entry points, and no exported functions\n"),
        false if columns.len() <= COLUMNS => table(&columns, &mut text),
        false => counts(&columns, &mut text),
    }
    text
}

/// The entry points, or what there is in a library without any.
fn callable(inspected: &Inspected) -> &[EntryPoint] {
    match inspected.entry_points.is_empty() {
        true => &inspected.exported_functions,
        false => &inspected.entry_points,
    }
}

fn fits(entry_point: &EntryPoint) -> &[DeviceFit] {
    entry_point.devices.as_ref().map_or(&[], |devices| &devices.each)
}

/// What a cell says: whether it runs, after pack if not as it is, or what is missing even then.
fn cell(fit: &DeviceFit) -> String {
    if fit.as_is.runs == Some(true) {
        return "runs".to_owned();
    }
    match (fit.after_pack.runs, &fit.after_pack.missing) {
        (Some(true), _) => "after pack".to_owned(),
        (None, Some(missing)) => format!("{missing}?"),
        (_, missing) => missing.clone().unwrap_or_default(),
    }
}

fn table(columns: &[(String, &EntryPoint)], text: &mut String) {
    let devices = fits(columns[0].1);
    let mut rows: Vec<Vec<String>> = vec![vec![String::new()]];
    rows[0].extend(columns.iter().map(|(name, _)| shorten(name)));
    for (at, device) in devices.iter().enumerate() {
        let cells = columns.iter().map(|(_, entry_point)| fits(entry_point).get(at).map(cell));
        let mut row = vec![device.device.clone()];
        row.extend(cells.map(Option::unwrap_or_default));
        rows.push(row);
    }
    let widths: Vec<usize> = (0..=columns.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0))
        .collect();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$}  ");
        }
        let _ = writeln!(text, "{}", cut(line.trim_end().to_owned(), width()));
    }
}

/// The end of a name tells more than its start, which is a path.
fn shorten(name: &str) -> String {
    let length = name.chars().count();
    match length > TITLE {
        true => std::iter::once('…').chain(name.chars().skip(length - TITLE + 1)).collect(),
        false => name.to_owned(),
    }
}

fn counts(columns: &[(String, &EntryPoint)], text: &mut String) {
    let devices = fits(columns[0].1);
    let _ = writeln!(text, "{} entry points", columns.len());
    let width = devices.iter().map(|device| device.device.len()).max().unwrap_or(0);
    for (at, device) in devices.iter().enumerate() {
        let mut counts: Vec<(usize, String)> = Vec::new();
        for fit in columns.iter().filter_map(|(_, entry_point)| fits(entry_point).get(at)) {
            let cell = cell(fit);
            match counts.iter_mut().find(|(_, other)| *other == cell) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, cell)),
            }
        }
        counts.sort_by_key(|(count, cell)| (cell != "runs", cell != "after pack", std::cmp::Reverse(*count)));
        let items: Vec<String> = counts
            .into_iter()
            .map(|(count, cell)| match cell.as_str() {
                "runs" => format!("{count} run"),
                "after pack" => format!("{count} after pack"),
                _ => format!("{count} lack {cell}"),
            })
            .collect();
        fill(text, &format!("{:<width$}  ", device.device), &items, ", ");
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        let is = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(is("intel_gpu_*", "intel_gpu_pvc") && is("*", "") && is("*pvc", "intel_gpu_pvc"));
        assert!(is("a*b*c", "a_b_b_c") && is("?pu", "gpu") && is("x86_64", "x86_64"));
        assert!(
            !is("intel_gpu_*", "amd_gpu_gfx90a") && !is("a*b", "a_b_c") && !is("?", "") && !is("a", "ab")
        );
    }
}
