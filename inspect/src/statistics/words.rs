//! Advice in sentences.

use super::kinds::StatisticKind;
use super::report::{CostKind, FoundCombination, ModuleStatistics, ValueCost, VariantAdvice};
use crate::api::inspect::InspectedConstant;
use crate::inspection::SetConstant;

/// Limit on the names in a sentence.
const MAX_NAMES: usize = 8;

/// Subject of the sentences.
pub(super) struct AdviceWords<'a> {
    pub statistics: &'a ModuleStatistics,
    pub constants: &'a [InspectedConstant],
}

impl AdviceWords<'_> {
    /// Returns the sentences.
    pub fn text(&self, advice: &VariantAdvice) -> String {
        let mut sentences = self.on_constants(advice);
        sentences.extend(self.found("The cheapest combination that was found has", &advice.cheapest));
        sentences.extend(self.found("The dearest has", &advice.dearest));
        sentences.push(format!(
            "{} modules were compiled, and the values have {} combinations.",
            self.statistics.compiled, self.statistics.combinations
        ));
        sentences.join(" ")
    }

    fn on_constants(&self, advice: &VariantAdvice) -> Vec<String> {
        let mut sentences = Vec::new();
        sentences.push(match advice.fix.is_empty() {
            true => "No constant saves time if it is set when the application is built.".to_owned(),
            false => format!(
                "Most is saved if these are set when the application is built: {}. Compiling takes {} then, {} {}, and {} with all constants set before.",
                self.sets(&advice.fix),
                milliseconds(advice.fixed_time_ns),
                milliseconds(advice.by_driver_time_ns),
                match self.statistics.variants.iter().any(|variant| variant.by_driver.is_some()) {
                    true => "if the driver sets them",
                    false => "as it is",
                },
                milliseconds(advice.all_fixed_time_ns)
            ),
        });
        if !advice.without_effect.is_empty() {
            let constants = list(&advice.without_effect, |spec_id| self.constant(*spec_id));
            sentences
                .push(format!("One variant is enough for all values of {constants}: their code is equal."));
        }
        if !advice.dearer.is_empty() {
            let dearer = |cost: &ValueCost| {
                format!("{} by {:.1} %", self.set(&cost.set), cost.per_mille as f64 / 10.0)
            };
            let (cost, values) = (cost_name(self.statistics.cost), list(&advice.dearer, dearer));
            sentences.push(format!("More {cost} than with the default: {values}."));
        }
        if !advice.not_worth_cutting.is_empty() {
            let values = self.sets(&advice.not_worth_cutting);
            sentences.push(format!("Better left to the driver, whose code or time is better: {values}."));
        }
        if !advice.interacting.is_empty() {
            let constants = list(&advice.interacting, |spec_id| self.constant(*spec_id));
            sentences.push(format!("Depends on other constants: the effect of {constants}."));
        }
        sentences
    }

    fn found(&self, what: &str, combination: &Option<FoundCombination>) -> Option<String> {
        let FoundCombination { values, outcome } = combination.as_ref()?;
        let cost = outcome.cost(self.statistics.cost)?;
        let cost = match self.statistics.cost {
            CostKind::Time => milliseconds(cost as u64),
            kind => format!("{cost} {}", cost_name(kind)),
        };
        Some(match values.is_empty() {
            true => format!("{what} {cost}, with the defaults."),
            false => format!("{what} {cost}, with {}.", self.sets(values)),
        })
    }

    fn sets(&self, sets: &[SetConstant]) -> String {
        list(sets, |set| self.set(set))
    }

    fn set(&self, set: &SetConstant) -> String {
        format!("{} = {}", self.constant(set.spec_id), set.value)
    }

    fn constant(&self, spec_id: u32) -> String {
        let mut constants = self.constants.iter();
        let name = constants.find(|constant| constant.spec_id.number() == spec_id);
        match name.and_then(|constant| constant.name.as_ref()) {
            Some(name) => format!("{spec_id} ({name})"),
            None => spec_id.to_string(),
        }
    }
}

/// Returns a list of names, which is short.
fn list<T>(items: &[T], name: impl Fn(&T) -> String) -> String {
    let mut names: Vec<String> = items.iter().take(MAX_NAMES).map(name).collect();
    if items.len() > MAX_NAMES {
        names.push(format!("and {} more", items.len() - MAX_NAMES));
    }
    names.join(", ")
}

fn milliseconds(time_ns: u64) -> String {
    format!("{:.1} ms", time_ns as f64 / 1e6)
}

fn cost_name(kind: CostKind) -> String {
    match kind {
        CostKind::Time => "time".to_owned(),
        CostKind::Statistic(StatisticKind::CodeSize) => "bytes of code".to_owned(),
        CostKind::Statistic(kind) => kind.to_string(),
    }
}
