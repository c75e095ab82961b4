//! The user's settings of specialization constants, and their values by the types of the constants.

use std::collections::BTreeSet;
use std::fmt;

use super::{SpecializeContext, SpecializeError};
use crate::analysis::Analyses;
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::folding::Scalar;
use crate::analysis::constants::{
    Constants, SetValues, SpecConstantDecl, SpecValue, find_spec_constants, sort_by_spec_id,
};
use crate::collections::IdMap;
use crate::loader::Module;

/// The name of specialization constants of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConstantKey {
    /// Constants with this SpecId.
    SpecId(u32),
    /// Constants with this OpName, which have one SpecId.
    Name(String),
}

/// The treatment of a specialization constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantSetting {
    /// The constant becomes an ordinary constant of this value.
    Set(SpecValue),
    /// The constant stays a specialization constant, with this value as its default.
    Default(SpecValue),
    /// The constant is unchanged on every device.
    Keep,
}

/// A treatment of specialization constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KeyedSetting {
    /// The constants.
    pub constant: ConstantKey,
    /// The treatment of the constants.
    pub treatment: ConstantSetting,
}

/// The settings that fit a module.
#[derive(Clone, Debug, Default)]
pub struct ResolvedSettings {
    /// The values by constant.
    pub values: SetValues,
    /// The constants that the module does not have.
    pub unknown: Vec<ConstantKey>,
}

impl KeyedSetting {
    /// Creates a setting that makes the constants with a SpecId ordinary ones.
    #[cfg(any(test, feature = "test-support"))]
    pub fn set(spec_id: u32, value: impl Into<SpecValue>) -> KeyedSetting {
        let constant = ConstantKey::SpecId(spec_id);
        KeyedSetting { constant, treatment: ConstantSetting::Set(value.into()) }
    }
}

impl fmt::Display for ConstantKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstantKey::SpecId(spec_id) => write!(f, "SpecId {spec_id}"),
            ConstantKey::Name(name) => write!(f, "the name `{name}`"),
        }
    }
}

/// Checks the values that are set for specialization constants.
pub fn check(context: &SpecializeContext, analyses: &Analyses) -> Result<(), SpecializeError> {
    let (all, by_spec_id) = (context.constants.spec_constants(), analyses.spec_constants());
    let exists =
        |spec_id: &u32| by_spec_id.binary_search_by_key(spec_id, |constant| constant.spec_id).is_ok();
    if let Some(spec_id) = context.constants.set_spec_ids().find(|spec_id| !exists(spec_id)) {
        return Err(unknown(context.module, &ConstantKey::SpecId(spec_id), all));
    }
    for spec_id in all {
        let Some(value) = context.constants.set_or_known(spec_id) else { continue };
        let scalar = scalar(context.module, spec_id.id);
        if scalar.is_none_or(|scalar| scalar.fit(value).is_none()) {
            return Err(unfit(context.module, spec_id, value.to_string()));
        }
    }
    Ok(())
}

/// Returns the values of settings, each converted to the type of each of its constants.
///
/// # Errors
/// If a value does not fit such a type, or a name is ambiguous.
pub fn resolve_settings(
    analyses: &Analyses,
    settings: &[KeyedSetting],
) -> Result<ResolvedSettings, SpecializeError> {
    if settings.is_empty() {
        return Ok(ResolvedSettings::default());
    }
    let mut resolved = ResolvedSettings { values: SetValues::with_room(settings.len()), unknown: Vec::new() };
    let (module, spec_ids) = (analyses.module(), analyses.spec_constants());
    for KeyedSetting { constant: key, treatment } in settings {
        let mut is_known = false;
        for constant in unambiguous(module, spec_ids, key)? {
            is_known = true;
            match treatment {
                ConstantSetting::Set(set) => {
                    resolved.values.set_constant(constant, value(module, constant, *set)?)
                }
                ConstantSetting::Default(default) => {
                    resolved.values.set_default(constant, value(module, constant, *default)?)
                }
                ConstantSetting::Keep => resolved.values.keep(constant.spec_id),
            }
        }
        resolved.unknown.extend((!is_known).then(|| key.clone()));
    }
    Ok(resolved)
}

/// Returns the constants of a setting: SpecId, id, and the bits of the value. The value is `None` for an unchanged
/// constant.
///
/// # Errors
/// If a value does not fit their types, or a name is ambiguous.
pub fn assigned_values(
    analyses: &Analyses,
    setting: &KeyedSetting,
) -> Result<Vec<(u32, u32, Option<u64>)>, SpecializeError> {
    let module = analyses.module();
    let constants = unambiguous(module, analyses.spec_constants(), &setting.constant)?;
    let assigned = |constant: &SpecConstantDecl| {
        let value = match &setting.treatment {
            ConstantSetting::Set(set) | ConstantSetting::Default(set) => Some(value(module, constant, *set)?),
            ConstantSetting::Keep => None,
        };
        Ok((constant.spec_id, constant.id, value))
    };
    constants.map(assigned).collect()
}

/// Returns the bits of a value as one of the type of a constant.
fn value(module: &Module, constant: &SpecConstantDecl, value: SpecValue) -> Result<u64, SpecializeError> {
    let bits = scalar(module, constant.id).and_then(|scalar| value.bits(scalar));
    bits.ok_or_else(|| unfit(module, constant, value.to_string()))
}

/// Parses a value of the type of the constants with a key.
///
/// Without such a constant, or with constants of several types, the text is parsed without a type.
///
/// # Errors
/// If the text is not a value of such a type, or a name is ambiguous.
pub fn parse_value(analyses: &Analyses, key: &ConstantKey, text: &str) -> Result<SpecValue, SpecializeError> {
    let (module, mut read) = (analyses.module(), None);
    for constant in unambiguous(module, analyses.spec_constants(), key)? {
        let scalar = scalar(module, constant.id);
        let bits = scalar.and_then(|scalar| scalar.parse(text));
        let (Some(scalar), Some(bits)) = (scalar, bits) else {
            return Err(unfit(module, constant, text.to_owned()));
        };
        // The bits of constants of other types are others.
        if *read.get_or_insert((scalar, bits)) != (scalar, bits) {
            read = None;
            break;
        }
    }
    if let Some((scalar, bits)) = read {
        return Ok(SpecValue::new(scalar, bits));
    }
    SpecValue::parse(text)
        .ok_or_else(|| SpecializeError::Unreadable { constant: key.to_string(), text: text.to_owned() })
}

/// Reads bytes in the order of the host as a value of the type of the constants with a key.
///
/// # Errors
/// If there is no such constant, its type has another size, or a name is ambiguous.
pub fn value_from_bytes(
    analyses: &Analyses,
    key: &ConstantKey,
    bytes: &[u8],
) -> Result<SpecValue, SpecializeError> {
    let (module, spec_ids) = (analyses.module(), analyses.spec_constants());
    let Some(constant) = unambiguous(module, spec_ids, key)?.next() else {
        return Err(unknown(module, key, spec_ids));
    };
    let value = scalar(module, constant.id)
        .and_then(|scalar| Some(SpecValue::new(scalar, host_bits(scalar, bytes)?)));
    value.ok_or_else(|| unfit(module, constant, format!("a value of {} bytes", bytes.len())))
}

/// Returns the values of settings by SpecId, as the bytes that a host passes to a driver: four for a Boolean. The first of several constants with
/// one SpecId counts.
pub fn host_values(module: &Module, settings: &ResolvedSettings) -> IdMap<Vec<u8>> {
    let mut values = IdMap::new();
    for constant in find_spec_constants(module) {
        let value = settings.values.value(&constant);
        let Some((scalar, value)) = scalar(module, constant.id).zip(value) else { continue };
        let size = host_size(scalar);
        let bytes = match cfg!(target_endian = "big") {
            true => value.to_be_bytes()[size_of::<u64>() - size..].to_vec(),
            false => value.to_le_bytes()[..size].to_vec(),
        };
        values.entry(constant.spec_id).or_insert(bytes);
    }
    values
}

/// Returns settings for all constants of a module as a driver sets them: to the bytes that `value` returns for a SpecId, or to the default.
pub fn host_settings<'v>(analyses: &Analyses, value: &dyn Fn(u32) -> Option<&'v [u8]>) -> Vec<KeyedSetting> {
    let mut defaults = Constants::defaults(analyses.module());
    let constants = analyses.spec_constants().chunk_by(|one, other| one.spec_id == other.spec_id);
    let setting = |same: &[SpecConstantDecl]| {
        let spec_id = same[0].spec_id;
        let treatment = host_value(analyses.module(), same, value(spec_id), &mut defaults)
            .map_or(ConstantSetting::Keep, ConstantSetting::Set);
        KeyedSetting { constant: ConstantKey::SpecId(spec_id), treatment }
    };
    constants.map(setting).collect()
}

/// Returns the value of the constants with one SpecId from bytes. `None` if they have no common type or default, or the
/// bytes are not a value of it.
fn host_value(
    module: &Module,
    same: &[SpecConstantDecl],
    bytes: Option<&[u8]>,
    defaults: &mut Constants,
) -> Option<SpecValue> {
    let first = scalar(module, same[0].id)?;
    let bits = match bytes {
        Some(bytes) => host_bits(first, bytes)?,
        None => defaults.value(same[0].id)?,
    };
    let is_common = same.iter().all(|constant| {
        let is_equal = bytes.is_some() || defaults.value(constant.id) == Some(bits);
        scalar(module, constant.id) == Some(first) && is_equal
    });
    is_common.then(|| SpecValue::new(first, bits))
}

/// Returns the number of bytes by which a host passes a value of a type to a driver: four for a Boolean.
fn host_size(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Bool => size_of::<u32>(),
        scalar => scalar.width().div_ceil(8) as usize,
    }
}

/// Reads a value as a host passes it to a driver, if it has the size of its type. A Boolean has four bytes in Vulkan, and one in OpenCL.
fn host_bits(scalar: Scalar, bytes: &[u8]) -> Option<u64> {
    let is_size = bytes.len() == host_size(scalar) || scalar == Scalar::Bool && bytes.len() == 1;
    if !is_size || bytes.len() > size_of::<u64>() {
        return None;
    }
    let mut all = [0; size_of::<u64>()];
    let bits = match cfg!(target_endian = "big") {
        true => {
            all[size_of::<u64>() - bytes.len()..].copy_from_slice(bytes);
            u64::from_be_bytes(all)
        }
        false => {
            all[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(all)
        }
    };
    Some(if scalar == Scalar::Bool { (bits != 0).into() } else { bits })
}

/// Returns the constants of a module with a key. `spec_ids` is sorted by SpecId.
fn constants<'s>(
    module: &Module,
    spec_ids: &'s [SpecConstantDecl],
    key: &ConstantKey,
) -> impl Iterator<Item = &'s SpecConstantDecl> {
    let (candidates, named) = match key {
        ConstantKey::SpecId(spec_id) => {
            let first = spec_ids.partition_point(|constant| constant.spec_id < *spec_id);
            let count = spec_ids[first..].iter().take_while(|constant| constant.spec_id == *spec_id).count();
            (&spec_ids[first..first + count], None)
        }
        ConstantKey::Name(name) => {
            let named = module.names().filter(|named| named.name() == *name).map(|named| named.target());
            (spec_ids, Some(named.collect::<BTreeSet<u32>>()))
        }
    };
    candidates.iter().filter(move |constant| named.as_ref().is_none_or(|named| named.contains(&constant.id)))
}

/// Like [`constants`], but refuses a name of constants with several SpecIds.
fn unambiguous<'s>(
    module: &Module,
    spec_ids: &'s [SpecConstantDecl],
    key: &ConstantKey,
) -> Result<impl Iterator<Item = &'s SpecConstantDecl>, SpecializeError> {
    let matching: Vec<&SpecConstantDecl> = constants(module, spec_ids, key).collect();
    let several: BTreeSet<u32> = matching.iter().map(|constant| constant.spec_id).collect();
    if several.len() > 1 {
        let several: Vec<String> = several.iter().map(u32::to_string).collect();
        let instead = format!("one of the SpecIds {}", several.join(", "));
        let meanings = "several specialization constants";
        return Err(SpecializeError::AmbiguousName { constant: key.to_string(), meanings, instead });
    }
    Ok(matching.into_iter())
}

/// Refuses the name of a decision of the host if another constant has the same name. The constants of the decision have
/// the SpecIds `special`.
///
/// # Errors
/// If such a constant exists.
pub fn refuse_ambiguous_decision(
    analyses: &Analyses,
    name: &str,
    special: &[u32],
) -> Result<(), SpecializeError> {
    let key = ConstantKey::Name(name.to_owned());
    let mut others = constants(analyses.module(), analyses.spec_constants(), &key);
    match others.find(|constant| !special.contains(&constant.spec_id)) {
        Some(constant) => Err(SpecializeError::AmbiguousName {
            constant: key.to_string(),
            meanings: "a specialization constant and a decision of the host",
            instead: format!("SpecId {} or host({name})", constant.spec_id),
        }),
        None => Ok(()),
    }
}

/// Returns true if a module has a constant with a key.
pub fn has_constant(module: &Module, key: &ConstantKey) -> bool {
    let mut spec_ids = find_spec_constants(module);
    sort_by_spec_id(&mut spec_ids);
    constants(module, &spec_ids, key).next().is_some()
}

/// Refuses settings for missing constants.
///
/// # Errors
/// If the list is not empty.
pub fn refuse_unknown(module: &Module, keys: &[ConstantKey]) -> Result<(), SpecializeError> {
    let first = keys.first().map(|key| unknown(module, key, &find_spec_constants(module)));
    first.map_or(Ok(()), Err)
}

/// Returns the error for a missing constant, with the existing ones.
fn unknown(module: &Module, key: &ConstantKey, all: &[SpecConstantDecl]) -> SpecializeError {
    let name = |id: u32| {
        let is_listed = matches!(key, ConstantKey::Name(_));
        let named = module.names().filter(|_| is_listed).find(|named| named.target() == id)?;
        Some(named.name().into_owned())
    };
    let mut existing: BTreeSet<(u32, Option<String>)> = BTreeSet::new();
    existing.extend(all.iter().map(|constant| (constant.spec_id, name(constant.id))));
    let existing = existing.into_iter().map(|(spec_id, name)| match name {
        Some(name) => format!("{spec_id} ({name})"),
        None => spec_id.to_string(),
    });
    let existing: Vec<String> = existing.collect();
    let existing = match existing.is_empty() {
        true => "the module has none".to_string(),
        false => format!("the module has {}", existing.join(", ")),
    };
    SpecializeError::UnknownConstant { constant: key.to_string(), existing }
}

fn scalar(module: &Module, id: u32) -> Option<Scalar> {
    Scalar::from_type(module, module.definition(id)?.result_type()?)
}

fn unfit(module: &Module, spec_id: &SpecConstantDecl, value: String) -> SpecializeError {
    let expected = scalar(module, spec_id.id)
        .map_or("of a type that cannot be set here".to_string(), |scalar| scalar.to_string());
    let constant = describe(module, spec_id.id);
    SpecializeError::Value { spec_id: spec_id.spec_id, value, constant, expected }
}
