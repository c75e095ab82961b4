//! Gates.

use crate::packed::packed;

/// A first look: one function under one condition.
#[test]
fn what_only_conditional_code_needs_is_conditional() {
    let Some(p) = packed(
        "OpCapability Float64
        FN %main
            WHEN -1 6: %wide
        END
        FN %wide
            %x = OpFAdd %double %d1 %d1
        END",
    ) else {
        return;
    };
    p.are("wide main_wide double d1", "fp64")
        .are("main void fn", "always")
        .are("caller_wide_2 n_m1 n_6 fn_2", "gone");
    p.capability("Float64", "fp64").capability("Shader", "always");
    assert_eq!(p.call("main_wide"), [p.id("wide")]);
}
