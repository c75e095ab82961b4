//! Statistics of a driver's compiler, as text: a table of variants, and sentences.

use std::cmp::Reverse;
use std::fmt::Write;

use super::super::TextStyle;
use super::table;
use super::text::sentences;
use crate::inspection::{Inspected, SetConstant};
use crate::statistics::{CompileOutcome, CostKind, ModuleStatistics, StatisticKind, VariantStatistics};
use spirv_if::engine::collections::sort_by_key;

/// Limit on the variants and the names that are shown without `-v`.
const MAX_SHOWN: usize = 12;

/// Writes the statistics of a module.
pub fn statistics(
    statistics: &ModuleStatistics,
    inspected: &Inspected,
    style: &TextStyle,
    text: &mut String,
) {
    let _ = writeln!(text, "  {:<15} {}", "compiled by", style.heading(&statistics.driver));
    let name = |set: &SetConstant| {
        let mut constants = inspected.spec_constants.iter();
        let constant = constants.find(|constant| constant.spec_id == set.spec_id);
        let name = constant.and_then(|constant| constant.name.as_ref());
        let name = name.map_or_else(String::new, |name| format!(" ({name})"));
        format!("{}{name} = {}", set.spec_id, set.value)
    };
    let shown = shown(statistics, style);
    let mut rows = vec![Row::new("as it is".to_owned(), None, &statistics.as_is)];
    for variant in &shown {
        let default = if variant.is_default { " (default)" } else { "" };
        let title = format!("{}{default}", name(&variant.set));
        rows.push(Row::new(title, variant.by_driver.as_ref(), &variant.cut));
    }
    write_table(&rows, style, text);
    let left_out = statistics.variants.len() - shown.len();
    if left_out > 0 {
        let _ = writeln!(text, "    and {left_out} more values (-v)");
    }
    if statistics.untried > 0 {
        let _ = writeln!(text, "    and {} more values, which were not tried", statistics.untried);
    }
    if let Some(advice) = &statistics.advice {
        style.fill(text, &format!("  {:<15} ", "advice"), &sentences(&advice.text), " ");
    }
}

/// Returns the variants to show: those that differ most in cost or time, in their order.
fn shown<'s>(statistics: &'s ModuleStatistics, style: &TextStyle) -> Vec<&'s VariantStatistics> {
    let difference = |variant: &VariantStatistics| {
        let costs = [statistics.cost, CostKind::Time].map(|kind| {
            let (cut, as_is) = (variant.cut.cost(kind)?, statistics.as_is.cost(kind)?);
            Some((1000.0 * (cut - as_is).abs() / as_is.max(1.0)) as u64)
        });
        // What does not compile matters most.
        costs.map(|cost| cost.unwrap_or(u64::MAX))
    };
    let mut by_difference: Vec<&VariantStatistics> = statistics.variants.iter().collect();
    if !style.verbose && by_difference.len() > MAX_SHOWN + 1 {
        sort_by_key(&mut by_difference, |variant| Reverse(difference(variant)));
        by_difference.truncate(MAX_SHOWN);
        sort_by_key(&mut by_difference, |variant| variant.set.spec_id);
    }
    by_difference
}

/// A line of the table.
struct Row<'s> {
    title: String,
    by_driver: Option<&'s CompileOutcome>,
    outcome: &'s CompileOutcome,
}

impl Row<'_> {
    fn new<'s>(title: String, by_driver: Option<&'s CompileOutcome>, outcome: &'s CompileOutcome) -> Row<'s> {
        Row { title, by_driver, outcome }
    }
}

/// Writes the table: times of both ways, and the figures that the driver tells. Failures follow it.
fn write_table(rows: &[Row], style: &TextStyle, text: &mut String) {
    let told = |kind: &StatisticKind| {
        let figures = rows.iter().filter_map(|row| row.outcome.compiled());
        figures.into_iter().any(|module| module.figures().get(*kind).is_some())
    };
    let kinds: Vec<StatisticKind> = StatisticKind::ALL.into_iter().filter(told).collect();
    let has_both = rows.iter().any(|row| row.by_driver.is_some());
    let mut titles: Vec<String> = Vec::new();
    titles.extend(has_both.then(|| "set by driver".to_owned()));
    titles.push(if has_both { "set before" } else { "time" }.to_owned());
    titles.extend(kinds.iter().map(ToString::to_string));
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut cells: Vec<String> = Vec::new();
            cells.extend(has_both.then(|| time(row.by_driver.unwrap_or(row.outcome))));
            cells.push(match row.by_driver.is_none() && has_both {
                true => String::new(),
                false => time(row.outcome),
            });
            let figures = row.outcome.compiled().map(|module| module.figures());
            cells.extend(kinds.iter().map(|kind| {
                let value = figures.as_ref().and_then(|figures| figures.get(*kind));
                value.map_or_else(String::new, |value| value.to_string())
            }));
            cells
        })
        .collect();
    let names: Vec<String> = rows.iter().map(|row| row.title.clone()).collect();
    let mut lines = String::new();
    let width = style.width.map(|width| width.saturating_sub(4));
    table::write(&mut lines, ("", names), titles, &|row, column| cells[row][column].as_str(), width);
    for line in lines.lines() {
        let _ = writeln!(text, "    {}", line.trim_end());
    }
    for row in rows {
        for (way, outcome) in [("", Some(row.outcome)), (", set by driver", row.by_driver)] {
            if let Some(CompileOutcome::Failed(failure)) = outcome {
                let _ = writeln!(text, "    {}{way}: {}", row.title, style.attention(&failure.to_string()));
            }
        }
    }
}

/// Returns a time in milliseconds.
fn time(outcome: &CompileOutcome) -> String {
    outcome
        .compiled()
        .map_or_else(|| "failed".to_owned(), |module| format!("{:.1} ms", module.time_ns as f64 / 1e6))
}
