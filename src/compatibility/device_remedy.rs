//! Changes with which a device runs a module that it does not run otherwise.

use std::cmp::Ordering;

use crate::analysis::constants::SpecValue;
use crate::collections::sort_by_key;
use crate::transform::trap::DecidingValues;

/// The changes with which a device runs a module that it does not run otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceRemedy {
    /// The values of specialization constants, by SpecId.
    pub values: Vec<(u32, SpecValue)>,
    /// True if superfluous declarations are removed.
    pub trim: bool,
    /// True if the module is adapted to the device.
    pub adapt: bool,
    /// True if missing features of the device are lowered.
    pub lower: bool,
    /// True if traps replace blocks behind run-time branches.
    pub trap: bool,
}

impl DeviceRemedy {
    /// Returns the remedies that may help; remedies with fewer changes come first. `constants` have the values with
    /// which fewer blocks run that require missing features. `may_lower` is true if a missing feature can be lowered.
    #[doc(hidden)]
    pub fn candidates(constants: &DecidingValues, may_lower: bool) -> Vec<DeviceRemedy> {
        let none = DeviceRemedy::default();
        let trimmed = DeviceRemedy { trim: true, ..none.clone() };
        let adapted = DeviceRemedy { adapt: true, ..none.clone() };
        let lowered = DeviceRemedy { lower: true, ..none.clone() };
        let lowered = [lowered.clone(), DeviceRemedy { adapt: true, ..lowered }];
        let lowered = lowered.into_iter().filter(|_| may_lower);
        let trapped = DeviceRemedy { trap: true, ..none };
        let both = DeviceRemedy { adapt: true, ..trapped.clone() };
        let with_values =
            |remedy: &DeviceRemedy| DeviceRemedy { values: constants.values.clone(), ..remedy.clone() };
        let mut all = vec![trimmed.clone()];
        if constants.values.is_empty() {
            all.push(adapted);
            all.extend(lowered);
            all.extend([trapped, both]);
            return all;
        }
        if constants.is_complete {
            all.extend([with_values(&DeviceRemedy::default()), with_values(&trimmed)]);
        }
        all.push(adapted.clone());
        if constants.is_complete {
            all.push(with_values(&adapted));
        }
        all.extend(lowered);
        all.extend([with_values(&trapped), with_values(&both), trapped, both]);
        all
    }

    /// Returns the remedy that makes the changes of both; `None` if they set a constant to different values.
    #[doc(hidden)]
    pub fn with(mut self, other: &DeviceRemedy) -> Option<DeviceRemedy> {
        for &(spec_id, value) in &other.values {
            match self.values.iter().find(|known| known.0 == spec_id) {
                Some(known) if known.1 != value => return None,
                Some(_) => {}
                None => self.values.push((spec_id, value)),
            }
        }
        sort_by_key(&mut self.values, |value| value.0);
        self.trim |= other.trim;
        self.adapt |= other.adapt;
        self.lower |= other.lower;
        self.trap |= other.trap;
        Some(self)
    }
}

/// Remedies that change less come first.
impl Ord for DeviceRemedy {
    fn cmp(&self, other: &DeviceRemedy) -> Ordering {
        let key = |remedy: &DeviceRemedy| {
            let values: Vec<(u32, String)> =
                remedy.values.iter().map(|(spec_id, value)| (*spec_id, value.to_string())).collect();
            (remedy.trap, remedy.lower, remedy.adapt, values.len(), values, remedy.trim)
        };
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for DeviceRemedy {
    fn partial_cmp(&self, other: &DeviceRemedy) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
