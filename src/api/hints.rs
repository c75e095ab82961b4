//! Ways to resolve the error of a call, which each interface names in its own words.

use super::error::{Error, Missing, Refused, Undecided, UndecidedConstant};
use super::ids::SpecId;
use super::specialize::{DeviceRemedy, Prepared, Settings, SpecValue};
use crate::collections::sort;
use crate::device::Device;

/// A way to resolve the error of [`Prepared::specialize`].
///
/// ```
/// use spirv_if::error::{Hint, HintWords};
/// use spirv_if::{Device, Module, Prepared, Settings};
/// let bytes = std::fs::read("fixtures/traps/helper-O2.spv")?; // computes with doubles in one case of a switch
/// let module = Module::from_bytes(&bytes)?;
/// let prepared = Prepared::new(&module)?;
/// let device = Device::embedded("intel_gpu_acm_g10")?;
/// let error = prepared.specialize(&device, &Settings::new()).unwrap_err();
/// let hints = prepared.hints(&error, &[&device], &Settings::new());
/// let words = HintWords { lower: "the setting lower", ..HintWords::default() };
/// assert!(error.with_hints(&hints, &words).ends_with("; with the setting lower, which computes the same without what the device lacks, it runs"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// The device runs the result with these changes.
    Change(DeviceRemedy),
    /// Nothing in the result requires these declarations, which trimming removes.
    Trim(Vec<Missing>),
    /// The driver may accept these extensions, although it does not list them.
    AddExtensions(Vec<String>),
    /// The host can make the decision with this name.
    Decide(String),
    /// The constant can be set.
    Set(SpecId),
    /// The property sets of the module say what its constants mean.
    AddProperties,
    /// A device can be named.
    NameDevice,
    /// A description of the device would decide more.
    DescribeDevice,
    /// Code can stay conditional.
    KeepUndecided,
}

/// The names that an interface has for its settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HintWords {
    /// The setting that adapts a module to a device.
    pub adapt: &'static str,
    /// The setting that lowers missing features of a device.
    pub lower: &'static str,
    /// The setting that puts traps in place of blocks.
    pub trap: &'static str,
    /// The setting that trims a result.
    pub trim: &'static str,
    /// The part of the description of a device for its extensions.
    pub extensions: &'static str,
    /// The way to set a constant, with `{}` for its SpecId.
    pub set: &'static str,
    /// The way to set a constant to a value, with `{}` for its SpecId and `{value}` for the value.
    pub set_value: &'static str,
    /// The text between settings.
    pub and: &'static str,
    /// The way to set a decision of the host, with `{}` for its name.
    pub decide: &'static str,
    /// The way to give the property sets of a module.
    pub properties: &'static str,
    /// The ways to name a device.
    pub device: &'static str,
    /// The way to describe a device further.
    pub describe: &'static str,
    /// The setting that keeps code conditional.
    pub keep_undecided: &'static str,
}

/// The names in Rust.
impl Default for HintWords {
    fn default() -> HintWords {
        HintWords {
            adapt: "Settings::adapt",
            lower: "Settings::lower(FeaturesToLower::Missing)",
            trap: "Settings::trap",
            trim: "Settings::trim",
            extensions: "the extensions",
            set_value: "Settings::set({}, {value})",
            and: " and ",
            set: "Settings::set({}, true) or Settings::set({}, false)",
            decide: "Settings::set(\"{}\", true) or with false",
            properties: "Module::with_properties",
            device: "Device::embedded or Device::from_vulkan_enabled",
            describe: "DeviceParts",
            keep_undecided: "Settings::unset(UnsetPolicy::Keep)",
        }
    }
}

impl Hint {
    /// Returns the ways to resolve an error. `remedy` has the changes with which the device runs the result.
    pub fn for_error(error: &Error, remedy: Option<DeviceRemedy>) -> Vec<Hint> {
        match error {
            Error::Refused(refused) => for_refusal(refused, remedy),
            Error::Undecided(undecided) => for_undecided(undecided),
            _ => Vec::new(),
        }
    }

    /// Returns the hint as a clause, with the names that an interface has for its settings.
    pub fn to_text(&self, words: &HintWords) -> String {
        match self {
            Hint::Change(remedy) => {
                let DeviceRemedy { values, trim, adapt, lower, trap, .. } = remedy;
                let value = |(spec_id, value): &(u32, SpecValue)| {
                    let text = words.set_value.replace("{}", &spec_id.to_string());
                    text.replace("{value}", &value.to_string())
                };
                let mut names: Vec<String> = values.iter().map(value).collect();
                let flags =
                    [(trim, words.trim), (adapt, words.adapt), (lower, words.lower), (trap, words.trap)];
                names.extend(flags.iter().filter(|flag| *flag.0).map(|flag| flag.1.to_owned()));
                let changes = match (trap, adapt, values.is_empty()) {
                    _ if *lower && !trap => "which computes the same without what the device lacks",
                    (true, ..) => "which replaces code behind run-time branches",
                    (false, true, true) => "which changes what the device rejects",
                    (false, _, false) => "which removes code that the device does not run",
                    (false, false, true) => "which removes superfluous declarations",
                };
                format!("with {}, {changes}, it runs", names.join(words.and))
            }
            Hint::Trim(missing) => {
                let listed: Vec<String> = missing.iter().map(ToString::to_string).collect();
                let (listed, trim) = (listed.join(", "), words.trim);
                format!("nothing in the result requires {listed}: {trim} removes superfluous declarations")
            }
            Hint::AddExtensions(names) => {
                let names = names.join(",");
                format!("if the driver accepts more than it lists, add {} {names}", words.extensions)
            }
            Hint::Decide(name) => {
                format!("set what the host decides with {}", words.decide.replace("{}", name))
            }
            Hint::Set(spec_id) => {
                format!("set it with {}", words.set.replace("{}", &spec_id.to_string()))
            }
            Hint::AddProperties => format!("name the file of its properties with {}", words.properties),
            Hint::NameDevice => format!("give a device with {}", words.device),
            Hint::DescribeDevice => format!("describe the device further, as with {}", words.describe),
            Hint::KeepUndecided => format!("keep it conditional with {}", words.keep_undecided),
        }
    }
}

impl Error {
    /// Returns the message with ways to resolve the error.
    pub fn with_hints(&self, hints: &[Hint], words: &HintWords) -> String {
        let clauses: Vec<String> = hints.iter().map(|hint| hint.to_text(words)).collect();
        match self {
            _ if clauses.is_empty() => self.to_string(),
            Error::Undecided(_) => format!("{self}; {}", clauses.join(", or ")),
            _ => format!("{self}; {}", clauses.join("; ")),
        }
    }
}

impl Prepared<'_> {
    /// Returns ways to resolve an error of specializing for devices of one [group](Prepared::groups) with these settings.
    pub fn hints(&self, error: &Error, devices: &[&Device], settings: &Settings) -> Vec<Hint> {
        let remedy = match error {
            Error::Refused(_) => self.remedy(devices, settings),
            _ => None,
        };
        let mut hints = Hint::for_error(error, remedy);
        // The constants of conditional calls exist once the module is packed.
        hints.retain(|hint| match hint {
            Hint::Set(spec_id) => self.with(|prepared| prepared.has_constant(*spec_id)),
            _ => true,
        });
        hints
    }
}

/// Returns the ways to resolve a refusal: changes of the module, and that drivers accept more than they list, where that is all.
fn for_refusal(refused: &Refused, remedy: Option<DeviceRemedy>) -> Vec<Hint> {
    let trims = remedy.as_ref().is_some_and(|remedy| remedy.trim || remedy.adapt);
    let mut hints: Vec<Hint> = remedy.map(Hint::Change).into_iter().collect();
    if !trims && !refused.superfluous.is_empty() {
        hints.push(Hint::Trim(refused.superfluous.clone()));
    }
    let mut names: Vec<String> = Vec::new();
    for missing in &refused.missing {
        let any = missing.extensions();
        if any.is_empty() {
            return hints;
        }
        if any.iter().all(|name| !names.contains(name)) {
            names.extend(any.into_iter().next());
        }
    }
    sort(&mut names);
    // An extension may be missing itself and also add a capability before it.
    names.dedup();
    if !names.is_empty() {
        hints.push(Hint::AddExtensions(names));
    }
    hints
}

/// Returns the ways to decide open conditions.
fn for_undecided(undecided: &Undecided) -> Vec<Hint> {
    let decision = |constant: &UndecidedConstant| constant.condition.as_ref()?.decision().map(str::to_owned);
    let decisions: Vec<String> = undecided.constants.iter().filter_map(decision).collect();
    let is_only_of_host =
        !decisions.is_empty() && decisions.len() == undecided.constants.len() && !undecided.others;
    let is_of_device = |constant: &UndecidedConstant| {
        constant.condition.as_ref().is_some_and(|condition| condition.decision().is_none())
    };
    let needs_device =
        undecided.without_device && (undecided.others || undecided.constants.iter().any(is_of_device));
    let mut hints: Vec<Hint> = needs_device.then_some(Hint::NameDevice).into_iter().collect();
    hints.extend(decisions.into_iter().map(Hint::Decide));
    let of_device = undecided.constants.iter().find(|constant| decision(constant).is_none());
    hints.extend(of_device.map(|constant| Hint::Set(constant.spec_id)));
    if undecided.constants.iter().any(|constant| constant.condition.is_none()) {
        hints.push(Hint::AddProperties);
    } else if !is_only_of_host && !undecided.without_device {
        hints.push(Hint::DescribeDevice);
    }
    hints.push(Hint::KeepUndecided);
    hints
}
