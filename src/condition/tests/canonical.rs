//! Examples of canonical forms.

use super::*;

/// Checks the canonical forms that people would write, and other spellings of each.
#[test]
fn natural_results() {
    for (canonical, others) in [
        ("true", vec!["fp16 || !fp16", "!(arch(pvc) && arch(sm_50))"]),
        ("false", vec!["fp16 && !fp16", "arch(pvc) && fp16 && arch(sm_50)"]),
        ("fp16", vec!["!!fp16", "fp16 && fp16", "fp16 || fp16 && fp64", "fp16 && (fp64 || !fp64)"]),
        ("fp16 && fp64", vec!["fp64 && fp16", "!(!fp64 || !fp16)"]),
        ("fp16 && fp64 && image", vec!["(image && fp64) && fp16"]),
        ("arch(pvc) || arch(sm_50)", vec!["arch(sm_50) || arch(pvc)"]),
        ("arch(pvc)", vec!["arch(pvc) && !arch(sm_50)"]),
        ("!arch(pvc)", vec!["!arch(pvc) || arch(sm_50)"]),
        ("!arch(pvc) && !arch(sm_50)", vec!["!(arch(pvc) || arch(sm_50))"]),
        ("fp16 && !arch(pvc)", vec!["!arch(pvc) && fp16"]),
        ("arch(pvc) || fp16", vec!["fp16 || arch(pvc)", "fp16 && !arch(pvc) || arch(pvc)"]),
        (
            "fp16 && (arch(pvc) || arch(sm_50))",
            vec!["arch(pvc) && fp16 || fp16 && arch(sm_50)", "(arch(sm_50) || arch(pvc)) && fp16"],
        ),
        (
            "arch(pvc) && fp16 || arch(sm_50) && fp64",
            vec!["(arch(pvc) || arch(sm_50)) && (arch(pvc) || fp64) && (arch(sm_50) || fp16)"],
        ),
        (
            "(fp16 || !arch(pvc)) && (fp64 || !arch(sm_50))",
            vec![
                "!(arch(pvc) && !fp16 || arch(sm_50) && !fp64)",
                "!arch(pvc) && !arch(sm_50) || arch(pvc) && fp16 || arch(sm_50) && fp64",
            ],
        ),
        // An architecture with a weaker condition is not an exception to the others.
        (
            "arch(pvc) && (fp16 || fp64) || fp16 && fp64",
            vec!["(fp16 || fp64) && (arch(pvc) || fp16) && (arch(pvc) || fp64)"],
        ),
        ("fp16 && fp64 || fp16 && image || fp64 && image", vec!["(fp16 || fp64) && (image || fp16 && fp64)"]),
        (
            "(fp16 || fp64) && (image || aspect(9))",
            vec!["fp16 && image || fp64 && image || fp16 && aspect(9) || fp64 && aspect(9)"],
        ),
        (
            "size >= 32",
            vec!["size >= 16 && size >= 32", "!(size < 32)", "size > 31", "size >= 32 || size == 77"],
        ),
        ("size < 16", vec!["size < 16 && size <= 40", "size <= 15", "size != 20 && !(size >= 16)"]),
        (
            "true",
            vec!["size >= 16 || size < 32", "size >= 0", "size == 5 || size != 5", "size < 4 || size >= 4"],
        ),
        ("false", vec!["size >= 32 && size < 16", "size < 0", "size == 5 && size == 6"]),
        ("size == 32", vec!["size >= 32 && size < 33", "size <= 32 && size > 31", "!(size != 32)"]),
        ("size != 32", vec!["size < 32 || size > 32", "!(size == 32)"]),
        ("size >= 16 && size < 64", vec!["size == 16 || size > 16 && size <= 63"]),
        ("size < 16 || size >= 64", vec!["!(size >= 16 && size < 64)"]),
        ("fp16 && size == 32", vec!["size == 32 && fp16", "size > 31 && fp16 && size < 33"]),
        ("size == 32 && !fp16", vec!["!fp16 && size == 32"]),
        ("spirv_version >= 1.4", vec!["spirv_version > 1.3 && spirv_version >= 1.2"]),
        ("limit(vulkan:maxA.0) >= 512", vec!["limit( vulkan:maxA.0 )>=512"]),
        (
            "size >= 16 && (fp16 || fp64 && size >= 32)",
            vec![
                "fp16 && size >= 16 || fp64 && size >= 32",
                "(fp16 || fp64 && size >= 32) && (size >= 32 || size >= 16)",
            ],
        ),
        ("fp16 && !fp64 || fp64 && !fp16", vec!["(fp16 || fp64) && !(fp16 && fp64)"]),
        (
            "cap(CooperativeMatrixKHR) && (fp16 || image && !constant(%4))",
            vec!["(!(constant(%4) || !image) || fp16) && cap(CooperativeMatrixKHR)"],
        ),
    ] {
        for text in [vec![canonical], others].concat() {
            assert_eq!(show(&parse(text).canonical().unwrap()), canonical, "{text}");
        }
    }
}

#[test]
fn every_architecture_fits() {
    let any = (0..93).map(|number| format!("arch({number})")).collect::<Vec<_>>().join(" || ");
    assert_eq!(show(&parse(&any).canonical().unwrap()).matches("arch").count(), 93);
    let none = parse(&format!("!({any})")).canonical().unwrap();
    assert_eq!(show(&none).matches("!arch").count(), 93);
}

/// Checks the longest inputs of each kind on a thread with the small stack of test threads.
#[test]
fn the_largest_fit_the_stack() {
    let chain = (0..MAX_DEPTH).map(|number| format!("aspect({number})")).collect::<Vec<_>>();
    let chain = parse(&chain.join(" || "));
    assert!(chain.canonical().unwrap() == chain);

    let half = MAX_DEPTH / 2;
    let ladder = (0..half - 1).rev().fold("cap(1)".to_owned(), |inner, n| {
        format!("aspect({}) && (aspect({}) || {inner})", 1000 + n, 2000 + n)
    });
    let ladder = parse(&ladder);
    assert!(ladder.canonical().unwrap() == ladder);

    let pairs = (0..half).map(|n| format!("aspect({n}) && cap({n})")).collect::<Vec<_>>();
    let pairs = parse(&pairs.join(" || "));
    // With neighbours paired, there would be far fewer nodes; the order of leaves is the worst case.
    assert_eq!(pairs.canonical(), Err(ConditionError::TooComplex));
    let pairs = (0..half).map(|n| format!("aspect({}) && aspect({})", 2 * n, 2 * n + 1)).collect::<Vec<_>>();
    let pairs = parse(&pairs.join(" || "));
    assert!(pairs.canonical().unwrap() == pairs);
}
