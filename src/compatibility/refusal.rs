//! Why a driver would refuse a module.

use spirv::Capability;

use super::{Declarations, Missing};
use crate::analysis::requirements::is_core;
use crate::condition::Expr;
use crate::device::{Device, capabilities};

/// What only modules declare in which something is open yet.
const MULTI_TARGET_EXTENSION: &str = "SPV_INTEL_function_variants";
const MULTI_TARGET: [Capability; 2] = [Capability::SpecConditionalINTEL, Capability::FunctionVariantsINTEL];

/// What the driver of a device is known not to take of what a module declares unconditionally: all of it.
///
/// Versions and extensions count where they were listed for the device, as a driver's report and an imported one do. A device for
/// which extensions were listed has had its capabilities listed too; of others, silence about a capability says nothing here. What
/// the module declares to be multi-target does not count: such a module is not for a driver yet.
pub fn refused(device: &Device, declarations: &Declarations) -> Vec<Missing> {
    let mut refused = Vec::new();
    let (major, minor) = declarations.version;
    if device.has_spirv_version((major, minor)) == Some(false) {
        refused.push(Missing::Version(major, minor));
    }
    let is_multi_target = |number: u32| MULTI_TARGET.iter().any(|capability| *capability as u32 == number);
    for (number, when) in declarations.capabilities.iter().filter(|(number, _)| !is_multi_target(*number)) {
        let lacks = device.extensions.is_some() && device.has_capability(*number) == Some(false);
        if lacks && *when == Expr::True {
            refused.push(Missing::Capability(*number));
        }
    }
    for (name, when) in declarations.extensions.iter().filter(|(name, _)| name != MULTI_TARGET_EXTENSION) {
        if takes(device, name, declarations.version) == Some(false) && *when == Expr::True {
            refused.push(Missing::Extension(name.clone()));
        }
    }
    refused
}

/// Whether a device takes an extension in a module of this version of SPIR-V. What the version has itself need not be listed: who
/// takes the version takes it. Its capabilities may be optional all the same.
pub(crate) fn takes(device: &Device, name: &str, (major, minor): (u8, u8)) -> Option<bool> {
    let version = u32::from(major) << 16 | u32::from(minor) << 8;
    if is_core(name, version) { Some(true) } else { device.has_extension(name) }
}

impl Missing {
    /// The extensions of which any one must be taken for this to be taken: itself, or those that bring the capability.
    pub fn extensions(&self) -> Vec<String> {
        match self {
            Missing::Extension(name) => vec![name.clone()],
            Missing::Capability(number) => {
                let bring = capabilities::extensions_of(*number).unwrap_or_default();
                bring.into_iter().map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Leaf;

    fn declarations() -> Declarations {
        Declarations {
            version: (1, 4),
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
            ..Declarations::default()
        }
    }

    #[test]
    fn all_that_a_report_does_not_list() {
        let none = Device {
            complete: true,
            capabilities: Some([].into()),
            extensions: Some([].into()),
            spirv_versions: Some([(1, 3), (1, 5)].into()),
            ..Device::default()
        };
        let expected = [
            Missing::Version(1, 4),
            Missing::Capability(Capability::Float64 as u32),
            Missing::Extension("SPV_A".into()),
        ];
        assert_eq!(refused(&none, &declarations()), expected);
        let all = Device {
            capabilities: Some([Capability::Float64 as u32].into()),
            extensions: Some(["SPV_A".to_owned()].into()),
            spirv_versions: Some([(1, 4)].into()),
            ..none
        };
        assert_eq!(refused(&all, &declarations()), []);
    }

    #[test]
    fn what_the_version_has_need_not_be_listed() {
        let device = Device { extensions: Some([].into()), ..Device::default() };
        let named = |version, name: &str| {
            let extensions = vec![(name.to_owned(), Expr::True)];
            refused(&device, &Declarations { version, extensions, ..Declarations::default() }).len()
        };
        // The unified specification, 3.52.
        assert_eq!(named((1, 4), "SPV_KHR_no_integer_wrap_decoration"), 0);
        assert_eq!(named((1, 3), "SPV_KHR_no_integer_wrap_decoration"), 1);
        assert_eq!(named((1, 6), "SPV_KHR_non_semantic_info"), 0);
        assert_eq!(named((1, 5), "SPV_KHR_non_semantic_info"), 1);
        assert_eq!(named((1, 6), "SPV_KHR_expect_assume"), 1);
        let storage = Declarations {
            version: (1, 3),
            capabilities: vec![(Capability::StorageBuffer16BitAccess as u32, Expr::True)],
            ..Declarations::default()
        };
        let device = Device { complete: true, capabilities: Some([].into()), ..device };
        assert_eq!(refused(&device, &storage).len(), 1, "optional in every version");
    }

    #[test]
    fn silence_refuses_nothing() {
        assert_eq!(refused(&Device::default(), &declarations()), []);
        let entry = Device { complete: true, capabilities: Some([].into()), ..Device::default() };
        assert_eq!(refused(&entry, &declarations()), [], "no extensions were listed");
    }
}
