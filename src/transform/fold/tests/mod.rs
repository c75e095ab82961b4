//! Constants that are set, the branches that they decide, and the blocks that these remove.

mod compare;
mod flow;
mod inlined;
mod local_values;
mod markers;
mod phis;
mod planted;
mod shapes;
mod unused;

/// The beginning of a kernel in text: a flag, and types. The kernel has its own type.
const KERNEL: &str = "
    OpCapability Kernel
    OpCapability Addresses
    OpMemoryModel Physical64 OpenCL
    OpEntryPoint Kernel %main \"main\"
    OpDecorate %flag SpecId 0
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %flag = OpSpecConstantFalse %bool
    %to_uint = OpTypePointer Function %uint
    %to_result = OpTypePointer CrossWorkgroup %uint";
