//! Examples of the text form.

use super::*;

#[test]
fn operators_bind_as_in_c() {
    let fp16 = || leaf(Leaf::Aspect(5));
    let fp64 = || leaf(Leaf::Aspect(6));
    let image = || leaf(Leaf::Aspect(7));
    assert_eq!(
        parse("!fp16 && fp64 || image"),
        Expr::Or(Box::new(Expr::And(Box::new(Expr::Not(fp16())), fp64())), image())
    );
    assert_eq!(parse("image||fp64&&fp16"), Expr::Or(image(), Box::new(Expr::And(fp64(), fp16()))));
    assert_eq!(
        parse(" ( image || fp64 ) && !(fp16)"),
        Expr::And(Box::new(Expr::Or(image(), fp64())), Box::new(Expr::Not(fp16())))
    );
    assert_eq!(
        parse("fp16 && fp64 && image"),
        Expr::And(fp16(), Box::new(Expr::And(fp64(), image()))),
        "chains nest to the right"
    );
}

#[test]
fn leaves_by_name_and_number() {
    assert_eq!(parse("aspect(fp16)"), Leaf::Aspect(5).into());
    assert_eq!(parse("aspect(99)"), Leaf::Aspect(99).into());
    assert_eq!(parse("arch(pvc)"), Leaf::Architecture(20).into());
    assert_eq!(parse("arch ( 4294967295 )"), Leaf::Architecture(u32::MAX).into());
    assert_eq!(parse("cap(CooperativeMatrixKHR)"), Leaf::Capability(6022).into());
    assert_eq!(parse("constant(%12)"), Leaf::Constant(12).into());
    assert_eq!(parse("true"), Expr::True);
    assert_eq!(parse("false"), Expr::False);
    assert_eq!(parse("aspect(arch)"), Leaf::Aspect(8).into());
}

#[test]
fn leaves_with_names_of_their_own() {
    let host = |name: &str| Expr::from(LeafKind::Host.named(name).unwrap());
    assert_eq!(parse("host ( fast )"), host("fast"));
    assert_eq!(show(&parse("!host(fast)&&ext(SPV_x)")), "!host(fast) && ext(SPV_x)");
    let longest = "a".repeat(96);
    assert_eq!(parse(&format!("host({longest})")), host(&longest));
    // Without parentheses, the word is the name of an aspect.
    let names = Some(parse("host && host(host)"));
    let aspect = Box::new(Expr::from(Leaf::Aspect(0)));
    assert_eq!(names, Some(Expr::And(aspect, Box::new(host("host")))));
    assert_eq!(show(&parse("host || fp16")), "host || fp16");
    assert!(LeafKind::Host.named("a") < LeafKind::Host.named("b"));
    assert!(LeafKind::Host.named("a") < LeafKind::Host.named("ab"));
    assert!(LeafKind::Extension.named("SPV_z") < LeafKind::Host.named("a"), "by kind first");
}

#[test]
fn features_have_a_provider() {
    let feature = |name: &str| Expr::from(LeafKind::Feature.named(name).unwrap());
    assert_eq!(parse("feature( amdgpu:gfx12-insts )"), feature("amdgpu:gfx12-insts"));
    assert_eq!(show(&parse("!feature(a:16-bit.x_Y)&&fp16")), "!feature(a:16-bit.x_Y) && fp16");
    let longest = "a".repeat(96);
    assert_eq!(parse(&format!("feature({longest}:{longest})")), feature(&format!("{longest}:{longest}")));
    assert!(LeafKind::Host.named("z") < LeafKind::Feature.named("a:a"), "by kind first");
    assert!(LeafKind::Feature.named("a:b") < LeafKind::Feature.named("b:a"));
    let hint = "the provider, `:` and the feature, as in `amdgpu:gfx12-insts`; letters, digits, `_`, and in the feature `-` \
                and `.`, at most 96 of them each";
    for name in ["a", "a:", ":a", "1:a", "a-b:c", "a:b:c", &format!("a:{longest}a")] {
        let error = Expr::parse(&format!("feature({name})"), &SomeNames).unwrap_err().to_string();
        assert_eq!(error, format!("column 9: `{name}` is not a name of a feature: {hint}"));
    }
    for (text, error) in [
        ("feature()", "column 9: expected a provider, `:` and the name of a feature, found `)`"),
        ("feature(a:b >= 3)", "column 13: expected `)`, found `>=`"),
        ("feature(a:b) >= 3", "column 14: expected `&&`, `||`, `)` or the end, found `>=`"),
        ("feature(a:b", "column 12: expected `)`, found the end"),
    ] {
        assert_eq!(Expr::parse(text, &SomeNames).unwrap_err().to_string(), error);
    }
}

#[test]
fn comparisons_have_a_number_and_a_constant() {
    let reaches = |name: &str, bound| {
        Expr::from(Leaf::Limit(Limit::new(FeatureName::parse(name).unwrap(), bound).unwrap()))
    };
    assert_eq!(parse("size>=32"), reaches("device:size", 32));
    assert_eq!(parse("size > 2147483646"), reaches("device:size", i32::MAX as u64));
    assert_eq!(parse("spirv_version >= 1.4"), reaches("device:spirv_version", 0x10400));
    assert_eq!(parse("spirv_version > 1.4"), reaches("device:spirv_version", 0x10500));
    assert_eq!(parse("limit( vulkan:maxA.0 ) >= 2"), reaches("vulkan:maxA.0", 2));
    for text in
        ["size >= 32", "size < 1", "!(size == 7) || size != 8", "spirv_version == 1.4 && limit(a:b-c) < 2"]
    {
        assert_eq!(show(&parse(text)), text);
    }
    for (text, error) in [
        ("size", "column 5: expected `==`, `!=`, `<`, `<=`, `>` or `>=` after a number, found the end"),
        ("size && fp16", "column 6: expected `==`, `!=`, `<`, `<=`, `>` or `>=` after a number, found `&&`"),
        ("size >=", "column 8: expected a number, found the end"),
        ("size >= x", "column 9: expected a decimal number up to 2147483646, found `x`"),
        ("size > 2147483647", "column 8: expected a decimal number up to 2147483646, found `2147483647`"),
        ("size >= 1.4", "column 9: expected a decimal number up to 2147483646, found `1.4`"),
        ("spirv_version >= 1", "column 18: expected a version, as in `1.4`, found `1`"),
        (
            "limit(a:b)",
            "column 11: expected `==`, `!=`, `<`, `<=`, `>` or `>=` after a number, found the end",
        ),
        ("limit(fp46) >= 2", "column 7: no limit is named `fp46`; did you mean `fp64`, `fp16`?"),
        ("fp46 >= 2", "column 1: no limit is named `fp46`; did you mean `fp64`, `fp16`?"),
        (
            "32 <= size",
            "column 1: `32` is not a name of a limit: the provider, `:` and the number, as in \
                        `limit(vulkan:maxComputeWorkGroupInvocations) >= 512`; letters, digits, `_`, `-` and `.`, at most 96 of them each",
        ),
    ] {
        assert_eq!(Expr::parse(text, &SomeNames).unwrap_err().to_string(), error, "{text}");
    }
}

#[test]
fn shown_with_the_fewest_parentheses() {
    for text in [
        "true",
        "fp16 && (arch(pvc) || !cap(CooperativeMatrixKHR))",
        "!(fp16 && fp64) || image",
        "!!fp16 && !true",
        "fp16 && fp64 || image && constant(%12)",
        "aspect(123) || arch(123) || cap(123) || aspect(arch)",
        "target(7) || target(7, 1, 2) && !architecture(2, 3, 170, 4)",
    ] {
        assert_eq!(show(&parse(text)), text);
    }
    assert_eq!(show(&parse("((fp16) && (fp64)) && (((image)))")), "fp16 && fp64 && image");
}

#[test]
fn errors_have_a_place_and_a_hint() {
    for (text, message) in [
        (
            "",
            "column 1: expected an aspect, a number, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `limit(`, `driver(`, `!` or `(`, found the end",
        ),
        (
            "fp16 && ",
            "column 9: expected an aspect, a number, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `limit(`, `driver(`, `!` or `(`, found the end",
        ),
        ("fp16 & fp64", "column 6: expected `&&`, `||`, `)` or the end, found `&`"),
        ("fp16 fp64", "column 6: expected `&&`, `||`, `)` or the end, found `fp64`"),
        (
            "fp16 || && fp64",
            "column 9: expected an aspect, a number, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `limit(`, `driver(`, `!` or `(`, found `&&`",
        ),
        ("!(fp16 || (fp64)", "column 2: this parenthesis is never closed; add `)`"),
        ("fp16)", "column 5: no parenthesis is open here; remove this `)`"),
        ("fp16 || fp46", "column 9: no aspect is named `fp46`; did you mean `fp64`, `fp16`?"),
        ("fp16 || pvc", "column 9: no aspect is named `pvc`; write `arch(pvc)`"),
        ("arch(fp16)", "column 6: no architecture is named `fp16`; write `aspect(fp16)`"),
        ("cap(Nope)", "column 5: no capability is named `Nope`; use its number"),
        ("arch fp16", "column 6: expected `(`, found `fp16`"),
        ("arch(pvc", "column 9: expected `)`, found the end"),
        ("arch()", "column 6: expected a name or a number, found `)`"),
        ("cap(1x)", "column 5: expected a decimal number, found `1x`"),
        ("aspect(4294967296)", "column 8: the aspect number 4294967296 does not fit 32 bits"),
        ("constant(12)", "column 10: expected an id, such as `%12`, found `12`"),
        ("constant(%)", "column 10: expected a decimal number, found ``"),
        (
            "5",
            "column 1: expected a name; write numbers as in `aspect(5)` and ids as in `constant(%5)`, found `5`",
        ),
        (
            "fp16 &&\u{a0}ä",
            "column 9: expected an aspect, a number, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `limit(`, `driver(`, `!` or `(`, found `ä`",
        ),
    ] {
        assert_eq!(Expr::parse(text, &SomeNames).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nots = |count: usize| format!("{}fp16", "!".repeat(count));
    assert!(Expr::parse(&nots(MAX_DEPTH - 1), &SomeNames).is_ok());
    assert_eq!(Expr::parse(&nots(MAX_DEPTH), &SomeNames), Err(ConditionError::TooDeep));
    assert_eq!(Expr::parse(&nots(1_000_000), &SomeNames), Err(ConditionError::TooDeep));

    let chain = |count: usize| vec!["fp16"; count].join(" && ");
    assert!(Expr::parse(&chain(MAX_DEPTH), &SomeNames).is_ok());
    assert_eq!(Expr::parse(&chain(MAX_DEPTH + 1), &SomeNames), Err(ConditionError::TooDeep));
    assert_eq!(Expr::parse(&chain(100_000), &SomeNames), Err(ConditionError::TooLong));

    // Each pair of parentheses is a chain of its own, which keeps the tree shallow but long.
    let long = vec![format!("({})", chain(64)); 64].join(" || ");
    assert_eq!(Expr::parse(&long, &SomeNames), Err(ConditionError::TooLong));

    // Parentheses are not nodes.
    let count = 1_000_000;
    let parenthesized = format!("{}fp16{}", "(".repeat(count), ")".repeat(count));
    assert_eq!(Expr::parse(&parenthesized, &SomeNames), Ok(Leaf::Aspect(5).into()));
}

#[test]
fn versions_of_drivers() {
    let name = FeatureName::parse("driver:qualcomm").unwrap();
    let reaches = |bound| Expr::from(Leaf::Limit(Limit::new(name, bound).unwrap()));
    let number = |text| parse_number(name, text).unwrap();
    assert_eq!(parse("driver(qualcomm)"), reaches(1));
    assert_eq!(parse("feature(driver:qualcomm)"), reaches(1));
    assert_eq!(parse("driver(qualcomm)>=512.744"), reaches(number("512.744") + 1));
    assert_eq!(parse("limit(driver:qualcomm) > 512.744"), reaches(number("512.744") + 2));
    // Older than a version is only this driver.
    let older = |bound| Expr::And(Box::new(reaches(1)), Box::new(Expr::Not(Box::new(reaches(bound)))));
    assert_eq!(parse("driver( qualcomm ) < 512.744"), older(number("512.744") + 1));
    assert_eq!(parse("driver(qualcomm) <= 512.744.0.0"), older(number("512.744") + 2));
    for text in [
        "driver(nvk)",
        "!driver(nvk)",
        "driver(nvk) > 0",
        "driver(nvk) >= 0.0.0.2",
        "driver(nvk) > 25",
        "driver(nvk) <= 25.0.3",
        "driver(nvk) < 25.0.3 && fp16",
        "driver(nvk) == 580.159.4 || driver(nvk) == 0",
        "!(driver(nvk) >= 25) || !(driver(nvk) > 26)",
        "fp16 && !(driver(nvk) < 25)",
        "driver(nvk) < 0",
        "driver(nvk) >= 16777215.65535.4095.4094",
    ] {
        assert_eq!(show(&parse(text)), text);
        assert_eq!(parse(&show(&parse(text))), parse(text));
    }
    for (text, shown) in [
        ("driver(nvk) >= 0", "driver(nvk)"),
        ("driver(nvk) >= 0.0.0.1", "driver(nvk) > 0"),
        ("driver(nvk) >= 580.159.04.0", "driver(nvk) >= 580.159.4"),
        ("driver(nvk) != 1.2", "driver(nvk) && (!(driver(nvk) >= 1.2) || driver(nvk) > 1.2)"),
        ("!driver(nvk) >= 3", "!(driver(nvk) >= 3)"),
    ] {
        assert_eq!(show(&parse(text)), shown);
        assert_eq!(parse(shown), parse(text));
    }
    for (text, error) in [
        ("driver()", "column 8: expected the name of a driver, found `)`"),
        ("driver(3)", "column 8: expected the name of a driver, found `3`"),
        ("driver(nvk", "column 11: expected `)`, found the end"),
        ("driver(nvk) >=", "column 15: expected a number, found the end"),
        ("driver(nvk) >= 1.x", "column 16: expected a version of a driver, as in `512.744`, found `1.x`"),
        (
            "driver(nvk) > 16777215.65535.4095.4095",
            "column 15: expected a version of a driver, as in `512.744`, found `16777215.65535.4095.4095`",
        ),
        ("driver", "column 1: no aspect is named `driver`; use its number"),
    ] {
        assert_eq!(Expr::parse(text, &SomeNames).unwrap_err().to_string(), error);
    }
}
