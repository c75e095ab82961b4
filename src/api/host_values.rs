//! Values of specialization constants: for drivers, and as resolved from settings in a module.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::error::Error;
use super::ids::{Id, SpecConstant, SpecId};
use super::specialize::{Prepared, PreparedModule, Settings, Specialized};
use crate::analysis::constants::folding::Scalar;
use crate::collections::gather;
use crate::device::Device;
use crate::loader::Module;
use crate::pipelines::{HostDecisions, PipelineError};
use crate::transform::specialize::{
    ConstantSetting, KeyedSetting, assigned_values, host_settings, host_values, overridden, refuse_unknown,
    resolve_settings,
};

/// The values of the specialization constants that a result still has, in the form of VkSpecializationInfo.
///
/// ```
/// use spirv_if::{Device, Module, Prepared, Settings};
/// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
/// let module = Module::from_bytes(&bytes)?;
/// let prepared = Prepared::new(&module)?;
/// // Two constants decide, and a driver sets the others.
/// let settings = Settings::new().set(0, false).set(1, true);
/// let result = prepared.specialize(&Device::default(), &settings)?;
/// let values = prepared.host_values(&result, &settings.set(2, 0).set(10, 32))?;
/// assert_eq!(values.entries.iter().map(|entry| entry.constant_id.number()).collect::<Vec<_>>(), [2, 10]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HostValues {
    /// The constants by SpecId, each with the place of its value: VkSpecializationMapEntry.
    pub entries: Vec<HostValue>,
    /// The values, in the host's byte order. A Boolean has four bytes.
    pub data: Vec<u8>,
}

/// The place of the value of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct HostValue {
    /// The constant.
    pub constant_id: SpecId,
    /// The offset of its value in the data, in bytes: a multiple of its size.
    pub offset: u32,
    /// The size of its value, in bytes.
    pub size: usize,
}

/// The value that a setting gives a constant or a decision of the host.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct AssignedValue {
    /// The constant by its SpecId, or the decision as `host(NAME)`.
    pub constant: SpecConstant,
    /// The result id of the constant; `None` for a decision.
    pub id: Option<Id>,
    /// The bits of the value in the type of the constant; `None` if the setting leaves the constant unchanged.
    pub bits: Option<u64>,
}

impl Prepared<'_> {
    /// Finds, for each of some settings in their order, everything that it sets in this module, sorted.
    ///
    /// A setting for a constant that the module does not have sets nothing. Two settings are for one constant if they have a constant in
    /// common here: a name and a SpecId can mean the same.
    ///
    /// ```
    /// use spirv_if::{Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let settings = Settings::new().set(0, true).set("use_half", 1).set(77, 0);
    /// let [by_id, by_name, unknown] = &Prepared::new(&module)?.assigned(&settings)?[..] else { unreachable!() };
    /// assert_eq!((&by_id[0].constant, by_id[0].bits), (&0.into(), Some(1)));
    /// assert!(by_id == by_name && unknown.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Request`] for a value that does not fit its constant.
    pub fn assigned(&self, settings: &Settings) -> Result<Vec<Vec<AssignedValue>>, Error> {
        self.with(|prepared| prepared.assigned(settings))
    }

    /// Returns the values from settings for the constants that a result still has, to pass them to a driver with it.
    ///
    /// Excludes constants that became ordinary constants in the result, or were removed from it.
    ///
    /// # Errors
    /// [`Error::Request`] for a value that does not fit its constant, and for a constant that the module never had, unless
    /// [`Settings::ignore_unknown`] allows it.
    pub fn host_values(&self, result: &Specialized, values: &Settings) -> Result<HostValues, Error> {
        self.with(|prepared| prepared.host_values(Module::before_functions(&result.words), values))
    }

    /// Like [`Prepared::host_values`] for the result of [`Prepared::specialize`] for a device and settings, which a program found in a cache. No
    /// module is written for it.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared, Settings};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// let (device, settings) = (Device::default(), Settings::new().set(0, false).set(1, true));
    /// let values = settings.clone().set(2, 0).set(10, 32);
    /// let on_hit = prepared.host_values_for(&device, &settings, &values)?;
    /// assert_eq!(on_hit, prepared.host_values(&prepared.specialize(&device, &settings)?, &values)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Prepared::specialize`] and [`Prepared::host_values`].
    pub fn host_values_for(
        &self,
        device: &Device,
        settings: &Settings,
        values: &Settings,
    ) -> Result<HostValues, Error> {
        self.with(|prepared| {
            let result = prepared.result(&[device], settings)?;
            prepared.host_values(result.words.before_functions(), values)
        })
    }

    /// Returns settings that set the specialization constants as a driver does by VkSpecializationInfo. `value` returns the bytes of the value
    /// of a constant, in the host's byte order: as many as its type has, four for a Boolean. Constants without bytes get their default.
    ///
    /// A constant stays as it is if its value has another size, or if several constants have its SpecId and no common type.
    ///
    /// ```
    /// use spirv_if::{Device, Module, Prepared};
    /// let bytes = std::fs::read("fixtures/spec/precision.spv")?;
    /// let module = Module::from_bytes(&bytes)?;
    /// let prepared = Prepared::new(&module)?;
    /// let on = 1u32.to_ne_bytes();
    /// let settings = prepared.host_settings(|spec_id| (spec_id.number() == 0).then_some(&on));
    /// let result = prepared.specialize(&Device::default(), &settings)?;
    /// assert_eq!(prepared.host_values(&result, &settings)?.entries, []);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn host_settings<'v>(&self, value: impl Fn(SpecId) -> Option<&'v [u8]>) -> Settings {
        let set = self.with(|prepared| host_settings(&prepared.analyses, &|spec_id| value(SpecId(spec_id))));
        let mut settings = Settings::new();
        settings.request.set = set;
        settings
    }
}

impl PreparedModule<'_> {
    fn assigned(&self, settings: &Settings) -> Result<Vec<Vec<AssignedValue>>, Error> {
        let by_setting = |setting| -> Result<Vec<AssignedValue>, PipelineError> {
            let alone = std::slice::from_ref(setting);
            let host = HostDecisions::find(&self.analyses, &self.properties.sets, alone)?;
            let decisions = host.iter().flat_map(|host| &host.decisions);
            let decisions = decisions.map(|(name, value)| AssignedValue {
                constant: format!("host({name})").into(),
                id: None,
                bits: Some((*value).into()),
            });
            let mut all: BTreeSet<AssignedValue> = gather(decisions);
            if let Some(computed) = overridden(&self.analyses, setting) {
                all.insert(AssignedValue {
                    constant: SpecConstant { key: setting.constant.clone() },
                    id: computed.result_id().map(Id),
                    bits: match setting.treatment {
                        ConstantSetting::Set(value) => value.bits(Scalar::Bool),
                        _ => None,
                    },
                });
            }
            for setting in host.as_ref().map_or(alone, |host| &host.settings) {
                let constants = assigned_values(&self.analyses, setting)?.into_iter();
                all.extend(constants.map(|(spec_id, id, bits)| AssignedValue {
                    constant: spec_id.into(),
                    id: Some(Id(id)),
                    bits,
                }));
            }
            Ok(all.into_iter().collect())
        };
        Ok(settings.request.set.iter().map(by_setting).collect::<Result<_, _>>()?)
    }

    fn host_values<'w>(
        &self,
        head: impl Into<Cow<'w, [u32]>>,
        values: &Settings,
    ) -> Result<HostValues, Error> {
        let is_of_constant = |setting: &&KeyedSetting| overridden(&self.analyses, setting).is_none();
        let set: Vec<KeyedSetting> = values.request.set.iter().filter(is_of_constant).cloned().collect();
        let set = &set;
        let host = HostDecisions::find(&self.analyses, &self.properties.sets, set)?;
        let set = host.as_ref().map_or(set, |host| &host.settings);
        let resolved = resolve_settings(&self.analyses, set).map_err(PipelineError::from)?;
        if !values.request.ignore_unknown {
            refuse_unknown(&self.module.inner, &resolved.unknown).map_err(PipelineError::from)?;
        }
        let head = Module::from_words(head)?;
        let remaining: BTreeSet<u32> = head.spec_ids().map(|decorated| decorated.spec_id()).collect();
        let mut info = HostValues::default();
        for (spec_id, bytes) in host_values(&self.module.inner, &resolved) {
            if remaining.contains(&spec_id) {
                info.data.resize(info.data.len().next_multiple_of(bytes.len()), 0);
                let offset = info.data.len() as u32;
                info.entries.push(HostValue { constant_id: SpecId(spec_id), offset, size: bytes.len() });
                info.data.extend(bytes);
            }
        }
        Ok(info)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::test_support::{assemble, program};

    #[test]
    fn values_have_the_size_of_their_constants() {
        let text = "OpCapability Int8\nOpCapability Int64\nOpCapability Float16\nOpDecorate %a SpecId 5\nOpDecorate %b SpecId 4\n\
            OpDecorate %c SpecId 3\nOpDecorate %d SpecId 2\nOpDecorate %e SpecId 1\nOpName %e \"e\"\n%a = OpSpecConstantTrue %bool\n\
            %b = OpSpecConstant %char 1\n%c = OpSpecConstant %long 1\n%d = OpSpecConstant %half 1\n%e = OpSpecConstant %int 1\n\
            FN %main\n%x = OpSelect %int %a %e %e\nEND";
        let words = assemble(&program::expand(text), "spv1.6");
        let module = crate::Module::from_words(words).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let as_is = prepared.specialize(&crate::Device::default(), &Settings::new().leave(1)).unwrap();
        let values = Settings::new().set(5, true).set(4, -1).set(3, 1u64 << 40).set(2, 1.0).set("e", -2);
        let info = prepared.host_values(&as_is, &values).unwrap();
        let placed = |entry: &HostValue| {
            (entry.constant_id.0, info.data[entry.offset as usize..][..entry.size].to_vec())
        };
        let expected = [
            (1, (-2i32).to_ne_bytes().to_vec()),
            (2, 0x3c00u16.to_ne_bytes().to_vec()),
            (3, (1u64 << 40).to_ne_bytes().to_vec()),
            (4, vec![0xff]),
            (5, 1u32.to_ne_bytes().to_vec()),
        ];
        assert_eq!(info.entries.iter().map(placed).collect::<Vec<_>>(), expected);
        assert!(info.entries.iter().all(|entry| (entry.offset as usize).is_multiple_of(entry.size)));
        // The driver does not set constants that are ordinary ones in the result.
        let set =
            prepared.specialize(&crate::Device::default(), &Settings::new().set(1, 7).set(3, 8)).unwrap();
        let info = prepared.host_values(&set, &values).unwrap();
        assert_eq!(info.entries.iter().map(|entry| entry.constant_id.0).collect::<Vec<_>>(), [2, 4, 5]);
        let unknown = Settings::new().set(77, 1);
        assert!(matches!(prepared.host_values(&set, &unknown), Err(Error::Request(_))));
        assert_eq!(prepared.host_values(&set, &unknown.ignore_unknown(true)).unwrap(), HostValues::default());
        assert!(matches!(prepared.host_values(&set, &Settings::new().set(4, 300)), Err(Error::Request(_))));
    }

    #[test]
    fn bytes_of_a_host_set_constants_by_their_type() {
        let text = "OpCapability Int8\nOpCapability Int64\nOpCapability Float16\nOpDecorate %a SpecId 5\nOpDecorate %b SpecId 4\n\
            OpDecorate %c SpecId 3\nOpDecorate %d SpecId 2\nOpDecorate %e SpecId 1\nOpDecorate %f SpecId 1\nOpDecorate %g SpecId 0\n\
            %a = OpSpecConstantTrue %bool\n%b = OpSpecConstant %char 1\n%c = OpSpecConstant %long 9\n%d = OpSpecConstant %half 1\n\
            %e = OpSpecConstant %int 1\n%f = OpSpecConstant %long 2\n%g = OpSpecConstant %int 8\nFN %main\nEND";
        let module = crate::Module::from_words(assemble(&program::expand(text), "spv1.6")).unwrap();
        let prepared = Prepared::new(&module).unwrap();
        let values = [(5, vec![0, 1, 0, 0]), (4, vec![0xff]), (2, vec![0, 0, 0, 0]), (1, vec![0, 0, 0, 7])];
        let value = |spec_id: SpecId| {
            values.iter().find(|(given, _)| *given == spec_id.0).map(|(_, bytes)| bytes.as_slice())
        };
        let assigned = prepared.assigned(&prepared.host_settings(value)).unwrap().concat();
        let bits: Vec<_> = assigned.iter().map(|one| (one.constant.spec_id().unwrap().0, one.bits)).collect();
        // The value of SpecId 2 has four bytes, and the constants with SpecId 1 have several types.
        let left = [(1, None), (1, None), (2, None)];
        let expected = [&[(0, Some(8))][..], &left, &[(3, Some(9)), (4, Some(0xff)), (5, Some(1))]].concat();
        assert_eq!(bits, expected);
    }
}
