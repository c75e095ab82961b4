//! IL of programs: which modules the layer replaces, and by what. The library decides it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use spirv_if::module::{Interface, declares_conditional_code, may_have_conditional_calls};
use spirv_if::specialize::{Compatibility, Specialized, UnsetPolicy};
use spirv_if::{Device, Error, Module, Prepared, Settings};
use spirv_if_layer_common::describe;

use crate::devices::Description;
use crate::messages::{Severity, send};
use crate::settings::LayerSettings;

/// The values that an application sets for specialization constants, by SpecId.
pub type ConstantValues = BTreeMap<u32, Vec<u8>>;

/// The IL of a program.
pub struct ProgramCode {
    /// The bytes of the application.
    pub il: Vec<u8>,
    prepared: Prepared<'static>,
    /// True if it is packed, or may have conditional calls: the driver must not get it as it is.
    is_conditional: bool,
    interface: Interface,
}

/// The code of a program for a device.
#[derive(Debug, PartialEq)]
pub struct DeviceCode {
    pub words: Vec<u32>,
    /// The kernels that are not in it.
    pub missing: Vec<MissingKernel>,
}

/// A kernel that is not in the code for a device.
#[derive(Clone, Debug, PartialEq)]
pub struct MissingKernel {
    pub name: String,
    /// The reason, as a clause about the device.
    pub reason: String,
}

/// The purpose of code for a device.
#[derive(Clone, Copy, PartialEq)]
pub enum Purpose {
    /// Building. Kernels that do not run are left out of a module with conditions, which the driver cannot get as it is.
    Build,
    /// Building once more, after the driver rejected the module. Kernels that do not run are left out of any module.
    BuildRest,
    /// Compiling, for a program that may use all of the module.
    Compile,
}

/// The answer to the question if the layer replaces IL.
pub enum Replacement {
    /// The driver gets it as it is.
    None,
    Code(Box<ProgramCode>),
    /// Reason why a packed module is malformed.
    Malformed(String),
}

impl Replacement {
    /// Decides it for the devices of a context.
    pub fn new(il: &[u8], devices: &[&Description], settings: &LayerSettings) -> Replacement {
        let words = words_of(il);
        let is_packed = declares_conditional_code(&words);
        let is_conditional = is_packed || may_have_conditional_calls(&words);
        let code = match ProgramCode::new(il, is_conditional) {
            Ok(code) => code,
            Err(error) if is_packed => return Replacement::Malformed(error.to_string()),
            Err(error) => {
                left_as_is(il.len(), &error, settings);
                return Replacement::None;
            }
        };
        let folds = settings.fold && !code.interface.spec_ids.is_empty();
        let results: Vec<_> = devices
            .iter()
            .map(|device| code.decided(device, &ConstantValues::new(), settings, Purpose::BuildRest))
            .collect();
        let stays = |result: &Result<(Specialized, DeviceCode), String>| match result {
            Ok((_, code)) => code.words == words && code.missing.is_empty(),
            Err(_) => true,
        };
        if is_conditional || folds || !results.iter().all(stays) {
            return Replacement::Code(Box::new(code));
        }
        results
            .iter()
            .filter_map(|result| result.as_ref().err())
            .for_each(|reason| left_as_is(il.len(), reason, settings));
        Replacement::None
    }
}

impl ProgramCode {
    fn new(il: &[u8], is_conditional: bool) -> Result<ProgramCode, Error> {
        let module = Module::from_words(Module::from_bytes(il)?.words().to_vec())?;
        let interface = Interface::new(&module);
        Ok(ProgramCode { il: il.to_vec(), prepared: Prepared::owning(module)?, is_conditional, interface })
    }

    /// Returns true if the module has a specialization constant.
    pub fn has_constant(&self, spec_id: u32) -> bool {
        self.interface.spec_ids.iter().any(|known| known.number() == spec_id)
    }

    /// Returns true if bytes are a value for a specialization constant.
    pub fn is_value(&self, spec_id: u32, bytes: &[u8]) -> bool {
        self.prepared.value_from_bytes(&spec_id.into(), bytes).is_ok()
    }

    /// Returns true if kernels can be left out for a device, and are not yet.
    pub fn has_rest(&self, device: &Description, values: &ConstantValues, settings: &LayerSettings) -> bool {
        let rest = || self.decided(device, values, settings, Purpose::BuildRest);
        !self.is_conditional && rest().is_ok_and(|(_, code)| !code.missing.is_empty())
    }

    /// Returns the code for a device. A module without conditions that does not run there stays as it is, with a warning.
    ///
    /// # Errors
    /// If a module with conditions does not run on the device, with the reason.
    pub fn on_device(
        &self,
        device: &Description,
        values: &ConstantValues,
        settings: &LayerSettings,
        purpose: Purpose,
    ) -> Result<DeviceCode, String> {
        match self.decided(device, values, settings, purpose) {
            Ok((result, code)) => {
                if self.is_conditional || self.words() != code.words {
                    report(&self.il, &result);
                }
                Ok(code)
            }
            Err(reason) if self.is_conditional => {
                let is_packed = declares_conditional_code(&self.words());
                let kind = if is_packed { "packed module" } else { "module with conditional calls" };
                Err(format!("refused a {kind} of {} bytes: {reason}", self.il.len()))
            }
            Err(reason) => {
                left_as_is(self.il.len(), &reason, settings);
                Ok(DeviceCode { words: self.words(), missing: Vec::new() })
            }
        }
    }

    /// Returns the words of the module.
    fn words(&self) -> Vec<u32> {
        words_of(&self.il)
    }

    /// Returns the result of the library, and the code.
    fn decided(
        &self,
        device: &Description,
        values: &ConstantValues,
        settings: &LayerSettings,
        purpose: Purpose,
    ) -> Result<(Specialized, DeviceCode), String> {
        let device = device.as_ref().map_err(Clone::clone)?;
        let result = self.specialize(device, values, settings, purpose).map_err(|error| error.to_string())?;
        let code = DeviceCode { missing: self.missing_kernels(device, &result), words: result.words.clone() };
        Ok((result, code))
    }

    fn specialize(
        &self,
        device: &Device,
        values: &ConstantValues,
        settings: &LayerSettings,
        purpose: Purpose,
    ) -> Result<Specialized, Error> {
        let set = |request: Settings, spec_id: u32| match values.get(&spec_id) {
            Some(bytes) => Ok(request.set(spec_id, self.prepared.value_from_bytes(&spec_id.into(), bytes)?)),
            None => Ok::<Settings, Error>(request),
        };
        let mut request = Settings::new()
            .adapt(settings.adapt)
            .trap(settings.trap.clone())
            .work_around(settings.work_around)
            .drop_unsupported(
                purpose == Purpose::BuildRest || purpose == Purpose::Build && self.is_conditional,
            )
            .unset(UnsetPolicy::Error);
        if settings.fold {
            request = values.keys().copied().try_fold(request, set)?;
        }
        let open = match self.prepared.specialize(device, &request) {
            Err(Error::Undecided(open)) => open,
            result => return result,
        };
        let open = open.constants.iter().map(|constant| constant.spec_id.number());
        let request = open.into_iter().try_fold(request.unset(UnsetPolicy::Default), set)?;
        self.prepared.specialize(device, &request)
    }

    /// Returns the kernels that a result does not have.
    fn missing_kernels(&self, device: &Device, result: &Specialized) -> Vec<MissingKernel> {
        let rest: BTreeSet<String> = kernels_in(&result.words);
        let names = self.interface.entry_points.iter().map(|entry_point| &entry_point.name);
        let missing = names.filter(|name| !rest.contains(*name)).map(|name| {
            let of_name = result.report.unsupported.iter().filter(|refused| refused.entry_point == *name);
            let missing: Vec<_> = of_name.map(|refused| refused.missing.clone()).collect();
            let reason = match missing.is_empty() {
                true => "its condition does not hold on the device".to_owned(),
                false => Compatibility { missing, unknown: Vec::new() }.explain(device),
            };
            MissingKernel { name: name.clone(), reason }
        });
        missing.collect()
    }
}

/// Returns the words of IL, in the byte order of the host.
fn words_of(il: &[u8]) -> Vec<u32> {
    if let Ok(module) = Module::from_bytes(il) {
        return module.words().to_vec();
    }
    let words = il.chunks_exact(size_of::<u32>());
    words.map(|word| u32::from_ne_bytes(word.try_into().unwrap_or_default())).collect()
}

/// Returns the names of the kernels of a module.
fn kernels_in(words: &[u32]) -> BTreeSet<String> {
    let interface = Module::from_words(words).map(|module| Interface::new(&module));
    interface
        .into_iter()
        .flat_map(|interface| interface.entry_points)
        .map(|entry_point| entry_point.name)
        .collect()
}

/// Returns the SpecIds of the specialization constants of a module.
pub fn spec_ids_in(words: &[u32]) -> BTreeSet<u32> {
    let interface = Module::from_words(words).map(|module| Interface::new(&module));
    interface.into_iter().flat_map(|interface| interface.spec_ids).map(|spec_id| spec_id.number()).collect()
}

/// Says that a module stays as it is. The driver may still run it, so this is a warning only where a change was asked for.
fn left_as_is(size: usize, reason: &dyn fmt::Display, settings: &LayerSettings) {
    let asks = settings.adapt || settings.fold || settings.trap.is_some() || settings.work_around.is_some();
    let severity = if asks { Severity::Warning } else { Severity::Info };
    send(severity, format!("left a module of {size} bytes as it is: {reason}"));
}

/// Says what became of a module.
fn report(il: &[u8], result: &Specialized) {
    for (severity, message) in describe(il.len(), result) {
        send(severity, message);
    }
}
