//! Examples of operations on decision diagrams.

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

/// Checks that a leaf and its constant are neighbours if they are named together, for any number of pairs.
#[test]
fn pairs_of_leaves_and_constants_are_small() {
    const PAIRS: u32 = 2000;
    let mut conditions = Conditions::with_meanings((0..PAIRS).map(|at| (at, Leaf::Aspect(at))));
    let (mut pairs, mut aspects) = (Vec::new(), Vec::new());
    for at in 0..PAIRS {
        let constant = conditions.leaf(Leaf::Constant(at)).unwrap();
        let aspect = conditions.leaf(Leaf::Aspect(at)).unwrap();
        pairs.push(conditions.and(constant, aspect).unwrap());
        aspects.push(aspect);
    }
    let any_pair = conditions.any(&pairs).unwrap();
    let any_aspect = conditions.any(&aspects).unwrap();
    assert_eq!(conditions.leaves(any_pair).len(), 2 * PAIRS as usize);
    assert!(conditions.implies(any_pair, any_aspect).unwrap());
    assert_eq!(conditions.without_meant_constants(any_pair), Ok(any_aspect));
    let all = conditions.all(&pairs).unwrap();
    let replaced = (0..PAIRS).map(|at| (at, ConditionId::TRUE)).collect();
    let all_aspects = conditions.all(&aspects).unwrap();
    assert_eq!(conditions.replace_constants(all, &replaced), Ok(all_aspects));
}

/// Canonical expressions do not depend on the order in which an arena decides leaves.
#[test]
fn leaves_named_in_another_order() {
    let texts = [
        "fp16 && !fp64 || !fp16 && cap(1)",
        "host(a) && cap(1) || host(b) && fp64 || !host(a) && fp16",
        "arch(pvc) && (fp64 || host(a)) || !arch(sm_50) && host(b) && !fp64",
        "size >= 32 && fp16 || size >= 8 && !fp16 && fp64",
    ];
    for text in texts {
        let expr = parse(text);
        let mut conditions = Conditions::new();
        for &leaf in expr.leaves().iter().rev() {
            conditions.leaf(leaf).unwrap();
        }
        let condition = conditions.of_expr(&expr).unwrap();
        assert_eq!(show(&conditions.expr_of(condition).unwrap()), show(&expr.canonical().unwrap()), "{text}");
    }
}

/// The canonical expression of pairs has each constant beside the leaf that it stands for.
#[test]
fn pairs_as_an_expression() {
    let mut conditions = Conditions::with_meanings((0..200).map(|at| (at, Leaf::Aspect(at))));
    let mut any = ConditionId::FALSE;
    for at in 0..200 {
        let pair = [Leaf::Constant(at), Leaf::Aspect(at)].map(|leaf| conditions.leaf(leaf).unwrap());
        let pair = conditions.all(&pair).unwrap();
        any = conditions.or(any, pair).unwrap();
    }
    let text = show(&conditions.expr_of(any).unwrap());
    assert_eq!(text.matches("constant").count(), 200, "{text}");
}
