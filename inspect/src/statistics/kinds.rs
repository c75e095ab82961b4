//! Figures that drivers have in common, under the names that each gives them (`spec-extensions/compiler-statistics.csv`).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use spirv_if::engine::collections::gather;
use spirv_if::engine::text::csv;

use super::model::StatisticValue;

/// A figure that several drivers tell of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum StatisticKind {
    /// The compiler's estimate of the cycles that an invocation takes.
    Cycles,
    /// The number of instructions.
    Instructions,
    /// The size of the code in bytes.
    CodeSize,
    /// The number of registers of an invocation: vector registers, where there are others.
    Registers,
    /// The number of scalar registers.
    ScalarRegisters,
    /// The number of registers that are stored elsewhere; with ocloc, their bytes.
    Spills,
    /// The bytes of memory for what is not in registers.
    Scratch,
    /// The number of sub-groups, or invocations, that a processor has room for at once.
    Occupancy,
}

/// Way in which the figures of several programs become one.
enum Total {
    Sum,
    Largest,
    Smallest,
}

impl StatisticKind {
    /// All kinds, in the order of reports.
    pub const ALL: [StatisticKind; 8] = [
        StatisticKind::CodeSize,
        StatisticKind::Instructions,
        StatisticKind::Cycles,
        StatisticKind::Registers,
        StatisticKind::ScalarRegisters,
        StatisticKind::Spills,
        StatisticKind::Scratch,
        StatisticKind::Occupancy,
    ];

    /// Returns the name in JSON.
    pub fn keyword(self) -> &'static str {
        match self {
            StatisticKind::Cycles => "cycles",
            StatisticKind::Instructions => "instructions",
            StatisticKind::CodeSize => "code_size",
            StatisticKind::Registers => "registers",
            StatisticKind::ScalarRegisters => "scalar_registers",
            StatisticKind::Spills => "spills",
            StatisticKind::Scratch => "scratch",
            StatisticKind::Occupancy => "occupancy",
        }
    }

    /// Returns the kind of a driver's statistic; `None` for a name that the table does not have.
    pub fn of(name: &str) -> Option<StatisticKind> {
        row(name)?.as_ref().copied()
    }

    fn total(self) -> Total {
        match self {
            StatisticKind::Registers | StatisticKind::ScalarRegisters => Total::Largest,
            StatisticKind::Occupancy => Total::Smallest,
            _ => Total::Sum,
        }
    }
}

/// Returns true for a statistic that does not follow from code: equal code may differ in it.
pub(super) fn is_of_module(name: &str) -> bool {
    row(name) == Some(&None)
}

/// Returns the kind of a statistic in the table, `None` there for those that are not of code.
fn row(name: &str) -> Option<&'static Option<StatisticKind>> {
    TABLE.get(&*name.to_lowercase())
}

static TABLE: LazyLock<BTreeMap<&str, Option<StatisticKind>>> = LazyLock::new(|| {
    let kind = |keyword| StatisticKind::ALL.into_iter().find(|kind| kind.keyword() == keyword);
    let rows = csv::rows(spirv_if::engine::COMPILER_STATISTICS);
    gather(rows.map(|[statistic, keyword, _]: [&str; 3]| (statistic, kind(keyword))))
});

impl fmt::Display for StatisticKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StatisticKind::CodeSize => "code size",
            StatisticKind::ScalarRegisters => "scalar registers",
            _ => self.keyword(),
        })
    }
}

impl Serialize for StatisticKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.keyword())
    }
}

/// The figures of a module that its driver tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures(BTreeMap<StatisticKind, StatisticValue>);

impl Figures {
    /// Returns the figure of a kind, if the driver tells it.
    pub fn get(&self, kind: StatisticKind) -> Option<StatisticValue> {
        self.0.get(&kind).copied()
    }

    /// Adds the figure of a further program.
    pub(super) fn add(&mut self, kind: StatisticKind, value: StatisticValue) {
        let total = self.0.entry(kind).or_insert(match kind.total() {
            Total::Sum => StatisticValue::Integer(0),
            _ => value,
        });
        let is_larger = value.number() > total.number();
        *total = match (kind.total(), *total, value) {
            (Total::Sum, StatisticValue::Integer(one), StatisticValue::Integer(other)) => {
                StatisticValue::Integer(one.saturating_add(other))
            }
            (Total::Sum, one, other) => StatisticValue::Real(one.number() + other.number()),
            (Total::Largest, ..) if is_larger => value,
            (Total::Smallest, ..) if !is_larger => value,
            (_, one, _) => one,
        };
    }
}

/// An object with a member for each kind.
impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let told = StatisticKind::ALL.into_iter().filter_map(|kind| Some((kind.keyword(), self.get(kind)?)));
        serializer.collect_map(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_kind() {
        for [statistic, keyword, _] in csv::rows(spirv_if::engine::COMPILER_STATISTICS) {
            let expected = StatisticKind::ALL.into_iter().find(|kind| kind.keyword() == keyword);
            assert!(expected.is_some() || keyword == "none", "{statistic}: {keyword}");
            assert_eq!(statistic, statistic.to_lowercase());
            assert_eq!(
                (StatisticKind::of(statistic), is_of_module(statistic)),
                (expected, expected.is_none())
            );
        }
    }

    #[test]
    fn figures_of_several_programs() {
        let mut figures = Figures::default();
        for number in [8, 24, 16] {
            for kind in [StatisticKind::CodeSize, StatisticKind::Registers, StatisticKind::Occupancy] {
                figures.add(kind, StatisticValue::Integer(number));
            }
        }
        let json = serde_json::to_string(&figures).unwrap();
        assert_eq!(json, r#"{"code_size":48,"registers":24,"occupancy":8}"#);
    }
}
