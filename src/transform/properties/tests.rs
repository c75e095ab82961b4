use super::*;
use crate::test_support::assemble;
use std::borrow::Cow;

const HEAD: &str = "OpCapability Kernel\nOpCapability Addresses\nOpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n";
const BODY: &str = "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%k = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n";

fn lowered(modes: &str, properties: &str) -> Result<Lowered, PropertyLoweringError> {
    let decoration = format!("OpDecorate %k UserSemantic \"sycl-properties:{properties}\"\n");
    let words = assemble(&format!("{HEAD}{modes}{decoration}{BODY}"), "spv1.4");
    let module = Module::from_words(&words[..]).unwrap();
    lower(&Analyses::new(&module, Cow::default()), LowerOptions::default())
}

fn error(modes: &str, properties: &str) -> String {
    lowered(modes, properties).unwrap_err().to_string()
}

/// Contradictions of a property are named, with a mode of the module or with another property.
#[test]
fn contradictions() {
    let by_id = "OpExecutionModeId %k LocalSizeId %one %one %one\n";
    for (modes, properties, existing) in [
        ("OpExecutionMode %k LocalSize 1 1 1\n", "sycl-work-group-size=2", "LocalSize 1 1 1"),
        ("", "sycl-work-group-size=2,spirv-LocalSize=1,1,1", "LocalSize 2 1 1"),
        ("", "sycl-sub-group-size=8,sycl-sub-group-size=16", "SubgroupSize 8"),
        (
            "",
            "spirv-DenormPreserve=32,sycl-streaming-interface=0,sycl-streaming-interface=1",
            "StreamingInterfaceINTEL 0",
        ),
    ] {
        let error = error(modes, properties);
        assert!(error.contains(&format!("it has {existing} already")), "{properties}: {error}");
    }
    let with_constant = BODY.replace("%fn =", "%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\n%fn =");
    let text = format!(
        "{HEAD}{by_id}OpDecorate %k UserSemantic \"sycl-properties:sycl-work-group-size=2\"\n{with_constant}"
    );
    let words = assemble(&text, "spv1.4");
    let module = Module::from_words(&words[..]).unwrap();
    let lowered = lower(&Analyses::new(&module, Cow::default()), LowerOptions::default());
    assert!(lowered.unwrap_err().to_string().contains("it has LocalSizeId"));
}

/// Checks that modes for several widths, and repeated modes, are not contradictions.
#[test]
fn no_contradictions() {
    let several = lowered("", "spirv-DenormPreserve=32,spirv-DenormPreserve=64").unwrap();
    assert_eq!(several.lowered, 2);
    let twice =
        lowered("OpExecutionMode %k LocalSize 2 1 1\n", "sycl-work-group-size=2,sycl-work-group-size=2");
    assert_eq!(twice.unwrap().lowered, 2);
    let named = lowered("", "sycl-sub-group-size=0").unwrap();
    assert_eq!((named.lowered, named.removed.len()), (0, 0), "a size by name is not a mode");
}

#[test]
fn values_that_are_none() {
    for (properties, expected) in [
        ("sycl-work-group-size", "one to three sizes"),
        ("sycl-work-group-size=1,2,3,4", "one to three sizes"),
        ("sycl-sub-group-size=primary", "a number"),
        ("spirv-LocalSize=1,2", "3 operands"),
        ("spirv-ContractionOff=1", "no value"),
        ("spirv-LocalSizeId=1,2,3", "no ids, which properties cannot name"),
    ] {
        assert!(error("", properties).ends_with(expected), "{properties}: {}", error("", properties));
    }
}

#[test]
fn the_extension_goes_with_the_last_property() {
    let text = |other: &str| {
        let extension = format!("OpExtension \"{USER_SEMANTIC}\"\n");
        let head = HEAD.replace("OpMemoryModel", &format!("{extension}OpMemoryModel"));
        format!("{head}OpDecorate %k UserSemantic \"sycl-properties:sycl-device-has=6\"\n{other}{BODY}")
    };
    for (other, stays) in [("", false), ("OpDecorate %k UserSemantic \"mine\"\n", true)] {
        let words = assemble(&text(other), "spv1.0");
        let module = Module::from_words(&words[..]).unwrap();
        let stripped = crate::writer::apply(&module, &strip(&module)).unwrap();
        let stripped = Module::from_words(&stripped[..]).unwrap();
        assert_eq!(stripped.extensions().count(), usize::from(stays));
        assert!(Analyses::new(&stripped, Cow::default()).properties().is_empty());
    }
}
