//! Statistics of a driver for variants of the shaders, and the regret of advice from few combinations, against many.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use spirv_if::specialize::UnsetPolicy;
use spirv_if::{Device, Module, Prepared, Settings, SpecValue};
use spirv_if_inspect::statistics::{
    CompileOutcome, CompileRequest, ConstantBytes, CostKind, FoundCombination, MeasureOptions,
    ModuleStatistics, StatisticKind, VariantCompiler, measure,
};
use spirv_if_inspect::{InspectOptions, InspectedConstant, inspect};
use spirv_if_probe::statistics::{DriverProcess, Ocloc};

use crate::runner::ShaderJob;
use crate::{BenchOptions, MeasuredModule, SERVE, modules, read, root};

/// Modules of kernels below `fixtures`, with their names in the table.
const KERNELS: [(&str, &str); 3] = [
    ("stencil", "ubershaders/stencil.spv"),
    ("flags", "flags/clflags-O2.spv"),
    ("flags -O0", "flags/clflags-O0.spv"),
];

/// Limit on the combinations that the search is compared with, apart from its own.
const MAX_COMBINATIONS: usize = 96;
/// Number of constants of which all combinations are tried around the cheapest one, where there are too many in all.
const AROUND: usize = 5;
/// Time limit of a module.
const LIMIT: Duration = Duration::from_secs(120);

/// The figures of both ways, without the time.
const FIGURES: [StatisticKind; 5] = [
    StatisticKind::Instructions,
    StatisticKind::CodeSize,
    StatisticKind::Registers,
    StatisticKind::Spills,
    StatisticKind::Occupancy,
];

/// Measures the variants and the search, and writes both tables.
pub fn compare(options: &BenchOptions) -> Result<()> {
    let (mut compiler, modules): (Box<dyn VariantCompiler>, _) = match &options.ocloc {
        Some(device) => {
            let program = std::env::var_os("OCLOC").unwrap_or_else(|| "ocloc".into());
            (Box::new(Ocloc::new(program, device, LIMIT)), kernels()?)
        }
        None => (Box::new(start_driver(options)?), modules()?),
    };
    let name = compiler.driver().replace(',', ";");
    let (mut variants, mut searches) = (String::new(), String::new());
    variants += "driver,module,setting,bytes,bytes_before,by_driver_ms,before_ms";
    for figure in FIGURES {
        let _ = write!(variants, ",{0}_by_driver,{0}_before", figure.keyword());
    }
    variants += ",equal_code\n";
    searches += "driver,module,cost,combinations,compiled,tried,as_is,cheapest,cheapest_of_all,regret_percent,dearest,dearest_of_all,dearest_regret_percent,by_driver_ms,fixed,fixed_ms,all_fixed_ms,without_effect,dearer,not_worth_cutting\n";
    let is_meant =
        |module: &MeasuredModule| options.modules.is_empty() || options.modules.contains(&module.name);
    for module in modules.into_iter().filter(is_meant) {
        eprintln!("{}", module.name);
        variants += &settings_of(&name, &module, &mut *compiler)?;
        searches += &search_of(&name, &module, &mut *compiler)?;
    }
    if let Some(path) = &options.csv {
        let write =
            |path: &Path, text: &str| std::fs::write(path, text).with_context(|| path.display().to_string());
        write(path, &variants)?;
        write(&path.with_extension("search.csv"), &searches)?;
    }
    for table in [variants, searches] {
        let mut lines = table.lines();
        let head = lines.next().unwrap_or_default();
        println!("| {} |\n|{}", head.replace(',', " | "), "---|".repeat(head.split(',').count()));
        for line in lines {
            println!("| {} |", line.replace(',', " | "));
        }
        println!();
    }
    Ok(())
}

/// Starts the process of the driver.
fn start_driver(options: &BenchOptions) -> Result<DriverProcess> {
    let program = std::env::args_os().next().context("no program is named")?;
    let driver = options.driver.clone();
    let command = move || {
        let mut command = match &driver {
            Some(driver) => Command::new(driver),
            None => Command::new(&program),
        };
        if driver.is_some() {
            command.arg(&program);
        }
        command.arg(SERVE);
        command
    };
    Ok(DriverProcess::start(command, LIMIT)?)
}

/// Returns the modules for a compiler of kernels. It sets no constants, so that no setting of theirs is compared.
fn kernels() -> Result<Vec<MeasuredModule>> {
    let module = |(name, file): (&str, &str)| {
        let words = read(&root().join("fixtures").join(file))?;
        Ok(MeasuredModule { name: name.to_owned(), words, settings: Vec::new(), job: ShaderJob::default() })
    };
    KERNELS.into_iter().map(module).collect()
}

/// Returns a row for each setting of a module: its constants set by the driver, and before.
fn settings_of(driver: &str, module: &MeasuredModule, compiler: &mut dyn VariantCompiler) -> Result<String> {
    let loaded = Module::from_words(&module.words[..])?;
    let mut rows = String::new();
    for setting in &module.settings {
        let bytes =
            |&(spec_id, value): &(u32, u32)| ConstantBytes { spec_id, bytes: value.to_ne_bytes().to_vec() };
        let constants: Vec<ConstantBytes> = setting.values.iter().map(bytes).collect();
        let request = CompileRequest::new(&module.words).constants(&constants);
        let by_driver = CompileOutcome::from(compiler.compile(&request));
        let set = |settings: Settings, &(spec_id, value): &(u32, u32)| settings.set(spec_id, value);
        let settings = setting.values.iter().fold(Settings::new(), set).trim(true);
        let words = Prepared::new(&loaded)?.specialize(&Device::default(), &settings)?.words;
        let request = CompileRequest::new(&words).layout(&module.words);
        let before = CompileOutcome::from(compiler.compile(&request));
        let ways = [&by_driver, &before];
        let _ = write!(
            rows,
            "{driver},{},{},{},{}",
            module.name,
            setting.title,
            module.words.len() * 4,
            words.len() * 4
        );
        for way in ways {
            let _ = write!(rows, ",{}", cell(way, CostKind::Time));
        }
        for figure in FIGURES {
            for way in ways {
                let _ = write!(rows, ",{}", cell(way, CostKind::Statistic(figure)));
            }
        }
        let equal = by_driver.has_equal_code(&before);
        let _ = writeln!(rows, ",{}", equal.map_or("", |equal| if equal { "yes" } else { "no" }));
        for failure in ways.into_iter().filter_map(CompileOutcome::failure) {
            eprintln!("{}, {}: {failure}", module.name, setting.title);
        }
    }
    Ok(rows)
}

/// Returns a figure, in milliseconds if it is the time; nothing if the driver does not tell it.
fn cell(outcome: &CompileOutcome, kind: CostKind) -> String {
    match (outcome.cost(kind), kind) {
        (Some(time), CostKind::Time) => format!("{:.2}", time / 1e6),
        (Some(figure), _) => figure.to_string(),
        (None, _) => String::new(),
    }
}

/// A combination: a value of each constant that is tried, by its number in the list.
type ValueNumbers = Vec<usize>;

/// Returns the row of a module: the cheapest and the dearest combination that the search finds, and those among many.
fn search_of(driver: &str, module: &MeasuredModule, compiler: &mut dyn VariantCompiler) -> Result<String> {
    let loaded = Module::from_words(&module.words[..])?;
    let constants = inspect(&loaded, &InspectOptions::new())?.spec_constants();
    let statistics = measure(&loaded, &constants, compiler, &MeasureOptions::new(), &|| ())?;
    let Some(advice) = &statistics.advice else { return Ok(String::new()) };
    let tried = tried_values(&constants, &statistics);
    let prepared = Prepared::new(&loaded)?;
    let mut cost_of = |values: &mut dyn Iterator<Item = (u32, SpecValue)>| -> Result<Option<f64>> {
        let set = |settings: Settings, (spec_id, value): (u32, SpecValue)| settings.set(spec_id, value);
        let settings = values.fold(Settings::new(), set).trim(true).unset(UnsetPolicy::Keep);
        let words = prepared.specialize(&Device::default(), &settings)?.words;
        let request = CompileRequest::new(&words).layout(&module.words);
        Ok(CompileOutcome::from(compiler.compile(&request)).cost(statistics.cost))
    };
    // Those that were found are compiled again, beside the others: times change with what else the machine does.
    let mut cost_of_found = |found: &Option<FoundCombination>| -> Result<Option<f64>> {
        let Some(found) = found else { return Ok(None) };
        let value = |(spec_id, values): &(u32, Vec<SpecValue>)| {
            let set = found.values.iter().find(|set| set.spec_id == *spec_id);
            (*spec_id, set.map_or(values[0], |set| set.value))
        };
        cost_of(&mut tried.iter().map(value))
    };
    let (Some(cheapest), Some(dearest)) = (cost_of_found(&advice.cheapest)?, cost_of_found(&advice.dearest)?)
    else {
        return Ok(String::new());
    };
    let combinations = combinations(&tried, &statistics, advice.cheapest.as_ref());
    let (mut least, mut most) = (cheapest, dearest);
    for combination in &combinations {
        let value = |(constant, number): (&(u32, Vec<SpecValue>), &usize)| (constant.0, constant.1[*number]);
        if let Some(cost) = cost_of(&mut tried.iter().zip(combination).map(value))? {
            (least, most) = (least.min(cost), most.max(cost));
        }
    }
    let regret = |found: f64, best: f64| 100.0 * (found - best).abs() / best.max(1.0);
    let milliseconds = |time_ns: u64| time_ns as f64 / 1e6;
    Ok(format!(
        "{driver},{},{},{},{},{},{},{cheapest},{least},{:.1},{dearest},{most},{:.1},{:.2},{},{:.2},{:.2},{},{},{}\n",
        module.name,
        statistics.cost.keyword(),
        statistics.combinations,
        statistics.compiled,
        combinations.len(),
        statistics.as_is.cost(statistics.cost).unwrap_or_default(),
        regret(cheapest, least),
        regret(dearest, most),
        milliseconds(advice.by_driver_time_ns),
        advice.fix.len(),
        milliseconds(advice.fixed_time_ns),
        milliseconds(advice.all_fixed_time_ns),
        advice.without_effect.len(),
        advice.dearer.len(),
        advice.not_worth_cutting.len(),
    ))
}

/// Returns the constants with the values that were tried, the default first.
fn tried_values(
    constants: &[InspectedConstant],
    statistics: &ModuleStatistics,
) -> Vec<(u32, Vec<SpecValue>)> {
    let mut tried: Vec<(u32, Vec<SpecValue>)> = Vec::new();
    for variant in &statistics.variants {
        match tried.last_mut().filter(|last| last.0 == variant.set.spec_id) {
            Some((_, values)) => values.push(variant.set.value),
            None => tried.push((variant.set.spec_id, vec![variant.set.value])),
        }
    }
    tried.retain(|(spec_id, _)| constants.iter().any(|constant| constant.spec_id.number() == *spec_id));
    tried
}

/// Returns combinations to compare with: all, or random ones and those around the cheapest one.
fn combinations(
    tried: &[(u32, Vec<SpecValue>)],
    statistics: &ModuleStatistics,
    cheapest: Option<&FoundCombination>,
) -> BTreeSet<ValueNumbers> {
    let mut result = BTreeSet::new();
    if statistics.combinations <= MAX_COMBINATIONS as u64 {
        for number in 0..statistics.combinations {
            let mut rest = number as usize;
            let digit = |(_, values): &(u32, Vec<SpecValue>)| {
                let digit = rest % values.len();
                rest /= values.len();
                digit
            };
            result.insert(tried.iter().map(digit).collect());
        }
        return result;
    }
    // A generator of random numbers with a fixed seed: every driver gets the same.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |count: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % count as u64) as usize
    };
    while result.len() < MAX_COMBINATIONS / 2 {
        result.insert(tried.iter().map(|(_, values)| random(values.len())).collect());
    }
    let number = |(spec_id, values): &(u32, Vec<SpecValue>)| {
        let set = cheapest?.values.iter().find(|set| set.spec_id == *spec_id)?;
        values.iter().position(|value| *value == set.value)
    };
    let center: ValueNumbers = tried.iter().map(|constant| number(constant).unwrap_or(0)).collect();
    // The constants whose single values differ most.
    let effect = |spec_id: u32| {
        let costs = statistics.variants.iter().filter(|variant| variant.set.spec_id == spec_id);
        let costs: Vec<f64> = costs.filter_map(|variant| variant.cut.cost(statistics.cost)).collect();
        let most = costs.iter().copied().fold(0.0, f64::max);
        most - costs.iter().copied().fold(most, f64::min)
    };
    let mut order: Vec<usize> = (0..tried.len()).collect();
    order.sort_by(|one, other| effect(tried[*other].0).total_cmp(&effect(tried[*one].0)));
    for mask in 0..1usize << AROUND.min(order.len()) {
        let mut combination = center.clone();
        for (bit, &at) in order.iter().take(AROUND).enumerate() {
            if mask >> bit & 1 == 1 {
                combination[at] = (combination[at] + 1) % tried[at].1.len();
            }
        }
        result.insert(combination);
    }
    result
}
