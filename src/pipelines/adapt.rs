//! Adaptation of a module: replaces constructs that a device is known to reject.

use super::{ModuleBuffer, PipelineError};
use crate::analysis::requirements::is_of_kernels;
use crate::device::api::uses;
use crate::device::{Capability, Device, capabilities};
use crate::loader::grammar::versions;
use crate::loader::{Module, Version};
use crate::transform::Edits;
use crate::transform::adapt::table::CLUSTERED_ROTATION;
use crate::transform::adapt::{self, AdaptResult, AppliedAdaptation, Rejections};
use crate::transform::trim::{Declaration, trim_declarations};
use crate::transform::version::{TooNew, lower};

/// Converts a module to an older version of SPIR-V. Newer constructs are replaced if the meaning does not change. If a
/// construct remains, so does the version, and `too_new` has the construct.
///
/// # Errors
/// If the words are not a module.
pub(super) fn at_most<'m>(
    version: Version,
    words: ModuleBuffer<'m>,
    changes: &mut Vec<AppliedAdaptation>,
    too_new: &mut Option<TooNew>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    if words.version() <= version {
        return Ok(words);
    }
    // The API that takes an older version need not have the features of newer APIs. That of rotations comes with an extension of the module.
    let vulkan_use = |name: &str| name != CLUSTERED_ROTATION;
    let rejections =
        Rejections { capability: &|_| false, extension: &|_, _| false, vulkan_use: &vulkan_use, version };
    lowered(version, rewritten(words, &rejections, changes)?, too_new)
}

/// Returns the words of a module without the constructs that a device is known to reject, if their replacements compute
/// the same. If the device rejects the version of SPIR-V, but a construct of the version remains, so does the version.
///
/// # Errors
/// If the words are not a module.
pub(super) fn adapted<'m>(
    device: &Device,
    words: ModuleBuffer<'m>,
    changes: &mut Vec<AppliedAdaptation>,
    too_new: &mut Option<TooNew>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    let version = words.version();
    let newest = newest_version(device, version);
    let is_lowered = newest < version;
    let in_kernels = is_of_kernels(&Module::from_words(words.before_functions())?);
    let rejections = Rejections {
        capability: &|number| device.supports_capability(number, in_kernels) == Some(false),
        extension: &|name, version| device.supports_extension(name, version) == Some(false),
        vulkan_use: &|name| {
            let mut ways = uses().iter().filter(|row| row.use_ == name);
            ways.any(|row| device.has_feature_of(row) == Some(false))
        },
        version: if is_lowered { newest } else { newest_supported(device, version) },
    };
    let words = rewritten(words, &rejections, changes)?;
    if !is_lowered {
        return Ok(words);
    }
    let words = lowered(newest, words, too_new)?;
    if words.version() == version {
        return Ok(words);
    }
    changes.push(AppliedAdaptation {
        construct: format!("SPIR-V {version}"),
        becomes: Some(newest.to_string()),
        count: 1,
    });
    // An older version declares extensions, of which the device may reject some.
    rewritten(words, &rejections, changes)
}

/// Converts a module to an older version of SPIR-V; unchanged, if that version does not have one of its constructs.
fn lowered<'m>(
    version: Version,
    words: ModuleBuffer<'m>,
    too_new: &mut Option<TooNew>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    words.changed(&mut |module| match lower(module, version) {
        Ok(mut edits) => {
            edits.set_version(version.to_word());
            Ok(edits)
        }
        Err(error) => {
            *too_new = Some(error);
            Ok(Edits::new(module))
        }
    })
}

/// Returns the newest version of SPIR-V that a device accepts, up to `version`; `version` itself unless it is known to be rejected.
fn newest_version(device: &Device, version: Version) -> Version {
    if device.supports_spirv_version(version) != Some(false) {
        return version;
    }
    let older = (0..version.minor).rev().map(|minor| Version::new(1, minor));
    older.into_iter().find(|&older| device.supports_spirv_version(older) == Some(true)).unwrap_or(version)
}

/// Returns the newest version of SPIR-V that a device is known to accept; at least `version`.
fn newest_supported(device: &Device, version: Version) -> Version {
    let newer = (version.minor + 1..=versions::NEWEST.minor).rev().map(|minor| Version::new(1, minor));
    newer.into_iter().find(|&newer| device.supports_spirv_version(newer) == Some(true)).unwrap_or(version)
}

/// Applies the table, and removes the rejected declarations that nothing requires then.
fn rewritten<'m>(
    words: ModuleBuffer<'m>,
    rejections: &Rejections,
    changes: &mut Vec<AppliedAdaptation>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    let mut result: Option<AdaptResult> = None;
    let words = words.changed(&mut |module| {
        let adapted = result.insert(adapt::adapt(module, rejections));
        let mut edits = std::mem::take(&mut adapted.edits);
        if let Some(version) = adapted.version {
            edits.set_version(version.to_word());
        }
        Ok(edits)
    })?;
    let Some(AdaptResult { applied, rejected, capabilities: added, extensions, .. }) = result else {
        return Ok(words);
    };
    changes.extend(applied.into_iter().map(|(row, count)| AppliedAdaptation {
        construct: row.display_name(),
        becomes: row.substitute_name(),
        count,
    }));
    // Rejected declarations go first, so that the added ones take their place.
    let is_of_rejected = |name: &str| {
        let adds = |number: &u32| capabilities::extensions_of(*number).unwrap_or_default().contains(&name);
        rejected.iter().any(adds)
    };
    let words = trimmed(words, changes, &|declaration, version| match declaration {
        Declaration::Capability(number) => rejected.contains(&number),
        Declaration::Extension(name) => (rejections.extension)(name, version) || is_of_rejected(name),
    })?;
    if added.is_empty() && extensions.is_empty() {
        return Ok(words);
    }
    trimmed(words, &mut Vec::new(), &|declaration, _| match declaration {
        Declaration::Capability(number) => added.contains(&number),
        Declaration::Extension(name) => extensions.contains(name),
    })
}

/// Removes declarations that nothing requires, if `may_remove` is true for them in the version of the module.
fn trimmed<'m>(
    words: ModuleBuffer<'m>,
    changes: &mut Vec<AppliedAdaptation>,
    may_remove: &dyn Fn(Declaration, Version) -> bool,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    words.changed(&mut |module| {
        let trimmed = trim_declarations(module, &|declaration| may_remove(declaration, module.version()));
        let capabilities = trimmed.capabilities.iter().map(|&number| {
            let narrower = trimmed.narrower(number);
            let becomes = (!narrower.is_empty()).then(|| narrower.join(" and "));
            (format!("capability {}", Capability(number)), becomes)
        });
        let extensions = trimmed.extensions.iter().map(|name| (format!("extension {name}"), None));
        for (construct, becomes) in capabilities.chain(extensions) {
            // What another declaration replaced is listed already.
            if changes.iter().all(|change| change.construct != construct) {
                changes.push(AppliedAdaptation { construct, becomes, count: 1 });
            }
        }
        Ok(trimmed.edits)
    })
}
