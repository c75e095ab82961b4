//! Compiles a module, and its variants with one constant set.

use std::collections::HashMap;

use spirv_if::engine::analysis::conditions::multi_target::MultiTarget;
use spirv_if::engine::analysis::constants::folding::Scalar;
use spirv_if::engine::collections::IdMap;
use spirv_if::error::RequestErrorKind;
use spirv_if::module::{Module, SpecId};
use spirv_if::specialize::{Prepared, Settings, SpecConstant, SpecValue, UnsetPolicy};
use spirv_if::{Device, Error};

use super::kinds::StatisticKind;
use super::model::{CompileFailure, CompileRequest, ConstantBytes, VariantCompiler};
use super::report::{CompileOutcome, CostKind, ModuleStatistics, VariantAdvice, VariantStatistics};
use super::search::{advise, is_worse};
use super::words::AdviceWords;
use crate::api::inspect::InspectedConstant;
use crate::inspection::{SetConstant, scalar};

/// Limit on the values that are tried one by one.
const MAX_VALUES: usize = 400;

/// Options of [`measure()`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct MeasureOptions {
    values: Vec<(SpecConstant, Vec<SpecValue>)>,
    skip_advice: bool,
}

impl MeasureOptions {
    /// Starts with the default options.
    pub fn new() -> MeasureOptions {
        MeasureOptions::default()
    }

    /// Tries these values of a constant, and no others. By default those are tried that decide different branches.
    pub fn values(
        mut self,
        constant: impl Into<SpecConstant>,
        values: impl IntoIterator<Item = SpecValue>,
    ) -> MeasureOptions {
        self.values.push((constant.into(), values.into_iter().collect()));
        self
    }

    /// Compiles no combinations of values, if true.
    pub fn skip_advice(mut self, skip: bool) -> MeasureOptions {
        self.skip_advice = skip;
        self
    }
}

/// A constant, and the values that are tried: the default first.
#[derive(Clone, Debug)]
pub(super) struct TriedConstant {
    pub spec_id: u32,
    scalar: Scalar,
    pub values: Vec<SpecValue>,
}

impl TriedConstant {
    pub fn default_value(&self) -> SpecValue {
        self.values[0]
    }

    /// Returns the bits in which a value differs from the default, if the constant is an integer and the value one that differs in a single bit.
    pub fn single_bit(&self, value: SpecValue) -> Option<u64> {
        let is_integer = matches!(self.scalar, Scalar::Int { .. });
        let bits = self.default_value().bits(self.scalar)? ^ value.bits(self.scalar)?;
        (is_integer && bits.is_power_of_two()).then_some(bits)
    }

    /// Returns a value with other bits.
    pub fn with_bits(&self, value: SpecValue, flipped: u64) -> Option<SpecValue> {
        Some(SpecValue::new(self.scalar, value.bits(self.scalar)? ^ flipped))
    }
}

/// Returns the default without each of its bits that is a value alone: conditions that test bits of a constant, its flags, list these. The default comes
/// first among the values.
fn without_single_bits(values: &[SpecValue], scalar: Scalar) -> Vec<SpecValue> {
    let Some(default) = values[0].bits(scalar).filter(|_| matches!(scalar, Scalar::Int { .. })) else {
        return Vec::new();
    };
    let bits = values.iter().filter_map(|value| value.bits(scalar));
    let flags = bits.filter(|bits| bits.is_power_of_two() && default & bits != 0 && default != *bits);
    flags.map(|bit| SpecValue::new(scalar, default ^ bit)).collect()
}

/// Values of constants that differ from the defaults, by SpecId.
pub(super) type Combination = IdMap<SpecValue>;

/// Compiles variants of one module, and remembers them.
pub struct VariantMeasurer<'m, 'c> {
    words: &'m [u32],
    prepared: Prepared<'m>,
    compiler: &'c mut dyn VariantCompiler,
    pub(super) constants: Vec<TriedConstant>,
    /// Results of cutting, with all values given.
    known: HashMap<Vec<(u32, SpecValue)>, (usize, CompileOutcome)>,
    pub(super) compiled: usize,
    progress: &'c dyn Fn(),
}

/// Compiles a module and its variants: with each value of each constant that decides something, given to the driver and set beforehand. All have the
/// layout of the module. `constants` are those of its inspection. `progress` is called after each compilation.
///
/// ```no_run
/// use spirv_if::Module;
/// use spirv_if_inspect::statistics::{MeasureOptions, VariantCompiler, measure};
/// use spirv_if_inspect::{InspectOptions, inspect};
/// # fn example(compiler: &mut dyn VariantCompiler) -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("shader.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let constants = inspect(&module, &InspectOptions::new())?.spec_constants();
/// let statistics = measure(&module, &constants, compiler, &MeasureOptions::new(), &|| ())?;
/// println!("{}: {} variants", statistics.driver, statistics.variants.len());
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If the module is malformed, or options name a constant that it does not have, or a value that it cannot have.
pub fn measure(
    module: &Module,
    constants: &[InspectedConstant],
    compiler: &mut dyn VariantCompiler,
    options: &MeasureOptions,
    progress: &dyn Fn(),
) -> Result<ModuleStatistics, Error> {
    if !MultiTarget::find(&module.inner).is_ok_and(|conditions| conditions.is_empty()) {
        let problem = "no driver compiles a packed module: specialize it for a device before";
        return Err(Error::request(RequestErrorKind::Feature, problem));
    }
    let mut measurer = VariantMeasurer::new(module, constants, compiler, options, progress)?;
    let as_is = measurer.with_driver_values(&[]);
    let cost = cost_kind(&as_is);
    let combinations = measurer
        .constants
        .iter()
        .fold(1u64, |product, constant| product.saturating_mul(constant.values.len() as u64));
    let mut statistics = ModuleStatistics {
        driver: measurer.compiler.driver().to_owned(),
        cost,
        as_is,
        variants: Vec::new(),
        advice: None,
        compiled: 0,
        combinations,
        untried: 0,
    };
    // A module that does not compile may do so without the code that a constant removes.
    let all = measurer.constants.clone();
    let values = all.iter().flat_map(|constant| constant.values.iter().map(move |value| (constant, *value)));
    for (number, (constant, value)) in values.enumerate() {
        if number >= MAX_VALUES {
            statistics.untried += 1;
            continue;
        }
        let is_default = value == constant.default_value();
        let by_driver = match is_default {
            true => statistics.as_is.clone(),
            false => measurer.with_driver_values(&[(constant, value)]),
        };
        let (size, cut) = measurer.cut(&[(constant.spec_id, value)])?;
        statistics.variants.push(VariantStatistics {
            set: SetConstant { spec_id: constant.spec_id, value },
            is_default,
            size,
            by_driver: measurer.compiler.takes_constants().then_some(by_driver),
            cut,
        });
    }
    if !options.skip_advice && statistics.as_is.compiled().is_some() && !statistics.variants.is_empty() {
        let advice = advise(&statistics, &mut measurer)?;
        statistics.compiled = measurer.compiled;
        let text = AdviceWords { statistics: &statistics, constants }.text(&advice);
        statistics.advice = Some(VariantAdvice { text, ..advice });
    }
    statistics.compiled = measurer.compiled;
    Ok(statistics)
}

/// Returns the figure that variants are compared by.
pub(super) fn cost_kind(as_is: &CompileOutcome) -> CostKind {
    let kinds = [StatisticKind::Cycles, StatisticKind::Instructions, StatisticKind::CodeSize];
    let mut costs = kinds.into_iter().map(CostKind::Statistic);
    costs.find(|kind| as_is.cost(*kind).is_some_and(|cost| cost > 0.0)).unwrap_or(CostKind::Time)
}

impl<'m, 'c> VariantMeasurer<'m, 'c> {
    /// Prepares a module.
    ///
    /// # Errors
    /// See [`measure()`].
    pub fn new(
        module: &'m Module,
        constants: &[InspectedConstant],
        compiler: &'c mut dyn VariantCompiler,
        options: &MeasureOptions,
        progress: &'c dyn Fn(),
    ) -> Result<VariantMeasurer<'m, 'c>, Error> {
        let mut tried = Vec::new();
        let mut named = vec![false; options.values.len()];
        for constant in constants {
            let Some(scalar) = scalar(&module.inner, constant.id.number()) else { continue };
            let Some(default) = constant.default else { continue };
            if tried.last().is_some_and(|last: &TriedConstant| last.spec_id == constant.spec_id.number()) {
                continue;
            }
            let is_meant = |option: &SpecConstant| {
                *option == SpecConstant::from(constant.spec_id)
                    || constant.name.as_ref().is_some_and(|name| *option == SpecConstant::from(name.as_str()))
            };
            let at = options.values.iter().position(|(option, _)| is_meant(option));
            let mut values = vec![default];
            match at {
                Some(at) => {
                    named[at] = true;
                    for value in &options.values[at].1 {
                        let bits = value.bits(scalar).ok_or_else(|| {
                            let problem = format!(
                                "{} of type {} cannot be {value}",
                                constant.name.as_deref().unwrap_or("the constant"),
                                constant.type_name
                            );
                            Error::request(RequestErrorKind::Value, problem)
                        })?;
                        values.push(SpecValue::new(scalar, bits));
                    }
                }
                None => {
                    values.extend(constant.values.iter().map(|effect| effect.value));
                    values.extend(without_single_bits(&values, scalar));
                }
            }
            let mut distinct: Vec<SpecValue> = Vec::new();
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            if at.is_some() || !constant.values.is_empty() {
                tried.push(TriedConstant { spec_id: constant.spec_id.number(), scalar, values: distinct });
            }
        }
        if let Some(at) = named.iter().position(|named| !named) {
            let constant = &options.values[at].0;
            let problem = format!("the module has no {constant}: `spirv-if inspect -v` lists its constants");
            return Err(Error::request(RequestErrorKind::Constant, problem));
        }
        Ok(VariantMeasurer {
            words: module.words(),
            prepared: Prepared::new(module)?,
            compiler,
            constants: tried,
            known: HashMap::new(),
            compiled: 0,
            progress,
        })
    }

    fn compile(&mut self, words: &[u32], constants: &[ConstantBytes]) -> CompileOutcome {
        let request = CompileRequest::new(words).layout(self.words).constants(constants);
        let answer = self.compiler.compile(&request);
        self.compiled += 1;
        (self.progress)();
        answer.into()
    }

    /// Compiles the module as it is, with values that the driver gets.
    fn with_driver_values(&mut self, values: &[(&TriedConstant, SpecValue)]) -> CompileOutcome {
        if !values.is_empty() && !self.compiler.takes_constants() {
            return CompileOutcome::Failed(CompileFailure::Unsupported(
                "the compiler takes no values of constants".to_owned(),
            ));
        }
        let constants: Vec<ConstantBytes> =
            values.iter().filter_map(|(constant, value)| bytes_of(constant, *value)).collect();
        self.compile(self.words, &constants)
    }

    /// Compiles what specializing leaves of the module with these values; returns its size in bytes, too. Each combination is compiled once.
    ///
    /// # Errors
    /// If the module is malformed.
    pub(super) fn cut(&mut self, values: &[(u32, SpecValue)]) -> Result<(usize, CompileOutcome), Error> {
        if let Some(known) = self.known.get(values) {
            return Ok(known.clone());
        }
        let result = self.words_with(values.iter().copied())?;
        let outcome = self.compile(&result, &[]);
        let known = (size_of_val(&result[..]), outcome);
        self.known.insert(values.to_vec(), known.clone());
        Ok(known)
    }

    /// Compiles what specializing leaves of the module with some values, where the driver gets the others, if it takes any.
    ///
    /// # Errors
    /// See [`VariantMeasurer::cut`].
    pub(super) fn partly_cut(
        &mut self,
        cut: &[SetConstant],
        by_driver: &[SetConstant],
    ) -> Result<CompileOutcome, Error> {
        let words = match cut.is_empty() {
            true => self.words.to_vec(),
            false => self.words_with(cut.iter().map(|set| (set.spec_id, set.value)))?,
        };
        let bytes = |set: &SetConstant| {
            let constant = self.constants.iter().find(|constant| constant.spec_id == set.spec_id)?;
            bytes_of(constant, set.value)
        };
        let constants: Vec<ConstantBytes> = match self.compiler.takes_constants() {
            true => by_driver.iter().filter_map(bytes).collect(),
            false => Vec::new(),
        };
        Ok(self.compile(&words, &constants))
    }

    /// Compiles a variant again in both ways; returns true if one that is worse when it is cut is not worse by the shorter times of both rounds.
    ///
    /// # Errors
    /// See [`VariantMeasurer::cut`].
    pub(super) fn is_noise(&mut self, variant: &VariantStatistics, kind: CostKind) -> Result<bool, Error> {
        let Some(by_driver) = &variant.by_driver else { return Ok(false) };
        let set = [variant.set];
        let again = self.partly_cut(&[], &set)?;
        let cut_again = self.partly_cut(&set, &[])?;
        Ok(!is_worse(&variant.cut.or_faster(cut_again), &by_driver.or_faster(again), kind))
    }

    /// Returns what specializing leaves of the module with these values.
    fn words_with(&self, values: impl Iterator<Item = (u32, SpecValue)>) -> Result<Vec<u32>, Error> {
        let set =
            |settings: Settings, (spec_id, value): (u32, SpecValue)| settings.set(SpecId(spec_id), value);
        let settings = values.fold(Settings::new(), set).trim(true).unset(UnsetPolicy::Keep);
        Ok(self.prepared.specialize(&Device::default(), &settings)?.words)
    }

    /// Compiles what is left of the module with a combination of values: all constants are set.
    ///
    /// # Errors
    /// See [`VariantMeasurer::cut`].
    pub(super) fn combination(&mut self, values: &Combination) -> Result<CompileOutcome, Error> {
        let value = |constant: &TriedConstant| {
            let value = values.get(&constant.spec_id).copied().unwrap_or(constant.default_value());
            (constant.spec_id, value)
        };
        let all: Vec<(u32, SpecValue)> = self.constants.iter().map(value).collect();
        Ok(self.cut(&all)?.1)
    }
}

/// Returns the bytes of a value for a driver; `None` for a type that no driver takes.
fn bytes_of(constant: &TriedConstant, value: SpecValue) -> Option<ConstantBytes> {
    let bits = value.bits(constant.scalar)?;
    let size = match constant.scalar {
        // VkBool32.
        Scalar::Bool => 4,
        Scalar::Int { width, .. } | Scalar::Float(width) | Scalar::OtherFloat { width, .. } => width / 8,
    };
    let bytes = bits.to_le_bytes();
    let mut bytes = bytes.get(..size as usize)?.to_vec();
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    Some(ConstantBytes { spec_id: constant.spec_id, bytes })
}
