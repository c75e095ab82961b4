//! Modules of another tool: spirv-link joins builds for several targets into one module.

use std::process::Command;

use super::support::{Case, Device};
use crate::test_support::tool;

/// One build: both functions return a number of its own. `extra` requires a capability that the others do not have.
fn build(number: u32, extra: bool) -> String {
    let pick = |text| if extra { text } else { "" };
    format!(
        r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
{}
OpMemoryModel Physical64 OpenCL
OpDecorate %foo LinkageAttributes "foo" Export
OpDecorate %bar LinkageAttributes "bar" Export
%void = OpTypeVoid
%i32 = OpTypeInt 32 0
{}
%fi = OpTypeFunction %i32
%n = OpConstant %i32 {number}
%foo = OpFunction %i32 None %fi
%l = OpLabel
{}
OpReturnValue %n
OpFunctionEnd
%bar = OpFunction %i32 None %fi
%l2 = OpLabel
%r = OpFunctionCall %i32 %foo
%t = OpIAdd %i32 %r %n
OpReturnValue %t
OpFunctionEnd
"#,
        pick("OpCapability Float64"),
        pick("%f64 = OpTypeFloat 64\n%d = OpConstant %f64 1"),
        pick("%z = OpFAdd %f64 %d %d"),
    )
}

#[test]
fn a_module_that_spirv_link_made_becomes_each_of_its_builds() {
    let Some(linker) = tool("SPIRV_LINK", "spirv-link") else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let builds = [(5, 50, false), (4, 40, true), (3, 30, false)];
    let mut table = "module,target,features\n".to_string();
    for (target, number, extra) in builds {
        let Some(case) = Case::new(&build(number, extra)) else { return };
        let bytes: Vec<u8> = case.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        std::fs::write(folder.join(format!("{target}.spv")), bytes).unwrap();
        table += &format!("{target}.spv,{target},\n");
    }
    std::fs::write(folder.join("targets.csv"), table).unwrap();
    let status = Command::new(linker)
        .args([
            "--target-env",
            "spv1.2",
            "--fnvar-targets",
            "targets.csv",
            "--fnvar-capabilities",
            "--create-library",
        ])
        .args(["5.spv", "4.spv", "3.spv", "-o", "linked.spv"])
        .current_dir(folder)
        .status()
        .unwrap();
    assert!(status.success());
    let bytes = std::fs::read(folder.join("linked.spv")).unwrap();
    let case = Case::from_bytes(&bytes);
    for (target, number, extra) in builds {
        let device = Device {
            target: Some((target, vec![])),
            capabilities: Some(vec![4, 5, 6, 10]),
            ..Device::default()
        };
        let outcome = case.on(&device);
        outcome.plain().valid("opencl2.2");
        assert_eq!(outcome.all("OpFunction").len(), 2);
        assert_eq!(outcome.all("OpFAdd").len(), usize::from(extra));
        assert_eq!(outcome.all("OpCapability").len(), 3 + usize::from(extra));
        // Its own number, and no other constant of that type.
        let numbers: Vec<u32> =
            outcome.all("OpConstant").iter().filter(|c| c.len() == 3).map(|c| c[2]).collect();
        assert_eq!(numbers, [number]);
    }
}
