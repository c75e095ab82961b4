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

use crate::test_support::program::expand;
use crate::transform::specialize::tests::support::SpecializeCase;

/// Returns a kernel with its own type from a short text. The flag and the types are added.
fn kernel(text: &str) -> SpecializeCase {
    let head = "KERNEL
        OpDecorate %flag SpecId 0
        %flag = OpSpecConstantFalse %bool
        %uint = OpTypeInt 32 0
        %to_uint = OpTypePointer Function %uint
        %to_result = OpTypePointer CrossWorkgroup %uint\n";
    SpecializeCase::new(&expand(&[head, text].concat())).valid("opencl2.2")
}
