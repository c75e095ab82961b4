//! The findings about many modules: totals, and histograms to work on.

use std::collections::BTreeMap;
use std::fmt;

use super::judge::{Judged, Trimming};
use super::subject::ModuleDeclaration;

/// A count, and an example: a module and the finding about it.
type Histogram = BTreeMap<String, (usize, String)>;

/// Totals of one way of trimming, of capabilities or of extensions.
#[derive(Default)]
struct Totals {
    removed: usize,
    wrong: usize,
    missed: usize,
    for_api: usize,
}

/// Totals of capabilities or of extensions.
#[derive(Default)]
struct DeclarationTotals {
    declared: usize,
    needed: usize,
    ours: Totals,
    optimizer: Totals,
}

/// The findings about many modules.
#[derive(Default)]
pub struct TrimReport {
    modules: usize,
    valid: usize,
    kinds: [DeclarationTotals; 2],
    histograms: BTreeMap<&'static str, Histogram>,
}

const BROKEN: &str = "BROKEN by trim";
const LEFT_OUT: &str = "left out";
const KINDS: [&str; 2] = ["capabilities", "extensions"];
/// The number of lines of a histogram that are shown.
const LINES: usize = 40;

impl TrimReport {
    /// Adds the findings on a module.
    pub fn add(&mut self, name: &str, judged: Result<Judged, String>) {
        self.modules += 1;
        let judged = match judged {
            Ok(judged) => judged,
            Err(reason) => return self.count(LEFT_OUT, &kind_of(&reason), format!("{name}: {reason}")),
        };
        self.valid += 1;
        self.count("judged in", &judged.environments.join(", "), name.to_string());
        for (declared, needed) in &judged.declared {
            let kind = &mut self.kinds[index(declared)];
            kind.declared += 1;
            kind.needed += usize::from(needed.is_some());
            if needed.is_none() {
                self.count("unneeded by spirv-val", &declared.to_string(), name.to_string());
            }
        }
        self.trimming(name, &judged.ours, ["WRONG", "missed", "left to the API", BROKEN], |kind| {
            &mut kind.ours
        });
        let titles = ["wrong by spirv-opt", "", "", "broken by spirv-opt"];
        self.trimming(name, &judged.optimizer, titles, |kind| &mut kind.optimizer);
    }

    fn trimming(
        &mut self,
        name: &str,
        trimming: &Trimming,
        [wrong, missed, for_api, broken]: [&'static str; 4],
        totals: fn(&mut DeclarationTotals) -> &mut Totals,
    ) {
        for declared in &trimming.removed {
            totals(&mut self.kinds[index(declared)]).removed += 1;
        }
        for (declared, message) in &trimming.wrong {
            totals(&mut self.kinds[index(declared)]).wrong += 1;
            self.count(wrong, &declared.to_string(), format!("{name}: {message}"));
        }
        for declared in &trimming.missed {
            totals(&mut self.kinds[index(declared)]).missed += 1;
            self.count(missed, &declared.to_string(), name.to_string());
        }
        for declared in &trimming.for_api {
            totals(&mut self.kinds[index(declared)]).for_api += 1;
            self.count(for_api, &declared.to_string(), name.to_string());
        }
        if let Some(message) = &trimming.broken {
            self.count(broken, &kind_of(message), format!("{name}: {message}"));
        }
    }

    fn count(&mut self, histogram: &'static str, what: &str, example: String) {
        if !histogram.is_empty() {
            let histogram = self.histograms.entry(histogram).or_default();
            histogram.entry(what.to_string()).or_insert((0, example)).0 += 1;
        }
    }

    /// Adds another report.
    pub fn merge(&mut self, other: TrimReport) {
        self.modules += other.modules;
        self.valid += other.valid;
        for (kind, more) in self.kinds.iter_mut().zip(&other.kinds) {
            kind.declared += more.declared;
            kind.needed += more.needed;
            for (totals, more) in [(&mut kind.ours, &more.ours), (&mut kind.optimizer, &more.optimizer)] {
                totals.removed += more.removed;
                totals.wrong += more.wrong;
                totals.missed += more.missed;
                totals.for_api += more.for_api;
            }
        }
        for (title, more) in other.histograms {
            let histogram = self.histograms.entry(title).or_default();
            for (what, (count, example)) in more {
                histogram.entry(what).or_insert((0, example)).0 += count;
            }
        }
    }

    /// Returns true if `trim` removes no required declaration.
    pub fn is_right(&self) -> bool {
        self.kinds.iter().all(|kind| kind.ours.wrong == 0) && !self.histograms.contains_key(BROKEN)
    }

    /// Returns the percentage of unneeded capabilities and extensions that `trim` finds.
    pub fn found_percent(&self) -> f64 {
        let removed: usize = self.kinds.iter().map(|kind| kind.ours.removed).sum();
        let missed: usize = self.kinds.iter().map(|kind| kind.ours.missed).sum();
        percent(removed, missed)
    }
}

impl fmt::Display for TrimReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} modules, {} of them valid", self.modules, self.valid)?;
        let columns =
            ["", "declared", "needed", "unneeded", "removed", "wrong", "missed", "for API", "found"];
        write!(f, "  {:<14}", columns[0])?;
        columns[1..].iter().try_for_each(|column| write!(f, "{column:>10}"))?;
        writeln!(f)?;
        for (name, kind) in KINDS.iter().zip(&self.kinds) {
            let DeclarationTotals { declared, needed, ours, optimizer } = kind;
            write!(f, "  {name:<14}{declared:>10}{needed:>10}{:>10}", declared - needed)?;
            writeln!(f, "{ours}")?;
            writeln!(f, "  {:<14}{:>30}{optimizer}", "  spirv-opt", "")?;
        }
        for (title, histogram) in &self.histograms {
            writeln!(f, "  {title}:")?;
            let mut lines: Vec<_> = histogram.iter().collect();
            lines.sort_by_key(|(what, (count, _))| (std::cmp::Reverse(*count), *what));
            for (what, (count, example)) in lines.iter().take(LINES) {
                writeln!(f, "    {count:>7} {what} ({example})")?;
            }
            if lines.len() > LINES {
                writeln!(f, "    and {} more", lines.len() - LINES)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Totals { removed, wrong, missed, for_api } = self;
        let share = percent(*removed, *missed);
        write!(f, "{removed:>10}{wrong:>10}{missed:>10}{for_api:>10}{share:>9.1}%")
    }
}

fn percent(removed: usize, missed: usize) -> f64 {
    if removed + missed == 0 { 100.0 } else { 100.0 * removed as f64 / (removed + missed) as f64 }
}

fn index(declared: &ModuleDeclaration) -> usize {
    match declared {
        ModuleDeclaration::Capability(_) => 0,
        ModuleDeclaration::Extension(_) => 1,
    }
}

/// Returns a message without ids and numbers, which differ between modules.
fn kind_of(message: &str) -> String {
    let mut kind = String::new();
    for letter in message.chars() {
        match letter.is_ascii_digit() {
            true if kind.ends_with('#') => {}
            true => kind.push('#'),
            false => kind.push(letter),
        }
    }
    kind
}
