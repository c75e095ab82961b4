//! Values of specialization constants on the command line.

use std::str::FromStr;

use clap::Args;
use spirv_if::Settings;

use super::usage;

/// Values of specialization constants.
#[derive(Args, Debug)]
pub struct SetArgs {
    /// Set a specialization constant: `true`, `false`, an integer such as `-1` or `0xff`, or a float as `1.5` or its bits as
    /// `0x3f800000`; may be given several times
    #[arg(long, value_name = "SPECID:VALUE")]
    set: Vec<Setting>,
    /// Leave out `--set` for a SpecId that the module does not have, as Vulkan does, with a warning; else it is an error
    #[arg(long)]
    ignore_unknown: bool,
}

/// A specialization constant's SpecId, and its value as text that is read by the type of the constant.
#[derive(Clone, Debug)]
struct Setting(u32, String);

impl FromStr for Setting {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Setting, Self::Err> {
        let (spec_id, value) =
            text.split_once(':').ok_or("a SpecId and a value with `:` between them, as in 3:true")?;
        let spec_id =
            spec_id.parse().map_err(|_| "the SpecId before the `:` is no 32-bit unsigned integer")?;
        if !Settings::is_value(value) {
            return Err("the value is not `true`, `false` or a number of up to 64 bits");
        }
        Ok(Setting(spec_id, value.to_owned()))
    }
}

impl SetArgs {
    /// True if no value is given.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// The settings with these values.
    ///
    /// # Errors
    /// As wrong usage, if a constant has two.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        for (at, first) in self.set.iter().enumerate() {
            if self.set[..at].iter().any(|second| second.0 == first.0 && second.1 != first.1) {
                return Err(usage(format!("--set gives the constant with SpecId {} two values", first.0)));
            }
        }
        let set = |settings: Settings, setting: &Setting| settings.set(setting.0, &setting.1);
        let settings = self.set.iter().fold(Settings::new(), set);
        Ok(if self.ignore_unknown { settings.ignore_unknown() } else { settings })
    }
}
