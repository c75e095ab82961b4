//! Values of specialization constants on the command line.

use std::str::FromStr;

use clap::Args;
use spirv_if::{Settings, SpecConstant};

use super::usage;

/// Values of specialization constants.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Set a specialization constant, by its SpecId or its name: `true`, `false`, an integer such as `-1` or `0xff`, or a float as `1.5`
    /// or its bits as `0x3f800000`; may be given several times
    #[arg(long, value_name = "CONSTANT:VALUE")]
    set: Vec<Setting>,
    /// Give a specialization constant a new default value, and keep it a specialization constant; may be given several times
    #[arg(long, value_name = "CONSTANT:VALUE")]
    set_default: Vec<Setting>,
    /// Leave a specialization constant as it is, even if its value is known on the device; may be given several times
    #[arg(long, value_name = "CONSTANT", value_parser = constant)]
    leave: Vec<SpecConstant>,
    /// Leave out settings of constants that the module does not have, as Vulkan does, with a warning; else they are an error
    #[arg(long)]
    ignore_unknown: bool,
}

/// A specialization constant, and its value as text that is read by the type of the constant.
#[derive(Clone, Debug)]
struct Setting(SpecConstant, String);

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Setting, Self::Err> {
        let (key, value) = text
            .rsplit_once(':')
            .ok_or("a constant and a value with `:` between them, as in 3:true or tile:64")?;
        let constant = constant(key)?;
        if !Settings::is_value(value) {
            return Err("the value is not `true`, `false` or a number of up to 64 bits");
        }
        Ok(Setting(constant, value.to_owned()))
    }
}

/// A SpecId, or a name, which does not begin with a digit.
fn constant(text: &str) -> Result<SpecConstant, &'static str> {
    match text.chars().next() {
        Some('0'..='9') => match text.parse::<u32>() {
            Ok(spec_id) => Ok(spec_id.into()),
            Err(_) => Err("the SpecId is no 32-bit unsigned integer"),
        },
        Some(_) => Ok(text.into()),
        None => Err("there is neither a SpecId nor a name"),
    }
}

impl SetArgs {
    /// True if no constant gets a value.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.set_default.is_empty()
    }

    /// The settings with these values.
    ///
    /// # Errors
    /// As wrong usage, if a constant has two.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        self.check()?;
        let set = |settings: Settings, setting: &Setting| settings.set(setting.0.clone(), &setting.1);
        let settings = self.set.iter().fold(Settings::new(), set);
        let set = |settings: Settings, setting: &Setting| settings.set_default(setting.0.clone(), &setting.1);
        let settings = self.set_default.iter().fold(settings, set);
        let settings = self.leave.iter().cloned().fold(settings, Settings::leave);
        Ok(if self.ignore_unknown { settings.ignore_unknown() } else { settings })
    }

    /// Refuses two treatments of one constant.
    fn check(&self) -> anyhow::Result<()> {
        let set = self.set.iter().map(|Setting(constant, value)| (constant, ["--set", value.as_str()]));
        let default = self.set_default.iter();
        let default = default.map(|Setting(constant, value)| (constant, ["--set-default", value.as_str()]));
        let leave = self.leave.iter().map(|constant| (constant, ["--leave", ""]));
        let all: Vec<_> = set.chain(default).chain(leave).collect();
        for (at, (constant, [option, value])) in all.iter().enumerate() {
            let Some((_, [other, _])) =
                all[..at].iter().find(|(own, treatment)| own == constant && *treatment != [*option, *value])
            else {
                continue;
            };
            return Err(usage(match other == option {
                true => format!("{option} gives the constant with {constant} two values"),
                false => format!("{other} and {option} are for one constant, with {constant}"),
            }));
        }
        Ok(())
    }
}
