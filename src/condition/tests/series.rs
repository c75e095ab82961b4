//! Examples of the series of integers.

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
        (vec![-11, 6, i32::from_le_bytes(*b"driv"), i32::from_le_bytes(*b"er\0\0"), 1, 97, 0], "driver(a)"),
        (
            vec![-11, 6, i32::from_le_bytes(*b"driv"), i32::from_le_bytes(*b"er\0\0"), 1, 97, 2, 512, 744],
            "driver(a) >= 512.744",
        ),
        (vec![-4, -9, 2, 7, 3, -3, -10, 4, 2, 3, 174, 60], "target(7, 3) && !architecture(2, 3, 174, 60)"),
    ] {
        assert_eq!(Expr::from_series(&series).unwrap(), parse(text));
        assert_eq!(parse(text).to_series().unwrap(), series);
    }
}

#[test]
fn errors_have_a_place() {
    use ConditionError::*;
    let driver = |version: &[i32]| {
        let name = [-11, 6, i32::from_le_bytes(*b"driv"), i32::from_le_bytes(*b"er\0\0"), 1, 97];
        [&name[..], version].concat()
    };
    for (series, error) in [
        (vec![], SeriesEnds { index: 0, expected: "a node" }),
        (vec![-4, -1, 5], SeriesEnds { index: 3, expected: "a node" }),
        (vec![-5, -1, 5, -2], SeriesEnds { index: 4, expected: "a number" }),
        (vec![-3], SeriesEnds { index: 1, expected: "a node" }),
        (vec![5], SeriesNode { index: 0, value: 5 }),
        (vec![-4, -1, 5, 0], SeriesNode { index: 3, value: 0 }),
        (vec![-12, 1], SeriesNode { index: 0, value: -12 }),
        // The name of a feature is missing, its bound is negative, and a provider begins with a digit.
        (vec![-11, 1, 97, 0], SeriesName { index: 1, kind: LeafKind::Feature }),
        (vec![-11, 1, 97, 1, 98, -1], SeriesName { index: 1, kind: LeafKind::Feature }),
        (vec![-11, 1, 48, 1, 98, 0], SeriesName { index: 1, kind: LeafKind::Feature }),
        // A version ends within its parts, a part is too large, and there are too many.
        (driver(&[2, 512]), SeriesName { index: 1, kind: LeafKind::Feature }),
        (driver(&[2, 512, 1 << 16]), SeriesName { index: 1, kind: LeafKind::Feature }),
        (driver(&[5, 1, 2, 3, 4, 5]), SeriesName { index: 1, kind: LeafKind::Feature }),
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
