//! Trials of remedies on a module under inspection. Data that its devices share is found once.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use crate::inspection::{LoweringCost, LoweringObstacle, RemedyTrial, RemedyTrials};
use spirv_if::device::Device;
use spirv_if::engine::analysis::Analyses;
use spirv_if::engine::pipelines::{self, SpecializeRequest};
use spirv_if::engine::transform::lower::LowerError;
use spirv_if::engine::transform::trap::{DecidingValues, LackedFeatures, TrapAnalyses};
use spirv_if::module::Module;
use spirv_if::specialize::DeviceRemedy;
use spirv_if::specialize::FeaturesToLower;
use spirv_if::specialize::SpecValue;
use spirv_if::specialize::{Prepared, PreparedModule, Settings};

/// Trials of remedies on a module that is prepared for the first of them.
pub(super) struct PreparedTrials<'a, 't> {
    pub module: &'t Module<'t>,
    /// The analyses of the module.
    pub analyses: &'a Analyses<'t>,
    pub traps: Arc<TrapAnalyses>,
    pub prepared: OnceCell<Option<TrialModule<'t>>>,
}

/// A prepared module, with the results for devices so far.
pub(super) struct TrialModule<'t> {
    prepared: PreparedModule<'t>,
    /// True if nothing in the module is conditional.
    is_plain: bool,
    /// Values of constants, by the missing features of a device.
    values: RefCell<HashMap<LackedFeatures, DecidingValues>>,
    /// False if no trap helps, by the missing features of a device.
    may_trap: RefCell<HashMap<LackedFeatures, bool>>,
    /// A plain module with values of its constants, by these.
    with_values: RefCell<HashMap<AssignedValues, Option<Prepared<'static>>>>,
}

/// Values of constants, by SpecId.
type AssignedValues = Vec<(u32, SpecValue)>;

impl<'t> PreparedTrials<'_, 't> {
    fn prepared(&self) -> Option<&TrialModule<'t>> {
        self.prepared.get_or_init(|| self.prepare()).as_ref()
    }

    fn prepare(&self) -> Option<TrialModule<'t>> {
        let lowered = self.module.lowered().ok()?;
        let prepared = match std::ptr::eq(lowered, self.module) {
            true => {
                let analyses = self.analyses.with_annotations(Cow::Borrowed(&*lowered.annotated));
                PreparedModule::with_analyses(lowered, analyses, Arc::clone(&self.traps)).ok()?
            }
            false => PreparedModule::new(self.module).ok()?,
        };
        let is_plain = !prepared.analyses.is_annotated()
            && prepared.analyses.multi_target().ok()?.is_empty()
            && !pipelines::has_conditional_calls(&prepared.analyses).ok()?;
        let (values, may_trap, with_values) = Default::default();
        Some(TrialModule { prepared, is_plain, values, may_trap, with_values })
    }
}

impl TrialModule<'_> {
    /// Like [`RemedyTrials::trial`]. Where nothing is conditional and no properties count, devices share the module with the values of a remedy, to
    /// which further changes are made.
    fn trial(&self, device: &Device, remedy: &DeviceRemedy) -> Option<RemedyTrial> {
        if remedy.values.is_empty() || !self.is_plain || !self.prepared.properties.sets.sets.is_empty() {
            return trial(&self.prepared, device, remedy);
        }
        let mut with_values = self.with_values.borrow_mut();
        let module = with_values.entry(remedy.values.clone()).or_insert_with_key(|values| {
            let set = |settings: Settings, &(spec_id, value): &(u32, SpecValue)| settings.set(spec_id, value);
            let settings = values.iter().fold(Settings::new(), set);
            let module = self.prepared.specialize_in_segments(&[&Device::default()], &settings).ok()?;
            Prepared::owning(Module::from_words(module.into_specialized().words).ok()?).ok()
        });
        let mut remedy = remedy.clone();
        remedy.values.clear();
        module.as_ref()?.with(|prepared| trial(prepared, device, &remedy))
    }

    fn may_trap(&self, device: &Device) -> Option<bool> {
        let PreparedModule { analyses, traps, .. } = &self.prepared;
        let lacked = traps.lacked(analyses, device);
        if let Some(&known) = self.may_trap.borrow().get(&lacked) {
            return Some(known);
        }
        let may_trap = traps.may_trap(analyses, &lacked).ok()?;
        self.may_trap.borrow_mut().insert(lacked, may_trap);
        Some(may_trap)
    }
}

impl RemedyTrials for PreparedTrials<'_, '_> {
    fn values(&self, device: &Device) -> DecidingValues {
        let Some(TrialModule { prepared, values, .. }) = self.prepared() else {
            return DecidingValues::default();
        };
        let lacked = prepared.traps.lacked(&prepared.analyses, device);
        if let Some(known) = values.borrow().get(&lacked) {
            return known.clone();
        }
        #[cfg(test)]
        spirv_if::tally::note("values for devices", prepared.analyses.module(), &lacked);
        let found = prepared.values_without(&lacked, &SpecializeRequest::default());
        values.borrow_mut().insert(lacked, found.clone());
        found
    }

    fn trial(&self, device: &Device, remedy: &DeviceRemedy) -> Option<RemedyTrial> {
        let module = self.prepared()?;
        // Traps come before adaptation, and most modules have no place for one.
        if module.is_plain && remedy.trap && remedy.values.is_empty() && !module.may_trap(device)? {
            return None;
        }
        module.trial(device, remedy)
    }

    fn lowering_obstacle(&self, device: &Device) -> Option<LoweringObstacle> {
        let PreparedModule { analyses, properties, .. } = &self.prepared()?.prepared;
        let lower = Some(FeaturesToLower::Missing);
        let request = SpecializeRequest { lower, ..SpecializeRequest::default() };
        let error = pipelines::specialize_for(analyses, properties, &[device], &request).err()?;
        let LowerError { feature, place, reason, .. } = error.cause::<LowerError>()?.clone();
        Some(LoweringObstacle { feature, reason: format!("{place}: {reason}") })
    }
}

/// Specializes a module for a device with a remedy; `None` if the device is not known to run the entry points that it does not refuse.
fn trial(prepared: &PreparedModule, device: &Device, remedy: &DeviceRemedy) -> Option<RemedyTrial> {
    let result = prepared.result_with_remedy(&[device], &SpecializeRequest::default(), remedy)?;
    let refused = result.unsupported.into_iter().map(|refused| refused.entry_point);
    let lowering = result.lowered.iter().map(LoweringCost::new).collect();
    result.not_known.is_empty().then(|| RemedyTrial { refused: refused.collect(), lowering })
}
