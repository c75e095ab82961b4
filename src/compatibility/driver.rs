//! Declarations that the driver of a device accepts or rejects.

use crate::loader::Version;
use spirv::Capability;

use super::{Missing, ModuleDeclarations};
use crate::analysis::requirements::is_core;
use crate::condition::Expr;
use crate::device::Device;

/// The extension of modules with open conditions.
const MULTI_TARGET_EXTENSION: &str = "SPV_INTEL_function_variants";
const MULTI_TARGET: [Capability; 2] = [Capability::SpecConditionalINTEL, Capability::FunctionVariantsINTEL];

/// Returns the unconditional declarations that the driver of a device is known to reject.
///
/// Versions and extensions are checked if the device lists them, like a driver's report or an imported one.
/// Capabilities are checked if the device lists all of them ([`Device::has_all_capabilities_listed`]). For
/// other devices, an unlisted capability may be supported. The declarations of the multi-target extension are ignored, since such a module is not
/// passed to a driver.
pub fn missing_declarations(device: &Device, declarations: &ModuleDeclarations) -> Vec<Missing> {
    let mut missing = Vec::new();
    if device.has_spirv_version(declarations.version) == Some(false) {
        missing.push(Missing::Version(declarations.version));
    }
    let is_multi_target = |number: u32| MULTI_TARGET.iter().any(|capability| *capability as u32 == number);
    for (number, when) in declarations.capabilities.iter().filter(|(number, _)| !is_multi_target(*number)) {
        let lacks = device.has_all_capabilities_listed() && device.has_capability(*number) == Some(false);
        if lacks && *when == Expr::True {
            missing.push(Missing::Capability((*number).into()));
        }
    }
    for (name, when) in declarations.extensions.iter().filter(|(name, _)| name != MULTI_TARGET_EXTENSION) {
        if accepts(device, name, declarations.version) == Some(false) && *when == Expr::True {
            missing.push(Missing::Extension(name.clone()));
        }
    }
    missing
}

/// True if a device accepts an extension in a module of this version of SPIR-V, false if it does not; `None`
/// if unknown. An extension in the version's core need not be listed, but its capabilities may still be
/// optional.
pub(crate) fn accepts(device: &Device, name: &str, version: Version) -> Option<bool> {
    if is_core(name, version.to_word()) { Some(true) } else { device.has_extension(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Leaf;

    fn declarations() -> ModuleDeclarations {
        ModuleDeclarations {
            version: Version::new(1, 4),
            capabilities: vec![
                (Capability::Float64 as u32, Expr::True),
                (Capability::Float16 as u32, Leaf::Constant(3).into()),
                (Capability::SpecConditionalINTEL as u32, Expr::True),
            ],
            extensions: vec![
                (MULTI_TARGET_EXTENSION.to_owned(), Expr::True),
                ("SPV_A".to_owned(), Expr::True),
                ("SPV_B".to_owned(), Leaf::Constant(3).into()),
            ],
            ..ModuleDeclarations::default()
        }
    }

    #[test]
    fn all_that_a_report_does_not_list() {
        let none = Device {
            complete: true,
            capabilities: Some([].into()),
            extensions: Some([].into()),
            spirv_versions: Some([Version::new(1, 3), Version::new(1, 5)].into()),
            ..Device::default()
        };
        let expected = [
            Missing::Version(Version::new(1, 4)),
            Missing::Capability((Capability::Float64 as u32).into()),
            Missing::Extension("SPV_A".into()),
        ];
        assert_eq!(missing_declarations(&none, &declarations()), expected);
        let all = Device {
            capabilities: Some([Capability::Float64 as u32].into()),
            extensions: Some(["SPV_A".to_owned()].into()),
            spirv_versions: Some([Version::new(1, 4)].into()),
            ..none
        };
        assert_eq!(missing_declarations(&all, &declarations()), []);
    }

    #[test]
    fn what_the_version_has_need_not_be_listed() {
        let device = Device { extensions: Some([].into()), ..Device::default() };
        let named = |version, name: &str| {
            let extensions = vec![(name.to_owned(), Expr::True)];
            missing_declarations(
                &device,
                &ModuleDeclarations { version, extensions, ..ModuleDeclarations::default() },
            )
            .len()
        };
        // The unified specification, 3.52.
        assert_eq!(named(Version::new(1, 4), "SPV_KHR_no_integer_wrap_decoration"), 0);
        assert_eq!(named(Version::new(1, 3), "SPV_KHR_no_integer_wrap_decoration"), 1);
        assert_eq!(named(Version::new(1, 6), "SPV_KHR_non_semantic_info"), 0);
        assert_eq!(named(Version::new(1, 5), "SPV_KHR_non_semantic_info"), 1);
        assert_eq!(named(Version::new(1, 6), "SPV_KHR_expect_assume"), 1);
        let storage = ModuleDeclarations {
            version: Version::new(1, 3),
            capabilities: vec![(Capability::StorageBuffer16BitAccess as u32, Expr::True)],
            ..ModuleDeclarations::default()
        };
        let device = Device { complete: true, capabilities: Some([].into()), ..device };
        assert_eq!(missing_declarations(&device, &storage).len(), 1, "optional in every version");
    }

    #[test]
    fn what_is_not_listed_may_be_accepted() {
        assert_eq!(missing_declarations(&Device::default(), &declarations()), []);
        let entry = Device { complete: true, capabilities: Some([].into()), ..Device::default() };
        assert_eq!(missing_declarations(&entry, &declarations()), [], "no extensions were listed");
    }
}
