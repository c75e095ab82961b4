//! The table of devices and the entry points that they run.

use super::super::TextStyle;
use super::table::{Column, joined, table};
use super::text::{made_to_fit, title};
use crate::compatibility::Fit;
use crate::inspection::{DeviceFit, EntryPointReport, FileReport, Inspected};

/// The table of devices by entry points: as the modules stand, and as they can be made where that makes a difference.
pub fn text(files: &[FileReport], style: &TextStyle) -> String {
    let several = files.iter().map(|file| file.modules.len()).sum::<usize>() > 1;
    let mut entry_points: Vec<(String, &EntryPointReport)> = Vec::new();
    let mut ways: Vec<&str> = Vec::new();
    for file in files {
        for module in &file.modules {
            for entry_point in callable(&module.inspected) {
                let name = match (several, files.len()) {
                    (false, _) => entry_point.title().into_owned(),
                    (true, 1) => format!("{:#x} {}", module.offset, entry_point.title()),
                    (true, _) => format!("{} {}", title(file, module), entry_point.title()),
                };
                entry_points.push((name, entry_point));
                let way = made_to_fit(&module.inspected);
                if differs(entry_point) && !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
    }
    let Some((_, first)) = entry_points.first() else {
        return "no entry points, and no exported functions\n".to_owned();
    };
    let devices: Vec<&str> = each(first).iter().map(|own| own.device.as_str()).collect();
    let table = |columns| table(&devices, &joined(columns), style.width);
    let as_is = columns(&entry_points, |fit| &fit.as_is);
    let after_pack = columns(&entry_points, |fit| &fit.after_pack);
    if as_is.iter().map(|column| &column.fits).eq(after_pack.iter().map(|column| &column.fits)) {
        return table(as_is);
    }
    format!(
        "{}\n{}\n{}\n{}",
        style.heading("as it is"),
        table(as_is),
        style.heading(&ways.join(" or ")),
        table(after_pack)
    )
}

/// True if some device has another answer for the module as it can be made.
fn differs(entry_point: &EntryPointReport) -> bool {
    each(entry_point).iter().any(|own| own.as_is != own.after_pack)
}

/// The answers of the devices.
fn each(entry_point: &EntryPointReport) -> &[DeviceFit] {
    entry_point.devices.as_ref().map_or(&[], |devices| &devices.each)
}

/// The entry points, or what there is in a library without any.
fn callable(inspected: &Inspected) -> &[EntryPointReport] {
    match inspected.entry_points.is_empty() {
        true => &inspected.exported_functions,
        false => &inspected.entry_points,
    }
}

fn columns(entry_points: &[(String, &EntryPointReport)], fit: impl Fn(&DeviceFit) -> &Fit) -> Vec<Column> {
    let fits =
        |entry_point: &EntryPointReport| each(entry_point).iter().map(|own| fit(own).clone()).collect();
    let column = |(title, entry_point): &(String, &EntryPointReport)| Column {
        title: title.clone(),
        fits: fits(entry_point),
    };
    entry_points.iter().map(column).collect()
}
