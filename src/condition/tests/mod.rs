//! Examples with results from the design (docs/design/device-if.md, "Changes to the device headers"), the
//! grammar or a truth table. Properties are in `properties.rs`.

mod properties;

use super::*;

/// Some names with made-up numbers.
struct SomeNames;

const NAMES: [(Leaf, &str); 8] = [
    (Leaf::Aspect(0), "host"),
    (Leaf::Aspect(5), "fp16"),
    (Leaf::Aspect(6), "fp64"),
    (Leaf::Aspect(7), "image"),
    (Leaf::Aspect(8), "arch"),
    (Leaf::Architecture(20), "pvc"),
    (Leaf::Architecture(21), "sm_50"),
    (Leaf::Capability(6022), "CooperativeMatrixKHR"),
];

impl LeafNames for SomeNames {
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32> {
        NAMES
            .iter()
            .find(|(leaf, other)| leaf.kind() == kind && *other == name)
            .and_then(|(leaf, _)| leaf.number())
    }

    fn name(&self, leaf: Leaf) -> Option<&str> {
        NAMES.iter().find(|(other, _)| *other == leaf).map(|(_, name)| *name)
    }

    fn similar(&self, _kind: LeafKind, name: &str) -> Vec<String> {
        if name == "fp46" { vec!["fp64".to_owned(), "fp16".to_owned()] } else { vec![] }
    }
}

fn parse(text: &str) -> Expr {
    Expr::parse(text, &SomeNames).unwrap()
}

fn show(expr: &Expr) -> String {
    expr.display(&SomeNames).to_string()
}

fn leaf(leaf: Leaf) -> Box<Expr> {
    Box::new(leaf.into())
}

mod text {
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
        let longest = "a".repeat(64);
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
        let longest = "a".repeat(64);
        assert_eq!(parse(&format!("feature({longest}:{longest})")), feature(&format!("{longest}:{longest}")));
        assert!(LeafKind::Host.named("z") < LeafKind::Feature.named("a:a"), "by kind first");
        assert!(LeafKind::Feature.named("a:b") < LeafKind::Feature.named("b:a"));
        let hint = "the provider, `:` and the feature, as in `amdgpu:gfx12-insts`; letters, digits, `_`, and in the feature `-` \
                    and `.`, at most 64 of them each";
        for name in ["a", "a:", ":a", "1:a", "a-b:c", "a:b:c", &format!("a:{longest}a")] {
            let error = Expr::parse(&format!("feature({name})"), &SomeNames).unwrap_err().to_string();
            assert_eq!(error, format!("column 9: `{name}` is no name of a feature: {hint}"));
        }
        for (text, error) in [
            ("feature()", "column 9: expected a provider, `:` and the name of a feature, found `)`"),
            // Comparisons with numbers are reserved.
            ("feature(a:b >= 3)", "column 13: expected `)`, found `>`"),
            ("feature(a:b) >= 3", "column 14: expected `&&`, `||`, `)` or the end, found `>`"),
            ("feature(a:b", "column 12: expected `)`, found the end"),
        ] {
            assert_eq!(Expr::parse(text, &SomeNames).unwrap_err().to_string(), error);
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
                "column 1: expected an aspect, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `!` or `(`, found the end",
            ),
            (
                "fp16 && ",
                "column 9: expected an aspect, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `!` or `(`, found the end",
            ),
            ("fp16 & fp64", "column 6: expected `&&`, `||`, `)` or the end, found `&`"),
            ("fp16 fp64", "column 6: expected `&&`, `||`, `)` or the end, found `fp64`"),
            (
                "fp16 || && fp64",
                "column 9: expected an aspect, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `!` or `(`, found `&&`",
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
                "column 9: expected an aspect, `arch(`, `cap(`, `ext(`, `host(`, `target(`, `architecture(`, `feature(`, `!` or `(`, found `ä`",
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
}

mod series {
    use super::*;

    #[test]
    fn examples() {
        for (series, text) in [
            (vec![-1, 5], "fp16"),
            (vec![-2, 20], "arch(pvc)"),
            (vec![-6, 6022], "cap(CooperativeMatrixKHR)"),
            (vec![-3, -1, 5], "!fp16"),
            // ConditionAllAspectsBuilder<fp16, fp64, image> of the design has this series.
            (vec![-4, -1, 5, -4, -1, 6, -1, 7], "fp16 && fp64 && image"),
            // ConditionAnyArchitectureBuilder<pvc, sm_50> has this series.
            (vec![-5, -2, 20, -2, 21], "arch(pvc) || arch(sm_50)"),
            (vec![-4, -1, 5, -3, -5, -2, 20, -2, 21], "fp16 && !(arch(pvc) || arch(sm_50))"),
            (vec![-5, -8, 1, 97, -3, -8, 5, i32::from_le_bytes(*b"b_12"), 51], "host(a) || !host(b_123)"),
            (vec![-7, 6, i32::from_le_bytes(*b"SPV_"), i32::from_le_bytes(*b"a1\0\0")], "ext(SPV_a1)"),
            (
                vec![-4, -9, 2, 7, 3, -3, -10, 4, 2, 3, 174, 60],
                "target(7, 3) && !architecture(2, 3, 174, 60)",
            ),
        ] {
            assert_eq!(Expr::from_series(&series).unwrap(), parse(text));
            assert_eq!(parse(text).to_series().unwrap(), series);
        }
    }

    #[test]
    fn errors_have_a_place() {
        use ConditionError::*;
        for (series, error) in [
            (vec![], SeriesEnds { index: 0, expected: "a node" }),
            (vec![-4, -1, 5], SeriesEnds { index: 3, expected: "a node" }),
            (vec![-5, -1, 5, -2], SeriesEnds { index: 4, expected: "a number" }),
            (vec![-3], SeriesEnds { index: 1, expected: "a node" }),
            (vec![5], SeriesNode { index: 0, value: 5 }),
            (vec![-4, -1, 5, 0], SeriesNode { index: 3, value: 0 }),
            (vec![-12, 1], SeriesNode { index: 0, value: -12 }),
            // The name of a feature is missing, a comparison follows it, and a provider begins with a digit.
            (vec![-11, 1, 97, 0], SeriesName { index: 1, kind: LeafKind::Feature }),
            (vec![-11, 1, 97, 1, 98, 1], SeriesName { index: 1, kind: LeafKind::Feature }),
            (vec![-11, 1, 48, 1, 98, 0], SeriesName { index: 1, kind: LeafKind::Feature }),
            (vec![-9], SeriesEnds { index: 1, expected: "numbers" }),
            (vec![-9, 0], SeriesNumbers { index: 1, kind: LeafKind::Target }),
            (vec![-9, 2, 7], SeriesNumbers { index: 1, kind: LeafKind::Target }),
            (vec![-9, 65], SeriesNumbers { index: 1, kind: LeafKind::Target }),
            // An opcode that is not a comparison, and a missing number.
            (vec![-10, 4, 2, 3, 128, 4], SeriesNumbers { index: 1, kind: LeafKind::Comparison }),
            (vec![-10, 3, 2, 3, 170], SeriesNumbers { index: 1, kind: LeafKind::Comparison }),
            (vec![-8], SeriesEnds { index: 1, expected: "a name" }),
            (vec![-8, 4], SeriesName { index: 1, kind: LeafKind::Host }),
            (vec![-8, 65], SeriesName { index: 1, kind: LeafKind::Host }),
            // A name that begins with a digit, one that ends within its length, and one with more after its length.
            (vec![-3, -8, 1, 48], SeriesName { index: 2, kind: LeafKind::Host }),
            (vec![-8, 2, 97], SeriesName { index: 1, kind: LeafKind::Host }),
            (vec![-8, 1, 97 + (98 << 8)], SeriesName { index: 1, kind: LeafKind::Host }),
            (vec![-7, 1, 97], SeriesName { index: 1, kind: LeafKind::Extension }),
            (vec![-8, -1], SeriesNumber { index: 1, kind: LeafKind::Host, value: -1 }),
            (vec![-3, -2, -1], SeriesNumber { index: 2, kind: LeafKind::Architecture, value: -1 }),
            (vec![-1, 5, -1, 6], SeriesTrailing { index: 2, count: 2 }),
            ([vec![-3; 100_000], vec![-1, 5]].concat(), TooDeep),
        ] {
            assert_eq!(Expr::from_series(&series), Err(error));
        }
    }

    #[test]
    fn some_expressions_have_none() {
        assert_eq!(Expr::True.to_series(), Err(ConditionError::ConstantSeries { value: true }));
        assert_eq!(parse("fp16 || false").to_series(), Err(ConditionError::ConstantSeries { value: false }));
        for none in [Leaf::Constant(3), Leaf::Aspect(1 << 31)] {
            let (kind, number) = (none.kind(), none.number().unwrap());
            assert_eq!(Expr::from(none).to_series(), Err(ConditionError::NoSeries { kind, number }));
        }
        assert_eq!(parse("aspect(2147483647)").to_series(), Ok(vec![-1, i32::MAX]));
    }

    #[test]
    fn length_is_bounded() {
        // A balanced tree of 4096 leaves is long, but not deep.
        fn balanced(levels: u32, series: &mut Vec<i32>) {
            if levels == 0 {
                series.extend([-1, 5]);
            } else {
                series.push(-4);
                balanced(levels - 1, series);
                balanced(levels - 1, series);
            }
        }
        let mut fits = vec![];
        balanced(11, &mut fits);
        assert!(Expr::from_series(&fits).is_ok());
        let mut exceeds = vec![];
        balanced(12, &mut exceeds);
        assert_eq!(Expr::from_series(&exceeds), Err(ConditionError::TooLong));
    }
}

mod canonical {
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
            (
                "fp16 && fp64 || fp16 && image || fp64 && image",
                vec!["(fp16 || fp64) && (image || fp16 && fp64)"],
            ),
            (
                "(fp16 || fp64) && (image || aspect(9))",
                vec!["fp16 && image || fp64 && image || fp16 && aspect(9) || fp64 && aspect(9)"],
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
        let pairs =
            (0..half).map(|n| format!("aspect({}) && aspect({})", 2 * n, 2 * n + 1)).collect::<Vec<_>>();
        let pairs = parse(&pairs.join(" || "));
        assert!(pairs.canonical().unwrap() == pairs);
    }
}

mod diagram {
    use super::*;

    #[test]
    fn at_most_one_architecture() {
        let mut conditions = Conditions::new();
        let a = conditions.leaf(Leaf::Architecture(1)).unwrap();
        let b = conditions.leaf(Leaf::Architecture(2)).unwrap();
        assert!(conditions.and(a, b).unwrap().is_false());
        assert!(conditions.and(b, a).unwrap().is_false());
        let not_a = conditions.not(a).unwrap();
        let not_b = conditions.not(b).unwrap();
        let neither = conditions.and(not_a, not_b).unwrap();
        assert!(!neither.is_false() && !neither.is_true());
        assert!(conditions.or(not_a, not_b).unwrap().is_true());
        assert!(conditions.implies(a, not_b).unwrap());
        assert!(!conditions.implies(not_b, a).unwrap());
    }

    #[test]
    fn architectures_with_residual_conditions() {
        let mut conditions = Conditions::new();
        let mut of = |text: &str| conditions.of_expr(&parse(text)).unwrap();
        let (fp16, fp64) = (of("fp16"), of("fp64"));
        let condition = of("arch(pvc) && fp16 || !arch(pvc) && !arch(sm_50) && fp64");
        let none = of("fp16 && fp64");
        assert_eq!(
            conditions.architectures(condition),
            Architectures { otherwise: fp64, each: vec![(20, fp16), (21, ConditionId::FALSE)] }
        );
        assert_eq!(conditions.architectures(none), Architectures { otherwise: none, each: vec![] });
    }

    #[test]
    fn leaves_are_those_it_depends_on() {
        let mut conditions = Conditions::new();
        let condition =
            conditions.of_expr(&parse("fp16 && (fp64 || !fp64) || arch(pvc) && arch(sm_50)")).unwrap();
        assert_eq!(conditions.leaves(condition).into_iter().collect::<Vec<_>>(), [Leaf::Aspect(5)]);
    }

    #[test]
    fn restricting_to_an_architecture_excludes_the_others() {
        let mut conditions = Conditions::new();
        let condition = conditions.of_expr(&parse("arch(20) && fp16 || arch(21) && fp64")).unwrap();
        let fp64 = conditions.leaf(Leaf::Aspect(6)).unwrap();
        let lookup = |leaf| (leaf == Leaf::Architecture(21)).then_some(true);
        assert_eq!(conditions.restrict(condition, &lookup).unwrap(), fp64);
        let both = |leaf| matches!(leaf, Leaf::Architecture(_)).then_some(true);
        assert_eq!(
            conditions.restrict(condition, &both),
            Err(ConditionError::TwoArchitectures { first: 20, second: 21 })
        );
    }

    #[test]
    fn unknown_only_where_it_matters() {
        let nothing = |_| None;
        assert_eq!(evaluate(&parse("fp16 || !fp16"), &nothing), Ok(Truth::True));
        assert_eq!(evaluate(&parse("arch(pvc) && arch(sm_50)"), &nothing), Ok(Truth::False));
        assert_eq!(evaluate(&parse("fp16"), &nothing), Ok(Truth::Unknown));
    }

    /// Checks trees that no reader makes, but a caller can.
    #[test]
    fn oversized_trees_are_refused() {
        let mut deep = Expr::from(Leaf::Aspect(5));
        for _ in 0..MAX_DEPTH {
            deep = Expr::Not(Box::new(deep));
        }
        assert_eq!(deep.canonical(), Err(ConditionError::TooDeep));
        assert_eq!(evaluate(&deep, &|_| None), Err(ConditionError::TooDeep));
    }
}
