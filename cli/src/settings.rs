//! Values of specialization constants on the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use clap::Args;
use spirv_if::specialize::{AssignedValue, SpecConstant};
use spirv_if::{Error, Prepared, Settings, SpecValue};

use super::usage;

/// Maximum number of combinations of values: each makes a module.
const MAX_COMBINATIONS: usize = 1 << 16;

/// Values of specialization constants.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Set a specialization constant, by its SpecId or its name, or the decision NAME of the host in conditions on `host(NAME)`: `true`, `false`, an integer such as `-1` or `0xff`, or a float as `1.5`
    /// or its bits as `0x3f800000`; may be given several times. An integer is one that the bits of the type hold, signed or not: `-1` sets all bits
    /// of an unsigned constant. Of several values, with `,` between them, each makes a module of its own, where a command makes several
    #[arg(long, value_name = "CONSTANT:VALUE", allow_hyphen_values = true, value_parser = values)]
    set: Vec<(SpecConstant, Vec<String>)>,
    /// Give a specialization constant a new default value, and keep it a specialization constant; may be given several times
    #[arg(long, value_name = "CONSTANT:VALUE", allow_hyphen_values = true, value_parser = value)]
    set_default: Vec<(SpecConstant, String)>,
    /// Leave a specialization constant as it is, even if its value is known on the device; may be given several times
    #[arg(long, value_name = "CONSTANT", value_parser = constant)]
    leave: Vec<SpecConstant>,
    /// Leave out settings of constants that the module does not have, as Vulkan does, with a warning; else they are an error
    #[arg(long)]
    ignore_unknown: bool,
}

/// A value for each of some constants.
#[derive(Clone)]
pub struct Combination {
    /// The constants in the order of the options, each with its value as text.
    values: Vec<(SpecConstant, String)>,
    /// The part that distinguishes it from other combinations, for the names of files; empty for a single one.
    pub label: String,
}

/// An option for constants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SetOption {
    Set,
    SetDefault,
    Leave,
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SetOption::Set => "--set",
            SetOption::SetDefault => "--set-default",
            SetOption::Leave => "--leave",
        })
    }
}

/// An option for a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct ConstantOption<'s> {
    option: SetOption,
    constant: &'s SpecConstant,
    /// The values, one for `--set-default`, and none for `--leave`.
    values: &'s [String],
}

/// Returns a specialization constant, and its values as text that is read by the type of the constant.
fn values(text: &str) -> Result<(SpecConstant, Vec<String>), String> {
    let check = |text: &str| text.parse::<Settings>().map_err(|error| error.to_string());
    let Some((constant_text, values)) = text.rsplit_once(':') else {
        return Err(check(text).err().unwrap_or_default());
    };
    let values: Vec<String> = values.split(',').map(str::to_owned).collect();
    values.iter().try_for_each(|value| check(&format!("{constant_text}:{value}")).map(drop))?;
    if values.iter().collect::<BTreeSet<_>>().len() < values.len() {
        return Err("it has a value twice".to_owned());
    }
    Ok((constant(constant_text)?, values))
}

/// Returns a specialization constant, and its one value.
pub fn value(text: &str) -> Result<(SpecConstant, String), String> {
    let (constant, mut values) = values(text)?;
    match (values.pop(), values.is_empty()) {
        (Some(value), true) => Ok((constant, value)),
        _ => Err("a constant has one default value".to_owned()),
    }
}

fn constant(text: &str) -> Result<SpecConstant, String> {
    text.parse().map_err(|error: Error| error.to_string())
}

impl SetArgs {
    /// Returns true if no constant gets a value.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.set_default.is_empty()
    }

    /// Returns the settings of a command that makes one module. The types of constants are not known yet.
    ///
    /// # Errors
    /// As wrong usage, if a constant has two values.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let all = self.kept(&BTreeSet::new());
        match self.count(&all)? {
            1 => self.settings_with(&combination(&all, 0), &BTreeSet::new(), |_, text| Ok(text.parse()?)),
            _ => Err(usage("--set has several values for one constant, and one module is made")),
        }
    }

    /// Returns the number of combinations of values.
    fn count(&self, all: &[&(SpecConstant, Vec<String>)]) -> anyhow::Result<usize> {
        self.check()?;
        let product = all.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
        product.filter(|&count| count <= MAX_COMBINATIONS).ok_or_else(|| {
            usage(format!(
                "the values of --set have more than {MAX_COMBINATIONS} combinations, each of which would make a module: give fewer, or run this \
                 several times"
            ))
        })
    }

    /// Returns the settings with each combination of the values, those of the first constant changing slowest, without some constants.
    ///
    /// # Errors
    /// As wrong usage, if the treatment of a constant is given twice, or there are too many combinations.
    pub fn combinations(&self, left_out: &BTreeSet<&SpecConstant>) -> anyhow::Result<Vec<Combination>> {
        let all = self.kept(left_out);
        Ok((0..self.count(&all)?).map(|number| combination(&all, number)).collect())
    }

    /// Returns the constants of `--set` with their values, each once, without some constants.
    fn kept(&self, left_out: &BTreeSet<&SpecConstant>) -> Vec<&(SpecConstant, Vec<String>)> {
        let mut seen = BTreeSet::new();
        self.set.iter().filter(|set| !left_out.contains(&set.0) && seen.insert(*set)).collect()
    }

    /// Returns the settings of a combination, with values of the types that constants have in a module.
    ///
    /// # Errors
    /// If a text is not a value of such a type.
    pub fn settings_in(
        &self,
        prepared: &Prepared,
        combination: &Combination,
        left_out: &BTreeSet<&SpecConstant>,
    ) -> anyhow::Result<Settings> {
        let parse = |constant: &SpecConstant, text: &str| Ok(prepared.parse_value(constant, text)?);
        self.settings_with(combination, left_out, parse)
    }

    /// Returns the settings of a combination, with values as a function reads them.
    fn settings_with(
        &self,
        combination: &Combination,
        left_out: &BTreeSet<&SpecConstant>,
        parse: impl Fn(&SpecConstant, &str) -> anyhow::Result<SpecValue>,
    ) -> anyhow::Result<Settings> {
        let is_kept = |constant: &&SpecConstant| !left_out.contains(constant);
        let mut settings = Settings::new().ignore_unknown(self.ignore_unknown);
        for (constant, text) in &combination.values {
            settings = settings.set(constant.clone(), parse(constant, text)?);
        }
        for (constant, text) in self.set_default.iter().filter(|(constant, _)| is_kept(&constant)) {
            settings = settings.set_default(constant.clone(), parse(constant, text)?);
        }
        Ok(self.leave.iter().filter(is_kept).cloned().fold(settings, Settings::leave))
    }

    /// Returns all options for constants, in their order, each once.
    fn constant_options(&self) -> Vec<ConstantOption<'_>> {
        let constant_option = |option, (constant, values)| ConstantOption { option, constant, values };
        let set = self
            .set
            .iter()
            .map(|(constant, values)| constant_option(SetOption::Set, (constant, values.as_slice())));
        let default = self.set_default.iter();
        let default = default.map(|(constant, value)| {
            constant_option(SetOption::SetDefault, (constant, std::slice::from_ref(value)))
        });
        let leave = self.leave.iter().map(|constant| constant_option(SetOption::Leave, (constant, &[])));
        let mut seen = BTreeSet::new();
        set.chain(default).chain(leave).filter(|option| seen.insert(*option)).collect()
    }

    /// Refuses two treatments of one constant.
    pub fn check(&self) -> anyhow::Result<()> {
        let mut by_constant = BTreeMap::new();
        for ConstantOption { option, constant, .. } in self.constant_options() {
            let Some(other) = by_constant.insert(constant, option) else { continue };
            return Err(usage(match other == option {
                true => format!("{option} gives the constant with {constant} two values"),
                false => format!("{other} and {option} are for one constant, with {constant}"),
            }));
        }
        Ok(())
    }

    /// Returns true if constants may have several treatments.
    pub fn has_several(&self) -> bool {
        self.set.len() + self.set_default.len() + self.leave.len() > 1
    }

    /// Returns true if settings of constants that a module does not have are ignored.
    pub fn ignores_unknown(&self) -> bool {
        self.ignore_unknown
    }

    /// Refuses two options for one constant of a module, and two texts for one value. Returns the ignored constants,
    /// which the module does not have.
    ///
    /// # Errors
    /// As wrong usage.
    pub fn check_in(&self, prepared: &Prepared) -> anyhow::Result<BTreeSet<&SpecConstant>> {
        let all = self.constant_options();
        if !self.ignore_unknown && all.iter().map(|option| option.values.len().max(1)).sum::<usize>() < 2 {
            return Ok(BTreeSet::new());
        }
        // A malformed value is an error where it is set.
        let settings =
            all.iter().try_fold(Settings::new(), |settings, option| option.add(prepared, settings));
        let Ok(mut assigned) = settings.and_then(|settings| prepared.assigned(&settings)) else {
            return Ok(BTreeSet::new());
        };
        // By treatment, what each of its values is for.
        let mut meanings = Vec::with_capacity(all.len());
        for ConstantOption { option, constant, values } in &all {
            let assigned_values: Vec<_> = assigned.drain(..values.len().max(1)).collect();
            let mut seen = BTreeMap::new();
            for (at, meaning) in assigned_values.iter().enumerate().filter(|(_, meaning)| !meaning.is_empty())
            {
                if let Some(before) = seen.insert(meaning, at) {
                    return Err(usage(format!(
                        "{option} gives the constant with {constant} one value twice: `{}` and `{}`",
                        values[before], values[at]
                    )));
                }
            }
            meanings.push(assigned_values);
        }
        // By constant of the module, the earlier options for it, with what they assign.
        let mut by_constant: BTreeMap<&SpecConstant, Vec<(usize, &AssignedValue)>> = BTreeMap::new();
        for (at, (one, values)) in all.iter().zip(&meanings).enumerate() {
            let differs = |value: &AssignedValue, (other, both): &(usize, &AssignedValue)| {
                let is_same_option = all[*other].option == one.option;
                // The same value twice is one.
                let may_be_same = is_same_option && values.len() + meanings[*other].len() == 2;
                // Constants with one SpecId have values of their own, but all of them stay specialization constants if one does.
                let by_spec_id = !is_same_option
                    && [one, &all[*other]].iter().any(|option| option.option == SetOption::Set);
                by_spec_id || value.id == both.id && !(may_be_same && value.bits == both.bits)
            };
            let clashes = values[0].iter().flat_map(|value| {
                let others = by_constant.get(&value.constant).into_iter().flatten();
                others.filter(move |other| differs(value, other))
            });
            if let Some(&(other, AssignedValue { constant: both, .. })) = clashes.min() {
                let other = &all[other];
                let by = format!("by {} and by {}", other.constant, one.constant);
                return Err(usage(match other.option == one.option {
                    true => format!("{} gives {both} two values, {by}: give it one", one.option),
                    false => format!(
                        "{} and {} are both for {both}, {by}: give one of them",
                        other.option, one.option
                    ),
                }));
            }
            for value in &values[0] {
                by_constant.entry(&value.constant).or_default().push((at, value));
            }
        }
        let unknown =
            all.iter().zip(&meanings).filter(|(_, values)| self.ignore_unknown && values[0].is_empty());
        Ok(unknown.map(|(option, _)| option.constant).collect())
    }
}

/// Returns the combination of a number, of constants with their values.
fn combination(all: &[&(SpecConstant, Vec<String>)], number: usize) -> Combination {
    let mut chosen = Vec::new();
    let mut rest = number;
    for (constant, all) in all.iter().rev() {
        chosen.push((constant, &all[rest % all.len()], all.len() > 1));
        rest /= all.len();
    }
    let (mut values, mut label) = (Vec::new(), Vec::new());
    for (constant, value, has_others) in chosen.into_iter().rev() {
        if has_others {
            let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
            label.push(format!("{}_{value}", key(constant).chars().map(plain).collect::<String>()));
        }
        values.push((constant.clone(), value.clone()));
    }
    Combination { values, label: label.join(".") }
}

impl ConstantOption<'_> {
    /// Adds each of its values to settings.
    fn add(&self, prepared: &Prepared, settings: Settings) -> Result<Settings, Error> {
        let constant = || self.constant.clone();
        if self.option == SetOption::Leave {
            return Ok(settings.leave(constant()));
        }
        self.values.iter().try_fold(settings, |settings, text| {
            let value = prepared.parse_value(self.constant, text)?;
            Ok(match self.option {
                SetOption::SetDefault => settings.set_default(constant(), value),
                _ => settings.set(constant(), value),
            })
        })
    }
}

impl Combination {
    /// Returns the values as text, by SpecId or name.
    pub fn named_values(&self) -> BTreeMap<String, String> {
        self.values.iter().map(|(constant, value)| (key(constant), value.clone())).collect()
    }
}

/// Returns the SpecId or the name of a constant.
fn key(constant: &SpecConstant) -> String {
    match (constant.spec_id(), constant.name()) {
        (Some(spec_id), _) => spec_id.to_string(),
        (None, name) => name.unwrap_or_default().to_owned(),
    }
}
