//! Programs that are changed so that a device runs them: adapted to an older device, without 64-bit integers on a device that has none, and with traps on a device
//! without a feature.

use spirv::Capability;
use spirv_if::error::Missing;
use spirv_if::module::Version;
use spirv_if::specialize::{FeaturesToLower, Trap};
use spirv_if::{Device, Error, Module, Prepared, Settings};

use super::commands::{CommandState, settings};
use super::machine::Machine;
use super::oracles::{Reference, Search, SearchResult};
use super::program::Feature;
use super::refusals::{is_of, is_unreported};
use crate::drivers::masked::{older, without};
use crate::drivers::routes::declared;
use crate::random::Random;

impl Search<'_> {
    /// Adapts a module to the device with an older version of SPIR-V and without extensions.
    pub fn adapted(&mut self, device: &Device, random: &mut Random, right: &Reference) -> SearchResult<()> {
        let module = Module::from_words(&right.words[..]).map_err(|error| error.to_string())?;
        let newest = random.below(1 + usize::from(module.version().minor)) as u8;
        self.step(
            "adapt",
            &format!("specialize --adapt on the device with at most SPIR-V 1.{newest} and no extensions"),
        );
        let settings = settings(&right.values, false).adapt(true);
        let state = match specialized(&module, &older(device, newest), &settings)? {
            Ok(state) => state,
            Err(missing) => {
                let is_rejected = |missing: &Missing| match missing {
                    Missing::Version(_) | Missing::Extension(_) => true,
                    missing => !missing.extensions().is_empty() || is_unreported(missing, device),
                };
                return self.refused_if(missing.iter().all(is_rejected));
            }
        };
        if Version::from_word(state.words[1]).minor > newest {
            return Err(format!("the version is newer than 1.{newest}"));
        }
        self.same("adapt", &state, right)
    }

    /// Lowers 64-bit integers of a shader, or doubles of a kernel, for the device without them.
    pub fn lowered(&mut self, device: &Device, right: &Reference) -> SearchResult<()> {
        let capabilities = declared(&right.words);
        let has = |capability: Capability| capabilities.contains(&(capability as u32));
        let lacked = if has(Capability::Shader) { Capability::Int64 } else { Capability::Float64 };
        if !has(lacked) {
            return Ok(());
        }
        self.step("lower", &format!("specialize --lower on the device without {lacked:?}"));
        let module = Module::from_words(&right.words[..]).map_err(|error| error.to_string())?;
        let settings = settings(&right.values, false).lower(FeaturesToLower::Missing);
        let device = without(device, &[lacked]);
        match specialized(&module, &device, &settings) {
            Ok(Ok(state)) => {
                if declared(&state.words).contains(&(lacked as u32)) {
                    return Err(format!("{lacked:?} is declared on a device without it"));
                }
                self.same("lower", &state, right)
            }
            Ok(Err(missing)) => {
                self.refused_if(missing.iter().all(|missing| is_unreported(missing, &device)))
            }
            Err(error) => {
                println!("{error}");
                let reasons = ["floats of 64 bits", "values of 64 bits", "the type of its result"];
                match reasons.iter().any(|reason| error.contains(reason)) {
                    true => self.refused_if(true),
                    false => Err(error),
                }
            }
        }
    }

    /// Replaces the code of each optional feature by traps. Invocations that reach one have no result, and leave a mark behind the results.
    pub fn trapped(&mut self, device: &Device, right: &Reference) -> SearchResult<()> {
        let declared_before = declared(&right.words);
        let is_used = |feature: &&Feature| declared_before.contains(&(feature.capability() as u32));
        for feature in self.language.optional.iter().filter(is_used) {
            self.trapped_without(*feature, device, right)?;
        }
        Ok(())
    }

    /// Like [`Search::trapped`], for one feature.
    fn trapped_without(&mut self, feature: Feature, device: &Device, right: &Reference) -> SearchResult<()> {
        let (buffer, offset) = self.machine.mark();
        let trap = Trap::Store { buffer, offset };
        self.step("trap", &format!("specialize --trap {trap} on the device without {feature:?}"));
        let module = Module::from_words(&right.words[..]).map_err(|error| error.to_string())?;
        let settings = settings(&right.values, false).trap(trap);
        let state = match specialized(&module, &without(device, &[feature.capability()]), &settings)? {
            Ok(state) => state,
            Err(missing) => {
                let is_right = |missing: &Missing| is_of(missing, feature) || is_unreported(missing, device);
                return self.refused_if(missing.iter().all(is_right));
            }
        };
        if declared(&state.words).contains(&(feature.capability() as u32)) {
            return Err(format!("{feature:?} is declared on a device without it"));
        }
        let results = self.run(&state.words, &[])?;
        let mut expected = right.results.clone();
        if results.last() != right.results.last() {
            self.findings.trapped += 1;
            expected
                .iter_mut()
                .zip(&results)
                .filter(|(_, result)| **result == 0)
                .for_each(|(one, _)| *one = 0);
            expected.pop();
            expected.push(Machine::MARKED);
        }
        self.same("trap", &state, &Reference { results: expected, ..right.clone() })
    }
}

/// Returns the module for a device, or the features that are missing on it.
fn specialized(
    module: &Module,
    device: &Device,
    settings: &Settings,
) -> SearchResult<Result<CommandState, Vec<Missing>>> {
    match Prepared::new(module).and_then(|prepared| prepared.specialize(device, settings)) {
        Ok(result) => Ok(Ok(CommandState::plain(result.words))),
        Err(Error::Refused(refused)) => {
            println!("{refused}");
            Ok(Err(refused.missing))
        }
        Err(error) => Err(format!("an error: {error}")),
    }
}
