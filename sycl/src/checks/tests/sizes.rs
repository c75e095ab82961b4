//! Tests of the sizes that entry points require.

use std::collections::BTreeMap;

use crate::test_support::{assemble_named, assert_valid};
use spirv_if::engine::analysis::{Size, Sizes, SyclProperties};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::loader::Module;

/// Returns the sizes by the function's name in the text, for a module that spirv-val accepts.
fn sizes(text: &str, environment: &str) -> BTreeMap<String, Sizes> {
    let (words, ids) = assemble_named(text, environment);
    assert_valid(&words, environment);
    let module = Module::from_words(&words[..]).unwrap();
    let sizes = Sizes::read(&module, &SyclProperties::read(&module, &IdMap::new()));
    ids.iter().filter_map(|(name, id)| Some((name.clone(), *sizes.get(*id)?))).collect()
}

fn shader(modes: &str, definitions: &str) -> String {
    format!(
        "OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %f \"f\"
        OpEntryPoint GLCompute %g \"g\"
        {modes}
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %v3 = OpTypeVector %u32 3
        {definitions}
        %f = OpFunction %void None %fn
        %l = OpLabel
        OpReturn
        OpFunctionEnd
        %g = OpFunction %void None %fn
        %m = OpLabel
        OpReturn
        OpFunctionEnd"
    )
}

fn kernel(modes: &str, definitions: &str) -> String {
    format!(
        "OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability SubgroupDispatch
        OpMemoryModel Physical64 OpenCL
        OpEntryPoint Kernel %f \"f\"
        {modes}
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %v3 = OpTypeVector %u32 3
        {definitions}
        %f = OpFunction %void None %fn
        %l = OpLabel
        OpReturn
        OpFunctionEnd
        %g = OpFunction %void None %fn
        %m = OpLabel
        OpReturn
        OpFunctionEnd"
    )
}

#[test]
fn literals() {
    let modes = "OpExecutionMode %f LocalSize 8 4 2
        OpExecutionMode %f SubgroupSize 16
        OpExecutionMode %f SubgroupsPerWorkgroup 3";
    let sizes = sizes(&kernel(modes, ""), "spv1.1");
    let of = sizes["f"];
    let work_group = of.work_group.unwrap();
    assert_eq!((work_group.dimensions, work_group.specializable), ([8, 4, 2], false));
    assert_eq!(of.sub_group.map(|size| size.value), Some(16));
    assert_eq!(of.sub_groups.map(|size| size.value), Some(3));
    assert_eq!(of.least_work_items(), Some(64));
    assert_eq!(sizes.len(), 1);
}

#[test]
fn sub_groups_ask_for_work_items() {
    let modes = "OpExecutionMode %f SubgroupSize 16
        OpExecutionMode %f SubgroupsPerWorkgroup 3";
    let sizes = sizes(&kernel(modes, ""), "spv1.1");
    assert_eq!(sizes["f"].least_work_items(), Some(33), "the third sub-group has one work-item at least");
}

#[test]
fn hints_and_limits_are_not_required() {
    let modes = "OpExecutionMode %f LocalSizeHint 8 4 2";
    let sizes = sizes(&kernel(modes, ""), "spv1.1");
    assert!(sizes.is_empty());
}

#[test]
fn constants() {
    let modes = "OpExecutionModeId %f LocalSizeId %eight %two %three
        OpExecutionModeId %g LocalSizeId %eight %eight %two
        OpDecorate %width SpecId 1";
    let definitions = "%eight = OpConstant %u32 8
        %two = OpConstant %u32 2
        %width = OpSpecConstant %u32 5
        %three = OpSpecConstantOp %u32 ISub %width %two";
    let sizes = sizes(&shader(modes, definitions), "vulkan1.3");
    let size_of = |name: &str| sizes[name].work_group.map(|size| (size.dimensions, size.specializable));
    assert_eq!(size_of("f"), Some(([8, 2, 3], true)), "the default value of width is 5");
    assert_eq!(size_of("g"), Some(([8, 8, 2], false)));
}

#[test]
fn a_decorated_constant_overrides_local_size() {
    let modes = "OpExecutionMode %f LocalSize 1 1 1
        OpExecutionMode %g LocalSize 2 2 2
        OpDecorate %x SpecId 0
        OpDecorate %size BuiltIn WorkgroupSize";
    let definitions = "%x = OpSpecConstant %u32 64
        %one = OpConstant %u32 1
        %size = OpSpecConstantComposite %v3 %x %one %one";
    let sizes = sizes(&shader(modes, definitions), "vulkan1.1");
    for name in ["f", "g"] {
        let work_group = sizes[name].work_group.unwrap();
        assert_eq!((work_group.dimensions, work_group.specializable), ([64, 1, 1], true), "{name}");
    }
}

#[test]
fn a_decorated_variable_says_nothing() {
    let modes = "OpExecutionMode %f LocalSize 4 1 1
        OpDecorate %size BuiltIn WorkgroupSize";
    let definitions = "%ptr = OpTypePointer Input %v3
        %size = OpVariable %ptr Input";
    let sizes = sizes(&kernel(modes, definitions), "spv1.2");
    assert_eq!(sizes["f"].work_group.unwrap().dimensions, [4, 1, 1]);
}

#[test]
fn a_property_of_a_function() {
    let modes = "OpDecorate %g LinkageAttributes \"g\" Export
        OpDecorate %g UserSemantic \"sycl-properties:sycl-sub-group-size=32\"";
    let sizes = sizes(&kernel(modes, ""), "spv1.4");
    let Some(Size { value, specializable, .. }) = sizes["g"].sub_group else { panic!() };
    assert_eq!((value, specializable), (32, false));
}
