//! The answer of an inspection: the number of devices that run a module, the number that each remedy adds, and the reasons of the others.

use std::cmp::Reverse;
use std::fmt;

use serde::Serialize;
use spirv::Capability;

use super::devices::RootResult;
use super::lowering_cost::LoweringCost;
use super::remedy::Remedy;
use spirv_if::engine::collections::{OrderedMap, sort_by_key};
use spirv_if::error::Missing;
use spirv_if::specialize::{DeviceRemedy, Verdict};

/// Limit on the reasons that a sentence names.
const MAX_REASONS: usize = 3;

/// The number of devices that run a module or an entry point. Each device is counted once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Answer {
    /// The answer in sentences.
    pub text: String,
    /// The number of devices.
    pub devices: usize,
    /// The number of conditional calls that nothing decided; 0 in a packed module. The unchanged module makes all of
    /// them.
    #[serde(skip_serializing_if = "is_none")]
    pub undecided_calls: usize,
    /// The number of devices that run the unchanged module.
    pub run: usize,
    /// The numbers of further devices that run it after a command.
    pub gains: Vec<RemedyGain>,
    /// The reasons of the other devices, the most frequent first.
    pub do_not_run: Vec<DeviceReason>,
    /// The features that devices may or may not have, the most frequent first.
    pub not_known: Vec<DeviceReason>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The number of devices that run a module after a command, and not before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct RemedyGain {
    /// The command in backticks, without the name of the program, and its cost.
    pub remedy: String,
    /// The number of devices.
    pub devices: usize,
    /// The costs of the features that it lowers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lowered: Vec<LoweringCost>,
}

/// The number of devices for which a feature decides.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct DeviceReason {
    /// Name of the first missing feature; absent for devices that take no modules of this kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The words for the feature after the number of devices, such as "lack Float64".
    pub reason: String,
    /// The number of devices.
    pub devices: usize,
}

/// The result of a device for a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeviceOutcome<'r> {
    /// The device takes no modules of this kind.
    OtherKind,
    /// The device is not known to have a feature.
    NotRun {
        /// The verdict.
        verdict: Verdict,
        /// The feature.
        missing: &'r Missing,
    },
    /// The device runs the module after a remedy, with the costs of features that it lowers.
    AfterRemedy(Remedy, &'r [LoweringCost]),
    /// The device runs the unchanged module.
    Runs,
}

impl<'r> DeviceOutcome<'r> {
    /// Joins the results of a device for several entry points: the device runs the module if it runs all of them.
    /// `remedy` is the remedy of the module.
    pub fn of_all(
        results: impl Iterator<Item = RootResult<'r>> + Clone,
        remedy: &Remedy,
    ) -> DeviceOutcome<'r> {
        let after_remedy = || DeviceOutcome::AfterRemedy(remedy.clone(), &[]);
        let after =
            results.clone().filter(|result| result.specialize.is_none()).map(|result| result.after_pack);
        let worst =
            after.clone().find_map(|after| after.missing.first().map(|first| (Verdict::DoesNotRun, first)));
        let worst = worst.or_else(|| {
            after.clone().find_map(|after| after.unknown.first().map(|first| (Verdict::NotKnown, first)))
        });
        if let Some((verdict, missing)) = worst {
            return DeviceOutcome::NotRun { verdict, missing };
        }
        let mut remedies = results.clone().filter_map(|result| result.specialize);
        match remedies.next().cloned() {
            Some(first) => match remedies.try_fold(first, DeviceRemedy::with) {
                Some(changes) => {
                    // Entry points share the lowered module.
                    let mut lowering = results.filter(|_| changes.lower).map(|result| result.lowering);
                    let lowering = lowering.next().unwrap_or_default();
                    DeviceOutcome::AfterRemedy(Remedy::Specialize(changes), lowering)
                }
                // Entry points need different values of one constant.
                None => {
                    let mut missing = results.flat_map(|result| &result.after_pack.missing);
                    missing.next().map_or_else(after_remedy, |missing| DeviceOutcome::NotRun {
                        verdict: Verdict::DoesNotRun,
                        missing,
                    })
                }
            },
            None if results.clone().all(|result| result.as_is.runs()) => DeviceOutcome::Runs,
            None => after_remedy(),
        }
    }
}

impl Answer {
    /// Counts the results of devices. `kind` is the capability that all modules of this kind have.
    pub(super) fn new(outcomes: &[DeviceOutcome], kind: Option<u32>, undecided_calls: usize) -> Answer {
        let count = |outcome: &DeviceOutcome| outcomes.iter().filter(|other| *other == outcome).count();
        let mut do_not_run = reasons(outcomes, Verdict::DoesNotRun);
        let others = count(&DeviceOutcome::OtherKind);
        if others > 0 {
            let reason = takes_none(kind).to_owned();
            do_not_run.insert(0, DeviceReason { missing: None, reason, devices: others });
        }
        sort_by_key(&mut do_not_run, |reason| Reverse(reason.devices));
        let mut answer = Answer {
            text: String::new(),
            devices: outcomes.len(),
            undecided_calls,
            run: count(&DeviceOutcome::Runs),
            gains: gains(outcomes),
            do_not_run,
            not_known: reasons(outcomes, Verdict::NotKnown),
        };
        answer.text = answer.to_string();
        answer
    }
}

/// The remedy of devices for which different constants are set.
const SET_BY_DEVICE: &str = "`specialize --set` with values that differ by device";

/// Counts the devices by their remedies and what these lower, those that change less first. Where many set constants, these are counted together.
fn gains(outcomes: &[DeviceOutcome]) -> Vec<RemedyGain> {
    let mut counts: OrderedMap<&Remedy, Vec<(&[LoweringCost], usize)>> = OrderedMap::new();
    for outcome in outcomes {
        if let DeviceOutcome::AfterRemedy(remedy, lowering) = outcome {
            let counts = counts.entry(remedy).or_default();
            match counts.iter_mut().find(|(known, _)| known == lowering) {
                Some((_, devices)) => *devices += 1,
                None => counts.push((lowering, 1)),
            }
        }
    }
    let is_together = counts.keys().filter(|remedy| remedy.sets()).count() > MAX_REASONS;
    let mut gains: Vec<RemedyGain> = Vec::new();
    let counts =
        counts.into_iter().flat_map(|(remedy, all)| all.into_iter().map(move |count| (remedy, count)));
    for (remedy, (lowering, devices)) in counts {
        let (remedy, lowered) = match is_together && remedy.sets() {
            true => (SET_BY_DEVICE.to_owned(), Vec::new()),
            false => (remedy.words(), lowering.to_vec()),
        };
        match gains.iter_mut().find(|gain| gain.remedy == remedy && gain.lowered == lowered) {
            Some(gain) => gain.devices += devices,
            None => gains.push(RemedyGain { remedy, devices, lowered }),
        }
    }
    gains
}

/// Returns the words for devices that take no modules of a kind, which is the capability that all of these have.
pub(super) fn takes_none(kind: Option<u32>) -> &'static str {
    if kind == Some(Capability::Shader as u32) { "take no shaders" } else { "take no kernels" }
}

/// Returns the words for devices that do not have a feature.
fn lack(missing: &Missing) -> String {
    match missing {
        Missing::FixedTargets(targets) if !targets.is_empty() => format!("are not {}", targets.join(" or ")),
        Missing::Condition(condition) => format!("do not meet the condition '{condition}'"),
        _ => format!("lack {}", missing.name()),
    }
}

/// Returns the words for devices that have a feature.
fn have(missing: &Missing) -> String {
    match missing {
        Missing::FixedTargets(targets) if !targets.is_empty() => format!("are {}", targets.join(" or ")),
        Missing::Condition(condition) => format!("meet the condition '{condition}'"),
        _ => format!("have {}", missing.name()),
    }
}

/// Counts the features of a verdict, the most frequent first.
fn reasons(outcomes: &[DeviceOutcome], counted: Verdict) -> Vec<DeviceReason> {
    let mut features: Vec<(&Missing, usize)> = Vec::new();
    for outcome in outcomes {
        let DeviceOutcome::NotRun { verdict, missing } = outcome else { continue };
        if *verdict != counted {
            continue;
        }
        match features.iter_mut().find(|(known, _)| known == missing) {
            Some((_, devices)) => *devices += 1,
            None => features.push((missing, 1)),
        }
    }
    let mut reasons: Vec<DeviceReason> = Vec::new();
    for (feature, devices) in features {
        let missing = Some(feature.name());
        let reason = if counted == Verdict::DoesNotRun { lack(feature) } else { have(feature) };
        // Features that differ only in what the devices have instead have one name.
        match reasons.iter_mut().find(|known| known.missing == missing) {
            Some(known) => known.devices += devices,
            None => reasons.push(DeviceReason { missing, reason, devices }),
        }
    }
    sort_by_key(&mut reasons, |reason| Reverse(reason.devices));
    reasons
}

/// Writes the sentences.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.undecided_calls {
            0 => {}
            1 => f.write_str("1 conditional call is undecided: as it is, every device makes it. ")?,
            calls => write!(
                f,
                "{calls} conditional calls are undecided: as it is, every device makes all of them. "
            )?,
        }
        let all = self.devices;
        match (self.run, all) {
            (_, 0) => f.write_str("No devices were compared.")?,
            (run, 1) => write!(f, "{run} of 1 device runs it.")?,
            (run, _) if run == all => write!(f, "All {all} devices run it.")?,
            (0, _) => write!(f, "None of {all} devices runs it.")?,
            (1, _) => write!(f, "1 of {all} devices runs it.")?,
            (run, _) => write!(f, "{run} of {all} devices run it.")?,
        }
        for RemedyGain { remedy, devices, lowered } in &self.gains {
            write!(f, " {devices} more after {remedy}")?;
            for (at, cost) in lowered.iter().enumerate() {
                write!(f, "{}{cost}", if at == 0 { " (" } else { "; " })?;
            }
            f.write_str(if lowered.is_empty() { "." } else { ")." })?;
        }
        match (&self.do_not_run[..], sum(&self.do_not_run)) {
            ([], _) => {}
            ([one], _) => write!(f, " {}.", counted(one.devices, &one.reason))?,
            (reasons, devices) => write!(f, " {devices} do not: {}.", listed(reasons, "lack"))?,
        }
        match (&self.not_known[..], sum(&self.not_known)) {
            ([], _) => {}
            ([one], 1) => write!(f, " Not known of 1: nothing says if it {}.", in_singular(&one.reason))?,
            ([one], devices) => write!(f, " Not known of {devices}: nothing says if they {}.", one.reason)?,
            (reasons, devices) => {
                write!(f, " Not known of {devices}: nothing says if {}.", listed(reasons, "have"))?
            }
        }
        Ok(())
    }
}

/// Returns the number of devices with reasons.
fn sum(reasons: &[DeviceReason]) -> usize {
    reasons.iter().map(|reason| reason.devices).sum()
}

/// Returns the reasons for a sentence, each with its number of devices. The verb is that of the unnamed features.
fn listed(reasons: &[DeviceReason], verb: &str) -> String {
    let shown = if reasons.len() == MAX_REASONS + 1 { reasons.len() } else { MAX_REASONS };
    let mut texts: Vec<String> =
        reasons.iter().take(shown).map(|reason| counted(reason.devices, &reason.reason)).collect();
    if reasons.len() > shown {
        texts.push(counted(sum(&reasons[shown..]), &format!("{verb} other features")));
    }
    texts.join(", ")
}

/// Returns a number of devices with the words for them, which begin with a verb in the plural.
fn counted(devices: usize, words: &str) -> String {
    match devices {
        1 => format!("1 {}", in_singular(words)),
        _ => format!("{devices} {words}"),
    }
}

/// Returns words that begin with a verb in the plural with the verb in the singular.
pub(super) fn in_singular(words: &str) -> String {
    match words.split_once(' ') {
        Some(("have", rest)) => format!("has {rest}"),
        Some(("are", rest)) => format!("is {rest}"),
        Some(("do", rest)) => format!("does {rest}"),
        Some((verb, rest)) => format!("{verb}s {rest}"),
        None => words.to_owned(),
    }
}
