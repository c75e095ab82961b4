//! A case of trimming, and its module.

use crate::common::program::expand;

/// A module that declares more than it requires, or just as much.
pub struct TrimCase {
    pub name: String,
    /// The environment for the tools; the version of the module follows from it.
    pub environment: &'static str,
    /// The capabilities, then the extensions that are declared.
    pub declares: String,
    /// The rest of the module, in the short text of [`expand`].
    pub code: String,
    /// Declarations of `declares` that `trim` keeps.
    pub remains: String,
    /// True if spirv-opt removes more, and its result is not valid.
    pub spirv_opt_errs: bool,
}

/// A case in which spirv-opt is right.
pub fn case(
    name: &str,
    environment: &'static str,
    declares: &str,
    code: impl Into<String>,
    remains: &str,
) -> TrimCase {
    let (declares, remains, code) = (declares.to_owned(), remains.to_owned(), code.into());
    TrimCase { name: name.to_owned(), environment, declares, code, remains, spirv_opt_errs: false }
}

impl TrimCase {
    /// Marks a case whose result of spirv-opt is not valid, since it removes more.
    pub fn spirv_opt_errs(mut self) -> TrimCase {
        self.spirv_opt_errs = true;
        self
    }

    /// Returns the declarations of the module, in its order.
    pub fn declared(&self) -> Vec<&str> {
        self.declares.split_whitespace().collect()
    }

    /// The module, for spirv-as.
    pub fn text(&self) -> String {
        let declared = self.declared().into_iter().map(|name| match name.starts_with("SPV_") {
            true => format!("OpExtension \"{name}\"\n"),
            false => format!("OpCapability {name}\n"),
        });
        // A module in short text has this one without saying so.
        let code = expand(&self.code).replacen("OpCapability Shader\n", "", 1);
        declared.collect::<String>() + &code
    }
}
