//! Values of specialization constants on the command line.

use std::collections::BTreeMap;

use clap::Args;
use spirv_if::{Error, Settings, SpecConstant};

use super::usage;

/// Values of specialization constants.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Set a specialization constant, by its SpecId or its name, or the decision NAME of the host in conditions on `host(NAME)`: `true`, `false`, an integer such as `-1` or `0xff`, or a float as `1.5`
    /// or its bits as `0x3f800000`; may be given several times. Of several values, with `,` between them, each makes a module of its own,
    /// where a command makes several
    #[arg(long, value_name = "CONSTANT:VALUE", value_parser = values)]
    set: Vec<(SpecConstant, Vec<String>)>,
    /// Give a specialization constant a new default value, and keep it a specialization constant; may be given several times
    #[arg(long, value_name = "CONSTANT:VALUE", value_parser = value)]
    set_default: Vec<(SpecConstant, String)>,
    /// Leave a specialization constant as it is, even if its value is known on the device; may be given several times
    #[arg(long, value_name = "CONSTANT", value_parser = constant)]
    leave: Vec<SpecConstant>,
    /// Leave out settings of constants that the module does not have, as Vulkan does, with a warning; else they are an error
    #[arg(long)]
    ignore_unknown: bool,
}

/// A value for each of some constants.
pub struct Combination {
    /// The values by constant, as text: its SpecId or name.
    pub values: BTreeMap<String, String>,
    /// The part of it that another combination does not have, for the names of files; empty if there is no other.
    pub label: String,
    /// The settings with these values.
    pub settings: Settings,
}

/// A specialization constant, and its values as text that is read by the type of the constant.
fn values(text: &str) -> Result<(SpecConstant, Vec<String>), String> {
    let (key, values) = text
        .rsplit_once(':')
        .ok_or("a constant and a value with `:` between them, as in 3:true or tile:64")?;
    let constant = constant(key)?;
    let values: Vec<String> = values.split(',').map(str::to_owned).collect();
    if !values.iter().all(|value| Settings::is_value(value)) {
        return Err("the value is not `true`, `false` or a number of up to 64 bits".to_owned());
    }
    if values.iter().enumerate().any(|(at, value)| values[..at].contains(value)) {
        return Err("it has a value twice".to_owned());
    }
    Ok((constant, values))
}

/// A specialization constant, and its one value.
fn value(text: &str) -> Result<(SpecConstant, String), String> {
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
    /// True if no constant gets a value.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.set_default.is_empty()
    }

    /// The settings of a command that makes one module.
    ///
    /// # Errors
    /// As wrong usage, if a constant has two values.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let mut combinations = self.combinations()?;
        match (combinations.pop(), combinations.is_empty()) {
            (Some(combination), true) => Ok(combination.settings),
            _ => Err(usage("--set has several values for one constant, and one module is made")),
        }
    }

    /// The settings with each combination of the values, those of the first constant changing slowest.
    ///
    /// # Errors
    /// As wrong usage, if the treatment of a constant is given twice.
    pub fn combinations(&self) -> anyhow::Result<Vec<Combination>> {
        self.check()?;
        let mut chosen: Vec<Vec<&str>> = vec![Vec::new()];
        for (_, values) in &self.set {
            for combination in std::mem::take(&mut chosen) {
                for value in values {
                    chosen.push([combination.as_slice(), &[value.as_str()]].concat());
                }
            }
        }
        Ok(chosen.into_iter().map(|values| self.combination(&values)).collect())
    }

    /// The settings with one value for each constant of `--set`.
    fn combination(&self, chosen: &[&str]) -> Combination {
        let (mut settings, mut values, mut label) = (Settings::new(), BTreeMap::new(), Vec::new());
        for ((constant, all), value) in self.set.iter().zip(chosen) {
            settings = settings.set(constant.clone(), value);
            let key = match (constant.spec_id(), constant.name()) {
                (Some(spec_id), _) => spec_id.to_string(),
                (None, name) => name.unwrap_or_default().to_owned(),
            };
            if all.len() > 1 {
                let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
                label.push(format!("{}_{value}", key.chars().map(plain).collect::<String>()));
            }
            values.insert(key, (*value).to_owned());
        }
        for (constant, value) in &self.set_default {
            settings = settings.set_default(constant.clone(), value);
        }
        settings = self.leave.iter().cloned().fold(settings, Settings::leave);
        if self.ignore_unknown {
            settings = settings.ignore_unknown();
        }
        Combination { values, label: label.join("."), settings }
    }

    /// Refuses two treatments of one constant.
    fn check(&self) -> anyhow::Result<()> {
        let set = self.set.iter().map(|(constant, values)| (constant, ("--set", values.as_slice())));
        let default = self.set_default.iter();
        let default =
            default.map(|(constant, value)| (constant, ("--set-default", std::slice::from_ref(value))));
        let leave = self.leave.iter().map(|constant| (constant, ("--leave", &[][..])));
        let all: Vec<_> = set.chain(default).chain(leave).collect();
        for (at, (constant, treatment @ (option, _))) in all.iter().enumerate() {
            let mut before = all[..at].iter().filter(|(own, other)| own == constant && other != treatment);
            let Some((_, (other, _))) = before.next() else { continue };
            return Err(usage(match other == option {
                true => format!("{option} gives the constant with {constant} two values"),
                false => format!("{other} and {option} are for one constant, with {constant}"),
            }));
        }
        Ok(())
    }
}
