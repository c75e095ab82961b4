//! Which devices run which entry points.

use spirv_if::device::Device;
use spirv_if::inspection::{DeviceFit, EntryPoint, Inspected, Report};
use spirv_if::runtime::Fit;

use super::super::terminal::width;
use super::table::{Column, joined, table};
use super::text::{HEADING, made_to_fit, title};

/// The table of devices by entry points: as the modules stand, and as they can be made where that makes a difference.
pub fn text(report: &Report, devices: &[&Device]) -> String {
    let several = report.files.iter().map(|file| file.modules.len()).sum::<usize>() > 1;
    let mut entry_points: Vec<(String, &EntryPoint)> = Vec::new();
    let mut ways: Vec<&str> = Vec::new();
    for file in &report.files {
        for module in &file.modules {
            for entry_point in callable(&module.inspected) {
                let name = match (several, report.files.len()) {
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
    if entry_points.is_empty() {
        return "no entry points, and no exported functions\n".to_owned();
    }
    let as_is = columns(&entry_points, |fit| &fit.as_is);
    let after_pack = columns(&entry_points, |fit| &fit.after_pack);
    if as_is.iter().map(|column| &column.fits).eq(after_pack.iter().map(|column| &column.fits)) {
        return table(devices, &joined(as_is), width());
    }
    format!(
        "{HEADING}as it is{HEADING:#}\n{}\n{HEADING}{}{HEADING:#}\n{}",
        table(devices, &joined(as_is), width()),
        ways.join(" or "),
        table(devices, &joined(after_pack), width())
    )
}

/// Whether devices say something else of it than as it is.
fn differs(entry_point: &EntryPoint) -> bool {
    let devices = entry_point.devices.as_ref();
    devices.is_some_and(|devices| devices.each.iter().any(|own| own.as_is != own.after_pack))
}

/// The entry points, or what there is in a library without any.
fn callable(inspected: &Inspected) -> &[EntryPoint] {
    match inspected.entry_points.is_empty() {
        true => &inspected.exported_functions,
        false => &inspected.entry_points,
    }
}

fn columns(entry_points: &[(String, &EntryPoint)], fit: impl Fn(&DeviceFit) -> &Fit) -> Vec<Column> {
    let fits = |entry_point: &EntryPoint| {
        let each = entry_point.devices.as_ref().map_or(&[][..], |devices| &devices.each);
        each.iter().map(|own| fit(own).clone()).collect()
    };
    let column = |(title, entry_point): &(String, &EntryPoint)| Column {
        title: title.clone(),
        fits: fits(entry_point),
    };
    entry_points.iter().map(column).collect()
}
