//! Changes with which a device runs a module that it does not run otherwise.

/// The changes by `spirv-if specialize` with which a device runs a module that it does not run otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DeviceRemedy {
    /// The module is adapted to the device: `--adapt`.
    Adapt,
    /// Traps replace blocks behind run-time branches: `--trap`.
    Trap,
    /// The module is adapted, and traps replace blocks: `--adapt --trap`.
    AdaptAndTrap,
}

impl DeviceRemedy {
    /// All remedies; those that change less come first.
    pub(crate) const ALL: [DeviceRemedy; 3] =
        [DeviceRemedy::Adapt, DeviceRemedy::Trap, DeviceRemedy::AdaptAndTrap];

    /// Returns the options of the program.
    pub fn options(self) -> &'static str {
        match self {
            DeviceRemedy::Adapt => "--adapt",
            DeviceRemedy::Trap => "--trap",
            DeviceRemedy::AdaptAndTrap => "--adapt --trap",
        }
    }

    /// Returns the command in backticks, without the name of the program.
    pub(crate) fn words(self) -> String {
        format!("`specialize {}`", self.options())
    }

    /// Returns the remedy that makes the changes of both.
    pub(crate) fn with(self, other: DeviceRemedy) -> DeviceRemedy {
        if self == other { self } else { DeviceRemedy::AdaptAndTrap }
    }

    /// True if the module is adapted.
    pub fn adapts(self) -> bool {
        self != DeviceRemedy::Trap
    }

    /// True if traps replace blocks.
    pub fn traps(self) -> bool {
        self != DeviceRemedy::Adapt
    }
}
